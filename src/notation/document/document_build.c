/* Checking a document and building the map of its layout. */

#include "notation/calc/calc_table.h"
#include "notation/document/read.h"

#include <string.h>

static void add_excerpt(const struct lw_document *doc, struct lw_error *err)
{
    if (doc->text)
        lw_error_excerpt(err, doc->text, strlen(doc->text));
}

bool lw_document_build(const struct lw_document *doc, struct lw_map *map, struct lw_error *err)
{
    if (lw_encoding_build(doc->encoding, &doc->tensor, map, err) &&
        lw_calc_check_operand(doc->encoding, err))
        return true;
    add_excerpt(doc, err);
    return false;
}

/* Checks and builds, and adds the first problem. */
static bool check_one(const struct lw_encoding *encoding, const struct lw_tensor *tensor,
                      struct lw_report *report)
{
    struct lw_map map;
    struct lw_error err = {0};
    if (lw_encoding_build(encoding, tensor, &map, &err) && lw_calc_check_operand(encoding, &err))
        return true;
    lw_report_add(report, &err);
    return false;
}

bool lw_document_check(const struct lw_document *doc, struct lw_report *report)
{
    int before = report->count;
    bool ok = check_one(doc->encoding, &doc->tensor, report);
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document other;
        if (!doc->others[i].encoding)
            continue;
        lw_document_side(&other, doc, (enum lw_side)i);
        ok = check_one(other.encoding, &other.tensor, report) && ok;
    }
    for (int i = before; i < report->count; i++)
        add_excerpt(doc, &report->errors[i]);
    return ok;
}
