/* laneway list: the gallery. */

#include "cli/command/commands.h"
#include "laneway/document.h"

#include <fnmatch.h>
#include <string.h>
#include <strings.h>

enum { TITLE_MAX = 200 };

static bool holds(const char *text, const char *pattern)
{
    size_t length = strlen(pattern);
    for (; strlen(text) >= length; text++)
        if (!strncasecmp(text, pattern, length))
            return true;
    return false;
}

/* A pattern with * or ? is compared with the whole name; any other with parts of name and title. */
static bool matches(const struct lw_arguments *args, const char *name, const char *title)
{
    if (args->operand_count == 0)
        return true;
    const char *pattern = args->operands[0];
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, name, 0) == 0;
    return holds(name, pattern) || holds(title, pattern);
}

/* The width of the widest name that is shown. */
static size_t name_width(const struct lw_arguments *args, const struct lw_gallery_entry *entries,
                         size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++) {
        char title[TITLE_MAX];
        lw_gallery_title(&entries[i], title, sizeof title);
        size_t own = lw_text_width(entries[i].name);
        if (own > width && matches(args, entries[i].name, title))
            width = own;
    }
    return width;
}

static void print_entry(struct lw_text *text, const char *name, const char *title, size_t width,
                        bool json)
{
    if (!json) {
        lw_text_add(text, name);
        if (*title)
            lw_text_repeat(text, ' ', width - lw_text_width(name) + 2);
        lw_text_add(text, title);
        lw_text_char(text, '\n');
        return;
    }
    lw_text_add(text, text->length > 1 ? ",{\"name\":" : "{\"name\":");
    lw_text_json_string(text, name);
    lw_text_add(text, ",\"title\":");
    lw_text_json_string(text, title);
    lw_text_char(text, '}');
}

/* Appends every entry that matches. */
static enum lw_status list(struct lw_text *text, const struct lw_arguments *args, bool json,
                           struct lw_error *err)
{
    size_t count, kernels, shown = 0;
    const struct lw_gallery_entry *entries = lw_gallery(&count);
    const struct lw_gallery_entry *compiled = lw_gallery_kernels(&kernels);
    size_t width = name_width(args, entries, count), other = name_width(args, compiled, kernels);
    lw_text_add(text, json ? "[" : "");
    for (size_t i = 0, k = 0; i + k < count + kernels;) { /* both are sorted, and so is the list */
        bool layout = i < count && (k == kernels || strcmp(entries[i].name, compiled[k].name) < 0);
        const struct lw_gallery_entry *entry = layout ? &entries[i++] : &compiled[k++];
        char title[TITLE_MAX];
        lw_gallery_title(entry, title, sizeof title);
        if (!matches(args, entry->name, title))
            continue;
        print_entry(text, entry->name, title, width > other ? width : other, json);
        shown++;
    }
    lw_text_add(text, json ? "]" : "");
    if (shown)
        return LW_STATUS_OK;
    lw_error_set(err, LW_ERROR_NAME, "no layout of the gallery matches '%.60s'",
                 args->operand_count ? args->operands[0] : "");
    return LW_STATUS_NO;
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    return list(&answer->text, args, !answer->out, err);
}

const struct lw_command lw_command_list = {
    .name = "list",
    .operands = "[PATTERN]",
    .help = "list the gallery of named layouts and kernels",
    .about = "Each name is a SOURCE, those that end in .ttgir are compiled kernels. A pattern with "
             "* or ? is compared with the whole name; any other "
             "pattern selects the names and titles that contain it. Exits 1 when nothing matches.",
    .options = LW_OPTION_BIT(JSON) | LW_OPTION_BIT(OUTPUT),
    .max_operands = 1,
    .keys = {{"pattern", LW_REQUEST_SOURCE}},
    .examples = {{"list", "the whole gallery"}, {"list --json", "for programs"}},
    .answer = answer,
};
