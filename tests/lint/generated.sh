#!/bin/sh
# usage: generated.sh [--write]
#
# What a document quotes from the program is what the program prints: README.md by `laneway docs`, and the
# picture in it. --write refreshes them, otherwise stale copies are named.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
[ -x "$B/laneway" ] || { echo "$B/laneway is not built"; exit 77; }
picture=screenshots/grid.svg
fresh=$B/lint/grid.svg
mkdir -p "$B/lint"
"$B/laneway" show mma/m16n8k16.c --format svg -o "$fresh" || exit

if [ "${1-}" = --write ]; then
    cmp -s "$fresh" $picture || { cp "$fresh" $picture; echo "$picture: refreshed"; }
    exec "$B/laneway" docs README.md
fi
cmp -s "$fresh" $picture || { echo "$picture is stale (make docs)"; exit 1; }
"$B/laneway" docs --check README.md || { echo "README.md is stale (make docs)"; exit 1; }
