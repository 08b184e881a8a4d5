/*
 * A layout shown short, names and numbers, where its source is too long to read: `blocked [1,8] [4,8] [4,1]`. What is
 * shown of an encoding is a row of the table; layouts of tilus and CuTe are shown in their own notation.
 */

#include "notation/document/read.h"

#include "encoding/schema/schema.h"

#include <string.h>

/* The parameters that are shown, in this order: `name` its value; `name?` its name too, and only when it is set to
 * another value than the default. Of bases their number is shown as a size, 2^n. */
struct shown {
    const char *type, *name, *params;
};

static const struct shown table[] = {
    {"blocked", "blocked", "sizePerThread threadsPerWarp warpsPerCTA order?"},
    {"linear", "linear", "register lane warp"},
    {"generic_linear", "generic_linear", "register lane warp"},
    {"slice", "slice", "dim parent"},
    {"nvidia_mma", "nvidia_mma", "versionMajor"},
    {"amd_mfma", "amd_mfma", "version instrShape isTransposed?"},
    {"amd_wmma", "amd_wmma", "version isTranspose?"},
    {"dot_op", "dot_op", "opIdx parent"},
    {"distributed", "distributed", "threadsPerWarp"},
    {"swizzled_shared", "swizzled_shared", "vec perPhase maxPhase order?"},
    {"amd_rotating_shared", "rotating_shared", "vec perPhase maxPhase order?"},
    {"nvmma_shared", "nvmma", "swizzlingByteWidth transposed? fp4Padded?"},
    {"padded_shared", "padded", "intervalPads order?"},
    {"shared_linear", "shared_linear", "offset"},
    {"partitioned_shared", "partitioned", "numPartitions numGroups partitionDim partitionLayout"},
    {"tensor_memory_encoding", "tensor_memory", "blockM blockN twoCTAs? fp4Padded?"},
    {"tensor_memory_scales_encoding", "tensor_memory_scales", "blockRepOrder?"},
    {"bases", "bases", "in"},
};

static void show_value(struct lw_text *text, const struct lw_param *param,
                       const struct lw_value *value)
{
    bool pads = param->type == LW_PARAM_PADDINGS;
    if (param->type == LW_PARAM_DIMS) { /* names and sizes */
        for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
            const struct lw_value *pair = &value->items[i];
            if (pair->count == 2 && pair->items[0].kind == LW_VALUE_STRING)
                lw_text_format(text, "%s%s %lld", i ? " " : "", pair->items[0].string,
                               (long long)pair->items[1].integer);
        }
    } else if (param->type == LW_PARAM_BASES) {
        lw_text_number(text, (uint64_t)1 << (value->count < 63 ? value->count : 63));
    } else if (value->kind == LW_VALUE_STRING) {
        lw_text_add(text, value->string);
    } else if (value->kind == LW_VALUE_LIST) {
        lw_text_char(text, '[');
        for (size_t i = 0; i < value->count && !lw_text_full(text); i++) {
            const struct lw_value *item = &value->items[i];
            lw_text_add(text, i ? "," : "");
            if (pads && item->kind == LW_VALUE_LIST && item->count == 2) {
                lw_value_print(text, &item->items[0]);
                lw_text_add(text, ":+");
                lw_value_print(text, &item->items[1]);
            } else {
                show_value(text, param, item);
            }
        }
        lw_text_char(text, ']');
    } else {
        lw_value_print(text, value);
    }
}

/* Whether a parameter has the value that it has when it is not set; an order, that from the last dim to the first. */
static bool is_default(struct lw_arena *arena, const struct lw_encoding *encoding, int index,
                       int rank)
{
    const struct lw_value *value = &encoding->params[index];
    struct lw_value normal = {0};
    struct lw_encoding *unset = lw_encoding_new(arena, encoding->type);
    bool descends = !strcmp(encoding->type->params[index].name, "order");
    if (unset)
        normal = lw_encoding_effective(arena, unset, index, rank);
    for (size_t i = 0; i < value->count && descends; i++)
        descends = value->items[i].integer == (int64_t)(value->count - 1 - i);
    return value->kind == LW_VALUE_NONE || descends || lw_value_equal(&normal, value);
}

/* Shows one parameter: a word of a row, `length` bytes. */
static void show_param(struct lw_text *text, struct lw_arena *arena,
                       const struct lw_encoding *encoding, const char *word, size_t length)
{
    char name[40];
    int rank = lw_schema_rank(encoding, NULL);
    bool optional = word[length - 1] == '?';
    snprintf(name, sizeof name, "%.*s", (int)length - optional, word);
    int index = lw_encoding_param(encoding, name);
    struct lw_value value = lw_encoding_effective(arena, encoding, index, rank);
    if (value.kind == LW_VALUE_NONE || (optional && is_default(arena, encoding, index, rank)))
        return;
    if (value.kind == LW_VALUE_ENCODING) {
        lw_text_add(text, " of ");
        lw_encoding_print_short(text, value.encoding);
        return;
    }
    if (optional)
        lw_text_format(text, " %s", name);
    if (!optional || value.kind != LW_VALUE_BOOLEAN) {
        lw_text_char(text, ' ');
        show_value(text, &encoding->type->params[index], &value);
    }
}

void lw_encoding_print_short(struct lw_text *text, const struct lw_encoding *encoding)
{
    const struct lw_encoding_type *type = encoding->type;
    const struct shown *row = NULL;
    struct lw_arena arena = {0};
    if (lw_text_full(text))
        return;
    if (type->spelling != LW_SPELLING_ATTRIBUTE && strcmp(type->name, "bases") != 0) {
        lw_encoding_print(text, encoding);
        return;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(table[i].type, type->name))
            row = &table[i];
    lw_text_add(text, row ? row->name : type->name);
    for (const char *word = row ? row->params : ""; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        show_param(text, &arena, encoding, word, length);
        word += length;
    }
    lw_arena_free(&arena);
}

void lw_document_print_short(struct lw_text *text, const struct lw_document *doc)
{
    const char *arrow = "";
    lw_tensor_print(text, &doc->tensor);
    if (doc->tensor.rank >= 0 || doc->tensor.element.bits)
        lw_text_add(text, "  ");
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_document_layout *other = &doc->others[i];
        bool own = i == (int)doc->side;
        if (!own && !other->encoding)
            continue;
        lw_text_add(text, arrow);
        arrow = " > ";
        int rank = own ? -1 : other->tensor.rank;
        if (rank >= 0 &&
            (rank != doc->tensor.rank || memcmp(other->tensor.shape, doc->tensor.shape,
                                                (size_t)rank * sizeof *doc->tensor.shape) != 0)) {
            lw_tensor_print(text, &other->tensor);
            lw_text_char(text, ' ');
        }
        lw_encoding_print_short(text, own ? doc->encoding : other->encoding);
    }
}
