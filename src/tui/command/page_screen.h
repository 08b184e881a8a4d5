#ifndef LANEWAY_PAGE_SCREEN_H
#define LANEWAY_PAGE_SCREEN_H

/* A page: a text with a title, to be read. Lines that are too long are cut. */

#include "tui/screen.h"

extern const struct lw_screen_type lw_page_screen;

/* Pushes a page with a copy of a text. Lines that begin with "# " are headings. */
void lw_page_show(struct lw_app *app, const char *title, const char *text);

#endif
