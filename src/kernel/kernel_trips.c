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

/* "K=512"; the name is copied to *names, which is moved past it. */
static bool read_named(const char **text, struct lw_trips *trips, char **names, const char *end)
{
    const char *from = **text == '%' ? *text + 1 : *text;
    size_t length = strcspn(from, "=,");
    if (from[length] != '=' || length == 0 || (size_t)(end - *names) <= length)
        return false;
    *trips = (struct lw_trips){0, 0, *names};
    memcpy(*names, from, length);
    *names += length;
    *(*names)++ = '\0';
    *text = from + length + 1;
    return read_count(text, (uint64_t)1 << 62, &trips->count);
}

/* Reads one of the items that are separated by commas. */
static bool read_one(const char **text, struct lw_trips *trips, char **names, const char *end)
{
    uint64_t first, second;
    if (**text < '0' || **text > '9')
        return read_named(text, trips, names, end);
    if (!read_count(text, (uint64_t)1 << 40, &first))
        return false;
    *trips = (struct lw_trips){0, first, NULL};
    if (**text != '=')
        return true;
    ++*text;
    if (first < 1 || first > INT32_MAX || !read_count(text, (uint64_t)1 << 40, &second))
        return false;
    *trips = (struct lw_trips){(int)first, second, NULL};
    return true;
}

bool lw_trips_read(struct lw_trips_text *out, const char *text, const char *option,
                   struct lw_error *err)
{
    char *names = out->names;
    const char *p = text;
    out->count = 0;
    do {
        if (out->count == LW_TRIPS_MAX ||
            !read_one(&p, &out->trips[out->count++], &names, out->names + sizeof out->names)) {
            p = NULL;
            break;
        }
    } while (*p++ == ',');
    return (p && p[-1] == '\0') ||
           lw_error_set(
               err, LW_ERROR_SYNTAX,
               "%s %.60s: expected a number up to 2^40, LINE=NUMBER for the loop on "
               "that line of the file, or NAME=NUMBER for a value that bounds are computed "
               "from, separated by commas: %s 73=16,K=512",
               option, text, option);
}
