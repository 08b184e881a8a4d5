/* The table of pictures, in the order of the tabs. */

#include "tui/picture/picture.h"

#include "core/array_count.h"

#include <string.h>

extern const struct lw_picture_type lw_picture_owners, lw_picture_matrix, lw_picture_mma,
    lw_picture_product, lw_picture_hardware, lw_picture_text;

/* Those from the first one that is not a tab are reached by the list of all views. */
const struct lw_picture_type *const lw_pictures[] = {
    &lw_picture_accesses,
    &lw_picture_owners,
    &lw_picture_path,
    &lw_picture_conversion,
    &lw_picture_memory_lines,
    &lw_picture_matrix,
    &lw_picture_mma,
    &lw_picture_product,
    &lw_picture_text,
    &lw_picture_hardware,
    NULL,
};

const struct lw_picture_type *lw_picture_named(const char *name)
{
    static const struct {
        const char *view, *picture;
    } names[] = {{"banks", "path"}, {"bases", "text"}, {"facts", "text"}, {"notation", "text"}};
    for (size_t i = 0; i < LW_COUNT(names); i++)
        if (!strcmp(name, names[i].view))
            name = names[i].picture;
    for (size_t i = 0; lw_pictures[i]; i++)
        if (!strcmp(name, lw_pictures[i]->name))
            return lw_pictures[i];
    return NULL;
}
