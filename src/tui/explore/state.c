/* The functions of the state that all files use: the entry and the layouts on the screen, the target, the message, the
 * cursor. */

#include "tui/explore/explorer.h"
#include "view/view_parts.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

struct lw_entry *lw_explorer_entry(struct lw_explorer *ex)
{
    return &ex->list.entries[ex->list.entry];
}

/* Whether 'laneway list' at a position in a message is a command that the message names, with what it does; else the
 * user wrote it. */
static bool is_named(const char *message, const char *at)
{
    static const char *const does[] = {"lists", "has", "evaluates", "opens", "shows", "prints"};
    static const char before[] = "of ";
    enum { BEFORE = sizeof before - 1 };
    const char *after = strchr(at + 1, '\'');
    if (!after)
        return false;
    after++;
    for (size_t i = 0; i < sizeof does / sizeof *does; i++)
        if (*after == ' ' && !strncmp(after + 1, does[i], strlen(does[i])))
            return true;
    return *after == ')' || (at - message >= BEFORE && !strncmp(at - BEFORE, before, BEFORE));
}

/* What a message has for a shell, where this prompt needs none. */
static void leave_out_shell(char *message)
{
    static const char there[] = ", inside those of the shell: '\"...\"'", here[] = ": \"...\"";
    char *at = strstr(message, there);
    if (!at)
        return;
    memmove(at + sizeof here - 1, at + sizeof there - 1, strlen(at + sizeof there - 1) + 1);
    memcpy(at, here, sizeof here - 1);
}

/* The commands that a message names, written as they are typed here: 'laneway list' is ':list'. */
static void name_commands(char *message)
{
    static const char there[] = "'laneway ";
    enum { LENGTH = sizeof there - 1, HERE = 2 };
    for (char *at = message; (at = strstr(at, there)); at += HERE) {
        if (!is_named(message, at))
            continue;
        at[1] = ':';
        memmove(at + HERE, at + LENGTH, strlen(at + LENGTH) + 1);
    }
}

void lw_explorer_set_message(struct lw_explorer *ex, bool bad, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ex->status.message, sizeof ex->status.message, format, args);
    va_end(args);
    name_commands(ex->status.message);
    leave_out_shell(ex->status.message);
    ex->status.is_error = bad;
}

const struct lw_subject *lw_explorer_subject(const struct lw_explorer *ex,
                                             const struct lw_view_pane *pane)
{
    return lw_layouts_at(&ex->layouts, pane->shown);
}

const struct lw_hardware *lw_explorer_target(const struct lw_explorer *ex)
{
    const struct lw_hardware *own =
        ex->list.entry < ex->list.count ? ex->list.entries[ex->list.entry].hardware : NULL;
    return own ? own : ex->layouts.hardware;
}

const struct lw_hardware *lw_explorer_hardware(const struct lw_explorer *ex)
{
    const struct lw_hardware *target = lw_explorer_target(ex);
    return target ? target : lw_hardware_default();
}

size_t lw_view_index(const char *name)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    const struct lw_view_type *type = name ? lw_view_type_find(name) : NULL;
    for (size_t i = 0; i < count; i++)
        if (types[i] == type)
            return i;
    return count;
}

bool lw_view_of_key(uint32_t key, size_t *index)
{
    size_t count;
    const struct lw_view_type *const *types = lw_view_types(&count);
    for (size_t i = 0; key && i < count; i++)
        if ((uint32_t)types[i]->key == key) {
            *index = i;
            return true;
        }
    return false;
}

const struct lw_document *lw_explorer_document(const struct lw_explorer *ex)
{
    return ex->panes.active->shown.other && ex->compare.has_doc
               ? &ex->compare.doc
               : ex->list.entries[ex->list.entry].doc;
}

bool lw_explorer_is_edited(struct lw_explorer *ex)
{
    if (!ex->panes.active->shown.other)
        return true;
    const char *source = ex->compare.has_doc && !ex->compare.edited ? ex->compare.source : "";
    if (*source)
        lw_explorer_set_message(ex, false, "%s is only shown: :open %s edits it",
                                ex->compare.other_name, source);
    else
        lw_explorer_set_message(ex, false, "%s%s is only shown: w goes to the one that is edited",
                                ex->compare.edited ? "the layout " : "", ex->compare.other_name);
    return false;
}

bool lw_options_keep_sources(const struct lw_explorer *ex)
{
    return ex->options->set_count == 0 && !ex->options->type && !ex->options->element;
}

void lw_explorer_source(const struct lw_explorer *ex, struct lw_text *text)
{
    lw_document_put_source(text, ex->list.entries[ex->list.entry].doc);
}

void lw_document_put_source(struct lw_text *text, const struct lw_document *document)
{
    struct lw_document doc = *document; /* borrowed */
    struct lw_text lines = {0};
    if (!lw_document_is_access(&doc)) {
        lw_document_source(text, &doc);
        return;
    }
    doc.title = doc.about = doc.view = doc.cell = "";
    lw_document_print(&lines, &doc);
    for (const char *at = lw_text_string(&lines); *at;)
        if (*at == '\n')
            at += 1 + strspn(at + 1, " ");
        else
            lw_text_char(text, *at++);
    lw_text_free(&lines);
}

void lw_save_failed(struct lw_explorer *ex, const char *what, const char *reason)
{
    ex->save.failed = true;
    snprintf(ex->save.reason, sizeof ex->save.reason, "%s%s", what, reason);
    lw_explorer_set_message(ex, true, "%s", ex->save.reason);
}

void lw_prompt_open(struct lw_explorer *ex, int focus)
{
    lw_focus_open(ex, (unsigned)focus);
    ex->list.unfiltered = ex->list.entry; /* also while a filter is on */
    lw_line_set(&ex->prompt.line, "");
    lw_text_clear(&ex->prompt.candidates);
    ex->prompt.recall.back = 0;
    for (size_t i = 0; i < sizeof ex->prompt.typed / sizeof *ex->prompt.typed; i++)
        ex->prompt.typed[i].back = 0;
}

bool lw_contains_text(const char *text, const char *query)
{
    size_t length = strlen(query);
    for (; *text; text++)
        if (!strncasecmp(text, query, length))
            return true;
    return false;
}

bool lw_documents_equal(const struct lw_document *a, const struct lw_document *b)
{
    struct lw_text x = {0}, y = {0};
    lw_document_print(&x, a);
    lw_document_print(&y, b);
    bool same = !strcmp(lw_text_string(&x), lw_text_string(&y));
    lw_text_free(&x);
    lw_text_free(&y);
    return same;
}

const struct lw_key_action *lw_key_action_find(const struct lw_explorer *ex, const char *name)
{
    for (size_t i = 0; i < ex->tables.action_count; i++)
        if (!strcmp(ex->tables.actions[i].name, name))
            return &ex->tables.actions[i];
    return NULL;
}

void lw_pane_copy(struct lw_view_pane *to, const struct lw_view_pane *from)
{
    if (to == from)
        return;
    lw_view_close(&to->view);
    *to = *from;
    to->view = (struct lw_view){0};
    to->has_view = false;
}

bool lw_pane_is_picture(const struct lw_view_pane *pane)
{
    return pane->has_view && pane->view.type->picture;
}

bool lw_explorer_has_access(const struct lw_explorer *ex, enum lw_access_op op)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    if (entry->access == LW_VIEW_BOTH ||
        (lw_document_has(entry->doc, LW_SIDE_A) && lw_document_has(entry->doc, LW_SIDE_B)))
        return true;
    return (entry->access == LW_VIEW_STORE) == (op == LW_ACCESS_STORE);
}

const char *lw_explorer_undrawn(const struct lw_explorer *ex)
{
    const struct lw_entry *entry = &ex->list.entries[ex->list.entry];
    return lw_document_has(entry->doc, LW_SIDE_S) ? "" : entry->undrawn;
}

/* ---- The cursor ---- */

bool lw_spot_is_hidden(const struct lw_panes_state *panes)
{
    const struct lw_view_pane *pane = panes->active;
    return panes->hidden.on && panes->hidden.view == pane->view_index &&
           panes->hidden.row == pane->row && panes->hidden.col == pane->col;
}

bool lw_spot_is_of(const struct lw_spot *a, const struct lw_spot *b, const struct lw_dims *in)
{
    return a->operand == b->operand && a->has_in && b->has_in &&
           !memcmp(a->in, b->in, (size_t)in->count * sizeof *a->in);
}

bool lw_spot_is_here(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_spot *spot = &ex->panes.spot;
    const char *name;
    uint64_t row, col, out[LW_DIMS_MAX];
    if (!pane->has_view || !ex->panes.has_spot || !spot->has_in || !spot->has_out ||
        (!lw_spot_is_hidden(&ex->panes) &&
         (!lw_view_find(&pane->view, spot, &row, &col) || row != pane->row || col != pane->col)))
        return false;
    const struct lw_subject *subject = lw_view_layout(&pane->view, spot->operand, &name);
    return subject && lw_is_hardware_index(&subject->map, spot->in) &&
           lw_map_apply(&subject->map, spot->in, out) &&
           !memcmp(out, spot->out, (size_t)subject->map.out.count * sizeof *out);
}

bool lw_pane_spot(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  struct lw_spot *spot)
{
    if (!pane->has_view || !pane->view.type->spot ||
        !pane->view.type->spot(&pane->view, pane->row, pane->col, spot))
        return false;
    if (pane == ex->panes.active && lw_spot_is_here(ex))
        *spot = ex->panes.spot;
    return true;
}

size_t lw_compare_view_after(const struct lw_explorer *ex)
{
    const size_t view = ex->panes.all->view_index;
    return ex->compare.before.kept && view == lw_view_index("owners") ? ex->compare.before.view
                                                                      : view;
}
