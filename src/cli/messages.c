/* What is said on standard error. */

#include "cli/cli.h"

#include <unistd.h>

enum lw_status lw_complain(const char *source, const struct lw_error *err)
{
    struct lw_text text = {0};
    lw_text_add(&text, "laneway: ");
    lw_text_error(&text, source, err);
    fflush(stdout);
    fputs(lw_text_string(&text), stderr);
    lw_text_free(&text);
    return LW_STATUS_WRONG;
}

const char *lw_source_name(const char *source)
{
    if (source[0] == '-' && !source[1])
        return "standard input";
    return access(source, F_OK) == 0 || lw_gallery_find(source, NULL) ? source : NULL;
}

void lw_text_json(struct lw_text *text, const char *string)
{
    lw_text_char(text, '"');
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            lw_text_format(text, "\\%c", *c);
        else if ((unsigned char)*c < 32)
            lw_text_format(text, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            lw_text_char(text, *c);
    }
    lw_text_char(text, '"');
}
