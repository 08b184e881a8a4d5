#ifndef LANEWAY_KEEP_FILE_H
#define LANEWAY_KEEP_FILE_H

/* The files that the program keeps from one run to the next: their paths, reading them, writing them whole. */

#include "laneway/error.h"
#include "laneway/text.h"
#include "laneway/value.h"

/* Settings; everything else. */
enum lw_folder { LW_FOLDER_CONFIG, LW_FOLDER_STATE };

/* Appends `$XDG_CONFIG_HOME/laneway/NAME`, or the default of the XDG base directory specification when
 * the variable is not set; fails with a message when HOME is not set either. */
bool lw_folder_path(struct lw_text *path, enum lw_folder folder, const char *name,
                    struct lw_error *err);
/* Makes the folders above a path, for the user alone (mode 0700). */
bool lw_folder_make(const char *path, struct lw_error *err);

/* Appends the text of a file of at most 1 MiB. False without a file, with err->code LW_OK when it does
 * not exist. */
bool lw_file_read(const char *path, struct lw_text *text, struct lw_error *err);
/* Writes a new file beside the old one and renames it: the file is complete or unchanged. */
bool lw_file_write(const char *path, const char *text, struct lw_error *err);

/* A kept file: a JSON object, in which each member is read by itself. */
struct lw_keep_file {
    enum lw_folder folder;
    const char *name; /* "progress.json" */
    /* Puts a member into *data; false: it is not legal, and *err has the reason. */
    bool (*read)(void *data, const char *name, const struct lw_value *value, struct lw_error *err);
    /* Appends member number i; false: there are fewer. */
    bool (*print)(const void *data, size_t i, struct lw_text *text);
};

/* Reads a kept file into *data. A file that does not exist is an empty one. False when there is a problem: the first
 * one, its message with the file's name and the position, is in *err; the other members are read nevertheless. */
bool lw_keep_load(const struct lw_keep_file *file, void *data, struct lw_error *err);
/* Reads the present file, with what other runs have written, into *data (an empty value, or the defaults), puts a
 * member into that, and writes it back. A file that has a problem is never overwritten: then false, with the first
 * problem in *err. */
bool lw_keep_change(const struct lw_keep_file *file, void *data, const char *name,
                    const struct lw_value *value, struct lw_error *err);

#endif
