/* Lessons as text: what is read, what is refused and where, and the cases that a seed chooses. */

#include "unit.h"

#include "core/array_count.h"
#include "notation/document/lesson.h"

#include <stdio.h>
#include <string.h>

static bool measure(struct lw_lesson_state *state, int what, uint64_t *value)
{
    (void)state;
    (void)what;
    *value = 0;
    return true;
}

static bool check(struct lw_lesson_state *state, const struct lw_goal *goal)
{
    (void)state;
    return goal != NULL;
}

static const struct lw_goal_kind kinds[] = {
    {"registers", LW_GOAL_NUMBER, NULL, "registers of a lane", measure, 0, NULL},
    {"load-wavefronts", LW_GOAL_NUMBER, NULL, "wavefronts", measure, 0, NULL},
    {"conversion", LW_GOAL_CHOICE, "none registers shuffle", "how", measure, 0, NULL},
    {"layout", LW_GOAL_LAYOUT, NULL, "another notation of the layout", NULL, 0, check},
    {"cursor", LW_GOAL_FIELDS, NULL, "where the cursor is", NULL, 0, check},
};

static bool read_seed(struct lw_lesson *lesson, const char *text, uint64_t seed,
                      struct lw_error *err)
{
    return lw_lesson_read(lesson, text, strlen(text), seed, kinds, LW_COUNT(kinds), err);
}

static void read(struct lw_lesson *lesson, const char *text, uint64_t seed)
{
    struct lw_error err;
    if (!read_seed(lesson, text, seed, &err))
        fail_msg("%s:%d:%d: %s", text, err.position.line, err.position.column, err.message);
}

#define STEP(more)                                                                                 \
    "{\"text\": \"t\", \"open\": \"start/4x4\", \"do\": \"d\", \"hints\": [\"h\"]," more "}"
#define LESSON(steps)                                                                              \
    "{\"laneway\": 1, \"lesson\": \"x\", \"learnt\": \"y\", \"steps\": [" steps "]}"

static void test_step(void **unused)
{
    (void)unused;
    struct lw_lesson lesson;
    read(
        &lesson,
        LESSON(STEP(
            "\"goal\": {\"registers\": \"<= 4\", \"conversion\": \">= registers\", "
            "\"load-wavefronts\": \"registers\", \"cursor\": {\"row\": 3}, "
            "\"layout\": \"spatial(4, 4)\"}, \"solution\": [\"set a={b\"], "
            "\"refuse\": [[\"x\", \"y\"], []], "
            "\"view\": \"banks\", \"done\": [\"one {registers + 1}\", \"two {{\"]") ","
                                                                                    "{\"kind\": "
                                                                                    "\"predict\", "
                                                                                    "\"text\": "
                                                                                    "\"\", \"do\": "
                                                                                    "\"?\", "
                                                                                    "\"hints\": "
                                                                                    "[], "
                                                                                    "\"answer\": "
                                                                                    "\"{registers}"
                                                                                    "\", "
                                                                                    "\"wrong\": "
                                                                                    "{\"3\": "
                                                                                    "\"no\"}}"),
        0);
    const struct lw_step *step = &lesson.steps[0];
    const struct lw_goal *goals = step->goal.items;
    assert_int_equal(lesson.step_count, 2);
    assert_int_equal(step->kind, LW_STEP_DO);
    assert_string_equal(step->done, "one {registers + 1}\ntwo {{");
    assert_string_equal(step->solution.lines[0], "set a={b"); /* a command has no markers */
    assert_int_equal(step->refuse.count, 2);
    assert_string_equal(step->refuse.items[0].lines[1], "y");
    assert_string_equal(step->view.name, "banks");
    assert_int_equal(step->goal.count, 5);
    assert_int_equal(goals[0].compare, -1);
    assert_int_equal(goals[0].number, 4);
    assert_int_equal(goals[1].compare, 1);
    assert_int_equal(goals[1].number, 1);
    assert_ptr_equal(goals[2].other, &kinds[0]);
    assert_string_equal(goals[3].fields[0], "row");
    assert_int_equal(goals[3].values[0], 3);
    assert_string_equal(goals[4].layout.encoding->type->name, "spatial");
    assert_string_equal(lesson.steps[1].wrong.items[0].name, "3");
    assert_int_equal(lesson.steps[1].kind, LW_STEP_PREDICT);
    lw_lesson_free(&lesson);
}

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
        int column; /* 0: not looked at */
    } cases[] = {
        {"", "expected a value", 1},
        {"[]", "a lesson must be an object", 1},
        {"{\"lesson\": \"x\"}", "this lesson has no 'steps'", 1},
        {"{\"laneway\": 2}", "'laneway' must be 1", 13},
        {"{\"lessn\": \"x\"}", "unknown key 'lessn' of a lesson; did you mean 'lesson'?", 2},
        {LESSON(""), "must be a list of 1 to 64 steps", 0},
        {LESSON("3"), "a step must be an object", 0},
        {LESSON("{}"), "this step has no 'text'", 0},
        {LESSON("{\"text\": 5, \"open\": \"nowhere/to\"}"), "'text' must be a string", 0},
        {LESSON("{\"text\": \"\", \"do\": \"d\", \"hints\": [], \"solution\": [], \"goal\": "
                "{\"registers\": 1}}"),
         "the first step must have 'open'", 0},
        {LESSON(STEP("\"kind\": \"see\"")), "this step has no 'use'; its kind is see", 0},
        {LESSON(STEP("\"kind\": \"see\", \"use\": [], \"answer\": \"x\"")),
         "this step may not have 'answer'; its kind is see", 0},
        {LESSON(STEP("\"goal\": {\"registrs\": 1}")), "did you mean 'registers'?", 0},
        {LESSON(STEP("\"goal\": {\"registers\": \"many\"}")), "unknown number of a layout 'many'",
         0},
        {LESSON(STEP("\"goal\": {\"registers\": -1}")), "registers must be a number", 0},
        {LESSON(STEP("\"goal\": {\"registers\": \"99999999999999999999\"}")),
         "registers must be a number", 0},
        {LESSON(STEP("\"goal\": {\"conversion\": \"free\"}")),
         "conversion must be one of: none registers shuffle", 0},
        {LESSON(STEP("\"goal\": {\"cursor\": 3}")), "cursor must be an object such as", 0},
        {LESSON(STEP("\"goal\": {}")), "'goal' must be an object", 0},
        {LESSON(STEP("\"goal\": {\"layout\": \"start/4x5\"}")), "did you mean 'start/4x4'?", 0},
        {LESSON(STEP("\"goal\": {\"layout\": 7}")), "expected an object", 0},
        {LESSON(STEP("\"solution\": \"x\"")), "'solution' must be a list of strings", 0},
        {LESSON(STEP("\"views\": \"x\"")), "did you mean 'view'?", 0},
        {LESSON(STEP("\"access\": \"rd\"")), "'access' must be one of: load store", 0},
        {LESSON("{\"text\": \"t\", \"do\": \"d\", \"open\": {\"line\": 3}}"),
         "the lesson has no 'kernel'", 0},
        {LESSON(STEP("\"cases\": \"tile 1\"")), "'cases' of a step must name a table", 0},
        {LESSON(STEP("\"cases\": [{\"n\": 1}]")), "'cases' of a step must name a table", 0},
        {"{\"lesson\": \"x\", \"cases\": {\"t\": [{\"n\": 1}]}, \"steps\": [{\"cases\": \"t\", "
         "\"view\": \"$m\"}]}",
         "this case has no 'm'", 0},
        {"{\"lesson\": \"x\", \"cases\": {\"t\": [{\"n\": 32}]}, \"steps\": [{\"cases\": \"t\", "
         "\"text\": \"$n\"}]}",
         "'text' must be a string", 79},
    };
    for (size_t i = 0; i < LW_COUNT(cases); i++) {
        struct lw_lesson lesson;
        struct lw_error err;
        if (read_seed(&lesson, cases[i].text, 0, &err))
            fail_msg("%s was read", cases[i].text);
        if (!strstr(err.message, cases[i].message) || err.position.line != 1 ||
            (cases[i].column && err.position.column != cases[i].column))
            fail_msg("%s:%d: %s", cases[i].text, err.position.column, err.message);
    }
}

/* ---- Cases ---- */

/* A lesson whose steps draw from a table: each text is the rows and the columns of its case. */
#define DRAWN(rows)                                                                                \
    "{\"lesson\": \"x\", \"learnt\": \"y\", \"cases\": {\"tile\": [" rows "]}, \"steps\": ["       \
    "{\"kind\": \"see\", \"use\": [], \"open\": \"start/4x4\", \"do\": \"d\", "                    \
    "\"cases\": \"tile 1\", \"text\": \"$rows x $columns\", \"done\": \"at $swizzle\"}, "          \
    "{\"kind\": \"see\", \"use\": [], \"do\": \"d\", \"cases\": \"tile 2\", "                      \
    "\"text\": \"$rows x $columns\"}]}"

static void test_draws(void **unused)
{
    (void)unused;
    static const char text[] =
        DRAWN("{\"rows\": 32, \"columns\": 64, \"swizzle\": [[0, 1], [1, 1]]}, "
              "{\"rows\": 64, \"columns\": 2, \"swizzle\": 7}, "
              "{\"rows\": 1, \"columns\": 2, \"swizzle\": \"none\"}");
    static const char *const first[] = {"32 x 64", "64 x 2", "1 x 2"};
    static const char *const done[] = {"at [[0, 1], [1, 1]]", "at 7", "at none"};
    struct lw_lesson lesson;
    for (uint64_t seed = 0; seed < 7; seed++) { /* each case once in each draw */
        read(&lesson, text, seed);
        assert_int_equal(lesson.case_count, 3);
        assert_string_equal(lesson.steps[0].text, first[seed % 3]);
        assert_string_equal(lesson.steps[0].done, done[seed % 3]);
        assert_string_equal(lesson.steps[1].text, first[(seed + 1) % 3]);
        lw_lesson_free(&lesson);
    }
}

static void test_refused_tables(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {DRAWN("3"), "'cases' of a lesson must be an object of lists"},
        {DRAWN("{\"rows\": 1, \"columns\": 2, \"swizzle\": 3}"),
         "the draws of this table are 1 to 1"},
    };
    for (size_t i = 0; i < LW_COUNT(cases); i++) {
        struct lw_lesson lesson;
        struct lw_error err;
        assert_false(read_seed(&lesson, cases[i][0], 0, &err));
        if (!strstr(err.message, cases[i][1]))
            fail_msg("%s: %s", cases[i][0], err.message);
    }
}

/* ---- Kernels ---- */

static void test_kernel_line(void **unused)
{
    (void)unused;
#define LINES(line)                                                                                \
    "{\"lesson\": \"x\", \"learnt\": \"y\", \"kernel\": ["                                         \
    "\"#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = " \
    "[0]}>\", "                                                                                    \
    "\"%0 = ttg.convert_layout %1 : tensor<64xf16, #a> -> tensor<64xf16, #a>\"], "                 \
    "\"steps\": [{\"kind\": \"see\", \"use\": [], \"text\": \"t\", \"do\": \"d\", "                \
    "\"open\": {\"line\": " line "}}]}"
    struct lw_lesson lesson;
    struct lw_error err;
    read(&lesson, LINES("2"), 0);
    assert_non_null(strstr(lesson.kernel, "convert_layout"));
    assert_string_equal(lesson.steps[0].open.encoding->type->name, "blocked");
    assert_true(lw_document_has(&lesson.steps[0].open, LW_SIDE_B));
    lw_lesson_free(&lesson);
    assert_false(read_seed(&lesson, LINES("1"), 0, &err));
    assert_non_null(strstr(err.message, "with an operation that moves data"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step),        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_draws),       cmocka_unit_test(test_refused_tables),
        cmocka_unit_test(test_kernel_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
