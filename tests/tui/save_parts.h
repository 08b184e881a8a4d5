#ifndef LANEWAY_TESTS_SAVE_PARTS_H
#define LANEWAY_TESTS_SAVE_PARTS_H

/* What save_test.c and recovery_test.c share. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"

#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static inline char *in_folder(const char *name)
{
    static char path[4][200];
    static int next;
    char *made = path[next++ % 4];
    snprintf(made, sizeof path[0], "%s/%s", drive_folder, name);
    return made;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline bool file_has(const char *path, const char *piece)
{
    struct lw_text text = {0};
    bool has = lw_file_read(path, &text, NULL) && strstr(lw_text_string(&text), piece);
    lw_text_free(&text);
    return has;
}

static const char document[] =
    "{\"laneway\": 1, \"title\": \"mine\", \"encoding\": \"blocked\", \"shape\": [16, 64], "
    "\"element\": \"f16\", \"params\": {\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16], "
    "\"warpsPerCTA\": [1, 1], \"order\": [1, 0]}}";

/* A document of one's own, with an edit that is not saved. */
static inline void open_edited(struct drive *d, const char *path)
{
    write_file(path, document);
    drive_open(d, path);
    drive_field(d, "sizePerThread");
    drive_keys(d, "Right +");
    assert_string_equal(drive_value(d, "sizePerThread"), "[1, 8]");
    assert_true(d->ex.list.entries[0].dirty);
}

/* ---- Recovery ---- */

static inline size_t kept_files(void)
{
    glob_t found;
    bool any = glob(in_folder("state/laneway/unsaved/*/[0-9]*"), 0, NULL, &found) == 0;
    size_t count = any ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* Folders of runs, with something in them or not. */
static inline size_t kept_folders(void)
{
    glob_t found;
    bool any = glob(in_folder("state/laneway/unsaved/*"), 0, NULL, &found) == 0;
    size_t count = any ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* As at the start, with the question at once also beside a layout of another name. */
static inline void offer(struct drive *d)
{
    lw_recovery_offer(&d->ex);
    drive_command(d, "unsaved");
}

static inline void put_orphan(const char *text)
{
    mkdir(in_folder("state/laneway/unsaved/gone"), 0700);
    write_file(in_folder("state/laneway/unsaved/gone/0"), text);
}

#endif
