/* Which screen shows the sources of a command line, or of `:open`. */

#include "tui/command/open_sources.h"

#include "kernel/kernel_folder.h"

#include <string.h>

/* Pushes the screen of a layout, which must be legal. */
static bool open_layout(struct lw_app *app, const char *source, struct lw_error *err)
{
    struct lw_text text = {0};
    struct lw_document doc;
    if (!strcmp(source, "-")) { /* it can be read once */
        struct lw_open_options options = app->opening.open;
        options.input = stdin;
        if (!lw_document_open(&doc, source, &options, err))
            return false;
        lw_document_print_access(&text, &doc);
        lw_document_free(&doc);
        source = lw_text_string(&text);
    }
    struct lw_screen *screen = lw_layout_new(app, source);
    lw_text_free(&text);
    if (!screen)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!lw_layout_model(screen)) {
        if (err)
            *err = *lw_layout_problem(screen);
        screen->type->close(screen);
        return false;
    }
    lw_app_push(app, screen);
    return true;
}

bool lw_open_sources(struct lw_app *app, const char *const *sources, size_t count,
                     struct lw_error *err)
{
    bool are_kernels = true;
    for (size_t i = 0; i < count; i++)
        are_kernels = are_kernels && lw_kernel_is_dump(sources[i]);
    if (count > 2)
        return lw_folder_open_list(app, "the command line", sources, count, err);
    if (count == 1 && lw_is_folder(sources[0]))
        return lw_folder_open_screen(app, sources[0], err);
    if (are_kernels)
        return count == 1 ? lw_kernel_open_screen(app, sources[0], err)
                          : lw_kernel_compare_screen(app, sources[0], sources[1], err);
    return open_layout(app, sources[0], err) &&
           (count == 1 || lw_layout_compare_with(lw_app_top(app), sources[1], err));
}
