/* How often loops run: read from a text. */

#include "kernel/kernel_trips.h"

#include <string.h>

static bool read_count(const char **text, uint64_t max, uint64_t *number)
{
    const char *from = *text;
    for (*number = 0; **text >= '0' && **text <= '9' && *number <= max; ++*text)
        *number = *number * 10 + (uint64_t)(**text - '0');
    return *text > from && *number <= max;
}

/* Reads one of the items that are separated by commas; a name is copied to *names, which is moved past it. */
static bool read_one(const char **text, struct lw_trips *trips, char **names, const char *end)
{
    const bool has_line = **text >= '0' && **text <= '9';
    const char *from = **text == '%' ? *text + 1 : *text;
    const size_t length = strcspn(from, "=,");
    const bool is_named = from[length] == '=' && !has_line;
    uint64_t line = 0;
    *trips = (struct lw_trips){0};
    if (is_named) {
        if (length == 0 || (size_t)(end - *names) <= length)
            return false;
        trips->name = *names;
        memcpy(*names, from, length);
        *names += length;
        *(*names)++ = '\0';
    } else if (from[length] == '=') {
        if (!read_count(text, INT32_MAX, &line) || line < 1 || **text != '=')
            return false;
        trips->line = (int)line;
    }
    if (from[length] == '=')
        *text = from + length + 1;
    return read_count(text, (uint64_t)1 << (is_named ? 62 : 40), &trips->count);
}

bool lw_trips_read(struct lw_trips_text *out, const char *text, const char *option,
                   struct lw_error *err)
{
    char *names = out->names;
    const char *p = text, *end = names + sizeof out->names;
    bool good = true;
    out->count = 0;
    do
        good = out->count < LW_TRIPS_MAX && read_one(&p, &out->trips[out->count++], &names, end);
    while (good && *p++ == ',');
    return (good && p[-1] == '\0') ||
           lw_error_set(
               err, LW_ERROR_SYNTAX,
               "%s %.60s: expected a number up to 2^40, LINE=NUMBER for the loop on "
               "that line of the file, or NAME=NUMBER for a value that bounds are computed "
               "from, separated by commas: %s 73=16,K=512",
               option, text, option);
}
