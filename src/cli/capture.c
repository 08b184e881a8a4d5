/* A command line without a shell or a terminal: split into arguments as in a shell, and run with its output and
 * messages captured. */

#include "cli/capture.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- Arguments ---- */

/* The next argument without its quotes; *text moves behind it. */
static char *take_argument(struct lw_argv *argv, const char **text)
{
    char *argument = lw_arena_string(&argv->arena, *text, strlen(*text)), *end = argument;
    char quote = '\0';
    const char *p = *text;
    for (; argument && *p && (quote || *p != ' '); p++) {
        if (quote ? *p == quote : *p == '\'' || *p == '"')
            quote = quote ? '\0' : *p;
        else if (*p == '\\' && p[1] && quote != '\'')
            *end++ = *++p;
        else
            *end++ = *p;
    }
    if (argument)
        *end = '\0';
    argv->quote = quote;
    *text = p;
    return argument;
}

bool lw_argv_split(struct lw_argv *argv, const char *line)
{
    memset(argv, 0, sizeof *argv);
    argv->argument[argv->count++] = (char *)(uintptr_t) "laneway";
    for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
        char *argument = argv->count < LW_ARGV_MAX ? take_argument(argv, &line) : NULL;
        if (!argument)
            return false;
        argv->argument[argv->count++] = argument;
        argv->open = !*line;
    }
    return true;
}

void lw_argv_free(struct lw_argv *argv)
{
    lw_arena_free(&argv->arena);
}

/* ---- Capturing ---- */

/* Redirects a file descriptor of the process; returns a copy of the old one. */
static int redirect(int fd, int to)
{
    int saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (to >= 0)
        dup2(to, fd);
    return saved;
}

static void restore(int fd, int saved)
{
    if (saved >= 0) {
        dup2(saved, fd);
        close(saved);
    }
}

static void read_back(FILE *file, struct lw_text *text)
{
    char buffer[4096];
    rewind(file);
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        lw_text_bytes(text, buffer, got);
}

enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *error_text)
{
    enum lw_status status = LW_STATUS_ERROR;
    FILE *out = tmpfile(), *errors = tmpfile();
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out && errors && nothing >= 0) {
        int in = redirect(STDIN_FILENO, nothing), error = redirect(STDERR_FILENO, fileno(errors));
        status = run(context, out);
        fflush(stderr);
        restore(STDERR_FILENO, error);
        restore(STDIN_FILENO, in);
        clearerr(stdin);
        read_back(out, printed);
        read_back(errors, error_text);
    } else {
        lw_text_add(error_text, "laneway: cannot make a temporary file\n");
    }
    if (out)
        fclose(out);
    if (errors)
        fclose(errors);
    if (nothing >= 0)
        close(nothing);
    return status;
}
