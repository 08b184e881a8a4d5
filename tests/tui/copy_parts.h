#ifndef LANEWAY_TESTS_COPY_PARTS_H
#define LANEWAY_TESTS_COPY_PARTS_H

/* What the tests of copying share. */

#include "tui/explore/explorer.h"
#include "tui/write/copy.h"
#include "tui/drive.h"
#include "tui/keep/keep_file.h"

#include "laneway/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static inline void type(struct drive *d, const char *text)
{
    drive_type(d, text);
    drive_keys(d, "Enter");
}

static inline void read_all(FILE *file, struct lw_text *text)
{
    char buffer[4096];
    for (size_t got; (got = fread(buffer, 1, sizeof buffer, file)) > 0;)
        lw_text_bytes(text, buffer, got);
}

/* What the copied command line prints, with more options. */
static inline void run_command(struct drive *d, const char *more, struct lw_text *printed)
{
    struct lw_text line = {0};
    lw_put_command(&d->ex, &line);
    const char *command = lw_text_string(&line);
    assert_memory_equal(command, "laneway ", 8);
    struct lw_text all = {0};
    lw_text_format(&all, "\"$LANEWAY\" %s %s", command + 8, more);
    FILE *pipe = popen(lw_text_string(&all), "r");
    assert_non_null(pipe);
    read_all(pipe, printed);
    assert_int_equal(pclose(pipe), 0);
    lw_text_free(&line);
    lw_text_free(&all);
}

#endif
