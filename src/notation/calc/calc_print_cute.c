/* Layouts, tuples, atoms and tilings of CuTe as CuTe prints them, and as JSON. */

#include "notation/calc/calc_table.h"

#include "encoding/cute/cute_parts.h"

#include <string.h>

/* ---- Layouts and tuples ---- */

/* As CuTe prints it; in JSON as a string. */
void lw_calc_print_cute(struct lw_text *text, const struct lw_cute *cute, bool json)
{
    lw_text_add(text, json ? "\"" : "");
    lw_text_add(text, cute->tile ? "thread_value(" : "");
    lw_cute_print(text, cute);
    if (cute->tile) {
        lw_text_add(text, ", ");
        lw_cute_tuple_print(text, cute->tile);
        lw_text_char(text, ')');
    }
    lw_text_add(text, json ? "\"" : "");
}

void lw_calc_print_tuple(struct lw_text *text, const struct lw_cute_tuple *tuple, bool json)
{
    lw_cute_tree_print(text, tuple, json);
}

/* ---- Fields ---- */

/* The output: a field a line, `  name: value`, or "name":"value" in JSON. */
struct printing {
    struct lw_text *text;
    bool json;
    int width; /* columns of a name and its colon */
    bool more; /* in JSON: a field was printed before */
};

static void begin(struct printing *p, const char *title)
{
    if (!p->json)
        lw_text_format(p->text, "%s%s", p->more ? "\n" : "", title);
    p->more = p->more || !p->json;
}

static void name_field(struct printing *p, const char *name)
{
    if (p->json)
        lw_text_format(p->text, "%s\"%s\":\"", p->more ? "," : "", name);
    else
        lw_text_format(p->text, "\n  %s:%*s", name, p->width - 1 - (int)lw_text_width(name), "");
    p->more = true;
}

static void end_field(struct printing *p)
{
    lw_text_add(p->text, p->json ? "\"" : "");
}

static void layout(struct printing *p, const char *name, const struct lw_cute_layout *value)
{
    name_field(p, name);
    lw_cute_layout_print(p->text, value);
    end_field(p);
}

static void tuple(struct printing *p, const char *name, const struct lw_cute_tuple *value)
{
    name_field(p, name);
    lw_calc_print_tuple(p->text, value, false);
    end_field(p);
}

/* ---- MMA ---- */

static void mma_atom(struct printing *p, const struct lw_cute_mma_atom *atom)
{
    begin(p, "MMA_Atom");
    p->width = 12;
    layout(p, "ThrID", &atom->threads);
    tuple(p, "Shape_MNK", &atom->mnk);
    layout(p, "LayoutA_TV", &atom->operand[LW_CUTE_A]);
    layout(p, "LayoutB_TV", &atom->operand[LW_CUTE_B]);
    layout(p, "LayoutC_TV", &atom->operand[LW_CUTE_C]);
}

/* The coordinates of a thread, V, M, N and K. */
static void thread_of_mma(struct printing *p, const struct lw_cute_tiled_mma *mma, int64_t thread)
{
    struct lw_cute_tuple vmnk[4] = {{0}};
    struct lw_cute_work work = {.rules = LW_CUTE_UNCHECKED};
    lw_cute_mma_thread(&work, mma, thread, vmnk);
    begin(p, "ThrMMA");
    p->width = 10;
    name_field(p, "Thr VMNK");
    for (int i = 0; i < 4; i++) {
        lw_text_add(p->text, i ? "," : "(");
        lw_cute_tuple_print(p->text, &vmnk[i]);
    }
    lw_text_char(p->text, ')');
    end_field(p);
}

static void tiled_mma(struct printing *p, const struct lw_cute_tiled_mma *mma, int64_t thread)
{
    if (thread >= 0)
        thread_of_mma(p, mma, thread);
    begin(p, "TiledMMA");
    p->width = 16;
    layout(p, "ThrLayoutVMNK", &mma->threads);
    tuple(p, "PermutationMNK", &mma->permutation);
    mma_atom(p, mma->atom);
}

/* ---- Copies ---- */

static void copy_atom(struct printing *p, const struct lw_cute_copy_atom *atom)
{
    begin(p, atom->bits ? "Copy_Atom" : "Copy_Traits");
    p->width = 14;
    layout(p, "ThrID", &atom->threads);
    layout(p, atom->bits ? "ValLayoutSrc" : "SrcLayout", &atom->side[LW_CUTE_SOURCE]);
    layout(p, atom->bits ? "ValLayoutDst" : "DstLayout", &atom->side[LW_CUTE_DESTINATION]);
    layout(p, atom->bits ? "ValLayoutRef" : "RefLayout", &atom->reference);
    if (!atom->bits)
        return;
    name_field(p, "ValueType");
    lw_text_format(p->text, "%db", atom->bits);
    end_field(p);
}

static void tiled_copy(struct printing *p, const struct lw_cute_tiled_copy *copy, int64_t thread)
{
    if (thread >= 0) {
        begin(p, "ThrCopy");
        p->width = 8;
        name_field(p, "ThrIdx");
        lw_text_format(p->text, "%lld", (long long)thread);
        end_field(p);
    }
    begin(p, "TiledCopy");
    p->width = 16;
    tuple(p, "Tiler_MN", &copy->tiler);
    layout(p, "TiledLayout_TV", &copy->tv);
    copy_atom(p, copy->atom);
}

void lw_calc_print_tiling(struct lw_text *text, const struct lw_calc_tiling *tiling, bool json)
{
    struct printing p = {text, json, 0, false};
    lw_text_add(text, json ? "{" : "");
    if (tiling->mma)
        tiled_mma(&p, tiling->mma, tiling->thread);
    else if (tiling->copy)
        tiled_copy(&p, tiling->copy, tiling->thread);
    else if (tiling->mma_atom)
        mma_atom(&p, tiling->mma_atom);
    else
        copy_atom(&p, tiling->copy_atom);
    lw_text_add(text, json ? "}" : "");
}

bool lw_calc_same_tiling(const struct lw_calc_tiling *a, const struct lw_calc_tiling *b)
{
    struct lw_text texts[2] = {{0}, {0}};
    lw_calc_print_tiling(&texts[0], a, false);
    lw_calc_print_tiling(&texts[1], b, false);
    bool same = !strcmp(lw_text_string(&texts[0]), lw_text_string(&texts[1]));
    lw_text_free(&texts[0]);
    lw_text_free(&texts[1]);
    return same;
}

/* ---- As a source ---- */

static void write_mma(struct lw_text *text, const struct lw_cute_tiled_mma *mma)
{
    bool permuted = false;
    for (int i = 0; i < 3; i++) {
        const struct lw_cute_tuple *tiler = &mma->permutation.items[i];
        permuted = permuted || tiler->count >= 0 || tiler->leaf != LW_CUTE_BLANK;
    }
    lw_text_format(text, "make_tiled_mma(%s{}, ", mma->atom->name);
    lw_cute_layout_print(text, &mma->atoms);
    if (permuted) {
        lw_text_add(text, ", ");
        lw_calc_print_tuple(text, &mma->permutation, false);
    }
    lw_text_char(text, ')');
}

/* The copy of 128 bits is UniversalCopy<uint128_t> in C++; sizes without a type keep their own name. */
static void write_copy_name(struct lw_text *text, const char *name)
{
    int bits;
    char end;
    if (sscanf(name, "UniversalCopy_%d%c", &bits, &end) == 2 && end == 'b' &&
        (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 || bits == 256))
        lw_text_format(text, "UniversalCopy<uint%d_t>", bits);
    else
        lw_text_add(text, name);
}

/* False: no type of C++ has so many bits. */
static bool write_copy(struct lw_text *text, const struct lw_cute_tiled_copy *copy)
{
    int bits = copy->atom->bits;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128)
        return false;
    lw_text_add(text, "make_tiled_copy_impl(Copy_Atom<");
    write_copy_name(text, copy->atom->name);
    if (copy->atom->type)
        lw_text_format(text, ", %s>{}, ", copy->atom->type);
    else
        lw_text_format(text, ", uint%d_t>{}, ", bits);
    lw_cute_layout_print(text, &copy->tv);
    lw_text_add(text, ", ");
    lw_calc_print_tuple(text, &copy->tiler, false);
    lw_text_char(text, ')');
    return true;
}

const char *lw_calc_tiling_source(struct lw_arena *arena, const struct lw_calc_tiling *tiling)
{
    struct lw_text text = {0};
    bool written = true;
    if (tiling->mma)
        write_mma(&text, tiling->mma);
    else
        written = write_copy(&text, tiling->copy);
    const char *source =
        written && !text.failed ? lw_arena_string(arena, lw_text_string(&text), text.length) : NULL;
    lw_text_free(&text);
    return source;
}
