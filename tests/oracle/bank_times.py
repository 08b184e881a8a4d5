#!/usr/bin/env python3
"""The time of loads from shared memory on a GPU, by how many words its fullest bank has.

  bank_times.py        prints tests/golden/bank_times_h200.csv (needs a GPU and its driver, nothing else)

Each warp of a block loads words, one after another, with lane i at word `stride` * i; the loads do not wait for each
other. `cycles` is the time from the first load to the end of the last one of all warps, by the clock of the
multiprocessor: the least of RUNS launches. `each` is the time for one load, cycles / (warps * loads).
"""
import ctypes

LOADS, ROUNDS, RUNS = 32, 32, 20
cuda = ctypes.CDLL("libcuda.so.1")


def call(name, *args):
    error = getattr(cuda, name)(*args)
    assert error == 0, (name, error)


def kernel():
    loads = "".join(f"ld.volatile.shared.u32 %v{i}, [%a];\n" for i in range(LOADS))
    sums = "".join(f"add.u32 %s, %s, %v{i};\n" for i in range(LOADS))
    return f""".version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 stride) {{
.reg .u32 %v<{LOADS}>, %a, %b, %s, %t, %r, %n;
.reg .u64 %o, %c, %d;
.reg .pred %p;
.shared .align 16 .b8 mem[4096];
ld.param.u64 %o, [out];
ld.param.u32 %n, [stride];
mov.u32 %t, %laneid;
mul.lo.u32 %a, %t, %n;
shl.b32 %a, %a, 2;
mov.u32 %b, mem;
add.u32 %a, %a, %b;
mov.u32 %s, 0;
st.shared.u32 [%a], %t;
mov.u32 %r, {ROUNDS};
bar.sync 0;
mov.u64 %c, %clock64;
L: {loads}{sums}sub.u32 %r, %r, 1;
setp.ne.u32 %p, %r, 0;
@%p bra L;
bar.sync 0;
mov.u64 %d, %clock64;
sub.u64 %d, %d, %c;
st.global.u64 [%o], %d;
st.global.u32 [%o+8], %s;
}}
""".encode()


def main():
    context, module, function, out = (ctypes.c_void_p() for _ in range(4))
    name = ctypes.create_string_buffer(64)
    call("cuInit", 0)
    call("cuDeviceGetName", name, 64, 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    call("cuCtxSetCurrent", context)
    call("cuModuleLoadData", ctypes.byref(module), kernel())
    call("cuModuleGetFunction", ctypes.byref(function), module, b"k")
    call("cuMemAlloc_v2", ctypes.byref(out), ctypes.c_size_t(16))
    print("device,warps,stride,loads,cycles,each")
    for warps in (1, 4):
        for stride in (1, 2, 4, 8, 16, 32):
            least = None
            for _ in range(RUNS):
                n, cycles = ctypes.c_uint32(stride), ctypes.c_uint64()
                args = (ctypes.c_void_p * 2)(ctypes.addressof(out), ctypes.addressof(n))
                call("cuLaunchKernel", function, 1, 1, 1, 32 * warps, 1, 1, 0, None, args, None)
                call("cuCtxSynchronize")
                call("cuMemcpyDtoH_v2", ctypes.byref(cycles), out, ctypes.c_size_t(8))
                least = min(least or cycles.value, cycles.value)
            each = least / (warps * LOADS * ROUNDS)
            print(f"{name.value.decode()},{warps},{stride},{LOADS * ROUNDS},{least},{each:.2f}")


main()
