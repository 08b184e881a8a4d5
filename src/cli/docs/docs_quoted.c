/* One command of a document: it is read from its marker and run in the folder of the document. */

#include "cli/docs/docs_quoted.h"

#include "cli/requests.h"
#include "cli/load.h"
#include "export/output.h"
#include "tui/tui.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PRINTED_MAX ((size_t)16 << 20)

void lw_quoted_free(struct lw_quoted *q)
{
    lw_arguments_free(&q->args);
    lw_argv_free(&q->argv);
    lw_text_free(&q->title);
    lw_text_free(&q->printed);
    lw_text_free(&q->error_text);
    free(q->text);
}

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

static bool read_command(struct lw_quoted *q, const struct lw_program *program,
                         struct lw_slice command, struct lw_error *err)
{
    q->text = strndup(command.at, command.length);
    if (!q->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    bool has_sign = *q->text && strchr("$!=>", *q->text);
    if (has_sign)
        q->quote = (enum lw_quote) * q->text;
    q->line = q->text + has_sign;
    q->line += strspn(q->line, " \t");
    if (!lw_argv_split(&q->argv, q->line))
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

/* Fails unless the file that a document shows is in the folder of the document, or below. */
static bool check_file(const char *path, struct lw_error *err)
{
    bool up = !strncmp(path, "../", 3) || strstr(path, "/../");
    return (*path && *path != '/' && !up && strcmp(path, "-") != 0) ||
           lw_error_set(err, LW_ERROR_NAME,
                        "-o %.60s: the file must be in the folder of the document, or below", path);
}

/* Fails unless a command can be quoted: it must print, or write a figure to a file that the document shows. */
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
                            "-o is for a figure that 'show' writes and the document shows");
    return !q->file || check_file(q->file, err);
}

/* Makes output for a page or for LaTeX a fragment. Text in LaTeX is in ASCII, as pdflatex has no lines of tables. */
static void set_fragment(struct lw_quoted *q, enum lw_marker_kind kind)
{
    bool styled = LW_OPTION_IS_SET(&q->args, STYLE) || LW_OPTION_IS_SET(&q->args, FORMAT);
    if (kind == LW_MARKER_LATEX && !styled &&
        lw_options_have(q->args.command->options, LW_OPTION_ASCII))
        q->args.value[LW_OPTION_ASCII] = "";
    const char *format = LW_OPTION_VALUE(&q->args, FORMAT);
    const char *dot = q->file ? strrchr(q->file, '.') : NULL;
    bool latex = format ? !strcmp(format, "latex") : dot && !strcmp(dot, ".tex");
    bool part =
        (latex && kind == LW_MARKER_LATEX) || (!q->file && format && !strcmp(format, "html"));
    if (part && lw_options_have(q->args.command->options, LW_OPTION_FRAGMENT))
        q->args.value[LW_OPTION_FRAGMENT] = "";
}

/* Sets the title of a figure: its own, else those of its documents, or their SOURCEs. */
static void read_title(struct lw_quoted *q)
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
    struct lw_quoted *q = context;
    const struct lw_command *command = q->args.command;
    q->args.value[LW_OPTION_COLOR] = "never"; /* a document has no colours of terminals */
    if (command->is_personal && command->is_personal(&q->args)) {
        lw_output_print(lw_messages(),
                        "laneway: %s prints your own progress, which others do not have: name a "
                        "lesson\n",
                        command->name);
        return LW_STATUS_ERROR;
    }
    enum lw_status status = lw_command_run(&q->args, out);
    if (status == LW_STATUS_OK && q->file)
        read_title(q);
    return status;
}

/* Whether a message is about a failed system call, such as a disk that cannot be read: no document quotes such a
 * message. */
static bool is_of_system(const char *message)
{
    static const int reasons[] = {EIO, EINTR, EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(message, strerror(reasons[i])))
            return true;
    return false;
}

/* Runs the command in the folder of the document, so that names of files are relative to it. */
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

static bool run_one(struct lw_quoted *q, const struct lw_program *program, struct lw_slice command,
                    const struct lw_embedded *pair, const char *path, struct lw_error *err)
{
    if (!read_command(q, program, command, err) || !check_command(q, err))
        return false;
    set_fragment(q, pair->kind);
    return run_beside(q, path, err);
}

/* The length of a command up to `&&`. */
static size_t command_length(struct lw_slice commands)
{
    for (size_t i = 0; i + 1 < commands.length; i++)
        if (!memcmp(commands.at + i, "&&", 2))
            return i;
    return commands.length;
}

/* Runs the commands of several prompts and keeps the output of each. */
static bool run_several(struct lw_quoted *all, const struct lw_program *program,
                        const struct lw_embedded *pair, const char *path, struct lw_error *err)
{
    struct lw_slice rest = pair->command;
    all->quote = LW_QUOTE_PROMPT;
    all->text = strndup(rest.at, rest.length);
    bool good = all->text || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (bool more = true; good && more;) {
        struct lw_quoted one = {.quote = LW_QUOTE_PROMPT};
        size_t length = command_length(rest);
        struct lw_slice command = {rest.at, length};
        more = length < rest.length;
        if (all->outputs == LW_OUTPUTS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "more than %d commands", LW_OUTPUTS_MAX);
        good = run_one(&one, program, command, pair, path, err);
        lw_text_bytes(&all->printed, lw_text_string(&one.printed), one.printed.length);
        all->output_end[all->outputs++] = all->printed.length;
        lw_quoted_free(&one);
        rest = (struct lw_slice){rest.at + length + 2 * more, rest.length - length - 2 * more};
    }
    return good;
}

bool lw_quoted_run(struct lw_quoted *q, const struct lw_program *program,
                   const struct lw_embedded *pair, const char *path, struct lw_error *err)
{
    bool prompts = pair->command.length && *pair->command.at == LW_QUOTE_PROMPT;
    return prompts ? run_several(q, program, pair, path, err)
                   : run_one(q, program, pair->command, pair, path, err);
}
