/* A page: a list of the lines of a text, of any origin. Control characters in it are shown escaped by the surface. */

#include "tui/command/command.h"

#include "core/array_count.h"
#include "core/unused.h"
#include "tui/list.h"

#include <stdlib.h>
#include <string.h>

struct page {
    struct lw_screen screen;
    struct lw_list list;
    struct lw_text title, text;
    const char **lines; /* in `text`; each ends in a NUL */
};

static struct page *page_of(const struct lw_screen *screen)
{
    return (struct page *)screen;
}

static void put_line(void *context, size_t row, LW_UNUSED int column, struct lw_text *text,
                     struct lw_pen *pen)
{
    const char *line = ((const struct page *)context)->lines[row];
    const bool is_heading = !strncmp(line, "# ", 2);
    lw_text_add(text, line + (is_heading ? 2 : 0));
    if (is_heading)
        *pen = lw_tone(LW_TONE_TITLE);
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct page *page = page_of(screen);
    const int head = rect.height > 2 ? 2 : 0;
    if (head)
        lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
               lw_text_string(&page->title));
    lw_list_draw(&page->list, surface,
                 (struct lw_rect){rect.row + head, rect.col, rect.height - head, rect.width});
}

static void close(struct lw_screen *screen)
{
    struct page *page = page_of(screen);
    lw_list_free(&page->list);
    lw_text_free(&page->title);
    lw_text_free(&page->text);
    free(page->lines);
    free(page);
}

static const struct lw_screen_action actions[] = {
    {"up", "Up k", LW_UP_DOWN " scroll", "a line up", lw_screen_move, -1, 0},
    {"down", "Down j", NULL, "a line down", lw_screen_move, 1, 0},
};

const struct lw_screen_type lw_page_screen = {
    .name = "page",
    .actions = actions,
    .action_count = LW_COUNT(actions),
    .list = offsetof(struct page, list),
    .draw = draw,
    .close = close,
};

void lw_page_show(struct lw_app *app, const char *title, const char *text)
{
    static const struct lw_column column = {"", false, 8};
    static const struct lw_list_source source = {&column, 1, put_line, NULL, NULL};
    struct page *page = lw_screen_new(app, &lw_page_screen, sizeof *page);
    size_t room = 1, count = 0;
    if (!page)
        return;
    lw_text_add(&page->title, title);
    lw_text_add(&page->text, text);
    for (; *text; text++)
        room += *text == '\n';
    page->lines = calloc(room, sizeof *page->lines);
    if (!page->lines || page->text.failed) {
        close(&page->screen);
        lw_app_message(app, "out of memory");
        return;
    }
    for (char *at = page->text.data; at && *at;) {
        char *end = at + strcspn(at, "\n");
        page->lines[count++] = at;
        at = *end ? end + 1 : NULL;
        *end = '\0';
    }
    page->list = (struct lw_list){.source = &source, .context = page, .has_focus = true};
    lw_list_changed(&page->list, count);
    lw_app_push(app, &page->screen);
}
