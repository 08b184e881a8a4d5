#ifndef LANEWAY_DOCS_WALK_H
#define LANEWAY_DOCS_WALK_H

/* The documents of a run, and those of a folder. */

#include "laneway/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The documents of a run. */
struct lw_docs_list {
    size_t count;
    struct lw_docs_document {
        char *path;
        bool walked;            /* found by walking a folder */
        uint64_t device, inode; /* 0: there is no such file */
    } * document;
};

bool lw_docs_list_add(struct lw_docs_list *list, const char *path, bool walked,
                      struct lw_error *err);
/* The document that is the same file as the path, under any name; NULL: there is none. Fails when that is unknown. */
bool lw_docs_list_find(const struct lw_docs_list *list, const char *path,
                       const struct lw_docs_document **document, struct lw_error *err);
void lw_docs_list_free(struct lw_docs_list *list);

/* Calls a function with each file below a folder that can have markers by its extension, in the order of their
 * names; with a path that is no folder once, and `walked` is false. Names that begin with a dot and links to
 * folders are left out. */
bool lw_docs_walk(const char *path, void (*visit)(void *context, const char *path, bool walked),
                  void *context, struct lw_error *err);

#endif
