/* The GGL schemes where the mass matrix varies, and em where constraints are of higher degree. Orders and
 * the symplectic form on such systems are in tests/claims. */
#include "watching.h"

#include "../claims/momenta.h"
#include "../claims/systems.h"

static const char *const all[] = {"vi-s", "vi-a", "vi-b", "vi-b2", "em"};
enum { ALL = sizeof all / sizeof *all };

/* A particle in spherical coordinates on a surface of revolution: r and theta are coupled, phi does not
 * occur. */
#define SURFACE                                                                          \
    "[coordinates]\n"                                                                    \
    "r = { value = 1.3, velocity = 0 }\n"                                                \
    "theta = { value = \"pi/2\", velocity = 0.5 }\n"                                     \
    "phi = { value = 0.2, velocity = 1.1 }\n"                                            \
    "[energy]\n"                                                                         \
    "kinetic = \"(r'^2 + r^2*theta'^2 + r^2*sin(theta)^2*phi'^2)/2\"\n"                  \
    "potential = \"-2*r*cos(theta)\"\n"                                                  \
    "[constraints.surface]\n"                                                            \
    "holonomic = \"r - 1 - 0.3*sin(theta)\"\n"                                           \
    "[symmetries.axis]\n"                                                                \
    "on = [\"phi\"]\n"                                                                   \
    "generator = [\"1\"]\n"                                                              \
    "[run]\n"                                                                            \
    "initial = \"project\"\n"

/* Largest |G M^-1 p + g_t| at the nodes of some steps, and the extremes of the energy. */
typedef struct kept {
    double energy, position, hidden, momentum;
} kept;

static kept run(const lv_model *model, const char *scheme, double step, int steps)
{
    lv_sim *sim = start(model, &(method){scheme, 1, 0, {0}}, step);
    kept x = {0, 0, 0, 0};
    double energy = energy_of(sim), p = lv_sim_momentum(sim)[2];
    for (int k = 0; k < steps; k++) {
        double g, rate;
        step_once(sim);
        lv_sim_residuals(sim, &g, &rate);
        x.energy = fmax(x.energy, fabs(energy_of(sim) - energy));
        x.position = fmax(x.position, g);
        x.hidden = fmax(x.hidden, watch_momenta(sim).velocity);
        x.momentum = fmax(x.momentum, fabs(lv_sim_momentum(sim)[2] - p));
    }
    lv_sim_free(sim);
    return x;
}

static void momenta_of_coordinates_that_do_not_occur_are_kept(void **state)
{
    (void)state;
    lv_model *model = read_text(SURFACE);
    for (int s = 0; s < ALL; s++) {
        const kept x = run(model, all[s], 0.02, 1000);
        bool ends = strcmp(all[s], "vi-a") != 0, exact = strcmp(all[s], "em") == 0;
        print_message("    %-6s E %.1e, g %.1e, G v %.1e, p_phi %.1e\n", all[s], x.energy,
                      x.position, x.hidden, x.momentum);
        assert_at_most(x.momentum, 2e-13);
        assert_true(!ends || x.position <= 1e-15);
        assert_true(!exact || (x.energy <= 2e-13 && x.hidden <= 2e-13));
        assert_at_most(x.energy, 0.1);
    }
    lv_model_free(model);
}

/* Against another scheme with small steps. */
static void varying_masses_are_integrated_with_the_right_order(void **state)
{
    (void)state;
    lv_model *model = read_text(SURFACE);
    for (int s = 0; s < ALL; s++) {
        double exact[6], coarse[6], fine[6];
        end_state(exact, model, "livens", 1, 8000);
        end_state(coarse, model, all[s], 1, 200);
        end_state(fine, model, all[s], 1, 400);
        double a = distance(coarse, exact, 6), b = distance(fine, exact, 6);
        bool first = strcmp(all[s], "vi-s") == 0 || strcmp(all[s], "vi-b") == 0;
        print_message("    %-6s %.2e %.2e, order %.2f\n", all[s], a, b, log2(a / b));
        assert_at_most(fabs(log2(a / b) - (first ? 1 : 2)), 0.1);
    }
    lv_model_free(model);
}

/* A constraint of fourth degree (torus) and one that is no polynomial (a rod written with a root). */
#define ROOT                                                                             \
    "[coordinates]\nq = { value = [0.6, 0, -0.8], velocity = [0.4, 1, 0.3] }\n"          \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[3]\"\n"                   \
    "[constraints.rod]\nholonomic = \"sqrt(norm2(q)) - 1\"\n"                            \
    "[symmetries.axis]\non = [\"q\"]\ngenerator = [\"cross([0, 0, 1], q)\"]\n"

static void constraints_of_any_degree_are_kept_with_energy_and_momentum(void **state)
{
    const char *const texts[] = {TORUS, ROOT};
    const double steps[] = {0.1, 0.02};
    (void)state;
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_text(texts[k]);
        lv_sim *sim = start(model, &(method){"em", 1, 0, {0}}, steps[k]);
        extremes x = watch(sim, 1000);
        double order = measured_order(model, "em", 1.6, 40);
        print_message("    E %.1e, g %.1e, G v %.1e, J3 %.1e, order %.2f\n",
                      x.most - x.least, x.position, x.hidden, x.vertical, order);
        assert_at_most(x.most - x.least, 1e-13);
        assert_true(x.position <= 1.5e-14 && x.hidden <= 2e-13);
        assert_at_most(x.vertical, 1e-13);
        assert_at_most(fabs(order - 2), 0.05);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* The two forms of em agree where both apply: a constant mass that hides behind a formula of q. */
#define HIDDEN_MASS                                                                      \
    "[coordinates]\nq = { value = [1, 0, 0], velocity = [0, 1, 0] }\n"                   \
    "[energy]\nkinetic = \"(1 + 0*sin(q[1]))*norm2(q')/2\"\npotential = \"9.81*q[3]\"\n" \
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"
#define SLOW_MASS                                                                        \
    "[coordinates]\nq = { value = [1, 0, 0], velocity = [0, 1, 0] }\n"                   \
    "[energy]\nkinetic = \"(1 + 1e-13*sin(q[1]))*norm2(q')/2\"\n"                        \
    "potential = \"9.81*q[3]\"\n"                                                        \
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"                              \
    "[run]\ninitial = \"project\"\n"

static void a_mass_that_hardly_varies_is_a_constant_one(void **state)
{
    (void)state;
    lv_model *constant = read_text(HIDDEN_MASS), *varying = read_text(SLOW_MASS);
    for (int s = 0; s < ALL; s++) {
        double a[6], b[6];
        end_state(a, constant, all[s], 2, 40);
        end_state(b, varying, all[s], 2, 40);
        print_message("    %-6s %.1e\n", all[s], distance(a, b, 6));
        assert_at_most(distance(a, b, 6), 2e-11);
    }
    lv_model_free(constant);
    lv_model_free(varying);
}

/* Beads on a wave, each of which shares mass with the next, so that their coordinates are one block of the mass
 * matrix: small ones have their inverse, large ones do not. */
#define BEADS_START                                                                      \
    "[parameters]\nN = 5\n[coordinates]\n"                                               \
    "x = { count = \"N\", value = [\"i\", \"0.3*sin(i)\"], "                             \
    "velocity = [\"cos(i)\", \"0.3*cos(i)^2\"] }\n"                                      \
    "[energy.coupling]\nfor = \"i = 2..N\"\n"                                            \
    "kinetic = \"0.2*dot(x_i', x_{i-1}')\"\n"                                            \
    "potential = \"(norm2(x_i - x_{i-1}) - 1)^2/4\"\n"                                   \
    "[energy.beads]\nfor = \"i = 1..N\"\npotential = \"x_i[2] + x_i[2]^4\"\n"
#define CONSTANT "kinetic = \"norm2(x_i')/2\"\n"
#define VARYING "kinetic = \"(1 + 0.3*cos(x_i[1]))*norm2(x_i')/2\"\n"
#define WAVE                                                                             \
    "[constraints.wave]\nfor = \"i = 1..N\"\n"                                           \
    "holonomic = \"x_i[2] - 0.3*sin(x_i[1])\"\n"

enum { BEADS = 70 }; /* as many coordinates in a block; more than 64 make a large one */

static double error_of(const lv_model *model, const char *scheme, int steps,
                       const double *exact)
{
    double end[4 * BEADS];
    end_state(end, model, scheme, 0.5, steps);
    return distance(end, exact, 4 * BEADS);
}

static void assert_large_blocks(const lv_model *model)
{
    lv_sim *sim = start(model, &(method){"livens", 1, 0}, 0.01);
    assert_null(lv_saddle_schur(sim->system->saddle));
    lv_sim_free(sim);
}

static void masses_of_large_blocks_are_taken(void **state)
{
    static const char *const texts[] = {BEADS_START CONSTANT WAVE,
                                        BEADS_START VARYING WAVE};
    const lv_setting many = {"N", "70"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_with(texts[k], &many, 1);
        double exact[4 * BEADS];
        lv_sim *sim = start(model, &(method){"lobatto", 3, 0}, 0.005);
        assert_large_blocks(model);
        step_times(sim, 100);
        memcpy(exact, lv_sim_position(sim), 2 * BEADS * sizeof *exact);
        memcpy(exact + 2 * BEADS, lv_sim_momentum(sim), 2 * BEADS * sizeof *exact);
        lv_sim_free(sim);
        for (int s = 0; s < ALL; s++) {
            double a = error_of(model, all[s], 40, exact),
                   b = error_of(model, all[s], 80, exact);
            bool first = strcmp(all[s], "vi-s") == 0 || strcmp(all[s], "vi-b") == 0;
            print_message("    %-6s %.2e %.2e, order %.2f\n", all[s], a, b, log2(a / b));
            assert_at_most(fabs(log2(a / b) - (first ? 1 : 2)), 0.15);
        }
        sim = start(model, &(method){"em", 1, 0}, 0.02);
        double drift = energy_drift(sim, 500), g, rate;
        lv_sim_residuals(sim, &g, &rate);
        print_message("    em: E %.1e, g %.1e\n", drift, g);
        assert_true(drift <= 1e-10 && g <= 1e-14);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* The matrix has other unknowns with large blocks; the steps are the same: 5 beads, and the same 5 with many
 * that are far away and weigh next to nothing. */
static void large_blocks_change_nothing(void **state)
{
    const lv_setting many = {"N", "70"};
    const char text[] =
        "[parameters]\nN = 5\n[coordinates]\n"
        "x = { count = \"N\", value = [\"i\", \"0.3*sin(i)\"], "
        "velocity = [\"cos(i)\", \"0.3*cos(i)^2\"] }\n"
        "[energy.coupling]\nfor = \"i = 2..N\"\n"
        "kinetic = \"if(i > 5, 1e-12, 0.2)*dot(x_i', x_{i-1}')\"\n"
        "[energy.beads]\nfor = \"i = 1..N\"\npotential = \"x_i[2] + x_i[2]^4\"\n" VARYING
            WAVE;
    (void)state;
    lv_model *few = read_text(text), *large = read_with(text, &many, 1);
    assert_large_blocks(large);
    for (int s = 0; s < ALL; s++) {
        double a[20], b[4 * BEADS];
        end_state(a, few, all[s], 1, 50);
        end_state(b, large, all[s], 1, 50);
        print_message("    %-6s %.1e\n", all[s], distance(a, b, 10));
        assert_at_most(distance(a, b, 10), 1e-9);
    }
    lv_model_free(few);
    lv_model_free(large);
}

/* A formula without a value is shown, whichever form the equations have. */
static void domain_errors_show_the_formula(void **state)
{
    static const char *const schemes[] = {"vi-s", "vi-a", "vi-b",  "vi-b2",
                                          "em",   "em-g", "livens"};
    const char *const texts[] = {
        "[coordinates]\nx = { value = 0.5, velocity = -0.5 }\n"
        "[energy]\nkinetic = \"x'^2/2\"\npotential = \"-0.1*x*sqrt(x)\"\n",
        "[coordinates]\nx = { value = 0.5, velocity = -0.5 }\n"
        "[energy]\nkinetic = \"x'^2/2\"\n"
        "[forces.pull]\non = \"x\"\nforce = \"0.1*sqrt(x)\"\n"};
    (void)state;
    for (int k = 0; k < 2; k++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
            lv_error err;
            lv_model *model = read_text(texts[k]);
            lv_sim *sim = start(model, &(method){schemes[s], 1, 0, {0}}, 0.03);
            lv_status status = LV_OK;
            lv_error_clear(&err);
            for (int i = 0; i < 50 && status == LV_OK; i++)
                status = lv_sim_step(sim, &err);
            if (status != LV_ERR_DOMAIN || !strstr(err.text, "sqrt(-0.0"))
                fail_msg("%s, %d: %s", schemes[s], k, err.text);
            lv_sim_free(sim);
            lv_model_free(model);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(momenta_of_coordinates_that_do_not_occur_are_kept),
        RUN(varying_masses_are_integrated_with_the_right_order),
        RUN(constraints_of_any_degree_are_kept_with_energy_and_momentum),
        RUN(a_mass_that_hardly_varies_is_a_constant_one),
        RUN(masses_of_large_blocks_are_taken),
        RUN(large_blocks_change_nothing),
        RUN(domain_errors_show_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
