/* Subjects, opened from documents. */

#include "laneway/subject.h"
#include "encoding/schema/schema.h"

#include "encoding/tilus/tilus.h"
#include "view/view_parts.h"

#include <string.h>

/* Writes the head of a layout of CuTe whose notation includes the element: that of an operand of an atom. */
static bool put_cute(struct lw_text *head, const struct lw_document *doc)
{
    struct lw_document again;
    struct lw_text text = {0};
    struct lw_error err;
    if (strcmp(doc->encoding->type->name, "cute") != 0 || doc->tensor.rank >= 0 ||
        !doc->tensor.element.name[0])
        return false;
    lw_encoding_print(&text, doc->encoding);
    bool same = lw_document_open(&again, lw_text_string(&text), NULL, &err);
    if (same) {
        same = !strcmp(again.tensor.element.name, doc->tensor.element.name);
        lw_document_free(&again);
    }
    if (same)
        lw_text_add(head, lw_text_string(&text));
    lw_text_free(&text);
    return same;
}

/* The head of a part of a tensor: "LAYOUT, which starts at offset 18" for Sw<0,0,0> o 18 o LAYOUT. */
static bool put_part(struct lw_text *head, const struct lw_document *doc)
{
    static const char none[] = "Sw<0,0,0> o ";
    struct lw_text text = {0};
    lw_document_source(&text, doc);
    const char *source = lw_text_string(&text), *layout = NULL;
    if (!strncmp(source, none, sizeof none - 1))
        layout = strstr(source + sizeof none - 1, " o ");
    if (layout)
        lw_text_format(head, "%s, which starts at offset %.*s", layout + 3,
                       (int)(layout - source) - (int)(sizeof none - 1), source + sizeof none - 1);
    lw_text_free(&text);
    return layout;
}

/* The line above a printed grid: tilus's own for its layouts, else the source. */
static bool make_head(struct lw_text *head, const struct lw_document *doc, struct lw_error *err)
{
    enum lw_family family = doc->encoding->type->family;
    if (family == LW_FAMILY_TILUS_REGISTER || family == LW_FAMILY_TILUS_SHARED)
        return lw_tilus_head(doc->encoding, head, err);
    if (!put_cute(head, doc) && !put_part(head, doc))
        lw_document_source(head, doc);
    struct lw_arena arena = {0};
    struct lw_cute cute;
    if (lw_cute_of_encoding(&arena, doc->encoding, &cute, NULL) && cute.of_thread)
        /* the thread that has this part of a tensor, which no notation expresses */
        lw_text_format(head, ", the part of thread %lld", (long long)cute.thread);
    lw_arena_free(&arena);
    return true;
}

static const char *keep(struct lw_arena *arena, const char *string)
{
    return lw_arena_string(arena, string, strlen(string));
}

/* Notes where the tensor of a memdesc is not the one that is laid out: it has buffers, or is a part. */
static void make_notes(struct lw_text *notes, const struct lw_document *doc)
{
    const struct lw_tensor *tensor = &doc->tensor;
    struct lw_tensor laid;
    lw_encoding_tensor(doc->encoding, tensor, &laid);
    if (lw_encoding_is_buffers(doc->encoding, tensor) && tensor->shape[0] > 1)
        lw_text_format(notes, "one of %llu buffers, which follow each other",
                       (unsigned long long)tensor->shape[0]);
    int skipped = tensor->rank - laid.rank;
    for (int d = 0; d < laid.rank && tensor->rank > 0; d++)
        if (laid.shape[d] != tensor->shape[d + skipped]) {
            lw_text_format(notes, "%sa view of a part: the layout is that of the whole allocation",
                           notes->length ? "; " : "");
            return;
        }
}

/* Appends why the swizzle of a layout of CuTe changes none of its offsets: all are below the lowest bit that it
 * reads. */
static void put_idle(const struct lw_cute *cute, struct lw_text *text)
{
    const struct lw_cute_swizzle *s = &cute->swizzle;
    const int bit = s->base + (s->shift > 0 ? s->shift : 0);
    if (!cute->composed || !s->bits || cute->offset < 0 || cute->start < 0)
        return;
    const uint64_t last = (uint64_t)lw_cute_cosize(&cute->layout) - 1 + (uint64_t)cute->offset +
                          (uint64_t)cute->start;
    const uint64_t bytes = cute->pointer ? (uint64_t)cute->pointer : 8;
    if (last < (uint64_t)1 << 56 && (last * bytes + bytes - 1) / 8 >> bit == 0)
        lw_text_format(text,
                       "; it changes nothing: it reads bits from %d on, and all %s are below 2^%d",
                       bit, cute->pointer ? "bytes" : "offsets", bit);
}

/* Notes whether a swizzle counts elements or bytes, and the swizzle in the other unit, written by `print`. */
static void put_units(struct lw_text *notes, const struct lw_cute *cute, int bits,
                      void (*print)(struct lw_text *text, const struct lw_cute *cute))
{
    struct lw_cute other;
    struct lw_error err;
    if (!cute->composed)
        return;
    lw_text_add(notes, notes->length ? "; " : "");
    lw_text_add(notes, cute->pointer ? "the swizzle counts bytes" : "the swizzle counts elements");
    if (!cute->pointer && !bits) {
        lw_text_add(notes, " (the element size is not set: --element f16 sets it)");
    } else if (cute->pointer ? lw_cute_in_elements(cute, &other, &err)
                             : lw_cute_in_bytes(cute, bits, &other, &err)) {
        lw_text_add(notes, cute->pointer ? "; in elements it is " : "; in bytes it is ");
        print(notes, &other);
    } else {
        lw_text_format(notes, ": %s", err.message);
    }
}

/* As tilus writes a swizzle, and CuTe. */
static void print_swizzle(struct lw_text *text, const struct lw_cute *cute)
{
    const struct lw_cute_swizzle *s = &cute->swizzle;
    lw_text_format(text, "Swizzle(base=%d, bits=%d, shift=%d), Sw<%d,%d,%d> of CuTe", s->base,
                   s->bits, s->shift, s->bits, s->base, s->shift);
}

static void make_units(struct lw_text *notes, const struct lw_document *doc,
                       const struct lw_cute *cute)
{
    struct lw_tilus_shared tilus;
    struct lw_error err;
    int bits = doc->tensor.element.bits;
    bits = bits ? bits : lw_encoding_element_bits(doc->encoding);
    if (cute) {
        put_units(notes, cute, bits, lw_cute_print);
        put_idle(cute, notes);
    } else if (doc->encoding->type->family == LW_FAMILY_TILUS_SHARED &&
               lw_tilus_shared_eval(doc->encoding, &tilus, &err) && tilus.swizzled &&
               tilus.swizzle.bits > 0) {
        const struct lw_cute same = {.composed = true,
                                     .swizzle = {(int)tilus.swizzle.bits, (int)tilus.swizzle.base,
                                                 (int)tilus.swizzle.shift}};
        put_units(notes, &same, bits, print_swizzle);
    }
}

bool lw_subject_open(struct lw_opened *out, const struct lw_document *doc, uint64_t lanes,
                     struct lw_error *err)
{
    struct lw_map map;
    struct lw_tensor tensor;
    struct lw_text head = {0};
    if (!lw_document_build(doc, &map, err))
        return false;
    lw_document_tensor(doc, &map, &tensor);
    if (!make_head(&head, doc, err)) {
        lw_text_free(&head);
        return false;
    }
    memset(out, 0, sizeof *out);
    lw_subject_init(&out->subject, &map, &tensor, doc->encoding->type->family);
    int lane = lw_dims_find(&map.in, "lane");
    out->subject.lanes = lane >= 0 ? map.in.dim[lane].size : lanes;
    out->head = head;
    out->subject.head = lw_text_string(&out->head);
    out->subject.to_global = doc->to_global;
    out->subject.title = keep(&out->arena, doc->title);
    out->subject.about = keep(&out->arena, doc->about);
    struct lw_cute *cute = lw_arena_alloc(&out->arena, sizeof *cute);
    if (cute && lw_cute_of_encoding(&out->arena, doc->encoding, cute, NULL))
        out->subject.cute = cute;
    if (doc->expression)
        out->subject.expression = keep(&out->arena, doc->expression);
    out->subject.encoding = lw_encoding_copy(&out->arena, doc->encoding);
    make_notes(&out->notes, doc);
    make_units(&out->notes, doc, out->subject.cute);
    struct lw_error shared;
    if (!lw_map_check_unique(&map, &shared))
        lw_text_format(&out->notes, "%s%s", out->notes.length ? "; " : "", shared.message);
    out->subject.notes = lw_text_string(&out->notes);
    if (!out->arena.failed && !out->head.failed && !out->notes.failed)
        return true;
    lw_subject_close(out);
    return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

bool lw_subject_open_side(struct lw_opened *out, const struct lw_document *doc, enum lw_side side,
                          uint64_t lanes, struct lw_error *err)
{
    struct lw_document one;
    lw_document_side(&one, doc, side);
    if (!lw_subject_open(out, &one, lanes, err))
        return false;
    const bool memory = lw_dims_find(&out->subject.map.in, "offset") >= 0;
    if (side == doc->side || memory == (side == LW_SIDE_S))
        return true;
    lw_subject_close(out);
    return lw_error_set(err, LW_ERROR_UNSUPPORTED, "%s: this layout is %s", lw_side_name(side),
                        memory ? "in shared memory" : "not in shared memory");
}

bool lw_subject_open_others(struct lw_subject *own, const struct lw_document *doc,
                            struct lw_opened opened[LW_SIDES], bool has[LW_SIDES], const char *as,
                            struct lw_error *err)
{
    struct lw_subject *sides[LW_SIDES] = {0};
    sides[doc->side] = own;
    for (int i = 0; i < LW_SIDES; i++) {
        const enum lw_side side = (enum lw_side)i;
        if (side == doc->side || !lw_document_has(doc, side))
            continue;
        if (!(has[i] = lw_subject_open_side(&opened[i], doc, side, own->lanes, err)))
            return false;
        sides[i] = &opened[i].subject;
        sides[i]->hardware = own->hardware;
    }
    if (!lw_subject_join(sides, err))
        return false;
    lw_subject_access_count_as(own->access, as);
    return true;
}

void lw_subject_close(struct lw_opened *opened)
{
    lw_subject_separate(&opened->subject);
    lw_text_free(&opened->head);
    lw_text_free(&opened->notes);
    lw_arena_free(&opened->arena);
    memset(opened, 0, sizeof *opened);
}
