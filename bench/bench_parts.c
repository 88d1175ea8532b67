/* What machine code gains: models from parts with it and with the interpreter.
 *
 *     bench_parts [--short] [--json FILE]
 *
 * Steps of whole simulations, and evaluations of forces and constraints with their derivatives
 * alone. Both sides take turns, and the best of many turns of each counts. That they agree to the
 * last bit is tested first. */
#include "clock.h"
#include "plan/plan.h"
#include "results.h"

#include <livens/livens.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 40, LEAST = 3, STEPS_COMPARED = 20 };

/* A turn lasts about this long. */
static const double turn_ns = 5e6;

/* A square lattice of n x n beads with springs to the neighbours, the corners tied. */
static const char lattice[] = "name = 'lattice'\n"
                              "[parameters]\n"
                              "N = 20\n"
                              "[gravity]\n"
                              "acceleration = [0, 0, -9.81]\n"
                              "[particles.bead]\n"
                              "count = 'N^2'\n"
                              "mass = 0.1\n"
                              "position = ['i/N', 'sin(i)', 'cos(i)']\n"
                              "[springs.rows]\n"
                              "for = 'i = 1..N, j = 2..N'\n"
                              "between = ['bead_{(i-1)*N+j-1}', 'bead_{(i-1)*N+j}']\n"
                              "stiffness = 100\n"
                              "length = 0.9\n"
                              "[springs.columns]\n"
                              "for = 'i = 2..N, j = 1..N'\n"
                              "between = ['bead_{(i-2)*N+j}', 'bead_{(i-1)*N+j}']\n"
                              "stiffness = 100\n"
                              "length = 0.9\n"
                              "[springs.tie]\n"
                              "between = [[0, 0, 0], 'bead_1']\n"
                              "stiffness = 1000\n";

typedef struct race {
    const char *name, *text; /* NULL: the shipped model of this name */
    const char *model, *size, *scheme;
    double step;
} race;

static const race races[] = {
    {"rod-chain 2, rattle", NULL, "rod-chain", "2", "rattle", 1e-3},
    {"rod-chain 1000, rattle", NULL, "rod-chain", "1000", "rattle", 2e-5},
    {"rod-chain 1000, em", NULL, "rod-chain", "1000", "em", 2e-5},
    {"spring-net 5, rattle", NULL, "spring-net", "5", "rattle", 1e-3},
    {"spring-net 101, gauss", NULL, "spring-net", "101", "gauss", 1e-3},
    {"lattice 30x30, verlet", lattice, "lattice", "30", "verlet", 1e-4},
    {"lattice 10x10, gauss", lattice, "lattice", "10", "gauss", 1e-4},
    {"lattice 10x10, em", lattice, "lattice", "10", "em", 1e-4},
};
enum { RACES = sizeof races / sizeof *races };

/* One side of a race: with machine code, or interpreted. */
typedef struct side {
    lv_sim *sim;
    lv_plan *plan;
    double step_ns, evaluation_ns; /* least so far */
} side;

typedef struct course {
    lv_model *model;
    side sides[2]; /* interpreted, compiled */
    long steps, evaluations;
} course;

static void require(lv_status status, const lv_error *err)
{
    if (status == LV_OK)
        return;
    (void)fprintf(stderr, "bench_parts: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static void run_steps(side *s, long count)
{
    lv_error err;
    const double start = bench_nanoseconds();
    for (long k = 0; k < count; k++)
        require(lv_sim_step(s->sim, &err), &err);
    s->step_ns = bench_smaller(s->step_ns, (bench_nanoseconds() - start) / (double)count);
}

static void run_evaluations(side *s, long count)
{
    const double *q = lv_sim_position(s->sim), *v = lv_sim_velocity(s->sim);
    const lv_point point = {.q = q, .v = v, .y = q, .w = q};
    const double start = bench_nanoseconds();
    for (long k = 0; k < count; k++)
        lv_plan_run(s->plan, &point);
    s->evaluation_ns =
        bench_smaller(s->evaluation_ns, (bench_nanoseconds() - start) / (double)count);
}

static void start_side(const race *r, const lv_model *model, side *s, bool compiled)
{
    lv_error err;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = r->scheme;
    options.options = (lv_scheme_options){0};
    options.step = r->step;
    lv_native_enable(compiled);
    require(lv_sim_create(&s->sim, model, &options, &err), &err);
    require(lv_plan_create(&s->plan, model,
                           LV_WANT(MASS) | LV_WANT(MOMENTUM_Q) | LV_WANT(FORCE_Q) |
                               LV_WANT(FORCE_V) | LV_WANT(CURVATURE),
                           &err),
            &err);
    lv_native_enable(true);
    s->step_ns = HUGE_VAL;
    s->evaluation_ns = HUGE_VAL;
    run_steps(s, STEPS_COMPARED);
    run_evaluations(s, LEAST);
}

static void start(const race *r, course *c)
{
    lv_error err;
    const lv_setting setting = {"N", r->size};
    require(r->text ? lv_model_parse(&c->model, r->name, r->text, strlen(r->text),
                                     &setting, 1, &err)
                    : lv_model_read(&c->model, r->model, &setting, 1, &err),
            &err);
    for (int k = 0; k < 2; k++)
        start_side(r, c->model, &c->sides[k], k == 1);
    const size_t bytes = (size_t)lv_model_coordinate_count(c->model) * sizeof(double);
    if (memcmp(lv_sim_position(c->sides[0].sim), lv_sim_position(c->sides[1].sim),
               bytes) != 0) {
        (void)fprintf(stderr, "bench_parts: %s: results differ\n", r->name);
        exit(EXIT_FAILURE);
    }
    c->steps = LEAST + (long)(turn_ns / c->sides[0].step_ns);
    c->evaluations = LEAST + (long)(turn_ns / c->sides[0].evaluation_ns);
}

static void finish(course *c)
{
    for (int k = 0; k < 2; k++) {
        lv_plan_free(c->sides[k].plan);
        lv_sim_free(c->sides[k].sim);
    }
    lv_model_free(c->model);
}

static int write_results(const bench_request *request, const course *c)
{
    bench_results r = bench_results_open(request, "\"bench\": \"parts\"");
    for (int i = 0; i < RACES; i++)
        bench_results_case(&r,
                           "\"name\": \"%s\", \"step_ns\": %.6g, "
                           "\"interpreted_step_ns\": %.6g, \"evaluation_ns\": %.6g, "
                           "\"interpreted_evaluation_ns\": %.6g",
                           races[i].name, c[i].sides[1].step_ns, c[i].sides[0].step_ns,
                           c[i].sides[1].evaluation_ns, c[i].sides[0].evaluation_ns);
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    static course c[RACES];
    const bench_request request = bench_request_read(argc, argv);
    for (int i = 0; i < RACES; i++)
        start(&races[i], &c[i]);
    for (int turn = 0; turn < (request.brief ? 1 : TURNS); turn++)
        for (int i = 0; i < RACES; i++)
            for (int k = 0; k < 2; k++) {
                run_evaluations(&c[i].sides[k], c[i].evaluations);
                run_steps(&c[i].sides[k], c[i].steps);
            }
    printf("ns                        evaluation interpreted  ratio         step "
           "interpreted  ratio\n");
    for (int i = 0; i < RACES; i++) {
        const side *interpreted = &c[i].sides[0], *compiled = &c[i].sides[1];
        printf("%-24s %11.1f %11.1f %6.2f  %11.1f %11.1f %6.2f\n", races[i].name,
               compiled->evaluation_ns, interpreted->evaluation_ns,
               interpreted->evaluation_ns / compiled->evaluation_ns, compiled->step_ns,
               interpreted->step_ns, interpreted->step_ns / compiled->step_ns);
    }
    const int status = write_results(&request, c);
    for (int i = 0; i < RACES; i++)
        finish(&c[i]);
    return status;
}
