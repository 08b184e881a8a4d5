/* The manual pages, in the man macros of roff, from the tables. */

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

/* A command with what it does and the names of its options. */
static void command(struct lw_text *text, const struct lw_command *row)
{
    struct lw_text line = {0};
    lw_text_format(&line, "laneway%s%s%s%s", *row->name ? " " : "", row->name,
                   *row->operands ? " " : "", row->operands);
    heading(text, "SS", lw_text_string(&line));
    lw_text_free(&line);
    paragraphs(text, row->about);
    if (!row->options)
        return;
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

static void options(struct lw_text *text)
{
    for (size_t id = 0; id < LW_OPTION_COUNT; id++) {
        struct lw_text term = {0}, meaning = {0};
        lw_help_option(&term, &lw_options()[id]);
        lw_help_option_meaning(&meaning, &lw_options()[id]);
        item(text, lw_text_string(&term), lw_text_string(&meaning));
        lw_text_free(&term);
        lw_text_free(&meaning);
    }
}

/* The first example of each command. */
static void examples(struct lw_text *text, const struct lw_program *program)
{
    for (const struct lw_command *const *row = program->commands; *row; row++) {
        const struct lw_example *example = &(*row)->examples[0];
        if (!*example->what)
            continue;
        lw_text_add(text, ".TP\n");
        plain(text, example->what);
        lw_text_add(text, "\n.nf\n");
        plain(text, *example->arguments ? "laneway " : "laneway");
        plain(text, example->arguments);
        lw_text_add(text, "\n.fi\n");
    }
}

static void begin(struct lw_text *text, const char *page, const char *section, const char *title)
{
    lw_text_format(text, ".TH %s \"\" \"laneway %s\" \"%s\"\n", page, LW_VERSION, section);
    heading(text, "SH", "name");
    plain(text, title);
    lw_text_char(text, '\n');
}

static const char description[] =
    "laneway shows which register of which lane of which warp holds each element of a tensor on a "
    "GPU, and in which bank of shared memory an element is. Without a command it opens the "
    "explorer on a terminal, and prints a view elsewhere; 'laneway help' explains commands, "
    "encodings and topics, and 'laneway learn' has a course.\n\n"
    "A SOURCE names a layout. It is a type or an attribute of MLIR (tensor<16x64xf16, "
    "#ttg.blocked<{...}>>, !ttg.memdesc<...>, #ttg.blocked<{...}>), a layout of CuTe "
    "((4,8):(8,1)) or an expression of its algebra, an atom of CUTLASS, an expression of tilus "
    "(local(2, 1).spatial(8, 4)), a layout of Gluon (gl.BlockedLayout(...)), what 'laneway bases' "
    "prints, a document in JSON, the file of one of these, a layout of a compiled kernel "
    "(kernel.ttgir:#mma), or a name of the gallery ('laneway list'). - reads a source from "
    "standard input. 'laneway help sources' has all forms.\n\n"
    "An access has three layouts of one tensor: stores go from registers A to shared S, loads from "
    "S to registers B. One number of a layout is a hardware index: (register, lane, warp, block) "
    "in registers, (offset, block) in shared memory; those of an element are its owners.";

static const char status[] =
    "0: success. 1: the answer is no: no hardware index holds the element, two layouts differ, "
    "documents are stale, there are more bank conflicts than --fail-on-conflict allows. 2: the "
    "request is wrong: the message is on standard error. Results are on standard output only. A "
    "closed pipe ends the program quietly, with status 0.";

static const struct {
    const char *name, *meaning;
} environment[] = {
    {"NO_COLOR", "when set and not empty, no colours unless --color always"},
    {"TERM", "the terminal; not set or dumb: layouts are only printed"},
    {"COLORFGBG", "the background, where the terminal does not report it"},
    {"LC_ALL, LC_CTYPE, LANG", "no UTF-8: lines are drawn in ASCII, as with --ascii"},
    {"XDG_CONFIG_HOME", "has laneway/settings, the settings; default: ~/.config"},
    {"XDG_STATE_HOME", "has laneway/, with what is kept of earlier runs; default: ~/.local/state"},
    {"LANEWAY_TRITON",
     "the version of Triton, as --triton, where a source sets none; not in documents (docs)"},
};

void lw_print_man(struct lw_text *text, const struct lw_program *program)
{
    begin(text, "LANEWAY 1", "User Commands",
          "laneway - where every element of a tensor lives on a GPU");
    heading(text, "SH", "synopsis");
    lw_text_add(text, ".B laneway\n[\\fISOURCE\\fR...] [\\fIOPTION\\fR...]\n.br\n"
                      ".B laneway\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n");
    heading(text, "SH", "description");
    paragraphs(text, description);
    heading(text, "SH", "commands");
    for (const struct lw_command *const *row = program->commands; *row; row++)
        command(text, *row);
    heading(text, "SH", "options");
    options(text);
    heading(text, "SH", "examples");
    examples(text, program);
    heading(text, "SH", "exit status");
    paragraphs(text, status);
    heading(text, "SH", "environment");
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        item(text, environment[i].name, environment[i].meaning);
    heading(text, "SH", "see also");
    lw_text_add(text, "\\fBlaneway\\-encodings\\fR(7) has the parameters of all layouts. ");
    plain(text, "'laneway help NAME' prints the topics:\n");
    for (const struct lw_topic *row = program->topics; row->name; row++)
        item(text, row->name, row->title);
}

void lw_print_encodings_man(struct lw_text *text)
{
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    begin(text, "LANEWAY-ENCODINGS 7", "Layouts",
          "laneway-encodings - the layouts that have names, and their parameters");
    heading(text, "SH", "description");
    plain(text, "Names and parameters are those of the system that a layout is of. 'laneway help "
                "NAME' prints the part of one layout; see ");
    lw_text_add(text, "\\fBlaneway\\fR(1).\n");
    heading(text, "SH", "encodings");
    for (size_t i = 0; i < count; i++) {
        heading(text, "SS", types[i]->name);
        plain(text, types[i]->title);
        lw_text_add(text, ".\n.PP\n");
        paragraphs(text, types[i]->about);
        for (size_t k = 0; k < types[i]->param_count; k++) {
            const struct lw_param *param = &types[i]->params[k];
            struct lw_text meaning = {0};
            lw_text_format(&meaning, "%s: ", param->help);
            lw_param_meaning(&meaning, param);
            item(text, param->name, lw_text_string(&meaning));
            lw_text_free(&meaning);
        }
    }
}
