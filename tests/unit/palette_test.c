/* The palettes, measured: contrast as WCAG 2.1 has it, differences as CIEDE2000 has them, in normal vision
 * and, of the safe palette, as deuteranopes see it (Machado, Oliveira and Fernandes 2009). */

#include "view/palette.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

static const char *const names[] = {"dark", "light", "safe", "safe-light"};

/* ---- Measures ---- */

static double contrast(uint32_t a, uint32_t b)
{
    double x = lw_palette_luminance(a) + 0.05, y = lw_palette_luminance(b) + 0.05;
    return x > y ? x / y : y / x;
}

struct lab {
    double l, a, b;
};

static double linear(uint32_t value)
{
    double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double root(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : t * 841 / 108 + 4.0 / 29;
}

static void linear_of(uint32_t rgb, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = linear(rgb >> (16 - 8 * i) & 255);
}

static struct lab lab_of(const double rgb[3])
{
    double x = 0.4124564 * rgb[0] + 0.3575761 * rgb[1] + 0.1804375 * rgb[2];
    double y = 0.2126729 * rgb[0] + 0.7151522 * rgb[1] + 0.0721750 * rgb[2];
    double z = 0.0193339 * rgb[0] + 0.1191920 * rgb[1] + 0.9503041 * rgb[2];
    x = root(x / 0.95047);
    y = root(y);
    z = root(z / 1.08883);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/* What is left of a colour without green receptors. */
static void deuteranopic(double rgb[3])
{
    static const double m[3][3] = {{0.367322, 0.860646, -0.227968},
                                   {0.280085, 0.672501, 0.047413},
                                   {-0.011820, 0.042940, 0.968881}};
    const double in[3] = {rgb[0], rgb[1], rgb[2]};
    for (int i = 0; i < 3; i++)
        rgb[i] = fmin(1, fmax(0, m[i][0] * in[0] + m[i][1] * in[1] + m[i][2] * in[2]));
}

static double degrees(double b, double a)
{
    double angle = atan2(b, a) * 180 / pi;
    return angle < 0 ? angle + 360 : angle;
}

static double radians(double angle)
{
    return angle * pi / 180;
}

/* The middle of two hues. */
static double mean_hue(double h1, double h2)
{
    if (fabs(h1 - h2) <= 180)
        return (h1 + h2) / 2;
    return (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2;
}

/* Sharma, Wu and Dalal 2005. */
static double ciede2000(struct lab p, struct lab q)
{
    double c = (hypot(p.a, p.b) + hypot(q.a, q.b)) / 2, c7 = pow(c, 7), p25 = pow(25, 7);
    double g = 1 + 0.5 * (1 - sqrt(c7 / (c7 + p25)));
    double c1 = hypot(g * p.a, p.b), c2 = hypot(g * q.a, q.b);
    double h1 = degrees(p.b, g * p.a), h2 = degrees(q.b, g * q.a), turn = h2 - h1;
    turn = c1 * c2 == 0 ? 0 : turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn;
    double dl = q.l - p.l, dc = c2 - c1, dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2));
    double l = (p.l + q.l) / 2 - 50, mc = (c1 + c2) / 2;
    double h = c1 * c2 == 0 ? h1 + h2 : mean_hue(h1, h2);
    double t = 1 - 0.17 * cos(radians(h - 30)) + 0.24 * cos(radians(2 * h)) +
               0.32 * cos(radians(3 * h + 6)) - 0.20 * cos(radians(4 * h - 63));
    double sl = 1 + 0.015 * l * l / sqrt(20 + l * l), sc = 1 + 0.045 * mc, sh = 1 + 0.015 * mc * t;
    double mc7 = pow(mc, 7);
    double rotation =
        -2 * sqrt(mc7 / (mc7 + p25)) * sin(radians(60 * exp(-(h - 275) / 25 * ((h - 275) / 25))));
    return sqrt(pow(dl / sl, 2) + pow(dc / sc, 2) + pow(dh / sh, 2) +
                rotation * (dc / sc) * (dh / sh));
}

/* Pairs of the paper's own table of test data. */
static void the_measure_is_right(void **state)
{
    static const struct {
        struct lab p, q;
        double difference;
    } cases[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0},
        {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
        {{50, 2.5, 0}, {50, 3.2592, 0.3350}, 1.0},
        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
        {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
        {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(fabs(ciede2000(cases[i].p, cases[i].q) - cases[i].difference) < 1e-4);
}

static double difference(uint32_t a, uint32_t b, bool deutan)
{
    double x[3], y[3];
    linear_of(a, x);
    linear_of(b, y);
    if (deutan) {
        deuteranopic(x);
        deuteranopic(y);
    }
    return ciede2000(lab_of(x), lab_of(y));
}

/* ---- What must be true ---- */

static void letters_can_be_read(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct lw_palette *palette = lw_palette_find(names[n]);
        for (unsigned class = LW_CLASS_INKS; class < LW_CLASS_COUNT; class ++) {
            struct lw_tint tint = lw_palette_tint(palette, class);
            if (contrast(tint.letters, tint.fill) < 4.5)
                fail_msg("%s, class %u: %.2f", names[n], class, contrast(tint.letters, tint.fill));
        }
    }
    for (uint32_t rgb = 0; rgb < 0x1000000; rgb += 0x3517) /* on any colour */
        assert_true(contrast(lw_palette_letters(rgb), rgb) >= 4.5);
}

/* Lanes that are beside each other, in the same row or one below, in layouts as they are. */
static void neighbours_differ(void **state)
{
    static const unsigned steps[] = {1, 2, 4, 16};
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct lw_ink_color *inks = lw_palette_find(names[n])->inks;
        bool safe = !strncmp(names[n], "safe", 4);
        for (unsigned i = 0; i < LW_PALETTE_INKS; i++)
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
                for (int deutan = 0; deutan <= safe; deutan++) {
                    unsigned group = i / 32, j = i + steps[s];
                    if (j / 32 > group) /* the next warp begins anew */
                        j -= 32;
                    double far = difference(inks[i].rgb, inks[j].rgb, deutan);
                    if (steps[s] > 1 && j < i)
                        continue;
                    if (far < 10)
                        fail_msg("%s%s: %u and %u: %.1f", names[n], deutan ? " (deutan)" : "", i, j,
                                 far);
                }
    }
}

/* All 32 of a warp differ, from each other and from conflicts; so they do where there are 256 colours. */
static void lanes_differ(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct lw_palette *palette = lw_palette_find(names[n]);
        uint32_t conflict = palette->looks[LW_INK_BAD];
        for (int i = 0; i < LW_PALETTE_INKS; i++) {
            if (difference(palette->inks[i].rgb, conflict, false) < 5)
                fail_msg("%s: %d is a conflict", names[n], i);
            for (int j = 0; j < i; j++) {
                double far = difference(palette->inks[i].rgb, palette->inks[j].rgb, false);
                assert_int_not_equal(palette->inks[i].cube, palette->inks[j].cube);
                if (far < (i < 32 ? 6 : 2))
                    fail_msg("%s: %d and %d: %.1f", names[n], i, j, far);
                far = difference(palette->inks[i].rgb, palette->inks[j].rgb, true);
                if (!strncmp(names[n], "safe", 4) && i < 32 && far < 6)
                    fail_msg("%s (deutan): %d and %d: %.1f", names[n], i, j, far);
            }
        }
    }
}

static void the_ramp_rises(void **state)
{
    (void)state;
    assert_int_equal(lw_palette_level(1), 0);
    assert_int_equal(lw_palette_level(2), 1);
    assert_int_equal(lw_palette_level(3), 1);
    assert_int_equal(lw_palette_level(4), 2);
    assert_int_equal(lw_palette_level(31), 4);
    assert_int_equal(lw_palette_level(32), 5);
    assert_int_equal(lw_palette_level(64), 5);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct lw_ink_color *ramp = lw_palette_find(names[n])->ramp;
        for (int i = 1; i < LW_RAMP_LEVELS; i++)
            assert_true(difference(ramp[i].rgb, ramp[i - 1].rgb, false) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_measure_is_right), cmocka_unit_test(letters_can_be_read),
        cmocka_unit_test(neighbours_differ),    cmocka_unit_test(lanes_differ),
        cmocka_unit_test(the_ramp_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
