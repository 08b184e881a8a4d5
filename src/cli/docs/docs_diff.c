/* Unified diffs of documents. Only blocks differ, and these are known, so that no search for changes is needed. */

#include "cli/docs/docs_diff.h"

#include "export/output.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 }; /* lines around a change */

/* ---- Lines ---- */

/* The number of lines of a text; a last line without a newline counts. */
static size_t count_lines(struct lw_slice text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text.length; i++)
        lines += text.at[i] == '\n' || i + 1 == text.length;
    return lines;
}

static struct lw_slice part(struct lw_slice text, size_t from, size_t to)
{
    return (struct lw_slice){text.at + from, to - from};
}

/* Where the line `lines` lines above begins; `at` is the beginning of a line. */
static size_t above(struct lw_slice text, size_t at, int lines)
{
    for (; lines && at; lines--)
        do
            at--;
        while (at && text.at[at - 1] != '\n');
    return at;
}

static size_t below(struct lw_slice text, size_t at, int lines)
{
    for (; lines && at < text.length; lines--) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        at = end ? (size_t)(end - text.at) + 1 : text.length;
    }
    return at;
}

/* ---- Changes ---- */

/* The length of the whole lines with which both texts begin. */
static size_t common_beginning(struct lw_slice a, struct lw_slice b)
{
    size_t length = 0;
    for (size_t i = 0; i < a.length && i < b.length && a.at[i] == b.at[i]; i++)
        if (a.at[i] == '\n')
            length = i + 1;
    return length;
}

/* The length of the whole lines with which both texts end: each text ends with a newline. */
static size_t common_end(struct lw_slice a, struct lw_slice b)
{
    size_t length = 0;
    for (size_t i = 1; i <= a.length && i <= b.length; i++) {
        if (a.at[a.length - i] != b.at[b.length - i])
            break;
        bool begins_a = i == a.length || a.at[a.length - i - 1] == '\n';
        bool begins_b = i == b.length || b.at[b.length - i - 1] == '\n';
        if (begins_a && begins_b)
            length = i;
    }
    return length;
}

bool lw_docs_diff_add(struct lw_docs_diff *diff, size_t from, struct lw_slice old,
                      size_t fresh_from, struct lw_slice fresh)
{
    struct lw_docs_change *more = realloc(diff->change, (diff->count + 1) * sizeof *more);
    if (!more)
        return false;
    diff->change = more;
    size_t same = common_beginning(old, fresh);
    lw_slice_skip(&old, same);
    lw_slice_skip(&fresh, same);
    size_t end = common_end(old, fresh);
    diff->change[diff->count++] =
        (struct lw_docs_change){from + same, from + same + old.length - end, fresh_from + same,
                                fresh_from + same + fresh.length - end};
    return true;
}

/* ---- Printing ---- */

static void put_lines(FILE *out, char sign, struct lw_slice text)
{
    for (size_t at = 0, length; at < text.length; at += length + 1) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        length = end ? (size_t)(end - text.at) - at : text.length - at;
        lw_output_print(out, "%c%.*s\n%s", sign, (int)length, text.at + at,
                        end ? "" : "\\ No newline at end of file\n");
    }
}

/* Writes the first line and the number of lines; when there are none, the line above. */
static void put_range(FILE *out, char sign, struct lw_slice text, size_t from, size_t to)
{
    size_t count = count_lines(part(text, from, to));
    size_t line = count_lines(part(text, 0, from)) + (count > 0);
    lw_output_print(out, "%c%zu,%zu ", sign, line, count);
}

/* Writes a hunk of changes that are near each other; the context is the same in both texts. */
static void put_hunk(FILE *out, const struct lw_docs_change *change, size_t count,
                     struct lw_slice old, struct lw_slice fresh)
{
    const struct lw_docs_change *last = &change[count - 1];
    size_t from = above(old, change->from, CONTEXT), to = below(old, last->to, CONTEXT);
    lw_output_print(out, "@@ ");
    put_range(out, '-', old, from, to);
    put_range(out, '+', fresh, change->fresh_from - (change->from - from),
              last->fresh_to + (to - last->to));
    lw_output_print(out, "@@\n");
    for (size_t i = 0; i < count; i++) {
        put_lines(out, ' ', part(old, from, change[i].from));
        put_lines(out, '-', part(old, change[i].from, change[i].to));
        put_lines(out, '+', part(fresh, change[i].fresh_from, change[i].fresh_to));
        from = change[i].to;
    }
    put_lines(out, ' ', part(old, from, to));
}

static void put_name(FILE *out, const char *sign, const char *path, size_t cell)
{
    lw_output_print(out, "%s ", sign);
    lw_output_name(out, path);
    if (cell)
        lw_output_print(out, " cell %zu", cell);
    lw_output_print(out, "\n");
}

void lw_docs_diff_put(const struct lw_docs_diff *diff, FILE *out, const char *path, size_t cell,
                      struct lw_slice old, struct lw_slice fresh)
{
    if (!diff->count)
        return;
    put_name(out, "---", path, cell);
    put_name(out, "+++", path, cell);
    for (size_t i = 0, count; i < diff->count; i += count) {
        const struct lw_docs_change *change = &diff->change[i];
        for (count = 1; i + count < diff->count; count++)
            if (count_lines(part(old, change[count - 1].to, change[count].from)) > 2 * CONTEXT)
                break;
        put_hunk(out, change, count, old, fresh);
    }
}

void lw_docs_diff_free(struct lw_docs_diff *diff)
{
    free(diff->change);
    *diff = (struct lw_docs_diff){0};
}
