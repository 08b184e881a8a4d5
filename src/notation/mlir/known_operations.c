/* The other operations of Triton: those that move no data between threads, or only pointers and descriptors.
 *
 * Source: the operations that the dialects of Triton 3.7 to 3.9 register (tests/golden/triton_operations.tsv), and
 * those of older releases in the files *Ops.td of its history. The dialects of its tools (proton, tti) are left out:
 * they time and check a kernel. So is amdgpu, as MLIR has a dialect of that name too. */

#include "notation/mlir/operations.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"amdg.arrive_barrier",
                                    "amdg.async_copy_mbarrier_arrive",
                                    "amdg.async_tdm_intrinsic_wait",
                                    "amdg.async_tdm_wait",
                                    "amdg.async_wait",
                                    "amdg.cluster_barrier_arrive",
                                    "amdg.cluster_barrier_wait",
                                    "amdg.concat",
                                    "amdg.cond_barrier",
                                    "amdg.extract_slice",
                                    "amdg.init_barrier",
                                    "amdg.instruction_sched_hint",
                                    "amdg.masked_load",
                                    "amdg.masked_store",
                                    "amdg.memory_counter_wait",
                                    "amdg.tdm_prefetch",
                                    "amdg.upcast_mxfp",
                                    "amdg.update_tensor_descriptor",
                                    "amdg.wait_barrier",
                                    "gluon.set_auto_layout",
                                    "nvws.aref.buffer",
                                    "nvws.aref.create",
                                    "nvws.aref.destroy",
                                    "nvws.aref.get",
                                    "nvws.aref.get.enter",
                                    "nvws.aref.get.exit",
                                    "nvws.aref.phi",
                                    "nvws.aref.put",
                                    "nvws.aref.put.enter",
                                    "nvws.aref.put.exit",
                                    "nvws.aref.return",
                                    "nvws.async_complete",
                                    "nvws.clc_try_cancel",
                                    "nvws.consumer_release",
                                    "nvws.consumer_wait",
                                    "nvws.create_token",
                                    "nvws.producer_acquire",
                                    "nvws.producer_commit",
                                    "nvws.warp_group",
                                    "nvws.warp_group.return",
                                    "nvws.warp_group.yield",
                                    "tt.addptr",
                                    "tt.advance",
                                    "tt.approx_divf",
                                    "tt.assert",
                                    "tt.bitcast",
                                    "tt.broadcast",
                                    "tt.call",
                                    "tt.cat",
                                    "tt.clampf",
                                    "tt.elementwise_inline_asm",
                                    "tt.expand_dims",
                                    "tt.experimental_descriptor_gather",
                                    "tt.experimental_descriptor_scatter",
                                    "tt.experimental_interleave",
                                    "tt.experimental_join",
                                    "tt.experimental_split",
                                    "tt.ext_elemwise",
                                    "tt.extern_elementwise",
                                    "tt.fp_to_fp",
                                    "tt.func",
                                    "tt.get_num_programs",
                                    "tt.get_program_id",
                                    "tt.grid_dependency_launch_dependents",
                                    "tt.grid_dependency_wait",
                                    "tt.impure_extern_elementwise",
                                    "tt.int_to_ptr",
                                    "tt.join",
                                    "tt.make_range",
                                    "tt.make_tensor_descriptor",
                                    "tt.make_tensor_ptr",
                                    "tt.map_elementwise",
                                    "tt.map_elementwise.return",
                                    "tt.mulhiui",
                                    "tt.precise_divf",
                                    "tt.precise_sqrt",
                                    "tt.print",
                                    "tt.printf",
                                    "tt.ptr_to_int",
                                    "tt.pure_extern_elementwise",
                                    "tt.reduce.return",
                                    "tt.reinterpret_tensor_descriptor",
                                    "tt.reshape",
                                    "tt.return",
                                    "tt.scan.return",
                                    "tt.splat",
                                    "tt.split",
                                    "tt.unsplat",
                                    "tt.view",
                                    "ttg.alloc_tensor",
                                    "ttg.async_bulk_commit_group",
                                    "ttg.async_bulk_wait",
                                    "ttg.async_commit_group",
                                    "ttg.async_wait",
                                    "ttg.barrier",
                                    "ttg.cmpf",
                                    "ttg.cmpi",
                                    "ttg.dealloc_tensor",
                                    "ttg.extract_slice",
                                    "ttg.global_scratch_alloc",
                                    "ttg.inline_asm",
                                    "ttg.insert_slice",
                                    "ttg.local_atomic_scatter_add",
                                    "ttg.local_barrier",
                                    "ttg.local_dealloc",
                                    "ttg.mask",
                                    "ttg.mask.return",
                                    "ttg.memdesc_index",
                                    "ttg.memdesc_reinterpret",
                                    "ttg.memdesc_reshape",
                                    "ttg.memdesc_subslice",
                                    "ttg.memdesc_subview",
                                    "ttg.predicate_stage",
                                    "ttg.select",
                                    "ttg.upcast_mxfp",
                                    "ttg.warp_id",
                                    "ttg.warp_return",
                                    "ttg.warp_specialize",
                                    "ttg.warp_specialize.partitions",
                                    "ttg.warp_yield",
                                    "ttng.alloc_mbarrier",
                                    "ttng.arrive_barrier",
                                    "ttng.async_copy_mbarrier_arrive",
                                    "ttng.async_tma_store_wait",
                                    "ttng.bar_arrive",
                                    "ttng.bar_wait",
                                    "ttng.barrier_expect",
                                    "ttng.clc_get_program_id",
                                    "ttng.clc_is_canceled",
                                    "ttng.clc_load_result",
                                    "ttng.clc_try_cancel",
                                    "ttng.clc_try_cancel_sync",
                                    "ttng.cluster_arrive",
                                    "ttng.cluster_barrier",
                                    "ttng.cluster_wait",
                                    "ttng.consumer_release",
                                    "ttng.consumer_wait",
                                    "ttng.create_mutex",
                                    "ttng.create_token",
                                    "ttng.dot_wait",
                                    "ttng.extract_mbarrier",
                                    "ttng.fence_async_shared",
                                    "ttng.fence_mbarrier_init_release_cluster",
                                    "ttng.get_agent_id",
                                    "ttng.get_canonical_warp_id",
                                    "ttng.get_cluster_cta_id",
                                    "ttng.get_mutex_role_id",
                                    "ttng.get_thread_id",
                                    "ttng.init_barrier",
                                    "ttng.insert_slice_async_v2",
                                    "ttng.insert_slice_tma",
                                    "ttng.inval_barrier",
                                    "ttng.lock",
                                    "ttng.mbarrier_arrive",
                                    "ttng.mbarrier_wait",
                                    "ttng.producer_acquire",
                                    "ttng.producer_commit",
                                    "ttng.reg_alloc",
                                    "ttng.reg_dealloc",
                                    "ttng.reinterpret_tensor_descriptor",
                                    "ttng.store_async",
                                    "ttng.store_async_tma",
                                    "ttng.tc_gen5_commit",
                                    "ttng.tensor_desc_to_tma_ptr",
                                    "ttng.tensormap_create",
                                    "ttng.tensormap_fenceproxy_acquire",
                                    "ttng.tmem_subslice",
                                    "ttng.tmem_wait",
                                    "ttng.unlock",
                                    "ttng.wait_barrier",
                                    "ttng.warp_group_dot_wait"};
enum { NAMES = sizeof names / sizeof *names };

/* The dialects, with their names in older releases. */
static const char *const dialects[] = {
    "tt.",         "ttg.",  "ttng.", "amdg.", "nvws.", "triton_gpu.", "triton_nvidia_gpu.",
    "nvidia_gpu.", "gluon."};

static int compare(const void *key, const void *row)
{
    return strcmp(key, *(const char *const *)row);
}

bool lw_operation_is_unknown(const char *name, size_t length)
{
    char full[LW_OPERATION_NAME_MAX];
    bool own = false;
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects && !own; i++)
        own = length > strlen(dialects[i]) && !memcmp(name, dialects[i], strlen(dialects[i]));
    if (!own || !lw_operation_full_name(full, name, length))
        return own;
    return !bsearch(full, names, NAMES, sizeof *names, compare) &&
           !lw_operation_kind_find(name, length);
}

/* The names of one dialect in both lists. */
struct of_dialect {
    const char *dialect; /* with its dot */
    const struct lw_operation_kind *kinds;
};

static const char *name_at(const void *context, size_t i)
{
    const struct of_dialect *of = context;
    const char *name = i < NAMES ? names[i] : of->kinds[i - NAMES].name;
    size_t length = strlen(of->dialect);
    return strncmp(name, of->dialect, length) ? "" : name + length;
}

const char *lw_operation_nearest(const char *name, size_t length)
{
    char full[LW_OPERATION_NAME_MAX], dialect[LW_OPERATION_NAME_MAX];
    size_t count;
    struct of_dialect of = {dialect, lw_operation_kinds(&count)};
    if (!lw_operation_full_name(full, name, length))
        return NULL;
    size_t prefix = (size_t)(strchr(full, '.') + 1 - full);
    memcpy(dialect, full, prefix);
    dialect[prefix] = '\0';
    const char *near = lw_text_nearest(full + prefix, NAMES + count, name_at, &of);
    return near && *near ? near - prefix : NULL;
}
