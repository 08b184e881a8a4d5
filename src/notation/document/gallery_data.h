#ifndef LANEWAY_GALLERY_DATA_H
#define LANEWAY_GALLERY_DATA_H

/* The documents of layouts/, turned into C by embed.sh at build time; sorted by name. */

#include "laneway/document.h"

extern const struct lw_gallery_entry lw_gallery_data[];
extern const size_t lw_gallery_data_count;

/* Those of layouts/lessons/, by their names there. */
extern const struct lw_gallery_entry lw_lesson_data[];
extern const size_t lw_lesson_data_count;

/* The dumps of layouts/kernels/: "kernels/transpose.gfx942.ttgir". */
extern const struct lw_gallery_entry lw_kernel_data[];
extern const size_t lw_kernel_data_count;
/* The dump of that name; NULL: there is none. */
const char *lw_gallery_kernel_text(const char *path);

#endif
