#ifndef LANEWAY_HELP_H
#define LANEWAY_HELP_H

/* Help, the manual page and completions, printed from the tables. */

#include "cli/arguments.h"
#include "cli/capture.h"

extern const struct lw_topic lw_topics[]; /* the last has no name */

void lw_help_overview(struct lw_text *text, const struct lw_program *program);
void lw_help_command(struct lw_text *text, const struct lw_command *command);
void lw_help_topic(struct lw_text *text, const struct lw_program *program,
                   const struct lw_topic *topic);
/* A row: "-t, --type TYPE", and what it means with its choices, unless they are many. */
void lw_help_option(struct lw_text *text, const struct lw_option *option);
void lw_help_example(struct lw_text *text, const struct lw_example *example);

/* The manual pages laneway(1) and laneway-encodings(7), in roff. */
void lw_print_man(struct lw_text *text, const struct lw_program *program);
void lw_print_encodings_man(struct lw_text *text);

/* The words that continue the typed one, each with a tab and its help; then ":files" where it can be one. */
void lw_print_words(struct lw_text *text, const struct lw_program *program, const char *line);
/* The script of a shell, "bash", "zsh" or "fish", that prints these words. */
void lw_print_completions(struct lw_text *text, const char *shell);

#endif
