#!/bin/sh
# usage: generated.sh [--write]
#
# The text and pictures that README.md quotes are the output of the program. --write refreshes them; without it the
# stale ones are reported.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
[ -x "$B/laneway" ] || { echo "$B/laneway is not built"; exit 77; }
quoting="README.md src/python/laneway/SKILL.md"
[ "${1-}" = --write ] && exec "$B/laneway" docs $quoting
"$B/laneway" docs --check $quoting || { echo "stale: make docs"; exit 1; }
