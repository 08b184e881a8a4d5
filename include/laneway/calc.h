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
 * object {...} is a layout document or the machine form that `bases --json` prints. Operations are
 * functions `name(...)`, methods `x.name(...)` and the operators `*`, `==` and `!=`. They have the
 * names of Triton's LinearLayout; invertAndCompose may be written invert_and_compose, and what
 * begins with `get` also without. A method may be called as a function: divideLeft(A, B).
 *
 * Layouts of CuTe (cute.h) are written as CuTe prints them, and their algebra has CuTe's names:
 *
 *     composition((4,8):(8,1), (2,2):(1,4))
 *     zipped_divide((8,16):(16,1), (4:1, 8:2))
 *     Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)
 *
 * There a tuple is a shape, a tile or a tiler for each mode; where a layout is wanted, a shape means
 * its compact layout; `_` leaves a mode alone.
 *
 * A text that calls a function of tilus which makes a layout from numbers is an expression of tilus
 * as a whole, with its own operators and statements, or two of them compared:
 *
 *     local(2, 1) * spatial(8, 4) / spatial(8, 4)
 *     x = local(2, 1); x.spatial(8, 4) == local(2, 1) * spatial(8, 4)
 *
 * Arguments are expressions, or what the operation wants: a dim is written as its name, dims as
 * [dim1, dim0], sizes as [[register, 4], [lane, 8]] or {register: 4, lane: 8}, a point as
 * register=3, lane=5 (what is not said is 0).
 *
 * The operations are rows of one table: it drives the reader, the messages and the help.
 */

#include "laneway/algebra.h"
#include "laneway/cute.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* ---- Results ---- */

enum lw_calc_kind {
    LW_CALC_NONE, /* there is no such layout: an answer, not an error */
    LW_CALC_LAYOUT,
    LW_CALC_NUMBER,
    LW_CALC_TRUTH,
    LW_CALC_POINT,  /* a number for each of some dims: an image, masks */
    LW_CALC_POINTS, /* several, as a basis of a kernel */
    LW_CALC_MATRIX,
    LW_CALC_ACTION,
    LW_CALC_DIMS,  /* names and sizes */
    LW_CALC_CUTE,  /* a layout of CuTe */
    LW_CALC_TILUS, /* a register or shared layout of tilus */
    LW_CALC_TUPLE,
    LW_CALC_SWIZZLE,
    LW_CALC_BLANK, /* _ */
    LW_CALC_ORDER  /* LayoutLeft, LayoutRight: which mode is the fastest */
};

/* An item of a tuple: a number, a tuple, a layout of CuTe or a blank. */
struct lw_calc_item {
    enum lw_calc_kind kind;
    struct lw_place place;
    bool fixed; /* NUMBER: spelled _3 */
    int64_t number;
    const struct lw_cute_axis *axis; /* NUMBER: not NULL in 3@1, a stride of coordinates */
    int count;                       /* TUPLE */
    const struct lw_calc_item *items;
    const struct lw_cute *cute;
};

/* A plain value: there is nothing to free. The trees of CUTE, TILUS and TUPLE are in the
 * arena of the work. */
struct lw_calc_result {
    enum lw_calc_kind kind;
    union {
        char why[LW_MESSAGE_MAX]; /* NONE: the reason */
        struct lw_layout layout;
        uint64_t number;
        bool truth;
        struct {
            struct lw_dims dims;
            int count; /* of points; POINT: 1 */
            uint64_t flat[LW_BITS_MAX];
        } points; /* POINT, POINTS */
        struct lw_matrix matrix;
        struct lw_action action;
        struct lw_dims dims;
        struct lw_cute cute;
        const struct lw_encoding *tilus; /* checked */
        struct lw_calc_item tuple;       /* TUPLE; NUMBER that was written, as a leaf */
        struct lw_cute_swizzle swizzle;
    } as;
};

struct lw_calc_binding {
    const char *name; /* letters, digits and _, no digit first */
    struct lw_layout layout;
    const struct lw_cute *cute; /* not NULL: it is this layout of CuTe */
    /* Not NULL: it was written in words of tilus, and is one of its layouts in a text of its functions and
     * operators alone. Legal by itself. */
    const struct lw_encoding *tilus;
    const char *why; /* not NULL: it is no linear layout, for this reason */
};

/* What a computation may use beyond its result. */
struct lw_calc_work {
    struct lw_arena *arena; /* keeps the trees of a result of CuTe */
    struct lw_text *steps;  /* NULL, or how the operations of CuTe came to what they found */
    int bits;               /* of an element, for bytes; 0: not known */
};

/* An expression has at most this many bytes. */
#define LW_CALC_MOST ((size_t)1 << 18)

/* Computes an expression. Errors have their place and excerpt in it. Files that quoted sources name
 * are read; "-" is refused. Without `work` (NULL) a result of CuTe or tilus is refused. */
bool lw_calc(const char *expr, const struct lw_calc_binding *lets, size_t count,
             const struct lw_calc_work *work, struct lw_calc_result *out, struct lw_error *err);
/* May that be the name of a binding? Fills *err when not. */
bool lw_calc_name_check(const char *name, struct lw_error *err);

/*
 * As people read it, without a newline at the end: a layout as lw_layout_print has it (without the
 * newline at its start), `none`, `true`, `12`, `dim0=3 dim1=5` (several points: one a line), the
 * rows of a matrix, `ColumnAction([1, 0], register, 2)`.
 */
void lw_calc_print(struct lw_text *text, const struct lw_calc_result *result);
/* JSON on one line: a layout in its machine form, null, true, 12, {"dim0":3,"dim1":5} or a list of
 * these, [[1,0],[0,1]], {"dim":"register","size_log2":2,"action":[1,0]}, [["register",4]]. */
void lw_calc_print_json(struct lw_text *text, const struct lw_calc_result *result);

/* ---- Operations ---- */

enum lw_calc_on {
    LW_CALC_FUNCTION,  /* name(...) */
    LW_CALC_OF_LAYOUT, /* A.name(...) */
    LW_CALC_OF_ACTION, /* P.name(...) */
    LW_CALC_OF_CUTE,   /* C.name(...): of a layout of CuTe */
    LW_CALC_OPERATOR   /* A name B */
};

enum lw_calc_param_kind {
    LW_CALC_PARAM_END,
    LW_CALC_PARAM_LAYOUT,
    LW_CALC_PARAM_ACTION,
    LW_CALC_PARAM_ANY, /* an expression of any kind */
    LW_CALC_PARAM_NUMBER,
    LW_CALC_PARAM_TRUTH,
    LW_CALC_PARAM_DIM,     /* register */
    LW_CALC_PARAM_DIMS,    /* [register, lane] */
    LW_CALC_PARAM_SIZES,   /* [[register, 4], [lane, 8]], {register: 4, lane: 8} */
    LW_CALC_PARAM_OUTS,    /* [dim0, dim1] or with sizes */
    LW_CALC_PARAM_POINT,   /* register=3, lane=5 */
    LW_CALC_PARAM_COLUMNS, /* [2, 0, 1] */
    LW_CALC_PARAM_CUTE,    /* a layout of CuTe, or the shape of a compact one */
    LW_CALC_PARAM_TILER,   /* the same, `_`, or a tuple of these */
    LW_CALC_PARAM_TUPLE,   /* a number or (2, (3, 4)) */
    LW_CALC_PARAM_REST,    /* any number of the above */
    LW_CALC_PARAM_BASES    /* {register: [[1, 0], [2, 0]], lane: [[0, 1]]} */
};

/* Which dims of the layout that an operation is of a name may be. */
enum lw_calc_side { LW_CALC_FREE, LW_CALC_IN, LW_CALC_OUT };

struct lw_calc_param {
    const char *name;
    enum lw_calc_param_kind kind;
    enum lw_calc_side side;
    bool optional;
};

#define LW_CALC_PARAMS_MAX 4

struct lw_calc_call;

struct lw_calc_operation {
    const char *name;  /* as upstream */
    const char *also;  /* another spelling, or NULL */
    const char *usage; /* "A.resizeInDim(dim, size)" */
    enum lw_calc_on on;
    bool coords; /* also of layouts of CuTe whose strides are coordinates; others ask for numbers */
    struct lw_calc_param params[LW_CALC_PARAMS_MAX];
    const char *help; /* one line */
    /* Computes it. LW_ERROR_UNSUPPORTED says that there is no such layout. */
    bool (*run)(const struct lw_calc_call *call, struct lw_calc_result *out, struct lw_error *err);
};

/* All of them, in the order of the help. */
const struct lw_calc_operation *lw_calc_operations(size_t *count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
