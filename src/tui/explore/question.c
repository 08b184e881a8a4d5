/* Questions: a box that waits for one of a few keys, which the line of keys has; without the box on a screen too
 * small for it. */

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

static void answer_list(const struct lw_explorer *ex, struct lw_text *text)
{
    for (const struct lw_reply *answer = ex->question.answers; answer->key; answer++) {
        char name[16];
        lw_key_name(answer->key, name);
        lw_text_format(text, "%s, ", name);
    }
    lw_text_add(text, "or Esc");
}

/* An answer is taken at once; but a command or a search that is typed instead, up to its Enter, answers
 * nothing. */
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

/* A box in the middle: the question, and a line for each answer. */
static void draw_box(const struct lw_explorer *ex, struct lw_surface *surface, int answers)
{
    enum { WIDEST = 76 };
    struct lw_text text = {0};
    int width = ex->screen.width - 4 < WIDEST ? ex->screen.width - 4 : WIDEST;
    int rows = lw_wrapped_rows(ex->question.text, width - 6),
        left = ex->screen.height - answers - 7;
    rows = rows > 1 + left ? 1 + left : rows;
    int height = answers + 6 + rows;
    struct lw_rect box = {(ex->screen.height - height) / 2, (ex->screen.width - width) / 2, height,
                          width};
    struct lw_rect in = lw_put_frame(surface, box, "Question", true);
    for (int r = 0; r < in.height; r++)
        lw_put_padded(surface, in.row + r, in.col, in.width, lw_pen(LW_PEN_TEXT), "", false);
    in.col += 2;
    in.width -= 4;
    lw_put_wrapped(surface, (struct lw_rect){in.row, in.col, rows, in.width},
                   lw_pen(LW_PEN_CHANGED), ex->question.text);
    in.row += rows - 1;
    for (int i = 0; i <= answers; i++) {
        char name[16];
        lw_key_name(i < answers ? ex->question.answers[i].key : '\033', name);
        lw_put(surface, in.row + 2 + i, in.col + 1, 4, lw_pen(LW_PEN_KEY), name);
        lw_put(surface, in.row + 2 + i, in.col + 6, in.width - 6, lw_pen(LW_PEN_TEXT),
               i < answers ? ex->question.answers[i].label : "stay: nothing changes");
    }
    if (ex->question.wrong_key[0]) {
        put_wrong_key(ex, &text);
        lw_put(surface, in.row + answers + 4, in.col, in.width, lw_pen(LW_PEN_BAD),
               lw_text_string(&text));
    }
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
