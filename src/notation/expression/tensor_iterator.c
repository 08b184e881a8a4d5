/* What CuTe prints before the layout of a tensor: gmem_ptr[16b](0x7f00) or ArithTuple(0,3), and then ` o `; and the
 * calls that make a pointer in C++ and in Python, make_gmem_ptr(A). */

#include "notation/expression/expression.h"

#include <string.h>

static const char *const pointers[] = {"ptr",      "gmem_ptr",  "smem_ptr", "rmem_ptr",
                                       "tmem_ptr", "_smem_ptr", "tmem_"};

bool lw_names_iterator(const struct lw_scan *scan, const char *name)
{
    char next = scan->at < scan->end ? *scan->at : '\0';
    bool found = next == '(' ? !strcmp(name, "ArithTuple") : !strcmp(name, "ArithTuple_0");
    for (size_t i = 0; next == '[' && i < sizeof pointers / sizeof *pointers; i++)
        found = found || !strcmp(name, pointers[i]);
    return found;
}

struct lw_node *lw_scan_pointer(struct lw_scan *scan)
{
    struct lw_node *node = lw_node_new(scan, LW_NODE_POINTER);
    if (!node || !lw_scan_keyword(scan, "smem_ptr") || !lw_scan_expect(scan, '[', "'['") ||
        !lw_scan_integer(scan, &node->integer) ||
        (!lw_scan_keyword(scan, "b") && !lw_scan_unexpected(scan, "'b', for bits")) ||
        !lw_scan_expect(scan, ']', "']'"))
        return NULL;
    if (lw_scan_accept(scan, '(') &&
        ((!lw_scan_keyword(scan, "unset") && !lw_scan_unexpected(scan, "'unset'")) ||
         !lw_scan_expect(scan, ')', "')'")))
        return NULL;
    return lw_node_finish(scan, node);
}

/* Skips the content of a pointer's parentheses: an address, or `unset`. */
static bool skip_address(struct lw_scan *scan)
{
    if (!lw_scan_expect(scan, '(', "'(' and an address"))
        return false;
    while (scan->at < scan->end && (lw_is_name_part(*scan->at) || *scan->at == '.'))
        scan->at++;
    return lw_scan_expect(scan, ')', "')'");
}

bool lw_scan_iterator(struct lw_scan *scan, const char *start, struct lw_node *node)
{
    if (!lw_scan_accept(scan, '[') || !lw_scan_integer(scan, &node->integer) ||
        (!lw_scan_keyword(scan, "b") && !lw_scan_unexpected(scan, "'b', for bits")) ||
        !lw_scan_expect(scan, ']', "']'") || !skip_address(scan))
        return false;
    node->name = lw_arena_string(scan->arena, start, (size_t)(scan->at - start));
    return node->name || lw_scan_out_of_memory(scan);
}

/* ---- Calls that make a pointer ---- */

bool lw_names_pointer(const struct lw_scan *scan, const char *name)
{
    static const char *const makers[] = {"make_gmem_ptr",    "make_smem_ptr", "make_rmem_ptr",
                                         "make_tmem_ptr",    "make_ptr",      "recast_ptr",
                                         "counting_iterator"};
    const char *last = strrchr(name, ':') ? strrchr(name, ':') + 1 : name;
    char next = scan->at < scan->end ? *scan->at : '\0';
    for (size_t i = 0; (next == '(' || next == '{') && i < sizeof makers / sizeof *makers; i++)
        if (!strcmp(makers[i], last))
            return true;
    return false;
}

/* Skips a bracket and all up to its partner, with the brackets inside. */
static bool skip_brackets(struct lw_scan *scan)
{
    int depth = 0;
    do {
        char c = lw_scan_peek(scan);
        if (scan->at >= scan->end)
            return lw_scan_unexpected(scan, "the bracket that ends a pointer");
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
        scan->at++;
    } while (depth > 0);
    return true;
}

struct lw_node *lw_scan_pointer_call(struct lw_scan *scan, struct lw_node *node)
{
    node->kind = LW_NODE_POINTER;
    while (scan->at < scan->end && (*scan->at == '(' || *scan->at == '{'))
        if (!skip_brackets(scan))
            return NULL;
    return lw_node_finish(scan, node);
}
