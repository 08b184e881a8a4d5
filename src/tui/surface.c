/* Surfaces: tiles in memory. Invariants: nothing is written outside the surface; the code 0
 * follows each character of two columns, and appears nowhere else. */

#include "tui/surface.h"

#include "core/array_count.h"
#include "core/text_rows.h"

#include <stdlib.h>
#include <string.h>

struct lw_rect lw_cut_lines(struct lw_rect *rect, int lines)
{
    rect->height -= lines;
    return (struct lw_rect){rect->row + rect->height, rect->col, lines, rect->width};
}

struct lw_rect lw_cut_columns(struct lw_rect *rect, int columns)
{
    rect->width -= columns;
    return (struct lw_rect){rect->row, rect->col + rect->width, rect->height, columns};
}

bool lw_surface_resize(struct lw_surface *surface, int height, int width)
{
    height = height < 1 ? 1 : height;
    width = width < 1 ? 1 : width;
    const size_t count = (size_t)height * (size_t)width;
    if (!surface->tiles || height != surface->height || width != surface->width) {
        struct lw_glyph *tiles = realloc(surface->tiles, count * sizeof *tiles);
        if (!tiles)
            return false;
        surface->tiles = tiles;
        surface->height = height;
        surface->width = width;
    }
    for (size_t i = 0; i < count; i++)
        surface->tiles[i] = (struct lw_glyph){.code = ' '};
    surface->cursor_row = surface->cursor_col = -1;
    return true;
}

void lw_surface_free(struct lw_surface *surface)
{
    free(surface->tiles);
    memset(surface, 0, sizeof *surface);
}

/* Replaces a wide character that covers the columns `col` - 1 and `col` by blanks. */
static void split_wide(struct lw_glyph *tiles, int width, int col)
{
    if (col > 0 && col < width && tiles[col].code == 0)
        tiles[col - 1].code = tiles[col].code = ' ';
}

/* Fills the columns from `left` up to, not including, `right`; clips them to the surface. */
static void put_tiles(struct lw_surface *surface, int row, int left, int right,
                      struct lw_glyph tile)
{
    int width = surface->width;
    left = left > 0 ? left : 0;
    right = right < width ? right : width;
    if (row < 0 || row >= surface->height || left >= right)
        return;
    struct lw_glyph *tiles = &surface->tiles[row * width];
    split_wide(tiles, width, left);
    split_wide(tiles, width, right);
    for (int col = left; col < right; col++)
        tiles[col] = tile;
}

/* ASCII replacements of the other characters that the explorer draws. */
static uint32_t plain_code(uint32_t code)
{
    static const struct {
        uint32_t code;
        char plain;
    } table[] = {{0x2500, '-'}, {0x2502, '|'}, {0xb7, '.'},   {0x2026, '~'}, {0x25b8, '>'},
                 {0x2191, '^'}, {0x2193, 'v'}, {0x2190, '<'}, {0x2192, '>'}, {0x2295, '^'},
                 {0xd7, 'x'},   {0x25cf, '*'}, {0x2713, '+'}, {0x2014, '-'}, {0x2501, '='},
                 {0x2588, '#'}, {0x2580, '"'}, {0x2584, '_'}, {0x25cb, 'o'}, {0x203a, '>'},
                 {0x25b2, '^'}, {0x2717, 'x'}, {0x25b6, '>'}, {0x2265, '>'}, {0x2264, '<'},
                 {0x2260, '!'}};
    if (code < 128)
        return code;
    for (size_t i = 0; i < LW_COUNT(table); i++)
        if (table[i].code == code)
            return (unsigned char)table[i].plain;
    return '?';
}

/* Puts a character of one or two columns; one of two of which one is outside is a blank. */
static void put_code(struct lw_surface *surface, int row, int col, int columns, struct lw_pen pen,
                     uint32_t code)
{
    struct lw_glyph tile = {.code = surface->ascii ? plain_code(code) : code, .pen = pen};
    if (columns == 1) {
        put_tiles(surface, row, col, col + 1, tile);
        return;
    }
    put_tiles(surface, row, col, col + 2, (struct lw_glyph){.code = ' ', .pen = pen});
    if (row < 0 || row >= surface->height || col < 0 || col + 1 >= surface->width)
        return;
    surface->tiles[row * surface->width + col] = tile;
    if (!surface->ascii)
        surface->tiles[row * surface->width + col + 1].code = 0;
}

int lw_put(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
           const char *string)
{
    const bool fits = (int)lw_text_width(string) <= width;
    int used = 0;
    while (*string && used < width) {
        int bytes = 1, columns = 1;
        uint32_t code = (unsigned char)*string;
        if (code >= 128) {
            code = lw_text_decode(string, &bytes);
            columns = lw_text_code_width(code);
        }
        if (!fits && used + columns > width - 1) {
            put_code(surface, row, col + used, 1, pen, 0x2026);
            return used + 1;
        }
        if (columns > 0 && lw_text_is_control(code))
            code = code == '\n' ? ' ' : '?';
        if (columns > 0)
            put_code(surface, row, col + used, columns, pen, code);
        used += columns;
        string += bytes;
    }
    return used;
}

void lw_put_repeated(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                     const char *character)
{
    int bytes;
    uint32_t code = lw_text_decode(character, &bytes);
    put_tiles(surface, row, col, col + width,
              (struct lw_glyph){.code = surface->ascii ? plain_code(code) : code, .pen = pen});
}

void lw_put_padded(struct lw_surface *surface, int row, int col, int width, struct lw_pen pen,
                   const char *string, bool right)
{
    const int length = (int)lw_text_width(string);
    const int lead = right && length < width ? width - length : 0;
    lw_put_repeated(surface, row, col, width, pen, " ");
    lw_put(surface, row, col + lead, width - lead, pen, string);
}

int lw_put_wrapped(struct lw_surface *surface, struct lw_rect rect, struct lw_pen pen,
                   const char *text)
{
    int row = 0;
    for (; *text && rect.width > 0 && (!surface || row < rect.height); row++) {
        const bool is_last = surface && row + 1 == rect.height; /* it is cut */
        const size_t take = is_last ? strlen(text) : lw_text_row_bytes(text, (size_t)rect.width);
        struct lw_text shown = {0};
        lw_text_bytes(&shown, text, take);
        if (surface)
            lw_put(surface, rect.row + row, rect.col, rect.width, pen, lw_text_string(&shown));
        lw_text_free(&shown);
        text += take;
        text += strspn(text, " \n");
    }
    return row;
}

int lw_wrapped_rows(const char *text, int width)
{
    return lw_put_wrapped(NULL, (struct lw_rect){.width = width}, (struct lw_pen){0}, text);
}

void lw_surface_print(struct lw_text *text, const struct lw_surface *surface)
{
    for (int r = 0; r < surface->height; r++) {
        size_t end = text->length;
        for (int c = 0; c < surface->width; c++) {
            char bytes[4];
            uint32_t code = surface->tiles[r * surface->width + c].code;
            if (code == 0)
                continue;
            lw_text_bytes(text, bytes, (size_t)lw_text_encode(code, bytes));
            if (code != ' ')
                end = text->length;
        }
        lw_text_cut(text, end);
        lw_text_char(text, '\n');
    }
}
