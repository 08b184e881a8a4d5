/* The operations that move data. Source: the dialects of Triton 2.1 to 3.9 and their lowerings. */

#include "notation/mlir/operations.h"

#include <stdio.h>
#include <string.h>

static const struct lw_operation_kind kinds[] = {
    {"ttg.convert_layout", LW_ROLE_CONVERT, "registers to another layout"},
    {"amdg.in_thread_transpose", LW_ROLE_CONVERT, "a transpose inside each thread"},
    {"ttg.local_alloc", LW_ROLE_LOCAL_STORE, "registers to new shared memory"},
    {"ttg.local_store", LW_ROLE_LOCAL_STORE, "registers to shared memory"},
    {"ttg.local_load", LW_ROLE_LOCAL_LOAD, "shared memory to registers"},
    {"amdg.local_load_packed_transposed", LW_ROLE_LOCAL_LOAD_PACKED,
     "a transposing load of packed fp4"},
    {"amdg.local_load_packed_tranposed", LW_ROLE_LOCAL_LOAD_PACKED,
     "the same, as Triton up to 3.8 spells it"},
    {"ttng.async_shared_store", LW_ROLE_ASYNC_STORE, "registers to a cluster's shared memory"},
    {"tt.load", LW_ROLE_GLOBAL_LOAD, "global memory to registers"},
    {"amdg.buffer_load", LW_ROLE_GLOBAL_LOAD, "global memory to registers, by offsets"},
    {"tt.store", LW_ROLE_GLOBAL_STORE, "registers to global memory"},
    {"amdg.buffer_store", LW_ROLE_GLOBAL_STORE, "registers to global memory, by offsets"},
    {"tt.atomic_rmw", LW_ROLE_ATOMIC, "an atomic on global memory"},
    {"tt.atomic_cas", LW_ROLE_ATOMIC, "an atomic on global memory"},
    {"tt.atomic_load", LW_ROLE_ATOMIC, "an atomic load of global memory"},
    {"tt.atomic_store", LW_ROLE_ATOMIC, "an atomic store to global memory"},
    {"tt.atomic_poll", LW_ROLE_POLL, "waits until global memory has a value"},
    {"amdg.buffer_atomic_rmw", LW_ROLE_ATOMIC, "an atomic on global memory, by offsets"},
    {"amdg.buffer_atomic_cas", LW_ROLE_ATOMIC, "an atomic on global memory, by offsets"},
    {"ttg.async_copy_global_to_local", LW_ROLE_ASYNC_COPY, "global memory to shared memory"},
    {"ttg.insert_slice_async", LW_ROLE_ASYNC_COPY, "global memory to shared memory"},
    {"amdg.buffer_load_to_local", LW_ROLE_ASYNC_COPY, "global memory to shared memory"},
    {"amdg.async_copy_local_to_global", LW_ROLE_ASYNC_COPY, "shared memory to global memory"},
    {"tt.descriptor_load", LW_ROLE_TMA, "a tile by its descriptor"},
    {"tt.descriptor_store", LW_ROLE_TMA, "a tile by its descriptor"},
    {"tt.descriptor_reduce", LW_ROLE_TMA, "a tile by its descriptor"},
    {"tt.descriptor_gather", LW_ROLE_TMA, "rows by a descriptor"},
    {"tt.descriptor_scatter", LW_ROLE_TMA, "rows by a descriptor"},
    {"tt.experimental_descriptor_load", LW_ROLE_TMA, "a tile by its descriptor"},
    {"tt.experimental_descriptor_store", LW_ROLE_TMA, "a tile by its descriptor"},
    {"tt.experimental_descriptor_gather", LW_ROLE_TMA, "rows by a descriptor"},
    {"tt.experimental_descriptor_scatter", LW_ROLE_TMA, "rows by a descriptor"},
    {"nvws.descriptor_load", LW_ROLE_TMA, "a tile to shared memory by its descriptor"},
    {"nvws.descriptor_gather", LW_ROLE_TMA, "rows to shared memory by a descriptor"},
    {"ttng.insert_slice_tma", LW_ROLE_TMA, "a tile to shared memory"},
    {"ttng.insert_slice_async_v2", LW_ROLE_TMA, "a tile to shared memory"},
    {"ttng.store_async", LW_ROLE_TMA, "a tile from shared memory"},
    {"ttng.store_async_tma", LW_ROLE_TMA, "a tile from shared memory"},
    {"ttng.async_tma_copy_global_to_local", LW_ROLE_TMA, "a tile to shared memory"},
    {"ttng.async_tma_copy_local_to_global", LW_ROLE_TMA, "a tile from shared memory"},
    {"ttng.async_tma_reduce", LW_ROLE_TMA, "a tile from shared memory"},
    {"ttng.async_tma_gather", LW_ROLE_TMA, "rows to shared memory"},
    {"ttng.async_tma_scatter", LW_ROLE_TMA, "rows from shared memory"},
    {"amdg.async_tdm_copy_global_to_local", LW_ROLE_TMA, "a tile to shared memory"},
    {"amdg.async_tdm_copy_local_to_global", LW_ROLE_TMA, "a tile from shared memory"},
    {"amdg.async_tdm_fused_copy_global_to_local", LW_ROLE_TMA, "several tiles to shared memory"},
    {"amdg.async_tdm_gather", LW_ROLE_TMA, "rows to shared memory"},
    {"amdg.async_tdm_scatter", LW_ROLE_TMA, "rows from shared memory"},
    {"ttng.tensormap_create", LW_ROLE_DESCRIPTOR, "a descriptor, made in shared memory"},
    {"ttg.warp_specialize", LW_ROLE_PARTITIONS, "groups of warps run different code"},
    {"ttng.tmem_load", LW_ROLE_TMEM, "tensor memory to registers"},
    {"ttng.tmem_store", LW_ROLE_TMEM, "registers to tensor memory"},
    {"ttng.tmem_alloc", LW_ROLE_TMEM, "registers to new tensor memory"},
    {"ttng.tmem_copy", LW_ROLE_TMEM, "shared memory to tensor memory"},
    {"tt.trans", LW_ROLE_RELABEL, "the same registers, dims in another order"},
    {"ttg.memdesc_trans", LW_ROLE_RELABEL, "the same memory, dims in another order"},
    {"ttg.fp4_to_fp", LW_ROLE_ELEMENTWISE, "each thread unpacks its fp4"},
    {"amdg.scaled_upcast_fp4", LW_ROLE_ELEMENTWISE, "each thread unpacks and scales its fp4"},
    {"amdg.scaled_upcast_fp8", LW_ROLE_ELEMENTWISE, "each thread widens and scales its fp8"},
    {"amdg.scaled_downcast_fp4", LW_ROLE_ELEMENTWISE, "each thread scales and packs its fp4"},
    {"amdg.scaled_downcast_fp8", LW_ROLE_ELEMENTWISE, "each thread scales and narrows its fp8"},
    {"ttng.packed_arith", LW_ROLE_ELEMENTWISE, "arithmetic on pairs in a register"},
    {"tt.reduce", LW_ROLE_REDUCE, "a reduction along a dim"},
    {"tt.scan", LW_ROLE_REDUCE, "a scan along a dim"},
    {"tt.dot", LW_ROLE_DOT, "a product of matrices in registers"},
    {"tt.dot_scaled", LW_ROLE_DOT, "a product of scaled matrices in registers"},
    {"ttng.warp_group_dot", LW_ROLE_DOT_SHARED, "the tensor core reads shared memory"},
    {"ttng.dot_async", LW_ROLE_DOT_SHARED, "the tensor core reads shared memory"},
    {"ttng.tc_gen5_mma", LW_ROLE_DOT_SHARED, "the tensor core reads shared memory"},
    {"ttng.tc_gen5_mma_scaled", LW_ROLE_DOT_SHARED, "the tensor core reads shared memory"},
    {"tt.gather", LW_ROLE_INDEXED, "elements at indices"},
    {"tt.histogram", LW_ROLE_INDEXED, "counts at indices"},
    {"ttg.local_gather", LW_ROLE_INDEXED, "shared memory at indices"},
    {"ttg.local_scatter", LW_ROLE_INDEXED, "shared memory at indices"},
    {"ttg.local_atomic_scatter_rmw", LW_ROLE_INDEXED, "atomics on shared memory at indices"},
    {"ttg.local_atomic_scatter_add", LW_ROLE_INDEXED, "atomics on shared memory at indices"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The names of the dialects in older releases. */
static const char *const dialects[][2] = {
    {"triton_gpu.", "ttg."},
    {"triton_nvidia_gpu.", "ttng."},
    {"amdgpu.", "amdg."},
    {"nvidia_gpu.", "ttng."},
};

const struct lw_operation_kind *lw_operation_kinds(size_t *count)
{
    *count = KINDS;
    return kinds;
}

bool lw_operation_full_name(char full[LW_OPERATION_NAME_MAX], const char *name, size_t length)
{
    const char *dialect = "";
    const char *dot = length ? memchr(name, '.', length) : NULL; /* `name` may be NULL */
    size_t prefix = dot ? (size_t)(dot + 1 - name) : 0;
    for (size_t i = 0; prefix && i < sizeof dialects / sizeof *dialects; i++)
        if (strlen(dialects[i][0]) == prefix && !memcmp(name, dialects[i][0], prefix)) {
            dialect = dialects[i][1];
            name += prefix;
            length -= prefix;
            break;
        }
    size_t before = strlen(dialect);
    memset(full, 0, LW_OPERATION_NAME_MAX);
    if (!dot || before + length >= LW_OPERATION_NAME_MAX)
        return false;
    memcpy(full, dialect, before);
    memcpy(full + before, name, length);
    return true;
}

const struct lw_operation_kind *lw_operation_kind_find(const char *name, size_t length)
{
    char full[LW_OPERATION_NAME_MAX];
    if (!lw_operation_full_name(full, name, length))
        return NULL;
    for (size_t i = 0; i < KINDS; i++) /* most names differ in this letter */
        if (kinds[i].name[5] == full[5] && !strcmp(kinds[i].name, full))
            return &kinds[i];
    return NULL;
}
