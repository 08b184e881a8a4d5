/* Copies cells as text, or the command line that prints this view, to the clipboard if the terminal has one, else to a
 * file. */

#include "tui/explore/explorer.h"
#include "tui/explore/copy.h"
#include "tui/draw/drawing.h"
#include "tui/keep/keep_file.h"

#include <string.h>

/* Opens the view of the pane with its full text, as a command prints it, and finds the selected cells. */
static bool copy_view(struct lw_explorer *ex, struct lw_view *view,
                      struct lw_export_options *options, struct lw_error *err)
{
    if (!lw_copy_pane(ex->panes.active, view, options, err))
        return false;
    options->no_about = ex->list.entries[ex->list.entry].dirty && !ex->panes.active->shown.other;
    return true;
}

bool lw_copy_pane(const struct lw_view_pane *pane, struct lw_view *view,
                  struct lw_export_options *options, struct lw_error *err)
{
    struct lw_view_options view_options = pane->view.options;
    uint64_t from[2], to[2];
    view_options.detail = LW_DETAIL_FULL;
    *options = (struct lw_export_options){.labels = true, .head = true, .choose = "v selects some"};
    if (!pane->has_view)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is no view to write");
    if (pane->ranged) {
        lw_range(pane, from, to);
        options->row_from = from[0];
        options->row_to = to[0];
        options->col_from = from[1];
        options->col_to = to[1];
    }
    return lw_view_open(view, pane->view.type, pane->view.subject, &view_options, err);
}

/* ---- Copying ---- */

static void copy_grid(struct lw_explorer *ex, const struct lw_view *view,
                      const struct lw_export_options *options, struct lw_error *err)
{
    enum { CELLS_MAX = 1 << 16 };
    uint64_t rows = ex->panes.active->ranged ? options->row_to - options->row_from : view->rows;
    uint64_t cols = ex->panes.active->ranged ? options->col_to - options->col_from : view->cols;
    if (cols && rows > CELLS_MAX / cols) {
        lw_error_set(err, LW_ERROR_LIMIT,
                     "more than %d cells: v selects some, e exports all of them", CELLS_MAX);
        return;
    }
    if (!lw_export_text(view, lw_format_find("text"), options, &ex->clipboard.text, err))
        ex->failed = ex->failed || err->code == LW_ERROR_MEMORY;
    snprintf(ex->clipboard.label, sizeof ex->clipboard.label, "the %s of %llu x %llu",
             ex->panes.active->ranged ? "selected cells" : "grid", (unsigned long long)rows,
             (unsigned long long)cols);
}

static void copy_cells(struct lw_explorer *ex, struct lw_error *err)
{
    struct lw_view view;
    struct lw_export_options options;
    struct lw_cell cell;
    if (!copy_view(ex, &view, &options, err))
        return;
    if (ex->panes.active->ranged || view.type != lw_view_type_find("notation")) {
        copy_grid(ex, &view, &options, err);
    } else { /* each is a separate line */
        view.type->cell(&view, ex->panes.active->row, 0, &ex->clipboard.text, &cell);
        snprintf(ex->clipboard.label, sizeof ex->clipboard.label, "this line");
    }
    lw_view_close(&view);
}

/* Appends a word, in quotes if the shell needs them. */
static void put_quoted(struct lw_text *text, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";
    if (*word && strspn(word, plain) == strlen(word)) {
        lw_text_add(text, word);
        return;
    }
    lw_text_char(text, '\'');
    for (; *word; word++)
        if (*word == '\'')
            lw_text_add(text, "'\\''");
        else
            lw_text_char(text, *word);
    lw_text_char(text, '\'');
}

/* Appends the layout of the active pane, as a SOURCE. */
static void put_source(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                       struct lw_text *text)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    const struct lw_document *doc = lw_explorer_document(ex);
    bool other = pane->shown.other, named = !entry->dirty && !entry->own;
    struct lw_document one;
    enum lw_side side = pane->shown.side;
    if (side != doc->side && lw_document_has(doc, side) && !lw_pane_is_of_both(pane)) {
        lw_document_side(&one, doc, side);
        one.notation = LW_NOTATION_MLIR;
        lw_document_source(text, &one);
    } else if (other && ex->compare.source[0]) {
        lw_text_add(text, ex->compare.source);
    } else if (!other && named && lw_options_keep_sources(ex)) {
        lw_text_add(text, entry->source);
    } else {
        lw_document_put_source(text, doc);
    }
}

static void put_range(struct lw_text *text, const char *option, uint64_t from, uint64_t to)
{
    lw_text_format(text, " --%s %llu:%llu", option, (unsigned long long)from,
                   (unsigned long long)to);
}

/* Appends the marks, which only a drawing shows: the command writes one. */
static void put_marks(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                      struct lw_text *text)
{
    struct lw_text marks = {0};
    if (lw_pane_is_picture(pane) && lw_marks_put_highlight(ex, pane, &marks)) {
        lw_text_add(text, " --highlight ");
        put_quoted(text, lw_text_string(&marks));
        lw_text_format(text, " -o %s.svg", pane->view.type->name);
    }
    text->failed = text->failed || marks.failed;
    lw_text_free(&marks);
}

void lw_put_command(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_text source = {0};
    uint64_t from[2], to[2];
    put_source(ex, pane, &source);
    lw_text_add(text, "laneway show ");
    put_quoted(text, lw_text_string(&source));
    lw_text_format(text, " --view %s", pane->view.type->name);
    if (pane->view.options.color_by)
        lw_text_format(text, " --color-by %s", pane->view.options.color_by);
    const char *cell =
        ex->options->cell ? ex->options->cell : ex->list.entries[ex->list.entry].original->cell;
    if (cell && *cell && (pane->view.type->formatted || pane->view.type->spots) &&
        (ex->options->cell || (pane->view.type->formatted && !pane->view.type->indices)) &&
        pane->shown.side == ex->layouts.side && !pane->shown.other) {
        lw_text_add(text, " --cell ");
        put_quoted(text, cell);
    }
    if (pane->ranged) {
        lw_range(pane, from, to);
        put_range(text, "rows", from[0], to[0]);
        put_range(text, "cols", from[1], to[1]);
    }
    put_marks(ex, pane, text);
    lw_text_free(&source);
}

/* The marks that the copied command does not have. */
static size_t marks_left_out(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_text marks = {0};
    size_t kept = lw_pane_is_picture(pane) ? lw_marks_put_highlight(ex, pane, &marks) : 0;
    lw_text_free(&marks);
    return ex->marks.count - kept;
}

/* The label of a command line is its beginning, and how many marks it leaves out. */
static void label_command(struct lw_clipboard *clipboard, size_t left_out)
{
    enum { COLUMNS = 60, LABEL = 76 }; /* bytes of the line, at most */
    const char *line = lw_text_string(&clipboard->text);
    int length = 0, bytes;
    for (int used = 0; line[length] && line[length] != '\n'; length += bytes) {
        used += lw_text_code_width(lw_text_decode(line + length, &bytes));
        if (used > COLUMNS || length + bytes > LABEL)
            break;
    }
    char rest[40] = "";
    if (left_out)
        snprintf(rest, sizeof rest, " without %zu mark%s", left_out, left_out > 1 ? "s" : "");
    snprintf(clipboard->label, sizeof clipboard->label, "%.*s%s%s", length, line,
             line[length] ? "…" : "", rest);
}

void lw_copy(struct lw_explorer *ex, int command)
{
    struct lw_error err = {0};
    lw_text_clear(&ex->clipboard.text);
    if (!command) {
        copy_cells(ex, &err);
    } else if (ex->panes.active->shown.other && !ex->compare.has_doc) {
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "%s has no command line", ex->compare.other_name);
    } else if (ex->panes.active->has_view) {
        lw_put_command(ex, &ex->clipboard.text);
        label_command(&ex->clipboard, marks_left_out(ex));
    } else {
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "there is no view to copy");
    }
    if (err.code != LW_OK)
        lw_explorer_set_message(ex, true, "%s", err.message);
}

void lw_copied(struct lw_explorer *ex, enum lw_copied clipboard)
{
    struct lw_text path = {0};
    struct lw_error err = {0};
    bool kept = lw_folder_path(&path, LW_FOLDER_STATE, "copied.txt", &err) &&
                lw_folder_make(lw_text_string(&path), &err) &&
                lw_file_write(lw_text_string(&path), lw_text_string(&ex->clipboard.text), &err);
    if (clipboard == LW_COPIED_SENT) /* whether the terminal accepts it is unknown */
        lw_explorer_set_message(ex, false, "copied %s: sent to the terminal's clipboard%s%s",
                                ex->clipboard.label, kept ? ", and in " : "",
                                kept ? lw_text_string(&path) : "");
    else if (kept && clipboard == LW_COPIED_TOO_LONG)
        lw_explorer_set_message(
            ex, false, "copied %s to %s, as its %zu bytes are more than a clipboard accepts (%d)",
            ex->clipboard.label, lw_text_string(&path), ex->clipboard.text.length,
            LW_CLIPBOARD_BYTES_MAX);
    else if (kept)
        lw_explorer_set_message(ex, false, "copied %s to %s, as this terminal %s",
                                ex->clipboard.label, lw_text_string(&path),
                                clipboard == LW_COPIED_CUT ? "did not read it all"
                                                           : "has no clipboard");
    else
        lw_explorer_set_message(ex, true, "not copied: %s", err.message);
    lw_text_clear(&ex->clipboard.text);
    lw_text_free(&path);
}
