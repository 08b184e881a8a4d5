#!/usr/bin/env python3
"""Kernels as torch.compile makes them, counted on a GPU: tests/golden/torch_h200.jsonl (reductions) and
torch39_h200.jsonl (all that use shared memory and whose text has fewer than 100,000 letters).

  torch_kernels.py metrics         what to count
  torch_kernels.py launch [more]   compiles each function and runs it once under the profiler:
                                       TRITON_CACHE_DIR=CACHE ncu --clock-control none --cache-control none --csv
                                           --page raw --print-units base --profile-from-start off --metrics METRICS
                                           --log-file NCU torch_kernels.py launch
  torch_kernels.py collect CACHE NCU    prints the golden rows; of a kernel that was compiled with several
                                        configurations of as many warps, which one ran is unknown: it has none

Needs torch with its Triton to launch, nothing to collect. The first file was made by torch 2.11.0 and Triton 3.6.0, the
second by torch 2.11.0 with Triton 3.9.0, TORCHINDUCTOR_USE_STATIC_CUDA_LAUNCHER=0 and the functions of `more` too.
"""
import csv
import glob
import json
import os
import re
import sys

METRICS = {
    "ld": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "st": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "ld_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "st_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}


def functions():
    import torch
    F = torch.nn.functional

    def floats(*shape):
        return torch.randn(*shape, device="cuda")

    x, y, z, m, v, w = (floats(*s) for s in ((64, 512), (64, 8192), (64, 1000), (256, 2048), (2048,), (300, 96)))
    h, t = floats(64, 4096).half(), torch.randint(0, 1000, (64,), device="cuda")
    return [
        lambda: x.argmax(1), lambda: y.argmax(1), lambda: F.layer_norm(y, (8192,)), lambda: torch.var_mean(y, 1),
        lambda: torch.var_mean(x, 1), lambda: F.cross_entropy(z, t, reduction="none"), lambda: torch.mv(m, v),
        lambda: x.sum(1), lambda: y.sum(1), lambda: (y.amax(1), y.sum(1)), lambda: torch.logsumexp(y, 1),
        lambda: x.std(1), lambda: w.sum(1), lambda: w.sum(0), lambda: h.float().pow(2).mean(1).rsqrt(),
        lambda: torch.softmax(y, 1), lambda: (x > 0).any(1), lambda: x.min(1), lambda: h.sum(1),
        lambda: F.cross_entropy(z, t), lambda: x.norm(dim=1), lambda: y.mean(),
    ] + (more(F, x, y, z, v, w, h, t, floats) if "more" in sys.argv else [])


def more(F, x, y, z, v, w, h, t, floats):
    import torch
    image = floats(4, 32, 28, 28).half()
    return [
        lambda: (x > 0).all(0), lambda: x.prod(1), lambda: y.sum(0), lambda: y.t().contiguous(),
        lambda: h.t().contiguous(), lambda: F.log_softmax(z, 1), lambda: torch.softmax(h, 1),
        lambda: torch.softmax(w, 0),
        lambda: F.group_norm(image, 8), lambda: F.batch_norm(image, None, None, training=True),
        lambda: torch.cumsum(x, 1), lambda: torch.cumprod(x, 1), lambda: torch.cumsum(h, 1), lambda: torch.cummax(x, 1),
        lambda: torch.sort(x, 1), lambda: F.rms_norm(h, (4096,)), lambda: F.mse_loss(y, y * 2),
        lambda: F.kl_div(F.log_softmax(z, 1), F.softmax(z, 1), reduction="batchmean"),
        lambda: torch.linalg.vector_norm(y),
        lambda: y.amax(), lambda: y.amin(0), lambda: F.nll_loss(F.log_softmax(z, 1), t), lambda: y.argmin(0),
        lambda: image.permute(0, 2, 3, 1).contiguous(), lambda: torch.cumsum(image, 2),
        lambda: image.float().var((0, 2, 3)), lambda: torch.count_nonzero(x, 1), lambda: torch.dot(v, v),
        lambda: torch.trace(x[:, :64]), lambda: torch.quantile(x, 0.3, dim=1), lambda: torch.index_add(x, 0, t % 64, x),
        lambda: torch.scatter_add(x, 1, (t % 512).view(64, 1).expand(64, 512).contiguous(), x),
    ]


def launch():
    import torch
    compiled = []
    for function in functions():
        torch._dynamo.reset()
        run = torch.compile(function)
        run(), run()
        compiled.append(run)
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    for run in compiled:
        run()
        torch.cuda.synchronize()
    torch.cuda.profiler.stop()


def without_locations(text):
    lines = [line for line in text.split("\n") if not re.match(r"#loc\d*\b", line)]
    location = re.compile(r' loc\((#loc\d*|"[^"]*"\(#loc\d*\)|callsite\([^()]*\))\)')
    return "\n".join(line for line in (location.sub("", line).strip() for line in lines) if line) + "\n"


def collect(cache, ncu):
    texts, seen = {}, set()
    for path in glob.glob(os.path.join(cache, "*", "*.ttgir")):
        with open(path, encoding="utf-8") as f:
            texts.setdefault(os.path.basename(path)[:-6], set()).add(without_locations(f.read()))
    with open(ncu, encoding="utf-8") as f:
        rows = list(csv.reader(line for line in f if line.startswith('"')))
    print(json.dumps(dict(witness="counters of an H200, torch 2.11.0, triton 3.6.0",
                          script="tests/oracle/torch_kernels.py")))
    for row in (dict(zip(rows[0], r)) for r in rows[2:]):
        name, grid, block = row["Kernel Name"], row["Grid Size"], row["Block Size"]
        warps = int(re.search(r"\d+", block).group()) // 32
        fit = [t for t in texts.get(name, ()) if f'num-warps" = {warps} ' in t]
        if len(fit) != 1 or fit[0] in seen:
            continue
        seen.add(fit[0])
        blocks = 1
        for n in re.findall(r"\d+", grid):
            blocks *= int(n)
        counted = {key: int(float(row[metric].replace(",", ""))) for key, metric in METRICS.items()}
        print(json.dumps(dict(name=name, blocks=blocks, **counted, text=fit[0])))


if __name__ == "__main__":
    if sys.argv[1:] == ["metrics"]:
        print(",".join(METRICS.values()))
    elif sys.argv[1:2] == ["launch"]:
        launch()
    else:
        collect(*sys.argv[2:4])
