/* What it costs to control: steps of the cart and its pole with lv_sim_set_input before each, against bare steps.
 *
 *     bench_inputs [--short] [--json FILE]
 *
 * Both sides begin at the start of the model in every turn, take turns, and the best turn of each counts. The pole must
 * stand in the end. */
#include "clock.h"
#include "results.h"

#include <livens/livens.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 200, SHORT_TURNS = 2, STEPS = 1000 };
static const char *const schemes[] = {"lobatto", "gauss", "em", "rattle"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };
static const double most = 1.1;

typedef struct course {
    lv_sim *sim;
    double *start;
    double bare, controlled; /* least ns per step so far */
} course;

static double feedback(const lv_sim *sim)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    return 3.262 * q[0] + 38.42 * q[1] + 4.893 * v[0] + 8.446 * v[1];
}

static course begin(const lv_model *model, const char *scheme)
{
    lv_error err;
    course c = {.bare = HUGE_VAL, .controlled = HUGE_VAL};
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    bench_check(lv_sim_create(&c.sim, model, &options, &err) == LV_OK, err.text, scheme,
                0);
    const int count = lv_sim_save_count(c.sim);
    c.start = malloc((size_t)count * sizeof *c.start);
    bench_check(c.start && lv_sim_save(c.sim, c.start, count, &err) == LV_OK,
                "no start to go back to", scheme, 0);
    return c;
}

static double time_steps(const course *c, bool control, const char *scheme)
{
    lv_error err;
    lv_status status = lv_sim_restore(c->sim, c->start, lv_sim_save_count(c->sim), &err);
    const double from = bench_nanoseconds();
    for (int k = 0; k < STEPS && status == LV_OK; k++) {
        const double force = feedback(c->sim);
        if (control)
            status = lv_sim_set_input(c->sim, "force", &force, 1, &err);
        if (status == LV_OK)
            status = lv_sim_step(c->sim, &err);
    }
    const double ns = (bench_nanoseconds() - from) / STEPS;
    bench_check(status == LV_OK, err.text, scheme, 0);
    const double angle = fabs(lv_sim_position(c->sim)[1]);
    bench_check(!control || angle < 1e-3, "the pole has fallen", scheme, angle);
    return ns;
}

int main(int argc, char **argv)
{
    lv_error err;
    lv_model *model = NULL;
    const bench_request request = bench_request_read(argc, argv);
    bench_check(lv_model_read(&model, "cart-pole", NULL, 0, &err) == LV_OK, err.text,
                "cart-pole", 0);
    bench_results results = bench_results_open(&request, "\"bench\": \"inputs\"");
    printf("cart-pole, ns per step    bare  controlled   ratio\n");
    for (int s = 0; s < SCHEMES; s++) {
        course c = begin(model, schemes[s]);
        for (int turn = 0; turn < (request.brief ? SHORT_TURNS : TURNS); turn++) {
            c.bare = bench_smaller(c.bare, time_steps(&c, false, schemes[s]));
            c.controlled = bench_smaller(c.controlled, time_steps(&c, true, schemes[s]));
        }
        const double ratio = c.controlled / c.bare;
        printf("%-18s %11.1f %11.1f %7.2f  goal at most %g, %s\n", schemes[s], c.bare,
               c.controlled, ratio, most, ratio <= most ? "met" : "MISSED");
        bench_results_case(&results,
                           "\"name\": \"%s\", \"bare_ns\": %.6g, \"controlled_ns\": %.6g",
                           schemes[s], c.bare, c.controlled);
        lv_sim_free(c.sim);
        free(c.start);
    }
    lv_model_free(model);
    return bench_results_close(&results);
}
