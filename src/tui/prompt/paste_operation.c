/* A pasted line of a dump, "%2 = ttg.convert_layout %1 : tensor<...> -> tensor<...>": opens the layouts that the
 * operation reads and writes, as from a kernel. */

#include "laneway/kernel.h"
#include "tui/explore/explorer.h"
#include "tui/kernel/browse.h"
#include "tui/prompt/prompt.h"

#include <string.h>

/* Makes a document of the operation, as a copy that borrows nothing of the kernel. */
static bool make_document(struct lw_document *doc, const struct lw_kernel *kernel,
                          struct lw_error *err)
{
    struct lw_document of_kernel;
    if (!lw_document_of_operation(&of_kernel, kernel, &kernel->operations[0], err))
        return false;
    bool copied = lw_document_copy(doc, &of_kernel, err);
    lw_document_free(&of_kernel);
    return copied;
}

static void open_document(struct lw_explorer *ex, struct lw_document *doc, const char *text,
                          const struct lw_kernel *kernel)
{
    const struct lw_operation *operation = &kernel->operations[0];
    const enum lw_role role = operation->kind->role;
    const char *dot = strrchr(operation->name, '.');
    char label[48];
    bool access = role == LW_ROLE_LOCAL_LOAD || role == LW_ROLE_LOCAL_STORE;
    snprintf(label, sizeof label, "%.16s%s%.24s", operation->value, *operation->value ? " " : "",
             dot ? dot + 1 : operation->name);
    lw_trail_push(ex);
    if (!lw_explorer_add_document(ex, doc, text, label)) {
        lw_trail_drop(ex);
        return;
    }
    struct lw_entry *entry = lw_explorer_entry(ex);
    lw_browse_note(entry, kernel, operation, NULL);
    lw_refresh(ex, 0);
    snprintf(entry->title, sizeof entry->title, "%.90s", operation->name);
    ex->focus = LW_FOCUS_VIEW;
    if (lw_layouts_are_several(&ex->layouts) && (access || role == LW_ROLE_CONVERT))
        lw_explorer_view(ex, access ? "banks" : "conversion");
}

bool lw_paste_operation(struct lw_explorer *ex, const char *text)
{
    struct lw_kernel kernel;
    struct lw_document doc;
    struct lw_error err;
    if (!strchr(text, '%') || !lw_kernel_read(&kernel, text, strlen(text), NULL, &err))
        return false;
    bool one = kernel.operation_count == 1 &&
               (kernel.operations[0].from >= 0 || kernel.operations[0].to >= 0);
    if (one && make_document(&doc, &kernel, &err))
        open_document(ex, &doc, text, &kernel);
    else if (one)
        lw_explorer_set_message(ex, true, "%s", err.message);
    else if (kernel.operation_count > 1)
        lw_explorer_set_message(ex, true,
                                "%zu operations were pasted: paste one, or open the dump as a file",
                                kernel.operation_count);
    bool taken = one || kernel.operation_count > 1;
    lw_kernel_free(&kernel);
    return taken;
}
