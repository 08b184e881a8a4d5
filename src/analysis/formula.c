/* Index arithmetic: the languages, functions being written, and which kind of map takes which way. */

#include "analysis/formula_parts.h"

#include <ctype.h>
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

/* ---- Writing ---- */

/* Whether a language has another use for a name, or the functions do. */
static bool is_taken(const char *name)
{
    static const char words[] =
        " auto break case char const continue default do double else enum extern float for goto if "
        "inline int long restrict return short signed sizeof static struct switch typedef union "
        "unsigned void volatile while and as assert async await class def del elif except finally "
        "from global import in is lambda nonlocal not or pass raise try with yield None True False "
        "bool new delete this template typename raw copy ";
    char spaced[LW_NAME_MAX + 2];
    snprintf(spaced, sizeof spaced, " %s ", name);
    return strstr(words, spaced) || (*name >= '0' && *name <= '9');
}

void lw_formula_var(struct lw_formula_vars *vars, const char *name, uint64_t size)
{
    struct lw_formula_var *var = &vars->at[vars->count++];
    if (!strcmp(name, "register")) /* a word of C */
        name = "reg";
    snprintf(var->name, sizeof var->name, "%s%s", is_taken(name) ? "d_" : "", name);
    var->size = size;
}

void lw_formula_expr_free(struct lw_formula_expr *expr)
{
    lw_text_free(&expr->first);
    lw_text_free(&expr->text);
    expr->operations = 0;
}

void lw_formula_number(struct lw_text *text, uint64_t number)
{
    lw_text_format(text, number < 10 ? "%llu" : "0x%llx", (unsigned long long)number);
}

void lw_formula_call(struct lw_text *text, const char *name, const struct lw_formula_vars *vars)
{
    lw_text_format(text, "%s(", name);
    for (int i = 0; i < vars->count; i++)
        lw_text_format(text, "%s%s", i ? ", " : "", vars->at[i].name);
    lw_text_char(text, ')');
}

static void comment(struct lw_formula *f, const char *words)
{
    lw_text_format(f->text, "%s%s%s\n", f->language->comment[0], words, f->language->comment[1]);
}

/* "uint32_t f(uint32_t a, uint32_t b)" and the opening brace, or Python's. */
static void open_function(struct lw_formula *f, const char *name,
                          const struct lw_formula_vars *vars)
{
    const struct lw_formula_language *l = f->language;
    const char *type = f->wide ? l->wide : l->type;
    lw_text_format(f->text, l->braces ? "%s%s %s(" : "%s%sdef %s(", l->function, type, name);
    for (int i = 0; i < vars->count; i++)
        lw_text_format(f->text, "%s%s%s%s", i ? ", " : "", type, l->braces ? " " : "",
                       vars->at[i].name);
    if (!vars->count && l->braces)
        lw_text_add(f->text, "void");
    lw_text_add(f->text, l->braces ? ")\n{\n" : "):\n");
}

static void statement(struct lw_formula *f, const char *before, const char *what)
{
    lw_text_format(f->text, "    %s%s%s\n", before, what, f->language->braces ? ";" : "");
}

/* Without the parentheses around all of it. */
static const char *bare(struct lw_text *text)
{
    const char *string = lw_text_string(text);
    int depth = 0;
    if (text->length < 2 || string[0] != '(')
        return string;
    for (size_t i = 0; i < text->length; i++) {
        depth += string[i] == '(' ? 1 : string[i] == ')' ? -1 : 0;
        if (depth == 0 && i + 1 < text->length)
            return string;
    }
    text->data[text->length - 1] = '\0';
    return string + 1;
}

static bool is_letter(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

/* Compilers of C remark on parameters without a use. */
static void use_all(struct lw_formula *f, const struct lw_formula_vars *vars,
                    struct lw_formula_expr *expr)
{
    char use[LW_NAME_MAX + 16];
    for (int i = 0; i < vars->count && f->language->braces; i++) {
        const char *name = vars->at[i].name;
        if (has_word(lw_text_string(&expr->first), name) ||
            has_word(lw_text_string(&expr->text), name))
            continue;
        snprintf(use, sizeof use, "(void)%s", name);
        statement(f, "", use);
    }
}

void lw_formula_function(struct lw_formula *f, const char *name, const struct lw_formula_vars *vars,
                         struct lw_formula_expr *expr)
{
    char words[64], let[32];
    const struct lw_formula_language *l = f->language;
    snprintf(words, sizeof words, "%d operation%s", expr->operations,
             expr->operations == 1 ? "" : "s");
    lw_text_char(f->text, '\n');
    comment(f, words);
    open_function(f, name, vars);
    snprintf(let, sizeof let,
             l->braces ? "const %s raw = " : "%sraw = ", f->wide ? l->wide : l->type);
    use_all(f, vars, expr);
    if (expr->first.length)
        statement(f, let, bare(&expr->first));
    statement(f, "return ", bare(&expr->text));
    if (l->braces)
        lw_text_add(f->text, "}\n");
    f->text->failed = f->text->failed || expr->first.failed || expr->text.failed;
    lw_formula_expr_free(expr);
}

/* ---- What functions there are ---- */

/* Lanes and warps make the thread. */
static void name_places(struct lw_formula *f)
{
    const struct lw_dims *in = &f->map->in;
    for (int d = 0; d < in->count; d++) {
        bool lane = !strcmp(in->dim[d].name, "lane") && d + 1 < in->count &&
                    !strcmp(in->dim[d + 1].name, "warp");
        if (lane)
            lw_formula_var(&f->places, "thread", in->dim[d].size * in->dim[d + 1].size);
        else if (in->dim[d].size > 1 || strcmp(in->dim[d].name, "block") != 0)
            lw_formula_var(&f->places, in->dim[d].name, in->dim[d].size);
        d += lane;
    }
    for (int d = 0; d < f->map->out.count; d++)
        lw_formula_var(&f->dims, f->map->out.dim[d].name, f->map->out.dim[d].size);
}

void lw_formula_backward_vars(const struct lw_formula *f, struct lw_formula_vars *vars)
{
    *vars = f->dims;
    if (f->copies > 1)
        vars->at[vars->count++] = (struct lw_formula_var){"copy", f->copies};
}

static bool is_wide(const struct lw_formula *f)
{
    uint64_t most = f->copies;
    const struct lw_formula_vars *all[] = {&f->places, &f->dims};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < all[i]->count; k++)
            most = all[i]->at[k].size > most ? all[i]->at[k].size : most;
    uint64_t elements;
    if (lw_dims_total(&f->map->out, &elements, NULL) && f->map->kind == LW_MAP_STRIDED)
        most = elements > most ? elements : most;
    return most > UINT64_C(0xffffffff) / (f->bits > 8 ? (uint64_t)f->bits / 8 : 1);
}

/* "reg below 4, thread below 32" */
static void ranges(struct lw_text *text, const struct lw_formula_vars *vars)
{
    for (int i = 0; i < vars->count; i++)
        lw_text_format(text, "%s%s < %llu", i ? ", " : "", vars->at[i].name,
                       (unsigned long long)vars->at[i].size);
}

static void top(struct lw_formula *f, const char *title)
{
    struct lw_text line = {0};
    lw_text_add(&line, title);
    for (char *c = line.data; c && *c; c++)
        *c = *c == '\n' || *c == '\r' || (*c == '*' && c[1] == '/') ? ' ' : *c;
    comment(f, lw_text_string(&line));
    lw_text_clear(&line);
    ranges(&line, &f->places);
    lw_text_add(&line, " -> ");
    ranges(&line, &f->dims);
    if (f->copies > 1)
        lw_text_format(&line, "; each element is there %llu times", (unsigned long long)f->copies);
    comment(f, lw_text_string(&line));
    lw_text_free(&line);
    lw_text_add(f->text, f->language->head);
}

/* Appends " && " but before the first. */
static void also(struct lw_formula *f, struct lw_formula_expr *expr)
{
    if (expr->text.length)
        lw_text_format(&expr->text, " %s ", f->language->both);
    expr->operations++;
}

/* is_held and is_used: the way there and back leads to where it began. What is there must be an
 * element before the way back is asked. */
static void trip(struct lw_formula *f, const char *name, const struct lw_formula_vars *from,
                 const struct lw_formula_vars *to, bool forward)
{
    struct lw_formula_expr expr = {{0}, {0}, 0};
    char way[LW_NAME_MAX + 8];
    for (int k = 0; k < to->count && forward; k++) {
        also(f, &expr);
        /* Numbers of Python may be below 0; those of C wrap around, and then they are too large. */
        lw_text_add(&expr.text, f->language->braces ? "(" : "(0 <= ");
        snprintf(way, sizeof way, "%s_at", to->at[k].name);
        lw_formula_call(&expr.text, way, from);
        lw_text_format(&expr.text, " < %llu)", (unsigned long long)to->at[k].size);
    }
    for (int i = 0; i < from->count; i++) {
        also(f, &expr);
        lw_text_format(&expr.text, "(%s%s(", from->at[i].name, forward ? "_of" : "_at");
        for (int k = 0; k < to->count; k++) {
            snprintf(way, sizeof way, "%s%s", to->at[k].name, forward ? "_at" : "_of");
            lw_text_add(&expr.text, k ? ", " : "");
            lw_formula_call(&expr.text, way, from);
            if (!forward && f->copies > 1) { /* its first copy */
                expr.text.data[--expr.text.length] = '\0';
                lw_text_add(&expr.text, ", 0)");
            }
        }
        lw_text_format(&expr.text, ") == %s)", from->at[i].name);
    }
    lw_formula_function(f, name, from, &expr);
}

static void byte_of(struct lw_formula *f)
{
    struct lw_formula_vars vars;
    struct lw_formula_expr expr = {{0}, {0}, 1};
    if (lw_dims_find(&f->map->in, "offset") < 0 || f->bits < 8 || f->bits % 8)
        return;
    lw_formula_backward_vars(f, &vars);
    lw_formula_call(&expr.text, "offset_of", &vars);
    int shift = lw_log2((uint64_t)f->bits / 8);
    if (shift >= 0)
        lw_text_format(&expr.text, " << %d", shift);
    else
        lw_text_format(&expr.text, " * %d", f->bits / 8);
    lw_formula_function(f, "byte_of", &vars, &expr);
}

static bool print_kind(struct lw_formula *f)
{
    struct lw_layout layout;
    bool (*const kinds[])(struct lw_formula *) = {
        [LW_MAP_LINEAR] = lw_formula_of_table,    [LW_MAP_MIXED] = lw_formula_of_modes,
        [LW_MAP_PADDED] = lw_formula_of_padding,  [LW_MAP_TABLE] = lw_formula_of_table,
        [LW_MAP_STRIDED] = lw_formula_of_strides,
    };
    if (lw_map_to_layout(f->map, &layout, NULL))
        return lw_formula_of_layout(f, &layout);
    return kinds[f->map->kind](f);
}

/* Coordinates that share an offset: it is known of each, and not the way back. */
static bool print_shared(struct lw_formula *f, const struct lw_error *why)
{
    struct lw_text line = {0};
    lw_text_format(&line, "no way back: %s", why->message);
    comment(f, lw_text_string(&line));
    lw_text_free(&line);
    lw_formula_of_offsets(f);
    byte_of(f);
    return !f->text->failed || lw_error_set(f->err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_formula_print(struct lw_text *text, const struct lw_formula_language *language,
                      const struct lw_map *map, int bits, const char *title, struct lw_error *err)
{
    struct lw_formula f = {
        .text = text, .language = language, .map = map, .bits = bits, .err = err};
    f.copies = lw_map_replication(map);
    name_places(&f);
    f.wide = is_wide(&f);
    struct lw_error shared;
    bool one = lw_map_check_places(map, &shared);
    if (!one && !map->as.strided.sum.memory) {
        if (err)
            *err = shared;
        return false;
    }
    top(&f, title);
    if (!one)
        return print_shared(&f, &shared);
    if (!print_kind(&f))
        return false;
    byte_of(&f);
    if (!lw_map_is_surjective(map))
        trip(&f, "is_held", &f.dims, &f.places, false);
    if (lw_map_has_holes(map))
        trip(&f, "is_used", &f.places, &f.dims, true);
    return !text->failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}
