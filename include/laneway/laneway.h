#ifndef LANEWAY_H
#define LANEWAY_H

/*
 * liblaneway: where every element of a tensor lives on a GPU. This header includes all others. To
 * show a layout is to read it from text, open a subject, and write a view of it:
 *
 *     lw_document_open(&doc, "local(3, 4)", NULL, &err)
 *     lw_subject_open(&opened, &doc, LW_LANES_DEFAULT, &err)
 *     lw_view_open(&view, lw_view_type_find("owners"), &opened.subject, NULL, &err)
 *     lw_export(&view, lw_format_find("text"), NULL, stdout, &err)
 *     lw_view_close(&view); lw_subject_close(&opened); lw_document_free(&doc)
 *
 * Read layout.h first: its opening chapter teaches the subject. Then map.h (one shape for every
 * system), encoding.h (layouts by name), document.h (reading them), subject.h, view.h and
 * export.h. The others are one subject each: what an access costs (wavefront.h, plan.h), what moves
 * between two layouts (conversion.h, swizzle.h), CuTe (cute.h, descriptor.h), the calculator
 * (calc.h), compiled kernels and their costs (kernel.h, kernel_cost.h), other notations
 * (translate.h, formula.h).
 *
 * The library never prints, exits or aborts, and has no global state. Any function may be called
 * from any thread, as long as no value is changed by one thread and used by another.
 *
 * A function that can fail returns false (or NULL) and fills a struct lw_error. Pointers must not
 * be NULL unless the comment allows it; the error always may be. What a comment requires ("in
 * range", "at most") is the caller's duty; any other text, number or enumerator is refused or has
 * the result that the comment states.
 *
 * What a function borrows must outlive its result. What a struct owns is freed by the function
 * named at the struct. A struct is set to zeros before use where its comment requires it.
 */

#include "laneway/algebra.h"
#include "laneway/arena.h"
#include "laneway/calc.h"
#include "laneway/conversion.h"
#include "laneway/cuda.h"
#include "laneway/cute.h"
#include "laneway/descriptor.h"
#include "laneway/dims.h"
#include "laneway/document.h"
#include "laneway/encoding.h"
#include "laneway/error.h"
#include "laneway/export.h"
#include "laneway/f2.h"
#include "laneway/formula.h"
#include "laneway/hardware.h"
#include "laneway/kernel.h"
#include "laneway/kernel_cost.h"
#include "laneway/layout.h"
#include "laneway/map.h"
#include "laneway/plan.h"
#include "laneway/subject.h"
#include "laneway/swizzle.h"
#include "laneway/tensor.h"
#include "laneway/text.h"
#include "laneway/triton.h"
#include "laneway/value.h"
#include "laneway/view.h"
#include "laneway/wavefront.h"
#include "laneway/translate.h"

/* The version of these headers: major.minor.patch. */
#define LW_VERSION "0.1.0"
/* The structs that a program allocates, for LW_SIZES alone. */
struct lw_allocated {
    struct lw_error error;
    struct lw_text text;
    struct lw_arena arena;
    struct lw_layout layout;
    struct lw_map map;
    struct lw_tensor tensor;
    struct lw_document document;
    struct lw_open_options open_options;
    struct lw_opened opened;
    struct lw_view view;
    struct lw_view_options view_options;
    struct lw_export_options export_options;
    struct lw_plan plan;
    struct lw_plan_request plan_request;
    struct lw_conversion conversion;
    struct lw_conversion_request conversion_request;
    struct lw_kernel kernel;
    struct lw_kernel_options kernel_options;
};
#define LW_SIZES sizeof(struct lw_allocated) /* their sizes together, in these headers */

LW_BEGIN

/* The version of the library that is linked, as LW_VERSION. */
const char *lw_version(void);
/* Whether the linked library has the structs of the headers that the caller was compiled with:
 * lw_check_headers(LW_VERSION, LW_SIZES, &err). A program calls it once, before any other function,
 * when it may meet another version of the shared library. `version` may be any text. Fails with
 * LW_ERROR_UNSUPPORTED, and what to do in the message. */
bool lw_check_headers(const char *version, size_t sizes, struct lw_error *err);

LW_END

#endif
