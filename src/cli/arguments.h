#ifndef LANEWAY_ARGUMENTS_H
#define LANEWAY_ARGUMENTS_H

/*
 * The program as tables of commands and topics, and a command line read by them.
 *
 * The tables are made at the top (command/commands.c) and passed down, so that help, the manual page,
 * completions and the explorer's command line read them without depending on the commands.
 */

#include "cli/messages.h"
#include "cli/options.h"
#include "laneway/text.h"
#include "laneway/triton.h"
#include "laneway/wavefront.h"

#include <stdio.h>

struct lw_arguments;

struct lw_example {
    const char *arguments; /* the arguments after `laneway`, as typed into a shell */
    const char *what;
};

/* An operand as a key of a request in JSON (requests.h). */
enum lw_request_kind {
    LW_REQUEST_SOURCE,  /* a string or a layout document */
    LW_REQUEST_SOURCES, /* one of these or a list of them: all other operands */
    LW_REQUEST_INDICES  /* {"register": 3}: the operands register=3, ... */
};
struct lw_request_key {
    const char *name; /* NULL: there are no more */
    enum lw_request_kind kind;
};
enum { LW_REQUEST_KEYS_MAX = 3 };

/* What a command answers: JSON, or text for people. */
struct lw_answer {
    FILE *out; /* where text goes; NULL: JSON is requested */
    struct lw_text
        text; /* JSON: a line without its newline, of several SOURCEs a line for each; text: what is still to
                            be written to `out` */
    const char *source; /* the SOURCE that the error is about; NULL: none */
};

#define LW_EXAMPLES_MAX 7
#define LW_ANY_NUMBER SIZE_MAX

struct lw_command {
    const char *name;                  /* "": the explorer, which runs when no command is named */
    const char *operands;              /* "SOURCE [DIM=NUMBER...]" */
    const char *help;                  /* one line */
    const char *about;                 /* paragraphs, separated by an empty line */
    uint64_t options;                  /* LW_OPTION_BIT(...) | ... */
    size_t min_operands, max_operands; /* max_operands LW_ANY_NUMBER: no limit */
    const struct lw_choices *words;    /* the names that the first operand may be; NULL: those of
                                          the gallery */
    struct lw_request_key keys[LW_REQUEST_KEYS_MAX]; /* its operands in a request */
    bool is_pair; /* it is about several layouts: SOURCEs, or one document that holds them */
    bool has_side_effects; /* it does more than print: refused in documents */
    /* Whether its output depends on what the user has done, so that a document cannot quote it; NULL: it never does. */
    bool (*is_personal)(const struct lw_arguments *args);
    struct lw_example examples[LW_EXAMPLES_MAX];
    /* Answers a command line: in JSON for --json, --batch and `serve`. Without an answer *err, which has no error at
     * first, has the reason; beside one that is not LW_STATUS_OK it is a message. NULL: `run` prints all that the
     * command prints. */
    enum lw_status (*answer)(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err);
    /* Prints results to `out` and messages to standard error. */
    enum lw_status (*run)(const struct lw_arguments *args, FILE *out);
};

/* A topic of `help` that is neither a command nor an encoding. */
struct lw_topic {
    const char *name, *others; /* other names, with blanks between them */
    const char *title;
    /* Paragraphs, as those of a command; a line "@views" is the list of that name. `more` are those after them; NULL:
     * there are none. */
    const char *about, *more;
};

struct lw_program {
    const struct lw_command *const *commands; /* the last is NULL; the first is the explorer */
    const struct lw_topic *topics;            /* the last has no name */
};

const struct lw_command *lw_command_find(const struct lw_program *program, const char *name);
struct lw_choices lw_command_choices(const struct lw_program *program);
struct lw_choices lw_topic_choices(const struct lw_program *program);

struct lw_arguments {
    const struct lw_program *program;
    const struct lw_command *command;
    const char *value[LW_OPTION_COUNT]; /* NULL: not set; "" for an option without a value */
    const char **operands;              /* without the command's name */
    size_t operand_count;
    const char **sets; /* "name=value", in the order given */
    size_t set_count;
    const char **lets; /* "A=SOURCE" */
    size_t let_count;
    bool is_request; /* it was made from a line of standard input, so that "-" names no source */
};

/* Reads the arguments after argv[0]: those of the command, or NULL: the first operand can name one, else they are the
 * explorer's. --help and --version become the commands `help` and `version`. Strings are borrowed from argv. On failure
 * there is nothing to free. */
bool lw_arguments_read(struct lw_arguments *args, const struct lw_program *program,
                       const struct lw_command *command, int argc, char *const *argv,
                       struct lw_error *err);
void lw_arguments_free(struct lw_arguments *args);
#define LW_OPTION_IS_SET(args, option) ((args)->value[LW_OPTION_##option] != NULL)
#define LW_OPTION_VALUE(args, option) ((args)->value[LW_OPTION_##option])
/* Sets *number to that of an option, decimal or after 0x, from `least` to `most`; without the option it stays. */
bool lw_option_number(const struct lw_arguments *args, enum lw_option_id id, uint64_t least,
                      uint64_t most, uint64_t *number, struct lw_error *err);
/* Whether any of a set of options is set. */
bool lw_options_are_set(const struct lw_arguments *args, uint64_t options);

/* How many conflicts --fail-on-conflict allows: UINT64_MAX when it is not set. */
bool lw_fail_on_conflict(const struct lw_arguments *args, uint64_t *max, struct lw_error *err);
/* The hardware of --target, also as "sm_90a", "cuda:90" and "hip:gfx942"; *target is NULL when it is not
 * set. */
bool lw_target(const struct lw_arguments *args, const struct lw_hardware **target,
               struct lw_error *err);
/* The target of a name, or of a file: x.json, or a name with a slash (target_file.c). It lasts until the program
 * ends. */
bool lw_target_named(const char *name, const struct lw_hardware **target, struct lw_error *err);

/* The version of --triton, else that of LANEWAY_TRITON, which holds only where the source sets none. */
bool lw_chosen_triton(const struct lw_arguments *args, struct lw_triton_choice *choice,
                      struct lw_error *err);

/* Reads the arguments, runs the command, returns the exit status. */
int lw_program_run(const struct lw_program *program, int argc, char *const *argv);

#endif
