/* Candidates of the search as encodings, and as labels. */

#include "analysis/swizzle/swizzle_parts.h"
#include "encoding/triton/linear_bases.h"

#include <string.h>

/* An encoding that is being filled; `good` is false when memory is out. */
struct filling {
    struct lw_arena *arena;
    struct lw_encoding *encoding;
    bool good;
};

static void set(struct filling *filling, const char *name, struct lw_value value)
{
    filling->good = filling->good && value.kind != LW_VALUE_NONE &&
                    lw_encoding_set(filling->encoding, name, &value, NULL);
}

static void set_integer(struct filling *filling, const char *name, uint64_t number)
{
    set(filling, name, lw_value_integer((int64_t)number));
}

static void set_list(struct filling *filling, const char *name, const int64_t *numbers, int count)
{
    set(filling, name, lw_value_integers(filling->arena, numbers, (size_t)count));
}

static void set_padding(struct filling *filling, const struct lw_swizzle *swizzle,
                        const struct lw_dims *memory)
{
    const int64_t pad[] = {(int64_t)swizzle->padding.interval, (int64_t)swizzle->padding.size};
    struct lw_value item = lw_value_integers(filling->arena, pad, 2), kept = {0};
    const struct lw_value pads = {.kind = LW_VALUE_LIST, .count = 1, .items = &item};
    int64_t shape[LW_DIMS_MAX];
    for (int d = 0; d < memory->count; d++)
        shape[d] = (int64_t)memory->dim[d].size;
    filling->good = filling->good && lw_value_copy(filling->arena, &kept, &pads);
    set(filling, "intervalPads", kept);
    set_list(filling, "order", swizzle->order, memory->count);
    set_list(filling, "shape", shape, memory->count);
}

struct lw_encoding *lw_swizzle_encoding(struct lw_arena *arena,
                                        const struct lw_swizzle_search *search,
                                        const struct lw_swizzle *swizzle)
{
    static const char *const names[LW_SWIZZLE_KINDS] = {"swizzled_shared", "nvmma_shared",
                                                        "shared_linear", "padded_shared"};
    const struct lw_encoding_type *type =
        swizzle->kind < LW_SWIZZLE_KINDS ? lw_encoding_type_find(names[swizzle->kind]) : NULL;
    struct filling filling = {arena, type ? lw_encoding_new(arena, type) : NULL, true};
    int rank = search->memory.count;
    if (!filling.encoding)
        return NULL;
    filling.encoding->triton = search->request.triton;
    switch (swizzle->kind) {
    case LW_SWIZZLE_SWIZZLED:
        set_integer(&filling, "vec", swizzle->vec);
        set_integer(&filling, "perPhase", swizzle->per_phase);
        set_integer(&filling, "maxPhase", swizzle->max_phase);
        set_list(&filling, "order", swizzle->order, rank);
        break;
    case LW_SWIZZLE_NVMMA:
        set_integer(&filling, "swizzlingByteWidth", swizzle->width);
        set(&filling, "transposed", lw_value_boolean(swizzle->transposed));
        set_integer(&filling, "elementBitWidth", search->request.element_bits);
        if (rank != 2)
            set_integer(&filling, "rank", (uint64_t)rank);
        break;
    case LW_SWIZZLE_LINEAR:
        set(&filling, "offset", lw_bases_value(arena, &search->linear, 0));
        break;
    case LW_SWIZZLE_PADDED:
        set_padding(&filling, swizzle, &search->memory);
        break;
    case LW_SWIZZLE_GIVEN:
        break;
    }
    return filling.good ? filling.encoding : NULL;
}

void lw_swizzle_print(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle)
{
    struct lw_arena arena = {0};
    const struct lw_encoding *encoding = lw_swizzle_encoding(&arena, search, swizzle);
    if (encoding)
        lw_encoding_print(text, encoding);
    else
        text->failed = true;
    lw_arena_free(&arena);
}

static bool is_default(const int64_t *order, int rank)
{
    for (int i = 0; i < rank; i++)
        if (order[i] != rank - 1 - i)
            return false;
    return true;
}

void lw_swizzle_label(struct lw_text *text, const struct lw_swizzle_search *search,
                      const struct lw_swizzle *swizzle)
{
    int rank = search->memory.count;
    bool ordered = swizzle->kind == LW_SWIZZLE_SWIZZLED || swizzle->kind == LW_SWIZZLE_PADDED;
    if (swizzle->kind == LW_SWIZZLE_GIVEN)
        lw_text_add(text, "shared S");
    else if (swizzle->kind == LW_SWIZZLE_LINEAR)
        lw_text_add(text, "linear");
    else if (swizzle->kind == LW_SWIZZLE_NVMMA)
        lw_text_format(text, "nvmma %llu bytes%s", (unsigned long long)swizzle->width,
                       swizzle->transposed ? ", transposed" : "");
    else if (swizzle->kind == LW_SWIZZLE_PADDED)
        lw_text_format(text, "padding [%llu:+%llu]", (unsigned long long)swizzle->padding.interval,
                       (unsigned long long)swizzle->padding.size);
    else if (swizzle->max_phase == 1)
        lw_text_add(text, "no swizzle");
    else
        lw_text_format(text, "vec %llu, perPhase %llu, maxPhase %llu",
                       (unsigned long long)swizzle->vec, (unsigned long long)swizzle->per_phase,
                       (unsigned long long)swizzle->max_phase);
    for (int i = 0; ordered && !is_default(swizzle->order, rank) && i < rank; i++)
        lw_text_format(text, "%s%d%s", i ? ", " : ", order [", (int)swizzle->order[i],
                       i + 1 == rank ? "]" : "");
    if (swizzle->kind == LW_SWIZZLE_PADDED)
        lw_text_format(text, ": %llu bytes more",
                       (unsigned long long)(swizzle->bytes - search->plain.bytes));
}
