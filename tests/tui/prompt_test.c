/* The prompt, commands, find, help, pages, the first screen. */

#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct session s;

static int teardown(void **state)
{
    (void)state;
    session_close(&s);
    return 0;
}

static const char *last_row(void)
{
    return session_row(&s, s.app.height - 1);
}

/* ---- Commands ---- */

static void set_changes_the_layout(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 120, 30);
    session_command(&s, "set sizePerThread=[1, 8] order=[0, 1]");
    assert_shows(&s, "blocked [1,8] [2,16]");
    assert_shows(&s, "64 registers");
    session_keys(&s, "u"); /* both are one change */
    assert_shows(&s, "32 registers");
    session_command(&s, "set shape=32,64 element=f16");
    assert_shows(&s, "hold 32 x 64");
}

/* The reason is above the piece that is wrong, and the text stays. */
static void an_illegal_value_stays_with_its_reason(void **state)
{
    static const struct {
        const char *text, *wrong, *reason;
    } cases[] = {
        {"set sizePerThread=[1, 3]", "sizePerThread", "must be a power of two"},
        {"set order=[1, 0] sizePerThread=[1, 3]", "sizePerThread", "must be a power of two"},
        {"set sizePer=[1, 4]", NULL, "blocked has no parameter 'sizePer'"},
        {"set order", "order", "expected order=VALUE"},
        {"opeen blocked/16x64", "opeen", "did you mean 'open'"},
        {"target sm91x", NULL, "unknown target 'sm91x'"},
        {"open no/such", NULL, "no/such"},
        {"it.invart()", NULL, "invart"},
        {"view matrix", "view", "no command 'view'"},
        {"save", NULL, "expected save FILE"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int row, col;
        session_open(&s, "blocked/16x64", 120, 30);
        session_command(&s, cases[i].text);
        assert_string_equal(last_row() + 2, cases[i].text);
        assert_shows(&s, cases[i].reason);
        /* Without a place in the text there is no mark. */
        assert_int_equal(session_find(&s, "\xe2\x96\xb2", &row, &col), cases[i].wrong != NULL);
        if (cases[i].wrong) {
            assert_int_equal(row, 28);
            const int at = 2 + (int)(strstr(cases[i].text, cases[i].wrong) - cases[i].text);
            if (col != at)
                fail_msg("%s: column %d, not %d", cases[i].text, col, at);
        }
        assert_shows(&s, "32 registers");
        session_keys(&s, "Esc");
        assert_int_equal(s.app.depth, 1);
        session_close(&s);
    }
}

static void commands_of_the_program_open_as_pages(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 100, 30);
    session_command(&s, "bases it");
    assert_shows(&s, "lane=16 -> (1, 0)");
    session_keys(&s, "Esc");
    session_command(&s, "bases");
    assert_shows(&s, "lane=16 -> (1, 0)");
    session_keys(&s, "Esc");
    session_command(&s, "it == it"); /* one line */
    assert_string_equal(last_row(), "true");
    session_command(&s, "help banks");
    assert_shows(&s, "usage: laneway banks");
    session_keys(&s, "Esc");
    session_command(&s, "help");
    assert_shows(&s, "set NAME=VALUE ...");
    assert_int_equal(s.app.depth, 2);
}

static void it_is_the_layout_on_the_screen(void **state)
{
    (void)state;
    session_open(&s, "(4,8):(8,1)", 100, 30);
    session_command(&s, "calc coalesce(it)");
    assert_string_equal(last_row(), "(4,8):(8,1)");
    session_command(&s, "it == it");
    assert_string_equal(last_row(), "true");
}

static void an_access_gets_its_layouts(void **state)
{
    (void)state;
    session_open(&s, "banks/transpose-row-major", 120, 40);
    session_command(&s, "set shared.vec=1 shared.maxPhase=32");
    assert_shows(&s, "swizzled_shared 1 1 32");
    assert_shows(&s, "no conflicts");
    session_command(&s, "set shared=");
    assert_hides(&s, "swizzled_shared 1 1 32");
    session_keys(&s, "u");
    assert_shows(&s, "no conflicts");
    session_command(&s, "target gfx942");
    assert_shows(&s, "gfx942"); /* has warps of 64 lanes: the layout has 32, and stays */
}

/* ---- Find ---- */

static void find_goes_there_as_one_types(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 120, 30);
    session_type(&s, "/");
    assert_shows(&s, "3,5 an element");
    session_type(&s, "t");
    assert_shows(&s, "3,5 an element"); /* not yet wrong */
    session_type(&s, "17");
    assert_shows(&s, "lane 17");
    assert_shows(&s, "lit: thread");
    assert_shows(&s, "t17: 1 of 32");
    session_keys(&s, "Enter n");
    assert_shows(&s, "t17: 2 of 32");
    assert_shows(&s, "register 1");
    session_type(&s, "/3,5");
    assert_shows(&s, "lane 17, register 5");
    session_keys(&s, "Esc");
    assert_hides(&s, "lit:");
    session_type(&s, "/t99");
    assert_shows(&s, "no thread 99: the last is 31");
    session_keys(&s, "Esc");
    session_type(&s, "/r4");
    session_keys(&s, "Enter");
    assert_shows(&s, "lit: thread");
    session_type(&s, "/bank 7");
    assert_shows(&s, "has no banks");
}

static void find_lights_a_bank(void **state)
{
    (void)state;
    session_open(&s, "shared/nvmma-128", 120, 40);
    session_view(&s, "memory");
    session_type(&s, "/bank 7");
    session_keys(&s, "Enter");
    assert_shows(&s, "lit: bank");
    /* The slot of banks 4-7 in each line, in both panels where there are two. */
    int row, col;
    assert_true(session_find(&s, "4-7", &row, &col));
    const struct lw_glyph *tiles = &s.surface.tiles[(row + 3) * s.surface.width];
    assert_int_equal(tiles[col].pen.kind, LW_TONE_LIT);
    assert_int_equal(tiles[col + 6].pen.kind, LW_TONE_QUIET);
    session_type(&s, "/offset 640");
    assert_shows(&s, "line 10"); /* 64 elements of f16 each */
}

/* ---- Help and pages ---- */

static void help_begins_with_the_commonest(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 100, 40);
    session_keys(&s, "?");
    assert_shows(&s, "What people do most");
    assert_shows(&s, "edit the source");
    assert_shows(&s, "draw the screen again");
    session_type(&s, "/undo"); /* only the lines with it */
    assert_hides(&s, "edit the source");
    session_keys(&s, "Enter Esc Esc");
    assert_hides(&s, "What people do most");
    session_keys(&s, "e F1"); /* while characters are typed ? is one */
    assert_shows(&s, "keep the edited source");
    session_keys(&s, "Esc ?");
    assert_non_null(strstr(session_row(&s, 0), "?"));
    assert_non_null(strstr(last_row(), "F1 help"));
}

/* At most seven hints, help the last of them, at any width that has room for it. */
static void the_line_of_keys_ends_in_help(void **state)
{
    static const char *const sources[] = {NULL, "blocked/16x64", "banks/transpose-row-major"};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        session_open(&s, sources[i], 300, 40);
        int hints = 1;
        for (const char *at = last_row(); (at = strstr(at, "   ")) != NULL; at += 3)
            hints++;
        assert_true(hints <= 7);
        for (int width = 8; width < 120; width += 7) {
            session_resize(&s, width, 24);
            const char *row = last_row();
            assert_string_equal(row + strlen(row) - 6, "? help");
        }
        session_close(&s);
    }
    session_open(&s, NULL, 80, 24);
}

/* ---- The first screen ---- */

static void the_first_screen_previews_its_choices(void **state)
{
    (void)state;
    session_open(&s, NULL, 120, 40);
    assert_shows(&s, "type or paste a layout, a type, an access; or choose");
    assert_shows(&s, "1024 wavefronts, ideal 32");
    session_keys(&s, "Down");
    assert_shows(&s, "no conflicts");
    session_keys(&s, "Enter");
    assert_int_equal(s.app.depth, 2);
    session_keys(&s, "Esc");
    assert_int_equal(s.app.depth, 1);
    assert_shows(&s, "or choose");
    session_keys(&s, "Esc");
    assert_int_equal(s.app.depth, 1);
}

static void the_gallery_is_filtered_as_one_types(void **state)
{
    (void)state;
    session_open(&s, NULL, 120, 40);
    session_keys(&s, "/");
    session_type(&s, "transpose-pad");
    assert_shows(&s, "banks/transpose-padded");
    assert_hides(&s, "A blocked layout");
    session_type(&s, "xyz");
    assert_shows(&s, "no row has this text");
    session_keys(&s, "Backspace Backspace Backspace Enter Enter");
    assert_non_null(strstr(session_row(&s, 0), "banks/transpose-padded"));
    session_keys(&s, "Esc");
    assert_shows(&s, "banks/transpose-padded");
    session_keys(&s, "Esc");
    assert_shows(&s, "A blocked layout");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(set_changes_the_layout, teardown),
        cmocka_unit_test_teardown(an_illegal_value_stays_with_its_reason, teardown),
        cmocka_unit_test_teardown(commands_of_the_program_open_as_pages, teardown),
        cmocka_unit_test_teardown(it_is_the_layout_on_the_screen, teardown),
        cmocka_unit_test_teardown(an_access_gets_its_layouts, teardown),
        cmocka_unit_test_teardown(find_goes_there_as_one_types, teardown),
        cmocka_unit_test_teardown(find_lights_a_bank, teardown),
        cmocka_unit_test_teardown(help_begins_with_the_commonest, teardown),
        cmocka_unit_test_teardown(the_line_of_keys_ends_in_help, teardown),
        cmocka_unit_test_teardown(the_first_screen_previews_its_choices, teardown),
        cmocka_unit_test_teardown(the_gallery_is_filtered_as_one_types, teardown),
    };
    return cmocka_run_group_tests_name("prompt", tests, NULL, NULL);
}
