/* Objects and lists of JSON. */

#include "core/text_json.h"

#include <string.h>

void lw_json_put(struct lw_text *json, const char *key, const char *text)
{
    if (json->length && !strchr("{[:\n", json->data[json->length - 1]))
        lw_text_char(json, ',');
    if (key)
        lw_text_format(json, "\"%s\":", key);
    lw_text_add(json, text);
}

void lw_json_string(struct lw_text *json, const char *key, const char *string)
{
    lw_json_put(json, key, string ? "" : "null");
    if (string)
        lw_text_json_string(json, string);
}

void lw_json_number(struct lw_text *json, const char *key, uint64_t number)
{
    lw_json_put(json, key, "");
    lw_text_number(json, number);
}

void lw_json_known(struct lw_text *json, const char *key, bool known, uint64_t number)
{
    lw_json_put(json, key, known ? "" : "null");
    if (known)
        lw_text_number(json, number);
}

void lw_json_truth(struct lw_text *json, const char *key, bool truth)
{
    lw_json_put(json, key, truth ? "true" : "false");
}
