/* Cell formats: "{thread}: {local}" is parsed for one subject, then written for the owners of an element. A format is
 * short and is parsed again for each cell, into pieces on the stack. */

#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 32
/* The most owners of an element that are written. */
#define OWNERS_MAX 65536

struct part {
    const char *text; /* the text before the field */
    size_t length;
    struct lw_cell_field field; /* kind NONE: the piece is text alone */
    bool varies;                /* the field may differ between owners of one element */
    bool free;                  /* no letter is next to it, unlike in T{thread} */
};

struct parts {
    int count;
    struct part part[PARTS_MAX];
    int varying; /* the only piece that varies, and is free: its values are listed; else -1 */
    bool many;   /* owners may differ */
};

/* ---- Parsing ---- */

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

/* Reads "{name}" at *at. */
static bool take_field(const struct lw_subject *subject, const char **at, struct part *part,
                       struct lw_error *err)
{
    const char *name = *at + 1;
    size_t length = strcspn(name, "{}");
    if (name[length] != '}')
        return lw_error_set(err, LW_ERROR_SYNTAX, "cell format: '{' has no '}': %.60s", *at);
    *at = name + length + 1;
    if (lw_cell_field_find(subject, name, length, &part->field))
        return true;
    if (!err || (length == 4 && !strncmp(name, "vgpr", length)))
        return err && lw_vgpr_find(subject, &part->field, err);
    struct lw_text names = {0};
    lw_cell_field_names(&names, subject);
    lw_error_set(err, LW_ERROR_NAME, "cell format: no field '%.*s' here: there are %s",
                 (int)(length < 40 ? length : 40), name, lw_text_string(&names));
    lw_text_free(&names);
    return false;
}

/* Whether a field differs between hardware indices of the same element: it differs between index 0 and one of the
 * replication's generators, or that cannot be decided from them. */
static bool may_vary(const struct lw_subject *subject, struct lw_cell_field field, int generators)
{
    const struct lw_map *map = &subject->map;
    uint64_t zero[LW_DIMS_MAX] = {0}, in[LW_DIMS_MAX];
    if (!lw_cell_field_of_index(field))
        return false;
    if (map->kind == LW_MAP_TABLE || map->kind == LW_MAP_STRIDED ||
        (map->kind == LW_MAP_MIXED && field.kind != LW_FIELD_IN))
        return generators > 0;
    for (int i = 0; i < generators; i++) {
        lw_replication_index(map, i, in);
        if (lw_cell_field_value(subject, field, in, zero) !=
            lw_cell_field_value(subject, field, zero, zero))
            return true;
    }
    return false;
}

static void find_varying(struct parts *parts, const struct lw_subject *subject)
{
    int generators = lw_replication_count(&subject->map), count = 0;
    parts->varying = -1;
    for (int i = 0; i < parts->count && generators; i++) {
        struct part *part = &parts->part[i];
        part->varies =
            part->field.kind != LW_FIELD_NONE && may_vary(subject, part->field, generators);
        if (part->varies && count++ == 0 && part->free)
            parts->varying = i;
    }
    if (count > 1)
        parts->varying = -1;
    parts->many = count > 0;
}

static bool take_apart(struct parts *parts, const char *format, const struct lw_subject *subject,
                       struct lw_error *err)
{
    const char *at = format;
    parts->count = 0;
    while (*at) {
        if (parts->count == PARTS_MAX)
            return lw_error_set(err, LW_ERROR_LIMIT, "cell format: more than %d pieces", PARTS_MAX);
        struct part *part = &parts->part[parts->count++];
        *part = (struct part){.text = at, .free = true};
        size_t length = strcspn(at, "{}");
        at += length;
        part->length = length;
        if (*at && at[0] == at[1]) { /* a doubled brace is one */
            part->length++;
            at += 2;
        } else if (*at == '}') {
            return lw_error_set(err, LW_ERROR_SYNTAX, "cell format: '}' has no '{': %.60s", at);
        } else if (*at) {
            part->free = length == 0 || !letter(at[-1]);
            if (!take_field(subject, &at, part, err))
                return false;
            if (part->field.kind == LW_FIELD_VGPR ||
                (part->field.kind == LW_FIELD_HARDWARE_INDEX && subject->map.in.count > 1))
                part->free = false; /* not a number: cannot be listed as one */
        }
    }
    find_varying(parts, subject);
    return true;
}

bool lw_format_check(const char *format, const struct lw_subject *subject, struct lw_error *err)
{
    struct parts parts;
    for (const char *c = format; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return lw_error_set(err, LW_ERROR_SYNTAX,
                                "cell format: character %d is a control character: a cell is one "
                                "line of text",
                                (int)(c - format) + 1);
    return take_apart(&parts, format, subject, err);
}

/* ---- Writing ---- */

static void put_field(struct lw_text *text, const struct lw_subject *subject,
                      struct lw_cell_field field, const uint64_t *in, const uint64_t *out)
{
    int count = subject->map.in.count;
    if (field.kind == LW_FIELD_HARDWARE_INDEX && count == 1)
        lw_text_number(text, in[0]);
    else if (field.kind == LW_FIELD_HARDWARE_INDEX)
        lw_put_element(text, count, in);
    else if (field.kind == LW_FIELD_VGPR)
        lw_vgpr_put(text, subject, field, lw_cell_field_value(subject, field, in, out));
    else if (field.kind == LW_FIELD_COORDINATE)
        lw_put_coordinate(text, &subject->cute->layout.shape,
                          lw_cell_field_value(subject, field, in, out));
    else
        lw_text_number(text, lw_cell_field_value(subject, field, in, out));
}

static void put_owner(struct lw_text *text, const struct parts *parts,
                      const struct lw_subject *subject, const uint64_t *in, const uint64_t *out)
{
    for (int i = 0; i < parts->count; i++) {
        lw_text_bytes(text, parts->part[i].text, parts->part[i].length);
        if (parts->part[i].field.kind != LW_FIELD_NONE)
            put_field(text, subject, parts->part[i].field, in, out);
    }
}

void lw_format_index(struct lw_text *text, const char *format, const struct lw_subject *subject,
                     const uint64_t *in, const uint64_t *out)
{
    struct parts parts;
    if (take_apart(&parts, format, subject, NULL))
        put_owner(text, &parts, subject, in, out);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The different values of a field, in order: "0" or "[0, 4, 8]". */
static void put_list(struct lw_text *text, const struct lw_subject *subject,
                     struct lw_cell_field field, const struct lw_owners *owners)
{
    size_t count = owners->count < OWNERS_MAX ? (size_t)owners->count : OWNERS_MAX, kept = 0;
    if (text->limit && count > text->limit)
        count = text->limit;
    uint64_t few[64], in[LW_DIMS_MAX];
    uint64_t *values = count <= 64 ? few : malloc(count * sizeof *values);
    if (!values) {
        lw_text_fail(text);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        lw_owners_get(owners, k, in);
        values[k] = lw_cell_field_value(subject, field, in, owners->out);
    }
    qsort(values, count, sizeof *values, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || values[i] != values[kept - 1])
            values[kept++] = values[i];
    lw_text_add(text, kept > 1 ? "[" : "");
    for (size_t i = 0; i < kept && !lw_text_full(text); i++) {
        lw_text_add(text, i ? ", " : "");
        lw_text_number(text, values[i]);
    }
    lw_text_add(text, owners->count > OWNERS_MAX ? ", ..." : "");
    lw_text_add(text, kept > 1 ? "]" : "");
    if (values != few)
        free(values);
}

/* One text with a list of values for the field that varies: "[0, 4, 8]: 0". */
static void put_collapsed(struct lw_text *text, const struct parts *parts,
                          const struct lw_subject *subject, const struct lw_owners *owners)
{
    uint64_t in[LW_DIMS_MAX];
    lw_owners_get(owners, 0, in);
    for (int i = 0; i < parts->count && !lw_text_full(text); i++) {
        const struct part *part = &parts->part[i];
        lw_text_bytes(text, part->text, part->length);
        if (i == parts->varying)
            put_list(text, subject, part->field, owners);
        else if (part->field.kind != LW_FIELD_NONE)
            put_field(text, subject, part->field, in, owners->out);
    }
}

/* All owners, "T0:0|T4:0"; neighbours with the same text are one. */
static void put_joined(struct lw_text *text, const struct parts *parts,
                       const struct lw_subject *subject, const struct lw_owners *owners)
{
    uint64_t in[2][LW_DIMS_MAX];
    for (uint64_t k = 0; k < owners->count && !lw_text_full(text); k++) {
        uint64_t *here = in[k & 1], *before = in[~k & 1];
        bool other = k == 0;
        if (k == OWNERS_MAX) {
            lw_text_add(text, "|...");
            return;
        }
        lw_owners_get(owners, k, here);
        for (int i = 0; i < parts->count && !other; i++) {
            const struct part *part = &parts->part[i];
            other =
                part->varies && lw_cell_field_value(subject, part->field, here, owners->out) !=
                                    lw_cell_field_value(subject, part->field, before, owners->out);
        }
        if (!other)
            continue;
        lw_text_add(text, k > 0 ? "|" : "");
        put_owner(text, parts, subject, here, owners->out);
    }
}

/* The only piece that differs between these owners; -1: there are others, or its number is part
 * of a longer word. */
static int only_varying(const struct parts *parts, const struct lw_subject *subject,
                        const struct lw_owners *owners)
{
    uint64_t first[LW_DIMS_MAX], in[LW_DIMS_MAX];
    int varying = -1;
    lw_owners_get(owners, 0, first);
    for (uint64_t k = 1; k < owners->count && k < OWNERS_MAX; k++) {
        lw_owners_get(owners, k, in);
        for (int i = 0; i < parts->count; i++) {
            const struct part *part = &parts->part[i];
            if (i == varying || !part->varies ||
                lw_cell_field_value(subject, part->field, in, owners->out) ==
                    lw_cell_field_value(subject, part->field, first, owners->out))
                continue;
            if (varying >= 0 || !part->free)
                return -1;
            varying = i;
        }
    }
    return varying;
}

void lw_format_owner_list(struct lw_text *text, const char *format,
                          const struct lw_subject *subject, const struct lw_owners *owners)
{
    struct parts parts;
    uint64_t in[LW_DIMS_MAX];
    if (owners->count == 0) {
        lw_text_add(text, LW_HOLE);
    } else if (!take_apart(&parts, format, subject, NULL)) {
        return;
    } else if (!parts.many) {
        lw_owners_get(owners, 0, in);
        put_owner(text, &parts, subject, in, owners->out);
    } else if (parts.varying >= 0 || (parts.varying = only_varying(&parts, subject, owners)) >= 0) {
        put_collapsed(text, &parts, subject, owners);
    } else {
        put_joined(text, &parts, subject, owners);
    }
}

/* ---- Widths and defaults ---- */

static size_t field_width(const struct lw_subject *subject, struct lw_cell_field field)
{
    if (field.kind == LW_FIELD_HARDWARE_INDEX && subject->map.in.count > 1)
        return lw_element_width(&subject->map.in);
    if (field.kind == LW_FIELD_VGPR)
        return lw_vgpr_width(subject, field);
    if (field.kind != LW_FIELD_COORDINATE)
        return lw_digits(lw_cell_field_max(subject, field));
    struct lw_text text = {0};
    lw_put_coordinate(&text, &subject->cute->layout.shape, lw_cell_field_max(subject, field));
    size_t width = text.length;
    lw_text_free(&text);
    return width;
}

/* The width for one owner; that of the widest field whose values may be listed in *listed. */
static size_t index_width(const struct parts *parts, const struct lw_subject *subject,
                          size_t *listed)
{
    size_t width = 0;
    *listed = 0;
    for (int i = 0; i < parts->count; i++) {
        const struct part *part = &parts->part[i];
        size_t digits = part->field.kind != LW_FIELD_NONE ? field_width(subject, part->field) : 0;
        width += part->length + digits;
        bool may_be = parts->varying < 0 ? part->varies && part->free : i == parts->varying;
        if (may_be && digits > *listed)
            *listed = digits;
    }
    return width ? width : 1;
}

size_t lw_format_index_width(const char *format, const struct lw_subject *subject)
{
    struct parts parts;
    size_t listed;
    return take_apart(&parts, format, subject, NULL) ? index_width(&parts, subject, &listed) : 1;
}

size_t lw_format_width(const char *format, const struct lw_subject *subject)
{
    struct parts parts;
    size_t listed, copies = OWNERS_MAX;
    if (!take_apart(&parts, format, subject, NULL))
        return 1;
    size_t width = index_width(&parts, subject, &listed);
    if (lw_map_replication(&subject->map) < copies)
        copies = (size_t)lw_map_replication(&subject->map);
    if (!parts.many)
        return width;
    size_t joined = parts.varying < 0 ? copies * (width + 1) - 1 : 0;
    size_t list = listed ? width + (copies - 1) * (listed + 2) + 2 : 0;
    return list > joined ? list : joined;
}

/* Whether the subject has no dims but these, which are separated by blanks. */
static bool only_dims(const struct lw_subject *subject, const char *names)
{
    const struct lw_dims *in = &subject->map.in;
    for (int i = 0; i < in->count; i++) {
        const char *name = in->dim[i].name, *found = strstr(names, name);
        size_t length = strlen(name);
        if (!found || (found != names && found[-1] != ' ') ||
            (found[length] != ' ' && found[length]))
            return false;
    }
    return true;
}

const char *lw_format_default(const struct lw_subject *subject)
{
    const struct lw_dims *in = &subject->map.in;
    bool blocks = lw_dims_size(in, "block") > 1;
    if (lw_dims_find(in, "offset") >= 0 && only_dims(subject, "offset block"))
        return blocks ? "B{block}:{offset}" : "{offset}";
    if (lw_dims_find(in, "partition") >= 0 && only_dims(subject, "offset block partition"))
        return blocks ? "B{block}:P{partition}:{offset}" : "P{partition}:{offset}";
    if (subject->cute && subject->cute->of_thread && only_dims(subject, "local"))
        return "{thread}: {local}";
    if (lw_dims_find(in, "thread") >= 0 && only_dims(subject, "local thread"))
        return lw_dims_find(in, "local") < 0 ? "{thread}" : "{thread}: {local}";
    if (lw_dims_find(in, "lane") >= 0 && only_dims(subject, "register lane warp block")) {
        if (lw_dims_find(in, "register") < 0)
            return blocks ? "B{block}:T{thread}" : "T{thread}";
        return blocks ? "B{block}:T{thread}:{register}" : "T{thread}:{register}";
    }
    if (lw_dims_find(in, "row") >= 0 && lw_dims_find(in, "col") >= 0 &&
        only_dims(subject, "row col block"))
        return blocks ? "B{block}:{row}: {col}" : "{row}: {col}";
    return in->count ? "{hardware}" : "";
}
