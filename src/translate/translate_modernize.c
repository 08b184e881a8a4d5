/*
 * Encodings in the notation of their version of Triton, 3.7 and later when none is set. Older releases write blocks as
 * three lists (3.5), the warps of amd_wmma as a list (3.6), and before 3.5 the version of amd_mfma as two numbers.
 * Parameters that replace others make the same layout. Source: the parsers in Dialect.cpp of Triton 3.7, and texts that
 * 3.5 to 3.9 accept.
 */

#include "encoding/triton/cga.h"
#include "encoding/triton/mma.h"
#include "encoding/schema/types.h"
#include "translate/translate_parts.h"

#include <string.h>

static void unset(struct lw_encoding *encoding, const char *name)
{
    int index = lw_encoding_param(encoding, name);
    if (index >= 0)
        encoding->params[index] = (struct lw_value){.kind = LW_VALUE_NONE};
}

static bool is_set(const struct lw_encoding *encoding, const char *name)
{
    return lw_encoding_param(encoding, name) >= 0 && lw_encoding_is_set(encoding, name);
}

typedef bool update_type(struct lw_translate_work *work, struct lw_encoding *encoding, int rank);

static bool update_blocks(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    struct lw_layout cga;
    static const char *const lists[] = {"CTAsPerCGA", "CTASplitNum", "CTAOrder"};
    bool old = is_set(encoding, "CTAsPerCGA");
    if (lw_encoding_since(encoding, LW_TRITON_3_6) ? !old : !is_set(encoding, "CGALayout"))
        return true;
    if (!lw_cga_layout(encoding, rank, &cga, NULL))
        return false;
    for (size_t i = 0; old && i < LW_COUNT(lists); i++)
        unset(encoding, lists[i]);
    if (!old)
        unset(encoding, "CGALayout");
    return lw_cga_set(work->arena, encoding, &cga);
}

/* {register = [...], warp = [...]}. Without a basis the rank must be given. */
static bool update_warps(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    static const char *const names[2] = {"register", "warp"};
    struct lw_layout warps;
    struct lw_value object = {.kind = LW_VALUE_OBJECT};
    if (rank == 3 && !is_set(encoding, "rank") && /* Triton assumes 2 */
        lw_encoding_since(encoding, LW_TRITON_3_7))
        lw_translate_set(encoding, "rank", lw_value_integer(rank));
    if (!is_set(encoding, "warpsPerCTA") || !lw_encoding_since(encoding, LW_TRITON_3_7))
        return true;
    object.items = lw_arena_alloc(work->arena, 2 * sizeof *object.items);
    object.names = lw_arena_alloc(work->arena, 2 * sizeof *object.names);
    if (!object.items || !object.names || !lw_wmma_warps(encoding, rank, &warps, NULL))
        return false;
    for (int i = 0; i < 2; i++) {
        int dim = lw_dims_find(&warps.in, names[i]);
        if (dim < 0 || !lw_layout_in_log2(&warps, dim))
            continue;
        object.items[object.count] = lw_translate_bases(work, &warps, dim);
        object.names[object.count++] = names[i];
    }
    unset(encoding, "warpsPerCTA");
    lw_translate_set(encoding, "ctaLayout", object);
    if (!object.count && !is_set(encoding, "rank"))
        lw_translate_set(encoding, "rank", lw_value_integer(rank));
    return true;
}

/* An instruction has m, n and k; 3.7 does not have those of 4 x 4. */
static bool update_mfma(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    int64_t instr[LW_RANK_MAX], version = lw_encoding_integer(encoding, "version");
    const struct lw_value *type = lw_encoding_value(encoding, "elementType");
    (void)rank;
    (void)work;
    bool last = lw_encoding_since(encoding, LW_TRITON_3_6);
    bool wide = type && type->kind == LW_VALUE_STRING && !strcmp(type->string, "f64");
    if (last &&
        (lw_integers(encoding, "instrShape", instr) != 3 || (instr[0] == 4 && instr[1] == 4)))
        return false;
    if (is_set(encoding, "versionMajor")) {
        version = lw_encoding_integer(encoding, "versionMajor");
        lw_translate_set(encoding, "version", lw_value_integer(version));
    }
    unset(encoding, "versionMajor");
    unset(encoding, "versionMinor");
    if (!last)
        return version > 0;
    unset(encoding, "elementType");
    if (wide && !is_set(encoding, "elementBitWidth"))
        lw_translate_set(encoding, "elementBitWidth", lw_value_integer(64));
    return version > 0;
}

static const struct {
    const struct lw_encoding_type *type;
    update_type *update;
} updates[] = {
    {&lw_encoding_amd_mfma, update_mfma},
    {&lw_encoding_amd_wmma, update_warps},
};

static bool update(struct lw_translate_work *work, struct lw_encoding *encoding, int rank)
{
    int parent = lw_encoding_param(encoding, "parent");
    bool good = true;
    if (parent >= 0 && encoding->params[parent].kind == LW_VALUE_ENCODING)
        return update(work, encoding->params[parent].encoding,
                      rank + (encoding->type == &lw_encoding_slice));
    for (size_t i = 0; i < LW_COUNT(updates) && good; i++)
        good = encoding->type != updates[i].type || updates[i].update(work, encoding, rank);
    return good && update_blocks(work, encoding, rank);
}

const struct lw_encoding *lw_translate_modernize(struct lw_translate_work *work,
                                                 const struct lw_encoding *encoding, int rank)
{
    struct lw_encoding *copy = lw_encoding_copy(work->arena, encoding);
    return copy && update(work, copy, rank) && lw_encoding_check_version(copy, NULL) ? copy : NULL;
}
