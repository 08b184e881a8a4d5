/* Index arithmetic: chooses the functions that a map has and the file that makes them. */

#include "translate/formula_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

/* Whether a name is a keyword of one of the languages or used by the functions themselves. */
static bool is_taken(const char *name)
{
    static const char keywords[] =
        " auto break case char const continue default do double else enum extern float for goto if "
        "inline int long restrict return short signed sizeof static struct switch typedef union "
        "unsigned void volatile while and as assert async await class def del elif except finally "
        "from global import in is lambda nonlocal not or pass raise try with yield None True False "
        "bool new delete this template typename uint32_t uint64_t raw copy ";
    char spaced[LW_NAME_MAX + 2];
    snprintf(spaced, sizeof spaced, " %s ", name);
    return strstr(keywords, spaced) || (*name >= '0' && *name <= '9');
}

static void add_variable(struct lw_formula_vars *vars, const char *name, uint64_t size)
{
    struct lw_formula_var *var = &vars->at[vars->count++];
    if (!strcmp(name, "register")) /* a keyword of C */
        name = "reg";
    snprintf(var->name, sizeof var->name, "%s%s", is_taken(name) ? "d_" : "", name);
    var->size = size;
}

/* Names the variables. A lane and a warp together are the variable `thread`. */
static void name_index_variables(struct lw_formula *f)
{
    const struct lw_dims *in = &f->map->in;
    for (int d = 0; d < in->count; d++) {
        bool lane = !strcmp(in->dim[d].name, "lane") && d + 1 < in->count &&
                    !strcmp(in->dim[d + 1].name, "warp");
        f->variable_dim[f->variables.count] = d;
        if (lane)
            add_variable(&f->variables, "thread", in->dim[d].size * in->dim[d + 1].size);
        else if (in->dim[d].size > 1 || strcmp(in->dim[d].name, "block") != 0)
            add_variable(&f->variables, in->dim[d].name, in->dim[d].size);
        d += lane;
    }
    for (int d = 0; d < f->map->out.count; d++)
        add_variable(&f->dims, f->map->out.dim[d].name, f->map->out.dim[d].size);
}

/* How many functions, tables and variables have that name. */
static int count_name(const struct lw_formula *f, const struct lw_formula_vars *vars,
                      const char *name)
{
    int count = 0;
    for (int i = 0; i < f->function_count; i++)
        count += !strcmp(f->function[i].name, name);
    for (int i = 0; i < f->table_count; i++)
        count += !strcmp(f->table[i].name, name);
    for (int i = 0; i < vars->count; i++)
        count += !strcmp(vars->at[i].name, name);
    return count;
}

/* Dims can have any names, so two functions or variables could get the same one. */
static bool check_names(const struct lw_formula *f, struct lw_error *err)
{
    for (int i = 0; i < f->function_count; i++) {
        const struct lw_formula_function *function = &f->function[i];
        const char *twice =
            count_name(f, &function->vars, function->name) > 1 ? function->name : NULL;
        for (int v = 0; v < function->vars.count && !twice; v++)
            if (count_name(f, &function->vars, function->vars.at[v].name) > 1)
                twice = function->vars.at[v].name;
        if (twice)
            return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                                "no index arithmetic: with these names of dims, two functions or "
                                "variables would have the name '%s'",
                                twice);
    }
    return true;
}

static bool is_wide(const struct lw_formula *f)
{
    uint64_t max = f->copies;
    const struct lw_formula_vars *all[] = {&f->variables, &f->dims};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < all[i]->count; k++)
            max = all[i]->at[k].size > max ? all[i]->at[k].size : max;
    uint64_t elements;
    if (lw_dims_total(&f->map->out, &elements, NULL) && f->map->kind == LW_MAP_STRIDED)
        max = elements > max ? elements : max;
    return max > UINT64_C(0xffffffff) / (f->bits > 8 ? (uint64_t)f->bits / 8 : 1);
}

/* ---- Functions that consist of calls of other functions ---- */

/* Makes the calls of the functions `names`, with the variables as arguments. */
static void calls_of(struct lw_formula *f, const struct lw_formula_vars *names, const char *way,
                     const struct lw_formula_vars *vars, const struct lw_formula_node **calls)
{
    char name[LW_NAME_MAX + 8];
    for (int i = 0; i < names->count; i++) {
        snprintf(name, sizeof name, "%s%s", names->at[i].name, way);
        calls[i] = lw_formula_call_same(f, name, vars);
    }
}

/* is_held and is_used: whether the function and its inverse lead back to the arguments. is_used
 * first checks that the result is an element, as the inverse is defined for elements only; so does
 * is_held of hardware indices where modes leave gaps, as the index of an element in a gap is past
 * the last one. */
static void write_round_trip(struct lw_formula *f, enum lw_formula_role role)
{
    bool forward = role == LW_FORMULA_USED;
    const struct lw_formula_vars *from = forward ? &f->variables : &f->dims;
    const struct lw_formula_vars *to = forward ? &f->dims : &f->variables;
    const struct lw_formula_node *there[LW_FORMULA_VARS], *back;
    struct lw_formula_expr expr = {0};
    char name[LW_NAME_MAX + 8];
    calls_of(f, to, forward ? "_at" : "_of", from, there);
    bool bounded = forward || f->map->kind == LW_MAP_STRIDED;
    for (int k = 0; k < to->count && bounded; k++)
        expr.value =
            lw_formula_join(f, LW_FORMULA_BOTH, expr.value,
                            lw_formula_with(f, LW_FORMULA_BELOW, there[k], to->at[k].size));
    for (int i = 0; i < from->count; i++) {
        snprintf(name, sizeof name, "%s%s", from->at[i].name, forward ? "_of" : "_at");
        back = lw_formula_call(f, name, there, to->count);
        back = lw_formula_join(f, LW_FORMULA_EQUAL, back, lw_formula_use(f, from, i));
        expr.value = lw_formula_join(f, LW_FORMULA_BOTH, expr.value, back);
    }
    lw_formula_add(f, forward ? "is_used" : "is_held", "", role, 0, from, &expr);
}

static void byte_of(struct lw_formula *f)
{
    struct lw_formula_vars vars;
    struct lw_formula_expr expr = {0};
    int offset = 0;
    while (offset < f->variables.count && strcmp(f->variables.at[offset].name, "offset") != 0)
        offset++;
    if (offset == f->variables.count || f->bits < 8 || f->bits % 8)
        return;
    lw_formula_backward_vars(f, &vars);
    expr.value = lw_formula_with(
        f, LW_FORMULA_MULTIPLY, lw_formula_call_same(f, "offset_of", &vars), (uint64_t)f->bits / 8);
    lw_formula_add(f, "byte_of", "", LW_FORMULA_BYTE, offset, &vars, &expr);
}

/* ---- All of it ---- */

static bool make_kind(struct lw_formula *f, struct lw_error *err)
{
    struct lw_layout layout;
    bool (*const kinds[])(struct lw_formula *, struct lw_error *) = {
        [LW_MAP_LINEAR] = lw_formula_of_table,    [LW_MAP_MIXED] = lw_formula_of_modes,
        [LW_MAP_PADDED] = lw_formula_of_padding,  [LW_MAP_TABLE] = lw_formula_of_table,
        [LW_MAP_STRIDED] = lw_formula_of_strides,
    };
    if (lw_map_to_layout(f->map, &layout, NULL))
        return lw_formula_of_layout(f, &layout, err);
    if (f->map->kind == LW_MAP_STRIDED && !lw_formula_has_digits(f->map))
        return lw_formula_of_table(f, err);
    return kinds[f->map->kind](f, err);
}

static bool make(struct lw_formula *f, struct lw_error *err)
{
    f->shared = !lw_map_check_unique(f->map, &f->why);
    if (f->shared && !f->map->as.strided.sum.memory) {
        if (err)
            *err = f->why;
        return false;
    }
    if (f->shared)
        lw_formula_of_offsets(f);
    else if (!make_kind(f, err))
        return false;
    byte_of(f);
    if (!f->shared && !lw_map_is_surjective(f->map))
        write_round_trip(f, LW_FORMULA_HELD);
    if (!f->shared && lw_map_has_holes(f->map) && f->table_count)
        lw_formula_table_used(f);
    else if (!f->shared && lw_map_has_holes(f->map))
        write_round_trip(f, LW_FORMULA_USED);
    if (f->failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return check_names(f, err);
}

struct lw_formula *lw_formula_make(const struct lw_map *map, int bits, struct lw_error *err)
{
    struct lw_formula *f = calloc(1, sizeof *f);
    if (!f) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    f->map = map;
    f->bits = bits;
    f->copies = lw_map_replication(map);
    name_index_variables(f);
    f->wide = is_wide(f);
    if (make(f, err))
        return f;
    lw_formula_free(f);
    return NULL;
}

void lw_formula_free(struct lw_formula *formula)
{
    if (formula)
        lw_arena_free(&formula->arena);
    free(formula);
}

bool lw_formula_print(struct lw_text *text, const struct lw_formula_language *language,
                      const struct lw_map *map, int bits, const char *title, struct lw_error *err)
{
    struct lw_formula *f = lw_formula_make(map, bits, err);
    bool good = f && lw_formula_check(f, language, map, err);
    if (good)
        lw_formula_write(text, f, language, title);
    lw_formula_free(f);
    return good && (!text->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
}
