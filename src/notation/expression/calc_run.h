#ifndef LANEWAY_CALC_RUN_H
#define LANEWAY_CALC_RUN_H

/* What the rows of the calculator's table compute: one function each. */

#include "notation/expression/calc_table.h"

#define LW_CALC_RUN(name)                                                                          \
    bool name(const struct lw_calc_call *call, struct lw_calc_result *out, struct lw_error *err)

typedef LW_CALC_RUN(lw_calc_run);

/* calc_make.c, calc_queries.c */
lw_calc_run lw_calc_run_identity, lw_calc_run_strided, lw_calc_run_zeros, lw_calc_run_empty,
    lw_calc_run_from_bases, lw_calc_run_zeros_like, lw_calc_run_one, lw_calc_run_two,
    lw_calc_run_of_dim, lw_calc_run_resize, lw_calc_run_rename, lw_calc_run_transpose,
    lw_calc_run_reshape, lw_calc_run_sublayout, lw_calc_run_quotient, lw_calc_run_apply,
    lw_calc_run_basis, lw_calc_run_question, lw_calc_run_is_trivial, lw_calc_run_square,
    lw_calc_run_sublayout_is_zero, lw_calc_run_equal_but_sizes, lw_calc_run_consecutive,
    lw_calc_run_rank, lw_calc_run_free_masks, lw_calc_run_null_space, lw_calc_run_matrix,
    lw_calc_run_dims, lw_calc_run_dim_size, lw_calc_run_equal, lw_calc_run_action,
    lw_calc_run_permute, lw_calc_run_drop, lw_calc_run_for_divide, lw_calc_run_remove_broadcast,
    lw_calc_run_act, lw_calc_run_inverse, lw_calc_run_left_compose, lw_calc_run_is_identity,
    lw_calc_run_itself;

/* calc_cute.c, calc_cute_at.c: of a layout of CuTe, composition also of a swizzle alone */
lw_calc_run lw_calc_run_cute_number, lw_calc_run_cute_shape, lw_calc_run_cute_mode,
    lw_calc_run_cute_linear, lw_calc_run_cute_one, lw_calc_run_cute_profile,
    lw_calc_run_cute_complement, lw_calc_run_cute_inverse, lw_calc_run_cute_select,
    lw_calc_run_cute_group, lw_calc_run_cute_recast, lw_calc_run_cute_in_elements,
    lw_calc_run_cute_in_bytes, lw_calc_run_cute_thread_value, lw_calc_run_cute_composition,
    lw_calc_run_cute_max_common, lw_calc_run_cute_tiles, lw_calc_run_cute_blocked_product,
    lw_calc_run_make_layout, lw_calc_run_make_identity, lw_calc_run_make_tuple,
    lw_calc_run_cute_apply, lw_calc_run_make_ordered, lw_calc_run_cute_tile_to_shape,
    lw_calc_run_cute_append, lw_calc_run_cute_take, lw_calc_run_cute_local_tile;

/* The result of an operation on the layout inside, which keeps the swizzle; `inner` may be the value's own.
 * False when it was not made. */
bool lw_calc_answer_cute(const struct lw_calc_call *call, bool made,
                         const struct lw_cute_layout *inner, struct lw_calc_result *out);

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
