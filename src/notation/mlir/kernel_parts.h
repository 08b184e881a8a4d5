#ifndef LANEWAY_KERNEL_PARTS_H
#define LANEWAY_KERNEL_PARTS_H

/* The state of reading a kernel, and the functions of the files that share it. */

#include "laneway/kernel.h"
#include "notation/mlir/read_mlir.h"

/* An operation whose regions are being read. */
struct lw_frame {
    struct lw_text text; /* of the operation, so far */
    struct lw_position position;
    int loop;     /* the innermost loop around what is inside; -1: none */
    int own_loop; /* the loop that the operation is; -1: it is none */
    int branch;   /* line of the innermost branch around what is inside; 0: none */
    bool function;
    int64_t order; /* of its beginning among all operations */
};

/* The uses of a value. */
struct lw_use {
    size_t operation;          /* that makes it */
    struct lw_position region; /* of the operation whose region it is in */
    /* The use of the value that it is computed from, element by element; SIZE_MAX: none. */
    size_t before;
    bool same;     /* its elements are those of `before`, with another shape or type */
    bool cast;     /* it, or a value with the same elements, has another type than `before` */
    bool computed; /* others are computed from it, or from a value with the same elements */
    bool ends;     /* an operation uses it that neither stores, converts nor computes by element */
    uint64_t stores, converts; /* in the end also of the values that are computed from it */
    bool masked, selected;     /* a store of it has a mask; an operand of a select */
    size_t converted;          /* the last conversion */
    uint32_t used;             /* bit k: result k is used */
    bool in_loop;              /* a store of it is in a loop */
    size_t next;               /* the first use of it that computes element by element, 0: none */
    struct lw_span needs; /* the first operation that uses it, or what is computed from it, and */
    int needs_line;       /* does not compute element by element; 0: none */
};

/* What is known of a value while a kernel is read: a number; an unknown value plus a number; or
 * for how many of the last rounds of a loop a test of its index is false. */
struct lw_known {
    int64_t value;
    size_t base;   /* of the unknown value, a number in `constants`; SIZE_MAX: none */
    bool test;     /* it is a test */
    int loop;      /* the loop whose index is tested; -1: none, and 0 is true, 1 is false */
    uint64_t from; /* bit i: it is computed from the value that options->trips[i] sets */
};

/* An operation that is kept. */
struct lw_kept_operation {
    struct lw_operation operation;
    int64_t order;
    size_t row; /* before they are sorted */
    /* Of the function before it, as in the builder. */
    uint64_t effects, barriers, stores, conversions;
};

/* Of a loop. */
struct lw_bounds {
    size_t index; /* a number in `constants`; SIZE_MAX: it has none, or its step is not known */
    struct lw_known from, to;
    int64_t by;
};

struct lw_kernel_builder {
    struct lw_kernel *kernel;
    const struct lw_kernel_options *options; /* never NULL */
    struct lw_error err;                     /* why the reading ended */
    struct lw_mlir_text text;
    /* Of the lists here, and of the texts of operations with regions, joined. */
    struct lw_arena memory;
    struct lw_operation_text op;
    struct lw_aliases aliases;
    struct lw_intern types; /* texts of types that have a layout */
    struct lw_kept_type {
        struct lw_position position;
        uint64_t uses;
    } * kept_types;
    struct lw_intern constants; /* of this function */
    struct lw_known *constant_values;
    size_t set_count;        /* of `constants`: those that the options set */
    struct lw_intern values; /* first results of the operations kept of this function */
    /* Of each of `values` the row of `uses`: a name may be defined again in another region. */
    size_t *value_uses;
    struct lw_use *uses;
    size_t use_count;
    /* Of this function so far: operations past which the compiler does not move a load down to a
     * store; those of them that are no stores to global memory, with reductions; these stores; and
     * conversions. */
    uint64_t effects, barriers, stores, conversions;
    struct lw_intern loads; /* memory that the local loads kept last load from, in a row */
    int *load_rows;
    struct lw_frame *frames;
    size_t frame_count;
    struct lw_kept_operation *operations;
    struct lw_kernel_loop *loops; /* this and the next two are in the arena of the kernel */
    struct lw_kernel_function *functions;
    struct lw_bounds *bounds;       /* of each loop */
    struct lw_intern locs;          /* texts inside loc(...) */
    struct lw_location **locations; /* of each of `locs`, read when all aliases are known */
    struct lw_intern unknown;       /* names of unknown operations */
    size_t kept_type_room, constant_room, use_room, value_room, load_room, frame_room,
        operation_room, loop_room, bound_room, location_room, function_room;
    bool lacks_memory; /* a part of the kernel could not be kept */
};

/* Makes room for item number `count` in a list of the builder. False: out of memory. */
#define LW_BUILDER_ROOM(builder, list, room, count)                                                \
    lw_list_reserve(&(builder)->memory, &(builder)->list, &(builder)->room, count,                 \
                    sizeof *(builder)->list)

/* ---- kernel_types.c ---- */

/* Reports a problem of the text. */
void lw_builder_problem(struct lw_kernel_builder *builder, const struct lw_error *err);
/* Whether the caller stops the reading; called in a loop, it checks only some of the steps. builder->err then has the
 * reason. */
bool lw_builder_is_stopped(struct lw_kernel_builder *builder, size_t step);
/* Counts a use of each type in a text; returns the number of the first that has a layout, or -1. */
int lw_builder_type(struct lw_kernel_builder *builder, struct lw_span text,
                    struct lw_position position);
/* Makes the types and the encodings; all aliases are known. */
bool lw_builder_finish_types(struct lw_kernel_builder *builder);
/* The location of the operation that was parsed last, which is read by lw_builder_finish_locations; NULL: none. */
const struct lw_location *lw_builder_location(struct lw_kernel_builder *builder);
bool lw_builder_finish_locations(struct lw_kernel_builder *builder);

/* ---- kernel_values.c ---- */

/* Begins a function: of the known integers only those that the options set remain. */
bool lw_builder_begin_function(struct lw_kernel_builder *builder);
/* Keeps what is known of the result of an operation. */
bool lw_builder_fold(struct lw_kernel_builder *builder);
/* `scf.for %i = %a to %b step %c`: its index and bounds, and its trips when all three are known. */
bool lw_builder_bounds(struct lw_kernel_builder *builder, struct lw_kernel_loop *loop,
                       struct lw_bounds *bounds);
/* Finds out when the mask of an access to global memory is false. */
void lw_builder_find_masked(struct lw_kernel_builder *builder, struct lw_operation *operation);
/* Records the first result of the operation that was kept last, which is computed from the use `from`, or SIZE_MAX. */
bool lw_builder_add_use(struct lw_kernel_builder *builder, struct lw_span results, size_t from);
/* Counts the operands of an operation of that kind, NULL: none of the table, on that line, among the recorded values.
 * False: out of memory. */
bool lw_builder_count_uses(struct lw_kernel_builder *builder, const struct lw_operation_kind *kind,
                           int line);
/* Sets the member `repeats` of an operation that will be kept next. False: out of memory. */
bool lw_builder_find_repeated(struct lw_kernel_builder *builder, struct lw_operation *operation);
/* Sets in the operations of a function that has ended how their values are used. False: out of memory. */
bool lw_builder_end_function(struct lw_kernel_builder *builder);
/* Looks for options->value in the operation, or the label of a block, that was parsed last. */
void lw_builder_pick(struct lw_kernel_builder *builder, struct lw_position position);

#endif
