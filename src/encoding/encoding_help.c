/* The help page of an encoding, made from its schema. */

#include "laneway/encoding.h"

#include <string.h>

void lw_param_meaning(struct lw_text *text, const struct lw_param *param)
{
    static const char *const fallback[] = {
        [LW_DEFAULT_REQUIRED] = "required",
        [LW_DEFAULT_ABSENT] = "optional",
        [LW_DEFAULT_NUMBER] = NULL,
        [LW_DEFAULT_ONES] = "default [1, ..., 1]",
        [LW_DEFAULT_DESCENDING] = "default [n-1, ..., 0]",
        [LW_DEFAULT_EMPTY] = "default []",
    };
    lw_param_legal(text, param);
    if (fallback[param->fallback])
        lw_text_format(text, "; %s", fallback[param->fallback]);
    else if (param->type == LW_PARAM_BOOLEAN)
        lw_text_format(text, "; default %s", param->number ? "true" : "false");
    else
        lw_text_format(text, "; default %lld", (long long)param->number);
}

void lw_encoding_help(struct lw_text *text, const struct lw_encoding_type *type)
{
    lw_text_format(text, "%s: %s\n", type->name, type->title);
    lw_text_add(text, *type->about ? "\n" : "");
    lw_text_paragraphs(text, type->about);
    if (type->param_count)
        lw_text_add(text, "\nParameters:\n");
    size_t width = 0;
    for (size_t i = 0; i < type->param_count; i++)
        if (strlen(type->params[i].name) > width)
            width = strlen(type->params[i].name);
    for (size_t i = 0; i < type->param_count; i++) {
        struct lw_text legal = {0};
        lw_text_row(text, type->params[i].name, width, type->params[i].help);
        lw_param_meaning(&legal, &type->params[i]);
        lw_text_row(text, "", width, lw_text_string(&legal));
        lw_text_free(&legal);
    }
    if (type->example && *type->example)
        lw_text_format(text, "\nExample:\n  laneway show '%s'\n", type->example);
}
