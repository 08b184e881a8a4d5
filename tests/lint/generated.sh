#!/bin/sh
# usage: generated.sh [--write]
#
# What README.md quotes from the program, text and pictures, is what the program prints. --write refreshes it,
# otherwise stale copies are named.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
[ -x "$B/laneway" ] || { echo "$B/laneway is not built"; exit 77; }
[ "${1-}" = --write ] && exec "$B/laneway" docs README.md
"$B/laneway" docs --check README.md || { echo "README.md is stale (make docs)"; exit 1; }
