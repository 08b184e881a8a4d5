/* Compiled kernels: any text is read; the lists of a kernel are consistent, and every query works. */

#include "fuzz_reading.h"

#include "laneway/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_type(const struct lw_kernel *kernel, size_t i)
{
    const struct lw_kernel_type *type = &kernel->types[i];
    must(type->layout >= 0 && (size_t)type->layout < kernel->encoding_count);
    must(type->encoding || type->problem);
}

static void check_operation(const struct lw_kernel *kernel, size_t i)
{
    const struct lw_operation *operation = &kernel->operations[i];
    struct lw_document doc;
    struct lw_error err = {0};
    struct lw_tensor tensor;
    struct lw_text text = {0};
    uint64_t trips;
    must(operation->loop < (int)kernel->loop_count && operation->type_count >= 0);
    must(operation->from < (int)kernel->type_count && operation->to < (int)kernel->type_count);
    must(lw_operation_depth(kernel, operation) <= LW_KERNEL_DEPTH_MAX);
    lw_operation_trips(kernel, operation, &trips);
    lw_operation_tensor(kernel, operation, &tensor);
    lw_location_print(&text, operation->location, true);
    lw_text_free(&text);
    if (operation->from < 0 && operation->to < 0)
        return;
    if (lw_document_of_operation(&doc, kernel, operation, &err))
        lw_document_free(&doc);
    else
        check_error(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct lw_kernel kernel;
    struct lw_error err = {0};
    struct lw_kernel_options options = {.value = "%0"};
    if (!lw_kernel_read(&kernel, (const char *)data, size, &options, &err)) {
        check_error(&err);
        return 0;
    }
    for (int i = 0; i < kernel.problems.count; i++)
        check_error(&kernel.problems.errors[i]);
    for (size_t i = 0; i < kernel.type_count && i < 64; i++)
        check_type(&kernel, i);
    for (size_t i = 0; i < kernel.operation_count && i < 64; i++)
        check_operation(&kernel, i);
    must(kernel.picked < (int)kernel.type_count);
    lw_kernel_free(&kernel);
    return 0;
}
