/* A text of CUDA C++: its tokens, with macros replaced, and what is known of each word and sign by itself; then what is
 * given before it. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "notation/expression/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS_MAX = 8 };

/* ---- One token ---- */

/* Longer signs are before those that they begin with. */
static const struct lw_cuda_sign signs[] = {
    {"<<<", -1, LW_CUDA_NONE},    {">>>", -1, LW_CUDA_NONE},     {"<<=", 1, LW_CUDA_SHL},
    {">>=", 1, LW_CUDA_SHR},      {"++", -1, LW_CUDA_ADD},       {"--", -1, LW_CUDA_SUB},
    {"->", -1, LW_CUDA_NONE},     {"+=", 1, LW_CUDA_ADD},        {"-=", 1, LW_CUDA_SUB},
    {"*=", 1, LW_CUDA_MUL},       {"/=", 1, LW_CUDA_DIV},        {"%=", 1, LW_CUDA_REM},
    {"&=", 1, LW_CUDA_AND},       {"|=", 1, LW_CUDA_OR},         {"^=", 1, LW_CUDA_XOR},
    {"||", 3, LW_CUDA_CHOOSE},    {"&&", 4, LW_CUDA_CHOOSE},     {"==", 8, LW_CUDA_EQUAL},
    {"!=", 8, LW_CUDA_NOT_EQUAL}, {"<=", 9, LW_CUDA_LESS_EQUAL}, {">=", 9, LW_CUDA_GREATER_EQUAL},
    {"<<", 10, LW_CUDA_SHL},      {">>", 10, LW_CUDA_SHR},       {",", 0, LW_CUDA_NONE},
    {"=", 1, LW_CUDA_NONE},       {"?", 2, LW_CUDA_CHOOSE},      {"|", 5, LW_CUDA_OR},
    {"^", 6, LW_CUDA_XOR},        {"&", 7, LW_CUDA_AND},         {"<", 9, LW_CUDA_LESS},
    {">", 9, LW_CUDA_GREATER},    {"+", 11, LW_CUDA_ADD},        {"-", 11, LW_CUDA_SUB},
    {"*", 12, LW_CUDA_MUL},       {"/", 12, LW_CUDA_DIV},        {"%", 12, LW_CUDA_REM},
    {"~", -1, LW_CUDA_XOR},       {"!", -1, LW_CUDA_EQUAL},      {":", -1, LW_CUDA_NONE},
    {"(", -1, LW_CUDA_NONE},      {")", -1, LW_CUDA_NONE},       {"[", -1, LW_CUDA_NONE},
    {"]", -1, LW_CUDA_NONE},      {"{", -1, LW_CUDA_NONE},       {"}", -1, LW_CUDA_NONE},
    {";", -1, LW_CUDA_NONE},      {".", -1, LW_CUDA_NONE},       {"#", -1, LW_CUDA_NONE}};

/* A name for a text: a macro, whose parameters are in its text, or a parameter of one for its argument. */
struct macro {
    const struct macro *next;
    const char *name, *at, *end;
    bool takes;                /* it has parameters */
    const struct macro *scope; /* of an argument: the macros around it */
};

/* The tokens of a text, or of the text of a macro. */
struct scanner {
    struct lw_scan scan; /* in the text of a macro every position is that of its name */
    bool is_given;       /* it is before the text: line 0 */
    struct lw_text *tokens;
    size_t *scanned;                     /* bytes of all texts */
    const struct macro *macros, *around; /* that are replaced here, and in a macro */
};

static bool starts(const char *at, const char *end, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(end - at) >= length && !strncmp(at, text, length);
}

/* Passes over blanks and comments; stops at a comment that has no end. */
static void pass_blanks(struct lw_scan *scan)
{
    for (const char *from = NULL; from != scan->at;) {
        lw_scan_space(scan);
        from = scan->at;
        const char *close = from;
        if (starts(from, scan->end, "\\\n"))
            lw_scan_move(scan, from + 2);
        if (starts(from, scan->end, "/*"))
            for (close += 2; close < scan->end && !starts(close, scan->end, "*/");)
                close++;
        if (close < scan->end && close > from)
            lw_scan_move(scan, close + 2);
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* What is known of a number: an integer, with the type that it has by its suffix and size, or a real one. */
static bool read_number(struct lw_error *err, struct lw_cuda_token *token)
{
    const char *text = token->text;
    const bool is_hex = text[0] == '0' && tolower(text[1]) == 'x';
    char *end;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 0);
    const size_t suffix = strspn(end, "uUlL");
    const bool is_unsigned = strcspn(end, "uU") < suffix,
               is_long = strcspn(end, "lL") < suffix ||
                         value > (is_hex || is_unsigned ? UINT32_MAX : INT32_MAX),
               is_real = end[suffix] && (strchr(text, '.') || (!is_hex && strpbrk(text, "eEfF")));
    if (errno || (int64_t)value == LW_CUDA_UNKNOWN)
        return lw_error_at(err, LW_ERROR_LIMIT, token->position, "%.40s is more than 64 bits",
                           text);
    token->kind = is_real ? LW_CUDA_REAL : LW_CUDA_NUMBER;
    token->value = (int64_t)value;
    token->type = lw_cuda_integer(is_long ? 8 : 4, is_unsigned || token->value < 0 ||
                                                       (!is_long && value > INT32_MAX));
    return is_real || !end[suffix] ||
           lw_error_at(err, LW_ERROR_SYNTAX, token->position, "%.40s is no number", text);
}

/* The end of the token that begins at a byte: of a name, a number, a string or a sign; NULL: there is none. */
static const char *end_of(const char *from, const char *end, struct lw_cuda_token *token)
{
    static const char *const structs[] = {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."};
    const char *at = from + 1;
    if (isdigit((unsigned char)*from) ||
        (*from == '.' && at < end && isdigit((unsigned char)*at))) {
        const bool is_hex = *from == '0' && at < end && tolower(*at) == 'x';
        while (at < end && (is_name(*at) || *at == '.' ||
                            (!is_hex && strchr("+-", *at) && tolower(at[-1]) == 'e')))
            at++;
        token->kind = LW_CUDA_NUMBER;
    } else if (is_name(*from)) {
        for (size_t i = 0; i < LW_COUNT(structs); i++) /* threadIdx.x is one name */
            if (starts(from, end, structs[i]))
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
        size_t i = 0;
        while (i < LW_COUNT(signs) && !starts(from, end, signs[i].text))
            i++;
        token->kind = LW_CUDA_SIGN;
        token->sign = i < LW_COUNT(signs) ? &signs[i] : NULL;
        return token->sign ? from + strlen(token->sign->text) : NULL;
    }
    return at;
}

/* Reads one token; LW_CUDA_END at the end of the text. */
static bool read_one(struct scanner *scanner, struct lw_cuda_token *token)
{
    struct lw_scan *scan = &scanner->scan;
    pass_blanks(scan);
    const char *from = scan->at, *end = NULL;
    *token = (struct lw_cuda_token){.text = ""};
    token->position = scanner->is_given ? token->position : lw_scan_position(scan);
    if (from == scan->end)
        return true;
    if (!starts(from, scan->end, "/*"))
        end = end_of(from, scan->end, token);
    if (!scan->whole.line)
        token->position.length = end ? (int)(end - from) : 1;
    if (!end)
        return lw_error_at(
            scan->err, LW_ERROR_SYNTAX, token->position,
            strchr("/\"'", *from) ? "'%.1s' has no end" : "'%.1s' is not read in CUDA C++", from);
    scan->at = end;
    token->text =
        token->sign ? token->sign->text : lw_arena_string(scan->arena, from, (size_t)(end - from));
    if (!token->text)
        return lw_scan_out_of_memory(scan);
    if (token->kind == LW_CUDA_NAME) {
        token->is_type = lw_text_has_word("unsigned signed", token->text) ||
                         lw_cuda_type_named(token->text, NULL);
        token->is_qualifier = lw_text_has_word(
            "const constexpr static volatile __restrict__ __restrict inline __forceinline__ "
            "__noinline__ __host__ __shared__ extern __device__ __constant__ register __align__ "
            "alignas",
            token->text);
    }
    return token->kind != LW_CUDA_NUMBER || read_number(scan->err, token);
}

static bool is_word(const struct lw_cuda_token *token, const char *word)
{
    return !strcmp(token->text, word);
}

/* ---- Macros ---- */

/* A line that begins with #. Of #define: a name, perhaps with a bracket behind it, and the rest of the line. */
static bool read_directive(struct scanner *scanner)
{
    struct lw_scan *scan = &scanner->scan;
    struct lw_cuda_token token;
    struct macro *macro = lw_arena_alloc(scan->arena, sizeof *macro);
    if (!macro)
        return lw_scan_out_of_memory(scan);
    if (!read_one(scanner, &token))
        return false;
    const bool defines = is_word(&token, "define");
    if (!defines && !lw_text_has_word("include pragma", token.text))
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, token.position,
                           "#%.40s is not read: #define is; #include and #pragma are passed over",
                           token.text);
    if (defines && !read_one(scanner, &token))
        return false;
    macro->name = token.text;
    macro->next = scanner->macros;
    macro->takes = defines && starts(scan->at, scan->end, "(");
    macro->at = macro->end = scan->at;
    while (macro->end < scan->end && (*macro->end != '\n' || macro->end[-1] == '\\'))
        macro->end++;
    lw_scan_move(scan, macro->end);
    if (defines)
        scanner->macros = scanner->around = macro;
    return true;
}

static bool scan_text(struct scanner *scanner);

/* Reads the text of a macro in the stead of its name and, behind it, its arguments. */
static bool expand(struct scanner *scanner, const struct macro *macro, struct lw_position where)
{
    struct macro arguments[PARAMETERS_MAX];
    struct scanner inner = *scanner;
    struct lw_cuda_token token, parameter = {.text = ""};
    int count = 0;
    inner.scan.whole = where;
    inner.scan.at = macro->at;
    inner.scan.end = macro->end;
    inner.macros = macro->scope ? macro->scope : scanner->around;
    if (!lw_scan_enter(&inner.scan, where))
        return false;
    if (macro->takes && (!read_one(scanner, &token) || !read_one(&inner, &token))) /* brackets */
        return false;
    const char *from = scanner->scan.at; /* of an argument */
    for (int open = macro->takes; open && token.kind != LW_CUDA_END;) {
        const char *end = scanner->scan.at;
        if (!read_one(scanner, &token))
            return false;
        open += is_word(&token, "(") - is_word(&token, ")");
        if (open && (open > 1 || !is_word(&token, ",")))
            continue;
        if (is_word(&parameter, ")")) { /* one too many */
            parameter.text = "";
            break;
        }
        if (!read_one(&inner, &parameter))
            return false;
        if (parameter.kind == LW_CUDA_NAME && count < PARAMETERS_MAX) {
            arguments[count] =
                (struct macro){inner.macros, parameter.text, from, end, false, scanner->macros};
            inner.macros = &arguments[count++];
            if (!read_one(&inner, &parameter)) /* a comma, or the bracket */
                return false;
        }
        from = scanner->scan.at;
    }
    if (macro->takes && (token.kind == LW_CUDA_END || !is_word(&parameter, ")")))
        return lw_error_at(
            scanner->scan.err, LW_ERROR_SYNTAX, where,
            "expected the arguments of the macro %.40s, at most %d, and ) after them", macro->name,
            PARAMETERS_MAX);
    return scan_text(&inner);
}

/* Appends the tokens of a text, with macros replaced. A macro with parameters is a name where it has no arguments. */
static bool scan_text(struct scanner *scanner)
{
    struct lw_scan *scan = &scanner->scan;
    struct lw_cuda_token token;
    *scanner->scanned += (size_t)(scan->end - scan->at);
    for (int line = -1;; line = token.position.line) { /* of the token before */
        if (!read_one(scanner, &token))
            return false;
        if (*scanner->scanned > LW_CUDA_TEXT_MAX)
            return lw_error_at(scan->err, LW_ERROR_LIMIT, token.position,
                               "a text has at most %zu bytes, with macros replaced",
                               LW_CUDA_TEXT_MAX);
        if (token.kind == LW_CUDA_END)
            return true;
        const struct macro *macro = token.kind == LW_CUDA_NAME ? scanner->macros : NULL;
        while (macro && !is_word(&token, macro->name))
            macro = macro->next;
        if (macro && macro->takes) {
            pass_blanks(scan);
            macro = starts(scan->at, scan->end, "(") ? macro : NULL;
        }
        if (is_word(&token, "#") && token.position.line != line && !scan->whole.line) {
            if (!read_directive(scanner))
                return false;
        } else if (!macro) {
            lw_text_bytes(scanner->tokens, (const char *)&token, sizeof token);
        } else if (!expand(scanner, macro, token.position)) {
            return false;
        }
    }
}

/* ---- Reading ---- */

/* Appends a value of --let as C++: "N=1024" as `const auto N = 1024;`, "bins=[3, 1]" as `const int bins[] = {3, 1};`.
 * Numbers of a list may be separated by blanks alone. */
static bool put_let(struct lw_text *text, const char *let, struct lw_error *err)
{
    const size_t name = strcspn(let, "=");
    const char *at = let + name + (let[name] == '=');
    at += strspn(at, " ");
    const bool is_list = *at == '[';
    const size_t length = strspn(at + is_list, "-0123456789, \t\r\n");
    const char *end = at + is_list + length;
    lw_text_format(text, is_list ? "const int %.*s[] = {%.*s};\n" : "const auto %.*s = %.*s;\n",
                   (int)name, let, (int)length, at + is_list);
    end += is_list && *end == ']';
    return (length && !end[strspn(end, " \t\r\n")] && is_list == (end[-1] == ']')) ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "%.60s: expected NAME=NUMBER, or NAME=[NUMBER, ...] for an array", let);
}

/* Keeps the text, and the options with which it, or a changed one, is read again. */
static bool keep_input(struct lw_cuda *cuda, const char *text, size_t length,
                       const struct lw_cuda_options *options, struct lw_error *err)
{
    struct lw_arena *arena = &cuda->arena;
    struct lw_text given = {0};
    bool good = true, has_block = options->block[0] || options->block[1] || options->block[2];
    lw_text_add(&given, options->given ? options->given : "");
    for (int i = 0; i < 3 && has_block; i++)
        lw_text_format(&given,
                       i == 0   ? "dim3 block(%llu, "
                       : i == 1 ? "%llu, "
                                : "%llu);\n",
                       (unsigned long long)(options->block[i] ? options->block[i] : 1));
    for (size_t i = 0; i < options->let_count && good; i++)
        good = put_let(&given, options->lets[i], err);
    cuda->options.given = lw_arena_string(arena, lw_text_string(&given), given.length);
    if (options->kernel)
        cuda->options.kernel = lw_arena_string(arena, options->kernel, strlen(options->kernel));
    cuda->options.work = options->work;
    cuda->text = lw_arena_string(arena, text, length);
    cuda->length = length;
    lw_text_free(&given);
    if (good && (arena->failed || arena->full))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    return good;
}

bool lw_cuda_tokens(struct lw_cuda *cuda, const char *text, size_t length,
                    const struct lw_cuda_options *options, struct lw_cuda_token **tokens,
                    struct lw_error *err)
{
    struct lw_text list = {0};
    struct lw_cuda_token end = {.text = ""};
    size_t scanned = 0;
    struct scanner scanner = {.tokens = &list, .scanned = &scanned};
    if (!keep_input(cuda, text, length, options, err))
        return false;
    bool good = true;
    lw_text_bytes(&list, (const char *)&end, sizeof end);
    for (int part = 0; part < 2 && good; part++) {
        /* Names of arrays are in the text's tokens: they are kept in the arena of the result. */
        lw_scan_begin(&scanner.scan, &cuda->arena, part ? text : cuda->options.given,
                      part ? length : strlen(cuda->options.given), err);
        scanner.scan.cpp = true;
        scanner.is_given = !part;
        good = scan_text(&scanner) && read_one(&scanner, &end);
    }
    for (int i = 0; i < 2; i++)
        lw_text_bytes(&list, (const char *)&end, sizeof end);
    *tokens = lw_arena_alloc(&cuda->arena, list.length);
    if (good && (list.failed || !*tokens))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        memcpy((*tokens)++, lw_text_string(&list), list.length);
    lw_text_free(&list);
    return good;
}

bool lw_cuda_is(const char *text, size_t length)
{
    static const char *const words[] = {"__shared__", "__global__", "threadIdx", "blockDim"};
    static const char *const begins[] = {"#define ", "#include", "#pragma", "template", "extern "};
    const char *const end = text + length;
    struct lw_arena arena = {0};
    struct lw_error err;
    struct lw_cuda_token token;
    struct scanner scanner = {.is_given = true};
    lw_scan_begin(&scanner.scan, &arena, text, length, &err);
    scanner.scan.cpp = true;
    pass_blanks(&scanner.scan);
    const char *const first = scanner.scan.at;
    if (first < end && *first == '{') /* a document, which may have CUDA C++ in it */
        return false;
    for (size_t i = 0; i < LW_COUNT(begins); i++)
        if (starts(first, end, begins[i]))
            return true;
    for (const char *from = first; from < end; from++)
        for (size_t i = 0; i < LW_COUNT(words); i++)
            if (starts(from, end, words[i]))
                return true;
    const bool declares = read_one(&scanner, &token) && (token.is_type || token.is_qualifier) &&
                          !is_word(&token, "auto");
    lw_arena_free(&arena);
    return declares && scanner.scan.at < end && strchr(" *", *scanner.scan.at) &&
           (memchr(text, ';', length) || memchr(text, '[', length));
}
