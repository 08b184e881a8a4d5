/* Finding the elements of a bank: each, one after another and back, in shared memory and in an access. */

#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [2, 1], order = [1, 0]}>>"
#define SHARED                                                                                     \
    "!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, "          \
    "order = [1, 0]}>, #smem>"
#define BYTES                                                                                      \
    "!ttg.memdesc<64x64xi8, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "           \
    "order = [1, 0]}>, #smem>"
#define DOUBLES                                                                                    \
    "!ttg.memdesc<64x64xf64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "          \
    "order = [1, 0]}>, #smem>"

/* A store of 32 warps; warp w has words of the banks 4 * (w / 4) to 4 * (w / 4) + 3, in 2^15 instructions. */
#define LONG_STORE                                                                                 \
    "{\"laneway\":1,\"element\":\"f32\",\"shape\":[4194304],\"store\":\"{\\\"in\\\":[["            \
    "\\\"register\\\","                                                                            \
    "131072],[\\\"lane\\\",32],[\\\"warp\\\",32],[\\\"block\\\",1]],\\\"out\\\":[[\\\"dim0\\\","   \
    "4194304]],"                                                                                   \
    "\\\"bases\\\":{\\\"register\\\":[[1],[2],[4],[8],[16],[32],[64],[128],[256],[512],[1024],["   \
    "2048],"                                                                                       \
    "[4096],[8192],[16384],[32768],[65536]],\\\"lane\\\":[[0],[0],[0],[0],[0]],\\\"warp\\\":[["    \
    "131072],"                                                                                     \
    "[262144],[524288],[1048576],[2097152]],\\\"block\\\":[]}}\",\"shared\":\"{\\\"in\\\":[["      \
    "\\\"offset\\\","                                                                              \
    "4194304],[\\\"block\\\",1]],\\\"out\\\":[[\\\"dim0\\\",4194304]],\\\"bases\\\":{"             \
    "\\\"offset\\\":[[1],[2],"                                                                     \
    "[524288],[1048576],[2097152],[4],[8],[16],[32],[64],[128],[256],[512],[1024],[2048],[4096],"  \
    "[8192],[16384],[32768],[65536],[131072],[262144]],\\\"block\\\":[]}}\"}"

static void find(struct drive *d, const char *query)
{
    drive_keys(d, "/");
    assert_int_equal(d->ex.focus, LW_FOCUS_FIND);
    drive_type(d, query);
    drive_keys(d, "Enter");
    assert_int_not_equal(d->ex.focus, LW_FOCUS_FIND);
}

/* Walks every element of a bank: each is there, and none comes twice before the first is back. */
static void walk_bank(const char *source, const char *target, uint64_t bits, uint64_t bank)
{
    static bool seen[64 * 64];
    struct drive d;
    char query[16];
    const struct lw_tui_options options = {.hardware = lw_hardware_find(target)};
    uint64_t banks = options.hardware->banks->banks;
    drive_open_with(&d, source, &options);
    snprintf(query, sizeof query, "bank %llu", (unsigned long long)bank);
    find(&d, query);
    memset(seen, 0, sizeof seen);
    uint64_t count = 0;
    for (;; count++) {
        struct lw_spot spot;
        uint64_t in[LW_DIMS_MAX];
        assert_true(d.ex.panes.active->view.type->spot(
            &d.ex.panes.active->view, d.ex.panes.active->row, d.ex.panes.active->col, &spot));
        assert_true(spot.has_out);
        assert_true(lw_map_owner(&d.ex.layouts.opened.subject.map, spot.out, 0, in));
        assert_int_equal(in[0] * bits / 32 % banks / (bits > 32 ? bits / 32 : 1),
                         bank / (bits > 32 ? bits / 32 : 1));
        uint64_t element = spot.out[0] * 64 + spot.out[1];
        if (seen[element])
            break;
        seen[element] = true;
        drive_keys(&d, "n");
    }
    /* All of them: each bank has the same share of 64 * 64 elements. */
    assert_int_equal(count, 64 * 64 / banks * (bits > 32 ? bits / 32 : 1));
    drive_close(&d);
}

static void banks(void **state)
{
    struct drive d;
    (void)state;
    const struct lw_tui_options wide = {.hardware = lw_hardware_find("gfx950")};
    walk_bank(SHARED, "sm90", 16, 7);
    walk_bank(SHARED, "sm90", 16, 0);
    walk_bank(BYTES, "sm90", 8, 31);
    walk_bank(DOUBLES, "sm90", 64, 6);
    walk_bank(SHARED, "gfx950", 16, 40);
    walk_bank(DOUBLES, "gfx950", 64, 62);
    drive_open(&d, SHARED);
    find(&d, "bank 32");
    assert_true(d.ex.status.is_error);
    assert_shows(&d, "no bank 32: the last is 31");
    drive_close(&d);
    drive_open_with(&d, SHARED, &wide);
    find(&d, "bank 64");
    assert_shows(&d, "no bank 64: the last is 63");
    drive_close(&d);
    drive_open(&d, BLOCKED);
    find(&d, "bank 7");
    assert_true(d.ex.status.is_error);
    drive_close(&d);
}

/* Of many instructions a key searches 65536, and the message has that number; the next key goes on. */
static void rows_of_a_long_access(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, LONG_STORE);
    drive_command(&d, "view banks");
    find(&d, "bank 9");
    assert_int_equal(d.ex.panes.active->row, 0);
    for (uint64_t row = 65536; row < 262144; row += 65536) {
        drive_keys(&d, "n");
        assert_shows(&d, "bank 9: the next 65536 of 2097152 rows have no words of it; n goes on");
        assert_int_equal(d.ex.panes.active->row, row);
    }
    drive_keys(&d, "n"); /* warp 8 */
    assert_int_equal(d.ex.panes.active->row, 262144);
    assert_hides(&d, "goes on");
    drive_keys(&d, "n");
    assert_int_equal(d.ex.panes.active->row, 262145);
    drive_keys(&d, "N N");
    assert_shows(&d, "bank 9: the former 65536 of 2097152 rows have no words of it; N goes on");
    drive_close(&d);
}

/* A bank of an access is found in registers too, forward and back; holes of its memory are passed over. */
static void banks_of_an_access(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, COLUMNS);
    drive_command(&d, "view owners");
    find(&d, "bank 7");
    assert_string_equal(drive_element(&d), "0,7");
    assert_shows(&d, "bank 7: 1 of 32, n for the next");
    drive_keys(&d, "n n");
    assert_string_equal(drive_element(&d), "2,7");
    drive_keys(&d, "N");
    assert_string_equal(drive_element(&d), "1,7");
    drive_keys(&d, "N N");
    assert_string_equal(drive_element(&d), "31,7");
    assert_shows(&d, "bank 7: 32 of 32");
    drive_command(&d, "view bases");
    drive_command(&d, "find bank 9");
    assert_shows(&d, "this view has no cell for it");
    drive_close(&d);
    drive_open(&d, "banks/transpose-padded");
    drive_command(&d, "view owners");
    find(&d, "bank 0");
    for (int i = 0; i < 40; i++, drive_keys(&d, "n"))
        assert_false(d.ex.status.is_error);
    drive_close(&d);
}

/* In the view of banks a bank is a column: the next hit is the next instruction that wants words of it, and of one
 * instruction the next wavefront with them. */
static void banks_of_instructions(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "banks/transpose-row-major");
    drive_command(&d, "view banks");
    const struct lw_view_pane *pane = d.ex.panes.active;
    find(&d, "bank 7");
    assert_int_equal(pane->row, 0);
    assert_int_equal(pane->col, 7);
    drive_keys(&d, "n");
    assert_int_equal(pane->row, 8);
    assert_int_equal(pane->col, 7);
    drive_keys(&d, "n");
    assert_int_equal(pane->row, 0);
    drive_keys(&d, "N");
    assert_int_equal(pane->row, 8);
    drive_keys(&d, "Enter");
    find(&d, "bank 9");
    drive_keys(&d, "n");
    assert_shows(&d, "bank 9: no other row has words of it");
    assert_int_equal(pane->col, 9);
    drive_close(&d);
}

/* The search in memory of many holes ends, and it is memory that has no element there, not registers. */
static void a_bank_of_holes(void **state)
{
    static const char *const strides[] = {"1048576", "1099511627776"};
    (void)state;
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        struct drive d;
        char source[160];
        snprintf(source, sizeof source,
                 "{\"shape\": [4, 8], \"element\": \"f32\", \"store\": \"spatial(4, 8)\", "
                 "\"shared\": \"(4,8):(%s,1)\"}",
                 strides[i]);
        drive_open(&d, source);
        drive_command(&d, "view owners");
        find(&d, "bank 7");
        assert_shows(&d, "bank 7: 1 of ");
        find(&d, "bank 9");
        assert_true(d.ex.status.is_error);
        assert_shows(&d, i ? "bank 9: its first 1048576 of " /* as it has too many words */
                           : "bank 9: no element of shared S was found there");
        if (i)
            assert_shows(&d, " words have no element; n goes on");
        drive_close(&d);
    }
}

/* The banks of a conversion's exchange are found too, though both layouts are in registers. */
static void banks_of_an_exchange_are_found(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "convert/shared");
    drive_keys(&d, "5");
    assert_true(d.ex.panes.active->view.type->heat);
    drive_keys(&d, "/");
    drive_type(&d, "bank 7");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.panes.active->col, 7);
    drive_keys(&d, "/");
    drive_type(&d, "bank 99");
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.panes.active->col, 7);
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks),
        cmocka_unit_test(banks_of_an_access),
        cmocka_unit_test(rows_of_a_long_access),
        cmocka_unit_test(banks_of_instructions),
        cmocka_unit_test(a_bank_of_holes),
        cmocka_unit_test(banks_of_an_exchange_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
