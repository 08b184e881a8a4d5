/* Reading the command line by the tables of commands and options. */

#include "cli/arguments.h"

#include "laneway/export.h"
#include "tui/tui.h"

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

#define AS_TRITON                                                                                  \
    "'laneway show FILE:#NAME -t TYPE --style triton' prints a layout of a file as Triton does"

/* A command, an option with its dashes, or a value of an option: what earlier versions had, and what replaces it. */
static const struct {
    const char *name, *instead;
} removed[] = {
    {"check", "'laneway show SOURCE' reports what is wrong with a layout, and 'laneway learn "
              "--check FILE' what is wrong with a lesson"},
    {"--with", "--shared SOURCE is shared S of an access, --load SOURCE registers B"},
    {"--by",
     "'laneway ttgir FILE --format csv' has a row for each operation, which any program can "
     "sum"},
    {"--progress", "'laneway learn --json' has how much of each lesson is done"},
    {"--input", AS_TRITON},
    {"-i", AS_TRITON},
    {"--layout", AS_TRITON},
    {"-l", AS_TRITON},
    {"--alias-names", AS_TRITON},
    {"--use-hw-view", "'laneway show SOURCE -t TYPE --style triton --view hardware' prints it"},
};

/* Whether the name was removed; the error then names what replaces it. */
static bool was_removed(const char *name, struct lw_error *err)
{
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
        if (!strcmp(removed[i].name, name)) {
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
    bool ended; /* by "--" */
    bool named; /* the first operand was a command */
    struct lw_error *err;
};

static const char *option_name(const void *unused, size_t i)
{
    (void)unused;
    return lw_options()[i].name;
}

/* Stores the value of an option; fails when it is not legal. */
static bool keep(struct reader *r, size_t id, const char *value)
{
    const struct lw_option *option = &lw_options()[id];
    if (option->choices && !(option->traits & LW_OPTION_OTHER_SPELLINGS) &&
        !lw_choices_have(option->choices, value)) {
        struct lw_text names = {0};
        const char *instead = lw_choices_dropped(option->choices, value);
        if (instead)
            return lw_error_set(r->err, LW_ERROR_NAME, "--%s %.40s is no longer there: use %s",
                                option->name, value, instead);
        lw_choices_print(&names, option->choices, ", ");
        lw_error_set(r->err, LW_ERROR_NAME, "unknown --%s '%.40s': expected one of %s",
                     option->name, value, lw_text_string(&names));
        lw_text_free(&names);
        return false;
    }
    if (id == LW_OPTION_SET)
        r->args->sets[r->args->set_count++] = value;
    if (id == LW_OPTION_LET)
        r->args->lets[r->args->let_count++] = value;
    r->args->value[id] = value;
    return true;
}

/* Reads the value of an option: after its '=', or the next argument. */
static bool read_value(struct reader *r, size_t id, const char *attached)
{
    const struct lw_option *option = &lw_options()[id];
    if (!option->argument)
        return attached ? lw_error_set(r->err, LW_ERROR_SYNTAX, "--%s does not accept a value",
                                       option->name)
                        : keep(r, id, "");
    if (attached || option->traits & LW_OPTION_VALUE_OPTIONAL)
        return keep(r, id, attached ? attached : "");
    if (r->next == r->argc)
        return lw_error_set(r->err, LW_ERROR_SYNTAX, "--%s needs a value: --%s %s", option->name,
                            option->name, option->argument);
    return keep(r, id, r->argv[r->next++]);
}

/* Reads "name" or "name=value", after its dashes. */
static bool read_long(struct reader *r, const char *name)
{
    const size_t length = strcspn(name, "=");
    char plain[64], dashed[64], hint[LW_HINT_MAX];
    for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
        const struct lw_option *option = &lw_options()[id];
        if (strlen(option->name) == length && !strncmp(option->name, name, length))
            return read_value(r, id, name[length] ? name + length + 1 : NULL);
    }
    snprintf(plain, sizeof plain, "%.*s", (int)(length < 60 ? length : 60), name);
    snprintf(dashed, sizeof dashed, "--%.60s", plain);
    if (was_removed(dashed, r->err))
        return false;
    const char *near = lw_text_nearest(plain, LW_OPTION_COUNT, option_name, NULL);
    snprintf(dashed, sizeof dashed, near ? "--%s" : "%s", near ? near : "");
    return lw_error_set(r->err, LW_ERROR_NAME, "unknown option '--%s'%s", plain,
                        lw_text_hint(hint, dashed, ""));
}

/* Reads options of one letter each; the last can have its value after it. */
static bool read_letters(struct reader *r, const char *letters)
{
    while (*letters) {
        size_t id = 0;
        while (id < LW_OPTION_COUNT && lw_options()[id].letter != *letters)
            id++;
        const char named[] = {'-', *letters, '\0'};
        if (id == LW_OPTION_COUNT && was_removed(named, r->err))
            return false;
        if (id == LW_OPTION_COUNT)
            return lw_error_set(r->err, LW_ERROR_NAME, "unknown option '-%c'%s", *letters,
                                *letters >= '0' && *letters <= '9'
                                    ? "; an argument that begins with a dash must follow '--'"
                                    : "");
        letters++;
        if (lw_options()[id].argument)
            return read_value(r, id, *letters ? letters + (*letters == '=') : NULL);
        if (!read_value(r, id, NULL))
            return false;
    }
    return true;
}

/* "- " begins a layout as Triton prints it, not an option. */
static bool read_all(struct reader *r)
{
    struct lw_arguments *args = r->args;
    while (r->next < r->argc) {
        const char *argument = r->argv[r->next++];
        const bool is_option = !r->ended && argument[0] == '-' && argument[1] && argument[1] != ' ';
        const struct lw_command *command =
            is_option || r->ended || r->named || args->operand_count || !*argument
                ? NULL
                : lw_command_find(args->program, argument);
        if (is_option && !strcmp(argument, "--"))
            r->ended = true;
        else if (is_option &&
                 !(argument[1] == '-' ? read_long(r, argument + 2) : read_letters(r, argument + 1)))
            return false;
        else if (command)
            args->command = command;
        else if (!is_option)
            args->operands[args->operand_count++] = argument;
        r->named = r->named || command;
    }
    return true;
}

/* ---- Checking ---- */

/* The only command that accepts the option, so that a message can name it; "": none or several. */
static const char *command_with(const struct lw_program *program, size_t id)
{
    const char *name = "";
    for (const struct lw_command *const *command = program->commands + 1; *command; command++)
        if (lw_options_have((*command)->options, id)) {
            if (*name)
                return "";
            name = (*command)->name;
        }
    return name;
}

/* Whether the command accepts every option that is set. */
static bool check_options(const struct lw_arguments *args, const char *name, struct lw_error *err)
{
    const struct lw_command *command = args->command;
    uint64_t accepted = command->options | LW_OPTION_BIT(HELP) | LW_OPTION_BIT(VERSION);
    size_t id = 0;
    while (id < LW_OPTION_COUNT && (!args->value[id] || lw_options_have(accepted, id)))
        id++;
    if (id == LW_OPTION_COUNT)
        return true;
    const char *other = command_with(args->program, id), *named = *other ? other : command->name;
    return lw_error_set(err, LW_ERROR_NAME,
                        "%s has no option --%s%s%s%s ('laneway help%s%s' lists its options)", name,
                        lw_options()[id].name, *other ? "; '" : "", other, *other ? "' has it" : "",
                        *named ? " " : "", named);
}

bool lw_arguments_refuse_drawing(const struct lw_arguments *args, const char *others,
                                 struct lw_error *err)
{
    const char *path = LW_OPTION_VALUE(args, OUTPUT);
    const struct lw_format *format = path ? lw_format_of_path(path, NULL) : NULL;
    bool page = format && !strcmp(format->name, "html") &&
                lw_options_have(args->command->options, LW_OPTION_ANSWERS); /* of a lesson */
    if (!format || !format->write_panels || page || LW_OPTION_IS_SET(args, FORMAT) ||
        LW_OPTION_IS_SET(args, JSON))
        return true;
    return lw_error_set(
        err, LW_ERROR_UNSUPPORTED,
        "-o %.80s: only text can be written here%s; 'laneway show SOURCE -o FILE.%s' "
        "draws a layout",
        path, others, format->extension);
}

/* Whether the command accepts its options and operands. */
static bool check(const struct lw_arguments *args, struct lw_error *err)
{
    const struct lw_command *command = args->command;
    const char *name = *command->name ? command->name : "laneway";
    if (!*command->name && args->operand_count && was_removed(args->operands[0], err))
        return false;
    if (!check_options(args, name, err))
        return false;
    if (LW_OPTION_IS_SET(args, HELP) || LW_OPTION_IS_SET(args, VERSION))
        return true;
    const char *path = LW_OPTION_VALUE(args, OUTPUT), *set = LW_OPTION_VALUE(args, FORMAT);
    const bool json = !set && LW_OPTION_IS_SET(args, JSON);
    const struct lw_format *named = path ? lw_format_of_path(path, NULL) : NULL;
    const struct lw_format *format = json  ? lw_format_find("json")
                                     : set ? lw_format_find(set)
                                           : NULL;
    if (named && format && named != format)
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.80s has the extension of %s, but %s%s writes %s: omit %s, or use "
                            "the extension .%s",
                            path, named->name, json ? "--json" : "--format ", json ? "" : set,
                            format->name, json ? "--json" : "--format", format->extension);
    if (!lw_options_have(command->options, LW_OPTION_FORMAT) &&
        !lw_arguments_refuse_drawing(
            args, lw_options_have(command->options, LW_OPTION_JSON) ? ", or JSON with --json" : "",
            err))
        return false;
    bool needs_operands = args->operand_count < command->min_operands;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && lw_options()[id].traits & LW_OPTION_REPLACES_OPERANDS)
            needs_operands = false;
    if (needs_operands)
        return lw_error_set(err, LW_ERROR_SYNTAX, "usage: laneway %s %s", name, command->operands);
    return args->operand_count <= command->max_operands ||
           lw_error_set(err, LW_ERROR_SYNTAX, "unexpected '%.60s'; usage: laneway %s%s%s",
                        args->operands[command->max_operands], name, *command->operands ? " " : "",
                        command->operands);
}

bool lw_arguments_read(struct lw_arguments *args, const struct lw_program *program, int argc,
                       char *const *argv, struct lw_error *err)
{
    struct reader r = {args, argc, 1, argv, false, false, err};
    size_t room = argc > 0 ? (size_t)argc : 1;
    memset(args, 0, sizeof *args);
    args->program = program;
    args->command = lw_command_find(program, "");
    args->operands = calloc(3 * room, sizeof *args->operands);
    if (!args->operands)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    args->sets = args->operands + room;
    args->lets = args->operands + 2 * room;
    if (!read_all(&r) || !check(args, err)) {
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
    const size_t digits = strspn(text, "0123456789"), limit = 18;
    char *end = NULL;
    const uint64_t value = strtoull(text, &end, hex ? 16 : 10);
    if (digits && digits <= limit && !*end && strlen(text) <= limit && value >= least &&
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
    char hint[LW_HINT_MAX], normalized[32];
    *target = NULL;
    if (name && lw_target_is_file(name))
        return lw_target_open(name, target, err);
    if (!name || (*target = lw_hardware_find(name)) != NULL)
        return true;
    lw_hardware_normalize_name(normalized, sizeof normalized, name);
    lw_text_hint(hint, lw_choices_nearest(&lw_choices_targets, normalized),
                 "; 'laneway help targets' lists them");
    return lw_error_set(err, LW_ERROR_NAME, "unknown target '%.40s'%s", name, hint);
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
