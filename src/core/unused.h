#ifndef LANEWAY_UNUSED_H
#define LANEWAY_UNUSED_H

/* Before a parameter of a callback that this function has no use for. */
#ifdef __GNUC__
#define LW_UNUSED __attribute__((unused))
#else
#define LW_UNUSED
#endif

#endif
