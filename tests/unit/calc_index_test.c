/* The index of the calculator's names against its table. */

#include "notation/calc/calc_table.h"
#include "unit.h"

#include <string.h>

static bool names(const struct lw_calc_operation *operation, const char *name)
{
    return !strcmp(operation->name, name) || (operation->also && !strcmp(operation->also, name));
}

/* Every name finds the first row that has it, of each kind, whatever its capitals and underscores. */
static void test_rows(void **state)
{
    (void)state;
    size_t count, indexed = 0;
    const struct lw_calc_operation *all = lw_calc_operations(&count);
    for (size_t i = 0; i < count; i++) {
        const char *const own[] = {all[i].name, all[i].also};
        for (int j = 0; j < 2 && own[j]; j++) {
            const struct lw_calc_operation *found = lw_calc_find(all[i].on, own[j]);
            assert_non_null(found);
            assert_true(found <= &all[i] && found->on == all[i].on);
            assert_true(found == &all[i] || names(found, own[j]));
            assert_true(strlen(own[j]) < LW_CALC_NAME_MAX);
            indexed++;
        }
        assert_true(lw_calc_has_name(all[i].name));
        assert_true(all[i].on == LW_CALC_OPERATOR || lw_calc_is_operation(all[i].name));
    }
    assert_int_equal(indexed, lw_calc_name_count);
}

static void test_order(void **state)
{
    (void)state;
    for (size_t i = 1; i < lw_calc_name_count; i++) {
        const struct lw_calc_name_row *row = &lw_calc_name_rows[i];
        int order = strcmp(row[-1].name, row->name);
        assert_true(order < 0 || (order == 0 && row[-1].row <= row->row));
    }
}

static void test_spellings(void **state)
{
    (void)state;
    assert_ptr_equal(lw_calc_find(LW_CALC_OF_CUTE, "ZippedDivide"),
                     lw_calc_find(LW_CALC_OF_CUTE, "zipped_divide"));
    assert_ptr_equal(lw_calc_find(LW_CALC_OF_LAYOUT, "in_dims"),
                     lw_calc_find(LW_CALC_OF_LAYOUT, "getInDims"));
    assert_null(lw_calc_find(LW_CALC_OF_CUTE, "zipped_divid"));
    assert_null(lw_calc_find(LW_CALC_FUNCTION, "zipped_divide"));
    assert_null(lw_calc_find(LW_CALC_OF_CUTE,
                             "zipped_divide_with_a_name_that_is_longer_than_any_of_"
                             "the_table_and_ends_in_zipped_divide"));
    assert_false(lw_calc_has_name("ZippedDivide"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_spellings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
