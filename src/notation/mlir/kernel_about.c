/*
 * What can be said of a kernel without reading it: Triton's metadata, a JSON object in a file of the same name, or
 * the beginning of the dump, where the module's attributes and the first function are.
 *
 * Source: triton/compiler/compiler.py, which writes the metadata: "name", "num_warps", "shared", and as "target" an
 * object {"backend": "cuda", "arch": 90}; before 3.0 a list ["cuda", 90].
 */

#include "laneway/kernel.h"

#include "notation/document/read.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a dump that are looked at; its aliases come before the module. */
#define HEAD_MAX ((size_t)1 << 15)
/* Bytes of metadata at most. */
#define METADATA_MAX ((size_t)1 << 16)

/* The beginning of a file, NUL-terminated; NULL: there is none. */
static char *read_head(const char *path, size_t max, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(max + 1) : NULL;
    *length = text ? fread(text, 1, max, file) : 0;
    if (text)
        text[*length] = '\0';
    if (file)
        fclose(file);
    if (*length)
        return text;
    free(text);
    return NULL;
}

bool lw_kernel_is_dump(const char *path)
{
    size_t length = strlen(path);
    if (lw_source_kind_of(path, length) != LW_SOURCE_DUMP || lw_source_path(path) != length)
        return false;
    char *text = read_head(path, 4096, &length);
    const char *from = text;
    bool alone = true;
    if (text) {
        lw_trim(&from, &length);
        alone = lw_is_type_text(from, length) || (lw_is_attribute_text(from, length) &&
                                                  memchr(from, '.', strcspn(from, " <")) != NULL);
    }
    free(text);
    return !alone;
}

/* ---- Metadata ---- */

static const char *string_of(const cJSON *value)
{
    return cJSON_IsString(value) ? value->valuestring : "";
}

static int64_t number_of(const cJSON *value, int64_t max, int64_t otherwise)
{
    bool is = cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble <= (double)max;
    return is ? (int64_t)value->valuedouble : otherwise;
}

static void take_target(struct lw_kernel_about *about, const cJSON *target)
{
    const cJSON *backend = NULL, *arch = NULL;
    if (cJSON_IsObject(target)) {
        backend = cJSON_GetObjectItemCaseSensitive(target, "backend");
        arch = cJSON_GetObjectItemCaseSensitive(target, "arch");
    } else if (cJSON_IsArray(target)) {
        backend = cJSON_GetArrayItem(target, 0);
        arch = cJSON_GetArrayItem(target, 1);
    }
    if (cJSON_IsNumber(arch))
        snprintf(about->target, sizeof about->target, "%.12s:%lld", string_of(backend),
                 (long long)number_of(arch, 9999, 0));
    else if (*string_of(arch))
        snprintf(about->target, sizeof about->target, "%.12s:%.16s", string_of(backend),
                 string_of(arch));
}

/* What JSON says may be any text: what cannot be shown is not said. */
static void keep_text(char *text)
{
    if (!lw_check_bytes(text, strlen(text), NULL) || strpbrk(text, "\r\n\t"))
        *text = '\0';
}

static bool read_metadata(struct lw_kernel_about *about, const char *path)
{
    struct lw_text beside = {0};
    size_t length, stem = strlen(path);
    while (stem > 0 && path[stem - 1] != '.')
        stem--;
    lw_text_bytes(&beside, path, stem);
    lw_text_add(&beside, "json");
    char *text = read_head(lw_text_string(&beside), METADATA_MAX, &length);
    cJSON *root = text ? cJSON_ParseWithLength(text, length) : NULL;
    const cJSON *target = cJSON_GetObjectItemCaseSensitive(root, "target");
    if (target) {
        snprintf(about->name, sizeof about->name, "%s",
                 string_of(cJSON_GetObjectItemCaseSensitive(root, "name")));
        about->num_warps =
            (int)number_of(cJSON_GetObjectItemCaseSensitive(root, "num_warps"), 1024, 0);
        about->shared =
            number_of(cJSON_GetObjectItemCaseSensitive(root, "shared"), (int64_t)1 << 40, -1);
        take_target(about, target);
        keep_text(about->name);
        keep_text(about->target);
    }
    lw_text_free(&beside);
    cJSON_Delete(root);
    free(text);
    return about->target[0];
}

/* ---- The dump itself ---- */

static void read_dump(struct lw_kernel_about *about, const char *path)
{
    struct lw_kernel kernel;
    size_t length;
    char *text = read_head(path, HEAD_MAX, &length);
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
    if (!read_metadata(about, path))
        read_dump(about, path);
}
