#!/bin/sh
# A file over 500 lines is split, also one of the tests, and a function over 60 lines, unless sizes.allow has the reason
# why not. Lines have at most 120 columns, also those of scripts and of the Makefile. There is no TODO in src and
# include.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
allow=tests/lint/sizes.allow
failed=0

code() { find src include tests Makefile .ci -type f \( -name '*.[ch]' -o -name '*.py' "$@" \); }

code | xargs wc -l |
    awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines: split it"; bad = 1 } END { exit bad }' || failed=1

code -o -name '*.sh' -o -name '*.awk' -o -name Makefile -o -path '.ci/*' | xargs grep -nE '^.{121,}$' /dev/null &&
    { echo 'lines over 120 columns: wrap them'; failed=1; }

grep -rnE '\b(TODO|FIXME|XXX|HACK)\b' src include && failed=1

if command -v ctags >/dev/null && ctags --version 2>/dev/null | grep -q Universal; then
    # sizes.allow: "function: the reason", one a line.
    find src -name '*.c' | xargs -r ctags -x --language-force=C --kinds-C=f --_xformat='%N %F %n %{end}' 2>/dev/null |
        awk -v allow="$allow" '
        BEGIN { while ((getline line < allow) > 0) { sub(/:.*/, "", line); ok[line] = 1 } }
        $4 - $3 + 1 > 60 && !($1 in ok) { printf "%s:%d: %s has %d lines\n", $2, $3, $1, $4 - $3 + 1; bad = 1 }
        END { exit bad }' || failed=1
else
    echo "no universal-ctags: the lengths of functions were not checked"
fi
exit $failed
