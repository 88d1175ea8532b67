/* Simulations with `multistep` in tests: beside exact motions, and slopes of their errors. */
#ifndef LV_TESTS_MULTISTEP_RUNS_H
#define LV_TESTS_MULTISTEP_RUNS_H

#include "multistep_reference.h"

#include "../claims/moving.h"

enum { LEAST = LV_MULTISTEP_LEAST, MOST = LV_MULTISTEP_MOST };

static inline method multistep(int stages, int projection)
{
    method m = {"multistep", stages, 0, {0}};
    lv_scheme_option_set(&m.more, LV_OPTION_PROJECTION, projection);
    return m;
}

static inline lv_model *model_of(orbit_kind kind)
{
    return kind == PENDULUM ? read_shipped("pendulum3d", NULL, NULL)
                            : read_shipped("kepler", "ecc", "0.2");
}

static inline int size_of(orbit_kind kind)
{
    return kind == PENDULUM ? 3 : 2;
}

static inline double distance_to(const double *x, const real *exact, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = worst_of(most, (double)fabsl(x[i] - exact[i]));
    return most;
}

/* Slope of log y over log x, for positive numbers. */
static inline double slope(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        const double a = log(x[k]), b = log(y[k]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

/* Errors at several step sizes, of what has to converge. */
enum { SIZES = 4, ERRORS = 6 };
typedef struct errors {
    double h[SIZES], of[ERRORS][SIZES];
} errors;

static inline void check_slopes(const errors *e, int count, double order,
                                const char *what)
{
    print_message("    %-24s", what);
    for (int k = 0; k < count; k++)
        print_message(" %.2f (%.0e .. %.0e)", slope(e->h, e->of[k], SIZES), e->of[k][0],
                      e->of[k][SIZES - 1]);
    print_message("\n");
    for (int k = 0; k < count; k++)
        assert_at_least(slope(e->h, e->of[k], SIZES), order);
}

#endif
