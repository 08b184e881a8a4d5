/*
 * The grammar of expressions (that of programs of them is in statements.c):
 *
 *     expression  product { (`==` | `!=`) product }
 *     product     chain { (`*` | `/` | `o`) chain }
 *     chain       primary { `.` name | `.` name arguments | arguments }
 *     primary     axis [ `:` axis ]
 *     axis        atom { `@` integer }
 *     atom        integer | string | `#`attribute | name [ arguments ] | swizzled
 *                 | `(` items `)` | `[` items `]` | `<` items `>` | `{` labelled-items `}`
 *     name        word { `::` word } [ `<` items `>` ] [ `{` `}` ]
 *     swizzled    (`Sw` | `Swizzle` | `S`) `<` items `>` `o` [ offset `o` ] primary
 *     offset      integer | `smem_ptr` `[` integer `b` `]` [ `(unset)` ]
 *     arguments   `(` items `)`, each item with `name =` before it or not
 *     labelled-items   items, each with `name =` or `name :` before it; the name may be a string
 *                      (braces may also hold a document in JSON, which lw_expression_open parses on demand)
 *     items       [ expression { `,` expression } [ `,` ] ]
 *
 * The arguments of something that is not a name must begin on the same line; a parenthesis on the next line
 * begins a new statement.
 */

#include "notation/expression/expression.h"

#include <string.h>

/* ---- Labels ---- */

bool lw_expression_take_equals(struct lw_scan *scan)
{
    bool equals = lw_scan_peek(scan) == '=' && !(scan->at + 1 < scan->end && scan->at[1] == '=');
    scan->at += equals;
    return equals;
}

/* A name, or one in quotes; NULL without an error when there is none. */
static const char *parse_label_name(struct lw_scan *scan, struct lw_position *position)
{
    char c = lw_scan_peek(scan);
    if (c != '"' && c != '\'')
        return lw_scan_name(scan, position);
    *position = lw_scan_position(scan);
    const char *name = lw_scan_quoted(scan);
    *position = lw_scan_until(scan, *position);
    return name;
}

/* Parses the label of an item before `close`; true with *label NULL: there is none. */
static bool parse_label(struct lw_scan *scan, char close, const char **label,
                        struct lw_position *position)
{
    char c = lw_scan_peek(scan);
    bool quoted = c == '"' || c == '\'';
    *label = NULL;
    if (close != '}' && (close != ')' || !(quoted || lw_is_name_start(c))))
        return true;
    struct lw_scan before = *scan;
    *label = parse_label_name(scan, position);
    if (close == '}' && !*label)
        return !quoted && lw_scan_unexpected(scan, "a name");
    if (close == '}')
        return lw_scan_accept(scan, ':') || lw_expression_take_equals(scan) ||
               lw_scan_unexpected(scan, "':' or '='");
    if (*label && lw_expression_take_equals(scan))
        return true;
    *scan = before;
    *label = NULL;
    return true;
}

/* ---- Items ---- */

static const char *after_item(char close)
{
    return close == ')'   ? "',' or ')'"
           : close == ']' ? "',' or ']'"
           : close == '}' ? "',' or '}'"
                          : "',' or '>'";
}

/* One item, with its label where items have one. */
static struct lw_node *parse_item(struct lw_scan *scan, char close)
{
    const char *label;
    struct lw_position position = {0};
    if (!parse_label(scan, close, &label, &position))
        return NULL;
    if (close == '>' && lw_scan_peek(scan) == ',') {
        lw_scan_unexpected(scan, "a tiler or an argument, as in <3:3, (2,4):(1,8)>");
        return NULL;
    }
    struct lw_node *item = lw_expression_parse(scan);
    if (item) {
        item->label = label;
        item->label_position = position;
    }
    return item;
}

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
        if (!(*next = parse_item(scan, close)))
            return false;
        next = &(*next)->next;
        *comma = lw_scan_accept(scan, ',');
        if (!*comma && lw_scan_peek(scan) != close)
            return lw_scan_unexpected(scan, after_item(close));
    }
    lw_scan_leave(scan);
    return true;
}

/* Parses a bracket and its items into one node. */
static struct lw_node *parse_brackets(struct lw_scan *scan, enum lw_node_kind kind, char close)
{
    bool comma;
    struct lw_node *node = lw_node_new(scan, kind);
    if (!node || !parse_items(scan, node, close, &comma))
        return NULL;
    if (kind == LW_NODE_TUPLE && node->count == 1 && !comma)
        node->kind = LW_NODE_GROUP;
    return lw_node_finish(scan, node);
}

/* Parses the arguments of a name, when it has some; the node then becomes one of that kind. */
static struct lw_node *parse_arguments(struct lw_scan *scan, struct lw_node *name,
                                       enum lw_node_kind kind)
{
    bool comma;
    if (lw_scan_peek(scan) != '(')
        return name;
    name->kind = kind;
    return parse_items(scan, name, ')', &comma) ? lw_node_finish(scan, name) : NULL;
}

/* ---- Objects ---- */

/* Moves past the braces at the cursor. */
static bool skip_braces(struct lw_scan *scan, struct lw_position position)
{
    int open = 0;
    do {
        char c = lw_scan_peek(scan);
        position.length = 1;
        if (!c)
            return lw_error_at(scan->err, LW_ERROR_SYNTAX,
                               scan->whole.line ? scan->whole : position,
                               "this brace is never closed");
        if (c == '"' || c == '\'') {
            if (!lw_scan_skip_quoted(scan))
                return false;
            continue;
        }
        open += c == '{' ? 1 : c == '}' ? -1 : 0;
        scan->at++;
    } while (open);
    return true;
}

static struct lw_node *parse_object(struct lw_scan *scan)
{
    struct lw_node *node = lw_node_new(scan, LW_NODE_OBJECT);
    if (!node || !skip_braces(scan, node->position))
        return NULL;
    node->depth = scan->depth;
    return lw_node_finish(scan, node);
}

const struct lw_node *lw_expression_open(struct lw_scan *scan, const struct lw_node *object)
{
    bool comma;
    struct lw_scan inside = *scan;
    struct lw_node *node = lw_arena_alloc(scan->arena, sizeof *node);
    if (!node) {
        lw_scan_out_of_memory(scan);
        return NULL;
    }
    *node = *object;
    inside.at = inside.line_start = object->text;
    inside.end = object->text + object->length;
    inside.line = object->position.line;
    inside.shift = object->position.column;
    inside.depth = object->depth;
    bool good = parse_items(&inside, node, '}', &comma);
    scan->parts = inside.parts;
    scan->nodes = inside.nodes;
    return good ? node : NULL;
}

/* ---- Atoms ---- */

static struct lw_node *parse_integer(struct lw_scan *scan)
{
    struct lw_node *node = lw_node_new(scan, LW_NODE_INTEGER);
    if (!node)
        return NULL;
    node->plus = *scan->at == '+';
    if (!lw_scan_is_constant(scan))
        return lw_scan_number(scan, &node->integer) ? lw_node_finish(scan, node) : NULL;
    node->kind = LW_NODE_NAME;
    if (!(node->name = lw_scan_constant(scan)))
        return NULL;
    lw_node_finish(scan, node);
    node->name_position = node->position;
    return node;
}

static struct lw_node *parse_string(struct lw_scan *scan)
{
    struct lw_node *node = lw_node_new(scan, LW_NODE_STRING);
    return node && (node->name = lw_scan_quoted(scan)) ? lw_node_finish(scan, node) : NULL;
}

static struct lw_node *parse_attribute(struct lw_scan *scan)
{
    struct lw_node *node = lw_node_new(scan, LW_NODE_ATTRIBUTE);
    return node && scan->attribute(scan, &node->encoding) ? lw_node_finish(scan, node) : NULL;
}

static struct lw_node *parse_primary(struct lw_scan *scan);

/* Whether a node may be between a swizzle and its layout: an offset, or a pointer. */
static bool is_offset(const struct lw_node *node)
{
    return node->kind == LW_NODE_POINTER || node->kind == LW_NODE_INTEGER ||
           (node->kind == LW_NODE_NAME && node->name[0] == '_' &&
            (node->name[1] == '-' || (node->name[1] >= '0' && node->name[1] <= '9')));
}

/* Parses the parts after an `o`, which is consumed: a layout, or an offset, another `o` and a layout. */
static bool parse_swizzled_parts(struct lw_scan *scan, struct lw_node *node, struct lw_node *last)
{
    struct lw_scan ahead = *scan;
    bool pointer = lw_scan_keyword(&ahead, "smem_ptr");
    struct lw_node *part = pointer ? lw_scan_pointer(scan) : parse_primary(scan);
    if (!part)
        return false;
    lw_node_append(node, &last, part);
    if (!is_offset(part))
        return true;
    if (!lw_scan_keyword(scan, "o"))
        return lw_scan_unexpected(scan, pointer ? "'o' and a layout"
                                                : "':' and a stride, or 'o' and a layout");
    if (!(part = parse_primary(scan)))
        return false;
    lw_node_append(node, &last, part);
    return true;
}

/* `Sw<3,4,3> o 0 o layout` when an `o` follows the swizzle, which has been parsed. */
static struct lw_node *parse_swizzled(struct lw_scan *scan, struct lw_node *swizzle)
{
    struct lw_node *node;
    if (!lw_scan_keyword(scan, "o"))
        return swizzle;
    if (!lw_scan_enter(scan, swizzle->position) ||
        !(node = lw_node_wrap(scan, LW_NODE_SWIZZLED, swizzle)) ||
        !parse_swizzled_parts(scan, node, swizzle))
        return NULL;
    lw_scan_leave(scan);
    return node;
}

/* The template arguments of a name, and the braces of a value of its type. */
static bool parse_template(struct lw_scan *scan, struct lw_node *node)
{
    if (lw_scan_peek(scan) == '<') {
        if (!(node->angles = parse_brackets(scan, LW_NODE_TILER, '>')))
            return false;
        lw_node_finish(scan, node);
    }
    if (!lw_scan_accept(scan, '{'))
        return true;
    if (!lw_scan_expect(scan, '}', "'}': types of CuTe are made without arguments"))
        return false;
    lw_node_finish(scan, node);
    return true;
}

/* The layout of a printed tensor, after the pointer or ArithTuple that began at `start`, and a swizzle or the tuple. */
static struct lw_node *parse_tensor(struct lw_scan *scan, struct lw_node *node, const char *start,
                                    struct lw_node *before)
{
    struct lw_node *last = before, *layout;
    node->kind = LW_NODE_TENSOR;
    if (scan->at < scan->end && *scan->at == '[') {
        if (!lw_scan_iterator(scan, start, node))
            return NULL;
    } else if (*scan->at == '(' && !(before = last = parse_brackets(scan, LW_NODE_TUPLE, ')'))) {
        return NULL;
    }
    if (!lw_scan_keyword(scan, "o")) {
        lw_scan_unexpected(scan, "'o' and the layout of a tensor");
        return NULL;
    }
    if (!(layout = parse_primary(scan)))
        return NULL;
    node->items = before ? before : layout;
    node->count = 1;
    if (before)
        lw_node_append(node, &last, layout);
    return lw_node_finish(scan, node);
}

/* `Sw<3,4,3>_smem_ptr[16b](0x0) o layout`, as tensors with a swizzled pointer are printed. */
static struct lw_node *parse_swizzled_tensor(struct lw_scan *scan, struct lw_node *swizzle,
                                             const char *start)
{
    struct lw_node *node = lw_node_wrap(scan, LW_NODE_TENSOR, swizzle);
    if (!node || !(node->name = lw_scan_words(scan, &node->name_position)))
        return NULL;
    if (!lw_names_iterator(scan, node->name)) {
        lw_scan_unexpected(scan, "_smem_ptr[16b](...)");
        return NULL;
    }
    return parse_tensor(scan, node, start, swizzle);
}

static struct lw_node *parse_name(struct lw_scan *scan)
{
    const char *start = scan->at;
    struct lw_node *node = lw_node_new(scan, LW_NODE_NAME);
    if (!node || !(node->name = lw_scan_words(scan, &node->name_position)))
        return NULL;
    if (lw_names_iterator(scan, node->name))
        return parse_tensor(scan, node, start, NULL);
    lw_node_finish(scan, node);
    if (!parse_template(scan, node))
        return NULL;
    if (lw_node_is_swizzle(node))
        return scan->at < scan->end && *scan->at == '_' ? parse_swizzled_tensor(scan, node, start)
                                                        : parse_swizzled(scan, node);
    if (lw_names_pointer(scan, node->name))
        return lw_scan_pointer_call(scan, node);
    return parse_arguments(scan, node, LW_NODE_CALL);
}

static struct lw_node *parse_atom(struct lw_scan *scan)
{
    char c = lw_scan_peek(scan);
    if (c == '(')
        return parse_brackets(scan, LW_NODE_TUPLE, ')');
    if (c == '[')
        return parse_brackets(scan, LW_NODE_LIST, ']');
    if (c == '{')
        return parse_object(scan);
    if (c == '<')
        return parse_brackets(scan, LW_NODE_TILER, '>');
    if ((c >= '0' && c <= '9') || c == '-' || c == '+')
        return parse_integer(scan);
    if (c == '"' || c == '\'')
        return parse_string(scan);
    if (c == '#' && scan->attribute)
        return parse_attribute(scan);
    if (lw_is_name_start(c))
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
    if (!(node = lw_node_wrap(scan, LW_NODE_AXIS, first)))
        return NULL;
    while (lw_scan_accept(scan, '@')) {
        struct lw_node *axis = lw_node_new(scan, LW_NODE_INTEGER);
        if (!axis || !lw_scan_integer(scan, &axis->integer))
            return NULL;
        lw_node_append(node, &last, lw_node_finish(scan, axis));
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
    if (lw_scan_at_end(scan) || !(lw_is_name_part(*scan->at) || strchr("([{<-+", *scan->at))) {
        lw_scan_unexpected(scan,
                           scan->attribute ? "the type of an integer such as 'i32'" : "a stride");
        return NULL;
    }
    if (!(node = lw_node_wrap(scan, LW_NODE_STRIDE, shape)) || !(stride = parse_axis(scan)))
        return NULL;
    stride->label = ":";
    stride->label_position = colon;
    lw_node_append(node, &shape, stride);
    return node;
}

/* `.name` and `.name(...)`, after the dot. */
static struct lw_node *parse_member(struct lw_scan *scan)
{
    struct lw_node *node = lw_node_new(scan, LW_NODE_MEMBER);
    if (!node)
        return NULL;
    node->name = lw_scan_name(scan, &node->name_position);
    if (!node->name) {
        lw_scan_unexpected(scan, "the name of a function");
        return NULL;
    }
    lw_node_finish(scan, node);
    return parse_arguments(scan, node, LW_NODE_METHOD);
}

static struct lw_node *parse_chain(struct lw_scan *scan)
{
    struct lw_node *first = parse_primary(scan), *chain = NULL, *last = first;
    while (last) {
        char open = lw_scan_peek(scan);
        bool at = (open == '(' || open == '[') && !lw_expression_line_begun(scan);
        if (!at && !lw_scan_accept(scan, '.'))
            break;
        struct lw_node *step = !at           ? parse_member(scan)
                               : open == '[' ? parse_brackets(scan, LW_NODE_INDEX, ']')
                                             : parse_brackets(scan, LW_NODE_AT, ')');
        if (!step || (!chain && !(chain = lw_node_wrap(scan, LW_NODE_CHAIN, first))))
            return NULL;
        lw_node_append(chain, &last, step);
    }
    return chain ? chain : first;
}

/* Operands of a rank and the operators between them. */
static struct lw_node *parse_operation(struct lw_scan *scan, enum lw_rank rank)
{
    const char *symbol;
    struct lw_position position;
    bool chains = rank == LW_RANK_PRODUCT;
    struct lw_node *first = chains ? parse_chain(scan) : parse_operation(scan, rank + 1);
    struct lw_node *node = NULL, *last = first;
    while (last && (symbol = lw_expression_operator(scan, rank, &position))) {
        struct lw_node *operand = chains ? parse_chain(scan) : parse_operation(scan, rank + 1);
        if (!operand || (!node && !(node = lw_node_wrap(scan, LW_NODE_OPERATION, first))))
            return NULL;
        operand->label = symbol;
        operand->label_position = position;
        lw_node_append(node, &last, operand);
    }
    return node ? node : first;
}

/* Parses the most common expression, an item that is an integer. NULL: it is another one, and the cursor has not
 * moved. */
static struct lw_node *parse_digits(struct lw_scan *scan)
{
    const char *p = scan->at;
    int64_t n = 0;
    while (p < scan->end && p - scan->at < 18 && *p >= '0' && *p <= '9')
        n = n * 10 + (*p++ - '0');
    bool item = p > scan->at && p < scan->end && (*p == ',' || *p == ')' || *p == ']');
    struct lw_node *node = item ? lw_node_new(scan, LW_NODE_INTEGER) : NULL;
    if (!node)
        return NULL;
    node->integer = n;
    scan->at = p;
    return lw_node_finish(scan, node);
}

struct lw_node *lw_expression_parse(struct lw_scan *scan)
{
    struct lw_node *integer = lw_scan_at_end(scan) ? NULL : parse_digits(scan);
    return integer ? integer : parse_operation(scan, LW_RANK_COMPARISON);
}
