/* The keys of all screens: what the screen on top has no use for. */

#include "tui/command/command.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "export/replace.h"

#include <string.h>

static void back(struct lw_screen *screen, LW_UNUSED int argument)
{
    lw_app_leave(screen->app);
}

static void quit(struct lw_screen *screen, LW_UNUSED int argument)
{
    lw_app_quit(screen->app);
}

/* The terminal is drawn again by the loop. */
static void redraw(LW_UNUSED struct lw_screen *screen, LW_UNUSED int argument)
{
}

/* ---- The prompts ---- */

static void command(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {.sign = ":",
                                                 .help = "a command; help lists all",
                                                 .run = lw_command_run,
                                                 .advise = lw_command_advise};
    lw_prompt_begin(screen->app, &prompt, "");
}

/* The beginning of a text is not yet wrong. */
static bool find_typed(struct lw_screen *below, const char *text, struct lw_error *err)
{
    return lw_screen_find(below, text, err) || err->code == LW_ERROR_SYNTAX;
}

/* What a list has no row of may be a file, whose name has begun with the sign of the prompt. */
static bool find_run(struct lw_app *app, const char *text, struct lw_error *err)
{
    struct lw_screen *top = lw_app_top(app);
    const char *file = app->file;
    struct stat info;
    if (!*text || lw_screen_find(top, text, err))
        return true;
    snprintf(app->file, sizeof app->file, "/%s", text);
    if (!top->type->list || lw_file_info(file, &info) != LW_FILE_THERE)
        return false;
    lw_screen_find(top, "", NULL);
    return app->open(app, &file, 1, err);
}

static void find_cancel(struct lw_screen *below)
{
    lw_screen_find(below, "", NULL);
    below->app->message[0] = '\0';
}

/* How many there are, or what can be found. */
static void find_advise(const struct lw_screen *below, LW_UNUSED const char *text,
                        struct lw_text *advice)
{
    const struct lw_screen *inner = lw_screen_inner(below);
    const char *help = lw_screen_state(inner) & LW_FILTERS ? NULL : inner->type->find_help;
    lw_text_add(advice, below->app->message[0] ? below->app->message
                        : help                 ? help
                                               : "a part of a row");
}

static void find(struct lw_screen *screen, LW_UNUSED int argument)
{
    static const struct lw_prompt_kind prompt = {.sign = "/",
                                                 .typed = find_typed,
                                                 .run = find_run,
                                                 .cancel = find_cancel,
                                                 .advise = find_advise};
    lw_prompt_begin(screen->app, &prompt, "");
}

static void find_next(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_error err = {0};
    if (!lw_screen_find(screen, NULL, &err))
        lw_app_problem(screen->app, &err);
}

/* ---- Help: the five commonest tasks, the keys of the screen, the keys of all screens ---- */

enum { COLUMN = 18 };

/* Appends a line: keys or names, then what they do. */
static void put_line(struct lw_text *text, const char *left, const char *right)
{
    const int width = (int)lw_text_width(left);
    lw_text_format(text, "  %s%*s%s\n", left, width < COLUMN ? COLUMN - width : 2, "", right);
}

/* Puts the rows of a table that work in a state; rows one after the other with the same help are one line. */
static void put_table(struct lw_text *text, unsigned state, const struct lw_screen_action *table,
                      size_t count)
{
    struct lw_text left = {0};
    for (size_t i = 0; i < count; i++) {
        if (!(table[i].when & ~state) && *table[i].keys)
            lw_text_format(&left, "%s%s", left.length ? " " : "", table[i].keys);
        if (left.length && (i + 1 == count || strcmp(table[i + 1].help, table[i].help) != 0)) {
            put_line(text, lw_text_string(&left), table[i].help);
            lw_text_clear(&left);
        }
    }
    lw_text_free(&left);
}

/* What people do most, each of the actions that the screen or all screens have. */
static const struct {
    const char *actions, *task;
} tasks[] = {
    {"edit", "change the layout: type or paste anything"},
    {"find find-next", "find 3,5, t17, r4, bank 7; the next one"},
    {"best play", "mend shared memory: the best layouts; its wavefronts"},
    {"compare undo", "compare with the layout before a change; undo it"},
    {"save copy write", "save the layout, copy its notation, export the picture"},
};

const struct lw_screen_action *lw_action_named(const struct lw_app *app,
                                               const struct lw_screen_type *type, const char *name,
                                               size_t length)
{
    for (int all = 0; all < 2; all++) {
        const struct lw_screen_action *table = all ? app->actions : type->actions;
        const size_t count = all ? app->action_count : type->action_count;
        for (size_t i = 0; i < count; i++)
            if (strlen(table[i].name) == length && !strncmp(table[i].name, name, length))
                return &table[i];
    }
    return NULL;
}

static void put_tasks(struct lw_text *text, const struct lw_app *app,
                      const struct lw_screen *screen)
{
    for (size_t i = 0; i < LW_COUNT(tasks); i++) {
        struct lw_text keys = {0};
        for (const char *name = tasks[i].actions; *name;) {
            size_t length = strcspn(name, " ");
            const struct lw_screen_action *action =
                lw_action_named(app, screen->type, name, length);
            if (action)
                lw_text_format(&keys, "%s%.*s", keys.length ? " " : "",
                               (int)strcspn(action->keys, " "), action->keys);
            name += length;
            name += strspn(name, " ");
        }
        if (keys.length)
            put_line(text, lw_text_string(&keys), tasks[i].task);
        lw_text_free(&keys);
    }
}

static void help(struct lw_screen *screen, LW_UNUSED int argument)
{
    struct lw_app *app = screen->app;
    const unsigned state = lw_screen_state(screen);
    struct lw_text text = {0};
    if (!(state & LW_TYPING)) {
        lw_text_add(&text, "# What people do most\n");
        put_tasks(&text, app, screen);
        lw_text_char(&text, '\n');
    }
    const struct lw_screen_type *type = screen->type;
    lw_text_format(&text, "# Keys of this screen: %s\n", type->name);
    put_table(&text, state, type->actions, type->action_count);
    lw_text_add(&text, "\n# Keys of all screens\n");
    put_table(&text, ~0U, app->actions, app->action_count);
    lw_text_add(&text, "\nThe mouse points, clicks, drags, turns its wheel.\n");
    lw_page_show(app, "Help", lw_text_string(&text));
    lw_text_free(&text);
}

static const struct lw_screen_action actions[] = {
    {"find", "/", "/ find", "find, as one types", find, 0, LW_CAN_FIND},
    {"help", "? F1", "? help", "this help", help, 0, 0},
    {"help", "", "F1 help", "this help", help, 0, LW_TYPING},
    {"command", ":", NULL, "a command: set, open, compare, the calculator, ...", command, 0, 0},
    {"find-next", "n", NULL, "the next one found", find_next, 0, LW_CAN_FIND},
    {"back", "Esc", NULL, "go back", back, 0, 0},
    {"redraw", "C-l", NULL, "draw the screen again", redraw, 0, 0},
    {"quit", "q", NULL, "end the program", quit, 0, 0},
};

const struct lw_screen_action *lw_all_actions(size_t *count)
{
    *count = LW_COUNT(actions);
    return actions;
}
