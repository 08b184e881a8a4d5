#ifndef LANEWAY_TEXT_JSON_H
#define LANEWAY_TEXT_JSON_H

/* Objects and lists of JSON, appended to a text: a comma comes before what follows another member or item. */

#include "laneway/text.h"

/* Begins an object, a list or another value: before it are a comma and the key; NULL: of an item, or of a whole text.
 * The value is `text`, as "{". */
void lw_json_put(struct lw_text *json, const char *key, const char *text);
/* A string; NULL: null. */
void lw_json_string(struct lw_text *json, const char *key, const char *string);
void lw_json_number(struct lw_text *json, const char *key, uint64_t number);
/* A number that is known, else null. */
void lw_json_known(struct lw_text *json, const char *key, bool known, uint64_t number);
void lw_json_truth(struct lw_text *json, const char *key, bool truth);

#endif
