/* A line of text: typing, and moving by characters. Ctrl keys are those of readline. */

#include "tui/input.h"
#include "core/text_rows.h"

#include <string.h>

enum { LINE_MAX_BYTES = 1 << 20 };

const char *lw_input_text(const struct lw_input *line)
{
    return lw_text_string(&line->text);
}

/* Puts bytes in place of others; the caret is behind them. All of it or nothing. */
static void splice(struct lw_input *line, size_t from, size_t to, const char *bytes, size_t count)
{
    struct lw_text text = {0};
    lw_text_bytes(&text, lw_input_text(line), from);
    lw_text_bytes(&text, bytes, count);
    lw_text_add(&text, lw_input_text(line) + to);
    const bool fits = !text.failed && text.length <= LINE_MAX_BYTES;
    lw_text_free(fits ? &line->text : &text);
    if (!fits)
        return;
    line->text = text;
    line->caret = from + count;
    line->is_offer = false;
}

void lw_input_set(struct lw_input *line, const char *text)
{
    splice(line, 0, line->text.length, "", 0);
    lw_input_insert(line, text);
}

void lw_input_insert(struct lw_input *line, const char *text)
{
    struct lw_text clean = {0};
    const size_t from = line->is_offer ? 0 : line->caret;
    bool blank = from == 0;
    for (int bytes; *text; text += bytes) {
        uint32_t code = lw_text_decode(text, &bytes);
        bool is_blank = code == '\n' || code == '\t' || code == '\r';
        const char *put_as = !is_blank ? text : code == '\n' && line->has_lines ? "\n" : " ";
        if (is_blank ? !blank : !lw_text_is_control(code))
            lw_text_bytes(&clean, put_as, is_blank ? 1 : (size_t)bytes);
        blank = is_blank;
    }
    splice(line, from, line->is_offer ? line->text.length : from, lw_text_string(&clean),
           clean.length);
    lw_text_free(&clean);
}

/* The start of the character before a byte, and of the one after it. */
static size_t before(const struct lw_input *line, size_t at)
{
    const char *text = lw_input_text(line);
    while (at && ((unsigned char)text[--at] & 0xc0) == 0x80)
        ;
    return at;
}

static size_t after(const struct lw_input *line, size_t at)
{
    int bytes = 0;
    if (at < line->text.length)
        lw_text_decode(lw_input_text(line) + at, &bytes);
    return at + (size_t)bytes;
}

#define CONTROL(letter) ((letter)&31)

bool lw_input_key(struct lw_input *line, uint32_t key, bool *changed)
{
    const size_t length = line->text.length, caret = line->caret;
    *changed = false;
    switch (key) {
    case LW_KEY_LEFT:
        line->caret = before(line, caret);
        break;
    case LW_KEY_RIGHT:
        line->caret = after(line, caret);
        break;
    case LW_KEY_HOME:
    case CONTROL('a'):
        line->caret = 0;
        break;
    case LW_KEY_END:
    case CONTROL('e'):
        line->caret = length;
        break;
    case LW_KEY_BACKSPACE:
    case 127:
    case CONTROL('h'):
        splice(line, before(line, caret), caret, "", 0);
        break;
    case LW_KEY_DELETE:
        splice(line, caret, after(line, caret), "", 0);
        break;
    case CONTROL('u'):
        splice(line, 0, caret, "", 0);
        break;
    default:
        if (key >= LW_KEY_FIRST || lw_text_is_control(key))
            return false;
        char bytes[4];
        splice(line, line->is_offer ? 0 : caret, line->is_offer ? length : caret, bytes,
               (size_t)lw_text_encode(key, bytes));
        *changed = true;
        return true;
    }
    line->is_offer = false;
    *changed = line->text.length != length;
    return true;
}

/* ---- Drawing ---- */

/* The first byte that is drawn: so that the caret is visible, with a quarter of the line after it. */
static size_t first_of(const struct lw_input *line, int width)
{
    const char *text = lw_input_text(line);
    size_t first = line->caret;
    int columns = 0, bytes;
    if ((int)lw_text_width(text) < width)
        return 0;
    for (size_t at = first; at && columns < width - width / 4; at = before(line, at)) {
        first = at;
        const int own = lw_text_code_width(lw_text_decode(text + before(line, at), &bytes));
        columns += own > 0 ? own : 1;
    }
    return first;
}

void lw_input_draw(const struct lw_input *line, struct lw_surface *surface, struct lw_rect rect,
                   struct lw_pen pen, const struct lw_error *wrong, int reason_row)
{
    const bool is_wrong = wrong && wrong->code != LW_OK && line->text.length;
    const struct lw_position position = is_wrong ? wrong->position : (struct lw_position){0};
    size_t from = 0; /* the byte of the error */
    for (int i = 1; i < position.line && from < line->text.length; i++)
        from += strcspn(lw_input_text(line) + from, "\n") + 1;
    from += position.column > 0 ? (size_t)position.column - 1 : 0;
    const size_t to = from + (position.length > 0 ? (size_t)position.length : 1);
    int column = 0, at_wrong = -1;
    if (rect.width < 1)
        return;
    pen = line->is_offer ? lw_tone(LW_TONE_FAINT) : pen;
    size_t first = first_of(line, rect.width);
    if (first) { /* something is left of it */
        column = lw_put(surface, rect.row, rect.col, 1, lw_tone(LW_TONE_FAINT), "\xe2\x80\xa6");
        first = after(line, first);
    }
    for (size_t at = first; at < line->text.length && column < rect.width;) {
        char character[8] = "";
        const size_t next = after(line, at);
        memcpy(character, lw_input_text(line) + at, next - at);
        const bool is_in = position.line && at >= from && at < to;
        if (is_in && at_wrong < 0)
            at_wrong = column;
        if (at == line->caret)
            surface->cursor_col = rect.col + column;
        column += lw_put(surface, rect.row, rect.col + column, rect.width - column,
                         is_in ? lw_tone(LW_TONE_WRONG) : pen, character);
        at = next;
    }
    if (line->caret == line->text.length)
        surface->cursor_col = rect.col + (column < rect.width ? column : rect.width - 1);
    surface->cursor_row = rect.row;
    if (!is_wrong || reason_row < 0)
        return;
    /* A mark below the piece, and the reason at its right or left; one without room there stands alone. The suggestion
     * of one that is too long stands at the right of the text. */
    char reason[LW_MESSAGE_MAX];
    const char *all = wrong->message, *hint = strstr(all, "; did you mean");
    const bool is_long = hint && (int)lw_text_width(all) > rect.width;
    snprintf(reason, sizeof reason, "%.*s", is_long ? (int)(hint - all) : LW_MESSAGE_MAX, all);
    const int width = (int)lw_text_width(reason), room = rect.width - column - 2;
    if (is_long && (int)lw_text_width(hint + 2) <= room)
        lw_put_padded(surface, rect.row, rect.col + column + 2, room, lw_tone(LW_TONE_BAD),
                      hint + 2, true);
    const bool at_end = position.line && from >= line->text.length && column < rect.width;
    const int mark = at_end ? column : at_wrong;
    const bool is_right = mark >= 0 && mark + 2 + width <= rect.width, is_left = mark > width;
    const int start = is_right ? mark + 2 : is_left ? mark - 1 - width : 0;
    lw_put_repeated(surface, reason_row, 0, rect.col + rect.width, lw_tone(LW_TONE_TEXT), " ");
    lw_put(surface, reason_row, rect.col + start, rect.width - start, lw_tone(LW_TONE_BAD), reason);
    if (is_right || is_left)
        lw_put(surface, reason_row, rect.col + mark, 2, lw_tone(LW_TONE_BAD), "\xe2\x96\xb2");
}

void lw_input_free(struct lw_input *line)
{
    lw_text_free(&line->text);
    memset(line, 0, sizeof *line);
}
