/* asciicast: a recording for asciinema, version 2. Each view is a frame of one second, drawn as ansi does below its
 * title and notation. Only the differences from the previous frame are written. */

#include "export/export_parts.h"
#include "export/figure/panel.h"
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_COLUMNS = 20,
    HEAD_COLUMNS = 80, /* of the text above a narrower grid */
    NEAR = 8           /* unchanged cells that are written again, as moving the cursor takes more
                          bytes */
};

/* A character and its looks, within the text of a frame; all zeros: a blank. */
struct glyph {
    const char *text, *look; /* the look is a sequence that ends in m */
    unsigned short length, look_length;
};

struct recording {
    const struct lw_view *const *views;
    size_t count;
    const struct lw_export_options *options;
    FILE *stream;
    char *frames[LW_PANELS_MAX];
    size_t columns, rows;
    struct glyph *before, *now; /* screens of rows x columns */
    struct lw_text text, quoted;
};

/* ---- Frames ---- */

static void put_line(FILE *memory, const char *look, const char *line, size_t length)
{
    struct lw_text text = {0}, shown = {0};
    lw_text_bytes(&text, line, length);
    lw_text_shown(&shown, lw_text_string(&text));
    fprintf(memory, "\x1b[%sm%s\x1b[0m\n", look, lw_text_string(&shown));
    if (text.failed || shown.failed)
        lw_output_fail(memory);
    lw_text_free(&text);
    lw_text_free(&shown);
}

static void put_words(FILE *memory, const char *look, const char *words, size_t columns)
{
    for (size_t skip; *words;) {
        size_t length = lw_line_break(words, columns, &skip);
        put_line(memory, look, words, length);
        words += length + skip;
    }
}

/* The title of the view, its notation and its numbers. */
static void put_head(struct recording *r, const struct lw_view *view, FILE *memory)
{
    const char *title = lw_picture_title(view, r->options);
    put_words(memory, "1", title, r->columns);
    lw_fetch_head(view, r->options, title, &r->text);
    put_words(memory, "2", lw_text_string(&r->text), r->columns);
    fputs(*title || r->text.length ? "\n" : "", memory);
}

/* The screen that shows a view; to be freed. */
static char *frame_of(struct recording *r, size_t i, bool head, struct lw_error *err)
{
    const struct lw_view *view = r->views[i];
    struct lw_export_options own = *r->options;
    struct lw_highlight highlight;
    struct lw_highlight_marks marks;
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    own.head = false;
    own.title = own.caption = NULL;
    own.row_to = own.row_to ? own.row_to : view->rows;
    own.col_to = own.col_to ? own.col_to : view->cols;
    if (memory && head)
        put_head(r, view, memory);
    bool good = memory ? lw_highlight_mark(&marks, &highlight, view, &own, err) &&
                             lw_format_ansi.write(view, &own, memory, err)
                       : lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (memory && fclose(memory) != 0 && good)
        good = lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
    if (good)
        return text;
    free(text);
    return NULL;
}

/* Reads the next character of a frame, or the next sequence of looks; returns its bytes. */
static size_t take(const char *frame, struct glyph *look)
{
    int bytes = 1;
    if (*frame != '\x1b') {
        lw_text_decode(frame, &bytes);
        return (size_t)bytes;
    }
    size_t length = strcspn(frame, "m") + 1;
    bool reset = !strncmp(frame, "\x1b[0m", 4);
    look->look = reset ? NULL : frame;
    look->look_length = reset ? 0 : (unsigned short)length;
    return length;
}

/* The columns and rows of a frame, without sequences of looks. */
static void measure_frame(const char *frame, size_t *columns, size_t *rows)
{
    size_t lines = 0, width = 0;
    struct glyph look;
    for (; *frame; frame += take(frame, &look)) {
        if (*frame == '\n')
            lines++;
        width = *frame == '\n' ? 0 : width + (*frame != '\x1b');
        *columns = width > *columns ? width : *columns;
    }
    *rows = lines + 1 > *rows ? lines + 1 : *rows;
}

static void draw_frame(struct recording *r, const char *frame)
{
    size_t row = 0, col = 0;
    struct glyph glyph = {0};
    memset(r->now, 0, r->rows * r->columns * sizeof *r->now);
    for (size_t bytes; *frame; frame += bytes) {
        bytes = take(frame, &glyph);
        if (*frame == '\n') {
            row++;
            col = 0;
        } else if (*frame != '\x1b' && row < r->rows && col < r->columns) {
            glyph.text = frame;
            glyph.length = (unsigned short)bytes;
            if (*frame != ' ' || glyph.look_length)
                r->now[row * r->columns + col] = glyph;
            col++;
        }
    }
}

/* ---- Events ---- */

static bool same_look(const struct glyph *a, const struct glyph *b)
{
    return a->look_length == b->look_length &&
           (!a->look_length || !memcmp(a->look, b->look, a->look_length));
}

static bool same(const struct glyph *a, const struct glyph *b)
{
    return same_look(a, b) && a->length == b->length &&
           (!a->length || !memcmp(a->text, b->text, a->length));
}

/* Whether a blank in these looks differs from one without. */
static bool has_background(const struct glyph *look)
{
    const char *found = look->look_length ? strstr(look->look, "48;") : NULL;
    return found && found < look->look + look->look_length;
}

/* Writes the cells of a row from `from` to before `to`. */
static void put_run(struct recording *r, size_t row, size_t from, size_t to)
{
    const struct glyph plain = {0}, *look = &plain;
    lw_text_format(&r->text, "\x1b[%zu;%zuH", row + 1, from + 1);
    for (size_t col = from; col < to; col++) {
        const struct glyph *glyph = &r->now[row * r->columns + col];
        bool unseen = !glyph->length && !has_background(look);
        if (!unseen && !same_look(look, glyph)) {
            lw_text_add(&r->text, look->look_length ? "\x1b[0m" : "");
            if (glyph->look_length)
                lw_text_bytes(&r->text, glyph->look, glyph->look_length);
        }
        look = unseen ? look : glyph;
        if (glyph->length)
            lw_text_bytes(&r->text, glyph->text, glyph->length);
        else
            lw_text_char(&r->text, ' ');
    }
    lw_text_add(&r->text, look->look_length ? "\x1b[0m" : "");
}

static void put_changes(struct recording *r, size_t row)
{
    const struct glyph *now = r->now + row * r->columns, *before = r->before + row * r->columns;
    size_t col = 0;
    while (col < r->columns) {
        if (same(&now[col], &before[col])) {
            col++;
            continue;
        }
        size_t from = col, end = col;
        for (; col < r->columns && col <= end + NEAR; col++)
            end = same(&now[col], &before[col]) ? end : col;
        col = end + 1;
        put_run(r, row, from, col);
    }
}

static void put_frame(struct recording *r, size_t second)
{
    struct glyph *drawn = r->now;
    draw_frame(r, r->frames[second]);
    lw_text_clear(&r->text);
    lw_text_add(&r->text, second ? "" : "\x1b[H\x1b[2J");
    for (size_t row = 0; row < r->rows; row++)
        put_changes(r, row);
    r->now = r->before;
    r->before = drawn;
    lw_text_clear(&r->quoted);
    lw_text_json_string(&r->quoted, lw_text_string(&r->text));
    fprintf(r->stream, "[%zu.0,\"o\",", second);
    lw_output_raw(r->stream, &r->quoted);
    fputs("]\n", r->stream);
}

static void put_header(struct recording *r)
{
    lw_text_clear(&r->quoted);
    lw_text_json_string(&r->quoted, lw_picture_title(r->views[0], r->options));
    fprintf(r->stream, "{\"version\":2,\"width\":%zu,\"height\":%zu,\"title\":", r->columns,
            r->rows);
    lw_output_raw(r->stream, &r->quoted);
    fputs("}\n", r->stream);
}

/* ---- The recording ---- */

/* Draws every view below its head, which is as wide as the widest grid. */
static bool draw_frames(struct recording *r, struct lw_error *err)
{
    r->columns = r->rows = 1;
    for (int head = 0; head < 2; head++) {
        for (size_t i = 0; i < r->count; i++) {
            free(r->frames[i]);
            r->frames[i] = frame_of(r, i, head, err);
            if (!r->frames[i])
                return false;
            measure_frame(r->frames[i], &r->columns, &r->rows);
        }
        if (r->columns < (r->options->head ? HEAD_COLUMNS : LEAST_COLUMNS))
            r->columns = r->options->head ? HEAD_COLUMNS : LEAST_COLUMNS;
    }
    r->before = calloc(r->rows * r->columns, sizeof *r->before);
    r->now = calloc(r->rows * r->columns, sizeof *r->now);
    return (r->before && r->now) || lw_error_set(err, LW_ERROR_MEMORY, "out of memory");
}

static bool write_frames(const struct lw_view *const *views, size_t count,
                         const struct lw_export_options *options, FILE *stream,
                         struct lw_error *err)
{
    struct recording r = {.views = views, .count = count, .options = options, .stream = stream};
    bool good = draw_frames(&r, err);
    if (good)
        put_header(&r);
    for (size_t i = 0; i < count && good; i++)
        put_frame(&r, i);
    if (good) /* the last frame stays for a second */
        fprintf(stream, "[%zu.0,\"o\",\"\"]\n", count);
    for (size_t i = 0; i < count; i++)
        free(r.frames[i]);
    free(r.before);
    free(r.now);
    bool failed = r.text.failed || r.quoted.failed;
    lw_text_free(&r.text);
    lw_text_free(&r.quoted);
    return good && (!failed || lw_error_set(err, LW_ERROR_MEMORY, "out of memory"));
}

const struct lw_format lw_format_asciicast = {
    .name = "asciicast",
    .extension = "cast",
    .help = "a recording for asciinema, one second for each view",
    .cells = (uint64_t)1 << 16,
    .moves = true,
    .marks = true,
    .write_panels = write_frames,
};
