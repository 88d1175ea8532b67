/* Bodies that move on groups, in simulations. */
#ifndef LV_TESTS_GROUPS_H
#define LV_TESTS_GROUPS_H

#include "../claims/moving.h"

#include <math.h>

static inline method on_group(const char *scheme, int stages, bool cay)
{
    method m = {.scheme = scheme, .stages = stages};
    lv_scheme_option_set(&m.more, LV_OPTION_ROTATIONS, cay ? 2 : 1);
    return m;
}

/* The angular velocity in body axes, from three axes and their velocities. */
static inline void angular_velocity(double w[3], const double *axes, const double *rates)
{
    for (int k = 0; k < 3; k++) {
        const double *across = axes + (ptrdiff_t)3 * ((k + 2) % 3),
                     *rate = rates + (ptrdiff_t)3 * ((k + 1) % 3);
        w[k] = across[0] * rate[0] + across[1] * rate[1] + across[2] * rate[2];
    }
}

/* R J w: axes are the columns of R. */
static inline void spatial_momentum(double L[3], const double J[3], const double *axes,
                                    const double *rates)
{
    double w[3];
    angular_velocity(w, axes, rates);
    for (int i = 0; i < 3; i++)
        L[i] =
            axes[i] * J[0] * w[0] + axes[3 + i] * J[1] * w[1] + axes[6 + i] * J[2] * w[2];
}

/* The largest difference of a row of R. */
static inline double row_off(const double *axes, int row, const double expected[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(axes[3 * k + row] - expected[k]));
    return most;
}

static inline double off(const double *x, const double *y, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(x[k] - y[k]));
    return most;
}

#endif
