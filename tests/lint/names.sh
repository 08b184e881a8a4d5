#!/bin/sh
# Base names of source files are unique: ar, the tests and people call files by them.
# The top level holds nothing but what is listed here.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
strays=$(git ls-files 2>/dev/null | cut -d/ -f1 | LC_ALL=C sort -u |
    grep -vxE 'Makefile|src|include|layouts|tests|screenshots|README\.md|LICENSE|\.[a-z].*')
[ -z "$strays" ] || { echo "not for the top level: $strays"; exit 1; }
find src include -name '*.[ch]' | LC_ALL=C sort | awk -F/ '
$NF in seen { print $0 ": " seen[$NF] " has the same base name"; bad = 1 }
{ seen[$NF] = $0 }
END { exit bad }'
