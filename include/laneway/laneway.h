#ifndef LANEWAY_H
#define LANEWAY_H

/*
 * liblaneway: where every element of a tensor lives on a GPU.
 *
 * Read layout.h first: its opening chapter teaches the subject. Then map.h (one shape for every
 * system), encoding.h (layouts by name), document.h (reading them), view.h and export.h.
 *
 * The library never prints, exits or aborts, and holds no globals; everything may be called from any
 * thread on different values. Functions that can fail return false and fill a struct lw_error.
 */

#include "laneway/algebra.h"
#include "laneway/arena.h"
#include "laneway/calc.h"
#include "laneway/coalesce.h"
#include "laneway/compare.h"
#include "laneway/conversion.h"
#include "laneway/cute.h"
#include "laneway/dims.h"
#include "laneway/document.h"
#include "laneway/encoding.h"
#include "laneway/error.h"
#include "laneway/export.h"
#include "laneway/f2.h"
#include "laneway/formula.h"
#include "laneway/hardware.h"
#include "laneway/kernel.h"
#include "laneway/layout.h"
#include "laneway/map.h"
#include "laneway/plan.h"
#include "laneway/reduction.h"
#include "laneway/swizzle.h"
#include "laneway/tensor.h"
#include "laneway/text.h"
#include "laneway/value.h"
#include "laneway/view.h"
#include "laneway/wavefront.h"
#include "laneway/words.h"

#define LW_VERSION "0.1.0"

#endif
