/* The `?` screen, made from the table of actions. */

#include "tui/drawing.h"

#include <string.h>

static const struct {
    unsigned place;
    const char *name;
} groups[] = {
    {LW_AT_VIEW, "In the view"},
    {LW_AT_FORM, "In the form"},
    {LW_AT_GALLERY, "In the list of layouts"},
    {LW_AT_KERNEL, "In the lists of a kernel"},
    {LW_AT_FOLDER, "In a folder of kernels"},
    {LW_AT_LESSON, "In a lesson"},
    {LW_AT_EDIT, "While typing a value"},
    {LW_AT_FIND, "While typing what to find"},
    {LW_AT_COMMAND, "While typing a command"},
    {LW_AT_MARK, "While typing what to mark"},
    {LW_AT_SAVE, "While typing a file's name"},
    {LW_AT_EXPORT, "While typing where to export"},
    {LW_AT_QUESTION, "At a question"},
    {LW_AT_SOLVE, "Among the swizzles that were found"},
    {LW_AT_PAGE, "On a page"},
    {LW_AT_HELP, "On this screen"},
};

struct help {
    struct lw_surface *surface;
    struct lw_rect inside;
    int line, top; /* the next line of the whole text, and the first one shown */
};

static void put_line(struct help *help, struct lw_pen left_pen, const char *left, const char *right)
{
    int row = help->line++ - help->top;
    if (row < 0 || row >= help->inside.height)
        return;
    lw_put(help->surface, help->inside.row + row, help->inside.col + 1, help->inside.width - 1,
           left_pen, left);
    lw_put(help->surface, help->inside.row + row, help->inside.col + 16, help->inside.width - 17,
           lw_pen(LW_PEN_TEXT), right);
}

static void put_group(struct help *help, unsigned place, const char *name)
{
    size_t count;
    const struct lw_key_action *actions = lw_key_actions(&count);
    put_line(help, lw_pen(LW_PEN_TITLE), name, "");
    for (size_t i = 0; i < count; i++)
        if (actions[i].places & place)
            put_line(help, lw_pen(LW_PEN_KEY), actions[i].keys, actions[i].help);
    put_line(help, lw_pen(LW_PEN_TEXT), "", "");
}

static void put_views(struct help *help)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    put_line(help, lw_pen(LW_PEN_TITLE), "Views", "");
    for (size_t i = 0; i < count; i++) {
        char key[2] = {types[i]->key, '\0'};
        put_line(help, lw_pen(LW_PEN_KEY), key, types[i]->help);
    }
    put_line(help, lw_pen(LW_PEN_TEXT), "", "");
}

/* The place that was under the fingers comes first. */
void lw_draw_help(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct help help = {.surface = surface, .top = ex->help_top};
    help.inside = lw_put_frame(surface, lw_panes_over(ex), "Keys", true);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
            if ((groups[i].place == ex->under) == (pass == 0))
                put_group(&help, groups[i].place, groups[i].name);
        if (pass == 0)
            put_views(&help);
    }
    int last = help.line - 1 - help.inside.height;
    int most = last > 0 ? last : 0;
    if (ex->help_top < 0 || ex->help_top > most) {
        ex->help_top = ex->help_top < 0 ? 0 : most;
        lw_draw_help(ex, surface);
        return;
    }
    lw_put_more(surface, lw_panes_over(ex), ex->help_top, most);
}
