/* The source line: each key opens the text again; while it is not legal, the last legal picture stays. */

#include "tui/layout_screen.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* ---- Editing the sources ---- */

struct lw_named_layout *lw_layout_edited(struct lw_layout_screen *layout)
{
    return layout->own.edits ? &layout->own : layout->other.edits ? &layout->other : NULL;
}

void lw_layout_show_other(struct lw_layout_screen *layout, struct lw_model *model)
{
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    lw_model_free(layout->other.model);
    layout->other.model = model;
    lw_layout_open_picture(layout, layout->view);
}

static void show_at(struct lw_layout_screen *layout, struct lw_named_layout *named,
                    struct lw_model *model)
{
    if (named == &layout->own)
        lw_layout_replace(layout, model);
    else
        lw_layout_show_other(layout, model);
}

void lw_layout_try_text(struct lw_layout_screen *layout, struct lw_named_layout *named)
{
    struct lw_model_options options = layout->screen.app->opening;
    memset(&named->wrong, 0, sizeof named->wrong);
    if (named == &layout->other)
        options.beside = &layout->own.model->doc;
    struct lw_model *model = lw_model_open(lw_input_text(&named->line), &options, &named->wrong);
    if (model && named == &layout->other &&
        !lw_picture_can_compare(layout->own.model, model, &named->wrong)) {
        lw_model_free(model);
        model = NULL;
    }
    if (!model)
        return;
    named->wrong.code = LW_OK;
    show_at(layout, named, model);
}

void lw_layout_begin_edit(struct lw_named_layout *named, const char *text)
{
    named->edits = true;
    named->wrong.code = LW_OK;
    free(named->before);
    named->before = named->model ? strdup(lw_text_string(&named->model->text)) : NULL;
    lw_input_set(&named->line, named->before ? named->before : text);
}

/* Leaves the text as it was before; where there was none, the screen or the comparison. */
static void discard_edit(struct lw_layout_screen *layout, struct lw_named_layout *named)
{
    if (!named->before && named == &layout->own) {
        lw_app_back(layout->screen.app);
        return;
    }
    named->edits = false;
    named->wrong.code = LW_OK;
    if (!named->before) {
        lw_layout_show_other(layout, NULL);
    } else if (strcmp(named->before, lw_text_string(&named->model->text)) != 0) {
        struct lw_model *model =
            lw_model_open(named->before, &layout->screen.app->opening, &named->wrong);
        if (model)
            show_at(layout, named, model);
    }
}

static void keep_edit(struct lw_layout_screen *layout, struct lw_named_layout *named)
{
    if (named->wrong.code != LW_OK || !named->model) {
        lw_app_problem(layout->screen.app, &named->wrong);
        return;
    }
    named->edits = false;
    if (named == &layout->own &&
        (!named->before || strcmp(named->before, lw_input_text(&named->line)) != 0))
        lw_layout_record(layout);
}

void lw_layout_finish_edit(struct lw_screen *screen, int keep)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (keep)
        keep_edit(layout, lw_layout_edited(layout));
    else
        discard_edit(layout, lw_layout_edited(layout));
}

bool lw_layout_on_paste(struct lw_screen *screen, const char *text)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_named_layout *named = lw_layout_edited(layout);
    if (!named) {
        named = &layout->own;
        lw_layout_begin_edit(named, "");
        lw_input_set(&named->line, "");
    }
    lw_input_insert(&named->line, text);
    lw_layout_try_text(layout, named);
    return true;
}

void lw_layout_edit_source(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_layout_begin_edit(&lw_layout_of(screen)->own, "");
}

void lw_layout_compare(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    (void)argument;
    const char *text = layout->past_at ? layout->past[layout->past_at - 1].text
                                       : lw_text_string(&layout->own.model->text);
    lw_layout_begin_edit(&layout->other, text);
    lw_input_offer(&layout->other.line, text);
    lw_layout_try_text(layout, &layout->other);
}
