/* Predicts the unknowns of a step from those of past steps.
 *
 * The values that steps of one size find are samples of a smooth function of time, which
 * is extrapolated as a polynomial. The values of steps of different sizes depend on the
 * size as well, mu = lambda(t) + h beta(t) + ..., and this dependence is eliminated along
 * with that on time. In composed steps each substep has its own predictor: its values in
 * successive composed steps are samples of a smooth function again. */
#ifndef LV_STEP_PREDICTOR_H
#define LV_STEP_PREDICTOR_H

#include <stdbool.h>

enum { LV_PREDICTOR_DEPTH = 14, LV_PAST_LAST = LV_PREDICTOR_DEPTH - 1 };

/* Indices in lv_predictor.numbers. */
enum {
    LV_PAST_COUNT,  /* number of past steps that are stored */
    LV_PAST_NEWEST, /* index of the newest one; LV_PAST_LAST after lv_predictor_sort */
    LV_PAST_ALIKE,  /* number of newest steps that have the same size */
    LV_PAST_STEP,   /* size of the next step */
    LV_PAST_USED,   /* number of past values to extrapolate from */
    LV_PAST_TURNS,  /* power of E + 1 in the extrapolation (see predictor.c) */
    LV_PAST_MISS,   /* size of the first correction when both were chosen */
    LV_PAST_STEPS,
    LV_PAST_VALUES = LV_PAST_STEPS + LV_PREDICTOR_DEPTH
};

/* The largest power of E + 1 that is tried. E is the shift by one step. */
enum { LV_PAST_MOST_TURNS = 6 };

/* All state is in `numbers`, which belongs to the caller: the counts above, the sizes of
 * past steps, then their values. Each of these has LV_PREDICTOR_DEPTH places. */
typedef struct lv_predictor {
    int m; /* number of values per step */
    double *numbers;
    /* weights[t][n]: weights for steps of one size with power t of E + 1 and n past
     * values, the newest first; 0 after these. They are computed when needed first. */
    double weights[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1][LV_PREDICTOR_DEPTH];
    /* whether weights[t][n] have been computed */
    bool found[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1];
} lv_predictor;

int lv_predictor_size(int m);
void lv_predictor_clear(lv_predictor *predictor);

/* The number of past steps that are stored. */
int lv_predictor_count(const lv_predictor *predictor);

/* Reorders the past steps by age, the newest one last. */
void lv_predictor_sort(double *numbers, int m);

/* Announces a step of size h. All numbers are cleared if they are not valid, as they may
 * be after they were read from a file. */
void lv_predictor_begin(lv_predictor *predictor, double h);

/* expected[r] = the prediction of value r; 0 if nothing is known. `most` is the largest
 * number of past values to use, for motions that are not smooth; 0: as many as fit
 * best. */
void lv_predictor_expect(lv_predictor *predictor, double *expected, int most);

/* Computes the weights of `used` past values of steps of one size, the newest first, with
 * power `turns` of E + 1. */
void lv_predictor_weights(double *weights, int used, int turns);

/* Adds the values of the step that was announced. `missed`: the prediction was not close;
 * the number of past values and the power of E + 1 are then chosen again, as they are
 * after a change of the step size. `miss` is the size of the first correction. */
void lv_predictor_add(lv_predictor *predictor, const double *found, bool missed,
                      double miss);

#endif
