/* Marks and numbers of what an edit moved. */

#include "fit_parts.h"

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* An edit that moves most elements says how many since when, and the new owners stay in sight. */
static void what_moved_as_a_whole_is_counted(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "blocked/16x64", 120, 40);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right +");
    assert_true(d.ex.flash.on);
    assert_shows(&d, " last change: 1024 of 1024 elements changed, 8 keep an owner ");
    assert_int_not_equal(pen_below(&d, 1, 60).kind, LW_PEN_DIFFERS);
    drive_resize(&d, 80, 24);
    drive_keys(&d, "-");
    assert_shows(&d, " last change: 1024 of 1024 changed ");
    drive_command(&d, "set shape=[256,64]");
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "Right +");
    assert_shows(&d, " last change: 16384 of 16384 changed ");
    drive_close(&d);
}

/* What is typed into a field is compared with what was there before, as undo leads back to that. */
static void what_typing_moved_is_since_the_edit_began(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(
        &d,
        "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], "
        "warpsPerCTA = [4, 1], order = [0, 1]}>>",
        120, 40);
    drive_field(&d, "sizePerThread");
    drive_keys(&d, "2 , 4");
    assert_shows(&d, "last change: 4092 of 4096 elements moved");
    assert_shows(&d, "Element (0, 0): w0 l0 r0");
    drive_keys(&d, "Enter");
    assert_shows(&d, "last change: 4092 of 4096 elements moved");
    drive_keys(&d, "u");
    assert_int_equal(d.ex.flash.diff[d.ex.layouts.side].differing, 4092);
    drive_keys(&d, "Down");
    assert_false(d.ex.flash.on);
    drive_close(&d);
    drive_open_at(&d, "start/16x16", 120,
                  40); /* half of the elements get a second owner, half have none */
    drive_keys(&d, "3 Right Space");
    assert_shows(&d, "last change: 256 of 256 elements changed, 128 keep an owner");
    drive_close(&d);
}

/* An edit, undo and redo mark what moved, until the next key or a moment later. */
static void what_an_edit_moved_is_marked(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(
        &d,
        "!ttg.memdesc<8x32xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, "
        "order = [1, 0]}>, #ttg.shared_memory>",
        120, 40);
    drive_field(&d, "maxPhase");
    for (int i = 0; i < 3; i++) {
        drive_keys(&d, i == 0 ? "-" : i == 1 ? "u" : "C-r");
        assert_true(d.ex.flash.on);
        assert_shows(&d, "128 of 256 elements moved");
        assert_int_equal(pen_below(&d, 5, 3).kind, LW_PEN_DIFFERS);
        assert_int_equal(pen_below(&d, 0, 1).kind == LW_PEN_DIFFERS, false);
        if (i == 2)
            drive_tick(&d);
        else
            drive_keys(&d, "Down Up");
        assert_false(d.ex.flash.on);
        assert_hides(&d, "elements moved");
        assert_int_equal(pen_below(&d, 5, 3).kind == LW_PEN_DIFFERS, false);
    }
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moved_as_a_whole_is_counted),
        cmocka_unit_test(what_typing_moved_is_since_the_edit_began),
        cmocka_unit_test(what_an_edit_moved_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
