/* Points of all groups and charts for tests against matrices in long double (reference.h), at rotations from 0 to beyond
 * every switch from series to closed forms. */
#ifndef LV_TESTS_GROUP_SAMPLES_H
#define LV_TESTS_GROUP_SAMPLES_H

#include <stdlib.h>

#include "check.h"
#include "reference.h"

/* Angles; 3 and 6 are switches of tangents and of quaternions. */
static const double radii[] = {0,    1e-9, 1e-4, 1e-2, 0.3,  0.99, 1.01,
                               1.99, 2.01, 2.5,  2.99, 3.01, 5.99, 6.01};

enum { RADII = sizeof radii / sizeof *radii, DIRECTIONS = SLOW ? 1 : 3 };

/* A point of a chart with a velocity, another one, a momentum and an element */
typedef struct sample {
    const lv_lie_group *group;
    lv_chart chart;
    int n;
    double angle;
    double x[MOST], e[MOST], d[MOST], w[MOST], g[LV_LIE_ELEMENT];
} sample;

static unsigned seed;

static inline double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608.0 - 1;
}

static inline void scale_to(double *x, int n, double length)
{
    double square = 0;
    for (int i = 0; i < n; i++)
        square += x[i] * x[i];
    for (int i = 0; i < n; i++)
        x[i] *= length / sqrt(square);
}

/* Rotations of size angle, displacements of the same size or of size 1. */
static inline sample draw(const lv_lie_group *group, lv_chart chart, double angle,
                          bool far)
{
    sample s = {.group = group, .chart = chart, .n = group->tangent, .angle = angle};
    const int turn = group->axes == 3 ? 3 : 1;
    for (int i = 0; i < s.n; i++) {
        s.x[i] = uniform(), s.e[i] = uniform();
        s.d[i] = uniform(), s.w[i] = uniform();
    }
    scale_to(s.x, turn, angle);
    if (s.n > turn)
        scale_to(s.x + turn, s.n - turn, far ? 1 : angle);
    double y[MOST];
    for (int i = 0; i < s.n; i++)
        y[i] = uniform();
    group->tau(LV_CHART_EXP, s.g, y);
    return s;
}

/* Calls `check` for all groups, charts and radii up to `most`, and prints the largest error. */
static inline void for_all(double most, double tolerance, double (*check)(const sample *))
{
    double worst = 0;
    seed = 12345;
    for (int k = 0; lv_lie_groups[k]; k++)
        for (lv_chart chart = 0; chart < LV_CHARTS; chart++)
            for (int r = 0; r < RADII && radii[r] <= most; r++)
                for (int i = 0; i < 2 * DIRECTIONS; i++) {
                    const sample s =
                        draw(lv_lie_groups[k], chart, radii[r], i < DIRECTIONS);
                    const double error = check(&s);
                    worst = error > worst ? error : worst;
                    if (!(error <= tolerance))
                        fail_msg("%s, %s, angle %g: error %.3g, allowed %.3g",
                                 s.group->name, lv_chart_name(chart), s.angle, error,
                                 tolerance);
                }
    print_message("worst error %.2g, allowed %.2g\n", worst, tolerance);
}

static inline void widen(long double *y, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = (long double)x[i];
}

/* The larger of `error` and |a - b|, relative where b is large */
static inline double worse(double error, double a, long double b)
{
    const long double size = fabsl(b) > 1 ? fabsl(b) : 1;
    const double now = (double)(fabsl((long double)a - b) / size);
    return now <= error ? error : now; /* a NaN is worse than everything */
}

static inline double matrices_differ(matrix a, matrix b)
{
    double error = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            error = worse(error, (double)(a.a[i][j] - b.a[i][j]), 0);
    return error;
}

/* y = m x */
static inline void multiply(double *y, const double *m, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += m[n * i + j] * x[j];
    }
}

#endif
