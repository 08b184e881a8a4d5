/* Folders and kernels that are left and entered again: the order, the filter and the chosen row are as before. */

#include "browse_parts.h"

static const struct lw_browse_table *table_of(const struct drive *d, int which)
{
    return &d->ex.browser->tables[which];
}

/* The path of the chosen file of the folder. */
static const char *chosen_file(const struct drive *d)
{
    size_t file = lw_browse_chosen(d->ex.browser, LW_BROWSE_FILES);
    assert_int_not_equal(file, SIZE_MAX);
    return d->ex.browser->folder.files[file].below;
}

/* The kernel that was opened is the chosen row after Esc, also when costs are counted meanwhile and when the filter
 * ends. */
static void the_kernel_left_is_chosen(void **state)
{
    struct drive d;
    char opened[128];
    (void)state;
    for (int counted = 0; counted < 2; counted++) {
        drive_open(&d, FOLDER);
        if (counted)
            lw_job_finish(&d.ex);
        drive_keys(&d, "/");
        drive_type(&d, "softmax");
        drive_keys(&d, "Enter");
        snprintf(opened, sizeof opened, "%s", chosen_file(&d));
        drive_keys(&d, "Enter Enter");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        drive_keys(&d, "Esc q");
        assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
        lw_job_finish(&d.ex);
        assert_shows(&d, "8 of 48 kernels with 'softmax', by cost");
        assert_string_equal(chosen_file(&d), opened);
        drive_keys(&d, "Esc");
        assert_shows(&d, " 48 kernels, by cost");
        assert_string_equal(chosen_file(&d), opened);
        drive_close(&d);
    }
}

/* An operation that is opened before the costs are counted is the chosen row after Esc. */
static void the_operation_left_is_chosen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, TRANSPOSE);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_true(table_of(&d, LW_BROWSE_OPERATIONS)->moved);
    drive_close(&d);
}

/* A folder that another one replaces for a while has its filter, its order and its row when it is opened again. */
static void a_folder_is_as_it_was(void **state)
{
    struct drive d;
    char opened[128];
    (void)state;
    drive_open(&d, FOLDER);
    lw_job_finish(&d.ex);
    drive_keys(&d, "/");
    drive_type(&d, "softmax");
    drive_keys(&d, "Enter Right r Down Down");
    const int sort = table_of(&d, LW_BROWSE_FILES)->sort;
    snprintf(opened, sizeof opened, "%s", chosen_file(&d));
    drive_keys(&d, "Enter");
    drive_command(&d, "open tests/golden/launches");
    lw_job_finish(&d.ex);
    assert_shows(&d, " kernels, by cost");
    drive_keys(&d, "Esc Esc");
    lw_job_finish(&d.ex);
    assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
    assert_shows(&d, "8 of 48 kernels with 'softmax', by ");
    assert_shows(&d, ", reversed");
    assert_int_equal(table_of(&d, LW_BROWSE_FILES)->sort, sort);
    assert_string_equal(chosen_file(&d), opened);
    drive_close(&d);
}

/* A kernel has the order, the filter, the row and the list with which it was closed. */
static void a_kernel_is_as_it_was(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER);
    lw_job_finish(&d.ex);
    drive_keys(&d, "Enter Right r Down Down");
    const size_t chosen = lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS);
    const int sort = table_of(&d, LW_BROWSE_OPERATIONS)->sort;
    assert_int_not_equal(sort, LW_BROWSE_BY_DEFAULT);
    drive_keys(&d, "Tab /");
    drive_type(&d, "blocked");
    drive_keys(&d, "Enter Esc Esc Down Enter"); /* another kernel, with an order of its own */
    assert_int_equal(table_of(&d, LW_BROWSE_OPERATIONS)->sort, LW_BROWSE_BY_DEFAULT);
    assert_int_equal(d.ex.browser->list, LW_BROWSE_OPERATIONS);
    drive_keys(&d, "Esc Up Enter");
    assert_int_equal(table_of(&d, LW_BROWSE_OPERATIONS)->sort, sort);
    assert_true(table_of(&d, LW_BROWSE_OPERATIONS)->reversed);
    assert_int_equal(lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS), chosen);
    assert_int_equal(d.ex.browser->list, LW_BROWSE_LAYOUTS);
    drive_keys(&d, "/");
    drive_type(&d, "blocked");
    drive_keys(&d, "Enter");
    drive_command(&d, "open " MATMUL);
    assert_string_equal(table_of(&d, LW_BROWSE_LAYOUTS)->filter, "");
    drive_keys(&d, "Esc");
    assert_string_equal(table_of(&d, LW_BROWSE_LAYOUTS)->filter, "blocked");
    drive_close(&d);
}

/* A kernel whose file has other operations now has its order, but not its row. */
static void another_text_has_no_row(void **state)
{
    static const char head[] =
        "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = "
        "[0]}>\nmodule attributes {\"ttg.num-warps\" = 4 : i32, ttg.target = \"cuda:90\"} {\n"
        "  tt.func public @k(%p: tensor<1024x!tt.ptr<f32>, #b>) {\n";
    static const char load[] = "    %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #b>\n";
    char path[200];
    struct drive d;
    (void)state;
    snprintf(path, sizeof path, "%s/k.ttgir", drive_folder);
    for (int loads = 3; loads >= 1; loads -= 2) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(head, file);
        for (int i = 0; i < loads; i++)
            fputs(load, file);
        fputs("    tt.return\n  }\n}\n", file);
        fclose(file);
        if (loads == 3) {
            drive_open(&d, path);
            lw_job_finish(&d.ex);
            drive_keys(&d, "r G");
            assert_int_equal(table_of(&d, LW_BROWSE_OPERATIONS)->at, 2);
            drive_command(&d, "open " MATMUL);
        }
    }
    drive_keys(&d, "Esc");
    assert_int_equal(table_of(&d, LW_BROWSE_OPERATIONS)->count, 1);
    assert_int_equal(table_of(&d, LW_BROWSE_OPERATIONS)->at, 0);
    assert_true(table_of(&d, LW_BROWSE_OPERATIONS)->reversed);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_left_is_chosen), cmocka_unit_test(the_operation_left_is_chosen),
        cmocka_unit_test(a_folder_is_as_it_was),     cmocka_unit_test(a_kernel_is_as_it_was),
        cmocka_unit_test(another_text_has_no_row),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
