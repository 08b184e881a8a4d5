#!/bin/sh
# clang-format has nothing to change. Its releases differ in details, so release 14 is required.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
tool=
for name in clang-format-14 clang-format; do
    command -v $name >/dev/null && $name --version | grep -q 'version 14\.' && { tool=$name; break; }
done
[ -n "$tool" ] || { echo "clang-format 14 is not installed: the formatting was not checked"; exit 77; }
find src include tests -name '*.[ch]' -exec $tool --dry-run -Werror {} + 2>&1 | grep 'error:' |
    cut -d: -f1 | sort | uniq -c |
    awk '{ print $2 ": " $1 " lines are not formatted (make format)"; bad = 1 } END { exit bad }'
