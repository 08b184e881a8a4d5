/*
 * Files of kernels: dumps in memory with their parts, and what is known of a kernel before it is read, from the
 * metadata that Triton writes beside it: a file of the same name that ends in .json.
 */

#include "laneway/kernel.h"

#include "notation/document/read.h"
#include "notation/mlir/read_mlir.h"

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
