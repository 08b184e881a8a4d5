#!/usr/bin/env python3
"""The layouts of CuTe's MMA and copy atoms, as the traits of the CUTLASS headers have them.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_atoms.py > tests/golden/cute_atoms.tsv

A line of an MMA atom: its name, mma, its tile M N K, and the layouts of A, B and C (threads and values
to elements of the tile); of a copy atom: its name, copy, and the layouts of source, destination and
reference (threads and bits to bits). Atoms that are templates are named as they are written,
SM90 ones with K-major operands. Needs g++ and the CUDA headers; no GPU.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.join(os.environ["CUTLASS"], "include")
ATOM = os.path.join(HERE, "cute", "atom")
HEAD = r"""
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
using namespace cute;
template <class Op> void mma(char const* name) {
  using T = MMA_Traits<Op>;
  printf("%s\tmma\t%d %d %d\t", name, int(size<0>(typename T::Shape_MNK{})),
         int(size<1>(typename T::Shape_MNK{})), int(size<2>(typename T::Shape_MNK{})));
  print(typename T::ALayout{}); printf("\t"); print(typename T::BLayout{}); printf("\t");
  print(typename T::CLayout{}); printf("\n");
}
template <class Op> void copy_(char const* name) {
  using T = Copy_Traits<Op>;
  printf("%s\tcopy\t", name);
  print(typename T::SrcLayout{}); printf("\t"); print(typename T::DstLayout{}); printf("\t");
  print(typename T::RefLayout{}); printf("\n");
}
"""


def names(pattern, *files):
    found = []
    for file in files:
        with open(os.path.join(ATOM, file)) as text:
            found += re.findall(pattern, text.read())
    return sorted(set(found))


rows = []
for name in names(r"struct MMA_Traits<(SM\w+)>", *("mma_traits_sm%s.hpp" % v for v in (61, 70, 75, 80, 89, 90, 100))):
    rows.append('mma<%s>("%s");' % (name, name))
for a in ("float_e2m1_t", "float_e3m2_t", "float_e2m3_t", "float_e4m3_t", "float_e5m2_t"):
    rows.append('mma<SM120_16x8x32_TN<%s, %s, float>>("SM120_16x8x32_TN<%s,%s,float>");' % (a, a, a, a))
for n in (8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 96, 112, 120, 128, 144, 160, 176, 192, 208, 224, 240, 256):
    for kind, types in (("16", "F32F16F16"), ("16", "F16F16F16"), ("16", "F32BF16BF16"), ("8", "F32TF32TF32"),
                        ("32", "F32E4M3E4M3"), ("32", "F32E5M2E5M2"), ("32", "S32S8S8")):
        for how in ("SS", "RS"):
            tn = "_TN" if types not in ("F32F16F16", "F16F16F16", "F32BF16BF16") else ""
            name = "MMA_64x%dx%s_%s_%s%s" % (n, kind, types, how, tn)
            args = "<>" if tn else "<GMMA::Major::K, GMMA::Major::K>"
            rows.append('mma<SM90::GMMA::%s%s>("SM90_%s");' % (name, args, name[4:]))
for types in ("F16BF16", "TF32"):
    t = "half_t" if types == "F16BF16" else "tfloat32_t"
    for m, n in ((64, 64), (64, 128), (64, 256), (128, 64), (128, 128), (128, 256)):
        rows.append('mma<SM100_MMA_%s_SS<%s, %s, float, %d, %d, UMMA::Major::K, UMMA::Major::K>>('
                    '"SM100_MMA_%s_SS_%dx%d");' % (types, t, t, m, n, types, m, n))
for name in names(r"struct Copy_Traits<(SM\w+)>", "copy_traits_sm75.hpp", "copy_traits_sm90.hpp",
                  "copy_traits_sm100.hpp"):
    rows.append('copy_<%s>("%s");' % (name, name))


def compile_and_run(lines, work):
    while True:
        source = os.path.join(work, "atoms.cpp")
        with open(source, "w") as out:
            out.write(HEAD)
            for i, line in enumerate(lines):
                out.write("void f%d() { %s }\n" % (i, line))
            out.write("int main() { %s }\n" % " ".join("f%d();" % i for i in range(len(lines))))
        command = ["g++", "-std=c++17", "-O0", "-w", "-fmax-errors=0", "-fno-diagnostics-color",
                   "-I" + HERE, "-I" + os.path.join(os.environ["CUDA"], "include"),
                   "-I" + os.path.join(os.environ["CUDA"], "include", "cccl"), source]
        done = subprocess.run(command + ["-o", source[:-4]], capture_output=True, text=True)
        if done.returncode == 0:
            return subprocess.run([source[:-4]], capture_output=True, text=True, check=True).stdout
        head = HEAD.count("\n")
        bad = {int(n) - head - 1 for n in re.findall(r"atoms\.cpp:(\d+):", done.stderr)}
        bad = {n for n in bad if 0 <= n < len(lines)}
        if not bad:
            sys.exit(done.stderr[:3000])
        sys.stderr.write("".join("no such atom: %s\n" % lines[n] for n in sorted(bad)))
        lines = [line for i, line in enumerate(lines) if i not in bad]


with tempfile.TemporaryDirectory() as work:
    print(compile_and_run(rows, work), end="")
