/* Surfaces: nothing is written outside, for any arguments; and how pens look. */

#include "tui/surface.h"
#include "core/text_rows.h"
#include "tui/input.h"
#include "tui/picture/cell_grid.h"
#include "tui/session.h"
#include "tui/terminal/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

static struct lw_surface make(int height, int width)
{
    struct lw_surface surface = {0};
    assert_true(lw_surface_resize(&surface, height, width));
    return surface;
}

/* No control characters; the second half of a wide character is behind its first, and nowhere else. */
static void check_tiles(const struct lw_surface *s)
{
    for (int i = 0; i < s->height * s->width; i++) {
        const uint32_t code = s->tiles[i].code;
        const bool last = i % s->width == s->width - 1;
        assert_true(code || i % s->width > 0);
        assert_int_equal(lw_text_code_width(code) == 2, !last && s->tiles[i + 1].code == 0);
        assert_true(!code || (code >= 32 && code < 0x110000 && !(code >= 127 && code < 160)));
        assert_true(!s->ascii || (code && code < 127));
    }
}

static const char *printed(const struct lw_surface *surface)
{
    static char copy[4096];
    struct lw_text text = {0};
    lw_surface_print(&text, surface);
    snprintf(copy, sizeof copy, "%s", lw_text_string(&text));
    lw_text_free(&text);
    return copy;
}

static void puts_are_cut(void **state)
{
    struct lw_surface s = make(3, 8);
    struct lw_pen pen = (struct lw_pen){0};
    (void)state;
    assert_int_equal(lw_put(&s, 0, 0, 8, pen, "12345678"), 8);
    assert_int_equal(lw_put(&s, 1, 2, 5, pen, "abcdefgh"), 5);
    assert_int_equal(lw_put(&s, 2, 6, 9, pen, "wxyz"), 4);
    assert_string_equal(printed(&s), "12345678\n  abcd…\n      wx\n");
    lw_surface_resize(&s, s.height, s.width);
    assert_int_equal(lw_put(&s, -1, 0, 8, pen, "above"), 5);
    lw_put(&s, 3, 0, 8, pen, "below");
    lw_put(&s, 1, -3, 8, pen, "before");
    lw_put(&s, 0, 0, 0, pen, "nothing");
    lw_put(&s, 0, 0, -4, pen, "nothing");
    assert_string_equal(printed(&s), "\nore\n\n");
    lw_surface_free(&s);
}

static void wide_and_odd_characters(void **state)
{
    struct lw_surface s = make(1, 8);
    struct lw_pen pen = (struct lw_pen){0};
    (void)state;
    assert_int_equal(lw_put(&s, 0, 0, 8, pen, "a漢字b"), 6);
    assert_int_equal(s.tiles[1].code, 0x6f22);
    assert_int_equal(s.tiles[2].code, 0);
    assert_string_equal(printed(&s), "a漢字b\n");
    lw_surface_resize(&s, s.height, s.width);
    assert_int_equal(lw_put(&s, 0, 0, 4, pen, "a漢字b"), 4);
    assert_string_equal(printed(&s), "a漢…\n");
    lw_surface_resize(&s, s.height, s.width);
    lw_put(&s, 0, 0, 8, pen, "\033[2J\177\302\233x");
    assert_string_equal(printed(&s), "?[2J??x\n");
    lw_surface_resize(&s, s.height, s.width);
    lw_put(&s, 0, 0, 8, pen, "e\314\201\377");
    assert_string_equal(printed(&s), "e\357\277\275\n");
    s.ascii = true;
    lw_surface_resize(&s, s.height, s.width);
    lw_put(&s, 0, 0, 6, pen, "→·漢é12345");
    assert_string_equal(printed(&s), ">.? ?~\n");
    lw_surface_free(&s);
}

/* When a half of a wide character is overwritten, the other half goes too. */
static void wide_characters_are_whole(void **state)
{
    static const char *const texts[] = {"漢字漢字", "a漢", "漢", "x", "ab", "é"};
    struct lw_surface s = make(3, 9);
    (void)state;
    for (int ascii = 0; ascii < 2; ascii++)
        for (int at = -3; at < 10; at++)
            for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
                for (int width = 0; width < 9; width++) {
                    struct lw_pen pen = (struct lw_pen){0};
                    s.ascii = ascii;
                    lw_surface_resize(&s, s.height, s.width);
                    for (int row = 0; row < 3; row++)
                        lw_put(&s, row, row - 1, 9, (struct lw_pen){0}, "漢字漢字漢字");
                    check_tiles(&s);
                    lw_put(&s, 0, at, width, pen, texts[i]);
                    lw_put_padded(&s, 1, at, width, pen, texts[i], width & 1);
                    lw_put_repeated(&s, 2, at, width, pen, ".");
                    check_tiles(&s);
                }
    s.ascii = false;
    lw_surface_resize(&s, s.height, s.width);
    lw_put(&s, 0, 0, 9, (struct lw_pen){0}, "漢字漢字");
    lw_put(&s, 0, 3, 2, (struct lw_pen){0}, "ab");
    lw_put(&s, 1, 8, 2, (struct lw_pen){0}, "漢");
    assert_string_equal(printed(&s), "漢 ab 字\n\n\n");
    lw_surface_free(&s);
}

/* No sign that the explorer draws is a question mark in ASCII. */
/* Bytes for \\xe2 and the like. */
static void unescape(char *line)
{
    char *to = line;
    for (const char *from = line; *from; to++) {
        unsigned byte;
        int length = 0;
        if (sscanf(from, "\\x%2x%n", &byte, &length) == 1 && length == 4) {
            *to = (char)byte;
            from += length;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

static void every_sign_has_a_stand_in(void **state)
{
    const char *root = getenv("LANEWAY_ROOT");
    static const char *const rooms[] = {"src/tui", "src/view"};
    struct lw_surface s = make(1, 4);
    size_t signs = 0;
    (void)state;
    s.ascii = true;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        char line[4096];
        snprintf(line, sizeof line, "find %s/%s -name '*.c' -exec cat {} +", root ? root : ".",
                 rooms[i]);
        FILE *sources = popen(line, "r");
        assert_non_null(sources);
        while (fgets(line, sizeof line, sources)) {
            unescape(line);
            for (int n, at = 0; line[at]; at += n) {
                char sign[5] = "";
                lw_text_decode(line + at, &n);
                if (n == 1)
                    continue;
                signs++;
                memcpy(sign, line + at, (size_t)n);
                if (!strcmp(sign, "\xef\xbb\xbf")) /* a byte order mark is read, not drawn */
                    continue;
                lw_put(&s, 0, 0, 4, (struct lw_pen){0}, sign);
                if (s.tiles[0].code == '?')
                    fail_msg("%s has no stand-in: %s", sign, line);
            }
        }
        assert_int_equal(pclose(sources), 0);
    }
    assert_true(signs > 10);
    lw_surface_free(&s);
}

static void padding(void **state)
{
    struct lw_surface s = make(3, 6);
    struct lw_pen pen = {.kind = 3};
    (void)state;
    for (int row = 0; row < 3; row++)
        lw_put_repeated(&s, row, 0, 6, (struct lw_pen){0}, ".");
    lw_put_padded(&s, 0, 1, 4, pen, "ab", true);
    lw_put_padded(&s, 1, 1, 4, pen, "ab", false);
    lw_put_padded(&s, 2, 1, 4, pen, "abcdef", true);
    assert_string_equal(printed(&s), ".  ab.\n.ab  .\n.abc….\n");
    assert_int_equal(s.tiles[1].pen.kind, 3);
    assert_int_equal(s.tiles[5].pen.kind, 0);
    lw_surface_free(&s);
}

static void wrapping(void **state)
{
    struct lw_surface s = make(4, 10);
    struct lw_pen pen = (struct lw_pen){0};
    char longest[3000];
    (void)state;
    assert_int_equal(lw_put_wrapped(&s, (struct lw_rect){0, 0, 4, 10}, pen, "one two three four"),
                     2);
    assert_string_equal(printed(&s), "one two\nthree four\n\n\n");
    lw_surface_resize(&s, s.height, s.width);
    assert_int_equal(lw_put_wrapped(&s, (struct lw_rect){1, 2, 2, 4}, pen, "abcdefghijklmnop"), 2);
    assert_string_equal(printed(&s), "\n  abcd\n  efg\xe2\x80\xa6\n\n");
    lw_surface_resize(&s, s.height, s.width);
    /* Never inside a character. */
    lw_put_wrapped(&s, (struct lw_rect){0, 0, 4, 3}, pen, "éééé");
    assert_null(strstr(printed(&s), "\357\277\275"));
    lw_surface_resize(&s, s.height, s.width);
    assert_int_equal(lw_put_wrapped(&s, (struct lw_rect){0, 1, 4, 8}, pen, "漢字漢字漢字"), 2);
    assert_string_equal(printed(&s), " 漢字漢字\n 漢字\n\n\n");
    assert_int_equal(lw_wrapped_rows("漢字漢字漢字", 8), 2);
    assert_int_equal(lw_put_wrapped(&s, (struct lw_rect){0, 0, 4, 0}, pen, "x"), 0);
    assert_int_equal(lw_put_wrapped(&s, (struct lw_rect){0, 0, 0, 4}, pen, "x"), 0);
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_true(lw_put_wrapped(&s, (struct lw_rect){0, 0, 100, 2000}, pen, longest) >= 2);
    lw_surface_free(&s);
}

static void resizing(void **state)
{
    struct lw_surface s = make(3, 3);
    (void)state;
    assert_true(lw_surface_resize(&s, 0, -7));
    assert_true(s.height == 1 && s.width == 1);
    assert_true(lw_surface_resize(&s, 100, 200));
    for (int i = 0; i < 100 * 200; i++)
        assert_int_equal(s.tiles[i].code, ' ');
    lw_surface_free(&s);
    lw_surface_free(&s);
}

/* Drawing takes a time that grows with the length of the line, not with its square. */
static void a_long_line(void **state)
{
    enum { LENGTH = 1 << 19 };
    struct lw_surface s = make(1, 8);
    struct lw_input line = {0};
    char *text = malloc(LENGTH + 1);
    (void)state;
    assert_non_null(text);
    memset(text, 'a', LENGTH);
    memcpy(text + LENGTH - 6, "\344\270\255xyz", 6); /* a wide character */
    text[LENGTH] = '\0';
    lw_input_set(&line, text);
    lw_input_draw(&line, &s, (struct lw_rect){0, 0, 1, 8}, (struct lw_pen){0}, NULL, -1);
    assert_string_equal(printed(&s), "\342\200\246xyz\n"); /* in place of it */
    assert_int_equal(s.cursor_col, 4);
    lw_input_free(&line);
    free(text);
    lw_surface_free(&s);
}

/* ---- Grids and looks ---- */

static void number_cell(void *context, struct lw_grid_cell *cell)
{
    (void)context;
    snprintf(cell->text, sizeof cell->text, "%d", 8 << cell->at[LW_COL]);
    cell->pen = (struct lw_pen){LW_TONE_RAMP, (uint8_t)cell->at[LW_COL], 0, 0};
}

/* A number that does not fit in one column is its colour alone, or a sign where there are no colours. */
static void numbers_in_one_column(void **state)
{
    static const struct lw_grid_source source = {number_cell, NULL, NULL, NULL};
    struct lw_grid grid = {.source = &source, .count = {1, 3}, .cell_lines = 1, .cell_width = 1};
    struct lw_surface s = make(1, 4);
    (void)state;
    assert_true(lw_grid_arrange(&grid, (struct lw_rect){0, 0, 1, 4}));
    lw_grid_draw(&grid, &s);
    assert_string_equal(printed(&s), "8\n");
    assert_int_equal(s.tiles[2].pen.kind, LW_TONE_RAMP);
    s.mono = true;
    lw_grid_draw(&grid, &s);
    assert_string_equal(printed(&s), "8##\n");
    free(grid.cells);
    lw_surface_free(&s);
}

/* How much one of the 256 colours differs from a grey: CIE94, of which the colour is the reference. */
static double difference(int color, int grey)
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    static const double xyz[3][3] = {{0.4339, 0.3762, 0.1899}, /* of the D65 white each */
                                     {0.2127, 0.7152, 0.0722},
                                     {0.0177, 0.1095, 0.8727}};
    const int at[2] = {color, grey};
    double light[2], chroma = 0;
    for (int i = 0; i < 2; i++) {
        const int n = at[i] - 16, level = 8 + 10 * (at[i] - 232);
        const int rgb[3] = {at[i] < 232 ? steps[n / 36] : level,
                            at[i] < 232 ? steps[n / 6 % 6] : level,
                            at[i] < 232 ? steps[n % 6] : level};
        double f[3];
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int c = 0; c < 3; c++) {
                const double v = rgb[c] / 255.0;
                sum += xyz[k][c] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
            }
            f[k] = sum > 0.008856 ? cbrt(sum) : 7.787 * sum + 16 / 116.0;
        }
        light[i] = 116 * f[1] - 16;
        chroma = i ? chroma : hypot(500 * (f[0] - f[1]), 200 * (f[1] - f[2]));
    }
    return hypot(light[0] - light[1], chroma / (1 + 0.045 * chroma));
}

/* Every lane that is lit, and what is served, differs much from the field around it, on dark and on light; lit and
 * dimmed cells of one lane have different grounds. */
static void lanes_stand_out_of_the_field(void **state)
{
    static const char *const themes[] = {"dark", "light"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct lw_look *look = lw_look_find(themes[i]);
        const int field = lw_look_of(look, LW_DEPTH_256, lw_tone(LW_TONE_FIELD)).bg;
        const int served = lw_look_of(look, LW_DEPTH_256, lw_tone(LW_TONE_SERVED)).bg;
        assert_true(difference(served, field) >= 15);
        for (unsigned hue = 0; hue < LW_HUES; hue++) {
            const struct lw_pen dim = lw_hue(LW_TONE_QUIET, hue);
            const struct lw_appearance lit =
                lw_look_of(look, LW_DEPTH_256, lw_hue(LW_TONE_LIT, hue));
            const struct lw_appearance halves = lw_look_of(look, LW_DEPTH_256, lw_halves(dim, dim));
            assert_true(difference(lit.bg, field) >= 10);
            assert_true(lit.attributes & LW_BOLD); /* of a dimmed one the text is grey */
            assert_int_not_equal(lit.bg, lw_look_of(look, LW_DEPTH_256, dim).bg);
            assert_int_equal(halves.fg, field); /* there is no text */
            assert_int_equal(halves.bg, field);
        }
    }
}

enum { BU = LW_BOLD | LW_UNDERLINE };
#define EIGHT LW_DEPTH_8
#define MANY LW_DEPTH_256

/* The colours and attributes of pens, by theme and by what the terminal has; -1: its own colour. */
static void looks_of_pens(void **state)
{
    static const struct {
        const char *theme;
        enum lw_depth depth;
        struct lw_pen pen;
        int fg, bg;
        unsigned attributes;
    } looks[] = {
        /* The palette is the same on dark and light; the second 32 of 64 lanes have a mark. */
        {"dark", MANY, {LW_TONE_OWNER, 0, 0, 0}, 16, 153, 0},
        {"dark", MANY, {LW_TONE_OWNER, 31, 0, 0}, 16, 86, 0},
        {"light", MANY, {LW_TONE_OWNER, 1, 0, 0}, 16, 143, 0},
        {"dark", MANY, {LW_TONE_OWNER, 32, 0, 0}, 16, 153, LW_UNDERLINE},
        {"dark", MANY, {LW_TONE_LIT, 33, 0, 0}, 16, 143, BU},
        {"dark", LW_DEPTH_16, {LW_TONE_OWNER, 0, 0, 0}, 0, 14, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_OWNER, 11, 0, 0}, 0, 1, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_OWNER, 12, 0, 0}, 0, 14, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_LIT, 2, 0, 0}, 0, 13, LW_UNDERLINE},
        {"dark", EIGHT, {LW_TONE_OWNER, 0, 0, 0}, 0, 6, 0},
        {"dark", EIGHT, {LW_TONE_OWNER, 1, 0, 0}, 0, 3, 0},
        {"dark", EIGHT, {LW_TONE_OWNER, 5, 0, 0}, 0, 1, 0},
        {"dark", EIGHT, {LW_TONE_OWNER, 6, 0, 0}, 0, 6, 0},
        /* What is dimmed: on dark a field with text of its hue, on light a tint. */
        {"dark", MANY, {LW_TONE_QUIET, 0, 0, 0}, 153, 236, 0},
        {"light", MANY, {LW_TONE_QUIET, 0, 0, 0}, 247, 195, 0},
        {"light", LW_DEPTH_16, {LW_TONE_QUIET, 0, 0, 0}, -1, -1, LW_DIM},
        {"dark", EIGHT, {LW_TONE_QUIET, 5, 0, 0}, -1, -1, LW_DIM},
        {"dark", MANY, {LW_TONE_EQUAL, 3, 0, 0}, 194, 236, 0},
        {"light", MANY, {LW_TONE_EQUAL, 3, 0, 0}, 240, 250, 0},
        {"light", EIGHT, {LW_TONE_EQUAL, 3, 0, 0}, -1, -1, LW_DIM},
        /* The ramp of conflicts. */
        {"dark", MANY, {LW_TONE_RAMP, 0, 0, 0}, 16, 79, 0},
        {"light", MANY, {LW_TONE_RAMP, 5, 0, 0}, 16, 199, 0},
        {"safe", MANY, {LW_TONE_RAMP, 1, 0, 0}, 16, 110, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_RAMP, 0, 0, 0}, 0, 6, 0},
        {"dark", EIGHT, {LW_TONE_RAMP, 4, 0, 0}, 0, 1, 0},
        {"dark", EIGHT, {LW_TONE_RAMP, 5, 0, 0}, 0, 5, 0},
        /* Verdicts and texts. */
        {"dark", MANY, {LW_TONE_GOOD, 0, 0, 0}, 114, -1, LW_BOLD},
        {"dark", MANY, {LW_TONE_BAD, 0, 0, 0}, 210, -1, LW_BOLD},
        {"light", MANY, {LW_TONE_GOOD, 0, 0, 0}, 28, -1, LW_BOLD},
        {"light", MANY, {LW_TONE_BAD, 0, 0, 0}, 160, -1, LW_BOLD},
        {"safe", MANY, {LW_TONE_GOOD, 0, 0, 0}, 75, -1, LW_BOLD},
        {"safe", LW_DEPTH_16, {LW_TONE_BAD, 0, 0, 0}, 11, -1, LW_BOLD},
        {"dark", LW_DEPTH_16, {LW_TONE_GOOD, 0, 0, 0}, 10, -1, LW_BOLD},
        {"dark", EIGHT, {LW_TONE_GOOD, 0, 0, 0}, 2, -1, LW_BOLD},
        {"dark", EIGHT, {LW_TONE_BAD, 0, 0, 0}, 1, -1, LW_BOLD},
        {"dark", MANY, {LW_TONE_TEXT, 0, 0, 0}, -1, -1, 0},
        {"dark", MANY, {LW_TONE_FAINT, 0, 0, 0}, 245, -1, 0},
        {"light", MANY, {LW_TONE_FAINT, 0, 0, 0}, 243, -1, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_FAINT, 0, 0, 0}, -1, -1, LW_DIM},
        {"light", LW_DEPTH_16, {LW_TONE_RULE, 0, 0, 0}, 7, -1, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_KEY, 0, 0, 0}, 14, -1, LW_BOLD},
        {"dark", EIGHT, {LW_TONE_KEY, 0, 0, 0}, 6, -1, LW_BOLD},
        {"dark", MANY, {LW_TONE_TAB_ON, 0, 0, 0}, 117, -1, BU},
        /* Bold black is grey on terminals of few colours. */
        {"dark", MANY, {LW_TONE_NOW, 0, 0, 0}, 16, 199, LW_BOLD},
        {"dark", LW_DEPTH_16, {LW_TONE_NOW, 0, 0, 0}, 0, 13, 0},
        {"light", MANY, {LW_TONE_CURSOR, 0, 0, 0}, 231, 16, LW_BOLD},
        {"light", LW_DEPTH_16, {LW_TONE_CURSOR, 0, 0, 0}, 15, 0, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_SERVED, 0, 0, 0}, 0, -1, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_FIELD, 0, 0, 0}, -1, 0, LW_DIM},
        /* Two cells, one over the other, have no text and no mark. */
        {"dark", MANY, {LW_TONE_OWNER, 0, LW_TONE_OWNER, 1}, 153, 143, 0},
        {"dark", MANY, {LW_TONE_OWNER, 32, LW_TONE_OWNER, 33}, 153, 143, 0},
        {"light", MANY, {LW_TONE_QUIET, 2, LW_TONE_OWNER, 1}, 250, 143, 0},
        {"dark", LW_DEPTH_16, {LW_TONE_OWNER, 0, LW_TONE_RAMP, 4}, 14, 1, 0},
        /* Without colours. */
        {"mono", MANY, {LW_TONE_OWNER, 3, 0, 0}, -1, -1, 0},
        {"mono", MANY, {LW_TONE_OWNER, 35, 0, 0}, -1, -1, LW_UNDERLINE},
        {"mono", MANY, {LW_TONE_LIT, 3, 0, 0}, -1, -1, BU},
        {"mono", MANY, {LW_TONE_RAMP, 0, 0, 0}, -1, -1, 0},
        {"mono", MANY, {LW_TONE_RAMP, 1, 0, 0}, -1, -1, LW_BOLD},
        {"dark", LW_DEPTH_MONO, {LW_TONE_RAMP, 2, 0, 0}, -1, -1, LW_BOLD},
        {"dark", LW_DEPTH_MONO, {LW_TONE_WRONG, 0, 0, 0}, -1, -1, BU},
        {"light", LW_DEPTH_MONO, {LW_TONE_FOUND, 0, 0, 0}, -1, -1, LW_REVERSE},
        {"light", LW_DEPTH_MONO, {LW_TONE_GOOD, 0, 0, 0}, -1, -1, 0},
        {"light", LW_DEPTH_MONO, {LW_TONE_BAD, 0, 0, 0}, -1, -1, LW_BOLD},
    };
    (void)state;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        const struct lw_appearance look =
            lw_look_of(lw_look_find(looks[i].theme), looks[i].depth, looks[i].pen);
        if (look.fg != looks[i].fg || look.bg != looks[i].bg ||
            look.attributes != looks[i].attributes)
            fail_msg("look %zu of %s: %d on %d, attributes %u", i, looks[i].theme, look.fg, look.bg,
                     look.attributes);
    }
    assert_null(lw_look_find("blue"));
    for (unsigned words = 1; words < 70; words++) /* 1 2 4 8 16 32 */
        assert_int_equal(lw_ramp_level(words), words < 2    ? 0
                                               : words < 4  ? 1
                                               : words < 8  ? 2
                                               : words < 16 ? 3
                                               : words < 32 ? 4
                                                            : 5);
}

/* The theme where none is chosen: by the background that the terminal reports, else by COLORFGBG. */
static void the_theme_follows_the_background(void **state)
{
    static const struct {
        const char *variable, *theme;
    } variables[] = {
        {"0;15", "light"}, {"15;0", "dark"},   {"0;7", "light"},   {"0;8", "dark"},
        {"0;9", "light"},  {"0;16", "dark"},   {"0;6", "dark"},    {"15", "dark"},
        {"0;", "dark"},    {"0;7x", "dark"},   {"0;-1", "dark"},   {"0;default", "dark"},
        {"", "dark"},      {"0;x;7", "light"}, {"7;0:15", "dark"},
    };
    static const struct {
        uint32_t color;
        const char *theme;
    } backgrounds[] = {
        {0, "dark"},         {0xffffff, "light"}, {0x7f7f7f, "dark"},  {0x808080, "light"},
        {0xff0000, "dark"},  {0x00ff00, "light"}, {0x0000ff, "dark"},  {0x00d900, "dark"},
        {0x00da00, "light"}, {0xff5700, "dark"},  {0xff5800, "light"}, {0x00a7ff, "dark"},
        {0x00a8ff, "light"},
    };
    struct lw_tui_options options = {0};
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        struct lw_app app = {.options = &options};
        app.settings[LW_SETTING_THEME] = "auto";
        setenv("COLORFGBG", variables[i].variable, 1);
        lw_app_choose_theme(&app);
        if (app.look != lw_look_find(variables[i].theme))
            fail_msg("COLORFGBG=%s is not %s", variables[i].variable, variables[i].theme);
        assert_true(app.look_changed);
    }
    setenv("COLORFGBG", "0;15", 1);
    for (size_t i = 0; i < sizeof backgrounds / sizeof *backgrounds; i++) {
        struct session s;
        session_open(&s, NULL, 40, 10);
        assert_true(lw_app_event(
            &s.app, &(struct lw_event){.kind = LW_EVENT_BACKGROUND, .key = backgrounds[i].color}));
        if (s.app.look != lw_look_find(backgrounds[i].theme))
            fail_msg("%06x is not %s", backgrounds[i].color, backgrounds[i].theme);
        session_close(&s);
    }
    unsetenv("COLORFGBG");
    options.theme = "safe";
    struct lw_app app = {.options = &options, .background_known = true, .background_light = true};
    app.settings[LW_SETTING_THEME] = "light";
    lw_app_choose_theme(&app);
    assert_ptr_equal(app.look, lw_look_find("safe"));
    app.theme_is_chosen = true;
    lw_app_choose_theme(&app);
    assert_ptr_equal(app.look, lw_look_find("light"));
}

/* A terminal without a size has one character. */
static void a_size_of_nothing(void **state)
{
    struct session s;
    (void)state;
    session_open(&s, "start/4x4", 20, 5);
    session_resize(&s, -3, 0);
    assert_int_equal(s.app.width, 1);
    assert_int_equal(s.app.height, 1);
    session_close(&s);
}

static void half_cell(void *context, struct lw_grid_cell *cell)
{
    const bool upper = cell->at[LW_COL] & 1, lower = cell->at[LW_COL] & 2;
    (void)context;
    cell->pen = lw_hue((cell->at[LW_ROW] ? lower : upper) ? LW_TONE_OWNER : LW_TONE_QUIET,
                       cell->at[LW_COL]);
}

/* Two cells, one over the other: without colours a block where a cell stands out, else a faint dot. */
static void halves_without_colours(void **state)
{
    static const struct lw_grid_source source = {half_cell, NULL, NULL, NULL};
    static const enum lw_tone tones[] = {LW_TONE_HOLE, LW_TONE_TEXT, LW_TONE_TEXT, LW_TONE_TEXT};
    struct lw_grid grid = {.source = &source, .count = {2, 4}, .cell_width = 1};
    struct lw_surface s = make(1, 4);
    (void)state;
    assert_true(lw_grid_arrange(&grid, (struct lw_rect){0, 0, 1, 4}));
    lw_grid_draw(&grid, &s);
    assert_string_equal(printed(&s), "▀▀▄▀\n");
    s.mono = true;
    lw_grid_draw(&grid, &s);
    assert_string_equal(printed(&s), "·▀▄█\n");
    for (int i = 0; i < 4; i++)
        assert_int_equal(s.tiles[i].pen.kind, tones[i]);
    free(grid.cells);
    lw_surface_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_are_cut),
        cmocka_unit_test(wide_and_odd_characters),
        cmocka_unit_test(wide_characters_are_whole),
        cmocka_unit_test(every_sign_has_a_stand_in),
        cmocka_unit_test(padding),
        cmocka_unit_test(wrapping),
        cmocka_unit_test(resizing),
        cmocka_unit_test(a_long_line),
        cmocka_unit_test(numbers_in_one_column),
        cmocka_unit_test(lanes_stand_out_of_the_field),
        cmocka_unit_test(looks_of_pens),
        cmocka_unit_test(the_theme_follows_the_background),
        cmocka_unit_test(a_size_of_nothing),
        cmocka_unit_test(halves_without_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
