/*
 * The gallery: every document opens, checks clean, builds and draws, and what five public documents
 * draw or compute comes out cell for cell (tests/golden/seeds.jsonl).
 */

#include "golden.h"

#include "laneway/document.h"
#include "laneway/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct drawn {
    struct lw_document doc;
    struct lw_map map;
    struct lw_subject subject, others[LW_SIDES]; /* joined, when the document has several */
};

/* The other layouts of the document. */
static bool draw_others(struct drawn *drawn, struct lw_error *err)
{
    struct lw_subject *sides[LW_SIDES] = {0};
    sides[drawn->doc.side] = &drawn->subject;
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document doc;
        struct lw_map map;
        struct lw_tensor tensor;
        if (!drawn->doc.others[i].encoding)
            continue;
        lw_document_side(&doc, &drawn->doc, (enum lw_side)i);
        if (!lw_document_build(&doc, &map, err))
            return false;
        lw_document_tensor(&doc, &map, &tensor);
        lw_subject_init(&drawn->others[i], &map, &tensor, doc.encoding->type->family);
        sides[i] = &drawn->others[i];
    }
    return lw_subject_join(sides, err);
}

static bool draw(struct drawn *drawn, const char *source, struct lw_error *err)
{
    if (!lw_document_open(&drawn->doc, source, NULL, err))
        return false;
    if (!lw_document_build(&drawn->doc, &drawn->map, err)) {
        lw_document_free(&drawn->doc);
        return false;
    }
    struct lw_tensor tensor;
    lw_document_tensor(&drawn->doc, &drawn->map, &tensor);
    lw_subject_init(&drawn->subject, &drawn->map, &tensor, drawn->doc.encoding->type->family);
    drawn->subject.encoding = drawn->doc.encoding;
    drawn->subject.expression = drawn->doc.expression;
    return true;
}

static void draw_or_fail(struct drawn *drawn, const char *source)
{
    struct lw_error err = {0};
    if (!draw(drawn, source, &err))
        fail_msg("%s: %s", source, err.message);
}

/* ---- The documents themselves ---- */

static void test_names(void **state)
{
    (void)state;
    size_t count;
    const struct lw_gallery_entry *entry = lw_gallery(&count);
    assert_true(count >= 45);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(entry[i - 1].name, entry[i].name) >= 0)
            fail_msg("%s comes after %s", entry[i].name, entry[i - 1].name);
        if (!strchr(entry[i].name, '/'))
            fail_msg("%s is in no folder", entry[i].name);
        assert_ptr_equal(lw_gallery_find(entry[i].name, NULL), &entry[i]);
    }
}

static void check_translations(const struct lw_gallery_entry *entry, const struct lw_document *doc)
{
    assert_string_equal(entry->title, doc->title);
    size_t length = strlen(doc->about);
    if (strlen(doc->title) < 6 || strlen(doc->title) > 60 ||
        doc->title[strlen(doc->title) - 1] == '.')
        fail_msg("%s: the title should be a few words: %s", entry->name, doc->title);
    if (length < 120 || doc->about[length - 1] != '.')
        fail_msg("%s: about should be a paragraph", entry->name);
    for (const char *c = entry->text; *c; c++)
        if ((unsigned char)*c >= 127)
            fail_msg("%s: not ASCII at %.20s", entry->name, c);
}

static bool is_folder(const char *word, size_t length)
{
    size_t count;
    const struct lw_gallery_entry *entry = lw_gallery(&count);
    for (size_t i = 0; i < count; i++)
        if (!strncmp(entry[i].name, word, length))
            return true;
    return false;
}

/* A word that begins with a folder of the gallery, such as mma/m16n8k16.c, names a document. */
static void check_references(const struct lw_gallery_entry *entry, const char *about)
{
    for (const char *at = about; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        char name[128];
        size_t length = strcspn(at, " ,;:()");
        while (length > 0 && at[length - 1] == '.')
            length--;
        const char *slash = memchr(at, '/', length);
        if (!slash || slash == at + length - 1 || !is_folder(at, (size_t)(slash - at) + 1))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!lw_gallery_find(name, NULL))
            fail_msg("%s speaks of %s, which is not in the gallery", entry->name, name);
    }
}

static void test_documents(void **state)
{
    (void)state;
    size_t count;
    const struct lw_gallery_entry *entry = lw_gallery(&count);
    for (size_t i = 0; i < count; i++) {
        struct drawn drawn;
        struct lw_error err;
        draw_or_fail(&drawn, entry[i].name);
        if (!lw_document_check(&drawn.doc, &err))
            fail_msg("%s: %s", entry[i].name, err.message);
        assert_string_equal(drawn.doc.name, entry[i].name);
        check_translations(&entry[i], &drawn.doc);
        check_references(&entry[i], drawn.doc.about);
        lw_document_free(&drawn.doc);
    }
}

/* Printed and read again, a document is the same. */
static void test_printed(void **state)
{
    (void)state;
    size_t count;
    const struct lw_gallery_entry *entry = lw_gallery(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc, again;
        struct lw_text text = {0};
        struct lw_error err = {0};
        assert_true(lw_document_open(&doc, entry[i].name, NULL, &err));
        lw_document_print(&text, &doc);
        if (!lw_document_read(&again, lw_text_string(&text), text.length, NULL, &err))
            fail_msg("%s: %s in\n%s", entry[i].name, err.message, lw_text_string(&text));
        assert_true(lw_encoding_equal(doc.encoding, again.encoding));
        assert_string_equal(doc.title, again.title);
        assert_string_equal(doc.about, again.about);
        assert_string_equal(doc.view, again.view);
        assert_string_equal(doc.cell, again.cell);
        assert_int_equal(doc.tensor.rank, again.tensor.rank);
        lw_document_free(&again);
        lw_document_free(&doc);
        lw_text_free(&text);
    }
}

/* ---- Views ---- */

static void cell_text(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text)
{
    struct lw_cell cell;
    memset(&cell, 0, sizeof cell);
    lw_text_clear(text);
    view->type->cell(view, row, col, text, &cell);
    assert_false(text->failed);
}

/* The four corners of every view that opens; one that does not gives the reason. */
static void look_at(const struct drawn *drawn, const struct lw_view_type *type)
{
    struct lw_view view;
    struct lw_error err = {0};
    struct lw_text text = {0};
    if (!lw_view_open(&view, type, &drawn->subject, NULL, &err)) {
        if (err.message[0] == '\0')
            fail_msg("%s: the view %s does not open and gives no reason", drawn->doc.name,
                     type->name);
        if (!strcmp(type->name, drawn->doc.view) || !strcmp(type->name, "owners"))
            fail_msg("%s: %s", drawn->doc.name, err.message);
        return;
    }
    assert_true(view.rows > 0 && view.cols > 0);
    for (int corner = 0; corner < 4; corner++)
        cell_text(&view, corner & 1 ? view.rows - 1 : 0, corner & 2 ? view.cols - 1 : 0, &text);
    lw_text_free(&text);
    lw_view_close(&view);
}

static void test_views(void **state)
{
    (void)state;
    size_t count, views;
    const struct lw_gallery_entry *entry = lw_gallery(&count);
    const struct lw_view_type *const *types = lw_view_types(&views);
    for (size_t i = 0; i < count; i++) {
        struct drawn drawn;
        struct lw_error err = {0};
        draw_or_fail(&drawn, entry[i].name);
        if (lw_document_is_access(&drawn.doc) && !draw_others(&drawn, &err))
            fail_msg("%s: %s", entry[i].name, err.message);
        for (size_t k = 0; k < views; k++)
            look_at(&drawn, types[k]);
        const struct lw_view_type *own = lw_view_type_find(drawn.doc.view);
        if (!own)
            fail_msg("%s: no view is called '%s'", entry[i].name, drawn.doc.view);
        struct lw_view view;
        struct lw_view_options options = {.cell = *drawn.doc.cell ? drawn.doc.cell : NULL};
        if (!lw_view_open(&view, own, &drawn.subject, &options, &err))
            fail_msg("%s: %s", entry[i].name, err.message);
        lw_view_close(&view);
        lw_subject_separate(&drawn.subject);
        lw_document_free(&drawn.doc);
    }
}

/* ---- What the public documents draw and compute ---- */

static uint64_t size_of(const struct lw_dims *dims, const char *name)
{
    int i = lw_dims_find(dims, name);
    if (i < 0)
        fail_msg("there is no dim %s", name);
    return dims->dim[i].size;
}

static const char *word(const cJSON *row, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, name));
}

static void seed_cells(const cJSON *row, const struct drawn *drawn)
{
    struct lw_view view;
    struct lw_error err = {0};
    struct lw_view_options options = {.cell = word(row, "cell")};
    const struct lw_view_type *type = lw_view_type_find(word(row, "view"));
    assert_non_null(type);
    if (!lw_view_open(&view, type, &drawn->subject, &options, &err))
        fail_msg("%s: %s", word(row, "document"), err.message);
    const cJSON *at = cJSON_GetObjectItemCaseSensitive(row, "at");
    const cJSON *rows = cJSON_GetObjectItemCaseSensitive(row, "rows"), *line, *cell;
    struct lw_text text = {0};
    uint64_t r = (uint64_t)cJSON_GetArrayItem(at, 0)->valueint;
    cJSON_ArrayForEach(line, rows)
    {
        uint64_t c = (uint64_t)cJSON_GetArrayItem(at, 1)->valueint;
        cJSON_ArrayForEach(cell, line)
        {
            assert_true(r < view.rows && c < view.cols);
            cell_text(&view, r, c, &text);
            if (strcmp(lw_text_string(&text), cell->valuestring) != 0)
                fail_msg("%s, %s: row %d, column %d is '%s', drawn is '%s'", word(row, "document"),
                         word(row, "seed"), (int)r, (int)c, lw_text_string(&text),
                         cell->valuestring);
            c++;
        }
        r++;
    }
    lw_text_free(&text);
    lw_view_close(&view);
}

static void seed_apply(const cJSON *row, const struct lw_map *map)
{
    uint64_t in[LW_DIMS_MAX] = {0}, out[LW_DIMS_MAX];
    const cJSON *value;
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(row, "apply"))
    {
        int dim = lw_dims_find(&map->in, value->string);
        assert_true(dim >= 0);
        in[dim] = (uint64_t)value->valueint;
    }
    assert_true(lw_map_apply(map, in, out));
    int i = 0;
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(row, "gives"))
    {
        if (out[i] != (uint64_t)value->valueint)
            fail_msg("%s, %s: got %d, not %d", word(row, "document"), word(row, "seed"),
                     (int)out[i], value->valueint);
        i++;
    }
    assert_int_equal(i, map->out.count);
}

static void seed_bases(const cJSON *row, const struct lw_map *map)
{
    const cJSON *dim, *image, *value;
    assert_int_equal(map->kind, LW_MAP_LINEAR);
    const struct lw_layout *layout = &map->as.linear.layout;
    cJSON_ArrayForEach(dim, cJSON_GetObjectItemCaseSensitive(row, "bases"))
    {
        int d = lw_dims_find(&layout->in, dim->string), bit = 0;
        assert_true(d >= 0);
        assert_int_equal(cJSON_GetArraySize(dim), lw_layout_in_log2(layout, d));
        cJSON_ArrayForEach(image, dim)
        {
            uint64_t out[LW_DIMS_MAX];
            int i = 0;
            lw_layout_basis(layout, d, bit++, out);
            cJSON_ArrayForEach(value, image) assert_int_equal(out[i++], value->valueint);
            assert_int_equal(i, layout->out.count);
        }
    }
}

static void seed_sizes(const cJSON *row, const struct lw_map *map)
{
    const cJSON *value;
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(row, "sizes"))
        assert_int_equal(size_of(&map->out, value->string), value->valueint);
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(row, "counts"))
        assert_int_equal(size_of(&map->in, value->string), value->valueint);
}

static void seed_free(const cJSON *row, const struct lw_map *map)
{
    uint64_t masks[LW_DIMS_MAX];
    const cJSON *value;
    lw_layout_free_masks(&map->as.linear.layout, masks);
    cJSON_ArrayForEach(value, cJSON_GetObjectItemCaseSensitive(row, "free"))
        assert_int_equal(masks[lw_dims_find(&map->in, value->string)], value->valueint);
}

static void seed_row(const cJSON *row)
{
    struct drawn drawn;
    struct lw_error err = {0};
    const char *refused = word(row, "refused");
    if (refused) {
        assert_false(draw(&drawn, word(row, "document"), &err));
        assert_non_null(strstr(err.message, refused));
        return;
    }
    draw_or_fail(&drawn, word(row, "document"));
    if (cJSON_HasObjectItem(row, "rows"))
        seed_cells(row, &drawn);
    if (cJSON_HasObjectItem(row, "apply"))
        seed_apply(row, &drawn.map);
    if (cJSON_HasObjectItem(row, "bases"))
        seed_bases(row, &drawn.map);
    if (cJSON_HasObjectItem(row, "free"))
        seed_free(row, &drawn.map);
    seed_sizes(row, &drawn.map);
    lw_document_free(&drawn.doc);
}

static void test_seeds(void **state)
{
    (void)state;
    FILE *file = golden_open("seeds.jsonl");
    int rows = 0;
    for (cJSON *row; (row = golden_row(file)) != NULL; rows++) {
        seed_row(row);
        cJSON_Delete(row);
    }
    assert_true(rows >= 140);
}

/* ---- Cases that people asked about ---- */

static void test_cases(void **state)
{
    (void)state;
    static const struct {
        const char *document, *view, *cell;
        uint64_t row, col;
        const char *text;
    } cases[] = {
        /* The 16 by 16 example of the paper, arXiv 2505.23819, figure 1a. */
        {"start/16x16", "owners", "r{register},t{lane},w{warp}", 2, 3, "r1,t9,w0"},
        {"start/16x16", "owners", "t{lane},r{register}", 0, 2, "t1,r0"},
        {"start/16x16", "owners", "t{lane},r{register}", 3, 2, "t9,r2"},
        /* Gluon's layout tutorial: too small a tensor replicates over the warps. */
        {"blocked/gluon-32x8", "owners", NULL, 0, 0, "T0:0|T32:0|T64:0|T96:0"},
        /* The swizzle tables of TritonGPUAttrDefs.td. */
        {"swizzle/1-1-4", "owners", "{offset}", 1, 0, "5"},
        {"swizzle/1-1-4", "owners", "{offset}", 1, 2, "7"},
        {"swizzle/1-1-4", "owners", "{offset}", 3, 0, "15"},
        {"swizzle/1-2-4", "owners", "{offset}", 7, 0, "31"},
        {"swizzle/1-1-2", "owners", "{offset}", 3, 3, "14"},
        {"swizzle/2-1-4", "owners", "{offset}", 1, 4, "14"},
        /* The distributed matrix on a tensor of another shape. */
        {"broadcast/2x8-on-4x4", "owners", "{thread}", 1, 4, "[4, 12]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drawn drawn;
        struct lw_view view;
        struct lw_error err = {0};
        struct lw_text text = {0};
        struct lw_view_options options = {.cell = cases[i].cell};
        draw_or_fail(&drawn, cases[i].document);
        if (!lw_view_open(&view, lw_view_type_find(cases[i].view), &drawn.subject, &options, &err))
            fail_msg("%s: %s", cases[i].document, err.message);
        cell_text(&view, cases[i].row, cases[i].col, &text);
        assert_string_equal(lw_text_string(&text), cases[i].text);
        lw_text_free(&text);
        lw_view_close(&view);
        lw_document_free(&drawn.doc);
    }
}

/* A slice whose parent spreads nothing over the lost dim is the blocked layout of one dim less. */
static void test_slice_is_blocked(void **state)
{
    (void)state;
    struct drawn slice, blocked;
    draw_or_fail(&slice, "slice/gluon-dim1");
    draw_or_fail(&blocked,
                 "tensor<128xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], "
                 "warpsPerCTA = [4], order = [0]}>>");
    assert_true(lw_layout_equal(&slice.map.as.linear.layout, &blocked.map.as.linear.layout));
    lw_document_free(&slice.doc);
    lw_document_free(&blocked.doc);
}

/* Two documents that claim to be one layout. */
static void test_twins(void **state)
{
    (void)state;
    static const char *const collision[][2] = {
        {"mma/mfma-16x16", "mma/mfma-16x16-encoding"},
        {"mma/mfma-32x32", "mma/mfma-32x32-encoding"},
        {"broadcast/2x8-on-4x4", "broadcast/2x8-as-bases"},
        {"swizzle/2-1-4", "swizzle/2-1-4-as-bases"},
        {"ttgir/matmul.sm80/shared", "ttgir/matmul.sm90/shared"},
        {"ttgir/matmul.gfx942/mma", "ttgir/matmul.gfx950/mma"},
        {"ttgir/matmul_small.gfx942/mma", "ttgir/matmul_small.gfx950/mma"},
    };
    for (size_t i = 0; i < sizeof collision / sizeof *collision; i++) {
        struct drawn a, b;
        draw_or_fail(&a, collision[i][0]);
        draw_or_fail(&b, collision[i][1]);
        if (!lw_layout_equal(&a.map.as.linear.layout, &b.map.as.linear.layout))
            fail_msg("%s is not %s", collision[i][0], collision[i][1]);
        lw_document_free(&a.doc);
        lw_document_free(&b.doc);
    }
}

/* The accumulator in tilus's words and in Triton's: one layout once both have the same dims. */
static void test_fragment(void **state)
{
    (void)state;
    struct drawn tilus, triton;
    struct lw_layout layout;
    draw_or_fail(&tilus, "mma/m16n8k8.c");
    draw_or_fail(&triton, "mma/m16n8k16.c");
    assert_true(lw_map_to_hardware(&tilus.map, 32, &layout, NULL));
    assert_true(lw_layout_equal(&layout, &triton.map.as.linear.layout));
    lw_document_free(&tilus.doc);
    lw_document_free(&triton.doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_slice_is_blocked),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_fragment),
    };
    return cmocka_run_group_tests_name("gallery_docs", tests, NULL, NULL);
}
