/* Kernels in the explorer: opening folders, kernels, operations, and going back. */

#include "kernel/reduce_picture.h"
#include "tui/kernel/browse.h"

#include <stdlib.h>
#include <string.h>

void lw_browse_part(struct lw_explorer *ex, int by)
{
    struct lw_browser *browser = ex->browser;
    struct lw_error err;
    if (!browser || !browser->has_kernel || ex->focus != LW_FOCUS_KERNEL)
        return;
    if (by < 0 ? browser->part <= 1 : !browser->kernel.more)
        lw_explorer_set_message(ex, false, "%s",
                                !browser->kernel.more && browser->part <= 1
                                    ? "this file has one part"
                                : by < 0 ? "this is the first part of the file"
                                         : "this is the last part of the file");
    else if (!lw_browse_open_part(ex, browser->path, browser->part + by, &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
}

void lw_browse_move(struct lw_explorer *ex, int64_t by)
{
    struct lw_browse_table *table = &ex->browser->tables[lw_browse_active(ex)];
    int64_t to = (int64_t)table->at + by, count = (int64_t)table->count;
    table->at = (size_t)(to < 0 || !count ? 0 : to >= count ? count - 1 : to);
    lw_browse_keep(ex->browser, lw_browse_active(ex));
}

void lw_browse_turn(struct lw_explorer *ex, int unused)
{
    (void)unused;
    if (ex->focus == LW_FOCUS_KERNEL)
        ex->browser->list = !ex->browser->list;
}

/* ---- Opening ---- */

static void try_view(struct lw_explorer *ex, struct lw_view_pane *pane, const char *name)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    const struct lw_subject *subject = lw_explorer_subject(ex, pane);
    size_t i = lw_view_index(name);
    if (subject && i < count && lw_view_fits(types[i], subject))
        pane->view_index = i;
}

/* The views of an operation: its accesses of shared memory, or the transfers of a conversion. */
static void show_role(struct lw_explorer *ex, enum lw_role role)
{
    struct lw_view_pane *panes = ex->panes.all;
    bool access = role == LW_ROLE_LOCAL_LOAD || role == LW_ROLE_LOCAL_STORE;
    ex->panes.play = (struct lw_view_options){.access = lw_explorer_entry(ex)->access};
    if (!lw_layouts_are_several(&ex->layouts) || (!access && role != LW_ROLE_CONVERT))
        return;
    try_view(ex, &panes[0], access ? "banks" : "conversion");
    if (access)
        panes[1].shown.side = LW_SIDE_S;
    try_view(ex, &panes[1], access ? "memory" : "banks");
}

/* Shows the layouts that an operation reads and writes side by side, each in its default view. */
static void show_pair(struct lw_explorer *ex, enum lw_role role)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    bool several = lw_layouts_are_several(&ex->layouts);
    if (several && ex->panes.count < 2)
        lw_split(ex, 0);
    if (!several && ex->panes.count > 1)
        lw_split(ex, 0);
    ex->panes.split_by_user = false;
    ex->panes.active = ex->panes.all;
    ex->panes.all[0].shown = (struct lw_shown){ex->layouts.side, false};
    if (several) {
        const struct lw_shown other = {lw_layouts_next(&ex->layouts, ex->layouts.side), false};
        const struct lw_view_type *own = lw_view_default(lw_layouts_at(&ex->layouts, other));
        ex->panes.all[1].shown = other;
        for (size_t i = 0; i < count; i++)
            if (types[i] == own)
                ex->panes.all[1].view_index = i;
    }
    show_role(ex, role);
    lw_refresh(ex, LW_CHANGED_VIEW);
}

/* "convert_layout" of ttg.convert_layout */
static const char *short_name(const struct lw_operation *operation)
{
    const char *dot = strrchr(operation->name, '.');
    return dot ? dot + 1 : operation->name;
}

bool lw_browse_has_layout(const struct lw_kernel *kernel, const struct lw_operation *operation,
                          int layout)
{
    for (int i = 0; i < operation->type_count; i++)
        if (kernel->types[operation->types[i]].layout == layout)
            return true;
    return false;
}

/* "#shared is also the layout of 41 local_load, 45 async_tma_copy_local_to_global": for the shared S of a store or a
 * load. */
static void put_sharers(const struct lw_kernel *kernel, const struct lw_operation *operation,
                        struct lw_text *text)
{
    enum { NAMED = 3 };
    int type = operation->kind->role == LW_ROLE_LOCAL_STORE ? operation->to : operation->from;
    size_t count = 0;
    for (size_t i = 0; type >= 0 && i < kernel->operation_count; i++) {
        const struct lw_operation *other = &kernel->operations[i];
        if (other == operation || !lw_browse_has_layout(kernel, other, kernel->types[type].layout))
            continue;
        if (!count)
            lw_text_format(text, "%.24s is also the layout of", lw_kernel_alias(kernel, type));
        if (count++ < NAMED)
            lw_text_format(text, "%s %d %.30s", count > 1 ? "," : "", other->position.line,
                           short_name(other));
    }
    if (count > NAMED)
        lw_text_format(text, " and %zu more", count - NAMED);
}

/* What an operation between two layouts is, if it is no access and no conversion: it has no strip of one. */
static void put_undrawn(const struct lw_kernel *kernel, const struct lw_operation *operation,
                        const struct lw_kernel_cost *cost, struct lw_text *text)
{
    const bool old =
        !strstr(operation->name, "scan") && !lw_triton_since(kernel->triton, LW_TRITON_3_8);
    const enum lw_role role = operation->kind->role;
    if (operation->from < 0 || operation->to < 0 || role == LW_ROLE_CONVERT ||
        role == LW_ROLE_LOCAL_STORE || role == LW_ROLE_LOCAL_LOAD)
        return;
    if (role == LW_ROLE_REDUCE && cost && cost->wavefronts)
        lw_text_format(text,
                       "%s: its %llu wavefronts (ideal %llu) exchange partial results at "
                       "addresses that no layout gives%s: they cannot be drawn",
                       short_name(operation), (unsigned long long)cost->wavefronts,
                       (unsigned long long)cost->ideal, old ? " before Triton 3.8" : "");
    else
        lw_text_format(text, "%s is not a store, a load or a conversion: %s", short_name(operation),
                       operation->kind->about);
}

void lw_browse_note(struct lw_entry *entry, const struct lw_kernel *kernel,
                    const struct lw_operation *operation, const struct lw_kernel_cost *cost)
{
    struct lw_text text = {0};
    const enum lw_role role = operation->kind->role;
    entry->access = role == LW_ROLE_LOCAL_LOAD    ? LW_VIEW_LOAD
                    : role == LW_ROLE_LOCAL_STORE ? LW_VIEW_STORE
                                                  : LW_VIEW_BOTH;
    if (entry->access)
        put_sharers(kernel, operation, &text);
    snprintf(entry->sharers, sizeof entry->sharers, "%s", lw_text_string(&text));
    lw_text_clear(&text);
    put_undrawn(kernel, operation, cost, &text);
    snprintf(entry->undrawn, sizeof entry->undrawn, "%s", lw_text_string(&text));
    lw_text_free(&text);
}

/* The entry of that name; list.count: there is none. */
static size_t find_entry(const struct lw_explorer *ex, const char *source)
{
    size_t known = 0;
    while (known < ex->list.count && strcmp(ex->list.entries[known].source, source) != 0)
        known++;
    return known;
}

/* Shows an entry of the kernel, and what its operation (NULL: none) reads and writes, or of a reduction the picture
 * (NULL: none). */
static void show_entry(struct lw_explorer *ex, size_t known, const struct lw_operation *operation,
                       const struct lw_reduce_picture *picture)
{
    lw_explorer_show(ex, known);
    ex->focus = LW_FOCUS_VIEW;
    const struct lw_kernel *kernel = &ex->browser->kernel;
    if (operation)
        lw_browse_note(lw_explorer_entry(ex), kernel, operation,
                       lw_browse_cost_of(ex->browser, (size_t)(operation - kernel->operations)));
    const struct lw_operation *scan =
        operation && lw_browse_is_scan(kernel, operation) ? operation : NULL;
    const struct lw_kernel_cost *scan_cost =
        scan ? lw_browse_cost_of(ex->browser, (size_t)(scan - kernel->operations)) : NULL;
    if (scan)
        lw_explorer_entry(ex)->color = lw_browse_scan_color(scan_cost);
    if (picture)
        lw_explorer_entry(ex)->undrawn[0] = '\0';
    if (ex->layouts.has_opened)
        show_pair(ex, picture     ? LW_ROLE_CONVERT
                      : operation ? operation->kind->role
                                  : LW_ROLE_RELABEL);
    if (picture)
        lw_browse_note_conversion(
            ex, picture, lw_browse_cost_of(ex->browser, (size_t)(operation - kernel->operations)));
    const char *undrawn = lw_explorer_entry(ex)->undrawn;
    if (scan)
        lw_browse_report_scan(ex, scan, scan_cost);
    else if (operation && operation->kind->role == LW_ROLE_REDUCE && undrawn[0])
        lw_explorer_set_message(ex, false, "%s", undrawn);
    const struct lw_error *problem = lw_layouts_problem(&ex->layouts);
    if (problem)
        lw_explorer_set_message(ex, true, "%s", problem->message);
}

/* Adds a document, which the list then owns; false: memory is out. A document that is in the list already keeps its
 * edits. */
static bool add_document(struct lw_explorer *ex, struct lw_document *doc, const char *source,
                         const char *label, const char *title)
{
    if (find_entry(ex, source) < ex->list.count) {
        lw_document_free(doc);
        return true;
    }
    if (!lw_explorer_add_document(ex, doc, source, label))
        return false;
    struct lw_entry *entry = lw_explorer_entry(ex);
    snprintf(entry->title, sizeof entry->title, "%s", title);
    return true;
}

static void open_operation(struct lw_explorer *ex)
{
    struct lw_browser *browser = ex->browser;
    const struct lw_operation *operation =
        lw_browse_operation_of(browser, lw_browse_chosen(browser, LW_BROWSE_OPERATIONS));
    struct lw_text source = {0}, title = {0};
    struct lw_reduce_picture picture;
    struct lw_document doc;
    struct lw_error err;
    char label[48];
    if (operation->from < 0 && operation->to < 0) {
        lw_explorer_set_message(ex, false, "%s moves one element: it has no layout",
                                operation->name);
        return;
    }
    bool drawn = operation->kind->role == LW_ROLE_REDUCE &&
                 lw_reduce_picture_make(&picture, &browser->kernel, operation,
                                        browser->costs.hardware, 0, 0, &err);
    if (drawn) {
        doc = picture.document;
    } else if (lw_browse_is_scan(&browser->kernel, operation)
                   ? !lw_document_of_type(&doc, &browser->kernel, operation->from, &err)
                   : !lw_document_of_operation(&doc, &browser->kernel, operation, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
        return;
    }
    lw_browse_source(browser, LW_BROWSE_OPERATIONS, lw_browse_chosen(browser, LW_BROWSE_OPERATIONS),
                     &source);
    lw_text_format(&title, "%s, ", operation->name);
    lw_location_print(&title, operation->location, false);
    snprintf(label, sizeof label, "%d %.36s", operation->position.line, short_name(operation));
    lw_trail_push(ex);
    if (add_document(ex, &doc, lw_text_string(&source), label, lw_text_string(&title)))
        show_entry(ex, find_entry(ex, lw_text_string(&source)), operation, drawn ? &picture : NULL);
    else
        lw_trail_drop(ex);
    lw_text_free(&source);
    lw_text_free(&title);
}

/* The reduction of the kernel of which the entry on the screen is a conversion; SIZE_MAX: it is none. */
static size_t shown_reduction(struct lw_explorer *ex)
{
    const struct lw_browser *browser = ex->browser;
    const struct lw_entry *entry = lw_explorer_entry(ex);
    size_t found = SIZE_MAX, count = lw_browse_items(browser, LW_BROWSE_OPERATIONS);
    for (size_t i = 0; i < count && found == SIZE_MAX; i++)
        if (lw_browse_operation_of(browser, i)->kind->role == LW_ROLE_REDUCE &&
            lw_browse_is_of(browser, i, entry->source))
            found = i;
    return found;
}

/* Shows an entry in the views on the screen; those of the layout before. */
static void show_in_same_views(struct lw_explorer *ex, size_t entry)
{
    const struct lw_panes_state *panes = &ex->panes;
    size_t count, view[LW_PANES_MAX];
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (int i = 0; i < panes->count; i++)
        view[i] = panes->all[i].view_index;
    lw_explorer_show(ex, entry);
    for (int i = 0; i < panes->count; i++)
        try_view(ex, &ex->panes.all[i], types[view[i]]->name);
    lw_refresh(ex, LW_CHANGED_VIEW);
}

/* Shows conversion number `part` of a reduction, of all its operands. */
static bool show_conversion(struct lw_explorer *ex, size_t item, int part, struct lw_error *err)
{
    struct lw_browser *browser = ex->browser;
    const struct lw_operation *operation = lw_browse_operation_of(browser, item);
    struct lw_reduce_picture picture, first;
    struct lw_text source = {0}, title = {0};
    char label[48];
    if (!lw_reduce_picture_make(&first, &browser->kernel, operation, browser->costs.hardware, 0, 0,
                                err))
        return false;
    lw_document_free(&first.document);
    if (!lw_reduce_picture_make(&picture, &browser->kernel, operation, browser->costs.hardware,
                                (part - 1) / first.steps + 1, (part - 1) % first.steps + 1, err))
        return false;
    lw_browse_source(browser, LW_BROWSE_OPERATIONS, item, &source);
    if (picture.step != first.step || picture.operand != first.operand)
        lw_text_format(&source, ", %d", part);
    snprintf(label, sizeof label, "%d %.12s %d of %d", operation->position.line,
             short_name(operation), part, first.steps * first.operands);
    lw_text_add(&title, lw_explorer_entry(ex)->title);
    bool added =
        add_document(ex, &picture.document, lw_text_string(&source), label, lw_text_string(&title));
    if (added) {
        show_in_same_views(ex, find_entry(ex, lw_text_string(&source)));
        lw_browse_note_conversion(ex, &picture, lw_browse_cost_of(browser, item));
    }
    lw_text_free(&source);
    lw_text_free(&title);
    return added || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_browse_step(struct lw_explorer *ex, int by)
{
    struct lw_error err;
    const int parts = lw_explorer_entry(ex)->parts, to = lw_explorer_entry(ex)->part + by;
    size_t item;
    if (!parts)
        lw_explorer_set_message(ex, false,
                                "this is no conversion of a reduction: it has no other steps");
    else if (to < 1 || to > parts)
        lw_explorer_set_message(ex, false, "this is the %s of the reduction's %d conversion%s",
                                by < 0 ? "first" : "last", parts, parts > 1 ? "s" : "");
    else if (!lw_browse_reopen(ex, &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
    else if ((item = shown_reduction(ex)) == SIZE_MAX)
        lw_explorer_set_message(ex, true, "%s has changed: this reduction is not in it",
                                lw_base_name(ex->browser->path));
    else if (!show_conversion(ex, item, to, &err))
        lw_explorer_set_message(ex, true, "%s", err.message);
}

/* Adds the layout of a row to the list; false, with the reason: it cannot be opened. */
static bool add_layout(struct lw_explorer *ex, const struct lw_layout_row *row,
                       struct lw_error *err)
{
    struct lw_browser *browser = ex->browser;
    const struct lw_kernel_encoding *encoding = &browser->kernel.encodings[row->encoding];
    struct lw_document doc;
    struct lw_text source = {0}, tensor = {0}, title = {0};
    char label[48];
    if (!lw_document_of_type(&doc, &browser->kernel, row->type, err))
        return false;
    size_t kernel = lw_browse_put_layout_source(browser, row, &source);
    lw_tensor_print(&tensor, &doc.tensor);
    snprintf(label, sizeof label, "%.24s %.20s", encoding->alias, lw_text_string(&tensor));
    lw_text_format(&title, "%s of %s", encoding->alias, browser->path);
    bool added = add_document(ex, &doc, lw_text_string(&source), label, lw_text_string(&title));
    if (added)
        ex->list.entries[find_entry(ex, lw_text_string(&source))].kernel = kernel;
    lw_text_free(&source);
    lw_text_free(&tensor);
    lw_text_free(&title);
    return added || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* Makes the list on the left of all layouts of the kernel, unless they are too many to be kept open. */
static void add_layouts(struct lw_explorer *ex)
{
    enum { MOST = 256 };
    const struct lw_browser *browser = ex->browser;
    struct lw_error err;
    if (browser->layout_count > MOST)
        lw_explorer_set_message(ex, false, "the list has only the layouts that were opened, of %zu",
                                browser->layout_count);
    for (size_t i = 0; i < browser->layout_count && browser->layout_count <= MOST; i++)
        if (browser->layouts[i].type >= 0)
            add_layout(ex, &browser->layouts[i], &err); /* without it if it cannot be opened */
}

static void open_layout(struct lw_explorer *ex)
{
    struct lw_browser *browser = ex->browser;
    const struct lw_layout_row *row =
        &browser->layouts[lw_browse_chosen(browser, LW_BROWSE_LAYOUTS)];
    const struct lw_error *problem = browser->kernel.encodings[row->encoding].problem;
    struct lw_text source = {0};
    struct lw_error err;
    if (row->type < 0) {
        lw_explorer_set_message(ex, true, "%s",
                                problem ? problem->message
                                        : "no operation uses this layout: it has no shape");
        return;
    }
    lw_trail_push(ex);
    const size_t before = ex->list.entry;
    lw_browse_put_layout_source(browser, row, &source);
    add_layouts(ex);
    if (add_layout(ex, row, &err)) {
        show_entry(ex, find_entry(ex, lw_text_string(&source)), NULL, NULL);
    } else {
        ex->list.entry = before;
        lw_trail_drop(ex);
        lw_explorer_set_message(ex, true, "%s", err.message);
    }
    lw_text_free(&source);
}

void lw_browse_enter(struct lw_explorer *ex, int unused)
{
    struct lw_error err;
    (void)unused;
    if (!(ex->focus & LW_BROWSING))
        return;
    size_t item = lw_browse_chosen(ex->browser, lw_browse_active(ex));
    if (item == SIZE_MAX) {
        lw_browse_report_empty(ex);
        return;
    }
    lw_browse_keep(ex->browser, lw_browse_active(ex));
    if (ex->focus == LW_FOCUS_FOLDER) {
        lw_trail_push(ex);
        if (!lw_browse_open_part(ex, ex->browser->folder.files[item].path, 1, &err)) {
            lw_trail_drop(ex);
            lw_explorer_set_message(ex, true, "%s", err.message);
        }
    } else if (ex->browser->list == LW_BROWSE_OPERATIONS) {
        open_operation(ex);
    } else {
        open_layout(ex);
    }
}

/* ---- Finding ---- */

/* The next row that contains the text, up or down. */
void lw_browse_find(struct lw_explorer *ex, const char *query, int by)
{
    struct lw_browse_table *table = &ex->browser->tables[lw_browse_active(ex)];
    for (size_t tried = 1; tried <= table->count; tried++) {
        size_t row = (table->at + (by > 0 ? tried : table->count - tried)) % table->count;
        if (lw_browse_row_has(ex->browser, lw_browse_active(ex), table->rows[row], query)) {
            table->at = row;
            lw_browse_keep(ex->browser, lw_browse_active(ex));
            return;
        }
    }
    lw_explorer_set_message(ex, true, "no row of this list contains '%.60s'", query);
}

/* ---- The mouse ---- */

/* The column of a list at a column of the screen; -1: none. */
static int column_at(const struct lw_explorer *ex, const struct lw_rect *list, int col)
{
    int widths[LW_BROWSE_COLUMNS_MAX], from = list->col + 2;
    lw_browse_widths(ex, lw_browse_active(ex), lw_browse_room(list->width - 2), widths);
    for (int i = 0; i < LW_BROWSE_COLUMNS_MAX; i++) {
        if (col >= from && col < from + widths[i])
            return i;
        from += widths[i] ? widths[i] + 1 : 0;
    }
    return -1;
}

void lw_browse_click(struct lw_explorer *ex, int row, int col)
{
    struct lw_browse_rects rects;
    lw_browse_rects(ex, &rects);
    for (int i = 0; i < LW_BROWSE_LISTS; i++)
        if (row >= rects.list[i].row && row < rects.list[i].row + rects.list[i].height &&
            ex->focus == LW_FOCUS_KERNEL)
            ex->browser->list = i;
    struct lw_browse_table *table = &ex->browser->tables[lw_browse_active(ex)];
    const struct lw_rect *list =
        &rects.list[ex->focus == LW_FOCUS_FOLDER ? LW_BROWSE_OPERATIONS : ex->browser->list];
    int line = row - list->row - 2; /* below the frame and the heads */
    size_t to = table->top + (size_t)line;
    if (line == -1 && list->height > 2)
        lw_browse_sort_by(ex, column_at(ex, list, col));
    if (line < 0 || line >= list->height - 3 || to >= table->count)
        return;
    if (to == table->at)
        lw_browse_enter(ex, 0);
    else
        lw_browse_move(ex, (int64_t)to - (int64_t)table->at);
}
