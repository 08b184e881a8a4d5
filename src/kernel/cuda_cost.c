/* What the accesses of a text of CUDA C++ cost: each execution of each warp is one instruction, exactly as it is
 * written. Then fixes of bank conflicts as C++: padding of a row, and a xor of the column with the row. */

#include "laneway/kernel_cost.h"

#include "analysis/access/plan_parts.h"
#include "notation/expression/scan.h"

#include <string.h>

enum { LANES = 32, BANKS_BYTES = 128 };

/* ---- Costs ---- */

/* Makes the cost of a load that of an atomic, which serves one lane of each bank in a wavefront, as counted on an
 * H200; returns how many instructions it is. */
static unsigned make_atomic(struct lw_cost *cost, enum lw_cuda_atomic kind,
                            const struct lw_access *access, const struct lw_bank_model *banks)
{
    unsigned lanes[LW_BANKS_MAX] = {0}, most = 0; /* of a bank */
    for (unsigned lane = 0; lane < LANES; lane++)
        if (access->active >> lane & 1) {
            const uint64_t bank = access->address[lane] / banks->bank_bytes % banks->banks;
            most = ++lanes[bank] > most ? lanes[bank] : most;
        }
    if (kind == LW_CUDA_COUNT) /* as a load */
        most = cost->wavefronts;
    cost->conflicts = most - 1;
    cost->ideal = kind == LW_CUDA_CAS || kind == LW_CUDA_FLOAT ? 2 : 1; /* of each lane */
    cost->wavefronts = cost->ideal * most;
    return kind == LW_CUDA_FLOAT ? most : 1; /* a loop: one round for each lane of the bank */
}

bool lw_cuda_instruction(const struct lw_cuda *cuda, const struct lw_cuda_access *access, size_t i,
                         struct lw_access *out)
{
    const size_t warps = (cuda->threads + LANES - 1) / LANES, warp = i % warps;
    const uint64_t *addresses = access->addresses + i / warps * cuda->threads;
    *out = (struct lw_access){.op = access->op == LW_CUDA_STORE ? LW_ACCESS_STORE : LW_ACCESS_LOAD,
                              .width = access->bytes};
    for (size_t lane = 0; lane < LANES && warp * LANES + lane < cuda->threads; lane++) {
        const uint64_t address = addresses[warp * LANES + lane];
        if (address == LW_CUDA_INACTIVE)
            continue;
        out->active |= (uint64_t)1 << lane;
        out->address[lane] = cuda->arrays[access->array].base + address;
    }
    return out->active != 0;
}

bool lw_cuda_count(const struct lw_cuda *cuda, const struct lw_cuda_access *access,
                   const struct lw_hardware *hardware, struct lw_cuda_cost *cost,
                   struct lw_error *err)
{
    const size_t warps = (cuda->threads + LANES - 1) / LANES;
    const struct lw_bank_model *banks = (hardware ? hardware : lw_hardware_default())->banks;
    struct lw_coalescing global = {.vector_bytes = access->bytes};
    struct lw_access instruction;
    *cost = (struct lw_cuda_cost){0};
    for (size_t i = 0; i < access->times * warps; i++) {
        struct lw_cost one = {0};
        uint64_t addresses[LANES];
        unsigned active = 0;
        if (!lw_cuda_instruction(cuda, access, i, &instruction))
            continue;
        for (unsigned lane = 0; lane < LANES; lane++)
            if (instruction.active >> lane & 1)
                addresses[active++] = instruction.address[lane];
        if (!cuda->arrays[access->array].is_shared)
            lw_coalescing_add(&global, addresses, active);
        else if (!lw_access_cost(banks, &instruction, &one, err))
            return false;
        cost->instructions += access->op == LW_CUDA_ATOMIC && one.wavefronts
                                  ? make_atomic(&one, access->atomic, &instruction, banks)
                                  : 1;
        cost->wavefronts += one.wavefronts;
        cost->ideal += one.ideal;
        cost->conflicts += one.conflicts;
    }
    cost->sectors = global.sectors;
    cost->ideal_sectors = global.ideal_sectors;
    cost->lines = global.lines;
    return true;
}

/* ---- Fixes ----
 *
 * A fix gives elements other numbers. Of element row * pitch + column it makes
 *
 *     padding   row * (pitch + more) + column
 *     xor       row * pitch + (column ^ row % turns * vector)
 *
 * In an array with rows the text of the last length, or of the columns, is changed; in a flat array that of each index:
 * `r * 64 + c + r`, `(r * 64 + c) ^ r % 32`, or with its row as `(r * 64 + c) / 64`. The changed text is executed, and
 * every access must have the address that the fix gives it. */

/* Brackets in the text, `[i][j]`: where they begin, and what is in the last two; NULL: they are not there. */
struct part {
    const char *begin;
    struct lw_span row, column;
};

struct fixing {
    struct lw_cuda_fixes *fixes;
    const struct lw_cuda *cuda;
    const struct lw_cuda_array *array;
    const struct lw_hardware *hardware;
    uint64_t vector; /* elements that an access moves at most */
    /* The fix: its kind, the elements of a row, and `more` of a padding, `turns` of a xor. */
    enum lw_cuda_fix_kind kind;
    uint64_t pitch, by;
    bool has_row;        /* the row is in the text of an index: `r` in `r * 64 + c` */
    uint64_t *addresses; /* room for those of any access */
    struct part *parts;  /* the lengths of the array, and the indices of each access to it */
};

/* The byte of the array where an access is after the fix. */
static uint64_t moved(const struct fixing *fixing, uint64_t byte)
{
    const struct lw_cuda_array *array = fixing->array;
    const uint64_t element = byte / array->bytes, column = element % fixing->pitch;
    uint64_t row = element / fixing->pitch, to = element + row * fixing->by;
    if (byte == LW_CUDA_INACTIVE)
        return byte;
    row = array->rank > 1 ? row % array->dims[array->rank - 2] : row;
    if (fixing->kind == LW_CUDA_XOR)
        to = element - column + (column ^ row % fixing->by * fixing->vector);
    return to * array->bytes + byte % array->bytes;
}

/* The wavefronts of all accesses to the array after the fix; *ideal: without conflicts. UINT64_MAX: they are not
 * known. */
static uint64_t count(const struct fixing *fixing, uint64_t *ideal)
{
    const struct lw_cuda *cuda = fixing->cuda;
    uint64_t wavefronts = *ideal = 0;
    for (size_t i = 0; i < cuda->access_count; i++) {
        struct lw_cuda_access access = cuda->accesses[i];
        struct lw_cuda_cost cost;
        if (&cuda->arrays[access.array] != fixing->array)
            continue;
        for (size_t k = 0; k < access.times * cuda->threads; k++)
            fixing->addresses[k] = moved(fixing, access.addresses[k]);
        access.addresses = fixing->addresses;
        if (!lw_cuda_count(cuda, &access, fixing->hardware, &cost, NULL))
            return UINT64_MAX;
        wavefronts += cost.wavefronts;
        *ideal += cost.ideal;
    }
    return wavefronts;
}

/* The bytes of the array in a text; 0: its accesses are not those of the fix. */
static uint64_t size_of(const struct fixing *fixing, const char *text)
{
    const struct lw_cuda *was = fixing->cuda;
    struct lw_arena *arena = &fixing->fixes->arena;
    struct lw_cuda cuda;
    struct lw_error err;
    if (!lw_cuda_read(&cuda, text, strlen(text), &was->options, &err)) {
        arena->failed = arena->failed || err.code == LW_ERROR_MEMORY;
        return 0;
    }
    bool good = cuda.access_count == was->access_count && cuda.warning.code == LW_OK;
    for (size_t i = 0; good && i < cuda.access_count; i++) {
        const struct lw_cuda_access *access = &cuda.accesses[i], *old = &was->accesses[i];
        const bool is_own = &was->arrays[old->array] == fixing->array;
        good = access->array == old->array && access->times == old->times;
        for (size_t k = 0; good && k < access->times * cuda.threads; k++)
            good = access->addresses[k] ==
                   (is_own ? moved(fixing, old->addresses[k]) : old->addresses[k]);
    }
    const uint64_t size = good ? cuda.arrays[fixing->array - was->arrays].size : 0;
    lw_cuda_free(&cuda);
    return size;
}

/* The first brackets from a position of the text on, in its statement. */
static struct part part_of(const struct lw_cuda *cuda, struct lw_position position)
{
    struct part part = {0};
    const char *at = cuda->text;
    int open = 0;
    for (int line = 1; line < position.line; line++)
        at += strcspn(at, "\n") + 1;
    at += position.column - 1;
    at += strcspn(at, "[;{}");
    part.begin = at;
    for (; *at && (open || *at == '['); at++) {
        if (*at == '[' && !open++) {
            part.row = part.column;
            part.column.at = at + 1;
        } else if (*at == ']' && !--open) {
            part.column.length = (size_t)(at - part.column.at);
        }
    }
    return part;
}

/* The first operator of a list that is in no brackets, or the last one; NULL: there is none. */
static const char *find_operator(struct lw_span part, const char *operators, bool last)
{
    const char *found = NULL;
    int open = 0;
    for (const char *at = part.at; at < part.at + part.length && (last || !found); at++) {
        open += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        found = !open && strchr(operators, *at) ? at : found;
    }
    return found;
}

static void put_operand(struct lw_text *text, struct lw_span part, const char *operators)
{
    lw_text_format(text, find_operator(part, operators, false) ? "(%.*s)" : "%.*s",
                   (int)part.length, part.at);
}

/* An index as the fix has it: "c ^ r % 8 * 4", "r * 64 + c + r". */
static void put_index(struct lw_text *text, const struct fixing *fixing, const struct part *part)
{
    const struct lw_cuda_array *array = fixing->array;
    const struct lw_span index = part->column;
    const bool is_xor = fixing->kind == LW_CUDA_XOR, is_flat = array->rank == 1;
    const uint64_t rows = is_flat ? array->dims[0] / fixing->pitch : array->dims[array->rank - 2],
                   times = is_xor ? fixing->vector : fixing->by;
    struct lw_span row = is_flat ? index : part->row;
    const char *end = NULL;
    if (is_flat && fixing->has_row) {
        end = find_operator(row, "+-", false);
        row.length = end ? (size_t)(end - row.at) : row.length;
        end = find_operator(row, "*", true);
        row.length = end ? (size_t)(end - row.at) : index.length;
    }
    for (; end && row.length && row.at[row.length - 1] == ' '; row.length--)
        ;
    put_operand(text, index, is_xor ? "+-|?=,&<>" : "|?=,&^<>");
    lw_text_add(text, is_xor ? " ^ " : " + ");
    put_operand(text, row, is_flat && !end ? "+-&|^<>=?," : "+-*/%&|^<>=?,");
    if (is_flat && !end)
        lw_text_format(text, " / %llu", (unsigned long long)fixing->pitch);
    if (is_xor && rows > fixing->by)
        lw_text_format(text, " %% %llu", (unsigned long long)fixing->by);
    if (times > 1)
        lw_text_format(text, " * %llu", (unsigned long long)times);
}

/* The last length of the array as the fix has it. */
static void put_length(struct lw_text *text, const struct fixing *fixing)
{
    const struct lw_cuda_array *array = fixing->array;
    const struct lw_span part = fixing->parts[0].column;
    const uint64_t last = array->dims[array->rank - 1],
                   more = array->rank == 1 ? last / fixing->pitch * fixing->by : fixing->by;
    if (strspn(part.at, "0123456789") >= part.length ||
        find_operator(part, "+-|?=,&^<>", false)) /* it has several terms */
        lw_text_number(text, last + more);
    else
        lw_text_format(text, "%.*s + %llu", (int)part.length, part.at, (unsigned long long)more);
}

/* Changes the text as the fix does, the length before the indices, which are in the order of the text. What is new is
 * "tile[32][33]", "tile[y][x ^ y]". */
static void write_fix(struct fixing *fixing, struct lw_cuda_fix *fix)
{
    const struct lw_cuda *cuda = fixing->cuda;
    const struct lw_cuda_array *array = fixing->array;
    const bool is_flat = array->rank == 1, is_xor = fixing->kind == LW_CUDA_XOR;
    struct lw_arena *arena = &fixing->fixes->arena;
    struct lw_text text = {0}, changed = {0};
    const char *at = cuda->text;
    bool has_index = false;
    for (size_t i = is_xor; i <= (is_xor || is_flat ? cuda->access_count : 0); i++) {
        const struct part *part = &fixing->parts[i];
        if (!part->column.at ||
            part->column.at < at) /* of another array, or of a load and a store */
            continue;
        lw_text_bytes(&text, at, (size_t)(part->column.at - at));
        const size_t from = text.length;
        if (i)
            put_index(&text, fixing, part);
        else
            put_length(&text, fixing);
        at = part->column.at + part->column.length;
        if (i && has_index)
            continue;
        has_index = i > 0;
        lw_text_format(&changed, "%s%s%.*s%s]", changed.length ? ", " : "", array->name,
                       (int)(part->column.at - part->begin), part->begin,
                       lw_text_string(&text) + from);
    }
    lw_text_add(&text, at);
    fix->text = lw_arena_string(arena, lw_text_string(&text), text.length);
    fix->changed = lw_arena_string(arena, lw_text_string(&changed), changed.length);
    fix->bytes = fix->text ? size_of(fixing, fix->text) : 0;
    lw_text_free(&text);
    lw_text_free(&changed);
}

/* Finds the least padding, or the xor, with the fewest wavefronts, and changes the text. */
static void add_fix(struct fixing *fixing, enum lw_cuda_fix_kind kind, uint64_t ideal)
{
    const struct lw_cuda_array *array = fixing->array;
    const uint64_t unit = fixing->vector, cells = BANKS_BYTES / array->bytes;
    const bool is_flat = array->rank == 1, is_xor = kind == LW_CUDA_XOR;
    struct lw_cuda_fix best = {kind, NULL, NULL, fixing->fixes->fix[0].wavefronts, 0};
    struct fixing found = {.by = 0};
    fixing->kind = kind;
    fixing->pitch = is_flat ? cells : array->dims[array->rank - 1];
    do {
        fixing->by = fixing->vector = unit;
        do { /* with more padding, or a xor of more elements, up to a word */
            for (fixing->by = is_xor ? cells / fixing->vector : fixing->by;
                 is_xor && fixing->by > 1 && fixing->pitch % (fixing->by * fixing->vector);)
                fixing->by /= 2;
            const uint64_t wavefronts = count(fixing, &ideal);
            if (wavefronts < best.wavefronts) {
                best.wavefronts = wavefronts;
                found = *fixing;
            }
            fixing->by += is_flat ? fixing->by : unit;
            fixing->vector *= is_xor ? 2 : 1;
        } while (best.wavefronts > ideal &&
                 (is_xor ? fixing->vector * array->bytes <= 4 : fixing->by <= cells));
        fixing->pitch *= 2;
    } while (is_flat && fixing->pitch < array->dims[0] && best.wavefronts > ideal);
    for (int form = is_flat; form >= 0 && found.by && !best.bytes; form--) {
        found.has_row = form;
        write_fix(&found, &best);
    }
    if (best.bytes)
        fixing->fixes->fix[fixing->fixes->count++] = best;
}

bool lw_cuda_fixes_make(struct lw_cuda_fixes *fixes, const struct lw_cuda *cuda, size_t array,
                        const struct lw_hardware *hardware, struct lw_error *err)
{
    const struct lw_cuda_array *own = &cuda->arrays[array];
    const size_t accesses = cuda->access_count;
    struct fixing fixing = {fixes, cuda, own, hardware, .vector = 1, .pitch = 1};
    uint64_t rounds = 1, ideal = 0;
    *fixes = (struct lw_cuda_fixes){.count = 1};
    fixing.parts = lw_arena_alloc(&fixes->arena, (accesses + 1) * sizeof *fixing.parts);
    bool good = fixing.parts && own->is_shared && own->rank;
    if (good)
        fixing.parts[0] = part_of(cuda, own->position);
    for (size_t i = 0; i < accesses && good; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        struct part *part = &fixing.parts[i + 1];
        if (access->array != array)
            continue;
        *part = part_of(cuda, access->position);
        good = fixing.parts[0].column.at && (own->rank > 1 ? part->row.at : part->column.at);
        if (access->bytes > fixing.vector * own->bytes)
            fixing.vector = access->bytes / own->bytes;
        rounds = access->times > rounds ? access->times : rounds;
    }
    fixing.addresses =
        lw_arena_alloc(&fixes->arena, rounds * cuda->threads * sizeof *fixing.addresses);
    const uint64_t wavefronts = good && fixing.addresses ? count(&fixing, &ideal) : 0;
    fixes->fix[0] = (struct lw_cuda_fix){LW_CUDA_AS_WRITTEN, cuda->text, "as it is written",
                                         wavefronts, own->size};
    for (int kind = LW_CUDA_PADDED; kind <= LW_CUDA_XOR && wavefronts > ideal; kind++)
        add_fix(&fixing, (enum lw_cuda_fix_kind)kind, ideal);
    if (fixes->arena.failed || fixes->arena.full)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    else if (!good)
        lw_error_set(err, LW_ERROR_UNSUPPORTED,
                     "fixes are of arrays in shared memory that are written with their "
                     "length and indices: %.40s[N]; %.40s[i] = v;",
                     own->name, own->name);
    if (!good)
        lw_cuda_fixes_free(fixes);
    return good;
}

void lw_cuda_fixes_free(struct lw_cuda_fixes *fixes)
{
    lw_arena_free(&fixes->arena);
    *fixes = (struct lw_cuda_fixes){0};
}
