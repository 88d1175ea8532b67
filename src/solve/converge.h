/* When is an iteration done? Fed with the relative size of each update. */
#ifndef LV_SOLVE_CONVERGE_H
#define LV_SOLVE_CONVERGE_H

#include "base/status.h"

#include <stdbool.h>

typedef enum lv_verdict {
    LV_GO_ON,
    LV_CONVERGED,
    LV_SLOW,    /* contracts, but too slowly for the current matrix */
    LV_DIVERGED /* grows, is not finite, or the iterations are used up */
} lv_verdict;

typedef struct lv_converge {
    double tolerance;
    int most; /* iterations */
    int count;
    double size;     /* of the last update */
    double smallest; /* so far */
    double rate;     /* last contraction, 1 before there is one */
    bool linear; /* contracts ever alike, not ever faster: to be set after the start */
    double mark; /* smallest update when that was last halved, */
    int idle;    /* and how many updates ago this was */
} lv_converge;

void lv_converge_start(lv_converge *c, double tolerance, int most);

/* Converged when what is still to come is below the tolerance (the next update is about
 * rate * size, with the worse of the last two rates if the iteration is linear), or when updates have
 * stopped shrinking, or the iterations are used up, at the level of rounding. */
lv_verdict lv_converge_test(lv_converge *c, double size);

/* Why an iteration that did not converge ended: it diverged, or stalled. */
lv_reason lv_converge_reason(const lv_converge *c);

/* Updates are small and no longer shrink, although they are larger than the usual level of rounding. Near a
 * singular matrix this is what rounding of the residuals looks like: it is amplified by the inverse. The
 * caller has to verify that the residuals are indeed rounding; the iteration is then as good as it gets. */
bool lv_converge_stagnates(const lv_converge *c);

#endif
