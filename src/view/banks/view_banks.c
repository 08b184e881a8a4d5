/*
 * The banks view: the accesses between registers and shared memory. Of the whole access a row is an instruction, with
 * the words that it moves of each bank; of one instruction a row is a wavefront, with the lanes that it serves in each
 * bank, under the words and the lanes of each bank.
 */

#include "view/banks/view_banks.h"

#include <string.h>

struct banks {
    struct lw_view_state shared;
    size_t widest; /* cell, of one instruction in full */
};

static struct banks *banks_of(const struct lw_view *view)
{
    return (struct banks *)view->state;
}

/* Columns after the banks of the whole access; rows before the wavefronts of one instruction. */
enum { COL_WAVEFRONTS, COL_IDEAL, COL_CONFLICTS, TOTALS };
enum { ROW_WORDS, ROW_LANES, ROW_FIRST_WAVEFRONT };

static uint64_t bank_count(const struct lw_view *view)
{
    return view->cols - (lw_banks_is_whole(view) ? TOTALS : 0);
}

/* The bank of a column; -1: the column is of no bank. */
static int bank_of(const struct lw_view *view, uint64_t col)
{
    return col < bank_count(view) ? (int)col : -1;
}

/* The wavefront of a row; NULL: the row is of no wavefront. */
static const struct lw_wavefront *wavefront_of(const struct lw_view *view,
                                               const struct lw_served *served, uint64_t row)
{
    if (lw_banks_is_whole(view) || row < ROW_FIRST_WAVEFRONT ||
        row - ROW_FIRST_WAVEFRONT >= served->wavefronts.count)
        return NULL;
    return &served->wavefronts.wavefront[row - ROW_FIRST_WAVEFRONT];
}

/* The most banks that serve an instruction of the whole access. */
static unsigned widest_banks(const struct lw_view *view)
{
    const struct lw_bank_model *model = lw_subject_banks(view->subject);
    enum lw_view_access access = view->options.access;
    unsigned most = 0;
    for (int store = access == LW_VIEW_STORE; store < (access == LW_VIEW_LOAD ? 1 : 2); store++)
        for (int width = 0; width < LW_WIDTHS; width++) {
            const struct lw_access any = {.op = store ? LW_ACCESS_STORE : LW_ACCESS_LOAD,
                                          .width = 1u << width};
            unsigned banks = lw_access_banks(model, &any);
            if ((store ? model->store : model->load)[width] && banks > most)
                most = banks;
        }
    return most ? most : model->banks;
}

static bool open_view(struct lw_view *view, struct lw_error *err)
{
    const struct lw_view_options *o = &view->options;
    const struct lw_bank_model *model = lw_subject_banks(view->subject);
    const struct lw_bank_folds *folds;
    uint64_t count;
    if (!lw_subject_access_check(view->subject, err) ||
        !lw_subject_access_count(view->subject->access, o->access, &count, err) ||
        !(folds = lw_bank_folds_of(view->subject->access, o->access, err)))
        return false;
    view->rows = folds->rows;
    view->cols = widest_banks(view) + TOTALS;
    if (!lw_banks_is_whole(view)) {
        const struct lw_served *served = lw_banks_served(view, 0);
        if (!served)
            return lw_error_set(err, LW_ERROR_LIMIT, "no instruction %llu: must be from 1 to %llu",
                                (unsigned long long)o->instruction, (unsigned long long)count);
        if (o->wavefront > served->wavefronts.count)
            return lw_error_set(err, LW_ERROR_LIMIT, "no wavefront %u: must be from 1 to %u",
                                o->wavefront, served->wavefronts.count);
        view->rows = ROW_FIRST_WAVEFRONT + served->wavefronts.count;
        view->cols = lw_access_banks(model, &served->instruction.access);
    }
    view->page_rows = view->rows;
    bool lists = !lw_banks_is_whole(view);
    banks_of(view)->widest = lists ? lw_widest_cell(view) : 0;
    view->color = "lane"; /* of a wavefront's cells: the first that it serves */
    return true;
}

/* "33 ld.shared 4 bytes, warp 0, register 0", of several "st.shared 4 bytes, warps 0-31, x 32"; "wavefront 2, conflict:
 * lanes 8-15" */
static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    const struct lw_served *served = lw_banks_served(view, row);
    if (!served)
        return;
    const struct lw_bank_folds *folds =
        lw_bank_folds_of(view->subject->access, view->options.access, NULL);
    const struct lw_wavefront *wavefront = wavefront_of(view, served, row);
    if (lw_banks_is_whole(view) && folds && folds->fold && folds->fold[row].count > 1) {
        lw_banks_put_fold(text, served, &folds->fold[row]);
    } else if (lw_banks_is_whole(view)) {
        if (folds)
            lw_text_format(text, "%llu ", (unsigned long long)lw_bank_folds_first(folds, row) + 1);
        lw_banks_put_instruction(text, served);
    } else if (!wavefront) {
        lw_text_add(text, row == ROW_WORDS ? "words" : "lanes");
    } else {
        uint64_t k = row - ROW_FIRST_WAVEFRONT;
        bool conflict = k && served->wavefronts.wavefront[k - 1].group == wavefront->group;
        bool chosen = view->options.wavefront == k + 1;
        lw_text_add(text, chosen ? "> " : "");
        lw_text_format(text, "wavefront %llu%s: lane%s ", (unsigned long long)k + 1,
                       conflict ? ", conflict" : "",
                       wavefront->lanes & (wavefront->lanes - 1) ? "s" : "");
        lw_put_set(text, wavefront->lanes, 8);
    }
}

static const char *total_name(const struct lw_view *view, uint64_t col)
{
    static const char *const names[TOTALS] = {"wavefronts", "ideal", "conflicts"};
    return names[col - bank_count(view)];
}

static void col_label(const struct lw_view *view, uint64_t col, struct lw_text *text)
{
    int bank = bank_of(view, col);
    if (bank < 0)
        lw_text_add(text, total_name(view, col));
    else
        lw_text_number(text, (uint64_t)bank);
}

/* ---- Cells ---- */

static void write_count_cell(const struct lw_view *view, const struct lw_served *served, int bank,
                             uint64_t count, struct lw_text *text, struct lw_cell *cell)
{
    if (!count) {
        cell->ink = LW_INK_HOLE;
        lw_text_add(text, LW_HOLE);
        return;
    }
    cell->ink = LW_INK_RAMP;
    cell->shade = lw_banks_ways(&served->wavefronts, bank);
    lw_text_number(text, lw_banks_is_whole(view) ? cell->shade : count);
}

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct lw_served *served = lw_banks_served(view, row);
    const unsigned chosen = view->options.wavefront;
    int bank = bank_of(view, col);
    *cell = (struct lw_cell){.ink = LW_INK_HOLE};
    if (!served)
        return;
    const struct lw_cost *cost = &served->wavefronts.cost;
    const struct lw_wavefront *wavefront = wavefront_of(view, served, row);
    struct lw_text unused = {.limit = 1};
    if (bank >= 0 && (wavefront || lw_banks_is_whole(view)) && lw_put_spot(view, row, col, text))
        text = &unused; /* the text is dropped, the colour is kept */
    uint64_t lanes = bank >= 0 && wavefront ? lw_banks_lanes(served, wavefront, bank) : 0;
    if (bank < 0) { /* a total */
        const unsigned numbers[] = {cost->wavefronts, cost->ideal, cost->conflicts};
        const uint64_t which = col - bank_count(view);
        cell->ink = which == COL_IDEAL                ? LW_INK_PLAIN
                    : cost->conflicts                 ? LW_INK_BAD
                    : cost->wavefronts == cost->ideal ? LW_INK_GOOD
                                                      : LW_INK_PLAIN;
        cell->shade = numbers[which];
        lw_text_number(text, numbers[which]);
    } else if (lanes) {
        bool faint = chosen && wavefront != &served->wavefronts.wavefront[chosen - 1];
        cell->ink = faint ? LW_INK_FAINT : LW_INK_INDEX;
        cell->shade = (uint64_t)__builtin_ctzll(lanes);
        lw_put_set(text, lanes, LW_RANGES_MAX);
    } else if (wavefront) {
        lw_text_add(text, LW_HOLE);
    } else if (lw_banks_is_whole(view) || row == ROW_WORDS) {
        write_count_cell(view, served, bank, served->wavefronts.words[bank], text, cell);
    } else {
        write_count_cell(view, served, bank,
                         (uint64_t)__builtin_popcountll(served->wavefronts.lanes[bank]), text,
                         cell);
    }
    lw_text_free(&unused);
}

static size_t width(const struct lw_view *view)
{
    /* no instruction takes more than 64 wavefronts */
    return lw_spot_width(view, lw_banks_is_whole(view) ? 2 : banks_of(view)->widest);
}

/* The totals after the banks have a blank before them. Banks are of one width, that of
 * the longest number in their labels at least. */
static size_t col_width(const struct lw_view *view, uint64_t col)
{
    enum { LABEL = 2 };
    size_t own = width(view);
    if (bank_of(view, col) < 0)
        return 1 + strlen(total_name(view, col));
    return own > LABEL ? own : LABEL;
}

/* ---- Spots ---- */

/* The spot is the element at the beginning of the word, or of the lane's access within it. */
static bool spot_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_spot *spot)
{
    const struct lw_subject *subject = view->subject;
    const struct lw_served *served = lw_banks_served(view, row);
    int bank = bank_of(view, col);
    memset(spot, 0, sizeof *spot);
    if (!served || bank < 0)
        return false;
    const struct lw_wavefront *wavefront = wavefront_of(view, served, row);
    for (unsigned i = 0; !wavefront && i < served->wavefronts.count; i++)
        if (served->wavefronts.wavefront[i].banks >> bank & 1)
            wavefront = &served->wavefronts.wavefront[i];
    if (!wavefront || !(wavefront->banks >> bank & 1))
        return false;
    int lane = __builtin_ctzll(lw_banks_lanes(served, wavefront, bank));
    uint64_t byte = served->instruction.access.address[lane];
    uint64_t first = wavefront->word[bank] * lw_subject_banks(subject)->bank_bytes;
    byte = byte > first ? byte : first;
    if (!lw_subject_access_element(subject->access, subject, 8 * byte, served->round, spot->out))
        return false;
    spot->has_out = true;
    spot->has_in = lw_map_owner(&subject->map, spot->out, 0, spot->in);
    return true;
}

static void explain(const struct lw_view *view, uint64_t row, uint64_t col,
                    struct lw_explanation *explanation)
{
    const struct lw_served *served = lw_banks_served(view, row);
    unsigned chosen = view->options.wavefront;
    struct lw_spot spot;
    if (!served)
        return;
    const struct lw_wavefront *wavefront = wavefront_of(view, served, row);
    if (!wavefront && chosen && !lw_banks_is_whole(view))
        wavefront = &served->wavefronts.wavefront[chosen - 1];
    lw_banks_explain(view, served, wavefront, bank_of(view, col),
                     spot_of(view, row, col, &spot) ? &spot : NULL, explanation);
}

/* ---- The next wavefront ---- */

static unsigned wavefronts_of(const struct lw_subject *subject,
                              const struct lw_view_options *options)
{
    const struct lw_served *served =
        options->instruction
            ? lw_subject_access_served(subject->access, options->access, options->instruction - 1)
            : NULL;
    return served ? served->wavefronts.count : 0;
}

bool lw_view_step(const struct lw_subject *subject, struct lw_view_options *options)
{
    uint64_t count;
    if (!lw_subject_access_check(subject, NULL) ||
        !lw_subject_access_count(subject->access, options->access, &count, NULL) || !count)
        return false;
    if (options->wavefront < wavefronts_of(subject, options)) {
        options->wavefront++;
        return true;
    }
    options->instruction = options->instruction < count ? options->instruction + 1 : 1;
    options->wavefront = wavefronts_of(subject, options) > 0;
    return true;
}

const struct lw_view_type lw_view_banks = {
    .name = "banks",
    .counts = true,
    .spots = true,
    .heat = "words of one bank for one group of lanes",
    .title = "Banks",
    .access = true,
    .help = "instructions of an access, and the words and lanes of each bank",
    .state_size = sizeof(struct banks),
    .open = open_view,
    .cell = cell_of,
    .row_label = row_label,
    .col_label = col_label,
    .width = width,
    .col_width = col_width,
    .spot = spot_of,
    .caption = lw_banks_caption,
    .legend = lw_banks_legend,
    .explain = explain,
};
