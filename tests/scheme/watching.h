/* Runs that are watched at every node, and convergence, for the tests of single schemes. */
#ifndef LV_TESTS_WATCHING_H
#define LV_TESTS_WATCHING_H

#include "../claims/moving.h"
#include "run/sim.h"

/* A scheme by its name, or "B(1,0)": vi-b with theta = 1 and vartheta = 0. */
static inline method member(const char *name)
{
    const bool b10 = strcmp(name, "B(1,0)") == 0;
    method m = {b10 ? "vi-b" : name, 1, 0, {0}};
    if (b10) {
        lv_scheme_option_set(&m.more, LV_OPTION_THETA, 1);
        lv_scheme_option_set(&m.more, LV_OPTION_VARTHETA, 0);
    }
    return m;
}

/* Extremes over all nodes of a run, the first one included. */
typedef struct extremes {
    double least, most;      /* energy p.v - T + V */
    double low, high;        /* q[2] */
    double position, hidden; /* largest |g|, |G v| */
    double linear, angular;  /* drift of sum p, of sum q x p, for coordinates in threes */
    double vertical;         /* drift of the third component of sum q x p */
} extremes;

static inline double energy_of(lv_sim *sim)
{
    const lv_energies e = lv_sim_energies(sim);
    const double *v = lv_sim_velocity(sim), *p = lv_sim_momentum(sim);
    double sum = e.potential - e.kinetic;
    for (int k = 0; k < sim->system->n; k++)
        sum += p[k] * v[k];
    return sum;
}

/* sum p and sum q x p */
static inline void momenta_of(const lv_sim *sim, double momenta[6])
{
    const double *q = lv_sim_position(sim), *p = lv_sim_momentum(sim);
    memset(momenta, 0, 6 * sizeof *momenta);
    for (int k = 0; k + 2 < sim->system->n; k += 3)
        for (int i = 0; i < 3; i++) {
            int a = k + (i + 1) % 3, b = k + (i + 2) % 3;
            momenta[i] += p[k + i];
            momenta[3 + i] += q[a] * p[b] - q[b] * p[a];
        }
}

static inline void look(extremes *x, lv_sim *sim, const double start[6])
{
    double e = energy_of(sim), g, hidden, now[6], third = lv_sim_position(sim)[2];
    momenta_of(sim, now);
    lv_sim_residuals(sim, &g, &hidden);
    x->least = fmin(x->least, e);
    x->most = fmax(x->most, e);
    x->low = fmin(x->low, third);
    x->high = fmax(x->high, third);
    x->position = fmax(x->position, g);
    x->hidden = fmax(x->hidden, hidden);
    x->linear = fmax(x->linear, distance(now, start, 3));
    x->angular = fmax(x->angular, distance(now + 3, start + 3, 3));
    x->vertical = fmax(x->vertical, fabs(now[5] - start[5]));
}

/* Coordinates in threes only. */
static inline extremes watch(lv_sim *sim, long steps)
{
    extremes x = {
        .least = INFINITY, .most = -INFINITY, .low = INFINITY, .high = -INFINITY};
    double start[6];
    momenta_of(sim, start);
    look(&x, sim, start);
    for (long k = 0; k < steps; k++) {
        step_once(sim);
        look(&x, sim, start);
    }
    return x;
}

/* Largest |E - E at the start| over the steps. */
static inline double energy_drift(lv_sim *sim, long steps)
{
    double start = energy_of(sim), drift = 0;
    for (long k = 0; k < steps; k++) {
        step_once(sim);
        double d = fabs(energy_of(sim) - start);
        drift = d <= drift ? drift : d; /* keeps a NaN */
    }
    return drift;
}

/* Positions and momenta after `steps` steps to `until`. */
static inline void end_state(double *end, const lv_model *model, const char *scheme,
                             double until, int steps)
{
    lv_sim *sim = start(model, &(method){scheme, 1, 0}, until / steps);
    size_t n = (size_t)lv_model_coordinate_count(model);
    step_times(sim, steps);
    memcpy(end, lv_sim_position(sim), n * sizeof *end);
    memcpy(end + n, lv_sim_momentum(sim), n * sizeof *end);
    lv_sim_free(sim);
}

/* |a - b| / |b| */
static inline double relative_error(const double *a, const double *b, int n)
{
    double difference = 0, size = 0;
    for (int i = 0; i < n; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return sqrt(difference / size);
}

/* Order that differences of three runs with doubled numbers of steps show, in q and p. */
static inline double measured_order(const lv_model *model, const char *scheme,
                                    double until, int steps)
{
    enum { MOST_NUMBERS = 64 };
    double ends[3][MOST_NUMBERS];
    int n = 2 * lv_model_coordinate_count(model);
    assert_in_range(n, 1, MOST_NUMBERS);
    for (int k = 0; k < 3; k++)
        end_state(ends[k], model, scheme, until, steps << k);
    return log2(distance(ends[0], ends[1], n) / distance(ends[1], ends[2], n));
}

/* The scheme must refuse the model with this text, and offer something. */
static inline void check_refused(const lv_model *model, const char *scheme,
                                 const char *text)
{
    lv_sim *sim = NULL;
    lv_error err;
    lv_error_clear(&err);
    assert_int_equal(try_start(&sim, model, &(method){scheme, 1, 0}, 0.01, &err),
                     LV_ERR_MODEL);
    assert_null(sim);
    if (!strstr(err.text, text) || !strstr(err.text, scheme))
        fail_msg("%s: \"%s\" instead of \"%s\"", scheme, err.text, text);
    assert_true(err.hint[0] != '\0');
}

#endif
