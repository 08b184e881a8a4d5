/* Help, printed from the tables: lines of at most 80 columns. */

#include "cli/report/help.h"
#include "core/text_rows.h"

#include "laneway/encoding.h"

#include <string.h>

enum { NAME_BYTES_MAX = 24 };

static void rows(struct lw_text *text, const struct lw_choices *choices)
{
    struct lw_choice choice;
    size_t width = 0;
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++) {
        const size_t own = lw_text_width(choice.name);
        width = own > width && own <= NAME_BYTES_MAX ? own : width;
    }
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++)
        if (*choice.name)
            lw_text_row(text, choice.name, width, choice.help);
}

/* ---- Commands ---- */

void lw_help_option(struct lw_text *text, const struct lw_option *option)
{
    struct lw_text name = {0}, meaning = {0};
    if (option->letter)
        lw_text_format(&name, "-%c, ", option->letter);
    lw_text_format(&name, "--%s", option->name);
    if (option->argument)
        lw_text_format(&name, option->traits & LW_OPTION_VALUE_OPTIONAL ? "[=%s]" : " %s",
                       option->argument);
    lw_text_add(&meaning, option->help);
    if (option->choices && lw_choices_count(option->choices) <= 16) {
        lw_text_add(&meaning, " (");
        lw_choices_print(&meaning, option->choices, ", ");
        lw_text_char(&meaning, ')');
    }
    lw_text_row(text, lw_text_string(&name), NAME_BYTES_MAX - 6, lw_text_string(&meaning));
    lw_text_free(&name);
    lw_text_free(&meaning);
}

void lw_help_example(struct lw_text *text, const struct lw_example *example)
{
    if (*example->what)
        lw_text_format(text, "  # %s\n", example->what);
    lw_text_format(text, "  laneway%s%s\n", *example->arguments ? " " : "", example->arguments);
}

void lw_help_command(struct lw_text *text, const struct lw_command *command)
{
    lw_text_format(text, "usage: laneway%s%s%s%s%s\n\n", *command->name ? " " : "", command->name,
                   *command->operands ? " " : "", command->operands,
                   command->options ? " [OPTION...]" : "");
    lw_text_paragraphs(text, command->about);
    if (command->options)
        lw_text_add(text, "\nOptions:\n");
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (lw_options_have(command->options, id))
            lw_help_option(text, &lw_options()[id]);
    if (command->examples[0].arguments)
        lw_text_add(text, "\nExamples:\n");
    for (size_t i = 0; i < LW_EXAMPLES_MAX && command->examples[i].arguments; i++)
        lw_help_example(text, &command->examples[i]);
}

/* ---- Encodings ---- */

/* The encodings of each system by their names, one line of text for each system. */
static void encodings(struct lw_text *text)
{
    static const char *const titles[] = {"Triton", "tilus", "CuTe"};
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (int system = 0; system < 3; system++) {
        struct lw_text names = {0};
        for (size_t i = 0; i < count; i++)
            if (system == (types[i]->spelling == LW_SPELLING_CUTE ? 2 : types[i]->evaluate ? 1 : 0))
                lw_text_format(&names, "%s%s", names.length ? ", " : "", types[i]->name);
        lw_text_row(text, titles[system], sizeof "Triton" - 1, lw_text_string(&names));
        lw_text_free(&names);
    }
}

/* ---- Topics ---- */

/* The list of a name; NULL: there is none. */
static const struct lw_choices *list_of(const char *name, size_t length)
{
    static const struct {
        const char *name;
        const struct lw_choices *choices;
    } lists[] = {
        {"views", &lw_choices_views},       {"colors", &lw_choices_color_keys},
        {"palettes", &lw_choices_palettes}, {"styles", &lw_choices_styles},
        {"formats", &lw_choices_formats},   {"versions", &lw_choices_versions},
        {"targets", &lw_choices_targets},   {"operations", &lw_choices_operations},
        {"script", &lw_choices_script},     {"steps", &lw_choices_step_keys},
        {"goals", &lw_choices_goals},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strlen(lists[i].name) == length && !strncmp(lists[i].name, name, length))
            return lists[i].choices;
    return NULL;
}

/* Paragraphs, and the lists that are named between them. */
static void about(struct lw_text *text, const char *at)
{
    for (const char *list; *at; at = list) {
        struct lw_text part = {0};
        list = *at == '@' ? at : strstr(at, "\n@");
        list = !list ? at + strlen(at) : list + (*list == '\n');
        lw_text_bytes(&part, at, (size_t)(list - at));
        lw_text_paragraphs(text, lw_text_string(&part));
        lw_text_free(&part);
        if (!*list)
            break;
        size_t length = strcspn(list + 1, "\n");
        const struct lw_choices *choices = list_of(list + 1, length);
        if (choices)
            rows(text, choices);
        else
            encodings(text);
        list += 1 + length;
        list += *list == '\n';
    }
}

void lw_help_topic(struct lw_text *text, const struct lw_program *program,
                   const struct lw_topic *topic)
{
    if (!*topic->about) { /* the explorer */
        lw_help_command(text, program->commands[0]);
        return;
    }
    lw_text_format(text, "%s\n\n", topic->title);
    about(text, topic->about);
    lw_text_add(text, topic->more ? "\n" : "");
    about(text, topic->more ? topic->more : "");
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
    encodings(text);
}
