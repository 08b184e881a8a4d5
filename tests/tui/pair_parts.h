#ifndef LANEWAY_TESTS_PAIR_PARTS_H
#define LANEWAY_TESTS_PAIR_PARTS_H

/* What pair_test.c and play_test.c share. */

#include "laneway/conversion.h"
#include "tui/drive.h"
#include "tui/explore/explorer.h"
#include "tui/form/form.h"
#include "view/banks/bank_folds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The wavefronts of instruction `number`, and how many elements of the layout shown it moves. */
static inline unsigned instruction(struct drive *d, uint64_t number, unsigned *moved)
{
    struct lw_view banks, owners;
    const struct lw_subject *subject = &d->ex.layouts.opened.subject;
    const struct lw_view_options options = {.instruction = number};
    assert_true(lw_view_open(&banks, lw_view_type_find("banks"), subject, &options, NULL));
    assert_true(lw_view_open(&owners, lw_view_type_find("owners"), subject, &options, NULL));
    for (uint64_t i = 0; i < owners.rows * owners.cols; i++)
        moved[i] += lw_view_served(&owners, i / owners.cols, i % owners.cols);
    unsigned wavefronts = (unsigned)banks.rows - 2; /* words and lanes come first */
    lw_view_close(&banks);
    lw_view_close(&owners);
    return wavefronts;
}

#endif
