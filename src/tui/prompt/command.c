/* The commands that may follow `:`, a row for each. Every action of the keys is also a command, and any other text is
 * computed, with `it` as the layout on the screen. */

#include "tui/access/layout_pick.h"
#include "tui/access/verdict.h"
#include "tui/write/copy.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/access/solve.h"
#include "tui/prompt/prompt.h"
#include "tui/prompt/query_match.h"
#include "tui/tui.h"

#include "core/array_count.h"
#include "laneway/calc.h"

#include <stdlib.h>
#include <string.h>

enum { LISTS = LW_FOCUS_KERNEL | LW_FOCUS_FOLDER };

/* Shows the words that may follow a command, when it has no argument. */
static void show_choices(struct lw_explorer *ex, const char *command, enum lw_completes what)
{
    struct lw_text text = {0};
    lw_complete_list(ex, what, &text);
    lw_explorer_set_message(ex, false, "%s: one of %s", command, lw_text_string(&text));
    lw_text_free(&text);
}

static void theme(struct lw_explorer *ex, const char *name)
{
    if (*name)
        lw_option_theme(ex, name);
    else
        show_choices(ex, "theme", LW_COMPLETES_THEMES);
}

static void view(struct lw_explorer *ex, const char *name)
{
    if (!*name)
        show_choices(ex, "view", LW_COMPLETES_VIEWS);
    else if (!lw_explorer_view(ex, name))
        lw_explorer_set_message(
            ex, true, "unknown view '%s'; views are owners, hardware, matrix, memory, ...", name);
}

static void color(struct lw_explorer *ex, const char *name)
{
    size_t count;
    const struct lw_color_key *keys = lw_color_keys(&count);
    if (!*name) {
        show_choices(ex, "color", LW_COMPLETES_COLORS);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!strcmp(keys[i].name, name)) {
            ex->panes.active->color = i + 1;
            ex->changed |= LW_CHANGED_DETAIL;
            return;
        }
    lw_explorer_set_message(
        ex, true, "unknown field to colour by '%s'; fields are lane, warp, register, ...", name);
}

/* Sets the layout at a side of the access; without an argument shows it. */
static void set_side(struct lw_explorer *ex, const char *name, enum lw_side side,
                     const char *source)
{
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    struct lw_text text = {0};
    struct lw_document one;
    if (!*source && lw_explorer_entry(ex)->loaded && lw_document_has(doc, side)) {
        lw_document_side(&one, doc, side);
        lw_encoding_print(&text, one.encoding);
        lw_explorer_set_message(ex, false, "%s: %s", lw_side_name(side), lw_text_string(&text));
    } else if (!*source) {
        lw_explorer_set_message(ex, true,
                                "%s SOURCE: %s, so that 5 shows the banks of the access and 6 "
                                "the conversion",
                                name, lw_side_name(side));
    } else if (!strcmp(source, "none")) {
        if (lw_explorer_entry(ex)->loaded && !lw_document_has(doc, side))
            lw_explorer_set_message(ex, true, "there is no layout at %s to remove",
                                    lw_side_name(side));
        else if (lw_form_set(ex, name, ""))
            lw_explorer_set_message(ex, false, "%s removed; u undoes it", lw_side_name(side));
    } else if (side != LW_SIDE_S || !lw_bare_swizzle(ex, source)) {
        bool brief = side == LW_SIDE_S && lw_layout_brief(ex, source, &text);
        const char *wrong = side == LW_SIDE_S && !brief ? lw_layout_brief_wrong(source) : NULL;
        if (!lw_verdict_set(ex, name, brief ? lw_text_string(&text) : source) && wrong)
            lw_explorer_set_message(ex, true, "%s", wrong);
    }
    lw_text_free(&text);
}

static void store(struct lw_explorer *ex, const char *source)
{
    set_side(ex, "store", LW_SIDE_A, source);
}

static void shared(struct lw_explorer *ex, const char *source)
{
    set_side(ex, "shared", LW_SIDE_S, source);
}

static void load(struct lw_explorer *ex, const char *source)
{
    set_side(ex, "load", LW_SIDE_B, source);
}

static void with(struct lw_explorer *ex, const char *source)
{
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    bool shared_is_there = lw_explorer_entry(ex)->loaded && doc->others[LW_SIDE_S].encoding;
    set_side(ex, shared_is_there && *source ? "shared" : "with",
             shared_is_there ? LW_SIDE_S : LW_SIDE_B, source);
}

static void write_document(struct lw_explorer *ex, const char *path)
{
    if (*path)
        lw_save_as(ex, path);
    else
        lw_save(ex, 0);
}

/* Saves this layout and quits; if others have unsaved changes, a question is shown. */
static void write_and_quit(struct lw_explorer *ex, const char *path)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    if (!*path && !entry->dirty) {
        lw_quit(ex);
        return;
    }
    ex->save.quit_after = LW_QUIT_ENTRY_SAVED;
    write_document(ex, path);
}

static void quit(struct lw_explorer *ex, const char *unused)
{
    (void)unused;
    ex->save.quit_after = LW_QUIT_NOT;
    lw_quit(ex);
}

static void show_source(struct lw_explorer *ex, const char *unused)
{
    struct lw_text source = {0}, page = {0};
    (void)unused;
    if (lw_explorer_entry(ex)->loaded) {
        lw_explorer_source(ex, &source);
        lw_text_wrap(&page, lw_text_string(&source), 2, 0);
        lw_page_open(ex, "Source", lw_text_string(&page));
    }
    lw_text_free(&source);
    lw_text_free(&page);
}

static void warnings(struct lw_explorer *ex, const char *unused)
{
    (void)unused;
    lw_page_open(ex, "Warnings",
                 ex->keep.warnings.length ? lw_text_string(&ex->keep.warnings) : "none\n");
}

/* Sets the target; without an argument shows it. */
static void target(struct lw_explorer *ex, const char *name)
{
    const struct lw_hardware *hardware = *name ? lw_hardware_find(name) : lw_explorer_hardware(ex);
    struct lw_error err;
    if (!hardware && lw_target_is_file(name) && !lw_target_open(name, &hardware, &err)) {
        lw_explorer_set_message(ex, true, "%s", err.message);
        return;
    }
    if (!hardware) {
        lw_explorer_set_message(ex, true, "unknown target '%s': ':help targets' lists them", name);
        return;
    }
    if (*name) {
        if (lw_explorer_entry(ex)->hardware)
            lw_explorer_entry(ex)->hardware = hardware;
        else
            ex->layouts.hardware = hardware;
        ex->changed |= lw_explorer_entry(ex)->loaded ? LW_CHANGED_LAYOUT : 0;
    }
    const struct lw_bank_model *banks = hardware->banks;
    bool is_first = !strncmp(hardware->title, banks->name, strlen(banks->name));
    lw_explorer_set_message(ex, false, "%s: %s, %u lanes per warp, %u banks: %s%s%s",
                            hardware->name, hardware->title, hardware->lanes, banks->banks,
                            is_first ? "" : banks->name, is_first ? "" : ", ", banks->evidence);
}

/* Sets the version of Triton of this layout; without an argument shows it. */
static void triton(struct lw_explorer *ex, const char *name)
{
    const struct lw_entry *entry = lw_explorer_entry(ex);
    if (!entry->loaded || (*name && !lw_form_set(ex, "triton", name)))
        return;
    lw_explorer_set_message(ex, false, "by the rules of Triton %s",
                            lw_triton_name(entry->doc->encoding->triton));
}

static void swizzle(struct lw_explorer *ex, const char *arguments)
{
    struct lw_text line = {0}, brief = {0};
    lw_text_format(&line, "swizzle %s", arguments);
    if (!*arguments)
        lw_solve_page(ex);
    else if (lw_bare_swizzle(ex, arguments) || lw_bare_numbers(ex, arguments))
        ;
    else if (lw_layout_brief(ex, arguments, &brief) || lw_layout_brief_wrong(arguments))
        shared(ex, arguments);
    else if (!lw_run_program(ex, lw_text_string(&line)))
        lw_explorer_set_message(ex, true, "swizzle without a SOURCE searches for this layout");
    lw_text_free(&line);
    lw_text_free(&brief);
}

static void learn(struct lw_explorer *ex, const char *lesson)
{
    struct lw_error err = {0};
    if (!*lesson) {
        lw_lesson_list_from_here(ex);
        return;
    }
    lw_trail_push(ex);
    if (!lw_lesson_begin(ex, lesson, &err)) {
        lw_trail_drop(ex);
        lw_explorer_set_message(ex, true, "%s", err.message);
    }
}

static const struct lw_prompt_command commands[] = {
    {"set", NULL, "NAME=VALUE", "set parameters, or shape, element, encoding, store, shared, load",
     lw_command_set, LW_COMPLETES_FIELDS, true},
    {"view", NULL, "NAME", "show another view of this layout", view, LW_COMPLETES_VIEWS, true},
    {"color", NULL, "NAME", "the field to colour by", color, LW_COMPLETES_COLORS, true},
    {"find", NULL, "WHAT", "like the key /: 3,5 or t17 or w1 l3 r0 or bank 7; B 3,5 in operand B",
     lw_find, LW_COMPLETES_NOTHING, false},
    {"compare", NULL, "[SOURCE]", "compare with another layout; without SOURCE: with its document",
     lw_compare_with, LW_COMPLETES_SOURCES, true},
    {"mark", NULL, "WHAT", "highlight t17, bank 7 or 3,5, B 3,5 in operand B; again: remove it",
     lw_mark, LW_COMPLETES_MARKS, true},
    {"open", "e", "SOURCE", "open a layout, a kernel, or a folder of these, and add it to the list",
     lw_open, LW_COMPLETES_SOURCES, false},
    {"store", NULL, "[SOURCE]",
     "registers A of the access: where stores come from; none removes it", store,
     LW_COMPLETES_SOURCES, true},
    {"shared", NULL, "[SOURCE]",
     "shared S of the access, also vec 4,1,8, xor 8, pad 1 or Sw<3,3,3>; none removes it", shared,
     LW_COMPLETES_SOURCES, true},
    {"load", NULL, "[SOURCE]", "registers B of the access: where loads go; none: where A is", load,
     LW_COMPLETES_SOURCES, true},
    {"with", NULL, "[SOURCE]", "another layout: S when it is in shared memory, else B", with,
     LW_COMPLETES_SOURCES, true},
    {"mma", NULL, "[NAME]",
     "A, B and C of an MMA as one picture: m16n8k16, an atom of CuTe or a SOURCE", lw_mma_command,
     LW_COMPLETES_MMAS, false},
    {"learn", NULL, "[LESSON]", "begin a lesson, by number or name; without one: list them", learn,
     LW_COMPLETES_NOTHING, false},
    {"answer", NULL, "TEXT", "answer the question of a lesson's step", lw_lesson_answer,
     LW_COMPLETES_NOTHING, true},
    {"write", "w", "[FILE]", "save this layout, with its edits", write_document, LW_COMPLETES_FILES,
     true},
    {"wq", NULL, "[FILE]", "save this layout, then quit", write_and_quit, LW_COMPLETES_FILES, true},
    {"quit", "q", "", "quit, after a question about unsaved changes", quit, LW_COMPLETES_NOTHING,
     false},
    {"export", NULL, "FILE", "write this view or the selected cells; the extension sets the format",
     lw_export_to, LW_COMPLETES_FILES, true},
    {"source", NULL, "", "show this layout as a SOURCE, to copy", show_source, LW_COMPLETES_NOTHING,
     true},
    {"swizzle", NULL, "[Sw<B,M,S>]",
     "the best swizzle for this store and load, as a page; or that one, as shared S", swizzle,
     LW_COMPLETES_SHELL, true},
    {"target", NULL, "[NAME|FILE.json]",
     "the target hardware (sm90, gfx942, ... or a document): banks and lanes per warp", target,
     LW_COMPLETES_TARGETS, false},
    {"triton", NULL, "[VERSION]", "the version of Triton whose rules hold for this layout", triton,
     LW_COMPLETES_VERSIONS, true},
    {"theme", NULL, "NAME", "set the colours and save the setting: dark, light, safe, mono, ...",
     theme, LW_COMPLETES_THEMES, false},
    {"option", NULL, "[NAME=VALUE]", "set and save an option; without one: list them", lw_option,
     LW_COMPLETES_OPTIONS, false},
    {"unsaved", NULL, "", "restore or discard the unsaved changes that earlier runs left",
     lw_recovery_open, LW_COMPLETES_NOTHING, false},
    {"warnings", NULL, "", "errors in the files of settings", warnings, LW_COMPLETES_NOTHING,
     false},
    {"let", NULL, "[NAME=SOURCE]",
     "name a layout, or coalesce(it), until the explorer ends; without one: list them", lw_let,
     LW_COMPLETES_NOTHING, false},
    {"calc", NULL, "EXPR", "the layout calculator; `it` is this layout; 'calc' is optional",
     lw_calculate, LW_COMPLETES_OPERATIONS, false},
    {"help", NULL, "[NAME]", "this page, or help for a command, an action or a topic", lw_help,
     LW_COMPLETES_SHELL, false},
};

static const char *name_at(const void *ex, size_t i)
{
    return lw_prompt_command_name(ex, i);
}

const struct lw_prompt_command *lw_prompt_commands(size_t *count)
{
    *count = LW_COUNT(commands);
    return commands;
}

/* Shows "undo accepts no argument; alone: undo an edit". */
static void refuse_argument(struct lw_explorer *ex, const char *name, const char *what)
{
    lw_explorer_set_message(ex, true, "%s accepts no argument; alone: %s", name, what);
}

/* Shows that a text begins with no command; for an operation of the calculator, how it is called, for an element, how
 * it is found. */
static void set_unknown(struct lw_explorer *ex, const char *name, const char *text)
{
    size_t names = ex->tables.command_count + ex->tables.action_count;
    const struct lw_calc_operation *operation = lw_operation_named(name);
    struct lw_query q;
    if (operation) {
        const char *usage = operation->usage;
        bool method = !strncmp(usage, "A.", 2) || !strncmp(usage, "C.", 2);
        lw_explorer_set_message(ex, true, "%s is an operation of the calculator: :%s%s", name,
                                method ? "it" : "", usage + method);
        return;
    }
    if (lw_explorer_entry(ex)->loaded && lw_query_find(ex, text, &q)) {
        lw_explorer_set_message(ex, true,
                                "'%.40s' is no command: :find %.40s, or the key /, goes "
                                "there",
                                text, text);
        return;
    }
    const char *near = lw_text_nearest(name, names, name_at, ex);
    lw_explorer_set_message(ex, true, "unknown command '%s'%s%s%s; :help lists the commands", name,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* Whether a text begins with an integer, 3 or _3, as no command does. */
static bool starts_number(const char *text)
{
    text += *text == '_';
    return *text >= '0' && *text <= '9';
}

void lw_command(struct lw_explorer *ex, const char *text)
{
    char name[32];
    text += strspn(text, " ");
    size_t length = strcspn(text, " ");
    const char *rest = text + length + strspn(text + length, " ");
    const struct lw_prompt_command *command = lw_prompt_command_find(ex, text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    lw_recall_add(ex, text);
    const struct lw_key_action *action = lw_key_action_find(ex, name);
    bool list = ex->focus & LISTS;
    if (list &&
        (command ? command->layout : action && !*rest && !(action->focus_mask & ex->focus))) {
        lw_explorer_set_message(ex, true, "'%s' needs a layout: Enter opens one of this list",
                                name);
    } else if (command && *rest && !*command->arguments) {
        refuse_argument(ex, command->name, command->help);
    } else if (command) {
        struct lw_text named = {0};
        bool other = command->completes == LW_COMPLETES_SOURCES && command->run != lw_open &&
                     lw_let_source(ex, rest, &named);
        command->run(ex, other ? lw_text_string(&named) : rest);
        lw_text_free(&named);
    } else if (action && !*rest) {
        action->run(ex, action->argument);
        lw_lesson_use(ex, action->name);
    } else if ((list || lw_explorer_entry(ex)->loaded) && lw_run_program(ex, text)) {
        return;
    } else if (action && *rest && !strchr("(*=.", *rest)) {
        refuse_argument(ex, action->name, action->help);
    } else if (strpbrk(text, "(*=.<:") || (starts_number(text) && strpbrk(text, "+-/%")) ||
               lw_is_bound(ex, name)) {
        lw_calculate(ex, text);
    } else if (*text) {
        set_unknown(ex, name, text);
    }
}
