/* Flips a bit of the matrix in the document, for a layout that is given by its bases. */

#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

/* A bit such as "lane.3": the name and the number. */
struct bit {
    char name[32];
    size_t number;
};

static struct bit bit_of(const struct lw_view *view, uint64_t i,
                         void (*label)(const struct lw_view *view, uint64_t i,
                                       struct lw_text *text))
{
    struct lw_text text = {0};
    struct bit bit = {{0}, 0};
    label(view, i, &text);
    const char *string = lw_text_string(&text), *dot = strrchr(string, '.');
    if (dot) {
        snprintf(bit.name, sizeof bit.name, "%.*s", (int)(dot - string), string);
        bit.number = strtoul(dot + 1, NULL, 10);
    }
    lw_text_free(&text);
    return bit;
}

/* Appends the bases of a dim with one bit flipped; false: the layout does not have them as a parameter. */
static bool put_flipped(struct lw_text *text, const struct lw_encoding *encoding,
                        const struct bit *from, const struct bit *to)
{
    int index = lw_encoding_param(encoding, from->name);
    const struct lw_value *value = index < 0 ? NULL : &encoding->params[index];
    size_t dim = strtoul(to->name + strcspn(to->name, "0123456789"), NULL, 10);
    if (!value || value->kind != LW_VALUE_LIST || from->number >= value->count ||
        strncmp(to->name, "dim", 3) != 0 || to->number > 61 ||
        value->items[from->number].kind != LW_VALUE_LIST || dim >= value->items[from->number].count)
        return false;
    lw_text_char(text, '[');
    for (size_t b = 0; b < value->count; b++) {
        const struct lw_value *basis = &value->items[b];
        lw_text_add(text, b ? ", [" : "[");
        for (size_t d = 0; d < basis->count; d++) {
            int64_t flip = b == from->number && d == dim ? (int64_t)1 << to->number : 0;
            lw_text_format(text, "%s%lld", d ? ", " : "",
                           (long long)(basis->items[d].integer ^ flip));
        }
        lw_text_char(text, ']');
    }
    lw_text_char(text, ']');
    return !text->failed;
}

/* ---- The new encoding ---- */

/* Appends "#ttg.generic_linear<{register = ..., lane = ..., ...}>" for a linear layout, with other bases for one
 * dim. */
static void put_generic(struct lw_text *text, const struct lw_encoding *linear, const char *dim,
                        const char *bases)
{
    lw_text_add(text, "#ttg.generic_linear<{");
    for (size_t i = 0; i < linear->type->param_count; i++) {
        const char *name = linear->type->params[i].name;
        if (strcmp(name, dim) != 0 && linear->params[i].kind == LW_VALUE_NONE)
            continue;
        lw_text_format(text, "%s%s = ", i ? ", " : "", name);
        if (!strcmp(name, dim))
            lw_text_add(text, bases);
        else
            lw_value_print(text, &linear->params[i]);
    }
    lw_text_add(text, "}>");
}

/* Appends ,"injective":true if the encoding states it, or denies it: then the value that is true of the new bases. */
static void put_stated(struct lw_text *text, const struct lw_encoding *encoding, const char *name,
                       bool holds)
{
    if (lw_encoding_param(encoding, name) >= 0 && lw_encoding_is_set(encoding, name))
        lw_text_format(text, ",\"%s\":%s", name, holds ? "true" : "false");
}

/* Appends the bases as JSON, which every linear layout has, with what the encoding states of its bases. */
static void put_any(struct lw_text *text, const struct lw_view_pane *pane,
                    const struct lw_encoding *encoding)
{
    static const char stated[] = ",\"surjective\":";
    struct lw_layout layout = *lw_map_layout(&pane->view.subject->map);
    struct lw_text json = {0};
    layout.basis[pane->col] ^= (uint64_t)1 << pane->row;
    lw_layout_print_json(&json, &layout);
    const char *string = lw_text_string(&json), *end = strstr(string, stated);
    lw_text_bytes(text, string, end ? (size_t)(end - string) : json.length);
    lw_text_free(&json);
    int rank = lw_layout_rank(&layout);
    put_stated(text, encoding, "surjective", rank == lw_layout_out_bits(&layout));
    put_stated(text, encoding, "injective", rank == lw_layout_in_bits(&layout));
    lw_text_char(text, '}');
}

/* Sets a value, unless the layout would not be legal with it. */
static bool set_legal(struct lw_explorer *ex, const char *path, const char *value)
{
    if (!lw_form_set(ex, path, value))
        return false;
    if (lw_form_problem(ex, path)->code == LW_OK && !lw_layouts_problem(&ex->layouts))
        return true;
    lw_history_step(ex, 0);
    lw_refresh(ex, 0);
    return false;
}

/* Flips it in the layout's own encoding if the result is legal there, else as generic_linear, else as bases, where
 * every basis is legal. */
static bool flip(struct lw_explorer *ex, const struct lw_encoding *encoding, const struct bit *from,
                 const struct bit *to, const char **type)
{
    const struct lw_view_pane *pane = ex->panes.active;
    bool own = pane->shown.side == lw_explorer_entry(ex)->doc->side;
    const char *whole = own ? "encoding" : lw_side_key(pane->shown.side);
    bool linear = encoding->type == lw_encoding_type_find("linear");
    struct lw_text bases = {0}, text = {0};
    char path[LW_PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", own ? "" : whole, own ? "" : ".", from->name);
    bool has = put_flipped(&bases, encoding, from, to), done = false;
    *type = encoding->type->name;
    /* All texts are written before the edit, which replaces the document and with it the encoding. */
    struct lw_text any = {0};
    put_any(&any, pane, encoding);
    if (linear && has)
        put_generic(&text, encoding, from->name, lw_text_string(&bases));
    if (has)
        done = set_legal(ex, path, lw_text_string(&bases));
    if (!done && linear && has && (done = set_legal(ex, whole, lw_text_string(&text))))
        *type = "generic_linear";
    if (!done && (done = set_legal(ex, whole, lw_text_string(&any))))
        *type = "bases";
    lw_text_free(&bases);
    lw_text_free(&text);
    lw_text_free(&any);
    return done;
}

static bool is_given_by_bases(const struct lw_encoding *encoding)
{
    static const char *const names[] = {"linear", "generic_linear", "shared_linear", "bases"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(encoding->type->name, names[i]))
            return true;
    return false;
}

bool lw_form_flips(const struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_document *doc = ex->list.entries[ex->list.entry].doc;
    struct lw_document one;
    if (!pane->has_view || strcmp(pane->view.type->name, "matrix") != 0 || pane->shown.other ||
        !lw_document_has(doc, pane->shown.side))
        return false;
    lw_document_side(&one, doc, pane->shown.side);
    return is_given_by_bases(one.encoding);
}

bool lw_form_flip_bit(struct lw_explorer *ex)
{
    const struct lw_view_pane *pane = ex->panes.active;
    const struct lw_document *doc = lw_explorer_entry(ex)->doc;
    struct lw_document one;
    const char *type;
    if (!pane->has_view || strcmp(pane->view.type->name, "matrix") != 0)
        return false;
    if (pane->shown.other || !lw_document_has(doc, pane->shown.side)) {
        lw_explorer_set_message(ex, true,
                                "this layout is shown for comparison: it cannot be edited here");
        return true;
    }
    lw_document_side(&one, doc, pane->shown.side);
    const char *before = one.encoding->type->name;
    const struct bit from = bit_of(&pane->view, pane->col, pane->view.type->col_label);
    const struct bit to = bit_of(&pane->view, pane->row, pane->view.type->row_label);
    if (!is_given_by_bases(one.encoding)) {
        bool it = pane->shown.side == ex->layouts.side;
        lw_explorer_set_message(
            ex, true, "Space flips a bit of layouts whose parameters are bases: %s is none; %s",
            before, it ? ":linear(it) opens this one as such" : "view 7 has its bases");
    } else if (flip(ex, one.encoding, &from, &to, &type)) {
        bool other = strcmp(type, before) != 0;
        lw_explorer_set_message(ex, false, "%s.%zu, %s.%zu flipped%s%s%s; u undoes it", to.name,
                                to.number, from.name, from.number,
                                other ? ": now of the type " : "", other ? type : "",
                                other ? ", which allows such bases" : "");
    }
    return true;
}
