/* Lessons: each played to its end by its own solutions, at every size; the claims of their texts; the
 * ways to miss a goal. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The pane of a lesson shows the text, in any number of lines. */
static void assert_message(struct drive *d, const char *words)
{
    const struct lw_step *step = lw_lesson_step(d->ex.lesson);
    struct lw_text text = {0};
    struct lw_lesson_state now;
    drive_draw(d);
    lw_lesson_state(&d->ex, &now);
    for (int i = 0; i < step->goal.count; i++)
        lw_goal_put(&text, &now, &step->goal.items[i]);
    lw_lesson_disallowed_change(&d->ex, &text);
    if (!strstr(lw_text_string(&text), words))
        fail_msg("'%s' is not in: %s", words, lw_text_string(&text));
    lw_text_free(&text);
}

/* ---- Playing ---- */

static void play(const char *name, int width, int height)
{
    struct drive d;
    char title[64];
    drive_lesson(&d, name);
    drive_resize(&d, width, height);
    const struct lw_lesson_run *run = d.ex.lesson;
    size_t count = run->lesson.step_count;
    for (size_t i = 0; i < count; i++) {
        snprintf(title, sizeof title, "step %zu of %zu", i + 1, count);
        assert_shows(&d, title);
        assert_shows(&d, "○ "); /* the goals, or the question */
        const struct lw_step *step = lw_lesson_step(run);
        bool hints = step->hints.count > 0;
        if (hints)
            assert_shows(&d, "L: hint 1");
        assert_shows(&d, "▸ ");
        assert_hides(&d, "?,"); /* a number that could not be computed */
        assert_true(d.ex.panes.all[0].has_view);
        assert_int_equal(run->step, i);
        assert_false(run->met);
        drive_keys(&d, "L");
        assert_int_equal(run->hints, hints);
        drive_draw(&d);
        int rows = lw_lesson_height(&d.ex);
        drive_solve(&d);
        drive_draw(&d);
        if (!run->met)
            fail_msg("%s, step %zu: not solved", name, i + 1);
        assert_shows(&d, "Enter: next step");
        assert_int_equal(lw_lesson_height(&d.ex), rows); /* nothing jumps */
        d.ex.lesson->hints = 0;
        assert_shows(&d, "▸ ");
        assert_false(lw_explorer_entry(&d.ex)->dirty);
        drive_keys(&d, "Enter");
    }
    assert_shows(&d, ": done");
    assert_shows(&d, "Further reading:");
    assert_hides(&d, "> more");
    drive_command(&d, "quit");
    assert_true(d.ex.quit); /* nothing to save */
    drive_close(&d);
}

static void each_lesson_to_its_end(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    (void)state;
    assert_true(count >= 18);
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < 3; s++)
            play(lw_lesson_name(&lessons[i]), sizes[s][0], sizes[s][1]);
}

static void each_is_proven(void **state)
{
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct lw_report report = {0};
        struct lw_error err = {0};
        if (!lw_lesson_prove(lw_lesson_name(&lessons[i]), &report, &err))
            fail_msg("%s: %s", lessons[i].name,
                     report.total ? report.errors[0].message : err.message);
    }
}

/* All of a lesson at a size that shows everything, and it may be drawn at any. */
static void at_any_size(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "10");
    for (int width = 1; width < 170; width += 7)
        for (int height = 1; height < 50; height += 3) {
            drive_resize(&d, width, height);
            drive_draw(&d);
        }
    drive_resize(&d, 80, 10);
    drive_draw(&d);
    drive_close(&d);
}

/* ---- Goals ---- */

/* The layout counts, not the keys: the same by way of the form, and by another name. */
static void goals_look_at_the_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    drive_draw(&d);
    drive_field(&d, "maxPhase");
    drive_keys(&d, "+");
    drive_draw(&d);
    assert_false(d.ex.lesson->met);
    assert_shows(&d, "the loads take 128 wavefronts; now 512");
    drive_keys(&d, "+ +");
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_shows(&d, "From 1024 to 128");
    assert_shows(&d, "1024 wavefronts, ideal 32"); /* the text is that of the step's start */
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM); /* and it stays open, at the same field */
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "maxPhase");
    drive_command(&d, "set vec=1");
    assert_string_equal(d.ex.form.fields[d.ex.form.field].path, "vec");
    drive_resize(&d, 200, 60);
    assert_shows(&d, "So far");
    assert_shows(&d, "From 1024 to 128");
    drive_close(&d);
    drive_lesson(&d, "conversions");
    drive_command(&d, "set order=[1, 0]");
    drive_draw(&d);
    assert_false(d.ex.lesson->met);
    drive_close(&d);
}

/* A goal that is met and then is not any more: the text is away, that it was done stays. */
static void a_goal_is_looked_at_again(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    drive_solve(&d);
    assert_shows(&d, "From 1024 to 128");
    assert_shows(&d, "Enter: next step");
    assert_hides(&d, "Enter edit"); /* there is one thing that Enter does */
    drive_command(&d, "set maxPhase=4");
    assert_hides(&d, "From 1024 to 128");
    assert_shows(&d, "the loads take 128 wavefronts; now 256");
    assert_shows(&d, "Done before");
    assert_true(d.ex.lesson->reached);
    drive_keys(&d, "u");
    assert_shows(&d, "From 1024 to 128");
    assert_hides(&d, "Done before");
    drive_command(&d, "set maxPhase=5");
    drive_draw(&d);
    assert_false(d.ex.lesson->met);
    lw_lesson_next(&d.ex, 0); /* what was done once is enough to go on */
    assert_int_equal(d.ex.lesson->step, 1);
    drive_close(&d);
    drive_lesson(&d, "1"); /* a cursor that was there may leave, in the same layout */
    drive_solve(&d);
    assert_shows(&d, "It is register");
    drive_keys(&d, "Down");
    assert_shows(&d, "It is register");
    drive_command(&d, "set shape=[8, 8]");
    assert_hides(&d, "It is register");
    drive_close(&d);
}

/* Near solutions that the closing text does not describe: in another shape, with more
 * registers, by other instructions, or with a parameter changed that the step is not about. */
static void goals_that_are_missed(void **state)
{
    static const struct {
        const char *lesson;
        size_t step;
        const char *lines[3];
        const char *shows;
    } cases[] = {
        {"who-holds-what", 3, {"set shape=[128, 4]"}, "each element has 1 owner; now 2"},
        {"who-holds-what", 3, {"set shape=[32, 32]", "set sizePerThread=[2, 2]"}, "Only shape may"},
        {"bits-and-xor", 2, {"set lane=[[4], [2], [3]]"}, "now 4 of 8 elements have other owners"},
        {"blocked", 0, {"set sizePerThread=[4, 4]"}, "each lane uses 8 registers; now 16"},
        {"blocked",
         4,
         {"set sizePerThread=[1, 8]", "set threadsPerWarp=[16, 2]"},
         "the lanes of a warp cover 4 rows; now 16"},
        {"blocked",
         4,
         {"set sizePerThread=[1, 8]", "set threadsPerWarp=[4, 8]", "set shape=[16, 128]"},
         "Only sizePerThread and threadsPerWarp may change in this step, but shape is [16, 128] "
         "now: "
         ":set shape=[16, 64] sets it back"},
        {"replication", 0, {"set shape=[16, 8]"}, "the tensor has 8 rows; now 16"},
        {"tensor-cores", 3, {"set warpsPerCTA=[4, 1]"}, "each lane uses 4 registers; now 8"},
        {"banks",
         3,
         {"set threadsPerWarp=[8, 4]", "set warpsPerCTA=[1, 32]"},
         "the lanes of a warp cover 32 rows; now 8"},
        {"banks", 4, {"set shape=[8, 32]"}, "the lanes of a warp cover 32 rows; now 8"},
        {"swizzling", 0, {"set maxPhase=8", "set vec=4"}, "Only maxPhase may change in this step"},
        {"swizzling", 4, {"set shape=[32, 32]"}, "Only perPhase may change in this step"},
        {"swizzling", 5, {"set vec=4"}, "the number of loads is 8; now 16"},
        {"wide-accesses", 4, {"set perPhase=2", "set maxPhase=4"}, "wavefronts, the ideal; now"},
        {"conversions", 1, {"set sizePerThread=[2, 1]"}, "now it goes through shared memory"},
        {"conversions", 5, {"set with.instrShape=[16, 16]"}, "may change in this step"},
        {"best-swizzle",
         3,
         {"set maxPhase=4"},
         "stores and loads take 64 wavefronts, the best; now"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_lesson(&d, cases[i].lesson);
        drive_resize(&d, 200, 60);
        lw_lesson_go(&d.ex, cases[i].step);
        for (int k = 0; k < 3 && cases[i].lines[k]; k++)
            drive_command(&d, cases[i].lines[k]);
        assert_message(&d, cases[i].shows);
        assert_false(d.ex.lesson->met);
        drive_keys(&d, "R"); /* the step as it was */
        drive_solve(&d);
        drive_draw(&d);
        assert_true(d.ex.lesson->met);
        drive_close(&d);
    }
}

/* R has a message also where there is nothing to begin again. */
static void a_step_that_begins_again_says_so(void **state)
{
    struct drive d;
    struct lw_error err = {0};
    (void)state;
    drive_open(&d, "start/16x16");
    assert_true(lw_lesson_begin(&d.ex, "blocked", &err));
    drive_keys(&d, "R");
    assert_shows(&d, "this step begins again: its layout was not edited");
    drive_command(&d, "set sizePerThread=1,2");
    drive_keys(&d, "R");
    assert_shows(&d, "this step begins again");
    assert_hides(&d, "not edited");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_lesson_to_its_end),
        cmocka_unit_test(each_is_proven),
        cmocka_unit_test(at_any_size),
        cmocka_unit_test(goals_look_at_the_layout),
        cmocka_unit_test(a_goal_is_looked_at_again),
        cmocka_unit_test(goals_that_are_missed),
        cmocka_unit_test(a_step_that_begins_again_says_so),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
