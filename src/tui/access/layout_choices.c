/* The layouts that one of an access may be replaced by: open ones, a few for any shape, and those of the gallery. Each
 * is opened once and compared with the other layouts of the access: those that fit come first, by what the access then
 * costs, the others last, with the reason. */

#include "tui/access/layout_pick.h"
#include "tui/explore/explorer.h"
#include "view/view_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <string.h>

/* ---- Whether one fits ---- */

/* "8 x 4" */
static void put_sizes(struct lw_text *text, const struct lw_dims *dims)
{
    for (int i = 0; i < dims->count; i++)
        lw_text_format(text, "%s%" PRIu64, i ? " x " : "", dims->dim[i].size);
}

/* Whether the sizes of a layout fit those of another one: memory is at least as large, registers are equal. */
static bool sizes_fit(const struct lw_dims *has, const struct lw_dims *needed, bool exact)
{
    for (int i = 0; i < needed->count; i++) {
        int at = lw_dims_find(has, needed->dim[i].name);
        if (at < 0 || has->dim[at].size < needed->dim[i].size ||
            (exact && has->dim[at].size != needed->dim[i].size))
            return false;
    }
    return has->count == needed->count;
}

/* Appends why a layout does not fit another one of the access, by their sizes; nothing when they fit. */
static void put_conflict(struct lw_text *why, enum lw_side side, const struct lw_map *map,
                         const struct lw_subject *stays)
{
    const struct lw_dims *has = &map->out, *other = &stays->map.out;
    bool memory = side == LW_SIDE_S, into = stays->side == LW_SIDE_S;
    if (into ? sizes_fit(other, has, false) : sizes_fit(has, other, !memory))
        return;
    put_sizes(why, has);
    lw_text_add(why, memory ? " does not hold " : into ? " does not fit into " : " is not ");
    put_sizes(why, other);
}

/* The document with another layout at a side, as after an edit; it borrows both. */
static struct lw_document with_layout(const struct lw_document *own, enum lw_side side,
                                      const struct lw_document *other)
{
    struct lw_document made = *own;
    struct lw_tensor tensor = other->tensor;
    const struct lw_tensor *was = side == own->side ? &own->tensor : &own->others[side].tensor;
    bool had = lw_document_has(own, side);
    if (tensor.rank < 0 && had) {
        tensor = *was;
        if (other->tensor.element.bits)
            tensor.element = other->tensor.element;
    } else if (!tensor.element.bits && had) {
        tensor.element = was->element;
    }
    lw_document_settle(&made);
    if (side != made.side) {
        made.others[side] = (struct lw_document_layout){other->encoding, tensor};
        return made;
    }
    made.encoding = other->encoding;
    made.expression = other->expression;
    made.tensor = tensor;
    return made;
}

/* Counts the wavefronts of the stores and loads that there are, through a memory, or of the conversion of registers. */
static void count_cost(const struct lw_explorer *ex, const struct lw_subject *memory,
                       const struct lw_subject *registers, struct lw_layout_choice *choice)
{
    struct lw_subject_access *access = (memory ? memory : registers)->access;
    const struct lw_conversion *moves = memory ? NULL : lw_subject_access_conversion(access, NULL);
    choice->counted = memory || (moves && moves->kind != LW_CONVERSION_BLOCKS);
    choice->uncounted = memory || !moves ? "its wavefronts are not counted"
                                         : "it moves elements between CTAs: not counted";
    for (int i = 0; i < 2 && choice->counted; i++) {
        enum lw_access_op op = i ? LW_ACCESS_LOAD : LW_ACCESS_STORE;
        const struct lw_plan_total *total = memory ? lw_subject_access_total(access, op, NULL)
                                            : i    ? &moves->load_total
                                                   : &moves->store_total;
        choice->counted = total != NULL;
        if (total && (!memory || lw_explorer_has_access(ex, op)))
            choice->wavefronts += total->wavefronts;
    }
    choice->uncounted = choice->counted ? NULL : choice->uncounted;
}

/* Whether the banks view of a memory, or the conversion of registers, can be opened. */
static bool has_view(const struct lw_subject *memory, const struct lw_subject *registers,
                     struct lw_error *err)
{
    struct lw_view view;
    uint64_t count;
    if (memory)
        return lw_subject_access_check(memory, err) &&
               lw_subject_access_count(memory->access, LW_VIEW_BOTH, &count, err);
    if (!lw_view_open(&view, lw_view_type_find("conversion"), registers, NULL, err))
        return false;
    lw_view_close(&view);
    return true;
}

/* Whether the layouts of a document fit: whether its banks or its conversion can be opened. Counts the cost. */
static bool go_together(const struct lw_explorer *ex, const struct lw_document *doc,
                        struct lw_layout_choice *choice, struct lw_error *err)
{
    struct lw_opened opened[LW_SIDES];
    struct lw_subject *sides[LW_SIDES] = {0};
    bool ok = true;
    err->code = LW_OK;
    for (int i = 0; i < LW_SIDES && ok; i++) {
        if (!lw_document_has(doc, (enum lw_side)i))
            continue;
        ok = lw_subject_open_side(&opened[i], doc, (enum lw_side)i, lw_explorer_hardware(ex)->lanes,
                                  err);
        if (ok) {
            sides[i] = &opened[i].subject;
            sides[i]->hardware = lw_explorer_target(ex);
        }
    }
    if (ok && lw_document_is_access(doc)) {
        ok = lw_subject_join(sides, err) && has_view(sides[LW_SIDE_S], sides[LW_SIDE_A], err) &&
             err->code == LW_OK; /* also when only one direction can be counted */
        if (ok)
            count_cost(ex, sides[LW_SIDE_S], sides[LW_SIDE_A], choice);
    }
    for (int i = LW_SIDES - 1; i >= 0; i--)
        if (sides[i])
            lw_subject_close(&opened[i]);
    return ok;
}

/* Appends the reason, short enough for a row of the list. */
static void put_reason(const struct lw_explorer *ex, struct lw_text *why, enum lw_side side,
                       const struct lw_document *doc, const struct lw_error *err)
{
    for (int i = 0; i < LW_SIDES && !why->length; i++) {
        const struct lw_subject *stays =
            lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, false});
        int bits = doc->tensor.element.bits;
        if (stays && (enum lw_side)i != side && bits && bits != stays->tensor.element.bits &&
            lw_contains_text(err->message, "elements of"))
            lw_text_format(why, "elements of %d bits, not %d", bits, stays->tensor.element.bits);
    }
    if (!why->length)
        lw_text_add(why, err->message);
}

/* Appends what becomes of the tensor if a layout brings another one, which the others then follow. */
static void put_change(const struct lw_explorer *ex, struct lw_text *why, enum lw_side side,
                       const struct lw_map *map, const struct lw_tensor *tensor)
{
    const struct lw_subject *was = lw_layouts_at(&ex->layouts, (struct lw_shown){side, false});
    const int bits = tensor->element.bits;
    if (!was || side == LW_SIDE_S)
        return;
    if (!sizes_fit(&map->out, &was->map.out, true)) {
        lw_text_add(why, "the tensor becomes ");
        put_sizes(why, &map->out);
    } else if (bits && was->tensor.element.bits && bits != was->tensor.element.bits) {
        lw_text_format(why, "elements become %s", tensor->element.name);
    }
}

/* Fills in why the choice does not fit, or its cost. */
static void judge(const struct lw_explorer *ex, enum lw_side side, const struct lw_document *doc,
                  const struct lw_map *map, struct lw_layout_choice *choice)
{
    struct lw_text why = {0};
    struct lw_error err;
    const struct lw_document *own = ex->list.entries[ex->list.entry].doc;
    for (int i = 0; i < LW_SIDES && !why.length; i++) {
        const struct lw_subject *stays =
            lw_layouts_at(&ex->layouts, (struct lw_shown){(enum lw_side)i, false});
        bool follows = side == own->side && own->others[i].tensor.rank < 0; /* takes its shape */
        if (stays && (enum lw_side)i != side && !follows)
            put_conflict(&why, side, map, stays);
    }
    choice->too_small = why.length && side == LW_SIDE_S;
    struct lw_document made = with_layout(own, side, doc);
    if (!why.length && !go_together(ex, &made, choice, &err))
        put_reason(ex, &why, side, doc, &err);
    else if (!why.length && lw_document_is_access(&made))
        put_change(ex, &why, side, map, &doc->tensor);
    choice->changes = why.length && choice->counted;
    if (side != LW_SIDE_S && !lw_map_is_surjective(map)) {
        choice->counted = false;
        choice->uncounted = "a part of the tensor: no cost to compare";
    }
    snprintf(choice->why, sizeof choice->why, "%s", lw_text_string(&why));
    lw_text_free(&why);
}

/* Adds a document that can be at the side; it is borrowed. */
static void add(const struct lw_explorer *ex, struct lw_layout_pick *pick,
                const struct lw_document *doc, struct lw_layout_choice choice)
{
    const struct lw_document *own = ex->list.entries[ex->list.entry].doc;
    struct lw_document shaped = *doc; /* borrows all of it */
    struct lw_map map;
    struct lw_error err;
    if (lw_document_is_access(doc))
        return;
    if (!shaped.tensor.element.bits)
        shaped.tensor.element = own->tensor.element;
    lw_document_share(&shaped, own, pick->side == LW_SIDE_S);
    if (!lw_document_build(&shaped, &map, &err) ||
        (lw_dims_find(&map.in, "offset") >= 0) != (pick->side == LW_SIDE_S))
        return;
    choice.encoding = doc->encoding->type->name;
    judge(ex, pick->side, doc, &map, &choice);
    pick->all[pick->count++] = choice;
}

/* ---- The list ---- */

static void add_open(struct lw_explorer *ex, struct lw_layout_pick *pick)
{
    for (size_t i = 0; i < ex->list.count; i++) {
        const struct lw_entry *entry = &ex->list.entries[i];
        bool own = entry->own || i < ex->options->count;
        if (entry->loaded && own && !entry->lesson && i != ex->list.entry)
            add(ex, pick, entry->doc, (struct lw_layout_choice){.entry = i});
    }
}

/* Whether a layout of the gallery is in the list already, because it is open and was not edited. */
static bool is_open(const struct lw_explorer *ex, const struct lw_layout_pick *pick,
                    const char *name)
{
    for (size_t i = 0; i < pick->count; i++) {
        const struct lw_entry *entry = &ex->list.entries[pick->all[i].entry];
        if (!pick->all[i].name && !entry->dirty && !strcmp(entry->source, name))
            return true;
    }
    return false;
}

static void add_gallery(struct lw_explorer *ex, struct lw_layout_pick *pick)
{
    size_t count;
    const struct lw_gallery_entry *named = lw_gallery(&count);
    for (size_t i = 0; i < count; i++) {
        struct lw_document doc;
        struct lw_error err;
        if (is_open(ex, pick, named[i].name) || !lw_document_open(&doc, named[i].name, NULL, &err))
            continue;
        add(ex, pick, &doc, (struct lw_layout_choice){.name = named[i].name});
        lw_document_free(&doc);
    }
}

/* "[0, 0, 4]" with `last` at the fastest dim of an order, and `value` elsewhere. */
static void put_list(struct lw_text *text, int rank, int fastest, unsigned value, unsigned last)
{
    for (int i = 0; i < rank; i++)
        lw_text_format(text, "%s%u", i ? ", " : "[", i == fastest ? last : value);
    lw_text_char(text, ']');
}

/* The layouts that are offered beside those of the gallery. */
static const struct made {
    const char *memory, *registers; /* its name there; NULL: not offered for that */
    const char *title;
    bool columns;
    unsigned vec_bytes, phases; /* of memory: the part that moves, 0: an element; maxPhase */
} made[] = {
    {"row after row", "lanes along rows", "shared memory without a swizzle", false, 0, 1},
    {"column after column", "lanes along columns", "shared memory without a swizzle", true, 0, 1},
    {"xor 4", NULL, "rows: the column ^ row % 4", false, 0, 4},
    {"xor 8", NULL, "rows: the column ^ row % 8", false, 0, 8},
    {"xor 16", NULL, "rows: the column ^ row % 16", false, 0, 16},
    {"xor 32", NULL, "rows: the column ^ row % 32", false, 0, 32},
    {"xor 8 of 16 bytes", NULL, "rows: the part of 16 bytes ^ row % 8", false, 16, 8},
};

enum { MADE = sizeof made / sizeof *made };
static_assert((int)MADE <= (int)LW_MADE_MAX, "each has a SOURCE in lw_layout_pick");

/* Appends memory with or without a swizzle, or registers with the lanes side by side, in row-major or column-major
 * order. */
static void put_made(const struct lw_explorer *ex, struct lw_text *text, enum lw_side side,
                     const struct made *one)
{
    const struct lw_subject *subject = &ex->layouts.opened.subject;
    unsigned lanes = lw_explorer_hardware(ex)->lanes;
    unsigned bits = (unsigned)subject->tensor.element.bits;
    int rank = subject->map.out.count;
    bool columns = one->columns;
    int fastest = columns ? 0 : rank - 1;
    if (side == LW_SIDE_S) {
        unsigned vec = bits && one->vec_bytes * 8 > bits ? one->vec_bytes * 8 / bits : 1;
        lw_text_format(text, "#ttg.swizzled_shared<{vec = %u, perPhase = 1, maxPhase = %u", vec,
                       one->phases);
    } else {
        lw_text_add(text, "#ttg.blocked<{sizePerThread = ");
        put_list(text, rank, fastest, 1, 1);
        lw_text_add(text, ", threadsPerWarp = ");
        put_list(text, rank, fastest, 1, lanes);
        lw_text_add(text, ", warpsPerCTA = ");
        put_list(text, rank, fastest, 1, 1);
    }
    lw_text_add(text, ", order = ");
    for (int i = 0; i < rank; i++)
        lw_text_format(text, "%s%d", i ? ", " : "[", columns ? i : rank - 1 - i);
    lw_text_add(text, "]}>");
}

static void add_made(struct lw_explorer *ex, struct lw_layout_pick *pick, size_t i)
{
    bool memory = pick->side == LW_SIDE_S;
    const char *name = memory ? made[i].memory : made[i].registers;
    struct lw_text source = {0};
    struct lw_document doc;
    struct lw_error err;
    int rank = ex->layouts.opened.subject.map.out.count;
    if (!name || rank < 1 + (made[i].columns || made[i].phases > 1))
        return;
    put_made(ex, &source, pick->side, &made[i]);
    snprintf(pick->made[i], sizeof pick->made[i], "%s", lw_text_string(&source));
    if (source.length < sizeof pick->made[i] && lw_document_open(&doc, pick->made[i], NULL, &err)) {
        const char *title = memory ? made[i].title : "one element a lane, one warp";
        add(ex, pick, &doc,
            (struct lw_layout_choice){.name = name, .title = title, .source = pick->made[i]});
        lw_document_free(&doc);
    }
    lw_text_free(&source);
}

/* The part of the list that a choice is in: those that fit, those that change the tensor, the others. */
static int part_of(const struct lw_layout_choice *choice)
{
    return !choice->why[0] ? 0 : choice->changes ? 1 : 2;
}

/* Those that fit by cost, those without one last; equal ones keep their order. */
static int compare(const void *a, const void *b)
{
    const struct lw_layout_choice *x = a, *y = b;
    uint64_t costs[] = {x->counted ? x->wavefronts : UINT64_MAX,
                        y->counted ? y->wavefronts : UINT64_MAX};
    if (part_of(x) != part_of(y))
        return part_of(x) - part_of(y);
    if (!x->why[0] && costs[0] != costs[1])
        return costs[0] < costs[1] ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

bool lw_layout_choices(struct lw_explorer *ex, struct lw_layout_pick *pick)
{
    struct lw_layout_choice now = {0};
    struct lw_error err;
    size_t gallery;
    lw_gallery(&gallery);
    pick->count = 0;
    free(pick->all);
    pick->all = calloc(ex->list.count + gallery + MADE + 1, sizeof *pick->all);
    if (!pick->all)
        return false;
    pick->counted =
        go_together(ex, ex->list.entries[ex->list.entry].doc, &now, &err) && now.counted;
    pick->now = now.wavefronts;
    add_open(ex, pick);
    if (ex->layouts.has_opened)
        for (size_t i = 0; i < MADE; i++)
            add_made(ex, pick, i);
    add_gallery(ex, pick);
    for (size_t i = 0; i < pick->count; i++)
        pick->all[i].order = i;
    qsort(pick->all, pick->count, sizeof *pick->all, compare);
    return true;
}
