#ifndef LANEWAY_TAKEN_H
#define LANEWAY_TAKEN_H

/* What the user takes out of a layout screen: a file in any format, or a text for the clipboard. */

#include "tui/picture/picture.h"
#include "tui/screen.h"

/* What a layout screen shows: `on_screen` of its type. */
struct lw_on_screen {
    const struct lw_model *model;
    const struct lw_model *other;     /* that it is compared with; NULL: none */
    const char *picture;              /* its name: "owners" */
    const struct lw_subject *subject; /* that the picture is of */
    const struct lw_lit *lit;
};
/* False: the screen has no picture, or none yet. */
bool lw_on_screen(const struct lw_screen *screen, struct lw_on_screen *shown);

/* Requests the name of a file, and writes the picture to it. */
void lw_export_request(struct lw_screen *screen, int argument);
/* Writes the picture to a file, after a question if that exists. */
void lw_export_to_file(struct lw_screen *screen, const char *path);
/* Lists what can be copied. */
void lw_copy_request(struct lw_screen *screen, int argument);

#endif
