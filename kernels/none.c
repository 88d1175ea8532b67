/* No kernels: for the tool that writes them, and for builds without. */
#include "expr/native.h"

const lv_native lv_native_table[] = {{.length = 0}};
const int lv_native_count = 0;
