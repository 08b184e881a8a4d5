#ifndef LANEWAY_COMMAND_H
#define LANEWAY_COMMAND_H

/*
 * Commands: what can be typed after `:`, and what a line of a script may begin with `:`; and what these use.
 *
 *     :set vec=4 perPhase=2        a row of the table
 *     :undo                        an action of the screen
 *     :convert it blocked/16x64    the program's own command line; `it` is the layout on the screen
 *     :it.invert()                 all else is computed
 */

#include "tui/screen.h"

/* ---- all_keys.c ---- */

/* The keys of all screens. */
const struct lw_screen_action *lw_all_actions(size_t *count);

/* ---- command_table.c ---- */

/* Pushes the screen of one source: a layout, an access, a kernel, a folder; of two, which are compared; of a list of
 * them. False: the reason is in *err. */
bool lw_open_sources(struct lw_app *app, const char *const *sources, size_t count,
                     struct lw_error *err);
/* Runs a command. False: the reason is in *err, whose position, if it has one, is in the text. */
bool lw_command_run(struct lw_app *app, const char *text, struct lw_error *err);
/* For the prompt: what may follow a text; word number i of those that may replace its last word. */
void lw_command_advise(const struct lw_screen *below, const char *text, struct lw_text *advice);
bool lw_command_complete(const struct lw_app *app, const char *text, size_t i,
                         struct lw_text *word);

/* ---- page_screen.c ---- */

/* A page: a text with a title, to be read. Lines that are too long are cut. */
extern const struct lw_screen_type lw_page_screen;
/* Pushes a page with a copy of a text. Lines that begin with "# " are headings. */
void lw_page_show(struct lw_app *app, const char *title, const char *text);

/* ---- program_line.c ---- */

enum lw_ran { LW_RAN_NOTHING, LW_RAN_DONE, LW_RAN_FAILED };
/* Runs a line of the program's command line; its word `it` is replaced by the source `it`, "" none. Appends what
 * it prints. LW_RAN_NOTHING: it begins with no command of the program; LW_RAN_FAILED: the reason is in *err. At a
 * terminal Esc stops it. */
enum lw_ran lw_program_line(struct lw_app *app, const char *line, const char *it,
                            struct lw_text *printed, struct lw_error *err);
/* Appends a word so that a line has it as one argument. */
void lw_put_quoted(struct lw_text *line, const char *word);

/* ---- script_lines.c ---- */

/* Runs a script; "-" is standard input. False: the reason, with the number of the line, is in *err. */
bool lw_script_file(struct lw_app *app, const char *path, struct lw_error *err);
/* The same of an open file. */
bool lw_script_read(struct lw_app *app, FILE *file, struct lw_error *err);
/* The types of all screens, ending in NULL. */
extern const struct lw_screen_type *const lw_screen_types[];

#endif
