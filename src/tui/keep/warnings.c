/* Problems of kept files: the first one is a message, `:warnings` lists them all; a script reports each. */

#include "tui/explore/explorer.h"

#include <string.h>

/* Whether the same warning is in the list. */
static bool is_known(const struct lw_explorer *ex, const char *text)
{
    size_t length = strlen(text);
    for (const char *p = lw_text_string(&ex->keep.warnings); *p; p += strcspn(p, "\n") + 1)
        if (strcspn(p, "\n") == length && !strncmp(p, text, length))
            return true;
    return false;
}

void lw_warn(struct lw_explorer *ex, const char *text)
{
    if (is_known(ex, text))
        return;
    if (!ex->keep.warnings.length)
        lw_explorer_set_message(ex, true, "%s", text);
    lw_text_format(&ex->keep.warnings, "%s\n", text);
    ex->keep.warning_count++;
    if (ex->options->script && ex->options->warn)
        ex->options->warn(text);
    if (ex->keep.warning_count > 1)
        lw_explorer_set_message(ex, true, "%d warnings: :warnings lists them",
                                ex->keep.warning_count);
}

void lw_warn_of_report(struct lw_explorer *ex, const struct lw_report *report)
{
    for (int i = 0; i < report->count; i++)
        lw_warn(ex, report->errors[i].message);
}
