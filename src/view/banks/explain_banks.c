/* The texts of the banks view: the name of an instruction, the total cost of an access, and the explanation of a cell:
 * which lanes conflict in a bank, and why. Lanes conflict when their words differ by whole rows of the banks; where
 * addresses are linear over F2 in the bits of the lane, a few bits explain all conflicts. */

#include "view/banks/view_banks.h"

enum { BITS_MAX = 6 }; /* of the number of a lane */

/* ---- Instructions and their cost ---- */

bool lw_banks_is_whole(const struct lw_view *view)
{
    return view->options.instruction == 0;
}

const struct lw_served *lw_banks_served(const struct lw_view *view, uint64_t row)
{
    struct lw_subject_access *access = view->subject->access;
    uint64_t i = view->options.instruction - 1;
    if (lw_banks_is_whole(view)) {
        const struct lw_bank_folds *folds = lw_bank_folds_of(access, view->options.access, NULL);
        i = folds ? lw_bank_folds_first(folds, row) : row;
    }
    return lw_subject_access_served(access, view->options.access, i);
}

/* Whether an access is ldmatrix or stmatrix: a lane has the address of a row, and the data of the row are other
 * lanes'. */
static bool is_matrix(const struct lw_access *access)
{
    return access->matrices > 0;
}

void lw_banks_put_op(struct lw_text *text, const struct lw_instruction *instruction)
{
    const struct lw_access *access = &instruction->access;
    lw_text_add(text, lw_access_op_name(access->op));
    if (is_matrix(access))
        lw_text_format(text, ".x%u%s", access->matrices, instruction->transposed ? ".trans" : "");
}

/* "ld.shared 16 bytes", "ldmatrix.x4.trans"; of AMD, as in the list of a kernel, "ds_read_b128" */
static void put_op(struct lw_text *text, const struct lw_served *served)
{
    const struct lw_instruction *instruction = &served->instruction;
    unsigned sm;
    if (!lw_hardware_sm(served->plan->request.hardware, &sm)) {
        lw_text_add(text, lw_plan_opcode(served->plan, served->number % served->plan->count));
        return;
    }
    lw_banks_put_op(text, instruction);
    if (is_matrix(&instruction->access))
        return;
    lw_text_char(text, ' ');
    lw_put_count(text, instruction->access.width, "byte");
}

void lw_banks_put_instruction(struct lw_text *text, const struct lw_served *served)
{
    const struct lw_instruction *instruction = &served->instruction;
    put_op(text, served);
    lw_text_format(text, ", warp %llu", (unsigned long long)instruction->warp);
    lw_text_add(text, instruction->register_count == 1 ? ", register " : ", registers ");
    uint64_t first = instruction->registers[0],
             set = 0; /* in the order of their numbers: "0-3,8" */
    bool all = true;
    for (unsigned i = 1; i < instruction->register_count; i++)
        first = instruction->registers[i] < first ? instruction->registers[i] : first;
    for (unsigned i = 0; i < instruction->register_count; i++) {
        uint64_t at = instruction->registers[i] - first;
        all = all && at < 64;
        set |= at < 64 ? (uint64_t)1 << at : 0;
    }
    lw_put_set_from(text, set, first, 8);
    lw_text_add(text, all ? "" : ",...");
    if (served->rounds > 1)
        lw_text_format(text, ", round %llu of %llu", (unsigned long long)served->round + 1,
                       (unsigned long long)served->rounds);
}

void lw_banks_put_fold(struct lw_text *text, const struct lw_served *served,
                       const struct lw_bank_fold *fold)
{
    enum { PIECES = 4 };
    put_op(text, served);
    lw_text_add(text, fold->warps & (fold->warps - 1) ? ", warps " : ", warp ");
    lw_put_set(text, fold->warps, PIECES);
    lw_text_format(text, ", x %llu", (unsigned long long)fold->count);
}

static void put_cost(struct lw_text *text, uint64_t wavefronts, uint64_t ideal, uint64_t conflicts)
{
    lw_text_format(text, "%llu wavefront%s, ideal %llu, %llu conflict%s",
                   (unsigned long long)wavefronts, wavefronts == 1 ? "" : "s",
                   (unsigned long long)ideal, (unsigned long long)conflicts,
                   conflicts == 1 ? "" : "s");
}

static void put_model(struct lw_text *text, const struct lw_plan *plan)
{
    const struct lw_bank_model *model = plan->request.hardware->banks;
    lw_text_format(text, "%s, %u banks, %s", model->name, model->banks, model->evidence);
}

/* ---- The whole view ---- */

/* Writes the cost of one direction. */
static void put_direction(struct lw_text *text, const struct lw_view *view, enum lw_access_op op)
{
    struct lw_error err;
    const struct lw_plan_total *total = lw_subject_access_total(view->subject->access, op, &err);
    lw_text_add(text, op == LW_ACCESS_STORE ? "store: " : "load: ");
    if (!total) {
        lw_text_add(text, err.message);
        return;
    }
    lw_text_format(text, "%llu instruction%s, ", (unsigned long long)total->instructions,
                   total->instructions == 1 ? "" : "s");
    put_cost(text, total->wavefronts, total->ideal, total->conflicts);
}

/* "store: 8 instructions, 32 wavefronts, ideal 32, 0 conflicts; load: ...; NVIDIA, measured on H200", or of one
 * instruction "load 3 of 16: ld.shared 16 bytes, warp 0, registers 8-15: 8 wavefronts, ..." */
void lw_banks_caption(const struct lw_view *view, struct lw_text *text)
{
    const struct lw_served *served = lw_banks_served(view, 0);
    if (!lw_banks_is_whole(view) && served) {
        const struct lw_cost *cost = &served->wavefronts.cost;
        lw_text_format(text, "%s %llu of %llu: ",
                       served->plan->request.op == LW_ACCESS_STORE ? "store" : "load",
                       (unsigned long long)served->number + 1, (unsigned long long)served->count);
        lw_banks_put_instruction(text, served);
        lw_text_add(text, ": ");
        put_cost(text, cost->wavefronts, cost->ideal, cost->conflicts);
    } else {
        if (view->options.access != LW_VIEW_LOAD)
            put_direction(text, view, LW_ACCESS_STORE);
        lw_text_add(text, view->options.access == LW_VIEW_BOTH ? "; " : "");
        if (view->options.access != LW_VIEW_STORE)
            put_direction(text, view, LW_ACCESS_LOAD);
    }
    if (served) {
        lw_text_add(text, "; ");
        put_model(text, served->plan);
    }
}

void lw_banks_legend(const struct lw_view *view, struct lw_text *text)
{
    lw_text_format(text, "banks across; in a cell %s",
                   lw_banks_is_whole(view) ? view->type->heat
                   : is_matrix(&lw_banks_served(view, 0)->instruction.access)
                       ? "the lanes whose row addresses a wavefront serves"
                       : "the lanes that a wavefront serves");
}

/* ---- Words and lanes ---- */

unsigned lw_banks_serving(const struct lw_served *served, const struct lw_bank_model *model)
{
    return lw_access_banks(model, &served->instruction.access);
}

uint64_t lw_banks_lanes(const struct lw_served *served, const struct lw_wavefront *wavefront,
                        int bank)
{
    return served->wavefronts.lanes[bank] & wavefront->lanes;
}

/* " for lane 0", " for lanes 8,9", " by the row address of lane 1" */
static void put_lanes(struct lw_text *text, const struct lw_served *served, uint64_t lanes)
{
    bool matrix = is_matrix(&served->instruction.access);
    bool many = lanes & (lanes - 1);
    lw_text_add(text, !matrix ? " for lane"
                      : many  ? " by the row addresses of lane"
                              : " by the row address of lane");
    lw_text_add(text, many ? "s " : " ");
    lw_put_set(text, lanes, LW_RANGES_MAX);
}

/* Appends "3-way, 2 conflicts: words 0 for lane 0, 32 for lanes 8,9, ..." for one group. */
static void explain_group(struct lw_explanation *explanation, const struct lw_served *served,
                          unsigned group, int bank)
{
    enum { WORDS_SHOWN = 4 };
    const struct lw_wavefronts *all = &served->wavefronts;
    unsigned count = 0, shown = 0;
    for (unsigned i = 0; i < all->count; i++)
        count += all->wavefront[i].group == group && all->wavefront[i].banks >> bank & 1;
    if (!count)
        return;
    struct lw_text *text = lw_explanation_line(explanation, "words");
    if (count > 1)
        lw_text_format(text, "%u-way, %u conflict%s: ", count, count - 1, count == 2 ? "" : "s");
    lw_text_add(text, count > 1 ? "words " : "word ");
    for (unsigned i = 0; i < all->count && shown < WORDS_SHOWN; i++) {
        const struct lw_wavefront *w = &all->wavefront[i];
        if (w->group != group || !(w->banks >> bank & 1))
            continue;
        lw_text_format(text, "%s%llu", shown++ ? ", " : "", (unsigned long long)w->word[bank]);
        put_lanes(text, served, lw_banks_lanes(served, w, bank));
    }
    lw_text_add(text, count > WORDS_SHOWN ? ", ..." : "");
}

/* "(0,5): warp 5, lane 0, register 0": the element, and its first owner in the registers of the access. */
static void explain_element(struct lw_text *text, const struct lw_view *view,
                            const struct lw_served *served, const struct lw_spot *spot)
{
    const struct lw_subject *subject = view->subject;
    const struct lw_subject *registers =
        lw_subject_access_registers(subject->access, served->plan->request.op);
    uint64_t in[LW_DIMS_MAX], bit, round, out[LW_DIMS_MAX];
    lw_put_element(text, subject->map.out.count, spot->out);
    if (lw_subject_access_bit(subject->access, subject, spot->out, &bit, &round) &&
        lw_subject_access_element(subject->access, registers, bit, round, out) &&
        lw_map_owner(&registers->map, out, 0, in)) {
        bool matrix = is_matrix(&served->instruction.access);
        lw_text_add(text, matrix ? ": data of " : ": ");
        lw_put_hardware_index(text, &registers->map.in, in);
    }
}

/* ---- Why lanes conflict ---- */

/* The xor that each bit of the lane applies to the address, from the first active lane on; false when the addresses
 * are not linear in them. */
static bool find_deltas(const struct lw_access *access, uint64_t lanes, uint64_t deltas[BITS_MAX])
{
    int first = __builtin_ctzll(lanes);
    for (int bit = 0; bit < BITS_MAX; bit++) {
        int lane = first ^ 1 << bit;
        bool there = lanes >> lane & 1;
        deltas[bit] = there ? access->address[first] ^ access->address[lane] : 0;
    }
    for (uint64_t m = lanes; m; m &= m - 1) {
        int lane = __builtin_ctzll(m);
        uint64_t address = access->address[first];
        for (int bit = 0; bit < BITS_MAX; bit++) {
            bool differs = (lane ^ first) >> bit & 1;
            if (differs && !(lanes >> (first ^ 1 << bit) & 1))
                return false;
            address ^= differs ? deltas[bit] : 0;
        }
        if (address != access->address[lane])
            return false;
    }
    return true;
}

/* A change of the lane, as the bits of its number, and of the address. */
struct cause {
    unsigned bits;
    uint64_t delta;
};

/* Adds a change to a span, a set with bit v for change v: also its xor with every change in the set. */
static void span(uint64_t *spanned, unsigned change)
{
    for (unsigned u = 0; u < 1u << BITS_MAX; u++)
        *spanned |= *spanned >> u & 1 ? (uint64_t)1 << (u ^ change) : 0;
}

/* The changes of the lane within its group that lead to another word of the same bank, without those that are
 * combinations of others; returns how many. */
static int find_causes(const uint64_t deltas[BITS_MAX], uint64_t group,
                       const struct lw_bank_model *model, struct cause causes[BITS_MAX])
{
    uint64_t spanned = 1;
    int first = __builtin_ctzll(group), count = 0;
    for (unsigned v = 1; v < 1u << BITS_MAX; v++) {
        uint64_t delta = 0;
        for (int bit = 0; bit < BITS_MAX; bit++)
            delta ^= v >> bit & 1 ? deltas[bit] : 0;
        delta &= ~(uint64_t)(model->bank_bytes - 1);
        if (!(group >> ((unsigned)first ^ v) & 1) || delta % lw_bank_model_row_bytes(model) ||
            spanned >> v & 1)
            continue;
        span(&spanned, v);
        if (delta) /* else the same word */
            causes[count++] = (struct cause){v, delta};
    }
    return count;
}

/* "lane bits 0-4 do not reach the bank: they move the address by 128, 256, ... bytes" */
static void put_causes(struct lw_text *text, const struct cause *causes, int count)
{
    uint64_t alone = 0;
    for (int i = 0; i < count; i++)
        alone |= causes[i].bits & (causes[i].bits - 1) ? 0 : causes[i].bits;
    const char *sep = alone ? "; " : "";
    if (alone) {
        lw_text_add(text, alone & (alone - 1) ? "lane bits " : "lane bit ");
        lw_put_set(text, alone, BITS_MAX);
        lw_text_add(text, alone & (alone - 1)
                              ? " do not reach the bank: they move the address by "
                              : " does not reach the bank: it moves the address by ");
        const char *comma = "";
        for (int i = 0; i < count; i++)
            if (!(causes[i].bits & (causes[i].bits - 1))) {
                lw_text_format(text, "%s%llu", comma, (unsigned long long)causes[i].delta);
                comma = ", ";
            }
        lw_text_add(text, " bytes");
    }
    for (int i = 0; i < count; i++)
        if (causes[i].bits & (causes[i].bits - 1)) {
            lw_text_format(text, "%slane bits ", sep);
            lw_put_set(text, causes[i].bits, BITS_MAX);
            lw_text_format(text, " together do not reach the bank: by %llu bytes",
                           (unsigned long long)causes[i].delta);
            sep = "; ";
        }
}

static void explain_conflict(struct lw_explanation *explanation, const struct lw_served *served,
                             unsigned group, int bank)
{
    const struct lw_access *access = &served->instruction.access;
    const struct lw_bank_model *model = served->plan->request.hardware->banks;
    unsigned row_bytes = lw_bank_model_row_bytes(model);
    struct cause causes[BITS_MAX];
    uint64_t deltas[BITS_MAX], lanes = 0;
    int two[2], count = 0, found = 0; /* two lanes of the group that access different words */
    const struct lw_wavefronts *all = &served->wavefronts;
    for (unsigned i = 0; i < all->count && found < 2; i++)
        if (all->wavefront[i].group == group && all->wavefront[i].banks >> bank & 1)
            two[found++] = __builtin_ctzll(lw_banks_lanes(served, &all->wavefront[i], bank));
    for (unsigned g = 0; g < all->group_count; g++)
        lanes |= all->group[g];
    if (find_deltas(access, lanes, deltas))
        count = find_causes(deltas, all->group[group], model, causes);
    struct lw_text *text = lw_explanation_line(explanation, "because");
    if (count) {
        put_causes(text, causes, count);
        lw_text_format(text, ", and the banks repeat after %u", row_bytes);
    } else if (found == 2) {
        uint64_t a = access->address[two[0]], b = access->address[two[1]];
        uint64_t apart = a / model->bank_bytes * model->bank_bytes;
        uint64_t other = b / model->bank_bytes * model->bank_bytes;
        apart = apart > other ? apart - other : other - apart;
        lw_text_format(text, "lanes %d and %d are %llu bytes apart", two[0], two[1],
                       (unsigned long long)apart);
        if (apart % row_bytes == 0)
            lw_text_format(text, ", and the banks repeat after %u", row_bytes);
    }
    lw_text_add(lw_explanation_line(explanation, "better"),
                "o finds the swizzle or padding with the fewest wavefronts");
}

/* ---- All of it ---- */

static void explain_instruction(struct lw_explanation *explanation, const struct lw_served *served)
{
    const struct lw_cost *cost = &served->wavefronts.cost;
    lw_banks_put_instruction(lw_explanation_line(explanation, "instruction"), served);
    struct lw_text *text = lw_explanation_line(explanation, "costs");
    put_cost(text, cost->wavefronts, cost->ideal, cost->conflicts);
    const unsigned groups =
        cost->wavefronts - cost->conflicts; /* of lanes: each needs a wavefront */
    if (groups != cost->ideal)
        lw_text_format(text,
                       cost->conflicts
                           ? "; 1 for each of %u groups of lanes, and the conflicts"
                           : "; 1 for each of %u groups of lanes, whose words fit in %u",
                       groups, cost->ideal);
    lw_text_add(text, "; ");
    put_model(text, served->plan);
}

static void explain_bank(struct lw_explanation *explanation, const struct lw_wavefronts *all,
                         int bank)
{
    unsigned lanes = (unsigned)__builtin_popcountll(all->lanes[bank]);
    struct lw_text *text = lw_explanation_line(explanation, "bank");
    if (all->words[bank])
        lw_text_format(text, "%d: %u word%s for %u lane%s in %u group%s", bank, all->words[bank],
                       all->words[bank] == 1 ? "" : "s", lanes, lanes == 1 ? "" : "s",
                       all->group_count, all->group_count == 1 ? "" : "s");
    else
        lw_text_format(text, "%d: no lane reads or writes a word of it", bank);
}

/* The group that accesses the most words of a bank; -1: no group accesses more than one. */
static int worst_group(const struct lw_wavefronts *all, int bank)
{
    unsigned most = 1;
    int worst = -1;
    for (unsigned g = 0; bank >= 0 && g < all->group_count; g++) {
        unsigned count = 0;
        for (unsigned i = 0; i < all->count; i++)
            count += all->wavefront[i].group == g && all->wavefront[i].banks >> bank & 1;
        worst = count > most ? (int)g : worst;
        most = count > most ? count : most;
    }
    return worst;
}

/* "3 of 4: word 512 for lane 4": the word of a bank that one wavefront moves. */
static void explain_wavefront(struct lw_explanation *explanation, const struct lw_served *served,
                              const struct lw_wavefront *wavefront, int bank)
{
    struct lw_text *text = lw_explanation_line(explanation, "wavefront");
    uint64_t lanes = bank >= 0 ? lw_banks_lanes(served, wavefront, bank) : 0;
    lw_text_format(text, "%u of %u: ", (unsigned)(wavefront - served->wavefronts.wavefront) + 1,
                   served->wavefronts.count);
    if (!lanes) {
        lw_text_add(text, bank < 0 ? "it serves lanes " : "nothing of this bank; it serves lanes ");
        lw_put_set(text, wavefront->lanes, 8);
        return;
    }
    lw_text_format(text, "word %llu of bank %d", (unsigned long long)wavefront->word[bank], bank);
    put_lanes(text, served, lanes);
}

void lw_banks_explain(const struct lw_view *view, const struct lw_served *served,
                      const struct lw_wavefront *wavefront, int bank, const struct lw_spot *spot,
                      struct lw_explanation *explanation)
{
    const struct lw_wavefronts *all = &served->wavefronts;
    int worst = worst_group(all, bank);
    int other = -1; /* the first bank in which lanes of a group conflict */
    for (int i = 0; i < LW_BANKS_MAX && worst < 0; i++)
        if (all->words[i] > 1 && (worst = worst_group(all, i)) >= 0)
            other = i;
    if (worst < 0)
        explain_instruction(explanation, served);
    if (wavefront)
        explain_wavefront(explanation, served, wavefront, bank);
    if (bank >= 0)
        explain_bank(explanation, all, bank);
    if (other >= 0)
        explain_bank(explanation, all, other);
    for (unsigned g = 0; bank >= 0 && g < all->group_count; g++)
        if (!wavefront || wavefront->group == g)
            explain_group(explanation, served, g, bank);
    if (worst >= 0) { /* the last line is left out first when there is little room */
        explain_conflict(explanation, served, (unsigned)worst, other >= 0 ? other : bank);
        explain_instruction(explanation, served);
    }
    if (spot)
        explain_element(lw_explanation_line(explanation, "element"), view, served, spot);
}
