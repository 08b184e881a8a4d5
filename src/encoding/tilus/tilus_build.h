#ifndef LANEWAY_TILUS_BUILD_H
#define LANEWAY_TILUS_BUILD_H

/*
 * What the rows of tilus share. A row of the registry is one function of tilus: its parameters and
 * `evaluate`, which reads the arguments of a call and makes the layout:
 *
 *     static bool eval_squeeze(const struct lw_tilus_call *call, union lw_tilus_layout *out)
 *     {
 *         struct lw_sizes dims;
 *         return lw_tilus_take_layout(call, "layout", out) &&
 *                lw_tilus_take_list(call, "dims", &dims) &&
 *                lw_tilus_squeeze(&out->registers, &out->registers, &dims, call->err);
 *     }
 *
 * A nested layout is of the family of the call itself: registers, or shared memory.
 */

#include "core/array_count.h"
#include "encoding/tilus/tilus_shared.h"

/* A call that is being evaluated. */
struct lw_tilus_call {
    const struct lw_encoding *encoding;
    int depth; /* of calls around it */
    struct lw_error *err;
};

union lw_tilus_layout {
    struct lw_tilus registers;     /* of LW_FAMILY_TILUS_REGISTER */
    struct lw_tilus_shared shared; /* of LW_FAMILY_TILUS_SHARED */
};

/* ---- Arguments ---- */

/* The nested layout of that name; fails when it is not set. */
bool lw_tilus_take_layout(const struct lw_tilus_call *call, const char *name,
                          union lw_tilus_layout *out);
/* The list of that name; empty when it is not set. */
bool lw_tilus_take_list(const struct lw_tilus_call *call, const char *name, struct lw_sizes *out);
/* Fails when a mode has size 1: the classes of tilus use their lists unchanged. `function` drops such modes. */
bool lw_tilus_refuse_ones(const struct lw_sizes *modes, const char *function, struct lw_error *err);

/* ---- Rows ---- */

/* The members of a row that all functions of tilus share, of one family. */
#define LW_TILUS_ROW(FAMILY, TABLE, EVALUATE)                                                      \
    .family = FAMILY, .spelling = LW_SPELLING_CALL, .params = TABLE,                               \
    .param_count = LW_COUNT(TABLE), .nested_tensor = lw_tilus_nested_tensor, .evaluate = EVALUATE, \
    .check = lw_tilus_check, .build = lw_tilus_build
/* The same for a row whose `evaluate` calls a function: the member `kind` of the union. */
union lw_tilus_function {
    bool (*make)(struct lw_tilus *out, const struct lw_sizes *shape, const struct lw_sizes *ranks,
                 struct lw_error *err);
    bool (*combine)(struct lw_tilus *out, const struct lw_tilus *a, const struct lw_tilus *b,
                    struct lw_error *err);
    bool (*transform)(struct lw_tilus *out, const struct lw_tilus *layout,
                      const struct lw_sizes *list, struct lw_error *err);
    bool (*shared_make)(struct lw_tilus_shared *out, const struct lw_sizes *shape,
                        struct lw_error *err);
    bool (*shared_transform)(struct lw_tilus_shared *out, const struct lw_tilus_shared *layout,
                             const struct lw_sizes *list, struct lw_error *err);
};
#define LW_TILUS_ROW_OF(ROW, KIND, FUNCTION)                                                       \
    ROW, .function = &(const union lw_tilus_function)                                              \
    {                                                                                              \
        .KIND = FUNCTION                                                                           \
    }
#define LW_TILUS_LAYOUT(NAME, HELP)                                                                \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_ENCODING, .help = HELP                                      \
    }
/* A list of numbers that must be set. */
#define LW_TILUS_LIST(NAME, MIN, MAX, HELP)                                                        \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGERS, .min = MIN, .max = MAX, .help = HELP              \
    }
#define LW_TILUS_NUMBER(NAME, MIN, MAX, HELP)                                                      \
    {                                                                                              \
        .name = NAME, .type = LW_PARAM_INTEGER, .min = MIN, .max = MAX, .help = HELP               \
    }
/* Sizes that are arguments of their own: spatial(8, 4). There may be none. */
#define LW_TILUS_SIZES(HELP)                                                                       \
    {                                                                                              \
        .name = "shape", .type = LW_PARAM_INTEGERS, .min = 1, .max = LW_TILUS_INDEX_MODES,         \
        .fallback = LW_DEFAULT_EMPTY, .help = HELP                                                 \
    }
bool lw_tilus_nested_tensor(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                            struct lw_tensor *nested, struct lw_error *err);
bool lw_tilus_check(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_error *err);
bool lw_tilus_build(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                    struct lw_map *map, struct lw_error *err);

#endif
