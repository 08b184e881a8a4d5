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
#include "encoding/schema/schema.h"

#include <string.h>

/* What has been read: the parameters of the encoding `bases`. */
struct printed {
    struct lw_value in, out, bases;
    size_t in_room, out_room, bases_room;
    size_t rank; /* numbers in each image; SIZE_MAX: not known yet */
};

/* Reads words and signs that are separated by blanks. */
static bool read_words(struct lw_scan *scan, const char *words, const char *expected)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        char word[12];
        length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        bool found =
            lw_is_name_start(*word) ? lw_scan_keyword(scan, word) : lw_scan_accept(scan, *word);
        if (!found)
            return lw_scan_unexpected(scan, expected);
    }
    return true;
}

/* Appends `[name, size]` to a list of dims, which has no dim of that name yet. */
static bool append_dim(struct lw_scan *scan, struct lw_value *dims, size_t *room, const char *name,
                       struct lw_position position, int64_t size)
{
    struct lw_value pair = {.kind = LW_VALUE_LIST, .position = position}, number;
    struct lw_value string = {.kind = LW_VALUE_STRING, .position = position, .string = name};
    size_t pair_room = 0;
    for (size_t i = 0; i < dims->count; i++)
        if (strcmp(dims->items[i].items[0].string, name) == 0)
            return lw_error_at(scan->err, LW_ERROR_NAME, position, "duplicate dim '%.40s'", name);
    if (dims->count == LW_DIMS_MAX)
        return lw_error_at(scan->err, LW_ERROR_LIMIT, position, "more than %d dims", LW_DIMS_MAX);
    number = lw_value_integer(size);
    number.position = position;
    return lw_read_append(scan, &pair, &pair_room, &string) &&
           lw_read_append(scan, &pair, &pair_room, &number) &&
           lw_read_append(scan, dims, room, &pair);
}

/* `[dim0 (size 16), ...]` */
static bool read_outs(struct lw_scan *scan, struct printed *printed)
{
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan), at;
    bool more = lw_scan_expect(scan, '[', "'['");
    if (!more)
        return false;
    for (more = !lw_scan_accept(scan, ']'); more;) {
        int64_t size;
        const char *name = lw_scan_dim(scan, &at);
        if (!name)
            return lw_scan_unexpected(scan, "the name of an out-dim");
        if (!read_words(scan, "(", "'(size N)'") || !read_words(scan, "size", "'size'") ||
            !lw_scan_integer(scan, &size) || !lw_scan_expect(scan, ')', "')'") ||
            !append_dim(scan, &printed->out, &printed->out_room, name, lw_scan_until(scan, at),
                        size))
            return false;
        more = lw_scan_accept(scan, ',');
        if (!more && !lw_scan_expect(scan, ']', "',' or ']'"))
            return false;
    }
    printed->out.position = lw_scan_until(scan, position);
    return printed->rank == SIZE_MAX || printed->rank == printed->out.count ||
           lw_error_at(scan->err, LW_ERROR_SHAPE, printed->out.position,
                       "%zu numbers in each basis, but %zu out dims", printed->rank,
                       printed->out.count);
}

/* `(0, 1)`, of as many numbers as those before it. */
static bool read_image(struct lw_scan *scan, struct printed *printed, struct lw_value *image)
{
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    size_t room = 0;
    *image = (struct lw_value){.kind = LW_VALUE_LIST};
    if (!lw_scan_expect(scan, '(', "'('"))
        return false;
    for (bool more = !lw_scan_accept(scan, ')'); more;) {
        struct lw_value number = {.kind = LW_VALUE_INTEGER};
        lw_scan_space(scan);
        struct lw_position at = lw_scan_position(scan);
        if (!lw_scan_integer(scan, &number.integer))
            return false;
        number.position = lw_scan_until(scan, at);
        if (!lw_read_append(scan, image, &room, &number))
            return false;
        more = lw_scan_accept(scan, ',');
        if (!more && !lw_scan_expect(scan, ')', "',' or ')'"))
            return false;
    }
    image->position = lw_scan_until(scan, position);
    if (printed->rank != SIZE_MAX && printed->rank != image->count)
        return lw_error_at(scan->err, LW_ERROR_SHAPE, image->position,
                           "%zu number%s, but the bases before have %zu", image->count,
                           image->count == 1 ? "" : "s", printed->rank);
    printed->rank = image->count;
    return true;
}

/* Reads the bases after the name of an in-dim, `=4 -> (2, 0)`; each after the first one repeats the name. */
static bool read_bases(struct lw_scan *scan, struct printed *printed, const char *name,
                       struct lw_position position, struct lw_value *list)
{
    size_t room = 0;
    int64_t power, due, size = 1;
    if (lw_scan_peek(scan) != '=')
        return read_words(scan, "is a size", "'=1 ->' or 'is a size 1 dimension'") &&
               lw_scan_integer(scan, &size) && read_words(scan, "dimension", "'dimension'") &&
               (size == 1 || lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                                         "a dim without bases must have size 1"));
    do {
        struct lw_value image;
        due = (int64_t)1 << list->count;
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
        if (!read_words(scan, "- >", "'->'") || !read_image(scan, printed, &image) ||
            !lw_read_append(scan, list, &room, &image))
            return false;
        lw_scan_space(scan);
        position = lw_scan_position(scan);
    } while (lw_scan_keyword(scan, name));
    return true;
}

static bool read_in(struct lw_scan *scan, struct printed *printed)
{
    struct lw_value list = {.kind = LW_VALUE_LIST}, *bases = &printed->bases;
    const char *name = lw_scan_dim(scan, &list.position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of an in-dim");
    if (!bases->names &&
        !(bases->names = lw_arena_alloc(scan->arena, LW_DIMS_MAX * sizeof *bases->names)))
        return lw_scan_out_of_memory(scan);
    if (!read_bases(scan, printed, name, list.position, &list) ||
        !append_dim(scan, &printed->in, &printed->in_room, name, list.position,
                    (int64_t)1 << list.count))
        return false;
    bases->names[bases->count] = name;
    return lw_read_append(scan, bases, &printed->bases_room, &list);
}

/* ---- The whole ---- */

static bool read_lines(struct lw_scan *scan, struct printed *printed)
{
    static const char expected[] = "'where out dims are: [...]'";
    if (lw_scan_accept(scan, '('))
        return read_words(scan, "empty layout", "'(empty layout)'") &&
               (!lw_scan_keyword(scan, "with") ||
                (read_words(scan, "out - dims", "'out-dims'") && read_outs(scan, printed))) &&
               lw_scan_expect(scan, ')', "')'");
    while (lw_scan_accept(scan, '-'))
        if (!read_in(scan, printed))
            return false;
    if (!lw_scan_keyword(scan, "where"))
        return lw_scan_unexpected(scan, printed->in.count
                                            ? "'- ' and an in-dim or 'where out dims are: [...]'"
                                            : "'- ' and an in-dim");
    return read_words(scan, "out dims are", expected) && lw_scan_expect(scan, ':', "':'") &&
           read_outs(scan, printed);
}

bool lw_read_tostring(struct lw_scan *scan, struct lw_encoding **encoding)
{
    struct printed printed = {.in = {.kind = LW_VALUE_LIST},
                              .out = {.kind = LW_VALUE_LIST},
                              .bases = {.kind = LW_VALUE_OBJECT},
                              .rank = SIZE_MAX};
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    position.length = 1;
    printed.in.position = printed.out.position = printed.bases.position = position;
    if (!read_lines(scan, &printed))
        return false;
    *encoding = lw_read_new(scan, lw_encoding_type_get("bases", position, scan->err), position);
    return *encoding && lw_read_set_param(*encoding, "in", position, &printed.in, scan->err) &&
           lw_read_set_param(*encoding, "out", position, &printed.out, scan->err) &&
           lw_read_set_param(*encoding, "bases", position, &printed.bases, scan->err) &&
           (lw_scan_at_end(scan) || lw_scan_unexpected(scan, "the end"));
}
