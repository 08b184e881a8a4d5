/* Commands of the program at the explorer's prompt. At a terminal they run in a child process, which the user
 * can end at any time. */

#include "tui/write/copy.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"
#include "tui/terminal/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A line, the layout on the screen, and the result. */
struct program_command {
    const char *line, *it;
    struct lw_text printed, error_text;
    struct lw_error err; /* why it could not be run */
    bool is_command;
};

static void run_here(const struct lw_explorer *ex, struct program_command *command)
{
    const struct lw_tui_shell *shell = ex->options->shell;
    command->is_command = shell->run(shell->context, command->line, command->it, &command->printed,
                                     &command->error_text, &command->err);
}

/* ---- In a child process ---- */

/* The header that the child writes before its texts. */
struct program_result {
    bool is_command, failed;
    struct lw_error err;
    size_t printed, errors; /* bytes */
};

static bool write_bytes(int file, const void *bytes, size_t length)
{
    const char *at = bytes;
    for (ssize_t n; length; at += n, length -= (size_t)n)
        if ((n = write(file, at, length)) < 0) {
            if (errno != EINTR)
                return false;
            n = 0;
        }
    return true;
}

static void run_child(struct lw_explorer *ex, struct program_command *command, int file)
{
    lw_recovery_leave(&ex->keep.recovery);
    run_here(ex, command);
    const struct lw_text *printed = &command->printed, *errors = &command->error_text;
    const struct program_result result = {.is_command = command->is_command,
                                          .err = command->err,
                                          .failed = printed->failed || errors->failed ||
                                                    lw_memory_failed(),
                                          .printed = printed->failed ? 0 : printed->length,
                                          .errors = errors->failed ? 0 : errors->length};
    bool good = write_bytes(file, &result, sizeof result) &&
                write_bytes(file, lw_text_string(printed), result.printed) &&
                write_bytes(file, lw_text_string(errors), result.errors);
    _exit(!good);
}

/* Reads all output of the child; false: the user stops it. */
static bool read_child(const struct lw_explorer *ex, int file, struct lw_text *bytes)
{
    enum { MOMENT_MS = 10 };
    char part[1 << 14];
    struct pollfd ready = {.fd = file, .events = POLLIN};
    for (ssize_t n = 1; n;) {
        if (ex->stop.requested(ex->stop.context))
            return false;
        if (poll(&ready, 1, MOMENT_MS) <= 0)
            continue;
        n = read(file, part, sizeof part);
        if (n < 0 && errno != EINTR)
            break;
        if (n > 0)
            lw_text_bytes(bytes, part, (size_t)n);
    }
    return true;
}

static void take_result(struct program_command *command, const struct lw_text *bytes)
{
    struct program_result result = {.failed = true};
    if (!bytes->failed && bytes->length >= sizeof result)
        memcpy(&result, bytes->data, sizeof result);
    if (bytes->failed || bytes->length != sizeof result + result.printed + result.errors) {
        command->is_command = true;
        lw_text_add(&command->error_text, "the command was stopped before it was complete\n");
        return;
    }
    const char *at = bytes->data + sizeof result;
    command->is_command = result.is_command;
    command->err = result.err;
    lw_text_bytes(&command->printed, at, result.printed);
    lw_text_bytes(&command->error_text, at + result.printed, result.errors);
    if (result.failed && !result.errors)
        lw_text_add(&command->error_text, "out of memory\n");
}

/* Runs a command in a child process; false: there is no process, or no pipe. */
static bool run_apart(struct lw_explorer *ex, struct program_command *command)
{
    struct lw_text bytes = {0};
    int ends[2];
    if (pipe(ends) < 0)
        return false;
    pid_t child = lw_terminal_fork();
    if (child == 0) {
        close(ends[0]);
        run_child(ex, command, ends[1]);
    }
    close(ends[1]);
    bool done = child > 0 && read_child(ex, ends[0], &bytes);
    close(ends[0]);
    if (child > 0 && !done)
        kill(child, SIGKILL);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (done) {
        take_result(command, &bytes);
    } else if (child > 0) {
        command->is_command = true;
        lw_text_add(&command->error_text, "stopped\n");
    }
    lw_text_free(&bytes);
    return child > 0;
}

/* ---- The command ---- */

bool lw_run_program(struct lw_explorer *ex, const char *line)
{
    struct lw_text it = {0};
    struct program_command command = {.line = line};
    if (!ex->options->shell)
        return false;
    if (lw_explorer_entry(ex)->loaded && !(ex->focus & (LW_FOCUS_KERNEL | LW_FOCUS_FOLDER)))
        lw_explorer_source(ex, &it);
    command.it = lw_text_string(&it);
    if (!ex->stop.requested || !run_apart(ex, &command))
        run_here(ex, &command);
    const char *wrong = lw_text_string(&command.error_text);
    struct lw_text *printed = &command.printed;
    const char *text = lw_text_string(printed);
    bool is = command.is_command;
    if (is && command.err.code != LW_OK) {
        lw_save_failed(ex, "", command.err.message);
    } else if (is && printed->length && strchr(text, '\n') == text + printed->length - 1 && !*wrong)
        lw_explorer_set_message(ex, false, "%.*s", (int)printed->length - 1, text);
    else if (is && printed->length) {
        lw_text_add(printed, wrong);
        lw_page_open(ex, line, lw_text_string(printed));
        ex->page.wide = true;
    } else if (is && *wrong) {
        wrong += strncmp(wrong, "laneway: ", 9) ? 0 : 9;
        lw_explorer_set_message(ex, true, "%.*s", (int)strcspn(wrong, "\n"), wrong);
    }
    lw_text_free(&it);
    lw_text_free(printed);
    lw_text_free(&command.error_text);
    return is;
}
