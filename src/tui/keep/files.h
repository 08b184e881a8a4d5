#ifndef LANEWAY_FILES_H
#define LANEWAY_FILES_H

/* The files of the program's own: where they are, reading and writing them whole. */

#include "laneway/error.h"
#include "laneway/text.h"

/* Settings and themes; what is kept from one run to the next. */
enum lw_folder { LW_FOLDER_CONFIG, LW_FOLDER_STATE };

/* Appends `$XDG_CONFIG_HOME/laneway/NAME`, or where that stands when it is not set; fails with a
 * message when there is no home to put it in. */
bool lw_folder_path(struct lw_text *path, enum lw_folder folder, const char *name,
                    struct lw_error *err);
/* Makes the folders on the way to a path; each is the user's alone. */
bool lw_folder_make(const char *path, struct lw_error *err);

/* At most 1 MiB, appended; false without a file, with err->code LW_OK when it is just not there. */
bool lw_file_read(const char *path, struct lw_text *text, struct lw_error *err);
/* Waits a moment for other runs that change the same file: what is read then and written again loses
 * nothing of theirs. Returns what lw_file_unlock takes, whether it could be had or not. */
int lw_file_lock(const char *path);
void lw_file_unlock(int lock);
/* A file that appears whole or not at all. */
bool lw_file_write(const char *path, const char *text, struct lw_error *err);

#endif
