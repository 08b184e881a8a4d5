/*
 * The operations of Triton: those that move data, and the names of all others, which move none between threads, or only
 * pointers and descriptors.
 *
 * Source: the dialects of Triton 2.1 to 3.9 and their lowerings; the operations that the dialects of Triton 3.7 to 3.9
 * register (tests/golden/triton_operations.tsv), and those of older releases in the files *Ops.td of its history. The
 * dialects of its tools (proton, tti) are left out: they time and check a kernel. So is amdgpu, as MLIR has a dialect
 * of that name too.
 */

#include "notation/mlir/operations.h"
#include "notation/document/read.h"

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

/* The names of the other operations, by dialect, separated by blanks. */
static const struct {
    const char *dialect, *names;
} others[] = {
    {"amdg", "arrive_barrier async_copy_mbarrier_arrive async_tdm_intrinsic_wait async_tdm_wait "
             "async_wait cluster_barrier_arrive cluster_barrier_wait concat cond_barrier "
             "extract_slice init_barrier instruction_sched_hint masked_load masked_store "
             "memory_counter_wait tdm_prefetch upcast_mxfp update_tensor_descriptor "
             "wait_barrier"},
    {"gluon", "set_auto_layout"},
    {"nvws", "aref.buffer aref.create aref.destroy aref.get aref.get.enter aref.get.exit "
             "aref.phi aref.put aref.put.enter aref.put.exit aref.return async_complete "
             "clc_try_cancel consumer_release consumer_wait create_token producer_acquire "
             "producer_commit warp_group warp_group.return warp_group.yield"},
    {"tt", "addptr advance approx_divf assert bitcast broadcast call cat clampf "
           "elementwise_inline_asm expand_dims experimental_descriptor_gather "
           "experimental_descriptor_scatter experimental_interleave experimental_join "
           "experimental_split ext_elemwise extern_elementwise fp_to_fp func get_num_programs "
           "get_program_id grid_dependency_launch_dependents grid_dependency_wait "
           "impure_extern_elementwise int_to_ptr join make_range make_tensor_descriptor "
           "make_tensor_ptr map_elementwise map_elementwise.return mulhiui precise_divf "
           "precise_sqrt print printf ptr_to_int pure_extern_elementwise reduce.return "
           "reinterpret_tensor_descriptor reshape return scan.return splat split unsplat view"},
    {"ttg", "alloc_tensor async_bulk_commit_group async_bulk_wait async_commit_group "
            "async_wait barrier cmpf cmpi dealloc_tensor extract_slice global_scratch_alloc "
            "inline_asm insert_slice local_atomic_scatter_add local_barrier local_dealloc mask "
            "mask.return memdesc_index memdesc_reinterpret memdesc_reshape memdesc_subslice "
            "memdesc_subview predicate_stage select upcast_mxfp warp_id warp_return "
            "warp_specialize warp_specialize.partitions warp_yield"},
    {"ttng", "alloc_mbarrier arrive_barrier async_copy_mbarrier_arrive async_tma_store_wait "
             "bar_arrive bar_wait barrier_expect clc_get_program_id clc_is_canceled "
             "clc_load_result clc_try_cancel clc_try_cancel_sync cluster_arrive cluster_barrier "
             "cluster_wait consumer_release consumer_wait create_mutex create_token dot_wait "
             "extract_mbarrier fence_async_shared fence_mbarrier_init_release_cluster "
             "get_agent_id get_canonical_warp_id get_cluster_cta_id get_mutex_role_id "
             "get_thread_id init_barrier insert_slice_async_v2 insert_slice_tma inval_barrier "
             "lock mbarrier_arrive mbarrier_wait producer_acquire producer_commit reg_alloc "
             "reg_dealloc reinterpret_tensor_descriptor store_async store_async_tma "
             "tc_gen5_commit tensor_desc_to_tma_ptr tensormap_create "
             "tensormap_fenceproxy_acquire tmem_subslice tmem_wait unlock wait_barrier "
             "warp_group_dot_wait"},
};
enum { DIALECTS = sizeof others / sizeof *others };

/* The names of the dialects in older releases. */
static const char *const dialects[][2] = {
    {"triton_gpu.", "ttg."},
    {"triton_nvidia_gpu.", "ttng."},
    {"amdgpu.", "amdg."},
    {"nvidia_gpu.", "ttng."},
};

#define NAME_MAX_BYTES 64 /* more than any name of Triton's, with the NUL */

/* Sets `full` to a name as Triton 3.9 writes it, with the dialect's newest name. False: it has no dialect. */
static bool full_name(char full[NAME_MAX_BYTES], const char *name, size_t length)
{
    const char *dialect = "";
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (length && lw_starts(name, length, dialects[i][0])) { /* `name` may be NULL */
            dialect = dialects[i][1];
            name += strlen(dialects[i][0]);
            length -= strlen(dialects[i][0]);
            break;
        }
    memset(full, 0, NAME_MAX_BYTES);
    snprintf(full, NAME_MAX_BYTES, "%s%.*s", dialect, (int)(length < 99 ? length : 99),
             length ? name : "");
    return strchr(full, '.') != NULL;
}

const struct lw_operation_kind *lw_operation_kind_find(const char *name, size_t length)
{
    char full[NAME_MAX_BYTES];
    if (!full_name(full, name, length))
        return NULL;
    for (size_t i = 0; i < KINDS; i++) /* most names differ in this letter */
        if (kinds[i].name[5] == full[5] && !strcmp(kinds[i].name, full))
            return &kinds[i];
    return NULL;
}

bool lw_operation_is_unknown(const char *name, size_t length)
{
    char full[NAME_MAX_BYTES];
    if (!full_name(full, name, length) || lw_starts(name, length, "amdgpu."))
        return false;
    const char *dot = strchr(full, '.');
    for (size_t i = 0; i < DIALECTS && dot[1]; i++)
        if (strlen(others[i].dialect) == (size_t)(dot - full) &&
            lw_starts(full, strlen(full), others[i].dialect))
            return !lw_text_has_word(others[i].names, dot + 1) &&
                   !lw_operation_kind_find(name, length);
    return false;
}
