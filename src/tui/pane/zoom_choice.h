#ifndef LANEWAY_ZOOM_CHOICE_H
#define LANEWAY_ZOOM_CHOICE_H

/* The zooms that the user, or a lesson, chose for the views of a layout. */

#include <stdbool.h>
#include <stdint.h>

#define LW_PANES_MAX 2
#define LW_PANE_VIEWS 16 /* at least the number of views */

/* The zoom that the user chose for a view, and the arrangement of its layouts. */
struct lw_zoom_choice {
    uint8_t zoom;          /* + 1; 0: none */
    bool by_user;          /* with + or -, or to show each element: not by a setting or a lesson */
    bool beside;           /* see lw_view_options */
    uint64_t fold, across; /* the same */
};

/* The zooms of an entry that is not on the screen. */
struct lw_zooms {
    bool kept; /* else those of the settings are used */
    struct lw_zoom_choice chosen[LW_PANES_MAX][LW_PANE_VIEWS];
};

#endif
