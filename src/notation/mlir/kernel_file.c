/*
 * Files of kernels: dumps in memory with their parts, and what is known of a kernel before it is read, from the
 * metadata that Triton writes beside it, a file of the same name that ends in .json. Then queries on a kernel: its
 * operations, and documents of its types.
 */

#include "laneway/kernel.h"
#include "notation/document/read.h"
#include "notation/mlir/read_mlir.h"
#include "notation/mlir/operations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes of metadata at most. */
#define METADATA_MAX ((size_t)1 << 16)
/* Bytes of a dump that tell its name and target: aliases come before the module and the first function. */
#define HEAD_MAX ((size_t)1 << 15)

/* ---- Metadata ---- */

/* The beginning of a file, NUL-terminated, `*length` bytes of at most `max`, to be freed; NULL: it is empty, and
 * errno 0, or cannot be read. */
static char *read_head(const char *path, size_t max, size_t *length)
{
    struct lw_error scratch;
    struct lw_reading reading = {.err = &scratch, .dump = true, .max = SIZE_MAX};
    errno = 0;
    FILE *file = lw_open_file(&reading, path);
    char *text = file ? malloc(max + 1) : NULL;
    *length = text ? fread(text, 1, max, file) : 0;
    bool good = text && !ferror(file);
    int why = errno;
    if (text)
        text[*length] = '\0';
    if (file)
        fclose(file);
    errno = good ? 0 : why;
    if (*length && good)
        return text;
    free(text);
    *length = 0;
    return NULL;
}

/* Reads the metadata beside a dump; `path` may be `kernel.ttgir:#mma`. False: there is none, or, when *err is set, it
 * cannot be read. `err` may be NULL. */
static bool read_metadata(struct lw_kernel_about *about, const char *path, struct lw_error *err)
{
    struct lw_text beside = {0};
    size_t length, stem = lw_source_path(path);
    while (stem > 0 && path[stem - 1] != '.')
        stem--;
    if (!stem)
        return false;
    lw_text_bytes(&beside, path, stem);
    lw_text_add(&beside, "json");
    char *text = read_head(lw_text_string(&beside), METADATA_MAX, &length);
    bool ok = text && lw_read_metadata(about, text, length);
    /* whether the file exists but could not be read, so that its content is unknown */
    bool unknown =
        !text && errno && errno != ENOENT && errno != ENOTDIR && errno != EISDIR && errno != EINVAL;
    if (err && unknown)
        lw_error_set(err, errno == ENOMEM ? LW_ERROR_MEMORY : LW_ERROR_IO,
                     "the metadata beside it cannot be read, so its version of Triton is unknown; "
                     "--triton sets one: %.200s: %s",
                     lw_text_string(&beside), strerror(errno));
    lw_text_free(&beside);
    free(text);
    return ok;
}

bool lw_metadata_triton(const char *path, struct lw_triton_choice choice, enum lw_triton *version,
                        struct lw_error *err)
{
    struct lw_kernel_about about = {.shared = -1};
    struct lw_error inner = {0};
    *version = choice.version;
    if (choice.version && !choice.weak)
        return true;
    if (!read_metadata(&about, path, &inner) && inner.code != LW_OK) {
        if (err)
            *err = inner;
        return false;
    }
    if (!*about.triton || lw_triton_find(version, about.triton, &inner))
        return true;
    char *end;
    long major = strtol(about.triton, &end, 10), minor = *end ? strtol(end + 1, &end, 10) : 0;
    bool old = major < 3 || (major == 3 && minor < 5);
    *version = old ? LW_TRITON_3_5 : LW_TRITON_NEWEST;
    return lw_error_set(err, LW_ERROR_NAME,
                        "triton_version in the metadata beside it: %.200s; --triton sets one",
                        inner.message);
}

/* ---- Dumps ---- */

/* Finds the parts: a line that begins with `// -----` divides two. */
static bool find_parts(struct lw_dump *dump, struct lw_error *err)
{
    const char *text = lw_text_string(&dump->text), *end = text + dump->text.length;
    struct lw_dump_part *parts = NULL;
    size_t count = 0, room = 0;
    int line = 1;
    for (const char *p = text; p < end || !count; line++) {
        bool divides = lw_starts(p, (size_t)(end - p), "// -----");
        if (divides || !count) {
            size_t offset = count ? (size_t)(p - text) : 0;
            if (!lw_list_reserve(&dump->arena, &parts, &room, count, sizeof *parts))
                return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
            if (count)
                parts[count - 1].length = offset - parts[count - 1].offset;
            parts[count++] = (struct lw_dump_part){offset, dump->text.length - offset, line};
        }
        p = memchr(p, '\n', (size_t)(end - p));
        p = p ? p + 1 : end;
    }
    dump->parts = parts;
    dump->part_count = count;
    return true;
}

/* Completes a dump whose name and text are set; on failure frees it. */
static bool finish(struct lw_dump *dump, const struct lw_kernel_options *options,
                   struct lw_error *err)
{
    struct lw_triton_choice choice = options ? options->triton : (struct lw_triton_choice){0};
    bool known = lw_metadata_triton(dump->name, choice, &dump->triton, &dump->problem);
    bool read = known || dump->problem.code == LW_ERROR_NAME;
    if (!read && err)
        *err = dump->problem;
    if (known)
        dump->problem.code = LW_OK;
    if (read && find_parts(dump, err))
        return true;
    lw_dump_free(dump);
    return false;
}

bool lw_dump_open(struct lw_dump *dump, const char *path, const struct lw_kernel_options *options,
                  struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_reading reading = {.err = err ? err : &scratch, .dump = true};
    FILE *input = options && !strcmp(path, "-") ? options->input : NULL;
    *dump = (struct lw_dump){.name = input ? "standard input" : path};
    if (options && options->max && options->max < LW_FILE_MAX)
        reading.max = (size_t)options->max;
    FILE *file = input ? input : lw_open_file(&reading, path);
    bool ok = file && lw_read_stream(&reading, file, dump->name, &dump->text);
    if (file && !input)
        fclose(file);
    if (ok)
        return finish(dump, options, err);
    lw_text_free(&dump->text);
    return false;
}

bool lw_dump_read(struct lw_dump *dump, const char *text, size_t length,
                  const struct lw_kernel_options *options, struct lw_error *err)
{
    *dump = (struct lw_dump){.name = ""};
    lw_text_bytes(&dump->text, text, length);
    if (!dump->text.failed)
        return finish(dump, options, err);
    lw_text_free(&dump->text);
    return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

void lw_dump_free(struct lw_dump *dump)
{
    lw_text_free(&dump->text);
    lw_arena_free(&dump->arena);
    memset(dump, 0, sizeof *dump);
}

/* Reads the kernel of a dump, which is freed. */
static bool read_kernel(struct lw_kernel *kernel, struct lw_dump *dump,
                        const struct lw_kernel_options *options, struct lw_error *err)
{
    bool ok = lw_dump_kernel(kernel, dump, options, err);
    lw_dump_free(dump);
    return ok;
}

bool lw_kernel_open(struct lw_kernel *kernel, const char *path,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    struct lw_dump dump;
    memset(kernel, 0, sizeof *kernel);
    return lw_dump_open(&dump, path, options, err) && read_kernel(kernel, &dump, options, err);
}

bool lw_kernel_read(struct lw_kernel *kernel, const char *text, size_t length,
                    const struct lw_kernel_options *options, struct lw_error *err)
{
    struct lw_dump dump;
    memset(kernel, 0, sizeof *kernel);
    return lw_dump_read(&dump, text, length, options, err) &&
           read_kernel(kernel, &dump, options, err);
}

/* ---- Before reading ---- */

bool lw_kernel_is_dump(const char *path)
{
    size_t length = strlen(path);
    if (lw_source_kind_of(path, length) != LW_SOURCE_DUMP || lw_source_path(path) != length)
        return false;
    char *text = read_head(path, 4096, &length);
    const char *from = text;
    struct stat info;
    /* A file that cannot be read is opened as a dump, which reports the reason. */
    bool alone = text || stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0;
    if (text) {
        lw_trim(&from, &length);
        enum lw_source_kind kind = lw_source_kind_of(from, length);
        alone = kind == LW_SOURCE_TYPE ||
                (kind == LW_SOURCE_ATTRIBUTE && memchr(from, '.', strcspn(from, " <")) != NULL);
    }
    free(text);
    return !alone;
}

void lw_kernel_about(struct lw_kernel_about *about, const char *path)
{
    const struct lw_kernel_options first = {.part = 1};
    struct lw_kernel kernel;
    size_t length;
    *about = (struct lw_kernel_about){.shared = -1};
    if (read_metadata(about, path, NULL))
        return;
    char *text = read_head(path, HEAD_MAX, &length);
    if (text && lw_kernel_read(&kernel, text, length, &first, NULL)) {
        snprintf(about->name, sizeof about->name, "%s",
                 kernel.function_count ? kernel.functions[0].name : "");
        snprintf(about->target, sizeof about->target, "%s", kernel.target);
        about->num_warps = kernel.num_warps;
        lw_kernel_free(&kernel);
    }
    free(text);
}

/* ---- Queries ---- */

const char *lw_kernel_alias(const struct lw_kernel *kernel, int type)
{
    return type < 0 ? "" : kernel->encodings[kernel->types[type].layout].alias;
}

/* Replaces a pointer by the element that it points to, where the operation accesses what is there; others move or
 * compute the pointers themselves, of 64 bits each. */
static void point_to(const struct lw_operation *operation, struct lw_element *element)
{
    static const char pointer[] = "!tt.ptr<";
    enum lw_role role = operation->kind->role;
    size_t length = strlen(element->name), n = sizeof pointer - 1;
    char name[LW_ELEMENT_MAX];
    if (role < LW_ROLE_GLOBAL_LOAD || role > LW_ROLE_ASYNC_COPY || length <= n + 1 ||
        memcmp(element->name, pointer, n) != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(element->name + n, ">,"), element->name + n);
    struct lw_element found = {0}; /* one that is not known has no size */
    if (lw_element_find(&found, name, NULL) || memcmp(name, pointer, n) != 0)
        *element = found;
}

void lw_operation_tensor(const struct lw_kernel *kernel, const struct lw_operation *operation,
                         struct lw_tensor *tensor)
{
    int type = operation->from >= 0 ? operation->from : operation->to;
    lw_tensor_unknown(tensor);
    if (type >= 0)
        *tensor = kernel->types[type].tensor;
    point_to(operation, &tensor->element);
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

bool lw_registers_are_single(const struct lw_map *map)
{
    int reg = map ? lw_dims_find(&map->in, "register") : -1;
    return reg < 0 || map->in.dim[reg].size == 1;
}

bool lw_operation_goes_to_global(const struct lw_operation *operation, const struct lw_map *to)
{
    return operation->stored && (!operation->cast || lw_registers_are_single(to));
}

/* Fills a document with an operation, from the layout that it reads to the one that it writes. */
static bool fill_operation(struct lw_document *doc, struct lw_arena *arena,
                           const struct lw_kernel *kernel, const struct lw_operation *operation,
                           struct lw_error *err)
{
    int first = operation->from >= 0 ? operation->from : operation->to;
    int second = operation->from >= 0 ? operation->to : -1;
    if (!fill_document(doc, arena, kernel, first, second, operation->text, err))
        return false;
    doc->is_one_way = true;
    point_to(operation, &doc->tensor.element);
    for (int i = 0; i < LW_SIDES; i++)
        point_to(operation, &doc->others[i].tensor.element);
    const struct lw_kernel_type *type = operation->to >= 0 ? &kernel->types[operation->to] : NULL;
    enum lw_role role = operation->kind->role;
    struct lw_map to;
    doc->to_global = (role == LW_ROLE_CONVERT || role == LW_ROLE_LOCAL_LOAD) && type &&
                     type->encoding &&
                     lw_encoding_build(type->encoding, &type->tensor, &to, NULL) &&
                     lw_operation_goes_to_global(operation, &to);
    return true;
}

bool lw_document_of_operation(struct lw_document *doc, const struct lw_kernel *kernel,
                              const struct lw_operation *operation, struct lw_error *err)
{
    memset(doc, 0, sizeof *doc);
    doc->title = doc->about = doc->view = doc->cell = "";
    bool ok = fill_operation(doc, &doc->arena, kernel, operation, err);
    doc->name = doc->text;
    if (!ok)
        lw_document_free(doc);
    return ok;
}

/* ---- Sources ---- */

/* Fills a document with the value that is picked in a kernel, else with the operation on that line. */
static bool fill_picked(struct lw_reading *reading, struct lw_document *doc,
                        const struct lw_kernel *kernel, const char *value, long line)
{
    if (kernel->picked >= 0)
        return fill_document(doc, reading->arena, kernel, kernel->picked, -1,
                             kernel->types[kernel->picked].text, reading->err);
    for (size_t i = 0; i < kernel->operation_count && !value; i++) {
        const struct lw_operation *operation = &kernel->operations[i];
        if (operation->position.line == line && (operation->from >= 0 || operation->to >= 0))
            return fill_operation(doc, reading->arena, kernel, operation, reading->err);
    }
    if (value)
        return lw_error_set(reading->err, LW_ERROR_NAME,
                            "there is no value '%.60s' with a layout in this file", value);
    return lw_error_set(reading->err, LW_ERROR_NAME,
                        "no operation that moves a layout begins on line %ld of %d", line,
                        kernel->lines);
}

bool lw_read_picked(struct lw_reading *reading, struct lw_document *doc, const char *path,
                    const char *picked)
{
    struct lw_dump dump;
    struct lw_kernel kernel;
    struct lw_kernel_options options = {.max = reading->max, .triton = reading->triton};
    char *end = NULL;
    long line = lw_is_digit(*picked) ? strtol(picked, &end, 10) : 0;
    if (*picked == '%' && picked[1])
        options.value = picked;
    else if (line <= 0 || *end)
        return lw_error_set(
            reading->err, LW_ERROR_SYNTAX,
            "'%.60s': expected '#alias', '%%value' or a line number after the colon", picked);
    if (!lw_dump_open(&dump, path, &options, reading->err))
        return false;
    bool ok = false;
    for (bool more = true; !ok && more;) {
        options.part++;
        more = lw_dump_kernel(&kernel, &dump, &options, reading->err);
        if (!more)
            break;
        ok = fill_picked(reading, doc, &kernel, options.value, line);
        more = kernel.more && kernel.picked < 0 && (options.value || line > kernel.lines);
        lw_kernel_free(&kernel);
    }
    lw_dump_free(&dump);
    return ok;
}
