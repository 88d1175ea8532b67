/* What it costs to watch a run: a step of lv_run without files, as `livens run -q` takes it, against the bare step.
 *
 *     bench_monitors [--short] [--json FILE]
 *
 * RATTLE. Both sides begin at the start of the model in every turn and take the same steps; they take turns, and
 * the best turn of each counts. The largest residuals and the largest change of the energy that a run reports must
 * be those of the states of the bare steps, each of them asked for its own. */
#include "clock.h"
#include "contest.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 20, CHECKED = 200, SHORT_STEPS = 40, LEAST_STEPS = 1000 };
static const double turn_ns = 1e7;

typedef struct race {
    const char *name, *model;
    int size;
    double step;
} race;

static const race races[] = {{"pendulum", "pendulum3d", 1, 1e-2},
                             {"four particles", "four-particles", 1, 1e-3},
                             {"chain 100", "chain", 100, 1e-4},
                             {"chain 1000", "chain", 1000, 2e-5}};
enum { RACES = sizeof races / sizeof *races };
static const double most = 1.2;

/* A race that goes on. */
typedef struct course {
    const race *race;
    bench_sim sim;
    long steps;           /* in a turn */
    double bare, watched; /* least ns per step so far */
} course;

/* ---- watched steps --------------------------------------------------------------------------- */

/* When a run was at its first step, and when it was seen last. */
typedef struct stretch {
    long long first, last; /* steps */
    double from, to;       /* ns */
} stretch;

static bool note_progress(void *user, const lv_progress *p)
{
    stretch *s = user;
    s->to = bench_nanoseconds();
    s->last = p->steps;
    if (s->first == 0) {
        s->first = p->steps;
        s->from = s->to;
    }
    return true;
}

static lv_run_summary *run(const course *c, long steps, stretch *watched)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(c->sim.model);
    request.sim.scheme = "rattle";
    request.sim.options = (lv_scheme_options){0};
    request.sim.step = c->race->step;
    request.until = (double)steps * c->race->step;
    request.progress = note_progress;
    request.user = watched;
    bench_check(lv_run(&summary, c->sim.model, &request, &err) == LV_OK, err.text,
                c->race->name, 0);
    return summary;
}

/* ---- turns --------------------------------------------------------------------------------------- */

static void time_bare(course *c)
{
    bench_sim_restart(&c->sim);
    (void)bench_sim_run(&c->sim, 1);
    const double start = bench_nanoseconds();
    (void)bench_sim_run(&c->sim, c->steps - 1);
    c->bare =
        bench_smaller(c->bare, (bench_nanoseconds() - start) / (double)(c->steps - 1));
}

static void time_watched(course *c)
{
    stretch s = {0};
    lv_run_summary_free(run(c, c->steps, &s));
    if (s.last > s.first)
        c->watched =
            bench_smaller(c->watched, (s.to - s.from) / (double)(s.last - s.first));
}

/* Holds the maxima that a run reports to those over all states of the bare steps. */
static void compare(course *c)
{
    stretch unused = {0};
    lv_run_summary *summary = run(c, CHECKED, &unused);
    const int n = lv_model_coordinate_count(c->sim.model);
    double position = 0, velocity = 0, energy = 0;
    bench_sim_restart(&c->sim);
    const double initial = lv_sim_energies(c->sim.sim).total;
    for (int k = 0; k <= CHECKED; k++) {
        double g, rate;
        if (k > 0)
            (void)bench_sim_run(&c->sim, 1);
        lv_sim_residuals(c->sim.sim, &g, &rate);
        position = fmax(position, g);
        velocity = fmax(velocity, rate);
        energy = fmax(energy, fabs(lv_sim_energies(c->sim.sim).total - initial));
    }
    const double apart = bench_distance(summary->q, lv_sim_position(c->sim.sim), n);
    const double reported = fabs(summary->position_max - position) +
                            fabs(summary->velocity_max - velocity) +
                            fabs(summary->energy.max_deviation - energy);
    bench_check(apart == 0, "a run that is watched moves otherwise", c->race->name,
                apart);
    bench_check(reported == 0, "the reported maxima are not those of all steps",
                c->race->name, reported);
    lv_run_summary_free(summary);
}

/* Limits of residuals are evaluated after 1, 2, 4, 8, ... steps: turns are long enough for these to be rare. */
static course start(const race *r, bool brief)
{
    course c = {.race = r, .steps = SHORT_STEPS, .bare = HUGE_VAL, .watched = HUGE_VAL};
    c.sim = bench_sim_create(r->model, "rattle", r->size, r->step, 0);
    compare(&c);
    time_bare(&c);
    time_watched(&c);
    c.steps = brief ? SHORT_STEPS : LEAST_STEPS + (long)(turn_ns / c.bare);
    return c;
}

/* ---- output ------------------------------------------------------------------------------------- */

static int write_results(const bench_request *request, const course *c)
{
    bench_results r = bench_results_open(request, "\"bench\": \"monitors\"");
    for (int i = 0; i < RACES; i++)
        bench_results_case(&r,
                           "\"name\": \"%s\", \"step\": %g, \"bare_ns\": %.6g, "
                           "\"watched_ns\": %.6g",
                           races[i].name, races[i].step, c[i].bare, c[i].watched);
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    static course c[RACES];
    const bench_request request = bench_request_read(argc, argv);
    for (int i = 0; i < RACES; i++)
        c[i] = start(&races[i], request.brief);
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++)
        for (int i = 0; i < RACES; i++) {
            time_bare(&c[i]);
            time_watched(&c[i]);
        }
    printf("RATTLE, ns per step       bare    watched   ratio\n");
    for (int i = 0; i < RACES; i++) {
        const double ratio = c[i].watched / c[i].bare;
        printf("%-18s %11.1f %10.1f %7.2f  goal at most %g, %s\n", races[i].name,
               c[i].bare, c[i].watched, ratio, most, ratio <= most ? "met" : "MISSED");
    }
    const int status = write_results(&request, c);
    for (int i = 0; i < RACES; i++)
        bench_sim_free(&c[i].sim);
    return status;
}
