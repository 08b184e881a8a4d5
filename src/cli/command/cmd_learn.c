/* laneway learn: the lessons, built in or those of a folder. */

#include "cli/command/commands.h"
#include "core/text_json.h"
#include "cli/shell.h"
#include "notation/document/lesson.h"
#include "core/base_name.h"
#include "kernel/kernel_folder.h"
#include "notation/expression/scan.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

/* Reports why a lesson cannot be opened; the message has the name of one that there is not. */
static enum lw_status report_problem(const char *source, const struct lw_error *err)
{
    return lw_report_failure(err->code == LW_ERROR_NAME ? NULL : source, err);
}

/* ---- The lessons ---- */

/* The lessons that a request is about: those of a folder, or all that are built in. */
struct lessons {
    struct lw_course course; /* of a folder; paths NULL: built in */
    size_t count;
};

static const char *source_at(const struct lessons *lessons, size_t i)
{
    size_t count;
    return lessons->course.paths ? lessons->course.paths[i]
                                 : lw_lesson_name(&lw_lessons(&count)[i]);
}

/* The folder of the command line, or NULL. */
static const char *folder_of(const struct lw_arguments *args)
{
    return args->operand_count == 1 && lw_is_folder(args->operands[0]) ? args->operands[0] : NULL;
}

/* ---- The list ---- */

/* One lesson of a course, and how much of it is done. */
struct lesson_row {
    const char *name;
    char title[128];
    size_t steps;
    uint64_t done, assisted, retried, seed;
    bool has_seed; /* its cases were drawn: then `seed` and `retried` are known */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The progress in each lesson that can be read. */
static struct lesson_row *make_rows(const struct lessons *lessons, size_t *count)
{
    struct lw_progress progress;
    struct lw_error problem;
    struct lesson_row *rows = calloc(lessons->count + 1, sizeof *rows);
    *count = 0;
    if (!lw_progress_load(&progress, &problem))
        lw_output_print(lw_messages(), "laneway: %s\n", problem.message);
    for (size_t i = 0; rows && i < lessons->count; i++) {
        struct lw_lesson lesson;
        struct lw_error err = {0};
        const char *source = source_at(lessons, i);
        if (!lw_lesson_open(&lesson, source, 0, &err)) {
            report_problem(source, &err);
            continue;
        }
        char key[LW_LESSON_KEY_MAX];
        lw_lesson_key(key, source);
        const struct lw_progress_row *kept = lw_progress_find(&progress, key);
        struct lesson_row *row = &rows[(*count)++];
        *row = (struct lesson_row){.name = lw_base_name(source), .steps = lesson.step_count};
        snprintf(row->title, sizeof row->title, "%s", lesson.title);
        if (kept) {
            row->done = least(kept->count[LW_PROGRESS_STEPS], row->steps);
            row->assisted = least(kept->count[LW_PROGRESS_ASSISTED], row->done);
            row->retried = kept->count[LW_PROGRESS_RETRIED];
            row->has_seed = kept->has_seed;
            row->seed = kept->count[LW_PROGRESS_SEED];
        }
        lw_lesson_free(&lesson);
    }
    lw_progress_free(&progress);
    return rows;
}

/* Appends {"number":1,"name":"banks","title":"...","steps":4,"done":3,"assisted":1}. */
static void put_row(struct lw_text *json, size_t i, const struct lesson_row *row)
{
    lw_json_put(json, NULL, "{");
    lw_json_number(json, "number", i + 1);
    lw_json_string(json, "name", row->name);
    lw_json_string(json, "title", row->title);
    lw_json_number(json, "steps", row->steps);
    lw_json_number(json, "done", row->done);
    lw_json_number(json, "assisted", row->assisted);
    if (row->has_seed) {
        lw_json_number(json, "seed", row->seed);
        lw_json_number(json, "first_try", row->done > row->retried ? row->done - row->retried : 0);
    }
    lw_text_char(json, '}');
}

static enum lw_status list(const struct lw_arguments *args, const struct lessons *lessons,
                           FILE *out)
{
    const bool is_json = LW_OPTION_IS_SET(args, JSON);
    size_t count = 0;
    struct lw_text json = {0};
    struct lesson_row *rows = make_rows(lessons, &count);
    lw_text_char(&json, '[');
    for (size_t i = 0; i < count; i++) {
        const struct lesson_row *row = &rows[i];
        char state[64] = "done";
        if (row->done < row->steps)
            snprintf(state, sizeof state, "%llu of %zu", (unsigned long long)row->done, row->steps);
        if (is_json)
            put_row(&json, i, row);
        else
            lw_output_print(out, "%3zu  %-18s %-8s %s\n", i + 1, row->name, state, row->title);
    }
    lw_text_add(&json, "]\n");
    if (is_json)
        lw_output_text(out, &json);
    lw_text_free(&json);
    free(rows);
    return count == lessons->count ? LW_STATUS_OK : LW_STATUS_ERROR;
}

/* ---- Proofs ---- */

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

/* ---- One lesson ---- */

/* Whether to open the explorer: inside the explorer, or to a file, a lesson is printed. */
static bool needs_explorer(const struct lw_arguments *args, FILE *out)
{
    return out == stdout && !LW_OPTION_IS_SET(args, ANSWERS) && !LW_OPTION_IS_SET(args, JSON) &&
           (LW_OPTION_IS_SET(args, SCRIPT) || lw_terminal_is_usable());
}

static enum lw_status explore(const struct lw_arguments *args, const struct lessons *lessons,
                              const char *lesson, uint64_t seed)
{
    return lw_explore(
        args, (struct lw_tui_options){.lesson = lesson,
                                      .lessons = !lesson,
                                      .course = lessons->course.paths ? &lessons->course : NULL,
                                      .seed_is_set = LW_OPTION_IS_SET(args, SEED),
                                      .seed = seed});
}

static enum lw_status one_lesson(const struct lw_arguments *args, const struct lessons *lessons,
                                 uint64_t seed, FILE *out)
{
    struct lw_error err = {0};
    struct lw_lesson lesson;
    const char *source = args->operands[0];
    const struct lw_handout handout = {.source = source,
                                       .path = LW_OPTION_VALUE(args, OUTPUT),
                                       .json = LW_OPTION_IS_SET(args, JSON),
                                       .answers = LW_OPTION_IS_SET(args, ANSWERS),
                                       .seed_is_set = true,
                                       .seed = seed};
    /* A problem is reported before the explorer uses the terminal. */
    if (!lw_lesson_open(&lesson, source, seed, &err))
        return report_problem(source, &err);
    lw_lesson_free(&lesson);
    if (needs_explorer(args, out))
        return explore(args, lessons, source, seed);
    return lw_lesson_print(&handout, out, &err) ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}

static enum lw_status refuse(const char *why)
{
    struct lw_error err = {0};
    lw_error_set(&err, LW_ERROR_SYNTAX, "%s", why);
    return lw_report_failure(NULL, &err);
}

static enum lw_status run_with(const struct lw_arguments *args, const struct lessons *lessons,
                               uint64_t seed, FILE *out)
{
    const bool all = args->operand_count == 0 || folder_of(args);
    const char *path = LW_OPTION_VALUE(args, OUTPUT), *dot = path ? strrchr(path, '.') : NULL;
    if (LW_OPTION_IS_SET(args, CHECK))
        return prove(args, lessons, out);
    if (all && (LW_OPTION_IS_SET(args, ANSWERS) ||
                (dot && (!strcmp(dot, ".html") || !strcmp(dot, ".md")))))
        return refuse("-o and --answers write one lesson: name it, as in 'laneway learn 7 -o "
                      "lesson.html'");
    if (all)
        return needs_explorer(args, out) ? explore(args, lessons, NULL, seed)
                                         : list(args, lessons, out);
    return args->operand_count > 1 ? refuse("learn opens one lesson at a time")
                                   : one_lesson(args, lessons, seed, out);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    const char *folder = folder_of(args);
    struct lw_error err = {0};
    struct lessons lessons = {.count = 0};
    uint64_t seed = 0;
    if (!lw_option_number(args, LW_OPTION_SEED, 0, UINT64_MAX, &seed, &err))
        return lw_report_failure(NULL, &err);
    if (!folder)
        lw_lessons(&lessons.count);
    else if (!lw_course_open(&lessons.course, folder, &err))
        return lw_report_failure(folder, &err);
    else
        lessons.count = lessons.course.count;
    enum lw_status status = run_with(args, &lessons, seed, out);
    lw_course_free(&lessons.course);
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
        "--answers prints the answers instead. In the JSON of the list \"assisted\" are steps done "
        "with the last hint or a search. The steps of some lessons have cases: --seed chooses "
        "them.\n\n"
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
