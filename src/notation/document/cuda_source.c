/* A document of CUDA C++: an array of the text as memory, and the accesses to it as registers. */

#include "notation/document/read.h"
#include "encoding/schema/schema.h"

#include "core/unused.h"

#include <string.h>

/* The most numbers of registers that a document holds; `laneway banks` counts more. */
#define REGISTERS_MAX ((uint64_t)1 << 17)

/* An array with its element, as small as the smallest access to it. */
struct shown {
    const struct lw_cuda *cuda;
    size_t array;
    unsigned bytes;
    struct lw_dims dims; /* in elements of that size */
    struct lw_tensor tensor;
};

static bool make_tensor(struct shown *shown, struct lw_error *err)
{
    const struct lw_cuda *cuda = shown->cuda;
    const struct lw_cuda_array *array = &cuda->arrays[shown->array];
    uint64_t shape[LW_CUDA_DIMS_MAX] = {0};
    int rank = array->rank ? array->rank : 1;
    shown->bytes = array->bytes;
    for (size_t i = 0; i < cuda->access_count; i++)
        if (cuda->accesses[i].array == shown->array && cuda->accesses[i].bytes < shown->bytes)
            shown->bytes = cuda->accesses[i].bytes;
    for (int d = 0; d < rank; d++)
        shape[d] = array->rank ? array->dims[d] : array->size / array->bytes;
    shape[rank - 1] *= array->bytes / shown->bytes;
    lw_tensor_unknown(&shown->tensor);
    shown->tensor.rank = rank;
    memcpy(shown->tensor.shape, shape, sizeof shape);
    const int bits = (int)(8 * shown->bytes);
    if (!lw_element_find(&shown->tensor.element, array->type, NULL) ||
        shown->tensor.element.bits != bits)
        shown->tensor.element = (struct lw_element){.bits = bits};
    return lw_dims_of_shape(&shown->dims, shape, rank, err);
}

/* The flat element, the first dim fastest, of a number of a row-major array. */
static uint64_t flat_of(const struct lw_dims *dims, uint64_t number)
{
    uint64_t point[LW_DIMS_MAX];
    for (int d = dims->count - 1; d >= 0; d--) {
        point[d] = number % dims->dim[d].size;
        number /= dims->dim[d].size;
    }
    return lw_dims_flatten(dims, point);
}

/* The registers of an access: register r * n + k is element k of what a thread moves in round r. */
static struct lw_encoding *registers_of(struct lw_reading *reading, const struct shown *shown,
                                        const struct lw_cuda_access *access)
{
    enum { LANES = 32 };
    const struct lw_cuda *cuda = shown->cuda;
    const uint64_t vector = access->bytes / shown->bytes,
                   warps = (cuda->threads + LANES - 1) / LANES;
    const uint64_t registers = access->times * vector, count = registers * LANES * warps;
    struct lw_dims in = {0};
    struct lw_text text = {0};
    struct lw_encoding *encoding = NULL;
    if (count > REGISTERS_MAX) {
        lw_error_at(
            reading->err, LW_ERROR_LIMIT, access->position,
            "%llu registers in %llu warps are too many for a picture: 'laneway banks' counts "
            "them",
            (unsigned long long)registers, (unsigned long long)warps);
        return NULL;
    }
    uint64_t *list = lw_arena_alloc(reading->arena, (size_t)count * sizeof *list);
    for (uint64_t i = 0; list && i < count; i++) {
        const uint64_t reg = i % registers, thread = i / registers;
        const uint64_t address = thread < cuda->threads
                                     ? access->addresses[reg / vector * cuda->threads + thread]
                                     : LW_CUDA_INACTIVE;
        list[i] = address == LW_CUDA_INACTIVE
                      ? LW_NO_ELEMENT
                      : flat_of(&shown->dims, address / shown->bytes + reg % vector);
    }
    lw_text_format(&text, "%s of %s", access->op == LW_CUDA_STORE ? "store" : "load",
                   cuda->arrays[shown->array].name);
    if (list && lw_dims_add(&in, "register", registers, reading->err) &&
        lw_dims_add(&in, "lane", LANES, reading->err) &&
        lw_dims_add(&in, "warp", warps, reading->err))
        encoding = lw_encoding_of_list(reading->arena, &in, &shown->dims, list, vector,
                                       lw_text_string(&text), reading->err);
    else if (!list)
        lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
    lw_text_free(&text);
    return encoding;
}

/* Row-major memory, as CuTe writes it: (32,33):(33,1). */
static bool memory_of(struct lw_reading *reading, const struct shown *shown,
                      struct lw_encoding **out)
{
    struct lw_text text = {0}, strides = {0};
    struct lw_document inner = {0}; /* what is read is in the arena of the reading */
    const int rank = shown->tensor.rank;
    uint64_t stride = 1;
    for (int d = 0; d < rank; d++)
        stride *= shown->tensor.shape[d];
    for (int d = 0; d < rank; d++) {
        stride /= shown->tensor.shape[d];
        lw_text_format(&text, "%s%llu", d ? "," : "(", (unsigned long long)shown->tensor.shape[d]);
        lw_text_format(&strides, "%s%llu", d ? "," : "(", (unsigned long long)stride);
    }
    lw_text_format(&text, "):%s)", lw_text_string(&strides));
    inner.tensor.rank = -1;
    bool good = reading->read_source(reading, &inner, lw_text_string(&text), text.length);
    *out = inner.encoding;
    lw_text_free(&text);
    lw_text_free(&strides);
    return good;
}

/* An access that loads, or that stores, to the array of the chosen one: it, or the first; NULL: there is none. */
static const struct lw_cuda_access *
access_of(const struct lw_cuda *cuda, const struct lw_cuda_access *chosen, enum lw_cuda_op op)
{
    const struct lw_cuda_access *at = cuda->accesses, *const end = at + cuda->access_count;
    while (at < end && (at->array != chosen->array || at->op != op))
        at++;
    return chosen->op == op ? chosen : at < end ? at : NULL;
}

static bool fill(struct lw_reading *reading, struct lw_document *doc, struct shown *shown,
                 const struct lw_cuda_access *chosen)
{
    const struct lw_cuda_access *const sides[LW_SIDES] = {
        [LW_SIDE_A] = access_of(shown->cuda, chosen, LW_CUDA_STORE),
        [LW_SIDE_B] = access_of(shown->cuda, chosen, LW_CUDA_LOAD)};
    if (!make_tensor(shown, reading->err))
        return false;
    doc->tensor = shown->tensor;
    if (!shown->cuda->arrays[chosen->array].is_shared) {
        doc->side = chosen->op == LW_CUDA_LOAD ? LW_SIDE_B : LW_SIDE_A;
        return (doc->encoding = registers_of(reading, shown, chosen)) != NULL;
    }
    doc->side = LW_SIDE_S;
    if (!memory_of(reading, shown, &doc->encoding))
        return false;
    for (int i = 0; i < LW_SIDES; i++) {
        if (!sides[i])
            continue;
        doc->others[i].tensor = shown->tensor;
        doc->others[i].encoding = registers_of(reading, shown, sides[i]);
        if (!doc->others[i].encoding)
            return false;
    }
    return true;
}

/* "bins=@FILE" as "bins=[...]", with the numbers of the file, which may be in brackets; another text as it is. NULL:
 * the reason is in the error. */
static const char *expand(struct lw_reading *reading, const char *let)
{
    const char *at = strstr(let, "=@");
    struct lw_reading file = *reading;
    struct lw_text numbers = {0}, text = {0};
    if (!at)
        return let;
    if (!(reading->allowed & LW_ALLOW_FILES)) {
        lw_error_set(reading->err, LW_ERROR_IO, "%.60s: files are not read here", let);
        return NULL;
    }
    bool good = lw_open_relative(&file, at + 2, strlen(at + 2), &numbers);
    const char *list = lw_text_string(&numbers);
    list += strspn(list, " \t\r\n");
    lw_text_format(&text, *list == '[' ? "%.*s=%s" : "%.*s=[%s]", (int)(at - let), let, list);
    const char *kept =
        good ? lw_arena_string(reading->arena, lw_text_string(&text), text.length) : NULL;
    lw_text_free(&numbers);
    lw_text_free(&text);
    return kept;
}

bool lw_read_accesses(struct lw_reading *reading, struct lw_cuda *cuda)
{
    struct lw_cuda_options options = {0};
    if (reading->cuda)
        options = *reading->cuda;
    if (reading->kernel)
        options.kernel = reading->kernel;
    const char **lets = lw_arena_alloc(reading->arena, (options.let_count + 1) * sizeof *lets);
    if (!lets)
        return lw_error_set(reading->err, LW_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < options.let_count; i++)
        if (!(lets[i] = expand(reading, options.lets[i])))
            return false;
    options.lets = lets;
    return lw_cuda_read(cuda, reading->text, reading->length, &options, reading->err);
}

bool lw_read_cuda(struct lw_reading *reading, struct lw_document *doc,
                  LW_UNUSED struct lw_scan *scan)
{
    struct lw_cuda cuda;
    if (!lw_read_accesses(reading, &cuda))
        return false;
    const size_t count = cuda.access_count;
    size_t chosen = reading->cuda_access ? reading->cuda_access - 1 : count;
    for (int any = 0; any < 2 && !reading->cuda_access; any++)
        for (size_t i = 0; i < count && chosen == count; i++)
            if (cuda.accesses[i].times && (any || (cuda.arrays[cuda.accesses[i].array].is_shared &&
                                                   cuda.accesses[i].op != LW_CUDA_ATOMIC)))
                chosen = i;
    bool good = (chosen < count && cuda.accesses[chosen].times) ||
                lw_error_set(reading->err, LW_ERROR_UNSUPPORTED,
                             !count ? "nothing is accessed here: write tile[i][j] = v; or v = "
                                      "tile[i][j];"
                             : reading->cuda_access
                                 ? "there are only %zu accesses"
                                 : "atomics on global memory are not counted, and nothing else is "
                                   "accessed",
                             count);
    struct shown shown = {.cuda = &cuda};
    doc->notation = LW_NOTATION_CUDA;
    doc->cuda = reading->text;
    const char *given = cuda.options.given, *kernel = cuda.options.kernel;
    doc->cuda_given = lw_arena_string(reading->arena, given, strlen(given));
    doc->cuda_kernel = kernel ? lw_arena_string(reading->arena, kernel, strlen(kernel)) : NULL;
    doc->cuda_access = chosen + 1;
    if (good) {
        shown.array = cuda.accesses[chosen].array;
        good = fill(reading, doc, &shown, &cuda.accesses[chosen]);
    }
    lw_cuda_free(&cuda);
    return good;
}
