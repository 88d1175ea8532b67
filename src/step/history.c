#include "step/history.h"

#include "base/inline.h"

#include <math.h>
#include <string.h>

/* Places in `numbers`. */
enum {
    COUNT,  /* steps that are known */
    NEWEST, /* the place of the last one */
    ALIKE,  /* how many of the newest had one size and one predecessor */
    STEP,   /* of the coming step */
    BEFORE, /* the step before it, 0 if velocities were made tangent */
    SHARE,  /* (STEP + BEFORE) / STEP */
    USED,   /* how many values a polynomial is to go through */
    STEPS,
    BEFORES = STEPS + LV_HISTORY_DEPTH,
    VALUES = BEFORES + LV_HISTORY_DEPTH
};

/* Steps that are looked up at once. */
enum { HALF = LV_HISTORY_DEPTH / 2 };

int lv_history_size(int m)
{
    return VALUES + LV_HISTORY_DEPTH * m;
}

void lv_history_clear(lv_history *h)
{
    memset(h->numbers, 0, (size_t)lv_history_size(h->m) * sizeof *h->numbers);
}

int lv_history_count(const lv_history *h)
{
    return (int)h->numbers[COUNT];
}

/* Are these numbers places and counts? A file may have said something else. */
static bool is_sound(const double *x)
{
    return x[COUNT] >= 0 && x[COUNT] <= LV_HISTORY_DEPTH && x[NEWEST] >= 0 &&
           x[NEWEST] < LV_HISTORY_DEPTH && x[ALIKE] >= 0 && x[ALIKE] <= x[COUNT] &&
           x[USED] >= 0 && x[USED] <= LV_HISTORY_DEPTH;
}

LV_HOT void lv_history_begin(lv_history *h, double step)
{
    if (!is_sound(h->numbers))
        lv_history_clear(h);
    h->numbers[STEP] = step;
    h->numbers[SHARE] = h->numbers[BEFORE] == 0 ? 1 : (step + h->numbers[BEFORE]) / step;
}

double lv_history_share(const lv_history *h)
{
    return h->numbers[SHARE];
}

/* Place of the k-th newest step. */
static int place(const lv_history *h, int k)
{
    int at = (int)h->numbers[NEWEST] - k;
    return at < 0 ? at + LV_HISTORY_DEPTH : at;
}

/* Is the coming step like the one at this place? */
static bool is_like(const lv_history *h, int at)
{
    const double *x = h->numbers;
    return x[STEPS + at] == x[STEP] && x[BEFORES + at] == x[BEFORE];
}

/* ---- steps of different sizes ------------------------------------------------------------- */

/* Past steps as seen from the start of the coming one: how long ago, and h - h' beside its. */
enum { FEW = 4 };

typedef struct past {
    double ago[FEW], other[FEW];
} past;

static past look_back(const lv_history *h, int count)
{
    past p = {{0}, {0}};
    const double *x = h->numbers;
    double ago = 0;
    for (int k = 0; k < count && k < FEW; k++) {
        int at = place(h, k);
        ago += x[STEPS + at];
        p.ago[k] = ago;
        p.other[k] = x[STEPS + at] - x[BEFORES + at] - (x[STEP] - x[BEFORE]);
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

/* Row n - 1 continues a polynomial through n equidistant values. */
static const double continuation[LV_HISTORY_DEPTH][LV_HISTORY_DEPTH] = {
    {1},
    {2, -1},
    {3, -3, 1},
    {4, -6, 4, -1},
    {5, -10, 10, -5, 1},
    {6, -15, 20, -15, 6, -1},
    {7, -21, 35, -35, 21, -7, 1},
    {8, -28, 56, -70, 56, -28, 8, -1},
    {9, -36, 84, -126, 126, -84, 36, -9, 1},
    {10, -45, 120, -210, 252, -210, 120, -45, 10, -1},
    {11, -55, 165, -330, 462, -462, 330, -165, 55, -11, 1},
    {12, -66, 220, -495, 792, -924, 792, -495, 220, -66, 12, -1},
    {13, -78, 286, -715, 1287, -1716, 1716, -1287, 715, -286, 78, -13, 1},
    {14, -91, 364, -1001, 2002, -3003, 3432, -3003, 2002, -1001, 364, -91, 14, -1}};

static const double *values(const lv_history *h, int k)
{
    return h->numbers + VALUES + (size_t)place(h, k) * (size_t)h->m;
}

/* How many values a polynomial should go through: n values would have missed the newest one by
 * its n-th backward difference. The two newest are asked, in some of the rows: a difference may be
 * small by chance, and one of high order then misleads. */
static int choose_degree(const lv_history *h, int count)
{
    enum { ASKED = 8 };
    double missed[LV_HISTORY_DEPTH] = {0}, difference[LV_HISTORY_DEPTH];
    int every = (h->m + ASKED - 1) / ASKED, best = 1;
    for (int r = 0; r < h->m; r += every) {
        for (int k = 0; k < count; k++)
            difference[k] = values(h, k)[r];
        for (int n = 1; n < count; n++) {
            for (int k = 0; k < count - n; k++)
                difference[k] -= difference[k + 1];
            missed[n] += fabs(difference[0]) + (count - n > 1 ? fabs(difference[1]) : 0);
        }
    }
    for (int n = 2; n < count - 1; n++)
        best = missed[n] < missed[best] ? n : best;
    return best;
}

/* ---- weights ---------------------------------------------------------------------------------- */

/* The weight of every step, from the newest on. Returns how many are used. */
static int find_weights(const lv_history *h, double *w, int most)
{
    const int count = (int)h->numbers[COUNT], best = (int)h->numbers[USED],
              used = most > 0 && best > most ? most : best;
    const bool like = is_like(h, place(h, 0));
    if (like && used > 1) {
        memcpy(w, continuation[used - 1], sizeof continuation[0]);
        return used;
    }
    past p = look_back(h, count);
    if (count >= 4 && use_four(w, p.ago, p.other))
        return 4;
    if (count >= 3 && use_three(w, p.ago, p.other))
        return 3;
    w[0] = 1;
    return 1;
}

/* to = (or +=) what the weights of HALF steps from `first` on make of their values. */
LV_HOT static void add_half(const lv_history *h, double *restrict to, const double *w,
                            int first)
{
    const double *x[HALF];
    for (int k = 0; k < HALF; k++)
        x[k] = values(h, first + k);
    w += first;
    for (int r = 0; r < h->m; r++) {
        const double sum = (w[0] * x[0][r] + w[1] * x[1][r]) +
                           (w[2] * x[2][r] + w[3] * x[3][r]) +
                           (w[4] * x[4][r] + w[5] * x[5][r]) + w[6] * x[6][r];
        to[r] = first > 0 ? to[r] + sum : sum;
    }
}

LV_HOT void lv_history_expect(const lv_history *h, double *expected, double scale,
                              int most)
{
    double w[LV_HISTORY_DEPTH] = {1};
    const int used = most == 1 || h->numbers[COUNT] < 2 ? 1 : find_weights(h, w, most);
    for (int k = 0; k < LV_HISTORY_DEPTH; k++)
        w[k] = k < used ? scale * w[k] : 0;
    add_half(h, expected, w, 0);
    if (used > HALF)
        add_half(h, expected, w, HALF);
}

/* A step that takes back the one before tells nothing: the past begins anew. */
static bool tells_nothing(const lv_history *h)
{
    return fabs(h->numbers[SHARE]) < 1e-6;
}

LV_HOT void lv_history_add(lv_history *h, const double *found, double scale, bool tangent,
                           bool missed)
{
    double *x = h->numbers;
    int last = place(h, 0), at = last + 1 < LV_HISTORY_DEPTH ? last + 1 : 0;
    if (tells_nothing(h)) {
        x[COUNT] = x[ALIKE] = 0;
        x[BEFORE] = tangent ? 0 : x[STEP];
        return;
    }
    double *to = x + VALUES + (size_t)at * (size_t)h->m;
    const double factor = 1 / scale;
    for (int r = 0; r < h->m; r++)
        to[r] = found[r] * factor;
    bool like = x[COUNT] > 0 && is_like(h, last);
    x[ALIKE] = !like ? 1 : x[ALIKE] < LV_HISTORY_DEPTH ? x[ALIKE] + 1 : x[ALIKE];
    x[COUNT] += x[COUNT] < LV_HISTORY_DEPTH ? 1 : 0;
    x[NEWEST] = at;
    x[STEPS + at] = x[STEP];
    x[BEFORES + at] = x[BEFORE];
    x[BEFORE] = tangent ? 0 : x[STEP];
    if (missed || !like) /* what served well may serve again */
        x[USED] = choose_degree(h, (int)x[ALIKE]);
}
