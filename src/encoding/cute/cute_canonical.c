/* Why a layout is not canonical for a matrix descriptor, in which mode, and what CuTe does with it. */

#include "encoding/cute/cute_parts.h"
#include "laneway/cute_tiled.h"

#include <stdarg.h>
#include <stdio.h>

const char *lw_operand_mode(int mode)
{
    return mode ? "K" : "M or N";
}

bool lw_not_canonical(struct lw_cute_work *work, enum lw_descriptor_kind kind, enum lw_major major,
                      const char *assertion, const char *format, ...)
{
    char why[LW_MESSAGE_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    return lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                        "not canonical: %s; CuTe does not compile it: \"Not a canonical %cMMA_%s "
                        "Layout: %s\"",
                        why, kind == LW_DESCRIPTOR_WGMMA ? 'G' : 'U',
                        major == LW_MAJOR_K ? "K" : "MN", assertion);
}

bool lw_not_adjacent(struct lw_cute_work *work, enum lw_major major, int64_t per,
                     const struct lw_cute_layout *layout)
{
    int along = major == LW_MAJOR_K;
    struct lw_text text = {.limit = 100};
    struct lw_cute_layout mode = lw_cute_mode(layout, along);
    lw_cute_layout_print(&text, &mode);
    lw_error_set(work->err, LW_ERROR_UNSUPPORTED,
                 "not canonical: mode %d (%s) is %s: with Major::%s its first %lld elements, 16 "
                 "bytes, must have stride 1",
                 along, lw_operand_mode(along), lw_text_string(&text), along ? "K" : "MN",
                 (long long)per);
    lw_text_free(&text);
    return false;
}

bool lw_not_of_blocks(struct lw_cute_work *work, enum lw_descriptor_kind kind, enum lw_major major,
                      int i, int64_t block, const struct lw_cute_layout *divided)
{
    bool units = i == (major == LW_MAJOR_K);
    struct lw_text text = {.limit = 100};
    struct lw_cute_layout mode = lw_cute_mode(divided, i);
    lw_cute_layout_print(&text, &mode);
    lw_not_canonical(work, kind, major, "Expected profile failure.",
                     "mode %d (%s) must have one stride in a block of %lld%s and one from block to "
                     "block; in units of 16 bytes it is %s",
                     i, lw_operand_mode(i), (long long)block, units ? " units of 16 bytes" : "",
                     lw_text_string(&text));
    lw_text_free(&text);
    return false;
}
