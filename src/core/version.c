/* The version of the library, and whether a program was compiled for it. */

#include "laneway/laneway.h"

#include <string.h>

const char *lw_version(void)
{
    return LW_VERSION;
}

bool lw_check_headers(const char *version, size_t sizes, struct lw_error *err)
{
    bool same = !strcmp(version, LW_VERSION);
    if (same && sizes == LW_SIZES)
        return true;
    if (same)
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "this program was compiled with headers of another build of liblaneway "
                            "%s: compile it again with those that are installed",
                            LW_VERSION);
    return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                        "this program was compiled for liblaneway %.40s, and the library is %s: "
                        "compile it again, or install the other library",
                        version, LW_VERSION);
}
