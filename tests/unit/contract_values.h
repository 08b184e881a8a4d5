#ifndef LANEWAY_CONTRACT_VALUES_H
#define LANEWAY_CONTRACT_VALUES_H

/* What contract_test.c calls functions with. A pass has one choice of texts and numbers. */

#include <stdint.h>

enum { CONTRACT_SOURCES = 4, CONTRACT_PASSES = 32 };
/* The exit status of a process that has no value of a type. */
enum { CONTRACT_NO_VALUE = 5 };

/* Makes the values, of a layout chosen by the number. */
void contract_make(unsigned source_number);
/* Chooses texts and numbers for the next call of a function. */
void contract_choose(const char *function, unsigned pass);
/* A text: of an expression, a name, or nonsense. */
const char *contract_text(void);
/* A number for a parameter of that type and name: any, but for lengths of what is passed and numbers of things that the
 * comment requires to exist. */
int64_t contract_number(const char *type, const char *name);
/* A value for a pointer of that type: a whole one, or zeros where the function fills it. */
void *contract_value(const char *type, const char *name);

#endif
