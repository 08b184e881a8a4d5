#ifndef LANEWAY_TESTS_TERMINAL_PARTS_H
#define LANEWAY_TESTS_TERMINAL_PARTS_H

/* What terminal_test.c and terminal_kinds_test.c share. */

#include "tui/pseudo.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define BLOCKED PSEUDO_BLOCKED

static struct pseudo p;
static const struct pseudo_options default_options;

static inline void quit_and_check(void)
{
    leave_with(&p, "\003");
}

#endif
