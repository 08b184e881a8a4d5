/* The colours that figures can have. */

#include "export/export_parts.h"

#include <string.h>

static const struct lw_export_palette palettes[] = {
    {"auto", "light, or dark where the reader's scheme is dark (the default)", "light", "dark"},
    {"light", "on white", "light", NULL},
    {"dark", "on black", "dark", NULL},
    {"safe", "as auto, for eyes that do not distinguish red from green", "safe-light", "safe"},
    {"safe-light", "the same on white", "safe-light", NULL},
    {"safe-dark", "the same on black", "safe", NULL},
};

const struct lw_export_palette *lw_export_palettes(size_t *count)
{
    *count = sizeof palettes / sizeof *palettes;
    return palettes;
}

const struct lw_export_palette *lw_find_palette(const char *name)
{
    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++)
        if (!name || !strcmp(palettes[i].name, name))
            return &palettes[i];
    return NULL;
}
