/* A page: a text over the screen, scrolled by lines. */

#include "tui/drawing.h"

#include <string.h>

void lw_page_open(struct lw_explorer *ex, const char *title, const char *text)
{
    lw_text_clear(&ex->page);
    lw_text_add(&ex->page, text);
    snprintf(ex->page_title, sizeof ex->page_title, "%s", title);
    ex->help_top = 0;
    if (ex->place != LW_AT_PAGE)
        ex->under = ex->place;
    ex->place = LW_AT_PAGE;
}

void lw_page_about(struct lw_explorer *ex, int unused)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    struct lw_text text = {0};
    (void)unused;
    if (!entry->loaded)
        return;
    for (int i = 0; i < ex->explanation.count; i++)
        lw_text_row(&text, ex->explanation.line[i].label, 10,
                    lw_text_string(&ex->explanation.line[i].text));
    if (ex->explanation.count)
        lw_text_char(&text, '\n');
    if (entry->doc.title[0])
        lw_text_format(&text, "%s\n\n", entry->doc.title);
    if (entry->doc.about[0]) {
        lw_text_paragraphs(&text, entry->doc.about);
        lw_text_char(&text, '\n');
    }
    struct lw_text source = {0};
    lw_explorer_source(ex, &source);
    lw_text_add(&text, "Source:\n  ");
    lw_text_wrap(&text, lw_text_string(&source), 4, 2);
    lw_text_free(&source);
    lw_text_char(&text, '\n');
    lw_encoding_help(&text, entry->doc.encoding->type);
    lw_page_open(ex, "About", lw_text_string(&text));
    lw_text_free(&text);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text += strcspn(text, "\n") + (strchr(text, '\n') != NULL))
        lines++;
    return lines;
}

void lw_draw_page(struct lw_explorer *ex, struct lw_surface *surface)
{
    const char *text = lw_text_string(&ex->page);
    struct lw_rect inside = lw_put_frame(surface, lw_panes_over(ex), ex->page_title, true);
    int most = count_lines(text) - inside.height;
    ex->help_top = ex->help_top > most ? most : ex->help_top;
    ex->help_top = ex->help_top < 0 ? 0 : ex->help_top;
    lw_put_more(surface, lw_panes_over(ex), ex->help_top, most);
    for (int line = 0; *text && line < ex->help_top + inside.height; line++) {
        char shown[512];
        size_t length = strcspn(text, "\n");
        snprintf(shown, sizeof shown, "%.*s", (int)(length < 511 ? length : 511), text);
        if (line >= ex->help_top)
            lw_put(surface, inside.row + line - ex->help_top, inside.col + 1, inside.width - 2,
                   lw_pen(LW_PEN_TEXT), shown);
        text += length + (text[length] == '\n');
    }
}
