/* :mma NAME: the operands and the result of an MMA in one picture. A name is one of the gallery without its folder,
 * m16n8k16, or an atom of CuTe, SM80_16x8x16_F32F16F16F32_TN; anything else is a SOURCE. */

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

/* The SOURCE of a name. */
static void put_source(struct lw_text *source, const char *name)
{
    lw_text_format(source, "%s%s", folder, name);
    if (lw_gallery_find(lw_text_string(source), NULL))
        return;
    lw_text_clear(source);
    bool atom = !strncmp(name, "SM", 2) && !strpbrk(name, ".<(");
    lw_text_format(source, atom ? "make_tiled_mma(%s{})" : "%s", name);
}

void lw_mma_command(struct lw_explorer *ex, const char *name)
{
    struct lw_text source = {0};
    const struct lw_view_pane *pane = ex->panes.active;
    if (!*name) {
        lw_explorer_view(ex, "mma");
        if (!(pane->views_fit >> pane->view_index & 1))
            lw_explorer_set_message(ex, true, "mma NAME: m16n8k16, an atom of CuTe or a SOURCE");
        return;
    }
    put_source(&source, name);
    if (lw_explorer_open(ex, lw_text_string(&source), NULL)) {
        struct lw_entry *entry = lw_explorer_entry(ex);
        entry->doc.view = entry->original.view = "mma";
    }
    lw_text_free(&source);
}
