/* A layout in one line, and the layouts of an access, one on a line: the head of its views and reports. */

#include "view/view_parts.h"
#include "core/map_kinds.h"

#include <string.h>

/* "4 registers"; a name that is not known comes before the number: "t 4". */
static void put_count(struct lw_text *text, const struct lw_dim *dim)
{
    const unsigned long long size = dim->size;
    const char *name = lw_dim_title(dim);
    if (lw_text_has_word(" register lane warp block thread offset ", name))
        lw_text_format(text, "%llu %ss", size, name);
    else
        lw_text_format(text, "%s %llu", name, size);
}

void lw_summary(struct lw_text *text, const struct lw_subject *subject)
{
    const struct lw_map *map = &subject->map;
    uint64_t copies = lw_map_replication(map);
    const char *between = "";
    for (int i = 0; i < map->in.count; i++) /* "4 registers x 32 lanes" */
        if (map->in.dim[i].size > 1) {
            lw_text_add(text, between);
            put_count(text, &map->in.dim[i]);
            between = " x ";
        }
    lw_text_add(text, *between ? " -> " : "1 hardware index -> ");
    for (int i = 0; i < map->out.count; i++) {
        lw_text_add(text, i ? " x " : "");
        lw_text_number(text, map->out.dim[i].size);
    }
    lw_text_add(text, map->out.count ? "" : "1 element");
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

void lw_put_held(struct lw_text *text, const struct lw_subject *subject, bool is_assumed)
{
    struct lw_text summary = {0};
    lw_summary(&summary, subject);
    const char *all = lw_text_string(&summary), *arrow = strstr(all, " -> ");
    const char *shape = arrow ? arrow + 4 : all, *rest = shape + strcspn(shape, ",");
    if (arrow)
        lw_text_format(text, "%.*s hold ", (int)(arrow - all), all);
    lw_text_bytes(text, shape, (size_t)(rest - shape));
    lw_text_add(text, is_assumed ? " (assumed)" : "");
    lw_text_add(text, rest);
    lw_text_free(&summary);
}

/* ---- An access ---- */

static void put_layout(struct lw_text *text, const char *label, const struct lw_subject *subject)
{
    lw_text_format(text, "%-11s", label);
    lw_summary(text, subject);
    lw_text_char(text, '\n');
}

static bool is_part(const struct lw_subject *registers, const struct lw_subject *memory)
{
    return registers && !lw_dims_equal(&registers->map.out, &memory->map.out);
}

void lw_put_head(struct lw_text *text, enum lw_head kind,
                 const struct lw_subject *const sides[LW_SIDES], const char *note)
{
    static const char *const labels[][LW_SIDES] = {
        [LW_HEAD_PLAN] = {"stores A:", "shared:", "loads B:"},
        [LW_HEAD_CONVERSION] = {"A:", NULL, "B:"},
        [LW_HEAD_SWIZZLE] = {"store:", "shared:", "load:"},
    };
    const struct lw_subject *a = sides[LW_SIDE_A], *b = sides[LW_SIDE_B], *s = sides[LW_SIDE_S];
    const struct lw_element *element = &(a ? a : b)->tensor.element;
    const bool one = kind == LW_HEAD_PLAN && !(a && b); /* the same registers on both sides */
    put_layout(text, one ? "registers:" : labels[kind][LW_SIDE_A], a ? a : b);
    if (s && labels[kind][LW_SIDE_S])
        put_layout(text, labels[kind][LW_SIDE_S], s);
    if (!one)
        put_layout(text, labels[kind][LW_SIDE_B], b ? b : a);
    if (kind != LW_HEAD_CONVERSION && s && (is_part(a, s) || is_part(b, s)))
        lw_text_format(text, "%-11sthe registers hold a part of it, from its first element on\n",
                       "");
    lw_text_format(text, "%-11s%s%s%d bit%s%s\n", "elements:", element->name,
                   *element->name ? ", " : "", element->bits, element->bits == 1 ? "" : "s", note);
}
