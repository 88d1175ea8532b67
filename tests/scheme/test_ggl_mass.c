/* The GGL schemes where the mass matrix varies, and em where constraints are of higher degree. Orders and
 * the symplectic form on such systems are in tests/claims. */
#include "watching.h"

#include "../claims/systems.h"

enum { MOST = 16 };

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

static double hidden_of(lv_sim *sim)
{
    double v[MOST];
    lv_watch w;
    lv_error err;
    const lv_state *s = &sim->state;
    memcpy(v, s->v, (size_t)sim->system->n * sizeof *v);
    if (lv_system_velocity(sim->system, v, s->t, s->q, s->p, &err) != LV_OK)
        fail_with(&err);
    lv_system_watch(sim->system, &w, s->t, s->q, v, s->p);
    return w.velocity;
}

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
        x.hidden = fmax(x.hidden, hidden_of(sim));
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
        assert_true(x.momentum <= 2e-13);
        assert_true(!ends || x.position <= 1e-15);
        assert_true(!exact || (x.energy <= 2e-13 && x.hidden <= 2e-13));
        assert_true(x.energy <= 0.1);
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
        assert_true(fabs(log2(a / b) - (first ? 1 : 2)) <= 0.1);
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
        assert_true(x.most - x.least <= 1e-13);
        assert_true(x.position <= 1.5e-14 && x.hidden <= 2e-13);
        assert_true(x.vertical <= 1e-13);
        assert_true(fabs(order - 2) <= 0.05);
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
        assert_true(distance(a, b, 6) <= 2e-11);
    }
    lv_model_free(constant);
    lv_model_free(varying);
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
        RUN(domain_errors_show_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
