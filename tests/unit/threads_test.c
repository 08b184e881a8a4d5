/* Threads with objects of their own: the library keeps nothing between calls, so that several may use it at once. Each
 * thread does the same work, and finds the same results as one thread alone; `make tsan` runs this under
 * ThreadSanitizer. */

#include "unit.h"

#include "laneway/laneway.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, ROUNDS = 3 };

static const char *const sources[] = {
    "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64], \"element\": \"f16\", "
    "\"params\": "
    "{\"sizePerThread\": [1, 4], \"threadsPerWarp\": [2, 16], \"warpsPerCTA\": [1, 1], \"order\": "
    "[1, 0]}, "
    "\"shared\": \"!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = "
    "8, order = "
    "[1, 0]}>, #smem>\"}",
    "{\"laneway\": 1, \"encoding\": \"blocked\", \"shape\": [16, 64",
    "{\"laneway\": 1, \"encodings\": \"blocked\"}",
    "{\"in\": [[\"register\", 2], [\"lane\", 2]], \"out\": [[\"dim0\", 4]], \"bases\": "
    "{\"register\": [[1]], "
    "\"lane\": [[2]]}}",
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA "
    "= [1, 1], "
    "order = [1, 0]}>>",
    "tensor<64xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4]}>}>>",
    "local(2, 1).spatial(8, 4).local(1, 2)",
    "local(3, 4).spatial(2, 3)",
    "local(2, ",
    "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "((2,4),8):((1,16),2)",
    "banks/transpose-row-major",
    "banks/transpose-column",
    "\xff\xfe",
};

static const char kernel[] = "#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = "
                             "[4, 8], warpsPerCTA = [4, 1], order = [1, "
                             "0]}>\n#blocked1 = #ttg.blocked<{sizePerThread = [4, 1], "
                             "threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order "
                             "= [0, 1]}>\nmodule attributes {\"ttg.num-ctas\" = 1 : i32, "
                             "\"ttg.num-warps\" = 4 : i32, ttg.target = "
                             "\"cuda:90\", \"ttg.threads-per-warp\" = 32 : i32} {\n  tt.func "
                             "public @k(%0: tensor<32x32xf32, #blocked>) {\n"
                             "    %1 = ttg.convert_layout %0 : tensor<32x32xf32, #blocked> -> "
                             "tensor<32x32xf32, #blocked1>\n    tt.return\n"
                             "  }\n}\n";

/* Every view of a subject in every format. */
static void write_views(const struct lw_subject *subject, FILE *out)
{
    size_t types, formats;
    const struct lw_view_type *const *type = lw_view_types(&types);
    const struct lw_format *const *format = lw_formats(&formats);
    for (size_t t = 0; t < types; t++) {
        struct lw_view view;
        struct lw_error err = {0};
        if (!lw_view_open(&view, type[t], subject, NULL, &err)) {
            fprintf(out, "%s\n", err.message);
            continue;
        }
        for (size_t f = 0; f < formats; f++) {
            if (format[f]->binary) /* drawn by a library that TSan cannot look into */
                continue;
            struct lw_export_options options = {.labels = true, .head = true};
            options.row_to = view.rows < 3 ? view.rows : 3;
            options.col_to = view.cols < 3 ? view.cols : 3;
            if (!lw_export(&view, format[f], &options, out, &err))
                fprintf(out, "%s\n", err.message);
        }
        lw_view_close(&view);
    }
}

static void read_source(const char *source, FILE *out)
{
    struct lw_document doc;
    struct lw_opened opened, other;
    struct lw_subject *sides[LW_SIDES] = {0};
    struct lw_error err = {0};
    struct lw_text text = {0};
    if (!lw_document_read(&doc, source, strlen(source), NULL, &err)) {
        fprintf(out, "%s\n", err.message);
        return;
    }
    lw_document_print(&text, &doc);
    lw_document_source(&text, &doc);
    fputs(lw_text_string(&text), out);
    lw_text_free(&text);
    if (lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err)) {
        enum lw_side side = doc.side == LW_SIDE_S ? LW_SIDE_B : LW_SIDE_S;
        bool two = lw_document_is_access(&doc) && lw_document_has(&doc, side) &&
                   lw_subject_open_side(&other, &doc, side, LW_LANES_DEFAULT, &err);
        sides[doc.side] = &opened.subject;
        sides[side] = two ? &other.subject : NULL;
        if (two)
            assert_true(lw_subject_join(sides, &err));
        write_views(&opened.subject, out);
        lw_subject_separate(&opened.subject);
        if (two)
            lw_subject_close(&other);
        lw_subject_close(&opened);
    }
    lw_document_free(&doc);
}

static void read_kernel(FILE *out)
{
    struct lw_kernel read;
    struct lw_kernel_costs costs;
    struct lw_error err = {0};
    assert_true(lw_kernel_read(&read, kernel, sizeof kernel - 1, NULL, &err));
    if (lw_kernel_costs_make(&costs, &read, NULL, &err)) {
        for (size_t i = 0; i < read.operation_count; i++)
            fprintf(out, "%llu\n", (unsigned long long)costs.costs[i].wavefronts);
        lw_kernel_costs_free(&costs);
    }
    lw_kernel_free(&read);
}

static void calculate(FILE *out)
{
    static const char *const expressions[] = {
        "identity1D(4, register, dim0) * identity1D(8, lane, dim0)",
        "local(2, 3) * spatial(4, 8)",
        "complement((4,2):(1,8), 64)",
        "nothing(",
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        struct lw_arena arena = {0};
        struct lw_calc_work work = {.arena = &arena};
        struct lw_calc_result result;
        struct lw_error err = {0};
        struct lw_text text = {0};
        if (lw_calc(expressions[i], NULL, 0, &work, &result, &err))
            lw_calc_print_json(&text, &result);
        else
            lw_text_error(&text, NULL, &err);
        fputs(lw_text_string(&text), out);
        lw_text_free(&text);
        lw_arena_free(&arena);
    }
}

/* All of the work; its output is *printed, which the caller frees. */
static void *work(void *printed)
{
    char **out = printed;
    size_t length;
    for (int round = 0; round < ROUNDS; round++) {
        free(*out);
        FILE *stream = open_memstream(out, &length);
        if (!stream)
            return NULL;
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
            read_source(sources[i], stream);
        read_kernel(stream);
        calculate(stream);
        fclose(stream);
    }
    return NULL;
}

static void threads_find_what_one_finds(void **state)
{
    pthread_t threads[THREADS];
    char *alone = NULL, *printed[THREADS] = {NULL};
    (void)state;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &printed[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    work(&alone);
    assert_true(strlen(alone) > 10000);
    for (int i = 0; i < THREADS; i++) {
        assert_string_equal(printed[i], alone);
        free(printed[i]);
    }
    free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_find_what_one_finds)};
    return RUN(tests);
}
