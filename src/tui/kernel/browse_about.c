/* The page about the chosen row of a folder or a kernel: what is known of it, what is not counted, and why. */

#include "tui/kernel/browse.h"

#include <inttypes.h>
#include <string.h>

enum { NAMES = 12 }; /* columns of the names on the left */

/* ---- A file of a folder ---- */

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Appends the notes of a file: errors of its text, and operations that are not counted. */
static void put_notes(const struct lw_folder_cost *cost, struct lw_text *text)
{
    const size_t all = cost->problems + cost->uncounted + !cost->read;
    const size_t noted = count_lines(lw_text_string(&cost->notes));
    if (!lw_folder_cost_lacks(cost))
        return;
    lw_text_add(text, cost->read ? "\nWhat these numbers leave out:\n" : "\n");
    lw_text_add(text, lw_text_string(&cost->notes));
    if (all > noted)
        lw_text_format(text, "and %zu more: Enter opens the kernel, where ! marks them\n",
                       all - noted);
}

static void put_file(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const struct lw_kernel_about *about = lw_kernel_folder_about(&browser->folder, item);
    const struct lw_folder_cost *cost = &browser->folder_costs[item];
    struct lw_text value = {0};
    lw_text_row(text, "kernel", NAMES, about->name);
    lw_text_row(text, "file", NAMES, browser->folder.files[item].path);
    lw_text_row(text, "target", NAMES, *about->target ? about->target : "unknown");
    if (*about->triton)
        lw_text_row(text, "Triton", NAMES, about->triton);
    if (about->num_warps) {
        lw_text_format(&value, "%d", about->num_warps);
        lw_text_row(text, "warps", NAMES, lw_text_string(&value));
    }
    if (about->shared >= 0) {
        lw_text_clear(&value);
        lw_text_format(&value, "%" PRId64 " bytes", about->shared);
        lw_text_row(text, "shared", NAMES, lw_text_string(&value));
    }
    lw_text_clear(&value);
    lw_browse_put_file(cost, &value);
    if (cost->uncounted)
        lw_text_format(&value, "; %zu not counted", cost->uncounted);
    lw_text_row(text, "cost", NAMES, lw_text_string(&value));
    if (cost->trips_unknown)
        lw_text_row(text, "loops", NAMES, "those of unknown trips count once");
    put_notes(cost, text);
    lw_text_free(&value);
}

/* ---- An operation ---- */

static void put_source(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    struct lw_text value = {0};
    lw_location_print(&value, lw_browse_operation_of(browser, item)->location, true);
    if (value.length)
        lw_text_row(text, "source", NAMES, lw_text_string(&value));
    if (*lw_browse_quote(browser, item))
        lw_text_row(text, "", NAMES, lw_browse_quote(browser, item));
    lw_text_free(&value);
}

static void put_operation(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const struct lw_operation *operation = lw_browse_operation_of(browser, item);
    const struct lw_kernel_cost *cost = lw_browse_cost_of(browser, item);
    struct lw_text value = {0};
    lw_text_format(&value, "%s, line %d of %s", operation->name, operation->position.line,
                   browser->path);
    lw_text_row(text, "operation", NAMES, lw_text_string(&value));
    lw_text_row(text, "", NAMES, operation->kind->about);
    put_source(browser, item, text);
    lw_text_clear(&value);
    lw_operation_print_tensor(&value, &browser->kernel, operation);
    if (value.length)
        lw_text_row(text, "tensor", NAMES, lw_text_string(&value));
    lw_text_clear(&value);
    lw_operation_print_layouts(&value, &browser->kernel, operation);
    if (value.length)
        lw_text_row(text, "layouts", NAMES, lw_text_string(&value));
    lw_text_clear(&value);
    if (cost)
        lw_browse_put_cost(cost, &value);
    lw_browse_put_share(browser, item, &value);
    lw_text_row(text, "cost", NAMES, cost ? lw_text_string(&value) : "is not counted yet");
    if (cost && *cost->why)
        lw_text_row(text, cost->known ? "note" : "not counted", NAMES, cost->why);
    lw_text_free(&value);
}

/* ---- A layout ---- */

static void put_layout(struct lw_browser *browser, size_t item, struct lw_text *text)
{
    const struct lw_kernel *kernel = &browser->kernel;
    const int layout = browser->layouts[item].encoding;
    const struct lw_kernel_encoding *encoding = &kernel->encodings[layout];
    struct lw_text value = {0};
    lw_text_format(&value, "%s, line %d of %s", encoding->alias, encoding->position.line,
                   browser->path);
    lw_text_row(text, "layout", NAMES, lw_text_string(&value));
    lw_text_row(text, "attribute", NAMES, encoding->text);
    if (encoding->problem)
        lw_text_row(text, "problem", NAMES, encoding->problem->message);
    lw_text_clear(&value);
    for (size_t i = 0; i < encoding->type_count; i++)
        lw_text_format(&value, "%s%s", i ? ", " : "", kernel->types[encoding->types[i]].text);
    lw_text_row(text, "types", NAMES, value.length ? lw_text_string(&value) : "none: no shape");
    lw_text_clear(&value);
    lw_text_format(&value, "%" PRIu64, encoding->uses);
    lw_text_row(text, "uses", NAMES, lw_text_string(&value));
    bool first = true;
    for (size_t i = 0; i < kernel->operation_count; i++) {
        const struct lw_operation *operation = &kernel->operations[i];
        if (!lw_browse_has_layout(kernel, operation, layout))
            continue;
        lw_text_clear(&value);
        lw_text_format(&value, "line %d: %s", operation->position.line, operation->name);
        lw_text_row(text, first ? "operations" : "", NAMES, lw_text_string(&value));
        first = false;
    }
    lw_text_free(&value);
}

/* ---- The page ---- */

void lw_browse_about(struct lw_explorer *ex, int unused)
{
    struct lw_text text = {0};
    (void)unused;
    if (!(lw_focus_below(ex) & LW_BROWSING))
        return;
    const int which = lw_browse_active(ex);
    const size_t item = lw_browse_chosen(ex->browser, which);
    if (item == SIZE_MAX) {
        lw_browse_report_empty(ex);
        return;
    }
    (which == LW_BROWSE_FILES        ? put_file
     : which == LW_BROWSE_OPERATIONS ? put_operation
                                     : put_layout)(ex->browser, item, &text);
    lw_page_open(ex, "About", lw_text_string(&text));
    lw_text_free(&text);
}
