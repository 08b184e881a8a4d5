/* Lessons as files: those of teachers, read and proven, and progress. */

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

/* ---- Files of teachers ---- */

#define STEP(more)                                                                                 \
    "{\"text\": \"t\", \"open\": \"start/4x4\", \"do\": \"d\", \"hints\": [\"h\"]," more "}"
#define LESSON(steps)                                                                              \
    "{\"laneway\": 1, \"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [" steps "]}"
#define GOOD STEP("\"goal\": {\"cursor\": {\"row\": 1}}, \"solution\": [\"find 1,2\"]")

static bool read_text(struct lw_lesson *lesson, const char *text, struct lw_report *report)
{
    size_t count;
    const struct lw_goal_kind *kinds = lw_goal_kinds(&count);
    struct lw_error err;
    memset(report, 0, sizeof *report);
    if (lw_lesson_read(lesson, text, strlen(text), 0, kinds, count, &err))
        return true;
    lw_report_add(report, &err);
    return false;
}

/* Combinations of a row with many members, and most of them without a conflict: more than a lesson may hold. */
static void too_large(void **state)
{
    (void)state;
    struct lw_text text = {0};
    struct lw_lesson lesson;
    struct lw_report report;
    lw_text_add(&text, "{\"lesson\": \"x\", \"learnt\": \"y\", \"cases\": {");
    for (int table = 0; table < 8; table++) {
        lw_text_format(&text, "%s\"t%d\": [{", table ? "," : "", table);
        for (int i = 0; i < 1000; i++)
            lw_text_format(&text, "\"m%d\": 0,", i);
        lw_text_add(&text, "\"each\": {\"rows\": [32], \"element\": [\"f16\"], \"columns\": [");
        for (int i = 0; i < 1000; i++)
            lw_text_format(&text, "%s%d", i ? "," : "", i % 10 ? 2 : 64);
        lw_text_add(&text, "]}}]");
    }
    lw_text_add(&text, "}, \"steps\": [" GOOD "]}");
    assert_false(read_text(&lesson, lw_text_string(&text), &report));
    assert_string_equal(report.errors[0].message, "the lesson takes over 256 MiB");
    lw_text_free(&text);
}

static void broken_files(void **state)
{
    static const struct {
        const char *text, *message;
        int column; /* 0: not looked at */
    } cases[] = {
        {"", "", 0},
        {"[]", "a lesson must be an object", 1},
        {"{", "", 0},
        {"{\"lesson\": \"x\"}", "this lesson has no 'steps'", 1},
        {"{\"laneway\": 2, \"lesson\": \"x\", \"learnt\": \"\", \"steps\": []}", "must be 1", 13},
        {"{\"lessn\": \"x\"}", "unknown key 'lessn' of a lesson; did you mean 'lesson'?", 2},
        {LESSON(""), "must be a list of 1 to 64 steps", 0},
        {LESSON("3"), "a step must be an object", 0},
        {"{\"lesson\": \"x\", \"cases\": {\"t\": [{\"each\": 3}]}}",
         "'each' must be an object of lists, with 1 to 1024 combinations", 0},
        {"{\"lesson\": \"x\", \"cases\": {\"t\": [{\"each\": {\"rows\": [32], \"columns\": [2], "
         "\"element\": [\"f16\"]}}]}}",
         "'each' must be an object of lists, with 1 to 1024 combinations", 0}, /* no conflict */
        {LESSON("{}"), "this step has no 'text'", 0},
        {LESSON(STEP("\"goal\": {\"load-wavefront\": 1}, \"solution\": []")),
         "unknown kind of goal 'load-wavefront'; did you mean 'load-wavefronts'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": \"many\"}, \"solution\": []")),
         "unknown number of a layout 'many'", 0},
        {LESSON(STEP("\"goal\": {\"registers\": -1}, \"solution\": []")),
         "registers must be a number", 0},
        {LESSON(STEP("\"goal\": {\"registers\": \"99999999999999999999\"}, \"solution\": []")),
         "registers must be a number", 0},
        {LESSON(STEP("\"goal\": {\"conversion\": \"free\"}, \"solution\": []")),
         "conversion must be one of: none registers shuffle shared blocks", 0},
        {LESSON(STEP("\"goal\": {\"cursor\": 3}, \"solution\": []")),
         "cursor must be an object such as", 0},
        {LESSON(STEP("\"goal\": {}, \"solution\": []")), "'goal' must be an object", 0},
        {LESSON(STEP("\"goal\": {\"layout\": \"start/4x5\"}, \"solution\": []")),
         "similar names: start/4x4", 0},
        {LESSON(STEP("\"goal\": {\"layout\": 7}, \"solution\": []")), "a layout must be a SOURCE",
         0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": \"x\"")),
         "'solution' must be a list of strings", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"views\": \"x\"")),
         "did you mean 'view'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"done\": \"{regsters}\"")),
         "unknown marker 'regsters'; did you mean 'registers'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"done\": \"{registers\"")),
         "no closing brace", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"access\": \"rd\"")),
         "'access' must be one of: load store both", 0},
        {LESSON("{\"text\": \"t\", \"do\": \"d\", \"hints\": [], \"solution\": [], \"goal\": "
                "{\"registers\": 1}}"),
         "the first step must have 'open'", 0},
        {LESSON("{\"text\": 5, \"open\": \"nowhere/to\", \"do\": \"d\"}"),
         "'text' must be a string", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_lesson lesson;
        struct lw_report report;
        if (read_text(&lesson, cases[i].text, &report))
            fail_msg("%s was read", cases[i].text);
        assert_true(report.count > 0);
        bool found = false;
        for (int k = 0; k < report.count; k++)
            found = found ||
                    (strstr(report.errors[k].message, cases[i].message) &&
                     report.errors[k].position.line == 1 &&
                     (!cases[i].column || report.errors[k].position.column == cases[i].column));
        if (!found && cases[i].message[0])
            fail_msg("%s:%d: %s", cases[i].text, report.errors[0].position.column,
                     report.errors[0].message);
    }
}

static const char *write_file(const char *name, const char *text)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s", drive_folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void a_lesson_of_ones_own(void **state)
{
    struct drive d;
    struct lw_report report = {0};
    struct lw_error err = {0};
    const char *path = write_file("mine.json", LESSON(GOOD));
    (void)state;
    assert_true(lw_lesson_prove(path, &report, &err));
    drive_lesson(&d, path);
    assert_shows(&d, "Lesson: x, step 1 of 1");
    drive_solve(&d);
    drive_keys(&d, "Enter");
    assert_shows(&d, "Lesson: x: done");
    drive_keys(&d, "Enter");
    assert_shows(&d, "that was the last lesson");
    drive_close(&d);
}

/* Commands are taken as they are: braces in them are no markers. */
static void solutions_hold_braces(void **state)
{
    static const char text[] = LESSON(
        STEP("\"goal\": {\"layout\": \"start/8-identity\"}, \"solution\": [\"open {{x\", "
             "\"set encoding=#ttg.linear<{register = [], lane = [], warp = [], block = []}>\"], "
             "\"change\": [\"{a\"]"));
    struct lw_lesson lesson;
    struct lw_report report;
    (void)state;
    assert_true(read_text(&lesson, text, &report));
    assert_string_equal(lesson.steps[0].solution.lines[0], "open {{x");
    assert_string_equal(
        lesson.steps[0].solution.lines[1],
        "set encoding=#ttg.linear<{register = [], lane = [], warp = [], block = []}>");
    assert_string_equal(lesson.steps[0].change.lines[0], "{a");
    lw_lesson_free(&lesson);
    assert_false(read_text(
        &lesson, LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [[\"a\", \"b\"]]")),
        &report));
    assert_string_equal(report.errors[0].message, "'solution' must be a list of strings");
}

/* However long the text is, scrolling comes to its end, and to the goal behind it. */
static void a_long_text_is_shown_to_its_end(void **state)
{
    enum { PARAGRAPHS = 400 };
    static const int sizes[][2] = {{200, 60}, {80, 24}, {100, 40}, {40, 20}};
    struct lw_text text = {0}, end = {0};
    struct drive d;
    (void)state;
    lw_text_add(&text,
                "{\"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [{\"open\": \"start/4x4\", "
                "\"text\": [\"first\"");
    for (int i = 1; i < PARAGRAPHS; i++)
        lw_text_format(&text, ", \"paragraph %d\"", i);
    lw_text_add(
        &text, "], \"do\": \"the task\", \"hints\": [\"h\"], \"goal\": {\"cursor\": {\"row\": 1}}, "
               "\"solution\": [\"find 1,2\"]}]}");
    lw_text_format(&end, "paragraph %d", PARAGRAPHS - 1);
    drive_lesson(&d, write_file("long.json", lw_text_string(&text)));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        assert_shows(&d, "first");
        for (int page = 0; page < PARAGRAPHS; page++) {
            drive_keys(&d, ">");
            drive_draw(&d);
        }
        assert_hides(&d, "> more");
        if (sizes[i][0] < 200) /* there the keys come behind it */
            assert_shows(&d, lw_text_string(&end));
        assert_shows(&d, "the task");
        assert_shows(&d, "Goal: ");
        for (int page = 0; page < PARAGRAPHS; page++)
            drive_keys(&d, "<");
    }
    drive_close(&d);
    lw_text_free(&text);
    lw_text_free(&end);
}

#define PROVEN(more)                                                                               \
    STEP("\"goal\": {\"cursor\": {\"row\": 1}}, \"solution\": [\"find 1,2\"], " more)

static void proofs_fail(void **state)
{
    static const char *const cases[][2] = {
        {STEP("\"goal\": {\"cursor\": {\"row\": 0}}, \"solution\": [\"find 1,2\"]"),
         "the goal is met at the start of the step"},
        {STEP("\"goal\": {\"cursor\": {\"row\": 3}}, \"solution\": [\"find 1,2\"]"),
         "the solution does not reach the goal"},
        {STEP("\"goal\": {\"registers\": 8}, \"solution\": [\"set nothing=2\"]"),
         "solution 'set nothing=2'"},
        {STEP("\"goal\": {\"load-wavefronts\": 1}, \"solution\": []"),
         "the loads take 1 wavefront; this layout has none"},
        {STEP("\"goal\": {\"cursor\": {\"row\": 1}}, \"solution\": [\"find 1,2\"], \"view\": "
              "\"bank\""),
         "there is no view 'bank'"},
        {PROVEN("\"split\": \"memry\""), "there is no view 'memry'; did you mean 'memory'?"},
        {PROVEN("\"view\": \"memory\""), "the view memory: this layout is not in shared memory"},
        {PROVEN("\"color\": \"lan\""), "there is no colour 'lan'; did you mean 'lane'?"},
        {PROVEN("\"change\": [\"shap\"]"), "there is no parameter 'shap'; did you mean 'shape'?"},
        {PROVEN("\"store\": \"local(3, 5)\""), "'store' is not a layout of this tensor"},
        {PROVEN("\"done\": \"{{x} {lane of 9,9}\""),
         "'{lane of 9,9}' has no value for this layout"},
        {PROVEN("\"done\": \"{was load-wavefronts}\""), "'{was load-wavefronts}' has no value"},
        {PROVEN("\"before\": {\"registers\": 8}"),
         "'before' is not true: each lane uses 8 registers; now 4"},
        {PROVEN("\"after\": {\"registers\": 1}"),
         "'after' is not true: each lane uses 1 register; now 4"},
        {STEP("\"goal\": {\"cursor\": {\"rwo\": 1}}, \"solution\": [\"find 1,2\"]"),
         "a cell of this layout has no 'rwo'"},
        {STEP(
             "\"goal\": {\"layout\": {\"encoding\": \"linear\", \"bases\": {\"lane\": [[9, 9]]}}}, "
             "\"solution\": [\"find 1,2\"]"),
         "the goal's layout: "},
        {"{\"text\": \"t\", \"open\": \"blocked/16x64\", \"do\": \"d\", \"hints\": [\"h\"], "
         "\"goal\": "
         "{\"registers\": 64}, \"change\": [\"order\"], \"solution\": [\"set shape=[32, 64]\"]}",
         "the solution: Only order may change in this step, but shape is [32, 64] now: :set "
         "shape=[16, 64] "
         "sets it back"},
        {"{\"text\": \"t\", \"open\": \"start/4x4\", \"do\": \"d\", \"hints\": [], \"goal\": "
         "{\"cursor\": "
         "{\"row\": 1}}, \"solution\": [\"find 1,2\"]}",
         "the step has no hint"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_report report = {0};
        struct lw_error err = {0};
        char text[1000];
        snprintf(text, sizeof text, "{\"lesson\": \"x\", \"learnt\": \"y\",\n \"steps\": [\n %s]}",
                 cases[i][0]);
        assert_false(lw_lesson_prove(write_file("bad.json", text), &report, &err));
        assert_true(report.total > 0);
        if (!strstr(report.errors[0].message, cases[i][1]))
            fail_msg("%s: %s", cases[i][1], report.errors[0].message);
        assert_int_equal(report.errors[0].position.line, 3);
    }
    struct lw_report report = {0};
    struct lw_error err = {0};
    assert_false(lw_lesson_prove("/nonexistent/x.json", &report, &err));
    assert_int_equal(report.total, 0);
    assert_false(lw_lesson_prove("swizling", &report, &err));
    assert_non_null(strstr(err.message, "did you mean 'swizzling'?"));
}

/* ---- Progress ---- */

static const char *screen_now(struct drive *d)
{
    lw_text_clear(&d->text);
    lw_draw(&d->ex, &d->surface);
    lw_surface_print(&d->text, &d->surface);
    return lw_text_string(&d->text);
}

static void press_now(struct drive *d, uint32_t key)
{
    const struct lw_event event = {.kind = LW_EVENT_KEY, .key = key};
    lw_update(&d->ex, &event);
}

/* A parameter that is gone or unset was changed too. */
static void what_is_gone_is_a_change(void **state)
{
    static const char text[] =
        "{\"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [{\"text\": \"t\", \"do\": \"d\", "
        "\"hints\": [\"h\"], \"goal\": {\"vector\": 2}, \"change\": [\"sizePerThread\", "
        "\"versionMajor\", \"versionMinor\", \"instrShape\", \"warpsPerCTA\"], \"solution\": "
        "[\"set "
        "sizePerThread=1,2\"], \"open\": {\"encoding\": \"blocked\", \"shape\": [16, 16], "
        "\"element\": \"f32\", \"params\": {\"sizePerThread\": [1, 1], \"threadsPerWarp\": [8, 4], "
        "\"warpsPerCTA\": [1, 1], \"order\": [1, 0]}}}]}";
    struct drive d;
    (void)state;
    drive_lesson(&d, write_file("gone.json", text));
    drive_command(&d, "set encoding=#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                      "warpsPerCTA = [1, 1], instrShape = [16, 8]}>");
    assert_shows(&d, "threadsPerWarp is not a parameter now");
    assert_false(d.ex.lesson->met);
    drive_keys(&d, "u");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right +");
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    d.ex.form.full = !d.ex.form.full; /* parameters that are not set are shown too */
    lw_refresh(&d.ex, LW_CHANGED_LAYOUT);
    drive_draw(&d);
    assert_true(d.ex.lesson->met);
    drive_close(&d);
}

/* What takes long to find is a job: the lesson shows at once, Esc stops the search, R begins it again, and
 * it is made once. */
static void long_searches_are_jobs(void **state)
{
    static const char text[] =
        "{\"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [{\"text\": \"t\", \"do\": "
        "\"come to {best} {{now}\", \"hints\": [\"it is {best}\"], \"goal\": {\"wavefronts\": "
        "\"best\", \"best\": 3}, \"solution\": [\"set perPhase=2\"], \"open\": {\"encoding\": "
        "\"swizzled_shared\", \"shape\": [1024, 1024], \"element\": \"f16\", \"params\": {\"vec\": "
        "1, \"perPhase\": 1, \"maxPhase\": 1, \"order\": [1, 0]}, \"with\": {\"encoding\": "
        "\"blocked\", \"shape\": [1024, 1024], \"element\": \"f16\", \"params\": "
        "{\"sizePerThread\": [1, 1], \"threadsPerWarp\": [32, 1], \"warpsPerCTA\": [1, 1], "
        "\"order\": [1, 0]}}}}]}";
    struct drive d;
    struct lw_text found = {0};
    (void)state;
    drive_lesson(&d, write_file("best.json", text));
    drive_resize(&d, 120, 40);
    const struct lw_lesson_best *best = &d.ex.lesson->best;
    press_now(&d, 'R');
    assert_non_null(best->search);
    assert_non_null(strstr(screen_now(&d), "come to ... {now}"));
    assert_non_null(strstr(screen_now(&d), "as the best, which is"));
    press_now(&d, '\033');
    assert_null(best->search);
    assert_non_null(strstr(screen_now(&d), "unknown: R starts"));
    assert_null(d.ex.job.step);
    press_now(&d, 'R');
    lw_lesson_wait(&d.ex);
    assert_int_equal(best->found, LW_BEST_KNOWN);
    lw_text_format(&found, "come to %llu {now}", (unsigned long long)best->value);
    assert_shows(&d, lw_text_string(&found));
    drive_keys(&d, "L");
    lw_text_clear(&found);
    lw_text_format(&found, "it is %llu", (unsigned long long)best->value);
    assert_shows(&d, lw_text_string(&found));
    /* Another layout of the tile is no other store or load; another load is. */
    drive_field(&d, "perPhase");
    press_now(&d, '+');
    screen_now(&d);
    assert_null(d.ex.job.step);
    assert_int_equal(best->found, LW_BEST_KNOWN);
    press_now(&d, 'u');
    const struct lw_lesson_sides sides = best->sides;
    lw_command(&d.ex, "set with.threadsPerWarp=16,2");
    screen_now(&d);
    assert_false(lw_layout_equal(&sides.load, &best->sides.load));
    /* Another job comes first: the search begins again when that has ended. */
    press_now(&d, 'R');
    assert_non_null(best->search);
    lw_job_cancel(&d.ex);
    assert_int_equal(best->found, LW_BEST_UNKNOWN);
    screen_now(&d);
    assert_non_null(best->search);
    drive_close(&d);
    lw_text_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_large),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(a_lesson_of_ones_own),
        cmocka_unit_test(solutions_hold_braces),
        cmocka_unit_test(a_long_text_is_shown_to_its_end),
        cmocka_unit_test(proofs_fail),
        cmocka_unit_test(what_is_gone_is_a_change),
        cmocka_unit_test(long_searches_are_jobs),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
