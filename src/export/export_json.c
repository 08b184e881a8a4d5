/* json: one object on one line, written as a stream, so that a large view needs no memory. `laneway help data` lists
 * the members; the version changes when a member changes its meaning or is removed. */

#include "export/cell_values.h"
#include "export/legend.h"
#include "export/output.h"
#include "view/conversion/view_conversion.h"

enum { VERSION = 1 };

/* The texts of cells and labels; they keep their memory from cell to cell. */
struct json {
    const struct lw_view *view;
    const struct lw_export_options *options;
    FILE *stream;
    struct lw_text text, quoted;
    struct lw_values values;
    struct lw_legend legend;
    uint8_t classes[LW_CLASS_COUNT]; /* those of the legend's entries, */
    int entries;                     /* of which there are so many */
};

static void put_string(struct json *j, const char *string)
{
    lw_text_clear(&j->quoted);
    lw_text_json_string(&j->quoted, string);
    lw_output_text(j->stream, &j->quoted);
}

static void put_member(struct json *j, const char *name, const char *string)
{
    fprintf(j->stream, ",\"%s\":", name);
    put_string(j, string);
}

/* Nothing for an empty list. */
static void put_list(struct json *j, const char *name, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(j->stream, i ? "," : ",\"%s\":[", name);
        put_string(j, strings[i]);
    }
    fputs(count ? "]" : "", j->stream);
}

static void put_number(struct json *j, uint64_t number)
{
    fprintf(j->stream, "%llu", (unsigned long long)number);
}

/* ---- Layouts ---- */

static void put_tensor(struct json *j, const struct lw_subject *subject)
{
    const struct lw_dims *out = &subject->map.out;
    fputs(",\"shape\":[", j->stream);
    for (int i = 0; i < out->count; i++) {
        fputs(i ? "," : "", j->stream);
        put_number(j, out->dim[i].size);
    }
    fputs("]", j->stream);
    if (*subject->tensor.element.name)
        put_member(j, "element", subject->tensor.element.name);
}

/* Writes each layout of a view of several: its notation and tensor; of a layout in memory only the size that is
 * drawn. */
static void put_layouts(struct json *j)
{
    const struct lw_view *view = j->view;
    struct lw_view_part part;
    for (int i = 0; view->type->part && view->type->part(view, i, &part); i++) {
        fputs(i ? ",{\"name\":" : ",\"layouts\":[{\"name\":", j->stream);
        put_string(j, part.name);
        if (part.memory)
            fprintf(j->stream, ",\"memory\":true,\"shape\":[%llu,%llu]",
                    (unsigned long long)part.rows, (unsigned long long)part.cols);
        if (part.subject && !part.memory) {
            put_member(j, "source", part.subject->head ? part.subject->head : "");
            put_tensor(j, part.subject);
        }
        fputc('}', j->stream);
    }
    fputs(view->type->part ? "]" : "", j->stream);
}

static void put_head(struct json *j)
{
    static const char *const keys[LW_SIDES] = {"store", "shared", "load"};
    const struct lw_subject *subject = j->view->subject;
    const char *title = lw_figure_title(j->view, j->options);
    fprintf(j->stream, "{\"version\":%d", VERSION);
    put_member(j, "view", j->view->type->name);
    if (*title)
        put_member(j, "title", title);
    if (subject->about && *subject->about && !j->options->no_about)
        put_member(j, "about", subject->about);
    if (j->options->caption)
        put_member(j, "caption", j->options->caption);
    put_member(j, "source", subject->head ? subject->head : "");
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_subject *other = lw_subject_at(subject, (enum lw_side)i);
        if (other && other->head && j->view->type->access)
            put_member(j, keys[i], other->head);
    }
    put_tensor(j, subject);
    put_member(j, "target", lw_subject_target(subject));
    put_layouts(j);
}

/* ---- Labels and cells ---- */

/* A label of a row or a column, unescaped: the format has escapes of its own. */
typedef void label_of(const struct lw_view *view, uint64_t i, struct lw_text *text);

static void put_labels(struct json *j, const char *name, label_of *label, uint64_t from,
                       uint64_t to)
{
    fprintf(j->stream, ",\"%s\":[", name);
    for (uint64_t i = from; i < to; i++) {
        lw_text_clear(&j->text);
        if (label)
            label(j->view, i, &j->text);
        fputs(i > from ? "," : "", j->stream);
        put_string(j, lw_text_string(&j->text));
    }
    fputc(']', j->stream);
}

/* Computes a cell, whose text is j->text. */
static struct lw_cell cell_of(struct json *j, uint64_t row, uint64_t col)
{
    struct lw_cell cell = {0};
    lw_text_clear(&j->text);
    j->view->type->cell(j->view, row, col, &j->text, &cell);
    return cell;
}

static void put_text(struct json *j, uint64_t row, uint64_t col)
{
    cell_of(j, row, col);
    put_string(j, lw_text_string(&j->text));
}

/* A list of owners, each a list of numbers in the order of `fields`. */
static void put_values(struct json *j, uint64_t row, uint64_t col)
{
    uint64_t count = lw_values_of(&j->values, row, col), number;
    fputc('[', j->stream);
    for (uint64_t k = 0; k < count; k++) {
        fputs(k ? ",[" : "[", j->stream);
        for (size_t i = 0; i < j->values.count; i++) {
            fputs(i ? "," : "", j->stream);
            if (lw_value_at(&j->values, k, i, &number))
                put_number(j, number);
            else
                fputs("null", j->stream);
        }
        fputc(']', j->stream);
    }
    fputc(']', j->stream);
}

/* Writes the number of the cell's entry in `colors`; null: it has none. */
static void put_color(struct json *j, uint64_t row, uint64_t col)
{
    struct lw_cell cell = cell_of(j, row, col);
    int i = 0;
    while (i < j->entries && j->classes[i] != lw_palette_class(&cell))
        i++;
    if (i < j->entries)
        put_number(j, (uint64_t)i);
    else
        fputs("null", j->stream);
}

static void put_grid(struct json *j, const char *name,
                     void (*put)(struct json *j, uint64_t row, uint64_t col))
{
    const struct lw_export_options *o = j->options;
    fprintf(j->stream, ",\"%s\":[", name);
    for (uint64_t row = o->row_from; row < o->row_to && !ferror(j->stream); row++) {
        fputs(row > o->row_from ? ",[" : "[", j->stream);
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            fputs(col > o->col_from ? "," : "", j->stream);
            put(j, row, col);
        }
        fputc(']', j->stream);
    }
    fputc(']', j->stream);
}

static void put_colors(struct json *j)
{
    const struct lw_palette *palette = lw_palette_find(lw_find_palette(j->options->palette)->light);
    const char *title = lw_legend_title(&j->legend, j->view);
    if (!j->entries)
        return;
    if (title)
        put_member(j, "color_by", title);
    if (lw_legend_assumes_element(j->view)) {
        lw_legend_heading(&j->legend, j->view, &j->text);
        put_member(j, "color_note", lw_text_string(&j->text));
    }
    fputs(",\"colors\":[", j->stream);
    for (int i = 0; i < j->entries; i++) {
        struct lw_tint tint = lw_palette_tint(palette, j->classes[i]);
        fprintf(j->stream, "%s{\"fill\":\"#%06x\",\"letters\":\"#%06x\",\"means\":", i ? "," : "",
                (unsigned)tint.fill, (unsigned)tint.letters);
        lw_legend_explanation(&j->legend, j->view, j->classes[i], &j->text);
        put_string(j, lw_text_string(&j->text));
        fputc('}', j->stream);
    }
    fputc(']', j->stream);
    put_grid(j, "color", put_color);
}

static bool write_json(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_export_options *o = options;
    struct json j = {.view = view, .options = options, .stream = stream};
    for (uint64_t row = o->row_from; row < o->row_to; row++)
        for (uint64_t col = o->col_from; col < o->col_to; col++) {
            struct lw_cell cell = cell_of(&j, row, col);
            lw_legend_add(&j.legend, &cell);
        }
    j.entries = lw_legend_entries(&j.legend, j.classes);
    lw_values_open(&j.values, view);
    put_head(&j);
    fprintf(stream, ",\"rows\":%llu,\"cols\":%llu", (unsigned long long)(o->row_to - o->row_from),
            (unsigned long long)(o->col_to - o->col_from));
    if (o->labels) {
        put_labels(&j, "row_labels", view->type->row_label, o->row_from, o->row_to);
        put_labels(&j, "col_labels", view->type->col_label, o->col_from, o->col_to);
    }
    put_grid(&j, "cells", put_text);
    put_list(&j, "fields", j.values.names, j.values.count);
    put_list(&j, "operands", j.values.operand_names, j.values.operands);
    if (j.values.count)
        put_grid(&j, "values", put_values);
    const bool moves = view->type == &lw_view_conversion;
    if (moves) {
        fputs(",\"move_fields\":[", stream);
        lw_put_move_names(stream, view, "\"");
        fputs("],\"moves\":[", stream);
    }
    for (uint64_t i = 0; moves && i < lw_conversion_moves(view) && !ferror(stream); i++) {
        fputs(i ? ",[" : "[", stream);
        lw_put_move(stream, view, i, "\"");
        fputc(']', stream);
    }
    fputs(moves ? "]" : "", stream);
    put_colors(&j);
    fputs("}\n", stream);
    bool failed = j.text.failed || j.quoted.failed;
    lw_text_free(&j.text);
    lw_text_free(&j.quoted);
    return failed ? lw_error_set(err, LW_ERROR_MEMORY, "out of memory") : true;
}

const struct lw_format lw_format_json = {
    .name = "json",
    .extension = "json",
    .help = "an object with the source, labels, cells, their values and colours, on one line",
    .between = "",
    .colors = true,
    .write = write_json,
};
