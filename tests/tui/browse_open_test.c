/* Browsing kernels: what opens from the lists: conversions, stores, layouts, folders, broken files, commands. */

#include "browse_parts.h"

/* Of a conversion the view of what moves is ready at once. */
static void conversions_show_what_moves(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, TRANSPOSE);
    lw_job_finish(&d.ex);
    drive_keys(&d, "/");
    drive_type(&d, "convert_layout");
    drive_keys(&d, "Enter Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_true(d.ex.panes.active->has_view);
    assert_string_equal(d.ex.panes.active->view.type->name, "conversion");
    drive_close(&d);
}

/* While an access is played Backspace goes a wavefront back. */
static void backspace_plays_back_first(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_keys(&d, "/");
    drive_type(&d, "local_load");
    drive_keys(&d, "Enter Enter Space Space");
    assert_true(d.ex.panes.play.instruction > 0);
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "Esc Backspace"); /* the player is left at once */
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_close(&d);
}

/* Of a store into shared memory the stores, with the layout that is written. */
static void stores_show_the_stores(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    for (size_t i = 0; i < d.ex.browser->kernel.operation_count; i++) {
        const struct lw_operation *operation = &d.ex.browser->kernel.operations[i];
        if (operation->kind->role != LW_ROLE_LOCAL_STORE || operation->from < 0)
            continue;
        drive_keys(&d, "/");
        drive_type(&d, "local_store");
        drive_keys(&d, "Enter Enter");
        assert_string_equal(d.ex.panes.all[0].view.type->name, "banks");
        assert_int_equal(d.ex.panes.play.access, LW_VIEW_STORE);
        break;
    }
    drive_close(&d);
}

/* A layout that is opened from a kernel has the others of that kernel on its left, at each of its shapes. */
static void the_layouts_of_a_kernel_are_the_list(void **state)
{
    struct drive d;
    char title[48], label[48];
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_resize(&d, 160, 50);
    drive_keys(&d, "Tab Down Enter");
    drive_fit(&d);
    const size_t count = d.ex.browser->layout_count;
    snprintf(title, sizeof title, "Layouts 2 of %zu", count);
    assert_shows(&d, title);
    snprintf(label, sizeof label, "%s", lw_explorer_entry(&d.ex)->label);
    drive_keys(&d, "S-Tab Down");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    snprintf(title, sizeof title, "Layouts 3 of %zu", count);
    assert_shows(&d, title);
    assert_shows(&d, label);
    assert_string_not_equal(lw_explorer_entry(&d.ex)->label, label);
    drive_keys(&d, "Esc Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_keys(&d, "Up Enter"); /* once more: nothing is there twice */
    snprintf(title, sizeof title, "Layouts 1 of %zu", count);
    assert_shows(&d, title);
    drive_close(&d);
}

static void layouts_open_at_their_shape(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "Tab");
    for (size_t i = 0; i < d.ex.browser->layout_count; i++) {
        const struct lw_layout_row *row = &d.ex.browser->layouts[i];
        assert_true(row->type >= 0);
        const struct lw_tensor *tensor = &d.ex.browser->kernel.types[row->type].tensor;
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        assert_true(d.ex.layouts.has_opened);
        assert_int_equal(d.ex.panes.count, 1);
        assert_int_equal(d.ex.layouts.opened.subject.tensor.shape[0],
                         tensor->shape[tensor->rank - d.ex.layouts.opened.subject.tensor.rank]);
        drive_draw(&d);
        drive_keys(&d, "Backspace Down");
    }
    drive_close(&d);
}

/* Every operation of every kernel opens, or the reason is shown, and Backspace returns. */
static void every_operation_opens(void **state)
{
    struct drive d;
    size_t opened = 0, refused = 0;
    (void)state;
    drive_open(&d, FOLDER);
    size_t kernels = d.ex.browser->folder.count;
    for (size_t k = 0; k < kernels; k++) {
        assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
        drive_keys(&d, "Enter");
        if (d.ex.focus == LW_FOCUS_KERNEL) {
            lw_job_finish(&d.ex);
            d.ex.browser->list = LW_BROWSE_OPERATIONS;
            for (size_t i = 0; i < d.ex.browser->kernel.operation_count; i++) {
                drive_resize(&d, sizes[i % 3][0], sizes[i % 3][1]);
                drive_keys(&d, "Enter");
                opened += d.ex.focus == LW_FOCUS_VIEW;
                refused += d.ex.focus != LW_FOCUS_VIEW;
                if (d.ex.focus != LW_FOCUS_VIEW)
                    assert_true(*d.ex.status.message);
                drive_draw(&d);
                if (d.ex.focus == LW_FOCUS_VIEW)
                    drive_keys(&d, "Backspace");
                assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
                drive_keys(&d, "Down");
            }
            drive_keys(&d, "Backspace");
        }
        drive_keys(&d, "Down");
    }
    assert_true(opened > 300 && refused < opened / 20);
    drive_close(&d);
}

static void a_folder_is_its_kernels(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER);
    assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        drive_resize(&d, sizes[s][0], sizes[s][1]);
        assert_shows(&d, "attention.sm90.ttgir");
        assert_shows(&d, "cuda:90");
    }
    drive_keys(&d, "/");
    drive_type(&d, "gfx942");
    drive_keys(&d, "Enter");
    assert_non_null(
        strstr(d.ex.browser->folder.files[lw_browse_chosen(d.ex.browser, LW_BROWSE_FILES)].path,
               "gfx942"));
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_shows(&d, "hip:gfx942");
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
    drive_keys(&d, "Backspace Backspace"); /* the filter ends first */
    assert_shows(&d, "this is the first screen");
    drive_keys(&d, "q");
    assert_true(d.ex.quit);
    drive_close(&d);
}

/* One folder for each kernel, with metadata: the metadata is shown for any dump. */
static void metadata_is_believed(void **state)
{
    char root[] = "/tmp/laneway-browse-XXXXXX", path[128];
    struct drive d;
    (void)state;
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/ABC", root);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/ABC/k.ttgir", root);
    FILE *file = fopen(path, "w");
    fputs("module {\n", file);
    fclose(file);
    snprintf(path, sizeof path, "%s/ABC/k.json", root);
    file = fopen(path, "w");
    fputs("{\"name\": \"my_kernel\", \"num_warps\": 8, \"shared\": 4096, \"maxnreg\": null, "
          "\"target\": {\"backend\": \"hip\", \"arch\": \"gfx950\", \"warp_size\": 64}}",
          file);
    fclose(file);
    drive_open(&d, root);
    drive_resize(&d, 120, 40);
    assert_shows(&d, "my_kernel");
    assert_shows(&d, "hip:gfx950");
    assert_shows(&d, "4096");
    assert_shows(&d, "ABC/k.ttgir");
    drive_close(&d);
    unlink(path);
    snprintf(path, sizeof path, "%s/ABC/k.ttgir", root);
    unlink(path);
    snprintf(path, sizeof path, "%s/ABC", root);
    rmdir(path);
    struct lw_tui_options options = {.count = 1};
    const char *sources[] = {root};
    struct lw_explorer ex;
    struct lw_error err;
    options.sources = sources;
    assert_false(lw_explorer_init(&ex, &options, &err)); /* nothing is left in it */
    assert_non_null(strstr(err.message, "there is neither a kernel nor a layout in this folder"));
    rmdir(root);
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text, 1, length, file);
    fclose(file);
}

/* A type of one kernel is not that of another in which an alias of the same name is another layout. */
static void kernels_have_their_own_layouts(void **state)
{
    static const char text[] =
        "#blocked = #ttg.blocked<{sizePerThread = [%d, 1], threadsPerWarp = [8, 4], warpsPerCTA = "
        "[1, 1], order = [1, 0]}>\n"
        "module attributes {\"ttg.num-warps\" = 1 : i32} {\n"
        "  tt.func public @f(%%0: tensor<64x4xf32, #blocked>) {\n"
        "    %%1 = arith.addf %%0, %%0 : tensor<64x4xf32, #blocked>\n    tt.return\n  }\n}\n";
    char path[2][64], own[512];
    struct drive d;
    (void)state;
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "/tmp/laneway-own-%d-%d.ttgir", (int)getpid(), i);
        snprintf(own, sizeof own, text, 1 << i);
        write_file(path[i], own, strlen(own));
    }
    drive_open(&d, path[0]);
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[1, 1]");
    drive_keys(&d, "Esc");
    struct lw_error err;
    assert_true(lw_browse_open(&d.ex, path[1], &err));
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "sizePerThread"), "[2, 1]");
    assert_int_equal(lw_list_rows(&d.ex, d.ex.list.count), 1);
    drive_close(&d);
    unlink(path[0]);
    unlink(path[1]);
}

/* Errors are reported, the rest is shown. */
static void broken_kernels_are_shown(void **state)
{
    static const char cut[] = "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], "
                              "warpsPerCTA = [4], order = [0]}>\nmodule {\n  tt.func @f() {\n"
                              "    %0 = ttg.convert_layout %1 : tensor<128xf32, #b> -> tensor<128";
    char path[] = "/tmp/laneway-cut-XXXXXX.ttgir";
    struct drive d;
    (void)state;
    close(mkstemps(path, 6));
    write_file(path, cut, sizeof cut - 1);
    drive_open(&d, path);
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_shows(&d, "#b");
    assert_shows(&d, "line 4");
    drive_keys(&d, "Enter Tab Enter");
    drive_draw(&d);
    drive_close(&d);
    write_file(path, "\177ELF\0\1\2\3", 8);
    drive_open(&d, path);
    drive_draw(&d);
    drive_keys(&d, "Enter Down G Tab Enter");
    drive_draw(&d);
    drive_close(&d);
    /* One type alone is a layout, not a kernel. */
    static const char type[] = "tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 1], "
                               "threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>>";
    write_file(path, type, sizeof type - 1);
    drive_open(&d, path);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_null(d.ex.browser);
    drive_close(&d);
    unlink(path);
}

static void the_mouse_chooses_and_opens(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    drive_draw(&d);
    drive_click(&d, 6, 10);
    assert_int_equal(d.ex.browser->tables[LW_BROWSE_OPERATIONS].at, 2);
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_wheel(&d, 6, 10, 1);
    assert_int_equal(d.ex.browser->tables[LW_BROWSE_OPERATIONS].at, 3);
    drive_click(&d, 7, 10);
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
}

/* From the gallery a kernel is opened by a command, and left again. */
static void a_command_opens_a_kernel(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_keys(&d, ":");
    drive_type(&d, "open " TRANSPOSE);
    drive_keys(&d, "Enter");
    lw_job_finish(&d.ex); /* else Backspace stops it */
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_shows(&d, "transpose.sm90.ttgir");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "?");
    assert_shows(&d, "Keys");
    drive_keys(&d, "? Backspace ?");
    assert_shows(&d, "In the lists of a kernel");
    drive_close(&d);
}

#define PART                                                                                       \
    "#a = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = "   \
    "[0]}>\nmodule {\n  tt.func @f%d(%%x: tensor<64xf32, #a>) {\n    %%y = ttg.convert_layout "    \
    "%%x : tensor<64xf32, #a> -> tensor<64xf32, #a>\n    tt.return\n  }\n}\n"

/* A file of three kernels: each part is shown, and there is nothing before the first and behind the last. */
static void parts_are_turned(void **state)
{
    struct drive d;
    char path[256];
    (void)state;
    snprintf(path, sizeof path, "%s/parts.ttgir", drive_folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 1; i <= 3; i++)
        fprintf(file, PART "%s", i, i < 3 ? "// -----\n" : "");
    fclose(file);
    drive_open(&d, path);
    assert_shows(&d, "part 1: f1");
    drive_keys(&d, "[");
    assert_shows(&d, "this is the first part");
    drive_keys(&d, "]");
    assert_shows(&d, "part 2: f2");
    drive_keys(&d, "]");
    assert_shows(&d, "part 3: f3");
    drive_keys(&d, "]");
    assert_shows(&d, "this is the last part");
    drive_keys(&d, "[ [");
    assert_shows(&d, "part 1: f1");
    drive_close(&d);
    drive_open(&d, TRANSPOSE);
    drive_keys(&d, "]");
    assert_shows(&d, "this file has one part");
    drive_close(&d);
}

/* In the lists commands work too; one that needs a layout reports that there is none. */
static void commands_in_the_lists(void **state)
{
    static const char *const about_layouts[] = {"set x=1", "view banks", "zoom-in", "write",
                                                "solve"};
    struct drive d;
    (void)state;
    drive_open(&d, TRANSPOSE);
    for (size_t i = 0; i < sizeof about_layouts / sizeof *about_layouts; i++) {
        drive_keys(&d, ":");
        assert_int_equal(d.ex.focus, LW_FOCUS_COMMAND);
        drive_type(&d, about_layouts[i]);
        drive_keys(&d, "Enter");
        assert_shows(&d, "needs a layout: Enter opens one");
        assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    }
    drive_keys(&d, ":");
    drive_type(&d, "help");
    drive_keys(&d, "Enter");
    assert_shows(&d, "Commands");
    drive_keys(&d, "q :");
    drive_type(&d, "open " MATMUL);
    drive_keys(&d, "Enter");
    lw_job_finish(&d.ex); /* else Backspace stops it */
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_shows(&d, "matmul.sm80");
    drive_keys(&d, ":");
    drive_type(&d, "open start/16x16");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "w0 l0 r0");
    drive_keys(&d, "Backspace");
    assert_shows(&d, "matmul.sm80");
    drive_close(&d);
}

/* The gallery has compiled kernels: two keys from its first screen are the operations with their costs. */
static void two_keys_open_a_kernel(void **state)
{
    const struct lw_tui_options options = {.start = "start/16x16", .writes_nothing = true};
    struct drive d;
    (void)state;
    drive_open_with(&d, NULL, &options);
    assert_shows(&d, "transpose.gfx942.ttgir");
    drive_keys(&d, "Up");
    assert_shows(&d, "a compiled kernel: Enter shows"); /* and no empty view */
    drive_resize(&d, 120, 40);
    assert_shows(&d, "╭ Kernel ───");
    assert_hides(&d, "Owners");
    assert_hides(&d, "Parameters");
    assert_hides(&d, "| split");
    drive_keys(&d, "Enter");
    lw_job_finish(&d.ex);
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_shows(&d, "transpose, hip:gfx942");
    assert_shows(&d, "excess");
    drive_keys(&d, "Enter");
    assert_string_equal(d.ex.panes.active->view.type->name, "conversion");
    assert_int_equal(d.ex.panes.count, 2);
    drive_keys(&d, "Esc Esc");
    assert_int_equal(d.ex.focus, LW_FOCUS_GALLERY);
    drive_keys(&d, "Down");
    assert_shows(&d, "start/16x16");
    assert_int_equal(d.ex.panes.count, 1); /* the second view was of the operation */
    drive_close(&d);
}

/* Operations of one name differ in the row: by the result, and where there is room by shape and layouts. */
static void operations_of_one_name_differ(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER "/attention.sm90.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    lw_browse_filter(&d.ex, "convert_layout");
    assert_shows(&d, "%acc_102 convert_layo");
    assert_shows(&d, "%acc_98  convert_layo");
    drive_resize(&d, 120, 40);
    assert_shows(&d, "#mma -> dot");
    drive_resize(&d, 200, 60);
    assert_hides(&d, "hidden below");
    drive_close(&d);
}

/* A kernel without layouts has nothing in the list of layouts: what is typed there opens all the same. */
static void a_kernel_may_have_no_layouts(void **state)
{
    static const char scalar[] = "module {\n  tt.func @k(%arg0: !tt.ptr<f32>) {\n"
                                 "    %0 = tt.load %arg0 : !tt.ptr<f32>\n    tt.return\n  }\n}\n";
    char path[] = "/tmp/laneway-scalar-XXXXXX.ttgir";
    struct drive d;
    (void)state;
    close(mkstemps(path, 6));
    write_file(path, scalar, sizeof scalar - 1);
    drive_open(&d, path);
    drive_type(&d, ":local(2,");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_type(&d, ":local(2, 2)");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_close(&d);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_show_what_moves),
        cmocka_unit_test(backspace_plays_back_first),
        cmocka_unit_test(stores_show_the_stores),
        cmocka_unit_test(the_layouts_of_a_kernel_are_the_list),
        cmocka_unit_test(layouts_open_at_their_shape),
        cmocka_unit_test(every_operation_opens),
        cmocka_unit_test(a_folder_is_its_kernels),
        cmocka_unit_test(metadata_is_believed),
        cmocka_unit_test(kernels_have_their_own_layouts),
        cmocka_unit_test(broken_kernels_are_shown),
        cmocka_unit_test(the_mouse_chooses_and_opens),
        cmocka_unit_test(a_command_opens_a_kernel),
        cmocka_unit_test(parts_are_turned),
        cmocka_unit_test(commands_in_the_lists),
        cmocka_unit_test(two_keys_open_a_kernel),
        cmocka_unit_test(operations_of_one_name_differ),
        cmocka_unit_test(a_kernel_may_have_no_layouts),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
