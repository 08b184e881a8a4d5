/* Tables and lines of text: every one of the gallery and of kernels, at three sizes, is in its pane, has its
 * heads and a row
 * for each that fits, and its last row is reached. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/kernel/browse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const int sizes[][2] = {{80, 24}, {120, 40}, {200, 60}};

/* Whether the label of a row stands at the left end of the pane, with at least a part of its text beside it. */
static bool shows_row(struct drive *d, const struct lw_grid *grid, uint64_t row)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_text label = {0};
    int line = grid->inside.row + 1 + (int)(row - pane->top), used = 0;
    if (pane->view.type->row_label)
        pane->view.type->row_label(&pane->view, row, &label);
    int width = (int)lw_text_width(lw_text_string(&label));
    const struct lw_glyph *tiles = &d->surface.tiles[line * d->surface.width];
    for (int i = 0; i < width && i < grid->label - 1; i++)
        used += tiles[grid->inside.col + grid->label - 2 - i].code != ' ';
    bool has_label = width == 0 || (width < grid->label && used > 0);
    lw_text_free(&label);
    if (grid->cols < (int)pane->view.cols) { /* the frame says which columns these are */
        lw_text_clear(&d->text);
        lw_surface_print(&d->text, &d->surface);
        return has_label && strstr(lw_text_string(&d->text), " columns ");
    }
    for (int i = grid->label; i < grid->inside.width; i++)
        if (tiles[grid->inside.col + i].code != ' ')
            return has_label;
    return false;
}

/* At its head and at its end: the rows that fit, each whole; the frame around them. */
static bool is_right(struct drive *d)
{
    const struct lw_view_pane *pane = d->ex.panes.active;
    struct lw_grid grid;
    bool right = true;
    for (int end = 0; end < 2; end++) {
        drive_keys(d, end ? "G" : "g");
        drive_draw(d);
        lw_grid(&d->ex, d->ex.panes.active, &grid);
        uint64_t rows = pane->view.rows - pane->top;
        rows = rows < (uint64_t)grid.rows ? rows : (uint64_t)grid.rows;
        right = right && rows > 0 && pane->row == (end ? pane->view.rows - 1 : 0);
        for (uint64_t row = pane->top; row < pane->top + rows; row++)
            right = right && shows_row(d, &grid, row);
        for (int i = 0; i < grid.inside.height; i++)
            right = right &&
                    d->surface.tiles[(grid.inside.row + i) * d->surface.width + grid.inside.col - 1]
                            .code == 0x2502;
        drive_check_tiles(&d->surface);
    }
    return right;
}

static void the_gallery_reads(void **state)
{
    size_t views, seen = 0, bad = 0;
    const struct lw_view_type *const *types = lw_view_types(&views);
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        struct drive d;
        drive_open(&d, NULL);
        drive_resize(&d, sizes[s][0], sizes[s][1]);
        for (size_t e = 0; e < d.ex.list.count; e++) {
            d.ex.focus = LW_FOCUS_VIEW;
            lw_explorer_show(&d.ex, e);
            for (size_t v = 0; d.ex.layouts.has_opened && v < views; v++) {
                if (!lw_pane_can_show(&d.ex, d.ex.panes.active, v) || !types[v]->prose)
                    continue;
                lw_explorer_set_view(&d.ex, v);
                drive_fit(&d);
                seen++;
                if (d.ex.panes.active->has_view && !is_right(&d)) {
                    printf("%s, %s at %dx%d\n", lw_entry_name(lw_explorer_entry(&d.ex)),
                           types[v]->name, sizes[s][0], sizes[s][1]);
                    bad++;
                }
            }
        }
        drive_close(&d);
    }
    assert_true(seen > 300);
    assert_int_equal(bad, 0);
}

/* The kinds, costs and names of each operation at 80 columns: none of the numbers is cut. */
static void kernels_read(void **state)
{
    static const char *const kernels[] = {
        "tests/golden/ttgir/attention.sm90.ttgir", "tests/golden/ttgir/matmul.gfx942.ttgir",
        "tests/golden/ttgir/matmul.sm100.ttgir", "tests/golden/ttgir/softmax.sm80.ttgir"};
    (void)state;
    for (size_t i = 0; i < 3 * sizeof kernels / sizeof *kernels; i++) {
        struct drive d;
        drive_open(&d, kernels[i / 3]);
        lw_job_finish(&d.ex);
        drive_resize(&d, sizes[i % 3][0], sizes[i % 3][1]);
        const struct lw_browse_column *columns = lw_browse_columns(LW_BROWSE_OPERATIONS);
        for (size_t row = 0; row < lw_browse_items(d.ex.browser, LW_BROWSE_OPERATIONS); row++) {
            for (int c = 0; columns[c].head && columns[c].width && c < 8; c++) {
                lw_text_clear(&d.text);
                lw_browse_put(d.ex.browser, &columns[c], row, &d.text);
                assert_true((int)lw_text_width(lw_text_string(&d.text)) <= columns[c].width);
            }
            drive_draw(&d);
            drive_check_tiles(&d.surface);
            drive_keys(&d, "Down");
        }
        assert_shows(&d, "by cost: ");
        for (int c = 0; c < 8; c++)
            if (strcmp(columns[c].head, "share") != 0) /* left out where no operation has any */
                assert_shows(&d, columns[c].head);
        drive_close(&d);
    }
}

/* Beside the gallery a notation is not cut where the screen has room for it. */
static void notations_have_the_room(void **state)
{
    struct drive d;
    (void)state;
    drive_open(&d, NULL);
    drive_resize(&d, 120, 40);
    drive_keys(&d, "Down Enter 9");
    assert_int_equal(d.ex.focus, LW_FOCUS_VIEW);
    const struct lw_view_pane *pane = d.ex.panes.active;
    size_t shown = 0;
    for (uint64_t r = 0; r < pane->view.rows; r++) {
        struct lw_text text = {0};
        struct lw_cell cell;
        pane->view.type->cell(&pane->view, r, 0, &text, &cell);
        if (lw_text_width(lw_text_string(&text)) < 108) {
            assert_shows(&d, lw_text_string(&text));
            shown++;
        }
        lw_text_free(&text);
    }
    assert_true(shown > 2);
    drive_keys(&d, "1"); /* and the list is back */
    assert_shows(&d, "Layouts");
    drive_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gallery_reads),
        cmocka_unit_test(kernels_read),
        cmocka_unit_test(notations_have_the_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
