/*
 * Documents and the calculator: the layouts that are written in an expression, {...} and "SOURCE", and an expression
 * of CuTe as a source.
 */

#include "notation/calc/calculator.h"
#include "notation/document/read.h"
#include "core/unused.h"

#include <string.h>

/* ---- Sources in expressions ---- */

/* Makes a value of a document, and frees the document. */
static bool make_value(struct lw_document *doc, struct lw_triton_choice triton,
                       struct lw_arena *arena, struct lw_calc_result *value, struct lw_error *err)
{
    struct lw_map map;
    struct lw_cute cute, copy;
    bool good;
    err->code = LW_OK;
    lw_encoding_set_triton(doc->encoding, triton);
    if (lw_cute_of_encoding(arena, doc->encoding, &cute, err)) {
        struct lw_cute_work work = {.arena = arena, .err = err};
        good = lw_cute_copy(arena, &copy, &cute) ? lw_calc_set_cute(&work, &copy, value)
                                                 : lw_cute_memory(&work);
    } else {
        good = err->code == LW_OK && lw_encoding_build(doc->encoding, &doc->tensor, &map, err) &&
               lw_calc_linear(doc->encoding, &map, value, err);
    }
    lw_arena_free(&doc->arena);
    return good;
}

/* The sources of an expression. Their depth includes the sources around the expression, for the limit of nesting. */
struct sources {
    struct lw_calc_sources base;
    int depth;
    struct lw_triton_choice triton;
    lw_source_reader *read_source;
};

static bool read_node(const struct lw_calc_sources *base, const struct lw_node *node,
                      struct lw_arena *arena, struct lw_calc_result *value, struct lw_error *err)
{
    const struct sources *sources = (const struct sources *)base;
    struct lw_document doc = {0};
    bool object = node->kind == LW_NODE_OBJECT;
    const char *text = object ? node->text : node->name;
    struct lw_reading reading = {.arena = &doc.arena,
                                 .err = err,
                                 .depth = sources->depth,
                                 .triton = sources->triton,
                                 .read_source = sources->read_source,
                                 .allowed = object ? 0 : LW_ALLOW_NAMES | LW_ALLOW_FILES};
    lw_tensor_unknown(&doc.tensor);
    if (!lw_read_inner(&reading, &doc, text, object ? node->length : strlen(text), node->position,
                       !object)) {
        lw_arena_free(&doc.arena);
        return false;
    }
    bool good = make_value(&doc, sources->triton, arena, value, err);
    if (!good && err->position.line == 0)
        err->position = node->position;
    return good;
}

bool lw_read_calc(struct lw_reading *reading, const char *expr, const struct lw_calc_binding *lets,
                  size_t count, const struct lw_calc_work *work, struct lw_calc_result *out)
{
    struct sources sources = {.base = {.read = read_node},
                              .depth = reading->depth,
                              .triton = reading->triton,
                              .read_source = reading->read_source};
    return lw_calc_compute(expr, lets, count, work, &sources.base, out, reading->err);
}

/* ---- Expressions as sources ---- */

/* The layout of a result: for a tiled MMA that of C, for a tiled copy that of its source. */
static bool layout_of(struct lw_cute_work *work, const struct lw_calc_result *result,
                      struct lw_cute *cute)
{
    const struct lw_cute *own = lw_calc_cute(result);
    bool mma = result->kind == LW_CALC_MMA;
    if (mma || result->kind == LW_CALC_COPY)
        return lw_calc_over_tile(work, &result->as.tiling,
                                 mma ? (int)LW_CUTE_C : (int)LW_CUTE_SOURCE, cute);
    if (result->kind == LW_CALC_ATOM)
        return lw_error_set(work->err, LW_ERROR_SYNTAX,
                            result->as.tiling.mma_atom
                                ? "expected `.A`, `.B`, `.C` or `.ThrID` after the atom; "
                                  "make_tiled_mma(ATOM{}) with --view mma draws all three"
                                : "expected `.Src`, `.Dst`, `.Ref` or `.ThrID` after the atom");
    if (own)
        *cute = *own;
    return own || lw_error_set(work->err, LW_ERROR_SYNTAX,
                               "this is %s; a CuTe layout has a shape and a stride: (4,8):(8,1)",
                               lw_calc_kind_name(result));
}

bool lw_read_cute(struct lw_reading *reading, struct lw_document *doc,
                  LW_UNUSED struct lw_scan *scan)
{
    const struct lw_calc_pair *pair;
    struct lw_calc_work work = {.arena = reading->arena, .pair = &pair};
    struct lw_calc_result result;
    doc->notation = LW_NOTATION_CUTE;
    if (!lw_read_calc(reading, reading->text, NULL, 0, &work, &result))
        return false;
    struct lw_cute_work tiling = {
        .arena = reading->arena, .err = reading->err, .rules = LW_CUTE_VALUES};
    struct lw_cute made, cute;
    if (!layout_of(&tiling, &result, &made))
        return false;
    cute = made;
    if (lw_cute_is_of_coordinates(&cute) && !lw_cute_coords_to_tile(&tiling, &made, &cute))
        return false;
    if (cute.element)
        lw_element_find(&doc->tensor.element, cute.element, NULL);
    doc->encoding = lw_cute_to_encoding(reading->arena, &cute);
    /* An expression with a source in quotes is not kept: that may be a file, which is not read again. */
    bool part = pair || (cute.role && !cute.tiling && !strpbrk(reading->text, "(;"));
    doc->expression = part && !strchr(reading->text, '"') ? reading->text : NULL;
    return doc->encoding || lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
}
