/* The instruction, or the wavefront of one, that the options of a view select: what it moves, and the next one. */

#include "view/view_parts.h"

bool lw_view_served(const struct lw_view *view, uint64_t row, uint64_t col)
{
    const struct lw_view_options *o = &view->options;
    const struct lw_subject *subject = view->subject;
    struct lw_spot spot;
    uint64_t bit, round;
    if (!o->instruction || !lw_subject_access_check(subject, NULL) || !view->type->spot ||
        !view->type->spot(view, row, col, &spot) || !spot.has_out ||
        !lw_subject_access_bit(subject->access, subject, spot.out, &bit, &round))
        return false;
    const struct lw_served *served =
        lw_subject_access_served(subject->access, o->access, o->instruction - 1);
    if (!served || served->round != round || o->wavefront > served->wavefronts.count)
        return false;
    const struct lw_access *access = &served->instruction.access;
    uint64_t lanes = o->wavefront ? served->wavefronts.wavefront[o->wavefront - 1].lanes : 0;
    for (unsigned g = 0; !o->wavefront && g < served->wavefronts.group_count; g++)
        lanes |= served->wavefronts.group[g];
    for (; lanes; lanes &= lanes - 1) {
        uint64_t from = access->address[__builtin_ctzll(lanes)];
        if (bit / 8 >= from && bit / 8 < from + access->width)
            return true;
    }
    return false;
}

static unsigned wavefronts_of(const struct lw_subject *subject,
                              const struct lw_view_options *options)
{
    const struct lw_served *served =
        options->instruction
            ? lw_subject_access_served(subject->access, options->access, options->instruction - 1)
            : NULL;
    return served ? served->wavefronts.count : 0;
}

bool lw_view_step(const struct lw_subject *subject, struct lw_view_options *options, int by)
{
    uint64_t count;
    if (!lw_subject_access_check(subject, NULL) ||
        !lw_subject_access_count(subject->access, options->access, &count, NULL) || !count)
        return false;
    if (by > 0 && options->wavefront < wavefronts_of(subject, options)) {
        options->wavefront++;
    } else if (by > 0) {
        options->instruction = options->instruction < count ? options->instruction + 1 : 1;
        options->wavefront = wavefronts_of(subject, options) > 0;
    } else if (options->wavefront > 1) {
        options->wavefront--;
    } else {
        options->instruction = options->instruction > 1 ? options->instruction - 1 : count;
        options->wavefront = wavefronts_of(subject, options);
    }
    return true;
}
