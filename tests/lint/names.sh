#!/bin/sh
# Base names of source files are unique, as ar and the tests use them. A file with the prefix of a table
# has a row of it.
# The top level has only the entries listed here.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
strays=$(git ls-files 2>/dev/null | cut -d/ -f1 | LC_ALL=C sort -u |
    grep -vxE 'Makefile|src|include|layouts|tests|screenshots|README\.md|LICENSE|\.[a-z].*')
[ -z "$strays" ] || { echo "not for the top level: $strays"; exit 1; }
find src include -name '*.[ch]' | LC_ALL=C sort | awk -F/ '
$NF in seen { print $0 ": " seen[$NF] " has the same base name"; bad = 1 }
{ seen[$NF] = $0 }
END { exit bad }' || exit 1
failed=0
has_row() { # FOLDER PREFIX TYPE: each PREFIX_*.c below the folder defines a TYPE
    for file in $(find "$1" -name "$2_*.c" ! -name '*_parts.c' | LC_ALL=C sort); do
        grep -q "^const struct $3 lw_" "$file" || { echo "$file: has no row, a struct $3"; failed=1; }
    done
}
has_row src/view view lw_view_type
has_row src/export export lw_format
has_row src/cli cmd lw_command
exit $failed
