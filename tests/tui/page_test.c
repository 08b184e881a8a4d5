/* Pages of text and the help: how far PgDn goes; and where messages are drawn. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 12 }; /* of a line of the help, enough to tell it from others */

/* Characters of a row of the screen from a column on. */
static void read_tiles(struct drive *d, int row, int col, char text[KEYS + 1])
{
    for (int i = 0; i < KEYS; i++) {
        uint32_t code = d->surface.tiles[row * d->surface.width + col + i].code;
        text[i] = code > 0 && code < 128 ? (char)code : '~';
    }
    text[KEYS] = '\0';
}

/* PgDn shows the last line of the last column first, of 1, 2 and 3 columns. */
static void page_down_shows_what_follows(void **state)
{
    static const int widths[] = {80, 120, 190}, last_columns[] = {2, 61, 126};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct drive d;
        char first[KEYS + 1], before[KEYS + 1];
        bool found = false;
        drive_open(&d, "start/16x16");
        drive_resize(&d, widths[i], 24);
        drive_keys(&d, "?");
        drive_draw(&d);
        drive_keys(&d, "PgDn");
        drive_draw(&d);
        read_tiles(&d, 2, 2, first);
        drive_keys(&d, "PgUp");
        drive_draw(&d);
        for (int row = 18; row < 22; row++) {
            read_tiles(&d, row, last_columns[i], before);
            found = found || !strcmp(first, before);
        }
        if (!found)
            fail_msg("%d columns: '%s' was not at the end", widths[i], first);
        drive_close(&d);
    }
}

/* A message of one line is in the lower border, whose corners stay; without a border it has the row. */
static void messages_keep_the_border(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_command(&d, "foo");
    assert_shows(&d, "╰─ unknown command 'foo'; :help lists the commands ───");
    const struct lw_glyph *row = &d.surface.tiles[22 * d.surface.width];
    assert_int_equal(row[79].code, 0x256f);
    assert_int_equal(row[78].code, 0x2500);
    drive_close(&d);
    drive_open(&d, "start/16x16");
    drive_fit(&d);
    drive_command(&d, "foo");
    assert_shows(&d, "\n unknown command 'foo'; :help lists the commands");
    drive_close(&d);
    drive_open(&d, "local(3, 4).spatial(2, 3)");
    drive_type(&d, "/3,5");
    drive_keys(&d, "Enter");
    assert_shows(&d, "╰─ product 3,5 ──");
    assert_shows(&d, "── i: all of it ─╯"); /* a short message leaves the mark */
    drive_close(&d);
}

/* The page about an access explains the layout that is chosen. */
static void about_is_of_the_chosen_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-swizzled");
    drive_resize(&d, 120, 60);
    drive_keys(&d, "5 i PgDn");
    assert_shows(&d, "blocked: blocked tiles");
    drive_keys(&d, "Esc x i PgDn");
    assert_hides(&d, "blocked: blocked tiles");
    assert_shows(&d, "swizzled_shared: ");
    drive_keys(&d, "Esc x i PgDn");
    assert_shows(&d, "blocked: blocked tiles");
    drive_close(&d);
}

/* No key is silent: one without a use where the focus is leads to where it has one, or to the keys. */
static void keys_without_a_use_are_reported(void **state)
{
    static const struct {
        const char *source, *before, *key, *message;
    } cases[] = {
        {"start/16x16", "", "Q", "Q has no use here: ? lists the keys"},
        {"start/16x16", "", "Del", "Del has no use here: ? lists the keys"},
        {"start/16x16", "Tab", "m", "m works in the view: Tab leads there"},
        {"start/16x16", "Tab Tab", "x", "x works in the view: Tab leads there"},
        {"start/16x16", "V", "z", "z has no use here: ? lists the keys"},
        {"start/16x16", "i", "m", "m has no use here: ? lists the keys"},
        {"start/16x16", "?", "m", "m has no use here: Esc closes this list of the keys"},
        {"banks/transpose-row-major", "o", "5", "5 works in the view: Esc leads there"},
        {"banks/transpose-row-major", "o", "X", "X works in the view: Esc leads there"},
        {"banks/transpose-row-major", "o", "Q", "Q has no use here: ? lists the keys"},
        {"tests/golden/ttgir/matmul.sm80.ttgir", "", "e", "e needs a layout: Enter leads to one"},
        {"tests/golden/ttgir/matmul.sm80.ttgir", "", "3", "3 needs a layout: Enter leads to one"},
        {"tests/golden/ttgir/matmul.sm80.ttgir", "", "L", "L works in a lesson: :learn lists them"},
        {"tests/golden/ttgir", "", "Tab", "Tab works in a kernel: Enter opens this one"},
        {"tests/golden/ttgir", "", "]", "] works in a kernel: Enter opens this one"},
        {"tests/golden/ttgir", "", "y",
         "y needs a layout: Enter opens the kernel, and there Enter opens one"},
        {"tests/golden/ttgir", "", "z", "z works in a lesson: :learn lists them"},
    };
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_open(&d, cases[i].source);
        lw_job_finish(&d.ex);
        drive_keys(&d, cases[i].before);
        unsigned focus = d.ex.focus;
        drive_keys(&d, cases[i].key);
        assert_shows(&d, cases[i].message);
        assert_int_equal(d.ex.focus, focus);
        drive_keys(&d, "Up");
        assert_hides(&d, cases[i].message);
        drive_close(&d);
    }
    drive_open(&d, "start/16x16");
    drive_keys(&d, "V ?");
    assert_shows(&d, "In the list of views");
    drive_keys(&d, "Esc V");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

static const char *line_of_keys(struct drive *d)
{
    const char *screen = drive_screen(d), *line = screen;
    for (const char *at = screen; (at = strchr(at, '\n')) && at[1]; at++)
        line = at + 1;
    return line;
}

/* Enter, Tab, Esc and ? are on the line of keys at every width that has room for their names alone. */
static void the_first_keys_stay_longest(void **state)
{
    static const struct {
        const char *source, *keys, *first[4];
    } cases[] = {
        {"start/16x16", "", {"Tab", "Enter", "?"}},
        {"start/16x16", "Tab", {"Tab", "Enter", "?", "Esc"}},
        {"start/16x16", "Tab Enter", {"Tab", "Enter", "Esc"}},
        {"start/16x16", ":", {"Tab", "Enter", "Esc"}},
        {"start/16x16", "/", {"Enter", "Esc"}},
        {"start/16x16", "|", {"Tab", "Enter", "?", "Esc"}},
        {"start/16x16", "V", {"Enter", "?", "Esc"}},
        {"start/16x16", "i", {"?", "Esc"}},
        {"start/16x16", "?", {"Esc"}},
        {"start/16x16", "Tab + q q q", {"s", "d", "Esc"}}, /* a question */
        {"tests/golden/ttgir/matmul.sm80.ttgir", "", {"Tab", "Enter", "?"}},
        {"tests/golden/ttgir", "", {"Enter", "?"}},
    };
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_open(&d, cases[i].source);
        lw_job_finish(&d.ex);
        drive_keys(&d, cases[i].keys);
        for (int width = 24; width <= 120; width++) {
            char key[16];
            drive_resize(&d, width, 24);
            const char *line = line_of_keys(&d);
            for (int k = 0; k < 4 && cases[i].first[k]; k++) {
                snprintf(key, sizeof key, " %s", cases[i].first[k]);
                if (!strstr(line, key))
                    fail_msg("'%s' has no%s at %d columns: %s", cases[i].keys, key, width, line);
            }
        }
        drive_close(&d);
    }
    drive_open(&d, "start/16x16"); /* what is selected can be copied */
    drive_keys(&d, "v");
    assert_shows(&d, " y copy ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_keys_stay_longest),
                                       cmocka_unit_test(about_is_of_the_chosen_layout),
                                       cmocka_unit_test(keys_without_a_use_are_reported),
                                       cmocka_unit_test(page_down_shows_what_follows),
                                       cmocka_unit_test(messages_keep_the_border)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
