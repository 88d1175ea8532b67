/* What one step of RATTLE costs through the public interface, against programs written by hand
 * for the same method and problem (bound_*.c).
 *
 *     bench_steps [--json FILE]
 *
 * The two take turns, and the best of many turns counts. That both compute the same motion is
 * tested first. */
#include "bound.h"
#include "clock.h"
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 25, MEMBERS = 500, MEMBER_STEPS = 20 };

/* A turn lasts about this long. */
static const double turn_ns = 8e6;

typedef struct race {
    const char *name, *model;
    int size; /* what a step is divided by: links, members */
    double step;
    const bound *bound;
    double most; /* the goal for the ratio, 0: none */
} race;

typedef struct result {
    double ours, theirs; /* ns per step */
    double iterations;   /* of the last step */
} result;

static const double one = 1;

/* ---- a single system -------------------------------------------------------------------- */

static double time_sim(bench_sim *s, long steps)
{
    const double start = bench_nanoseconds();
    bench_sim_run(s, steps);
    return (bench_nanoseconds() - start) / (double)steps;
}

static double time_bound(const race *r, void *state, long steps)
{
    const double start = bench_nanoseconds();
    r->bound->run(state, r->step, &one, 1, steps);
    return (bench_nanoseconds() - start) / (double)steps;
}

/* Do the two agree after some steps? Rounding is all they may differ by. */
static void compare(const race *r, bench_sim *s, void *state)
{
    const int n = lv_model_coordinate_count(s->model);
    const long steps = r->size > 1000 ? 3 : 100;
    double *q = bench_memory(n, sizeof *q);
    bench_sim_run(s, steps);
    r->bound->run(state, r->step, &one, 1, steps);
    r->bound->position(state, q);
    const double apart = bench_distance(q, lv_sim_position(s->sim), n);
    free(q);
    if (!(apart < 1e-9)) {
        (void)fprintf(stderr, "bench_steps: %s: results differ by %g\n", r->name, apart);
        exit(EXIT_FAILURE);
    }
}

static result run_race(const race *r)
{
    bench_sim s = bench_sim_create(r->model, r->size, r->step, 0);
    void *state = r->bound->create(r->size);
    compare(r, &s, state);
    result best = {time_sim(&s, 2), time_bound(r, state, 2), 0};
    const long ours = 1 + (long)(turn_ns / best.ours);
    const long theirs = 1 + (long)(turn_ns / best.theirs);
    for (int turn = 0; turn < TURNS; turn++) {
        best.ours = bench_smaller(best.ours, time_sim(&s, ours));
        best.theirs = bench_smaller(best.theirs, time_bound(r, state, theirs));
    }
    best.iterations = lv_sim_iterations(s.sim);
    r->bound->free(state);
    bench_sim_free(&s);
    return best;
}

/* ---- many systems ----------------------------------------------------------------------- */

static bench_sim *make_members(const race *r)
{
    bench_sim *s = bench_memory(r->size, sizeof *s);
    for (int k = 0; k < r->size; k++) {
        const double q[] = {1, 0, 0}, v[] = {0, 1 + 1e-3 * k, 0};
        lv_error err;
        s[k] = bench_sim_create(r->model, 1, r->step, 0);
        if (lv_sim_set_state(s[k].sim, 0, q, v, &err) != LV_OK)
            exit(EXIT_FAILURE);
    }
    return s;
}

/* Members advance a few steps at a time, one after the other. */
static result run_members(const race *r)
{
    bench_sim *s = make_members(r);
    void *state = r->bound->create(r->size);
    result best = {HUGE_VAL, HUGE_VAL, 0};
    for (int turn = 0; turn < TURNS; turn++) {
        double start = bench_nanoseconds();
        for (int k = 0; k < r->size; k++)
            bench_sim_run(&s[k], MEMBER_STEPS);
        best.ours =
            bench_smaller(best.ours, (bench_nanoseconds() - start) / MEMBER_STEPS);
        best.theirs = bench_smaller(best.theirs, time_bound(r, state, MEMBER_STEPS));
    }
    best.iterations = lv_sim_iterations(s[0].sim);
    for (int k = 0; k < r->size; k++)
        bench_sim_free(&s[k]);
    free(s);
    r->bound->free(state);
    return best;
}

/* ---- output ----------------------------------------------------------------------------- */

static const race races[] = {
    {"pendulum", "pendulum3d", 1, 1e-2, &bound_pendulum, 8},
    {"four particles", "four-particles", 1, 1e-3, &bound_particles, 8},
    {"chain 10", "chain", 10, 1e-3, &bound_chain, 0},
    {"chain 100", "chain", 100, 1e-4, &bound_chain, 0},
    {"chain 1000", "chain", 1000, 2e-5, &bound_chain, 3},
    {"chain 10000", "chain", 10000, 1e-5, &bound_chain, 0},
    {"chain 100000", "chain", 100000, 5e-6, &bound_chain, 0},
    {"500 pendulums", "pendulum3d", MEMBERS, 1e-2, &bound_ensemble, 0},
};
enum {
    RACES = sizeof races / sizeof *races,
    MIDDLE = 4,
    LONGEST = 6,
    ENSEMBLE = RACES - 1
};

static void print_result(const race *r, const result *x)
{
    const double ratio = x->ours / x->theirs;
    printf("%-16s %12.1f %10.1f %10.1f %10.1f %6.0f %8.2f", r->name, x->ours,
           x->ours / r->size, x->theirs, x->theirs / r->size, x->iterations, ratio);
    if (r->most > 0)
        printf("  goal at most %g, %s", r->most, ratio <= r->most ? "met" : "MISSED");
    printf("\n");
    (void)fflush(stdout);
}

/* Cost per link of long chains, relative to shorter ones. */
static void print_growth(const result *x)
{
    const double growth =
        x[LONGEST].ours / races[LONGEST].size / (x[MIDDLE].ours / races[MIDDLE].size);
    printf("per link, 100000 links to 1000: %.2f  goal at most 1.5, %s\n", growth,
           growth <= 1.5 ? "met" : "MISSED");
}

static bool write_json(const char *path, const result *x)
{
    FILE *file = fopen(path, "w");
    bool ok = file && fputs("{\"bench\": \"steps\", \"cases\": [", file) >= 0;
    for (int i = 0; i < RACES && ok; i++)
        ok = fprintf(file,
                     "%s\n  {\"name\": \"%s\", \"size\": %d, \"step\": %g, \"ns\": %.6g, "
                     "\"bound_ns\": %.6g, \"iterations\": %g}",
                     i > 0 ? "," : "", races[i].name, races[i].size, races[i].step,
                     x[i].ours, x[i].theirs, x[i].iterations) > 0;
    ok = ok && fputs("\n]}\n", file) >= 0;
    ok = (!file || fclose(file) == 0) && ok;
    if (!ok)
        perror(path);
    return ok;
}

int main(int argc, char **argv)
{
    result x[RACES];
    const bool json = argc == 3 && strcmp(argv[1], "--json") == 0;
    if (argc != 1 && !json) {
        (void)fprintf(stderr, "usage: bench_steps [--json FILE]\n");
        return EXIT_FAILURE;
    }
    printf("RATTLE, ns           livens step   per unit      bound   per unit  iter.    "
           "ratio\n");
    for (int i = 0; i < RACES; i++) {
        x[i] = i == ENSEMBLE ? run_members(&races[i]) : run_race(&races[i]);
        print_result(&races[i], &x[i]);
    }
    print_growth(x);
    return json && !write_json(argv[2], x) ? EXIT_FAILURE : EXIT_SUCCESS;
}
