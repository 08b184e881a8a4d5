#ifndef TUI_DRIVE_H
#define TUI_DRIVE_H

/* The explorer under test without a terminal: keys go in by name, the screen comes out as text. */

#include "tui/draw/drawing.h"

struct drive {
    struct lw_tui_options options;
    const char *sources[2];
    struct lw_explorer ex;
    struct lw_surface surface;
    struct lw_text text;
};

/* Pictures are zoomed so that all of them fits, as they are for a user; else they have their full text. */
void drive_fit(struct drive *drive);
/* Chooses a zoom for the views that are shown, also one that `+` and `-` pass. */
void drive_zoom(struct drive *drive, unsigned zoom);
/* Opens one source, or the gallery when it is NULL, at 80x24; fails the test when it does not
 * open. */
void drive_open(struct drive *drive, const char *source);
/* The same at that size, with as much text as there is room for. */
void drive_open_at(struct drive *drive, const char *source, int width, int height);
/* The same with the options that are set already. */
void drive_open_with(struct drive *drive, const char *source, const struct lw_tui_options *options);
/* The same at the start of a lesson, with nothing written to files. */
void drive_lesson(struct drive *drive, const char *lesson);
/* Does what the lesson's step has as its solution. */
void drive_solve(struct drive *drive);
void drive_close(struct drive *drive);

/* "Tab Down +": keys by their names. */
void drive_keys(struct drive *drive, const char *names);
void drive_type(struct drive *drive, const char *text);
/* A line after `:`. */
void drive_command(struct drive *drive, const char *line);
void drive_resize(struct drive *drive, int width, int height);
/* The time of the next tick has come. */
void drive_tick(struct drive *drive);
void drive_click(struct drive *drive, int row, int col);
void drive_wheel(struct drive *drive, int row, int col, int amount);
void drive_action(struct drive *drive, const char *name);

/* Moves to the form's field of that path; fails the test when there is none. */
void drive_field(struct drive *drive, const char *path);
/* The text of that field; NULL when there is none. */
const char *drive_value(struct drive *drive, const char *path);
/* The text under the cursor of the view. */
const char *drive_cell(struct drive *drive);
/* The tensor's index under the cursor, as "3,5". */
const char *drive_element(struct drive *drive);
/* The index of a view by its name. */
size_t drive_view(const char *name);
/* Shows a view: by its key if it has one. */
void drive_show(struct drive *drive, const struct lw_view_type *type);

/* Draws, and checks that the drawing is sound. */
void drive_draw(struct drive *drive);
/* The same, and returns what is drawn as text. */
const char *drive_screen(struct drive *drive);
/* What holds of every drawing: that its tiles are characters, and where halves of wide ones stand. */
void drive_check_tiles(const struct lw_surface *surface);
/* Whether an action has another line of help in each place, as it does another thing there. */
bool drive_has_help_of_places(const char *name);
/* The tile where this text starts on the screen; NULL when it is not there. Draws first. */
const struct lw_glyph *drive_tile(struct drive *drive, const char *text);

/* A folder of a test program's own, for cmocka's group: made before its tests and removed after them. */
extern char drive_folder[];
int drive_make_folder(void **state);
int drive_remove_folder(void **state);

void drive_assert_shows(struct drive *drive, const char *text, const char *file, int line);
void drive_assert_hides(struct drive *drive, const char *text, const char *file, int line);
#define assert_shows(drive, text) drive_assert_shows(drive, text, __FILE__, __LINE__)
#define assert_hides(drive, text) drive_assert_hides(drive, text, __FILE__, __LINE__)

/* Writes a file in drive_folder. */
void drive_put_file(const char *name, const char *text);

/* Columns of 32 words in rows of 32, stored and loaded through the same registers. */
#define COLUMNS                                                                                    \
    "{\"shape\": [32, 32], \"element\": \"f32\", \"view\": \"banks\", \"store\": "                 \
    "\"#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 32], "    \
    "order = [0, 1]}>\", \"shared\": \"#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = "   \
    "1, "                                                                                          \
    "order = [1, 0]}>\"}"

#endif
