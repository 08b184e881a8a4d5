/* The screen of a layout: from top to bottom the source line, the verdict, the tabs, the picture, the inspector.
 *
 * First what it shows and what changes it: the model and its picture, undo, the source line, the layout to compare
 * with, the form, bits of the matrix, the best S. Then drawing, keys, the mouse, the table of actions, and what other
 * screens use. */

#include "core/array_count.h"
#include "core/unused.h"
#include "kernel/kernel_folder.h"
#include "tui/best.h"
#include "tui/command/command.h"
#include "tui/input.h"
#include "tui/keep/edits.h"
#include "tui/param_form.h"
#include "tui/picture/picture.h"
#include "tui/screen.h"
#include "view/swizzle_tables.h"
#include "view/view_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMY = 30, TABS_MAX = 6, VIEWS_MAX = 12 };
/* From BESIDE columns on a list is beside the picture, which keeps BESIDE_PICTURE of them: three grids of 32 words. */
enum { BESIDE = 180, BESIDE_PICTURE = 118 };

struct layout {
    struct lw_screen screen;
    struct lw_model *model; /* the last legal layout; NULL: nothing legal was typed yet */
    struct lw_input line;   /* the text that names it, while it is edited */
    bool is_edited;
    struct lw_error wrong;  /* why the edited text is not legal; code LW_OK: it is */
    const char *opens;      /* what Enter does with a file that is not a layout, or NULL */
    struct lw_model *other; /* to compare with, or NULL */
    struct lw_picture *picture;
    const struct lw_picture_type *shown; /* the type of `picture` */
    const struct lw_picture_type *view;  /* the chosen one, for the next model too */
    bool is_from_accesses;               /* its path was opened there: Esc goes back to them */
    enum lw_side side;                   /* whose layout views of one layout show */
    struct lw_spot spot;                 /* the element of the cursor */
    bool has_spot;
    struct lw_lit lit;
    bool was_lit; /* before the pointer moved the cursor */
    struct lw_param_form form;
    struct lw_param_field field; /* of it, whose value is being typed */
    struct lw_best best;
    struct lw_model *preview; /* with another S, while the list of the best is shown; or NULL */
    uint64_t before;          /* wavefronts before another S was chosen; 0: none was */
    struct lw_explanation about;
    struct past_layout { /* documents that were shown before, and after, the present one */
        struct lw_document doc;
        char *text;
    } * past;
    size_t past_count, past_at; /* at: the present one */
    struct lw_edits edits;
    bool hides_answers;                             /* see lw_layout_hide_answers */
    char found[64];                                 /* what was searched for last */
    uint64_t found_at;                              /* the number of the match */
    const struct lw_picture_type *views[VIEWS_MAX]; /* the first tab_count ones have tabs */
    size_t view_count, tab_count;
    struct lw_rect rect; /* as drawn last */
};

static struct layout *layout_of(const struct lw_screen *screen)
{
    return (struct layout *)screen;
}

/* ---- The model ---- */

static const struct lw_model *shown_model(const struct layout *layout)
{
    return layout->preview ? layout->preview : layout->model;
}

/* The number of a view; view_count: the model does not have it. */
static size_t view_at(const struct layout *layout, const struct lw_picture_type *view)
{
    size_t at = 0;
    while (at < layout->view_count && layout->views[at] != view)
        at++;
    return at;
}

static void open_picture(struct layout *layout, const struct lw_picture_type *view)
{
    struct lw_error err = {0};
    const struct lw_model *model = shown_model(layout), *other = layout->other;
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    layout->form.beside = (struct lw_rect){0};
    if (!model)
        return;
    layout->tab_count = layout->view_count = 0;
    for (size_t i = 0; lw_pictures[i] && layout->view_count < VIEWS_MAX; i++)
        if (lw_picture_fits(lw_pictures[i], model)) {
            layout->tab_count += lw_pictures[i]->is_tab && layout->tab_count < TABS_MAX;
            layout->views[layout->view_count++] = lw_pictures[i];
        }
    if (view_at(layout, view) == layout->view_count) /* that of the document, that of an access */
        view = lw_picture_named(model->doc.view);
    if (view_at(layout, view) == layout->view_count)
        view = model->has_path ? &lw_picture_path : layout->view_count ? layout->views[0] : NULL;
    layout->view = view;
    layout->shown = other ? &lw_picture_compare : view;
    if (layout->lit.what == LW_LIT_BANK && layout->shown != &lw_picture_memory_lines)
        layout->lit.what = LW_LIT_THREAD;
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
    return lw_dims_equal(&lw_model_own(a)->map.out, &lw_model_own(b)->map.out);
}

static void replace(struct layout *layout, struct lw_model *model)
{
    struct lw_model *old = layout->model, *preview = layout->preview;
    layout->has_spot = layout->has_spot && old && same_shape(old, model);
    layout->model = model;
    layout->preview = NULL;
    layout->before = 0;
    layout->lit.on = layout->was_lit = false; /* it was of the old one */
    lw_best_end(&layout->best);
    lw_edits_show(&layout->edits, model);
    if (layout->form.is_shown)
        lw_param_form_fill(&layout->form, &model->doc);
    open_picture(layout, layout->view);
    lw_model_free(preview);
    lw_model_free(old);
}

static void follow(struct layout *layout, bool light)
{
    struct lw_spot *spot = &layout->spot;
    struct lw_lit *lit = &layout->lit;
    layout->has_spot = lw_picture_spot(layout->picture, spot);
    if (layout->has_spot && light && spot->has_out) {
        const struct lw_subject *subject = layout->picture->at;
        if (!lw_subject_is_memory(subject)) /* else the picture decides it */
            lit->on = lw_slot_find(&subject->map, subject->lanes, spot->out, 0, &lit->owner);
        lit->by_pointer = false;
    }
    layout->was_lit = lit->by_pointer ? layout->was_lit : lit->on;
}

/* ---- Undo ---- */

static void drop_past(struct layout *layout, size_t from)
{
    for (size_t i = from; i < layout->past_count; i++) {
        lw_document_free(&layout->past[i].doc);
        free(layout->past[i].text);
    }
    layout->past_count = from;
}

/* Of the same text, another access is no change: it replaces the present one. */
static void record(struct layout *layout)
{
    const char *text = lw_text_string(&layout->model->text);
    const size_t at = layout->past_at;
    if (!layout->edits.app)
        lw_edits_open(&layout->edits, layout->screen.app, layout->model, text);
    lw_edits_record(&layout->edits, &layout->screen, layout->model);
    drop_past(layout, layout->past_count ? at + (strcmp(layout->past[at].text, text) != 0) : 0);
    struct past_layout *past = realloc(layout->past, (layout->past_count + 1) * sizeof *past);
    if (!past)
        return;
    layout->past = past;
    past += layout->past_count;
    past->text = strdup(text);
    if (!past->text || !lw_document_copy(&past->doc, &layout->model->doc, NULL)) {
        free(past->text);
        return;
    }
    layout->past_at = layout->past_count++;
}

/* Shows a model as an edit that can be undone; false: it is NULL. */
static bool take(struct layout *layout, struct lw_model *model)
{
    if (!model)
        return false;
    replace(layout, model);
    record(layout);
    return true;
}

static void step_to(struct layout *layout, size_t at)
{
    struct lw_error err = {0};
    struct lw_model *model = lw_model_new(&layout->past[at].doc, layout->past[at].text,
                                          &layout->screen.app->opening, &err);
    if (!model) {
        lw_app_problem(layout->screen.app, &err);
        return;
    }
    layout->past_at = at;
    replace(layout, model);
    lw_edits_record(&layout->edits, &layout->screen, model);
}

static void step_past(struct lw_screen *screen, int by)
{
    struct layout *layout = layout_of(screen);
    size_t at = layout->past_at + (size_t)by;
    if (layout->past_count && at < layout->past_count)
        step_to(layout, at);
    else
        lw_app_message(screen->app, by < 0 ? "no change to undo" : "no change to make again");
}

/* ---- The source line ----
 *
 * Each key opens the text again; while it is not legal, the last legal picture stays. */

static void try_text(struct layout *layout)
{
    const char *text = lw_input_text(&layout->line);
    memset(&layout->wrong, 0, sizeof layout->wrong);
    struct lw_model *model = lw_model_open(text, &layout->screen.app->opening, &layout->wrong);
    layout->opens = lw_kernel_is_dump(text)        ? "Enter opens this kernel"
                    : !model && lw_is_folder(text) ? "Enter opens this folder"
                                                   : NULL;
    if (!model)
        return;
    layout->wrong.code = LW_OK;
    replace(layout, model);
}

void lw_layout_edit(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    if (layout->is_edited)
        return;
    layout->is_edited = layout->line.has_lines = true;
    layout->wrong.code = LW_OK;
    layout->opens = NULL;
    lw_input_set(&layout->line, layout->model ? lw_text_string(&layout->model->text) : "");
}

/* Discarded, a text is as it was before; where there was none, the screen is left. */
static void finish_edit(struct lw_screen *screen, int keep)
{
    struct layout *layout = layout_of(screen);
    const char *text = lw_input_text(&layout->line);
    const bool is_new = !layout->past_count;
    if (keep && (layout->wrong.code != LW_OK || !layout->model || layout->opens)) {
        if (!screen->app->open(screen->app, &text, 1, &layout->wrong))
            lw_app_problem(screen->app, &layout->wrong);
        return;
    }
    if (!keep && is_new) {
        lw_app_back(screen->app);
        return;
    }
    layout->is_edited = false;
    layout->wrong.code = LW_OK;
    if (keep && (is_new || strcmp(layout->past[layout->past_at].text, text) != 0))
        record(layout);
    else
        step_to(layout, layout->past_at); /* with all that its document has beside the text */
}

/* ---- The layout to compare with ---- */

static void show_other(struct layout *layout, struct lw_model *model)
{
    struct lw_model *old = layout->other;
    layout->other = model;
    if (model)
        layout->form.is_shown = false;
    open_picture(layout, layout->view);
    lw_model_free(old);
}

bool lw_layout_compare_with(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct layout *layout = layout_of(lw_screen_inner(screen));
    struct lw_model_options options = screen->app->opening;
    options.beside = &layout->model->doc;
    struct lw_model *model = lw_model_open(text, &options, err);
    const bool good = model && lw_picture_can_compare(layout->model, model, err);
    if (good)
        show_other(layout, model);
    else
        lw_model_free(model);
    return good;
}

static void compare_cancel(struct lw_screen *below)
{
    show_other(layout_of(lw_screen_inner(below)), NULL);
}

/* Proposes the layout before the last change, where it has the same shape. */
static void compare(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {.sign = "compare with",
                                                 .help = "a layout, or a name of the gallery",
                                                 .typed = lw_layout_compare_with,
                                                 .cancel = compare_cancel};
    struct layout *layout = layout_of(screen);
    struct lw_error err;
    const char *text = layout->past_at ? layout->past[layout->past_at - 1].text : "";
    const bool is_alike = *text && lw_layout_compare_with(screen, text, &err) &&
                          (layout->model->has_cuda || same_shape(layout->model, layout->other));
    if (!is_alike)
        show_other(layout, NULL);
    lw_prompt_begin(screen->app, &prompt, is_alike ? text : "");
}

/* ---- The form ---- */

static void toggle_form(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    if (layout->other)
        show_other(layout, NULL);
    layout->form.is_shown = !layout->form.is_shown;
    if (layout->form.is_shown)
        lw_param_form_fill(&layout->form, &layout->model->doc);
}

static void next_field(struct lw_screen *screen, int by)
{
    lw_list_move(&layout_of(screen)->form.list, by);
}

/* ---- The prompt for a value ----
 *
 * Each key sets the parameter in a copy of the document, and shows that; while the value is not legal, the last legal
 * picture stays. */

static bool value_typed(struct lw_screen *below, const char *text, struct lw_error *err)
{
    struct layout *layout = layout_of(lw_screen_inner(below));
    struct lw_model *model = NULL;
    struct lw_document doc;
    if (!lw_document_copy(&doc, &layout->model->doc, err))
        return false;
    if (lw_document_set(&doc, layout->field.path, text, err))
        model = lw_model_new(&doc, NULL, &below->app->opening, err);
    lw_document_free(&doc);
    layout->wrong.code = model ? LW_OK : err->code;
    err->position.line *= !strcmp(err->parameter, layout->field.path); /* or in another text */
    if (model)
        replace(layout, model);
    return model != NULL;
}

static bool value_run(struct lw_app *app, const char *text, struct lw_error *err)
{
    const bool good = value_typed(lw_app_top(app), text, err);
    if (good)
        record(layout_of(lw_screen_inner(lw_app_top(app))));
    return good;
}

static void value_cancel(struct lw_screen *below)
{
    struct layout *layout = layout_of(lw_screen_inner(below));
    layout->wrong.code = LW_OK;
    if (layout->past_count)
        step_to(layout, layout->past_at);
}

static void change_value(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {
        .sign = "value", .typed = value_typed, .run = value_run, .cancel = value_cancel};
    const struct lw_param_field *field = lw_param_form_field(&layout_of(screen)->form);
    if (!field)
        return;
    layout_of(screen)->field = *field;
    lw_prompt_begin(screen->app, &prompt, field->value);
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    struct layout *layout = layout_of(screen);
    if (!layout->is_edited) {
        lw_layout_edit(screen, 0);
        lw_input_set(&layout->line, "");
    }
    lw_input_insert(&layout->line, text);
    try_text(layout);
    return true;
}

/* ---- Bits of the matrix ---- */

static void flip(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    struct lw_error err = {0};
    uint64_t row, col;
    if (lw_picture_matrix_bit(layout->picture, &row, &col) &&
        !take(layout, lw_model_flipped(layout->model, layout->picture->subject, row, col,
                                       &screen->app->opening, &err)))
        lw_app_problem(screen->app, &err);
}

/* ---- The best S ---- */

static void preview_best(struct layout *layout)
{
    struct lw_app *app = layout->screen.app;
    struct lw_error err = {0};
    struct lw_model *model = NULL, *old = layout->preview;
    if (lw_best_chosen(&layout->best)) {
        model = lw_best_model(&layout->best, layout->model, &app->opening, &err);
        if (!model) {
            lw_app_problem(app, &err);
            return;
        }
    }
    layout->preview = model;
    open_picture(layout, &lw_picture_path);
    lw_model_free(old);
}

/* Lists what the search has found in a moment; the rest follows while no event waits. */
static void show_best(struct lw_screen *screen, LW_UNUSED int argument)
{
    enum { SEARCHED_MS = 40 };
    struct layout *layout = layout_of(screen);
    if (!layout->best.has_search)
        lw_best_begin(&layout->best, layout->model);
    if (!layout->best.has_search) {
        lw_app_problem(screen->app, &layout->best.why_not);
        return;
    }
    const int64_t until = screen->app->has_terminal ? lw_now_ms() + SEARCHED_MS : INT64_MAX;
    while (lw_now_ms() < until && lw_best_work(&layout->best))
        ;
    layout->best.is_shown = true;
    layout->form.is_shown = false;
    struct lw_best *best = &layout->best;
    for (size_t i = 1; i < best->count && best->rows[best->list.at].wavefronts > best->fewest; i++)
        lw_list_move(&best->list, 1);
    preview_best(layout);
}

static void leave_best(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    layout->best.is_shown = false;
    layout->best.list.at = 0;
    preview_best(layout);
}

static void use_best(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    struct lw_model *model = layout->preview;
    const uint64_t before = lw_best_given(&layout->best);
    if (!model) {
        leave_best(screen, 0);
        return;
    }
    layout->preview = NULL;
    take(layout, model);
    layout->before = before;
}

/* ---- Drawing, from the source line to the inspector ---- */

static void draw_source(const struct layout *layout, struct lw_surface *surface,
                        struct lw_rect rect)
{
    enum { WIDE = 60 };
    const struct lw_model *model = layout->model;
    struct lw_rect line = {rect.row, rect.col + 2, 1, rect.width - 2};
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), "\xe2\x80\xba");
    if (model && model->has_cuda && model->cuda.block_is_assumed && rect.width >= WIDE) {
        static const char block[] = "assumed: dim3 block(32);"; /* the text may set it so */
        line.width -= (int)sizeof block + 1;
        lw_put(surface, rect.row, line.col + line.width + 2, (int)sizeof block,
               lw_tone(LW_TONE_FAINT), block);
    }
    if (layout->is_edited) {
        if (layout->opens)
            lw_put_padded(surface, line.row + 1, rect.col, rect.width, lw_tone(LW_TONE_FAINT),
                          layout->opens, false);
        lw_input_draw(&layout->line, surface, line, lw_tone(LW_TONE_TITLE),
                      layout->opens ? NULL : &layout->wrong, rect.row + 1);
        return;
    }
    struct lw_text brief = {0}; /* a long text is shown short, names and numbers */
    const char *text = lw_text_string(&model->text);
    if (layout->other && layout->picture) {
        lw_text_format(&brief, "%s   %s", lw_text_string(layout->picture->names[0]),
                       lw_text_string(layout->picture->names[1]));
    } else if ((int)lw_text_width(text) > line.width && model->doc.notation != LW_NOTATION_CUDA) {
        lw_document_print_short(&brief, &model->doc);
    }
    lw_put(surface, line.row, line.col, line.width, lw_tone(LW_TONE_TITLE),
           brief.length ? lw_text_string(&brief) : text);
    lw_text_free(&brief);
}

static void draw_verdict(struct layout *layout, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_text more = {0}, held = {0};
    const struct lw_model *model = shown_model(layout);
    const struct lw_picture *picture = layout->picture;
    if (!model)
        return;
    if (picture && picture->operand && !model->has_path) {
        lw_text_format(&held, "%s: ", lw_text_string(picture->operand));
        lw_put_held(&held, picture->at, false);
    }
    const uint64_t before = layout->preview ? lw_best_given(&layout->best) : layout->before;
    const bool is_mended = before && !layout->preview && !model->is_bad;
    if (before)
        lw_text_format(&more, is_mended ? "mended, %llu before" : "before: %llu in all",
                       (unsigned long long)before);
    else if (lw_best_gains(&layout->best))
        lw_text_format(&more, "o: fix, %llu in all", (unsigned long long)layout->best.fewest);
    else if (layout->best.has_plain)
        lw_put_plain_swizzle(&more, &layout->best.given, &layout->best.plain);
    const int room = rect.width - (more.length ? (int)more.length + 3 : 0);
    const int used = lw_put(surface, rect.row + 1, rect.col, room,
                            lw_tone(model->is_bad ? LW_TONE_BAD : LW_TONE_GOOD),
                            lw_text_string(held.length ? &held : &model->verdict));
    lw_text_free(&held);
    lw_put(surface, rect.row + 1, rect.col + used + 3, rect.width - used - 3,
           lw_tone(before && !is_mended ? LW_TONE_FAINT : LW_TONE_GOOD), lw_text_string(&more));
    lw_text_free(&more);
}

/* The columns of a tab: its digit, a blank, its title, two blanks. */
static int tab_width(const struct layout *layout, size_t tab)
{
    return (int)strlen(layout->views[tab]->title) + 4;
}

static void draw_tabs(struct layout *layout, struct lw_surface *surface, struct lw_rect rect)
{
    int col = 0;
    for (size_t i = 0; i < layout->tab_count; i++) {
        const char digit[2] = {(char)('1' + i), '\0'};
        const bool on = layout->views[i] == layout->view;
        lw_put(surface, rect.row + 2, rect.col + col, 1, lw_tone(on ? LW_TONE_KEY : LW_TONE_FAINT),
               digit);
        lw_put(surface, rect.row + 2, rect.col + col + 2, rect.width - col - 2,
               lw_tone(on ? LW_TONE_TAB_ON : LW_TONE_FAINT), layout->views[i]->title);
        col += tab_width(layout, i);
    }
    char right[80] = "";
    const struct lw_lit *lit = &layout->lit;
    const bool is_vector = layout->shown == &lw_picture_memory_lines && lit->what != LW_LIT_BANK;
    if (layout->wrong.code != LW_OK && layout->model)
        snprintf(right, sizeof right, "picture: the last legal text");
    else if (layout->lit.on && layout->shown != &lw_picture_path)
        snprintf(right, sizeof right, "lit: %s %llu   Esc: all",
                 is_vector ? "vector" : lw_lit_name(lit->what),
                 (unsigned long long)(is_vector ? lit->vector : lw_lit_number(lit)));
    else if (layout->past_at && !layout->is_edited)
        snprintf(right, sizeof right, "changed, u: undo");
    const int length = (int)strlen(right);
    if (col + length + 2 <= rect.width)
        lw_put(surface, rect.row + 2, rect.col + rect.width - length - 1, length,
               lw_tone(layout->wrong.code != LW_OK ? LW_TONE_BAD : LW_TONE_FAINT), right);
}

/* Explains the field of the form, the candidate for S, or what is under the cursor. */
static void draw_inspector(struct layout *layout, struct lw_surface *surface, struct lw_rect rect)
{
    const struct lw_param_field *field = lw_param_form_field(&layout->form);
    struct lw_explanation *about = &layout->about;
    about->count = 0;
    about->columns = rect.width > 24 ? (size_t)rect.width - 12 : 12;
    if (layout->form.is_shown && field && field->param) {
        lw_text_add(lw_explanation_line(about, field->name), field->param->help);
        lw_param_legal(lw_explanation_line(about, "legal"), field->param);
    } else if (layout->best.is_shown) {
        lw_best_explain(&layout->best, shown_model(layout), rect.height > 2, about);
    } else if (!layout->form.is_shown) {
        layout->shown->explain(layout->picture, about);
    }
    lw_screen_draw_lines(surface, rect, about);
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct layout *layout = layout_of(screen);
    const int roomy = rect.height + 1 >= ROOMY, lines = roomy ? 4 : 2;
    struct lw_rect picture = rect, inspector = {0};
    layout->rect = rect;
    if (layout->hides_answers && layout->picture) {
        lw_picture_draw(layout->picture, surface, rect);
        return;
    }
    if (layout->other && layout->picture && !layout->is_edited) {
        lw_put(surface, rect.row + 1, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
               layout->picture->answer);
    } else {
        draw_verdict(layout, surface, rect);
        draw_tabs(layout, surface, rect);
    }
    draw_source(layout, surface, rect);
    if (!layout->picture)
        return;
    picture.row += 3 + roomy;
    picture.height -= 3 + roomy;
    if (picture.height >= 3 + lines + roomy) {
        inspector = lw_cut_lines(&picture, lines);
        picture.height -= roomy;
    }
    if (layout->best.is_shown) {
        const int most = picture.height - roomy, need = (int)layout->best.count + 2;
        struct lw_rect list = rect.width >= BESIDE
                                  ? lw_cut_columns(&picture, rect.width - BESIDE_PICTURE)
                                  : lw_cut_lines(&picture, need < most ? need : most);
        picture.height -= rect.width >= BESIDE ? 0 : roomy;
        lw_best_draw(&layout->best, surface, list);
    }
    if (layout->form.is_shown) {
        const int width = rect.width >= 120 ? 46 : rect.width / 2;
        const int need = (int)layout->form.count, most = picture.height * 2 / 3;
        struct lw_rect rest = picture, form = lw_cut_columns(&rest, width);
        rest.width--;
        if (memcmp(&layout->form.beside, &rest, sizeof rest) != 0)
            layout->form.fits = lw_picture_has_room(layout->picture, rest);
        layout->form.beside = rest;
        if (!layout->form.fits) { /* it is below: columns are not cut */
            rest = picture;
            form = lw_cut_lines(&rest, need < most ? need : most);
            rest.height--;
        }
        lw_param_form_draw(&layout->form, surface, form);
        picture = rest;
    }
    lw_picture_draw(layout->picture, surface, picture);
    if (inspector.height)
        draw_inspector(layout, surface, inspector);
}

/* ---- Keys ---- */

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct layout *layout = layout_of(screen);
    bool changed = false, is_taken = false;
    if (layout->is_edited) {
        is_taken = lw_input_key(&layout->line, key, &changed);
        if (changed)
            try_text(layout);
    } else if (layout->best.is_shown) {
        is_taken = lw_list_key(&layout->best.list, key);
        if (is_taken)
            preview_best(layout);
    } else if (layout->form.is_shown && lw_list_key(&layout->form.list, key)) {
        is_taken = true;
    } else if (key >= '1' && key < '1' + layout->tab_count) {
        open_picture(layout, layout->views[key - '1']);
        is_taken = true;
    } else if (layout->picture && layout->shown->key && !(layout->form.is_shown && key == '\t')) {
        is_taken = layout->shown->key(layout->picture, key);
        if (is_taken)
            follow(layout, false);
    }
    return is_taken;
}

/* ---- Finding ---- */

static bool find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct layout *layout = layout_of(screen);
    struct lw_lit lit = layout->lit;
    struct lw_spot spot, here = {0};
    layout->found_at = text ? 0 : layout->found_at + 1;
    if (text)
        snprintf(layout->found, sizeof layout->found, "%s", text);
    if (!layout->picture)
        return lw_error_set(err, LW_ERROR_NAME, "there is no layout yet");
    struct lw_list *list = &layout->picture->list;
    if (text && !*text) {
        layout->lit.on = false;
        if (list->source)
            lw_list_find(list, "", NULL);
    }
    if (!layout->found[0])
        return text || lw_error_set(err, LW_ERROR_NAME, "nothing was searched for: / does");
    const uint64_t count = lw_find_match(layout->model, layout->picture->at, layout->found,
                                         layout->found_at, &spot, &lit, err);
    if (!count && list->source && err->code == LW_ERROR_SYNTAX) { /* its rows that have the text */
        const bool has_rows = lw_list_find(list, text, err);
        lw_picture_move(layout->picture, 0, 0);
        return has_rows;
    }
    if (!count)
        return false;
    if (lw_picture_spot(layout->picture, &here))
        spot.operand = here.operand;
    const struct lw_picture_type *const view = layout->view;
    for (size_t i = 0; !lw_picture_go(layout->picture, &spot); i++) { /* another view may have it */
        open_picture(layout, i < layout->tab_count ? layout->views[i] : view);
        if (i == layout->tab_count)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED, "no view shows it");
    }
    follow(layout, false);
    layout->lit = lit;
    layout->found_at %= count;
    lw_app_message(screen->app, "%s: %llu of %llu%s", layout->found,
                   (unsigned long long)layout->found_at + 1, (unsigned long long)count,
                   count > 1 ? ", n: the next" : "");
    return true;
}

/* ---- Moving ---- */

static void move_up(struct lw_screen *screen, int by)
{
    lw_picture_move(layout_of(screen)->picture, by, 0);
    follow(layout_of(screen), true);
}

/* INT_MAX: to the end of the row. */
static void move_across(struct lw_screen *screen, int by)
{
    const int64_t far = by < 0 ? -INT64_MAX : INT64_MAX;
    lw_picture_move(layout_of(screen)->picture, 0, by == INT_MAX || by == -INT_MAX ? far : by);
    follow(layout_of(screen), true);
}

static void resize(struct lw_screen *screen, int by)
{
    struct lw_picture *picture = layout_of(screen)->picture;
    const int size = picture->size + by;
    picture->size = size > 0 ? 0 : size < -8 ? -8 : size;
}

static void light_next(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    struct lw_lit *lit = &layout->lit;
    const bool is_memory = layout->shown == &lw_picture_memory_lines;
    if (!is_memory)
        lit->what = (enum lw_lit_what)((lit->what + 1) % LW_LIT_BANK);
    else if (lit->what != LW_LIT_BANK && lw_picture_spot(layout->picture, &layout->spot) &&
             lw_subject_field(layout->picture->subject, "bank", layout->spot.in, NULL, &lit->bank))
        lit->what = LW_LIT_BANK;
    else
        lit->what = LW_LIT_THREAD;
    follow(layout, true);
    lit->on = lit->on || is_memory;
}

static void leave(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    if (layout->lit.what == LW_LIT_BANK)
        layout->lit.what = LW_LIT_THREAD;
    if (layout->picture && layout->picture->list.filter[0])
        lw_list_find(&layout->picture->list, "", NULL);
    else if (layout->other)
        show_other(layout, NULL);
    else if (layout->lit.on && layout->shown != &lw_picture_path)
        layout->lit.on = layout->was_lit = false;
    else if (layout->is_from_accesses && layout->view == &lw_picture_path)
        lw_layout_set_view(screen, &lw_picture_accesses);
    else
        lw_app_leave(screen->app);
}

/* ---- Accesses of CUDA C++ ---- */

/* Shows the path of the access under the cursor. */
static void open_access(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    const size_t access = lw_picture_access(layout->picture);
    struct lw_error err = {0};
    layout->lit.is_load = layout->model->cuda.accesses[access - 1].op == LW_CUDA_LOAD;
    layout->is_from_accesses =
        take(layout, lw_model_access(layout->model, lw_text_string(&layout->model->text), access,
                                     &screen->app->opening, &err));
    if (layout->is_from_accesses)
        open_picture(layout, &lw_picture_path);
    else
        lw_app_problem(screen->app, &err);
}

/* ---- The list of all views ---- */

static void view_cell(void *context, size_t row, int column, struct lw_text *text,
                      struct lw_pen *pen)
{
    const struct layout *layout = context;
    const struct lw_picture_type *view = layout->views[row];
    if (column == 0)
        lw_text_format(text, "%zu", row + 1);
    else
        lw_text_add(text, column == 1 ? view->title : view->about);
    *pen = lw_tone(column == 0 ? LW_TONE_KEY : column == 1 ? LW_TONE_TEXT : LW_TONE_FAINT);
}

static void show_view(struct lw_screen *screen, size_t row)
{
    open_picture(layout_of(screen), layout_of(screen)->views[row]);
}

static const struct lw_column view_columns[] = {{"", false, 0}, {"", false, 0}, {"", false, 8}};
static const struct lw_list_source view_rows = {view_columns, LW_COUNT(view_columns), view_cell,
                                                NULL, NULL};
static const struct lw_choice_kind view_choice = {
    .title = "views of this layout", .width = 44, .rows = &view_rows, .show = show_view};

static void list_views(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct layout *layout = layout_of(screen);
    lw_choice_open(screen, &view_choice, screen, layout->view_count, view_at(layout, layout->view));
}

bool lw_layout_set_view(struct lw_screen *screen, const struct lw_picture_type *view)
{
    struct layout *layout = layout_of(screen);
    const bool has = view_at(layout, view) < layout->view_count;
    if (has)
        open_picture(layout, view);
    return has;
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct layout *layout = layout_of(screen);
    if (!layout->picture)
        return false;
    const bool is_click = event->kind == LW_EVENT_CLICK;
    if (is_click && event->row == layout->rect.row + 2 && !layout->other) {
        int end = layout->rect.col;
        for (size_t i = 0; i < layout->tab_count; i++)
            if (event->col < (end += tab_width(layout, i))) {
                open_picture(layout, layout->views[i]);
                break;
            }
        return true;
    }
    if (is_click && event->row == layout->rect.row && !layout->best.is_shown) {
        lw_layout_edit(screen, 0);
        return true;
    }
    const bool was = layout->lit.by_pointer, is_hover = event->kind == LW_EVENT_HOVER;
    if (is_hover && !was)
        follow(layout, false);
    const bool on = lw_picture_mouse(layout->picture, event);
    if (on && !is_hover)
        follow(layout, is_click);
    if (is_hover && was && !on) { /* as it was before the pointer came */
        lw_picture_go(layout->picture, &layout->spot);
        layout->lit.on = layout->was_lit;
        layout->lit.by_pointer = false;
        follow(layout, layout->was_lit);
    }
    return on || (is_hover && was);
}

static int64_t tick_at(const struct lw_screen *screen)
{
    const struct layout *layout = layout_of(screen);
    return layout->picture ? layout->picture->tick_at : 0;
}

static void tick(struct lw_screen *screen)
{
    struct layout *layout = layout_of(screen);
    if (layout->picture && layout->shown->tick)
        layout->shown->tick(layout->picture);
}

/* Searches for the best S while nothing is typed. */
static bool work(struct lw_screen *screen)
{
    struct layout *layout = layout_of(screen);
    if (!layout->model || layout->is_edited)
        return false;
    if (layout->best.has_search || layout->best.why_not.code != LW_OK)
        return lw_best_work(&layout->best);
    lw_best_begin(&layout->best, layout->model);
    return layout->best.has_search;
}

static void close_layout(struct lw_screen *screen)
{
    struct layout *layout = layout_of(screen);
    lw_edits_close(&layout->edits);
    lw_picture_close(layout->picture);
    lw_best_end(&layout->best);
    lw_list_free(&layout->form.list);
    lw_model_free(layout->preview);
    lw_model_free(layout->other);
    lw_model_free(layout->model);
    lw_input_free(&layout->line);
    drop_past(layout, 0);
    free(layout->past);
    lw_explanation_free(&layout->about);
    free(layout);
}

/* The next side of which the picture shows another layout; the present one where there is none. */
static enum lw_side side_after(const struct layout *layout)
{
    enum lw_side side = layout->side;
    do
        side = (enum lw_side)((side + 1) % LW_SIDES);
    while (side != layout->side &&
           (!lw_model_at(layout->model, side) ||
            layout->shown->subject(layout->model, side) == layout->picture->subject));
    return side;
}

static void next_side(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    layout->side = side_after(layout);
    open_picture(layout, layout->view);
    lw_app_message(screen->app, "views of one layout show %s", lw_side_name(layout->side));
}

static void next_color(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct layout *layout = layout_of(screen);
    layout->shown->color(layout->picture);
    lw_app_message(screen->app, "coloured by %s", lw_lit_name(layout->lit.color));
}

/* What actions depend on. */
enum {
    CALM = 1 << 0,     /* nothing is typed, no S is chosen; so in all up to CHANGED */
    PLAYS = 1 << 1,    /* one wavefront is shown */
    HAS_BEST = 1 << 2, /* the best S can be searched for */
    SEVERAL = 1 << 3,  /* the picture shows one of several layouts */
    ON_PATH = 1 << 4,
    ON_GRID = 1 << 5,
    ON_MATRIX = 1 << 6,
    ON_ACCESS = 1 << 7, /* the cursor is on an access of CUDA C++ */
    HAS_CELLS = 1 << 8,
    HAS_COLORS = 1 << 9,
    HAS_LIGHT = 1 << 10,
    CHANGED = 1 << 11,
    IN_SOURCE = 1 << 16,
    IN_FORM = 1 << 17,
    CHOOSING = 1 << 19 /* the list of the best S */
};

static unsigned state_of(const struct lw_screen *screen)
{
    const struct layout *layout = layout_of(screen);
    const struct lw_picture_type *shown = layout->shown;
    uint64_t row, col;
    if (layout->is_edited)
        return LW_TYPING | IN_SOURCE;
    if (layout->best.is_shown)
        return CHOOSING;
    unsigned state = CALM | (shown == &lw_picture_path ? ON_PATH : ON_GRID);
    state = layout->form.is_shown ? CALM | IN_FORM : state; /* arrows are of the part in focus */
    state |= layout->model->has_path && !layout->hides_answers ? HAS_BEST : 0;
    state |= layout->past_at ? CHANGED : 0;
    if (!layout->picture)
        return state;
    const bool is_pair = shown == &lw_picture_compare || shown == &lw_picture_conversion;
    state |= shown != &lw_picture_path && shown->spot ? HAS_CELLS : 0;
    state |= layout->picture->list.source ? LW_FILTERS : 0;
    state |= shown->color ? HAS_COLORS : 0;
    state |= !is_pair && (shown->color || shown == &lw_picture_memory_lines) ? HAS_LIGHT : 0;
    state |= lw_picture_matrix_bit(layout->picture, &row, &col) ? ON_MATRIX : 0;
    state |= !layout->form.is_shown && lw_picture_access(layout->picture) ? ON_ACCESS : 0;
    state |= lw_picture_path_plays(layout->picture) ? PLAYS : 0;
    return state | (side_after(layout) != layout->side ? SEVERAL : 0);
}

static struct lw_edits *edits_of(struct lw_screen *screen)
{
    return &layout_of(screen)->edits;
}

static void save(struct lw_screen *screen, LW_UNUSED int argument)
{
    lw_edits_save(&layout_of(screen)->edits);
}

static bool on_screen(const struct lw_screen *screen, struct lw_on_screen *shown)
{
    const struct layout *layout = layout_of(screen);
    if (!layout->model || !layout->picture)
        return false;
    *shown = (struct lw_on_screen){shown_model(layout), layout->other, layout->shown->name,
                                   layout->picture->subject, &layout->lit};
    return true;
}

/* The layout screen that it is. */
static struct lw_screen *itself(struct lw_screen *screen)
{
    return screen;
}

static const struct lw_screen_action layout_actions[] = {
    {"access-up", "Up k", LW_UP_DOWN " access", "the access above", move_up, -1, ON_PATH},
    {"access-down", "Down j", NULL, "the access below", move_up, 1, ON_PATH},
    {"previous", "Left h", LW_LEFT_RIGHT " wavefront", "another wavefront", move_across, -1, PLAYS},
    {"next", "Right l", NULL, "another wavefront", move_across, 1, PLAYS},
    {"play", "Space", "Space play", "play the wavefronts of the access", NULL, 0, ON_PATH},
    {"left", "Left h", LW_ARROWS " move", "move the cursor", move_across, -1, ON_GRID},
    {"up", "Up k", NULL, "move the cursor", move_up, -1, ON_GRID},
    {"down", "Down j", NULL, "move the cursor", move_up, 1, ON_GRID},
    {"right", "Right l", NULL, "move the cursor", move_across, 1, ON_GRID},
    {"open-access", "Enter", "Enter its path", "path of the access", open_access, 0, ON_ACCESS},
    {"flip", "Space", "Space flip a bit", "flip the bit of the matrix", flip, 0, ON_MATRIX},
    {"color", "c", NULL, "colour by thread, warp or register", next_color, 0, HAS_COLORS},
    {"larger", "+ =", NULL, "larger or smaller cells", resize, 1, HAS_CELLS},
    {"smaller", "-", NULL, "larger or smaller cells", resize, -1, HAS_CELLS},
    {"next-field", "Tab Down", LW_UP_DOWN " field", "the next field", next_field, 1, IN_FORM},
    {"field-before", "S-Tab Up", NULL, "the field before", next_field, -1, IN_FORM},
    {"change", "Enter", "Enter change", "change the value", change_value, 0, IN_FORM},
    {"leave-form", "Esc", NULL, "close the form", toggle_form, 0, IN_FORM},
    {"best", "o", "o best S", "the best layouts for shared memory", show_best, 0, HAS_BEST},
    {"side", "x", "x A S B", "the next layout of the access", next_side, 0, SEVERAL},
    {"save", "s", NULL, "save the layout as a file", save, 0, CALM},
    {"save", "", "s save", "save the layout as a file", save, 0, CALM | CHANGED},
    {"undo", "u", NULL, "undo the last change", step_past, -1, CALM},
    {"undo", "", "u undo", "undo the last change", step_past, -1, HAS_CELLS | CHANGED},
    {"edit", "e", "e source", "edit the source", lw_layout_edit, 0, CALM},
    {"compare", "d", "d compare", "compare with another layout", compare, 0, CALM},
    {"form", "f", "f form", "the parameters as fields", toggle_form, 0, CALM},
    {"write", "w", "w export", "write the picture: svg, html, csv", lw_export_request, 0, CALM},
    {"light", "H", "H lit", "choose what is lit with the cursor", light_next, 0, HAS_LIGHT},
    {"page-up", "PgUp", NULL, "move the cursor by 16 rows", move_up, -16, CALM},
    {"page-down", "PgDn", NULL, "move the cursor by 16 rows", move_up, 16, CALM},
    {"row-start", "Home", NULL, "the start or the end of the row", move_across, -INT_MAX, CALM},
    {"row-end", "End", NULL, "the start or the end of the row", move_across, INT_MAX, CALM},
    {"redo", "C-r", NULL, "make an undone change again", step_past, 1, CALM},
    {"copy", "y", NULL, "copy the source, a notation, the document", lw_copy_request, 0, CALM},
    {"views", "v", NULL, "list all views", list_views, 0, CALM},
    {"view", "1 2 3 4 5 6", NULL, "a view of the tabs", NULL, 0, CALM},
    {"leave", "Esc", NULL, "leave the comparison, light all, or go back", leave, 0, CALM},
    {"choose", "Up Down", LW_UP_DOWN " preview", "preview another candidate", NULL, 0, CHOOSING},
    {"copy", "y", "y copy", "copy the spelling of the candidate", lw_copy_request, 0, CHOOSING},
    {"use", "Enter", "Enter use it", "use the candidate for S", use_best, 0, CHOOSING},
    {"leave-best", "Esc o", "Esc leave", "leave S as it is", leave_best, 0, CHOOSING},
    {"keep", "Enter", "Enter keep", "keep the edited source", finish_edit, true, IN_SOURCE},
    {"discard", "Esc", "Esc as before", "the source as it was", finish_edit, false, IN_SOURCE},
    {"caret", "Left Right", LW_LEFT_RIGHT " move", "move in the source", NULL, 0, IN_SOURCE},
};

const struct lw_screen_type lw_layout_screen = {
    .name = "layout",
    .actions = layout_actions,
    .action_count = LW_COUNT(layout_actions),
    .draw = draw,
    .key = on_key,
    .mouse = on_mouse,
    .paste = on_paste,
    .state = state_of,
    .find = find,
    .find_help = "3,5 an element   t17 a thread   w1 l3   r4 a register   bank 7   offset 40",
    .layout = itself,
    .work = work,
    .tick_at = tick_at,
    .tick = tick,
    .close = close_layout,
    .edits = edits_of,
    .on_screen = on_screen,
};

struct lw_screen *lw_layout_new(struct lw_app *app, const char *text)
{
    struct layout *layout = lw_screen_new(app, &lw_layout_screen, sizeof *layout);
    if (!layout)
        return NULL;
    lw_layout_edit(&layout->screen, 0);
    lw_input_set(&layout->line, text);
    try_text(layout);
    if (layout->model) {
        layout->is_edited = false;
        record(layout);
    }
    return &layout->screen;
}

struct lw_screen *lw_layout_of_document(struct lw_app *app, const struct lw_document *doc,
                                        const char *text, struct lw_error *err)
{
    struct layout *layout = lw_screen_new(app, &lw_layout_screen, sizeof *layout);
    if (layout && lw_layout_show(&layout->screen, doc, text, err))
        return &layout->screen;
    if (!layout)
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    free(layout);
    return NULL;
}

void lw_layout_draw_preview(struct lw_screen *screen, struct lw_surface *surface,
                            struct lw_rect rect)
{
    struct layout *layout = layout_of(screen);
    struct lw_rect picture = {rect.row + 3, rect.col, rect.height - 3, rect.width};
    if (!layout->model)
        return;
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
           lw_text_string(&layout->model->text));
    lw_put_wrapped(surface, (struct lw_rect){rect.row + 1, rect.col, 2, rect.width},
                   lw_tone(layout->model->is_bad ? LW_TONE_BAD : LW_TONE_GOOD),
                   lw_text_string(&layout->model->verdict));
    lw_picture_draw(layout->picture, surface, picture);
}

bool lw_layout_spot(const struct lw_screen *screen, struct lw_spot *spot,
                    const struct lw_subject **subject)
{
    const struct lw_picture *picture = layout_of(screen)->picture;
    *subject = picture ? picture->at : NULL;
    return lw_picture_spot(picture, spot);
}

const char *lw_layout_view(const struct lw_screen *screen)
{
    const struct layout *layout = layout_of(screen);
    return layout->shown ? layout->shown->name : "";
}

void lw_layout_hide_answers(struct lw_screen *screen, bool hides)
{
    layout_of(screen)->hides_answers = hides;
}

bool lw_layout_put_view_key(const struct lw_screen *screen, struct lw_text *text, const char *name)
{
    const struct layout *layout = layout_of(screen);
    const size_t at = view_at(layout, lw_picture_named(name));
    if (at < layout->view_count)
        lw_text_format(text, at < layout->tab_count ? "%zu" : "v %zu", at + 1);
    return at < layout->view_count;
}

bool lw_layout_best(struct lw_screen *screen, uint64_t *wavefronts)
{
    struct layout *layout = layout_of(screen);
    if (layout->model && !layout->best.has_search)
        lw_best_begin(&layout->best, layout->model);
    if (!layout->best.has_search)
        return false;
    while (lw_best_work(&layout->best))
        ;
    *wavefronts = layout->best.fewest;
    return true;
}

void lw_layout_choose_access(struct lw_screen *screen, enum lw_access_op op)
{
    lw_picture_path_choose(layout_of(screen)->picture, op);
    follow(layout_of(screen), false);
}

void lw_layout_compare_document(struct lw_screen *screen, const struct lw_document *doc,
                                const char *text)
{
    struct lw_error err;
    struct lw_model *model = doc ? lw_model_new(doc, text, &screen->app->opening, &err) : NULL;
    if (model)
        model->has_own_name = true;
    show_other(layout_of(screen), model);
}

const struct lw_model *lw_layout_model(const struct lw_screen *screen)
{
    return layout_of(screen)->model;
}

bool lw_layout_show(struct lw_screen *screen, const struct lw_document *doc, const char *text,
                    struct lw_error *err)
{
    const struct lw_model_options *opening = &screen->app->opening;
    return take(layout_of(screen),
                doc ? lw_model_new(doc, text, opening, err) : lw_model_open(text, opening, err));
}

bool lw_layout_again(struct lw_screen *screen, struct lw_error *err)
{
    struct layout *layout = layout_of(screen);
    const struct lw_model *old = layout->model;
    const char *text = old ? lw_text_string(&old->text) : "";
    struct lw_model *model = old ? lw_model_new(&old->doc, text, &screen->app->opening, err) : NULL;
    if (model)
        replace(layout, model);
    return model || !old;
}
