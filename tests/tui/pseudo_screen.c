/* The text of the screen of the pseudo-terminal. A test looks at it after every few bytes, so a line is made anew only
 * where the terminal has changed its row. */

#include "tui/pseudo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

char *pseudo_line(struct pseudo *p, int row)
{
    return p->lines + (size_t)row * ((size_t)p->cols * 4 + 1);
}

static size_t encode(uint32_t code, char *out)
{
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};
    for (int i = more; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char)(first[more] | code);
    return (size_t)more + 1;
}

static void make_line(struct pseudo *p, int row, char *line)
{
    VTermScreenCell cell;
    for (VTermPos at = {.row = row}; at.col < p->cols; at.col++)
        if (vterm_screen_get_cell(p->screen, at, &cell) && cell.chars[0] != (uint32_t)-1)
            line += encode(cell.chars[0] ? cell.chars[0] : ' ', line);
    *line = '\0';
}

const char *pseudo_text(struct pseudo *p)
{
    size_t length = 0;
    for (int row = 0; row < p->rows; row++) {
        char *line = pseudo_line(p, row);
        if (!*line)
            make_line(p, row, line);
        size_t bytes = strlen(line);
        assert_true(length + bytes + 2 <= sizeof p->text);
        memcpy(p->text + length, line, bytes);
        length += bytes;
        p->text[length++] = '\n';
    }
    p->text[length] = '\0';
    return p->text;
}

bool pseudo_find(struct pseudo *p, const char *text, int *row, int *col)
{
    const char *screen = pseudo_text(p), *found = strstr(screen, text);
    *row = *col = 0;
    for (; found && screen < found; screen++) {
        if (*screen == '\n') {
            ++*row;
            *col = 0;
        } else if ((*screen & 0xc0) != 0x80) {
            ++*col;
        }
    }
    return found != NULL;
}
