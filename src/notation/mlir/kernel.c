/*
 * Kernels: the pieces of a text become lists. Invariant while reading: there is a frame for each region that
 * is open, up to LW_KERNEL_DEPTH_MAX, and `deeper` counts those beyond.
 */

#include "laneway/kernel.h"

#include "notation/mlir/kernel_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool lw_builder_room(struct lw_kernel_builder *builder, void *list, size_t *room, size_t count,
                     size_t size)
{
    void *items;
    memcpy(&items, list, sizeof items);
    if (count < *room)
        return true;
    size_t more = *room ? 2 * *room : 64;
    items = realloc(items, more * size);
    if (!items)
        return lw_error_set(&builder->err, LW_ERROR_MEMORY, "out of memory");
    memcpy(list, &items, sizeof items);
    *room = more;
    return true;
}

void lw_builder_problem(struct lw_kernel_builder *builder, const struct lw_error *err)
{
    lw_report_add(&builder->kernel->problems, err);
}

/* ---- Frames ---- */

static int loop_here(const struct lw_kernel_builder *builder)
{
    return builder->frame_count ? builder->frames[builder->frame_count - 1].loop : -1;
}

/* Begins an operation whose region comes next. */
static bool push_frame(struct lw_kernel_builder *builder, const struct lw_piece *piece,
                       int64_t order)
{
    if (builder->frame_count == LW_KERNEL_DEPTH_MAX) {
        struct lw_error err;
        builder->deeper++;
        if (!builder->said[1]) {
            lw_error_at(&err, LW_ERROR_LIMIT, piece->place,
                        "regions over %d deep: they are read past", LW_KERNEL_DEPTH_MAX);
            lw_builder_problem(builder, &err);
        }
        builder->said[1] = true;
        return true;
    }
    if (!lw_builder_room(builder, &builder->frames, &builder->frame_room, builder->frame_count,
                         sizeof *builder->frames))
        return false;
    struct lw_frame frame = {
        .place = piece->place, .loop = loop_here(builder), .own_loop = -1, .order = order};
    if (piece->kind != LW_PIECE_PROBLEM) {
        lw_text_bytes(&frame.text, piece->text, piece->length);
        lw_text_char(&frame.text, '}');
    }
    bool ok = !frame.text.failed && (!frame.text.length || lw_builder_open(builder, &frame));
    builder->frames[builder->frame_count++] = frame;
    return ok;
}

/* The last region of the innermost operation is over. */
static bool pop_frame(struct lw_kernel_builder *builder)
{
    struct lw_frame frame = builder->frames[--builder->frame_count];
    struct lw_span text = {lw_text_string(&frame.text), frame.text.length};
    bool ok =
        text.length == 0 || lw_builder_operation(builder, text, frame.place, loop_here(builder),
                                                 frame.own_loop, frame.order);
    lw_text_free(&frame.text);
    return ok;
}

static bool read_close(struct lw_kernel_builder *builder, const struct lw_piece *piece)
{
    if (builder->deeper) {
        builder->deeper -= !piece->opens;
        return true;
    }
    if (builder->frame_count == 0)
        return true;
    struct lw_text *text = &builder->frames[builder->frame_count - 1].text;
    if (text->length && text->length < LW_PIECE_MOST) {
        lw_text_bytes(text, piece->text + 1, piece->length - 1);
        if (piece->opens)
            lw_text_char(text, '}');
    }
    return piece->opens || pop_frame(builder);
}

/* ---- Pieces ---- */

/* Keeps a definition; its value moves into the arena. */
static bool read_alias(struct lw_kernel_builder *builder, const struct lw_piece *piece)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_error err;
    if (*piece->text == '#') {
        if (!lw_alias_list_add(&builder->aliases, &kernel->arena, piece, &err)) {
            if (err.code == LW_ERROR_MEMORY)
                return false;
            if (!builder->said[2])
                lw_builder_problem(builder, &err);
            builder->said[2] = true;
            return true;
        }
        struct lw_alias *alias = &builder->aliases.items[builder->aliases.count - 1];
        alias->value = lw_arena_string(&kernel->arena, alias->value, alias->value_length);
        return alias->value;
    }
    size_t length = lw_mlir_name(piece->text + 1, piece->text + piece->length, false);
    const char *value = memchr(piece->text, '=', piece->length);
    size_t before = builder->type_names.count;
    size_t number = lw_intern_add(&builder->type_names, piece->text + 1, length);
    if (number < before || number == SIZE_MAX)
        return true;
    for (value++; value < piece->text + piece->length && strchr(" \t\r\n", *value); value++)
        ;
    if (!lw_builder_room(builder, &builder->type_values, &builder->type_value_room, number,
                         sizeof *builder->type_values))
        return false;
    builder->type_values[number] =
        lw_arena_string(&kernel->arena, value, (size_t)(piece->text + piece->length - value));
    return builder->type_values[number];
}

static bool read_piece(struct lw_kernel_builder *builder, const struct lw_piece *piece,
                       int64_t order)
{
    struct lw_span text = {piece->text, piece->length};
    switch (piece->kind) {
    case LW_PIECE_ALIAS:
        return read_alias(builder, piece);
    case LW_PIECE_BLOCK:
        return lw_builder_block(builder, text, piece->place);
    case LW_PIECE_OPERATION:
        if (piece->opens)
            return push_frame(builder, piece, order);
        return lw_builder_operation(builder, text, piece->place, loop_here(builder), -1, order);
    case LW_PIECE_CLOSE:
        return read_close(builder, piece);
    case LW_PIECE_PROBLEM:
        lw_builder_problem(builder, &builder->pieces.err);
        return true;
    default:
        return true;
    }
}

/* A piece that could not be read may have opened a region, or closed one. */
static bool keep_pace(struct lw_kernel_builder *builder, const struct lw_piece *piece)
{
    while (builder->frame_count + builder->deeper > builder->pieces.regions) {
        if (builder->deeper)
            builder->deeper--;
        else if (!pop_frame(builder))
            return false;
    }
    while (builder->frame_count + builder->deeper < builder->pieces.regions)
        if (!push_frame(builder, piece, 0))
            return false;
    return true;
}

/* Whether a piece is of another part than the one that is read. */
static bool is_elsewhere(const struct lw_pieces *pieces, const struct lw_piece *piece)
{
    if (!pieces->part || pieces->failed)
        return false;
    return (pieces->part > 1 && (!pieces->part_from || piece->place.line < pieces->part_from)) ||
           (pieces->part_to && piece->place.line > pieces->part_to);
}

static bool read_pieces(struct lw_kernel_builder *builder)
{
    struct lw_piece piece;
    int64_t order = 0;
    do {
        lw_pieces_next(&builder->pieces, &piece);
        if (piece.kind != LW_PIECE_END && is_elsewhere(&builder->pieces, &piece)) {
            if (builder->pieces.part_to && !builder->pieces.failed)
                break; /* all of it has been read */
            continue;
        }
        if (!read_piece(builder, &piece, order++))
            return false;
        if (piece.kind == LW_PIECE_PROBLEM && builder->pieces.failed) {
            builder->err = builder->pieces.err;
            return false;
        }
        if (builder->frame_count + builder->deeper != builder->pieces.regions &&
            !keep_pace(builder, &(struct lw_piece){.kind = LW_PIECE_PROBLEM, .place = piece.place}))
            return false;
        if (piece.cut && !builder->said[3]) {
            struct lw_error err;
            lw_error_at(&err, LW_ERROR_LIMIT, piece.place,
                        "over %zu bytes of one operation: its middle is left out", LW_PIECE_MOST);
            lw_builder_problem(builder, &err);
            builder->said[3] = true;
        }
    } while (piece.kind != LW_PIECE_END);
    return true;
}

/* ---- The end ---- */

struct numbered {
    struct lw_operation operation;
    uint32_t loc;
    int64_t order;
    size_t before; /* its row until now */
};

static int by_order(const void *a, const void *b)
{
    const struct numbered *left = a, *right = b;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Operations with regions were told when they ended; now each stands where it began. */
static bool finish_operations(struct lw_kernel_builder *builder,
                              const struct lw_location *const *locations)
{
    struct lw_kernel *kernel = builder->kernel;
    size_t count = kernel->operation_count;
    struct numbered *all = calloc(count + 1, sizeof *all);
    int *rows = calloc(count + 1, sizeof *rows);
    struct lw_operation *operations =
        lw_arena_alloc(&kernel->arena, (count + 1) * sizeof *operations);
    for (size_t i = 0; all && i < count; i++)
        all[i] = (struct numbered){builder->operations[i], builder->operation_locs[i],
                                   builder->operation_orders[i], i};
    if (all)
        qsort(all, count, sizeof *all, by_order);
    for (size_t i = 0; all && rows && i < count; i++)
        rows[all[i].before] = (int)i;
    for (size_t i = 0; all && rows && operations && i < count; i++) {
        operations[i] = all[i].operation;
        operations[i].location = all[i].loc ? locations[all[i].loc - 1] : NULL;
        if (operations[i].converted >= 0)
            operations[i].converted = rows[operations[i].converted];
    }
    bool ok = all && rows && operations;
    free(all);
    free(rows);
    kernel->operations = operations;
    return ok;
}

static bool finish_loops(struct lw_kernel_builder *builder,
                         const struct lw_location *const *locations)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_kernel_loop *loops =
        lw_arena_alloc(&kernel->arena, (kernel->loop_count + 1) * sizeof *loops);
    struct lw_kernel_function *functions =
        lw_arena_alloc(&kernel->arena, (kernel->function_count + 1) * sizeof *functions);
    if (!loops || !functions)
        return false;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        loops[i] = builder->loops[i];
        loops[i].location = builder->loop_locs[i] ? locations[builder->loop_locs[i] - 1] : NULL;
    }
    if (kernel->function_count)
        memcpy(functions, builder->functions, kernel->function_count * sizeof *functions);
    kernel->loops = loops;
    kernel->functions = functions;
    return true;
}

static bool finish(struct lw_kernel_builder *builder)
{
    struct lw_kernel *kernel = builder->kernel;
    struct lw_error err;
    if (!lw_alias_list_sort(&builder->aliases, &kernel->aliases, &kernel->arena, &err)) {
        if (err.code == LW_ERROR_MEMORY)
            return false;
        lw_builder_problem(builder, &err);
    }
    lw_builder_settle(builder);
    if (!lw_builder_finish_types(builder))
        return false;
    size_t count = builder->locs.count;
    const struct lw_location **locations = calloc(count + 1, sizeof *locations);
    for (size_t i = 0; locations && i < count; i++)
        locations[i] = lw_location_read(&kernel->arena, &kernel->aliases, builder->locs.names[i],
                                        strlen(builder->locs.names[i]));
    bool ok =
        locations && finish_operations(builder, locations) && finish_loops(builder, locations);
    free(locations);
    kernel->more = builder->pieces.part && builder->pieces.dividers >= builder->pieces.part;
    kernel->bytes = builder->pieces.total;
    kernel->lines = builder->pieces.line;
    return ok;
}

static void free_builder(struct lw_kernel_builder *builder)
{
    for (size_t i = 0; i < builder->frame_count; i++)
        lw_text_free(&builder->frames[i].text);
    lw_intern_free(&builder->types);
    lw_intern_free(&builder->type_names);
    lw_intern_free(&builder->constants);
    lw_intern_free(&builder->locs);
    lw_intern_free(&builder->values);
    free(builder->uses);
    lw_operation_text_free(&builder->op);
    lw_pieces_free(&builder->pieces);
    free(builder->aliases.items);
    free(builder->type_values);
    free(builder->type_places);
    free(builder->type_uses);
    free(builder->constant_values);
    free(builder->frames);
    free(builder->operations);
    free(builder->operation_locs);
    free(builder->operation_orders);
    free(builder->loops);
    free(builder->loop_locs);
    free(builder->functions);
}

/* Reads what the builder's pieces have begun with. */
static bool build(struct lw_kernel_builder *builder, const char *name, struct lw_error *err)
{
    struct lw_kernel *kernel = builder->kernel;
    kernel->name = lw_arena_string(&kernel->arena, name, strlen(name));
    kernel->target = "";
    kernel->picked = kernel->picked_with = -1;
    builder->types.most = LW_KERNEL_TYPES_MAX;
    builder->type_names.most = builder->constants.most = LW_KERNEL_TYPES_MAX;
    builder->values.most = LW_KERNEL_OPERATIONS_MAX;
    builder->locs.most = LW_KERNEL_OPERATIONS_MAX + LW_KERNEL_LOOPS_MAX;
    builder->pieces.part = builder->options ? builder->options->part : 0;
    builder->pieces.most = builder->options ? builder->options->most : 0;
    bool ok = kernel->name && read_pieces(builder) && finish(builder);
    if (!ok && builder->err.code == LW_OK)
        lw_error_set(&builder->err, LW_ERROR_MEMORY, "out of memory");
    if (!ok && err)
        *err = builder->err;
    free_builder(builder);
    if (!ok)
        lw_kernel_free(kernel);
    return ok;
}

/* ---- The public ways in ---- */

bool lw_kernel_read(struct lw_kernel *kernel, const char *text, size_t length,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    struct lw_kernel_builder builder = {.kernel = kernel, .options = options};
    memset(kernel, 0, sizeof *kernel);
    char *copy = lw_arena_string(&kernel->arena, text, length);
    if (!copy) {
        lw_kernel_free(kernel);
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    lw_pieces_begin_text(&builder.pieces, copy, length);
    return build(&builder, "", err);
}

bool lw_kernel_open(struct lw_kernel *kernel, const char *path,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    struct lw_kernel_builder builder = {.kernel = kernel, .options = options};
    struct lw_error scratch;
    struct lw_reading reading = {.arena = &kernel->arena, .err = err ? err : &scratch};
    memset(kernel, 0, sizeof *kernel);
    FILE *input = options && !strcmp(path, "-") ? options->input : NULL;
    FILE *file = input ? input : lw_open_file(&reading, path);
    if (!file) {
        lw_kernel_free(kernel);
        return false;
    }
    const char *name = input ? "standard input" : path;
    lw_pieces_begin_file(&builder.pieces, file, name);
    bool ok = build(&builder, name, err);
    if (!input)
        fclose(file);
    return ok;
}

void lw_kernel_free(struct lw_kernel *kernel)
{
    lw_arena_free(&kernel->arena);
    memset(kernel, 0, sizeof *kernel);
}
