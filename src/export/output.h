#ifndef LANEWAY_OUTPUT_H
#define LANEWAY_OUTPUT_H

/* Where results go: the program and the explorer both write files this way. */

#include "export/replace.h"
#include "laneway/error.h"
#include "laneway/text.h"

/* A stream that is open already, such as standard output, or a file that appears whole or not at all. */
struct lw_output {
    FILE *stream;
    bool is_file;
    struct lw_replacement file;
};

/* Opens the file of that path; when the path is NULL or "-" it uses `standard` instead, if that is not NULL. */
bool lw_output_open(struct lw_output *output, const char *path, FILE *standard,
                    struct lw_error *err);
/* Keeps what was written, or drops it (a file only). */
bool lw_output_close(struct lw_output *output, bool keep, struct lw_error *err);
/* Makes a stream that is only written to fail, as if memory had run out. */
void lw_output_fail(FILE *out);
/* Writes a text unchanged. An error is noticed when the output is closed; a text that has failed makes the stream
 * fail. */
void lw_output_raw(FILE *out, const struct lw_text *text);
/* Writes a text for people: characters that are not printable are escaped (lw_text_shown), except line ends and
 * tabs. */
void lw_output_text(FILE *out, const struct lw_text *text);
/* lw_output_text with the format of printf. Use lw_output_name for a name of any origin. */
void lw_output_print(FILE *out, const char *format, ...) LW_PRINTF(2, 3);
/* Writes the name of a file, a kernel, ...: line ends and tabs are escaped too. */
void lw_output_name(FILE *out, const char *name);

#endif
