/* The reference of orders, against motions in closed form. */
#include "../claims/moving.h"

#include "run/sim.h"
#include "study/extrapolation.h"

/* Where the reference of a model is after `until`, in so many steps. */
static void run(const char *text, double until, int steps, double *q, double *p)
{
    lv_model *model = read_text(text);
    const method m = {"lobatto", 2, 0};
    lv_sim *sim = start(model, &m, 0.01);
    lv_extrapolation r = {0};
    lv_error err;
    if (lv_extrapolation_init(&r, sim->system, &sim->state, &err) != LV_OK ||
        lv_extrapolation_run(&r, until, steps, &err) != LV_OK)
        fail_with(&err);
    lv_extrapolation_state(&r, q, NULL, p);
    lv_extrapolation_done(&r);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Mass 2, frequency 3, pushed by 2 sin t: x = a sin t + b sin 3 t + c cos 3 t. */
static void a_driven_oscillator_is_right(void **state)
{
    (void)state;
    double q, p;
    run("[coordinates]\nx = { value = 0.5, velocity = 0.2 }\n"
        "[energy]\nkinetic = \"x'^2\"\npotential = \"9*x^2 - 2*x*sin(t)\"\n",
        2.5, 20, &q, &p);
    const double a = 1.0 / 8, b = (0.2 - a) / 3, c = 0.5, t = 2.5;
    const double x = a * sin(t) + b * sin(3 * t) + c * cos(3 * t),
                 v = a * cos(t) + 3 * b * cos(3 * t) - 3 * c * sin(3 * t);
    assert_below(fabs(q - x), 1e-14);
    assert_below(fabs(p - 2 * v), 1e-13);
}

/* A bead on a circle, without forces: constraints are kept by accelerations alone. */
static void a_bead_stays_on_its_circle(void **state)
{
    (void)state;
    double q[2], p[2];
    run("[coordinates]\nx = { value = [1, 0], velocity = [0, 1.5] }\n"
        "[energy]\nkinetic = \"norm2(x')/2\"\n"
        "[constraints.rod]\nholonomic = \"norm2(x) - 1\"\n",
        4, 40, q, p);
    assert_below(fabs(q[0] - cos(6)), 1e-13);
    assert_below(fabs(q[1] - sin(6)), 1e-13);
    assert_below(fabs(p[0] + 1.5 * sin(6)), 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_driven_oscillator_is_right),
        RUN(a_bead_stays_on_its_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
