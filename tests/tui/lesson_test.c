/* Lessons: each played to its end by its own solutions, at every size; what their texts say; files of
 * teachers; progress. */

#include "tui/drive.h"
#include "tui/files.h"
#include "tui/lesson_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void begin(struct drive *d, const char *lesson)
{
    const struct lw_tui_options options = {.writes_nothing = true, .lesson = lesson};
    struct lw_error err = {0};
    drive_open_with(d, NULL, &options);
    if (!lw_lesson_begin(&d->ex, lesson, &err))
        fail_msg("%s: %s", lesson, err.message);
}

static void type_command(struct drive *d, const char *line)
{
    drive_type(d, ":");
    drive_type(d, line);
    drive_keys(d, "Enter");
}

static void solve(struct drive *d)
{
    const struct lw_step *step = lw_lesson_step(d->ex.lesson);
    for (size_t i = 0; i < step->solution_count; i++)
        type_command(d, step->solution[i]);
}

/* ---- Playing ---- */

static void play(const char *name, int width, int height)
{
    struct drive d;
    char title[64];
    begin(&d, name);
    drive_resize(&d, width, height);
    const struct lw_lesson_run *run = d.ex.lesson;
    size_t count = run->lesson.step_count;
    for (size_t i = 0; i < count; i++) {
        snprintf(title, sizeof title, "step %zu of %zu", i + 1, count);
        assert_shows(&d, title);
        assert_shows(&d, "Goal: ");
        assert_shows(&d, "H: hint 1");
        assert_hides(&d, "> more");
        assert_hides(&d, "?,"); /* a number that could not be told */
        assert_true(d.ex.panes[0].has_view);
        assert_int_equal(run->step, i);
        assert_false(run->met);
        drive_keys(&d, "H");
        assert_int_equal(run->hints, 1);
        solve(&d);
        drive_screen(&d);
        if (!run->met)
            fail_msg("%s, step %zu: not solved", name, i + 1);
        assert_shows(&d, "Enter: next step");
        d.ex.lesson->hints = 0;
        assert_hides(&d, "> more");
        assert_false(lw_explorer_entry(&d.ex)->dirty);
        drive_keys(&d, "Enter");
    }
    assert_shows(&d, ": done");
    assert_shows(&d, "Where to read on:");
    assert_hides(&d, "> more");
    drive_keys(&d, "q");
    assert_true(d.ex.quit); /* nothing to save */
    drive_close(&d);
}

static void each_lesson_to_its_end(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    (void)state;
    assert_int_equal(count, 10);
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
    begin(&d, "10");
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
    begin(&d, "swizzling");
    drive_screen(&d);
    drive_field(&d, "maxPhase");
    drive_keys(&d, "+");
    drive_screen(&d);
    assert_false(d.ex.lesson->met);
    assert_shows(&d, "the loads take 128 wavefronts; now 512");
    drive_keys(&d, "+ +");
    drive_screen(&d);
    assert_true(d.ex.lesson->met);
    assert_int_equal(d.ex.place, LW_AT_FORM);
    assert_shows(&d, "From 1024 to 128");
    assert_shows(&d, "1024 wavefronts, where 32 would"); /* the text is that of the step's start */
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    assert_int_equal(d.ex.place, LW_AT_FORM); /* and it stays open, at the same field */
    assert_string_equal(d.ex.fields[d.ex.field].path, "maxPhase");
    type_command(&d, "set vec=1");
    assert_string_equal(d.ex.fields[d.ex.field].path, "vec");
    drive_resize(&d, 200, 60);
    assert_shows(&d, "So far");
    assert_shows(&d, "From 1024 to 128");
    drive_close(&d);
    begin(&d, "conversions");
    type_command(&d, "set order=[1, 0]");
    drive_screen(&d);
    assert_false(d.ex.lesson->met);
    drive_close(&d);
}

/* A goal that is met and then is not any more: the text is away, that it was done stays. */
static void a_goal_is_looked_at_again(void **state)
{
    struct drive d;
    (void)state;
    begin(&d, "swizzling");
    solve(&d);
    assert_shows(&d, "From 1024 to 128");
    assert_shows(&d, "Enter: next step");
    assert_hides(&d, "Enter edit"); /* there is one thing that Enter does */
    type_command(&d, "set maxPhase=4");
    assert_hides(&d, "From 1024 to 128");
    assert_hides(&d, "Enter: next step");
    assert_shows(&d, "the loads take 128 wavefronts; now 256");
    assert_shows(&d, "Done before");
    assert_true(d.ex.lesson->reached);
    drive_keys(&d, "u");
    assert_shows(&d, "From 1024 to 128");
    assert_hides(&d, "Done before");
    type_command(&d, "set maxPhase=5");
    drive_screen(&d);
    assert_false(d.ex.lesson->met);
    lw_lesson_next(&d.ex, 0); /* what was done once is enough to go on */
    assert_int_equal(d.ex.lesson->step, 1);
    drive_close(&d);
    begin(&d, "1"); /* a cursor that was there may leave, in the same layout */
    solve(&d);
    assert_shows(&d, "It is register");
    drive_keys(&d, "Down");
    assert_shows(&d, "It is register");
    type_command(&d, "set shape=[8, 8]");
    assert_hides(&d, "It is register");
    drive_close(&d);
}

/* What looks like the solution, but is not what the text goes on to say. */
static void goals_that_are_missed(void **state)
{
    static const struct {
        const char *lesson;
        size_t step;
        const char *lines[2];
        const char *shows;
    } cases[] = {
        {"banks", 2, {"set shape=[8, 32]", NULL}, "the lanes of a warp lie over 32 rows; now 8"},
        {"blocked",
         3,
         {"set sizePerThread=[1, 8]", "set threadsPerWarp=[16, 2]"},
         "the lanes of a warp lie over 4 rows; now 16"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        begin(&d, cases[i].lesson);
        lw_lesson_go(&d.ex, cases[i].step);
        for (int k = 0; k < 2 && cases[i].lines[k]; k++)
            type_command(&d, cases[i].lines[k]);
        assert_shows(&d, cases[i].shows);
        assert_false(d.ex.lesson->met);
        solve(&d);
        drive_screen(&d);
        assert_true(d.ex.lesson->met);
        drive_close(&d);
    }
}

/* What people were told of these cases, and counted on a GPU. */
static void numbers_in_texts(void **state)
{
    static const struct {
        const char *lesson;
        int step;
        const char *says;
    } cases[] = {
        {"banks", 2, "32 wavefronts a load, 1024 in all"}, /* f32 columns, rows of 32: 32-way */
        {"banks", 3, "8 to a bank"},                  /* rows of 8: 8-way */
        {"wide-accesses", 1,
         "16 wavefronts as before"},                   /* 16 bytes a lane: 4 wavefronts are ideal */
        {"wide-accesses", 3, "takes 8 wavefronts; 4"}, /* ldmatrix.x4, 16 halves a row: 2-way */
        {"wide-accesses", 4, "4 wavefronts for 4 matrices"},
        {"tensor-cores", 1, "(9, 2)"},
        {"tensor-cores", 2, "(9, 12)"},
        {"who-holds-what", 1, "register 1 of thread 9 in warp 0"},
        {"bits-and-xor", 1, "(3, 11)"},
        {"best-swizzle", 1, "128 wavefronts, stores and loads together, where 576 were before"},
        {"best-swizzle", 2, "64 wavefronts, 0 conflicts"},
        {"replication", 1, "(0, 0), (0, 8), (4, 0) and (4, 8)"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        begin(&d, cases[i].lesson);
        for (int step = 1; step < cases[i].step; step++) {
            solve(&d);
            drive_keys(&d, "Enter");
        }
        solve(&d);
        drive_screen(&d);
        if (!strstr(lw_text_string(&d.ex.lesson->done), cases[i].says))
            fail_msg("%s, step %d: %s", cases[i].lesson, cases[i].step,
                     lw_text_string(&d.ex.lesson->done));
        drive_close(&d);
    }
}

/* ---- Keys ---- */

static void keys_of_a_lesson(void **state)
{
    struct drive d;
    (void)state;
    begin(&d, "7");
    drive_keys(&d, "Enter"); /* not met: Enter has its usual meaning */
    assert_int_equal(d.ex.place, LW_AT_FORM);
    drive_keys(&d, "Esc H H H");
    assert_int_equal(d.ex.lesson->hints, 2);
    assert_shows(&d, "no more hints");
    type_command(&d, "set maxPhase=4");
    drive_keys(&d, "R");
    assert_string_equal(drive_value(&d, "maxPhase"), "1");
    assert_int_equal(d.ex.lesson->hints, 0);
    drive_keys(&d, "p");
    assert_shows(&d, "this is the first step");
    solve(&d);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.lesson->step, 1);
    drive_keys(&d, "p"); /* back, and by the solution of the first step to the second */
    assert_int_equal(d.ex.lesson->step, 0);
    lw_lesson_go(&d.ex, 1);
    assert_string_equal(drive_value(&d, "maxPhase"), "8");
    drive_keys(&d, "S-Tab");
    assert_int_equal(d.ex.place, LW_AT_LESSON);
    drive_keys(&d, "Enter");
    assert_shows(&d, "first reach the goal");
    drive_keys(&d, "Tab");
    assert_int_equal(d.ex.place, LW_AT_VIEW);
    drive_close(&d);
}

/* Scrolling where the text is longer than the pane. */
static void the_text_scrolls(void **state)
{
    struct drive d;
    (void)state;
    begin(&d, "7");
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

static void lessons_in_the_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, "G");
    assert_shows(&d, "lesson 10: best-swizzle");
    assert_true(d.ex.has_opened);
    assert_null(d.ex.lesson);
    type_command(&d, "learn 3");
    assert_shows(&d, "Lesson 3: Blocked layouts, step 1 of 4");
    type_command(&d, "learn swizling");
    assert_shows(&d, "did you mean 'swizzling'?");
    type_command(&d, "learn mine.json");
    assert_true(d.ex.message_bad);
    drive_close(&d);
    drive_open(&d, NULL);
    drive_keys(&d, "G");
    drive_action(&d, "lesson-hint");
    assert_shows(&d, "no lesson is open");
    drive_keys(&d, "Enter");
    assert_shows(&d, "Lesson 10: The best swizzle, step 1 of 3");
    type_command(&d, "open start/4x4"); /* another layout: the lesson waits */
    assert_hides(&d, "step 1 of 3");
    drive_keys(&d, "Esc");
    d.ex.place = LW_AT_GALLERY;
    while (!lw_explorer_entry(&d.ex)->lesson)
        drive_keys(&d, "Up");
    drive_keys(&d, "Enter");
    assert_shows(&d, "step 1 of 3");
    for (int i = 0; i < 3; i++) {
        solve(&d);
        drive_keys(&d, "Enter");
    }
    assert_shows(&d, "the last lesson");
    assert_hides(&d, "Enter: next lesson");
    drive_keys(&d, "Enter");
    assert_shows(&d, "that was the last lesson");
    drive_close(&d);
    begin(&d, "1");
    for (int i = 0; i < 4; i++) {
        solve(&d);
        drive_keys(&d, "Enter");
    }
    drive_keys(&d, "Enter");
    assert_shows(&d, "Lesson 2: Bits and xor, step 1 of 4");
    drive_close(&d);
}

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
    memset(report, 0, sizeof *report);
    return lw_lesson_read(lesson, text, strlen(text), kinds, count, report);
}

static void broken_files(void **state)
{
    static const struct {
        const char *text, *message;
        int column; /* 0: not looked at */
    } cases[] = {
        {"", "", 0},
        {"[]", "a lesson is an object", 1},
        {"{", "", 0},
        {"{\"lesson\": \"x\"}", "this lesson has no 'steps'", 1},
        {"{\"laneway\": 2, \"lesson\": \"x\", \"learnt\": \"\", \"steps\": []}", "must be 1", 13},
        {"{\"lessn\": \"x\"}", "unknown key 'lessn' of a lesson; did you mean 'lesson'?", 2},
        {LESSON(""), "must be a list of 1 to 64 steps", 0},
        {LESSON("3"), "a step is an object", 0},
        {LESSON("{}"), "this step has no 'text'", 0},
        {LESSON(STEP("\"goal\": {\"load-wavefront\": 1}, \"solution\": []")),
         "'load-wavefront' is no kind of goal; did you mean 'load-wavefronts'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": \"many\"}, \"solution\": []")),
         "'many' is no number of a layout", 0},
        {LESSON(STEP("\"goal\": {\"registers\": -1}, \"solution\": []")),
         "registers must be a number", 0},
        {LESSON(STEP("\"goal\": {\"registers\": \"99999999999999999999\"}, \"solution\": []")),
         "registers must be a number", 0},
        {LESSON(STEP("\"goal\": {\"conversion\": \"free\"}, \"solution\": []")),
         "conversion must be one of: none registers shuffle shared blocks", 0},
        {LESSON(STEP("\"goal\": {\"cursor\": 3}, \"solution\": []")), "cursor must be like", 0},
        {LESSON(STEP("\"goal\": {}, \"solution\": []")), "'goal' must be an object", 0},
        {LESSON(STEP("\"goal\": {\"layout\": \"start/4x5\"}, \"solution\": []")),
         "near it: start/4x4", 0},
        {LESSON(STEP("\"goal\": {\"layout\": 7}, \"solution\": []")), "a layout is a SOURCE", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": \"x\"")),
         "'solution' must be a list of strings", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"views\": \"x\"")),
         "did you mean 'view'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"done\": \"{regsters}\"")),
         "'regsters' is no number to put in a text; did you mean 'registers'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"done\": \"{registers\"")),
         "no closing brace", 0},
        {LESSON(STEP("\"goal\": {\"registers\": 1}, \"solution\": [], \"access\": \"rd\"")),
         "'access' must be load, store or both", 0},
        {LESSON("{\"text\": \"t\", \"do\": \"d\", \"hints\": [], \"solution\": [], \"goal\": "
                "{\"registers\": 1}}"),
         "the first step must 'open' a layout", 0},
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
            found =
                found || (strstr(report.errors[k].message, cases[i].message) &&
                          report.errors[k].place.line == 1 &&
                          (!cases[i].column || report.errors[k].place.column == cases[i].column));
        if (!found && cases[i].message[0])
            fail_msg("%s:%d: %s", cases[i].text, report.errors[0].place.column,
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
    begin(&d, path);
    assert_shows(&d, "Lesson x, step 1 of 1");
    solve(&d);
    drive_keys(&d, "Enter");
    assert_shows(&d, "Lesson x: done");
    drive_keys(&d, "Enter");
    assert_shows(&d, "that was the last lesson");
    drive_close(&d);
}

static void proofs_fail(void **state)
{
    static const char *const cases[][2] = {
        {STEP("\"goal\": {\"cursor\": {\"row\": 0}}, \"solution\": [\"find 1,2\"]"),
         "the goal is met before anything was done"},
        {STEP("\"goal\": {\"cursor\": {\"row\": 3}}, \"solution\": [\"find 1,2\"]"),
         "the solution does not reach the goal"},
        {STEP("\"goal\": {\"registers\": 8}, \"solution\": [\"set nothing=2\"]"),
         "solution 'set nothing=2'"},
        {STEP("\"goal\": {\"load-wavefronts\": 1}, \"solution\": []"),
         "the loads take 1 wavefront; now there is none"},
        {STEP("\"goal\": {\"cursor\": {\"row\": 1}}, \"solution\": [\"find 1,2\"], \"view\": "
              "\"bank\""),
         "'bank' is no view"},
        {STEP("\"goal\": {\"cursor\": {\"row\": 1}}, \"solution\": [\"find 1,2\"], \"done\": "
              "\"{lane of "
              "9,9}\""),
         "a number cannot be told of this layout"},
        {"{\"text\": \"t\", \"open\": \"start/4x4\", \"do\": \"d\", \"hints\": [], \"goal\": "
         "{\"cursor\": "
         "{\"row\": 1}}, \"solution\": [\"find 1,2\"]}",
         "there is no hint"},
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
        assert_int_equal(report.errors[0].place.line, 3);
    }
    struct lw_report report = {0};
    struct lw_error err = {0};
    assert_false(lw_lesson_prove("/nonexistent/x.json", &report, &err));
    assert_int_equal(report.total, 0);
    assert_false(lw_lesson_prove("swizling", &report, &err));
    assert_non_null(strstr(err.message, "did you mean 'swizzling'?"));
}

/* ---- Progress ---- */

static void progress_is_kept(void **state)
{
    struct lw_progress progress;
    (void)state;
    setenv("XDG_STATE_HOME", drive_folder, 1);
    lw_progress_load(&progress);
    assert_false(progress.unkept);
    assert_int_equal(lw_progress_get(&progress, "banks"), 0);
    assert_true(lw_progress_set(&progress, "banks", 3));
    assert_true(lw_progress_set(&progress, "my \"own\".json", 1));
    assert_true(lw_progress_set(&progress, "banks", 2)); /* never less */
    lw_progress_free(&progress);
    lw_progress_load(&progress);
    assert_int_equal(lw_progress_get(&progress, "banks"), 3);
    assert_int_equal(lw_progress_get(&progress, "my \"own\".json"), 1);
    lw_progress_free(&progress);
    /* A lesson is taken up where it was left, and writes what is done. */
    struct drive d;
    const struct lw_tui_options options = {0};
    drive_open_with(&d, NULL, &options);
    d.ex.settings_kept = true;
    d.ex.settings_broken = true;
    assert_true(lw_lesson_begin(&d.ex, "banks", NULL));
    assert_int_equal(d.ex.lesson->step, 3);
    assert_shows(&d, "you were at step 4");
    solve(&d);
    drive_screen(&d);
    drive_close(&d);
    lw_progress_load(&progress);
    assert_int_equal(lw_progress_get(&progress, "banks"), 4);
    lw_progress_free(&progress);
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
        struct lw_text text = {0};
        assert_true(lw_file_write(path, texts[i], NULL));
        lw_progress_load(&progress);
        assert_true(progress.unkept);
        assert_non_null(strstr(progress.why.message, "progress.json:"));
        assert_true(lw_progress_set(&progress, "banks", 4));
        assert_int_equal(lw_progress_get(&progress, "banks"), 4); /* as long as the program runs */
        lw_progress_free(&progress);
        assert_true(lw_file_read(path, &text, NULL));
        assert_string_equal(lw_text_string(&text), texts[i]);
        lw_text_free(&text);
    }
    assert_int_equal(unlink(path), 0);
}

/* No home, and a place that cannot be written: said once, and the lesson goes on. */
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
        d.ex.settings_kept = true;
        d.ex.settings_broken = true;
        assert_true(lw_lesson_begin(&d.ex, "7", NULL));
        if (!way)
            assert_shows(&d, "neither HOME nor XDG_STATE_HOME is set");
        solve(&d);
        drive_screen(&d);
        assert_true(d.ex.lesson->met);
        assert_true(d.ex.warning_count == 1);
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.lesson->step, 1);
        drive_close(&d);
    }
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
        cmocka_unit_test(numbers_in_texts),
        cmocka_unit_test(keys_of_a_lesson),
        cmocka_unit_test(the_text_scrolls),
        cmocka_unit_test(lessons_in_the_list),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(a_lesson_of_ones_own),
        cmocka_unit_test(proofs_fail),
        cmocka_unit_test(progress_is_kept),
        cmocka_unit_test(a_broken_file_is_left_alone),
        cmocka_unit_test(nowhere_to_keep_it),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
