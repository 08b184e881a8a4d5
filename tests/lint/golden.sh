#!/bin/sh
# tests/golden/README.md is true: each file, or its pattern, has a row, and the files without a header are those
# that it names.
set -u
cd "${LANEWAY_ROOT:-.}" || exit 2
readme=tests/golden/README.md
failed=0
for file in tests/golden/*.*; do
    name=${file##*/}
    [ "$file" = $readme ] || grep -q "^| \`$name\`" $readme || { echo "$readme has no row for $name"; failed=1; }
done
for file in tests/golden/*.jsonl; do
    name=${file##*/}
    named=$(grep "have no header" $readme | grep -c "\`$name\`")
    has=$(head -n 1 "$file" | grep -c '"witness"')
    [ $((named + has)) = 1 ] || { echo "$readme: whether $name has a header is wrong"; failed=1; }
done
exit $failed
