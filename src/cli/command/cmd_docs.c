/* laneway docs: refreshes what documents quote from the program. A file is written when all of its commands
 * have run and something differs, whole or not at all. */

#include "cli/command/commands.h"
#include "cli/command/docs_block.h"
#include "cli/command/docs_walk.h"
#include "export/output.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRINTED_MAX ((size_t)16 << 20)

/* ---- One command ---- */

static void quoted_free(struct lw_quoted *q)
{
    lw_arguments_free(&q->args);
    lw_argv_free(&q->argv);
    lw_text_free(&q->printed);
    lw_text_free(&q->error_text);
    free(q->text);
}

static bool read_command(struct lw_quoted *q, const struct lw_program *program,
                         struct lw_slice command, struct lw_error *err)
{
    q->text = strndup(command.at, command.length);
    if (!q->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (*q->text && strchr("$!=>", *q->text))
        q->quote = (enum lw_quote) * q->text;
    q->line = q->text + (q->quote != LW_QUOTE_OUTPUT);
    q->line += strspn(q->line, " \t");
    if (!lw_argv_split(&q->argv, q->line))
        return lw_error_set(err, LW_ERROR_LIMIT, "more than %d arguments", LW_ARGV_MAX);
    if (q->argv.quote)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the quote %c is not closed", q->argv.quote);
    return lw_arguments_read(&q->args, program, q->argv.count, q->argv.argument, err);
}

/* The file that a document shows is in the folder of the document, or below. */
static bool check_file(const char *path, struct lw_error *err)
{
    bool up = !strncmp(path, "../", 3) || strstr(path, "/../");
    return (*path && *path != '/' && !up && strcmp(path, "-") != 0) ||
           lw_error_set(err, LW_ERROR_NAME,
                        "-o %.60s: the file must be in the folder of the document, or below", path);
}

/* Only commands that print can be quoted: here, or a figure to a file that is shown here. */
static bool check_command(struct lw_quoted *q, struct lw_error *err)
{
    const struct lw_command *command = q->args.command;
    if (!*command->name)
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%.40s' is not a command; expected one such as: show SOURCE",
                            q->args.operand_count ? q->args.operands[0] : "");
    if (command->has_side_effects)
        return lw_error_set(err, LW_ERROR_NAME, "%s does more than print: it cannot be quoted",
                            command->name);
    if (LW_OPTION_IS_SET(&q->args, BATCH))
        return lw_error_set(err, LW_ERROR_NAME, "--batch cannot be used in a document");
    q->file = LW_OPTION_VALUE(&q->args, OUTPUT);
    if (q->file && (q->quote != LW_QUOTE_OUTPUT || strcmp(command->name, "show") != 0))
        return lw_error_set(err, LW_ERROR_NAME,
                            "-o is for a figure of show that the document shows");
    return !q->file || check_file(q->file, err);
}

/* What is put into a page or a document of LaTeX is a part of it. */
static void set_fragment(struct lw_quoted *q, enum lw_marker_kind kind)
{
    const char *format = LW_OPTION_VALUE(&q->args, FORMAT);
    bool part = format &&
                (!strcmp(format, "html") || (!strcmp(format, "latex") && kind == LW_MARKER_LATEX));
    if (part && !q->file && lw_options_have(q->args.command->options, LW_OPTION_FRAGMENT))
        q->args.value[LW_OPTION_FRAGMENT] = "";
}

static enum lw_status run_command(void *context, FILE *out)
{
    struct lw_quoted *q = context;
    q->args.value[LW_OPTION_COLOR] = "never"; /* a document shows text alone */
    return q->args.command->run(&q->args, out);
}

/* Whether a message is of a call of the system that failed, as of a disk that cannot be read: it is never what a document
 * quotes. */
static bool is_of_system(const char *message)
{
    static const int reasons[] = {EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(message, strerror(reasons[i])))
            return true;
    return false;
}

/* Names of files are relative to the document. */
static bool run_beside(struct lw_quoted *q, const char *path, struct lw_error *err)
{
    char *copy = strdup(path);
    int home = open(".", O_RDONLY | O_CLOEXEC);
    bool there = copy && home >= 0 && chdir(dirname(copy)) == 0;
    enum lw_status status = LW_STATUS_ERROR;
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
    if (!there || err->code != LW_OK)
        return false;
    if (lw_memory_failed() || q->printed.failed || q->error_text.failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (q->printed.length > PRINTED_MAX || q->error_text.length > PRINTED_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "it prints over %zu bytes", PRINTED_MAX);
    bool refused = status == LW_STATUS_ERROR;
    const char *error_text = lw_text_string(&q->error_text);
    error_text += strncmp(error_text, "laneway: ", 9) ? 0 : 9;
    if (refused && (q->quote != LW_QUOTE_REFUSAL || is_of_system(error_text)))
        return lw_error_set(err, LW_ERROR_SYNTAX, "%.*s", (int)strcspn(error_text, "\n"),
                            error_text);
    if (!refused && q->quote == LW_QUOTE_REFUSAL)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "the command does not fail: write $ instead of !");
    return true;
}

/* ---- One file ---- */

struct docs {
    const struct lw_program *program;
    const char *path;
    bool check, quiet; /* quiet: nothing is printed of a file without markers */
    FILE *out;
    struct lw_text fresh;
    size_t blocks, stale;
    size_t lines_added, lines_removed; /* by the blocks so far */
    enum lw_status status;
};

static void report_at(struct docs *docs, size_t line, const char *kind, const char *message)
{
    fflush(stdout);
    lw_output_print(lw_messages(), "laneway: ");
    lw_output_name(lw_messages(), docs->path);
    lw_output_print(lw_messages(), ":%zu: %s%s\n", line, kind, message);
}

static void report_problem_at(struct docs *docs, size_t line, const struct lw_error *err)
{
    report_at(docs, line, "", lw_memory_failed() ? "out of memory" : err->message);
    docs->status = LW_STATUS_ERROR;
}

static size_t count_lines(struct lw_slice text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text.length; i++)
        lines += text.at[i] == '\n';
    return lines;
}

/* The lines that two texts begin with, both. */
static size_t common_beginning(struct lw_slice a, struct lw_slice b)
{
    size_t length = 0;
    for (size_t i = 0; i < a.length && i < b.length && a.at[i] == b.at[i]; i++)
        if (a.at[i] == '\n')
            length = i + 1;
    return length;
}

static void put_diff_lines(FILE *out, const char *sign, struct lw_slice text)
{
    for (size_t at = 0, length; at < text.length; at += length + 1) {
        const char *end = memchr(text.at + at, '\n', text.length - at);
        length = end ? (size_t)(end - text.at) - at : text.length - at;
        size_t shown = length && text.at[at + length - 1] == '\r' ? length - 1 : length;
        lw_output_print(out, "%s%.*s\n", sign, (int)shown, text.at + at);
    }
}

/* What a block would become, as a hunk of diff -U0. */
static void put_diff(struct docs *docs, const struct lw_embedded *pair, struct lw_slice fresh)
{
    struct lw_slice old = pair->between;
    size_t same = common_beginning(old, fresh);
    struct lw_slice beginning = {old.at, same};
    size_t line = pair->line + 1 + count_lines(beginning);
    old = (struct lw_slice){old.at + same, old.length - same};
    fresh = (struct lw_slice){fresh.at + same, fresh.length - same};
    size_t removed = count_lines(old), added = count_lines(fresh);
    size_t now = line + docs->lines_added - docs->lines_removed;
    lw_output_print(docs->out, "@@ -%zu,%zu +%zu,%zu @@\n", removed ? line : line - 1, removed,
                    added ? now : now - 1, added);
    put_diff_lines(docs->out, "-", old);
    put_diff_lines(docs->out, "+", fresh);
    docs->lines_added += added;
    docs->lines_removed += removed;
}

static void report_stale(struct docs *docs, const struct lw_embedded *pair,
                         const struct lw_quoted *q, struct lw_slice fresh)
{
    bool same = fresh.length == pair->between.length &&
                (!fresh.length || !memcmp(fresh.at, pair->between.at, fresh.length));
    lw_output_name(docs->out, docs->path);
    lw_output_print(docs->out, ":%zu: stale: %s\n", pair->line, q->text);
    if (same) {
        lw_output_name(docs->out, q->file);
        lw_output_print(docs->out, ": another file than its command writes\n");
        return;
    }
    if (!docs->lines_added && !docs->lines_removed) {
        lw_output_print(docs->out, "--- ");
        lw_output_name(docs->out, docs->path);
        lw_output_print(docs->out, "\n+++ ");
        lw_output_name(docs->out, docs->path);
        lw_output_print(docs->out, "\n");
    }
    put_diff(docs, pair, fresh);
}

static bool read_file(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_reading reading = {.err = err};
    FILE *file = lw_open_file(&reading, path);
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good;
}

/* The path of a file that the document shows. */
static void put_path(struct lw_text *path, const struct docs *docs, const char *file)
{
    const char *slash = strrchr(docs->path, '/');
    lw_text_bytes(path, docs->path, slash ? (size_t)(slash - docs->path) + 1 : 0);
    lw_text_add(path, file);
}

static bool write_whole(const char *path, const struct lw_text *text, struct lw_error *err)
{
    struct lw_output output;
    if (!lw_output_open(&output, path, NULL, lw_spare_folder(), err))
        return false;
    lw_output_raw(output.stream, text);
    return lw_output_close(&output, true, err);
}

/* Compares a file that the document shows with what its command prints, and replaces it; *same is whether it was
 * the same. */
static bool keep_file(struct docs *docs, const struct lw_quoted *q, bool *same,
                      struct lw_error *err)
{
    struct lw_text path = {0}, old = {0};
    put_path(&path, docs, q->file);
    bool there = access(lw_text_string(&path), F_OK) == 0;
    bool good = !there || read_file(lw_text_string(&path), &old, err);
    *same = there && good && old.length == q->printed.length &&
            (!old.length || !memcmp(old.data, q->printed.data, old.length));
    if (good && !*same && !docs->check)
        good = write_whole(lw_text_string(&path), &q->printed, err);
    lw_text_free(&path);
    lw_text_free(&old);
    return good;
}

static void refresh(struct docs *docs, const struct lw_embedded *pair)
{
    struct lw_quoted q = {0};
    struct lw_error err = {0};
    size_t from = docs->fresh.length;
    bool file_is_same = true;
    bool good = read_command(&q, docs->program, pair->command, &err) && check_command(&q, &err);
    if (good)
        set_fragment(&q, pair->kind);
    good = good && run_beside(&q, docs->path, &err) &&
           lw_docs_block(&docs->fresh, pair, &q, &err) &&
           (!q.file || keep_file(docs, &q, &file_is_same, &err));
    struct lw_slice fresh = {lw_text_string(&docs->fresh) + (docs->fresh.failed ? 0 : from),
                             docs->fresh.failed ? 0 : docs->fresh.length - from};
    bool same = file_is_same && fresh.length == pair->between.length &&
                (!fresh.length || !memcmp(fresh.at, pair->between.at, fresh.length));
    docs->blocks++;
    docs->stale += !same;
    if (!good)
        report_problem_at(docs, pair->line, &err);
    else if (!same && docs->check)
        report_stale(docs, pair, &q, fresh);
    quoted_free(&q);
}

static void warn(void *context, const struct lw_markers *markers, struct lw_slice line)
{
    struct docs *docs = context;
    const char *why;
    if (lw_marker_is_near(markers, line, &why))
        report_at(docs, markers->line, "warning: ", why);
}

static void refresh_all(struct docs *docs, const struct lw_text *text)
{
    struct lw_markers markers;
    struct lw_embedded pair;
    struct lw_error err;
    size_t line = 0;
    const char *copied = lw_text_string(text);
    lw_markers_start(&markers, docs->path, copied, text->length);
    markers.pass = warn;
    markers.context = docs;
    while (lw_markers_next(&markers, &pair, &line, &err)) {
        lw_text_bytes(&docs->fresh, copied, (size_t)(pair.between.at - copied));
        refresh(docs, &pair);
        copied = pair.between.at + pair.between.length;
    }
    if (err.code != LW_OK)
        report_problem_at(docs, line, &err);
    lw_text_bytes(&docs->fresh, copied, (size_t)(lw_text_string(text) + text->length - copied));
}

/* "a.md: 2 of 3 refreshed", "a.md: 3 in sync", "a.md: no marker" */
static void report_file(struct docs *docs)
{
    if (docs->status == LW_STATUS_ERROR || (docs->check && docs->stale) ||
        (docs->quiet && !docs->blocks))
        return;
    lw_output_name(docs->out, docs->path);
    if (docs->stale)
        lw_output_print(docs->out, ": %zu of %zu refreshed\n", docs->stale, docs->blocks);
    else if (docs->blocks)
        lw_output_print(docs->out, ": %zu in sync\n", docs->blocks);
    else
        lw_output_print(docs->out, ": no marker\n");
}

static void run_text(struct docs *docs, const struct lw_text *text)
{
    struct lw_error err = {0};
    refresh_all(docs, text);
    if (docs->fresh.failed || lw_memory_failed()) {
        lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
        docs->status = lw_report_failure(docs->path, &err);
    }
    if (docs->status != LW_STATUS_OK || !docs->stale)
        return;
    bool same =
        docs->fresh.length == text->length && !memcmp(docs->fresh.data, text->data, text->length);
    if (docs->check)
        docs->status = LW_STATUS_NO;
    else if (!same && !write_whole(docs->path, &docs->fresh, &err))
        docs->status = lw_report_failure(NULL, &err);
}

/* All files of the command line. */
struct run {
    const struct lw_arguments *args;
    FILE *out;
    size_t files, blocks, stale;
    enum lw_status worst;
};

static void run_file(void *context, const char *path, bool walked)
{
    struct run *run = context;
    struct docs docs = {.program = run->args->program,
                        .path = path,
                        .check = LW_OPTION_IS_SET(run->args, CHECK),
                        .quiet = walked,
                        .out = run->out};
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool read = lw_markers_check_path(path, &err) && read_file(path, &text, &err);
    bool binary = read && memchr(lw_text_string(&text), '\0', text.length);
    if (binary && !walked)
        lw_error_set(&err, LW_ERROR_SYNTAX, "%s: this is not a text file", path);
    if (!read || (binary && !walked))
        docs.status = lw_report_failure(NULL, &err);
    else if (!binary)
        run_text(&docs, &text);
    report_file(&docs);
    lw_text_free(&text);
    lw_text_free(&docs.fresh);
    run->files += docs.blocks > 0;
    run->blocks += docs.blocks;
    run->stale += docs.stale;
    run->worst = docs.status > run->worst ? docs.status : run->worst;
}

/* Fewer blocks than --require demands: a marker was lost. */
static void check_required(struct run *run)
{
    const char *text = LW_OPTION_VALUE(run->args, REQUIRE);
    if (!text || run->worst == LW_STATUS_ERROR || run->blocks >= strtoull(text, NULL, 10))
        return;
    lw_output_print(lw_messages(), "laneway: %zu block%s found, and --require %s\n", run->blocks,
                    run->blocks == 1 ? "" : "s", text);
    run->worst = LW_STATUS_NO;
}

static bool check_number(const char *text, struct lw_error *err)
{
    size_t digits = text ? strspn(text, "0123456789") : 1;
    return (digits && digits < 10 && (!text || !text[digits])) ||
           lw_error_set(err, LW_ERROR_SYNTAX, "--require '%.40s': expected a number of blocks",
                        text);
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct run run = {.args = args, .out = out};
    struct lw_error err;
    if (!check_number(LW_OPTION_VALUE(args, REQUIRE), &err))
        return lw_report_failure(NULL, &err);
    for (size_t i = 0; i < args->operand_count; i++)
        if (!LW_OPTION_IS_SET(args, RECURSIVE))
            run_file(&run, args->operands[i], false);
        else if (!lw_docs_walk(args->operands[i], run_file, &run, &err))
            run.worst = lw_report_failure(NULL, &err);
    check_required(&run);
    if ((LW_OPTION_IS_SET(args, RECURSIVE) || args->operand_count > 1) &&
        run.worst != LW_STATUS_ERROR)
        lw_output_print(out, "%zu files with %zu blocks: %zu %s, %zu in sync\n", run.files,
                        run.blocks, run.stale,
                        LW_OPTION_IS_SET(args, CHECK) ? "stale" : "refreshed",
                        run.blocks - run.stale);
    return run.worst;
}

const struct lw_command lw_command_docs = {
    .name = "docs",
    .operands = "FILE...",
    .help = "refresh what documents quote from laneway",
    .about =
        "Runs the commands that documents quote and replaces what they printed. A pair of "
        "markers names a command, and its output is between them. A marker is a comment of "
        "the document, on its own line. In Markdown (.md, .markdown, .qmd) and html:\n\n"
        "  <!-- laneway: show 'local(2, 2)' -->\n"
        "  <!-- /laneway -->\n\n"
        "in reStructuredText (.rst, .txt):\n\n"
        "  .. laneway: show 'local(2, 2)'\n"
        "\n"
        "  .. /laneway\n\n"
        "in AsciiDoc (.adoc), in LaTeX (.tex, with %), and in any other file in a comment of any "
        "kind:\n\n"
        "  // laneway: show 'local(2, 2)'\n"
        "  // /laneway\n\n"
        "In a comment each line between the markers begins with the prefix that they have. A "
        "comment may also have markers of the first two kinds, for tools that make documents from "
        "comments: '/// <!-- laneway: ... -->', '.. laneway: ...' in a docstring.\n\n"
        "In Markdown the output is a fenced block, in html <pre>, in reStructuredText a "
        "code-block, in AsciiDoc a listing, in LaTeX verbatim. A --format that is markup of the "
        "document is put in as it is: markdown, html and svg in Markdown, html and svg in html, "
        "rst, asciidoc, latex; html is then a fragment, and raw html in reStructuredText. Markers "
        "in a fenced block of Markdown are "
        "ignored.\n\n"
        "The command must be one that only prints. It is written as after 'laneway' in a "
        "shell, without variables or pipes; names of files are relative to the document. "
        "A sign before it selects what is quoted: with $ the command line too; with ! the command "
        "must fail, and is quoted with its message; with = the output without a block around it; "
        "with > the output below the last line between the markers that begins with >>> or ..., "
        "indented as that line, so that the output of a prompt stays true:\n\n"
        "  <!-- laneway: $ apply 'spatial(4, 8)' --at 2,3 -->\n"
        "  <!-- laneway: ! show 'spatial(4' -->\n"
        "  .. laneway: > show 'local(3, 4)'\n\n"
        "With -o FILE the output of show is kept in that file, in the folder of the document or "
        "below, and the document refers to it:\n\n"
        "  <!-- laneway: show start/4x4 -o figures/xor.svg -->\n\n"
        "A file is replaced when something in it is stale, whole or not at all; it keeps its mode "
        "and its line endings. When a command or a marker is wrong the file is not changed, the "
        "message names the line, and the other files are still processed; a line that is nearly a "
        "marker is a warning. --check writes nothing, prints what is stale as a diff, and exits "
        "with status 1 when something is; so it does with --require N when fewer than N blocks "
        "are found. -r takes folders, and all files below that can have markers by their "
        "extension; names that begin with a dot are left out. Notebooks (.ipynb) are not "
        "supported: "
        "they are refused, and -r leaves them out.",
    .options = LW_OPTION_BIT(CHECK) | LW_OPTION_BIT(REQUIRE) | LW_OPTION_BIT(RECURSIVE),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .has_side_effects = true,
    .examples = {{"docs guide.rst", "and commit what has changed"},
                 {"docs -r . --require 1",
                  "the documents of a folder; it must have one block at least"}},
    .run = run,
};
