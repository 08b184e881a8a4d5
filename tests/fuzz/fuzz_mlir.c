/* MLIR types and attributes. */

#include "fuzz_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_text((const char *)data, size);
    return 0;
}
