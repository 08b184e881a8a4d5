#ifndef LANEWAY_GOLDEN_H
#define LANEWAY_GOLDEN_H

/* Golden files, in tests/golden: one JSON object a line, or fields with a separator. */

#include "unit.h"

#include "laneway/document.h"
#include "laneway/layout.h"

#include <cJSON.h>
#include <stdio.h>

/* Opens a file; when it is not there, the test fails. */
FILE *golden_open(const char *file);
/* The next line without its end, until the next call; NULL at the end, where the file is closed. */
char *golden_line(FILE *file);
/* The next line that is not the header, as an object to delete; NULL at the end. */
cJSON *golden_row(FILE *file);
/* Cuts the next field off a line; at the end "". */
char *golden_field(char **line, char separator);

/* Calls `row` for each line but the header. A file that is not there or a line that is no JSON fails
 * the test. */
void golden_each(const char *file, void (*row)(const cJSON *object, const char *line));

/* How to read sources of the file that golden_each reads: by the rules of its version of Triton, which
 * its header has; files without a header are of Triton 3.6. */
const struct lw_open_options *golden_options(void);

/* {"in": [["lane", 4]], "out": [["dim0", 4]], "bases": {"lane": [[1], [2]]}} as a layout, without
 * any help of the library's readers. */
struct lw_layout golden_layout(const cJSON *object);

/* A number of a row by its name; where it is a list, item `at` of it, else -1. The test fails when it is not there. */
int64_t golden_number(const cJSON *row, const char *name, int at);

#endif
