/* Rows of text, as a view whose rows have the first cell as their label. Invariant: the first `cell_count` cells are
 * set, row after row. */

#include "cli/report/report_table.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

void lw_report_table_cell(struct lw_report_table *table, const char *text)
{
    if (table->cell_count == table->room) {
        size_t room = table->room ? 2 * table->room : 256;
        char **cells = realloc(table->cells, room * sizeof *cells);
        table->failed = table->failed || !cells;
        if (!cells)
            return;
        table->cells = cells;
        table->room = room;
    }
    char *copy = strdup(text);
    table->failed = table->failed || !copy;
    table->cells[table->cell_count++] = copy;
}

void lw_report_table_free(struct lw_report_table *table)
{
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    memset(table, 0, sizeof *table);
}

/* ---- The view ---- */

struct state {
    struct lw_view_state shared;
    const struct lw_report_table *table;
};

static const struct lw_report_table *table_of(const struct lw_view *view)
{
    return ((const struct state *)view->state)->table;
}

static void put_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                     struct lw_cell *cell)
{
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    lw_text_add(text, table_of(view)->cells[row * table_of(view)->cols + col + 1]);
}

static void put_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    lw_text_add(text, table_of(view)->cells[row * table_of(view)->cols]);
}

static void put_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    lw_text_add(text, table_of(view)->heads[col + 1]);
}

bool lw_report_table_write(const struct lw_report_table *table, const struct lw_format *format,
                           const char *style, size_t fit, FILE *out, struct lw_error *err)
{
    static const struct lw_subject no_subject; /* a report has none */
    const struct lw_view_type type = {.name = "report",
                                      .title = "Report",
                                      .corner = table->heads[0],
                                      .help = "rows of a report",
                                      .cell = put_cell,
                                      .row_label = put_row_label,
                                      .col_label = put_col_label,
                                      .width = lw_widest_cell};
    const struct lw_style *found = lw_style_find(style ? style : "simple");
    struct state state = {.table = table};
    const uint64_t rows = table->cell_count / table->cols;
    const struct lw_view view = {.type = &type,
                                 .subject = &no_subject,
                                 .rows = rows,
                                 .cols = table->cols - 1,
                                 .page_rows = rows,
                                 .state = &state.shared};
    const struct lw_export_options options = {.style = style ? style : "simple",
                                              .labels = true,
                                              .bare_labels = true,
                                              .all = true,
                                              .tight = true,
                                              .fit = fit};
    if (table->failed)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (!found || !found->ruling)
        return lw_error_set(err, LW_ERROR_NAME, "--style %.60s: this is not a table style", style);
    return lw_export(&view, format, &options, out, err);
}
