#ifndef LANEWAY_REPLACE_H
#define LANEWAY_REPLACE_H

/*
 * The one way to write a file: either the whole new file is there, or the old one is unchanged.
 *
 * The new content is written beside the old file, as `.NAME.laneway` (of a name its first 200 bytes), synced, and
 * renamed over it; then the folder is synced. The mode stays, and symbolic links to files are followed. What is not a
 * regular file is refused, and so is a file that is read-only. The owner, an access list and other hard links do not
 * stay: the new file is another one.
 *
 * The file beside is locked while its run lasts; the next run that writes the same file removes one without a lock,
 * which a run that was killed has left.
 */

#include "laneway/error.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

struct lw_replacement {
    FILE *stream;              /* the new content */
    const char *path;          /* as the user wrote it, for messages */
    int folder;                /* the folder of the file, open: the names below are names in it */
    char name[NAME_MAX + 1];   /* of the file */
    char beside[NAME_MAX + 1]; /* of the new one until it is renamed */
    int lock;                  /* held until then, also after the stream is closed */
    bool is_replaced; /* the path leads to the new file, also when syncing the folder has failed */
};

/* Opens the new content of the file at `path`, which need not exist. */
bool lw_replace_open(struct lw_replacement *file, const char *path, struct lw_error *err);
/* The same for a path that must not lead out of a folder: no symbolic link below the folder is followed, whatever
 * another program does meanwhile. Folders that the path names are made. */
bool lw_replace_open_below(struct lw_replacement *file, const char *folder, const char *path,
                           struct lw_error *err);
/* Replaces the old file by the new one, or drops the new one when `keep` is false. False, with the old file unchanged,
 * when something could not be written; also when the folder could not be synced: then file->is_replaced is set. */
bool lw_replace_close(struct lw_replacement *file, bool keep, struct lw_error *err);

/* Sets the error of a failed call from errno; returns false. */
bool lw_replace_failed(struct lw_error *err, const char *path);

/* Whether a file exists; unknown when stat fails for another reason. */
enum lw_file_there {
    LW_FILE_ABSENT,
    LW_FILE_THERE,
    LW_FILE_UNKNOWN /* errno has the reason */
};
enum lw_file_there lw_file_info(const char *path, struct stat *info);

#endif
