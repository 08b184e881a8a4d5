"""Reductions, scans and sorts: what tests/oracle/gpu_launches.py launches."""
import triton
import triton.language as tl


@triton.jit
def reduce1(x, y, N: tl.constexpr, OP: tl.constexpr):
    t = tl.load(x + tl.arange(0, N))
    if OP == "sum":
        tl.store(y, tl.sum(t, 0))
    elif OP == "max":
        tl.store(y, tl.max(t, 0))
    else:
        tl.store(y, tl.argmax(t, 0))


@triton.jit
def reduce2(x, y, SM, SN, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr, OP: tl.constexpr):
    t = tl.load(x + tl.arange(0, M)[:, None] * SM + tl.arange(0, N)[None, :] * SN)
    if OP == "sum":
        s = tl.sum(t, AXIS)
    elif OP == "max":
        s = tl.max(t, AXIS)
    else:
        s = tl.argmax(t, AXIS)
    tl.store(y + tl.arange(0, M if AXIS == 1 else N), s)


@triton.jit
def reduce3(x, y, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, AXIS: tl.constexpr, OP: tl.constexpr):
    a = tl.arange(0, A)
    b = tl.arange(0, B)
    c = tl.arange(0, C)
    t = tl.load(x + a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :])
    s = tl.sum(t, AXIS)
    if AXIS == 0:
        tl.store(y + b[:, None] * C + c[None, :], s)
    elif AXIS == 1:
        tl.store(y + a[:, None] * C + c[None, :], s)
    else:
        tl.store(y + a[:, None] * B + b[None, :], s)


@triton.jit
def scan1(x, y, N: tl.constexpr, REVERSE: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.cumsum(tl.load(x + i), 0, reverse=REVERSE))


@triton.jit
def scan2(x, y, SM, SN, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr):
    i = tl.arange(0, M)[:, None] * SM + tl.arange(0, N)[None, :] * SN
    tl.store(y + i, tl.cumsum(tl.load(x + i), AXIS, reverse=REVERSE))


@triton.jit
def both(a, b, c, d):
    return a + c, b * d


@triton.jit
def scan_pair(x, y, SM, SN, M: tl.constexpr, N: tl.constexpr, AXIS: tl.constexpr):
    i = tl.arange(0, M)[:, None] * SM + tl.arange(0, N)[None, :] * SN
    t = tl.load(x + i)
    u, v = tl.associative_scan((t, t.to(tl.float32)), AXIS, both)
    tl.store(y + i, u + v.to(u.dtype))


@triton.jit
def sort1(x, y, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(y + i, tl.sort(tl.load(x + i)))


@triton.jit
def sort2(x, y, M: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + i, tl.sort(tl.load(x + i)))


