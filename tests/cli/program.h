#ifndef TEST_PROGRAM_H
#define TEST_PROGRAM_H

/* Runs the built program as a user does, through a shell, and keeps its output. */

#include <stddef.h>

struct result {
    int status; /* of the shell: 128 + n for a signal */
    char *out, *err;
    size_t out_length, err_length;
};

/* In a command, `laneway` is the program ($LANEWAY, else build/laneway) and $SCRATCH a folder of
 * this test program's own. It runs in the root of the source tree, with no terminal. */
void run_command(struct result *result, const char *command);
/* The same with text on standard input. */
void run_with_input(struct result *result, const char *command, const char *input, size_t length);
void result_free(struct result *result);

/* Calls `use` for each line of a golden file that is not its header; the line is JSON. */
struct cJSON;
void each_golden(const char *name, void (*use)(const struct cJSON *row, void *context),
                 void *context);

/* The whole of a file of the source tree, NUL-terminated. */
char *read_whole(const char *path, size_t *length);

#endif
