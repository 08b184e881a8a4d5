/* The `?` screen, made from the table of actions: those of the focus under it, those of every pane, the
 * views, then the rest by focus. Invariant: an action is listed once. */

#include "tui/draw/drawing.h"
#include "tui/lesson/lesson_run.h"
#include "tui/prompt/query_match.h"

#include <string.h>

enum {
    PANES = LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_GALLERY | LW_FOCUS_LESSON,
    TYPING = LW_FOCUS_FIND | LW_FOCUS_COMMAND | LW_FOCUS_SAVE | LW_FOCUS_MARK | LW_FOCUS_EXPORT |
             LW_FOCUS_ANSWER
};

static const struct {
    unsigned focus;
    const char *name;
} groups[] = {
    {LW_FOCUS_VIEW, "In the view"},
    {LW_FOCUS_FORM, "In the form"},
    {LW_FOCUS_GALLERY, "In the list of layouts"},
    {LW_FOCUS_KERNEL, "In the lists of a kernel"},
    {LW_FOCUS_FOLDER, "In a folder of kernels"},
    {LW_FOCUS_LESSON | LW_FOCUS_LESSON_ONLY, "In a lesson"},
    {LW_FOCUS_EDIT, "While typing a value of a field"},
    {LW_FOCUS_PICK, "In the list of values of a field (typing filters it)"},
    {LW_FOCUS_FIND, "While typing what to find"},
    {LW_FOCUS_COMMAND, "While typing a command"},
    {LW_FOCUS_MARK, "While typing what to mark"},
    {LW_FOCUS_SAVE, "While typing a file's name"},
    {LW_FOCUS_ANSWER, "While typing an answer"},
    {LW_FOCUS_EXPORT, "While typing where to export"},
    {LW_FOCUS_QUESTION, "At a question"},
    {LW_FOCUS_VIEWS, "In the list of views (a letter or a digit chooses too)"},
    {LW_FOCUS_LAYOUTS, "In the list of layouts of an access (typing filters it)"},
    {LW_FOCUS_SOLVE, "In the list of swizzles"},
    {LW_FOCUS_PAGE, "On a page"},
    {LW_FOCUS_HELP, "On this screen"},
};

/* The help of an action at one focus, where the common help is of several. */
static const struct {
    const char *name;
    unsigned focus;
    const char *help;
} here[] = {
    {"left", LW_FOCUS_VIEW, "a column left"},
    {"right", LW_FOCUS_VIEW, "a column right"},
    {"left", LW_FOCUS_FORM, "the number before, of a list"},
    {"form-left", LW_FOCUS_FORM, "the number before, of a list"},
    {"right", LW_FOCUS_FORM, "the next number of a list"},
    {"up", LW_FOCUS_FORM, "the field above"},
    {"down", LW_FOCUS_FORM, "the field below; after the last one the facts move"},
    {"enter", LW_FOCUS_KERNEL, "open the layouts of the operation, or the layout"},
    {"enter", LW_FOCUS_FOLDER, "open the kernel"},
    {"find", LW_FOCUS_KERNEL | LW_FOCUS_FOLDER | LW_FOCUS_SOLVE,
     "show only the rows that contain a text"},
    {"find", LW_FOCUS_GALLERY, "show only the layouts whose name or title contains a text"},
    {"open", LW_FOCUS_GALLERY, "show this layout, begin this lesson, unfold this group"},
};

#define HERE_COUNT (sizeof here / sizeof *here)
#define GROUP_COUNT (sizeof groups / sizeof *groups)
#define ACTIONS_MAX 160

struct help {
    struct lw_explorer *ex;
    struct lw_surface *surface;
    struct lw_rect inside; /* of one column of text; `columns` of them are side by side */
    int columns;
    int line, top; /* the next line of the whole text, and the first one shown */
    int gaps;      /* rows shown that are left free, to keep the next lines together */
    bool listed[ACTIONS_MAX];
};

/* Goes to the next column when fewer rows than these are left in this one. */
static void keep_together(struct help *help, int rows)
{
    int row = help->line - help->top, height = help->inside.height;
    int gap = height > 0 ? height - row % height : 0;
    if (help->columns < 2 || row <= 0 || rows > height || rows <= gap)
        return;
    help->line += gap;
    if (row < height * help->columns)
        help->gaps += gap;
}

/* Puts keys and what they do, in as many lines as needed. */
static void put_line(struct help *help, struct lw_pen left_pen, const char *left, const char *right)
{
    enum { RIGHT = 15 };
    const struct lw_rect in = help->inside;
    int width = in.width - RIGHT - 1, height = in.height;
    int rows = lw_wrapped_rows(right, width);
    keep_together(help, left_pen.kind == LW_PEN_TITLE ? 3 : rows); /* a title and its first lines */
    for (bool first = true; first || *right; first = false) {
        int row = help->line++ - help->top, column = height > 0 ? row / height : 0;
        bool in_sight = row >= 0 && height > 0 && column < help->columns;
        int at = in_sight ? in.row + row % height : -1, col = in.col + column * (in.width + 2);
        if (first)
            lw_put(help->surface, at, col, in.width, left_pen, left);
        right = lw_put_row(help->surface, at, col + RIGHT, width, lw_pen(LW_PEN_TEXT), right);
    }
}

/* The focus that the help was opened at. */
static unsigned focus_of(const struct lw_explorer *ex)
{
    for (int i = 0; i < ex->over.count; i++)
        if ((i + 1 < ex->over.count ? ex->over.below[i + 1] : ex->focus) == LW_FOCUS_HELP)
            return ex->over.below[i];
    return lw_focus_below(ex);
}

/* The help of a key in the shown view; NULL: it is the same in each. */
static const char *help_in_view(const struct lw_explorer *ex, const char *name)
{
    const struct lw_view_pane *pane = ex->panes.active;
    bool heat = pane->has_view && pane->view.type->heat;
    bool matrix = pane->has_view && !strcmp(pane->view.type->name, "matrix");
    if (!strcmp(name, "find") && lw_query_named_layout(ex))
        return !strcmp(pane->view.type->name, "mma")
                   ? "find 3,5 (an element), C 3,5 (of C), t17, w1 l3 r0 or a parameter"
                   : "find 3,5 (an element), product 3,5 (of the product), t17 or a parameter";
    if (!strcmp(name, "enter-view") && lw_lesson_is_on(ex))
        return "in a lesson: the next step, once the goal is met";
    if (!strcmp(name, "enter-view"))
        return heat && !ex->panes.play.instruction ? "open the instruction under the cursor"
                                                   : "edit the parameters";
    if (!strcmp(name, "play-back"))
        return ex->panes.play.instruction ? "the previous wavefront" : "a step back";
    if (!strcmp(name, "play"))
        return matrix ? "flip the bit under the cursor, of a linear layout"
               : lw_layouts_are_several(&ex->layouts) ? "show the next wavefront"
                                                      : NULL;
    return NULL;
}

static const char *help_at(const struct lw_explorer *ex, const struct lw_key_action *action,
                           unsigned focus_mask)
{
    unsigned under = focus_of(ex);
    const char *text = under == LW_FOCUS_VIEW ? help_in_view(ex, action->name) : NULL;
    unsigned at = focus_mask == PANES ? under : focus_mask; /* its help here */
    for (size_t i = 0; i < HERE_COUNT && !text; i++)
        if ((here[i].focus & at) && !strcmp(here[i].name, action->name))
            text = here[i].help;
    return text ? text : action->help;
}

/* Puts the actions of `focus_mask` that have all of `also` and are not listed yet. */
static void put_group(struct help *help, const char *name, unsigned focus_mask, unsigned also)
{
    const size_t count = help->ex->tables.action_count;
    const struct lw_key_action *actions = help->ex->tables.actions;
    bool some = false;
    for (size_t i = 0; i < count && i < ACTIONS_MAX; i++) {
        unsigned at = actions[i].focus_mask;
        if (help->listed[i] || !(at & focus_mask) || (at & also) != also)
            continue;
        if (!some)
            put_line(help, lw_pen(LW_PEN_TITLE), name, "");
        some = help->listed[i] = true;
        put_line(help, lw_pen(LW_PEN_KEY), actions[i].keys,
                 help_at(help->ex, &actions[i], focus_mask));
    }
    if (some)
        put_line(help, lw_pen(LW_PEN_TEXT), "", "");
}

static void put_views(struct help *help)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    put_line(help, lw_pen(LW_PEN_TITLE), "Views", "");
    for (size_t i = 0; i < count; i++) {
        char name[24],
            key = lw_lesson_has_question(help->ex) ? '\0' : types[i]->key; /* else an answer */
        snprintf(name, sizeof name, "%c %s", key ? key : ' ', types[i]->title);
        put_line(help, lw_pen(LW_PEN_KEY), name, types[i]->help);
    }
    put_line(help, lw_pen(LW_PEN_TEXT), "", "");
}

static void put_line_keys(struct help *help)
{
    size_t count;
    const struct lw_line_help *keys = lw_line_help(&count);
    put_line(help, lw_pen(LW_PEN_TITLE), "In every line of text", "");
    for (size_t i = 0; i < count; i++)
        put_line(help, lw_pen(LW_PEN_KEY), keys[i].keys, keys[i].help);
    put_line(help, lw_pen(LW_PEN_TEXT), "", "typing replaces an offered name; an arrow keeps it");
    put_line(help, lw_pen(LW_PEN_TEXT), "", "");
}

/* Whether a key does nothing in the view that is under the help. */
static bool is_useless(const struct lw_explorer *ex, const struct lw_key_action *action)
{
    return (focus_of(ex) & (LW_FOCUS_VIEW | LW_FOCUS_LESSON)) &&
           (lw_lesson_is_on(ex) || !(action->focus_mask & LW_FOCUS_LESSON_ONLY)) &&
           !lw_key_has_use(ex, action);
}

/* Marks the actions that are not listed in this group: those of lessons outside a lesson, and of every pane; and those
 * that do nothing in this view, which come last. */
static void set_aside(struct help *help, bool aside)
{
    const size_t count = help->ex->tables.action_count;
    const struct lw_key_action *actions = help->ex->tables.actions;
    for (size_t i = 0; i < count && i < ACTIONS_MAX; i++)
        if (((actions[i].focus_mask & LW_FOCUS_LESSON_ONLY) && !lw_lesson_is_on(help->ex)) ||
            ((focus_of(help->ex) & PANES) && (actions[i].focus_mask & PANES) == PANES))
            help->listed[i] = aside;
    for (size_t i = 0; i < count && i < ACTIONS_MAX; i++)
        help->listed[i] = help->listed[i] || is_useless(help->ex, &actions[i]);
}

static void put_all(struct help *help)
{
    unsigned under = focus_of(help->ex);
    set_aside(help, true);
    for (size_t i = 0; i < GROUP_COUNT; i++)
        if (groups[i].focus & under)
            put_group(help, groups[i].name, groups[i].focus, 0);
    set_aside(help, false);
    put_group(help, under & PANES ? "In every pane" : "With a layout on the screen", PANES, PANES);
    put_views(help);
    for (size_t i = GROUP_COUNT; i-- > 0;) /* an action of two groups is in the later one */
        if (groups[i].focus & LW_FOCUS_LESSON_ONLY)
            put_group(help, groups[i].name, LW_FOCUS_LESSON_ONLY, 0);
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        if (groups[i].focus == LW_FOCUS_EDIT) {
            if (!(under & TYPING))
                put_group(help, "While typing", TYPING, TYPING);
            put_line_keys(help);
        }
        put_group(help, groups[i].name, groups[i].focus, 0);
    }
    for (size_t i = 0; i < help->ex->tables.action_count && i < ACTIONS_MAX; i++)
        if (is_useless(help->ex, &help->ex->tables.actions[i]))
            help->listed[i] = false;
    put_group(help, "Not usable here and now", LW_FOCUS_VIEW, 0);
}

/* As many columns of text as there is room for, up to three. */
static struct lw_rect rect_of(const struct lw_explorer *ex, int *columns)
{
    enum { COLUMN_MIN = 57, COLUMN_MAX = 74, COLUMNS_MAX = 3 };
    struct lw_rect over = lw_panes_over(ex);
    *columns = ex->screen.width / COLUMN_MIN;
    *columns = *columns > COLUMNS_MAX ? COLUMNS_MAX : *columns < 1 ? 1 : *columns;
    if (*columns > 1) {
        over.width =
            ex->screen.width < *columns * COLUMN_MAX ? ex->screen.width : *columns * COLUMN_MAX;
        over.col = (ex->screen.width - over.width) / 2;
    }
    return over;
}

/* The width of one column of text within the frame. */
static int column_width(struct lw_rect over, int columns)
{
    return (over.width - 4 - 2 * (columns - 1)) / columns;
}

bool lw_draw_help_whole(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct help help = {.ex = ex, .surface = surface, .columns = 1};
    int columns;
    struct lw_rect over = rect_of(ex, &columns);
    help.inside = (struct lw_rect){0, 0, 0, column_width(over, columns)};
    if (help.inside.width < 1)
        return false;
    put_all(&help);
    if (!lw_surface_resize(surface, help.line, help.inside.width))
        return false;
    help = (struct help){.ex = ex, .surface = surface, .columns = 1, .inside = help.inside};
    help.inside.height = surface->height;
    put_all(&help);
    return true;
}

void lw_draw_help(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct help help = {.ex = ex, .surface = surface, .top = ex->page.top};
    struct lw_rect over = rect_of(ex, &help.columns);
    help.inside = lw_put_frame(surface, over, "Keys", true);
    help.inside.col++;
    struct lw_rect whole = help.inside;
    help.inside.width = column_width(over, help.columns);
    put_all(&help);
    ex->page.shown = help.inside.height * help.columns - help.gaps;
    int last = help.line - 1 - help.inside.height * help.columns;
    int max = last > 0 ? last : 0;
    if (ex->page.top < 0 || ex->page.top > max) {
        ex->page.top = ex->page.top < 0 ? 0 : max;
        lw_draw_help(ex, surface);
        return;
    }
    if (ex->page.found >= 0)
        lw_surface_mark(surface, whole, ex->prompt.found);
    lw_put_more(surface, over, ex->page.top, max);
}
