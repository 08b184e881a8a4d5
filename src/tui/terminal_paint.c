/* A surface as what a terminal is told: only what differs from what it shows, in few bytes, and a frame
 * in one write. (ncurses writes after each move of the cursor, and most of a step is moves.) What the
 * terminal can do comes from its description, as ncurses has read it.
 *
 * Invariant: while `known`, the terminal shows `shown`; nothing else writes cells to it. */

#define NCURSES_WIDECHAR 1
#include "tui/terminal.h"
#include "tui/theme.h"

#include <errno.h>
#include <ncurses.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum { SHADES = 16, GAP = 4, ERASED = 8, NUMBERS = 256 };

static struct {
    const struct lw_theme *theme;
    enum lw_depth depth;
    bool direct; /* colours of 24 bits go out as such, whatever the description says */
    bool known;
    struct lw_surface shown;
    struct lw_text bytes; /* of this frame */
    size_t joint;         /* the end of these, when they end in attributes that may go on; else 0 */
    int row, col;         /* the cursor, -1: somewhere */
    bool told;            /* the look is known */
    struct lw_appearance look;
    int cursor; /* shown, hidden, or -1 */
    struct {
        bool has;
        struct lw_appearance look;
    } looks[LW_PEN_COUNT][SHADES]; /* of pens that are no halves, once they were asked for */
    char codes[2][NUMBERS][16];    /* colours and those behind, once they were put */
} out;

/* ---- Bytes ---- */

static int put_byte(int byte)
{
    char c = (char)byte;
    lw_text_bytes(&out.bytes, &c, 1);
    return byte;
}

static bool has(const char *capability)
{
    return capability && capability != (char *)-1 && *capability;
}

/* Padding that the description asks for goes out too. */
static void put(const char *capability)
{
    if (has(capability))
        tputs(capability, 1, put_byte);
}

static void send_bytes(void)
{
    const char *at = lw_text_string(&out.bytes);
    size_t left = out.bytes.length;
    while (left > 0 && lw_terminal_wait()) {
        ssize_t sent = write(STDOUT_FILENO, at, left);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            break; /* the terminal is gone, as reading from it will tell */
        at += sent > 0 ? sent : 0;
        left -= sent > 0 ? (size_t)sent : 0;
    }
    out.known = out.known && left == 0;
    lw_text_clear(&out.bytes);
    out.joint = 0;
}

/* ---- Looks ---- */

/* "\033[...m" and nothing else: its parameters can follow those of another one. */
static bool is_sgr(const char *bytes, size_t length)
{
    return length > 2 && bytes[0] == '\033' && bytes[1] == '[' && bytes[length - 1] == 'm' &&
           strspn(bytes + 2, "0123456789;:") == length - 3;
}

/* Puts a capability that changes attributes; those that follow each other become one sequence. */
static void put_sgr(const char *capability)
{
    char rest[64];
    size_t from = out.bytes.length;
    put(capability);
    if (out.bytes.failed)
        return;
    size_t length = out.bytes.length - from;
    const char *bytes = lw_text_string(&out.bytes) + from;
    bool joins = is_sgr(bytes, length), after = joins && from > 0 && out.joint == from;
    if (after && length - 2 <= sizeof rest) {
        memcpy(rest, bytes + 2, length - 2);
        out.bytes.length = from - 1; /* over its m */
        lw_text_add(&out.bytes, out.bytes.data[from - 2] == '[' ? "0;" : ";");
        lw_text_bytes(&out.bytes, rest, length - 2);
    }
    out.joint = joins ? out.bytes.length : 0;
}

/* What the description makes of a number, made once. */
static const char *color_code(const char *capability, int color, bool behind)
{
    char *kept = color < NUMBERS ? out.codes[behind][color] : NULL;
    if (kept && *kept)
        return kept;
    const char *made = tiparm(capability, color);
    if (!kept || !has(made) || strlen(made) >= sizeof *out.codes[behind])
        return made;
    return strcpy(kept, made);
}

static void put_color(int color, bool behind)
{
    static const int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
    char direct[32];
    const char *capability = behind ? set_a_background : set_a_foreground;
    const char *old = behind ? set_background : set_foreground;
    if (out.depth == LW_DEPTH_TRUE && out.direct) {
        snprintf(direct, sizeof direct, "\033[%d;2;%d;%d;%dm", behind ? 48 : 38, color >> 16 & 255,
                 color >> 8 & 255, color & 255);
        put_sgr(direct);
    } else if (has(capability)) {
        put_sgr(color_code(capability, color, behind));
    } else if (has(old)) {
        put_sgr(tiparm(old, color < 8 ? reversed[color] : color));
    }
}

/* Where attributes and colours are those of ISO 6429, its 0 ends them all; a description's own ways also
 * leave the other character set, which is never entered here. */
static void reset_look(void)
{
    bool iso = has(exit_attribute_mode) && strstr(exit_attribute_mode, "\033[") &&
               has(set_a_foreground) && !strncmp(set_a_foreground, "\033[", 2);
    if (!iso)
        put_sgr(orig_pair);
    put_sgr(iso && out.told ? "\033[m" : exit_attribute_mode);
    out.look = (struct lw_appearance){-1, -1, 0};
    out.told = true;
}

/* Back to the terminal's own colours, where one of the two was another. */
static void drop_colors(struct lw_appearance want)
{
    bool fg = want.fg < 0 && out.look.fg >= 0, bg = want.bg < 0 && out.look.bg >= 0;
    if (!fg && !bg)
        return;
    if (fg != bg && has(orig_pair) && !strcmp(orig_pair, "\033[39;49m")) {
        put_sgr(fg ? "\033[39m" : "\033[49m");
        out.look.fg = fg ? -1 : out.look.fg;
        out.look.bg = bg ? -1 : out.look.bg;
        return;
    }
    put_sgr(orig_pair);
    out.look.fg = out.look.bg = -1;
}

static void set_look(struct lw_appearance want)
{
    static const unsigned bits[] = {LW_BOLD, LW_REVERSE, LW_UNDERLINE, LW_DIM};
    const char *const modes[] = {enter_bold_mode, enter_reverse_mode, enter_underline_mode,
                                 enter_dim_mode};
    bool plain = want.fg < 0 && want.bg < 0 && !want.attributes;
    bool is_plain = out.look.fg < 0 && out.look.bg < 0 && !out.look.attributes;
    if (!out.told || (out.look.attributes & ~want.attributes) || (plain && !is_plain))
        reset_look();
    drop_colors(want);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (want.attributes & ~out.look.attributes & bits[i])
            put_sgr(modes[i]);
    if (want.fg >= 0 && want.fg != out.look.fg)
        put_color(want.fg, false);
    if (want.bg >= 0 && want.bg != out.look.bg)
        put_color(want.bg, true);
    out.look = want;
}

/* What the terminal can show of a look. */
static struct lw_appearance able(struct lw_appearance look)
{
    static const unsigned bits[] = {LW_REVERSE, LW_UNDERLINE, LW_DIM, LW_BOLD};
    static const int conflicts[] = {1 << 2, 1 << 1, 1 << 4,
                                    1 << 5}; /* as no_color_video has them */
    /* Terminals of eight colours have the other eight in bold. */
    if (out.depth != LW_DEPTH_TRUE && look.fg >= max_colors && look.fg < 16) {
        look.fg -= 8;
        look.attributes |= LW_BOLD;
    }
    if (out.depth != LW_DEPTH_TRUE && look.bg >= max_colors && look.bg < 16)
        look.bg -= 8;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (no_color_video > 0 && (no_color_video & conflicts[i]) && (look.fg >= 0 || look.bg >= 0))
            look.attributes &= ~bits[i];
    if (magic_cookie_glitch > 0) /* there attributes take room on the screen */
        look.attributes = 0;
    return look;
}

static struct lw_appearance look_of(struct lw_pen pen)
{
    if (pen.kind == LW_PEN_HALF || pen.shade >= SHADES)
        return able(lw_theme_look(out.theme, out.depth, pen));
    if (!out.looks[pen.kind][pen.shade].has)
        out.looks[pen.kind][pen.shade].look = able(lw_theme_look(out.theme, out.depth, pen));
    out.looks[pen.kind][pen.shade].has = true;
    return out.looks[pen.kind][pen.shade].look;
}

/* Whether a character looks the same in both: of a blank only the ground is seen. */
static bool looks_same(uint32_t code, struct lw_appearance a, struct lw_appearance b)
{
    const unsigned seen = LW_REVERSE | LW_UNDERLINE;
    if (code == ' ' && !((a.attributes | b.attributes) & seen))
        return a.bg == b.bg;
    return a.fg == b.fg && a.bg == b.bg && a.attributes == b.attributes;
}

static bool same_pen(struct lw_pen a, struct lw_pen b)
{
    return a.kind == b.kind && a.shade == b.shade && a.under == b.under;
}

static bool same_tile(const struct lw_glyph *a, const struct lw_glyph *b)
{
    return a->code == b->code &&
           (same_pen(a->pen, b->pen) ||
            (a->code == ' ' && looks_same(' ', look_of(a->pen), look_of(b->pen))));
}

/* A blank of the terminal's own ground. */
static bool is_empty(const struct lw_glyph *tile)
{
    return tile->code == ' ' &&
           looks_same(' ', look_of(tile->pen), (struct lw_appearance){-1, -1, 0});
}

/* ---- Cells ---- */

static void put_code(const struct lw_glyph *tile)
{
    char bytes[4];
    lw_text_bytes(&out.bytes, bytes, (size_t)lw_text_encode(tile->code, bytes));
}

static void put_tile(const struct lw_glyph *tile)
{
    struct lw_appearance want = look_of(tile->pen);
    if (!out.told || !looks_same(tile->code, out.look, want))
        set_look(want);
    put_code(tile);
}

/* Whether the tiles from the cursor up to `col` can be put again, in fewer bytes than a move. */
static bool can_rewrite(const struct lw_glyph *tiles, int col)
{
    int bytes = 0;
    for (int c = out.col; c < col; c++) {
        char code[4];
        bytes += lw_text_encode(tiles[c].code, code);
        if (bytes > GAP || !tiles[c].code ||
            !looks_same(tiles[c].code, out.look, look_of(tiles[c].pen)))
            return false;
    }
    return out.told;
}

/* Most terminals move as ISO 6429 says, and that is quickly written. */
static void put_move(int row, int col)
{
    if (cursor_address && !strcmp(cursor_address, "\033[%i%p1%d;%p2%dH")) {
        lw_text_add(&out.bytes, "\033[");
        lw_text_number(&out.bytes, (uint64_t)row + 1);
        lw_text_char(&out.bytes, ';');
        lw_text_number(&out.bytes, (uint64_t)col + 1);
        lw_text_char(&out.bytes, 'H');
    } else {
        put(tiparm(cursor_address, row, col));
    }
}

static void move_to(const struct lw_glyph *tiles, int row, int col)
{
    if (out.row == row && out.col == col)
        return;
    if (out.row == row && out.col >= 0 && out.col < col && can_rewrite(tiles, col)) {
        for (; out.col < col; out.col++)
            put_code(&tiles[out.col]);
        return;
    }
    if (!move_standout_mode && out.told && out.look.attributes)
        reset_look();
    if (out.row == row && out.col >= 0 && out.col < col && has(parm_right_cursor))
        put(tiparm(parm_right_cursor, col - out.col));
    else
        put_move(row, col);
    out.row = row;
    out.col = col;
}

/* How many tiles from `col` on are empty. */
static int empty_run(const struct lw_glyph *tiles, int col, int width)
{
    int from = col;
    while (col < width && is_empty(&tiles[col]))
        col++;
    return col - from;
}

/* Erases instead of writing many blanks; returns how many tiles that were. */
static int erase_run(const struct lw_glyph *tiles, const struct lw_glyph *old, int col, int width)
{
    int run = tiles[col].code == ' ' ? empty_run(tiles, col, width) : 0, count = run;
    bool rest = col + run == width && has(clr_eol);
    while (count > 0 && same_tile(&tiles[col + count - 1], &old[col + count - 1]))
        count--;
    /* Behind an erased run a move is needed, behind an erased rest of the line nothing. */
    if (count < (rest ? ERASED : 2 * ERASED) || (!rest && !has(erase_chars)))
        return 0;
    set_look((struct lw_appearance){-1, -1, 0});
    put(rest ? clr_eol : tiparm(erase_chars, count));
    return rest ? run : count;
}

static void paint_row(const struct lw_surface *surface, int row)
{
    int width = surface->width;
    const struct lw_glyph *tiles = &surface->tiles[row * width];
    struct lw_glyph *old = &out.shown.tiles[row * width];
    /* Where a character in the last place makes the screen scroll, that place stays empty. */
    bool corner = row + 1 == surface->height && auto_right_margin && !eat_newline_glitch;
    for (int col = 0; col < width - corner; col++) {
        if (tiles[col].code == 0 || same_tile(&tiles[col], &old[col]))
            continue; /* 0 is the right half of what was put before */
        move_to(tiles, row, col);
        int erased = erase_run(tiles, old, col, width - corner);
        if (erased) {
            col += erased - 1;
            continue;
        }
        bool wide = col + 1 < width && tiles[col + 1].code == 0;
        put_tile(wide && corner && col + 2 == width
                     ? &(struct lw_glyph){.code = ' ', .pen = tiles[col].pen}
                     : &tiles[col]);
        out.col++;
        if (wide || out.col >= width)
            out.row = out.col =
                -1; /* fonts differ in what is wide; it may hang behind the margin */
    }
    memcpy(old, tiles, (size_t)width * sizeof *tiles);
}

static void show_cursor(bool shown)
{
    if (out.cursor != shown)
        put(shown ? cursor_normal : cursor_invisible);
    out.cursor = shown;
}

void lw_terminal_plain(void)
{
    out.told = false;
    reset_look();
    send_bytes();
}

/* The screen is cleared by ncurses, which takes the terminal back if it was given away. */
static bool begin_anew(const struct lw_surface *surface)
{
    if (!lw_surface_resize(&out.shown, surface->height, surface->width))
        return false;
    if (!is_empty(&out.shown.tiles[0])) /* the theme has a ground of its own */
        memset(out.shown.tiles, 0xff,
               (size_t)surface->height * (size_t)surface->width * sizeof *out.shown.tiles);
    lw_terminal_plain();
    clearok(stdscr, TRUE);
    refresh();
    out.row = out.col = out.cursor = -1;
    return out.known = true;
}

void lw_terminal_paint(const struct lw_surface *surface)
{
    bool same =
        out.known && surface->height == out.shown.height && surface->width == out.shown.width;
    if (!same && !begin_anew(surface))
        return;
    show_cursor(surface->cursor_row >= 0);
    for (int row = 0; row < surface->height; row++)
        if (memcmp(&surface->tiles[row * surface->width], &out.shown.tiles[row * surface->width],
                   (size_t)surface->width * sizeof *surface->tiles) != 0)
            paint_row(surface, row);
    if (surface->cursor_row >= 0)
        move_to(&surface->tiles[surface->cursor_row * surface->width], surface->cursor_row,
                surface->cursor_col);
    out.known = !out.bytes.failed;
    send_bytes();
}

void lw_terminal_redraw(void)
{
    out.known = false;
}

void lw_terminal_dress(const struct lw_theme *theme, enum lw_depth depth, bool direct)
{
    out.theme = theme;
    out.depth = depth;
    out.direct = direct;
    memset(out.looks, 0, sizeof out.looks);
    lw_terminal_redraw();
}

void lw_terminal_paint_end(void)
{
    lw_surface_free(&out.shown);
    lw_text_free(&out.bytes);
    memset(&out, 0, sizeof out);
}
