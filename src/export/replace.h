#ifndef LANEWAY_REPLACE_H
#define LANEWAY_REPLACE_H

/*
 * The one way to write a file: either the whole new file is there, or the old one is unchanged.
 *
 * The new file is written in the same folder, without a name where the system has that, synced, and renamed. Symbolic
 * links are followed, also one to a file that does not exist yet. Mode, owner, access lists and other attributes are
 * those of the old file. A file is written in place instead when renaming would lose something: when it has other hard
 * links, when its owner or attributes cannot be given to a new file, or when no file can be made in its folder. Then
 * the new content and a copy of the old one are first written to the `spare` folder; the old content is restored when
 * writing fails, or at the start of the next run when this one is killed (lw_replace_recover).
 *
 * A new file without a name disappears when its run is killed. Otherwise, or between its last two steps, a run that is
 * killed may leave it as `.NAME.laneway`; it is locked while its run lasts, and the next run that writes the same file
 * removes it.
 *
 *     replace.c                beside the old file
 *     replace_in_place.c       in place
 *     replace_calls.c          what both need
 *     replace_attributes.c     attributes that a new file takes over
 */

#include "laneway/error.h"

#include <stdio.h>
#include <sys/stat.h>

struct lw_replacement {
    FILE *stream;     /* the new content */
    const char *path; /* as the user wrote it, for messages */
    char
        *real; /* the file that symbolic links lead to; NULL: the path is not a regular file and was
                 opened itself */
    char *scratch;     /* where the new content is written */
    bool is_unnamed;   /* it gets the name `scratch` only when it is complete */
    const char *spare; /* where it is when the file is written in place; NULL: beside it */
    bool is_replaced;  /* the path leads to the new file, also when closing has failed after the
                        renaming */
};

/* Opens a file to replace the one at `path`. `spare` is a folder of the user's own, which is made when it is needed;
 * NULL: there is none, and no file is written in place. */
bool lw_replace_open(struct lw_replacement *file, const char *path, const char *spare,
                     struct lw_error *err);
/* Writes the content of the stream so far to the disk, so that closing does little more than rename. For several files
 * that are replaced together. */
bool lw_replace_prepare(struct lw_replacement *file, struct lw_error *err);
/* Replaces the old file by the new one, or drops the new one when `keep` is false. False, with the old file unchanged,
 * when something could not be written; also when the folder could not be synced: then file->is_replaced is set. */
bool lw_replace_close(struct lw_replacement *file, bool keep, struct lw_error *err);
/* Restores the old content of files that a killed run was writing in place, and removes its files from the folder. */
void lw_replace_recover(const char *spare);

/* ---- replace_in_place.c ---- */

/* Opens the stream of the new content in the spare folder. */
bool lw_replace_open_spare(struct lw_replacement *file, struct lw_error *err);
/* Copies the new content over the file; when that fails the old content is restored. */
bool lw_replace_copy_back(struct lw_replacement *file, struct lw_error *err);

/* ---- replace_calls.c ---- */

/* Sets the error of a failed call from errno; returns false. */
bool lw_replace_failed(struct lw_error *err, const char *path);
/* Opens a new file for one run, locked; a file of that name from a run that has ended is removed first. -1 and errno on
 * failure. */
int lw_replace_open_locked(const char *path, mode_t mode);
/* The same without a name, in the folder of a file; -1: the file system does not support that. */
int lw_replace_open_unnamed(const char *path, mode_t mode);
/* Gives that file a name. A file of that name from a run that has ended is removed. */
bool lw_replace_name(int file, const char *path);
/* Whether a file exists; unknown when the call fails for another reason. */
enum lw_file_there {
    LW_FILE_ABSENT,
    LW_FILE_THERE,
    LW_FILE_UNKNOWN /* errno has the reason */
};
/* stat and lstat, again when a signal interrupts them. */
enum lw_file_there lw_file_info(const char *path, struct stat *info);
enum lw_file_there lw_link_info(const char *path, struct stat *info);
/* fsync, again when a signal interrupts it. */
bool lw_replace_sync(int file);
/* Syncs the folder of a file, so that its name is on the disk. */
bool lw_replace_sync_folder(const char *path);

/* ---- replace_attributes.c ---- */

/* Gives an open file the attributes of another one: its access list too, and no access list when that file has none.
 * False, with errno EPERM, when one cannot be set. */
bool lw_replace_attributes(int file, const char *from);
/* Whether an open file has an access list; a new file may get one from its folder. */
bool lw_replace_has_access_list(int file);

#endif
