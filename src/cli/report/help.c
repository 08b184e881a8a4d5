/* Help, printed from the tables: lines of at most 80 columns. */

#include "cli/report/help.h"

#include "laneway/encoding.h"

enum { NAME_BYTES_MAX = 24 };

static size_t widest(const struct lw_choices *choices)
{
    struct lw_choice choice;
    size_t width = 0;
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++) {
        size_t w = lw_text_width(choice.name);
        width = w > width && w <= NAME_BYTES_MAX ? w : width;
    }
    return width;
}

static void rows(struct lw_text *text, const struct lw_choices *choices)
{
    struct lw_choice choice;
    size_t width = widest(choices);
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++)
        if (*choice.name)
            lw_text_row(text, choice.name, width, choice.help);
}

/* ---- Options and examples ---- */

void lw_help_option(struct lw_text *text, const struct lw_option *option)
{
    if (option->letter)
        lw_text_format(text, "-%c, ", option->letter);
    lw_text_format(text, "--%s", option->name);
    if (option->argument)
        lw_text_format(text, option->traits & LW_OPTION_VALUE_OPTIONAL ? "[=%s]" : " %s",
                       option->argument);
}

static void option_row(struct lw_text *text, const struct lw_option *option)
{
    struct lw_text name = {0}, help = {0};
    lw_help_option(&name, option);
    lw_text_add(&help, option->help);
    if (option->choices && lw_choices_count(option->choices) <= 16) {
        lw_text_add(&help, " (");
        lw_choices_print(&help, option->choices, ", ");
        lw_text_char(&help, ')');
    }
    lw_text_row(text, lw_text_string(&name), NAME_BYTES_MAX - 6, lw_text_string(&help));
    lw_text_free(&name);
    lw_text_free(&help);
}

static void option_rows(struct lw_text *text, uint64_t options)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (lw_options_have(options, id))
            option_row(text, &lw_options()[id]);
}

static void example_rows(struct lw_text *text, const struct lw_command *command)
{
    for (size_t i = 0; i < LW_EXAMPLES_MAX && command->examples[i].arguments; i++) {
        const struct lw_example *example = &command->examples[i];
        if (*example->what)
            lw_text_format(text, "  # %s\n", example->what);
        lw_text_format(text, "  laneway%s%s\n", *example->arguments ? " " : "", example->arguments);
    }
}

/* ---- Pages ---- */

void lw_help_command(struct lw_text *text, const struct lw_command *command)
{
    lw_text_format(text, "usage: laneway%s%s%s%s%s\n\n", *command->name ? " " : "", command->name,
                   *command->operands ? " " : "", command->operands,
                   command->options ? " [OPTION...]" : "");
    lw_text_paragraphs(text, command->about);
    if (command->options)
        lw_text_add(text, "\nOptions:\n");
    option_rows(text, command->options);
    if (command->examples[0].arguments)
        lw_text_add(text, "\nExamples:\n");
    example_rows(text, command);
}

void lw_help_topic(struct lw_text *text, const struct lw_program *program,
                   const struct lw_topic *topic)
{
    if (topic->command) {
        lw_help_command(text, lw_command_find(program, topic->command));
        return;
    }
    lw_text_format(text, "%s\n\n", topic->title);
    lw_text_paragraphs(text, topic->about);
    if (topic->choices) {
        lw_text_char(text, '\n');
        rows(text, topic->choices);
    }
}

void lw_help_overview(struct lw_text *text, const struct lw_program *program)
{
    const struct lw_choices commands = lw_command_choices(program);
    const struct lw_choices topics = lw_topic_choices(program);
    lw_text_add(text, "laneway shows where every element of a tensor lives on a GPU.\n\n"
                      "usage: laneway [SOURCE...] [OPTION...]            the explorer\n"
                      "       laneway COMMAND [ARGUMENT...] [OPTION...]\n\n"
                      "Commands:\n");
    rows(text, &commands);
    lw_text_add(text, "\nA SOURCE is a file, a type, an expression or a name of the gallery:\n"
                      "  laneway show 'local(2, 1).spatial(8, 4)'\n"
                      "  laneway show 'tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 2],\n"
                      "      threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>>'\n\n"
                      "'laneway help NAME' explains a command, an encoding or a topic.\n\n"
                      "Topics:\n");
    rows(text, &topics);
    lw_text_add(text, "\nEncodings:\n");
    rows(text, &lw_choices_encodings);
}
