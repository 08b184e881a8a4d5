/* Building the maps of a document's layouts. */

#include "notation/calc/calculator.h"
#include "notation/document/read.h"

#include <string.h>

bool lw_document_build(const struct lw_document *doc, struct lw_map *map, struct lw_error *err)
{
    if (lw_encoding_build(doc->encoding, &doc->tensor, map, err) &&
        lw_calc_check_operand(doc->encoding, err))
        return true;
    if (doc->text)
        lw_error_excerpt(err, doc->text, strlen(doc->text));
    return false;
}

bool lw_document_check(const struct lw_document *doc, struct lw_error *err)
{
    for (int i = 0; i < LW_SIDES; i++) {
        struct lw_document side;
        struct lw_map map;
        if (!lw_document_has(doc, (enum lw_side)i))
            continue;
        lw_document_side(&side, doc, (enum lw_side)i);
        if (!lw_document_build(&side, &map, err))
            return false;
    }
    return true;
}
