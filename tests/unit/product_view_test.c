/* The product view: which elements belong together, against the arithmetic of tilus's compose, of CuTe's products and
 * quotients and of Triton's product; the steps; refusals. */

#include "view_help.h"

#include "view/operand/product.h"

static uint64_t index_of(const struct lw_subject *subject, const char *dim, const uint64_t *in)
{
    return in[lw_dims_find(&subject->map.in, dim)];
}

/* The element of an operand that an element of the product is made of; it has one cell. */
static void part_of(const struct lw_view *view, const struct lw_spot *result, int operand,
                    struct lw_spot *part)
{
    const char *name;
    const struct lw_subject *subject = lw_view_layout(view, operand, &name);
    uint64_t row, col;
    *part = (struct lw_spot){.has_out = true, .operand = operand};
    lw_product_of(view)->kind->part_of(view, operand - 1, result->out, part->out);
    for (int d = 0; d < subject->map.out.count; d++)
        assert_true(part->out[d] < subject->map.out.dim[d].size);
    assert_true(lw_view_find(view, part, &row, &col));
    assert_true(view->type->spot(view, row, col, part));
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
        const struct lw_subject *subject = subject_written(sources[i]);
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
        subject_end();
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
    view_open(&view, "product", subject_written("local(3, 4).spatial(2, 3).local(1, 2)"), NULL);
    lw_view_explain(&view, 2, view.seam_cols + 3, &explanation);
    assert_int_equal(explanation.count, 2);
    assert_line(&explanation, 0, "thread 1, register 9");
    assert_line(&explanation, 1, "local r4*2, spatial t1, local r1");
    lw_explanation_free(&explanation);
    subject_end();
}

/* The product is in tiles of the inner shape, and the operands are beside it. */
static void tiles_are_of_the_inner_shape(void **state)
{
    struct lw_view view;
    uint64_t rows, cols;
    (void)state;
    view_open(&view, "product", subject_written("tilus/product-3x4-2x3"), NULL);
    lw_view_tiles(&view, &rows, &cols);
    assert_int_equal(rows, 2);
    assert_int_equal(cols, 3);
    assert_int_equal(view.seam_cols, 4);
    assert_string_equal(cell_text(&view, 0, 3), "0: 3");
    assert_string_equal(cell_text(&view, 4, 2), "2: 0");
    assert_string_equal(cell_text(&view, 3, 0), "");
    assert_string_equal(cell_text(&view, 5, 15), "5: 11");
    subject_end();
}

static void others_are_no_products(void **state)
{
    static const char *const sources[] = {"local(3, 4)", "mma/m16n8k16.a",
                                          "reduce(spatial(3, 4), dims=[0])"};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        view_fails("product", subject_written(sources[i]), NULL,
                   "the product view needs a layout that is made of two: local(3, 4).spatial(2, 3) "
                   "of tilus, blocked_product(A, B) or zipped_divide(A, B) of CuTe, or the result "
                   "of A * B in the explorer");
        subject_end();
    }
}

/* ---- CuTe ---- */

/* The offset that CuTe's own printer gives an element of an operand is in its cell. */
static long offset_at(const struct lw_view *view, const struct lw_spot *spot)
{
    uint64_t row, col;
    assert_true(lw_view_find(view, spot, &row, &col));
    return atol(cell_text(view, row, col));
}

/* Of a product each element is an element of A and one of B; all elements of one copy are as far from the element of A
 * as the first of them is from its start, and the first copy is A itself. */
static void cute_products_are_copies(void **state)
{
    static const char *const sources[] = {"blocked_product((2,5):(5,1), (3,4):(1,3))",
                                          "raked_product((2,5):(5,1), (3,4):(1,3))",
                                          "logical_product((2,2):(4,1), 6:1)",
                                          "logical_product((2,5):(5,1), <3:5, 4:6>)",
                                          "zipped_product((2,5):(5,1), <3:5, 4:6>)",
                                          "tiled_product((2,5):(5,1), <3:5, 4:6>)",
                                          "flat_product((2,5):(5,1), <3:5, 4:6>)",
                                          "raked_product((4,8):(8,1), (2,2):(1,2))",
                                          "logical_product(Sw<1,0,3> o 0 o (8):(1), 3:1)"};
    enum { COPIES = 64 };
    (void)state;
    for (size_t i = 0; i + 1 < sizeof sources / sizeof *sources; i++) {
        struct lw_view view;
        struct lw_spot spot, a, b;
        long start[COPIES];
        uint64_t seen = 0;
        const char *name;
        for (int c = 0; c < COPIES; c++)
            start[c] = -1;
        view_open(&view, "product", subject_written(sources[i]), NULL);
        const struct lw_subject *over = lw_view_layout(&view, 2, &name);
        assert_string_equal(name, "B");
        for (uint64_t r = 0; r < view.rows; r++)
            for (uint64_t c = view.seam_cols; c < view.cols; c++) {
                if (!view.type->spot(&view, r, c, &spot))
                    continue;
                part_of(&view, &spot, 1, &a);
                part_of(&view, &spot, 2, &b);
                uint64_t copy = lw_dims_flatten(&over->map.out, b.out);
                assert_true(copy < COPIES);
                long from = offset_at(&view, &spot) - offset_at(&view, &a);
                assert_true(start[copy] < 0 || start[copy] == from);
                assert_true(copy || from == 0);
                assert_int_equal(cell_class(&view, r, c).shade, copy);
                start[copy] = from;
                seen++;
            }
        uint64_t all;
        assert_true(lw_dims_total(&view.subject->map.out, &all, NULL));
        assert_int_equal(seen, all);
        subject_end();
    }
}

/* Of a quotient each element is an element of A, with the same offset, and a position of the tile: all elements
 * of a tile
 * are as far from its first one as those of the first tile are. */
static void cute_quotients_are_tiles(void **state)
{
    static const char *const sources[] = {
        "zipped_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
        "logical_divide((9,(4,8)):(59,(13,1)), <3:3, (2,4):(1,8)>)",
        "logical_divide((4,2,3):(2,1,8), 4:2)", "tiled_divide((8,8):(8,1), (2,4))",
        "flat_divide((8,8):(8,1), (2,4))", "zipped_divide((8,16):(16,1), (4:1, 8:2))",
        /* the modes without a tiler are of the rest */
        "zipped_divide((4,(2,8)):(2,(1,8)), <4:1>)",
        "zipped_divide((4,(2,4),3):(2,(1,8),64), <2:2>)",
        "tiled_divide((4,(2,8)):(2,(1,8)), <2:2>)", "flat_divide((4,(2,8)):(2,(1,8)), <2:1>)"};
    enum { TILES = 64 };
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_view view;
        struct lw_spot spot, a, tile;
        long start[TILES];
        for (int c = 0; c < TILES; c++)
            start[c] = -1;
        view_open(&view, "product", subject_written(sources[i]), NULL);
        for (uint64_t r = 0; r < view.rows; r++)
            for (uint64_t c = view.seam_cols; c < view.cols; c++) {
                uint64_t row, col;
                if (!view.type->spot(&view, r, c, &spot))
                    continue;
                part_of(&view, &spot, 1, &a);
                part_of(&view, &spot, 2, &tile);
                assert_int_equal(offset_at(&view, &spot), offset_at(&view, &a));
                uint64_t number = cell_class(&view, r, c).shade;
                assert_true(number < TILES);
                long from = offset_at(&view, &spot) - offset_at(&view, &tile);
                assert_true(start[number] < 0 || start[number] == from);
                start[number] = from;
                assert_true(lw_view_find(&view, &a, &row, &col));
                assert_int_equal(cell_class(&view, row, col).shade, number);
            }
        subject_end();
    }
}

static void cute_steps_are_explained(void **state)
{
    struct lw_view view;
    struct lw_explanation explanation = {0};
    (void)state;
    view_open(&view, "product", subject_written("blocked_product((2,5):(5,1), (3,4):(1,3))"), NULL);
    lw_view_explain(&view, 2, view.seam_cols + 6, &explanation);
    assert_int_equal(explanation.count, 4);
    assert_line(&explanation, 1, "(0,1) of A: offset 1");
    assert_line(&explanation, 2, "(1,1) of B: copy 4 of 12, which begins at 40");
    assert_line(&explanation, 3, "40 + 1 = offset 41");
    subject_end();
    view_open(&view, "product", subject_written("zipped_divide((4,8):(8,1), <2:1, 4:1>)"), NULL);
    lw_view_explain(&view, 3, view.seam_cols + 2, &explanation);
    assert_line(&explanation, 1, "(1,1) of the tile, in tile 2 of 4, which begins at 4");
    assert_line(&explanation, 2, "which is (1,5) of A: offset 13");
    assert_line(&explanation, 3, "4 + 9 = offset 13");
    subject_end();
    lw_explanation_free(&explanation);
}

/* What was edited is no product any more; a file in quotes is not read again. */
static void what_was_changed_is_no_product(void **state)
{
    struct lw_document doc;
    struct lw_error err;
    (void)state;
    assert_true(lw_document_open(&doc, "zipped_divide((4,8):(8,1), <2:1, 4:1>)", NULL, &err));
    assert_non_null(doc.expression);
    assert_true(lw_document_set(&doc, "element", "f16", &err));
    assert_non_null(doc.expression);
    assert_true(lw_document_set(&doc, "stride", "[[8, 1], [16, 8]]", &err));
    assert_null(doc.expression);
    lw_document_free(&doc);
    assert_true(lw_document_open(&doc, "zipped_divide(\"(4,8):(8,1)\", <2:1, 4:1>)", NULL, &err));
    assert_null(doc.expression);
    lw_document_free(&doc);
    assert_true(lw_document_open(&doc, "Sw<1,0,3> o 0 o (4,8):(8,1)", NULL, &err));
    assert_null(doc.expression);
    lw_document_free(&doc);
}

/* Saved and read again it is still one. */
static void a_product_is_printed_as_one(void **state)
{
    struct lw_document doc, again;
    struct lw_error err;
    struct lw_text text = {0};
    (void)state;
    assert_true(lw_document_open(&doc, "blocked_product((2,5):(5,1), (3,4):(1,3))", NULL, &err));
    lw_document_print(&text, &doc);
    assert_non_null(
        strstr(lw_text_string(&text), "\"source\": \"blocked_product((2,5):(5,1), (3,4):(1,3))\""));
    assert_true(lw_document_read(&again, lw_text_string(&text), text.length, NULL, &err));
    assert_non_null(again.expression);
    lw_document_free(&again);
    assert_true(lw_document_set(&doc, "stride", "[[5, 10], [1, 31]]", &err));
    lw_text_clear(&text);
    lw_document_print(&text, &doc);
    assert_non_null(strstr(lw_text_string(&text), "((2,3),(5,4)):((5,10),(1,31))"));
    lw_text_free(&text);
    lw_document_free(&doc);
}

/* ---- Triton ---- */

/* A subject of the result of an expression of linear layouts, as the explorer opens it. */
static const struct lw_subject *computed(const char *expr)
{
    struct lw_document doc;
    struct lw_calc_result result;
    struct lw_text json = {0};
    struct lw_error err;
    if (!lw_calc(expr, NULL, 0, NULL, &result, &err))
        fail_msg("%s: %s", expr, err.message);
    lw_layout_print_json(&json, &result.as.layout);
    assert_true(lw_document_read(&doc, lw_text_string(&json), json.length, NULL, &err));
    doc.expression = lw_arena_string(&doc.arena, expr, strlen(expr));
    lw_text_free(&json);
    return subject_of_document(&doc);
}

/* operator* of LinearLayout: of each dim A has the low bits. */
static void linear_products_are_copies(void **state)
{
    static const char *const sources[] = {
        "identity1D(4, register, dim1) * identity1D(8, lane, dim0) * identity1D(4, lane, dim1)",
        "identity1D(4, register, dim1) * identity1D(2, register, dim0) * identity1D(8, lane, dim1)",
        "identity1D(8, lane, dim0) * zeros1D(4, lane, dim0) * identity1D(2, register, dim0)",
        ("(identity1D(4, lane, dim0) * identity1D(4, lane, dim1)) * (identity1D(2, register, dim1) "
         "* identity1D(4, lane, dim0))")};
    (void)state;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct lw_view view;
        struct lw_spot spot, parts[2];
        const char *name;
        const struct lw_subject *subject = computed(sources[i]);
        view_open(&view, "product", subject, NULL);
        const struct lw_subject *a = lw_view_layout(&view, 1, &name);
        const struct lw_subject *b = lw_view_layout(&view, 2, &name);
        assert_string_equal(name, "B");
        for (uint64_t r = 0; r < view.rows; r++)
            for (uint64_t c = view.seam_cols; c < view.cols; c++) {
                if (!view.type->spot(&view, r, c, &spot))
                    continue;
                part_of(&view, &spot, 1, &parts[0]);
                part_of(&view, &spot, 2, &parts[1]);
                for (int d = 0; d < subject->map.in.count; d++) {
                    const char *dim = subject->map.in.dim[d].name;
                    int low = lw_dims_find(&a->map.in, dim), high = lw_dims_find(&b->map.in, dim);
                    uint64_t in =
                        (low < 0 ? 0 : parts[0].in[low]) +
                        lw_dims_size(&a->map.in, dim) * (high < 0 ? 0 : parts[1].in[high]);
                    assert_int_equal(spot.in[d], in);
                }
            }
        subject_end();
    }
}

static void linear_steps_are_explained(void **state)
{
    struct lw_view view;
    struct lw_explanation explanation = {0};
    (void)state;
    view_open(&view, "product",
              computed("identity1D(4, register, dim1) * identity1D(8, lane, dim0) * identity1D(4, "
                       "lane, dim1)"),
              NULL);
    lw_view_explain(&view, 5, view.seam_cols + 6, &explanation);
    assert_int_equal(explanation.count, 2);
    assert_line(&explanation, 1, "C l1*8, B l6, A r1");
    lw_explanation_free(&explanation);
    subject_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_belong_together),
        cmocka_unit_test(steps_are_explained),
        cmocka_unit_test(tiles_are_of_the_inner_shape),
        cmocka_unit_test(others_are_no_products),
        cmocka_unit_test(cute_products_are_copies),
        cmocka_unit_test(cute_quotients_are_tiles),
        cmocka_unit_test(cute_steps_are_explained),
        cmocka_unit_test(what_was_changed_is_no_product),
        cmocka_unit_test(a_product_is_printed_as_one),
        cmocka_unit_test(linear_products_are_copies),
        cmocka_unit_test(linear_steps_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
