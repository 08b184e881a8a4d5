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

/* Appends the text of a file of at most 1 MiB. False without a file, with err->code LW_OK when it does not exist. */
bool lw_file_read(const char *path, struct lw_text *text, struct lw_error *err);
/* Writes a new file beside the old one and renames it: the file is complete or unchanged. */
bool lw_file_write(const char *path, const char *text, struct lw_error *err);

/* A kept file: a JSON object of words or numbers, {"theme": "dark"}. */
struct lw_keep_file {
    enum lw_folder folder;
    const char *name; /* "settings.json" */
    /* Whether a member is legal; if not, *err has the reason. */
    bool (*check)(const char *name, const struct lw_value *value, struct lw_error *err);
};

/* What was read of one. */
struct lw_kept {
    struct lw_arena arena;
    struct lw_value object;
};

/* Reads a kept file. A file that does not exist is an empty one. False when there is a problem: the first one, its
 * message with the file's name and the position, is in *err; members that are not legal have the kind NONE. */
bool lw_keep_load(const struct lw_keep_file *file, struct lw_kept *kept, struct lw_error *err);
void lw_kept_free(struct lw_kept *kept);
/* Sets a member in the present file, which has what other runs have written. A file that has a problem is never
 * overwritten: then false, with the first problem in *err. */
bool lw_keep_set(const struct lw_keep_file *file, const char *name, const struct lw_value *value,
                 struct lw_error *err);

/* How many steps of each lesson are done: {"banks": 4}. */
extern const struct lw_keep_file lw_progress_file;
/* The number of that name; 0: there is none. */
uint64_t lw_progress_of(const struct lw_kept *progress, const char *name);

#endif
