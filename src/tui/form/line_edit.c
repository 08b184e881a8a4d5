/* A line of text that is being edited: a field's value, a query. Values are ASCII, so the caret moves by
 * bytes and only printable ASCII is accepted. */

#include "tui/explore/explorer.h"

#include <string.h>

const struct lw_line_help *lw_line_help(size_t *count)
{
    static const struct lw_line_help table[] = {
        {"Left Right", "a character back or on; C-b and C-f too"},
        {"Home End", "to the beginning or the end; C-a and C-e too"},
        {"Backspace Del", "erase the character before or here; C-h and C-d too"},
        {"C-w", "erase the word before"},
        {"C-u C-k", "erase all before, or all from here on"},
    };
    *count = sizeof table / sizeof *table;
    return table;
}

void lw_line_set(struct lw_line_edit *line, const char *text)
{
    lw_text_clear(&line->text);
    lw_text_add(&line->text, text);
    line->caret = line->text.length;
    line->offered = false;
}

static void erase(struct lw_line_edit *line, size_t from, size_t to)
{
    struct lw_text *text = &line->text;
    if (text->failed)
        return;
    memmove(text->data + from, text->data + to, text->length - to + 1);
    text->length -= to - from;
    line->caret = from;
}

static void insert(struct lw_line_edit *line, char c)
{
    struct lw_text *text = &line->text;
    lw_text_char(text, c);
    if (text->failed) {
        line->caret = text->length;
        return;
    }
    memmove(text->data + line->caret + 1, text->data + line->caret, text->length - 1 - line->caret);
    text->data[line->caret++] = c;
}

static size_t previous_start(const struct lw_line_edit *line)
{
    size_t at = line->caret;
    while (at > 0 && line->text.data[at - 1] == ' ')
        at--;
    while (at > 0 && line->text.data[at - 1] != ' ')
        at--;
    return at;
}

bool lw_line_key(struct lw_line_edit *line, uint32_t key)
{
    enum { LINE_MAX_BYTES = 4096 };
    if (line->offered && key >= 32 && key <= 126)
        lw_line_set(line, "");
    line->offered = false;
    size_t length = line->text.length, caret = line->caret;
    switch (key) {
    case LW_KEY_LEFT:
    case 2: /* C-b */
        line->caret -= caret > 0;
        return false;
    case LW_KEY_RIGHT:
    case 6: /* C-f */
        line->caret += caret < length;
        return false;
    case LW_KEY_HOME:
    case 1: /* C-a */
        line->caret = 0;
        return false;
    case LW_KEY_END:
    case 5: /* C-e */
        line->caret = length;
        return false;
    case LW_KEY_BACKSPACE:
    case 8: /* sent by backspace where terminfo has the other code */
    case 127:
        if (caret > 0)
            erase(line, caret - 1, caret);
        return caret > 0;
    case LW_KEY_DELETE:
    case 4: /* C-d */
        if (caret < length)
            erase(line, caret, caret + 1);
        return caret < length;
    case 21: /* C-u */
        if (caret > 0)
            erase(line, 0, caret);
        return caret > 0;
    case 11: /* C-k */
        if (caret < length)
            erase(line, caret, length);
        return caret < length;
    case 23: /* C-w */
        if (caret > 0)
            erase(line, previous_start(line), caret);
        return caret > 0;
    default:
        if (key < 32 || key > 126 || length >= LINE_MAX_BYTES)
            return false;
        insert(line, (char)key);
        return true;
    }
}
