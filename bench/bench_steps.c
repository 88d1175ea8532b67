/* What one step of RATTLE costs through the public interface, against programs written by hand
 * for the same method and problem (bound_*.c).
 *
 *     bench_steps [--short] [--json FILE]
 *
 * All take turns, and the best of many turns of each counts. That both compute the same motion
 * is tested first. */
#include "bound.h"
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 40, MEMBERS = 500, MEMBER_STEPS = 20, LEAST_STEPS = 3 };

/* A turn lasts about this long. */
static const double turn_ns = 5e6;

typedef struct race {
    const char *name, *model;
    int size; /* what a step is divided by: links, members */
    double step;
    const bound *bound;
    double most; /* the goal for the ratio, 0: none */
    bool many;   /* a simulation for every member */
} race;

/* A race that goes on. */
typedef struct course {
    bench_sim *sims;
    int sim_count;
    void *state;                 /* of the bound */
    long our_steps, their_steps; /* in a turn */
    double ours, theirs;         /* least ns per step so far */
    double iterations;           /* per step, in the last turn */
} course;

static const double one = 1;

/* ---- racing --------------------------------------------------------------------------------- */

static void time_ours(course *c)
{
    long iterations = 0;
    const double start = bench_nanoseconds();
    for (int k = 0; k < c->sim_count; k++)
        iterations += bench_sim_run(&c->sims[k], c->our_steps);
    const double spent = (bench_nanoseconds() - start) / (double)c->our_steps;
    c->ours = bench_smaller(c->ours, spent);
    c->iterations = (double)iterations / ((double)c->our_steps * c->sim_count);
}

static void time_theirs(const race *r, course *c)
{
    const double start = bench_nanoseconds();
    r->bound->run(c->state, r->step, &one, 1, c->their_steps);
    const double spent = (bench_nanoseconds() - start) / (double)c->their_steps;
    c->theirs = bench_smaller(c->theirs, spent);
}

/* Do the two agree after some steps? Rounding is all they may differ by. */
static void compare(const race *r, course *c)
{
    const int n = lv_model_coordinate_count(c->sims[0].model);
    const long steps = r->size > 1000 ? 3 : 100;
    double *q = bench_memory(n, sizeof *q);
    for (int k = 0; k < c->sim_count; k++)
        bench_sim_run(&c->sims[k], steps);
    r->bound->run(c->state, r->step, &one, 1, steps);
    r->bound->position(c->state, q);
    const double apart = bench_distance(q, lv_sim_position(c->sims[0].sim), n);
    free(q);
    bench_check(apart < 1e-9, "the motion differs from that of the bound", r->name,
                apart);
}

static void start_members(const race *r, course *c)
{
    for (int k = 0; k < c->sim_count; k++) {
        const double q[] = {1, 0, 0}, v[] = {0, 1 + 1e-3 * k, 0};
        lv_error err;
        c->sims[k] = bench_sim_create(r->model, "rattle", 1, r->step, 0);
        if (lv_sim_set_state(c->sims[k].sim, 0, q, v, &err) != LV_OK)
            exit(EXIT_FAILURE);
    }
}

static course start(const race *r)
{
    course c = {.sim_count = r->many ? r->size : 1,
                .our_steps = 2,
                .their_steps = 2,
                .ours = HUGE_VAL,
                .theirs = HUGE_VAL};
    c.sims = bench_memory(c.sim_count, sizeof *c.sims);
    c.state = r->bound->create(r->size);
    if (r->many)
        start_members(r, &c);
    else
        c.sims[0] = bench_sim_create(r->model, "rattle", r->size, r->step, 0);
    compare(r, &c);
    time_ours(&c);
    time_theirs(r, &c);
    c.our_steps = r->many ? MEMBER_STEPS : LEAST_STEPS + (long)(turn_ns / c.ours);
    c.their_steps = LEAST_STEPS + (long)(turn_ns / c.theirs);
    return c;
}

static void finish(const race *r, course *c)
{
    for (int k = 0; k < c->sim_count; k++)
        bench_sim_free(&c->sims[k]);
    free(c->sims);
    r->bound->free(c->state);
}

/* ---- output ----------------------------------------------------------------------------- */

static const race races[] = {
    {"pendulum", "pendulum3d", 1, 1e-2, &bound_pendulum, 8, false},
    {"four particles", "four-particles", 1, 1e-3, &bound_particles, 8, false},
    {"chain 10", "chain", 10, 1e-3, &bound_chain, 0, false},
    {"chain 100", "chain", 100, 1e-4, &bound_chain, 0, false},
    {"chain 1000", "chain", 1000, 2e-5, &bound_chain, 3, false},
    {"chain 10000", "chain", 10000, 1e-5, &bound_chain, 0, false},
    {"chain 100000", "chain", 100000, 5e-6, &bound_chain, 0, false},
    {"500 pendulums", "pendulum3d", MEMBERS, 1e-2, &bound_ensemble, 0, true},
};
enum { RACES = sizeof races / sizeof *races, MIDDLE = 4, LONGEST = 6 };

static void print_result(const race *r, const course *c)
{
    const double ratio = c->ours / c->theirs;
    printf("%-16s %12.1f %10.1f %12.1f %10.1f %6.2f %8.2f", r->name, c->ours,
           c->ours / r->size, c->theirs, c->theirs / r->size, c->iterations, ratio);
    if (r->most > 0)
        printf("  goal at most %g, %s", r->most, ratio <= r->most ? "met" : "MISSED");
    printf("\n");
}

/* Cost per link of long chains, relative to shorter ones. */
static void print_growth(const course *c)
{
    const double growth =
        c[LONGEST].ours / races[LONGEST].size / (c[MIDDLE].ours / races[MIDDLE].size);
    printf("per link, 100000 links to 1000: %.2f  goal at most 1.5, %s\n", growth,
           growth <= 1.5 ? "met" : "MISSED");
}

static int write_results(const bench_request *request, const course *c)
{
    bench_results r = bench_results_open(request, "\"bench\": \"steps\"");
    for (int i = 0; i < RACES; i++)
        bench_results_case(&r,
                           "\"name\": \"%s\", \"size\": %d, \"step\": %g, \"ns\": %.6g, "
                           "\"bound_ns\": %.6g, \"iterations\": %.4g",
                           races[i].name, races[i].size, races[i].step, c[i].ours,
                           c[i].theirs, c[i].iterations);
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    static course c[RACES];
    const bench_request request = bench_request_read(argc, argv);
    for (int i = 0; i < RACES; i++)
        c[i] = start(&races[i]);
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++)
        for (int i = 0; i < RACES; i++) {
            time_ours(&c[i]);
            time_theirs(&races[i], &c[i]);
        }
    printf(
        "RATTLE, ns           livens step   per unit        bound   per unit  iter.    "
        "ratio\n");
    for (int i = 0; i < RACES; i++)
        print_result(&races[i], &c[i]);
    print_growth(c);
    const int status = write_results(&request, c);
    for (int i = 0; i < RACES; i++)
        finish(&races[i], &c[i]);
    return status;
}
