/* The layouts of an access, one on a line: the head of its views and reports. */

#include "view/view_parts.h"

/* Labels by kind and side; NULL: not shown. */
static const char *const labels[][LW_SIDES] = {
    [LW_HEAD_PLAN] = {"stores A:", "shared:", "loads B:"},
    [LW_HEAD_CONVERSION] = {"A:", NULL, "B:"},
    [LW_HEAD_SWIZZLE] = {"store:", "shared:", "load:"},
};

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

/* Writes the lines of all sides. When a plan has the same registers on both sides, they have one line. */
static void put_sides(struct lw_text *text, enum lw_head kind,
                      const struct lw_subject *const sides[LW_SIDES])
{
    const struct lw_subject *a = sides[LW_SIDE_A], *b = sides[LW_SIDE_B];
    bool one = kind == LW_HEAD_PLAN && !(a && b);
    put_layout(text, one ? "registers:" : labels[kind][LW_SIDE_A], a ? a : b);
    if (sides[LW_SIDE_S] && labels[kind][LW_SIDE_S])
        put_layout(text, labels[kind][LW_SIDE_S], sides[LW_SIDE_S]);
    if (!one)
        put_layout(text, labels[kind][LW_SIDE_B], b ? b : a);
}

void lw_put_head(struct lw_text *text, enum lw_head kind,
                 const struct lw_subject *const sides[LW_SIDES], const char *note)
{
    const struct lw_subject *a = sides[LW_SIDE_A], *b = sides[LW_SIDE_B];
    const struct lw_element *element = &(a ? a : b)->tensor.element;
    put_sides(text, kind, sides);
    if (kind != LW_HEAD_CONVERSION && sides[LW_SIDE_S] &&
        (is_part(a, sides[LW_SIDE_S]) || is_part(b, sides[LW_SIDE_S])))
        lw_text_format(text, "%-11sthe registers hold a part of it, from its first element on\n",
                       "");
    lw_text_format(text, "%-11s%s%s%d bits%s\n", "elements:", element->name,
                   *element->name ? ", " : "", element->bits, note);
}
