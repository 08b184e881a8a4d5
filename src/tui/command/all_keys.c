/* The keys of all screens: what the screen on top has no use for. */

#include "tui/command/all_keys.h"

#include "core/array_count.h"
#include "tui/command/command_table.h"
#include "tui/command/help_page.h"
#include "tui/command/prompt_screen.h"

static void back(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_app_leave(screen->app);
}

static void quit(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_app_quit(screen->app);
}

static void help(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_help_open(screen->app);
}

/* The terminal is drawn again by the loop. */
static void redraw(struct lw_screen *screen, int argument)
{
    (void)screen;
    (void)argument;
}

/* ---- The prompts ---- */

static const struct lw_prompt_kind command_prompt = {
    .sign = ":",
    .help = "a command: Tab completes, Up is the one before; help lists all",
    .run = lw_command_run,
    .advise = lw_command_advise,
    .complete = lw_command_complete,
    .has_history = true,
};

static void command(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_prompt_begin(screen->app, &command_prompt, "");
}

/* The beginning of a text is not yet wrong. */
static bool find_typed(struct lw_screen *below, const char *text, struct lw_error *err)
{
    return lw_screen_find(below, text, err) || err->code == LW_ERROR_SYNTAX;
}

static bool find_run(struct lw_app *app, const char *text, struct lw_error *err)
{
    return !*text || lw_screen_find(lw_app_top(app), text, err);
}

static void find_cancel(struct lw_screen *below)
{
    lw_screen_find(below, "", NULL);
    below->app->message[0] = '\0';
}

/* How many there are, or what can be found. */
static void find_advise(const struct lw_screen *below, const char *text, struct lw_text *advice)
{
    (void)text;
    lw_text_add(advice, below->app->message[0]   ? below->app->message
                        : below->type->find_help ? below->type->find_help
                                                 : "a part of a row");
}

static const struct lw_prompt_kind find_prompt = {
    .sign = "/",
    .typed = find_typed,
    .run = find_run,
    .cancel = find_cancel,
    .advise = find_advise,
};

static void find(struct lw_screen *screen, int argument)
{
    (void)argument;
    lw_prompt_begin(screen->app, &find_prompt, "");
}

static void find_next(struct lw_screen *screen, int argument)
{
    struct lw_error err = {0};
    (void)argument;
    if (!lw_screen_find(screen, NULL, &err))
        lw_app_problem(screen->app, &err);
}

static const struct lw_screen_action actions[] = {
    {"help", "? F1", "help", "this help", help, 0, 0},
    {"command", ":", NULL, "a command: set, open, compare, the calculator, ...", command, 0, 0},
    {"find", "/", NULL, "find, as one types", find, 0, LW_CAN_FIND},
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
