/* Predicts the unknowns of a step from those of past steps.
 *
 * The values that steps of one size find are samples of a smooth function of time, which
 * is extrapolated as a polynomial. The values of steps of different sizes depend on the
 * size as well, mu = lambda(t) + h beta(t) + ..., and this dependence is eliminated along
 * with that on time. In composed steps each substep has its own predictor: its values in
 * successive composed steps are samples of a smooth function again.
 *
 * Polynomials predict badly if steps are large. Values of large systems and of composed
 * steps are then predicted with weights that are fitted to past steps
 * (course/fitted.h). */
#ifndef LV_COURSE_PREDICTOR_H
#define LV_COURSE_PREDICTOR_H

#include "num/copy.h"

#include <stdbool.h>
#include <stddef.h>

enum { LV_PREDICTOR_DEPTH = 14, LV_PAST_LAST = LV_PREDICTOR_DEPTH - 1 };

/* Up to LV_PAST_FEW values per step, past steps are a window that moves through
 * LV_PAST_WINDOW places, the newest step last; when it arrives at the end it is moved
 * back to the start. With more values there are LV_PREDICTOR_DEPTH places, and the newest
 * step replaces the oldest one. */
enum { LV_PAST_FEW = 64, LV_PAST_WINDOW = 2 * LV_PREDICTOR_DEPTH };

/* Indices in lv_predictor.numbers. */
enum {
    LV_PAST_COUNT,  /* number of past steps that are stored */
    LV_PAST_NEWEST, /* place of the newest one; LV_PAST_LAST after lv_predictor_sort */
    LV_PAST_ALIKE,  /* number of newest steps that have the same size */
    LV_PAST_STEP,   /* size of the next step */
    LV_PAST_USED,   /* number of past values to extrapolate from */
    LV_PAST_TURNS,  /* power of E + 1 in the extrapolation (see predictor.c) */
    LV_PAST_MISS,   /* size of the first correction when both were chosen; with fitted
                       weights the least one since then */
    LV_PAST_FITTED, /* number of columns whose weights are fitted */
    LV_PAST_AGE,    /* number of steps since weights were fitted, or tried to be */
    LV_PAST_STEPS,  /* sizes of past steps, the newest one last */
    LV_PAST_VALUES = LV_PAST_STEPS + LV_PREDICTOR_DEPTH
};

/* The largest power of E + 1 that is tried. E is the shift by one step. */
enum { LV_PAST_MOST_TURNS = 6 };

/* Values of one quantity, from `offset` on. Columns of one kind are values of the same
 * quantity at different stages of a step. */
typedef struct lv_past_column {
    int offset, size, kind;
} lv_past_column;

/* All state is in `numbers`, which belongs to the caller: the counts above, the sizes of
 * past steps, the places of their values, then fitted weights. */
typedef struct lv_predictor {
    int m; /* number of values per step */
    double *numbers;
    const lv_past_column *columns; /* all values; NULL: no weights are fitted */
    int column_count;
    /* The numbers of substep k are at numbers + (k - substep) apart. */
    int substep, substeps;
    ptrdiff_t apart;
    double *work; /* room for LV_FITTED_WORK numbers */
    /* weights[t][n]: weights for steps of one size with power t of E + 1 and n past
     * values, the newest first; 0 after these. They are computed when needed first. */
    double weights[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1][LV_PREDICTOR_DEPTH];
    /* whether weights[t][n] have been computed */
    bool found[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH + 1];
} lv_predictor;

/* The number of `numbers`. */
int lv_predictor_size(int m, int columns);
void lv_predictor_clear(lv_predictor *predictor);

/* The number of past steps that are stored. */
static inline int lv_predictor_count(const lv_predictor *predictor)
{
    return (int)predictor->numbers[LV_PAST_COUNT];
}

/* Whether the numbers are valid indices and counts. They may have been read from a
 * file. */
bool lv_predictor_is_sound(const double *numbers, int m);

/* The values of a step in `numbers`: of the newest one for k = 0, of the one before it
 * for k = 1, and so on. */
const double *lv_predictor_values(const double *numbers, int m, int k);

/* Moves the newest step to place LV_PAST_LAST and the steps before it to the places
 * before. Equal past steps then have equal numbers. */
void lv_predictor_sort(double *numbers, int m);

/* Announces a step of size h. All numbers are cleared if they are not valid, as they may
 * be after they were read from a file. */
void lv_predictor_begin(lv_predictor *predictor, double h);

/* Computes the weights of `used` past values of steps of one size, the newest first, with
 * power `turns` of E + 1. */
void lv_predictor_weights(double *weights, int used, int turns);

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
    if (most == 0 && used > 1 && h->m <= LV_PAST_FEW && x[LV_PAST_FITTED] == 0 &&
        lv_predictor_is_like(h) && h->found[turns][used])
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
        h->m <= LV_PAST_FEW && !h->columns && lv_predictor_is_like(h)) {
        x[LV_PAST_NEWEST] = (double)place;
        lv_copy(x + LV_PAST_VALUES + place * h->m, found, h->m);
    } else {
        lv_predictor_add_otherwise(h, found, missed, miss);
    }
}

#endif
