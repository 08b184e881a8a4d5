#!/bin/sh
# usage: generated.sh [--write]
#
# What a document quotes from the program is what the program prints. In README.md,
#     <!-- begin laneway help show -->
#     <!-- end -->
# hold the output of that command line between them; --write refreshes it, otherwise stale copies are
# named. Grids between the program's own markers are for `laneway docs`.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build}
[ -x "$B/laneway" ] || { echo "$B/laneway is not built"; exit 77; }
[ -f README.md ] || { echo "there is no README.md"; exit 77; }
mkdir -p "$B/lint"
fresh=$B/lint/README.md

LC_ALL=C.UTF-8 awk -v program="$B/laneway" '
/^<!-- begin laneway .*-->$/ {
    print
    command = $0; sub(/^<!-- begin laneway /, "", command); sub(/ *-->$/, "", command)
    bare = command; gsub(/'"'"'[^'"'"']*'"'"'/, "", bare)
    if (bare ~ /[;&|<>$`\\]/) { print "README.md: not a plain command: " command > "/dev/stderr"; exit 1 }
    print "```text"
    print "$ laneway " command
    command = "timeout 20 " program " " command " 2>&1 </dev/null"
    while ((command | getline line) > 0) print line
    close(command)
    print "```"
    inside = 1; next
}
/^<!-- end -->$/ { inside = 0 }
!inside { print }
END { if (inside) { print "README.md: a begin without its end" > "/dev/stderr"; exit 1 } }' README.md >"$fresh" || exit 1

if [ "${1-}" = --write ]; then
    cmp -s "$fresh" README.md || { cp "$fresh" README.md; echo "README.md: refreshed"; }
    ! grep -q '<!-- laneway' README.md || "$B/laneway" docs README.md
    exit
fi
cmp -s "$fresh" README.md || { echo "README.md is stale (make docs):"; diff README.md "$fresh"; exit 1; }
! grep -q '<!-- laneway' README.md || "$B/laneway" docs --check README.md
