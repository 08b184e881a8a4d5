/*
 * From tokens to a tree: declarations, statements and expressions of C++, as far as accesses need them.
 *
 * After an error the rest of the text counts as its end, and a node that there is no memory for is a spare one: so
 * every function returns a node, and nothing is checked but the error, at the end.
 */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <string.h>

enum { DEPTH_MAX = 128, NAMES_MAX = 512 };

typedef struct lw_cuda_node node;
typedef struct lw_cuda_variable variable;
typedef const struct lw_cuda_token token;

static const struct lw_cuda_type int_type = {"int", 4, 1, true, false, 0};
static token ended[3] = {{.text = ""}, {.text = ""}, {.text = ""}};

struct parser {
    struct lw_arena *arena;
    struct lw_cuda_program *program;
    token *at;
    variable *names[NAMES_MAX]; /* declared ones, those of inner blocks last */
    int name_count;
    int globals, locals; /* names from `globals` to before `locals` are of another function */
    struct lw_cuda_routine *routines; /* the last one first */
    int depth;
    bool all_arrays_shared; /* an array without __shared__ is in shared memory too */
    bool alone;             /* the next name is one side of `=` and nothing else: a value */
    bool is_quiet;          /* names need no value: of a grid */
    struct lw_text unknown; /* names without a value */
    struct lw_position first_unknown;
    struct lw_error *err;
    union {
        node a_node;
        variable a_variable;
        struct lw_cuda_routine a_routine;
        struct lw_cuda_let a_let;
    } spare;
};

static void fail(struct parser *parser, enum lw_code code, struct lw_position where,
                 const char *format, ...) LW_PRINTF(4, 5);

/* Reports the first error, and ends the text. */
static void fail(struct parser *parser, enum lw_code code, struct lw_position where,
                 const char *format, ...)
{
    char what[LW_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (parser->err->code == LW_OK)
        lw_error_at(parser->err, code, where, "%s", what);
    parser->at = ended;
}

static void refuse(struct parser *parser, struct lw_position where, const char *what)
{
    fail(parser, LW_ERROR_SYNTAX, where, "%s", what);
}

/* Memory set to zeros, at most as large as the spare one. */
static void *allocate(struct parser *parser, size_t size)
{
    void *memory = lw_arena_alloc(parser->arena, size);
    if (memory)
        return memset(memory, 0, size);
    fail(parser, LW_ERROR_MEMORY, (struct lw_position){0}, "out of memory");
    return memset(&parser->spare, 0, size);
}

static node *new_node(struct parser *parser, enum lw_cuda_node_kind kind, struct lw_position where,
                      node *a, node *b)
{
    node *made = allocate(parser, sizeof *made);
    *made = (node){.kind = kind, .name = "", .position = where, .a = a, .b = b};
    return made;
}

static node *new_constant(struct parser *parser, struct lw_position where, int64_t value,
                          struct lw_cuda_type type)
{
    node *made = new_node(parser, LW_CUDA_CONSTANT, where, NULL, NULL);
    made->value = value;
    made->type = type;
    return made;
}

/* a op b, a = b or a op= b */
static node *new_operation(struct parser *parser, enum lw_cuda_node_kind kind,
                           enum lw_cuda_operator op, token *sign, node *a, node *b)
{
    node *made = new_node(parser, kind, sign->position, a, b);
    made->op = op;
    made->name = sign->text;
    return made;
}

/* Puts nodes where a list ends. */
static void append(node ***end, node *made)
{
    for (**end = made; **end;)
        *end = &(**end)->next;
}

/* ---- Tokens ---- */

static bool is_word(token *at, const char *text)
{
    return at->kind != LW_CUDA_REAL && at->kind != LW_CUDA_END && !strcmp(at->text, text);
}

static bool is(const struct parser *parser, const char *text)
{
    return is_word(parser->at, text);
}

static bool is_end(const struct parser *parser)
{
    return parser->at->kind == LW_CUDA_END;
}

static bool next_is(const struct parser *parser, const char *text)
{
    return !is_end(parser) && is_word(parser->at + 1, text);
}

static bool take(struct parser *parser, const char *text)
{
    const bool found = is(parser, text);
    parser->at += found;
    return found;
}

static void unexpected(struct parser *parser, const char *expected)
{
    const char *quote = is_end(parser) ? "" : "'";
    fail(parser, LW_ERROR_SYNTAX, parser->at->position, "expected %s, found %s%.40s%s", expected,
         quote, is_end(parser) ? "the end" : parser->at->text, quote);
}

static void expect(struct parser *parser, const char *text)
{
    if (!take(parser, text))
        unexpected(parser, text);
}

/* The text between two brackets; line 0: it is not in one line, or a macro has made it. */
static struct lw_position between(token *open, token *close)
{
    struct lw_position inside = open->position;
    inside.column++;
    inside.length = close->position.column - inside.column;
    const bool is_plain = open->position.length == 1 && close->position.length == 1 &&
                          open->position.line == close->position.line && inside.length > 0;
    return is_plain ? inside : (struct lw_position){0};
}

/* Passes over brackets and what is in them; the token is an opening one. */
static void skip_brackets(struct parser *parser)
{
    const struct lw_position where = parser->at->position;
    int open = 0;
    do {
        if (is_end(parser)) {
            refuse(parser, where, "this bracket is not closed");
            return;
        }
        open += is(parser, "(") || is(parser, "{") || is(parser, "[");
        open -= is(parser, ")") || is(parser, "}") || is(parser, "]");
        parser->at++;
    } while (open > 0);
}

/* Passes over what is before a word, and the word. */
static void skip_to(struct parser *parser, const char *word)
{
    while (!is_end(parser) && !take(parser, word))
        parser->at++;
}

/* Whether a name begins with one of a list. */
static bool begins(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strncmp(list[i], name, strlen(list[i])))
            return true;
    return false;
}

/* ---- Types ---- */

static bool starts_type(const struct parser *parser)
{
    return parser->at->kind == LW_CUDA_NAME && lw_cuda_is_type(parser->at->text);
}

/* What a declaration has beside its type. */
struct specifiers {
    struct lw_cuda_type type;
    bool is_shared, is_constant_memory, is_device;
    unsigned align;
};

/* Words of a type, with what stands around them: `const unsigned int`, `__shared__ float`. */
static struct specifiers parse_specifiers(struct parser *parser)
{
    struct specifiers specifiers = {.type = int_type};
    bool is_unsigned = false, has_sign = false, has_type = false;
    while (starts_type(parser)) {
        const char *text = parser->at->text;
        struct lw_cuda_type type;
        const bool is_type = lw_cuda_type_named(text, &type);
        if (is_type && has_type && !lw_text_has_word("int long", text))
            break;
        parser->at++;
        specifiers.is_shared = specifiers.is_shared || !strcmp(text, "__shared__");
        specifiers.is_constant_memory =
            specifiers.is_constant_memory || !strcmp(text, "__constant__");
        specifiers.is_device = specifiers.is_device || !strcmp(text, "__device__");
        is_unsigned = is_unsigned || !strcmp(text, "unsigned");
        has_sign = has_sign || is_unsigned || !strcmp(text, "signed");
        if (is_type && (!has_type || !strcmp(specifiers.type.name, "int"))) /* long int is long */
            specifiers.type = type;
        has_type = has_type || is_type;
        if (!lw_cuda_is_align(text))
            continue;
        expect(parser, "(");
        const int64_t align = parser->at->value;
        if (parser->at->kind != LW_CUDA_NUMBER || align < 1 || align > 1024 ||
            (align & (align - 1)))
            refuse(parser, parser->at->position, "expected a power of two of at most 1024 bytes");
        else
            parser->at++;
        specifiers.align = (unsigned)align;
        expect(parser, ")");
    }
    if (!has_type && !has_sign)
        fail(parser, LW_ERROR_SYNTAX, parser->at->position,
             "expected a type: '%.40s' is none; '#define %.40s float' makes it one",
             parser->at->text, parser->at->text);
    specifiers.type.is_unsigned = specifiers.type.is_unsigned || is_unsigned;
    return specifiers;
}

/* `*`, `const` and `__restrict__` after a type. */
static void parse_pointers(struct parser *parser, struct lw_cuda_type *type)
{
    while (is(parser, "*") || (starts_type(parser) && lw_cuda_is_qualifier(parser->at->text))) {
        if (is(parser, "*") && type->pointers < 2)
            type->pointers++;
        parser->at++;
    }
}

/* A type by itself, as of a cast: `const float4 *`. */
static struct lw_cuda_type parse_type(struct parser *parser)
{
    struct lw_cuda_type type = parse_specifiers(parser).type;
    parse_pointers(parser, &type);
    return type;
}

/* ---- Names ---- */

const char *const lw_cuda_built_ins[] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockDim.x", "blockDim.y", "blockDim.z",
    "blockIdx.x",  "blockIdx.y",  "blockIdx.z",  "gridDim.x",  "gridDim.y",  "gridDim.z",
    "warpSize",    "tid",         "lane",        "warp",       NULL};

static variable *variable_named(const struct parser *parser, const char *name)
{
    for (int i = parser->name_count - 1; i >= 0; i--)
        if ((i >= parser->locals || i < parser->globals) && !strcmp(parser->names[i]->name, name))
            return parser->names[i];
    return NULL;
}

static const struct lw_cuda_let *let_named(const struct parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->program->options->let_count; i++)
        if (!strcmp(parser->program->lets[i].name, name))
            return &parser->program->lets[i];
    return NULL;
}

static struct lw_cuda_routine *routine_named(const struct parser *parser, const char *name)
{
    struct lw_cuda_routine *routine = parser->routines;
    while (routine && strcmp(routine->name, name) != 0)
        routine = routine->next;
    return routine;
}

static void add_unknown(struct parser *parser, const char *name, struct lw_position where)
{
    const char *names = lw_text_string(&parser->unknown);
    const size_t length = strlen(name);
    if (!*names)
        parser->first_unknown = where;
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return;
    lw_text_format(&parser->unknown, "%s%s", *names ? ", " : "", name);
}

/* A name that the text does not declare: a built-in, a name with a value, or one without. */
static node *parse_undeclared(struct parser *parser, token *from)
{
    char name[64];
    int i = 0;
    const bool has_part =
        is(parser, ".") && parser->at[1].kind == LW_CUDA_NAME && strlen(parser->at[1].text) == 1;
    snprintf(name, sizeof name, "%.48s%s%.1s", from->text, has_part ? "." : "",
             has_part ? parser->at[1].text : "");
    while (lw_cuda_built_ins[i] && strcmp(lw_cuda_built_ins[i], name) != 0)
        i++;
    const struct lw_cuda_let *let = let_named(parser, name);
    if (lw_cuda_built_ins[i] && has_part)
        parser->at += 2;
    if (let) {
        const int64_t value = let->values[0];
        return new_constant(parser, from->position, value,
                            lw_cuda_integer(value != (int32_t)value ? 8 : 4, false));
    }
    if (strstr(from->text, "::") || parser->at->kind == LW_CUDA_NAME)
        fail(parser, LW_ERROR_SYNTAX, from->position,
             "'%.60s' is not read: it is no name of a variable and no type; '#define T float' "
             "makes T one",
             from->text);
    const bool is_grid = i >= LW_CUDA_GRID_X && i < LW_CUDA_WARP_SIZE;
    const bool is_known = i < LW_CUDA_BUILT_INS && !is_grid;
    node *made =
        new_node(parser, is_known ? LW_CUDA_BUILT_IN : LW_CUDA_DATA, from->position, NULL, NULL);
    made->value = i;
    if (!is_known && !parser->alone && !parser->is_quiet)
        add_unknown(parser, name, from->position);
    return made;
}

static node *parse_call(struct parser *parser, token *name);

static node *parse_name(struct parser *parser)
{
    token *from = parser->at++;
    variable *named = variable_named(parser, from->text);
    const struct lw_cuda_let *let = let_named(parser, from->text);
    if (routine_named(parser, from->text) && is(parser, "<")) /* of a template */
        skip_to(parser, ">");
    if (is(parser, "(") || (is(parser, "<") && strstr(from->text, "_cast")))
        return parse_call(parser, from);
    if (is_word(from, "true") || is_word(from, "false"))
        return new_constant(parser, from->position, from->text[0] == 't', int_type);
    if (!named && let && let->is_array) {
        named = allocate(parser, sizeof *named);
        *named = (variable){.name = from->text, .type = int_type, .is_array = true, .let = let};
    }
    if (!named)
        return parse_undeclared(parser, from);
    node *made = new_node(parser, LW_CUDA_VARIABLE, from->position, NULL, NULL);
    made->variable = named;
    return made;
}

/* ---- Expressions ---- */

static node *parse_expression(struct parser *parser, int least);
static node *parse_unary(struct parser *parser);
static node *parse_right(struct parser *parser);
static void parse_routine(struct parser *parser, struct lw_cuda_routine *routine,
                          struct lw_position where);

/* (type)a, static_cast<type>(a), int(a) */
static node *cast_to(struct parser *parser, const struct lw_cuda_type *type,
                     struct lw_position where, node *a)
{
    node *made = new_node(parser, LW_CUDA_CAST, where, a, NULL);
    made->type = *type;
    return made;
}

/* Functions that have a meaning for addresses, with the number of their arguments. */
static const struct {
    const char *names;
    enum lw_cuda_function function;
    size_t arguments;
} functions[] = {
    {"min", LW_CUDA_MIN, 2},
    {"max", LW_CUDA_MAX, 2},
    {"__popc", LW_CUDA_POPC, 1},
    {"__brev", LW_CUDA_BREV, 1},
    {"atomicAdd", LW_CUDA_ATOMIC_ADD, 2},
    {"atomicSub atomicMax atomicMin atomicOr atomicAnd atomicXor atomicExch",
     LW_CUDA_ATOMIC_INTEGER, 2},
    {"atomicCAS", LW_CUDA_ATOMIC_CAS, 3},
};

/* Beginnings of the names of functions of values, whose result is not computed. */
static const char *const of_data[] = {
    "make_",   "__float", "__half", "__bfloat", "__h",  "__f",  "__low", "__high", "__int2",
    "__uint2", "__exp",   "__log",  "exp",      "log",  "sqrt", "rsqrt", "sin",    "cos",
    "tanh",    "pow",     "erf",    "fma",      "fmin", "fabs", "dim3"};

static node *parse_call(struct parser *parser, token *name)
{
    struct lw_cuda_type type;
    const bool is_cast = take(parser, "<"), /* reinterpret_cast<float4 *>( */
        is_type = !is_cast && lw_cuda_type_named(name->text, &type);
    if (is_cast) {
        type = parse_type(parser);
        expect(parser, ">");
    }
    node *made = new_node(parser, LW_CUDA_CALL, name->position, NULL, NULL), **end = &made->a;
    size_t count = 0, i = 0, needed = is_cast;
    made->name = name->text;
    made->routine = is_cast ? NULL : routine_named(parser, name->text);
    while (i < LW_COUNT(functions) && !lw_text_has_word(functions[i].names, name->text))
        i++;
    if (made->routine) {
        parse_routine(parser, made->routine, name->position);
        for (const node *at = made->routine->parameters; at; at = at->next)
            needed++;
    } else if (i < LW_COUNT(functions)) {
        made->value = functions[i].function;
        needed = functions[i].arguments;
    } else if (!is_cast && !is_type && !begins(of_data, LW_COUNT(of_data), name->text)) {
        fail(parser, LW_ERROR_SYNTAX, name->position,
             "the function %.60s is not read: leave it out, or write what it does in its stead",
             name->text);
    }
    expect(parser, "(");
    while (!is(parser, ")") && !is_end(parser)) {
        /* The value of an atomic function may be a name alone. */
        append(&end, made->value >= LW_CUDA_ATOMIC_INTEGER && count ? parse_right(parser)
                                                                    : parse_expression(parser, 1));
        count++;
        if (!take(parser, ","))
            break;
    }
    expect(parser, ")");
    if ((needed || made->routine) && count != needed)
        fail(parser, LW_ERROR_SYNTAX, name->position, "%.40s takes %zu argument%s, not %zu",
             name->text, needed, needed == 1 ? "" : "s", count);
    return is_cast || (is_type && count == 1 && type.parts == 1)
               ? cast_to(parser, &type, name->position, made->a)
               : made;
}

/* `{...}` of a value: passed over. */
static node *parse_braces(struct parser *parser)
{
    node *made = new_node(parser, LW_CUDA_DATA, parser->at->position, NULL, NULL);
    skip_brackets(parser);
    return made;
}

static node *parse_primary(struct parser *parser)
{
    token *from = parser->at;
    node *made = NULL;
    if (from->kind == LW_CUDA_NUMBER) {
        parser->at++;
        return new_constant(parser, from->position, from->value,
                            lw_cuda_integer(from->is_long ? 8 : 4, from->is_unsigned));
    }
    if (from->kind == LW_CUDA_REAL)
        parser->at++;
    else if (take(parser, "sizeof")) {
        made = new_node(parser, LW_CUDA_SIZEOF, from->position, NULL, NULL);
        expect(parser, "(");
        if (starts_type(parser))
            made->type = parse_type(parser);
        else
            made->a = parse_expression(parser, 1);
        expect(parser, ")");
    } else if (from->kind == LW_CUDA_NAME)
        made = parse_name(parser);
    else if (take(parser, "(")) {
        made = parse_expression(parser, 0);
        expect(parser, ")");
    } else if (is(parser, "{"))
        made = parse_braces(parser);
    else
        unexpected(parser, "a value");
    return made ? made : new_node(parser, LW_CUDA_DATA, from->position, NULL, NULL);
}

/* a += 1 of ++a, a -= 1 of --a; `after`: of a++ and a--, whose value is that before. */
static node *step_of(struct parser *parser, token *sign, node *a, bool after)
{
    static token signs[2] = {{.text = "+"}, {.text = "-"}};
    const bool is_minus = sign->text[0] == '-';
    struct lw_cuda_token one = signs[is_minus];
    one.position = sign->position;
    node *made = new_operation(parser, LW_CUDA_ASSIGN, is_minus ? LW_CUDA_SUB : LW_CUDA_ADD, &one,
                               a, new_constant(parser, sign->position, 1, int_type));
    made->value = after;
    return made;
}

static node *parse_postfix(struct parser *parser)
{
    static const char parts[] = "xyzw";
    node *made = parse_primary(parser);
    for (;;) {
        token *open = parser->at;
        if (take(parser, "[")) {
            node *index = parse_expression(parser, 0);
            made = new_node(parser, LW_CUDA_INDEX, made->position, made, index);
            if (is(parser, "]"))
                made->inside = between(open, parser->at);
            expect(parser, "]");
        } else if (take(parser, ".") || is(parser, "->")) { /* a.x of a vector */
            const char *text = parser->at->text,
                       *part = strlen(text) == 1 ? strchr(parts, text[0]) : NULL;
            made = new_node(parser, LW_CUDA_PART, made->position, made, NULL);
            if (part) {
                made->value = part - parts;
                parser->at++;
            } else
                refuse(parser, parser->at->position,
                       is(parser, "->")
                           ? "-> is not read: structs are not"
                           : "expected x, y, z or w of a vector: structs are not read");
        } else if (take(parser, "++") || take(parser, "--")) {
            made = step_of(parser, open, made, true);
        } else {
            return made;
        }
    }
}

static node *parse_sign(struct parser *parser, token *sign)
{
    struct lw_cuda_token as = *sign; /* as it is written in the tree */
    node *a = parse_unary(parser);
    if (sign->text[1])
        return step_of(parser, sign, a, false);
    if (sign->text[0] == '*' || sign->text[0] == '&')
        return new_node(parser, sign->text[0] == '*' ? LW_CUDA_DEREFERENCE : LW_CUDA_ADDRESS,
                        sign->position, a, NULL);
    const bool inverts = sign->text[0] == '~', negates = sign->text[0] == '!';
    node *with = new_constant(parser, sign->position, inverts ? -1 : 0, int_type);
    as.text = inverts ? "^" : negates ? "==" : as.text;
    return new_operation(parser, LW_CUDA_BINARY,
                         inverts                ? LW_CUDA_XOR
                         : negates              ? LW_CUDA_EQUAL
                         : sign->text[0] == '-' ? LW_CUDA_SUB
                                                : LW_CUDA_ADD,
                         &as, inverts || negates ? a : with, inverts || negates ? with : a);
}

static node *parse_unary(struct parser *parser)
{
    static const char *const signs[] = {"-", "+", "!", "~", "*", "&", "++", "--"};
    token *from = parser->at;
    node *made;
    size_t i = 0;
    if (++parser->depth > DEPTH_MAX)
        fail(parser, LW_ERROR_LIMIT, from->position, "nested more than %d deep", DEPTH_MAX);
    while (i < LW_COUNT(signs) && !take(parser, signs[i]))
        i++;
    if (i < LW_COUNT(signs)) {
        made = parse_sign(parser, from);
    } else if (is(parser, "(") && from[1].kind == LW_CUDA_NAME &&
               (lw_cuda_is_type_word(from[1].text) || is_word(from + 1, "const")) &&
               !is_word(from + 2, "(") && !variable_named(parser, from[1].text)) {
        parser->at++;
        const struct lw_cuda_type type = parse_type(parser);
        expect(parser, ")");
        made = cast_to(parser, &type, from->position, parse_unary(parser));
    } else {
        made = parse_postfix(parser);
    }
    parser->depth--;
    return made;
}

/* Operators by their order: 0 the comma, 1 assignments, 2 ?:, and so on. */
static const struct sign {
    const char *text;
    int order;
    enum lw_cuda_operator op;
} binary_signs[] = {
    {",", 0, LW_CUDA_COMMA},   {"=", 1, LW_CUDA_NO_OPERATOR}, {"+=", 1, LW_CUDA_ADD},
    {"-=", 1, LW_CUDA_SUB},    {"*=", 1, LW_CUDA_MUL},        {"/=", 1, LW_CUDA_DIV},
    {"%=", 1, LW_CUDA_REM},    {"&=", 1, LW_CUDA_AND},        {"|=", 1, LW_CUDA_OR},
    {"^=", 1, LW_CUDA_XOR},    {"<<=", 1, LW_CUDA_SHL},       {">>=", 1, LW_CUDA_SHR},
    {"?", 2, LW_CUDA_CHOOSE},  {"||", 3, LW_CUDA_LOGICAL_OR}, {"&&", 4, LW_CUDA_LOGICAL_AND},
    {"|", 5, LW_CUDA_OR},      {"^", 6, LW_CUDA_XOR},         {"&", 7, LW_CUDA_AND},
    {"==", 8, LW_CUDA_EQUAL},  {"!=", 8, LW_CUDA_NOT_EQUAL},  {"<", 9, LW_CUDA_LESS},
    {">", 9, LW_CUDA_GREATER}, {"<=", 9, LW_CUDA_LESS_EQUAL}, {">=", 9, LW_CUDA_GREATER_EQUAL},
    {"<<", 10, LW_CUDA_SHL},   {">>", 10, LW_CUDA_SHR},       {"+", 11, LW_CUDA_ADD},
    {"-", 11, LW_CUDA_SUB},    {"*", 12, LW_CUDA_MUL},        {"/", 12, LW_CUDA_DIV},
    {"%", 12, LW_CUDA_REM}};

static const struct sign *sign_of(token *at)
{
    static const struct sign none = {"", -1, LW_CUDA_NO_OPERATOR};
    for (size_t i = 0; at->kind == LW_CUDA_SIGN && i < LW_COUNT(binary_signs); i++)
        if (!strcmp(binary_signs[i].text, at->text))
            return &binary_signs[i];
    return &none;
}

/* The right side of an assignment, in which a name alone is a value. */
static node *parse_right(struct parser *parser)
{
    parser->alone = parser->at->kind == LW_CUDA_NAME &&
                    (next_is(parser, ";") || next_is(parser, ",") || next_is(parser, ")") ||
                     parser->at[1].kind == LW_CUDA_END);
    node *made = parser->alone ? parse_unary(parser) : parse_expression(parser, 1);
    parser->alone = false;
    return made;
}

/* Operators of an order of at least `least`. */
static node *parse_expression(struct parser *parser, int least)
{
    parser->alone = parser->at->kind == LW_CUDA_NAME && sign_of(parser->at + 1)->order == 1;
    node *made = parse_unary(parser);
    parser->alone = false;
    for (;;) {
        token *at = parser->at;
        const struct sign *sign = sign_of(at);
        if (sign->order < least)
            return made;
        parser->at++;
        if (sign->op == LW_CUDA_CHOOSE) {
            made =
                new_node(parser, LW_CUDA_CHOICE, at->position, made, parse_expression(parser, 1));
            expect(parser, ":");
            made->c = parse_expression(parser, 2);
        } else if (sign->order == 1) {
            made = new_operation(parser, LW_CUDA_ASSIGN, sign->op, at, made, parse_right(parser));
        } else {
            made = new_operation(parser, LW_CUDA_BINARY, sign->op, at, made,
                                 parse_expression(parser, sign->order + 1));
        }
    }
}

/* ---- Declarations ---- */

static bool is_dim3(const variable *of)
{
    return of->type.parts == 3;
}

/* The threads of a block, or what a variable of type dim3 has: of dim3(32, 8), the name of such a variable, or a
 * number. */
static void sizes_of(node *from, node *sizes[3])
{
    node *size = from->kind == LW_CUDA_CALL && !strcmp(from->name, "dim3") ? from->a : NULL;
    for (int i = 0; i < 3; i++, size = size ? size->next : NULL)
        sizes[i] = from->kind == LW_CUDA_VARIABLE && is_dim3(from->variable)
                       ? from->variable->dims[i]
                       : size;
    if (!sizes[0])
        sizes[0] = from;
}

/* The values of an array of constants, `= {3, 1, 4}`, which are known; NULL: its values are not numbers alone. */
static const struct lw_cuda_let *parse_values(struct parser *parser, const char *name)
{
    token *from = parser->at + 2, *at = from; /* after = { */
    size_t count = 0;
    for (; at->kind == LW_CUDA_NUMBER || is_word(at, ",") || is_word(at, "-"); at++)
        count += at->kind == LW_CUDA_NUMBER;
    int64_t *values = lw_arena_alloc(parser->arena, (count + 1) * sizeof *values);
    if (!values)
        fail(parser, LW_ERROR_MEMORY, from->position, "out of memory");
    if (!values || !count || !is_word(at, "}"))
        return NULL;
    struct lw_cuda_let *let = allocate(parser, sizeof *let);
    *let = (struct lw_cuda_let){.name = name, .values = values, .is_array = true};
    for (at = from; !is_word(at, "}"); at++)
        if (at->kind == LW_CUDA_NUMBER)
            values[let->count++] = is_word(at - 1, "-") ? -at->value : at->value;
    return let;
}

/* The lengths of an array: `[N][M]`. */
static void parse_dims(struct parser *parser, variable *of)
{
    for (token *open = parser->at; take(parser, "["); open = parser->at) {
        of->is_array = true;
        if (!of->rank && take(parser, "]")) {
            of->has_no_length = true;
            return;
        }
        if (of->rank == LW_CUDA_DIMS_MAX) {
            fail(parser, LW_ERROR_LIMIT, of->position, "an array has at most %d dims",
                 LW_CUDA_DIMS_MAX);
            return;
        }
        of->dims[of->rank++] = parse_expression(parser, 1);
        if (is(parser, "]"))
            of->last_dim = between(open, parser->at);
        expect(parser, "]");
    }
}

/* One name of a declaration: `*name[N][M] = value`. */
static node *parse_declarator(struct parser *parser, const struct specifiers *specifiers)
{
    variable *made = allocate(parser, sizeof *made);
    *made = (variable){.type = specifiers->type, .align = specifiers->align};
    parse_pointers(parser, &made->type);
    token *name = parser->at;
    node *declaration = new_node(parser, LW_CUDA_DECLARE, name->position, NULL, NULL);
    made->name = name->text;
    made->position = name->position;
    declaration->variable = made;
    if (is(parser, "&"))
        refuse(parser, name->position, "references are not read");
    else if (name->kind != LW_CUDA_NAME)
        unexpected(parser, "a name");
    else
        parser->at++;
    parse_dims(parser, made);
    made->is_shared = specifiers->is_shared || (made->is_array && parser->all_arrays_shared &&
                                                !specifiers->is_constant_memory);
    made->is_global = !made->is_shared && made->is_array && specifiers->is_device;
    made->let = let_named(parser, made->name);
    if (made->let && !made->let->is_array)
        made->let = NULL;
    if (made->is_array && made->rank < 2 && !specifiers->is_shared && !made->let &&
        made->type.is_integer && is(parser, "=") && next_is(parser, "{"))
        made->let = parse_values(parser, made->name);
    if (made->has_no_length && !made->is_shared && !is(parser, "="))
        refuse(parser, made->position, "an array without a length is extern __shared__");
    if (parser->name_count == NAMES_MAX)
        fail(parser, LW_ERROR_LIMIT, made->position, "more than %d names are declared", NAMES_MAX);
    else
        parser->names[parser->name_count++] = made;
    const struct lw_cuda_token dim3 = {.text = "dim3", .position = made->position};
    const bool is_grid = is_dim3(made) && strstr(made->name, "rid");
    parser->is_quiet = is_grid;
    if (take(parser, "="))
        declaration->a = parse_right(parser);
    else if (is(parser, "{"))
        declaration->a = parse_braces(parser);
    else if (is(parser, "(") && is_dim3(made))
        declaration->a = parse_call(parser, &dim3);
    parser->is_quiet = false;
    if (is_dim3(made) && declaration->a) {
        sizes_of(declaration->a, made->dims);
        if (!is_grid)
            sizes_of(declaration->a, parser->program->block);
    }
    return declaration;
}

static void parse_declaration(struct parser *parser, node ***end)
{
    const struct specifiers specifiers = parse_specifiers(parser);
    do
        append(end, parse_declarator(parser, &specifiers));
    while (take(parser, ","));
}

/* ---- Statements ---- */

static void parse_statement(struct parser *parser, node ***end);

/* One statement as a block of its own. */
static node *parse_one(struct parser *parser)
{
    node *block = new_node(parser, LW_CUDA_BLOCK, parser->at->position, NULL, NULL);
    node **end = &block->a;
    parse_statement(parser, &end);
    return block;
}

static node *parse_block(struct parser *parser)
{
    const int names = parser->name_count;
    node *block = new_node(parser, LW_CUDA_BLOCK, parser->at->position, NULL, NULL);
    node **end = &block->a;
    expect(parser, "{");
    while (!is(parser, "}") && !is_end(parser))
        parse_statement(parser, &end);
    expect(parser, "}");
    parser->name_count = names;
    return block;
}

/* An expression as a statement. */
static node *parse_do(struct parser *parser)
{
    node *value = parse_expression(parser, 0);
    value->is_unused = true;
    return new_node(parser, LW_CUDA_DO, value->position, value, NULL);
}

/* for (init; condition; step) and while (condition): a block of what is before the loop, and the loop. */
static node *parse_loop(struct parser *parser)
{
    const int names = parser->name_count;
    const struct lw_position where = parser->at->position;
    node *block = new_node(parser, LW_CUDA_BLOCK, where, NULL, NULL), **end = &block->a;
    node *loop = new_node(parser, LW_CUDA_LOOP, where, NULL, NULL);
    const bool is_for = take(parser, "for") || !take(parser, "while");
    expect(parser, "(");
    if (is_for && !take(parser, ";")) {
        if (starts_type(parser))
            parse_declaration(parser, &end);
        else
            append(&end, parse_do(parser));
        expect(parser, ";");
    }
    if (!is(parser, ";"))
        loop->a = parse_expression(parser, 0);
    if (is_for) {
        expect(parser, ";");
        if (!is(parser, ")"))
            loop->b = parse_expression(parser, 0);
    }
    expect(parser, ")");
    append(&end, loop);
    loop->c = parse_one(parser);
    parser->name_count = names;
    return block;
}

/* <<<grid, block>>>(...) of a kernel: sets the block. */
static void parse_launch(struct parser *parser)
{
    expect(parser, "<<<");
    parser->is_quiet = true;
    parse_expression(parser, 1);
    parser->is_quiet = false;
    expect(parser, ",");
    sizes_of(parse_expression(parser, 1), parser->program->block);
    parser->is_quiet = true;
    while (take(parser, ","))
        parse_expression(parser, 1);
    parser->is_quiet = false;
    expect(parser, ">>>");
    if (is(parser, "("))
        skip_brackets(parser);
}

/* A statement that ends in a semicolon. */
static void parse_simple(struct parser *parser, node ***end)
{
    /* Synchronisation, assertions, cooperative groups. */
    static const char *const passed_over[] = {
        "__sync", "__threadfence", "cg::",     "cooperative_groups::",
        "assert", "static_assert", "namespace"};
    static const struct {
        const char *word;
        enum lw_cuda_node_kind kind;
    } words[] = {
        {"return", LW_CUDA_RETURN}, {"break", LW_CUDA_BREAK}, {"continue", LW_CUDA_CONTINUE}};
    token *from = parser->at;
    size_t i = 0;
    while (i < LW_COUNT(words) && !take(parser, words[i].word))
        i++;
    if (i < LW_COUNT(words)) {
        node *made = new_node(parser, words[i].kind, from->position, NULL, NULL);
        if (i == 0 && !is(parser, ";"))
            made->a = parse_expression(parser, 0);
        append(end, made);
    } else if (from->kind == LW_CUDA_NAME &&
               (is(parser, "using") || begins(passed_over, LW_COUNT(passed_over), from->text))) {
        while (!is(parser, ";") && !is_end(parser))
            if (is(parser, "(") || is(parser, "{") || is(parser, "["))
                skip_brackets(parser);
            else
                parser->at++;
    } else if (from->kind == LW_CUDA_NAME && next_is(parser, "<<<")) {
        parser->at++;
        parse_launch(parser);
    } else if (starts_type(parser)) {
        parse_declaration(parser, end);
    } else if (!is(parser, ";")) {
        append(end, parse_do(parser));
    }
    if (!is_end(parser))
        expect(parser, ";");
}

/* Appends a statement; one that does nothing is left out. */
static void parse_statement(struct parser *parser, node ***end)
{
    token *from = parser->at;
    if (++parser->depth > DEPTH_MAX)
        fail(parser, LW_ERROR_LIMIT, from->position, "nested more than %d deep", DEPTH_MAX);
    if (from->kind == LW_CUDA_NAME && !next_is(parser, "namespace") &&
        lw_text_has_word("do switch goto asm struct class union enum try using typedef",
                         from->text))
        fail(parser, LW_ERROR_SYNTAX, from->position,
             "%.20s is not read: declarations, expressions, if, for and while are", from->text);
    if (is(parser, "{")) {
        append(end, parse_block(parser));
    } else if (take(parser, "if")) {
        node *made = new_node(parser, LW_CUDA_IF, from->position, NULL, NULL);
        take(parser, "constexpr");
        expect(parser, "(");
        made->a = parse_expression(parser, 0);
        expect(parser, ")");
        made->b = parse_one(parser);
        if (take(parser, "else"))
            made->c = parse_one(parser);
        append(end, made);
    } else if (is(parser, "for") || is(parser, "while")) {
        append(end, parse_loop(parser));
    } else {
        parse_simple(parser, end);
    }
    parser->depth--;
}

/* ---- Functions ---- */

/* The parameters of a function. Those of a kernel that are integers are left out: they need a value. */
static void parse_parameters(struct parser *parser, node ***end, bool is_kernel)
{
    expect(parser, "(");
    if (is(parser, "void") && next_is(parser, ")"))
        parser->at++;
    while (!is(parser, ")") && !is_end(parser)) {
        const struct specifiers specifiers = parse_specifiers(parser);
        node *made = parse_declarator(parser, &specifiers);
        variable *of = made->variable;
        if (!is_kernel && of->is_array) /* float s[] is a pointer */
            of->type.pointers++;
        of->is_array = of->is_array && is_kernel;
        if (is_kernel && !of->type.pointers && !of->is_array && of->type.is_integer)
            parser->name_count -= parser->name_count > 0;
        else
            append(end, made);
        if (!take(parser, ","))
            break;
    }
    expect(parser, ")");
}

/* Reads the parameters and the body of a function of the device. */
static void parse_routine(struct parser *parser, struct lw_cuda_routine *routine,
                          struct lw_position where)
{
    token *after = parser->at;
    const int globals = parser->globals, locals = parser->locals, names = parser->name_count;
    node **end = &routine->parameters;
    if (routine->is_open)
        refuse(parser, where, "a function that calls itself is not read");
    if (routine->body || routine->is_open)
        return;
    routine->is_open = true;
    parser->at = routine->at;
    parser->globals = routine->names;
    parser->locals = parser->name_count;
    parse_parameters(parser, &end, false);
    routine->body = parse_block(parser);
    routine->is_open = false;
    parser->at = parser->err->code == LW_OK ? after : ended;
    parser->globals = globals;
    parser->locals = locals;
    parser->name_count = names;
}

/* The name of the function that begins here: of words, the last one before a bracket, after which there is a body or,
 * for a declaration alone, a semicolon; NULL: none begins. */
static token *function_name(token *at)
{
    token *from = at, *name = NULL;
    if (is_word(at, "dim3"))
        return NULL;
    for (int open = 0; at->kind != LW_CUDA_END; at++) {
        if (name && (open || is_word(at, "("))) {
            open += is_word(at, "(") - is_word(at, ")");
            if (!open && !is_word(name, "__launch_bounds__") && !lw_cuda_is_align(name->text))
                return name > from && (is_word(at + 1, "{") || is_word(at + 1, ";")) ? name : NULL;
        } else if (at->kind == LW_CUDA_NAME) {
            name = at;
        } else if (!is_word(at, "*") && !is_word(at, "&") && at->kind != LW_CUDA_REAL) {
            return NULL;
        }
    }
    return NULL;
}

/* Where a word is between two tokens; NULL: it is not. */
static token *find_word(token *from, token *to, const char *word)
{
    while (from < to && !is_word(from, word))
        from++;
    return from < to ? from : NULL;
}

/* What is in a function of the host: of it, the launches of the kernel, with the variables of type dim3. */
static void parse_host(struct parser *parser, const char *kernel)
{
    token *from = parser->at;
    const int names = parser->name_count;
    node *ignored = NULL, **declared = &ignored;
    skip_brackets(parser);
    token *end = parser->at;
    for (parser->at = from; parser->at < end && !is_end(parser); parser->at += !is_end(parser))
        if (is(parser, "dim3") && parser->at[1].kind == LW_CUDA_NAME &&
            is_word(parser->at + 2, "("))
            parse_declaration(parser, &declared);
        else if (is(parser, kernel) && (next_is(parser, "<<<") || next_is(parser, "<"))) {
            while (!is(parser, "<<<") && parser->at < end)
                parser->at++;
            parse_launch(parser);
        }
    if (parser->err->code == LW_OK)
        parser->at = end;
    parser->name_count = names;
}

/* A function: the kernel is read, those of the device are noted, launches are found in those of the host. */
static void parse_function(struct parser *parser, token *name, const char *kernel, node ***end)
{
    token *from = parser->at;
    const bool is_kernel = find_word(from, name, "__global__");
    parser->at = name + 1;
    skip_brackets(parser);
    if (is(parser, ";")) /* it is declared alone */
        return;
    if (is_kernel && kernel && !strcmp(name->text, kernel)) {
        token *bounds = find_word(from, name, "__launch_bounds__");
        parser->globals = parser->locals = parser->name_count;
        if (bounds) {
            parser->at = bounds + 2;
            parser->program->bounds = parse_expression(parser, 1);
        }
        if (parser->err->code == LW_OK)
            parser->at = name + 1;
        parse_parameters(parser, end, true);
        append(end, parse_block(parser));
        parser->name_count = parser->globals;
    } else if (!is_kernel && find_word(from, name, "__device__")) {
        struct lw_cuda_routine *routine = allocate(parser, sizeof *routine);
        *routine = (struct lw_cuda_routine){.next = parser->routines,
                                            .name = name->text,
                                            .at = name + 1,
                                            .names = parser->name_count};
        parser->routines = routine;
        skip_brackets(parser);
    } else if (is_kernel || !kernel || parser->program->options->block[0] ||
               parser->program->block[0]) { /* the block is set: a launch does not change it */
        skip_brackets(parser);
    } else {
        parse_host(parser, kernel);
    }
}

/* Statements and functions; of several kernels one, and of a text without kernels all statements. */
static void parse(struct parser *parser)
{
    const char *kernel = parser->program->options->kernel, *last = NULL;
    size_t kernels = 0, found = 0;
    node **end = &parser->program->first;
    parser->all_arrays_shared = true;
    for (token *at = parser->at; at->kind != LW_CUDA_END; at++) {
        token *name = is_word(at, "__global__") ? function_name(at) : NULL;
        if (name && (!last || strcmp(last, name->text) != 0)) {
            last = name->text;
            kernels++;
            found += kernel && !strcmp(kernel, last);
        }
        if (is_word(at, "__global__") || is_word(at, "__shared__"))
            parser->all_arrays_shared = false;
    }
    if (kernels > 1 && !kernel)
        fail(parser, LW_ERROR_NAME, (struct lw_position){0},
             "there are %zu kernels: name one, as in file.cu:%.60s", kernels, last);
    if (kernel && !found)
        fail(parser, LW_ERROR_NAME, (struct lw_position){0}, "there is no kernel '%.60s'", kernel);
    kernel = kernel ? kernel : last;
    while (!is_end(parser)) {
        token *name = function_name(parser->at);
        if (take(parser, "template")) {
            skip_to(parser, ">");
        } else if (is(parser, "extern") && parser->at[1].kind == LW_CUDA_REAL) {
            parser->at += 2; /* extern "C" */
            take(parser, "{");
        } else if (name && (kernel || find_word(parser->at, name, "__device__"))) {
            parse_function(parser, name, kernel, &end);
        } else if (!(kernel && (take(parser, "}") || take(parser, ";")))) {
            parse_statement(parser, &end);
        }
    }
}

bool lw_cuda_parse(struct lw_cuda_program *program, const struct lw_cuda_token *tokens,
                   struct lw_error *err)
{
    struct parser parser = {.arena = program->arena, .program = program, .at = tokens, .err = err};
    *err = (struct lw_error){0};
    parse(&parser);
    if (parser.unknown.length)
        fail(&parser, LW_ERROR_NAME, parser.first_unknown,
             "without a value: %.300s; --let NAME=8 or NAME=@FILE sets one, and arrays are "
             "declared (float *name;)",
             lw_text_string(&parser.unknown));
    lw_text_free(&parser.unknown);
    return err->code == LW_OK;
}
