#ifndef LANEWAY_TESTS_TWO_PARTS_H
#define LANEWAY_TESTS_TWO_PARTS_H

/* What split_test.c and compare_cells_test.c share. */

#include "tui/drive.h"
#include "tui/explore/explorer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Two sources on the command line. */
static inline void open_two(struct drive *d, const char *a, const char *b)
{
    struct lw_error err = {0};
    memset(d, 0, sizeof *d);
    d->options.count = 2;
    d->sources[0] = a;
    d->sources[1] = b;
    d->options.sources = d->sources;
    if (!lw_explorer_init(&d->ex, &d->options, &err))
        fail_msg("%s", err.message);
    drive_resize(d, 120, 40);
}

/* How many cells of a pane have the mark of what differs, or is equal, beside their text, or a line under it. */
static inline int marked(struct drive *d, int pane)
{
    struct lw_panes panes;
    struct lw_grid grid;
    int count = 0, lines = 0;
    drive_draw(d);
    lw_panes(&d->ex, &panes);
    const struct lw_rect r = panes.view[pane];
    for (int row = r.row + 1; row < r.row + r.height - 1; row++)
        for (int col = r.col; col < r.col + r.width; col++) {
            const struct lw_glyph *tile = &d->surface.tiles[row * d->surface.width + col];
            count += tile->code == 0x2260 || tile->code == '=' || tile->code == '~';
            lines += tile->pen.line == LW_LINE_DIFFERS;
        }
    lw_grid(&d->ex, &d->ex.panes.all[pane], &grid);
    assert_int_equal(lines % grid.cell, 0);
    return count + lines / grid.cell;
}

#endif
