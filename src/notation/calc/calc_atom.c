/*
 * The atoms of CuTe and AMD's matrix instructions by their names: which thread and value have which element.
 *
 *     SM80_16x8x16_F32F16F16F32_TN.C      of the 16 x 8 tile of the result
 *     SM75_U32x4_LDSM_N.Dst               of bits
 *     v_mfma_f32_32x32x8_f16.A            of the 32 x 8 tile of A
 * Template arguments may follow. The sizes among them, M and N of an MMA or the bits of a copy's type, become the end
 * of the name: SM100_MMA_TF32_SS<..., 128, 256, ...> is SM100_MMA_TF32_SS_128x256.
 */

#include "notation/calc/calc_table.h"
#include "notation/calc/cute_atoms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 160
#define THREADS "ThrID"

/* ---- Names ---- */

static const char *offer(const void *names, size_t i)
{
    return ((const char *const *)names)[i];
}

/* The name that has the letters of this one, all capitals but x, as in 16x8x16; false: none has. */
static bool in_capitals(const char *name, char capitals[NAME_BYTES_MAX])
{
    size_t i = 0;
    int numbers[3];
    for (; name[i] && i + 1 < NAME_BYTES_MAX; i++) {
        bool times = name[i] == 'x' && name[i + 1] >= '1' && name[i + 1] <= '9';
        capitals[i] = times ? 'x' : (char)toupper((unsigned char)name[i]);
    }
    capitals[i] = '\0';
    return strcmp(capitals, name) != 0 && lw_atom_find(capitals, numbers);
}

static bool unknown_atom(struct lw_calculation *calc, const char *name, struct lw_position position)
{
    const char *all[1024];
    size_t count = 0, families;
    char hint[LW_HINT_MAX], capitals[NAME_BYTES_MAX];
    const struct lw_atoms *table = lw_atoms(&families);
    for (size_t i = 0; i < families; i++)
        for (const char *at = table[i].names; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
            size_t ways = 1;
            for (size_t k = 0; k < ways && count < sizeof all / sizeof *all; k++) {
                struct lw_text text = {0};
                ways = lw_atom_spell(&table[i], at, k, &text);
                all[count] = lw_arena_string(calc->arena, lw_text_string(&text), text.length);
                lw_text_free(&text);
                if (!all[count++])
                    return lw_scan_out_of_memory(calc->scan);
            }
        }
    const char *meant =
        in_capitals(name, capitals) ? capitals : lw_text_nearest(name, count, offer, all);
    return lw_error_at(calc->err, LW_ERROR_NAME, position, "there is no atom '%.60s'%s", name,
                       lw_text_hint(hint, meant, ": such as SM80_16x8x16_F32F16F16F32_TN.C"));
}

static bool no_such_size(struct lw_calculation *calc, const struct lw_atoms *family,
                         const char *name, struct lw_position position, const int numbers[3])
{
    int wrong = lw_atom_wrong_number(family, numbers);
    const struct lw_atom_range range = lw_atom_range_of(family, wrong, numbers);
    struct lw_text may = {.limit = 80};
    for (int i = 0; i < 2 && range.also[i]; i++)
        lw_text_format(&may, "%d, ", range.also[i]);
    lw_text_format(&may, "%d", range.from);
    if (range.to > range.from)
        lw_text_format(&may, " to %d in %s", range.to, range.step ? "steps of " : "powers of two");
    if (range.to > range.from && range.step)
        lw_text_format(&may, "%d", range.step);
    lw_error_at(calc->err, LW_ERROR_PARAMETER, position, "%.60s: %s is %d: it may be %s", name,
                wrong == LW_ATOM_M   ? "M"
                : wrong == LW_ATOM_N ? "N"
                                     : "the number",
                numbers[wrong], lw_text_string(&may));
    lw_text_free(&may);
    return false;
}

/* ---- Template arguments ---- */

/* The arguments that are used: whole numbers, and the bits of types. */
struct arguments {
    int numbers, number[2];
    int types, bits[2];
};

static void keep_argument(struct arguments *args, const struct lw_node *node)
{
    if (node->kind == LW_NODE_INTEGER) {
        if (args->numbers < 2)
            args->number[args->numbers++] = node->integer > 9999 ? 9999 : (int)node->integer;
        return;
    }
    int bits = lw_calc_cpp_bits(lw_calc_last_word(node->name));
    if (args->types < 2 && bits)
        args->bits[args->types] = bits;
    args->types++;
}

/* Appends the arguments that are used to a name, whose words are in `name` already. */
static bool add_arguments(struct lw_calculation *calc, const struct lw_node *angles,
                          struct lw_text *name)
{
    struct arguments args = {0};
    for (const struct lw_node *node = angles->items; node; node = node->next) {
        if (node->kind != LW_NODE_INTEGER && node->kind != LW_NODE_NAME)
            return lw_node_unexpected(node, "a number or a type", calc->err);
        keep_argument(&args, node);
    }
    const char *text = lw_text_string(name);
    bool sized = text[name->length - 1] >= '0' && text[name->length - 1] <= '9';
    if (args.numbers == 2 && !sized)
        lw_text_format(name, "_%dx%d", args.number[0], args.number[1]);
    else if ((strstr(text, "CP_ASYNC") || strstr(text, "UniversalCopy")) && args.bits[0] &&
             (args.types == 1 || args.bits[0] == args.bits[1]))
        lw_text_format(name, "_%db", args.bits[0]);
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

static bool make_layout(struct lw_calculation *calc, const char *pattern, const int numbers[3],
                        struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_text text = {0};
    fill(&text, pattern, numbers);
    value->kind = LW_CALC_CUTE;
    bool made = lw_calc_literal_layout(&work, &text, &value->as.cute);
    lw_text_free(&text);
    return made;
}

/* M, N and K of a family; false: memory is out. */
static bool read_sizes(const struct lw_atoms *family, const int numbers[3], long mnk[3])
{
    struct lw_text text = {0};
    fill(&text, family->tile, numbers);
    bool good = !text.failed;
    char *at = (char *)lw_text_string(&text);
    for (int i = 0; i < 3 && good; i++)
        mnk[i] = strtol(at, &at, 10);
    lw_text_free(&text);
    return good;
}

/* A and its metadata and scales are of M x K, B of N x K, C of M x N. */
static bool add_tile(struct lw_calculation *calc, const struct lw_atoms *family, char part,
                     const int numbers[3], struct lw_calc_result *value)
{
    struct lw_cute_tuple *tile = lw_arena_alloc(calc->arena, sizeof *tile);
    struct lw_cute_tuple *items = lw_arena_alloc(calc->arena, 2 * sizeof *items);
    long mnk[3];
    if (!tile || !items || !read_sizes(family, numbers, mnk))
        return lw_scan_out_of_memory(calc->scan);
    items[0] = lw_cute_integer(mnk[part == 'B'], false);
    items[1] = lw_cute_integer(mnk[part == 'C' ? 1 : 2], false);
    *tile = (struct lw_cute_tuple){.count = 2, .items = items};
    value->as.cute.tile = tile;
    return true;
}

/* ---- What is known from a name ---- */

/* The types in the name of an atom, as MLIR spells them; no name is the beginning of another. */
static const struct {
    const char *name, *element;
} types[] = {
    {"F64", "f64"},       {"F32", "f32"},     {"TF32", "tf32"}, {"BF16", "bf16"}, {"F16", "f16"},
    {"E4M3", "f8E4M3FN"}, {"E5M2", "f8E5M2"}, {"S32", "i32"},   {"S8", "i8"},     {"U8", "ui8"},
    {"S4", "i4"},         {"U4", "ui4"},      {"U1", "ui1"},
};

/* Reads the type that a text begins with and moves *text past it; NULL when there is none. */
static const char *take_type(const char **text)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i].name);
        if (!strncmp(*text, types[i].name, length)) {
            *text += length;
            return types[i].element;
        }
    }
    return NULL;
}

/* The element of a part: f16 of the A of SM80_16x8x16_F32F16F16F32_TN; NULL when the name has no types. */
static const char *element_of(const char *atom, char part)
{
    const char *name[4] = {NULL}; /* of D, A, B and C; without C it is that of D */
    const char *at = atom;
    int count = 0;
    for (int i = 0; i < 2 && at; i++) /* SM80_16x8x16_ */
        at = (at = strchr(at, '_')) ? at + 1 : NULL;
    while (at && count < 4 && (name[count] = take_type(&at)))
        count++;
    if (count < 3 || *at != '_')
        return NULL;
    return name[part - 'A' + 1] ? name[part - 'A' + 1] : name[0];
}

/* Adds what is known of a part, `A=...`, and of one that is not in registers `A!=...`. */
static void add_role(const struct lw_atoms *family, const char *atom, const char *part,
                     struct lw_cute *cute)
{
    bool memory = part[strcspn(part, "!?=")] == '!';
    bool one = strcspn(part, "!?=") == 1 && *part >= 'A' && *part <= 'C';
    cute->role = memory            ? LW_CUTE_ROLE_MEMORY
                 : !family->tile   ? LW_CUTE_ROLE_BITS
                 : family->threads ? LW_CUTE_ROLE_QUAD_PAIR
                 : one             ? (enum lw_cute_role)(LW_CUTE_ROLE_A + (*part - 'A'))
                                   : LW_CUTE_ROLE_NONE;
    cute->element = one ? element_of(atom, *part) : NULL;
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

/* What may follow an atom's name: "`.A`, `.B` or `.C`". */
static void list_parts(const struct lw_atoms *family, struct lw_text *text)
{
    for (const char *at = family->layouts; at; at = strchr(at, ';')) {
        at += *at == ';';
        size_t length = strcspn(at, "!?=");
        lw_text_format(text, "%s`.%.*s`", at == family->layouts ? "" : ", ", (int)length, at);
    }
    lw_text_add(text, " or `.ThrID`");
}

/* ThrID: the threads of a layout, as many as its first mode has, in the order of the hardware. */
static bool threads_of(struct lw_calculation *calc, const struct lw_atoms *family,
                       const int numbers[3], struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    const char *last = strrchr(family->layouts, '=');
    if (family->threads)
        return make_layout(calc, family->threads, numbers, value);
    if (!make_layout(calc, last + 1, numbers, value))
        return false;
    struct lw_cute_layout threads = lw_cute_mode(&value->as.cute.layout, 0);
    int64_t count = lw_cute_product(&threads.shape);
    const struct lw_cute_tuple shape = lw_cute_integer(count, false),
                               stride = lw_cute_integer(count > 1, false);
    return lw_cute_make(&work, &shape, &stride, &value->as.cute.layout);
}

/* The part of a family that a step names, or NULL and an error. */
static const char *find_part(struct lw_calculation *calc, const struct lw_atoms *family,
                             const struct lw_node *step)
{
    struct lw_text parts = {0};
    const char *part = step->name;
    for (const char *at = family->layouts; at; at = strchr(at, ';')) {
        at += *at == ';';
        size_t length = strcspn(at, "!?=");
        if (strlen(part) == length && !strncmp(at, part, length))
            return at;
    }
    if (!strcmp(part, THREADS))
        return THREADS;
    list_parts(family, &parts);
    lw_error_at(calc->err, LW_ERROR_NAME, step->name_position, "expected %s, found '%.40s'",
                lw_text_string(&parts), part);
    lw_text_free(&parts);
    return NULL;
}

/* The family of a name; *whole is set to the whole name. NULL and an error. */
static const struct lw_atoms *find_family(struct lw_calculation *calc, const struct lw_node *name,
                                          const char **whole, int numbers[3])
{
    *whole = whole_name(calc, name);
    if (!*whole)
        return NULL;
    const struct lw_atoms *family = lw_atom_find(*whole, numbers);
    if (!family)
        unknown_atom(calc, *whole, name->position);
    else if (family->why)
        lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, name->position, "%.60s: %s", *whole,
                    family->why);
    else if (lw_atom_wrong_number(family, numbers) >= 0)
        no_such_size(calc, family, *whole, name->position, numbers);
    else
        return family;
    return NULL;
}

/* ---- Whole atoms ---- */

/* A layout of a part, which CuTe has with static integers. */
static bool fixed_part(struct lw_calculation *calc, const struct lw_atoms *family, const char *name,
                       const char *part, const int numbers[3], struct lw_calc_result *value)
{
    struct lw_cute_work work = lw_calc_work_here(calc);
    for (const char *at = family->layouts; at; at = strchr(at, ';')) {
        at += *at == ';';
        const char *mark = at + strcspn(at, "!?=");
        if (strncmp(at, part, strlen(part)) != 0 || mark != at + strlen(part))
            continue;
        if (*mark == '?')
            return lw_error_set(calc->err, LW_ERROR_UNSUPPORTED, "%.60s: %.*s", name,
                                (int)strcspn(mark + 2, ";"), mark + 2);
        if (!make_layout(calc, strchr(mark, '=') + 1, numbers, value))
            return false;
        add_role(family, name, at, &value->as.cute);
        break;
    }
    return lw_cute_set_fixed(&work, &value->as.cute.layout, true, &value->as.cute.layout);
}

static bool make_mma(struct lw_calculation *calc, const struct lw_atoms *family, const char *name,
                     const int numbers[3], struct lw_calc_result *value)
{
    static const char *const parts[] = {"A", "B", "C"};
    struct lw_cute_mma_atom *atom = lw_arena_alloc(calc->arena, sizeof *atom);
    struct lw_cute_tuple *items = lw_arena_alloc(calc->arena, 3 * sizeof *items);
    struct lw_cute_work work = lw_calc_work_here(calc);
    long mnk[3];
    if (!atom || !items || !read_sizes(family, numbers, mnk))
        return lw_scan_out_of_memory(calc->scan);
    for (int i = 0; i < 3; i++)
        items[i] = lw_cute_integer(mnk[i], true);
    *atom = (struct lw_cute_mma_atom){.name = name, .mnk = {.count = 3, .items = items}};
    for (int i = 0; i < 3; i++) {
        if (!fixed_part(calc, family, name, parts[i], numbers, value))
            return false;
        atom->operand[i] = value->as.cute.layout;
        atom->role[i] = value->as.cute.role;
        atom->element[i] = value->as.cute.element;
    }
    if (!threads_of(calc, family, numbers, value) ||
        !lw_cute_set_fixed(&work, &value->as.cute.layout, true, &atom->threads))
        return false;
    value->as.tiling = (struct lw_calc_tiling){.mma_atom = atom, .thread = -1};
    return true;
}

static bool make_copy(struct lw_calculation *calc, const struct lw_atoms *family, const char *name,
                      const int numbers[3], struct lw_calc_result *value)
{
    static const char *const parts[] = {"Src", "Dst", "Ref"};
    struct lw_cute_copy_atom *atom = lw_arena_alloc(calc->arena, sizeof *atom);
    struct lw_cute_work work = lw_calc_work_here(calc);
    if (!atom)
        return lw_scan_out_of_memory(calc->scan);
    *atom = (struct lw_cute_copy_atom){.name = name};
    struct lw_cute_layout *const to[] = {&atom->side[0], &atom->side[1], &atom->reference};
    for (int i = 0; i < 3; i++) {
        if (!fixed_part(calc, family, name, parts[i], numbers, value))
            return false;
        *to[i] = value->as.cute.layout;
    }
    if (!threads_of(calc, family, numbers, value) ||
        !lw_cute_set_fixed(&work, &value->as.cute.layout, true, &atom->threads))
        return false;
    value->as.tiling = (struct lw_calc_tiling){.copy_atom = atom, .thread = -1};
    return true;
}

static bool make_atom(struct lw_calculation *calc, const struct lw_node *name,
                      struct lw_calc_result *value)
{
    int numbers[3] = {0};
    const char *whole;
    const struct lw_atoms *family = find_family(calc, name, &whole, numbers);
    if (!family || (family->tile ? !make_mma(calc, family, whole, numbers, value)
                                 : !make_copy(calc, family, whole, numbers, value))) {
        if (family && calc->err->position.line == 0)
            calc->err->position = name->position;
        return false;
    }
    value->kind = LW_CALC_ATOM;
    return true;
}

bool lw_calc_is_atom_type(const char *name)
{
    static const char *const names[] = {"MMA_Atom", "Copy_Atom", "MMA_Traits", "Copy_Traits"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], lw_calc_last_word(name)))
            return true;
    return false;
}

bool lw_calc_atom_type(struct lw_calculation *calc, const struct lw_node *name,
                       struct lw_calc_result *value)
{
    const struct lw_node *first = name->angles ? name->angles->items : NULL;
    const struct lw_node *type = first ? first->next : NULL;
    struct lw_cute_work work = lw_calc_work_here(calc);
    struct lw_cute_copy_atom *copy = lw_arena_alloc(calc->arena, sizeof *copy);
    if (!copy)
        return lw_scan_out_of_memory(calc->scan);
    if (!first || first->kind != LW_NODE_NAME)
        return lw_error_at(calc->err, LW_ERROR_SYNTAX, first ? first->position : lw_node_end(name),
                           "expected the name of an atom, as in %s<%s>", name->name,
                           strchr(name->name, 'C') ? "SM75_U32x4_LDSM_N, half_t"
                                                   : "SM80_16x8x16_F32F16F16F32_TN");
    if (lw_calc_is_atom_type(first->name) ? !lw_calc_atom_type(calc, first, value)
                                          : !make_atom(calc, first, value))
        return false;
    if (!value->as.tiling.copy_atom || !type)
        return true;
    int bits = type->kind == LW_NODE_NAME ? lw_calc_cpp_bits(lw_calc_last_word(type->name)) : 0;
    if (!bits)
        return lw_error_at(calc->err, LW_ERROR_NAME, type->position,
                           "expected the type of a value whose bits are known here: half_t, "
                           "bfloat16_t, float, int8_t, float_e4m3_t");
    if (!lw_cute_copy_atom_of(&work, value->as.tiling.copy_atom, bits, copy)) {
        calc->err->position = name->position;
        return false;
    }
    copy->type = lw_calc_last_word(type->name);
    value->as.tiling.copy_atom = copy;
    return true;
}

/* ---- Parts ---- */

bool lw_calc_atom(struct lw_calculation *calc, const struct lw_node *name,
                  const struct lw_node *step, struct lw_calc_result *value)
{
    int numbers[3] = {0};
    const char *whole;
    if (!step)
        return make_atom(calc, name, value);
    const struct lw_atoms *family = find_family(calc, name, &whole, numbers);
    if (!family)
        return false;
    const char *part = find_part(calc, family, step);
    if (!part || !strcmp(part, THREADS))
        return part && threads_of(calc, family, numbers, value);
    const char *mark = part + strcspn(part, "!?="), *pattern = strchr(mark, '=') + 1;
    if (*mark == '?')
        return lw_error_at(calc->err, LW_ERROR_UNSUPPORTED, name->position, "%.60s: %.*s", whole,
                           (int)strcspn(pattern, ";"), pattern);
    if (!make_layout(calc, pattern, numbers, value) ||
        (family->tile && !add_tile(calc, family, mark[-1], numbers, value)))
        return false;
    add_role(family, whole, part, &value->as.cute);
    return true;
}
