/* Starting the explorer, and the program's command line inside it: a line is split as a shell would split it,
 * then read and run as the program's own arguments. What a command prints is captured; it has no standard
 * input. */

#include "cli/shell.h"

#include "cli/report/help.h"
#include "cli/requests.h"
#include "tui/tui.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Running ---- */

struct line {
    const struct lw_program *program;
    struct lw_argv argv;
};

/* Like lw_program_run, except that it prints to `out` and without colours. */
static enum lw_status run_arguments(void *context, FILE *out)
{
    struct line *line = context;
    struct lw_arguments args = {0};
    struct lw_error err = {0};
    if (!lw_arguments_read(&args, line->program, NULL, line->argv.count, line->argv.argument, &err))
        return lw_report_failure(NULL, &err);
    const char *path = LW_OPTION_VALUE(&args, OUTPUT);
    if (!path)
        args.value[LW_OPTION_COLOR] = "never"; /* a page has no colours of terminals */
    enum lw_status status = lw_command_line_write(&args, out);
    if (path && strcmp(path, "-") != 0 && status != LW_STATUS_ERROR) {
        lw_output_name(out, path);
        lw_output_print(out, ": written\n");
    }
    lw_arguments_free(&args);
    return status;
}

enum lw_status lw_shell_run(const struct lw_program *program, const struct lw_argv *argv,
                            struct lw_text *printed, struct lw_text *error_text,
                            struct lw_error *err)
{
    struct line line = {.program = program, .argv = *argv};
    return lw_capture(run_arguments, &line, printed, error_text, err);
}

/* Whether the first operand of a line, the current source, is one that the command needs: it has no other; or that of
 * `apply` before lane=3, or of a pair before a layout that is no document of an access, which has both. */
static bool needs_source(const struct line *line, const struct lw_command *command)
{
    struct lw_arguments args;
    struct lw_document doc;
    if ((!command->is_pair && strncmp(command->operands, "SOURCE", 6) != 0) ||
        !lw_arguments_read(&args, line->program, NULL, line->argv.count, line->argv.argument, NULL))
        return false;
    const char *second = args.operand_count > 1 ? args.operands[1] : NULL;
    const bool is_pair =
        command->is_pair && args.operand_count == 2 && !lw_options_are_set(&args, LW_OPTIONS_SIDES);
    bool needs = !second || (!strcmp(command->name, "apply") &&
                             second[strspn(second, "abcdefghijklmnopqrstuvwxyz")] == '=');
    lw_arguments_free(&args);
    if (!needs && is_pair && lw_document_open(&doc, second, NULL, NULL)) {
        needs = !lw_document_is_access(&doc);
        lw_document_free(&doc);
    }
    return needs;
}

/* Replaces `it` by the current source, and adds the source as the first operand when the command needs it. */
static bool put_current_source(struct line *line, const struct lw_command *command, const char *it)
{
    struct lw_argv *argv = &line->argv;
    if (!*it) /* no layout is open */
        return true;
    char *source = lw_arena_string(&argv->arena, it, strlen(it)), **first = argv->argument + 2;
    for (int i = 2; source && i < argv->count; i++)
        if (!strcmp(argv->argument[i], "it"))
            argv->argument[i] = source;
    if (!source || argv->count == LW_ARGV_MAX)
        return source;
    memmove(first + 1, first, (size_t)(argv->count++ - 2) * sizeof *first);
    *first = source;
    if (!needs_source(line, command))
        memmove(first, first + 1, (size_t)(--argv->count - 2) * sizeof *first);
    return true;
}

static bool run(const void *program, const char *text, const char *it, struct lw_text *printed,
                struct lw_text *error_text, struct lw_error *err)
{
    struct line line = {.program = program};
    *err = (struct lw_error){0};
    bool whole = lw_argv_split(&line.argv, text);
    const struct lw_command *command =
        whole && line.argv.count > 1 ? lw_command_find(program, line.argv.argument[1]) : NULL;
    bool known = command && *command->name && put_current_source(&line, command, it);
    if (known)
        lw_capture(run_arguments, &line, printed, error_text, err);
    lw_argv_free(&line.argv);
    return known;
}

struct lw_tui_shell lw_shell(const struct lw_program *program)
{
    return (struct lw_tui_shell){program, run, lw_target_named};
}

/* ---- Starting ---- */

bool lw_terminal_is_usable(void)
{
    const char *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static void warn(const char *text)
{
    struct lw_error err = {0};
    lw_error_set(&err, LW_ERROR_SYNTAX, "%s", text);
    lw_report_failure(NULL, &err);
}

enum lw_status lw_explore(const struct lw_arguments *args, struct lw_tui_options options)
{
    const struct lw_tui_shell shell = lw_shell(args->program);
    struct lw_error err = {0};
    options.shell = &shell;
    const char *when = LW_OPTION_VALUE(args, COLOR);
    options.color = !when || !strcmp(when, "auto") ? LW_COLOR_AUTO
                    : !strcmp(when, "always")      ? LW_COLOR_ALWAYS
                                                   : LW_COLOR_NEVER;
    options.theme = LW_OPTION_VALUE(args, THEME);
    options.ascii = LW_OPTION_IS_SET(args, ASCII);
    options.no_mouse = LW_OPTION_IS_SET(args, NO_MOUSE);
    options.script = LW_OPTION_VALUE(args, SCRIPT);
    options.warn = warn;
    bool of_script;
    int status = lw_tui_run(&options, &of_script, &err);
    const char *where = of_script            ? options.script
                        : options.count == 1 ? lw_source_name(options.sources[0])
                                             : NULL;
    if (status && err.code != LW_OK) /* what succeeds may have used it */
        return lw_report_failure(err.position.line ? where : NULL, &err);
    return (enum lw_status)status;
}
