/* The screen of a layout: typing, what is lit, its views, comparing. */

#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct session s;

static int teardown(void **state)
{
    (void)state;
    session_close(&s);
    return 0;
}

/* ---- Typing ---- */

static void each_letter_is_seen_at_once(void **state)
{
    static const char text[] = "local(2, 1).spatial(8, 4).local(1, 2)";
    char typed[sizeof text] = "", shown[sizeof text];
    bool was_legal = false;
    (void)state;
    session_open(&s, NULL, 100, 30);
    for (size_t i = 0; text[i]; i++) {
        struct lw_document doc;
        typed[i] = text[i];
        session_type(&s, (char[]){text[i], '\0'});
        snprintf(shown, sizeof shown, "%s", typed); /* a row has no blanks at its end */
        shown[typed[i] == ' ' ? i : i + 1] = '\0';
        assert_non_null(strstr(session_row(&s, 0), shown));
        const bool legal = lw_document_open(&doc, typed, NULL, NULL);
        if (legal)
            lw_document_free(&doc);
        was_legal = was_legal || legal;
        session_assert(&s, "picture: the last legal text", was_legal && !legal, __FILE__, __LINE__);
    }
    session_keys(&s, "Enter");
    assert_string_equal(session_row(&s, 1),
                        "4 registers x 32 threads hold 16 x 8, every element once");
}

/* The reason is below the place where the text is wrong, and the picture stays. */
static void what_is_wrong_is_marked_at_its_place(void **state)
{
    int row, col;
    (void)state;
    session_open(&s, "local(2, 1).spatial(8, 4)", 100, 30);
    char *picture = strdup(strstr(session_screen(&s), "\n\n"));
    session_keys(&s, "e");
    session_type(&s, ".locl(1, 2)");
    assert_shows(&s, "picture: the last legal text");
    assert_true(session_find(&s, "\xe2\x96\xb2", &row, &col));
    assert_int_equal(row, 1);
    assert_int_equal(col, 2 + (int)strlen("local(2, 1).spatial(8, 4)."));
    assert_int_equal(session_pen(&s, "locl").kind, LW_TONE_WRONG);
    const char *after = strstr(session_screen(&s), "\n\n");
    assert_int_equal(strncmp(picture, after, strlen(picture) / 2), 0);
    free(picture);
    /* Enter does not keep it, and loses nothing. */
    session_keys(&s, "Enter");
    assert_shows(&s, ".locl(1, 2)");
    session_keys(&s, "Left Left Left Left Left Left Left"); /* behind the c */
    session_type(&s, "a");
    assert_hides(&s, "picture: the last legal text");
    session_keys(&s, "Enter");
    assert_shows(&s, "local(2, 1).spatial(8, 4).local(1, 2)");
    session_keys(&s, "u");
    assert_hides(&s, ".local(1, 2)");
    session_keys(&s, "C-r");
    assert_shows(&s, ".local(1, 2)");
}

static void esc_leaves_the_text_as_it_was(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 100, 30);
    session_keys(&s, "e C-u");
    session_type(&s, "local(3, 4)");
    assert_shows(&s, "12 registers hold 3 x 4");
    session_keys(&s, "Esc");
    assert_shows(&s, "blocked/16x64");
    assert_shows(&s, "32 registers");
    assert_int_equal(s.app.depth, 1);
}

/* A click puts the caret there. */
static void a_click_edits_the_text(void **state)
{
    (void)state;
    session_open(&s, "local(2, 1).spatial(8, 4)", 100, 30);
    session_screen(&s);
    session_mouse(&s, LW_EVENT_CLICK, 0, 8, 0);
    session_keys(&s, "Home Right Right Right Right Right Right Del");
    session_type(&s, "4");
    assert_non_null(strstr(session_row(&s, 0), "local(4, 1).spatial(8, 4)"));
    assert_shows(&s, "4 registers x 32 threads");
}

/* What is pasted is text, whatever is in it. */
static void a_paste_is_never_keys(void **state)
{
    static const char *const before[] = {"", "e", "?", ":", "/", "v", "d", "1"};
    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        session_open(&s, "blocked/16x64", 100, 30);
        session_keys(&s, before[i]);
        const int depth = s.app.depth;
        session_paste(&s, "q\n:quit\nqqq\033\033?\r");
        session_screen(&s);
        assert_false(s.app.quit);
        assert_int_equal(s.app.depth, depth);
        session_close(&s);
    }
    session_open(&s, NULL, 100, 30);
    session_paste(&s, "local(2, 1)\n  .spatial(8, 4)\n");
    assert_shows(&s, "2 registers x 32 threads");
    assert_null(strstr(session_screen(&s), "cannot be pasted"));
    session_paste(&s, ".local(1,\t2)");
    assert_shows(&s, "4 registers x 32 threads");
    assert_non_null(strstr(session_row(&s, 0), ".local(1, 2)"));
    assert_null(strstr(session_screen(&s), "cannot be pasted"));
    session_close(&s);
    /* Lines are kept, drawn as blanks; an error is marked in its line. */
    session_open(&s, NULL, 140, 30);
    session_paste(&s, "__shared__ float s[64];\n#define N 2\ns[tid * N] = v; // far\nv = s[tid];");
    assert_shows(&s, "s[64]; #define N 2 s[tid * N]");
    assert_shows(&s, "2 wavefronts");
    session_type(&s, "@");
    int row, col;
    assert_true(session_find(&s, "\xe2\x96\xb2", &row, &col));
    assert_int_equal(col, 2 + 23 + 1 + 11 + 1 + 22 + 1 + 11);
}

/* All accesses are listed, also those that are not counted. */
static void accesses_are_listed(void **state)
{
    (void)state;
    session_open(&s, "__shared__ int h[32]; int *g; h[tid] = 0; atomicAdd(&g[tid], h[tid]);", 120,
                 30);
    session_keys(&s, "1");
    assert_shows(&s, "not counted");
    session_keys(&s, "Down");
    assert_shows(&s, "atomics on global memory are not counted");
}

/* ---- What is lit ---- */

static void the_thread_of_the_cursor_is_lit(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 120, 40);
    assert_int_equal(session_count(&s, LW_TONE_QUIET), 0);
    session_keys(&s, "Down");
    assert_shows(&s, "lit: thread");
    /* Of 32 threads one; the labels of the cursor count as neither. */
    int quiet = session_count(&s, LW_TONE_QUIET), lit = session_count(&s, LW_TONE_LIT);
    assert_true(lit > 0 && quiet > 27 * lit);
    session_keys(&s, "H");
    assert_shows(&s, "lit: warp");
    assert_int_equal(session_count(&s, LW_TONE_QUIET), 0); /* there is one */
    session_keys(&s, "H");
    assert_shows(&s, "lit: register"); /* in one of eight cells, each a vector of four */
    quiet = session_count(&s, LW_TONE_QUIET), lit = session_count(&s, LW_TONE_LIT);
    assert_true(quiet > 6 * lit && quiet < 9 * lit);
    session_keys(&s, "Esc");
    assert_int_equal(session_count(&s, LW_TONE_QUIET), 0);
}

static uint8_t hue_below(const char *text, int rows)
{
    int row, col;
    assert_true(session_find(&s, text, &row, &col));
    return s.surface.tiles[(row + rows) * s.surface.width + col].pen.shade;
}

/* By warp, by register, by thread again; only what differs. Warp 1 is nine lines below warp 0. */
static void colours_follow_a_field(void **state)
{
    (void)state;
    session_open(&s, "start/16x16", 120, 40);
    const uint8_t lane = hue_below("l8 r0", 0);
    assert_int_equal(hue_below("l8 r0", 9), lane);
    session_keys(&s, "c");
    assert_shows(&s, "coloured by warp");
    assert_int_equal(hue_below("l8 r0", 0), hue_below("l9 r1", 0));
    assert_int_not_equal(hue_below("l8 r0", 9), hue_below("l8 r0", 0));
    session_keys(&s, "c");
    assert_shows(&s, "coloured by register");
    assert_int_equal(hue_below("l8 r1", 0), hue_below("l9 r1", 0));
    assert_int_not_equal(hue_below("l8 r1", 0), hue_below("l8 r0", 0));
    session_keys(&s, "c");
    assert_shows(&s, "coloured by thread");
    assert_int_equal(hue_below("l8 r0", 0), lane);
    session_close(&s);
    session_open(&s, "blocked/16x64", 120, 40); /* one warp */
    session_keys(&s, "c");
    assert_shows(&s, "coloured by register");
}

static void the_pointer_lights_and_leaves(void **state)
{
    int row, col;
    (void)state;
    session_open(&s, "blocked/16x64", 120, 40);
    assert_true(session_find(&s, " 17 ", &row, &col));
    session_mouse(&s, LW_EVENT_HOVER, row, col + 1, 0);
    assert_true(session_count(&s, LW_TONE_QUIET) > 0);
    assert_true(session_count(&s, LW_TONE_LIT) > 0);
    assert_shows(&s, "lane 17, register");
    assert_shows(&s, "lit: thread 17   Esc: all");
    session_mouse(&s, LW_EVENT_HOVER, 39, 100, 0);
    assert_int_equal(session_count(&s, LW_TONE_QUIET), 0);
    assert_shows(&s, "(0,0)  warp 0, lane 0, register 0"); /* of the cursor */
    session_mouse(&s, LW_EVENT_HOVER, row, col + 1, 0);
    session_keys(&s, "Esc");
    assert_int_equal(session_count(&s, LW_TONE_QUIET), 0);
    session_mouse(&s, LW_EVENT_HOVER, 39, 100, 0);
    assert_shows(&s, "(0,0)  warp 0, lane 0, register 0");
    session_mouse(&s, LW_EVENT_CLICK, row, col + 1, 0);
    assert_shows(&s, "lane 17");
    session_mouse(&s, LW_EVENT_HOVER, row, col + 4, 0);
    assert_shows(&s, "lit: thread 18");
    session_mouse(&s, LW_EVENT_HOVER, 39, 100, 0);
    assert_shows(&s, "lit: thread 17");
    assert_true(session_count(&s, LW_TONE_QUIET) > 0); /* until Esc */
}

/* ---- Views ---- */

static const struct {
    int width, height;
} sizes[] = {{80, 24}, {120, 40}, {200, 60}};

/* The tiles of a row with a tone. */
static int count_in_row(int row, enum lw_tone tone)
{
    int count = 0;
    for (int col = 0; col < s.surface.width; col++)
        count += s.surface.tiles[row * s.surface.width + col].pen.kind == tone;
    return count;
}

static void a_path_shows_all_banks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int row, col;
        session_open(&s, "banks/transpose-row-major", sizes[i].width, sizes[i].height);
        assert_shows(&s, "load: 1024 wavefronts, ideal 32: 32 words of one bank");
        assert_true(session_find(&s, "  1 1 1 1 1 1 1 1 1", &row, &col));
        const int width = count_in_row(row, LW_TONE_RAMP) / 32;
        assert_int_equal(count_in_row(row, LW_TONE_RAMP), 32 * width);
        assert_int_equal(width, 2);
        /* The worst is first: one bank needs all words, the others none. */
        assert_true(session_find(&s, "32 \xc2\xb7 \xc2\xb7", &row, &col));
        assert_int_equal(count_in_row(row, LW_TONE_RAMP), width);
        assert_int_equal(count_in_row(row, LW_TONE_HOLE), 31 * width);
        assert_shows(&s, sizes[i].width < 120 ? "\xc2\xb7  32 wf" : "32 wavefronts, ideal 1");
        session_close(&s);
    }
    session_open(&s, "banks/transpose-swizzled", 120, 40);
    assert_shows(&s, "no conflicts");
    session_close(&s);
    /* A click on a word of S, of its column 5: the load that moves it; on one of A, of its row 12: the store. */
    session_open(&s, "banks/transpose-row-major", 120, 40);
    session_screen(&s);
    session_mouse(&s, LW_EVENT_CLICK, 7, 47, 0);
    assert_shows(&s, "load       6 of 32, warp 5");
    session_keys(&s, "Down");
    session_mouse(&s, LW_EVENT_CLICK, 12, 10, 0);
    assert_shows(&s, "store      13 of 32, warp 12");
}

static void space_plays_the_wavefronts(void **state)
{
    (void)state;
    session_open(&s, "banks/transpose-row-major", 120, 40);
    session_keys(&s, "Space");
    assert_shows(&s, "1 of 32");
    assert_int_equal(session_count(&s, LW_TONE_SERVED), 0);
    session_keys(&s, "Right Right");
    assert_shows(&s, "3 of 32");
    assert_true(session_count(&s, LW_TONE_NOW) > 0);
    for (int i = 0; i < 40; i++)
        session_keys(&s, "Right");
    assert_shows(&s, "32 of 32");
    session_keys(&s, "Left");
    assert_shows(&s, "31 of 32");
    session_keys(&s, "Esc");
    assert_hides(&s, "31 of 32");
    assert_int_equal(s.app.depth, 1);
}

static void memory_lights_one_vector(void **state)
{
    (void)state;
    session_open(&s, "shared/nvmma-128", 120, 40);
    session_view(&s, "memory");
    assert_shows(&s, "0:0");
    assert_int_equal(session_count(&s, LW_TONE_QUIET), 0);
    session_keys(&s, "Down");
    assert_true(session_count(&s, LW_TONE_QUIET) > 0);
    assert_true(session_count(&s, LW_TONE_LIT) * 7 <= session_count(&s, LW_TONE_QUIET) + 64);
    /* A vector has four banks; the elements of the one that was searched for are named. */
    session_command(&s, "find bank 7");
    assert_shows(&s, "7 holds 32 elements: (0,14-15) (1,6-7)");
    session_mouse(&s, LW_EVENT_HOVER, 5, 20, 0);
    assert_shows(&s, "lit: bank 7");
}

/* H has what a view has: of memory a vector, or a bank; x is there where another layout can be seen. */
static void keys_are_there_where_they_do_something(void **state)
{
    static const char access[] =
        "tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>> > #ttg.swizzled_shared<{vec = 8, perPhase = 1, "
        "maxPhase = 8, order = [1, 0]}> > #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = "
        "[8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>";
    (void)state;
    session_open(&s, access, 120, 40);
    assert_hides(&s, "x A S B"); /* the path has all three */
    session_keys(&s, "1");
    assert_shows(&s, "x A S B");
    assert_shows(&s, "lane 0, register 0");
    session_keys(&s, "x Down");
    assert_shows(&s, "(1,0)  warp 0, lane 0, register 1");
    session_keys(&s, "3");
    assert_hides(&s, "x A S B");
    session_keys(&s, "Down");
    assert_shows(&s, "lit: vector");
    session_keys(&s, "H Right");
    assert_shows(&s, "lit: bank");
    session_keys(&s, "H Right");
    assert_shows(&s, "lit: vector");
}

/* The spelling of the candidate, in any system. */
static void a_candidate_is_copied(void **state)
{
    (void)state;
    session_open(&s, "banks/transpose-row-major", 80, 24);
    session_keys(&s, "o y");
    assert_shows(&s, "S in CuTe elements  Sw<5,0,5> o 0 o (32,32):(32,1)");
    session_keys(&s, "Down Down Down Down Down Down Enter");
    assert_string_equal(lw_text_string(&s.app.copied), "Sw<5,0,5> o 0 o (32,32):(32,1)");
    assert_shows(&s, "best layouts for S");
}

/* A list shows that it is filtered, and that it goes on. */
static void lists_show_what_they_hide(void **state)
{
    int row, col;
    (void)state;
    session_open(&s, NULL, 80, 24);
    assert_true(session_find(&s, "\xe2\x86\x93 239 more", &row, &col));
    assert_int_equal(row, 22);
    session_close(&s);
    session_open(&s, "cuda/transpose", 80, 24);
    session_keys(&s, "1 /");
    assert_shows(&s, "a part of a row");
    session_type(&s, "store");
    session_keys(&s, "Enter");
    assert_shows(&s, "filter: store   Esc: all");
    assert_hides(&s, "  load ");
    session_keys(&s, "Esc");
    assert_hides(&s, "filter");
    assert_shows(&s, "  load ");
}

/* What says why stands whole in 80 columns. */
static void sentences_fit_80_columns(void **state)
{
    (void)state;
    session_open(&s, "banks/transpose-row-major", 80, 24);
    assert_shows(&s, ": 32 words of one bank   o: fix, 64 in all");
    assert_shows(&s, "bank 0 has 32 words for lanes 0-31: one a wavefront");
    session_close(&s);
    session_open(&s, "blocked/gluon-128x128", 80, 24);
    assert_shows(&s, "period 64 x 16: 2 down, register + 64 each; 8 across, register + 8 each");
    session_close(&s);
    session_open(&s, "local(2, 1).spatial(8, 4).local(1, 2)", 80, 24);
    session_keys(&s, "Right Down Down Down Down Down Down Down Down Down");
    assert_shows(&s, "local r1*2, spatial t4, local r1");
}

static void a_matrix_instruction_lights_a_thread_in_all(void **state)
{
    (void)state;
    session_open(&s, "mma/m16n8k16", 140, 40);
    session_view(&s, "mma");
    assert_shows(&s, "A  16 x 16");
    assert_shows(&s, "B  16 x 8");
    assert_shows(&s, "C  16 x 8");
    session_command(&s, "find t13");
    assert_shows(&s, "lane 13");
    /* 8 elements of A, 4 of B, 4 of C, in cells of three columns. */
    assert_int_equal(session_count(&s, LW_TONE_LIT) + session_count(&s, LW_TONE_CURSOR),
                     3 * (8 + 4 + 4));
}

static void tabs_are_clicked_and_have_digits(void **state)
{
    int row, col;
    (void)state;
    session_open(&s, "banks/transpose-row-major", 120, 40);
    assert_true(session_find(&s, "Memory", &row, &col));
    session_mouse(&s, LW_EVENT_CLICK, row, col + 2, 0);
    assert_int_equal(session_pen(&s, "Memory").kind, LW_TONE_TAB_ON);
    session_keys(&s, "1");
    assert_int_equal(session_pen(&s, "Owners").kind, LW_TONE_TAB_ON);
    session_keys(&s, "v");
    assert_shows(&s, "views of this layout");
    session_keys(&s, "Down");
    assert_int_equal(session_pen(&s, "Path").kind, LW_TONE_TAB_ON);
    session_keys(&s, "Esc");
    assert_int_equal(session_pen(&s, "Owners").kind, LW_TONE_TAB_ON);
    session_keys(&s, "v 6");
    assert_hides(&s, "views of this layout");
    session_view(&s, "matrix");
    assert_int_equal(session_pen(&s, "Matrix").kind, LW_TONE_TAB_ON);
}

static void comparing(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 120, 50);
    session_keys(&s, "d");
    session_type(&s, "blocked/16x64 ");
    assert_shows(&s, "= the same owners");
    session_keys(&s, "Esc");
    assert_hides(&s, "\xe2\x89\xa0");
    assert_hides(&s, "changed, u: undo");
    session_command(&s, "set sizePerThread=[1, 8]");
    assert_shows(&s, "changed, u: undo");
    session_keys(&s, "d Enter Down");
    assert_shows(&s, "elements have another owner");
    session_keys(&s, "Esc"); /* also when an element is lit */
    assert_hides(&s, "elements have another owner");
    assert_int_equal(s.app.depth, 1);
    session_resize(&s, 120, 1);
    assert_shows(&s, "16x64");
    session_resize(&s, 120, 50);
    /* A bare attribute is of the same tensor. */
    session_keys(&s, "d C-u");
    session_type(&s, "#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], ");
    session_type(&s, "warpsPerCTA = [4, 1], order = [1, 0]}>");
    assert_shows(&s, "of 1024 elements have another owner");
    /* Rules would be at other rows in each, so that their rows did not line up. */
    assert_int_equal(session_count(&s, LW_TONE_RULE), 0);
}

/* What is offered is the last layout that can be compared, else nothing. */
static void what_cannot_be_compared_is_not_offered(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 120, 50);
    session_keys(&s, "e C-u");
    session_type(&s, "local(2,1).spatial(8,4)");
    session_keys(&s, "Enter d");
    assert_shows(&s, "a layout, or a name of the gallery");
    assert_hides(&s, "owners");
    session_type(&s, "local(2,1).spatial(8,4)");
    session_keys(&s, "Enter");
    assert_shows(&s, "= the same owners");
    session_keys(&s, "Esc f d");
    assert_hides(&s, "Enter change"); /* Enter does one thing */
    assert_shows(&s, "compare with");
}

/* The reason of a value that is not legal is shown while it is typed, and the last legal picture stays; a legal one is
 * shown at once. Esc restores what was, Enter is one change. */
static void a_value_is_shown_as_it_is_typed(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 80, 24);
    session_keys(&s, "f Down Down Enter");
    session_type(&s, "[1, 3");
    assert_shows(&s, "picture: the last legal text");
    session_type(&s, "]");
    assert_shows(&s, "must be a power of two");
    assert_shows(&s, "32 registers x 32 lanes hold 16 x 64");
    session_keys(&s, "C-u");
    session_type(&s, "[1, 8]");
    assert_shows(&s, "64 registers x 32 lanes hold 16 x 64, every element twice");
    assert_hides(&s, "last legal");
    session_keys(&s, "Esc");
    assert_shows(&s, "32 registers x 32 lanes hold 16 x 64");
    assert_shows(&s, "[1, 4]");
    session_keys(&s, "Enter");
    session_type(&s, "[1, 8]");
    session_keys(&s, "Enter");
    assert_shows(&s, "64 registers x 32 lanes");
    session_keys(&s, "u");
    assert_shows(&s, "32 registers x 32 lanes hold 16 x 64");
}

/* The form is beside a picture of which all fits there, else below it: no column is cut, no operand hidden. */
static void the_form_hides_no_column(void **state)
{
    static const char *const cases[][2] = {
        {"blocked/16x64", " 40  48  56 "},                  /* beside: all columns */
        {"mma/m16n8k16", "C  16 x 8, 2 a cell  B  16 x 8"}, /* below: all operands */
        {"local(2,1).spatial(8,4).local(1,2)", "0  2  4  6   = local(2, 1)"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session_open(&s, cases[i][0], 80, 24);
        session_keys(&s, "f");
        assert_shows(&s, cases[i][1]);
        session_close(&s);
    }
    session_open(&s, "blocked/16x64", 120, 40);
    session_keys(&s, "f");
    assert_non_null(strstr(session_row(&s, 4), " 60 "));
    assert_non_null(strstr(session_row(&s, 4), "shape "));
}

/* Tab and Shift-Tab move between fields, Esc leaves. */
static void tab_is_the_next_field(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 80, 24);
    session_keys(&s, "f Tab Tab Tab");
    assert_shows(&s, "\xe2\x96\xb8  threadsPerWarp");
    session_keys(&s, "S-Tab");
    assert_shows(&s, "\xe2\x96\xb8  sizePerThread");
    session_keys(&s, "Esc");
    assert_hides(&s, "threadsPerWarp");
    session_close(&s);
    session_open(&s, "banks/transpose-row-major", 120, 40);
    session_keys(&s, "f");
    assert_hides(&s, "\xe2\x86\x92 wavefront");
    session_keys(&s, "Space"); /* plays beside the form too */
    assert_shows(&s, "\xe2\x86\x92 wavefront");
    session_close(&s);
    session_open(&s, "cuda/transpose", 80, 24);
    session_keys(&s, "1 f Enter");
    assert_shows(&s, "value [32, 32]");
}

/* A shape that no text sets is marked so, once; that of the bases of a layout is set. */
static void an_assumed_shape_is_marked(void **state)
{
    (void)state;
    session_open(&s,
                 "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], "
                 "instrShape = [16, 8]}>",
                 120, 40);
    assert_shows(&s, "4 registers x 32 lanes hold 16 x 8 (assumed), every element once");
    session_command(&s, "set shape=[16, 8]");
    assert_shows(&s, "hold 16 x 8, every element once");
    session_command(&s, "source local(2, 1).spatial(8, 4)");
    assert_hides(&s, "assumed");
    session_command(&s, "source #ttg.linear<{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], "
                        "[2, 0], [4, 0]], warp = [], block = []}>");
    assert_shows(&s, "2 registers x 32 lanes hold 8 x 8, every element once");
}

/* A value that is emptied on the way is no field of the form for that moment. */
static void a_value_stays_that_of_its_field(void **state)
{
    (void)state;
    session_open(&s, "Swizzle<3,4,3> o 0 o (8,64):(64,1)", 120, 40);
    session_keys(&s, "f End Enter C-u");
    session_type(&s, "8");
    session_keys(&s, "Enter");
    assert_shows(&s, "Sw<3,4,3> o 8 o (8,64):(64,1)");
}

/* The views share the element of the cursor, and a search goes to one that has what it found. */
static void views_share_the_cursor(void **state)
{
    (void)state;
    session_open(&s, "mma/m16n8k16", 120, 40);
    session_keys(&s, "3 x Right Down 1 Down 3");
    assert_shows(&s, "warp 0, lane 8, register 1");
    session_keys(&s, "4 /");
    session_type(&s, "5,3");
    session_keys(&s, "Enter");
    assert_shows(&s, "5,3: 1 of 1");
    assert_shows(&s, "(5,3)");
    session_close(&s);
    session_open(&s, "mma/m16n8k16.c", 80, 24);
    session_keys(&s, "3");
    session_mouse(&s, LW_EVENT_CLICK, 7, 60, 0); /* of B */
    assert_shows(&s, "used for   C column 1");
    session_mouse(&s, LW_EVENT_CLICK, 8, 6, 0); /* of A */
    assert_shows(&s, "used for   C row 3");
}

/* Messages name what is typed here, not in a shell. */
static void messages_name_what_is_typed_here(void **state)
{
    (void)state;
    session_open(&s, NULL, 200, 30);
    session_type(&s, "blocked");
    assert_shows(&s, "':help blocked' has an example");
    session_keys(&s, "C-u");
    session_paste(&s, "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
                      "elementBitWidth = 16}>");
    assert_shows(&s, "set it with tensor<64x64xf16, ...>");
}

/* Of a long text that is not legal the reason is seen, and that something is left of the line. */
static void a_long_text_leaves_room_for_the_reason(void **state)
{
    (void)state;
    session_open(&s, "blocked/16x64", 80, 24);
    session_keys(&s, "e C-u");
    session_type(&s,
                 "tsor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 16], "
                 "warpsPerCTA = [4, 1], order = [1, 0]}>>");
    assert_shows(&s, "'tsor<64x64xf16, #ttg...' is neither a layout nor a name in the gallery");
    assert_non_null(strstr(session_row(&s, 0), "\xe2\x80\xa6"
                                               "erWarp = [4, 16]"));
}

/* The instructions that a block of 32 threads would have are shown with that block. */
static void the_block_of_a_text_is_shown(void **state)
{
    (void)state;
    session_open(&s, "float t[32][33]; float v = t[threadIdx.x][0];", 120, 40);
    assert_shows(&s, "assumed: dim3 block(32);");
    session_keys(&s, "2 Down"); /* also while something is lit */
    assert_shows(&s, "assumed: dim3 block(32);");
    session_keys(&s, "e Home");
    session_type(&s, "dim3 block(32, 2); ");
    assert_hides(&s, "assumed");
}

/* What a document has beside its text is not lost by an edit that is not kept. */
static void esc_leaves_the_document_as_it_was(void **state)
{
    (void)state;
    session_open(&s, "banks/transpose-row-major", 120, 40);
    char title[200];
    snprintf(title, sizeof title, "%s", lw_layout_model(lw_app_top(&s.app))->doc.title);
    assert_true(title[0] && strcmp(title, "blocked/16x64") != 0);
    session_keys(&s, "e C-u");
    session_type(&s, "blocked/16x64");
    assert_string_not_equal(lw_layout_model(lw_app_top(&s.app))->doc.title, title);
    session_keys(&s, "Esc");
    assert_string_equal(lw_layout_model(lw_app_top(&s.app))->doc.title, title);
}

/* The registers of this access have no vec: it is that of the memory. */
static void a_parameter_is_of_the_layout_that_has_it(void **state)
{
    (void)state;
    session_open(&s, "banks/transpose-row-major", 120, 40);
    session_command(&s, "set maxPhase=32");
    assert_shows(&s, "swizzled_shared 1 1 32");
    session_command(&s, "set maxPhase=3");
    assert_shows(&s, "power of two");
    session_keys(&s, "Esc");
    session_command(&s, "set nothing=3");
    assert_shows(&s, "blocked has no parameter 'nothing'");
}

static void memory_alone_shows_its_offsets(void **state)
{
    (void)state;
    session_open(&s, NULL, 80, 24);
    session_type(&s, "(8,4):(1,9)");
    assert_int_equal(session_pen(&s, "Owners").kind, LW_TONE_TAB_ON);
    assert_shows(&s, "7   7 16 25 34");
}

/* Threads are compared as lanes of warps; a type without a tensor takes that of the other. */
static void layouts_of_two_systems_are_compared(void **state)
{
    (void)state;
    session_open(&s, "local(2, 1).spatial(8, 4).local(1, 2)", 120, 50);
    session_keys(&s, "d");
    session_type(&s, "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                     "warpsPerCTA = [1, 1], instrShape = [16, 8]}>");
    assert_shows(&s, "= the same owners");
    session_keys(&s, "C-u");
    session_type(&s, "(16,8):(8,1)");
    assert_shows(&s, "cannot be compared");
    assert_shows(&s, "= the same owners"); /* the last legal picture */
}

/* What differs has the colours of its owners, and what is equal has none. */
static void what_differs_is_marked(void **state)
{
    (void)state;
    session_open(&s, "spatial(2, 2)", 100, 20);
    session_keys(&s, "d C-u");
    session_type(&s, "column_spatial(2, 2)");
    session_keys(&s, "Enter Down Right"); /* the cursor is on t3 r0 */
    assert_int_equal(session_pen(&s, "t0 r0").kind, LW_TONE_EQUAL);
    assert_int_equal(session_pen(&s, "t1 r0").kind, LW_TONE_OWNER);
    assert_int_equal(session_pen(&s, "t2 r0").kind, LW_TONE_OWNER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_letter_is_seen_at_once, teardown),
        cmocka_unit_test_teardown(what_is_wrong_is_marked_at_its_place, teardown),
        cmocka_unit_test_teardown(esc_leaves_the_text_as_it_was, teardown),
        cmocka_unit_test_teardown(a_click_edits_the_text, teardown),
        cmocka_unit_test_teardown(a_paste_is_never_keys, teardown),
        cmocka_unit_test_teardown(accesses_are_listed, teardown),
        cmocka_unit_test_teardown(the_thread_of_the_cursor_is_lit, teardown),
        cmocka_unit_test_teardown(colours_follow_a_field, teardown),
        cmocka_unit_test_teardown(the_pointer_lights_and_leaves, teardown),
        cmocka_unit_test_teardown(a_path_shows_all_banks, teardown),
        cmocka_unit_test_teardown(space_plays_the_wavefronts, teardown),
        cmocka_unit_test_teardown(memory_lights_one_vector, teardown),
        cmocka_unit_test_teardown(keys_are_there_where_they_do_something, teardown),
        cmocka_unit_test_teardown(a_candidate_is_copied, teardown),
        cmocka_unit_test_teardown(lists_show_what_they_hide, teardown),
        cmocka_unit_test_teardown(sentences_fit_80_columns, teardown),
        cmocka_unit_test_teardown(a_matrix_instruction_lights_a_thread_in_all, teardown),
        cmocka_unit_test_teardown(tabs_are_clicked_and_have_digits, teardown),
        cmocka_unit_test_teardown(comparing, teardown),
        cmocka_unit_test_teardown(what_cannot_be_compared_is_not_offered, teardown),
        cmocka_unit_test_teardown(a_value_is_shown_as_it_is_typed, teardown),
        cmocka_unit_test_teardown(the_form_hides_no_column, teardown),
        cmocka_unit_test_teardown(tab_is_the_next_field, teardown),
        cmocka_unit_test_teardown(an_assumed_shape_is_marked, teardown),
        cmocka_unit_test_teardown(a_value_stays_that_of_its_field, teardown),
        cmocka_unit_test_teardown(views_share_the_cursor, teardown),
        cmocka_unit_test_teardown(messages_name_what_is_typed_here, teardown),
        cmocka_unit_test_teardown(a_long_text_leaves_room_for_the_reason, teardown),
        cmocka_unit_test_teardown(the_block_of_a_text_is_shown, teardown),
        cmocka_unit_test_teardown(esc_leaves_the_document_as_it_was, teardown),
        cmocka_unit_test_teardown(a_parameter_is_of_the_layout_that_has_it, teardown),
        cmocka_unit_test_teardown(memory_alone_shows_its_offsets, teardown),
        cmocka_unit_test_teardown(layouts_of_two_systems_are_compared, teardown),
        cmocka_unit_test_teardown(what_differs_is_marked, teardown),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
