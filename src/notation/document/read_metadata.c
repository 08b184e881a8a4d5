/*
 * The metadata that Triton writes beside a kernel, a JSON object. It may hold null and numbers that are not integers,
 * which values (value.h) cannot express; so this reads cJSON's tree.
 *
 * Source: triton/compiler/compiler.py, which writes "name", "num_warps", "shared", and as "target" an object
 * {"backend": "cuda", "arch": 90}; before 3.0 a list ["cuda", 90].
 */

#include "laneway/kernel.h"
#include "notation/document/read.h"

#include <cJSON.h>
#include <string.h>

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

/* Empties a text that cannot be shown on one line. */
static void keep_text(char *text)
{
    if (!lw_check_bytes(text, strlen(text), NULL) || strpbrk(text, "\r\n\t"))
        *text = '\0';
}

bool lw_read_metadata(struct lw_kernel_about *about, const char *text, size_t length)
{
    const char *end;
    cJSON *root = cJSON_ParseWithLengthOpts(text, length, &end, false);
    const cJSON *target = cJSON_GetObjectItemCaseSensitive(root, "target");
    if (target) {
        snprintf(about->name, sizeof about->name, "%s",
                 string_of(cJSON_GetObjectItemCaseSensitive(root, "name")));
        about->num_warps =
            (int)number_of(cJSON_GetObjectItemCaseSensitive(root, "num_warps"), 1024, 0);
        about->shared =
            number_of(cJSON_GetObjectItemCaseSensitive(root, "shared"), (int64_t)1 << 40, -1);
        take_target(about, target);
        snprintf(about->triton, sizeof about->triton, "%s",
                 string_of(cJSON_GetObjectItemCaseSensitive(root, "triton_version")));
        keep_text(about->name);
        keep_text(about->triton);
        keep_text(about->target);
    }
    cJSON_Delete(root);
    return about->target[0];
}
