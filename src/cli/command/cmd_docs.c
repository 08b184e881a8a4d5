/* laneway docs: refreshes the output of the program that documents quote. A file is written when all of its commands
 * have run and its text has changed, whole or not at all. */

#include "cli/command/commands.h"
#include "cli/docs/docs_diff.h"
#include "cli/docs/docs_figures.h"
#include "cli/docs/docs_quoted.h"
#include "cli/docs/docs_walk.h"
#include "export/output.h"
#include "export/replace.h"
#include "tui/tui.h"
#include "notation/document/notebook.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- One file ---- */

struct docs {
    const struct lw_program *program;
    const char *path;
    bool check, quiet; /* quiet: nothing is printed of a file without markers */
    FILE *out;
    struct lw_notebook notebook; /* the notebook of `cell`; NULL: the file is no notebook */
    const struct lw_notebook_cell *cell;
    struct lw_text fresh;
    size_t blocks, stale, near; /* near: lines that are nearly markers */
    const char *text;           /* the text of the current blocks */
    struct lw_docs_diff diff;   /* of the blocks of that text so far */
    struct lw_docs_figures figures;
    enum lw_status status;
};

/* The line of the file for a line of the current text. */
static size_t line_in_file(const struct docs *docs, size_t line)
{
    return docs->cell ? lw_notebook_line(&docs->notebook, docs->cell, line) : line;
}

static void report_at(struct docs *docs, size_t line, const char *kind, const char *message)
{
    lw_messages_follow_output();
    lw_output_print(lw_messages(), "laneway: ");
    lw_output_name(lw_messages(), docs->path);
    lw_output_print(lw_messages(), ":%zu: ", line_in_file(docs, line));
    if (docs->cell)
        lw_output_print(lw_messages(), "cell %zu, line %zu: ", docs->cell->number, line);
    lw_output_print(lw_messages(), "%s%s\n", kind, message);
}

static void report_problem_at(struct docs *docs, size_t line, const struct lw_error *err)
{
    report_at(docs, line, "", lw_memory_failed() ? "out of memory" : err->message);
    docs->status = LW_STATUS_ERROR;
}

/* Reports that a block is stale and adds it to the diff; its fresh text is at the end of the new document. */
static void report_stale(struct docs *docs, const struct lw_embedded *pair,
                         const struct lw_quoted *q, enum lw_docs_figure_state file,
                         struct lw_slice fresh)
{
    bool same = lw_slice_equal(fresh, pair->between);
    lw_output_name(docs->out, docs->path);
    lw_output_print(docs->out, ":%zu: stale: %s\n", line_in_file(docs, pair->line), q->text);
    if (file != LW_FIGURE_SAME && (file == LW_FIGURE_MISSING || same)) {
        lw_output_name(docs->out, q->file);
        lw_output_print(docs->out, file == LW_FIGURE_MISSING
                                       ? ": missing\n"
                                       : ": another file than its command writes\n");
    }
    if (!same && !lw_docs_diff_add(&docs->diff, (size_t)(pair->between.at - docs->text),
                                   pair->between, docs->fresh.length - fresh.length, fresh))
        lw_output_fail(docs->out);
}

static void refresh(struct docs *docs, const struct lw_embedded *pair)
{
    struct lw_quoted q = {0};
    struct lw_error err = {0};
    size_t from = docs->fresh.length;
    enum lw_docs_figure_state file = LW_FIGURE_SAME;
    bool good = lw_quoted_run(&q, docs->program, pair, docs->path, &err) &&
                lw_docs_block(&docs->fresh, pair, &q, &err) &&
                (!q.file || lw_docs_figures_keep(&docs->figures, docs->path, &q, &file, &err));
    struct lw_slice fresh = {lw_text_string(&docs->fresh) + (docs->fresh.failed ? 0 : from),
                             docs->fresh.failed ? 0 : docs->fresh.length - from};
    bool same = file == LW_FIGURE_SAME && lw_slice_equal(fresh, pair->between);
    docs->blocks++;
    docs->stale += !same;
    if (!good)
        report_problem_at(docs, pair->line, &err);
    else if (!same && docs->check)
        report_stale(docs, pair, &q, file, fresh);
    lw_quoted_free(&q);
}

static void warn(void *context, const struct lw_markers *markers, struct lw_slice line)
{
    struct docs *docs = context;
    const char *why;
    if (!lw_marker_is_near(markers, line, &why))
        return;
    report_at(docs, markers->line, "warning: ", why);
    docs->near++;
}

static bool is_command(void *context, struct lw_slice word)
{
    const struct docs *docs = context;
    char name[24];
    snprintf(name, sizeof name, "%.*s", (int)word.length, word.at);
    return lw_command_find(docs->program, name) != NULL;
}

/* Appends the text with fresh blocks; the kinds of its markers follow from the extension of the name. */
static void refresh_all(struct docs *docs, const char *name, const struct lw_text *text)
{
    struct lw_markers markers;
    struct lw_embedded pair;
    struct lw_error err;
    size_t line = 0;
    const char *copied = lw_text_string(text);
    lw_markers_start(&markers, name, copied, text->length);
    markers.pass = warn;
    markers.is_command = is_command;
    markers.context = docs;
    docs->text = copied;
    while (lw_markers_next(&markers, &pair, &line, &err)) {
        lw_text_bytes(&docs->fresh, copied, (size_t)(pair.between.at - copied));
        refresh(docs, &pair);
        copied = pair.between.at + pair.between.length;
    }
    if (err.code != LW_OK)
        report_problem_at(docs, line, &err);
    lw_text_bytes(&docs->fresh, copied, (size_t)(lw_text_string(text) + text->length - copied));
    if (!docs->fresh.failed && docs->status != LW_STATUS_ERROR)
        lw_docs_diff_put(&docs->diff, docs->out, docs->path, docs->cell ? docs->cell->number : 0,
                         (struct lw_slice){docs->text, text->length},
                         (struct lw_slice){lw_text_string(&docs->fresh), docs->fresh.length});
    lw_docs_diff_free(&docs->diff);
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

/* Refreshes the cells of a notebook, one after another; a stale text is replaced in the JSON of its cell. */
static bool refresh_cells(struct docs *docs, const struct lw_text *text, struct lw_error *err)
{
    const struct lw_notebook *notebook = &docs->notebook;
    struct lw_text whole = {0};
    const char *copied = lw_text_string(text);
    if (!lw_notebook_read(&docs->notebook, copied, text->length, err))
        return false;
    for (size_t i = 0; i < notebook->count; i++) {
        const struct lw_notebook_cell *cell = docs->cell = &notebook->cell[i];
        size_t stale = docs->stale;
        lw_text_clear(&docs->fresh);
        refresh_all(docs, cell->code ? "cell.py" : "cell.md", &cell->text);
        if (docs->stale == stale)
            continue;
        lw_text_bytes(&whole, copied, (size_t)(cell->source - copied));
        lw_notebook_put(&whole, cell, lw_text_string(&docs->fresh), docs->fresh.length);
        copied = cell->source_end;
    }
    lw_text_bytes(&whole, copied, (size_t)(lw_text_string(text) + text->length - copied));
    docs->cell = NULL;
    lw_text_free(&docs->fresh);
    docs->fresh = whole;
    lw_notebook_free(&docs->notebook);
    return true;
}

static void run_text(struct docs *docs, const struct lw_text *text)
{
    struct lw_error err = {0};
    if (!lw_markers_in_cells(docs->path))
        refresh_all(docs, docs->path, text);
    else if (!refresh_cells(docs, text, &err))
        docs->status = lw_report_failure(docs->path, &err);
    if (docs->fresh.failed || lw_memory_failed()) {
        lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
        docs->status = lw_report_failure(docs->path, &err);
    }
    if (docs->status == LW_STATUS_OK && docs->check && docs->near)
        docs->status = LW_STATUS_NO;
    if (docs->status == LW_STATUS_ERROR || !docs->stale)
        return;
    bool same =
        docs->fresh.length == text->length && !memcmp(docs->fresh.data, text->data, text->length);
    if (docs->check)
        docs->status = LW_STATUS_NO;
    else if (!lw_docs_figures_write(&docs->figures, docs->path, same ? NULL : &docs->fresh, &err))
        docs->status = lw_report_failure(NULL, &err);
}

/* All files of the command line. */
struct run {
    const struct lw_arguments *args;
    struct lw_docs_list list;
    FILE *out;
    size_t files, blocks, stale;
    enum lw_status worst;
};

/* Fails unless a document is a regular file with a name, as it will be replaced. */
static bool check_document(const char *path, struct lw_error *err)
{
    struct stat info;
    if (!*path)
        return lw_error_set(err, LW_ERROR_IO, "'': expected the name of a document");
    if (!strcmp(path, "-"))
        return lw_error_set(
            err, LW_ERROR_IO,
            "-: standard input is not a document: docs replaces a file, which needs "
            "its name");
    enum lw_file_there there = lw_file_info(path, &info);
    if (there == LW_FILE_UNKNOWN)
        return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    if (there == LW_FILE_ABSENT || S_ISREG(info.st_mode))
        return true;
    return lw_error_set(err, LW_ERROR_IO,
                        S_ISDIR(info.st_mode)
                            ? "%s: this is a folder: -r includes the documents in it"
                            : "%s: this is not a regular file: docs replaces a file",
                        path);
}

static void run_file(struct run *run, const char *path, bool walked)
{
    struct docs docs = {.program = run->args->program,
                        .path = path,
                        .check = LW_OPTION_IS_SET(run->args, CHECK),
                        .quiet = walked,
                        .figures = {.documents = &run->list},
                        .out = run->out};
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool read = check_document(path, &err) && lw_docs_read(path, &text, &err);
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
    lw_docs_figures_free(&docs.figures);
    run->files += docs.blocks > 0;
    run->blocks += docs.blocks;
    run->stale += docs.stale;
    run->worst = docs.status > run->worst ? docs.status : run->worst;
}

static void find_file(void *context, const char *path, bool walked)
{
    struct run *run = context;
    struct lw_error err;
    if (!lw_docs_list_add(&run->list, path, walked, &err))
        run->worst = lw_report_failure(NULL, &err);
}

/* Refreshes all documents; the list is complete before the first is refreshed. */
static void run_files(struct run *run)
{
    const struct lw_arguments *args = run->args;
    struct lw_error err;
    for (size_t i = 0; i < args->operand_count; i++)
        if (!LW_OPTION_IS_SET(args, RECURSIVE))
            find_file(run, args->operands[i], false);
        else if (!lw_docs_walk(args->operands[i], find_file, run, &err))
            run->worst = lw_report_failure(NULL, &err);
    for (size_t i = 0; i < run->list.count; i++)
        run_file(run, run->list.document[i].path, run->list.document[i].walked);
    lw_docs_list_free(&run->list);
}

/* Fails when there are fewer blocks than --require has set: a marker was lost. */
static void check_required(struct run *run)
{
    const char *text = LW_OPTION_VALUE(run->args, REQUIRE);
    if (!text || run->worst == LW_STATUS_ERROR || run->blocks >= strtoull(text, NULL, 10))
        return;
    lw_output_print(lw_messages(), "laneway: %zu block%s found, but --require %s\n", run->blocks,
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
    unsetenv("LANEWAY_TRITON"); /* the same for every user: commands in documents have --triton */
    run_files(&run);
    check_required(&run);
    if ((LW_OPTION_IS_SET(args, RECURSIVE) || args->operand_count > 1) &&
        run.worst != LW_STATUS_ERROR)
        lw_output_print(out, "%zu file%s with %zu block%s: %zu %s, %zu in sync\n", run.files,
                        run.files == 1 ? "" : "s", run.blocks, run.blocks == 1 ? "" : "s",
                        run.stale, LW_OPTION_IS_SET(args, CHECK) ? "stale" : "refreshed",
                        run.blocks - run.stale);
    return run.worst;
}

const struct lw_command lw_command_docs = {
    .name = "docs",
    .operands = "FILE...",
    .help = "refresh what documents quote from laneway",
    .about =
        "Runs the commands that documents quote and replaces what they printed. A pair of markers "
        "names a command, and its output is between them. A marker is a comment of the document, "
        "on its own line. In Markdown (.md, .markdown, .qmd) and html:\n\n"
        "  <!-- laneway: show 'local(2, 2)' -->\n"
        "  <!-- /laneway -->\n\n"
        "in reStructuredText (.rst, .txt):\n\n"
        "  .. laneway: show 'local(2, 2)'\n\n"
        "  .. /laneway\n\n"
        "in AsciiDoc (.adoc), Typst (.typ), LaTeX (.tex, with %), Org (.org, with #), and in any "
        "other file in a comment of any kind:\n\n"
        "  // laneway: show 'local(2, 2)'\n"
        "  // /laneway\n\n"
        "In a comment each line between the markers begins with the prefix that they have. A "
        "comment may also have markers of the first two kinds, for tools that make documents from "
        "comments: '/// <!-- laneway: ... -->', '.. laneway: ...' in a docstring.\n\n"
        "In Markdown the output is a fenced block, in html <pre>, in reStructuredText a "
        "code-block, in AsciiDoc a listing, in Org a source block, in Typst raw text, in LaTeX "
        "verbatim and in ASCII. A --format that is markup of the document is put in as it is: "
        "markdown, html and svg in Markdown, html and svg in html, rst, "
        "latex; html is then a fragment, and raw html in reStructuredText; a drawing of latex "
        "needs \\usepackage{tikz}. Markers in what a document shows as it is are ignored: in a "
        "fenced block of Markdown, below '::' or a code-block of reStructuredText, in a delimited "
        "block of AsciiDoc, in verbatim or a listing of LaTeX, in a block of Org, in raw text of "
        "Typst.\n\n"
        "The command must be one that only prints. It is written as after 'laneway' in a shell, "
        "without variables or pipes; names of files are relative to the document, and "
        "LANEWAY_TRITON is ignored: use --triton. A sign before it selects what is quoted: with $ "
        "the command line too; with ! the command must fail, and is quoted with its message; with "
        "= the output without a block around it; with > the output below the last line between the "
        "markers that begins with >>> or ..., indented as that line, so that the output of a "
        "prompt stays true. Several commands, with && between them, are those of as many prompts, "
        "the last ones:\n\n"
        "  <!-- laneway: $ apply 'spatial(4, 8)' --at 2,3 -->\n"
        "  <!-- laneway: ! show 'spatial(4' -->\n"
        "  .. laneway: > show 'local(3, 4)'\n\n"
        "With -o FILE the output of show is kept in that file, in the folder of the document or "
        "below, which is made where it does not exist, and the document refers to it; FILE is not "
        "a document with markers of the same run. So pictures are shown by sites that remove "
        "styles from a page, as GitHub does:\n\n"
        "  <!-- laneway: show start/4x4 -o figures/xor.svg -->\n\n"
        "A file is replaced when something in it is stale, whole or not at all; it keeps its mode "
        "and its line endings. When a command or a marker is wrong neither the file nor what -o "
        "names is written, the message names the line, and the other files are still processed; a "
        "line that is nearly a marker is a warning. --check writes nothing, prints what is stale "
        "as a unified diff, which 'patch' accepts, and exits with status 1 when something is, or "
        "nearly a marker; so it does with --require N when fewer than N blocks are found. With -r "
        "folders are searched too: all files below them whose extension allows markers; names that "
        "begin with a dot are left out.\n\n"
        "The repository of laneway has hooks of pre-commit, laneway-docs (which checks) and "
        "laneway-docs-write, and an action of GitHub, src/packaging/action, with the input "
        "documents.\n\n"
        "In a notebook (.ipynb of Jupyter) the cells of Markdown have markers as Markdown has, and "
        "those of code as comments; only the text of those cells is replaced.",
    .options = LW_OPTION_BIT(CHECK) | LW_OPTION_BIT(REQUIRE) | LW_OPTION_BIT(RECURSIVE),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .words = &lw_choices_files,
    .has_side_effects = true,
    .examples = {{"docs guide.rst", "and commit what has changed"},
                 {"docs -r . --require 1",
                  "the documents of a folder; it must have one block at least"}},
    .run = run,
};
