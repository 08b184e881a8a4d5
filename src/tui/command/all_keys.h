#ifndef LANEWAY_ALL_KEYS_H
#define LANEWAY_ALL_KEYS_H

#include "tui/screen.h"

/* The keys of all screens. */
const struct lw_screen_action *lw_all_actions(size_t *count);

#endif
