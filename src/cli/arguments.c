/* Reading the command line by the tables of commands and options. */

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Where the reader is. */
struct reader {
    struct lw_arguments *args;
    int argc, next;
    char *const *argv;
    bool ended; /* by "--" */
    bool named; /* the first word was a command */
    struct lw_error *err;
};

static const char *option_name(const void *unused, size_t i)
{
    (void)unused;
    return lw_options()[i].name;
}

static bool unknown_option(struct reader *r, const char *name, size_t length)
{
    char plain[64], dashed[64], hint[LW_HINT_MAX];
    snprintf(plain, sizeof plain, "%.*s", (int)(length < 60 ? length : 60), name);
    const char *near = lw_text_nearest(plain, LW_OPTION_COUNT, option_name, NULL);
    snprintf(dashed, sizeof dashed, near ? "--%s" : "%s", near ? near : "");
    return lw_error_set(r->err, LW_ERROR_NAME, "unknown option '--%s'%s", plain,
                        lw_text_hint(hint, dashed, ""));
}

/* Keeps the value of an option, when it is one of those that it may have. */
static bool keep(struct reader *r, size_t id, const char *value)
{
    const struct lw_option *option = &lw_options()[id];
    if (option->choices && !(option->traits & LW_OPTION_OTHER_SPELLINGS) &&
        !lw_choices_have(option->choices, value)) {
        struct lw_text names = {0};
        for (size_t i = 0; i < option->choices->count(); i++)
            lw_text_format(&names, "%s%s", i ? ", " : "", option->choices->name(NULL, i));
        lw_error_set(r->err, LW_ERROR_NAME, "unknown --%s '%.40s': it may be %s", option->name,
                     value, lw_text_string(&names));
        lw_text_free(&names);
        return false;
    }
    if (id == LW_OPTION_SET)
        r->args->sets[r->args->set_count++] = value;
    if (id == LW_OPTION_LET)
        r->args->lets[r->args->let_count++] = value;
    if (id == LW_OPTION_ALIAS_NAMES)
        r->args->alias_names[r->args->alias_names_count++] = value;
    r->args->value[id] = value;
    return true;
}

/* The value of an option: what is attached, or the next word. */
static bool read_argument(struct reader *r, size_t id, const char *attached)
{
    const struct lw_option *option = &lw_options()[id];
    if (!option->argument)
        return attached ? lw_error_set(r->err, LW_ERROR_SYNTAX, "--%s takes no value", option->name)
                        : keep(r, id, "");
    if (attached || option->traits & LW_OPTION_VALUE_OPTIONAL)
        return keep(r, id, attached ? attached : "");
    if (r->next == r->argc)
        return lw_error_set(r->err, LW_ERROR_SYNTAX, "--%s needs a value: --%s %s", option->name,
                            option->name, option->argument);
    return keep(r, id, r->argv[r->next++]);
}

/* The option of that name, which ends at a '='; LW_OPTION_COUNT: none. */
static size_t find_long(const char *name)
{
    size_t length = strcspn(name, "="), id = 0;
    for (; id < LW_OPTION_COUNT; id++) {
        const struct lw_option *option = &lw_options()[id];
        if (strlen(option->name) == length && !strncmp(option->name, name, length))
            break;
    }
    return id;
}

static bool read_long(struct reader *r, const char *name)
{
    size_t id = find_long(name), length = strcspn(name, "=");
    return id < LW_OPTION_COUNT ? read_argument(r, id, name[length] ? name + length + 1 : NULL)
                                : unknown_option(r, name, length);
}

static bool read_letters(struct reader *r, const char *letters)
{
    while (*letters) {
        size_t id = 0;
        while (id < LW_OPTION_COUNT && lw_options()[id].letter != *letters)
            id++;
        if (id == LW_OPTION_COUNT)
            return lw_error_set(r->err, LW_ERROR_NAME, "unknown option '-%c'", *letters);
        letters++;
        if (lw_options()[id].argument)
            return read_argument(r, id, *letters ? letters + (*letters == '=') : NULL);
        if (!read_argument(r, id, NULL))
            return false;
    }
    return true;
}

/* A long name may stand after one dash too, as the users of LLVM's tools write it. */
static bool read_option(struct reader *r, const char *name)
{
    if (name[0] == '-')
        return read_long(r, name + 1);
    return find_long(name) < LW_OPTION_COUNT ? read_long(r, name) : read_letters(r, name);
}

static void read_operand(struct reader *r, const char *operand)
{
    struct lw_arguments *args = r->args;
    const struct lw_command *command =
        r->ended || r->named || args->operand_count ? NULL : lw_command_find(operand);
    if (command && *operand) {
        args->command = command;
        r->named = true;
    } else {
        args->operands[args->operand_count++] = operand;
    }
}

/* A dash and a blank begin no option but a layout as Triton prints it. */
static bool read_all(struct reader *r)
{
    while (r->next < r->argc) {
        const char *operand = r->argv[r->next++];
        if (r->ended || operand[0] != '-' || !operand[1] || operand[1] == ' ') {
            read_operand(r, operand);
        } else if (!strcmp(operand, "--")) {
            r->ended = true;
        } else if (!read_option(r, operand + 1)) {
            return false;
        }
    }
    return true;
}

/* Has the command its words, or an option that stands for them? */
static bool has_operands(const struct lw_arguments *args)
{
    bool stands = false;
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        stands =
            stands || (args->value[id] && (lw_options()[id].traits & LW_OPTION_REPLACES_OPERANDS));
    return stands || args->operand_count >= args->command->min_operands;
}

/* The command that alone takes the option, so that a message can name it; "": none or several. */
static const char *command_with(size_t id)
{
    const char *name = "";
    size_t count;
    const struct lw_command *const *commands = lw_commands(&count);
    for (size_t i = 0; i < count; i++)
        if (*commands[i]->name && (commands[i]->options >> id & 1)) {
            if (*name)
                return "";
            name = commands[i]->name;
        }
    return name;
}

/* Does the command take what it got? */
static bool check(const struct lw_arguments *args, struct lw_error *err)
{
    const struct lw_command *command = args->command;
    const char *name = *command->name ? command->name : "laneway";
    uint64_t accepted = command->options | LW_OPTION_BIT(HELP) | LW_OPTION_BIT(VERSION);
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (args->value[id] && !(accepted >> id & 1))
            return lw_error_set(
                err, LW_ERROR_NAME, "%s takes no --%s%s%s%s ('laneway help%s%s' lists its options)",
                name, lw_options()[id].name, *command_with(id) ? "; '" : "", command_with(id),
                *command_with(id) ? "' does" : "", *command->name ? " " : "", command->name);
    if (LW_OPTION_IS_SET(args, HELP) || LW_OPTION_IS_SET(args, VERSION))
        return true;
    if (!has_operands(args))
        return lw_error_set(err, LW_ERROR_SYNTAX, "usage: laneway %s %s", name, command->operands);
    if (args->operand_count > command->max_operands)
        return lw_error_set(err, LW_ERROR_SYNTAX, "unexpected '%.60s'; usage: laneway %s%s%s",
                            args->operands[command->max_operands], name,
                            *command->operands ? " " : "", command->operands);
    return true;
}

/* --help and --version stand for commands. */
static void redirect(struct lw_arguments *args)
{
    if (LW_OPTION_IS_SET(args, HELP)) {
        args->operands[0] = args->command->name;
        args->operand_count = *args->command->name != '\0';
        args->command = &lw_command_help;
    } else if (LW_OPTION_IS_SET(args, VERSION)) {
        args->command = &lw_command_version;
        args->operand_count = 0;
    }
}

bool lw_arguments_read(struct lw_arguments *args, int argc, char *const *argv, struct lw_error *err)
{
    struct reader r = {args, argc, 1, argv, false, false, err};
    size_t room = argc > 0 ? (size_t)argc : 1;
    memset(args, 0, sizeof *args);
    args->command = &lw_command_explore;
    args->operands = calloc(4 * room, sizeof *args->operands);
    if (!args->operands)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    args->sets = args->operands + room;
    args->lets = args->operands + 2 * room;
    args->alias_names = args->operands + 3 * room;
    if (read_all(&r) && check(args, err)) {
        redirect(args);
        return true;
    }
    lw_arguments_free(args);
    return false;
}

bool lw_fail_on_conflict(const struct lw_arguments *args, uint64_t *max, struct lw_error *err)
{
    const char *value = LW_OPTION_VALUE(args, FAIL_ON_CONFLICT);
    size_t digits = value ? strspn(value, "0123456789") : 0;
    *max = value ? 0 : UINT64_MAX;
    if (!value || !*value)
        return true;
    if (value[digits] || digits > 18)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "--fail-on-conflict=%.40s: a number of conflicts is needed", value);
    *max = strtoull(value, NULL, 10);
    return true;
}

void lw_arguments_free(struct lw_arguments *args)
{
    free(args->operands);
    args->operands = NULL;
}
