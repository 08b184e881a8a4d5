/*
 * The cases of a step: one of them is chosen, and "$name" in the strings of the step is replaced by its value for
 * the name. A string that is "$name" alone becomes the value itself, also a number.
 *
 * Steps may share a table of the lesson: in all steps "tile 2" is the second row that is drawn of the table
 * `tile`. Rows that are drawn are different, and seeds 0, 1, 2, ... draw every row in every draw.
 *
 * A row of a table may have "each", a list of values for some names: every combination of them is a case. Such a
 * case with `rows`, `columns` and `element` is a tile whose columns are read, one row a lane, and also has what
 * follows from them; where that read has no conflict, it is left out.
 *
 * The swizzle: row k begins at byte k * columns * bytes. The lanes that are served together (32, or as many as
 * need 128 bytes) differ in some bits of the row. Those that move the address by 4 to 64 bytes reach the bank;
 * each of the others, which move it by 128 or more, flips a bit of the column that reaches the bank. Their number
 * is that of the column's bits from a word up to 128 bytes, so that all of it follows from the shape.
 */

#include "notation/document/lesson_reading.h"

#include "laneway/tensor.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD_BITS = 2,
    LINE_BITS = 7,
    LANE_BITS = 5,
    COMPUTED = 6,
    COMBINED = 1, /* `integer` of a case of "each" */
    ROWS_MAX = 1024,
    CASES_MAX = 4096
};

bool lw_lesson_problem(struct lw_lesson_reading *reading, struct lw_position position,
                       const char *format, ...)
{
    va_list args;
    if (reading->err->code != LW_OK)
        return false;
    *reading->err = (struct lw_error){.code = LW_ERROR_SYNTAX, .position = position};
    va_start(args, format);
    vsnprintf(reading->err->message, sizeof reading->err->message, format, args);
    va_end(args);
    lw_error_excerpt(reading->err, reading->text, reading->length);
    return false;
}

struct lw_value *lw_lesson_member(const struct lw_value *object, const char *name, size_t length)
{
    for (size_t i = 0; object && object->kind == LW_VALUE_OBJECT && i < object->count; i++)
        if (strlen(object->names[i]) == length && !strncmp(object->names[i], name, length))
            return &object->items[i];
    return NULL;
}

static const struct lw_value *find_member(const struct lw_value *object, const char *name)
{
    return lw_lesson_member(object, name, strlen(name));
}

/* ---- Tiles ---- */

struct tile {
    int row_bits, column_bits, byte_bits;
    int first; /* the first bit of the row that does not reach the bank */
    int flips; /* how many bits of the row do not */
    int kept;  /* bits of the column below a word */
    int64_t element_bits;
};

/* The logarithm of a power of two; -1 of another number. */
static int log_of(int64_t value)
{
    int log = 0;
    while (log < 62 && (int64_t)1 << log < value)
        log++;
    return value == (int64_t)1 << log ? log : -1;
}

/* False: the names are not all there, or a size is no power of two. */
static bool read_tile(const struct lw_value *one, struct tile *tile)
{
    const struct lw_value *rows = find_member(one, "rows"), *columns = find_member(one, "columns");
    const struct lw_value *name = find_member(one, "element");
    struct lw_element element;
    if (!rows || !columns || !name || rows->kind != LW_VALUE_INTEGER ||
        columns->kind != LW_VALUE_INTEGER || name->kind != LW_VALUE_STRING ||
        !lw_element_find(&element, name->string, NULL))
        return false;
    tile->row_bits = log_of(rows->integer);
    tile->column_bits = log_of(columns->integer);
    tile->byte_bits = log_of(element.bits) - 3;
    tile->element_bits = element.bits;
    if (tile->row_bits < LANE_BITS || tile->row_bits > 10 || tile->column_bits < 1 ||
        tile->column_bits > 10 || tile->byte_bits < 0 || tile->byte_bits > 3)
        return false;
    int wide = tile->byte_bits > WORD_BITS ? tile->byte_bits - WORD_BITS : 0;
    int line = tile->column_bits + tile->byte_bits; /* of the bytes of a row */
    tile->first = line < LINE_BITS ? LINE_BITS - line : 0;
    tile->flips = LANE_BITS - wide - tile->first;
    tile->kept = tile->byte_bits < WORD_BITS ? WORD_BITS - tile->byte_bits : 0;
    return true;
}

/* [[0, 1], [0, 2], ..., [1, 0], ...] where `flips` bits of the row each flip a bit of the column; the first `skip` of
 * them are left out. */
static struct lw_value bases_of(struct lw_lesson_reading *reading, const struct tile *tile,
                                bool flips, int skip)
{
    struct lw_arena *arena = &reading->lesson->arena;
    size_t count = (size_t)(tile->column_bits + tile->row_bits);
    struct lw_value list = {.kind = LW_VALUE_LIST, .count = count};
    list.items = lw_arena_alloc(arena, count * sizeof *list.items);
    for (int i = 0; list.items && i < (int)count; i++) {
        int row = i - tile->column_bits, flip = row - tile->first;
        int64_t pair[2] = {row < 0 ? 0 : (int64_t)1 << row, row < 0 ? (int64_t)1 << i : 0};
        if (flips && row >= 0 && flip >= skip && flip < tile->flips)
            pair[1] = (int64_t)1 << (tile->kept + flip);
        list.items[i] = lw_value_integers(arena, pair, 2);
    }
    return list.items ? list : (struct lw_value){0};
}

/* Adds a name and its value to a case that has room for it. The first of two members of one name is found. */
static void add(struct lw_value *one, const char *name, struct lw_value value)
{
    one->names[one->count] = name;
    one->items[one->count++] = value;
}

/* A case with the members of `from` and room for more; NONE: memory is out. */
static struct lw_value begin_case(struct lw_arena *arena, const struct lw_value *from, size_t more)
{
    struct lw_value one = {
        .kind = LW_VALUE_OBJECT, .integer = COMBINED, .position = from->position};
    one.items = lw_arena_alloc(arena, (from->count + more) * sizeof *one.items);
    one.names = lw_arena_alloc(arena, (from->count + more) * sizeof *one.names);
    for (size_t i = 0; one.items && one.names && i < from->count; i++)
        add(&one, from->names[i], from->items[i]);
    return one.items && one.names ? one : (struct lw_value){0};
}

/* A case that was chosen, with the values that follow from its shape. */
static struct lw_value add_computed(struct lw_lesson_reading *reading,
                                    const struct lw_value *chosen)
{
    struct tile tile;
    struct lw_arena *arena = &reading->lesson->arena;
    if (chosen->integer != COMBINED || !read_tile(chosen, &tile))
        return *chosen;
    struct lw_value all = begin_case(arena, chosen, COMPUTED);
    if (all.kind == LW_VALUE_NONE) {
        lw_lesson_problem(reading, chosen->position, "out of memory");
        return *chosen;
    }
    int64_t shape[] = {(int64_t)1 << tile.row_bits, (int64_t)1 << tile.column_bits};
    int64_t warps[] = {(int64_t)1 << (tile.row_bits - LANE_BITS), shape[1] < 4 ? shape[1] : 4};
    add(&all, "shape", lw_value_integers(arena, shape, 2));
    add(&all, "warps", lw_value_integers(arena, warps, 2));
    add(&all, "bits", lw_value_integer(tile.element_bits));
    add(&all, "plain", bases_of(reading, &tile, false, 0));
    add(&all, "swizzle", bases_of(reading, &tile, true, 0));
    add(&all, "almost", bases_of(reading, &tile, true, 1));
    return all;
}

/* ---- Combinations ---- */

/* How many combinations "each" has, including those that are left out; 0: too many, or it is no object of lists. */
static size_t combinations(const struct lw_value *each)
{
    size_t count = each->kind == LW_VALUE_OBJECT;
    for (size_t i = 0; i < each->count && count && count <= ROWS_MAX; i++)
        count *= each->items[i].kind == LW_VALUE_LIST ? each->items[i].count : 0;
    return count <= ROWS_MAX ? count : 0;
}

/* Appends the cases of a row to a list that has room for them. */
static void expand_row(struct lw_lesson_reading *reading, const struct lw_value *row,
                       struct lw_value *list)
{
    const struct lw_value *each = find_member(row, "each");
    size_t before = list->count, count = each ? combinations(each) : 0;
    if (!each)
        list->items[list->count++] = *row;
    for (size_t i = 0; i < count; i++) {
        struct lw_value one = begin_case(&reading->lesson->arena, row, each->count);
        struct tile tile;
        size_t left = i;
        for (size_t k = 0; one.kind != LW_VALUE_NONE && k < each->count; k++) {
            const struct lw_value *values = &each->items[k];
            add(&one, each->names[k], values->items[left % values->count]);
            left /= values->count;
        }
        if (one.kind == LW_VALUE_NONE || (read_tile(&one, &tile) && tile.flips <= 0))
            continue;
        list->items[list->count++] = one;
    }
    if (list->count == before)
        lw_lesson_problem(reading, each->position,
                          "'each' must be an object of lists, with 1 to %d combinations: "
                          "{\"rows\": [32, 64], \"element\": [\"f16\", \"f32\"]}",
                          ROWS_MAX);
}

static void expand_table(struct lw_lesson_reading *reading, struct lw_value *table)
{
    struct lw_value list = {.kind = LW_VALUE_LIST, .position = table->position};
    size_t most = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct lw_value *each = find_member(&table->items[i], "each");
        most += each ? combinations(each) : 1;
    }
    if (most > CASES_MAX)
        lw_lesson_problem(reading, table->position, "'cases' has %zu cases; at most %d are allowed",
                          most, CASES_MAX);
    else
        list.items = lw_arena_alloc(&reading->lesson->arena, (most + 1) * sizeof *list.items);
    if (!list.items)
        return; /* the arena is out of memory, which is reported in the end */
    for (size_t i = 0; i < table->count; i++)
        expand_row(reading, &table->items[i], &list);
    *table = list;
}

static bool is_case_list(const struct lw_value *value)
{
    bool good = value->kind == LW_VALUE_LIST && value->count > 0;
    for (size_t i = 0; good && i < value->count; i++)
        good = value->items[i].kind == LW_VALUE_OBJECT;
    return good;
}

void lw_lesson_expand_tables(struct lw_lesson_reading *reading, struct lw_value *tables)
{
    bool good = tables->kind == LW_VALUE_OBJECT && tables->count > 0;
    for (size_t i = 0; good && i < tables->count; i++)
        good = is_case_list(&tables->items[i]);
    if (!good)
        lw_lesson_problem(reading, tables->position,
                          "'cases' of a lesson must be an object of lists: {\"tile\": "
                          "[{\"rows\": 16}, {\"rows\": 32}]}");
    for (size_t i = 0; good && i < tables->count; i++)
        expand_table(reading, &tables->items[i]);
    reading->tables = good ? tables : NULL;
}

/* ---- The case of a step ---- */

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The value of the case for a name; NULL: it has none, which is reported. */
static const struct lw_value *find(struct lw_lesson_reading *reading, const struct lw_value *one,
                                   const struct lw_value *string, const char *name, size_t length)
{
    const struct lw_value *found = lw_lesson_member(one, name, length);
    if (!found)
        lw_lesson_problem(reading, string->position, "this case has no '%.*s'",
                          (int)(length < 40 ? length : 40), name);
    return found;
}

static void put_string(struct lw_lesson_reading *reading, const struct lw_value *one,
                       struct lw_value *string)
{
    const char *p = string->string, *end;
    size_t whole = strspn(p + 1, letters);
    struct lw_text text = {0};
    if (p[0] == '$' && whole && !p[1 + whole]) {
        const struct lw_value *value = find(reading, one, string, p + 1, whole);
        struct lw_position position = string->position;
        if (value) {
            *string = *value;
            string->position = position;
        }
        return;
    }
    while ((end = strchr(p, '$'))) {
        size_t length = strspn(end + 1, letters);
        lw_text_bytes(&text, p, (size_t)(end - p));
        const struct lw_value *value = length ? find(reading, one, string, end + 1, length) : NULL;
        if (value && value->kind == LW_VALUE_STRING)
            lw_text_add(&text, value->string);
        else if (value)
            lw_value_print(&text, value);
        else if (!length)
            lw_text_char(&text, '$');
        p = end + 1 + length;
    }
    lw_text_add(&text, p);
    const char *copy = lw_arena_string(&reading->lesson->arena, lw_text_string(&text), text.length);
    if (copy && !text.failed)
        string->string = copy;
    else
        lw_lesson_problem(reading, string->position, "out of memory");
    lw_text_free(&text);
}

static void put(struct lw_lesson_reading *reading, const struct lw_value *one,
                struct lw_value *value)
{
    if (value->kind == LW_VALUE_STRING && strchr(value->string, '$'))
        put_string(reading, one, value);
    else if (value->kind == LW_VALUE_LIST || value->kind == LW_VALUE_OBJECT)
        for (size_t i = 0; i < value->count; i++)
            put(reading, one, &value->items[i]);
}

/* ---- Tables of the lesson ---- */

/* Mixes the bits of a seed, so that consecutive seeds draw rows that are far apart (Steele, Lea, Flood: SplitMix). */
static uint64_t mix(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
    return seed ^ seed >> 31;
}

/* The number that draw `draw` adds to the row of draw 0: 0 for draw 0, else one below `count` that no draw before it
 * adds. */
static size_t drawn_offset(uint64_t seed, size_t count, size_t draw)
{
    size_t taken[LW_DRAWS_MAX] = {0};
    for (size_t k = 1; k <= draw; k++) {
        size_t free = (size_t)(seed % (count - k)), offset = 0;
        seed /= count - k;
        for (;; offset++) {
            bool is_taken = false;
            for (size_t i = 0; i < k; i++)
                is_taken = is_taken || taken[i] == offset;
            if (!is_taken && free-- == 0)
                break;
        }
        taken[k] = offset;
    }
    return taken[draw];
}

/* "tile 2": the table, and a draw from 0; NULL: it is reported. */
static const struct lw_value *find_table(struct lw_lesson_reading *reading,
                                         const struct lw_value *name, size_t *draw)
{
    size_t length = strcspn(name->string, " ");
    const char *digits = name->string + length + strspn(name->string + length, " ");
    const struct lw_value *table = lw_lesson_member(reading->tables, name->string, length);
    uint64_t number = *digits ? strtoull(digits, NULL, 10) : 1;
    *draw = (size_t)number - 1;
    if (!table || table->kind != LW_VALUE_LIST || !table->count) {
        lw_lesson_problem(reading, name->position, "the lesson has no 'cases' of the name '%.*s'",
                          (int)(length < 40 ? length : 40), name->string);
        return NULL;
    }
    if (digits[strspn(digits, "0123456789")] || !number || number > LW_DRAWS_MAX ||
        number > table->count) {
        lw_lesson_problem(reading, name->position,
                          "'cases' must be a list, or name a table and the number of a draw, "
                          "\"%.*s 1\" to \"%.*s %zu\"",
                          (int)(length < 40 ? length : 40), name->string,
                          (int)(length < 40 ? length : 40), name->string,
                          table->count < LW_DRAWS_MAX ? table->count : (size_t)LW_DRAWS_MAX);
        return NULL;
    }
    return table;
}

/* The case of a step, and how many there are; NULL: it has none. */
static const struct lw_value *choose(struct lw_lesson_reading *reading,
                                     const struct lw_value *cases, size_t number, size_t *count)
{
    uint64_t seed = reading->lesson->seed;
    size_t draw;
    if (cases->kind == LW_VALUE_STRING) {
        const struct lw_value *table = find_table(reading, cases, &draw);
        *count = table ? table->count : 0;
        size_t offset = table ? drawn_offset(mix(seed / *count), *count, draw) : 0;
        return table ? &table->items[(seed % *count + offset) % *count] : NULL;
    }
    *count = cases->kind == LW_VALUE_LIST ? cases->count : 0;
    return *count ? &cases->items[(seed + number) % *count] : NULL;
}

void lw_lesson_put_case(struct lw_lesson_reading *reading, struct lw_value *step, size_t number)
{
    size_t count = 0;
    const struct lw_value *cases = find_member(step, "cases");
    if (cases && cases->kind != LW_VALUE_STRING && !is_case_list(cases))
        lw_lesson_problem(reading, cases->position,
                          "'cases' must be a list of objects: [{\"rows\": 16}, {\"rows\": 32}], "
                          "or name a table of the lesson: \"tile 1\"");
    const struct lw_value *one = cases ? choose(reading, cases, number, &count) : NULL;
    struct lw_lesson *lesson = reading->lesson;
    if (!one)
        return;
    const struct lw_value all = add_computed(reading, one);
    if (lesson->case_count < count)
        lesson->case_count = count;
    for (size_t i = 0; all.kind == LW_VALUE_OBJECT && i < step->count; i++)
        if (&step->items[i] != cases)
            put(reading, &all, &step->items[i]);
}
