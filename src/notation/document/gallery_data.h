#ifndef LANEWAY_GALLERY_DATA_H
#define LANEWAY_GALLERY_DATA_H

/* The documents of layouts/, turned into C by embed.sh at build time; sorted by name. */

#include "laneway/document.h"

extern const struct lw_gallery_entry lw_gallery_data[];
extern const size_t lw_gallery_data_count;

/* Those of layouts/lessons/, by their names there. */
extern const struct lw_gallery_entry lw_lesson_data[];
extern const size_t lw_lesson_data_count;

#endif
