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
    {"float_ue8m0_t", NULL, NULL, 8, NULL},
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

/* The layouts that the matrix instructions of sm_90 and sm_100 read, by their names: GMMA::Layout_K_SW128_Atom<half_t>.
 * Each is rows, or columns, of 128 to 1024 bits under a swizzle of bytes.
 * Source: mma_traits_sm90_gmma.hpp and mma_traits_sm100.hpp of CUTLASS 4. */
static const struct smem {
    const char *name;
    int64_t bits, rows;
    struct lw_cute_swizzle swizzle;
} smem_atoms[] = {
    {"INTER_Atom", 128, 8, {0, 4, 3}},      {"SW32_Atom", 256, 8, {1, 4, 3}},
    {"SW64_Atom", 512, 8, {2, 4, 3}},       {"SW128_Atom", 1024, 8, {3, 4, 3}},
    {"SW128_32B_Atom", 1024, 4, {2, 5, 2}}, /* MN of sm_100 alone */
};

bool lw_calc_is_smem(const char *name)
{
    const char *last = lw_calc_last_word(name), *atom = strstr(last, "_Atom");
    return (!strncmp(last, "Layout_K_", 9) || !strncmp(last, "Layout_MN_", 10)) && atom && !atom[5];
}

bool lw_calc_smem(struct lw_calculation *calc, const struct lw_node *name,
                  struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute cute = {.composed = true};
    const char *last = lw_calc_last_word(name->name);
    bool mn = last[7] == 'M';
    const struct smem *atom = NULL;
    const struct lw_node *angles = name->angles, *type = angles ? angles->items : NULL;
    for (size_t i = 0; i < sizeof smem_atoms / sizeof *smem_atoms; i++)
        if (!strcmp(smem_atoms[i].name, last + (mn ? 10 : 9)) && (mn || smem_atoms[i].rows == 8))
            atom = &smem_atoms[i];
    if (!atom)
        return lw_error_at(calc->err, LW_ERROR_NAME, name->name_position,
                           "unknown atom %s: expected Layout_K_ or Layout_MN_ with INTER, SW32, "
                           "SW64 or SW128, or Layout_MN_SW128_32B_Atom",
                           last);
    if (!type || angles->count != 1)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX,
                           angles ? angles->position : lw_node_end(name),
                           "expected `<` and the type of an element, as in <half_t>");
    if (!(cute.pointer = bits_of(calc, type, "an element")))
        return false;
    const struct lw_cute_layout row = lw_cute_leaf(atom->bits / cute.pointer, 1, true);
    const struct lw_cute_layout rows = lw_cute_leaf(atom->rows, atom->bits / cute.pointer, true);
    cute.swizzle = atom->swizzle;
    return lw_cute_pair(&work, mn ? row : rows, mn ? rows : row, &cute.layout) &&
           lw_calc_set_cute(&work, &cute, value);
}

/* ---- The CuTe DSL for Python ---- */

/* The name in atoms of the type of Python that an argument is, F16 of cutlass.Float16; NULL and an error. */
static const char *python_type(const struct lw_calc_call *call, int i, int *bits)
{
    const char *name = lw_calc_word(call, i);
    for (size_t k = 0; name && k < sizeof types / sizeof *types; k++)
        if (types[k].python && !strcmp(types[k].python, name)) {
            *bits = types[k].bits;
            return types[k].atom;
        }
    lw_error_at(call->work.err, LW_ERROR_NAME, call->args[i].node->position,
                "expected the type of an element, such as cutlass.Float16, BFloat16, Float32, Int8 "
                "or Float8E4M3FN");
    return NULL;
}

/* Makes *out the whole atom of that name, and frees the name. */
static bool set_atom(struct lw_calc_call *call, struct lw_text *name, struct lw_calc_result *out)
{
    struct lw_node node = {.kind = LW_NODE_NAME};
    node.name = lw_arena_string(call->work.arena, lw_text_string(name), name->length);
    lw_text_free(name);
    return node.name ? lw_calc_atom(call->calc, &node, NULL, out) : lw_cute_memory(&call->work);
}

/* Whether an argument is the second of two words. One that is not given is the first; an error when it is neither. */
static bool is_second(const struct lw_calc_call *call, int i, const char *first, const char *second,
                      bool *is)
{
    const char *word = call->args[i].node ? lw_calc_word(call, i) : first;
    *is = word && !strcmp(word, second);
    return *is || (word && !strcmp(word, first)) ||
           lw_error_at(call->work.err, LW_ERROR_SYNTAX, call->args[i].node->position,
                       "expected %s or %s", first, second);
}

/* An MMA. In the name of its atom `%a` and `%c` are the types of A and B and of C, `%s` is the shape, and `%r` is S or
 * R by the source of A. One whose shape begins with 64 is of a warpgroup. */
static LW_CALC_RUN(mma_op)
{
    const enum lw_calc_param *params = call->row->params;
    const char *types_of[2] = {"", ""};
    struct lw_text name = {0};
    long long mnk[3] = {0};
    bool registers = false;
    int bits;
    for (int i = 0; i < 3; i++) {
        const struct lw_cute_tuple *tree = params[i] == TUPLE ? lw_calc_tree(call, i) : NULL;
        if (params[i] == WORD && !(types_of[i] = python_type(call, i, &bits)))
            return false;
        for (int d = 0; tree && d < 3; d++) {
            mnk[d] = tree->count == 3 ? tree->items[d].value : 0;
            if (mnk[d] < 1 || mnk[d] > 1024 || !lw_cute_is_integer(&tree->items[d]))
                return lw_error_at(call->work.err, LW_ERROR_SYNTAX, tree->position,
                                   "expected a shape such as (16, 8, 16)");
        }
    }
    if (params[3] && !is_second(call, 3, "SMEM", "RMEM", &registers))
        return false;
    const char *const *patterns = call->row->core.atom;
    for (const char *at = patterns[patterns[1] && mnk[0] == 64]; *at; at++)
        if (*at != '%')
            lw_text_char(&name, *at);
        else if (*++at == 's')
            lw_text_format(&name, "%lldx%lldx%lld", mnk[0], mnk[1], mnk[2]);
        else if (*at == 'r')
            lw_text_char(&name, registers ? 'R' : 'S');
        else
            lw_text_add(&name, types_of[*at == 'c']);
    return set_atom(call, &name, out);
}

/* A copy of matrices: U32x4 and N, or U16x8 and T when they are transposed. */
static LW_CALC_RUN(matrix_op)
{
    struct lw_text name = {0};
    bool across;
    if (!is_second(call, 0, "False", "True", &across))
        return false;
    lw_text_format(&name, call->row->core.atom[0], across ? 16 : 32,
                   (long long)lw_calc_number(call, 1, 1) * (across ? 2 : 1), across ? 'T' : 'N');
    return set_atom(call, &name, out);
}

/* A copy of as many bits as make_copy_atom is given. */
static LW_CALC_RUN(copy_op)
{
    struct lw_text name = {0};
    lw_text_format(&name, call->row->core.atom[0], 32);
    return set_atom(call, &name, out);
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
    int bits;
    *out = *call->args[0].value;
    if (!out->as.tiling.copy_atom)
        return lw_error_set(call->work.err, LW_ERROR_SHAPE, "make_copy_atom: %.80s is an MMA",
                            out->as.tiling.mma_atom->name);
    const char *op = out->as.tiling.copy_atom->name;
    bool universal = !strncmp(op, "UniversalCopy", 13), async = !strncmp(op, "SM80_CP_ASYNC", 13);
    if (!python_type(call, 1, &bits))
        return false;
    if (wanted > 1024 || (async && !wanted))
        return lw_error_set(call->work.err, LW_ERROR_PARAMETER,
                            "num_bits_per_copy: must be from 1 to 1024");
    if (universal && !wanted)
        lw_text_add(&name, "AutoVectorizingCopy");
    else if (universal || async)
        lw_text_format(&name, universal ? "UniversalCopy_%db" : "SM80_CP_ASYNC_CACHEALWAYS_%db",
                       (int)wanted);
    return (!name.length || set_atom(call, &name, out)) && set_values(call->calc, bits, NULL, out);
}

/* clang-format off */

/* Parameters that are not in a name have no effect on the layouts. Source: nvgpu/warp, nvgpu/warpgroup, nvgpu/cpasync
 * and nvgpu/common.py of nvidia-cutlass-dsl 4.8.1. */
#define OP(run, ...) 0, LW_CALC_PAIR_PRODUCT, LW_CALC_ATOM, run, {.atom = {__VA_ARGS__}}
static const struct lw_calc_row rows[] = {
    {FUNCTION("make_mma_atom", "op", "an atom of the CuTe DSL"), {ATOM}, OP(make_mma_atom, NULL)},
    {FUNCTION("make_copy_atom", "op, copy_internal_type[, num_bits_per_copy]", "a copy of the CuTe DSL of a type"),
     {ATOM, WORD, NUMBER}, OP(make_copy_atom, NULL)},
    {FUNCTION("MmaF16BF16Op", "ab_dtype, acc_dtype, shape_mnk[,a_src,a_major_mode,b_major_mode]",
     "an MMA of a warp, or of a warpgroup"),
     {WORD, WORD, TUPLE, WORD, WORD, WORD}, OP(mma_op, "SM80_%s_%c%a%a%c_TN", "SM90_%s_%c%a%a_%rS")},
    {FUNCTION("MmaTF32Op", "shape_mnk", "an MMA of a warp"), {TUPLE}, OP(mma_op, "SM80_%s_F32TF32TF32F32_TN")},
    {FUNCTION("MmaFP8Op", "ab_dtype, acc_dtype, shape_mnk", "an MMA of a warp"),
     {WORD, WORD, TUPLE}, OP(mma_op, "SM89_%s_%c%a%a%c_TN")},
    {FUNCTION("MmaUniversalOp", "abacc_dtype", "an MMA of a thread"), {WORD}, OP(mma_op, "UniversalFMA")},
    {FUNCTION("LdMatrix8x8x16bOp", "[transpose, num_matrices]", "ldmatrix"),
     {WORD, NUMBER}, OP(matrix_op, "SM75_U%dx%lld_LDSM_%c")},
    {FUNCTION("StMatrix8x8x16bOp", "[transpose, num_matrices]", "stmatrix"),
     {WORD, NUMBER}, OP(matrix_op, "SM90_U%dx%lld_STSM_%c")},
    {FUNCTION("CopyUniversalOp", "", "a copy of a thread"), {NOTHING}, OP(copy_op, "UniversalCopy_%db")},
    {FUNCTION("CopyG2SOp", "[cache_mode]", "cp.async"), {WORD}, OP(copy_op, "SM80_CP_ASYNC_CACHEALWAYS_%db")},
};
/* clang-format on */

const struct lw_calc_row *lw_calc_atom_rows(size_t *count)
{
    *count = COUNT_ROWS(rows);
    return rows;
}
