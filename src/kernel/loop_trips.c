/* How often loops run, as people type it. */

#include "kernel/loop_trips.h"

#include <stdlib.h>
#include <string.h>

/* Reads an item, which ends in a NUL: "16", "73=16", "K=512", "%K=512". */
static bool read_one(char *item, struct lw_trips *trips)
{
    char *equals = strchr(item, '='), *number = equals ? equals + 1 : item;
    const size_t digits = strspn(number, "0123456789"), line_digits = strspn(item, "0123456789");
    if (equals)
        *equals = '\0';
    if (equals && line_digits)
        trips->line = item[line_digits] || line_digits > 9 ? 0 : atoi(item);
    else if (equals)
        trips->name = item + (*item == '%');
    trips->count = digits > 19 ? UINT64_MAX : strtoull(number, NULL, 10);
    return digits && !number[digits] && (!equals || trips->line || (trips->name && *trips->name)) &&
           trips->count <= (uint64_t)1 << (trips->name ? 62 : 40);
}

bool lw_trips_read(struct lw_trips_text *out, const char *text, const char *option,
                   struct lw_error *err)
{
    bool good = strlen(text) < sizeof out->text;
    *out = (struct lw_trips_text){.count = 0};
    snprintf(out->text, sizeof out->text, "%s", text);
    for (char *item = out->text, *next; good && item; item = next) {
        next = strchr(item, ',');
        if (next)
            *next++ = '\0';
        good = out->count < LW_TRIPS_MAX && read_one(item, &out->trips[out->count++]);
    }
    return good || lw_error_set(
                       err, LW_ERROR_SYNTAX,
                       "%s %.60s: expected a number up to 2^40, LINE=NUMBER for the loop on "
                       "that line of the file, or NAME=NUMBER for a value that bounds are computed "
                       "from, separated by commas: %s 73=16,K=512",
                       option, text, option);
}
