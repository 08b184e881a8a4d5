/*
 * A linear layout as Triton prints it, and laneway's `bases`:
 *
 *     layout: in-dim { in-dim } `where out dims are: [` out-dims `]`
 *           | `(empty layout` [ `with out-dims [` out-dims `]` ] `)`
 *     in-dim: `-` name `is a size 1 dimension`
 *           | `-` name `=1 -> ` image { name `=` 2, 4, 8, ... ` -> ` image }
 *     image:  `(` [ number { `,` number } ] `)`
 *     out-dims: [ name `(size` number `)` { `,` ... } ]
 *
 * White space between tokens is ignored, so the text may have lost its line breaks.
 *
 * Source: LinearLayout::toString of Triton, releases 3.0 to 3.7.
 */

#include "notation/expression/expression.h"
#include "encoding/schema/schema.h"

#include <string.h>

/* The parameters of the encoding `bases`, as lw_read_value reads them: `["lane", 2],`. */
struct printed {
    struct lw_text in, out, bases;
};

/* Reads words and signs that are separated by blanks. */
static bool read_words(struct lw_scan *scan, const char *words, const char *expected)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        char word[12];
        length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        bool found =
            lw_is_name_start(*word) ? lw_scan_keyword(scan, word) : lw_scan_accept(scan, *word);
        if (!found)
            return lw_scan_unexpected(scan, expected);
    }
    return true;
}

/* `[dim0 (size 16), ...]` */
static bool read_outs(struct lw_scan *scan, struct printed *printed)
{
    struct lw_position ignored;
    bool more = lw_scan_expect(scan, '[', "'['");
    if (!more)
        return false;
    for (more = !lw_scan_accept(scan, ']'); more;) {
        int64_t size;
        const char *name = lw_scan_dim(scan, &ignored);
        if (!name)
            return lw_scan_unexpected(scan, "the name of an out-dim");
        if (!read_words(scan, "(", "'(size N)'") || !read_words(scan, "size", "'size'") ||
            !lw_scan_integer(scan, &size) || !lw_scan_expect(scan, ')', "')'"))
            return false;
        lw_text_format(&printed->out, "[\"%s\", %lld],", name, (long long)size);
        more = lw_scan_accept(scan, ',');
        if (!more && !lw_scan_expect(scan, ']', "',' or ']'"))
            return false;
    }
    return true;
}

/* `(0, 1)` */
static bool read_image(struct lw_scan *scan, struct lw_text *bases)
{
    int64_t number;
    if (!lw_scan_expect(scan, '(', "'('"))
        return false;
    lw_text_char(bases, '[');
    for (bool more = !lw_scan_accept(scan, ')'); more;) {
        if (!lw_scan_integer(scan, &number))
            return false;
        lw_text_format(bases, "%lld,", (long long)number);
        more = lw_scan_accept(scan, ',');
        if (!more && !lw_scan_expect(scan, ')', "',' or ')'"))
            return false;
    }
    lw_text_add(bases, "],");
    return true;
}

/* Reads the bases after the name of an in-dim, `=4 -> (2, 0)`; each after the first one repeats the name. */
static bool read_bases(struct lw_scan *scan, struct printed *printed, const char *name,
                       struct lw_position position, int *count)
{
    int64_t power, size = 1;
    if (lw_scan_peek(scan) != '=')
        return read_words(scan, "is a size", "'=1 ->' or 'is a size 1 dimension'") &&
               lw_scan_integer(scan, &size) && read_words(scan, "dimension", "'dimension'") &&
               (size == 1 || lw_error_at(scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                                         "a dim without bases must have size 1"));
    for (;; ++*count) {
        int64_t due = (int64_t)1 << *count;
        if (!lw_scan_expect(scan, '=', "'='") || !lw_scan_integer(scan, &power))
            return false;
        if (power != due)
            return lw_error_at(
                scan->err, LW_ERROR_SYNTAX, lw_scan_until(scan, position),
                "%.40s=%lld, but expected %.40s=%lld: the bases are those of 1, 2, 4, ...", name,
                (long long)power, name, (long long)due);
        if (*count == 62)
            return lw_error_at(scan->err, LW_ERROR_LIMIT, position, "more than 62 bases of %.40s",
                               name);
        if (!read_words(scan, "- >", "'->'") || !read_image(scan, &printed->bases))
            return false;
        lw_scan_space(scan);
        position = lw_scan_position(scan);
        if (!lw_scan_keyword(scan, name))
            return ++*count;
    }
}

static bool read_in(struct lw_scan *scan, struct printed *printed)
{
    struct lw_position position;
    int count = 0;
    const char *name = lw_scan_dim(scan, &position);
    if (!name)
        return lw_scan_unexpected(scan, "the name of an in-dim");
    lw_text_format(&printed->bases, "\"%s\": [", name);
    if (!read_bases(scan, printed, name, position, &count))
        return false;
    lw_text_add(&printed->bases, "],");
    lw_text_format(&printed->in, "[\"%s\", %lld],", name, (long long)1 << count);
    return true;
}

/* ---- The whole ---- */

static bool read_lines(struct lw_scan *scan, struct printed *printed)
{
    static const char expected[] = "'where out dims are: [...]'";
    if (lw_scan_accept(scan, '('))
        return read_words(scan, "empty layout", "'(empty layout)'") &&
               (!lw_scan_keyword(scan, "with") ||
                (read_words(scan, "out - dims", "'out-dims'") && read_outs(scan, printed))) &&
               lw_scan_expect(scan, ')', "')'");
    while (lw_scan_accept(scan, '-'))
        if (!read_in(scan, printed))
            return false;
    if (!lw_scan_keyword(scan, "where"))
        return lw_scan_unexpected(scan, printed->in.length
                                            ? "'- ' and an in-dim or 'where out dims are: [...]'"
                                            : "'- ' and an in-dim");
    return read_words(scan, "out dims are", expected) && lw_scan_expect(scan, ':', "':'") &&
           read_outs(scan, printed);
}

bool lw_read_tostring(struct lw_scan *scan, struct lw_encoding **encoding)
{
    struct printed printed = {0};
    struct lw_text text = {0};
    struct lw_value value = {0};
    struct lw_scan inner;
    lw_scan_space(scan);
    struct lw_position position = lw_scan_position(scan);
    position.length = 1;
    bool good =
        read_lines(scan, &printed) && (lw_scan_at_end(scan) || lw_scan_unexpected(scan, "the end"));
    lw_text_format(&text, "{in = [%s], out = [%s], bases = {%s}}", lw_text_string(&printed.in),
                   lw_text_string(&printed.out), lw_text_string(&printed.bases));
    lw_scan_begin(&inner, scan->arena, lw_text_string(&text), text.length, scan->err);
    inner.whole = position;
    good = good && (!text.failed || lw_scan_out_of_memory(scan)) && lw_read_value(&inner, &value);
    if (good)
        *encoding = lw_read_new(scan, lw_encoding_type_get("bases", position, scan->err), position);
    good = good && *encoding;
    for (size_t i = 0; good && i < value.count; i++)
        good = lw_read_set_param(*encoding, value.names[i], position, &value.items[i], scan->err);
    lw_text_free(&text);
    lw_text_free(&printed.in);
    lw_text_free(&printed.out);
    lw_text_free(&printed.bases);
    return good;
}
