/* Drawing, keys, the mouse and the actions of a layout screen, and how other screens use one. */

#include "tui/layout_screen.h"
#include "tui/keep/taken.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/command/choice_screen.h"
#include "view/query.h"
#include "view/view_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Drawing, from the source line to the inspector ---- */

static void draw_named(struct lw_named_layout *named, struct lw_surface *surface,
                       struct lw_rect rect, const char *mark)
{
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), mark);
    if (!named->edits) { /* a long text is shown short, names and numbers */
        struct lw_text brief = {0};
        const char *text = lw_text_string(&named->model->text);
        if ((int)lw_text_width(text) > rect.width - 2 &&
            named->model->doc.notation != LW_NOTATION_CUDA)
            lw_document_print_short(&brief, &named->model->doc);
        lw_put(surface, rect.row, rect.col + 2, rect.width - 2, lw_tone(LW_TONE_TITLE),
               brief.length ? lw_text_string(&brief) : text);
        lw_text_free(&brief);
        return;
    }
    lw_input_draw(&named->line, surface,
                  (struct lw_rect){rect.row, rect.col + 2, 1, rect.width - 2},
                  lw_tone(LW_TONE_TITLE), &named->wrong, rect.row + 1);
}

static void draw_verdict(struct lw_layout_screen *layout, struct lw_surface *surface,
                         struct lw_rect rect)
{
    struct lw_text text = {0};
    const struct lw_model *model = lw_layout_shown_model(layout);
    if (!model)
        return;
    uint64_t fewest, before = layout->preview ? lw_best_given(&layout->best) : layout->before;
    const bool gain = lw_best_gain(&layout->best, &fewest);
    if (before)
        lw_text_format(&text, "before: %llu in all", (unsigned long long)before);
    else if (gain)
        lw_text_format(&text, "o: fix, %llu in all", (unsigned long long)fewest);
    int more = text.length ? (int)text.length + 3 : 0;
    int used = lw_put(surface, rect.row + 1, rect.col, rect.width - more,
                      lw_tone(model->mood == LW_MOOD_BAD ? LW_TONE_BAD : LW_TONE_GOOD),
                      lw_text_string(&model->verdict));
    lw_put(surface, rect.row + 1, rect.col + used + 3, rect.width - used - 3,
           lw_tone(before ? LW_TONE_FAINT : LW_TONE_GOOD), lw_text_string(&text));
    lw_text_free(&text);
}

static bool is_comparing(const struct lw_layout_screen *layout)
{
    return layout->other.model || layout->other.edits;
}

static void draw_tabs(struct lw_layout_screen *layout, struct lw_surface *surface,
                      struct lw_rect rect)
{
    int col = 0;
    memset(layout->tab_ends, 0, sizeof layout->tab_ends);
    for (size_t i = 0; i < layout->tab_count; i++) {
        char digit[2] = {(char)('1' + i), '\0'};
        bool on = layout->tabs[i] == layout->view;
        lw_put(surface, rect.row + 2, rect.col + col, 1, lw_tone(on ? LW_TONE_KEY : LW_TONE_FAINT),
               digit);
        col += 2;
        col += lw_put(surface, rect.row + 2, rect.col + col, rect.width - col,
                      lw_tone(on ? LW_TONE_TAB_ON : LW_TONE_FAINT), layout->tabs[i]->title) +
               2;
        layout->tab_ends[i] = col;
    }
    char right[80] = "";
    const struct lw_named_layout *named = lw_layout_edited(layout);
    if (named && named->wrong.code != LW_OK && layout->own.model)
        snprintf(right, sizeof right, "picture: the last legal text");
    else if (layout->lit.on)
        snprintf(right, sizeof right, "lit: %s   Esc: all", lw_lit_name(layout->lit.what));
    else if (layout->past_at && !named)
        snprintf(right, sizeof right, "changed   d: what moved   u: undo");
    int length = (int)strlen(right);
    if (col + length + 2 <= rect.width)
        lw_put(surface, rect.row + 2, rect.col + rect.width - length - 1, length,
               lw_tone(LW_TONE_FAINT), right);
}

/* What the parameter of a field is, what is legal, and why the typed value is not. */
static void explain_field(struct lw_layout_screen *layout)
{
    const struct lw_param_form *form = &layout->form;
    const struct lw_param_field *field = lw_param_form_field(form);
    if (!field)
        return;
    if (form->edits && form->wrong.code != LW_OK)
        lw_text_add(lw_explanation_line(&layout->about, "not legal"), form->wrong.message);
    struct lw_text *text = lw_explanation_line(&layout->about, field->name);
    if (field->param) {
        lw_text_add(text, field->param->help);
        lw_param_legal(lw_explanation_line(&layout->about, "legal"), field->param);
    } else {
        lw_text_add(text, strstr(field->path, "shape") ? "the lengths of the tensor"
                                                       : "the type of an element: f16");
    }
}

/* The spelling of the candidate under the cursor. */
static void explain_best(struct lw_layout_screen *layout)
{
    const struct lw_best_row *chosen = lw_best_chosen(&layout->best);
    struct lw_text *text = lw_explanation_line(&layout->about, "spelling");
    if (chosen)
        lw_best_print(text, &layout->best, chosen);
    else
        lw_encoding_print_short(text, lw_model_at(layout->own.model, LW_SIDE_S)->encoding);
    lw_text_add(lw_explanation_line(&layout->about, ""),
                "Enter: use it for S; Esc: leave S as it is");
}

static void draw_inspector(struct lw_layout_screen *layout, struct lw_surface *surface,
                           struct lw_rect rect)
{
    layout->about.count = 0;
    layout->about.columns = rect.width > 24 ? (size_t)rect.width - 12 : 12;
    if (layout->form.has_focus)
        explain_field(layout);
    else if (layout->best.is_shown)
        explain_best(layout);
    else
        layout->shown->explain(layout->picture, &layout->about);
    lw_screen_draw_lines(surface, rect, &layout->about);
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const bool roomy = rect.height + 1 >= LW_ROOMY;
    layout->rect = rect;
    if (layout->hides_answers && layout->picture) {
        lw_picture_draw(layout->picture, surface, rect);
        return;
    }
    if (is_comparing(layout)) {
        struct lw_rect below = {rect.row + 1, rect.col, rect.height - 1, rect.width};
        draw_named(&layout->own, surface, rect, "\xe2\x80\xba");
        draw_named(&layout->other, surface, below, "\xe2\x89\xa0");
    } else {
        draw_verdict(layout, surface, rect);
        draw_named(&layout->own, surface, rect, "\xe2\x80\xba");
        draw_tabs(layout, surface, rect);
    }
    if (!layout->picture)
        return;
    int top = roomy ? 4 : 3, inspector = roomy ? 4 : 2;
    struct lw_rect picture = {rect.row + top, rect.col, rect.height - top - inspector - roomy,
                              rect.width};
    if (picture.height < 3) {
        inspector = 0;
        picture.height = rect.height - top;
    }
    if (layout->best.is_shown) {
        struct lw_rect list = picture;
        if (rect.width >= LW_BESIDE) {
            picture.width -= LW_BEST_WIDTH + 2;
            list.col = picture.col + picture.width + 2;
            list.width = LW_BEST_WIDTH;
        } else {
            list.height = lw_best_lines(&layout->best);
            if (list.height > picture.height - roomy)
                list.height = picture.height - roomy;
            picture.height -= list.height + roomy;
            list.row = picture.row + picture.height + roomy;
        }
        lw_best_draw(&layout->best, surface, list);
    }
    if (layout->form.is_shown) {
        int width = rect.width >= 120 ? 46 : rect.width / 2;
        struct lw_rect form = {picture.row, rect.col + rect.width - width, picture.height, width};
        picture.width -= width + 1;
        lw_param_form_draw(&layout->form, surface, form);
    }
    lw_picture_draw(layout->picture, surface, picture);
    if (inspector)
        draw_inspector(
            layout, surface,
            (struct lw_rect){rect.row + rect.height - inspector, rect.col, inspector, rect.width});
}

/* ---- Keys ---- */

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_named_layout *named = lw_layout_edited(layout);
    bool changed;
    if (layout->form.has_focus && !named)
        return lw_layout_form_key(layout, key);
    if (layout->best.is_shown && lw_list_key(&layout->best.list, key)) {
        lw_layout_preview_best(layout);
        return true;
    }
    if (!named)
        return layout->picture && layout->shown->key && layout->shown->key(layout->picture, key);
    if (!lw_input_key(&named->line, key, &changed))
        return false;
    if (changed)
        lw_layout_try_text(layout, named);
    return true;
}

/* ---- Finding: a query of the library, its matches in order ---- */

/* Match number k; returns how many there are. */
static uint64_t match(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                      struct lw_spot *spot)
{
    const struct lw_map *map = &subject->map;
    memset(spot, 0, sizeof *spot);
    if (q->element) {
        memcpy(spot->out, q->number, sizeof spot->out);
        uint64_t owners = lw_map_owner_count(map, spot->out);
        spot->has_out = true;
        spot->has_in = lw_map_owner(map, spot->out, owners ? k % owners : 0, spot->in);
        return owners ? owners : 1;
    }
    uint64_t count = lw_query_index(q, subject, 0, spot->in);
    if (!count)
        return 0;
    lw_query_index(q, subject, k % count, spot->in);
    spot->has_in = true;
    spot->has_out = lw_map_apply(map, spot->in, spot->out);
    return count;
}

/* Finds match number k of a text, modulo how many there are: in a layout of the model, `first` before the others, NULL:
 * none before. Sets the spot and what is lit with it. Returns how many matches there are; 0: the reason is in *err. */
static uint64_t find_match(const struct lw_model *model, const struct lw_subject *first,
                           const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                           struct lw_error *err)
{
    const struct lw_subject *tried[] = {first, lw_model_at(model, LW_SIDE_A),
                                        lw_model_at(model, LW_SIDE_S),
                                        lw_model_at(model, LW_SIDE_B)};
    bool has_reason = false;
    for (size_t i = 0; i < LW_COUNT(tried); i++) {
        const struct lw_subject *subject = tried[i];
        struct lw_query q;
        if (!subject || (i && subject == first))
            continue;
        if (!lw_query_read(&q, subject, text)) {
            lw_error_set(err, LW_ERROR_SYNTAX,
                         "find 3,5 (an element), t17, w1 l3, r4, bank 7, offset 40");
            return 0;
        }
        if (q.why[0]) {
            if (!has_reason || !q.foreign) /* what is foreign here may be found in another layout */
                lw_error_set(err, LW_ERROR_NAME, "%s", q.why);
            has_reason = true;
            continue;
        }
        uint64_t count = match(&q, subject, k, spot);
        if (!count)
            continue;
        lit->what = q.bank ? LW_LIT_BANK : lit->what == LW_LIT_BANK ? LW_LIT_THREAD : lit->what;
        lit->bank = q.bank_number;
        lit->by_pointer = false;
        lit->on = q.bank || (spot->has_in && lw_slot_of_index(&subject->map, subject->lanes,
                                                              spot->in, &lit->owner));
        return count;
    }
    if (!has_reason)
        lw_error_set(err, LW_ERROR_NAME, "no match");
    return 0;
}

static bool find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_lit lit = layout->lit;
    struct lw_spot spot, here = {0};
    if (text) {
        snprintf(layout->found, sizeof layout->found, "%s", text);
        layout->found_at = 0;
    }
    if (text && !*text)
        layout->lit.on = false;
    if (!layout->found[0])
        return text || lw_error_set(err, LW_ERROR_NAME, "nothing was searched for: / does");
    if (!layout->picture)
        return lw_error_set(err, LW_ERROR_NAME, "there is no layout yet");
    layout->found_at += !text;
    uint64_t count = find_match(layout->own.model, layout->picture->at, layout->found,
                                layout->found_at, &spot, &lit, err);
    if (!count)
        return false;
    if (lw_picture_spot(layout->picture, &here))
        spot.operand = here.operand;
    if (!lw_picture_go(layout->picture, &spot))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this view does not show it: v lists the others");
    lw_layout_follow(layout, false);
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
    lw_picture_move(lw_layout_of(screen)->picture, by, 0);
    lw_layout_follow(lw_layout_of(screen), true);
}

/* INT_MAX: to the end of the row. */
static void move_across(struct lw_screen *screen, int by)
{
    const int64_t far = by < 0 ? -INT64_MAX : INT64_MAX;
    lw_picture_move(lw_layout_of(screen)->picture, 0, by == INT_MAX || by == -INT_MAX ? far : by);
    lw_layout_follow(lw_layout_of(screen), true);
}

static void resize(struct lw_screen *screen, int by)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    int size = layout->picture ? layout->picture->size + by : 0;
    if (layout->picture)
        layout->picture->size = size > 0 ? 0 : size < -8 ? -8 : size;
}

static void light_next(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    layout->lit.what = (enum lw_lit_what)((layout->lit.what + 1) % LW_LIT_BANK);
    lw_layout_follow(layout, true);
    lw_app_message(screen->app, "lit: %s", lw_lit_name(layout->lit.what));
}

static void leave(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (layout->lit.what == LW_LIT_BANK)
        layout->lit.what = LW_LIT_THREAD;
    if (layout->lit.on)
        layout->lit.on = layout->lit.by_pointer = false;
    else if (layout->other.model)
        lw_layout_show_other(layout, NULL);
    else
        lw_app_leave(screen->app);
}

/* ---- Accesses of CUDA C++ ---- */

/* Shows the path of the access under the cursor. */
static void open_access(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_model_options options = screen->app->opening;
    struct lw_error err = {0};
    options.open.cuda_access = lw_picture_access(layout->picture);
    if (lw_layout_take(layout,
                       lw_model_open(lw_text_string(&layout->own.model->text), &options, &err)))
        lw_layout_open_picture(layout, &lw_picture_path);
    else
        lw_app_problem(screen->app, &err);
}

/* ---- Views ---- */

static void choose_view(struct lw_screen *screen, int number)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    lw_layout_open_picture(layout, layout->tabs[number - 1]);
}

/* ---- The list of all views ---- */

/* View number i of those that the layout has; NULL: there are fewer. */
static const struct lw_picture_type *view_at(const struct lw_layout_screen *layout, size_t i)
{
    for (size_t k = 0; lw_pictures[k]; k++)
        if (lw_picture_fits(lw_pictures[k], layout->own.model) && i-- == 0)
            return lw_pictures[k];
    return NULL;
}

static void view_cell(void *context, size_t row, int column, struct lw_text *text,
                      struct lw_pen *pen)
{
    const struct lw_picture_type *view = view_at(context, row);
    if (!view) /* memory has run out since they were counted */
        return;
    if (column == 0)
        lw_text_format(text, "%zu", row + 1);
    else
        lw_text_add(text, column == 1 ? view->title : view->about);
    *pen = lw_tone(column == 0 ? LW_TONE_KEY : column == 1 ? LW_TONE_TEXT : LW_TONE_FAINT);
}

static void show_view(struct lw_screen *screen, size_t row)
{
    const struct lw_picture_type *view = view_at(lw_layout_of(screen), row);
    if (view)
        lw_layout_open_picture(lw_layout_of(screen), view);
}

static const struct lw_column view_columns[] = {
    {"", false, false, 0, 3}, {"", false, false, 0, 2}, {"", false, true, 8, 1}};
static const struct lw_list_source view_rows = {view_columns, LW_COUNT(view_columns), view_cell,
                                                NULL, NULL};
static const struct lw_choice_kind view_choice = {
    .title = "views of this layout", .width = 44, .rows = &view_rows, .show = show_view};

static void list_views(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    size_t count = 0, at = 0;
    for (; view_at(layout, count); count++)
        at = view_at(layout, count) == layout->view ? count : at;
    lw_choice_open(screen, &view_choice, screen, count, at);
}

bool lw_layout_set_view(struct lw_screen *screen, const struct lw_picture_type *view)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->own.model || !lw_picture_fits(view, layout->own.model))
        return false;
    lw_layout_open_picture(layout, view);
    return true;
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->picture)
        return false;
    const bool is_click = event->kind == LW_EVENT_CLICK;
    if (is_click && event->row == layout->rect.row + 2 && !is_comparing(layout)) {
        for (int i = 0; i < LW_TABS_MAX && layout->tab_ends[i]; i++)
            if (event->col - layout->rect.col < layout->tab_ends[i]) {
                choose_view(screen, i + 1);
                break;
            }
        return true;
    }
    if (is_click && event->row == layout->rect.row && !layout->own.edits && !layout->form.edits &&
        !layout->best.is_shown) {
        lw_layout_begin_edit(&layout->own, "");
        return true;
    }
    bool on = lw_picture_mouse(layout->picture, event);
    if (event->kind == LW_EVENT_HOVER) {
        bool was = layout->lit.by_pointer;
        if (!on && was)
            layout->lit.on = layout->lit.by_pointer = false;
        return on || was;
    }
    if (on)
        lw_layout_follow(layout, event->kind == LW_EVENT_CLICK);
    return on;
}

static int64_t tick_at(const struct lw_screen *screen)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    return layout->picture ? layout->picture->tick_at : 0;
}

static void tick(struct lw_screen *screen)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (layout->picture && layout->shown->tick)
        layout->shown->tick(layout->picture);
}

/* Searches for the best S while nothing is typed. */
static bool work(struct lw_screen *screen)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_model *model = layout->own.model;
    if (!model || !model->has_path || model->has_exchange || lw_layout_edited(layout))
        return false;
    if (layout->best.has_search || layout->best.why_not.code != LW_OK)
        return lw_best_work(&layout->best);
    lw_best_begin(&layout->best, model);
    return layout->best.has_search;
}

static void close_layout(struct lw_screen *screen)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    lw_edits_close(&layout->edits);
    lw_picture_close(layout->picture);
    lw_best_end(&layout->best);
    lw_param_form_free(&layout->form);
    lw_model_free(layout->preview);
    for (int i = 0; i < 2; i++) {
        struct lw_named_layout *named = i ? &layout->other : &layout->own;
        lw_model_free(named->model);
        lw_input_free(&named->line);
    }
    lw_layout_drop_past(layout, 0);
    free(layout->past);
    lw_explanation_free(&layout->about);
    free(layout);
}

static void next_side(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    do
        layout->side = (enum lw_side)((layout->side + 1) % LW_SIDES);
    while (!lw_model_at(layout->own.model, layout->side));
    lw_layout_open_picture(layout, layout->view);
    lw_app_message(screen->app, "views of one layout show %s", lw_side_name(layout->side));
}

static void next_color(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    layout->shown->color(layout->picture);
    lw_app_message(screen->app, "coloured by %s", lw_lit_name(layout->lit.color));
}

/* What actions depend on. */
enum {
    CALM = 1 << 0, /* nothing is typed, and no S is chosen; the others up to VIEW_1 are so too */
    HAS_MODEL = 1 << 1,
    HAS_BEST = 1 << 2, /* the best S can be searched for */
    SEVERAL = 1 << 3,  /* it has several layouts */
    ON_PATH = 1 << 4,
    ON_GRID = 1 << 5,
    ON_MATRIX = 1 << 6,
    ON_ACCESS = 1 << 7, /* the cursor is on an access of CUDA C++ */
    HAS_CELLS = 1 << 8,
    HAS_COLORS = 1 << 9,
    VIEW_1 = 1 << 10, /* and the next ones for each tab */
    IN_SOURCE = 1 << 16,
    IN_VALUE = 1 << 17,
    IN_FORM = 1 << 18,
    HAS_FORM = 1 << 19,
    CHOOSING = 1 << 20 /* the list of the best S */
};

static unsigned state_of(const struct lw_screen *screen)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_model *model = layout->own.model;
    const struct lw_picture_type *shown = layout->shown;
    const bool in_source = layout->own.edits || layout->other.edits, in_value = layout->form.edits;
    uint64_t row, col;
    unsigned state = in_source || in_value ? LW_TYPING : 0;
    state |= in_source ? IN_SOURCE : 0;
    state |= in_value ? IN_VALUE : 0;
    state |= layout->form.is_shown && !in_value ? HAS_FORM : 0;
    state |= layout->form.has_focus && !in_value ? IN_FORM : 0;
    state |= layout->best.is_shown ? CHOOSING : 0;
    if (in_source || in_value || layout->best.is_shown)
        return state;
    state |= CALM | ((1U << layout->tab_count) - 1) * VIEW_1;
    state |= shown == &lw_picture_path ? ON_PATH : ON_GRID;
    state |= shown != &lw_picture_path && shown && shown->spot ? HAS_CELLS : 0;
    state |= layout->picture && shown->color ? HAS_COLORS : 0;
    state |= lw_picture_matrix_bit(layout->picture, &row, &col) ? ON_MATRIX : 0;
    state |= lw_picture_access(layout->picture) ? ON_ACCESS : 0;
    if (!model)
        return state;
    state |= HAS_MODEL | (lw_document_is_access(&model->doc) ? SEVERAL : 0);
    if (model->has_path && !model->has_exchange && !layout->hides_answers)
        state |= HAS_BEST;
    return state;
}

static struct lw_edits *edits_of(struct lw_screen *screen)
{
    return &lw_layout_of(screen)->edits;
}

static void save(struct lw_screen *screen, LW_UNUSED int argument)
{
    lw_edits_save(&lw_layout_of(screen)->edits);
}

static bool on_screen(const struct lw_screen *screen, struct lw_on_screen *shown)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->own.model || !layout->picture)
        return false;
    *shown = (struct lw_on_screen){layout->own.model, layout->other.model, layout->shown->name,
                                   layout->picture->subject, &layout->lit};
    return true;
}

/* The layout screen that it is. */
static struct lw_screen *itself(struct lw_screen *screen)
{
    return screen;
}

static const struct lw_screen_action layout_actions[] = {
    {"access-up", "Up k", "access", "the access above", move_up, -1, ON_PATH},
    {"access-down", "Down j", "access", "the access below", move_up, 1, ON_PATH},
    {"play", "Space", "wavefronts", "play the wavefronts of the access", NULL, 0, ON_PATH},
    {"left", "Left h", "move", "move the cursor", move_across, -1, ON_GRID},
    {"up", "Up k", "move", "move the cursor", move_up, -1, ON_GRID},
    {"down", "Down j", "move", "move the cursor", move_up, 1, ON_GRID},
    {"right", "Right l", "move", "move the cursor", move_across, 1, ON_GRID},
    {"open-access", "Enter", "its path", "show the path of this access", open_access, 0, ON_ACCESS},
    {"flip", "Space", "flip a bit", "flip the bit of the matrix", lw_layout_flip, 0, ON_MATRIX},
    {"light", "H", "lit", "choose what is lit with the cursor", light_next, 0, HAS_CELLS},
    {"color", "c", NULL, "what the colours show: thread, warp, register", next_color, 0,
     HAS_COLORS},
    {"larger", "+ =", NULL, "larger or smaller cells", resize, 1, HAS_CELLS},
    {"smaller", "-", NULL, "larger or smaller cells", resize, -1, HAS_CELLS},
    {"next-part", "Tab S-Tab", "next part", "the next part", lw_layout_next_part, 0, HAS_FORM},
    {"change", "Enter", "change", "change the value", NULL, 0, IN_FORM},
    {"best", "o", "best S", "the best layouts for shared memory", lw_layout_show_best, 0, HAS_BEST},
    {"side", "x", "A S B", "the next layout of the access", next_side, 0, SEVERAL},
    {"edit", "e", "source", "edit the source", lw_layout_edit_source, 0, CALM},
    {"compare", "d", "compare", "compare with another layout", lw_layout_compare, 0, CALM},
    {"form", "f", "form", "the parameters as fields", lw_layout_toggle_form, 0, CALM},
    {"page-up", "PgUp", NULL, "move the cursor by 16 rows", move_up, -16, CALM},
    {"page-down", "PgDn", NULL, "move the cursor by 16 rows", move_up, 16, CALM},
    {"row-start", "Home", NULL, "move to the start or the end of the row", move_across, -INT_MAX,
     CALM},
    {"row-end", "End", NULL, "move to the start or the end of the row", move_across, INT_MAX, CALM},
    {"previous", "Left h", NULL, "the instruction before", move_across, -1, ON_PATH},
    {"next", "Right l", NULL, "the next instruction", move_across, 1, ON_PATH},
    {"undo", "u", NULL, "undo the last change", lw_layout_step_past, -1, CALM},
    {"redo", "C-r", NULL, "make an undone change again", lw_layout_step_past, 1, CALM},
    {"save", "s", NULL, "save the layout as a file", save, 0, HAS_MODEL},
    {"copy", "y", NULL, "copy the source, a notation, the document", lw_copy_request, 0, HAS_MODEL},
    {"write", "w", NULL, "write the picture to a file: svg, html, md, csv, ...", lw_export_request,
     0, HAS_MODEL},
    {"views", "v", NULL, "list all views", list_views, 0, HAS_MODEL},
    {"view-1", "1", NULL, "a view of the tabs", choose_view, 1, VIEW_1},
    {"view-2", "2", NULL, "a view of the tabs", choose_view, 2, VIEW_1 << 1},
    {"view-3", "3", NULL, "a view of the tabs", choose_view, 3, VIEW_1 << 2},
    {"view-4", "4", NULL, "a view of the tabs", choose_view, 4, VIEW_1 << 3},
    {"view-5", "5", NULL, "a view of the tabs", choose_view, 5, VIEW_1 << 4},
    {"view-6", "6", NULL, "a view of the tabs", choose_view, 6, VIEW_1 << 5},
    {"leave", "Esc", NULL, "light all, or go back", leave, 0, CALM},
    {"choose-above", "Up", "preview", "preview the candidate above", NULL, 0, CHOOSING},
    {"choose-below", "Down", "preview", "preview the candidate below", NULL, 0, CHOOSING},
    {"use", "Enter", "use it", "use the candidate for S", lw_layout_use_best, 0, CHOOSING},
    {"leave-best", "Esc o", "leave", "leave S as it is", lw_layout_leave_best, 0, CHOOSING},
    {"keep-value", "Enter", "keep", "keep the value", NULL, 0, IN_VALUE},
    {"discard-value", "Esc", "as before", "leave the value as it was", NULL, 0, IN_VALUE},
    {"keep", "Enter", "keep", "keep the edited source", lw_layout_finish_edit, true, IN_SOURCE},
    {"discard", "Esc", "as before", "leave the source as it was", lw_layout_finish_edit, false,
     IN_SOURCE},
    {"caret", "Left Right", "move", "move in the source", NULL, 0, IN_SOURCE},
};

const struct lw_screen_type lw_layout_screen = {
    .name = "layout",
    .actions = layout_actions,
    .action_count = LW_COUNT(layout_actions),
    .draw = draw,
    .key = on_key,
    .mouse = on_mouse,
    .paste = lw_layout_on_paste,
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
    struct lw_layout_screen *layout = lw_screen_new(app, &lw_layout_screen, sizeof *layout);
    if (!layout)
        return NULL;
    lw_layout_begin_edit(&layout->own, text);
    lw_layout_try_text(layout, &layout->own);
    if (layout->own.model) {
        layout->own.edits = false;
        lw_layout_record(layout);
    }
    return &layout->screen;
}

struct lw_screen *lw_layout_of_document(struct lw_app *app, const struct lw_document *doc,
                                        const char *text, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_screen_new(app, &lw_layout_screen, sizeof *layout);
    struct lw_model *model = layout ? lw_model_new(doc, text, &app->opening, err) : NULL;
    if (!model) {
        free(layout);
        return NULL;
    }
    lw_layout_replace(layout, model);
    lw_layout_record(layout);
    return &layout->screen;
}

const struct lw_error *lw_layout_problem(const struct lw_screen *screen)
{
    return &lw_layout_of(screen)->own.wrong;
}

void lw_layout_edit(struct lw_screen *screen)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->own.edits)
        lw_layout_begin_edit(&layout->own, "");
}

void lw_layout_draw_preview(struct lw_screen *screen, struct lw_surface *surface,
                            struct lw_rect rect)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_rect picture = {rect.row + 3, rect.col, rect.height - 3, rect.width};
    if (!layout->own.model)
        return;
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
           lw_text_string(&layout->own.model->text));
    draw_verdict(layout, surface, rect);
    lw_picture_draw(layout->picture, surface, picture);
}

bool lw_layout_spot(const struct lw_screen *screen, struct lw_spot *spot,
                    const struct lw_subject **subject)
{
    const struct lw_picture *picture = lw_layout_of(screen)->picture;
    *subject = picture ? picture->at : NULL;
    return lw_picture_spot(picture, spot);
}

const char *lw_layout_view(const struct lw_screen *screen)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    return layout->shown ? layout->shown->name : "";
}

void lw_layout_hide_answers(struct lw_screen *screen, bool hides)
{
    lw_layout_of(screen)->hides_answers = hides;
}

bool lw_layout_put_view_key(const struct lw_screen *screen, struct lw_text *text, const char *name)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_picture_type *view = lw_picture_named(name);
    for (size_t i = 0; view && i < layout->tab_count; i++)
        if (layout->tabs[i] == view) {
            lw_text_format(text, "%zu", i + 1);
            return true;
        }
    const struct lw_picture_type *other;
    for (size_t i = 0; view && (other = view_at(layout, i)); i++)
        if (other == view) {
            lw_text_format(text, "v %zu", i + 1);
            return true;
        }
    return false;
}

bool lw_layout_best(struct lw_screen *screen, uint64_t *wavefronts)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_model *model = layout->own.model;
    if (!model || !model->has_path || model->has_exchange)
        return false;
    if (!layout->best.has_search)
        lw_best_begin(&layout->best, model);
    if (!layout->best.has_search)
        return false;
    lw_best_finish(&layout->best);
    *wavefronts = lw_best_given(&layout->best);
    lw_best_gain(&layout->best, wavefronts);
    return true;
}

void lw_layout_choose_access(struct lw_screen *screen, enum lw_access_op op)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    lw_picture_path_choose(layout->picture, op);
    lw_layout_follow(layout, false);
}

void lw_layout_compare_document(struct lw_screen *screen, const struct lw_document *doc,
                                const char *text)
{
    struct lw_error err;
    lw_layout_show_other(lw_layout_of(screen),
                         doc ? lw_model_new(doc, text, &screen->app->opening, &err) : NULL);
}

const struct lw_model *lw_layout_model(const struct lw_screen *screen)
{
    return lw_layout_of(screen)->own.model;
}

bool lw_layout_show(struct lw_screen *screen, const struct lw_document *doc, const char *text,
                    struct lw_error *err)
{
    return lw_layout_take(lw_layout_of(screen),
                          lw_model_new(doc, text, &screen->app->opening, err));
}

bool lw_layout_show_source(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    return lw_layout_take(lw_layout_of(screen), lw_model_open(text, &screen->app->opening, err));
}

bool lw_layout_again(struct lw_screen *screen, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_model *model = layout->own.model;
    if (!model)
        return true;
    model = lw_model_new(&model->doc, lw_text_string(&model->text), &screen->app->opening, err);
    if (model)
        lw_layout_replace(layout, model);
    return model != NULL;
}

void lw_layout_open(struct lw_app *app, const char *text)
{
    lw_app_push(app, lw_layout_new(app, text));
}
