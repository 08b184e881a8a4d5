/* Tokens of C++, with macros replaced. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 18, DEPTH_MAX = 32, PARAMETERS_MAX = 8 };

struct span {
    const struct lw_cuda_token *token;
    size_t count;
};

struct macro {
    struct macro *next;
    const char *name;
    bool takes; /* it has parameters */
    const char *parameters[PARAMETERS_MAX];
    int count;
    struct span body;
    bool is_undefined, is_open; /* open: it is being replaced */
};

/* A list of tokens that is made, and what it is made from. */
struct tokens {
    struct lw_arena *arena;
    const char *at, *end, *line_start;
    int line;
    struct lw_cuda_token *list;
    size_t count, room;
    size_t *made; /* of all lists */
    struct macro *macros;
    struct lw_error *err;
};

static bool append(struct tokens *tokens, const struct lw_cuda_token *token)
{
    if (++*tokens->made > TOKENS_MAX)
        return lw_error_at(tokens->err, LW_ERROR_LIMIT, token->position,
                           "more than %d tokens, with macros replaced", TOKENS_MAX);
    if (tokens->count == tokens->room) {
        size_t room = tokens->room ? 2 * tokens->room : 64;
        struct lw_cuda_token *list = lw_arena_alloc(tokens->arena, room * sizeof *list);
        if (!list)
            return lw_error_set(tokens->err, LW_ERROR_MEMORY, "out of memory");
        if (tokens->count)
            memcpy(list, tokens->list, tokens->count * sizeof *list);
        tokens->list = list;
        tokens->room = room;
    }
    tokens->list[tokens->count++] = *token;
    return true;
}

/* ---- One token ---- */

static bool starts(const struct tokens *tokens, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(tokens->end - tokens->at) >= length && !strncmp(tokens->at, text, length);
}

static struct lw_position position(const struct tokens *tokens, int length)
{
    return (struct lw_position){tokens->line, (int)(tokens->at - tokens->line_start) + 1, length};
}

/* One byte on; lines are counted. */
static void advance(struct tokens *tokens)
{
    if (*tokens->at++ == '\n') {
        tokens->line++;
        tokens->line_start = tokens->at;
    }
}

/* Skips blanks and comments; with `one_line` not beyond the end of the line. */
static bool skip(struct tokens *tokens, bool one_line)
{
    for (;;) {
        if (starts(tokens, "\\\n")) {
            advance(tokens);
            advance(tokens);
        } else if (tokens->at < tokens->end && isspace((unsigned char)*tokens->at) &&
                   !(one_line && *tokens->at == '\n')) {
            advance(tokens);
        } else if (starts(tokens, "//")) {
            while (tokens->at < tokens->end && *tokens->at != '\n')
                tokens->at++;
        } else if (starts(tokens, "/*")) {
            const struct lw_position begin = position(tokens, 2);
            for (tokens->at += 2; tokens->at < tokens->end && !starts(tokens, "*/");)
                advance(tokens);
            if (tokens->at >= tokens->end)
                return lw_error_at(tokens->err, LW_ERROR_SYNTAX, begin, "the comment has no */");
            tokens->at += 2;
        } else {
            return true;
        }
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A number as far as letters, digits and dots go: an integer, or a real one. */
static bool read_number(struct tokens *tokens, struct lw_cuda_token *token)
{
    const char *from = tokens->at;
    const bool is_hex = from[0] == '0' && tokens->end - from > 1 && tolower(from[1]) == 'x';
    char *end;
    while (tokens->at < tokens->end &&
           (is_name(*tokens->at) || *tokens->at == '.' ||
            (!is_hex && strchr("+-", *tokens->at) && tolower(tokens->at[-1]) == 'e')))
        tokens->at++;
    token->kind = LW_CUDA_NUMBER;
    token->text = lw_arena_string(tokens->arena, from, (size_t)(tokens->at - from));
    if (!token->text)
        return lw_error_set(tokens->err, LW_ERROR_MEMORY, "out of memory");
    const bool is_binary = from[0] == '0' && tolower(token->text[1]) == 'b';
    errno = 0;
    token->value = (int64_t)strtoull(token->text + 2 * is_binary, &end, is_binary ? 2 : 0);
    if (errno)
        return lw_error_at(tokens->err, LW_ERROR_LIMIT, token->position,
                           "%.40s is more than 64 bits", token->text);
    for (; *end && strchr("uUlL", *end); end++) {
        token->is_unsigned = token->is_unsigned || tolower(*end) == 'u';
        token->is_long = token->is_long || tolower(*end) == 'l';
    }
    if (*end && (strchr(token->text, '.') || (!is_hex && strpbrk(token->text, "eEfF"))))
        token->kind = LW_CUDA_REAL;
    else if (*end)
        return lw_error_at(tokens->err, LW_ERROR_SYNTAX, token->position, "%.40s is no number",
                           token->text);
    token->is_long = token->is_long || (uint64_t)token->value > UINT32_MAX;
    token->is_unsigned = token->is_unsigned || token->value < 0 ||
                         (!token->is_long && token->value > INT32_MAX && is_hex);
    token->is_long = token->is_long || (!token->is_unsigned && token->value > INT32_MAX);
    return true;
}

/* Reads one token; LW_CUDA_END at the end of the text, or of the line. */
static bool read_one(struct tokens *tokens, struct lw_cuda_token *token, bool one_line)
{
    static const char *const signs[] = {
        "<<<", ">>>", "<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "+=",  "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "++", "--", "->", "##", "+",
        "-",   "*",   "/",   "%",   "<",   ">",  "&",  "|",  "^",  "~",  "!",  "?",  ":",
        "=",   "(",   ")",   "[",   "]",   "{",  "}",  ",",  ";",  ".",  "#"};
    *token = (struct lw_cuda_token){.text = ""};
    if (!skip(tokens, one_line))
        return false;
    const char *from = tokens->at;
    token->position = position(tokens, 0);
    if (from >= tokens->end || *from == '\n')
        return true;
    if (isdigit((unsigned char)*from) ||
        (*from == '.' && tokens->end - from > 1 && isdigit((unsigned char)from[1]))) {
        if (!read_number(tokens, token))
            return false;
    } else if (is_name(*from)) {
        while (tokens->at < tokens->end &&
               (is_name(*tokens->at) ||
                (starts(tokens, "::") && tokens->end - tokens->at > 2 && is_name(tokens->at[2]))))
            tokens->at += *tokens->at == ':' ? 2 : 1;
        token->kind = LW_CUDA_NAME;
        token->text = lw_arena_string(tokens->arena, from, (size_t)(tokens->at - from));
        if (!token->text)
            return lw_error_set(tokens->err, LW_ERROR_MEMORY, "out of memory");
    } else if (*from == '"' || *from == '\'') {
        for (tokens->at++; tokens->at < tokens->end && *tokens->at != *from && *tokens->at != '\n';)
            tokens->at += *tokens->at == '\\' && tokens->end - tokens->at > 1 ? 2 : 1;
        if (tokens->at >= tokens->end || *tokens->at != *from)
            return lw_error_at(tokens->err, LW_ERROR_SYNTAX, token->position,
                               "expected %c at the end", *from);
        tokens->at++;
        token->kind = LW_CUDA_REAL;
        token->text = "\"";
    } else {
        size_t i = 0;
        while (i < LW_COUNT(signs) && !starts(tokens, signs[i]))
            i++;
        if (i == LW_COUNT(signs))
            return lw_error_at(tokens->err, LW_ERROR_SYNTAX, position(tokens, 1),
                               "'%.1s' is not read in CUDA C++", from);
        token->kind = LW_CUDA_SIGN;
        token->text = signs[i];
        tokens->at += strlen(signs[i]);
    }
    token->position.length = (int)(tokens->at - from);
    return true;
}

static bool is_sign(const struct lw_cuda_token *token, const char *sign)
{
    return token->kind == LW_CUDA_SIGN && !strcmp(token->text, sign);
}

/* ---- Macros ---- */

static struct macro *macro_of(const struct tokens *tokens, const struct lw_cuda_token *token)
{
    struct macro *macro = tokens->macros;
    while (macro && strcmp(macro->name, token->text) != 0)
        macro = macro->next;
    return token->kind == LW_CUDA_NAME && macro && !macro->is_undefined ? macro : NULL;
}

/* What is after #define: a name, `(a, b)` directly behind it, and the tokens up to the end of the line. */
static bool define(struct tokens *tokens)
{
    struct lw_cuda_token token;
    struct macro *macro = lw_arena_alloc(tokens->arena, sizeof *macro);
    struct tokens body = {.arena = tokens->arena, .made = tokens->made, .err = tokens->err};
    if (!macro)
        return lw_error_set(tokens->err, LW_ERROR_MEMORY, "out of memory");
    if (!read_one(tokens, &token, true))
        return false;
    if (token.kind != LW_CUDA_NAME)
        return lw_error_at(tokens->err, LW_ERROR_SYNTAX, token.position,
                           "expected the name of a macro");
    *macro = (struct macro){.next = tokens->macros, .name = token.text};
    macro->takes = starts(tokens, "(");
    if (macro->takes) {
        do {
            if (!read_one(tokens, &token, true) || !read_one(tokens, &token, true))
                return false;
            if (token.kind != LW_CUDA_NAME)
                break;
            if (macro->count == PARAMETERS_MAX)
                return lw_error_at(tokens->err, LW_ERROR_LIMIT, token.position,
                                   "a macro has at most %d parameters", PARAMETERS_MAX);
            macro->parameters[macro->count++] = token.text;
            skip(tokens, true);
        } while (starts(tokens, ","));
        if (token.kind == LW_CUDA_NAME && !read_one(tokens, &token, true))
            return false;
        if (!is_sign(&token, ")"))
            return lw_error_at(tokens->err, LW_ERROR_SYNTAX, token.position,
                               "expected the name of a parameter, or )");
    }
    for (;;) {
        if (!read_one(tokens, &token, true))
            return false;
        if (token.kind == LW_CUDA_END)
            break;
        if (is_sign(&token, "#") || is_sign(&token, "##"))
            return lw_error_at(tokens->err, LW_ERROR_SYNTAX, token.position,
                               "%s of macros is not read", token.text);
        if (!append(&body, &token))
            return false;
    }
    macro->body = (struct span){body.list, body.count};
    tokens->macros = macro;
    return true;
}

/* A line that begins with #. */
static bool read_directive(struct tokens *tokens)
{
    struct lw_cuda_token name, token;
    if (!read_one(tokens, &name, true))
        return false;
    if (!strcmp(name.text, "define"))
        return define(tokens);
    if (!strcmp(name.text, "undef")) {
        struct macro *macro = read_one(tokens, &token, true) ? macro_of(tokens, &token) : NULL;
        if (macro)
            macro->is_undefined = true;
    } else if (strcmp(name.text, "include") != 0 && strcmp(name.text, "pragma") != 0) {
        return lw_error_at(tokens->err, LW_ERROR_SYNTAX, name.position,
                           "#%.40s is not read: only #define, #undef; #include and #pragma are "
                           "passed over",
                           name.text);
    }
    while (tokens->at < tokens->end && *tokens->at != '\n')
        tokens->at++;
    return true;
}

/* Finds the arguments of a macro in a list, at its bracket; *used: the tokens of them, with brackets. */
static bool find_arguments(struct tokens *tokens, const struct macro *macro, struct span list,
                           struct span arguments[PARAMETERS_MAX], size_t *used)
{
    int open = 0, count = 0;
    for (size_t i = 0, from = 1; i < list.count; i++) {
        const struct lw_cuda_token *token = &list.token[i];
        open += is_sign(token, "(") - is_sign(token, ")");
        if ((open == 1 && is_sign(token, ",")) || open == 0) {
            if (count < PARAMETERS_MAX)
                arguments[count] = (struct span){list.token + from, i - from};
            count++;
            from = i + 1;
        }
        if (open)
            continue;
        if (count == 1 && !macro->count && !arguments[0].count)
            count = 0;
        *used = i + 1;
        return count == macro->count ||
               lw_error_at(tokens->err, LW_ERROR_SYNTAX, list.token[0].position,
                           "the macro %.40s takes %d arguments, not %d", macro->name, macro->count,
                           count);
    }
    return lw_error_at(tokens->err, LW_ERROR_SYNTAX, list.token[0].position, "expected )");
}

/* Appends a list of tokens with macros replaced; `where`: the position that they have, NULL: their own. */
static bool expand(struct tokens *tokens, struct span span, const struct lw_position *where,
                   int depth)
{
    for (size_t i = 0; i < span.count; i++) {
        struct lw_cuda_token token = span.token[i];
        struct macro *macro = macro_of(tokens, &token);
        struct span arguments[PARAMETERS_MAX];
        const struct lw_position *here = where ? where : &span.token[i].position;
        size_t used = 0;
        token.position = *here;
        /* A macro with parameters is a name where it has no arguments. */
        if (!macro || macro->is_open ||
            (macro->takes && (i + 1 == span.count || !is_sign(&span.token[i + 1], "(")))) {
            if (!append(tokens, &token))
                return false;
            continue;
        }
        if (depth >= DEPTH_MAX)
            return lw_error_at(tokens->err, LW_ERROR_LIMIT, *here,
                               "macros are nested more than %d deep", DEPTH_MAX);
        if (macro->takes &&
            !find_arguments(tokens, macro, (struct span){span.token + i + 1, span.count - i - 1},
                            arguments, &used))
            return false;
        struct tokens body = {.arena = tokens->arena,
                              .made = tokens->made,
                              .macros = tokens->macros,
                              .err = tokens->err};
        for (size_t k = 0; k < macro->body.count; k++) {
            const struct lw_cuda_token *one = &macro->body.token[k];
            int p = 0;
            while (p < macro->count &&
                   (one->kind != LW_CUDA_NAME || strcmp(macro->parameters[p], one->text) != 0))
                p++;
            if (p == macro->count ? !append(&body, one)
                                  : !expand(&body, arguments[p], here, depth + 1))
                return false;
        }
        macro->is_open = true;
        bool good = expand(tokens, (struct span){body.list, body.count}, here, depth + 1);
        macro->is_open = false;
        if (!good)
            return false;
        i += used;
    }
    return true;
}

/* ---- All tokens ---- */

bool lw_cuda_tokens(struct lw_arena *arena, const char *text, size_t length,
                    struct lw_cuda_token **list, struct lw_error *err)
{
    size_t made = 0;
    struct tokens raw = {.arena = arena,
                         .made = &made,
                         .at = text,
                         .end = text + length,
                         .line_start = text,
                         .line = 1,
                         .err = err};
    struct lw_cuda_token token;
    int line = 0; /* of the token before */
    do {
        if (!read_one(&raw, &token, false))
            return false;
        if (is_sign(&token, "#") && token.position.line != line) {
            if (!read_directive(&raw))
                return false;
        } else if (!append(&raw, &token)) {
            return false;
        }
        line = token.position.line;
    } while (token.kind != LW_CUDA_END);
    struct tokens all = {.arena = arena, .made = &made, .macros = raw.macros, .err = err};
    if (!expand(&all, (struct span){raw.list, raw.count}, NULL, 0))
        return false;
    *list = all.list;
    return true;
}
