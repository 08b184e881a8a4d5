/* The strip of the layouts of an access: boxes are clicked, and each layout is replaced from a list. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct lw_document *doc_of(struct drive *d)
{
    return lw_explorer_entry(&d->ex)->doc;
}

static void click_box(struct drive *d, enum lw_side side)
{
    struct lw_panes rects;
    lw_panes(&d->ex, &rects);
    for (int col = 0; col < rects.strip.width; col++)
        if (lw_strip_at(&d->ex, rects.strip, rects.strip.row, col) == (int)side) {
            drive_click(d, rects.strip.row, col + 1);
            return;
        }
    fail_msg("side %d has no box", (int)side);
}

/* With boxes, and on one row. */
static void a_click_shows_a_layout(void **state)
{
    static const int heights[] = {20, 40};
    (void)state;
    for (int h = 0; h < 2; h++) {
        struct drive d;
        drive_open(&d, "banks/transpose-row-major");
        drive_resize(&d, 120, heights[h]);
        drive_draw(&d);
        for (int side = LW_SIDES - 1; side >= 0; side--) {
            d.ex.status.message[0] = '\0';
            click_box(&d, (enum lw_side)side);
            assert_int_equal(d.ex.panes.active->shown.side, side);
            assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
            assert_true(d.ex.status.message[0]); /* as after x */
            drive_draw(&d);
        }
        click_box(&d, LW_SIDE_A); /* the one that is shown */
        assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
        assert_shows(&d, "registers A: choose a layout");
        drive_keys(&d, "Esc");
        assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
        drive_close(&d);
    }
}

/* Only what can be there is offered, and each can be undone. */
static void chosen_from_the_gallery(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    click_box(&d, LW_SIDE_S);
    click_box(&d, LW_SIDE_S);
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
    assert_shows(&d, "shared S: choose a layout");
    assert_hides(&d, "mma/m16n8k16.c");
    drive_type(&d, "divided by");
    assert_shows(&d, "cute/zipped-divide");
    for (int i = 0; i < 10; i++)
        drive_keys(&d, "Backspace");
    drive_type(&d, "nvmma-128");
    assert_shows(&d, "shared/nvmma-128");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
    assert_shows(&d, "shared S of 16 x 64 does not hold registers A of 32 x 32");
    for (int i = 0; i < 9; i++)
        drive_keys(&d, "Backspace");
    drive_type(&d, "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "shared S: 160 wavefronts (32 + 128), before 1056 (32 + 1024); u undoes it");
    drive_keys(&d, "u");
    /* What is in memory goes to shared S from the list for registers too. */
    click_box(&d, LW_SIDE_A);
    click_box(&d, LW_SIDE_A);
    assert_shows(&d, "registers A: choose a layout");
    drive_type(&d, "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>");
    drive_keys(&d, "Enter");
    assert_shows(&d, "shared S: 160 wavefronts (32 + 128), before 1056 (32 + 1024); u undoes it");
    drive_close(&d);
}

/* A choice is dim, with a reason, if and only if it is refused, or changes the tensor; the first one never is. Its cost
 * is the one that its use shows; without a cost it has a reason too. */
static void check_choices(const char *source, const char *view, enum lw_side side)
{
    struct drive d;
    drive_open(&d, source);
    drive_resize(&d, 120, 40);
    drive_show(&d, lw_view_type_find(view));
    lw_layout_pick_open(&d.ex, side);
    assert_int_equal(d.ex.layout_pick.all[0].why[0], '\0');
    size_t count = d.ex.layout_pick.count, refused = 0;
    for (size_t i = 0; i < count; i++) {
        const struct lw_layout_choice choice = d.ex.layout_pick.all[i];
        for (size_t k = 0; k < i; k++) /* no name is there twice */
            assert_true(!choice.name || !d.ex.layout_pick.all[k].name ||
                        strcmp(choice.name, d.ex.layout_pick.all[k].name) != 0);
        d.ex.layout_pick.at = i;
        d.ex.status.message[0] = '\0';
        d.ex.status.is_error = false;
        lw_layout_pick_use(&d.ex, 0);
        bool fits = !choice.why[0];
        if (d.ex.status.is_error == fits && !choice.changes)
            fail_msg("%s, %s: %s has '%s', and using it: %s", source, lw_side_name(side),
                     choice.name ? choice.name : "an entry", choice.why, d.ex.status.message);
        refused += d.ex.status.is_error;
        if ((d.ex.focus == LW_FOCUS_LAYOUTS) == (fits || choice.changes))
            fail_msg("%s, %s: %s has '%s', and it is %s", source, lw_side_name(side),
                     choice.name ? choice.name : "an entry", choice.why, d.ex.status.message);
        assert_true(!fits || choice.counted == !choice.uncounted);
        char cost[40];
        snprintf(cost, sizeof cost, " %" PRIu64 " wavefront", choice.wavefronts);
        if (!choice.why[0] && choice.counted && !strstr(d.ex.status.message, cost))
            fail_msg("%s, %s: %s costs%s, and using it: %s", source, lw_side_name(side),
                     choice.name ? choice.name : "an entry", cost, d.ex.status.message);
        if (d.ex.focus != LW_FOCUS_LAYOUTS) {
            drive_keys(&d, "u");
            lw_focus_open(&d.ex,
                          LW_FOCUS_LAYOUTS); /* the list is still the same, as is shown below */
        }
    }
    assert_true(refused < count);
    char why[sizeof d.ex.layout_pick.all->why];
    memcpy(why, d.ex.layout_pick.all[count - 1].why, sizeof why);
    lw_layout_pick_open(&d.ex, side);
    assert_int_equal(d.ex.layout_pick.count, count);
    assert_string_equal(d.ex.layout_pick.all[count - 1].why, why);
    drive_close(&d);
}

static void refused_choices_are_dim(void **state)
{
    (void)state;
    check_choices("blocked/16x64", "banks", LW_SIDE_S);
    check_choices("blocked/16x64", "conversion", LW_SIDE_B);
    check_choices("banks/transpose-row-major", "banks", LW_SIDE_S);
    check_choices("banks/transpose-row-major", "banks", LW_SIDE_A);
    check_choices("banks/transpose-row-major", "banks", LW_SIDE_B);
    check_choices("swizzle/16x16-half", "banks", LW_SIDE_B);
    check_choices("spatial(4, 8)", "banks", LW_SIDE_S);
    struct drive d;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "5 X");
    assert_shows(&d, "8 x 4 does not hold 16 x 64");
    assert_int_equal(drive_tile(&d, "cute/zipped-divide")->pen.kind, LW_PEN_HOLE);
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_shows(&d, "an access of ");
    assert_hides(&d, "5 shows the banks"); /* as they are shown */
    drive_close(&d);
}

/* What does not fit at B is refused as at S: with its reason, and the access stays as it is. */
static void registers_that_do_not_fit_are_refused(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-swizzled");
    drive_resize(&d, 120, 40);
    drive_show(&d, lw_view_type_find("banks"));
    drive_keys(&d, "x x X");
    assert_shows(&d, "registers B: choose a layout");
    assert_shows(&d, " cute/zipped-divide                  -  a part of the tensor: no cost");
    assert_shows(&d, "4 fit, 1 has no cost, 179 do not; now 64 wf");
    drive_type(&d, "blocked/16x64");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS);
    assert_string_equal(d.ex.status.message,
                        "blocked/16x64 does not fit as registers B: 16 x 64 is not 32 x 32; "
                        "nothing is replaced");
    drive_keys(&d, "C-u");
    drive_type(&d, "2x2-ctas");
    drive_keys(&d, "Enter");
    assert_shows(&d,
                 "blocked/2x2-ctas does not fit as registers B: block 1 does not keep its part");
    drive_keys(&d, "Esc Esc");
    assert_int_equal(lw_explorer_entry(&d.ex)->past_count, 0);
    drive_command(&d, "load blocked/16x64");
    assert_shows(&d,
                 "shared S of 32 x 32 does not hold registers B of 16 x 64: nothing is replaced");
    drive_command(&d, "shared vec 4,1,16");
    assert_shows(&d, "shared S: 160 wavefronts (32 + 128), before 64 (32 + 32); u undoes it");
    drive_close(&d);
}

/* A short form that was read is not explained when its layout is refused for another reason. */
static void a_refused_short_form_has_its_own_reason(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "{\"laneway\":1,\"source\":\"blocked/16x64\",\"shared\":{\"shape\":[32,32],"
                   "\"element\":\"f32\",\"encoding\":\"swizzled_shared\",\"params\":{\"vec\":1,"
                   "\"perPhase\":1,\"maxPhase\":1,\"order\":[1,0]}}}");
    drive_resize(&d, 120, 40);
    drive_command(&d, "shared vec 4,1,16");
    assert_shows(&d,
                 "shared S of 32 x 32 does not hold registers A of 16 x 64: nothing is replaced");
    drive_command(&d, "shared xor 8");
    assert_shows(&d,
                 "shared S of 32 x 32 does not hold registers A of 16 x 64: nothing is replaced");
    drive_command(&d, "shared vec 4,1");
    assert_shows(&d, "vec needs three numbers");
    drive_close(&d);
}

/* A layout that is open is in the list once, unless it was edited. */
static void open_layouts_are_listed_once(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "start/16x16");
    drive_command(&d, "open blocked/row-major-4x4");
    lw_layout_pick_open(&d.ex, LW_SIDE_B);
    drive_type(&d, "start/16x16");
    size_t edited = 0, named = 0;
    for (size_t i = 0; i < d.ex.layout_pick.count; i++) {
        const struct lw_layout_choice *choice = &d.ex.layout_pick.all[i];
        named += choice->name && !strcmp(choice->name, "start/16x16");
        edited += !choice->name;
    }
    assert_int_equal(named, 0);
    assert_int_equal(edited, 1);
    drive_close(&d);
}

static void typed_or_open(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_resize(&d, 120, 40);
    drive_command(&d, "open banks/transpose-row-major");
    drive_show(&d, lw_view_type_find("banks"));
    click_box(&d, LW_SIDE_B);
    drive_keys(&d, "X");
    assert_shows(&d, "blocked/16x64"); /* it is open */
    drive_type(&d, "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = "
                   "[32, 1], order = [1, 0]}>");
    assert_shows(&d, "not in the list");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    const struct lw_encoding *b = doc_of(&d)->others[LW_SIDE_B].encoding;
    assert_int_equal(lw_encoding_value(b, "sizePerThread")->items[1].integer, 4);
    drive_keys(&d, "X");
    drive_type(&d, "no such thing");
    drive_keys(&d, "Enter");
    assert_true(d.ex.status.is_error);
    assert_int_equal(d.ex.focus, LW_FOCUS_LAYOUTS); /* with what was typed */
    drive_keys(&d, "Esc u");
    drive_close(&d);
}

/* Keys and the mouse in the list itself. */
static void moving_in_the_list(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 100, 30);
    drive_keys(&d, "X");
    drive_draw(&d);
    drive_keys(&d, "Down Down PgDn PgUp Up");
    assert_int_equal(d.ex.layout_pick.at, 1);
    drive_wheel(&d, 10, 10, 3);
    assert_int_equal(d.ex.layout_pick.at, 2);
    drive_type(&d, "x");
    drive_keys(&d, "Backspace Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    drive_keys(&d, "X");
    drive_draw(&d);
    drive_click(&d, d.ex.layout_pick.inside.row + 1, d.ex.layout_pick.inside.col + 3);
    drive_draw(&d);
    for (int width = 1; width < 130; width += 16) {
        drive_keys(&d, "X");
        drive_resize(&d, width, 1 + width / 4);
        drive_draw(&d);
        drive_keys(&d, "Esc");
    }
    drive_close(&d);
}

/* By the encoding's name too; of a long SOURCE the end is seen, where it is typed. */
static void what_is_typed_is_seen(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "x X");
    drive_type(&d, "swizzled");
    assert_shows(&d, "swizzle/1-1-2");
    drive_keys(&d, "C-u");
    drive_type(&d, "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 32, order = [1, 0]}>");
    assert_shows(&d, "order = [1, 0]}>");
    drive_keys(&d, "Enter");
    assert_shows(&d, "load 32");
    drive_resize(&d, 120, 40);
    assert_shows(&d, "X replace");
    drive_close(&d);
}

/* Those that fit are first, by what the access then costs; the others are last, with the reason. A layout that brings
 * another tensor has no cost to compare. */
static void choices_are_sorted_by_cost(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_keys(&d, "X");
    assert_shows(&d, "                wf ");
    assert_shows(&d, "7 fit, 43 do not; now 1056 wf");
    assert_shows(&d, " xor 32                             64  rows: the column ^ row % 32");
    assert_shows(&d, " row after row                    1056  shared memory");
    assert_shows(&d, " padded/2-1-and-4-2           16 does not hold 32 x 32");
    const struct lw_layout_pick *pick = &d.ex.layout_pick;
    for (size_t i = 1; i < pick->count; i++) {
        const struct lw_layout_choice *a = &pick->all[i - 1], *b = &pick->all[i];
        assert_true(!a->why[0] || b->why[0]);
        assert_true(b->why[0] || a->wavefronts <= b->wavefronts);
    }
    drive_resize(&d, 40, 10);
    assert_shows(&d, "xor 32                            64");
    assert_shows(&d, "7 of 50 fit");
    drive_keys(&d, "Esc");
    drive_close(&d);

    drive_open(&d, "convert/shared");
    drive_keys(&d, "X");
    assert_shows(&d, " lanes along rows                  128  one element a lane");
    assert_shows(&d, " blocked/row-major-4x4        the tensor becomes 4 x 4");
    drive_close(&d);
}

/* Banks are judged by shared S: it is replaced unless the user chose another layout; elsewhere the one shown is. */
static void banks_replace_shared_first(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_show(&d, lw_view_type_find("banks"));
    drive_keys(&d, "X");
    assert_shows(&d, "shared S: choose a layout");
    drive_type(&d, "xor 8");
    drive_keys(&d, "Enter");
    assert_string_equal(drive_value(&d, "shared.maxPhase"), "8");
    drive_keys(&d, "u Esc");
    drive_close(&d);

    drive_open(&d, "banks/transpose-row-major");
    drive_resize(&d, 120, 40);
    drive_keys(&d, "1 X");
    assert_shows(&d, "registers A: choose a layout");
    drive_keys(&d, "Esc 5 X");
    assert_int_equal(d.ex.layout_pick.side, LW_SIDE_S);
    drive_keys(&d, "Esc");
    while (d.ex.panes.active->shown.side != LW_SIDE_A || !d.ex.panes.active->side_chosen)
        drive_keys(&d, "x");
    drive_keys(&d, "X");
    assert_int_equal(d.ex.layout_pick.side, LW_SIDE_A);
    drive_keys(&d, "Esc");
    click_box(&d, LW_SIDE_B);
    drive_keys(&d, "X");
    assert_int_equal(d.ex.layout_pick.side, LW_SIDE_B);
    drive_keys(&d, "Esc");
    drive_command(&d, "open banks/transpose-swizzled"); /* where nothing is chosen yet */
    drive_show(&d, lw_view_type_find("banks"));
    drive_keys(&d, "X");
    assert_int_equal(d.ex.layout_pick.side, LW_SIDE_S);
    drive_keys(&d, "Esc");
    drive_close(&d);
}

/* The message of a replaced layout names the side that changed; without shared S it is of the conversion. */
static void a_verdict_names_its_side(void **state)
{
    static const char *const layouts[] = {"BlockedLayout([1, 4], [8, 4], [4, 1], [1, 0])",
                                          "BlockedLayout([4, 1], [4, 8], [1, 4], [0, 1])"};
    static const struct {
        const char *command, *shows, *hides;
    } steps[] = {
        {"load B", "a conversion of 128 wavefronts (64 + 64): 6 shows it, 5 the banks of its",
         NULL},
        {"load A", "registers B: 0 wavefronts (0 + 0), before 128 (64 + 64); u undoes it", NULL},
        {"load B", "registers B: 128 wavefronts (64 + 64), before 0 (0 + 0); u undoes it", NULL},
        {"shared SwizzledSharedLayout(1, 1, 1, [1, 0])",
         "shared S: 768 wavefronts (256 + 512), the compiler's own 128 (64 + 64); u undoes it",
         NULL},
        {"store B", "registers A: 1024 wavefronts (512 + 512), before 768 (256 + 512); u undoes it",
         "shared S: 1"},
    };
    struct drive d;
    const struct lw_tui_options options = {.type = "64x64xf16"};
    (void)state;
    drive_open_with(&d, layouts[0], &options);
    drive_resize(&d, 120, 40);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char command[128];
        size_t length = strlen(steps[i].command);
        const char last = steps[i].command[length - 1];
        bool named = last == 'A' || last == 'B';
        snprintf(command, sizeof command, "%.*s%s", (int)length - named, steps[i].command,
                 named ? layouts[last - 'A'] : "");
        drive_command(&d, command);
        assert_shows(&d, steps[i].shows);
        if (steps[i].hides)
            assert_hides(&d, steps[i].hides);
    }
    drive_close(&d);
}

/* Without a second layout the message has no cost, and names a tensor of another size. */
static void a_layout_alone_is_replaced(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "blocked/16x64");
    drive_keys(&d, "X");
    drive_type(&d, "blocked/registers-4x4");
    drive_keys(&d, "Enter");
    assert_string_equal(
        d.ex.status.message,
        "registers A: blocked/registers-4x4, of 4 x 4 instead of 16 x 64; u undoes it");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_shows_a_layout),
        cmocka_unit_test(chosen_from_the_gallery),
        cmocka_unit_test(refused_choices_are_dim),
        cmocka_unit_test(registers_that_do_not_fit_are_refused),
        cmocka_unit_test(a_refused_short_form_has_its_own_reason),
        cmocka_unit_test(open_layouts_are_listed_once),
        cmocka_unit_test(typed_or_open),
        cmocka_unit_test(moving_in_the_list),
        cmocka_unit_test(what_is_typed_is_seen),
        cmocka_unit_test(choices_are_sorted_by_cost),
        cmocka_unit_test(banks_replace_shared_first),
        cmocka_unit_test(a_verdict_names_its_side),
        cmocka_unit_test(a_layout_alone_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
