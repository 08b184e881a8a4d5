/*
 * Programs of expressions, as Python has them:
 *
 *     program     { import-line } statement { (`;` | newline) statement }
 *     statement   [ name { `.` name } [ `:` type ] `=` ] expression
 *                 | declared name `=` expression, in C++
 *     declared    [ `const` ] ( `auto` | `Tensor` | `TiledMMA` | ... ) [ `const` ] [ `&` [ `&` ] ]
 */

#include "notation/expression/expression.h"

#include <string.h>

static void skip_imports(struct lw_scan *scan)
{
    while (lw_scan_peek(scan) == 'i' || lw_scan_peek(scan) == 'f') {
        struct lw_scan ahead = *scan;
        bool import = lw_scan_keyword(&ahead, "import") || lw_scan_keyword(&ahead, "from");
        if (!import || ahead.at == ahead.end || !strchr(" \t", *ahead.at))
            return;
        const char *end = memchr(ahead.at, '\n', (size_t)(ahead.end - ahead.at));
        scan->at = end ? end : ahead.end;
    }
}

/* `self.mma`, without white space; NULL: there is no such name, or memory is out. */
static const char *parse_dotted(struct lw_scan *scan, struct lw_position *position)
{
    struct lw_position part;
    struct lw_text text = {0};
    const char *name = lw_scan_name(scan, position), *last = name;
    while (last && lw_scan_accept(scan, '.')) {
        lw_text_add(&text, last);
        lw_text_char(&text, '.');
        last = lw_scan_name(scan, &part);
    }
    if (last && text.length) {
        lw_text_add(&text, last);
        name = lw_arena_string(scan->arena, lw_text_string(&text), text.length);
    }
    lw_text_free(&text);
    return last ? name : NULL;
}

/* `auto`, `Tensor const&` before a variable of C++; false: there is none. */
static bool skip_type(struct lw_scan *scan)
{
    static const char *const types[] = {"auto",   "Tensor",  "Layout",   "TiledMMA", "TiledCopy",
                                        "ThrMMA", "ThrCopy", "MMA_Atom", "Copy_Atom"};
    bool found = false;
    while (lw_scan_keyword(scan, "static") || lw_scan_keyword(scan, "constexpr") ||
           lw_scan_keyword(scan, "const"))
        ;
    for (size_t i = 0; i < sizeof types / sizeof *types && !found; i++)
        found = lw_scan_keyword(scan, types[i]);
    if (found)
        lw_scan_keyword(scan, "const");
    while (found && lw_scan_accept(scan, '&'))
        ;
    return found;
}

/* The variable that a declaration of C++ sets; NULL: there is no declaration. */
static const char *parse_declared(struct lw_scan *scan, struct lw_position *position)
{
    struct lw_scan before = *scan;
    const char *name = skip_type(scan) ? lw_scan_name(scan, position) : NULL;
    if (name && lw_expression_take_equals(scan))
        return name;
    *scan = before;
    return NULL;
}

/* The variable that a statement sets, with `: type` after it or not; NULL: it sets none, and the cursor has not
 * moved. */
static const char *parse_variable(struct lw_scan *scan, struct lw_position *position)
{
    struct lw_scan before = *scan;
    struct lw_position type;
    const char *name = parse_dotted(scan, position);
    if (name && lw_scan_accept(scan, ':'))
        parse_dotted(scan, &type);
    if (name && lw_expression_take_equals(scan))
        return name;
    *scan = before;
    return NULL;
}

static struct lw_node *parse_statement(struct lw_scan *scan)
{
    struct lw_position position = {0};
    skip_imports(scan);
    bool sets = memchr(scan->at, '=', (size_t)(scan->end - scan->at));
    const char *variable = sets && scan->cpp ? parse_declared(scan, &position) : NULL;
    if (sets && !variable)
        variable = parse_variable(scan, &position);
    struct lw_node *statement = lw_expression_parse(scan);
    if (!statement)
        return NULL;
    statement->label = variable;
    statement->label_position = position;
    bool ended = lw_scan_at_end(scan) || lw_expression_line_begun(scan);
    while (lw_scan_accept(scan, ';'))
        ended = true;
    if (ended)
        return statement;
    lw_scan_unexpected(scan, "an operator, '.' or the end of the expression");
    return NULL;
}

struct lw_node *lw_expression_parse_program(struct lw_scan *scan)
{
    struct lw_node *first = NULL, **next = &first;
    do {
        if (!(*next = parse_statement(scan)))
            return NULL;
        next = &(*next)->next;
    } while (!lw_scan_at_end(scan));
    return first;
}
