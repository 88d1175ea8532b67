#include "step/predictor.h"

#include "num/copy.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Steps that are looked up at once. */
enum { HALF = LV_PREDICTOR_DEPTH / 2 };

int lv_predictor_size(int m)
{
    return LV_PAST_VALUES + LV_PREDICTOR_DEPTH * m;
}

void lv_predictor_clear(lv_predictor *h)
{
    memset(h->numbers, 0, (size_t)lv_predictor_size(h->m) * sizeof *h->numbers);
}

int lv_predictor_count(const lv_predictor *h)
{
    return (int)h->numbers[LV_PAST_COUNT];
}

/* Are these numbers places and counts? A file may have said something else. */
static bool is_sound(const double *x)
{
    return x[LV_PAST_COUNT] >= 0 && x[LV_PAST_COUNT] <= LV_PREDICTOR_DEPTH &&
           x[LV_PAST_NEWEST] >= 0 && x[LV_PAST_NEWEST] < LV_PREDICTOR_DEPTH &&
           x[LV_PAST_ALIKE] >= 0 && x[LV_PAST_ALIKE] <= x[LV_PAST_COUNT] &&
           x[LV_PAST_USED] >= 0 && x[LV_PAST_USED] <= LV_PREDICTOR_DEPTH &&
           x[LV_PAST_TURNS] >= 0 && x[LV_PAST_TURNS] <= LV_PAST_MOST_TURNS;
}

void lv_predictor_begin(lv_predictor *h, double step)
{
    if (!is_sound(h->numbers))
        lv_predictor_clear(h);
    h->numbers[LV_PAST_STEP] = step;
}

/* Place of the k-th newest step. */
static int place(const lv_predictor *h, int k)
{
    int at = (int)h->numbers[LV_PAST_NEWEST] - k;
    return at < 0 ? at + LV_PREDICTOR_DEPTH : at;
}

/* Has the coming step the size of the one at this place? */
static bool is_like(const lv_predictor *h, int at)
{
    return h->numbers[LV_PAST_STEPS + at] == h->numbers[LV_PAST_STEP];
}

/* ---- steps of different sizes ------------------------------------------------------------- */

/* Past steps as seen from the start of the coming one: how long ago, and by how much larger. */
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
        int at = place(h, k);
        ago += x[LV_PAST_STEPS + at];
        p.ago[k] = ago;
        p.larger[k] = x[LV_PAST_STEPS + at] - x[LV_PAST_STEP];
    }
    return p;
}

/* Makes the weights sum up to 1; false if they would then magnify errors. */
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

/* Weights orthogonal to u, v and to the squares of u. */
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

/* Weights orthogonal to u and v. */
static bool use_three(double *w, const double *u, const double *v)
{
    w[0] = u[1] * v[2] - u[2] * v[1];
    w[1] = u[2] * v[0] - u[0] * v[2];
    w[2] = u[0] * v[1] - u[1] * v[0];
    return normalise(w, 3);
}

/* ---- steps of one size ------------------------------------------------------------------------ */

/* E being the shift by a step, (E - 1)^(used - turns) (E + 1)^turns x = 0 continues polynomials, and polynomials times
 * (-1)^k: schemes whose multipliers or momenta alternate have such a part. Newest value first. */
void lv_predictor_weights(double *w, int used, int turns)
{
    double x[LV_PREDICTOR_DEPTH + 1] = {1};
    for (int n = 0; n < used; n++)
        for (int k = n + 1; k > 0; k--)
            x[k] += n < turns ? x[k - 1] : -x[k - 1];
    for (int k = 0; k < used; k++)
        w[k] = -x[k + 1];
}

static const double *values(const lv_predictor *h, int k)
{
    return h->numbers + LV_PAST_VALUES + (size_t)place(h, k) * (size_t)h->m;
}

/* What would have missed the newest values least: n of them by the n-th difference, sums taking the place of some
 * differences. The two newest are asked, in some of the rows: a difference may be small by chance, and one of high
 * order then misleads. */
enum { ASKED = 8 };

/* x = (E + sign) x. Of n values n - 1 are left; what stands behind them means nothing. */
static void shift_and_add(double x[LV_PREDICTOR_DEPTH], double sign)
{
    for (int k = 0; k < LV_PREDICTOR_DEPTH - 1; k++)
        x[k] += sign * x[k + 1];
}

/* missed[n] += what n values, t sums and n - t differences of them, would have missed. */
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

static void find_missed(const lv_predictor *h, int count,
                        double missed[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH])
{
    const int every = (h->m + ASKED - 1) / ASKED;
    for (int r = 0; r < h->m; r += every) {
        double x[LV_PREDICTOR_DEPTH] = {0};
        for (int k = 0; k < count; k++)
            x[k] = values(h, k)[r];
        for (int t = 0; t <= LV_PAST_MOST_TURNS; t++) {
            add_missed(x, count, t, missed[t]);
            shift_and_add(x, 1);
        }
    }
}

static void choose(lv_predictor *h, int count)
{
    const double clearly = 0.25; /* better, to believe that something alternates */
    double missed[LV_PAST_MOST_TURNS + 1][LV_PREDICTOR_DEPTH] = {{0}};
    double least = 0, *used = &h->numbers[LV_PAST_USED],
           *turns = &h->numbers[LV_PAST_TURNS];
    *used = 1;
    *turns = 0;
    find_missed(h, count, missed);
    for (int t = 0; t <= LV_PAST_MOST_TURNS; t++)
        for (int n = t == 0 ? 1 : 2 * t; n < count - 1; n++)
            if ((t == 0 && n == 1) || missed[t][n] < (t > *turns ? clearly : 1) * least) {
                least = missed[t][n];
                *used = n;
                *turns = t;
            }
}

/* ---- weights ---------------------------------------------------------------------------------- */

/* Weights of steps of one size, which are mostly those of the step before. */
static const double *weights_of_one_size(lv_predictor *h, int used, int turns)
{
    if (h->used != used || h->turns != turns) {
        memset(h->weights, 0, sizeof h->weights);
        lv_predictor_weights(h->weights, used, turns);
        h->used = used;
        h->turns = turns;
    }
    return h->weights;
}

/* Weights of steps of different sizes, in `own`. Returns how many are used. */
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

/* to = (or +=) what the weights of HALF steps from `first` on make of their values; `at` is the place of the first. */
static inline void add_half(const lv_predictor *h, double *restrict to, const double *w,
                            int at, bool add)
{
    const double *x[HALF], *const values = h->numbers + LV_PAST_VALUES;
    const ptrdiff_t m = h->m, around = LV_PREDICTOR_DEPTH * m;
    ptrdiff_t from = at * m;
    for (int k = 0; k < HALF; k++) {
        x[k] = values + from;
        from -= m;
        from += from < 0 ? around : 0;
    }
    for (int r = 0; r < h->m; r++) {
        const double sum = (w[0] * x[0][r] + w[1] * x[1][r]) +
                           (w[2] * x[2][r] + w[3] * x[3][r]) +
                           (w[4] * x[4][r] + w[5] * x[5][r]) + w[6] * x[6][r];
        to[r] = add ? to[r] + sum : sum;
    }
}

void lv_predictor_expect(lv_predictor *h, double *expected, int most)
{
    double own[LV_PREDICTOR_DEPTH] = {1};
    const double *w = own;
    const int newest = place(h, 0), best = (int)h->numbers[LV_PAST_USED];
    int used = most > 0 && best > most ? most : best;
    if (most == 1 || h->numbers[LV_PAST_COUNT] < 2)
        used = 1;
    else if (used > 1 && is_like(h, newest))
        w = weights_of_one_size(h, used, (int)h->numbers[LV_PAST_TURNS]);
    else
        used = weights_of_sizes(h, own);
    for (int k = used; w == own && k < LV_PREDICTOR_DEPTH; k++)
        own[k] = 0;
    add_half(h, expected, w, newest, false);
    if (used > HALF)
        add_half(h, expected, w + HALF,
                 newest >= HALF ? newest - HALF : newest + LV_PREDICTOR_DEPTH - HALF,
                 true);
}

void lv_predictor_add(lv_predictor *h, const double *found, bool missed)
{
    double *x = h->numbers;
    int last = place(h, 0), at = last + 1 < LV_PREDICTOR_DEPTH ? last + 1 : 0;
    lv_copy(x + LV_PAST_VALUES + (ptrdiff_t)at * h->m, found, h->m);
    bool like = x[LV_PAST_COUNT] > 0 && is_like(h, last);
    x[LV_PAST_ALIKE] = !like                                   ? 1
                       : x[LV_PAST_ALIKE] < LV_PREDICTOR_DEPTH ? x[LV_PAST_ALIKE] + 1
                                                               : x[LV_PAST_ALIKE];
    x[LV_PAST_COUNT] += x[LV_PAST_COUNT] < LV_PREDICTOR_DEPTH ? 1 : 0;
    x[LV_PAST_NEWEST] = at;
    x[LV_PAST_STEPS + at] = x[LV_PAST_STEP];
    if (missed || !like) /* what served well may serve again */
        choose(h, (int)x[LV_PAST_ALIKE]);
}
