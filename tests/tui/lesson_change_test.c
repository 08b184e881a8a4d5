/* Lesson files: the best layout is that of the target, and what changes in a file while it is open. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The best is that of the hardware that banks are counted on, also once that is another. */
static void the_best_is_of_the_target(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "10");
    drive_resize(&d, 120, 40);
    const struct lw_lesson_best *best = &d.ex.lesson->best;
    lw_lesson_go(&d.ex, 4);
    lw_lesson_wait(&d.ex);
    assert_int_equal(best->found, LW_BEST_KNOWN);
    assert_int_equal(best->value, 64);
    static const char *const targets[] = {"gfx1201", "gfx942",
                                          "sm90"}; /* the first one's are unknown */
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char line[32];
        snprintf(line, sizeof line, "target %s", targets[i]);
        drive_command(&d, line);
        lw_lesson_wait(&d.ex);
        assert_ptr_equal(best->sides.hardware, lw_hardware_find(targets[i]));
        assert_int_equal(best->found, i == 0 ? LW_BEST_NONE : LW_BEST_KNOWN);
    }
    drive_close(&d);
}

static bool set_steps(struct lw_progress *progress, char *lesson, uint64_t steps,
                      struct lw_error *err)
{
    const struct lw_progress_row row = {.lesson = lesson, .steps = steps};
    return lw_progress_set(progress, &row, err);
}

static void progress_is_kept(void **state)
{
    struct lw_progress progress;
    struct lw_report report;
    (void)state;
    setenv("XDG_STATE_HOME", drive_folder, 1);
    assert_true(lw_progress_load(&progress, &report));
    assert_int_equal(lw_progress_get(&progress, "banks"), 0);
    assert_true(set_steps(&progress, "banks", 3, NULL));
    assert_true(set_steps(&progress, "my \"own\".json", 1, NULL));
    assert_true(set_steps(&progress, "banks", 2, NULL)); /* never less */
    lw_progress_free(&progress);
    lw_progress_load(&progress, &report);
    assert_int_equal(lw_progress_get(&progress, "banks"), 3);
    assert_int_equal(lw_progress_get(&progress, "my \"own\".json"), 1);
    lw_progress_free(&progress);
    /* Of two runs at once neither loses what the other has done. */
    struct lw_progress other;
    lw_progress_load(&progress, &report);
    lw_progress_load(&other, &report);
    assert_true(set_steps(&progress, "blocked", 2, NULL));
    assert_true(set_steps(&other, "swizzling", 1, NULL));
    assert_true(set_steps(&other, "blocked", 1, NULL));
    lw_progress_free(&other);
    lw_progress_free(&progress);
    lw_progress_load(&progress, &report);
    assert_int_equal(lw_progress_get(&progress, "blocked"), 2);
    assert_int_equal(lw_progress_get(&progress, "swizzling"), 1);
    assert_int_equal(lw_progress_get(&progress, "banks"), 3);
    lw_progress_free(&progress);
    /* A lesson is taken up where it was left, and writes what is done. */
    struct drive d;
    const struct lw_tui_options options = {0};
    drive_open_with(&d, NULL, &options);
    d.ex.keep.settings_saved = true;
    assert_true(lw_lesson_begin(&d.ex, "banks", NULL));
    assert_int_equal(d.ex.lesson->step, 3);
    assert_shows(&d, "continued at step 4");
    drive_solve(&d);
    drive_draw(&d);
    drive_close(&d);
    lw_progress_load(&progress, &report);
    assert_int_equal(lw_progress_get(&progress, "banks"), 4);
    lw_progress_free(&progress);
    const struct lw_tui_options start = {.start = "start/16x16"};
    drive_open_with(&d, NULL, &start);
    drive_resize(&d, 120, 40);
    assert_hides(&d, "4 of ");
    d.ex.keep.settings_saved = true;
    lw_lesson_list_marks(&d.ex); /* at the start of the program, in the gallery too */
    assert_shows(&d, "4 of ");
    drive_close(&d);
}

static void a_broken_file_is_left_alone(void **state)
{
    static const char *const texts[] = {"{\"banks\": \"three\"}", "{\n \"banks\": 1,,}", "[1]",
                                        "{\"banks\": -1}", ""};
    char path[200];
    (void)state;
    setenv("XDG_STATE_HOME", drive_folder, 1);
    snprintf(path, sizeof path, "%s/laneway/progress.json", drive_folder);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_progress progress;
        struct lw_report report;
        struct lw_error err;
        struct lw_text text = {0};
        assert_true(lw_file_write(path, texts[i], NULL));
        assert_false(lw_progress_load(&progress, &report));
        assert_non_null(strstr(report.errors[0].message, "progress.json:"));
        assert_false(set_steps(&progress, "banks", 4, &err));
        assert_string_equal(err.message, report.errors[0].message);
        assert_int_equal(lw_progress_get(&progress, "banks"), 4); /* while the program runs */
        lw_progress_free(&progress);
        assert_true(lw_file_read(path, &text, NULL));
        assert_string_equal(lw_text_string(&text), texts[i]);
        lw_text_free(&text);
    }
    assert_int_equal(unlink(path), 0);
}

/* No home, and a folder that cannot be written: reported once, and the lesson goes on. */
static void nowhere_to_keep_it(void **state)
{
    struct drive d;
    (void)state;
    for (int way = 0; way < 2; way++) {
        const struct lw_tui_options options = {0};
        setenv("XDG_STATE_HOME", way ? "/dev/null/x" : "", 1);
        if (!way)
            unsetenv("HOME");
        drive_open_with(&d, NULL, &options);
        d.ex.keep.settings_saved = true;
        assert_true(lw_lesson_begin(&d.ex, "7", NULL));
        if (!way)
            assert_shows(&d, "neither HOME nor XDG_STATE_HOME is set");
        drive_solve(&d);
        drive_draw(&d);
        assert_true(d.ex.lesson->met);
        assert_true(d.ex.keep.warning_count == 1);
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.lesson->step, 1);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_of_the_target),
        cmocka_unit_test(progress_is_kept),
        cmocka_unit_test(a_broken_file_is_left_alone),
        cmocka_unit_test(nowhere_to_keep_it),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
