/* Keeps standard output and standard error of a test program in order, and whole when it crashes.
 */
#include <stdio.h>

static void __attribute__((constructor)) line_buffered(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}
