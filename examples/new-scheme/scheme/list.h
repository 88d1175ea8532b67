/* The schemes of livens, and one more: this list stands for src/scheme/list.h where the example is built. */
#include "../../../src/scheme/list.h"
LV_X(lv_scheme_midpoint)
