/* Copies cells as text, or the command line that prints this view, to the clipboard if the terminal has one, else to a
 * file. */

#include "tui/explore/explorer.h"
#include "tui/explore/copy.h"
#include "tui/draw/drawing.h"
#include "tui/keep/keep_file.h"
#include "export/figure/highlight.h"
#include "view/view_parts.h"

#include <string.h>

bool lw_copy_has_mark(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                      const struct lw_view *view, uint64_t row, uint64_t col)
{
    struct lw_spot spot;
    return view->type->spot && view->type->spot(view, row, col, &spot) &&
           (lw_is_marked(ex, pane, view, &spot) || lw_differs(ex, pane, &spot));
}

static bool has_mark(const void *context, const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct lw_explorer *ex = context;
    return lw_copy_has_mark(ex, ex->panes.active, view, row, col);
}

static bool copy_view(const struct lw_explorer *ex, struct lw_view *view,
                      struct lw_copy_format *format, struct lw_export_options *options,
                      struct lw_error *err)
{
    if (!lw_copy_pane(ex->panes.active, view, format, options, err))
        return false;
    options->no_about = ex->list.entries[ex->list.entry].dirty && !ex->panes.active->shown.other;
    if (ex->marks.count || ex->layouts.has_other) {
        options->marked = has_mark;
        options->marked_context = ex;
    }
    return true;
}

/* The field that is the number of a cell: that of the colour, or in a view of hardware indices, where it has no more
 * digits, that of the element. */
static const char *number_of(const struct lw_view_pane *pane)
{
    enum { TWO_DIGITS = 2 };
    const struct lw_view *view = &pane->view;
    bool memory = !strcmp(view->type->name, "memory");
    if (!view->type->indices)
        return view->color ? lw_cell_number_name(view, view->subject) : NULL;
    return memory && view->color && lw_cell_element_width(view) > TWO_DIGITS ? view->color
                                                                             : "index";
}

/* Sets the format that the cells on the screen have, as a view with its full text reads it. For colours alone, and for
 * single characters, it is that of the full text. */
static void shown_format(const struct lw_view_pane *pane, struct lw_copy_format *format)
{
    const struct lw_view *view = &pane->view;
    const bool indices = view->type->indices;
    const char *number = pane->detail == LW_DETAIL_NUMBER ? number_of(pane) : NULL;
    format->cell = pane->opened_with.cell;
    if (!view->type->formatted || pane->detail == LW_DETAIL_FULL ||
        pane->detail == LW_DETAIL_CHAR || (indices && format->cell))
        return;
    snprintf(format->text, sizeof format->text, "{%s}", number ? number : "index");
    format->cell =
        number || indices ? format->text : lw_cell_format(view, view->subject, LW_DETAIL_SHORT);
    if (!lw_format_check(format->cell, view->subject, NULL))
        format->cell = NULL;
}

/* Selected cells of a view of several layouts are elsewhere in one that is written, in which each element has a cell
 * and B is above C: finds the rows and columns that have all of their elements. */
static void spread_range(const struct lw_view_pane *pane, const struct lw_view *view,
                         uint64_t from[2], uint64_t to[2])
{
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX}, most[2] = {0}, at[2];
    struct lw_view_part part;
    struct lw_spot spot;
    for (int i = 0; pane->view.type->part(&pane->view, i, &part); i++) {
        const uint64_t begin[2] = {from[0] > part.row ? from[0] : part.row,
                                   from[1] > part.col ? from[1] : part.col};
        const uint64_t end[2] = {to[0] < part.row + part.rows ? to[0] : part.row + part.rows,
                                 to[1] < part.col + part.cols ? to[1] : part.col + part.cols};
        const uint64_t step[2] = {part.row_step, part.col_step};
        for (int last = 0; last < 2 && begin[0] < end[0] && begin[1] < end[1]; last++) {
            if (!pane->view.type->spot(&pane->view, last ? end[0] - 1 : begin[0],
                                       last ? end[1] - 1 : begin[1], &spot) ||
                !lw_view_find(view, &spot, &at[0], &at[1]))
                continue;
            for (int k = 0; k < 2; k++) {
                least[k] = at[k] < least[k] ? at[k] : least[k];
                most[k] = at[k] + step[k] > most[k] ? at[k] + step[k] : most[k];
            }
        }
    }
    for (int k = 0; k < 2 && most[0]; k++) {
        const uint64_t size = k ? view->cols : view->rows;
        from[k] = least[k];
        to[k] = most[k] < size ? most[k] : size;
    }
}

bool lw_copy_pane(const struct lw_view_pane *pane, struct lw_view *view,
                  struct lw_copy_format *format, struct lw_export_options *options,
                  struct lw_error *err)
{
    struct lw_view_options view_options = pane->view.options;
    uint64_t from[2], to[2];
    *options = (struct lw_export_options){.labels = true, .head = true, .choose = "v selects some"};
    if (!pane->has_view)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED, "there is no view to write");
    shown_format(pane, format);
    view_options.detail = LW_DETAIL_FULL;
    view_options.cell = format->cell;
    view_options.beside = false;
    view_options.fold = 0;
    if (!lw_view_open(view, pane->view.type, pane->view.subject, &view_options, err))
        return false;
    if (!pane->ranged)
        return true;
    lw_range(pane, from, to);
    if (pane->view.type->part)
        spread_range(pane, view, from, to);
    options->row_from = from[0];
    options->row_to = to[0];
    options->col_from = from[1];
    options->col_to = to[1];
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
    if (!copy_view(ex, &view, &format, &options, err))
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
    } else if (lw_document_expression(doc) && !doc->tensor.element.name[0]) {
        lw_text_add(text, lw_document_expression(doc)); /* with the operands */
    } else {
        lw_document_put_source(text, doc);
    }
}

static void put_range(struct lw_text *text, const char *option, uint64_t from, uint64_t to)
{
    lw_text_format(text, " --%s %llu:%llu", option, (unsigned long long)from,
                   (unsigned long long)to);
}

/* Whether the selected cells, or all, have a cell of a query. Of very many all have one, as the mark is not dead, and
 * selected ones are taken to have none. */
static bool shows_query(const struct lw_view *view, const struct lw_export_options *options,
                        const char *query)
{
    enum { CELLS_MAX = 1 << 16 };
    struct lw_error ignored = {0};
    struct lw_export_options only = {.highlight = query,
                                     .row_from = options->row_from,
                                     .row_to = options->row_to,
                                     .col_from = options->col_from,
                                     .col_to = options->col_to};
    struct lw_highlight highlight;
    uint64_t rows = (only.row_to ? only.row_to : view->rows) - only.row_from;
    uint64_t cols = (only.col_to ? only.col_to : view->cols) - only.col_from;
    if (cols && rows > CELLS_MAX / cols)
        return !only.row_to && lw_highlight_read(&highlight, view, query, NULL) &&
               !highlight.why[0];
    return lw_highlight_check(&view, 1, &only, &ignored);
}

/* Appends the marks as --highlight reads them, "t17 | 3,5", if they are of cells that the command writes and it can
 * read so many; returns how many they are. */
static size_t put_marks(const struct lw_explorer *ex, const struct lw_view *view,
                        const struct lw_export_options *options, struct lw_text *text)
{
    struct lw_text mark = {0};
    size_t count = 0;
    for (size_t i = 0; i < ex->marks.count && lw_pane_is_picture(ex->panes.active); i++) {
        lw_text_clear(&mark);
        if (!lw_mark_put_highlight(ex, i, ex->panes.active, &mark) ||
            !shows_query(view, options, lw_text_string(&mark)))
            continue;
        const size_t before = text->length;
        lw_text_format(text, "%s%s", count ? " | " : "", lw_text_string(&mark));
        count++;
        if (shows_query(view, options, lw_text_string(text)))
            continue;
        lw_text_cut(text, before);
        count--;
    }
    text->failed = text->failed || mark.failed;
    lw_text_free(&mark);
    return count;
}

/* Appends the instruction and the wavefront of a player, or the accesses that are shown. */
static void put_access(const struct lw_view_options *options, struct lw_text *text)
{
    if (options->access != LW_VIEW_BOTH)
        lw_text_format(text, " --op %s", options->access == LW_VIEW_LOAD ? "load" : "store");
    if (options->instruction)
        lw_text_format(text, " --instruction %llu", (unsigned long long)options->instruction);
    if (options->instruction && options->wavefront)
        lw_text_format(text, " --wavefront %u", options->wavefront);
}

/* Appends what is of the view that the command writes; returns how many marks it has. */
static size_t put_view(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_copy_format format;
    struct lw_export_options options;
    struct lw_view view = {0};
    struct lw_text marks = {0};
    size_t count = 0;
    bool opened = lw_copy_pane(pane, &view, &format, &options, NULL);
    if (opened && format.cell && (pane->view.type->formatted || pane->view.type->spots)) {
        lw_text_add(text, " --cell ");
        put_quoted(text, format.cell);
    }
    if (pane->view.options.wrap &&
        pane->view.options.wrap < pane->view.subject->map.out.dim[0].size)
        lw_text_format(text, " --wrap %llu", (unsigned long long)pane->view.options.wrap);
    if (pane->view.options.across > 1)
        lw_text_format(text, " --across %llu", (unsigned long long)pane->view.options.across);
    if (pane->view.type->heat)
        put_access(&pane->view.options, text);
    if (opened && pane->ranged) {
        put_range(text, "rows", options.row_from, options.row_to);
        put_range(text, "cols", options.col_from, options.col_to);
    }
    if (opened && (count = put_marks(ex, &view, &options, &marks))) {
        lw_text_add(text, " --highlight ");
        put_quoted(text, lw_text_string(&marks));
        lw_text_add(text, " --no-dim");
    }
    text->failed = text->failed || marks.failed;
    lw_text_free(&marks);
    if (opened)
        lw_view_close(&view);
    return count;
}

size_t lw_put_command(const struct lw_explorer *ex, struct lw_text *text)
{
    const struct lw_view_pane *pane = ex->panes.active;
    struct lw_text source = {0};
    put_source(ex, pane, &source);
    lw_text_add(text, "laneway show ");
    put_quoted(text, lw_text_string(&source));
    lw_text_format(text, " --view %s", pane->view.type->name);
    if (pane->view.options.color_by)
        lw_text_format(text, " --color-by %s", pane->view.options.color_by);
    const struct lw_hardware *target = lw_explorer_target(ex);
    const char *name = target ? lw_target_path(target) : NULL;
    if (!name && target && lw_hardware_find(target->name) == target)
        name = target->name;
    if (name) {
        lw_text_add(text, " --target ");
        put_quoted(text, name);
    }
    lw_text_free(&source);
    return ex->marks.count - put_view(ex, text);
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
        snprintf(others, LW_PANES_LEFT_MAX, "the other pane (%s%s%.80s)",
                 types[pane->view_index]->title, of ? ": " : "", of ? of : "");
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
