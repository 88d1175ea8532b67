/* Constraints that are nearly dependent: a particle on two spheres whose centres are eps apart. */
#include "../model/reading.h"

#include "system/agreement.h"

#include <math.h>
#include <stdlib.h>

static const char spheres[] =
    "[parameters]\neps = 0\nu = 1\n"
    "[coordinates]\nx = { value = [\"0.6*u\", 0, \"-0.8*u\"] }\ny = 1\n"
    "[energy]\nkinetic = \"norm2(x')/2 + y'^2/2\"\npotential = \"9.81*x[3]\"\n"
    "[constraints]\n"
    "line = { holonomic = \"y - 1\" }\n"
    "rod = { holonomic = \"norm2(x)/u^2 - 1\" }\n"
    "again = { holonomic = \"norm2(x/u - eps*[0, 1, 0]) - 1 - eps^2\" }\n";

static lv_near nearly_dependent(const char *eps, const char *unit)
{
    const lv_setting set[] = {{"eps", eps}, {"u", unit}};
    lv_error err;
    lv_system *system = NULL;
    lv_model *model = read_with(spheres, set, 2);
    if (lv_system_create(&system, model, &err) != LV_OK)
        fail_with(&err);
    const lv_near near =
        lv_system_nearly_dependent(system, 0, model->start_q, model->start_v);
    lv_system_free(system);
    lv_model_free(model);
    return near;
}

/* The gradients are 2 x and 2 (x - eps e2): their difference is eps beside 0.8, in any units of length. */
static void the_remainder_of_a_combination_is_found_with_its_constraints(void **state)
{
    (void)state;
    static const char *const sizes[] = {"5e-5", "1e-5", "1e-6", "1e-7", "2e-8"};
    static const char *const units[] = {"1", "1e-3", "1e3"};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            const lv_near near = nearly_dependent(sizes[k], units[u]);
            const double expected = strtod(sizes[k], NULL) / 0.8;
            if (!(fabs(near.value - expected) <= 0.01 * expected) || near.count != 2 ||
                near.rows[0] != 1 || near.rows[1] != 2)
                fail_msg("eps = %s, u = %s: %g, not %g, of %d constraints", sizes[k],
                         units[u], near.value, expected, near.count);
        }
}

static void dependent_and_independent_constraints_are_not_meant(void **state)
{
    (void)state;
    static const char *const sizes[] = {"0", "1e-10", "1e-3", "0.5"};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (nearly_dependent(sizes[k], "1").value != 1)
            fail_msg("eps = %s", sizes[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_remainder_of_a_combination_is_found_with_its_constraints),
        RUN(dependent_and_independent_constraints_are_not_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
