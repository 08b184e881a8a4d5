#ifndef FUZZ_READING_H
#define FUZZ_READING_H

/*
 * What must hold of every text: it is read, or refused with a message; what was read and is legal
 * prints as text that reads as the same; and nothing that follows may crash.
 */

#include "laneway/document.h"

#include <string.h>

static inline void must(bool holds)
{
    if (!holds)
        __builtin_trap();
}

static inline void check_error(const struct lw_error *err)
{
    must(err->code != LW_OK && err->message[0]);
    must(strlen(err->message) < LW_MESSAGE_MAX && strlen(err->excerpt) < LW_EXCERPT_MAX);
    struct lw_text text = {0};
    lw_text_error(&text, "x", err);
    lw_text_free(&text);
}

/* The text reads as this document's layout. */
static inline void check_again(const struct lw_document *doc, struct lw_text *text, bool legal,
                               bool exact)
{
    struct lw_document again;
    struct lw_text twice = {0};
    bool ok = lw_document_read(&again, lw_text_string(text), text->length, NULL, NULL);
    must(ok || !legal);
    if (ok && legal) {
        must(!exact || lw_encoding_equal(doc->encoding, again.encoding));
        must(doc->encoding->type == again.encoding->type);
        if (exact)
            lw_document_print(&twice, &again);
        else
            lw_document_source(&twice, &again);
        must(strcmp(lw_text_string(text), lw_text_string(&twice)) == 0);
    }
    if (ok)
        lw_document_free(&again);
    lw_text_free(&twice);
}

/* The machine form, and the one in words, name the layout. */
static inline void check_machine_form(const struct lw_layout *layout)
{
    struct lw_text text = {0};
    struct lw_document doc;
    struct lw_map map;
    struct lw_layout again;
    for (int words = 0; words < 2; words++) {
        lw_text_clear(&text);
        if (words)
            lw_layout_print(&text, layout);
        else
            lw_layout_print_json(&text, layout);
        must(lw_document_read(&doc, lw_text_string(&text), text.length, NULL, NULL));
        must(lw_document_build(&doc, &map, NULL) && lw_map_to_layout(&map, &again, NULL));
        must(lw_layout_equal(layout, &again));
        lw_document_free(&doc);
    }
    lw_text_free(&text);
}

static inline void check_document(const struct lw_document *doc)
{
    struct lw_error err = {0};
    struct lw_map map;
    struct lw_layout layout;
    struct lw_text text = {0};
    bool legal = lw_document_check(doc, &err);
    if (!legal)
        check_error(&err);
    lw_document_print(&text, doc);
    check_again(doc, &text, legal, true);
    lw_text_clear(&text);
    lw_document_source(&text, doc);
    check_again(doc, &text, legal, false);
    lw_text_free(&text);
    if (!lw_document_build(doc, &map, &err))
        check_error(&err);
    else if (lw_map_to_layout(&map, &layout, NULL))
        check_machine_form(&layout);
}

static inline void read_text(const char *text, size_t length)
{
    struct lw_document doc, copy;
    struct lw_error err = {0};
    if (!lw_document_read(&doc, text, length, NULL, &err)) {
        check_error(&err);
        return;
    }
    must(lw_document_copy(&copy, &doc, NULL));
    lw_document_free(&doc);
    check_document(&copy);
    lw_document_free(&copy);
}

#endif
