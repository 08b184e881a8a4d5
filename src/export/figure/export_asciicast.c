/* asciicast: a recording for asciinema, version 2. Each view is a frame of one second, drawn as ansi does. */

#include "export/export_parts.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_COLUMNS = 20 };

/* What ansi writes of a view; to be freed. */
static char *frame_of(const struct lw_view *view, const struct lw_export_options *options,
                      struct lw_error *err)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    bool good = memory ? lw_format_ansi.write(view, options, memory, err)
                       : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (memory && fclose(memory) != 0 && good)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        return text;
    free(text);
    return NULL;
}

/* The columns and rows that a frame takes, without what colours it. */
static void measure_frame(const char *frame, size_t *columns, size_t *rows)
{
    size_t lines = 0, width = 0;
    for (int bytes; *frame; frame += bytes) {
        bytes = 1;
        if (*frame == '\x1b') {
            bytes = (int)strcspn(frame, "m") + 1;
        } else if (*frame == '\n') {
            lines++;
            width = 0;
        } else {
            lw_text_decode(frame, &bytes);
            width++;
        }
        *columns = width > *columns ? width : *columns;
    }
    *rows = lines + 1 > *rows ? lines + 1 : *rows;
}

static void put_event(FILE *stream, size_t second, const char *frame)
{
    struct lw_text text = {0}, quoted = {0};
    lw_text_add(&text, "\x1b[H\x1b[2J");
    for (; *frame; frame++)
        if (*frame == '\n')
            lw_text_add(&text, "\r\n");
        else
            lw_text_char(&text, *frame);
    lw_text_json_string(&quoted, lw_text_string(&text));
    fprintf(stream, "[%zu.0,\"o\",", second);
    lw_output_raw(stream, &quoted);
    fputs("]\n", stream);
    lw_text_free(&text);
    lw_text_free(&quoted);
}

static void put_header(FILE *stream, char *const *frames, size_t count, const char *title)
{
    size_t columns = LEAST_COLUMNS, rows = 1;
    struct lw_text quoted = {0};
    for (size_t i = 0; i < count; i++)
        measure_frame(frames[i], &columns, &rows);
    lw_text_json_string(&quoted, title);
    fprintf(stream, "{\"version\":2,\"width\":%zu,\"height\":%zu,\"title\":", columns, rows);
    lw_output_raw(stream, &quoted);
    fputs("}\n", stream);
    lw_text_free(&quoted);
}

static bool write_frames(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    char *frames[LW_PANELS_MAX] = {NULL};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        struct lw_export_options own = *options;
        own.head = false; /* its lines may be wider than any terminal; the title is in the header */
        own.row_to = own.row_to ? own.row_to : views[i]->rows;
        own.col_to = own.col_to ? own.col_to : views[i]->cols;
        frames[i] = frame_of(views[i], &own, err);
        good = frames[i] != NULL;
    }
    if (good)
        put_header(stream, frames, count, lw_picture_title(views[0], options));
    for (size_t i = 0; i < count && good; i++)
        put_event(stream, i, frames[i]);
    if (good) /* the last frame stays for a second */
        fprintf(stream, "[%zu.0,\"o\",\"\"]\n", count);
    for (size_t i = 0; i < count; i++)
        free(frames[i]);
    return good;
}

static bool write_asciicast(const struct lw_view *view, const struct lw_export_options *options,
                            FILE *stream, struct lw_error *err)
{
    return write_frames(&view, 1, options, stream, err);
}

const struct lw_format lw_format_asciicast = {
    .name = "asciicast",
    .extension = "cast",
    .help = "a recording for asciinema, one second for each view",
    .cells = (uint64_t)1 << 16,
    .moves = true,
    .write = write_asciicast,
    .write_panels = write_frames,
};
