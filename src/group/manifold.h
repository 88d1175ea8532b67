/* Products of groups: where the configurations of a model live. Every map acts factor by factor, and its matrix is
 * block diagonal.
 *
 * A factor is `count` copies of one group that follow each other, so R^n is one factor of rn with n copies, and a family
 * of bodies one of so3. Elements and tangents have different sizes and hence different offsets. */
#ifndef LV_GROUP_MANIFOLD_H
#define LV_GROUP_MANIFOLD_H

#include "group/group.h"

typedef struct lv_factor {
    const lv_lie_group *group;
    int count;   /* copies */
    int element; /* where the elements begin */
    int tangent; /* where tangents and momenta begin */
} lv_factor;

typedef struct lv_manifold {
    const lv_factor *factors; /* of the caller */
    int factor_count;
    lv_chart chart;
    int elements; /* numbers of a configuration as stored */
    int tangents; /* degrees of freedom */
} lv_manifold;

/* Places the factors one behind the other and counts. */
void lv_manifold_init(lv_manifold *m, lv_chart chart, lv_factor *factors, int count);

/* The operators of the step language for a whole configuration; see group.h. Results must not overlap arguments. */
void lv_manifold_move(const lv_manifold *m, double *moved, const double *q,
                      const double *x);
void lv_manifold_D(const lv_manifold *m, double *y, const double *x, const double *e);
void lv_manifold_DT(const lv_manifold *m, double *y, const double *x, const double *w);
void lv_manifold_DTm(const lv_manifold *m, double *y, const double *x, const double *w);
void lv_manifold_B(const lv_manifold *m, double *y, const double *x, const double *e,
                   const double *w);
void lv_manifold_space(const lv_manifold *m, double *y, const double *q, const double *w);
void lv_manifold_body(const lv_manifold *m, double *y, const double *q, const double *w);

/* x with a tau(x) = b; for starts and tests */
void lv_manifold_between(const lv_manifold *m, double *x, const double *a,
                         const double *b);

void lv_manifold_identity(const lv_manifold *m, double *q);

/* As lv_manifold_move, with compensated sums where the chart adds: `rest` holds, per number of a configuration, what
 * rounding left over in earlier moves, and `moved_rest` what it leaves over now. Other factors have no rest. */
void lv_manifold_move_carried(const lv_manifold *m, double *moved, double *moved_rest,
                              const double *q, const double *rest, const double *x);

#endif
