/*
 * The atoms of CuTe and AMD's matrix instructions by their names: which thread and value have which element.
 *
 *     SM80_16x8x16_F32F16F16F32_TN.C      of the 16 x 8 tile of the result
 *     SM75_U32x4_LDSM_N.Dst               of bits
 *     v_mfma_f32_32x32x8_f16.A            of the 32 x 8 tile of A
 * Template arguments may follow. The sizes among them, M and N of an MMA or the bits of a copy's type, become the end
 * of the name: SM100_MMA_TF32_SS<..., 128, 256, ...> is SM100_MMA_TF32_SS_128x256.
 */

#include "notation/calc/calculator.h"
#include "notation/calc/calc_rows.h"
#include "notation/calc/cute_atoms.h"

#include "core/array_count.h"

#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 160
#define THREADS "ThrID"

/* ---- Types ---- */

/* The types of an element: their names in C++ and CUTLASS, in the names of atoms and in the CuTe DSL for Python, and
 * the elements of Triton that they are; NULL: there is none. No name in atoms is the beginning of another. */
static const struct type {
    const char *cpp, *atom, *python;
    int bits;
    const char *element;
} types[] = {
    {"double", "F64", "Float64", 64, "f64"},
    {"float", "F32", "Float32", 32, "f32"},
    {"tfloat32_t", "TF32", "TFloat32", 32, "tf32"},
    {"bfloat16_t", "BF16", "BFloat16", 16, "bf16"},
    {"__nv_bfloat16", NULL, NULL, 16, "bf16"},
    {"half_t", "F16", "Float16", 16, "f16"},
    {"half", NULL, NULL, 16, "f16"},
    {"__half", NULL, NULL, 16, "f16"},
    {"float_e4m3_t", "E4M3", "Float8E4M3FN", 8, "f8E4M3FN"},
    {"float_e5m2_t", "E5M2", "Float8E5M2", 8, "f8E5M2"},
    {"float_e3m2_t", "E3M2", "Float6E3M2FN", 6, NULL},
    {"float_e2m3_t", "E2M3", "Float6E2M3FN", 6, NULL},
    {"float_e2m1_t", "E2M1", "Float4E2M1FN", 4, NULL},
    {"float_ue8m0_t", NULL, "Float8E8M0FNU", 8, NULL},
    {"float_ue4m3_t", NULL, NULL, 8, NULL},
    {"uint128_t", NULL, NULL, 128, NULL},
    {"int64_t", "S64", "Int64", 64, "i64"},
    {"uint64_t", NULL, NULL, 64, "ui64"},
    {"int32_t", "S32", "Int32", 32, "i32"},
    {"int", NULL, NULL, 32, "i32"},
    {"uint32_t", "U32", "Uint32", 32, "ui32"},
    {"int16_t", "S16", "Int16", 16, "i16"},
    {"uint16_t", NULL, NULL, 16, "ui16"},
    {"int8_t", "S8", "Int8", 8, "i8"},
    {"uint8_t", "U8", "Uint8", 8, "ui8"},
    {NULL, "S4", NULL, 4, "i4"},
    {NULL, "U4", NULL, 4, "ui4"},
    {NULL, "U1", NULL, 1, "ui1"},
};

static const struct type *find_cpp(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].cpp && !strcmp(types[i].cpp, name))
            return &types[i];
    return NULL;
}

int lw_calc_cpp_bits(const char *name)
{
    const struct type *type = find_cpp(name);
    return type ? type->bits : 0;
}

const char *lw_calc_cpp_element(const char *name)
{
    const struct type *type = find_cpp(name);
    return type ? type->element : NULL;
}

/* The bits of a type in angles; 0 and an error. */
static int bits_of(struct lw_calculation *calc, const struct lw_node *type, const char *what)
{
    int bits = type->kind == LW_NODE_NAME ? lw_calc_cpp_bits(lw_calc_last_word(type->name)) : 0;
    if (!bits)
        lw_error_at(calc->err, LW_ERROR_NAME, type->position,
                    "expected the type of %s whose bits are known here: half_t, bfloat16_t, float, "
                    "int8_t, float_e4m3_t",
                    what);
    return bits;
}

/* The element of a part: f16 of the A of SM80_16x8x16_F32F16F16F32_TN; NULL when the name has no types. */
static const char *element_of(const char *atom, char part)
{
    const char *name[4] = {NULL}; /* of D, A, B and C; without C it is that of D */
    const char *at = atom;
    int count = 0;
    for (int i = 0; i < 2 && at; i++) /* SM80_16x8x16_ */
        at = (at = strchr(at, '_')) ? at + 1 : NULL;
    for (size_t i = 0; at && count < 4 && i < sizeof types / sizeof *types; i++) {
        size_t length = types[i].atom ? strlen(types[i].atom) : 0;
        if (length && !strncmp(at, types[i].atom, length)) {
            name[count++] = types[i].element;
            at += length;
            i = (size_t)-1; /* the next type, from the first one on */
        }
    }
    if (count < 3 || *at != '_')
        return NULL;
    return name[part - 'A' + 1] ? name[part - 'A' + 1] : name[0];
}

/* ---- Names ---- */

/* Appends the template arguments that are used to a name: two numbers, or the bits of its types. */
static bool add_arguments(struct lw_calculation *calc, const struct lw_node *angles,
                          struct lw_text *name)
{
    int numbers[2], count = 0, names = 0, bits[2] = {0};
    for (const struct lw_node *node = angles->items; node; node = node->next) {
        if (node->kind != LW_NODE_INTEGER && node->kind != LW_NODE_NAME)
            return lw_node_unexpected(node, "a number or a type", calc->err);
        if (node->kind == LW_NODE_INTEGER && count < 2)
            numbers[count++] = node->integer > 9999 ? 9999 : (int)node->integer;
        else if (node->kind == LW_NODE_NAME && names++ < 2)
            bits[names - 1] = lw_calc_cpp_bits(lw_calc_last_word(node->name));
    }
    const char *text = lw_text_string(name);
    char last = text[name->length - 1];
    bool copy = strstr(text, "CP_ASYNC") || strstr(text, "UniversalCopy");
    if (count == 2 && !(last >= '0' && last <= '9'))
        lw_text_format(name, "_%dx%d", numbers[0], numbers[1]);
    else if (copy && bits[0] && (names == 1 || bits[0] == bits[1]))
        lw_text_format(name, "_%db", bits[0]);
    return true;
}

/* The whole name, SM120::BLOCKSCALED::SM120_16x8x64_TN_VS, with its arguments; NULL and an error. */
static const char *whole_name(struct lw_calculation *calc, const struct lw_node *node)
{
    struct lw_text text = {.limit = NAME_BYTES_MAX};
    const char *whole = NULL, *name = node->name;
    lw_text_add(&text, strncmp(name, "cute::", 6) ? name : name + 6);
    if (!node->angles || add_arguments(calc, node->angles, &text)) {
        whole = lw_arena_string(calc->arena, lw_text_string(&text), text.length);
        if (!whole)
            lw_scan_out_of_memory(calc->scan);
    }
    lw_text_free(&text);
    return whole;
}

static bool no_such_size(struct lw_calculation *calc, const struct lw_atoms *family,
                         const char *name, struct lw_position position, const int numbers[3])
{
    static const char *const names[] = {
        [LW_ATOM_M] = "M", [LW_ATOM_N] = "N", [LW_ATOM_R] = "the number"};
    int wrong = lw_atom_wrong_number(family, numbers);
    const struct lw_atom_range range = lw_atom_range_of(family, wrong, numbers);
    struct lw_text may = {.limit = 80};
    for (int i = 0; i < 2 && range.also[i]; i++)
        lw_text_format(&may, "%d, ", range.also[i]);
    lw_text_format(&may, "%d", range.from);
    if (range.to > range.from)
        lw_text_format(&may, range.step ? " to %d in steps of %d" : " to %d in powers of two",
                       range.to, range.step);
    lw_error_at(calc->err, LW_ERROR_PARAMETER, position, "%.60s: %s is %d: it may be %s", name,
                names[wrong], numbers[wrong], lw_text_string(&may));
    lw_text_free(&may);
    return false;
}

bool lw_calc_is_atom(const char *name)
{
    static const char *const begins[] = {"GMMA",      "MMA_",           "cute::",    "rdna",
                                         "Universal", "v_mfma_",        "v_smfmac_", "v_wmma_",
                                         "v_swmmac_", "AutoVectorizing"};
    bool small = !strncmp(name, "sm", 2) && strchr(name, '_');
    bool begun = (small || !strncmp(name, "SM", 2)) && name[2] >= '1' && name[2] <= '9';
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        begun = begun || !strncmp(name, begins[i], strlen(begins[i]));
    return begun || !strcmp(name, "DefaultCopy");
}

/* An atom that a name has: its family, and the numbers in its name. */
struct atom {
    const char *name;
    const struct lw_atoms *family;
    int numbers[3];
};

static bool find_atom(struct lw_calculation *calc, const struct lw_node *name, struct atom *atom)
{
    *atom = (struct atom){.name = whole_name(calc, name)};
    if (!atom->name)
        return false;
    atom->family = lw_atom_find(atom->name, atom->numbers);
    if (!atom->family)
        return lw_error_at(calc->err, LW_ERROR_NAME, name->position,
                           "there is no atom '%.60s': such as SM80_16x8x16_F32F16F16F32_TN.C",
                           atom->name);
    if (atom->family->why)
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, name->position, "%.60s: %s", atom->name,
                           atom->family->why);
    return lw_atom_wrong_number(atom->family, atom->numbers) < 0 ||
           no_such_size(calc, atom->family, atom->name, name->position, atom->numbers);
}

/* ---- Layouts ---- */

/* Replaces a term that begins with a number or a symbol by its value: 64, 64*^, ~, ~/2. */
static const char *fill_number(struct lw_text *text, const char *at, const int numbers[3])
{
    char *end = (char *)at;
    long factor = lw_atom_number_of(*at) < 0 ? strtol(at, &end, 10) : 1;
    bool times = end > at && *end == '*';
    at = times ? end + 1 : end;
    if ((times || end == at) && lw_atom_number_of(*at) >= 0)
        factor *= numbers[lw_atom_number_of(*at++)];
    if (*at == '/')
        factor /= strtol(at + 1, &end, 10);
    lw_text_format(text, "%ld", factor);
    return *at == '/' ? end : at;
}

/* Appends a pattern up to its end or a `;`, with the numbers filled in. */
static void fill(struct lw_text *text, const char *at, const int numbers[3])
{
    while (*at && *at != ';')
        if (lw_atom_number_of(*at) >= 0 || (*at >= '0' && *at <= '9'))
            at = fill_number(text, at, numbers);
        else
            lw_text_char(text, *at++);
}

/* The layout of a pattern, which is an expression. */
static bool make_layout(struct lw_calculation *calc, const char *pattern, const int numbers[3],
                        struct lw_cute *out)
{
    struct lw_text text = {0};
    struct lw_scan scan;
    struct lw_calc_result value;
    fill(&text, pattern, numbers);
    const char *kept = lw_arena_string(calc->arena, lw_text_string(&text), text.length);
    lw_scan_begin(&scan, calc->arena, kept ? kept : "", kept ? text.length : 0, calc->err);
    lw_text_free(&text);
    if (!kept)
        return lw_scan_out_of_memory(calc->scan);
    const struct lw_node *node = lw_expression_parse(&scan);
    bool fixed = calc->fixed;
    calc->fixed = false;
    bool good = node && calc->evaluate(calc, node, &value);
    calc->fixed = fixed;
    if (good)
        *out = *lw_calc_cute(&value);
    return good;
}

/* M, N and K of a family; false: memory is out. */
static bool read_sizes(struct lw_calculation *calc, const struct atom *atom, long mnk[3])
{
    struct lw_text text = {0};
    fill(&text, atom->family->tile, atom->numbers);
    bool good = !text.failed;
    char *at = (char *)lw_text_string(&text);
    for (int i = 0; i < 3 && good; i++)
        mnk[i] = strtol(at, &at, 10);
    lw_text_free(&text);
    return good || lw_scan_out_of_memory(calc->scan);
}

/* The part of that name, "A=..."; NULL: there is none. A store has the source of its load as destination. */
static const char *find_part(const struct atom *atom, const char *part)
{
    bool store = strstr(atom->name, "STSM") || strstr(atom->name, "TMEM_STORE");
    const char *name = store && !strcmp(part, "Src")   ? "Dst"
                       : store && !strcmp(part, "Dst") ? "Src"
                                                       : part;
    for (const char *at = atom->family->layouts; at; at = strchr(at, ';')) {
        at += *at == ';';
        if (strcspn(at, "!?=") == strlen(name) && !strncmp(at, name, strlen(name)))
            return at;
    }
    return NULL;
}

/* ThrID: the threads of a layout, as many as its first mode has, in the order of the hardware. */
static bool threads_of(struct lw_calculation *calc, const struct atom *atom, struct lw_cute *out)
{
    const char *last = strrchr(atom->family->layouts, '=');
    if (atom->family->threads)
        return make_layout(calc, atom->family->threads, atom->numbers, out);
    if (!make_layout(calc, last + 1, atom->numbers, out))
        return false;
    int64_t count = lw_cute_product(lw_cute_item(&out->layout.shape, 0));
    out->layout = lw_cute_leaf(count, count > 1, false);
    return true;
}

/* The layout of a part, and what is known of it: `A!=...` is not in registers, `A?=...` has no layout. */
static bool layout_of(struct lw_calculation *calc, const struct atom *atom, const char *part,
                      struct lw_cute *out)
{
    const struct lw_atoms *family = atom->family;
    const char *mark = part + strcspn(part, "!?="), *pattern = strchr(mark, '=') + 1;
    bool one = mark == part + 1 && *part >= 'A' && *part <= 'C';
    if (*mark == '?')
        return lw_error_set(calc->err, LW_ERROR_UNSUPPORTED, "%.60s: %.*s", atom->name,
                            (int)strcspn(pattern, ";"), pattern);
    if (!make_layout(calc, pattern, atom->numbers, out))
        return false;
    out->role = *mark == '!'      ? LW_CUTE_ROLE_MEMORY
                : !family->tile   ? LW_CUTE_ROLE_BITS
                : family->threads ? LW_CUTE_ROLE_QUAD_PAIR
                : one             ? (enum lw_cute_role)(LW_CUTE_ROLE_A + (*part - 'A'))
                                  : LW_CUTE_ROLE_NONE;
    out->element = one ? element_of(atom->name, *part) : NULL;
    return true;
}

/* A and its metadata and scales are of M x K, B of N x K, C of M x N. */
static bool add_tile(struct lw_calculation *calc, const struct atom *atom, char part,
                     struct lw_cute *out)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute_tuple *tile = lw_arena_alloc(calc->arena, sizeof *tile);
    struct lw_cute_tuple *items = tile ? lw_cute_new_items(&work, 2, tile) : NULL;
    long mnk[3];
    if (!items || !read_sizes(calc, atom, mnk))
        return lw_scan_out_of_memory(calc->scan);
    items[0] = lw_cute_integer(mnk[part == 'B'], false);
    items[1] = lw_cute_integer(mnk[part == 'C' ? 1 : 2], false);
    out->tile = tile;
    return true;
}

/* ---- Whole atoms ---- */

/* Sets a value to a whole atom, whose layouts CuTe has with static integers. */
static bool make_whole(struct lw_calculation *calc, const struct atom *atom,
                       struct lw_calc_result *value)
{
    static const char *const parts[2][3] = {{"Src", "Dst", "Ref"}, {"A", "B", "C"}};
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute_mma_atom *mma = lw_arena_alloc(calc->arena, sizeof *mma);
    struct lw_cute_copy_atom *copy = lw_arena_alloc(calc->arena, sizeof *copy);
    bool tile = atom->family->tile;
    struct lw_cute made[3], threads;
    long mnk[3];
    if (!mma || !copy)
        return lw_scan_out_of_memory(calc->scan);
    *mma = (struct lw_cute_mma_atom){.name = atom->name};
    struct lw_cute_tuple *items = lw_cute_new_items(&work, 3, &mma->mnk);
    if (!items || (tile && !read_sizes(calc, atom, mnk)) || !threads_of(calc, atom, &threads) ||
        !lw_cute_set_fixed(&work, &threads.layout, true, &threads.layout))
        return false;
    for (int i = 0; i < 3; i++)
        if (!layout_of(calc, atom, find_part(atom, parts[tile][i]), &made[i]) ||
            !lw_cute_set_fixed(&work, &made[i].layout, true, &made[i].layout))
            return false;
    *copy = (struct lw_cute_copy_atom){.name = atom->name,
                                       .threads = threads.layout,
                                       .side = {made[0].layout, made[1].layout},
                                       .reference = made[2].layout};
    mma->threads = threads.layout;
    for (int i = 0; i < 3 && tile; i++) {
        items[i] = lw_cute_integer(mnk[i], true);
        mma->operand[i] = made[i].layout;
        mma->role[i] = made[i].role;
        mma->element[i] = made[i].element;
    }
    value->kind = LW_CALC_ATOM;
    value->as.tiling = (struct lw_calc_tiling){
        .mma_atom = tile ? mma : NULL, .copy_atom = tile ? NULL : copy, .thread = -1};
    return true;
}

/* Sets the values of an atom of a copy: their bits, and their type in C++, which may be NULL. */
static bool set_values(struct lw_calculation *calc, int bits, const char *type,
                       struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute_copy_atom *copy = lw_arena_alloc(calc->arena, sizeof *copy);
    if (!copy)
        return lw_scan_out_of_memory(calc->scan);
    if (!lw_cute_copy_atom_of(&work, value->as.tiling.copy_atom, bits, copy))
        return false;
    copy->type = type;
    value->as.tiling.copy_atom = copy;
    return true;
}

bool lw_calc_is_atom_type(const char *name)
{
    return lw_text_has_word("MMA_Atom Copy_Atom MMA_Traits Copy_Traits", lw_calc_last_word(name));
}

bool lw_calc_atom_type(struct lw_calculation *calc, const struct lw_node *name,
                       struct lw_calc_result *value)
{
    const struct lw_node *first = name->angles ? name->angles->items : NULL;
    const struct lw_node *type = first ? first->next : NULL;
    if (!first || first->kind != LW_NODE_NAME)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, first ? first->position : lw_node_end(name),
                           "expected the name of an atom, as in %s<%s>", name->name,
                           strchr(name->name, 'C') ? "SM75_U32x4_LDSM_N, half_t"
                                                   : "SM80_16x8x16_F32F16F16F32_TN");
    if (lw_calc_is_atom_type(first->name) ? !lw_calc_atom_type(calc, first, value)
                                          : !lw_calc_atom(calc, first, NULL, value))
        return false;
    if (!value->as.tiling.copy_atom || !type)
        return true;
    int bits = bits_of(calc, type, "a value");
    return bits && (set_values(calc, bits, lw_calc_last_word(type->name), value) ||
                    lw_error_locate(calc->err, name->position));
}

/* What may follow an atom's name: "`.A`, `.B` or `.C`". */
static bool unknown_part(struct lw_calculation *calc, const struct lw_atoms *family,
                         const struct lw_node *step)
{
    struct lw_text parts = {0};
    for (const char *at = family->layouts; at; at = strchr(at, ';')) {
        at += *at == ';';
        lw_text_format(&parts, "%s`.%.*s`", at == family->layouts ? "" : ", ",
                       (int)strcspn(at, "!?="), at);
    }
    lw_error_at(calc->err, LW_ERROR_NAME, step->name_position,
                "expected %s or `." THREADS "`, found '%.40s'", lw_text_string(&parts), step->name);
    lw_text_free(&parts);
    return false;
}

bool lw_calc_atom(struct lw_calculation *calc, const struct lw_node *name,
                  const struct lw_node *step, struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct atom atom;
    struct lw_cute made;
    if (!find_atom(calc, name, &atom))
        return false;
    const char *part = step ? find_part(&atom, step->name) : NULL;
    if (step && !part && strcmp(step->name, THREADS) != 0)
        return unknown_part(calc, atom.family, step);
    bool good = !step   ? make_whole(calc, &atom, value)
                : !part ? threads_of(calc, &atom, &made)
                        : layout_of(calc, &atom, part, &made) &&
                              (!atom.family->tile ||
                               add_tile(calc, &atom, part[strcspn(part, "!?=") - 1], &made));
    if (!good && calc->err->position.line == 0)
        calc->err->position = name->position;
    return good && (!step || lw_calc_set_cute(&work, &made, value));
}

/* ---- Shared memory ---- */

/* The layouts that the matrix instructions of sm_90 and sm_100 read, by their names: GMMA::Layout_K_SW128_Atom<half_t>,
 * and K_SW128 of the CuTe DSL. Each is rows, or columns, of 128 to 1024 bits under a swizzle of bytes.
 * Source: mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp of CUTLASS 4. */
static const struct smem {
    const char *name;
    int64_t bits, rows;
    struct lw_cute_swizzle swizzle;
} smem_atoms[] =
    {
        {"INTER", 128, 8, {0, 4, 3}},      {"SW32", 256, 8, {1, 4, 3}},
        {"SW64", 512, 8, {2, 4, 3}},       {"SW128", 1024, 8, {3, 4, 3}},
        {"SW128_32B", 1024, 4, {2, 5, 2}}, /* MN of sm_100 alone; 8 rows in the DSL */
};

/* The length of `_Atom` at the end of a name that begins with Layout_; 0: it is another name. */
bool lw_calc_is_smem(const char *name)
{
    const char *last = lw_calc_last_word(name), *atom = strstr(last, "_Atom");
    return (!strncmp(last, "Layout_K_", 9) || !strncmp(last, "Layout_MN_", 10)) && atom && !atom[5];
}

/* The layout of a kind, K_SW128 at the beginning of `kind`, and of elements of that many bits. */
static bool make_smem(struct lw_cute_work *work, const char *kind, bool dsl, int bits,
                      struct lw_calc_result *value)
{
    struct lw_cute cute = {.composed = true, .pointer = bits};
    bool mn = *kind == 'M';
    const char *name = kind + (mn ? 3 : 2);
    size_t length = strlen(name) - (strstr(name, "_Atom") ? 5 : 0);
    const struct smem *atom = NULL;
    for (size_t i = 0; i < LW_COUNT(smem_atoms); i++)
        if (strlen(smem_atoms[i].name) == length && !strncmp(smem_atoms[i].name, name, length) &&
            (mn || smem_atoms[i].rows == 8))
            atom = &smem_atoms[i];
    if (!atom)
        return lw_error_set(work->err, LW_ERROR_NAME,
                            "unknown atom %s: expected K_ or MN_ with INTER, SW32, SW64 or SW128, "
                            "or MN_SW128_32B",
                            kind);
    const struct lw_cute_layout row = lw_cute_leaf(atom->bits / bits, 1, true);
    const struct lw_cute_layout rows = lw_cute_leaf(dsl ? 8 : atom->rows, atom->bits / bits, true);
    cute.swizzle = atom->swizzle;
    return lw_cute_pair(work, mn ? row : rows, mn ? rows : row, &cute.layout) &&
           lw_calc_set_cute(work, &cute, value);
}

bool lw_calc_smem(struct lw_calculation *calc, const struct lw_node *name,
                  struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    const char *kind = lw_calc_last_word(name->name) + strlen("Layout_");
    const struct lw_node *angles = name->angles, *type = angles ? angles->items : NULL;
    if (!type || angles->count != 1)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX,
                           angles ? angles->position : lw_node_end(name),
                           "expected `<` and the type of an element, as in <half_t>");
    int bits = bits_of(calc, type, "an element");
    return bits && (make_smem(&work, kind, false, bits, value) ||
                    lw_error_locate(calc->err, name->name_position));
}

/* ---- The CuTe DSL for Python ---- */

/* The type of Python that an argument is, Float16 of cutlass.Float16; NULL and an error. */
static const struct type *python_type(const struct lw_calc_call *call, int i)
{
    const char *name = lw_calc_word(call, i);
    for (size_t k = 0; name && k < LW_COUNT(types); k++)
        if (types[k].python && !strcmp(types[k].python, name))
            return &types[k];
    lw_error_at(call->work.err, LW_ERROR_NAME, call->args[i].node->position,
                "expected the type of an element, such as cutlass.Float16, BFloat16, Float32, Int8 "
                "or Float8E4M3FN");
    return NULL;
}

/* What a class is given, by the letters of patterns: numbers, and the names of types in atoms. */
struct given {
    int64_t number['z' - 'a' + 1];
    const char *type[3]; /* a, b, c */
};

/* The parameters that decide which atom a class is, by the name in its usage; others have no effect on layouts. Of a
 * word the number is that of its digits, or its index among `words`. */
static const struct parameter {
    const char *name;
    char letter;
    const char *words[3];
} parameters[] = {
    {"ab_dtype", 'a', {0}},
    {"abacc_dtype", 'a', {0}},
    {"a_dtype", 'a', {0}},
    {"b_dtype", 'b', {0}},
    {"acc_dtype", 'c', {0}},
    {"a_src", 'r', {"SMEM", "RMEM", "TMEM"}},
    {"cta_group", 'g', {"ONE", "TWO"}},
    {"transpose", 't', {"False", "True"}},
    {"unpack_bits", 'u', {"None", "4", "6"}},
    {"pack", 'w', {"NONE", "PACK_16b_IN_32b"}},
    {"unpack", 'w', {"NONE", "UNPACK_32b_IN_16b"}},
    {"num_matrices", 'x', {0}},
    {"repeat", 'x', {0}},
};

/* Reads an argument that is a name or a number. */
static bool read_word(const struct lw_calc_call *call, int i, struct given *given)
{
    const struct parameter *of = NULL;
    const struct lw_node *node = call->args[i].node;
    char digits[24];
    int length;
    const char *name = lw_calc_param_name(call->row, i, &length), *word = lw_calc_word(call, i);
    for (size_t k = 0; k < LW_COUNT(parameters) && !of; k++)
        if (!strncmp(parameters[k].name, name, (size_t)length) && !parameters[k].name[length])
            of = &parameters[k];
    if (!of)
        return true;
    if (of->letter <= 'c') {
        const struct type *type = python_type(call, i);
        const char *legal = call->row->core.atom[of->letter == 'c' ? 2 : 1];
        given->type[of->letter - 'a'] = type ? type->atom : NULL;
        return type && ((type->atom && (!legal || lw_text_has_word(legal, type->atom))) ||
                        lw_error_at(call->work.err, LW_ERROR_PARAMETER, node->position,
                                    "%s: %.*s must be one of %s", call->row->base.name, length,
                                    name, legal ? legal : "the types of an MMA"));
    }
    snprintf(digits, sizeof digits, "%lld", (long long)node->integer);
    word = word ? word : digits;
    int64_t *number = &given->number[of->letter - 'a'];
    for (*number = 0; of->words[0] && *number < 3 && of->words[*number]; ++*number)
        if (!strcmp(of->words[*number], word))
            return true;
    if (!of->words[0] && (*number = strtol(word + (*word == 'x'), NULL, 10)) > 0)
        return true;
    return lw_error_at(call->work.err, LW_ERROR_SYNTAX, node->position, "%.*s: expected %s%s%s",
                       length, name, of->words[0] ? of->words[0] : "a number",
                       of->words[0] ? " or " : "", of->words[0] ? of->words[1] : "");
}

/* Appends a pattern up to its end. `%a` to `%c` are names of types, another letter is a number, `%2x` twice it, and
 * `%g{|2x1SM_}` the alternative of that number. */
static void expand(struct lw_text *text, const char *at, const char *end, const struct given *given)
{
    while (at < end) {
        if (*at != '%') {
            lw_text_char(text, *at++);
            continue;
        }
        int factor = lw_is_digit(*++at) ? *at++ - '0' : 1;
        int64_t number = given->number[*at - 'a'];
        if (*at <= 'c') {
            lw_text_add(text, given->type[*at - 'a'] ? given->type[*at - 'a'] : "");
        } else if (at[1] != '{') {
            lw_text_format(text, "%lld", (long long)number * factor);
        } else {
            const char *close = strchr(at, '}');
            for (at += 2; number > 0 && at < close; number--)
                at += strcspn(at, "|}") + 1;
            if (at <= close)
                expand(text, at, at + strcspn(at, "|}"), given);
            at = close;
        }
        at++;
    }
}

/* Makes *out the whole atom of that name, and frees the name. */
static bool set_atom(struct lw_calc_call *call, struct lw_text *name, struct lw_calc_result *out)
{
    struct lw_node node = {.kind = LW_NODE_NAME};
    node.name = lw_arena_string(call->work.arena, lw_text_string(name), name->length);
    lw_text_free(name);
    return node.name ? lw_calc_atom(call->calc, &node, NULL, out) : lw_cute_memory(&call->work);
}

/* Whether a shape is that of an atom, or its M and N. */
static bool check_shape(struct lw_calc_call *call, const struct lw_cute_tuple *shape,
                        const struct lw_cute_mma_atom *atom)
{
    bool same = shape->count == 2 || shape->count == 3;
    for (int i = 0; same && i < shape->count; i++)
        same = shape->items[i].value == atom->mnk.items[i].value;
    return same || lw_error_at(call->work.err, LW_ERROR_PARAMETER, shape->position,
                               "%s: the shape is (M, N) or (M, N, %lld)", call->row->base.name,
                               (long long)atom->mnk.items[2].value);
}

/* An operation class: the atom whose name the pattern of its row gives. */
static LW_CALC_RUN(make_op)
{
    struct given given = {.number['x' - 'a'] = 1};
    const struct lw_cute_tuple *shape = NULL;
    struct lw_text name = {0};
    for (int i = 0; i < LW_CALC_PARAMS_MAX && call->row->params[i]; i++)
        if (call->row->params[i] == TUPLE)
            shape = lw_calc_tree(call, i);
        else if (call->args[i].node && !read_word(call, i, &given))
            return false;
    for (int i = 0; shape && i < 3; i++) {
        const struct lw_cute_tuple *item = &shape->items[i < shape->count ? i : 0];
        if (shape->count < 2 || !lw_cute_is_integer(item) || item->value < 1 || item->value > 1024)
            return lw_error_at(call->work.err, LW_ERROR_SYNTAX, shape->position,
                               "expected a shape such as (16, 8, 16)");
        given.number[("mnk"[i]) - 'a'] = item->value;
    }
    given.type[1] = given.type[1] ? given.type[1] : given.type[0];
    const char *pattern = call->row->core.atom[0];
    expand(&name, pattern, pattern + strlen(pattern), &given);
    return set_atom(call, &name, out) &&
           (!shape || check_shape(call, shape, out->as.tiling.mma_atom));
}

static LW_CALC_RUN(make_mma_atom)
{
    *out = *call->args[0].value;
    return out->as.tiling.mma_atom ||
           lw_error_set(call->work.err, LW_ERROR_SHAPE, "make_mma_atom: %.80s is a copy",
                        out->as.tiling.copy_atom->name);
}

/* Of a universal copy without a number of bits the compiler chooses them. */
static LW_CALC_RUN(make_copy_atom)
{
    uint64_t wanted = lw_calc_number(call, 2, 0);
    struct lw_text name = {0};
    *out = *call->args[0].value;
    if (!out->as.tiling.copy_atom)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "make_copy_atom: %.80s is an MMA",
                            out->as.tiling.mma_atom->name);
    static const char *const sized[] = {"UniversalCopy_", "SM90_BULK_COPY_",
                                        "SM80_CP_ASYNC_CACHEALWAYS_"};
    const struct type *type = python_type(call, 1);
    if (!type)
        return false;
    for (size_t i = 0; i < LW_COUNT(sized); i++)
        if (!strncmp(out->as.tiling.copy_atom->name, sized[i], strlen(sized[i]))) {
            if (!wanted && i == 2)
                return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                                    "num_bits_per_copy: must be from 1 to 1024");
            if (wanted)
                lw_text_format(&name, "%s%llub", sized[i], (unsigned long long)wanted);
            else
                lw_text_add(&name, "AutoVectorizingCopy");
        }
    return (!name.length || set_atom(call, &name, out)) &&
           set_values(call->calc, type->bits, NULL, out);
}

static LW_CALC_RUN(make_smem_layout_atom)
{
    const char *kind = lw_calc_word(call, 0);
    const struct type *type = python_type(call, 1);
    return type && make_smem(&call->work, kind ? kind : "", true, type->bits, out);
}

/* What an atom is made of: layouts of operands and sides, threads, the shape. */
enum part { OF_A, OF_B, OF_C, OF_SOURCE, OF_DESTINATION, OF_THREADS, OF_SHAPE };

static LW_CALC_RUN(atom_part)
{
    const struct lw_calc_tiling *of = &call->self->as.tiling;
    const struct lw_cute_mma_atom *mma = of->mma ? of->mma->atom : of->mma_atom;
    const struct lw_cute_copy_atom *copy = of->copy ? of->copy->atom : of->copy_atom;
    struct lw_cute made = {0};
    int which = call->row->core.which;
    if (which != OF_THREADS && (which == OF_SOURCE || which == OF_DESTINATION ? !copy : !mma))
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "%s is not for %s",
                            call->row->base.name, mma ? mma->name : copy->name);
    if (which == OF_SHAPE)
        return lw_calc_set_tree(&mma->mnk, out);
    made.layout = which <= OF_C        ? mma->operand[which]
                  : which < OF_THREADS ? copy->side[which - OF_SOURCE]
                  : mma                ? mma->threads
                                       : copy->threads;
    return lw_calc_set_cute(&call->work, &made, out);
}

/* ---- Helpers of the DSL ---- */

/* The first leaf of a tuple, or of a layout. */
static LW_CALC_RUN(front)
{
    struct lw_cute made = {0};
    const struct lw_cute *cute = lw_calc_cute(call->args[0].value);
    const struct lw_cute_tuple *tree = lw_calc_tree(call, 0);
    while (!cute && tree->count > 0)
        tree = &tree->items[0];
    if (!cute)
        return lw_calc_set_tree(tree, out);
    for (made.layout = cute->layout; made.layout.shape.count > 0;)
        made.layout = lw_cute_mode(&made.layout, 0);
    return lw_calc_set_cute(&call->work, &made, out);
}

static LW_CALC_RUN(append_ones)
{
    struct lw_cute made = *lw_calc_cute_at(call, 0);
    int rank = lw_cute_rank(&made.layout.shape);
    uint64_t wanted = lw_calc_number(call, 1, (uint64_t)rank + 1);
    struct lw_cute_layout *modes;
    if (wanted > LW_CUTE_LEAVES_MAX)
        return lw_cute_too_large(&call->work, "the rank");
    int count = (int)wanted > rank ? (int)wanted : rank;
    if (count == rank)
        return lw_calc_set_cute(&call->work, &made, out);
    if (!(modes = lw_cute_new_layouts(&call->work, count)))
        return false;
    for (int i = 0; i < count; i++)
        modes[i] = i < rank ? lw_cute_mode(&made.layout, i) : lw_cute_leaf(1, 0, true);
    lw_calc_clear_atom(&made);
    return lw_cute_join(&call->work, modes, count, &made.layout) &&
           lw_calc_set_cute(&call->work, &made, out);
}

/* Finds the first stride 1 of a mode that has more than one element: *depth indices, which are at `path`. */
static bool find_leading(const struct lw_cute_tuple *shape, const struct lw_cute_tuple *stride,
                         struct lw_cute_tuple path[LW_NESTING_MAX], int *depth)
{
    int at = *depth;
    if (stride->count < 0 || at == LW_NESTING_MAX)
        return stride->count < 0 && stride->value == 1 && !stride->axis &&
               !(lw_cute_is_integer(shape) && shape->value == 1);
    for (int i = 0; i < stride->count && i < shape->count; i++) {
        path[at] = lw_cute_integer(i, false);
        *depth = at + 1;
        if (find_leading(&shape->items[i], &stride->items[i], path, depth))
            return true;
    }
    return false;
}

static LW_CALC_RUN(leading_dim)
{
    struct lw_cute_tuple path[LW_NESTING_MAX];
    int depth = 0;
    if (!find_leading(lw_calc_tree(call, 0), lw_calc_tree(call, 1), path, &depth)) {
        const struct lw_cute_tuple blank = lw_cute_blank(); /* None */
        return lw_calc_set_tree(&blank, out);
    }
    struct lw_cute_tuple made = path[0], *items;
    if (depth > 1 && !(items = lw_cute_new_items(&call->work, depth, &made)))
        return false;
    for (int i = 0; depth > 1 && i < depth; i++)
        items[i] = path[i];
    return lw_calc_set_tree(&made, out);
}

/* (tiler_mn, layout_tv) of a tiled copy of threads and their values. */
static LW_CALC_RUN(make_layout_tv)
{
    static const struct lw_cute_copy_atom none = {.bits = 1};
    struct lw_cute_copy_atom atom = none;
    struct lw_cute_tiled_copy copy;
    struct lw_calc_result tv;
    struct lw_cute made = {0};
    struct lw_cute_tuple *items = lw_cute_new_items(&call->work, 2, &out->as.tree);
    atom.threads = lw_cute_leaf(1, 0, true);
    if (!items || !lw_cute_pair(&call->work, atom.threads, atom.threads, &atom.reference))
        return false;
    atom.side[0] = atom.side[1] = atom.reference;
    if (!lw_cute_tiled_copy_of_threads(&call->work, &atom, &lw_calc_cute_at(call, 0)->layout,
                                       &lw_calc_cute_at(call, 1)->layout, &copy))
        return false;
    made.layout = copy.tv;
    items[0] = copy.tiler;
    if (!lw_calc_set_cute(&call->work, &made, &tv))
        return false;
    items[1] = tv.as.tree;
    return true;
}

/* clang-format off */

#define OP(run, ...) 0, LW_CALC_PAIR_PRODUCT, LW_CALC_ATOM, run, {.atom = {__VA_ARGS__}}
#define PART(name, also, help, which) {ROW("M.", name, also, "", OF_ATOM, help), {NOTHING}, WHICH(0, TREE, atom_part, which)}
/* The types of elements by their names in atoms. */
#define HALVES "F16 BF16"
#define BYTES "E4M3 E5M2"
#define SMALL "E4M3 E5M2 E3M2 E2M3 E2M1"
#define SUMS "F16 F32"
/* An MMA of a warpgroup, and one of tensor memory. */
#define GROUP_OP "instruction_shape, a_src[, a_major_mode, b_major_mode]"
#define CTA_OP "instruction_shape, cta_group, a_src[, a_major_mode, b_major_mode]"
#define MMA_OF_GROUP "an MMA of a warpgroup"
#define MMA_OF_CTA "an MMA on tensor memory"
#define CTA(kind, source) kind "_%g{|2x1SM_}" source "_%mx%n"
#define TMEM(name, dp) \
    {FUNCTION("tcgen05.Ld" name "Op", "[repeat, pack]", "a load of tensor memory"), {WORD, WORD}, \
     OP(make_op, "SM100_TMEM_LOAD_" dp "%xx%w{|_16b}")}, \
    {FUNCTION("tcgen05.St" name "Op", "[repeat, unpack]", "a store to tensor memory"), {WORD, WORD}, \
     OP(make_op, "SM100_TMEM_STORE_" dp "%xx%w{|_16b}")}
#define TO_TMEM(name, shape) \
    {FUNCTION("tcgen05.Cp" name "Op", "cta_group", "a copy from shared to tensor memory"), {WORD}, \
     OP(make_op, "SM100_UTCCP_" shape "_%g{1|2}cta")}

/* Source: nvgpu of nvidia-cutlass-dsl 4.8.1. A name without its module is that of the first row. */
static const struct lw_calc_row rows[] = {
    {FUNCTION("make_mma_atom", "op", "an atom of the CuTe DSL"), {ATOM}, OP(make_mma_atom, NULL)},
    {FUNCTION("make_copy_atom", "op, copy_internal_type[, num_bits_per_copy]", "a copy of the CuTe DSL of a type"),
     {ATOM, WORD, NUMBER}, OP(make_copy_atom, NULL)},
    {FUNCTION("MmaUniversalOp", "abacc_dtype", "an MMA of a thread"), {WORD}, OP(make_op, "UniversalFMA")},
    {FUNCTION("warp.MmaF16BF16Op", "ab_dtype, acc_dtype, shape_mnk", "an MMA of a warp"),
     {WORD, WORD, TUPLE}, OP(make_op, "SM80_%mx%nx%k_%c%a%a%c_TN")},
    {FUNCTION("warp.MmaTF32Op", "shape_mnk", "the same"), {TUPLE}, OP(make_op, "SM80_%mx%nx%k_F32TF32TF32F32_TN")},
    {FUNCTION("warp.MmaFP8Op", "ab_dtype, acc_dtype, shape_mnk", "the same"),
     {WORD, WORD, TUPLE}, OP(make_op, "SM89_%mx%nx%k_%c%a%a%c_TN")},
    {FUNCTION("warp.MmaF16BF16SparseOp", "ab_dtype, acc_dtype, shape_mnk, sparse_metadata_format", "with A sparse"),
     {WORD, WORD, TUPLE, WORD}, OP(make_op, "SM80_SPARSE_%mx%nx%k_%c%a%a%c_TN")},
    {FUNCTION("warp.MmaMXF8Op", "ab_dtype, acc_dtype, sf_type", "with scales of blocks"),
     {WORD, WORD, WORD}, OP(make_op, "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", BYTES, "F32")},
    {FUNCTION("warp.MmaMXF8F6F4Op", "a_dtype, b_dtype, acc_dtype, sf_type", "the same"),
     {WORD, WORD, WORD, WORD}, OP(make_op, "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS", "E4M3 E5M2 E2M1", "F32")},
    {FUNCTION("warp.MmaMXF4Op", "ab_dtype, acc_dtype, sf_type", "the same"),
     {WORD, WORD, WORD}, OP(make_op, "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", "E2M1", "F32")},
    {FUNCTION("warp.MmaMXF4NVF4Op", "ab_dtype, acc_dtype, sf_type", "the same"),
     {WORD, WORD, WORD}, OP(make_op, "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS", "E2M1", "F32")},
    {FUNCTION("warpgroup.MmaF16BF16Op", "ab_dtype, acc_dtype, " GROUP_OP, MMA_OF_GROUP),
     {WORD, WORD, TUPLE, WORD, WORD, WORD}, OP(make_op, "SM90_%mx%nx16_%c%a%a_%r{S|R}S")},
    {FUNCTION("warpgroup.MmaF8Op", "a_dtype, b_dtype, acc_dtype, " GROUP_OP, MMA_OF_GROUP),
     {WORD, WORD, WORD, TUPLE, WORD, WORD, WORD}, OP(make_op, "SM90_%mx%nx32_%c%a%b_%r{S|R}S_TN")},
    {FUNCTION("warpgroup.MmaI8Op", "a_dtype, b_dtype, acc_dtype, " GROUP_OP, MMA_OF_GROUP),
     {WORD, WORD, WORD, TUPLE, WORD, WORD, WORD}, OP(make_op, "SM90_%mx%nx32_%c%a%b_%r{S|R}S_TN")},
    {FUNCTION("tcgen05.MmaTF32Op", CTA_OP, MMA_OF_CTA),
     {TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_TF32", "%r{S||T}S"))},
    {FUNCTION("tcgen05.MmaF16BF16Op", "ab_dtype, acc_dtype, " CTA_OP, MMA_OF_CTA),
     {WORD, WORD, TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_F16BF16", "%r{S||T}S"), HALVES, SUMS)},
    {FUNCTION("tcgen05.MmaI8Op", "ab_dtype, " CTA_OP, MMA_OF_CTA),
     {WORD, TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_S8", "%r{S||T}S"), "S8 U8")},
    {FUNCTION("tcgen05.MmaFP8Op", "ab_dtype, acc_dtype, " CTA_OP, MMA_OF_CTA),
     {WORD, WORD, TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_F8F6F4", "%r{S||T}S"), BYTES, SUMS)},
    {FUNCTION("tcgen05.MmaF8F6F4Op", "a_dtype, b_dtype, acc_dtype, " CTA_OP, MMA_OF_CTA),
     {WORD, WORD, WORD, TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_F8F6F4", "%r{S||T}S"), SMALL, SUMS)},
    {FUNCTION("tcgen05.MmaF16BF16SparseOp", "ab_dtype, acc_dtype, " CTA_OP "[, sparse_metadata_format]", "with A sparse"),
     {WORD, WORD, TUPLE, WORD, WORD, WORD, WORD, WORD},
     OP(make_op, CTA("SM100_MMA_F16BF16", "%r{SS}_SPARSE"), HALVES, SUMS)},
    {FUNCTION("tcgen05.MmaFP8SparseOp", "ab_dtype, acc_dtype, " CTA_OP "[, sparse_metadata_format]", "with A sparse"),
     {WORD, WORD, TUPLE, WORD, WORD, WORD, WORD, WORD},
     OP(make_op, CTA("SM100_MMA_F8F6F4", "%r{SS}_SPARSE"), BYTES, SUMS)},
    {FUNCTION("tcgen05.MmaMXF8Op", "ab_dtype, " CTA_OP, "with scales of blocks"),
     {WORD, TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_MXF8F6F4", "%r{SS}"), BYTES)},
    {FUNCTION("tcgen05.MmaMXF8F6F4Op", "a_dtype, b_dtype, " CTA_OP, "the same"),
     {WORD, WORD, TUPLE, WORD, WORD, WORD, WORD}, OP(make_op, CTA("SM100_MMA_MXF8F6F4", "%r{SS}"), SMALL)},
    {FUNCTION("tcgen05.MmaMXF4Op", "instruction_shape, cta_group, a_src", "the same"),
     {TUPLE, WORD, WORD}, OP(make_op, CTA("SM100_MMA_MXF4", "%r{SS}"))},
    {FUNCTION("tcgen05.MmaMXF4NVF4Op", "sf_dtype, instruction_shape, cta_group, a_src", "the same"),
     {WORD, TUPLE, WORD, WORD}, OP(make_op, CTA("SM100_MMA_MXF4", "%r{SS}"))},
    {FUNCTION("tcgen05.SM103MmaMXF4Op", "instruction_shape, cta_group, a_src", "the same"),
     {TUPLE, WORD, WORD}, OP(make_op, CTA("SM103::SM103_MXF4_ULTRA", "%r{SS}_VS"))},
    {FUNCTION("tcgen05.SM103MmaMXF4NVF4Op", "sf_dtype, instruction_shape, cta_group, a_src", "the same"),
     {WORD, TUPLE, WORD, WORD}, OP(make_op, CTA("SM103::SM103_MXF4_ULTRA", "%r{SS}_VS"))},
    {ALSO_FUNCTION("CopyUniversalOp", "CopyG2ROp|CopyR2GOp|CopyS2ROp|CopyR2SOp", "", "a copy of a thread"),
     {NOTHING}, OP(make_op, "UniversalCopy_32b")},
    {FUNCTION("cpasync.CopyG2SOp", "[cache_mode]", "cp.async"), {WORD}, OP(make_op, "SM80_CP_ASYNC_CACHEALWAYS_32b")},
    {ALSO_FUNCTION("cpasync.CopyBulkG2SOp",
     "CopyBulkG2SMulticastOp|CopyBulkS2GOp|CopyBulkS2GByteMaskOp|CopyBulkS2SOp|CopyDsmemStoreOp", "", "a bulk copy"),
     {NOTHING}, OP(make_op, "SM90_BULK_COPY_128b")},
    {ALSO_FUNCTION("cpasync.CopyBulkTensorTileG2SOp",
     "CopyBulkTensorTileG2SMulticastOp|CopyBulkTensorTileS2GOp|CopyReduceBulkTensorTileS2GOp|CopyBulkTensorIm2ColG2SOp|"
     "CopyBulkTensorIm2ColG2SMulticastOp|CopyBulkTensorIm2ColS2GOp|CopyBulkTensor2DGather4G2SOp|"
     "CopyBulkTensor2DGather4G2SMulticastOp|CopyBulkTensor2DScatter4S2GOp", "[option]", "TMA: it has no layout"),
     {WORD}, OP(make_op, "SM90_TMA_LOAD")},
    {FUNCTION("warp.LdMatrix8x8x16bOp", "[transpose, num_matrices, unpack_bits]", "ldmatrix"),
     {WORD, WORD, WORD}, OP(make_op, "SM75_%t{U32x%x_LDSM_N|U16x%2x_LDSM_T}")},
    {FUNCTION("warp.LdMatrix8x16x8bOp", "[transpose, num_matrices, unpack_bits]", "ldmatrix of 4 or 6 bits"),
     {WORD, WORD, WORD}, OP(make_op, "%u{SM75_U32x%x_LDSM_N|SM100_SU4_DU8x16_x%x_LDSM_N|SM100_SU6_DU8x16_x%x_LDSM_N}")},
    {FUNCTION("warp.LdMatrix16x16x8bOp", "transpose[, num_matrices, unpack_bits]", "ldmatrix of bytes"),
     {WORD, WORD, WORD}, OP(make_op, "%t{|LdMatrix16x16x8b_x%x}")},
    {FUNCTION("warp.LdMatrix16x8x8bOp", "transpose[, num_matrices, unpack_bits]", "the same in the order of stmatrix"),
     {WORD, WORD, WORD}, OP(make_op, "%t{|SM100_U8x%4x_LDSM_T}")},
    {FUNCTION("warp.StMatrix8x8x16bOp", "[transpose, num_matrices, unpack_bits]", "stmatrix"),
     {WORD, WORD, WORD}, OP(make_op, "SM90_%t{U32x%x_STSM_N|U16x%2x_STSM_T}")},
    {FUNCTION("warp.StMatrix16x8x8bOp", "transpose[, num_matrices, unpack_bits]", "stmatrix of bytes"),
     {WORD, WORD, WORD}, OP(make_op, "%t{|SM100_U8x%4x_STSM_T}")},
    TMEM("16x64b", "16dp64b"), TMEM("16x128b", "16dp128b"), TMEM("16x256b", "16dp256b"),
    TMEM("16x32bx2", "16dp32b"), TMEM("32x32b", "32dp32b"),
    {FUNCTION("tcgen05.LdRed32x32bOp", "[repeat, pack, redOp, nan]", "with a reduction"),
     {WORD, WORD, WORD, WORD}, OP(make_op, "SM100_TMEM_LOAD_32dp32b%xx")},
    {FUNCTION("tcgen05.LdRed16x32bx2Op", "[repeat, pack, redOp, nan, half_split_off]", "with a reduction"),
     {WORD, WORD, WORD, WORD, WORD}, OP(make_op, "SM100_TMEM_LOAD_16dp32b%xx")},
    TO_TMEM("128x256b", "128dp256bit"), TO_TMEM("128x128b", "128dp128bit"), TO_TMEM("4x256b", "4dp256bit"),
    TO_TMEM("4x32x128b", "4x32dp128bit"), TO_TMEM("2x64x128b0213", "2x64dp128bitlw0213"),
    TO_TMEM("2x64x128b0123", "2x64dp128bitlw0123"),
    {ALSO_FUNCTION("warpgroup.make_smem_layout_atom", "tcgen05.make_smem_layout_atom", "kind, element_type",
     "shared memory as the matrix instructions read it; the DSL's swizzle is of bytes, as in smem_ptr[16b]"),
     {WORD, WORD}, RUN(0, TREE, make_smem_layout_atom)},
    {FUNCTION("make_layout_tv", "thr_layout, val_layout", "(tiler_mn, layout_tv) of threads, each with values"),
     {CUTE, CUTE}, RUN(0, TREE, make_layout_tv)},
    {FUNCTION("append_ones", "t[, up_to_rank]", "one more mode 1:0, or as many as the rank needs"),
     {CUTE, NUMBER}, RUN(0, TREE, append_ones)},
    {FUNCTION("front", "input", "the first integer, or the first mode that has no modes"), {ANY}, RUN(0, TREE, front)},
    {FUNCTION("leading_dim", "shape, stride", "the mode of stride 1, (0,1) for mode 1 of mode 0; `_`: none"),
     {TUPLE, TUPLE}, RUN(0, TREE, leading_dim)},
    PART("tv_layout_A", NULL, "threads and values of A of the atom", OF_A),
    PART("tv_layout_B", NULL, "the same of B", OF_B), PART("tv_layout_C", NULL, "the same of C", OF_C),
    PART("layout_src_tv", NULL, "threads and values of the source of the atom of a copy", OF_SOURCE),
    PART("layout_dst_tv", NULL, "the same of its destination", OF_DESTINATION),
    PART("thr_id", NULL, "the threads of the atom to lanes", OF_THREADS),
    PART("shape_mnk", NULL, "the shape of the atom of an MMA", OF_SHAPE),
};
/* clang-format on */

const struct lw_calc_row *lw_calc_atom_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
