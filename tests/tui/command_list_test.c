/* What the prompt lists: the operations and methods that there are. */

#include "tui/drive.h"

#include "laneway/calc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is wrong names the system, or what there is. */
static void what_there_is(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 160, 40);
    drive_command(&d, "it.complement()");
    assert_shows(&d, "complement is not for a linear layout (Triton), but for a layout of CuTe");
    drive_command(&d, "mma foo");
    assert_shows(&d, "mma: unknown name 'foo'; there are 2x2-warps, m16n8k16, m16n8k32, m16n8k8, ");
    drive_command(&d, "mma m16n8k17");
    assert_shows(&d, "mma: unknown name 'm16n8k17'; did you mean 'm16n8k16'? There are ");
    drive_command(&d, "mma m16n8k16");
    assert_shows(&d, "A below left");
    drive_close(&d);
}

/* What Tab offers behind a layout of CuTe is of CuTe: none of it is refused as unknown. */
static void methods_are_of_the_system(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "(4,8):(8,1)");
    drive_resize(&d, 200, 40);
    drive_type(&d, ":it.");
    drive_keys(&d, "Tab");
    assert_shows(&d, "it.coalesce(");
    assert_hides(&d, "it.invertAndCompose(");
    assert_hides(&d, "it.resizeInDim(");
    drive_keys(&d, "Esc");
    drive_command(&d, "calc it.xyzzy()");
    assert_hides(&d, "'laneway help");
    assert_shows(&d, "':help operations'");
    drive_command(&d, "calc composition(it, 2:1)");
    assert_non_null(
        strstr(lw_entry_name(lw_explorer_entry(&d.ex)), "composition((4,8):(8,1), 2:1)"));
    drive_close(&d);
    drive_open(&d, "start/16x16");
    drive_resize(&d, 200, 40);
    drive_type(&d, ":it.");
    drive_keys(&d, "Tab");
    assert_shows(&d, "it.invert(");
    assert_hides(&d, "it.coalesce(");
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* The same text again is the same entry, unless it was edited; :mma alone lists what there is. */
static void the_same_is_listed_once(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 200, 40);
    drive_command(&d, "open (4,8):(8,1)");
    size_t count = d.ex.list.count, entry = d.ex.list.entry;
    drive_keys(&d, "Esc");
    drive_command(&d, "open (4,8):(8,1)");
    assert_int_equal(d.ex.list.count, count);
    assert_int_equal(d.ex.list.entry, entry);
    drive_keys(&d, "Esc");
    assert_int_equal(d.ex.list.entry, 0);
    drive_command(&d, "mma");
    assert_shows(
        &d,
        "mma: this layout is not an operand or result of an MMA; there are 2x2-warps, m16n8k16");
    assert_false(d.ex.status.is_error);
    drive_close(&d);
}

/* A swizzle without a layout is of row-major rows, and the whole of it is shown. */
static void a_bare_swizzle_is_of_rows(void **state)
{
    static const char *const lines[] = {"shared Sw<3,3,3>", "swizzle Sw<3,3,3>"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct drive d;
        drive_open(
            &d, "tensor<64x128xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
                "warpsPerCTA = [4, 1], order = [1, 0]}>>");
        drive_resize(&d, 200, 40);
        drive_command(&d, lines[i]);
        assert_shows(&d, "of row-major rows, Sw<3,3,3> o 0 o (64,128):(128,1) in elements of f16 "
                         "(in bytes, as with smem_ptr[16b]: Sw<3,4,3>): an access of ");
        struct lw_text source = {0};
        lw_encoding_print(&source, lw_explorer_entry(&d.ex)->doc->others[LW_SIDE_S].encoding);
        assert_string_equal(lw_text_string(&source), "Sw<3,3,3> o 0 o (64,128):(128,1)");
        lw_text_free(&source);
        drive_command(&d, "shared Sw<3,3,-3>");
        assert_shows(&d, "Sw<3,4,-3>): ");
        drive_keys(&d, "u");
        drive_keys(&d, "u");
        assert_null(lw_explorer_entry(&d.ex)->doc->others[LW_SIDE_S].encoding);
        drive_command(&d, "open Sw<3,0,9>");
        assert_shows(&d, "a layout has a shape and a stride too: Sw<3,0,9> o 0 o (64,64):(64,1)");
        drive_close(&d);
    }
}

/* Several methods with their help, as many as half the screen has lines; Tab goes on to the others. */
static void methods_have_their_help(void **state)
{
    struct drive d;
    size_t count, on = 0;
    const struct lw_calc_operation *operations = lw_calc_operations(&count);
    char more[32];
    (void)state;
    drive_open(&d, "start/16x16");
    drive_type(&d, ":it.");
    drive_keys(&d, "Tab");
    for (size_t i = 0; i < count; i++)
        if (operations[i].on == LW_CALC_OF_LAYOUT && on++ < 9)
            assert_shows(&d, operations[i].help);
    snprintf(more, sizeof more, "%zu more: Tab", on - 11);
    assert_shows(&d, more);
    drive_resize(&d, 80, 120);
    assert_hides(&d, "more: Tab");
    drive_keys(&d, "Tab Tab");
    assert_shows(&d, "it.pseudoinvert(");
    drive_close(&d);
}

/* Names that may follow are in rows of whole names; messages name commands as they are typed here. */
static void names_are_whole(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_resize(&d, 80, 24);
    drive_keys(&d, ":");
    drive_type(&d, "compare blocked/");
    drive_keys(&d, "Tab");
    assert_shows(&d, " blocked/16x32-for-12x20  blocked/16x64 ");
    assert_shows(&d, " blocked/row-major-4x4");
    drive_resize(&d, 40, 10);
    assert_shows(&d, " …");
    drive_resize(&d, 24, 3);
    drive_draw(&d);
    drive_resize(&d, 80, 24);
    drive_keys(&d, "Esc");
    drive_command(&d, "open nosuch");
    assert_shows(&d, "':list' lists the");
    drive_command(&d, "learn nosuch");
    assert_shows(&d, "':learn' lists them");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_whole),           cmocka_unit_test(what_there_is),
        cmocka_unit_test(methods_are_of_the_system), cmocka_unit_test(the_same_is_listed_once),
        cmocka_unit_test(a_bare_swizzle_is_of_rows), cmocka_unit_test(methods_have_their_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
