/* Helpers for readers: create encodings, append to lists, set parameters with the positions of errors, limit
 * the nesting of encodings. */

#include "encoding/schema/schema.h"
#include "notation/expression/expression.h"

#include <string.h>

/* ---- Limits ---- */

static int nesting_of_value(const struct lw_value *value, size_t *nodes);

/* How deep encodings are nested in an encoding; counts them in *nodes. Stops when that is deeper than is legal. */
static int nesting(const struct lw_encoding *encoding, size_t *nodes)
{
    int deepest = 0;
    ++*nodes;
    for (size_t i = 0; i < encoding->type->param_count && deepest <= LW_NESTING_MAX; i++) {
        int depth = nesting_of_value(&encoding->params[i], nodes);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

static int nesting_of_value(const struct lw_value *value, size_t *nodes)
{
    int deepest = 0;
    if (value->kind == LW_VALUE_ENCODING)
        return nesting(value->encoding, nodes);
    for (size_t i = 0; i < value->count && deepest <= LW_NESTING_MAX; i++) {
        int depth = nesting_of_value(&value->items[i], nodes);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

bool lw_check_nesting(const struct lw_encoding *encoding, struct lw_position position,
                      struct lw_error *err)
{
    size_t nodes = 0;
    if (nesting(encoding, &nodes) <= LW_NESTING_MAX)
        return true;
    return lw_error_at(err, LW_ERROR_LIMIT, position,
                       "layouts in layouts, or calls in a chain, more than %d deep",
                       LW_NESTING_MAX);
}

static bool count_nodes(struct lw_scan *scan, size_t nodes, struct lw_position position)
{
    scan->nodes += nodes;
    return scan->nodes <= LW_NODES_MAX ||
           lw_error_at(scan->err, LW_ERROR_LIMIT, position, "more than %d layouts in one text",
                       LW_NODES_MAX);
}

bool lw_read_copy(struct lw_scan *scan, struct lw_position position, const struct lw_value *from,
                  struct lw_value *to)
{
    size_t nodes = 0;
    nesting_of_value(from, &nodes);
    if (!count_nodes(scan, nodes, position))
        return false;
    if (!lw_value_copy(scan->arena, to, from))
        return lw_scan_out_of_memory(scan);
    to->position = position;
    return true;
}

/* ---- Encodings ---- */

struct lw_encoding *lw_read_new(struct lw_scan *scan, const struct lw_encoding_type *type,
                                struct lw_position position)
{
    if (!count_nodes(scan, 1, position))
        return NULL;
    struct lw_encoding *encoding = lw_encoding_new(scan->arena, type);
    if (!encoding)
        lw_scan_out_of_memory(scan);
    else
        encoding->position = position;
    return encoding;
}

bool lw_read_set_param(struct lw_encoding *encoding, const char *name, struct lw_position position,
                       const struct lw_value *value, struct lw_error *err)
{
    int index = lw_encoding_param(encoding, name);
    const struct lw_param *param = index < 0 ? NULL : &encoding->type->params[index];
    if (param && param->rules & LW_RULE_FOLLOWS && param->type == LW_PARAM_STRING)
        return lw_error_about(err, param->name, position,
                              "%s: the operand of a tiling is written as a source, "
                              "make_tiled_mma(...).B",
                              param->name);
    if (lw_encoding_set(encoding, name, value, err))
        return true;
    err->position = position;
    return false;
}

/* ---- Positions ---- */

void lw_move_position(struct lw_position *position, const struct lw_origin *origin)
{
    if (!origin || (position->line && !origin->is_exact))
        *position = origin ? origin->whole : (struct lw_position){0};
    if (!position->line || !origin->is_exact)
        return;
    position->column += position->line == 1 ? origin->first.column - 1 : 0;
    position->line += origin->first.line - 1;
}

void lw_move_value(struct lw_value *value, const struct lw_origin *origin)
{
    lw_move_position(&value->position, origin);
    for (size_t i = 0; i < value->count; i++)
        lw_move_value(&value->items[i], origin);
    if (value->kind == LW_VALUE_ENCODING)
        lw_move_encoding(value->encoding, origin);
}

void lw_move_encoding(struct lw_encoding *encoding, const struct lw_origin *origin)
{
    lw_move_position(&encoding->position, origin);
    for (size_t i = 0; i < encoding->type->param_count; i++)
        lw_move_value(&encoding->params[i], origin);
}

bool lw_is_spread(const struct lw_param *param)
{
    return param->type == LW_PARAM_INTEGERS && param->fallback == LW_DEFAULT_EMPTY;
}

void lw_fill_call(struct lw_encoding *encoding)
{
    for (size_t i = 0; i < encoding->type->param_count; i++)
        if (encoding->type->spelling == LW_SPELLING_CALL &&
            lw_is_spread(&encoding->type->params[i]) && encoding->params[i].kind == LW_VALUE_NONE)
            encoding->params[i] =
                (struct lw_value){.kind = LW_VALUE_LIST, .position = encoding->position};
}

/* ---- Lists ---- */

bool lw_read_append(struct lw_scan *scan, struct lw_value *list, size_t *room,
                    const struct lw_value *item)
{
    if (item->kind == LW_VALUE_NONE)
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, item->position,
                           "None is not a value of this parameter: omit it");
    if (list->count == *room) {
        size_t more = *room ? *room * 2 : 4;
        struct lw_value *items = lw_arena_alloc(scan->arena, more * sizeof *items);
        if (!items)
            return lw_scan_out_of_memory(scan);
        if (list->count)
            memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        *room = more;
    }
    list->items[list->count++] = *item;
    return true;
}
