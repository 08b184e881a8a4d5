/* A command line without a shell or a terminal: split into arguments as in a shell, and run with its output and
 * messages captured. */

#define _GNU_SOURCE /* fopencookie */

#include "cli/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* ---- Arguments ---- */

/* The next argument without its quotes; moves *text past it. */
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
        const char *start = line;
        char *argument = argv->count < LW_ARGV_MAX ? take_argument(argv, &line) : NULL;
        if (!argument)
            return false;
        argv->bare |= (uint64_t)(strlen(argument) == (size_t)(line - start)) << argv->count;
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

/* Appends the bytes that are written to a stream to a text, up to the text's limit. */
static ssize_t append(void *context, const char *bytes, size_t count)
{
    struct lw_text *text = context;
    size_t room = !text->limit ? SIZE_MAX : lw_text_full(text) ? 0 : text->limit - text->length;
    size_t taken = count < room ? count : room;
    lw_text_bytes(text, bytes, taken);
    if (text->failed || taken < count)
        errno = text->failed ? ENOMEM : EFBIG;
    return text->failed ? 0 : (ssize_t)taken;
}

#ifdef __linux__ /* glibc and musl */
FILE *lw_text_stream(struct lw_text *text)
{
    return fopencookie(text, "w", (cookie_io_functions_t){.write = append});
}
#else /* the systems of BSD, macOS among them */
static int append_few(void *context, const char *bytes, int count)
{
    ssize_t taken = append(context, bytes, (size_t)count);
    return taken ? (int)taken : -1;
}

FILE *lw_text_stream(struct lw_text *text)
{
    return fwopen(text, append_few);
}
#endif

bool lw_text_stream_close(FILE *stream, struct lw_text *text)
{
    bool good = !ferror(stream);
    good = fclose(stream) == 0 && good;
    if (!good && !lw_text_full(text))
        lw_text_fail(text);
    return good;
}

static enum lw_status run_captured(enum lw_status (*run)(void *context, FILE *out), void *context,
                                   FILE *out, FILE *messages, int nothing)
{
    int in = redirect(STDIN_FILENO, nothing);
    FILE *before = lw_messages_redirect(messages);
    enum lw_status status = run(context, out);
    lw_messages_redirect(before);
    restore(STDIN_FILENO, in);
    clearerr(stdin);
    return status;
}

enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *error_text, struct lw_error *err)
{
    enum lw_status status = LW_STATUS_ERROR;
    *err = (struct lw_error){0};
    FILE *out = lw_text_stream(printed), *messages = lw_text_stream(error_text);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out && messages && nothing >= 0)
        status = run_captured(run, context, out, messages, nothing);
    else
        lw_error_set(err, errno == ENOMEM ? LW_ERROR_MEMORY : LW_ERROR_IO,
                     "the command cannot be run: %s",
                     errno == ENOMEM ? "out of memory" : strerror(errno));
    if (out && !lw_text_stream_close(out, printed))
        status = LW_STATUS_ERROR;
    if (messages && !lw_text_stream_close(messages, error_text))
        status = LW_STATUS_ERROR;
    if (nothing >= 0)
        close(nothing);
    return status;
}
