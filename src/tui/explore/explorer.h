#ifndef LANEWAY_EXPLORER_H
#define LANEWAY_EXPLORER_H

/*
 * The explorer's state, and the functions that several files use. Independent of any terminal:
 *
 *     update(state, event)     update.c, with the actions in the table of actions.c
 *     draw(state, surface)     draw.c and its panes
 *
 * The last legal layout is always in `layouts.opened`; `entry->doc` is the edited document, which may be illegal (then
 * `layouts.problem` is the reason).
 */

#include "laneway/wavefront.h"
#include "tui/draw/surface.h"
#include "tui/explore/background_job.h"
#include "tui/access/better.h"
#include "tui/access/layout_pick.h"
#include "tui/explore/compare_layouts.h"
#include "tui/write/copy.h"
#include "tui/explore/flash.h"
#include "tui/list/entries.h"
#include "tui/form/form.h"
#include "tui/explore/layouts.h"
#include "tui/explore/mark.h"
#include "tui/explore/page.h"
#include "tui/prompt/prompt.h"
#include "tui/write/save.h"
#include "tui/explore/status.h"
#include "tui/explore/view_panes.h"
#include "tui/move/focus.h"
#include "tui/keep/keep.h"
#include "tui/terminal/events.h"
#include "tui/tui.h"

struct lw_browser;
struct lw_lesson_run;
struct lw_solve;

enum lw_focus {
    LW_FOCUS_VIEW = 1,
    LW_FOCUS_FORM = 2,
    LW_FOCUS_GALLERY = 4,
    LW_FOCUS_EDIT = 8,  /* typing in a field */
    LW_FOCUS_FIND = 16, /* typing what to find */
    LW_FOCUS_HELP = 32,
    LW_FOCUS_COMMAND = 64, /* typing a command */
    LW_FOCUS_PAGE = 128,   /* reading a page of text */
    LW_FOCUS_SAVE = 256,   /* typing where to save */
    LW_FOCUS_QUESTION = 512,
    LW_FOCUS_MARK = 1024,         /* typing what to mark */
    LW_FOCUS_EXPORT = 2048,       /* typing where to export */
    LW_FOCUS_FOLDER = 4096,       /* the list of the kernels in a folder */
    LW_FOCUS_KERNEL = 8192,       /* the lists of a kernel */
    LW_FOCUS_SOLVE = 16384,       /* choosing among the swizzles that were found */
    LW_FOCUS_LESSON = 32768,      /* reading a lesson */
    LW_FOCUS_VIEWS = 131072,      /* choosing a view from the list of all */
    LW_FOCUS_ANSWER = 524288,     /* typing the answer of a lesson's question */
    LW_FOCUS_PICK = 262144,       /* choosing a field's value from a list */
    LW_FOCUS_LAYOUTS = 1048576,   /* choosing a layout of an access from a list */
    LW_FOCUS_LESSON_ONLY = 65536, /* not a focus: marks an action that is only for lessons */
};

/* What an event changed, and what has to be updated. */
enum lw_changed {
    LW_CHANGED_CURSOR = 1,  /* row and col of the active pane */
    LW_CHANGED_SPOT = 2,    /* the cursor has to go to panes.spot */
    LW_CHANGED_DETAIL = 4,  /* detail or colours of the active pane */
    LW_CHANGED_VIEW = 8,    /* panes show other views or layouts, or the screen has another size */
    LW_CHANGED_LAYOUT = 16, /* the document, or the target */
    LW_CHANGED_ENTRY = 32,  /* list.entry */
    LW_CHANGED_SAVED = 64,  /* an edit is complete, undone, redone or saved */
    LW_CHANGED_SCREEN = 128 /* only the screen: focus, lists, messages */
};

/* A row of the table of actions (actions.c), which keys, help and scripts share. */
struct lw_key_action {
    const char *name;
    unsigned focus_mask; /* the focus at which its keys work */
    const char *keys;    /* "Up k" */
    const char *hint;    /* for the status line; NULL: not on it */
    const char *help;    /* one line */
    void (*run)(struct lw_explorer *ex, int argument);
    int argument;
};

/* Tables of higher files, for the files below them. */
struct lw_tables {
    const struct lw_key_action *actions;
    size_t action_count;
    const struct lw_prompt_command *commands;
    size_t command_count;
    void (*run_command)(struct lw_explorer *ex, const char *line); /* runs the text after `:` */
};

/* Each part is declared in the header of its file. */
struct lw_explorer {
    const struct lw_tui_options *options;
    struct lw_tables tables;
    unsigned focus;      /* one of enum lw_focus */
    struct lw_over over; /* the parts under it */
    struct lw_trail trail;
    struct lw_list list;
    struct lw_layouts layouts;
    struct lw_panes_state panes;
    struct lw_form_state form;
    struct lw_prompt_state prompt;
    struct lw_page_state page;
    struct lw_question_state question;
    struct lw_status_line status;
    struct lw_marks marks;
    struct lw_compare_state compare; /* while layouts.has_other */
    struct lw_flash flash;
    struct lw_clipboard clipboard;
    struct lw_save_state save;
    struct lw_keep_state keep;
    struct lw_job job;          /* step NULL: none */
    struct lw_stop stop;        /* ends long work that is not a job */
    struct lw_browser *browser; /* a folder of kernels, or a kernel; NULL: none is open */
    struct lw_solve *solve;     /* a search for the best swizzle, NULL: none */
    struct lw_better better;    /* its result, for the inspector */
    struct lw_layout_pick layout_pick;
    struct lw_lesson_run *lesson; /* NULL: none has begun */
    struct {
        int height, width;
        bool plain; /* the terminal has no colours, or no characters beyond ASCII */
        bool mono;  /* it has no colours */
        bool few;   /* few colours: letters distinguish values, not halves of characters */
    } screen;
    struct {
        bool on; /* the last event was a click, there */
        int row, col;
    } clicked;
    unsigned changed;   /* of enum lw_changed, to be acted on */
    unsigned refreshed; /* those acted on since the current event */
    bool quit;
    bool failed; /* memory is out: end, and report it */
};

bool lw_explorer_init(struct lw_explorer *ex, const struct lw_tui_options *options,
                      struct lw_error *err);
void lw_explorer_free(struct lw_explorer *ex);
/* The same on the heap, as an explorer is too large for a small stack. NULL: failed, *err has the reason. */
struct lw_explorer *lw_explorer_new(const struct lw_tui_options *options, struct lw_error *err);
void lw_explorer_delete(struct lw_explorer *ex);
/* Handles an event; returns what changed, of enum lw_changed, with LW_CHANGED_SCREEN if the screen is to be drawn.
 * LW_CHANGED_CURSOR alone: lw_draw_step is enough. 0: nothing changed. */
unsigned lw_update(struct lw_explorer *ex, const struct lw_event *event);
void lw_draw(struct lw_explorer *ex, struct lw_surface *surface);
/* The same after steps of the cursor, on the surface as last drawn. */
void lw_draw_step(struct lw_explorer *ex, struct lw_surface *surface);

/* ---- Shared by the files of tui ---- */

/* refresh.c: acts on ex->changed and on `changed`. */
void lw_refresh(struct lw_explorer *ex, unsigned changed);
void lw_explorer_show(struct lw_explorer *ex, size_t entry); /* before the next event */
void lw_layouts_close(struct lw_explorer *ex);

/* about.c: explains the cell under the cursor, in lines of that number of columns; 0: any. */
void lw_explain_cursor(struct lw_explorer *ex, size_t columns);

/* state.c */
struct lw_entry *lw_explorer_entry(struct lw_explorer *ex);
/* The layout of a pane, NULL: there is none. */
const struct lw_subject *lw_explorer_subject(const struct lw_explorer *ex,
                                             const struct lw_view_pane *pane);
/* The target named for the layout on the screen, or for all; NULL: none. */
const struct lw_hardware *lw_explorer_target(const struct lw_explorer *ex);
/* The same, or the default; never NULL. */
const struct lw_hardware *lw_explorer_hardware(const struct lw_explorer *ex);
/* The document of the active pane's layout, which may be the one to compare with, but not the target of a lesson. */
const struct lw_document *lw_explorer_document(const struct lw_explorer *ex);
/* Whether the active pane's layout is that of the form; false, with a message: it is one to compare with. */
bool lw_explorer_is_edited(struct lw_explorer *ex);
/* Whether no option changes a layout from that of its SOURCE. */
bool lw_options_keep_sources(const struct lw_explorer *ex);
/* Appends the present layout on the screen as a SOURCE, or as a document; for an access all layouts. */
void lw_explorer_source(const struct lw_explorer *ex, struct lw_text *text);
void lw_document_put_source(struct lw_text *text, const struct lw_document *document);
/* Whether the layouts on the screen are of stores, or of loads: of an operation of a kernel, only of its own; of three
 * layouts always of both. */
bool lw_explorer_has_access(const struct lw_explorer *ex, enum lw_access_op op);
/* Why the layouts on the screen, those of an operation of a kernel, are not an access or a conversion; "": they are. */
const char *lw_explorer_undrawn(const struct lw_explorer *ex);
/* The action of that name, NULL: there is none. */
const struct lw_key_action *lw_key_action_find(const struct lw_explorer *ex, const char *name);
/* Whether the cursor is where it was when a view was opened that has no cell of panes.spot. */
bool lw_spot_is_hidden(const struct lw_panes_state *panes);
/* Whether panes.spot is hidden, or is in the cell under the cursor, which may have several spots. */
bool lw_spot_is_here(const struct lw_explorer *ex);
/* The spot of a pane's cursor: in the active pane panes.spot if that is in the cell, else the first one of the cell;
 * false: the cell has none. */
bool lw_pane_spot(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  struct lw_spot *spot);
/* Whether two spots are of the same hardware index, which has these dims. */
bool lw_spot_is_of(const struct lw_spot *a, const struct lw_spot *b, const struct lw_dims *in);
size_t lw_view_index(const char *name); /* in lw_view_types; their number: there is none */
bool lw_view_of_key(uint32_t key, size_t *index); /* the view with that digit; false: none */
/* Whether a text contains another, ignoring case. */
bool lw_contains_text(const char *text, const char *query);

/* browse.c: kernels and folders of kernels (browse.h). */
bool lw_browse_open(struct lw_explorer *ex, const char *path, struct lw_error *err);
/* The list of the kernels that the command line names. */
bool lw_browse_open_named(struct lw_explorer *ex, struct lw_error *err);
void lw_browse_free(struct lw_explorer *ex);
void lw_browse_move(struct lw_explorer *ex, int64_t by);
void lw_browse_turn(struct lw_explorer *ex, int unused);  /* to the other list */
void lw_browse_enter(struct lw_explorer *ex, int unused); /* into the chosen row */
/* Returns to the folder or the kernel of that path, and opens it again if another one was opened since. */
bool lw_browse_return(struct lw_explorer *ex, unsigned focus, const char *path, int part,
                      struct lw_error *err);
void lw_browse_part(struct lw_explorer *ex, int by); /* the next kernel of a file */
/* Opens a page about the chosen row: what is known of it, what is not counted, and why. */
void lw_browse_about(struct lw_explorer *ex, int unused);
/* The next conversion of the reduction on the screen, or the one before: of its operands in turn. */
void lw_browse_step(struct lw_explorer *ex, int by);
void lw_browse_find(struct lw_explorer *ex, const char *words, int by);
/* A click on the lists: chooses a row, goes into the chosen one, or sorts by a column. */
void lw_browse_click(struct lw_explorer *ex, int row, int col);
/* browse_table.c: sorts the active list by the next column or the one before, reverses its order, shows only the rows
 * that contain a text. */
void lw_browse_sort(struct lw_explorer *ex, int by);
void lw_browse_reverse(struct lw_explorer *ex, int unused);
void lw_browse_filter(struct lw_explorer *ex, const char *text);
/* Whether a row of the active list contains a text. */
bool lw_browse_has(const struct lw_explorer *ex, const char *query);
/* The name of the rows of the active list: "operations". */
const char *lw_browse_what(const struct lw_explorer *ex);
const char *lw_browse_filter_text(const struct lw_explorer *ex);
/* search.c */
void lw_find(struct lw_explorer *ex, const char *query);
/* Called when a character was typed at the prompt of find: the list under it shows the rows that contain the text. */
void lw_filter_typed(struct lw_explorer *ex);
/* At that prompt, moves to the row above or below; false: nothing is typed, or there is no such list. */
bool lw_filter_step(struct lw_explorer *ex, int by);
void lw_find_again(struct lw_explorer *ex, int direction);
/* Whether find-next goes to a cell that differs, as a comparison began after the last search. */
bool lw_find_differences(const struct lw_explorer *ex);
/* Whether find-next has a match or a difference to go to. */
bool lw_find_leads(const struct lw_explorer *ex);

/* actions.c */
const struct lw_key_action *lw_key_actions(size_t *count);
const struct lw_key_action *lw_key_action_for(unsigned focus, uint32_t key);

/* unused_key.c: reports a key without a use at the focus; false: it has no name. */
bool lw_key_report_unused(struct lw_explorer *ex, uint32_t key);

/* script.c */
bool lw_script_lines(struct lw_explorer *ex, FILE *file, struct lw_error *err);
bool lw_script_run(struct lw_explorer *ex, const char *path, struct lw_error *err);

#endif
