#!/bin/sh
# The shared library exports exactly the functions that the public headers declare, and no data.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build} CC=${CC:-cc}
library=$B/liblaneway.so
command -v nm >/dev/null || { echo "binutils are not installed"; exit 77; }
nm -D --defined-only "$library" >/dev/null 2>&1 || { echo "$library is no ELF library that nm can read"; exit 77; }
mkdir -p "$B/lint"
declared=$B/lint/declared visible=$B/lint/visible
export LC_ALL=C
failed=0

# Outside of all braces a function is the first lw_name followed by a parenthesis in a declaration.
for header in include/laneway/*.h; do printf '#include <laneway/%s>\n' "${header##*/}"; done >"$B/lint/visible.c"
$CC -std=c11 -Iinclude -E "$B/lint/visible.c" | awk '
    /^# [0-9]+ "/ { ours = index($3, "include/laneway/") > 0; next }
    ours { text = text " " $0 }
    END {
        while (match(text, /[{};]/)) {
            c = substr(text, RSTART, 1)
            if (!depth) declaration = declaration substr(text, 1, RSTART - 1)
            text = substr(text, RSTART + 1)
            if (c == "{") depth++
            if (c == "}") depth--
            if (c != ";" || depth) continue
            if (match(declaration, /lw_[a-z0-9_]+ *\(/)) {
                name = substr(declaration, RSTART, RLENGTH); sub(/ *\($/, "", name); print name
            }
            declaration = ""
        }
    }' | sort -u >"$declared"
[ -s "$declared" ] || { echo "no function was found in include/laneway"; exit 1; }

# Name and type, without the version of the name and the version node (type A).
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3, $2 }' | sort >"$visible"
awk '$2 != "T" { print $1 ": data of the library (nm: " $2 ") is visible"; bad = 1 }
    END { exit bad }' "$visible" || failed=1
cut -d' ' -f1 "$visible" | comm -13 "$declared" - |
    sed 's/$/: visible in the library, but no public header declares it/' |
    grep . && failed=1
cut -d' ' -f1 "$visible" | comm -23 "$declared" - |
    sed 's/$/: declared in a public header, but not visible in the library/' |
    grep . && failed=1
exit $failed
