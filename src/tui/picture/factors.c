/* The factors of a tilus chain: each call of the chain alone, as a layout. */

#include "tui/picture/factors.h"

#include "tui/picture/picture.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 5 };

/* Opens one call of a chain alone: the encoding without its base. */
static bool open_factor(struct lw_factor *factor, const struct lw_encoding *encoding)
{
    struct lw_document doc;
    bool is_open = false;
    lw_encoding_print(&factor->name, encoding);
    /* The last call of the chain: "local(2, 1).spatial(8, 4)" without what is before its dot. */
    const char *all = lw_text_string(&factor->name), *from = all;
    for (int depth = 0; *all; all++) {
        depth += (*all == '(') - (*all == ')');
        if (*all == '.' && !depth)
            from = all + 1;
    }
    char *own = strdup(from);
    if (!own)
        return false;
    lw_text_clear(&factor->name);
    lw_text_add(&factor->name, own);
    if (lw_document_open(&doc, own, NULL, NULL)) {
        is_open = lw_subject_open(&factor->opened, &doc, LW_LANES_DEFAULT, NULL);
        lw_document_free(&doc);
    }
    free(own);
    return is_open;
}

static uint64_t size_of(const struct lw_map *map, const char *name)
{
    int dim = lw_dims_find(&map->in, name);
    return dim < 0 ? 1 : map->in.dim[dim].size;
}

/* Whether a call is a product with what it is chained to: its digits are those of its own sizes. */
static bool is_simple(const struct lw_encoding *encoding)
{
    static const char *const names[] = {"local", "spatial", "column_local", "column_spatial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(encoding->type->name, names[i]))
            return !lw_encoding_is_set(encoding, "ranks");
    return false;
}

void lw_factors_open(struct lw_factors *factors, const struct lw_encoding *encoding)
{
    const struct lw_encoding *chain[LW_FACTORS_MAX];
    int count = 0, opened = 0;
    memset(factors, 0, sizeof *factors);
    for (; encoding; encoding = lw_encoding_nested(encoding, "base")) {
        if (count == LW_FACTORS_MAX || !is_simple(encoding))
            return;
        chain[count++] = encoding;
    }
    if (count < 2 || !(factors->factor = calloc((size_t)count, sizeof *factors->factor)))
        return;
    for (; opened < count && open_factor(&factors->factor[opened], chain[count - 1 - opened]);
         opened++) {
        struct lw_factor *factor = &factors->factor[opened];
        const struct lw_map *map = &factor->opened.subject.map;
        factor->threads = size_of(map, "thread");
        factor->locals = size_of(map, "local");
        for (int d = 0; d < map->out.count; d++)
            factor->size[d] = map->out.dim[d].size;
        factor->lit.what = factor->threads > 1 ? LW_LIT_THREAD : LW_LIT_REGISTER;
        lw_owner_grid_open(&factor->grid, &factor->opened.subject, &factor->lit);
        factor->grid.grid.has_cursor = false;
    }
    factors->count = opened;
    if (opened < count)
        lw_factors_close(factors);
}

void lw_factors_close(struct lw_factors *factors)
{
    for (int i = 0; i < factors->count; i++) {
        lw_owner_grid_close(&factors->factor[i].grid);
        lw_subject_close(&factors->factor[i].opened);
        lw_text_free(&factors->factor[i].name);
    }
    free(factors->factor);
    memset(factors, 0, sizeof *factors);
}

void lw_factors_follow(struct lw_factors *factors, const uint64_t *out, bool on)
{
    uint64_t rest[LW_DIMS_MAX];
    memcpy(rest, out, sizeof rest);
    for (int i = factors->count - 1; i >= 0; i--) {
        struct lw_factor *factor = &factors->factor[i];
        const struct lw_map *map = &factor->opened.subject.map;
        for (int d = 0; d < map->out.count; d++) {
            factor->digit[d] = rest[d] % factor->size[d];
            rest[d] /= factor->size[d];
        }
        factor->lit.on =
            on && lw_slot_find(map, LW_LANES_DEFAULT, factor->digit, 0, &factor->lit.owner);
    }
}

/* The columns of a factor: its grid or its name. */
static int width_of(struct lw_factor *factor)
{
    int height, width, name = (int)lw_text_width(lw_text_string(&factor->name));
    factor->grid.grid.no_labels = true;
    if (!lw_owner_grid_try(&factor->grid, LW_SIZE_NUMBER, 4000, 4000, &height, &width))
        return 4000;
    return width > name ? width : name;
}

int lw_factors_width(struct lw_factors *factors)
{
    int width = -GAP;
    for (int i = 0; i < factors->count; i++)
        width += width_of(&factors->factor[i]) + GAP;
    return width;
}

void lw_factors_draw(struct lw_factors *factors, struct lw_surface *surface, struct lw_rect rect)
{
    int col = rect.col;
    lw_put(surface, rect.row, rect.col, rect.width, lw_tone(LW_TONE_FAINT), "the product of");
    for (int i = 0; i < factors->count; i++) {
        struct lw_factor *factor = &factors->factor[i];
        int width = width_of(factor);
        if (i)
            lw_put(surface, rect.row + 1, col - 3, 1, lw_tone(LW_TONE_FAINT), "\xc3\x97");
        lw_put(surface, rect.row + 1, col, width, lw_tone(LW_TONE_TITLE),
               lw_text_string(&factor->name));
        if (lw_owner_grid_arrange(&factor->grid,
                                  (struct lw_rect){rect.row + 2, col, rect.height - 2, width}))
            lw_grid_draw(&factor->grid.grid, surface);
        col += width + GAP;
    }
}

/* "22 = 5*4 + 2": a number made of one digit of each factor that has several values. */
static void put_sum(const struct lw_factors *factors, bool threads, struct lw_text *text)
{
    uint64_t sum = 0, unit = 1;
    struct lw_text terms = {0};
    for (int i = 0; i < factors->count; i++)
        unit *= threads ? factors->factor[i].threads : factors->factor[i].locals;
    for (int i = 0; i < factors->count; i++) {
        const struct lw_factor *factor = &factors->factor[i];
        uint64_t count = threads ? factor->threads : factor->locals;
        struct lw_slot slot;
        unit /= count;
        if (count == 1 ||
            !lw_slot_find(&factor->opened.subject.map, LW_LANES_DEFAULT, factor->digit, 0, &slot))
            continue;
        uint64_t digit = threads ? slot.thread : slot.reg;
        lw_text_format(&terms, terms.length ? " + %llu" : "%llu", (unsigned long long)digit);
        if (unit > 1)
            lw_text_format(&terms, "*%llu", (unsigned long long)unit);
        sum += digit * unit;
    }
    lw_text_format(text, "%s %llu", threads ? "thread" : "local", (unsigned long long)sum);
    if (terms.length)
        lw_text_format(text, " = %s", lw_text_string(&terms));
    lw_text_free(&terms);
}

void lw_factors_explain(const struct lw_factors *factors, struct lw_explanation *explanation)
{
    struct lw_text *text = lw_explanation_add(explanation, "digits");
    for (int i = 0; i < factors->count; i++) {
        const struct lw_factor *factor = &factors->factor[i];
        const int dims = factor->opened.subject.map.out.count;
        lw_text_add(text, i ? "   (" : "(");
        for (int d = 0; d < dims; d++)
            lw_text_format(text, "%s%llu", d ? "," : "", (unsigned long long)factor->digit[d]);
        lw_text_format(text, ") of %s", lw_text_string(&factor->name));
    }
    text = lw_explanation_add(explanation, "because");
    put_sum(factors, true, text);
    lw_text_add(text, "     ");
    put_sum(factors, false, text);
}
