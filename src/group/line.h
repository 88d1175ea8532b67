/* What groups of one number that add have in common: real numbers, and angles. */
#ifndef LV_GROUP_LINE_H
#define LV_GROUP_LINE_H

#include "group/group.h"

static inline void lv_line_compose(double *g, const double *a, const double *b)
{
    *g = *a + *b;
}

static inline void lv_line_inverse(double *g, const double *a)
{
    *g = -*a;
}

static inline void lv_line_one(double *m, const double *g)
{
    (void)g;
    *m = 1;
}

static inline void lv_line_zero(double *m, const double *x)
{
    (void)x;
    *m = 0;
}

static inline void lv_line_same(double *y, const double *g, const double *w)
{
    (void)g;
    *y = *w;
}

/* The part of a descriptor that this is. */
#define LV_LINE                                                                          \
    .element = 1, .tangent = 1, .commutes = true, .compose = lv_line_compose,            \
    .inverse = lv_line_inverse, .Ad = lv_line_one, .ad = lv_line_zero,                   \
    .coad = lv_line_zero, .space = lv_line_same, .body = lv_line_same

#endif
