/* laneway learn: the lessons. */

#include "cli/command/commands.h"
#include "cli/shell.h"
#include "notation/document/lesson.h"
#include "export/output.h"

#include <string.h>

static void report_problems(const char *source, const struct lw_report *report)
{
    lw_report_problems(lw_lesson_is_file(source) ? source : NULL, report);
}

/* ---- The list ---- */

static void print_row(FILE *out, size_t number, const char *name, const struct lw_lesson *lesson,
                      uint64_t done)
{
    char state[48];
    if (done >= lesson->step_count)
        snprintf(state, sizeof state, "done");
    else
        snprintf(state, sizeof state, "%llu of %zu", (unsigned long long)done, lesson->step_count);
    lw_output_print(out, "%3zu  %-18s %-8s %s\n", number, name, state, lesson->title);
}

static enum lw_status list(const struct lw_arguments *args, FILE *out)
{
    struct lw_progress progress;
    size_t count, kind_count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    const struct lw_goal_kind *kinds = lw_goal_kinds(&kind_count);
    struct lw_text json = {0};
    struct lw_report problems;
    lw_text_char(&json, '[');
    if (!lw_progress_load(&progress, &problems))
        lw_output_print(lw_messages(), "laneway: %s\n", problems.errors[0].message);
    for (size_t i = 0; i < count; i++) {
        struct lw_lesson lesson;
        struct lw_report report = {0};
        const char *name = lw_lesson_name(&lessons[i]);
        uint64_t done = lw_progress_get(&progress, name);
        if (!lw_lesson_read(&lesson, lessons[i].text, strlen(lessons[i].text), kinds, kind_count,
                            &report)) {
            report_problems(name, &report);
            continue;
        }
        if (LW_OPTION_IS_SET(args, JSON)) {
            lw_text_format(&json, "%s{\"number\":%zu,\"name\":", i ? "," : "", i + 1);
            lw_text_json_string(&json, name);
            lw_text_add(&json, ",\"title\":");
            lw_text_json_string(&json, lesson.title);
            lw_text_format(&json, ",\"steps\":%zu,\"done\":%llu}", lesson.step_count,
                           (unsigned long long)done);
        } else {
            print_row(out, i + 1, name, &lesson, done);
        }
        lw_lesson_free(&lesson);
    }
    lw_text_add(&json, "]\n");
    if (LW_OPTION_IS_SET(args, JSON))
        lw_output_text(out, &json);
    lw_text_free(&json);
    lw_progress_free(&progress);
    return LW_STATUS_OK;
}

/* ---- Proofs ---- */

static enum lw_status prove_one(const char *source, FILE *out)
{
    struct lw_report report = {0};
    struct lw_error err = {0};
    if (lw_lesson_prove(source, &report, &err)) {
        lw_output_name(out, source);
        lw_output_print(out, ": ok\n");
        return LW_STATUS_OK;
    }
    if (!report.total)
        return lw_report_failure(lw_lesson_is_file(source) ? source : NULL, &err);
    report_problems(source, &report);
    return LW_STATUS_NO;
}

static enum lw_status prove(const struct lw_arguments *args, FILE *out)
{
    enum lw_status status = LW_STATUS_OK;
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    size_t lesson_count = args->operand_count ? args->operand_count : count;
    for (size_t i = 0; i < lesson_count; i++) {
        enum lw_status one =
            prove_one(args->operand_count ? args->operands[i] : lw_lesson_name(&lessons[i]), out);
        status = one > status ? one : status;
    }
    return status;
}

/* ---- One lesson ---- */

/* Inside the explorer, or into a file, lessons are printed. */
static bool wants_explorer(const struct lw_arguments *args, FILE *out)
{
    return out == stdout && (LW_OPTION_IS_SET(args, SCRIPT) || lw_terminal_is_usable());
}

static enum lw_status begin_lesson(const struct lw_arguments *args)
{
    return lw_explore(
        args, (struct lw_tui_options){.lesson = args->operand_count ? args->operands[0] : NULL,
                                      .lessons = args->operand_count == 0});
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_error err = {0};
    struct lw_report report = {0};
    struct lw_lesson lesson;
    if (LW_OPTION_IS_SET(args, CHECK))
        return prove(args, out);
    if (args->operand_count == 0)
        return LW_OPTION_IS_SET(args, JSON) || !wants_explorer(args, out) ? list(args, out)
                                                                          : begin_lesson(args);
    if (args->operand_count > 1) {
        lw_error_set(&err, LW_ERROR_SYNTAX, "learn takes one lesson at a time");
        return lw_report_failure(NULL, &err);
    }
    /* Report every problem before the explorer takes the terminal. */
    if (!lw_lesson_open(&lesson, args->operands[0], &report, &err)) {
        report_problems(args->operands[0], &report);
        if (!report.total)
            lw_report_failure(lw_lesson_is_file(args->operands[0]) ? args->operands[0] : NULL,
                              &err);
        return LW_STATUS_ERROR;
    }
    lw_lesson_free(&lesson);
    if (wants_explorer(args, out))
        return begin_lesson(args);
    return lw_lesson_print(args->operands[0], out, &err) ? LW_STATUS_OK
                                                         : lw_report_failure(NULL, &err);
}

const struct lw_command lw_command_learn = {
    .name = "learn",
    .operands = "[LESSON]",
    .help = "take a lesson, from owners of elements to the best swizzle",
    .about =
        "Opens the list of the lessons, which shows how many steps of each are done; Enter "
        "begins one. With a number, a name or the path of a lesson file it begins that "
        "lesson. Each step has a task and a goal, which the program checks on the "
        "layout that is shown; L shows a hint, Enter goes on. Progress is kept in "
        "$XDG_STATE_HOME/laneway/progress.json. Without a terminal it prints the list, as "
        "with --json, or a lesson with its grids and solutions.\n\n"
        "--check verifies, for the lessons that are named or for all built-in ones, that the "
        "solution of each step reaches its goal, that no goal is met at the start, and that what "
        "the texts claim is true; 'laneway help lessons' explains how to write one.",
    .options = LW_OPTION_BIT(CHECK) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(OUTPUT) |
               LW_OPTION_BIT(COLOR) | LW_OPTION_BIT(ASCII) | LW_OPTION_BIT(NO_MOUSE) |
               LW_OPTION_BIT(THEME) | LW_OPTION_BIT(SCRIPT),
    .max_operands = LW_ANY_NUMBER,
    .examples = {{"learn", "the lessons"},
                 {"learn 7", "the seventh"},
                 {"learn --check", "check all of them"}},
    .run = run,
};
