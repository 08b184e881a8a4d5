/* Exports: each format to the letter, ranges, limits, and streams that fail. */

#include "view_help.h"

#include "export/output.h"

#include <cJSON.h>

#define SMALL "reduce(spatial(3, 4), dims=[0])"
#define STACK "local(2, 2, 2)"

static void writes(const char *source, const char *view_name, const char *format,
                   const struct lw_export_options *options, const char *expected)
{
    struct lw_view view;
    struct lw_error err = {0};
    view_open(&view, view_name, subject_of(source), NULL);
    char *printed = exported(&view, format, options, &err);
    if (!printed)
        fail_msg("%s", err.message);
    assert_string_equal(printed, expected);
    free(printed);
}

static void fails(const char *source, const char *view_name,
                  const struct lw_export_options *options, enum lw_code code, const char *message)
{
    struct lw_view view;
    struct lw_error err = {0};
    view_open(&view, view_name, subject_of(source), NULL);
    assert_null(exported(&view, "text", options, &err));
    assert_int_equal(err.code, code);
    assert_string_equal(err.message, message);
}

static const struct lw_export_options labels = {.labels = true};

/* A text of any length is written whole. */
static void test_long_text(void **unused)
{
    (void)unused;
    char long_text[3000], *written = NULL;
    size_t length = 0;
    memset(long_text, 'a', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    FILE *file = open_memstream(&written, &length);
    assert_non_null(file);
    lw_output_print(file, "<%s>", long_text);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(length, sizeof long_text + 1);
    assert_int_equal(written[length - 1], '>');
    free(written);
}

static void test_text(void **unused)
{
    (void)unused;
    writes(SMALL, "owners", "text", NULL,
           "RegisterLayout(shape=[4], mode_shape=[4], spatial_modes=[-3, 0], local_modes=[])\n"
           "┌──────────────┬──────────────┬───────────────┬───────────────┐\n"
           "│ [0, 4, 8]: 0 │ [1, 5, 9]: 0 │ [2, 6, 10]: 0 │ [3, 7, 11]: 0 │\n"
           "└──────────────┴──────────────┴───────────────┴───────────────┘\n");
    struct lw_export_options psql = {.labels = true, .style = "psql"};
    writes("local(2, 2)", "hardware", "text", &psql,
           "+----+-------+\n"
           "|    | 0     |\n"
           "|----+-------|\n"
           "| r0 | (0,0) |\n"
           "| r1 | (0,1) |\n"
           "| r2 | (1,0) |\n"
           "| r3 | (1,1) |\n"
           "+----+-------+\n");
    struct lw_export_options bare = {.style = "plain"};
    writes("local(2, 2)", "hardware", "text", &bare, "(0,0)\n(0,1)\n(1,0)\n(1,1)\n");
}

static void test_markdown(void **unused)
{
    (void)unused;
    writes(STACK, "owners", "markdown", &labels,
           "|  | 0 | 1 |\n| --- | --- | --- |\n"
           "| 0,0 | 0: 0 | 0: 1 |\n| 0,1 | 0: 2 | 0: 3 |\n\n"
           "|  | 0 | 1 |\n| --- | --- | --- |\n"
           "| 1,0 | 0: 4 | 0: 5 |\n| 1,1 | 0: 6 | 0: 7 |\n");
    struct lw_view view;
    struct lw_view_options options = {.cell = "T{thread}|*<"};
    view_open(&view, "owners", subject_of("spatial(2)"), &options);
    char *printed = exported(&view, "markdown", NULL, NULL);
    assert_string_equal(printed, "RegisterLayout(shape=[2], mode_shape=[2], spatial_modes=[0], "
                                 "local_modes=[])\n\n"
                                 "dim0 across; cells: T{thread}\\|\\*\\<\n\n"
                                 "|  | 0 | 1 |\n| --- | --- | --- |\n"
                                 "|  | T0\\|\\*\\< | T1\\|\\*\\< |\n");
    free(printed);
}

static void test_csv(void **unused)
{
    (void)unused;
    writes(SMALL, "owners", "csv", &labels,
           ",0,1,2,3\r\n,\"[0, 4, 8]: 0\",\"[1, 5, 9]: 0\",\"[2, 6, 10]: 0\",\"[3, 7, 11]: "
           "0\"\r\n");
    struct lw_export_options plain = {.labels = false};
    writes("local(2, 2)", "owners", "csv", &plain, "0: 0,0: 1\r\n0: 2,0: 3\r\n");
    struct lw_view view;
    struct lw_view_options options = {.cell = "\"{i0}\""};
    view_open(&view, "owners", subject_of("local(1)"), &options);
    char *printed = exported(&view, "csv", &plain, NULL);
    assert_string_equal(printed, "\"\"\"0\"\"\"\r\n");
    free(printed);
}

static void test_json(void **unused)
{
    (void)unused;
    struct lw_view view;
    struct lw_view_options options = {.cell = "\"\\{i0}é{i1}"};
    view_open(&view, "owners", subject_of(STACK), &options);
    char *printed = exported(&view, "json", NULL, NULL);
    cJSON *object = cJSON_Parse(printed);
    assert_non_null(object);
    assert_string_equal(cJSON_GetObjectItem(object, "view")->valuestring, "owners");
    assert_int_equal(cJSON_GetObjectItem(object, "rows")->valueint, 4);
    assert_int_equal(cJSON_GetObjectItem(object, "cols")->valueint, 2);
    cJSON *rows = cJSON_GetObjectItem(object, "row_labels");
    assert_string_equal(cJSON_GetArrayItem(rows, 3)->valuestring, "1,1");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(object, "col_labels")), 2);
    cJSON *cells = cJSON_GetObjectItem(object, "cells");
    assert_int_equal(cJSON_GetArraySize(cells), 4);
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetArrayItem(cells, 3), 0)->valuestring,
                        "\"\\1é1");
    cJSON_Delete(object);
    free(printed);
}

static void test_ansi(void **unused)
{
    (void)unused;
    writes("spatial(2, 1)", "owners", "ansi", &labels,
           "   \x1b[2m0\x1b[0m\n"
           "\x1b[2m0\x1b[0m  \x1b[38;5;16;48;5;210m0: 0\x1b[0m\n"
           "\x1b[2m1\x1b[0m  \x1b[38;5;16;48;5;180m1: 0\x1b[0m\n");
}

/* Lines that are wider than the terminal are cut; sequences of colours take no room. */
static void test_fit(void **unused)
{
    (void)unused;
    struct lw_export_options fit = {.labels = true, .fit = 14};
    writes("local(1, 3)", "owners", "ansi", &fit,
           "   \x1b[2m0\x1b[0m     \x1b[2m1\x1b[0m   \x1b[0m…\n"
           "\x1b[2m0\x1b[0m  \x1b[38;5;16;48;5;210m0: 0\x1b[0m  "
           "\x1b[38;5;16;48;5;210m0: 1\x1b[0m\x1b[0m…\n");
    fit.fit = 19;
    writes("local(1, 3)", "owners", "ansi", &fit,
           "   \x1b[2m0\x1b[0m     \x1b[2m1\x1b[0m     \x1b[2m2\x1b[0m\n"
           "\x1b[2m0\x1b[0m  \x1b[38;5;16;48;5;210m0: 0\x1b[0m  "
           "\x1b[38;5;16;48;5;210m0: 1\x1b[0m  \x1b[38;5;16;48;5;210m0: 2\x1b[0m\n");
    struct lw_export_options grid = {.fit = 10};
    writes("local(1, 3)", "owners", "text", &grid,
           "┌──────┬─…\n"
           "│ 0: 0 │ …\n"
           "└──────┴─…\n");
    grid.fit = 22;
    writes("local(1, 3)", "owners", "text", &grid,
           "┌──────┬──────┬──────┐\n"
           "│ 0: 0 │ 0: 1 │ 0: 2 │\n"
           "└──────┴──────┴──────┘\n");
}

static void test_ranges(void **unused)
{
    (void)unused;
    /* A range may begin and end within grids of a stack. */
    struct lw_export_options options = {
        .style = "plain", .row_from = 1, .row_to = 3, .col_from = 1, .col_to = 2};
    writes(STACK, "owners", "text", &options, "0: 3\n0: 5\n");
    /* A part of a bare view has labels, to show which part it is. */
    options.labels = true;
    writes(STACK, "owners", "text", &options, "     1\n0,1  0: 3\n     1\n1,0  0: 5\n");
    options = (struct lw_export_options){.style = "plain", .labels = true};
    writes("local(2, 1)", "owners", "text", &options, "0: 0\n0: 1\n");
    options.bare_labels = true;
    writes("local(2, 1)", "owners", "text", &options, "    0\n 0  0: 0\n 1  0: 1\n");
    options = (struct lw_export_options){.row_from = 3, .row_to = 9};
    fails(STACK, "owners", &options, LW_ERROR_LIMIT, "rows 3:9: there are 4, from 0 to 3");
    options = (struct lw_export_options){.col_from = 1, .col_to = 1};
    fails(STACK, "owners", &options, LW_ERROR_LIMIT, "cols 1:1: there are 2, from 0 to 1");
}

static void test_limit(void **unused)
{
    (void)unused;
    fails("local(8192, 4096)", "owners", NULL, LW_ERROR_LIMIT,
          "8192 rows of 4096 cells are more than 16777216 cells");
    struct lw_export_options options = {.choose = "v selects some"};
    fails("local(8192, 4096)", "owners", &options, LW_ERROR_LIMIT,
          "8192 rows of 4096 cells are more than 16777216 cells: v selects some");
    struct lw_export_options some = {
        .style = "plain", .row_from = 8191, .row_to = 8192, .col_from = 4095, .col_to = 4096};
    writes("local(8192, 4096)", "owners", "text", &some, "0: 33554431\n");
}

static void test_palettes(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_export_palette *palettes = lw_export_palettes(&count);
    struct lw_export_options options = {.palette = "sfae"};
    fails(STACK, "owners", &options, LW_ERROR_NAME,
          "unknown palette 'sfae' ('laneway help output' lists them)");
    for (size_t i = 0; i < count; i++) {
        options.palette = palettes[i].name;
        assert_true(palettes[i].help[0] && palettes[i].light);
        writes("local(1)", "owners", "markdown", &options, "|  |\n| --- |\n| 0: 0 |\n");
    }
}

/* A title is that of the figure; '' is none; without a head there is neither. */
static void test_titles(void **unused)
{
    (void)unused;
    struct lw_export_options options = {.head = true, .title = "A|B", .caption = "below"};
    writes("{\"title\":\"T\",\"source\":\"(2):(1)\"}", "owners", "markdown", &options,
           "**A\\|B**\n\ndim0 across\n\n|  |  |\n| --- | --- |\n| 0 | 1 |\n\nbelow\n");
    options = (struct lw_export_options){.title = "T", .caption = "C", .labels = true};
    /* What is set is written without a head, too. */
    writes("{\"title\":\"D\",\"source\":\"(2):(1)\"}", "owners", "rst", &options,
           "**T**\n\n+--+---+---+\n|  | 0 | 1 |\n+==+===+===+\n|  | 0 | 1 |\n+--+---+---+\n\nC\n");
}

static void test_styles(void **unused)
{
    (void)unused;
    struct lw_export_options options = {.style = "simple_grip"};
    fails(STACK, "owners", &options, LW_ERROR_NAME,
          "unknown style 'simple_grip' ('laneway help output' lists them)");
    options.style = "zzz";
    fails(STACK, "owners", &options, LW_ERROR_NAME,
          "unknown style 'zzz' ('laneway help output' lists them)");
    options.style = "triton";
    fails(STACK, "bases", &options, LW_ERROR_UNSUPPORTED,
          "style triton prints view owners or hardware of this layout, not bases");
    fails("local(3)", "owners", &options, LW_ERROR_UNSUPPORTED,
          "not a linear layout: a mode of dim0 has size 3, which is not a power of two");
    fails("{\"in\":[[\"x\",2]],\"out\":[[\"dim0\",2]],\"bases\":{\"x\":[[1]]}}", "owners", &options,
          LW_ERROR_UNSUPPORTED, "Triton prints layouts of register, lane, warp and block alone");
    options.row_to = 1;
    fails(STACK, "owners", &options, LW_ERROR_UNSUPPORTED,
          "style triton prints whole layouts: leave out the rows and columns");
    /* tilus layouts in Triton's words; and the neutral scalar. */
    struct lw_export_options triton = {.style = "triton"};
    writes("spatial(2, 2)", "owners", "text", &triton, "[[T0:0, T1:0]\n[ T2:0, T3:0]]\n");
    writes("spatial()", "owners", "text", &triton, "T0:0\n");
}

static void test_full_device(void **unused)
{
    (void)unused;
    size_t count;
    const struct lw_format *const *formats = lw_formats(&count);
    struct lw_view view;
    view_open(&view, "owners", subject_of("local(32, 32)"), NULL);
    for (size_t i = 0; i < count; i++) {
        FILE *stream = fopen("/dev/full", "w");
        struct lw_error err = {0};
        if (!stream)
            skip();
        assert_false(lw_export(&view, formats[i], NULL, stream, &err));
        if (formats[i]->binary && err.code == LW_ERROR_UNSUPPORTED) { /* nothing draws it here */
            fclose(stream);
            continue;
        }
        assert_int_equal(err.code, LW_ERROR_IO);
        assert_string_equal(err.message, "cannot write: No space left on device");
        fclose(stream);
    }
}

static void test_ascii_styles(void **unused)
{
    (void)unused;
    static const char ascii[] =
        " plain grid outline presto simple psql triton cute brackets warps rows "
        "phases spaced_rows matrix sets slices ";
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, " %s ", styles[i].name);
        assert_int_equal(lw_style_is_ascii(&styles[i]), strstr(ascii, name) != NULL);
    }
}

static void test_tables_are_found(void **unused)
{
    (void)unused;
    static const char *const contract[] = {
        "simple_grid", "plain",   "grid",           "rounded_grid",  "mixed_grid", "double_grid",
        "fancy_grid",  "outline", "simple_outline", "mixed_outline", "presto",     "triton"};
    size_t count;
    const struct lw_style *styles = lw_styles(&count);
    for (size_t i = 0; i < sizeof contract / sizeof *contract; i++) {
        size_t k = 0;
        while (k < count && strcmp(styles[k].name, contract[i]) != 0)
            k++;
        assert_true(k < count && styles[k].help[0]);
    }
    const struct lw_format *const *formats = lw_formats(&count);
    for (size_t i = 0; i < count; i++) {
        assert_ptr_equal(lw_format_find(formats[i]->name), formats[i]);
        assert_true(formats[i]->help[0] && formats[i]->extension[0]);
        char path[32]; /* no name is the extension of another format */
        snprintf(path, sizeof path, "a.svg/x.%s", formats[i]->name);
        assert_ptr_equal(lw_format_of_path(path, NULL), formats[i]);
        snprintf(path, sizeof path, "a.svg/x.%s", formats[i]->extension);
        assert_ptr_equal(lw_format_of_path(path, NULL), formats[i]);
    }
    struct lw_error err;
    assert_null(lw_format_find("gif"));
    assert_ptr_equal(lw_format_of_path("a.b/x.svg", &err), lw_format_find("svg"));
    assert_null(lw_format_of_path("a.svg/x.gif", &err));
    assert_int_equal(strncmp(err.message, "x.gif: unknown extension; known ones are .txt ", 46), 0);
    assert_null(lw_format_of_path("a.svg/x.adoc", &err));
    assert_string_equal(err.message, "x.adoc: this format was removed: use markdown, rst or csv");
    assert_null(lw_format_of_path("a.svg/x", &err));
    assert_int_equal(strncmp(err.message, "x: no extension; known ones are .txt ", 37), 0);
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
        cmocka_unit_test(test_long_text),    cmocka_unit_test(test_text),
        cmocka_unit_test(test_markdown),     cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),         cmocka_unit_test(test_ansi),
        cmocka_unit_test(test_fit),          cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_limit),        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_full_device),  cmocka_unit_test(test_tables_are_found),
        cmocka_unit_test(test_ascii_styles), cmocka_unit_test(test_palettes),
        cmocka_unit_test(test_titles),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
