/* Encodings of random parameters, from sensible to hostile: what the check accepts is built or
 * refused for its size, quickly, and a layout that is built has the tensor's shape. */

#include "unit.h"
#include "seeded.h"

#include "laneway/encoding.h"

static int64_t any_number(uint64_t *seed)
{
    static const int64_t odd[] = {
        0, -1, 3, 12, INT32_MAX, (int64_t)1 << 31, (int64_t)1 << 62, INT64_MAX, INT64_MIN, 65536};
    if (seeded_below(seed, 12) == 0)
        return odd[seeded_below(seed, sizeof odd / sizeof *odd)];
    return (int64_t)1 << seeded_below(seed, seeded_below(seed, 10) ? 6 : 63);
}

static struct lw_value list_of(struct lw_arena *arena, uint64_t *seed, size_t count)
{
    int64_t numbers[LW_RANK_MAX + 1];
    for (size_t i = 0; i < count; i++)
        numbers[i] = any_number(seed);
    return lw_value_integers(arena, numbers, count);
}

static struct lw_value permutation(struct lw_arena *arena, uint64_t *seed, size_t count)
{
    int64_t numbers[LW_RANK_MAX + 1];
    for (size_t i = 0; i < count; i++) {
        size_t j = seeded_below(seed, i + 1);
        numbers[i] = numbers[j];
        numbers[j] = (int64_t)i;
    }
    return lw_value_integers(arena, numbers, count);
}

/* Bases with one number that is not 0, mostly; sometimes any numbers. */
static struct lw_value bases_of(struct lw_arena *arena, uint64_t *seed, size_t rank)
{
    size_t count = seeded_below(seed, seeded_below(seed, 20) ? 4 : 80);
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = count};
    list.items = lw_arena_alloc(arena, count * sizeof *list.items);
    for (size_t i = 0; i < count; i++) {
        list.items[i] = list_of(arena, seed, rank);
        for (size_t d = 0, keep = seeded_below(seed, rank + 1); d < rank; d++)
            if (d != keep && seeded_below(seed, 30))
                list.items[i].items[d].integer = 0;
    }
    return list;
}

/* Mostly powers of two, as paddings are. */
static struct lw_value pairs_of(struct lw_arena *arena, uint64_t *seed)
{
    struct lw_value list = {.kind = LW_VALUE_LIST,
                            .count = seeded_below(seed, seeded_below(seed, 20) ? 4 : 40)};
    list.items = lw_arena_alloc(arena, list.count * sizeof *list.items);
    for (size_t i = 0; i < list.count; i++)
        list.items[i] = list_of(arena, seed, seeded_below(seed, 50) ? 2 : 3);
    return list;
}

/* All threads from 0 on, mostly, in any order. */
static struct lw_value matrix_of(struct lw_arena *arena, uint64_t *seed, size_t rank, int64_t *next)
{
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = 2};
    if (rank == 0) {
        int64_t id = seeded_below(seed, 300) ? (*next)++ : any_number(seed);
        return lw_value_integer(seeded_below(seed, 30) ? id : id / 2);
    }
    list.items = lw_arena_alloc(arena, list.count * sizeof *list.items);
    size_t first = seeded_below(seed, 2);
    for (size_t i = 0; i < 2; i++)
        list.items[(first + i) % 2] = matrix_of(arena, seed, rank - 1, next);
    return list;
}

static struct lw_value named_bases(struct lw_arena *arena, uint64_t *seed, size_t rank)
{
    static const char *const names[] = {"register", "warp", "lane"};
    struct lw_value object = {.kind = LW_VALUE_OBJECT, .count = seeded_below(seed, 4)};
    object.items = lw_arena_alloc(arena, object.count * sizeof *object.items);
    object.names = lw_arena_alloc(arena, object.count * sizeof *object.names);
    for (size_t i = 0; i < object.count; i++) {
        object.names[i] = names[i];
        object.items[i] = bases_of(arena, seed, rank);
    }
    return object;
}

static struct lw_encoding *any_encoding(struct lw_arena *arena, uint64_t *seed,
                                        const struct lw_encoding_type *type, size_t rank,
                                        int depth);

static const struct lw_encoding_type *any_type(uint64_t *seed)
{
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count), *type;
    do
        type = types[seeded_below(seed, count)];
    while (type->spelling != LW_SPELLING_ATTRIBUTE);
    return type;
}

static struct lw_value any_value(struct lw_arena *arena, uint64_t *seed,
                                 const struct lw_param *param, size_t rank, int depth)
{
    struct lw_value value = {0};
    int64_t next = 0;
    switch (param->type) {
    case LW_PARAM_INTEGER:
        if (param->choices && seeded_below(seed, 20))
            return lw_value_integer(param->choices[seeded_below(seed, param->choice_count)]);
        if (param->max && param->max < 16 && seeded_below(seed, 20))
            return lw_value_integer((int64_t)seeded_below(seed, (uint64_t)param->max + 1));
        return lw_value_integer(any_number(seed));
    case LW_PARAM_BOOLEAN:
        return lw_value_boolean(seeded_below(seed, 2));
    case LW_PARAM_STRING:
        value = (struct lw_value){.kind = LW_VALUE_STRING, .string = "f64"};
        return value;
    case LW_PARAM_INTEGERS:
        if (param->rules & LW_RULE_PERMUTATION)
            return permutation(arena, seed, rank);
        return list_of(arena, seed, seeded_below(seed, 20) ? rank : seeded_below(seed, 9));
    case LW_PARAM_BASES:
        return bases_of(arena, seed, rank);
    case LW_PARAM_NAMED_BASES:
        return named_bases(arena, seed, rank);
    case LW_PARAM_DIMS:
        return list_of(arena, seed, 1);
    case LW_PARAM_PADDINGS:
        return pairs_of(arena, seed);
    case LW_PARAM_MATRIX:
        return matrix_of(arena, seed, rank, &next);
    case LW_PARAM_TUPLE:
        return seeded_below(seed, 2) ? lw_value_integer(any_number(seed))
                                     : list_of(arena, seed, rank);
    case LW_PARAM_ENCODING:
        value.kind = LW_VALUE_ENCODING;
        value.encoding = any_encoding(
            arena, seed, any_type(seed),
            rank + (param->type == LW_PARAM_ENCODING && rank < 8 && seeded_below(seed, 2)),
            depth + 1);
        return value;
    }
    return value;
}

static struct lw_encoding *any_encoding(struct lw_arena *arena, uint64_t *seed,
                                        const struct lw_encoding_type *type, size_t rank, int depth)
{
    struct lw_encoding *encoding;
    if (depth > 4)
        type = lw_encoding_type_find("blocked");
    encoding = lw_encoding_new(arena, type);
    for (size_t i = 0; i < type->param_count; i++)
        if (type->params[i].fallback == LW_DEFAULT_REQUIRED || seeded_below(seed, 5) == 0)
            encoding->params[i] = any_value(arena, seed, &type->params[i], rank, depth);
    return encoding;
}

static struct lw_tensor any_tensor(uint64_t *seed, size_t rank)
{
    struct lw_tensor tensor;
    lw_tensor_unknown(&tensor);
    if (seeded_below(seed, 4) == 0)
        return tensor;
    tensor.rank = (int)rank;
    for (size_t d = 0; d < rank; d++) {
        tensor.shape[d] = (uint64_t)1 << seeded_below(seed, seeded_below(seed, 5) ? 8 : 60);
        if (seeded_below(seed, 100) == 0)
            tensor.shape[d] = seeded_next(seed);
    }
    return tensor;
}

/* Tensor memory is larger where more blocks share it than it has elements. */
static bool has_shape(const struct lw_map *map, const struct lw_tensor *tensor, bool larger)
{
    for (int d = 0; d < tensor->rank; d++)
        if (map->out.count != tensor->rank || map->out.dim[d].size < tensor->shape[d] ||
            (map->out.dim[d].size > tensor->shape[d] && !larger))
            return false;
    return true;
}

static void random_encodings(void **state)
{
    (void)state;
    uint64_t seed = 99;
    int built = 0, refused = 0;
    for (int round = 0; round < 60000; round++) {
        struct lw_arena arena = {0};
        size_t rank = 1 + seeded_below(&seed, seeded_below(&seed, 10) ? 3 : 8);
        struct lw_encoding *encoding = any_encoding(&arena, &seed, any_type(&seed), rank, 0);
        struct lw_tensor tensor = any_tensor(&seed, rank);
        struct lw_map map;
        struct lw_error err = {0};
        bool good = lw_encoding_check(encoding, &tensor, NULL);
        bool made = lw_encoding_build(encoding, &tensor, &map, &err);
        bool larger = encoding->type->family == LW_FAMILY_TENSOR_MEMORY;
        if (made && (!good || !has_shape(&map, &tensor, larger)))
            fail_msg("round %d: %s is built but wrong", round, encoding->type->name);
        if (!made && good && err.code != LW_ERROR_LIMIT && err.code != LW_ERROR_UNSUPPORTED)
            fail_msg("round %d: %s: %s", round, encoding->type->name, err.message);
        built += made;
        refused += good && !made;
        lw_arena_free(&arena);
    }
    assert_true(built > 2000);
    assert_true(refused < built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_encodings)};
    return RUN(tests);
}
