/* The coloured formats: html, svg and latex of every view, read back and compared with the view cell for
 * cell; their colours, measured; and what they refuse. */

#include "markup.h"
#include "view_help.h"

#include "export/legend.h"

#include <math.h>

/* What no format may take for its own: markup, and what TeX keeps. */
#define NASTY "<&\">]]>{{\\$%#_^~--{thread}"

static const struct {
    const char *source, *view, *cell;
    uint64_t row_from, row_to, col_from, col_to;
    bool bare; /* no labels */
} drawn[] = {
    {"local(2, 1).spatial(8, 4).local(1, 2)", "owners", NULL, 0, 0, 0, 0, false},
    {"local(2, 1).spatial(8, 4).local(1, 2)", "hardware", NULL, 0, 0, 0, 0, false},
    {"local(2, 1).spatial(8, 4).local(1, 2)", "matrix", NULL, 0, 0, 0, 0, false},
    {"local(2, 1).spatial(8, 4).local(1, 2)", "bases", NULL, 0, 0, 0, 0, false},
    {"local(2, 1).spatial(8, 4).local(1, 2)", "facts", NULL, 0, 0, 0, 0, false},
    {"swizzle/8x64-half", "memory", NULL, 0, 0, 0, 0, false},
    {"start/8-holes", "owners", NULL, 0, 0, 0, 0, false},
    {"local(2, 2, 2)", "owners", NULL, 0, 0, 0, 0, false},
    {"local(2, 2, 2)", "owners", NULL, 1, 3, 1, 2, false},
    {"spatial(4, 8)", "owners", NULL, 1, 4, 2, 7, true},
    {"spatial(2, 3)", "owners", NASTY, 0, 0, 0, 0, false},
    {"local(5)", "owners", "\xe6\xbc\xa2{i0}\xcc\x81", 0, 0, 0, 0, false},
};

enum { DRAWN = sizeof drawn / sizeof *drawn };

/* A view of the list, and what a format writes of it; to be freed. */
static char *draw(size_t i, const char *format, struct lw_view *view,
                  struct lw_export_options *options)
{
    struct lw_error err = {0};
    struct lw_view_options view_options = {.cell = drawn[i].cell};
    *options = (struct lw_export_options){.row_from = drawn[i].row_from,
                                          .row_to = drawn[i].row_to,
                                          .col_from = drawn[i].col_from,
                                          .col_to = drawn[i].col_to,
                                          .labels = !drawn[i].bare,
                                          .any_width = true,
                                          .head = true};
    view_open(view, drawn[i].view, subject_of(drawn[i].source), &view_options);
    char *text = exported(view, format, options, &err), *again;
    if (!text)
        fail_msg("%s %s: %s", drawn[i].source, drawn[i].view, err.message);
    again = exported(view, format, options, &err);
    assert_string_equal(text, again);
    free(again);
    if (!options->row_to)
        options->row_to = view->rows;
    if (!options->col_to)
        options->col_to = view->cols;
    return text;
}

static unsigned class_number(const char *class)
{
    assert_true(class && class[0] == 'c');
    return (unsigned)strtoul(class + 1, NULL, 10);
}

static void next_is(const struct markup *m, size_t *at, const char *name)
{
    while (*at < m->count && strcmp(m->element[*at].name, name) != 0)
        ++*at;
    assert_true(*at < m->count);
}

static long number_of(const struct element *e, const char *name)
{
    const char *value = attribute_of(e, name);
    char *end;
    assert_non_null(value);
    long number = strtol(value, &end, 10);
    assert_true(!*end && number >= 0);
    return number;
}

/* The text of a cell is on one line, or on two without the blank between, and fits into it. */
static void same_lines(const struct element *rect, const struct element *first,
                       const struct element *second, const char *text)
{
    size_t length = strlen(first->text), width = (size_t)number_of(rect, "width");
    assert_true(width >= 8 * lw_text_width(first->text));
    if (!second) {
        assert_string_equal(first->text, text);
        return;
    }
    assert_int_equal(strncmp(first->text, text, length), 0);
    assert_string_equal(second->text, text + length + (text[length] == ' '));
    assert_true(width >= 8 * lw_text_width(second->text));
    assert_int_equal(number_of(rect, "height"), width);
}

/* The cells of a row are side by side, the text of each in its middle or at its left, all of it on the
 * picture. */
static void check_svg(const struct lw_view *view, const struct lw_export_options *o,
                      const struct markup *m, size_t root)
{
    size_t at = root;
    long left = -1, below = 0, width = number_of(&m->element[root], "width");
    next_is(m, &at, "rect"); /* the paper */
    assert_int_equal(number_of(&m->element[at], "width"), width - 1);
    for (uint64_t row = o->row_from; row < o->row_to; row++) {
        long right = 0, top = 0;
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            const char *text = cell_text(view, row, col);
            at++;
            next_is(m, &at, "rect");
            const struct element *rect = &m->element[at], *in = &m->element[rect->parent];
            const struct lw_cell cell = cell_class(view, row, col);
            assert_int_equal(class_number(attribute_of(in, "class")), lw_palette_class(&cell));
            if (col == o->col_from) {
                top = number_of(rect, "y");
                right = number_of(rect, "x");
                assert_true(top >= below && (left < 0 || left == right));
                left = right;
            }
            assert_true(number_of(rect, "x") == right && number_of(rect, "y") == top);
            right += number_of(rect, "width");
            below = top + number_of(rect, "height");
            assert_true(right < width && below < number_of(&m->element[root], "height"));
            if (!*text)
                continue;
            next_is(m, &at, "text");
            const struct element *words = &m->element[at];
            const struct element *second = at + 1 < m->count ? &m->element[at + 1] : words;
            assert_true(number_of(words, "x") > number_of(rect, "x") &&
                        number_of(words, "x") < right && number_of(words, "y") < below);
            same_lines(rect, words, strcmp(second->name, "tspan") ? NULL : second, text);
        }
    }
}

static void svg_is_the_view(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < DRAWN; i++) {
        struct lw_view view;
        struct lw_export_options options;
        char *picture = draw(i, "svg", &view, &options);
        struct markup m = markup_read(picture, "svg");
        assert_string_equal(attribute_of(&m.element[0], "xmlns"), "http://www.w3.org/2000/svg");
        check_svg(&view, &options, &m, 0);
        markup_free(&m);
        free(picture);
    }
}

/* The drawing of svg, and over each cell that has an explanation a spot with it, of the same size. */
static void check_html(const struct lw_view *view, const struct lw_export_options *o,
                       const struct markup *m)
{
    size_t root = 0;
    next_is(m, &root, "svg");
    check_svg(view, o, m, root);
    size_t rect = root, spot = root, spots = 0;
    next_is(m, &rect, "rect"); /* the paper */
    for (uint64_t row = o->row_from; row < o->row_to; row++)
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            struct lw_explanation e = {0};
            char place[128];
            rect++;
            next_is(m, &rect, "rect");
            lw_view_explain(view, row, col, &e);
            if (e.count) {
                spot++;
                spots++;
                next_is(m, &spot, "div");
                const struct element *cell = &m->element[rect], *over = &m->element[spot];
                snprintf(place, sizeof place, "left:%ldpx;top:%ldpx;width:%ldpx;height:%ldpx",
                         number_of(cell, "x"), number_of(cell, "y"), number_of(cell, "width"),
                         number_of(cell, "height"));
                assert_string_equal(attribute_of(over, "style"), place);
                assert_string_equal(attribute_of(over, "tabindex"), "0");
            }
            for (int i = 0; i < e.count; i++)
                assert_non_null(strstr(attribute_of(&m->element[spot], "title"),
                                       lw_text_string(&e.line[i].text)));
            lw_explanation_free(&e);
        }
    for (size_t i = 0; i < m->count; i++) {
        spots -= !strcmp(m->element[i].name, "div") && attribute_of(&m->element[i], "title");
        assert_true(strcmp(m->element[i].name, "script") != 0);
        assert_null(attribute_of(&m->element[i], "src"));
    }
    assert_int_equal(spots, 0);
}

static void html_is_the_view(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < DRAWN; i++) {
        struct lw_view view;
        struct lw_export_options options;
        char *page = draw(i, "html", &view, &options);
        struct markup m = markup_read(page, "html");
        check_html(&view, &options, &m);
        markup_free(&m);
        free(page);
    }
}

/* Braces match on every line, what is not escaped means nothing to TeX, and every colour is defined. */
static void check_tex_line(const char *document, const char *line, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\\' && strchr("&%$#_{}", line[i + 1]))
            i++;
        else if (line[i] == '{' || line[i] == '}')
            depth += line[i] == '{' ? 1 : -1;
        else
            assert_true(strchr("&%#_^~\"\x7f", line[i]) == NULL && (unsigned char)line[i] >= ' ');
        assert_true(depth >= 0);
    }
    assert_int_equal(depth, 0);
    if (!strncmp(line, "\\cell{", 6)) {
        char color[32];
        snprintf(color, sizeof color, "\\definecolor{f%lu}", strtoul(line + 6, NULL, 10));
        assert_non_null(strstr(document, color));
    }
}

static void latex_is_the_view(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < DRAWN; i++) {
        struct lw_view view;
        struct lw_export_options o;
        if (drawn[i].cell && !strncmp(drawn[i].cell, "\xe6", 1)) /* refused: see foreign_letters */
            continue;
        char *document = draw(i, "latex", &view, &o);
        const char *line = strstr(document, "\\fontsize");
        uint64_t cells = 0;
        assert_non_null(line);
        for (; *line; line += strcspn(line, "\n") + 1) {
            check_tex_line(document, line, strcspn(line, "\n"));
            cells += !strncmp(line, "\\cell{", 6);
        }
        assert_int_equal(cells, (o.row_to - o.row_from) * (o.col_to - o.col_from));
        assert_non_null(strstr(document, "\\end{tikzpicture}\n\\end{document}\n"));
        free(document);
    }
}

/* pdflatex has fonts for Western European languages alone; what it lacks is refused before it stops at it. */
static void foreign_letters(void **unused)
{
    static const struct {
        const char *title, *missing; /* NULL: none */
    } cases[] = {
        {"caf\xc3\xa9 \xe2\x86\x92 \xc3\xa0 la carte", NULL},
        {"the angle \xce\xb1", "\xce\xb1"},
        {"\xe6\xbc\xa2 is a letter", "\xe6\xbc\xa2"},
        {"\xd0\x96", "\xd0\x96"},
    };
    (void)unused;
    struct lw_view view;
    view_open(&view, "owners", subject_of("spatial(2, 3)"), NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_error err = {0};
        char message[256];
        const struct lw_export_options options = {.title = cases[i].title};
        char *document = exported(&view, "latex", &options, &err);
        assert_int_equal(document == NULL, cases[i].missing != NULL);
        free(document);
        if (!cases[i].missing)
            continue;
        snprintf(message, sizeof message,
                 "'%s' is in no font that pdflatex has without further packages: write svg, pdf or "
                 "png, or choose other words with --title, --caption and --cell",
                 cases[i].missing);
        assert_int_equal(err.code, LW_ERROR_UNSUPPORTED);
        assert_string_equal(err.message, message);
    }
}

/* Relative luminance and contrast as WCAG 2.1 has them. */
static double luminance(uint32_t rgb)
{
    static const double weight[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double c = (rgb >> (16 - 8 * i) & 255) / 255.0;
        sum += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

static void tints_can_be_read(void **unused)
{
    static const char *const names[] = {"light", "dark"};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const struct lw_palette *palette = lw_palette_find(names[i]);
        for (unsigned class = 0; class < LW_CLASS_COUNT; class ++) {
            struct lw_tint tint = lw_palette_tint(palette, class), next;
            double here = contrast(tint.letters, tint.fill);
            if (here < 4.5)
                fail_msg("%s, class %u: %06x on %06x: contrast %.2f", names[i], class,
                         (unsigned)tint.letters, (unsigned)tint.fill, here);
            for (unsigned other = LW_CLASS_INKS; other<class &&class> LW_CLASS_INKS; other++) {
                next = lw_palette_tint(palette, other);
                assert_true(next.fill != tint.fill);
            }
        }
    }
    for (uint64_t lane = 0; lane < 64; lane++)
        assert_int_equal(lw_palette_ink(lane), lane);
}

/* What a page cannot hold is shown as such. */
static void markup_holds_anything(void **unused)
{
    (void)unused;
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    fputs("<p>", stream);
    lw_put_markup(stream, "a\x01\x7f\xff\xc2\x85\xef\xbf\xbf\xed\xa0\x80z\t'\xc3\xa9\n");
    fputs("</p>\n", stream);
    fclose(stream);
    struct markup m = markup_read(text, "p");
    const char *seen = m.element[0].text;
    assert_true(*seen == 'a');
    while (!strncmp(seen + 1, "\xef\xbf\xbd", 3))
        seen += 3;
    assert_string_equal(seen + 1, "z\t'\xc3\xa9\n");
    assert_true(seen - m.element[0].text >= 18);
    markup_free(&m);
    free(text);
}

static void legend_shows_the_values(void **unused)
{
    (void)unused;
    struct lw_view view;
    struct lw_error err = {0};
    view_open(&view, "owners", subject_of("spatial(16, 8)"), NULL);
    char *page = exported(&view, "html", NULL, &err);
    assert_non_null(strstr(page, ">thread</text>"));
    assert_non_null(strstr(page, ">0, 64</text>"));
    free(page);
    view_open(&view, "matrix", subject_of("spatial(2, 2)"), NULL);
    page = exported(&view, "svg", NULL, &err);
    assert_non_null(strstr(page, ">bits of</text>"));
    assert_non_null(strstr(page, ">thread</text>"));
    free(page);
}

static void too_much_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *source, *format, *message;
    } cases[] = {
        {"local(1024, 1024)", "html", "1024 rows of 1024 cells are more than 131072 cells"},
        {"local(1024, 1024)", "svg", "1024 rows of 1024 cells are more than 65536 cells"},
        {"local(4096, 4)", "latex", "4096 rows of 4 cells are more than 2048 cells"},
        {"local(1000, 2)", "latex", "a figure of 360 x 24208 pixels: TeX draws at most 20700"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_view view;
        struct lw_error err = {0};
        view_open(&view, "owners", subject_of(cases[i].source), NULL);
        assert_null(exported(&view, cases[i].format, NULL, &err));
        assert_int_equal(err.code, LW_ERROR_LIMIT);
        assert_string_equal(err.message, cases[i].message);
    }
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
        cmocka_unit_test(html_is_the_view),        cmocka_unit_test(svg_is_the_view),
        cmocka_unit_test(latex_is_the_view),       cmocka_unit_test(foreign_letters),
        cmocka_unit_test(tints_can_be_read),       cmocka_unit_test(markup_holds_anything),
        cmocka_unit_test(legend_shows_the_values), cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
