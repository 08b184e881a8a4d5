#ifndef LANEWAY_ERROR_H
#define LANEWAY_ERROR_H

/*
 * Errors are values.
 *
 * A function that can fail returns false (or NULL) and fills a `struct lw_error` that the caller
 * owns. The library never prints, never exits and never aborts. Every function takes NULL for the
 * error when the caller does not care why.
 *
 * A message names the thing that is wrong, what it was, and what it may be:
 *
 *     threadsPerWarp = [3, 11]: each entry must be a power of two
 *
 * When the input was text, `place` says where in it, and `excerpt` is the line that holds it, so
 * that a caller can underline the offending piece (lw_text_error in text.h does).
 *
 * A validator that goes on after the first problem collects them in a `struct lw_report`.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum lw_code {
    LW_OK,
    LW_ERROR_MEMORY,      /* out of memory */
    LW_ERROR_SYNTAX,      /* text that cannot be read */
    LW_ERROR_NAME,        /* an unknown encoding, parameter, dim, gallery entry, ... */
    LW_ERROR_PARAMETER,   /* a parameter whose value is not legal */
    LW_ERROR_SHAPE,       /* shapes or dims that do not fit together */
    LW_ERROR_LIMIT,       /* more than this library handles */
    LW_ERROR_UNSUPPORTED, /* a right request that this layout has no answer to */
    LW_ERROR_IO,          /* the operating system said no */
    LW_ERROR_INTERNAL     /* a result that failed its own check: a defect of this library */
};

/* A stretch of text: line and column count from 1, in bytes; line 0 means "not from text". */
struct lw_place {
    int line;
    int column;
    int length;
};

#define LW_MESSAGE_MAX 512
#define LW_EXCERPT_MAX 160

struct lw_error {
    enum lw_code code;
    struct lw_place place;
    char parameter[48];           /* the parameter's name, "" when it is about none */
    char message[LW_MESSAGE_MAX]; /* one sentence, no newline */
    char excerpt[LW_EXCERPT_MAX]; /* the line of text at `place`, "" when none */
    int excerpt_column;           /* where `place` starts in the excerpt, from 1 */
};

/* Fills *err (when not NULL) and returns false, so that `return lw_error_set(...)` reads well. */
bool lw_error_set(struct lw_error *err, enum lw_code code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The same about a place in a text, or about a parameter (its name is kept in err->parameter). */
bool lw_error_at(struct lw_error *err, enum lw_code code, struct lw_place place, const char *format,
                 ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;
bool lw_error_about(struct lw_error *err, const char *parameter, struct lw_place place,
                    const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Copies the line that err->place names out of `text` into err->excerpt. Long lines are cut around
 * the place. Does nothing when the place is not in the text or an excerpt is there already. */
void lw_error_excerpt(struct lw_error *err, const char *text, size_t length);

#define LW_REPORT_MAX 16

/* All the problems of one input: the first LW_REPORT_MAX are kept, `total` counts the rest too. */
struct lw_report {
    int count;
    int total;
    struct lw_error errors[LW_REPORT_MAX];
};

void lw_report_add(struct lw_report *report, const struct lw_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
