/* What is taken out of a layout screen: its views, written to a file; and the list of what can be copied: its source,
 * each notation, the document. */

#include "tui/command/command.h"

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/unused.h"
#include "export/output.h"
#include "laneway/export.h"
#include "tui/memory_failed.h"
#include "tui/picture/picture.h"

#include <stdlib.h>
#include <string.h>

/* ---- Writing ---- */

enum { VIEWS_MAX = 4 };

struct export
{
    const struct lw_format *format;
    struct lw_view views[VIEWS_MAX];
    const struct lw_view *list[VIEWS_MAX];
    size_t count;
    struct lw_text highlight;
    struct lw_export_options options;
};

/* Opens a view, if the format can hold one more, of not too many cells to be written while the user waits. */
static bool add_view(struct export *export, const char *name, const struct lw_subject *subject,
                     struct lw_error *err)
{
    const uint64_t most = (uint64_t)1 << 18;
    const struct lw_format *format = export->format;
    const bool is_full =
        export->count && !format->write_panels && !(format->between && *format->between);
    struct lw_view *view = &export->views[export->count];
    if (is_full || !subject)
        return true;
    if (!lw_view_open(view, lw_view_type_find(name), subject, NULL, err))
        return false;
    export->list[export->count++] = view;
    return !view->cols || view->rows <= most / view->cols ||
           lw_error_set(err, LW_ERROR_LIMIT,
                        "%llu x %llu cells are too many to wait for: 'laneway show SOURCE -o "
                        "FILE' writes them",
                        (unsigned long long)view->rows, (unsigned long long)view->cols);
}

/* Makes a figure so wide that three views stand side by side, as the grids of a path do; the banks stand below them. */
static void put_side_by_side(struct export *export)
{
    enum { CELL = 14, LABELS = 100 };
    uint64_t widest = 0;
    for (size_t i = 0; i < export->count; i++)
        widest = export->views[i].cols > widest ? export->views[i].cols : widest;
    widest = 3 * (CELL * widest + LABELS);
    export->options.cell_size = CELL;
    export->options.width = widest < LW_EXPORT_WIDTH_MAX ? (unsigned)widest : LW_EXPORT_WIDTH_MAX;
}

/* Opens the views that draw what is shown; a format that holds one has the first. */
static bool add_views(struct export *export, const struct lw_on_screen *shown, struct lw_error *err)
{
    static const char *const texts[] = {"facts", "bases", "notation"};
    const struct lw_model *model = shown->model;
    const struct lw_subject *memory = lw_model_at(model, LW_SIDE_S), *pair[2];
    bool good = true;
    if (shown->other) {
        lw_model_pair(model, shown->other, pair);
        return add_view(export, "owners", pair[0], err) && add_view(export, "owners", pair[1], err);
    }
    if (!strcmp(shown->picture, "path")) {
        const bool is_figure = export->format->write_panels != NULL;
        good = (is_figure || add_view(export, "banks", memory, err)) &&
               add_view(export, "owners", lw_model_at(model, LW_SIDE_A), err) &&
               add_view(export, "memory", lw_model_memory(model), err) &&
               add_view(export, "owners", lw_model_at(model, LW_SIDE_B), err) &&
               (!is_figure || add_view(export, "banks", memory, err));
        put_side_by_side(export);
        return good;
    }
    if (!strcmp(shown->picture, "accesses"))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the list of accesses is no picture: 'laneway banks CODE' prints it");
    if (strcmp(shown->picture, "text") != 0)
        return add_view(export, shown->picture, shown->subject, err);
    for (size_t i = 0; good && i < LW_COUNT(texts); i++)
        if (lw_view_fits(lw_view_type_find(texts[i]), shown->subject))
            good = add_view(export, texts[i], shown->subject, err);
    return good;
}

/* Appends what is lit, as --highlight reads it; nothing: all is. */
static void put_highlight(const struct lw_on_screen *shown, struct lw_text *text)
{
    static const char *const names[] = {[LW_LIT_THREAD] = "t",
                                        [LW_LIT_WARP] = "warp=",
                                        [LW_LIT_REGISTER] = "r",
                                        [LW_LIT_BANK] = "bank="};
    const struct lw_lit *lit = shown->lit;
    const bool is_path = !strcmp(shown->picture, "path"); /* it lights an access */
    if (lit->on && !is_path && !shown->other)
        lw_text_format(text, "%s%llu", names[lit->what], (unsigned long long)lw_lit_number(lit));
}

/* Opens the views, and checks that the format can hold them. */
static bool open_export(struct export *export, const struct lw_on_screen *shown,
                        struct lw_error *err)
{
    if (!add_views(export, shown, err))
        return false;
    put_highlight(shown, &export->highlight);
    export->options.labels = export->options.head = true;
    export->options.differences = shown->other != NULL;
    if (export->highlight.length)
        export->options.highlight = lw_text_string(&export->highlight);
    if (export->options.highlight &&
        !lw_export_check(export->list, export->count, export->format, &export->options, NULL))
        export->options.highlight = NULL; /* it is not in this view */
    return lw_export_check(export->list, export->count, export->format, &export->options, err);
}

static bool write_file(const struct lw_on_screen *shown, const char *path, struct lw_error *err)
{
    struct export export = {.format = lw_format_of_path(path, err)};
    struct lw_output output;
    bool good = export.format && open_export(&export, shown, err);
    if (good && (good = lw_output_open(&output, path, NULL, err))) {
        good = lw_export_panels(export.list, export.count, export.format, &export.options,
                                output.stream, err) &&
               (!lw_memory_failed() || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
        good = lw_output_close(&output, good, good ? err : NULL) && good;
    }
    for (size_t i = 0; i < export.count; i++)
        lw_view_close(&export.views[i]);
    lw_text_free(&export.highlight);
    return good;
}

/* ---- The dialog ---- */

static void write_chosen(struct lw_app *app, void *context)
{
    struct lw_on_screen shown;
    struct lw_error err = {0};
    const struct lw_screen *screen = context;
    bool is_written = screen->type->on_screen(screen, &shown)
                          ? write_file(&shown, app->file, &err)
                          : lw_error_set(&err, LW_ERROR_UNSUPPORTED, "there is no picture yet");
    if (is_written) /* an error of a part that is not there may be left */
        lw_app_message(app, "%s: written", app->file);
    else
        lw_app_unwritten(app, "not written: ", &err);
}

bool lw_export_to_file(struct lw_screen *screen, const char *path, struct lw_error *err)
{
    static const struct lw_answer answers[] = {{"o", "overwrite it", write_chosen}};
    struct lw_app *app = screen->app;
    struct stat info;
    if (!lw_format_of_path(path, err))
        return false;
    if (!lw_app_file_name(app, path))
        return true; /* it has shown why */
    if (app->options->script || lw_file_info(app->file, &info) == LW_FILE_ABSENT)
        write_chosen(app, screen);
    else
        lw_dialog(app, screen, answers, 1, "cancel", "%.200s exists already",
                  lw_base_name(app->file));
    return true;
}

static bool export_typed(struct lw_app *app, const char *path, struct lw_error *err)
{
    struct lw_screen *top = lw_app_top(app);
    return lw_export_to_file(top->type->layout(top), path, err);
}

void lw_export_request(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "export to",
        .help = "format, by extension: txt ans md rst csv json html svg png pdf tex",
        .run = export_typed};
    lw_prompt_begin(screen->app, &prompt, "picture.svg");
}

/* ---- Copying ---- */

enum { COPIES = 2 * LW_TRANSLATION_ROWS_MAX };

struct copies {
    struct lw_arena arena;
    size_t count;
    struct copy {
        const char *before, *label; /* "S in ", "CuTe" */
        const char *word;           /* " bytes": by which rows of one notation differ */
        const char *shown;          /* instead of the text; NULL: that */
        const char *text;           /* in the arena */
    } copy[COPIES];
};

/* Without memory, or room, the row is missing. */
static void add(struct copies *copies, struct copy copy)
{
    copy.text = lw_arena_string(&copies->arena, copy.text, strlen(copy.text));
    if (copy.text && copies->count < COPIES)
        copies->copy[copies->count++] = copy;
}

/* The word by which several texts in one notation differ. */
static const char *word_of(const char *text)
{
    return strstr(text, "smem_ptr")   ? " bytes"
           : !strncmp(text, "Sw<", 3) ? " elements"
           : strstr(text, "#ttg.linear") || strstr(text, "Linear") || strstr(text, "_linear")
               ? " linear"
           : strstr(text, "mode_shape") ? " modes"
                                        : "";
}

/* Each notation of the layout that is shown. */
static void add_notations(struct copies *copies, const struct lw_subject *subject,
                          const char *before)
{
    const struct lw_translate_request request = {&subject->map, &subject->tensor, subject->lanes,
                                                 subject->encoding};
    struct lw_translation_table table = {0};
    if (lw_translation_table_fill(&table, &request, NULL))
        for (int i = 0; i < table.count; i++)
            if (!table.row[i].remark)
                add(copies, (struct copy){before, table.row[i].system->title,
                                          word_of(table.row[i].text), NULL, table.row[i].text});
    lw_translation_table_free(&table);
}

static void put_cell(void *context, size_t row, int column, struct lw_text *text,
                     struct lw_pen *pen)
{
    const struct copy *copy = &((const struct copies *)context)->copy[row];
    if (column == 0)
        lw_text_add(text, copy->before);
    lw_text_add(text, column == 0 ? copy->label : copy->shown ? copy->shown : copy->text);
    lw_text_add(text, column == 0 ? copy->word : "");
    if (column == 0)
        *pen = lw_tone(LW_TONE_KEY);
}

static void take(struct lw_screen *below, void *context, size_t row)
{
    const struct copy *copy = &((const struct copies *)context)->copy[row];
    lw_text_clear(&below->app->copied);
    lw_text_add(&below->app->copied, copy->text);
    lw_app_message(below->app, "copied: %s%s%s: %.*s", copy->before, copy->label, copy->word,
                   (int)strcspn(copy->text, "\n"), copy->text);
}

static void close_copies(void *context)
{
    lw_arena_free(&((struct copies *)context)->arena);
    free(context);
}

void lw_copy_request(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_column columns[] = {{"", false, 12}, {"", false, 8}};
    static const struct lw_list_source source = {columns, LW_COUNT(columns), put_cell, NULL, NULL};
    static const struct lw_choice_kind kind = {.title = "copy to the clipboard",
                                               .width = 100,
                                               .rows = &source,
                                               .take = take,
                                               .close = close_copies};
    struct lw_on_screen shown;
    struct lw_text document = {0};
    struct copies *copies =
        screen->type->on_screen(screen, &shown) ? calloc(1, sizeof *copies) : NULL;
    if (!copies)
        return;
    const struct lw_subject *memory = lw_model_at(shown.model, LW_SIDE_S);
    add(copies, (struct copy){"", "source", "", NULL, lw_text_string(&shown.model->text)});
    if (memory && memory != shown.subject) /* what is copied most of an access */
        add_notations(copies, memory, "S in ");
    add_notations(copies, shown.subject, memory == shown.subject ? "S in " : "");
    lw_document_print(&document, &shown.model->doc);
    add(copies, (struct copy){"", "document", "", "the layout as JSON", lw_text_string(&document)});
    lw_text_free(&document);
    lw_choice_open(screen, &kind, copies, copies->count, 0);
}
