#ifndef LANEWAY_EXPORT_PARTS_H
#define LANEWAY_EXPORT_PARTS_H

/* What the formats share. A format is called with options that are complete: the ranges are set and in
 * order, the style is known or NULL. */

#include "export/formats.h"

/* The palette of that name, NULL being the first one; NULL: there is none. */
const struct lw_export_palette *lw_find_palette(const char *name);

/* Each line of a text, after a prefix. */
void lw_write_lines(FILE *stream, const char *prefix, const char *lines);

/* The text of a cell and of labels, each replacing the content of the text; characters that are not printable are
 * escaped. */
void lw_fetch_cell(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                   struct lw_cell *cell);
void lw_fetch_row_label(const struct lw_view *view, uint64_t row, struct lw_text *text);
void lw_fetch_col_label(const struct lw_view *view, uint64_t col, struct lw_text *text);

/* The end of the rows of the page that holds `row`, within the options' range. */
uint64_t lw_page_end(const struct lw_view *view, const struct lw_export_options *options,
                     uint64_t row);
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
/* The summary of the layout in one line, or of each layout of an access, replacing the content of the text: "A: 32
 * lanes -> 32, every element once; S: ..." */
void lw_fetch_summary(const struct lw_view *view, struct lw_text *text);
/* The paragraph `about` of the document when the head is written; "": none. */
const char *lw_figure_about(const struct lw_view *view, const struct lw_export_options *options);
/* Writes the title of the options and the head as lines of text; and, after the grid, what the document is about and
 * the caption. */
void lw_write_head(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream);
/* Writes the meaning of rows, columns and cells as lines of text, where the options have a head. */
void lw_write_sense(const struct lw_view *view, const struct lw_export_options *options,
                    FILE *stream);
void lw_write_caption(const struct lw_view *view, const struct lw_export_options *options,
                      FILE *stream);

/* style_triton.c */
bool lw_write_triton(const struct lw_view *view, const struct lw_export_options *options,
                     FILE *stream, struct lw_error *err);
/* style_cute.c: what CuTe's print_layout and print_latex print. */
bool lw_write_cute_latex(const struct lw_view *view, const struct lw_export_options *options,
                         FILE *stream, struct lw_error *err);
bool lw_write_cute(const struct lw_view *view, const struct lw_export_options *options,
                   FILE *stream, struct lw_error *err);

/* ---- style_brackets.c: the styles of text that draw grids in brackets ---- */

/* Writes an owners view in the style of that name: one whole grid, or its row_parts and col_parts, which are those
 * of each block. */
bool lw_write_brackets(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err);

/* ---- tidy_accesses.c: the accesses of the banks view and the moves of the conversion view as rows of data ---- */

/* Whether a view is of accesses, not of elements. */
bool lw_is_accesses(const struct lw_view *view);
bool lw_write_accesses(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err);

/* Whether a view is of moves between registers. */
bool lw_is_moves(const struct lw_view *view);
/* The names of the numbers of a move, and those of move i, with commas between them and `quote` around values that are
 * not numbers. */
void lw_put_move_names(FILE *stream, const struct lw_view *view, const char *quote);
void lw_put_move(FILE *stream, const struct lw_view *view, uint64_t i, const char *quote);
bool lw_write_moves(const struct lw_view *view, const struct lw_export_options *options,
                    FILE *stream, struct lw_error *err);

#endif
