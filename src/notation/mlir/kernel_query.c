/* Queries on a kernel: its operations, and documents of its types. */

#include "notation/mlir/operations.h"
#include "notation/mlir/read_mlir.h"

#include "laneway/kernel.h"

#include <string.h>

const char *lw_kernel_alias(const struct lw_kernel *kernel, int type)
{
    return type < 0 ? "" : kernel->encodings[kernel->types[type].layout].alias;
}

/* Replaces a pointer by the element that it points to. */
static void point_to(struct lw_element *element)
{
    static const char pointer[] = "!tt.ptr<";
    size_t length = strlen(element->name), n = sizeof pointer - 1;
    char name[LW_ELEMENT_MAX];
    if (length <= n + 1 || memcmp(element->name, pointer, n) != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(element->name + n, ">,"), element->name + n);
    struct lw_element found;
    if (lw_element_find(&found, name, NULL))
        *element = found;
}

void lw_operation_tensor(const struct lw_kernel *kernel, const struct lw_operation *operation,
                         struct lw_tensor *tensor)
{
    int type = operation->from >= 0 ? operation->from : operation->to;
    lw_tensor_unknown(tensor);
    if (type >= 0)
        *tensor = kernel->types[type].tensor;
    point_to(&tensor->element);
}

int lw_operation_depth(const struct lw_kernel *kernel, const struct lw_operation *operation)
{
    return operation->loop < 0 ? 0 : kernel->loops[operation->loop].depth;
}

bool lw_operation_trips(const struct lw_kernel *kernel, const struct lw_operation *operation,
                        uint64_t *trips)
{
    bool known = true;
    *trips = operation->masked_loop < 0 && operation->masked_rounds ? 0 : 1;
    for (int i = operation->loop; i >= 0; i = kernel->loops[i].parent) {
        const struct lw_kernel_loop *loop = &kernel->loops[i];
        uint64_t max = (uint64_t)1 << 63, rounds = loop->trips;
        known = known && loop->known;
        if (i == operation->masked_loop)
            rounds = rounds > operation->masked_rounds ? rounds - operation->masked_rounds : 0;
        if (loop->known)
            *trips = rounds && *trips > max / rounds ? max : *trips * rounds;
    }
    return known;
}

/* ---- Documents ---- */

static bool set_layout(struct lw_arena *arena, const struct lw_kernel *kernel, int row,
                       struct lw_encoding **encoding, struct lw_tensor *tensor,
                       struct lw_error *err)
{
    const struct lw_kernel_type *type = &kernel->types[row];
    if (!type->encoding || type->tensor.rank < 0) {
        const struct lw_error *problem = type->problem;
        if (err && problem)
            *err = *problem;
        return problem ? false
                       : lw_error_at(err, LW_ERROR_UNSUPPORTED, type->position,
                                     "'%.100s' cannot be read", type->text);
    }
    *encoding = lw_encoding_copy(arena, type->encoding);
    *tensor = type->tensor;
    point_to(&tensor->element);
    if (!*encoding)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    lw_move_encoding(*encoding, NULL);
    return true;
}

/* Fills a document with the type `row`, and the type `with` that is written from it; -1: none. */
static bool fill_document(struct lw_document *doc, struct lw_arena *arena,
                          const struct lw_kernel *kernel, int row, int with, const char *text,
                          struct lw_error *err)
{
    for (int i = 0; i < LW_SIDES; i++)
        lw_tensor_unknown(&doc->others[i].tensor);
    doc->notation = LW_NOTATION_MLIR;
    doc->text = lw_arena_string(arena, text, strlen(text));
    if (!doc->text)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!set_layout(arena, kernel, row, &doc->encoding, &doc->tensor, err))
        return false;
    struct lw_document_layout written;
    doc->side = doc->encoding->type->family == LW_FAMILY_SHARED ? LW_SIDE_S : LW_SIDE_A;
    if (with < 0)
        return true;
    if (!set_layout(arena, kernel, with, &written.encoding, &written.tensor, err))
        return false;
    bool shared = doc->side == LW_SIDE_A && written.encoding->type->family == LW_FAMILY_SHARED;
    doc->others[shared ? LW_SIDE_S : LW_SIDE_B] = written;
    return true;
}

static bool make_document(struct lw_document *doc, const struct lw_kernel *kernel, int row,
                          int with, const char *text, struct lw_error *err)
{
    memset(doc, 0, sizeof *doc);
    doc->title = doc->about = doc->view = doc->cell = "";
    bool ok = fill_document(doc, &doc->arena, kernel, row, with, text, err);
    doc->name = doc->text;
    if (!ok)
        lw_document_free(doc);
    return ok;
}

bool lw_document_of_type(struct lw_document *doc, const struct lw_kernel *kernel, int type,
                         struct lw_error *err)
{
    return make_document(doc, kernel, type, -1, kernel->types[type].text, err);
}

bool lw_registers_are_single(const struct lw_map *map)
{
    int reg = map ? lw_dims_find(&map->in, "register") : -1;
    return reg < 0 || map->in.dim[reg].size == 1;
}

bool lw_operation_goes_to_global(const struct lw_operation *operation, const struct lw_map *to)
{
    return operation->stored && (!operation->cast || lw_registers_are_single(to));
}

bool lw_document_of_operation(struct lw_document *doc, const struct lw_kernel *kernel,
                              const struct lw_operation *operation, struct lw_error *err)
{
    int first = operation->from >= 0 ? operation->from : operation->to;
    int second = operation->from >= 0 ? operation->to : -1;
    if (!make_document(doc, kernel, first, second, operation->text, err))
        return false;
    const struct lw_kernel_type *type = operation->to >= 0 ? &kernel->types[operation->to] : NULL;
    enum lw_role role = operation->kind->role;
    struct lw_map to;
    doc->to_global = (role == LW_ROLE_CONVERT || role == LW_ROLE_LOCAL_LOAD) && type &&
                     type->encoding &&
                     lw_encoding_build(type->encoding, &type->tensor, &to, NULL) &&
                     lw_operation_goes_to_global(operation, &to);
    return true;
}

/* ---- Sources ---- */

/* "%12" and "37" of kernel.ttgir:%12 and kernel.ttgir:37. */
static bool picked_options(struct lw_kernel_options *options, const char *picked)
{
    if (*picked == '%' && picked[1]) {
        options->value = picked;
        return true;
    }
    for (const char *p = picked; *p; p++) {
        if (*p < '0' || *p > '9' || options->line > INT32_MAX / 10 - 1)
            return false;
        options->line = options->line * 10 + (*p - '0');
    }
    return options->line > 0;
}

/* Reports why nothing was picked. */
static bool none_picked(const struct lw_kernel *kernel, const struct lw_kernel_options *options,
                        struct lw_error *err)
{
    if (options->value)
        return lw_error_set(err, LW_ERROR_NAME,
                            kernel->picked_plain
                                ? "the type of '%.60s' has no layout: it is not a tensor or memory"
                                : "there is no value '%.60s' in this file",
                            options->value);
    return options->line > kernel->lines
               ? lw_error_set(err, LW_ERROR_NAME, "there is no line %d: the file has %d",
                              options->line, kernel->lines)
               : lw_error_set(err, LW_ERROR_NAME, "no operation with a layout begins on line %d",
                              options->line);
}

bool lw_read_picked(struct lw_reading *reading, struct lw_document *doc, const char *path,
                    const char *picked)
{
    struct lw_dump dump;
    struct lw_kernel kernel;
    struct lw_kernel_options options = {.max = reading->max, .triton = reading->triton};
    if (!picked_options(&options, picked))
        return lw_error_set(
            reading->err, LW_ERROR_SYNTAX,
            "'%.60s': expected '#alias', '%%value' or a line number after the colon", picked);
    if (!lw_dump_open(&dump, path, &options, reading->err))
        return false;
    do {
        if (options.part++)
            lw_kernel_free(&kernel);
        if (!lw_dump_kernel(&kernel, &dump, &options, reading->err)) {
            lw_dump_free(&dump);
            return false;
        }
    } while (kernel.picked < 0 && kernel.more);
    lw_dump_free(&dump);
    bool ok = kernel.picked >= 0
                  ? fill_document(doc, reading->arena, &kernel, kernel.picked, kernel.picked_with,
                                  kernel.types[kernel.picked].text, reading->err)
                  : none_picked(&kernel, &options, reading->err);
    lw_kernel_free(&kernel);
    return ok;
}
