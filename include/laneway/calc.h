#ifndef LANEWAY_CALC_H
#define LANEWAY_CALC_H

/*
 * The layout calculator: expressions over linear layouts, and over layouts of CuTe.
 *
 *     A.invertAndCompose(B)
 *     (identity1D(4, register, dim0) * identity1D(8, lane, dim0)).divideLeft(A)
 *     A.transposeOuts([dim1, dim0]).reshapeIns({register: 4, lane: 32}).isInvertible()
 *     A * empty() == A
 *
 * A name is a layout that the caller bound to it, text in quotes is any SOURCE (document.h), and an
 * object {...} is a layout document or what `bases --json` prints. Operations are functions
 * `name(...)`, methods `x.name(...)` and the operators `*`, `==` and `!=`. They have the names of
 * Triton's LinearLayout; invertAndCompose may be written invert_and_compose, and a name that begins
 * with `get` also without it. A method may be called as a function: divideLeft(A, B).
 *
 * Layouts of CuTe (cute.h) are written as CuTe prints them, and their algebra has CuTe's names:
 *
 *     composition((4,8):(8,1), (2,2):(1,4))
 *     zipped_divide((8,16):(16,1), (4:1, 8:2))
 *     Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)
 *
 * There a tuple is a shape, a tile, or a tiler for each mode; where an operation needs a layout, a
 * shape is read as its compact layout; `_` leaves a mode as it is.
 *
 * A text that calls a function of tilus which makes a layout from numbers is a whole expression of
 * tilus, with its operators and statements, or two of them compared:
 *
 *     local(2, 1) * spatial(8, 4) / spatial(8, 4)
 *     x = local(2, 1); x.spatial(8, 4) == local(2, 1) * spatial(8, 4)
 *
 * Arguments are expressions, or have the form that the operation needs: a dim is written as its
 * name, dims as [dim1, dim0], sizes as [[register, 4], [lane, 8]] or {register: 4, lane: 8}, a
 * point as register=3, lane=5 (dims that are left out are 0).
 *
 * The operations are rows of tables, which drive the reader, the messages and the help.
 */

#include "laneway/algebra.h"
#include "laneway/descriptor.h"
#include "laneway/triton.h"

LW_BEGIN

struct lw_cute_mma_atom;
struct lw_cute_copy_atom;
struct lw_cute_tiled_mma;
struct lw_cute_tiled_copy;

/* ---- Results ---- */

/* The kind of a result. */
enum lw_calc_kind {
    LW_CALC_NONE, /* there is no such layout: a result, not an error */
    LW_CALC_LAYOUT,
    LW_CALC_TRUTH,
    LW_CALC_POINT,  /* a number for each of some dims: an image, masks */
    LW_CALC_POINTS, /* several, as a basis of a null space */
    LW_CALC_MATRIX,
    LW_CALC_DIMS, /* names and sizes */
    LW_CALC_TREE, /* a number, a tuple, a layout of CuTe, or another leaf (cute.h) */
    LW_CALC_ACTION,
    LW_CALC_TILUS, /* a register or shared layout of tilus */
    LW_CALC_SWIZZLE,
    LW_CALC_ATOM, /* an atom of CuTe, of MMA or a copy */
    LW_CALC_MMA,  /* a tiled MMA, or that of one thread */
    LW_CALC_COPY, /* a tiled copy, or that of one thread */
    LW_CALC_DESCRIPTOR,
    LW_CALC_TENSOR_MAP
};

/* An atom or a tiling: one of the four, whose contents are private. */
struct lw_calc_tiling {
    const struct lw_cute_mma_atom *mma_atom;
    const struct lw_cute_copy_atom *copy_atom;
    const struct lw_cute_tiled_mma *mma;
    const struct lw_cute_tiled_copy *copy;
    int64_t thread; /* of MMA, COPY: the thread that get_slice chose; -1: none */
};

/* A result: a plain value with nothing to free. What TREE, TILUS, ATOM, MMA and COPY point to is in
 * the arena of the work. */
struct lw_calc_result {
    enum lw_calc_kind kind;
    union {
        char why[LW_MESSAGE_MAX]; /* NONE: the reason */
        struct lw_layout layout;
        bool truth;
        struct {
            struct lw_dims dims;
            int count; /* of points; POINT: 1 */
            uint64_t flat[LW_BITS_MAX];
        } points; /* POINT, POINTS */
        struct lw_matrix matrix;
        struct lw_action action;
        struct lw_dims dims;
        struct lw_cute_tuple tree;
        const struct lw_encoding *tilus; /* its parameters are legal */
        struct lw_cute_swizzle swizzle;
        struct lw_calc_tiling tiling; /* ATOM, MMA, COPY */
        struct lw_descriptor descriptor;
        struct lw_tensor_map tensor_map;
    } as;
};

/* The layout of CuTe that a result is; NULL: it is none. */
const struct lw_cute *lw_calc_cute(const struct lw_calc_result *result);

/* A name for a layout; everything is borrowed. */
struct lw_calc_binding {
    const char *name; /* ASCII letters, digits and _, not beginning with a digit */
    struct lw_layout layout;
    const struct lw_cute *cute; /* not NULL: it is this layout of CuTe instead */
};

/* Binds a layout of CuTe as such: sets let->cute to a copy in the arena. False with err->code
 * LW_OK when the encoding is of another system. */
bool lw_calc_bind_cute(struct lw_calc_binding *let, const struct lw_encoding *encoding,
                       struct lw_arena *arena, struct lw_error *err);

/* How a layout was made of two. */
enum lw_calc_pair_kind {
    LW_CALC_PAIR_PRODUCT,  /* A * B of linear layouts */
    LW_CALC_PAIR_BLOCKED,  /* blocked_product(A, B) of CuTe */
    LW_CALC_PAIR_RAKED,    /* raked_product(A, B) */
    LW_CALC_PAIR_REPEATED, /* logical_product(A, B), zipped_product, ... */
    LW_CALC_PAIR_DIVIDED   /* logical_divide(A, B), zipped_divide, ... */
};

/* A product or a quotient, with what it is of. */
struct lw_calc_pair {
    enum lw_calc_pair_kind kind;
    const char *name;       /* of the operation: "*", "zipped_divide" */
    enum lw_cute_form form; /* of REPEATED and DIVIDED */
    struct lw_calc_result a, b, result;
    const struct lw_calc_pair *before; /* the product that `a` is; NULL: it is none */
};

/* What a computation uses beside the bindings. */
struct lw_calc_work {
    struct lw_arena *arena; /* gets the trees of a result of CuTe or tilus */
    /* Gets the product or the quotient that the result is, in the arena, NULL when it is none; or
     * NULL. */
    const struct lw_calc_pair **pair;
    struct lw_text *steps;          /* gets the derivation of operations of CuTe; or NULL */
    int bits;                       /* of an element, for offsets in bytes; 0: unknown */
    bool as_cute;                   /* as CuTe does, right or not (cute.h, enum lw_cute_rules) */
    struct lw_triton_choice triton; /* the version of sources, and of operations of Triton */
};

#define LW_CALC_MAX ((size_t)1 << 18) /* bytes of an expression at most */

/* Computes an expression with `count` bindings. Files that quoted sources name are read; "-" is
 * refused. `work` may be NULL; then a result of CuTe or tilus is refused. On failure the error
 * has its position and excerpt in the expression: LW_ERROR_SYNTAX for text that cannot be
 * parsed, LW_ERROR_NAME for an unknown name, and otherwise what the operation failed with. */
bool lw_calc(const char *expr, const struct lw_calc_binding *lets, size_t count,
             const struct lw_calc_work *work, struct lw_calc_result *out, struct lw_error *err);
/* Whether a name may be that of a binding; fails with LW_ERROR_NAME when it is no identifier, or
 * true or false. */
bool lw_calc_name_check(const char *name, struct lw_error *err);

/* Appends a result for people, without a newline at the end: a layout as lw_layout_print prints it
 * (without the newline before it), `none`, `true`, `12`, `dim0=3 dim1=5` (several points: one a
 * line), the rows of a matrix, `ColumnAction([1, 0], register, 2)`. */
void lw_calc_print(struct lw_text *text, const struct lw_calc_result *result);
/* Appends where a part of a tensor starts, "# starts at offset 1090" or "# starts at (17,2)"; of
 * other results nothing. */
void lw_calc_print_start(struct lw_text *text, const struct lw_calc_result *result);
/* Appends a result as JSON on one line: a layout as lw_layout_print_json does, null, true, 12,
 * {"dim0":3,"dim1":5} or a list of these, [[1,0],[0,1]], [["register",4]]; of a part of a
 * tensor {"layout":"(2,4):(1,8)","start":12}, where a start in coordinates is a string; of actions,
 * tilings and descriptors their text as a string. */
void lw_calc_print_json(struct lw_text *text, const struct lw_calc_result *result);

/* ---- Operations ---- */

/* How an operation is written. A method may also be called as a function: name(A, ...). */
enum lw_calc_on {
    LW_CALC_FUNCTION,  /* name(...) */
    LW_CALC_OF_LAYOUT, /* A.name(...) */
    LW_CALC_OF_ACTION, /* P.name(...) */
    LW_CALC_OF_CUTE,   /* A.name(...), on a layout of CuTe, or a shape as its compact layout */
    LW_CALC_OF_TREE,   /* A.name(...), on a layout of CuTe or a tuple */
    LW_CALC_OF_ATOM,   /* M.name(...), on an atom, a tiled MMA or a tiled copy */
    LW_CALC_OF_MMA,    /* M.name(...), on a tiled MMA */
    LW_CALC_OF_COPY,   /* T.name(...), on a tiled copy */
    LW_CALC_OPERATOR   /* A name B */
};

/* An operation, constant. */
struct lw_calc_operation {
    const char *name;  /* as upstream */
    const char *also;  /* other spellings, "a|b"; or NULL */
    const char *usage; /* "A.resizeInDim(dim, size)"; what is in brackets may be left out */
    enum lw_calc_on on;
    const char *help; /* one line */
};

/* Operation i in the order of the help; NULL: there are fewer. */
const struct lw_calc_operation *lw_calc_operation_at(size_t i);

LW_END

#endif
