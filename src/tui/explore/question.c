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
    ex->question.later = NULL;
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

bool lw_question_give_way(struct lw_explorer *ex)
{
    if (!ex->question.later)
        return false;
    lw_focus_close(ex);
    lw_explorer_set_message(ex, false, "%s", ex->question.later);
    return true;
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
    if (lw_question_give_way(ex))
        return false;
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

/* The box in the middle, above the line of keys, and the rows in it. */
struct box {
    struct lw_rect all;
    struct lw_rect question, answers, wrong; /* the key that was no answer */
};

/* Measures the box: the question, a line for each answer, and what is written about a wrong key. */
static void measure_box(const struct lw_explorer *ex, int answers, const char *text,
                        struct box *box)
{
    enum { WIDEST = 76, FRAME = 2, BLANK = 1 };
    int width = ex->screen.width - 4 < WIDEST ? ex->screen.width - 4 : WIDEST, inner = width - 6;
    int rows = lw_wrapped_rows(ex->question.text, inner);
    int wrong = *text ? lw_wrapped_rows(text, inner) : 1;
    int room = ex->screen.height - 1 - FRAME - 2 * BLANK - (answers + 1);
    wrong = wrong < room ? wrong : room - 1;
    rows = rows < room - wrong ? rows : room - wrong;
    int height = FRAME + rows + BLANK + answers + 1 + BLANK + wrong;
    int row = (ex->screen.height - height) / 2, col = (ex->screen.width - width) / 2;
    *box = (struct box){.all = {row, col, height, width},
                        .question = {row + 1, col + 3, rows, inner},
                        .answers = {row + 1 + rows + BLANK, col + 3, answers + 1, inner}};
    box->wrong = (struct lw_rect){box->answers.row + answers + 1 + BLANK, col + 3, wrong, inner};
}

/* Finds the box of the question that is open; `text` is what is written about a wrong key. False: the screen is too
 * small for one. */
static bool find_box(const struct lw_explorer *ex, struct lw_text *text, struct box *box)
{
    enum { WITH_BOX = 9 };
    int answers = 0;
    while (ex->question.answers[answers].key)
        answers++;
    if (ex->question.wrong_key[0])
        put_wrong_key(ex, text);
    if (ex->screen.height < answers + WITH_BOX || ex->screen.width < 40)
        return false;
    measure_box(ex, answers, lw_text_string(text), box);
    return true;
}

uint32_t lw_question_key_at(const struct lw_explorer *ex, int row, int col)
{
    struct lw_text text = {0};
    struct box box;
    bool there = find_box(ex, &text, &box);
    lw_text_free(&text);
    const struct lw_rect *at = &box.answers;
    if (!there || row < at->row || row >= at->row + at->height || col < at->col ||
        col >= at->col + at->width)
        return 0;
    uint32_t key = ex->question.answers[row - at->row].key;
    return key ? key : '\033'; /* the last line */
}

void lw_draw_question(const struct lw_explorer *ex, struct lw_surface *surface)
{
    struct lw_text text = {0};
    struct box box;
    if (find_box(ex, &text, &box)) {
        lw_put_frame(surface, box.all, "Question", true);
        put_question(ex, surface, box.question);
        put_answers(ex, surface, box.answers);
        lw_put_wrapped(surface, box.wrong, lw_pen(LW_PEN_BAD), lw_text_string(&text));
        lw_text_free(&text);
        return;
    }
    if (!text.length)
        lw_text_add(&text, ex->question.text);
    int rows = lw_wrapped_rows(lw_text_string(&text), ex->screen.width - 2);
    rows = rows < ex->screen.height ? rows : ex->screen.height - 1;
    struct lw_rect line = {ex->screen.height - 1 - rows, 1, rows, ex->screen.width - 2};
    lw_put_fill(surface, (struct lw_rect){line.row, 0, rows, ex->screen.width}, lw_pen(LW_PEN_TEXT),
                ' ');
    lw_put_wrapped(surface, line, lw_pen(LW_PEN_CHANGED), lw_text_string(&text));
    lw_text_free(&text);
}
