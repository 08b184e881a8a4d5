/* The frames of a moving figure as one drawing.
 *
 * An element is identified by its text and by the groups around it. The set of frames that have it is a number with a
 * bit for each. Fills are below texts, and those below lines, as in a frame; otherwise elements do not cover each
 * other, so they can be sorted by their frames. */

#include "export/figure/svg_frames.h"

#include <stdlib.h>
#include <string.h>

enum layer { FILLS, TEXTS, LINES, MARKS };

struct lw_frame_element {
    uint64_t hash, frames;
    const char *groups, *text; /* "<g ...>" and so on; "<rect .../>" */
    enum layer layer;
    size_t order;
};

/* A frame while it is read. */
struct reading {
    struct lw_svg_frames *frames;
    const char *at;
    struct lw_text groups, element;
    uint64_t bit;
};

/* ---- The elements that are known ---- */

/* FNV-1a. */
static uint64_t hash_string(uint64_t hash, const char *string)
{
    for (; *string; string++)
        hash = (hash ^ (unsigned char)*string) * 0x100000001b3;
    return hash;
}

/* The entry of an element, or the free entry where it would be added. */
static struct lw_frame_element **find(const struct lw_svg_frames *frames, uint64_t hash,
                                      const char *groups, const char *text)
{
    for (size_t i = (size_t)hash & (frames->room - 1);; i = (i + 1) & (frames->room - 1)) {
        struct lw_frame_element *e = frames->table[i];
        if (!e || (e->hash == hash && !strcmp(e->text, text) && !strcmp(e->groups, groups)))
            return &frames->table[i];
    }
}

static bool grow(struct lw_svg_frames *frames)
{
    struct lw_svg_frames larger = {.room = frames->room ? 2 * frames->room : 1024};
    larger.table = calloc(larger.room, sizeof(struct lw_frame_element *));
    if (!larger.table)
        return false;
    for (size_t i = 0; i < frames->room; i++) {
        struct lw_frame_element *e = frames->table[i];
        if (e)
            *find(&larger, e->hash, e->groups, e->text) = e;
    }
    free(frames->table);
    frames->table = larger.table;
    frames->room = larger.room;
    return true;
}

static enum layer layer_of(const char *element)
{
    if (!strncmp(element, "<rect", 5))
        return FILLS;
    if (!strncmp(element, "<text", 5))
        return TEXTS;
    return strncmp(element, "<path class=\"k\"", 15) ? LINES : MARKS;
}

static struct lw_frame_element *make(struct lw_svg_frames *frames, const struct lw_text *groups,
                                     const struct lw_text *element)
{
    struct lw_frame_element *e = lw_arena_alloc(&frames->arena, sizeof *e);
    char *around = lw_arena_string(&frames->arena, lw_text_string(groups), groups->length);
    char *text = lw_arena_string(&frames->arena, lw_text_string(element), element->length);
    if (!e || !around || !text)
        return NULL;
    *e = (struct lw_frame_element){
        .groups = around, .text = text, .layer = layer_of(text), .order = frames->count++};
    return e;
}

static bool add(struct reading *r)
{
    struct lw_svg_frames *frames = r->frames;
    const char *groups = lw_text_string(&r->groups), *text = lw_text_string(&r->element);
    uint64_t hash = hash_string(hash_string(0xcbf29ce484222325, groups), text);
    if (r->groups.failed || r->element.failed ||
        (2 * frames->count >= frames->room && !grow(frames)))
        return false;
    struct lw_frame_element **entry = find(frames, hash, groups, text);
    if (!*entry && !(*entry = make(frames, &r->groups, &r->element)))
        return false;
    (*entry)->hash = hash;
    (*entry)->frames |= r->bit;
    return true;
}

/* ---- Reading a frame ---- */

/* Appends the text up to `end`, inclusive, to *text and moves past it. */
static bool take(struct reading *r, const char *end, struct lw_text *text)
{
    const char *last = strstr(r->at, end);
    if (!last)
        return false;
    last += strlen(end);
    lw_text_bytes(text, r->at, (size_t)(last - r->at));
    r->at = last;
    return true;
}

static void leave_group(struct reading *r)
{
    size_t length = r->groups.length;
    const char *groups = lw_text_string(&r->groups);
    while (length && groups[--length] != '<') {
    }
    lw_text_cut(&r->groups, length);
    r->at += strlen("</g>");
}

static bool read_next(struct reading *r)
{
    if (!strncmp(r->at, "</g>", 4)) {
        leave_group(r);
        return true;
    }
    if (!strncmp(r->at, "<g", 2))
        return take(r, ">", &r->groups);
    lw_text_clear(&r->element);
    return take(r, strncmp(r->at, "<text", 5) ? "/>" : "</text>", &r->element) && add(r);
}

void lw_svg_frames_add(struct lw_svg_frames *frames, const char *svg, size_t i)
{
    struct reading r = {.frames = frames, .at = svg, .bit = (uint64_t)1 << i};
    while (!frames->failed && *(r.at += strspn(r.at, "\n")))
        frames->failed = !read_next(&r);
    lw_text_free(&r.groups);
    lw_text_free(&r.element);
}

/* ---- Writing ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const struct lw_frame_element *a = *(struct lw_frame_element *const *)left,
                                  *b = *(struct lw_frame_element *const *)right;
    int order = compare_numbers(a->layer, b->layer);
    order = order ? order : compare_numbers(a->frames, b->frames);
    order = order ? order : strcmp(a->groups, b->groups);
    return order ? order : compare_numbers(a->order, b->order);
}

static int compare_sets(const void *left, const void *right)
{
    const struct lw_frame_element *a = *(struct lw_frame_element *const *)left,
                                  *b = *(struct lw_frame_element *const *)right;
    return compare_numbers(a->frames, b->frames);
}

static void sort(const struct lw_svg_frames *frames,
                 int (*order)(const void *left, const void *right))
{
    if (frames->count)
        qsort(frames->table, frames->count, sizeof(struct lw_frame_element *), order);
}

/* Moves the elements to the beginning of the table, which is then only a list. */
static void make_list(struct lw_svg_frames *frames)
{
    size_t count = 0;
    for (size_t i = 0; i < frames->room; i++)
        if (frames->table[i])
            frames->table[count++] = frames->table[i];
}

/* The times at which the elements of a set of frames appear and vanish. */
static void put_keyframes(uint64_t set, size_t count, FILE *stream)
{
    fprintf(stream, "@keyframes laneway-%zu-%llx{", count, (unsigned long long)set);
    const uint64_t changes = (set ^ set << 1) | 1; /* the first frame is always written */
    for (size_t i = 0; i < count; i++) {
        bool seen = set >> i & 1;
        if (!(changes >> i & 1))
            continue;
        fprintf(stream, i ? "%.4f%%" : "%.0f%%", 100.0 * (double)i / (double)count);
        fprintf(stream, "{visibility:%s}", seen ? "visible" : "hidden");
    }
    fputs("}\n", stream);
}

static uint64_t all_of(size_t count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

static void put_motion(const struct lw_svg_frames *frames, size_t count, FILE *stream)
{
    fprintf(stream,
            "<style>\n"
            ".laneway .f{visibility:hidden}.laneway .o{visibility:visible}\n"
            "@media (prefers-reduced-motion:no-preference){.laneway .f%zu{"
            "animation:%zus step-end infinite}}\n",
            count, count);
    for (size_t i = 0; i < frames->count; i++) {
        uint64_t set = frames->table[i]->frames;
        if (set != all_of(count) && (!i || set != frames->table[i - 1]->frames))
            put_keyframes(set, count, stream);
    }
    fputs("</style>\n", stream);
}

static void put_ends(const char *groups, FILE *stream)
{
    for (; *groups; groups++)
        fputs(*groups == '<' ? "</g>" : "", stream);
    fputc('\n', stream);
}

static void put_elements(const struct lw_svg_frames *frames, size_t count, FILE *stream)
{
    const struct lw_frame_element *before = NULL;
    uint64_t all = all_of(count);
    for (size_t i = 0; i < frames->count; i++) {
        const struct lw_frame_element *e = frames->table[i];
        bool other = !before || before->layer != e->layer || before->frames != e->frames;
        if (before && (other || strcmp(before->groups, e->groups) != 0))
            put_ends(before->groups, stream);
        if (other && before && before->frames != all)
            fputs("</g>\n", stream);
        if (other && e->frames != all)
            fprintf(stream, "<g class=\"f f%zu%s\" style=\"animation-name:laneway-%zu-%llx\">\n",
                    count, e->frames & 1 ? " o" : "", count, (unsigned long long)e->frames);
        if (other || strcmp(before->groups, e->groups) != 0)
            fputs(e->groups, stream);
        fputs(e->text, stream);
        before = e;
    }
    if (before)
        put_ends(before->groups, stream);
    if (before && before->frames != all)
        fputs("</g>\n", stream);
}

void lw_svg_frames_put(struct lw_svg_frames *frames, size_t count, FILE *stream)
{
    make_list(frames);
    sort(frames, compare_sets);
    put_motion(frames, count, stream);
    sort(frames, compare);
    put_elements(frames, count, stream);
}

void lw_svg_frames_free(struct lw_svg_frames *frames)
{
    lw_arena_free(&frames->arena);
    free(frames->table);
    *frames = (struct lw_svg_frames){0};
}
