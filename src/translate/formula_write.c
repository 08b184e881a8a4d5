/* Index arithmetic as text: the languages, and functions in them. */

#include "translate/formula_parts.h"

#include <string.h>

static const struct lw_formula_language languages[] = {
    {.name = "c",
     .help = "index arithmetic as functions in C",
     .head = "#include <stdint.h>\n",
     .comment = {"/* ", " */"},
     .type = "uint32_t",
     .wide = "uint64_t",
     .function = "static inline ",
     .divide = "/",
     .both = "&&",
     .braces = true},
    {.name = "cuda",
     .help = "the same for kernels in CUDA or HIP",
     .head = "#include <stdint.h>\n",
     .comment = {"// ", ""},
     .type = "uint32_t",
     .wide = "uint64_t",
     .function = "static __host__ __device__ __forceinline__ ",
     .divide = "/",
     .both = "&&",
     .braces = true},
    {.name = "python",
     .help = "the same in Python",
     .head = "",
     .comment = {"# ", ""},
     .type = "",
     .wide = "",
     .function = "",
     .divide = "//",
     .both = "and",
     .braces = false},
};

const struct lw_formula_language *lw_formula_languages(size_t *count)
{
    *count = sizeof languages / sizeof *languages;
    return languages;
}

const struct lw_formula_language *lw_formula_language_find(const char *name)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(languages[i].name, name))
            return &languages[i];
    return NULL;
}

/* ---- Expressions ---- */

struct writer {
    struct lw_text *text;
    const struct lw_formula *f;
    const struct lw_formula_language *language;
    const struct lw_formula_vars *vars;
};

static const char *sign_of(const struct lw_formula_language *language, enum lw_formula_op op)
{
    static const char *const signs[] = {
        [LW_FORMULA_ADD] = "+",    [LW_FORMULA_SUBTRACT] = "-", [LW_FORMULA_MULTIPLY] = "*",
        [LW_FORMULA_MODULO] = "%", [LW_FORMULA_AND] = "&",      [LW_FORMULA_OR] = "|",
        [LW_FORMULA_XOR] = "^",    [LW_FORMULA_LEFT] = "<<",    [LW_FORMULA_RIGHT] = ">>",
        [LW_FORMULA_BELOW] = "<",  [LW_FORMULA_EQUAL] = "==",
    };
    return op == LW_FORMULA_DIVIDE ? language->divide
           : op == LW_FORMULA_BOTH ? language->both
                                   : signs[op];
}

static bool is_binary(const struct lw_formula_node *node)
{
    return node->op >= LW_FORMULA_ADD;
}

/* Operations whose order does not matter need no parentheses: a + b + c. */
static bool is_chain(enum lw_formula_op op)
{
    return op == LW_FORMULA_ADD || op == LW_FORMULA_OR || op == LW_FORMULA_XOR ||
           op == LW_FORMULA_BOTH;
}

static void write_node(const struct writer *w, const struct lw_formula_node *node);

static void write_operand(const struct writer *w, const struct lw_formula_node *node, bool bare)
{
    bool parentheses = is_binary(node) && !bare;
    lw_text_add(w->text, parentheses ? "(" : "");
    write_node(w, node);
    lw_text_add(w->text, parentheses ? ")" : "");
}

static void write_binary(const struct writer *w, const struct lw_formula_node *node)
{
    enum lw_formula_op op = node->op;
    const struct lw_formula_node *right = node->right;
    /* Integers of Python can be negative; in C they wrap around and are too large. */
    lw_text_add(w->text, op == LW_FORMULA_BELOW && !*w->language->type ? "0 <= " : "");
    write_operand(w, node->left, is_chain(op) && node->left->op == op);
    lw_text_format(w->text, " %s ", sign_of(w->language, op));
    if (op == LW_FORMULA_AND && right->op == LW_FORMULA_NUMBER && right->number >= 10)
        lw_text_format(w->text, "0x%llx", (unsigned long long)right->number);
    else
        write_operand(w, right, false);
}

static void write_node(const struct writer *w, const struct lw_formula_node *node)
{
    switch (node->op) {
    case LW_FORMULA_NUMBER:
        lw_text_number(w->text, node->number);
        break;
    case LW_FORMULA_VARIABLE:
        lw_text_add(w->text, w->vars->at[node->number].name);
        break;
    case LW_FORMULA_RAW:
        lw_text_add(w->text, "raw");
        break;
    case LW_FORMULA_CALL:
        lw_text_format(w->text, "%s(", w->f->function[node->number].name);
        if (node->left)
            write_node(w, node->left);
        lw_text_char(w->text, ')');
        break;
    case LW_FORMULA_ARGUMENT:
        write_node(w, node->left);
        lw_text_add(w->text, node->right ? ", " : "");
        if (node->right)
            write_node(w, node->right);
        break;
    case LW_FORMULA_LOOKUP:
        lw_text_format(w->text, "%s[", w->f->table[node->number].name);
        write_node(w, node->left);
        lw_text_char(w->text, ']');
        break;
    default:
        write_binary(w, node);
    }
}

void lw_formula_write_node(struct lw_text *text, const struct lw_formula *f,
                           const struct lw_formula_language *language,
                           const struct lw_formula_vars *vars, const struct lw_formula_node *node)
{
    write_node(&(struct writer){text, f, language, vars}, node);
}

/* ---- Functions ---- */

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
    int own = (is_binary(node) && node->op != LW_FORMULA_BOTH) || node->op == LW_FORMULA_LOOKUP;
    return own + count_operations(node->left) + count_operations(node->right);
}

static bool has_variable(const struct lw_formula_node *node, int var)
{
    return node && ((node->op == LW_FORMULA_VARIABLE && node->number == (uint64_t)var) ||
                    has_variable(node->left, var) || has_variable(node->right, var));
}

/* "uint32_t f(uint32_t a, uint32_t b)" and the opening brace, or Python's. */
static void write_opening(const struct writer *w, const char *name)
{
    const struct lw_formula_language *l = w->language;
    lw_text_format(w->text, l->braces ? "%s%s %s(" : "%s%sdef %s(", l->function, type_of(w), name);
    for (int i = 0; i < w->vars->count; i++)
        lw_text_format(w->text, "%s%s%s%s", i ? ", " : "", type_of(w), l->braces ? " " : "",
                       w->vars->at[i].name);
    if (!w->vars->count && l->braces)
        lw_text_add(w->text, "void");
    lw_text_add(w->text, l->braces ? ")\n{\n" : "):\n");
}

static void write_statement(const struct writer *w, const char *before,
                            const struct lw_formula_node *node)
{
    lw_text_format(w->text, "    %s", before);
    write_node(w, node);
    lw_text_add(w->text, w->language->braces ? ";\n" : "\n");
}

/* C compilers warn about unused parameters. */
static void write_unused(const struct writer *w, const struct lw_formula_expr *expr)
{
    for (int i = 0; i < w->vars->count && w->language->braces; i++) {
        bool used = has_variable(expr->value, i);
        for (int k = 0; k < expr->steps; k++)
            used = used || has_variable(expr->step[k], i);
        if (!used)
            lw_text_format(w->text, "    (void)%s;\n", w->vars->at[i].name);
    }
}

static void write_function(struct writer *w, const struct lw_formula_function *function)
{
    const struct lw_formula_expr *expr = &function->expr;
    char count[64], let[32] = "raw = ";
    int operations = count_operations(expr->value);
    for (int i = 0; i < expr->steps; i++)
        operations += count_operations(expr->step[i]);
    snprintf(count, sizeof count, "%d operation%s", operations, operations == 1 ? "" : "s");
    if (function->role == LW_FORMULA_BYTE)
        snprintf(count + strlen(count), sizeof count - strlen(count), ", elements of %d bits",
                 w->f->bits);
    if (w->language->braces)
        snprintf(let, sizeof let, "%s%s raw = ", expr->steps > 1 ? "" : "const ", type_of(w));
    w->vars = &function->vars;
    lw_text_char(w->text, '\n');
    comment(w, count);
    write_opening(w, function->name);
    write_unused(w, expr);
    for (int i = 0; i < expr->steps; i++)
        write_statement(w, i ? "raw = " : let, expr->step[i]);
    write_statement(w, "return ", expr->value);
    lw_text_add(w->text, w->language->braces ? "}\n" : "");
}

static void write_table(const struct writer *w, const struct lw_formula_table *table)
{
    if (w->language->braces)
        lw_text_format(w->text, "\nstatic const %s %s[] = {", type_of(w), table->name);
    else
        lw_text_format(w->text, "\n%s = [", table->name);
    for (uint64_t i = 0; i < table->count; i++)
        lw_text_format(w->text, "%s%s%llu", i ? "," : "", i % 16 ? i ? " " : "" : "\n    ",
                       (unsigned long long)table->entries[i]);
    lw_text_add(w->text, w->language->braces ? "\n};\n" : "\n]\n");
}

/* ---- All of it ---- */

/* "reg < 4, thread < 32" */
static void write_ranges(struct lw_text *text, const struct lw_formula_vars *vars)
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

void lw_formula_write(struct lw_text *text, const struct lw_formula *f,
                      const struct lw_formula_language *language, const char *title)
{
    struct writer writer = {text, f, language, NULL};
    write_top(&writer, title);
    for (int i = 0; i < f->function_count; i++) {
        for (int t = 0; t < f->table_count; t++)
            if (f->table[t].before == i)
                write_table(&writer, &f->table[t]);
        write_function(&writer, &f->function[i]);
    }
}
