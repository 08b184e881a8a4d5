/* laneway list: the gallery. */

#include "cli/command/commands.h"
#include "core/text_json.h"
#include "laneway/document.h"

#include <string.h>
#include <strings.h>

static bool holds(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (!strncasecmp(text, part, length))
            return true;
    return false;
}

static enum lw_status answer(const struct lw_arguments *args, struct lw_answer *answer,
                             struct lw_error *err)
{
    const char *pattern = args->operand_count ? args->operands[0] : "";
    struct lw_text *text = &answer->text;
    size_t counts[2], shown = 0;
    const struct lw_gallery_entry *const lists[2] = {lw_gallery(&counts[0]),
                                                     lw_gallery_kernels(&counts[1])};
    lw_text_add(text, answer->out ? "" : "[");
    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < counts[list]; i++) {
            const struct lw_gallery_entry *entry = &lists[list][i];
            if (!holds(entry->name, pattern) && !holds(entry->title, pattern))
                continue;
            shown++;
            if (answer->out) {
                lw_text_format(text, "%-32s  %s\n", entry->name, entry->title);
                continue;
            }
            lw_json_put(text, NULL, "{");
            lw_json_string(text, "name", entry->name);
            lw_json_string(text, "title", entry->title);
            lw_text_char(text, '}');
        }
    lw_text_add(text, answer->out ? "" : "]");
    if (shown)
        return LW_STATUS_OK;
    lw_error_set(err, LW_ERROR_NAME, "no layout of the gallery matches '%.60s'", pattern);
    return LW_STATUS_NO;
}

const struct lw_command lw_command_list = {
    .name = "list",
    .operands = "[PATTERN]",
    .help = "list the gallery of named layouts and kernels",
    .about =
        "Each name is a SOURCE, those that end in .ttgir are compiled kernels. PATTERN selects "
        "the names and titles that contain it. Exits 1 when nothing matches.",
    .options = LW_OPTIONS_ANSWER,
    .max_operands = 1,
    .keys = {{"pattern", LW_REQUEST_SOURCE}},
    .examples = {{"list", "the whole gallery"}, {"list --json", "for programs"}},
    .answer = answer,
};
