/*
 * The grammar of programs and of expressions:
 *
 *     program     statement { (`;` | newline) statement }
 *     statement   [ name [ `:` name { `.` name } ] `=` ] expression
 *                 | { name [ `&` [ `&` ] ] } name `=` expression, in C++
 *     expression  product { (`==` | `!=`) product }
 *     product     chain { (`*` | `/` | `o`) chain }
 *     chain       primary { `.` name | `.` name arguments | arguments }
 *     primary     axis [ `:` axis ]
 *     axis        atom { `@` integer }
 *     atom        integer | string | `#`attribute | name [ arguments ] | pointer
 *                 | `(` items `)` | `[` items `]` | `<` items `>` | `{` labelled-items `}`
 *     name        word { `::` word } [ `<` items `>` ] [ `{` `}` ]
 *     pointer     name `[` integer `b` `]` [ arguments ]
 *     arguments   `(` items `)`, each item with `name =` before it or not
 *     labelled-items   items, each with `name =` or `name :` before it; the name may be a string
 *     items       [ expression { `,` expression } [ `,` ] ]
 *
 * Of JSON (scan->json) an expression is an atom.
 *
 * The arguments of something that is not a name must begin on the same line; a parenthesis on the next line
 * begins a new statement.
 */

#include "notation/expression/expression.h"

#include "core/array_count.h"

#include <string.h>

/* ---- Nodes ---- */

/* A node that begins at the cursor; NULL and an error. It ends where node_finish is called. */
static struct lw_node *node_new(struct lw_scan *scan, enum lw_node_kind kind)
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

static struct lw_node *node_finish(struct lw_scan *scan, struct lw_node *node)
{
    node->position = lw_scan_until(scan, node->position);
    node->length = (size_t)(scan->at - node->text);
    return node;
}

/* A node that begins where its first item does. */
static struct lw_node *node_wrap(struct lw_scan *scan, enum lw_node_kind kind,
                                 struct lw_node *first)
{
    struct lw_node *node = node_new(scan, kind);
    if (!node)
        return NULL;
    node->position = first->position;
    node->text = first->text;
    node->length = first->length;
    node->items = first;
    node->count = 1;
    return node;
}

/* Appends an item after *last and sets *last to it; a node ends where its last item does. */
static void node_append(struct lw_node *node, struct lw_node **last, struct lw_node *item)
{
    (*last)->next = item;
    *last = item;
    node->count++;
    node->length = (size_t)(item->text + item->length - node->text);
    node->position = lw_position_join(node->position, item->position);
}

bool lw_node_is_swizzle(const struct lw_node *node)
{
    return node->angles && (!strcmp(node->name, "Sw") || !strcmp(node->name, "Swizzle") ||
                            !strcmp(node->name, "S"));
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

/* ---- Operators ---- */

/* Whether a line ends between what was parsed last and the cursor. */
static bool line_begun(struct lw_scan *scan)
{
    lw_scan_space(scan);
    const char *before = scan->at - 1;
    while (*before == ' ' || *before == '\t' || *before == '\r')
        before--;
    return *before == '\n';
}

/* The ranks of operators; operators of a later rank bind more tightly. */
enum rank { RANK_COMPARISON, RANK_SUM, RANK_PRODUCT };

static const struct {
    const char *symbol;
    enum rank rank;
    bool on_line; /* at the beginning of a line it is no operator, but the sign of a number, or a
                     name */
} operators[] = {{"==", RANK_COMPARISON, false}, {"!=", RANK_COMPARISON, false},
                 {"+", RANK_SUM, true},          {"-", RANK_SUM, true},
                 {"*", RANK_PRODUCT, false},     {"/", RANK_PRODUCT, false},
                 {"%", RANK_PRODUCT, true},      {"o", RANK_PRODUCT, true}};

/* Consumes an operator of a rank and sets its position; NULL: there is none. */
static const char *take_operator(struct lw_scan *scan, enum rank rank, struct lw_position *position)
{
    char c = lw_scan_peek(scan);
    if (!c || !strchr("=!+-*/%o", c))
        return NULL;
    *position = lw_scan_position(scan);
    for (size_t i = 0; i < LW_COUNT(operators); i++) {
        const char *symbol = operators[i].symbol;
        size_t length = strlen(symbol), left = (size_t)(scan->end - scan->at);
        if (operators[i].rank != rank || left < length || strncmp(scan->at, symbol, length) != 0 ||
            (operators[i].on_line && line_begun(scan)))
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

/* ---- Labels ---- */

/* Consumes a `=` that is not the first half of `==`. */
static bool take_equals(struct lw_scan *scan)
{
    bool equals = lw_scan_peek(scan) == '=' && !(scan->at + 1 < scan->end && scan->at[1] == '=');
    scan->at += equals;
    return equals;
}

/* Parses the label of an item before `close`; true with *label NULL: there is none. */
static bool parse_label(struct lw_scan *scan, char close, const char **label,
                        struct lw_position *position)
{
    char c = lw_scan_peek(scan);
    bool quoted = c == '"' || (c == '\'' && !scan->json);
    *label = NULL;
    if (close == '}' && scan->json && !quoted)
        return lw_scan_unexpected(scan, "a name in double quotes");
    if (close != '}' && (close != ')' || !(quoted || lw_is_name_start(c))))
        return true;
    struct lw_scan before = *scan;
    *position = lw_scan_position(scan);
    *label = quoted ? lw_scan_quoted(scan) : lw_scan_name(scan, position);
    *position = lw_scan_until(scan, *position);
    if (close == '}' && !*label)
        return !quoted && lw_scan_unexpected(scan, "a name");
    if (close == '}')
        return lw_scan_accept(scan, ':') || (!scan->json && take_equals(scan)) ||
               lw_scan_unexpected(scan, scan->json ? "':'" : "':' or '='");
    if (*label && take_equals(scan))
        return true;
    *scan = before;
    *label = NULL;
    return true;
}

/* ---- Items ---- */

/* The items of a node from the bracket at the cursor to the closing one. *comma: one follows the last item. */
static bool parse_items(struct lw_scan *scan, struct lw_node *node, char close, bool *comma)
{
    struct lw_node **next = &node->items;
    struct lw_position position = lw_scan_position(scan);
    position.length = scan->whole.line ? position.length : 1;
    *comma = false;
    if (!lw_scan_enter(scan, position))
        return false;
    for (scan->at++; !lw_scan_accept(scan, close); node->count++) {
        const char *label;
        struct lw_position at = {0};
        if (!parse_label(scan, close, &label, &at))
            return false;
        if (close == '>' && lw_scan_peek(scan) == ',')
            return lw_scan_unexpected(scan, "a tiler or an argument, as in <3:3, (2,4):(1,8)>");
        if (!(*next = lw_expression_parse(scan)))
            return false;
        (*next)->label = label;
        (*next)->label_position = at;
        next = &(*next)->next;
        *comma = lw_scan_accept(scan, ',');
        if (*comma && scan->json && lw_scan_peek(scan) == close)
            return lw_scan_unexpected(scan, close == '}' ? "a name in double quotes" : "a value");
        if (!*comma && lw_scan_peek(scan) != close)
            return lw_scan_unexpected(scan, close == ')'   ? "',' or ')'"
                                            : close == ']' ? "',' or ']'"
                                            : close == '}' ? "',' or '}'"
                                                           : "',' or '>'");
    }
    scan->depth--;
    return true;
}

/* Parses a bracket and its items into one node. */
static struct lw_node *parse_brackets(struct lw_scan *scan, enum lw_node_kind kind, char close)
{
    bool comma;
    struct lw_node *node = node_new(scan, kind);
    if (!node || !parse_items(scan, node, close, &comma))
        return NULL;
    if (kind == LW_NODE_TUPLE && node->count == 1 && !comma)
        node->kind = LW_NODE_GROUP;
    return node_finish(scan, node);
}

/* Parses the arguments of a name, when it has some; the node then becomes one of that kind. */
static struct lw_node *parse_arguments(struct lw_scan *scan, struct lw_node *name,
                                       enum lw_node_kind kind)
{
    bool comma;
    if (lw_scan_peek(scan) != '(')
        return name;
    name->kind = kind;
    return parse_items(scan, name, ')', &comma) ? node_finish(scan, name) : NULL;
}

/* ---- Atoms ---- */

static struct lw_node *parse_integer(struct lw_scan *scan)
{
    struct lw_node *node = node_new(scan, LW_NODE_INTEGER);
    if (!node)
        return NULL;
    node->plus = *scan->at == '+';
    const char *end = scan->at;
    while (end < scan->end && lw_is_digit(*end))
        end++;
    node->fixed = scan->cpp && end > scan->at && scan->end - end >= 2 && end[0] == '_' &&
                  end[1] == 'c' && (scan->end - end == 2 || !lw_is_name_part(end[2]));
    if (!(node->fixed ? lw_scan_integer : lw_scan_number)(scan, &node->integer))
        return NULL;
    scan->at += node->fixed ? 2 : 0;
    return node_finish(scan, node);
}

/* Whether a name that was consumed makes a pointer, make_gmem_ptr(A), or is a printed one, gmem_ptr[16b](0x7f00). */
static bool is_pointer(struct lw_scan *scan, const char *name)
{
    static const char printed[] = "ptr gmem_ptr smem_ptr rmem_ptr tmem_ptr tmem_";
    static const char made[] = "make_gmem_ptr make_smem_ptr make_rmem_ptr make_tmem_ptr make_ptr "
                               "recast_ptr counting_iterator";
    const char *colon = strrchr(name, ':');
    char next = lw_scan_peek(scan);
    return (next == '[' && lw_text_has_word(printed, name)) ||
           (next == '(' && lw_text_has_word(made, colon ? colon + 1 : name));
}

/* Reads the bits of a pointer's elements, and skips its arguments with the brackets inside. */
static struct lw_node *parse_pointer(struct lw_scan *scan, struct lw_node *node)
{
    node->kind = LW_NODE_POINTER;
    if (lw_scan_accept(scan, '[') && /* 16b] */
        (!lw_scan_integer(scan, &node->integer) ||
         !(lw_scan_keyword(scan, "b") || lw_scan_unexpected(scan, "'b', for bits")) ||
         !lw_scan_expect(scan, ']', "']'")))
        return NULL;
    for (int depth = 0; depth || (scan->at < scan->end && *scan->at == '('); scan->at++) {
        char c = lw_scan_peek(scan);
        if (scan->at == scan->end) {
            lw_scan_unexpected(scan, "the bracket that ends a pointer");
            return NULL;
        }
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
    }
    return node_finish(scan, node);
}

static struct lw_node *parse_name(struct lw_scan *scan)
{
    struct lw_node *node = node_new(scan, LW_NODE_NAME);
    if (node && *scan->at == '?') { /* of the CuTe DSL: ?{i64 div=8} */
        const char *close = scan->at + 1 < scan->end && scan->at[1] == '{'
                                ? memchr(scan->at, '}', (size_t)(scan->end - scan->at))
                                : NULL;
        node->name = "?";
        scan->at = close ? close + 1 : scan->at + 1;
        node_finish(scan, node);
        node->name_position = node->position;
        return node;
    }
    if (!node || !(node->name = lw_scan_words(scan, &node->name_position)))
        return NULL;
    node_finish(scan, node);
    if (lw_scan_peek(scan) == '<') {
        if (!(node->angles = parse_brackets(scan, LW_NODE_TILER, '>')))
            return NULL;
        node_finish(scan, node);
    }
    if (lw_scan_accept(scan, '{')) { /* a value of the type */
        if (!lw_scan_expect(scan, '}', "'}': types of CuTe are made without arguments"))
            return NULL;
        node_finish(scan, node);
    }
    if (is_pointer(scan, node->name))
        return parse_pointer(scan, node);
    return lw_node_is_swizzle(node) ? node : parse_arguments(scan, node, LW_NODE_CALL);
}

static struct lw_node *parse_atom(struct lw_scan *scan)
{
    struct lw_node *node;
    char c = lw_scan_peek(scan);
    if (c == '[')
        return parse_brackets(scan, LW_NODE_LIST, ']');
    if (c == '{')
        return parse_brackets(scan, LW_NODE_OBJECT, '}');
    if (scan->json && c && strchr("(<+'", c))
        c = '\0';
    if (c == '(')
        return parse_brackets(scan, LW_NODE_TUPLE, ')');
    if (c == '<')
        return parse_brackets(scan, LW_NODE_TILER, '>');
    if ((c >= '0' && c <= '9') || c == '-' || c == '+')
        return parse_integer(scan);
    if (c == '"' || c == '\'') {
        node = node_new(scan, LW_NODE_STRING);
        return node && (node->name = lw_scan_quoted(scan)) ? node_finish(scan, node) : NULL;
    }
    if (c == '#' && scan->attribute) {
        node = node_new(scan, LW_NODE_ATTRIBUTE);
        return node && scan->attribute(scan, &node->encoding) ? node_finish(scan, node) : NULL;
    }
    if (lw_is_name_start(c) || (c == '?' && !scan->json))
        return parse_name(scan);
    lw_scan_unexpected(scan, "a value");
    return NULL;
}

/* ---- Strides, chains, operations ---- */

/* `2@1@0` */
static struct lw_node *parse_axis(struct lw_scan *scan)
{
    struct lw_node *first = parse_atom(scan), *node, *last = first;
    if (!first || lw_scan_peek(scan) != '@')
        return first;
    if (!(node = node_wrap(scan, LW_NODE_AXIS, first)))
        return NULL;
    while (lw_scan_accept(scan, '@')) {
        struct lw_node *axis = node_new(scan, LW_NODE_INTEGER);
        if (!axis || !lw_scan_integer(scan, &axis->integer))
            return NULL;
        node_append(node, &last, node_finish(scan, axis));
    }
    return node;
}

static struct lw_node *parse_primary(struct lw_scan *scan)
{
    struct lw_node *shape = parse_axis(scan), *node, *stride;
    if (!shape || lw_scan_peek(scan) != ':')
        return shape;
    struct lw_position colon = lw_scan_position(scan);
    colon.length = 1;
    scan->at++;
    if (lw_scan_at_end(scan) || !(lw_is_name_part(*scan->at) || strchr("([{<-+?", *scan->at))) {
        lw_scan_unexpected(scan, "a stride");
        return NULL;
    }
    if (!(node = node_wrap(scan, LW_NODE_STRIDE, shape)) || !(stride = parse_axis(scan)))
        return NULL;
    stride->label = ":";
    stride->label_position = colon;
    node_append(node, &shape, stride);
    return node;
}

/* `.name` and `.name(...)`, after the dot. */
static struct lw_node *parse_member(struct lw_scan *scan)
{
    struct lw_node *node = node_new(scan, LW_NODE_MEMBER);
    if (node && (node->name = lw_scan_name(scan, &node->name_position)))
        return parse_arguments(scan, node_finish(scan, node), LW_NODE_METHOD);
    if (node)
        lw_scan_unexpected(scan, "the name of a function");
    return NULL;
}

static struct lw_node *parse_chain(struct lw_scan *scan)
{
    struct lw_node *first = parse_primary(scan), *chain = NULL, *last = first;
    while (last) {
        char open = lw_scan_peek(scan);
        bool at = (open == '(' || open == '[') && !line_begun(scan);
        if (!at && !lw_scan_accept(scan, '.'))
            break;
        struct lw_node *step = !at           ? parse_member(scan)
                               : open == '[' ? parse_brackets(scan, LW_NODE_INDEX, ']')
                                             : parse_brackets(scan, LW_NODE_AT, ')');
        if (!step || (!chain && !(chain = node_wrap(scan, LW_NODE_CHAIN, first))))
            return NULL;
        node_append(chain, &last, step);
    }
    return chain ? chain : first;
}

/* Operands of a rank and the operators between them. */
static struct lw_node *parse_operation(struct lw_scan *scan, enum rank rank)
{
    const char *symbol;
    struct lw_position position;
    bool chains = rank == RANK_PRODUCT;
    struct lw_node *first = chains ? parse_chain(scan) : parse_operation(scan, rank + 1);
    struct lw_node *node = NULL, *last = first;
    while (last && (symbol = take_operator(scan, rank, &position))) {
        struct lw_node *operand = chains ? parse_chain(scan) : parse_operation(scan, rank + 1);
        if (!operand || (!node && !(node = node_wrap(scan, LW_NODE_OPERATION, first))))
            return NULL;
        operand->label = symbol;
        operand->label_position = position;
        node_append(node, &last, operand);
    }
    return node ? node : first;
}

struct lw_node *lw_expression_parse(struct lw_scan *scan)
{
    return scan->json ? parse_atom(scan) : parse_operation(scan, RANK_COMPARISON);
}

/* ---- Programs ---- */

/* The variable that a statement sets, in C++ the last of some words, `Tensor const& a =`, in Python perhaps before its
 * type, `: gl.constexpr`; NULL: it sets none, and the cursor has not moved. */
static const char *parse_variable(struct lw_scan *scan, struct lw_position *position)
{
    const struct lw_scan before = *scan;
    struct lw_position at;
    const char *name = NULL;
    while (!name || scan->cpp) {
        const char *word = lw_scan_name(scan, &at);
        if (!word)
            break;
        name = word;
        *position = at;
        while (scan->cpp && lw_scan_accept(scan, '&'))
            ;
    }
    for (bool more = name && lw_scan_accept(scan, ':'); more;)
        more = lw_scan_name(scan, &at) && lw_scan_accept(scan, '.');
    if (name && take_equals(scan))
        return name;
    *scan = before;
    return NULL;
}

static struct lw_node *parse_statement(struct lw_scan *scan)
{
    struct lw_position position = {0};
    bool sets = memchr(scan->at, '=', (size_t)(scan->end - scan->at));
    const char *variable = sets ? parse_variable(scan, &position) : NULL;
    struct lw_node *statement = lw_expression_parse(scan);
    if (!statement)
        return NULL;
    statement->label = variable;
    statement->label_position = position;
    bool ended = lw_scan_at_end(scan) || line_begun(scan);
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
