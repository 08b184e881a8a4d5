/* The legal values of fields with few of them: element types, booleans, orders, numbers in a short range. */

#include "tui/form/form.h"
#include "tui/explore/explorer.h"
#include "tui/form/numbers.h"

#include <string.h>

enum { FEW = 24, POWERS_MAX = 1024, ORDER_MAX = 4 };

/* Appends permutation number i of 0..count-1, in order; false: there are fewer. */
static bool put_permutation(struct lw_text *text, int count, size_t i)
{
    int left[ORDER_MAX];
    size_t total = 1;
    for (int k = 0; k < count; k++) {
        left[k] = k;
        total *= (size_t)k + 1;
    }
    if (i >= total)
        return false;
    lw_text_char(text, '[');
    for (int rest = count; rest > 0; rest--) {
        total /= (size_t)rest;
        size_t at = i / total;
        i %= total;
        lw_text_format(text, "%s%d", rest < count ? ", " : "", left[at]);
        memmove(left + at, left + at + 1, ((size_t)rest - at - 1) * sizeof *left);
    }
    lw_text_char(text, ']');
    return true;
}

static bool put_number(struct lw_text *text, const struct lw_param *param, size_t i)
{
    int64_t min = param->min, max = param->min || param->max ? param->max : INT32_MAX, n;
    if (param->choices) {
        if (i >= param->choice_count)
            return false;
        n = param->choices[i];
    } else if (param->rules & LW_RULE_POWER_OF_TWO) {
        n = i < FEW ? (int64_t)1 << i : INT64_MAX;
        max = max < POWERS_MAX ? max : POWERS_MAX;
    } else {
        n = min + (int64_t)i;
    }
    if (n > max && !param->choices)
        return false;
    lw_text_format(text, "%lld", (long long)n);
    return true;
}

static size_t entries_of(const struct lw_field *field)
{
    size_t count = 0, start, end;
    while (lw_number_find(lw_text_string(&field->text), count, &start, &end))
        count++;
    return count;
}

bool lw_field_is_element(const struct lw_field *field)
{
    return !field->param && !strcmp(field->label, "element");
}

bool lw_field_choice(const struct lw_field *field, size_t i, struct lw_text *text)
{
    const struct lw_param *param = field->param;
    if (lw_field_is_element(field)) {
        const char *name = lw_element_name(i);
        lw_text_add(text, name ? name : "");
        return name != NULL;
    }
    if (!param || field->folds)
        return false;
    if (param->type == LW_PARAM_BOOLEAN) {
        lw_text_add(text, i == 0 ? "false" : "true");
        return i < 2;
    }
    if (param->type == LW_PARAM_INTEGER)
        return put_number(text, param, i);
    size_t count = entries_of(field);
    return (param->rules & LW_RULE_PERMUTATION) && count > 1 && count <= ORDER_MAX &&
           put_permutation(text, (int)count, i);
}

/* Whether a value is an element type with that name in other notations: fp8, int32, half. */
static bool is_called(const char *value, const char *typed)
{
    static const char *const ways[][2] = {
        {"float", "f"}, {"fp", "f"}, {"uint", "ui"}, {"int", "i"}};
    char spelled[LW_ELEMENT_MAX];
    struct lw_element element;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        size_t length = strlen(ways[i][0]);
        if (strncmp(typed, ways[i][0], length) != 0 || strlen(typed) >= sizeof spelled)
            continue;
        snprintf(spelled, sizeof spelled, "%s%s", ways[i][1], typed + length);
        if (lw_contains_text(value, spelled))
            return true;
    }
    return lw_element_find(&element, typed, NULL) && !strcmp(element.name, value);
}

bool lw_field_choice_has(const struct lw_field *field, const char *value, const char *typed)
{
    if (field->param && field->param->type == LW_PARAM_INTEGER)
        return !strncmp(value, typed, strlen(typed));
    return lw_contains_text(value, typed) ||
           (lw_field_is_element(field) && is_called(value, typed));
}

size_t lw_field_choices(const struct lw_field *field)
{
    struct lw_text text = {0};
    size_t count = 0, most = lw_field_is_element(field) ? SIZE_MAX : FEW;
    while (count <= most && lw_field_choice(field, count, &text)) {
        lw_text_clear(&text);
        count++;
    }
    lw_text_free(&text);
    return count > 1 && count <= most ? count : 0;
}

void lw_field_step(const struct lw_field *field, int direction, struct lw_text *text)
{
    struct lw_text value = {0};
    const char *now = lw_text_string(&field->text);
    for (size_t i = 0; lw_field_choice(field, i, &value); i++, lw_text_clear(&value))
        if (!strcmp(lw_text_string(&value), now) && (direction > 0 || i > 0)) {
            lw_field_choice(field, i + (size_t)direction, text);
            break;
        }
    lw_text_free(&value);
}
