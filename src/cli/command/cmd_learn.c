/* laneway learn: the lessons, built in or those of a folder. */

#include "cli/command/commands.h"
#include "core/text_json.h"
#include "cli/shell.h"
#include "notation/document/lesson.h"
#include "core/base_name.h"
#include "kernel/kernel_folder.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

/* The lessons that a request is about: those of a folder, or all that are built in. */
struct lessons {
    struct lw_kernel_folder course; /* its files; none: the built-in lessons */
    size_t count;
};

static const char *source_at(const struct lessons *lessons, size_t i)
{
    size_t count;
    return lessons->course.count ? lessons->course.files[i].path
                                 : lw_lesson_name(&lw_lessons(&count)[i]);
}

/* The folder of the command line, or NULL. */
static const char *folder_of(const struct lw_arguments *args)
{
    return args->operand_count == 1 && lw_is_folder(args->operands[0]) ? args->operands[0] : NULL;
}

/* Reports why a lesson cannot be opened; the message has the name of one that there is not. */
static enum lw_status report_problem(const char *source, const struct lw_error *err)
{
    return lw_report_failure(err->code == LW_ERROR_NAME ? NULL : source, err);
}

/* Prints each lesson that can be read, and how much of it is done: {"number":1,"name":"banks","title":"...","steps":4,
 * "done":3}. */
static enum lw_status list(const struct lw_arguments *args, const struct lessons *lessons,
                           FILE *out)
{
    struct lw_kept progress;
    struct lw_error problem;
    struct lw_text json = {0};
    enum lw_status status = LW_STATUS_OK;
    size_t number = 0;
    if (!lw_keep_load(&lw_progress_file, &progress, &problem))
        lw_output_print(lw_messages(), "laneway: %s\n", problem.message);
    lw_text_char(&json, '[');
    for (size_t i = 0; i < lessons->count; i++) {
        const char *source = source_at(lessons, i);
        struct lw_lesson lesson;
        char key[LW_LESSON_KEY_MAX], state[64] = "done";
        if (!lw_lesson_open(&lesson, source, 0, &problem)) {
            status = report_problem(source, &problem);
            continue;
        }
        lw_lesson_key(key, source);
        uint64_t done = lw_progress_of(&progress, key);
        done = done < lesson.step_count ? done : lesson.step_count;
        if (done < lesson.step_count)
            snprintf(state, sizeof state, "%llu of %zu", (unsigned long long)done,
                     lesson.step_count);
        number++;
        if (LW_OPTION_IS_SET(args, JSON)) {
            lw_json_put(&json, NULL, "{");
            lw_json_number(&json, "number", number);
            lw_json_string(&json, "name", lw_base_name(source));
            lw_json_string(&json, "title", lesson.title);
            lw_json_number(&json, "steps", lesson.step_count);
            lw_json_number(&json, "done", done);
            lw_text_char(&json, '}');
        } else {
            lw_output_print(out, "%3zu  %-18s %-8s %s\n", number, lw_base_name(source), state,
                            lesson.title);
        }
        lw_lesson_free(&lesson);
    }
    lw_text_add(&json, "]\n");
    if (LW_OPTION_IS_SET(args, JSON))
        lw_output_text(out, &json);
    lw_text_free(&json);
    lw_kept_free(&progress);
    return status;
}

/* Proves the lessons that are named, or all. */
static enum lw_status prove(const struct lw_arguments *args, const struct lessons *lessons,
                            FILE *out)
{
    enum lw_status worst = LW_STATUS_OK;
    const bool named = args->operand_count && !folder_of(args);
    const size_t count = named ? args->operand_count : lessons->count;
    for (size_t i = 0; i < count; i++) {
        const char *source = named ? args->operands[i] : source_at(lessons, i);
        struct lw_error err = {0};
        enum lw_status status = LW_STATUS_OK;
        if (lw_lesson_prove(source, &err)) {
            lw_output_name(out, source);
            lw_output_print(out, ": ok\n");
        } else {
            report_problem(source, &err);
            status = err.code == LW_ERROR_UNSUPPORTED || err.code == LW_ERROR_SYNTAX
                         ? LW_STATUS_NO
                         : LW_STATUS_ERROR;
        }
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* Opens the explorer, or prints; inside the explorer, or to a file, a lesson is printed. */
static enum lw_status open_or_print(const struct lw_arguments *args, const struct lessons *lessons,
                                    uint64_t seed, FILE *out)
{
    const bool all = args->operand_count == 0 || folder_of(args);
    const bool opens = out == stdout && !LW_OPTION_IS_SET(args, ANSWERS) &&
                       !LW_OPTION_IS_SET(args, JSON) &&
                       (LW_OPTION_IS_SET(args, SCRIPT) || lw_terminal_is_usable());
    const char *source = all ? NULL : args->operands[0], *path = LW_OPTION_VALUE(args, OUTPUT);
    const char *dot = path ? strrchr(path, '.') : NULL;
    const struct lw_handout handout = {
        .source = source, .path = path, .answers = LW_OPTION_IS_SET(args, ANSWERS), .seed = seed};
    struct lw_error err = {0};
    struct lw_lesson lesson;
    if (all && (handout.answers || (dot && (!strcmp(dot, ".html") || !strcmp(dot, ".md")))))
        lw_error_set(&err, LW_ERROR_SYNTAX,
                     "-o and --answers write one lesson: name it, as in 'laneway learn 7 -o "
                     "lesson.html'");
    else if (args->operand_count > 1)
        lw_error_set(&err, LW_ERROR_SYNTAX, "learn opens one lesson at a time");
    if (err.code != LW_OK)
        return lw_report_failure(NULL, &err);
    /* A problem is reported before the explorer uses the terminal. */
    if (!all && !lw_lesson_open(&lesson, source, seed, &err))
        return report_problem(source, &err);
    if (!all)
        lw_lesson_free(&lesson);
    if (opens)
        return lw_explore(
            args, (struct lw_tui_options){.lesson = source,
                                          .lessons = all,
                                          .course = lessons->course.count ? &lessons->course : NULL,
                                          .seed_is_set = LW_OPTION_IS_SET(args, SEED),
                                          .seed = seed});
    if (all)
        return list(args, lessons, out);
    if (LW_OPTION_IS_SET(args, JSON)) {
        struct lw_text text = {0};
        const bool has_text = lw_lesson_text(&text, source, &err) && !text.failed;
        while (has_text && text.length && strchr("\r\n ", text.data[text.length - 1]))
            lw_text_cut(&text, text.length - 1);
        for (size_t i = 0; has_text && i < text.length; i++)
            if (strchr("\r\n", text.data[i])) /* an answer is one line */
                text.data[i] = ' ';
        lw_text_char(&text, '\n');
        if (err.code == LW_OK)
            lw_output_text(out, &text);
        lw_text_free(&text);
        return err.code == LW_OK ? LW_STATUS_OK : lw_report_failure(NULL, &err);
    }
    return lw_lesson_print(&handout, out, &err) ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    const char *folder = folder_of(args);
    struct lw_error err = {0};
    struct lessons lessons = {.count = 0};
    uint64_t seed = 0;
    if (!lw_option_number(args, LW_OPTION_SEED, 0, UINT64_MAX, &seed, &err))
        return lw_report_failure(NULL, &err);
    if (folder && !lw_kernel_folder_open(&lessons.course, folder, true, &err))
        return lw_report_failure(NULL, &err);
    lessons.count = lessons.course.count;
    if (!folder)
        lw_lessons(&lessons.count);
    enum lw_status status = LW_OPTION_IS_SET(args, CHECK)
                                ? prove(args, &lessons, out)
                                : open_or_print(args, &lessons, seed, out);
    lw_kernel_folder_free(&lessons.course);
    return status;
}

/* The progress of a learner is in the list. */
static bool is_personal(const struct lw_arguments *args)
{
    return !LW_OPTION_IS_SET(args, CHECK) && (!args->operand_count || folder_of(args));
}

const struct lw_command lw_command_learn = {
    .name = "learn",
    .operands = "[LESSON | FOLDER | FILE...]",
    .help = "take a lesson, from owners of elements to the best swizzle",
    .about =
        "Opens the list of the lessons, which shows how many steps of each are done; Enter begins "
        "one. With a number, a name or the path of a lesson file it begins that lesson; with a "
        "folder it lists the lesson files in it. Each step has a task, which the program checks on "
        "the layout that is shown, or a question; L shows a hint, Enter goes on, F hides the "
        "text.\n\n"
        "Without a terminal, or with -o, it prints the list, or a lesson as a handout: each step "
        "with its grid and its task, without solutions, in Markdown; -o lesson.html writes HTML, "
        "--answers prints the answers instead, --json the document of the lesson. The steps of "
        "some lessons have cases: --seed chooses them.\n\n"
        "--check verifies, for the lessons that are named, those of a folder or all built-in ones, "
        "that solutions reach the goals, that no goal is met at the start, and that what the texts "
        "claim is true ('laneway help lessons').",
    .options = LW_OPTION_BIT(CHECK) | LW_OPTION_BIT(JSON) | LW_OPTION_BIT(OUTPUT) |
               LW_OPTION_BIT(ANSWERS) | LW_OPTION_BIT(SEED) | LW_OPTION_BIT(COLOR) |
               LW_OPTION_BIT(ASCII) | LW_OPTION_BIT(NO_MOUSE) | LW_OPTION_BIT(THEME) |
               LW_OPTION_BIT(SCRIPT),
    .max_operands = LW_ANY_NUMBER,
    .words = &lw_choices_lessons,
    .is_personal = is_personal,
    .examples = {{"learn", "the lessons"},
                 {"learn 7", "the seventh"},
                 {"learn 7 --answers", "the answers of the seventh, for a teacher"},
                 {"learn --check", "check all of them"}},
    .run = run,
};
