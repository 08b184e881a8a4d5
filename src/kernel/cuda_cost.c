/* What the accesses of a text of CUDA C++ cost: each execution of each warp is one instruction, exactly as it is
 * written. Then fixes of bank conflicts as C++: padding of a row, and a xor of the column with the row. A fix is a
 * change of the text, which is read and counted as any other. */

#include "laneway/kernel_cost.h"

#include "analysis/access/plan_parts.h"

#include <ctype.h>
#include <string.h>

enum { LANES = 32, BANKS_BYTES = 128, PADDINGS = 32 };

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
    const struct lw_cuda_array *array = &cuda->arrays[access->array];
    *out = (struct lw_access){.op = access->op == LW_CUDA_STORE ? LW_ACCESS_STORE : LW_ACCESS_LOAD,
                              .width = access->bytes};
    for (size_t lane = 0; lane < LANES && warp * LANES + lane < cuda->threads; lane++) {
        const uint64_t address = addresses[warp * LANES + lane];
        if (address == LW_CUDA_INACTIVE)
            continue;
        out->active |= (uint64_t)1 << lane;
        out->address[lane] = array->base + address;
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

/* ---- Fixes ---- */

/* A change of the text: a part of it is replaced. */
struct edit {
    size_t from, to; /* bytes of the text */
    const char *with;
};

struct fixing {
    struct lw_cuda_fixes *fixes;
    const struct lw_cuda *cuda;
    const struct lw_cuda_array *array;
    const struct lw_hardware *hardware;
    unsigned vector;    /* elements that an access moves at most */
    struct edit *edits; /* room for one of each access, and one more */
    size_t edit_count;
    bool failed; /* memory is out */
};

/* Where a position begins in the text. */
static size_t byte_of(const struct fixing *fixing, struct lw_position position)
{
    size_t at = 0;
    for (int line = 1; line < position.line && at < fixing->cuda->length; at++)
        line += fixing->cuda->text[at] == '\n';
    return at + (size_t)position.column - 1;
}

/* A text in the arena; "" when memory is out. */
static const char *keep(struct fixing *fixing, const char *bytes, size_t length)
{
    const char *kept = lw_arena_string(&fixing->fixes->arena, bytes, length);
    fixing->failed = fixing->failed || !kept;
    return kept ? kept : "";
}

static const char *keep_text(struct fixing *fixing, struct lw_text *text)
{
    const char *kept = keep(fixing, lw_text_string(text), text->length);
    fixing->failed = fixing->failed || text->failed;
    lw_text_free(text);
    return kept;
}

static const char *text_of(struct fixing *fixing, struct lw_position position)
{
    return keep(fixing, fixing->cuda->text + byte_of(fixing, position), (size_t)position.length);
}

/* Edits are in the order of the text. */
static void add_edit(struct fixing *fixing, struct lw_position position, const char *with)
{
    const size_t from = byte_of(fixing, position);
    size_t at = fixing->edit_count++;
    for (; at && fixing->edits[at - 1].from > from; at--)
        fixing->edits[at] = fixing->edits[at - 1];
    fixing->edits[at] = (struct edit){from, from + (size_t)position.length, with};
}

/* Counts the wavefronts of the array in a text; false: it is not legal, or has conflicts that are not known. */
static bool count(const struct fixing *fixing, struct lw_cuda_fix *fix)
{
    struct lw_cuda cuda;
    const size_t array = (size_t)(fixing->array - fixing->cuda->arrays);
    bool good = lw_cuda_read(&cuda, fix->text, strlen(fix->text), &fixing->cuda->options, NULL);
    if (!good)
        return false;
    fix->bytes = cuda.arrays[array].size;
    for (size_t i = 0; good && i < cuda.access_count; i++) {
        struct lw_cuda_cost cost;
        if (cuda.accesses[i].array != array)
            continue;
        good = lw_cuda_count(&cuda, &cuda.accesses[i], fixing->hardware, &cost, NULL);
        fix->wavefronts += cost.wavefronts;
    }
    good = good && cuda.warning.code == LW_OK;
    lw_cuda_free(&cuda);
    return good;
}

/* Tries the edits; they are kept as the fix of that kind if they take fewer wavefronts than the one before. */
static void try_edits(struct fixing *fixing, enum lw_cuda_fix_kind kind, const char *changed)
{
    struct lw_cuda_fixes *fixes = fixing->fixes;
    struct lw_text text = {0};
    size_t at = 0, slot = fixes->count;
    for (size_t i = 0; i < fixing->edit_count; at = fixing->edits[i++].to) {
        lw_text_bytes(&text, fixing->cuda->text + at, fixing->edits[i].from - at);
        lw_text_add(&text, fixing->edits[i].with);
    }
    lw_text_bytes(&text, fixing->cuda->text + at, fixing->cuda->length - at);
    struct lw_cuda_fix fix = {kind, keep_text(fixing, &text), changed, 0, 0};
    if (fixes->fix[fixes->count - 1].kind == kind)
        slot--;
    if (!fixing->failed && count(fixing, &fix) &&
        fix.wavefronts < fixes->fix[slot == fixes->count ? 0 : slot].wavefronts) {
        fixes->fix[slot] = fix;
        fixes->count = slot + 1;
    }
    fixing->edit_count = 0;
}

static void pad(struct fixing *fixing)
{
    const struct lw_cuda_array *array = fixing->array;
    const char *dim = text_of(fixing, array->last_dim);
    const bool is_number = strspn(dim, "0123456789") == strlen(dim);
    const unsigned unit = fixing->vector;
    for (unsigned more = unit; more <= PADDINGS * unit && more * array->bytes <= BANKS_BYTES;
         more += unit) {
        struct lw_text with = {0}, changed = {0};
        if (is_number)
            lw_text_number(&with, array->dims[array->rank - 1] + more);
        else
            lw_text_format(&with, "%s + %u", dim, more);
        const char *text = keep_text(fixing, &with);
        lw_text_add(&changed, array->name);
        for (int d = 0; d + 1 < array->rank; d++)
            lw_text_format(&changed, "[%llu]", (unsigned long long)array->dims[d]);
        lw_text_format(&changed, "[%s]", text);
        add_edit(fixing, array->last_dim, text);
        try_edits(fixing, LW_CUDA_PADDED, keep_text(fixing, &changed));
    }
}

/* "column ^ row % 8 * 4"; the row is in brackets unless it is one name, number or part. */
static const char *xor_of(struct fixing *fixing, const char *row, const char *column,
                          uint64_t turns)
{
    const struct lw_cuda_array *array = fixing->array;
    struct lw_text text = {0};
    const char *rest = row;
    while (isalnum((unsigned char)*rest) || *rest == '_' || *rest == '.')
        rest++;
    lw_text_format(&text, strpbrk(column, "|?=,&") ? "(%s) ^ " : "%s ^ ", column);
    lw_text_format(&text, *rest ? "(%s)" : "%s", row);
    if (array->dims[array->rank - 2] > turns)
        lw_text_format(&text, " %% %llu", (unsigned long long)turns);
    if (fixing->vector > 1)
        lw_text_format(&text, " * %u", fixing->vector);
    return keep_text(fixing, &text);
}

static void xor_columns(struct fixing *fixing)
{
    const struct lw_cuda *cuda = fixing->cuda;
    const struct lw_cuda_array *array = fixing->array;
    uint64_t turns = BANKS_BYTES / array->bytes / fixing->vector;
    const char *changed = "";
    while (turns > 1 && array->dims[array->rank - 1] % (turns * fixing->vector))
        turns /= 2;
    if (turns < 2)
        return;
    for (size_t i = 0; i < cuda->access_count; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        if (&cuda->arrays[access->array] != array ||
            (i && access->position.line == access[-1].position.line &&
             access->column.column == access[-1].column.column))
            continue; /* += is one text */
        const char *row = text_of(fixing, access->row);
        const char *text = xor_of(fixing, row, text_of(fixing, access->column), turns);
        add_edit(fixing, access->column, text);
        if (!*changed) {
            struct lw_text all = {0};
            lw_text_format(&all, "%s[%s][%s]", array->name, row, text);
            changed = keep_text(fixing, &all);
        }
    }
    try_edits(fixing, LW_CUDA_XOR, changed);
}

bool lw_cuda_fixes_make(struct lw_cuda_fixes *fixes, const struct lw_cuda *cuda, size_t array,
                        const struct lw_hardware *hardware, struct lw_error *err)
{
    const struct lw_cuda_array *own = &cuda->arrays[array];
    struct fixing fixing = {
        .fixes = fixes, .cuda = cuda, .array = own, .hardware = hardware, .vector = 1};
    *fixes = (struct lw_cuda_fixes){.count = 1};
    if (!own->is_shared || own->rank < 2 || !own->last_dim.line)
        return lw_error_set(
            err, LW_ERROR_UNSUPPORTED,
            "%.40s has no rows to pad: declare it with two lengths, %.40s[ROWS][COLS]", own->name,
            own->name);
    for (size_t i = 0; i < cuda->access_count; i++) {
        const struct lw_cuda_access *access = &cuda->accesses[i];
        if (access->array != array)
            continue;
        if (!access->row.line || !access->column.line)
            return lw_error_at(err, LW_ERROR_UNSUPPORTED, access->position,
                               "this access is not written as %.40s[row][column]", own->name);
        if (access->bytes > fixing.vector * own->bytes)
            fixing.vector = access->bytes / own->bytes;
    }
    fixing.edits = lw_arena_alloc(&fixes->arena, (cuda->access_count + 1) * sizeof *fixing.edits);
    fixes->fix[0].text = keep(&fixing, cuda->text, cuda->length);
    fixes->fix[0].changed = "as it is written";
    if (!fixing.edits || fixing.failed || !count(&fixing, &fixes->fix[0])) {
        lw_cuda_fixes_free(fixes);
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "the accesses to %.40s cannot be counted as they are written",
                            own->name);
    }
    pad(&fixing);
    xor_columns(&fixing);
    return true;
}

void lw_cuda_fixes_free(struct lw_cuda_fixes *fixes)
{
    lw_arena_free(&fixes->arena);
    *fixes = (struct lw_cuda_fixes){0};
}
