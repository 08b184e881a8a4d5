/* Reads XML, as markup.h has it. Invariant: `open` is the element that is being read. */

#include "markup.h"

#include "laneway/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct reader {
    const char *start, *p;
    struct markup markup;
    int open;
};

#define REQUIRE(reader, what)                                                                      \
    do {                                                                                           \
        if (!(what))                                                                               \
            fail_msg("byte %zu: not %s: %.60s", (size_t)((reader)->p - (reader)->start), #what,    \
                     (reader)->p);                                                                 \
    } while (0)

static void append(char **text, size_t *length, const char *bytes, size_t count)
{
    *text = realloc(*text, *length + count + 1);
    assert_non_null(*text);
    memcpy(*text + *length, bytes, count);
    *length += count;
    (*text)[*length] = '\0';
}

static void blanks(struct reader *r)
{
    r->p += strspn(r->p, " \t\r\n");
}

static char *name(struct reader *r)
{
    size_t length =
        strspn(r->p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-");
    REQUIRE(r, length > 0 && !strchr("0123456789-", *r->p));
    char *copy = strndup(r->p, length);
    r->p += length;
    return copy;
}

/* One character of text or of a value, entities resolved. */
static void character(struct reader *r, char **text, size_t *length)
{
    static const struct {
        const char *entity, *character;
    } entities[] = {{"&amp;", "&"},   {"&lt;", "<"},   {"&gt;", ">"},
                    {"&quot;", "\""}, {"&apos;", "'"}, {"&#10;", "\n"}};
    if (*r->p == '&') {
        size_t i = 0, count = sizeof entities / sizeof *entities;
        while (i < count && strncmp(r->p, entities[i].entity, strlen(entities[i].entity)) != 0)
            i++;
        REQUIRE(r, i < count);
        append(text, length, entities[i].character, 1);
        r->p += strlen(entities[i].entity);
        return;
    }
    int bytes;
    uint32_t code = lw_text_decode(r->p, &bytes);
    bool invalid = code == 0xfffd && strncmp(r->p, "\xef\xbf\xbd", 3) != 0;
    REQUIRE(r, !invalid && (code >= 0x20 || code == '\n' || code == '\t') && code != 0x7f);
    REQUIRE(r, (code & 0xfffe) != 0xfffe && strncmp(r->p, "]]>", 3) != 0);
    append(text, length, r->p, (size_t)bytes);
    r->p += bytes;
}

static void attributes(struct reader *r, struct element *element)
{
    for (;;) {
        const char *before = r->p;
        blanks(r);
        if (*r->p == '>' || *r->p == '/')
            return;
        REQUIRE(r, r->p > before && element->attribute_count < ATTRIBUTES_MAX);
        char *key = name(r), *value = NULL;
        size_t length = 0;
        REQUIRE(r, !attribute_of(element, key) && r->p[0] == '=' && r->p[1] == '"');
        append(&value, &length, "", 0);
        for (r->p += 2; *r->p != '"';) {
            REQUIRE(r, *r->p && *r->p != '<');
            character(r, &value, &length);
        }
        r->p++;
        element->attribute[element->attribute_count].name = key;
        element->attribute[element->attribute_count++].value = value;
    }
}

static void opening(struct reader *r)
{
    struct markup *m = &r->markup;
    struct element element = {.parent = r->open};
    r->p++;
    element.name = name(r);
    append(&element.text, &element.text_length, "", 0);
    attributes(r, &element);
    m->element = realloc(m->element, (m->count + 1) * sizeof *m->element);
    assert_non_null(m->element);
    m->element[m->count++] = element;
    bool empty = *r->p == '/';
    r->p += empty;
    REQUIRE(r, *r->p == '>');
    r->p++;
    if (!empty)
        r->open = (int)m->count - 1;
}

static void closing(struct reader *r)
{
    r->p += 2;
    char *closed = name(r);
    REQUIRE(r, r->open >= 0 && !strcmp(closed, r->markup.element[r->open].name) && *r->p == '>');
    free(closed);
    r->p++;
    r->open = r->markup.element[r->open].parent;
}

struct markup markup_read(const char *document, const char *root)
{
    struct reader r = {.start = document, .p = document, .open = -1};
    if (!strncmp(r.p, "<!DOCTYPE html>\n", 16))
        r.p += 16;
    do {
        if (r.p[0] == '<' && r.p[1] == '/')
            closing(&r);
        else if (*r.p == '<')
            opening(&r);
        else {
            REQUIRE(&r, *r.p && r.open >= 0);
            struct element *in = &r.markup.element[r.open];
            character(&r, &in->text, &in->text_length);
        }
    } while (r.open >= 0);
    REQUIRE(&r, !strcmp(r.p, "\n"));
    assert_string_equal(r.markup.element[0].name, root);
    return r.markup;
}

void markup_free(struct markup *markup)
{
    for (size_t i = 0; i < markup->count; i++) {
        struct element *e = &markup->element[i];
        for (size_t k = 0; k < e->attribute_count; k++) {
            free(e->attribute[k].name);
            free(e->attribute[k].value);
        }
        free(e->name);
        free(e->text);
    }
    free(markup->element);
    memset(markup, 0, sizeof *markup);
}

const char *attribute_of(const struct element *element, const char *key)
{
    for (size_t i = 0; i < element->attribute_count; i++)
        if (!strcmp(element->attribute[i].name, key))
            return element->attribute[i].value;
    return NULL;
}
