/* The metadata that Triton writes beside a dump: a file of the same name that ends in .json. */

#include "laneway/kernel.h"

#include "notation/document/read.h"
#include "notation/mlir/read_mlir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of metadata at most. */
#define METADATA_MAX ((size_t)1 << 16)

char *lw_read_head(const char *path, size_t max, size_t *length)
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

/* Whether a file exists but could not be read, so that its content is unknown. */
static bool is_unknown(int why)
{
    return why && why != ENOENT && why != ENOTDIR && why != EISDIR && why != EINVAL;
}

bool lw_metadata_read(struct lw_kernel_about *about, const char *path, struct lw_error *err)
{
    struct lw_text beside = {0};
    size_t length, stem = lw_source_path(path);
    while (stem > 0 && path[stem - 1] != '.')
        stem--;
    if (!stem)
        return false;
    lw_text_bytes(&beside, path, stem);
    lw_text_add(&beside, "json");
    char *text = lw_read_head(lw_text_string(&beside), METADATA_MAX, &length);
    bool ok = text && lw_read_metadata(about, text, length);
    if (err && !text && is_unknown(errno))
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
    if (!lw_metadata_read(&about, path, &inner) && inner.code != LW_OK) {
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
