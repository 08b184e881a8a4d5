#ifndef LANEWAY_TUI_H
#define LANEWAY_TUI_H

/*
 * The explorer: state, update, draw.
 *
 * lw_tui_run opens a terminal and runs the explorer until the user leaves, or runs a script of
 * actions with no terminal at all. It returns the exit status of the program: 0, or 2 with a
 * message in *err.
 */

#include "laneway/document.h"
#include "laneway/view.h"
#include "tui/keep/keep_file.h"
#include "tui/memory_failed.h"

#include <stdio.h>

struct lw_goal_kind;
struct lw_lesson;
struct lw_kernel_folder;

enum lw_color_mode { LW_COLOR_AUTO, LW_COLOR_ALWAYS, LW_COLOR_NEVER };

/* The command line of the program, for the prompt of the explorer. */
struct lw_tui_shell {
    const void *context; /* the first argument of the functions */
    /* Runs a line; `it` is the layout on the screen. False: it is not a command of the program. Its output is appended
     * to `printed`, its errors to `error_text`; err->code is not LW_OK: it could not be run. */
    bool (*run)(const void *context, const char *line, const char *it, struct lw_text *printed,
                struct lw_text *error_text, struct lw_error *err);
    /* Finds a target by its name or file, as --target; it lasts until the program ends. */
    bool (*target)(const char *name, const struct lw_hardware **target, struct lw_error *err);
};

struct lw_tui_options {
    const struct lw_tui_shell *shell; /* NULL: none */
    const char *const *sources;       /* `count` of them; none: the gallery */
    size_t count;
    const char *lesson; /* the lesson to begin with, by number, name or file; NULL: none */
    bool lessons;       /* begin in the list, at the lessons */
    const struct lw_kernel_folder *course; /* files instead of the built-in lessons; NULL: these */
    bool seed_is_set;                      /* `seed` chooses the cases of lessons; else the time */
    uint64_t seed;
    const char *type;               /* -t, or NULL */
    const char *element;            /* --element, or NULL */
    struct lw_cuda_options cuda;    /* --block and --let */
    struct lw_triton_choice triton; /* for every source and kernel that is opened */
    const char *const *sets;        /* "name=value", `set_count` of them, applied to every source */
    size_t set_count;
    /* The target that was set; NULL: the kernel's, or the default. */
    const struct lw_hardware *hardware;
    const char *as;    /* --as, or NULL */
    const char *theme; /* its name; NULL: the settings' */
    enum lw_color_mode color;
    bool ascii;
    bool no_mouse;
    bool writes_nothing; /* neither saves, nor exports, nor saves screens: for tests */
    const char *script;  /* a file of actions; NULL: a terminal */
    /* Writes a warning of a script where messages go, beside the screen's message; NULL: nowhere. */
    void (*warn)(const char *text);
};

/* *of_script: the message is about a line of the script. */
int lw_tui_run(const struct lw_tui_options *options, bool *of_script, struct lw_error *err);

/* ---- Scripts ---- */

/* Name number i of those that a line of a script may begin with, and its help; NULL: there are no more. */
const char *lw_tui_script_name(size_t i, const char **help);

/* ---- Lessons ---- */

/* Whether the name of a target, or of a lesson, is that of a file: x.json, or one with a slash. */
bool lw_name_is_file(const char *name);
/* A lesson is a built-in one, by number or name, or a file. */
enum { LW_LESSON_KEY_MAX = 4096 };
/* The name of a lesson in the progress file: for a built-in one its name, for a file its absolute path. */
void lw_lesson_key(char key[LW_LESSON_KEY_MAX], const char *source);
/* Appends the document of a lesson. */
bool lw_lesson_text(struct lw_text *text, const char *source, struct lw_error *err);
/* Reads a lesson, with the cases that the seed chooses. */
bool lw_lesson_open(struct lw_lesson *lesson, const char *source, uint64_t seed,
                    struct lw_error *err);
/* Proves that the solution of each step reaches its goal, that no goal is met before, and that the
 * claims of the texts are true. The first problem is in *err, with its line in the file. */
bool lw_lesson_prove(const char *source, struct lw_error *err);
/* A lesson on paper. */
struct lw_handout {
    const char *source;
    const char *path; /* its extension sets the format: .html or .md; NULL, or none: Markdown */
    bool answers;     /* the sheet of answers; else the tasks without them */
    uint64_t seed;    /* chooses the cases */
};
/* Prints a lesson, each step with its grid. */
bool lw_lesson_print(const struct lw_handout *handout, FILE *out, struct lw_error *err);

/* The table of kinds of goals. */
const struct lw_goal_kind *lw_goal_kinds(size_t *count);

#endif
