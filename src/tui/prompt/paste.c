/* Pasted text. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "tui/prompt/prompt.h"

#include <string.h>

/* Types a text into a line; each run of white space is one blank. */
static void type_into(struct lw_line_edit *line, const char *text)
{
    for (; *text; text++) {
        bool blank = *text == '\n' || *text == '\t' || *text == ' ';
        if (!blank || (line->caret && line->text.data[line->caret - 1] != ' '))
            lw_line_key(line, blank ? ' ' : (unsigned char)*text);
    }
}

/* Puts the text without the white space around it. */
static void trim(struct lw_text *out, const char *text)
{
    text += strspn(text, " \t\n");
    size_t length = strlen(text);
    while (length && strchr(" \t\n", text[length - 1]))
        length--;
    lw_text_bytes(out, text, length);
}

/* In the form, sets the chosen field to a text that is not a layout; false: it is no value of it either. */
static bool set_field(struct lw_explorer *ex, const char *text)
{
    char path[LW_PATH_MAX];
    if (ex->form.field >= ex->form.count || !ex->form.fields[ex->form.field].path[0] ||
        ex->form.fields[ex->form.field].folds || strchr(text, '\n'))
        return false;
    snprintf(path, sizeof path, "%s", ex->form.fields[ex->form.field].path);
    return lw_form_set(ex, path, text);
}

static void open_text(struct lw_explorer *ex, const char *text)
{
    size_t count = ex->list.count;
    bool form = ex->focus == LW_FOCUS_FORM;
    char message[sizeof ex->status.message];
    lw_open(ex, text);
    if (ex->list.count != count || !ex->status.is_error || !ex->status.message[0])
        return;
    snprintf(message, sizeof message, "%s", ex->status.message);
    if (form && set_field(ex, text))
        ex->status.message[0] = '\0';
    else
        lw_explorer_set_message(ex, true, "pasted text opens as a layout: %s", message);
}

void lw_paste(struct lw_explorer *ex, const char *text)
{
    enum {
        OPENS = LW_FOCUS_VIEW | LW_FOCUS_FORM | LW_FOCUS_GALLERY | LW_FOCUS_LESSON |
                LW_FOCUS_KERNEL | LW_FOCUS_FOLDER
    };
    struct lw_text trimmed = {0};
    trim(&trimmed, text);
    text = lw_text_string(&trimmed);
    if (lw_prompt_at(ex->focus)) {
        type_into(&ex->prompt.line, text);
        lw_filter_typed(ex);
    } else if (ex->focus == LW_FOCUS_EDIT) {
        type_into(&ex->form.edit, text);
        lw_form_try(ex, ex->form.edited, lw_text_string(&ex->form.edit.text));
    } else if (ex->focus == LW_FOCUS_PICK) {
        type_into(&ex->form.pick.filter, text);
        lw_pick_typed(ex);
    } else if (ex->focus == LW_FOCUS_LAYOUTS) {
        type_into(&ex->layout_pick.filter, text);
        lw_layout_pick_move(ex, 0);
    } else if (!(ex->focus & OPENS)) {
        lw_explorer_set_message(ex, false, "pasted text is not typed here: Esc goes back");
    } else if (*text && !lw_paste_operation(ex, text)) {
        open_text(ex, text);
    }
    lw_text_free(&trimmed);
}
