/* Questions: a box that waits for one of a few keys, which are also on the line of keys. A screen that is too small has
 * no box. */

#include "tui/draw/drawing.h"

#include <stdarg.h>

void lw_question_open(struct lw_explorer *ex, const struct lw_reply *answers, const char *format,
                      ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ex->question.text, sizeof ex->question.text, format, args);
    va_end(args);
    ex->question.answers = answers;
    ex->question.wrong_key[0] = '\0';
    ex->question.in_line = false;
    lw_focus_open(ex, LW_FOCUS_QUESTION);
}

const char *lw_question_name(char text[LW_SHORT_NAME_MAX], const char *name)
{
    enum { COLUMNS = 40 };
    int length = (int)lw_text_row_bytes(name, COLUMNS);
    snprintf(text, LW_SHORT_NAME_MAX, "%.*s%s", length, name, name[length] ? "…" : "");
    return text;
}

static void answer_list(const struct lw_explorer *ex, struct lw_text *text)
{
    for (const struct lw_reply *answer = ex->question.answers; answer->key; answer++) {
        char name[16];
        lw_key_name(answer->key, name);
        lw_text_format(text, "%s, ", name);
    }
    lw_text_add(text, "or Esc");
}

/* A key answers at once. A command or a search may be typed instead: up to its Enter no key is an answer. */
bool lw_question_key(struct lw_explorer *ex, uint32_t key)
{
    enum { CTRL_C = 3, CTRL_L = 12 };
    if (key == CTRL_C || key == CTRL_L || key == '\033' || key == LW_KEY_BACKSPACE || key == 127)
        return false;
    struct lw_question_state *question = &ex->question;
    bool ends = question->in_line && (key == '\r' || key == '\n');
    question->in_line = !ends && (question->in_line || key == ':' || key == '/');
    for (const struct lw_reply *answer = question->answers; answer->key; answer++)
        if (answer->key == key && !question->in_line) {
            lw_focus_close(ex);
            answer->run(ex);
            return true;
        }
    if (!ends)
        lw_key_name(key, question->wrong_key);
    return true;
}

static void put_wrong_key(const struct lw_explorer *ex, struct lw_text *text)
{
    if (ex->question.in_line)
        lw_text_add(text, "a command is not an answer; press Enter, then ");
    else
        lw_text_format(text, "%s is not an answer; press ", ex->question.wrong_key);
    answer_list(ex, text);
}

/* Draws the question in at most that number of rows; a longer one is cut after a word. */
static void put_question(const struct lw_explorer *ex, struct lw_surface *surface,
                         struct lw_rect rect)
{
    const struct lw_pen pen = lw_pen(LW_PEN_CHANGED);
    const char *rest = ex->question.text;
    bool cut = lw_wrapped_rows(rest, rect.width) > rect.height;
    for (int i = 0; i < rect.height - cut; i++)
        rest = lw_put_row(surface, rect.row + i, rect.col, rect.width, pen, rest);
    if (!cut)
        return;
    struct lw_text last = {0};
    lw_text_bytes(&last, rest, lw_text_row_bytes(rest, (size_t)rect.width - 1));
    lw_text_add(&last, "…");
    lw_put(surface, rect.row + rect.height - 1, rect.col, rect.width, pen, lw_text_string(&last));
    lw_text_free(&last);
}

static void put_answers(const struct lw_explorer *ex, struct lw_surface *surface,
                        struct lw_rect rect)
{
    for (int i = 0; i < rect.height; i++) {
        char name[16];
        bool last = i == rect.height - 1;
        lw_key_name(last ? '\033' : ex->question.answers[i].key, name);
        lw_put(surface, rect.row + i, rect.col + 1, 4, lw_pen(LW_PEN_KEY), name);
        lw_put(surface, rect.row + i, rect.col + 6, rect.width - 6, lw_pen(LW_PEN_TEXT),
               last ? "stay: nothing changes" : ex->question.answers[i].label);
    }
}

/* Draws a box in the middle, above the line of keys: the question, a line for each answer, and a key that was not an
 * answer. */
static void draw_box(const struct lw_explorer *ex, struct lw_surface *surface, int answers)
{
    enum { WIDEST = 76, FRAME = 2, BLANK = 1 };
    struct lw_text text = {0};
    int width = ex->screen.width - 4 < WIDEST ? ex->screen.width - 4 : WIDEST, inner = width - 6;
    int rows = lw_wrapped_rows(ex->question.text, inner), wrong = 1;
    int room = ex->screen.height - 1 - FRAME - 2 * BLANK - (answers + 1);
    if (ex->question.wrong_key[0]) {
        put_wrong_key(ex, &text);
        wrong = lw_wrapped_rows(lw_text_string(&text), inner);
    }
    wrong = wrong < room ? wrong : room - 1;
    rows = rows < room - wrong ? rows : room - wrong;
    int height = FRAME + rows + BLANK + answers + 1 + BLANK + wrong;
    struct lw_rect box = {(ex->screen.height - height) / 2, (ex->screen.width - width) / 2, height,
                          width};
    struct lw_rect in = lw_put_frame(surface, box, "Question", true);
    in.col += 2;
    in.width = inner;
    in.height = rows;
    put_question(ex, surface, in);
    in.row += rows + BLANK;
    in.height = answers + 1;
    put_answers(ex, surface, in);
    in.row += answers + 1 + BLANK;
    in.height = wrong;
    lw_put_wrapped(surface, in, lw_pen(LW_PEN_BAD), lw_text_string(&text));
    lw_text_free(&text);
}

void lw_draw_question(const struct lw_explorer *ex, struct lw_surface *surface)
{
    enum { WITH_BOX = 9 };
    int answers = 0;
    while (ex->question.answers[answers].key)
        answers++;
    if (ex->screen.height >= answers + WITH_BOX && ex->screen.width >= 40) {
        draw_box(ex, surface, answers);
        return;
    }
    struct lw_text text = {0};
    if (ex->question.wrong_key[0])
        put_wrong_key(ex, &text);
    else
        lw_text_add(&text, ex->question.text);
    int rows = lw_wrapped_rows(lw_text_string(&text), ex->screen.width - 2);
    rows = rows < ex->screen.height ? rows : ex->screen.height - 1;
    struct lw_rect line = {ex->screen.height - 1 - rows, 1, rows, ex->screen.width - 2};
    lw_put_fill(surface, (struct lw_rect){line.row, 0, rows, ex->screen.width}, lw_pen(LW_PEN_TEXT),
                ' ');
    lw_put_wrapped(surface, line, lw_pen(LW_PEN_CHANGED), lw_text_string(&text));
    lw_text_free(&text);
}
