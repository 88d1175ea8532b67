#include "course/predictor.h"

#include "course/combine.h"
#include "course/fitted.h"

#include <math.h>
#include <string.h>

void lv_predictor_begin(lv_predictor *h, double step)
{
    if (!lv_predictor_is_sound(h->numbers, h->m))
        lv_predictor_clear(h);
    if (h->m <= LV_PAST_FEW && h->numbers[LV_PAST_NEWEST] < LV_PAST_LAST)
        lv_predictor_sort(h->numbers, h->m);
    h->numbers[LV_PAST_STEP] = step;
}

/* The size of the k-th newest step. */
static double size_of_step(const lv_predictor *h, int k)
{
    return h->numbers[LV_PAST_STEPS + LV_PAST_LAST - k];
}

/* ---- steps of different sizes ------------------------------------------------------ */

/* Past steps as seen from the start of the next one: how long ago each of them began, and
 * by how much it was larger. */
enum { FEW = 4 };

typedef struct past {
    double ago[FEW], larger[FEW];
} past;

static past look_back(const lv_predictor *h, int count)
{
    past p = {{0}, {0}};
    const double *x = h->numbers;
    double ago = 0;
    for (int k = 0; k < count && k < FEW; k++) {
        ago += size_of_step(h, k);
        p.ago[k] = ago;
        p.larger[k] = size_of_step(h, k) - x[LV_PAST_STEP];
    }
    return p;
}

/* Scales the weights so that their sum is 1. Returns false if they would amplify
 * errors. */
static bool normalise(double *w, int count)
{
    const double most = 20;
    double sum = 0, size = 0;
    for (int k = 0; k < count; k++) {
        sum += w[k];
        size += fabs(w[k]);
    }
    if (!(size <= most * fabs(sum)) || sum == 0)
        return false;
    for (int k = 0; k < count; k++)
        w[k] /= sum;
    return true;
}

/* Finds four weights that are orthogonal to u, v and the squares of u. Returns false if
 * they would amplify errors. */
static bool use_four(double *w, const double *u, const double *v)
{
    double uv[FEW][FEW], s[FEW];
    for (int i = 0; i < FEW; i++) {
        s[i] = u[i] * u[i];
        for (int j = 0; j < FEW; j++)
            uv[i][j] = u[i] * v[j] - u[j] * v[i];
    }
    w[0] = s[1] * uv[2][3] - s[2] * uv[1][3] + s[3] * uv[1][2];
    w[1] = -(s[0] * uv[2][3] - s[2] * uv[0][3] + s[3] * uv[0][2]);
    w[2] = s[0] * uv[1][3] - s[1] * uv[0][3] + s[3] * uv[0][1];
    w[3] = -(s[0] * uv[1][2] - s[1] * uv[0][2] + s[2] * uv[0][1]);
    return normalise(w, FEW);
}

/* The same with three weights that are orthogonal to u and v. */
static bool use_three(double *w, const double *u, const double *v)
{
    w[0] = u[1] * v[2] - u[2] * v[1];
    w[1] = u[2] * v[0] - u[0] * v[2];
    w[2] = u[0] * v[1] - u[1] * v[0];
    return normalise(w, 3);
}

/* ---- steps of one size ------------------------------------------------------------- */

static const double *values(const lv_predictor *h, int k)
{
    return lv_predictor_values(h->numbers, h->m, k);
}

/* The number of rows that are tested to choose the extrapolation. The best one is that
 * which would have predicted the two newest values best. n values predict the next one up
 * to the n-th difference, in which sums may replace some of the differences. Several rows
 * and two values are tested because a single difference may be small by chance. */
enum { ASKED = 8 };

/* x = (E + sign) x. Of n values n - 1 remain; those after them are meaningless. */
static void shift_and_add(double x[LV_PREDICTOR_DEPTH], double sign)
{
    for (int k = 0; k < LV_PREDICTOR_DEPTH - 1; k++)
        x[k] += sign * x[k + 1];
}

/* missed[n] += the error of the prediction from n values, by t sums and n - t
 * differences. `sums` has the t-th sums. */
static void add_missed(const double sums[LV_PREDICTOR_DEPTH], int count, int t,
                       double missed[LV_PREDICTOR_DEPTH])
{
    double x[LV_PREDICTOR_DEPTH];
    memcpy(x, sums, sizeof x);
    for (int n = t + 1; n < count - 1; n++) {
        shift_and_add(x, -1);
        missed[n] += fabs(x[0]) + fabs(x[1]);
    }
}

/* Copies the newest values of some rows, the newest first. Returns the number of rows. */
static int take_rows(const lv_predictor *h, int count,
                     double rows[ASKED][LV_PREDICTOR_DEPTH])
{
    const int every = (h->m + ASKED - 1) / ASKED;
    int taken = 0;
    for (int r = 0; r < h->m; r += every, taken++)
        for (int k = 0; k < LV_PREDICTOR_DEPTH; k++)
            rows[taken][k] = k < count ? values(h, k)[r] : 0;
    return taken;
}

/* For t sums, the number of values that would have predicted best, if with an error below
 * *least, which is then updated; 0: none. */
static int best_of(double rows[ASKED][LV_PREDICTOR_DEPTH], int taken, int count, int t,
                   double *least)
{
    /* errors must fall to this part before values count as alternating */
    const double clearly = 0.25;
    double missed[LV_PREDICTOR_DEPTH] = {0};
    int best = 0;
    for (int r = 0; r < taken; r++)
        add_missed(rows[r], count, t, missed);
    for (int n = t == 0 ? 1 : 2 * t; n < count - 1; n++)
        if ((t == 0 && n == 1) ||
            missed[n] < (t > 0 && best == 0 ? clearly : 1) * *least) {
            *least = missed[n];
            best = n;
        }
    return best;
}

/* Chooses the number of values and sums. If two more sums bring no clear improvement,
 * larger numbers are not tried. */
static void choose(lv_predictor *h, int count)
{
    double rows[ASKED][LV_PREDICTOR_DEPTH], least = 0;
    double *used = &h->numbers[LV_PAST_USED], *turns = &h->numbers[LV_PAST_TURNS];
    const int taken = take_rows(h, count, rows);
    *used = 1;
    *turns = 0;
    for (int t = 0; t <= LV_PAST_MOST_TURNS && t <= *turns + 2; t++) {
        const int best = best_of(rows, taken, count, t, &least);
        if (best > 0) {
            *used = best;
            *turns = t;
        }
        for (int r = 0; r < taken; r++)
            shift_and_add(rows[r], 1);
    }
}

/* ---- weights ----------------------------------------------------------------------- */

/* Weights for steps of one size, which are computed once. */
static const double *weights_of_one_size(lv_predictor *h, int used, int turns)
{
    double *w = h->weights[turns][used];
    if (!h->found[turns][used])
        lv_predictor_weights(w, used, turns);
    h->found[turns][used] = true;
    return w;
}

/* Computes weights for steps of different sizes. Returns the number of weights. */
static int weights_of_sizes(const lv_predictor *h, double own[LV_PREDICTOR_DEPTH])
{
    const int count = (int)h->numbers[LV_PAST_COUNT];
    const past p = look_back(h, count);
    if (count >= 4 && use_four(own, p.ago, p.larger))
        return 4;
    if (count >= 3 && use_three(own, p.ago, p.larger))
        return 3;
    own[0] = 1;
    return 1;
}

/* Reads only the steps that are used. */
static void continue_many(const lv_predictor *h, double *to, const double *w, int used)
{
    lv_summand sources[LV_PREDICTOR_DEPTH];
    for (int k = 0; k < used; k++)
        sources[k] = (lv_summand){.weight = w[k], .x = values(h, k)};
    lv_sum_sources(to, sources, used, h->m);
}

static void continue_values(const lv_predictor *h, double *to, const double *w, int used)
{
    if (h->m > LV_PAST_FEW)
        continue_many(h, to, w, used);
    else
        lv_predictor_sum(to, w, values(h, 0), h->m, used > LV_PREDICTOR_DEPTH / 2);
}

/* The prediction if step sizes differ, or if few steps are known. `one`: the last values
 * are used as they are. */
static void expect_from_sizes(const lv_predictor *h, double *expected, bool one)
{
    double own[LV_PREDICTOR_DEPTH] = {1};
    const int used = one || h->numbers[LV_PAST_COUNT] < 2 ? 1 : weights_of_sizes(h, own);
    for (int k = used; k < LV_PREDICTOR_DEPTH; k++)
        own[k] = 0;
    continue_values(h, expected, own, used);
}

void lv_predictor_expect_otherwise(lv_predictor *h, double *expected, int most)
{
    const int best = (int)h->numbers[LV_PAST_USED],
              used = most > 0 && best > most ? most : best;
    if (most != 1 && used > 1 && lv_predictor_is_like(h))
        continue_values(h, expected,
                        weights_of_one_size(h, used, (int)h->numbers[LV_PAST_TURNS]),
                        used);
    else
        expect_from_sizes(h, expected, most == 1);
    if (most == 0 && h->numbers[LV_PAST_FITTED] > 0 && lv_predictor_is_like(h))
        lv_fitted_expect(h, expected);
}

/* Makes room for the newest step and returns its place. */
static int make_place(const lv_predictor *h)
{
    double *x = h->numbers + LV_PAST_VALUES;
    const int newest = (int)h->numbers[LV_PAST_NEWEST], m = h->m;
    if (m > LV_PAST_FEW)
        return (newest + 1) % LV_PREDICTOR_DEPTH;
    if (newest + 1 < LV_PAST_WINDOW)
        return newest + 1;
    memmove(x, x + (ptrdiff_t)(newest - LV_PAST_LAST + 1) * m,
            LV_PAST_LAST * (size_t)m * sizeof *x);
    return LV_PAST_LAST;
}

void lv_predictor_add_otherwise(lv_predictor *h, const double *found, bool missed,
                                double miss)
{
    double *x = h->numbers, *steps = x + LV_PAST_STEPS;
    const bool like = x[LV_PAST_COUNT] > 0 && lv_predictor_is_like(h);
    const int place = make_place(h);
    x[LV_PAST_NEWEST] = place;
    lv_copy(x + LV_PAST_VALUES + (ptrdiff_t)place * h->m, found, h->m);
    if (!like || x[LV_PAST_ALIKE] < LV_PREDICTOR_DEPTH) {
        memmove(steps, steps + 1, LV_PAST_LAST * sizeof *steps);
        steps[LV_PAST_LAST] = x[LV_PAST_STEP];
        x[LV_PAST_ALIKE] = like ? x[LV_PAST_ALIKE] + 1 : 1;
        x[LV_PAST_COUNT] += x[LV_PAST_COUNT] < LV_PREDICTOR_DEPTH ? 1 : 0;
    }
    if (missed || !like) { /* otherwise keep the choice, which proved good */
        choose(h, (int)x[LV_PAST_ALIKE]);
        x[LV_PAST_MISS] =
            like && x[LV_PAST_FITTED] > 0 ? fmin(x[LV_PAST_MISS], miss) : miss;
    }
    if (h->column_count > 0)
        lv_fitted_renew(h, like, missed, miss);
}
