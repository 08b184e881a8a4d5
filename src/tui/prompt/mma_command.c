/* :mma NAME: shows the operands and the result of an MMA in one picture. A name is one of the gallery without its
 * folder, m16n8k16, or an atom of CuTe, SM80_16x8x16_F32F16F16F32_TN; any other text is a SOURCE. */

#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"

#include <string.h>

static const char folder[] = "mma/";

bool lw_mma_name(size_t i, struct lw_text *name)
{
    size_t count;
    const struct lw_gallery_entry *gallery = lw_gallery(&count);
    for (size_t g = 0; g < count; g++)
        if (!strncmp(gallery[g].name, folder, strlen(folder)) &&
            strstr(gallery[g].text, "\"view\": \"mma\"") && i-- == 0) {
            lw_text_add(name, gallery[g].name + strlen(folder));
            return true;
        }
    return false;
}

/* Puts the SOURCE of a name. */
static void put_source(struct lw_text *source, const char *name)
{
    lw_text_format(source, "%s%s", folder, name);
    if (lw_gallery_find(lw_text_string(source), NULL))
        return;
    lw_text_clear(source);
    bool atom = !strncmp(name, "SM", 2) && !strpbrk(name, ".<(");
    lw_text_format(source, atom ? "make_tiled_mma(%s{})" : "%s", name);
}

static const char *name_at(const void *names, size_t i)
{
    return ((const char *const *)names)[i];
}

/* Whether a text is one word that is neither a name of the gallery, nor an atom, nor a file, and so not a SOURCE. */
static bool is_unknown(const char *name)
{
    struct lw_text path = {0};
    lw_text_format(&path, "%s%s", folder, name);
    bool known = lw_gallery_find(lw_text_string(&path), NULL) || lw_gallery_find(name, NULL);
    lw_text_free(&path);
    return !known && !strpbrk(name, "(){}<>[]:.,/#!\" =*") && strncmp(name, "SM", 2) != 0;
}

/* The first name that contains the unknown one: "wgmma", "m64n64k16". */
static const char *containing(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; *name && i < count; i++)
        if (strstr(names[i], name))
            return names[i];
    return NULL;
}

/* Shows "mma: unknown name 'foo'; there are m16n8k8, m16n8k16, ..., an atom of CuTe or a SOURCE". */
static void offer(struct lw_explorer *ex, const char *name, bool is_error)
{
    enum { NAMES_MAX = 64, SHOWN = 8 };
    struct lw_text all = {0}, one = {0};
    const char *names[NAMES_MAX];
    size_t count, found = 0;
    const struct lw_gallery_entry *gallery = lw_gallery(&count);
    for (size_t g = 0; g < count && found < NAMES_MAX; g++)
        if (!strncmp(gallery[g].name, folder, strlen(folder)) &&
            strstr(gallery[g].text, "\"view\": \"mma\""))
            names[found++] = gallery[g].name + strlen(folder);
    const char *near = containing(name, names, found);
    if (!near && *name)
        near = lw_text_nearest(name, found, name_at, names);
    for (size_t i = 0; i < found && i < SHOWN; i++)
        lw_text_format(&all, "%s%s", i ? ", " : "", names[i]);
    lw_text_format(
        &one, *name ? "unknown name '%s'" : "this layout is not an operand or result of an MMA%s",
        name);
    if (near)
        lw_text_format(&one, "; did you mean '%s'? There", near);
    else
        lw_text_add(&one, "; there");
    lw_explorer_set_message(ex, is_error,
                            "mma: %s are %s%s, atoms of CuTe such as "
                            "SM80_16x8x16_F32F16F16F32_TN, and any SOURCE",
                            lw_text_string(&one), lw_text_string(&all),
                            found > SHOWN ? ", ..." : "");
    lw_text_free(&all);
    lw_text_free(&one);
}

void lw_mma_command(struct lw_explorer *ex, const char *name)
{
    struct lw_text source = {0};
    struct lw_view_pane *pane = ex->panes.active;
    if (!*name) {
        lw_explorer_view(ex, "mma");
        if (!lw_pane_can_show(ex, pane, pane->view_index))
            offer(ex, "", false);
        else if (lw_trail_has_second(ex))
            lw_split(ex, 0);
        return;
    }
    if (is_unknown(name)) {
        offer(ex, name, true);
        return;
    }
    put_source(&source, name);
    if (lw_explorer_open(ex, lw_text_string(&source), NULL)) {
        struct lw_entry *entry = lw_explorer_entry(ex);
        entry->doc->view = entry->original->view = "mma";
    }
    lw_text_free(&source);
}
