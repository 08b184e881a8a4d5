#!/bin/sh
# usage: fixtures.sh FOLDER: the folder that every run begins with.
set -e
root=$LANEWAY_ROOT
mkdir -p "$1" && cd "$1"
head -n 9 "$root/tests/golden/banks_h200.csv" >accesses.csv
for name in matmul before after; do cp "$root/tests/golden/ttgir/matmul.sm90.ttgir" $name.ttgir; done
printf '{"name": "matmul", "triton_version": "3.6.0", "num_warps": 4}\n' >matmul.json
mkdir -p .triton/cache/a
cp matmul.ttgir .triton/cache/a
echo 'spatial(4, 8)' >sources.txt
printf '%s\n' '{"request":"bases","source":"spatial(4, 8)"}' '{"arguments":["show","spatial(4, 8)"]}' \
    '{"request":"table","source":"spatial(4, 8)"}' >requests.jsonl
printf '.. laneway: version\n.. /laneway\n' >guide.rst
printf '<!-- laneway: bases "spatial(4, 8)" -->\n<!-- /laneway -->\n\n<!-- laneway: ! show "spatial(4" -->\n<!-- /laneway -->\n\n<!-- laneway: ! show layout.json --rows 900:999 -->\n<!-- /laneway -->\n' >guide.md
echo 'old content' >old.txt
echo 'a file with two names, longer than what is written: ................................................................................................................................................................................................................................................................................................................................................................................................' >linked.txt
ln linked.txt other-name.txt
cp "$root/layouts/blocked/16x64.json" layout.json
cp layout.json recovered.json
cat >edit.script <<'END'
type :set sizePerThread=[1, 8]
key Enter
save-screen edited.txt
undo
redo
type :w! saved.json
key Enter
type :export grid.md
key Enter
save-screen -
END
cat >screens.script <<'END'
resize 100x30
key Tab Down Down v
save-screen -
key ?
save-screen old.txt
END
cat >lesson.script <<'END'
type :help
key Enter
save-screen -
key Esc
type :bases
key Enter
save-screen -
END
cat >kernel.script <<'END'
save-screen -
key Enter
save-screen -
END
mkdir -p .local/state/laneway && printf 'find 3,5\nview facts\n' >.local/state/laneway/history
