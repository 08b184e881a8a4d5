/* The explorer's state: opening entries, and keeping map, view, fields and inspector in step with the
 * document. Invariant: when has_view, the view is of the layout in `opened`, and the cursor is on one
 * of its cells. */

#include "tui/explorer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct lw_entry *lw_explorer_entry(struct lw_explorer *ex)
{
    return &ex->entries[ex->entry];
}

void lw_explorer_say(struct lw_explorer *ex, bool bad, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ex->message, sizeof ex->message, format, args);
    va_end(args);
    ex->message_bad = bad;
}

/* ---- Entries ---- */

static bool make_entries(struct lw_explorer *ex, struct lw_error *err)
{
    size_t gallery;
    const struct lw_gallery_entry *named = lw_gallery(&gallery);
    size_t sources = ex->options->count;
    ex->entries = calloc(sources + gallery + 1, sizeof *ex->entries);
    if (!ex->entries)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < sources; i++)
        ex->entries[i].source = ex->options->sources[i];
    ex->entry_count = sources;
    /* The folder to begin in comes first. */
    const char *start = ex->options->start ? ex->options->start : "";
    size_t folder = strcspn(start, "/");
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < gallery; i++) {
            bool first = start[folder] && !strncmp(named[i].name, start, folder + 1);
            if (first != (pass == 0))
                continue;
            struct lw_entry *entry = &ex->entries[ex->entry_count++];
            entry->source = named[i].name;
            lw_gallery_title(&named[i], entry->title, sizeof entry->title);
        }
    return true;
}

/* Reads an entry's document, once. The gallery's entries stand after the sources. */
static bool load(struct lw_explorer *ex, size_t index, struct lw_error *err)
{
    struct lw_entry *entry = &ex->entries[index];
    if (entry->loaded)
        return true;
    struct lw_document doc;
    bool given = index < ex->options->count;
    struct lw_open_options options = {0};
    if (given) /* once the terminal is ours, nothing else may read from it */
        options = (struct lw_open_options){.type = ex->options->type, .input = stdin};
    if (!lw_document_open(&doc, entry->source, &options, err))
        return false;
    for (size_t i = 0; given && i < ex->options->set_count; i++) {
        char name[128];
        const char *set = ex->options->sets[i], *equals = strchr(set, '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - set) : 0, set);
        if (!equals || !lw_document_set(&doc, name, equals + 1, err)) {
            lw_document_free(&doc);
            return equals ? false
                          : lw_error_set(err, LW_ERROR_SYNTAX, "--set %s: needs name=value", set);
        }
    }
    if (!lw_document_copy(&entry->original, &doc, err)) {
        lw_document_free(&doc);
        return false;
    }
    entry->doc = doc;
    if (!entry->title[0] && doc.title[0])
        snprintf(entry->title, sizeof entry->title, "%s", doc.title);
    return entry->loaded = true;
}

bool lw_explorer_add(struct lw_explorer *ex, const char *source, const char *label)
{
    struct lw_error err;
    struct lw_entry *entries = realloc(ex->entries, (ex->entry_count + 1) * sizeof *entries);
    char *own = strdup(source);
    if (entries)
        ex->entries = entries;
    if (!entries || !own) {
        free(own);
        return !(ex->failed = true);
    }
    struct lw_entry *entry = &ex->entries[ex->entry_count];
    *entry = (struct lw_entry){.source = own, .own = own};
    snprintf(entry->label, sizeof entry->label, "%s", label ? label : "");
    if (!load(ex, ex->entry_count, &err)) {
        lw_entry_free(entry);
        lw_explorer_say(ex, true, "%s", err.message);
        return false;
    }
    lw_explorer_show(ex, ex->entry_count++);
    return true;
}

static size_t view_named(const char *name)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t i = 0; name && i < count; i++)
        if (!strcmp(types[i]->name, name))
            return i;
    return count;
}

/* The view to open an entry with: asked for, the document's, or the subject's own. */
static void choose_view(struct lw_explorer *ex, const struct lw_document *doc)
{
    size_t count;
    lw_view_types(&count);
    size_t view = view_named(ex->options->view);
    if (view == count)
        view = view_named(doc->view);
    if (view == count && ex->has_opened)
        view = view_named(lw_view_default(&ex->opened.subject)->name);
    ex->view_index = view < count ? view : 0;
}

void lw_explorer_source(const struct lw_explorer *ex, struct lw_text *text)
{
    lw_document_source(text, &ex->entries[ex->entry].doc);
}

/* Until the user has zoomed, cells that are so wide that few would fit are shown short. */
void lw_explorer_fit(struct lw_explorer *ex)
{
    enum { FEW = 4 };
    struct lw_grid grid;
    if (!ex->zoomed)
        ex->detail = LW_DETAIL_FULL;
    lw_explorer_reopen(ex);
    if (ex->zoomed)
        return;
    lw_grid(ex, &grid);
    if (ex->has_view && ex->view.cols >= FEW && grid.cols < FEW) {
        ex->detail = LW_DETAIL_SHORT;
        lw_explorer_reopen(ex);
    }
}

void lw_explorer_show(struct lw_explorer *ex, size_t index)
{
    struct lw_entry *entry = &ex->entries[index];
    ex->entry = index;
    ex->row = ex->col = ex->top = ex->left = 0;
    ex->field = ex->field_top = ex->item = 0;
    ex->has_view = ex->has_spot = false;
    if (ex->has_opened)
        lw_subject_close(&ex->opened);
    ex->has_opened = false;
    lw_explorer_moved(ex);
    entry->broken = !load(ex, index, &entry->why);
    if (entry->broken) {
        ex->problem = entry->why;
        lw_form_refresh(ex);
        return;
    }
    lw_explorer_rebuild(ex);
    choose_view(ex, &entry->doc);
    lw_explorer_fit(ex);
}

/* ---- In step ---- */

static void clamp_cursor(struct lw_explorer *ex)
{
    if (!ex->has_view)
        return;
    if (ex->row >= ex->view.rows)
        ex->row = ex->view.rows ? ex->view.rows - 1 : 0;
    if (ex->col >= ex->view.cols)
        ex->col = ex->view.cols ? ex->view.cols - 1 : 0;
}

/* Scrolls just far enough that the cursor is on the screen. */
static void scroll_to_cursor(struct lw_explorer *ex)
{
    struct lw_grid grid;
    if (!ex->has_view)
        return;
    lw_grid(ex, &grid);
    uint64_t rows = grid.rows > 0 ? (uint64_t)grid.rows : 1;
    uint64_t cols = grid.cols > 0 ? (uint64_t)grid.cols : 1;
    if (ex->top + rows > ex->view.rows)
        ex->top = ex->view.rows > rows ? ex->view.rows - rows : 0;
    if (ex->left + cols > ex->view.cols)
        ex->left = ex->view.cols > cols ? ex->view.cols - cols : 0;
    if (ex->row < ex->top)
        ex->top = ex->row;
    if (ex->row - ex->top >= rows)
        ex->top = ex->row - rows + 1;
    if (ex->col < ex->left)
        ex->left = ex->col;
    if (ex->col - ex->left >= cols)
        ex->left = ex->col - cols + 1;
}

void lw_explorer_moved(struct lw_explorer *ex)
{
    struct lw_spot spot;
    clamp_cursor(ex);
    scroll_to_cursor(ex);
    ex->explanation.count = 0;
    if (ex->has_view && ex->view.type->spot &&
        ex->view.type->spot(&ex->view, ex->row, ex->col, &spot)) {
        ex->spot = spot;
        ex->has_spot = true;
        lw_explain(&ex->opened.subject, &spot, &ex->explanation);
    }
}

/* Opens the view; a colour key chosen for another layout must not hide this one. */
static bool open_view(struct lw_explorer *ex)
{
    size_t count, colors;
    const struct lw_view_type *type = lw_view_types(&count)[ex->view_index];
    const struct lw_color_key *keys = lw_color_keys(&colors);
    /* Of the document as read: that one stays, while the edited one is replaced under the view. */
    const char *cell = ex->options->cell ? ex->options->cell : lw_explorer_entry(ex)->original.cell;
    struct lw_view_options options = {
        .cell = cell && cell[0] ? cell : NULL,
        .color_by = ex->color ? keys[ex->color - 1].name : ex->options->color_by,
        .detail = ex->detail,
    };
    ex->color_fits =
        lw_view_open(&ex->view, type, &ex->opened.subject, &options, &ex->view_problem);
    if (ex->color_fits)
        return true;
    options.color_by = NULL;
    return (ex->color || !ex->options->count) &&
           lw_view_open(&ex->view, type, &ex->opened.subject, &options, &ex->view_problem);
}

void lw_explorer_reopen(struct lw_explorer *ex)
{
    ex->view_problem.code = LW_OK;
    ex->has_view = ex->has_opened && open_view(ex);
    lw_explorer_moved(ex);
}

/* Which views can show this layout. */
static void try_views(struct lw_explorer *ex)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    struct lw_view view;
    ex->views_fit = 0;
    for (size_t i = 0; i < count; i++)
        if (lw_view_open(&view, types[i], &ex->opened.subject, NULL, NULL))
            ex->views_fit |= 1u << i;
}

void lw_explorer_rebuild(struct lw_explorer *ex)
{
    struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_opened made;
    struct lw_spot spot = ex->spot;
    bool had = ex->has_spot;
    ex->problem.code = LW_OK;
    if (lw_subject_open(&made, &entry->doc, ex->options->lanes ? ex->options->lanes : 32,
                        &ex->problem)) {
        if (ex->has_opened)
            lw_subject_close(&ex->opened);
        ex->opened = made;
        ex->opened.subject.head = lw_text_string(&ex->opened.head);
        ex->has_opened = true;
        try_views(ex);
        lw_explorer_reopen(ex);
        if (had)
            lw_explorer_go(ex, &spot);
    }
    lw_form_refresh(ex);
}

void lw_explorer_set_view(struct lw_explorer *ex, size_t index)
{
    size_t count;
    struct lw_spot spot = ex->spot;
    bool had = ex->has_spot;
    lw_view_types(&count);
    if (index >= count)
        return;
    ex->view_index = index;
    ex->row = ex->col = ex->top = ex->left = 0;
    lw_explorer_reopen(ex);
    if (had)
        lw_explorer_go(ex, &spot);
}

void lw_explorer_go(struct lw_explorer *ex, const struct lw_spot *spot)
{
    uint64_t row, col;
    bool shown =
        ex->has_view && ex->view.type->find && ex->view.type->find(&ex->view, spot, &row, &col);
    if (shown) {
        ex->row = row;
        ex->col = col;
    }
    lw_explorer_moved(ex);
    if (!shown) {
        ex->spot = *spot;
        ex->has_spot = true;
    }
}

/* ---- Life ---- */

bool lw_explorer_init(struct lw_explorer *ex, const struct lw_tui_options *options,
                      struct lw_error *err)
{
    memset(ex, 0, sizeof *ex);
    ex->options = options;
    ex->height = 24;
    ex->width = 80;
    if (!make_entries(ex, err))
        return false;
    /* What the user named must open; a gallery entry that does not is shown as such. */
    for (size_t i = 0; i < options->count; i++)
        if (!load(ex, i, err)) {
            lw_explorer_free(ex);
            return false;
        }
    ex->place = ex->under = options->count ? LW_AT_VIEW : LW_AT_GALLERY;
    size_t first = 0;
    for (size_t i = 0; options->start && i < ex->entry_count && !options->count; i++)
        if (!strcmp(ex->entries[i].source, options->start))
            first = i;
    if (ex->entry_count)
        lw_explorer_show(ex, first);
    if (options->count && !ex->has_opened) {
        if (err)
            *err = ex->problem;
        lw_explorer_free(ex);
        return false;
    }
    return true;
}

void lw_explorer_free(struct lw_explorer *ex)
{
    for (size_t i = 0; i < ex->entry_count; i++)
        lw_entry_free(&ex->entries[i]);
    free(ex->entries);
    if (ex->has_opened)
        lw_subject_close(&ex->opened);
    if (ex->has_before)
        lw_document_free(&ex->before);
    lw_explanation_free(&ex->explanation);
    lw_form_free(ex);
    lw_text_free(&ex->edit.text);
    lw_text_free(&ex->line.text);
    lw_text_free(&ex->page);
    free(ex->lets);
    memset(ex, 0, sizeof *ex);
}
