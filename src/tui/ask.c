/* Questions: a line at the bottom of the screen that waits for one of a few keys. */

#include "tui/drawing.h"

#include <stdarg.h>
#include <string.h>

void lw_ask(struct lw_explorer *ex, const struct lw_reply *answers, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ex->question, sizeof ex->question, format, args);
    va_end(args);
    ex->answers = answers;
    if (ex->place != LW_AT_QUESTION)
        ex->under = ex->place;
    ex->place = LW_AT_QUESTION;
}

bool lw_ask_key(struct lw_explorer *ex, uint32_t key)
{
    for (const struct lw_reply *answer = ex->answers; answer->key; answer++)
        if (answer->key == key) {
            ex->place = ex->under;
            answer->run(ex);
            return true;
        }
    return false;
}

void lw_draw_question(const struct lw_explorer *ex, struct lw_surface *surface)
{
    static const struct lw_reply stay = {'\033', "stay", NULL};
    int row = ex->height - 1, width = 0;
    for (const struct lw_reply *answer = ex->answers; answer->key; answer++)
        width += 4 + (int)strlen(answer->label);
    width += 9;
    int col = 1 + lw_put(surface, row, 1, ex->width - 1 - width > 8 ? ex->width - 1 - width : 8,
                         lw_pen(LW_PEN_CHANGED), ex->question);
    for (const struct lw_reply *answer = ex->answers;; answer++) {
        bool last = !answer->key;
        char name[16];
        lw_key_name(last ? stay.key : answer->key, name);
        col += 2 + lw_put(surface, row, col + 2, ex->width - col - 2, lw_pen(LW_PEN_KEY), name);
        col += 1 + lw_put(surface, row, col + 1, ex->width - col - 1, lw_pen(LW_PEN_TEXT),
                          last ? stay.label : answer->label);
        if (last)
            break;
    }
}
