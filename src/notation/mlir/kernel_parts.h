#ifndef LANEWAY_KERNEL_PARTS_H
#define LANEWAY_KERNEL_PARTS_H

/* How a kernel is put together: the files that read one share this. */

#include "laneway/kernel.h"
#include "notation/mlir/string_table.h"
#include "notation/document/read.h"
#include "notation/mlir/read_operation.h"

/* An operation whose regions are being read. */
struct lw_frame {
    struct lw_text text; /* of it, so far */
    struct lw_position position;
    int loop;     /* the innermost around what is inside; -1 */
    int own_loop; /* the loop that it is itself; -1 */
    bool function;
    int64_t order; /* of its beginning among all operations */
};

/* How a value is used: by which operation it is made, and by how many it is taken. */
struct lw_use {
    size_t operation;
    size_t
        before; /* the use of the value that it is computed from, element by element; SIZE_MAX: none */
    uint64_t stores, others;
    uint64_t ends, indirect_stores,
        indirect_converts;    /* of what is computed from it; ends: other uses */
    uint64_t plain, converts; /* of those others: element by element; conversions */
    size_t converted;         /* the operation that the last conversion is */
    uint32_t used;            /* bit k: result k is */
};

struct lw_kernel_builder {
    struct lw_kernel *kernel;
    const struct lw_kernel_options *options;
    struct lw_error err; /* of what ends the reading: no memory, no file */
    struct lw_mlir_reader reader;
    struct lw_operation_text op;
    struct lw_alias_list aliases;
    struct lw_intern types;      /* texts, their uses below */
    struct lw_intern type_names; /* `!name = type` */
    char **type_values;
    size_t type_value_room;
    struct lw_position *type_positions;
    uint64_t *type_uses;
    size_t type_room;
    struct lw_intern constants; /* of this function */
    int64_t *constant_values;
    size_t constant_room;
    struct lw_intern values; /* first results of the operations kept of this function */
    struct lw_use *uses;
    size_t use_room;
    struct lw_frame *frames;
    size_t frame_count, frame_room;
    size_t deeper; /* regions beyond LW_KERNEL_DEPTH_MAX */
    struct lw_operation *operations;
    size_t operation_room;
    struct lw_kernel_loop *loops;
    size_t loop_room;
    struct lw_kernel_function *functions;
    size_t function_room;
    struct lw_intern
        locs; /* texts inside loc(...), -> the numbers in operation.location until the end */
    uint32_t *operation_locs, *loop_locs; /* numbers of locs + 1 */
    int64_t *operation_orders;
    size_t operation_locs_room, loop_locs_room, orders_room;
    bool limit_reported[4]; /* which limits have been told */
};

/* Grows a list so that `count` more fit. */
bool lw_builder_reserve(struct lw_kernel_builder *builder, void *list, size_t *room, size_t count,
                        size_t size);
/* Tells a problem. */
void lw_builder_problem(struct lw_kernel_builder *builder, const struct lw_error *err);

/* ---- kernel_types.c ---- */

/* Counts a type of the text, and gives its number; -1: it has no layout. */
int lw_builder_type(struct lw_kernel_builder *builder, struct lw_span text,
                    struct lw_position position);
/* Makes the types and the encodings, once all aliases are known. */
bool lw_builder_finish_types(struct lw_kernel_builder *builder);

/* ---- kernel_operations.c ---- */

/* An operation whose regions begin: its head. */
bool lw_builder_open(struct lw_kernel_builder *builder, struct lw_frame *frame);
/* All of an operation; `own_loop` is the loop that it is, or -1. */
bool lw_builder_operation(struct lw_kernel_builder *builder, struct lw_span text,
                          struct lw_position position, int loop, int own_loop, int64_t order);
/* The types of a block's arguments. */
bool lw_builder_block(struct lw_kernel_builder *builder, struct lw_span text,
                      struct lw_position position);

bool lw_is_loop(struct lw_span name);
/* Says of the operations of a function that is over what became of their values. */
void lw_builder_end_function(struct lw_kernel_builder *builder);

/* ---- kernel_pick.c ---- */

/* Looks for what options ask for in the operation that has just been parsed. */
void lw_builder_pick_value(struct lw_kernel_builder *builder, struct lw_position position);
void lw_builder_pick_line(struct lw_kernel_builder *builder, struct lw_position position);

/* ---- locations.c ---- */

/* What `text`, the inside of a loc(...), says; NULL: nothing. */
const struct lw_location *lw_location_read(struct lw_arena *arena, const struct lw_aliases *aliases,
                                           const char *text, size_t length);

#endif
