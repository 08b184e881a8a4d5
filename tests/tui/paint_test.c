/* What goes to the terminal: the colours it takes, and that the changes of many steps leave the same screen
 * as drawing it anew. */

#include "process.h"
#include "tui/pseudo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#define BLOCKED                                                                                    \
    "tensor<16x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], "           \
    "warpsPerCTA = [1, 1], order = [1, 0]}>>"

enum { ROWS = 40, COLS = 120, COLS_MAX = 200 };

static struct pseudo p;

/* Terminals that lack what others have. */
static const char descriptions[] =
    "lw-noerase|no erasing,\n"
    "\tel@, ech@, use=xterm-256color,\n"
    "lw-corner|scrolls when its corner is written,\n"
    "\txenl@, el@, ech@, use=xterm-256color,\n"
    "lw-old|colours in the old order alone,\n"
    "\tsetaf@, setab@, "
    "setf=\\E[3%?%p1%{1}%=%t4%e%p1%{3}%=%t6%e%p1%{4}%=%t1%e%p1%{6}%=%t3%e%p1%d%;m, "
    "setb=\\E[4%?%p1%{1}%=%t4%e%p1%{3}%=%t6%e%p1%{4}%=%t1%e%p1%{6}%=%t3%e%p1%d%;m, "
    "use=xterm,\n"
    "lw-direct|a number of a colour is the colour,\n"
    "\tRGB, colors#0x1000000, pairs#0x10000, "
    "setaf=\\E[38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm, "
    "setab=\\E[48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm, use=xterm,\n";
static char folder[] = "/tmp/laneway-paint.XXXXXX", terminfo[64], lesson[64];

/* A lesson whose title and text are of characters two columns wide. */
static int make_files(void **state)
{
    char command[160], path[64];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/terms", folder);
    snprintf(terminfo, sizeof terminfo, "TERMINFO=%s", folder);
    snprintf(lesson, sizeof lesson, "%s/wide.json", folder);
    FILE *terms = fopen(path, "w"), *text = fopen(lesson, "w");
    if (!terms || !text)
        return -1;
    fputs(descriptions, terms);
    fputs("{\"lesson\": \"布局与线程\", \"learnt\": \"y\", \"steps\": [{\"open\": \"start/16x16\", "
          "\"text\": [",
          text);
    for (int i = 0; i < 12; i++)
        fprintf(text, "\"%s每个线程持有哪些元素取决于布局的参数\", ", i % 2 ? "a" : "");
    fputs("\"z\"], \"do\": \"d\", \"hints\": [\"h\"], \"goal\": {\"cursor\": {\"row\": 1}}, "
          "\"solution\": [\"find 1,2\"]}]}",
          text);
    if (fclose(terms) || fclose(text))
        return -1;
    snprintf(command, sizeof command, "tic -x -o %s %s 2>&1", folder, path);
    return system(command);
}

static int remove_files(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void leave(void)
{
    pseudo_send(&p, "\003");
    wait_end(&p);
    assert_restored(&p);
    pseudo_stop(&p);
}

/* And the whole first frame, and no word of welcome. */
static void begin(const struct pseudo_options *options)
{
    pseudo_start(&p, options, BLOCKED, NULL);
    wait_for(&p, "T1:0");
    pseudo_send(&p, "l");
    wait_for(&p, "Element (0, 1)");
    pseudo_send(&p, "0");
    wait_for(&p, "Element (0, 0)");
}

static VTermScreenCell cell_at(int row, int col)
{
    VTermScreenCell cell;
    VTermPos pos = {.row = row, .col = col};
    assert_true(vterm_screen_get_cell(p.screen, pos, &cell));
    return cell;
}

/* ---- Colours ---- */

static void a_terminal_that_takes_24_bits_gets_them(void **state)
{
    static const struct {
        const char *term, *extra;
        bool rgb;
    } cases[] = {
        {"xterm-256color", "COLORTERM=truecolor", true},
        {"xterm-256color", "COLORTERM=24bit", true},
        {"xterm-256color", "COLORTERM=yes", false},
        {"xterm-256color", NULL, false},
        {"tmux-256color", "COLORTERM=truecolor", true},
        {"xterm", "COLORTERM=truecolor", true},
        {"screen-256color", "COLORTERM=24bit", false},
        {"linux", NULL, false},
        {"lw-direct", terminfo, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct pseudo_options options = {.term = cases[i].term, .extra = cases[i].extra};
        int row, col;
        begin(&options);
        assert_true(pseudo_find(&p, "T1:0", &row, &col));
        VTermScreenCell cell = cell_at(row, col);
        assert_true(VTERM_COLOR_IS_RGB(&cell.fg) == cases[i].rgb);
        assert_true((strstr(p.raw, "38;2;") != NULL) == cases[i].rgb);
        leave();
    }
}

static void no_color_is_none(void **state)
{
    const struct pseudo_options options = {.extra = "NO_COLOR=1"};
    int row, col;
    (void)state;
    begin(&options);
    assert_true(pseudo_find(&p, "T1:0", &row, &col));
    assert_null(strstr(p.raw, "38;"));
    VTermScreenCell cell = cell_at(row, col);
    assert_true(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg));
    leave();
}

/* ---- Steps ---- */

struct shot {
    VTermScreenCell cells[ROWS][COLS_MAX];
};

/* Of whole frames: what was waited for may be shown before the rest of its frame. */
static void shoot(struct shot *shot)
{
    wait_idle(&p);
    for (int row = 0; row < p.rows; row++)
        for (int col = 0; col < p.cols; col++)
            shot->cells[row][col] = cell_at(row, col);
}

/* As far as one sees: of a blank only the ground. */
static bool same(const VTermScreenCell *a, const VTermScreenCell *b)
{
    uint32_t x = a->chars[0] ? a->chars[0] : ' ', y = b->chars[0] ? b->chars[0] : ' ';
    bool plain = x == ' ' && !a->attrs.reverse && !b->attrs.reverse && !a->attrs.underline &&
                 !b->attrs.underline;
    if (x != y || x == UINT32_MAX) /* the second half of a wide one looks as the first does */
        return x == y;
    if (!vterm_color_is_equal(&a->bg, &b->bg))
        return false;
    return plain ||
           (vterm_color_is_equal(&a->fg, &b->fg) && a->attrs.bold == b->attrs.bold &&
            a->attrs.reverse == b->attrs.reverse && a->attrs.underline == b->attrs.underline);
}

static void assert_same(const char *term, const struct shot *a, const struct shot *b)
{
    for (int row = 0; row < p.rows; row++)
        for (int col = 0; col < p.cols; col++)
            if (!same(&a->cells[row][col], &b->cells[row][col])) {
                printf("%s", pseudo_text(&p));
                fail_msg("%s: row %d, column %d differs after a redraw", term, row, col);
            }
}

/* Keys that end with the cursor on (3, 3) of the owners. */
static const char *const walks[] = {
    "jjllkk0jjjlllkkk0jjjlll", "2jjll345671gjjjlll", "|jjwkk||w|gjjjlll",     "---jl+++gjjjlll",
    "?\004\004qgjjjlll",       "m\rjljlcccgjjjlll",  ":theme light\rgjjjlll", "PlPlPgjjjlll",
};

static void steps_leave_what_a_redraw_does(void **state)
{
    static const char *const terms[] = {"xterm-256color", "tmux-256color", "linux",
                                        "vt100",          "ansi",          "lw-noerase",
                                        "lw-corner",      "lw-old",        "lw-direct"};
    static struct shot before, after;
    (void)state;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++)
        for (size_t w = 0; w < sizeof walks / sizeof *walks; w++) {
            const struct pseudo_options options = {
                .term = terms[t], .extra = terminfo, .rows = ROWS, .cols = COLS};
            begin(&options);
            pseudo_send(&p, walks[w]);
            wait_for(&p, "Element (3, 3)");
            pseudo_send(&p, "j");
            wait_for(&p, "Element (4, 3)");
            shoot(&before);
            pseudo_send(&p, "\014");
            pseudo_send(&p, "j");
            wait_for(&p, "Element (5, 3)");
            pseudo_send(&p, "k");
            wait_for(&p, "Element (4, 3)");
            shoot(&after);
            assert_same(terms[t], &before, &after);
            leave();
        }
}

/* Boxes whose borders fall on halves of wide characters, opened and closed. */
static void wide_characters_come_back(void **state)
{
    static const char *const terms[] = {"xterm-256color", "vt100", "lw-noerase", "lw-corner"};
    static const int widths[] = {153, 154, 199, 200};
    static struct shot before, after;
    (void)state;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            const struct pseudo_options options = {
                .term = terms[t], .extra = terminfo, .rows = ROWS, .cols = widths[w]};
            pseudo_start(&p, &options, "learn", lesson, NULL);
            wait_for(&p, "Element (0, 0)");
            wait_for(&p, "布局与线程");
            pseudo_send(&p, "?");
            wait_for(&p, "every pane");
            pseudo_send(&p, "q");
            wait_gone(&p, "every pane");
            pseudo_send(&p, "jk");
            wait_read(&p);
            wait_for(&p, "Element (0, 0)");
            shoot(&before);
            pseudo_send(&p, "\014jj");
            wait_for(&p, "Element (2, 0)");
            pseudo_send(&p, "kk");
            wait_for(&p, "Element (0, 0)");
            shoot(&after);
            assert_same(terms[t], &before, &after);
            leave();
        }
}

/* The last column of the last row is shown, and the screen does not scroll. */
static void the_corner_is_shown(void **state)
{
    static const char *const terms[] = {"xterm-256color", "lw-corner"};
    (void)state;
    for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
        const struct pseudo_options options = {
            .term = terms[t], .extra = terminfo, .rows = 9, .cols = 80};
        pseudo_start(&p, &options, PSEUDO_BLOCKED, NULL);
        wait_for(&p, "T1:0");
        char line[84] = ":y";
        memset(line + 2, 'x', sizeof line - 3);
        pseudo_send(&p, line);
        pseudo_send(&p, "\001"); /* the line goes on behind the margin */
        line[p.cols - 1] = '\0';
        wait_for(&p, line);
        wait_for(&p, "x…");
        assert_int_equal(cell_at(p.rows - 1, p.cols - 1).chars[0], 0x2026);
        assert_true(cell_at(0, 1).chars[0] == 'l');
        pseudo_send(&p, "\033");
        leave();
    }
}

/* A key is answered in one write, and two where the cursor begins or ends to be shown. */
static void keys_take_one_write(void **state)
{
    enum { STEPS = 8 };
    const struct pseudo_options options = {.rows = ROWS, .cols = COLS};
    (void)state;
    begin(&options);
    long from = process_writes(p.pid);
    if (from < 0)
        skip();
    for (int i = 1; i <= STEPS; i++) {
        char title[32];
        snprintf(title, sizeof title, "Element (%d, 0)", i);
        pseudo_send(&p, "j");
        wait_for(&p, title);
    }
    assert_in_range(process_writes(p.pid) - from, STEPS - 1, STEPS + 1);
    from = process_writes(p.pid);
    pseudo_send(&p, "/");
    wait_for(&p, "t17 a thread");
    assert_in_range(process_writes(p.pid) - from, 1, 3);
    pseudo_send(&p, "\033");
    leave();
}

/* A step goes out as what it changes. */
static void steps_are_small(void **state)
{
    enum { BYTES_MAX = 2000 };
    const struct pseudo_options options = {.rows = ROWS, .cols = COLS};
    (void)state;
    begin(&options);
    pseudo_send(&p, "l");
    wait_for(&p, "Element (0, 1)");
    for (int i = 1; i < 8; i++) {
        char title[32];
        size_t from = p.raw_length;
        snprintf(title, sizeof title, "Element (%d, 1)", i);
        pseudo_send(&p, "j");
        wait_for(&p, title);
        assert_in_range(p.raw_length - from, 1, BYTES_MAX);
    }
    leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_terminal_that_takes_24_bits_gets_them, pseudo_teardown),
        cmocka_unit_test_teardown(no_color_is_none, pseudo_teardown),
        cmocka_unit_test_teardown(steps_leave_what_a_redraw_does, pseudo_teardown),
        cmocka_unit_test_teardown(wide_characters_come_back, pseudo_teardown),
        cmocka_unit_test_teardown(the_corner_is_shown, pseudo_teardown),
        cmocka_unit_test_teardown(keys_take_one_write, pseudo_teardown),
        cmocka_unit_test_teardown(steps_are_small, pseudo_teardown),
    };
    return cmocka_run_group_tests_name("paint", tests, make_files, remove_files);
}
