#ifndef MARKUP_H
#define MARKUP_H

/* A reader of XML documents for tests, strict: it fails the test at the first thing that XML 1.0 does not
 * allow (elements that do not match, an attribute twice or without quotes, a character or an entity that
 * there is none of). It knows no DTD and no CDATA. */

#include <stddef.h>

enum { ATTRIBUTES_MAX = 12 };

struct element {
    char *name;
    int parent; /* -1: none */
    size_t attribute_count;
    struct {
        char *name, *value;
    } attribute[ATTRIBUTES_MAX];
    char *text; /* all that is directly in it, entities resolved */
    size_t text_length;
};

struct markup {
    struct element *element; /* in document order */
    size_t count;
};

/* Reads a document whose root is `root`. */
struct markup markup_read(const char *document, const char *root);
void markup_free(struct markup *markup);
/* NULL when it has none of that name. */
const char *attribute_of(const struct element *element, const char *name);

#endif
