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

#include "tui/list.h"
#include "tui/screen.h"

/* ---- all_keys.c ---- */

/* The keys of all screens. */
const struct lw_screen_action *lw_all_actions(size_t *count);
/* The action of that name (`length` bytes of it) of a screen, or of all screens; NULL: there is none. */
const struct lw_screen_action *lw_action_named(const struct lw_app *app,
                                               const struct lw_screen_type *type, const char *name,
                                               size_t length);

/* ---- command_table.c ---- */

/* Pushes the screen of one source: a layout, an access, a kernel, a folder; of two, which are compared; of a list of
 * them. False: the reason is in *err. */
bool lw_open_sources(struct lw_app *app, const char *const *sources, size_t count,
                     struct lw_error *err);
/* Runs a command. False: the reason is in *err, whose position, if it has one, is in the text. */
bool lw_command_run(struct lw_app *app, const char *text, struct lw_error *err);
/* For the prompt: appends what may follow a text. */
void lw_command_advise(const struct lw_screen *below, const char *text, struct lw_text *advice);

/* ---- prompt_screen.c ---- */

/*
 * The prompt: a text that is typed on the line of keys, over the screen below. Above it is one line about the text:
 * what may follow, or why it is not legal.
 *
 *     set vec=3                              ▲ vec = 3: must be a power of two
 *     : set vec=3_
 */

struct lw_prompt_kind {
    const char *sign; /* before the text: ":" */
    const char *help; /* until something is typed; NULL: that of advise */
    /* Is called after each change. False: it is not legal, and *err has the reason. Or NULL. */
    bool (*typed)(struct lw_screen *below, const char *text, struct lw_error *err);
    /* Runs it; the prompt is not on the stack. False: it stays, with the reason of *err, whose position is in the
     * text. NULL: as each change. */
    bool (*run)(struct lw_app *app, const char *text, struct lw_error *err);
    /* Is called when it is left with Esc. Or NULL. */
    void (*cancel)(struct lw_screen *below);
    /* Appends what is shown above a legal text. Or NULL. */
    void (*advise)(const struct lw_screen *below, const char *text, struct lw_text *advice);
};

extern const struct lw_screen_type lw_prompt_screen;

/* Pushes a prompt with a text to begin with, which what is typed replaces. */
void lw_prompt_begin(struct lw_app *app, const struct lw_prompt_kind *kind, const char *text);

/* ---- choice_screen.c ---- */

/* A choice: a list over the screen below, which may show the row under the cursor at once. Enter takes it, or the key
 * that stands first in it; Esc restores the row that it began with. One that stays is still there after what was taken
 * ends, and has the keys of all screens. */

struct lw_choice_kind {
    const char *title;
    int width; /* of the list, if the screen is as wide */
    const struct lw_list_source *rows;
    void (*show)(struct lw_screen *below, size_t row);                /* or NULL */
    void (*take)(struct lw_screen *below, void *context, size_t row); /* or NULL: it is shown */
    void (*close)(void *context);                                     /* or NULL */
    bool stays;
};

extern const struct lw_screen_type lw_choice_screen;

/* Pushes a choice of `count` rows for a screen, the cursor on row `at`; `context` is that of the rows. */
void lw_choice_open(struct lw_screen *below, const struct lw_choice_kind *kind, void *context,
                    size_t count, size_t at);

enum { LW_ANSWERS_MAX = 4 };

struct lw_answer {
    const char *key, *hint; /* "d", "discard" */
    /* The screen that the question was about is on top again; `context` must last as long as that. */
    void (*run)(struct lw_app *app, void *context);
};

/* Pushes a question with `count` answers, a row each; the last row, of the cursor, is Esc, none of them: `other`, or
 * NULL: the last answer is so. */
void lw_dialog(struct lw_app *app, void *context, const struct lw_answer *answers, size_t count,
               const char *other, const char *format, ...) LW_PRINTF(6, 7);

/* ---- export_copy.c ---- */

/* What a layout screen shows. */
struct lw_on_screen {
    const struct lw_model *model;
    const struct lw_model *other;     /* that it is compared with; NULL: none */
    const char *picture;              /* its name: "owners" */
    const struct lw_subject *subject; /* that the picture is of */
    const struct lw_lit *lit;
};
/* Requests the name of a file, and writes the picture of a layout screen to it. */
void lw_export_request(struct lw_screen *screen, int argument);
/* Writes it to a file, after a question if that exists. False: its extension names no format. */
bool lw_export_to_file(struct lw_screen *screen, const char *path, struct lw_error *err);
/* Lists what can be copied of a layout screen. */
void lw_copy_request(struct lw_screen *screen, int argument);

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
