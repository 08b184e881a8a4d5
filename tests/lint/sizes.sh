#!/bin/sh
# A file over 1,200 lines is split, also one of the tests, and a function over 100 lines, unless sizes.allow has the
# reason why not. Lines have at most 120 columns, also those of scripts and of the Makefile. There is no TODO in src and
# include. The rooms fit the sizes of src/README.md: sizes.sh --rooms prints them.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
allow=tests/lint/sizes.allow
failed=0

# "room lines most", for each row of the table of rooms in src/README.md that has a size, and for all of them.
rooms() {
    awk -F'|' '/^\| `(src|include)\// && $3 + 0 { gsub(/[`, \/]|src\//, "", $2); print $2, $3 }' src/README.md |
        while read -r room most; do
            folder=src/$room; [ "$room" = include ] && folder=include
            echo "$room $(find "$folder" -name '*.[ch]' -type f -exec cat {} + | wc -l) $most"
        done | awk '{ print; lines += $2; most += $3 } END { print "all", lines, most }'
}
if [ "${1-}" = --rooms ]; then
    rooms | awk '{ printf "%-10s %7d of %6d%s\n", $1, $2, $3, ($2 > $3 ? "  " $2 - $3 " too many" : "") }'
    exit 0
fi
rooms | awk '$2 > $3 { print "src/README.md: " $1 " has " $2 " lines, at most " $3; bad = 1 } END { exit bad }' ||
    failed=1

code() { find src include tests Makefile .ci -type f \( -name '*.[ch]' -o -name '*.py' "$@" \); }

code | xargs wc -l |
    awk '$2 != "total" && $1 > 1200 { print $2 ": " $1 " lines: split it"; bad = 1 } END { exit bad }' || failed=1

code -o -name '*.sh' -o -name '*.awk' -o -name Makefile -o -path '.ci/*' | xargs grep -nE '^.{121,}$' /dev/null &&
    { echo 'lines over 120 columns: wrap them'; failed=1; }

grep -rnE '\b(TODO|FIXME|XXX|HACK)\b' src include && failed=1

if command -v ctags >/dev/null && ctags --version 2>/dev/null | grep -q Universal; then
    # sizes.allow: "function: the reason", one a line.
    find src -name '*.c' | xargs -r ctags -x --language-force=C --kinds-C=f --_xformat='%N %F %n %{end}' 2>/dev/null |
        awk -v allow="$allow" '
        BEGIN { while ((getline line < allow) > 0) { sub(/:.*/, "", line); ok[line] = 1 } }
        $4 - $3 + 1 > 100 && !($1 in ok) { printf "%s:%d: %s has %d lines\n", $2, $3, $1, $4 - $3 + 1; bad = 1 }
        END { exit bad }' || failed=1
else
    echo "no universal-ctags: the lengths of functions were not checked"
fi
exit $failed
