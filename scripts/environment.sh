#!/bin/sh
# Makes .venv in the current folder and installs the program into it:
#   environment.sh REQUIREMENT      such as `.` or `.[test]`
# PYTHON names the interpreter (default: python3).
set -eu

python=${PYTHON:-python3}

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

command -v "$python" >/dev/null 2>&1 ||
    fail "Attention Explorer needs Python 3.11 or newer, and there is no $python here: install it, or name another with make PYTHON=..."

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Attention Explorer needs Python 3.11 or newer, and $python is $("$python" -c 'import platform; print(platform.python_version())'): name a newer one with make PYTHON=..."

"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    fail "$python cannot make virtual environments here: on Debian and Ubuntu, apt-get install python3-venv brings what it lacks."

echo "Installing into .venv (the first time takes some minutes) ..."
"$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile \
    --constraint constraints.txt --editable "$1"
# As pip would, but on all cores; some packages bring files that are no Python of this version.
.venv/bin/python -m compileall -qq -j 0 .venv/lib || true
