/* What an entry of the list has of a kernel: its SOURCE, and which conversion of a reduction it is. */

#include "kernel/reduce_picture.h"
#include "tui/kernel/browse.h"

#include <string.h>

/* ---- SOURCEs ---- */

size_t lw_browse_put_layout_source(const struct lw_browser *browser,
                                   const struct lw_layout_row *row, struct lw_text *source)
{
    lw_text_clear(source);
    lw_text_format(source, "%s:%d ", browser->path, browser->part);
    size_t kernel = source->length;
    lw_text_add(source, browser->kernel.types[row->type].text);
    return kernel;
}

void lw_browse_source(const struct lw_browser *browser, int which, size_t item,
                      struct lw_text *text)
{
    if (which == LW_BROWSE_OPERATIONS)
        lw_text_format(text, "%s:%d", browser->path,
                       lw_browse_operation_of(browser, item)->position.line);
    else if (browser->layouts[item].type >= 0)
        lw_browse_put_layout_source(browser, &browser->layouts[item], text);
}

bool lw_browse_is_of(const struct lw_browser *browser, size_t operation, const char *source)
{
    struct lw_text own = {0};
    lw_browse_source(browser, LW_BROWSE_OPERATIONS, operation, &own);
    const bool begins = own.length && !strncmp(source, lw_text_string(&own), own.length);
    const bool is = begins && (source[own.length] == '\0' || source[own.length] == ',');
    lw_text_free(&own);
    return is;
}

/* ---- Conversions of a reduction ---- */

/* "conversion 1 of 2 of the reduction, operand 2 of 2 (the widest), which costs most: 32 of its 40 wavefronts" */
static void report(struct lw_explorer *ex, const struct lw_reduce_picture *picture,
                   const struct lw_kernel_cost *cost)
{
    struct lw_text text = {0};
    lw_text_format(&text, "conversion %d of %d of the reduction", picture->step, picture->steps);
    if (picture->operands > 1)
        lw_text_format(&text, ", operand %d of %d%s", picture->operand, picture->operands,
                       picture->widest ? picture->operand > 1 ? " (the widest)" : " (none is wider)"
                                       : "");
    if (picture->equals)
        lw_text_format(&text, ", which costs as much as %d other%s", picture->equals,
                       picture->equals > 1 ? "s" : "");
    else if (picture->most && picture->steps > 1)
        lw_text_add(&text, ", which costs most");
    lw_text_format(&text, ": %llu", (unsigned long long)picture->wavefronts);
    if (cost && (cost->known & LW_COST_SHARED))
        lw_text_format(&text, " of its %llu", (unsigned long long)cost->wavefronts);
    lw_explorer_set_message(ex, false, "%s wavefronts", lw_text_string(&text));
    lw_text_free(&text);
}

void lw_browse_note_conversion(struct lw_explorer *ex, const struct lw_reduce_picture *picture,
                               const struct lw_kernel_cost *cost)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    entry->undrawn[0] = '\0';
    entry->part = (picture->operand - 1) * picture->steps + picture->step;
    entry->parts = picture->operands * picture->steps;
    entry->kernel_part = ex->browser->part;
    report(ex, picture, cost);
}

bool lw_browse_reopen(struct lw_explorer *ex, struct lw_error *err)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    const struct lw_browser *browser = ex->browser;
    const unsigned focus = ex->focus;
    struct lw_text path = {0};
    const char *line = strrchr(entry->source, ':');
    lw_text_bytes(&path, entry->source, line ? (size_t)(line - entry->source) : 0);
    const char *name = lw_text_string(&path);
    bool is_open =
        browser->has_kernel && browser->part == entry->kernel_part && !strcmp(browser->path, name);
    bool good = is_open || lw_browse_open_part(ex, name, entry->kernel_part, err);
    ex->focus = focus;
    lw_text_free(&path);
    return good;
}
