/* Multipliers of past steps, and what they let expect of the next one.
 *
 * The multipliers that a step of size h finds, divided by the time on which they act, differ
 * from lambda(t) at its start: after a step of size h' whose velocities were left as they were
 *   mu = lambda(t) + (h - h') beta(t) + ...,
 * and h' is to be taken as 0 after velocities were made tangent. Steps of one size give values of
 * one smooth function, continued as a polynomial; otherwise the dependence on h - h' is
 * eliminated along with that on time. */
#ifndef LV_STEP_PREDICTOR_H
#define LV_STEP_PREDICTOR_H

#include <stdbool.h>

enum { LV_PREDICTOR_DEPTH = 14 };

/* All state is in `numbers`: how many steps are known, where the newest is, size and predecessor
 * of each, size and predecessor of the coming step, then the values. */
typedef struct lv_predictor {
    int m; /* values per step */
    double *numbers;
} lv_predictor;

int lv_predictor_size(int m);
void lv_predictor_clear(lv_predictor *predictor);

/* How many steps are known. */
int lv_predictor_count(const lv_predictor *predictor);

/* A step of size h is to come. */
void lv_predictor_begin(lv_predictor *predictor, double h);

/* The time on which the first multiplier of the coming step acts, relative to h. */
double lv_predictor_share(const lv_predictor *predictor);

/* expected[r] = scale * what is expected of value r; 0 where nothing is known. most: past values that may be used, for
 * motions that are not smooth; 0: as many as serve best. */
void lv_predictor_expect(const lv_predictor *predictor, double *expected, double scale,
                         int most);

/* The step that began is over: found[r] / scale are its values. tangent: velocities were made
 * consistent at its end. missed: what had been expected was not close. */
void lv_predictor_add(lv_predictor *predictor, const double *found, double scale,
                      bool tangent, bool missed);

#endif
