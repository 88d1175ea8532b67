/* CPU time to reach a position error of 1e-4, 1e-6 and 1e-8 at the end of a motion: RATTLE composed to order 8,
 * Lobatto IIIA-IIIB with 4 stages and a multistep method of order 6, the best of which counts; RATTLE composed alike,
 * written by hand (bound_*.c); and peers where they are installed.
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
#include <string.h>

enum {
    TURNS = 15,
    PEERS = 4,
    ORDER = 8,
    MOST = 20,
    SUBSTEPS = 17,
    METHODS = 3,
    SHORTER = 4
};

static const double targets[] = {1e-4, 1e-6, 1e-8};
enum { TARGETS = sizeof targets / sizeof *targets, BRIEF_PEERS = 0, BRIEF_OURS = 2 };

/* Of a peer that took longer there is one turn. */
static const double slow_ns = 3e8;

/* Kahan, Li 1997; the second half mirrors the first. */
static const double half_weights[] = {
    0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
    0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
    0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};

static const bench_method methods[METHODS] = {
    {"rattle", 0, ORDER, "rattle --compose 8", false},
    {"lobatto", 4, 0, "lobatto --stages 4", false},
    {"multistep", 3, 0, "multistep --projection=false", true},
};

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
    result ours[METHODS], bound, peer[PEERS];
    int best; /* of ours */
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

/* A multistep method takes small steps, each as cheap as one substep of the others. */
static int shortened(const bench_method *method)
{
    return strcmp(method->scheme, "multistep") == 0 ? SHORTER : 1;
}

/* Those for 1e-8 are known; the scheme is of order 8. */
static int first_steps(const goal *g, double wanted)
{
    return (int)(0.7 * g->first_steps * pow(wanted / 1e-8, -1.0 / ORDER)) + 1;
}

static bench_sim find_ours(const goal *g, const bench_method *method, double wanted,
                           result *r)
{
    const int shorter = shortened(method);
    for (int steps = shorter * first_steps(g, wanted);; steps = finer(steps)) {
        bench_sim s = bench_sim_create_as(g->model, method, g->size, g->until / steps);
        *r = (result){steps, 0, 0};
        r->ns = run_ours(g, &s, steps, &r->error);
        if (r->error <= wanted)
            return s;
        bench_check(steps < MOST * shorter * g->first_steps, "the error stays too large",
                    g->name, r->error);
        bench_sim_free(&s);
    }
}

static void find_bound(const goal *g, double wanted, result *r)
{
    *r = (result){first_steps(g, wanted), HUGE_VAL, 0};
    while (!((r->ns = run_bound(g, (int)r->setting, &r->error)), r->error <= wanted)) {
        bench_check(r->setting < MOST * g->first_steps,
                    "the error of the bound stays too large", g->name, r->error);
        r->setting = finer((int)r->setting);
    }
}

static void find_peer(const goal *g, const peer *p, const bench_particles *particles,
                      double wanted, result *r)
{
    *r = (result){1e-3, HUGE_VAL, HUGE_VAL};
    while (r->setting > 1e-14) {
        r->ns = run_peer(g, p, particles, r->setting, &r->error);
        if (r->error <= wanted)
            return;
        r->setting /= sqrt(10);
    }
    r->ns = HUGE_VAL; /* it never gets there */
}

/* Once more for all, one after the other. */
static void take_turn(const goal *g, bench_sim *s, const bench_particles *particles,
                      results *r, bool first)
{
    double error = 0;
    for (int k = 0; k < METHODS; k++)
        r->ours[k].ns = bench_smaller(
            r->ours[k].ns, run_ours(g, &s[k], (int)r->ours[k].setting, &error));
    r->bound.ns = bench_smaller(r->bound.ns, run_bound(g, (int)r->bound.setting, &error));
    for (int k = 0; peers[k].name; k++)
        if (isfinite(r->peer[k].ns) && r->peer[k].setting > 0 &&
            (r->peer[k].ns < slow_ns || first))
            r->peer[k].ns =
                bench_smaller(r->peer[k].ns, run_peer(g, &peers[k], particles,
                                                      r->peer[k].setting, &error));
}

static results run_goal(int number, double wanted, int turns, bool with_peers)
{
    const goal *g = &goals[number];
    bench_particles particles = make_particles(number);
    results r = {0};
    bench_sim s[METHODS];
    for (int k = 0; k < METHODS; k++)
        s[k] = find_ours(g, &methods[k], wanted, &r.ours[k]);
    find_bound(g, wanted, &r.bound);
    for (int k = 0; peers[k].name && with_peers; k++)
        find_peer(g, &peers[k], &particles, wanted, &r.peer[k]);
    for (int turn = 0; turn < turns; turn++)
        take_turn(g, s, &particles, &r, turn == 0);
    for (int k = 0; k < METHODS; k++) {
        r.best = r.ours[k].ns < r.ours[r.best].ns ? k : r.best;
        bench_sim_free(&s[k]);
    }
    bench_particles_free(&particles);
    return r;
}

/* ---- output --------------------------------------------------------------------------------------- */

static void print_result(const goal *g, double wanted, const results *r)
{
    printf("%-16s %.0e", g->name, wanted);
    for (int k = 0; k < METHODS; k++)
        printf("   %s %5.0f steps %9.4f ms", methods[k].name, r->ours[k].setting,
               r->ours[k].ns * 1e-6);
    printf("   bound %9.4f", r->bound.ns * 1e-6);
    for (int k = 0; peers[k].name; k++)
        if (isfinite(r->peer[k].ns) && r->peer[k].setting > 0)
            printf("   %s %9.3f (%.1f times)", peers[k].name, r->peer[k].ns * 1e-6,
                   r->peer[k].ns / r->ours[r->best].ns);
    printf("\n");
    (void)fflush(stdout);
}

static void write_result(bench_results *out, const goal *g, double wanted,
                         const results *r)
{
    const result *best = &r->ours[r->best];
    bench_results_case(out,
                       "\"name\": \"%s\", \"wanted\": %.0e, \"method\": \"%s\", "
                       "\"steps\": %g, \"error\": %.3g, \"ns\": %.6g, "
                       "\"rattle_ns\": %.6g, \"bound_ns\": %.6g",
                       g->name, wanted, methods[r->best].name, best->setting, best->error,
                       best->ns, r->ours[0].ns, r->bound.ns);
    for (int k = 0; peers[k].name; k++)
        if (isfinite(r->peer[k].ns) && r->peer[k].setting > 0)
            bench_results_more(out, "\"%s ns\": %.6g", peers[k].name, r->peer[k].ns);
}

/* SUNDIALS must get there everywhere: who does not find what a peer computes compares nothing. */
static void check_peers(const goal *g, const results *r)
{
    for (int k = 0; peers[k].name; k++)
        if (strncmp(peers[k].name, "SUNDIALS", strlen("SUNDIALS")) == 0 ||
            strcmp(g->name, "pendulum") == 0)
            bench_check(isfinite(r->peer[k].ns), "a peer does not get there",
                        peers[k].name, r->peer[k].error);
}

/* In short: ours to the finest, and peers to the coarsest accuracy of the first three. */
int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    bench_results out = bench_results_open(&request, "\"bench\": \"accuracy\"");
    printf("CPU time to a position error, order 8%s\n",
           peers[0].name ? "" : "; no peers were found");
    for (int i = 0; i < GOALS; i++)
        for (int t = 0; t < TARGETS; t++) {
            if (request.brief && t != BRIEF_OURS && (t != BRIEF_PEERS || i == GOALS - 1))
                continue;
            const bool with_peers = !request.brief || t == BRIEF_PEERS;
            const results r =
                run_goal(i, targets[t], request.brief ? 0 : TURNS, with_peers);
            if (with_peers && t == BRIEF_PEERS)
                check_peers(&goals[i], &r);
            print_result(&goals[i], targets[t], &r);
            write_result(&out, &goals[i], targets[t], &r);
        }
    return bench_results_close(&out);
}
