/* Drawing of a layout screen, from the source line to the inspector. */

#include "tui/layout_screen.h"

#include "core/array_count.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* The reason why a text is not legal, below the position of the error. */
static void draw_problem(const struct lw_named_layout *named, struct lw_surface *surface,
                         struct lw_rect rect, int column)
{
    int length = (int)lw_text_width(named->wrong.message), at = 2 + column;
    if (at + 2 + length > rect.width)
        at = rect.width - 2 - length > 2 ? rect.width - 2 - length : 2;
    lw_put_repeated(surface, rect.row + 1, rect.col, rect.width, lw_tone(LW_TONE_TEXT), " ");
    lw_put(surface, rect.row + 1, rect.col + at, 2, lw_tone(LW_TONE_BAD), "\xe2\x96\xb2");
    lw_put(surface, rect.row + 1, rect.col + at + 2, rect.width - at - 2, lw_tone(LW_TONE_BAD),
           named->wrong.message);
}

static void draw_named(struct lw_named_layout *named, struct lw_surface *surface,
                       struct lw_rect rect, const char *mark)
{
    const bool is_wrong = named->wrong.code != LW_OK;
    const struct lw_position *position = &named->wrong.position;
    size_t from = 0, to = 0;
    lw_put(surface, rect.row, rect.col, 2, lw_tone(LW_TONE_KEY), mark);
    if (!named->edits) { /* a long text is shown short, names and numbers */
        struct lw_text brief = {0};
        const char *text = lw_text_string(&named->model->text);
        if ((int)lw_text_width(text) > rect.width - 2 &&
            named->model->doc.notation != LW_NOTATION_CUDA)
            lw_document_print_short(&brief, &named->model->doc);
        lw_put(surface, rect.row, rect.col + 2, rect.width - 2, lw_tone(LW_TONE_TITLE),
               brief.length ? lw_text_string(&brief) : text);
        lw_text_free(&brief);
        return;
    }
    if (is_wrong) {
        from = position->column > 0 ? (size_t)position->column - 1 : 0;
        to = from + (position->length > 0 ? (size_t)position->length : 1);
    }
    int column = lw_input_draw(&named->line, surface, rect.row, rect.col + 2, rect.width - 2,
                               lw_tone(LW_TONE_TITLE), from, to);
    if (is_wrong && named->line.length)
        draw_problem(named, surface, rect, column);
}

void lw_layout_draw_verdict(struct lw_layout_screen *layout, struct lw_surface *surface,
                            struct lw_rect rect)
{
    struct lw_text text = {0};
    const struct lw_model *model = lw_layout_shown_model(layout);
    if (!model)
        return;
    uint64_t fewest, before = layout->preview ? lw_best_given(&layout->best) : layout->before;
    const bool gain = lw_best_gain(&layout->best, &fewest);
    if (before)
        lw_text_format(&text, "before: %llu in all", (unsigned long long)before);
    else if (gain)
        lw_text_format(&text, "o: fix, %llu in all", (unsigned long long)fewest);
    int more = text.length ? (int)text.length + 3 : 0;
    int used = lw_put(surface, rect.row + 1, rect.col, rect.width - more,
                      lw_tone(model->mood == LW_MOOD_BAD ? LW_TONE_BAD : LW_TONE_GOOD),
                      lw_text_string(&model->verdict));
    lw_put(surface, rect.row + 1, rect.col + used + 3, rect.width - used - 3,
           lw_tone(before ? LW_TONE_FAINT : LW_TONE_GOOD), lw_text_string(&text));
    lw_text_free(&text);
}

bool lw_layout_is_comparing(const struct lw_layout_screen *layout)
{
    return layout->other.model || layout->other.edits;
}

static void draw_tabs(struct lw_layout_screen *layout, struct lw_surface *surface,
                      struct lw_rect rect)
{
    int col = 0;
    memset(layout->tab_ends, 0, sizeof layout->tab_ends);
    for (size_t i = 0; i < layout->tab_count; i++) {
        char digit[2] = {(char)('1' + i), '\0'};
        bool on = layout->tabs[i] == layout->view;
        lw_put(surface, rect.row + 2, rect.col + col, 1, lw_tone(on ? LW_TONE_KEY : LW_TONE_FAINT),
               digit);
        col += 2;
        col += lw_put(surface, rect.row + 2, rect.col + col, rect.width - col,
                      lw_tone(on ? LW_TONE_TAB_ON : LW_TONE_FAINT), layout->tabs[i]->title) +
               2;
        layout->tab_ends[i] = col;
    }
    char right[80] = "";
    const struct lw_named_layout *named = lw_layout_edited(layout);
    if (named && named->wrong.code != LW_OK && layout->own.model)
        snprintf(right, sizeof right, "picture: the last legal text");
    else if (layout->lit.on)
        snprintf(right, sizeof right, "lit: %s   Esc: all", lw_lit_name(layout->lit.what));
    else if (layout->past_at && !named)
        snprintf(right, sizeof right, "changed   d: what moved   u: undo");
    int length = (int)strlen(right);
    if (col + length + 2 <= rect.width)
        lw_put(surface, rect.row + 2, rect.col + rect.width - length - 1, length,
               lw_tone(LW_TONE_FAINT), right);
}

/* What the parameter of a field is, what is legal, and why the typed value is not. */
static void explain_field(struct lw_layout_screen *layout)
{
    const struct lw_param_form *form = &layout->form;
    const struct lw_param_field *field = lw_param_form_field(form);
    if (!field)
        return;
    if (form->edits && form->wrong.code != LW_OK)
        lw_text_add(lw_explanation_line(&layout->about, "not legal"), form->wrong.message);
    struct lw_text *text = lw_explanation_line(&layout->about, field->name);
    if (field->param) {
        lw_text_add(text, field->param->help);
        lw_param_legal(lw_explanation_line(&layout->about, "legal"), field->param);
    } else {
        lw_text_add(text, strstr(field->path, "shape") ? "the lengths of the tensor"
                                                       : "the type of an element: f16");
    }
}

/* The spelling of the candidate under the cursor. */
static void explain_best(struct lw_layout_screen *layout)
{
    const struct lw_best_row *chosen = lw_best_chosen(&layout->best);
    struct lw_text *text = lw_explanation_line(&layout->about, "spelling");
    if (chosen)
        lw_best_print(text, &layout->best, chosen);
    else
        lw_encoding_print_short(text, lw_model_at(layout->own.model, LW_SIDE_S)->encoding);
    lw_text_add(lw_explanation_line(&layout->about, ""),
                "Enter: use it for S; Esc: leave S as it is");
}

static void draw_inspector(struct lw_layout_screen *layout, struct lw_surface *surface,
                           struct lw_rect rect)
{
    layout->about.count = 0;
    layout->about.columns = rect.width > 24 ? (size_t)rect.width - 12 : 12;
    if (layout->form.has_focus)
        explain_field(layout);
    else if (layout->best.is_shown)
        explain_best(layout);
    else
        layout->shown->explain(layout->picture, &layout->about);
    lw_screen_draw_lines(surface, rect, &layout->about);
}

void lw_layout_draw(struct lw_screen *screen, struct lw_surface *surface, struct lw_rect rect)
{
    struct lw_layout_screen *layout = lw_layout_of(screen);
    const bool roomy = rect.height + 1 >= LW_ROOMY;
    layout->rect = rect;
    if (layout->hides_answers && layout->picture) {
        lw_picture_draw(layout->picture, surface, rect);
        return;
    }
    if (lw_layout_is_comparing(layout)) {
        struct lw_rect below = {rect.row + 1, rect.col, rect.height - 1, rect.width};
        draw_named(&layout->own, surface, rect, "\xe2\x80\xba");
        draw_named(&layout->other, surface, below, "\xe2\x89\xa0");
    } else {
        lw_layout_draw_verdict(layout, surface, rect);
        draw_named(&layout->own, surface, rect, "\xe2\x80\xba");
        draw_tabs(layout, surface, rect);
    }
    if (!layout->picture)
        return;
    int top = roomy ? 4 : 3, inspector = roomy ? 4 : 2;
    struct lw_rect picture = {rect.row + top, rect.col, rect.height - top - inspector - roomy,
                              rect.width};
    if (picture.height < 3) {
        inspector = 0;
        picture.height = rect.height - top;
    }
    if (layout->best.is_shown) {
        struct lw_rect list = picture;
        if (rect.width >= LW_BESIDE) {
            picture.width -= LW_BEST_WIDTH + 2;
            list.col = picture.col + picture.width + 2;
            list.width = LW_BEST_WIDTH;
        } else {
            list.height = lw_best_lines(&layout->best);
            if (list.height > picture.height - roomy)
                list.height = picture.height - roomy;
            picture.height -= list.height + roomy;
            list.row = picture.row + picture.height + roomy;
        }
        lw_best_draw(&layout->best, surface, list);
    }
    if (layout->form.is_shown) {
        int width = rect.width >= 120 ? 46 : rect.width / 2;
        struct lw_rect form = {picture.row, rect.col + rect.width - width, picture.height, width};
        picture.width -= width + 1;
        lw_param_form_draw(&layout->form, surface, form);
    }
    lw_picture_draw(layout->picture, surface, picture);
    if (inspector)
        draw_inspector(
            layout, surface,
            (struct lw_rect){rect.row + rect.height - inspector, rect.col, inspector, rect.width});
}
