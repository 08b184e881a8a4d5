#ifndef LANEWAY_EXPLORER_H
#define LANEWAY_EXPLORER_H

/*
 * The explorer's state, and what its files ask of each other. Pure of any terminal:
 *
 *     update(state, event)     update.c, with the actions in the table of actions.c
 *     draw(state, surface)     draw.c and its panes
 *
 * The last legal layout is always in `opened`; `entry->doc` is the document as edited, which may be
 * illegal for a while (then `problem` says why).
 */

#include "laneway/compare.h"
#include "tui/terminal/events.h"
#include "tui/explore/line_edit.h"
#include "tui/keep/recovery.h"
#include "tui/keep/settings.h"
#include "view/subject.h"
#include "tui/draw/theme.h"
#include "tui/tui.h"

#include <time.h>

struct lw_browser;
struct lw_explorer;
struct lw_lesson_run;
struct lw_let;
struct lw_mark;
struct lw_solve;

/* ---- State ---- */

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
    LW_FOCUS_LESSON_ONLY = 65536, /* no place: of an action, that it is for lessons alone */
};

/* One line of the list on the left: a source of the command line or a gallery entry. */
struct lw_entry {
    const char *source;
    char *own;          /* the source, when it is the entry's own */
    const char *lesson; /* the lesson that it is, as `learn` takes it; NULL: a layout */
    char note[28];      /* of a lesson: "done", "2 of 4" */
    char label[48];     /* what the list shows; "": the source */
    char title[96];     /* see lw_entry_title */
    bool loaded;
    bool broken;                 /* it could not be read */
    struct lw_document original; /* as read; empty when it is not loaded */
    struct lw_document doc;      /* as edited */
    struct lw_document
        *past; /* documents before each edit: past_count of them, then those undone */
    size_t past_count, past_total, past_room;
    bool dirty;                /* `doc` is not what was read or last saved */
    bool recovered;            /* nobody has saved it since it was restored */
    bool has_recovery;         /* there is a recovery file of it */
    char *path;                /* the file that saving writes; NULL: none yet */
    struct timespec file_time; /* of that file, when it was read or written here */
    int64_t file_size;
};

/* The longest path of a parameter: `parent.` for each nested encoding. */
#define LW_PATH_MAX (LW_NESTING_MAX * 8 + 64)

/* A line of the form. */
struct lw_field {
    char path[LW_PATH_MAX]; /* "" for a heading */
    char label[40];
    int depth;
    const struct lw_param *param; /* NULL: a heading, or shape or element */
    struct lw_text text;          /* the value in force */
    bool is_set;
    bool hidden;  /* folded away */
    int folds;    /* it is the line behind which so many others are folded away; 0: it is a field */
    bool changed; /* differs from the document as read */
    int row, col; /* of its value on the screen, when it was last drawn; row -1: not there */
};

/* Work that may take long, done in slices between events. */
struct lw_job {
    const char *what;     /* "counting what differs" */
    uint64_t done, total; /* total 0: nobody knows */
    int64_t began, drawn; /* in ms */
    /* A little of it; false when that was the last. */
    bool (*step)(struct lw_explorer *ex, struct lw_job *job);
    void (*end)(struct lw_explorer *ex, struct lw_job *job, bool finished);
    void *data;
    bool stopped; /* by the user, when it ends */
    bool writes;  /* a file, which whoever leaves may want */
};

/* A layout against the one that it is compared with. */
struct lw_diff {
    struct lw_comparison comparison, turned; /* of the layout, and of the other */
    bool fits;                               /* else `why` */
    struct lw_error why;
    bool counted, counting;
    uint64_t differing, held; /* of `held` elements, exactly; while counting, of those seen */
    uint64_t total;           /* of those to be seen, when they are counted */
    struct lw_dims box;
};

/* Which layout a pane shows. */
enum lw_pane_layout {
    LW_PANE_FIRST,
    LW_PANE_SECOND, /* of a pair */
    LW_PANE_OTHER,  /* what the first is compared with, and the second */
    LW_PANE_OTHER_SECOND,
    LW_PANE_STORE /* of a lesson: what stores go through, when loads go through another */
};

/* Whether the program ends once it has saved: all that is not saved, or this one layout. */
enum lw_quit_after { LW_QUIT_NOT, LW_QUIT_ALL_SAVED, LW_QUIT_ENTRY_SAVED };

#define LW_PANES_MAX 2

/* A view pane: what it shows, how, and where its cursor is. */
struct lw_view_pane {
    enum lw_pane_layout shown;
    size_t view_index;
    bool has_view;
    struct lw_view view;
    struct lw_error view_problem;
    unsigned views_fit; /* bit i: view i can show this layout, or the other one of the pair */
    enum lw_detail detail;
    bool half;       /* with LW_DETAIL_CHAR: two rows of cells in one of the screen */
    bool zoomed;     /* the user chose the detail */
    size_t color;    /* 0: the view's own; else one of lw_color_keys */
    bool color_fits; /* this view and layout have that key */
    uint64_t row, col, top, left;
    bool ranged; /* cells from range_row, range_col to the cursor are selected */
    uint64_t range_row, range_col;
    bool linked; /* the cursor is on what the pane that has the keys is on */
    /* The widest of the labels of `rows` rows from `top` on, once it is known of this view. */
    struct {
        bool known;
        uint64_t top;
        int rows, widest;
    } labels;
    uint64_t drawn_row; /* where the cursor was drawn last */
};

struct lw_explorer {
    const struct lw_tui_options *options;
    const struct lw_hardware *hardware; /* whose banks and lanes; NULL: the usual */
    struct lw_entry *entries;
    size_t entry_count, entry; /* `entry`: the one on the screen */
    size_t list_top;

    struct lw_browser *browser; /* a folder of kernels, or a kernel; NULL: none is open */

    bool has_opened;
    struct lw_opened opened;
    struct lw_error problem; /* why the document as edited is not legal; code LW_OK: it is */

    /* The two layouts that a document may have, and those to compare them with. */
    bool has_second, has_other, has_other_second;
    struct lw_opened second, other, other_second;
    struct lw_error second_problem;
    struct lw_view_pane panes[LW_PANES_MAX]; /* the first pane_count of them are on the screen */
    int pane_count;
    struct lw_view_pane *pane; /* the one that has the keys: of `panes` */
    struct lw_explanation explanation;
    bool has_spot; /* `spot` is what the cursor was last on, also where the view cannot show it */
    struct lw_spot spot;

    unsigned focus;       /* one of enum lw_focus */
    unsigned focus_below; /* the place under a prompt, an edit or the help */

    struct lw_field *fields;
    size_t field_count, field_room, field, field_top;
    bool form_folded;   /* it shows only while it has the keys */
    bool form_full;     /* what nobody has set is shown too */
    bool form_second;   /* the fields begin with those of the second layout */
    size_t item;        /* the number chosen in a list field */
    uint64_t facts_top; /* the first fact shown under the form */
    bool facts_more;    /* there are more below, as last drawn */
    struct lw_rect
        stepper; /* where the chosen field is stepped with the mouse; width 0: not there */
    char edited[LW_PATH_MAX]; /* the path of the field that is being typed in */
    bool by_number;           /* a digit began the edit: Right and Tab go from number to number */
    bool replaces;            /* and the next digit replaces the number at the caret */
    struct lw_line_edit edit;
    struct lw_document before; /* the document when the edit began */
    bool has_before;

    struct lw_line_edit line;  /* what a prompt asks for */
    struct lw_text candidates; /* what may be typed there */
    struct { /* of the line, where Tab was the key before: what was typed, and the next candidate */
        bool on;
        size_t length, at;
    } tabbing;
    struct lw_recall recall;   /* the commands */
    struct lw_recall typed[4]; /* at the other prompts */
    char found[64];            /* the last query */
    uint64_t found_at;
    int help_top;   /* the first line shown of the help or the page */
    int page_left;  /* and the first column, of a page whose lines are not broken */
    bool page_wide; /* its lines are those of a table, wider than the screen perhaps */
    char page_title[96];
    struct lw_text page;
    struct lw_let *lets; /* names bound with `let` */
    size_t let_count;

    struct lw_view_options play; /* its access, instruction and wavefront */
    struct lw_job job;           /* step NULL: none */
    struct lw_diff diff[2];      /* while has_other: of the first layout, and of the second */
    struct lw_solve *solve;      /* a search for the best swizzle, NULL: none */
    char other_name[96];
    struct lw_text clipboard; /* to be copied to the clipboard */
    char clipboard_label[40];
    struct lw_lesson_run *lesson; /* NULL: none was begun */
    struct lw_mark *marks;
    size_t mark_count;
    struct lw_settings settings;
    bool settings_saved;   /* changes are written to the file */
    bool settings_invalid; /* the file has mistakes */
    struct lw_theme theme;
    bool appearance_changed; /* the terminal is to be told of theme, colours, mouse */
    struct lw_text warnings;
    int warning_count;
    bool plain; /* the terminal has no colours, or no characters beyond ASCII */
    bool hint;  /* nobody has pressed a key yet, and this is the first time */

    char question[200];
    const struct lw_reply *answers; /* up to one without a key */
    char wrong_key[16];             /* the key that was no answer */
    bool has_wrong_key;             /* there was one: no key answers until Enter */
    char chosen[1024];              /* the file that a question is about */
    bool abandoned;                 /* left without an answer to what is not saved */
    enum lw_quit_after quit_after;
    bool waits; /* quit once the job has written its file */
    struct lw_recovery recovery;

    struct { /* the hints of keys in the last line, as last drawn: a click is the key */
        int col, end;
        const struct lw_key_action *action;
    } hints[32];
    size_t hint_count;
    char message[LW_MESSAGE_MAX];
    bool message_is_error;
    int height, width;
    bool stepped; /* the cursor of a view was moved by the event at hand */
    bool quit;
    bool failed; /* memory is out: leave, saying so */
};

bool lw_explorer_init(struct lw_explorer *ex, const struct lw_tui_options *options,
                      struct lw_error *err);
void lw_explorer_free(struct lw_explorer *ex);
/* True: the cursor moved on what is on the screen, and nothing else changed. */
bool lw_update(struct lw_explorer *ex, const struct lw_event *event);
void lw_draw(struct lw_explorer *ex, struct lw_surface *surface);
/* The same after such steps, on the surface that was drawn last. */
void lw_draw_step(struct lw_explorer *ex, struct lw_surface *surface);

/* ---- Between the files ---- */

/* explorer.c: opening entries and keeping map, view and fields in step with the document. */
void lw_explorer_show(struct lw_explorer *ex, size_t entry);
void lw_explorer_rebuild(struct lw_explorer *ex); /* the document changed */
void lw_explorer_set_view(struct lw_explorer *ex, size_t index);
bool lw_explorer_view(struct lw_explorer *ex, const char *name); /* false: there is none */
size_t lw_view_index(const char *name); /* among lw_view_types; their number: there is none */
void lw_explorer_reopen(struct lw_explorer *ex); /* detail or colour changed */
void lw_explorer_fit(struct lw_explorer *ex);    /* a new layout or a new size */
void lw_explorer_reshow(struct lw_explorer *ex); /* panes show other layouts than before */
void lw_explorer_moved(struct lw_explorer *ex);  /* the cursor moved */
void lw_explorer_go(struct lw_explorer *ex, const struct lw_spot *spot);
/* Never NULL. */
const struct lw_hardware *lw_explorer_hardware(const struct lw_explorer *ex);
void lw_explorer_target(struct lw_explorer *ex, const struct lw_hardware *hardware);
/* The layout of a pane, NULL: there is none. */
const struct lw_subject *lw_explorer_subject(const struct lw_explorer *ex,
                                             const struct lw_view_pane *pane);

/* view_panes.c: one view pane or two. */
void lw_split(struct lw_explorer *ex, int unused);        /* a second pane, or back to one */
void lw_split_other(struct lw_explorer *ex, int unused);  /* the keys go to the other pane */
void lw_split_layout(struct lw_explorer *ex, int unused); /* first or second layout */
/* The cursor moved in the pane that has the keys: so it does in the other one. */
void lw_split_link(struct lw_explorer *ex);
/* Whether a spot of the other pane is what the cursor is on. */
bool lw_is_linked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot);
bool lw_shows_second(
    const struct lw_view_pane *pane); /* of a pair, or what that is compared with */
/* The other layout of the pair, in this pane or, of two pairs that are compared, in both. False: there is
 * none. */
bool lw_split_turn(struct lw_explorer *ex);
/* Keeps a pane's cursor on a cell, and that cell in sight. */
void lw_pane_scroll(const struct lw_explorer *ex, struct lw_view_pane *pane);
void lw_explorer_set_message(struct lw_explorer *ex, bool bad, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
struct lw_entry *lw_explorer_entry(struct lw_explorer *ex);
/* Adds an entry at the end of the list and shows it; false, with a message, when its source cannot
 * be read. `label` is what the list calls it, NULL: the source. */
bool lw_explorer_add(struct lw_explorer *ex, const char *source, const char *label);
/* The same of a document that has been read, and is the entry's then (it is freed on failure): it can be named by `source`. */
bool lw_explorer_add_document(struct lw_explorer *ex, struct lw_document *doc, const char *source,
                              const char *label);

/* history.c */
bool lw_history_push(struct lw_explorer *ex, const struct lw_document *before);
void lw_history_undo(struct lw_explorer *ex);
void lw_history_redo(struct lw_explorer *ex);
void lw_history_truncate(struct lw_entry *entry, size_t from); /* steps from `from` on */

/* entries.c */
bool lw_entries_make(struct lw_explorer *ex, struct lw_error *err);
/* Reads an entry's document, once. */
bool lw_entry_load(struct lw_explorer *ex, size_t index, struct lw_error *err);
/* What questions call it: its label, the file's name, else the source. */
const char *lw_entry_name(const struct lw_entry *entry);
/* What it is about, "" when that is not known; of the gallery without reading the document. */
const char *lw_entry_title(struct lw_entry *entry);
void lw_entry_free(struct lw_entry *entry);

/* question.c: a question that one key answers; Esc is always an answer. */
struct lw_reply {
    uint32_t key;
    const char *label;
    void (*run)(struct lw_explorer *ex);
};
void lw_question_open(struct lw_explorer *ex, const struct lw_reply *answers, const char *format,
                      ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;
bool lw_question_key(struct lw_explorer *ex, uint32_t key);

/* save.c */
const char *lw_base_name(const char *path); /* what follows the last slash */
bool lw_documents_equal(const struct lw_document *a, const struct lw_document *b);
void lw_save_update(struct lw_explorer *ex);      /* an edit is done, undone or saved */
void lw_save_record_file(struct lw_entry *entry); /* the file that the entry was read from */
void lw_save(struct lw_explorer *ex, int unused);
/* A file's name as typed, ~/ and all, into ex->chosen. */
bool lw_choose_file(struct lw_explorer *ex, const char *path);
void lw_save_prompt(struct lw_explorer *ex, int unused);
void lw_save_as(struct lw_explorer *ex, const char *path);
void lw_quit(struct lw_explorer *ex); /* asks first when something is not saved */

/* mark.c: queries whose cells are lit, and the range that is selected. */
#define LW_MARKS_MAX 8
void lw_mark(struct lw_explorer *ex, const char *text); /* or no longer */
void lw_mark_prompt(struct lw_explorer *ex, int unused);
void lw_mark_clear(struct lw_explorer *ex, int unused);
void lw_marks_refresh(struct lw_explorer *ex);                         /* the layouts changed */
void lw_marks_put(const struct lw_explorer *ex, struct lw_text *text); /* "t17, bank 3" */
void lw_marks_free(struct lw_explorer *ex);
/* Whether the cells of a view are places, not elements. */
bool lw_view_shows_indices(const struct lw_view *view);
bool lw_is_marked(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot);
void lw_range_begin(struct lw_explorer *ex, int unused); /* or ends it */
/* The cells that are selected: rows from[0] to to[0] - 1, columns from[1] to to[1] - 1. */
void lw_range(const struct lw_view_pane *pane, uint64_t from[2], uint64_t to[2]);
bool lw_is_in_range(const struct lw_view_pane *pane, uint64_t row, uint64_t col);

/* background_job.c */
int64_t lw_now_ms(void);                                             /* since whenever */
void lw_job_start(struct lw_explorer *ex, const struct lw_job *job); /* ends another one */
bool lw_job_cancel(struct lw_explorer *ex);                          /* false: there was none */
bool lw_job_stop(struct lw_explorer *ex); /* the same, as the user wishes */
/* Works for a moment; true when the screen is to be drawn. */
bool lw_job_slice(struct lw_explorer *ex);
void lw_job_try(struct lw_explorer *ex); /* for as long as nobody notices */
void lw_job_finish(struct lw_explorer *ex);

/* compare_layouts.c */
void lw_compare_toggle(struct lw_explorer *ex, int unused); /* with the document as it was read */
void lw_compare_with(struct lw_explorer *ex, const char *source);
void lw_compare_refresh(struct lw_explorer *ex); /* a layout changed */
void lw_compare_end(struct lw_explorer *ex);
void lw_compare_put(const struct lw_explorer *ex, struct lw_text *text); /* "2 of 4 ..." */
bool lw_differs(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                const struct lw_spot *spot);

/* browse.c: kernels and folders of kernels (browse.h). */
/* Whether a SOURCE is a folder or a whole kernel, not a layout in one. */
bool lw_browse_accepts(const char *source);
bool lw_browse_open(struct lw_explorer *ex, const char *path, struct lw_error *err);
void lw_browse_free(struct lw_explorer *ex);
void lw_browse_move(struct lw_explorer *ex, int64_t by);
void lw_browse_turn(struct lw_explorer *ex, int unused);  /* to the other list */
void lw_browse_enter(struct lw_explorer *ex, int unused); /* into what is chosen */
bool lw_browse_back(struct lw_explorer *ex);              /* out again; false: there is no way */
void lw_browse_part(struct lw_explorer *ex, int by);      /* of a file of several kernels */
void lw_browse_leave(struct lw_explorer *ex, int unused);
void lw_browse_find(struct lw_explorer *ex, const char *words, int by);
/* A click into the lists: chooses a row, or goes into the chosen one. */
void lw_browse_click(struct lw_explorer *ex, int row);
/* play.c */
void lw_play(struct lw_explorer *ex, int by);            /* a wavefront on, or back */
void lw_play_back(struct lw_explorer *ex, int unused);   /* or back to the kernel */
void lw_play_access(struct lw_explorer *ex, int unused); /* stores, loads, both */
bool lw_play_stop(struct lw_explorer *ex);               /* false: nothing was played */

/* settings.c */
void lw_warn(struct lw_explorer *ex, const char *text);
void lw_settings_load(struct lw_explorer *ex);
bool lw_settings_save(struct lw_explorer *ex, struct lw_error *err);
void lw_settings_apply(struct lw_explorer *ex, const char *theme); /* NULL: the one that is set */
void lw_settings_zoom(struct lw_explorer *ex);
void lw_option(struct lw_explorer *ex, const char *text); /* "mouse=false"; "": all of them */
void lw_option_theme(struct lw_explorer *ex, const char *name);
void lw_option_page(struct lw_explorer *ex);

/* page.c: a text over the screen, and all there is to say about the layout shown. */
void lw_page_about(struct lw_explorer *ex, int unused);
void lw_page_open(struct lw_explorer *ex, const char *title, const char *text);

/* search.c */
void lw_find(struct lw_explorer *ex, const char *query);
bool lw_contains_text(const char *text, const char *words); /* in any case of letters */
/* Appends the layout as a SOURCE, as it is now; of a pair both. */
void lw_explorer_source(const struct lw_explorer *ex, struct lw_text *text);
void lw_find_again(struct lw_explorer *ex, int direction);

/* actions.c: the table that keys, help and scripts share. */
struct lw_key_action {
    const char *name;
    unsigned focus_mask; /* where its keys work */
    const char *keys;    /* "Up k" */
    const char *hint;    /* for the status line, NULL: not there */
    const char *help;    /* one line */
    void (*run)(struct lw_explorer *ex, int argument);
    int argument;
};
const struct lw_key_action *lw_key_actions(size_t *count);
const struct lw_key_action *lw_key_action_for(unsigned focus, uint32_t key);
const struct lw_key_action *lw_key_action_find(const char *name);

/* script.c: what a line may begin with, beside the name of an action. */
struct lw_script_command {
    const char *name;
    const char *help; /* one line */
    bool (*run)(struct lw_explorer *ex, const char *rest, struct lw_error *err);
};
const struct lw_script_command *lw_script_commands(size_t *count);
bool lw_script_run(struct lw_explorer *ex, const char *path, struct lw_error *err);

#endif
