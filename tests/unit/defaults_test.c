/* Layouts that Triton and Gluon choose by default, against them (tests/golden/triton39_defaults.tsv). */

#include "golden.h"

#include "laneway/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rows, failures;

/* "call <tab> attribute" */
static void check_row(char *line)
{
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_text got = {0};
    const char *call = golden_field(&line, '\t'), *expected = golden_field(&line, '\t');
    bool good = lw_document_open(&doc, call, NULL, &err);
    if (good) {
        lw_encoding_print(&got, doc.encoding);
        assert_true(doc.tensor.rank > 0 && doc.tensor.shape[0] > 0);
        lw_document_free(&doc);
    }
    if (!good || strcmp(lw_text_string(&got), expected) != 0) {
        print_error("%s\n  expected %s\n  got      %s\n", call, expected,
                    good ? lw_text_string(&got) : err.message);
        failures++;
    }
    lw_text_free(&got);
    rows++;
}

static void defaults(void **state)
{
    (void)state;
    FILE *input = golden_open("triton39_defaults.tsv");
    for (char *line; (line = golden_line(input)) != NULL;)
        check_row(line);
    assert_int_equal(failures, 0);
    assert_true(rows >= 360);
}

static void refuses(const char *source, const char *message)
{
    struct lw_document doc;
    struct lw_error err = {0};
    assert_false(lw_document_open(&doc, source, NULL, &err));
    assert_string_equal(err.message, message);
}

static void refusals(void **state)
{
    (void)state;
    refuses("getDefaultBlockedEncoding([64, 64])",
            "getDefaultBlockedEncoding needs numWarps: an integer, at least 0");
    refuses("getDefaultBlockedEncoding([64, 48], 4)",
            "dim 1: sizes of tensors and of threads are powers of two");
    refuses("getDefaultBlockedEncoding([64, 64], 3)",
            "3 warps of 32 lanes: powers of two from 1 to 1024 are needed");
    refuses("getDefaultBlockedEncoding([64, 64], 4, order=[1, 1])",
            "order = [1, 1] is not a permutation of 0..1");
    refuses("getDefaultBlockedEncoding([64, 64], 4, size_per_thread=[1])",
            "sizePerThread = [1]: 1 entry, but 2 are needed");
    refuses("getDefaultBlockedEncoding([64, 64], 4, warps=4)",
            "'getDefaultBlockedEncoding' has no argument 'warps'");
    refuses("getDefaultBlockedEncoding([64, 64], 4, num_ctas=3)",
            "3 blocks of a cluster: a power of two from 1 to 1024 is needed");
    refuses("NVMMASharedLayout.get_default_for([64, 64], 16)",
            "dtype = 16: must be a string, not an integer");
    refuses("NVMMASharedLayout.get_default_for([64, 64], gl.float16, transposed=1)",
            "transposed = 1: must be true or false, not an integer");
    refuses("NVMMASharedLayout.get_default_for([0, 64], gl.float16)",
            "block_shape = [0, 64]: each entry must be at least 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
