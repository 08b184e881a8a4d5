/* The manual pages, in the man macros of roff: what `help` prints, as it is printed. */

#include "cli/report/help.h"
#include "core/text_mark.h"
#include "core/text_rows.h"

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

/* A section, or with request "SS" a part of one: its heading and its lines, from the left margin. Empties `lines`. */
static void section(struct lw_text *text, const char *request, const char *title,
                    struct lw_text *lines)
{
    lw_text_format(text, ".%s \"", request);
    plain(text, title);
    lw_text_add(text, "\"\n.nf\n.in 0\n");
    plain(text, lw_text_string(lines));
    lw_text_add(text, ".fi\n");
    lw_text_clear(lines);
}

static void begin(struct lw_text *text, const char *page, const char *section, const char *title)
{
    lw_text_format(text, ".TH %s \"\" \"laneway %s\" \"%s\"\n.SH NAME\n", page, LW_VERSION,
                   section);
    plain(text, title);
    lw_text_char(text, '\n');
}

static const char description[] =
    "laneway shows which register of which lane of which warp holds each element of a tensor on a "
    "GPU, and in which bank of shared memory an element is. Without a command it opens the "
    "explorer on a terminal, and prints a view elsewhere; 'laneway learn' has a course.\n\n"
    "A SOURCE names a layout: a type or an attribute of MLIR, a layout of CuTe ((4,8):(8,1)) or an "
    "expression of its algebra, an expression of tilus (local(2, 1).spatial(8, 4)), a layout of "
    "Gluon, CUDA C++, a document in JSON, the file of one of these, a layout of a compiled kernel "
    "(kernel.ttgir:#mma), a name of the gallery, or - for standard input ('laneway help "
    "sources').\n\n"
    "An access has three layouts of one tensor: stores go from registers A to shared S, loads from "
    "S to registers B. One number of a layout is a hardware index: (register, lane, warp, block) "
    "in registers, (offset, block) in shared memory; those of an element are its owners.";

static const char status[] =
    "0: success. 1: the answer is no: no hardware index holds the element, two layouts differ, "
    "documents are stale, there are more bank conflicts than --fail-on-conflict allows. 2: the "
    "request is wrong: the message is on standard error. A closed pipe ends the program quietly, "
    "with status 0.";

static const struct {
    const char *name, *meaning;
} environment[] = {
    {"NO_COLOR", "when set and not empty, no colours unless --color always"},
    {"TERM", "the terminal; not set or dumb: layouts are only printed"},
    {"COLORFGBG", "the background, where the terminal does not report it"},
    {"LC_ALL, LC_CTYPE, LANG", "no UTF-8: lines are drawn in ASCII, as with --ascii"},
    {"XDG_CONFIG_HOME", "has laneway/settings.json, the settings; default: ~/.config"},
    {"XDG_STATE_HOME", "has laneway/, with what is kept of earlier runs; default: ~/.local/state"},
    {"LANEWAY_TRITON", "the version of Triton, as --triton, where a source sets none"},
};

/* The paragraphs of each command, with the names of its options. */
static void put_commands(struct lw_text *text, const struct lw_program *program)
{
    struct lw_text title = {0}, lines = {0}, names = {0};
    section(text, "SH", "COMMANDS", &lines);
    for (const struct lw_command *const *row = program->commands; *row; row++) {
        lw_text_clear(&title);
        lw_text_clear(&names);
        lw_text_format(&title, "laneway%s%s%s%s", *(*row)->name ? " " : "", (*row)->name,
                       *(*row)->operands ? " " : "", (*row)->operands);
        lw_text_paragraphs(&lines, (*row)->about);
        for (size_t id = 0; id < LW_OPTION_COUNT; id++)
            if (lw_options_have((*row)->options, id))
                lw_text_format(&names, "%s--%s", names.length ? ", " : "\n", lw_options()[id].name);
        lw_text_paragraphs(&lines, lw_text_string(&names));
        section(text, "SS", lw_text_string(&title), &lines);
    }
    lw_text_free(&title);
    lw_text_free(&lines);
    lw_text_free(&names);
}

void lw_print_man(struct lw_text *text, const struct lw_program *program)
{
    struct lw_text lines = {0};
    begin(text, "LANEWAY 1", "User Commands",
          "laneway - where every element of a tensor lives on a GPU");
    lw_text_add(&lines, "laneway [SOURCE...] [OPTION...]\n"
                        "laneway COMMAND [ARGUMENT...] [OPTION...]\n");
    section(text, "SH", "SYNOPSIS", &lines);
    lw_text_paragraphs(&lines, description);
    section(text, "SH", "DESCRIPTION", &lines);
    put_commands(text, program);
    for (size_t id = 0; id < LW_OPTION_COUNT; id++)
        lw_help_option(&lines, &lw_options()[id]);
    section(text, "SH", "OPTIONS", &lines);
    for (const struct lw_command *const *row = program->commands; *row; row++)
        if (*(*row)->examples[0].what)
            lw_help_example(&lines, &(*row)->examples[0]);
    section(text, "SH", "EXAMPLES", &lines);
    lw_text_paragraphs(&lines, status);
    section(text, "SH", "EXIT STATUS", &lines);
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        lw_text_row(&lines, environment[i].name, 16, environment[i].meaning);
    section(text, "SH", "ENVIRONMENT", &lines);
    lw_text_add(&lines, "laneway-encodings(7) has the parameters of all layouts, 'laneway help "
                        "NAME' the\ntopics:\n");
    for (const struct lw_topic *row = program->topics; row->name; row++)
        lw_text_row(&lines, row->name, 16, row->title);
    section(text, "SH", "SEE ALSO", &lines);
    lw_text_free(&lines);
}

void lw_print_encodings_man(struct lw_text *text)
{
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    struct lw_text lines = {0};
    begin(text, "LANEWAY-ENCODINGS 7", "Layouts",
          "laneway-encodings - the layouts that have names, and their parameters");
    lw_text_add(&lines, "Names and parameters are those of the system that a layout is of; see "
                        "laneway(1).\n");
    section(text, "SH", "DESCRIPTION", &lines);
    for (size_t i = 0; i < count; i++) {
        lw_encoding_help(&lines, types[i]);
        section(text, "SH", types[i]->name, &lines);
    }
    lw_text_free(&lines);
}
