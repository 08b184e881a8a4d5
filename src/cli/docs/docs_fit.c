/* Verbatim text of LaTeX that is wider than a column: its font is made smaller, so that the longest line fits. A letter
 * of Computer Modern Typewriter is 0.531 of the font's size wide, and sizes up to 9 points are whole numbers. */

#include "cli/docs/docs_fit.h"

#include <string.h>

enum { NARROW = 45 }; /* columns of 10 points that fit in the column of a paper */

static size_t widest_line(const char *text)
{
    size_t widest = 0;
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        struct lw_text line = {0};
        length = strcspn(text, "\n");
        lw_text_bytes(&line, text, length);
        size_t width = lw_text_width(lw_text_string(&line));
        widest = width > widest ? width : widest;
        lw_text_free(&line);
    }
    return widest;
}

void lw_docs_fit(struct lw_text *line, const char *printed)
{
    size_t columns = widest_line(printed);
    if (columns <= NARROW)
        return;
    lw_text_format(line,
                   "\\begingroup\\dimen0=\\dimexpr\\linewidth*1883/1000/%zu\\relax"
                   "\\ifdim\\dimen0<10pt\\fontsize{\\ifdim\\dimen0<6pt 5\\else\\ifdim\\dimen0<7pt "
                   "6\\else\\ifdim\\dimen0<8pt 7\\else\\ifdim\\dimen0<9pt 8\\else "
                   "9\\fi\\fi\\fi\\fi}{1.2\\dimen0}\\selectfont\\fi",
                   columns);
}
