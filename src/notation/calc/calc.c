/* The calculator: a text is parsed, and its value is computed from the tree; layouts are bound to names; those that are
 * written as operands of a tiling are checked. */

#include "notation/calc/calculator.h"

#include "encoding/schema/types.h"

#include <string.h>

/* ---- Computing ---- */

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

/* A result of CuTe or tilus, which has a tree, outlives the text in an arena alone. */
static bool settle(const struct lw_calc_work *work, const struct lw_calc_result *out,
                   struct lw_error *err)
{
    const struct lw_cute_tuple *tree = &out->as.tree;
    bool number = out->kind == LW_CALC_TREE && lw_cute_is_integer(tree) && !tree->fixed &&
                  !tree->axis && tree->value >= 0;
    bool has_tree = out->kind == LW_CALC_TILUS || out->kind >= LW_CALC_ATOM ||
                    (out->kind == LW_CALC_TREE && !number);
    return work || !has_tree ||
           lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s is not supported here",
                        out->kind == LW_CALC_TREE ? "a layout of CuTe" : lw_calc_kind_name(out));
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

/* ---- Bindings ---- */

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

bool lw_calc_name_check(const char *name, struct lw_error *err)
{
    const char *c = name;
    while (lw_is_name_part(*c))
        c++;
    if (lw_is_name_start(*name) && !*c && strcmp(name, "true") != 0 && strcmp(name, "false") != 0)
        return true;
    return lw_error_set(
        err, LW_ERROR_NAME,
        "'%.40s' cannot name a layout: expected letters, digits and _, with no digit first", name);
}

const char *lw_calc_taken(const char *name)
{
    const struct lw_encoding_type *type = lw_encoding_type_find(name);
    const struct lw_calc_operation *operation;
    /* not A of a tiled MMA, M.A(), which is a name that layouts have */
    for (size_t i = 0; name[1] && (operation = lw_calc_operation_at(i)) != NULL; i++)
        if (!strcmp(operation->name, name))
            return "an operation";
    return type && type->spelling == LW_SPELLING_CALL       ? "a function"
           : lw_calc_is_module(name)                        ? "a module"
           : lw_calc_is_blank(name)                         ? "a blank"
           : lw_calc_is_smem(name) || lw_calc_is_atom(name) ? "an atom"
                                                            : NULL;
}

/* ---- Operands of tilings ---- */

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
    const struct lw_cute *cute = good ? lw_calc_cute(&result) : NULL;
    if (!cute || !cute->tiling) {
        good = lw_error_about(err, "tiling", tiling->position,
                              "tiling: there is no operand %.200s: %.200s", lw_text_string(&text),
                              good ? "it is another layout" : own.message);
    } else {
        const struct lw_encoding *expected = lw_cute_to_encoding(&arena, cute);
        good = expected ? same_layout(encoding, expected, err)
                        : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    lw_text_free(&text);
    lw_arena_free(&arena);
    return good;
}
