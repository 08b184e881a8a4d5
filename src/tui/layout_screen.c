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

static void draw_source(const struct lw_layout_screen *layout, struct lw_surface *surface,
                        struct lw_rect rect)
{
    const struct lw_named_layout *own = &layout->own;
    const struct lw_rect line = {rect.row, rect.col + 2, 1, rect.width - 2};
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), "\xe2\x80\xba");
    if (own->edits) {
        lw_input_draw(&own->line, surface, line, lw_tone(LW_TONE_TITLE), &own->wrong, rect.row + 1);
        return;
    }
    struct lw_text brief = {0}; /* a long text is shown short, names and numbers */
    const char *text = lw_text_string(&own->model->text);
    if ((int)lw_text_width(text) > line.width && own->model->doc.notation != LW_NOTATION_CUDA)
        lw_document_print_short(&brief, &own->model->doc);
    lw_put(surface, line.row, line.col, line.width, lw_tone(LW_TONE_TITLE),
           brief.length ? lw_text_string(&brief) : text);
    lw_text_free(&brief);
}

static void draw_verdict(struct lw_layout_screen *layout, struct lw_surface *surface,
                         struct lw_rect rect)
{
    char more[48] = "";
    const struct lw_model *model = lw_layout_shown_model(layout);
    if (!model)
        return;
    uint64_t fewest, before = layout->preview ? lw_best_given(&layout->best) : layout->before;
    if (before)
        snprintf(more, sizeof more, "before: %llu in all", (unsigned long long)before);
    else if (lw_best_gain(&layout->best, &fewest))
        snprintf(more, sizeof more, "o: fix, %llu in all", (unsigned long long)fewest);
    const int room = rect.width - (*more ? (int)strlen(more) + 3 : 0);
    const int used = lw_put(surface, rect.row + 1, rect.col, room,
                            lw_tone(model->mood == LW_MOOD_BAD ? LW_TONE_BAD : LW_TONE_GOOD),
                            lw_text_string(&model->verdict));
    lw_put(surface, rect.row + 1, rect.col + used + 3, rect.width - used - 3,
           lw_tone(before ? LW_TONE_FAINT : LW_TONE_GOOD), more);
}

/* The columns of a tab: its digit, a blank, its title, two blanks. */
static int tab_width(const struct lw_layout_screen *layout, size_t tab)
{
    return (int)strlen(layout->views[tab]->title) + 4;
}

/* The block of CUDA C++, which may be assumed. */
static void put_block(char *text, size_t room, const struct lw_cuda *cuda)
{
    snprintf(text, room, "dim3 block(%u, %u, %u)", (unsigned)cuda->block[0],
             (unsigned)cuda->block[1], (unsigned)cuda->block[2]);
}

static void draw_tabs(struct lw_layout_screen *layout, struct lw_surface *surface,
                      struct lw_rect rect)
{
    const struct lw_named_layout *own = &layout->own;
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
    if (own->edits && own->wrong.code != LW_OK && own->model)
        snprintf(right, sizeof right, "picture: the last legal text");
    else if (layout->lit.on)
        snprintf(right, sizeof right, "lit: %s   Esc: all", lw_lit_name(layout->lit.what));
    else if (layout->past_at && !own->edits)
        snprintf(right, sizeof right, "changed   d: what moved   u: undo");
    else if (own->model && own->model->has_cuda)
        put_block(right, sizeof right, &own->model->cuda);
    const int length = (int)strlen(right);
    if (col + length + 2 <= rect.width)
        lw_put(surface, rect.row + 2, rect.col + rect.width - length - 1, length,
               lw_tone(LW_TONE_FAINT), right);
}

/* What the parameter of a field is. */
static void explain_field(struct lw_layout_screen *layout)
{
    const struct lw_param_field *field = lw_param_form_field(&layout->form);
    if (!field || !field->param)
        return;
    lw_text_add(lw_explanation_line(&layout->about, field->name), field->param->help);
    lw_param_legal(lw_explanation_line(&layout->about, "legal"), field->param);
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

/* Cuts lines off the lower end of a rectangle; returns them. */
static struct lw_rect cut_lines(struct lw_rect *rect, int lines)
{
    rect->height -= lines;
    return (struct lw_rect){rect->row + rect->height, rect->col, lines, rect->width};
}

/* The same of columns at its right. */
static struct lw_rect cut_columns(struct lw_rect *rect, int columns)
{
    rect->width -= columns;
    return (struct lw_rect){rect->row, rect->col + rect->width, rect->height, columns};
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const int roomy = rect.height + 1 >= LW_ROOMY, lines = roomy ? 4 : 2;
    struct lw_rect picture = rect, inspector = {0};
    layout->rect = rect;
    if (layout->hides_answers && layout->picture) {
        lw_picture_draw(layout->picture, surface, rect);
        return;
    }
    if (layout->other && !layout->own.edits) {
        lw_put(surface, rect.row + 1, rect.col, 2, lw_tone(LW_TONE_KEY), "\xe2\x89\xa0");
        lw_put(surface, rect.row + 1, rect.col + 2, rect.width - 2, lw_tone(LW_TONE_TITLE),
               lw_text_string(&layout->other->text));
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
        inspector = cut_lines(&picture, lines);
        picture.height -= roomy;
    }
    if (layout->best.is_shown) {
        const int most = picture.height - roomy, need = (int)layout->best.count + 2;
        struct lw_rect list = rect.width >= LW_BESIDE
                                  ? cut_columns(&picture, LW_BEST_WIDTH)
                                  : cut_lines(&picture, need < most ? need : most);
        picture.width -= rect.width >= LW_BESIDE ? 2 : 0;
        picture.height -= rect.width >= LW_BESIDE ? 0 : roomy;
        lw_best_draw(&layout->best, surface, list);
    }
    if (layout->form.is_shown) {
        const int width = rect.width >= 120 ? 46 : rect.width / 2;
        lw_param_form_draw(&layout->form, surface, cut_columns(&picture, width));
        picture.width--;
    }
    lw_picture_draw(layout->picture, surface, picture);
    if (inspector.height)
        draw_inspector(layout, surface, inspector);
}

/* ---- Keys ---- */

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    bool changed = false, is_taken = false;
    if (layout->own.edits) {
        is_taken = lw_input_key(&layout->own.line, key, &changed);
        if (changed)
            lw_layout_try_text(layout);
    } else if (layout->form.has_focus) {
        is_taken = lw_list_key(&layout->form.list, key);
    } else if (layout->best.is_shown) {
        is_taken = lw_list_key(&layout->best.list, key);
        if (is_taken)
            lw_layout_preview_best(layout);
    } else if (layout->picture && layout->shown->key) {
        is_taken = layout->shown->key(layout->picture, key);
        if (is_taken)
            lw_layout_follow(layout, false);
    }
    return is_taken;
}

/* ---- Finding: a query of the library, its matches in order ---- */

/* Match number k of a query, modulo how many there are. Returns that. */
static uint64_t match(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                      struct lw_spot *spot)
{
    const struct lw_map *map = &subject->map;
    memset(spot, 0, sizeof *spot);
    uint64_t count = q->element ? 1 : lw_query_index(q, subject, 0, spot->in);
    if (q->element) {
        const uint64_t owners = lw_map_owner_count(map, q->number);
        memcpy(spot->out, q->number, sizeof spot->out);
        spot->has_out = true;
        spot->has_in = lw_map_owner(map, spot->out, owners ? k % owners : 0, spot->in);
        count = owners ? owners : 1;
    } else if (count) {
        lw_query_index(q, subject, k % count, spot->in);
        spot->has_in = true;
        spot->has_out = lw_map_apply(map, spot->in, spot->out);
    }
    return count;
}

/* Finds match number k in a layout of the model, first in that of the cursor. Sets the spot and what is lit with it.
 * Returns how many matches there are; 0: the reason is in *err. */
static uint64_t find_match(const struct lw_layout_screen *layout, uint64_t k, struct lw_spot *spot,
                           struct lw_lit *lit, struct lw_error *err)
{
    const struct lw_model *model = layout->own.model;
    const struct lw_subject *tried[] = {layout->picture->at, lw_model_at(model, LW_SIDE_A),
                                        lw_model_at(model, LW_SIDE_S),
                                        lw_model_at(model, LW_SIDE_B)};
    struct lw_error why = {0};
    for (size_t i = 0; i < LW_COUNT(tried); i++) {
        const struct lw_subject *subject = tried[i];
        struct lw_query q;
        if (!subject || (i && subject == tried[0]))
            continue;
        if (!lw_query_read(&q, subject, layout->found)) {
            lw_error_set(err, LW_ERROR_SYNTAX,
                         "find 3,5 (an element), t17, w1 l3, r4, bank 7, offset 40");
            return 0;
        }
        const uint64_t count = q.why[0] ? 0 : match(&q, subject, k, spot);
        if (!count) { /* what is foreign here may be found in another layout */
            if (why.code == LW_OK || (q.why[0] && !q.foreign))
                lw_error_set(&why, LW_ERROR_NAME, "%s", q.why[0] ? q.why : "no match");
            continue;
        }
        lit->what = q.bank ? LW_LIT_BANK : lit->what == LW_LIT_BANK ? LW_LIT_THREAD : lit->what;
        lit->bank = q.bank_number;
        lit->by_pointer = false;
        lit->on = q.bank || (spot->has_in && lw_slot_of_index(&subject->map, subject->lanes,
                                                              spot->in, &lit->owner));
        return count;
    }
    if (err)
        *err = why;
    return 0;
}

static bool find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    struct lw_lit lit = layout->lit;
    struct lw_spot spot, here = {0};
    layout->found_at = text ? 0 : layout->found_at + 1;
    if (text)
        snprintf(layout->found, sizeof layout->found, "%s", text);
    if (text && !*text)
        layout->lit.on = false;
    if (!layout->found[0])
        return text || lw_error_set(err, LW_ERROR_NAME, "nothing was searched for: / does");
    if (!layout->picture)
        return lw_error_set(err, LW_ERROR_NAME, "there is no layout yet");
    const uint64_t count = find_match(layout, layout->found_at, &spot, &lit, err);
    if (!count)
        return false;
    if (lw_picture_spot(layout->picture, &here))
        spot.operand = here.operand;
    const struct lw_picture_type *const view = layout->view;
    for (size_t i = 0; !lw_picture_go(layout->picture, &spot); i++) { /* another view may have it */
        lw_layout_open_picture(layout, i < layout->tab_count ? layout->views[i] : view);
        if (i == layout->tab_count)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED, "no view shows it");
    }
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
    else if (layout->other)
        lw_layout_show_other(layout, NULL);
    else
        lw_app_leave(screen->app);
}

/* ---- Accesses of CUDA C++ ---- */

/* Shows the path of the access under the cursor. */
static void open_access(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_model *model = layout->own.model;
    struct lw_error err = {0};
    if (lw_layout_take(layout, lw_model_access(model, lw_text_string(&model->text),
                                               lw_picture_access(layout->picture),
                                               &screen->app->opening, &err)))
        lw_layout_open_picture(layout, &lw_picture_path);
    else
        lw_app_problem(screen->app, &err);
}

/* ---- Views ---- */

static void choose_view(struct lw_screen *screen, int number)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    lw_layout_open_picture(layout, layout->views[number - 1]);
}

/* ---- The list of all views ---- */

static void view_cell(void *context, size_t row, int column, struct lw_text *text,
                      struct lw_pen *pen)
{
    const struct lw_layout_screen *layout = context;
    const struct lw_picture_type *view = layout->views[row];
    if (column == 0)
        lw_text_format(text, "%zu", row + 1);
    else
        lw_text_add(text, column == 1 ? view->title : view->about);
    *pen = lw_tone(column == 0 ? LW_TONE_KEY : column == 1 ? LW_TONE_TEXT : LW_TONE_FAINT);
}

static void show_view(struct lw_screen *screen, size_t row)
{
    lw_layout_open_picture(lw_layout_of(screen), lw_layout_of(screen)->views[row]);
}

static const struct lw_column view_columns[] = {{"", false, 0}, {"", false, 0}, {"", false, 8}};
static const struct lw_list_source view_rows = {view_columns, LW_COUNT(view_columns), view_cell,
                                                NULL, NULL};
static const struct lw_choice_kind view_choice = {
    .title = "views of this layout", .width = 44, .rows = &view_rows, .show = show_view};

static void list_views(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    size_t at;
    lw_layout_has_view(layout, layout->view, &at);
    lw_choice_open(screen, &view_choice, screen, layout->view_count, at);
}

bool lw_layout_set_view(struct lw_screen *screen, const struct lw_picture_type *view)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    size_t at;
    const bool has = lw_layout_has_view(layout, view, &at);
    if (has)
        lw_layout_open_picture(layout, view);
    return has;
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    if (!layout->picture)
        return false;
    const bool is_click = event->kind == LW_EVENT_CLICK;
    if (is_click && event->row == layout->rect.row + 2 && !layout->other) {
        int end = layout->rect.col;
        for (size_t i = 0; i < layout->tab_count; i++)
            if (event->col < (end += tab_width(layout, i))) {
                choose_view(screen, (int)i + 1);
                break;
            }
        return true;
    }
    if (is_click && event->row == layout->rect.row && !layout->own.edits &&
        !layout->best.is_shown) {
        lw_layout_edit(screen, 0);
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
    if (!model || layout->own.edits)
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
    lw_model_free(layout->other);
    lw_model_free(layout->own.model);
    lw_input_free(&layout->own.line);
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
    IN_FORM = 1 << 17,
    HAS_FORM = 1 << 18,
    CHOOSING = 1 << 19 /* the list of the best S */
};

static unsigned state_of(const struct lw_screen *screen)
{
    const struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_model *model = layout->own.model;
    const struct lw_picture_type *shown = layout->shown;
    uint64_t row, col;
    if (layout->own.edits)
        return LW_TYPING | IN_SOURCE;
    if (layout->best.is_shown)
        return CHOOSING;
    unsigned state = layout->form.is_shown ? HAS_FORM : 0;
    state |= layout->form.has_focus ? IN_FORM : 0;
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
    *shown = (struct lw_on_screen){layout->own.model, layout->other, layout->shown->name,
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
    {"change", "Enter", "change", "change the value", lw_layout_change_value, 0, IN_FORM},
    {"leave-form", "Esc", NULL, "close the form", lw_layout_toggle_form, 0, IN_FORM},
    {"best", "o", "best S", "the best layouts for shared memory", lw_layout_show_best, 0, HAS_BEST},
    {"side", "x", "A S B", "the next layout of the access", next_side, 0, SEVERAL},
    {"edit", "e", "source", "edit the source", lw_layout_edit, 0, CALM},
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
    lw_layout_edit(&layout->screen, 0);
    lw_input_set(&layout->own.line, text);
    lw_layout_try_text(layout);
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
    size_t at;
    const bool has = lw_layout_has_view(layout, lw_picture_named(name), &at);
    if (has)
        lw_text_format(text, at < layout->tab_count ? "%zu" : "v %zu", at + 1);
    return has;
}

bool lw_layout_best(struct lw_screen *screen, uint64_t *wavefronts)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const struct lw_model *model = layout->own.model;
    if (model && !layout->best.has_search)
        lw_best_begin(&layout->best, model);
    if (!layout->best.has_search)
        return false;
    lw_best_finish(&layout->best);
    *wavefronts = layout->best.fewest;
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
    const struct lw_model_options *opening = &screen->app->opening;
    return lw_layout_take(lw_layout_of(screen), doc ? lw_model_new(doc, text, opening, err)
                                                    : lw_model_open(text, opening, err));
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
