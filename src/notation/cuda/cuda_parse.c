/* From tokens to a tree: declarations, statements and expressions of C++, as far as accesses need them. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <string.h>

enum { DEPTH_MAX = 128, NAMES_MAX = 512 };

struct parser {
    struct lw_arena *arena;
    const struct lw_cuda_options *options;
    struct lw_cuda_program *program;
    const struct lw_cuda_token *at;
    struct lw_cuda_variable *names[NAMES_MAX]; /* declared ones, those of inner blocks last */
    int name_count;
    int depth;
    bool all_arrays_shared; /* an array without __shared__ is in shared memory too */
    bool alone;             /* the next name is one side of `=` and nothing else */
    struct lw_text unknown; /* names without a value */
    struct lw_position first_unknown;
    struct lw_error *err;
};

static bool fail(struct parser *parser, struct lw_position where, const char *what)
{
    return lw_error_at(parser->err, LW_ERROR_SYNTAX, where, "%s", what);
}

static void *allocate(struct parser *parser, size_t size)
{
    void *memory = lw_arena_alloc(parser->arena, size);
    if (memory)
        memset(memory, 0, size);
    else
        lw_error_set(parser->err, LW_ERROR_MEMORY, "out of memory");
    return memory;
}

static struct lw_cuda_node *new_node(struct parser *parser, enum lw_cuda_node_kind kind,
                                     const char *name, struct lw_position where,
                                     struct lw_cuda_node *a, struct lw_cuda_node *b)
{
    struct lw_cuda_node *node = allocate(parser, sizeof *node);
    if (node)
        *node =
            (struct lw_cuda_node){.kind = kind, .name = name, .position = where, .a = a, .b = b};
    return node;
}

/* ---- Tokens ---- */

static bool is(const struct parser *parser, const char *text)
{
    return parser->at->kind != LW_CUDA_REAL && !strcmp(parser->at->text, text);
}

static bool next_is(const struct parser *parser, const char *text)
{
    return parser->at->kind != LW_CUDA_END && !strcmp(parser->at[1].text, text);
}

static bool take(struct parser *parser, const char *text)
{
    if (!is(parser, text))
        return false;
    parser->at++;
    return true;
}

static bool expect(struct parser *parser, const char *text)
{
    if (take(parser, text))
        return true;
    const struct lw_cuda_token *at = parser->at;
    return lw_error_at(parser->err, LW_ERROR_SYNTAX, at->position, "expected %s, found %s%.40s%s",
                       text, at->kind == LW_CUDA_END ? "the end" : "'", at->text,
                       at->kind == LW_CUDA_END ? "" : "'");
}

/* The text between two brackets; line 0: it is not in one line, or a macro has made it. */
static struct lw_position between(const struct lw_cuda_token *open,
                                  const struct lw_cuda_token *close)
{
    struct lw_position inside = open->position;
    inside.column++;
    inside.length = close->position.column - inside.column;
    const bool is_plain = open->position.length == 1 && close->position.length == 1 &&
                          open->position.line == close->position.line && inside.length > 0;
    return is_plain ? inside : (struct lw_position){0};
}

/* Passes over brackets and what is in them; the token is an opening one. */
static bool skip_brackets(struct parser *parser)
{
    const struct lw_position where = parser->at->position;
    int open = 0;
    do {
        if (parser->at->kind == LW_CUDA_END)
            return fail(parser, where, "this bracket is not closed");
        open += is(parser, "(") || is(parser, "{") || is(parser, "[");
        open -= is(parser, ")") || is(parser, "}") || is(parser, "]");
        parser->at++;
    } while (open > 0);
    return true;
}

/* ---- Types ---- */

static const struct lw_cuda_type types[] = {
    {"void", 0, 1, false, false, 0},
    {"auto", 0, 1, true, false, 0},
    {"bool", 1, 1, true, true, 0},
    {"char", 1, 1, true, false, 0},
    {"int8_t", 1, 1, true, false, 0},
    {"uint8_t", 1, 1, true, true, 0},
    {"short", 2, 1, true, false, 0},
    {"int16_t", 2, 1, true, false, 0},
    {"uint16_t", 2, 1, true, true, 0},
    {"int", 4, 1, true, false, 0},
    {"int32_t", 4, 1, true, false, 0},
    {"uint32_t", 4, 1, true, true, 0},
    {"uint", 4, 1, true, true, 0},
    {"long", 8, 1, true, false, 0},
    {"int64_t", 8, 1, true, false, 0},
    {"uint64_t", 8, 1, true, true, 0},
    {"size_t", 8, 1, true, true, 0},
    {"half", 2, 1, false, false, 0},
    {"__half", 2, 1, false, false, 0},
    {"__nv_bfloat16", 2, 1, false, false, 0},
    {"nv_bfloat16", 2, 1, false, false, 0},
    {"__nv_fp8_e4m3", 1, 1, false, false, 0},
    {"__nv_fp8_e5m2", 1, 1, false, false, 0},
    {"float", 4, 1, false, false, 0},
    {"double", 8, 1, false, false, 0},
    {"half2", 4, 2, false, false, 0},
    {"__half2", 4, 2, false, false, 0},
    {"__nv_bfloat162", 4, 2, false, false, 0},
    {"char2", 2, 2, false, false, 0},
    {"char4", 4, 4, false, false, 0},
    {"uchar4", 4, 4, false, false, 0},
    {"short2", 4, 2, false, false, 0},
    {"short4", 8, 4, false, false, 0},
    {"int2", 8, 2, false, false, 0},
    {"int4", 16, 4, false, false, 0},
    {"uint2", 8, 2, false, false, 0},
    {"uint4", 16, 4, false, false, 0},
    {"float2", 8, 2, false, false, 0},
    {"float4", 16, 4, false, false, 0},
    {"double2", 16, 2, false, false, 0},
    {"longlong2", 16, 2, false, false, 0},
    {"ulonglong2", 16, 2, false, false, 0},
    {"dim3", 12, 3, false, false, 0},
};

static const struct lw_cuda_type *type_named(const char *name)
{
    if (!strncmp(name, "std::", 5))
        name += 5;
    for (size_t i = 0; i < LW_COUNT(types); i++)
        if (!strcmp(types[i].name, name))
            return &types[i];
    return NULL;
}

/* What stands before or after a type and is not part of it. */
static bool is_qualifier(const char *text)
{
    static const char *const words[] = {"const",        "constexpr",  "static",       "volatile",
                                        "__restrict__", "__restrict", "inline",       "__shared__",
                                        "extern",       "__device__", "__constant__", "register"};
    for (size_t i = 0; i < LW_COUNT(words); i++)
        if (!strcmp(words[i], text))
            return true;
    return !strcmp(text, "__align__") || !strcmp(text, "alignas");
}

static bool is_type_word(const char *text)
{
    return !strcmp(text, "unsigned") || !strcmp(text, "signed") || type_named(text);
}

bool lw_cuda_is_type(const char *word)
{
    return is_qualifier(word) || is_type_word(word);
}

static bool starts_type(const struct parser *parser)
{
    return parser->at->kind == LW_CUDA_NAME &&
           (is_qualifier(parser->at->text) || is_type_word(parser->at->text));
}

/* What a declaration has beside its type. */
struct specifiers {
    struct lw_cuda_type type;
    bool is_shared, is_extern, is_constant_memory;
    unsigned align;
};

static struct lw_cuda_node *parse_expression(struct parser *parser, int least);

/* `(16)` of __align__ and alignas. */
static bool parse_align(struct parser *parser, struct specifiers *specifiers)
{
    parser->at++;
    if (!expect(parser, "("))
        return false;
    if (parser->at->kind != LW_CUDA_NUMBER || parser->at->value < 1 || parser->at->value > 1024 ||
        (parser->at->value & (parser->at->value - 1)))
        return fail(parser, parser->at->position, "expected a power of two of at most 1024 bytes");
    specifiers->align = (unsigned)parser->at++->value;
    return expect(parser, ")");
}

/* Words of a type, with what stands around them: `const unsigned int`, `__shared__ float`. */
static bool parse_specifiers(struct parser *parser, struct specifiers *specifiers)
{
    bool is_unsigned = false, has_sign = false, has_type = false;
    const struct lw_position where = parser->at->position;
    *specifiers = (struct specifiers){0};
    while (starts_type(parser)) {
        const char *text = parser->at->text;
        const struct lw_cuda_type *type = type_named(text);
        specifiers->is_shared = specifiers->is_shared || !strcmp(text, "__shared__");
        specifiers->is_extern = specifiers->is_extern || !strcmp(text, "extern");
        specifiers->is_constant_memory =
            specifiers->is_constant_memory || !strcmp(text, "__constant__");
        if (!strcmp(text, "__align__") || !strcmp(text, "alignas")) {
            if (!parse_align(parser, specifiers))
                return false;
            continue;
        }
        is_unsigned = is_unsigned || !strcmp(text, "unsigned");
        has_sign = has_sign || is_unsigned || !strcmp(text, "signed");
        if (type && has_type && strcmp(text, "int") != 0 && strcmp(text, "long") != 0)
            break;
        if (type && (!has_type || !strcmp(specifiers->type.name, "int"))) /* long int is long */
            specifiers->type = *type;
        has_type = has_type || type;
        parser->at++;
    }
    if (!has_type && !has_sign)
        return fail(parser, where, "expected a type");
    if (!has_type)
        specifiers->type = *type_named("int");
    if (is_unsigned)
        specifiers->type.is_unsigned = true;
    return true;
}

/* A type by itself, as of a cast: `const float4 *`. */
static bool parse_type(struct parser *parser, struct lw_cuda_type *type)
{
    struct specifiers specifiers;
    if (!parse_specifiers(parser, &specifiers))
        return false;
    *type = specifiers.type;
    while (is(parser, "*") || is(parser, "&") || is_qualifier(parser->at->text)) {
        type->pointers += is(parser, "*");
        parser->at++;
    }
    return true;
}

/* ---- Names ---- */

const char *const lw_cuda_built_ins[] = {
    "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockDim.x", "blockDim.y", "blockDim.z",
    "blockIdx.x",  "blockIdx.y",  "blockIdx.z",  "gridDim.x",  "gridDim.y",  "gridDim.z",
    "warpSize",    "tid",         "lane",        "warp",       NULL};

static struct lw_cuda_variable *variable_named(const struct parser *parser, const char *name)
{
    for (int i = parser->name_count - 1; i >= 0; i--)
        if (!strcmp(parser->names[i]->name, name))
            return parser->names[i];
    return NULL;
}

static const struct lw_cuda_let *let_named(const struct parser *parser, const char *name)
{
    for (size_t i = 0; i < parser->options->let_count; i++)
        if (!strcmp(parser->program->lets[i].name, name))
            return &parser->program->lets[i];
    return NULL;
}

static bool declare(struct parser *parser, struct lw_cuda_variable *variable)
{
    if (parser->name_count == NAMES_MAX)
        return lw_error_at(parser->err, LW_ERROR_LIMIT, variable->position,
                           "more than %d names are declared", NAMES_MAX);
    parser->names[parser->name_count++] = variable;
    return true;
}

static void add_unknown(struct parser *parser, const char *name, struct lw_position where)
{
    const char *listed = lw_text_string(&parser->unknown);
    const size_t length = strlen(name);
    if (!*listed)
        parser->first_unknown = where;
    for (const char *at = listed; (at = strstr(at, name)); at += length)
        if ((at == listed || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return;
    lw_text_format(&parser->unknown, "%s%s", *listed ? ", " : "", name);
}

/* A name that the text does not declare: a built-in, a name with a value, or one without. */
static struct lw_cuda_node *parse_undeclared(struct parser *parser,
                                             const struct lw_cuda_token *token)
{
    char name[64];
    const bool has_part =
        (is(parser, ".") && parser->at[1].kind == LW_CUDA_NAME && strlen(parser->at[1].text) == 1);
    snprintf(name, sizeof name, "%.48s%s%.1s", token->text, has_part ? "." : "",
             has_part ? parser->at[1].text : "");
    int i = 0;
    while (lw_cuda_built_ins[i] && strcmp(lw_cuda_built_ins[i], name) != 0)
        i++;
    const struct lw_cuda_let *let = let_named(parser, name);
    if (lw_cuda_built_ins[i] && has_part)
        parser->at += 2;
    if (let && !let->is_array) {
        struct lw_cuda_node *node =
            new_node(parser, LW_CUDA_CONSTANT, "", token->position, NULL, NULL);
        if (node) {
            node->value = let->values[0];
            node->is_long = node->value > INT32_MAX || node->value < INT32_MIN;
        }
        return node;
    }
    const bool is_grid = i >= LW_CUDA_GRID_X && i < LW_CUDA_WARP_SIZE;
    struct lw_cuda_node *node =
        new_node(parser, lw_cuda_built_ins[i] && !is_grid ? LW_CUDA_BUILT_IN : LW_CUDA_DATA, "",
                 token->position, NULL, NULL);
    if (node && node->kind == LW_CUDA_BUILT_IN)
        node->value = i;
    else if (!parser->alone)
        add_unknown(parser, is_grid ? name : token->text, token->position);
    return node;
}

static struct lw_cuda_node *parse_call(struct parser *parser, const struct lw_cuda_token *name);

static struct lw_cuda_node *parse_name(struct parser *parser)
{
    const struct lw_cuda_token *token = parser->at++;
    struct lw_cuda_variable *variable = variable_named(parser, token->text);
    if (is(parser, "(") || (is(parser, "<") && strstr(token->text, "_cast")))
        return parse_call(parser, token);
    if (!strcmp(token->text, "true") || !strcmp(token->text, "false")) {
        struct lw_cuda_node *node =
            new_node(parser, LW_CUDA_CONSTANT, "", token->position, NULL, NULL);
        if (node)
            node->value = token->text[0] == 't';
        return node;
    }
    const struct lw_cuda_let *let = let_named(parser, token->text);
    if (!variable && let && let->is_array) {
        variable = allocate(parser, sizeof *variable);
        if (!variable)
            return NULL;
        *variable = (struct lw_cuda_variable){
            .name = token->text, .type = *type_named("int"), .is_array = true, .let = let};
    }
    if (!variable)
        return parse_undeclared(parser, token);
    struct lw_cuda_node *node = new_node(parser, LW_CUDA_VARIABLE, "", token->position, NULL, NULL);
    if (node)
        node->variable = variable;
    return node;
}

/* ---- Expressions ---- */

static struct lw_cuda_node *parse_unary(struct parser *parser);

/* (type)a, static_cast<type>(a), int(a) */
static struct lw_cuda_node *cast_to(struct parser *parser, const struct lw_cuda_type *type,
                                    struct lw_position where, struct lw_cuda_node *a)
{
    struct lw_cuda_node *node = a ? new_node(parser, LW_CUDA_CAST, "", where, a, NULL) : NULL;
    if (node)
        node->type = *type;
    return node;
}

/* Functions that have a meaning for addresses, with the number of their arguments. */
static const struct {
    const char *name;
    int least, most;
} functions[] = {
    {"min", 2, 2},       {"max", 2, 2},       {"abs", 1, 1},       {"__popc", 1, 1},
    {"__brev", 1, 1},    {"__clz", 1, 1},     {"__ffs", 1, 1},     {"__ldg", 1, 1},
    {"atomicAdd", 2, 2}, {"atomicSub", 2, 2}, {"atomicMax", 2, 2}, {"atomicMin", 2, 2},
    {"atomicOr", 2, 2},  {"atomicAnd", 2, 2}, {"atomicXor", 2, 2}, {"atomicExch", 2, 2},
    {"atomicCAS", 3, 3},
};

/* Functions of values: their result is not computed, their arguments may be loads. */
static bool is_of_data(const char *name)
{
    static const char *const beginnings[] = {"make_",  "__shfl", "__float",  "__half",  "__bfloat",
                                             "__h",    "__fma",  "__fdiv",   "__fsqrt", "__frcp",
                                             "__fadd", "__fmul", "__low",    "__high",  "__ballot",
                                             "__any",  "__all",  "__reduce", "__int2",  "__uint2"};
    static const char names[] =
        " exp expf __expf exp2f log logf __logf log2f sqrt sqrtf rsqrt rsqrtf "
        "sin sinf __sinf cos cosf __cosf tanh tanhf pow powf fma fmaf fmax "
        "fmaxf fmin fminf fabs fabsf erf erff ";
    char word[40];
    for (size_t i = 0; i < LW_COUNT(beginnings); i++)
        if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
            return true;
    snprintf(word, sizeof word, " %.36s ", name);
    return strstr(names, word) != NULL;
}

static struct lw_cuda_node *parse_call(struct parser *parser, const struct lw_cuda_token *name)
{
    const struct lw_cuda_type *cast = type_named(name->text);
    struct lw_cuda_type type;
    if (is(parser, "<")) { /* reinterpret_cast<float4 *>( */
        parser->at++;
        if (!parse_type(parser, &type) || !expect(parser, ">"))
            return NULL;
        cast = &type;
    }
    struct lw_cuda_node *node =
        new_node(parser, LW_CUDA_CALL, name->text, name->position, NULL, NULL);
    struct lw_cuda_node **argument[] = {&node->a, &node->b, &node->c, &node->body};
    size_t count = 0, known = 0;
    if (!node || !expect(parser, "("))
        return NULL;
    while (!is(parser, ")")) {
        struct lw_cuda_node *value = parse_expression(parser, 1);
        if (!value)
            return NULL;
        if (count < LW_COUNT(argument))
            *argument[count] = value;
        count++;
        if (!take(parser, ","))
            break;
    }
    if (!expect(parser, ")"))
        return NULL;
    if (cast && count == 1 && (cast == &type || cast->parts == 1))
        return cast_to(parser, cast, name->position, node->a);
    while (known < LW_COUNT(functions) && strcmp(functions[known].name, name->text) != 0)
        known++;
    if (known < LW_COUNT(functions)) {
        if (count >= (size_t)functions[known].least && count <= (size_t)functions[known].most)
            return node;
        lw_error_at(parser->err, LW_ERROR_SYNTAX, name->position,
                    "%.40s takes %d arguments, not %zu", name->text, functions[known].least, count);
        return NULL;
    }
    if ((!cast && !is_of_data(name->text)) || count > LW_COUNT(argument)) {
        lw_error_at(parser->err, LW_ERROR_SYNTAX, name->position,
                    "the function %.60s is not read: put what it does in its stead", name->text);
        return NULL;
    }
    return node;
}

/* `{...}` of a value: passed over. */
static struct lw_cuda_node *parse_braces(struct parser *parser)
{
    const struct lw_position where = parser->at->position;
    return skip_brackets(parser) ? new_node(parser, LW_CUDA_DATA, "", where, NULL, NULL) : NULL;
}

static struct lw_cuda_node *parse_sizeof(struct parser *parser)
{
    struct lw_cuda_node *node =
        new_node(parser, LW_CUDA_SIZEOF, "", parser->at++->position, NULL, NULL);
    if (!node || !expect(parser, "("))
        return NULL;
    if (starts_type(parser) ? !parse_type(parser, &node->type)
                            : !(node->a = parse_expression(parser, 1)))
        return NULL;
    return expect(parser, ")") ? node : NULL;
}

static struct lw_cuda_node *parse_primary(struct parser *parser)
{
    const struct lw_cuda_token *token = parser->at;
    struct lw_cuda_node *node;
    switch (token->kind) {
    case LW_CUDA_NUMBER:
        parser->at++;
        node = new_node(parser, LW_CUDA_CONSTANT, "", token->position, NULL, NULL);
        if (node) {
            node->value = token->value;
            node->is_unsigned = token->is_unsigned;
            node->is_long = token->is_long;
        }
        return node;
    case LW_CUDA_REAL:
        parser->at++;
        return new_node(parser, LW_CUDA_DATA, "", token->position, NULL, NULL);
    case LW_CUDA_NAME:
        return !strcmp(token->text, "sizeof") ? parse_sizeof(parser) : parse_name(parser);
    default:
        break;
    }
    if (take(parser, "(")) {
        node = parse_expression(parser, 0);
        return node && expect(parser, ")") ? node : NULL;
    }
    if (is(parser, "{"))
        return parse_braces(parser);
    lw_error_at(parser->err, LW_ERROR_SYNTAX, token->position, "expected a value, found %s%.40s%s",
                token->kind == LW_CUDA_END ? "the end" : "'", token->text,
                token->kind == LW_CUDA_END ? "" : "'");
    return NULL;
}

/* a.x, a.y, a.z, a.w of a vector. */
static struct lw_cuda_node *parse_part(struct parser *parser, struct lw_cuda_node *a)
{
    const struct lw_cuda_token *token = parser->at++;
    static const char parts[] = "xyzw";
    const char *part = strlen(token->text) == 1 ? strchr(parts, token->text[0]) : NULL;
    if (!part) {
        fail(parser, token->position, "expected x, y, z or w of a vector");
        return NULL;
    }
    struct lw_cuda_node *node = new_node(parser, LW_CUDA_PART, "", a->position, a, NULL);
    if (node)
        node->value = part - parts;
    return node;
}

static struct lw_cuda_node *parse_postfix(struct parser *parser)
{
    struct lw_cuda_node *node = parse_primary(parser);
    while (node) {
        const struct lw_position where = parser->at->position;
        const struct lw_cuda_token *open = parser->at;
        if (take(parser, "[")) {
            struct lw_cuda_node *index = parse_expression(parser, 0);
            node = index && expect(parser, "]")
                       ? new_node(parser, LW_CUDA_INDEX, "[", node->position, node, index)
                       : NULL;
            if (node)
                node->inside = between(open, parser->at - 1);
        } else if (take(parser, ".")) {
            node = parse_part(parser, node);
        } else if (is(parser, "++") || is(parser, "--")) {
            node = new_node(parser, LW_CUDA_UNARY, parser->at++->text, where, node, NULL);
            if (node)
                node->value = 1; /* after the operand */
        } else {
            return node;
        }
    }
    return NULL;
}

static struct lw_cuda_node *parse_unary(struct parser *parser)
{
    static const char *const signs[] = {"-", "+", "!", "~", "*", "&", "++", "--"};
    const struct lw_cuda_token *token = parser->at;
    struct lw_cuda_node *node = NULL;
    if (++parser->depth > DEPTH_MAX) {
        lw_error_at(parser->err, LW_ERROR_LIMIT, token->position, "nested more than %d deep",
                    DEPTH_MAX);
        return NULL;
    }
    size_t i = 0;
    while (i < LW_COUNT(signs) && (token->kind != LW_CUDA_SIGN || strcmp(signs[i], token->text)))
        i++;
    if (i < LW_COUNT(signs)) {
        parser->at++;
        struct lw_cuda_node *a = parse_unary(parser);
        node = a ? new_node(parser, LW_CUDA_UNARY, signs[i], token->position, a, NULL) : NULL;
    } else if (is(parser, "(") && parser->at[1].kind == LW_CUDA_NAME &&
               (is_type_word(parser->at[1].text) || !strcmp(parser->at[1].text, "const")) &&
               strcmp(parser->at[2].text, "(") != 0 &&
               !variable_named(parser, parser->at[1].text)) {
        struct lw_cuda_type type;
        parser->at++;
        if (parse_type(parser, &type) && expect(parser, ")"))
            node = cast_to(parser, &type, token->position, parse_unary(parser));
    } else {
        node = parse_postfix(parser);
    }
    parser->depth--;
    return node;
}

/* Binary operators by their order: 0 the comma, 1 assignments, 2 ?:, and so on. */
static int order_of(const struct lw_cuda_token *token)
{
    static const struct {
        const char *sign;
        int order;
    } signs[] = {{",", 0},  {"=", 1},  {"+=", 1}, {"-=", 1},  {"*=", 1},  {"/=", 1}, {"%=", 1},
                 {"&=", 1}, {"|=", 1}, {"^=", 1}, {"<<=", 1}, {">>=", 1}, {"?", 2},  {"||", 3},
                 {"&&", 4}, {"|", 5},  {"^", 6},  {"&", 7},   {"==", 8},  {"!=", 8}, {"<", 9},
                 {">", 9},  {"<=", 9}, {">=", 9}, {"<<", 10}, {">>", 10}, {"+", 11}, {"-", 11},
                 {"*", 12}, {"/", 12}, {"%", 12}};
    for (size_t i = 0; token->kind == LW_CUDA_SIGN && i < LW_COUNT(signs); i++)
        if (!strcmp(signs[i].sign, token->text))
            return signs[i].order;
    return -1;
}

/* Whether the next token is a name that is one side of an assignment and nothing else: then it is a value. */
static bool stands_alone(const struct parser *parser, bool is_left)
{
    const struct lw_cuda_token *after = parser->at + 1;
    if (parser->at->kind != LW_CUDA_NAME)
        return false;
    return is_left ? order_of(after) == 1
                   : after->kind == LW_CUDA_SIGN &&
                         (!strcmp(after->text, ";") || !strcmp(after->text, ",") ||
                          !strcmp(after->text, ")"));
}

static struct lw_cuda_node *parse_expression(struct parser *parser, int least)
{
    parser->alone = stands_alone(parser, true);
    struct lw_cuda_node *node = parse_unary(parser);
    parser->alone = false;
    while (node) {
        const struct lw_cuda_token *sign = parser->at;
        const int order = order_of(sign);
        if (order < least)
            return node;
        parser->at++;
        if (order == 2) {
            struct lw_cuda_node *yes = parse_expression(parser, 1);
            struct lw_cuda_node *no =
                yes && expect(parser, ":") ? parse_expression(parser, 2) : NULL;
            node = no ? new_node(parser, LW_CUDA_CHOICE, "?", sign->position, node, yes) : NULL;
            if (node)
                node->c = no;
            continue;
        }
        /* Assignments are made from right to left, the others from left to right. */
        struct lw_cuda_node *right = NULL;
        if (order == 1 && stands_alone(parser, false)) {
            parser->alone = true;
            right = parse_unary(parser);
            parser->alone = false;
        } else {
            right = parse_expression(parser, order == 1 ? 1 : order + 1);
        }
        node = right ? new_node(parser, LW_CUDA_BINARY, sign->text, sign->position, node, right)
                     : NULL;
    }
    return NULL;
}

/* ---- Statements ---- */

static bool parse_statements(struct parser *parser, struct lw_cuda_node **first);

/* Takes the threads of a block: from dim3(32, 8), the name of such a variable, or a number. */
static void set_block(struct parser *parser, struct lw_cuda_node *from)
{
    struct lw_cuda_node **block = parser->program->block;
    if (from->kind == LW_CUDA_VARIABLE && !strcmp(from->variable->type.name, "dim3")) {
        memcpy(block, from->variable->dims, 3 * sizeof *block);
    } else if (from->kind == LW_CUDA_CALL && !strcmp(from->name, "dim3")) {
        block[0] = from->a;
        block[1] = from->b;
        block[2] = from->c;
    } else {
        block[0] = from;
    }
}

/* The values of an array of constants, `= {3, 1, 4}`, which are known; NULL: its values are not numbers alone. */
static const struct lw_cuda_let *parse_values(struct parser *parser, const char *name)
{
    const struct lw_cuda_token *at = parser->at + 2; /* after = { */
    size_t count = 0;
    for (; at->kind == LW_CUDA_NUMBER || !strcmp(at->text, ",") || !strcmp(at->text, "-"); at++)
        count += at->kind == LW_CUDA_NUMBER;
    struct lw_cuda_let *let = allocate(parser, sizeof *let);
    int64_t *values = allocate(parser, (count + 1) * sizeof *values);
    if (!let || !values || !count || strcmp(at->text, "}") != 0)
        return NULL;
    *let = (struct lw_cuda_let){.name = name, .values = values, .is_array = true};
    for (at = parser->at + 2; strcmp(at->text, "}") != 0; at++)
        if (at->kind == LW_CUDA_NUMBER)
            values[let->count++] = strcmp(at[-1].text, "-") != 0 ? at->value : -at->value;
    return let;
}

/* One name of a declaration: `*name[N][M] = value`. */
static struct lw_cuda_node *parse_declarator(struct parser *parser,
                                             const struct specifiers *specifiers)
{
    struct lw_cuda_variable *variable = allocate(parser, sizeof *variable);
    struct lw_cuda_node *value = NULL;
    if (!variable)
        return NULL;
    variable->type = specifiers->type;
    variable->align = specifiers->align;
    while (is(parser, "*") || is(parser, "&") || is_qualifier(parser->at->text)) {
        variable->type.pointers += is(parser, "*");
        parser->at++;
    }
    variable->name = parser->at->text;
    variable->position = parser->at->position;
    if (parser->at->kind != LW_CUDA_NAME) {
        fail(parser, parser->at->position, "expected a name");
        return NULL;
    }
    parser->at++;
    for (const struct lw_cuda_token *open = parser->at; take(parser, "["); open = parser->at) {
        if (variable->rank == LW_CUDA_DIMS_MAX) {
            lw_error_at(parser->err, LW_ERROR_LIMIT, variable->position,
                        "an array has at most %d dims", LW_CUDA_DIMS_MAX);
            return NULL;
        }
        variable->is_array = true;
        if (!variable->rank && take(parser, "]")) {
            variable->has_no_length = true;
            break;
        }
        variable->dims[variable->rank] = parse_expression(parser, 1);
        if (!variable->dims[variable->rank++] || !expect(parser, "]"))
            return NULL;
        variable->last_dim = between(open, parser->at - 1);
    }
    variable->is_shared = variable->is_array && !specifiers->is_constant_memory &&
                          (specifiers->is_shared || parser->all_arrays_shared);
    variable->let = let_named(parser, variable->name);
    if (variable->let && !variable->let->is_array)
        variable->let = NULL;
    if (variable->is_array && variable->rank < 2 && !specifiers->is_shared &&
        variable->type.is_integer && is(parser, "=") && next_is(parser, "{") && !variable->let)
        variable->let = parse_values(parser, variable->name);
    if (variable->has_no_length && !variable->is_shared && !is(parser, "=")) {
        fail(parser, variable->position, "an array without a length is extern __shared__");
        return NULL;
    }
    if (take(parser, "=")) {
        parser->alone = stands_alone(parser, false);
        value = parser->alone ? parse_unary(parser) : parse_expression(parser, 1);
        parser->alone = false;
        if (!value)
            return NULL;
    } else if (is(parser, "{")) {
        value = parse_braces(parser);
    } else if (is(parser, "(") && !strcmp(variable->type.name, "dim3")) {
        const struct lw_cuda_token dim3 = {LW_CUDA_NAME, "dim3", 0,
                                           false,        false,  variable->position};
        value = parse_call(parser, &dim3);
    }
    if (value && !strcmp(variable->type.name, "dim3") && value->kind == LW_CUDA_CALL) {
        variable->dims[0] = value->a;
        variable->dims[1] = value->b;
        variable->dims[2] = value->c;
        if (!strstr(variable->name, "rid")) /* not the grid */
            set_block(parser, value);
    }
    struct lw_cuda_node *node =
        new_node(parser, LW_CUDA_DECLARE, "", variable->position, value, NULL);
    if (node)
        node->variable = variable;
    return node && declare(parser, variable) ? node : NULL;
}

static bool parse_declaration(struct parser *parser, struct lw_cuda_node **node)
{
    struct specifiers specifiers;
    if (!parse_specifiers(parser, &specifiers))
        return false;
    do {
        *node = parse_declarator(parser, &specifiers);
        if (!*node)
            return false;
        node = &(*node)->next;
    } while (take(parser, ","));
    return true;
}

static bool parse_statement(struct parser *parser, struct lw_cuda_node **node);

/* (init; condition; step) of a loop. */
static bool parse_for(struct parser *parser, struct lw_cuda_node *node)
{
    if (!expect(parser, "("))
        return false;
    if (!take(parser, ";")) {
        if (starts_type(parser) ? !parse_declaration(parser, &node->a)
                                : !(node->a = parse_expression(parser, 0)))
            return false;
        if (node->a->kind != LW_CUDA_DECLARE)
            node->a = new_node(parser, LW_CUDA_DO, "", node->a->position, node->a, NULL);
        if (!node->a || !expect(parser, ";"))
            return false;
    }
    if (!is(parser, ";") && !(node->b = parse_expression(parser, 0)))
        return false;
    if (!expect(parser, ";") || (!is(parser, ")") && !(node->c = parse_expression(parser, 0))))
        return false;
    return expect(parser, ")");
}

/* kernel<<<grid, block>>>(...): sets the block. */
static bool parse_launch(struct parser *parser)
{
    parser->at += 2;
    struct lw_cuda_node *grid = parse_expression(parser, 1);
    struct lw_cuda_node *block = grid && expect(parser, ",") ? parse_expression(parser, 1) : NULL;
    if (!block)
        return false;
    while (take(parser, ","))
        if (!parse_expression(parser, 1))
            return false;
    set_block(parser, block);
    return expect(parser, ">>>") && (!is(parser, "(") || skip_brackets(parser));
}

/* What is passed over: synchronisation, assertions, what belongs to cooperative groups. */
static bool is_passed_over(const struct parser *parser)
{
    const char *text = parser->at->text;
    return parser->at->kind == LW_CUDA_NAME &&
           (!strncmp(text, "__sync", 6) || !strncmp(text, "__threadfence", 13) ||
            !strncmp(text, "cg::", 4) || !strncmp(text, "cooperative_groups::", 20) ||
            !strcmp(text, "assert") || !strcmp(text, "static_assert") || !strcmp(text, "using") ||
            !strcmp(text, "namespace") || !strcmp(text, "typedef"));
}

static bool skip_statement(struct parser *parser)
{
    while (!is(parser, ";") && parser->at->kind != LW_CUDA_END)
        if (is(parser, "(") || is(parser, "{") || is(parser, "[")) {
            if (!skip_brackets(parser))
                return false;
        } else {
            parser->at++;
        }
    return true;
}

/* A statement that ends in a semicolon; *node stays NULL where it does nothing. */
static bool parse_simple(struct parser *parser, struct lw_cuda_node **node)
{
    const struct lw_cuda_token *token = parser->at;
    static const struct {
        const char *word;
        enum lw_cuda_node_kind kind;
    } words[] = {
        {"return", LW_CUDA_RETURN}, {"break", LW_CUDA_BREAK}, {"continue", LW_CUDA_CONTINUE}};
    for (size_t i = 0; i < LW_COUNT(words); i++)
        if (take(parser, words[i].word)) {
            *node = new_node(parser, words[i].kind, "", token->position, NULL, NULL);
            return *node && expect(parser, ";");
        }
    if (is(parser, ";") || is_passed_over(parser)) {
        if (!skip_statement(parser))
            return false;
    } else if (token->kind == LW_CUDA_NAME && next_is(parser, "<<<")) {
        if (!parse_launch(parser))
            return false;
    } else if (starts_type(parser)) {
        if (!parse_declaration(parser, node))
            return false;
    } else {
        struct lw_cuda_node *value = parse_expression(parser, 0);
        *node = value ? new_node(parser, LW_CUDA_DO, "", value->position, value, NULL) : NULL;
        if (!*node)
            return false;
        value->is_unused = true;
    }
    return parser->at->kind == LW_CUDA_END || expect(parser, ";");
}

static bool parse_block(struct parser *parser, struct lw_cuda_node **node)
{
    const int names = parser->name_count;
    *node = new_node(parser, LW_CUDA_BLOCK, "", parser->at->position, NULL, NULL);
    if (!*node || !expect(parser, "{") || !parse_statements(parser, &(*node)->a) ||
        !expect(parser, "}"))
        return false;
    parser->name_count = names;
    return true;
}

static bool parse_statement(struct parser *parser, struct lw_cuda_node **node)
{
    const struct lw_position where = parser->at->position;
    const int names = parser->name_count;
    bool good = true;
    *node = NULL;
    if (++parser->depth > DEPTH_MAX)
        return lw_error_at(parser->err, LW_ERROR_LIMIT, where, "nested more than %d deep",
                           DEPTH_MAX);
    if (is(parser, "{")) {
        good = parse_block(parser, node);
    } else if (take(parser, "if")) {
        take(parser, "constexpr");
        *node = new_node(parser, LW_CUDA_IF, "", where, NULL, NULL);
        good = *node && expect(parser, "(") && ((*node)->a = parse_expression(parser, 0)) &&
               expect(parser, ")") && parse_statement(parser, &(*node)->b) &&
               (!take(parser, "else") || parse_statement(parser, &(*node)->c));
    } else if (is(parser, "for") || is(parser, "while")) {
        *node = new_node(parser, LW_CUDA_LOOP, "", where, NULL, NULL);
        const bool is_for = parser->at++->text[0] == 'f';
        good = *node &&
               (is_for ? parse_for(parser, *node)
                       : expect(parser, "(") && ((*node)->b = parse_expression(parser, 0)) &&
                             expect(parser, ")")) &&
               parse_statement(parser, &(*node)->body);
        parser->name_count = names;
    } else if (is(parser, "do") || is(parser, "switch") || is(parser, "goto") ||
               is(parser, "asm") || is(parser, "struct") || is(parser, "class")) {
        good = lw_error_at(parser->err, LW_ERROR_SYNTAX, where,
                           "%.20s is not read: if, for and while are", parser->at->text);
    } else {
        good = parse_simple(parser, node);
    }
    parser->depth--;
    return good;
}

static bool parse_statements(struct parser *parser, struct lw_cuda_node **first)
{
    while (!is(parser, "}") && parser->at->kind != LW_CUDA_END) {
        if (!parse_statement(parser, first))
            return false;
        while (*first)
            first = &(*first)->next;
    }
    return true;
}

/* ---- Functions ---- */

/* The parameters of a kernel: pointers to global memory, and numbers, which need a value. */
static bool parse_parameters(struct parser *parser, struct lw_cuda_node ***end)
{
    if (!expect(parser, "("))
        return false;
    while (!is(parser, ")")) {
        struct specifiers specifiers;
        if (!parse_specifiers(parser, &specifiers))
            return false;
        struct lw_cuda_node *node = parse_declarator(parser, &specifiers);
        if (!node)
            return false;
        const struct lw_cuda_variable *variable = node->variable;
        if (!variable->type.pointers && !variable->is_array && variable->type.is_integer) {
            parser->name_count--; /* used, it is a name without a value */
        } else {
            **end = node;
            *end = &node->next;
        }
        if (!take(parser, ","))
            break;
    }
    return expect(parser, ")");
}

/* Whether a function begins here: words, a name, a bracket; *name: its name. */
static bool starts_function(const struct parser *parser, const struct lw_cuda_token **name)
{
    const struct lw_cuda_token *at = parser->at;
    while (at->kind == LW_CUDA_NAME || !strcmp(at->text, "*") || !strcmp(at->text, "&") ||
           !strcmp(at->text, "\"")) {
        if (!strcmp(at->text, "__launch_bounds__") || !strcmp(at->text, "__align__") ||
            !strcmp(at->text, "alignas"))
            at += 3; /* ( N */
        *name = at++;
        if (at->kind == LW_CUDA_SIGN && !strcmp(at->text, ",")) /* __launch_bounds__(N, M) */
            at += 2;
        if (at->kind == LW_CUDA_SIGN && !strcmp(at->text, ")"))
            at++;
    }
    return at > parser->at + 1 && at->kind == LW_CUDA_SIGN && !strcmp(at->text, "(") &&
           (*name)->kind == LW_CUDA_NAME;
}

static bool has_word(const struct lw_cuda_token *from, const struct lw_cuda_token *to,
                     const char *word)
{
    for (; from < to; from++)
        if (from->kind == LW_CUDA_NAME && !strcmp(from->text, word))
            return true;
    return false;
}

/* The kernel that is meant, and how many there are. */
static const char *kernel_of(const struct lw_cuda_token *tokens, size_t *count)
{
    const char *name = NULL;
    *count = 0;
    for (; tokens->kind != LW_CUDA_END; tokens++)
        if (tokens->kind == LW_CUDA_NAME && !strcmp(tokens->text, "__global__")) {
            while (tokens->kind != LW_CUDA_END && strcmp(tokens[1].text, "(") != 0)
                tokens++;
            if (!strcmp(tokens->text, "__launch_bounds__"))
                while (tokens->kind != LW_CUDA_END && strcmp(tokens->text, ")") != 0)
                    tokens++;
            while (tokens->kind != LW_CUDA_END && strcmp(tokens[1].text, "(") != 0)
                tokens++;
            name = tokens->text;
            ++*count;
            if (tokens->kind == LW_CUDA_END)
                break;
        }
    return name;
}

/* Constants outside of functions, and the body of one kernel; other functions are passed over. */
static bool parse_file(struct parser *parser, const char *kernel)
{
    struct lw_cuda_node **end = &parser->program->first;
    bool found = false;
    while (parser->at->kind != LW_CUDA_END) {
        const struct lw_cuda_token *name = NULL;
        if (is(parser, "template")) {
            while (parser->at->kind != LW_CUDA_END && !is(parser, ">"))
                parser->at++;
            take(parser, ">");
        } else if (is(parser, "extern") && parser->at[1].kind == LW_CUDA_REAL) {
            parser->at += 2; /* extern "C" */
        } else if (take(parser, "}") || take(parser, ";")) {
            continue;
        } else if (starts_function(parser, &name)) {
            const bool is_it =
                has_word(parser->at, name, "__global__") && !found && !strcmp(name->text, kernel);
            parser->at = name + 1;
            if (!is_it) {
                if (!skip_brackets(parser) || (is(parser, "{") && !skip_brackets(parser)))
                    return false;
                continue;
            }
            found = true;
            if (!parse_parameters(parser, &end) || !parse_block(parser, end))
                return false;
            end = &(*end)->next;
        } else if (!parse_statement(parser, end)) {
            return false;
        }
        while (*end)
            end = &(*end)->next;
    }
    return found || lw_error_set(parser->err, LW_ERROR_NAME, "there is no kernel '%.60s'", kernel);
}

/* ---- All ---- */

static bool parse(struct parser *parser)
{
    size_t kernels;
    const char *kernel = kernel_of(parser->at, &kernels);
    const struct lw_cuda_token *end = parser->at;
    while (end->kind != LW_CUDA_END)
        end++;
    parser->all_arrays_shared = !kernels && !has_word(parser->at, end, "__shared__");
    if (!kernels)
        return parse_statements(parser, &parser->program->first) &&
               (parser->at->kind == LW_CUDA_END || expect(parser, "a statement"));
    if (kernels > 1 && !parser->options->kernel)
        return lw_error_set(parser->err, LW_ERROR_NAME,
                            "there are %zu kernels: name one, as in file.cu:%.60s", kernels,
                            kernel);
    return parse_file(parser, parser->options->kernel ? parser->options->kernel : kernel);
}

bool lw_cuda_parse(struct lw_cuda_program *program, const struct lw_cuda_token *tokens,
                   struct lw_error *err)
{
    struct parser parser = {.arena = program->arena,
                            .options = program->options,
                            .program = program,
                            .at = tokens,
                            .err = err};
    bool good = parse(&parser);
    if (good && parser.unknown.length)
        good =
            lw_error_at(err, LW_ERROR_NAME, parser.first_unknown,
                        "without a value: %.300s; --let NAME=8 sets one, and arrays are declared "
                        "(float *name;)",
                        lw_text_string(&parser.unknown));
    lw_text_free(&parser.unknown);
    return good;
}
