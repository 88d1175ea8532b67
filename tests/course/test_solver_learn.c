/* Steps of large systems learn how large rounding errors are, so that no pass looks for less. */
#include "../model/reading.h"

#include <livens/run.h>

/* Links on ball joints, let go in a horizontal line: rounding errors of their corrections are a hundred times those of points. */
static const char chain[] =
    "[parameters]\nN = %d\n[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[bodies.rod]\ncount = \"N\"\nmass = \"1/N\"\n"
    "inertia = [\"0.09/N^3\", \"0.09/N^3\", \"0.01/N^3\"]\n"
    "position = [\"(i - 0.5)/N\", 0, 0]\nrotation = [0, \"pi/2\", 0]\n"
    "[joints.pin]\ntype = \"spherical\"\nbetween = [\"ground\", \"rod_1\"]\n"
    "at = [0, 0, 0]\n"
    "[joints.link]\nfor = \"i = 2..N\"\ntype = \"spherical\"\n"
    "between = [\"rod_{i-1}\", \"rod_i\"]\nat = [\"(i - 1)/N\", 0, 0]\n";

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

/* Constraints hold to rounding. Returns the passes of a step. */
static double passes_of(const lv_model *model, double step, int stages)
{
    lv_run_summary *summary = run(model, step, stages);
    const double passes = summary->newton_mean;
    assert_at_most(summary->position_max, 3e-15);
    assert_at_most(summary->velocity_max, 1e-14);
    lv_run_summary_free(summary);
    return passes;
}

/* The number of passes is that of steps that have converged, not of steps whose rounding errors have stopped shrinking. How good
 * guesses are is a matter of rounding as well: of several chains one may take more. */
static void no_pass_looks_for_less_than_rounding(void **state)
{
    (void)state;
    enum { CHAINS = 3 };
    double rattle = 0, lobatto = 0;
    for (int k = 0; k < CHAINS; k++) {
        char text[1000];
        snprintf(text, sizeof text, chain, 50 + 10 * k);
        lv_model *model = read_text(text);
        rattle += passes_of(model, 1e-4, 0) / CHAINS;
        lobatto += passes_of(model, 2e-4, 3) / CHAINS;
        lv_model_free(model);
    }
    assert_at_most(rattle, 1.15);
    assert_at_most(lobatto, 1.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pass_looks_for_less_than_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
