/* Encodings as objects, the registry, and small layouts of each worked out by hand. */

#include "encoding_parts.h"
#include "encoding/schema/schema.h"

#include "unit.h"

#include "laneway/document.h"

#include <ctype.h>

static const char blocked[] = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "
                              "warpsPerCTA = [1, 1], order = [1, 0]}>";
static const char nested[] =
    "#ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = #ttg.blocked<{sizePerThread = [1, "
    "1, 2], threadsPerWarp = [2, 2, 8], warpsPerCTA = [1, 2, 1], order = [2, 1, 0]}>}>}>";

/* ---- Objects ---- */

static void saying(void **state)
{
    (void)state;
    struct lw_arena arena = {0};
    struct lw_encoding *encoding =
        lw_encoding_new(&arena, lw_encoding_type_find("swizzled_shared"));
    struct lw_value value = lw_value_integer(8);
    struct lw_error err;
    value.position = (struct lw_position){4, 2, 1};
    assert_true(lw_encoding_set(encoding, "vec", &value, &err));
    assert_true(lw_encoding_is_set(encoding, "vec"));
    assert_int_equal(lw_encoding_integer(encoding, "vec"), 8);
    assert_false(lw_encoding_set(encoding, "vec", &value, &err));
    assert_string_equal(err.message, "duplicate parameter 'vec'");
    assert_false(lw_encoding_set(encoding, "perPhse", &value, &err));
    assert_string_equal(err.message,
                        "swizzled_shared has no parameter 'perPhse'; did you mean 'perPhase'?");
    assert_int_equal(err.code, LW_ERROR_NAME);
    assert_int_equal(err.position.line, 4);
    assert_false(lw_encoding_set(encoding, "zebra", &value, &err));
    assert_non_null(strstr(err.message, "has no parameter 'zebra'; it has vec, perPhase, "));
    lw_arena_free(&arena);
}

static void paths(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_encoding *encoding = read_one(&doc, nested), *owner;
    struct lw_error err;
    int index;
    assert_true(lw_encoding_find(encoding, "dim", &owner, &index, &err));
    assert_ptr_equal(owner, encoding);
    assert_true(lw_encoding_find(encoding, "parent.parent.order", &owner, &index, &err));
    assert_string_equal(owner->type->name, "blocked");
    assert_string_equal(owner->type->params[index].name, "order");
    assert_false(lw_encoding_find(encoding, "parent.parent.ordre", &owner, &index, &err));
    assert_string_equal(err.message, "blocked has no parameter 'ordre'; did you mean 'order'?");
    assert_false(lw_encoding_find(encoding, "dim.order", &owner, &index, &err));
    assert_string_equal(err.message, "slice.dim is not an encoding: it has no parameters");
    assert_false(lw_encoding_find(encoding, "", &owner, &index, &err));
    assert_false(lw_encoding_find(encoding, "parent.", &owner, &index, &err));
    assert_false(lw_encoding_find(encoding, ".", &owner, &index, &err));
    lw_document_free(&doc);
}

static void copies(void **state)
{
    (void)state;
    struct lw_document doc;
    struct lw_encoding *encoding = read_one(&doc, nested), *owner;
    struct lw_arena arena = {0}, small = {.max = 64};
    struct lw_encoding *copy = lw_encoding_copy(&arena, encoding);
    int index;
    assert_null(lw_encoding_copy(&small, encoding));
    lw_document_free(&doc);
    encoding = read_one(&doc, nested);
    assert_true(lw_encoding_equal(copy, encoding));
    assert_true(lw_encoding_find(copy, "parent.parent.order", &owner, &index, NULL));
    owner->params[index].items[0].integer = 7;
    assert_false(lw_encoding_equal(copy, encoding));
    lw_document_free(&doc);
    lw_arena_free(&arena);
    lw_arena_free(&small);
}

static void values(void **state)
{
    (void)state;
    static const char *const texts[] = {"-4",
                                        "true",
                                        "false",
                                        "\"a \\\" b\"",
                                        "[]",
                                        "[1, [2, 3]]",
                                        "{\"lane\": [[0, 1]], \"warp\": []}"};
    struct lw_arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct lw_value value, copy, other = lw_value_integer(99);
        struct lw_text text = {0};
        assert_true(lw_value_read(&arena, texts[i], &value, NULL));
        assert_true(lw_value_copy(&arena, &copy, &value));
        assert_true(lw_value_equal(&copy, &value));
        assert_false(lw_value_equal(&copy, &other));
        lw_value_print(&text, &copy);
        assert_string_equal(lw_text_string(&text), texts[i]);
        lw_text_free(&text);
    }
    lw_arena_free(&arena);
}

/* ---- Printing ---- */

static void printing(void **state)
{
    (void)state;
    static const char *const same[] = {
        blocked,
        nested,
        "#ttg.linear<{register = [[0, 1]], lane = [[0, 2], [1, 0]], warp = [], block = []}>",
        "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], CGALayout = "
        "[[1, 0]], instrShape = [16, 8]}>",
        "#ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {warp = [[0, 1], [1, 0]]}}>",
        "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 1]]}, alignment = 128>",
        "#ttg.padded_shared<[4:+2] {order = [1, 0], shape = [16, 32]}>",
        "#ttg.padded_shared<[4:+2, 64:+8] {offset = [[2, 0], [1, 0], [0, 1]], block = []}>",
        "#ttng.tensor_memory_encoding<blockM = 64, blockN = 32, colStride = 2, CTASplitM = 2, "
        "twoCTAs = true>",
        "#ttng.tensor_memory_scales_encoding<>",
        "#ttng.tensor_memory_scales_encoding<CTASplitN = 2>",
        "#ttg.dot_op<{opIdx = 0, parent = #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], "
        "instrShape = [32, 32, 8], isTransposed = true}>, kWidth = 4}>",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct lw_document doc;
        struct lw_text text = {0};
        lw_encoding_print(&text, read_one(&doc, same[i]));
        assert_string_equal(lw_text_string(&text), same[i]);
        lw_text_free(&text);
        lw_document_free(&doc);
    }
}

/* ---- The registry ---- */

static bool is_sentence(const char *text)
{
    size_t n = strlen(text);
    return n > 20 && (isupper((unsigned char)text[0]) || !isalpha((unsigned char)text[0])) &&
           text[n - 1] == '.';
}

static void registry(void **state)
{
    (void)state;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        const struct lw_encoding_type *type = types[i];
        assert_ptr_equal(lw_encoding_type_find(type->name), type);
        assert_true(type->title && *type->title && type->example && *type->example);
        bool tilus = type->family == LW_FAMILY_TILUS_REGISTER ||
                     type->family == LW_FAMILY_TILUS_SHARED; /* a function: its title is enough */
        if (tilus ? *type->about != '\0' : !is_sentence(type->about))
            fail_msg("%s: about", type->name);
        assert_non_null(type->build);
        for (size_t p = 0; p < type->param_count; p++) {
            const struct lw_param *param = &type->params[p];
            size_t n = param->help ? strlen(param->help) : 0;
            if (n == 0 || param->help[n - 1] == '.')
                fail_msg("%s.%s: help", type->name, param->name);
            for (size_t q = 0; q < p; q++)
                assert_string_not_equal(type->params[q].name, param->name);
        }
    }
}

static void older_names(void **state)
{
    (void)state;
    struct lw_error err;
    struct lw_position position = {1, 6, 7};
    assert_string_equal(lw_encoding_type_find("shared")->name, "swizzled_shared");
    assert_string_equal(lw_encoding_type_find("mma")->name, "nvidia_mma");
    assert_null(lw_encoding_type_find("blokced"));
    assert_null(lw_encoding_type_get("blokced", position, &err));
    assert_string_equal(err.message, "unknown encoding 'blokced'; did you mean 'blocked'?");
    assert_int_equal(err.position.column, 6);
    assert_null(lw_encoding_type_get("zzzzzzzzzzzz", position, &err));
}

/* Each example opens and builds. */
static void examples(void **state)
{
    (void)state;
    size_t count;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc;
        struct lw_map map;
        struct lw_error err;
        read_one(&doc, types[i]->example);
        if (!lw_document_build(&doc, &map, &err))
            fail_msg("%s: %s", types[i]->name, err.message);
        lw_document_free(&doc);
    }
}

/* ---- Layouts by hand ---- */

static void builds(const char *source, const char *bases)
{
    struct lw_document doc;
    struct lw_map map;
    struct lw_layout layout;
    struct lw_error err;
    struct lw_text text = {0};
    read_one(&doc, source);
    if (!lw_document_build(&doc, &map, &err) || !lw_map_to_layout(&map, &layout, &err))
        fail_msg("%s: %s", source, err.message);
    lw_layout_print(&text, &layout);
    assert_string_equal(lw_text_string(&text), bases);
    lw_text_free(&text);
    lw_document_free(&doc);
}

/* Without a shape a layout has its own: one tile. */
static void own_shapes(void **state)
{
    (void)state;
    builds("#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 1], warpsPerCTA = [1, 1]}>",
           "\n - register=1 -> (0, 1)\n - lane=1 -> (1, 0)\n - warp is a size 1 dimension\n"
           " - block is a size 1 dimension\nwhere out dims are: [dim0 (size 2), dim1 (size 2)]");
    builds("#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = "
           "[2, 1], warpsPerCTA = [1, 1]}>}>",
           "\n - register is a size 1 dimension\n - lane=1 -> (1)\n - warp is a size 1 dimension\n"
           " - block is a size 1 dimension\nwhere out dims are: [dim0 (size 2)]");
}

/* Row r xors the groups of vec columns with (r / perPhase) mod maxPhase. */
static void swizzles(void **state)
{
    (void)state;
    static const char source[] = "!ttg.memdesc<16x32xf16, #ttg.swizzled_shared<{vec = 4, perPhase "
                                 "= 2, maxPhase = 4, order = [1, 0]}>, #smem>";
    struct lw_document doc;
    struct lw_map map;
    read_one(&doc, source);
    assert_true(lw_document_build(&doc, &map, NULL));
    for (uint64_t r = 0; r < 16; r++)
        for (uint64_t c = 0; c < 32; c++) {
            uint64_t at[2] = {r, c}, position[2];
            assert_true(lw_map_owner(&map, at, 0, position));
            assert_true(position[0] == r * 32 + (c ^ (r / 2 % 4 * 4)));
        }
    lw_document_free(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saying),      cmocka_unit_test(paths),    cmocka_unit_test(copies),
        cmocka_unit_test(values),      cmocka_unit_test(printing), cmocka_unit_test(registry),
        cmocka_unit_test(older_names), cmocka_unit_test(examples), cmocka_unit_test(own_shapes),
        cmocka_unit_test(swizzles),
    };
    return RUN(tests);
}
