#!/bin/sh
# Brings the system libraries that Qt needs on Debian and Ubuntu; elsewhere does nothing.
#   system-libraries.sh [--tests | --bundle]
#     --tests: also the virtual screen, its fonts, a PDF reader and a browser
#     --bundle: also what makes the folder that runs without Python, and what tries it
# Installs only what is missing, and only where it may (root, or sudo without a password);
# else prints the line to run and goes on.
set -eu

command -v dpkg-query >/dev/null 2>&1 || exit 0

packages="libdbus-1-3 libegl1 libfontconfig1 libgl1 libglib2.0-0 libxcb-cursor0 libxcb-icccm4
    libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0 libxkbcommon0"
[ "${1:-}" != --tests ] ||
    packages="$packages chromium fonts-dejavu-core fonts-inter fonts-liberation fonts-noto-cjk fonts-noto-core
        poppler-utils xauth xvfb"
[ "${1:-}" != --bundle ] ||
    packages="$packages binutils debootstrap fonts-dejavu-core fonts-noto-cjk poppler-utils xauth
        xdotool xvfb xz-utils"

# Newer releases put t64 behind the name of some libraries.
names=
for package in $packages; do
    names="$names $package ${package}t64"
done
# shellcheck disable=SC2086 # the names are words of their own
installed=$(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n' $names 2>/dev/null |
    sed -n 's/^installed //p') || true

missing=
for package in $packages; do
    case "
$installed
" in
    *"
$package
"* | *"
${package}t64
"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

# The line that installs what is missing, by the names of this release.
install_line() {
    printf 'apt-get install -y --no-install-recommends'
    for package in $missing; do
        if apt-cache show "${package}t64" >/dev/null 2>&1; then
            package=${package}t64
        fi
        printf ' %s' "$package"
    done
}

if [ "$(id -u)" = 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "Some system libraries are missing. This line brings them: sudo $(install_line)" >&2
    exit 0
fi

echo "Installing missing system libraries:$missing"
$as_root apt-get -qq update || true
line=$(install_line)
# shellcheck disable=SC2086
if ! $as_root env DEBIAN_FRONTEND=noninteractive $line -qq </dev/null >/dev/null; then
    echo "The system libraries could not be installed. This line brings them: sudo $line" >&2
fi
