/* Lessons: numbers that are claimed and those in texts, keys, and the list of lessons. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

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
        struct lw_error err;
        assert_true(lw_lesson_read(&lesson, lessons[i].text, strlen(lessons[i].text), 0, kinds,
                                   kind_count, &err));
        for (size_t k = 0; k < lesson.step_count; k++) {
            const struct lw_step *step = &lesson.steps[k];
            check_numbers(lessons[i].name, step->text, &step->before, &step->before);
            check_numbers(lessons[i].name, step->task, &step->goal, &step->after);
            check_numbers(lessons[i].name, step->done, &step->goal, &step->after);
            if (step->kind == LW_STEP_PREDICT || step->kind == LW_STEP_SEE)
                continue;
            if (step->goal.items[0].kind->value_kind != LW_GOAL_FIELDS)
                assert_true(step->change.count > 0); /* what else changes makes texts wrong */
            else
                assert_true(step->change.lines && !step->change.count);
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
        drive_draw(&d);
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
        drive_draw(&d);
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
    assert_shows(&d, "1: who-holds-what  0 of ");
    assert_shows(&d, "10: best-swizzle   0 of ");
    assert_shows(&d, "Enter begins it");
    assert_shows(&d, "In this lesson you read a"); /* what the lesson is about, not its layout */
    drive_keys(&d, "Down Enter");
    assert_shows(&d, "Lesson 2: Bits and xor, step 1 of ");
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
    assert_shows(&d, "Lesson 3: Blocked layouts, step 1 of ");
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
    assert_shows(&d, "step 1 of ");
    drive_command(&d, "open start/4x4"); /* another layout: the lesson waits */
    assert_hides(&d, "step 1 of ");
    drive_keys(&d, "Esc");
    d.ex.focus = LW_FOCUS_GALLERY;
    while (!lw_explorer_entry(&d.ex)->lesson)
        drive_keys(&d, "Up");
    drive_keys(&d, "Enter");
    assert_shows(&d, "step 1 of ");
    for (size_t i = d.ex.lesson->lesson.step_count; i > 0; i--) {
        drive_solve(&d);
        drive_keys(&d, "Enter");
    }
    assert_shows(&d, "the last lesson");
    assert_hides(&d, "Enter: next lesson");
    drive_keys(&d, "Enter");
    assert_shows(&d, "that was the last lesson");
    drive_close(&d);
    drive_lesson(&d, "1");
    for (size_t i = d.ex.lesson->lesson.step_count; i > 0; i--) {
        drive_solve(&d);
        drive_keys(&d, "Enter");
    }
    drive_keys(&d, "Enter");
    assert_shows(&d, "Lesson 2: Bits and xor, step 1 of ");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
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
