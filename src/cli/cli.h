#ifndef LANEWAY_CLI_H
#define LANEWAY_CLI_H

/*
 * The command line: commands and options are rows of tables.
 *
 * A command is one file cmd_*.c that ends in its row, and one line in commands.c. An option is one
 * row in options.c. The parser, `help`, the man page and the completions read these tables and
 * nothing else.
 */

#include "export/table.h"
#include "laneway/laneway.h"
#include "export/output.h"
#include "view/subject.h"

/* ---- Exit statuses ---- */

enum lw_status {
    LW_STATUS_OK = 0,
    LW_STATUS_NO = 1,   /* the answer is no */
    LW_STATUS_ERROR = 2 /* the request was wrong */
};

/* ---- Options ---- */

/* In the order of the table in options.c. */
enum lw_option_id {
    LW_OPTION_TYPE,
    LW_OPTION_ELEMENT,
    LW_OPTION_SET,
    LW_OPTION_LET,
    LW_OPTION_TARGET,
    LW_OPTION_WITH,
    LW_OPTION_VIEW,
    LW_OPTION_FORMAT,
    LW_OPTION_STYLE,
    LW_OPTION_CELL,
    LW_OPTION_COLOR_BY,
    LW_OPTION_ROWS,
    LW_OPTION_COLS,
    LW_OPTION_LABELS,
    LW_OPTION_ALL,
    LW_OPTION_AT,
    LW_OPTION_OP,
    LW_OPTION_TO_GLOBAL,
    LW_OPTION_AS,
    LW_OPTION_INSTRUCTION,
    LW_OPTION_WAVEFRONT,
    LW_OPTION_FAIL_ON_CONFLICT,
    LW_OPTION_JSON,
    LW_OPTION_BATCH,
    LW_OPTION_EXPLAIN,
    LW_OPTION_INPUT,
    LW_OPTION_LAYOUT,
    LW_OPTION_ALIAS_NAMES,
    LW_OPTION_USE_HW_VIEW,
    LW_OPTION_BY,
    LW_OPTION_LANG,
    LW_OPTION_SOURCE,
    LW_OPTION_TRIPS,
    LW_OPTION_CHECK,
    LW_OPTION_OUTPUT,
    LW_OPTION_COLOR,
    LW_OPTION_ASCII,
    LW_OPTION_NO_MOUSE,
    LW_OPTION_THEME,
    LW_OPTION_SCRIPT,
    LW_OPTION_MAN,
    LW_OPTION_COMPLETIONS,
    LW_OPTION_HELP,
    LW_OPTION_VERSION,
    LW_OPTION_COUNT
};

/* A set of options: LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(JSON). */
#define LW_OPTION_BIT(option) ((uint64_t)1 << LW_OPTION_##option)
#define LW_OPTIONS_TENSOR_LAYOUT                                                                   \
    (LW_OPTION_BIT(INPUT) | LW_OPTION_BIT(LAYOUT) | LW_OPTION_BIT(ALIAS_NAMES) |                   \
     LW_OPTION_BIT(USE_HW_VIEW))
#define LW_OPTIONS_TENSOR (LW_OPTION_BIT(TYPE) | LW_OPTION_BIT(ELEMENT))
#define LW_OPTIONS_SOURCE (LW_OPTIONS_TENSOR | LW_OPTION_BIT(SET) | LW_OPTION_BIT(TARGET))

/* The names that something may have, with a line of help each. */
struct lw_choices {
    size_t (*count)(void);
    const char *(*name)(const void *unused, size_t i);
    const char *(*help)(size_t i);
};

/* What is particular about an option; rows combine them with |. */
enum lw_option_trait {
    LW_OPTION_OTHER_SPELLINGS = 1, /* its choices have other spellings; whoever uses it checks it */
    LW_OPTION_REPLACES_OPERANDS = 2, /* it stands for the words that the command needs */
    LW_OPTION_VALUE_OPTIONAL = 4     /* its value, if any, follows a '=' */
};

struct lw_option {
    const char *name;     /* without the dashes */
    char letter;          /* 0: none */
    const char *argument; /* what stands for its value; NULL: it takes none */
    const char *help;
    const struct lw_choices *choices; /* the only legal values; NULL: any */
    unsigned traits;                  /* enum lw_option_trait */
};

const struct lw_option *lw_options(void); /* LW_OPTION_COUNT of them */

extern const struct lw_choices lw_choices_views;
extern const struct lw_choices lw_choices_formats;
extern const struct lw_choices lw_choices_styles;
extern const struct lw_choices lw_choices_color_keys;
extern const struct lw_choices lw_choices_colors;
extern const struct lw_choices lw_choices_labels;
extern const struct lw_choices lw_choices_shells;
extern const struct lw_choices lw_choices_ops;
extern const struct lw_choices lw_choices_stages;
extern const struct lw_choices lw_choices_targets;
extern const struct lw_choices lw_choices_commands;
extern const struct lw_choices lw_choices_encodings;
extern const struct lw_choices lw_choices_gallery;
extern const struct lw_choices lw_choices_topics;
extern const struct lw_choices lw_choices_operations;
extern const struct lw_choices lw_choices_script;
extern const struct lw_choices lw_choices_groups;
extern const struct lw_choices lw_choices_goals;
extern const struct lw_choices lw_choices_languages;

/* ---- Commands ---- */

struct lw_arguments;

struct lw_example {
    const char *arguments; /* what follows `laneway`, as typed into a shell */
    const char *what;
};

#define LW_EXAMPLES_MAX 6
#define LW_ANY_NUMBER SIZE_MAX

struct lw_command {
    const char *name;                  /* "": no command at all, the explorer */
    const char *operands;              /* "SOURCE [DIM=NUMBER...]" */
    const char *help;                  /* one line */
    const char *about;                 /* paragraphs, parted by an empty line */
    uint64_t options;                  /* LW_OPTION_BIT(...) | ... */
    size_t min_operands, max_operands; /* how many words: most LW_ANY_NUMBER: any number */
    bool has_side_effects;             /* it does more than print: not for a line of a document */
    struct lw_example examples[LW_EXAMPLES_MAX];
    /* Prints its results to `out` and its complaints to standard error. */
    enum lw_status (*run)(const struct lw_arguments *args, FILE *out);
};

const struct lw_command *const *lw_commands(size_t *count);
const struct lw_command *lw_command_find(const char *name);

extern const struct lw_command lw_command_explore;
extern const struct lw_command lw_command_show;
extern const struct lw_command lw_command_bases;
extern const struct lw_command lw_command_apply;
extern const struct lw_command lw_command_banks;
extern const struct lw_command lw_command_convert;
extern const struct lw_command lw_command_swizzle;
extern const struct lw_command lw_command_calc;
extern const struct lw_command lw_command_code;
extern const struct lw_command lw_command_check;
extern const struct lw_command lw_command_wavefronts;
extern const struct lw_command lw_command_list;
extern const struct lw_command lw_command_learn;
extern const struct lw_command lw_command_ttgir;
extern const struct lw_command lw_command_docs;
extern const struct lw_command lw_command_help;
extern const struct lw_command lw_command_version;

/* ---- Arguments ---- */

struct lw_arguments {
    const struct lw_command *command;
    const char *value[LW_OPTION_COUNT]; /* NULL: not given; "" for one without a value */
    const char **operands;              /* the command's name is not among them */
    size_t operand_count;
    const char **sets; /* "name=value", in the order given */
    size_t set_count;
    const char **lets; /* "A=SOURCE" */
    size_t let_count;
    const char **alias_names; /* "a,b" */
    size_t alias_names_count;
};

/* Reads a command line, --help and --version as the commands that they stand for; the strings stay those of argv. Frees nothing on failure but itself. */
bool lw_arguments_read(struct lw_arguments *args, int argc, char *const *argv,
                       struct lw_error *err);
void lw_arguments_free(struct lw_arguments *args);
#define LW_OPTION_IS_SET(args, option) ((args)->value[LW_OPTION_##option] != NULL)
#define LW_OPTION_VALUE(args, option) ((args)->value[LW_OPTION_##option])

/* The choice whose name is near, or NULL; see lw_text_nearest. */
const char *lw_nearest(const char *name, const struct lw_choices *choices);
bool lw_choices_have(const struct lw_choices *choices, const char *name);

/* How many conflicts --fail-on-conflict allows: UINT64_MAX when it is not given. */
bool lw_fail_on_conflict(const struct lw_arguments *args, uint64_t *max_operands,
                         struct lw_error *err);

/* The whole program: reads the arguments, runs the command, returns the exit status. */
int lw_program_run(int argc, char *const *argv);

/* ---- Messages (standard error) ---- */

/* Prints "laneway: " and the error, with its excerpt; `source` is what it was about, or NULL.
 * Returns LW_STATUS_ERROR. */
enum lw_status lw_report_failure(const char *source, const struct lw_error *err);
/* The source when a message should say which: a file or a name, not an expression. The message says
 * no more of it than the path. */
const char *lw_source_name(const char *source);

/* ---- Layouts ---- */

/* A hardware model by name, also "sm_90a", "cuda:90" and "hip:gfx942"; NULL and an error when there is none. */
const struct lw_hardware *lw_target_get(const char *name, struct lw_error *err);

/* A layout, ready to be asked. */
struct lw_loaded {
    struct lw_document doc;
    struct lw_opened opened;
};

struct lw_load_options {
    const char *type;    /* as -t */
    const char *element; /* as --element */
    FILE *input;         /* what "-" reads; NULL: refused */
    const char *const *sets;
    size_t set_count;
    const struct lw_hardware *target; /* NULL: any */
    struct lw_report *report; /* NULL, or every problem is added and loading goes on if it can */
};

/* Says of a problem with a value that one of the sets gave that it is of that set, not of the
 * document's text. */
void lw_load_attribute_error(const struct lw_load_options *options, struct lw_error *err);

/* What -t, --set and --target say. */
bool lw_load_options(struct lw_load_options *options, const struct lw_arguments *args,
                     struct lw_error *err);
/* Opens the document alone, with the options' type and sets. */
bool lw_load_document(struct lw_document *doc, const char *source,
                      const struct lw_load_options *options, struct lw_error *err);
/* The document that a value in a line of a batch says: a SOURCE as a string, or an object. The line
 * and the value must outlive it. */
bool lw_load_value(struct lw_document *doc, const struct lw_value *value, const char *line,
                   size_t length, const struct lw_load_options *options, struct lw_error *err);
/* "name=value" of a document. */
bool lw_load_set(struct lw_document *doc, const char *set, struct lw_error *err);
/* Builds what has been opened. On failure the document is still there. */
bool lw_load_build(struct lw_loaded *loaded, const struct lw_hardware *target,
                   struct lw_error *err);
/* Whether the document, or a parent in it, has a threadsPerWarp: a layout that is made for hardware. */
bool lw_load_sets_lanes(const struct lw_document *doc);
/* Whether the layout's lanes a warp are the target's; NULL: any. */
bool lw_load_check_target(const struct lw_document *doc, const struct lw_map *map,
                          const struct lw_hardware *target, struct lw_error *err);
/* All of it. On failure there is nothing to free. */
bool lw_load(struct lw_loaded *loaded, const char *source, const struct lw_load_options *options,
             struct lw_error *err);
void lw_unload(struct lw_loaded *loaded);
/* The linear layout of a document that nobody will draw. */
bool lw_load_layout(const struct lw_document *doc, const struct lw_load_options *options,
                    struct lw_layout *layout, struct lw_error *err);
/* The linear layout, with the names that hardware has. */
bool lw_loaded_layout(const struct lw_loaded *loaded, struct lw_layout *layout,
                      struct lw_error *err);

/* A place of the hardware, said name by name; starts as all zeros. */
struct lw_point {
    uint64_t in[LW_DIMS_MAX]; /* in the order of the map's dims */
    unsigned set_dims;
};

/* Says one dim, or `thread`, `lane`, `warp`, `local`, `register` where the layout has their like. */
bool lw_point_set(struct lw_point *point, const struct lw_subject *subject, const char *name,
                  uint64_t value, struct lw_error *err);
/* Is every number in range, now that all is said? */
bool lw_point_check(const struct lw_point *point, const struct lw_dims *dims, struct lw_error *err);

/* Prints a view as `show` does. */
bool lw_show(const struct lw_loaded *loaded, const struct lw_arguments *args, FILE *out,
             struct lw_error *err);

/* ---- triton_tensor_layout.c: what Triton's triton-tensor-layout prints ---- */

/* Whether its options are among the arguments. */
bool lw_tensor_layout_is_requested(const struct lw_arguments *args);
enum lw_status lw_tensor_layout(const struct lw_arguments *args, FILE *out);

/* ---- Batches: one request a line on standard input, one answer a line ---- */

struct lw_request {
    const struct lw_loaded *loaded; /* the layout of this line */
    const struct lw_value *in;      /* apply: {"register": 3, ...}; NULL: not there */
    const struct lw_value *at;      /* apply: [2, 3]; NULL: not there */
};

/* Answers a request as one line of JSON, without its newline. */
typedef bool lw_answer(const struct lw_request *request, struct lw_text *answer,
                       struct lw_error *err);

/* Reads lines until the end and answers each. `points` allows (and asks for) "in" or "at", and one
 * SOURCE on the command line for the lines that name none. */
enum lw_status lw_batch_run(const struct lw_arguments *args, FILE *out, lw_answer *answer,
                            bool points);

/* The same of lines in any form: answers one, NUL-terminated, as one line of JSON. */
typedef bool lw_line_answer(void *context, char *line, size_t length, struct lw_text *answer,
                            struct lw_error *err);
enum lw_status lw_batch_lines(FILE *out, lw_line_answer *answer, void *context);
/* What the JSON reader asks of its text: no control characters, only whole UTF-8. */
bool lw_batch_check(const char *line, size_t length, struct lw_error *err);

/* Lines of a file descriptor. */
struct lw_lines {
    int fd;
    char *data;
    size_t start, end, room;
    bool over;
};

#define LW_LINE_MAX ((size_t)64 << 20)

/* The next line without its newline, NUL-terminated; NULL at the end, or with an error in *err (a
 * line over LW_LINE_MAX, no memory, a failed read). `idle` is called before waiting for more. */
char *lw_lines_next(struct lw_lines *lines, size_t *length, void (*idle)(void *context),
                    void *context, struct lw_error *err);
void lw_lines_free(struct lw_lines *lines);

/* ---- pair.c: two layouts of one tensor ---- */

struct lw_pair {
    struct lw_document doc[2];
    struct lw_map map[2];
    struct lw_element element; /* that both hold: 32 bits and no name where neither says */
    bool element_is_set;       /* whether one says */
    int failed_source;         /* on failure: which of the words it is about; -1: both */
};

/* Whether both, in registers, are of as many warps: a kernel has one number of them. */
bool lw_pair_check_warps(const struct lw_pair *pair, uint64_t lanes, struct lw_error *err);
/* "store:     " and what it is, in a line. */
void lw_pair_print_layout(struct lw_text *text, const char *label, const struct lw_pair *pair,
                          int which);
/* "elements:  f16, 16 bits", as a line. */
void lw_pair_print_element(struct lw_text *text, const struct lw_pair *pair);
/* The table style that --style asks for; without it one that lw_put_table chooses: simple_grid where the table
 * is at most 80 columns wide, else plain. */
const struct lw_ruling *lw_ruling_from_options(const struct lw_arguments *args,
                                               struct lw_error *err);
bool lw_put_table(const struct lw_table *table, FILE *out, struct lw_error *err);

/* What the lines of a batch hold: objects with the two SOURCES by these keys (or as "a" and "b"), maybe
 * "type", and more of the command's own. */
struct lw_pair_command {
    const char *keys[2];
    const char *const *more;
    size_t more_count;
    bool access; /* one of the two is in shared memory: of lw_document_share */
    /* Answers as one line of JSON; `line` is the object. */
    bool (*answer)(void *context, const struct lw_pair *pair, const struct lw_value *line,
                   struct lw_text *answer, struct lw_error *err);
    /* Prints what is to be said of the two SOURCES on the command line. */
    bool (*print)(void *context, const struct lw_arguments *args, const struct lw_pair *pair,
                  FILE *out, struct lw_error *err);
    void *context;
};
/* A command of two layouts: those of its words, or with --batch those of each line. */
enum lw_status lw_pair_run(const struct lw_arguments *args, const struct lw_load_options *options,
                           FILE *out, const struct lw_pair_command *command);

/* ---- print_plan.c: access plans ---- */

/* Instructions that are a plan's some times over: how they are got, and what they add up to. */
struct lw_instructions {
    const struct lw_plan *plan;
    const struct lw_plan_total *total;
    uint64_t times;
    const void *context;
    void (*get)(const void *context, uint64_t i, struct lw_instruction *out);
};
/* {"instructions":[...],"wavefronts":...,"ideal":...,"conflicts":...}; those instructions that no lane runs are
 * left out. Fails on over 2^20. */
bool lw_instructions_print_json(struct lw_text *text, const struct lw_instructions *all,
                                struct lw_error *err);
bool lw_plan_print_json(struct lw_text *text, const struct lw_plan *plan, struct lw_error *err);
/* A table of its instructions, equal ones folded. */
bool lw_plan_print_table(const struct lw_plan *plan, const struct lw_ruling *ruling, FILE *out,
                         struct lw_error *err);
/* "8 instructions, 32 wavefronts (ideal 32, 100 %), no conflicts" */
void lw_plan_print_total(struct lw_text *text, const struct lw_plan_total *total);
/* Whose rule the plan is by, which banks, and what is not in it. */
void lw_plan_print_rule(struct lw_text *text, const struct lw_plan *plan);
/* ---- capture.c: command lines inside the program ---- */

enum { LW_ARGV_MAX = 64 };

/* What a shell would make of a line: word[0] is "laneway", quotes are taken away. */
struct lw_argv {
    struct lw_arena arena;
    int count;
    char *argument[LW_ARGV_MAX + 1];
    bool open;  /* the last word has no end yet: there is no blank behind it */
    char quote; /* and this quote is not closed */
};
/* False when there are too many words; free them all the same. */
bool lw_argv_split(struct lw_argv *operands, const char *line);
void lw_argv_free(struct lw_argv *operands);

/* Runs something that prints to `out` and complains on standard error; it has no standard input. What it
 * prints and complains of is appended. Returns what it returns. */
enum lw_status lw_capture(enum lw_status (*run)(void *context, FILE *out), void *context,
                          struct lw_text *printed, struct lw_text *error_text);

/* shell.c: the command line inside the explorer. */
struct lw_tui_shell;
extern const struct lw_tui_shell lw_shell;

/* ---- report_table.c: rows of text that are one table in any format ---- */

struct lw_report_table {
    const char *const *heads; /* `cols` of them */
    size_t cols, cell_count, room;
    char **cells; /* row after row */
    bool failed;
};

enum lw_report_table_format { LW_REPORT_TABLE_TEXT, LW_REPORT_TABLE_MARKDOWN, LW_REPORT_TABLE_CSV };

/* Adds the next cell, row after row. */
void lw_report_table_cell(struct lw_report_table *sheet, const char *text);
void lw_report_table_number(struct lw_report_table *sheet, uint64_t number);
size_t lw_report_table_rows(const struct lw_report_table *sheet);
/* Text is ruled in the style of that name; NULL: simple. CSV ends its lines as git and jq do. */
bool lw_report_table_write(const struct lw_report_table *sheet, enum lw_report_table_format format,
                           const char *style, FILE *out, struct lw_error *err);
void lw_report_table_free(struct lw_report_table *sheet);

/* ---- Printed from the tables ---- */

/* A topic of `help`: what people may ask about beside commands and encodings. */
struct lw_topic {
    const char *name;
    const char *title;
    const char *about;
    const struct lw_choices *choices; /* printed below, each with its help; NULL: none */
    const struct lw_command *command; /* the topic is the help of this one; NULL: none */
};

const struct lw_topic *lw_topics(size_t *count);

void lw_help_overview(struct lw_text *text);
void lw_help_command(struct lw_text *text, const struct lw_command *command);
void lw_help_topic(struct lw_text *text, const struct lw_topic *topic);
/* "-t, --type TYPE" */
void lw_help_option(struct lw_text *text, const struct lw_option *option);
/* "owners, hardware, matrix" */
void lw_help_names(struct lw_text *text, const struct lw_choices *choices);

void lw_print_man(struct lw_text *text);
bool lw_print_completions(struct lw_text *text, const char *shell);

#endif
