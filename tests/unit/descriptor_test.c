/* Descriptors against the CUTLASS headers (tests/golden/cute_descriptors.tsv), and back: the layout that a descriptor
 * has is that of the operand which it was made of. */

#include "golden.h"

#include "encoding/cute/cute_parts.h"
#include "laneway/calc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows, failures, back;

static void fail_row(const char *what, const char *expected, const char *got)
{
    print_error("%s\n  expected %s\n  got      %s\n", what, expected, got);
    failures++;
}

/* Whether both are the same function of (i, k), swizzled. */
static bool same_function(const struct lw_cute *a, const struct lw_cute *b)
{
    struct lw_cute elements[2];
    struct lw_cute_layout mode = lw_cute_mode(&a->layout, 0);
    int64_t rows_of_a = lw_cute_size(&mode), size = lw_cute_size(&a->layout);
    if (size != lw_cute_size(&b->layout) || rows_of_a < 1 ||
        !lw_cute_in_elements(a, &elements[0], NULL) || !lw_cute_in_elements(b, &elements[1], NULL))
        return false;
    for (int64_t i = 0; i < size; i++)
        if (lw_cute_apply(&elements[0], i) != lw_cute_apply(&elements[1], i))
            return false;
    return true;
}

/* The layout of the descriptor, where the operand is of whole blocks. */
static void check_back(const char *what, const struct lw_descriptor *descriptor)
{
    struct lw_arena arena = {0};
    struct lw_calc_work calc_work = {.arena = &arena};
    struct lw_cute_work work = {.arena = &arena};
    struct lw_calc_result operand;
    struct lw_cute made;
    struct lw_error err = {0};
    const char *open = strchr(what, '(');
    char *inner = strdup(open + 1);
    enum lw_major major = strstr(what, "<Major::K>") ? LW_MAJOR_K : LW_MAJOR_MN;
    inner[strlen(inner) - 1] = '\0';
    if (!lw_calc(inner, NULL, 0, &calc_work, &operand, &err))
        fail_msg("%s: %s", inner, err.message);
    const struct lw_cute *cute = lw_calc_cute(&operand);
    struct lw_cute_layout mode[2] = {lw_cute_mode(&cute->layout, 0),
                                     lw_cute_mode(&cute->layout, 1)};
    work.err = &err;
    if (lw_descriptor_layout(&work, descriptor, major, cute->pointer, lw_cute_size(&mode[0]),
                             lw_cute_size(&mode[1]), &made)) {
        back++;
        if (!same_function(cute, &made))
            fail_row(inner, "the layout of its descriptor", "another one");
    } else {
        assert_int_equal(err.code, LW_ERROR_SHAPE);
    }
    free(inner);
    lw_arena_free(&arena);
}

static void put_list(struct lw_text *text, const char *name, const uint64_t *numbers, int count)
{
    lw_text_format(text, " %s=", name);
    for (int i = 0; i < count; i++)
        lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)numbers[i]);
}

/* "type=6 rank=2 dims=512,1024 strides=1024 box=64,64 steps=1,1 interleave=0 swizzle=3", as the golden file has it. */
static void print_tensor_map(struct lw_text *text, const struct lw_tensor_map *map)
{
    static const uint64_t ones[LW_TENSOR_MAP_RANK] = {1, 1, 1, 1, 1};
    int rank = map->rank;
    lw_text_format(text, "type=%d rank=%d", map->type_number, rank);
    put_list(text, "dims", map->dims, rank);
    put_list(text, "strides", map->strides + 1, rank - 1);
    put_list(text, "box", map->box, rank);
    put_list(text, "steps", ones, rank);
    lw_text_format(text, " interleave=0 swizzle=%d", map->swizzle_number);
}

static void check_row(char *line)
{
    struct lw_arena arena = {0};
    struct lw_calc_work work = {.arena = &arena};
    struct lw_calc_result result;
    struct lw_error err = {0};
    struct lw_text got = {0};
    char *expected = strchr(line, '\t');
    *expected++ = '\0';
    bool good = lw_calc(line, NULL, 0, &work, &result, &err);
    bool matrix = good && result.kind == LW_CALC_DESCRIPTOR &&
                  result.as.descriptor.kind <= LW_DESCRIPTOR_TCGEN05;
    if (good && result.kind == LW_CALC_DESCRIPTOR)
        lw_text_format(&got, matrix ? "0x%016llx" : "0x%08llx",
                       (unsigned long long)result.as.descriptor.value);
    else if (good && result.kind == LW_CALC_TENSOR_MAP)
        print_tensor_map(&got, &result.as.tensor_map);
    else
        lw_text_add(&got, "!");
    if (strcmp(lw_text_string(&got), expected) != 0)
        fail_row(line, expected, good ? lw_text_string(&got) : err.message);
    else if (matrix)
        check_back(line, &result.as.descriptor);
    lw_text_free(&got);
    lw_arena_free(&arena);
    rows++;
}

static void check_file(const char *name)
{
    FILE *input = golden_open(name);
    rows = failures = 0;
    for (char *line; (line = golden_line(input)) != NULL;)
        check_row(line);
    assert_int_equal(failures, 0);
}

static void headers(void **state)
{
    (void)state;
    check_file("cute_descriptors.tsv");
    assert_true(rows >= 380 && back >= 80);
}

static void instructions(void **state)
{
    (void)state;
    check_file("cute_instructions.tsv");
    assert_true(rows >= 150);
}

/* ---- Tensor maps: what the driver takes ---- */

static void numbers_of(const char *line, const char *name, uint64_t *numbers, int *count)
{
    const char *at = strstr(line, name);
    assert_non_null(at);
    for (at = strchr(at, '[') + 1, *count = 0; *at != ']'; at += strspn(at, ", ")) {
        char *end;
        if (*count < 5)
            numbers[(*count)++] = strtoull(at, &end, 10);
        else
            strtoull(at, &end, 10);
        at = end;
    }
}

static long number_of(const char *line, const char *name)
{
    return strtol(strstr(line, name) + strlen(name), NULL, 10);
}

/* {"type": 6, "rank": 2, "dims": [64, 64], ..., "result": 0, ...}; arguments that laneway never passes are left out:
 * other steps, interleaved, a wrong address, the swizzle that this GPU lacks. */
static void check_map(const char *line)
{
    static const int bits[] = {8, 16, 32, 32, 64, 64, 16, 32, 64, 16, 32, 32, 32};
    struct lw_tensor_map map = {.rank = (int)number_of(line, "\"rank\": "),
                                .swizzle_number = (int)number_of(line, "\"swizzle\": ")};
    uint64_t steps[5];
    int count;
    long type = number_of(line, "\"type\": ");
    bool taken = number_of(line, "\"result\": ") == 0;
    numbers_of(line, "\"steps\": ", steps, &count);
    bool ones = map.rank >= 1 && map.rank <= 5;
    for (int i = 0; i < count; i++)
        ones = ones && steps[i] == 1;
    if (!ones || type > 12 || map.swizzle_number > 3 || number_of(line, "\"interleave\": ") ||
        strtoull(strstr(line, "\"address\": ") + 11, NULL, 10) % 16)
        return;
    map.bits = bits[type];
    numbers_of(line, "\"dims\": ", map.dims, &count);
    numbers_of(line, "\"box\": ", map.box, &count);
    numbers_of(line, "\"strides\": ", map.strides + 1, &count);
    struct lw_error err = {0};
    rows++;
    if (lw_tensor_map_check(&map, &err) != taken)
        fail_row(line, taken ? "taken" : "refused", err.message);
}

static void tensor_maps(void **state)
{
    (void)state;
    FILE *input = golden_open("tensor_maps_h100.jsonl");
    rows = failures = 0;
    for (const char *line; (line = golden_line(input)) != NULL;)
        if (!strstr(line, "\"witness\""))
            check_map(line);
    assert_int_equal(failures, 0);
    assert_true(rows >= 900);
}

/* ---- What the headers do not have ---- */

/* The fields of a descriptor share no bits, and every number of a short one has a meaning. */
static void fields_are_the_bits(void **state)
{
    (void)state;
    for (int kind = 0; kind <= LW_DESCRIPTOR_SCALED; kind++) {
        struct lw_descriptor it = {(enum lw_descriptor_kind)kind, 0};
        int count;
        const struct lw_descriptor_field *fields = lw_descriptor_fields(it.kind, &count);
        uint64_t all = 0;
        for (int i = 0; i < count; i++) {
            uint64_t most = ((uint64_t)1 << fields[i].bits) - 1;
            assert_int_equal(all & (most << fields[i].first), 0);
            all |= most << fields[i].first;
            for (uint64_t number = most > 4095 ? most : 0; number <= most; number++) {
                struct lw_text text = {0};
                it.value = number << fields[i].first;
                assert_int_equal(lw_descriptor_field_value(&it, &fields[i]), number);
                lw_descriptor_field_explain(&text, &it, &fields[i], LW_MAJOR_K);
                assert_true(text.length > 0 || kind <= LW_DESCRIPTOR_TCGEN05);
                lw_text_free(&text);
            }
        }
    }
}

/* An address and the start of a part are in the field of the start. */
static void starts(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_calc_work calc_work = {.arena = &arena};
    struct lw_error err = {0};
    struct lw_cute_work work = {.arena = &arena, .err = &err};
    struct lw_calc_result part;
    struct lw_descriptor out;
    assert_true(lw_calc("local_tile(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, "
                        "Shape<_64,_64>{}), Shape<_64,_16>{}, make_coord(0,1))",
                        NULL, 0, &calc_work, &part, &err));
    assert_true(lw_descriptor_make(&work, LW_DESCRIPTOR_WGMMA, LW_MAJOR_K, lw_calc_cute(&part), 0,
                                   0x1000, &out));
    assert_int_equal(out.value, 0x4000004000010102); /* 16 halves after 0x1000, as CuTe prints it */
    assert_false(lw_descriptor_make(&work, LW_DESCRIPTOR_WGMMA, LW_MAJOR_K, lw_calc_cute(&part), 0,
                                    8, &out));
    assert_int_equal(err.code, LW_ERROR_PARAMETER);
    assert_false(lw_descriptor_make(&work, LW_DESCRIPTOR_WGMMA, LW_MAJOR_K, lw_calc_cute(&part), 0,
                                    (uint64_t)1 << 18, &out));
    assert_int_equal(err.code, LW_ERROR_PARAMETER);
    lw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers),     cmocka_unit_test(instructions),
        cmocka_unit_test(tensor_maps), cmocka_unit_test(fields_are_the_bits),
        cmocka_unit_test(starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
