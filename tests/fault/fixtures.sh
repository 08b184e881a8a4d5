#!/bin/sh
# usage: fixtures.sh FOLDER: the folder that every run begins with.
set -e
root=$LANEWAY_ROOT
mkdir -p "$1" && cd "$1"
head -n 9 "$root/tests/golden/banks_h200.csv" >accesses.csv
for name in matmul before after; do cp "$root/tests/golden/ttgir/matmul.sm90.ttgir" $name.ttgir; done
printf '{"name": "matmul", "triton_version": "3.6.0", "num_warps": 4}\n' >matmul.json
# One operation, so that its row does not depend on whether the costs are counted when a key comes.
cat >one.ttgir <<'END'
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @one(%0: tensor<128x128xf16, #mma>) {
    %1 = ttg.convert_layout %0 : tensor<128x128xf16, #mma> -> tensor<128x128xf16, #rows> loc("one.py":3:1)
    tt.return
  }
}
END
mkdir -p .triton/cache/a
cp matmul.ttgir .triton/cache/a
echo 'spatial(4, 8)' >sources.txt
printf '%s\n' '{"request":"bases","source":"spatial(4, 8)"}' '{"arguments":["show","spatial(4, 8)"]}' \
    '{"request":"table","source":"spatial(4, 8)"}' >requests.jsonl
printf '.. laneway: version\n.. /laneway\n' >guide.rst
printf '<!-- laneway: show "local(2)" -o %s -->\n<!-- /laneway -->\n\n' one.svg two.csv >figures.md
{
    printf '<!-- laneway: bases "spatial(4, 8)" -->\n<!-- /laneway -->\n\n<!-- laneway: ! show "spatial(4" -->\n'
    printf '<!-- /laneway -->\n\n<!-- laneway: ! show layout.json --rows 900:999 -->\n<!-- /laneway -->\n'
} >guide.md
echo 'old content' >old.txt
ln -s old.txt linked.txt
cp "$root/layouts/blocked/16x64.json" layout.json
cp layout.json recovered.json
cat >edit.script <<'END'
type :set sizePerThread=[1, 8]
key Enter
save-screen edited.txt
undo
redo
type :save saved.json
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
