/* The layouts and the tensor of an operation as short text. */

#include "laneway/kernel_cost.h"

#include <string.h>

/* Abbreviates an attribute: #ttg.slice<{dim = 1, parent = #mma}> is slice(1, #mma). */
static void print_short(struct lw_text *text, const char *alias)
{
    for (const char *p = alias; *p;) {
        size_t word = strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (!strncmp(p, "#ttg.", 5) || !strncmp(p, "#triton_gpu.", 12) ||
            !strncmp(p, "#ttng.", 6)) {
            p = strchr(p, '.') + 1;
        } else if (word && !strncmp(p + word, " = ", 3)) {
            p += word + 3;
        } else if (word) {
            lw_text_bytes(text, p, word);
            p += word;
        } else if (!strncmp(p, "<{", 2) || !strncmp(p, "}>", 2)) {
            lw_text_char(text, *p == '<' ? '(' : ')');
            p += 2;
        } else {
            lw_text_char(text, *p++);
        }
    }
}

void lw_operation_print_layouts(struct lw_text *text, const struct lw_kernel *kernel,
                                const struct lw_operation *operation)
{
    if (operation->from >= 0)
        print_short(text, lw_kernel_alias(kernel, operation->from));
    if (operation->from >= 0 && operation->to >= 0)
        lw_text_add(text, " -> ");
    if (operation->to >= 0)
        print_short(text, lw_kernel_alias(kernel, operation->to));
}

void lw_operation_print_tensor(struct lw_text *text, const struct lw_kernel *kernel,
                               const struct lw_operation *operation)
{
    struct lw_tensor tensor;
    lw_operation_tensor(kernel, operation, &tensor);
    if (tensor.rank >= 0)
        lw_tensor_print(text, &tensor);
}
