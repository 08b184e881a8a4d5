#ifndef LANEWAY_HELP_H
#define LANEWAY_HELP_H

/* Help, the manual page and completions, printed from the tables. */

#include "cli/arguments.h"

extern const struct lw_topic lw_topics[]; /* the last has no name */

/* Another name of a topic. */
struct lw_topic_name {
    const char *name, *topic; /* topic NULL: the manual page has it */
};
extern const struct lw_topic_name lw_topic_names[]; /* the last has no name */

void lw_help_overview(struct lw_text *text, const struct lw_program *program);
void lw_help_command(struct lw_text *text, const struct lw_command *command);
void lw_help_topic(struct lw_text *text, const struct lw_program *program,
                   const struct lw_topic *topic);
/* "-t, --type TYPE" */
void lw_help_option(struct lw_text *text, const struct lw_option *option);

/* The manual pages laneway(1) and laneway-encodings(7), in roff. */
void lw_print_man(struct lw_text *text, const struct lw_program *program);
void lw_print_encodings_man(struct lw_text *text);
bool lw_print_completions(struct lw_text *text, const struct lw_program *program,
                          const char *shell);

#endif
