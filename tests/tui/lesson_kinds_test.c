/* The kinds of steps: a question and its answers, keys that are used, what is bad and is mended; the cases of a step;
 * sums in texts; steps that were solved with help. */

#include "lesson_kinds_parts.h"

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *write_lesson(const char *name, const char *steps)
{
    static char path[300];
    struct lw_text text = {0};
    lw_text_format(&text, "{\"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [\n%s]}", steps);
    snprintf(path, sizeof path, "%s/%s", drive_folder, name);
    assert_true(lw_file_write(path, lw_text_string(&text), NULL));
    lw_text_free(&text);
    return path;
}

#define ASK                                                                                        \
    "{\"kind\": \"predict\", \"text\": \"t\", " TILE ", \"view\": \"memory\", \"reveal\": "        \
    "\"banks\", \"do\": \"How many wavefronts?\", \"answer\": \"{load-each}\", \"wrong\": "        \
    "{\"1\": \"All words are in one bank.\"}, \"hints\": [\"h1\", \"h2\"], \"done\": \"Yes: "      \
    "{load-each}.\"}"

/* Until it is answered, nothing on the screen has the answer. */
static void a_question_hides_its_answer(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, write_lesson("ask.json", ASK));
    drive_resize(&d, 120, 40);
    assert_shows(&d, "How many wavefronts?");
    assert_shows(&d, "Memory: shared S, banks across");
    assert_hides(&d, "1024 wavefronts");
    assert_hides(&d, "facts");
    drive_keys(&d, "5"); /* a digit begins the answer, it does not show the banks */
    assert_int_equal(d.ex.focus, LW_FOCUS_ANSWER);
    drive_keys(&d, "Esc");
    drive_keys(&d, "0");
    assert_int_equal(d.ex.focus, LW_FOCUS_ANSWER);
    drive_keys(&d, "Esc");
    drive_command(&d, "view banks");
    assert_shows(&d, "shown when the question is answered");
    assert_hides(&d, "1024");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_ANSWER);
    drive_type(&d, "1");
    drive_keys(&d, "Enter");
    assert_shows(&d, "Not 1. All words are in one bank.");
    assert_false(d.ex.lesson->met);
    drive_type(&d, "16");
    drive_keys(&d, "Enter");
    assert_shows(&d, "Not 16. Try again");
    drive_type(&d, "32");
    drive_keys(&d, "Enter");
    assert_shows(&d, "Yes: 32.");
    assert_true(d.ex.lesson->met);
    assert_shows(&d, "1024 wavefronts");
    assert_false(d.ex.lesson->assisted);
    drive_keys(&d, "R");
    drive_draw(&d);
    assert_false(d.ex.lesson->met);
    drive_close(&d);
}

static void choices_have_numbers(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, write_lesson("choose.json",
                                  "{\"kind\": \"predict\", \"text\": \"t\", \"open\": "
                                  "\"convert/shuffle\", \"do\": \"How?\", \"answer\": "
                                  "\"{conversion}\", \"choices\": [\"shared\", \"shuffle\"], "
                                  "\"hints\": [\"h\"]}"));
    assert_shows(&d, "1  shared");
    drive_type(&d, "1");
    drive_keys(&d, "Enter");
    assert_shows(&d, "Not shared.");
    drive_type(&d, "2");
    drive_keys(&d, "Enter");
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    drive_close(&d);
    drive_lesson(&d, "who-holds-what");
    drive_command(&d, "answer 3");
    assert_shows(&d, "there is no question to answer now");
    drive_close(&d);
}

static void keys_are_noticed(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, write_lesson("see.json", "{\"kind\": \"see\", \"text\": \"t\", " TILE
                                              ", \"view\": \"banks\", \"do\": \"Press {key play}, "
                                              "then {key matrix}.\", \"use\": [\"play\", "
                                              "\"matrix\"], \"done\": \"Seen.\"}"));
    drive_resize(&d, 120, 40);
    assert_shows(&d, "Press Space, then 3.");
    assert_false(d.ex.lesson->met);
    drive_keys(&d, "Space");
    drive_draw(&d);
    assert_true(lw_lesson_is_used(d.ex.lesson, 0));
    assert_false(d.ex.lesson->met);
    drive_keys(&d, "3");
    assert_shows(&d, "Seen.");
    assert_true(d.ex.lesson->met);
    drive_close(&d);
}

/* The last hint, and a search, are help; the hints before it are not. */
static void help_is_counted(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, write_lesson("ask.json", ASK));
    drive_keys(&d, "L");
    assert_false(d.ex.lesson->assisted);
    drive_keys(&d, "L");
    assert_true(d.ex.lesson->assisted);
    drive_close(&d);
    drive_lesson(&d, "best-swizzle");
    drive_keys(&d, "o");
    assert_true(d.ex.lesson->assisted);
    drive_close(&d);
    setenv("XDG_STATE_HOME", drive_folder, 1);
    struct lw_progress progress;
    struct lw_report report = {0};
    char key[LW_LESSON_KEY_MAX];
    const char *path = write_lesson("ask.json", ASK);
    lw_lesson_key(key, path);
    assert_int_equal(*key, '/'); /* lessons of two courses may have the same name */
    drive_lesson(&d, path);
    d.ex.keep.settings_saved = true;
    drive_keys(&d, "L L");
    drive_command(&d, "answer 32");
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    drive_close(&d);
    assert_true(lw_progress_load(&progress, &report));
    assert_int_equal(lw_progress_get(&progress, key), 1);
    assert_int_equal(lw_progress_find(&progress, key)->assisted, 1);
    lw_progress_free(&progress);
}

/* Another seed begins anew; what is kept has the seed, and the steps that had a wrong answer. */
static void a_try_has_its_seed(void **state)
{
    struct lw_progress progress;
    struct lw_report report = {0};
    struct lw_error err;
    (void)state;
    setenv("XDG_STATE_HOME", drive_folder, 1);
    assert_true(lw_progress_load(&progress, &report));
    struct lw_progress_row row = {
        .lesson = (char *)"exam", .steps = 3, .retried = 1, .seed = 7, .has_seed = true};
    assert_true(lw_progress_set(&progress, &row, &err));
    row.steps = 4;
    assert_true(lw_progress_set(&progress, &row, &err));
    lw_progress_free(&progress);
    assert_true(lw_progress_load(&progress, &report));
    const struct lw_progress_row *kept = lw_progress_find(&progress, "exam");
    assert_true(kept && kept->has_seed);
    assert_int_equal(kept->seed, 7);
    assert_int_equal(kept->steps, 4);
    assert_int_equal(kept->retried, 2);
    lw_progress_free(&progress);
    for (int i = 0; i < 3; i++) { /* the seed 7, the seed 9, and none */
        struct drive d;
        const struct lw_tui_options options = {
            .lesson = "exam", .seed_is_set = i < 2, .seed = i ? 9 : 7};
        drive_open_with(&d, NULL, &options);
        d.ex.keep.settings_saved = true;
        assert_true(lw_lesson_begin(&d.ex, "exam", &err));
        assert_int_equal(d.ex.lesson->lesson.seed, i ? 9 : 7);
        assert_int_equal(d.ex.lesson->step, i == 0 ? 4 : i == 1 ? 0 : 1);
        if (i == 1) {
            drive_command(&d, "answer 12345");
            lw_lesson_solve_step(&d.ex, lw_lesson_step(d.ex.lesson));
            drive_draw(&d);
        }
        if (i == 2) {
            d.ex.lesson->step = d.ex.lesson->lesson.step_count;
            assert_shows(&d, "0 at the first try");
        }
        drive_close(&d);
    }
}

/* "#ttg." may be left out of an answer in the notation of Triton. */
static void a_prefix_may_be_left_out(void **state)
{
    struct drive d;
    struct lw_lesson_state now;
    const char *typed = "swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>";
    (void)state;
    drive_lesson(&d, write_lesson("ask.json", ASK));
    lw_lesson_state(&d.ex, &now);
    assert_true(lw_lesson_is_layout(&now, "triton", typed, NULL, NULL));
    drive_close(&d);
}

/* The layout that a goal names is drawn beside the one that is edited. */
static void the_target_is_drawn(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, write_lesson("target.json",
                                  "{\"text\": \"t\", \"open\": \"start/4x4\", \"do\": \"d\", "
                                  "\"target\": \"start/4x4\", \"goal\": {\"cursor\": {\"row\": "
                                  "3}}, \"hints\": [\"h\"], \"solution\": [\"find 3,0\"]}"));
    drive_resize(&d, 120, 40);
    assert_shows(&d, "the target");
    assert_int_equal(d.ex.panes.count, 2);
    assert_true(d.ex.panes.all[1].shown.other);
    drive_close(&d);
}

/* ---- Cases and sums ---- */

#define CASES                                                                                      \
    "{\"cases\": [{\"n\": 16, \"name\": \"small\"}, {\"n\": 32, \"name\": \"large\"}], \"text\": " \
    "\"A $name tensor of $n columns.\", \"open\": {\"encoding\": \"blocked\", \"shape\": [16, "    \
    "\"$n\"], \"element\": \"f32\", \"params\": {\"sizePerThread\": [1, 1], \"threadsPerWarp\": "  \
    "[4, 8], \"warpsPerCTA\": [1, 1], \"order\": [1, 0]}}, \"do\": \"Go to the last column: "      \
    "{columns - 1}.\", \"goal\": {\"cursor\": {\"column\": 15}}, \"hints\": [\"h\"], "             \
    "\"solution\": [\"find 0,15\"]}"

static void a_case_is_chosen(void **state)
{
    static const struct {
        uint64_t seed;
        const char *text, *task;
    } rows[] = {{0, "A small tensor of 16 columns.", "15."},
                {1, "A large tensor of 32 columns.", "31."},
                {2, "A small tensor of 16 columns.", "15."}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct drive d;
        const char *path = write_lesson("cases.json", CASES);
        const struct lw_tui_options options = {
            .writes_nothing = true, .lesson = path, .seed_is_set = true, .seed = rows[i].seed};
        drive_open_with(&d, NULL, &options);
        assert_true(lw_lesson_begin(&d.ex, path, NULL));
        assert_shows(&d, rows[i].text);
        assert_shows(&d, rows[i].task);
        drive_close(&d);
    }
}

static void sums(void **state)
{
    static const struct {
        const char *sum;
        uint64_t value;
    } rows[] = {{"32 / load-each", 1},  {"2 + 3 * 4", 14},          {"(2 + 3) * 4 - 1", 19},
                {"bank of 3,5 ^ 6", 3}, {"log2(load-each) % 3", 2}, {"7", 7}};
    static const char *const bad[] = {"",
                                      "2 +",
                                      "(2",
                                      "1 - 2",
                                      "3 / 0",
                                      "lanes",
                                      "2 2)",
                                      "bank of 99,0",
                                      "nothing * 2",
                                      "4294967296 * 4294967296",
                                      "18446744073709551615 + 1",
                                      "18446744073709551616"};
    struct drive d;
    struct lw_lesson_state now;
    uint64_t value;
    (void)state;
    drive_lesson(&d, write_lesson("ask.json", ASK));
    lw_lesson_state(&d.ex, &now);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(lw_lesson_arithmetic(&now, NULL, rows[i].sum, &value));
        assert_int_equal(value, rows[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (lw_lesson_arithmetic(&now, NULL, bad[i], &value))
            fail_msg("'%s' is %llu", bad[i], (unsigned long long)value);
    drive_close(&d);
}

/* ---- Proofs ---- */

#define DO(more)                                                                                   \
    "{\"text\": \"t\", " TILE ", \"do\": \"d\", \"goal\": {\"load-wavefronts\": "                  \
    "\"load-ideal\"}, \"hints\": [\"h\"], \"solution\": [\"set maxPhase=32\"]" more "}"

static void proofs_of_kinds(void **state)
{
    static const char *const cases[][2] = {
        {DO(", \"refuse\": [[\"set maxPhase=32\"]]"), "these commands of 'refuse' reach the goal"},
        {DO(", \"also\": [[\"set maxPhase=8\"]]"), "these commands of 'also' do not reach"},
        {DO(", \"refuse\": [[\"set nothing=8\"]]"), "'set nothing=8': "},

        {DO(", \"answer\": \"{load-each}\""), "a step of the kind 'do' has no 'answer'"},
        {"{\"kind\": \"predict\", \"text\": \"t\", " TILE ", \"do\": \"d\", \"hints\": [\"h\"]}",
         "this step has no 'answer'; its kind is 'predict'"},
        {"{\"kind\": \"predict\", \"text\": \"t\", " TILE
         ", \"do\": \"d\", \"hints\": [\"h\"], \"answer\": \"32\"}",
         "the answer must be computed"},
        {"{\"kind\": \"predict\", \"text\": \"t\", " TILE
         ", \"do\": \"d\", \"hints\": [\"h\"], \"answer\": \"{load-each}\", \"choices\": [\"1\"]}",
         "the answer, 32, is not among the choices"},
        {"{\"kind\": \"predict\", \"text\": \"t\", " TILE
         ", \"do\": \"d\", \"hints\": [\"h\"], \"answer\": \"{load-each}\", \"wrong\": {\"32\": "
         "\"no\"}}",
         "'32' is the right answer"},
        {"{\"kind\": \"predict\", \"text\": \"t\", " TILE
         ", \"do\": \"d\", \"hints\": [\"h\"], \"answer\": \"{load-each}\", \"wrong\": {\"1\": "
         "\"{bank of 99,0}\"}}",
         "'{bank of 99,0}' has no value for this layout"},
        {"{\"kind\": \"see\", \"text\": \"t\", " TILE ", \"do\": \"d\", \"use\": [\"ply\"]}",
         "'ply' is neither an action nor a view"},
        {"{\"kind\": \"see\", \"text\": \"t\", " TILE ", \"do\": \"d\", \"use\": [\"play\"]}",
         "neither 'text' nor 'do' names the key: write {key play}"},
        {"{\"kind\": \"look\", \"text\": \"t\", " TILE ", \"do\": \"d\"}",
         "'kind' must be one of: do mend predict see"},
        {"{\"cases\": [{\"a\": 1}], \"text\": \"$b\", " TILE ", \"do\": \"d\"}",
         "this case has no 'b'"},
        {DO(", \"done\": \"{loads * 2}\""), "unknown marker 'loads'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_report report = {0};
        struct lw_error err = {0};
        bool found = false;
        assert_false(lw_lesson_prove(write_lesson("bad.json", cases[i][0]), &report, &err));
        for (int k = 0; k < report.count; k++)
            found = found || strstr(report.errors[k].message, cases[i][1]);
        if (!found)
            fail_msg("%s: %s", cases[i][1], report.total ? report.errors[0].message : err.message);
    }
    static const char *const good[] = {
        ASK, DO(", \"kind\": \"mend\", \"refuse\": [[\"set maxPhase=16\"], [\"set vec=4\"]]"),
        DO(", \"also\": [[\"set maxPhase=8\", \"set maxPhase=32\"]]")};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct lw_report report = {0};
        struct lw_error err = {0};
        if (!lw_lesson_prove(write_lesson("good.json", good[i]), &report, &err))
            fail_msg("%s: %s", good[i], report.total ? report.errors[0].message : err.message);
    }
    /* Every case is tried: the second one cannot be solved. */
    struct lw_report report = {0};
    assert_false(lw_lesson_prove(
        write_lesson("cases.json",
                     "{\"cases\": [{\"n\": 1}, {\"n\": 0}], \"text\": \"t\", \"open\": "
                     "\"start/4x4\", \"do\": \"d\", \"goal\": {\"cursor\": {\"row\": \"$n\"}}, "
                     "\"hints\": [\"h\"], \"solution\": [\"find 1,2\"]}"),
        &report, NULL));
    assert_true(report.total > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_question_hides_its_answer),
        cmocka_unit_test(choices_have_numbers),
        cmocka_unit_test(keys_are_noticed),
        cmocka_unit_test(help_is_counted),
        cmocka_unit_test(a_try_has_its_seed),
        cmocka_unit_test(a_prefix_may_be_left_out),
        cmocka_unit_test(the_target_is_drawn),
        cmocka_unit_test(a_case_is_chosen),
        cmocka_unit_test(sums),
        cmocka_unit_test(proofs_of_kinds),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
