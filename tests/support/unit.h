#ifndef LANEWAY_UNIT_H
#define LANEWAY_UNIT_H

/* cmocka, and what it asks for before it. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define RUN(tests) cmocka_run_group_tests(tests, NULL, NULL)

#endif
