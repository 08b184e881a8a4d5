#ifndef LANEWAY_REPLACE_H
#define LANEWAY_REPLACE_H

/*
 * The one way to write a file: it appears whole, or the old one stays.
 *
 * The new file is written in the same folder, without a name where the system has that, synced, and renamed.
 * Symbolic links are followed, also one to a file that does not exist yet. Mode, owner, access lists and other
 * attributes are those of the old file. What renaming would lose is written in place instead: a file with other
 * hard links, or whose owner or attributes cannot be given to a new file, or in a folder where no file can be
 * made. Then the new content and a copy of the old one are first written to the `spare` folder; the copy comes
 * back when writing fails, or at the start of the next run when this one is killed (lw_replace_recover).
 *
 * A new file without a name is gone when its run is killed. Otherwise, or between its last two steps, a run that is
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
    char *
        real; /* the file, behind symbolic links; NULL: the path is no regular file and was opened itself */
    char *scratch;     /* where the new content is written */
    bool is_unnamed;   /* it gets that name only when it is complete */
    const char *spare; /* where it is when the file is written in place; NULL: beside it */
    bool
        is_replaced; /* the name is that of the new file, also when closing has failed after that */
};

/* Opens a file to replace the one at `path`. `spare` is a folder of the user's own, which is made when it is needed;
 * NULL: there is none, and no file is written in place. */
bool lw_replace_open(struct lw_replacement *file, const char *path, const char *spare,
                     struct lw_error *err);
/* Writes all that the stream was given to the disk, so that closing does little more than to rename; what is written to
 * the stream after that is written when it is closed. For several files that are to be replaced together. */
bool lw_replace_prepare(struct lw_replacement *file, struct lw_error *err);
/* Puts the new file in place of the old one, or drops it when `keep` is false. False, with the old file unchanged, when
 * something could not be written; also when the folder could not be synced: then file->is_replaced is set. */
bool lw_replace_close(struct lw_replacement *file, bool keep, struct lw_error *err);
/* Gives files that a killed run was writing in place their old content, and removes what it left in the folder. */
void lw_replace_recover(const char *spare);

/* ---- replace_in_place.c ---- */

/* Opens the stream of the new content in the spare folder. */
bool lw_replace_open_spare(struct lw_replacement *file, struct lw_error *err);
/* Copies it over the file; when that fails the old content comes back. */
bool lw_replace_copy_back(struct lw_replacement *file, struct lw_error *err);

/* ---- replace_calls.c ---- */

/* Sets the error of a failed call from errno; returns false. */
bool lw_replace_failed(struct lw_error *err, const char *path);
/* Opens a new file for one run: locked, and removed first when it is of a run that is over. -1 and errno otherwise. */
int lw_replace_open_locked(const char *path, mode_t mode);
/* The same without a name, in the folder of a file; -1: the system cannot do that there. */
int lw_replace_open_unnamed(const char *path, mode_t mode);
/* Gives it a name. When that is taken by a file of a run that is over, that one is removed. */
bool lw_replace_name(int file, const char *path);
/* Whether there is a file. A call that fails for another reason than that there is none has not found that out. */
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

/* Gives an open file the attributes of another one: its access list too, and none where that one has none. False, with
 * errno EPERM, when one cannot be given. */
bool lw_replace_attributes(int file, const char *from);
/* Whether an open file has an access list, which a new one gets from its folder. */
bool lw_replace_has_access_list(int file);

#endif
