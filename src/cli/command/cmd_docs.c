/* laneway docs: refreshes what documents quote from the program. A file is written when all of its commands
 * have run and something differs, whole or not at all. */

#include "cli/command/commands.h"
#include "cli/capture.h"
#include "cli/markers.h"
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

/* How a command is quoted: its output alone, below its command line, or as one that fails. */
enum quote { QUOTE_OUTPUT = 0, QUOTE_SESSION = '$', QUOTE_REFUSAL = '!' };

struct quoted {
    enum quote quote;
    char *text, *line; /* the command as in the marker; without the sign */
    struct lw_argv argv;
    struct lw_arguments args;
    struct lw_text printed, error_text;
};

static void quoted_free(struct quoted *q)
{
    lw_arguments_free(&q->args);
    lw_argv_free(&q->argv);
    lw_text_free(&q->printed);
    lw_text_free(&q->error_text);
    free(q->text);
}

static bool read_command(struct quoted *q, const struct lw_program *program,
                         struct lw_slice command, struct lw_error *err)
{
    q->text = strndup(command.at, command.length);
    if (!q->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (*q->text == QUOTE_SESSION || *q->text == QUOTE_REFUSAL)
        q->quote = (enum quote) * q->text;
    q->line = q->text + (q->quote != QUOTE_OUTPUT);
    q->line += strspn(q->line, " \t");
    if (!lw_argv_split(&q->argv, q->line))
        return lw_error_set(err, LW_ERROR_LIMIT, "more than %d arguments", LW_ARGV_MAX);
    if (q->argv.quote)
        return lw_error_set(err, LW_ERROR_SYNTAX, "the quote %c is not closed", q->argv.quote);
    return lw_arguments_read(&q->args, program, q->argv.count, q->argv.argument, err);
}

/* Only commands that print, and print here, can be quoted. */
static bool check_command(const struct quoted *q, struct lw_error *err)
{
    static const enum lw_option_id elsewhere[] = {LW_OPTION_OUTPUT, LW_OPTION_BATCH};
    const struct lw_command *command = q->args.command;
    if (!*command->name)
        return lw_error_set(err, LW_ERROR_NAME,
                            "'%.40s' is not a command; expected one such as: show SOURCE",
                            q->args.operand_count ? q->args.operands[0] : "");
    if (command->has_side_effects)
        return lw_error_set(err, LW_ERROR_NAME, "%s does more than print: it cannot be quoted",
                            command->name);
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (q->args.value[elsewhere[i]])
            return lw_error_set(err, LW_ERROR_NAME, "--%s cannot be used in a document",
                                lw_options()[elsewhere[i]].name);
    return true;
}

static enum lw_status run_command(void *context, FILE *out)
{
    struct quoted *q = context;
    q->args.value[LW_OPTION_COLOR] = "never"; /* a document shows text alone */
    return q->args.command->run(&q->args, out);
}

/* Names of files are relative to the document. */
static bool run_beside(struct quoted *q, const char *path, struct lw_error *err)
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
    if (refused && q->quote != QUOTE_REFUSAL)
        return lw_error_set(err, LW_ERROR_SYNTAX, "%.*s", (int)strcspn(error_text, "\n"),
                            error_text);
    if (!refused && q->quote == QUOTE_REFUSAL)
        return lw_error_set(err, LW_ERROR_SYNTAX,
                            "the command does not fail: write $ instead of !");
    return true;
}

/* ---- What is put between the markers ---- */

struct writer {
    struct lw_text *out;
    const struct lw_embedded *pair;
    const char *indent;
};

/* A line with the prefix; an empty one has no blanks at its end. */
static void put_line(const struct writer *w, const char *line, size_t length)
{
    struct lw_slice prefix = w->pair->prefix;
    while (!length && prefix.length && strchr(" \t", prefix.at[prefix.length - 1]))
        prefix.length--;
    lw_text_bytes(w->out, prefix.at, prefix.length);
    lw_text_add(w->out, length ? w->indent : "");
    lw_text_bytes(w->out, line, length);
    lw_text_add(w->out, w->pair->newline);
}

static void put_arguments(const struct writer *w, const char *argv)
{
    put_line(w, argv, strlen(argv));
}

static void put_lines(const struct writer *w, const struct lw_text *text)
{
    const char *line = lw_text_string(text);
    for (size_t length; *line; line += length + (line[length] == '\n')) {
        length = strcspn(line, "\n");
        put_line(w, line, length - (length && line[length - 1] == '\r'));
    }
}

static void put_quoted(const struct writer *w, const struct quoted *q)
{
    struct lw_text line = {0};
    if (q->quote != QUOTE_OUTPUT) {
        lw_text_format(&line, "$ laneway %s", q->line);
        put_lines(w, &line);
    }
    put_lines(w, &q->printed);
    if (q->quote != QUOTE_OUTPUT)
        put_lines(w, &q->error_text);
    lw_text_free(&line);
}

/* The language, for syntax highlighting; NULL: the output is markup itself. */
static const char *language(const struct quoted *q)
{
    static const char *const markup[] = {"markdown", "html", "svg"};
    static const char *const known[] = {"json", "csv", "latex"};
    const char *format = LW_OPTION_VALUE(&q->args, FORMAT);
    if (q->quote != QUOTE_OUTPUT)
        return "console";
    if (LW_OPTION_IS_SET(&q->args, JSON))
        return "json";
    for (size_t i = 0; format && i < sizeof markup / sizeof *markup; i++)
        if (!strcmp(format, markup[i]))
            return NULL;
    for (size_t i = 0; format && i < sizeof known / sizeof *known; i++)
        if (!strcmp(format, known[i]))
            return known[i];
    return "text";
}

static size_t longest_run(const char *text, char of)
{
    size_t max = 0, run = 0;
    for (; *text; text++) {
        run = *text == of ? run + 1 : 0;
        max = run > max ? run : max;
    }
    return max;
}

/* Longer than any run of backquotes inside. */
static size_t fence_length(const struct quoted *q)
{
    const char *const within[] = {q->text, lw_text_string(&q->printed),
                                  lw_text_string(&q->error_text)};
    size_t max = 2;
    for (size_t i = 0; i < 3; i++) {
        size_t run = longest_run(within[i], '`');
        max = run > max ? run : max;
    }
    return max + 1;
}

static void put_markdown(const struct writer *w, const struct quoted *q)
{
    const char *name = language(q);
    struct lw_text fence = {0};
    lw_text_repeat(&fence, '`', fence_length(q));
    size_t length = fence.length;
    lw_text_add(&fence, name ? name : "");
    if (name)
        put_arguments(w, lw_text_string(&fence));
    else
        put_arguments(w, "");
    put_quoted(w, q);
    put_line(w, lw_text_string(&fence), name ? length : 0);
    lw_text_free(&fence);
}

static void put_rest(struct writer *w, const struct quoted *q)
{
    const char *name = language(q);
    struct lw_text directive = {0};
    lw_text_format(&directive, ".. code-block:: %s",
                   name ? name : LW_OPTION_VALUE(&q->args, FORMAT));
    put_arguments(w, "");
    put_arguments(w, lw_text_string(&directive));
    put_arguments(w, "");
    w->indent = "   ";
    put_quoted(w, q);
    w->indent = "";
    put_arguments(w, "");
    lw_text_free(&directive);
}

/* A comment of C must not end inside. */
static bool put_comment(const struct writer *w, const struct quoted *q, struct lw_error *err)
{
    const struct lw_slice prefix = w->pair->prefix;
    size_t from = w->out->length;
    put_quoted(w, q);
    const char *put = lw_text_string(w->out) + (w->out->length > from ? from : 0);
    bool ends = memchr(prefix.at, '*', prefix.length) && w->out->length > from && strstr(put, "*/");
    return !ends || lw_error_set(err, LW_ERROR_SYNTAX, "it prints */, which ends the comment");
}

static bool put_block(struct lw_text *out, const struct lw_embedded *pair, const struct quoted *q,
                      struct lw_error *err)
{
    struct writer w = {out, pair, ""};
    if (pair->kind == LW_MARKER_COMMENT)
        return put_comment(&w, q, err);
    if (pair->kind == LW_MARKER_MARKDOWN)
        put_markdown(&w, q);
    else
        put_rest(&w, q);
    return true;
}

/* ---- One file ---- */

struct docs {
    const struct lw_program *program;
    const char *path;
    bool check;
    FILE *out;
    struct lw_text fresh;
    size_t blocks, stale;
    enum lw_status status;
};

static void report_problem_at(struct docs *docs, size_t line, const struct lw_error *err)
{
    const char *message = lw_memory_failed() ? "out of memory" : err->message;
    fflush(stdout);
    lw_output_print(lw_messages(), "laneway: ");
    lw_output_name(lw_messages(), docs->path);
    lw_output_print(lw_messages(), ":%zu: %s\n", line, message);
    docs->status = LW_STATUS_ERROR;
}

static void report_stale(struct docs *docs, size_t line, const char *command)
{
    lw_output_name(docs->out, docs->path);
    lw_output_print(docs->out, ":%zu: stale: %s\n", line, command);
}

static void refresh(struct docs *docs, const struct lw_embedded *pair)
{
    struct quoted q = {0};
    struct lw_error err = {0};
    size_t from = docs->fresh.length;
    bool good = read_command(&q, docs->program, pair->command, &err) && check_command(&q, &err) &&
                run_beside(&q, docs->path, &err) && put_block(&docs->fresh, pair, &q, &err);
    size_t length = docs->fresh.length - from;
    bool same = length == pair->between.length &&
                (!length || !memcmp(docs->fresh.data + from, pair->between.at, length));
    docs->blocks++;
    docs->stale += !same;
    if (!good)
        report_problem_at(docs, pair->line, &err);
    else if (!same && docs->check)
        report_stale(docs, pair->line, q.text);
    quoted_free(&q);
}

static void refresh_all(struct docs *docs, const struct lw_text *text)
{
    struct lw_markers markers;
    struct lw_embedded pair;
    struct lw_error err;
    size_t line = 0;
    const char *copied = lw_text_string(text);
    lw_markers_start(&markers, docs->path, copied, text->length);
    while (lw_markers_next(&markers, &pair, &line, &err)) {
        lw_text_bytes(&docs->fresh, copied, (size_t)(pair.between.at - copied));
        refresh(docs, &pair);
        copied = pair.between.at + pair.between.length;
    }
    if (err.code != LW_OK)
        report_problem_at(docs, line, &err);
    lw_text_bytes(&docs->fresh, copied, (size_t)(lw_text_string(text) + text->length - copied));
}

static void write_back(struct docs *docs)
{
    struct lw_output output;
    struct lw_error err;
    if (!lw_output_open(&output, docs->path, NULL, lw_spare_folder(), &err)) {
        docs->status = lw_report_failure(NULL, &err);
        return;
    }
    lw_output_raw(output.stream, &docs->fresh);
    if (!lw_output_close(&output, true, &err)) {
        docs->status = lw_report_failure(NULL, &err);
        return;
    }
    lw_output_name(docs->out, docs->path);
    lw_output_print(docs->out, ": %zu of %zu refreshed\n", docs->stale, docs->blocks);
}

static bool read_file(const char *path, struct lw_text *text, struct lw_error *err)
{
    struct lw_reading reading = {.err = err};
    FILE *file = lw_open_file(&reading, path);
    bool good = file && lw_read_stream(&reading, file, path, text);
    if (file)
        fclose(file);
    return good && (!memchr(lw_text_string(text), '\0', text->length) ||
                    lw_error_set(err, LW_ERROR_SYNTAX, "%s: this is not a text file", path));
}

static enum lw_status run_file(const struct lw_arguments *args, const char *path, FILE *out)
{
    bool check = LW_OPTION_IS_SET(args, CHECK);
    struct docs docs = {.program = args->program, .path = path, .check = check, .out = out};
    struct lw_text text = {0};
    struct lw_error err = {0};
    if (!read_file(path, &text, &err)) {
        docs.status = lw_report_failure(NULL, &err);
    } else {
        refresh_all(&docs, &text);
        if (docs.fresh.failed || lw_memory_failed()) {
            lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
            docs.status = lw_report_failure(path, &err);
        }
        if (docs.status == LW_STATUS_OK && docs.stale)
            docs.status = check ? LW_STATUS_NO : LW_STATUS_OK;
        if (docs.status == LW_STATUS_OK && docs.stale)
            write_back(&docs);
    }
    lw_text_free(&text);
    lw_text_free(&docs.fresh);
    return docs.status;
}

static enum lw_status run(const struct lw_arguments *args, FILE *out)
{
    enum lw_status worst = LW_STATUS_OK;
    for (size_t i = 0; i < args->operand_count; i++) {
        enum lw_status status = run_file(args, args->operands[i], out);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const struct lw_command lw_command_docs = {
    .name = "docs",
    .operands = "FILE...",
    .help = "refresh what documents quote from laneway",
    .about =
        "Runs the commands that documents quote and replaces what they printed. A pair of "
        "markers names a command, and its output is between them. A marker is a comment of "
        "the document, on its own line. In Markdown (.md):\n\n"
        "  <!-- laneway: show 'local(2, 2)' -->\n"
        "  <!-- /laneway -->\n\n"
        "in reStructuredText (.rst, .txt):\n\n"
        "  .. laneway: show 'local(2, 2)'\n"
        "\n"
        "  .. /laneway\n\n"
        "and in any other file in a comment of any kind:\n\n"
        "  // laneway: show 'local(2, 2)'\n"
        "  // /laneway\n\n"
        "Each line between the markers begins with the prefix that they have. A comment may "
        "also have markers of the other two kinds, for tools that make documents from "
        "comments: '/// <!-- laneway: ... -->', '.. laneway: ...' in a docstring.\n\n"
        "In Markdown the output is a fenced block; that of --format markdown, html and svg is "
        "put in as it is. In reStructuredText it is a code-block. Markers in a fenced block "
        "of Markdown are ignored.\n\n"
        "The command must be one that only prints. It is written as after 'laneway' in a "
        "shell, without variables, pipes or -o; names of files are relative to the document. "
        "With $ before it the command line is quoted too; with ! the command must fail, and "
        "is quoted with its message:\n\n"
        "  <!-- laneway: $ apply 'spatial(4, 8)' --at 2,3 -->\n"
        "  <!-- laneway: ! show 'spatial(4' -->\n\n"
        "A file is replaced when something in it is stale, whole or not at all; it keeps its mode "
        "and its line endings. When a command or a marker is wrong the file is not changed, the "
        "message names the line, and the other files are still processed. --check writes nothing, "
        "reports what is stale, and exits with status 1 when something is.",
    .options = LW_OPTION_BIT(CHECK),
    .min_operands = 1,
    .max_operands = LW_ANY_NUMBER,
    .has_side_effects = true,
    .examples = {{"docs guide.rst", "and commit what has changed"}},
    .run = run,
};
