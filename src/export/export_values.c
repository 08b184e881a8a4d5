/* What cells hold, as numbers: for json and csv. */

#include "export/export_values.h"

#include <string.h>

void lw_values_open(struct lw_values *values, const struct lw_view *view)
{
    memset(values, 0, sizeof *values);
    values->view = view;
    if (!view->type->spot)
        return;
    values->count = lw_subject_fields(view->subject, values->names);
    for (size_t i = 0; i < values->count; i++)
        lw_cell_field_find(view->subject, values->names[i], strlen(values->names[i]),
                           &values->fields[i]);
}

uint64_t lw_values_of(struct lw_values *values, uint64_t row, uint64_t col)
{
    const struct lw_view *view = values->view;
    struct lw_spot *spot = &values->spot;
    values->all = false;
    if (!view->type->spot || !view->type->spot(view, row, col, spot))
        return 0;
    if (spot->has_out && view->type->formatted &&
        !view->type->indices) { /* all owners of an element */
        lw_owners_of(&values->owners, &view->subject->map, spot->out);
        values->all = values->owners.count > 0;
        return values->all ? values->owners.count : 1;
    }
    return 1;
}

bool lw_value_at(const struct lw_values *values, uint64_t k, size_t i, uint64_t *number)
{
    struct lw_cell_field field = values->fields[i];
    const struct lw_spot *spot = &values->spot;
    uint64_t in[LW_DIMS_MAX];
    const uint64_t *from = spot->in;
    if (values->all) {
        lw_owners_get(&values->owners, k, in);
        from = in;
    }
    bool has = lw_cell_field_of_index(field) ? values->all || spot->has_in : spot->has_out;
    if (has)
        *number = lw_cell_field_value(values->view->subject, field, from, spot->out);
    return has;
}
