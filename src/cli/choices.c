/* Lists of names that options and help share: each is read from the table that owns them. */

#include "cli/cli.h"
#include "cli/report/kernel_report.h"
#include "tui/explore/explorer.h"
#include "tui/lesson/lesson_run.h"

#include "laneway/formula.h"
#include "laneway/translate.h"

#include <string.h>

bool lw_choices_have(const struct lw_choices *choices, const char *name)
{
    for (size_t i = 0; i < choices->count(); i++)
        if (!strcmp(choices->name(NULL, i), name))
            return true;
    return false;
}

const char *lw_nearest(const char *name, const struct lw_choices *choices)
{
    return lw_text_nearest(name, choices->count(), choices->name, NULL);
}

/* A list made from a function that yields an array of pointers to rows, or of rows. */
#define ROW_POINTER(rows, i) (rows)[i]
#define ROW(rows, i) (&(rows)[i])
#define CHOICES(list, rows_type, rows_function, row, name_field, help_field)                       \
    static size_t list##_count(void)                                                               \
    {                                                                                              \
        size_t count;                                                                              \
        rows_function(&count);                                                                     \
        return count;                                                                              \
    }                                                                                              \
    static const char *list##_name(const void *unused, size_t i)                                   \
    {                                                                                              \
        (void)unused;                                                                              \
        size_t count;                                                                              \
        rows_type rows = rows_function(&count);                                                    \
        return row(rows, i)->name_field;                                                           \
    }                                                                                              \
    static const char *list##_help(size_t i)                                                       \
    {                                                                                              \
        size_t count;                                                                              \
        rows_type rows = rows_function(&count);                                                    \
        return row(rows, i)->help_field;                                                           \
    }                                                                                              \
    const struct lw_choices lw_choices_##list = {list##_count, list##_name, list##_help}

CHOICES(views, const struct lw_view_type *const *, lw_view_types, ROW_POINTER, name, help);
CHOICES(formats, const struct lw_format *const *, lw_formats, ROW_POINTER, name, help);
CHOICES(targets, const struct lw_hardware *, lw_hardware_list, ROW, name, title);
CHOICES(styles, const struct lw_style *, lw_styles, ROW, name, help);
CHOICES(color_keys, const struct lw_color_key *, lw_color_keys, ROW, name, help);
CHOICES(commands, const struct lw_command *const *, lw_commands, ROW_POINTER, name, help);
CHOICES(encodings, const struct lw_encoding_type *const *, lw_encoding_types, ROW_POINTER, name,
        title);
CHOICES(gallery, const struct lw_gallery_entry *, lw_gallery, ROW, name, name);
CHOICES(groups, const struct lw_group *, lw_groups, ROW, name, help);
CHOICES(topics, const struct lw_topic *, lw_topics, ROW, name, title);
CHOICES(operations, const struct lw_calc_operation *, lw_calc_operations, ROW, usage, help);

/* What a line of a script may begin with: its own commands, then the actions of the explorer. */
static size_t script_count(void)
{
    size_t commands, actions;
    lw_script_commands(&commands);
    lw_key_actions(&actions);
    return commands + actions;
}

static const char *script_name(const void *unused, size_t i)
{
    size_t commands, actions;
    const struct lw_script_command *rows = lw_script_commands(&commands);
    (void)unused;
    return i < commands ? rows[i].name : lw_key_actions(&actions)[i - commands].name;
}

static const char *script_help(size_t i)
{
    size_t commands, actions;
    const struct lw_script_command *rows = lw_script_commands(&commands);
    return i < commands ? rows[i].help : lw_key_actions(&actions)[i - commands].help;
}

const struct lw_choices lw_choices_script = {script_count, script_name, script_help};

/* Short lists that nothing else owns. */
struct choice_row {
    const char *name;
    const char *help;
};

static const struct choice_row *colors(size_t *count)
{
    static const struct choice_row rows[] = {
        {"auto", "colours on a terminal, unless NO_COLOR is set (the default)"},
        {"always", "colours everywhere"},
        {"never", "no colours"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
CHOICES(colors, const struct choice_row *, colors, ROW, name, help);

static const struct choice_row *labels(size_t *count)
{
    static const struct choice_row rows[] = {
        {"auto", "where the format has them; on a whole owners view in text none (the default)"},
        {"always", "where the format has them"},
        {"never", "none"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
CHOICES(labels, const struct choice_row *, labels, ROW, name, help);

/* The systems of words, then the languages of index arithmetic. */
static size_t languages_count(void)
{
    size_t systems, languages;
    lw_translate_systems(&systems);
    lw_formula_languages(&languages);
    return systems + languages;
}

static const char *languages_name(const void *unused, size_t i)
{
    size_t systems, languages;
    const struct lw_translate_system *rows = lw_translate_systems(&systems);
    (void)unused;
    return i < systems ? rows[i].name : lw_formula_languages(&languages)[i - systems].name;
}

static const char *languages_help(size_t i)
{
    size_t systems, languages;
    const struct lw_translate_system *rows = lw_translate_systems(&systems);
    return i < systems ? rows[i].help : lw_formula_languages(&languages)[i - systems].help;
}

const struct lw_choices lw_choices_languages = {languages_count, languages_name, languages_help};

static const struct choice_row *shells(size_t *count)
{
    static const struct choice_row rows[] = {
        {"bash", "for /usr/share/bash-completion/completions/laneway"},
        {"zsh", "for a file _laneway on $fpath"},
        {"fish", "for ~/.config/fish/completions/laneway.fish"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
CHOICES(shells, const struct choice_row *, shells, ROW, name, help);

static const struct choice_row *ops(size_t *count)
{
    static const struct choice_row rows[] = {
        {"load", "from shared memory to registers"},
        {"store", "from registers to shared memory"},
        {"both", "one after the other (the default)"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
CHOICES(ops, const struct choice_row *, ops, ROW, name, help);

static const struct choice_row *stages(size_t *count)
{
    static const struct choice_row rows[] = {
        {"compiled", "those of the machine code, after the back end has merged (the default)"},
        {"triton", "Triton's own, before the back end"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
CHOICES(stages, const struct choice_row *, stages, ROW, name, help);
CHOICES(goals, const struct lw_goal_kind *, lw_goal_kinds, ROW, name, help);
