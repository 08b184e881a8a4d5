/* Subjects: the example of subject.h, what is opened from a document, and pairs. */

#include "laneway/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void open_subject(struct lw_opened *opened, const char *source)
{
    struct lw_document doc;
    struct lw_error err;
    if (!lw_document_open(&doc, source, NULL, &err) ||
        !lw_subject_open(opened, &doc, LW_LANES_DEFAULT, &err))
        fail_msg("%s: %s", source, err.message);
    lw_document_free(&doc);
}

/* The example of the header; the document is gone when the subject is used. */
static void test_example(void **state)
{
    struct lw_opened opened;
    struct lw_text text = {0};
    (void)state;
    open_subject(&opened, "local(2, 1).spatial(4, 8)");
    lw_summary(&text, &opened.subject);
    assert_string_equal(lw_text_string(&text),
                        "2 registers x 32 threads -> 8 x 8, every element once");
    assert_string_equal(opened.subject.head,
                        "RegisterLayout(shape=[8, 8], mode_shape=[2, 4, 8], spatial_modes=[1, 2], "
                        "local_modes=[0])");
    assert_int_equal(opened.subject.family, LW_FAMILY_TILUS_REGISTER);
    assert_int_equal(opened.subject.lanes, LW_LANES_DEFAULT);
    assert_non_null(opened.subject.encoding);
    lw_text_free(&text);
    lw_subject_close(&opened);
    assert_null(opened.subject.encoding);
}

static void test_cute(void **state)
{
    struct lw_opened opened;
    (void)state;
    open_subject(&opened, "Sw<3,3,3> o 0 o (8,64):(64,1)");
    assert_non_null(opened.subject.cute);
    assert_non_null(strstr(opened.subject.notes, "the swizzle counts elements"));
    lw_subject_close(&opened);
}

/* Both layouts of a document; closing one of a pair separates the two. */
static void test_pair(void **state)
{
    static const char source[] =
        "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\", "
        "\"params\": {\"sizePerThread\": [1, 8], \"threadsPerWarp\": [4, 8], \"warpsPerCTA\": [1, "
        "1], \"order\": [1, 0]}, \"shared\": {\"encoding\": \"swizzled_shared\", \"params\": "
        "{\"vec\": 1, \"perPhase\": 1, \"maxPhase\": 1, \"order\": [1, 0]}}}";
    struct lw_document doc;
    struct lw_opened first, second;
    struct lw_subject *const sides[LW_SIDES] = {&first.subject, &second.subject, NULL};
    struct lw_view view;
    struct lw_error err;
    (void)state;
    assert_true(lw_document_open(&doc, source, NULL, &err));
    assert_true(lw_subject_open(&first, &doc, LW_LANES_DEFAULT, &err));
    assert_true(lw_subject_open_side(&second, &doc, LW_SIDE_S, LW_LANES_DEFAULT, &err));
    lw_document_free(&doc);
    assert_true(lw_subject_join(sides, &err));
    assert_true(lw_view_open(&view, lw_view_type_find("banks"), &second.subject, NULL, &err));
    assert_int_equal(view.rows, 2); /* the stores, and the loads */
    lw_view_close(&view);
    assert_null(view.type);
    lw_subject_close(&second);
    assert_null(first.subject.access);
    assert_null(lw_subject_at(&first.subject, LW_SIDE_S));
    lw_subject_close(&first);
}

/* A layout that cannot be built opens no subject, and leaves nothing behind. */
static void test_refused(void **state)
{
    static const char source[] =
        "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64], \"params\": "
        "{\"sizePerThread\": [1, 3], \"threadsPerWarp\": [4, 8], \"warpsPerCTA\": [1, 1], "
        "\"order\": [1, 0]}}";
    struct lw_document doc;
    struct lw_opened opened;
    struct lw_error err = {0};
    (void)state;
    if (!lw_document_open(&doc, source, NULL, &err))
        fail_msg("%s", err.message);
    assert_false(lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err));
    assert_non_null(strstr(err.message, "sizePerThread"));
    lw_document_free(&doc);
}

/* A text that memory did not suffice for is no title: nothing is opened. */
static void test_memory(void **state)
{
    struct lw_text failed = {0};
    struct lw_document doc;
    struct lw_opened opened;
    struct lw_error err = {0};
    (void)state;
    assert_true(lw_document_open(&doc, "spatial(4, 8)", NULL, &err));
    lw_text_fail(&failed);
    doc.title = lw_text_string(&failed);
    assert_false(lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err));
    assert_int_equal(err.code, LW_ERROR_MEMORY);
    lw_document_free(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example), cmocka_unit_test(test_cute),   cmocka_unit_test(test_pair),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
