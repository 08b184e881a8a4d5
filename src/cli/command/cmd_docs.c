/* laneway docs: refreshes the output of the program that documents quote. A file is written when all of its commands
 * have run and its text has changed, whole or not at all; so are the figures that it shows, before it. */

#include "cli/command/commands.h"
#include "cli/docs/quote.h"
#include "export/output.h"
#include "export/replace.h"
#include "notation/document/read.h"
#include "tui/tui.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* All files of the command line. */
struct run {
    const struct lw_arguments *args;
    FILE *out;
    bool check;
    size_t files, blocks, stale;
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

static bool read_file(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_reading reading = {.err = err};
    FILE *file = lw_open_file(&reading, path);
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good;
}

/* ---- Figures ---- */

enum state { SAME, MISSING, OTHER };

static bool same_text(const struct lw_text *a, const struct lw_text *b)
{
    return a->length == b->length && (!a->length || !memcmp(a->data, b->data, a->length));
}

/* Keeps the output of a command for the file that it names, and sets *state to what the file is now. A file is written
 * by one block, and a document with markers is no figure. */
static bool keep_figure(struct docs *docs, const struct lw_quote *q, enum state *state,
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
    const enum lw_file_there found = lw_file_info(path, &info);
    if (found == LW_FILE_UNKNOWN)
        return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    bool good = found == LW_FILE_ABSENT || read_file(path, &old, err);
    if (good && lw_markers_are_in(path) && strstr(lw_text_string(&old), "/laneway"))
        good = lw_error_set(err, LW_ERROR_NAME,
                            "-o %.60s: this file is a document, which has markers", q->file);
    *state = found == LW_FILE_ABSENT                      ? MISSING
             : good && same_text(&old, &figure->contents) ? SAME
                                                          : OTHER;
    figure->is_stale = *state != SAME;
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

/* Appends a fresh block; with --check reports "a.md:3: stale: show start/4x4 -o x.svg", "x.svg: missing". */
static void refresh_block(struct docs *docs, const struct lw_block *block)
{
    FILE *out = docs->run->out;
    struct lw_quote q = {0};
    struct lw_error err = {0};
    size_t from = docs->fresh.length;
    enum state file = SAME;
    bool good = lw_quote_run(&q, docs->run->args->program, block, docs->path, &err) &&
                lw_quote_put(&docs->fresh, block, &q, &err) &&
                (!q.file || keep_figure(docs, &q, &file, &err));
    const struct lw_slice between = block->between;
    bool same = file == SAME && !docs->fresh.failed &&
                docs->fresh.length - from == between.length &&
                (!between.length ||
                 !memcmp(lw_text_string(&docs->fresh) + from, between.at, between.length));
    docs->blocks++;
    docs->stale += !same;
    if (!good) {
        report_problem_at(docs, block->line, &err);
    } else if (!same && docs->run->check) {
        lw_output_name(out, docs->path);
        lw_output_print(out, ":%zu: stale: %s\n", block->line, q.text);
        if (file != SAME) {
            lw_output_name(out, q.file);
            lw_output_print(out, file == MISSING ? ": missing\n"
                                                 : ": another file than its command writes\n");
        }
    }
    lw_quote_free(&q);
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

/* "a.md: 2 of 3 refreshed", "a.md: 3 in sync", "a.md: no marker"; nothing of a file without markers that was found in a
 * folder. */
static void report_file(const struct docs *docs, bool walked)
{
    FILE *out = docs->run->out;
    if (docs->status == LW_STATUS_ERROR || (docs->run->check && docs->stale) ||
        (walked && !docs->blocks))
        return;
    lw_output_name(out, docs->path);
    if (docs->stale)
        lw_output_print(out, ": %zu of %zu refreshed\n", docs->stale, docs->blocks);
    else if (docs->blocks)
        lw_output_print(out, ": %zu in sync\n", docs->blocks);
    else
        lw_output_print(out, ": no marker\n");
}

/* Fails unless a document is a regular file with a name, as it will be replaced. */
static bool check_document(const char *path, struct lw_error *err)
{
    static const char *const dropped[] = {".ipynb", ".adoc", ".asciidoc", ".org", ".typ"};
    const char *dot = strrchr(path, '.');
    struct stat info;
    if (!*path)
        return lw_error_set(err, LW_ERROR_IO, "'': expected the name of a document");
    if (!strcmp(path, "-"))
        return lw_error_set(
            err, LW_ERROR_IO,
            "-: standard input is not a document: docs replaces a file, which needs "
            "its name");
    for (size_t i = 0; dot && i < sizeof dropped / sizeof *dropped; i++)
        if (!strcmp(dot, dropped[i]))
            return lw_error_set(
                err, LW_ERROR_UNSUPPORTED,
                "%s: documents of this kind are no longer refreshed: they can include "
                "a file that 'laneway show SOURCE -o FILE' writes",
                path);
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
    const char *slash = strrchr(path, '/');
    struct docs docs = {.run = run, .path = path, .folder = slash ? (size_t)(slash - path) + 1 : 0};
    struct lw_text text = {0};
    struct lw_error err = {0};
    bool good = check_document(path, &err) && read_file(path, &text, &err);
    bool binary = good && memchr(lw_text_string(&text), '\0', text.length);
    if (binary && !walked)
        good = lw_error_set(&err, LW_ERROR_SYNTAX, "%s: this is not a text file", path);
    if (!good)
        docs.status = lw_report_failure(NULL, &err);
    else if (!binary)
        refresh(&docs, &text);
    report_file(&docs, walked);
    lw_text_free(&text);
    lw_text_free(&docs.fresh);
    for (struct figure *figure = docs.figures, *next; figure; figure = next) {
        next = figure->next;
        lw_text_free(&figure->path);
        lw_text_free(&figure->contents);
        free(figure);
    }
    run->files += docs.blocks > 0;
    run->blocks += docs.blocks;
    run->stale += docs.stale;
    run->worst = docs.status > run->worst ? docs.status : run->worst;
}

/* ---- Folders ---- */

enum { DEPTH_MAX = 64 };

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Runs each file below a folder that can have markers by its extension, in the order of their names. Names that begin
 * with a dot and links to folders are left out. */
static bool walk(struct run *run, const char *path, int depth, struct lw_error *err)
{
    struct stat info;
    struct dirent **entries;
    struct lw_text below = {0};
    bool good = true;
    if ((depth ? lstat : stat)(path, &info) != 0)
        return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(info.st_mode)) {
        if (!depth || (S_ISREG(info.st_mode) && lw_markers_are_in(path)))
            run_file(run, path, depth > 0);
        return true;
    }
    if (depth > DEPTH_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "%s: more than %d folders deep", path, DEPTH_MAX);
    int count = scandir(path, &entries, is_visible, alphasort);
    if (count < 0)
        return lw_error_set(err, LW_ERROR_IO, "%s: %s", path, strerror(errno));
    for (int i = 0; i < count; i++) {
        lw_text_clear(&below);
        lw_text_format(&below, "%s/%s", path, entries[i]->d_name);
        good = good && walk(run, lw_text_string(&below), depth + 1, err);
        free(entries[i]);
    }
    free(entries);
    lw_text_free(&below);
    return good;
}

/* ---- The command ---- */

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    struct run run = {.args = args, .out = out, .check = LW_OPTION_IS_SET(args, CHECK)};
    const bool recursive = LW_OPTION_IS_SET(args, RECURSIVE);
    struct lw_error err;
    uint64_t required = 0;
    if (!lw_option_number(args, LW_OPTION_REQUIRE, 0, UINT64_MAX, &required, &err))
        return lw_report_failure(NULL, &err);
    unsetenv("LANEWAY_TRITON"); /* the same for every user: commands in documents have --triton */
    for (size_t i = 0; i < args->operand_count; i++)
        if (!recursive)
            run_file(&run, args->operands[i], false);
        else if (!walk(&run, args->operands[i], 0, &err))
            run.worst = lw_report_failure(NULL, &err);
    if (run.worst != LW_STATUS_ERROR && run.blocks < required) { /* a marker was lost */
        lw_output_print(lw_messages(), "laneway: %zu block%s found, but --require %llu\n",
                        run.blocks, run.blocks == 1 ? "" : "s", (unsigned long long)required);
        run.worst = LW_STATUS_NO;
    }
    if ((recursive || args->operand_count > 1) && run.worst != LW_STATUS_ERROR)
        lw_output_print(out, "%zu file%s with %zu block%s: %zu %s, %zu in sync\n", run.files,
                        run.files == 1 ? "" : "s", run.blocks, run.blocks == 1 ? "" : "s",
                        run.stale, run.check ? "stale" : "refreshed", run.blocks - run.stale);
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
        "  .. /laneway\n"
        "  % laneway: ..., % /laneway             in LaTeX (.tex)\n"
        "  // laneway: ..., // /laneway           in comments of other files\n\n"
        "In a comment each line of the block begins as the marker does, and markers of Markdown "
        "and reStructuredText are read too. The output is a fenced block in Markdown, <pre> in "
        "html, a code-block in reStructuredText, and verbatim in LaTeX, in ASCII. A --format that "
        "is markup of the document is put in as it is: markdown, html and svg in Markdown, html "
        "and svg in html, rst, latex; a drawing of latex needs \\usepackage{tikz}.\n\n"
        "The command must be one that only prints. It is written as after 'laneway' in a shell, "
        "without variables or pipes; names of files are relative to the document, and "
        "LANEWAY_TRITON is ignored: use --triton. The sign $ before it quotes the command line "
        "too. With -o FILE the output of show is kept in that file, in the folder of the document "
        "or below, and the document refers to it:\n\n"
        "  <!-- laneway: $ apply 'spatial(4, 8)' --at 2,3 -->\n"
        "  <!-- laneway: show start/4x4 -o figures/xor.svg -->\n\n"
        "A file is replaced when something in it is stale, whole or not at all; it keeps its mode "
        "and its line endings. When a command or a marker is wrong nothing is written for that "
        "document, the message names the line, and the other files are still processed. --check "
        "writes nothing, names each stale block by file, line and command, and exits with status 1 "
        "when there is one; so does --require N when fewer than N blocks are found. With -r "
        "folders are searched too for files whose extension allows markers; names that begin with "
        "a dot are left out. The repository of laneway has hooks of pre-commit, laneway-docs "
        "(which checks) and laneway-docs-write.",
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
