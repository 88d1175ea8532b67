/* Half of the lanes as one vector value (GCC vector extension), so that vectorisation
 * does not depend on the compiler's analysis of loops. */
#ifndef LV_EXPR_LANES_H
#define LV_EXPR_LANES_H

#include "expr/program.h"

#include <stdint.h>

enum { LV_ROW = LV_LANES / 2 };

typedef double lv_row
    __attribute__((vector_size(LV_ROW * sizeof(double)), aligned(8), may_alias));
typedef int64_t lv_flags
    __attribute__((vector_size(LV_ROW * sizeof(int64_t)), aligned(8), may_alias));

/* Loops over both halves; o is the index of the first lane. */
#define LV_BOTH(o) for (int o = 0; o < LV_LANES; o += LV_ROW)

/* The numbers, or flags, at an address. */
#define LV_PUT(p) (*(lv_row *)(p))
#define LV_OF(p) (*(const lv_row *)(p))
#define LV_FLAGS_AT(p) (*(lv_flags *)(p))
#define LV_FLAGS_OF(p) (*(const lv_flags *)(p))

/* x where flags are set, y elsewhere. Flags are 0 or all bits. */
#define LV_CHOOSE(flags, x, y)                                                           \
    ((lv_row)(((lv_flags)(x) & (flags)) | ((lv_flags)(y) & ~(flags))))

/* A number of all lanes that is copied. */
typedef struct lv_lane_move {
    const double *from;
    double *to;
} lv_lane_move;

/* |x|: clears the sign bit. */
#define LV_SIZE(x) ((lv_row)((lv_flags)(x)&INT64_MAX))

/* x > y ? x : y */
#define LV_LARGER(x, y) LV_CHOOSE((x) > (y), x, y)

#endif
