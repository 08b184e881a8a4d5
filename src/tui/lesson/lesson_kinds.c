/* The requirements of a step beside its goals: an answer that is typed (predict), keys and views that are used (see).
 * Also the parts hidden until a question is answered, and the steps solved with help. */

#include "tui/lesson/lesson_run.h"

#include "tui/prompt/prompt.h"

#include <ctype.h>
#include <string.h>

/* ---- Questions ---- */

/* Puts an answer without blanks and parentheses: "(3, 11)" and "3,11" are equal. */
static void put_plain(struct lw_text *text, const char *answer)
{
    for (; *answer; answer++)
        if (!strchr(" ()[]", *answer))
            lw_text_char(text, (char)tolower((unsigned char)*answer));
}

bool lw_lesson_same_answer(const char *a, const char *b)
{
    struct lw_text x = {0}, y = {0};
    put_plain(&x, a);
    put_plain(&y, b);
    bool same = !strcmp(lw_text_string(&x), lw_text_string(&y));
    lw_text_free(&x);
    lw_text_free(&y);
    return same;
}

bool lw_lesson_right_answer(const struct lw_explorer *ex, struct lw_text *text)
{
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    return lw_lesson_fill(text, lw_lesson_step(ex->lesson)->answer, &state, &ex->lesson->was);
}

void lw_lesson_put_choice(const struct lw_explorer *ex, struct lw_text *text, size_t i)
{
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    lw_lesson_fill(text, lw_lesson_step(ex->lesson)->choices.lines[i], &state, &ex->lesson->was);
}

/* Puts the meant answer: for "2" with choices the second choice; else the typed text. */
static void put_meant(const struct lw_explorer *ex, struct lw_text *text, const char *typed)
{
    const struct lw_strings *choices = &lw_lesson_step(ex->lesson)->choices;
    size_t number = 0, digits = strspn(typed, "0123456789");
    for (size_t i = 0; i < digits && digits < 4 && !typed[digits]; i++)
        number = number * 10 + (size_t)(typed[i] - '0');
    if (number && number <= choices->count)
        lw_lesson_put_choice(ex, text, number - 1);
    else
        lw_text_add(text, typed);
}

bool lw_lesson_is_wrong_answer(const struct lw_explorer *ex, size_t i, const char *answer)
{
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    const char *wrong = step->wrong.items[i].name;
    struct lw_lesson_state state;
    char system[16];
    if (!lw_lesson_is_notation_answer(step->answer, system))
        return lw_lesson_same_answer(wrong, answer);
    lw_lesson_state(ex, &state);
    return lw_lesson_is_layout(&state, system, answer, wrong, NULL);
}

/* Puts why an answer is wrong; `why`: the reason that does not depend on the lesson. */
static void put_reply(const struct lw_explorer *ex, struct lw_text *text, const char *meant,
                      const char *why)
{
    const struct lw_step *step = lw_lesson_step(ex->lesson);
    struct lw_lesson_state state;
    lw_lesson_state(ex, &state);
    for (size_t i = 0; i < step->wrong.count; i++)
        if (lw_lesson_is_wrong_answer(ex, i, meant)) {
            lw_text_format(text, "Not %s. ", meant);
            lw_lesson_fill(text, step->wrong.items[i].text, &state, &ex->lesson->was);
            return;
        }
    char begin[13]; /* "'x' is not a layout" is left out after "Not x." */
    size_t length = strlen(why);
    snprintf(begin, sizeof begin, "%.12s", meant);
    if (!strstr(why, begin))
        lw_text_format(text, "Not %s. ", meant);
    lw_text_format(text, "%s%sTry again%s", why,
                   !length                  ? ""
                   : why[length - 1] == '.' ? " "
                                            : ". ",
                   step->hints.count ? "; L shows a hint." : ".");
}

static bool is_right(const struct lw_explorer *ex, const char *meant, const char *right,
                     struct lw_text *why)
{
    char system[16];
    struct lw_lesson_state state;
    if (!lw_lesson_is_notation_answer(lw_lesson_step(ex->lesson)->answer, system))
        return lw_lesson_same_answer(meant, right);
    lw_lesson_state(ex, &state);
    return lw_lesson_is_layout(&state, system, meant, NULL, why);
}

void lw_lesson_answer(struct lw_explorer *ex, const char *typed)
{
    struct lw_text right = {0}, meant = {0}, why = {0};
    struct lw_lesson_run *run = ex->lesson;
    typed += strspn(typed, " ");
    if (!lw_lesson_has_question(ex)) {
        lw_explorer_set_message(ex, false, "there is no question to answer now");
        return;
    }
    lw_text_clear(&run->reply);
    put_meant(ex, &meant, typed);
    if (*typed && lw_lesson_right_answer(ex, &right)) {
        run->answered = is_right(ex, lw_text_string(&meant), lw_text_string(&right), &why);
        run->retried = run->retried || !run->answered;
        if (!run->answered)
            put_reply(ex, &run->reply, lw_text_string(&meant), lw_text_string(&why));
    }
    lw_text_free(&why);
    lw_text_free(&right);
    lw_text_free(&meant);
    const struct lw_step_name *reveal = &lw_lesson_step(run)->reveal;
    if (run->answered && reveal->name)
        lw_explorer_view(ex, reveal->name);
    run->top = LW_LESSON_END;
    ex->changed |= LW_CHANGED_VIEW;
}

bool lw_lesson_type(struct lw_explorer *ex, uint32_t key)
{
    if (!lw_lesson_has_question(ex) || ex->focus != LW_FOCUS_VIEW || key < '0' || key > '9')
        return false;
    lw_prompt_open(ex, LW_FOCUS_ANSWER);
    lw_line_key(&ex->prompt.line, key);
    return true;
}

/* ---- Keys that are used ---- */

static void use(struct lw_lesson_run *run, const char *name)
{
    const struct lw_strings *use = &lw_lesson_step(run)->use;
    for (size_t i = 0; i < use->count && i < 64; i++)
        if (!strcmp(use->lines[i], name))
            run->used |= UINT64_C(1) << i;
}

void lw_lesson_use(struct lw_explorer *ex, const char *action)
{
    if (!lw_lesson_is_on(ex) || !lw_lesson_step(ex->lesson))
        return;
    use(ex->lesson, action);
    if (!strcmp(action, "solve") && !ex->lesson->met)
        ex->lesson->assisted = true;
}

/* Marks the views on the screen as used. */
static void use_views(struct lw_explorer *ex)
{
    for (int i = 0; i < ex->panes.count; i++)
        if (ex->panes.all[i].has_view)
            use(ex->lesson, ex->panes.all[i].view.type->name);
}

bool lw_lesson_is_used(const struct lw_lesson_run *run, size_t i)
{
    return i < 64 && (run->used >> i & 1);
}

bool lw_lesson_kind_met(struct lw_explorer *ex)
{
    struct lw_lesson_run *run = ex->lesson;
    const struct lw_step *step = lw_lesson_step(run);
    use_views(ex);
    for (size_t i = 0; i < step->use.count; i++)
        if (!lw_lesson_is_used(run, i))
            return false;
    return step->kind != LW_STEP_PREDICT || run->answered;
}

/* ---- Solving ---- */

bool lw_lesson_solve(struct lw_explorer *ex, const char *line)
{
    ex->status.message[0] = '\0';
    ex->status.is_error = false;
    ex->tables.run_command(ex, line);
    return !ex->status.is_error;
}

void lw_lesson_solve_step(struct lw_explorer *ex, const struct lw_step *step)
{
    struct lw_text answer = {0};
    for (size_t i = 0; i < step->solution.count; i++)
        lw_lesson_solve(ex, step->solution.lines[i]);
    for (size_t i = 0; i < step->use.count && !step->solution.count; i++) {
        if (!lw_explorer_view(ex, step->use.lines[i]))
            lw_lesson_solve(ex, step->use.lines[i]);
        lw_refresh(ex, 0);
        use_views(ex);
    }
    if (step->kind == LW_STEP_PREDICT && lw_lesson_right_answer(ex, &answer))
        lw_lesson_answer(ex, lw_text_string(&answer));
    use_views(ex);
    lw_refresh(ex, 0);
    lw_text_free(&answer);
}
