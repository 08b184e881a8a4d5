#ifndef LANEWAY_SETTING_H
#define LANEWAY_SETTING_H

/*
 * Settings: a flat JSON object against a table of what may be in it. Whoever has settings owns the
 * table and the struct that they go to; nothing else needs to know their names.
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

/* Reads a text into *settings. What cannot be taken is added to the report, with its line, and the
 * rest goes on; what is not said stays as it was. True when all was taken. */
bool lw_settings_read(const char *text, size_t length, const struct lw_setting *table, size_t count,
                      void *settings, struct lw_report *report);
/* "mouse", "false": as people type it. */
bool lw_settings_set(const struct lw_setting *table, size_t count, void *settings, const char *name,
                     const char *value, struct lw_error *err);
/* As JSON, in the order of the table. */
void lw_settings_print(struct lw_text *text, const struct lw_setting *table, size_t count,
                       const void *settings);
/* The value of one, as people type it. */
void lw_setting_print(struct lw_text *text, const struct lw_setting *setting, const void *settings);

#endif
