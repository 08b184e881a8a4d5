/* The versions of Triton that are known. */

#include "laneway/triton.h"

#include "core/array_count.h"

#include <stdio.h>
#include <string.h>

static const struct lw_triton_version versions[] = {
    {"3.9", LW_TRITON_3_9, "blocked layouts without registers that hold copies (the default)"},
    {"3.8", LW_TRITON_3_8, "generic_linear, partitioned_shared, CGALayout of tensor memory"},
    {"3.7", LW_TRITON_3_7, "the layouts of 3.6"},
    {"3.6", LW_TRITON_3_6, "CGALayout instead of CTAsPerCGA, CTASplitNum and CTAOrder"},
    {"3.5", LW_TRITON_3_5, "the oldest that is known"},
};

const struct lw_triton_version *lw_triton_versions(size_t *count)
{
    *count = LW_COUNT(versions);
    return versions;
}

bool lw_triton_find(enum lw_triton *version, const char *name, struct lw_error *err)
{
    char known[64] = "";
    for (size_t i = 0; i < LW_COUNT(versions); i++) {
        size_t length = strlen(versions[i].name);
        if (!strncmp(name, versions[i].name, length) && (!name[length] || name[length] == '.')) {
            *version = versions[i].version;
            return true;
        }
    }
    for (size_t i = LW_COUNT(versions); i-- > 0;)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", versions[i].name,
                 i > 1    ? ", "
                 : i == 1 ? " and "
                          : "");
    return lw_error_set(err, LW_ERROR_NAME, "unknown version of Triton '%.40s': %s are known", name,
                        known);
}

const char *lw_triton_name(enum lw_triton version)
{
    for (size_t i = 0; i < LW_COUNT(versions); i++)
        if (versions[i].version == version)
            return versions[i].name;
    return versions[0].name;
}

bool lw_triton_since(enum lw_triton version, enum lw_triton first)
{
    return version == LW_TRITON_UNSET || version >= first;
}

enum lw_identity_rule lw_triton_identity_rule(enum lw_triton version)
{
    return lw_triton_since(version, LW_TRITON_3_9)   ? LW_IDENTITY_APART
           : lw_triton_since(version, LW_TRITON_3_8) ? LW_IDENTITY_ANY
                                                     : LW_IDENTITY_SIZED;
}
