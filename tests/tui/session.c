/* The explorer under test without a terminal. */

#include "session.h"
#include "tui/terminal/terminal.h"
#include "core/text_rows.h"

#include "cli/command/commands.h"
#include "tui/picture/picture.h"
#include "cli/shell.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void open_with(struct session *s, const char *source, const char *lesson, int width,
                      int height)
{
    static struct lw_tui_shell shell;
    struct lw_error err = {0};
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* what the user keeps is not read */
    setenv("XDG_CONFIG_HOME", "/dev/null", 1);
    memset(s, 0, sizeof *s);
    shell = lw_shell(&lw_laneway);
    s->source = source;
    s->options = (struct lw_tui_options){.sources = &s->source,
                                         .count = source != NULL,
                                         .lesson = lesson,
                                         .shell = &shell,
                                         .writes_nothing = true};
    if (!lw_app_open(&s->app, &s->options, &err))
        fail_msg("%s: %s", source ? source : lesson ? lesson : "the first screen", err.message);
    session_resize(s, width, height);
}

void session_open(struct session *s, const char *source, int width, int height)
{
    open_with(s, source, NULL, width, height);
}

void session_open_lesson(struct session *s, const char *lesson, int width, int height)
{
    open_with(s, NULL, lesson, width, height);
}

void session_close(struct session *s)
{
    lw_app_close(&s->app);
    lw_surface_free(&s->surface);
    lw_text_free(&s->text);
}

static void send(struct session *s, struct lw_event event)
{
    if (s->app.quit)
        return;
    lw_app_event(&s->app, &event);
    if (!s->app.quit) /* as for a user, for whom a key acts on what is drawn */
        lw_app_draw(&s->app, &s->surface);
}

void session_keys(struct session *s, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, " ");
        uint32_t key = lw_key_of_name(names, length);
        if (!key)
            fail_msg("%.*s is not a key", (int)length, names);
        send(s, (struct lw_event){.kind = LW_EVENT_KEY, .key = key});
        names += length;
        names += strspn(names, " ");
    }
}

void session_type(struct session *s, const char *text)
{
    for (int bytes; *text; text += bytes)
        send(s, (struct lw_event){.kind = LW_EVENT_KEY, .key = lw_text_decode(text, &bytes)});
}

void session_paste(struct session *s, const char *text)
{
    send(s, (struct lw_event){.kind = LW_EVENT_PASTE, .text = text});
}

void session_resize(struct session *s, int width, int height)
{
    send(s, (struct lw_event){.kind = LW_EVENT_RESIZE, .row = height, .col = width});
}

void session_mouse(struct session *s, enum lw_event_kind kind, int row, int col, int amount)
{
    send(s, (struct lw_event){.kind = kind, .row = row, .col = col, .amount = amount});
}

void session_tick(struct session *s)
{
    const struct lw_screen *top = lw_screen_inner(lw_app_top(&s->app));
    const int64_t at = top->type->tick_at ? top->type->tick_at(top) : 0;
    while (lw_now_ms() < at)
        poll(NULL, 0, 1);
    send(s, (struct lw_event){.kind = LW_EVENT_TICK});
}

void session_command(struct session *s, const char *line)
{
    session_type(s, ":");
    session_type(s, line);
    session_keys(s, "Enter");
}

void session_view(struct session *s, const char *name)
{
    struct lw_screen *top = lw_app_top(&s->app);
    assert_true(lw_layout_set_view(top->type->layout(top), lw_picture_named(name)));
    lw_app_draw(&s->app, &s->surface);
}

/* ---- The screen ---- */

static void check_tiles(const struct lw_surface *surface)
{
    for (int i = 0; i < surface->height * surface->width; i++) {
        const struct lw_glyph tile = surface->tiles[i];
        const bool is_last = i % surface->width == surface->width - 1;
        assert_true(tile.pen.kind < LW_TONE_COUNT);
        /* No control characters; the second half of a wide one behind its first, and nowhere else. */
        assert_true(tile.code || i % surface->width > 0);
        assert_int_equal(lw_text_code_width(tile.code) == 2,
                         !is_last && surface->tiles[i + 1].code == 0);
        assert_true(!tile.code || (tile.code >= 32 && tile.code < 0x110000 &&
                                   !(tile.code >= 127 && tile.code < 160)));
        assert_true(!surface->ascii || (tile.code && tile.code < 127));
    }
    assert_in_range(surface->cursor_row + 1, 0, surface->height);
    assert_in_range(surface->cursor_col + 1, 0, surface->width);
}

const char *session_screen(struct session *s)
{
    s->surface.ascii = s->options.ascii;
    lw_app_finish_work(&s->app);
    lw_app_draw(&s->app, &s->surface);
    assert_int_equal(s->surface.height, s->app.height);
    assert_int_equal(s->surface.width, s->app.width);
    check_tiles(&s->surface);
    lw_text_clear(&s->text);
    lw_surface_print(&s->text, &s->surface);
    return lw_text_string(&s->text);
}

const char *session_row(struct session *s, int row)
{
    session_screen(s);
    char *line = s->text.data;
    for (; row > 0; row--)
        line = strchr(line, '\n') + 1;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

bool session_find(struct session *s, const char *text, int *row, int *col)
{
    const char *screen = session_screen(s), *found = strstr(screen, text);
    *row = *col = 0;
    for (int bytes; found && screen < found; screen += bytes) {
        const uint32_t code = lw_text_decode(screen, &bytes);
        *row += code == '\n';
        *col = code == '\n' ? 0 : *col + lw_text_code_width(code);
    }
    return found != NULL;
}

struct lw_pen session_pen(struct session *s, const char *text)
{
    int row, col;
    if (!session_find(s, text, &row, &col))
        session_assert(s, text, true, __FILE__, __LINE__);
    return s->surface.tiles[row * s->surface.width + col].pen;
}

int session_count(struct session *s, enum lw_tone tone)
{
    int count = 0;
    session_screen(s);
    for (int i = 0; i < s->surface.height * s->surface.width; i++)
        count += s->surface.tiles[i].pen.kind == tone;
    return count;
}

void session_assert(struct session *s, const char *text, bool shown, const char *file, int line)
{
    const char *screen = session_screen(s);
    if ((strstr(screen, text) != NULL) == shown)
        return;
    fprintf(stderr, "%s\n%s:%d: \"%s\" is %s the screen above\n", screen, file, line, text,
            shown ? "not on" : "on");
    fail();
}
