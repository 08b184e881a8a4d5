/* The model of a layout screen and its picture, the element of the cursor, and undo. */

#include "tui/layout_screen.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* ---- The model ---- */

const struct lw_model *lw_layout_shown_model(const struct lw_layout_screen *layout)
{
    return layout->preview ? layout->preview : layout->own.model;
}

/* The view to open a model with: that of its document, that of an access, else the first one that fits. */
static const struct lw_picture_type *choose_view_of(const struct lw_model *model)
{
    const struct lw_picture_type *named = lw_picture_named(model->doc.view);
    if (named && named->fits(model))
        return named;
    if (model->has_path)
        return &lw_picture_path;
    for (size_t i = 0; lw_pictures[i]; i++)
        if (lw_pictures[i]->fits(model))
            return lw_pictures[i];
    return NULL;
}

/* Finds the views that a model has on tabs. */
static void find_tabs(struct lw_layout_screen *layout, const struct lw_model *model)
{
    if (layout->tabs_of == model)
        return;
    layout->tabs_of = model;
    layout->tab_count = 0;
    for (size_t i = 0; lw_pictures[i] && layout->tab_count < LW_TABS_MAX; i++)
        if (lw_pictures[i]->is_tab && lw_pictures[i]->fits(model))
            layout->tabs[layout->tab_count++] = lw_pictures[i];
}

void lw_layout_open_picture(struct lw_layout_screen *layout, const struct lw_picture_type *view)
{
    struct lw_error err = {0};
    const struct lw_model *model = lw_layout_shown_model(layout), *other = layout->other.model;
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    if (!model)
        return;
    find_tabs(layout, model);
    if (!view || !view->fits(model))
        view = choose_view_of(model);
    layout->view = view;
    layout->shown = other ? &lw_picture_compare : view;
    if (!layout->shown)
        return;
    layout->picture =
        lw_picture_open(layout->shown, model, other, layout->side, &layout->lit, &err);
    if (!layout->picture)
        lw_app_problem(layout->screen.app, &err);
    else if (layout->has_spot && layout->shown->go)
        layout->shown->go(layout->picture, &layout->spot);
}

static bool same_shape(const struct lw_model *a, const struct lw_model *b)
{
    const struct lw_dims *x = &lw_model_own(a)->map.out, *y = &lw_model_own(b)->map.out;
    if (x->count != y->count)
        return false;
    for (int d = 0; d < x->count; d++)
        if (x->dim[d].size != y->dim[d].size)
            return false;
    return true;
}

void lw_layout_replace(struct lw_layout_screen *layout, struct lw_model *model)
{
    struct lw_model *old = layout->own.model;
    layout->has_spot = layout->has_spot && old && same_shape(old, model);
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    layout->own.model = model;
    layout->tabs_of = NULL; /* the address of the old one may be used again */
    lw_model_free(layout->preview);
    layout->preview = NULL;
    layout->before = 0;
    lw_best_end(&layout->best);
    lw_edits_show(&layout->edits, model);
    lw_model_free(old);
    if (layout->form.is_shown && !layout->form.edits)
        lw_param_form_fill(&layout->form, &model->doc);
    lw_layout_open_picture(layout, layout->view);
}

void lw_layout_follow(struct lw_layout_screen *layout, bool light)
{
    struct lw_spot spot;
    layout->has_spot =
        layout->picture && layout->shown->spot && layout->shown->spot(layout->picture, &spot);
    if (!layout->has_spot)
        return;
    layout->spot = spot;
    const struct lw_subject *subject = layout->shown->spot_subject
                                           ? layout->shown->spot_subject(layout->picture)
                                           : layout->picture->subject;
    struct lw_lit *lit = &layout->lit;
    if (!light || !spot.has_out)
        return;
    if (!lw_subject_is_memory(subject)) /* else the picture decides it */
        lit->on = lw_slot_find(&subject->map, subject->lanes, spot.out, 0, &lit->owner);
    lit->by_pointer = false;
}

/* ---- Undo ---- */

void lw_layout_drop_past(struct lw_layout_screen *layout, size_t from)
{
    for (size_t i = from; i < layout->past_count; i++) {
        lw_document_free(&layout->past[i].doc);
        free(layout->past[i].text);
    }
    layout->past_count = from;
}

void lw_layout_record(struct lw_layout_screen *layout)
{
    enum { KEPT = 500 };
    size_t from = layout->past_count ? layout->past_at + 1 : 0;
    if (!layout->edits.app)
        lw_edits_open(&layout->edits, layout->screen.app, layout->own.model,
                      lw_text_string(&layout->own.model->text));
    lw_edits_record(&layout->edits, &layout->screen, layout->own.model);
    lw_layout_drop_past(layout, from);
    if (layout->past_count == KEPT) {
        lw_document_free(&layout->past[0].doc);
        free(layout->past[0].text);
        memmove(layout->past, layout->past + 1, (KEPT - 1) * sizeof *layout->past);
        layout->past_count--;
    }
    struct lw_past_layout *past = realloc(layout->past, (layout->past_count + 1) * sizeof *past);
    if (!past)
        return;
    layout->past = past;
    past += layout->past_count;
    past->text = strdup(lw_text_string(&layout->own.model->text));
    if (!past->text || !lw_document_copy(&past->doc, &layout->own.model->doc, NULL)) {
        free(past->text);
        return;
    }
    layout->past_at = layout->past_count++;
}

void lw_layout_step_to(struct lw_layout_screen *layout, size_t at)
{
    struct lw_error err = {0};
    struct lw_model *model = lw_model_new(&layout->past[at].doc, layout->past[at].text,
                                          &layout->screen.app->opening, &err);
    if (!model) {
        lw_app_problem(layout->screen.app, &err);
        return;
    }
    layout->past_at = at;
    lw_layout_replace(layout, model);
    lw_edits_record(&layout->edits, &layout->screen, model);
}

void lw_layout_step_past(struct lw_screen *screen, int by)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    size_t at = layout->past_at + (size_t)by;
    if (layout->past_count && at < layout->past_count)
        lw_layout_step_to(layout, at);
    else
        lw_app_message(screen->app,
                       by < 0 ? "there is no change to undo" : "there is no change to make again");
}
