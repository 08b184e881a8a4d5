/* A text of CUDA C++: its tokens, with macros replaced, and what is known of each word and sign by itself. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "notation/expression/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_MAX = 1024 }; /* tokens of a function before its body */

/* ---- Words ---- */

/* Longer signs are before those that they begin with. */
static const struct lw_cuda_sign signs[] = {
    {"<<<", -1, 0},  {">>>", -1, 0},  {"<<=", 1, 'L'}, {">>=", 1, 'R'}, {"++", -1, '+'},
    {"--", -1, '-'}, {"->", -1, 0},   {"+=", 1, '+'},  {"-=", 1, '-'},  {"*=", 1, '*'},
    {"/=", 1, '/'},  {"%=", 1, '%'},  {"&=", 1, '&'},  {"|=", 1, '|'},  {"^=", 1, '^'},
    {"||", 3, '?'},  {"&&", 4, '?'},  {"==", 8, '='},  {"!=", 8, '!'},  {"<=", 9, 'l'},
    {">=", 9, 'g'},  {"<<", 10, 'L'}, {">>", 10, 'R'}, {",", 0, 0},     {"=", 1, 0},
    {"?", 2, '?'},   {"|", 5, '|'},   {"^", 6, '^'},   {"&", 7, '&'},   {"<", 9, '<'},
    {">", 9, '>'},   {"+", 11, '+'},  {"-", 11, '-'},  {"*", 12, '*'},  {"/", 12, '/'},
    {"%", 12, '%'},  {"~", -1, '^'},  {"!", -1, '='},  {":", -1, 0},    {"(", -1, 0},
    {")", -1, 0},    {"[", -1, 0},    {"]", -1, 0},    {"{", -1, 0},    {"}", -1, 0},
    {";", -1, 0},    {".", -1, 0},    {"#", -1, 0}};

static const struct lw_cuda_type types[] = {
    {"void", 0, false, false, false},
    {"char int8_t", 1, true, false, false},
    {"uint8_t", 1, true, true, false},
    {"short int16_t", 2, true, false, false},
    {"uint16_t", 2, true, true, false},
    {"int int32_t signed", 4, true, false, false},
    {"uint uint32_t unsigned", 4, true, true, false},
    {"long int64_t", 8, true, false, false},
    {"uint64_t size_t", 8, true, true, false},
    {"__nv_fp8_e4m3 __nv_fp8_e5m2", 1, false, false, false},
    {"half __half __nv_bfloat16", 2, false, false, false},
    {"float half2 __half2 __nv_bfloat162 char4 uchar4", 4, false, false, false},
    {"double int2 uint2 float2", 8, false, false, false},
    {"int4 uint4 float4 double2 longlong2", 16, false, false, false},
};

static const char qualifiers[] =
    "const constexpr static volatile __restrict__ __restrict inline __forceinline__ __host__ "
    "__shared__ extern __device__ __global__ __constant__ __align__ alignas";

/* ---- One token ---- */

/* A name for the rest of a line, its macros replaced. */
struct macro {
    const struct macro *next;
    const char *name;
    struct lw_cuda_token *tokens;
    size_t count;
};

/* The tokens of a text. */
struct scanner {
    struct lw_scan scan;
    bool is_given; /* it is before the text: line 0 */
    struct lw_text *tokens;
    const struct macro *macros;
};

static bool starts(const char *at, const char *end, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(end - at) >= length && !strncmp(at, text, length);
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
                         value > (is_hex || is_unsigned ? UINT32_MAX : INT32_MAX);
    if (errno || value == (uint64_t)1 << 63)
        return lw_error_at(err, LW_ERROR_LIMIT, token->position, "%.40s is more than 64 bits",
                           text);
    token->kind =
        strchr(text, '.') || (!is_hex && strpbrk(text, "eEfF")) ? LW_CUDA_REAL : LW_CUDA_NUMBER;
    token->value = (int64_t)value;
    token->type = (struct lw_cuda_type){
        NULL, is_long ? 8 : 4, true,
        is_unsigned || token->value < 0 || (!is_long && value > INT32_MAX), false};
    return token->kind == LW_CUDA_REAL || !end[suffix] ||
           lw_error_at(err, LW_ERROR_SYNTAX, token->position, "%.40s is no number", text);
}

/* The end of the token that begins at a byte: of a name, which threadIdx.x is too, a number, a string or a sign; NULL:
 * there is none. */
static const char *end_of(const char *from, const char *end, struct lw_cuda_token *token)
{
    const char *at = from + 1;
    if (lw_is_digit(*from) || (*from == '.' && at < end && lw_is_digit(*at))) {
        const bool is_hex = *from == '0' && at < end && tolower(*at) == 'x';
        token->kind = LW_CUDA_NUMBER;
        while (at < end && (lw_is_name_part(*at) || *at == '.' ||
                            (!is_hex && strchr("+-", *at) && tolower(at[-1]) == 'e')))
            at++;
    } else if (lw_is_name_start(*from)) {
        token->kind = LW_CUDA_NAME;
        while (at < end &&
               (lw_is_name_part(*at) || (*at == '.' && at - from >= 7 &&
                                         (starts(at - 3, at, "Idx") || starts(at - 3, at, "Dim")))))
            at++;
    } else if (*from == '"' || *from == '\'') {
        token->kind = LW_CUDA_REAL;
        while (at < end && *at != *from && *at != '\n')
            at += *at == '\\' && end - at > 1 ? 2 : 1;
        return at < end && *at == *from ? at + 1 : NULL;
    } else {
        token->kind = LW_CUDA_SIGN;
        for (size_t i = 0; i < LW_COUNT(signs) && !token->sign; i++)
            token->sign = starts(from, end, signs[i].text) ? &signs[i] : NULL;
        return token->sign ? from + strlen(token->sign->text) : NULL;
    }
    return at;
}

/* Reads one token; LW_CUDA_END at the end of the text. */
static bool read_one(struct scanner *scanner, struct lw_cuda_token *token)
{
    struct lw_scan *scan = &scanner->scan;
    lw_scan_space(scan);
    const char *from = scan->at;
    *token = (struct lw_cuda_token){.text = "the end"};
    if (!scanner->is_given)
        token->position = lw_scan_position(scan);
    if (from == scan->end)
        return true;
    const char *end = starts(from, scan->end, "/*") ? NULL : end_of(from, scan->end, token);
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
    if (token->kind != LW_CUDA_NAME)
        return token->kind != LW_CUDA_NUMBER || read_number(scan->err, token);
    for (size_t i = 0; i < LW_COUNT(types) && !token->type.name; i++)
        if (lw_text_has_word(types[i].name, token->text)) {
            token->type = types[i];
            token->type.name = token->text;
        }
    token->starts_type = token->type.name || lw_text_has_word(qualifiers, token->text);
    return true;
}

/* ---- Macros ---- */

static bool scan_text(struct scanner *scanner, int line);

/* The rest of a line that begins with #. A macro is kept; what else there may be is passed over, also a macro with
 * arguments or of several lines, which is then no name that is known where it is used. */
static bool read_directive(struct scanner *scanner)
{
    struct lw_scan *scan = &scanner->scan;
    const size_t before = scanner->tokens->length;
    const char *const text_end = scan->end;
    struct lw_cuda_token token;
    if (!read_one(scanner, &token))
        return false;
    const bool defines = !strcmp(token.text, "define");
    if (!defines && !lw_text_has_word("include pragma", token.text))
        return lw_error_at(scan->err, LW_ERROR_SYNTAX, token.position,
                           "#%.40s is not read: #define is; #include and #pragma are passed over",
                           token.text);
    if (defines && !read_one(scanner, &token))
        return false;
    const char *end = scan->at;
    while (end < scan->end && (*end != '\n' || end[-1] == '\\'))
        end++;
    if (defines && !starts(scan->at, end, "(") &&
        !memchr(scan->at, '\\', (size_t)(end - scan->at))) {
        scan->end = end;
        if (!scan_text(scanner, token.position.line))
            return false;
        const size_t bytes = scanner->tokens->length - before;
        struct macro *macro = lw_arena_alloc(scan->arena, sizeof *macro);
        struct lw_cuda_token *tokens = lw_arena_alloc(scan->arena, bytes);
        if (!macro || !tokens || scanner->tokens->failed)
            return lw_scan_out_of_memory(scan);
        memcpy(tokens, lw_text_string(scanner->tokens) + before, bytes);
        lw_text_cut(scanner->tokens, before);
        *macro = (struct macro){scanner->macros, token.text, tokens, bytes / sizeof token};
        scanner->macros = macro;
        scan->end = text_end;
    }
    lw_scan_move(scan, end);
    return true;
}

/* Appends the tokens of a text, with macros replaced; the token before it is on that line. */
static bool scan_text(struct scanner *scanner, int line)
{
    struct lw_cuda_token token;
    for (;; line = token.position.line) {
        if (!read_one(scanner, &token))
            return false;
        if (token.kind == LW_CUDA_END)
            return true;
        const struct macro *macro = token.kind == LW_CUDA_NAME ? scanner->macros : NULL;
        while (macro && strcmp(token.text, macro->name) != 0)
            macro = macro->next;
        if (!strcmp(token.text, "#") && token.position.line != line) {
            if (!read_directive(scanner))
                return false;
        } else if (!macro) {
            lw_text_bytes(scanner->tokens, (const char *)&token, sizeof token);
        }
        for (size_t i = 0; macro && i < macro->count; i++) {
            struct lw_cuda_token copy = macro->tokens[i];
            copy.position = token.position;
            lw_text_bytes(scanner->tokens, (const char *)&copy, sizeof copy);
        }
        if (scanner->tokens->length / sizeof token > LW_CUDA_TOKENS_MAX)
            return lw_error_at(scanner->scan.err, LW_ERROR_LIMIT, token.position,
                               "a text has at most %zu tokens", LW_CUDA_TOKENS_MAX);
    }
}

/* ---- The kernel and its block ---- */

static bool is_word(const struct lw_cuda_token *at, const char *text)
{
    return !strcmp(at->text, text);
}

struct lw_cuda_token *lw_cuda_parameters(struct lw_cuda_token *at)
{
    struct lw_cuda_token *from = at, *last = NULL;
    for (int open = 0; open || at->kind == LW_CUDA_NAME || lw_text_has_word("* & ( :", at->text);
         at++) {
        last = is_word(at, "(") && !open ? at : last;
        open += is_word(at, "(") - is_word(at, ")");
        if (at->kind == LW_CUDA_END || at - from > HEAD_MAX)
            return NULL;
    }
    const bool is_function = from->kind == LW_CUDA_NAME && last && last - 1 > from &&
                             last[-1].kind == LW_CUDA_NAME && is_word(at - 1, ")") &&
                             !lw_text_has_word("if for", from->text),
               is_alone = is_word(at, ";") && from->starts_type;
    return is_function && (is_word(at, "{") || is_alone) ? last : NULL;
}

/* The number that a token is, or the constant `const int N = 32;` that it names, or UINT16_MAX; 0: it is not
 * known. */
static uint64_t known_number(const struct lw_cuda_token *first, const struct lw_cuda_token *at)
{
    int64_t found = at->kind == LW_CUDA_NUMBER ? at->value : 0;
    int count = 0; /* of declarations and assignments of the name */
    for (; at->kind == LW_CUDA_NAME && first->kind != LW_CUDA_END; first++)
        if (is_word(first, at->text) &&
            (first[-1].type.name || (first[1].sign && first[1].sign->order == 1)))
            found = !count++ && first[-1].type.is_integer && is_word(first + 1, "=") &&
                            lw_text_has_word("const constexpr", first[-2].text) &&
                            is_word(first + 3, ";")
                        ? first[2].value
                        : 0;
    return found < 0 ? 0 : found > UINT16_MAX ? UINT16_MAX : (uint64_t)found;
}

/* Sets the threads of the block to numbers, one or `(32, 8)`. */
static bool read_block(struct lw_cuda *cuda, const struct lw_cuda_program *program,
                       const struct lw_cuda_token *at, struct lw_error *err)
{
    const struct lw_cuda_token *where = at;
    const bool in_brackets = is_word(at, "(");
    uint64_t threads = 1;
    at += in_brackets;
    for (int i = 0; i < 3 && (!i || (in_brackets && is_word(at, ","))); i++) {
        at += i > 0;
        cuda->block[i] = known_number(program->first, at++);
        threads *= cuda->block[i];
    }
    cuda->threads = (size_t)threads;
    if (!threads || !lw_text_has_word(in_brackets ? ")" : ", >>>", at->text))
        return lw_error_at(err, LW_ERROR_PARAMETER, where->position,
                           "the block that this sets is not known: --block 32,8 sets one");
    return threads <= LW_CUDA_THREADS_MAX ||
           lw_error_set(err, LW_ERROR_LIMIT, "a block has at most %d threads", LW_CUDA_THREADS_MAX);
}

/* Finds the kernel, the only one or the one that is named, and the threads of the block: those of the first `dim3
 * block(32, 8);`, launch or __launch_bounds__(256), else 32. What is given before the text is the first. */
static bool find_kernel(struct lw_cuda *cuda, struct lw_cuda_program *program, struct lw_error *err)
{
    const char *named = program->kernel = cuda->options.kernel;
    const struct lw_cuda_token *block = NULL;
    size_t kernels = 0;
    for (struct lw_cuda_token *at = program->first; at->kind != LW_CUDA_END; at++) {
        const bool is_kernel = is_word(at, "__global__"),
                   is_bound = is_word(at, "__launch_bounds__"),
                   is_dim3 = is_word(at - 1, "dim3") && lw_text_has_word("( = { ;", at[1].text) &&
                             !strstr(at->text, "rid"),
                   is_launch = is_word(at, "<<<") &&
                               (!program->kernel || is_word(at - 1, program->kernel) ||
                                (!named && is_word(at - 1, ">"))); /* name<64><<<...>>> */
        const struct lw_cuda_token *open = is_kernel || is_bound ? lw_cuda_parameters(at) : NULL;
        const bool is_own = open && program->kernel && is_word(open - 1, program->kernel);
        if (is_kernel && open && !named == !is_own) {
            kernels++;
            program->kernel = open[-1].text;
        }
        program->has_memory_space =
            program->has_memory_space || is_kernel || is_word(at, "__shared__");
        if (block || !(is_dim3 || is_launch || (is_bound && is_own)))
            continue;
        block = at + 1;
        for (int depth = 0;
             is_launch && block->kind != LW_CUDA_END && (depth || !is_word(block - 1, ","));
             block++)
            depth += is_word(block, "(") - is_word(block, ")");
        block += is_launch && is_word(block, "dim3");
    }
    if (named && !kernels)
        return lw_error_set(err, LW_ERROR_NAME, "there is no kernel '%.60s'", named);
    if (!named && kernels > 1)
        return lw_error_set(err, LW_ERROR_NAME,
                            "there are %zu kernels: name one, as in file.cu:%.60s", kernels,
                            program->kernel);
    cuda->block_is_assumed = !block;
    cuda->threads = cuda->block[0] = 32;
    cuda->block[1] = cuda->block[2] = 1;
    return !block || read_block(cuda, program, block, err);
}

/* ---- Reading ---- */

/* Appends a value of --let as C++: "N=1024" as `const int N = 1024;`, "bins=[3, 1]" as `const int bins[] = {3, 1};`.
 * Numbers of a list may be separated by blanks alone. */
static bool put_let(struct lw_text *text, const char *let, struct lw_error *err)
{
    const size_t name = strcspn(let, "=");
    const char *at = let + name + (let[name] == '=');
    at += strspn(at, " ");
    const bool is_list = *at == '[';
    const size_t length = strspn(at + is_list, "-0123456789, \t\r\n");
    const char *end = at + is_list + length;
    const long long value = strtoll(at, NULL, 0);
    lw_text_format(text, is_list ? "const %s %.*s[] = {%.*s};\n" : "const %s %.*s = %.*s;\n",
                   value < INT32_MIN || value > INT32_MAX ? "long long" : "int", (int)name, let,
                   (int)length, at + is_list);
    end += is_list && *end == ']';
    return (length && !end[strspn(end, " \t\r\n")] && is_list == (end[-1] == ']')) ||
           lw_error_set(err, LW_ERROR_SYNTAX,
                        "%.60s: expected NAME=NUMBER, or NAME=[NUMBER, ...] for an array", let);
}

bool lw_cuda_tokens(struct lw_cuda *cuda, const char *text, size_t length,
                    const struct lw_cuda_options *options, struct lw_cuda_program *program,
                    struct lw_error *err)
{
    const uint64_t *block = options->block;
    const char *kernel = options->kernel;
    struct lw_text given = {0}, list = {0};
    struct lw_cuda_token end = {.text = "the end"};
    struct scanner scanner = {.tokens = &list};
    bool good = true;
    lw_text_add(&given, options->given ? options->given : "");
    for (int i = 0; i < 3 && (block[0] || block[1] || block[2]); i++)
        lw_text_format(&given, "%s%llu%s", i ? ", " : "dim3 block(",
                       (unsigned long long)(block[i] ? block[i] : 1), i == 2 ? ");\n" : "");
    for (size_t i = 0; i < options->let_count && good; i++)
        good = put_let(&given, options->lets[i], err);
    cuda->options.work = options->work;
    cuda->options.given = lw_arena_string(&cuda->arena, lw_text_string(&given), given.length);
    cuda->options.kernel = kernel ? lw_arena_string(&cuda->arena, kernel, strlen(kernel)) : NULL;
    cuda->text = lw_arena_string(&cuda->arena, text, length);
    cuda->length = length;
    lw_text_bytes(&list, (const char *)&end, sizeof end);
    for (int part = 0; part < 2 && good; part++) {
        /* Names of arrays are in the text's tokens: they are kept in the arena of the result. */
        lw_scan_begin(&scanner.scan, &cuda->arena, part ? text : lw_text_string(&given),
                      part ? length : given.length, err);
        scanner.scan.cpp = true;
        scanner.is_given = !part;
        good = scan_text(&scanner, -1) && read_one(&scanner, &end);
    }
    for (int i = 0; i < 2; i++)
        lw_text_bytes(&list, (const char *)&end, sizeof end);
    program->first = lw_arena_alloc(&cuda->arena, list.length);
    if (good && (given.failed || list.failed || cuda->arena.failed || cuda->arena.full))
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good) {
        memcpy(program->first++, lw_text_string(&list), list.length);
        program->end = program->first + list.length / sizeof end - 3;
    }
    lw_text_free(&given);
    lw_text_free(&list);
    return good && find_kernel(cuda, program, err);
}

void lw_cuda_free(struct lw_cuda *cuda)
{
    lw_arena_free(&cuda->arena);
    *cuda = (struct lw_cuda){0};
}

bool lw_cuda_is(const char *text, size_t length)
{
    static const char *const words[] = {"__shared__", "__global__", "threadIdx", "blockDim",
                                        "#define ",   "#include",   "#pragma"};
    struct lw_arena arena = {0};
    struct lw_error err;
    struct lw_cuda_token token;
    struct scanner scanner = {.is_given = true};
    lw_scan_begin(&scanner.scan, &arena, text, length, &err);
    scanner.scan.cpp = true;
    if (lw_scan_peek(&scanner.scan) == '{') /* a document, which may have CUDA C++ in it */
        return false;
    for (const char *from = text; from < text + length; from++)
        for (size_t i = 0; i < LW_COUNT(words); i++)
            if (starts(from, text + length, words[i]))
                return true;
    const bool declares = read_one(&scanner, &token) && token.starts_type;
    lw_arena_free(&arena);
    return declares && scanner.scan.at < text + length && strchr(" *", *scanner.scan.at) &&
           (memchr(text, ';', length) || memchr(text, '[', length));
}
