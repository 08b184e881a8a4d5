/* Extends the terminal's description (terminfo) with capabilities that most descriptions lack.
 *
 * Most terminals support 24-bit colours and report mouse movements while a button is held, but few descriptions have
 * these capabilities. ncurses also reads a compiled description from the variable TERMINFO ("hex:..."). This file
 * writes such a value: the terminal's description, with the capabilities of `put_changed`, `flag_of` and `number_of`
 * changed. The format is that of term(5), with numbers of 32 bits. */

#define NCURSES_WIDECHAR 1
#include "tui/terminal/terminal.h"

#include <ncurses.h>
#include <string.h>
#include <term.h>

enum { MAGIC = 01036, ABSENT = -1, NAMES = 512 };

/* Capabilities by their names. */
struct section {
    const char *const *flags, *const *numbers, *const *strings;
    int flag_count, number_count, string_count;
    bool hover; /* reports of all movements of the mouse */
};

static bool is_there(const char *string)
{
    return string && string != (const char *)-1;
}

bool lw_terminal_is_iso(void)
{
    return is_there(set_a_foreground) && !strncmp(set_a_foreground, "\033[", 2);
}

bool lw_terminal_is_xterm(void)
{
    return is_there(key_mouse) && is_there(keypad_xmit) && !strncmp(keypad_xmit, "\033[?", 3);
}

/* 24-bit colours are added only to palettes that are set with the sequences of ISO 6429. */
static bool adds_colors(void)
{
    int count = tigetnum("colors");
    return lw_terminal_is_iso() && is_there(set_a_background) && count >= 8 &&
           count < LW_FIRST_DIRECT;
}

/* ---- Capabilities that are changed ---- */

/* Below LW_FIRST_DIRECT the terminal's own capability; from there on red, green and blue. */
static void put_color(struct lw_text *out, const char *own, const char *direct)
{
    lw_text_add(out, "%?%p1%{16777216}%<%t");
    lw_text_add(out, own);
    lw_text_add(out, "%e");
    lw_text_add(out, direct);
    lw_text_add(out, "%p1%{65536}%/%{255}%&%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm%;");
}

/* Also turns on reports of movements: all of them (1003), or those while a button is held (1002). */
static void put_mouse(struct lw_text *out, const char *own, bool hover)
{
    lw_text_add(out, is_there(own) ? own : "\033[?1000%?%p1%{1}%=%th%el%;");
    lw_text_add(out, hover ? "\033[?1003" : "\033[?1002");
    lw_text_add(out, "%?%p1%{1}%=%th%el%;");
}

/* Also switches the marks around pasted text on or off (2004), beside the keypad. */
static void put_keypad(struct lw_text *out, const char *own, char onoff)
{
    lw_text_format(out, "%s\033[?2004%c", own, onoff);
}

/* Switches attributes and colours off first: other programs, or a frame that was cut off, may have
 * left some. */
static void put_clear(struct lw_text *out, const char *own)
{
    lw_text_add(out, is_there(orig_pair) ? orig_pair : "");
    lw_text_add(out, is_there(exit_attribute_mode) ? exit_attribute_mode : "");
    lw_text_add(out, own);
}

/* Appends the new value of a capability; false: it is unchanged. */
static bool put_changed(struct lw_text *out, const char *name, const char *own, bool hover)
{
    if (!strcmp(name, "XM"))
        put_mouse(out, own, hover);
    else if (!strcmp(name, "clear") && is_there(own))
        put_clear(out, own);
    else if (!strcmp(name, "smkx") && lw_terminal_is_xterm() && is_there(own))
        put_keypad(out, own, 'h');
    else if (!strcmp(name, "rmkx") && lw_terminal_is_xterm() && is_there(own))
        put_keypad(out, own, 'l');
    else if (!strcmp(name, "setaf") && adds_colors())
        put_color(out, own, "\033[38;2;");
    else if (!strcmp(name, "setab") && adds_colors())
        put_color(out, own, "\033[48;2;");
    else
        return false;
    return true;
}

/* After the last column some terminals wrap at once and others with the next character, and descriptions are often
 * wrong. With xenl set, ncurses assumes neither and moves the cursor explicitly. */
static bool flag_of(const char *name)
{
    return !strcmp(name, "xenl") || tigetflag(name) > 0;
}

static int number_of(const char *name)
{
    if (!strcmp(name, "colors") && adds_colors())
        return 2 * LW_FIRST_DIRECT;
    if (!strcmp(name, "RGB") && adds_colors())
        return 8; /* bits of each component; without it ncurses allocates a table of all colours */
    int number = tigetnum(name);
    return number < 0 ? ABSENT : number;
}

/* ---- The compiled form ---- */

static void put_number(struct lw_text *out, int number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        lw_text_char(out, (char)((unsigned)number >> 8 * i & 255));
}

static void align(struct lw_text *out)
{
    if (out->length % 2)
        lw_text_char(out, '\0');
}

/* oc (reset the palette) is left out: the explorer does not change the palette, and ncurses
 * would also reset what the user has changed. */
static void put_string(struct lw_text *offsets, struct lw_text *table, const char *name, bool hover)
{
    const char *own = tigetstr(name);
    size_t from = table->length;
    bool is_changed = put_changed(table, name, own, hover);
    bool is_kept = !is_changed && is_there(own) && strcmp(name, "oc") != 0;
    if (is_kept)
        lw_text_add(table, own);
    if (is_kept || is_changed)
        lw_text_char(table, '\0');
    put_number(offsets, is_kept || is_changed ? (int)from : ABSENT, 2);
}

static void put_counts(struct lw_text *out, const struct section *section)
{
    put_number(out, section->flag_count, 2);
    put_number(out, section->number_count, 2);
    put_number(out, section->string_count, 2);
}

static void put_values(struct lw_text *out, const struct section *section)
{
    for (int i = 0; i < section->flag_count; i++)
        lw_text_char(out, flag_of(section->flags[i]));
    align(out);
    for (int i = 0; i < section->number_count; i++)
        put_number(out, number_of(section->numbers[i]), 4);
}

static void put_names(struct lw_text *offsets, struct lw_text *table, const char *const *names,
                      int count)
{
    for (int i = 0; i < count; i++) {
        put_number(offsets, (int)table->length, 2);
        lw_text_bytes(table, names[i], strlen(names[i]) + 1);
    }
}

static void put_standard(struct lw_text *out, const char *term, const struct section *section)
{
    struct lw_text offsets = {0}, table = {0};
    for (int i = 0; i < section->string_count; i++)
        put_string(&offsets, &table, section->strings[i], section->hover);
    put_number(out, MAGIC, 2);
    put_number(out, (int)strlen(term) + 1, 2);
    put_counts(out, section);
    put_number(out, (int)table.length, 2);
    lw_text_bytes(out, term, strlen(term) + 1);
    put_values(out, section);
    lw_text_bytes(out, offsets.data, offsets.length);
    lw_text_bytes(out, table.data, table.length);
    align(out);
    if (table.length > INT16_MAX)
        lw_text_fail(out);
    lw_text_free(&offsets);
    lw_text_free(&table);
}

static void put_extended(struct lw_text *out, const struct section *section)
{
    struct lw_text offsets = {0}, table = {0}, names = {0};
    for (int i = 0; i < section->string_count; i++)
        put_string(&offsets, &table, section->strings[i], section->hover);
    put_names(&offsets, &names, section->flags, section->flag_count);
    put_names(&offsets, &names, section->numbers, section->number_count);
    put_names(&offsets, &names, section->strings, section->string_count);
    put_counts(out, section);
    put_number(out, (int)offsets.length / 2, 2);
    put_number(out, (int)(table.length + names.length), 2);
    put_values(out, section);
    lw_text_bytes(out, offsets.data, offsets.length);
    lw_text_bytes(out, table.data, table.length);
    lw_text_bytes(out, names.data, names.length);
    lw_text_free(&offsets);
    lw_text_free(&table);
    lw_text_free(&names);
}

/* ---- All of it ---- */

static int count_of(const char *const *names)
{
    int count = 0;
    while (names[count])
        count++;
    return count;
}

static struct section standard_names(void)
{
    const char *const *flags = (const char *const *)boolnames;
    const char *const *numbers = (const char *const *)numnames;
    const char *const *strings = (const char *const *)strnames;
    return (struct section){
        flags, numbers, strings, count_of(flags), count_of(numbers), count_of(strings), false};
}

/* Names of extended capabilities; `added` is one more, or "". */
struct names {
    const char *list[NAMES];
    int count;
};

static void add_names(struct names *names, const char *const *own, int count, const char *added)
{
    bool is_missing = *added != '\0';
    for (int i = 0; i < count && names->count + 1 < NAMES; i++) {
        names->list[names->count++] = own[i];
        is_missing = is_missing && strcmp(own[i], added) != 0;
    }
    if (is_missing)
        names->list[names->count++] = added;
}

/* The extended capabilities of this description, and RGB and XM. */
static void put_own_extended(struct lw_text *out, bool hover)
{
    struct names flags = {.count = 0}, numbers = {.count = 0}, strings = {.count = 0};
    const char *const *own = (const char *const *)CUR ext_Names;
    int flag_count = CUR ext_Booleans, number_count = CUR ext_Numbers;
    bool has_rgb = tigetflag("RGB") > 0 || is_there(tigetstr("RGB"));
    add_names(&flags, own, flag_count, "");
    add_names(&numbers, own + flag_count, number_count, adds_colors() && !has_rgb ? "RGB" : "");
    add_names(&strings, own + flag_count + number_count, CUR ext_Strings,
              is_there(key_mouse) ? "XM" : "");
    put_extended(out, &(struct section){flags.list, numbers.list, strings.list, flags.count,
                                        numbers.count, strings.count, hover});
}

bool lw_terminal_describe(struct lw_text *text, const char *term, bool hover)
{
    struct lw_text bytes = {0};
    struct section standard = standard_names();
    put_standard(&bytes, term, &standard);
    put_own_extended(&bytes, hover);
    lw_text_add(text, "hex:");
    for (size_t i = 0; i < bytes.length; i++)
        lw_text_format(text, "%02x", (unsigned)(unsigned char)bytes.data[i]);
    bool good = !bytes.failed && !text->failed;
    lw_text_free(&bytes);
    return good;
}
