/* Bindings of layouts of CuTe and tilus, which expressions take in the notation of their system. */

#include "laneway/calc.h"
#include "laneway/encoding.h"

#include <string.h>

bool lw_calc_bind_cute(struct lw_calc_binding *let, const struct lw_encoding *encoding,
                       struct lw_arena *arena, struct lw_error *err)
{
    struct lw_cute cute, *kept;
    let->cute = NULL;
    if (!lw_cute_of_encoding(arena, encoding, &cute, err))
        return false;
    kept = lw_arena_alloc(arena, sizeof *kept);
    if (!kept || !lw_cute_copy(arena, kept, &cute))
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    let->cute = kept;
    return true;
}

bool lw_calc_bind_tilus(struct lw_calc_binding *let, const struct lw_encoding *encoding,
                        struct lw_arena *arena, bool linear, struct lw_error *why)
{
    enum lw_family family = encoding->type->family;
    let->tilus = NULL;
    let->why = NULL;
    if (family != LW_FAMILY_TILUS_REGISTER && family != LW_FAMILY_TILUS_SHARED)
        return linear;
    if (!linear && why->code != LW_ERROR_UNSUPPORTED)
        return false;
    let->tilus = lw_encoding_copy(arena, encoding);
    let->why = linear ? NULL : lw_arena_string(arena, why->message, strlen(why->message));
    return (let->tilus && (linear || let->why)) ||
           lw_error_set(why, LW_ERROR_MEMORY, "out of memory");
}
