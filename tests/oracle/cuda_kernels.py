#!/usr/bin/env python3
"""Kernels that people know, counted on a GPU.

  cuda_kernels.py       prints tests/golden/cuda_kernels_h200.jsonl (needs nvcc, ncu and a GPU)

Each kernel of tests/fuzz/corpus/fuzz_cuda is compiled with its arrays in shared memory as volatile, so that nvcc
neither merges nor removes an access that is written, and launched once under the profiler. A row has instructions with
an active lane and wavefronts, of all `blocks`.
"""
import csv
import json
import os
import re
import subprocess
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz", "corpus", "fuzz_cuda")
CALLS = {
    "transpose_coalesced": "transposeCoalesced<<<1, dim3(32, 8)>>>(f, g)",
    "transpose_padded": "transposeNoBankConflicts<<<1, dim3(32, 8)>>>(f, g, 1024, 1024)",
    "reduce_interleaved": "reduce1<<<1, 256, 1024>>>(i, j, 256)",
    "reduce_sequential": "reduce2<<<1, 256, 1024>>>(f, g, 256)",
    "reduce_unrolled": "reduce6<256><<<2, 256, 2048>>>(i, j, 1024)",
    "matrix_mul": "MatrixMulCUDA<32><<<1, dim3(32, 32)>>>(f, g, h, 64, 64)",
    "sgemm_shared": "sgemm_shared_mem_block<32><<<1, 1024>>>(64, 64, 64, 1, f, g, 0, h)",
    "sgemm_1d_tile": "sgemm1DBlocktiling<64, 64, 8, 8><<<1, 512>>>(64, 64, 16, 1, f, g, 0, h)",
    "sgemm_2d_tile": "sgemm_2d_tile<128, 128, 8, 8, 8><<<1, 256>>>(128, 16, f, g, h)",
    "sgemm_vectorize": "sgemmVectorize<128, 128, 8, 8, 8><<<1, 256>>>(128, 128, 16, 1, f, g, 0, h)",
    "sgemm_float4": "sgemm_V1<<<1, dim3(16, 16)>>>(f, g, h, 128, 128, 16)",
    "sgemm_padded": "sgemm_padded<128, 128, 8, 8, 8><<<1, 256>>>(f, g, h, 16, 128)",
    "histogram": "histogram_smem_atomics<<<1, dim3(16, 16)>>>(i, 16, 16, (unsigned *)g)",
    "histogram_global": "histogram<<<1, 256>>>(bytes, 512, (unsigned *)g)",
    "stencil_1d": "stencil_1d<<<1, 256>>>(i, j)",
    "scan": "prescan<<<1, 128, 2048>>>(f, g, 256)",
}
BEFORE = """#include <cassert>
#include <cuda_runtime.h>
__device__ int PIXELS[512];
template <class T> __device__ float4 *as_float4(volatile T *p) { return (float4 *)p; }
"""
AFTER = """
int main() {
    float *f, *g, *h;
    int p[512], *i, *j;
    unsigned char c[512], *bytes;
    cudaMalloc(&f, 1 << 29);
    cudaMalloc(&bytes, 512);
    cudaMemset(f, 0, 1 << 29);
    g = f + (1 << 24); h = g + (1 << 24); i = (int *)f; j = (int *)g;
    for (int k = 0; k < 512; k++)
        c[k] = p[k] = k %% 3 ? k * 37 %% 256 : 17;
    cudaMemcpyToSymbol(PIXELS, p, sizeof p);
    cudaMemcpy(bytes, c, sizeof c, cudaMemcpyHostToDevice);
    %s;
    return cudaDeviceSynchronize();
}
"""
METRICS = {op: [f"smsp__inst_executed_op_shared_{short}_pred_on_any.sum",
                f"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_{short}.sum"]
           for op, short in (("load", "ld"), ("store", "st"), ("atomic", "atom"))}


def count(name, call, folder):
    with open(os.path.join(FOLDER, name + ".cu")) as file:
        text = re.sub(r"\nint main\(.*", "\n", file.read(), flags=re.S)
    if name.startswith("histogram"):  # the values of a list of --let
        text = text if "*pixels" in text else text.replace("pixels", "PIXELS")
    else:  # atomics are not declared of what is volatile
        text = text.replace("__shared__", "volatile __shared__")
    text = re.sub(r"reinterpret_cast<float4 ?\*>", "as_float4", text)
    program = os.path.join(folder, name)
    with open(program + ".cu", "w") as file:
        file.write(BEFORE + text + AFTER % call)
    subprocess.run(["nvcc", "-w", "-arch=sm_90", "-o", program, program + ".cu"], check=True)
    out = subprocess.run(["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--metrics",
                          ",".join(sum(METRICS.values(), [])), program], check=True, capture_output=True, text=True)
    rows = list(csv.reader(line for line in out.stdout.splitlines() if line.startswith('"')))
    found = dict(zip(rows[0], rows[-1]))
    return {"kernel": name + ".cu", "blocks": 2 if "<<<2" in call else 1,
            **{op: [int(found[metric].replace(",", "")) for metric in metrics] for op, metrics in METRICS.items()}}


def version(tool, pattern):
    text = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(pattern, text).group(1)


with tempfile.TemporaryDirectory() as folder:
    compiler, profiler = version("nvcc", r"V([0-9.]+)"), version("ncu", r"Version ([0-9]+.[0-9]+.[0-9]+)")
    witness = f"nvcc {compiler}, Nsight Compute {profiler}, counters of an H200"
    print(json.dumps({"witness": witness, "script": "tests/oracle/cuda_kernels.py"}))
    for name, call in CALLS.items():
        print(json.dumps(count(name, call, folder)))
