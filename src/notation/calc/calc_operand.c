/* Checks that layouts which are written as operands of a tiling are such operands. */

#include "notation/calc/calc_table.h"
#include "laneway/encoding.h"

/* Refuses a source inside a tiling. */
static bool refuse_source(const struct lw_calc_sources *sources, const struct lw_node *node,
                          struct lw_arena *arena, struct lw_calc_result *value,
                          struct lw_error *err)
{
    (void)sources, (void)arena, (void)value;
    return lw_node_unexpected(node, "a tiled MMA or a tiled copy", err);
}

static bool same_layout(const struct lw_encoding *encoding, const struct lw_encoding *expected,
                        struct lw_error *err)
{
    static const char *const same[] = {"shape", "stride", "tile"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const struct lw_value *own = lw_encoding_value(encoding, same[i]);
        const struct lw_value *other = lw_encoding_value(expected, same[i]);
        if (!own || !other || !lw_value_equal(own, other))
            return lw_error_about(
                err, same[i], lw_encoding_value(encoding, "tiling")->position,
                "%s: the operand of tiling has another; unset tiling and operand, "
                "or write the tiling as a source",
                same[i]);
    }
    return true;
}

bool lw_calc_check_operand(const struct lw_encoding *encoding, struct lw_error *err)
{
    static const struct lw_calc_sources none = {refuse_source};
    const struct lw_value *tiling = lw_encoding_value(encoding, "tiling");
    const struct lw_value *operand = lw_encoding_value(encoding, "operand");
    struct lw_arena arena = {0};
    struct lw_text text = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result result;
    struct lw_error own = {0};
    if (!tiling || !operand || tiling->kind != LW_VALUE_STRING || operand->kind != LW_VALUE_STRING)
        return true;
    lw_text_format(&text, "%s.%s", tiling->string, operand->string);
    bool good = lw_calc_compute(lw_text_string(&text), NULL, 0, &work, &none, &result, &own);
    if (!good || result.kind != LW_CALC_CUTE || !result.as.cute.tiling) {
        good = lw_error_about(err, "tiling", tiling->position,
                              "tiling: there is no operand %.200s: %.200s", lw_text_string(&text),
                              good ? "it is another layout" : own.message);
    } else {
        const struct lw_encoding *expected = lw_cute_to_encoding(&arena, &result.as.cute);
        good = expected ? same_layout(encoding, expected, err)
                        : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    lw_text_free(&text);
    lw_arena_free(&arena);
    return good;
}
