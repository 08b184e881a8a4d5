/* The stack of screens: events go to the screen on top, then to the keys of all screens. */

#include "core/array_count.h"
#include "explorer/screen.h"

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
    if (app->depth == LW_SCREENS_MAX) {
        screen->type->close(screen);
        lw_app_message(app, "too many screens are open: Esc goes back");
        return;
    }
    app->stack[app->depth++] = screen;
}

void lw_app_pop(struct lw_app *app)
{
    struct lw_screen *screen = lw_app_top(app);
    if (!screen)
        return;
    app->depth--;
    screen->type->close(screen);
    app->quit = app->quit || !app->depth;
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

const struct lw_hardware *lw_app_hardware(const struct lw_app *app)
{
    return app->opening.hardware ? app->opening.hardware : lw_hardware_default();
}

/* ---- Actions ---- */

static void quit(struct lw_screen *screen, int argument)
{
    (void)argument;
    screen->app->quit = true;
}

static void back(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_app_pop(screen->app);
}

static bool is_not_first(const struct lw_screen *screen, int argument)
{
    (void)argument;
    return screen->app->depth > 1;
}

/* The keys of all screens. */
static const struct lw_action actions[] = {
    {"back", "Esc", NULL, "go back", back, 0, is_not_first},
    {"quit", "q", NULL, "end the program", quit, 0, NULL},
};

static bool has_key(const struct lw_action *action, uint32_t key)
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

static bool works(const struct lw_action *action, const struct lw_screen *screen)
{
    return !action->works || action->works(screen, action->argument);
}

static bool run_key(const struct lw_action *table, size_t count, struct lw_screen *screen,
                    uint32_t key)
{
    for (size_t i = 0; i < count; i++)
        if (has_key(&table[i], key) && works(&table[i], screen)) {
            table[i].run(screen, table[i].argument);
            return true;
        }
    return false;
}

static bool run_named(const struct lw_action *table, size_t count, struct lw_screen *screen,
                      const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(table[i].name, name) && works(&table[i], screen)) {
            table[i].run(screen, table[i].argument);
            return true;
        }
    return false;
}

bool lw_app_run(struct lw_app *app, const char *name)
{
    struct lw_screen *top = lw_app_top(app);
    return top && (run_named(top->type->actions, top->type->action_count, top, name) ||
                   run_named(actions, LW_COUNT(actions), top, name));
}

bool lw_screen_key(struct lw_screen *screen, uint32_t key)
{
    const struct lw_screen_type *type = screen->type;
    return (type->key && type->key(screen, key)) ||
           run_key(type->actions, type->action_count, screen, key);
}

/* ---- Events ---- */

static void set_background(struct lw_app *app, uint32_t rgb)
{
    /* Light or dark by its luminance, with the weights of ITU-R BT.601. */
    uint32_t red = rgb >> 16 & 255, green = rgb >> 8 & 255, blue = rgb & 255;
    app->background_known = true;
    app->background_light = 299 * red + 587 * green + 114 * blue > 127500;
    lw_app_choose_theme(app);
}

static void on_key(struct lw_app *app, uint32_t key)
{
    struct lw_screen *top = lw_app_top(app);
    app->message[0] = '\0';
    if (lw_screen_key(top, key) || run_key(actions, LW_COUNT(actions), top, key))
        return;
    char name[16];
    lw_key_name(key == LW_KEY_SPACE_TWICE ? ' ' : key, name);
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
        on_key(app, event->key == LW_KEY_SPACE_TWICE ? ' ' : event->key);
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
        set_background(app, event->key);
        return true;
    case LW_EVENT_TICK:
        if (top->type->tick)
            top->type->tick(top);
        return true;
    default:
        return top->type->mouse && top->type->mouse(top, event);
    }
}

/* ---- Drawing ---- */

/* "↑↓" for "Up Down": how the line of keys names the keys of an action. */
static void put_keys(struct lw_text *text, const char *keys)
{
    static const struct {
        const char *name, *sign;
    } signs[] = {{"Up", "\xe2\x86\x91"},
                 {"Down", "\xe2\x86\x93"},
                 {"Left", "\xe2\x86\x90"},
                 {"Right", "\xe2\x86\x92"}};
    size_t length = strcspn(keys, " ");
    for (size_t i = 0; i < LW_COUNT(signs); i++)
        if (strlen(signs[i].name) == length && !strncmp(signs[i].name, keys, length)) {
            lw_text_add(text, signs[i].sign);
            return;
        }
    lw_text_bytes(text, keys, length);
}

/* Draws one hint; returns the columns used, 0: it does not fit. Rows with the same hint are drawn as one. */
static int draw_hint(struct lw_surface *surface, int row, int col, int width,
                     const struct lw_action *table, size_t count, size_t i,
                     const struct lw_screen *screen)
{
    struct lw_text keys = {0};
    for (size_t k = i; k < count; k++)
        if (table[k].hint && !strcmp(table[k].hint, table[i].hint) && works(&table[k], screen))
            put_keys(&keys, table[k].keys);
    int wide = (int)lw_text_width(lw_text_string(&keys));
    int needed = wide + 1 + (int)lw_text_width(table[i].hint);
    if (needed > width) {
        lw_text_free(&keys);
        return 0;
    }
    lw_put(surface, row, col, wide, lw_tone(LW_TONE_KEY), lw_text_string(&keys));
    lw_put(surface, row, col + wide + 1, width - wide - 1, lw_tone(LW_TONE_FAINT), table[i].hint);
    lw_text_free(&keys);
    return needed;
}

static bool is_first_of_hint(const struct lw_action *table, size_t i,
                             const struct lw_screen *screen)
{
    for (size_t k = 0; k < i; k++)
        if (table[k].hint && !strcmp(table[k].hint, table[i].hint) && works(&table[k], screen))
            return false;
    return true;
}

static void draw_keys(const struct lw_app *app, struct lw_surface *surface, int row)
{
    enum { HINTS = 7, GAP = 3 };
    const struct lw_screen *top = lw_app_top(app);
    if (app->message[0]) {
        lw_put(surface, row, 0, surface->width,
               lw_tone(app->message_is_bad ? LW_TONE_BAD : LW_TONE_TEXT), app->message);
        return;
    }
    int col = 0, drawn = 0;
    for (size_t i = 0; i < top->type->action_count && drawn < HINTS; i++) {
        const struct lw_action *action = &top->type->actions[i];
        if (!action->hint || !works(action, top) || !is_first_of_hint(top->type->actions, i, top))
            continue;
        int used = draw_hint(surface, row, col, surface->width - col, top->type->actions,
                             top->type->action_count, i, top);
        if (!used)
            break;
        col += used + GAP;
        drawn++;
    }
}

void lw_app_draw(struct lw_app *app, struct lw_surface *surface)
{
    int first = app->depth - 1;
    if (!lw_surface_resize(surface, app->height, app->width) || first < 0)
        return;
    while (first > 0 && app->stack[first]->type->is_over)
        first--;
    struct lw_rect rect = {0, 0, surface->height > 1 ? surface->height - 1 : 1, surface->width};
    for (int i = first; i < app->depth; i++)
        app->stack[i]->type->draw(app->stack[i], surface, rect);
    if (surface->height > 1)
        draw_keys(app, surface, surface->height - 1);
}

/* ---- Starting ---- */

/* Light or dark by COLORFGBG: of the 16 colours, 7 and 9 to 15 are light. */
static bool environment_is_light(void)
{
    const char *colors = getenv("COLORFGBG"), *last = colors ? strrchr(colors, ';') : NULL;
    char *end = NULL;
    long number = last ? strtol(last + 1, &end, 10) : -1;
    return last && end != last + 1 && !*end && (number == 7 || (number > 8 && number < 16));
}

void lw_app_choose_theme(struct lw_app *app)
{
    const char *name = app->options->theme ? app->options->theme : app->settings.theme;
    bool is_light = app->background_known ? app->background_light : environment_is_light();
    const struct lw_look *theme = lw_look_find(name);
    app->look = theme ? theme : lw_look_find(is_light ? "light" : "dark");
    app->look_changed = true;
}
