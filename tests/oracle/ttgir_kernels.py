"""Kernels of the kinds that people write, for ttgir_corpus.py: each is one function, its signature and its constants.

They are compiled, never launched.
"""
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * M + tl.arange(0, M)
    rd = tl.arange(0, D)
    rn = tl.arange(0, N)
    qt = tl.load(q + rm[:, None] * D + rd[None, :])
    top = tl.full([M], float("-inf"), tl.float32)
    total = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    for start in range(0, n, N):
        kt = tl.load(k + (start + rn)[None, :] * D + rd[:, None])
        s = tl.dot(qt, kt) * scale
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, 1)
        vt = tl.load(v + (start + rn)[:, None] * D + rd[None, :])
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), vt)
        top = new
    tl.store(o + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def scan(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    t = tl.load(x + at)
    tl.store(y + at, tl.cumsum(t, 0) + tl.cumsum(t, 1))


@triton.jit
def sort(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + at, tl.sort(tl.load(x + at)))


@triton.jit
def layernorm(x, w, b, y, n, N: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, N)
    mask = at < n
    t = tl.load(x + row * n + at, mask, 0.0).to(tl.float32)
    mean = tl.sum(t, 0) / n
    d = tl.where(mask, t - mean, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    tl.store(y + row * n + at, d * r * tl.load(w + at, mask) + tl.load(b + at, mask), mask)


@triton.jit
def gather(x, i, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + at, tl.gather(tl.load(x + at), tl.load(i + at), 0))


@triton.jit
def atomics(x, i, y, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.atomic_add(y + tl.load(i + at), tl.load(x + at))
    tl.atomic_max(y, tl.max(tl.load(x + at), 0))


@triton.jit
def histogram(x, y, N: tl.constexpr, B: tl.constexpr):
    tl.store(y + tl.arange(0, B), tl.histogram(tl.load(x + tl.arange(0, N)), B))


@triton.jit
def matmul(a, b, c, K, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr):
    rm, rn, rk = tl.arange(0, M), tl.arange(0, N), tl.arange(0, KB)
    acc = tl.zeros([M, N], tl.float32)
    for k in range(0, K, KB):
        acc = tl.dot(tl.load(a + rm[:, None] * K + (k + rk)[None, :]), tl.load(b + (k + rk)[:, None] * N + rn[None, :]),
                     acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@triton.jit
def matmul_transposed(a, b, c, K, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr):
    rm, rn, rk = tl.arange(0, M), tl.arange(0, N), tl.arange(0, KB)
    acc = tl.zeros([M, N], tl.float32)
    for k in tl.range(0, K, KB, num_stages=2):
        t = tl.load(b + rn[:, None] * K + (k + rk)[None, :])
        acc += tl.dot(tl.load(a + rm[:, None] * K + (k + rk)[None, :]), tl.trans(t))
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def persistent(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, KB])
    db = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, KB])
    dc = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    tiles_n = tl.cdiv(n, N)
    for tile in range(tl.program_id(0), tl.cdiv(m, M) * tiles_n, tl.num_programs(0)):
        pm, pn = tile // tiles_n, tile % tiles_n
        acc = tl.zeros([M, N], tl.float32)
        for i in range(0, tl.cdiv(k, KB)):
            acc = tl.dot(da.load([pm * M, i * KB]), db.load([pn * N, i * KB]).T, acc)
        dc.store([pm * M, pn * N], acc.to(tl.float16))


@triton.jit
def helper(t, N: tl.constexpr):
    return tl.sum(t * 2, 0) + N


@triton.jit
def inlined(x, y, n, N: tl.constexpr):
    at = tl.arange(0, N)
    s = 0.0
    i = 0
    while i < n:
        s += helper(tl.load(x + i * N + at), N)
        i += 1
    if n > 3:
        tl.store(y, s)
    else:
        tl.store(y + 1, helper(tl.load(x + at), N))


@triton.jit
def join_split(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    t = tl.join(tl.load(x + at), tl.load(y + at))
    a, b = tl.split(tl.permute(t, 1, 0, 2))
    tl.store(x + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], a + b)


@triton.jit
def reshape(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    t = tl.reshape(tl.load(x + at), [M // 4, 4, N])
    u = tl.reshape(tl.permute(t, 1, 0, 2), [M, N])
    tl.store(y + at, u * 2)


@triton.jit
def argmax(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + tl.arange(0, N), tl.argmax(tl.load(x + at), 0))


@triton.jit
def softmax(x, y, n, rows, N: tl.constexpr):
    at = tl.arange(0, N)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        t = tl.load(x + row * n + at, at < n, float("-inf"))
        e = tl.exp(t - tl.max(t, 0))
        tl.store(y + row * n + at, e / tl.sum(e, 0), at < n)


@triton.jit
def topk(x, y, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    t = tl.load(x + tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :])
    tl.store(y + tl.arange(0, M)[:, None] * K + tl.arange(0, K)[None, :], tl.topk(t, K))


@triton.jit
def flip(x, y, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(y + at, tl.flip(tl.load(x + at)))


@triton.jit
def dot_scaled(a, sa, b, sb, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, FORMAT: tl.constexpr,
               PACK: tl.constexpr):
    rm, rn, rk, rs = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K // PACK), tl.arange(0, K // 32)
    ta = tl.load(a + rm[:, None] * (K // PACK) + rk[None, :])
    tb = tl.load(b + rk[:, None] + (K // PACK) * rn[None, :])
    tsa = tl.load(sa + rm[:, None] * (K // 32) + rs[None, :])
    tsb = tl.load(sb + rn[:, None] * (K // 32) + rs[None, :])
    acc = tl.dot_scaled(ta, tsa, FORMAT, tb, tsb, FORMAT)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def dot_scaled_loop(a, sa, b, sb, c, KT, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rm, rn, rk, rs = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K), tl.arange(0, K // 32)
    acc = tl.zeros([M, N], tl.float32)
    for k in tl.range(0, KT, num_stages=3):
        ta = tl.load(a + rm[:, None] * KT * K + k * K + rk[None, :])
        tb = tl.load(b + (k * K + rk)[:, None] * N + rn[None, :])
        tsa = tl.load(sa + rm[:, None] * (KT * K // 32) + k * (K // 32) + rs[None, :])
        tsb = tl.load(sb + rn[:, None] * (KT * K // 32) + k * (K // 32) + rs[None, :])
        acc = tl.dot_scaled(ta, tsa, "e5m2", tb, tsb, "e4m3", acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def rows_by_descriptor(x, i, y, rows, M: tl.constexpr, N: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [rows, N], [N, 1], [1, N])
    o = tl.make_tensor_descriptor(y, [rows, N], [N, 1], [1, N])
    at = tl.load(i + tl.arange(0, M))
    o.scatter(d.gather(at, 0) * 2, at, 0)


@triton.jit
def transpose_by_descriptor(x, y, m, n, M: tl.constexpr, N: tl.constexpr):
    dx = tl.make_tensor_descriptor(x, [m, n], [n, 1], [M, N])
    dy = tl.make_tensor_descriptor(y, [n, m], [m, 1], [N, M])
    pm, pn = tl.program_id(0) * M, tl.program_id(1) * N
    dy.store([pn, pm], tl.trans(dx.load([pm, pn])))


@triton.jit
def reduce_by_descriptor(x, y, m, n, M: tl.constexpr, N: tl.constexpr):
    dy = tl.make_tensor_descriptor(y, [m, n], [n, 1], [M, N])
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    dy.atomic_add([tl.program_id(0) * M, 0], tl.load(x + at))


@triton.jit
def matmul_specialized(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr, WS: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, KB])
    db = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, KB])
    dc = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    tiles_n = tl.cdiv(n, N)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, M) * tiles_n, tl.num_programs(0), flatten=True,
                         warp_specialize=WS):
        pm, pn = tile // tiles_n, tile % tiles_n
        acc = tl.zeros([M, N], tl.float32)
        for i in range(0, tl.cdiv(k, KB)):
            acc = tl.dot(da.load([pm * M, i * KB]), db.load([pn * N, i * KB]).T, acc)
        dc.store([pm * M, pn * N], acc.to(tl.float16))


@triton.jit
def attention_by_descriptor(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    dq = tl.make_tensor_descriptor(q, [n, D], [D, 1], [M, D])
    dk = tl.make_tensor_descriptor(k, [n, D], [D, 1], [N, D])
    dv = tl.make_tensor_descriptor(v, [n, D], [D, 1], [N, D])
    do = tl.make_tensor_descriptor(o, [n, D], [D, 1], [M, D])
    row = tl.program_id(0) * M
    qt = dq.load([row, 0])
    top = tl.full([M], float("-inf"), tl.float32)
    total = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    for start in tl.range(0, n, N):
        s = tl.dot(qt, dk.load([start, 0]).T) * scale
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        shrink = tl.exp2(top - new)
        total = total * shrink + tl.sum(p, 1)
        acc = tl.dot(p.to(tl.float16), dv.load([start, 0]), acc * shrink[:, None])
        top = new
    do.store([row, 0], (acc / total[:, None]).to(tl.float16))


@triton.jit
def lock(x, y, locks, N: tl.constexpr):
    at = tl.arange(0, N)
    t = tl.load(x + tl.program_id(0) * N + at)
    while tl.atomic_cas(locks, 0, 1) == 1:
        pass
    tl.store(y + at, t + tl.load(y + at))
    tl.debug_barrier()
    tl.atomic_xchg(locks, 0)


@triton.jit
def flags(x, y, flag, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.atomic_poll(flag, 1)
    t = tl.atomic_load(x + at) + tl.atomic_load(flag)
    tl.atomic_store(y + at, t + tl.atomic_add(flag, 1))
    tl.atomic_store(flag, 0)


@triton.jit
def nested(x, y, n, m, N: tl.constexpr):
    at = tl.arange(0, N)
    total = tl.zeros([N], tl.float32)
    for i in range(n):
        t = tl.load(x + i * N + at)
        total += tl.max(t, 0)
        for j in range(m):
            total += tl.sum(t * j, 0)
    tl.store(y + at, total)


@triton.jit
def dot_batched(a, b, c, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rb, rm, rn, rk = tl.arange(0, B)[:, None, None], tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    ta = tl.load(a + rb * M * K + rm[None, :, None] * K + rk[None, None, :])
    tb = tl.load(b + rb * K * N + rk[None, :, None] * N + rn[None, None, :])
    tl.store(c + rb * M * N + rm[None, :, None] * N + rn[None, None, :], tl.dot(ta, tb))


F16, F32, I32, U8 = "*fp16", "*fp32", "*i32", "*u8"
KERNELS = {
    "attention": (attention, dict(q=F16, k=F16, v=F16, o=F16, n="i32", scale="fp32"), dict(M=64, N=32, D=64)),
    "scan": (scan, dict(x=F32, y=F32), dict(M=64, N=32)),
    "sort": (sort, dict(x=I32, y=I32), dict(M=16, N=64)),
    "layernorm": (layernorm, dict(x=F16, w=F16, b=F16, y=F16, n="i32"), dict(N=1024)),
    "gather": (gather, dict(x=F32, i=I32, y=F32), dict(M=32, N=64)),
    "atomics": (atomics, dict(x=I32, i=I32, y=I32), dict(N=256)),
    "histogram": (histogram, dict(x=I32, y=I32), dict(N=1024, B=128)),
    "matmul": (matmul, dict(a=F16, b=F16, c=F16, K="i32"), dict(M=64, N=64, KB=32)),
    "matmul_f32": (matmul, dict(a=F32, b=F32, c=F16, K="i32"), dict(M=64, N=64, KB=32)),
    "matmul_fp8": (matmul, dict(a="*fp8e5", b="*fp8e5", c=F16, K="i32"), dict(M=128, N=64, KB=64)),
    "matmul_transposed": (matmul_transposed, dict(a=F16, b=F16, c=F32, K="i32"), dict(M=128, N=64, KB=64)),
    "persistent": (persistent, dict(a=F16, b=F16, c=F16, m="i32", n="i32", k="i32"), dict(M=128, N=128, KB=64)),
    "inlined": (inlined, dict(x=F32, y=F32, n="i32"), dict(N=512)),
    "join_split": (join_split, dict(x=F32, y=F32), dict(M=32, N=32)),
    "reshape": (reshape, dict(x=F16, y=F16), dict(M=64, N=64)),
    "argmax": (argmax, dict(x=F32, y=I32), dict(M=64, N=128)),
    "softmax": (softmax, dict(x=F32, y=F32, n="i32", rows="i32"), dict(N=1024)),
    "sort_long": (sort, dict(x=F32, y=F32), dict(M=1, N=2048)),
    "topk": (topk, dict(x=F32, y=F32), dict(M=16, N=128, K=8)),
    "flip": (flip, dict(x=F32, y=F32), dict(N=1024)),
    "dot_scaled_fp8": (dot_scaled, dict(a=U8, sa=U8, b=U8, sb=U8, c=F32),
                       dict(M=128, N=128, K=128, FORMAT="e4m3", PACK=1)),
    "dot_scaled_fp4": (dot_scaled, dict(a=U8, sa=U8, b=U8, sb=U8, c=F32),
                       dict(M=128, N=128, K=128, FORMAT="e2m1", PACK=2)),
    "dot_scaled_loop": (dot_scaled_loop, dict(a=U8, sa=U8, b=U8, sb=U8, c=F32, KT="i32"), dict(M=128, N=128, K=128)),
    "rows_by_descriptor": (rows_by_descriptor, dict(x=F16, i=I32, y=F16, rows="i32"), dict(M=32, N=64)),
    "transpose_by_descriptor": (transpose_by_descriptor, dict(x=F16, y=F16, m="i32", n="i32"), dict(M=64, N=64)),
    "reduce_by_descriptor": (reduce_by_descriptor, dict(x=F32, y=F32, m="i32", n="i32"), dict(M=64, N=64)),
    "matmul_specialized": (matmul_specialized, dict(a=F16, b=F16, c=F16, m="i32", n="i32", k="i32"),
                           dict(M=128, N=128, KB=64, WS=True)),
    "attention_by_descriptor": (attention_by_descriptor, dict(q=F16, k=F16, v=F16, o=F16, n="i32", scale="fp32"),
                                dict(M=128, N=64, D=64)),
    "lock": (lock, dict(x=F32, y=F32, locks=I32), dict(N=1024)),
    "flags": (flags, dict(x=I32, y=I32, flag=I32), dict(N=512)),
    "nested": (nested, dict(x=F32, y=F32, n="i32", m="i32"), dict(N=1024)),
    "dot_batched": (dot_batched, dict(a=F16, b=F16, c=F32), dict(B=4, M=32, N=32, K=32)),
}
