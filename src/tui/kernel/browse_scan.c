/* A scan: the layout of its operand, which its result has too, in the colours of what shares the scanned dim. What the
 * warps exchange has no layout, so the message has the numbers of the table. */

#include "tui/kernel/browse.h"

#include <stdlib.h>
#include <string.h>

bool lw_browse_is_scan(const struct lw_kernel *kernel, const struct lw_operation *operation)
{
    return operation->kind->role == LW_ROLE_REDUCE && strstr(operation->name, "scan") &&
           operation->from >= 0 && operation->to >= 0 &&
           kernel->types[operation->from].layout == kernel->types[operation->to].layout;
}

const char *lw_browse_scan_color(const struct lw_kernel_cost *cost)
{
    static const char *const colors[][2] = {
        {"shared", "warp"}, {"shuffle", "lane"}, {"registers", "register"}};
    for (size_t i = 0; cost && i < sizeof colors / sizeof *colors; i++)
        if (!strcmp(cost->kind, colors[i][0]))
            return colors[i][1];
    return NULL;
}

void lw_browse_report_scan(struct lw_explorer *ex, const struct lw_operation *operation,
                           const struct lw_kernel_cost *cost)
{
    const char *at = strstr(operation->text, "axis = "), *color = lw_browse_scan_color(cost);
    struct lw_text text = {0};
    lw_text_add(&text, "scan");
    if (at)
        lw_text_format(&text, " along dim %d", atoi(at + strlen("axis = ")));
    if (!color)
        lw_text_add(&text, ": what it exchanges is not known");
    else if (!strcmp(color, "warp"))
        lw_text_format(&text,
                       ": warps share it and exchange results in shared memory: %s, %llu "
                       "wavefronts (ideal %llu); the picture is of its input, not of that memory",
                       cost->code, (unsigned long long)cost->wavefronts,
                       (unsigned long long)cost->ideal);
    else if (!strcmp(color, "lane"))
        lw_text_add(&text, ": each warp holds all of it: its lanes shuffle");
    else
        lw_text_add(&text, ": each thread holds all of it: nothing is exchanged");
    lw_explorer_set_message(ex, false, "%s", lw_text_string(&text));
    lw_text_free(&text);
}
