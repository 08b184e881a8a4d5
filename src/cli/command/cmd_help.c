/* laneway help: a command, an encoding or a topic, printed from the tables. */

#include "cli/command/commands.h"
#include "cli/report/help.h"
#include "export/output.h"
#include "laneway/encoding.h"

#include <string.h>

/* Prints the help of everything with that name: `bases` is a command and an encoding. */
static bool print_about(struct lw_text *text, const struct lw_program *program, const char *name,
                        struct lw_error *err)
{
    const struct lw_command *command = *name ? lw_command_find(program, name) : NULL;
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    const struct lw_topic *topic = program->topics;
    while (topic->name && strcmp(topic->name, name) != 0 && !lw_text_has_word(topic->others, name))
        topic++;
    if (command)
        lw_help_command(text, command);
    if (command && type)
        lw_text_add(text, "\nThere is also an encoding of that name.\n\n");
    if (type)
        lw_encoding_help(text, type);
    if (topic->name)
        lw_help_topic(text, program, topic);
    if (command || topic->name || type)
        return true;
    const struct lw_choices commands = lw_command_choices(program);
    const struct lw_choices topics = lw_topic_choices(program);
    const struct lw_choices *const lists[] = {&commands, &topics, &lw_choices_encodings, NULL};
    const struct lw_choices all = {lw_choices_joined, lists};
    char hint[LW_HINT_MAX];
    lw_text_hint(hint, lw_choices_nearest(&all, name), "; 'laneway help' lists all topics");
    return lw_error_set(err, LW_ERROR_NAME, "no help about '%.40s'%s", name, hint);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct lw_text text = {0};
    struct lw_error err = {0};
    const char *name = args->operand_count ? args->operands[0] : NULL;
    bool good = true;
    if (LW_OPTION_IS_SET(args, MAN) && name && !strcmp(name, "encodings"))
        lw_print_encodings_man(&text);
    else if (LW_OPTION_IS_SET(args, MAN))
        lw_print_man(&text, args->program);
    else if (LW_OPTION_IS_SET(args, COMPLETIONS))
        lw_print_completions(&text, LW_OPTION_VALUE(args, COMPLETIONS));
    else if (LW_OPTION_IS_SET(args, COMPLETE))
        lw_print_words(&text, args->program, LW_OPTION_VALUE(args, COMPLETE));
    else if (name)
        good = print_about(&text, args->program, name, &err);
    else
        lw_help_overview(&text, args->program);
    lw_output_text(out, &text);
    lw_text_free(&text);
    return good ? LW_STATUS_OK : lw_report_failure(NULL, &err);
}

const struct lw_command lw_command_help = {
    .name = "help",
    .operands = "[COMMAND|ENCODING|TOPIC]",
    .help = "explain a command, an encoding or a topic",
    .about =
        "Without a name it lists all commands, topics and encodings. --man prints the manual page, "
        "and with the name encodings that of the encodings; --completions prints a script that "
        "makes a shell complete the command line of laneway.",
    .options = LW_OPTION_BIT(MAN) | LW_OPTION_BIT(COMPLETIONS) | LW_OPTION_BIT(COMPLETE) |
               LW_OPTION_BIT(OUTPUT),
    .max_operands = 1,
    .examples = {{"help show", "a command"},
                 {"help blocked", "an encoding and its parameters"},
                 {"help output", "a topic"},
                 {"help --man | man -l -", "the manual page"}},
    .run = run,
};
