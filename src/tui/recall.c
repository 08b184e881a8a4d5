/* What was typed before at the same prompt, walked through with the arrows. Commands are kept from one run
 * to the next, a line each, in `$XDG_STATE_HOME/laneway/history`; a file that cannot be read whole is never
 * written over. */

#include "tui/explorer.h"
#include "tui/files.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MOST = 500, LINE_MOST = 1024 };

/* Of what is typed at a place; the commands where it is no other prompt. */
static struct lw_recall *recall_at(struct lw_explorer *ex, unsigned place)
{
    static const unsigned places[] = {LW_AT_FIND, LW_AT_MARK, LW_AT_SAVE, LW_AT_EXPORT};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (place == places[i])
            return &ex->typed[i];
    return &ex->recall;
}

static void push(struct lw_recall *recall, const char *line, size_t length)
{
    bool again = recall->count && strlen(recall->lines[recall->count - 1]) == length &&
                 !strncmp(recall->lines[recall->count - 1], line, length);
    char *copy = again ? NULL : strndup(line, length);
    if (!copy)
        return;
    if (!recall->lines && !(recall->lines = calloc(LINES_MOST, sizeof *recall->lines))) {
        free(copy);
        return;
    }
    if (recall->count == LINES_MOST) {
        free(recall->lines[0]);
        memmove(recall->lines, recall->lines + 1, (LINES_MOST - 1) * sizeof *recall->lines);
        recall->count--;
    }
    recall->lines[recall->count++] = copy;
}

static bool is_text(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < 32 || (unsigned char)line[i] > 126)
            return false;
    return length > 0 && length <= LINE_MOST;
}

void lw_recall_load(struct lw_explorer *ex)
{
    struct lw_text path = {0}, text = {0};
    struct lw_error err = {0};
    int bad = 0, number = 0;
    ex->recall.kept = true;
    if (lw_folder_path(&path, LW_FOLDER_STATE, "history", NULL) &&
        lw_file_read(lw_text_string(&path), &text, &err))
        for (const char *line = lw_text_string(&text); *line;) {
            size_t length = strcspn(line, "\n");
            number++;
            if (is_text(line, length))
                push(&ex->recall, line, length);
            else if (!bad)
                bad = number;
            line += length + (line[length] == '\n');
        }
    if (bad || err.code != LW_OK) {
        char warning[200];
        if (bad)
            snprintf(warning, sizeof warning,
                     "history:%d: no line of text: the file is left as it is", bad);
        lw_warn(ex, bad ? warning : err.message);
        ex->recall.kept = false;
    }
    lw_text_free(&path);
    lw_text_free(&text);
}

static void save(struct lw_explorer *ex)
{
    struct lw_text path = {0}, text = {0};
    for (size_t i = 0; i < ex->recall.count; i++)
        lw_text_format(&text, "%s\n", ex->recall.lines[i]);
    /* What cannot be kept is only a convenience: nothing is said of it. */
    if (lw_folder_path(&path, LW_FOLDER_STATE, "history", NULL) &&
        lw_folder_make(lw_text_string(&path), NULL))
        lw_file_write(lw_text_string(&path), lw_text_string(&text), NULL);
    lw_text_free(&path);
    lw_text_free(&text);
}

void lw_recall_add(struct lw_explorer *ex, const char *line)
{
    size_t count = ex->recall.count;
    if (!is_text(line, strlen(line)))
        return;
    push(&ex->recall, line, strlen(line));
    if (ex->recall.kept && (ex->recall.count != count || count == LINES_MOST))
        save(ex);
}

void lw_recall_note(struct lw_explorer *ex, unsigned place, const char *line)
{
    if (is_text(line, strlen(line)))
        push(recall_at(ex, place), line, strlen(line));
}

void lw_recall_walk(struct lw_explorer *ex, int by)
{
    struct lw_recall *recall = recall_at(ex, ex->place);
    if (!recall->back) {
        lw_text_clear(&recall->draft);
        lw_text_add(&recall->draft, lw_text_string(&ex->line.text));
    }
    size_t back = by < 0 ? recall->back + 1 : recall->back ? recall->back - 1 : 0;
    if (back > recall->count)
        return;
    recall->back = back;
    lw_line_set(&ex->line,
                back ? recall->lines[recall->count - back] : lw_text_string(&recall->draft));
}

static void free_lines(struct lw_recall *recall)
{
    for (size_t i = 0; i < recall->count; i++)
        free(recall->lines[i]);
    free(recall->lines);
    lw_text_free(&recall->draft);
    memset(recall, 0, sizeof *recall);
}

void lw_recall_free(struct lw_explorer *ex)
{
    free_lines(&ex->recall);
    for (size_t i = 0; i < sizeof ex->typed / sizeof *ex->typed; i++)
        free_lines(&ex->typed[i]);
}
