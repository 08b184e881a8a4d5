/* The screen of a layout: from top to bottom the source line, the verdict, the tabs, the picture, the inspector.
 * The source is edited in arrange, and each key opens the text again; while that is not legal the last legal
 * picture stays. */

#include "core/array_count.h"
#include "explorer/command/choice_screen.h"
#include "explorer/command/find_in_layout.h"
#include "explorer/input.h"
#include "explorer/picture.h"
#include "explorer/screen.h"

#include <stdlib.h>
#include <string.h>

enum { ROOMY = 30, TABS_MAX = 6 };

/* A document that was shown before, or after, the present one. */
struct past {
    struct lw_document doc;
    char *text;
};

/* A text that names a layout, and the last legal layout of it. */
struct named {
    struct lw_model *model; /* NULL: nothing legal was typed yet */
    struct lw_input line;   /* the text while it is edited */
    bool edits;
    char *before;          /* the text before it was edited; NULL: there was none */
    struct lw_error wrong; /* why the edited text is not legal; code LW_OK: it is */
};

struct layout {
    struct lw_screen screen;
    struct named own, other; /* other: to compare with, while its model is set or it is edited */
    struct lw_picture *picture;
    const struct lw_picture_type *shown; /* the type of `picture` */
    const struct lw_picture_type *view;  /* the chosen one, for the next model too */
    enum lw_side side;                   /* whose layout views of one layout show */
    struct lw_spot spot;                 /* the element of the cursor */
    bool has_spot;
    struct lw_lit lit;
    struct lw_explanation about;
    struct past *past;
    size_t past_count, past_at; /* at: the present one */
    char found[64];             /* what was searched for last */
    uint64_t found_at;          /* the number of the match */
    struct lw_rect rect;        /* as drawn last */
    int tab_ends[TABS_MAX];     /* columns after the tabs; 0: it is not drawn */
};

static struct layout *layout_of(const struct lw_screen *screen)
{
    return (struct layout *)screen;
}

/* ---- The model ---- */

/* The view to open a model with: that of its document, that of an access, else the first one that fits. */
static const struct lw_picture_type *choose_view_of(const struct lw_model *model)
{
    for (size_t i = 0; lw_pictures[i]; i++)
        if (!strcmp(lw_pictures[i]->name, model->doc.view) && lw_pictures[i]->fits(model))
            return lw_pictures[i];
    if (model->has_path)
        return &lw_picture_path;
    for (size_t i = 0; lw_pictures[i]; i++)
        if (lw_pictures[i]->fits(model))
            return lw_pictures[i];
    return NULL;
}

/* Opens the picture of a view, or of another one if it does not fit; while there is a layout to compare with, that of
 * both. */
static void open_picture(struct layout *layout, const struct lw_picture_type *view)
{
    struct lw_error err = {0};
    const struct lw_model *model = layout->own.model, *other = layout->other.model;
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    if (!model)
        return;
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

/* Shows a model, of which it takes over the memory. */
static void show(struct layout *layout, struct lw_model *model)
{
    struct lw_model *old = layout->own.model;
    layout->has_spot = layout->has_spot && old && same_shape(old, model);
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    layout->own.model = model;
    lw_model_free(old);
    open_picture(layout, layout->view);
}

/* The cursor moved: what is lit, and the element that other views go to. */
static void follow(struct layout *layout, bool light)
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
    lit->on = lw_slot_find(&subject->map, subject->lanes, spot.out, 0, &lit->owner);
    lit->by_pointer = false;
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

/* Keeps the present model as the last one of the past. */
static void record(struct layout *layout)
{
    enum { KEPT = 500 };
    size_t from = layout->past_count ? layout->past_at + 1 : 0;
    drop_past(layout, from);
    if (layout->past_count == KEPT) {
        lw_document_free(&layout->past[0].doc);
        free(layout->past[0].text);
        memmove(layout->past, layout->past + 1, (KEPT - 1) * sizeof *layout->past);
        layout->past_count--;
    }
    struct past *past = realloc(layout->past, (layout->past_count + 1) * sizeof *past);
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

static void step_past(struct lw_screen *screen, int by)
{
    struct layout *layout = layout_of(screen);
    struct lw_error err = {0};
    size_t at = layout->past_at + (size_t)by;
    if (!layout->past_count || at >= layout->past_count) {
        lw_app_message(screen->app,
                       by < 0 ? "there is no change to undo" : "there is no change to make again");
        return;
    }
    struct lw_model *model =
        lw_model_new(&layout->past[at].doc, layout->past[at].text, &screen->app->opening, &err);
    if (!model) {
        lw_app_problem(screen->app, &err);
        return;
    }
    layout->past_at = at;
    show(layout, model);
}

/* ---- Editing the sources ---- */

/* The text that is edited; NULL: none is. */
static struct named *edited(struct layout *layout)
{
    return layout->own.edits ? &layout->own : layout->other.edits ? &layout->other : NULL;
}

static void show_other(struct layout *layout, struct lw_model *model)
{
    lw_picture_close(layout->picture);
    layout->picture = NULL;
    lw_model_free(layout->other.model);
    layout->other.model = model;
    open_picture(layout, layout->view);
}

static void show_at(struct layout *layout, struct named *named, struct lw_model *model)
{
    if (named == &layout->own)
        show(layout, model);
    else
        show_other(layout, model);
}

static void try_text(struct layout *layout, struct named *named)
{
    memset(&named->wrong, 0, sizeof named->wrong);
    struct lw_model *model =
        lw_model_open(lw_input_text(&named->line), &layout->screen.app->opening, &named->wrong);
    if (!model)
        return;
    named->wrong.code = LW_OK;
    show_at(layout, named, model);
}

static void begin_edit(struct named *named, const char *text)
{
    named->edits = true;
    named->wrong.code = LW_OK;
    free(named->before);
    named->before = named->model ? strdup(lw_text_string(&named->model->text)) : NULL;
    lw_input_set(&named->line, named->before ? named->before : text);
}

/* Leaves the text as it was before; where there was none, the screen or the comparison. */
static void discard_edit(struct layout *layout, struct named *named)
{
    named->edits = false;
    named->wrong.code = LW_OK;
    if (!named->before && named == &layout->own) {
        lw_app_pop(layout->screen.app);
    } else if (!named->before) {
        show_other(layout, NULL);
    } else if (strcmp(named->before, lw_text_string(&named->model->text)) != 0) {
        struct lw_model *model =
            lw_model_open(named->before, &layout->screen.app->opening, &named->wrong);
        if (model)
            show_at(layout, named, model);
    }
}

static void keep_edit(struct layout *layout, struct named *named)
{
    if (named->wrong.code != LW_OK || !named->model) {
        lw_app_problem(layout->screen.app, &named->wrong);
        return;
    }
    named->edits = false;
    if (named == &layout->own &&
        (!named->before || strcmp(named->before, lw_input_text(&named->line)) != 0))
        record(layout);
}

static void finish_edit(struct lw_screen *screen, int keep)
{
    struct layout *layout = layout_of(screen);
    if (keep)
        keep_edit(layout, edited(layout));
    else
        discard_edit(layout, edited(layout));
}

static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct layout *layout = layout_of(screen);
    struct named *named = edited(layout);
    bool changed;
    if (!named)
        return layout->picture && layout->shown->key && layout->shown->key(layout->picture, key);
    if (!lw_input_key(&named->line, key, &changed))
        return false;
    if (changed)
        try_text(layout, named);
    return true;
}

static bool on_paste(struct lw_screen *screen, const char *text)
{
    struct layout *layout = layout_of(screen);
    struct named *named = edited(layout);
    if (!named) {
        named = &layout->own;
        begin_edit(named, "");
        lw_input_set(&named->line, "");
    }
    lw_input_insert(&named->line, text);
    try_text(layout, named);
    return true;
}

static void edit(struct lw_screen *screen, int argument)
{
    (void)argument;
    begin_edit(&layout_of(screen)->own, "");
}

/* Begins with the layout before the last change, else with the layout itself. */
static void compare(struct lw_screen *screen, int argument)
{
    struct layout *layout = layout_of(screen);
    (void)argument;
    const char *text = layout->past_at ? layout->past[layout->past_at - 1].text
                                       : lw_text_string(&layout->own.model->text);
    begin_edit(&layout->other, text);
    try_text(layout, &layout->other);
}

/* ---- Finding ---- */

static bool find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct layout *layout = layout_of(screen);
    struct lw_lit lit = layout->lit;
    struct lw_spot spot;
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
    const struct lw_subject *subject = layout->shown->spot_subject
                                           ? layout->shown->spot_subject(layout->picture)
                                           : layout->picture->subject;
    uint64_t count = lw_find_in_layout(layout->own.model, subject, layout->found, layout->found_at,
                                       &spot, &lit, err);
    if (!count)
        return false;
    spot.operand = layout->has_spot ? layout->spot.operand : 0;
    if (!layout->shown->go || !layout->shown->go(layout->picture, &spot))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this view does not have it: 1 shows another");
    follow(layout, false);
    layout->lit = lit;
    layout->found_at %= count;
    lw_app_message(screen->app, "%s: %llu of %llu%s", layout->found,
                   (unsigned long long)layout->found_at + 1, (unsigned long long)count,
                   count > 1 ? ", n: the next" : "");
    return true;
}

/* ---- Moving ---- */

enum { BY_ROW = 1, BY_COL = 1 << 8, BY_PAGE = 1 << 16, TO_ROW_END = 1 << 24 };

static void move(struct layout *layout, int64_t rows, int64_t cols)
{
    if (!layout->picture || !layout->shown->move)
        return;
    layout->shown->move(layout->picture, rows, cols);
    follow(layout, true);
}

static void move_up(struct lw_screen *screen, int by)
{
    move(layout_of(screen), by, 0);
}

static void move_across(struct lw_screen *screen, int by)
{
    move(layout_of(screen), 0, by);
}

static void move_far(struct lw_screen *screen, int by)
{
    move(layout_of(screen), 0, by < 0 ? -INT64_MAX : INT64_MAX);
}

static void resize(struct lw_screen *screen, int by)
{
    struct layout *layout = layout_of(screen);
    int size = layout->picture ? layout->picture->size + by : 0;
    if (layout->picture)
        layout->picture->size = size > 0 ? 0 : size < -8 ? -8 : size;
}

static void light_next(struct lw_screen *screen, int argument)
{
    struct layout *layout = layout_of(screen);
    (void)argument;
    layout->lit.what = (enum lw_lit_what)((layout->lit.what + 1) % LW_LIT_BANK);
    follow(layout, true);
    lw_app_message(screen->app, "lit: %s", lw_lit_name(layout->lit.what));
}

static void leave(struct lw_screen *screen, int argument)
{
    struct layout *layout = layout_of(screen);
    (void)argument;
    if (layout->lit.what == LW_LIT_BANK)
        layout->lit.what = LW_LIT_THREAD;
    if (layout->lit.on)
        layout->lit.on = layout->lit.by_pointer = false;
    else if (layout->other.model)
        show_other(layout, NULL);
    else
        lw_app_pop(screen->app);
}

/* ---- Views ---- */

/* The views of the tabs; returns how many. */
static size_t list_tabs(const struct layout *layout, const struct lw_picture_type *tabs[TABS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; layout->own.model && lw_pictures[i] && count < TABS_MAX; i++)
        if (lw_pictures[i]->is_tab && lw_pictures[i]->fits(layout->own.model))
            tabs[count++] = lw_pictures[i];
    return count;
}

static void choose_view(struct lw_screen *screen, int number)
{
    struct layout *layout = layout_of(screen);
    const struct lw_picture_type *tabs[TABS_MAX];
    if ((size_t)number <= list_tabs(layout, tabs))
        open_picture(layout, tabs[number - 1]);
}

static bool has_view(const struct lw_screen *screen, int number)
{
    const struct lw_picture_type *tabs[TABS_MAX];
    return (size_t)number <= list_tabs(layout_of(screen), tabs);
}

/* ---- The list of all views ---- */

/* View number i of those that the layout has; NULL: there are fewer. */
static const struct lw_picture_type *view_at(const struct layout *layout, size_t i)
{
    for (size_t k = 0; lw_pictures[k]; k++)
        if (lw_pictures[k]->fits(layout->own.model) && i-- == 0)
            return lw_pictures[k];
    return NULL;
}

static void view_cell(void *context, size_t row, int column, struct lw_text *text,
                      struct lw_pen *pen)
{
    const struct lw_picture_type *view = view_at(context, row);
    if (column == 0)
        lw_text_format(text, "%zu", row + 1);
    else
        lw_text_add(text, column == 1 ? view->title : view->about);
    *pen = lw_tone(column == 0 ? LW_TONE_KEY : column == 1 ? LW_TONE_TEXT : LW_TONE_FAINT);
}

static void show_view(struct lw_screen *screen, size_t row)
{
    open_picture(layout_of(screen), view_at(layout_of(screen), row));
}

static const struct lw_column view_columns[] = {
    {"", false, false, 0, 3}, {"", false, false, 0, 2}, {"", false, true, 8, 1}};
static const struct lw_rows_source view_rows = {view_columns, LW_COUNT(view_columns), view_cell,
                                                NULL, NULL};
static const struct lw_choice_kind view_choice = {"views of this layout", &view_rows, show_view};

static void list_views(struct lw_screen *screen, int argument)
{
    const struct layout *layout = layout_of(screen);
    size_t count = 0, at = 0;
    (void)argument;
    for (; view_at(layout, count); count++)
        at = view_at(layout, count) == layout->view ? count : at;
    lw_choice_open(screen->app, &view_choice, count, at);
}

bool lw_layout_set_view(struct lw_screen *screen, const struct lw_picture_type *view)
{
    struct layout *layout = layout_of(screen);
    if (!layout->own.model || !view->fits(layout->own.model))
        return false;
    open_picture(layout, view);
    return true;
}

/* ---- Drawing ---- */

/* The reason why a text is not legal, below the position of the error. */
static void draw_problem(const struct named *named, struct lw_surface *surface, struct lw_rect rect,
                         int column)
{
    int length = (int)lw_text_width(named->wrong.message), at = 2 + column;
    if (at + 2 + length > rect.width)
        at = rect.width - 2 - length > 2 ? rect.width - 2 - length : 2;
    lw_put_repeated(surface, rect.row + 1, rect.col, rect.width, lw_tone(LW_TONE_TEXT), " ");
    lw_put(surface, rect.row + 1, rect.col + at, 2, lw_tone(LW_TONE_BAD), "\xe2\x96\xb2");
    lw_put(surface, rect.row + 1, rect.col + at + 2, rect.width - at - 2, lw_tone(LW_TONE_BAD),
           named->wrong.message);
}

static void draw_named(struct named *named, struct lw_surface *surface, struct lw_rect rect,
                       const char *mark)
{
    const bool is_wrong = named->wrong.code != LW_OK;
    const struct lw_position *position = &named->wrong.position;
    size_t from = 0, to = 0;
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), mark);
    if (!named->edits) {
        lw_put(surface, rect.row, rect.col + 2, rect.width - 2, lw_tone(LW_TONE_TITLE),
               lw_text_string(&named->model->text));
        return;
    }
    if (is_wrong) {
        from = position->column > 0 ? (size_t)position->column - 1 : 0;
        to = from + (position->length > 0 ? (size_t)position->length : 1);
    }
    int column = lw_input_draw(&named->line, surface, rect.row, rect.col + 2, rect.width - 2,
                               lw_tone(LW_TONE_TITLE), from, to);
    if (is_wrong && named->line.length)
        draw_problem(named, surface, rect, column);
}

static void draw_verdict(struct layout *layout, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_text text = {0};
    if (!layout->own.model)
        return;
    enum lw_mood mood = lw_model_verdict(layout->own.model, &text);
    lw_put(surface, rect.row + 1, rect.col, rect.width,
           lw_tone(mood == LW_MOOD_BAD ? LW_TONE_BAD : LW_TONE_GOOD), lw_text_string(&text));
    lw_text_free(&text);
}

static bool is_comparing(const struct layout *layout)
{
    return layout->other.model || layout->other.edits;
}

static void draw_tabs(struct layout *layout, struct lw_surface *surface, struct lw_rect rect)
{
    const struct lw_picture_type *tabs[TABS_MAX];
    size_t count = list_tabs(layout, tabs);
    int col = 0;
    memset(layout->tab_ends, 0, sizeof layout->tab_ends);
    for (size_t i = 0; i < count; i++) {
        char digit[2] = {(char)('1' + i), '\0'};
        bool on = tabs[i] == layout->view;
        lw_put(surface, rect.row + 2, rect.col + col, 1, lw_tone(on ? LW_TONE_KEY : LW_TONE_FAINT),
               digit);
        col += 2;
        col += lw_put(surface, rect.row + 2, rect.col + col, rect.width - col,
                      lw_tone(on ? LW_TONE_TAB_ON : LW_TONE_FAINT), tabs[i]->title) +
               2;
        layout->tab_ends[i] = col;
    }
    char right[80] = "";
    const struct named *named = edited(layout);
    if (named && named->wrong.code != LW_OK && layout->own.model)
        snprintf(right, sizeof right, "picture: the last legal text");
    else if (layout->lit.on)
        snprintf(right, sizeof right, "lit: %s   Esc: all", lw_lit_name(layout->lit.what));
    int length = (int)strlen(right);
    if (col + length + 2 <= rect.width)
        lw_put(surface, rect.row + 2, rect.col + rect.width - length - 1, length,
               lw_tone(LW_TONE_FAINT), right);
}

static void draw_inspector(struct layout *layout, struct lw_surface *surface, struct lw_rect rect)
{
    int label = 10;
    layout->about.count = 0;
    layout->about.columns = 0;
    layout->shown->explain(layout->picture, &layout->about);
    for (int i = 0; i < layout->about.count && i < rect.height; i++) {
        int length = (int)lw_text_width(layout->about.line[i].label);
        label = length > label ? length : label;
    }
    label += 1;
    for (int i = 0; i < layout->about.count && i < rect.height; i++) {
        lw_put(surface, rect.row + i, rect.col, label, lw_tone(LW_TONE_FAINT),
               layout->about.line[i].label);
        lw_put(surface, rect.row + i, rect.col + label, rect.width - label, lw_tone(LW_TONE_TEXT),
               lw_text_string(&layout->about.line[i].text));
    }
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct layout *layout = layout_of(screen);
    const bool roomy = rect.height + 1 >= ROOMY;
    layout->rect = rect;
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
    if (picture.height > 0 && layout->shown->arrange(layout->picture, picture))
        layout->shown->draw(layout->picture, surface);
    if (inspector)
        draw_inspector(
            layout, surface,
            (struct lw_rect){rect.row + rect.height - inspector, rect.col, inspector, rect.width});
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct layout *layout = layout_of(screen);
    if (!layout->picture)
        return false;
    const bool is_click = event->kind == LW_EVENT_CLICK;
    if (is_click && event->row == layout->rect.row + 2 && !is_comparing(layout)) {
        for (int i = 0; i < TABS_MAX && layout->tab_ends[i]; i++)
            if (event->col - layout->rect.col < layout->tab_ends[i]) {
                choose_view(screen, i + 1);
                break;
            }
        return true;
    }
    if (is_click && event->row == layout->rect.row && !layout->own.edits) {
        begin_edit(&layout->own, "");
        layout->own.line.caret = lw_input_at(&layout->own.line, layout->rect.width - 2,
                                             event->col - layout->rect.col - 2);
        return true;
    }
    bool on = layout->shown->mouse && layout->shown->mouse(layout->picture, event);
    if (event->kind == LW_EVENT_HOVER) {
        bool was = layout->lit.by_pointer;
        if (!on && was)
            layout->lit.on = layout->lit.by_pointer = false;
        return on || was;
    }
    if (on)
        follow(layout, event->kind == LW_EVENT_CLICK);
    return on;
}

static int64_t tick_at(const struct lw_screen *screen)
{
    const struct layout *layout = layout_of(screen);
    return layout->picture && layout->shown->tick_at ? layout->shown->tick_at(layout->picture) : 0;
}

static void tick(struct lw_screen *screen)
{
    struct layout *layout = layout_of(screen);
    if (layout->picture && layout->shown->tick)
        layout->shown->tick(layout->picture);
}

static void close_layout(struct lw_screen *screen)
{
    struct layout *layout = layout_of(screen);
    lw_picture_close(layout->picture);
    for (int i = 0; i < 2; i++) {
        struct named *named = i ? &layout->other : &layout->own;
        lw_model_free(named->model);
        free(named->before);
        lw_input_free(&named->line);
    }
    drop_past(layout, 0);
    free(layout->past);
    lw_explanation_free(&layout->about);
    free(layout);
}

static bool is_not_editing(const struct lw_screen *screen, int argument)
{
    (void)argument;
    return !(layout_of(screen)->own.edits || layout_of(screen)->other.edits);
}

/* Whether it has several layouts. */
static bool is_several(const struct lw_screen *screen, int argument)
{
    const struct layout *layout = layout_of(screen);
    (void)argument;
    return is_not_editing(screen, 0) && layout->own.model &&
           lw_document_is_access(&layout->own.model->doc);
}

static void next_side(struct lw_screen *screen, int argument)
{
    struct layout *layout = layout_of(screen);
    (void)argument;
    do
        layout->side = (enum lw_side)((layout->side + 1) % LW_SIDES);
    while (!lw_model_at(layout->own.model, layout->side));
    open_picture(layout, layout->view);
    lw_app_message(screen->app, "views of one layout show %s", lw_side_name(layout->side));
}

static bool is_editing(const struct lw_screen *screen, int argument)
{
    (void)argument;
    return (layout_of(screen)->own.edits || layout_of(screen)->other.edits);
}

static bool has_model(const struct lw_screen *screen, int argument)
{
    return is_not_editing(screen, argument) && layout_of(screen)->own.model;
}

static bool is_typing(const struct lw_screen *screen)
{
    return !is_not_editing(screen, 0);
}

/* The layout screen that it is. */
static struct lw_screen *itself(struct lw_screen *screen)
{
    return screen;
}

static void nothing(struct lw_screen *screen, int argument)
{
    (void)screen;
    (void)argument;
}

static const struct lw_screen_action layout_actions[] = {
    {"left", "Left h", "move", "move the cursor", move_across, -1, is_not_editing},
    {"up", "Up k", "move", "move the cursor", move_up, -1, is_not_editing},
    {"down", "Down j", "move", "move the cursor", move_up, 1, is_not_editing},
    {"right", "Right l", "move", "move the cursor", move_across, 1, is_not_editing},
    {"page-up", "PgUp", NULL, "move the cursor by 16 rows", move_up, -16, is_not_editing},
    {"page-down", "PgDn", NULL, "move the cursor by 16 rows", move_up, 16, is_not_editing},
    {"row-start", "Home", NULL, "move the cursor to the start or the end of its row", move_far, -1,
     is_not_editing},
    {"row-end", "End", NULL, "move the cursor to the start or the end of its row", move_far, 1,
     is_not_editing},
    {"light", "H", "what is lit", "choose what is lit with the cursor", light_next, 0,
     is_not_editing},
    {"larger", "+ =", "- size", "larger or smaller cells", resize, 1, is_not_editing},
    {"smaller", "-", NULL, "larger or smaller cells", resize, -1, is_not_editing},
    {"edit", "e", "source", "edit the source", edit, 0, is_not_editing},
    {"compare", "d", "compare", "compare with another layout", compare, 0, is_not_editing},
    {"side", "x", "A S B", "the next layout of the access", next_side, 0, is_several},
    {"undo", "u", NULL, "undo the last change", step_past, -1, is_not_editing},
    {"redo", "C-r", NULL, "make an undone change again", step_past, 1, is_not_editing},
    {"views", "v", NULL, "list all views", list_views, 0, has_model},
    {"view-1", "1", NULL, "a view of the tabs", choose_view, 1, has_view},
    {"view-2", "2", NULL, "a view of the tabs", choose_view, 2, has_view},
    {"view-3", "3", NULL, "a view of the tabs", choose_view, 3, has_view},
    {"view-4", "4", NULL, "a view of the tabs", choose_view, 4, has_view},
    {"view-5", "5", NULL, "a view of the tabs", choose_view, 5, has_view},
    {"view-6", "6", NULL, "a view of the tabs", choose_view, 6, has_view},
    {"leave", "Esc", NULL, "light all, or go back", leave, 0, is_not_editing},
    {"keep", "Enter", "keep", "keep the edited source", finish_edit, true, is_editing},
    {"discard", "Esc", "as before", "leave the source as it was", finish_edit, false, is_editing},
    {"caret", "Left Right", "move", "move in the source", nothing, 0, is_editing},
};

const struct lw_screen_type lw_layout_screen = {
    .name = "layout",
    .actions = layout_actions,
    .action_count = LW_COUNT(layout_actions),
    .draw = draw,
    .key = on_key,
    .mouse = on_mouse,
    .paste = on_paste,
    .is_typing = is_typing,
    .find = find,
    .find_help = "3,5 an element   t17 a thread   w1 l3   r4 a register   bank 7   offset 40",
    .layout = itself,
    .tick_at = tick_at,
    .tick = tick,
    .close = close_layout,
};

struct lw_screen *lw_layout_new(struct lw_app *app, const char *text)
{
    struct layout *layout = lw_screen_new(app, &lw_layout_screen, sizeof *layout);
    if (!layout)
        return NULL;
    begin_edit(&layout->own, text);
    try_text(layout, &layout->own);
    if (layout->own.model) {
        layout->own.edits = false;
        record(layout);
    }
    return &layout->screen;
}

struct lw_screen *lw_layout_of_document(struct lw_app *app, const struct lw_document *doc,
                                        const char *text, struct lw_error *err)
{
    struct layout *layout = lw_screen_new(app, &lw_layout_screen, sizeof *layout);
    struct lw_model *model = layout ? lw_model_new(doc, text, &app->opening, err) : NULL;
    if (!model) {
        free(layout);
        return NULL;
    }
    show(layout, model);
    record(layout);
    return &layout->screen;
}

void lw_layout_edit(struct lw_screen *screen)
{
    struct layout *layout = layout_of(screen);
    if (!layout->own.edits)
        begin_edit(&layout->own, "");
}

void lw_layout_draw_preview(struct lw_screen *screen, struct lw_surface *surface,
                            struct lw_rect rect)
{
    struct layout *layout = layout_of(screen);
    struct lw_rect picture = {rect.row + 3, rect.col, rect.height - 3, rect.width};
    if (!layout->own.model)
        return;
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
           lw_text_string(&layout->own.model->text));
    draw_verdict(layout, surface, rect);
    if (layout->picture && picture.height > 2 && layout->shown->arrange(layout->picture, picture))
        layout->shown->draw(layout->picture, surface);
}

const struct lw_model *lw_layout_model(const struct lw_screen *screen)
{
    return layout_of(screen)->own.model;
}

bool lw_layout_show(struct lw_screen *screen, const struct lw_document *doc, const char *text,
                    struct lw_error *err)
{
    struct layout *layout = layout_of(screen);
    struct lw_model *model = lw_model_new(doc, text, &screen->app->opening, err);
    if (!model)
        return false;
    show(layout, model);
    record(layout);
    return true;
}

void lw_layout_compare(struct lw_screen *screen, const char *text)
{
    struct layout *layout = layout_of(screen);
    begin_edit(&layout->other, text);
    lw_input_set(&layout->other.line, text);
    try_text(layout, &layout->other);
    layout->other.edits = layout->other.wrong.code != LW_OK;
}

bool lw_layout_again(struct lw_screen *screen, struct lw_error *err)
{
    struct layout *layout = layout_of(screen);
    struct lw_model *model = layout->own.model;
    if (!model)
        return true;
    model = lw_model_new(&model->doc, lw_text_string(&model->text), &screen->app->opening, err);
    if (model)
        show(layout, model);
    return model != NULL;
}

void lw_layout_open(struct lw_app *app, const char *text)
{
    lw_app_push(app, lw_layout_new(app, text));
}
