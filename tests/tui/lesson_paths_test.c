/* What a lesson makes of keys that are not its own, of mistakes, and of small screens. */

#include "tui/drive.h"
#include "tui/lesson/lesson_run.h"
#include "tui/access/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t measure(struct drive *d, const char *name)
{
    struct lw_lesson_state state;
    size_t count;
    uint64_t value = 0;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    const struct lw_goal_kind *kind = lw_goal_kind_find(kinds, count, name, strlen(name));
    lw_lesson_state(&d->ex, &state);
    assert_true(kind && kind->measure(&state, &value));
    return value;
}

/* ---- The lesson's stores ---- */

/* Takes row `at` of a search that has ended: it is what the goals count then, and the best of any kind is the end of
 * the step. */
static void take_row(struct drive *d, const struct lw_solve_row *rows, int at)
{
    uint64_t store = rows[at].swizzle->store.wavefronts;
    uint64_t load = rows[at].swizzle->load.wavefronts, best = d->ex.lesson->best.value;
    for (int k = 0; k < 20; k++)
        drive_keys(d, "Up");
    for (int k = 0; k < at; k++)
        drive_keys(d, "Down");
    drive_keys(d, at ? "Enter" : "Esc");
    assert_int_equal(d->ex.focus, LW_FOCUS_VIEW);
    assert_int_equal(measure(d, "store-wavefronts"), store);
    assert_int_equal(measure(d, "load-wavefronts"), load);
    drive_draw(d);
    assert_int_equal(d->ex.lesson->met, store + load == best);
}

/* The search is made once for each step; each row is taken in a process of its own. */
static void what_a_search_finds_counts(void **state)
{
    static const size_t steps[] = {1, 3, 4}; /* the others are questions */
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct drive d;
        struct lw_solve_row rows[LW_SOLVE_ROWS];
        drive_lesson(&d, "best-swizzle");
        lw_lesson_go(&d.ex, steps[i]);
        uint64_t now = measure(&d, "wavefronts");
        drive_keys(&d, "o");
        lw_job_finish(&d.ex);
        assert_shows(&d, "store A, load B");
        int count = lw_solve_rows(d.ex.solve, rows), status;
        assert_true(count > 5 && rows[0].swizzle == &d.ex.solve->current);
        assert_int_equal(lw_swizzle_wavefronts(rows[0].swizzle), now);
        fflush(NULL);
        for (int at = 0; at < count; at++) {
            pid_t pid = fork();
            if (pid == 0) {
                take_row(&d, rows, at);
                _exit(0);
            }
            assert_int_equal(waitpid(pid, &status, 0), pid);
            assert_int_equal(status, 0);
        }
        drive_close(&d);
    }
}

/* The banks view counts them too, and their layout can be looked at. */
static void the_stores_are_shown(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "best-swizzle");
    drive_resize(&d, 120, 40);
    lw_lesson_go(&d.ex, 1);
    assert_shows(&d, "load: 512 wavefronts, ideal 64");
    drive_keys(&d, "a a");
    assert_shows(&d, "store: 64 wavefronts, ideal 64");
    drive_keys(&d, "x x 1");
    assert_shows(&d, "Owners: registers A");
    drive_keys(&d, "Down");
    assert_string_equal(drive_cell(&d), "T8:0"); /* 8 lanes to a row */
    drive_solve(&d);
    assert_shows(&d, "Owners: registers A");
    drive_keys(&d, "x x");
    assert_shows(&d, "Owners: registers B");
    drive_keys(&d, "x x Enter"); /* the next step's stores are others */
    drive_draw(&d);
    assert_int_equal(d.ex.lesson->step, 2);
    lw_lesson_go(&d.ex, 3);
    drive_keys(&d, "x x 1 Down");
    assert_string_equal(drive_cell(&d), "T4:0");
    drive_keys(&d, "5");
    assert_true(d.ex.panes.all[0].has_view);
    drive_keys(&d, "x x");
    lw_lesson_go(&d.ex, 4);
    assert_string_equal(d.ex.panes.all[0].view.type->name, "banks");
    drive_close(&d);
}

/* ---- Enter ---- */

static void enter_goes_on_where_the_step_is_done(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "1");
    drive_keys(&d,
               "Enter"); /* too early: it reports that, and nothing that is typed then is lost */
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_int_equal(d.ex.lesson->step, 0);
    assert_shows(&d, "the goal is not reached yet");
    assert_hides(&d, "Enter: next step");
    assert_hides(&d, "Enter edit");
    drive_solve(&d);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    drive_keys(&d, "p");
    assert_shows(&d, "Done before: Enter goes on.");
    assert_shows(&d, "Enter: next step");
    assert_shows(&d, "L: hint 1");
    assert_false(d.ex.lesson->met);
    drive_keys(&d, "Enter"); /* a step that was done need not be done again */
    assert_int_equal(d.ex.lesson->step, 1);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    assert_shows(&d, "the goal is not reached yet");
    drive_close(&d);
}

/* In the form Enter edits until the goal is met; a command is a command there too. */
static void no_command_falls_into_a_field(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    drive_field(&d, "vec");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_PICK);
    drive_command(&d, "set maxPhase=8");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_string_equal(drive_value(&d, "vec"), "1");
    assert_string_equal(drive_value(&d, "maxPhase"), "8");
    drive_keys(&d, "R");
    drive_field(&d, "vec");
    drive_keys(&d, "4"); /* what was typed before it is taken */
    drive_command(&d, "set maxPhase=8");
    assert_string_equal(drive_value(&d, "vec"), "4");
    assert_string_equal(drive_value(&d, "maxPhase"), "8");
    drive_field(&d, "shape");
    drive_keys(&d, "Enter");
    drive_type(&d, "x"); /* what is no value is given up */
    drive_command(&d, "set shape=[64, 64]");
    assert_string_equal(drive_value(&d, "shape"), "[64, 64]");
    assert_int_equal(d.ex.status.message[0], 0);
    drive_close(&d);
    drive_lesson(&d, "banks");
    lw_lesson_go(&d.ex, 5);
    drive_field(&d, "intervalPads");
    drive_keys(&d, "Enter");
    drive_command(&d, "set intervalPads=[[32, 1]]");
    assert_true(d.ex.lesson->met || strstr(drive_screen(&d), "Enter: next step"));
    drive_keys(&d, "R");
    drive_field(&d, "intervalPads");
    drive_keys(&d, "[");
    drive_type(&d, "32:+1]"); /* a colon of the value's own */
    drive_keys(&d, "Enter");
    assert_shows(&d, "Enter: next step");
    assert_string_equal(drive_value(&d, "intervalPads"), "[[32, 1]]");
    drive_close(&d);
}

/* ---- Goals in words ---- */

/* The goals of a step as its pane shows them, joined. */
static void assert_goals(struct drive *d, const char *lesson, size_t step, const char *line,
                         const char *words)
{
    struct lw_text text = {0};
    struct lw_lesson_state now;
    drive_lesson(d, lesson);
    lw_lesson_go(&d->ex, step);
    for (const char *next; line; line = next) {
        char one[80];
        next = strchr(line, ';');
        snprintf(one, sizeof one, "%.*s", (int)(next ? next - line : 79), line);
        drive_command(d, one);
        next = next ? next + 1 : NULL;
    }
    drive_draw(d);
    lw_lesson_state(&d->ex, &now);
    const struct lw_goals *goals = &lw_lesson_step(d->ex.lesson)->goal;
    for (int i = 0; i < goals->count; i++)
        lw_goal_put(&text, &now, &goals->items[i]);
    lw_lesson_disallowed_change(&d->ex, &text);
    if (strcmp(lw_text_string(&text), words) != 0)
        fail_msg("'%s' is not: %s", words, lw_text_string(&text));
    lw_text_free(&text);
    assert_false(d->ex.lesson->met);
    drive_close(d);
}

static void goals_show_target_values(void **state)
{
    struct drive d;
    (void)state;
    assert_goals(&d, "1", 0, NULL, "the cursor is on row 2, column 3; now row 0, column 0");
    assert_goals(&d, "1", 1, "find 2,3",
                 "the cursor is on warp 1, lane 20, register 3; now warp 0, lane 9, register 1");
    assert_goals(&d, "banks", 0, "find 1,2", "the cursor is on row 3, bank 7; now row 1, bank 2");
    assert_goals(
        &d, "swizzling", 1, "set load.threadsPerWarp=[64, 1]",
        "the loads take 32 wavefronts, the ideal; now 128" /* of the last legal layout */
        "Only maxPhase may change in this step, but load.threadsPerWarp is [64, 1] now: :set "
        "load.threadsPerWarp=[32, 1] sets it back");
}

/* The first parameter that was changed wrongly is named, with its old value, also after other changes. */
static void a_stray_parameter_can_be_set_back(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "blocked");
    lw_lesson_go(&d.ex, 3);
    drive_resize(&d, 120, 40);
    drive_command(&d, "set sizePerThread=[2, 2]");
    drive_command(&d, "set warpsPerCTA=[2, 2]");
    assert_shows(&d, "sizePerThread=[1, 2]");
    assert_hides(&d, "u undoes");
    assert_false(d.ex.lesson->met);
    drive_command(&d, "set sizePerThread=[1, 2]");
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    drive_close(&d);
}

static void lanes_that_the_target_has_not(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    drive_resize(&d, 120, 40);
    assert_hides(&d, "lanes a warp, but");
    drive_command(&d, "set load.threadsPerWarp=[64, 1]");
    drive_field(&d, "load.threadsPerWarp");
    assert_shows(&d, "the last legal layout");
    drive_close(&d);
}

/* The first bank access that one sees is a plain load, before the task and after it. */
static void the_first_accesses_are_plain(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "banks");
    lw_lesson_go(&d.ex, 3);
    drive_resize(&d, 120, 40);
    assert_int_equal(measure(&d, "load-matrix"), 0);
    assert_shows(&d, "w0-31 x32");
    drive_solve(&d);
    assert_int_equal(measure(&d, "load-matrix"), 0);
    assert_shows(&d, " load 1 ");
    drive_close(&d);
}

/* ---- Small screens ---- */

static void a_lesson_on_a_small_screen(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "1");
    drive_resize(&d, 40, 12);
    assert_shows(&d, "Move with the arrow keys"); /* the task, before the text */
    assert_shows(&d, "> more");
    drive_keys(&d, "L");
    assert_string_equal(d.ex.status.message, lw_lesson_step(d.ex.lesson)->hints.lines[0]);
    drive_solve(&d);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    drive_resize(&d, 40, 11);
    assert_shows(&d, "the lesson's text needs 12 rows");
    drive_keys(&d, "L");
    assert_string_equal(d.ex.status.message, lw_lesson_step(d.ex.lesson)->hints.lines[0]);
    drive_close(&d);
}

/* ---- The list ---- */

/* After the layouts for beginners, and the welcome text has the key. */
static void lessons_stand_near_the_start(void **state)
{
    const struct lw_tui_options options = {.start = "start/16x16"};
    struct drive d;
    size_t at = 0, count;
    (void)state;
    lw_lessons(&count);
    drive_open_with(&d, NULL, &options);
    while (!strncmp(d.ex.list.entries[at].source, "kernels/", 8))
        at++;
    while (!strncmp(d.ex.list.entries[at].source, "start/", 6))
        at++;
    assert_in_range(at, 2, 12);
    for (size_t i = 0; i < count; i++)
        assert_non_null(d.ex.list.entries[at + i].lesson);
    for (size_t i = at + count; i < d.ex.list.count; i++)
        assert_null(d.ex.list.entries[i].lesson);
    drive_resize(&d, 120, 40);
    assert_shows(&d, "lesson 1: who-holds-what"); /* on screen at once */
    d.ex.keep.hint = true;
    drive_resize(&d, 80, 24);
    assert_shows(&d, ":learn: lessons, ?: all keys");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_search_finds_counts),
        cmocka_unit_test(the_stores_are_shown),
        cmocka_unit_test(enter_goes_on_where_the_step_is_done),
        cmocka_unit_test(no_command_falls_into_a_field),
        cmocka_unit_test(goals_show_target_values),
        cmocka_unit_test(a_stray_parameter_can_be_set_back),
        cmocka_unit_test(lanes_that_the_target_has_not),
        cmocka_unit_test(the_first_accesses_are_plain),
        cmocka_unit_test(a_lesson_on_a_small_screen),
        cmocka_unit_test(lessons_stand_near_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
