/* Two cells in one character: a half block in their two colours. */

#include "tui/draw/drawing.h"

static uint8_t half_of_pen(struct lw_pen pen)
{
    switch ((enum lw_pen_kind)pen.kind) {
    case LW_PEN_INK:
    case LW_PEN_FILL:
        return pen.shade;
    case LW_PEN_DIMMED:
        return (uint8_t)(LW_HALF_DIMMED + pen.shade);
    case LW_PEN_PALE:
        return (uint8_t)(LW_HALF_PALE + pen.shade);
    case LW_PEN_CURSOR:
    case LW_PEN_LINKED:
        return LW_HALF_CURSOR;
    case LW_PEN_LIT:
        return LW_HALF_LIT;
    case LW_PEN_MARK:
    case LW_PEN_DIFFERS:
    case LW_PEN_SELECT:
        return LW_HALF_MARK;
    default:
        return LW_HALF_NONE;
    }
}

const char *lw_halves(struct lw_pen upper, struct lw_pen lower, struct lw_pen *pen)
{
    struct lw_pen half = {
        .kind = LW_PEN_HALF, .shade = half_of_pen(upper), .under = half_of_pen(lower)};
    bool above = half.shade != LW_HALF_NONE, below = half.under != LW_HALF_NONE;
    if (!above) /* a half without a colour has the background of the other */
        half = (struct lw_pen){.kind = LW_PEN_HALF, .shade = half.under, .under = LW_HALF_NONE};
    *pen = above || below ? half : lw_pen(LW_PEN_TEXT);
    if (half.shade == LW_HALF_CURSOR && half.under == LW_HALF_CURSOR)
        return "█";
    return above ? "▀" : below ? "▄" : " ";
}
