/* The fields of a form, from the schema of the document's encodings, and how they are drawn. */

#include "tui/param_form.h"

#include <string.h>

/* ---- Fields ---- */

/* Adds a field; `prefix` NULL: a heading. What is too long is cut, and then not found when it is set. */
static void add(struct lw_param_form *form, const char *prefix, const char *name, int depth,
                const struct lw_param *param, const char *value, bool is_set)
{
    if (form->count == LW_FIELDS_ROOM)
        return;
    struct lw_param_field *field = &form->fields[form->count++];
    *field =
        (struct lw_param_field){.name = name, .param = param, .depth = depth, .is_set = is_set};
    if (prefix)
        snprintf(field->path, sizeof field->path, "%s%s", prefix, name);
    snprintf(field->value, sizeof field->value, "%s", value);
}

/* Adds the parameters of an encoding, then those of the encodings in it. */
static void add_encoding(struct lw_param_form *form, const struct lw_encoding *encoding,
                         const char *path, int depth, int rank)
{
    const struct lw_encoding_type *type = encoding->type;
    add(form, NULL, type->name, depth, NULL, "", false);
    for (size_t i = 0; i < type->param_count; i++) {
        const struct lw_param *param = &type->params[i];
        const bool is_set = encoding->params[i].kind != LW_VALUE_NONE;
        struct lw_arena arena = {0};
        struct lw_text text = {0};
        if (encoding->params[i].kind == LW_VALUE_ENCODING ||
            (!is_set && param->fallback == LW_DEFAULT_ABSENT))
            continue;
        const struct lw_value value = lw_encoding_effective(&arena, encoding, (int)i, rank);
        lw_value_print(&text, &value);
        add(form, path, param->name, depth + 1, param, lw_text_string(&text), is_set);
        lw_text_free(&text);
        lw_arena_free(&arena);
    }
    for (size_t i = 0; i < type->param_count && depth < LW_NESTING_MAX; i++) {
        char below[LW_FIELD_PATH];
        snprintf(below, sizeof below, "%s%s.", path, type->params[i].name);
        if (encoding->params[i].kind == LW_VALUE_ENCODING)
            add_encoding(form, encoding->params[i].encoding, below, depth + 1, rank);
    }
}

static void add_tensor(struct lw_param_form *form, const char *prefix,
                       const struct lw_tensor *tensor)
{
    struct lw_text text = {0};
    for (int d = 0; d < tensor->rank; d++)
        lw_text_format(&text, "%s%llu", d ? ", " : "[", (unsigned long long)tensor->shape[d]);
    if (tensor->rank >= 0)
        lw_text_add(&text, tensor->rank ? "]" : "[]");
    add(form, prefix, "shape", 1, NULL, lw_text_string(&text), tensor->rank >= 0);
    add(form, prefix, "element", 1, NULL, tensor->element.name, tensor->element.name[0] != '\0');
    lw_text_free(&text);
}

static void add_side(struct lw_param_form *form, const struct lw_document *doc, enum lw_side side)
{
    const bool is_own = side == doc->side, several = lw_document_is_access(doc);
    const struct lw_encoding *encoding = is_own ? doc->encoding : doc->others[side].encoding;
    const struct lw_tensor *tensor = is_own ? &doc->tensor : &doc->others[side].tensor;
    char prefix[16] = "";
    if (!encoding)
        return;
    if (!is_own)
        snprintf(prefix, sizeof prefix, "%s.", lw_side_key(side));
    if (several)
        add(form, NULL, lw_side_name(side), 0, NULL, "", false);
    if (is_own || tensor->rank >= 0 || tensor->element.name[0])
        add_tensor(form, prefix, tensor);
    add_encoding(form, encoding, prefix, several, tensor->rank > 0 ? tensor->rank : 2);
}

/* ---- The list ---- */

static void cell(void *context, size_t row, int column, struct lw_text *text, struct lw_pen *pen)
{
    const struct lw_param_form *form = context;
    const struct lw_param_field *field = &form->fields[row];
    if (column == 0) {
        lw_text_repeat(text, ' ', (size_t)field->depth);
        lw_text_add(text, field->name);
        *pen = lw_tone(field->path[0] ? LW_TONE_FAINT : LW_TONE_TITLE);
    } else {
        lw_text_add(text, field->value);
        *pen = lw_tone(field->is_set ? LW_TONE_TEXT : LW_TONE_FAINT);
    }
}

static bool is_apart(void *context, size_t row)
{
    const struct lw_param_form *form = context;
    return !form->fields[row].path[0];
}

static const struct lw_column columns[] = {{"", false, 0}, {"", false, 4}};
static const struct lw_list_source source = {columns, 2, cell, is_apart, NULL};

void lw_param_form_fill(struct lw_param_form *form, const struct lw_document *doc)
{
    form->count = 0;
    add_side(form, doc, doc->side);
    for (int i = 0; i < LW_SIDES; i++)
        if ((enum lw_side)i != doc->side)
            add_side(form, doc, (enum lw_side)i);
    form->list.source = &source;
    form->list.context = form;
    form->list.has_focus = true;
    lw_list_changed(&form->list, form->count);
}

const struct lw_param_field *lw_param_form_field(const struct lw_param_form *form)
{
    return form->list.at < form->count && form->fields[form->list.at].path[0]
               ? &form->fields[form->list.at]
               : NULL;
}

/* ---- Drawing ---- */

void lw_param_form_draw(struct lw_param_form *form, struct lw_surface *surface, struct lw_rect rect)
{
    const struct lw_rect rows = {rect.row, rect.col + 1, rect.height, rect.width - 1};
    for (int row = rect.row; row < rect.row + rect.height; row++) {
        lw_put_repeated(surface, row, rect.col, rect.width, lw_tone(LW_TONE_TEXT), " ");
        lw_put(surface, row, rect.col, 1, lw_tone(LW_TONE_RULE), "\xe2\x94\x82");
    }
    lw_list_draw(&form->list, surface, rows);
}
