/* Work and the balance of energies: closed forms of the work of forces, constraints and time, and a
 * balance that converges with the order of the scheme. */
#include "../claims/moving.h"

#include <math.h>
#include <stdio.h>

static double work_of(const lv_sim *sim, const char *name)
{
    for (int k = 0; k < lv_sim_work_count(sim); k++)
        if (strcmp(lv_sim_work_name(sim, k), name) == 0)
            return lv_sim_work(sim)[k];
    fail_msg("no work is called '%s'", name);
    return 0;
}

static void go_on(lv_sim *sim, double until)
{
    lv_error err;
    if (lv_sim_advance(sim, until, &err) != LV_OK)
        fail_with(&err);
}

/* The work under a name at t = 1.5, by a scheme of high order. */
static void assert_work(const char *text, const char *name, double expected)
{
    const method m = {"lobatto", .stages = 5};
    lv_model *model = read_text(text);
    lv_sim *sim = start(model, &m, 0.05);
    go_on(sim, 1.5);
    assert_close(work_of(sim, name), expected, 1e-11);
    assert_close(lv_sim_balance(sim), 0, 1e-11);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- closed forms ------------------------------------------------------------------------------ */

static void dampers_take_energy(void **state)
{
    (void)state;
    /* v = 2 exp(-0.3 t) */
    const double expected = 2 * (exp(-2 * 0.3 * 1.5) - 1);
    assert_work("[coordinates]\nx = { value = 1, velocity = 2 }\n"
                "[energy]\nkinetic = \"x'^2/2\"\n"
                "[forces.drag]\ndissipation = \"0.15*x'^2\"\n",
                "drag", expected);
    assert_work("[coordinates]\nx = { value = 1, velocity = 2 }\n"
                "[energy]\nkinetic = \"x'^2/2\"\n"
                "[forces.drag]\non = \"x\"\nforce = \"-0.3*x'\"\n",
                "drag", expected);
    /* Two of them, at speeds 1 and 2. */
    assert_work("[coordinates]\nq = { count = 2, value = 0, velocity = \"i\" }\n"
                "[energy.free]\nfor = \"i = 1..2\"\nkinetic = \"q_i'^2/2\"\n"
                "[forces.drag]\nfor = \"i = 1..2\"\ndissipation = \"0.15*q_i'^2\"\n",
                "drag", expected / 4 + expected);
}

/* A bead on a wire that turns at the rate w: r = cosh(w t), the drive does the work w^2 sinh(w t)^2. */
static void constraints_that_move_do_work(void **state)
{
    (void)state;
    assert_work("[parameters]\nw = 0.8\n"
                "[coordinates]\nx = { value = [1, 0], velocity = [0, \"w\"] }\n"
                "[energy]\nkinetic = \"norm2(x')/2\"\n"
                "[constraints.wire]\nholonomic = \"x[2]*cos(w*t) - x[1]*sin(w*t)\"\n",
                "wire", 0.64 * pow(sinh(0.8 * 1.5), 2));
}

/* x' = t, and y moves along: the constraint accelerates both. */
static void affine_constraints_do_work(void **state)
{
    (void)state;
    assert_work("[coordinates]\nx = 1\ny = 1\n"
                "[energy]\nkinetic = \"x'^2 + y'^2/2\"\n"
                "[constraints.belt]\nnonholonomic = [\"x' - t\", \"y' - 2*x'\"]\n",
                "belt", (1 + 2) * 1.5 * 1.5);
}

/* V = -t x, x = t^3/6: E = -t^4/24. */
static void energies_that_depend_on_time_do_work(void **state)
{
    (void)state;
    const double expected = -pow(1.5, 4) / 24;
    assert_work("[coordinates]\nx = 0\n[energy]\nkinetic = \"x'^2/2\"\n"
                "[energy.field]\npotential = \"-t*x\"\n",
                "field", expected);
    assert_work("[coordinates]\nx = 0\n[energy]\nlagrangian = \"x'^2/2 + t*x\"\n",
                "energy", expected);
    assert_work("[coordinates]\nx = 0\n[energy]\nhamiltonian = \"p_x^2/2 - t*x\"\n",
                "energy", expected);
    /* T = (1 + t) v^2 / 2 with p = 1: E = p^2 / (2 (1 + t)) */
    assert_work("[coordinates]\nx = { value = 0, velocity = 1 }\n"
                "[energy]\nkinetic = \"(1 + t)*x'^2/2\"\n",
                "energy", 0.5 / 2.5 - 0.5);
}

/* A spring and its damper, a force and a constraint: one name, one account. */
static void names_are_accounts(void **state)
{
    (void)state;
    const method m = {"lobatto", .stages = 3};
    lv_model *model = read_text("[coordinates]\nx = { value = 1, velocity = 2 }\ny = 0\n"
                                "[energy.s]\nkinetic = \"x'^2/2 + y'^2/2\"\n"
                                "potential = \"sin(t)*x^2\"\n"
                                "[forces.s]\ndissipation = \"x'^2\"\n"
                                "on = \"x\"\nforce = \"t\"\n"
                                "[constraints.c]\nholonomic = \"y - x + sin(t)^2\"\n"
                                "[run]\ninitial = \"project\"\n");
    lv_sim *sim = start(model, &m, 0.01);
    assert_int_equal(lv_sim_work_count(sim), 2);
    assert_string_equal(lv_sim_work_name(sim, 0), "s");
    assert_string_equal(lv_sim_work_name(sim, 1), "c");
    assert_null(lv_sim_work_name(sim, 2));
    go_on(sim, 1);
    assert_true(fabs(lv_sim_work(sim)[0]) > 0.01);
    assert_true(fabs(lv_sim_balance(sim)) < 1e-7);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* Linear nonholonomic constraints and scleronomic ones have no account, nor have systems in which nothing does
 * work. */
static void what_does_no_work_has_no_account(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[coordinates]\nx = [1, 0]\n[energy]\nkinetic = \"norm2(x')/2\"\n"
        "[constraints.c]\nholonomic = \"norm2(x) - 1\"\n",
        "[coordinates]\nx = { value = [1, 0], velocity = [0, 1] }\nphi = 0\n"
        "[energy]\nkinetic = \"norm2(x')/2 + phi'^2\"\n"
        "[constraints.c]\nnonholonomic = \"x'[1]*cos(phi*t) - x'[2]*sin(phi*t)\"\n"
        "[run]\ninitial = \"project\"\n"};
    const method m = {"rattle", 0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        lv_model *model = read_text(texts[k]);
        lv_sim *sim = start(model, &m, 0.01);
        assert_int_equal(lv_sim_work_count(sim), 0);
        assert_null(lv_sim_work(sim));
        go_on(sim, 0.05);
        assert_true(lv_sim_balance(sim) == 0);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- orders ------------------------------------------------------------------------------------ */

static const char *const systems[] = {
    /* damped and pushed */
    "[coordinates]\nx = { value = [1, 0], velocity = [0.2, 0.5] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"norm2(x)^2/4 + x[1]\"\n"
    "[forces.drag]\ndissipation = \"0.15*norm2(x')\"\n"
    "[forces.push]\non = \"x\"\nforce = [\"cos(t)\", \"x[1]*x'[2]\"]\n",
    /* a load of position and time alone */
    "[coordinates]\nx = { value = [1, 0], velocity = [0.2, 0.5] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"norm2(x)^2/4 + x[1]\"\n"
    "[forces.load]\non = \"x[1]*x[2]\"\nforce = \"cos(2*t)\"\n",
    /* a pendulum with a driven support */
    "[coordinates]\nx = { value = [0, -1], velocity = [0.3, 0] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"4*x[2]\"\n"
    "[constraints.drive]\nholonomic = \"norm2(x - [0.3*sin(2*t)^2, 0]) - 1\"\n",
    /* a damped pendulum with a torque */
    "[coordinates]\nx = { value = [0, -1], velocity = [0.3, 0] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"4*x[2]\"\n"
    "[constraints.rod]\nholonomic = \"norm2(x) - 1\"\n"
    "[forces.drag]\ndissipation = \"0.1*norm2(x')\"\n"
    "[forces.torque]\non = \"x[1]*x'[2] - x[2]*x'[1]\"\nforce = \"sin(3*t)\"\n",
    /* a mass matrix that varies, a stiffness that does in time */
    "[coordinates]\nphi = { value = 0.3, velocity = 1 }\nr = { value = 1, velocity = "
    "-0.3 }\n"
    "[energy]\nkinetic = \"(r'^2 + r^2*phi'^2)/2\"\n"
    "[energy.spring]\npotential = \"(5 + sin(t))*(r - 1)^2 - r*cos(phi)\"\n"
    "[forces.drag]\ndissipation = \"0.1*phi'^2 + 0.05*r'^2\"\n",
    /* nonholonomic, affine: explicit for two stages */
    "[coordinates]\nx = { value = [1, 0, 0], velocity = [0, 0.7, 0.7] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"norm2(x)/2\"\n"
    "[constraints.blade]\nnonholonomic = \"x'[3] - x[1]*x'[2] + 0.3*x[2]*cos(t)\"\n",
    /* a nonholonomic constraint that is not linear */
    "[coordinates]\nx = { value = [1, 0], velocity = [1, 0] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"norm2(x)^2/8\"\n"
    "[constraints.speed]\nnonholonomic = \"norm2(x') - 1 - sin(t)^2\"\n",
    /* bodies with a motor, a spring with a damper, and a load */
    "[gravity]\nacceleration = [0, 0, -4]\n"
    "[bodies.arm]\nmass = 1\ninertia = [0.1, 0.2, 0.25]\nposition = [1, 0, 0]\n"
    "[bodies.tip]\nmass = 0.5\ninertia = [0.1, 0.12, 0.15]\nposition = [2, 0.5, 0]\n"
    "[joints.hinge]\ntype = \"revolute\"\nbetween = [\"ground\", \"arm\"]\n"
    "at = [0, 0, 0]\naxis = [0, 1, 0]\n"
    "[joints.elbow]\ntype = \"revolute\"\nbetween = [\"arm\", \"tip\"]\n"
    "at = [1.5, 0, 0]\naxis = [1, 0, 0]\n"
    "[motors.drive]\njoint = \"hinge\"\nangle = \"0.2*t^2\"\n"
    "[springs.twist]\njoint = \"elbow\"\nstiffness = 3\nlength = 0.2\ndamping = 0.1\n"
    "[loads.push]\nbody = \"tip\"\npoint = [0, 0, 0.1]\nforce = [0, \"sin(t)\", 0]\n",
};

static double largest_rest(const lv_model *model, const method *m, double step)
{
    double largest = 0;
    lv_sim *sim = start(model, m, step);
    for (int k = 1; k <= 8; k++) {
        go_on(sim, 0.25 * k);
        largest = fmax(largest, fabs(lv_sim_balance(sim)));
    }
    lv_sim_free(sim);
    return largest;
}

static void the_balance_has_the_order_of_the_scheme(void **state)
{
    (void)state;
    static const struct {
        method m;
        int order;
    } cases[] = {
        {{"rattle", 0}, 2},
        {{"lobatto", .stages = 2}, 2},
        {{"lobatto", .stages = 3}, 4},
        {{"lobatto", .stages = 4}, 6},
        {{"gauss", .stages = 1}, 2},
        {{"gauss", .stages = 2}, 4},
        {{"radau", .stages = 2}, 3},
        {{"dpg", 0}, 4},
        {{"em", 0}, 2},
        {{"em-g", 0}, 2},
        {{"vi-a", 0}, 2},
        {{"vi-b2", 0}, 2},
        {{"livens", 0}, 2},
        {{"vi-s", 0}, 1},
        {{"rattle", .compose = 4}, 4},
        {{"rattle", .compose = 6}, 6},
        {{"em", .compose = 4}, 4},
    };
    enum {
        CASES = sizeof cases / sizeof *cases,
        SYSTEMS = sizeof systems / sizeof *systems
    };
    int taken = 0;
    for (int s = 0; s < SYSTEMS; s++) {
        lv_model *model = read_text(systems[s]);
        for (int k = 0; k < CASES; k++) {
            lv_sim *sim = NULL;
            char name[METHOD_NAME];
            if (try_start(&sim, model, &cases[k].m, 0.05, NULL) != LV_OK)
                continue;
            lv_sim_free(sim);
            const double coarse = largest_rest(model, &cases[k].m, 0.05);
            const double fine = largest_rest(model, &cases[k].m, 0.025);
            const double order = log2(coarse / fine);
            if (!(order > cases[k].order - 0.35) && fine > 1e-12)
                fail_msg("system %d, %s: %g, %g: order %.2f", s,
                         method_name(&cases[k].m, name, sizeof name), coarse, fine,
                         order);
            if (fine > 0.1)
                fail_msg("system %d, case %d: the balance leaves %g", s, k, fine);
            taken++;
        }
        lv_model_free(model);
    }
    assert_true(taken >= 80);
}

/* ---- the simulation ------------------------------------------------------------------------------ */

static void a_new_state_begins_a_new_account(void **state)
{
    (void)state;
    const method m = {"em", 0};
    lv_error err;
    lv_model *model = read_text(systems[0]);
    lv_sim *sim = start(model, &m, 0.01), *other = start(model, &m, 0.01);
    go_on(sim, 1);
    const double t = lv_sim_time(sim);
    assert_int_equal(
        lv_sim_set_state(other, t, lv_sim_position(sim), lv_sim_velocity(sim), &err),
        LV_OK);
    assert_true(work_of(other, "drag") == 0 && lv_sim_balance(other) == 0);
    const double before = work_of(sim, "drag");
    go_on(sim, 2);
    go_on(other, 2);
    assert_close(work_of(other, "drag"), work_of(sim, "drag") - before, 1e-12);
    lv_sim_free(sim);
    lv_sim_free(other);
    lv_model_free(model);
}

/* The step, or one of its parts, leads to where the force has no value. */
static void failed_steps_do_no_work(void **state)
{
    (void)state;
    static const method methods[] = {{"rattle", 0}, {"rattle", .compose = 4}};
    for (int k = 0; k < 2; k++) {
        lv_model *model = read_text("[coordinates]\nx = { value = 1, velocity = -1 }\n"
                                    "[energy]\nkinetic = \"x'^2/2\"\n"
                                    "[forces.f]\non = \"x\"\nforce = \"-sqrt(x)\"\n");
        lv_sim *sim = start(model, &methods[k], 0.3);
        double before = 0;
        while (before = work_of(sim, "f"), lv_sim_step(sim, NULL) == LV_OK)
            assert_true(lv_sim_time(sim) < 10);
        assert_true(work_of(sim, "f") == before && before != 0);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(dampers_take_energy),
        RUN(constraints_that_move_do_work),
        RUN(affine_constraints_do_work),
        RUN(energies_that_depend_on_time_do_work),
        RUN(names_are_accounts),
        RUN(what_does_no_work_has_no_account),
        RUN(the_balance_has_the_order_of_the_scheme),
        RUN(a_new_state_begins_a_new_account),
        RUN(failed_steps_do_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
