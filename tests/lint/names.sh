#!/bin/sh
# Base names of source files are unique: ar, the tests and people call files by them.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
find src include -name '*.[ch]' | LC_ALL=C sort | awk -F/ '
$NF in seen { print $0 ": " seen[$NF] " has the same base name"; bad = 1 }
{ seen[$NF] = $0 }
END { exit bad }'
