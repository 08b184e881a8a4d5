#ifndef LANEWAY_TESTS_THEME_PARTS_H
#define LANEWAY_TESTS_THEME_PARTS_H

/* What theme_test.c and settings_test.c share. */

#include "tui/drive.h"
#include "tui/keep/keep_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static inline struct lw_appearance appearance(const struct lw_theme *theme, int depth, int kind,
                                              int shade)
{
    const struct lw_pen pen = {.kind = (uint8_t)kind, .shade = (uint8_t)shade};
    return lw_theme_appearance(theme, (enum lw_depth)depth, pen);
}

static inline int make_folder(void **state)
{
    unsetenv("COLORFGBG");
    return drive_make_folder(state) == 0 ? setenv("XDG_CONFIG_HOME", drive_folder, 1) : -1;
}

#endif
