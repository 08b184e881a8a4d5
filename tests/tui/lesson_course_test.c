/* What a learner and a teacher stumbled over: the keys that a message names, the order of Tab, the list of lessons, the
 * target hardware of a step, the messages of --check about names and numbers. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"
#include "tui/lesson/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *write_lesson(const char *steps)
{
    static char path[300];
    struct lw_text text = {0};
    lw_text_format(&text,
                   "{\"lesson\": \"x\", \"about\": \"What it is about.\", \"learnt\": \"y\", "
                   "\"steps\": [\n%s]}",
                   steps);
    snprintf(path, sizeof path, "%s/course.json", drive_folder);
    assert_true(lw_file_write(path, lw_text_string(&text), NULL));
    lw_text_free(&text);
    return path;
}

/* Enter before the goal names keys, and these do what it says: also where a target is drawn. */
static void keys_of_a_message(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "bits-and-xor");
    lw_lesson_go(&d.ex, 2);
    drive_resize(&d, 120, 40);
    assert_int_equal(d.ex.panes.count, 2);
    drive_keys(&d, "Enter");
    assert_shows(&d, "Tab goes to the parameters, L shows a hint");
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_FORM);
    drive_keys(&d, "S-Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_ptr_equal(d.ex.panes.active, &d.ex.panes.all[0]);
    drive_keys(&d, "S-Tab");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_ptr_equal(d.ex.panes.active, &d.ex.panes.all[1]);
    drive_keys(&d, "Tab L");
    assert_int_equal(d.ex.lesson->hints, 1);
    drive_close(&d);
}

/* Enter names what the step is about: the cursor, or keys. The hint that a key gives is not the one that is shown. */
static void what_is_to_be_done(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "1"); /* its first goal is one of the cursor */
    drive_keys(&d, "Enter");
    assert_shows(&d, "not reached yet: the arrow keys move the cursor, L shows a hint");
    drive_keys(&d, "Right");
    assert_shows(&d, " L: hint 1 of 3 ");
    drive_keys(&d, "L");
    assert_shows(&d, " L: next hint, 2 of 3 ");
    drive_close(&d);
}

/* It begins with the lessons, and Esc leads back to them, with their texts and keys. */
static void the_list_of_lessons(void **state)
{
    struct drive d;
    const struct lw_tui_options options = {.writes_nothing = true, .lessons = true};
    (void)state;
    drive_open_with(&d, NULL, &options);
    drive_resize(&d, 120, 40);
    lw_lesson_list(&d.ex);
    assert_shows(&d, "Lessons 1 of ");
    assert_shows(&d, "Up and Down choose a lesson, Enter begins it");
    drive_keys(&d, "Down");
    assert_shows(&d, "Lessons 2 of ");
    drive_keys(&d, "Enter");
    assert_shows(&d, "step 1 of");
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    assert_shows(&d, "Up and Down choose a lesson, Enter begins it");
    assert_string_equal(lw_explorer_entry(&d.ex)->doc->about, d.ex.lesson->lesson.about);
    drive_close(&d);
}

/* Lanes and banks are those of the step's target, and of no other entry. */
static void a_step_has_its_hardware(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, write_lesson("{\"text\": \"{lanes}\", \"open\": {\"encoding\": \"blocked\", "
                                  "\"shape\": [64, 4], \"element\": \"f32\", \"params\": "
                                  "{\"sizePerThread\": [1, 1], \"threadsPerWarp\": [64, 1], "
                                  "\"warpsPerCTA\": [1, 4], \"order\": [0, 1]}, \"shared\": "
                                  "{\"encoding\": \"swizzled_shared\", \"params\": {\"vec\": 1, "
                                  "\"perPhase\": 1, \"maxPhase\": 1, \"order\": [1, 0]}}}, "
                                  "\"hardware\": \"gfx942\", \"view\": \"banks\", \"do\": \"d\", "
                                  "\"goal\": {\"rows\": 32}, \"hints\": [\"h\"], \"solution\": "
                                  "[\"set shape=[32, 4]\"]}, {\"text\": \"t\", \"open\": "
                                  "\"start/4x4\", \"do\": \"d\", \"goal\": {\"cursor\": {\"row\": "
                                  "1}}, \"hints\": [\"h\"], \"solution\": [\"find 1,0\"]}"));
    assert_shows(&d, "gfx942");
    assert_string_equal(lw_explorer_hardware(&d.ex)->name, "gfx942");
    assert_string_equal(d.ex.layouts.opened.subject.hardware->name, "gfx942");
    drive_command(&d, "target gfx950");
    drive_draw(&d);
    assert_string_equal(d.ex.layouts.opened.subject.hardware->name, "gfx950");
    lw_lesson_go(&d.ex, 1);
    assert_null(lw_explorer_target(&d.ex));
    drive_close(&d);
}

#define OPEN "\"open\": \"start/16x16\", \"do\": \"d\", \"hints\": [\"h\"], "

static void what_is_wrong_in_a_lesson(void **state)
{
    static const struct {
        const char *step, *message;
    } rows[] = {
        {"{\"text\": \"{key matrx}\", " OPEN
         "\"goal\": {\"cursor\": {\"row\": 3}}, \"solution\": [\"find 3,0\"]}",
         "'{key matrx}': there is no action and no view 'matrx'; did you mean 'matrix'?"},
        {"{\"text\": \"t\", " OPEN
         "\"goal\": {\"cursor\": {\"lane\": 40}}, \"solution\": [\"find 3,0\"]}",
         "no cell of this layout has lane 40: they are 0 to 31"},
        {"{\"text\": \"t\", " OPEN
         "\"goal\": {\"cursor\": {\"row\": 16}}, \"solution\": [\"find 3,0\"]}",
         "no cell of this layout has row 16: they are 0 to 15"},
        {"{\"text\": \"t\", " OPEN "\"hardware\": \"gfx943\", "
         "\"goal\": {\"cursor\": {\"row\": 3}}, \"solution\": [\"find 3,0\"]}",
         "there is no target 'gfx943'; did you mean 'gfx942'?"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_report report = {0};
        struct lw_error err = {0};
        assert_false(lw_lesson_prove(write_lesson(rows[i].step), &report, &err));
        bool found = false;
        for (int k = 0; k < report.count; k++)
            found = found || strstr(report.errors[k].message, rows[i].message);
        if (!found)
            fail_msg("%s: %s", rows[i].message, report.errors[0].message);
    }
}

/* ---- The exam ---- */

/* The columns and the elements of the tiles that a seed draws. */
static void drawn(uint64_t seed, uint64_t tiles[3][2])
{
    struct lw_lesson lesson;
    struct lw_report report = {0};
    size_t count, place = 0;
    (void)lw_goal_kinds(&count);
    assert_true(lw_lesson_open(&lesson, "exam", seed, &report, NULL));
    for (size_t i = 0; i < lesson.step_count && place < 3; i += 4, place++) {
        const struct lw_tensor *tensor = &lesson.steps[i].open.tensor;
        tiles[place][0] = (uint64_t)tensor->shape[0] << 32 | (uint64_t)tensor->shape[1];
        tiles[place][1] = (uint64_t)tensor->element.bits << 8 | (uint8_t)tensor->element.name[0];
        for (size_t k = 1; k < 4; k++) /* its steps are about one tile */
            assert_int_equal(lesson.steps[i + k].open.tensor.shape[1], tensor->shape[1]);
    }
    lw_lesson_free(&lesson);
}

/* Three different tiles, the same for a seed, and others for most other seeds. */
static void an_exam_is_drawn(void **state)
{
    uint64_t a[3][2], b[3][2];
    int same = 0, elements = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        drawn(seed, a);
        drawn(seed, b);
        assert_memory_equal(a, b, sizeof a);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++)
                assert_true(memcmp(a[i], a[k], sizeof a[i]) != 0);
        elements += a[0][1] != a[1][1] || a[1][1] != a[2][1];
        drawn(seed + 1, b);
        same += !memcmp(a, b, sizeof a);
    }
    assert_int_equal(same, 0);
    assert_true(elements > 40); /* small seeds, too, draw several elements */
}

/* The tiles that "each" stands for: every combination that has a conflict, and what follows from it. */
static void tiles_are_made(void **state)
{
    struct lw_lesson lesson;
    struct lw_report report = {0};
    uint64_t seen[128], tile[3][2];
    size_t kinds = 0, count;
    (void)state;
    (void)lw_goal_kinds(&count);
    assert_true(lw_lesson_open(&lesson, "exam", 0, &report, NULL));
    assert_true(lesson.case_count > 80);
    size_t cases = lesson.case_count;
    lw_lesson_free(&lesson);
    for (uint64_t seed = 0; seed < cases; seed++) {
        drawn(seed, tile);
        uint64_t one = tile[0][0] << 16 | tile[0][1];
        size_t k = 0;
        while (k < kinds && seen[k] != one)
            k++;
        if (k == kinds && kinds < 128)
            seen[kinds++] = one;
    }
    assert_true(kinds > 60); /* names of elements count by their first letter */
}

/* A wavefront is a cycle of an H200, as lesson 6 claims of four warps: the times that were measured. */
static void a_wavefront_is_a_cycle(void **state)
{
    char path[512], line[256];
    const char *root = getenv("LANEWAY_ROOT");
    int rows = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/golden/bank_times_h200.csv", root ? root : ".");
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        unsigned long warps, stride, loads, cycles;
        if (sscanf(line, "NVIDIA H200,%lu,%lu,%lu,%lu", &warps, &stride, &loads, &cycles) != 4 ||
            warps != 4)
            continue;
        unsigned long each = (cycles + warps * loads / 2) / (warps * loads);
        assert_int_equal(each, stride); /* lane i at word stride * i: as many wavefronts */
        rows++;
    }
    (void)fclose(in);
    assert_int_equal(rows, 6);
    struct drive d;
    drive_lesson(&d, "banks");
    lw_lesson_go(&d.ex, 2);
    drive_solve(&d);
    assert_non_null(strstr(lw_text_string(&d.ex.lesson->done), "an H200 took 32 cycles"));
    drive_close(&d);
}

/* Neither a hint nor a goal of the exam has the answer. */
static void the_exam_gives_nothing_away(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct drive d;
        const struct lw_tui_options options = {
            .writes_nothing = true, .lesson = "exam", .seed_is_set = true, .seed = seed};
        drive_open_with(&d, NULL, &options);
        assert_true(lw_lesson_begin(&d.ex, "exam", NULL));
        const struct lw_lesson_run *run = d.ex.lesson;
        for (const struct lw_step *step; (step = lw_lesson_step(run));) {
            struct lw_text answer = {0};
            const char *hints = lw_text_string(&run->hint_lines);
            char system[16];
            assert_null(strstr(hints, ":set"));
            if (step->kind == LW_STEP_PREDICT) {
                assert_true(lw_lesson_right_answer(&d.ex, &answer));
                assert_null(strstr(lw_text_string(&run->text), "?"));
                if (lw_lesson_is_notation_answer(step->answer, system))
                    assert_null(strstr(hints, lw_text_string(&answer)));
            } else {
                assert_true(step->aim[0]);
            }
            lw_text_free(&answer);
            drive_solve(&d);
            drive_draw(&d);
            assert_true(run->met);
            if (step->reveal.name && !strcmp(step->answer, "{notation triton}"))
                assert_hides(&d, "Sw<"); /* the answer of the next question */
            drive_keys(&d, "Enter");
        }
        drive_close(&d);
    }
}

/* A layout that is typed is right in any spelling of its system, and in no other system. */
static void a_layout_is_typed(void **state)
{
    static const struct {
        const char *typed, *shows;
    } rows[] = {
        {"(16,64):(64,1)", "another function"},
        {"Swizzle<3,3", "Not Swizzle<3,3."},
        {"#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
         "expected the notation of"},
        {"Sw<3,4,3> o 0 o (16,64):(64,1)", "M 4 keeps 16 halves"},
    };
    static const char *const right[] = {
        "Swizzle<3,3,3> o 0 o (16,64):(64,1)", "Sw<3,3,3> o 0 o (16,64):(64,1)",
        "composition(Swizzle<3,3,3>{}, make_layout(make_shape(16,64), make_stride(64,1)))"};
    struct drive d;
    (void)state;
    drive_lesson(&d, "spellings");
    drive_resize(&d, 200, 60);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lw_lesson_go(&d.ex, 2);
        assert_shows(&d, "Bases"); /* what is asked about is on the screen */
        assert_hides(&d, "Sw<3,3,3>");
        lw_lesson_answer(&d.ex, rows[i].typed);
        assert_shows(&d, rows[i].shows);
        assert_false(d.ex.lesson->met);
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        lw_lesson_go(&d.ex, 2);
        lw_lesson_answer(&d.ex, right[i]);
        drive_draw(&d);
        assert_true(d.ex.lesson->met);
    }
    drive_close(&d);
}

/* ---- The kernel of a lesson ---- */

/* Its lines are those of the compiled kernel, without the positions. */
static void the_kernel_is_as_compiled(void **state)
{
    struct lw_lesson lesson;
    struct lw_report report = {0};
    struct lw_text golden = {0};
    char path[400];
    const char *root = getenv("LANEWAY_ROOT");
    (void)state;
    snprintf(path, sizeof path, "%s/tests/golden/launches/transpose_f16.ttgir", root ? root : ".");
    assert_true(lw_file_read(path, &golden, NULL));
    assert_true(lw_lesson_open(&lesson, "a-real-kernel", 0, &report, NULL));
    const char *p = lesson.kernel, *at = lw_text_string(&golden);
    while (*p) {
        size_t length = strcspn(p, "\n");
        char line[400], *loc;
        snprintf(line, sizeof line, "%.*s", (int)length, p);
        if ((loc = strstr(line, "tt.func"))) /* its parameters have positions in between */
            loc[7] = '\0';
        at = strstr(at, line);
        if (!at)
            fail_msg("not in the kernel: %s", line);
        p += length + 1;
    }
    lw_text_free(&golden);
    lw_lesson_free(&lesson);
}

/* Notations have braces, which are no markers. */
static void notations_in_texts(void **state)
{
    struct drive d;
    (void)state;
    drive_lesson(&d, "a-real-kernel");
    drive_resize(&d, 200, 60);
    const char *text = lw_text_string(&d.ex.lesson->text);
    assert_non_null(strstr(text, "%10 = ttg.convert_layout %0"));
    assert_non_null(strstr(text, "#ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [16, 2]"));
    assert_non_null(strstr(text, "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4]"));
    drive_close(&d);
}

static void lines_of_a_kernel(void **state)
{
    static const struct {
        const char *lesson, *message;
    } rows[] = {
        {"{\"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [{\"text\": \"t\", \"open\": "
         "{\"line\": 1}, \"do\": \"d\", \"goal\": {\"rows\": 1}, \"hints\": [\"h\"], "
         "\"solution\": [\"find 0,0\"]}]}",
         "the lesson has no 'kernel'"},
        {"{\"lesson\": \"x\", \"learnt\": \"y\", \"kernel\": [\"#a = 1\"], \"steps\": [{\"text\": "
         "\"t\", \"open\": {\"line\": 7}, \"do\": \"d\", \"goal\": {\"rows\": 1}, \"hints\": "
         "[\"h\"], \"solution\": [\"find 0,0\"]}]}",
         "'line' must be the number of a line"},
        {"{\"lesson\": \"x\", \"learnt\": \"y\", \"kernel\": 3, \"steps\": []}",
         "'kernel' must be a list of strings"},
        {"{\"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [{\"text\": \"t\", "
         "\"cases\": \"tile 2\", \"open\": \"start/4x4\", \"do\": \"d\", \"goal\": {\"rows\": 1}, "
         "\"hints\": [\"h\"], \"solution\": [\"find 0,0\"]}]}",
         "the lesson has no 'cases' of the name 'tile'"},
        {"{\"lesson\": \"x\", \"learnt\": \"y\", \"cases\": {\"tile\": [{\"n\": 1}]}, \"steps\": "
         "[{\"text\": \"t\", \"cases\": \"tile 2\", \"open\": \"start/4x4\", \"do\": \"d\", "
         "\"goal\": {\"rows\": 1}, \"hints\": [\"h\"], \"solution\": [\"find 0,0\"]}]}",
         "\"tile 1\" to \"tile 1\""},
    };
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lw_lesson lesson;
        struct lw_error err;
        assert_false(
            lw_lesson_read(&lesson, rows[i].lesson, strlen(rows[i].lesson), 0, kinds, count, &err));
        if (!strstr(err.message, rows[i].message))
            fail_msg("%s: %s", rows[i].message, err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_a_message),           cmocka_unit_test(what_is_to_be_done),
        cmocka_unit_test(the_list_of_lessons),         cmocka_unit_test(a_step_has_its_hardware),
        cmocka_unit_test(what_is_wrong_in_a_lesson),   cmocka_unit_test(tiles_are_made),
        cmocka_unit_test(a_wavefront_is_a_cycle),      cmocka_unit_test(an_exam_is_drawn),
        cmocka_unit_test(the_exam_gives_nothing_away), cmocka_unit_test(a_layout_is_typed),
        cmocka_unit_test(the_kernel_is_as_compiled),   cmocka_unit_test(notations_in_texts),
        cmocka_unit_test(lines_of_a_kernel),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
