/* Why an edited layout is not legal, and the field of that problem. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"

#include <string.h>

struct lw_error *lw_form_problem(struct lw_explorer *ex, const char *path)
{
    size_t length;
    enum lw_side side = lw_explorer_entry(ex)->doc->side;
    lw_document_find_side(path, &side, &length);
    if (strcmp(path, "with") != 0)
        return side == ex->layouts.side ? &ex->layouts.problem : &ex->layouts.side_problems[side];
    for (int i = 0; i < LW_SIDES; i++)
        if (ex->layouts.side_problems[i].code != LW_OK)
            return &ex->layouts.side_problems[i];
    return &ex->layouts.problem;
}

/* Whether a problem is about a field by its name. */
static bool is_about(struct lw_explorer *ex, const struct lw_error *problem,
                     const struct lw_field *field)
{
    return field->path[0] && problem == lw_form_problem(ex, field->path) &&
           !strcmp(problem->parameter, field->label);
}

bool lw_form_is_bad(struct lw_explorer *ex, const struct lw_field *field)
{
    const struct lw_error *problem = lw_form_problem(ex, field->path);
    if (problem->code == LW_OK || !field->path[0] || field->hidden)
        return false;
    if (ex->focus != LW_FOCUS_EDIT || field != &ex->form.fields[ex->form.field])
        return is_about(ex, problem, field);
    for (size_t i = 0; i < ex->form.count; i++)
        if (i != ex->form.field && !ex->form.fields[i].hidden &&
            is_about(ex, problem, &ex->form.fields[i]))
            return false;
    return true;
}
