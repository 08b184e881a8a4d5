/* What pictures share: opening, closing, lines of the inspector, the layout of a model that a picture is of. */

#include "tui/picture/picture.h"

#include "core/array_count.h"

#include <stdlib.h>

static const char *const lit_names[LW_LIT_WHATS] = {
    [LW_LIT_THREAD] = "thread",
    [LW_LIT_WARP] = "warp",
    [LW_LIT_REGISTER] = "register",
    [LW_LIT_BANK] = "bank",
};

const char *lw_lit_name(enum lw_lit_what what)
{
    return lit_names[what];
}

struct lw_picture *lw_picture_open(const struct lw_picture_type *type, const struct lw_model *model,
                                   const struct lw_model *other, enum lw_side side,
                                   struct lw_lit *lit, struct lw_error *err)
{
    struct lw_picture *picture = calloc(1, type->state_size);
    if (!picture) {
        lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    const struct lw_subject *at = lw_model_at(model, side);
    *picture = (struct lw_picture){.type = type, .model = model, .other = other, .lit = lit};
    picture->subject = type->subject ? type->subject(model, side) : at ? at : lw_model_own(model);
    if (type->open(picture, err))
        return picture;
    lw_picture_close(picture);
    return NULL;
}

void lw_picture_close(struct lw_picture *picture)
{
    if (picture && picture->type->close)
        picture->type->close(picture);
    free(picture);
}

struct lw_text *lw_explanation_add(struct lw_explanation *explanation, const char *label)
{
    if (explanation->count == LW_LINES_MAX)
        return &explanation->line[LW_LINES_MAX - 1].text;
    struct lw_line *line = &explanation->line[explanation->count++];
    line->label = label;
    lw_text_clear(&line->text);
    return &line->text;
}

const struct lw_subject *lw_picture_registers(const struct lw_model *model, enum lw_side side)
{
    const enum lw_side sides[] = {side, LW_SIDE_A, LW_SIDE_B};
    for (size_t i = 0; i < LW_COUNT(sides); i++) {
        const struct lw_subject *subject = lw_model_at(model, sides[i]);
        if (subject && !lw_subject_is_memory(subject))
            return subject;
    }
    return NULL;
}

const struct lw_subject *lw_picture_memory(const struct lw_model *model, enum lw_side side)
{
    const struct lw_subject *subject = lw_model_at(model, LW_SIDE_S);
    (void)side;
    return subject && lw_subject_is_memory(subject) ? subject : NULL;
}
