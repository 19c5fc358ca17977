#!/bin/sh
# Builds the documentation of both languages, and fails on a dead link or anchor:
#   build.sh FOLDER COMMAND...      such as `build/docs .venv/bin/python -m mkdocs`
set -eu

folder=$(mkdir -p "$1" && cd "$1" && pwd)
shift
# The theme's advertisement of its successor is no fault of the pages.
export NO_MKDOCS_2_WARNING=1
# With --quiet a warning would no longer count as a fault.
"$@" build --config-file mkdocs.yml --site-dir "$folder"
"$@" build --config-file mkdocs.zh.yml --site-dir "$folder/zh"
