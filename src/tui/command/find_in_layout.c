/* Finding in a layout: a query of the library, its matches in order. */

#include "tui/command/find_in_layout.h"

#include "view/query.h"

#include <string.h>

/* What is lit with a match: what the query names. */
static enum lw_lit_what lit_what(const struct lw_query *q, const struct lw_dims *in)
{
    const int lane = lw_dims_find(in, "lane"), thread = lw_dims_find(in, "thread");
    const int warp = lw_dims_find(in, "warp"), reg = lw_dims_find(in, "register");
    const int local = lw_dims_find(in, "local");
    if (q->bank)
        return LW_LIT_BANK;
    if (q->element || (lane >= 0 && q->fixed[lane]) || (thread >= 0 && q->fixed[thread]))
        return LW_LIT_THREAD;
    if (warp >= 0 && q->fixed[warp])
        return LW_LIT_WARP;
    bool is_register = (reg >= 0 && q->fixed[reg]) || (local >= 0 && q->fixed[local]);
    return is_register ? LW_LIT_REGISTER : LW_LIT_THREAD;
}

/* Match number k; returns how many there are. */
static uint64_t match(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                      struct lw_spot *spot)
{
    const struct lw_map *map = &subject->map;
    memset(spot, 0, sizeof *spot);
    if (q->element) {
        memcpy(spot->out, q->number, sizeof spot->out);
        uint64_t owners = lw_map_owner_count(map, spot->out);
        spot->has_out = true;
        spot->has_in = lw_map_owner(map, spot->out, owners ? k % owners : 0, spot->in);
        return owners ? owners : 1;
    }
    uint64_t count = lw_query_index(q, subject, 0, spot->in);
    if (!count)
        return 0;
    lw_query_index(q, subject, k % count, spot->in);
    spot->has_in = true;
    spot->has_out = lw_map_apply(map, spot->in, spot->out);
    return count;
}

uint64_t lw_find_in_layout(const struct lw_model *model, const struct lw_subject *first,
                           const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                           struct lw_error *err)
{
    const struct lw_subject *tried[] = {first, lw_model_at(model, LW_SIDE_A),
                                        lw_model_at(model, LW_SIDE_S),
                                        lw_model_at(model, LW_SIDE_B)};
    bool has_reason = false;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const struct lw_subject *subject = tried[i];
        struct lw_query q;
        if (!subject || (i && subject == first))
            continue;
        if (!lw_query_read(&q, subject, text)) {
            lw_error_set(err, LW_ERROR_SYNTAX,
                         "find 3,5 (an element), t17, w1 l3, r4, bank 7, offset 40");
            return 0;
        }
        if (q.why[0]) {
            if (!has_reason || !q.foreign) /* what is foreign here may be found in another layout */
                lw_error_set(err, LW_ERROR_NAME, "%s", q.why);
            has_reason = true;
            continue;
        }
        uint64_t count = match(&q, subject, k, spot);
        if (!count)
            continue;
        lit->what = lit_what(&q, &subject->map.in);
        lit->bank = q.bank_number;
        lit->by_pointer = false;
        lit->on = q.bank || (spot->has_in && lw_slot_of_index(&subject->map, subject->lanes,
                                                              spot->in, &lit->owner));
        return count;
    }
    if (!has_reason)
        lw_error_set(err, LW_ERROR_NAME, "no match");
    return 0;
}
