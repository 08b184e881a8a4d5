/* A key that does nothing where the focus is: a message has where it does something, or which key lists the keys. */

#include "tui/explore/explorer.h"

#include <string.h>

enum { BROWSING = LW_FOCUS_KERNEL | LW_FOCUS_FOLDER };

static const struct {
    unsigned focus;
    const char *name;
} panes[] = {
    {LW_FOCUS_VIEW, "the view"}, {LW_FOCUS_FORM, "the form"}, {LW_FOCUS_GALLERY, "the list"}};

/* The pane beside this one in which the key does something; NULL: none. */
static const char *pane_of(const struct lw_explorer *ex, uint32_t key)
{
    enum { PANES = LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_GALLERY | LW_FOCUS_LESSON };
    size_t view;
    for (size_t i = 0; (ex->focus & PANES) && i < sizeof panes / sizeof *panes; i++)
        if (lw_key_action_for(panes[i].focus, key) ||
            (panes[i].focus == LW_FOCUS_VIEW && lw_view_of_key(key, &view)))
            return panes[i].name;
    return NULL;
}

/* Reports where a key without a use in a table of kernels has one: in a kernel, a lesson or a layout; false: nowhere.
 */
static bool report_browsing(struct lw_explorer *ex, uint32_t key, const char *name)
{
    const struct lw_key_action *action = lw_key_action_for(LW_FOCUS_VIEW | LW_FOCUS_FORM, key);
    const bool folder = ex->focus == LW_FOCUS_FOLDER;
    size_t view;
    if (folder && lw_key_action_for(LW_FOCUS_KERNEL, key))
        lw_explorer_set_message(ex, false, "%s works in a kernel: Enter opens this one", name);
    else if (action && !strncmp(action->name, "lesson-", strlen("lesson-")))
        lw_explorer_set_message(ex, false, "%s works in a lesson: :learn lists them", name);
    else if ((action || lw_view_of_key(key, &view)) && folder)
        lw_explorer_set_message(
            ex, false, "%s needs a layout: Enter opens the kernel, and there Enter opens one",
            name);
    else if (action || lw_view_of_key(key, &view))
        lw_explorer_set_message(ex, false, "%s needs a layout: Enter leads to one", name);
    else
        return false;
    return true;
}

bool lw_key_report_unused(struct lw_explorer *ex, uint32_t key)
{
    char name[16];
    size_t view;
    lw_key_name(key, name);
    if (!key || !name[0])
        return false;
    const char *pane = pane_of(ex, key);
    bool of_layout =
        lw_key_action_for(LW_FOCUS_VIEW | LW_FOCUS_FORM, key) || lw_view_of_key(key, &view);
    if ((ex->focus & BROWSING) && report_browsing(ex, key, name))
        return true;
    if (pane)
        lw_explorer_set_message(ex, false, "%s works in %s: Tab leads there", name, pane);
    else if (ex->focus == LW_FOCUS_SOLVE && of_layout)
        lw_explorer_set_message(ex, false, "%s works in the view: Esc leads there", name);
    else if (ex->focus == LW_FOCUS_HELP)
        lw_explorer_set_message(ex, false, "%s has no use here: Esc closes this list of the keys",
                                name);
    else
        lw_explorer_set_message(ex, false, "%s has no use here: %s lists the keys", name,
                                lw_key_action_for(ex->focus, '?') ? "?" : "F1");
    return true;
}
