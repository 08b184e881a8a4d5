/* The manual page, in the man macros of roff, from the tables. */

#include "cli/report/help.h"
#include "core/text_mark.h"

#include "laneway/encoding.h"
#include "laneway/laneway.h"

#include <string.h>

/* Writes text in roff: dashes are escaped, and no line is a request. */
static void plain(struct lw_text *text, const char *string)
{
    if (lw_text_is_mark(string))
        lw_text_fail(text);
    bool start = text->length == 0 || text->data[text->length - 1] == '\n';
    for (const char *c = string; *c; start = *c++ == '\n') {
        if (start && (*c == '.' || *c == '\''))
            lw_text_add(text, "\\&");
        if (*c == '\\')
            lw_text_add(text, "\\e");
        else if (*c == '-')
            lw_text_add(text, "\\-");
        else if (*c == '\'')
            lw_text_add(text, "\\(aq");
        else
            lw_text_char(text, *c);
    }
}

static void heading(struct lw_text *text, const char *request, const char *string)
{
    lw_text_format(text, ".%s \"", request);
    for (const char *c = string; *c; c++)
        lw_text_char(text, *c >= 'a' && *c <= 'z' && request[1] == 'H' ? (char)(*c - 32) : *c);
    lw_text_add(text, "\"\n");
}

/* A term and its meaning. */
static void item(struct lw_text *text, const char *term, const char *meaning)
{
    lw_text_add(text, ".TP\n\\fB");
    plain(text, term);
    lw_text_add(text, "\\fR\n");
    plain(text, meaning);
    lw_text_char(text, '\n');
}

/* Paragraphs, one per line; lines that begin with a blank are preformatted. */
static void paragraphs(struct lw_text *text, const char *about)
{
    bool kept = false;
    while (*about) {
        size_t length = strcspn(about, "\n");
        struct lw_text line = {0};
        bool keep = *about == ' ';
        if (keep != kept)
            lw_text_add(text, keep ? ".nf\n" : ".fi\n");
        kept = keep;
        lw_text_bytes(&line, about, length);
        if (length == 0)
            lw_text_add(text, ".PP\n");
        else
            plain(text, lw_text_string(&line));
        if (length)
            lw_text_char(text, '\n');
        lw_text_free(&line);
        about += length + (about[length] == '\n');
    }
    if (kept)
        lw_text_add(text, ".fi\n");
}

static void choices(struct lw_text *text, const struct lw_choices *list)
{
    struct lw_choice choice;
    for (size_t i = 0; list->at(list->context, i, &choice); i++)
        if (*choice.name)
            item(text, choice.name, choice.help);
}

static void examples(struct lw_text *text, const struct lw_command *command)
{
    for (size_t i = 0; i < LW_EXAMPLES_MAX && command->examples[i].arguments; i++) {
        lw_text_add(text, ".PP\n.nf\n");
        plain(text, *command->examples[i].arguments ? "    laneway " : "    laneway");
        plain(text, command->examples[i].arguments);
        lw_text_add(text, "\n.fi\n");
    }
}

static void command(struct lw_text *text, const struct lw_command *row)
{
    struct lw_text line = {0};
    lw_text_format(&line, "laneway%s%s%s%s", *row->name ? " " : "", row->name,
                   *row->operands ? " " : "", row->operands);
    heading(text, "SS", lw_text_string(&line));
    lw_text_free(&line);
    paragraphs(text, row->about);
    if (row->options) {
        lw_text_add(text, ".PP\nOptions:\n");
        for (size_t id = 0, shown = 0; id < LW_OPTION_COUNT; id++)
            if (lw_options_have(row->options, id)) {
                lw_text_add(text, shown++ ? ",\n\\fB" : "\\fB");
                plain(text, "--");
                plain(text, lw_options()[id].name);
                lw_text_add(text, "\\fR");
            }
        lw_text_add(text, ".\n");
    }
    examples(text, row);
}

static void options(struct lw_text *text)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
        const struct lw_option *option = &lw_options()[id];
        struct lw_text term = {0}, meaning = {0};
        lw_help_option(&term, option);
        lw_text_add(&meaning, option->help);
        if (option->choices) {
            lw_text_add(&meaning, ": ");
            lw_choices_print(&meaning, option->choices, ", ");
        }
        item(text, lw_text_string(&term), lw_text_string(&meaning));
        lw_text_free(&term);
        lw_text_free(&meaning);
    }
}

static void encoding(struct lw_text *text, const struct lw_encoding_type *type)
{
    heading(text, "SS", type->name);
    plain(text, type->title);
    lw_text_add(text, ".\n.PP\n");
    paragraphs(text, type->about);
    for (size_t i = 0; i < type->param_count; i++) {
        struct lw_text meaning = {0};
        lw_text_format(&meaning, "%s: ", type->params[i].help);
        lw_param_meaning(&meaning, &type->params[i]);
        item(text, type->params[i].name, lw_text_string(&meaning));
        lw_text_free(&meaning);
    }
}

static void topic(struct lw_text *text, const struct lw_topic *row)
{
    if (row->command || row->choices == &lw_choices_encodings)
        return;
    heading(text, "SS", row->name);
    plain(text, row->title);
    lw_text_add(text, ".\n.PP\n");
    paragraphs(text, row->about);
    if (row->choices)
        choices(text, row->choices);
}

void lw_print_man(struct lw_text *text, const struct lw_program *program)
{
    size_t count;
    lw_text_format(text, ".TH LANEWAY 1 \"\" \"laneway %s\" \"User Commands\"\n", LW_VERSION);
    heading(text, "SH", "name");
    plain(text, "laneway - where every element of a tensor lives on a GPU\n");
    heading(text, "SH", "synopsis");
    lw_text_add(text, ".B laneway\n[\\fISOURCE\\fR...] [\\fIOPTION\\fR...]\n.br\n"
                      ".B laneway\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n");
    heading(text, "SH", "commands");
    for (const struct lw_command *const *row = program->commands; *row; row++)
        command(text, *row);
    heading(text, "SH", "options");
    options(text);
    heading(text, "SH", "encodings");
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++)
        encoding(text, types[i]);
    heading(text, "SH", "topics");
    for (const struct lw_topic *row = program->topics; row->name; row++)
        topic(text, row);
}
