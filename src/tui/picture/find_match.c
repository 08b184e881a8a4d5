/* Finding: a query of the library, its matches in order, in one of the layouts of a model. */

#include "tui/picture/picture.h"

#include "core/array_count.h"
#include "view/query.h"

#include <string.h>

/* Match number k of a query, modulo how many there are. Returns that. */
static uint64_t match(const struct lw_query *q, const struct lw_subject *subject, uint64_t k,
                      struct lw_spot *spot)
{
    const struct lw_map *map = &subject->map;
    memset(spot, 0, sizeof *spot);
    uint64_t count = q->element ? 1 : lw_query_index(q, subject, 0, spot->in);
    if (q->element) {
        const uint64_t owners = lw_map_owner_count(map, q->number);
        memcpy(spot->out, q->number, sizeof spot->out);
        spot->has_out = true;
        spot->has_in = lw_map_owner(map, spot->out, owners ? k % owners : 0, spot->in);
        count = owners ? owners : 1;
    } else if (count) {
        lw_query_index(q, subject, k % count, spot->in);
        spot->has_in = true;
        spot->has_out = lw_map_apply(map, spot->in, spot->out);
    }
    return count;
}

uint64_t lw_find_match(const struct lw_model *model, const struct lw_subject *first,
                       const char *text, uint64_t k, struct lw_spot *spot, struct lw_lit *lit,
                       struct lw_error *err)
{
    const struct lw_subject *tried[] = {first, lw_model_at(model, LW_SIDE_A),
                                        lw_model_at(model, LW_SIDE_S),
                                        lw_model_at(model, LW_SIDE_B)};
    struct lw_error why = {0};
    for (size_t i = 0; i < LW_COUNT(tried); i++) {
        const struct lw_subject *subject = tried[i];
        struct lw_query q;
        if (!subject || (i && subject == first))
            continue;
        if (!lw_query_read(&q, subject, text)) {
            lw_error_set(err, LW_ERROR_SYNTAX,
                         "find 3,5 (an element), t17, w1 l3, r4, bank 7, offset 40");
            return 0;
        }
        const uint64_t count = q.why[0] ? 0 : match(&q, subject, k, spot);
        if (!count) { /* what is foreign here may be found in another layout */
            if (why.code == LW_OK || (q.why[0] && !q.foreign))
                lw_error_set(&why, LW_ERROR_NAME, "%s", q.why[0] ? q.why : "no match");
            continue;
        }
        lit->what = q.bank ? LW_LIT_BANK : lit->what == LW_LIT_BANK ? LW_LIT_THREAD : lit->what;
        lit->bank = q.bank_number;
        lit->by_pointer = false;
        lit->on = q.bank || (spot->has_in && lw_slot_of_index(&subject->map, subject->lanes,
                                                              spot->in, &lit->owner));
        return count;
    }
    if (err)
        *err = why;
    return 0;
}
