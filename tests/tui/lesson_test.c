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
    drive_screen(d);
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
        bool hints = step->hint_count > 0;
        if (hints)
            assert_shows(&d, "L: hint 1");
        assert_shows(&d, "▸ ");
        assert_hides(&d, "?,"); /* a number that could not be computed */
        assert_true(d.ex.panes.all[0].has_view);
        assert_int_equal(run->step, i);
        assert_false(run->met);
        drive_keys(&d, "L");
        assert_int_equal(run->hints, hints);
        drive_screen(&d);
        int rows = lw_lesson_height(&d.ex);
        drive_solve(&d);
        drive_screen(&d);
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
    assert_int_equal(count, 18);
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
            drive_screen(&d);
        }
    drive_resize(&d, 80, 10);
    drive_screen(&d);
    drive_close(&d);
}

/* ---- Goals ---- */

/* The layout counts, not the keys: the same by way of the form, and by another name. */
static void goals_look_at_the_layout(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    drive_screen(&d);
    drive_field(&d, "maxPhase");
    drive_keys(&d, "+");
    drive_screen(&d);
    assert_false(d.ex.lesson->met);
    assert_shows(&d, "the loads take 128 wavefronts; now 512");
    drive_keys(&d, "+ +");
    drive_screen(&d);
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
    drive_screen(&d);
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
    drive_screen(&d);
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
        drive_screen(&d);
        assert_true(d.ex.lesson->met);
        drive_close(&d);
    }
}

/* ---- The claims of texts ---- */

static bool is_claimed(const struct lw_goals *goals, uint64_t number)
{
    for (int i = 0; i < goals->count; i++)
        if (!goals->items[i].other && goals->items[i].number == number)
            return true;
    return false;
}

/* A number of wavefronts and the like is either a marker or proven by a claim. */
static void check_numbers(const char *name, const char *text, const struct lw_goals *a,
                          const struct lw_goals *b)
{
    static const char *const nouns[] = {" wavefront", " load",     " store", " conflict",
                                        " shuffle",   " register", "-way"};
    for (const char *p = text; *p; p++) {
        size_t digits = strspn(p, "0123456789");
        for (size_t i = 0; digits && i < sizeof nouns / sizeof *nouns; i++) {
            uint64_t number = strtoull(p, NULL, 10);
            if (!strncmp(p + digits, nouns[i], strlen(nouns[i])) && !is_claimed(a, number) &&
                !is_claimed(b, number))
                fail_msg("%s: no claim checks '%.30s'", name, p);
        }
        p += *p == '{' ? strcspn(p, "}") : digits ? digits - 1 : 0;
    }
}

static void numbers_are_claimed(void **state)
{
    size_t count, kind_count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    const struct lw_goal_kind *kinds = lw_goal_kinds(&kind_count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct lw_lesson lesson;
        struct lw_report report = {0};
        assert_true(lw_lesson_read(&lesson, lessons[i].text, strlen(lessons[i].text), 0, kinds,
                                   kind_count, &report));
        for (size_t k = 0; k < lesson.step_count; k++) {
            const struct lw_step *step = &lesson.steps[k];
            check_numbers(lessons[i].name, step->text, &step->before, &step->before);
            check_numbers(lessons[i].name, step->task, &step->goal, &step->after);
            check_numbers(lessons[i].name, step->done, &step->goal, &step->after);
            if (step->kind == LW_STEP_PREDICT || step->kind == LW_STEP_SEE)
                continue;
            if (step->goal.items[0].kind->value_kind != LW_GOAL_FIELDS)
                assert_true(step->change_count > 0); /* what else changes makes texts wrong */
            else
                assert_true(step->change && !step->change_count);
        }
        lw_lesson_free(&lesson);
    }
}

/* Known answers for these cases, counted on a GPU. */
static void numbers_in_texts(void **state)
{
    static const struct {
        const char *lesson;
        int step;
        const char *expected;
    } cases[] = {
        {"banks", 4, "32 wavefronts a load, 1024 in all"}, /* f32 columns, rows of 32: 32-way */
        {"banks", 5, "8 lanes to a bank"},                 /* rows of 8: 8-way */
        {"wide-accesses", 1,
         "16 wavefronts as before"}, /* 16 bytes a lane: 4 wavefronts are ideal */
        {"wide-accesses", 4,
         "takes 8 wavefronts; the ideal is 4"}, /* ldmatrix.x4, 16 halves a row: 2-way */
        {"wide-accesses", 5, "4 wavefronts for 4 matrices"},
        {"tensor-cores", 1, "(9, 2)"},
        {"tensor-cores", 2, "(9, 12)"},
        {"who-holds-what", 1, "register 1 of thread 9 in warp 0"},
        {"bits-and-xor", 1, "(3, 11)"},
        {"best-swizzle", 2, "128 wavefronts, stores and loads together, 576 before"},
        {"best-swizzle", 3, "the loads take 64 wavefronts, ideal 32"},
        {"best-swizzle", 4, "64 wavefronts, 0 conflicts"},
        {"replication", 1, "(0, 0), (0, 8), (4, 0) and (4, 8)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_lesson(&d, cases[i].lesson);
        for (int step = 1; step < cases[i].step; step++) {
            drive_solve(&d);
            drive_keys(&d, "Enter");
        }
        drive_solve(&d);
        drive_screen(&d);
        if (!strstr(lw_text_string(&d.ex.lesson->done), cases[i].expected))
            fail_msg("%s, step %d: %s", cases[i].lesson, cases[i].step,
                     lw_text_string(&d.ex.lesson->done));
        drive_close(&d);
    }
}

/* Also where hints have pushed it below the pane. */
static void what_was_reached_is_in_sight(void **state)
{
    static const char *const names[] = {"2", "7"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct drive d;
        char begins[16];
        drive_lesson(&d, names[i]);
        drive_keys(&d, "L L L");
        drive_solve(&d);
        drive_screen(&d);
        assert_true(d.ex.lesson->met);
        snprintf(begins, sizeof begins, "%s", lw_text_string(&d.ex.lesson->done));
        assert_shows(&d, begins);
        drive_close(&d);
    }
}

/* ---- Keys ---- */

static void keys_of_a_lesson(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "7");
    drive_keys(&d, "L L L L");
    assert_int_equal(d.ex.lesson->hints, 3);
    assert_shows(&d, "no more hints");
    drive_command(&d, "set maxPhase=4");
    drive_keys(&d, "R");
    assert_string_equal(drive_value(&d, "maxPhase"), "1");
    assert_int_equal(d.ex.lesson->hints, 0);
    drive_keys(&d, "p");
    assert_shows(&d, "this is the first step");
    drive_solve(&d);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    drive_keys(&d, "p"); /* back, and by the solution of the first step to the second */
    assert_int_equal(d.ex.lesson->step, 0);
    lw_lesson_go(&d.ex, 1);
    assert_string_equal(drive_value(&d, "maxPhase"), "8");
    drive_keys(&d, "S-Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_LESSON);
    drive_keys(&d, "Enter");
    assert_shows(&d, "the goal is not reached yet");
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

/* Scrolling where the text is longer than the pane. */
static void the_text_scrolls(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "7");
    drive_resize(&d, 40, 20);
    assert_shows(&d, "> more");
    assert_shows(&d, "A swizzle changes the order");
    drive_keys(&d, "> > > > > >");
    assert_hides(&d, "> more");
    assert_shows(&d, "Goal");
    assert_hides(&d, "A swizzle changes the order");
    drive_keys(&d, "< < < < < <");
    assert_shows(&d, "A swizzle changes the order");
    drive_close(&d);
}

/* `laneway learn`: the list at the first lesson that is not done, and how far one is. */
static void the_list_of_lessons(void **state)
{
    const struct lw_tui_options options = {.writes_nothing = true};
    struct drive d;
    (void)state;
    drive_open_with(&d, NULL, &options);
    drive_resize(&d, 120, 40);
    lw_lesson_list(&d.ex);
    assert_shows(&d, "1: who-holds-what  0 of 5");
    assert_shows(&d, "10: best-swizzle   0 of 5");
    assert_shows(&d, "Enter begins it");
    assert_shows(&d, "This lesson reads a"); /* what the lesson is about, not its layout */
    drive_keys(&d, "Down Enter");
    assert_shows(&d, "Lesson 2: Bits and xor, step 1 of 5");
    drive_command(&d, "learn");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_close(&d);
}

static void lessons_in_the_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "G");
    assert_shows(&d, "lesson 10: best-swizzle");
    assert_true(d.ex.layouts.has_opened);
    assert_null(d.ex.lesson);
    drive_command(&d, "learn 3");
    assert_shows(&d, "Lesson 3: Blocked layouts, step 1 of 5");
    drive_command(&d, "learn swizling");
    assert_shows(&d, "did you mean 'swizzling'?");
    drive_command(&d, "learn mine.json");
    assert_true(d.ex.status.is_error);
    drive_close(&d);
    drive_open(&d, NULL);
    drive_keys(&d, "G");
    drive_action(&d, "lesson-hint");
    assert_shows(&d, "no lesson is open");
    drive_keys(&d, "Enter");
    assert_shows(&d, "step 1 of 16");
    drive_command(&d, "open start/4x4"); /* another layout: the lesson waits */
    assert_hides(&d, "step 1 of 16");
    drive_keys(&d, "Esc");
    d.ex.focus = LW_FOCUS_GALLERY;
    while (!lw_explorer_entry(&d.ex)->lesson)
        drive_keys(&d, "Up");
    drive_keys(&d, "Enter");
    assert_shows(&d, "step 1 of 16");
    for (int i = 0; i < 16; i++) {
        drive_solve(&d);
        drive_keys(&d, "Enter");
    }
    assert_shows(&d, "the last lesson");
    assert_hides(&d, "Enter: next lesson");
    drive_keys(&d, "Enter");
    assert_shows(&d, "that was the last lesson");
    drive_close(&d);
    drive_lesson(&d, "1");
    for (int i = 0; i < 5; i++) {
        drive_solve(&d);
        drive_keys(&d, "Enter");
    }
    drive_keys(&d, "Enter");
    assert_shows(&d, "Lesson 2: Bits and xor, step 1 of 5");
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
        cmocka_unit_test(numbers_are_claimed),
        cmocka_unit_test(numbers_in_texts),
        cmocka_unit_test(what_was_reached_is_in_sight),
        cmocka_unit_test(keys_of_a_lesson),
        cmocka_unit_test(the_text_scrolls),
        cmocka_unit_test(the_list_of_lessons),
        cmocka_unit_test(lessons_in_the_list),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
