/* The nodes of a syntax tree: making and joining them, and messages about them. */

#include "notation/expression/expression.h"

#include <string.h>

struct lw_node *lw_node_new(struct lw_scan *scan, enum lw_node_kind kind)
{
    lw_scan_peek(scan);
    struct lw_position position = lw_scan_position(scan);
    if (scan->parts++ == LW_EXPRESSION_MOST) {
        lw_error_at(scan->err, LW_ERROR_LIMIT, position, "more than %zu parts in one expression",
                    LW_EXPRESSION_MOST);
        return NULL;
    }
    struct lw_node *node = lw_arena_alloc(scan->arena, sizeof *node);
    if (!node) {
        lw_scan_out_of_memory(scan);
        return NULL;
    }
    node->kind = kind; /* the memory of an arena is zero */
    node->position = position;
    node->text = scan->at;
    return node;
}

struct lw_node *lw_node_finish(struct lw_scan *scan, struct lw_node *node)
{
    node->position = lw_scan_until(scan, node->position);
    node->length = (size_t)(scan->at - node->text);
    return node;
}

struct lw_node *lw_node_wrap(struct lw_scan *scan, enum lw_node_kind kind, struct lw_node *first)
{
    struct lw_node *node = lw_node_new(scan, kind);
    if (!node)
        return NULL;
    node->position = first->position;
    node->text = first->text;
    node->length = first->length;
    node->items = first;
    node->count = 1;
    return node;
}

void lw_node_append(struct lw_node *node, struct lw_node **last, struct lw_node *item)
{
    (*last)->next = item;
    *last = item;
    node->count++;
    node->length = (size_t)(item->text + item->length - node->text);
    node->position = lw_position_join(node->position, item->position);
}

bool lw_node_is_name(const struct lw_node *node, const char *name)
{
    return node->kind == LW_NODE_NAME && !node->angles && !strcmp(node->name, name);
}

bool lw_node_is_swizzle(const struct lw_node *node)
{
    return node->angles && (!strcmp(node->name, "Sw") || !strcmp(node->name, "Swizzle") ||
                            !strcmp(node->name, "S"));
}

bool lw_expression_line_begun(struct lw_scan *scan)
{
    lw_scan_space(scan);
    const char *before = scan->at - 1;
    while (*before == ' ' || *before == '\t' || *before == '\r')
        before--;
    return *before == '\n';
}

const struct lw_node *lw_node_last(const struct lw_node *node)
{
    const struct lw_node *last = node->items;
    while (last->next)
        last = last->next;
    return last;
}

struct lw_position lw_node_end(const struct lw_node *node)
{
    struct lw_position position = node->position;
    position.column += position.length;
    position.length = 0;
    return position;
}

bool lw_node_unexpected(const struct lw_node *node, const char *expected, struct lw_error *err)
{
    return lw_error_at(err, LW_ERROR_SYNTAX, node->position, "expected %s, found '%.*s'", expected,
                       node->length > 40 ? 40 : (int)node->length, node->text);
}

static const struct {
    const char *symbol;
    enum lw_rank rank;
    bool on_line; /* at the beginning of a line it is no operator, but the sign of a number, or a
                     name */
} operators[] = {{"==", LW_RANK_COMPARISON, false}, {"!=", LW_RANK_COMPARISON, false},
                 {"+", LW_RANK_SUM, true},          {"-", LW_RANK_SUM, true},
                 {"*", LW_RANK_PRODUCT, false},     {"/", LW_RANK_PRODUCT, false},
                 {"%", LW_RANK_PRODUCT, true},      {"o", LW_RANK_PRODUCT, true}};

const char *lw_expression_operator(struct lw_scan *scan, enum lw_rank rank,
                                   struct lw_position *position)
{
    char c = lw_scan_peek(scan);
    if (!c || !strchr("=!+-*/%o", c))
        return NULL;
    *position = lw_scan_position(scan);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const char *symbol = operators[i].symbol;
        size_t length = strlen(symbol), left = (size_t)(scan->end - scan->at);
        if (operators[i].rank != rank || left < length || strncmp(scan->at, symbol, length) != 0 ||
            (operators[i].on_line && lw_expression_line_begun(scan)))
            continue;
        if (*symbol == 'o' ? !lw_scan_keyword(scan, symbol)
                           : left > length && scan->at[length] == '>')
            continue; /* a name, or the arrow -> */
        scan->at += *symbol == 'o' ? 0 : length;
        *position = lw_scan_until(scan, *position);
        return symbol;
    }
    return NULL;
}
