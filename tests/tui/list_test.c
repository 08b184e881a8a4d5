/* The list of layouts: filtered while typing, folded by groups, with its position; results of the calculator in it. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* In a list that is filtered, what is no name is looked for in the layout on the screen. */
static void elements_are_found_in_a_filtered_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "/");
    drive_type(&d, "blocked/16x64");
    drive_keys(&d, "Enter");
    size_t shown = d.ex.list.entry;
    assert_string_equal(d.ex.list.entries[shown].source, "blocked/16x64");
    drive_keys(&d, "/");
    drive_type(&d, "3,5");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.list.entry, shown);
    assert_string_equal(drive_element(&d), "3,5");
    assert_shows(&d, "warp 0, lane 17, register 5");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

static const char *shown_source(const struct drive *d)
{
    return d->ex.list.entries[d->ex.list.entry].source;
}

/* A name that begins with the text comes before one that has it inside, and that before a title. */
static void the_best_match_is_shown(void **state)
{
    static const struct {
        const char *text, *source;
    } cases[] = {{"blocked", "blocked/"},
                 {"SWIZZLE", "swizzle/"},
                 {"gluon", "blocked/gluon-128x128"},
                 {"lesson 3", "blocked"},
                 {"banks", "banks/"}};
    const struct lw_tui_options options = {.start = "start/16x16"}; /* as a user has it */
    struct drive d;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        drive_open_with(&d, NULL, &options);
        drive_keys(&d, "/");
        drive_type(&d, cases[i].text);
        assert_int_equal(strncmp(shown_source(&d), cases[i].source, strlen(cases[i].source)), 0);
        drive_keys(&d, "Enter");
        assert_int_equal(strncmp(shown_source(&d), cases[i].source, strlen(cases[i].source)), 0);
        drive_close(&d);
    }
}

/* Up and Down go through what the filter leaves while it is typed; Enter stays there, and Esc leads back. */
static void matches_are_stepped_through(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    size_t before = d.ex.list.entry;
    drive_keys(&d, "/");
    drive_type(&d, "blocked/");
    size_t first = d.ex.list.entry;
    drive_keys(&d, "Down Down");
    assert_int_equal(d.ex.list.entry, first + 2);
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "blocked/");
    drive_keys(&d, "Up Enter");
    assert_int_equal(d.ex.list.entry, first + 1);
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_keys(&d, "Esc / Up"); /* without a text, what was typed before: it filters again */
    assert_string_equal(lw_text_string(&d.ex.prompt.line.text), "blocked/");
    assert_shows(&d, ": 'blocked/'");
    drive_keys(&d, "Esc g / b Down Esc");
    assert_int_equal(d.ex.list.entry, before);
    drive_close(&d);
}

static void typing_filters(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    size_t before = d.ex.list.entry;
    drive_keys(&d, "/");
    drive_type(&d, "SWIZZLE/");
    assert_shows(&d, ": 'SWIZZLE/'");
    for (size_t i = 0; i < d.ex.list.count; i++)
        if (strncmp(d.ex.list.entries[i].source, "swizzle/", 8) == 0)
            assert_true(lw_list_shows(&d.ex, i));
    assert_false(lw_list_shows(&d.ex, before));
    drive_keys(&d, "Enter");
    size_t first = d.ex.list.entry;
    assert_int_equal(strncmp(d.ex.list.entries[first].source, "swizzle/", 8), 0);
    drive_keys(&d, "Down");
    assert_true(lw_list_matches(&d.ex, d.ex.list.entry, "swizzle/"));
    drive_keys(&d, "G g");
    assert_int_equal(d.ex.list.entry, first);
    drive_keys(&d, "Esc"); /* the filter ends, the layout stays */
    assert_int_equal(d.ex.list.entry, first);
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    assert_hides(&d, ": '");
    drive_keys(&d, "/");
    drive_type(&d, "no layout has this");
    assert_shows(&d, "none: 'no layout");
    drive_keys(&d, "Esc");
    assert_hides(&d, ": '");
    assert_int_equal(d.ex.list.entry, first); /* as before the filter */
    drive_close(&d);
}

/* The picture beside the list is zoomed from there, as the welcome text of the first entry says. */
static void the_picture_is_zoomed_from_the_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_resize(&d, 120, 40);
    drive_fit(&d);
    drive_keys(&d, "/");
    drive_type(&d, "start/16x16");
    drive_keys(&d, "Enter Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    assert_shows(&d, "or with + the warp");
    assert_hides(&d, "w0 l0 r1");
    drive_keys(&d, "+");
    assert_shows(&d, "w0 l0 r1");
    drive_keys(&d, "-");
    assert_hides(&d, "w0 l0 r1");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_close(&d);
}

/* What begins as a part of a name may end as an element: it is one of the layout that was shown before. */
static void an_element_is_of_the_layout_shown(void **state)
{
    static const char *const queries[] = {"5,7", "w1 l13", "t17"};
    (void)state;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        struct drive d;
        drive_open(&d, NULL);
        drive_keys(&d, "/");
        drive_type(&d, "start/16x16");
        drive_keys(&d, "Enter Esc");
        size_t shown = d.ex.list.entry;
        drive_keys(&d, "/");
        assert_shows(&d, "or 3,5 of the layout shown");
        drive_type(&d, queries[i]);
        assert_shows(&d, "Enter: find '");
        assert_int_equal(d.ex.list.entry, shown);
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.list.entry, shown);
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        if (i == 0)
            assert_string_equal(drive_element(&d), "5,7");
        assert_shows(&d, "n next");
        drive_resize(&d, 120, 40); /* beside the list there is room for a part of the legend */
        assert_shows(&d, "is lit: h dims the rest");
        assert_hides(&d, "anot…");
        drive_close(&d);
    }
}

/* The header has the name of what was computed; the answer itself is said, too. */
static void the_answer_is_shown(void **state)
{
    static const char *const cases[][3] = {
        {"(4,8):(8,1)", "it.complement(64)", "it.complement(64) = 2:32"},
        {"((2,2),(2,4)):((1,2),(4,8))", "it.coalesce()", "it.coalesce() = 32:1"},
        {"local(2, 1).spatial(8, 4)", "it(1,1)", "'it' is a layout, and only those of CuTe"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, cases[i][0]);
        drive_command(&d, cases[i][1]);
        assert_shows(&d, cases[i][2]);
        drive_close(&d);
    }
}

static void groups_fold(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    size_t rows = lw_list_rows(&d.ex, d.ex.list.count);
    assert_int_equal(rows, d.ex.list.count);
    size_t group = lw_list_group(&d.ex.list, d.ex.list.entry);
    assert_true(group > 1);
    drive_keys(&d, "Down Left");
    assert_int_equal(lw_list_rows(&d.ex, d.ex.list.count), rows - group + 1);
    assert_shows(&d, "+ banks: ");
    size_t entry = d.ex.list.entry;
    drive_keys(&d, "Down");
    assert_int_not_equal(strncmp(d.ex.list.entries[d.ex.list.entry].source, "banks/", 6), 0);
    assert_shows(&d, "+ banks: ");
    drive_keys(&d, "Up Right");
    assert_int_equal(lw_list_rows(&d.ex, d.ex.list.count), rows);
    drive_keys(&d, "Left /");
    drive_type(&d, d.ex.list.entries[entry].source); /* a filter finds what is folded */
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.list.entry, entry);
    drive_close(&d);
}

static void the_position_is_shown(void **state)
{
    struct drive d;
    char title[48];
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "g Down Down");
    snprintf(title, sizeof title, "Layouts 3 of %zu", d.ex.list.count);
    assert_shows(&d, title);
    for (int height = 6; height < 30; height += 5) {
        drive_resize(&d, 80, height);
        drive_keys(&d, "G");
        drive_draw(&d);
        drive_keys(&d, "Left g");
        drive_draw(&d);
        drive_click(&d, height / 2, 4);
    }
    drive_close(&d);
}

/* `it` is the layout in its own system; a layout that is computed is an entry, anything else a message. */
static void it_is_in_its_system(void **state)
{
    static const struct {
        const char *source, *line, *type, *shows;
    } cases[] = {
        {"((2,2),(2,4)):((1,2),(4,8))", "it.coalesce()", "cute", "32:1"},
        {"(4,8):(8,1)", "it(2,3)", NULL, "it(2,3) = 19"}, /* 2 * 8 + 3 * 1 */
        {"(4,8):(8,1)", "size(it)", NULL, "size(it) = 32"},
        {"local(2, 1).spatial(8, 4).local(1, 2)", "it / local(1, 2)", "RegisterLayout", "[16, 4]"},
        {"local(2, 1).spatial(8, 4)", "it * local(1, 2) == local(2, 1).spatial(8, 4).local(1, 2)",
         NULL, "true"},
        {"spatial(4, 8).local(2, 1)", "it / local(2, 1)", "RegisterLayout", "[4, 8]"},
        {"spatial(4, 8).local(2, 1)", "it / spatial(4, 8)", NULL, "none: there is no quotient"},
        {"local(2, 1).spatial(4, 8)", "it / spatial(4, 8)", "RegisterLayout", "[2, 1]"},
        {"blocked/16x64", "it / local(2, 1)", NULL, "'it' is not a layout of tilus"},
        {"local(3, 4)", "it.spatial(2, 2)", "spatial", "spatial"},
        {"blocked/16x64", "it.isInvertible()", NULL, "true"},
        {"blocked/16x64", "2+3", NULL, "2+3 = 5"},
        {"blocked/16x64", "2 + 3", NULL, "2 + 3 = 5"},
        {"blocked/16x64", "7-3", NULL, "7-3 = 4"},
        {"blocked/16x64", "_7 / _2", NULL, "_7 / _2 = _3"},
        {"blocked/16x64", "7 % 4", NULL, "7 % 4 = 3"},
        {"blocked/16x64", "_3 + 3", NULL, "_3 + 3 = 6"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open(&d, cases[i].source);
        size_t count = d.ex.list.count;
        drive_command(&d, cases[i].line);
        assert_int_equal(d.ex.list.count, count + (cases[i].type != NULL));
        if (cases[i].type) {
            struct lw_text source = {0};
            lw_encoding_print(&source, lw_explorer_entry(&d.ex)->doc->encoding);
            if (!strstr(lw_text_string(&source), cases[i].shows))
                fail_msg("%s gives %s", cases[i].line, lw_text_string(&source));
            lw_text_free(&source);
            drive_keys(&d, "Esc");
            assert_int_equal(d.ex.list.entry, 0);
        } else {
            assert_ptr_equal(strstr(d.ex.status.message, cases[i].shows), d.ex.status.message);
        }
        drive_close(&d);
    }
}

static void names_keep_their_system(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "(4,8):(8,1)");
    drive_command(&d, "let A=(2,2):(1,4)");
    assert_shows(&d, "A is (2,2):(1,4)");
    drive_command(&d, "composition(it, A)");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->encoding->type->name, "cute");
    drive_command(&d, "let A=(2,2):(2,1)"); /* another one of that name */
    drive_command(&d, "A(1,1)");
    assert_string_equal(d.ex.status.message, "A(1,1) = 3");
    drive_close(&d);
}

/* A line of its own is where the lessons begin, and where they end; it is no entry. */
static void lessons_are_set_apart(void **state)
{
    const struct lw_tui_options options = {.lessons = true, .writes_nothing = true};
    struct drive d;
    (void)state;
    drive_open_with(&d, NULL, &options);
    drive_resize(&d, 120, 40);
    assert_shows(&d, "│ lesson 1: ");
    assert_shows(&d, "│ lesson 18: ");
    assert_shows(&d, "├─ layouts ──");
    drive_resize(&d, 80, 24);
    for (size_t i = 0; i < 40; i++) { /* what is chosen stays in sight */
        const struct lw_entry *entry = lw_explorer_entry(&d.ex);
        assert_shows(&d, entry->label[0] ? entry->label : entry->source);
        drive_keys(&d, "Down");
    }
    drive_keys(&d, "g");
    drive_resize(&d, 120, 40);
    drive_draw(&d);
    int row = 1;
    while (d.ex.list.entries[row].lesson)
        row++;
    size_t entry = d.ex.list.entry;
    drive_click(&d, 3 + row, 5); /* the line between them */
    assert_int_equal(d.ex.list.entry, entry);
    drive_click(&d, 4 + row, 5);
    assert_int_equal(d.ex.list.entry, row);
    drive_close(&d);
}

/* The folder of a group is plain at its first row, and faint at the others. */
static void groups_are_told_apart(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "g Down Down");
    drive_resize(&d, 120, 40);
    assert_int_equal(drive_tile(&d, "blocked/16x32-for")->pen.kind, LW_PEN_TEXT);
    assert_int_equal(drive_tile(&d, "blocked/16x64")->pen.kind, LW_PEN_FAINT);
    assert_int_equal(drive_tile(&d, "16x64 ")->pen.kind, LW_PEN_TEXT);
    assert_int_equal(drive_tile(&d, "broadcast/2x8-as")->pen.kind, LW_PEN_TEXT);
    assert_shows(&d, "←→ fold");
    assert_hides(&d, "P fold");
    drive_close(&d);
}

/* The list beside a picture is narrow where the picture then has more text. */
static void it_shrinks_before_the_picture(void **state)
{
    static const struct {
        const char *name;
        bool narrow;
    } cases[] = {{"mma/mfma-32x32x8", true}, {"start/16x16", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct lw_tui_options options = {.start = cases[i].name};
        struct drive d;
        struct lw_panes panes;
        drive_open_with(&d, NULL, &options);
        drive_resize(&d, 200, 60);
        drive_fit(&d);
        lw_panes(&d.ex, &panes);
        assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
        assert_int_equal(panes.list.width, cases[i].narrow ? 21 : 40);
        assert_true(d.ex.panes.active->zoom < LW_ZOOM_TWO);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_match_is_shown),
        cmocka_unit_test(matches_are_stepped_through),
        cmocka_unit_test(typing_filters),
        cmocka_unit_test(elements_are_found_in_a_filtered_list),
        cmocka_unit_test(the_picture_is_zoomed_from_the_list),
        cmocka_unit_test(groups_fold),
        cmocka_unit_test(the_position_is_shown),
        cmocka_unit_test(it_is_in_its_system),
        cmocka_unit_test(names_keep_their_system),
        cmocka_unit_test(an_element_is_of_the_layout_shown),
        cmocka_unit_test(the_answer_is_shown),
        cmocka_unit_test(lessons_are_set_apart),
        cmocka_unit_test(groups_are_told_apart),
        cmocka_unit_test(it_shrinks_before_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
