/* Changing a document: one parameter, a part of the tensor, or a whole layout is set to a value in text. */

#include "notation/document/read.h"

#include <string.h>

/* Sets the shape or the allocation; NONE unsets it. An allocation that is equal to the shape changes with it. */
static bool set_sizes(struct lw_tensor *tensor, const char *name, const struct lw_value *value,
                      struct lw_error *err)
{
    struct lw_tensor edited = *tensor;
    bool alloc = strcmp(name, "alloc") == 0;
    size_t bytes = tensor->rank > 0 ? (size_t)tensor->rank * sizeof *tensor->shape : 0;
    bool whole = tensor->alloc_rank == tensor->rank && !memcmp(tensor->alloc, tensor->shape, bytes);
    if (value->kind == LW_VALUE_NONE) {
        edited.rank = alloc ? edited.rank : -1;
        edited.alloc_rank = 0;
    } else if (alloc && tensor->rank < 0) {
        return lw_error_set(
            err, LW_ERROR_PARAMETER,
            "'alloc', the shape of the allocation, needs 'shape', that of the tensor in it");
    } else if (!lw_read_sizes(name, value, alloc ? edited.alloc : edited.shape,
                              alloc ? &edited.alloc_rank : &edited.rank, err)) {
        return false;
    } else if (!alloc && whole) {
        edited.alloc_rank = edited.rank;
        memcpy(edited.alloc, edited.shape, sizeof edited.alloc);
    }
    *tensor = edited;
    return true;
}

/* Replaces the layout at a side, or the document's own where `own` is set; its tensor is kept where the new one sets
 * none. An empty text removes another layout. */
static bool set_layout(struct lw_document *doc, bool own, enum lw_side side, const char *text,
                       struct lw_error *err)
{
    struct lw_document inner;
    bool removes = !own && !text[strspn(text, " \t")];
    if (removes && side == doc->side)
        return lw_error_set(err, LW_ERROR_PARAMETER,
                            "%s is the layout of this document, and cannot be removed",
                            lw_side_key(side));
    if (removes) {
        doc->others[side].encoding = NULL;
        lw_tensor_unknown(&doc->others[side].tensor);
        return true;
    }
    if (!lw_read_named_layout(doc, text, &inner, err) ||
        (!own && !lw_check_side(&inner, side, err)))
        return false;
    lw_move_encoding(inner.encoding, NULL);
    if (!own)
        lw_document_settle(doc);
    struct lw_document_layout *other = own || side == doc->side ? NULL : &doc->others[side];
    struct lw_tensor *tensor = other ? &other->tensor : &doc->tensor;
    if (other && !other->encoding)
        lw_tensor_unknown(tensor);
    *(other ? &other->encoding : &doc->encoding) = inner.encoding;
    if (!other)
        doc->expression = inner.expression;
    lw_tensor_override(tensor, &inner.tensor);
    if (own)
        lw_document_settle(doc);
    return true;
}

/* The encoding and the tensor that a name is about, and the name without its prefix. */
static bool find_layout(struct lw_document *doc, const char **name, struct lw_encoding **encoding,
                        struct lw_tensor **tensor, struct lw_error *err)
{
    enum lw_side side = doc->side;
    size_t length;
    bool own = !lw_document_find_side(*name, &side, &length) || side == doc->side;
    *encoding = own ? doc->encoding : doc->others[side].encoding;
    *tensor = own ? &doc->tensor : &doc->others[side].tensor;
    if (!*encoding)
        return lw_error_set(err, LW_ERROR_NAME, "%.60s: there is no layout at %s", *name,
                            lw_side_name(side));
    *name += length;
    return true;
}

/* Reads any value; a list of integers may be written 16x64, or as one integer. */
static bool read_list(struct lw_document *doc, const char *text, struct lw_value *value,
                      struct lw_error *err)
{
    struct lw_tensor edited = {.rank = 1};
    int64_t sizes[LW_RANK_MAX];
    const char *start = text + strspn(text, " \t");
    size_t digits = strspn(start, "0123456789");
    if (!digits || start[digits] != 'x') {
        if (!lw_value_read(&doc->arena, text, value, err))
            return false;
        if (value->kind != LW_VALUE_INTEGER)
            return true;
        sizes[0] = value->integer;
    } else {
        if (!lw_tensor_read(&edited, text, err))
            return false;
        if (edited.element.bits)
            return lw_error_set(err, LW_ERROR_SYNTAX, "'%.60s' is not a list of integers", text);
        for (int i = 0; i < edited.rank; i++)
            sizes[i] = (int64_t)edited.shape[i];
    }
    *value = lw_value_integers(&doc->arena, sizes, (size_t)edited.rank);
    return value->kind == LW_VALUE_LIST || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

/* An empty text unsets the parameter; a string needs no quotes. */
static bool read_param(struct lw_document *doc, const struct lw_param *param, const char *text,
                       struct lw_value *value, struct lw_error *err)
{
    struct lw_document inner;
    size_t length = strlen(text);
    const char *trimmed = text;
    memset(value, 0, sizeof *value);
    lw_trim(&trimmed, &length);
    if (param->type == LW_PARAM_ENCODING && length) {
        if (!lw_read_named_layout(doc, text, &inner, err))
            return false;
        *value = (struct lw_value){.kind = LW_VALUE_ENCODING, .encoding = inner.encoding};
        return true;
    }
    if (param->type == LW_PARAM_STRING && *trimmed != '"') {
        value->kind = length ? LW_VALUE_STRING : LW_VALUE_NONE;
        value->string = lw_arena_string(&doc->arena, trimmed, length);
        return value->string || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    }
    if (param->type == LW_PARAM_INTEGERS ? read_list(doc, text, value, err)
                                         : lw_value_read(&doc->arena, text, value, err))
        return true;
    snprintf(err->parameter, sizeof err->parameter, "%s", param->name);
    return false;
}

/* A layout of CuTe that is an operand of a tiling: another tiling or operand gives another layout, and a layout
 * that is edited otherwise is no longer an operand. */
static bool follow_tiling(struct lw_document *doc, struct lw_encoding *cute, const char *edited,
                          struct lw_error *err)
{
    struct lw_document inner;
    struct lw_text source = {0};
    struct lw_value *tiling = &cute->params[lw_encoding_param(cute, "tiling")];
    struct lw_value *operand = &cute->params[lw_encoding_param(cute, "operand")];
    if (tiling->kind != LW_VALUE_STRING || operand->kind != LW_VALUE_STRING ||
        (strcmp(edited, "tiling") != 0 && strcmp(edited, "operand") != 0)) {
        tiling->kind = operand->kind = LW_VALUE_NONE;
        return true;
    }
    if (strlen(operand->string) != 1 || !strchr("ABCSD", *operand->string))
        return lw_error_about(err, "operand", operand->position,
                              "operand: A, B or C of a tiled MMA, S or D of a tiled copy");
    lw_text_format(&source, "%s.%s", tiling->string, operand->string);
    bool good = lw_read_named_layout(doc, lw_text_string(&source), &inner, err) &&
                (inner.encoding->type == cute->type ||
                 lw_error_set(err, LW_ERROR_PARAMETER, "%.200s is not a layout of CuTe",
                              lw_text_string(&source)));
    lw_text_free(&source);
    if (!good) {
        snprintf(err->parameter, sizeof err->parameter, "%s", edited);
        return false;
    }
    struct lw_value made = {.kind = LW_VALUE_ENCODING, .encoding = inner.encoding};
    lw_move_value(&made, NULL);
    memcpy(cute->params, inner.encoding->params, cute->type->param_count * sizeof *cute->params);
    if (cute == doc->encoding)
        doc->tensor = inner.tensor; /* each operand has its own tile and element */
    for (int i = 0; i < LW_SIDES; i++)
        if (cute == doc->others[i].encoding)
            doc->others[i].tensor = inner.tensor;
    return true;
}

static bool set_param(struct lw_document *doc, struct lw_encoding *encoding, const char *path,
                      const char *text, struct lw_error *err)
{
    struct lw_encoding *owner;
    struct lw_value value;
    int index;
    if (!lw_encoding_find(encoding, path, &owner, &index, err) ||
        !read_param(doc, &owner->type->params[index], text, &value, err))
        return false;
    const struct lw_param *param = &owner->type->params[index];
    const struct lw_value before = owner->params[index];
    if (param->rules & LW_RULE_FOLLOWS && before.kind != LW_VALUE_NONE &&
        value.kind != LW_VALUE_NONE && !lw_value_equal(&before, &value))
        return lw_error_about(err, param->name, (struct lw_position){0},
                              "%s: the layout is that of %s %lld, and another one has another "
                              "layout: write its source, as get_slice(6).partition_A(...)",
                              param->name, param->name, (long long)before.integer);
    lw_move_value(&value, NULL);
    owner->params[index] = value;
    lw_fill_call(owner);
    bool follows =
        owner->type->spelling != LW_SPELLING_CUTE || follow_tiling(doc, owner, param->name, err);
    if (follows && lw_check_nesting(encoding, (struct lw_position){0}, err)) {
        doc->expression = encoding == doc->encoding ? NULL : doc->expression;
        return true;
    }
    owner->params[index] = before;
    return false;
}

/* Whether a name is that of the tensor, not of a parameter: a tilus layout has a parameter "shape". */
static bool is_of_tensor(const struct lw_encoding *encoding, const char *name)
{
    bool shape = strcmp(name, "shape") == 0;
    return (shape || strcmp(name, "element") == 0 || strcmp(name, "alloc") == 0) &&
           ((shape && encoding->type->spelling == LW_SPELLING_ATTRIBUTE) ||
            lw_encoding_param(encoding, name) < 0);
}

bool lw_document_set(struct lw_document *doc, const char *name, const char *value,
                     struct lw_error *err)
{
    struct lw_error scratch;
    struct lw_encoding *encoding;
    struct lw_tensor *tensor;
    struct lw_value sizes;
    enum lw_side side = doc->side;
    size_t length;
    bool own = strcmp(name, "encoding") == 0;
    err = err ? err : &scratch;
    if (own || (lw_document_find_side(name, &side, &length) && !name[length]))
        return set_layout(doc, own, side, value, err);
    if (strcmp(name, "triton") == 0) { /* of an empty text the newest */
        struct lw_triton_choice choice = {.version = LW_TRITON_NEWEST};
        if (*value && !lw_triton_find(&choice.version, value, err))
            return false;
        lw_encoding_set_triton(doc->encoding, choice);
        lw_document_set_triton_of_others(doc, choice);
        return true;
    }
    if (!strcmp(name, "with") || !strncmp(name, "with.", 5))
        return lw_error_set(err, LW_ERROR_NAME, "%.60s: the other layouts are 'shared' and 'load'",
                            name);
    if (!find_layout(doc, &name, &encoding, &tensor, err))
        return false;
    if (!is_of_tensor(encoding, name))
        return set_param(doc, encoding, name, value, err);
    if (strcmp(name, "element") == 0) {
        struct lw_element element = {0};
        if (*value && !lw_element_find(&element, value, err)) {
            err->code = LW_ERROR_PARAMETER;
            snprintf(err->parameter, sizeof err->parameter, "element");
            return false;
        }
        tensor->element = element;
        return true;
    }
    if (!read_list(doc, value, &sizes, err) || !set_sizes(tensor, name, &sizes, err))
        return false;
    /* An encoding that has the shape as a parameter too follows. */
    return strcmp(name, "shape") != 0 || !lw_encoding_is_set(encoding, "shape") ||
           set_param(doc, encoding, "shape", value, err);
}
