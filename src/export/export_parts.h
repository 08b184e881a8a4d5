#ifndef LANEWAY_EXPORT_PARTS_H
#define LANEWAY_EXPORT_PARTS_H

/* What the formats share. A format is called with options that are complete: the ranges are set and in order, the style
 * is known or NULL. */

#include "export/formats.h"

/* The palette of that name, NULL being the first one; NULL: there is none. */
const struct lw_export_palette *lw_find_palette(const char *name);

/* ---- Cells and labels ---- */

/* The text of a cell and of labels, each replacing the content of the text; characters that are not printable are
 * escaped. Row LW_LABEL_CORNER is what is above the labels of rows. */
#define LW_LABEL_CORNER UINT64_MAX
void lw_fetch_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                   struct lw_cell *cell);
void lw_fetch_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text);
void lw_fetch_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text);

/* Whether the options' range is all of the view. */
bool lw_is_whole(const struct lw_view *view, const struct lw_export_options *options);
/* The end of the rows of the page that holds `row`, within the options' range. */
uint64_t lw_page_end(const struct lw_view *view, const struct lw_export_options *options,
                     uint64_t row);

/* ---- Words above and below ---- */

/* The title of a figure: that of the options, else that of the document; "": none. */
const char *lw_figure_title(const struct lw_view *view, const struct lw_export_options *options);
/* The title of a picture: lw_figure_title, or the name of the view when that is "". */
const char *lw_picture_title(const struct lw_view *view, const struct lw_export_options *options);
/* The notation of the view, a line for each layout, and its numbers as another line, replacing the content of the text;
 * without the notation when the title above is the notation. Nothing when the options have no head. Characters are not
 * escaped. */
void lw_fetch_head(const struct lw_view *view, const struct lw_export_options *options,
                   const char *title, struct lw_text *text);
/* The meaning of rows, columns and cells, replacing the content of the text; "": there is none. */
void lw_fetch_sense(const struct lw_view *view, struct lw_text *text);
/* The same, with the meaning of the heavier lines that are drawn. */
void lw_fetch_meaning(const struct lw_view *view, const struct lw_export_options *options,
                      struct lw_text *text);
/* The paragraph `about` of the document when the head is written; "": none. */
const char *lw_figure_about(const struct lw_view *view, const struct lw_export_options *options);

/* Writes each line of a text, after a prefix, with characters that are not printable escaped. */
void lw_write_lines(FILE *stream, const char *prefix, const char *lines);

/* ---- The printers of other programs ---- */

/* style_triton.c */
bool lw_write_triton(const struct lw_view *view, const struct lw_export_options *options,
                     FILE *stream, struct lw_error *err);
/* style_cute.c: what CuTe's print_layout and print_latex print. */
bool lw_write_cute(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream, struct lw_error *err);
bool lw_write_cute_latex(const struct lw_view *view, const struct lw_export_options *options,
                         FILE *stream, struct lw_error *err);
/* style_brackets.c: writes an owners view in the style of that name: one whole grid, or its row_parts and col_parts,
 * which are those of each block. */
bool lw_write_brackets(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err);

#endif
