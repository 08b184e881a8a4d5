#ifndef LANEWAY_SAVE_H
#define LANEWAY_SAVE_H

/* Saving layouts as documents, and leaving when all of them are saved. */

#include "core/base_name.h"
#include "tui/list/entries.h"

/* Whether the program ends after a save: of all layouts that are not saved, or of this one. */
enum lw_quit_after { LW_QUIT_NOT, LW_QUIT_ALL_SAVED, LW_QUIT_ENTRY_SAVED };

struct lw_save_state {
    char path[1024]; /* the file of the question */
    enum lw_quit_after quit_after;
    bool failed;      /* a file could not be written, or a command could not be run: the status of a
                       script */
    char reason[512]; /* of the last failure, as its message may be gone from the screen */
    bool waits;       /* quit when the job has written its file */
    bool abandoned;   /* ended without an answer to the question about unsaved changes */
};

bool lw_documents_equal(const struct lw_document *a, const struct lw_document *b);
/* Computes whether the entry on the screen has unsaved changes, and keeps those for recovery. */
void lw_save_update(struct lw_explorer *ex);
/* Shows that a file could not be written or a command could not be run, and keeps it for a script. */
void lw_save_failed(struct lw_explorer *ex, const char *what, const char *reason);
void lw_save(struct lw_explorer *ex, int unused);
/* Sets ex->save.path to a typed file name, with ~/ expanded. */
bool lw_choose_file(struct lw_explorer *ex, const char *path);
void lw_save_prompt(struct lw_explorer *ex, int unused);
void lw_save_as(struct lw_explorer *ex, const char *path);
void lw_quit(struct lw_explorer *ex); /* shows a question first when something is not saved */

#endif
