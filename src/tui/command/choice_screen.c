/* A choice: a list over the screen below; a question is one of its answers. */

#include "tui/command/command.h"

#include "core/array_count.h"
#include "core/unused.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct choice {
    struct lw_screen screen;
    const struct lw_choice_kind *kind;
    void *context;
    struct lw_list list;
    size_t before; /* the row that it began with */
    struct lw_screen *below;
    /* Of a question: it, and its answers; the last one has no `run`. */
    char text[400];
    struct lw_answer answers[LW_ANSWERS_MAX + 1];
    void *subject; /* the second argument of `run` */
};

static struct choice *choice_of(const struct lw_screen *screen)
{
    return (struct choice *)screen;
}

/* Shows the row of the cursor, which was on row `before`. */
static void show_row(const struct choice *choice, size_t before)
{
    if (choice->list.at != before && choice->kind->show)
        choice->kind->show(choice->below, choice->list.at);
}

static void move(struct lw_screen *screen, int by)
{
    struct choice *choice = choice_of(screen);
    const size_t at = choice->list.at;
    lw_list_move(&choice->list, by);
    show_row(choice, at);
}

static void close(struct lw_screen *screen)
{
    struct choice *choice = choice_of(screen);
    if (choice->kind->close)
        choice->kind->close(choice->context);
    lw_list_free(&choice->list);
    free(choice);
}

/* The screen below is on top when the row is taken. */
static void keep(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct choice *choice = choice_of(screen);
    const struct lw_choice_kind *kind = choice->kind;
    if (!kind->stays)
        lw_app_take(screen->app);
    if (kind->take && choice->list.shown_count)
        kind->take(choice->below, choice->context, choice->list.at);
    if (!kind->stays)
        close(screen);
}

static void cancel(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct choice *choice = choice_of(screen);
    const size_t at = choice->list.at;
    choice->list.at = choice->before;
    show_row(choice, at);
    lw_app_pop(screen->app);
}

/* A key that stands first in a row takes that. */
static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct choice *choice = choice_of(screen);
    const size_t at = choice->list.at;
    if (lw_list_key(&choice->list, key)) {
        show_row(choice, at);
        return true;
    }
    for (size_t row = 0; row < choice->list.count && key != 27; row++) {
        struct lw_text text = {0};
        struct lw_pen pen;
        choice->kind->rows->cell(choice->context, row, 0, &text, &pen);
        const bool is_row = lw_key_of_name(lw_text_string(&text), text.length) == key;
        lw_text_free(&text);
        if (!is_row)
            continue;
        choice->list.at = row;
        show_row(choice, at);
        keep(screen, 0);
        return true;
    }
    return false;
}

static unsigned state_of(const struct lw_screen *screen)
{
    return choice_of(screen)->kind->stays ? 0 : LW_OWN_KEYS;
}

/* A click shows a row, a second one keeps it; one beside the list leaves it. */
static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct choice *choice = choice_of(screen);
    const size_t at = choice->list.at;
    bool opened, on = lw_list_mouse(&choice->list, event, &opened);
    show_row(choice, at);
    if (opened)
        keep(screen, 0);
    else if (!on && event->kind == LW_EVENT_CLICK)
        lw_app_pop(screen->app);
    return on;
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct choice *choice = choice_of(screen);
    enum { TOP = 3 };
    const int width = rect.width < choice->kind->width ? rect.width : choice->kind->width;
    const int room = rect.height - TOP > 2 ? rect.height - TOP : rect.height;
    int height = (int)choice->list.count + 2;
    height = height < room ? height : room;
    struct lw_rect box = {rect.row + rect.height - room, rect.col + rect.width - width, height,
                          width};
    for (int row = box.row; row < box.row + box.height; row++) {
        lw_put_repeated(surface, row, box.col, box.width, lw_tone(LW_TONE_TEXT), " ");
        lw_put(surface, row, box.col, 1, lw_tone(LW_TONE_RULE), "\xe2\x94\x82");
    }
    lw_put(surface, box.row, box.col + 2, box.width - 2, lw_tone(LW_TONE_TITLE), choice->text);
    lw_list_draw(&choice->list, surface,
                 (struct lw_rect){box.row + 1, box.col + 2, box.height - 2, box.width - 2});
}

static const struct lw_screen_action actions[] = {
    {"up", "Up k", LW_UP_DOWN " choose", "the row above", move, -1, 0},
    {"down", "Down j", NULL, "the row below", move, 1, 0},
    {"keep", "Enter", "Enter take it", "take the row under the cursor", keep, 0, 0},
    {"cancel", "Esc", "Esc as before", "leave all as it was", cancel, 0, 0},
};

const struct lw_screen_type lw_choice_screen = {
    .name = "choice",
    .actions = actions,
    .action_count = LW_COUNT(actions),
    .is_over = true,
    .draw = draw,
    .key = on_key,
    .state = state_of,
    .mouse = on_mouse,
    .close = close,
};

static void show(struct choice *choice, struct lw_screen *below, const struct lw_choice_kind *kind,
                 void *context, size_t count, size_t at)
{
    choice->below = below;
    choice->kind = kind;
    choice->context = context;
    choice->before = at;
    choice->list =
        (struct lw_list){.source = kind->rows, .context = context, .at = at, .has_focus = true};
    lw_list_changed(&choice->list, count);
    lw_app_push(choice->screen.app, &choice->screen);
}

void lw_choice_open(struct lw_screen *below, const struct lw_choice_kind *kind, void *context,
                    size_t count, size_t at)
{
    struct choice *choice = lw_screen_new(below->app, &lw_choice_screen, sizeof *choice);
    if (choice) {
        snprintf(choice->text, sizeof choice->text, "%s", kind->title);
        show(choice, below, kind, context, count, at);
    } else if (kind->close) {
        kind->close(context);
    }
}

/* ---- Questions ---- */

static void answer_cell(void *context, size_t row, int column, struct lw_text *text,
                        struct lw_pen *pen)
{
    const struct lw_answer *answer = &((const struct choice *)context)->answers[row];
    lw_text_add(text, column ? answer->hint : answer->key);
    *pen = lw_tone(column ? LW_TONE_TEXT : LW_TONE_KEY);
}

static void answer(struct lw_screen *below, void *context, size_t row)
{
    const struct choice *choice = context;
    if (choice->answers[row].run)
        choice->answers[row].run(below->app, choice->subject);
}

void lw_dialog(struct lw_app *app, void *context, const struct lw_answer *answers, size_t count,
               const char *other, const char *format, ...)
{
    static const struct lw_column columns[] = {{"", false, 0}, {"", false, 8}};
    static const struct lw_list_source rows = {columns, 2, answer_cell, NULL, NULL};
    static const struct lw_choice_kind kind = {.width = 100, .rows = &rows, .take = answer};
    struct choice *choice = lw_screen_new(app, &lw_choice_screen, sizeof *choice);
    va_list arguments;
    if (!choice)
        return;
    va_start(arguments, format);
    vsnprintf(choice->text, sizeof choice->text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < count && i < LW_ANSWERS_MAX; i++)
        choice->answers[i] = answers[i];
    if (other)
        choice->answers[count++] = (struct lw_answer){"Esc", other, NULL};
    choice->subject = context;
    show(choice, lw_app_top(app), &kind, choice, count, count - 1);
}
