/*
 * The MMA and copy atoms of CuTe by their names: which thread and value have which element.
 *
 *     SM80_16x8x16_F32F16F16F32_TN.C      of the 16 x 8 tile of the result
 *     SM75_U32x4_LDSM_N.Dst               of bits
 */

#include "notation/calc_table.h"
#include "notation/cute_atoms.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

/* Whether a name fits a pattern of `length` bytes; its numbers are kept. */
static bool fits(const char *pattern, size_t length, const char *name, int numbers[2])
{
    const char *end = pattern + length;
    for (; pattern < end; pattern++) {
        if (*pattern != '@' && *pattern != '~') {
            if (*name++ != *pattern)
                return false;
            continue;
        }
        size_t digits = strspn(name, "0123456789");
        if (digits == 0 || digits > 3)
            return false;
        int number = atoi(name);
        if (number % 8 || number < 8 || number > 256)
            return false;
        numbers[*pattern == '@'] = number;
        name += digits;
    }
    return *name == '\0';
}

static const struct lw_atoms *find(const char *name, int numbers[2])
{
    size_t families;
    const struct lw_atoms *all = lw_atoms(&families);
    for (size_t i = 0; i < families; i++)
        for (const char *at = all[i].names; *at; at += strspn(at, " ")) {
            size_t length = strcspn(at, " ");
            if (fits(at, length, name, numbers))
                return &all[i];
            at += length;
        }
    return NULL;
}

/* The first name of each family, for lw_text_nearest; without what stands for numbers. */
static const char *offer(const void *names, size_t i)
{
    return ((const char *const *)names)[i];
}

static bool unknown_atom(struct lw_calc_reader *reader, const char *name, struct lw_place place)
{
    const char *all[512], *near;
    size_t count = 0, families;
    const struct lw_atoms *table = lw_atoms(&families);
    for (size_t i = 0; i < families; i++)
        for (const char *at = table[i].names; *at && count < 512; at += strspn(at, " ")) {
            size_t length = strcspn(at, " ");
            all[count] = lw_arena_string(reader->scan.arena, at, length);
            if (!all[count++])
                return lw_scan_out_of_memory(&reader->scan);
            at += length;
        }
    near = lw_text_nearest(name, count, offer, all);
    return lw_error_at(reader->scan.err, LW_ERROR_NAME, place, "there is no atom '%.60s'%s%s%s",
                       name, near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : ": such as SM80_16x8x16_F32F16F16F32_TN.C");
}

/* ---- Layouts ---- */

/* A layout's text with its numbers in it. */
static void fill(struct lw_text *text, const char *pattern, const int numbers[2])
{
    for (; *pattern; pattern++)
        if (*pattern == '@' || *pattern == '~')
            lw_text_format(text, "%d", numbers[*pattern == '@']);
        else if (*pattern == '#')
            lw_text_format(text, "%d", numbers[1] / 8);
        else
            lw_text_char(text, *pattern);
}

static bool read_layout(struct lw_calc_reader *reader, const char *pattern, const int numbers[2],
                        struct lw_calc_result *value)
{
    struct lw_calc_reader inner = *reader;
    struct lw_text text = {0};
    fill(&text, pattern, numbers);
    const char *kept = lw_arena_string(reader->scan.arena, lw_text_string(&text), text.length);
    size_t length = text.length;
    lw_text_free(&text);
    if (!kept)
        return lw_scan_out_of_memory(&reader->scan);
    lw_scan_begin(&inner.scan, reader->scan.arena, kept, length, reader->scan.err);
    return lw_calc_read_primary(&inner, value);
}

static int size_of(int size, const int numbers[2])
{
    return size >= 0 ? size : numbers[size == LW_ATOM_N];
}

/* Part 0, 1, 2 of an MMA atom is A, of M x K; B, of N x K; C, of M x N. */
static bool add_tile(struct lw_calc_reader *reader, const struct lw_atoms *family, int part,
                     const int numbers[2], struct lw_calc_result *value)
{
    static const int dims[3][2] = {{0, 2}, {1, 2}, {0, 1}};
    struct lw_cute_tuple *tile = lw_arena_alloc(reader->scan.arena, sizeof *tile);
    struct lw_cute_tuple *items = lw_arena_alloc(reader->scan.arena, 2 * sizeof *items);
    if (!tile || !items)
        return lw_scan_out_of_memory(&reader->scan);
    for (int i = 0; i < 2; i++)
        items[i] = lw_cute_integer(size_of(family->tile[dims[part][i]], numbers), false);
    *tile = (struct lw_cute_tuple){.count = 2, .items = items};
    value->as.cute.tile = tile;
    return true;
}

bool lw_calc_is_atom(const char *name)
{
    return name[0] == 'S' && name[1] == 'M' && name[2] >= '1' && name[2] <= '9';
}

bool lw_calc_read_atom(struct lw_calc_reader *reader, const char *name, struct lw_place place,
                       struct lw_calc_result *value)
{
    static const char *const parts[2][3] = {{"Src", "Dst", "Ref"}, {"A", "B", "C"}};
    int numbers[2] = {0}, part = 0;
    const struct lw_atoms *family = find(name, numbers);
    if (!family)
        return unknown_atom(reader, name, place);
    bool mma = family->tile[0] != 0;
    const char *expected = mma ? "`.A`, `.B` or `.C`" : "`.Src`, `.Dst` or `.Ref`";
    if (lw_scan_peek(&reader->scan) == '<')
        return lw_error_at(reader->scan.err, LW_ERROR_SYNTAX, lw_scan_place(&reader->scan),
                           "template arguments are left out, as in: %.60s%s", name,
                           mma ? ".C" : ".Dst");
    if (!lw_scan_take(&reader->scan, '.'))
        return lw_scan_unexpected(&reader->scan, expected);
    while (part < 3 && !lw_scan_word(&reader->scan, parts[mma][part]))
        part++;
    if (part == 3)
        return lw_scan_unexpected(&reader->scan, expected);
    return read_layout(reader, family->layouts[part], numbers, value) &&
           (!mma || add_tile(reader, family, part, numbers, value));
}

/* ---- Elements ---- */

/* The types in the name of an atom, as MLIR spells them; none begins as another. */
static const struct {
    const char *name, *element;
} types[] = {
    {"F64", "f64"},       {"F32", "f32"},     {"TF32", "tf32"}, {"BF16", "bf16"}, {"F16", "f16"},
    {"E4M3", "f8E4M3FN"}, {"E5M2", "f8E5M2"}, {"S32", "i32"},   {"S8", "i8"},     {"U8", "ui8"},
    {"S4", "i4"},         {"U4", "ui4"},      {"U1", "ui1"},
};

/* The type that a text begins with, which is passed; NULL when none is. */
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

bool lw_calc_atom_element(const char *text, struct lw_element *element)
{
    const char *name[4] = {NULL}; /* of D, A, B and C; without C it is that of D */
    const char *at = text, *part = strchr(text, '.');
    int count = 0;
    for (int i = 0; i < 2 && at; i++) /* SM80_16x8x16_ */
        at = (at = strchr(at, '_')) ? at + 1 : NULL;
    if (!lw_calc_is_atom(text) || !at || !part)
        return false;
    while (count < 4 && (name[count] = take_type(&at)))
        count++;
    if (count < 3 || *at != '_' || !part[1] || part[2] || part[1] < 'A' || part[1] > 'C')
        return false;
    const char *found = name[part[1] - 'A' + 1];
    return lw_element_find(element, found ? found : name[0], NULL);
}
