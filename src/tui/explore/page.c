/* A page: a text over the screen, scrolled by lines. */

#include "tui/draw/drawing.h"

#include <string.h>

void lw_page_open(struct lw_explorer *ex, const char *title, const char *text)
{
    lw_text_clear(&ex->page.text);
    lw_text_add(&ex->page.text, text);
    snprintf(ex->page.title, sizeof ex->page.title, "%s", title);
    ex->page.top = ex->page.left = 0;
    ex->page.wide = false;
    ex->page.found = -1;
    lw_focus_open(ex, LW_FOCUS_PAGE);
}

int lw_page_width(const struct lw_explorer *ex)
{
    return lw_panes_over(ex).width - 4;
}

/* The column at which a broken line continues: that of its second column, if it has two, else slightly indented. */
static int hanging(const char *line, int width)
{
    int lead = (int)strspn(line, " "), indent = lead + 2;
    for (int i = lead; i < width / 2 && line[i]; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            indent = i + (int)strspn(line + i, " ");
    return indent < width / 2 ? indent : lead + 2 < width / 2 ? lead + 2 : 0;
}

/* Puts a line of the page, broken between words, from row `row` of the text on; returns the rows used. */
static int put_broken(struct lw_surface *surface, struct lw_rect inside, int row, const char *line)
{
    int first = row, indent = 0;
    do {
        bool in_sight = row >= 0 && row < inside.height;
        const char *next =
            lw_put_row(surface, in_sight ? inside.row + row : -1, inside.col + indent,
                       inside.width - indent, lw_pen(LW_PEN_TEXT), line);
        indent = indent ? indent : hanging(line, inside.width);
        line = next;
        row++;
    } while (*line);
    return row - first;
}

/* Puts a line of a table, unbroken, from its column `left` on. */
static int put_whole(struct lw_surface *surface, struct lw_rect inside, int row, int left,
                     const char *line)
{
    for (int bytes; left > 0 && *line; line += bytes)
        left -= lw_text_code_width(lw_text_decode(line, &bytes));
    int half = left < 0; /* only the second half of a wide character is on screen */
    if (row >= 0 && row < inside.height)
        lw_put(surface, inside.row + row, inside.col + half, inside.width - half,
               lw_pen(LW_PEN_TEXT), line);
    return 1;
}

static int widest_line(const char *text)
{
    int widest = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        struct lw_text line = {0};
        lw_text_bytes(&line, text, length);
        int width = (int)lw_text_width(lw_text_string(&line));
        widest = width > widest ? width : widest;
        lw_text_free(&line);
        text += length + (text[length] == '\n');
    }
    return widest;
}

/* Draws the text from row -`top` on, the rows that are on the screen; returns the number of its rows. */
static int put_text(const struct lw_explorer *ex, struct lw_surface *surface, struct lw_rect inside,
                    int top)
{
    struct lw_text line = {0};
    int row = 0;
    for (const char *text = lw_text_string(&ex->page.text); *text;) {
        size_t length = strcspn(text, "\n");
        lw_text_clear(&line);
        lw_text_bytes(&line, text, length);
        row += ex->page.wide
                   ? put_whole(surface, inside, row - top, ex->page.left, lw_text_string(&line))
                   : put_broken(surface, inside, row - top, lw_text_string(&line));
        text += length + (text[length] == '\n');
    }
    lw_text_free(&line);
    return row;
}

static int between(int value, int max)
{
    return value > max && max > 0 ? max : value < 0 || max < 0 ? 0 : value;
}

bool lw_draw_page_whole(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_rect nowhere = {0, 0, 0, lw_page_width(ex)};
    int left = ex->page.left;
    ex->page.left = 0;
    int width = ex->page.wide ? widest_line(lw_text_string(&ex->page.text)) : nowhere.width;
    int rows = width > 0 ? put_text(ex, surface, nowhere, 0) : 0;
    bool good = rows > 0 && lw_surface_resize(surface, rows, width);
    if (good)
        put_text(ex, surface, (struct lw_rect){0, 0, rows, width}, 0);
    ex->page.left = left;
    return good;
}

void lw_draw_page(struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_rect over = lw_panes_over(ex);
    struct lw_rect inside = lw_put_frame(surface, over, ex->page.title, true);
    struct lw_rect nowhere = {0, 0, 0, inside.width - 2};
    inside.col++;
    inside.width -= 2;
    if (inside.width < 1)
        return;
    int max = put_text(ex, surface, nowhere, 0) - inside.height;
    int wide = ex->page.wide ? widest_line(lw_text_string(&ex->page.text)) - inside.width : 0;
    ex->page.top = between(ex->page.top, max);
    ex->page.shown = inside.height;
    ex->page.left = between(ex->page.left, wide);
    put_text(ex, surface, inside, ex->page.top);
    if (ex->page.found >= 0)
        lw_surface_mark(surface, inside, ex->prompt.found);
    lw_put_more(surface, over, ex->page.top, max);
    if (wide > 0 && over.width > 40)
        lw_put(surface, over.row + over.height - 1, over.col + 2, 16, lw_pen(LW_PEN_LABEL),
               ex->page.left < wide ? " wider: Right " : " the edge: Left ");
}
