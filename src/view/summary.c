/* A layout in one line. */

#include "view/view_parts.h"
#include "core/map_kinds.h"

#include <string.h>

/* "4 registers", "12 local"; a name that is not known comes before the number: "t 4". */
static void put_count(struct lw_text *text, const struct lw_dim *dim)
{
    static const char *const plural[] = {"register", "lane", "warp", "block", "thread", "offset"};
    for (size_t i = 0; i < sizeof plural / sizeof *plural; i++)
        if (!strcmp(plural[i], dim->name)) {
            lw_text_number(text, dim->size);
            lw_text_format(text, " %ss", dim->name);
            return;
        }
    if (!strcmp(dim->name, "local"))
        lw_text_format(text, "%llu local", (unsigned long long)dim->size);
    else
        lw_text_format(text, "%s %llu", dim->name, (unsigned long long)dim->size);
}

/* "4 registers x 32 lanes": dims of size 1 are left out. */
static void put_hardware_dims(struct lw_text *text, const struct lw_dims *dims)
{
    bool some = false;
    for (int i = 0; i < dims->count; i++)
        if (dims->dim[i].size > 1) {
            lw_text_add(text, some ? " x " : "");
            put_count(text, &dims->dim[i]);
            some = true;
        }
    lw_text_add(text, some ? "" : "1 hardware index");
}

static void put_shape(struct lw_text *text, const struct lw_dims *dims)
{
    for (int i = 0; i < dims->count; i++) {
        lw_text_add(text, i ? " x " : "");
        lw_text_number(text, dims->dim[i].size);
    }
    lw_text_add(text, dims->count ? "" : "1 element");
}

void lw_summary(struct lw_text *text, const struct lw_subject *subject)
{
    const struct lw_map *map = &subject->map;
    uint64_t copies = lw_map_replication(map);
    put_hardware_dims(text, &map->in);
    lw_text_add(text, " -> ");
    put_shape(text, &map->out);
    if (!lw_map_check_unique(map, NULL)) {
        lw_text_add(text, ", elements share offsets");
        return;
    }
    if (lw_map_is_surjective(map)) {
        lw_text_add(text, ", every element ");
    } else {
        uint64_t total = 1;
        lw_dims_total(&map->out, &total, NULL);
        lw_text_format(text, ", %llu of %llu elements ",
                       (unsigned long long)lw_map_element_count(map), (unsigned long long)total);
    }
    lw_text_add(text, lw_map_is_even(map) ? "" : "up to ");
    if (copies == 1)
        lw_text_add(text, "once");
    else if (copies == 2)
        lw_text_add(text, "twice");
    else
        lw_text_format(text, "%llu times", (unsigned long long)copies);
}
