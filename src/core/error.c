/* Errors as values. Source: include/laneway/error.h. */

#include "laneway/error.h"

#include "core/text_escape.h"
#include "core/text_mark.h"

#include <stdio.h>
#include <string.h>

/* Escapes what is not printable: a name in a message may have any bytes. */
static void escape(char message[LW_MESSAGE_MAX])
{
    char raw[LW_MESSAGE_MAX], escaped[LW_ESCAPE_MAX];
    size_t used = 0;
    int length;
    memcpy(raw, message, LW_MESSAGE_MAX);
    for (const char *p = raw; *p; p += length) {
        bool is = lw_text_escape_next(p, &length, escaped);
        size_t count = is ? strlen(escaped) : (size_t)length;
        if (used + count >= LW_MESSAGE_MAX)
            break;
        memcpy(message + used, is ? escaped : p, count);
        used += count;
    }
    message[used] = '\0';
}

static bool fill(struct lw_error *err, enum lw_code code, struct lw_position position,
                 const char *format, va_list args)
{
    if (!err)
        return false;
    memset(err, 0, sizeof *err);
    err->code = code;
    err->position = position;
    bool written = vsnprintf(err->message, sizeof err->message, format, args) >= 0;
    if (!written || lw_text_has_mark(err->message, strlen(err->message)))
        *err = (struct lw_error){.code = LW_ERROR_MEMORY, .message = "out of memory"};
    escape(err->message);
    return false;
}

bool lw_error_set(struct lw_error *err, enum lw_code code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, code, (struct lw_position){0}, format, args);
    va_end(args);
    return false;
}

bool lw_error_at(struct lw_error *err, enum lw_code code, struct lw_position position,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, code, position, format, args);
    va_end(args);
    return false;
}

bool lw_error_about(struct lw_error *err, const char *parameter, struct lw_position position,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill(err, LW_ERROR_PARAMETER, position, format, args);
    va_end(args);
    if (err)
        snprintf(err->parameter, sizeof err->parameter, "%s", parameter);
    return false;
}

/* The start and end of line number `line` (from 1) of the text, or false when it has fewer. */
static bool find_line(const char *text, size_t length, int line, const char **start,
                      const char **end)
{
    const char *p = text, *stop = text + length;
    for (int n = 1; n < line; n++) {
        p = memchr(p, '\n', (size_t)(stop - p));
        if (!p)
            return false;
        p++;
    }
    const char *q = memchr(p, '\n', (size_t)(stop - p));
    *start = p;
    *end = q ? q : stop;
    return true;
}

/* Replaces each byte of a character that is not printable by a blank or `?`, so that columns do not change. */
static void blank_controls(char *text, size_t count)
{
    int length;
    for (char *p = text; p < text + count; p += length) {
        char escaped[LW_ESCAPE_MAX];
        if (lw_text_escape_next(p, &length, escaped))
            memset(p, (unsigned char)*p < 128 ? ' ' : '?', (size_t)length);
    }
}

void lw_error_excerpt(struct lw_error *err, const char *text, size_t length)
{
    const char *start, *end;
    lw_skip_order_mark(&text, &length);
    if (!err || err->position.line < 1 || err->excerpt[0] ||
        !find_line(text, length, err->position.line, &start, &end))
        return;
    size_t column = err->position.column > 0 ? (size_t)err->position.column - 1 : 0;
    size_t width = (size_t)(end - start), room = sizeof err->excerpt - 1;
    size_t from = column > room / 2 ? column - room / 2 : 0;
    if (from > width)
        return;
    size_t n = width - from < room ? width - from : room;
    memcpy(err->excerpt, start + from, n);
    err->excerpt[n] = '\0';
    blank_controls(err->excerpt, n);
    err->excerpt_column = (int)(column - from) + 1;
}

void lw_report_add(struct lw_report *report, const struct lw_error *err)
{
    report->total++;
    if (report->count < LW_REPORT_MAX)
        report->errors[report->count++] = *err;
}
