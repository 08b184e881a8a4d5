/* A choice: a list over the screen below. */

#include "tui/command/choice_screen.h"

#include "core/array_count.h"
#include "core/unused.h"

#include <stdlib.h>

struct choice {
    struct lw_screen screen;
    const struct lw_choice_kind *kind;
    void *context;
    struct lw_list list;
    size_t before; /* the row that it began with */
    struct lw_screen *below;
};

static struct choice *choice_of(const struct lw_screen *screen)
{
    return (struct choice *)screen;
}

static void move(struct lw_screen *screen, int by)
{
    struct choice *choice = choice_of(screen);
    const size_t at = choice->list.at;
    lw_list_move(&choice->list, by);
    if (choice->list.at != at && choice->kind->show)
        choice->kind->show(choice->below, choice->list.at);
}

static void keep(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct choice *choice = choice_of(screen);
    if (choice->kind->take)
        choice->kind->take(choice->below, choice->context, choice->list.at);
    lw_app_pop(screen->app);
}

static void cancel(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct choice *choice = choice_of(screen);
    if (choice->list.at != choice->before && choice->kind->show)
        choice->kind->show(choice->below, choice->before);
    lw_app_pop(screen->app);
}

/* A digit chooses that row. */
static bool on_key(struct lw_screen *screen, uint32_t key)
{
    struct choice *choice = choice_of(screen);
    if (key < '1' || key > '9' || key - '1' >= choice->list.count)
        return false;
    move(screen, (int)(key - '1') - (int)choice->list.at);
    keep(screen, 0);
    return true;
}

/* A click shows a row, a second one keeps it; one beside the list leaves it. */
static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    struct choice *choice = choice_of(screen);
    const size_t at = choice->list.at;
    bool opened, on = lw_list_mouse(&choice->list, event, &opened);
    if (choice->list.at != at && choice->kind->show)
        choice->kind->show(choice->below, choice->list.at);
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
    lw_put_fill(surface, box, lw_tone(LW_TONE_TEXT), ' ');
    for (int row = box.row; row < box.row + box.height; row++)
        lw_put(surface, row, box.col, 1, lw_tone(LW_TONE_RULE), "\xe2\x94\x82");
    lw_put(surface, box.row, box.col + 2, box.width - 2, lw_tone(LW_TONE_TITLE),
           choice->kind->title);
    lw_list_draw(&choice->list, surface,
                 (struct lw_rect){box.row + 1, box.col + 2, box.height - 2, box.width - 2});
}

static void close(struct lw_screen *screen)
{
    const struct choice *choice = choice_of(screen);
    if (choice->kind->close)
        choice->kind->close(choice->context);
    lw_list_free(&choice_of(screen)->list);
    free(screen);
}

static const struct lw_screen_action actions[] = {
    {"up", "Up k", "choose", "the row above", move, -1, 0},
    {"down", "Down j", "choose", "the row below", move, 1, 0},
    {"first", "Home", NULL, "the first row", move, -10000, 0},
    {"last", "End", NULL, "the last row", move, 10000, 0},
    {"keep", "Enter y", "take it", "take the row under the cursor", keep, 0, 0},
    {"cancel", "Esc", "as before", "leave all as it was", cancel, 0, 0},
};

const struct lw_screen_type lw_choice_screen = {
    .name = "choice",
    .actions = actions,
    .action_count = LW_COUNT(actions),
    .is_over = true,
    .draw = draw,
    .key = on_key,
    .mouse = on_mouse,
    .close = close,
};

void lw_choice_open(struct lw_screen *below, const struct lw_choice_kind *kind, void *context,
                    size_t count, size_t at)
{
    struct choice *choice = lw_screen_new(below->app, &lw_choice_screen, sizeof *choice);
    if (!choice) {
        if (kind->close)
            kind->close(context);
        return;
    }
    choice->kind = kind;
    choice->context = context;
    choice->below = below;
    choice->before = at;
    choice->list = (struct lw_list){
        .source = kind->rows, .context = context, .at = at, .sort = -1, .has_focus = true};
    lw_list_changed(&choice->list, count);
    lw_app_push(below->app, &choice->screen);
}
