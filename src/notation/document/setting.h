#ifndef LANEWAY_SETTING_H
#define LANEWAY_SETTING_H

/*
 * Settings: a flat JSON object, read by a table of the settings that it may have. The user of this header owns
 * the table and the struct that the values are in.
 */

#include "laneway/error.h"
#include "laneway/text.h"

enum lw_setting_kind {
    LW_SETTING_TRUTH, /* bool */
    LW_SETTING_CHOICE /* char[LW_CHOICE_MAX]: one of the choices, or any when there are none */
};

#define LW_CHOICE_MAX 48

struct lw_setting {
    const char *name;
    enum lw_setting_kind kind;
    size_t offset;       /* in the struct */
    const char *choices; /* "auto always never"; NULL: any word */
    const char *help;    /* one line */
};

/* Reads a text into *settings. Problems are added to the report, and reading continues; what is not in the text
 * stays as it was. True when there is no problem. */
bool lw_settings_read(const char *text, size_t length, const struct lw_setting *table, size_t count,
                      void *settings, struct lw_report *report);
/* Sets one from text: "mouse", "false". */
bool lw_settings_set(const struct lw_setting *table, size_t count, void *settings, const char *name,
                     const char *value, struct lw_error *err);
/* Appends all as JSON, in the order of the table. */
void lw_settings_print(struct lw_text *text, const struct lw_setting *table, size_t count,
                       const void *settings);
/* Appends the value of one as lw_settings_set reads it. */
void lw_setting_print(struct lw_text *text, const struct lw_setting *setting, const void *settings);

#endif
