#ifndef LANEWAY_EDITS_H
#define LANEWAY_EDITS_H

/*
 * The edits of a document that are not saved: saving them, the question before they are lost, and a recovery file.
 *
 * A document has unsaved edits when what would be written differs from what was opened or last saved. Then there is one
 * recovery file of it, in a folder of the run in `$XDG_STATE_HOME/laneway/unsaved`, written again after each edit. The
 * folder is locked while the program runs: the files of one whose lock is free were left by a run that was killed, and
 * are offered at the next start.
 */

#include "tui/model.h"
#include "tui/screen.h"

#include <sys/stat.h>

struct lw_edits {
    struct lw_app *app;
    const struct lw_model *model; /* what is shown; it belongs to the screen */
    char *saved;        /* what is written of it, as it was opened or saved; NULL: nothing is */
    char *path;         /* its file; NULL: none */
    char *code;         /* the file of CUDA C++ that was opened; NULL: none */
    struct stat state;  /* of that file when it was read or written */
    char *recovery;     /* the recovery file; NULL: none */
    bool are_kept;      /* the screen is on the stack: unsaved edits are kept in a file */
    bool are_discarded; /* by the user */
    bool was_reported;  /* that they cannot be kept */
    enum lw_after { LW_STAY, LW_LEAVE, LW_QUIT } after; /* what follows when they are saved */
};

/* Sets up the edits of a model that was just opened from `text`; nothing of it is unsaved. */
void lw_edits_open(struct lw_edits *edits, struct lw_app *app, const struct lw_model *model,
                   const char *text);
/* Another model is shown, while an edit goes on; the last one is freed after this. */
void lw_edits_show(struct lw_edits *edits, const struct lw_model *model);
/* An edit has ended: `model` is shown. Writes the recovery file, or removes it when all is saved. `screen` has the
 * edits. */
void lw_edits_record(struct lw_edits *edits, const struct lw_screen *screen,
                     const struct lw_model *model);
/* Saves to the file of the document; after a question if another program changed it, or if there is none. */
void lw_edits_save(struct lw_edits *edits);
/* Saves to a file of that name, after a question if it exists. */
void lw_edits_save_as(struct lw_edits *edits, const char *path);
/* Ends: unsaved edits that were not discarded, as at a signal, stay in the recovery file. */
void lw_edits_close(struct lw_edits *edits);

/* Unlocks the folder of this run's recovery files at its end; one without files is removed. */
void lw_recovery_end(struct lw_app *app);
/* Offers the edits that earlier runs left. */
void lw_edits_offer(struct lw_app *app);

#endif
