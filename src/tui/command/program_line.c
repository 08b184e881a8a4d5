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

/* Runs a line in this process. */
static enum lw_ran run_here(const struct lw_app *app, const char *line, const char *it,
                            struct lw_text *printed, struct lw_error *err)
{
    static const char name[] = "laneway: ";
    const struct lw_tui_shell *shell = app->options->shell;
    struct lw_text errors = {0};
    enum lw_ran ran = LW_RAN_DONE;
    if (!shell || !shell->run(shell->context, line, it, printed, &errors, err)) {
        ran = LW_RAN_NOTHING;
    } else if (err->code != LW_OK) {
        ran = LW_RAN_FAILED;
    } else if (errors.length && !printed->length) {
        const char *first = lw_text_string(&errors);
        first += strncmp(first, name, sizeof name - 1) ? 0 : sizeof name - 1;
        lw_error_set(err, LW_ERROR_UNSUPPORTED, "%.*s", (int)strcspn(first, "\n"), first);
        ran = LW_RAN_FAILED;
    } else {
        lw_text_add(printed, lw_text_string(&errors));
    }
    lw_text_free(&errors);
    return ran;
}

/* ---- In a child process, which writes a header, then what the line printed ---- */

struct header {
    enum lw_ran ran;
    struct lw_error err;
};

static void run_child(const struct lw_app *app, const char *line, const char *it, int end)
{
    struct header header = {.ran = LW_RAN_NOTHING};
    struct lw_text printed = {0};
    FILE *file = fdopen(end, "w");
    header.ran = run_here(app, line, it, &printed, &header.err);
    if (!file || printed.failed)
        _exit(1);
    fwrite(&header, sizeof header, 1, file);
    fwrite(lw_text_string(&printed), 1, printed.length, file);
    _exit(fclose(file) != 0);
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

static enum lw_ran run_apart(const struct lw_app *app, const char *line, const char *it,
                             struct lw_text *printed, struct lw_error *err)
{
    struct header header;
    struct lw_text bytes = {0};
    int ends[2], status = 0;
    if (pipe(ends) < 0)
        return run_here(app, line, it, printed, err);
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
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    header.ran = LW_RAN_FAILED;
    if (child < 0) {
        header.ran = run_here(app, line, it, printed, err);
    } else if (!is_done) {
        lw_error_set(err, LW_ERROR_STOPPED, "stopped");
    } else if (status != 0 || bytes.failed || bytes.length < sizeof header) {
        lw_error_set(err, LW_ERROR_MEMORY, "the command ended before it was complete");
    } else {
        memcpy(&header, bytes.data, sizeof header);
        lw_text_bytes(printed, bytes.data + sizeof header, bytes.length - sizeof header);
        if (header.ran == LW_RAN_FAILED)
            *err = header.err;
    }
    lw_text_free(&bytes);
    return header.ran;
}

enum lw_ran lw_program_line(struct lw_app *app, const char *line, const char *it,
                            struct lw_text *printed, struct lw_error *err)
{
    *err = (struct lw_error){0};
    return app->has_terminal ? run_apart(app, line, it, printed, err)
                             : run_here(app, line, it, printed, err);
}
