/*
 * Lines of a file descriptor. Invariant: data[start..end) has been read and not yet returned; a
 * returned line is valid until the next call.
 */

#include "cli/batch.h"

#include "core/text_escape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes room for more: moves the unread bytes to the front, or doubles the buffer. */
static bool reserve(struct lw_lines *lines, struct lw_error *err)
{
    size_t left = lines->end - lines->start;
    if (left)
        memmove(lines->data, lines->data + lines->start, left);
    lines->start = 0;
    lines->end = left;
    if (left + 1 < lines->room)
        return true;
    if (left > LW_LINE_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "a line of standard input has more than %zu bytes",
                            LW_LINE_MAX);
    size_t room = lines->room ? lines->room * 2 : (size_t)1 << 16;
    char *data = realloc(lines->data, room);
    if (!data)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lines->data = data;
    lines->room = room;
    return true;
}

static bool read_more(struct lw_lines *lines, struct lw_error *err)
{
    if (!reserve(lines, err))
        return false;
    ssize_t n;
    do
        n = read(lines->fd, lines->data + lines->end, lines->room - lines->end - 1);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return lw_error_set(err, LW_ERROR_IO, "standard input: %s", strerror(errno));
    lines->over = n == 0;
    lines->end += (size_t)n;
    return true;
}

/* Ends a line with a NUL, without its carriage return and, at the beginning, a byte order mark. */
static char *end_line(struct lw_lines *lines, char *line, size_t *length)
{
    const char *text = line;
    if (*length && line[*length - 1] == '\r')
        --*length;
    line[*length] = '\0';
    if (!lines->begun)
        lw_skip_order_mark(&text, length);
    lines->begun = true;
    return line + (text - line);
}

char *lw_lines_next(struct lw_lines *lines, size_t *length, void (*idle)(void *context),
                    void *context, struct lw_error *err)
{
    size_t looked = 0;
    memset(err, 0, sizeof *err);
    for (;;) {
        size_t have = lines->end - lines->start;
        char *line = lines->data ? lines->data + lines->start : NULL;
        char *newline = have > looked ? memchr(line + looked, '\n', have - looked) : NULL;
        if (newline || (lines->over && have)) {
            *length = newline ? (size_t)(newline - line) : have;
            lines->start += *length + (newline != NULL);
            return end_line(lines, line, length);
        }
        looked = have;
        if (lines->over)
            return NULL;
        idle(context);
        if (!read_more(lines, err))
            return NULL;
    }
}

void lw_lines_free(struct lw_lines *lines)
{
    free(lines->data);
    lines->data = NULL;
}
