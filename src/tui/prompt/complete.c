/* Completes the text at a prompt: commands, then their arguments. The table of commands has the kind of each; for
 * commands of the program the shell of the command line completes the arguments. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/prompt/let.h"
#include "tui/prompt/prompt.h"

#include "laneway/calc.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- All words ---- */

const struct lw_prompt_command *lw_prompt_command_find(const struct lw_explorer *ex,
                                                       const char *line)
{
    line += strspn(line, " ");
    size_t length = strcspn(line, " ");
    for (size_t i = 0; i < ex->tables.command_count; i++) {
        const struct lw_prompt_command *command = &ex->tables.commands[i];
        const char *const names[] = {command->name, command->also};
        for (int n = 0; n < 2; n++)
            if (names[n] && strlen(names[n]) == length && !strncmp(names[n], line, length))
                return command;
    }
    return NULL;
}

const char *lw_prompt_command_name(const struct lw_explorer *ex, size_t i)
{
    const struct lw_tables *tables = &ex->tables;
    if (i >= tables->command_count + tables->action_count)
        return NULL;
    return i < tables->command_count ? tables->commands[i].name
                                     : tables->actions[i - tables->command_count].name;
}

static bool view_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    (void)ex;
    if (i < count)
        lw_text_add(typed, types[i]->name);
    return i < count;
}

/* The names of the rows that a function returns. */
#define ROW_AT(LIST, ROW, ROWS)                                                                    \
    static bool LIST##_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)                 \
    {                                                                                              \
        size_t count;                                                                              \
        const struct ROW *rows = ROWS(&count);                                                     \
        (void)ex;                                                                                  \
        if (i < count)                                                                             \
            lw_text_add(typed, rows[i].name);                                                      \
        return i < count;                                                                          \
    }
ROW_AT(color, lw_color_key, lw_color_keys)
ROW_AT(version, lw_triton_version, lw_triton_versions)
ROW_AT(target, lw_hardware, lw_hardware_list)

static bool field_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    for (size_t f = 0; f < ex->form.count; f++)
        if (ex->form.fields[f].path[0] && !ex->form.fields[f].folds && i-- == 0) {
            lw_form_put_path(ex, typed, f);
            lw_text_char(typed, '=');
            return true;
        }
    return false;
}

static bool theme_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    char name[48];
    (void)ex;
    if (i > 0 && !lw_theme_name(i - 1, name))
        return false;
    lw_text_add(typed, i > 0 ? name : "auto");
    return true;
}

static bool setting_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    size_t count;
    const struct lw_setting *table = lw_setting_table(&count);
    (void)ex;
    if (i < count)
        lw_text_format(typed, "%s=", table[i].name);
    return i < count;
}

static bool source_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    size_t count, kernels;
    const struct lw_gallery_entry *gallery = lw_gallery(&count);
    const struct lw_gallery_entry *compiled = lw_gallery_kernels(&kernels);
    const bool bound = i >= count + kernels && i - count - kernels < ex->prompt.let_count;
    const char *own = bound ? ex->prompt.lets[i - count - kernels].name : NULL;
    if (own || i < count + kernels)
        lw_text_add(typed, own ? own : i < count ? gallery[i].name : compiled[i - count].name);
    return own || i < count + kernels;
}

static bool mma_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    (void)ex;
    return lw_mma_name(i, typed);
}

static bool mark_at(struct lw_explorer *ex, size_t i, struct lw_text *typed)
{
    return lw_mark_offer(ex, i, typed);
}

static bool (*const lists[])(struct lw_explorer *ex, size_t i, struct lw_text *typed) = {
    [LW_COMPLETES_VIEWS] = view_at,      [LW_COMPLETES_COLORS] = color_at,
    [LW_COMPLETES_FIELDS] = field_at,    [LW_COMPLETES_THEMES] = theme_at,
    [LW_COMPLETES_OPTIONS] = setting_at, [LW_COMPLETES_SOURCES] = source_at,
    [LW_COMPLETES_TARGETS] = target_at,  [LW_COMPLETES_VERSIONS] = version_at,
    [LW_COMPLETES_MMAS] = mma_at,        [LW_COMPLETES_MARKS] = mark_at,
};

void lw_complete_list(struct lw_explorer *ex, enum lw_completes what, struct lw_text *text)
{
    bool more = true;
    for (size_t i = 0; more; i++) {
        struct lw_text typed = {0};
        more = lists[what](ex, i, &typed);
        if (more)
            lw_text_format(text, "%s%s", i ? "  " : "", lw_text_string(&typed));
        lw_text_free(&typed);
    }
}

/* ---- Candidates ---- */

struct candidates {
    const char *typed; /* the word so far */
    char common[256];  /* the common prefix of all candidates */
    char chosen[256];  /* candidate number `at` */
    size_t at, count;
    const char *help;    /* the help of the next candidate; NULL: none */
    struct lw_text list; /* as lw_prompt_state.candidates, from the chosen one on */
};

static void consider(struct candidates *all, const char *typed)
{
    size_t length = strlen(all->typed), same = 0;
    if (strncmp(typed, all->typed, length) != 0 || strlen(typed) >= sizeof all->common)
        return;
    if (all->count++ == 0)
        memcpy(all->common, typed, strlen(typed) + 1);
    while (all->common[same] && all->common[same] == typed[same])
        same++;
    all->common[same] = '\0';
    if (all->count - 1 == all->at)
        memcpy(all->chosen, typed, strlen(typed) + 1);
    if (all->count <= all->at || all->list.length >= 16384)
        return;
    if (all->help)
        lw_text_format(&all->list, "%s\t%s\n", typed, all->help);
    else
        lw_text_format(&all->list, "%s%s", all->list.length ? "  " : "", typed);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void consider_file(struct candidates *all, const char *folder, const char *name, bool hidden)
{
    struct lw_text path = {0};
    struct stat info;
    if ((name[0] == '.' && !hidden) || !strcmp(name, ".") || !strcmp(name, ".."))
        return;
    lw_text_format(&path, "%s%s", folder, name);
    if (stat(lw_text_string(&path), &info) == 0 && S_ISDIR(info.st_mode))
        lw_text_char(&path, '/');
    consider(all, lw_text_string(&path));
    lw_text_free(&path);
}

/* Considers the files in the folder of the typed word, by name. */
static void consider_files(struct candidates *all)
{
    const char *slash = strrchr(all->typed, '/');
    size_t length = slash ? (size_t)(slash - all->typed) + 1 : 0;
    struct dirent **items;
    char folder[256];
    if (length + 1 >= sizeof folder)
        return;
    snprintf(folder, sizeof folder, "%.*s", (int)length, all->typed);
    int count = scandir(length ? folder : ".", &items, NULL, by_name);
    for (int i = 0; i < count; i++) {
        consider_file(all, folder, items[i]->d_name, all->typed[length] == '.');
        free(items[i]);
    }
    if (count >= 0)
        free(items);
}

static void consider_list(struct lw_explorer *ex, struct candidates *all, enum lw_completes what)
{
    for (size_t i = 0;; i++) {
        struct lw_text typed = {0};
        bool more = lists[what](ex, i, &typed);
        if (more)
            consider(all, lw_text_string(&typed));
        lw_text_free(&typed);
        if (!more)
            return;
    }
}

static void consider_shell(struct lw_explorer *ex, struct candidates *all, const char *line)
{
    const struct lw_tui_shell *shell = ex->options->shell;
    for (size_t i = 0; shell; i++) {
        struct lw_text typed = {0};
        bool more = shell->complete(shell->context, line, i, &typed);
        if (more)
            consider(all, lw_text_string(&typed));
        lw_text_free(&typed);
        if (!more)
            return;
    }
}

/* Whether `it` is a layout of CuTe. */
static bool is_of_cute(struct lw_explorer *ex)
{
    struct lw_calc_binding it = {.name = "it"};
    struct lw_arena arena = {0};
    struct lw_error err;
    const struct lw_entry *entry = lw_explorer_entry(ex);
    bool cute = entry->loaded && lw_calc_bind_cute(&it, entry->doc->encoding, &arena, &err);
    lw_arena_free(&arena);
    return cute;
}

/* Considers the methods of the calculator for the layout's system, after the last dot of the typed text; without a dot
 * its functions, with `functions`. */
static void consider_operations(struct lw_explorer *ex, struct candidates *all, bool functions)
{
    const char *dot = strrchr(all->typed, '.');
    const bool cute = is_of_cute(ex) && (!dot || !strncmp(all->typed, "it.", 3));
    const enum lw_calc_on on = cute ? LW_CALC_OF_CUTE : LW_CALC_OF_LAYOUT;
    const struct lw_calc_operation *operation;
    for (size_t i = 0; (dot || functions) && (operation = lw_calc_operation_at(i)) != NULL; i++)
        if (operation->on == on) {
            struct lw_text typed = {0};
            if (dot)
                lw_text_format(&typed, "%.*s.", (int)(dot - all->typed), all->typed);
            lw_text_format(&typed, "%s(", operation->name);
            all->help = operation->help;
            consider(all, lw_text_string(&typed));
            lw_text_free(&typed);
        }
    all->help = NULL;
}

/* Whether name i is that of a name before it, as an action may have the name of a command. */
static bool is_named_before(const struct lw_explorer *ex, size_t i)
{
    for (size_t before = 0; before < i; before++)
        if (!strcmp(lw_prompt_command_name(ex, before), lw_prompt_command_name(ex, i)))
            return true;
    return false;
}

static void find_candidates(struct lw_explorer *ex, struct candidates *all, const char *line,
                            bool first)
{
    if (ex->focus == LW_FOCUS_MARK) {
        consider_list(ex, all, LW_COMPLETES_MARKS);
    } else if (ex->focus != LW_FOCUS_COMMAND) {
        consider_files(all);
    } else if (first) {
        for (size_t i = 0; lw_prompt_command_name(ex, i); i++)
            if (!is_named_before(ex, i))
                consider(all, lw_prompt_command_name(ex, i));
        consider_shell(ex, all, line);
        consider_operations(ex, all, false);
    } else {
        const struct lw_prompt_command *command = lw_prompt_command_find(ex, line);
        enum lw_completes what = command ? command->completes : LW_COMPLETES_SHELL;
        if (what == LW_COMPLETES_SHELL)
            consider_shell(ex, all, line);
        else if (what == LW_COMPLETES_OPERATIONS)
            consider_operations(ex, all, true);
        else if (what != LW_COMPLETES_NOTHING && what != LW_COMPLETES_FILES)
            consider_list(ex, all, what);
        if (what == LW_COMPLETES_FILES || what == LW_COMPLETES_SOURCES ||
            what == LW_COMPLETES_TARGETS || what == LW_COMPLETES_SHELL)
            consider_files(all);
    }
}

/* Replaces the typed part of the word by the completed one. */
static void insert(struct lw_explorer *ex, size_t start, const struct candidates *all, bool alone)
{
    struct lw_text line = {0};
    const char *text = lw_text_string(&ex->prompt.line.text);
    size_t end = strlen(all->common);
    lw_text_bytes(&line, text, start);
    lw_text_add(&line, all->common);
    ex->prompt.tabbing.blank =
        alone && end && !strchr("=/(", all->common[end - 1]) && ex->focus == LW_FOCUS_COMMAND;
    if (ex->prompt.tabbing.blank)
        lw_text_char(&line, ' ');
    lw_line_set(&ex->prompt.line, lw_text_string(&line));
    lw_text_free(&line);
}

/* Where the word begins that is completed: after the last blank, but of `mark` after its name, as in "bank 7". */
static size_t argument_start(struct lw_explorer *ex, const char *text, const char *blank)
{
    const struct lw_prompt_command *command = lw_prompt_command_find(ex, text);
    const size_t name = strspn(text, " ") + strcspn(text + strspn(text, " "), " ");
    if (command && command->completes == LW_COMPLETES_MARKS && text + name <= blank)
        return name + strspn(text + name, " ");
    return (size_t)(blank - text) + 1;
}

/* The first Tab completes the common prefix and lists the candidates; the next ones go through them. */
void lw_complete(struct lw_explorer *ex, int unused)
{
    struct lw_text line = {0};
    struct candidates all = {0};
    bool again = ex->prompt.tabbing.on;
    (void)unused;
    lw_text_bytes(&line, lw_text_string(&ex->prompt.line.text),
                  again ? ex->prompt.tabbing.length : ex->prompt.line.caret);
    const char *text = lw_text_string(&line), *blank = strrchr(text, ' ');
    size_t start = blank && ex->focus == LW_FOCUS_COMMAND ? argument_start(ex, text, blank) : 0;
    bool at_end = ex->prompt.line.caret == ex->prompt.line.text.length;
    all.typed = text + start;
    all.at = again ? ex->prompt.tabbing.at : 0;
    find_candidates(ex, &all, text, strspn(text, " ") == start);
    if (again && all.chosen[0])
        memcpy(all.common, all.chosen, sizeof all.common);
    lw_text_clear(&ex->prompt.candidates);
    if (at_end && all.count > 0)
        insert(ex, start, &all, all.count == 1);
    if (all.count != 1)
        lw_text_add(&ex->prompt.candidates, all.count ? lw_text_string(&all.list) : "nothing fits");
    ex->prompt.tabbing.on = at_end && all.count > 1;
    if (!again)
        ex->prompt.tabbing.length = ex->prompt.line.text.length;
    ex->prompt.tabbing.at = again && all.count ? (all.at + 1) % all.count : 0;
    lw_text_free(&all.list);
    lw_text_free(&line);
}
