#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(bool ok, const char *what)
{
    if (ok)
        return;
    (void)fprintf(stderr, "bench: %s\n", what);
    exit(EXIT_FAILURE);
}

bench_sim bench_sim_create_as(const char *model, const bench_method *method, int size,
                              double step)
{
    bench_sim s = {0};
    lv_error err;
    char text[24];
    (void)snprintf(text, sizeof text, "%d", size);
    const lv_setting setting = {"N", text};
    require(lv_model_read(&s.model, model, &setting, size > 1, &err) == LV_OK, err.text);
    lv_sim_options options = lv_sim_options_default(s.model);
    options.scheme = method->scheme;
    options.options = (lv_scheme_options){0};
    if (method->stages > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_STAGES, method->stages);
    if (method->compose > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_COMPOSE, method->compose);
    if (method->observed)
        lv_scheme_option_set(&options.options, LV_OPTION_PROJECTION, 0);
    options.step = step;
    require(lv_sim_create(&s.sim, s.model, &options, &err) == LV_OK, err.text);
    return s;
}

bench_sim bench_sim_create(const char *model, const char *scheme, int size, double step,
                           int compose)
{
    const bench_method method = {scheme, 0, compose, scheme, false};
    return bench_sim_create_as(model, &method, size, step);
}

void bench_sim_free(bench_sim *s)
{
    lv_sim_free(s->sim);
    lv_model_free(s->model);
}

void bench_sim_restart(bench_sim *s)
{
    lv_error err;
    require(lv_sim_set_state(s->sim, 0, lv_model_start_position(s->model),
                             lv_model_start_velocity(s->model), &err) == LV_OK,
            err.text);
}

bool bench_sim_try(bench_sim *s, long steps)
{
    lv_error err;
    lv_status status = LV_OK;
    for (long k = 0; k < steps && status == LV_OK; k++)
        status = lv_sim_step(s->sim, &err);
    return status == LV_OK;
}

long bench_sim_run(bench_sim *s, long steps)
{
    lv_error err;
    long iterations = 0;
    for (long k = 0; k < steps; k++) {
        require(lv_sim_step(s->sim, &err) == LV_OK, err.text);
        iterations += lv_sim_iterations(s->sim);
    }
    return iterations;
}

void *bench_memory(int count, int size)
{
    void *p = calloc((size_t)count, (size_t)size);
    require(p != NULL, "out of memory");
    return p;
}

double bench_distance(const double *x, const double *y, int count)
{
    double largest = 0;
    for (int i = 0; i < count; i++) {
        const double apart = fabs(x[i] - y[i]);
        if (!isfinite(apart))
            return HUGE_VAL;
        largest = apart > largest ? apart : largest;
    }
    return largest;
}
