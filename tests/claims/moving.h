/* Simulations inside of tests. */
#ifndef LV_TESTS_MOVING_H
#define LV_TESTS_MOVING_H

#include "../model/reading.h"
#include "model/model.h"

#include <stdlib.h>
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

enum { METHOD_NAME = 100 };

/* "lobatto 3", "rattle 2 c6", "ansatz LR degree=2 gauss" */
static inline const char *method_name(const method *m, char *buffer, size_t size)
{
    char text[80];
    lv_option_info info;
    snprintf(buffer, size, "%s", m->scheme);
    if (m->stages > 0)
        snprintf(buffer + strlen(buffer), size - strlen(buffer), " %d", m->stages);
    if (m->compose > 0)
        snprintf(buffer + strlen(buffer), size - strlen(buffer), " c%d", m->compose);
    for (int k = 0; lv_option_describe(k, &info); k++)
        if (lv_scheme_option_given(&m->more, (lv_option)k))
            snprintf(buffer + strlen(buffer), size - strlen(buffer), " %s%s%s",
                     info.choices ? "" : info.name, info.choices ? "" : "=",
                     lv_option_format((lv_option)k, m->more.value[k], text, sizeof text));
    return buffer;
}

static inline lv_sim_options sim_options(const lv_model *model, const method *m,
                                         double step)
{
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = m->scheme;
    options.options = method_options(m);
    options.step = step;
    return options;
}

static inline lv_status try_start(lv_sim **sim, const lv_model *model, const method *m,
                                  double step, lv_error *err)
{
    const lv_sim_options options = sim_options(model, m, step);
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

/* With dense output. */
static inline lv_sim *start_dense(const lv_model *model, const method *m, double step)
{
    lv_sim *sim = NULL;
    lv_error err;
    lv_sim_options options = sim_options(model, m, step);
    options.dense = true;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
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

enum { MOST_METHODS = 300 };

/* Values of options that are tried with every scheme that takes them all. */
typedef struct variation {
    int count;
    struct {
        lv_option option;
        double value;
    } set[3];
} variation;

static const variation variations[] = {
    {0, {{LV_OPTION_STAGES, 0}}},
    {1, {{LV_OPTION_PROJECTION, 1}}},
    {1, {{LV_OPTION_HALF_KICK, 1}}},
    {2, {{LV_OPTION_PROJECTION, 1}, {LV_OPTION_HALF_KICK, 1}}},
    {2, {{LV_OPTION_THETA, 1}, {LV_OPTION_VARTHETA, 0}}},
    {2, {{LV_OPTION_THETA, 0}, {LV_OPTION_VARTHETA, 0.5}}},
    {2, {{LV_OPTION_THETA, 0.3}, {LV_OPTION_VARTHETA, 0.3}}},
    {3, {{LV_OPTION_THETA, 0.5}, {LV_OPTION_VARTHETA, 0.9}, {LV_OPTION_PROJECTION, 1}}},
};
enum { VARIATIONS = sizeof variations / sizeof *variations };

/* Adds a method if the scheme has it. */
static inline bool add_method(method *list, int *count, const lv_scheme_info *info,
                              method m, const variation *v)
{
    lv_claims claims;
    for (int k = 0; k < v->count; k++) {
        if (!(info->options >> v->set[k].option & 1))
            return false;
        lv_scheme_option_set(&m.more, v->set[k].option, v->set[k].value);
    }
    const lv_scheme_options options = method_options(&m);
    if (lv_scheme_claims(&claims, m.scheme, &options, NULL) != LV_OK)
        return false;
    assert_in_range(*count, 0, MOST_METHODS - 1);
    list[(*count)++] = m;
    return true;
}

/* Half a kick before the first step is no part of the map from state to state. */
static inline bool begins_with_kick(const method *m)
{
    return lv_scheme_option(&m->more, LV_OPTION_HALF_KICK, 0) != 0;
}

/* A member of a Galerkin family. degree_g, points: -1 for the default. */
static inline method galerkin(const char *scheme, const char *continuity, int degree,
                              const char *rule, int points, int degree_g)
{
    method m = {scheme, 0, 0};
    double word = 0;
    if (continuity) {
        assert_true(lv_option_parse(LV_OPTION_CONTINUITY, continuity, &word));
        lv_scheme_option_set(&m.more, LV_OPTION_CONTINUITY, word);
    }
    if (rule) {
        assert_true(lv_option_parse(LV_OPTION_QUADRATURE, rule, &word));
        lv_scheme_option_set(&m.more, LV_OPTION_QUADRATURE, word);
    }
    lv_scheme_option_set(&m.more, LV_OPTION_DEGREE, degree);
    if (points >= 0)
        lv_scheme_option_set(&m.more, LV_OPTION_POINTS, points);
    if (degree_g >= 0)
        lv_scheme_option_set(&m.more, LV_OPTION_DEGREE_G, degree_g);
    return m;
}

/* All sound members with few points, and some whose multipliers have fewer coefficients than they
 * could. */
static inline int list_galerkin(method list[MOST_METHODS], int count)
{
    assert_true(count + 50 <= MOST_METHODS);
    for (int m = 0; m <= 3; m++) {
        list[count++] = galerkin("ansatz", "LR", m, "gauss", -1, -1);
        list[count++] = galerkin("ansatz", "LR", m, "radau", -1, -1);
    }
    list[count++] = galerkin("ansatz", "RL", 0, "gauss", -1, -1);
    for (int m = 1; m <= 2; m++) {
        list[count++] = galerkin("ansatz", "LR", m, "lobatto", -1, -1);
        list[count++] = galerkin("ansatz", "LR", m, "gauss", m, -1);
        list[count++] = galerkin("ansatz", "LR", m, "gauss", m + 2, -1);
        list[count++] = galerkin("ansatz", "RL", m, "gauss", -1, -1);
        list[count++] = galerkin("ansatz", "RR", m, "gauss", -1, -1);
    }
    for (int k = 1; k <= 4; k++) {
        list[count++] = galerkin("ansatz", "C", k, "lobatto", -1, -1);
        list[count++] = galerkin("ansatz", "C", k, "gauss", k, -1);
        list[count++] = galerkin("ansatz", "C", k, "gauss", k + 1, -1);
        list[count++] = galerkin("ansatz", "C", k, "radau", k, -1);
        list[count++] = galerkin("dpg", NULL, k, NULL, -1, -1);
    }
    list[count++] = galerkin("ansatz", "LR", 1, "gauss", -1, 0);
    list[count++] = galerkin("ansatz", "LR", 2, "gauss", -1, 0);
    list[count++] = galerkin("ansatz", "LR", 2, "radau", -1, 1);
    list[count++] = galerkin("ansatz", "LR", 3, "gauss", -1, 2);
    list[count++] = galerkin("ansatz", "RL", 2, "gauss", -1, 1);
    list[count++] = galerkin("ansatz", "C", 2, "lobatto", -1, 0);
    list[count++] = galerkin("ansatz", "C", 3, "gauss", 4, 1);
    return count;
}

/* The one scheme that is tested, for those who add one; NULL: all are. */
static inline const char *tested_scheme(void)
{
    return getenv("LIVENS_TEST_SCHEME");
}

static inline int keep_tested(method *list, int count)
{
    const char *only = tested_scheme();
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (!only || strcmp(list[k].scheme, only) == 0)
            list[kept++] = list[k];
    assert_in_range(kept, 1, MOST_METHODS);
    return kept;
}

/* Everything that lv_scheme_describe lists: all stages, some values of other options, all compositions,
 * and members of the Galerkin families. Returns how many. */
static inline int list_methods(method list[MOST_METHODS], int most_stages)
{
    lv_scheme_info info;
    int count = 0;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (int s = info.least_stages; s <= info.most_stages && s <= most_stages; s++)
            for (int v = 0; v < VARIATIONS; v++) {
                method m = {info.name, s, 0, {0}};
                if (!add_method(list, &count, &info, m, &variations[v]))
                    continue;
                for (int c = claims_of(&list[count - 1]).order + 2; c <= 8; c += 2) {
                    m.compose = c;
                    add_method(list, &count, &info, m, &variations[v]);
                }
            }
    return keep_tested(list, list_galerkin(list, count));
}

/* Partitioned Runge-Kutta schemes take any Lagrangian and any force. */
static inline bool is_partitioned(const char *scheme)
{
    static const char *const names[] = {"rattle", "verlet", "lobatto", "gauss",
                                        "radau",  "ansatz", "dpg"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(scheme, names[k]) == 0)
            return true;
    return false;
}

/* Multistep methods take small steps, each as cheap as one stage of the others: their steps have to be short
 * beside the periods of a motion. */
static inline bool is_multistep(const method *m)
{
    return strcmp(m->scheme, "multistep") == 0;
}

static inline bool is_galerkin(const method *m)
{
    return lv_scheme_option_given(&m->more, LV_OPTION_DEGREE);
}

static inline bool is_rolling(const lv_model *model)
{
    return model->row_count[LV_ROLE_NONHOLONOMIC] > 0;
}

/* The larger number; a NaN, if there is one. */
static inline double worst_of(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

static inline double largest(const double *x, int n)
{
    double result = 0;
    for (int i = 0; i < n; i++)
        result = worst_of(result, fabs(x[i]));
    return result;
}

static inline double distance(const double *a, const double *b, int n)
{
    double result = 0;
    for (int i = 0; i < n; i++)
        result = worst_of(result, fabs(a[i] - b[i]));
    return result;
}

#endif
