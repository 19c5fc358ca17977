#!/bin/sh
# Makes build/bundle/attention-explorer, a folder that runs without Python, and its archive:
#   build.sh COMMAND...      such as `.venv/bin/python -m`; WITH_TORCH=1 adds training
set -eu

name=attention-explorer${WITH_TORCH:+-torch}
folder=build/bundle/$name
rm -rf "$folder"
"$@" PyInstaller --noconfirm --log-level WARN --distpath build/bundle --workpath build/bundle-work \
    scripts/bundle/attention-explorer.spec
if command -v strip >/dev/null 2>&1; then
    inside=$folder/_internal
    strip --strip-unneeded "$inside"/libpython* "$inside"/python3*/lib-dynload/*.so "$inside"/PIL/*.so
fi

# Which C library a file needs at least, such as 2.34.
least() {
    readelf --version-info --wide "$1" 2>/dev/null | grep -o 'GLIBC_2[.0-9]*' | sort -Vu | tail -1 | cut -c7-
}

# The one library of Debian 12 that no system with a C library before 2.36 can load. Debian 11 has
# the same interface, built against an older one; apt checks its signature.
expat=$folder/_internal/libexpat.so.1
if [ -f "$expat" ] && [ "$(printf '2.35\n%s\n' "$(least "$expat")" | sort -V | tail -1)" != 2.35 ]; then
    older=$(mktemp -d)
    trap 'rm -rf "$older"' EXIT
    site=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' | head -1)
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb [signed-by=$keys] $site bullseye main" >"$older/sources.list"
    mkdir -p "$older/lists/partial" "$older/cache/archives/partial"
    set -- -o "Dir::Etc::SourceList=$older/sources.list" -o Dir::Etc::SourceParts=- \
        -o "Dir::State::Lists=$older/lists" -o "Dir::Cache=$older/cache" -o APT::Sandbox::User=root
    apt-get -qq "$@" update
    (cd "$older" && apt-get -qq "$@" download libexpat1/bullseye && dpkg-deb --extract libexpat1_*.deb .)
    cp -L "$(find "$older" -name libexpat.so.1)" "$expat"
fi

tar --create --xz --file "build/bundle/$name.tar.xz" --directory build/bundle "$name"
du -sh "$folder" "build/bundle/$name.tar.xz"
