/* A shipped model in motion, and the memory of benchmarks. */
#ifndef LV_BENCH_CONTEST_H
#define LV_BENCH_CONTEST_H

#include <livens/livens.h>

/* A problem: the shipped model, with N = size where size > 1. */
typedef struct bench_sim {
    lv_model *model;
    lv_sim *sim;
} bench_sim;

/* A scheme with its options; 0: the usual number of stages, not composed. `observed`: velocities are those that the
 * scheme observes, without a projection, which is no part of its motion. */
typedef struct bench_method {
    const char *scheme;
    int stages, compose;
    const char *name; /* for readers */
    bool observed;
} bench_method;

/* Ends the program with a message if something fails, as all of these do. */
bench_sim bench_sim_create_as(const char *model, const bench_method *method, int size,
                              double step);
bench_sim bench_sim_create(const char *model, const char *scheme, int size, double step,
                           int compose);
void bench_sim_free(bench_sim *s);
void bench_sim_restart(bench_sim *s);
long bench_sim_run(bench_sim *s,
                   long steps); /* returns how many iterations were needed */

/* The same; false if a step fails, which coarse ones may. */
bool bench_sim_try(bench_sim *s, long steps);

/* Zeroed. */
void *bench_memory(int count, int size);

/* The largest difference of two vectors; infinite if something is not finite. */
double bench_distance(const double *x, const double *y, int count);

#endif
