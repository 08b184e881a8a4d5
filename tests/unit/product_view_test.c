/* The product view: which elements belong together, against the arithmetic of tilus's compose; the steps; refusals. */

#include "view_help.h"

static struct lw_opened now;

static void end(void)
{
    subject_end();
    lw_subject_close(&now);
}

/* A subject that knows how it was written, until end(). */
static const struct lw_subject *written(const char *source)
{
    struct lw_document doc;
    struct lw_error err = {0};
    if (!lw_document_open(&doc, source, NULL, &err) ||
        !lw_subject_open(&now, &doc, LW_LANES_DEFAULT, &err))
        fail_msg("%s: %s", source, err.message);
    lw_document_free(&doc);
    return &now.subject;
}

static uint64_t index_of(const struct lw_subject *subject, const char *dim, const uint64_t *in)
{
    return in[lw_dims_find(&subject->map.in, dim)];
}

/* The one element of an operand that belongs to an element of the product. */
static void part_of(const struct lw_view *view, const struct lw_spot *result, int operand,
                    struct lw_spot *part)
{
    int found = 0;
    struct lw_spot spot;
    for (uint64_t r = 0; r < view->rows; r++)
        for (uint64_t c = 0; c < view->seam_cols; c++)
            if (view->type->spot(view, r, c, &spot) && spot.operand == operand &&
                view->type->belongs(view, &spot, result)) {
                assert_true(view->type->belongs(view, result, &spot));
                *part = spot;
                found++;
            }
    assert_int_equal(found, 1);
}

/* compose: local = outer local * inner locals + inner local, and the threads alike. */
static void elements_belong_together(void **state)
{
    static const char *const sources[] = {
        "local(3, 4).spatial(2, 3)", "spatial(2, 3) * local(3, 4)", "local(2, 1).spatial(8, 4)",
        "local(3).spatial(5)", "spatial(3, 2) * column_local(2, 5)"};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_view view;
        struct lw_spot spot, outer, inner;
        const char *name;
        const struct lw_subject *subject = written(sources[i]);
        view_open(&view, "product", subject, NULL);
        const struct lw_subject *of = lw_view_layout(&view, 2, &name);
        assert_string_equal(name, "inner");
        uint64_t locals = lw_dims_size(&of->map.in, "local");
        uint64_t threads = lw_dims_size(&of->map.in, "thread");
        const struct lw_subject *above = lw_view_layout(&view, 1, &name);
        for (uint64_t r = 0; r < view.rows; r++)
            for (uint64_t c = view.seam_cols; c < view.cols; c++) {
                if (!view.type->spot(&view, r, c, &spot))
                    continue;
                part_of(&view, &spot, 1, &outer);
                part_of(&view, &spot, 2, &inner);
                assert_int_equal(index_of(subject, "local", spot.in),
                                 index_of(above, "local", outer.in) * locals +
                                     index_of(of, "local", inner.in));
                assert_int_equal(index_of(subject, "thread", spot.in),
                                 index_of(above, "thread", outer.in) * threads +
                                     index_of(of, "thread", inner.in));
            }
        end();
    }
}

static void assert_line(const struct lw_explanation *explanation, int i, const char *text)
{
    assert_true(i < explanation->count);
    assert_string_equal(lw_text_string((struct lw_text *)&explanation->line[i].text), text);
}

static void steps_are_explained(void **state)
{
    struct lw_view view;
    struct lw_explanation explanation = {0};
    (void)state;
    view_open(&view, "product", written("local(3, 4).spatial(2, 3).local(1, 2)"), NULL);
    lw_view_explain(&view, 2, view.seam_cols + 3, &explanation);
    assert_int_equal(explanation.count, 5);
    assert_line(&explanation, 0, "thread 1, local 9");
    assert_line(&explanation, 1, "(1,0) of local(3, 4): local 4 of 12, thread 0 of 1");
    assert_line(&explanation, 2, "(0,1) of spatial(2, 3): local 0 of 1, thread 1 of 6");
    assert_line(&explanation, 3, "(0,1) of local(1, 2): local 1 of 2, thread 0 of 1");
    assert_line(&explanation, 4,
                "local 9, thread 1: of each step times the sizes of those below it");
    lw_explanation_free(&explanation);
    end();
}

/* The product is in tiles of the inner shape, and the operands are beside it. */
static void tiles_are_of_the_inner_shape(void **state)
{
    struct lw_view view;
    uint64_t rows, cols;
    (void)state;
    view_open(&view, "product", written("tilus/product-3x4-2x3"), NULL);
    lw_view_tiles(&view, &rows, &cols);
    assert_int_equal(rows, 2);
    assert_int_equal(cols, 3);
    assert_int_equal(view.seam_cols, 4);
    assert_string_equal(cell_text(&view, 0, 3), "0: 3");
    assert_string_equal(cell_text(&view, 4, 2), "2: 0");
    assert_string_equal(cell_text(&view, 3, 0), "");
    assert_string_equal(cell_text(&view, 5, 15), "5: 11");
    end();
}

static void others_are_no_products(void **state)
{
    static const char *const sources[] = {"local(3, 4)", "mma/m16n8k16.a",
                                          "reduce(spatial(3, 4), dims=[0])"};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        view_fails("product", written(sources[i]), NULL,
                   "the product view needs a layout of tilus that is composed of others: local(3, "
                   "4).spatial(2, 3)");
        end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_belong_together),
        cmocka_unit_test(steps_are_explained),
        cmocka_unit_test(tiles_are_of_the_inner_shape),
        cmocka_unit_test(others_are_no_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
