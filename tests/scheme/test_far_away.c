/* Exact energies are exact wherever the motion is: angles with many turns in them, coordinates far away, large
 * steps; for functions of one and of several invariants. */
#include "check.h"

#include "../claims/moving.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const schemes[] = {"em", "em-g", "livens"};

/* The largest change of the energy, relative to that of the potential. */
static double energy_error(const char *text, const char *scheme, double h, int steps)
{
    lv_model *model = read_text(text);
    lv_sim *sim = start(model, &(method){scheme, 1, 0, {0}}, h);
    const double first = lv_sim_energies(sim).total;
    double most = 0;
    for (int k = 0; k < steps; k++) {
        step_times(sim, 1);
        most = fmax(most, fabs(lv_sim_energies(sim).total - first));
    }
    lv_sim_free(sim);
    lv_model_free(model);
    return most / 10;
}

/* Rounding of the coordinates, which grows with them, is all that is lost. */
static void check_everywhere(const char *rest, double h)
{
    static const int turns[] = {0, 1, 10, -100};
    char text[400];
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
        for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
            (void)snprintf(text, sizeof text, "[parameters]\nn = %d\n%s", turns[k], rest);
            const double error = energy_error(text, schemes[s], h, 1000);
            print_message("    %-6s %4d turns: %.1e\n", schemes[s], turns[k], error);
            assert_at_most(error, 3e-14 * (1 + 6.3 * abs(turns[k])));
        }
}

static void a_pendulum_keeps_its_energy_after_any_number_of_turns(void **state)
{
    (void)state;
    check_everywhere("[coordinates]\nx = { value = \"1 + 2*pi*n\" }\n"
                     "[energy]\nkinetic = \"x'^2/2\"\npotential = \"-9.81*cos(x)\"\n",
                     0.1);
}

static void functions_of_several_coordinates_do_so(void **state)
{
    (void)state;
    check_everywhere("[coordinates]\nx = { value = \"1 + 2*pi*n\" }\n"
                     "y = { value = \"0.5 + 2*pi*n\", velocity = 0.4 }\n"
                     "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
                     "potential = \"9.81*exp(-cos(x)*(1 + 0.3*cos(y)))\"\n",
                     0.05);
}

/* 10^4 steps of half a radian and more, in one direction. */
static void a_whirling_pendulum_keeps_its_energy(void **state)
{
    static const char text[] = "[coordinates]\nx = { value = 0, velocity = 12 }\n"
                               "[energy]\nkinetic = \"x'^2/2\"\n"
                               "potential = \"-9.81*cos(x)\"\n";
    (void)state;
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
        assert_at_most(energy_error(text, schemes[s], 0.1, 10000), 2e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_pendulum_keeps_its_energy_after_any_number_of_turns),
        RUN(functions_of_several_coordinates_do_so),
        RUN(a_whirling_pendulum_keeps_its_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
