/* Names of operations: all that releases of Triton have are known (tests/golden/triton_operations.tsv), others of its
 * dialects are reported, and the rest of the kernel is read. */

#include "golden.h"

#include "laneway/kernel.h"
#include "notation/mlir/operations.h"

#include <stdio.h>
#include <string.h>

static bool is_unknown(const char *name)
{
    return lw_operation_is_unknown(name, strlen(name));
}

static void every_release_is_known(void **state)
{
    (void)state;
    FILE *input = golden_open("triton_operations.tsv");
    int rows = 0;
    for (char *line; (line = golden_line(input)) != NULL; rows++) {
        golden_field(&line, '\t');
        const char *name = golden_field(&line, '\t');
        if (is_unknown(name))
            fail_msg("%s is unknown", name);
    }
    assert_true(rows >= 480);
    static const char *const older[] = {"triton_gpu.alloc_tensor",
                                        "triton_gpu.memdesc_subview",
                                        "triton_gpu.convert_layout",
                                        "triton_nvidia_gpu.wait_barrier",
                                        "nvidia_gpu.dot_wait",
                                        "tt.view",
                                        "tt.experimental_descriptor_gather",
                                        "amdgpu.buffer_load",
                                        "ttng.unlock"};
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        assert_false(is_unknown(older[i]));
}

static void others_are_unknown(void **state)
{
    (void)state;
    char letters[200] = "ttg.";
    memset(letters + 4, 'a', sizeof letters - 5);
    static const char *const unknown[] = {
        "tt.lod", "ttng.convert_layout", "gluon.load", "triton_gpu.unlock", "amdg.x", "nvws.aref"};
    static const char *const foreign[] = {"",         "tt",       "scf.for",     "arith.addf",
                                          "module",   "ttx.load", "amdgpu.mfma", "tti.x",
                                          "proton.x", "."};
    assert_true(is_unknown(letters));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_true(is_unknown(unknown[i]));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_false(is_unknown(foreign[i]));
    assert_false(lw_operation_is_unknown(NULL, 0));
}

static void a_kernel_reports_them_once(void **state)
{
    (void)state;
    static const char text[] = "module {\n"
                               "  tt.func @f(%p: tensor<32x!tt.ptr<f32>, #b>) {\n"
                               "    %0 = ttg.flip %p : tensor<32x!tt.ptr<f32>, #b>\n"
                               "    %1 = tt.load %p : tensor<32x!tt.ptr<f32>, #b>\n"
                               "    \"ttg.flip\"(%1) : (tensor<32xf32, #b>) -> ()\n"
                               "    ttng.wait_barier\n"
                               "    tt.return\n  }\n}\n"
                               "#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], "
                               "warpsPerCTA = [1], order = [0]}>\n";
    struct lw_kernel kernel;
    struct lw_error err;
    assert_true(lw_kernel_read(&kernel, text, sizeof text - 1, NULL, &err));
    assert_int_equal(kernel.problems.total, 2);
    assert_int_equal(kernel.problems.errors[0].position.line, 3);
    assert_string_equal(kernel.problems.errors[0].message,
                        "unknown operation 'ttg.flip': what it moves is not counted; "
                        "known are those of Triton 2.1 to 3.9");
    assert_int_equal(kernel.problems.errors[1].position.line, 6);
    assert_string_equal(kernel.problems.errors[1].message,
                        "unknown operation 'ttng.wait_barier': what it moves is not counted; known "
                        "are those of Triton 2.1 to 3.9");
    assert_int_equal(kernel.operation_count, 1);
    assert_int_equal(kernel.type_count, 2);
    lw_kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_release_is_known),
        cmocka_unit_test(others_are_unknown),
        cmocka_unit_test(a_kernel_reports_them_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
