/* Simulations inside of tests. */
#ifndef LV_TESTS_MOVING_H
#define LV_TESTS_MOVING_H

#include "../model/reading.h"

#include <string.h>

/* A scheme with its options. */
typedef struct method {
    const char *scheme;
    int stages, compose; /* 0: not given */
    lv_scheme_options more;
} method;

static inline lv_scheme_options method_options(const method *m)
{
    lv_scheme_options options = m->more;
    if (m->stages != 0)
        lv_scheme_option_set(&options, LV_OPTION_STAGES, m->stages);
    if (m->compose != 0)
        lv_scheme_option_set(&options, LV_OPTION_COMPOSE, m->compose);
    return options;
}

/* "lobatto 3", "rattle 2 c6", "lobatto 3 theta=0.5" */
static inline const char *method_name(const method *m, char *buffer, size_t size)
{
    char text[80];
    lv_option_info info;
    snprintf(buffer, size, "%s %d", m->scheme, m->stages);
    if (m->compose > 0)
        snprintf(buffer + strlen(buffer), size - strlen(buffer), " c%d", m->compose);
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (lv_scheme_option_given(&m->more, (lv_option)k))
            snprintf(buffer + strlen(buffer), size - strlen(buffer), " %s=%s", info.name,
                     lv_option_format((lv_option)k, m->more.value[k], text, sizeof text));
    return buffer;
}

static inline lv_status try_start(lv_sim **sim, const lv_model *model, const method *m,
                                  double step, lv_error *err)
{
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = m->scheme;
    options.options = method_options(m);
    options.step = step;
    return lv_sim_create(sim, model, &options, err);
}

static inline lv_sim *start(const lv_model *model, const method *m, double step)
{
    lv_sim *sim = NULL;
    lv_error err;
    if (try_start(&sim, model, m, step, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

static inline void step_once(lv_sim *sim)
{
    lv_error err;
    if (lv_sim_step(sim, &err) != LV_OK)
        fail_with(&err);
}

static inline void step_times(lv_sim *sim, long count)
{
    for (long k = 0; k < count; k++)
        step_once(sim);
}

static inline void move_to(lv_sim *sim, double t, const double *q, const double *v)
{
    lv_error err;
    if (lv_sim_set_state(sim, t, q, v, &err) != LV_OK)
        fail_with(&err);
}

static inline lv_claims claims_of(const method *m)
{
    lv_claims claims;
    lv_error err;
    const lv_scheme_options options = method_options(m);
    if (lv_scheme_claims(&claims, m->scheme, &options, &err) != LV_OK)
        fail_with(&err);
    return claims;
}

static inline lv_scheme_info info_of(const char *name)
{
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        if (strcmp(info.name, name) == 0)
            return info;
    fail_msg("no scheme '%s'", name);
    return info;
}

enum { MOST_METHODS = 200 };

/* Everything that lv_scheme_describe lists: all stages, and all compositions. Returns how many. */

static inline int list_methods(method list[MOST_METHODS], int most_stages)
{
    lv_scheme_info info;
    int count = 0;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (int s = info.least_stages; s <= info.most_stages && s <= most_stages; s++) {
            assert_true(count + 4 <= MOST_METHODS);
            list[count++] = (method){info.name, s, 0};
            int order = claims_of(&list[count - 1]).order;
            for (int c = order + 2; info.composable && c <= 8; c += 2)
                list[count++] = (method){info.name, s, c};
        }
    return count;
}

/* Partitioned Runge-Kutta schemes take any Lagrangian and any force. */
static inline bool is_partitioned(const char *scheme)
{
    static const char *const names[] = {"rattle", "verlet", "lobatto", "gauss", "radau"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(scheme, names[k]) == 0)
            return true;
    return false;
}

/* Does the scheme take the system? */
static inline bool fits(const lv_model *model, const method *m)
{
    lv_error err;
    lv_sim *sim = NULL;
    char name[8];
    bool constrained = lv_model_constraint_name(model, 0, name, sizeof name)[0] != '\0';
    lv_status status = try_start(&sim, model, m, 0.01, &err);
    lv_sim_free(sim);
    if (status == LV_OK)
        return true;
    bool excused =
        !is_partitioned(m->scheme) || (constrained && !info_of(m->scheme).holonomic);
    if (status != LV_ERR_MODEL || err.hint[0] == '\0' || !excused)
        fail_with(&err);
    return false;
}

static inline double largest(const double *x, int n)
{
    double result = 0;
    for (int i = 0; i < n; i++)
        result = fmax(result, fabs(x[i]));
    return result;
}

static inline double distance(const double *a, const double *b, int n)
{
    double result = 0;
    for (int i = 0; i < n; i++) {
        double d = fabs(a[i] - b[i]);
        result = d <= result ? result : d; /* keeps a NaN */
    }
    return result;
}

#endif
