/* Parts of a text. */

#include "cli/docs/text_slice.h"

#include <string.h>

void lw_slice_skip(struct lw_slice *slice, size_t count)
{
    slice->at += count;
    slice->length -= count;
}

size_t lw_slice_span(struct lw_slice slice, const char *among)
{
    size_t length = 0;
    while (length < slice.length && slice.at[length] && strchr(among, slice.at[length]))
        length++;
    return length;
}

bool lw_slice_take(struct lw_slice *slice, const char *token)
{
    size_t length = strlen(token);
    if (slice->length < length || memcmp(slice->at, token, length) != 0)
        return false;
    lw_slice_skip(slice, length);
    return true;
}

void lw_slice_trim(struct lw_slice *slice)
{
    lw_slice_skip(slice, lw_slice_span(*slice, " \t"));
    while (slice->length && strchr(" \t", slice->at[slice->length - 1]))
        slice->length--;
}

bool lw_slice_equal(struct lw_slice a, struct lw_slice b)
{
    return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}
