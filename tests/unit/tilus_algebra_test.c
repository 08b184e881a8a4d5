/* The algebra of tilus register layouts against its definition, on random layouts: maps, canonical
 * form, compose, divide, permute and the rest. */

#include "encoding/tilus/tilus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ---- Random layouts ---- */

static uint64_t random_state;

static int64_t draw(int64_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int64_t)(random_state % (uint64_t)below);
}

static void draw_permutation(struct lw_sizes *list, int count)
{
    list->count = count;
    for (int i = 0; i < count; i++) {
        int j = (int)draw(i + 1);
        list->at[i] = list->at[j];
        list->at[j] = i;
    }
}

/* A spatial or local layout of at most 4 elements a dim, sometimes of one. */
static struct lw_tilus draw_tile(int rank)
{
    struct lw_tilus tile;
    struct lw_sizes shape = {.count = rank}, ranks;
    for (int i = 0; i < rank; i++)
        shape.at[i] = draw(3) ? 1 + draw(4) : 1;
    draw_permutation(&ranks, rank);
    assert_true((draw(2) ? lw_tilus_spatial : lw_tilus_local)(&tile, &shape, &ranks, NULL));
    return tile;
}

static struct lw_tilus draw_layout(int rank)
{
    struct lw_tilus layout = draw_tile(rank);
    for (int64_t n = draw(3); n > 0; n--) {
        struct lw_tilus tile = draw_tile(rank);
        assert_true(lw_tilus_compose(&layout, &layout, &tile, NULL));
    }
    if (rank > 0 && draw(3) == 0) {
        struct lw_sizes dims = {.count = 1, .at = {draw(rank)}};
        assert_true(lw_tilus_reduce(&layout, &layout, &dims, true, NULL));
    }
    return layout;
}

/* ---- Maps ---- */

static int64_t elements(const struct lw_tilus *layout)
{
    return lw_sizes_product(&layout->shape, 0, layout->shape.count);
}

static int64_t threads_of(const struct lw_tilus *layout)
{
    int64_t threads = 1;
    for (int i = 0; i < layout->spatial_modes.count; i++) {
        int64_t mode = layout->spatial_modes.at[i];
        threads *= mode < 0 ? -mode : layout->mode_shape.at[mode];
    }
    return threads;
}

static int64_t locals_of(const struct lw_tilus *layout)
{
    int64_t locals = 1;
    for (int i = 0; i < layout->local_modes.count; i++)
        locals *= layout->mode_shape.at[layout->local_modes.at[i]];
    return locals;
}

/* The definition, written anew: the row-major element of a hardware index. The digits of the thread and of
 * the local number are dealt to the modes; the modes then make up the index. As the modes of all
 * dims in order are the digits of the row-major number, no dim need be looked at. */
static int64_t element_at(const struct lw_tilus *layout, int64_t local, int64_t thread)
{
    int64_t digit[LW_MODES_MAX] = {0}, element = 0;
    for (int i = layout->spatial_modes.count - 1; i >= 0; i--) {
        int64_t mode = layout->spatial_modes.at[i];
        int64_t size = mode < 0 ? -mode : layout->mode_shape.at[mode];
        if (mode >= 0)
            digit[mode] = thread % size;
        thread /= size;
    }
    for (int i = layout->local_modes.count - 1; i >= 0; i--) {
        int64_t mode = layout->local_modes.at[i];
        digit[mode] = local % layout->mode_shape.at[mode];
        local /= layout->mode_shape.at[mode];
    }
    for (int i = 0; i < layout->mode_shape.count; i++)
        element = element * layout->mode_shape.at[i] + digit[i];
    return element;
}

/* The point of a row-major number: the last dim fastest. */
static void row_major(const struct lw_dims *dims, uint64_t flat, uint64_t *point)
{
    for (int i = dims->count - 1; i >= 0; i--) {
        point[i] = flat % dims->dim[i].size;
        flat /= dims->dim[i].size;
    }
}

static void test_map_by_definition(void **state)
{
    (void)state;
    random_state = 11;
    for (int round = 0; round < 400; round++) {
        struct lw_tilus layout = draw_layout((int)draw(5));
        struct lw_map map;
        uint64_t out[LW_DIMS_MAX], want[LW_DIMS_MAX];
        int64_t threads = threads_of(&layout), locals = locals_of(&layout);
        assert_true(lw_tilus_to_map(&layout, &map, NULL));
        assert_string_equal(map.in.dim[0].name, "local");
        assert_string_equal(map.in.dim[1].name, "thread");
        assert_int_equal(map.in.dim[0].size, locals);
        assert_int_equal(map.in.dim[1].size, threads);
        for (int64_t thread = 0; thread < threads; thread++)
            for (int64_t local = 0; local < locals; local++) {
                uint64_t in[2] = {(uint64_t)local, (uint64_t)thread};
                row_major(&map.out, (uint64_t)element_at(&layout, local, thread), want);
                assert_true(lw_map_apply(&map, in, out));
                assert_memory_equal(out, want, (size_t)map.out.count * sizeof *out);
            }
    }
}

/* Every element has as many owners as there are copies, in order, and each of them holds it. */
static void test_owners(void **state)
{
    (void)state;
    random_state = 12;
    for (int round = 0; round < 300; round++) {
        struct lw_tilus layout = draw_layout(1 + (int)draw(4));
        struct lw_map map;
        assert_true(lw_tilus_to_map(&layout, &map, NULL));
        uint64_t copies = lw_map_replication(&map);
        assert_int_equal((int64_t)copies * elements(&layout),
                         threads_of(&layout) * locals_of(&layout));
        for (uint64_t i = 0; i < (uint64_t)elements(&layout); i++) {
            uint64_t out[LW_DIMS_MAX], in[2], back[LW_DIMS_MAX], last = 0;
            row_major(&map.out, i, out);
            assert_int_equal(lw_map_owner_count(&map, out), copies);
            for (uint64_t k = 0; k < copies; k++) {
                assert_true(lw_map_owner(&map, out, k, in));
                assert_true(k == 0 || in[1] > last);
                last = in[1];
                assert_true(lw_map_apply(&map, in, back));
                assert_memory_equal(back, out, (size_t)map.out.count * sizeof *out);
            }
            assert_false(lw_map_owner(&map, out, copies, in));
        }
    }
}

/* ---- The algebra ---- */

/* Cuts a mode in two, or adds one of size 1, without moving an element. */
static void cut_anywhere(struct lw_tilus *layout)
{
    struct lw_tilus cut = {.shape = layout->shape};
    int count = layout->mode_shape.count;
    int64_t at = draw(count + 1), first = 1;
    for (int i = 0; i < count; i++) {
        int64_t size = layout->mode_shape.at[i];
        for (first = i == at ? 1 + draw(size) : 1; i == at && size % first; first--)
            ;
        if (i == at)
            lw_sizes_push(&cut.mode_shape, first);
        lw_sizes_push(&cut.mode_shape, size / first);
    }
    const struct lw_sizes *from[] = {&layout->spatial_modes, &layout->local_modes};
    struct lw_sizes *to[] = {&cut.spatial_modes, &cut.local_modes};
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < from[list]->count; i++) {
            int64_t mode = from[list]->at[i];
            lw_sizes_push(to[list], mode > at ? mode + 1 : mode);
            if (mode == at)
                lw_sizes_push(to[list], mode + 1);
        }
    *layout = cut;
}

static void test_canonical_form(void **state)
{
    (void)state;
    random_state = 13;
    for (int round = 0; round < 2000; round++) {
        struct lw_tilus layout = draw_layout((int)draw(5)), cut = layout, again;
        lw_tilus_canonicalize(&again, &layout);
        assert_true(lw_tilus_equal(&again, &layout));
        for (int64_t n = draw(5); n > 0; n--)
            cut_anywhere(&cut);
        assert_true(lw_tilus_validate(&cut, NULL));
        assert_true(lw_tilus_make(&again, &cut, NULL));
        assert_true(lw_tilus_equal(&again, &layout));
    }
}

/* Row-major number of element (outer * inner's size + inner), dim by dim; of equal rank. */
static int64_t composed_element(const struct lw_tilus *outer, int64_t a,
                                const struct lw_tilus *inner, int64_t b)
{
    int64_t element = 0, stride = 1;
    for (int i = outer->shape.count - 1; i >= 0; i--) {
        int64_t m = outer->shape.at[i], n = inner->shape.at[i];
        element += (a % m * n + b % n) * stride;
        stride *= m * n;
        a /= m;
        b /= n;
    }
    return element;
}

static void test_compose_by_definition(void **state)
{
    (void)state;
    random_state = 14;
    for (int round = 0; round < 300; round++) {
        int rank = 1 + (int)draw(3);
        struct lw_tilus outer = draw_tile(rank), inner = draw_layout(rank), both;
        assert_true(lw_tilus_compose(&both, &outer, &inner, NULL));
        int64_t threads = threads_of(&inner), locals = locals_of(&inner);
        assert_int_equal(threads_of(&both), threads_of(&outer) * threads);
        for (int64_t thread = 0; thread < threads_of(&both); thread++)
            for (int64_t local = 0; local < locals_of(&both); local++)
                assert_int_equal(
                    element_at(&both, local, thread),
                    composed_element(&outer, element_at(&outer, local / locals, thread / threads),
                                     &inner, element_at(&inner, local % locals, thread % threads)));
    }
}

static void test_compose_is_associative(void **state)
{
    (void)state;
    random_state = 15;
    for (int round = 0; round < 1000; round++) {
        struct lw_tilus a = draw_layout((int)draw(4)), b = draw_layout((int)draw(4)),
                        c = draw_layout((int)draw(4)), left, right;
        assert_true(lw_tilus_compose(&left, &a, &b, NULL));
        assert_true(lw_tilus_compose(&left, &left, &c, NULL));
        assert_true(lw_tilus_compose(&right, &b, &c, NULL));
        assert_true(lw_tilus_compose(&right, &a, &right, NULL));
        assert_true(lw_tilus_equal(&left, &right));
    }
}

/* A quotient multiplies back; a division without one fails with the reason. */
static void test_division(void **state)
{
    (void)state;
    random_state = 16;
    int divided = 0, left_divided = 0;
    for (int round = 0; round < 3000; round++) {
        int rank = 1 + (int)draw(3);
        struct lw_tilus a = draw_layout(rank), b = draw_tile(rank), ab, x, back;
        struct lw_error err = {0};
        assert_true(lw_tilus_compose(&ab, &a, &b, NULL));
        if (draw(4) == 0)
            b = draw_tile(rank);
        if (lw_tilus_divide(&x, &ab, &b, false, &err)) {
            assert_true(lw_tilus_compose(&back, &x, &b, NULL));
            assert_true(lw_tilus_equal(&back, &ab));
            divided++;
        } else {
            assert_non_null(strstr(err.message, "there is no quotient"));
        }
        if (lw_tilus_divide(&x, &ab, &a, true, &err)) {
            assert_true(lw_tilus_compose(&back, &a, &x, NULL));
            assert_true(lw_tilus_equal(&back, &ab));
            left_divided++;
        }
    }
    assert_true(divided > 1500 && left_divided > 1000);
}

static void test_transformations(void **state)
{
    (void)state;
    random_state = 17;
    for (int round = 0; round < 1000; round++) {
        int rank = 1 + (int)draw(4);
        struct lw_tilus a = draw_layout(rank), b;
        struct lw_sizes order, inverse = {.count = rank};
        draw_permutation(&order, rank);
        for (int i = 0; i < rank; i++)
            inverse.at[order.at[i]] = i;
        assert_true(lw_tilus_permute(&b, &a, &order, NULL));
        for (int i = 0; i < rank; i++)
            assert_int_equal(b.shape.at[i], a.shape.at[order.at[i]]);
        assert_true(lw_tilus_permute(&b, &b, &inverse, NULL));
        assert_true(lw_tilus_equal(&a, &b));

        struct lw_sizes dims = {.count = 2, .at = {draw(rank + 2)}};
        dims.at[1] = (dims.at[0] + 1 + draw(rank + 1)) % (rank + 2);
        assert_true(lw_tilus_unsqueeze(&b, &a, &dims, NULL));
        assert_int_equal(b.shape.count, rank + 2);
        assert_true(lw_tilus_squeeze(&b, &b, &dims, NULL));
        assert_true(lw_tilus_equal(&a, &b));

        /* One dim holds any modes in order, and an element keeps its row-major number. */
        struct lw_sizes flat = {.count = 1, .at = {elements(&a)}};
        assert_true(lw_tilus_reshape(&b, &a, &flat, NULL));
        for (int64_t thread = 0; thread < threads_of(&a); thread++)
            assert_int_equal(element_at(&a, 0, thread), element_at(&b, 0, thread));
        assert_true(lw_tilus_flatten(&b, &a, 0, rank, NULL));
        assert_true(lw_sizes_equal(&b.shape, &flat));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_by_definition),      cmocka_unit_test(test_owners),
        cmocka_unit_test(test_canonical_form),         cmocka_unit_test(test_compose_by_definition),
        cmocka_unit_test(test_compose_is_associative), cmocka_unit_test(test_division),
        cmocka_unit_test(test_transformations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
