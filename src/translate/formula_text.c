/* Finished functions of index arithmetic: their value, the comparison with the map, and their text. */

#include "translate/formula_tree.h"

#include "core/array_count.h"

#include <string.h>

/* ---- Values ----
 * A value has 128 bits and is reduced to the language's integer width, if it has one, after each operation. An
 * operation that the language does not define has no value: a number too large for its integers, a shift by their width
 * or more, a division by zero, an index beyond a table, and more than 127 bits in Python. */

__extension__ typedef __int128 number;

struct frame {
    const struct lw_formula *f;
    int word; /* bits of an integer; 0: no limit */
    const number *arguments;
    number raw;
};

/* Whether integers have a type, and blocks braces; else it is Python. */
static bool is_c(const struct lw_formula_language *language)
{
    return *language->type;
}

static number wrapped(const struct frame *frame, number value)
{
    return frame->word ? value & (((number)1 << frame->word) - 1) : value;
}

static bool operate(const struct frame *frame, enum lw_op op, number a, number b, number *out)
{
    if (op == LW_OP_LEFT || op == LW_OP_RIGHT) {
        if (b < 0 || b >= (frame->word ? frame->word : 64))
            return false;
        b = (number)1 << b;
    }
    switch (op) {
    case LW_OP_ADD:
        return !__builtin_add_overflow(a, b, out);
    case LW_OP_SUBTRACT:
        return !__builtin_sub_overflow(a, b, out);
    case LW_OP_MULTIPLY:
    case LW_OP_LEFT:
        return !__builtin_mul_overflow(a, b, out);
    case LW_OP_DIVIDE:
    case LW_OP_MODULO:
    case LW_OP_RIGHT:
        if (b <= 0)
            return false;
        *out = a / b - (a % b < 0); /* rounded down, as Python does */
        *out = op == LW_OP_MODULO ? a - *out * b : *out;
        return true;
    default:
        *out = op == LW_OP_AND     ? a & b
               : op == LW_OP_OR    ? a | b
               : op == LW_OP_XOR   ? a ^ b
               : op == LW_OP_BELOW ? a >= 0 && a < b
                                   : a == b;
        return true;
    }
}

static bool value_of(const struct frame *frame, const struct lw_formula_node *node, number *value);

/* A function calls only functions before it, so the recursion ends. */
static bool result_of(const struct frame *caller, const struct lw_formula_function *function,
                      const number *arguments, number *value)
{
    struct frame frame = {caller->f, caller->word, arguments, 0};
    for (int i = 0; i < function->expr.steps; i++)
        if (!value_of(&frame, function->expr.step[i], &frame.raw))
            return false;
    return value_of(&frame, function->expr.value, value);
}

static bool value_of(const struct frame *frame, const struct lw_formula_node *node, number *value)
{
    number left, right, arguments[LW_VARIABLES_MAX];
    int count = 0;
    switch (node->op) {
    case LW_OP_NUMBER:
        *value = node->number;
        return wrapped(frame, *value) == *value;
    case LW_OP_VARIABLE:
        *value = frame->arguments[node->number];
        return true;
    case LW_OP_RAW:
        *value = frame->raw;
        return true;
    case LW_OP_CALL:
        for (const struct lw_formula_node *a = node->left; a; a = a->right)
            if (!value_of(frame, a->left, &arguments[count++]))
                return false;
        return result_of(frame, &frame->f->function[node->number], arguments, value);
    case LW_OP_LOOKUP:
        if (!value_of(frame, node->left, &left) || left < 0 ||
            left >= (number)frame->f->table[node->number].count)
            return false;
        *value = frame->f->table[node->number].entries[(uint64_t)left];
        return true;
    case LW_OP_BOTH: /* the right is not evaluated when the left is false */
        return value_of(frame, node->left, value) &&
               (!*value || value_of(frame, node->right, value));
    default:
        if (!value_of(frame, node->left, &left) || !value_of(frame, node->right, &right) ||
            !operate(frame, node->op, left, right, value))
            return false;
        *value = wrapped(frame, *value);
        return true;
    }
}

/* Evaluates a function as the language would: integers of 32 or 64 bits wrap around, numbers of Python have no limit.
 * False when it has no value, as of a shift by all the bits of an integer. */
static bool evaluate(const struct lw_formula *f, const struct lw_formula_language *language,
                     const struct lw_formula_function *function, const uint64_t *arguments,
                     uint64_t *value)
{
    struct frame frame = {f, !is_c(language) ? 0 : f->wide ? 64 : 32, NULL, 0};
    number values[LW_VARIABLES_MAX], result;
    for (int i = 0; i < function->vars.count; i++)
        values[i] = wrapped(&frame, arguments[i]);
    if (!result_of(&frame, function, values, &result) || result < 0 || result > UINT64_MAX)
        return false;
    *value = (uint64_t)result;
    return true;
}

/* ---- Expressions as text ---- */

static const struct lw_formula_language languages[] = {
    {.name = "c",
     .help = "index arithmetic as functions in C",
     .head = "#include <stdint.h>\n",
     .comment = {"/* ", " */"},
     .type = "uint32_t",
     .wide = "uint64_t",
     .function = "static inline "},
    {.name = "cuda",
     .help = "the same for kernels in CUDA or HIP",
     .head = "#include <stdint.h>\n",
     .comment = {"// ", ""},
     .type = "uint32_t",
     .wide = "uint64_t",
     .function = "static __host__ __device__ __forceinline__ ",
     .kernel = true},
    {.name = "python",
     .help = "the same in Python",
     .head = "",
     .comment = {"# ", ""},
     .type = "",
     .wide = "",
     .function = ""},
};

const struct lw_formula_language *lw_formula_languages(size_t *count)
{
    *count = LW_COUNT(languages);
    return languages;
}

const struct lw_formula_language *lw_formula_language_find(const char *name)
{
    for (size_t i = 0; i < LW_COUNT(languages); i++)
        if (!strcmp(languages[i].name, name))
            return &languages[i];
    return NULL;
}

struct writer {
    struct lw_text *text;
    const struct lw_formula *f;
    const struct lw_formula_language *language;
    const struct lw_variables *vars;
    /* In a kernel the values of functions are variables, which variables with this suffix are; else NULL. */
    const char *suffix;
};

static void write_node(const struct writer *w, const struct lw_formula_node *node);

static void write_operand(const struct writer *w, const struct lw_formula_node *node, bool bare)
{
    bool parentheses = node->op >= LW_OP_ADD && !bare;
    lw_text_add(w->text, parentheses ? "(" : "");
    write_node(w, node);
    lw_text_add(w->text, parentheses ? ")" : "");
}

static void write_binary(const struct writer *w, const struct lw_formula_node *node)
{
    static const char *const signs[] = {
        [LW_OP_ADD] = "+",    [LW_OP_SUBTRACT] = "-", [LW_OP_MULTIPLY] = "*", [LW_OP_MODULO] = "%",
        [LW_OP_AND] = "&",    [LW_OP_OR] = "|",       [LW_OP_XOR] = "^",      [LW_OP_LEFT] = "<<",
        [LW_OP_RIGHT] = ">>", [LW_OP_BELOW] = "<",    [LW_OP_EQUAL] = "==",
    };
    enum lw_op op = node->op;
    const struct lw_formula_node *right = node->right;
    /* Operations whose order does not matter need no parentheses: a + b + c. */
    bool chain = op == LW_OP_ADD || op == LW_OP_OR || op == LW_OP_XOR || op == LW_OP_BOTH;
    /* Integers of Python can be negative; in C they wrap around and are too large. */
    lw_text_add(w->text, op == LW_OP_BELOW && !is_c(w->language) ? "0 <= " : "");
    write_operand(w, node->left, chain && node->left->op == op);
    lw_text_format(w->text, " %s ",
                   op == LW_OP_DIVIDE ? is_c(w->language) ? "/" : "//"
                   : op == LW_OP_BOTH ? is_c(w->language) ? "&&" : "and"
                                      : signs[op]);
    if (op == LW_OP_AND && right->op == LW_OP_NUMBER && right->number >= 10)
        lw_text_format(w->text, "0x%llx", (unsigned long long)right->number);
    else
        write_operand(w, right, false);
}

static void write_node(const struct writer *w, const struct lw_formula_node *node)
{
    switch (node->op) {
    case LW_OP_NUMBER:
        lw_text_number(w->text, node->number);
        break;
    case LW_OP_VARIABLE:
        lw_text_add(w->text, w->vars->at[node->number].name);
        lw_text_add(w->text, w->suffix ? w->suffix : "");
        break;
    case LW_OP_RAW:
        lw_text_add(w->text, "raw");
        break;
    case LW_OP_CALL:
        lw_text_add(w->text, w->f->function[node->number].name);
        if (w->suffix)
            break;
        lw_text_char(w->text, '(');
        for (const struct lw_formula_node *a = node->left; a; a = a->right) {
            write_node(w, a->left);
            lw_text_add(w->text, a->right ? ", " : "");
        }
        lw_text_char(w->text, ')');
        break;
    case LW_OP_LOOKUP:
        lw_text_format(w->text, "%s[", w->f->table[node->number].name);
        write_node(w, node->left);
        lw_text_char(w->text, ']');
        break;
    default:
        write_binary(w, node);
    }
}

/* ---- Compared with the map ----
 * At every point of a small map. Of a large one at random points, the same in every run, whose coordinates are often 0,
 * the last, or next to a power of two. */

struct checker {
    const struct lw_formula *f;
    const struct lw_formula_language *language;
    const struct lw_map *map;
    struct lw_error *err;
};

static bool check_value(const struct checker *c, const struct lw_formula_function *function,
                        const uint64_t *arguments, uint64_t expected)
{
    struct lw_text at = {0};
    uint64_t value;
    if (evaluate(c->f, c->language, function, arguments, &value) && value == expected)
        return true;
    for (int i = 0; i < function->vars.count; i++)
        lw_text_format(&at, "%s%s = %llu", i ? ", " : "", function->vars.at[i].name,
                       (unsigned long long)arguments[i]);
    lw_error_set(c->err, LW_ERROR_INTERNAL,
                 "this is a bug in laneway: the index arithmetic is wrong and not printed: "
                 "%s(%.120s) is not %llu, which the layout has",
                 function->name, lw_text_string(&at), (unsigned long long)expected);
    lw_text_free(&at);
    return false;
}

/* A hardware index in the variables of the functions: a thread is its lane and its warp. */
static void name_index(const struct checker *c, const uint64_t *in, uint64_t *position)
{
    const struct lw_dims *dims = &c->map->in;
    for (int p = 0; p < c->f->variables.count; p++) {
        int d = c->f->first_dim[p];
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
        if (function->role == LW_RETURNS_USED)
            good = check_value(c, function, position, there);
        else if (function->role == LW_RETURNS_ELEMENT && there)
            good = check_value(c, function, position, element[function->which]);
    }
    return good;
}

/* Checks owner k of an element, and the element at that hardware index. */
static bool check_element(const struct checker *c, const uint64_t *element, uint64_t k)
{
    uint64_t in[LW_DIMS_MAX], position[LW_DIMS_MAX] = {0}, arguments[LW_VARIABLES_MAX];
    bool held = lw_map_owner(c->map, element, k, in), good = true;
    if (held)
        name_index(c, in, position);
    memcpy(arguments, element, (size_t)c->f->dims.count * sizeof *element);
    arguments[c->f->dims.count] = k;
    for (int i = 0; i < c->f->function_count && good; i++) {
        const struct lw_formula_function *function = &c->f->function[i];
        if (function->role == LW_RETURNS_HELD)
            good = check_value(c, function, arguments, held);
        else if (function->role == LW_RETURNS_OWNER && held)
            good = check_value(c, function, arguments, position[function->which]);
        else if (function->role == LW_RETURNS_BYTE && held)
            good = check_value(c, function, arguments,
                               position[function->which] * ((uint64_t)c->f->bits / 8));
    }
    return good && (!held || check_index(c, in));
}

/* Coordinate d of point i: 0, the last, a power of two, or any. */
static uint64_t coordinate(uint64_t i, int d, uint64_t size)
{
    uint64_t mixed = (i * (LW_DIMS_MAX + 1) + (uint64_t)d + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    const uint64_t choices[] = {0, size - 1, ((uint64_t)1 << (mixed >> 56 & 63)) % size,
                                (mixed >> 8) % size};
    return choices[mixed >> 62];
}

/* Checks hardware indices, or elements with the number of a copy. */
static bool check_points(const struct checker *c, bool elements)
{
    const struct lw_dims *dims = elements ? &c->map->out : &c->map->in;
    uint64_t total, point[LW_DIMS_MAX], copies = elements ? c->f->copies : 1;
    bool all = lw_dims_total(dims, &total, NULL) && total <= LW_FORMULA_POINTS / copies;
    bool good = true;
    for (uint64_t i = 0; i < (all ? total * copies : 2 * LW_FORMULA_POINTS) && good; i++) {
        uint64_t copy = all ? i / total : coordinate(i, LW_DIMS_MAX, copies);
        if (all)
            lw_dims_unflatten(dims, i % total, point);
        for (int d = 0; d < dims->count && !all; d++)
            point[d] = coordinate(i, d, dims->dim[d].size);
        good = elements ? check_element(c, point, copy) : check_index(c, point);
    }
    return good;
}

bool lw_formula_check(const struct lw_formula *formula, const struct lw_formula_language *language,
                      const struct lw_map *map, struct lw_error *err)
{
    struct checker c = {formula, language, map, err};
    return check_points(&c, false) && check_points(&c, true);
}

/* ---- Functions as text ---- */

static void comment(const struct writer *w, const char *content)
{
    lw_text_format(w->text, "%s%s%s\n", w->language->comment[0], content, w->language->comment[1]);
}

static const char *type_of(const struct writer *w)
{
    return w->f->wide ? w->language->wide : w->language->type;
}

/* Calls and the `and` of conditions are not counted. */
static int count_operations(const struct lw_formula_node *node)
{
    if (!node)
        return 0;
    int own = (node->op >= LW_OP_ADD && node->op != LW_OP_BOTH) || node->op == LW_OP_LOOKUP;
    return own + count_operations(node->left) + count_operations(node->right);
}

static bool has_variable(const struct lw_formula_node *node, int var)
{
    return node && ((node->op == LW_OP_VARIABLE && node->number == (uint64_t)var) ||
                    has_variable(node->left, var) || has_variable(node->right, var));
}

static void write_statement(const struct writer *w, const char *before,
                            const struct lw_formula_node *node)
{
    lw_text_format(w->text, "    %s", before);
    write_node(w, node);
    lw_text_add(w->text, is_c(w->language) ? ";\n" : "\n");
}

static void write_function(struct writer *w, const struct lw_formula_function *function)
{
    const struct lw_formula_body *expr = &function->expr;
    bool c = is_c(w->language);
    char count[64], let[32] = "raw = ";
    int operations = count_operations(expr->value);
    for (int i = 0; i < expr->steps; i++)
        operations += count_operations(expr->step[i]);
    snprintf(count, sizeof count, "%d operation%s", operations, operations == 1 ? "" : "s");
    if (function->role == LW_RETURNS_BYTE)
        snprintf(count + strlen(count), sizeof count - strlen(count), ", elements of %d bits",
                 w->f->bits);
    if (c)
        snprintf(let, sizeof let, "%s%s raw = ", expr->steps > 1 ? "" : "const ", type_of(w));
    w->vars = &function->vars;
    lw_text_char(w->text, '\n');
    comment(w, count);
    lw_text_format(w->text, c ? "%s%s %s(" : "%s%sdef %s(", w->language->function, type_of(w),
                   function->name);
    for (int i = 0; i < w->vars->count; i++)
        lw_text_format(w->text, "%s%s%s%s", i ? ", " : "", type_of(w), c ? " " : "",
                       w->vars->at[i].name);
    lw_text_add(w->text, !w->vars->count && c ? "void" : "");
    lw_text_add(w->text, c ? ")\n{\n" : "):\n");
    for (int i = 0; i < w->vars->count && c; i++) { /* C compilers warn about unused parameters */
        bool used = has_variable(expr->value, i);
        for (int k = 0; k < expr->steps; k++)
            used = used || has_variable(expr->step[k], i);
        if (!used)
            lw_text_format(w->text, "    (void)%s;\n", w->vars->at[i].name);
    }
    for (int i = 0; i < expr->steps; i++)
        write_statement(w, i ? "raw = " : let, expr->step[i]);
    write_statement(w, "return ", expr->value);
    lw_text_add(w->text, c ? "}\n" : "");
}

static void write_table(const struct writer *w, const struct lw_lookup *table)
{
    if (is_c(w->language))
        lw_text_format(w->text, "\nstatic const %s %s[] = {", type_of(w), table->name);
    else
        lw_text_format(w->text, "\n%s = [", table->name);
    for (uint64_t i = 0; i < table->count; i++)
        lw_text_format(w->text, "%s%s%llu", i ? "," : "", i % 16 ? i ? " " : "" : "\n    ",
                       (unsigned long long)table->entries[i]);
    lw_text_add(w->text, is_c(w->language) ? "\n};\n" : "\n]\n");
}

/* "reg < 4, thread < 32" */
static void write_ranges(struct lw_text *text, const struct lw_variables *vars)
{
    for (int i = 0; i < vars->count; i++)
        lw_text_format(text, "%s%s < %llu", i ? ", " : "", vars->at[i].name,
                       (unsigned long long)vars->at[i].size);
}

static void write_top(const struct writer *w, const char *title)
{
    struct lw_text line = {0};
    lw_text_add(&line, title);
    for (char *c = line.failed ? NULL : line.data; c && *c; c++)
        *c = *c == '\n' || *c == '\r' || (*c == '*' && c[1] == '/') ? ' ' : *c;
    comment(w, lw_text_string(&line));
    lw_text_clear(&line);
    write_ranges(&line, &w->f->variables);
    lw_text_add(&line, " -> ");
    write_ranges(&line, &w->f->dims);
    if (w->f->copies > 1)
        lw_text_format(&line, "; each element is held %llu times",
                       (unsigned long long)w->f->copies);
    comment(w, lw_text_string(&line));
    lw_text_add(w->text, w->language->head);
    lw_text_clear(&line);
    lw_text_format(&line, "no inverse: %s", w->f->why.message);
    if (w->f->shared)
        comment(w, lw_text_string(&line));
    lw_text_free(&line);
}

/* The values of the functions of a role as variables of a kernel. */
static void write_values(struct writer *w, enum lw_returns role, const char *suffix, bool *has_raw)
{
    w->suffix = suffix;
    for (int i = 0; i < w->f->function_count; i++) {
        const struct lw_formula_function *function = &w->f->function[i];
        char before[LW_NAME_MAX + 40];
        if (function->role != role)
            continue;
        w->vars = &function->vars;
        for (int k = 0; k < function->expr.steps; k++, *has_raw = true)
            write_statement(
                w, *has_raw ? "    raw = " : "    uint32_t raw = ", function->expr.step[k]);
        snprintf(before, sizeof before, "    const uint32_t %s = ", function->name);
        write_statement(w, before, function->expr.value);
    }
}

enum { SHARED_MAX = 48 << 10, ARRAY_MAX = 1 << 30 }; /* bytes of an array of a kernel */

/* Of CUDA a kernel that stores by the functions: each thread what it holds, or each element where it is in memory. So
 * the text states the layout by itself, and 'laneway banks' reads it. */
static void write_kernel(const struct writer *w)
{
    const struct lw_formula *f = w->f;
    const char *type = f->bits == 8    ? "char"
                       : f->bits == 16 ? "short"
                       : f->bits == 32 ? "float"
                       : f->bits == 64 ? "double"
                                       : NULL;
    const bool is_memory = !strcmp(f->variables.at[0].name, "offset");
    const enum lw_returns forward = is_memory ? LW_RETURNS_OWNER : LW_RETURNS_ELEMENT,
                          back = is_memory ? LW_RETURNS_ELEMENT : LW_RETURNS_OWNER,
                          condition = is_memory ? LW_RETURNS_HELD : LW_RETURNS_USED;
    struct lw_text body = {0};
    struct writer inner = *w;
    uint64_t threads = 32, total = 1, block = 1;
    bool has_raw = false, has_condition = false;
    inner.text = &body;
    for (int i = 0; i < f->function_count; i++)
        has_condition = has_condition || f->function[i].role == condition;
    for (int d = 0; d < f->dims.count; d++)
        total *= f->dims.at[d].size;
    for (int i = 0; i < f->variables.count; i++) {
        const struct lw_variable *var = &f->variables.at[i];
        if (!strcmp(var->name, "block"))
            block = var->size;
        if (!strcmp(var->name, "thread"))
            threads = var->size;
        else if (!is_memory)
            lw_text_format(&body, "    for (uint32_t %s = 0; %s < %llu; %s++)\n", var->name,
                           var->name, (unsigned long long)var->size, var->name);
    }
    if (is_memory)
        lw_text_format(&body,
                       "    for (uint32_t element = threadIdx.x; element < %llu; element += 32)\n",
                       (unsigned long long)total);
    lw_text_add(&body,
                is_memory ? "    {\n" : "    {\n        const uint32_t thread = threadIdx.x;\n");
    uint64_t below = total;
    for (int d = 0; d < f->dims.count && is_memory; d++) {
        below /= f->dims.at[d].size;
        lw_text_format(&body, "        const uint32_t %s = element", f->dims.at[d].name);
        if (below > 1)
            lw_text_format(&body, " / %llu", (unsigned long long)below);
        if (d)
            lw_text_format(&body, " %% %llu", (unsigned long long)f->dims.at[d].size);
        lw_text_add(&body, ";\n");
    }
    write_values(&inner, forward, "", &has_raw);
    if (has_condition) {
        if (f->copies > 1)
            lw_text_add(&body, "        const uint32_t copy_at = 0;\n");
        write_values(&inner, back, is_memory ? "_of" : "_at", &has_raw);
        write_values(&inner, condition, "", &has_raw);
        lw_text_format(&body, "        if (%s)\n    ", is_memory ? "is_held" : "is_used");
    }
    lw_text_add(&body, is_memory ? "        memory[offset_of]" : "        tensor");
    for (int d = 0; !is_memory && d < f->dims.count; d++)
        lw_text_format(&body, "[%s_at]", f->dims.at[d].name);
    lw_text_add(&body, " = 0;\n    }\n");
    if (type && !f->wide && (is_memory ? f->variables.at[0].size : total) <= ARRAY_MAX / 8 &&
        block == 1 && threads <= 1024 && (f->copies == 1 || !is_memory)) {
        lw_text_char(w->text, '\n');
        comment(w, is_memory ? "stores every element where it is in memory"
                             : "every thread stores the elements that it holds");
        struct lw_text array = {0};
        lw_text_format(&array, "%s %s", type, is_memory ? "memory" : "tensor");
        if (is_memory)
            lw_text_format(&array, "[%llu]", (unsigned long long)f->variables.at[0].size);
        for (int d = 0; !is_memory && d < f->dims.count; d++)
            lw_text_format(&array, "[%llu]", (unsigned long long)f->dims.at[d].size);
        const bool is_shared =
            is_memory && f->variables.at[0].size * (uint64_t)f->bits / 8 <= SHARED_MAX;
        if (!is_shared)
            lw_text_format(w->text, "static __device__ %s;\n", lw_text_string(&array));
        lw_text_format(w->text, "static __global__ void __launch_bounds__(%llu) store()\n{\n",
                       (unsigned long long)threads);
        if (is_shared)
            lw_text_format(w->text, "    __shared__ %s;\n", lw_text_string(&array));
        lw_text_format(w->text, "%s}\n", lw_text_string(&body));
        lw_text_free(&array);
    }
    lw_text_free(&body);
}

bool lw_formula_print(struct lw_text *text, const struct lw_formula_language *language,
                      const struct lw_map *map, int bits, const char *title, struct lw_error *err)
{
    struct lw_formula *f = lw_formula_make(map, bits, err);
    struct writer writer = {text, f, language, NULL, NULL};
    bool good = f && lw_formula_check(f, language, map, err);
    if (good)
        write_top(&writer, title);
    for (int i = 0; good && i < f->function_count; i++) {
        for (int t = 0; t < f->table_count; t++)
            if (f->table[t].before == i)
                write_table(&writer, &f->table[t]);
        write_function(&writer, &f->function[i]);
    }
    if (good && language->kernel)
        write_kernel(&writer);
    lw_formula_free(f);
    return good && (!text->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
}
