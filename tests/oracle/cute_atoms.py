#!/usr/bin/env python3
"""The layouts of CuTe's MMA and copy atoms, as the traits of the CUTLASS headers have them.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_atoms.py > tests/golden/cute_atoms.tsv

Every specialization of MMA_Traits and Copy_Traits in the headers is listed: their names are read from
there, and those of templates are completed with arguments. A line is of all atoms that are alike:
their names as one writes them in C++, without blanks, then mma or copy, the tile M N K of an mma, and
the layouts by their names: A, B and C (threads and values to elements of the tile), E, SFA and SFB
(metadata and scales) where the traits have them; Src, Dst and Ref (threads and bits to bits); and
ThrID, from the threads of these layouts to those of the hardware. `refused`
stands in place of the layouts where the headers do not have such sizes, `unsized` for copies whose
traits take how many bits they move. Needs g++ and the CUDA headers; no GPU.
"""
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.join(os.environ["CUTLASS"], "include")
ATOM = os.path.join(HERE, "cute", "atom")
HEAD = r"""
#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
using namespace cute;
using cutlass::float_e2m1_t; using cutlass::float_ue8m0_t; using cutlass::float_ue4m3_t;
#define PART(L) \
  template <class T, class = void> struct has_##L : std::false_type {}; \
  template <class T> struct has_##L<T, std::void_t<typename T::L##Layout>> : std::true_type {}; \
  template <class T> void part_##L() { \
    if constexpr (has_##L<T>::value) { printf("\t" #L "="); print(typename T::L##Layout{}); } }
template <class T, class = void> struct has_threads : std::false_type {};
template <class T> struct has_threads<T, std::void_t<typename T::ThrID>> : std::true_type {};
template <class T> void threads() {
  if constexpr (has_threads<T>::value) { printf("\tThrID="); print(typename T::ThrID{}); } }
PART(A) PART(B) PART(C) PART(E) PART(SFA) PART(SFB) PART(Src) PART(Dst) PART(Ref)
template <class Op> void mma(char const* name) {
  using T = MMA_Traits<Op>;
  static_assert(sizeof(Op) > 0);
  printf("%s\tmma\t%d %d %d", name, int(size<0>(typename T::Shape_MNK{})),
         int(size<1>(typename T::Shape_MNK{})), int(size<2>(typename T::Shape_MNK{})));
  part_A<T>(); part_B<T>(); part_C<T>(); part_E<T>(); part_SFA<T>(); part_SFB<T>(); threads<T>(); printf("\n");
}
template <class Op> void copy_(char const* name) {
  using T = Copy_Traits<Op>;
  static_assert(sizeof(Op) > 0);
  printf("%s\tcopy\t", name); part_Src<T>(); part_Dst<T>(); part_Ref<T>(); threads<T>(); printf("\n");
}
"""
SIZES = ((64, 40), (64, 256), (128, 8), (128, 24), (128, 32), (256, 16), (256, 32), (72, 64))
BLOCKS = (("float_e2m1_t", "float_ue8m0_t", 32), ("float_e2m1_t", "float_ue4m3_t", 16),
          ("float_e4m3_t", "float_ue8m0_t", 32))


def specializations():
    """(mma or copy, name, parameters, how many arguments the traits take beside the operation)"""
    for file in sorted(os.listdir(ATOM)):
        with open(os.path.join(ATOM, file)) as text:
            text = re.sub(r"//.*", "", text.read())
        for found in re.finditer(r"template\s*<([^{};]*?)>\s*struct (MMA|Copy)_Traits<\s*([\w:]+)([^{};]*?)\{", text,
                                 re.S):
            params = [p.split("=")[0].split()[-1] for p in found[1].split(",") if p.strip()]
            tail = found[4]
            args = re.match(r"\s*<(.*?)>", tail, re.S) if tail.lstrip().startswith("<") else None
            rest = tail[args.end():] if args else tail
            names = [p.strip() for p in args[1].split(",")] if args else []
            yield found[2], found[3], names, "," in rest.split(":")[0] and "sparse_args" not in rest


def aliases():
    """Copies by other names, of no arguments."""
    with open(os.path.join(HERE, "cute", "arch", "copy.hpp")) as text:
        return re.findall(r"using (\w+)\s*=\s*AutoVectorizingCopy\w+<\d+>;", text.read())


def types_of(name):
    return ("half_t", "float") if "F16BF16" in name else ("tfloat32_t", "float") if "TF32" in name else \
        ("int8_t", "int32_t") if "_S8_" in name else ("float_e2m1_t", "float") if "MXF4" in name else ("float_e4m3_t",
                                                                                                       "float")


def spelled(name, params):
    """The ways to write it: with the arguments that have no default."""
    templated = bool(params)
    values = {"a_major": "UMMA::Major::K", "b_major": "UMMA::Major::K", "tnspA": "GMMA::Major::K",
              "tnspB": "GMMA::Major::K", "ScaleC": "0", "MaxVecBits": "128"}
    params = [p for p in params if p not in ("a_neg", "b_neg", "c_sat", "scaleA", "scaleB", "spsel")]
    if any("ab_vtype" in p for p in params):
        return []
    if not params:
        return [name + "<>" * templated]
    if params == ["S", "D"]:
        return ["%s<%s,%s>" % (name, t, t) for t in ("uint8_t", "half_t", "float", "uint64_t", "uint128_t")]
    if params == ["D", "A", "B", "C"]:
        return [name + "<float,half_t,half_t,float>"]
    value, sum_ = types_of(name)
    ways = []
    blocks = BLOCKS if "SM120" in name else [(value, "float_ue8m0_t", 32)]
    if "SM120" in name and "sf_type" not in params:
        blocks = [("float_e%s_t" % t, "", 0) for t in ("2m1", "3m2", "2m3", "4m3", "5m2")]
    for size in SIZES if "M" in params else ((0, 0),):
        for a, sf, vs in blocks:
            values.update(a_type=a, b_type=a, c_type=sum_, sf_type=sf, VS=str(vs), M=str(size[0]), N=str(size[1]))
            ways.append("%s<%s>" % (name, ",".join(values[p] for p in params)))
    return ways


def short(name):
    """Without arguments that change nothing."""
    return re.sub(r"<(GMMA::Major::K,GMMA::Major::K)?>$", "", name)


def compile_and_run(job):
    work, number, lines = job
    refused = []
    while lines:
        source = os.path.join(work, "atoms%d.cpp" % number)
        with open(source, "w") as out:
            out.write(HEAD)
            for i, (kind, line) in enumerate(lines):
                out.write('void f%d() { %s<%s>("%s"); }\n' % (i, kind, line, short(line)))
            out.write("int main() { %s }\n" % " ".join("f%d();" % i for i in range(len(lines))))
        command = ["g++", "-std=c++17", "-O0", "-w", "-fmax-errors=0", "-fno-diagnostics-color",
                   "-I" + HERE, "-I" + os.path.join(os.environ["CUDA"], "include"),
                   "-I" + os.path.join(os.environ["CUDA"], "include", "cccl"), source]
        done = subprocess.run(command + ["-o", source[:-4]], capture_output=True, text=True)
        if done.returncode == 0:
            return subprocess.run([source[:-4]], capture_output=True, text=True, check=True).stdout, refused
        head = HEAD.count("\n")
        bad = {int(n) - head - 1 for n in re.findall(r"atoms%d\.cpp:(\d+):" % number, done.stderr)}
        bad = {n for n in bad if 0 <= n < len(lines)}
        if not bad:
            sys.exit(done.stderr[:3000])
        refused += [short(lines[n][1]) for n in sorted(bad)]
        lines = [line for i, line in enumerate(lines) if i not in bad]
    return "", refused


rows, unsized = [], []
for kind, name, params, more in specializations():
    if kind == "Copy" and more or "CopyOp" in name:
        unsized.append(name)
    else:
        rows += [("mma" if kind == "MMA" else "copy_", way) for way in spelled(name, params)]
rows = sorted(set(rows) | {("copy_", name) for name in aliases()})
alike = collections.OrderedDict()
with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
    jobs = [(work, i // 250, rows[i:i + 250]) for i in range(0, len(rows), 250)]
    for text, refused in pool.map(compile_and_run, jobs):
        for line in text.splitlines():
            name, rest = line.split("\t", 1)
            alike.setdefault(rest.replace("_", ""), []).append(name)
        alike.setdefault("refused", []).extend(refused)
for name in [name for name in alike["refused"] if not re.search("UMMA|ASYNC", name)]:
    sys.stderr.write("refused: %s\n" % name)
    alike["refused"].remove(name)
for rest, names in alike.items():
    if names:
        print("%s\t%s" % (" ".join(names), rest))
print("%s\tunsized" % " ".join(sorted(set(unsized))))
