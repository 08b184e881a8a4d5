#ifndef LANEWAY_SETTING_H
#define LANEWAY_SETTING_H

/*
 * Settings: a flat JSON object, read by a table of its members. The room that uses them has the table and the struct
 * that they are stored in.
 */

#include "laneway/arena.h"
#include "laneway/error.h"
#include "laneway/text.h"
#include "laneway/value.h"

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

/* Reads a text into *settings. Each problem is added to the report with its position, and reading goes
 * on; a setting that is not in the text keeps its value. */
void lw_settings_read(const char *text, size_t length, const struct lw_setting *table, size_t count,
                      void *settings, struct lw_report *report);
/* Sets one from what people type: "mouse", "false". */
bool lw_settings_set(const struct lw_setting *table, size_t count, void *settings, const char *name,
                     const char *value, struct lw_error *err);
/* Prints all as JSON, in the order of the table. */
void lw_settings_print(struct lw_text *text, const struct lw_setting *table, size_t count,
                       const void *settings);
/* Prints the value of one, as people type it. */
void lw_setting_print(struct lw_text *text, const struct lw_setting *setting, const void *settings);

/* Reads a text that must be one JSON object; `example` is shown in the message. */
bool lw_read_json_object(struct lw_arena *arena, const char *text, size_t length,
                         const char *example, struct lw_value *object, struct lw_error *err);

#endif
