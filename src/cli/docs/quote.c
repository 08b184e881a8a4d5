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

/* ---- Blocks ---- */

static const char *format_of(const struct lw_quote *q)
{
    return LW_OPTION_IS_SET(&q->args, JSON) ? "json" : LW_OPTION_VALUE(&q->args, FORMAT);
}

/* Whether a word is one of those in a list with blanks between them. */
static bool is_among(const char *words, const char *word)
{
    const size_t length = word ? strlen(word) : 0;
    for (const char *at = length ? strstr(words, word) : NULL; at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Whether the format is markup of the document, which is inserted unchanged. */
static bool is_markup(enum lw_marker_kind kind, const struct lw_quote *q)
{
    const char *formats = kind == LW_MARKER_MARKDOWN ? "markdown html svg"
                          : kind == LW_MARKER_REST   ? "rst"
                          : kind == LW_MARKER_HTML   ? "html svg"
                                                     : "latex";
    return !is_session(q) && is_among(formats, format_of(q));
}

/* The language, for syntax highlighting. Pygments, which reads reStructuredText, has no csv. */
static const char *language(enum lw_marker_kind kind, const struct lw_quote *q)
{
    const char *format = format_of(q);
    if (is_session(q))
        return "console";
    return is_among(kind == LW_MARKER_REST ? "json latex" : "json latex csv", format) ? format
                                                                                      : "text";
}

/* Writes a fenced block; the fence is longer than any run of backquotes inside. */
static void put_fenced(const struct writer *w, const struct lw_quote *q)
{
    const char *const within[] = {q->text, lw_text_string(&q->printed),
                                  lw_text_string(&q->error_text)};
    struct lw_text fence = {0};
    size_t longest = 2;
    for (size_t i = 0; i < 3; i++)
        for (const char *c = within[i]; *c; c += *c != '\0') {
            const size_t run = strspn(c, "`");
            longest = run > longest ? run : longest;
            c += run;
        }
    lw_text_repeat(&fence, '`', longest + 1);
    lw_text_add(&fence, language(LW_MARKER_MARKDOWN, q));
    put_lines(w, lw_text_string(&fence));
    put_quoted(w, q, lw_text_string(&q->printed));
    put_line(w, lw_text_string(&fence), longest + 1);
    lw_text_free(&fence);
}

static void put_page(const struct writer *w, const struct lw_quote *q)
{
    struct lw_text text = {0};
    for (const char *c = lw_text_string(&q->printed); *c; c++)
        if (*c == '&' || *c == '<' || *c == '>')
            lw_text_add(&text, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "&gt;");
        else
            lw_text_char(&text, *c);
    put_lines(w, "<pre>");
    put_quoted(w, q, lw_text_string(&text));
    put_lines(w, "</pre>");
    if (text.failed)
        lw_text_fail(w->out);
    lw_text_free(&text);
}

/* Writes a block of reStructuredText; a page of Sphinx includes html unchanged. */
static void put_directive(struct writer *w, const struct lw_quote *q)
{
    struct lw_text line = {0};
    if (!is_session(q) && is_among("html svg", format_of(q)))
        lw_text_add(&line, ".. raw:: html");
    else
        lw_text_format(&line, ".. code-block:: %s", language(LW_MARKER_REST, q));
    put_empty_line(w);
    put_lines(w, lw_text_string(&line));
    put_empty_line(w);
    w->indent = "   ";
    put_quoted(w, q, lw_text_string(&q->printed));
    w->indent = "";
    put_empty_line(w);
    lw_text_free(&line);
}

/* ---- Files that a document shows ---- */

/* Appends the title of a file on one line, with signs that the document uses escaped. */
static void put_title(struct lw_text *text, enum lw_marker_kind kind, const char *title)
{
    for (; *title; title++)
        if (kind == LW_MARKER_HTML && strchr("<>&\"", *title))
            lw_text_format(text, "&#%d;", *title);
        else
            lw_text_format(text, "%s%c",
                           kind == LW_MARKER_MARKDOWN && strchr("\\[]`*_<>&$", *title) ? "\\" : "",
                           *title == '\n' ? ' ' : *title);
}

/* Writes a reference to the file: a picture, or a link. LaTeX reads a file of its own commands, and a figure there is a
 * paragraph. */
static bool put_reference(const struct writer *w, enum lw_marker_kind kind,
                          const struct lw_quote *q, struct lw_error *err)
{
    const char *file = q->file, *dot = strrchr(file, '.');
    const bool latex = kind == LW_MARKER_LATEX, picture = is_among(".svg .png .pdf", dot);
    struct lw_text title = {0}, line = {0};
    if (latex && !is_among(".tex .pdf .png", dot))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: LaTeX cannot include this file: expected .tex, .pdf or .png",
                            file);
    put_title(&title, kind, lw_text_string(&q->title));
    const char *alt = lw_text_string(&title);
    if (latex)
        lw_text_format(&line, "\\%s{%s}", picture ? "includegraphics" : "input", file);
    else if (kind == LW_MARKER_MARKDOWN && picture)
        lw_text_format(&line, "![%s](%s)", alt, file);
    else if (kind == LW_MARKER_REST && picture)
        lw_text_format(&line, ".. image:: %s\n   :alt: %s", file, alt);
    else if (picture)
        lw_text_format(&line, "<img alt=\"%s\" src=\"%s\"/>", alt, file);
    else
        lw_text_format(&line,
                       kind == LW_MARKER_MARKDOWN ? "[%s](%s)"
                       : kind == LW_MARKER_REST   ? "`%s <%s>`__"
                                                  : "<a href=\"%s\">%s</a>",
                       file, file);
    if (!latex)
        put_empty_line(w);
    put_lines(w, lw_text_string(&line));
    put_line(w, "\\par", latex ? 4 : 0);
    lw_text_free(&title);
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
    const enum lw_marker_kind kind = block->kind;
    const bool raw = q->sign == LW_QUOTE_RAW;
    if (q->sign == LW_QUOTE_PROMPT)
        return put_below_prompts(&w, block->between, q, err);
    if (kind == LW_MARKER_COMMENT)
        return put_comment(&w, q, err);
    if (q->file)
        return put_reference(&w, kind, q, err);
    if (raw || is_markup(kind, q)) {
        /* In reStructuredText a text right after a marker would be a part of its comment. */
        const bool apart = raw ? kind == LW_MARKER_REST : kind != LW_MARKER_LATEX;
        if (apart)
            put_empty_line(&w);
        put_quoted(&w, q, lw_text_string(&q->printed));
        if (apart)
            put_empty_line(&w);
        else if (!raw)
            put_lines(&w, "\\par");
    } else if (kind == LW_MARKER_MARKDOWN) {
        put_fenced(&w, q);
    } else if (kind == LW_MARKER_HTML) {
        put_page(&w, q);
    } else if (kind == LW_MARKER_REST) {
        put_directive(&w, q);
    } else {
        put_lines(&w, "\\begin{verbatim}");
        put_quoted(&w, q, lw_text_string(&q->printed));
        put_lines(&w, "\\end{verbatim}");
    }
    return true;
}
