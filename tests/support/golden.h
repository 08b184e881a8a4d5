#ifndef LANEWAY_GOLDEN_H
#define LANEWAY_GOLDEN_H

/* Golden files: one JSON object a line, in tests/golden. */

/* cmocka.h asks for these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cJSON.h>
#include <cmocka.h>

/* Calls `row` for each line but the header. A file that is not there or a line that is no JSON fails
 * the test. */
void golden_each(const char *file, void (*row)(const cJSON *object, const char *line));

#endif
