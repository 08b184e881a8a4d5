#ifndef LANEWAY_FOLDER_H
#define LANEWAY_FOLDER_H

/* A folder as the list of the kernels in it and below: Triton's cache has one folder a kernel. */

#include "laneway/kernel.h"
#include "laneway/text.h"

struct lw_kernel_file {
    char *path;
    bool about_read; /* `about` has been read */
    struct lw_kernel_about about;
};

#define LW_FOLDER_MAX ((size_t)1 << 16)
#define LW_FOLDER_DEPTH 64

struct lw_kernel_folder {
    char *path;
    struct lw_kernel_file *files; /* by name, then by path */
    size_t count;
    bool of_layouts; /* the files are documents, not dumps */
    bool cut;        /* there are more than LW_FOLDER_MAX, or deeper ones than LW_FOLDER_DEPTH */
    bool failed;     /* memory is out */
    /* While files are found: the folders that are being read, each below the one before it. */
    struct {
        void *dir;
        size_t length; /* of its path in `at` */
    } open[LW_FOLDER_DEPTH];
    struct lw_text at; /* the path that was examined last */
    int depth;
};

bool lw_is_folder(const char *path);
/* Finds the dumps by their names, or .json files, `of_layouts`; their metadata is read on demand. A list that is cut is
 * refused. Links to folders are not followed. Of the dumps of several stages of a kernel only the .ttgir is listed. */
bool lw_kernel_folder_open(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                           struct lw_error *err);
/* The same in steps, a moment each: begins; then each step finds some files, until it returns false; files are arranged
 * at any time, which sorts them, and drops earlier stages of a kernel. */
bool lw_kernel_folder_begin(struct lw_kernel_folder *folder, const char *path, bool of_layouts,
                            struct lw_error *err);
bool lw_kernel_folder_step(struct lw_kernel_folder *folder);
void lw_kernel_folder_arrange(struct lw_kernel_folder *folder);
/* Adds a file of that name. False when memory is out. */
bool lw_kernel_folder_add(struct lw_kernel_folder *folder, const char *path);
void lw_kernel_folder_free(struct lw_kernel_folder *folder);
/* The name, target and sizes of file number i, read at the first call. */
const struct lw_kernel_about *lw_kernel_folder_about(struct lw_kernel_folder *folder, size_t i);

#endif
