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

enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *error_text, struct lw_error *err)
{
    enum lw_status status = LW_STATUS_ERROR;
    *err = (struct lw_error){0};
    FILE *out = lw_text_stream(printed), *messages = lw_text_stream(error_text);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (out && messages && nothing >= 0) {
        const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10); /* -1: it is closed */
        dup2(nothing, STDIN_FILENO);
        FILE *before = lw_messages_redirect(messages);
        status = run(context, out);
        lw_messages_redirect(before);
        if (input >= 0) {
            dup2(input, STDIN_FILENO);
            close(input);
        }
        clearerr(stdin);
    } else {
        lw_error_set(err, errno == ENOMEM ? LW_ERROR_MEMORY : LW_ERROR_IO,
                     "the command cannot be run: %s",
                     errno == ENOMEM ? "out of memory" : strerror(errno));
    }
    if (out && !lw_text_stream_close(out, printed))
        status = LW_STATUS_ERROR;
    if (messages && !lw_text_stream_close(messages, error_text))
        status = LW_STATUS_ERROR;
    if (nothing >= 0)
        close(nothing);
    return status;
}
