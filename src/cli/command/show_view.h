#ifndef LANEWAY_SHOW_VIEW_H
#define LANEWAY_SHOW_VIEW_H

/* The views of a SOURCE. */

#include "cli/figure.h"
#include "cli/load.h"

enum { LW_DISPLAYED_MAX = LW_PANELS_MAX }; /* views of one layout */

/* A layout, the other layouts of its access, and the views of it; its address must not change while it is open. */
struct lw_displayed {
    struct lw_loaded loaded;
    struct lw_opened opened[LW_SIDES];
    bool has[LW_SIDES]; /* which of them are opened */
    struct lw_view view[LW_DISPLAYED_MAX];
    size_t count;                     /* of views */
    struct lw_export_options options; /* of all of them */
};

/* The format that the options select; never NULL when true is returned. */
bool lw_show_format(const struct lw_arguments *args, const struct lw_format **format,
                    struct lw_error *err);
/* Opens the views of shown->loaded; of the layouts of an access, only views of an access need the others. Close
 * it in any case. */
bool lw_show_open(struct lw_displayed *shown, const struct lw_arguments *args,
                  const struct lw_format *format, const struct lw_load_options *options,
                  struct lw_error *err);
void lw_show_close(struct lw_displayed *shown);

#endif
