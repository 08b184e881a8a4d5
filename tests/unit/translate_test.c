/* Words of other systems: each is read again and must be the layout that it came from. */

#include "translate_parts.h"

#include "golden.h"
#include "notation_help.h"

#include "laneway/cute.h"
#include "laneway/translate.h"

#define POINTS_MAX (1 << 16)

enum { SYSTEMS = 8 }; /* at least as many as there are */

/* The notation of Gluon does not have the tensor. */
static void print_tensor(struct lw_document *doc, const char *translations,
                         const struct lw_tensor *tensor)
{
    if (strncmp(translations, "gl.", 3) == 0)
        doc->tensor = *tensor;
}

/* Reads words again; what comes back must be the map. */
static void check_trip(const char *name, const char *translations,
                       const struct lw_translate_request *request)
{
    const struct lw_map *map = request->map;
    struct lw_document doc;
    struct lw_map back;
    struct lw_error err;
    if (!lw_document_read(&doc, translations, strlen(translations), NULL, &err))
        fail_msg("%s: %s: %s", name, translations, err.message);
    print_tensor(&doc, translations, request->tensor);
    if (!lw_document_build(&doc, &back, &err))
        fail_msg("%s: %s: %s", name, translations, err.message);
    if (!lw_translate_same_layout(map, &back, lanes_of(map), POINTS_MAX))
        fail_msg("%s: %s is another layout", name, translations);
    lw_document_free(&doc);
}

/* A map that is compared point by point must not be too large for that. */
static bool can_compare(const struct lw_map *map)
{
    uint64_t points;
    struct lw_layout layout;
    return lw_map_to_layout(map, &layout, NULL) ||
           (lw_dims_total(&map->in, &points, NULL) && points <= POINTS_MAX);
}

/* Code for threads and values is without their tile. */
static void put_source(struct lw_text *text, bool with_tile, const char *code,
                       const struct lw_dims *tile)
{
    lw_text_clear(text);
    lw_text_format(text, with_tile ? "thread_value(%s, (" : "%s", code);
    for (int i = 0; with_tile && i < tile->count; i++)
        lw_text_format(text, "%s%llu", i ? "," : "", (unsigned long long)tile->dim[i].size);
    lw_text_add(text, with_tile ? "))" : "");
}

/* How many words there are in each system, and whether all are read again. */
static void check_translations(const char *name, const struct lw_translate_request *request,
                               int counts[SYSTEMS])
{
    size_t count;
    const struct lw_translate_system *systems = lw_translate_systems(&count);
    struct lw_text source = {0};
    assert_true(count <= SYSTEMS);
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_translations translations;
        struct lw_error err = {0};
        bool memory = lw_dims_find(&request->map->in, "offset") >= 0;
        if (lw_translate(&arena, &systems[i], request, &translations, &err)) {
            counts[i]++;
            for (int k = 0; k < translations.count; k++) {
                if (!can_compare(request->map))
                    fail_msg("%s: too large to be compared", name);
                put_source(&source, systems[i].alone && !memory, translations.text[k],
                           &request->map->out);
                check_trip(name, lw_text_string(&source), request);
            }
        } else if (err.code != LW_ERROR_UNSUPPORTED || strlen(err.message) < 20) {
            fail_msg("%s: %s: %s", name, systems[i].name, err.message);
        }
        lw_arena_free(&arena);
    }
    lw_text_free(&source);
}

static void check_document(const char *name, const struct lw_document *doc, bool own,
                           int counts[SYSTEMS])
{
    struct lw_map map;
    struct lw_tensor tensor;
    struct lw_error err;
    if (!lw_document_build(doc, &map, &err))
        fail_msg("%s: %s", name, err.message);
    lw_document_tensor(doc, &map, &tensor);
    struct lw_translate_request request = {&map, &tensor, lanes_of(&map),
                                           own ? doc->encoding : NULL};
    check_translations(name, &request, counts);
}

/* A layout in the notation of all systems, a line each; the arena keeps it. */
static void all_translations(struct lw_text *text, const struct lw_translate_request *request)
{
    size_t count;
    const struct lw_translate_system *systems = lw_translate_systems(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_translations translations;
        if (lw_translate(&arena, &systems[i], request, &translations, NULL))
            for (int k = 0; k < translations.count; k++)
                lw_text_format(text, "%s: %s\n", systems[i].name, translations.text[k]);
        lw_arena_free(&arena);
    }
}

/* There and back: a translation into one system is read again and translated into all systems, which gives the
 * same as for the document. With 64 lanes CuTe has threads only, which are read with warps of 32, so there the
 * layout of the threads comes back (check_trip). Returns how many systems it went through. */
static int check_back(const char *name, const struct lw_document *doc)
{
    struct lw_map map, there;
    struct lw_tensor tensor;
    struct lw_text text = {0};
    size_t count;
    int trips = 0;
    const struct lw_translate_system *systems = lw_translate_systems(&count);
    assert_true(lw_document_build(doc, &map, NULL));
    lw_document_tensor(doc, &map, &tensor);
    struct lw_translate_request request = {&map, &tensor, lanes_of(&map), NULL};
    all_translations(&text, &request);
    for (size_t i = 0; i < count; i++) {
        struct lw_arena arena = {0};
        struct lw_translations translations;
        struct lw_document other;
        struct lw_text back = {0};
        if (!systems[i].alone && lw_translate(&arena, &systems[i], &request, &translations, NULL)) {
            assert_true(lw_document_read(&other, translations.text[0], strlen(translations.text[0]),
                                         NULL, NULL));
            print_tensor(&other, translations.text[0], &tensor);
            assert_true(lw_document_build(&other, &there, NULL));
            bool split = lw_dims_find(&there.in, "lane") < 0 || lanes_of(&there) == request.lanes;
            assert_true(split || (!strcmp(systems[i].name, "cute") && request.lanes == 64));
            struct lw_translate_request again = {&there, &tensor, request.lanes, NULL};
            all_translations(&back, &again);
            if (split && strcmp(lw_text_string(&text), lw_text_string(&back)) != 0)
                fail_msg("%s through %s:\n%s\n%s", name, translations.text[0],
                         lw_text_string(&text), lw_text_string(&back));
            lw_document_free(&other);
            trips++;
        }
        lw_text_free(&back);
        lw_arena_free(&arena);
    }
    lw_text_free(&text);
    return trips;
}

/* Every document, as it was written and from its function alone. */
static void test_gallery(void **unused)
{
    (void)unused;
    size_t count;
    int counts[2][SYSTEMS] = {{0}, {0}}, trips = 0;
    const struct lw_gallery_entry *all = lw_gallery(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc;
        open_source(&doc, all[i].name);
        check_document(all[i].name, &doc, true, counts[0]);
        check_document(all[i].name, &doc, false, counts[1]);
        trips += check_back(all[i].name, &doc);
        lw_document_free(&doc);
    }
    print_message("of %zu documents: triton %d, gluon %d, tilus %d, cute %d have words\n", count,
                  counts[0][0], counts[0][1], counts[0][2], counts[0][3]);
    print_message("  recovered from the function alone: %d, %d, %d, %d\n", counts[1][0],
                  counts[1][1], counts[1][2], counts[1][3]);
    print_message("  %d times there and back\n", trips);
    assert_true(counts[1][0] >= 130 && counts[1][1] >= 130);
    assert_true(counts[1][2] >= 90 && counts[1][3] >= 130);
}

/* ---- Gluon ---- */

struct gluon {
    char *translations;
    cJSON *row;
};
static struct gluon gluon[1024];
static int gluon_count;

static void keep_gluon(const cJSON *row, const char *line)
{
    (void)line;
    assert_true(gluon_count < 1024);
    gluon[gluon_count].row = cJSON_Duplicate(row, true);
    gluon[gluon_count].translations =
        cJSON_GetObjectItem(gluon[gluon_count].row, "words")->valuestring;
    gluon_count++;
}

/* What Triton makes of those words for a tensor of that shape; NULL: it was not asked. */
static const cJSON *bases_of(const char *translations, const struct lw_tensor *tensor)
{
    for (int i = 0; i < gluon_count; i++) {
        const cJSON *shape = cJSON_GetObjectItem(gluon[i].row, "shape");
        bool same = !strcmp(gluon[i].translations, translations) &&
                    cJSON_GetArraySize(shape) == tensor->rank;
        for (int d = 0; d < tensor->rank && same; d++)
            same = golden_number(gluon[i].row, "shape", d) == (int64_t)tensor->shape[d];
        if (same)
            return cJSON_GetObjectItem(gluon[i].row, "bases");
    }
    return NULL;
}

static bool has_bases(const struct lw_layout *layout, const cJSON *bases)
{
    int count = 0;
    for (int d = 0; d < layout->in.count; d++) {
        const cJSON *rows = cJSON_GetObjectItem(bases, layout->in.dim[d].name);
        if (cJSON_GetArraySize(rows) != lw_layout_in_log2(layout, d))
            return false;
        for (int bit = 0; bit < lw_layout_in_log2(layout, d); bit++, count++) {
            uint64_t image[LW_DIMS_MAX];
            lw_layout_basis(layout, d, bit, image);
            for (int out = 0; out < layout->out.count; out++)
                if (cJSON_GetArrayItem(cJSON_GetArrayItem(rows, bit), out)->valuedouble !=
                    (double)image[out])
                    return false;
        }
    }
    for (const cJSON *rows = bases->child; rows; rows = rows->next)
        count -= cJSON_GetArraySize(rows);
    return count == 0;
}

/* Gluon's classes against the bases that Triton computed for them (translate_check.py). Classes of documents
 * that are newer than that are printed, and may be few; linear classes contain their bases. */
static void test_gluon(void **unused)
{
    (void)unused;
    size_t count;
    int same = 0, unknown = 0;
    const struct lw_gallery_entry *all = lw_gallery(&count);
    golden_each("words_gluon.jsonl", keep_gluon);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc;
        struct lw_arena arena = {0};
        struct lw_map map;
        struct lw_tensor tensor;
        struct lw_layout layout;
        struct lw_translations translations = {0};
        open_source(&doc, all[i].name);
        assert_true(lw_document_build(&doc, &map, NULL));
        lw_document_tensor(&doc, &map, &tensor);
        struct lw_translate_request request = {&map, &tensor, lanes_of(&map), doc.encoding};
        bool linear = lw_map_to_hardware(&map, lanes_of(&map), &layout, NULL);
        lw_translate(&arena, lw_translate_system_find("gluon"), &request, &translations, NULL);
        for (int k = 0; k < translations.count && linear; k++) {
            const cJSON *bases = bases_of(translations.text[k], &tensor);
            if (strstr(translations.text[k], "LinearLayout("))
                continue;
            if (!bases)
                print_message("%s: Triton has no result for %s\n", all[i].name,
                              translations.text[k]);
            else if (!has_bases(&layout, bases))
                fail_msg("%s: %s is another layout", all[i].name, translations.text[k]);
            same += bases != NULL;
            unknown += bases == NULL;
        }
        lw_arena_free(&arena);
        lw_document_free(&doc);
    }
    print_message("%d words of Gluon are the layout that Triton makes of them\n", same);
    assert_true(same > 150 && unknown < 10);
}

/* Those words as a SOURCE: what Triton makes of them is what is read. */
static void test_gluon_source(void **unused)
{
    (void)unused;
    for (int i = 0; i < gluon_count; i++) {
        struct lw_document doc;
        struct lw_map map;
        struct lw_layout layout;
        struct lw_error err;
        const cJSON *shape = cJSON_GetObjectItem(gluon[i].row, "shape");
        if (!lw_document_read(&doc, gluon[i].translations, strlen(gluon[i].translations), NULL,
                              &err))
            fail_msg("%s: %s", gluon[i].translations, err.message);
        doc.tensor.rank = cJSON_GetArraySize(shape);
        for (int d = 0; d < doc.tensor.rank; d++)
            doc.tensor.shape[d] = (uint64_t)golden_number(gluon[i].row, "shape", d);
        if (!lw_document_build(&doc, &map, &err) || !lw_map_to_layout(&map, &layout, &err))
            fail_msg("%s: %s", gluon[i].translations, err.message);
        if (!has_bases(&layout, cJSON_GetObjectItem(gluon[i].row, "bases")))
            fail_msg("%s is read as another layout", gluon[i].translations);
        lw_document_free(&doc);
        cJSON_Delete(gluon[i].row);
    }
    assert_true(gluon_count > 150);
}

/* Random encodings of every type that build. */
static void test_random(void **unused)
{
    (void)unused;
    size_t count;
    uint64_t state = 11;
    int counts[SYSTEMS] = {0}, built = 0;
    const struct lw_encoding_type *const *types = lw_encoding_types(&count);
    for (int round = 0; round < 200 * (int)count; round++) {
        struct lw_arena arena = {0};
        struct lw_map map;
        struct lw_tensor tensor;
        struct lw_encoding *encoding =
            random_encoding(&arena, types[(size_t)round % count], &state, 0);
        lw_tensor_unknown(&tensor);
        lw_element_find(&tensor.element, random_below(&state, 2) ? "f16" : "f32", NULL);
        tensor.rank = 1 + (int)random_below(&state, 3);
        for (int d = 0; d < tensor.rank; d++)
            tensor.shape[d] = (uint64_t)1 << random_below(&state, 7);
        if (encoding && lw_encoding_build(encoding, &tensor, &map, NULL) &&
            lw_map_check_unique(&map, NULL)) {
            struct lw_translate_request request = {&map, &tensor, lanes_of(&map), NULL};
            check_translations(encoding->type->name, &request, counts);
            built++;
        }
        lw_arena_free(&arena);
    }
    print_message("of %d random encodings: triton %d, gluon %d, tilus %d, cute %d have words\n",
                  built, counts[0], counts[1], counts[2], counts[3]);
    assert_true(built > 50);
}

/* Random bases of a fragment: any bits anywhere. */
static void test_random_bases(void **unused)
{
    (void)unused;
    uint64_t state = 5;
    int counts[SYSTEMS] = {0};
    for (int round = 0; round < 400; round++) {
        struct lw_dims in = {0}, out = {0};
        struct lw_layout layout;
        struct lw_map map;
        struct lw_tensor tensor;
        static const char *const names[] = {"register", "lane", "warp", "block"};
        int shift = 0, bits, order[12];
        lw_dims_add(&out, "dim0", (uint64_t)1 << random_below(&state, 6), NULL);
        lw_dims_add(&out, "dim1", (uint64_t)1 << random_below(&state, 6), NULL);
        bits = lw_log2(out.dim[0].size) + lw_log2(out.dim[1].size);
        for (int i = 0; i < 4; i++)
            lw_dims_add(&in, names[i], (uint64_t)1 << (i == 3 ? 0 : random_below(&state, 5)), NULL);
        assert_true(lw_layout_of_dims(&layout, &in, &out, NULL));
        for (int i = 0; i < bits; i++)
            order[i] = i;
        for (int i = bits - 1; i > 0; i--) {
            int k = (int)random_below(&state, (uint64_t)i + 1), held = order[i];
            order[i] = order[k];
            order[k] = held;
        }
        for (int i = 0; i < lw_layout_in_bits(&layout); i++) {
            bool some = random_below(&state, 6) && shift < bits;
            layout.basis[i] = some ? (uint64_t)1 << order[shift++] : 0;
            if (some && !random_below(&state, 8))
                layout.basis[i] ^= random_next(&state) & (((uint64_t)1 << bits) - 1);
        }
        lw_map_from_layout(&map, &layout);
        lw_tensor_unknown(&tensor);
        tensor.element.bits = 32;
        tensor.rank = 2;
        tensor.shape[0] = out.dim[0].size;
        tensor.shape[1] = out.dim[1].size;
        struct lw_translate_request request = {&map, &tensor, in.dim[1].size, NULL};
        check_translations("bases", &request, counts);
    }
    print_message("of 400 random bases: triton %d, gluon %d, tilus %d, cute %d have words\n",
                  counts[0], counts[1], counts[2], counts[3]);
}

/* Several elements at one offset: every notation has each element where the layout has it. */
static void test_shared_offsets(void **unused)
{
    (void)unused;
    static const char *const sources[] = {"((5,2),(2,2)):((4,20),(16,8))", "(10,(2,2)):(4,(16,8))",
                                          "(3,3):(2,1)", "(4,(2,3)):(3,(6,2))"};
    int counts[SYSTEMS] = {0};
    struct lw_document doc[2];
    struct lw_map map[2];
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        open_source(&doc[0], sources[i]);
        check_document(sources[i], &doc[0], true, counts);
        lw_document_free(&doc[0]);
    }
    assert_int_equal(counts[2], 4); /* tilus */
    for (int i = 0; i < 2; i++) {
        open_source(&doc[i], i ? "(10,(2,2)):(4,(8,16))" : sources[1]);
        assert_true(lw_document_build(&doc[i], &map[i], NULL));
    }
    assert_false(lw_translate_same_layout(&map[0], &map[1], 32, POINTS_MAX));
    for (int i = 0; i < 2; i++)
        lw_document_free(&doc[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gallery),      cmocka_unit_test(test_gluon),
        cmocka_unit_test(test_gluon_source), cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_bases), cmocka_unit_test(test_shared_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
