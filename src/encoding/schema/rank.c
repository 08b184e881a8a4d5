/* The rank that an encoding's parameters give. */

#include "encoding/schema/schema.h"

static bool is_list(const struct lw_value *value)
{
    return value->kind == LW_VALUE_LIST;
}

static size_t matrix_rank(const struct lw_value *matrix)
{
    size_t rank = 0;
    for (; is_list(matrix) && matrix->count && rank <= LW_RANK_MAX; matrix = &matrix->items[0])
        rank++;
    return rank;
}

int lw_schema_rank(const struct lw_encoding *encoding, const struct lw_tensor *tensor)
{
    if (tensor && tensor->rank >= 0)
        return tensor->rank;
    for (size_t i = 0; i < encoding->type->param_count; i++) {
        const struct lw_param *param = &encoding->type->params[i];
        const struct lw_value *value = &encoding->params[i];
        if (!(param->rules & LW_RULE_RANK) || !is_list(value))
            continue;
        size_t count = value->count;
        if (param->type == LW_PARAM_BASES) {
            if (count == 0 || !is_list(&value->items[0]))
                continue;
            count = value->items[0].count;
        }
        if (param->type == LW_PARAM_MATRIX)
            count = matrix_rank(value);
        return count > LW_RANK_MAX ? -1 : (int)count;
    }
    return -1;
}

int lw_distributed_rank(const struct lw_encoding *encoding)
{
    int dropped = 0;
    for (int depth = 0; depth <= LW_NESTING_MAX; depth++) {
        const struct lw_encoding *parent = lw_encoding_nested(encoding, "parent");
        int rank = lw_schema_rank(encoding, NULL);
        if (!parent)
            return rank < 0 ? -1 : rank - dropped;
        dropped += lw_encoding_param(encoding, "dim") >= 0;
        encoding = parent;
    }
    return -1;
}
