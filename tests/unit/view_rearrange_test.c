/*
 * A view that gets other options without being opened again is as one that is opened with them: its size, labels and
 * cells, of every document of the gallery, in every view, from each set of options to each other one. The colours of
 * cells are the same when only their spots are known.
 */

#include "golden.h"

#include "laneway/document.h"
#include "view/view_parts.h"

#include <stdio.h>
#include <string.h>

static const struct lw_view_options sets[] = {
    {.detail = LW_DETAIL_FULL},
    {.detail = LW_DETAIL_SHORT, .color_by = "register"},
    {.detail = LW_DETAIL_NUMBER, .wrap = 8, .fold = 64},
    {.detail = LW_DETAIL_CHAR, .beside = true, .fold = 2},
    {.detail = LW_DETAIL_FULL, .cell = "{lane}", .fold = 64},
    {.detail = LW_DETAIL_SHORT, .access = LW_VIEW_STORE, .nested = true},
    {.detail = LW_DETAIL_FULL, .access = LW_VIEW_LOAD, .instruction = 1, .wavefront = 1},
    {.detail = LW_DETAIL_SHORT, .access = LW_VIEW_LOAD, .instruction = 1, .wavefront = 1},
};
enum { SETS = sizeof sets / sizeof *sets, LOOKED_AT = 3 };

static unsigned long compared, tints;

/* ---- The layouts of a document ---- */

struct joined {
    struct lw_document doc;
    struct lw_opened sides[LW_SIDES];
    bool has[LW_SIDES];
};

static void join(struct joined *joined, const char *name)
{
    struct lw_error err = {0};
    struct lw_subject *subjects[LW_SIDES] = {0};
    int count = 0;
    *joined = (struct joined){0};
    if (!lw_document_open(&joined->doc, name, NULL, &err))
        fail_msg("%s: %s", name, err.message);
    for (int i = 0; i < LW_SIDES; i++) {
        enum lw_side side = (enum lw_side)i;
        if (side != joined->doc.side && !lw_document_has(&joined->doc, side))
            continue;
        if (!lw_subject_open_side(&joined->sides[i], &joined->doc, side, LW_LANES_DEFAULT, &err))
            fail_msg("%s: %s", name, err.message);
        joined->has[i] = true;
        subjects[i] = &joined->sides[i].subject;
        count++;
    }
    if (count > 1)
        assert_true(lw_subject_join(subjects, &err));
}

static void leave(struct joined *joined)
{
    for (int i = 0; i < LW_SIDES; i++)
        if (joined->has[i])
            lw_subject_separate(&joined->sides[i].subject);
    for (int i = 0; i < LW_SIDES; i++)
        if (joined->has[i])
            lw_subject_close(&joined->sides[i]);
    lw_document_free(&joined->doc);
}

/* ---- What a view shows ---- */

/* The first rows and columns, and the last ones. */
static uint64_t line(uint64_t size, int i)
{
    uint64_t at = (uint64_t)i;
    return i < LOOKED_AT ? at : size - 1 - (at - LOOKED_AT) % size;
}

/* The class of a cell is the same from its spot alone. */
static void check_tint(const struct lw_view *view, uint64_t row, uint64_t col,
                       const struct lw_cell *cell)
{
    struct lw_spot spot;
    struct lw_cell tinted;
    if (!view->type->tint || !view->type->spot(view, row, col, &spot))
        return;
    view->type->tint(view, &spot, &tinted);
    if (tinted.ink != cell->ink || tinted.shade != cell->shade)
        fail_msg("%s, (%llu, %llu): class %d %llu, from the spot %d %llu", view->type->name,
                 (unsigned long long)row, (unsigned long long)col, (int)cell->ink,
                 (unsigned long long)cell->shade, (int)tinted.ink,
                 (unsigned long long)tinted.shade);
    tints++;
}

static void write_view(struct lw_text *text, const struct lw_view *view)
{
    const struct lw_view_type *type = view->type;
    struct lw_cell cell;
    const uint64_t numbers[] = {
        view->rows,      view->cols,      view->page_rows, view->seam_rows,    view->seam_cols,
        view->tile_rows, view->tile_cols, view->shades,    view->options.wrap, type->width(view)};
    lw_text_clear(text);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        lw_text_format(text, "%llu ", (unsigned long long)numbers[i]);
    lw_text_format(text, "%s\n", view->color ? view->color : "");
    for (int r = 0; r < 2 * LOOKED_AT; r++)
        for (int c = 0; c < 2 * LOOKED_AT; c++) {
            uint64_t row = line(view->rows, r), col = line(view->cols, c);
            if (row >= view->rows || col >= view->cols)
                continue;
            if (type->row_label)
                type->row_label(view, row, text);
            lw_text_char(text, '|');
            if (type->col_label)
                type->col_label(view, col, text);
            lw_text_char(text, '|');
            type->cell(view, row, col, text, &cell);
            lw_text_format(text, " %d %llu\n", (int)cell.ink, (unsigned long long)cell.shade);
            check_tint(view, row, col, &cell);
        }
}

static void compare(const struct lw_view_type *type, const struct lw_subject *subject,
                    const struct lw_view_options *from, const struct lw_view_options *to,
                    const char *name)
{
    struct lw_view turned, opened;
    struct lw_text one = {0}, other = {0};
    if (!lw_view_open(&turned, type, subject, from, NULL))
        return;
    write_view(&one, &turned); /* what it keeps for later is then of the first options */
    if (lw_view_rearrange(&turned, to)) {
        write_view(&one, &turned);
        if (!lw_view_open(&opened, type, subject, to, NULL))
            fail_msg("%s: %s can be rearranged, and not opened", name, type->name);
        write_view(&other, &opened);
        if (strcmp(lw_text_string(&one), lw_text_string(&other)) != 0)
            fail_msg("%s: %s, rearranged:\n%sand opened:\n%s", name, type->name,
                     lw_text_string(&one), lw_text_string(&other));
        lw_view_close(&opened);
        compared++;
    }
    lw_view_close(&turned);
    lw_text_free(&one);
    lw_text_free(&other);
}

static void compare_all(const struct lw_subject *subject, const char *name)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t from = 0; from < SETS; from++)
            for (size_t to = 0; to < SETS; to++)
                if (from != to && lw_view_fits(types[i], subject))
                    compare(types[i], subject, &sets[from], &sets[to], name);
}

static void test_gallery(void **state)
{
    (void)state;
    size_t count;
    const struct lw_gallery_entry *entry = lw_gallery(&count);
    for (size_t i = 0; i < count; i += 3) {
        struct joined joined;
        join(&joined, entry[i].name);
        for (int side = 0; side < LW_SIDES; side++)
            if (joined.has[side])
                compare_all(&joined.sides[side].subject, entry[i].name);
        leave(&joined);
    }
    assert_true(compared > 1000);
    assert_true(tints > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gallery)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
