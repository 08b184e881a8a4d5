/* A page: lines of a text, of any origin. Control characters in it are shown escaped by the surface. */

#include "tui/command/command.h"
#include "core/text_rows.h"

#include "core/array_count.h"
#include "core/unused.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct page {
    struct lw_screen screen;
    struct lw_text title, text;
    const char **lines; /* `count` of them, in `text`; each ends in a NUL */
    size_t count, top;
    int height; /* of the lines, as drawn last */
    char found[64];
    size_t found_at; /* the line of the last match */
};

static struct page *page_of(const struct lw_screen *screen)
{
    return (struct page *)screen;
}

/* ---- Moving ---- */

static void scroll(struct page *page, int64_t rows)
{
    const int64_t last = (int64_t)page->count - page->height;
    int64_t top = (int64_t)page->top + rows;
    page->top = (size_t)(top > last ? (last > 0 ? last : 0) : top < 0 ? 0 : top);
}

static void move(struct lw_screen *screen, int by)
{
    scroll(page_of(screen), by);
}

static void move_page(struct lw_screen *screen, int by)
{
    struct page *page = page_of(screen);
    scroll(page, (int64_t)by * (page->height > 2 ? page->height - 1 : 1));
}

static void move_far(struct lw_screen *screen, int by)
{
    scroll(page_of(screen), by * (int64_t)page_of(screen)->count);
}

static bool on_mouse(struct lw_screen *screen, const struct lw_event *event)
{
    if (event->kind == LW_EVENT_WHEEL)
        scroll(page_of(screen), event->amount);
    return event->kind == LW_EVENT_WHEEL;
}

static void copy(struct lw_screen *screen, LW_UNUSED int argument)
{
    const struct page *page = page_of(screen);
    for (size_t i = 0; i < page->count; i++)
        lw_text_format(&screen->app->copied, "%s\n", page->lines[i]);
    lw_app_message(screen->app, "copied: %zu lines", page->count);
}

/* ---- Finding ---- */

static const char *match(const char *line, const char *text)
{
    size_t length = strlen(text);
    for (; length && *line; line++)
        if (!strncasecmp(line, text, length))
            return line;
    return NULL;
}

static bool find(struct lw_screen *screen, const char *text, struct lw_error *err)
{
    struct page *page = page_of(screen);
    const size_t first = text ? page->top : page->found_at + 1;
    if (text)
        snprintf(page->found, sizeof page->found, "%s", text);
    if (!page->found[0])
        return text || lw_error_set(err, LW_ERROR_NAME, "nothing was searched for: / does");
    for (size_t i = 0; i < page->count; i++) {
        size_t line = (first + i) % page->count;
        if (!match(page->lines[line], page->found))
            continue;
        page->found_at = line;
        if (line < page->top || line >= page->top + (size_t)page->height)
            scroll(page, (int64_t)line - (int64_t)page->top - page->height / 3);
        return true;
    }
    return lw_error_set(err, LW_ERROR_NAME, "no line has this text");
}

/* ---- Drawing ---- */

static void draw_line(const struct page *page, struct lw_surface *surface, int row, int col,
                      int width, const char *line)
{
    const bool is_heading = !strncmp(line, "# ", 2);
    const char *shown = line + (is_heading ? 2 : 0);
    lw_put(surface, row, col, width, lw_tone(is_heading ? LW_TONE_TITLE : LW_TONE_TEXT), shown);
    const size_t length = strlen(page->found);
    for (const char *at = shown; (at = match(at, page->found)) != NULL; at += length) {
        char piece[sizeof page->found], before[1024];
        snprintf(piece, sizeof piece, "%.*s", (int)length, at);
        snprintf(before, sizeof before, "%.*s", (int)(at - shown), shown);
        int from = (int)lw_text_width(before);
        if (from < width)
            lw_put(surface, row, col + from, width - from, lw_tone(LW_TONE_FOUND), piece);
    }
}

static void draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct page *page = page_of(screen);
    page->height = rect.height > 2 ? rect.height - 2 : 1;
    scroll(page, 0);
    if (rect.height > 2)
        lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_TITLE),
               lw_text_string(&page->title));
    for (int i = 0; i < page->height && page->top + (size_t)i < page->count; i++)
        draw_line(page, surface, rect.row + (rect.height > 2 ? 2 : 0) + i, rect.col, rect.width,
                  page->lines[page->top + (size_t)i]);
    size_t below = page->count - page->top;
    if (rect.height > 2 && below > (size_t)page->height) {
        char more[40];
        snprintf(more, sizeof more, "%zu more lines", below - (size_t)page->height);
        int wide = (int)strlen(more);
        if (wide + (int)lw_text_width(lw_text_string(&page->title)) + 2 <= rect.width)
            lw_put(surface, rect.row, rect.col + rect.width - wide, wide, lw_tone(LW_TONE_FAINT),
                   more);
    }
}

static void close(struct lw_screen *screen)
{
    struct page *page = page_of(screen);
    lw_text_free(&page->title);
    lw_text_free(&page->text);
    free(page->lines);
    free(page);
}

static const struct lw_screen_action actions[] = {
    {"page-up", "PgUp", NULL, "a page up", move_page, -1, 0},
    {"page-down", "PgDn Space", NULL, "a page down", move_page, 1, 0},
    {"up", "Up k", "scroll", "a line up", move, -1, 0},
    {"down", "Down j", "scroll", "a line down", move, 1, 0},
    {"start", "Home", NULL, "to the start", move_far, -1, 0},
    {"end", "End", NULL, "to the end", move_far, 1, 0},
    {"copy", "y", "copy", "copy the page to the clipboard", copy, 0, 0},
};

const struct lw_screen_type lw_page_screen = {
    .name = "page",
    .actions = actions,
    .action_count = LW_COUNT(actions),
    .draw = draw,
    .mouse = on_mouse,
    .find = find,
    .find_help = "a text",
    .close = close,
};

/* ---- Opening ---- */

/* Splits the text into lines. */
static bool split(struct page *page)
{
    const char *text = lw_text_string(&page->text);
    size_t room = 1;
    for (const char *at = text; *at; at++)
        room += *at == '\n';
    page->lines = calloc(room, sizeof *page->lines);
    if (!page->lines || page->text.failed)
        return false;
    for (char *at = page->text.data; at && *at;) {
        char *end = at + strcspn(at, "\n");
        page->lines[page->count++] = at;
        at = *end ? end + 1 : NULL;
        *end = '\0';
    }
    return true;
}

void lw_page_show(struct lw_app *app, const char *title, const char *text)
{
    struct page *page = lw_screen_new(app, &lw_page_screen, sizeof *page);
    if (!page)
        return;
    lw_text_add(&page->title, title);
    lw_text_add(&page->text, text);
    if (split(page)) {
        lw_app_push(app, &page->screen);
    } else {
        close(&page->screen);
        lw_app_message(app, "out of memory");
    }
}
