#include "step/predictor.h"

#include "base/inline.h"
#include "num/copy.h"
#include "step/combine.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Steps that are looked up at once. */
enum { HALF = LV_PREDICTOR_DEPTH / 2 };

/* Few values are moved, so that the newest ones are always the last. More of them stay where they are, and the newest take
 * the place of the oldest. */
enum { FEW_VALUES = 64 };

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

/* Turns the order of rows round. */
static void reverse(double *x, int rows, ptrdiff_t m)
{
    for (int i = 0, j = rows - 1; i < j; i++, j--)
        for (int r = 0; r < m; r++) {
            const double first = x[i * m + r];
            x[i * m + r] = x[j * m + r];
            x[j * m + r] = first;
        }
}

/* The row after `newest` becomes the first. */
static void rotate(double *x, int newest, ptrdiff_t m)
{
    reverse(x, newest + 1, m);
    reverse(x + (newest + 1) * m, LV_PAST_LAST - newest, m);
    reverse(x, LV_PREDICTOR_DEPTH, m);
}

void lv_predictor_sort(double *numbers, int m)
{
    const int newest = (int)numbers[LV_PAST_NEWEST];
    if (newest == LV_PAST_LAST)
        return;
    rotate(numbers + LV_PAST_STEPS, newest, 1);
    rotate(numbers + LV_PAST_VALUES, newest, m);
    numbers[LV_PAST_NEWEST] = LV_PAST_LAST;
}

void lv_predictor_begin(lv_predictor *h, double step)
{
    if (!is_sound(h->numbers))
        lv_predictor_clear(h);
    if (h->m <= FEW_VALUES)
        lv_predictor_sort(h->numbers, h->m);
    h->numbers[LV_PAST_STEP] = step;
}

/* Where the k-th newest step is. */
static int place_of(const lv_predictor *h, int k)
{
    const int place = (int)h->numbers[LV_PAST_NEWEST] - k;
    return place < 0 ? place + LV_PREDICTOR_DEPTH : place;
}

/* The size of the k-th newest step. */
static double size_of_step(const lv_predictor *h, int k)
{
    return h->numbers[LV_PAST_STEPS + place_of(h, k)];
}

/* Has the coming step the size of the last one? */
static bool is_like(const lv_predictor *h)
{
    return size_of_step(h, 0) == h->numbers[LV_PAST_STEP];
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
        ago += size_of_step(h, k);
        p.ago[k] = ago;
        p.larger[k] = size_of_step(h, k) - x[LV_PAST_STEP];
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
    return h->numbers + LV_PAST_VALUES + (size_t)place_of(h, k) * (size_t)h->m;
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

/* Weights of steps of one size, found once. */
static const double *weights_of_one_size(lv_predictor *h, int used, int turns)
{
    double *w = h->weights[turns][used];
    if (!h->found[turns][used])
        lv_predictor_weights(w, used, turns);
    h->found[turns][used] = true;
    return w;
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

/* Two values as one, from which compilers make vectors whatever they think of loops. */
typedef double pair
    __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));

/* to[r] = (or +=) the sum of w[k] times x[r - k m], for HALF steps. */
LV_INLINE void add_half(double *to, const double *w, const double *x, ptrdiff_t m,
                        bool add)
{
    ptrdiff_t left = m;
#define TERM(type, k) (w[k] * *(const type *)(x - (k)*m))
#define SUM(type)                                                                        \
    ((TERM(type, 0) + TERM(type, 1)) + (TERM(type, 2) + TERM(type, 3)) +                 \
     (TERM(type, 4) + TERM(type, 5)) + TERM(type, 6))
    for (; left > 1; left -= 2, x += 2, to += 2)
        *(pair *)to = add ? *(pair *)to + SUM(pair) : SUM(pair);
    if (left > 0)
        *to = add ? *to + SUM(double) : SUM(double);
#undef SUM
#undef TERM
}

/* Only those that are used are read. */
static void continue_many(const lv_predictor *h, double *to, const double *w, int used)
{
    lv_summand sources[LV_PREDICTOR_DEPTH];
    for (int k = 0; k < used; k++)
        sources[k] = (lv_summand){.weight = w[k], .x = values(h, k)};
    lv_sum_sources(to, sources, used, h->m);
}

LV_INLINE void continue_values(const lv_predictor *h, double *to, const double *w,
                               int used)
{
    if (h->m > FEW_VALUES) {
        continue_many(h, to, w, used);
        return;
    }
    add_half(to, w, values(h, 0), h->m, false);
    if (used > HALF)
        add_half(to, w + HALF, values(h, HALF), h->m, true);
}

/* Steps of different sizes, or few of them. */
static void expect_otherwise(const lv_predictor *h, double *expected, bool one)
{
    double own[LV_PREDICTOR_DEPTH] = {1};
    const int used = one || h->numbers[LV_PAST_COUNT] < 2 ? 1 : weights_of_sizes(h, own);
    for (int k = used; k < LV_PREDICTOR_DEPTH; k++)
        own[k] = 0;
    continue_values(h, expected, own, used);
}

void lv_predictor_expect(lv_predictor *h, double *expected, int most)
{
    const int best = (int)h->numbers[LV_PAST_USED],
              used = most > 0 && best > most ? most : best;
    if (most != 1 && used > 1 && h->numbers[LV_PAST_COUNT] >= 2 && is_like(h))
        continue_values(h, expected,
                        weights_of_one_size(h, used, (int)h->numbers[LV_PAST_TURNS]),
                        used);
    else
        expect_otherwise(h, expected, most == 1);
}

/* Makes a place for the newest step, and returns which it is. */
static int make_place(lv_predictor *h)
{
    double *x = h->numbers, *rows = x + LV_PAST_VALUES, *steps = x + LV_PAST_STEPS;
    const size_t m = (size_t)h->m;
    if (h->m > FEW_VALUES) {
        const int oldest = ((int)x[LV_PAST_NEWEST] + 1) % LV_PREDICTOR_DEPTH;
        x[LV_PAST_NEWEST] = oldest;
        return oldest;
    }
    memmove(rows, rows + m, LV_PAST_LAST * m * sizeof *rows);
    if (x[LV_PAST_ALIKE] < LV_PREDICTOR_DEPTH || !is_like(h))
        memmove(steps, steps + 1, LV_PAST_LAST * sizeof *steps);
    return LV_PAST_LAST;
}

void lv_predictor_add(lv_predictor *h, const double *found, bool missed)
{
    double *x = h->numbers;
    const bool like = x[LV_PAST_COUNT] > 0 && is_like(h);
    const int place = make_place(h);
    lv_copy(x + LV_PAST_VALUES + (ptrdiff_t)place * h->m, found, h->m);
    x[LV_PAST_STEPS + place] = x[LV_PAST_STEP];
    if (!like || x[LV_PAST_ALIKE] < LV_PREDICTOR_DEPTH) {
        x[LV_PAST_ALIKE] = like ? x[LV_PAST_ALIKE] + 1 : 1;
        x[LV_PAST_COUNT] += x[LV_PAST_COUNT] < LV_PREDICTOR_DEPTH ? 1 : 0;
    }
    if (missed || !like) /* what served well may serve again */
        choose(h, (int)x[LV_PAST_ALIKE]);
}
