/* What is in a folder. */

#include "fault/fault.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct tree *current;
static size_t prefix;

static int add(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)where;
    struct tree_file file = {.path = strdup(path + prefix), .mode = (unsigned)info->st_mode};
    if (type == FTW_SL) {
        file.content = strdup("a link");
        file.length = strlen(file.content);
    } else if (type == FTW_F && S_ISREG(info->st_mode)) {
        FILE *in = fopen(path, "rb");
        file.content = malloc((size_t)info->st_size + 1);
        file.length = in ? fread(file.content, 1, (size_t)info->st_size, in) : 0;
        if (in)
            fclose(in);
    }
    current->files = realloc(current->files, (current->count + 1) * sizeof *current->files);
    current->files[current->count++] = file;
    return 0;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct tree_file *)a)->path, ((const struct tree_file *)b)->path);
}

void tree_read(struct tree *tree, const char *folder)
{
    *tree = (struct tree){0};
    current = tree;
    prefix = strlen(folder);
    nftw(folder, add, 16, FTW_PHYS);
    qsort(tree->files, tree->count, sizeof *tree->files, by_path);
}

void tree_free(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->files[i].path);
        free(tree->files[i].content);
    }
    free(tree->files);
    *tree = (struct tree){0};
}

static bool same(const struct tree_file *a, const struct tree_file *b)
{
    return a->mode == b->mode && a->length == b->length &&
           (!a->length || !memcmp(a->content, b->content, a->length));
}

static const struct tree_file *find(const struct tree *tree, const char *path)
{
    for (size_t i = 0; i < tree->count; i++)
        if (!strcmp(tree->files[i].path, path))
            return &tree->files[i];
    return NULL;
}

bool tree_equal(const struct tree *a, const struct tree *b)
{
    bool equal = a->count == b->count;
    for (size_t i = 0; equal && i < a->count; i++)
        equal = !strcmp(a->files[i].path, b->files[i].path) && same(&a->files[i], &b->files[i]);
    return equal;
}

/* A file of unsaved changes: they stay when a session does not end well, but then they are whole. */
static bool is_recovery(const struct tree_file *file)
{
    size_t n = file->length;
    return strstr(file->path, "/laneway/unsaved/") && n > 2 &&
           !memcmp(file->content + n - 2, "}\n", 2);
}

/* Settings of which one was not written: the file is whole, which the next start checks. */
static bool is_settings(const struct tree_file *file)
{
    size_t n = file->length;
    return strstr(file->path, "/laneway/settings.json") && n && file->content[n - 1] == '\n';
}

const char *tree_problem(const struct tree *now, const struct tree *before,
                         const struct tree *after, bool extra)
{
    static char text[512];
    for (size_t i = 0; i < now->count; i++) {
        const struct tree_file *file = &now->files[i];
        const struct tree_file *old = find(before, file->path), *new = find(after, file->path);
        bool spare = extra || S_ISDIR(file->mode) || is_recovery(file);
        const char *what =
            !old && !new ? spare ? NULL : "is left behind"
            : (old && same(file, old)) || (new &&same(file, new)) || is_settings(file)
                ? NULL
                : "is neither the old file nor the new one";
        snprintf(text, sizeof text, "%s %s", file->path, what ? what : "");
        if (what)
            return text;
    }
    for (size_t i = 0; i < before->count; i++)
        if (find(after, before->files[i].path) && !find(now, before->files[i].path)) {
            snprintf(text, sizeof text, "%s is lost", before->files[i].path);
            return text;
        }
    return NULL;
}
