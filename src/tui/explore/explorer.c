/* Beginning and end of the explorer. */

#include "kernel/kernel_folder.h"
#include "tui/draw/drawing.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/lesson/lesson_run.h"
#include "tui/access/solve.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

/* Shows two layouts of the command line side by side; of more, the list. */
static void show_second(struct lw_explorer *ex)
{
    if (ex->options->count != 2)
        return;
    const struct lw_entry *second = &ex->list.entries[1];
    lw_compare_show(ex, second->doc, lw_entry_name(second),
                    lw_options_keep_sources(ex) ? second->source : "");
    lw_refresh(ex, 0);
    lw_job_try(ex); /* the first picture has the differences, if they are counted in that time */
}

/* Opens the kernel or the folder of kernels of the command line; of a folder without kernels the list has the layouts.
 */
static bool open_browsed(struct lw_explorer *ex, struct lw_error *err)
{
    struct lw_error why = {0};
    const char *source = ex->options->sources[0];
    if (lw_browse_open(ex, source, &why))
        return true;
    ex->list.of_folder = why.code == LW_ERROR_NAME && lw_is_folder(source);
    if (ex->list.of_folder)
        lw_browse_free(ex);
    else if (err)
        *err = why;
    return ex->list.of_folder;
}

bool lw_explorer_init(struct lw_explorer *ex, const struct lw_tui_options *options,
                      struct lw_error *err)
{
    memset(ex, 0, sizeof *ex);
    ex->options = options;
    ex->tables.actions = lw_key_actions(&ex->tables.action_count);
    ex->tables.commands = lw_prompt_commands(&ex->tables.command_count);
    ex->tables.run_command = lw_command;
    ex->layouts.hardware = options->hardware;
    ex->screen.height = 24;
    ex->screen.width = 80;
    ex->panes.active = ex->panes.all;
    ex->panes.count = 1;
    lw_settings_default(&ex->keep.settings);
    lw_theme_load(&ex->keep.theme, "dark", NULL);
    bool browses = options->count && lw_is_kernel_or_folder(options->sources[0]);
    bool several = browses && options->count > 1;
    if ((several && !lw_browse_open_named(ex, err)) ||
        (browses && !several && !open_browsed(ex, err)) ||
        !(ex->list.of_folder ? lw_entries_of_folder : lw_entries_make)(ex, err)) {
        lw_explorer_free(ex);
        return false;
    }
    if (browses && !ex->list.of_folder) {
        ex->trail.root = ex->focus;
        return true;
    }
    /* The sources named by the user must open; a gallery entry that cannot be read is marked. */
    for (size_t i = 0; i < options->count && !ex->list.of_folder; i++)
        if (!lw_entry_load(ex, i, err)) {
            lw_explorer_free(ex);
            return false;
        }
    ex->focus = ex->trail.root = lw_list_is_shown(ex) ? LW_FOCUS_GALLERY : LW_FOCUS_VIEW;
    size_t first = 0;
    for (size_t i = 0; options->start && i < ex->list.count && !options->count; i++)
        if (!strcmp(ex->list.entries[i].source, options->start))
            first = i;
    if (ex->list.count)
        lw_explorer_show(ex, first);
    if (options->count && !ex->layouts.has_opened && !ex->list.of_folder) {
        if (err)
            *err = ex->layouts.problem;
        lw_explorer_free(ex);
        return false;
    }
    show_second(ex);
    return true;
}

struct lw_explorer *lw_explorer_new(const struct lw_tui_options *options, struct lw_error *err)
{
    struct lw_explorer *ex = malloc(sizeof *ex);
    if (!ex)
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    else if (lw_explorer_init(ex, options, err))
        return ex;
    free(ex);
    return NULL;
}

void lw_explorer_delete(struct lw_explorer *ex)
{
    lw_explorer_free(ex);
    free(ex);
}

void lw_explorer_free(struct lw_explorer *ex)
{
    lw_job_cancel(ex);
    for (size_t i = 0; i < ex->list.count; i++)
        lw_entry_free(&ex->list.entries[i]);
    free(ex->list.entries);
    lw_layouts_close(ex);
    if (ex->form.has_before)
        lw_document_free(&ex->form.before);
    lw_browse_free(ex);
    lw_explanation_free(&ex->panes.explanation);
    lw_form_free(ex);
    lw_marks_free(ex);
    lw_lesson_end(ex);
    lw_text_free(&ex->form.edit.text);
    lw_text_free(&ex->form.pick.filter.text);
    lw_text_free(&ex->prompt.line.text);
    for (int i = 0; i < LW_OVER_MAX; i++)
        lw_text_free(&ex->prompt.under[i].text);
    lw_text_free(&ex->page.text);
    lw_text_free(&ex->prompt.candidates);
    lw_recall_free(ex);
    lw_trail_free(ex);
    lw_recovery_close(&ex->keep.recovery);
    lw_text_free(&ex->clipboard.text);
    lw_text_free(&ex->keep.warnings);
    lw_lets_free(ex);
    lw_layout_pick_free(ex);
    memset(ex, 0, sizeof *ex);
}
