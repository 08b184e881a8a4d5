/* Views by name; the list of them is in views.h. */

#include "view/views.h"

#include <string.h>

#define ADDRESS(NAME) &lw_view_##NAME,
static const struct lw_view_type *const types[] = {LW_VIEW_TYPES(ADDRESS)};
#undef ADDRESS

#define TYPE_COUNT (sizeof types / sizeof *types)

const struct lw_view_type *const *lw_view_types(size_t *count)
{
    *count = TYPE_COUNT;
    return types;
}

const struct lw_view_type *lw_view_type_find(const char *name)
{
    for (size_t i = 0; i < TYPE_COUNT; i++)
        if (!strcmp(types[i]->name, name))
            return types[i];
    return NULL;
}

const char *lw_view_dropped(const char *name)
{
    static const struct {
        const char *name, *instead;
    } dropped[] = {
        {"words", "notation"},
        {"plan", "banks"},
        {"sources", "conversion, or 'laneway convert', which prints each bit"},
        {"exchange", "conversion, or 'laneway convert', which prints the swizzle"},
    };
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (!strcmp(name, dropped[i].name))
            return dropped[i].instead;
    return NULL;
}
