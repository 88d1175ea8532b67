#include "study/drift.h"

#include <math.h>
#include <stddef.h>

/* The number of blocks, and Student's t for two degrees of freedom less, 99 %,
 * two-sided. */
enum { BLOCKS = 20 };
static const double student = 2.878;

typedef struct line {
    double middle, value, rate, error; /* value at the middle; error of the rate */
} line;

static double mean_of(const double *x, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[k];
    return sum / count;
}

/* Fits a line through the means of blocks. */
static line fit(const double *x, int count, double dt)
{
    double t[BLOCKS], y[BLOCKS], tt = 0, ty = 0, rest = 0;
    const int size = count / BLOCKS;
    for (int b = 0; b < BLOCKS; b++) {
        y[b] = mean_of(x + (ptrdiff_t)b * size, size);
        t[b] = dt * (b * size + 0.5 * (size + 1));
    }
    line l = {.middle = mean_of(t, BLOCKS), .value = mean_of(y, BLOCKS)};
    for (int b = 0; b < BLOCKS; b++) {
        tt += (t[b] - l.middle) * (t[b] - l.middle);
        ty += (t[b] - l.middle) * (y[b] - l.value);
    }
    l.rate = ty / tt;
    for (int b = 0; b < BLOCKS; b++) {
        const double off = y[b] - l.value - l.rate * (t[b] - l.middle);
        rest += off * off;
    }
    l.error = sqrt(rest / (BLOCKS - 2) / tt);
    return l;
}

static double largest_of(const double *x, int from, int to)
{
    double largest = 0;
    for (int k = from; k < to; k++)
        largest = fmax(largest, fabs(x[k]));
    return largest;
}

static int count_turns(const double *x, int count, double dt, const line *l)
{
    int turns = 0;
    double before = 0;
    for (int k = 0; k < count; k++) {
        const double off = x[k] - l->value - l->rate * (dt * (k + 1) - l->middle);
        turns += before * off < 0;
        before = off != 0 ? off : before;
    }
    return turns;
}

lv_drift lv_drift_of(const double *x, int count, double dt)
{
    const double first = largest_of(x, 0, count / 2),
                 second = largest_of(x, count / 2, count);
    lv_drift d = {.largest = fmax(first, second),
                  .rate = (double)NAN,
                  .interval = (double)NAN,
                  .growth = first > 0 ? second / first : 1};
    if (count < 2 * BLOCKS)
        return d;
    const line l = fit(x, count, dt);
    d.rate = l.rate;
    d.interval = student * l.error;
    d.turns = count_turns(x, count, dt, &l);
    return d;
}
