/*
 * What a document quotes: the command of a marker is read and run in the folder of the document,
 * and its output becomes a block in the form of that kind of document.
 */

#include "cli/docs/quote.h"

#include "cli/load.h"
#include "cli/requests.h"
#include "export/output.h"
#include "tui/tui.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRINTED_MAX ((size_t)16 << 20)

void lw_quote_free(struct lw_quote *q)
{
    lw_arguments_free(&q->args);
    lw_argv_free(&q->argv);
    lw_text_free(&q->title);
    lw_text_free(&q->printed);
    lw_text_free(&q->error_text);
    free(q->text);
}

/* ---- Reading a command ---- */

/* The first argument without quotes that a shell does not pass on, such as a pipe; NULL: there is none. */
static const char *shell_sign(const struct lw_argv *argv)
{
    static const char *const signs[] = {"|", ">", ">>", "<", ";", "&", "&&", "||", "2>&1"};
    for (int i = 1; i < argv->count; i++)
        for (size_t k = 0; k < sizeof signs / sizeof *signs && argv->bare >> i & 1; k++)
            if (strcmp(argv->argument[i], signs[k]) == 0)
                return signs[k];
    return NULL;
}

static bool read_command(struct lw_quote *q, const struct lw_program *program, const char *command,
                         struct lw_error *err)
{
    if (!lw_argv_split(&q->argv, command))
        return lw_error_set(err, LW_ERROR_LIMIT, "more than %d arguments", LW_ARGV_MAX);
    if (q->argv.quote)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the quote %c is not closed", q->argv.quote);
    const char *sign = shell_sign(&q->argv);
    if (sign)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "'%s': the command of a marker is not run by a shell: pipes and "
                            "redirections are not supported",
                            sign);
    return lw_arguments_read(&q->args, program, q->argv.count, q->argv.argument, err);
}

/* Fails unless a command can be quoted: it must print, or write a figure to a file that the document shows, in its
 * folder or below. */
static bool check_command(struct lw_quote *q, struct lw_error *err)
{
    const struct lw_command *command = q->args.command;
    const char *file = q->file = LW_OPTION_VALUE(&q->args, OUTPUT);
    if (!*command->name)
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%.40s' is not a command; expected one such as: show SOURCE",
                            q->args.operand_count ? q->args.operands[0] : "");
    if (command->has_side_effects)
        return lw_error_set(err, LW_ERROR_NAME, "%s does more than print: it cannot be quoted",
                            command->name);
    if (LW_OPTION_IS_SET(&q->args, BATCH))
        return lw_error_set(err, LW_ERROR_NAME, "--batch cannot be used in a document");
    if (file && (q->sign != LW_QUOTE_OUTPUT || strcmp(command->name, "show") != 0))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o is for a figure that 'show' writes and the document shows");
    if (file && (!*file || *file == '/' || !strncmp(file, "../", 3) || strstr(file, "/../") ||
                 !strcmp(file, "-")))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: the file must be in the folder of the document, or below",
                            file);
    return true;
}

/* Makes output for a page or for LaTeX a fragment. Text in LaTeX is in ASCII, as pdflatex has no lines of tables. */
static void set_fragment(struct lw_quote *q, enum lw_marker_kind kind)
{
    const char *format = LW_OPTION_VALUE(&q->args, FORMAT);
    const char *dot = q->file ? strrchr(q->file, '.') : NULL;
    const uint64_t options = q->args.command->options;
    bool is_text = !format || !strcmp(format, "text");
    bool is_latex = format ? !strcmp(format, "latex") : dot && !strcmp(dot, ".tex");
    bool is_page = !q->file && format && !strcmp(format, "html");
    if (kind == LW_MARKER_LATEX && is_text && !LW_OPTION_IS_SET(&q->args, STYLE) &&
        lw_options_have(options, LW_OPTION_ASCII))
        q->args.value[LW_OPTION_ASCII] = "";
    if ((is_page || (is_latex && kind == LW_MARKER_LATEX)) &&
        lw_options_have(options, LW_OPTION_FRAGMENT))
        q->args.value[LW_OPTION_FRAGMENT] = "";
}

/* ---- Running it ---- */

/* Sets the title of a figure: its own, else those of its documents, or their SOURCEs. */
static void read_title(struct lw_quote *q)
{
    const char *own = LW_OPTION_VALUE(&q->args, TITLE);
    struct lw_load_options options = {0};
    struct lw_error err;
    lw_text_add(&q->title, own ? own : "");
    if (q->title.length || !lw_load_options(&options, &q->args, &err))
        return;
    for (size_t i = 0; i < q->args.operand_count; i++) {
        struct lw_document doc;
        bool good = lw_load_document(&doc, q->args.operands[i], &options, &err);
        lw_text_add(&q->title, i ? ", " : "");
        lw_text_add(&q->title, good && *doc.title ? doc.title : q->args.operands[i]);
        if (good)
            lw_document_free(&doc);
    }
}

static enum lw_status run_command(void *context, FILE *out)
{
    struct lw_quote *q = context;
    const struct lw_command *command = q->args.command;
    q->args.value[LW_OPTION_COLOR] = "never"; /* a document has no colours of terminals */
    if (command->is_personal && command->is_personal(&q->args)) {
        lw_output_print(lw_messages(),
                        "laneway: %s prints your own progress, which others do not have: name a "
                        "lesson\n",
                        command->name);
        return LW_STATUS_ERROR;
    }
    enum lw_status status = lw_command_line_run(&q->args, out);
    if (status == LW_STATUS_OK && q->file)
        read_title(q);
    return status;
}

/* Whether a message is about a failed system call, such as a disk that cannot be read: no document quotes it. */
static bool is_of_system(const char *message)
{
    static const int reasons[] = {EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(message, strerror(reasons[i])))
            return true;
    return false;
}

/* Checks that the command has failed if it should, and only then. */
static bool check_outcome(const struct lw_quote *q, enum lw_status status, struct lw_error *err)
{
    if (lw_memory_failed() || q->printed.failed || q->error_text.failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (q->printed.length > PRINTED_MAX || q->error_text.length > PRINTED_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "it prints over %zu bytes", PRINTED_MAX);
    bool refused = status == LW_STATUS_ERROR;
    const char *error_text = lw_text_string(&q->error_text);
    error_text += strncmp(error_text, "laneway: ", 9) ? 0 : 9;
    if (refused && (q->sign != LW_QUOTE_REFUSAL || is_of_system(error_text)))
        return lw_error_set(err, LW_ERROR_SYNTAX, "%.*s", (int)strcspn(error_text, "\n"),
                            error_text);
    return refused || q->sign != LW_QUOTE_REFUSAL ||
           lw_error_set(err, LW_ERROR_SYNTAX, "the command does not fail: write $ instead of !");
}

/* Runs the command in the folder of the document, so that names of files are relative to it. */
static bool run_beside(struct lw_quote *q, const char *path, struct lw_error *err)
{
    char *copy = strdup(path);
    int home = open(".", O_RDONLY | O_CLOEXEC);
    bool there = copy && home >= 0 && chdir(dirname(copy)) == 0;
    enum lw_status status = LW_STATUS_ERROR;
    *err = (struct lw_error){0};
    if (there) {
        q->printed.limit = q->error_text.limit = PRINTED_MAX + 1;
        status = lw_capture(run_command, q, &q->printed, &q->error_text, err);
        there = fchdir(home) == 0;
    }
    if (!there)
        lw_error_set(err, LW_ERROR_IO, "%s", strerror(errno));
    if (home >= 0)
        close(home);
    free(copy);
    return err->code == LW_OK && check_outcome(q, status, err);
}

bool lw_quote_run(struct lw_quote *q, const struct lw_program *program,
                  const struct lw_block *block, const char *path, struct lw_error *err)
{
    q->text = strndup(block->command.at, block->command.length);
    if (!q->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    const bool has_sign = *q->text && strchr("$!=>", *q->text);
    q->sign = has_sign ? (enum lw_quote_sign) * q->text : LW_QUOTE_OUTPUT;
    q->line = q->text + has_sign;
    q->line += strspn(q->line, " \t");
    for (const char *at = q->line, *end; at; at = end ? end + 2 : NULL) {
        struct lw_text command = {0};
        end = q->sign == LW_QUOTE_PROMPT ? strstr(at, "&&") : NULL;
        lw_text_bytes(&command, at, end ? (size_t)(end - at) : strlen(at));
        lw_arguments_free(&q->args);
        lw_argv_free(&q->argv);
        bool good = (q->outputs < LW_OUTPUTS_MAX ||
                     lw_error_set(err, LW_ERROR_LIMIT, "more than %d commands", LW_OUTPUTS_MAX)) &&
                    read_command(q, program, lw_text_string(&command), err) &&
                    check_command(q, err);
        lw_text_free(&command);
        if (!good)
            return false;
        set_fragment(q, block->kind);
        if (!run_beside(q, path, err))
            return false;
        q->output_end[q->outputs++] = q->printed.length;
    }
    return true;
}

/* ---- Lines of a block ---- */

struct writer {
    struct lw_text *out;
    struct lw_slice prefix; /* of each line */
    const char *newline, *indent;
};

/* Writes a line with the prefix; an empty line has no blanks at its end. */
static void put_line(const struct writer *w, const char *line, size_t length)
{
    struct lw_slice prefix = w->prefix;
    while (!length && prefix.length && strchr(" \t", prefix.at[prefix.length - 1]))
        prefix.length--;
    lw_text_bytes(w->out, prefix.at, prefix.length);
    lw_text_add(w->out, length ? w->indent : "");
    lw_text_bytes(w->out, line, length);
    lw_text_add(w->out, w->newline);
}

static void put_lines(const struct writer *w, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        put_line(w, text, length - (length && text[length - 1] == '\r'));
    }
}

static void put_empty_line(const struct writer *w)
{
    put_line(w, "", 0);
}

static bool is_session(const struct lw_quote *q)
{
    return q->sign == LW_QUOTE_SESSION || q->sign == LW_QUOTE_REFUSAL;
}

/* Writes the output, with `printed` for it, below the command line of a session. */
static void put_quoted(const struct writer *w, const struct lw_quote *q, const char *printed)
{
    struct lw_text line = {0};
    if (is_session(q)) {
        lw_text_format(&line, "$ laneway %s", q->line);
        put_lines(w, lw_text_string(&line));
    }
    put_lines(w, printed);
    if (is_session(q))
        put_lines(w, lw_text_string(&q->error_text));
    lw_text_free(&line);
}

/* ---- Text in the signs of a document ---- */

/* Appends text in html. */
static void put_escaped(struct lw_text *text, const char *printed)
{
    for (const char *c = printed; *c; c++)
        if (*c == '&' || *c == '<' || *c == '>')
            lw_text_add(text, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "&gt;");
        else
            lw_text_char(text, *c);
}

/* ---- Kinds of documents ---- */

/* How a document writes a block of text, and which formats are its own markup. */
static const struct document {
    enum lw_marker_kind kind;
    const char *markup[4];      /* formats whose output is inserted unchanged; the last is NULL */
    const char *before, *after; /* lines around a block, with % for the language; NULL: fences */
    const char *indent;         /* of the block, which then has empty lines around it */
    const char *image[2]; /* text around the name of a file that is shown, with @ for its title */
    const char *link;     /* to a file that is not a picture, with % for its name; NULL: refused */
} documents[] = {
    {LW_MARKER_MARKDOWN,
     {"markdown", "html", "svg", NULL},
     NULL,
     NULL,
     "",
     {"![@](", ")"},
     "[%](%)"},
    {LW_MARKER_REST,
     {"rst", NULL},
     ".. code-block:: %",
     NULL,
     "   ",
     {".. image:: ", "\n   :alt: @"},
     "`% <%>`__"},
    {LW_MARKER_HTML,
     {"html", "svg", NULL},
     "<pre>",
     "</pre>",
     "",
     {"<img alt=\"@\" src=\"", "\"/>"},
     "<a href=\"%\">%</a>"},
    {LW_MARKER_LATEX,
     {"latex", NULL},
     "\\begin{verbatim}",
     "\\end{verbatim}",
     "",
     {"\\includegraphics{", "}"},
     NULL},
};

static const char *format_of(const struct lw_quote *q)
{
    return LW_OPTION_IS_SET(&q->args, JSON) ? "json" : LW_OPTION_VALUE(&q->args, FORMAT);
}

static bool is_markup(const struct document *document, const struct lw_quote *q)
{
    const char *format = format_of(q);
    for (size_t i = 0; format && !is_session(q) && document->markup[i]; i++)
        if (!strcmp(format, document->markup[i]))
            return true;
    return false;
}

/* The language, for syntax highlighting. Pygments, which reads reStructuredText, has no csv. */
static const char *language(enum lw_marker_kind kind, const struct lw_quote *q)
{
    static const char *const known[] = {"json", "latex", "csv"};
    const char *format = format_of(q);
    size_t count = sizeof known / sizeof *known - (kind == LW_MARKER_REST);
    if (is_session(q))
        return "console";
    for (size_t i = 0; format && i < count; i++)
        if (!strcmp(format, known[i]))
            return known[i];
    return "text";
}

/* The length of a fence: longer than any run of backquotes inside. */
static size_t fence_length(const struct lw_quote *q)
{
    const char *const within[] = {q->text, lw_text_string(&q->printed),
                                  lw_text_string(&q->error_text)};
    size_t max = 2;
    for (size_t i = 0; i < 3; i++)
        for (const char *c = within[i]; *c; c += *c != '\0') {
            size_t run = strspn(c, "`");
            max = run > max ? run : max;
            c += run;
        }
    return max + 1;
}

static void put_fenced(const struct writer *w, const struct lw_quote *q)
{
    struct lw_text fence = {0};
    lw_text_repeat(&fence, '`', fence_length(q));
    size_t length = fence.length;
    lw_text_add(&fence, language(LW_MARKER_MARKDOWN, q));
    put_lines(w, lw_text_string(&fence));
    put_quoted(w, q, lw_text_string(&q->printed));
    put_line(w, lw_text_string(&fence), length);
    lw_text_free(&fence);
}

/* Whether the output is html, which a page of Sphinx includes unchanged, though its source is reStructuredText. */
static bool is_page(const struct document *document, const struct lw_quote *q)
{
    const char *format = format_of(q);
    return document->kind == LW_MARKER_REST && format && !is_session(q) &&
           (!strcmp(format, "html") || !strcmp(format, "svg"));
}

/* Writes the first lines of a block, with its language for the sign %. */
static void put_opening(const struct writer *w, const struct document *document,
                        const struct lw_quote *q)
{
    struct lw_text text = {0};
    const char *before = is_page(document, q) ? ".. raw:: html" : document->before;
    for (; *before; before++)
        if (*before == '%')
            lw_text_add(&text, language(document->kind, q));
        else
            lw_text_char(&text, *before);
    put_lines(w, lw_text_string(&text));
    lw_text_free(&text);
}

static void put_block(struct writer *w, const struct document *document, const struct lw_quote *q)
{
    struct lw_text text = {0};
    if (document->kind == LW_MARKER_HTML)
        put_escaped(&text, lw_text_string(&q->printed));
    else
        lw_text_bytes(&text, lw_text_string(&q->printed), q->printed.length);
    if (*document->indent)
        put_empty_line(w);
    put_opening(w, document, q);
    if (*document->indent)
        put_empty_line(w);
    w->indent = document->indent;
    put_quoted(w, q, lw_text_string(&text));
    w->indent = "";
    put_lines(w, document->after ? document->after : "");
    if (*document->indent)
        put_empty_line(w);
    if (text.failed)
        lw_text_fail(w->out);
    lw_text_free(&text);
}

/* ---- Files that a document shows ---- */

static bool ends_in(const char *file, const char *const *endings)
{
    const char *dot = strrchr(file, '.');
    while (dot && *endings && strcmp(dot, *endings) != 0)
        endings++;
    return dot && *endings;
}

/* Writes a part of a reference with the title for @, on one line, with signs that the document uses escaped. */
static void put_part(struct lw_text *line, enum lw_marker_kind kind, const char *part,
                     const char *title)
{
    const char *signs = kind == LW_MARKER_MARKDOWN ? "\\[]`*_<>&$" : "";
    for (; *part; part++) {
        if (*part != '@')
            lw_text_char(line, *part);
        for (const char *c = *part == '@' ? title : ""; *c; c++)
            if (kind == LW_MARKER_HTML && strchr("<>&\"", *c))
                lw_text_format(line, "&#%d;", *c);
            else
                lw_text_format(line, "%s%c", strchr(signs, *c) ? "\\" : "", *c == '\n' ? ' ' : *c);
    }
}

/* Writes a reference to the file. LaTeX reads a file of its own commands, and a figure there is a paragraph. */
static bool put_reference(const struct writer *w, const struct document *document, const char *file,
                          const char *title, struct lw_error *err)
{
    static const char *const pictures[] = {".svg", ".png", ".pdf", NULL}, *const of_latex[] = {
                                                                              ".tex", ".pdf",
                                                                              ".png", NULL};
    const bool latex = document->kind == LW_MARKER_LATEX;
    const bool input = latex && ends_in(file, (const char *const[]){".tex", NULL});
    struct lw_text line = {0};
    if (latex && !ends_in(file, of_latex))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: LaTeX cannot include this file: expected .tex, .pdf or .png",
                            file);
    if (input || ends_in(file, pictures)) {
        put_part(&line, document->kind, input ? "\\input{" : document->image[0], title);
        lw_text_add(&line, file);
        put_part(&line, document->kind, document->image[1], title);
    } else {
        for (const char *c = document->link; *c; c++)
            lw_text_format(&line, "%.*s", *c == '%' ? (int)strlen(file) : 1, *c == '%' ? file : c);
    }
    if (!latex)
        put_empty_line(w);
    put_lines(w, lw_text_string(&line));
    put_line(w, "\\par", latex ? 4 : 0);
    lw_text_free(&line);
    return true;
}

/* Writes output in a comment; fails when it would end a comment of C. */
static bool put_comment(const struct writer *w, const struct lw_quote *q, struct lw_error *err)
{
    size_t from = w->out->length;
    if (q->file)
        return lw_error_set(err, LW_ERROR_SYNTAX, "a comment cannot show a file: leave out -o");
    put_quoted(w, q, lw_text_string(&q->printed));
    const char *put = w->out->length > from ? lw_text_string(w->out) + from : "";
    bool ends = memchr(w->prefix.at, '*', w->prefix.length) && strstr(put, "*/");
    return !ends || lw_error_set(err, LW_ERROR_SYNTAX,
                                 "the output contains */, which would end the comment");
}

/* ---- Prompts ---- */

/* A statement of Python: a line that begins with >>>, and those after it that begin with ... */
struct prompt {
    struct lw_slice lines, indent;
};

/* The next statement between the markers, from *at on; false: there is none. */
static bool next_prompt(struct lw_slice between, size_t *at, struct prompt *prompt)
{
    bool found = false;
    for (size_t length; *at < between.length; *at += length) {
        const char *line = between.at + *at, *end = memchr(line, '\n', between.length - *at);
        length = end ? (size_t)(end - line) + 1 : between.length - *at;
        size_t blanks = 0;
        while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
            blanks++;
        bool begins = length - blanks >= 3 && !memcmp(line + blanks, ">>>", 3);
        bool goes_on = length - blanks >= 3 && !memcmp(line + blanks, "...", 3);
        if (found && !goes_on)
            return true;
        if (!found && !begins)
            continue;
        if (!found)
            *prompt = (struct prompt){{line, 0}, {line, blanks}};
        prompt->lines.length += length;
        found = true;
    }
    return found;
}

/* Writes the prompts that are there, the last ones with their outputs below them, indented as they are; an empty line
 * ends the last output. */
static bool put_below_prompts(struct writer *w, struct lw_slice between, const struct lw_quote *q,
                              struct lw_error *err)
{
    struct prompt prompt;
    size_t count = 0, at = 0;
    while (next_prompt(between, &at, &prompt))
        count++;
    if (!count)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "there is no line that begins with >>> between the markers");
    if (count < q->outputs)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%zu commands for %zu lines that begin with >>>",
                            q->outputs, count);
    const size_t first = count - q->outputs;
    at = 0;
    for (size_t i = 0; i < count && next_prompt(between, &at, &prompt); i++) {
        if (i < first)
            continue;
        const char *from = i == first ? between.at : prompt.lines.at;
        const size_t begins = i > first ? q->output_end[i - first - 1] : 0;
        struct lw_text output = {0};
        lw_text_bytes(w->out, from, (size_t)(prompt.lines.at + prompt.lines.length - from));
        lw_text_bytes(&output, lw_text_string(&q->printed) + begins,
                      q->output_end[i - first] - begins);
        w->prefix = prompt.indent;
        put_lines(w, lw_text_string(&output));
        lw_text_free(&output);
    }
    put_empty_line(w);
    return true;
}

bool lw_quote_put(struct lw_text *out, const struct lw_block *block, const struct lw_quote *q,
                  struct lw_error *err)
{
    struct writer w = {out, block->prefix, block->newline, ""};
    const struct document *document = documents;
    const char *printed = lw_text_string(&q->printed);
    if (q->sign == LW_QUOTE_PROMPT)
        return put_below_prompts(&w, block->between, q, err);
    if (block->kind == LW_MARKER_COMMENT)
        return put_comment(&w, q, err);
    while (document->kind != block->kind)
        document++;
    if (q->file)
        return put_reference(&w, document, q->file, lw_text_string(&q->title), err);
    const bool raw = q->sign == LW_QUOTE_RAW;
    if (!raw && !is_markup(document, q)) {
        if (document->before)
            put_block(&w, document, q);
        else
            put_fenced(&w, q);
        return true;
    }
    /* In reStructuredText a text right after a marker would be a part of its comment. */
    const bool apart = raw ? document->kind == LW_MARKER_REST : document->kind != LW_MARKER_LATEX;
    if (apart)
        put_empty_line(&w);
    put_quoted(&w, q, printed);
    if (apart)
        put_empty_line(&w);
    else if (!raw)
        put_lines(&w, "\\par");
    return true;
}
