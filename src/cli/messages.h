#ifndef LANEWAY_MESSAGES_H
#define LANEWAY_MESSAGES_H

/* Exit statuses, and what is printed on standard error. */

#include "laneway/error.h"

#include <stdio.h>

enum lw_status {
    LW_STATUS_OK = 0,
    LW_STATUS_NO = 1,   /* the answer is no */
    LW_STATUS_ERROR = 2 /* the request is wrong */
};

/* Where messages go: standard error, unless it was redirected. */
FILE *lw_messages(void);
/* Sends messages to another stream; NULL: to standard error. Returns where they went before, to restore it. */
FILE *lw_messages_redirect(FILE *stream);

/* Sets the output of the command; NULL: none, and errno is that of its first failure. While it has failed, failures are
 * not reported on standard error: closing it reports that one, with its name. */
void lw_messages_set_output(FILE *stream);
/* Writes out what is before a message in that output. */
void lw_messages_follow_output(void);

/* Prints "laneway: " and the error with its excerpt; `source` is the input that it is about, or NULL. Once an
 * allocation has failed that is the message. Returns LW_STATUS_ERROR. */
enum lw_status lw_report_failure(const char *source, const struct lw_error *err);
/* Prints every problem of the report, and how many more there are than it holds. */
void lw_report_problems(const char *source, const struct lw_report *report);
/* The source, where a message should name it: a file or a gallery name. NULL for an expression. */
const char *lw_source_name(const char *source);

#endif
