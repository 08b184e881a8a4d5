/* Help: the five commonest tasks, the keys of the screen, the keys of all screens. */

#include "explorer/command/help_page.h"

#include "core/array_count.h"
#include "explorer/command/page_screen.h"

#include <string.h>

enum { COLUMN = 20 };

/* Appends a line: keys or names, then what they do. */
static void put_line(struct lw_text *text, const char *left, const char *right)
{
    const int width = (int)lw_text_width(left);
    lw_text_format(text, "  %s%*s%s\n", left, width < COLUMN ? COLUMN - width : 2, "", right);
}

/* Rows one after the other with the same help are one line. */
static void put_table(struct lw_text *text, const struct lw_screen_action *table, size_t count,
                      bool names)
{
    for (size_t i = 0; i < count; i++) {
        struct lw_text left = {0};
        const char *help = table[i].help;
        lw_text_add(&left, names ? table[i].name : table[i].keys);
        while (i + 1 < count && !strcmp(table[i + 1].help, help)) {
            const char *next = names ? table[i + 1].name : table[i + 1].keys;
            lw_text_format(&left, *next ? " %s" : "%s", next);
            i++;
        }
        if (left.length)
            put_line(text, lw_text_string(&left), help);
        lw_text_free(&left);
    }
}

void lw_help_put_actions(struct lw_text *text, const struct lw_screen *screen, bool names)
{
    put_table(text, screen->type->actions, screen->type->action_count, names);
}

/* What people do most, each of the actions that the screen or all screens have. */
static const struct {
    const char *actions, *task;
} tasks[] = {
    {"edit", "change the layout: type or paste anything, the picture follows"},
    {"find next", "go to an element 3,5, a thread t17, a register r4, a bank 7; the next one"},
    {"best play", "mend slow shared memory: the best layouts; watch its wavefronts"},
    {"compare undo", "see what a change moved: compare with the layout before; undo it"},
    {"save copy export", "take it out: save the layout, copy its notation, write the picture"},
};

static const struct lw_screen_action *action_named(const struct lw_app *app,
                                                   const struct lw_screen *screen, const char *name,
                                                   size_t length)
{
    for (int all = 0; all < 2; all++) {
        const struct lw_screen_action *table = all ? app->actions : screen->type->actions;
        const size_t count = all ? app->action_count : screen->type->action_count;
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
            const struct lw_screen_action *action = action_named(app, screen, name, length);
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

void lw_help_open(struct lw_app *app)
{
    const struct lw_screen *screen = lw_app_top(app);
    struct lw_text text = {0};
    if (!screen->type->is_typing || !screen->type->is_typing(screen)) {
        lw_text_add(&text, "# What people do most\n");
        put_tasks(&text, app, screen);
        lw_text_char(&text, '\n');
    }
    lw_text_format(&text, "# Keys of this screen: %s\n", screen->type->name);
    lw_help_put_actions(&text, screen, false);
    lw_text_add(&text, "\n# Keys of all screens\n");
    put_table(&text, app->actions, app->action_count, false);
    lw_text_add(&text, "\nThe mouse points, clicks, turns its wheel; a click on the last line "
                       "runs what it shows.\n");
    lw_page_show(app, "Help", lw_text_string(&text));
    lw_text_free(&text);
}
