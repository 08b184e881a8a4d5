/* Figures: cells that are square, that stand out or are marked; panels; pictures of librsvg. */

#include "markup.h"
#include "view_help.h"

#include <string.h>

static long number_of(const struct element *e, const char *name)
{
    const char *value = attribute_of(e, name);
    assert_non_null(value);
    return strtol(value, NULL, 10);
}

static struct markup draw(const struct lw_view *view, const struct lw_export_options *options)
{
    struct lw_error err = {0};
    char *picture = exported(view, "svg", options, &err);
    if (!picture)
        fail_msg("%s", err.message);
    struct markup m = markup_read(picture, "svg");
    free(picture);
    return m;
}

static const char *class_of(const struct markup *m, size_t i)
{
    const char *class = attribute_of(&m->element[i], "class");
    return class ? class : "";
}

/* Cells are in groups; the paper and swatches have a class of their own. */
static size_t count_cells(const struct markup *m, bool faint, long *width, long *height)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct element *e = &m->element[i];
        if (strcmp(e->name, "rect") != 0 || *class_of(m, i))
            continue;
        count += !faint || strstr(class_of(m, (size_t)e->parent), " d") != NULL;
        *width = number_of(e, "width");
        *height = number_of(e, "height");
    }
    return count;
}

static size_t count_letter(const char *path, char letter)
{
    size_t count = 0;
    for (; *path; path++)
        count += *path == letter;
    return count;
}

/* The frames, each of which ends with z. */
static size_t count_marks(const struct markup *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->count; i++)
        if (!strcmp(class_of(m, i), "k"))
            count += count_letter(attribute_of(&m->element[i], "d"), 'z');
    return count;
}

static void squares_at_any_size(void **unused)
{
    (void)unused;
    struct lw_view view;
    long width, height;
    view_open(&view, "memory",
              subject_of("!ttg.memdesc<8x64xf16, #ttg.swizzled_shared<{vec=8, perPhase=1, "
                         "maxPhase=8, order=[1,0]}>, #smem>"),
              NULL);
    for (unsigned room = 300; room <= 4000; room += 380) {
        const struct lw_export_options options = {.labels = true, .head = true, .width = room};
        struct markup m = draw(&view, &options);
        assert_int_equal(count_cells(&m, false, &width, &height), 8 * 64);
        assert_int_equal(width, height);
        assert_true(number_of(&m.element[0], "width") <= (long)room);
        markup_free(&m);
    }
    const struct lw_export_options one_row = {.labels = true, .any_width = true};
    struct markup m = draw(&view, &one_row);
    assert_true(number_of(&m.element[0], "width") > 64 * 36);
    markup_free(&m);
    for (unsigned size = 1; size <= 400; size += 57) {
        const struct lw_export_options options = {.cell_size = size};
        m = draw(&view, &options);
        assert_int_equal(count_cells(&m, false, &width, &height), 8 * 64);
        assert_true(width == (long)size && height == (long)size);
        markup_free(&m);
    }
}

/* All words and row labels are within a figure that is no wider than it may be. */
static void check_width(const char *picture, unsigned room)
{
    struct markup m = markup_read(picture, "svg");
    long width = number_of(&m.element[0], "width");
    assert_true(width <= (long)room);
    for (size_t i = 0; i < m.count; i++) {
        const char *class = class_of(&m, i);
        if (strcmp(m.element[i].name, "text") != 0 || !strchr("ltw", *class) || !*class)
            continue;
        long x = number_of(&m.element[i], "x");
        if (!strncmp(class, "l e", 3)) /* ends there */
            assert_true(attribute_of(&m.element[i], "font-size") ||
                        (double)x >= 7.8 * (double)lw_text_width(m.element[i].text));
        else if (!strncmp(class, "l m", 3)) /* is in the middle there */
            assert_true(attribute_of(&m.element[i], "font-size") ||
                        (double)x + 3.9 * (double)lw_text_width(m.element[i].text) <=
                            (double)width);
        else
            assert_true((double)x + 7.8 * (double)lw_text_width(m.element[i].text) <=
                        (double)width);
    }
    markup_free(&m);
}

/* Any figure is as narrow as it is to be, or is refused with the least width that it can have. */
static void widths_are_kept(void **unused)
{
    static const struct {
        const char *view, *source;
    } cases[] = {
        {"owners", "spatial(4, 8).local(1, 4)"},
        {"hardware", "spatial(4, 8).local(1, 4)"},
        {"owners", "local(3, 5, 7)"},
        {"matrix", "{\"in\":[[\"register\",8],[\"lane\",32]],\"out\":[[\"dim0\",16],[\"dim1\",16]],"
                   "\"bases\":{\"register\":[[0,1],[8,0],[0,8]],\"lane\":[[0,2],[0,4],[1,0],[2,0],"
                   "[4,0]]}}"},
        {"memory", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
        {"facts", "spatial(4, 8)"},
        {"bases", "Sw<3,4,3> o 0 o (8,64):(64,1)"},
    };
    static const unsigned rooms[] = {160, 200, 333, 480, 960};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++) {
            struct lw_export_options options = {.labels = true, .head = true, .width = rooms[k]};
            struct lw_error err = {0};
            struct lw_view view;
            view_open(&view, cases[i].view, subject_of(cases[i].source), NULL);
            options.title = "A title that is rather longer than the narrowest of these figures";
            options.caption = options.title;
            char *picture = exported(&view, "svg", &options, &err);
            if (!picture) {
                const char *least = strstr(err.message, "needs at least ");
                assert_non_null(least);
                options.width = (unsigned)strtoul(least + 15, NULL, 10) - 1;
                assert_true(options.width >= rooms[k]);
                assert_null(exported(&view, "svg", &options, &err));
                options.width++;
                picture = exported(&view, "svg", &options, &err);
            }
            assert_non_null(picture);
            check_width(picture, options.width);
            free(picture);
        }
}

/* Of 4 x 4 lanes with 4 registers each, lane 9 has 4 elements, of which 2 have registers 0 and 1. */
static void cells_stand_out(void **unused)
{
    static const struct {
        const char *highlight;
        size_t cells;
    } cases[] = {{"thread=9", 4},       {"thread=9 local=0-1", 2},
                 {"thread=0-3,15", 20}, {"row=0", 8},
                 {"thread=3,15", 8},    {"T9:1 | 0,0", 2},
                 {"t9 r1", 1},          {"t=9", 4},
                 {"l9 w0", 4},          {"t9local1", 1}};
    (void)unused;
    struct lw_view view;
    long width, height;
    view_open(&view, "owners", subject_of("spatial(4, 4).local(2, 2)"), NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct lw_export_options options = {.highlight = cases[i].highlight};
        struct markup m = draw(&view, &options);
        assert_int_equal(count_marks(&m), cases[i].cells);
        assert_int_equal(count_cells(&m, true, &width, &height), 64 - cases[i].cells);
        markup_free(&m);
    }
}

static bool in_first_row(const void *context, const struct lw_view *view, uint64_t row,
                         uint64_t col)
{
    (void)view, (void)col;
    return row == *(const uint64_t *)context;
}

static void wrong_figures(void **unused)
{
    static const struct {
        struct lw_export_options options;
        const char *message;
    } cases[] = {
        {{.highlight = "lanes=3"},
         "--highlight: no field 'lanes' here: there are local, thread, dim0, dim1, lane, warp, "
         "register, row, column, index, vector"},
        {{.highlight = "lane"},
         "--highlight 'lane': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
         "register=0'"},
        {{.highlight = "lane=5-2"},
         "--highlight 'lane=5-2': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
         "register=0'"},
        {{.highlight = "thread=99"}, "--highlight 'thread=99': no cell has that"},
        {{.highlight = "t99"}, "--highlight 't99': no cell has that"},
        {{.highlight = "3,9"}, "--highlight '3,9': no cell has that"},
        {{.highlight = "3,5,7"},
         "--highlight '3,5,7': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
         "register=0'"},
        {{.highlight = "| t9"},
         "--highlight '| t9': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
         "register=0'"},
        {{.highlight = "t9 | | t3"},
         "--highlight 't9 | | t3': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
         "register=0'"},
        {{.highlight = "row=9"}, "--highlight 'row=9': no cell has that"},
        {{.highlight = "t1 t2"}, "--highlight 't1 t2': no cell has that"},
        {{.highlight = " "},
         "--highlight ' ': expected FIELD=NUMBER, such as lane=9, t9 or 'warp=0-1,3 "
         "register=0'"},
        {{.width = 10}, "a figure 10 pixels wide: from 160 to 100000"},
        {{.cell_size = 401}, "cells of 401 pixels: from 1 to 400"},
        {{.arrangement = LW_ARRANGE_PRODUCT},
         "--arrange product needs three panels, A, B and C, not 1"},
    };
    (void)unused;
    struct lw_view view;
    view_open(&view, "owners", subject_of("spatial(4, 4)"), NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_error err = {0};
        assert_null(exported(&view, "svg", &cases[i].options, &err));
        assert_string_equal(err.message, cases[i].message);
    }
    const uint64_t first = 0;
    const struct lw_export_options marked = {.marked = in_first_row, .marked_context = &first};
    struct markup m = draw(&view, &marked);
    assert_int_equal(count_marks(&m), 4);
    markup_free(&m);
}

static bool in_known_view(const void *context, const struct lw_view *view, uint64_t row,
                          uint64_t col)
{
    assert_ptr_equal(view, context);
    return row == 0 && col == 0;
}

/* Who is asked for marks knows the view, also where a narrow figure has shorter texts. */
static void marks_of_short_texts(void **unused)
{
    (void)unused;
    struct lw_view view;
    view_open(&view, "owners", subject_of("spatial(16, 32).local(1, 2)"), NULL);
    const struct lw_export_options options = {
        .marked = in_known_view, .marked_context = &view, .width = 900};
    struct markup m = draw(&view, &options);
    assert_int_equal(count_marks(&m), 1);
    markup_free(&m);
}

static void panels_differ(void **unused)
{
    (void)unused;
    struct lw_view view, other;
    struct lw_view_options by_column = {.cell = "{column}"};
    struct lw_view_options by_row = {.cell = "{row}"};
    const struct lw_subject *subject = subject_of("spatial(4, 4)");
    const struct lw_export_options options = {.differences = true, .head = true, .title = "both"};
    char *picture = NULL;
    size_t length;
    struct lw_error err = {0};
    view_open(&view, "owners", subject, &by_column);
    view_open(&other, "owners", subject, &by_row);
    const struct lw_view *const views[] = {&view, &other, &view};
    FILE *stream = open_memstream(&picture, &length);
    assert_true(lw_export_panels(views, 3, lw_format_find("svg"), &options, stream, &err));
    fclose(stream);
    struct markup m = markup_read(picture, "svg");
    long width, height;
    assert_int_equal(count_cells(&m, false, &width, &height), 48);
    assert_int_equal(count_marks(&m), 12); /* all but the diagonal */
    markup_free(&m);
    free(picture);
    assert_false(lw_export_panels(views, 0, lw_format_find("svg"), &options, stdout, &err));
    assert_string_equal(err.message, "0 panels: from 1 to 64");
    assert_false(lw_export_panels(views, 65, lw_format_find("svg"), &options, stdout, &err));
    assert_string_equal(err.message, "65 panels: from 1 to 64");
    assert_false(lw_export_panels(views, 2, lw_format_find("csv"), &options, stdout, &err));
    assert_string_equal(err.message, "csv holds one view, not 2");
    const struct lw_export_options frames = {.arrangement = LW_ARRANGE_FRAMES};
    assert_false(lw_export_panels(views, 2, lw_format_find("latex"), &frames, stdout, &err));
    assert_string_equal(err.message, "--arrange frames: latex has no frames: html, svg have");
}

/* The frame of an element, by the delay of the group around it; -1: it is in each one, below what that has there. */
static int frame_of(const struct markup *m, size_t i)
{
    const char *style = NULL;
    for (int at = (int)i; at >= 0 && !style; at = m->element[at].parent)
        style = attribute_of(&m->element[at], "style");
    return style ? atoi(strchr(style, ':') + 1) : -1;
}

static bool is_seen(const struct markup *m, size_t i, int frame)
{
    const struct element *e = &m->element[i];
    if (frame_of(m, i) >= 0)
        return frame_of(m, i) == frame;
    for (size_t k = 0; k < m->count; k++) {
        const struct element *over = &m->element[k];
        if (!strcmp(over->name, "rect") && frame_of(m, k) == frame &&
            number_of(over, "x") <= number_of(e, "x") &&
            number_of(e, "x") < number_of(over, "x") + number_of(over, "width") &&
            number_of(over, "y") <= number_of(e, "y") &&
            number_of(e, "y") < number_of(over, "y") + number_of(over, "height"))
            return false;
    }
    return true;
}

/* The cells and their texts that are seen in a frame; `sum` is the same for the same ones in any order. */
static size_t count_seen(const struct markup *m, int frame, uint64_t *sum)
{
    size_t count = 0;
    *sum = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct element *e = &m->element[i];
        const char *group = e->parent >= 0 ? class_of(m, (size_t)e->parent) : "";
        if (*group != 'c' || *class_of(m, i) || !is_seen(m, i, frame))
            continue;
        uint64_t hash = (uint64_t)(number_of(e, "x") * 4099 + number_of(e, "y"));
        for (const char *c = *e->name == 'r' ? group : e->text; c && *c; c++)
            hash = hash * 1000003 + (unsigned char)*c;
        *sum += hash * 0x9e3779b97f4a7c15;
        count++;
    }
    return count;
}

/* Each frame is the drawing of its view, and what it has in common with the first one is written once. */
static void frames_share_what_they_have(void **unused)
{
    static const struct lw_view_options cells[] = {{.cell = "{thread}", .color_by = "thread"},
                                                   {.cell = "{thread}", .color_by = "row"},
                                                   {.cell = "{thread}", .color_by = "thread"}};
    (void)unused;
    enum { FRAMES = 3, CELLS = 64 };
    const struct lw_subject *subject = subject_of("spatial(4, 4).local(2, 2)");
    const struct lw_export_options alone = {.cell_size = 32};
    const struct lw_export_options frames = {.cell_size = 32, .arrangement = LW_ARRANGE_FRAMES};
    struct lw_view view[FRAMES];
    const struct lw_view *views[FRAMES];
    struct lw_error err = {0};
    char *picture = NULL;
    size_t length, rects = 0;
    for (size_t i = 0; i < FRAMES; i++) {
        view_open(&view[i], "owners", subject, &cells[i]);
        views[i] = &view[i];
    }
    FILE *stream = open_memstream(&picture, &length);
    assert_true(lw_export_panels(views, FRAMES, lw_format_find("svg"), &frames, stream, &err));
    fclose(stream);
    struct markup m = markup_read(picture, "svg");
    for (int i = 0; i < FRAMES; i++) {
        struct markup one = draw(&view[i], &alone);
        uint64_t sum, expected;
        assert_int_equal(count_seen(&one, -2, &expected), 2 * CELLS);
        assert_int_equal(count_seen(&m, i, &sum), 2 * CELLS);
        assert_true(sum == expected);
        markup_free(&one);
    }
    for (size_t i = 0; i < m.count; i++)
        rects += !strcmp(m.element[i].name, "rect") && !*class_of(&m, i);
    assert_true(rects <= 2 * CELLS); /* the third frame is the first one again */
    markup_free(&m);
    free(picture);
}

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* A png has two pixels for each of the drawing; a pdf is the same one each time. */
static void rasters(void **unused)
{
    (void)unused;
    struct lw_view view;
    struct lw_error err = {0};
    view_open(&view, "owners", subject_of("spatial(4, 4)"), NULL);
    char *png = NULL, *pdf[2] = {NULL, NULL};
    size_t length, lengths[2];
    FILE *stream = open_memstream(&png, &length);
    bool good = lw_export(&view, lw_format_find("png"), NULL, stream, &err);
    fclose(stream);
    if (!good) {
        assert_int_equal(err.code, LW_ERROR_UNSUPPORTED);
        free(png);
        skip();
    }
    struct markup m = draw(&view, NULL);
    assert_true(length > 33 && !memcmp(png, "\x89PNG\r\n\x1a\n", 8));
    assert_int_equal(big_endian((unsigned char *)png + 16), 2 * number_of(&m.element[0], "width"));
    assert_int_equal(big_endian((unsigned char *)png + 20), 2 * number_of(&m.element[0], "height"));
    markup_free(&m);
    free(png);
    for (int i = 0; i < 2; i++) {
        stream = open_memstream(&pdf[i], &lengths[i]);
        assert_true(lw_export(&view, lw_format_find("pdf"), NULL, stream, &err));
        fclose(stream);
    }
    assert_true(lengths[0] == lengths[1] && !memcmp(pdf[0], pdf[1], lengths[0]));
    assert_int_equal(strncmp(pdf[0], "%PDF-", 5), 0);
    free(pdf[0]);
    free(pdf[1]);
}

static int finish(void **unused)
{
    (void)unused;
    subject_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_at_any_size),
        cmocka_unit_test(widths_are_kept),
        cmocka_unit_test(cells_stand_out),
        cmocka_unit_test(wrong_figures),
        cmocka_unit_test(marks_of_short_texts),
        cmocka_unit_test(panels_differ),
        cmocka_unit_test(frames_share_what_they_have),
        cmocka_unit_test(rasters),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
