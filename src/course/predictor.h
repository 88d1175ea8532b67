/* Predicts the unknowns of a step from those of past steps.
 *
 * The values that steps of one size find are samples of a smooth function of time, which
 * is extrapolated as a polynomial. The values of steps of different sizes depend on the
 * size as well, mu = lambda(t) + h beta(t) + ..., and this dependence is eliminated along
 * with that on time. In composed steps each substep has its own predictor: its values in
 * successive composed steps are samples of a smooth function again.
 *
 * Polynomials predict badly if steps are large. Values of large systems are then
 * predicted with weights that are fitted to past steps (course/fitted.h). */
#ifndef LV_COURSE_PREDICTOR_H
#define LV_COURSE_PREDICTOR_H

#include "course/past.h"
#include "num/copy.h"

/* Announces a step of size h. All numbers are cleared if they are not valid, as they may
 * be after they were read from a file. */
void lv_predictor_begin(lv_predictor *predictor, double h);

/* The general cases of the functions below. */
void lv_predictor_expect_otherwise(lv_predictor *predictor, double *expected, int most);
void lv_predictor_add_otherwise(lv_predictor *predictor, const double *found, bool missed,
                                double miss);

/* Whether the next step has the size of the last one. */
static inline bool lv_predictor_is_like(const lv_predictor *h)
{
    return h->numbers[LV_PAST_STEPS + LV_PAST_LAST] == h->numbers[LV_PAST_STEP];
}

/* Two values as one, for which compilers emit vector instructions even where they would
 * not vectorise a loop. */
typedef double lv_past_pair
    __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

/* to[r] = the sum of w[k] x[r - k m] over the past steps; far: over all of them, otherwise
 * over the newest half. */
LV_INLINE void lv_predictor_sum(double *to, const double *w, const double *x, ptrdiff_t m,
                                bool far)
{
    enum { HALF = LV_PREDICTOR_DEPTH / 2 };
#define TERM(type, k) (w[k] * *(const type *)(x - (k)*m))
#define SUM(type, k)                                                                     \
    ((TERM(type, k) + TERM(type, (k) + 1)) +                                             \
     (TERM(type, (k) + 2) + TERM(type, (k) + 3)) +                                       \
     (TERM(type, (k) + 4) + TERM(type, (k) + 5)) + TERM(type, (k) + 6))
    ptrdiff_t left = m;
    for (; left > 1; left -= 2, x += 2, to += 2)
        *(lv_past_pair *)to =
            far ? SUM(lv_past_pair, 0) + SUM(lv_past_pair, HALF) : SUM(lv_past_pair, 0);
    if (left > 0)
        *to = far ? SUM(double, 0) + SUM(double, HALF) : SUM(double, 0);
#undef SUM
#undef TERM
}

/* The same. The compiler unrolls the loop for phases of one or two unknowns. */
LV_INLINE void lv_predictor_sum_few(double *to, const double *w, const double *x, int m,
                                    bool far)
{
    if (m == 1)
        lv_predictor_sum(to, w, x, 1, far);
    else if (m == 2)
        lv_predictor_sum(to, w, x, 2, far);
    else
        lv_predictor_sum(to, w, x, m, far);
}

/* expected[r] = the prediction of value r; 0 if nothing is known. `most` is the largest
 * number of past values to use, for motions that are not smooth; 0: as many as fit
 * best. */
LV_INLINE void lv_predictor_expect(lv_predictor *h, double *expected, int most)
{
    const double *x = h->numbers;
    const int used = (int)x[LV_PAST_USED], turns = (int)x[LV_PAST_TURNS];
    if (most == 0 && used > 1 && h->m <= LV_PAST_FEW && lv_predictor_is_like(h) &&
        h->found[turns][used])
        lv_predictor_sum_few(expected, h->weights[turns][used],
                             x + LV_PAST_VALUES + (ptrdiff_t)x[LV_PAST_NEWEST] * h->m,
                             h->m, used > LV_PREDICTOR_DEPTH / 2);
    else
        lv_predictor_expect_otherwise(h, expected, most);
}

/* Adds the values of the step that was announced. `missed`: the prediction was not close;
 * the number of past values and the power of E + 1 are then chosen again, as they are
 * after a change of the step size. `miss` is the size of the first correction. */
LV_INLINE void lv_predictor_add(lv_predictor *h, const double *found, bool missed,
                                double miss)
{
    double *x = h->numbers;
    const ptrdiff_t place = (ptrdiff_t)x[LV_PAST_NEWEST] + 1;
    if (!missed && x[LV_PAST_ALIKE] == LV_PREDICTOR_DEPTH && place < LV_PAST_WINDOW &&
        h->m <= LV_PAST_FEW && lv_predictor_is_like(h)) {
        x[LV_PAST_NEWEST] = (double)place;
        lv_copy(x + LV_PAST_VALUES + place * h->m, found, h->m);
    } else {
        lv_predictor_add_otherwise(h, found, missed, miss);
    }
}

#endif
