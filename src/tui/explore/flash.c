/* Marks what an edit, an undo or a redo moved. Invariant: while a side is kept (`has`), its former layout is owned
 * here; while `on`, the differences refer to the kept layouts and to those on the screen. While a field is edited the
 * layouts of before that edit stay, as undo leads back to them in one step. */

#include "tui/explore/explorer.h"

void lw_flash_keep(struct lw_explorer *ex, enum lw_side side, struct lw_opened *before)
{
    struct lw_flash *flash = &ex->flash;
    if (flash->has[side]) {
        lw_subject_close(before);
        return;
    }
    lw_subject_separate(&before->subject); /* as the struct is moved */
    flash->before[side] = *before;
    flash->has[side] = true;
}

void lw_flash_end(struct lw_explorer *ex)
{
    struct lw_flash *flash = &ex->flash;
    for (int i = 0; i < LW_SIDES; i++) {
        if (flash->has[i])
            lw_subject_close(&flash->before[i]);
        flash->has[i] = false;
        flash->diff[i].fits = false;
    }
    flash->on = false;
    flash->until = 0;
}

void lw_flash_pause(struct lw_explorer *ex)
{
    struct lw_flash *flash = &ex->flash;
    if (!ex->form.has_before) {
        lw_flash_end(ex);
        return;
    }
    for (int i = 0; i < LW_SIDES; i++)
        flash->diff[i].fits = false;
    flash->on = false;
    flash->until = 0;
}

void lw_flash_begin(struct lw_explorer *ex)
{
    enum { MOMENT_MS = 1200 };
    struct lw_flash *flash = &ex->flash;
    flash->on = false;
    for (int i = 0; i < LW_SIDES; i++) {
        const struct lw_shown shown = {(enum lw_side)i, false};
        const struct lw_subject *now = lw_layouts_at(&ex->layouts, shown);
        struct lw_diff *diff = &flash->diff[i];
        *diff = (struct lw_diff){.fits = false};
        if (!flash->has[i] || !now)
            continue;
        lw_diff_make(diff, &flash->before[i].subject.map, &now->map, now->lanes);
        diff->fits = diff->fits && !(diff->counted && !diff->differing);
        flash->on = flash->on || diff->fits;
    }
    if (!flash->on)
        lw_flash_pause(ex);
    else
        flash->until = lw_now_ms() + MOMENT_MS;
}

bool lw_flash_tick(struct lw_explorer *ex)
{
    bool on = ex->flash.on;
    if (on)
        lw_flash_pause(ex);
    return on;
}

bool lw_flash_has(const struct lw_explorer *ex, const struct lw_view_pane *pane,
                  const struct lw_spot *spot)
{
    const struct lw_diff *diff = &ex->flash.diff[pane->shown.side];
    if (!ex->flash.on || !diff->fits || spot->operand || pane->shown.other)
        return false;
    if (diff->counted && diff->differing > diff->held / 2)
        return false; /* the number alone is shown: marks everywhere would hide the cells */
    if (lw_view_shows_indices(&pane->view) && spot->has_in && !diff->converts)
        return lw_compare_index(&diff->turned, spot->in);
    return spot->has_out && lw_compare_element(&diff->comparison, spot->out);
}

void lw_flash_put(const struct lw_explorer *ex, const struct lw_view_pane *pane, int room,
                  struct lw_text *text)
{
    const struct lw_diff *diff = &ex->flash.diff[pane->shown.side];
    for (int i = 0; ex->flash.on && diff->fits && diff->counted && i < 3; i++) {
        lw_text_clear(text);
        lw_text_format(text, "last change: %llu of %llu%s %s", (unsigned long long)diff->differing,
                       (unsigned long long)diff->held, i ? "" : " elements",
                       diff->shared ? "changed" : "moved");
        if (diff->shared && i < 2)
            lw_text_format(text, ", %llu keep an owner", (unsigned long long)diff->shared);
        if ((int)text->length <= room)
            return;
    }
}
