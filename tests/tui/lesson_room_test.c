/* What of a lesson is on the screen: its cells, its text, its task and its keys, at every size. */

#include "tui/draw/drawing.h"
#include "tui/drive.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- The room of the text ---- */

/* The screens of a lesson that is begun from the list, and by its number. */
static void however_it_is_begun(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    size_t count;
    (void)state;
    lw_lessons(&count);
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < 3; s++) {
            struct drive named, listed;
            const struct lw_tui_options options = {.writes_nothing = true, .lessons = true};
            const char *name = lw_lesson_name(&lw_lessons(&count)[i]);
            drive_lesson(&named, name);
            drive_resize(&named, sizes[s][0], sizes[s][1]);
            drive_fit(&named);
            lw_lesson_go(&named.ex, 0);
            drive_open_with(&listed, NULL, &options);
            drive_resize(&listed, sizes[s][0], sizes[s][1]);
            drive_fit(&listed);
            lw_lesson_list(&listed.ex);
            drive_screen(&listed);
            for (size_t k = 0; k < i; k++)
                drive_keys(&listed, "Down");
            drive_screen(&listed);
            drive_keys(&listed, "- - Enter"); /* the zoom of the preview is its own */
            assert_int_equal(listed.ex.focus, LW_FOCUS_VIEW);
            const struct lw_view_pane *a = &named.ex.panes.all[0], *b = &listed.ex.panes.all[0];
            drive_screen(&named);
            drive_screen(&listed);
            assert_string_equal(a->view.type->name, b->view.type->name);
            if (a->zoom != b->zoom || a->step_rows != b->step_rows || a->step_cols != b->step_cols)
                fail_msg("%s at %dx%d: another zoom", name, sizes[s][0], sizes[s][1]);
            drive_close(&named);
            drive_close(&listed);
        }
}

/* The first step of the first lesson at 80x24. */
static void begin_first(struct drive *d)
{
    drive_lesson(d, "1");
    drive_fit(d);
    lw_lesson_go(&d->ex, 0);
    drive_resize(d, 80, 24);
}

/* All columns of the first tensor are on the screen, and with the key of the text the cells that it talks of. */
static void cells_are_as_in_the_text(void **state)
{
    struct drive d;
    (void)state;
    begin_first(&d);
    assert_shows(&d, "w0 l9 r1 is");
    assert_shows(&d, "  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15 ");
    drive_keys(&d, "+");
    assert_shows(&d, "w0 l0 r0");
    assert_shows(&d, "w0 l0 r1");
    drive_close(&d);
}

/* Nothing follows a solved step but the next one: a text of which a part is hidden is before the task. */
static void a_solved_step_has_no_more(void **state)
{
    struct drive d;
    (void)state;
    begin_first(&d);
    drive_keys(&d, "Down Down Right Right Right +");
    assert_shows(&d, "Enter: next step");
    assert_shows(&d, "> the rest of the text");
    assert_hides(&d, "> more");
    drive_keys(&d, "> > >");
    assert_hides(&d, "> the rest");
    assert_shows(&d, "is its lane");
    drive_close(&d);
}

/* The cells of the first picture of a step stay when keys are pressed and hints come; where the task is to go to an
 * element, each element has a cell. */
static void cells_stay_in_a_step(void **state)
{
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}};
    static const char *const keys[] = {"Down", "L", "L", "C-l"};
    size_t count;
    (void)state;
    lw_lessons(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t at = 0, steps = 1, s = 0; at < steps; s = (s + 1) % 3, at += s == 0) {
            struct drive d;
            drive_lesson(&d, lw_lesson_name(&lw_lessons(&count)[i]));
            steps = d.ex.lesson->lesson.step_count;
            drive_resize(&d, sizes[s][0], sizes[s][1]);
            drive_fit(&d);
            lw_lesson_go(&d.ex, at);
            drive_draw(&d);
            const struct lw_view_pane first = *d.ex.panes.active;
            const bool points = lw_lesson_points(&d.ex) && lw_pane_is_picture(&first);
            if (points && first.step_rows * first.step_cols > 1)
                fail_msg("lesson %zu, step %zu at %dx%d: a cell is %zux%zu", i + 1, at + 1,
                         sizes[s][0], sizes[s][1], (size_t)first.step_rows,
                         (size_t)first.step_cols);
            for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
                drive_keys(&d, keys[k]);
                drive_draw(&d);
                const struct lw_view_pane *now = d.ex.panes.active;
                if ((k == 0 || points) &&
                    (now->zoom != first.zoom || now->step_rows != first.step_rows ||
                     now->step_cols != first.step_cols))
                    fail_msg("lesson %zu, step %zu at %dx%d: another zoom after %s", i + 1, at + 1,
                             sizes[s][0], sizes[s][1], keys[k]);
            }
            drive_close(&d);
        }
}

/* The text takes at most half of the room, whatever the hints are; folded, it takes less. Where the layout is hidden
 * until the question is answered, there is none to keep room for. */
static void the_layout_keeps_its_room(void **state)
{
    static const int sizes[][2] = {{80, 24}, {100, 30}, {120, 40}};
    size_t count;
    (void)state;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < 3; s++) {
            struct drive d;
            struct lw_panes panes;
            drive_lesson(&d, lw_lesson_name(&lessons[i]));
            drive_resize(&d, sizes[s][0], sizes[s][1]);
            drive_draw(&d);
            for (size_t k = 0; k < lw_lesson_step(d.ex.lesson)->hints.count; k++)
                drive_keys(&d, "L");
            drive_draw(&d);
            lw_panes(&d.ex, &panes);
            int text = panes.lesson.height, view = panes.view[0].height + panes.inspector.height;
            assert_true(text <= view + 1 || lw_lesson_hides(&d.ex, &d.ex.panes.all[0]));
            assert_shows(&d, "▸ "); /* the task stays */
            assert_shows(&d, "? "); /* so do hints */
            drive_keys(&d, "z");
            drive_draw(&d);
            lw_panes(&d.ex, &panes);
            assert_true(panes.lesson.height <= text);
            assert_shows(&d, "▸ ");
            drive_keys(&d, "z");
            drive_draw(&d);
            lw_panes(&d.ex, &panes);
            assert_int_equal(panes.lesson.height, text);
            drive_close(&d);
        }
}

/* A step begins with all of its text on the screen. */
static void texts_fit(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    size_t count;
    (void)state;
    lw_lessons(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t at = 0, steps = 1, s = 0; at < steps; s = (s + 1) % 2, at += s == 0) {
            struct drive d;
            drive_lesson(&d, lw_lesson_name(&lw_lessons(&count)[i]));
            steps = d.ex.lesson->lesson.step_count;
            drive_resize(&d, sizes[s][0], sizes[s][1]);
            drive_fit(&d);
            lw_lesson_go(&d.ex, at);
            assert_hides(&d, " > more ");
            drive_close(&d);
        }
}

/* The keys of a lesson are on the line of keys, and work where they are there. */
static void the_keys_are_on_the_line(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "swizzling");
    assert_shows(&d, "R restart");
    assert_hides(&d, "p previous"); /* this is the first step */
    drive_solve(&d);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    drive_field(&d, "vec");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    assert_shows(&d, "R restart");
    assert_shows(&d, "p previous");
    drive_keys(&d, "+");
    assert_string_equal(drive_value(&d, "vec"), "2");
    drive_keys(&d, "R");
    assert_string_equal(drive_value(&d, "vec"), "1");
    drive_field(&d, "vec");
    drive_keys(&d, "p");
    assert_int_equal(d.ex.lesson->step, 0);
    drive_close(&d);
    drive_open(&d, "start/16x16");
    assert_hides(&d, "R restart");
    drive_close(&d);
}

/* The list of keys has what they do in a lesson, and those that scroll a text only where it is longer than its pane. */
static void the_help_is_of_the_lesson(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "who-holds-what");
    drive_resize(&d, 120, 60);
    drive_keys(&d, "?");
    assert_shows(&d, "Enter          in a lesson: the next step, once the goal");
    assert_hides(&d, "edit the parameters  ");
    assert_hides(&d, "scroll its text");
    assert_shows(&d, "1 Owners       the tensor");
    drive_close(&d);
    drive_lesson(&d, "operand-b"); /* a digit begins the answer of its question */
    drive_resize(&d, 120, 60);
    drive_keys(&d, "?");
    assert_shows(&d, "  Owners       the tensor");
    assert_hides(&d, "1 Owners");
    drive_close(&d);
    drive_lesson(&d, "swizzling");
    drive_resize(&d, 60, 24);
    drive_keys(&d, "? / s c r o l l Enter");
    assert_shows(&d, "scroll its text ");
    drive_close(&d);
}

/* A long question is all on the screen: what is hidden until it is answered takes little. */
static void a_question_has_room(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "17");
    drive_resize(&d, 80, 24);
    drive_draw(&d);
    assert_shows(&d, "[8, 1], threadsPerWarp = [16, 2]");     /* of A */
    assert_shows(&d, "warpsPerCTA = [8, 1], order = [1, 0]"); /* of B */
    assert_hides(&d, "> more");
    drive_close(&d);
}

/* The frame says what the cells show. */
static void frames_say_what_cells_show(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "banks");
    drive_resize(&d, 120, 40);
    lw_lesson_go(&d.ex, 1);
    drive_draw(&d);
    assert_shows(&d, "cells: element, colours: column");
    drive_close(&d);
    drive_lesson(&d, "bits-and-xor");
    lw_lesson_go(&d.ex, 1);
    drive_draw(&d);
    assert_shows(&d, "cells: element, colours: lane");
    drive_close(&d);
}

/* Hints go from a question to the answer; the exam keeps its answers. */
static void hints_lead_to_the_answer(void **state)
{
    size_t count;
    (void)state;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_lesson lesson;
        struct lw_report report = {0};
        const char *name = lw_lesson_name(&lessons[i]);
        bool exam = !strcmp(name, "exam");
        assert_true(lw_lesson_open(&lesson, name, 0, &report, NULL));
        for (size_t k = 0; k < lesson.step_count; k++) {
            const struct lw_step *step = &lesson.steps[k];
            if (step->kind == LW_STEP_SEE)
                continue;
            if (!strchr(step->hints.lines[0], '?') || step->hints.count < (exam ? 2 : 3))
                fail_msg("%s, step %zu: %zu hints, %s", name, k + 1, step->hints.count,
                         step->hints.lines[0]);
        }
        lw_lesson_free(&lesson);
    }
}

/* What lessons said once, and is not true, or not of every system. */
static void sentences_are_true(void **state)
{
    static const char *const refused[] = {"One colour is one lane",
                                          "is the number of registers that a tensor costs",
                                          "as many as rows are read at once",
                                          "always loses alignment",
                                          "compilers use it for one such bit",
                                          " w mod 32"};
    size_t count;
    (void)state;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
            if (strstr(lessons[i].text, refused[k]))
                fail_msg("%s: %s", lessons[i].name, refused[k]);
}

/* Every lesson asks a question before the picture shows the answer. */
static void every_lesson_asks(void **state)
{
    size_t count;
    (void)state;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_lesson lesson;
        struct lw_report report = {0};
        bool asks = false;
        assert_true(lw_lesson_open(&lesson, lw_lesson_name(&lessons[i]), 0, &report, NULL));
        for (size_t k = 0; k < lesson.step_count; k++)
            asks = asks || lesson.steps[k].kind == LW_STEP_PREDICT;
        if (!asks)
            fail_msg("%s asks nothing", lw_lesson_name(&lessons[i]));
        lw_lesson_free(&lesson);
    }
}

/* ---- Goals ---- */

/* Any way that has the property of the goal: no element leaves its warp. */
static void any_right_way_is_accepted(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "conversions");
    lw_lesson_go(&d.ex, 4);
    drive_command(&d, "set warpsPerCTA=[4, 1]");
    drive_command(&d, "set order=[0, 1]");
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    drive_command(&d, "set warpsPerCTA=[2, 2]");
    drive_draw(&d);
    assert_false(d.ex.lesson->met);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(however_it_is_begun),
        cmocka_unit_test(a_solved_step_has_no_more),
        cmocka_unit_test(cells_are_as_in_the_text),
        cmocka_unit_test(the_layout_keeps_its_room),
        cmocka_unit_test(texts_fit),
        cmocka_unit_test(the_keys_are_on_the_line),
        cmocka_unit_test(any_right_way_is_accepted),
        cmocka_unit_test(a_question_has_room),
        cmocka_unit_test(frames_say_what_cells_show),
        cmocka_unit_test(hints_lead_to_the_answer),
        cmocka_unit_test(every_lesson_asks),
        cmocka_unit_test(sentences_are_true),
        cmocka_unit_test(cells_stay_in_a_step),
        cmocka_unit_test(the_help_is_of_the_lesson),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
