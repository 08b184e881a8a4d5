#ifndef LANEWAY_SOURCE_LINES_H
#define LANEWAY_SOURCE_LINES_H

/* The lines of source that operations of a kernel are from. */

#include "laneway/kernel.h"
#include "laneway/text.h"

/* The most bytes of a source file whose lines are read. */
enum { LW_SOURCE_LINES_BYTES_MAX = 16 << 20 };

/* The source file that was read last. Set to all zeros before use; free it with lw_source_lines_free. */
struct lw_source_lines {
    char *file;          /* as a location names it; NULL: none was read */
    struct lw_text text; /* of the file; empty: it was not found */
    struct lw_text line; /* that was returned last */
};

/* The line of source at a location, without the blanks before it; when that is not found, the line that its function
 * was inlined at. The file is the first that can be read of: `source` (NULL: none) when it has the same base name, the
 * path in the location, a file of that name beside the dump `kernel` (a path), `source`. NULL: not found, not text, or
 * over LW_SOURCE_LINES_BYTES_MAX. Valid until the next call. */
const char *lw_source_line(struct lw_source_lines *lines, const struct lw_location *location,
                           const char *kernel, const char *source);
void lw_source_lines_free(struct lw_source_lines *lines);

#endif
