#ifndef LANEWAY_SCREEN_H
#define LANEWAY_SCREEN_H

/*
 * The explorer is a stack of screens. A screen is a value with its own state, which nothing outside of its file
 * reads. An event goes to the screen on top; what that has no use for goes to the keys of all screens (app.c).
 *
 *     terminal -> event -> the screen on top: its own typing, its table of actions -> the actions of all screens
 *
 * An action is a row of a table: it has a name for scripts, keys, and a help line; those with a hint are on the
 * line of keys while they work.
 */

#include "tui/look.h"
#include "tui/model.h"
#include "tui/terminal/events.h"
#include "tui/tui.h"

struct lw_app;
struct lw_screen;
struct lw_list;
struct lw_edits;
struct lw_on_screen;

struct lw_screen_action {
    const char *name; /* "best" */
    const char *keys; /* "o", several with blanks between them; "" none */
    const char *hint; /* on the line of keys, with them: "o best S"; NULL: not there */
    const char *help; /* one line */
    /* NULL: the screen's own function `key` handles its first key. */
    void (*run)(struct lw_screen *screen, int argument);
    int argument;
    unsigned when; /* it works while the screen has these bits of its state; 0: always */
};

/* Keys in hints, as their signs. */
#define LW_UP_DOWN "\xe2\x86\x91\xe2\x86\x93"
#define LW_LEFT_RIGHT "\xe2\x86\x90\xe2\x86\x92"
#define LW_ARROWS "\xe2\x86\x90" LW_UP_DOWN "\xe2\x86\x92"

/* Bits of the state of every screen; the others, from bit 0 on, are those of its file. */
#define LW_TYPING (1U << 31)   /* characters are typed into it, so that they are no keys */
#define LW_CAN_FIND (1U << 30) /* it has `find`, or a list */
#define LW_OWN_KEYS (1U << 29) /* the keys of all screens do not work on it */
#define LW_FILTERS (1U << 28)  /* its picture is a list, of which `find` shows the matches alone */

struct lw_screen_type {
    const char *name; /* "layout" */
    const struct lw_screen_action *actions;
    size_t action_count;
    bool is_over;    /* it leaves the screen below visible */
    bool takes_line; /* it draws on the line of keys too */
    /* What holds now. Or NULL: nothing. */
    unsigned (*state)(const struct lw_screen *screen);
    /* Where in its state the list is that the screen is: it gets keys and the mouse first, and can be searched; a
     * second click on a row runs the action "open". 0: it is no list. */
    size_t list;
    /* Draws on the rows above the line of keys. */
    void (*draw)(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect);
    /* Takes a key before the actions: what is typed. False: it has no use for it. Or NULL. */
    bool (*key)(struct lw_screen *screen, uint32_t key);
    /* Takes a click, a drag, a movement or the wheel. Or NULL. */
    bool (*mouse)(struct lw_screen *screen, const struct lw_event *event);
    bool (*paste)(struct lw_screen *screen, const char *text);
    /* Goes to the first match of a text, or shows the matches alone; "": as before. NULL: to the next match of the
     * same text. False: the reason is in *err. Or NULL: nothing can be found in it, or it is a list. */
    bool (*find)(struct lw_screen *screen, const char *text, struct lw_error *err);
    const char *find_help; /* what can be found: "3,5  t17  bank 7" */
    /* The layout screen that it is or has, on which commands act, and which finds and ticks. Or NULL: it has none. */
    struct lw_screen *(*layout)(struct lw_screen *screen);
    /* Does a slice of work that no event waits for, a few milliseconds; false: there is none. Or NULL. */
    bool (*work)(struct lw_screen *screen);
    /* The time of the next tick, of lw_now_ms, 0: none; and what to do then. Or NULL. */
    int64_t (*tick_at)(const struct lw_screen *screen);
    void (*tick)(struct lw_screen *screen);
    void (*close)(struct lw_screen *screen);             /* frees it */
    struct lw_edits *(*edits)(struct lw_screen *screen); /* that could be lost; or NULL */
    /* What a layout screen shows (command.h); false: nothing yet. */
    bool (*on_screen)(const struct lw_screen *screen, struct lw_on_screen *shown);
};

/* The first member of the state of each screen. */
struct lw_screen {
    const struct lw_screen_type *type;
    struct lw_app *app;
};

enum { LW_SCREENS_MAX = 16 };

/* The settings that last (keep/app_settings.c). */
enum lw_setting {
    LW_SETTING_THEME, /* "auto", or the name of a theme */
    LW_SETTING_COLOR, /* "auto", "never", "8", "16", "256" */
    LW_SETTING_ASCII, /* "true", "false" */
    LW_SETTING_MOUSE,
    LW_SETTINGS
};

struct lw_app {
    const struct lw_tui_options *options;
    struct lw_model_options opening; /* how texts are opened */
    /* Pushes the screen of a source of any kind, or of several (command.h). */
    bool (*open)(struct lw_app *app, const char *const *sources, size_t count,
                 struct lw_error *err);
    /* lw_layout_of_document. */
    struct lw_screen *(*of_document)(struct lw_app *app, const struct lw_document *doc,
                                     const char *text, struct lw_error *err);
    struct lw_screen *stack[LW_SCREENS_MAX];
    int depth;
    /* The keys of all screens, action_count of them (all_keys.c). */
    const struct lw_screen_action *actions;
    size_t action_count;
    const char *settings[LW_SETTINGS]; /* a word each */
    bool theme_is_chosen; /* by the user, so that the one of the options no longer holds */
    const struct lw_look *look;
    bool look_changed; /* the terminal is to be configured again */
    bool background_known, background_light;
    int height, width; /* of the screen */
    bool ascii, mono;  /* what the terminal has */
    char message[400]; /* on the line of keys, until the next key */
    bool message_is_bad;
    struct lw_text copied;     /* to be copied to the clipboard, unless it has failed */
    bool has_terminal;         /* else it is run by a script or a test */
    struct lw_error unwritten; /* why a file was not written; the code is LW_OK: all were */
    char file[1024];           /* that is being chosen to be written */
    struct lw_edits *saving;   /* what is to be saved there */
    char *recovery;            /* the folder of this run's recovery files; NULL: there are none */
    int recovery_lock;         /* of that */
    int recovery_count;        /* of files that were named */
    bool trips_offered;        /* the question how often loops of kernels run */
    const char *ran; /* the name of the action that ran last; NULL: none since it was set to that */
    bool quit;
};

/* Puts a screen on top; it is closed, with a message, if there are too many. */
void lw_app_push(struct lw_app *app, struct lw_screen *screen);
/* Closes the screen on top; the last one ends the program. */
void lw_app_pop(struct lw_app *app);
/* The same for Esc, which does not end the program. */
void lw_app_back(struct lw_app *app);
/* The same after a question if there are unsaved edits; and ends the program (keep/edits.c). */
void lw_app_leave(struct lw_app *app);
void lw_app_quit(struct lw_app *app);
/* Takes the screen on top off the stack, without closing it. */
struct lw_screen *lw_app_take(struct lw_app *app);
/* Sets app->file to a file name that was typed; false, with a message: it is none. */
bool lw_app_file_name(struct lw_app *app, const char *text);
/* The screen on top. */
struct lw_screen *lw_app_top(const struct lw_app *app);
/* Allocates a screen of a type, all zeros; NULL, with a message: memory is out. */
void *lw_screen_new(struct lw_app *app, const struct lw_screen_type *type, size_t size);
/* Shows a message on the line of keys. */
void lw_app_message(struct lw_app *app, const char *format, ...) LW_PRINTF(2, 3);
void lw_app_problem(struct lw_app *app, const struct lw_error *err);
/* The same of a file that could not be written: then a script fails. `what`: "not saved: ". */
void lw_app_unwritten(struct lw_app *app, const char *what, const struct lw_error *err);

/* Handles an event; true: the screen is to be drawn. */
bool lw_app_event(struct lw_app *app, const struct lw_event *event);
/* `layout` of its type, or the screen itself. */
struct lw_screen *lw_screen_inner(const struct lw_screen *screen);
/* Runs the action of that name of the screen on top, or of all screens; false: there is none that works there. */
bool lw_app_run(struct lw_app *app, const char *name);
/* The bits of a screen's state; whether an action works on it now; and runs it. */
unsigned lw_screen_state(const struct lw_screen *screen);
bool lw_action_works(const struct lw_screen_action *action, const struct lw_screen *screen);
void lw_action_run(const struct lw_screen_action *action, struct lw_screen *screen);
void lw_app_draw(struct lw_app *app, struct lw_surface *surface);
/* Does all work that no event waits for. */
void lw_app_finish_work(struct lw_app *app);
/* The name of the theme that the options or the settings choose. */
const char *lw_app_theme(const struct lw_app *app);
/* Sets the theme by it and the background. */
void lw_app_choose_theme(struct lw_app *app);
/* Reads the settings; a problem is a message, and the others hold. */
void lw_app_load_settings(struct lw_app *app);
/* Sets one, for this run and the next ones: "mouse", "false". False: there is no such setting or value, or it could not
 * be written and holds for this run. */
bool lw_app_set_option(struct lw_app *app, const char *name, const char *value,
                       struct lw_error *err);
/* Starts with the screens that the options name. */
bool lw_app_open(struct lw_app *app, const struct lw_tui_options *options, struct lw_error *err);
void lw_app_close(struct lw_app *app);

/* ---- A screen within another one ---- */

/* Gives a key to a screen: to its list, its typing, then to its actions. False: it has no use for it. */
bool lw_screen_key(struct lw_screen *screen, uint32_t key);

/* ---- Parts of screens ---- */

/* Draws a title with more about it, and below it the sentence with the answer. */
void lw_screen_draw_head(struct lw_surface *surface, struct lw_rect rect,
                         const struct lw_text *title, const struct lw_text *more,
                         const struct lw_text *verdict, enum lw_tone tone);
/* Draws as many lines of an inspector as there is room for; the last one goes on in the rows that are left. */
void lw_screen_draw_lines(struct lw_surface *surface, struct lw_rect rect,
                          const struct lw_explanation *lines);

/* ---- Actions of screens that are a list ---- */

void lw_screen_move(struct lw_screen *screen, int rows);
/* `find` of its type, or of its list. */
bool lw_screen_find(struct lw_screen *screen, const char *text, struct lw_error *err);

/* ---- Screens, each of its file ---- */

extern const struct lw_screen_type lw_start_screen, lw_layout_screen, lw_kernel_screen,
    lw_folder_screen;

void lw_start_open(struct lw_app *app);

/* The screen of a layout (layout_screen.c), which is pushed, or belongs to another screen, which gives it a rectangle
 * and keys. A text that is not legal is shown as it is edited. NULL: memory is out, with a message. */
struct lw_screen *lw_layout_new(struct lw_app *app, const char *text);
/* The same of a document, which is copied; `text` names it, or NULL. Or else of what the text names, which must be
 * legal. NULL: the reason is in *err. */
struct lw_screen *lw_layout_of_document(struct lw_app *app, const struct lw_document *doc,
                                        const char *text, struct lw_error *err);
/* Begins to edit the text. */
void lw_layout_edit(struct lw_screen *screen, int argument);
/* Draws its name, its verdict and its picture alone. */
void lw_layout_draw_preview(struct lw_screen *screen, struct lw_surface *surface,
                            struct lw_rect rect);
/* Shows a view; false: the layout does not have it. */
struct lw_picture_type;
bool lw_layout_set_view(struct lw_screen *screen, const struct lw_picture_type *view);
/* Compares with a document; NULL: with nothing, as at first. */
void lw_layout_compare_document(struct lw_screen *screen, const struct lw_document *doc,
                                const char *text);
/* Compares with the layout that a text names; false: it cannot be compared, and *err has the reason. */
bool lw_layout_compare_with(struct lw_screen *screen, const char *text, struct lw_error *err);
/* Opens its layouts again, after a change of `opening` of the app; false: they are as before, *err has the reason. */
bool lw_layout_again(struct lw_screen *screen, struct lw_error *err);
/* The element of its cursor, and the layout that it is of; false: there is none. */
bool lw_layout_spot(const struct lw_screen *screen, struct lw_spot *spot,
                    const struct lw_subject **subject);
/* The name of its view: "owners". */
const char *lw_layout_view(const struct lw_screen *screen);
/* Hides what would answer a question: all but the picture. */
void lw_layout_hide_answers(struct lw_screen *screen, bool hides);
/* Appends the keys of the view of that name, its number on the tabs or in the list of all: "2", "v 7". False: the
 * layout does not have it. */
bool lw_layout_put_view_key(const struct lw_screen *screen, struct lw_text *text, const char *name);
/* The fewest wavefronts of its stores and loads with any S; false: they cannot be counted. It searches to the end. */
bool lw_layout_best(struct lw_screen *screen, uint64_t *wavefronts);
/* In the view of a path, goes to the first store, or load. */
void lw_layout_choose_access(struct lw_screen *screen, enum lw_access_op op);
/* What it shows, the last legal layout; NULL: nothing yet. */
const struct lw_model *lw_layout_model(const struct lw_screen *screen);
/* Shows another document, or NULL: what a text names, as an edit that can be undone; false: it is not legal, and *err
 * has the reason. */
bool lw_layout_show(struct lw_screen *screen, const struct lw_document *doc, const char *text,
                    struct lw_error *err);

/* The screen of a kernel, or of two versions of one, `before` not NULL (kernel_screen.c): false, with the reason: they
 * cannot be read. */
bool lw_kernel_open_screen(struct lw_app *app, const char *before, const char *path,
                           struct lw_error *err);
/* Sets how often loops of the kernel on top run: "16", "73=16", "K=512"; false: the reason is in *err. */
bool lw_kernel_set_trips(struct lw_app *app, const char *trips, struct lw_error *err);

/* The screen of a folder of kernels, or else of layouts (folder_screen.c); of named files; of the gallery's
 * kernels. */
bool lw_folder_open_screen(struct lw_app *app, const char *path, struct lw_error *err);
bool lw_folder_open_list(struct lw_app *app, const char *title, const char *const *paths,
                         size_t count, struct lw_error *err);
void lw_folder_open_gallery(struct lw_app *app);

#endif
