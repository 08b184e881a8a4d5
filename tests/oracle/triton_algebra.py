#!/usr/bin/env python3
"""Records what Triton's LinearLayout computes: products, compositions, inverses, properties and printed text.

Witness: the Python package `triton` 3.7.1 (pip install triton==3.7.1; it imports without a GPU), class
`triton._C.libtriton.linear_layout.LinearLayout`.
Usage:   python3 tests/oracle/triton_algebra.py [OUTPUT_DIR]

Writes triton37_algebra.jsonl: rows {"op", "args", "result"}. A layout is {"in": [[name, size]...], "out": [[name,
size]...], "bases": {name: [[...]...]}}. `identity` is [size], `strided` [size, stride] and `zeros` [size, out size],
all from `lane` to `dim0`; `infer` builds its argument from bases alone, without sizes; `view_d` and `view_dh` are
get_distributed_view(False) and (True), `view_s` and `view_sh` get_shared_view. What Triton refuses is left out.
"""
import collections
import json
import os
import random
import sys

import triton
from triton._C.libtriton.linear_layout import LinearLayout

import forked

HEADER = dict(witness="triton " + triton.__version__, script="tests/oracle/triton_algebra.py")
HARDWARE = ["register", "lane", "warp", "block"]


# ---------------------------------------------------------------- layouts as JSON
def build(j):
    return LinearLayout.from_bases([(name, j["bases"][name]) for name, _ in j["in"]], [n for n, _ in j["out"]],
                                   [s for _, s in j["out"]], False)


def dump(ll):
    return {"in": [[name, 1 << len(bases)] for name, bases in ll.bases], "out": [[n, s] for n, s in ll.out_dims],
            "bases": {name: bases for name, bases in ll.bases}}


def layout(ins, outs, vectors):
    """`ins` are (name, bits), `outs` (name, bits); `vectors` are the flat bases, the first out dim in the low bits."""
    vectors, bases = list(vectors), {}
    for name, bits in ins:
        bases[name] = []
        for _ in range(bits):
            flat, basis = vectors.pop(0), []
            for _, out_bits in outs:
                basis.append(flat & ((1 << out_bits) - 1))
                flat >>= out_bits
            bases[name].append(basis)
    return {"in": [[n, 1 << b] for n, b in ins], "out": [[n, 1 << b] for n, b in outs], "bases": bases}


# ---------------------------------------------------------------- asking the witness
ONE = {  # op: function of one layout
    "invert": lambda a: dump(a.invert()),
    "pseudoinvert": lambda a: dump(a.pseudoinvert()),
    "props": lambda a: {"surjective": a.is_surjective(), "injective": a.is_injective(),
                        "invertible": a.is_invertible(), "matrix": a.get_matrix_view()},
    "view_d": lambda a: a.get_distributed_view(False),
    "view_dh": lambda a: a.get_distributed_view(True),
    "view_s": lambda a: a.get_shared_view(False),
    "view_sh": lambda a: a.get_shared_view(True),
    "tostring": str,
}
TWO = {"mul": lambda a, b: a * b, "compose": lambda a, b: a.compose(b),
       "invert_and_compose": lambda a, b: a.invert_and_compose(b)}


def answer(case):
    op, args = case
    if op in ONE:
        result = ONE[op](build(args[0]))
    elif op in TWO:
        result = dump(TWO[op](build(args[0]), build(args[1])))
    elif op == "apply":
        result = build(args[0]).apply(args[1])
    elif op == "infer":
        j = args[0]
        result = dump(LinearLayout.from_bases([(n, j["bases"][n]) for n, _ in j["in"]], [n for n, _ in j["out"]]))
    elif op == "identity":
        result = dump(LinearLayout.identity_1d(args[0], "lane", "dim0"))
    elif op == "strided":
        result = dump(LinearLayout.strided_1d(args[0], args[1], "lane", "dim0"))
    else:
        result = dump(LinearLayout.zeros_1d(args[0], "lane", "dim0", args[1]))
    return {"op": op, "args": args, "result": result}


# ---------------------------------------------------------------- drawing layouts
def spread(r, bits, names):
    """Shares out `bits` bits over the named dims."""
    counts = [0] * len(names)
    for _ in range(bits if names else 0):
        counts[r.randrange(len(names))] += 1
    return list(zip(names, counts))


def out_names(r, low=1):
    names = [f"dim{i}" for i in range(r.choice([1, 1, 2, 2, 2, 3, 3, 4]) if low else r.randint(0, 3))]
    if r.random() < 0.3:
        r.shuffle(names)
    return names


def full_rank(r, rows, columns):
    """`columns` >= `rows` vectors that span `rows` bits: unit vectors and more, stirred."""
    vectors = [1 << i for i in range(rows)] + [r.choice([0, r.randrange(1 << rows)]) for _ in range(columns - rows)]
    if r.random() < 0.7:
        r.shuffle(vectors)
    for _ in range(r.choice([0, 0, columns, 3 * columns])):
        i, j = r.randrange(columns), r.randrange(columns)
        if i != j:
            vectors[i] ^= vectors[j]
    return vectors


def anything(r, ins, outs, kind=None):
    bits_in, bits_out = sum(b for _, b in ins), sum(b for _, b in outs)
    kind = kind or r.choice(["any", "surjective", "one"])
    if kind == "surjective" and bits_in >= bits_out:
        return layout(ins, outs, full_rank(r, bits_out, bits_in))
    if kind == "one":  # each basis moves in at most one bit
        return layout(ins, outs, [r.choice([0] + [1 << i for i in range(bits_out)]) for _ in range(bits_in)])
    return layout(ins, outs, [r.randrange(1 << bits_out) for _ in range(bits_in)])


def in_names(r):
    if r.random() < 0.6:
        return list(HARDWARE)
    if r.random() < 0.3:
        return ["offset", "block"]
    names = r.sample(HARDWARE, r.randint(1, 4))
    return names


def draw(r, op):
    bits = r.choice([0, 1, 2, 3, 4, 5, 6, 8, 10, 12])
    ins, outs = in_names(r), out_names(r)
    if op == "mul":
        if r.random() < 0.6:
            other_in = [n for n in ins if r.random() < 0.7] + [n for n in HARDWARE if n not in ins and r.random() < .3]
            other_out = [n for n in outs if r.random() < 0.7] + (["dim7"] if r.random() < 0.2 else [])
        else:
            other_in, other_out = in_names(r), out_names(r)
        return [anything(r, spread(r, r.randint(0, 7), ins), spread(r, r.randint(0, 6), outs)),
                anything(r, spread(r, r.randint(0, 7), other_in), spread(r, r.randint(0, 6), other_out))]
    if op == "compose":
        middle = [f"m{i}" for i in range(r.randint(1, 3))]
        first = spread(r, r.randint(0, 7), middle)
        second = [(n, b + r.choice([0, 0, 0, 1, 2])) for n, b in first]
        r.shuffle(second)
        return [anything(r, spread(r, bits, ins), first), anything(r, second, spread(r, r.randint(0, 8), outs))]
    if op == "invert":
        return [layout(spread(r, bits, ins), spread(r, bits, outs), full_rank(r, bits, bits))]
    if op == "pseudoinvert":
        return [layout(spread(r, bits + 2, ins), spread(r, bits, outs), full_rank(r, bits, bits + 2))]
    if op == "invert_and_compose":
        spread_out = spread(r, min(bits, 9), outs)
        rank = sum(b for _, b in spread_out)
        other = r.choice([in_names(r), ["offset", "block"], list(HARDWARE), ins])
        extra = r.choice([0, 0, 1, 2])
        b = layout(spread(r, rank + extra, other), r.choice([spread_out, r.sample(spread_out, len(spread_out))]),
                   full_rank(r, rank, rank + extra))
        a = anything(r, spread(r, bits, ins), [(n, k - (k > 0 and r.random() < 0.1)) for n, k in spread_out])
        if r.random() < 0.5 and [n for n, _ in a["out"]] == [n for n, _ in b["out"]] and a["out"] == b["out"]:
            # dims that are the same in both are mapped to themselves: copy some over
            for name, size in a["in"]:
                for k, (other_name, _) in enumerate(b["in"]):
                    if other_name == name and r.random() < 0.5:
                        a["bases"][name] = b["bases"][name]
                        a["in"] = [[n, b["in"][k][1] if n == name else s] for n, s in a["in"]]
        return [a, b]
    if op in ("view_d", "view_dh"):
        names = HARDWARE
        n = r.randint(0, 7)
        return [anything(r, spread(r, n, names), spread(r, r.randint(0, min(n + 1, 6)), outs),
                         r.choice(["surjective", "surjective", "surjective", "one"]))]
    if op in ("view_s", "view_sh"):
        n = r.randint(0, 7)
        block = r.choice([0, 0, 0, 1, 2]) if n > 1 else 0
        return [layout([("offset", n - block), ("block", block)], spread(r, n, outs), full_rank(r, n, n))]
    if op == "apply":
        a = anything(r, spread(r, bits, ins), spread(r, r.randint(0, 10), outs))
        return [a, {n: r.randrange(s) for n, s in a["in"]}]
    if op == "infer":
        outs = out_names(r)
        return [layout(spread(r, bits + 2, ins), spread(r, bits, outs), full_rank(r, bits, bits + 2))]
    if op == "identity":
        return [1 << r.randint(0, 14)]
    if op in ("strided", "zeros"):
        return [1 << r.randint(0, 10), 1 << r.randint(0, 8)]
    return [anything(r, spread(r, bits, ins), spread(r, r.randint(0, 12), outs))]  # props, tostring


WANTED = dict(mul=400, compose=300, invert=250, pseudoinvert=250, invert_and_compose=500, props=250, view_d=200,
              view_dh=200, view_s=150, view_sh=150, tostring=250, apply=300, infer=200, identity=15, strided=60,
              zeros=60)


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "tests/golden"
    r, rows, refused = random.Random(41), [], collections.Counter()
    for op, wanted in WANTED.items():
        cases = [(op, draw(r, op)) for _ in range(2 * wanted)]
        found = {}
        for (_, args), row in forked.run(answer, cases):
            if "error" in row:
                refused[op] += 1
            else:
                found.setdefault(json.dumps(args), row)
            if len(found) == wanted:
                break
        rows += found.values()
    print("refused:", dict(refused))
    forked.write(os.path.join(out, "triton37_algebra.jsonl"), rows, seed=41, **HEADER)


if __name__ == "__main__":
    main()
