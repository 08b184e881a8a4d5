/* The tilus functions that make a register layout from numbers: their rows of the registry. */

#include "encoding/schema/types.h"
#include "encoding/tilus/tilus_build.h"

#define ROW(TABLE, EVALUATE) LW_TILUS_ROW(LW_FAMILY_TILUS_REGISTER, TABLE, EVALUATE)

/* The layout before the dot, as in x.spatial(8, 4). */
#define BASE                                                                                       \
    {                                                                                              \
        .name = "base", .type = LW_PARAM_ENCODING, .fallback = LW_DEFAULT_ABSENT,                  \
        .help = "the layout it is chained to, whose elements become tiles of this one"             \
    }
#define RANKS                                                                                      \
    {                                                                                              \
        .name = "ranks", .type = LW_PARAM_INTEGERS, .rules = LW_RULE_PERMUTATION,                  \
        .fallback = LW_DEFAULT_ABSENT,                                                             \
        .help = "for each dim its rank in the order: 0 varies slowest; default row-major"          \
    }

/* ---- spatial, local and their variants ---- */

/* Makes a layout of the sizes; when `base` is set that is the outer layout. `ranks` may be NULL. */
static bool make_ranked(const struct lw_tilus_call *call, const struct lw_sizes *shape,
                        const struct lw_sizes *ranks, struct lw_tilus *out)
{
    union lw_tilus_layout outer;
    if (!call->encoding->type->function->make(out, shape, ranks, call->err))
        return false;
    return !lw_encoding_is_set(call->encoding, "base") ||
           (lw_tilus_take_layout(call, "base", &outer) &&
            lw_tilus_compose(out, &outer.registers, out, call->err));
}

#define MAKE(TABLE, FUNCTION) LW_TILUS_ROW_OF(ROW(TABLE, make), make, FUNCTION)
static bool make(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape, ranks;
    bool ranked = lw_encoding_is_set(call->encoding, "ranks");
    return lw_tilus_take_list(call, "shape", &shape) && lw_tilus_take_list(call, "ranks", &ranks) &&
           make_ranked(call, &shape, ranked ? &ranks : NULL, &out->registers);
}

/* The first dim varies fastest. */
#define MAKE_COLUMN(TABLE, FUNCTION) LW_TILUS_ROW_OF(ROW(TABLE, make_column), make, FUNCTION)
static bool make_column(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape, ranks = {0};
    if (!lw_tilus_take_list(call, "shape", &shape))
        return false;
    for (int i = shape.count - 1; i >= 0; i--)
        lw_sizes_push(&ranks, i);
    return make_ranked(call, &shape, &ranks, &out->registers);
}

static const struct lw_param spatial_params[] = {
    BASE,
    LW_TILUS_SIZES("threads along each dim"),
    RANKS,
};

const struct lw_encoding_type lw_encoding_spatial = {
    .name = "spatial",
    .title = "one element per thread, row-major",
    .about = "Spreads a tile over threads: spatial(8, 4) gives each of 32 threads one element of "
             "an 8 x 4 tile, numbered row after row. With ranks the dims are numbered in another "
             "order. Chained to a layout, as in local(2, 1).spatial(8, 4), the tile "
             "replaces each of its elements.",
    .example = "spatial(8, 4)",
    MAKE(spatial_params, lw_tilus_spatial),
};

static const struct lw_param column_spatial_params[] = {
    BASE,
    LW_TILUS_SIZES("threads along each dim"),
};

const struct lw_encoding_type lw_encoding_column_spatial = {
    .name = "column_spatial",
    .title = "one element per thread, column-major",
    .about = "Spreads a tile over threads, numbered column after column: the first dim varies "
             "fastest. It is spatial with the ranks reversed.",
    .example = "column_spatial(2, 3)",
    MAKE_COLUMN(column_spatial_params, lw_tilus_spatial),
};

static const struct lw_param local_params[] = {
    BASE,
    LW_TILUS_SIZES("elements along each dim that a thread holds"),
    RANKS,
};

const struct lw_encoding_type lw_encoding_local = {
    .name = "local",
    .title = "elements of one thread, row-major",
    .about = "Gives a whole tile to one thread: local(3, 4) puts 12 elements into its registers, "
             "row after row. Chained to a layout, every thread gets such a tile where it had one "
             "element. The accumulator of mma m16n8k16 is local(2, 1).spatial(8, 4).local(1, 2).",
    .example = "local(3, 4)",
    MAKE(local_params, lw_tilus_local),
};

static const struct lw_param column_local_params[] = {
    BASE,
    LW_TILUS_SIZES("elements along each dim that a thread holds"),
};

const struct lw_encoding_type lw_encoding_column_local = {
    .name = "column_local",
    .title = "elements of one thread, column-major",
    .about = "Gives a whole tile to one thread, column after column: the first dim varies fastest. "
             "It is local with the ranks reversed.",
    .example = "column_local(2, 3)",
    MAKE_COLUMN(column_local_params, lw_tilus_local),
};

const struct lw_encoding_type lw_encoding_repeat = {
    .name = "repeat",
    .title = "the older name of local",
    .about = "The same as local; expressions written for older releases of tilus use this name.",
    .example = "repeat(2, 1).spatial(8, 4).repeat(1, 2)",
    MAKE(local_params, lw_tilus_local),
};

/* ---- replicated, auto_local_spatial ---- */

static const struct lw_param replicated_params[] = {
    LW_TILUS_SIZES("the shape of the tensor"),
    LW_TILUS_NUMBER("num_workers", 1, LW_TILUS_INDEX_MODES, "the number of threads hold a copy"),
};

static bool eval_replicated(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return lw_tilus_take_list(call, "shape", &shape) &&
           lw_tilus_replicated(&out->registers, &shape,
                               lw_encoding_integer(call->encoding, "num_workers"), call->err);
}

const struct lw_encoding_type lw_encoding_replicated = {
    .name = "replicated",
    .title = "every thread holds the whole tensor",
    .about = "Each of num_workers threads holds all elements, row after row: the layout of a value "
             "that every thread needs.",
    .example = "replicated(2, 3, num_workers=4)",
    ROW(replicated_params, eval_replicated),
};

static const struct lw_param auto_local_spatial_params[] = {
    LW_TILUS_NUMBER("num_threads", 1, LW_TILUS_INDEX_MODES,
                    "the number of threads share the tensor"),
    LW_TILUS_LIST("shape", 1, LW_TILUS_INDEX_MODES, "the shape of the tensor"),
};

static bool eval_auto_local_spatial(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_sizes shape;
    return lw_tilus_take_list(call, "shape", &shape) &&
           lw_tilus_auto_local_spatial(&out->registers,
                                       lw_encoding_integer(call->encoding, "num_threads"), &shape,
                                       call->err);
}

const struct lw_encoding_type lw_encoding_auto_local_spatial = {
    .name = "auto_local_spatial",
    .title = "a shape divided among threads",
    .about = "Finds a layout local(...).spatial(...) of that shape for that many threads: the "
             "threads go to the last dims first, as many as divide them. Threads that are left "
             "over hold copies.",
    .example = "auto_local_spatial(num_threads=32, shape=[16, 16])",
    ROW(auto_local_spatial_params, eval_auto_local_spatial),
};

/* ---- The four lists themselves ---- */

static const struct lw_param lists[] = {
    LW_TILUS_LIST("shape", 1, LW_TILUS_INDEX_MODES, "the shape of the tensor"),
    LW_TILUS_LIST("mode_shape", 1, LW_TILUS_INDEX_MODES,
                  "the size of each mode: the modes of a dim multiply to its size"),
    LW_TILUS_LIST("spatial_modes", -LW_TILUS_INDEX_MODES, LW_MODES_MAX - 1,
                  "the modes that number the thread, slowest first; -r: r threads hold a copy"),
    LW_TILUS_LIST("local_modes", 0, LW_MODES_MAX - 1,
                  "the modes that number the elements of a thread, slowest first"),
};

static bool take_lists(const struct lw_tilus_call *call, struct lw_tilus *made)
{
    return lw_tilus_take_list(call, "shape", &made->shape) &&
           lw_tilus_take_list(call, "mode_shape", &made->mode_shape) &&
           lw_tilus_take_list(call, "spatial_modes", &made->spatial_modes) &&
           lw_tilus_take_list(call, "local_modes", &made->local_modes);
}

static bool eval_RegisterLayout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    return take_lists(call, &out->registers) && lw_tilus_validate(&out->registers, call->err) &&
           lw_tilus_refuse_ones(&out->registers.mode_shape, "register_layout", call->err);
}

const struct lw_encoding_type lw_encoding_RegisterLayout = {
    .name = "RegisterLayout",
    .title = "a register layout by its modes",
    .about = "The form in which tilus prints a layout. The shape is cut into modes, the digits of "
             "every index; each mode is part of the thread's number or of the element's index in "
             "that thread. The lists are kept as they are; register_layout brings them to "
             "canonical form.",
    .example = "RegisterLayout(shape=[4, 6], mode_shape=[2, 2, 3, 2], spatial_modes=[0, 2], "
               "local_modes=[3, 1])",
    ROW(lists, eval_RegisterLayout),
};

static bool eval_register_layout(const struct lw_tilus_call *call, union lw_tilus_layout *out)
{
    struct lw_tilus made;
    return take_lists(call, &made) && lw_tilus_make(&out->registers, &made, call->err);
}

const struct lw_encoding_type lw_encoding_register_layout = {
    .name = "register_layout",
    .title = "a register layout by its modes, in canonical form",
    .about = "The same as RegisterLayout in canonical form: modes of size 1 are dropped, and "
             "neighbouring modes that stay neighbours become one. Modes of size 1 are allowed.",
    .example = "register_layout(shape=[4, 4], mode_shape=[2, 2, 4], spatial_modes=[0, 1], "
               "local_modes=[2])",
    ROW(lists, eval_register_layout),
};
