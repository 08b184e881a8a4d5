/*
 * Index arithmetic compared with its map: at every point of a small map. Of a large one at the
 * edges, where one coordinate is 0, the last, or next to a power of two and the others are all 0
 * or all the last, and at random points, which are the same in every run.
 */

#include "translate/formula_parts.h"

struct checker {
    const struct lw_formula *f;
    const struct lw_formula_language *language;
    const struct lw_map *map;
    struct lw_error *err;
};

/* ---- A difference ---- */

static void write_expression(struct lw_text *text, const struct checker *c,
                             const struct lw_formula_function *function)
{
    const struct lw_formula_expr *expr = &function->expr;
    for (int i = 0; i < expr->steps; i++) {
        lw_text_add(text, "raw = ");
        lw_formula_write_node(text, c->f, c->language, &function->vars, expr->step[i]);
        lw_text_add(text, ", ");
    }
    lw_formula_write_node(text, c->f, c->language, &function->vars, expr->value);
}

static bool differs(const struct checker *c, const struct lw_formula_function *function,
                    const uint64_t *arguments, const char *gives, uint64_t expected)
{
    struct lw_text at = {0}, expression = {0};
    for (int i = 0; i < function->vars.count; i++)
        lw_text_format(&at, "%s%s = %llu", i ? ", " : "", function->vars.at[i].name,
                       (unsigned long long)arguments[i]);
    write_expression(&expression, c, function);
    lw_error_set(c->err, LW_ERROR_INTERNAL,
                 "this is a bug in laneway: the index arithmetic is wrong and not printed: "
                 "%s(%.120s) %s, but "
                 "the layout has %llu; the expression is %.180s",
                 function->name, lw_text_string(&at), gives, (unsigned long long)expected,
                 lw_text_string(&expression));
    lw_text_free(&at);
    lw_text_free(&expression);
    return false;
}

static bool check_value(const struct checker *c, const struct lw_formula_function *function,
                        const uint64_t *arguments, uint64_t expected)
{
    char gives[64];
    uint64_t value;
    if (!lw_formula_evaluate(c->f, c->language, function, arguments, &value))
        return differs(c, function, arguments, "has no value", expected);
    snprintf(gives, sizeof gives, "is %llu", (unsigned long long)value);
    return value == expected || differs(c, function, arguments, gives, expected);
}

/* ---- One point ---- */

/* A hardware index in the variables of the functions: a thread is its lane and its warp. */
static void name_index(const struct checker *c, const uint64_t *in, uint64_t *position)
{
    const struct lw_dims *dims = &c->map->in;
    for (int p = 0; p < c->f->variables.count; p++) {
        int d = c->f->variable_dim[p];
        position[p] = in[d];
        if (c->f->variables.at[p].size != dims->dim[d].size)
            position[p] += dims->dim[d].size * in[d + 1];
    }
}

static bool check_index(const struct checker *c, const uint64_t *in)
{
    uint64_t position[LW_DIMS_MAX], element[LW_DIMS_MAX] = {0};
    bool there = lw_map_apply(c->map, in, element), good = true;
    name_index(c, in, position);
    for (int i = 0; i < c->f->function_count && good; i++) {
        const struct lw_formula_function *function = &c->f->function[i];
        if (function->role == LW_FORMULA_USED)
            good = check_value(c, function, position, there);
        else if (function->role == LW_FORMULA_ELEMENT && there)
            good = check_value(c, function, position, element[function->which]);
    }
    return good;
}

/* Checks owner k of an element, and the element at that hardware index. */
static bool check_element(const struct checker *c, const uint64_t *element, uint64_t k)
{
    uint64_t in[LW_DIMS_MAX], position[LW_DIMS_MAX] = {0}, arguments[LW_FORMULA_VARS];
    bool held = lw_map_owner(c->map, element, k, in), good = true;
    if (held)
        name_index(c, in, position);
    for (int d = 0; d < c->f->dims.count; d++)
        arguments[d] = element[d];
    arguments[c->f->dims.count] = k;
    for (int i = 0; i < c->f->function_count && good; i++) {
        const struct lw_formula_function *function = &c->f->function[i];
        if (function->role == LW_FORMULA_HELD)
            good = check_value(c, function, arguments, held);
        else if (function->role == LW_FORMULA_OWNER && held)
            good = check_value(c, function, arguments, position[function->which]);
        else if (function->role == LW_FORMULA_BYTE && held)
            good = check_value(c, function, arguments,
                               position[function->which] * ((uint64_t)c->f->bits / 8));
    }
    return good && (!held || check_index(c, in));
}

/* ---- Points ---- */

/* Checks one point, a hardware index or an element with the number of its copy. */
typedef bool check_point(const struct checker *c, const uint64_t *point, uint64_t copy);

static bool check_point_index(const struct checker *c, const uint64_t *point, uint64_t copy)
{
    (void)copy;
    return check_index(c, point);
}

static bool check_all(const struct checker *c, const struct lw_dims *dims, uint64_t total,
                      uint64_t copies, check_point *check)
{
    uint64_t point[LW_DIMS_MAX];
    bool good = true;
    for (uint64_t i = 0; i < total * copies && good; i++) {
        lw_dims_unflatten(dims, i % total, point);
        good = check(c, point, i / total);
    }
    return good;
}

static bool check_edge(const struct checker *c, const struct lw_dims *dims, int d, uint64_t value,
                       uint64_t copies, check_point *check)
{
    uint64_t low[LW_DIMS_MAX] = {0}, high[LW_DIMS_MAX];
    for (int i = 0; i < dims->count; i++)
        high[i] = dims->dim[i].size - 1;
    low[d] = high[d] = value;
    return check(c, low, 0) && check(c, high, 0) && check(c, low, copies - 1) &&
           check(c, high, copies - 1);
}

static bool check_edges(const struct checker *c, const struct lw_dims *dims, uint64_t copies,
                        check_point *check)
{
    bool good = true;
    for (int d = 0; d < dims->count && good; d++) {
        uint64_t last = dims->dim[d].size - 1;
        good =
            check_edge(c, dims, d, 0, copies, check) && check_edge(c, dims, d, last, copies, check);
        for (uint64_t power = 1; power && power <= last && good; power <<= 1)
            good = check_edge(c, dims, d, power, copies, check) &&
                   check_edge(c, dims, d, power - 1, copies, check);
    }
    return good;
}

/* xorshift64* */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static bool check_random(const struct checker *c, const struct lw_dims *dims, uint64_t copies,
                         check_point *check)
{
    uint64_t point[LW_DIMS_MAX], state = 1;
    bool good = true;
    for (int i = 0; i < LW_FORMULA_POINTS && good; i++) {
        for (int d = 0; d < dims->count; d++)
            point[d] = next_random(&state) % dims->dim[d].size;
        good = check(c, point, next_random(&state) % copies);
    }
    return good;
}

static bool check_points(const struct checker *c, const struct lw_dims *dims, uint64_t copies,
                         check_point *check)
{
    uint64_t total;
    if (lw_dims_total(dims, &total, NULL) && total <= LW_FORMULA_POINTS / copies)
        return check_all(c, dims, total, copies, check);
    return check_edges(c, dims, copies, check) && check_random(c, dims, copies, check);
}

bool lw_formula_check(const struct lw_formula *formula, const struct lw_formula_language *language,
                      const struct lw_map *map, struct lw_error *err)
{
    struct checker c = {formula, language, map, err};
    return check_points(&c, &map->in, 1, check_point_index) &&
           check_points(&c, &map->out, formula->copies, check_element);
}
