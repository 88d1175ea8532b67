#include "scheme/history.h"

#include <math.h>
#include <string.h>

/* Places in `numbers`. */
enum {
    COUNT,
    NEWEST,
    STEP,   /* of the coming step */
    BEFORE, /* the step before it, 0 if velocities were made tangent */
    STEPS,
    BEFORES = STEPS + LV_HISTORY_DEPTH,
    VALUES = BEFORES + LV_HISTORY_DEPTH
};

int lv_history_size(int m)
{
    return VALUES + LV_HISTORY_DEPTH * m;
}

void lv_history_clear(lv_history *h)
{
    memset(h->numbers, 0, (size_t)lv_history_size(h->m) * sizeof *h->numbers);
}

void lv_history_begin(lv_history *h, double step)
{
    h->numbers[STEP] = step;
}

double lv_history_share(const lv_history *h)
{
    return (h->numbers[STEP] + h->numbers[BEFORE]) / h->numbers[STEP];
}

/* Place of the k-th newest step. */
static int place(const lv_history *h, int k)
{
    int newest = (int)h->numbers[NEWEST];
    return (newest + LV_HISTORY_DEPTH - k) % LV_HISTORY_DEPTH;
}

static bool is_uniform(const lv_history *h, int count)
{
    const double *x = h->numbers;
    bool same = true;
    for (int k = 0; k < count; k++) {
        int at = place(h, k);
        same = same && x[STEPS + at] == x[STEP] && x[BEFORES + at] == x[BEFORE];
    }
    return same;
}

/* Past steps as seen from the start of the coming one: how long ago, and h - h' beside its. */
typedef struct past {
    double ago[LV_HISTORY_DEPTH], other[LV_HISTORY_DEPTH];
} past;

static past look_back(const lv_history *h, int count)
{
    past p = {{0}, {0}};
    const double *x = h->numbers;
    double ago = 0;
    for (int k = 0; k < count; k++) {
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
    double uv[4][4], s[4];
    for (int i = 0; i < 4; i++) {
        s[i] = u[i] * u[i];
        for (int j = 0; j < 4; j++)
            uv[i][j] = u[i] * v[j] - u[j] * v[i];
    }
    w[0] = s[1] * uv[2][3] - s[2] * uv[1][3] + s[3] * uv[1][2];
    w[1] = -(s[0] * uv[2][3] - s[2] * uv[0][3] + s[3] * uv[0][2]);
    w[2] = s[0] * uv[1][3] - s[1] * uv[0][3] + s[3] * uv[0][1];
    w[3] = -(s[0] * uv[1][2] - s[1] * uv[0][2] + s[2] * uv[0][1]);
    return normalise(w, 4);
}

/* Weights orthogonal to u and v. */
static bool use_three(double *w, const double *u, const double *v)
{
    w[0] = u[1] * v[2] - u[2] * v[1];
    w[1] = u[2] * v[0] - u[0] * v[2];
    w[2] = u[0] * v[1] - u[1] * v[0];
    return normalise(w, 3);
}

/* Returns how many of the newest steps are used. */
static int find_weights(const lv_history *h, double *w)
{
    static const double polynomial[LV_HISTORY_DEPTH][LV_HISTORY_DEPTH] = {
        {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
    int count = (int)h->numbers[COUNT];
    if (count == 0)
        return 0;
    if (is_uniform(h, count)) {
        memcpy(w, polynomial[count - 1], sizeof polynomial[0]);
        return count;
    }
    past p = look_back(h, count);
    if (count >= 4 && use_four(w, p.ago, p.other))
        return 4;
    if (count >= 3 && use_three(w, p.ago, p.other))
        return 3;
    w[0] = 1;
    return 1;
}

void lv_history_expect(const lv_history *h, double *expected, double scale)
{
    double w[LV_HISTORY_DEPTH] = {0};
    const double *x[LV_HISTORY_DEPTH];
    int used = find_weights(h, w);
    for (int k = 0; k < LV_HISTORY_DEPTH; k++) { /* unused ones have the weight 0 */
        w[k] *= scale;
        x[k] = h->numbers + VALUES + place(h, k < used ? k : 0) * h->m;
    }
    for (int r = 0; r < h->m; r++)
        expected[r] = w[0] * x[0][r] + w[1] * x[1][r] + w[2] * x[2][r] + w[3] * x[3][r];
}

void lv_history_add(lv_history *h, const double *values, double scale, bool tangent)
{
    double *x = h->numbers;
    int at = ((int)x[NEWEST] + 1) % LV_HISTORY_DEPTH;
    double *to = x + VALUES + at * h->m;
    const double factor = 1 / scale;
    for (int r = 0; r < h->m; r++)
        to[r] = values[r] * factor;
    x[NEWEST] = at;
    x[COUNT] = x[COUNT] < LV_HISTORY_DEPTH ? x[COUNT] + 1 : LV_HISTORY_DEPTH;
    x[STEPS + at] = x[STEP];
    x[BEFORES + at] = x[BEFORE];
    x[BEFORE] = tangent ? 0 : x[STEP];
}
