/* Words broken into lines, for help and messages. */

#include "laneway/text.h"

#include <string.h>

void lw_text_wrap(struct lw_text *text, const char *words, size_t indent, size_t column)
{
    for (bool first = true; *words; first = false) {
        size_t length = strcspn(words, " \n");
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        size_t width = lw_text_width(word);
        if (!first && column + 1 + width > LW_TEXT_COLUMNS) {
            lw_text_char(text, '\n');
            lw_text_repeat(text, ' ', indent);
            column = indent;
        } else if (!first) {
            lw_text_char(text, ' ');
            column++;
        }
        lw_text_bytes(text, words, length);
        column += width;
        words += length;
        words += strspn(words, " \n");
    }
    lw_text_char(text, '\n');
}

void lw_text_paragraphs(struct lw_text *text, const char *about)
{
    while (*about) {
        size_t length = strcspn(about, "\n");
        struct lw_text line = {0};
        lw_text_bytes(&line, about, length);
        if (length == 0 || *about == ' ')
            lw_text_format(text, "%s\n", lw_text_string(&line));
        else
            lw_text_wrap(text, lw_text_string(&line), 0, 0);
        lw_text_free(&line);
        about += length + (about[length] == '\n');
    }
}

void lw_text_row(struct lw_text *text, const char *name, size_t width, const char *help)
{
    size_t used = lw_text_width(name), column = width + 4;
    lw_text_format(text, "  %s", name);
    if (used > width) {
        lw_text_char(text, '\n');
        lw_text_repeat(text, ' ', column);
    } else if (*help) {
        lw_text_repeat(text, ' ', column - 2 - used);
    }
    lw_text_wrap(text, help, column, column);
}
