/* Reading accesses in CUDA C++: options, tokens, running them. */

#include "notation/cuda/cuda_parts.h"

#include "laneway/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    lw_text_add(text, is_array ? "}; " : "; ");
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
        lw_text_format(&given, "dim3 block(%llu, %llu, %llu); ",
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

bool lw_cuda_read(struct lw_cuda *cuda, const char *text, size_t length,
                  const struct lw_cuda_options *options, struct lw_error *err)
{
    static const struct lw_cuda_options defaults;
    struct lw_error scratch;
    struct lw_cuda_token *tokens;
    options = options ? options : &defaults;
    err = err ? err : &scratch;
    *cuda = (struct lw_cuda){0};
    bool good = length <= LW_CUDA_TEXT_MAX ||
                lw_error_set(err, LW_ERROR_LIMIT, "a text has at most %zu bytes", LW_CUDA_TEXT_MAX);
    /* Names of arrays are in the text's tokens: they are kept in the arena of the result. */
    good = good && keep_input(cuda, text, length, options, err) &&
           lw_cuda_tokens(&cuda->arena, cuda->options.given, text, length, &tokens, err) &&
           check_lets(options, tokens, err) && lw_cuda_run(cuda, tokens, err);
    if (good)
        return true;
    lw_error_excerpt(err, text, length);
    lw_cuda_free(cuda);
    return false;
}

void lw_cuda_free(struct lw_cuda *cuda)
{
    lw_arena_free(&cuda->arena);
    *cuda = (struct lw_cuda){0};
}
