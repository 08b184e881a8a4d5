/* The calculator: a text is parsed, and its value is computed from the tree; layouts are bound to names. */

#include "notation/calc/calc_table.h"
#include "laneway/calc.h"
#include "laneway/encoding.h"

#include <string.h>

static const struct lw_node *parse(struct lw_scan *scan, size_t length)
{
    if (length > LW_CALC_MAX) {
        lw_error_set(scan->err, LW_ERROR_LIMIT, "an expression has at most %zu bytes, this one %zu",
                     LW_CALC_MAX, length);
        return NULL;
    }
    if (lw_scan_at_end(scan)) {
        lw_error_set(scan->err, LW_ERROR_SYNTAX, "the expression is empty");
        return NULL;
    }
    return lw_expression_parse_program(scan);
}

static bool compute(struct lw_calculation *calc, size_t length, struct lw_calc_result *out)
{
    const struct lw_node *first = parse(calc->scan, length);
    if (!first)
        return false;
    calc->makes_tilus = lw_calc_makes_tilus(first);
    bool good = lw_calc_is_tilus(calc, first) ? lw_calc_tilus(calc, first, out)
                                              : lw_calc_evaluate(calc, first, out);
    return good && lw_calc_check_size(calc, first->position, out);
}

/* A result of CuTe or tilus outlives the text. */
static bool settle(const struct lw_calc_work *work, struct lw_calc_result *out,
                   struct lw_error *err)
{
    lw_calc_plain_number(out);
    bool tree = out->kind == LW_CALC_CUTE || out->kind == LW_CALC_TILUS ||
                out->kind == LW_CALC_TUPLE || out->kind >= LW_CALC_ATOM;
    return work || !tree ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s is not supported here",
                        lw_calc_kind_name(out->kind == LW_CALC_TUPLE ? LW_CALC_CUTE : out->kind));
}

bool lw_calc_compute(const char *expr, const struct lw_calc_binding *lets, size_t count,
                     const struct lw_calc_work *work, const struct lw_calc_sources *sources,
                     struct lw_calc_result *out, struct lw_error *err)
{
    struct lw_arena own_arena = {0};
    struct lw_error own = {0};
    struct lw_scan scan;
    size_t length = strlen(expr);
    lw_scan_begin(&scan, work ? work->arena : &own_arena, expr, length, &own);
    scan.comment = "#";
    scan.cpp = true;
    scan.multiline = true;
    struct lw_calculation calc = {.scan = &scan,
                                  .arena = scan.arena,
                                  .err = scan.err,
                                  .sources = sources,
                                  .lets = lets,
                                  .let_count = count,
                                  .steps = work ? work->steps : NULL,
                                  .keeps_pairs = work && work->pair,
                                  .bits = work ? work->bits : 0,
                                  .as_cute = work && work->as_cute,
                                  .triton = work ? work->triton.version : LW_TRITON_UNSET};
    bool good = compute(&calc, length, out) && settle(work, out, &own);
    if (good && work && work->pair)
        *work->pair = lw_calc_pair_of(&calc, out);
    if (good && work && work->recounts)
        *work->recounts = calc.recounts;
    lw_arena_free(&own_arena);
    if (!good) {
        lw_error_excerpt(&own, expr, length);
        if (err)
            *err = own;
    }
    return good;
}

/* ---- Layouts of CuTe and tilus, which expressions keep in the notation of their system ---- */

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
