/* laneway help: a command, an encoding or a topic, printed from the tables. */

#include "cli/command/commands.h"
#include "cli/report/help.h"
#include "export/output.h"
#include "laneway/encoding.h"

#include <string.h>

static const struct lw_topic *topic_find(const struct lw_program *program, const char *name)
{
    for (const struct lw_topic_name *other = lw_topic_names; other->name; other++)
        if (!strcmp(other->name, name) && other->topic)
            name = other->topic;
    for (const struct lw_topic *topic = program->topics; topic->name; topic++)
        if (!strcmp(topic->name, name))
            return topic;
    return NULL;
}

/* Prints the help of everything with that name: `bases` is a command and an encoding. */
static bool print_about(struct lw_text *text, const struct lw_program *program, const char *name)
{
    const struct lw_command *command = *name ? lw_command_find(program, name) : NULL;
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    const struct lw_topic *topic = topic_find(program, name);
    if (command)
        lw_help_command(text, command);
    if (command && type)
        lw_text_add(text, "\nThere is also an encoding of that name.\n\n");
    if (type)
        lw_encoding_help(text, type);
    if (topic)
        lw_help_topic(text, program, topic);
    return command || topic || type;
}

/* The command, topic or encoding with a name near this one, or NULL. */
static const char *nearest(const struct lw_program *program, const char *name)
{
    const struct lw_choices commands = lw_command_choices(program);
    const struct lw_choices topics = lw_topic_choices(program);
    const struct lw_choices *const lists[] = {&commands, &topics, &lw_choices_encodings, NULL};
    const struct lw_choices all = {lw_choices_joined, lists};
    return lw_choices_nearest(&all, name);
}

/* Whether the manual page has what was a topic. */
static bool is_in_manual(const char *name)
{
    const struct lw_topic_name *other = lw_topic_names;
    while (other->name && (strcmp(other->name, name) != 0 || other->topic))
        other++;
    return other->name;
}

static bool print(struct lw_text *text, const struct lw_arguments *args, struct lw_error *err)
{
    const bool encodings = args->operand_count && !strcmp(args->operands[0], "encodings");
    if (LW_OPTION_IS_SET(args, MAN) && encodings)
        lw_print_encodings_man(text);
    else if (LW_OPTION_IS_SET(args, MAN))
        lw_print_man(text, args->program);
    else if (LW_OPTION_IS_SET(args, COMPLETIONS))
        lw_print_completions(text, LW_OPTION_VALUE(args, COMPLETIONS));
    else if (LW_OPTION_IS_SET(args, COMPLETE))
        lw_print_words(text, args->program, LW_OPTION_VALUE(args, COMPLETE));
    else if (args->operand_count == 0)
        lw_help_overview(text, args->program);
    else if (is_in_manual(args->operands[0]))
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%s' is in the manual page: laneway help --man | man -l -",
                            args->operands[0]);
    else if (!print_about(text, args->program, args->operands[0])) {
        char hint[LW_HINT_MAX];
        lw_text_hint(hint, nearest(args->program, args->operands[0]),
                     "; 'laneway help' lists all topics");
        return lw_error_set(err, LW_ERROR_NAME, "no help about '%.40s'%s", args->operands[0], hint);
    }
    return true;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool good = print(&text, args, &err);
    lw_output_text(out, &text);
    lw_text_free(&text);
    return good ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}

const struct lw_command lw_command_help = {
    .name = "help",
    .operands = "[COMMAND|ENCODING|TOPIC]",
    .help = "explain a command, an encoding or a topic",
    .about =
        "Without a name it lists all commands, topics and encodings. --man prints the manual "
        "page, and with the name encodings that of the encodings; --completions prints a script "
        "that makes a shell complete the command line of laneway.",
    .options = LW_OPTION_BIT(MAN) | LW_OPTION_BIT(COMPLETIONS) | LW_OPTION_BIT(COMPLETE) |
               LW_OPTION_BIT(OUTPUT),
    .max_operands = 1,
    .examples = {{"help show", "a command"},
                 {"help blocked", "an encoding and its parameters"},
                 {"help output", "a topic"},
                 {"help --man | man -l -", "the manual page"}},
    .run = run,
};
