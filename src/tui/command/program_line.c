/* The command line of the program, within the explorer. At a terminal a line runs in a child process, which the user
 * can stop at any time. */

#include "tui/command/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void lw_put_quoted(struct lw_text *line, const char *word)
{
    lw_text_char(line, '\'');
    for (; *word; word++)
        if (*word == '\'')
            lw_text_add(line, "'\\''");
        else
            lw_text_char(line, *word);
    lw_text_char(line, '\'');
}

/* What a line printed. */
struct result {
    bool is_command;
    struct lw_text printed, errors;
    struct lw_error err; /* why it could not be run */
};

static void run_here(const struct lw_app *app, const char *line, const char *it,
                     struct result *result)
{
    const struct lw_tui_shell *shell = app->options->shell;
    result->is_command = shell && shell->run(shell->context, line, it, &result->printed,
                                             &result->errors, &result->err);
}

/* ---- In a child process: a header, then the two texts ---- */

struct header {
    bool is_command;
    struct lw_error err;
    size_t printed, errors; /* bytes */
};

static bool write_all(int file, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t n = write(file, at, length);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        length -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static void run_child(const struct lw_app *app, const char *line, const char *it, int file)
{
    struct result result = {0};
    run_here(app, line, it, &result);
    struct header header = {result.is_command, result.err, result.printed.length,
                            result.errors.length};
    if (result.printed.failed || result.errors.failed)
        _exit(1);
    _exit(!write_all(file, &header, sizeof header) ||
          !write_all(file, lw_text_string(&result.printed), header.printed) ||
          !write_all(file, lw_text_string(&result.errors), header.errors));
}

/* Reads until the end; false: the user stops it. */
static bool read_all(int file, struct lw_text *bytes)
{
    enum { MOMENT_MS = 10 };
    char part[1 << 14];
    struct pollfd ready = {.fd = file, .events = POLLIN};
    for (;;) {
        if (lw_terminal_is_stopped())
            return false;
        if (poll(&ready, 1, MOMENT_MS) <= 0)
            continue;
        ssize_t n = read(file, part, sizeof part);
        if (n == 0 || (n < 0 && errno != EINTR))
            return true;
        if (n > 0)
            lw_text_bytes(bytes, part, (size_t)n);
    }
}

/* Reads the header; false: not all that it announces has come. */
static bool read_header(const struct lw_text *bytes, struct header *header)
{
    if (bytes->failed || bytes->length < sizeof *header)
        return false;
    memcpy(header, bytes->data, sizeof *header);
    const size_t texts = bytes->length - sizeof *header;
    return header->printed <= texts && header->errors == texts - header->printed;
}

/* Runs a line in a child process; false: there is no process. */
static bool run_apart(const struct lw_app *app, const char *line, const char *it,
                      struct result *result)
{
    struct lw_text bytes = {0};
    struct header header;
    int ends[2];
    if (pipe(ends) < 0)
        return false;
    pid_t child = lw_terminal_fork();
    if (child == 0) {
        close(ends[0]);
        run_child(app, line, it, ends[1]);
    }
    close(ends[1]);
    const bool is_done = child > 0 && read_all(ends[0], &bytes);
    close(ends[0]);
    if (child > 0 && !is_done)
        kill(child, SIGKILL);
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    result->is_command = child > 0;
    if (!is_done) {
        lw_error_set(&result->err, LW_ERROR_STOPPED, "stopped");
    } else if (status != 0 || !read_header(&bytes, &header)) {
        lw_error_set(&result->err, LW_ERROR_MEMORY, "the command ended before it was complete");
    } else {
        result->is_command = header.is_command;
        result->err = header.err;
        lw_text_bytes(&result->printed, bytes.data + sizeof header, header.printed);
        lw_text_bytes(&result->errors, bytes.data + sizeof header + header.printed, header.errors);
    }
    lw_text_free(&bytes);
    return child > 0;
}

enum lw_ran lw_program_line(struct lw_app *app, const char *line, const char *it,
                            struct lw_text *printed, struct lw_error *err)
{
    static const char name[] = "laneway: ";
    struct result result = {0};
    enum lw_ran ran = LW_RAN_DONE;
    if (!app->has_terminal || !run_apart(app, line, it, &result))
        run_here(app, line, it, &result);
    if (!result.is_command) {
        ran = LW_RAN_NOTHING;
    } else if (result.err.code != LW_OK) {
        *err = result.err;
        ran = LW_RAN_FAILED;
    } else if (result.errors.length && !result.printed.length) {
        const char *first = lw_text_string(&result.errors);
        first += strncmp(first, name, sizeof name - 1) ? 0 : sizeof name - 1;
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "%.*s", (int)strcspn(first, "\n"), first);
        ran = LW_RAN_FAILED;
    }
    if (ran == LW_RAN_DONE) {
        lw_text_add(printed, lw_text_string(&result.printed));
        lw_text_add(printed, lw_text_string(&result.errors));
    }
    lw_text_free(&result.printed);
    lw_text_free(&result.errors);
    return ran;
}
