/* Copies cells as text, or the command line that prints this view, to the clipboard if the terminal has one, else to a
 * file. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/pane/follow.h"
#include "tui/draw/drawing.h"
#include "tui/keep/keep_file.h"
#include "export/figure/highlight.h"
#include "view/view_parts.h"

#include <string.h>

/* What the marks of a copied view are found with. */
struct marked {
    const struct lw_explorer *ex;
    struct lw_follow lit;
};

static bool has_mark(const void *context, const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct marked *marked = context;
    return lw_copy_has_mark(marked->ex, &marked->lit, marked->ex->panes.active, view, row, col);
}

static bool copy_view(const struct lw_explorer *ex, struct lw_view *view, struct marked *marked,
                      struct lw_copy_format *format, struct lw_export_options *options,
                      struct lw_error *err)
{
    if (!lw_copy_pane(ex->panes.active, view, format, options, err))
        return false;
    options->no_about = ex->list.entries[ex->list.entry].dirty && !ex->panes.active->shown.other;
    marked->ex = ex;
    lw_copy_lit(ex, &marked->lit);
    if (ex->marks.count || ex->layouts.has_other || marked->lit.on) {
        options->marked = has_mark;
        options->marked_context = marked;
    }
    return true;
}

/* ---- Size ---- */

/* The bytes of that number of rows and columns, in the middle of those that are written. */
static uint64_t bytes_of(const struct lw_view *view, const struct lw_format *format,
                         const struct lw_export_options *options, uint64_t rows, uint64_t cols)
{
    struct lw_export_options part = *options;
    struct lw_text text = {0};
    part.row_from = options->row_from + (options->row_to - options->row_from - rows) / 2;
    part.col_from = options->col_from + (options->col_to - options->col_from - cols) / 2;
    part.row_to = part.row_from + rows;
    part.col_to = part.col_from + cols;
    part.head = false;
    lw_export_text(view, format, &part, &text, NULL);
    uint64_t bytes = text.length;
    lw_text_free(&text);
    return bytes;
}

/* The bytes of all cells, by what two more rows need, or in a single row more columns. */
static double bytes_of_all(const struct lw_view *view, const struct lw_format *format,
                           const struct lw_export_options *options, uint64_t rows, uint64_t cols)
{
    enum { COLS = 512 };
    uint64_t some = cols < COLS ? cols : COLS, more = rows < 3 ? 1 : 3;
    uint64_t all = bytes_of(view, format, options, more, some);
    uint64_t less = bytes_of(view, format, options, 1, more > 1 ? some : some / 2);
    double cells = more > 1 ? 2 * (double)some : (double)(some - some / 2);
    return (double)(all > less ? all - less : 0) / cells * (double)rows * (double)cols;
}

bool lw_copy_is_large(const struct lw_view *view, const struct lw_format *format,
                      const struct lw_export_options *options, char size[LW_COPY_SIZE_MAX])
{
    const uint64_t usual = (uint64_t)1 << 20;
    struct lw_export_options o = *options;
    o.row_to = o.row_to ? o.row_to : view->rows;
    o.col_to = o.col_to ? o.col_to : view->cols;
    uint64_t rows = o.row_to - o.row_from, cols = o.col_to - o.col_from;
    if (format->cells || !cols || rows <= usual / cols || rows > LW_EXPORT_CELLS / cols)
        return false;
    double mega = bytes_of_all(view, format, &o, rows, cols) / 1e6;
    bool giga = mega >= 1000;
    snprintf(size, LW_COPY_SIZE_MAX, "%llu x %llu cells, about %.*f %s", (unsigned long long)rows,
             (unsigned long long)cols, giga, giga ? mega / 1000 : mega, giga ? "GB" : "MB");
    return true;
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
    struct lw_copy_format format;
    struct lw_export_options options;
    struct lw_cell cell;
    struct marked marked;
    if (!copy_view(ex, &view, &marked, &format, &options, err))
        return;
    if (ex->panes.active->ranged || view.type != lw_view_type_find("notation")) {
        copy_grid(ex, &view, &options, err);
    } else { /* each is a separate line */
        view.type->cell(&view, ex->panes.active->row, 0, &ex->clipboard.text, &cell);
        snprintf(ex->clipboard.label, sizeof ex->clipboard.label, "this line");
    }
    lw_view_close(&view);
}

void lw_panes_put_others(const struct lw_explorer *ex, char others[LW_PANES_LEFT_MAX])
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    others[0] = '\0';
    for (int i = 0; i < ex->panes.count; i++) {
        const struct lw_view_pane *pane = &ex->panes.all[i];
        const char *of = ex->layouts.has_other ? lw_compare_name(ex, pane->shown.other)
                         : lw_layouts_are_several(&ex->layouts) ? lw_side_name(pane->shown.side)
                                                                : NULL;
        if (pane == ex->panes.active)
            continue;
        char name[LW_SHORT_NAME_MAX];
        snprintf(others, LW_PANES_LEFT_MAX, "the other pane (%s%s%s)",
                 types[pane->view_index]->title, of ? ": " : "",
                 of ? lw_question_name(name, of) : "");
    }
}

/* The label of a command line is its beginning, how many marks it leaves out, and the other pane. */
static void label_command(const struct lw_explorer *ex, struct lw_clipboard *clipboard,
                          size_t left_out)
{
    enum { COLUMNS = 60, LABEL = 76 }; /* bytes of the line, at most */
    const char *line = lw_text_string(&clipboard->text);
    int length = 0, bytes;
    for (int used = 0; line[length] && line[length] != '\n'; length += bytes) {
        used += lw_text_code_width(lw_text_decode(line + length, &bytes));
        if (used > COLUMNS || length + bytes > LABEL)
            break;
    }
    char marks[40] = "", others[LW_PANES_LEFT_MAX] = "";
    if (left_out)
        snprintf(marks, sizeof marks, "%zu mark%s", left_out, left_out > 1 ? "s" : "");
    if (!ex->panes.active->ranged)
        lw_panes_put_others(ex, others);
    snprintf(clipboard->label, sizeof clipboard->label, "%.*s%s%s%s%s%s", length, line,
             line[length] ? "…" : "", *marks || *others ? " without " : "", marks,
             *marks && *others ? " and " : "", others);
}

/* Whether a command would refuse to print all cells of a view. */
static bool is_too_large(const struct lw_view_pane *pane)
{
    return pane->has_view && !pane->ranged && pane->view.cols &&
           pane->view.rows > LW_EXPORT_CELLS / pane->view.cols;
}

static void copy_command(struct lw_explorer *ex)
{
    label_command(ex, &ex->clipboard, lw_put_command(ex, &ex->clipboard.text));
}

static const struct lw_reply copying[] = {{'y', "copy it", copy_command}, {0}};

/* Copies the command, after a question if it prints very much. */
static void copy_command_checked(struct lw_explorer *ex, struct lw_error *err)
{
    struct lw_view view;
    struct lw_copy_format format;
    struct lw_export_options options;
    char size[LW_COPY_SIZE_MAX];
    const struct lw_view *const views[] = {&view};
    if (!lw_copy_pane(ex->panes.active, &view, &format, &options, err))
        return;
    if (!lw_export_check(views, 1, lw_format_find("text"), &options, err))
        ; /* the command would refuse it too */
    else if (lw_copy_is_large(&view, lw_format_find("text"), &options, size))
        lw_question_open(ex, copying, "the command prints %s", size);
    else
        copy_command(ex);
    lw_view_close(&view);
}

void lw_copy(struct lw_explorer *ex, int command)
{
    struct lw_error err = {0};
    lw_text_clear(&ex->clipboard.text);
    if (!command) {
        copy_cells(ex, &err);
    } else if (ex->panes.active->shown.other && !ex->compare.has_doc) {
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "%s has no command line", ex->compare.other_name);
    } else if (is_too_large(ex->panes.active)) {
        lw_error_set(&err, LW_ERROR_LIMIT,
                     "more than %llu cells, which no command prints: v selects some",
                     (unsigned long long)LW_EXPORT_CELLS);
    } else if (ex->panes.active->has_view) {
        copy_command_checked(ex, &err);
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
