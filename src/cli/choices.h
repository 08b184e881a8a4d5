#ifndef LANEWAY_CHOICES_H
#define LANEWAY_CHOICES_H

/* Lists of names with a line of help each, read from the tables that own them; or of words alone. Options, help and
 * completions use them. */

#include "laneway/text.h"

struct lw_choice {
    const char *name; /* "": not printed */
    const char *help;
};

struct lw_choices {
    /* Choice number i, at most their count; false when there are no more. */
    bool (*at)(const void *context, size_t i, struct lw_choice *choice);
    const void *context;
};

size_t lw_choices_count(const struct lw_choices *choices);
bool lw_choices_have(const struct lw_choices *choices, const char *name);
/* What to use in place of a choice that there was once; NULL: there was none. */
const char *lw_choices_dropped(const struct lw_choices *choices, const char *name);
/* The choice whose name is near, or NULL; see lw_text_nearest. */
const char *lw_choices_nearest(const struct lw_choices *choices, const char *name);
/* Appends the names with the separator between them. */
void lw_choices_print(struct lw_text *text, const struct lw_choices *choices,
                      const char *separator);
/* One list after another: `context` is an array of pointers to lists that ends with NULL. */
bool lw_choices_joined(const void *context, size_t i, struct lw_choice *choice);
/* Words without help: `context` is "auto\0always\0never\0". */
bool lw_choices_word(const void *context, size_t i, struct lw_choice *choice);

extern const struct lw_choices lw_choices_views;
extern const struct lw_choices lw_choices_formats;
extern const struct lw_choices lw_choices_styles;
extern const struct lw_choices lw_choices_palettes;
extern const struct lw_choices lw_choices_color_keys;
extern const struct lw_choices lw_choices_targets;
extern const struct lw_choices lw_choices_versions;
extern const struct lw_choices lw_choices_encodings;
extern const struct lw_choices lw_choices_gallery;
extern const struct lw_choices lw_choices_operations;
extern const struct lw_choices lw_choices_lessons;
extern const struct lw_choices lw_choices_files; /* empty: the shell completes files by itself */
extern const struct lw_choices lw_choices_script;
extern const struct lw_choices lw_choices_goals;
extern const struct lw_choices lw_choices_step_keys;
extern const struct lw_choices lw_choices_languages;

#endif
