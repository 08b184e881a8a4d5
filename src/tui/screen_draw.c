/* What the screens of layouts, kernels and folders have in common: the lines above and below. */

#include "tui/screen.h"

#include "view/view_parts.h"

void lw_screen_draw_head(struct lw_surface *surface, struct lw_rect rect,
                         const struct lw_text *title, const struct lw_text *more,
                         const struct lw_text *verdict, enum lw_tone tone)
{
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), "\xe2\x80\xba");
    const int used = 2 + lw_put(surface, rect.row, rect.col + 2, rect.width - 2,
                                lw_tone(LW_TONE_TITLE), lw_text_string(title));
    lw_put(surface, rect.row, rect.col + used + 2, rect.width - used - 2, lw_tone(LW_TONE_FAINT),
           lw_text_string(more));
    lw_put(surface, rect.row + 1, rect.col, rect.width, lw_tone(tone), lw_text_string(verdict));
}

void lw_screen_draw_lines(struct lw_surface *surface, struct lw_rect rect,
                          const struct lw_explanation *lines)
{
    const int count = lines->count < rect.height ? lines->count : rect.height;
    int label = 10;
    for (int i = 0; i < count; i++) {
        const int length = (int)lw_text_width(lines->line[i].label);
        label = length > label ? length : label;
    }
    label++;
    for (int i = 0; i < count; i++) {
        lw_put(surface, rect.row + i, rect.col, label, lw_tone(LW_TONE_FAINT),
               lines->line[i].label);
        lw_put(surface, rect.row + i, rect.col + label, rect.width - label, lw_tone(LW_TONE_TEXT),
               lw_text_string(&lines->line[i].text));
    }
    if (count && count < lines->count && !lines->line[count].label[0]) /* the last one goes on */
        lw_put(surface, rect.row + count - 1, rect.col + rect.width - 1, 1, lw_tone(LW_TONE_TEXT),
               "\xe2\x80\xa6");
}
