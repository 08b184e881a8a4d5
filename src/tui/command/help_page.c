/* Help: the five commonest tasks, the keys of the screen, the keys of all screens. */

#include "tui/command/help_page.h"

#include "core/array_count.h"
#include "tui/command/page_screen.h"

#include <string.h>

enum { COLUMN = 18 };

/* Appends a line: keys or names, then what they do. */
static void put_line(struct lw_text *text, const char *left, const char *right)
{
    const int width = (int)lw_text_width(left);
    lw_text_format(text, "  %s%*s%s\n", left, width < COLUMN ? COLUMN - width : 2, "", right);
}

/* Which rows of a table are put: those that work on the screen now, the others, or all. */
enum rows { WORKING, RESTING, ALL };

/* Rows one after the other with the same help are one line. */
static size_t put_table(struct lw_text *text, const struct lw_screen *screen,
                        const struct lw_screen_action *table, size_t count, enum rows rows,
                        bool names)
{
    struct lw_text left = {0};
    size_t lines = 0;
    for (size_t i = 0; i < count; i++) {
        const char *word = names ? table[i].name : table[i].keys;
        const bool is_put = rows == ALL || lw_action_works(&table[i], screen) == (rows == WORKING);
        if (is_put && *word)
            lw_text_format(&left, "%s%s", left.length ? " " : "", word);
        if (left.length && (i + 1 == count || strcmp(table[i + 1].help, table[i].help) != 0)) {
            put_line(text, lw_text_string(&left), table[i].help);
            lw_text_clear(&left);
            lines++;
        }
    }
    lw_text_free(&left);
    return lines;
}

void lw_help_put_names(struct lw_text *text, const struct lw_screen *screen)
{
    put_table(text, screen, screen->type->actions, screen->type->action_count, ALL, true);
}

/* What people do most, each of the actions that the screen or all screens have. */
static const struct {
    const char *actions, *task;
} tasks[] = {
    {"edit", "change the layout: type or paste anything"},
    {"find find-next", "find 3,5, t17, r4, bank 7; the next one"},
    {"best play", "mend shared memory: the best layouts; its wavefronts"},
    {"compare undo", "compare with the layout before a change; undo it"},
    {"save copy export", "save the layout, copy its notation, export the picture"},
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
    if (!(lw_screen_state(screen) & LW_TYPING)) {
        lw_text_add(&text, "# What people do most\n");
        put_tasks(&text, app, screen);
        lw_text_char(&text, '\n');
    }
    const struct lw_screen_type *type = screen->type;
    lw_text_format(&text, "# Keys of this screen: %s\n", type->name);
    put_table(&text, screen, type->actions, type->action_count, WORKING, false);
    lw_text_add(&text, "\n# Keys of all screens\n");
    put_table(&text, screen, app->actions, app->action_count, ALL, false);
    const size_t length = text.length;
    lw_text_add(&text, "\n# Keys of other views and moments of this screen\n");
    if (!put_table(&text, screen, type->actions, type->action_count, RESTING, false))
        lw_text_cut(&text, length);
    lw_text_add(&text, "\nThe mouse points, clicks, turns its wheel; a click on the last line "
                       "runs what it shows.\n");
    lw_page_show(app, "Help", lw_text_string(&text));
    lw_text_free(&text);
}
