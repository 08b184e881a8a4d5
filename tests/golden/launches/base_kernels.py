"""The kernels that tests/oracle/gpu_launches.py launches."""
# Dumps name lines of this file: they keep their numbers.
import triton, triton.language as tl

@triton.jit
def matmul(a, b, c, M, N, K, sam, sbk, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0); pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM); rn = pn * BN + tl.arange(0, BN); rk = tl.arange(0, BK)
    pa = a + rm[:, None] * sam + rk[None, :]
    pb = b + rk[:, None] * sbk + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(pa); y = tl.load(pb)
        acc = tl.dot(x, y, acc)
        pa += BK; pb += BK * sbk
    tl.store(c + rm[:, None] * scm + rn[None, :], acc.to(tl.float16))

@triton.jit
def matmul_bt(a, b, c, K, sam, sbn, scm, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM); rn = tl.program_id(1) * BN + tl.arange(0, BN); rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a + rm[:, None] * sam + (k + rk)[None, :])
        y = tl.load(b + rn[:, None] * sbn + (k + rk)[None, :])
        acc = tl.dot(x, tl.trans(y), acc)
    tl.store(c + rm[:, None] * scm + rn[None, :], acc)

@triton.jit
def attention(q, k, v, o, S, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM); rd = tl.arange(0, D); rn = tl.arange(0, BN)
    Q = tl.load(q + rm[:, None] * D + rd[None, :])
    m = tl.full((BM,), -1e30, dtype=tl.float32); l = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for s in range(0, S, BN):
        K = tl.load(k + (s + rn)[:, None] * D + rd[None, :])
        V = tl.load(v + (s + rn)[:, None] * D + rd[None, :])
        qk = tl.dot(Q, tl.trans(K))
        mn = tl.maximum(m, tl.max(qk, 1))
        p = tl.exp(qk - mn[:, None]); al = tl.exp(m - mn)
        l = l * al + tl.sum(p, 1)
        acc = acc * al[:, None]
        acc = tl.dot(p.to(tl.float16), V, acc)
        m = mn
    tl.store(o + rm[:, None] * D + rd[None, :], (acc / l[:, None]).to(tl.float16))

@triton.jit
def transpose(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM); rn = tl.program_id(1) * BN + tl.arange(0, BN)
    t = tl.load(x + rm[:, None] * N + rn[None, :])
    tl.store(y + rn[:, None] * M + rm[None, :], tl.trans(t))

@triton.jit
def softmax(x, y, N, B: tl.constexpr, R: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, B)
    t = tl.load(x + r[:, None] * N + c[None, :], mask=(c < N)[None, :], other=-float("inf"))
    e = tl.exp(t - tl.max(t, 1)[:, None])
    tl.store(y + r[:, None] * N + c[None, :], e / tl.sum(e, 1)[:, None], mask=(c < N)[None, :])

@triton.jit
def scan_sort(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    t = tl.load(x + i)
    tl.store(y + i, tl.cumsum(tl.sort(t), 0))

@triton.jit
def outer3(x, y, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    ia = tl.arange(0, A); ib = tl.arange(0, B); ic = tl.arange(0, C)
    t = tl.load(x + ia[:, None, None] * B * C + ib[None, :, None] * C + ic[None, None, :])
    u = tl.permute(t, (2, 0, 1))
    tl.store(y + ic[:, None, None] * A * B + ia[None, :, None] * B + ib[None, None, :], u)


@triton.jit
def colsum(x, y, N, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.arange(0, BM); c = tl.program_id(0) * BN + tl.arange(0, BN)
    t = tl.load(x + r[:, None] * N + c[None, :])
    tl.store(y + c, tl.sum(t, 0))

@triton.jit
def layernorm(x, w, b, y, N: tl.constexpr, R: tl.constexpr):
    r = tl.program_id(0) * R + tl.arange(0, R); c = tl.arange(0, N)
    t = tl.load(x + r[:, None] * N + c[None, :])
    m = tl.sum(t, 1) / N
    d = t - m[:, None]
    v = tl.sum(d * d, 1) / N
    o = d * tl.rsqrt(v + 1e-5)[:, None] * tl.load(w + c)[None, :] + tl.load(b + c)[None, :]
    tl.store(y + r[:, None] * N + c[None, :], o)

@triton.jit
def outer_loop_transpose(x, y, M, N, T, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.arange(0, BM); rn = tl.program_id(0) * BN + tl.arange(0, BN)
    for i in range(0, T):
        t = tl.load(x + (i * BM + rm)[:, None] * N + rn[None, :])
        tl.store(y + rn[:, None] * M + (i * BM + rm)[None, :], tl.trans(t))

@triton.jit
def addrow(x, v, y, N, BM: tl.constexpr, BN: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM); rn = tl.arange(0, BN)
    t = tl.load(x + rm[:, None] * N + rn[None, :])
    s = tl.max(t, 1)
    tl.store(y + rm[:, None] * N + rn[None, :], t + tl.trans(tl.broadcast_to(s[None, :], (BN, BM))))
