/* Help, printed from the tables: lines of at most 80 columns. */

#include "cli/cli.h"

#include <string.h>

enum { WIDTH = 79, NAME_MOST = 24 };

/* ---- Paragraphs ---- */

/* Words from column `column` on; lines after the first begin at `indent`. A line of the text that
 * begins with a blank is kept as it is. */
static void wrap(struct lw_text *text, const char *words, size_t indent, size_t column)
{
    for (bool first = true; *words; first = false) {
        size_t length = strcspn(words, " \n");
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        size_t width = lw_text_width(word);
        if (!first && column + 1 + width > WIDTH) {
            lw_text_char(text, '\n');
            lw_text_repeat(text, ' ', indent);
            column = indent;
        } else if (!first) {
            lw_text_char(text, ' ');
            column++;
        }
        lw_text_bytes(text, words, length);
        column += width;
        words += length;
        words += strspn(words, " ");
    }
    lw_text_char(text, '\n');
}

/* Paragraphs parted by newlines; a line that begins with a blank is kept as it is. */
static void paragraphs(struct lw_text *text, const char *about)
{
    while (*about) {
        size_t length = strcspn(about, "\n");
        struct lw_text line = {0};
        lw_text_bytes(&line, about, length);
        if (length == 0 || *about == ' ')
            lw_text_format(text, "%s\n", lw_text_string(&line));
        else
            wrap(text, lw_text_string(&line), 0, 0);
        lw_text_free(&line);
        about += length + (about[length] == '\n');
    }
}

/* "  name   what it is", the names `width` columns wide. */
static void row(struct lw_text *text, const char *name, size_t width, const char *help)
{
    size_t used = lw_text_width(name), column = width + 4;
    lw_text_format(text, "  %s", name);
    if (used > width) {
        lw_text_char(text, '\n');
        lw_text_repeat(text, ' ', column);
    } else if (*help) {
        lw_text_repeat(text, ' ', column - 2 - used);
    }
    wrap(text, help, column, column);
}

static size_t widest(const struct lw_choices *choices)
{
    size_t width = 0;
    for (size_t i = 0; i < choices->count(); i++) {
        size_t w = lw_text_width(choices->name(NULL, i));
        width = w > width && w <= NAME_MOST ? w : width;
    }
    return width;
}

static void rows(struct lw_text *text, const struct lw_choices *choices)
{
    for (size_t i = 0; i < choices->count(); i++)
        if (*choices->name(NULL, i))
            row(text, choices->name(NULL, i), widest(choices), choices->help(i));
}

void lw_help_names(struct lw_text *text, const struct lw_choices *choices)
{
    for (size_t i = 0, shown = 0; i < choices->count(); i++)
        if (*choices->name(NULL, i))
            lw_text_format(text, "%s%s", shown++ ? ", " : "", choices->name(NULL, i));
}

/* ---- Options and examples ---- */

void lw_help_option(struct lw_text *text, const struct lw_option *option)
{
    if (option->letter)
        lw_text_format(text, "-%c, ", option->letter);
    lw_text_format(text, "--%s", option->name);
    if (option->argument)
        lw_text_format(text, " %s", option->argument);
}

static void option_row(struct lw_text *text, const struct lw_option *option)
{
    struct lw_text name = {0}, help = {0};
    lw_help_option(&name, option);
    lw_text_add(&help, option->help);
    if (option->choices && option->choices->count() <= 16) {
        lw_text_add(&help, " (");
        lw_help_names(&help, option->choices);
        lw_text_char(&help, ')');
    }
    row(text, lw_text_string(&name), NAME_MOST - 6, lw_text_string(&help));
    lw_text_free(&name);
    lw_text_free(&help);
}

static void option_rows(struct lw_text *text, uint64_t options)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        if (options >> id & 1)
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
                   *command->words ? " " : "", command->words,
                   command->options ? " [OPTION...]" : "");
    paragraphs(text, command->about);
    if (command->options)
        lw_text_add(text, "\nOptions:\n");
    option_rows(text, command->options);
    if (command->examples[0].arguments)
        lw_text_add(text, "\nExamples:\n");
    example_rows(text, command);
}

void lw_help_legal(struct lw_text *text, const struct lw_param *param)
{
    static const char *const fallback[] = {
        [LW_DEFAULT_REQUIRED] = "required",
        [LW_DEFAULT_ABSENT] = "may be left out",
        [LW_DEFAULT_NUMBER] = NULL,
        [LW_DEFAULT_ONES] = "[1, ..., 1] when not said",
        [LW_DEFAULT_DESCENDING] = "[n-1, ..., 0] when not said",
        [LW_DEFAULT_EMPTY] = "[] when not said",
    };
    lw_param_legal(text, param);
    if (fallback[param->fallback])
        lw_text_format(text, "; %s", fallback[param->fallback]);
    else if (param->type == LW_PARAM_BOOLEAN)
        lw_text_format(text, "; %s when not said", param->number ? "true" : "false");
    else
        lw_text_format(text, "; %lld when not said", (long long)param->number);
}

void lw_help_encoding(struct lw_text *text, const struct lw_encoding_type *type)
{
    lw_text_format(text, "%s: %s\n\n", type->name, type->title);
    paragraphs(text, type->about);
    if (type->param_count)
        lw_text_add(text, "\nParameters:\n");
    size_t width = 0;
    for (size_t i = 0; i < type->param_count; i++)
        if (strlen(type->params[i].name) > width)
            width = strlen(type->params[i].name);
    for (size_t i = 0; i < type->param_count; i++) {
        struct lw_text legal = {0};
        row(text, type->params[i].name, width, type->params[i].help);
        lw_help_legal(&legal, &type->params[i]);
        row(text, "", width, lw_text_string(&legal));
        lw_text_free(&legal);
    }
    if (type->example && *type->example)
        lw_text_format(text, "\nExample:\n  laneway show '%s'\n", type->example);
}

void lw_help_topic(struct lw_text *text, const struct lw_topic *topic)
{
    if (topic->command) {
        lw_help_command(text, topic->command);
        return;
    }
    lw_text_format(text, "%s\n\n", topic->title);
    paragraphs(text, topic->about);
    if (topic->choices) {
        lw_text_char(text, '\n');
        rows(text, topic->choices);
    }
}

void lw_help_overview(struct lw_text *text)
{
    lw_text_add(text, "laneway shows where every element of a tensor lives on a GPU.\n\n"
                      "usage: laneway [SOURCE...] [OPTION...]            the explorer\n"
                      "       laneway COMMAND [ARGUMENT...] [OPTION...]\n\n"
                      "Commands:\n");
    rows(text, &lw_choices_commands);
    lw_text_add(text, "\nA SOURCE is a file, a type, an expression or a name of the gallery:\n"
                      "  laneway show 'local(2, 1).spatial(8, 4)'\n"
                      "  laneway show 'tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 2],\n"
                      "      threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>>'\n\n"
                      "'laneway help NAME' says more about a command, an encoding or a topic.\n\n"
                      "Topics:\n");
    rows(text, &lw_choices_topics);
    lw_text_add(text, "\nEncodings:\n");
    rows(text, &lw_choices_encodings);
}
