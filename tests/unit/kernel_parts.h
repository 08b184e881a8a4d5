#ifndef LANEWAY_TESTS_KERNEL_PARTS_H
#define LANEWAY_TESTS_KERNEL_PARTS_H

/* What kernel_test.c and kernel_problems_test.c share. */

#include "golden.h"
#include "notation_help.h"

#include "laneway/kernel.h"

#include <glob.h>
#include <time.h>
#include <unistd.h>

/* ---- Helpers ---- */

static inline void read_text(struct lw_kernel *kernel, const char *text,
                             const struct lw_kernel_options *options)
{
    struct lw_error err = {0};
    if (!lw_kernel_read(kernel, text, strlen(text), options, &err))
        fail_msg("%s", err.message);
}

static inline void has_no_problem(const struct lw_kernel *kernel)
{
    if (kernel->problems.total)
        fail_msg("%s:%d:%d: %s", kernel->name, kernel->problems.errors[0].position.line,
                 kernel->problems.errors[0].position.column, kernel->problems.errors[0].message);
}

static inline size_t count_of(const struct lw_kernel *kernel, const char *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->operation_count; i++)
        count += !strcmp(kernel->operations[i].kind->name, kind);
    return count;
}

static inline void is_at(const struct lw_location *location, const char *expected)
{
    struct lw_text text = {0};
    lw_location_print(&text, location, true);
    assert_string_equal(lw_text_string(&text), expected);
    lw_text_free(&text);
}

#define BLOCKED                                                                                    \
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order "  \
    "= [1, 0]}>"
#define HEAD "#b = " BLOCKED "\n#c = #ttg.slice<{dim = 0, parent = #b}>\n"

/* ---- Text ---- */

static const char small[] = HEAD
    "#loc = loc(\"k.py\":1:0)\n"
    "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 : i32, ttg.target = "
    "\"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\n"
    "  tt.func public @k(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc(\"p\"(#loc)), %n: i32 "
    "loc(#loc)) attributes {noinline = false} {\n"
    "    %c0 = arith.constant 0 : i32 loc(#loc)\n"
    "    %c7 = arith.constant 7 : i32 loc(#loc)\n"
    "    %c2 = arith.constant 2 : i32 loc(#loc)\n"
    "    %q = tt.splat %p : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>, #b> loc(#loc)\n"
    "    %m = ttg.local_alloc : () -> !ttg.memdesc<3x32x64xf16, #s, #smem, mutable> loc(#loc)\n"
    "    %r:2 = scf.for %i = %c0 to %c7 step %c2 iter_args(%a = %q, %k = %n) -> "
    "(tensor<32x64x!tt.ptr<f16>, #b>, i32)  : i32 {\n"
    "      %v = tt.load %a : tensor<32x64x!tt.ptr<f16>, #b> loc(#loc3)\n"
    "      scf.for %j = %c0 to %n step %c2  : i32 {\n"
    "        %w = ttg.memdesc_index %m[%j] : !ttg.memdesc<3x32x64xf16, #s, #smem, mutable> -> "
    "!ttg.memdesc<32x64xf16, #s, #smem, mutable> loc(#loc)\n"
    "        %x = ttg.async_copy_global_to_local %a, %w {contiguity = 8 : i32} : "
    "tensor<32x64x!tt.ptr<f16>, #b> -> <32x64xf16, #s, #smem, mutable> loc(#loc4)\n"
    "        scf.if %n {\n"
    "          ttg.local_store %v, %w : tensor<32x64xf16, #b> -> !ttg.memdesc<32x64xf16, #s, "
    "#smem, mutable> loc(\"in.py\":3:4)\n"
    "        } else {\n"
    "          %u = mine.own(%v) {way = #mine<x, y>} : (tensor<32x64xf16, #b>) -> tensor<64xf16, "
    "#c>\n"
    "        } loc(#loc)\n"
    "      } loc(#loc)\n"
    "      scf.yield %a, %k : tensor<32x64x!tt.ptr<f16>, #b>, i32 loc(#loc)\n"
    "    } loc(#loc5)\n"
    "    %e = \"tt.reduce\"(%v) <{axis = 0 : i32}> ({\n"
    "    ^bb0(%y: f32 loc(unknown), %z: f32 loc(unknown)):\n"
    "      %s = arith.addf %y, %z : f32 loc(#loc)\n"
    "      tt.reduce.return %s : f32 loc(#loc)\n"
    "    }) : (tensor<32x64xf16, #b>) -> tensor<64xf16, #c> loc(#loc6)\n"
    "    tt.return loc(#loc)\n"
    "  } loc(#loc)\n"
    "} loc(#loc)\n"
    "#s = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n"
    "#smem = #ttg.shared_memory\n"
    "#loc1 = loc(\"/a/k.py\":26:12)\n"
    "#loc2 = loc(\"k.py\":40:8)\n"
    "#loc3 = loc(\"v\"(#loc1))\n"
    "#loc4 = loc(callsite(#loc1 at callsite(#loc2 at \"main.py\":5:6)))\n"
    "#loc5 = loc(fused<#b>[unknown, #loc2])\n"
    "#loc6 = loc(\"e\"(#loc6))\n";

#endif
