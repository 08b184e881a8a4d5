#ifndef LANEWAY_CALCULATOR_H
#define LANEWAY_CALCULATOR_H

/*
 * The inside of the calculator. calc.c has a text parsed and computes the value of the tree.
 * Operations are rows of three tables, beside what they compute: calc_linear.c, calc_cute.c and calc_tiled.c.
 * calc_call.c finds the row of a name, makes its arguments and runs it.
 */

#include "encoding/cute/cute_parts.h"
#include "laneway/calc.h"
#include "notation/expression/expression.h"

#define LW_CALC_VARIABLES 256
#define LW_CALC_NUMBERS_MAX (1 << 20) /* of a tuple */

/* A layout that was given, or what an expression assigned before: A = spatial(2, 4); the last one first. */
struct lw_calc_variable {
    const char *name;
    struct lw_calc_result value;
    const struct lw_calc_variable *before;
};

/* Reads a source that is written into an expression: a text in quotes, or a document in braces. */
struct lw_calc_sources {
    bool (*read)(const struct lw_calc_sources *sources, const struct lw_node *node,
                 struct lw_arena *arena, struct lw_calc_result *value, struct lw_error *err);
};

/* A computation over the tree of one text. */
struct lw_calculation {
    struct lw_scan *scan; /* the limits of the text; nothing is parsed */
    struct lw_arena *arena;
    struct lw_error *err;
    const struct lw_calc_sources *sources;
    const struct lw_calc_binding *lets;
    size_t let_count;
    const struct lw_calc_variable *variables;
    size_t variable_count;
    bool fixed; /* in a call of Python's `cute.`, where an integer literal is static */
    struct lw_cute_work work; /* of CuTe, by LW_CUTE_VALUES */
    /* As in lw_calc_work. */
    int bits;
    bool as_cute, keeps_pairs;
    const struct lw_calc_pair *pair; /* the last one that was computed */
    enum lw_triton triton;
    /* Computes the value of an expression. */
    bool (*evaluate)(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value);
};

/* ---- Operations ---- */

/* The form of an argument. After `[` in the usage: it may be left out. */
enum lw_calc_param {
    LW_CALC_PARAM_END, /* there are no more parameters */
    /* Expressions. */
    LW_CALC_PARAM_ANY,
    LW_CALC_PARAM_LAYOUT,
    LW_CALC_PARAM_MMA_ATOM,
    LW_CALC_PARAM_COPY_ATOM,
    LW_CALC_PARAM_MMA,
    LW_CALC_PARAM_COPY,
    LW_CALC_PARAM_NUMBER,
    LW_CALC_PARAM_CUTE,       /* a layout of CuTe, or the shape of a compact one */
    LW_CALC_PARAM_TUPLE,      /* a number or (2, (3, 4)) */
    LW_CALC_PARAM_INTEGERS,   /* the same, or a layout, which has a shape */
    LW_CALC_PARAM_COORDINATE, /* the same, with blanks: (2, _) */
    LW_CALC_PARAM_TILER,      /* a layout, a number, `_`, or a tuple of these */
    LW_CALC_PARAM_REST,       /* all further arguments, as a tuple */
    /* No expressions. */
    LW_CALC_PARAM_DIM,     /* the name of a dim: register */
    LW_CALC_PARAM_WORD,    /* a name of C++ or Python: half_t, Major::K; or a number */
    LW_CALC_PARAM_LITERAL, /* a list or an object, which the operation reads */
    LW_CALC_PARAM_POINT, /* all further arguments, which the operation reads: register=3, lane=5 */
    /* Of the first parameter alone: all are words, but those of shapes tuples. */
    LW_CALC_PARAM_WORDS
};

#define LW_CALC_PARAMS_MAX 8 /* parameters of an operation at most */

/* An argument that is given has a node or, of the form REST and of an operator, a value alone. */
struct lw_calc_argument {
    const struct lw_node *node;         /* as it is written */
    const struct lw_calc_result *value; /* of an expression */
};

struct lw_calc_row;

struct lw_calc_call {
    struct lw_calculation *calc;
    const struct lw_calc_row *row;
    const struct lw_calc_result *self; /* what it is of; NULL for a function */
    struct lw_calc_argument args[LW_CALC_PARAMS_MAX];
    struct lw_cute_work work; /* the arena for what is made, the error, the derivation */
};

/* Computes an operation. LW_ERROR_UNSUPPORTED: there is no such layout. */
#define LW_CALC_RUN(name) bool name(struct lw_calc_call *call, struct lw_calc_result *out)
typedef LW_CALC_RUN(lw_calc_run);

/* The one function of the library that an operation computes with, where there is one: a member for each signature. */
union lw_calc_core {
    bool (*of_one)(struct lw_layout *out, const struct lw_layout *a, struct lw_error *err);
    bool (*of_two)(struct lw_layout *out, const struct lw_layout *a, const struct lw_layout *b,
                   struct lw_error *err);
    bool (*of_dim)(struct lw_layout *out, const struct lw_layout *a, const char *dim,
                   struct lw_error *err);
    bool (*resize)(struct lw_layout *out, const struct lw_layout *a, const char *dim, uint64_t size,
                   struct lw_error *err);
    bool (*rename)(struct lw_layout *out, const struct lw_layout *a, const char *dim,
                   const char *name, struct lw_error *err);
    bool (*transpose)(struct lw_layout *out, const struct lw_layout *a, const char *const *dims,
                      struct lw_error *err);
    bool (*reshape)(struct lw_layout *out, const struct lw_layout *a, const struct lw_dims *sizes,
                    struct lw_error *err);
    bool (*question)(const struct lw_layout *a);
    bool (*question_of_dims)(const struct lw_layout *a, const char *const *dims, int count);
    bool (*cute_one)(struct lw_cute_work *work, const struct lw_cute_layout *a,
                     struct lw_cute_layout *out);
    bool (*cute_profile)(struct lw_cute_work *work, const struct lw_cute_layout *a,
                         const struct lw_cute_tuple *profile, struct lw_cute_layout *out);
    struct {
        bool (*of)(struct lw_cute_work *work, const struct lw_cute_layout *a,
                   const struct lw_cute_tuple *b, enum lw_cute_form form,
                   struct lw_cute_layout *out);
        enum lw_cute_form form;
    } tile;
    bool (*shape_question)(const struct lw_cute_tuple *a, const struct lw_cute_tuple *b);
    bool (*shape_one)(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      struct lw_cute_tuple *out);
    bool (*shape_two)(struct lw_cute_work *work, const struct lw_cute_tuple *a,
                      const struct lw_cute_tuple *b, struct lw_cute_tuple *out);
    /* With a tree; with a layout it is done with its shape and with its stride. */
    bool (*tree)(struct lw_calc_call *call, const struct lw_cute_tuple *tree,
                 struct lw_cute_tuple *out);
    const char *atom[3]; /* the pattern of a name; the types of A and B, and of C */
    int which;           /* which of several things `run` does: an operand, a side */
};

/* What a row has beside its parameters. */
enum lw_calc_trait {
    LW_CALC_COORDS = 1, /* it computes with strides that are coordinates */
    LW_CALC_RULES = 2,  /* its result depends on which integers are static (enum lw_cute_rules) */
    LW_CALC_PAIRS = 4   /* a product or a quotient (struct lw_calc_pair), of kind `pair` */
};

/* An operation, constant. */
struct lw_calc_row {
    struct lw_calc_operation base;
    enum lw_calc_param params[LW_CALC_PARAMS_MAX];
    unsigned traits;
    enum lw_calc_pair_kind pair;
    enum lw_calc_kind result; /* its kind, unless `run` sets another */
    lw_calc_run *run;
    union lw_calc_core core;
};

/* The rows of a file, `*count` of them. */
typedef const struct lw_calc_row *lw_calc_rows(size_t *count);
lw_calc_rows lw_calc_linear_rows, lw_calc_cute_rows, lw_calc_tiled_rows, lw_calc_dsl_rows;

/* ---- calc.c ---- */

/* lw_calc with a way to read sources. */
bool lw_calc_compute(const char *expr, const struct lw_calc_binding *lets, size_t count,
                     const struct lw_calc_work *work, const struct lw_calc_sources *sources,
                     struct lw_calc_result *out, struct lw_error *err);
/* The linear layout of an encoding's map; fails when it is not one. */
bool lw_calc_linear(const struct lw_encoding *encoding, const struct lw_map *map,
                    struct lw_calc_result *value, struct lw_error *err);

/* ---- calc_call.c ---- */

/* What a name was set to, or NULL; whether it is that of a module of CuTe in Python. */
const struct lw_calc_variable *lw_calc_find_variable(const struct lw_calculation *calc,
                                                     const char *name);
bool lw_calc_is_module(const char *name);

/* The row of an operation of that name, whose spelling may differ in underscores and capitals; NULL: there is none. */
const struct lw_calc_row *lw_calc_find(enum lw_calc_on on, const char *name);
/* Whether there is a function or a method of that name. */
bool lw_calc_is_operation(const char *name);
/* Calls a function, or a method of its first argument, name(a, b). */
bool lw_calc_call_function(struct lw_calculation *calc, const struct lw_node *node,
                           struct lw_calc_result *value);
/* Calls a method of *value with these arguments, and replaces *value by its result. */
bool lw_calc_call_method(struct lw_calculation *calc, const struct lw_node *node,
                         const struct lw_node *arguments, struct lw_calc_result *value);
/* `left operator right`, which replaces *left. */
bool lw_calc_call_operator(struct lw_calculation *calc, const struct lw_node *operand,
                           struct lw_calc_result *left, const struct lw_calc_result *right);

/* The product or the quotient that a result is; NULL: it is none. */
const struct lw_calc_pair *lw_calc_pair_of(const struct lw_calculation *calc,
                                           const struct lw_calc_result *result);

/* ---- calc_tree.c ---- */

/* "a layout", "a number" */
const char *lw_calc_kind_name(const struct lw_calc_result *value);
/* Make *out a tree: a number, a leaf or a tuple, or a layout, which is copied to the arena. */
bool lw_calc_set_number(struct lw_cute_work *work, uint64_t number, struct lw_calc_result *out);
bool lw_calc_set_tree(const struct lw_cute_tuple *tree, struct lw_calc_result *out);
bool lw_calc_set_cute(struct lw_cute_work *work, const struct lw_cute *cute,
                      struct lw_calc_result *out);
/* Makes a shape its compact layout; NULL: the value is neither a layout nor a shape, without an error, or it cannot
 * be. */
const struct lw_cute *lw_calc_to_cute(struct lw_calculation *calc, struct lw_calc_result *value);
/* The form of parameter i of an operation; LW_CALC_PARAM_END: it has fewer. Its name in the usage. */
enum lw_calc_param lw_calc_param(const struct lw_calc_row *row, int i);
struct lw_calc_param_name {
    char text[32];
    bool optional; /* after a `[` */
} lw_calc_param_name(const struct lw_calc_row *row, int i);
/* The name that an argument of the form WORD is, without namespaces; NULL: it is a number, or not given. */
const char *lw_calc_word(const struct lw_calc_call *call, int i);
/* Expressions as the items of a tuple. */
bool lw_calc_items(struct lw_calculation *calc, const struct lw_node *first,
                   struct lw_cute_tuple *tuple);
/* Whether all leaves are integers and none is a stride of coordinates; whether it is a tiler (cute.h); else an
 * error. */
bool lw_calc_integers(const struct lw_cute_tuple *tuple, struct lw_error *err);
bool lw_calc_is_tiler(const struct lw_cute_tuple *tiler, struct lw_error *err);
/* Whether a name is a leaf: `_`, `_3`, LayoutLeft. */
bool lw_calc_leaf(const struct lw_node *name, struct lw_calc_result *value);
/* `3` and `2@1@0`. */
bool lw_calc_integer(const struct lw_node *node, bool fixed, struct lw_cute_tuple *item,
                     struct lw_error *err);
/* make_layout of a list: a shape and a stride or an order, or layouts. */
bool lw_calc_make_layout(struct lw_cute_work *work, const struct lw_cute_tuple *list,
                         struct lw_cute *out);
/* Makes *out a swizzle before a layout, with an offset, or a pointer to elements of `pointer` bits (0: none). */
bool lw_calc_compose(struct lw_cute_work *work, const struct lw_calc_result *inner,
                     const struct lw_cute_tuple *offset, int pointer,
                     const struct lw_calc_result *outer, struct lw_calc_result *out);
/* Makes a layout a tensor of coordinates, whose first one is `start`. */
bool lw_calc_set_start(struct lw_cute_work *work, const struct lw_cute_tuple *start,
                       struct lw_cute *cute);

/* `shape:stride`, and a name with template arguments: Shape<_4,_8>. */
bool lw_calc_stride(struct lw_calculation *calc, const struct lw_node *node,
                    struct lw_calc_result *value);
bool lw_calc_template(struct lw_calculation *calc, const struct lw_node *name,
                      struct lw_calc_result *value);
/* The value that begins with the operand *last of an `o`, which becomes its last operand: a layout after a swizzle and
 * maybe an offset or a pointer, Sw<3,4,3> o 0 o layout, or after a pointer, gmem_ptr[16b](0x0) o layout. */
bool lw_calc_composed(struct lw_calculation *calc, const struct lw_node **last,
                      struct lw_calc_result *value);
/* The last word of a name: half_t of cutlass::half_t. */
const char *lw_calc_last_word(const char *name);
/* Whether a name is of a type that makes a tree of its arguments. */
bool lw_calc_is_type(const struct lw_node *name);

/* ---- calc_cute.c ---- */

/* A layout at a coordinate: its offset, or with blanks in it the layout of these modes. */
bool lw_calc_at(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                struct lw_calc_result *value);
/* Makes *out the part of a tensor that has that layout and starts `start` after it. */
bool lw_calc_set_part(struct lw_cute_work *work, const struct lw_cute *tensor,
                      const struct lw_cute_layout *part, const struct lw_cute_tuple *start,
                      struct lw_cute *out);

/* ---- calc_tiled.c ---- */

/* An operand of a tiled MMA, or a side of a tiled copy, over its tile: threads and values. */
bool lw_calc_over_tile(struct lw_cute_work *work, const struct lw_calc_tiling *of, int which,
                       struct lw_cute *out);

/* ---- calc_atom.c ---- */

/* Whether a name is MMA_Atom or Copy_Atom, or that of their traits; and the atom, of the arguments in its
 * angles: MMA_Atom<NAME>, Copy_Atom<NAME, half_t>. */
bool lw_calc_is_atom_type(const char *name);
bool lw_calc_atom_type(struct lw_calculation *calc, const struct lw_node *name,
                       struct lw_calc_result *value);
/* Whether a name is that of an MMA or copy atom; and the layout of a part of it. `part` is the step after the
 * name; NULL: there is none, and the value is the atom. */
bool lw_calc_is_atom(const char *name);
bool lw_calc_atom(struct lw_calculation *calc, const struct lw_node *name,
                  const struct lw_node *part, struct lw_calc_result *value);
/* Sets the values of an atom of a copy: their bits, and their type in C++, which may be NULL. */
bool lw_calc_set_values(struct lw_calculation *calc, int bits, const char *type,
                        struct lw_calc_result *value);

/* A type of elements: its names in C++ and CUTLASS, separated by blanks, in atoms and in the DSL, and the element of
 * Triton that it is; NULL: there is none. The type of a name in C++ or the DSL; NULL: there is none, and an error at
 * the node. */
struct lw_calc_type {
    const char *cpp, *atom, *python;
    int bits;
    const char *element;
};
const struct lw_calc_type *lw_calc_type(const char *name);
const struct lw_calc_type *lw_calc_type_at(const struct lw_node *node, struct lw_error *err);

/* ---- calc_dsl.c ---- */

/* Whether a name is GMMA::Layout_K_SW128_Atom or the like; and the layout, of the type in its angles. */
bool lw_calc_is_smem(const char *name);
bool lw_calc_smem(struct lw_calculation *calc, const struct lw_node *name,
                  struct lw_calc_result *value);
/* A text that print() gives of a tiled MMA or copy as a call, with each value at its position; NULL: it is none. */
const char *lw_calc_printed(struct lw_arena *arena, const char *text);

/* ---- calc_print.c ---- */

/* A tiled MMA or copy as a SOURCE, in the arena; NULL when memory is out, or there is no type of C++
 * for the values of a copy. */
const char *lw_calc_tiling_source(struct lw_arena *arena, const struct lw_calc_tiling *tiling);

/* ---- Arguments of a call ---- */

static inline bool lw_calc_given(const struct lw_calc_call *call, int i)
{
    return call->args[i].node || call->args[i].value;
}

/* A tree; NULL: it is not given. A layout. A number from 0 on. */
static inline const struct lw_cute_tuple *lw_calc_tree(const struct lw_calc_call *call, int i)
{
    return call->args[i].value ? &call->args[i].value->as.tree : NULL;
}

static inline const struct lw_cute *lw_calc_cute_at(const struct lw_calc_call *call, int i)
{
    return call->args[i].value->as.tree.layout;
}

static inline uint64_t lw_calc_number(const struct lw_calc_call *call, int i, uint64_t otherwise)
{
    return call->args[i].value ? (uint64_t)call->args[i].value->as.tree.value : otherwise;
}

/* For a layout that is no longer that of an atom: removes its tile and its operand. */
static inline void lw_calc_clear_atom(struct lw_cute *cute)
{
    cute->tile = NULL;
    cute->role = LW_CUTE_ROLE_NONE;
    cute->element = NULL;
    cute->tiling = cute->operand = NULL;
}

#endif
