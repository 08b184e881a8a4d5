/* The names of the calculator: operations, variables, the layouts that the caller bound, parts of CuTe; and the errors
 * at names that are none of these. */

#include "notation/calc/calc_table.h"

#include <string.h>

/* ---- Operations ---- */

/* The next letter, in lower case; underscores are skipped. */
static int next_letter(const char **name)
{
    while (**name == '_')
        ++*name;
    char c = **name;
    *name += c != 0;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* The name after its `get`, unless the name is `get` alone. */
static const char *after_get(const char *name)
{
    return !strncmp(name, "get", 3) && name[3] ? name + 3 : name;
}

static bool same_name(const char *a, const char *b)
{
    a = after_get(a);
    b = after_get(b);
    for (;;) {
        int c = next_letter(&a);
        if (c != next_letter(&b))
            return false;
        if (!c)
            return true;
    }
}

/* The rows of a name in the index, up to *last; NULL: there is none. */
static const struct lw_calc_name_row *find_rows(const char *name,
                                                const struct lw_calc_name_row **last)
{
    const struct lw_calc_name_row *end = lw_calc_name_rows + lw_calc_name_count, *row = NULL;
    char folded[LW_CALC_NAME_MAX];
    const char *at = after_get(name);
    size_t length = 0, slot = 0;
    while ((folded[length] = (char)next_letter(&at))) {
        slot = (slot * 31 + (unsigned char)folded[length]) % lw_calc_name_slot_count;
        if (++length == LW_CALC_NAME_MAX)
            return NULL;
    }
    for (; lw_calc_name_slots[slot] && !row; slot = (slot + 1) % lw_calc_name_slot_count) {
        row = &lw_calc_name_rows[lw_calc_name_slots[slot] - 1];
        row = strcmp(row->name, folded) == 0 ? row : NULL;
    }
    for (*last = row; row && *last + 1 < end && !strcmp((*last)[1].name, folded);)
        ++*last;
    return row;
}

/* The first operation of that name whose kind is one of a set. */
static const struct lw_calc_operation *find_in(unsigned kinds, const char *name)
{
    size_t count;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    const struct lw_calc_name_row *last;
    const struct lw_calc_name_row *at =
        find_rows(lw_calc_last_word(name), &last); /* GMMA::make_gmma_desc */
    for (; at && at <= last; at++)
        if (kinds >> all[at->row].on & 1)
            return &all[at->row];
    return NULL;
}

bool lw_calc_has_name(const char *name)
{
    size_t count;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    const struct lw_calc_name_row *last, *at = find_rows(name, &last);
    while (at && at <= last && strcmp(all[at->row].name, name) != 0)
        at++;
    return at && at <= last;
}

const struct lw_calc_operation *lw_calc_find(enum lw_calc_on on, const char *name)
{
    return find_in(1u << on, name);
}

/* A name for lw_text_nearest, of an operation or a function of tilus; "", which is near to no name, is none. */
static const char *offer_function(const void *unused, size_t i)
{
    (void)unused;
    size_t count, types;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    const struct lw_encoding_type *const *type = lw_encoding_types(&types);
    if (i >= count)
        return type[i - count]->spelling == LW_SPELLING_CALL ? type[i - count]->name : "";
    return all[i].on == LW_CALC_OPERATOR ? "" : all[i].name;
}

static const char *offer_method(const void *on, size_t i)
{
    size_t count;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    return all[i].on == *(const enum lw_calc_on *)on ? all[i].name : "";
}

static const char *offer_let(const void *lets, size_t i)
{
    return ((const struct lw_calc_binding *)lets)[i].name;
}

/* "; there are compose, invert, ... and more": the operations of a layout, or of one of CuTe. */
static void put_methods(struct lw_text *text, enum lw_calc_on on)
{
    enum { SHOWN = 100 };
    size_t count;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    for (size_t i = 0; i < count && text->length < SHOWN; i++)
        if (all[i].on == on)
            lw_text_format(text, "%s%s", text->length ? ", " : "; there are ", all[i].name);
    lw_text_add(text, " and more: 'laneway help operations' lists them");
}

/* Functions of CuTe on tuples that no layout needs. */
static bool is_of_tuples(const char *name)
{
    static const char *const names[] = {"transform",
                                        "transform_leaf",
                                        "transform_apply",
                                        "for_each",
                                        "for_each_leaf",
                                        "fold",
                                        "fold_first",
                                        "find_if",
                                        "any_of",
                                        "filter_tuple",
                                        "transform_layout",
                                        "zip",
                                        "tuple_cat",
                                        "repeat",
                                        "repeat_like",
                                        "replace",
                                        "insert",
                                        "remove",
                                        "reverse",
                                        "unflatten",
                                        "elem_less",
                                        "elem_leq",
                                        "elem_gtr",
                                        "elem_geq",
                                        "sum",
                                        "max",
                                        "min",
                                        "gcd",
                                        "round_up",
                                        "product_like",
                                        "compact_col_major",
                                        "compact_row_major",
                                        "compact_order",
                                        "inner_product"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = !strcmp(names[i], name);
    return found;
}

/* The name of an operation that had two; NULL: it is no such name. */
static const char *renamed(const char *name)
{
    static const char *const names[][2] = {{"coordinates", "offsets"},
                                           {"squeezeIn", "unsqueezeIn"},
                                           {"Src", "T.S()"},
                                           {"squeezeOut", "unsqueezeOut"},
                                           {"Dst", "T.D()"}};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = same_name(names[i][0], name) ? names[i][1] : NULL;
    return found;
}

bool lw_calc_unknown_operation(struct lw_calculation *calc, const char *name,
                               struct lw_position position, const enum lw_calc_on *on)
{
    size_t count, types;
    char hint[LW_HINT_MAX];
    const struct lw_calc_operation *function = on ? lw_calc_find(LW_CALC_FUNCTION, name) : NULL;
    if (function)
        return lw_error_at(calc->err, LW_ERROR_NAME, position,
                           "%.40s is a function, not a method: %s", name, function->usage);
    for (size_t i = 0; !on && i < calc->let_count; i++)
        if (!strcmp(calc->lets[i].name, name))
            return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, position,
                               "'%.40s' is a layout, and only those of CuTe are called", name);
    if (is_of_tuples(name))
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, position,
                           "calc is of layouts, without functions of tuples such as %s: write the "
                           "tuple or the number that is its result",
                           name);
    lw_calc_operations(&count);
    lw_encoding_types(&types);
    const char *near = renamed(name);
    if (!near)
        near = lw_text_nearest(name, on ? count : count + types, on ? offer_method : offer_function,
                               on);
    struct lw_text names = {.limit = LW_MESSAGE_MAX};
    if (on)
        put_methods(&names, *on);
    else
        lw_text_add(&names, "; 'laneway help operations' lists them");
    lw_error_at(calc->err, LW_ERROR_NAME, position, "there is no operation '%.40s'%s", name,
                near && *near ? lw_text_hint(hint, near, "") : lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

/* Short names are all near each other: for these the message lists the names that exist. */
static bool unknown_name(struct lw_calculation *calc, const char *name, struct lw_position position)
{
    char hint[LW_HINT_MAX];
    struct lw_text names = {.limit = 120};
    const char *near =
        strlen(name) < 3 ? NULL : lw_text_nearest(name, calc->let_count, offer_let, calc->lets);
    for (size_t i = 0; i < calc->let_count && !lw_text_full(&names); i++)
        lw_text_format(&names, "%s%.40s", i ? ", " : ": it may be ", calc->lets[i].name);
    if (calc->let_count == 0)
        lw_text_add(&names, "; a SOURCE must be in quotes, inside those of the shell: '\"...\"'");
    lw_error_at(calc->err, LW_ERROR_NAME, position, "unknown name '%.40s'%s", name,
                lw_text_hint(hint, near, lw_text_string(&names)));
    lw_text_free(&names);
    return false;
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
    /* not A of a tiled MMA, M.A(), which is a name that layouts have */
    const unsigned kinds = 1u << LW_CALC_FUNCTION | 1u << LW_CALC_OF_LAYOUT |
                           1u << LW_CALC_OF_ACTION | 1u << LW_CALC_OF_CUTE | 1u << LW_CALC_OF_TUPLE;
    return find_in(kinds, name) || lw_calc_is_python_op(name) ? "an operation"
           : type && type->spelling == LW_SPELLING_CALL       ? "a function"
           : lw_calc_is_module(name)                          ? "a module"
           : lw_calc_is_blank(name)                           ? "a blank"
           : lw_calc_is_smem(name) || lw_calc_is_atom(name)   ? "an atom"
                                                              : NULL;
}

bool lw_calc_is_slice(const struct lw_node *step, const struct lw_calc_result *value)
{
    return step->kind == LW_NODE_METHOD && value->kind == LW_CALC_CUTE &&
           same_name(step->name, "slice");
}

bool lw_calc_is_method(const char *name)
{
    return find_in((1u << LW_CALC_OPERATOR) - (1u << LW_CALC_OF_LAYOUT), name);
}

bool lw_calc_is_operation(const char *name)
{
    return find_in(((1u << LW_CALC_OPERATOR) - (1u << LW_CALC_OF_LAYOUT)) | 1u << LW_CALC_FUNCTION,
                   name);
}

/* The name of a similar operation on layouts of the other system, or of one of this system for a name of neither; NULL:
 * there is none. */
static const char *counterpart(const char *name, enum lw_calc_kind kind)
{
    static const char *const pairs[][2] = {{"compose", "composition"},
                                           {"invert", "right_inverse"},
                                           {"pseudoinvert", "right_inverse"},
                                           {"divideLeft", "logical_divide"}};
    bool cute = kind == LW_CALC_CUTE || kind == LW_CALC_TUPLE;
    if (same_name("inverse", name)) /* of a column action */
        return cute ? "right_inverse' or 'left_inverse" : kind == LW_CALC_LAYOUT ? "invert" : NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (same_name(pairs[i][!cute], name))
            return pairs[i][cute];
    return NULL;
}

/* The kind of value that has an operation of that name: "a layout of CuTe"; NULL: it is an operator, or there is
 * none. */
static const char *owner_named(const char *name)
{
    static const struct {
        enum lw_calc_on on;
        const char *what;
    } owners[] = {{LW_CALC_OF_LAYOUT, "a linear layout (Triton)"},
                  {LW_CALC_OF_CUTE, "a layout of CuTe"},
                  {LW_CALC_OF_TUPLE, "a shape of CuTe"},
                  {LW_CALC_OF_MMA, "a tiled MMA of CuTe"},
                  {LW_CALC_OF_COPY, "a tiled copy of CuTe"},
                  {LW_CALC_OF_ACTION, "a column action (Triton)"}};
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (lw_calc_find(owners[i].on, name))
            return owners[i].what;
    return NULL;
}

bool lw_calc_not_of(struct lw_calculation *calc, const char *name, struct lw_position position,
                    const struct lw_calc_result *self)
{
    if (self->kind == LW_CALC_NONE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s: no such layout: %.300s",
                           name, self->as.why);
    const char *near = counterpart(name, self->kind);
    const char *owner = owner_named(name);
    const char *kind =
        self->kind == LW_CALC_LAYOUT ? "a linear layout (Triton)" : lw_calc_kind_name(self->kind);
    char hint[LW_HINT_MAX];
    return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s is not for %s%s%s%s", name, kind,
                       owner ? ", but for " : "", owner ? owner : "", lw_text_hint(hint, near, ""));
}

/* ---- Values ---- */

/* Subtracts the numbers of a tuple from *left; false: it has more. Items may be shared, so a tuple of few bytes can
 * have many numbers. */
static bool has_at_most(const struct lw_cute_tuple *tuple, size_t *left)
{
    if (tuple->count < 0)
        return *left > 0 && (*left)--;
    for (int i = 0; i < tuple->count; i++)
        if (!has_at_most(&tuple->items[i], left))
            return false;
    return true;
}

bool lw_calc_check_size(struct lw_calculation *calc, struct lw_position position,
                        const struct lw_calc_result *value)
{
    size_t left = LW_CALC_NUMBERS_MAX;
    return value->kind != LW_CALC_TUPLE || has_at_most(&value->as.tuple, &left) ||
           lw_error_at(calc->err, LW_ERROR_LIMIT, position, "a tuple has at most %d numbers",
                       LW_CALC_NUMBERS_MAX);
}

bool lw_calc_keep(struct lw_calculation *calc, const struct lw_node *statement,
                  const struct lw_calc_result *value)
{
    struct lw_calc_variable *kept;
    if (!lw_calc_check_size(calc, statement->label_position, value))
        return false;
    if (calc->variable_count++ == LW_CALC_VARIABLES)
        return lw_error_at(calc->err, LW_ERROR_LIMIT, statement->label_position,
                           "at most %d assignments", LW_CALC_VARIABLES);
    if (!(kept = lw_arena_alloc(calc->arena, sizeof *kept)))
        return lw_scan_out_of_memory(calc->scan);
    *kept = (struct lw_calc_variable){statement->label, *value, calc->variables};
    calc->variables = kept;
    return true;
}

static bool take_let(struct lw_calculation *calc, const struct lw_calc_binding *let,
                     struct lw_position position, struct lw_calc_result *value)
{
    if (let->why)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s is %.300s", let->name,
                           let->why);
    value->kind = let->cute ? LW_CALC_CUTE : LW_CALC_LAYOUT;
    if (let->cute)
        value->as.cute = *let->cute;
    else
        value->as.layout = let->layout;
    return true;
}

static const struct lw_calc_variable *find_variable(const struct lw_calculation *calc,
                                                    const char *name)
{
    const struct lw_calc_variable *found = calc->variables;
    while (found && strcmp(found->name, name) != 0)
        found = found->before;
    return found;
}

static const struct lw_calc_binding *find_let(const struct lw_calculation *calc, const char *name)
{
    for (size_t i = 0; i < calc->let_count; i++)
        if (!strcmp(calc->lets[i].name, name))
            return &calc->lets[i];
    return NULL;
}

bool lw_calc_names_cute(const struct lw_calculation *calc, const char *name)
{
    const struct lw_calc_variable *variable = find_variable(calc, name);
    const struct lw_calc_binding *let = find_let(calc, name);
    return variable ? variable->value.kind == LW_CALC_CUTE : let && let->cute;
}

bool lw_calc_is_module(const char *name)
{
    static const char *const names[] = {"cute", "cutlass", "nvgpu", "warp", "warpgroup", "cpasync"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

bool lw_calc_names_module(const struct lw_calculation *calc, const struct lw_node *node)
{
    return node->kind == LW_NODE_NAME && !node->angles && lw_calc_is_module(node->name) &&
           !find_variable(calc, node->name) && !find_let(calc, node->name);
}

bool lw_calc_names_atom(const struct lw_calculation *calc, const struct lw_node *node)
{
    return node->kind == LW_NODE_NAME && !find_variable(calc, node->name) &&
           !find_let(calc, node->name) && !lw_calc_is_smem(node->name) &&
           lw_calc_is_atom(node->name) && !lw_calc_is_atom_type(node->name);
}

/* Whether a name is neither a variable nor a layout nor a value. */
static bool names_nothing(const struct lw_calculation *calc, const struct lw_node *node)
{
    struct lw_calc_result value;
    const char *name = node->name;
    return node->kind == LW_NODE_NAME && !node->angles && !find_variable(calc, name) &&
           !find_let(calc, name) && !lw_calc_is_smem(name) && !lw_calc_is_atom(name) &&
           !lw_calc_blank(node, &value) && !lw_calc_order(node, &value);
}

bool lw_calc_name(struct lw_calculation *calc, const struct lw_node *node,
                  struct lw_calc_result *value)
{
    const char *name = node->name;
    const struct lw_calc_variable *variable = find_variable(calc, name);
    const struct lw_calc_binding *let = find_let(calc, name);
    if (variable) {
        *value = variable->value;
        return true;
    }
    if (let)
        return take_let(calc, let, node->position, value);
    if (lw_calc_is_smem(name))
        return lw_calc_smem(calc, node, value);
    if (lw_calc_is_atom(name))
        return lw_calc_atom(calc, node, NULL, value);
    if (lw_calc_blank(node, value) || lw_calc_order(node, value))
        return true;
    value->kind = LW_CALC_TRUTH;
    value->as.truth = !strcmp(name, "true");
    return value->as.truth || !strcmp(name, "false") ||
           unknown_name(calc, name, node->name_position);
}

bool lw_calc_is_pointer(const struct lw_calculation *calc, const struct lw_node *node)
{
    static const char *const getters[] = {"data", "begin", "get", "iterator", "data_ptr"};
    if (node->kind == LW_NODE_POINTER || names_nothing(calc, node))
        return true;
    if (node->kind != LW_NODE_CHAIN)
        return false;
    const struct lw_node *last = lw_node_last(node);
    if (names_nothing(calc, node->items) && !lw_calc_is_module(node->items->name))
        return true;
    for (size_t i = 0; i < sizeof getters / sizeof *getters; i++)
        if ((last->kind == LW_NODE_METHOD || last->kind == LW_NODE_MEMBER) &&
            !strcmp(getters[i], last->name))
            return true;
    return last->kind == LW_NODE_POINTER;
}
