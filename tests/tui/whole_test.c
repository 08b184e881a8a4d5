/* Large tensors seen as a whole: cells that each hold all threads show what differs between them, and say what they
 * are; so do cells of a layout with only one thread. */

#include "fit_parts.h"
#include "view/palette.h"

#define LARGE(ORDER)                                                                               \
    "tensor<4096x4096xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "        \
    "warpsPerCTA = [4, 1], order = [" ORDER "]}>>"

/* The pen of the upper half at a cell, from the top left, in the colour that it has without the cursor. */
static struct lw_pen pen_of(struct drive *d, int row, int col)
{
    struct lw_grid grid;
    lw_grid(&d->ex, d->ex.panes.active, &grid);
    int at = grid.inside.row + 1 + row / grid.each;
    return d->surface
        .tiles[at * d->surface.width + grid.inside.col + grid.label + lw_grid_col(&grid, col)]
        .pen;
}

/* Registers follow each other along the rows or the columns of tiles: bands of colours across or down. */
static void registers_differ_between_cells(void **state)
{
    static const int sizes[][2] = {{80, 24}, {120, 40}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct drive d;
        bool down = i % 2;
        drive_open_at(&d, down ? LARGE("0, 1") : LARGE("1, 0"), sizes[i / 2][0], sizes[i / 2][1]);
        const struct lw_view_pane *pane = d.ex.panes.active;
        assert_string_equal(pane->view.color, "register");
        assert_shows(&d, "register/8192 ");
        assert_shows(&d, "of all 128 threads: + zooms in");
        assert_shows(&d, "the threads repeat every 16x64 elements");
        const int cells = (int)(down ? lw_grid_cells(pane->view.cols, pane->step_cols)
                                     : lw_grid_cells(pane->view.rows, pane->step_rows));
        for (int at = 2; at < cells; at += 2)
            assert_int_equal(pen_of(&d, down ? 2 : at, down ? at : 2).shade,
                             lw_palette_ink((uint64_t)(at / (cells / 16))));
        drive_close(&d);
    }
}

/* The layout's own colours stay where they differ between the cells, and those that were chosen. */
static void other_colours_stay(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, LARGE("1, 0"), 80, 24);
    drive_keys(&d, "c");
    assert_string_not_equal(d.ex.panes.active->view.color, "register");
    assert_shows(&d, "each cell holds 256x64 elements, of all 128 threads");
    drive_keys(&d, "+ - C");
    assert_string_equal(d.ex.panes.active->view.color, "register");
    assert_shows(&d, "colours: register ");
    drive_close(&d);
    drive_open_at(&d, "blocked/gluon-128x128", 80, 24);
    assert_string_equal(d.ex.panes.active->view.color, "warp");
    assert_hides(&d, "each cell holds");
    drive_close(&d);
    drive_open_at(&d, "spatial(8, 4).local(128, 128)", 80, 24);
    assert_string_equal(d.ex.panes.active->view.color, "thread");
    drive_close(&d);
}

/* Letters of bands are those of all registers of a cell, not of its first. */
static void letters_of_bands_are_of_all(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d,
               "tensor<1024x1024xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, "
               "8], warpsPerCTA = [8, 2], order = [1, 0]}>>");
    d.ex.screen.plain = true;
    drive_resize(&d, 160, 50);
    drive_fit(&d);
    while (strcmp(d.ex.panes.active->view.color, "register") != 0)
        drive_keys(&d, "c");
    assert_shows(&d, " a cell is 32x16, with 8 registers ");
    assert_shows(&d, "register/128: a-f = 10-15 ");
    assert_hides(&d, "the first is shown");
    drive_close(&d);
}

/* Where all warps are in each cell but not all lanes, the lanes. */
static void lanes_differ_between_cells(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(
        &d,
        "tensor<512x512xf16, #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], "
        "warpsPerCTA = [4, 1], order = [1, 0]}>>",
        80, 24);
    assert_string_equal(d.ex.panes.active->view.color, "lane");
    assert_hides(&d, "each cell holds");
    drive_close(&d);
}

/* An only thread has one colour: its registers have several, at every zoom, and letters that are theirs. */
static void an_only_thread_shows_its_registers(void **state)
{
    struct drive d;
    (void)state;
    drive_open_at(&d, "local(128, 128)", 80, 24);
    assert_shows(&d, "local/1024    0  1  2");
    assert_shows(&d, "each cell holds 8x2 elements, of the only thread: + zooms in");
    drive_zoom(&d, LW_ZOOM_CHAR);
    assert_shows(&d, " 1 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO");
    assert_shows(&d, "0 again = 64");
    drive_close(&d);
    drive_open_at(&d, "local(120, 120)", 80, 24);
    assert_shows(&d, "local/1024    0  1  2");
    drive_close(&d);
    drive_open_at(&d, "local(65536)", 80, 24);
    assert_shows(&d, "each cell holds 64 elements, of the only thread: + zooms in");
    assert_hides(&d, "threads repeat");
    drive_close(&d);
    drive_open_at(&d, "local(16, 16)", 80, 24);
    assert_shows(&d, "colours: local ");
    drive_close(&d);
}

/* A cell of a wrapped tensor has consecutive elements. */
static void cells_of_one_dim_are_consecutive(void **state)
{
    struct drive d;
    struct lw_spot spot;
    (void)state;
    drive_open_at(&d, "local(65536)", 80, 24);
    drive_command(
        &d, "find 40000"); /* and the cursor stays at its element, however the tensor is wrapped */
    static const char *const keys[] = {"Z", "-", "-", "Z", "+", "+", "+", "+", "+", "-", "Z"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        drive_keys(&d, keys[i]);
        assert_shows(&d, " Element (40000) ");
        drive_resize(&d, i % 2 ? 80 : 120, i % 2 ? 24 : 40);
        assert_shows(&d, " Element (40000) ");
    }
    drive_close(&d);
    drive_open_at(&d, "local(65536)", 80, 24);
    const struct lw_view_pane *pane = d.ex.panes.active;
    assert_int_equal(pane->step_rows, 1);
    assert_int_equal(pane->step_cols, 64);
    for (uint64_t cell = 0, first = 0; first < 65536; cell++)
        for (uint64_t i = 0; i < pane->step_cols; i++, first++) {
            uint64_t row = cell * 64 / pane->view.cols, col = cell * 64 % pane->view.cols;
            assert_true(pane->view.type->spot(&pane->view, row, col + i, &spot));
            assert_int_equal(spot.out[0], first);
        }
    drive_close(&d);
}

/* The thread of an element. */
static uint64_t thread_of(const struct lw_view *view, const uint64_t *element)
{
    uint64_t in[LW_DIMS_MAX], thread;
    assert_true(lw_map_owner(&view->subject->map, element, 0, in));
    assert_true(lw_subject_field(view->subject, "thread", in, element, &thread));
    return thread;
}

/* After how many elements along a dim all threads are as before, tried one by one. */
static uint64_t repeat_along(const struct lw_view *view, int dim)
{
    const struct lw_dims *dims = &view->subject->map.out;
    const uint64_t size = dims->dim[dim].size;
    uint64_t period = 1, element[LW_DIMS_MAX] = {0};
    for (bool same = false; !same && period < size; period += !same) {
        same = true;
        for (uint64_t i = 0; same && i + period < size; i++) {
            element[dim] = i;
            uint64_t thread = thread_of(view, element);
            element[dim] = i + period;
            same = thread == thread_of(view, element);
        }
    }
    return period;
}

/* The elements after which threads repeat are those of each dim, also where several dims are down or across. */
static void threads_repeat_along_each_dim(void **state)
{
    static const struct {
        const char *source, *line;
        uint64_t periods[3];
    } cases[] = {
        {"tensor<512x8x4096xf16, #ttg.blocked<{sizePerThread = [1, 1, 8], threadsPerWarp = [2, 2, "
         "8], warpsPerCTA = [2, 2, 1], order = [2, 1, 0]}>>",
         "the threads repeat every 4x4x64 elements",
         {4, 4, 64}},
        {"tensor<1048576xf16, #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], "
         "warpsPerCTA = [2], order = [0]}>>",
         "the threads repeat every 512 elements",
         {512}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open_at(&d, cases[i].source, 80, 40);
        assert_shows(&d, cases[i].line);
        const struct lw_view *view = &d.ex.panes.active->view;
        for (int dim = 0; dim < view->subject->map.out.count; dim++)
            assert_int_equal(repeat_along(view, dim), cases[i].periods[dim]);
        drive_close(&d);
    }
}

/* The number of threads that hold an element of the cell at a row and column. */
static uint64_t count_threads(const struct lw_view_pane *pane, uint64_t row, uint64_t col)
{
    const struct lw_view *view = &pane->view;
    bool has[256] = {false};
    uint64_t count = 0;
    for (uint64_t r = row; r < row + pane->step_rows && r < view->rows; r++)
        for (uint64_t c = col; c < col + pane->step_cols && c < view->cols; c++) {
            struct lw_spot spot;
            uint64_t in[LW_DIMS_MAX], thread;
            assert_true(view->type->spot(view, r, c, &spot));
            for (uint64_t k = 0; lw_map_owner(&view->subject->map, spot.out, k, in); k++) {
                assert_true(lw_subject_field(view->subject, "thread", in, spot.out, &thread));
                assert_true(thread < sizeof has);
                count += !has[thread];
                has[thread] = true;
            }
        }
    return count;
}

/* The threads of a cell as counted one by one, also where several of them hold an element. */
static void all_owners_of_a_cell_are_counted(void **state)
{
    static const struct {
        const char *source, *lines[3];
        uint64_t threads;
    } cases[] = {
        {"tensor<1024x1024xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 1, "
         "1], threadsPerWarp = [2, 4, 4], warpsPerCTA = [1, 2, 2], order = [2, 1, 0]}>}>>",
         {"of all 128 threads: + zooms in", "every 8x8 elements", "thread 0 is in every cell"},
         128},
        {"tensor<512x512xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], "
         "warpsPerCTA = [2, 2], order = [1, 0]}>>",
         {"of all 128 threads: + zooms in", "every 16x8 elements", "thread 0 is in every cell"},
         128},
        {"tensor<512x512xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], "
         "warpsPerCTA = [4, 1], order = [1, 0]}>>",
         {"of half of the 128 threads", "every 8x16 elements", "thread 0 is in every second cell"},
         64},
        {"reduce(spatial(2, 4, 8), dims=[0], keepdims=False).local(64, 64)",
         {"thread ", "thread ", "thread "},
         2},
        {"local(64, 64) * reduce(spatial(2, 4, 8), dims=[0], keepdims=False)",
         {"of all 64 threads: + zooms in", "every 4x8 elements", "thread 0 is in every cell"},
         64},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct drive d;
        drive_open_at(&d, cases[i].source, 120, 40);
        const struct lw_view_pane *pane = d.ex.panes.active;
        for (int line = 0; line < 3; line++)
            assert_shows(&d, cases[i].lines[line]);
        for (uint64_t r = 0; r < pane->view.rows; r += 3 * pane->step_rows)
            for (uint64_t c = 0; c < pane->view.cols; c += 5 * pane->step_cols)
                assert_int_equal(count_threads(pane, r, c), cases[i].threads);
        drive_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_differ_between_cells),
        cmocka_unit_test(other_colours_stay),
        cmocka_unit_test(letters_of_bands_are_of_all),
        cmocka_unit_test(lanes_differ_between_cells),
        cmocka_unit_test(an_only_thread_shows_its_registers),
        cmocka_unit_test(cells_of_one_dim_are_consecutive),
        cmocka_unit_test(all_owners_of_a_cell_are_counted),
        cmocka_unit_test(threads_repeat_along_each_dim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
