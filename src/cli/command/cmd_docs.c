/* laneway docs: refreshes the output of the program that documents quote. The command of a marker is run in the folder
 * of the document, and its output becomes a block in the form of that kind of document. A file is written when all of
 * its commands have run and its text has changed, whole or not at all; so are the figures that it shows, before it. */

#include "cli/capture.h"
#include "cli/command/commands.h"
#include "cli/docs/markers.h"
#include "cli/requests.h"
#include "export/output.h"
#include "export/replace.h"
#include "kernel/kernel_folder.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PRINTED_MAX ((size_t)16 << 20)

/* All files of the command line. */
struct run {
    const struct lw_arguments *args;
    FILE *out;
    bool check;
    enum lw_status worst;
};

/* A file that a document shows, in memory until it is written. */
struct figure {
    struct lw_text path, contents;
    bool is_stale;
    struct figure *next;
};

struct docs {
    const struct run *run;
    const char *path;
    size_t folder; /* bytes of the path that are the folder of the document */
    struct lw_text fresh;
    size_t blocks, stale;
    struct figure *figures; /* the last one first */
    enum lw_status status;
};

/* ---- The command of a block ---- */

struct quote {
    const struct lw_block *block;
    char *text;      /* the command as in the marker */
    bool is_session; /* the sign $ is before it: its command line is quoted, too */
    struct lw_argv argv;
    struct lw_arguments args;
    const char *file;   /* the file that the document shows, of -o FILE; NULL: none */
    const char *format; /* of the output; "": text */
    struct lw_text printed, messages;
};

static void free_quote(struct quote *q)
{
    lw_arguments_free(&q->args);
    lw_argv_free(&q->argv);
    lw_text_free(&q->printed);
    lw_text_free(&q->messages);
    free(q->text);
}

/* Reads the command of a block; fails unless it can be quoted: it must print, or write a figure to a file that the
 * document shows, in its folder or below. */
static bool read_command(struct quote *q, const struct lw_program *program, struct lw_error *err)
{
    q->text = strndup(q->block->command.at, q->block->command.length);
    if (!q->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    q->is_session = *q->text == '$';
    if (!lw_argv_split(&q->argv, q->text + q->is_session))
        return lw_error_set(err, LW_ERROR_LIMIT, "more than %d arguments", LW_ARGV_MAX);
    if (q->argv.quote)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the quote %c is not closed", q->argv.quote);
    if (!lw_arguments_read(&q->args, program, NULL, q->argv.count, q->argv.argument, err))
        return false;
    const struct lw_command *command = q->args.command;
    const char *file = q->file = LW_OPTION_VALUE(&q->args, OUTPUT);
    q->format = LW_OPTION_IS_SET(&q->args, JSON)     ? "json"
                : LW_OPTION_IS_SET(&q->args, FORMAT) ? LW_OPTION_VALUE(&q->args, FORMAT)
                                                     : "";
    if (!*command->name)
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%.40s' is not a command; expected one such as: show SOURCE",
                            q->args.operand_count ? q->args.operands[0] : "");
    if (command->has_side_effects || LW_OPTION_IS_SET(&q->args, BATCH))
        return lw_error_set(err, LW_ERROR_NAME, "%s%s does more than print: it cannot be quoted",
                            command->name, command->has_side_effects ? "" : " --batch");
    if (command->is_personal && command->is_personal(&q->args))
        return lw_error_set(err, LW_ERROR_NAME,
                            "%s prints your own progress, which others do not have: name a lesson",
                            command->name);
    if (file && (q->is_session || q->block->kind == LW_MARKER_COMMENT ||
                 strcmp(command->name, "show") != 0))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o is for a figure that 'show' writes and the document shows, not in "
                            "a comment or below a command line");
    return !file ||
           (*file && *file != '/' && strncmp(file, "../", 3) != 0 && !strstr(file, "/../") &&
            strcmp(file, "-") != 0) ||
           lw_error_set(err, LW_ERROR_NAME,
                        "-o %.60s: the file must be in the folder of the document, or below", file);
}

/* Makes output for a page or for LaTeX a fragment. Text in LaTeX is in ASCII, as pdflatex has no lines of tables. */
static void set_fragment(struct quote *q)
{
    const char *dot = q->file ? strrchr(q->file, '.') : NULL;
    const uint64_t options = q->args.command->options;
    const bool is_tex = q->block->kind == LW_MARKER_LATEX;
    const bool is_latex = *q->format ? !strcmp(q->format, "latex") : dot && !strcmp(dot, ".tex");
    if (is_tex && (!*q->format || !strcmp(q->format, "text")) &&
        !LW_OPTION_IS_SET(&q->args, STYLE) && lw_options_have(options, LW_OPTION_ASCII))
        q->args.value[LW_OPTION_ASCII] = "";
    if (((!q->file && !strcmp(q->format, "html")) || (is_latex && is_tex)) &&
        lw_options_have(options, LW_OPTION_FRAGMENT))
        q->args.value[LW_OPTION_FRAGMENT] = "";
}

static enum lw_status run_command(void *context, FILE *out)
{
    struct quote *q = context;
    q->args.value[LW_OPTION_COLOR] = "never"; /* a document has no colours of terminals */
    return lw_command_line_run(&q->args, out);
}

/* Runs the command in the folder of the document, so that names of files are relative to it; fails when it fails. */
static bool run_beside(struct quote *q, const char *path, struct lw_error *err)
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

/* ---- The text of a block ---- */

/* Writes lines after the prefix of the block and an indentation; an empty line has no blanks at its end. */
static void put_lines(struct lw_text *out, const struct lw_block *block, const char *indent,
                      const char *text)
{
    size_t length;
    do {
        struct lw_slice prefix = block->prefix;
        length = strcspn(text, "\n");
        const size_t kept = length - (length && text[length - 1] == '\r');
        while (!kept && prefix.length && strchr(" \t", prefix.at[prefix.length - 1]))
            prefix.length--;
        lw_text_bytes(out, prefix.at, prefix.length);
        lw_text_add(out, kept ? indent : "");
        lw_text_bytes(out, text, kept);
        lw_text_add(out, block->newline);
        text += length + (text[length] == '\n');
    } while (*text);
}

/* Writes the output between two lines, below the command line of a session and before its messages; a fence of Markdown
 * is longer than any run of backquotes inside. */
static void put_block(struct lw_text *out, const struct quote *q)
{
    const enum lw_marker_kind kind = q->block->kind;
    const bool is_raw = lw_text_has_word("html svg", q->format) && !q->is_session;
    const char *language = q->is_session                               ? "console"
                           : lw_text_has_word("json latex", q->format) ? q->format
                                                                       : "text";
    struct lw_text open = {0}, close = {0}, inside = {0}, page = {0};
    size_t fence = 3;
    if (q->is_session)
        lw_text_format(&inside, "$ laneway %s\n", q->text + 1 + strspn(q->text + 1, " \t"));
    lw_text_add(&inside, lw_text_string(&q->printed));
    lw_text_add(&inside, q->is_session ? lw_text_string(&q->messages) : "");
    for (const char *c = lw_text_string(&inside); *c; c++)
        fence = strspn(c, "`") >= fence ? strspn(c, "`") + 1 : fence;
    if (kind == LW_MARKER_MARKDOWN) {
        lw_text_repeat(&close, '`', fence);
        lw_text_format(&open, "%s%s", lw_text_string(&close), language);
    } else if (kind == LW_MARKER_REST && is_raw) { /* a page of Sphinx has it unchanged */
        lw_text_add(&open, "\n.. raw:: html\n\n");
    } else if (kind == LW_MARKER_REST) {
        lw_text_format(&open, "\n.. code-block:: %s\n\n", language);
    } else if (kind != LW_MARKER_COMMENT) {
        lw_text_add(&open, kind == LW_MARKER_HTML ? "<pre>" : "\\begin{verbatim}");
        lw_text_add(&close, kind == LW_MARKER_HTML ? "</pre>" : "\\end{verbatim}");
    }
    for (const char *c = lw_text_string(&inside); *c; c++)
        if (kind == LW_MARKER_HTML && strchr("<>&", *c))
            lw_text_add(&page, *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : "&gt;");
        else
            lw_text_char(&page, *c);
    if (kind != LW_MARKER_COMMENT)
        put_lines(out, q->block, "", lw_text_string(&open));
    if (inside.length)
        put_lines(out, q->block, kind == LW_MARKER_REST ? "   " : "", lw_text_string(&page));
    if (kind != LW_MARKER_COMMENT)
        put_lines(out, q->block, "", lw_text_string(&close));
    if (page.failed || open.failed || close.failed)
        lw_text_fail(out);
    lw_text_free(&open);
    lw_text_free(&close);
    lw_text_free(&inside);
    lw_text_free(&page);
}

/* Writes a reference to the file: a picture, whose title is --title or the command, or a link. LaTeX reads a file of
 * its own commands, and a figure there is a paragraph. */
static bool put_reference(struct lw_text *out, const struct quote *q, struct lw_error *err)
{
    const enum lw_marker_kind kind = q->block->kind;
    const char *file = q->file, *dot = strchr(file, '.') ? strrchr(file, '.') : "";
    const char *own = LW_OPTION_VALUE(&q->args, TITLE);
    const bool picture = lw_text_has_word(".svg .png .pdf", dot);
    struct lw_text title = {0}, line = {0};
    if (kind == LW_MARKER_LATEX && !lw_text_has_word(".tex .pdf .png", dot))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: LaTeX cannot include this file: expected .tex, .pdf or .png",
                            file);
    for (own = own && *own ? own : q->text; *own; own++) /* without signs of markup */
        lw_text_char(&title, strchr("\\[]`*_<>&$\"\n", *own) ? ' ' : *own);
    const char *alt = lw_text_string(&title);
    if (kind == LW_MARKER_LATEX)
        lw_text_format(&line, "\\%s{%s}\n\\par", picture ? "includegraphics" : "input", file);
    else if (kind == LW_MARKER_MARKDOWN)
        lw_text_format(&line, "\n%s[%s](%s)\n\n", picture ? "!" : "", picture ? alt : file, file);
    else if (kind == LW_MARKER_REST)
        lw_text_format(&line, picture ? "\n.. image:: %s\n   :alt: %s\n\n" : "\n`%s <%s>`__\n\n",
                       file, picture ? alt : file);
    else
        lw_text_format(
            &line, picture ? "\n<img src=\"%s\" alt=\"%s\"/>\n\n" : "\n<a href=\"%s\">%s</a>\n\n",
            file, picture ? alt : file);
    put_lines(out, q->block, "", lw_text_string(&line));
    if (title.failed || line.failed)
        lw_text_fail(out);
    lw_text_free(&title);
    lw_text_free(&line);
    return true;
}

/* Writes what is between the two markers of the block; formats that are markup of the document are unchanged. */
static bool put_quote(struct lw_text *out, const struct quote *q, struct lw_error *err)
{
    static const char *const markup[LW_MARKER_KINDS] = {"markdown html svg", "html svg", "rst",
                                                        "latex", ""};
    const struct lw_block *block = q->block;
    const size_t from = out->length;
    const bool apart = block->kind != LW_MARKER_LATEX;
    if (q->file)
        return put_reference(out, q, err);
    if (q->is_session || !lw_text_has_word(markup[block->kind], q->format)) {
        put_block(out, q);
    } else {
        if (apart)
            put_lines(out, block, "", "");
        if (q->printed.length)
            put_lines(out, block, "", lw_text_string(&q->printed));
        put_lines(out, block, "", apart ? "" : "\\par");
    }
    return !(block->kind == LW_MARKER_COMMENT &&
             memchr(block->prefix.at, '*', block->prefix.length) && out->length > from &&
             strstr(lw_text_string(out) + from, "*/")) ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "the output contains */, which would end the comment");
}

/* ---- Figures ---- */

static bool read_file(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_reading reading = {.err = err};
    FILE *file = lw_open_file(&reading, path);
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good;
}

static bool same_text(const struct lw_text *a, const struct lw_text *b)
{
    return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

/* Keeps the output of a command for the file that it names, when the file has other text; each is written by one
 * block, and none has markers of its own. */
static bool keep_figure(struct docs *docs, const struct quote *q, bool *is_stale,
                        struct lw_error *err)
{
    struct figure *figure = calloc(1, sizeof *figure);
    struct lw_text old = {0};
    struct stat info;
    if (!figure)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    figure->next = docs->figures;
    docs->figures = figure;
    lw_text_bytes(&figure->path, docs->path, docs->folder);
    lw_text_add(&figure->path, q->file);
    lw_text_bytes(&figure->contents, lw_text_string(&q->printed), q->printed.length);
    if (figure->path.failed || figure->contents.failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (const struct figure *other = figure->next; other; other = other->next)
        if (same_text(&other->path, &figure->path))
            return lw_error_set(err, LW_ERROR_NAME, "-o %.60s: a block before it writes this file",
                                q->file);
    const char *path = lw_text_string(&figure->path);
    const enum lw_file_there there = lw_file_info(path, &info);
    bool good =
        there != LW_FILE_UNKNOWN || lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    good = good && (there == LW_FILE_ABSENT || read_file(path, &old, err));
    if (good && strstr(lw_text_string(&old), "/laneway"))
        good = lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: this file is a document, which has markers", q->file);
    figure->is_stale = *is_stale = there == LW_FILE_ABSENT || !same_text(&old, &figure->contents);
    lw_text_free(&old);
    return good;
}

/* Replaces a file by a text; `below`: no link below the folder of the document is followed. */
static bool replace(const struct docs *docs, const char *path, bool below,
                    const struct lw_text *text, struct lw_error *err)
{
    struct lw_replacement file;
    struct lw_text folder = {0};
    lw_text_bytes(&folder, docs->folder ? path : "./", docs->folder ? docs->folder : 2);
    bool good =
        folder.failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory")
        : below ? lw_replace_open_below(&file, lw_text_string(&folder), path + docs->folder, err)
                : lw_replace_open(&file, path, err);
    lw_text_free(&folder);
    if (!good)
        return false;
    lw_output_raw(file.stream, text);
    return lw_replace_close(&file, true, err);
}

/* Writes the figures that are stale, in the order of the document. */
static bool write_figures(const struct docs *docs, const struct figure *figure,
                          struct lw_error *err)
{
    return !figure || (write_figures(docs, figure->next, err) &&
                       (!figure->is_stale || replace(docs, lw_text_string(&figure->path), true,
                                                     &figure->contents, err)));
}

/* ---- One file ---- */

static void report_problem_at(struct docs *docs, size_t line, const struct lw_error *err)
{
    lw_messages_follow_output();
    lw_output_print(lw_messages(), "laneway: ");
    lw_output_name(lw_messages(), docs->path);
    lw_output_print(lw_messages(), ":%zu: %s\n", line,
                    lw_memory_failed() ? "out of memory" : err->message);
    docs->status = LW_STATUS_ERROR;
}

/* Appends a fresh block; with --check reports "a.md:3: stale: show start/4x4 -o x.svg". */
static void refresh_block(struct docs *docs, const struct lw_block *block)
{
    struct quote q = {.block = block};
    struct lw_error err = {0};
    const size_t from = docs->fresh.length;
    const struct lw_slice between = block->between;
    bool is_stale = false;
    bool good = read_command(&q, docs->run->args->program, &err);
    if (good)
        set_fragment(&q);
    good = good && run_beside(&q, docs->path, &err) && put_quote(&docs->fresh, &q, &err) &&
           (!q.file || keep_figure(docs, &q, &is_stale, &err));
    is_stale = is_stale || docs->fresh.failed || docs->fresh.length - from != between.length ||
               (between.length &&
                memcmp(lw_text_string(&docs->fresh) + from, between.at, between.length) != 0);
    docs->blocks++;
    docs->stale += is_stale;
    if (!good) {
        report_problem_at(docs, block->line, &err);
    } else if (is_stale && docs->run->check) {
        lw_output_name(docs->run->out, docs->path);
        lw_output_print(docs->run->out, ":%zu: stale: %s\n", block->line, q.text);
    }
    free_quote(&q);
}

/* Makes the text with fresh blocks, and writes it when something is stale. */
static void refresh(struct docs *docs, const struct lw_text *text)
{
    struct lw_markers markers;
    struct lw_block block;
    struct lw_error err;
    size_t line = 0;
    const char *copied = lw_text_string(text), *end = copied + text->length;
    lw_markers_start(&markers, docs->path, copied, text->length);
    while (lw_markers_next(&markers, &block, &line, &err)) {
        lw_text_bytes(&docs->fresh, copied, (size_t)(block.between.at - copied));
        refresh_block(docs, &block);
        copied = block.between.at + block.between.length;
    }
    if (err.code != LW_OK)
        report_problem_at(docs, line, &err);
    lw_text_bytes(&docs->fresh, copied, (size_t)(end - copied));
    if (docs->fresh.failed || lw_memory_failed()) {
        lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
        docs->status = lw_report_failure(docs->path, &err);
    }
    if (docs->status == LW_STATUS_ERROR || !docs->stale)
        return;
    if (docs->run->check)
        docs->status = LW_STATUS_NO;
    else if (!write_figures(docs, docs->figures, &err) ||
             (!same_text(&docs->fresh, text) &&
              !replace(docs, docs->path, false, &docs->fresh, &err)))
        docs->status = lw_report_failure(NULL, &err);
}

/* Refreshes a document, and reports "a.md: 2 of 3 refreshed", "a.md: 3 in sync", "a.md: no marker". */
static void run_file(struct run *run, const char *path)
{
    const char *slash = strrchr(path, '/');
    struct docs docs = {.run = run, .path = path, .folder = slash ? (size_t)(slash - path) + 1 : 0};
    struct lw_text text = {0};
    struct lw_error err = {0};
    const char *dot = strrchr(path, '.');
    bool good = true;
    if (dot && lw_text_has_word(".ipynb .adoc .asciidoc .org .typ", dot))
        good = lw_error_set(&err, LW_ERROR_UNSUPPORTED,
                            "%s: this kind of documents was removed: use a file in it that "
                            "'laneway show SOURCE -o FILE' writes",
                            path);
    else if (lw_is_folder(path))
        good =
            lw_error_set(&err, LW_ERROR_IO, "%s: this is a folder: name the documents in it", path);
    good = good && read_file(path, &text, &err);
    if (good && memchr(lw_text_string(&text), '\0', text.length))
        good = lw_error_set(&err, LW_ERROR_SYNTAX, "%s: this is not a text file", path);
    if (!good)
        docs.status = lw_report_failure(NULL, &err);
    else
        refresh(&docs, &text);
    if (docs.status != LW_STATUS_ERROR && !(run->check && docs.stale)) {
        lw_output_name(run->out, path);
        if (docs.stale)
            lw_output_print(run->out, ": %zu of %zu refreshed\n", docs.stale, docs.blocks);
        else if (docs.blocks)
            lw_output_print(run->out, ": %zu in sync\n", docs.blocks);
        else
            lw_output_print(run->out, ": no marker\n");
    }
    lw_text_free(&text);
    lw_text_free(&docs.fresh);
    for (struct figure *figure = docs.figures, *next; figure; figure = next) {
        next = figure->next;
        lw_text_free(&figure->path);
        lw_text_free(&figure->contents);
        free(figure);
    }
    run->worst = docs.status > run->worst ? docs.status : run->worst;
}

/* ---- The command ---- */

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct run run = {.args = args, .out = out, .check = LW_OPTION_IS_SET(args, CHECK)};
    unsetenv("LANEWAY_TRITON"); /* the same for every user: commands in documents have --triton */
    for (size_t i = 0; i < args->operand_count; i++)
        run_file(&run, args->operands[i]);
    return run.worst;
}

const struct lw_command lw_command_docs = {
    .name = "docs",
    .operands = "FILE...",
    .help = "refresh what documents quote from laneway",
    .about =
        "Runs the commands that documents quote and replaces what they printed. A marker is a line "
        "of its own in a comment of the document; it names a command, and the output is between it "
        "and a line /laneway:\n\n"
        "  <!-- laneway: show 'local(2, 2)' -->   in Markdown (.md, .qmd), html\n"
        "  <!-- /laneway -->\n"
        "  .. laneway: show 'local(2, 2)'         in reStructuredText (.rst, .txt)\n"
        "  % laneway: show 'local(2, 2)'          in LaTeX (.tex)\n"
        "  // laneway: show 'local(2, 2)'         in comments of other files\n\n"
        "In a comment each line of the block begins as the marker does, and markers of Markdown "
        "and reStructuredText are read too. The output is a fenced block in Markdown, <pre> in "
        "html, a code-block in reStructuredText, and verbatim in LaTeX, in ASCII; a --format that "
        "is markup of the document is put in as it is (latex needs \\usepackage{tikz}).\n\n"
        "The command must be one that only prints, written as after 'laneway' in a shell, without "
        "variables or pipes; names of files are relative to the document, and LANEWAY_TRITON is "
        "ignored. The sign $ before it quotes the command line too. With -o FILE the output of "
        "show is kept in that file, in the folder of the document or below, and the document "
        "refers to it:\n\n"
        "  <!-- laneway: $ apply 'spatial(4, 8)' --at 2,3 -->\n"
        "  <!-- laneway: show start/4x4 -o figures/xor.svg -->\n\n"
        "A file is replaced when something in it is stale, whole or not at all; it keeps its mode "
        "and its line endings. When a command or a marker is wrong nothing is written for that "
        "document, and the message names the line. --check writes nothing, names each stale block "
        "by file, line and command, and exits with status 1 when there is one. The repository of "
        "laneway has hooks of pre-commit, laneway-docs (which checks) and laneway-docs-write.",
    .options = LW_OPTION_BIT(CHECK),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .words = &lw_choices_files,
    .has_side_effects = true,
    .examples = {{"docs guide.rst", "and commit what has changed"}},
    .run = run,
};
