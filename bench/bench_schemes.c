/* What one step of the energy-momentum and GGL schemes costs, against RATTLE through the same interface.
 *
 *     bench_schemes [--short] [--json FILE]
 *
 * Four particles (models/four-particles.toml) with the step of Kinon, Betsch, Schneider 2023 and with a
 * tenth of it; beside it what their table 2 prints, which is relative to VI-S. Then chains of 100 and 1000
 * links: cost per link. All take turns, and the best of many turns of each counts. */
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 40, LEAST_STEPS = 3 };

/* A turn lasts about this long. */
static const double turn_ns = 3e6;

typedef struct entry {
    const char *model, *scheme;
    int size; /* links */
    double step;
    double printed; /* time in table 2 of the source, advanced guess; 0: not there */
    double most;    /* the goal for the ratio to RATTLE, 0: none */
} entry;

static const entry entries[] = {
    {"four-particles", "rattle", 1, 1e-2, 0, 0},
    {"four-particles", "vi-s", 1, 1e-2, 0.819, 0},
    {"four-particles", "vi-a", 1, 1e-2, 0.9158, 0},
    {"four-particles", "vi-b", 1, 1e-2, 0.9221, 0},
    {"four-particles", "vi-b2", 1, 1e-2, 0, 1.5},
    {"four-particles", "em", 1, 1e-2, 1.3481, 2.5},
    {"four-particles", "em-g", 1, 1e-2, 0, 0},
    {"four-particles", "livens", 1, 1e-2, 0, 0},
    {"four-particles", "rattle", 1, 1e-3, 0, 0},
    {"four-particles", "vi-s", 1, 1e-3, 0, 0},
    {"four-particles", "vi-a", 1, 1e-3, 0, 0},
    {"four-particles", "vi-b", 1, 1e-3, 0, 0},
    {"four-particles", "vi-b2", 1, 1e-3, 0, 1.5},
    {"four-particles", "em", 1, 1e-3, 0, 2.5},
    {"four-particles", "em-g", 1, 1e-3, 0, 0},
    {"four-particles", "livens", 1, 1e-3, 0, 0},
    {"chain", "rattle", 100, 1e-4, 0, 0},
    {"chain", "vi-b2", 100, 1e-4, 0, 0},
    {"chain", "em", 100, 1e-4, 0, 0},
    {"chain", "livens", 100, 1e-4, 0, 0},
    {"chain", "rattle", 1000, 1e-5, 0, 0},
    {"chain", "vi-b2", 1000, 1e-5, 0, 0},
    {"chain", "em", 1000, 1e-5, 0, 0},
    {"chain", "livens", 1000, 1e-5, 0, 0},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

typedef struct course {
    bench_sim sim;
    long steps; /* in a turn */
    double ns;  /* least per step so far */
    double iterations;
} course;

static void take_turn(course *c)
{
    const double start = bench_nanoseconds();
    const long iterations = bench_sim_run(&c->sim, c->steps);
    c->ns = bench_smaller(c->ns, (bench_nanoseconds() - start) / (double)c->steps);
    c->iterations = (double)iterations / (double)c->steps;
}

/* Is the motion that of RATTLE composed to order 8 after as many steps, up to the error of a scheme of
 * order 2? That grows like t h^2; the largest measured factor is 2.4. */
static void compare(const entry *e, const course *c, long steps)
{
    bench_sim fine = bench_sim_create(e->model, "rattle", e->size, e->step, 8);
    bench_sim_run(&fine, steps);
    const double apart =
        bench_distance(lv_sim_position(fine.sim), lv_sim_position(c->sim.sim),
                       lv_model_coordinate_count(fine.model));
    const double most = 4 * (double)steps * e->step * e->step * e->step;
    bench_check(apart < most, "the motion differs from that of order 8", e->scheme,
                apart);
    bench_sim_free(&fine);
}

static course begin(const entry *e)
{
    course c = {.sim = bench_sim_create(e->model, e->scheme, e->size, e->step, 0),
                .steps = 10,
                .ns = HUGE_VAL};
    take_turn(&c);
    take_turn(&c);
    compare(e, &c, 2 * c.steps);
    c.steps = LEAST_STEPS + (long)(turn_ns / c.ns);
    return c;
}

/* The entry of another scheme in the same race. */
static int beside(int k, const char *scheme)
{
    for (int i = 0; i < ENTRIES; i++)
        if (strcmp(entries[i].model, entries[k].model) == 0 &&
            entries[i].size == entries[k].size && entries[i].step == entries[k].step &&
            strcmp(entries[i].scheme, scheme) == 0)
            return i;
    return k;
}

static void print_result(const course *c, int k)
{
    const entry *e = &entries[k];
    const double ratio = c[k].ns / c[beside(k, "rattle")].ns;
    printf("%-15s %-7s %6g %10.1f %8.1f %6.2f %8.2f", e->model, e->scheme, e->step,
           c[k].ns, c[k].ns / e->size, c[k].iterations, ratio);
    if (e->printed > 0)
        printf("  to vi-s %.2f, table 2 prints %g to %g: %.2f",
               c[k].ns / c[beside(k, "vi-s")].ns, e->printed,
               entries[beside(k, "vi-s")].printed,
               e->printed / entries[beside(k, "vi-s")].printed);
    if (e->most > 0)
        printf("  goal at most %g, %s", e->most, ratio <= e->most ? "met" : "MISSED");
    printf("\n");
}

/* Cost per link of the chain of 1000, relative to that of 100. */
static void print_growth(const course *c)
{
    for (int k = 0; k < ENTRIES; k++)
        for (int i = 0; i < k; i++) {
            const entry *large = &entries[k], *small = &entries[i];
            if (large->size != 1000 || small->size != 100 ||
                strcmp(large->scheme, small->scheme) != 0)
                continue;
            const double growth = c[k].ns / c[i].ns * small->size / large->size;
            printf("per link, 1000 links to 100, %-7s %.2f  goal at most 1.5, %s\n",
                   large->scheme, growth, growth <= 1.5 ? "met" : "MISSED");
        }
}

static int write_results(const bench_request *request, const course *c)
{
    bench_results r = bench_results_open(request, "\"bench\": \"schemes\"");
    for (int k = 0; k < ENTRIES; k++)
        bench_results_case(&r,
                           "\"model\": \"%s\", \"scheme\": \"%s\", \"size\": %d, "
                           "\"step\": %g, \"ns\": %.6g, \"iterations\": %.4g",
                           entries[k].model, entries[k].scheme, entries[k].size,
                           entries[k].step, c[k].ns, c[k].iterations);
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    static course c[ENTRIES];
    const bench_request request = bench_request_read(argc, argv);
    for (int k = 0; k < ENTRIES; k++)
        c[k] = begin(&entries[k]);
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++)
        for (int k = 0; k < ENTRIES; k++)
            take_turn(&c[k]);
    printf("model           scheme    step    ns/step per link  iter. to rattle\n");
    for (int k = 0; k < ENTRIES; k++)
        print_result(c, k);
    print_growth(c);
    const int status = write_results(&request, c);
    for (int k = 0; k < ENTRIES; k++)
        bench_sim_free(&c[k].sim);
    return status;
}
