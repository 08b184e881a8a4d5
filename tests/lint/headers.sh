#!/bin/sh
# Each public header stands alone, as C11 and inside extern "C" of C++, is guarded, and declares only lw_ and LW_;
# laneway.h includes all others; headers.awk checks comments and the width of lines. In every header a comment is
# followed by what it is about: two in a row are right only where the first begins a section, "---- Fields ----" or
# "fields.c: ...".
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
B=${B:-build} CC=${CC:-cc}
scratch=$B/lint; mkdir -p "$scratch"
failed=0
if command -v clang >/dev/null; then cxx="clang -x c++ -std=c++11 -Wno-pedantic"
elif command -v c++ >/dev/null; then cxx="c++ -x c++ -std=c++11"
else cxx=; echo "no C++ compiler: headers are checked as C only"
fi
for header in include/laneway/*.h; do
    name=laneway/${header##*/}
    printf '#include <%s>\n#include <%s>\nint lw_translation_unit;\n' "$name" "$name" >"$scratch/header.c"
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$scratch/header.c" || failed=1
    printf 'extern "C" {\n#include <%s>\n}\nint lw_translation_unit;\n' "$name" >"$scratch/header.cc"
    [ -z "$cxx" ] || $cxx -Wall -Werror -Iinclude -fsyntax-only "$scratch/header.cc" || failed=1
    sed -n '/^LW_BEGIN$/,/^LW_END$/!p' "$header" | grep -n '^[a-z].*lw_[a-z0-9_]*(' &&
        { echo "$header: a function outside of LW_BEGIN and LW_END"; failed=1; }

    # Macros, from the compiler itself; typedefs, functions, tags and enumerators, from ctags.
    $CC -std=c11 -Iinclude -dD -E "$scratch/header.c" 2>/dev/null | awk -v header="$header" '
        /^# [0-9]+ "/ { here = index($3, header) > 0 }
        here && $1 == "#define" { n = $2; sub(/\(.*/, "", n)
            if (n !~ /^(LW_|LANEWAY_)/) { print header ": macro without LW_: " n; bad = 1 } }
        END { exit bad }' || failed=1
    command -v ctags >/dev/null || continue
    ctags -x --language-force=C --kinds-C=pxtsuegv "$header" 2>/dev/null |
        awk '$1 !~ /^(lw_|LW_|__anon)/ { print $4 ": " $2 " without lw_: " $1; bad = 1 } END { exit bad }' || failed=1
done
for header in $(find include src -name '*.h'); do
    awk -v header="$header" '
        after && /^\/\*/ { print header ":" NR ": the comment before this one has no declaration"; bad = 1 }
        /^\/\*/ { section = /^\/\* (----|[a-z_]+\.c)/ }
        { after = /^[ \/]\*.*\*\/$/ && !section }
        END { exit bad }' "$header" || failed=1
done

for header in include/laneway/*.h; do
    name=laneway/${header##*/}
    [ "$name" = laneway/laneway.h ] || grep -qF "#include \"$name\"" include/laneway/laneway.h ||
        { echo "include/laneway/laneway.h does not include \"$name\""; failed=1; }
    awk -f tests/lint/headers.awk "$header" || failed=1
done
exit $failed
