/* The state of the pseudo-terminal: its modes, and whether the program restored it. */

#include "tui/pseudo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

bool pseudo_has_high_bytes(const struct pseudo *p)
{
    for (size_t i = 0; i < p->raw_length; i++)
        if ((unsigned char)p->raw[i] >= 0x80)
            return true;
    return false;
}

bool pseudo_has_mode(const struct pseudo *p, int mode)
{
    bool on = false;
    for (const char *at = p->raw; at && (at = strstr(at, "\033[?")) != NULL;) {
        bool named = false;
        at += 3;
        for (char *end; *at >= '0' && *at <= '9'; at = end + (*end == ';'))
            named |= strtol(at, &end, 10) == mode;
        if (named && (*at == 'h' || *at == 'l'))
            on = *at == 'h';
    }
    return on;
}

bool pseudo_wants_mouse(const struct pseudo *p)
{
    return pseudo_has_mode(p, 1000) || pseudo_has_mode(p, 1002) || pseudo_has_mode(p, 1003) ||
           pseudo_has_mode(p, 1006);
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

/* What is written next looks as it did. */
static bool has_plain_pen(struct pseudo *p)
{
    VTermState *state = vterm_obtain_state(p->vt);
    VTermValue value;
    VTermColor fg, bg;
    for (VTermAttr a = VTERM_ATTR_BOLD; a <= VTERM_ATTR_STRIKE; a++)
        if (!vterm_state_get_penattr(state, a, &value) || value.number)
            return false;
    vterm_state_get_default_colors(state, &fg, &bg);
    return vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &value) &&
           vterm_color_is_equal(&value.color, &fg) &&
           vterm_state_get_penattr(state, VTERM_ATTR_BACKGROUND, &value) &&
           vterm_color_is_equal(&value.color, &bg);
}

/* The screen that was there before the program's own: nothing had been written on it. */
static bool has_screen_back(struct pseudo *p)
{
    return !p->alone || !p->was_alternate || !pseudo_text(p)[strspn(pseudo_text(p), " \n")];
}

void pseudo_assert_restored(struct pseudo *p, const char *file, int line)
{
    struct termios now;
    const struct {
        bool good;
        const char *name;
    } checks[] = {
        {tcgetattr(p->slave, &now) == 0 && same_modes(&now, &p->before), "modes"},
        {!p->alternate, "alternate screen"},
        {has_screen_back(p), "what was on the screen"},
        {p->cursor, "cursor"},
        {has_plain_pen(p), "colours"},
        {!pseudo_has_mode(p, 1), "cursor keys"},
        {!pseudo_has_mode(p, 2004), "bracketed paste"},
        {!pseudo_wants_mouse(p), "mouse"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].good)
            print_error("%s:%d: the terminal is not as it was: %s\n", file, line, checks[i].name);
        good = good && checks[i].good;
    }
    if (!good)
        fail();
}
