/* What a layout screen shows and what changes it: the model and its picture, the element of the cursor, undo, the
 * source line, the form, bits of the matrix, the best S. */

#include "tui/layout_screen.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/command/prompt_screen.h"

#include <stdlib.h>
#include <string.h>

/* ---- The model ---- */

const struct lw_model *lw_layout_shown_model(const struct lw_layout_screen *layout)
{
    return layout->preview ? layout->preview : layout->own.model;
}

/* Finds the views that a model has. */
static void find_views(struct lw_layout_screen *layout, const struct lw_model *model)
{
    if (layout->views_of == model)
        return;
    layout->views_of = model;
    layout->tab_count = layout->view_count = 0;
    for (size_t i = 0; lw_pictures[i] && layout->view_count < LW_VIEWS_MAX; i++)
        if (lw_picture_fits(lw_pictures[i], model)) {
            layout->tab_count += lw_pictures[i]->is_tab && layout->tab_count < LW_TABS_MAX;
            layout->views[layout->view_count++] = lw_pictures[i];
        }
}

bool lw_layout_has_view(const struct lw_layout_screen *layout, const struct lw_picture_type *view,
                        size_t *at)
{
    for (*at = 0; *at < layout->view_count && layout->views[*at] != view;)
        ++*at;
    return *at < layout->view_count;
}

void lw_layout_open_picture(struct lw_layout_screen *layout, const struct lw_picture_type *view)
{
    struct lw_error err = {0};
    size_t at;
    const struct lw_model *model = lw_layout_shown_model(layout), *other = layout->other;
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    if (!model)
        return;
    find_views(layout, model);
    if (!lw_layout_has_view(layout, view, &at)) /* that of the document, that of an access */
        view = lw_picture_named(model->doc.view);
    if (!lw_layout_has_view(layout, view, &at))
        view = model->has_path ? &lw_picture_path : layout->view_count ? layout->views[0] : NULL;
    layout->view = view;
    layout->shown = other ? &lw_picture_compare : view;
    if (!layout->shown)
        return;
    layout->picture =
        lw_picture_open(layout->shown, model, other, layout->side, &layout->lit, &err);
    if (!layout->picture)
        lw_app_problem(layout->screen.app, &err);
    else if (layout->has_spot)
        lw_picture_go(layout->picture, &layout->spot);
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
    layout->views_of = NULL; /* the address of the old one may be used again */
    lw_model_free(layout->preview);
    layout->preview = NULL;
    layout->before = 0;
    lw_best_end(&layout->best);
    lw_edits_show(&layout->edits, model);
    lw_model_free(old);
    if (layout->form.is_shown)
        lw_param_form_fill(&layout->form, &model->doc);
    lw_layout_open_picture(layout, layout->view);
}

void lw_layout_follow(struct lw_layout_screen *layout, bool light)
{
    struct lw_spot spot;
    struct lw_lit *lit = &layout->lit;
    layout->has_spot = lw_picture_spot(layout->picture, &spot);
    if (!layout->has_spot)
        return;
    layout->spot = spot;
    if (!light || !spot.has_out)
        return;
    const struct lw_subject *subject = layout->picture->at;
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

static void step_to(struct lw_layout_screen *layout, size_t at)
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
        step_to(layout, at);
    else
        lw_app_message(screen->app,
                       by < 0 ? "there is no change to undo" : "there is no change to make again");
}

/* ---- The source line ----
 *
 * Each key opens the text again; while it is not legal, the last legal picture stays. */

void lw_layout_try_text(struct lw_layout_screen *layout)
{
    struct lw_named_layout *own = &layout->own;
    memset(&own->wrong, 0, sizeof own->wrong);
    struct lw_model *model =
        lw_model_open(lw_input_text(&own->line), &layout->screen.app->opening, &own->wrong);
    if (!model)
        return;
    own->wrong.code = LW_OK;
    lw_layout_replace(layout, model);
}

void lw_layout_edit(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_named_layout *own = &lw_layout_of(screen)->own;
    if (own->edits)
        return;
    own->edits = own->line.has_lines = true;
    own->wrong.code = LW_OK;
    lw_input_set(&own->line, own->model ? lw_text_string(&own->model->text) : "");
}

/* Discarded, a text is as it was before; where there was none, the screen is left. */
void lw_layout_finish_edit(struct lw_screen *screen, int keep)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_named_layout *own = &layout->own;
    const char *text = lw_input_text(&own->line);
    const bool is_new = !layout->past_count;
    if (keep && (own->wrong.code != LW_OK || !own->model || lw_kernel_is_dump(text))) {
        if (!screen->app->open(screen->app, &text, 1, &own->wrong))
            lw_app_problem(screen->app, &own->wrong);
        return;
    }
    if (!keep && is_new) {
        lw_app_back(screen->app);
        return;
    }
    own->edits = false;
    own->wrong.code = LW_OK;
    if (keep && (is_new || strcmp(layout->past[layout->past_at].text, text) != 0))
        lw_layout_record(layout);
    else
        step_to(layout, layout->past_at); /* with all that its document has beside the text */
}

/* ---- The layout to compare with ---- */

void lw_layout_show_other(struct lw_layout_screen *layout, struct lw_model *model)
{
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    lw_model_free(layout->other);
    layout->other = model;
    lw_layout_open_picture(layout, layout->view);
}

bool lw_layout_compare_with(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_layout_of(screen->type->layout(screen));
    struct lw_model_options options = screen->app->opening;
    options.beside = &layout->own.model->doc;
    struct lw_model *model = lw_model_open(text, &options, err);
    const bool good = model && lw_picture_can_compare(layout->own.model, model, err);
    if (good)
        lw_layout_show_other(layout, model);
    else
        lw_model_free(model);
    return good;
}

static void compare_cancel(struct lw_screen *below)
{
    lw_layout_show_other(lw_layout_of(below->type->layout(below)), NULL);
}

void lw_layout_compare(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {.sign = "compare with",
                                                 .help = "a layout: type or paste anything",
                                                 .typed = lw_layout_compare_with,
                                                 .cancel = compare_cancel,
                                                 .offers = true};
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_error err;
    const char *text;
    size_t i = layout->past_at;
    do {
        text = i ? layout->past[i - 1].text : lw_text_string(&layout->own.model->text);
    } while ((!lw_layout_compare_with(screen, text, &err) ||
              !same_shape(layout->own.model, layout->other)) &&
             i-- > 0);
    lw_prompt_begin(screen->app, &prompt, text);
}

/* ---- The form ---- */

/* Sets a parameter in a copy of the document, and shows that; false: the value is not legal. */
static bool set_parameter(struct lw_layout_screen *layout, const char *path, const char *value,
                          struct lw_error *err)
{
    struct lw_document doc;
    struct lw_model *model = NULL;
    memset(err, 0, sizeof *err);
    if (!lw_document_copy(&doc, &layout->own.model->doc, err))
        return false;
    if (lw_document_set(&doc, path, value, err))
        model = lw_model_new(&doc, NULL, &layout->screen.app->opening, err);
    lw_document_free(&doc);
    if (model)
        lw_layout_replace(layout, model);
    return model != NULL;
}

void lw_layout_toggle_form(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    layout->form.is_shown = layout->form.has_focus = !layout->form.is_shown;
    if (layout->form.is_shown)
        lw_param_form_fill(&layout->form, &layout->own.model->doc);
}

void lw_layout_next_part(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    layout->form.has_focus = !layout->form.has_focus;
}

/* ---- The prompt for a value ---- */

static bool value_typed(struct lw_screen *below, const char *text, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_layout_of(below->type->layout(below));
    return set_parameter(layout, lw_param_form_field(&layout->form)->path, text, err);
}

static bool value_run(struct lw_app *app, const char *text, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_layout_of(lw_app_top(app)->type->layout(lw_app_top(app)));
    const bool good = value_typed(&layout->screen, text, err);
    if (good)
        lw_layout_record(layout);
    return good;
}

static void value_cancel(struct lw_screen *below)
{
    struct lw_layout_screen *layout = lw_layout_of(below->type->layout(below));
    if (layout->past_count)
        step_to(layout, layout->past_at);
}

/* What the parameter is, and what is legal. */
static void value_advise(const struct lw_screen *below, LW_UNUSED const char *text,
                         struct lw_text *advice)
{
    const struct lw_screen *layout = below->type->layout((struct lw_screen *)below);
    const struct lw_param_field *field = lw_param_form_field(&lw_layout_of(layout)->form);
    lw_text_format(advice, "%s: ", field->name);
    if (field->param)
        lw_param_legal(advice, field->param);
    else
        lw_text_add(advice, strstr(field->path, "shape") ? "the lengths of the tensor: [16, 64]"
                                                         : "the type of an element: f16");
}

void lw_layout_change_value(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {.sign = "value",
                                                 .typed = value_typed,
                                                 .run = value_run,
                                                 .cancel = value_cancel,
                                                 .advise = value_advise,
                                                 .offers = true};
    const struct lw_param_field *field = lw_param_form_field(&lw_layout_of(screen)->form);
    if (field)
        lw_prompt_begin(screen->app, &prompt, field->value);
}

bool lw_layout_on_paste(struct lw_screen *screen, const char *text)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->own.edits) {
        lw_layout_edit(screen, 0);
        lw_input_set(&layout->own.line, "");
    }
    lw_input_insert(&layout->own.line, text);
    lw_layout_try_text(layout);
    return true;
}

/* ---- Bits of the matrix ---- */

/* The model with one bit of the matrix flipped, as bases. */
static struct lw_model *flipped(const struct lw_layout_screen *layout, uint64_t row, uint64_t col,
                                struct lw_error *err)
{
    const struct lw_model *model = layout->own.model;
    const struct lw_subject *subject = layout->picture->subject;
    struct lw_document one;
    struct lw_layout matrix;
    struct lw_text json = {0};
    struct lw_model *made = NULL;
    if (!lw_map_to_layout(&subject->map, &matrix, err))
        return NULL;
    matrix.basis[col] ^= UINT64_C(1) << row;
    lw_layout_print_json(&json, &matrix);
    if (lw_document_read(&one, lw_text_string(&json), json.length, NULL, err)) {
        one.tensor = subject->tensor;
        made = lw_model_with(model,
                             lw_document_is_access(&model->doc) ? subject->side : model->doc.side,
                             &one, &layout->screen.app->opening, err);
        lw_document_free(&one);
    }
    lw_text_free(&json);
    return made;
}

bool lw_layout_take(struct lw_layout_screen *layout, struct lw_model *model)
{
    if (!model)
        return false;
    lw_layout_replace(layout, model);
    lw_layout_record(layout);
    return true;
}

void lw_layout_flip(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_error err = {0};
    uint64_t row, col;
    if (lw_picture_matrix_bit(layout->picture, &row, &col) &&
        !lw_layout_take(layout, flipped(layout, row, col, &err)))
        lw_app_problem(screen->app, &err);
}

/* ---- The best S ---- */

void lw_layout_preview_best(struct lw_layout_screen *layout)
{
    struct lw_app *app = layout->screen.app;
    struct lw_error err = {0};
    struct lw_model *model = NULL;
    if (lw_best_chosen(&layout->best)) {
        model = lw_best_model(&layout->best, layout->own.model, &app->opening, &err);
        if (!model) {
            lw_app_problem(app, &err);
            return;
        }
    }
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    lw_model_free(layout->preview);
    layout->preview = model;
    layout->views_of = NULL;
    lw_layout_open_picture(layout, &lw_picture_path);
}

/* Lists what the search has found in a moment; the rest follows while no event waits. */
void lw_layout_show_best(struct lw_screen *screen, LW_UNUSED int argument)
{
    enum { SEARCHED_MS = 40 };
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->best.has_search)
        lw_best_begin(&layout->best, layout->own.model);
    if (!layout->best.has_search) {
        lw_app_problem(screen->app, &layout->best.why_not);
        return;
    }
    if (!screen->app->has_terminal)
        lw_best_finish(&layout->best);
    for (const int64_t until = lw_now_ms() + SEARCHED_MS;
         lw_now_ms() < until && lw_best_work(&layout->best);)
        ;
    layout->best.is_shown = true;
    uint64_t fewest;
    if (lw_best_gain(&layout->best, &fewest))
        lw_list_move(&layout->best.list, 1);
    lw_layout_preview_best(layout);
}

void lw_layout_leave_best(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    layout->best.is_shown = false;
    layout->best.list.at = 0;
    lw_layout_preview_best(layout);
}

void lw_layout_use_best(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_model *model = layout->preview;
    if (!model) {
        lw_layout_leave_best(screen, 0);
        return;
    }
    uint64_t before = lw_best_given(&layout->best);
    layout->preview = NULL;
    lw_layout_replace(layout, model);
    layout->before = before;
    lw_layout_record(layout);
}
