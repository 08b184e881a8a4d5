/* The content of a view as numbers. */

#include "export/cell_values.h"

#include "view/conversion/view_conversion.h"

#include <string.h>

/* ---- Cells ---- */

/* Adds the names of the fields of a layout that others before it lack. */
static void add_names(struct lw_values *values, const struct lw_subject *subject)
{
    const char *names[LW_FIELDS_MAX];
    size_t count = lw_subject_fields(subject, names);
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < values->count && strcmp(values->names[k], names[i]) != 0)
            k++;
        if (k == values->count && k < LW_FIELDS_MAX)
            values->names[values->count++] = names[i];
    }
}

static void find_fields(struct lw_values *values, const struct lw_subject *subject, int layout)
{
    for (size_t i = 0; i < values->count; i++) {
        struct lw_cell_field *field = &values->fields[layout][i];
        if (!lw_cell_field_find(subject, values->names[i], strlen(values->names[i]), field))
            field->kind = LW_FIELD_NONE;
    }
}

void lw_values_open(struct lw_values *values, const struct lw_view *view)
{
    memset(values, 0, sizeof *values);
    values->view = view;
    values->subject = view->subject;
    if (!view->type->spot)
        return;
    add_names(values, view->subject);
    const char *name = "";
    for (int i = 1; view->type->layout && i < LW_VALUES_LAYOUTS; i++) {
        const struct lw_subject *subject = lw_view_layout(view, i, &name);
        if (subject)
            add_names(values, subject);
    }
    for (int i = 1; view->type->layout && i < LW_VALUES_LAYOUTS; i++) {
        const struct lw_subject *subject = lw_view_layout(view, i, &name);
        if (!subject && !*name)
            break;
        values->operand_names[values->operands++] = name;
        if (subject)
            find_fields(values, subject, i);
    }
    if (values->operands)
        values->names[values->count++] = "operand";
    find_fields(values, view->subject, 0);
}

uint64_t lw_values_of(struct lw_values *values, uint64_t row, uint64_t col)
{
    const struct lw_view *view = values->view;
    struct lw_spot *spot = &values->spot;
    const char *name;
    values->all = false;
    if (!view->type->spot || !view->type->spot(view, row, col, spot))
        return 0;
    values->subject = lw_view_layout(view, spot->operand, &name);
    if (!values->subject || spot->operand >= LW_VALUES_LAYOUTS)
        return 0;
    if (spot->has_out && view->type->formatted &&
        !view->type->indices) { /* all owners of an element */
        lw_owners_of(&values->owners, &values->subject->map, spot->out);
        values->all = values->owners.count > 0;
        return values->all ? values->owners.count : 1;
    }
    return 1;
}

bool lw_value_at(const struct lw_values *values, uint64_t k, size_t i, uint64_t *number)
{
    const struct lw_spot *spot = &values->spot;
    struct lw_cell_field field = values->fields[spot->operand][i];
    uint64_t in[LW_DIMS_MAX];
    const uint64_t *from = spot->in;
    if (values->operands && i + 1 == values->count) { /* the index in operand_names */
        const char *name = "";
        lw_view_layout(values->view, spot->operand, &name);
        for (*number = 0;
             *number + 1 < values->operands && strcmp(values->operand_names[*number], name) != 0;)
            ++*number;
        return true;
    }
    if (field.kind == LW_FIELD_NONE)
        return false;
    if (values->all) {
        lw_owners_get(&values->owners, k, in);
        from = in;
    }
    bool has = lw_cell_field_of_index(field) ? values->all || spot->has_in : spot->has_out;
    if (has)
        *number = lw_cell_field_value(values->subject, field, from, spot->out);
    return has;
}

/* ---- Moves ---- */

static void put_names(FILE *stream, const char *prefix, const struct lw_dims *dims,
                      const char *quote)
{
    for (int d = 0; d < dims->count; d++)
        fprintf(stream, "%s%s%s%s,", quote, prefix, dims->dim[d].name, quote);
}

static void put_numbers(FILE *stream, int count, const uint64_t *number)
{
    for (int d = 0; d < count; d++)
        fprintf(stream, "%llu,", (unsigned long long)number[d]);
}

void lw_put_move_names(FILE *stream, const struct lw_view *view, const char *quote)
{
    const struct lw_conversion *conversion = lw_conversion_of(view);
    put_names(stream, "from_", &conversion->from.in, quote);
    put_names(stream, "to_", &conversion->to.in, quote);
    put_names(stream, "", &view->subject->map.out, quote);
    fprintf(stream, "%scrosses%s", quote, quote);
}

void lw_put_move(FILE *stream, const struct lw_view *view, uint64_t i, const char *quote)
{
    const struct lw_conversion *conversion = lw_conversion_of(view);
    struct lw_move move;
    lw_conversion_move(view, i, &move);
    put_numbers(stream, conversion->from.in.count, move.from);
    put_numbers(stream, conversion->to.in.count, move.to);
    put_numbers(stream, view->subject->map.out.count, move.out);
    fprintf(stream, "%s%s%s", quote, move.crosses, quote);
}
