/* The lines typed before at the same prompt, which Up and Down show. Commands are kept from one run to the next, a line
 * each, in `$XDG_STATE_HOME/laneway/history`. */

#include "core/array_count.h"
#include "tui/explore/explorer.h"
#include "tui/prompt/prompt.h"
#include "tui/keep/keep_file.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 500, LINE_BYTES_MAX = 1024 };

/* The lines of a prompt: commands, unless it is one of the other prompts. */
static struct lw_recall *recall_at(struct lw_explorer *ex, unsigned focus)
{
    static const unsigned focuses[] = {LW_FOCUS_FIND, LW_FOCUS_MARK, LW_FOCUS_SAVE,
                                       LW_FOCUS_EXPORT};
    for (size_t i = 0; i < LW_COUNT(focuses); i++)
        if (focus == focuses[i])
            return &ex->prompt.typed[i];
    return &ex->prompt.recall;
}

/* Adds a line, unless it is the same as the last one. False: out of memory. */
static bool push(struct lw_recall *recall, const char *line, size_t length)
{
    if (!recall->lines && !(recall->lines = calloc(LINES_MAX, sizeof *recall->lines)))
        return false;
    const char *last = recall->count ? recall->lines[recall->count - 1] : "";
    if (strlen(last) == length && !strncmp(last, line, length))
        return true;
    char *copy = strndup(line, length);
    if (!copy)
        return false;
    if (recall->count == LINES_MAX) {
        free(recall->lines[0]);
        memmove(recall->lines, recall->lines + 1, (LINES_MAX - 1) * sizeof *recall->lines);
        recall->count--;
    }
    recall->lines[recall->count++] = copy;
    return true;
}

static bool is_text(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 32 || (unsigned char)line[i] > 126)
            return false;
    return length > 0 && length <= LINE_BYTES_MAX;
}

static void free_lines(struct lw_recall *recall)
{
    for (size_t i = 0; i < recall->count; i++)
        free(recall->lines[i]);
    free(recall->lines);
    lw_text_free(&recall->draft);
    memset(recall, 0, sizeof *recall);
}

/* ---- The file ---- */

static void read_lines(void *data, const char *text, size_t length, struct lw_report *report)
{
    struct lw_position position = {.line = 1};
    struct lw_error err;
    for (const char *line = text, *end = text + length; line < end; position.line++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline ? newline : end) - line);
        if (!is_text(line, n)) {
            lw_error_at(&err, LW_ERROR_SYNTAX, position, "not a line of 1 to %d ASCII characters",
                        LINE_BYTES_MAX);
            lw_report_add(report, &err);
        } else if (!push(data, line, n)) {
            lw_error_set(&err, LW_ERROR_MEMORY, "out of memory");
            lw_report_add(report, &err);
        }
        line += n + 1;
    }
}

static void print_lines(const void *data, struct lw_text *text)
{
    const struct lw_recall *recall = data;
    for (size_t i = 0; i < recall->count; i++)
        lw_text_format(text, "%s\n", recall->lines[i]);
}

static bool add_lines(void *data, const void *added)
{
    const struct lw_recall *unsaved = added;
    for (size_t i = 0; i < unsaved->count; i++)
        if (!push(data, unsaved->lines[i], strlen(unsaved->lines[i])))
            return false;
    return true;
}

static const struct lw_keep_file file = {LW_FOLDER_STATE, "history", read_lines, print_lines};

void lw_recall_load(struct lw_explorer *ex)
{
    struct lw_report report;
    ex->prompt.recall.saved = true;
    if (!lw_keep_load(&file, &ex->prompt.recall, &report))
        lw_warn_of_report(ex, &report);
}

void lw_recall_write(struct lw_explorer *ex)
{
    struct lw_recall kept = {0}, *unsaved = &ex->prompt.unsaved;
    if (unsaved->count && lw_keep_change(&file, &kept, add_lines, unsaved, NULL))
        free_lines(unsaved);
    free_lines(&kept);
}

void lw_recall_add(struct lw_explorer *ex, const char *line)
{
    if (!is_text(line, strlen(line)))
        return;
    push(&ex->prompt.recall, line, strlen(line));
    if (!ex->prompt.recall.saved)
        return;
    push(&ex->prompt.unsaved, line, strlen(line)); /* written by the next write if this one fails */
    lw_recall_write(ex);
}

void lw_recall_add_at(struct lw_explorer *ex, unsigned focus, const char *line)
{
    if (is_text(line, strlen(line)))
        push(recall_at(ex, focus), line, strlen(line));
}

void lw_recall_walk(struct lw_explorer *ex, int by)
{
    struct lw_recall *recall = recall_at(ex, ex->focus);
    if (!recall->back && lw_filter_step(ex, by))
        return;
    if (!recall->back) {
        lw_text_clear(&recall->draft);
        lw_text_add(&recall->draft, lw_text_string(&ex->prompt.line.text));
    }
    size_t back = by < 0 ? recall->back + 1 : recall->back ? recall->back - 1 : 0;
    if (back > recall->count)
        return;
    recall->back = back;
    lw_line_set(&ex->prompt.line,
                back ? recall->lines[recall->count - back] : lw_text_string(&recall->draft));
    lw_filter_typed(ex);
}

void lw_recall_free(struct lw_explorer *ex)
{
    free_lines(&ex->prompt.recall);
    free_lines(&ex->prompt.unsaved);
    for (size_t i = 0; i < sizeof ex->prompt.typed / sizeof *ex->prompt.typed; i++)
        free_lines(&ex->prompt.typed[i]);
}
