/* Messages on standard error. */

#include "cli/messages.h"

#include "export/output.h"
#include "laneway/document.h"
#include "laneway/text.h"
#include "tui/tui.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static FILE *redirected;
static bool memory_reported; /* that memory is out is reported once */

FILE *lw_messages(void)
{
    return redirected ? redirected : stderr;
}

FILE *lw_messages_redirect(FILE *stream)
{
    FILE *before = redirected;
    redirected = stream;
    memory_reported = false;
    return before;
}

/* The file of a source, without the part that it selects; the source itself when that is too long for a path. */
static const char *path_of(const char *source, char *path, size_t room)
{
    size_t length = lw_source_path(source);
    if (length >= room)
        return source;
    memcpy(path, source, length);
    path[length] = '\0';
    return path;
}

/* This message needs no memory. */
static enum lw_status report_memory(void)
{
    if (!memory_reported)
        lw_output_print(lw_messages(), "laneway: out of memory\n");
    memory_reported = true;
    return LW_STATUS_ERROR;
}

static FILE *output;
static int output_number; /* errno of the first failure of the output; other calls may change
                             errno */

void lw_messages_set_output(FILE *stream)
{
    if (!stream && output_number)
        errno = output_number;
    output = stream;
    output_number = 0;
}

void lw_messages_follow_output(void)
{
    if (output && fflush(output) != 0 && !output_number)
        output_number = errno;
}

enum lw_status lw_report_failure(const char *source, const struct lw_error *err)
{
    struct lw_text text = {0};
    char path[PATH_MAX];
    if (err->code == LW_ERROR_MEMORY)
        lw_memory_note_failure();
    if (lw_memory_failed()) /* whatever the reported error is */
        return report_memory();
    if (!redirected && output && ferror(output))
        return LW_STATUS_ERROR;
    lw_text_add(&text, "laneway: ");
    if (source)
        source = path_of(source, path, sizeof path);
    if (source && !err->position.line && /* the message begins with it, or with a quote and it */
        !strncmp(err->message + (err->message[0] == '\''), source, strlen(source)))
        source = NULL;
    lw_text_error(&text, source, err);
    lw_messages_follow_output();
    if (text.failed)
        report_memory();
    else
        lw_output_text(lw_messages(), &text);
    lw_text_free(&text);
    return LW_STATUS_ERROR;
}

const char *lw_source_name(const char *source)
{
    if (source[0] == '-' && !source[1])
        return "standard input";
    char path[PATH_MAX];
    return access(path_of(source, path, sizeof path), F_OK) == 0 || lw_gallery_find(source, NULL)
               ? source
               : NULL;
}
