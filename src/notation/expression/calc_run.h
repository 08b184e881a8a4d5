#ifndef LANEWAY_CALC_RUN_H
#define LANEWAY_CALC_RUN_H

/* What the rows of the calculator's table compute: one function each. */

#include "notation/expression/calc_table.h"

#define LW_CALC_RUN(name)                                                                          \
    bool name(const struct lw_calc_call *call, struct lw_calc_result *out, struct lw_error *err)

typedef LW_CALC_RUN(lw_calc_run);

/* calc_make.c, calc_queries.c */
lw_calc_run lw_calc_run_identity, lw_calc_run_strided, lw_calc_run_zeros, lw_calc_run_empty,
    lw_calc_run_from_bases, lw_calc_run_zeros_like, lw_calc_run_invert, lw_calc_run_pseudoinvert,
    lw_calc_run_flatten_ins, lw_calc_run_flatten_outs, lw_calc_run_product, lw_calc_run_compose,
    lw_calc_run_invert_and_compose, lw_calc_run_divide_left, lw_calc_run_divide_right,
    lw_calc_run_concat_ins, lw_calc_run_concat_outs, lw_calc_run_remove_zeros,
    lw_calc_run_unsqueeze_in, lw_calc_run_unsqueeze_out, lw_calc_run_resize_in,
    lw_calc_run_resize_out, lw_calc_run_rename_in, lw_calc_run_rename_out,
    lw_calc_run_transpose_ins, lw_calc_run_transpose_outs, lw_calc_run_reshape_ins,
    lw_calc_run_reshape_outs, lw_calc_run_sublayout, lw_calc_run_quotient, lw_calc_run_apply,
    lw_calc_run_basis, lw_calc_run_is_surjective, lw_calc_run_is_injective,
    lw_calc_run_is_invertible, lw_calc_run_is_trivial, lw_calc_run_square,
    lw_calc_run_sublayout_is_zero, lw_calc_run_equal_but_sizes, lw_calc_run_consecutive,
    lw_calc_run_rank, lw_calc_run_free_masks, lw_calc_run_null_space, lw_calc_run_image,
    lw_calc_run_matrix, lw_calc_run_in_dims, lw_calc_run_out_dims, lw_calc_run_in_size,
    lw_calc_run_out_size, lw_calc_run_equal, lw_calc_run_different, lw_calc_run_action,
    lw_calc_run_permute, lw_calc_run_drop, lw_calc_run_for_divide, lw_calc_run_remove_broadcast,
    lw_calc_run_act, lw_calc_run_inverse, lw_calc_run_left_compose, lw_calc_run_is_identity,
    lw_calc_run_itself;

/* calc_cute.c */
lw_calc_run lw_calc_run_cute_size, lw_calc_run_cute_cosize, lw_calc_run_cute_rank,
    lw_calc_run_cute_depth, lw_calc_run_cute_mode, lw_calc_run_cute_linear,
    lw_calc_run_cute_coalesce, lw_calc_run_cute_filter, lw_calc_run_cute_flatten,
    lw_calc_run_cute_complement, lw_calc_run_cute_right_inverse, lw_calc_run_cute_left_inverse,
    lw_calc_run_cute_select, lw_calc_run_cute_group, lw_calc_run_cute_recast,
    lw_calc_run_cute_in_elements, lw_calc_run_cute_in_bytes, lw_calc_run_cute_thread_value,
    lw_calc_run_cute_composition, lw_calc_run_cute_max_common, lw_calc_run_cute_logical_divide,
    lw_calc_run_cute_zipped_divide, lw_calc_run_cute_tiled_divide, lw_calc_run_cute_flat_divide,
    lw_calc_run_cute_logical_product, lw_calc_run_cute_zipped_product,
    lw_calc_run_cute_tiled_product, lw_calc_run_cute_flat_product, lw_calc_run_cute_blocked_product,
    lw_calc_run_cute_raked_product;

/* calc_cute_at.c */
lw_calc_run lw_calc_run_make_layout, lw_calc_run_make_identity, lw_calc_run_make_tuple,
    lw_calc_run_cute_apply;

/* calc_cute_make.c */
lw_calc_run lw_calc_run_make_ordered, lw_calc_run_cute_tile_to_shape, lw_calc_run_cute_append,
    lw_calc_run_cute_prepend, lw_calc_run_cute_filter_zeros, lw_calc_run_cute_take,
    lw_calc_run_cute_local_tile;

/* ---- Of CuTe ---- */

/* Fails when what a method is of is a swizzle alone. */
bool lw_calc_need_layout(const struct lw_calc_call *call, struct lw_error *err);
/* The result of an operation on the layout inside, which keeps the swizzle; `inner` may be the value's own. */
void lw_calc_answer_cute(const struct lw_calc_call *call, const struct lw_cute_layout *inner,
                         struct lw_calc_result *out);

static inline struct lw_cute_work lw_calc_work_of(const struct lw_calc_call *call,
                                                  struct lw_error *err)
{
    return (struct lw_cute_work){call->arena, err, call->steps, false};
}

/* ---- Arguments of a call, by their number ---- */

static inline const struct lw_layout *lw_calc_self(const struct lw_calc_call *call)
{
    return &call->self->as.layout;
}

static inline const struct lw_layout *lw_calc_layout(const struct lw_calc_call *call, int i)
{
    return &call->args[i].as.value->as.layout;
}

static inline uint64_t lw_calc_number(const struct lw_calc_call *call, int i, uint64_t otherwise)
{
    return call->args[i].given ? call->args[i].as.value->as.number : otherwise;
}

static inline const char *lw_calc_dim(const struct lw_calc_call *call, int i)
{
    return call->args[i].as.dims.name[0];
}

#endif
