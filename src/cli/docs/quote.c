/*
 * What a document quotes: the command of a marker is read and run in the folder of the document,
 * and its output becomes a block in the form of that kind of document.
 */

#include "cli/docs/quote.h"

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
    lw_text_free(&q->printed);
    lw_text_free(&q->messages);
    free(q->text);
}

/* ---- Reading a command ---- */

/* Reads the command without its sign. */
static bool read_command(struct lw_quote *q, const struct lw_program *program, struct lw_error *err)
{
    if (*q->text && strchr("!=>", *q->text))
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "the sign %c was removed: the output of a command that succeeds is "
                            "quoted in a block, with $ below its command line",
                            *q->text);
    q->is_session = *q->text == '$';
    if (!lw_argv_split(&q->argv, q->text + q->is_session))
        return lw_error_set(err, LW_ERROR_LIMIT, "more than %d arguments", LW_ARGV_MAX);
    if (q->argv.quote)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the quote %c is not closed", q->argv.quote);
    for (int i = 1; i < q->argv.count; i++)
        if (q->argv.bare >> i & 1 && strpbrk(q->argv.argument[i], "|<>;&") &&
            strspn(q->argv.argument[i], "|<>;&12") == strlen(q->argv.argument[i]))
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "'%s': the command of a marker is not run by a shell: pipes and "
                                "redirections are not supported",
                                q->argv.argument[i]);
    return lw_arguments_read(&q->args, program, NULL, q->argv.count, q->argv.argument, err);
}

/* Fails unless a command can be quoted: it must print, or write a figure to a file that the document shows, in its
 * folder or below. */
static bool check_command(struct lw_quote *q, enum lw_marker_kind kind, struct lw_error *err)
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
    if (command->is_personal && command->is_personal(&q->args))
        return lw_error_set(err, LW_ERROR_NAME,
                            "%s prints your own progress, which others do not have: name a lesson",
                            command->name);
    if (file && (q->is_session || kind == LW_MARKER_COMMENT || strcmp(command->name, "show") != 0))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o is for a figure that 'show' writes and the document shows, not in "
                            "a comment or below a command line");
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
    bool is_latex = format ? !strcmp(format, "latex") : dot && !strcmp(dot, ".tex");
    bool is_page = !q->file && format && !strcmp(format, "html");
    if (kind == LW_MARKER_LATEX && (!format || !strcmp(format, "text")) &&
        !LW_OPTION_IS_SET(&q->args, STYLE) && lw_options_have(options, LW_OPTION_ASCII))
        q->args.value[LW_OPTION_ASCII] = "";
    if ((is_page || (is_latex && kind == LW_MARKER_LATEX)) &&
        lw_options_have(options, LW_OPTION_FRAGMENT))
        q->args.value[LW_OPTION_FRAGMENT] = "";
}

/* ---- Running it ---- */

static enum lw_status run_command(void *context, FILE *out)
{
    struct lw_quote *q = context;
    q->args.value[LW_OPTION_COLOR] = "never"; /* a document has no colours of terminals */
    return lw_command_line_run(&q->args, out);
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
        q->printed.limit = q->messages.limit = PRINTED_MAX + 1;
        status = lw_capture(run_command, q, &q->printed, &q->messages, err);
        there = fchdir(home) == 0;
    }
    if (!there)
        lw_error_set(err, LW_ERROR_IO, "%s", strerror(errno));
    if (home >= 0)
        close(home);
    free(copy);
    if (err->code != LW_OK)
        return false;
    if (lw_memory_failed() || q->printed.failed || q->messages.failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (q->printed.length > PRINTED_MAX || q->messages.length > PRINTED_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "it prints over %zu bytes", PRINTED_MAX);
    const char *message = lw_text_string(&q->messages);
    message += strncmp(message, "laneway: ", 9) ? 0 : 9;
    return status != LW_STATUS_ERROR ||
           lw_error_set(err, LW_ERROR_SYNTAX, "%.*s", (int)strcspn(message, "\n"), message);
}

bool lw_quote_run(struct lw_quote *q, const struct lw_program *program,
                  const struct lw_block *block, const char *path, struct lw_error *err)
{
    q->text = strndup(block->command.at, block->command.length);
    if (!q->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!read_command(q, program, err) || !check_command(q, block->kind, err))
        return false;
    set_fragment(q, block->kind);
    return run_beside(q, path, err);
}

/* ---- Lines of a block ---- */

struct writer {
    struct lw_text *out;
    const struct lw_block *block;
    const char *indent;
};

/* Writes the lines of a text with the prefix of the block; an empty line has no blanks at its end. */
static void put_lines(const struct writer *w, const char *text)
{
    size_t length;
    do {
        struct lw_slice prefix = w->block->prefix;
        length = strcspn(text, "\n");
        const size_t kept = length - (length && text[length - 1] == '\r');
        while (!kept && prefix.length && strchr(" \t", prefix.at[prefix.length - 1]))
            prefix.length--;
        lw_text_bytes(w->out, prefix.at, prefix.length);
        lw_text_add(w->out, kept ? w->indent : "");
        lw_text_bytes(w->out, text, kept);
        lw_text_add(w->out, w->block->newline);
        text += length + (text[length] == '\n');
    } while (*text);
}

/* Writes the output, with `printed` for it, below the command line of a session. */
static void put_quoted(const struct writer *w, const struct lw_quote *q, const char *printed)
{
    struct lw_text line = {0};
    if (q->is_session) {
        lw_text_format(&line, "$ laneway %s", q->text + 1 + strspn(q->text + 1, " \t"));
        put_lines(w, lw_text_string(&line));
    }
    if (*printed)
        put_lines(w, printed);
    if (q->is_session && q->messages.length)
        put_lines(w, lw_text_string(&q->messages));
    lw_text_free(&line);
}

/* ---- Blocks ---- */

/* Writes the output between two lines; a fence of Markdown is longer than any run of backquotes inside. Pages have
 * entities for the signs of markup. */
static void put_block(struct writer *w, const struct lw_quote *q, const char *format)
{
    const enum lw_marker_kind kind = w->block->kind;
    const char *language = q->is_session                            ? "console"
                           : lw_text_has_word("json latex", format) ? format
                                                                    : "text";
    const char *const within[] = {q->text, lw_text_string(&q->messages),
                                  lw_text_string(&q->printed)};
    struct lw_text open = {0}, close = {0}, printed = {0};
    size_t fence = 3;
    for (size_t i = 0; i < 3; i++)
        for (const char *c = within[i]; *c; c++)
            fence = strspn(c, "`") >= fence ? strspn(c, "`") + 1 : fence;
    for (const char *c = within[2]; *c; c++)
        if (kind == LW_MARKER_HTML && strchr("&<>", *c))
            lw_text_add(&printed, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "&gt;");
        else
            lw_text_char(&printed, *c);
    if (kind == LW_MARKER_MARKDOWN) {
        lw_text_repeat(&close, '`', fence);
        lw_text_format(&open, "%s%s", lw_text_string(&close), language);
    } else if (kind == LW_MARKER_REST) {
        if (lw_text_has_word("html svg", format) &&
            !q->is_session) /* a page of Sphinx has it unchanged */
            lw_text_add(&open, "\n.. raw:: html\n\n");
        else
            lw_text_format(&open, "\n.. code-block:: %s\n\n", language);
    } else if (kind != LW_MARKER_COMMENT) {
        lw_text_add(&open, kind == LW_MARKER_HTML ? "<pre>" : "\\begin{verbatim}");
        lw_text_add(&close, kind == LW_MARKER_HTML ? "</pre>" : "\\end{verbatim}");
    }
    if (kind != LW_MARKER_COMMENT)
        put_lines(w, lw_text_string(&open));
    w->indent = kind == LW_MARKER_REST ? "   " : "";
    put_quoted(w, q, lw_text_string(&printed));
    w->indent = "";
    if (kind != LW_MARKER_COMMENT)
        put_lines(w, lw_text_string(&close));
    if (printed.failed || open.failed || close.failed)
        lw_text_fail(w->out);
    lw_text_free(&open);
    lw_text_free(&close);
    lw_text_free(&printed);
}

/* Writes a reference to the file: a picture, whose title is --title or the command, or a link. LaTeX reads a file of
 * its own commands, and a figure there is a paragraph. */
static bool put_reference(const struct writer *w, const struct lw_quote *q, struct lw_error *err)
{
    const enum lw_marker_kind kind = w->block->kind;
    const char *file = q->file, *dot = strchr(file, '.') ? strrchr(file, '.') : "",
               *own = LW_OPTION_VALUE(&q->args, TITLE);
    const bool picture = lw_text_has_word(".svg .png .pdf", dot);
    struct lw_text title = {0}, line = {0};
    if (kind == LW_MARKER_LATEX && !lw_text_has_word(".tex .pdf .png", dot))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: LaTeX cannot include this file: expected .tex, .pdf or .png",
                            file);
    for (const char *c = own && *own ? own : q->text; *c; c++)
        if (kind == LW_MARKER_HTML && strchr("<>&\"", *c))
            lw_text_format(&title, "&#%d;", *c);
        else
            lw_text_format(&title, "%s%c",
                           kind == LW_MARKER_MARKDOWN && strchr("\\[]`*_<>&$", *c) ? "\\" : "",
                           *c == '\n' ? ' ' : *c);
    const char *alt = lw_text_string(&title);
    if (kind == LW_MARKER_LATEX)
        lw_text_format(&line, "\\%s{%s}\n\\par", picture ? "includegraphics" : "input", file);
    else if (kind == LW_MARKER_MARKDOWN && picture)
        lw_text_format(&line, "\n![%s](%s)\n\n", alt, file);
    else if (kind == LW_MARKER_REST && picture)
        lw_text_format(&line, "\n.. image:: %s\n   :alt: %s\n\n", file, alt);
    else if (picture)
        lw_text_format(&line, "\n<img alt=\"%s\" src=\"%s\"/>\n\n", alt, file);
    else
        lw_text_format(&line,
                       kind == LW_MARKER_MARKDOWN ? "\n[%s](%s)\n\n"
                       : kind == LW_MARKER_REST   ? "\n`%s <%s>`__\n\n"
                                                  : "\n<a href=\"%s\">%s</a>\n\n",
                       file, file);
    put_lines(w, lw_text_string(&line));
    if (title.failed || line.failed)
        lw_text_fail(w->out);
    lw_text_free(&title);
    lw_text_free(&line);
    return true;
}

/* The formats that are markup of a kind of document, which has them unchanged. */
static const char *markup_of(enum lw_marker_kind kind)
{
    return kind == LW_MARKER_MARKDOWN ? "markdown html svg"
           : kind == LW_MARKER_REST   ? "rst"
           : kind == LW_MARKER_HTML   ? "html svg"
           : kind == LW_MARKER_LATEX  ? "latex"
                                      : "";
}

bool lw_quote_put(struct lw_text *out, const struct lw_block *block, const struct lw_quote *q,
                  struct lw_error *err)
{
    struct writer w = {out, block, ""};
    const char *format = LW_OPTION_IS_SET(&q->args, JSON)     ? "json"
                         : LW_OPTION_IS_SET(&q->args, FORMAT) ? LW_OPTION_VALUE(&q->args, FORMAT)
                                                              : "";
    const struct lw_slice prefix = block->prefix;
    const size_t from = out->length;
    if (q->file)
        return put_reference(&w, q, err);
    if (q->is_session || !lw_text_has_word(markup_of(block->kind), format)) {
        put_block(&w, q, format);
    } else {
        const bool apart = block->kind != LW_MARKER_LATEX;
        if (apart)
            put_lines(&w, "");
        put_quoted(&w, q, lw_text_string(&q->printed));
        put_lines(&w, apart ? "" : "\\par");
    }
    const char *put = out->length > from ? lw_text_string(out) + from : "";
    return !(block->kind == LW_MARKER_COMMENT && memchr(prefix.at, '*', prefix.length) &&
             strstr(put, "*/")) ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "the output contains */, which would end the comment");
}
