/* Names of keys, as in help, scripts and the table of actions. */

#include "laneway/text.h"
#include "tui/terminal/events.h"

#include <string.h>

static const struct {
    uint32_t key;
    const char *name;
} names[] = {
    {LW_KEY_UP, "Up"},
    {LW_KEY_DOWN, "Down"},
    {LW_KEY_LEFT, "Left"},
    {LW_KEY_RIGHT, "Right"},
    {LW_KEY_HOME, "Home"},
    {LW_KEY_END, "End"},
    {LW_KEY_PAGE_UP, "PgUp"},
    {LW_KEY_PAGE_DOWN, "PgDn"},
    {LW_KEY_BACK_TAB, "S-Tab"},
    {LW_KEY_BACKSPACE, "Backspace"},
    {LW_KEY_DELETE, "Del"},
    {LW_KEY_F1, "F1"},
    {'\t', "Tab"},
    {'\r', "Enter"},
    {'\n', "Enter"},
    {27, "Esc"},
    {' ', "Space"},
    {127, "Backspace"},
};

void lw_key_name(uint32_t key, char name[16])
{
    memset(name, 0, 16);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == key) {
            snprintf(name, 16, "%s", names[i].name);
            return;
        }
    if (key < 32)
        snprintf(name, 16, "C-%c", (char)(key + (key ? 96 : 32)));
    else if (key < LW_KEY_FIRST)
        lw_text_encode(key, name);
}

uint32_t lw_key_of_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && !strncmp(names[i].name, name, length))
            return names[i].key;
    if (length == 3 && name[0] == 'C' && name[1] == '-')
        return (unsigned char)name[2] & 31u;
    int bytes = 0;
    uint32_t code = length ? lw_text_decode(name, &bytes) : 0;
    return (size_t)bytes == length ? code : 0;
}
