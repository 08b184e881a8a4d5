/* Hardware models by name. */

#include "cli/cli.h"

const struct lw_hardware *lw_target_get(const char *name, struct lw_error *err)
{
    char hint[LW_HINT_MAX], plain[32];
    const struct lw_hardware *hardware = lw_hardware_find(name);
    if (hardware)
        return hardware;
    lw_hardware_normalize_name(plain, sizeof plain, name);
    lw_text_hint(hint, lw_nearest(plain, &lw_choices_targets),
                 "; 'laneway help targets' lists them");
    lw_error_set(err, LW_ERROR_NAME, "unknown target '%.40s'%s", name, hint);
    return NULL;
}
