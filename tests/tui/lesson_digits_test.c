/* Lessons: numbers in digits and the questions that follow them. */

#include "lesson_kinds_parts.h"

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Numbers in digits ---- */

/* The lesson with these keys and one step, a column of 32 wavefronts a load; whether it is proven. */
static bool prove_numbers(const char *lesson, const char *step, struct lw_report *report)
{
    static char path[300];
    struct lw_text text = {0};
    *report = (struct lw_report){0};
    lw_text_format(&text,
                   "{\"lesson\": \"x\", %s \"steps\": [{" TILE ", \"do\": \"d\", \"goal\": "
                   "{\"load-wavefronts\": 32}, \"solution\": [\"set maxPhase=32 vec=1\"], %s}]}",
                   lesson, step);
    snprintf(path, sizeof path, "%s/numbers.json", drive_folder);
    assert_true(lw_file_write(path, lw_text_string(&text), NULL));
    lw_text_free(&text);
    return lw_lesson_prove(path, report, NULL);
}

static void numbers_in_digits(void **state)
{
    static const struct {
        const char *lesson, *step, *message; /* NULL: it is proven */
    } rows[] = {
        {"\"learnt\": \"99\",", "\"text\": \"t\", \"hints\": [\"98\"]",
         "the number 99 in 'learnt' is not proven"},
        {"\"learnt\": \"y\",", "\"text\": \"99 f16\", \"hints\": [\"lane 98\"]",
         "the number 99 in 'text' is not proven"},
        {"\"learnt\": \"y\",",
         "\"text\": \"lane 99 f16 [7, 8] 0b101\", \"hints\": [\"98\"], \"labels\": [98, 99, 5]",
         NULL},
        {"\"learnt\": \"lane 98\", \"labels\": [98],",
         "\"text\": \"t\", \"hints\": [\"98\"], \"labels\": [98]", NULL},
        {"\"learnt\": \"lane 98\", \"labels\": [98],", "\"text\": \"t\", \"hints\": [\"98\"]",
         "the number 98 in 'hints' is not proven"},
        {"\"learnt\": \"y\",", "\"text\": \"lane 9\", \"hints\": [\"h\"], \"labels\": [9, 10]",
         "this step: label 10 proves no number"},
        {"\"learnt\": \"y\", \"labels\": [7],", "\"text\": \"t\", \"hints\": [\"h\"]",
         "the lesson: label 7 proves no number"},
        {"\"learnt\": \"y\",",
         "\"text\": \"32 rows\", \"hints\": [\"h\"], \"before\": {\"rows\": 32}, \"labels\": [32]",
         "this step: label 32 proves no number"},
        {"\"learnt\": \"y\",", "\"text\": \"99\", \"hints\": [\"h\"], \"labels\": [9]",
         "the number 99 in 'text'"},
        {"\"learnt\": \"y\",",
         "\"text\": \"99 f16 0x7\", \"hints\": [\"h\"], \"numbers\": {\"99\": \"100 - 1\"}",
         "the number 0 in 'text' is not proven"},
        {"\"learnt\": \"y\",", "\"text\": \"31 wavefronts\", \"hints\": [\"h\"], \"numbers\": {}",
         "the number 31 in 'text' is not proven: write a marker, add it to 'numbers', "
         "'before', 'goal' or 'after', or to 'labels' if it only names something"},
        {"\"learnt\": \"y\",", "\"text\": \"1024 wavefronts\", \"hints\": [\"h\"], \"numbers\": {}",
         "the number 1024 in 'text' is not proven: write {elements}, if it means that, add it"},
        {"\"learnt\": \"y\",",
         "\"text\": \"31 wavefronts\", \"hints\": [\"h\"], \"numbers\": {\"31\": \"load-each\"}",
         "'numbers': 'load-each' is 32, not 31"},
        {"\"learnt\": \"y\",",
         "\"text\": \"t\", \"hints\": [\"h\"], \"numbers\": {\"4\": \"lane of 99,0\"}",
         "'numbers': 'lane of 99,0' has no value here"},
        {"\"learnt\": \"y\",",
         "\"text\": \"1024 in all, 32 by 32 or 32x32\", \"hints\": [\"h\"], \"before\": "
         "{\"rows\": 32}, \"numbers\": {\"1024\": \"load-each * 32\"}",
         NULL},
        {"\"learnt\": \"y\",",
         "\"text\": \"32x33\", \"hints\": [\"h\"], \"before\": {\"rows\": 32}, \"numbers\": {}",
         "the number 33 in 'text'"},
        {"\"learnt\": \"y\",",
         "\"text\": \"31\", \"hints\": [\"h\"], \"before\": {\"rows\": \">= 31\"}, \"numbers\": {}",
         "the number 31 in 'text'"},
        {"\"learnt\": \"y\",", "\"text\": \"{{1.5 x\", \"hints\": [\"h\"], \"numbers\": {}",
         "the number 1.5 in 'text'"},
        /* The command that solves it may be quoted, another one may not. */
        {"\"learnt\": \"y\",",
         "\"text\": \"{load-each} {7}\", \"hints\": [\"Type :set maxPhase=32 vec=1.\"], "
         "\"numbers\": {}",
         NULL},
        {"\"learnt\": \"y\",",
         "\"text\": \"t\", \"hints\": [\":set maxPhase=32 vec=16\"], \"numbers\": {}",
         "the number 16 in 'hints'"},
        {"\"learnt\": \"y\",",
         "\"text\": \"t\", \"hints\": [\"h\"], \"done\": \"2\", \"numbers\": {}",
         "the number 2 in 'done'"},
        /* Those of the lesson are for all texts. */
        {"\"learnt\": \"5 bits\", \"numbers\": {\"5\": \"log2(load-each)\"},",
         "\"text\": \"5\", \"hints\": [\"h\"]", NULL},
        {"\"learnt\": \"6 bits\", \"numbers\": {},", "\"text\": \"t\", \"hints\": [\"h\"]",
         "the number 6 in 'learnt' is not proven"},
        {"\"learnt\": \"y\", \"numbers\": {\"6\": \"log2(load-each)\"},",
         "\"text\": \"t\", \"hints\": [\"h\"]", "'numbers': 'log2(load-each)' is 5, not 6"},
        {"\"learnt\": \"y\", \"numbers\": {},", "\"text\": \"3\", \"hints\": [\"h\"]",
         "the number 3 in 'text'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_report report;
        bool good = prove_numbers(rows[i].lesson, rows[i].step, &report);
        const char *found = report.total ? report.errors[0].message : "";
        if (good != !rows[i].message || (rows[i].message && !strstr(found, rows[i].message)))
            fail_msg("%s: %s", rows[i].step, found);
        assert_true(good || report.errors[0].position.line == 1);
    }
}

/* A hint is in the lesson's pane, and in a message only where the pane has no room for it. */
static void a_hint_is_shown_once(void **state)
{
    static const char text[] = "Which parameter is the number";
    static const int sizes[][2] = {{80, 24}, {80, 15}, {120, 40}, {200, 60}, {80, 10}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct drive d;
        drive_lesson(&d, "swizzling");
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        drive_keys(&d, "L");
        const char *first = strstr(drive_screen(&d), text);
        assert_non_null(first);
        assert_null(strstr(first + 1, text));
        drive_close(&d);
    }
}

/* While a question is asked digits are typed into its answer: the tabs, which have them as keys, are faint. */
static void tabs_are_closed_at_a_question(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "xor-by-hand");
    assert_int_equal(drive_tile(&d, " 1 Owners")->pen.kind, LW_PEN_HOLE);
    drive_keys(&d, "8 Enter Enter");
    assert_int_equal(drive_tile(&d, " 4 Memory")->pen.kind, LW_PEN_TEXT);
    drive_close(&d);
}

/* The matrix alone is no answer to what is to be seen in it. */
static void the_matrix_is_read(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    drive_command(&d, "set maxPhase=8");
    drive_keys(&d, "Enter");
    drive_command(&d, "set maxPhase=32");
    drive_keys(&d, "Enter");
    assert_shows(&d, "many of them have two ones?");
    drive_keys(&d, "3");
    assert_false(d.ex.lesson->met);
    drive_keys(&d, "Backspace 5 Enter");
    assert_shows(&d, "5: each bit of the offset that belongs to the row");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_digits),
        cmocka_unit_test(a_hint_is_shown_once),
        cmocka_unit_test(tabs_are_closed_at_a_question),
        cmocka_unit_test(the_matrix_is_read),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
