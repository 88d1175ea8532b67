/* CPU time to reach a position error of 1e-8 at the end of a motion: RATTLE composed to order 8,
 * the same written by hand (bound_*.c), and peers where they are installed.
 *
 *     bench_accuracy [--short] [--json FILE]
 *
 * Each makes the step or the tolerance finer until it is accurate enough; then all take turns, and
 * the best of several turns counts. Reading the model and preparing the simulation are not
 * counted: they are done once for any number of runs. */
#include "bound.h"
#include "clock.h"
#include "contest.h"
#include "peer.h"
#include "reference.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 15, PEERS = 4, ORDER = 8, MOST = 20, SUBSTEPS = 17 };

static const double wanted = 1e-8;

/* Kahan, Li 1997; the second half mirrors the first. */
static const double half_weights[] = {
    0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
    0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
    0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};

typedef struct goal {
    const char *name, *model;
    int size, n; /* links, coordinates */
    double until;
    int first_steps; /* to begin with */
    const bound *bound;
    const double *reference;
} goal;

/* What one contestant needs. */
typedef struct result {
    double setting; /* steps or tolerance */
    double error, ns;
} result;

typedef struct results {
    result ours, bound, peer[PEERS];
} results;

static const goal goals[] = {
    {"pendulum", "pendulum3d", 1, 3, 10, 60, &bound_pendulum, reference_pendulum},
    {"four particles", "four-particles", 1, 12, 10, 100, &bound_particles,
     reference_particles},
    {"chain 10", "chain", 10, 30, 1, 70, &bound_chain, reference_chain_10},
    {"chain 100", "chain", 100, 300, 0.5, 250, &bound_chain, reference_chain_100},
};
enum { GOALS = sizeof goals / sizeof *goals, LARGEST = 300 };

static bench_particles make_particles(int number)
{
    return number == 0   ? bench_pendulum()
           : number == 1 ? bench_four()
                         : bench_chain(goals[number].size, goals[number].until);
}

/* ---- contestants ------------------------------------------------------------------------------ */

static double run_ours(const goal *g, bench_sim *s, int steps, double *error)
{
    bench_sim_restart(s);
    const double start = bench_nanoseconds();
    const bool ok = bench_sim_try(s, steps);
    const double spent = bench_nanoseconds() - start;
    *error = ok ? bench_distance(lv_sim_position(s->sim), g->reference, g->n) : HUGE_VAL;
    return spent;
}

static double run_bound(const goal *g, int steps, double *error)
{
    double weights[SUBSTEPS], q[LARGEST];
    for (int k = 0; k < SUBSTEPS; k++)
        weights[k] = half_weights[k < SUBSTEPS - k ? k : SUBSTEPS - 1 - k];
    void *state = g->bound->create(g->size);
    const double start = bench_nanoseconds();
    g->bound->run(state, g->until / steps, weights, SUBSTEPS, steps);
    const double spent = bench_nanoseconds() - start;
    g->bound->position(state, q);
    *error = bench_distance(q, g->reference, g->n);
    g->bound->free(state);
    return spent;
}

static double run_peer(const goal *g, const peer *p, const bench_particles *particles,
                       double tolerance, double *error)
{
    double q[LARGEST];
    const double start = bench_nanoseconds();
    const bool ok = p->run(particles, tolerance, q);
    const double spent = bench_nanoseconds() - start;
    *error = ok ? bench_distance(q, g->reference, g->n) : HUGE_VAL;
    return spent;
}

/* ---- finding out how fine --------------------------------------------------------------------- */

static int finer(int steps)
{
    return steps + steps / 12 + 1;
}

static bench_sim find_ours(const goal *g, result *r)
{
    for (int steps = g->first_steps;; steps = finer(steps)) {
        bench_sim s =
            bench_sim_create(g->model, "rattle", g->size, g->until / steps, ORDER);
        *r = (result){steps, 0, 0};
        r->ns = run_ours(g, &s, steps, &r->error);
        if (r->error <= wanted)
            return s;
        bench_check(steps < MOST * g->first_steps, "the error stays above 1e-8", g->name,
                    r->error);
        bench_sim_free(&s);
    }
}

static void find_bound(const goal *g, result *r)
{
    *r = (result){g->first_steps, HUGE_VAL, 0};
    while (!((r->ns = run_bound(g, (int)r->setting, &r->error)), r->error <= wanted)) {
        bench_check(r->setting < MOST * g->first_steps,
                    "the error of the bound stays above 1e-8", g->name, r->error);
        r->setting = finer((int)r->setting);
    }
}

static void find_peer(const goal *g, const peer *p, const bench_particles *particles,
                      result *r)
{
    *r = (result){1e-5, HUGE_VAL, HUGE_VAL};
    while (r->setting > 1e-14) {
        r->ns = run_peer(g, p, particles, r->setting, &r->error);
        if (r->error <= wanted)
            return;
        r->setting /= sqrt(10);
    }
    r->ns = HUGE_VAL; /* it never gets there */
}

static results run_goal(int number, int turns, bool with_peers)
{
    const goal *g = &goals[number];
    bench_particles particles = make_particles(number);
    results r = {{0, 0, 0}, {0, 0, 0}, {{0, 0, 0}}};
    double error = 0;
    bench_sim s = find_ours(g, &r.ours);
    find_bound(g, &r.bound);
    for (int k = 0; peers[k].name; k++)
        if (with_peers)
            find_peer(g, &peers[k], &particles, &r.peer[k]);
    for (int turn = 0; turn < turns; turn++) {
        r.ours.ns =
            bench_smaller(r.ours.ns, run_ours(g, &s, (int)r.ours.setting, &error));
        r.bound.ns =
            bench_smaller(r.bound.ns, run_bound(g, (int)r.bound.setting, &error));
        for (int k = 0; with_peers && peers[k].name; k++)
            if (r.peer[k].ns < 3e8 || turn == 0) /* slow ones vary little */
                r.peer[k].ns =
                    bench_smaller(r.peer[k].ns, run_peer(g, &peers[k], &particles,
                                                         r.peer[k].setting, &error));
    }
    bench_sim_free(&s);
    bench_particles_free(&particles);
    return r;
}

/* ---- output --------------------------------------------------------------------------------------- */

static void print_result(const goal *g, const results *r)
{
    printf("%-16s %5.0f steps %10.4f ms   bound %9.4f", g->name, r->ours.setting,
           r->ours.ns * 1e-6, r->bound.ns * 1e-6);
    const bool with_peers = r->peer[0].setting > 0;
    for (int k = 0; with_peers && peers[k].name; k++)
        printf("   %s %9.3f (%.1f times)", peers[k].name, r->peer[k].ns * 1e-6,
               r->peer[k].ns / r->ours.ns);
    if (with_peers)
        printf("  goal at least 5, %s",
               r->peer[0].ns >= 5 * r->ours.ns ? "met" : "MISSED");
    printf("\n");
    (void)fflush(stdout);
}

static int write_results(const bench_request *request, const results *all)
{
    bench_results r = bench_results_open(request, "\"bench\": \"accuracy\"");
    for (int i = 0; i < GOALS; i++) {
        bench_results_case(&r,
                           "\"name\": \"%s\", \"steps\": %g, \"error\": %.3g, "
                           "\"ns\": %.6g, \"bound_ns\": %.6g",
                           goals[i].name, all[i].ours.setting, all[i].ours.error,
                           all[i].ours.ns, all[i].bound.ns);
        for (int k = 0; peers[k].name; k++)
            if (all[i].peer[k].setting > 0 && isfinite(all[i].peer[k].ns))
                bench_results_more(&r, "\"%s ns\": %.6g", peers[k].name,
                                   all[i].peer[k].ns);
    }
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    results r[GOALS];
    const bench_request request = bench_request_read(argc, argv);
    printf("CPU time to a position error of 1e-8, order 8%s\n",
           peers[0].name ? "" : "; no peers were found");
    for (int i = 0; i < GOALS; i++) {
        r[i] = run_goal(i, request.brief ? 1 : TURNS, !request.brief);
        print_result(&goals[i], &r[i]);
    }
    return write_results(&request, r);
}
