/* A text of CUDA C++: its tokens, with macros replaced, and what is known of each word and sign by itself; then what is
 * given before it. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 18, DEPTH_MAX = 32, PARAMETERS_MAX = 8 };

/* ---- One token ---- */

static const struct lw_cuda_sign signs[] = {
    {"<<<", -1, LW_CUDA_NONE},     {">>>", -1, LW_CUDA_NONE},      {"++", -1, LW_CUDA_ADD},
    {"--", -1, LW_CUDA_SUB},       {"->", -1, LW_CUDA_NONE},       {"~", -1, LW_CUDA_NONE},
    {"!", -1, LW_CUDA_NONE},       {":", -1, LW_CUDA_NONE},        {"(", -1, LW_CUDA_NONE},
    {")", -1, LW_CUDA_NONE},       {"[", -1, LW_CUDA_NONE},        {"]", -1, LW_CUDA_NONE},
    {"{", -1, LW_CUDA_NONE},       {"}", -1, LW_CUDA_NONE},        {";", -1, LW_CUDA_NONE},
    {".", -1, LW_CUDA_NONE},       {"#", -1, LW_CUDA_NONE},        {",", 0, LW_CUDA_COMMA},
    {"<<=", 1, LW_CUDA_SHL},       {">>=", 1, LW_CUDA_SHR},        {"+=", 1, LW_CUDA_ADD},
    {"-=", 1, LW_CUDA_SUB},        {"*=", 1, LW_CUDA_MUL},         {"/=", 1, LW_CUDA_DIV},
    {"%=", 1, LW_CUDA_REM},        {"&=", 1, LW_CUDA_AND},         {"|=", 1, LW_CUDA_OR},
    {"^=", 1, LW_CUDA_XOR},        {"=", 1, LW_CUDA_NONE},         {"?", 2, LW_CUDA_CHOOSE},
    {"||", 3, LW_CUDA_LOGICAL_OR}, {"&&", 4, LW_CUDA_LOGICAL_AND}, {"|", 5, LW_CUDA_OR},
    {"^", 6, LW_CUDA_XOR},         {"&", 7, LW_CUDA_AND},          {"==", 8, LW_CUDA_EQUAL},
    {"!=", 8, LW_CUDA_NOT_EQUAL},  {"<=", 9, LW_CUDA_LESS_EQUAL},  {">=", 9, LW_CUDA_GREATER_EQUAL},
    {"<", 9, LW_CUDA_LESS},        {">", 9, LW_CUDA_GREATER},      {"<<", 10, LW_CUDA_SHL},
    {">>", 10, LW_CUDA_SHR},       {"+", 11, LW_CUDA_ADD},         {"-", 11, LW_CUDA_SUB},
    {"*", 12, LW_CUDA_MUL},        {"/", 12, LW_CUDA_DIV},         {"%", 12, LW_CUDA_REM}};

struct list {
    struct lw_cuda_token *token;
    size_t count, room;
};

struct macro {
    struct macro *next;
    const char *name;
    bool takes; /* it has parameters */
    const char *parameters[PARAMETERS_MAX];
    int count;
    struct list body;
};

struct scanner {
    struct lw_arena *arena;
    const char *at, *end, *line_start;
    int line;
    size_t made; /* tokens of all lists */
    struct macro *macros;
    struct lw_error *err;
};

static bool append(struct scanner *scanner, struct list *list, const struct lw_cuda_token *token)
{
    if (++scanner->made > TOKENS_MAX)
        return lw_error_at(scanner->err, LW_ERROR_LIMIT, token->position,
                           "more than %d tokens, with macros replaced", TOKENS_MAX);
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        struct lw_cuda_token *more = lw_arena_alloc(scanner->arena, room * sizeof *more);
        if (!more)
            return lw_error_set(scanner->err, LW_ERROR_MEMORY, "out of memory");
        if (list->count)
            memcpy(more, list->token, list->count * sizeof *more);
        list->token = more;
        list->room = room;
    }
    list->token[list->count++] = *token;
    return true;
}

static bool starts(const char *at, const char *end, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(end - at) >= length && !strncmp(at, text, length);
}

/* What is after blanks and comments; with `one_line` not beyond the end of the line. */
static const char *skip(const char *at, const char *end, bool one_line)
{
    for (;;) {
        if (starts(at, end, "\\\n")) {
            at += 2;
        } else if (at < end && isspace((unsigned char)*at) && !(one_line && *at == '\n')) {
            at++;
        } else if (starts(at, end, "//")) {
            while (at < end && *at != '\n')
                at++;
        } else if (starts(at, end, "/*")) {
            const char *close = at + 2;
            while (close < end && !starts(close, end, "*/"))
                close++;
            if (close == end)
                return at;
            at = close + 2;
        } else {
            return at;
        }
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* What is known of a number: an integer, with its suffix, or a real one. */
static bool read_number(struct scanner *scanner, struct lw_cuda_token *token)
{
    const char *text = token->text;
    const bool is_hex = text[0] == '0' && tolower(text[1]) == 'x';
    char *end;
    errno = 0;
    token->kind = LW_CUDA_NUMBER;
    token->value = (int64_t)strtoull(text, &end, 0);
    if (errno || token->value == LW_CUDA_UNKNOWN)
        return lw_error_at(scanner->err, LW_ERROR_LIMIT, token->position,
                           "%.40s is more than 64 bits", text);
    for (; *end && strchr("uUlL", *end); end++) {
        token->is_unsigned = token->is_unsigned || tolower(*end) == 'u';
        token->is_long = token->is_long || tolower(*end) == 'l';
    }
    if (*end && (strchr(text, '.') || (!is_hex && strpbrk(text, "eEfF"))))
        token->kind = LW_CUDA_REAL;
    else if (*end)
        return lw_error_at(scanner->err, LW_ERROR_SYNTAX, token->position, "%.40s is no number",
                           text);
    token->is_long = token->is_long || (uint64_t)token->value > UINT32_MAX;
    token->is_unsigned = token->is_unsigned || token->value < 0 ||
                         (!token->is_long && token->value > INT32_MAX && is_hex);
    token->is_long = token->is_long || (!token->is_unsigned && token->value > INT32_MAX);
    return true;
}

static const char *const structs[] = {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."};

/* The end of the token that begins at a byte: of a name, a number, a string or a sign; NULL: there is none. */
static const char *end_of(const struct scanner *scanner, struct lw_cuda_token *token)
{
    const char *from = scanner->at, *end = scanner->end, *at = from + 1;
    if (isdigit((unsigned char)*from) ||
        (*from == '.' && at < end && isdigit((unsigned char)*at))) {
        const bool is_hex = *from == '0' && at < end && tolower(*at) == 'x';
        while (at < end && (is_name(*at) || *at == '.' ||
                            (!is_hex && strchr("+-", *at) && tolower(at[-1]) == 'e')))
            at++;
        token->kind = LW_CUDA_NUMBER;
    } else if (is_name(*from)) {
        for (size_t i = 0; i < LW_COUNT(structs); i++) /* threadIdx.x is one name */
            if (starts(from, end, structs[i]) && end - from > (ptrdiff_t)strlen(structs[i]))
                at = from + strlen(structs[i]);
        while (at < end &&
               (is_name(*at) || (starts(at, end, "::") && end - at > 2 && is_name(at[2]))))
            at += *at == ':' ? 2 : 1;
        token->kind = LW_CUDA_NAME;
    } else if (*from == '"' || *from == '\'') {
        while (at < end && *at != *from && *at != '\n')
            at += *at == '\\' && end - at > 1 ? 2 : 1;
        token->kind = LW_CUDA_REAL;
        return at < end && *at == *from ? at + 1 : NULL;
    } else {
        token->kind = LW_CUDA_SIGN;
        for (size_t i = 0; i < LW_COUNT(signs); i++)
            if (starts(from, end, signs[i].text) &&
                (!token->sign || strlen(signs[i].text) > strlen(token->sign->text)))
                token->sign = &signs[i];
        return token->sign ? from + strlen(token->sign->text) : NULL;
    }
    return at;
}

/* Reads one token; LW_CUDA_END at the end of the text, or of the line. */
static bool read_one(struct scanner *scanner, struct lw_cuda_token *token, bool one_line)
{
    const char *from = skip(scanner->at, scanner->end, one_line);
    *token = (struct lw_cuda_token){.text = ""};
    for (; scanner->at < from; scanner->at++)
        if (*scanner->at == '\n') {
            scanner->line += scanner->line > 0; /* what is given is line 0 */
            scanner->line_start = scanner->at + 1;
        }
    token->position = (struct lw_position){scanner->line, (int)(from - scanner->line_start) + 1, 0};
    if (from >= scanner->end || *from == '\n')
        return true;
    const char *end = starts(from, scanner->end, "/*") ? NULL : end_of(scanner, token);
    token->position.length = end ? (int)(end - from) : 1;
    if (!end)
        return strchr("/\"'", *from)
                   ? lw_error_at(scanner->err, LW_ERROR_SYNTAX, token->position, "this has no end")
                   : lw_error_at(scanner->err, LW_ERROR_SYNTAX, token->position,
                                 "'%.1s' is not read in CUDA C++", from);
    scanner->at = end;
    token->text = token->sign ? token->sign->text
                              : lw_arena_string(scanner->arena, from, (size_t)(end - from));
    if (!token->text)
        return lw_error_set(scanner->err, LW_ERROR_MEMORY, "out of memory");
    if (token->kind == LW_CUDA_NAME) {
        token->is_type = lw_text_has_word("unsigned signed", token->text) ||
                         lw_cuda_type_named(token->text, NULL);
        token->is_qualifier = lw_text_has_word(
            "const constexpr static volatile __restrict__ __restrict inline __forceinline__ "
            "__noinline__ __host__ __shared__ extern __device__ __constant__ register __align__ "
            "alignas",
            token->text);
    }
    return token->kind != LW_CUDA_NUMBER || read_number(scanner, token);
}

static bool is_sign(const struct lw_cuda_token *token, const char *sign)
{
    return token->sign && !strcmp(token->text, sign);
}

/* ---- Macros ---- */

static struct macro *macro_of(const struct scanner *scanner, const struct lw_cuda_token *token)
{
    struct macro *macro = token->kind == LW_CUDA_NAME ? scanner->macros : NULL;
    while (macro && strcmp(macro->name, token->text) != 0)
        macro = macro->next;
    return macro;
}

/* What is after #define: a name, `(a, b)` directly behind it, and the tokens up to the end of the line. */
static bool define(struct scanner *scanner)
{
    struct lw_cuda_token token;
    struct macro *macro = lw_arena_alloc(scanner->arena, sizeof *macro);
    if (!macro)
        return lw_error_set(scanner->err, LW_ERROR_MEMORY, "out of memory");
    if (!read_one(scanner, &token, true))
        return false;
    if (token.kind != LW_CUDA_NAME)
        return lw_error_at(scanner->err, LW_ERROR_SYNTAX, token.position,
                           "expected the name of a macro");
    *macro = (struct macro){.next = scanner->macros, .name = token.text};
    macro->takes = starts(scanner->at, scanner->end, "(");
    if (macro->takes && !read_one(scanner, &token, true))
        return false;
    while (macro->takes && !is_sign(&token, ")")) { /* it is ( or a comma */
        if (!read_one(scanner, &token, true))
            return false;
        if (is_sign(&token, ")") && !macro->count)
            break;
        if (token.kind != LW_CUDA_NAME || macro->count == PARAMETERS_MAX)
            return lw_error_at(scanner->err, LW_ERROR_SYNTAX, token.position,
                               "expected the name of a parameter, of at most %d, or )",
                               PARAMETERS_MAX);
        macro->parameters[macro->count++] = token.text;
        if (!read_one(scanner, &token, true))
            return false;
        if (!is_sign(&token, ",") && !is_sign(&token, ")"))
            return lw_error_at(scanner->err, LW_ERROR_SYNTAX, token.position, "expected , or )");
    }
    do {
        if (!read_one(scanner, &token, true))
            return false;
        if (is_sign(&token, "#"))
            return lw_error_at(scanner->err, LW_ERROR_SYNTAX, token.position,
                               "# of macros is not read");
        if (token.kind != LW_CUDA_END && !append(scanner, &macro->body, &token))
            return false;
    } while (token.kind != LW_CUDA_END);
    scanner->macros = macro;
    return true;
}

/* A line that begins with #. */
static bool read_directive(struct scanner *scanner)
{
    struct lw_cuda_token name;
    if (!read_one(scanner, &name, true))
        return false;
    if (!strcmp(name.text, "define"))
        return define(scanner);
    if (strcmp(name.text, "include") != 0 && strcmp(name.text, "pragma") != 0)
        return lw_error_at(scanner->err, LW_ERROR_SYNTAX, name.position,
                           "#%.40s is not read: #define is; #include and #pragma are passed over",
                           name.text);
    while (scanner->at < scanner->end && *scanner->at != '\n')
        scanner->at++;
    return true;
}

/* Finds the arguments of a macro, at their bracket; returns how many tokens they are, with brackets; 0: it fails. */
static size_t find_arguments(struct scanner *scanner, const struct macro *macro, struct list from,
                             struct list arguments[PARAMETERS_MAX])
{
    int open = 0, count = 0;
    for (size_t i = 0, begin = 1; i < from.count; i++) {
        const struct lw_cuda_token *token = &from.token[i];
        open += is_sign(token, "(") - is_sign(token, ")");
        if ((open == 1 && is_sign(token, ",")) || open == 0) {
            if (count < PARAMETERS_MAX)
                arguments[count] = (struct list){.token = from.token + begin, .count = i - begin};
            count++;
            begin = i + 1;
        }
        if (open)
            continue;
        if (count == macro->count || (i == 1 && !macro->count))
            return i + 1;
        break;
    }
    lw_error_at(scanner->err, LW_ERROR_SYNTAX, from.token[0].position,
                "the macro %.40s takes %d arguments, and ) after them", macro->name, macro->count);
    return 0;
}

/* Appends a list of tokens with macros replaced; `where`: the position that they have, NULL: their own. */
static bool expand(struct scanner *scanner, struct list *out, struct list from,
                   const struct lw_position *where, int depth)
{
    for (size_t i = 0; i < from.count; i++) {
        struct lw_cuda_token token = from.token[i];
        const struct macro *macro = macro_of(scanner, &token);
        const struct list after = {.token = from.token + i + 1, .count = from.count - i - 1};
        struct list arguments[PARAMETERS_MAX], body = {0};
        token.position = where ? *where : token.position;
        /* A macro with parameters is a name where it has no arguments. */
        if (!macro || (macro->takes && (!after.count || !is_sign(after.token, "(")))) {
            if (!append(scanner, out, &token))
                return false;
            continue;
        }
        if (depth >= DEPTH_MAX)
            return lw_error_at(scanner->err, LW_ERROR_LIMIT, token.position,
                               "macros are nested more than %d deep", DEPTH_MAX);
        const size_t used = macro->takes ? find_arguments(scanner, macro, after, arguments) : 0;
        if (macro->takes && !used)
            return false;
        for (size_t k = 0; k < macro->body.count; k++) {
            const struct list one = {.token = &macro->body.token[k], .count = 1};
            int p = 0;
            while (p < macro->count && (one.token->kind != LW_CUDA_NAME ||
                                        strcmp(macro->parameters[p], one.token->text) != 0))
                p++;
            const struct list *part = p < macro->count ? &arguments[p] : &one;
            for (size_t j = 0; j < part->count; j++)
                if (!append(scanner, &body, &part->token[j]))
                    return false;
        }
        if (!expand(scanner, out, body, &token.position, depth + 1))
            return false;
        i += used;
    }
    return true;
}

/* Splits a text into tokens in an arena, with macros replaced; the last one is LW_CUDA_END. First are those of what is
 * given before the text, in line 0. */
static bool split(struct lw_arena *arena, const char *given, const char *text, size_t length,
                  struct lw_cuda_token **tokens, struct lw_error *err)
{
    struct scanner scanner = {.arena = arena, .err = err};
    struct lw_cuda_token token;
    struct list raw = {0}, all = {0};
    for (int part = 0; part < 2; part++) {
        scanner.at = scanner.line_start = part ? text : given;
        scanner.end = scanner.at + (part ? length : strlen(given));
        scanner.line = part;
        for (int line = 0;; line = token.position.line) { /* of the token before */
            if (!read_one(&scanner, &token, false))
                return false;
            if (token.kind == LW_CUDA_END)
                break;
            const bool is_directive = is_sign(&token, "#") && token.position.line != line;
            if (!(is_directive ? read_directive(&scanner) : append(&scanner, &raw, &token)))
                return false;
        }
    }
    /* Before the first one, and after the last one, is an end too. */
    token = (struct lw_cuda_token){.text = "", .position = token.position};
    if (!append(&scanner, &all, &token) || !append(&scanner, &raw, &token) ||
        !expand(&scanner, &all, raw, NULL, 0) || !append(&scanner, &all, &token) ||
        !append(&scanner, &all, &token))
        return false;
    *tokens = all.token + 1;
    return true;
}

struct lw_cuda_token *lw_cuda_function_name(struct lw_cuda_token *at)
{
    struct lw_cuda_token *from = at, *name = NULL;
    for (int open = 0; at->kind != LW_CUDA_END && strcmp(from->text, "dim3") != 0; at++) {
        if (name && (open || is_sign(at, "("))) {
            open += is_sign(at, "(") - is_sign(at, ")");
            if (!open && !lw_text_has_word("__launch_bounds__ __align__ alignas", name->text))
                return name > from && (is_sign(at + 1, "{") || is_sign(at + 1, ";")) ? name : NULL;
        } else if (at->kind == LW_CUDA_NAME) {
            name = at;
        } else if (!is_sign(at, "*") && !is_sign(at, "&") && at->kind != LW_CUDA_REAL) {
            return NULL;
        }
    }
    return NULL;
}

bool lw_cuda_is_launch(const struct lw_cuda_token *name)
{
    const struct lw_cuda_token *at = name + 1;
    if (is_sign(at, "<"))
        while (at->kind != LW_CUDA_END && !lw_text_has_word("<<< ; { }", at->text))
            at++;
    return is_sign(at, "<<<");
}

/* ---- Reading ---- */

/* Appends a value of --let as C++: "N=1024" as `const auto N = 1024;`, "bins=[3, 1]" as
 * `const int bins[] = {3,1,};`. */
static bool put_let(struct lw_text *text, const char *let, struct lw_error *err)
{
    const char *equals = strchr(let, '='), *at = equals ? equals + 1 + strspn(equals + 1, " ") : "";
    const bool is_array = *at == '[';
    bool good = true;
    lw_text_format(text, is_array ? "const int %.*s[] = {" : "const auto %.*s = ",
                   equals ? (int)(equals - let) : 0, let);
    at += is_array;
    do {
        char *end;
        errno = 0;
        const long long number = strtoll(at, &end, 0);
        good = good && end != at && !errno;
        lw_text_format(text, is_array ? "%lld," : "%lld", number);
        at = end + strspn(end, " ,\t\r\n");
    } while (good && is_array && *at && *at != ']');
    lw_text_add(text, is_array ? "};\n" : ";\n");
    good =
        good && *at == (is_array ? ']' : '\0') && !at[is_array + strspn(at + is_array, " \t\r\n")];
    return good ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "%.60s: expected NAME=NUMBER, or NAME=[NUMBER, ...] for an array", let);
}

/* Whether each name with a value is in the text. */
static bool check_lets(const struct lw_cuda_options *options, const struct lw_cuda_token *token,
                       struct lw_error *err)
{
    while (token->kind != LW_CUDA_END && !token->position.line)
        token++;
    for (size_t i = 0; i < options->let_count; i++) {
        const size_t length = strcspn(options->lets[i], "=");
        const struct lw_cuda_token *at = token;
        while (at->kind != LW_CUDA_END &&
               (strncmp(at->text, options->lets[i], length) != 0 || at->text[length]))
            at++;
        if (at->kind == LW_CUDA_END)
            return lw_error_set(err, LW_ERROR_NAME, "--let %.60s: the text has no name '%.*s'",
                                options->lets[i], (int)(length < 40 ? length : 40),
                                options->lets[i]);
    }
    return true;
}

/* Keeps the text, and the options with which it, or a changed one, is read again. */
static bool keep_input(struct lw_cuda *cuda, const char *text, size_t length,
                       const struct lw_cuda_options *options, struct lw_error *err)
{
    const uint64_t *block = options->block;
    const char *kernel = options->kernel;
    struct lw_text given = {0};
    bool good = true;
    lw_text_add(&given, options->given ? options->given : "");
    if (block[0] || block[1] || block[2])
        lw_text_format(&given, "dim3 block(%llu, %llu, %llu);\n",
                       (unsigned long long)(block[0] ? block[0] : 1),
                       (unsigned long long)(block[1] ? block[1] : 1),
                       (unsigned long long)(block[2] ? block[2] : 1));
    for (size_t i = 0; i < options->let_count && good; i++)
        good = put_let(&given, options->lets[i], err);
    cuda->options.given = lw_arena_string(&cuda->arena, lw_text_string(&given), given.length);
    cuda->options.kernel = kernel ? lw_arena_string(&cuda->arena, kernel, strlen(kernel)) : NULL;
    cuda->options.work = options->work;
    cuda->text = lw_arena_string(&cuda->arena, text, length);
    cuda->length = length;
    if (good &&
        (given.failed || !cuda->options.given || !cuda->options.kernel != !kernel || !cuda->text))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_text_free(&given);
    return good;
}

bool lw_cuda_tokens(struct lw_cuda *cuda, const char *text, size_t length,
                    const struct lw_cuda_options *options, struct lw_cuda_token **tokens,
                    struct lw_error *err)
{
    if (length > LW_CUDA_TEXT_MAX)
        return lw_error_set(err, LW_ERROR_LIMIT, "a text has at most %zu bytes", LW_CUDA_TEXT_MAX);
    /* Names of arrays are in the text's tokens: they are kept in the arena of the result. */
    return keep_input(cuda, text, length, options, err) &&
           split(&cuda->arena, cuda->options.given, text, length, tokens, err) &&
           check_lets(options, *tokens, err);
}

bool lw_cuda_is(const char *text, size_t length)
{
    static const char *const words[] = {"__shared__", "__global__", "threadIdx", "blockDim"};
    static const char *const begins[] = {"#define ", "#include", "#pragma", "template", "extern "};
    const char *const end = text + length, *const first = skip(text, end, false);
    struct lw_arena arena = {0};
    struct lw_error err;
    struct lw_cuda_token token;
    struct scanner scanner = {
        .arena = &arena, .at = first, .end = end, .line_start = first, .err = &err};
    if (first < end && *first == '{') /* a document, which may have CUDA C++ in it */
        return false;
    for (size_t i = 0; i < LW_COUNT(begins); i++)
        if (starts(first, end, begins[i]))
            return true;
    for (const char *at = first; at < end; at++)
        for (size_t i = 0; i < LW_COUNT(words); i++)
            if (starts(at, end, words[i]))
                return true;
    const bool declares = read_one(&scanner, &token, false) &&
                          (token.is_type || token.is_qualifier) && strcmp(token.text, "auto") != 0;
    lw_arena_free(&arena);
    return declares && scanner.at < end && strchr(" *", *scanner.at) &&
           (memchr(text, ';', length) || memchr(text, '[', length));
}
