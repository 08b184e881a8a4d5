#ifndef LANEWAY_FOLDER_H
#define LANEWAY_FOLDER_H

/* A folder as the list of the kernels in it and below: Triton's cache has one folder a kernel. */

#include "laneway/kernel.h"

struct lw_kernel_file {
    char *path;
    const char *below; /* the part of the path below the folder */
    bool about_read;   /* `about` has been read */
    struct lw_kernel_about about;
};

struct lw_kernel_folder {
    char *path;
    struct lw_kernel_file *files; /* by name, then by path */
    size_t count, room;
    bool of_layouts; /* the files are documents, not dumps */
    bool cut;        /* there are more than LW_FOLDER_MAX, or deeper ones than LW_FOLDER_DEPTH */
    bool failed, stopped;
};

#define LW_FOLDER_MAX ((size_t)1 << 16)
#define LW_FOLDER_DEPTH 6

bool lw_is_folder(const char *path);
/* Whether it is a folder, or the dump of a whole kernel and not a layout in one. */
bool lw_is_kernel_or_folder(const char *path);
/* Finds the dumps by their names; their metadata is read on demand. Links to folders are not followed. When the dumps
 * of several stages of a kernel are there, only the .ttgir is listed. Of the options only `stop` is used; NULL: the
 * search cannot be stopped. */
bool lw_kernel_folder_open(struct lw_kernel_folder *folder, const char *path,
                           const struct lw_kernel_options *options, struct lw_error *err);
/* The same for documents of layouts, files that end in .json, by their paths. */
bool lw_layout_folder_open(struct lw_kernel_folder *folder, const char *path,
                           const struct lw_kernel_options *options, struct lw_error *err);
/* Makes a list of the files that a user named, in that order; `name` is the path of the list. All must be dumps of
 * whole kernels. */
bool lw_kernel_folder_list(struct lw_kernel_folder *folder, const char *name,
                           const char *const *paths, size_t count, struct lw_error *err);
void lw_kernel_folder_free(struct lw_kernel_folder *folder);
/* The name, target and sizes of file number i, read at the first call. */
const struct lw_kernel_about *lw_kernel_folder_about(struct lw_kernel_folder *folder, size_t i);

#endif
