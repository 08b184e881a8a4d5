/*
 * A linear layout as Triton prints it, and laneway's `bases`:
 *
 *     layout: in-dim { in-dim } `where out dims are: [` out-dims `]`
 *           | `(empty layout` [ `with out-dims [` out-dims `]` ] `)`
 *     in-dim: `-` name `is a size 1 dimension`
 *           | `-` name `=1 -> ` image { name `=` 2, 4, 8, ... ` -> ` image }
 *     image:  `(` [ number { `,` number } ] `)`
 *     out-dims: [ name `(size` number `)` { `,` ... } ]
 *
 * White space between tokens is ignored, so the text may have lost its line breaks.
 *
 * Source: LinearLayout::toString of Triton, releases 3.0 to 3.7.
 */

#include "notation/expression/evaluate.h"

#include <string.h>

/* What has been read: the parameters of the encoding `bases`. */
struct printed {
    struct lw_value in, out, bases;
    size_t in_room, out_room, bases_room;
    size_t rank; /* numbers in each image; known when rank_is_set */
    bool rank_is_set;
};

static bool read_keywords(struct lw_scan *scan, const char *const *text, const char *expected)
{
    for (; *text; text++)
        if (!lw_scan_keyword(scan, *text))
            return lw_scan_unexpected(scan, expected);
    return true;
}

/* Appends `[name, size]` to a list of dims, which has no dim of that name yet. */
static bool append_dim(struct lw_scan *scan, struct lw_value *dims, size_t *room, const char *name,
                       struct lw_position position, int64_t size)
{
    struct lw_value pair = {.kind = LW_VALUE_LIST, .position = position}, item;
    size_t pair_room = 0;
    for (size_t i = 0; i < dims->count; i++)
        if (strcmp(dims->items[i].items[0].string, name) == 0)
            return lw_error_at(scan->err, LW_ERROR_NAME, position, "duplicate dim '%.40s'", name);
    if (dims->count == LW_DIMS_MAX)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, position, "more than %d dims", LW_DIMS_MAX);
    item = (struct lw_value){.kind = LW_VALUE_STRING, .position = position, .string = name};
    if (!lw_read_append(scan, &pair, &pair_room, &item))
        return false;
    item = lw_value_integer(size);
    item.position = position;
    return lw_read_append(scan, &pair, &pair_room, &item) &&
           lw_read_append(scan, dims, room, &pair);
}

/* ---- Out-dims ---- */

/* `dim0 (size 16)` */
static bool read_out(struct lw_scan *scan, struct printed *printed)
{
    static const char *const text[] = {"size", NULL};
    struct lw_position position;
    int64_t size;
    const char *name = lw_scan_dim(scan, &position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of an out-dim");
    return lw_scan_expect(scan, '(', "'(size N)'") && read_keywords(scan, text, "'size'") &&
           lw_scan_integer(scan, &size) && lw_scan_expect(scan, ')', "')'") &&
           append_dim(scan, &printed->out, &printed->out_room, name, lw_scan_until(scan, position),
                      size);
}

static bool read_outs(struct lw_scan *scan, struct printed *printed)
{
    struct lw_position position = lw_scan_position(scan);
    if (!lw_scan_expect(scan, '[', "'['"))
        return false;
    if (!lw_scan_accept(scan, ']')) {
        do
            if (!read_out(scan, printed))
                return false;
        while (lw_scan_accept(scan, ','));
        if (!lw_scan_expect(scan, ']', "',' or ']'"))
            return false;
    }
    printed->out.position = lw_scan_until(scan, position);
    return !printed->rank_is_set || printed->rank == printed->out.count ||
           lw_error_at(scan->err, LW_ERROR_SHAPE, printed->out.position,
                       "%zu numbers in each basis, but %zu out dims", printed->rank,
                       printed->out.count);
}

/* ---- Bases ---- */

/* `(0, 1)`, of as many numbers as those before it. */
static bool read_image(struct lw_scan *scan, struct printed *printed, struct lw_value *image)
{
    struct lw_position position = lw_scan_position(scan);
    size_t room = 0;
    *image = (struct lw_value){.kind = LW_VALUE_LIST};
    if (!lw_scan_expect(scan, '(', "'('"))
        return false;
    if (!lw_scan_accept(scan, ')')) {
        do {
            struct lw_value number = {.kind = LW_VALUE_INTEGER};
            lw_scan_space(scan);
            struct lw_position at = lw_scan_position(scan);
            if (!lw_scan_integer(scan, &number.integer))
                return false;
            number.position = lw_scan_until(scan, at);
            if (!lw_read_append(scan, image, &room, &number))
                return false;
        } while (lw_scan_accept(scan, ','));
        if (!lw_scan_expect(scan, ')', "',' or ')'"))
            return false;
    }
    image->position = lw_scan_until(scan, position);
    if (printed->rank_is_set && printed->rank != image->count)
        return lw_error_at(scan->err, LW_ERROR_SHAPE, image->position,
                           "%zu number%s, but the bases before have %zu", image->count,
                           image->count == 1 ? "" : "s", printed->rank);
    printed->rank = image->count;
    printed->rank_is_set = true;
    return true;
}

/* `=4 -> (2, 0)`, of bit 2. */
static bool read_basis(struct lw_scan *scan, struct printed *printed, const char *name,
                       struct lw_position position, struct lw_value *list, size_t *room)
{
    struct lw_value image;
    int64_t power, due = (int64_t)1 << list->count;
    if (!lw_scan_expect(scan, '=', "'='") || !lw_scan_integer(scan, &power))
        return false;
    if (power != due)
        return lw_error_at(
            scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
            "%.40s=%lld, but expected %.40s=%lld: the bases are those of 1, 2, 4, ...", name,
            (long long)power, name, (long long)due);
    if (list->count == 62)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, position, "more than 62 bases of %.40s",
                           name);
    if (!lw_scan_expect(scan, '-', "'->'") || !lw_scan_expect(scan, '>', "'->'"))
        return false;
    lw_scan_space(scan);
    return read_image(scan, printed, &image) && lw_read_append(scan, list, room, &image);
}

/* Reads the bases after the name of an in-dim; each basis after the first one repeats the name. */
static bool read_list(struct lw_scan *scan, struct printed *printed, const char *name,
                      struct lw_position position, struct lw_value *list)
{
    static const char *const is_a_size[] = {"is", "a", "size", NULL};
    static const char *const dimension[] = {"dimension", NULL};
    size_t room = 0;
    int64_t size = 1;
    if (lw_scan_peek(scan) != '=')
        return read_keywords(scan, is_a_size, "'=1 ->' or 'is a size 1 dimension'") &&
               lw_scan_integer(scan, &size) && read_keywords(scan, dimension, "'dimension'") &&
               (size == 1 || lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                                         "a dim without bases must have size 1"));
    do {
        if (!read_basis(scan, printed, name, position, list, &room))
            return false;
        lw_scan_space(scan);
        position = lw_scan_position(scan);
    } while (lw_scan_keyword(scan, name));
    return true;
}

/* Appends the bases of an in-dim to the object; append_dim has checked that the name is new. */
static bool append_bases(struct lw_scan *scan, struct printed *printed, const char *name,
                         const struct lw_value *list)
{
    struct lw_value *bases = &printed->bases;
    if (!bases->names)
        bases->names = lw_arena_alloc(scan->arena, LW_DIMS_MAX * sizeof *bases->names);
    if (!bases->names)
        return lw_scan_out_of_memory(scan);
    bases->names[bases->count] = name;
    return lw_read_append(scan, bases, &printed->bases_room, list);
}

static bool read_in(struct lw_scan *scan, struct printed *printed)
{
    struct lw_value list = {.kind = LW_VALUE_LIST};
    struct lw_position position;
    const char *name = lw_scan_dim(scan, &position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of an in-dim");
    list.position = position;
    return read_list(scan, printed, name, position, &list) &&
           append_dim(scan, &printed->in, &printed->in_room, name, position,
                      (int64_t)1 << list.count) &&
           append_bases(scan, printed, name, &list);
}

/* ---- The whole ---- */

static bool read_lines(struct lw_scan *scan, struct printed *printed)
{
    static const char *const out_dims[] = {"out", "dims", "are", NULL};
    while (lw_scan_accept(scan, '-'))
        if (!read_in(scan, printed))
            return false;
    if (!lw_scan_keyword(scan, "where"))
        return lw_scan_unexpected(scan, printed->in.count
                                            ? "'- ' and an in-dim or 'where out dims are: [...]'"
                                            : "'- ' and an in-dim");
    return read_keywords(scan, out_dims, "'where out dims are: [...]'") &&
           lw_scan_expect(scan, ':', "':'") && (lw_scan_space(scan), read_outs(scan, printed));
}

static bool read_empty(struct lw_scan *scan, struct printed *printed)
{
    static const char *const empty[] = {"empty", "layout", NULL};
    static const char *const out[] = {"out", NULL}, *const dims[] = {"dims", NULL};
    if (!read_keywords(scan, empty, "'(empty layout)'"))
        return false;
    if (lw_scan_keyword(scan, "with") &&
        !(read_keywords(scan, out, "'out-dims'") && lw_scan_expect(scan, '-', "'out-dims'") &&
          read_keywords(scan, dims, "'out-dims'") &&
          (lw_scan_space(scan), read_outs(scan, printed))))
        return false;
    return lw_scan_expect(scan, ')', "')'");
}

bool lw_read_tostring(struct lw_scan *scan, struct lw_encoding **encoding)
{
    struct printed printed = {.in = {.kind = LW_VALUE_LIST},
                              .out = {.kind = LW_VALUE_LIST},
                              .bases = {.kind = LW_VALUE_OBJECT}};
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    position.length = 1;
    printed.in.position = printed.out.position = printed.bases.position = position;
    if (!(lw_scan_accept(scan, '(') ? read_empty(scan, &printed) : read_lines(scan, &printed)))
        return false;
    *encoding = lw_read_new(scan, lw_encoding_type_get("bases", position, scan->err), position);
    return *encoding && lw_read_set_param(*encoding, "in", position, &printed.in, scan->err) &&
           lw_read_set_param(*encoding, "out", position, &printed.out, scan->err) &&
           lw_read_set_param(*encoding, "bases", position, &printed.bases, scan->err) &&
           (lw_scan_at_end(scan) || lw_scan_unexpected(scan, "the end"));
}
