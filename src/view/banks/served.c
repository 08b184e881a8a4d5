/* The instruction, or the wavefront of one, that the options of a view select: what it moves, and the next one. */

#include "view/view_parts.h"

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
