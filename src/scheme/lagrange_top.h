/* Recognises a symmetric heavy top with a fixed point on its axis (Lagrange's top), written in directors: twelve
 * coordinates, the centre of mass l d3 and the directors d1, d2, d3; nine constraints; gravity. */
#ifndef LV_SCHEME_LAGRANGE_TOP_H
#define LV_SCHEME_LAGRANGE_TOP_H

#include "system/system.h"

/* A top has four vectors of three numbers; the last one is the axis d3. */
enum { LV_TOP_SPACE = 3, LV_TOP_VECTORS = 4, LV_TOP_COORDINATES = 12, LV_TOP_AXIS = 9 };

typedef struct lv_lagrange_top {
    double mass[LV_TOP_VECTORS]; /* the mass, then Euler's values of the directors */
    double length;               /* distance of the centre of mass from the fixed point */
    double across, along;        /* moments of inertia J1 and J3 about the fixed point */
    double pull[LV_TOP_SPACE];   /* w = -l F for the force F of gravity */
    double hand; /* 1: the directors are right-handed, -1: they are left-handed */
} lv_lagrange_top;

/* Reads the numbers of the top. *reason: NULL, or why the system is no such top. */
lv_status lv_lagrange_top_read(lv_lagrange_top *top, const lv_system *system,
                               const char **reason, lv_error *err);

/* y = x turned by the Cayley rotation of a, x + 2 / (1 + |a|^2) (a x x + a x (a x x)); y must not be x. */
void lv_cayley_turn(double y[LV_TOP_SPACE], const double a[LV_TOP_SPACE],
                    const double x[LV_TOP_SPACE]);

#endif
