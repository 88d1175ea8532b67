/* Steps of large systems learn how large rounding errors are, so that no pass looks for less. */
#include "../model/reading.h"

#include <livens/run.h>

/* Links on ball joints, let go in a horizontal line: rounding errors of their corrections are a hundred times those of points. */
static const char chain[] =
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.rod]\ncount = 60\nmass = \"1/60\"\n"
    "inertia = [\"0.09/60^3\", \"0.09/60^3\", \"0.01/60^3\"]\n"
    "position = [\"(i - 0.5)/60\", 0, 0]\nrotation = [0, \"pi/2\", 0]\n"
    "[joints.pin]\ntype = \"spherical\"\nbetween = [\"ground\", \"rod_1\"]\n"
    "at = [0, 0, 0]\n"
    "[joints.link]\nfor = \"i = 2..60\"\ntype = \"spherical\"\n"
    "between = [\"rod_{i-1}\", \"rod_i\"]\nat = [\"(i - 1)/60\", 0, 0]\n";

static lv_run_summary *run(const lv_model *model, double step, int stages)
{
    lv_error err;
    lv_run_summary *summary = NULL;
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = stages > 0 ? "lobatto" : "rattle";
    request.sim.step = step;
    request.until = 0.2;
    if (stages > 0)
        lv_scheme_option_set(&request.sim.options, LV_OPTION_STAGES, stages);
    lv_scheme_option_set(&request.sim.options, LV_OPTION_ROTATIONS,
                         stages > 0 ? 1 : 3); /* exp, exact */
    if (lv_run(&summary, model, &request, &err) != LV_OK)
        fail_with(&err);
    return summary;
}

/* The number of passes is that of steps that have converged, not of steps whose rounding errors have stopped shrinking; constraints
 * hold as before. */
static void no_pass_looks_for_less_than_rounding(void **state)
{
    (void)state;
    lv_model *model = read_text(chain);
    lv_run_summary *rattle = run(model, 1e-4, 0), *lobatto = run(model, 2e-4, 3);
    assert_at_most(rattle->newton_mean, 1.15);
    assert_at_most(rattle->position_max, 3e-15);
    assert_at_most(rattle->velocity_max, 1e-14);
    assert_at_most(lobatto->newton_mean, 1.15);
    assert_at_most(lobatto->position_max, 3e-15);
    assert_at_most(lobatto->velocity_max, 1e-14);
    lv_run_summary_free(rattle);
    lv_run_summary_free(lobatto);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pass_looks_for_less_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
