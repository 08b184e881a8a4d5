/* The stack of screens: events go to the screen on top, then to the keys of all screens. */

#include "core/array_count.h"
#include "tui/list.h"
#include "core/text_rows.h"
#include "core/unused.h"
#include "tui/screen.h"
#include "view/view_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- The stack ---- */

struct lw_screen *lw_app_top(const struct lw_app *app)
{
    return app->depth ? app->stack[app->depth - 1] : NULL;
}

void lw_app_push(struct lw_app *app, struct lw_screen *screen)
{
    if (!screen)
        return;
    if (app->depth >= LW_SCREENS_MAX - (screen->type->is_over ? 0 : 2)) { /* room for questions */
        screen->type->close(screen);
        lw_app_message(app, "too many screens are open: Esc goes back");
        return;
    }
    app->stack[app->depth++] = screen;
}

struct lw_screen *lw_app_take(struct lw_app *app)
{
    return app->stack[--app->depth];
}

void lw_app_pop(struct lw_app *app)
{
    struct lw_screen *screen = lw_app_take(app);
    screen->type->close(screen);
    app->quit = app->quit || !app->depth;
}

void lw_app_back(struct lw_app *app)
{
    if (app->depth > 1)
        lw_app_pop(app);
    else
        lw_app_message(app, "there is nothing to go back to: q ends the program");
}

void *lw_screen_new(struct lw_app *app, const struct lw_screen_type *type, size_t size)
{
    struct lw_screen *screen = calloc(1, size);
    if (!screen) {
        lw_app_message(app, "out of memory");
        return NULL;
    }
    screen->type = type;
    screen->app = app;
    return screen;
}

/* ---- Messages ---- */

void lw_app_message(struct lw_app *app, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(app->message, sizeof app->message, format, arguments);
    va_end(arguments);
    app->message_is_bad = false;
}

void lw_app_problem(struct lw_app *app, const struct lw_error *err)
{
    lw_app_message(app, "%s", err->message);
    app->message_is_bad = true;
}

void lw_app_unwritten(struct lw_app *app, const char *what, const struct lw_error *err)
{
    lw_app_message(app, "%s%s", what, err->message);
    app->message_is_bad = true;
    app->unwritten = *err;
}

/* ---- Actions ---- */

static bool has_key(const struct lw_screen_action *action, uint32_t key)
{
    for (const char *at = action->keys; *at;) {
        size_t length = strcspn(at, " ");
        uint32_t named = lw_key_of_name(at, length);
        if (named == key || (named == '\r' && key == '\n') ||
            (named == LW_KEY_BACKSPACE && key == 127))
            return true;
        at += length;
        at += strspn(at, " ");
    }
    return false;
}

struct lw_screen *lw_screen_inner(const struct lw_screen *screen)
{
    struct lw_screen *self = (struct lw_screen *)screen;
    return self->type->layout ? self->type->layout(self) : self;
}

unsigned lw_screen_state(const struct lw_screen *screen)
{
    const struct lw_screen_type *type = screen->type;
    const bool finds = type->list || lw_screen_inner(screen)->type->find;
    return (type->state ? type->state(screen) : 0) | (finds ? LW_CAN_FIND : 0);
}

bool lw_action_works(const struct lw_screen_action *action, const struct lw_screen *screen)
{
    return (action->when & ~lw_screen_state(screen)) == 0;
}

void lw_action_run(const struct lw_screen_action *action, struct lw_screen *screen)
{
    screen->app->ran = action->name;
    if (action->run)
        action->run(screen, action->argument);
    else
        screen->type->key(screen, lw_key_of_name(action->keys, strcspn(action->keys, " ")));
}

/* Runs the action of a table that works and has a name, or NULL: a key. False: there is none. */
static bool run_one(const struct lw_screen_action *table, size_t count, struct lw_screen *screen,
                    const char *name, uint32_t key)
{
    for (size_t i = 0; i < count; i++)
        if ((name ? !strcmp(table[i].name, name) : table[i].run && has_key(&table[i], key)) &&
            lw_action_works(&table[i], screen)) {
            lw_action_run(&table[i], screen);
            return true;
        }
    return false;
}

/* The same of the table of a screen. */
static bool run_own(struct lw_screen *screen, const char *name, uint32_t key)
{
    return run_one(screen->type->actions, screen->type->action_count, screen, name, key);
}

bool lw_app_run(struct lw_app *app, const char *name)
{
    struct lw_screen *top = lw_app_top(app);
    return top && (run_own(top, name, 0) || run_own(lw_screen_inner(top), name, 0) ||
                   run_one(app->actions, app->action_count, top, name, 0));
}

/* ---- Screens that are a list ---- */

static struct lw_list *list_of(struct lw_screen *screen)
{
    return screen->type->list ? (void *)((char *)screen + screen->type->list) : NULL;
}

void lw_screen_move(struct lw_screen *screen, int rows)
{
    lw_list_move(list_of(screen), rows);
}

static bool on_list(struct lw_screen *screen, const struct lw_event *event)
{
    bool is_opened, is_on = lw_list_mouse(list_of(screen), event, &is_opened);
    if (is_opened)
        run_own(screen, "open", 0);
    return is_on;
}

bool lw_screen_find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct lw_list *list = list_of(screen);
    struct lw_screen *inner = lw_screen_inner(screen);
    return list ? lw_list_find(list, text, err) : inner->type->find(inner, text, err);
}

/* ---- Events ---- */

bool lw_screen_key(struct lw_screen *screen, uint32_t key)
{
    const struct lw_screen_type *type = screen->type;
    struct lw_list *list = list_of(screen);
    if (list && (lw_list_key(list, key) || /* Esc ends a filter */
                 (key == 27 && list->filter[0] && lw_list_find(list, "", NULL))))
        return true;
    struct lw_app *app = screen->app;
    const int depth = app->depth;
    if (!type->key || !type->key(screen, key))
        return run_own(screen, NULL, key);
    if (app->depth < depth) /* the key closed the screen */
        return true;
    for (size_t i = 0; i < type->action_count; i++) /* an action that the key function runs */
        if (has_key(&type->actions[i], key) && lw_action_works(&type->actions[i], screen))
            app->ran = type->actions[i].name;
    return true;
}

static void on_key(struct lw_app *app, uint32_t key)
{
    struct lw_screen *top = lw_app_top(app);
    app->message[0] = '\0';
    if (lw_screen_key(top, key) || lw_screen_state(top) & LW_OWN_KEYS ||
        run_one(app->actions, app->action_count, top, NULL, key))
        return;
    char name[16];
    lw_key_name(key, name);
    if (*name)
        lw_app_message(app, "%s has no use here: ? lists the keys", name);
}

bool lw_app_event(struct lw_app *app, const struct lw_event *event)
{
    struct lw_screen *top = lw_app_top(app);
    if (!top)
        return false;
    switch (event->kind) {
    case LW_EVENT_KEY:
        on_key(app, event->key);
        return true;
    case LW_EVENT_RESIZE:
        app->height = event->row < 1 ? 1 : event->row;
        app->width = event->col < 1 ? 1 : event->col;
        return true;
    case LW_EVENT_PASTE:
        app->message[0] = '\0';
        if (!top->type->paste || !top->type->paste(top, event->text))
            lw_app_message(app, "a text cannot be pasted here");
        return true;
    case LW_EVENT_BACKGROUND:
        /* Light or dark by its luminance, with the weights of ITU-R BT.601. */
        app->background_known = true;
        app->background_light = 299 * (event->key >> 16 & 255) + 587 * (event->key >> 8 & 255) +
                                    114 * (event->key & 255) >
                                127500;
        lw_app_choose_theme(app);
        return true;
    case LW_EVENT_TICK:
        top = lw_screen_inner(top);
        if (top->type->tick)
            top->type->tick(top);
        return true;
    case LW_EVENT_CLICK:
        app->message[0] = '\0';
        /* fall through */
    default:
        return (list_of(top) ? on_list(top, event)
                             : top->type->mouse != NULL && top->type->mouse(top, event)) ||
               event->kind == LW_EVENT_CLICK;
    }
}

void lw_app_finish_work(struct lw_app *app)
{
    for (int i = 0; i < app->depth; i++)
        while (app->stack[i]->type->work && app->stack[i]->type->work(app->stack[i]))
            ;
}

/* ---- Drawing ---- */

enum { HINTS = 7, OF_ALL = 2, GAP = 3, LITTLE = 40 }; /* OF_ALL of them are of all screens */

/* Draws at most `most` hints of a table, as many as fit; where characters are typed none of a key that is one. Returns
 * the column after them. On a surface of NULL nothing is drawn. */
static int draw_hints(const struct lw_app *app, struct lw_surface *surface, int row, int col,
                      int end, int most, const struct lw_screen_action *table, size_t count)
{
    const unsigned state = lw_screen_state(lw_app_top(app));
    for (size_t i = 0; i < count && most > 0; i++) {
        const char *hint = table[i].hint;
        if (!hint || table[i].when & ~state || (state & LW_TYPING && hint[1] == ' '))
            continue;
        const size_t length = strcspn(hint, " ");
        const int width = (int)lw_text_width(hint);
        char keys[32];
        if (col + width > end)
            break;
        snprintf(keys, sizeof keys, "%.*s", (int)length, hint);
        if (surface) {
            const int used = lw_put(surface, row, col, width, lw_tone(LW_TONE_KEY), keys) + 1;
            lw_put(surface, row, col + used, width, lw_tone(LW_TONE_FAINT), hint + length + 1);
        }
        col += width + GAP;
        most--;
    }
    return col;
}

/* The hints of the screen, and as the last ones those of all screens that work on it. */
static void draw_keys(struct lw_app *app, struct lw_surface *surface, int row)
{
    const struct lw_screen *top = lw_app_top(app);
    lw_put_repeated(surface, row, 0, surface->width, lw_tone(LW_TONE_TEXT), " ");
    if (app->message[0]) {
        lw_put(surface, row, 0, surface->width,
               lw_tone(app->message_is_bad ? LW_TONE_BAD : LW_TONE_TEXT), app->message);
        return;
    }
    const size_t from = surface->width < LITTLE ? 1 : 0; /* help alone */
    const struct lw_screen_action *all = app->actions + from;
    const size_t count = lw_screen_state(top) & LW_OWN_KEYS ? 0 : app->action_count - from;
    const int few = OF_ALL - (int)from;
    int last = draw_hints(app, NULL, row, 0, surface->width, few, all, count);
    int col = draw_hints(app, surface, row, 0, surface->width - last, HINTS - OF_ALL,
                         top->type->actions, top->type->action_count);
    draw_hints(app, surface, row, col, surface->width, few, all, count);
}

void lw_app_draw(struct lw_app *app, struct lw_surface *surface)
{
    int first = app->depth - 1;
    if (!lw_surface_resize(surface, app->height, app->width) || first < 0)
        return;
    while (first > 0 && app->stack[first]->type->is_over)
        first--;
    for (int i = first; i < app->depth; i++) {
        const bool all = app->stack[i]->type->takes_line || surface->height == 1;
        struct lw_rect rect = {0, 0, surface->height - !all, surface->width};
        surface->cursor_row = surface->cursor_col = -1;
        app->stack[i]->type->draw(app->stack[i], surface, rect);
    }
    if (surface->cursor_row >= surface->height || surface->cursor_col >= surface->width)
        surface->cursor_row = surface->cursor_col = -1;
    if (surface->height > 1 && !lw_app_top(app)->type->takes_line)
        draw_keys(app, surface, surface->height - 1);
}

/* ---- Parts of screens ---- */

void lw_screen_draw_head(struct lw_surface *surface, struct lw_rect rect,
                         const struct lw_text *title, const struct lw_text *more,
                         const struct lw_text *verdict, enum lw_tone tone)
{
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), "\xe2\x80\xba");
    const int used = 2 + lw_put(surface, rect.row, rect.col + 2, rect.width - 2,
                                lw_tone(LW_TONE_TITLE), lw_text_string(title));
    lw_put(surface, rect.row, rect.col + used + 2, rect.width - used - 2, lw_tone(LW_TONE_FAINT),
           lw_text_string(more));
    lw_put(surface, rect.row + 1, rect.col, rect.width, lw_tone(tone), lw_text_string(verdict));
}

void lw_screen_draw_lines(struct lw_surface *surface, struct lw_rect rect,
                          const struct lw_explanation *lines)
{
    const int count = lines->count < rect.height ? lines->count : rect.height;
    int label = 11; /* with a blank */
    for (int i = 0; i < count; i++) {
        const int length = (int)lw_text_width(lines->line[i].label) + 1;
        label = length > label ? length : label;
    }
    for (int i = 0; i < count; i++) {
        const struct lw_rect text = {rect.row + i, rect.col + label,
                                     i + 1 == lines->count ? rect.height - i : 1,
                                     rect.width - label};
        lw_put(surface, text.row, rect.col, label, lw_tone(LW_TONE_FAINT), lines->line[i].label);
        lw_put_wrapped(surface, text, lw_tone(LW_TONE_TEXT), lw_text_string(&lines->line[i].text));
    }
}

/* ---- Starting ---- */

const char *lw_app_theme(const struct lw_app *app)
{
    return app->options->theme && !app->theme_is_chosen ? app->options->theme
                                                        : app->settings[LW_SETTING_THEME];
}

void lw_app_choose_theme(struct lw_app *app)
{
    bool is_light = app->background_light;
    if (!app->background_known) { /* by COLORFGBG: of the 16 colours, 7 and 9 to 15 are light */
        const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;
        char *end = NULL;
        const long number = last ? strtol(last + 1, &end, 10) : -1;
        is_light = last && end != last + 1 && !*end && (number == 7 || (number > 8 && number < 16));
    }
    const struct lw_look *theme = lw_look_find(lw_app_theme(app));
    app->look = theme ? theme : lw_look_find(is_light ? "light" : "dark");
    app->look_changed = true;
}
