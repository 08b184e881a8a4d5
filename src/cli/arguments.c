/* Reading the command line by the tables of commands and options. */

#include "cli/arguments.h"
#include "core/unused.h"

#include "laneway/export.h"
#include "tui/tui.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- The tables ---- */

const struct lw_command *lw_command_find(const struct lw_program *program, const char *name)
{
    for (const struct lw_command *const *command = program->commands; *command; command++)
        if (!strcmp((*command)->name, name))
            return *command;
    return NULL;
}

static bool command_at(const void *context, size_t i, struct lw_choice *choice)
{
    const struct lw_program *program = context;
    const struct lw_command *command = program->commands[i];
    if (command)
        *choice = (struct lw_choice){command->name, command->help};
    return command;
}

struct lw_choices lw_command_choices(const struct lw_program *program)
{
    return (struct lw_choices){command_at, program};
}

static bool topic_at(const void *context, size_t i, struct lw_choice *choice)
{
    const struct lw_program *program = context;
    const struct lw_topic *topic = &program->topics[i];
    *choice = (struct lw_choice){topic->name, topic->title};
    return topic->name;
}

struct lw_choices lw_topic_choices(const struct lw_program *program)
{
    return (struct lw_choices){topic_at, program};
}

/* ---- What was removed ---- */

/* Commands and options with their dashes, with blanks between them, and what replaces them. */
static const struct {
    const char *names, *instead;
} removed[] = {
    {"check", "'laneway show SOURCE' reports what is wrong with a layout, and 'laneway learn "
              "--check FILE' what is wrong with a lesson"},
    {"--with", "--shared SOURCE is shared S of an access, --load SOURCE registers B"},
    {"--by", "'laneway ttgir FILE --format csv' has a row for each operation"},
    {"--progress", "'laneway learn --json' has how much of each lesson is done"},
    {"-r --recursive --require", "name the documents: 'laneway docs $(git ls-files \"*.md\")'"},
    {"--input -i --layout -l --alias-names --use-hw-view",
     "'laneway show FILE:#NAME -t TYPE --style triton' prints a layout of a file as Triton does"},
};

/* Whether the name was removed; the error then names what replaces it. */
static bool was_removed(const char *name, struct lw_error *err)
{
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (lw_text_has_word(removed[i].names, name)) {
            lw_error_set(err, LW_ERROR_NAME, "'%s' was removed: %s", name, removed[i].instead);
            return true;
        }
    return false;
}

/* ---- Reading ---- */

/* The state of the reader. */
struct reader {
    struct lw_arguments *args;
    int argc, next;
    char *const *argv;
    struct lw_error *err;
};

static const char *option_name(LW_UNUSED const void *unused, size_t i)
{
    return lw_options()[i].name;
}

/* The error about an option that there is not; `name` is without its dashes. */
static bool unknown_option(const char *dashes, const char *name, struct lw_error *err)
{
    char named[64], hint[LW_HINT_MAX], near_option[64] = "";
    snprintf(named, sizeof named, "%s%s", dashes, name);
    if (was_removed(named, err))
        return false;
    if (!dashes[1])
        return lw_error_set(err, LW_ERROR_NAME,
                            "unknown option '%s'; an argument that begins with a dash must follow "
                            "'--'",
                            named);
    const char *near = lw_text_nearest(name, LW_OPTION_COUNT, option_name, NULL);
    if (near)
        snprintf(near_option, sizeof near_option, "--%s", near);
    return lw_error_set(err, LW_ERROR_NAME, "unknown option '%s'%s", named,
                        lw_text_hint(hint, near_option, ""));
}

/* Reads "--name", "--name=value", "-n" or "-nvalue"; a value can be the next argument. */
static bool read_option(struct reader *r, const char *argument)
{
    const bool is_long = argument[1] == '-';
    const char *name = argument + 1 + is_long, *value = "";
    const size_t length = is_long ? strcspn(name, "=") : 1;
    const struct lw_option *option = lw_options(), *end = option + LW_OPTION_COUNT;
    while (option < end &&
           (is_long ? strlen(option->name) != length || strncmp(option->name, name, length) != 0
                    : option->letter != *name))
        option++;
    if (option == end) {
        char plain[60];
        snprintf(plain, sizeof plain, "%.*s", (int)(length < 59 ? length : 59), name);
        return unknown_option(is_long ? "--" : "-", plain, r->err);
    }
    if (name[length] && !option->argument)
        return lw_error_set(r->err, LW_ERROR_SYNTAX, "--%s does not accept a value", option->name);
    if (name[length])
        value = name + length + (name[length] == '=');
    else if (option->argument && !(option->traits & LW_OPTION_VALUE_OPTIONAL)) {
        if (r->next == r->argc)
            return lw_error_set(r->err, LW_ERROR_SYNTAX, "--%s needs a value: --%s %s",
                                option->name, option->name, option->argument);
        value = r->argv[r->next++];
    }
    struct lw_arguments *args = r->args;
    const size_t id = (size_t)(option - lw_options());
    char dashed[40];
    snprintf(dashed, sizeof dashed, "--%s", option->name);
    if (option->choices && !(option->traits & LW_OPTION_OTHER_SPELLINGS) &&
        !lw_choices_check(option->choices, dashed, value, r->err))
        return false;
    if (id == LW_OPTION_SET)
        args->sets[args->set_count++] = value;
    if (id == LW_OPTION_LET)
        args->lets[args->let_count++] = value;
    args->value[id] = value;
    return true;
}

/* Reads all arguments; the first operand can be a command. "- " begins a layout as Triton prints it, not an option. */
static bool read_all(struct reader *r, bool has_command)
{
    struct lw_arguments *args = r->args;
    bool ended = false; /* by "--" */
    while (r->next < r->argc) {
        const char *argument = r->argv[r->next++];
        const bool is_option = !ended && argument[0] == '-' && argument[1] && argument[1] != ' ';
        const struct lw_command *command = NULL;
        if (is_option && !strcmp(argument, "--"))
            ended = true;
        else if (is_option && !read_option(r, argument))
            return false;
        if (is_option)
            continue;
        if (!ended && !has_command && !args->operand_count && *argument)
            command = lw_command_find(args->program, argument);
        if (command)
            args->command = command;
        else
            args->operands[args->operand_count++] = argument;
        has_command = has_command || command;
    }
    return true;
}

/* ---- Checking ---- */

/* Whether a command may write to the file of -o: one that does not draw not to one with the extension of a drawing,
 * unless it is the page of a lesson. */
static bool check_output(const struct lw_arguments *args, struct lw_error *err)
{
    const char *path = LW_OPTION_VALUE(args, OUTPUT);
    const uint64_t options = args->command->options;
    const struct lw_format *format = path ? lw_format_of_path(path, NULL) : NULL;
    return !format || !format->write_panels || LW_OPTION_IS_SET(args, JSON) ||
           lw_options_have(options, LW_OPTION_FORMAT) /* by which it is checked */ ||
           (!strcmp(format->name, "html") && lw_options_have(options, LW_OPTION_ANSWERS)) ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "-o %.80s: only text can be written here%s; 'laneway show SOURCE -o "
                        "FILE.%s' draws a layout",
                        path,
                        lw_options_have(options, LW_OPTION_JSON) ? ", or JSON with --json" : "",
                        format->extension);
}

/* Whether the command accepts its options and operands. */
static bool check(const struct lw_arguments *args, struct lw_error *err)
{
    const struct lw_command *command = args->command;
    const char *name = *command->name ? command->name : "laneway";
    const uint64_t accepted = command->options | LW_OPTION_BIT(HELP) | LW_OPTION_BIT(VERSION);
    if (!*command->name && args->operand_count && was_removed(args->operands[0], err))
        return false;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && !lw_options_have(accepted, id))
            return lw_error_set(
                err, LW_ERROR_NAME, "%s has no option --%s ('laneway help%s%s' lists its options)",
                name, lw_options()[id].name, *command->name ? " " : "", command->name);
    if (LW_OPTION_IS_SET(args, HELP) || LW_OPTION_IS_SET(args, VERSION))
        return true;
    if (!check_output(args, err))
        return false;
    if (args->operand_count < command->min_operands && !LW_OPTION_IS_SET(args, BATCH))
        return lw_error_set(err, LW_ERROR_SYNTAX, "usage: laneway %s %s", name, command->operands);
    return args->operand_count <= command->max_operands ||
           lw_error_set(err, LW_ERROR_SYNTAX, "unexpected '%.60s'; usage: laneway %s%s%s",
                        args->operands[command->max_operands], name, *command->operands ? " " : "",
                        command->operands);
}

bool lw_arguments_read(struct lw_arguments *args, const struct lw_program *program,
                       const struct lw_command *command, int argc, char *const *argv,
                       struct lw_error *err)
{
    struct reader r = {args, argc, 1, argv, err};
    size_t room = argc > 0 ? (size_t)argc : 1;
    memset(args, 0, sizeof *args);
    args->program = program;
    args->command = command ? command : lw_command_find(program, "");
    args->operands = calloc(3 * room, sizeof *args->operands);
    if (!args->operands)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    args->sets = args->operands + room;
    args->lets = args->operands + 2 * room;
    if (!read_all(&r, command != NULL) || !check(args, err)) {
        lw_arguments_free(args);
        return false;
    }
    if (LW_OPTION_IS_SET(args, HELP)) { /* --help and --version are commands too */
        args->operands[0] = args->command->name;
        args->operand_count = *args->command->name != '\0';
        args->command = lw_command_find(program, "help");
    } else if (LW_OPTION_IS_SET(args, VERSION)) {
        args->command = lw_command_find(program, "version");
        args->operand_count = 0;
    }
    return true;
}

bool lw_options_are_set(const struct lw_arguments *args, uint64_t options)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && lw_options_have(options, id))
            return true;
    return false;
}

bool lw_option_number(const struct lw_arguments *args, enum lw_option_id id, uint64_t least,
                      uint64_t most, uint64_t *number, struct lw_error *err)
{
    const char *text = args->value[id];
    if (!text)
        return true;
    const bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    const size_t limit = 18; /* 0x and 64 bits */
    char *end = NULL;
    const uint64_t value = strtoull(text, &end, hex ? 16 : 10);
    if (isdigit((unsigned char)*text) && !*end && strlen(text) <= limit && value >= least &&
        value <= most) {
        *number = value;
        return true;
    }
    if (most < UINT64_MAX)
        return lw_error_set(
            err, LW_ERROR_LIMIT, "--%s '%.40s': expected a number from %llu to %llu",
            lw_options()[id].name, text, (unsigned long long)least, (unsigned long long)most);
    return lw_error_set(err, LW_ERROR_SYNTAX, "--%s '%.40s': expected a number%s",
                        lw_options()[id].name, text, least ? " of 1 or more" : "");
}

bool lw_fail_on_conflict(const struct lw_arguments *args, uint64_t *max, struct lw_error *err)
{
    const char *value = LW_OPTION_VALUE(args, FAIL_ON_CONFLICT);
    *max = value ? 0 : UINT64_MAX;
    return !value || !*value ||
           lw_option_number(args, LW_OPTION_FAIL_ON_CONFLICT, 0, UINT64_MAX, max, err);
}

bool lw_target(const struct lw_arguments *args, const struct lw_hardware **target,
               struct lw_error *err)
{
    const char *name = LW_OPTION_VALUE(args, TARGET);
    *target = NULL;
    return !name || lw_target_named(name, target, err);
}

bool lw_chosen_triton(const struct lw_arguments *args, struct lw_triton_choice *choice,
                      struct lw_error *err)
{
    struct lw_error inner;
    const char *name = LW_OPTION_VALUE(args, TRITON);
    *choice = (struct lw_triton_choice){.weak = !name};
    const char *text = name ? name : getenv("LANEWAY_TRITON");
    if (!text || (choice->weak && !*text) || lw_triton_find(&choice->version, text, &inner))
        return true;
    return lw_error_set(err, LW_ERROR_NAME, "%s: %.400s", name ? "--triton" : "LANEWAY_TRITON",
                        inner.message);
}

void lw_arguments_free(struct lw_arguments *args)
{
    free(args->operands);
    args->operands = NULL;
}
