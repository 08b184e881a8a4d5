/* The program's command line inside the explorer: words as a shell has them, then the same reader of
 * arguments and the same commands. What they print is caught; they have no standard input. */

#include "cli/cli.h"
#include "tui/tui.h"

#include <string.h>

/* ---- Running ---- */

/* Like lw_program_run, but for where things go. */
static enum lw_status run_arguments(void *context, FILE *out)
{
    struct lw_argv *argv = context;
    struct lw_arguments args = {0};
    struct lw_output output = {.stream = out};
    struct lw_error err = {0};
    if (!lw_arguments_read(&args, argv->count, argv->argument, &err))
        return lw_report_failure(NULL, &err);
    const char *path = LW_OPTION_VALUE(&args, OUTPUT);
    if (!path)
        args.value[LW_OPTION_COLOR] = "never"; /* a page shows text alone */
    bool file = path && strcmp(path, "-") != 0;
    enum lw_status status = LW_STATUS_ERROR;
    if (file && !lw_output_open(&output, path, NULL, &err)) {
        lw_report_failure(NULL, &err);
    } else {
        status = args.command->run(&args, output.stream);
        if (file && !lw_output_close(&output, status != LW_STATUS_ERROR, &err))
            status = lw_report_failure(NULL, &err);
        else if (file && status != LW_STATUS_ERROR)
            fprintf(out, "%s: written\n", path);
    }
    lw_arguments_free(&args);
    return status;
}

/* Whether the words lack the source that the command needs: with one more it would have just one. One
 * source with a second layout in it stands for two. */
static bool lacks_source(const struct lw_argv *argv, const struct lw_command *command)
{
    struct lw_arguments args;
    bool of_two = command == &lw_command_banks || command == &lw_command_convert ||
                  command == &lw_command_swizzle;
    if ((!of_two && strncmp(command->operands, "SOURCE", 6) != 0) ||
        !lw_arguments_read(&args, argv->count, argv->argument, NULL))
        return false;
    bool lacks = args.operand_count == 1;
    lw_arguments_free(&args);
    return lacks;
}

/* `it` is the layout on the screen, also where a command needs a source and has none. */
static bool put_current_source(struct lw_argv *argv, const struct lw_command *command,
                               const char *it)
{
    if (!*it) /* there is none */
        return true;
    char *source = lw_arena_string(&argv->arena, it, strlen(it));
    for (int i = 2; source && i < argv->count; i++)
        if (!strcmp(argv->argument[i], "it"))
            argv->argument[i] = source;
    if (source && argv->count < LW_ARGV_MAX) {
        argv->argument[argv->count++] = source;
        if (!lacks_source(argv, command))
            argv->count--;
    }
    return source != NULL;
}

static bool run(const char *line, const char *it, struct lw_text *printed,
                struct lw_text *error_text)
{
    struct lw_argv argv;
    bool whole = lw_argv_split(&argv, line);
    const struct lw_command *command =
        whole && argv.count > 1 ? lw_command_find(argv.argument[1]) : NULL;
    if (!command || !*command->name || !put_current_source(&argv, command, it)) {
        lw_argv_free(&argv);
        return false;
    }
    lw_capture(run_arguments, &argv, printed, error_text);
    lw_argv_free(&argv);
    return true;
}

/* ---- Completing ---- */

static bool choice_at(const struct lw_choices *choices, size_t i, struct lw_text *argument)
{
    if (i >= choices->count())
        return false;
    lw_text_add(argument, choices->name(NULL, i));
    return true;
}

/* The option whose value is to come, or NULL. */
static const struct lw_option *option_before(const char *argument)
{
    if (strncmp(argument, "--", 2) != 0)
        return NULL;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (!strcmp(lw_options()[id].name, argument + 2))
            return lw_options()[id].argument ? &lw_options()[id] : NULL;
    return NULL;
}

static bool option_at(uint64_t accepted, size_t i, struct lw_text *argument)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if ((accepted >> id & 1) && i-- == 0) {
            lw_text_format(argument, "--%s", lw_options()[id].name);
            return true;
        }
    return false;
}

static bool complete(const char *line, size_t i, struct lw_text *argument)
{
    struct lw_argv argv;
    bool found = false;
    if (lw_argv_split(&argv, line)) {
        int last = argv.count - (argv.open ? 1 : 0); /* the place of the word to be */
        const char *typed = argv.open ? argv.argument[last] : "";
        const struct lw_command *command = last > 1 ? lw_command_find(argv.argument[1]) : NULL;
        const struct lw_option *option = last > 2 ? option_before(argv.argument[last - 1]) : NULL;
        if (last == 1)
            found = choice_at(&lw_choices_commands, i, argument);
        else if (command && typed[0] == '-')
            found = option_at(command->options, i, argument);
        else if (command && option && option->choices)
            found = choice_at(option->choices, i, argument);
        else if (command && !option)
            found = choice_at(&lw_choices_gallery, i, argument);
    }
    lw_argv_free(&argv);
    return found;
}

const struct lw_tui_shell lw_shell = {run, complete};
