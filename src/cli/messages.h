#ifndef LANEWAY_MESSAGES_H
#define LANEWAY_MESSAGES_H

/* Exit statuses, and what is printed on standard error. */

#include "laneway/error.h"

#include <stdio.h>

enum lw_status {
    LW_STATUS_OK = 0,
    LW_STATUS_NO = 1,   /* the result is negative: conflicts, a difference, `false` */
    LW_STATUS_ERROR = 2 /* an error */
};

/* Where messages go: standard error, unless it was redirected. */
FILE *lw_messages(void);
/* Writes messages to another stream; NULL: to standard error. Returns the previous stream, to restore it. */
FILE *lw_messages_redirect(FILE *stream);

/* Sets the output of the command; NULL: none, and sets errno to that of its first failure. After the output has failed,
 * other failures are not reported on standard error: closing the output reports its failure, with its name. */
void lw_messages_set_output(FILE *stream);
/* Flushes that output, so that a message comes after it. */
void lw_messages_follow_output(void);

/* Prints "laneway: " and the error with its excerpt; `source` is the input that it is about, or NULL. Once an
 * allocation has failed, the message is that memory is out. Returns LW_STATUS_ERROR. */
enum lw_status lw_report_failure(const char *source, const struct lw_error *err);
/* The name of a source for messages: a file or a gallery name. NULL for an expression. */
const char *lw_source_name(const char *source);

#endif
