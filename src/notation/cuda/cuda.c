/* Reading accesses in CUDA C++: options, tokens, running them. */

#include "notation/cuda/cuda_parts.h"

#include "core/array_count.h"
#include "laneway/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads "N=1024" and "bins=[3, 1, 4]". */
static bool read_let(struct lw_arena *arena, const char *text, struct lw_cuda_let *let,
                     struct lw_error *err)
{
    const char *equals = strchr(text, '=');
    const size_t room = equals ? strlen(equals) : 0; /* no fewer than its numbers */
    int64_t *values = lw_arena_alloc(arena, (room + 1) * sizeof *values);
    *let = (struct lw_cuda_let){
        .name = lw_arena_string(arena, text, equals ? (size_t)(equals - text) : 0),
        .values = values};
    if (!values || !let->name)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    const char *at = equals ? equals + 1 + strspn(equals + 1, " ") : "";
    let->is_array = *at == '[';
    at += let->is_array;
    while (*at && *at != ']') {
        char *end;
        errno = 0;
        values[let->count] = strtoll(at, &end, 0);
        if (end == at || errno || (!let->is_array && *end))
            break;
        let->count++;
        at = end + strspn(end, " ,\t\r\n");
    }
    if (!let->is_array ? !*at && let->count : *at == ']' && !at[1 + strspn(at + 1, " \t\r\n")])
        return true;
    return lw_error_set(err, LW_ERROR_SYNTAX,
                        "%.60s: expected NAME=NUMBER, or NAME=[NUMBER, ...] for an array", text);
}

/* Each must name something in the text. */
static bool read_lets(struct lw_arena *arena, const struct lw_cuda_options *options,
                      const struct lw_cuda_token *tokens, struct lw_cuda_let **lets,
                      struct lw_error *err)
{
    *lets = lw_arena_alloc(arena, (options->let_count + 1) * sizeof **lets);
    if (!*lets)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < options->let_count; i++) {
        if (!read_let(arena, options->lets[i], &(*lets)[i], err))
            return false;
        const struct lw_cuda_token *token = tokens;
        const char *name = (*lets)[i].name;
        const size_t length = strcspn(name, "."); /* gridDim.x */
        while (token->kind != LW_CUDA_END &&
               (token->kind != LW_CUDA_NAME || strncmp(token->text, name, length) != 0 ||
                token->text[length]))
            token++;
        if (token->kind == LW_CUDA_END)
            return lw_error_set(err, LW_ERROR_NAME, "--let %.60s: the text has no name '%.40s'",
                                options->lets[i], name);
    }
    return true;
}

/* Keeps the text and the options, from which changes of the text are tried. */
static bool keep_input(struct lw_cuda *cuda, const char *text, size_t length,
                       const struct lw_cuda_options *options, struct lw_error *err)
{
    struct lw_arena *arena = &cuda->arena;
    const char **lets = lw_arena_alloc(arena, (options->let_count + 1) * sizeof *lets);
    bool good = lets != NULL;
    for (size_t i = 0; good && i < options->let_count; i++)
        good = (lets[i] = lw_arena_string(arena, options->lets[i], strlen(options->lets[i])));
    cuda->options = *options;
    cuda->options.lets = lets;
    if (good && options->kernel)
        good = (cuda->options.kernel =
                    lw_arena_string(arena, options->kernel, strlen(options->kernel)));
    cuda->text = lw_arena_string(arena, text, length);
    cuda->length = length;
    return (good && cuda->text) || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_cuda_read(struct lw_cuda *cuda, const char *text, size_t length,
                  const struct lw_cuda_options *options, struct lw_error *err)
{
    static const struct lw_cuda_options defaults;
    struct lw_error scratch;
    struct lw_arena arena = {0};
    struct lw_cuda_token *tokens;
    struct lw_cuda_let *lets;
    options = options ? options : &defaults;
    err = err ? err : &scratch;
    *cuda = (struct lw_cuda){0};
    bool good = length <= LW_CUDA_TEXT_MAX ||
                lw_error_set(err, LW_ERROR_LIMIT, "a text has at most %zu bytes", LW_CUDA_TEXT_MAX);
    /* Names of arrays are in the text's tokens: they are kept in the arena of the result. */
    good = good && keep_input(cuda, text, length, options, err) &&
           lw_cuda_tokens(&cuda->arena, text, length, &tokens, err) &&
           read_lets(&arena, options, tokens, &lets, err) && lw_cuda_run(cuda, lets, tokens, err);
    lw_arena_free(&arena);
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

static bool starts(const char *text, size_t length, const char *word)
{
    const size_t n = strlen(word);
    return length >= n && !strncmp(text, word, n);
}

bool lw_cuda_is(const char *text, size_t length)
{
    static const char *const words[] = {"__shared__", "__global__", "threadIdx", "blockDim"};
    static const char *const begins[] = {"#define ", "#include", "#pragma", "template", "extern "};
    char word[32];
    size_t n = 0;
    const char *first = lw_cuda_skip(text, text + length, false);
    length -= (size_t)(first - text);
    text = first;
    if (length && *text == '{') /* a document, which may have CUDA C++ in it */
        return false;
    for (size_t i = 0; i < LW_COUNT(begins); i++)
        if (starts(text, length, begins[i]))
            return true;
    for (size_t at = 0; at < length; at++)
        for (size_t i = 0; i < LW_COUNT(words); i++)
            if (starts(text + at, length - at, words[i]))
                return true;
    while (n < length && n + 1 < sizeof word && (isalnum((unsigned char)text[n]) || text[n] == '_'))
        n++;
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    return n && n < length && strchr(" *", text[n]) && strcmp(word, "auto") != 0 &&
           (lw_cuda_type_named(word, NULL) ||
            lw_text_has_word("unsigned signed const constexpr static volatile extern __device__ "
                             "__constant__ inline register __align__ alignas",
                             word)) &&
           (memchr(text, ';', length) || memchr(text, '[', length));
}
