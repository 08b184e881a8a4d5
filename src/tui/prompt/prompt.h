#ifndef TUI_PROMPT_H
#define TUI_PROMPT_H

/* The prompts at the bottom of the screen: their hints, completion and history, and the commands that follow `:`. */

#include "tui/form/line_edit.h"
#include "tui/move/focus.h"

struct lw_explorer;
struct lw_let;
struct lw_calc_operation;

struct lw_prompt_state {
    struct lw_line_edit line;
    struct lw_line_edit under[LW_OVER_MAX]; /* the lines of the prompts in lw_over.below */
    /* The words that may follow: names separated by two blanks, or lines of a name, a tab and its help. */
    struct lw_text candidates;
    struct { /* if Tab was the last key, the length of the typed text, and the next candidate */
        bool on;
        size_t length, at;
        bool blank; /* Tab was the last key, and added a blank: a blank typed now is not added
                       again */
    } tabbing;
    struct lw_recall recall;   /* the commands typed before */
    struct lw_recall unsaved;  /* commands that are not in the file yet, as another run was writing
                                  it */
    struct lw_recall typed[4]; /* the lines of the other prompts */
    char found[64];            /* the last query; found_at: the number of its last match */
    uint64_t found_at;
    int found_operand;   /* in a view of several layouts, the one in which its matches begin */
    size_t found_entry;  /* the entry that was on the screen */
    struct lw_let *lets; /* names bound with `let` */
    size_t let_count;
};

/* prompt.c: a prompt at the bottom of the screen. */
struct lw_prompt {
    unsigned focus;
    const char *prefix; /* "/" */
    const char *hint;   /* shown while nothing has been typed */
    void (*run)(struct lw_explorer *ex, const char *text);
};
const struct lw_prompt *lw_prompt_at(unsigned focus);
void lw_prompt_open(struct lw_explorer *ex, int focus);
void lw_prompt_accept(struct lw_explorer *ex);

/* command.c: runs the text after `:`. */
void lw_command(struct lw_explorer *ex, const char *text);
/* program_command.c: runs a line as a command of the program; its output is shown as a page, or a message if it is one
 * line. False: it is not a command of the program. */
bool lw_run_program(struct lw_explorer *ex, const char *line);
/* help_command.c: the page of all commands, or the help of one name. */
void lw_help(struct lw_explorer *ex, const char *name);
/* The operation of the calculator with that name; NULL: none. */
const struct lw_calc_operation *lw_operation_named(const char *name);
/* set_command.c */
void lw_command_set(struct lw_explorer *ex, const char *text);
/* mma_command.c */
void lw_mma_command(struct lw_explorer *ex, const char *name);
/* Appends the name of MMA number i of the gallery for the command; false: there are fewer. */
bool lw_mma_name(size_t i, struct lw_text *name);

/* The kind of the words after the first one of a line. */
enum lw_completes {
    LW_COMPLETES_NOTHING,
    LW_COMPLETES_VIEWS,
    LW_COMPLETES_COLORS,
    LW_COMPLETES_FIELDS,
    LW_COMPLETES_THEMES,
    LW_COMPLETES_TARGETS,
    LW_COMPLETES_VERSIONS, /* of Triton */
    LW_COMPLETES_OPTIONS,
    LW_COMPLETES_SOURCES,
    LW_COMPLETES_MMAS,  /* of the gallery */
    LW_COMPLETES_MARKS, /* what is under the cursor, and what is marked */
    LW_COMPLETES_FILES,
    LW_COMPLETES_OPERATIONS, /* of the calculator */
    LW_COMPLETES_SHELL
};
struct lw_prompt_command {
    const char *name, *also; /* a shorter name, or NULL */
    const char *arguments;
    const char *help;
    void (*run)(struct lw_explorer *ex, const char *text);
    enum lw_completes completes;
    bool layout; /* it needs a layout on the screen */
};
const struct lw_prompt_command *lw_prompt_commands(size_t *count);

/* open_command.c: opens a SOURCE, a kernel, a folder or a name of `let` as a new entry; a step back returns. */
void lw_open(struct lw_explorer *ex, const char *source);

/* bare_swizzle.c: makes "Sw<3,3,3>", a swizzle without a layout, of the tensor's row-major layout the shared S. False:
 * another text. */
bool lw_bare_swizzle(struct lw_explorer *ex, const char *source);
/* Refuses three numbers alone, which are a swizzle of CuTe or of Triton. False: it is something else. */
bool lw_bare_numbers(struct lw_explorer *ex, const char *source);

/* paste.c: adds pasted text to the open prompt, else opens it as a layout; it is never read as keys. */
void lw_paste(struct lw_explorer *ex, const char *text);
/* paste_operation.c: opens the layouts of an operation in a line of a dump. False: the text is not such a line. */
bool lw_paste_operation(struct lw_explorer *ex, const char *text);

/* calculate.c: the layout calculator. */
void lw_calculate(struct lw_explorer *ex, const char *expr);
/* Appends the SOURCE of an expression of a layout, with its names: coalesce(it). */
bool lw_calculate_source(struct lw_explorer *ex, const char *expr, struct lw_text *source,
                         struct lw_error *err);
/* Whether the calculator can compute with a document. */
bool lw_calculates(const struct lw_explorer *ex, const struct lw_document *doc,
                   struct lw_error *err);

/* let.c: "NAME=SOURCE"; "" lists the names. */
void lw_let(struct lw_explorer *ex, const char *text);
/* Whether a text is only the name of a layout: `it`, or a bound one. */
bool lw_is_bound(const struct lw_explorer *ex, const char *text);
/* Whether a text has such a name among its words. */
bool lw_names_bound(const struct lw_explorer *ex, const char *text);
/* Appends the SOURCE of a bound layout, or of `it`; false: it is no such name. */
bool lw_let_source(const struct lw_explorer *ex, const char *name, struct lw_text *source);
/* Reports that a name is `it` while no layout is on the screen; false: it is another name, or has a value. */
bool lw_it_is_missing(struct lw_explorer *ex, const char *name);
void lw_lets_free(struct lw_explorer *ex);

/* complete.c, prompt_history.c: at a prompt */
/* The command at the beginning of a line; NULL: none. */
const struct lw_prompt_command *lw_prompt_command_find(const struct lw_explorer *ex,
                                                       const char *line);
/* Name number i of the commands, then of the actions; NULL: there are no more. */
const char *lw_prompt_command_name(const struct lw_explorer *ex, size_t i);
void lw_complete(struct lw_explorer *ex, int unused);
/* Appends all words that may follow, separated by two blanks; for kinds that are lists. */
void lw_complete_list(struct lw_explorer *ex, enum lw_completes what, struct lw_text *text);
void lw_recall_load(struct lw_explorer *ex);
void lw_recall_add(struct lw_explorer *ex, const char *line);
void lw_recall_write(struct lw_explorer *ex); /* to the file */
void lw_recall_add_at(struct lw_explorer *ex, unsigned focus,
                      const char *line); /* at another prompt */
void lw_recall_walk(struct lw_explorer *ex, int by);
void lw_recall_free(struct lw_explorer *ex);

#endif
