/* The form and the list of the best S: their keys, and what they show. */

#include "tui/layout_screen.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

/* ---- The form ---- */

/* Sets a parameter in a copy of the document, and shows that; false: the value is not legal. */
static bool set_parameter(struct lw_layout_screen *layout, const char *path, const char *value,
                          struct lw_error *err)
{
    struct lw_document doc;
    struct lw_text text = {0};
    struct lw_model *model = NULL;
    memset(err, 0, sizeof *err);
    if (!lw_document_copy(&doc, &layout->own.model->doc, err))
        return false;
    if (lw_document_set(&doc, path, value, err)) {
        if (lw_document_is_access(&doc))
            lw_document_print_access(&text, &doc);
        else
            lw_document_source(&text, &doc);
        model = lw_model_new(&doc, lw_text_string(&text), &layout->screen.app->opening, err);
    }
    lw_text_free(&text);
    lw_document_free(&doc);
    if (model)
        lw_layout_replace(layout, model);
    return model != NULL;
}

void lw_layout_toggle_form(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    (void)argument;
    layout->form.is_shown = layout->form.has_focus = !layout->form.is_shown;
    if (layout->form.is_shown)
        lw_param_form_fill(&layout->form, &layout->own.model->doc);
}

void lw_layout_next_part(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    (void)argument;
    layout->form.has_focus = !layout->form.has_focus;
}

static void end_field(struct lw_layout_screen *layout)
{
    layout->form.edits = false;
    lw_param_form_fill(&layout->form, &layout->own.model->doc);
}

/* A key while a value is edited. */
static bool type_value(struct lw_layout_screen *layout, uint32_t key)
{
    struct lw_param_form *form = &layout->form;
    const struct lw_param_field *field = lw_param_form_field(form);
    bool changed;
    if (key == 27) { /* the value as it was */
        if (layout->past_count)
            lw_layout_step_to(layout, layout->past_at);
        end_field(layout);
    } else if (key == '\r' || key == '\n') {
        if (form->wrong.code != LW_OK) {
            lw_app_problem(layout->screen.app, &form->wrong);
            return true;
        }
        lw_layout_record(layout);
        end_field(layout);
    } else if (!lw_input_key(&form->line, key, &changed)) {
        return false;
    } else if (changed) {
        set_parameter(layout, field->path, lw_input_text(&form->line), &form->wrong);
    }
    return true;
}

bool lw_layout_form_key(struct lw_layout_screen *layout, uint32_t key)
{
    struct lw_param_form *form = &layout->form;
    if (form->edits)
        return type_value(layout, key);
    if (lw_list_key(&form->list, key))
        return true;
    if (key == '\r' || key == '\n') {
        lw_param_form_edit(form, 0);
    } else if ((key >= '0' && key <= '9') || key == '[') {
        lw_param_form_edit(form, key);
        set_parameter(layout, lw_param_form_field(form)->path, lw_input_text(&form->line),
                      &form->wrong);
    } else if (key == 27) {
        form->is_shown = form->has_focus = false;
    } else {
        return false;
    }
    return true;
}

/* ---- Bits of the matrix ---- */

/* Puts the layout with one bit of its matrix flipped in place of the one on the screen, as bases. */
static struct lw_model *flipped(const struct lw_layout_screen *layout, uint64_t row, uint64_t col,
                                struct lw_error *err)
{
    const struct lw_model *model = layout->own.model;
    const struct lw_subject *subject = layout->picture->subject;
    struct lw_document doc, one;
    struct lw_layout matrix;
    struct lw_text json = {0}, text = {0};
    struct lw_model *made = NULL;
    if (!lw_map_to_layout(&subject->map, &matrix, err))
        return NULL;
    matrix.basis[col] ^= UINT64_C(1) << row;
    lw_layout_print_json(&json, &matrix);
    if (lw_document_read(&one, lw_text_string(&json), json.length, NULL, err)) {
        enum lw_side side = lw_document_is_access(&model->doc) ? subject->side : model->doc.side;
        if (lw_document_copy(&doc, &model->doc, err)) {
            one.tensor = subject->tensor;
            if (lw_document_put(&doc, side, &one, err)) {
                lw_document_print_access(&text, &doc);
                made = lw_model_new(&doc, lw_text_string(&text), &layout->screen.app->opening, err);
            }
            lw_document_free(&doc);
        }
        lw_document_free(&one);
    }
    lw_text_free(&json);
    lw_text_free(&text);
    return made;
}

void lw_layout_flip(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_error err = {0};
    uint64_t row, col;
    (void)argument;
    if (!lw_picture_matrix_bit(layout->picture, &row, &col))
        return;
    struct lw_model *model = flipped(layout, row, col, &err);
    if (!model) {
        lw_app_problem(screen->app, &err);
        return;
    }
    lw_layout_replace(layout, model);
    lw_layout_record(layout);
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
    layout->tabs_of = NULL;
    lw_layout_open_picture(layout, &lw_picture_path);
}

void lw_layout_show_best(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    (void)argument;
    if (!layout->best.has_search)
        lw_best_begin(&layout->best, layout->own.model);
    if (!layout->best.has_search) {
        lw_app_problem(screen->app, &layout->best.why_not);
        return;
    }
    lw_best_finish(&layout->best);
    layout->best.is_shown = true;
    uint64_t fewest;
    if (lw_best_gain(&layout->best, &fewest))
        lw_list_move(&layout->best.list, 1);
    lw_layout_preview_best(layout);
}

void lw_layout_leave_best(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    (void)argument;
    layout->best.is_shown = false;
    layout->best.list.at = 0;
    lw_layout_preview_best(layout);
}

void lw_layout_use_best(struct lw_screen *screen, int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_model *model = layout->preview;
    (void)argument;
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
