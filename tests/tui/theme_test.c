/* Themes and settings: every theme in every depth, files of users with and without mistakes. */

#include "theme_parts.h"

#include "tui/drive.h"
#include "tui/keep/keep_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct lw_theme built_in(size_t i)
{
    struct lw_theme theme;
    size_t count;
    assert_true(lw_theme_load(&theme, lw_themes(&count)[i].name, NULL));
    return theme;
}

static size_t theme_count(void)
{
    size_t count;
    lw_themes(&count);
    return count;
}

static void appearances_fit_the_depth(void **state)
{
    static const int max[] = {-1, 7, 15, 255, 0xffffff};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++)
            for (int kind = 0; kind < LW_PEN_COUNT; kind++)
                for (int shade = 0; shade < 256; shade++) {
                    struct lw_appearance it = appearance(&theme, depth, kind, shade);
                    assert_true(it.fg >= -1 && it.fg <= max[depth]);
                    assert_true(it.bg >= -1 && it.bg <= max[depth]);
                    assert_true(it.attributes < 16);
                    if (kind != LW_PEN_HALF)
                        assert_true(it.fg < 0 || it.fg != it.bg);
                }
    }
}

static bool same_appearance(struct lw_appearance a, struct lw_appearance b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

/* With 8 colours the ground of a value is never black or white, which may be what is behind it. */
static void values_are_never_the_ground(void **state)
{
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int shade = 0; shade < 64 && theme.ink_count; shade++) {
            int bg = appearance(&theme, LW_DEPTH_8, LW_PEN_FILL, shade).bg;
            assert_true(bg >= 1 && bg <= 6);
        }
    }
}

/* With 16 or 8 colours lanes share some; those that are beside or above each other in pictures do not, and none has the
 * colour of what is lit. */
static void few_colors_part_neighbours(void **state)
{
    static const int apart[] = {1, 2, 3, 4, 8, 16};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_8; depth <= LW_DEPTH_16; depth++)
            for (int shade = 0; shade < 48 && theme.ink_count; shade++) {
                int bg = appearance(&theme, depth, LW_PEN_FILL, shade).bg;
                for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
                    assert_int_not_equal(
                        bg, appearance(&theme, depth, LW_PEN_FILL, shade + apart[i]).bg);
                assert_int_not_equal(bg, appearance(&theme, depth, LW_PEN_LIT, 0).bg);
            }
    }
}

/* Never colour alone: neighbours differ in every depth, and so does what must be noticed. */
static void neighbours_differ(void **state)
{
    static const enum lw_pen_kind loud[] = {LW_PEN_CURSOR,  LW_PEN_BAD,   LW_PEN_TAB_ON,
                                            LW_PEN_EDIT,    LW_PEN_FOCUS, LW_PEN_LINKED,
                                            LW_PEN_CHANGED, LW_PEN_MARK,  LW_PEN_DIFFERS};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++) {
            for (int kind = LW_PEN_INK; kind <= LW_PEN_FILL; kind++)
                for (int shade = 0; shade < 255; shade++)
                    assert_false(same_appearance(appearance(&theme, depth, kind, shade),
                                                 appearance(&theme, depth, kind, shade + 1)));
            for (size_t i = 0; i < sizeof loud / sizeof *loud; i++) {
                assert_false(same_appearance(appearance(&theme, depth, (int)loud[i], 0),
                                             appearance(&theme, depth, LW_PEN_TEXT, 0)));
                /* The cursor is no mark, no difference, and not where the other pane's is. */
                if (loud[i] != LW_PEN_CURSOR && loud[i] != LW_PEN_TAB_ON)
                    assert_false(same_appearance(appearance(&theme, depth, (int)loud[i], 0),
                                                 appearance(&theme, depth, LW_PEN_CURSOR, 0)));
            }
        }
    }
}

/* Relative luminance and contrast as WCAG 2.1 has them. */
static double linear(uint32_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
           0.0722 * linear(rgb & 255);
}

static double contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

/* The colour of a number as xterm shows it. */
static uint32_t rgb_of(int number, int depth)
{
    static const uint32_t basic[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                       0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                       0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const uint32_t levels[6] = {0, 95, 135, 175, 215, 255};
    if (depth == LW_DEPTH_TRUE)
        return (uint32_t)number;
    if (number < 16)
        return basic[number];
    if (number >= 232)
        return (uint32_t)(8 + 10 * (number - 232)) * 0x10101;
    uint32_t cube = (uint32_t)number - 16;
    return levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6];
}

/* What an appearance looks like where the terminal's own text is white on black, or black on white. */
static void seen(struct lw_appearance it, int depth, bool white_behind, uint32_t *text,
                 uint32_t *behind)
{
    bool few = depth <= LW_DEPTH_16; /* they show bold text in a brighter colour */
    int number = few && it.fg >= 0 && it.fg < 8 && it.attributes & LW_BOLD ? it.fg + 8 : it.fg;
    uint32_t fg = it.fg < 0 ? (white_behind ? 0 : 0xffffff) : rgb_of(number, depth);
    uint32_t bg = it.bg < 0 ? (white_behind ? 0xffffff : 0) : rgb_of(it.bg, depth);
    bool swaps = it.attributes & LW_REVERSE;
    *text = swaps ? bg : fg;
    *behind = swaps ? fg : bg;
}

/* The papers that a theme is for: a neutral one for black and white, as mono is. */
static bool is_for(const struct lw_theme *theme, bool white)
{
    return strcmp(theme->name, white ? "dark" : "light") != 0;
}

/* The least contrast of text. On black and white at once 4.58 is the most that a colour can have, and fewer of 256
 * colours come near it; of 16 none does. Holes and borders are no text. */
static double least(const struct lw_theme *theme, int depth, int kind, bool has_ground)
{
    if (kind == LW_PEN_HOLE || kind == LW_PEN_BORDER)
        return 1.5;
    bool both = !strcmp(theme->name, "neutral") || !strcmp(theme->name, "safe");
    return depth <= LW_DEPTH_16                           ? 2.9
           : depth == LW_DEPTH_256 && both && !has_ground ? 4.0
           : kind == LW_PEN_INK || kind == LW_PEN_EQUAL   ? 4.4
                                                          : 4.5;
}

static void must_be_readable(const struct lw_theme *theme, int depth, int kind, int shade)
{
    struct lw_appearance it = appearance(theme, depth, kind, shade);
    for (int white = 0; white < 2; white++) {
        uint32_t text, behind;
        if (!is_for(theme, white))
            continue;
        seen(it, depth, white, &text, &behind);
        if (contrast(text, behind) < least(theme, depth, kind, it.bg >= 0))
            fail_msg("%s, depth %d, pen %d (%s) %d: %06x on %06x has contrast %.2f", theme->name,
                     depth, kind, lw_pen_name((size_t)kind) ? lw_pen_name((size_t)kind) : "", shade,
                     text, behind, contrast(text, behind));
    }
}

/* Every pair of colours that a theme has, in every depth, on every paper that the theme is for. */
static void all_text_can_be_read(void **state)
{
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++)
            for (int kind = 0; kind < LW_PEN_COUNT; kind++)
                for (int shade = 0; shade < (lw_pen_name((size_t)kind) ? 1 : 64); shade++)
                    if (kind != LW_PEN_HALF)
                        must_be_readable(&theme, depth, kind, shade);
    }
}

/* The cursor, what it lights and the selected row are seen on any paper that the theme is for. */
static void cursors_are_no_paper(void **state)
{
    static const enum lw_pen_kind cursors[] = {LW_PEN_CURSOR, LW_PEN_LINKED, LW_PEN_LIT,
                                               LW_PEN_MARK};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_MONO; depth <= LW_DEPTH_TRUE; depth++)
            for (size_t i = 0; i < sizeof cursors / sizeof *cursors; i++)
                for (int white = 0; white < 2; white++) {
                    uint32_t text, behind;
                    struct lw_appearance it = appearance(&theme, depth, (int)cursors[i], 0);
                    seen(it, depth, white, &text, &behind);
                    bool marked = it.attributes & (LW_UNDERLINE | LW_REVERSE);
                    if (is_for(&theme, white) && !marked &&
                        contrast(behind, white ? 0xffffff : 0) < 1.25)
                        fail_msg("%s, depth %d: %s is as its surroundings", theme.name, depth,
                                 lw_pen_name(cursors[i]));
                }
    }
}

/* What follows the cursor has a look that no ordinary cell has. */
static void what_is_lit_is_no_ordinary_cell(void **state)
{
    static const enum lw_pen_kind special[] = {LW_PEN_CURSOR, LW_PEN_LINKED, LW_PEN_LIT,
                                               LW_PEN_MARK, LW_PEN_DIFFERS};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++)
        for (int depth = LW_DEPTH_8; depth <= LW_DEPTH_TRUE; depth++)
            for (size_t i = 0; i < sizeof special / sizeof *special; i++)
                for (int shade = 0; shade < 64; shade++) {
                    const struct lw_theme theme = built_in(t);
                    struct lw_appearance it = appearance(&theme, depth, (int)special[i], 0);
                    if (theme.ink_count &&
                        (same_appearance(it, appearance(&theme, depth, LW_PEN_FILL, shade)) ||
                         same_appearance(it, appearance(&theme, depth, LW_PEN_RAMP, shade % 6))))
                        fail_msg("%s, depth %d: %s is as cells of %d are", theme.name, depth,
                                 lw_pen_name(special[i]), shade);
                }
}

/* The largest difference between the red, green and blue of a colour. */
static int hue_of(uint32_t rgb)
{
    int red = (int)(rgb >> 16 & 255), green = (int)(rgb >> 8 & 255), blue = (int)(rgb & 255);
    int most = red > green ? red : green, least_part = red < green ? red : green;
    most = blue > most ? blue : most;
    least_part = blue < least_part ? blue : least_part;
    return most - least_part;
}

/* Equal cells of a comparison have their hue in the text and no fill: those that differ stand out. */
static void equal_cells_keep_their_hue(void **state)
{
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        for (int depth = LW_DEPTH_256; theme.ink_count && depth <= LW_DEPTH_TRUE; depth++) {
            int hued = 0;
            for (int shade = 0; shade < 32; shade++) {
                uint32_t text, behind;
                struct lw_appearance equal = appearance(&theme, depth, LW_PEN_EQUAL, shade);
                assert_int_equal(equal.bg, -1);
                assert_int_not_equal(appearance(&theme, depth, LW_PEN_FILL, shade).bg, -1);
                seen(equal, depth, is_for(&theme, true), &text, &behind);
                hued += hue_of(text) >= 16;
            }
            if (hued < 20) /* some inks are greyish */
                fail_msg("%s, depth %d: only %d have a hue", theme.name, depth, hued);
        }
    }
}

/* Cells that are dimmed are grey, with weaker text than other cells: only what is lit has a colour. */
static void dimmed_cells_have_no_hue(void **state)
{
    enum { GREY = 8, COLORED = 96 };
    (void)state;
    for (size_t t = 0; t < theme_count(); t++) {
        const struct lw_theme theme = built_in(t);
        bool both = !strcmp(theme.name, "neutral") || !strcmp(theme.name, "safe");
        for (int depth = LW_DEPTH_256; theme.ink_count && depth <= LW_DEPTH_TRUE; depth++) {
            uint32_t text, behind, ground = both ? 0x767676 : is_for(&theme, true) ? 0xffffff : 0;
            seen(appearance(&theme, depth, LW_PEN_LIT, 0), depth, false, &text, &behind);
            assert_true(hue_of(behind) >= COLORED);
            for (int shade = 0; shade < 64; shade++) {
                seen(appearance(&theme, depth, LW_PEN_DIMMED, shade), depth, false, &text, &behind);
                if (hue_of(behind) > GREY || hue_of(text) > GREY ||
                    contrast(behind, ground) > 2.0 || contrast(text, behind) > 7.0)
                    fail_msg("%s, depth %d: %d dimmed is %06x on %06x", theme.name, depth, shade,
                             text, behind);
            }
        }
    }
}

/* The cursor as the upper or the lower half of a tile has the colour of the terminal's text. */
static void half_a_cursor_suits_all_backgrounds(void **state)
{
    static const uint8_t halves[][2] = {
        {LW_HALF_CURSOR, 3}, {3, LW_HALF_CURSOR}, {LW_HALF_CURSOR, LW_HALF_NONE}};
    (void)state;
    for (size_t t = 0; t < theme_count(); t++)
        for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
            const struct lw_theme theme = built_in(t);
            const struct lw_pen pen = {
                .kind = LW_PEN_HALF, .shade = halves[i][0], .under = halves[i][1]};
            if (!theme.ink_count)
                continue;
            for (int depth = LW_DEPTH_8; depth <= LW_DEPTH_TRUE; depth++)
                for (int white = 0; white < 2; white++) {
                    uint32_t upper, lower;
                    seen(lw_theme_appearance(&theme, (enum lw_depth)depth, pen), depth, white,
                         &upper, &lower);
                    if (is_for(&theme, white))
                        assert_int_equal(i == 1 ? lower : upper, white ? 0 : 0xffffff);
                }
        }
}

/* What COLORFGBG reports chooses the theme; nothing known: the one for both. */
static void the_background_chooses_the_theme(void **state)
{
    static const char *const cases[][2] = {
        {"15;0", "dark"},         {"0;15", "light"}, {"0;default;7", "light"}, {"15;8", "dark"},
        {"0;default", "neutral"}, {"", "neutral"},   {NULL, "neutral"},        {"0;11", "light"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lw_theme theme;
        if (cases[i][0])
            setenv("COLORFGBG", cases[i][0], 1);
        else
            unsetenv("COLORFGBG");
        assert_true(lw_theme_load(&theme, "auto", NULL));
        assert_string_equal(theme.name, cases[i][1]);
    }
    unsetenv("COLORFGBG");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appearances_fit_the_depth),
        cmocka_unit_test(values_are_never_the_ground),
        cmocka_unit_test(few_colors_part_neighbours),
        cmocka_unit_test(neighbours_differ),
        cmocka_unit_test(all_text_can_be_read),
        cmocka_unit_test(cursors_are_no_paper),
        cmocka_unit_test(what_is_lit_is_no_ordinary_cell),
        cmocka_unit_test(equal_cells_keep_their_hue),
        cmocka_unit_test(dimmed_cells_have_no_hue),
        cmocka_unit_test(half_a_cursor_suits_all_backgrounds),
        cmocka_unit_test(the_background_chooses_the_theme),
    };
    return cmocka_run_group_tests_name("theme", tests, make_folder, drive_remove_folder);
}
