#ifndef LANEWAY_CALC_TABLE_H
#define LANEWAY_CALC_TABLE_H

/*
 * The inside of the calculator. calc.c has a text parsed and evaluate_calc.c computes the value of the tree: operations
 * are rows of the table in calc_table.c, their arguments are made by calc_arguments.c, and what the rows compute is in
 * calc_linear.c and calc_cute*.c. calc_items.c has the parts that all use.
 */

#include "laneway/calc.h"
#include "notation/expression/expression.h"

#define LW_CALC_VARIABLES 256
#define LW_CALC_NUMBERS_MAX (1 << 20) /* of a tuple */
/* What an expression assigned before: A = spatial(2, 4); the last one first. */
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
    struct lw_text *steps; /* see lw_calc_work */
    bool makes_tilus;      /* it calls a function that makes a layout of tilus from numbers */
    bool keeps_pairs;
    bool recounts;                   /* see lw_calc_work */
    const struct lw_calc_pair *pair; /* the last one that was computed */
    int bits;
    bool as_cute; /* see lw_calc_work */
    bool fixed;   /* in a call of Python's `cute.`, where an integer literal is static */
    enum lw_triton triton;
    /* Computes the tree of an argument; set by evaluate_calc.c. */
    bool (*evaluate)(struct lw_calculation *calc, const struct lw_node *node,
                     struct lw_calc_result *value);
};

/* An argument, by the kind of its parameter. */
struct lw_calc_argument {
    bool given;
    int count; /* DIMS, SIZES, OUTS: names; COLUMNS: numbers; BASES: numbers in an image */
    union {
        const struct lw_calc_result *value; /* LAYOUT, ACTION, ANY, NUMBER, TRUTH, CUTE */
        struct {
            const char *name[LW_DIMS_MAX]; /* DIM, DIMS, SIZES, OUTS */
            uint64_t size[LW_DIMS_MAX];    /* SIZES, OUTS */
            bool sized;                    /* OUTS: whether sizes are given */
        } dims;
        uint64_t point[LW_DIMS_MAX];   /* POINT: of the layout's in-dims */
        uint64_t columns[LW_BITS_MAX]; /* COLUMNS */
        struct {
            struct lw_dims in;
            uint64_t *images;       /* in-bits rows of `count` numbers */
        } bases;                    /* BASES */
        struct lw_cute_tuple tuple; /* TUPLE, TILER, COORDINATE; REST: the items */
        struct {
            const char *name; /* without namespaces; NULL: it is a number */
            int64_t number;
        } word; /* WORD */
    } as;
};

struct lw_calc_call {
    const struct lw_calc_operation *operation;
    const struct lw_calc_result *self; /* what it is of; NULL for a function */
    struct lw_calc_argument args[LW_CALC_PARAMS_MAX];
    struct lw_cute_work work; /* the arena for what is made, the error, the derivation */
    int bits;                 /* of an element; 0: not known */
    enum lw_triton triton;
    bool as_cute; /* what C++ gives is the result, right or not */
};

/* ---- calc.c ---- */

/* lw_calc with a way to read sources. */
bool lw_calc_compute(const char *expr, const struct lw_calc_binding *lets, size_t count,
                     const struct lw_calc_work *work, const struct lw_calc_sources *sources,
                     struct lw_calc_result *out, struct lw_error *err);

/* ---- evaluate_calc.c ---- */

/* The value of a list of statements: that of the last one. */
bool lw_calc_evaluate(struct lw_calculation *calc, const struct lw_node *first,
                      struct lw_calc_result *value);

/* ---- calc_as_cute.c ---- */

/* Runs an operation by the rules of its operands, or as CuTe does; an error has the result of CuTe in this case. */
bool lw_calc_run_by_rules(struct lw_calc_call *call, bool as_cute, struct lw_calc_result *out);
/* Adds to the error about a coordinate what CuTe does with it. */
void lw_calc_add_past(struct lw_error *err);

/* ---- calc_pair.c ---- */

/* Keeps a product or a quotient with its operands; does nothing for other operations. */
bool lw_calc_keep_pair(struct lw_calculation *calc, const struct lw_calc_call *call,
                       const struct lw_calc_result *result);
/* The product or the quotient that a result is; NULL: it is none. */
const struct lw_calc_pair *lw_calc_pair_of(const struct lw_calculation *calc,
                                           const struct lw_calc_result *result);

/* Whether an operation makes a layout of other elements than its operand has. */
bool lw_calc_recounts(const struct lw_calc_operation *operation);

/* ---- calc_tilus.c ---- */

/* Whether statements are of tilus: they call a function that makes a layout from numbers; or the names in
 * them are layouts of tilus, and functions and operators of tilus all that is done to them. */
bool lw_calc_is_tilus(const struct lw_calculation *calc, const struct lw_node *first);
/* Whether something in statements is such a call. */
bool lw_calc_makes_tilus(const struct lw_node *first);
bool lw_calc_tilus(struct lw_calculation *calc, const struct lw_node *first,
                   struct lw_calc_result *value);
/* Whether a name is that of a function which makes a layout of tilus from numbers. */
bool lw_calc_is_tilus_constructor(const char *name);
/* Such a call and the steps of tilus that follow it, spatial(4, 8).local(1, 2), as a linear layout. *step: the
 * first step of the chain that is left. */
bool lw_calc_made(struct lw_calculation *calc, const struct lw_node *node,
                  const struct lw_node **step, struct lw_calc_result *value);

/* ---- calc_arguments.c ---- */

bool lw_calc_wrong_usage(const struct lw_calc_call *call, struct lw_position position,
                         const char *what, const char *name, struct lw_error *err);
/* Whether a parameter accepts all further arguments. */
bool lw_calc_accepts_all(const struct lw_calc_param *param);
/* The parameter of an argument: number `next`, or that of its label; -1 and an error: there is none. */
int lw_calc_parameter_of(struct lw_calculation *calc, const struct lw_calc_call *call,
                         const struct lw_node *node, int next);
/* Whether the labels of arguments that are taken together are those of the usage, "shape[, stride]",
 * in its order. */
bool lw_calc_check_labels(struct lw_calculation *calc, const struct lw_calc_call *call,
                          const char *names, const struct lw_node *node);
/* An argument that is a value: it is converted to its parameter's kind; else an error. */
bool lw_calc_fit(struct lw_calculation *calc, const struct lw_calc_call *call,
                 const struct lw_calc_param *param, struct lw_position position,
                 struct lw_calc_result *value);
/* An argument that is not a value but a name, sizes, numbers or bases, as its parameter requires. */
bool lw_calc_literal_argument(struct lw_calculation *calc, const struct lw_calc_call *call,
                              const struct lw_calc_param *param, const struct lw_node *node,
                              struct lw_calc_argument *arg);
/* A name of C++, without its namespaces, or a number. */
bool lw_calc_word_argument(struct lw_calculation *calc, const struct lw_calc_param *param,
                           const struct lw_node *node, struct lw_calc_argument *arg);
/* `register=3, lane=5` from `first` on, or the same in braces. */
bool lw_calc_point(struct lw_calculation *calc, const struct lw_calc_call *call,
                   const struct lw_node *first, struct lw_calc_argument *arg);

/* ---- calc_call.c ---- */

/* Nodes as the items of a tuple. */
bool lw_calc_items(struct lw_calculation *calc, const struct lw_node *first,
                   struct lw_cute_tuple *tuple);
/* The arguments from `node` on, converted to the operation's parameters. `end`: where one that is
 * missing would be. */
bool lw_calc_make_arguments(struct lw_calculation *calc, struct lw_calc_call *call,
                            const struct lw_node *node, struct lw_position end);
/* The arguments of a method that are in angles come first, or are the rank of append<4>(A, B). */
bool lw_calc_put_angles(struct lw_calculation *calc, const struct lw_node *node,
                        const struct lw_node **arguments);
/* The arguments of a function that are in angles come last: make_tma_copy<half_t>(...). */
bool lw_calc_angle_arguments(struct lw_calculation *calc, struct lw_calc_call *call,
                             const struct lw_node *node);

/* ---- calc_names.c ---- */

/* A name of the table without `get`, capitals and underscores, and its row. */
struct lw_calc_name_row {
    const char *name;
    int row;
};
#define LW_CALC_NAME_MAX 48 /* bytes of such a name with its NUL; calc_index_test.c checks it */
/* All names, sorted; those that are equal in the order of their rows. Made by index_operations.sh. */
extern const struct lw_calc_name_row lw_calc_name_rows[];
extern const size_t lw_calc_name_count;
/* A hash table of the names: at the hash of a name, or after it, the first of its rows, from 1 on; 0: there is none. */
extern const unsigned short lw_calc_name_slots[];
extern const size_t lw_calc_name_slot_count;

/* The operation of that name, whose spelling may differ in underscores and capitals; NULL: none. */
const struct lw_calc_operation *lw_calc_find(enum lw_calc_on on, const char *name);
/* Whether a row has exactly this name. */
bool lw_calc_has_name(const char *name);
/* Whether there is a method of that name; whether there is a function or a method. */
bool lw_calc_is_method(const char *name);
bool lw_calc_is_operation(const char *name);
/* Whether a step is A.slice(_, 1) of a layout of CuTe, which is A(_, 1). */
bool lw_calc_is_slice(const struct lw_node *step, const struct lw_calc_result *value);
/* Errors at a name: no operation, or no operation of such a value. */
bool lw_calc_unknown_operation(struct lw_calculation *calc, const char *name,
                               struct lw_position position, const enum lw_calc_on *on);
bool lw_calc_not_of(struct lw_calculation *calc, const char *name, struct lw_position position,
                    const struct lw_calc_result *self);

/* The value of a name, which has no template arguments unless it is of CuTe's atoms. */
bool lw_calc_name(struct lw_calculation *calc, const struct lw_node *node,
                  struct lw_calc_result *value);
/* Whether a name is a layout of CuTe, so that a parenthesis after it is a coordinate; and whether it is that of
 * an atom, so that a part of it follows. */
bool lw_calc_names_cute(const struct lw_calculation *calc, const char *name);
/* Whether a name is that of a module of CuTe in Python: cute, cutlass; and one that is no value here. */
bool lw_calc_is_module(const char *name);
bool lw_calc_names_module(const struct lw_calculation *calc, const struct lw_node *node);
bool lw_calc_names_atom(const struct lw_calculation *calc, const struct lw_node *node);
/* Fails for a tuple of more than LW_CALC_NUMBERS_MAX numbers. */
bool lw_calc_check_size(struct lw_calculation *calc, struct lw_position position,
                        const struct lw_calc_result *value);
/* Whether an argument is a pointer, which is not read: make_gmem_ptr(A), or a name that is no value. */
bool lw_calc_is_pointer(const struct lw_calculation *calc, const struct lw_node *node);
/* Sets the variable of a statement. */
bool lw_calc_keep(struct lw_calculation *calc, const struct lw_node *statement,
                  const struct lw_calc_result *value);

/* ---- cute_notation.c ---- */

/* Parentheses around a number or a tuple make a tuple of one; *value is what is in them. */
bool lw_calc_group(struct lw_calculation *calc, const struct lw_node *node,
                   struct lw_calc_result *value);
/* Whether two values are integers, and makes them such; `first` and `operand` are their nodes: (7) is an integer too.
 * And the result of `left operator right`, which replaces *left. */
bool lw_calc_are_integers(const struct lw_node *first, struct lw_calc_result *left,
                          const struct lw_node *operand, struct lw_calc_result *right);
bool lw_calc_of_integers(struct lw_calculation *calc, const struct lw_node *operand,
                         struct lw_calc_result *left, const struct lw_calc_result *right);
/* `shape:stride`: whether the two nodes have the form of a layout; and the layout, which replaces *shape. */
bool lw_calc_check_stride(struct lw_calculation *calc, const struct lw_node *node);
bool lw_calc_stride(struct lw_calculation *calc, const struct lw_node *node,
                    struct lw_calc_result *shape, const struct lw_calc_result *stride);
/* A swizzle before the layout that *value is. */
bool lw_calc_swizzled(struct lw_calculation *calc, const struct lw_node *node,
                      struct lw_calc_result *value);

/* calc_tensor.c: a printed tensor, of the layout that *value is. */
bool lw_calc_tensor(struct lw_calculation *calc, const struct lw_node *node,
                    struct lw_calc_result *value);

/* The swizzle of `Sw<3,4,3>`, `Swizzle<3,4,3>` and `S<3,4,3>`. */
bool lw_calc_swizzle(struct lw_calculation *calc, const struct lw_node *name,
                     struct lw_cute_swizzle *swizzle);
/* Whether a name is of a type such as Int<4>, Shape<_4,_8> or Layout<...>; and its value, from the items
 * between its angles. */
bool lw_calc_is_type(const struct lw_node *name);
bool lw_calc_type(struct lw_calculation *calc, const struct lw_node *name,
                  const struct lw_cute_tuple *items, struct lw_calc_result *value);
/* Whether a name is ComposedLayout<Swizzle<3,4,3>, smem_ptr_flag_bits<16>, Layout<...>>; and its value. */
bool lw_calc_is_composed(const struct lw_node *name);
bool lw_calc_composed(struct lw_calculation *calc, const struct lw_node *name,
                      struct lw_calc_result *value);
/* The bits of a type of CUTLASS or C++, half_t; 0: not known. */
int lw_calc_cpp_bits(const char *name);
/* The element of Triton for such a type, "f16"; NULL: there is none. */
const char *lw_calc_cpp_element(const char *name);
/* The last word of a name: half_t of cutlass::half_t. */
const char *lw_calc_last_word(const char *name);

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
/* The same of GMMA::Layout_K_SW128_Atom<half_t> and the like. */
bool lw_calc_is_smem(const char *name);
bool lw_calc_smem(struct lw_calculation *calc, const struct lw_node *name,
                  struct lw_calc_result *value);

/* ---- What the rows of the table compute ---- */

/* The kind of *out is that of the row. */
#define LW_CALC_RUN(name) bool name(struct lw_calc_call *call, struct lw_calc_result *out)

typedef LW_CALC_RUN(lw_calc_run);

/* calc_linear.c */
lw_calc_run lw_calc_run_identity, lw_calc_run_strided, lw_calc_run_zeros, lw_calc_run_empty,
    lw_calc_run_from_bases, lw_calc_run_zeros_like, lw_calc_run_one, lw_calc_run_two,
    lw_calc_run_invert_and_compose, lw_calc_run_of_dim, lw_calc_run_resize, lw_calc_run_rename,
    lw_calc_run_transpose, lw_calc_run_reshape, lw_calc_run_sublayout, lw_calc_run_quotient,
    lw_calc_run_apply, lw_calc_run_basis, lw_calc_run_question, lw_calc_run_question_of_dims,
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
    lw_calc_run_make_layout, lw_calc_run_make_identity, lw_calc_run_make_identity_tensor,
    lw_calc_run_make_tuple, lw_calc_run_make_start, lw_calc_run_cute_apply,
    lw_calc_run_make_ordered, lw_calc_run_cute_tile_to_shape, lw_calc_run_cute_append,
    lw_calc_run_cute_take, lw_calc_run_cute_local_tile, lw_calc_run_cute_outer_partition,
    lw_calc_run_cute_local_partition, lw_calc_run_cute_two, lw_calc_run_cute_layout,
    lw_calc_run_pick, lw_calc_run_make_tensor, lw_calc_run_cute_offsets, lw_calc_run_make_registers;

/* calc_tiled.c: of tilings of CuTe's atoms */
lw_calc_run lw_calc_run_make_tiled_mma, lw_calc_run_make_tiled_copy, lw_calc_run_make_tiled_copy_tv,
    lw_calc_run_make_tiled_copy_of, lw_calc_run_make_cotiled_copy, lw_calc_run_make_tiled_copy_like,
    lw_calc_run_tiled_slice, lw_calc_run_mma_partition, lw_calc_run_copy_partition,
    lw_calc_run_mma_partition_fragment, lw_calc_run_mma_make_fragment,
    lw_calc_run_mma_partition_shape, lw_calc_run_copy_retile, lw_calc_run_fragment_like,
    lw_calc_run_layout_like, lw_calc_run_mma_split, lw_calc_run_copy_split, lw_calc_run_mma_tv,
    lw_calc_run_copy_tv, lw_calc_run_mma_operand, lw_calc_run_copy_side, lw_calc_run_mma_tile_size,
    lw_calc_run_mma_permutation, lw_calc_run_mma_tile_shape, lw_calc_run_mma_threads,
    lw_calc_run_mma_size, lw_calc_run_mma_shape, lw_calc_run_copy_size, lw_calc_run_copy_tiler,
    lw_calc_run_copy_tiled_tv;

/* An operand of a tiled MMA, or a side of a tiled copy, over its tile: threads and values. */
bool lw_calc_mma_operand(struct lw_cute_work *work, const struct lw_cute_tiled_mma *mma,
                         enum lw_cute_operand operand, struct lw_cute *out);
bool lw_calc_copy_side(struct lw_cute_work *work, const struct lw_cute_tiled_copy *copy,
                       enum lw_cute_side side, struct lw_cute *out);

/* calc_shape.c: of shapes, coordinates, other tuples; of swizzles alone */
lw_calc_run lw_calc_run_is_static, lw_calc_run_coshape, lw_calc_run_domain_offset;
lw_calc_run lw_calc_run_compare_shapes, lw_calc_run_shape_one, lw_calc_run_shape_two,
    lw_calc_run_crd2idx, lw_calc_run_idx2crd, lw_calc_run_crd2crd, lw_calc_run_cute_coordinate,
    lw_calc_run_tuple_flatten, lw_calc_run_tuple_group, lw_calc_run_tuple_select,
    lw_calc_run_tuple_take, lw_calc_run_tuple_get, lw_calc_run_tuple_append,
    lw_calc_run_cute_shape_of, lw_calc_run_cute_stride_of, lw_calc_run_cute_with_shape,
    lw_calc_run_cute_cast, lw_calc_run_recast_layout, lw_calc_run_make_swizzle,
    lw_calc_run_make_composed;

/* Makes *out a swizzle before a layout, with an offset, or a pointer to elements of `pointer` bits (0: none). */
bool lw_calc_compose(struct lw_cute_work *work, const struct lw_calc_result *inner,
                     const struct lw_cute_tuple *offset, int pointer,
                     const struct lw_calc_result *outer, struct lw_calc_result *out);

/* calc_descriptor.c: descriptors and tensor maps */
lw_calc_run lw_calc_run_make_descriptor, lw_calc_run_make_tensor_map, lw_calc_run_make_instruction;

/* Makes *out the part of a tensor that has that layout and starts `start` after it. */
bool lw_calc_set_part(struct lw_cute_work *work, const struct lw_cute *tensor,
                      const struct lw_cute_layout *part, const struct lw_cute_tuple *start,
                      struct lw_cute *out);

/* ---- calc_operand.c ---- */

/* Whether a layout of CuTe that is written as the operand of a tiling is that; true of every other encoding. */
bool lw_calc_check_operand(const struct lw_encoding *encoding, struct lw_error *err);

/* ---- calc_python.c ---- */

/* Whether a name is that of an operation of the CuTe DSL for Python, MmaF16BF16Op, or of a function
 * that makes an atom of one; and the atom of such a call. */
bool lw_calc_is_python_op(const char *name);
bool lw_calc_python(struct lw_calculation *calc, const struct lw_node *call,
                    struct lw_calc_result *value);

/* ---- calc_print_cute.c ---- */

/* As CuTe prints them; in JSON a layout is a string, a tuple a list. */
void lw_calc_print_cute(struct lw_text *text, const struct lw_cute *cute, bool json);
void lw_calc_print_tuple(struct lw_text *text, const struct lw_cute_tuple *tuple, bool json);

/* Whether two tilings are printed the same. */
bool lw_calc_same_tiling(const struct lw_calc_tiling *a, const struct lw_calc_tiling *b);
/* As CuTe prints it; in JSON an object of its fields. */
void lw_calc_print_tiling(struct lw_text *text, const struct lw_calc_tiling *tiling, bool json);

/* A descriptor as CuTe prints it; in JSON an object of its fields. */
void lw_calc_print_descriptor(struct lw_text *text, const struct lw_descriptor *descriptor,
                              bool json);
/* The arguments of cuTensorMapEncodeTiled, one a line; in JSON an object of them. */
void lw_calc_print_tensor_map(struct lw_text *text, const struct lw_tensor_map *map, bool json);

/* A tiled MMA or copy as a SOURCE, in the arena; NULL when memory is out, or there is no type of C++
 * for the values of a copy. */
const char *lw_calc_tiling_source(struct lw_arena *arena, const struct lw_calc_tiling *tiling);

/* The number of an argument. */
static inline uint64_t lw_calc_number(const struct lw_calc_call *call, int i, uint64_t otherwise)
{
    return call->args[i].given ? call->args[i].as.value->as.number : otherwise;
}

/* For a layout that is no longer that of an atom: removes its tile and its operand. */
static inline void lw_calc_clear_atom(struct lw_cute *cute)
{
    cute->tile = NULL;
    cute->role = LW_CUTE_ROLE_NONE;
    cute->element = NULL;
    cute->tiling = cute->operand = cute->iterator = NULL;
}

/* calc_cute.c: how many items `append` adds to those of a rank: up to its argument up_to_rank, or one. */
bool lw_calc_ranks(const struct lw_calc_call *call, int rank, int *more);

/* calc_cute.c: the layout that a method is of, or the mode of it that its first argument, a REST, names from the
 * outermost in: size<1,0>(A). */
bool lw_calc_mode_of(const struct lw_calc_call *call, struct lw_cute_layout *out);

/* ---- calc_cute_at.c ---- */

/* make_layout of a list: a shape and a stride or an order, or layouts. */
bool lw_calc_make_layout(struct lw_cute_work *work, const struct lw_cute_tuple *list,
                         struct lw_cute *out);
/* A layout at a coordinate: its offset, or with blanks in it the layout of these modes. */
bool lw_calc_at(struct lw_cute_work *work, const struct lw_cute_tuple *coordinate,
                struct lw_calc_result *value);
/* Whether an operation of CuTe supports its operand: not all support a swizzle alone, or a layout with strides of
 * coordinates. */
bool lw_calc_is_possible(struct lw_calc_call *call);

/* ---- calc_items.c ---- */

/* "a layout", "a number" */
const char *lw_calc_kind_name(enum lw_calc_kind kind);
struct lw_cute_work lw_calc_work_here(const struct lw_calculation *calc);
/* Makes a number that was written equal to one that was computed. */
void lw_calc_plain_number(struct lw_calc_result *value);
/* `_`, `_3`; `LayoutLeft`, `LayoutRight` and their older names, of make_layout. */
bool lw_calc_is_blank(const char *name);
bool lw_calc_blank(const struct lw_node *name, struct lw_calc_result *value);
bool lw_calc_order(const struct lw_node *name, struct lw_calc_result *value);
/* `3`, `_3`, `2@1@0` and tuples of these, as an item. */
bool lw_calc_literal(struct lw_arena *arena, const struct lw_node *node, struct lw_cute_tuple *item,
                     struct lw_error *err);
/* The same of the text of a layout, (4,8):(8,1). */
bool lw_calc_literal_layout(struct lw_cute_work *work, const struct lw_text *text,
                            struct lw_cute *out);
/* The value as an item, in the arena; false and an error when it cannot be one. */
bool lw_calc_to_item(struct lw_calculation *calc, const struct lw_calc_result *value,
                     struct lw_position position, struct lw_cute_tuple *item);
/* Makes a shape its compact layout; false, without an error, when the value is neither a layout nor a shape. */
bool lw_calc_to_cute(struct lw_calculation *calc, struct lw_calc_result *value);
/* Whether a tree is a tiler (cute.h); else an error. */
bool lw_calc_is_tiler(const struct lw_cute_tuple *tiler, struct lw_error *err);
/* Whether all leaves are integers and none is a stride of coordinates; else an error. */
bool lw_calc_integers(const struct lw_cute_tuple *tuple, struct lw_error *err);
/* The layout of a shape and strides, of integers or of coordinates. */
bool lw_calc_strided(struct lw_cute_work *work, const struct lw_cute_tuple *shape,
                     const struct lw_cute_tuple *stride, struct lw_cute *out);
/* The linear layout of an encoding's map; fails when it is not one. */
bool lw_calc_linear(const struct lw_encoding *encoding, const struct lw_map *map,
                    struct lw_calc_result *value, struct lw_error *err);

#endif
