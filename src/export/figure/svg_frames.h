#ifndef LANEWAY_SVG_FRAMES_H
#define LANEWAY_SVG_FRAMES_H

/* The frames of a moving figure as one drawing: an element of several frames is written once, in a group that is
 * visible while these frames are. */

#include "laneway/arena.h"
#include "laneway/text.h"

#include <stdio.h>

struct lw_frame_element;

/* Set to all zeros it is empty. */
struct lw_svg_frames {
    struct lw_arena arena;
    struct lw_frame_element **table; /* by their hash */
    size_t count, room;
    bool failed; /* memory ran out */
};

/* Adds frame `i`, below 64: groups of rect, text and path elements. */
void lw_svg_frames_add(struct lw_svg_frames *frames, const char *svg, size_t i);
/* Writes the style that shows the frames, one second each, `count` in all, then the elements. Where the reader has
 * turned motion off the first frame is visible. */
void lw_svg_frames_put(struct lw_svg_frames *frames, size_t count, FILE *stream);
void lw_svg_frames_free(struct lw_svg_frames *frames);

#endif
