/* Exports: the views of what is on the screen, written to a file. */

#include "tui/keep/taken.h"

#include "core/array_count.h"
#include "core/base_name.h"
#include "core/unused.h"
#include "tui/command/prompt_screen.h"
#include "tui/command/choice_screen.h"
#include "export/output.h"
#include "laneway/export.h"
#include "tui/memory_failed.h"

#include <stdlib.h>
#include <string.h>

/* ---- Views ---- */

bool lw_on_screen(const struct lw_screen *screen, struct lw_on_screen *shown)
{
    return screen->type->on_screen && screen->type->on_screen(screen, shown);
}

size_t lw_taken_views(const struct lw_on_screen *shown, struct lw_taken_view views[LW_TAKEN_VIEWS])
{
    size_t count = 0;
    if (shown->other) {
        views[0] = (struct lw_taken_view){"owners", lw_model_own(shown->model)};
        views[1] = (struct lw_taken_view){"owners", lw_model_own(shown->other)};
        return 2;
    }
    if (!strcmp(shown->picture, "text")) {
        static const char *const texts[] = {"facts", "bases", "notation"};
        for (size_t i = 0; i < LW_COUNT(texts); i++)
            if (lw_view_fits(lw_view_type_find(texts[i]), shown->subject))
                views[count++] = (struct lw_taken_view){texts[i], shown->subject};
        return count;
    }
    if (strcmp(shown->picture, "path") != 0) {
        views[0] = (struct lw_taken_view){shown->picture, shown->subject};
        return 1;
    }
    const struct lw_subject *memory = lw_model_at(shown->model, LW_SIDE_S);
    if (memory)
        views[count++] = (struct lw_taken_view){"banks", memory};
    for (int side = 0; side < LW_SIDES; side++) {
        const struct lw_subject *subject = lw_model_at(shown->model, (enum lw_side)side);
        if (subject)
            views[count++] =
                (struct lw_taken_view){side == LW_SIDE_S ? "memory" : "owners", subject};
    }
    return count;
}

void lw_taken_highlight(const struct lw_on_screen *shown, struct lw_text *text)
{
    const struct lw_lit *lit = shown->lit;
    const struct lw_slot *owner = &lit->owner;
    const bool is_path = !strcmp(shown->picture, "path"); /* it lights an access */
    if (!lit->on || is_path || shown->other)
        return;
    switch (lit->what) {
    case LW_LIT_WARP:
        lw_text_format(text, "warp=%llu", (unsigned long long)owner->warp);
        break;
    case LW_LIT_REGISTER:
        lw_text_format(text, "r%llu", (unsigned long long)owner->reg);
        break;
    case LW_LIT_BANK:
        lw_text_format(text, "bank=%llu", (unsigned long long)lit->bank);
        break;
    default:
        lw_text_format(text, "t%llu", (unsigned long long)owner->thread);
    }
}

/* ---- Writing ---- */

struct export
{
    struct lw_view views[LW_TAKEN_VIEWS];
    const struct lw_view *list[LW_TAKEN_VIEWS];
    size_t count;
    struct lw_text highlight;
    struct lw_export_options options;
};

static void close_export(struct export *export)
{
    for (size_t i = 0; i < export->count; i++)
        lw_view_close(&export->views[i]);
    lw_text_free(&export->highlight);
}

/* Opens the views, and checks that the format can hold them and that they are not too many cells to be written while
 * the user waits. */
static bool open_export(struct export *export, const struct lw_on_screen *shown,
                        const struct lw_format *format, struct lw_error *err)
{
    const uint64_t most = (uint64_t)1 << 18;
    struct lw_taken_view wanted[LW_TAKEN_VIEWS];
    size_t count = lw_taken_views(shown, wanted);
    if (!format->write_panels && !(format->between && *format->between))
        count = 1;
    for (size_t i = 0; i < count; i++) {
        struct lw_view *view = &export->views[i];
        if (!lw_view_open(view, lw_view_type_find(wanted[i].name), wanted[i].subject, NULL, err))
            return false;
        export->list[export->count++] = view;
        if (view->cols && view->rows > most / view->cols)
            return lw_error_set(err, LW_ERROR_LIMIT,
                                "%llu x %llu cells are too many to wait for: the command line that "
                                "y copies writes them, with -o FILE",
                                (unsigned long long)view->rows, (unsigned long long)view->cols);
    }
    lw_taken_highlight(shown, &export->highlight);
    export->options = (struct lw_export_options){
        .labels = true,
        .head = true,
        .differences = shown->other != NULL,
        .highlight = export->highlight.length ? lw_text_string(&export->highlight) : NULL};
    if (export->options.highlight &&
        !lw_export_check(export->list, export->count, format, &export->options, NULL))
        export->options.highlight = NULL; /* it is not in this view */
    return lw_export_check(export->list, export->count, format, &export->options, err);
}

static bool write_file(const struct lw_on_screen *shown, const char *path, struct lw_error *err)
{
    struct export export = {0};
    struct lw_output output;
    const struct lw_format *format = lw_format_of_path(path, err);
    bool good = format && open_export(&export, shown, format, err);
    if (good && (good = lw_output_open(&output, path, NULL, err))) {
        good = lw_export_panels(export.list, export.count, format, &export.options, output.stream,
                                err) &&
               (!lw_memory_failed() || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
        good = lw_output_close(&output, good, good ? err : NULL) && good;
    }
    close_export(&export);
    return good;
}

/* ---- The dialog ---- */

static void write_chosen(struct lw_app *app, void *context)
{
    struct lw_on_screen shown;
    struct lw_error err = {0};
    if (!lw_on_screen(context, &shown))
        lw_error_set(&err, LW_ERROR_UNSUPPORTED, "there is no picture yet");
    else if (write_file(&shown, app->file, &err))
        lw_app_message(app, "%s: written", app->file);
    if (err.code != LW_OK)
        lw_app_unwritten(app, "not written: ", &err);
}

void lw_export_to_file(struct lw_screen *screen, const char *path)
{
    static const struct lw_answer answers[] = {{"o", "overwrite it", write_chosen}};
    struct lw_app *app = screen->app;
    struct stat info;
    if (!lw_app_file_name(app, path))
        return;
    if (app->options->script || lw_file_info(app->file, &info) == LW_FILE_ABSENT)
        write_chosen(app, screen);
    else
        lw_dialog(app, screen, answers, 1, "cancel", "%.200s exists already",
                  lw_base_name(app->file));
}

static bool export_typed(struct lw_app *app, const char *path, struct lw_error *err)
{
    if (!lw_format_of_path(path, err))
        return false;
    lw_export_to_file(lw_app_top(app), path);
    return true;
}

void lw_export_request(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "export to",
        .help = "a file; its extension is the format: svg html md csv json tex txt",
        .run = export_typed};
    lw_prompt_begin(screen->app, &prompt, lw_format_find("svg") ? "picture.svg" : "picture.md");
}
