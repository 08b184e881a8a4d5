#!/usr/bin/env python3
"""Kernels that move one tile between layouts, compiled by Triton and counted on a GPU.

  gpu_tiles.py compile DIR SEED WHAT:COUNT,...   makes kernels and their machine code (no GPU needed)
  gpu_tiles.py launch DIR LAUNCHES               runs those of DIR, each so often; under the profiler:
                                                 ncu --clock-control none --cache-control none --csv --page raw
                                                     --print-units base --metrics METRICS (gpu_tiles.py metrics)
                                                     --log-file DIR/ncu.csv gpu_tiles.py launch DIR 4
  gpu_tiles.py collect DIR                       prints the golden rows: the least of the launches

WHAT is one of KINDS; a c at its end makes conversions, else the tile is stored to shared memory through A
and loaded through B. Needs triton 3.6 and nvdisasm to compile, cupy to launch. A kernel that faults is noted
in DIR/faults.json and the program ends with 3: call it again for the others.
"""
import collections, csv, json, math, multiprocessing, os, random, re, subprocess, sys

KINDS = "copy rank1 rank3 b8 b64 pads pad1 fp4 sub dotw dotb slice"
ELEMENT = {8: "i8", 16: "f16", 32: "f32", 64: "f64"}
COUNTERS = {
    "ld_instructions": "smsp__inst_executed_op_shared_ld.sum",
    "st_instructions": "smsp__inst_executed_op_shared_st.sum",
    "ldsm": "smsp__inst_executed_op_ldsm.sum",
    "ld_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "st_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "ld_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "st_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
}
R = random.Random()


def dims(shape):
    return "x".join(map(str, shape))


def tensor(shape, element, encoding):
    return f"tensor<{dims(shape)}x{element}, {encoding}>"


def memdesc(k):
    alloc = f", {dims(k['alloc'])}" if k.get("alloc") else ""
    return f"!ttg.memdesc<{dims(k['shape'])}x{k['element']}, {k['S']}, #ttg.shared_memory, mutable{alloc}>"


# ---- The text of a kernel ----


class Body:
    def __init__(self):
        self.lines = []

    def value(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        return name

    def pointers(self, base, shape, element, encoding):
        """The addresses of a row-major tensor, in this layout."""
        rank, total, stride = len(shape), None, 1
        for d in reversed(range(rank)):
            others = [x for x in range(rank) if x != d]
            nest = [encoding]
            for x in reversed(others):
                nest.append(f"#ttg.slice<{{dim = {x}, parent = {nest[-1]}}}>")
            size = [shape[d]]
            v = self.value(f"tt.make_range {{end = {shape[d]} : i32, start = 0 : i32}} : "
                           f"{tensor(size, 'i32', nest.pop())}")
            inner = size
            for x in others:
                outer = inner[:x] + [1] + inner[x:]
                slice_of = f"#ttg.slice<{{dim = {x}, parent = {nest[-1]}}}>"
                v = self.value(f"tt.expand_dims {v} {{axis = {x} : i32}} : {tensor(inner, 'i32', slice_of)} -> "
                               f"{tensor(outer, 'i32', nest.pop())}")
                inner = outer
            ints = tensor(inner, "i32", encoding)
            if stride > 1:
                c = self.value(f"arith.constant dense<{stride}> : {ints}")
                v = self.value(f"arith.muli {v}, {c} : {ints}")
            full = tensor(shape, "i32", encoding)
            if inner != list(shape):
                v = self.value(f"tt.broadcast {v} : {ints} -> {full}")
            total = v if total is None else self.value(f"arith.addi {total}, {v} : {full}")
            stride *= shape[d]
        pointer = tensor(shape, f"!tt.ptr<{element}>", encoding)
        p = self.value(f"tt.splat {base} : !tt.ptr<{element}> -> {pointer}")
        return self.value(f"tt.addptr {p}, {total} : {pointer}, {tensor(shape, 'i32', encoding)}"), pointer


def kernel_text(k):
    b, element, shape = Body(), k["element"], k["shape"]
    a, to = tensor(shape, element, k["A"]), tensor(shape, element, k["B"])
    address, pointer = b.pointers("%in", shape, element, k["A"])
    v = b.value(f"tt.load {address} : {pointer}")
    if k["kernel"] == "tile_convert":
        v = b.value(f"ttg.convert_layout {v} : {a} -> {to}")
    else:
        view = memdesc(k)
        if k.get("alloc"):
            whole = memdesc({**k, "shape": k["alloc"], "alloc": None})
            m = b.value(f"ttg.local_alloc : () -> {whole}")
            m = b.value(f"ttg.memdesc_subslice {m}[{', '.join(map(str, k['offsets']))}] : {whole} -> {view}")
        else:
            m = b.value(f"ttg.local_alloc : () -> {view}")
        b.lines.append(f"    ttg.local_store {v}, {m} : {a} -> {view}")
        v = b.value(f"ttg.local_load {m} : {view} -> {to}")
    address, pointer = b.pointers("%out", shape, element, k["B"])
    b.lines.append(f"    tt.store {address}, {v} : {pointer}")
    argument = f"!tt.ptr<{element}> {{tt.divisibility = 16 : i32}}"
    return (
        f'module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {k["warps"]} : i32, ttg.target = "cuda:90", '
        f'"ttg.threads-per-warp" = 32 : i32}} {{\n  tt.func public @tile(%in: {argument}, %out: {argument}) '
        "attributes {noinline = false} {\n" + "\n".join(b.lines) + "\n    tt.return\n  }\n}\n"
    )


# ---- Random layouts ----


def powers(total, count):
    out = [1] * count
    while total > 1:
        out[R.randrange(count)] *= 2
        total //= 2
    return out


def order(rank):
    return R.sample(range(rank), rank)


def blocked(rank, warps):
    each = [R.choice([1, 1, 2, 4, 8]) for _ in range(rank)]
    if math.prod(each) > 32:
        return blocked(rank, warps)
    return (
        f"#ttg.blocked<{{sizePerThread = {each}, threadsPerWarp = {powers(32, rank)}, warpsPerCTA = "
        f"{powers(warps, rank)}, order = {order(rank)}}}>"
    )


def mma(version, shape, warps, bits):
    if version == 2:
        return (
            f"#ttg.nvidia_mma<{{versionMajor = 2, versionMinor = 0, warpsPerCTA = {powers(warps, 2)}, instrShape = "
            f"[16, 8]}}>"
        )
    n = min(R.choice([8, 16, 32, 64]), shape[-1])
    return (
        f"#ttg.nvidia_mma<{{versionMajor = 3, versionMinor = 0, warpsPerCTA = [{warps}, 1], instrShape = [16, {n}, "
        f"{256 // bits}]}}>"
    )


def operand(kind, shape, warps, bits):
    index = 0 if kind == "dotw" else R.randrange(2)
    if kind == "dotb":
        return f"#ttg.dot_op<{{opIdx = {index}, parent = {blocked(2, warps)}}}>"
    width = 32 // bits if kind == "dotw" else R.choice([w for w in (1, 2, 4) if w * bits <= 32] or [1])
    parent = mma(3 if kind == "dotw" else 2, shape, warps, bits)
    return f"#ttg.dot_op<{{opIdx = {index}, parent = {parent}, kWidth = {width}}}>"


def register_layout(kinds, k):
    shape, warps, bits, rank = k["shape"], k["warps"], k["bits"], len(k["shape"])
    kind = R.choice(kinds)
    if kind == "slice":
        return f"#ttg.slice<{{dim = {R.randrange(rank + 1)}, parent = {blocked(rank + 1, warps)}}}>"
    if kind == "blocked" or rank != 2 or (kind in ("mma3", "dotw") and warps % 4):
        return blocked(rank, warps)
    return mma(int(kind[3]), shape, warps, bits) if kind.startswith("mma") else operand(kind, shape, warps, bits)


def swizzled(shape):
    o = order(len(shape)) if len(shape) < 3 else R.choice([[2, 1, 0], [1, 2, 0]])
    return (f"#ttg.swizzled_shared<{{vec = {R.choice([1, 2, 4, 8, 16])}, perPhase = {R.choice([1, 2, 4, 8])}, "
            f"maxPhase = {R.choice([1, 2, 4, 8, 16])}, order = {o}}}>")


def nvmma(shape, bits, extra=""):
    rank = ", rank = 3" if len(shape) == 3 else ""
    return (f"#ttg.nvmma_shared<{{swizzlingByteWidth = {R.choice([0, 32, 64, 128])}, "
            f"transposed = {R.choice(['true', 'false', 'false'])}, elementBitWidth = {bits}{extra}{rank}}}>")


def padded(shape, pairs):
    intervals = sorted(R.sample([16, 32, 64, 128, 256, 512], pairs))
    text = ", ".join(f"{i}:+{R.choice([1, 2, 4, 8, 16])}" for i in intervals)
    return f"#ttg.padded_shared<[{text}] {{order = {order(len(shape))}, shape = {shape}}}>"


def memory_layout(what, shape, bits):
    if what in ("pads", "pad1"):
        return padded(shape, 1 if what == "pad1" else R.choice([2, 2, 3]))
    if what == "fp4":
        return nvmma(shape, 8, ", fp4Padded = true")
    kinds = [lambda: swizzled(shape), lambda: padded(shape, 1)]
    if len(shape) > 1 and bits < 64:
        kinds.append(lambda: nvmma(shape, bits))
    return R.choice(kinds)()


SHAPES = {"rank1": lambda: [R.choice([256, 512, 1024, 4096])],
          "rank3": lambda: [R.choice([2, 4, 8]), R.choice([16, 32]), R.choice([16, 32, 64])]}


def random_kernel(name):
    convert, what = name.endswith("c"), name.removesuffix("c")
    k = dict(what=name, kernel="tile_convert" if convert else "tile_copy", warps=R.choice([1, 2, 4, 4, 8]),
             bits={"b8": 8, "b64": 64, "fp4": 8}.get(what) or R.choice([8, 16, 16, 32]),
             shape=SHAPES.get(what, lambda: [R.choice([16, 32, 64, 128]) for _ in range(2)])())
    if what == "dotw":
        k["warps"], k["bits"] = R.choice([4, 8]), R.choice([8, 16])
    elements = math.prod(k["shape"])
    if elements * k["bits"] > 1 << 19 or not 32 * k["warps"] <= elements <= 8192 * k["warps"]:
        return random_kernel(name)
    k["element"] = ELEMENT[k["bits"]]
    usual = ["blocked", "mma2"] if k["bits"] == 64 else ["blocked", "blocked", "mma2", "mma3", "dot2"]
    kinds = {"dotw": ["dotw"], "dotb": ["dotb"], "slice": ["slice", "blocked"],
             "rank1": ["blocked", "slice"]}.get(what, usual)
    k["A"] = register_layout(kinds if convert and R.random() < 0.5 else usual if what[:3] == "dot" else kinds, k)
    k["B"] = register_layout(kinds, k)
    if convert:
        return k
    if what == "sub":
        k["alloc"] = [s * R.choice([1, 2, 4]) for s in k["shape"]]
        k["offsets"] = [R.randrange(a // s) * s for a, s in zip(k["alloc"], k["shape"])]
    k["S"] = memory_layout(what, k.get("alloc") or k["shape"], k["bits"])
    return k if math.prod(k.get("alloc") or k["shape"]) * k["bits"] <= 1 << 20 else random_kernel(name)


# ---- Compiling, launching, collecting ----


def opcodes(cubin):
    text = subprocess.run(["nvdisasm", "-c", cubin], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"/\*[0-9a-f]{4,}\*/\s+(?:\{\s*)?(?:@!?U?P\w+ )?((?:LDS|STS|LDSM|STSM|SHFL)[A-Z0-9_.]*)", text)
    return dict(collections.Counter(found))


def compile_one(path, k):
    import triton
    from triton.backends.compiler import GPUTarget

    with open(path + ".ttgir", "w") as f:
        f.write(kernel_text(k))
    try:
        compiled = triton.compile(path + ".ttgir", target=GPUTarget("cuda", 90, 32))
    except Exception as error:
        return {**k, "error": str(error)[:200]}
    with open(path + ".cubin", "wb") as f:
        f.write(compiled.asm["cubin"])
    return {**k, "shared_bytes": compiled.metadata.shared, "sass": opcodes(path + ".cubin")}


def compile_all(folder, seed, wanted):
    os.makedirs(folder, exist_ok=True)
    R.seed(int(seed))
    kernels = [random_kernel(w.split(":")[0]) for w in wanted.split(",") for _ in range(int(w.split(":")[1]))]
    with open(f"{folder}/rows.jsonl", "w") as out:
        for i, k in enumerate(kernels):
            with multiprocessing.get_context("fork").Pool(1) as pool:  # a compiler that crashes does so alone
                try:
                    row = pool.apply_async(compile_one, (f"{folder}/{i}", k)).get(60)
                except multiprocessing.TimeoutError:
                    row = {**k, "error": "crash or timeout"}
            out.write(json.dumps({**row, "i": i}) + "\n")


def rows_of(folder):
    with open(f"{folder}/rows.jsonl") as f:
        return [row for row in map(json.loads, f) if "error" not in row]


def faults_of(folder):
    path = f"{folder}/faults.json"
    return json.load(open(path)) if os.path.exists(path) else []


def launch_all(folder, launches):
    import cupy, numpy

    faults, null = faults_of(folder), numpy.uint64(0)
    for row in rows_of(folder):
        if row["i"] in faults:
            continue
        f = cupy.RawModule(path=f"{folder}/{row['i']}.cubin").get_function("tile")
        if row["shared_bytes"] > 48 * 1024:
            f.max_dynamic_shared_size_bytes = row["shared_bytes"]
        size = math.prod(row["shape"]) * row["bits"] // 8
        data = cupy.asarray(numpy.random.default_rng(row["i"]).integers(0, 255, size, dtype=numpy.uint8))
        out = cupy.zeros(size, dtype=numpy.uint8)
        try:
            for _ in range(int(launches)):
                f((1,), (32 * row["warps"],), (data, out, null, null), shared_mem=row["shared_bytes"])
            cupy.cuda.runtime.deviceSynchronize()
        except cupy.cuda.runtime.CUDARuntimeError:
            json.dump(faults + [row["i"]], open(f"{folder}/faults.json", "w"))
            os._exit(3)  # the context is lost
        if not bool((out == data).all()):
            sys.exit(f"kernel {row['i']} did not copy its tile")


def golden(row):
    a, b = (tensor(row["shape"], row["element"], row[x]) for x in "AB")
    out = {"kernel": row["kernel"], "bits": row["bits"], "what": row["what"], "registers": [a, b]}
    if row["kernel"] == "tile_copy":
        out["memory"] = memdesc(row)
    return {**out, "shared_bytes": row["shared_bytes"], "sass": row["sass"]}


def collect(folder):
    with open(f"{folder}/ncu.csv") as f:
        table = [r for r in csv.DictReader(line for line in f if line.startswith('"')) if r["Kernel Name"] == "tile"]
    faults = faults_of(folder)
    rows = [r for r in rows_of(folder) if r["i"] not in faults]
    launches = len(table) // len(rows)
    for n, row in enumerate(rows):
        mine = table[n * launches:(n + 1) * launches]
        least = {name: min(int(float(r[c].replace(",", ""))) for r in mine) for name, c in COUNTERS.items()}
        out = golden(row)
        for op in ("st", "ld"):
            out[op] = [least[f"{op}_{what}"] for what in ("instructions", "wavefronts", "conflicts")]
        print(json.dumps({**out, "ldsm": least["ldsm"]}, separators=(",", ":")))
    for row in rows_of(folder):
        if row["i"] in faults:
            print(json.dumps({**golden(row), "fault": True}, separators=(",", ":")))


if __name__ == "__main__":
    verbs = {"compile": compile_all, "launch": launch_all, "collect": collect,
             "metrics": lambda: print(",".join(COUNTERS.values()))}
    if len(sys.argv) < 2 or sys.argv[1] not in verbs:
        sys.exit(__doc__ + "KINDS: " + KINDS)
    verbs[sys.argv[1]](*sys.argv[2:])
