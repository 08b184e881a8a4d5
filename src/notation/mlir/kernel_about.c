/*
 * The name and the target of a kernel, without reading all of it: from Triton's metadata in a file of the same name,
 * else from the beginning of the dump, where the module's attributes and the first function are.
 */

#include "laneway/kernel.h"

#include "notation/mlir/read_mlir.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes of a dump that are read; its aliases come before the module. */
#define HEAD_MAX ((size_t)1 << 15)

static bool has_bytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
}

bool lw_kernel_is_dump(const char *path)
{
    size_t length = strlen(path);
    if (lw_source_kind_of(path, length) != LW_SOURCE_DUMP || lw_source_path(path) != length)
        return false;
    char *text = lw_read_head(path, 4096, &length);
    const char *from = text;
    bool alone =
        text ||
        !has_bytes(path); /* a file that cannot be read is opened as a dump, which reports the
                             reason */
    if (text) {
        lw_trim(&from, &length);
        alone = lw_is_type_text(from, length) || (lw_is_attribute_text(from, length) &&
                                                  memchr(from, '.', strcspn(from, " <")) != NULL);
    }
    free(text);
    return !alone;
}

static void read_dump(struct lw_kernel_about *about, const char *path)
{
    struct lw_kernel kernel;
    size_t length;
    char *text = lw_read_head(path, HEAD_MAX, &length);
    const struct lw_kernel_options first = {.part = 1};
    if (text && lw_kernel_read(&kernel, text, length, &first, NULL)) {
        snprintf(about->name, sizeof about->name, "%s",
                 kernel.function_count ? kernel.functions[0].name : "");
        snprintf(about->target, sizeof about->target, "%s", kernel.target);
        about->num_warps = kernel.num_warps;
        lw_kernel_free(&kernel);
    }
    free(text);
}

void lw_kernel_about(struct lw_kernel_about *about, const char *path)
{
    *about = (struct lw_kernel_about){.shared = -1};
    if (!lw_metadata_read(about, path, NULL))
        read_dump(about, path);
}
