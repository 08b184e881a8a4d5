/* Kernels in the explorer: their lists, what Enter opens and Backspace closes, folders of them. The contents of
 * the lists are
 * compared with the text of the dump, read here line by line. */

#include "browse_parts.h"

#include "tui/kernel/browse.h"
#include "tui/drive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The line of a file, without its newline. */
static void read_line(const char *path, int number, char *line, size_t room)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int i = 0; i < number; i++)
        if (!fgets(line, (int)room, file))
            *line = '\0';
    fclose(file);
}

/* How many lines of a file have a word in them. */
static size_t count_lines(const char *path, const char *word)
{
    char line[4096];
    size_t count = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        count += strstr(line, word) != NULL;
    fclose(file);
    return count;
}

static void a_kernel_is_its_operations(void **state)
{
    struct drive d;
    char line[4096];
    size_t loads = 0;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    const struct lw_browser *browser = d.ex.browser;
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    for (size_t i = 0; i < browser->kernel.operation_count; i++) {
        const struct lw_operation *operation =
            &browser->kernel.operations[browser->tables[LW_BROWSE_OPERATIONS].rows[i]];
        read_line(MATMUL, operation->position.line, line, sizeof line);
        assert_non_null(strstr(line, operation->name));
        loads += !strcmp(operation->name, "ttg.local_load");
    }
    assert_true(loads > 0);
    assert_int_equal(loads, count_lines(MATMUL, "ttg.local_load"));
    drive_close(&d);
}

/* Of costs with trips, known loops or none, no row is dearer than the one above it. */
static void the_costliest_is_first(void **state)
{
    struct drive d;
    uint64_t last = UINT64_MAX;
    (void)state;
    drive_open(&d, TRANSPOSE);
    lw_job_finish(&d.ex);
    const struct lw_browser *browser = d.ex.browser;
    for (size_t i = 0; i < browser->kernel.operation_count; i++) {
        uint64_t now =
            browser->costs.costs[browser->tables[LW_BROWSE_OPERATIONS].rows[i]].wavefronts;
        assert_true(now <= last);
        last = now;
    }
    drive_close(&d);
}

/* Each column sorts by what it shows, both ways, what is unknown always last; the title and the head name it. */
static void columns_sort(const char *kernel, const char *title, bool has_unknown)
{
    struct drive d;
    int unknown = 0;
    drive_open(&d, kernel);
    lw_job_finish(&d.ex); /* else costs arrive later, or their progress covers the status line */
    drive_resize(&d, 200, 60);
    assert_shows(&d, title);
    for (int which = 0; which < LW_BROWSE_LISTS; which++) {
        const struct lw_browse_column *columns = lw_browse_columns(which);
        d.ex.browser->list = which;
        for (int reversed = 0; reversed < 2; reversed++)
            for (int c = 0; columns[c].head; c++) {
                struct lw_browse_table *table = &d.ex.browser->tables[which];
                lw_browse_sort_by(&d.ex, c);
                if (reversed != table->reversed)
                    drive_keys(&d, "r");
                assert_int_equal(table->count, lw_browse_items(d.ex.browser, which));
                for (size_t i = 1; columns[c].number && i < table->count; i++) {
                    struct lw_browse_number a = columns[c].number(d.ex.browser, table->rows[i - 1]);
                    struct lw_browse_number b = columns[c].number(d.ex.browser, table->rows[i]);
                    bool up = columns[c].ascending != (reversed == 1);
                    assert_true(a.known || !b.known);
                    unknown += !b.known && !strcmp(columns[c].head, "excess");
                    assert_true(!b.known || (up ? a.value <= b.value : a.value >= b.value));
                }
            }
    }
    assert_int_equal(unknown > 0, has_unknown);
    drive_keys(&d, "Tab Right");
    assert_shows(&d, " operations, by ");
    drive_close(&d);
}

static void every_column_sorts(void **state)
{
    (void)state;
    columns_sort(MATMUL, "11 operations, by cost: wavefronts x runs, then sectors ─", false);
    columns_sort("tests/golden/ttgir/attention.sm90.ttgir", "17 operations, by cost: ", true);
}

/* At 80 columns no kind of operation is cut. */
static void kinds_are_not_cut(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir/attention.sm90.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    drive_keys(&d, "G");
    assert_shows(&d, "operations, by cost: ");
    lw_browse_filter(&d.ex, "tensor-core");
    assert_shows(&d, " tensor-core ");
    drive_close(&d);
}

/* The most wavefronts of all runs are first, however deep the loops of others are. */
static void loops_do_not_hide_the_cost(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    size_t first = d.ex.browser->tables[LW_BROWSE_OPERATIONS].rows[0];
    assert_string_equal(d.ex.browser->kernel.operations[first].name, "ttg.convert_layout");
    drive_resize(&d, 80, 24);
    assert_shows(&d, "loops");
    drive_close(&d);
    drive_open(&d, "tests/golden/launches/layernorm.ttgir"); /* which has an excess */
    lw_job_finish(&d.ex);
    assert_shows(&d, "ideal excess sectors"); /* at 80 columns the ideal, not the share */
    assert_shows(&d, "50% of the kernel's excess");
    drive_resize(&d, 100, 24);
    assert_shows(&d, "ideal excess share sectors");
    assert_shows(&d, ", then sectors; share: of the kernel's excess ─");
    drive_close(&d);
}

/* A share is of the excess over the ideal of all runs, in shared memory or in global memory; all make 100 %. */
static void shares_are_of_the_excess(void **state)
{
    static const char *const kernels[] = {MATMUL, "tests/golden/launches/chunk_state.ttgir",
                                          "tests/golden/ttgir/matmul.gfx942.ttgir",
                                          "tests/golden/launches/layernorm.ttgir"};
    int found = 0;
    (void)state;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        struct drive d;
        drive_open(&d, kernels[k]);
        lw_job_finish(&d.ex);
        struct lw_browser *browser = d.ex.browser;
        const struct lw_kernel_costs *costs = &browser->costs;
        const struct lw_browse_column *column = lw_browse_columns(LW_BROWSE_OPERATIONS);
        while (strcmp(column->head, "share") != 0)
            column++;
        const uint64_t all[2] = {costs->run_sectors - costs->run_ideal_sectors,
                                 costs->run_wavefronts - costs->run_ideal};
        uint64_t sums[2] = {0, 0};
        for (size_t i = 0; i < browser->kernel.operation_count; i++) {
            const struct lw_kernel_cost *cost = &costs->costs[i];
            bool shared = cost->known & LW_COST_SHARED;
            uint64_t excess =
                shared ? cost->wavefronts - cost->ideal : cost->sectors - cost->ideal_sectors;
            if (!cost->known)
                continue;
            struct lw_browse_number share = column->number(browser, i);
            assert_int_equal(share.known, all[shared] != 0);
            if (!share.known)
                continue;
            double exact = 1000.0 * (double)(excess * cost->trips) / (double)all[shared];
            assert_true((double)share.value - exact <= 0.5 && exact - (double)share.value <= 0.5);
            sums[shared] += excess * cost->trips;
            found += excess > 0;
        }
        assert_int_equal(sums[0], all[0]);
        assert_int_equal(sums[1], all[1]);
        drive_close(&d);
    }
    assert_true(found > 0);
}

/* At 80x24 the list with the focus has most of the rows, and no row of the chosen one in full is empty for long. */
static void the_active_list_has_the_rows(void **state)
{
    struct drive d;
    struct lw_browse_rects rects;
    (void)state;
    drive_open(&d, "tests/golden/launches/attention.ttgir");
    lw_job_finish(&d.ex);
    drive_resize(&d, 80, 24);
    drive_draw(&d);
    lw_browse_rects(&d.ex, &rects);
    assert_true(rects.list[LW_BROWSE_OPERATIONS].height - 3 >= 9); /* operations that are shown */
    assert_int_equal(rects.detail.height, 5);
    drive_keys(&d, "Tab");
    drive_draw(&d);
    lw_browse_rects(&d.ex, &rects);
    assert_true(rects.list[LW_BROWSE_LAYOUTS].height > rects.list[LW_BROWSE_OPERATIONS].height);
    assert_true(rects.list[LW_BROWSE_OPERATIONS].height >= 4);
    assert_shows(&d, "1-1 of 14");
    drive_resize(&d, 120, 60); /* there is room for all */
    assert_hides(&d, " of 14 ");
    assert_hides(&d, " of 18 ");
    drive_close(&d);
}

static void lists_filter_while_typing(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_keys(&d, "/");
    drive_type(&d, "LOCAL_L");
    assert_shows(&d, "2 of 11 operations with 'LOCAL_L'");
    drive_keys(&d, "Esc");
    assert_shows(&d, "11 operations, by");
    assert_hides(&d, "with '");
    drive_keys(&d, "/");
    drive_type(&d, "local_l");
    drive_keys(&d, "Enter Down Down Down");
    assert_int_equal(d.ex.browser->tables[LW_BROWSE_OPERATIONS].at, 1);
    size_t item = lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS);
    drive_keys(&d, "Esc"); /* the chosen one stays chosen */
    assert_int_equal(lw_browse_chosen(d.ex.browser, LW_BROWSE_OPERATIONS), item);
    drive_keys(&d, "/");
    drive_type(&d, "nothing has this");
    drive_keys(&d, "Enter Enter Down Up");
    assert_shows(&d, "0 of 11 operations");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_close(&d);
}

/* Several kernels of the command line are a list, which Backspace comes back to. */
static void named_kernels_are_a_list(void **state)
{
    static const char *const sources[] = {TRANSPOSE, MATMUL};
    const char *const wrong[] = {TRANSPOSE, "start/16x16"};
    struct lw_tui_options options = {.sources = sources, .count = 2};
    struct lw_error err = {0};
    struct drive d = {0};
    (void)state;
    assert_true(lw_explorer_init(&d.ex, &options, &err));
    drive_resize(&d, 120, 40);
    lw_job_finish(&d.ex);
    assert_shows(&d, "the kernels of the command line");
    assert_shows(&d, "2 kernels, by cost: wavefronts, then sectors");
    drive_keys(&d, "Enter");
    assert_true(d.ex.browser->has_kernel);
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_FOLDER);
    drive_close(&d);
    options.sources = wrong;
    assert_false(lw_explorer_init(&d.ex, &options, &err));
    assert_non_null(strstr(err.message, "'start/16x16' is not the dump of a kernel, but all"));
}

/* A folder has the costs of its kernels: what each of them shows when it is opened. */
static void a_folder_has_costs(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, FOLDER);
    if (d.ex.job.step) /* else they were counted before the first picture */
        assert_shows(&d, "by name; costs are being counted");
    lw_job_finish(&d.ex);
    assert_shows(&d, "by cost: wavefronts, then sectors");
    const struct lw_browser *browser = d.ex.browser;
    bool trips_known = true;
    for (size_t i = 0; i < browser->folder.count; i++) {
        struct lw_kernel kernel;
        struct lw_kernel_costs costs;
        assert_true(browser->folder_costs[i].done && browser->folder_costs[i].read);
        assert_true(lw_kernel_open(&kernel, browser->folder.files[i].path, NULL, NULL));
        assert_true(lw_kernel_costs_make(&costs, &kernel, NULL, NULL));
        assert_int_equal(browser->folder_costs[i].wavefronts, costs.run_wavefronts);
        assert_int_equal(browser->folder_costs[i].sectors, costs.run_sectors);
        trips_known = trips_known && costs.trips_known;
        lw_kernel_costs_free(&costs);
        lw_kernel_free(&kernel);
    }
    assert_false(trips_known);
    assert_shows(&d, "; loops once");
    size_t first = lw_browse_chosen(browser, LW_BROWSE_FILES);
    for (size_t i = 0; i < browser->folder.count; i++)
        assert_true(browser->folder_costs[i].wavefronts <= browser->folder_costs[first].wavefronts);
    drive_keys(&d, "Enter Esc"); /* the costs stay */
    assert_shows(&d, "by cost: wavefronts, then sectors");
    drive_close(&d);
}

static void it_fits_every_screen(void **state)
{
    static const char *const words[] = {"operations, by cost: wavefronts x runs",
                                        "layouts, in file order",
                                        "local_load",
                                        "#mma",
                                        "matmul.sm80.ttgir",
                                        "cuda:80"};
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        drive_resize(&d, sizes[s][0], sizes[s][1]);
        drive_keys(&d, "G g");
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            if (s || strcmp(words[w], "#mma") != 0)
                assert_shows(&d, words[w]);
    }
    for (int height = 1; height < 40; height++)
        for (int width = 1; width < 130; width += 5) {
            drive_resize(&d, width, height);
            drive_draw(&d);
            drive_click(&d, height / 2, width / 2);
            d.ex.focus = LW_FOCUS_KERNEL;
        }
    drive_close(&d);
}

/* Where half of the width has no room for the banks and their sums, they are below the other view. */
static void banks_keep_their_sums(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct drive d;
        struct lw_panes panes;
        drive_open(&d, "tests/golden/ttgir/attention.sm90.ttgir");
        lw_job_finish(&d.ex);
        drive_fit(&d);
        drive_resize(&d, sizes[i][0], sizes[i][1]);
        assert_shows(&d, "r reverse");
        assert_shows(&d, "; 16 KiB");
        assert_shows(&d, "moved");
        drive_keys(&d, "Enter");
        assert_int_equal(d.ex.panes.count, 2);
        assert_shows(&d, "wf ideal confl");
        lw_panes(&d.ex, &panes);
        assert_true(panes.view[0].height > 0 && panes.view[1].height > 0);
        assert_int_equal(panes.view[0].row == panes.view[1].row, sizes[i][0] == 200);
        drive_close(&d);
    }
}

/* 64 banks and their sums are wider than 80 columns: the sums stay, whatever bank the cursor is on. */
static void sums_stay_beside_64_banks(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/ttgir/outer3.gfx950.ttgir");
    lw_job_finish(&d.ex);
    drive_fit(&d);
    drive_keys(&d, "Enter w");
    assert_string_equal(d.ex.panes.active->view.type->name, "banks");
    for (int bank = 0; bank < 64; bank++) {
        struct lw_grid grid;
        assert_shows(&d, "wf ideal confl");
        assert_shows(&d, "16     4     8"); /* of the store */
        assert_hides(&d, " 4 wf");          /* a number that is cut */
        lw_grid(&d.ex, d.ex.panes.active, &grid);
        assert_int_equal(d.ex.panes.active->col, bank);
        assert_in_range(bank, d.ex.panes.active->left,
                        d.ex.panes.active->left + (uint64_t)grid.cols - 1);
        drive_keys(&d, "Right");
    }
    drive_keys(&d, "0");
    const struct lw_glyph *sum = drive_tile(&d, "16     4     8");
    struct lw_panes panes;
    lw_panes(&d.ex, &panes);
    int col = (int)(sum - d.surface.tiles) % d.surface.width;
    drive_click(&d, panes.view[1].row + 2, col);
    assert_int_equal(d.ex.panes.active->col, 64); /* wavefronts */
    drive_resize(&d, 160, 50);
    assert_shows(&d,
                 "16 wavefronts, ideal 4, 8 conflicts; 1 for each of 8 groups of lanes, and the "
                 "conflicts; ");
    drive_close(&d);
}

static void enter_shows_both_layouts(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, MATMUL);
    lw_job_finish(&d.ex);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "/");
    drive_type(&d, "local_load");
    drive_keys(&d, "Enter");
    size_t row = d.ex.browser->tables[LW_BROWSE_OPERATIONS].at;
    drive_keys(&d, "Enter");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    assert_int_equal(d.ex.panes.count, 2);
    assert_true(d.ex.layouts.has_opened && lw_layouts_are_several(&d.ex.layouts));
    assert_true(d.ex.panes.all[0].has_view && d.ex.panes.all[1].has_view);
    /* The loads, beside the memory that they read. */
    assert_string_equal(d.ex.panes.all[0].view.type->name, "banks");
    assert_int_equal(d.ex.panes.play.access, LW_VIEW_LOAD);
    assert_shows(&d, "Memory: shared S");
    assert_hides(&d, "store");
    drive_keys(&d, "a"); /* it has no stores */
    assert_int_equal(d.ex.panes.play.access, LW_VIEW_LOAD);
    drive_keys(&d, "Right Down Down");
    assert_true(d.ex.panes.all[0].linked || d.ex.panes.all[1].linked);
    drive_keys(&d, "5");
    assert_true(d.ex.panes.active->has_view);
    assert_shows(&d, "Banks");
    size_t entries = d.ex.list.count;
    drive_keys(&d, "Backspace");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    assert_int_equal(d.ex.browser->tables[LW_BROWSE_OPERATIONS].at, row);
    drive_keys(&d, "Enter"); /* the same one again is not a second entry */
    assert_int_equal(d.ex.list.count, entries);
    drive_keys(&d, "q");
    assert_int_equal(d.ex.focus, LW_FOCUS_KERNEL);
    drive_keys(&d, "q q"); /* the filter, then the explorer */
    assert_true(d.ex.quit);
    drive_close(&d);
}

/* A column that is not on the screen is named on the border, with the width that has all of them. */
static void hidden_columns_are_named(void **state)
{
    static const int widths[] = {80, 104, 120, 160};
    struct drive d;
    (void)state;
    drive_open(&d, "tests/golden/launches/layernorm.ttgir");
    lw_job_finish(&d.ex);
    const struct lw_browse_column *columns = lw_browse_columns(LW_BROWSE_OPERATIONS);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        drive_resize(&d, widths[i], 24);
        for (int c = 0; columns[c].head; c++)
            if (!columns[c].source || (columns[c].source > 0) == d.ex.browser->has_source)
                assert_shows(&d, columns[c].head);
    }
    drive_resize(&d, 80, 24);
    assert_shows(&d, "hidden below 112: share, ");
    drive_resize(&d, 200, 24);
    assert_hides(&d, "hidden below");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_is_its_operations),   cmocka_unit_test(the_costliest_is_first),
        cmocka_unit_test(every_column_sorts),           cmocka_unit_test(kinds_are_not_cut),
        cmocka_unit_test(loops_do_not_hide_the_cost),   cmocka_unit_test(shares_are_of_the_excess),
        cmocka_unit_test(the_active_list_has_the_rows), cmocka_unit_test(lists_filter_while_typing),
        cmocka_unit_test(named_kernels_are_a_list),     cmocka_unit_test(a_folder_has_costs),
        cmocka_unit_test(it_fits_every_screen),         cmocka_unit_test(banks_keep_their_sums),
        cmocka_unit_test(sums_stay_beside_64_banks),    cmocka_unit_test(enter_shows_both_layouts),
        cmocka_unit_test(hidden_columns_are_named),
    };
    return cmocka_run_group_tests(tests, drive_make_folder, drive_remove_folder);
}
