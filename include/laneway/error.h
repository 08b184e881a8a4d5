#ifndef LANEWAY_ERROR_H
#define LANEWAY_ERROR_H

/*
 * Errors are values. A function that can fail returns false (or NULL) and fills a `struct lw_error`
 * that the caller owns, or NULL when the caller does not need the reason. Read it only after a
 * failure: a function that succeeds may have used it.
 *
 *     struct lw_error err;
 *     if (!lw_layout_identity(&layout, 3, "lane", "dim0", &err))
 *         fputs(err.message, stderr);
 *
 * A message names the thing that is wrong, what it was, and what it may be:
 *
 *     threadsPerWarp = [3, 11]: each entry must be a power of two
 *
 * When the input was text, `position` is the position in it and `excerpt` the line there, so that a
 * caller can underline the offending piece (lw_text_error in text.h does).
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* What surrounds the declarations of every header: names of C in C++ too, exported from the shared
 * library. */
#ifdef __cplusplus
#define LW_BEGIN                                                                                   \
    _Pragma("GCC visibility push(default)") extern "C"                                             \
    {
#define LW_END                                                                                     \
    }                                                                                              \
    _Pragma("GCC visibility pop")
#else
#define LW_BEGIN _Pragma("GCC visibility push(default)")
#define LW_END _Pragma("GCC visibility pop")
#endif

/* Of a function like printf: the numbers of its format and of its first other argument. */
#ifdef __GNUC__
#define LW_PRINTF(FORMAT, FIRST) __attribute__((format(printf, FORMAT, FIRST)))
#else
#define LW_PRINTF(FORMAT, FIRST)
#endif

LW_BEGIN

/* The kind of an error: what a program branches on. The message is for people. */
enum lw_code {
    LW_OK,                /* no error */
    LW_ERROR_MEMORY,      /* out of memory */
    LW_ERROR_SYNTAX,      /* text that cannot be parsed */
    LW_ERROR_NAME,        /* an unknown encoding, parameter, dim, gallery entry, ... */
    LW_ERROR_PARAMETER,   /* a parameter whose value is not legal */
    LW_ERROR_SHAPE,       /* shapes or dims that do not fit together */
    LW_ERROR_LIMIT,       /* more than this library handles */
    LW_ERROR_UNSUPPORTED, /* a valid request that has no answer for this input */
    LW_ERROR_IO,          /* a call of the operating system failed */
    LW_ERROR_INTERNAL,    /* a result that failed its own check: a defect of this library */
    LW_ERROR_STOPPED      /* the caller stopped it */
};

/* A range of text within one line. */
struct lw_position {
    int line;   /* from 1; 0: not from text */
    int column; /* of the first byte, from 1, in bytes */
    int length; /* in bytes */
};

#define LW_MESSAGE_MAX 512 /* bytes of a message, with the NUL; longer ones are cut */
#define LW_EXCERPT_MAX 160 /* bytes of an excerpt, with the NUL */

/* One error: a plain value that owns no memory. All strings end in NUL. */
struct lw_error {
    enum lw_code code;
    struct lw_position position; /* in the text that was read; line 0: from no text */
    char parameter[48];          /* the name of the parameter that is wrong, cut to fit; "": none */
    char message[LW_MESSAGE_MAX]; /* one sentence, no newline */
    char excerpt[LW_EXCERPT_MAX]; /* the line of text at `position`, "" when none */
    int excerpt_column;           /* where `position` starts in the excerpt, from 1, in bytes */
};

/* Fills *err (when not NULL) with the code and a message in the format of printf, characters that
 * are not printable escaped (lw_text_shown); position, parameter and excerpt are empty. Returns
 * false, so that `return lw_error_set(...)` reads well. */
bool lw_error_set(struct lw_error *err, enum lw_code code, const char *format, ...) LW_PRINTF(3, 4);
/* lw_error_set with the position in the text that the error is about. Returns false. */
bool lw_error_at(struct lw_error *err, enum lw_code code, struct lw_position position,
                 const char *format, ...) LW_PRINTF(4, 5);
/* lw_error_at of the code LW_ERROR_PARAMETER, with the parameter's name. Returns false. */
bool lw_error_about(struct lw_error *err, const char *parameter, struct lw_position position,
                    const char *format, ...) LW_PRINTF(4, 5);

/* Copies the line of err->position from `text` (`length` bytes, no NUL needed) into err->excerpt. A
 * long line is cut around the position; the bytes of control characters become blanks or `?`, those
 * that are not UTF-8 `?`. Does nothing when `err` is NULL, when the position is not in the text, or
 * when there is an excerpt already. */
void lw_error_excerpt(struct lw_error *err, const char *text, size_t length);

#define LW_REPORT_MAX 16 /* errors that a report keeps */

/* All the problems of one input. A report set to all zeros is empty; it owns no memory. */
struct lw_report {
    int count; /* errors in `errors`: the first ones, at most LW_REPORT_MAX */
    int total; /* all errors that were added */
    struct lw_error errors[LW_REPORT_MAX];
};

/* Counts an error and keeps a copy while there is room. Neither argument may be NULL. */
void lw_report_add(struct lw_report *report, const struct lw_error *err);

LW_END

#endif
