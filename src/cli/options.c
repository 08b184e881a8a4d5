/* Lists of names for options and help, each read from the table that owns them, and the table of the options. */

#include "cli/options.h"
#include "core/unused.h"

#include "export/formats.h"
#include "laneway/laneway.h"
#include "laneway/formula.h"
#include "laneway/translate.h"
#include "notation/document/lesson.h"
#include "tui/tui.h"
#include "view/views.h"

#include <string.h>

size_t lw_choices_count(const struct lw_choices *choices)
{
    struct lw_choice choice;
    size_t count = 0;
    while (choices->at(choices->context, count, &choice))
        count++;
    return count;
}

static bool has(const struct lw_choices *choices, const char *name)
{
    struct lw_choice choice;
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++)
        if (!strcmp(choice.name, name))
            return true;
    if (choices != &lw_choices_views)
        return false;
    bool good = true; /* names with commas between them */
    for (size_t length; good && *name; name += length + (name[length] != '\0')) {
        struct lw_text one = {0};
        length = strcspn(name, ",");
        lw_text_bytes(&one, name, length);
        good = lw_view_type_find(lw_text_string(&one)) != NULL && strcmp(name + length, ",") != 0;
        lw_text_free(&one);
    }
    return good;
}

bool lw_choices_check(const struct lw_choices *choices, const char *what, const char *name,
                      struct lw_error *err)
{
    struct lw_text names = {0};
    if (has(choices, name))
        return true;
    const char *instead = choices == &lw_choices_formats ? lw_format_dropped(name)
                          : choices == &lw_choices_views ? lw_view_dropped(name)
                                                         : NULL;
    if (instead)
        return lw_error_set(err, LW_ERROR_NAME, "%s %.40s was removed: use %s", what, name,
                            instead);
    lw_choices_print(&names, choices, ", ");
    lw_error_set(err, LW_ERROR_NAME, "unknown %s '%.40s': expected one of %s", what, name,
                 lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

static const char *name_at(const void *choices, size_t i)
{
    const struct lw_choices *list = choices;
    struct lw_choice choice;
    return list->at(list->context, i, &choice) ? choice.name : NULL;
}

const char *lw_choices_nearest(const struct lw_choices *choices, const char *name)
{
    return lw_text_nearest(name, lw_choices_count(choices), name_at, choices);
}

void lw_choices_print(struct lw_text *text, const struct lw_choices *choices, const char *separator)
{
    struct lw_choice choice;
    bool first = true;
    for (size_t i = 0; choices->at(choices->context, i, &choice); i++) {
        if (!*choice.name)
            continue;
        lw_text_format(text, "%s%s", first ? "" : separator, choice.name);
        first = false;
    }
}

bool lw_choices_joined(const void *context, size_t i, struct lw_choice *choice)
{
    const struct lw_choices *const *list = context;
    for (size_t count; *list && i >= (count = lw_choices_count(*list)); list++)
        i -= count;
    return *list && (*list)->at((*list)->context, i, choice);
}

/* Makes a list of a function that returns an array of rows, or of pointers to rows; a PART is a list within a joined
 * one. */
#define ROW_POINTER(rows, i) (rows)[i]
#define ROW(rows, i) (&(rows)[i])
#define CHOICE_AT(list, rows_type, rows_function, row, name_field, help_field)                     \
    static bool list##_at(LW_UNUSED const void *unused, size_t i, struct lw_choice *choice)        \
    {                                                                                              \
        size_t count;                                                                              \
        rows_type rows = rows_function(&count);                                                    \
        if (i < count)                                                                             \
            *choice = (struct lw_choice){row(rows, i)->name_field, row(rows, i)->help_field};      \
        return i < count;                                                                          \
    }
#define CHOICES(list, ...)                                                                         \
    CHOICE_AT(list, __VA_ARGS__)                                                                   \
    const struct lw_choices lw_choices_##list = {list##_at, NULL}
#define PART(list, ...)                                                                            \
    CHOICE_AT(list, __VA_ARGS__)                                                                   \
    static const struct lw_choices list = {list##_at, NULL}

CHOICES(views, const struct lw_view_type *const *, lw_view_types, ROW_POINTER, name, help);
CHOICES(formats, const struct lw_format *const *, lw_formats, ROW_POINTER, name, help);
CHOICES(targets, const struct lw_hardware *, lw_hardware_list, ROW, name, title);
CHOICES(versions, const struct lw_triton_version *, lw_triton_versions, ROW, name, help);
CHOICES(styles, const struct lw_style *, lw_styles, ROW, name, help);
CHOICES(palettes, const struct lw_export_palette *, lw_export_palettes, ROW, name, help);
CHOICES(color_keys, const struct lw_color_key *, lw_color_keys, ROW, name, help);
CHOICES(encodings, const struct lw_encoding_type *const *, lw_encoding_types, ROW_POINTER, name,
        title);
CHOICES(gallery, const struct lw_gallery_entry *, lw_gallery, ROW, name, name);
CHOICES(goals, const struct lw_goal_kind *, lw_goal_kinds, ROW, name, help);

static bool lesson_at(LW_UNUSED const void *unused, size_t i, struct lw_choice *choice)
{
    size_t count;
    const struct lw_gallery_entry *lessons = lw_lessons(&count);
    if (i < count)
        *choice = (struct lw_choice){lw_lesson_name(&lessons[i]), "a lesson"};
    return i < count;
}

const struct lw_choices lw_choices_lessons = {lesson_at, NULL};

static bool operation_at(LW_UNUSED const void *unused, size_t i, struct lw_choice *choice)
{
    const struct lw_calc_operation *operation = lw_calc_operation_at(i);
    if (operation)
        *choice = (struct lw_choice){operation->usage, operation->help};
    return operation;
}

const struct lw_choices lw_choices_operations = {operation_at, NULL};

const struct lw_choices lw_choices_files = {lw_choices_word, ""};

static bool step_key_at(LW_UNUSED const void *context, size_t i, struct lw_choice *choice)
{
    return lw_step_key(i, &choice->name, &choice->help);
}

const struct lw_choices lw_choices_step_keys = {step_key_at, NULL};

/* A line of a script begins with a command of scripts or with an action of the explorer. */
static bool script_at(LW_UNUSED const void *unused, size_t i, struct lw_choice *choice)
{
    choice->name = lw_tui_script_name(i, &choice->help);
    return choice->name != NULL;
}
const struct lw_choices lw_choices_script = {script_at, NULL};

/* --lang: notations of a layout, then languages of index arithmetic. */
PART(systems, const struct lw_translate_system *, lw_translate_systems, ROW, name, help);
PART(arithmetic, const struct lw_formula_language *, lw_formula_languages, ROW, name, help);
static const struct lw_choices *const languages[] = {&systems, &arithmetic, NULL};
const struct lw_choices lw_choices_languages = {lw_choices_joined, languages};

/* ---- Words ---- */

bool lw_choices_word(const void *context, size_t i, struct lw_choice *choice)
{
    const char *word = context;
    while (*word && i--)
        word += strlen(word) + 1;
    *choice = (struct lw_choice){word, ""};
    return *word;
}

/* ---- Options ---- */

#define NO_KEY LW_OPTION_NO_KEY
#define OTHER_SPELLINGS LW_OPTION_OTHER_SPELLINGS
#define VALUE_OPTIONAL LW_OPTION_VALUE_OPTIONAL
#define WORDS(list) (&(const struct lw_choices){lw_choices_word, list})
#define OPTION(ID, ...) {__VA_ARGS__},
static const struct lw_option options[LW_OPTION_COUNT] = {LW_OPTIONS(OPTION)};

const struct lw_option *lw_options(void)
{
    return options;
}

bool lw_options_have(uint64_t set, size_t id)
{
    return id < LW_OPTION_TITLE ? set >> id & 1 : (set & LW_OPTIONS_FIGURE) != 0;
}
