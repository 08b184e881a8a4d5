/* Views of what a search for a swizzle found. They are opened on a finished search, not on a subject, so they
 * are not in views.h. */

#include "view/swizzle_tables.h"

#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

struct found {
    struct lw_view_state shared;
    const struct lw_swizzle_search *search;
    const struct lw_swizzle *row[2 + LW_SWIZZLE_KINDS]; /* of the best layouts; not used by the
                                                           ranking */
    const char *name[2 + LW_SWIZZLE_KINDS];
};

static const struct lw_subject no_subject; /* a search has none */

static struct found *found_of(const struct lw_view *view)
{
    return (struct found *)view->state;
}

enum {
    COL_LAYOUT,
    COL_WAVEFRONTS,
    COL_STORE,
    COL_LOAD,
    COL_CONFLICTS,
    COL_INSTRUCTIONS,
    COL_BYTES,
    COLS,
    RANKING_COLS = COL_INSTRUCTIONS
};

static void cell_of(const struct lw_view *view, uint64_t row, uint64_t col, struct lw_text *text,
                    struct lw_cell *cell)
{
    const struct found *found = found_of(view);
    const struct lw_swizzle *one = found->row[0] ? found->row[row] : &found->search->ranked[row];
    const uint64_t numbers[COLS] = {
        [COL_WAVEFRONTS] = lw_swizzle_wavefronts(one),
        [COL_STORE] = one->store.wavefronts,
        [COL_LOAD] = one->load.wavefronts,
        [COL_CONFLICTS] = one->store.conflicts + one->load.conflicts,
        [COL_INSTRUCTIONS] = one->store.instructions + one->load.instructions,
        [COL_BYTES] = one->bytes,
    };
    *cell = (struct lw_cell){.ink = LW_INK_PLAIN};
    if (col == COL_CONFLICTS)
        cell->ink = numbers[col] ? LW_INK_BAD : LW_INK_GOOD;
    if (col == COL_LAYOUT)
        lw_swizzle_label(text, found->search, one);
    else
        lw_text_number(text, numbers[col]);
}

static const char *const columns[COLS] = {"layout",    "both",   "store", "load",
                                          "conflicts", "instr.", "bytes"};

/* The name of one of the best, or a rank. */
static void row_label(const struct lw_view *view, uint64_t row, struct lw_text *text)
{
    if (found_of(view)->row[0])
        lw_text_add(text, found_of(view)->name[row]);
    else
        lw_text_number(text, row + 1);
}

static const struct lw_view_type swizzles = {
    .name = "swizzles",
    .title = "Swizzles",
    .help = "the best layout of each kind between a store and a load",
    .cell = cell_of,
    .row_label = row_label,
    .columns = columns,
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
};

static const struct lw_view_type ranking = {
    .name = "ranking",
    .title = "Ranking",
    .corner = "rank",
    .help = "layouts between a store and a load by their wavefronts",
    .cell = cell_of,
    .row_label = row_label,
    .columns = columns,
    .col_label = lw_view_put_column,
    .width = lw_widest_cell,
};

bool lw_swizzles_view_open(struct lw_view *view, const struct lw_swizzle_search *search,
                           const struct lw_swizzle *given, int64_t ranked, struct lw_error *err)
{
    static const char *const names[] = {"best swizzle", "best nvmma", "optimum", "best padding"};
    const bool ranks = ranked >= 0;
    *view = (struct lw_view){.type = ranks ? &ranking : &swizzles,
                             .subject = &no_subject,
                             .rows = ranks ? (uint64_t)ranked : 0,
                             .cols = ranks ? RANKING_COLS : COLS,
                             .state = calloc(1, sizeof(struct found))};
    struct found *found = found_of(view);
    if (!found)
        return lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    found->search = search;
    if (!ranks && search->has_plain) {
        found->row[0] = &search->plain;
        found->name[view->rows++] = "before";
    }
    if (!ranks && given) {
        found->row[view->rows] = given;
        found->name[view->rows++] = "as it is";
    }
    for (int k = 0; k < LW_SWIZZLE_KINDS && !ranks; k++)
        if (search->found[k]) {
            found->row[view->rows] = &search->best[k];
            found->name[view->rows++] = names[k];
        }
    view->page_rows = view->rows;
    return true;
}

/* ---- What was found ---- */

void lw_put_swizzle_sources(struct lw_text *text, const struct lw_swizzle_search *search)
{
    static const char *const names[] = {"swizzle", "nvmma", "optimum", "padding"};
    for (int k = 0; k < LW_SWIZZLE_KINDS; k++) {
        if (!search->found[k])
            continue;
        lw_text_format(text, "%-8s ", names[k]);
        lw_swizzle_print(text, search, &search->best[k]);
        lw_text_char(text, '\n');
    }
    lw_text_add(text, "\nwavefronts of both, of the store and of the load:\n");
}

/* Whether the optimum is proven: "no linear layout takes fewer than 64 wavefronts", with what that does not cover. */
static void put_bound(struct lw_text *text, const struct lw_swizzle_search *search)
{
    uint64_t least = lw_swizzle_wavefronts(&search->best[LW_SWIZZLE_LINEAR]);
    if (!search->bound) {
        lw_text_add(text, "the best that the construction finds; whether another linear layout "
                          "takes fewer is unknown");
        return;
    }
    if (least > search->bound)
        lw_text_format(text, "the best that the construction finds, not proven: %llu, and ",
                       (unsigned long long)least);
    else if (lw_swizzle_bound_is_proof(search))
        lw_text_add(text, "proven, ");
    lw_text_format(text, "no linear layout%s takes fewer than ",
                   lw_swizzle_bound_is_proof(search) ? "" : " of known cost");
    lw_put_count(text, search->bound, "wavefront");
    const char *before = "; accesses of ";
    for (unsigned w = 0; search->bound_skips >> w; w++) /* the widths whose cost is unknown */
        if (search->bound_skips >> w & 1) {
            lw_text_format(text, "%s%u", before, 1u << w);
            before = ", ";
        }
    if (search->bound_skips)
        lw_text_format(text, " byte%s a lane are not counted", search->bound_skips == 1 ? "" : "s");
    if (!lw_dims_equal(&search->registers, &search->memory)) {
        lw_text_add(text, " for the ");
        lw_dims_print_sizes(text, &search->registers);
        lw_text_add(text, " that the registers hold of the ");
        lw_dims_print_sizes(text, &search->memory);
    }
}

void lw_put_plain_swizzle(struct lw_text *text, const struct lw_swizzle *given,
                          const struct lw_swizzle *plain)
{
    lw_text_add(text, "without the swizzle:");
    if (plain->store.wavefronts != given->store.wavefronts)
        lw_text_format(text, " store %llu", (unsigned long long)plain->store.wavefronts);
    if (plain->load.wavefronts != given->load.wavefronts)
        lw_text_format(text, " load %llu", (unsigned long long)plain->load.wavefronts);
    else if (plain->store.wavefronts == given->store.wavefronts)
        lw_text_add(text, " the same");
}

const char *lw_unknown_swizzles_because(const struct lw_swizzle_search *search)
{
    static const char unknown[] = "unknown: ";
    const char *why = search->unknown_because.message, *reason = strstr(why, unknown);
    return reason ? reason + strlen(unknown) : why;
}

void lw_explain_swizzles(const struct lw_swizzle_search *search, struct lw_explanation *explanation)
{
    if (search->unknown) {
        struct lw_text *text = lw_explanation_line(explanation, "unknown");
        lw_put_count(text, search->unknown, "layout");
        lw_text_format(text, " left out, as the cost is unknown: %s",
                       lw_unknown_swizzles_because(search));
    }
    if (search->found[LW_SWIZZLE_LINEAR])
        put_bound(lw_explanation_line(explanation, "optimum"), search);
    if (search->found[LW_SWIZZLE_PADDED]) {
        const uint64_t padded = lw_swizzle_wavefronts(&search->best[LW_SWIZZLE_PADDED]);
        bool as_good = true;
        for (int k = 0; k < LW_SWIZZLE_PADDED; k++)
            as_good =
                as_good && (!search->found[k] || padded <= lw_swizzle_wavefronts(&search->best[k]));
        lw_text_format(lw_explanation_line(explanation, "padding"),
                       "the smallest %sof one interval%s", as_good ? "" : "of the best ",
                       as_good ? " that is as good" : "");
    }
}
