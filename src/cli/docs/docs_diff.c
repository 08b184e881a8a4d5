/* Diffs of documents, without context. */

#include "cli/docs/docs_diff.h"

#include "export/output.h"

#include <string.h>

static size_t count_lines(struct lw_slice text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text.length; i++)
        lines += text.at[i] == '\n';
    return lines;
}

/* The lines that two texts begin with, both. */
static size_t common_beginning(struct lw_slice a, struct lw_slice b)
{
    size_t length = 0;
    for (size_t i = 0; i < a.length && i < b.length && a.at[i] == b.at[i]; i++)
        if (a.at[i] == '\n')
            length = i + 1;
    return length;
}

static void put_diff_lines(FILE *out, const char *sign, struct lw_slice text)
{
    for (size_t at = 0, length; at < text.length; at += length + 1) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        length = end ? (size_t)(end - text.at) - at : text.length - at;
        size_t shown = length && text.at[at + length - 1] == '\r' ? length - 1 : length;
        lw_output_print(out, "%s%.*s\n", sign, (int)shown, text.at + at);
    }
}

static void put_names(const struct lw_docs_diff *diff)
{
    static const char *const signs[] = {"---", "+++"};
    for (int i = 0; i < 2; i++) {
        lw_output_print(diff->out, "%s ", signs[i]);
        lw_output_name(diff->out, diff->path);
        if (diff->cell)
            lw_output_print(diff->out, " cell %zu", diff->cell);
        lw_output_print(diff->out, "\n");
    }
}

/* What a block would become, as a hunk of diff -U0. */
void lw_docs_put_diff(struct lw_docs_diff *diff, const struct lw_embedded *pair,
                      struct lw_slice fresh)
{
    struct lw_slice old = pair->between;
    if (!diff->added && !diff->removed)
        put_names(diff);
    size_t same = common_beginning(old, fresh);
    struct lw_slice beginning = {old.at, same};
    size_t line = pair->line + 1 + count_lines(beginning);
    old = (struct lw_slice){old.at + same, old.length - same};
    fresh = (struct lw_slice){fresh.at + same, fresh.length - same};
    size_t removed = count_lines(old), added = count_lines(fresh);
    size_t now = line + diff->added - diff->removed;
    lw_output_print(diff->out, "@@ -%zu,%zu +%zu,%zu @@\n", removed ? line : line - 1, removed,
                    added ? now : now - 1, added);
    put_diff_lines(diff->out, "-", old);
    put_diff_lines(diff->out, "+", fresh);
    diff->added += added;
    diff->removed += removed;
}
