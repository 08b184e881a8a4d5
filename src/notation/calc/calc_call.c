/*
 * Calls in the calculator: the operation of a name, its arguments, and the errors at names that are none. Then the
 * operation is run: by which rules of CuTe it is computed (enum lw_cute_rules), the result of CuTe where there is an
 * error instead, and what a result has of its operands. Invariant: an argument that was made has the form of its
 * parameter, and its dims exist where they must be the layout's.
 *
 * Where no integer is written as static, all are known, as in Python; where some are, the others are unknown when C++
 * compiles. With as_cute the result is that of C++.
 */

#include "notation/calc/calculator.h"

#include "core/array_count.h"

#include <stdio.h>
#include <string.h>

/* ---- Names ---- */

const struct lw_calc_variable *lw_calc_find_variable(const struct lw_calculation *calc,
                                                     const char *name)
{
    const struct lw_calc_variable *found = calc->variables;
    while (found && strcmp(found->name, name) != 0)
        found = found->before;
    return found;
}

bool lw_calc_is_module(const char *name)
{
    return lw_text_has_word("cute cutlass nvgpu warp warpgroup cpasync tcgen05", name);
}

/* The next letter, in lower case; underscores are skipped; 0 at the end and at a `|`. */
static int next_letter(const char **name)
{
    while (**name == '_')
        ++*name;
    char c = **name == '|' ? '\0' : **name;
    *name += c != 0;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* The name after its `get`, unless the name is `get` alone. */
static const char *after_get(const char *name)
{
    return name[0] == 'g' && name[1] == 'e' && name[2] == 't' && name[3] ? name + 3 : name;
}

/* Whether two names are equal without underscores, capitals and `get`; `b` is after its own. */
static bool same_name(const char *a, const char *b)
{
    a = after_get(a);
    if ((a[0] | ' ') != (b[0] | ' ') && a[0] != '_' && b[0] != '_') /* most names end here */
        return false;
    for (;;) {
        int c = next_letter(&a);
        if (c != next_letter(&b))
            return false;
        if (!c)
            return true;
    }
}

/* Whether an operation has a name, maybe as another spelling, or without its module. */
static bool has_name(const struct lw_calc_operation *operation, const char *name)
{
    const char *dot = strchr(operation->name, '.');
    if (same_name(operation->name, name) || (dot && same_name(dot + 1, name)))
        return true;
    for (const char *at = operation->also; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (same_name(at, name))
            return true;
    }
    return false;
}

static lw_calc_rows *const tables[] = {lw_calc_linear_rows, lw_calc_cute_rows, lw_calc_tiled_rows,
                                       lw_calc_dsl_rows};

/* Row i of all tables; NULL: there are fewer. */
static const struct lw_calc_row *row_at(size_t i)
{
    for (size_t t = 0, count; t < LW_COUNT(tables); t++, i -= count) {
        const struct lw_calc_row *rows = tables[t](&count);
        if (i < count)
            return &rows[i];
    }
    return NULL;
}

const struct lw_calc_operation *lw_calc_operation_at(size_t i)
{
    const struct lw_calc_row *row = row_at(i);
    return row ? &row->base : NULL;
}

/* The first row of that name whose kind is one of a set. */
static const struct lw_calc_row *find_in(unsigned kinds, const char *name)
{
    const struct lw_calc_row *row;
    name = after_get(lw_calc_last_word(name)); /* GMMA::make_gmma_desc */
    for (size_t i = 0; (row = row_at(i)) != NULL; i++)
        if (kinds >> row->base.on & 1 && has_name(&row->base, name))
            return row;
    return NULL;
}

const struct lw_calc_row *lw_calc_find(enum lw_calc_on on, const char *name)
{
    return find_in(1u << on, name);
}

#define METHODS ((1u << LW_CALC_OPERATOR) - (1u << LW_CALC_OF_LAYOUT))

bool lw_calc_is_operation(const char *name)
{
    return find_in(METHODS | 1u << LW_CALC_FUNCTION, name);
}

/* ---- Errors ---- */

/* A name for lw_text_nearest, of an operation whose kind is one of a set; "", which is near to no name, is none. */
static const char *offer(const void *kinds, size_t i)
{
    const struct lw_calc_row *row = row_at(i);
    return row && *(const unsigned *)kinds >> row->base.on & 1 ? row->base.name : "";
}

/* `kinds`: those that the name could have been of. */
static bool unknown_operation(struct lw_calculation *calc, const char *name,
                              struct lw_position position, unsigned kinds)
{
    enum { OFFERED = 1024 }; /* more than all names */
    char hint[LW_HINT_MAX];
    const char *near = lw_text_nearest(name, OFFERED, offer, &kinds);
    return lw_error_at(
        calc->err, LW_ERROR_NAME, position, "there is no operation '%.40s'%s", name,
        lw_text_hint(hint, near && *near ? near : NULL, "; 'laneway help operations' lists them"));
}

static bool not_of(struct lw_calculation *calc, const char *name, struct lw_position position,
                   const struct lw_calc_result *self)
{
    static const char *const owners[] = {[LW_CALC_OF_LAYOUT] = "a linear layout (Triton)",
                                         [LW_CALC_OF_ACTION] = "a column action (Triton)",
                                         [LW_CALC_OF_CUTE] = "a layout of CuTe",
                                         [LW_CALC_OF_TREE] = "a shape of CuTe",
                                         [LW_CALC_OF_ATOM] = "an atom of CuTe",
                                         [LW_CALC_OF_MMA] = "a tiled MMA of CuTe",
                                         [LW_CALC_OF_COPY] = "a tiled copy of CuTe"};
    if (self->kind == LW_CALC_NONE)
        return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s: no such layout: %.300s",
                           name, self->as.why);
    const struct lw_calc_row *row = find_in(METHODS, name);
    return lw_error_at(calc->err, LW_ERROR_SHAPE, position, "%.40s is not for %s%s%s", name,
                       self->kind == LW_CALC_LAYOUT ? owners[LW_CALC_OF_LAYOUT]
                                                    : lw_calc_kind_name(self),
                       row ? ", but for " : "", row ? owners[row->base.on] : "");
}

static bool wrong_usage(const struct lw_calc_call *call, struct lw_position position,
                        const char *name, const char *what)
{
    return lw_error_at(call->work.err, LW_ERROR_SYNTAX, position, "%s%s: %s", name, what,
                       call->row->base.usage);
}

/* ---- Parameters ---- */

static bool takes_all(enum lw_calc_param param)
{
    return param == LW_CALC_PARAM_POINT || param == LW_CALC_PARAM_REST;
}

/* The parameter of an argument: number `next`, or that of its label; -1 and an error: there is none. */
static int parameter_of(const struct lw_calc_call *call, const struct lw_node *node, int next)
{
    int i = node->label ? 0 : next;
    if (takes_all(lw_calc_param(call->row, next)))
        return next;
    /* as in the usage, which is that of the CuTe DSL */
    while (node->label && lw_calc_param(call->row, i) &&
           strcmp(lw_calc_param_name(call->row, i).text, node->label) != 0)
        i++;
    bool exists = lw_calc_param(call->row, i);
    if (exists && !lw_calc_given(call, i))
        return i;
    if (!node->label)
        wrong_usage(call, node->position, "", "too many arguments");
    else
        wrong_usage(call, node->label_position, node->label,
                    exists ? " is set twice" : " is not the name of an argument");
    return -1;
}

/* Whether the labels of arguments that are taken together are those of the usage, "shape[, stride]", in its order. */
static bool check_labels(const struct lw_calc_call *call, const struct lw_node *node)
{
    const char *names = strchr(call->row->base.usage, '(') + 1;
    for (; node; node = node->next) {
        names += strspn(names, "[, ]");
        size_t length = strcspn(names, "[, ])");
        if (node->label &&
            (strlen(node->label) != length || strncmp(names, node->label, length) != 0))
            return wrong_usage(call, node->label_position, node->label,
                               " is not the name of an argument here");
        names += length;
    }
    return true;
}

/* ---- Arguments ---- */

/* Whether an argument is a pointer, which is not read: make_gmem_ptr(A), or a name that is no value. */
static bool is_pointer(const struct lw_calculation *calc, const struct lw_node *node)
{
    const struct lw_node *first = node->kind == LW_NODE_CHAIN ? node->items : node;
    const struct lw_node *last = node->kind == LW_NODE_CHAIN ? lw_node_last(node) : node;
    const char *name = first->name;
    struct lw_calc_result value;
    bool nothing = first->kind == LW_NODE_NAME && !first->angles &&
                   !lw_calc_find_variable(calc, name) && !lw_calc_is_smem(name) &&
                   !lw_calc_is_atom(name) && !lw_calc_leaf(first, &value);
    if (last->kind == LW_NODE_POINTER ||
        (nothing && (last == first || !lw_calc_is_module(first->name))))
        return true;
    return (last->kind == LW_NODE_METHOD || last->kind == LW_NODE_MEMBER) &&
           lw_text_has_word("data begin get iterator data_ptr", last->name);
}

/* What an expression must be, by its parameter. */
static const struct {
    enum lw_calc_kind kind;
    const char *what;
} needed[] = {
    [LW_CALC_PARAM_LAYOUT] = {LW_CALC_LAYOUT, "a layout"},
    [LW_CALC_PARAM_MMA_ATOM] = {LW_CALC_ATOM, "an atom of an MMA, SM80_16x8x16_F32F16F16F32_TN{}"},
    [LW_CALC_PARAM_COPY_ATOM] = {LW_CALC_ATOM,
                                 "an atom of a copy, Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}"},
    [LW_CALC_PARAM_MMA] = {LW_CALC_MMA, "a tiled MMA"},
    [LW_CALC_PARAM_COPY] = {LW_CALC_COPY, "a tiled copy"},
    [LW_CALC_PARAM_NUMBER] = {LW_CALC_TREE, "a number"},
    [LW_CALC_PARAM_CUTE] = {LW_CALC_TREE, "a layout of CuTe"},
    [LW_CALC_PARAM_TUPLE] = {LW_CALC_TREE, "a tuple"},
    [LW_CALC_PARAM_INTEGERS] = {LW_CALC_TREE, "a number, a tuple or a layout"},
    [LW_CALC_PARAM_COORDINATE] = {LW_CALC_TREE, "a tuple"},
    [LW_CALC_PARAM_TILER] = {LW_CALC_TREE, "a tuple"},
};

static bool wrong_kind(const struct lw_calc_call *call, int i, struct lw_position position,
                       const struct lw_calc_result *value)
{
    enum lw_calc_param param = lw_calc_param(call->row, i);
    if (value->kind == LW_CALC_NONE)
        return lw_error_at(call->work.err, LW_ERROR_SHAPE, position, "%s: no such layout: %.300s",
                           call->row->base.name, value->as.why);
    return lw_error_at(
        call->work.err, LW_ERROR_SHAPE, position, "%s: '%s' must be %s, and this is %s%s",
        call->row->base.name, lw_calc_param_name(call->row, i).text, needed[param].what,
        lw_calc_kind_name(value),
        param == LW_CALC_PARAM_LAYOUT && lw_calc_cute(value) ? ": write .linear() after it" : "");
}

/* Converts a value to what the parameter needs; else an error. */
static bool fit(struct lw_calculation *calc, const struct lw_calc_call *call, int i,
                struct lw_position position, struct lw_calc_result *value)
{
    enum lw_calc_param param = lw_calc_param(call->row, i);
    struct lw_cute_tuple *tree = &value->as.tree;
    if (param == LW_CALC_PARAM_ANY)
        return true;
    bool mma = param == LW_CALC_PARAM_MMA_ATOM;
    if (value->kind != needed[param].kind ||
        (value->kind == LW_CALC_ATOM && mma != (value->as.tiling.mma_atom != NULL)))
        return wrong_kind(call, i, position, value);
    if (value->kind != LW_CALC_TREE)
        return true;
    if (param == LW_CALC_PARAM_NUMBER) { /* which may be in parentheses */
        const struct lw_cute_tuple *number = tree;
        while (number->count == 1)
            number = &number->items[0];
        if (!lw_cute_is_integer(number) || number->axis)
            return wrong_kind(call, i, position, value);
        return number->value < 0
                   ? lw_error_at(calc->err, LW_ERROR_PARAMETER, position,
                                 "%s: '%s' is %lld: must be 0 or more", call->row->base.name,
                                 lw_calc_param_name(call->row, i).text, (long long)number->value)
                   : lw_calc_set_tree(number, value);
    }
    if (param == LW_CALC_PARAM_CUTE)
        return lw_calc_to_cute(calc, value) ||
               (calc->err->code == LW_OK && wrong_kind(call, i, position, value));
    tree->position = position;
    if (param == LW_CALC_PARAM_INTEGERS && lw_calc_cute(value))
        return true;
    if (param == LW_CALC_PARAM_TILER)
        return lw_calc_is_tiler(tree, calc->err);
    if (tree->count < 0 && tree->leaf != LW_CUTE_INTEGER &&
        !(param == LW_CALC_PARAM_COORDINATE && tree->leaf == LW_CUTE_BLANK))
        return wrong_kind(call, i, position, value);
    return param == LW_CALC_PARAM_COORDINATE || lw_calc_integers(tree, calc->err);
}

/* A name, of which *node becomes the last word: Float16 of cutlass.Float16; or a number where the parameter is not that
 * of a dim. */
static bool is_word(const struct lw_calc_call *call, int i, const struct lw_node **node)
{
    bool dim = lw_calc_param(call->row, i) == LW_CALC_PARAM_DIM;
    const struct lw_node *word =
        (*node)->kind == LW_NODE_CHAIN && !dim ? lw_node_last(*node) : *node;
    bool name =
        word->kind == LW_NODE_STRING || (word->kind == LW_NODE_NAME && !(dim && word->angles));
    if (dim)
        return name || lw_node_unexpected(word, "the name of a dim", call->work.err);
    if (!name && word->kind != LW_NODE_MEMBER && word->kind != LW_NODE_INTEGER)
        return lw_error_at(call->work.err, LW_ERROR_SYNTAX, (*node)->position,
                           "expected a name or a number for '%s'",
                           lw_calc_param_name(call->row, i).text);
    *node = word;
    return true;
}

static bool one_argument(struct lw_calculation *calc, struct lw_calc_call *call, int i,
                         const struct lw_node *node)
{
    struct lw_calc_argument *arg = &call->args[i];
    enum lw_calc_param param = lw_calc_param(call->row, i);
    struct lw_calc_result *value;
    arg->node = node;
    if (param == LW_CALC_PARAM_DIM || param == LW_CALC_PARAM_WORD)
        return is_word(call, i, &arg->node);
    if (param > LW_CALC_PARAM_REST)
        return true;
    arg->value = value = lw_arena_alloc(calc->arena, sizeof *value);
    if (!value)
        return lw_scan_out_of_memory(calc->scan);
    if (param == LW_CALC_PARAM_REST) {
        value->kind = LW_CALC_TREE;
        return lw_calc_items(calc, node, &value->as.tree);
    }
    return calc->evaluate(calc, node, value) && fit(calc, call, i, node->position, value);
}

/* The arguments from `node` on. `end`: where one that is missing would be. */
static bool make_arguments(struct lw_calculation *calc, struct lw_calc_call *call,
                           const struct lw_node *node, struct lw_position end)
{
    bool more = takes_all(call->row->params[0]); /* also when there are no nodes */
    if (call->row->params[0] == LW_CALC_PARAM_REST && !check_labels(call, node))
        return false;
    if (node && !strcmp(call->row->base.name, "make_tensor") && is_pointer(calc, node))
        node = node->next; /* a pointer is not read */
    for (int next = 0; node || more; next++) {
        int i = node ? parameter_of(call, node, next) : next;
        if (i < 0 || !one_argument(calc, call, i, node))
            return false;
        node = takes_all(lw_calc_param(call->row, i)) ? NULL : node->next;
        more = false;
    }
    for (int i = 0; lw_calc_param(call->row, i); i++) {
        const struct lw_calc_param_name name = lw_calc_param_name(call->row, i);
        if (!lw_calc_given(call, i) && !name.optional && !takes_all(lw_calc_param(call->row, i)))
            return wrong_usage(call, end, name.text, " is missing");
    }
    return true;
}

/* ---- Arguments in angles ---- */

/* Those of a function come last: make_tma_copy<half_t>(...). */
static bool put_last(struct lw_calculation *calc, struct lw_calc_call *call,
                     const struct lw_node *node)
{
    int i = 0;
    if (!node->angles)
        return true;
    while (lw_calc_param(call->row, i))
        i++;
    i -= node->angles->count;
    if (i < 0 || lw_calc_param(call->row, i) != LW_CALC_PARAM_WORD)
        return lw_error_at(calc->err, LW_ERROR_NAME, node->angles->position,
                           "'%.40s' has no arguments in <...>", node->name);
    for (const struct lw_node *item = node->angles->items; item; item = item->next)
        if (!one_argument(calc, call, i++, item))
            return false;
    return true;
}

/* Those of a method come first, size<0>(A); they are numbers of modes, or words where its parameters are:
 * recast_layout<half_t, int>(A). */
static bool put_first(struct lw_calculation *calc, const struct lw_node *call,
                      const struct lw_node **arguments)
{
    bool words = find_in(METHODS, call->name)->params[0] == LW_CALC_PARAM_WORD;
    struct lw_node *copies =
        lw_arena_alloc(calc->arena, ((size_t)call->angles->count + 1) * sizeof *copies);
    if (!copies)
        return lw_scan_out_of_memory(calc->scan);
    const struct lw_node *rest = *arguments;
    if (call->angles->items)
        *arguments = copies;
    for (const struct lw_node *mode = call->angles->items; mode; mode = mode->next, copies++) {
        if (mode->kind != LW_NODE_INTEGER && !words)
            return lw_node_unexpected(mode, "the number of a mode", calc->err);
        *copies = *mode;
        copies->next = mode->next ? copies + 1 : (struct lw_node *)rest;
    }
    return true;
}

/* ---- Which integers are static ---- */

/* Which integers operands have: static ones, others, and static steps along axes, as of make_identity_tensor. */
struct kinds {
    bool fixed, other, along;
};

/* A stride that was not written has the position of its size: it does not count as static. */
static void find_in_strides(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                            struct kinds *kinds)
{
    const struct lw_position *a = &shape->position, *b = &stride->position;
    for (int i = 0; i < shape->count; i++)
        find_in_strides(&shape->items[i], &stride->items[i], kinds);
    if (shape->count >= 0)
        return;
    bool own = b->line && (a->line != b->line || a->column != b->column);
    kinds->fixed = kinds->fixed || shape->fixed || (stride->fixed && own);
    kinds->along = kinds->along || (stride->fixed && stride->axis);
    kinds->other = kinds->other || !shape->fixed || !stride->fixed;
}

static void find_in_tree(const struct lw_cute_tuple *tree, struct kinds *kinds)
{
    for (int i = 0; i < tree->count; i++)
        find_in_tree(&tree->items[i], kinds);
    if (tree->count >= 0)
        return;
    if (tree->leaf == LW_CUTE_LAYOUT)
        find_in_strides(&tree->layout->layout.shape, &tree->layout->layout.stride, kinds);
    kinds->fixed = kinds->fixed || (tree->leaf == LW_CUTE_INTEGER && tree->fixed);
    kinds->other = kinds->other || (tree->leaf == LW_CUTE_INTEGER && !tree->fixed);
}

/* Whether an argument is a layout, a shape or a tiler. */
static bool is_operand(const struct lw_calc_call *call, int i)
{
    enum lw_calc_param param = lw_calc_param(call->row, i);
    return (param == LW_CALC_PARAM_CUTE || param == LW_CALC_PARAM_TILER ||
            param == LW_CALC_PARAM_TUPLE || param == LW_CALC_PARAM_ANY) &&
           call->args[i].value && call->args[i].value->kind == LW_CALC_TREE;
}

static struct kinds kinds_of(const struct lw_calc_call *call)
{
    struct kinds kinds = {0};
    if (call->self && call->self->kind == LW_CALC_TREE)
        find_in_tree(&call->self->as.tree, &kinds);
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++)
        if (is_operand(call, i))
            find_in_tree(&call->args[i].value->as.tree, &kinds);
    return kinds;
}

/* ---- Running ---- */

static bool compute(struct lw_calc_call *call, enum lw_cute_rules rules, struct lw_calc_result *out)
{
    call->work.rules = rules;
    out->kind = call->row->result;
    return call->row->run(call, out);
}

/* The same value with every integer static, or none. */
static bool set_fixed(struct lw_cute_work *work, const struct lw_calc_result *value, bool fixed,
                      struct lw_calc_result *out)
{
    struct lw_cute_tuple tree;
    if (value->kind != LW_CALC_TREE) {
        *out = *value;
        return true;
    }
    return lw_cute_set_tuple_fixed(work, &value->as.tree, fixed, &tree) &&
           lw_calc_set_tree(&tree, out);
}

/* Computes the result with every integer static, and then none. */
static bool run_fixed(const struct lw_calc_call *call, enum lw_cute_rules rules,
                      struct lw_calc_result *out)
{
    struct lw_calc_result self, values[LW_CALC_PARAMS_MAX], made;
    struct lw_calc_call own = *call;
    own.self = &self;
    if (!set_fixed(&own.work, call->self, true, &self))
        return false;
    for (int i = 0; i < LW_CALC_PARAMS_MAX; i++)
        if (is_operand(call, i)) {
            own.args[i].value = &values[i];
            if (!set_fixed(&own.work, call->args[i].value, true, &values[i]))
                return false;
        }
    return compute(&own, rules, &made) && set_fixed(&own.work, &made, false, out);
}

/* Whether the result depends on which integers are static. */
static bool has_rules(const struct lw_calc_call *call)
{
    return call->row->traits & LW_CALC_RULES && lw_calc_cute(call->self);
}

/* Computes the result of C++, right or wrong. Where C++ does not compile because nothing is static, it is that of
 * static integers. */
static bool run_as_cute(const struct lw_calc_call *call, struct lw_calc_result *out)
{
    struct lw_calc_call own = *call;
    if (has_rules(call))
        own.work.steps = NULL;
    return compute(&own, LW_CUTE_UNCHECKED, out) ||
           (has_rules(call) && call->work.err->code == LW_ERROR_SHAPE && !kinds_of(call).fixed &&
            run_fixed(&own, LW_CUTE_UNCHECKED, out));
}

/* Adds to an error what CuTe does in this case. */
static void add_cute(const struct lw_calc_call *call)
{
    struct lw_error refused = {0}, *err = call->work.err;
    struct lw_calc_call own = *call;
    struct lw_calc_result given;
    struct lw_text text = {.limit = 160};
    size_t length = strlen(err->message);
    if ((err->code != LW_ERROR_SHAPE && err->code != LW_ERROR_PARAMETER) ||
        strstr(err->message, "CuTe"))
        return;
    own.work.err = &refused;
    own.work.steps = NULL;
    if (run_as_cute(&own, &given) && given.kind < LW_CALC_ATOM) {
        lw_calc_print(&text, &given);
        snprintf(err->message + length, sizeof err->message - length, "; CuTe gives %s (--as-cute)",
                 lw_text_string(&text));
    } else if (has_rules(call) && !strncmp(refused.message, "CuTe does not compile", 21)) {
        snprintf(err->message + length, sizeof err->message - length, "; %.200s", refused.message);
    }
    lw_text_free(&text);
}

static bool run_by_rules(struct lw_calc_call *call, struct lw_calc_result *out)
{
    bool done = false;
    if (call->calc->as_cute)
        return run_as_cute(call, out);
    struct lw_error *err = call->work.err, ignored = {0};
    struct kinds kinds = kinds_of(call);
    bool tiling = call->row->base.on == LW_CALC_OF_MMA || call->row->base.on == LW_CALC_OF_COPY;
    if (has_rules(call)) {
        bool zero = lw_cute_has_zero_along(&lw_calc_cute(call->self)->layout.stride);
        bool mixed = ((kinds.fixed || kinds.along) && kinds.other) || zero;
        done = zero && !kinds.fixed ? run_fixed(call, LW_CUTE_WRITTEN, out)
                                    : compute(call, mixed ? LW_CUTE_WRITTEN : LW_CUTE_VALUES, out);
    } else {
        /* A tiling of a tensor with some integers that are static and some that are not is computed as C++ does, if
         * that is right. */
        call->work.err = &ignored;
        done = tiling && kinds.fixed && kinds.other && compute(call, LW_CUTE_WRITTEN, out);
        call->work.err = err;
        done = done || compute(call, LW_CUTE_VALUES, out);
    }
    if (!done)
        add_cute(call);
    return done;
}

/* ---- Pairs ---- */

static bool is_same(const struct lw_calc_result *a, const struct lw_calc_result *b)
{
    const struct lw_cute *x = lw_calc_cute(a), *y = lw_calc_cute(b);
    if (a->kind == LW_CALC_LAYOUT && b->kind == LW_CALC_LAYOUT)
        return lw_layout_equal(&a->as.layout, &b->as.layout);
    return x && y && lw_cute_equal(x, y);
}

/* Keeps a product or a quotient with its operands; does nothing for other operations. */
static bool keep_pair(struct lw_calculation *calc, const struct lw_calc_call *call,
                      const struct lw_calc_result *result)
{
    const struct lw_calc_row *row = call->row;
    if (!calc->keeps_pairs || !(row->traits & LW_CALC_PAIRS))
        return true;
    struct lw_calc_pair *pair = lw_arena_alloc(calc->arena, sizeof *pair);
    if (!pair)
        return lw_scan_out_of_memory(calc->scan);
    bool tiles = row->pair == LW_CALC_PAIR_REPEATED || row->pair == LW_CALC_PAIR_DIVIDED;
    *pair = (struct lw_calc_pair){.kind = row->pair,
                                  .name = row->base.name,
                                  .form = tiles ? row->core.tile.form : LW_CUTE_LOGICAL,
                                  .a = *call->self,
                                  .b = *call->args[0].value,
                                  .result = *result,
                                  .before = lw_calc_pair_of(calc, call->self)};
    calc->pair = pair;
    return true;
}

const struct lw_calc_pair *lw_calc_pair_of(const struct lw_calculation *calc,
                                           const struct lw_calc_result *result)
{
    return calc->pair && is_same(&calc->pair->result, result) ? calc->pair : NULL;
}

/* Whether an operation of CuTe supports its operands: not all support a swizzle alone, or a layout with strides of
 * coordinates. */
static bool is_possible(struct lw_calc_call *call)
{
    const struct lw_calc_row *row = call->row;
    const struct lw_cute *self = call->self ? lw_calc_cute(call->self) : NULL;
    if (call->self && call->self->kind == LW_CALC_SWIZZLE && row->base.on == LW_CALC_OF_CUTE &&
        strcmp(row->base.name, "composition") != 0)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE,
                            "%s is for a layout of CuTe, not for a swizzle alone", row->base.name);
    if (!self || !lw_cute_is_of_coordinates(self) || row->base.on == LW_CALC_OPERATOR)
        return true;
    call->work.steps = NULL;
    return row->traits & LW_CALC_COORDS ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE,
                        "%s needs offsets that are numbers; those of this layout are coordinates",
                        row->base.name);
}

static bool run_call(struct lw_calculation *calc, struct lw_calc_call *call,
                     struct lw_position position, struct lw_calc_result *value)
{
    struct lw_calc_result made;
    struct lw_error *err = calc->err;
    if (is_possible(call) && run_by_rules(call, &made)) {
        if (!keep_pair(calc, call, &made))
            return false;
        if (made.kind == LW_CALC_TREE)
            return lw_calc_set_tree(&made.as.tree, value);
        *value = made;
        return true;
    }
    if (err->code == LW_ERROR_UNSUPPORTED) {
        value->kind = LW_CALC_NONE;
        memcpy(value->as.why, err->message, sizeof value->as.why);
        return true;
    }
    return lw_error_locate(err, position);
}

/* ---- Calls ---- */

/* The bracket that closes a call. */
static struct lw_position closing(const struct lw_node *call)
{
    struct lw_position position = lw_node_end(call);
    position.column--;
    position.length = 1;
    return position;
}

/* Which methods a value has. A shape is read as its compact layout. */
static const unsigned methods_of[LW_CALC_TENSOR_MAP + 1] = {
    [LW_CALC_LAYOUT] = 1u << LW_CALC_OF_LAYOUT,
    [LW_CALC_ACTION] = 1u << LW_CALC_OF_ACTION,
    [LW_CALC_ATOM] = 1u << LW_CALC_OF_ATOM,
    [LW_CALC_MMA] = 1u << LW_CALC_OF_MMA | 1u << LW_CALC_OF_ATOM,
    [LW_CALC_COPY] = 1u << LW_CALC_OF_COPY | 1u << LW_CALC_OF_ATOM,
    [LW_CALC_TREE] = 1u << LW_CALC_OF_TREE | 1u << LW_CALC_OF_CUTE,
    [LW_CALC_SWIZZLE] = 1u << LW_CALC_OF_CUTE,
};

/* Converts the value to what the operation is of. */
static bool fit_self(struct lw_calculation *calc, const struct lw_calc_row *row, const char *name,
                     struct lw_position position, struct lw_calc_result *value)
{
    const struct lw_cute_tuple *tree = &value->as.tree;
    bool blank = value->kind == LW_CALC_TREE && tree->count < 0 &&
                 (tree->leaf == LW_CUTE_BLANK || tree->leaf == LW_CUTE_ORDER);
    if (!blank && (row->base.on != LW_CALC_OF_CUTE || value->kind == LW_CALC_SWIZZLE))
        return true;
    calc->err->code = LW_OK;
    return (!blank && lw_calc_to_cute(calc, value)) ||
           (calc->err->code == LW_OK && not_of(calc, name, position, value));
}

bool lw_calc_call_method(struct lw_calculation *calc, const struct lw_node *node,
                         const struct lw_node *arguments, struct lw_calc_result *value)
{
    unsigned methods = methods_of[value->kind];
    const struct lw_calc_row *row = find_in(methods, node->name);
    struct lw_calc_call call = {.calc = calc, .row = row, .self = value, .work = calc->work};
    if (!row && find_in(METHODS, node->name))
        return not_of(calc, node->name, node->name_position, value);
    if (!row)
        return unknown_operation(calc, node->name, node->name_position, methods);
    return fit_self(calc, row, node->name, node->name_position, value) &&
           make_arguments(calc, &call, arguments, closing(node)) &&
           run_call(calc, &call, node->position, value);
}

bool lw_calc_call_function(struct lw_calculation *calc, const struct lw_node *node,
                           struct lw_calc_result *value)
{
    const struct lw_calc_row *row = lw_calc_find(LW_CALC_FUNCTION, node->name);
    struct lw_calc_call call = {.calc = calc, .row = row, .work = calc->work};
    bool method = !row || node->angles || !strcmp(node->name, "layout"); /* no Layout */
    if (method && find_in(METHODS, node->name)) { /* of the layout that is its first argument */
        const struct lw_node *self = node->items, *arguments = self ? self->next : NULL;
        if (!self)
            return lw_error_at(calc->err, LW_ERROR_SYNTAX, closing(node),
                               "%s: its layout is missing", node->name);
        return (!node->angles || put_first(calc, node, &arguments)) &&
               calc->evaluate(calc, self, value) &&
               lw_calc_call_method(calc, node, arguments, value);
    }
    if (!row)
        return unknown_operation(calc, node->name, node->name_position,
                                 METHODS | 1u << LW_CALC_FUNCTION);
    return put_last(calc, &call, node) && make_arguments(calc, &call, node->items, closing(node)) &&
           run_call(calc, &call, node->position, value);
}

/* `A o B`, as papers write composition(A, B). */
bool lw_calc_call_operator(struct lw_calculation *calc, const struct lw_node *operand,
                           struct lw_calc_result *left, const struct lw_calc_result *right)
{
    const char *symbol = operand->label;
    struct lw_position position = operand->label_position;
    bool compose = symbol[0] == 'o';
    struct lw_calc_result b = *right;
    struct lw_calc_call call = {.calc = calc, .self = left, .work = calc->work};
    call.row = compose ? lw_calc_find(LW_CALC_OF_CUTE, "composition")
                       : lw_calc_find(LW_CALC_OPERATOR, symbol);
    if (!call.row)
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, position,
                           "'%s' is for layouts of tilus; of others there are divideLeft, "
                           "divideRight and logical_divide",
                           symbol);
    call.args[0].value = &b;
    if (compose)
        return fit_self(calc, call.row, symbol, position, left) &&
               fit(calc, &call, 0, operand->position, &b) && run_call(calc, &call, position, left);
    call.work.steps = NULL;
    if (call.row->params[0] == LW_CALC_PARAM_LAYOUT && left->kind != LW_CALC_LAYOUT)
        return not_of(calc, symbol, position, left);
    if (call.row->params[0] == LW_CALC_PARAM_LAYOUT && b.kind != LW_CALC_LAYOUT)
        return not_of(calc, symbol, position, &b);
    return run_call(calc, &call, position, left);
}
