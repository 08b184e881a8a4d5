/* The number of colours of the terminal, and of those that are used. */

#define NCURSES_WIDECHAR 1
#include "core/array_count.h"
#include "tui/terminal/terminal.h"

#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

static struct {
    int count;      /* of the palette */
    bool is_direct; /* a colour's number is the colour itself: red, green, blue */
    bool is_iso;    /* colours are set with the sequences of ISO 6429 */
    bool has_flag;  /* the description has RGB or Tc: 24-bit colours */
} terminal;

void lw_terminal_learn_colors(void)
{
    terminal.count = tigetnum("colors"); /* it may be larger than max_colors can express */
    terminal.is_direct = terminal.count >= LW_FIRST_DIRECT;
    terminal.is_iso = lw_terminal_is_iso();
    terminal.has_flag = tigetflag("RGB") > 0 || tigetflag("Tc") > 0;
}

/* Whether 24-bit colours can be used beside the palette: not if ncurses did not accept the extended description. */
static bool adds_direct(void)
{
    return !terminal.is_direct && terminal.is_iso && tigetnum("colors") > LW_FIRST_DIRECT;
}

/* Whether the terminal supports 24-bit colours, by COLORTERM or its description. GNU screen passes COLORTERM on, but
 * interprets such colours as other attributes. */
static bool has_direct(void)
{
    const char *value = getenv("COLORTERM"), *term = getenv("TERM");
    bool can = value && (!strcmp(value, "truecolor") || !strcmp(value, "24bit"));
    return terminal.has_flag || (can && term && strncmp(term, "screen", 6) != 0);
}

static enum lw_depth deepest(void)
{
    return terminal.count < 8                                      ? LW_DEPTH_MONO
           : terminal.is_direct || (adds_direct() && has_direct()) ? LW_DEPTH_TRUE
           : terminal.count >= 256                                 ? LW_DEPTH_256
           : terminal.count >= 16                                  ? LW_DEPTH_16
                                                                   : LW_DEPTH_8;
}

/* The depth of a setting if the terminal can show it, else `there`; `otherwise`: the setting is auto. */
static enum lw_depth by_settings(const char *color, enum lw_depth there, enum lw_depth otherwise)
{
    static const struct {
        const char *name;
        enum lw_depth depth;
    } names[] = {{"never", LW_DEPTH_MONO},
                 {"8", LW_DEPTH_8},
                 {"16", LW_DEPTH_16},
                 {"256", LW_DEPTH_256},
                 {"truecolor", LW_DEPTH_TRUE}};
    for (size_t i = 0; i < LW_COUNT(names); i++) {
        enum lw_depth depth = names[i].depth;
        bool can = depth == LW_DEPTH_MONO || (depth < there && !terminal.is_direct) ||
                   (depth == LW_DEPTH_TRUE && adds_direct());
        if (!strcmp(color, names[i].name))
            return can ? depth : there;
    }
    return otherwise;
}

static enum lw_depth choose_depth(const struct lw_terminal_settings *settings)
{
    const char *no_color = getenv("NO_COLOR");
    enum lw_depth there = deepest();
    bool is_refused = no_color && no_color[0] && !settings->color_by_option;
    return by_settings(settings->color, there, is_refused ? LW_DEPTH_MONO : there);
}

struct lw_terminal_colors lw_terminal_choose_colors(const struct lw_terminal_settings *settings)
{
    return (struct lw_terminal_colors){
        .depth = choose_depth(settings),
        .count = terminal.count,
        .first_direct = adds_direct() ? LW_FIRST_DIRECT : 0,
    };
}
