/* The prompts at the bottom of the screen, a row of the table for each. */

#include "tui/write/copy.h"
#include "tui/explore/explorer.h"
#include "tui/lesson/lesson_run.h"
#include "tui/prompt/prompt.h"

static const struct lw_prompt prompts[] = {
    {LW_FOCUS_FIND, "/", "3,5 an element   t17 a thread   w1 l3 r0   bank 7   or a parameter",
     lw_find},
    {LW_FOCUS_COMMAND, ":", "set order=[0, 1]   view matrix   open SOURCE   it.invert()   help",
     lw_command},
    {LW_FOCUS_MARK, "mark: ", "t17 a thread   w1 l3   r0 a register   bank 7   3,5 an element",
     lw_mark},
    {LW_FOCUS_EXPORT, "export to: ",
     "a file; its extension sets the format: grid.md  grid.csv  grid.json", lw_export_to},
    {LW_FOCUS_ANSWER, "answer: ", "the answer, such as 4, 3,5 or a notation", lw_lesson_answer},
    {LW_FOCUS_SAVE, "save to: ", "a file name, such as layout.json", lw_save_as},
};

const struct lw_prompt *lw_prompt_at(unsigned focus)
{
    for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++)
        if (prompts[i].focus == focus)
            return &prompts[i];
    return NULL;
}

/* A refused file name stays in the line, with the reason above it. */
static void open_again(struct lw_explorer *ex, unsigned focus, unsigned before, const char *text)
{
    bool of_file = focus == LW_FOCUS_EXPORT || focus == LW_FOCUS_SAVE;
    if (!of_file || !ex->status.is_error || !ex->status.message[0] || ex->focus != before)
        return;
    lw_prompt_open(ex, (int)focus);
    lw_line_set(&ex->prompt.line, text);
}

void lw_prompt_accept(struct lw_explorer *ex)
{
    const struct lw_prompt *prompt = lw_prompt_at(ex->focus);
    struct lw_text *text = &ex->prompt.line.text;
    size_t length = text->length;
    while (length && text->data[length - 1] == ' ')
        length--;
    lw_text_cut(text, length);
    bool notes = ex->focus != LW_FOCUS_COMMAND && ex->focus != LW_FOCUS_ANSWER;
    if (notes) /* commands are noted elsewhere, also those of scripts; answers are not kept */
        lw_recall_add_at(ex, ex->focus, lw_text_string(text));
    unsigned focus = ex->focus;
    struct lw_text typed = {0};
    lw_text_add(&typed, lw_text_string(text));
    lw_focus_close(ex);
    unsigned before = ex->focus;
    if (prompt)
        prompt->run(ex, lw_text_string(&typed));
    open_again(ex, focus, before, lw_text_string(&typed));
    lw_text_free(&typed);
}
