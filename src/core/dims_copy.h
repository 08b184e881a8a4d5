#ifndef LANEWAY_DIMS_COPY_H
#define LANEWAY_DIMS_COPY_H

/* Copies of dims and of layouts that copy only the dims in use: most have few, and an assignment copies LW_DIMS_MAX of
 * them. `out` may be the input. */

#include "laneway/layout.h"

#include <string.h>

static inline void lw_dims_copy(struct lw_dims *out, const struct lw_dims *dims)
{
    out->count = dims->count;
    for (int i = 0; i < dims->count; i++)
        out->dim[i] = dims->dim[i];
}

/* A layout of these dims with all bases zero; nothing is checked. */
static inline void lw_layout_start(struct lw_layout *out, const struct lw_dims *in,
                                   const struct lw_dims *outs)
{
    lw_dims_copy(&out->in, in);
    lw_dims_copy(&out->out, outs);
    memset(out->basis, 0, sizeof out->basis);
}

static inline void lw_layout_copy(struct lw_layout *out, const struct lw_layout *layout)
{
    lw_dims_copy(&out->in, &layout->in);
    lw_dims_copy(&out->out, &layout->out);
    memmove(out->basis, layout->basis, sizeof out->basis);
}

#endif
