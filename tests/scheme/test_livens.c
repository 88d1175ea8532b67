/* The scheme of Livens' principle: digits of another implementation, mass matrices that are
 * singular or vary, constraints beyond quadratic ones. */
#include "printed.h"
#include "watching.h"

#include "../claims/systems.h"

#include <stdlib.h>

/* ---- singular mass ----------------------------------------------------------------------------- */

typedef struct spring_row {
    const char *c; /* factor of the potential */
    int steps;     /* of 0.1 */
    double q[3], v[3], p[3];
} spring_row;

/* Specification "GGL and Livens", 11.4. */
static const spring_row spring_rows[] = {
    {"0.25",
     1,
     {0.09974887320003, 1.1997488732, -0.09937254629797},
     {0.9949774640007, 0.9949774640007, -0.9874509259595},
     {1.989954928001, 0.007526538041198, 0.007526538041198}},
    {"0.25",
     10,
     {0.798446136186, 1.898446136186, -0.5118917205055},
     {0.3974156602177, 0.3974156602177, 0.4187388911226},
     {0.7948313204355, 0.8161545513403, 0.8161545513403}},
    {"0.25",
     100,
     {0.1169993182659, 1.216999318266, -0.1844696871751},
     {0.9622973865982, 0.9622973865982, -0.6652303859035},
     {1.924594773196, 0.2970670006947, 0.2970670006947}},
    {"0.5",
     1,
     {0.09950045943454, 1.199500459435, -0.09875259217349},
     {0.9900091886907, 0.9900091886907, -0.9750518434699},
     {1.980018377381, 0.01495734522084, 0.01495734522084}},
    {"0.5",
     10,
     {0.6710451554562, 1.771045155456, -0.2219948069029},
     {0.1388385414498, 0.1388385414498, 0.9350531884488},
     {0.2776770828995, 1.073891729899, 1.073891729899}},
    {"0.5",
     100,
     {0.8698906608994, 1.969890660899, 0.3042679834336},
     {0.1776186208654, 0.1776186208654, -0.7291022481813},
     {0.3552372417308, -0.5514836273159, -0.5514836273159}},
};

static void states_agree_with_another_implementation(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof spring_rows / sizeof *spring_rows; k++) {
        const spring_row *r = &spring_rows[k];
        lv_model *model = read_shipped("mass-spring-redundant", "c", r->c);
        lv_sim *sim = start(model, &(method){"livens", 1, 0}, 0.1);
        step_times(sim, r->steps);
        double error = fmax(distance(lv_sim_position(sim), r->q, 3),
                            fmax(distance(lv_sim_velocity(sim), r->v, 3),
                                 distance(lv_sim_momentum(sim), r->p, 3)));
        print_message("    c = %-4s %3d steps: %.1e\n", r->c, r->steps, error);
        assert_at_most(error, 1e-12); /* 13 digits are printed */
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

static void a_singular_mass_matrix_keeps_everything(void **state)
{
    (void)state;
    lv_model *model = read_shipped("mass-spring-redundant", NULL, NULL);
    lv_sim *sim = start(model, &(method){"livens", 1, 0}, 0.1);
    double energy = 0, position = 0, velocity = 0, defect = 0;
    for (int k = 0; k < 1000; k++) {
        double g, hidden;
        step_once(sim);
        const double *v = lv_sim_velocity(sim), *p = lv_sim_momentum(sim);
        const double mass_times_v[3] = {2 * v[0], v[1] + v[2], v[1] + v[2]};
        lv_sim_residuals(sim, &g, &hidden);
        energy = fmax(energy, fabs(energy_of(sim) - 1));
        position = fmax(position, g);
        velocity = fmax(velocity, hidden);
        defect = fmax(defect, distance(p, mass_times_v, 3));
    }
    print_message("    E %.1e, g %.1e, G v %.1e, p - M v %.1e\n", energy, position,
                  velocity, defect);
    assert_at_most(energy, 5e-14);
    assert_at_most(position, 2e-15);
    assert_at_most(velocity, 1e-12);
    assert_at_most(defect, 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void errors_with_a_singular_mass_matrix_are_as_printed(void **state)
{
    static const struct {
        const char *c;
        double exact[2], errors[4];
    } rows[] = {
        {"0.25",
         {0.139791470904682, -0.203457909032904},
         {2.967e-2, 7.336e-3, 1.829e-3, 4.569e-4}},
        {"0.5",
         {0.887797398914337, 0.265961504885484},
         {4.229e-2, 1.044e-2, 2.598e-3, 6.488e-4}},
    };
    (void)state;
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_shipped("mass-spring-redundant", "c", rows[k].c);
        for (int i = 0; i < 4; i++) {
            double end[6];
            end_state(end, model, "livens", 10, 100 << i);
            double error = hypot(end[0] - rows[k].exact[0], end[2] - rows[k].exact[1]);
            if (!(fabs(error - rows[k].errors[i]) <= 6e-4 * rows[k].errors[i]))
                fail_msg("c = %s, halving %d: %.4e instead of %.3e", rows[k].c, i, error,
                         rows[k].errors[i]);
        }
        lv_model_free(model);
    }
}

/* ---- mass matrices that vary --------------------------------------------------------------------- */

/* Specification "GGL and Livens", 11.5. The discrete gradient of
 *
 *   T = m/2 (r'^2 + r^2 theta'^2 + r^2 sin^2(theta) phi'^2)
 *
 * is not unique. The variants whose digits are printed there apply Gonzalez' formula to T as a function of the
 * coordinates; here it is taken term by term in what T depends on, r^2 and theta: r^2 theta'^2 is quadratic in r
 * and exact, and the slopes of the last term are their means over the segment in (r^2, theta), as long as
 * neither changes by more than 1e-2 of itself in a step. In r(1) this differs from the printed variants that
 * treat V alike by 4e-8 and more for a step of 0.01. The digits below are those of a separate program
 * with 30 decimals, which gives all printed digits with their gradients put in. */
typedef struct pendulum_row {
    double step;
    int steps;
    double q[3], v[3], p[3];
} pendulum_row;

static const pendulum_row pendulum_rows[] = {
    {0.01,
     1,
     {1.0493039371813, 1.580802707709, 0.010007132013408},
     {-0.13921256373502, 1.0012761828247, 1.0014264026817},
     {-0.13921256373502, 1.102444811739, 1.1025}},
    {0.005,
     1,
     {1.0498248386127, 1.5757971297021, 0.0050008966917501},
     {-0.070064554937045, 1.0003211628743, 1.0003586767},
     {-0.070064554937045, 1.1024862147739, 1.1025}},
    {0.005,
     200,
     {1.023532544206, 2.3559760161967, 1.5413546495418},
     {0.70880000967881, 0.030964380668164, 2.1038307670164},
     {0.70880000967881, 0.032459349549587, 1.1025}},
};

static void states_of_the_spring_pendulum_agree_with_a_separate_program(void **state)
{
    static const char *const schemes[] = {"livens",
                                          "em"}; /* the same without constraints */
    (void)state;
    lv_model *model = read_shipped("spring-pendulum-spherical", NULL, NULL);
    for (size_t k = 0; k < sizeof pendulum_rows / sizeof *pendulum_rows; k++)
        for (int s = 0; s < 2; s++) {
            const pendulum_row *r = &pendulum_rows[k];
            lv_sim *sim = start(model, &(method){schemes[s], 1, 0}, r->step);
            step_times(sim, r->steps);
            double q = distance(lv_sim_position(sim), r->q, 3),
                   v = distance(lv_sim_velocity(sim), r->v, 3),
                   p = distance(lv_sim_momentum(sim), r->p, 3);
            print_message("    %-6s step %g, %3d: q %.1e, v %.1e, p %.1e\n", schemes[s],
                          r->step, r->steps, q, v, p);
            assert_true(q <= 2e-13 && p <= 2e-13);
            assert_at_most(v, 2e-12); /* alternates: rounding adds up */
            lv_sim_free(sim);
        }
    lv_model_free(model);
}

/* Errors are those of the first variant in all printed digits. */
static void errors_of_the_spring_pendulum_are_as_printed(void **state)
{
    static const double exact[3] = {1.023990836187801, 2.355977500928158,
                                    1.541337346279490};
    static const char *const printed[] = {"7.417e-3", "1.840e-3", "4.586e-4", "1.146e-4"};
    (void)state;
    lv_model *model = read_shipped("spring-pendulum-spherical", NULL, NULL);
    for (int i = 0; i < 4; i++) {
        double end[6];
        end_state(end, model, "livens", 1, 50 << i);
        double error = sqrt(pow(end[0] - exact[0], 2) + pow(end[1] - exact[1], 2) +
                            pow(end[2] - exact[2], 2));
        print_message("    error %.4e, printed %s\n", error, printed[i]);
        assert_true(as_printed(printed[i], error));
    }
    lv_model_free(model);
}

/* E(q, v, p) and p_phi to rounding; T + V moves, and p is not M v. */
static void the_spring_pendulum_keeps_energy_and_momentum(void **state)
{
    (void)state;
    lv_model *model = read_shipped("spring-pendulum-spherical", NULL, NULL);
    lv_sim *sim = start(model, &(method){"livens", 1, 0}, 0.01);
    double first = energy_of(sim), drift = 0, increment = 0, legendre = 0, turning = 0;
    assert_close(first, 1.4964843750, 1e-15);
    for (int k = 0; k < 100; k++) {
        const lv_energies before = lv_sim_energies(sim);
        step_once(sim);
        const lv_energies after = lv_sim_energies(sim);
        const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim),
                     *p = lv_sim_momentum(sim);
        const double across = q[0] * sin(q[1]);
        const double mv[3] = {v[0], q[0] * q[0] * v[1], across * across * v[2]};
        drift = fmax(drift, fabs(energy_of(sim) - first));
        increment = fmax(increment, fabs(after.kinetic + after.potential -
                                         before.kinetic - before.potential));
        legendre = fmax(legendre, distance(p, mv, 3));
        turning = fmax(turning, fabs(p[2] - 1.1025));
    }
    print_message("    E %.1e, T + V %.2e in a step, p - M v %.2e, p_phi %.1e\n", drift,
                  increment, legendre, turning);
    assert_true(drift <= 5e-13 && turning <= 7e-14);
    assert_true(as_printed("4.3e-5", increment));
    assert_true(as_printed("1.7e-4", legendre));
    lv_sim_free(sim);
    lv_model_free(model);
}

static void check_energy_and_order(const char *name, double step, int steps, double until,
                                   const double *exact, int n)
{
    lv_model *model = read_shipped(name, NULL, NULL);
    double errors[3];
    for (int i = 0; i < 3; i++) {
        double end[8];
        end_state(end, model, "livens", until, 100 << i);
        errors[i] = distance(end, exact, n);
    }
    lv_sim *sim = start(model, &(method){"livens", 1, 0}, step);
    double drift = energy_drift(sim, steps);
    print_message("    %-13s errors %.2e %.2e %.2e, E %.1e\n", name, errors[0], errors[1],
                  errors[2], drift);
    assert_at_most(fabs(log2(errors[0] / errors[1]) - 2), 0.1);
    assert_at_most(fabs(log2(errors[1] / errors[2]) - 2), 0.1);
    assert_at_most(drift, 1e-12);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void an_arm_with_a_varying_mass_matrix_keeps_its_energy(void **state)
{
    static const double exact[4] = {-0.6812062496346, -0.1101210096002, -4.475589909411,
                                    -1.394455661822};
    (void)state;
    check_energy_and_order("two-link-arm", 0.02, 500, 1, exact, 4);
}

/* Quartic: the discrete gradient of g has two invariants. */
static void a_quartic_constraint_keeps_its_energy(void **state)
{
    static const double exact[6] = {1.945889717168,  1.978517416055,    -0.6318743954577,
                                    -1.371962188426, -0.06978179986032, -1.241067029009};
    (void)state;
    check_energy_and_order("torus", 0.05, 1000, 1.6, exact, 6);
    lv_model *model = read_shipped("torus", NULL, NULL);
    lv_sim *sim = start(model, &(method){"livens", 1, 0}, 0.05);
    extremes x = watch(sim, 1000);
    print_message("    g %.1e, J %.1e\n", x.position, x.vertical);
    assert_at_most(x.position, 2e-14);
    assert_at_most(x.vertical, 1e-13);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Small motions about an equilibrium are linear, and the scheme is then the midpoint rule. */
static void small_motions_are_resolved(void **state)
{
    static const char *const sizes[] = {"1e-2", "1e-4", "1e-6", "1e-8", "1e-12"};
    static const char *const schemes[] = {"livens", "em"};
    const char text[] =
        "[parameters]\nsize = 1\n[coordinates]\nx = { value = \"size\" }\n"
        "y = { value = 0, velocity = \"size/2\" }\n"
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"
        "potential = \"-cos(x) + 2 - cos(y)*exp(x*y^2)\"\n";
    (void)state;
    for (int s = 0; s < 2; s++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            double end[4], size = atof(sizes[k]), angle = 20 * 2 * atan(0.05);
            const lv_setting setting = {"size", sizes[k]};
            lv_model *model = read_with(text, &setting, 1);
            end_state(end, model, schemes[s], 2, 20);
            double error = fmax(fabs(end[0] / size - cos(angle)),
                                fabs(end[1] / size - sin(angle) / 2));
            print_message("    %-6s %-5s %.1e\n", schemes[s], sizes[k], error);
            assert_at_most(error, 3 * size + 1e-7);
            lv_model_free(model);
        }
}

/* ---- the rest --------------------------------------------------------------------------------------- */

static void for_a_constant_mass_it_is_em_g(void **state)
{
    (void)state;
    lv_model *model = read_shipped("four-particles", NULL, NULL);
    double a[24], b[24];
    end_state(a, model, "livens", 1, 100);
    end_state(b, model, "em-g", 1, 100);
    assert_memory_equal(a, b, sizeof a);
    lv_model_free(model);
}

/* The loop a - b - c closed by a third condition that follows from the other two. */
#define LOOP                                                                             \
    "[coordinates]\n"                                                                    \
    "a = { value = [1, 0], velocity = [0, 1] }\n"                                        \
    "b = { value = [1, 1], velocity = [0, 1] }\n"                                        \
    "[energy]\n"                                                                         \
    "kinetic = \"norm2(a')/2 + norm2(b')\"\n"                                            \
    "potential = \"3*a[2] + 6*b[2] + norm2(b)^2/8\"\n"                                   \
    "[constraints]\n"                                                                    \
    "rod = { holonomic = \"(norm2(a) - 1)/2\" }\n"                                       \
    "x = { holonomic = \"b[1] - a[1]\" }\n"                                              \
    "y = { holonomic = \"b[2] - a[2] - 1\" }\n"
#define AGAIN "length = { holonomic = \"(norm2(b - a) - 1)/2\" }\n"

static void redundant_constraints_change_nothing(void **state)
{
    (void)state;
    lv_model *plain = read_text(LOOP), *redundant = read_text(LOOP AGAIN);
    double a[8], b[8];
    end_state(a, plain, "livens", 5, 100);
    end_state(b, redundant, "livens", 5, 100);
    print_message("    difference %.1e\n", distance(a, b, 8));
    assert_at_most(distance(a, b, 8), 1e-11);
    lv_sim *sim = start(redundant, &(method){"livens", 1, 0}, 0.05);
    double drift = energy_drift(sim, 1000);
    print_message("    E %.1e\n", drift);
    assert_at_most(drift, 1e-11);
    lv_sim_free(sim);
    lv_model_free(plain);
    lv_model_free(redundant);
}

/* A force in the plane of an arm whose mass matrix varies: E1 - E0 = f . dq. */
#define DAMPED_ARM                                                                       \
    "[coordinates]\n"                                                                    \
    "a = { value = 0.8, velocity = 1 }\n"                                                \
    "b = { value = 0.5, velocity = -2 }\n"                                               \
    "[energy]\n"                                                                         \
    "kinetic = \"a'^2 + (a' + b')^2/2 + cos(b)*a'*(a' + b')\"\n"                         \
    "potential = \"-9*cos(a) - 4*cos(a + b)\"\n"                                         \
    "[forces.drag]\non = \"a\"\nforce = \"-0.3*a'*b^2 + sin(2*t)\"\n"

static void forces_do_their_work_exactly_with_a_varying_mass(void **state)
{
    const double h = 0.02;
    (void)state;
    lv_model *model = read_text(DAMPED_ARM);
    lv_sim *sim = start(model, &(method){"livens", 1, 0}, h);
    double worst = 0;
    for (int k = 0; k < 500; k++) {
        double a = lv_sim_position(sim)[0], b = lv_sim_position(sim)[1];
        double t = lv_sim_time(sim) + h / 2, e = energy_of(sim);
        step_once(sim);
        double path = lv_sim_position(sim)[0] - a, z = (lv_sim_position(sim)[1] + b) / 2;
        double work = (-0.3 * path / h * z * z + sin(2 * t)) * path;
        worst = fmax(worst, fabs(energy_of(sim) - e - work));
    }
    print_message("    energy balance %.1e\n", worst);
    assert_at_most(worst, 1e-13);
    assert_at_most(fabs(measured_order(model, "livens", 2, 200) - 2), 0.1);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Two coordinates that share one mass, and one that has none. */
#define SHARED                                                                           \
    "[coordinates]\nx = 1\ny = 1\n[energy]\nkinetic = \"(x' + y')^2/2\"\n"               \
    "potential = \"x^2 + y^2\"\n"
#define WEIGHTLESS                                                                       \
    "[coordinates]\nx = 1\ny = 1\n[energy]\nkinetic = \"(2 + y^2)*y'^2\"\n"              \
    "potential = \"x^2\"\n"
#define HELD "[constraints.held]\nholonomic = \"x - y\"\n"

static void what_has_neither_mass_nor_constraint_is_refused(void **state)
{
    static const char *const loose[] = {SHARED, WEIGHTLESS};
    static const char *const held[] = {SHARED HELD, WEIGHTLESS HELD};
    (void)state;
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_text(loose[k]);
        check_refused(model, "livens", "singular mass matrix");
        check_refused(model, "em-g", "mass matri");
        lv_model_free(model);

        model = read_text(held[k]);
        lv_sim *sim = start(model, &(method){"livens", 1, 0}, 0.05);
        double drift = energy_drift(sim, 200);
        print_message("    held: E %.1e\n", drift);
        assert_at_most(drift, 1e-13);
        assert_at_most(fabs(measured_order(model, "livens", 2, 100) - 2), 0.1);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    lv_model *rolling = read_shipped("nonholonomic-particle", NULL, NULL);
    lv_model *charge = read_text(CHARGE);
    check_refused(rolling, "livens", "nonholonomic");
    check_refused(charge, "livens", "quadratic in the velocities");
    lv_model_free(rolling);
    lv_model_free(charge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(states_agree_with_another_implementation),
        RUN(a_singular_mass_matrix_keeps_everything),
        RUN(errors_with_a_singular_mass_matrix_are_as_printed),
        RUN(states_of_the_spring_pendulum_agree_with_a_separate_program),
        RUN(errors_of_the_spring_pendulum_are_as_printed),
        RUN(the_spring_pendulum_keeps_energy_and_momentum),
        RUN(an_arm_with_a_varying_mass_matrix_keeps_its_energy),
        RUN(a_quartic_constraint_keeps_its_energy),
        RUN(small_motions_are_resolved),
        RUN(for_a_constant_mass_it_is_em_g),
        RUN(redundant_constraints_change_nothing),
        RUN(forces_do_their_work_exactly_with_a_varying_mass),
        RUN(what_has_neither_mass_nor_constraint_is_refused),
        RUN(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
