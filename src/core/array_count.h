#ifndef LANEWAY_COUNT_H
#define LANEWAY_COUNT_H

/* How many elements an array has; of an array alone, never of a pointer. */
#define LW_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
