#ifndef LANEWAY_KERNEL_PARTS_H
#define LANEWAY_KERNEL_PARTS_H

/* The state of reading a kernel, and the functions of the files that share it. */

#include "laneway/kernel.h"
#include "notation/mlir/read_mlir.h"
#include "notation/mlir/read_operation.h"
#include "notation/mlir/string_table.h"

/* The limits. Text that is left out because of one of them is reported once. */
enum lw_kernel_limit {
    LW_LIMIT_TYPES,
    LW_LIMIT_DEPTH,
    LW_LIMIT_ALIASES,
    LW_LIMIT_ITEM,
    LW_LIMIT_OPERATIONS,
    LW_LIMIT_UNKNOWN,
    LW_LIMITS
};

/* An operation whose regions are being read. */
struct lw_frame {
    struct lw_text text; /* of the operation, so far */
    struct lw_position position;
    int loop;     /* the innermost loop around what is inside; -1: none */
    int own_loop; /* the loop that the operation is; -1: it is none */
    int branch;   /* the innermost branch around what is inside; -1: none */
    int own_branch;
    bool function;
    int64_t order; /* of its beginning among all operations */
};

/* The uses of a value: by operations that store it, by other operations, and of the latter those that compute element
 * by element and conversions. */
struct lw_use {
    size_t operation;          /* that makes it */
    struct lw_position region; /* of the operation whose region it is in */
    size_t
        before; /* the use of the value that it is computed from, element by element; SIZE_MAX: none */
    uint64_t stores, others, plain, converts;
    /* Uses of values that are computed from it; `ends`: by operations that are none of the above. */
    uint64_t ends, indirect_stores, indirect_converts;
    bool masked, selected; /* a store of it has a mask; an operand of a select */
    size_t converted;      /* the last conversion */
    uint32_t used;         /* bit k: result k is used */
    uint64_t
        effect; /* number of the store among the effects of the function; 0: none, or in a loop */
};

/* An operation or a loop that is kept; its location is read when all aliases are known. */
struct lw_kept_operation {
    struct lw_operation operation;
    uint32_t loc; /* number of `locs` + 1; 0: none */
    int64_t order;
    size_t row;       /* before they are sorted */
    uint64_t effects; /* of the function before it, as in the builder */
};

struct lw_kept_loop {
    struct lw_kernel_loop loop;
    uint32_t loc;
};

struct lw_kept_branch {
    struct lw_kernel_branch branch;
    uint32_t loc;
};

/* A number that is known while a kernel is read. */
struct lw_known {
    int64_t value;
    uint64_t from; /* bit i: it is computed from the value that options->trips[i] sets */
};

struct lw_kernel_builder {
    struct lw_kernel *kernel;
    const struct lw_kernel_options *options;
    struct lw_error err; /* why the reading ended: out of memory, or a file that cannot be read */
    struct lw_mlir_reader reader;
    struct lw_operation_text op;
    struct lw_alias_list aliases;
    struct lw_intern types; /* texts of types */
    struct lw_kept_type {
        struct lw_position position;
        uint64_t uses;
    } * kept_types;
    struct lw_intern type_names; /* `!name = type` */
    char **type_values;
    struct lw_intern constants; /* of this function */
    struct lw_known *constant_values;
    size_t set_count;        /* of `constants`: those that the options set */
    struct lw_intern values; /* first results of the operations kept of this function */
    size_t *
        value_uses; /* of each of `values` the row of `uses`: a name may be defined again in another
                       region */
    struct lw_use *uses;
    size_t use_count;
    uint64_t
        effects; /* operations of this function so far past which the compiler does not move a load
                    down to a store */
    struct lw_frame *frames;
    size_t frame_count;
    size_t deeper; /* open regions beyond LW_KERNEL_DEPTH_MAX */
    struct lw_kept_operation *operations;
    struct lw_kept_loop *loops;
    struct lw_kept_branch *branches;
    struct lw_kernel_function *functions;
    struct lw_intern locs;    /* texts inside loc(...) */
    struct lw_intern unknown; /* names of unknown operations */
    struct lw_unknown_use {
        struct lw_position first;
        uint64_t count;
    } * unknown_uses; /* of each of `unknown` */
    size_t kept_type_room, type_value_room, constant_room, use_room, value_room, frame_room,
        operation_room, loop_room, branch_room, function_room, unknown_room;
    bool limit_reported[LW_LIMITS];
    bool lacks_memory; /* a part of the kernel could not be kept; see lw_builder_is_whole */
};

/* ---- kernel_builder.c ---- */

/* Grows a list of `count` items of `size` bytes by one; `room` starts at 0. */
bool lw_builder_reserve(struct lw_kernel_builder *builder, void *list, size_t *room, size_t count,
                        size_t size);
/* Reports a problem of the text. */
void lw_builder_problem(struct lw_kernel_builder *builder, const struct lw_error *err);
/* Reports a limit once, in a message with one number. */
void lw_builder_limit(struct lw_kernel_builder *builder, enum lw_kernel_limit limit,
                      struct lw_position position, const char *format, size_t number);
/* Whether the caller stops the reading; called in a loop, it checks only some of the steps. builder->err then has the
 * reason. */
bool lw_builder_is_stopped(struct lw_kernel_builder *builder, size_t step);
/* Counts an operation of Triton's dialects that no release of Triton has. False: out of memory. */
bool lw_builder_add_unknown(struct lw_kernel_builder *builder, struct lw_span name,
                            struct lw_position position);
/* Reports each unknown operation once, at its first position. */
void lw_builder_report_unknown(struct lw_kernel_builder *builder);
/* Whether the kernel is complete: no part was left out because memory was out. */
bool lw_builder_is_whole(const struct lw_kernel_builder *builder);
void lw_builder_free(struct lw_kernel_builder *builder);

/* ---- kernel_types.c ---- */

/* Counts a use of a type; returns its number, or -1 when it has no layout. */
int lw_builder_type(struct lw_kernel_builder *builder, struct lw_span text,
                    struct lw_position position);
/* Makes the types and the encodings; all aliases are known. */
bool lw_builder_finish_types(struct lw_kernel_builder *builder);

/* ---- kernel_uses.c ---- */

/* Records the first result of the operation that was kept last, which is computed from the use `from`, or SIZE_MAX. */
bool lw_builder_add_use(struct lw_kernel_builder *builder, struct lw_span results, size_t from);
/* Counts the operands of an operation of that kind, NULL: none of the table, among the recorded values. */
bool lw_builder_count_uses(struct lw_kernel_builder *builder, const struct lw_operation_kind *kind);
/* The member `repeats` of an operation that will be kept next. */
int lw_builder_repeats(const struct lw_kernel_builder *builder, const struct lw_operation *load);
/* Sets in the operations of a function that has ended how their values are used. */
void lw_builder_end_function(struct lw_kernel_builder *builder);

/* ---- kernel_operations.c ---- */

/* Reads an operation whose regions begin: its text up to them. */
bool lw_builder_open(struct lw_kernel_builder *builder, struct lw_frame *frame);
/* Reads all of an operation; `frame` is its own when it had regions, else NULL. */
bool lw_builder_operation(struct lw_kernel_builder *builder, struct lw_span text,
                          struct lw_position position, const struct lw_frame *frame, int64_t order);
/* Reads the types of a block's arguments. */
bool lw_builder_block(struct lw_kernel_builder *builder, struct lw_span text,
                      struct lw_position position);

/* ---- kernel_loops.c ---- */

/* When an operation with regions is a loop or a branch, keeps it, and sets it in its frame. */
bool lw_builder_add_loop(struct lw_kernel_builder *builder, struct lw_frame *frame);
bool lw_builder_add_branch(struct lw_kernel_builder *builder, struct lw_frame *frame);
/* Notes that an atomic is in the open loops. */
void lw_builder_note_atomic(struct lw_kernel_builder *builder);
/* Sets the locations of loops and branches, and passes these to the kernel. */
bool lw_builder_finish_loops(struct lw_kernel_builder *builder,
                             const struct lw_location *const *locations);

/* ---- kernel_constants.c ---- */

/* Removes the constants of the previous function; those that the options set remain. */
bool lw_builder_begin_constants(struct lw_kernel_builder *builder);
/* Keeps the result of an operation that computes with known integers; the result of another one is not known. */
bool lw_builder_fold(struct lw_kernel_builder *builder);
/* `scf.for %i = %a to %b step %c`: the trips, when all three are known. */
bool lw_builder_known_trips(struct lw_kernel_builder *builder, uint64_t *trips);

/* ---- kernel_pick.c ---- */

/* Looks for options.value and options.line in the operation that was parsed last. */
void lw_builder_pick_value(struct lw_kernel_builder *builder, struct lw_position position);
void lw_builder_pick_line(struct lw_kernel_builder *builder, struct lw_position position);

/* ---- locations.c ---- */

/* Reads the inside of a loc(...); NULL: it has neither a file nor a name. */
const struct lw_location *lw_location_read(struct lw_arena *arena, const struct lw_aliases *aliases,
                                           const char *text, size_t length);

#endif
