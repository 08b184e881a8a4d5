/* csv --tidy of the banks view: a row for each word that a lane accesses, with the wavefront that moves it; and of the
 * conversion view: a row for each hardware index that an element moves to. */

#include "export/export_parts.h"

#include "view/banks/view_banks.h"
#include "view/conversion/view_conversion.h"

bool lw_is_accesses(const struct lw_view *view)
{
    return view->type == &lw_view_banks;
}

/* The wavefront that serves a lane with a word, from 1. */
static unsigned wavefront_of(const struct lw_served *served, unsigned lane, uint64_t word, int bank)
{
    const struct lw_wavefronts *all = &served->wavefronts;
    for (unsigned i = 0; i < all->count; i++) {
        const struct lw_wavefront *w = &all->wavefront[i];
        if (w->banks >> bank & 1 && w->word[bank] == word &&
            lw_banks_lanes(served, w, bank) >> lane & 1)
            return i + 1;
    }
    return 0;
}

/* Op, warp, lane and address, then the word. */
static void put_word(FILE *stream, const struct lw_served *served, uint64_t number, unsigned lane,
                     uint64_t word, const struct lw_bank_model *banks)
{
    const struct lw_access *access = &served->instruction.access;
    int bank = (int)(word % lw_banks_serving(served, banks));
    struct lw_text op = {0};
    lw_banks_put_op(&op, &served->instruction);
    fprintf(stream, "%llu,%s", (unsigned long long)number, lw_text_string(&op));
    lw_text_free(&op);
    fprintf(stream, ",%llu,%llu,%u,%u,%llu,%llu,%d,%u\r\n",
            (unsigned long long)served->instruction.warp, (unsigned long long)served->round,
            access->width, lane, (unsigned long long)access->address[lane],
            (unsigned long long)word, bank, wavefront_of(served, lane, word, bank));
}

static void put_instruction(FILE *stream, const struct lw_served *served, uint64_t number,
                            const struct lw_bank_model *banks)
{
    const struct lw_access *access = &served->instruction.access;
    unsigned lanes = access->matrices ? 8 * access->matrices : LW_WARP_MAX;
    for (unsigned lane = 0; lane < lanes; lane++) {
        if (!(access->active >> lane & 1))
            continue;
        uint64_t first = access->address[lane] / banks->bank_bytes;
        uint64_t last = (access->address[lane] + access->width - 1) / banks->bank_bytes;
        for (uint64_t word = first; word <= last; word++)
            put_word(stream, served, number, lane, word, banks);
    }
}

/* Fails for a part of the grid: these rows are not those of the grid. */
static bool is_whole(const struct lw_view *view, const struct lw_export_options *options)
{
    return options->row_to - options->row_from == view->rows &&
           options->col_to - options->col_from == view->cols;
}

bool lw_write_accesses(const struct lw_view *view, const struct lw_export_options *options,
                       FILE *stream, struct lw_error *err)
{
    const struct lw_view_options *o = &view->options;
    struct lw_subject_access *access = view->subject->access;
    uint64_t count;
    if (!is_whole(view, options))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--rows and --cols cannot be combined with --tidy of an access: --op "
                            "and --instruction select instructions");
    if (!lw_subject_access_count(access, o->access, &count, err))
        return false;
    fputs("instruction,op,warp,round,bytes,lane,address,word,bank,wavefront\r\n", stream);
    uint64_t first = o->instruction ? o->instruction - 1 : 0;
    uint64_t end = o->instruction ? o->instruction : count;
    for (uint64_t i = first; i < end && !ferror(stream); i++) {
        const struct lw_served *served = lw_subject_access_served(access, o->access, i);
        if (!served)
            return lw_error_set(err, LW_ERROR_LIMIT, "instruction %llu: there are %llu",
                                (unsigned long long)i + 1, (unsigned long long)count);
        put_instruction(stream, served, i + 1, lw_subject_banks(view->subject));
    }
    return true;
}

/* ---- Moves ---- */

bool lw_is_moves(const struct lw_view *view)
{
    return view->type == &lw_view_conversion;
}

static void put_names(FILE *stream, const char *prefix, const struct lw_dims *dims,
                      const char *quote)
{
    for (int d = 0; d < dims->count; d++)
        fprintf(stream, "%s%s%s%s,", quote, prefix, dims->dim[d].name, quote);
}

static void put_numbers(FILE *stream, int count, const uint64_t *number)
{
    for (int d = 0; d < count; d++)
        fprintf(stream, "%llu,", (unsigned long long)number[d]);
}

void lw_put_move_names(FILE *stream, const struct lw_view *view, const char *quote)
{
    const struct lw_conversion *conversion = lw_conversion_of(view);
    put_names(stream, "from_", &conversion->from.in, quote);
    put_names(stream, "to_", &conversion->to.in, quote);
    put_names(stream, "", &view->subject->map.out, quote);
    fprintf(stream, "%scrosses%s", quote, quote);
}

void lw_put_move(FILE *stream, const struct lw_view *view, uint64_t i, const char *quote)
{
    const struct lw_conversion *conversion = lw_conversion_of(view);
    struct lw_move move;
    lw_conversion_move(view, i, &move);
    put_numbers(stream, conversion->from.in.count, move.from);
    put_numbers(stream, conversion->to.in.count, move.to);
    put_numbers(stream, view->subject->map.out.count, move.out);
    fprintf(stream, "%s%s%s", quote, move.crosses, quote);
}

bool lw_write_moves(const struct lw_view *view, const struct lw_export_options *options,
                    FILE *stream, struct lw_error *err)
{
    uint64_t count = lw_conversion_moves(view);
    if (!is_whole(view, options))
        return lw_error_set(err, LW_ERROR_UNSUPPORTED,
                            "--rows and --cols cannot be combined with --tidy of a conversion: it "
                            "has a row for each register of each lane");
    lw_put_move_names(stream, view, "");
    fputs("\r\n", stream);
    for (uint64_t i = 0; i < count && !ferror(stream); i++) {
        lw_put_move(stream, view, i, "");
        fputs("\r\n", stream);
    }
    return true;
}
