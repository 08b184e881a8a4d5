/* What was typed before at the same prompt, walked through with the arrows. Commands are kept from one run
 * to the next, a line each, in `$XDG_STATE_HOME/laneway/history`; a file that cannot be read whole is never
 * written over. */

#include "tui/explore/explorer.h"
#include "tui/keep/files.h"
#include "tui/prompt/prompt.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 500, LINE_BYTES_MAX = 1024 };

/* Of what is typed at a place; the commands where it is no other prompt. */
static struct lw_recall *recall_at(struct lw_explorer *ex, unsigned focus)
{
    static const unsigned focuses[] = {LW_FOCUS_FIND, LW_FOCUS_MARK, LW_FOCUS_SAVE,
                                       LW_FOCUS_EXPORT};
    for (size_t i = 0; i < sizeof focuses / sizeof *focuses; i++)
        if (focus == focuses[i])
            return &ex->prompt.typed[i];
    return &ex->prompt.recall;
}

static void push(struct lw_recall *recall, const char *line, size_t length)
{
    bool again = recall->count && strlen(recall->lines[recall->count - 1]) == length &&
                 !strncmp(recall->lines[recall->count - 1], line, length);
    char *copy = again ? NULL : strndup(line, length);
    if (!copy)
        return;
    if (!recall->lines && !(recall->lines = calloc(LINES_MAX, sizeof *recall->lines))) {
        free(copy);
        return;
    }
    if (recall->count == LINES_MAX) {
        free(recall->lines[0]);
        memmove(recall->lines, recall->lines + 1, (LINES_MAX - 1) * sizeof *recall->lines);
        recall->count--;
    }
    recall->lines[recall->count++] = copy;
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

/* Reads the lines of the file; returns the number of the first that is no text, 0: all are. */
static int read_lines(const char *path, struct lw_recall *recall, struct lw_error *err)
{
    struct lw_text text = {0};
    int bad = 0, number = 0;
    *err = (struct lw_error){0};
    if (lw_file_read(path, &text, err))
        for (const char *line = lw_text_string(&text); *line;) {
            size_t length = strcspn(line, "\n");
            number++;
            if (is_text(line, length))
                push(recall, line, length);
            else if (!bad)
                bad = number;
            line += length + (line[length] == '\n');
        }
    lw_text_free(&text);
    return bad;
}

void lw_recall_load(struct lw_explorer *ex)
{
    struct lw_text path = {0};
    struct lw_error err = {0};
    int bad = 0;
    ex->prompt.recall.saved = true;
    if (lw_folder_path(&path, LW_FOLDER_STATE, "history", NULL))
        bad = read_lines(lw_text_string(&path), &ex->prompt.recall, &err);
    if (bad || err.code != LW_OK) {
        char warning[200];
        if (bad)
            snprintf(warning, sizeof warning,
                     "history:%d: no line of text: the file is left as it is", bad);
        lw_warn(ex, bad ? warning : err.message);
        ex->prompt.recall.saved = false;
    }
    lw_text_free(&path);
}

/* Adds a line to what the file has by now, other runs' lines too. What cannot be kept is only a
 * convenience: nothing is said of it. */
static void save(const char *line)
{
    struct lw_text path = {0}, text = {0};
    struct lw_recall lines = {0};
    struct lw_error err;
    if (lw_folder_path(&path, LW_FOLDER_STATE, "history", NULL) &&
        lw_folder_make(lw_text_string(&path), NULL)) {
        int lock = lw_file_lock(lw_text_string(&path));
        if (!read_lines(lw_text_string(&path), &lines, &err) && err.code == LW_OK) {
            push(&lines, line, strlen(line));
            for (size_t i = 0; i < lines.count; i++)
                lw_text_format(&text, "%s\n", lines.lines[i]);
            lw_file_write(lw_text_string(&path), lw_text_string(&text), NULL);
        }
        lw_file_unlock(lock);
    }
    free_lines(&lines);
    lw_text_free(&path);
    lw_text_free(&text);
}

void lw_recall_add(struct lw_explorer *ex, const char *line)
{
    size_t count = ex->prompt.recall.count;
    if (!is_text(line, strlen(line)))
        return;
    push(&ex->prompt.recall, line, strlen(line));
    if (ex->prompt.recall.saved && (ex->prompt.recall.count != count || count == LINES_MAX))
        save(line);
}

void lw_recall_add_at(struct lw_explorer *ex, unsigned focus, const char *line)
{
    if (is_text(line, strlen(line)))
        push(recall_at(ex, focus), line, strlen(line));
}

void lw_recall_walk(struct lw_explorer *ex, int by)
{
    struct lw_recall *recall = recall_at(ex, ex->focus);
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
}

void lw_recall_free(struct lw_explorer *ex)
{
    free_lines(&ex->prompt.recall);
    for (size_t i = 0; i < sizeof ex->prompt.typed / sizeof *ex->prompt.typed; i++)
        free_lines(&ex->prompt.typed[i]);
}
