/* The dialects of MLIR that have layouts, with the names that older releases of Triton give them. */

#include "notation/mlir/read_mlir.h"

#include <string.h>

static const char *const dialects[] = {"ttg",  "triton_gpu", "ttng", "triton_nvidia_gpu",
                                       "amdg", "amdgpu",     "gluon"};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

static const char *dialect_at(const void *context, size_t i)
{
    (void)context;
    return dialects[i];
}

bool lw_is_dialect(const char *name, size_t length)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (strlen(dialects[i]) == length && memcmp(dialects[i], name, length) == 0)
            return true;
    return false;
}

bool lw_check_dialect(const char *name, struct lw_position position, struct lw_error *err)
{
    if (lw_is_dialect(name, strlen(name)))
        return true;
    const char *near = lw_text_nearest(name, DIALECTS, dialect_at, NULL);
    char hint[LW_HINT_MAX];
    return lw_error_at(err, LW_ERROR_NAME, position, "unknown dialect '%s'%s", name,
                       lw_text_hint(hint, near, ": layouts are in 'ttg' and 'ttng'"));
}
