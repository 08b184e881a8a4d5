/* Lessons as a learner takes them: every step of the course is drawn on a small and on a middle screen, and done with
 * keys alone; what is typed while a question is open is its answer, and nothing else. */

#include "session.h"

#include "tui/lesson/lesson_screen.h"
#include "tui/picture/picture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct session s;

static int teardown(void **state)
{
    (void)state;
    session_close(&s);
    return 0;
}

static struct lw_lesson_screen *lesson_here(void)
{
    assert_ptr_equal(lw_app_top(&s.app)->type, &lw_lesson_screen);
    return lw_lesson_of(lw_app_top(&s.app));
}

/* Fails with the step and the screen. */
static void check(bool good, const char *what)
{
    const struct lw_lesson_screen *lesson = lesson_here();
    if (!good)
        fail_msg("%s, step %zu: %s\n%s", lesson->key, lesson->step + 1, what, session_screen(&s));
}

/* ---- Every step ---- */

/* All of the text and the task is visible, and so is the picture that the text is about. */
static void check_first_look(const struct lw_lesson_screen *lesson)
{
    enum { PICTURE = 9 };
    const char *screen = session_screen(&s);
    int rows = 0;
    check(!strstr(screen, "the whole text"), "the text is cut");
    check(strstr(screen, "\xe2\x96\xb8 ") != NULL, "there is no task");
    if (!lw_lesson_shows_layout(lesson))
        return;
    const char *rule = strstr(screen, "\n\xe2\x94\x80\xe2\x94\x80");
    check(rule != NULL, "the layout is not shown");
    for (const char *p = rule; p; p = strchr(p + 1, '\n'))
        rows++;
    check(rows >= PICTURE, "the picture has too few rows");
}

/* Every printable character is typed into the answer; Backspace does not leave the question. */
static void check_typing(const struct lw_lesson_screen *lesson)
{
    char all[128] = "";
    const size_t step = lesson->step;
    for (int c = ' ' + 1; c < 127; c++)
        all[c - ' ' - 1] = (char)c;
    session_type(&s, all);
    check(!strcmp(lw_input_text(&lesson->answer), all), "not all that is typed is the answer");
    for (size_t i = 0; i <= strlen(all); i++)
        session_keys(&s, "Backspace");
    check(s.app.depth == 1 && lesson->step == step && lw_lesson_has_question(lesson) &&
              !lesson->answer.text.length,
          "typing leaves the question");
}

static void answer(const struct lw_lesson_screen *lesson)
{
    enum { SHORT = 6 }; /* numbers and words of few letters are on any screen */
    struct lw_text right = {0};
    check(lw_lesson_right_answer(lesson, &right), "the answer has no value");
    const char *typed = lw_text_string(&right);
    check(right.length < SHORT || lesson->lesson.steps[lesson->step].choices.count ||
              !strstr(session_screen(&s), typed),
          "the answer is on the screen");
    check_typing(lesson);
    session_type(&s, typed);
    session_keys(&s, "Enter");
    lw_text_free(&right);
}

static void use(const struct lw_lesson_screen *lesson, const char *name)
{
    struct lw_text key = {0};
    check(lw_lesson_put_key(lesson, &key, name), name);
    if (lw_picture_named(name) && key.length > 1)
        session_view(&s, name); /* a view of the list of all */
    else
        session_keys(&s, lw_text_string(&key));
    lw_text_free(&key);
}

static void do_step(const struct lw_lesson_screen *lesson)
{
    const struct lw_step *step = lw_lesson_step(lesson);
    check_first_look(lesson);
    check(!lesson->met, "the goal is met at the start");
    if (step->kind == LW_STEP_PREDICT)
        answer(lesson);
    for (size_t i = 0; i < step->use.count; i++)
        use(lesson, step->use.lines[i]);
    for (size_t i = 0; i < step->solution.count; i++)
        session_command(&s, step->solution.lines[i]);
    check(lesson->reached, "it is not done");
    check(strstr(session_screen(&s), "\xe2\x97\x8f ") != NULL, "the end is not shown");
    session_keys(&s, "Enter");
}

static void do_lessons(int width, int height)
{
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    for (size_t i = 0; i < count; i++) {
        session_open_lesson(&s, lw_lesson_name(&lessons[i]), width, height);
        const struct lw_lesson_screen *lesson = lesson_here();
        for (size_t k = 0; k < lesson->lesson.step_count; k++) {
            assert_int_equal(lesson->step, k);
            do_step(lesson);
        }
        assert_null(lw_lesson_step(lesson));
        assert_shows(&s, "What you know now:");
        if (i + 1 < count)
            session_close(&s);
    }
}

static void every_step_is_done_with_keys_on_a_small_screen(void **state)
{
    (void)state;
    do_lessons(80, 24);
}

static void every_step_is_done_with_keys_on_a_middle_screen(void **state)
{
    (void)state;
    do_lessons(100, 35);
}

/* ---- Questions ---- */

static void a_typed_layout_saves_no_file(void **state)
{
    char folder[] = "/tmp/laneway-lesson-XXXXXX", before[4096];
    int files = 0;
    (void)state;
    session_open_lesson(&s, "spellings", 100, 35);
    s.options.writes_nothing = false;
    lw_lesson_go(lesson_here(), 2);
    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    session_type(&s, "Sw<3,3,3> o 0 o (16,64):(64,1)");
    session_keys(&s, "Enter");
    assert_true(lesson_here()->reached);
    DIR *dir = opendir(".");
    while (dir && readdir(dir))
        files++;
    assert_int_equal(files, 2); /* . and .. */
    closedir(dir);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void a_wrong_answer_has_its_reason_and_hints_end_with_the_answer(void **state)
{
    (void)state;
    session_open_lesson(&s, "banks", 100, 35);
    lw_lesson_go(lesson_here(), 1);
    session_type(&s, "16");
    session_keys(&s, "Enter");
    assert_shows(&s, "Not 16. All 32 lanes need the same bank");
    session_keys(&s, "Tab");
    assert_shows(&s, "? What is 32 * i modulo 32?");
    session_keys(&s, "Tab");
    assert_false(lesson_here()->assisted);
    session_keys(&s, "Tab");
    assert_shows(&s, "32 wavefronts.");
    assert_true(lesson_here()->assisted);
    session_type(&s, "32");
    session_keys(&s, "Enter");
    assert_true(lesson_here()->reached);
}

/* A second Enter within less than half a second belongs to the answer: its explanation is not passed over. */
static void a_second_enter_stays_at_the_explanation(void **state)
{
    (void)state;
    session_open_lesson(&s, "banks", 100, 35);
    s.app.has_terminal = true;
    lw_lesson_go(lesson_here(), 1);
    session_type(&s, "32");
    session_keys(&s, "Enter Enter");
    assert_int_equal(lesson_here()->step, 1);
    assert_shows(&s, "is in bank c for every lane");
    usleep(500000);
    session_keys(&s, "Enter");
    assert_int_equal(lesson_here()->step, 2);
}

/* A question that was answered before is asked again, but need not be answered again. */
static void enter_goes_on_from_a_question_of_before(void **state)
{
    (void)state;
    session_open_lesson(&s, "banks", 100, 35);
    lw_lesson_go(lesson_here(), 1);
    session_type(&s, "32");
    session_keys(&s, "Enter Enter p");
    assert_int_equal(lesson_here()->step, 1);
    assert_shows(&s, "Done before: Enter goes on.");
    session_keys(&s, "Enter");
    assert_int_equal(lesson_here()->step, 2);
    session_keys(&s, "p");
    session_type(&s, "16"); /* an answer is still checked */
    session_keys(&s, "Enter");
    assert_int_equal(lesson_here()->step, 1);
    assert_shows(&s, "Not 16.");
}

/* The layout to reach is drawn without the spelling that is the answer. */
static void the_target_has_no_spelling(void **state)
{
    (void)state;
    session_open_lesson(&s, "blocked", 100, 35);
    lw_lesson_go(lesson_here(), 2);
    assert_shows(&s, "the target");
    assert_hides(&s, "order [0,1]");
}

/* ---- The list of lessons ---- */

/* From the first screen to the list, to a lesson in it, and back. */
static void the_list_of_lessons_is_opened_by_keys(void **state)
{
    (void)state;
    session_open(&s, NULL, 100, 35);
    assert_ptr_equal(lw_app_top(&s.app)->type, &lw_start_screen);
    session_keys(&s, "/");
    session_type(&s, "The course");
    session_keys(&s, "Enter Enter");
    assert_shows(&s, "Lessons: layouts from the first element");
    assert_shows(&s, " 2  Shared memory banks");
    session_keys(&s, "Down Enter");
    assert_string_equal(lesson_here()->key, "banks");
    assert_shows(&s, "Lesson 2: Shared memory banks, step 1 of");
    session_keys(&s, "Esc");
    assert_shows(&s, "Lessons: layouts from the first element");
    session_keys(&s, "Esc");
    assert_ptr_equal(lw_app_top(&s.app)->type, &lw_start_screen);
}

/* `:learn` prints the lessons as the command line does, without leaving the layout. */
static void the_command_learn_lists_the_lessons(void **state)
{
    (void)state;
    session_open(&s, "start/4x4", 100, 35);
    session_command(&s, "learn");
    assert_shows(&s, "who-holds-what");
    session_keys(&s, "Esc");
    assert_ptr_equal(lw_app_top(&s.app)->type, &lw_layout_screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_step_is_done_with_keys_on_a_small_screen, teardown),
        cmocka_unit_test_teardown(every_step_is_done_with_keys_on_a_middle_screen, teardown),
        cmocka_unit_test_teardown(a_typed_layout_saves_no_file, teardown),
        cmocka_unit_test_teardown(a_wrong_answer_has_its_reason_and_hints_end_with_the_answer,
                                  teardown),
        cmocka_unit_test_teardown(a_second_enter_stays_at_the_explanation, teardown),
        cmocka_unit_test_teardown(enter_goes_on_from_a_question_of_before, teardown),
        cmocka_unit_test_teardown(the_target_has_no_spelling, teardown),
        cmocka_unit_test_teardown(the_list_of_lessons_is_opened_by_keys, teardown),
        cmocka_unit_test_teardown(the_command_learn_lists_the_lessons, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
