#ifndef LANEWAY_SAVE_H
#define LANEWAY_SAVE_H

/* Saving layouts as documents, and leaving when all of them are saved. */

#include "core/base_name.h"
#include "tui/list/entries.h"

/* Whether the program ends once it has saved: all that is not saved, or this one layout. */
enum lw_quit_after { LW_QUIT_NOT, LW_QUIT_ALL_SAVED, LW_QUIT_ENTRY_SAVED };

struct lw_save_state {
    char path[1024]; /* the file that a question is about */
    enum lw_quit_after quit_after;
    bool failed;    /* a file could not be written, or a command not run: a script ends with it */
    bool waits;     /* quit once the job has written its file */
    bool abandoned; /* left without an answer to the question about unsaved changes */
};

bool lw_documents_equal(const struct lw_document *a, const struct lw_document *b);
/* Whether the entry on the screen has unsaved changes; those are kept for recovery (refresh.c). */
void lw_save_update(struct lw_explorer *ex);
void lw_save(struct lw_explorer *ex, int unused);
/* A file's name as typed, ~/ included, into ex->save.path. */
bool lw_choose_file(struct lw_explorer *ex, const char *path);
void lw_save_prompt(struct lw_explorer *ex, int unused);
void lw_save_as(struct lw_explorer *ex, const char *path);
void lw_quit(struct lw_explorer *ex); /* shows a question first when something is not saved */

#endif
