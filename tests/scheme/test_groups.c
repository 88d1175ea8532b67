/* Bodies on groups against end states and integrals that are known. */
#include "cli/reproduce/group_rows.h"
#include "groups.h"

/* ---- a free body -------------------------------------------------------------------------------------------- */

/* Its centre of mass stays where it is. */
static const char free_body[] = "[bodies.b]\n"
                                "mass = 1\n"
                                "inertia = [1, 2, 3]\n"
                                "position = [0, 0, 0]\n"
                                "pivot = [0, 0, 0]\n"
                                "angular_velocity = [0.4, 1.1, 0.3]\n";

static const char heavy_top[] = "[gravity]\n"
                                "acceleration = [0, 0, -9.81]\n"
                                "[bodies.top]\n"
                                "mass = 15\n"
                                "inertia = [0.234375, 0.46875, 0.234375]\n"
                                "position = [0, 1, 0]\n"
                                "pivot = [0, -1, 0]\n"
                                "angular_velocity = [0, 150, -4.61538]\n";

static const char jointed_top[] = "[gravity]\n"
                                  "acceleration = [0, 0, -9.81]\n"
                                  "[bodies.top]\n"
                                  "mass = 15\n"
                                  "inertia = [0.234375, 0.46875, 0.234375]\n"
                                  "position = [0, 1, 0]\n"
                                  "velocity = [4.61538, 0, 0]\n"
                                  "angular_velocity = [0, 150, -4.61538]\n"
                                  "[joints.tip]\n"
                                  "type = \"spherical\"\n"
                                  "between = [\"ground\", \"top\"]\n"
                                  "at = [0, 0, 0]\n";

/* The largest errors of rotation and angular velocity. */
typedef struct errors {
    double R, w;
} errors;

static errors run_row(const lv_model *model, const group_row *row, double step, int steps)
{
    const method m = on_group(row->scheme, row->stages, row->cay);
    lv_sim *sim = start(model, &m, step);
    double w[3];
    errors e = {0, 0};
    step_times(sim, steps);
    const double *axes = lv_sim_position(sim);
    for (int r = 0; r < 3; r++)
        e.R = fmax(e.R, row_off(axes, r, row->R + (ptrdiff_t)3 * r));
    angular_velocity(w, axes, lv_sim_velocity(sim));
    e.w = off(w, row->w, 3);
    lv_sim_free(sim);
    return e;
}

static void check_rows(const char *text, const group_row *rows, size_t count, double step,
                       int steps, errors bound)
{
    lv_model *model = read_text(text);
    errors worst = {0, 0};
    assert_int_equal(count, 12);
    assert_int_equal(lv_model_coordinate_count(model), 9);
    for (size_t k = 0; k < count; k++) {
        const errors e = run_row(model, &rows[k], step, steps);
        if (!(e.R <= bound.R && e.w <= bound.w))
            fail_msg("%s %d %s: R off by %.2e, angular velocity by %.2e", rows[k].scheme,
                     rows[k].stages, rows[k].cay ? "cay" : "exp", e.R, e.w);
        worst = (errors){fmax(worst.R, e.R), fmax(worst.w, e.w)};
    }
    print_message("    R off by %.1e, angular velocity by %.1e\n", worst.R, worst.w);
    lv_model_free(model);
}

static void a_free_body_ends_where_it_should(void **state)
{
    (void)state;
    check_rows(free_body, free_rows, sizeof free_rows / sizeof *free_rows, 0.05, 80,
               (errors){1e-12, 1e-12});
}

static void a_heavy_top_about_its_tip_ends_where_it_should(void **state)
{
    (void)state;
    check_rows(heavy_top, top_rows, sizeof top_rows / sizeof *top_rows, 1e-3, 100,
               (errors){1e-12, 1e-11});
}

/* The force of the joint is that on the top; multipliers of the last stage amplify rounding by 1/h. */
static void a_heavy_top_on_a_joint_ends_where_it_should(void **state)
{
    (void)state;
    lv_model *model = read_text(jointed_top);
    assert_int_equal(sizeof joint_rows / sizeof *joint_rows, 4);
    for (int k = 0; k < 4; k++) {
        const joint_row *row = &joint_rows[k];
        const method m = on_group("lobatto", row->stages, row->cay);
        double w[3];
        lv_sim *sim = start(model, &m, 1e-3);
        step_times(sim, 100);
        const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
        angular_velocity(w, q + 3, v + 3);
        const double e[] = {off(q, row->x, 3), row_off(q + 3, 0, row->first),
                            row_off(q + 3, 2, row->third), off(v, row->v, 3),
                            off(w, row->w, 3)};
        print_message("    %d %s: %.1e %.1e %.1e %.1e %.1e\n", row->stages,
                      row->cay ? "cay" : "exp", e[0], e[1], e[2], e[3], e[4]);
        for (int i = 0; i < 5; i++)
            assert_at_most(e[i], i < 3 ? 1e-12 : 1e-11);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

static double slope(double coarse, double fine)
{
    return log2(coarse / fine);
}

/* The error of a free body at t = 4. */
static double free_error(const lv_model *model, const method *m, int steps)
{
    group_row row = {m->scheme, m->stages, m->more.value[LV_OPTION_ROTATIONS] == 2};
    memcpy(row.R, free_exact, sizeof row.R);
    memcpy(row.w, free_exact + 9, sizeof row.w);
    const errors e = run_row(model, &row, 4.0 / steps, steps);
    return fmax(e.R, e.w);
}

static void a_free_body_has_the_order_of_its_scheme(void **state)
{
    (void)state;
    lv_model *model = read_text(free_body);
    for (int k = 0; k < 12; k++) {
        const bool gauss = k < 6;
        const int stages = (k % 6) / 2 + (gauss ? 1 : 2),
                  order = gauss ? 2 * stages : 2 * stages - 2;
        const method m = on_group(gauss ? "gauss" : "lobatto", stages, k % 2 == 0);
        const double coarse = free_error(model, &m, 20), fine = free_error(model, &m, 40);
        if (!(fabs(slope(coarse, fine) - order) <= 0.15))
            fail_msg("%s %d %s: %.2e, %.2e, order %.2f", m.scheme, stages,
                     k % 2 == 0 ? "cay" : "exp", coarse, fine, slope(coarse, fine));
    }
    lv_model_free(model);
}

/* The spatial momentum is what is carried: it moves by rounding alone. */
static void a_free_body_keeps_its_momentum_for_a_million_steps(void **state)
{
    (void)state;
    static const double J[] = {1, 2, 3};
    lv_model *model = read_text(free_body);
    const method m = on_group("gauss", 1, false);
    lv_sim *sim = start(model, &m, 0.1);
    double L[3], worst = 0;
    const double first[] = {0.4, 2.2, 0.9};
    for (int k = 0; k < (SLOW ? 20 : 1000); k++) {
        step_times(sim, 1000);
        spatial_momentum(L, J, lv_sim_position(sim), lv_sim_velocity(sim));
        worst = fmax(worst, off(L, first, 3));
    }
    print_message("    %lld steps: %.1e\n", lv_sim_steps(sim), worst);
    assert_at_most(worst, 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- a ball on a turntable -------------------------------------------------------------------------------------- */

/* Radius 1/2, table rate 1.2; nothing acts along the third axis, which stays 0. J = r^2 (a, b, c). */
#define BALL(J)                                                                          \
    "[parameters]\nr = 0.5\nW = 1.2\n"                                                   \
    "[bodies.b]\nmass = 1\ninertia = " J "\nposition = [0.3, -0.2, 0]\n"                 \
    "rotation = [0.2, -0.5, 0.4]\nvelocity = [0.04, 0.06, 0]\n"                          \
    "spin = [0.6, -0.4, 0.9]\n"                                                          \
    "[constraints.roll]\n"                                                               \
    "nonholonomic = [\"b'[1] + W*b[2] - r*b.spin[2]\", "                                 \
    "\"b'[2] - W*b[1] + r*b.spin[1]\"]\n"

static const char even[] = BALL("[0.1, 0.1, 0.1]"),
                  uneven[] = BALL("[0.075, 0.1, 0.125]");
static const double even_J[] = {0.1, 0.1, 0.1}, uneven_J[] = {0.075, 0.1, 0.125};

/* K = R J w + r e3 x v and the moving energy. */
static void find_integrals(double K[3], double *energy, lv_sim *sim, const double J[3])
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    spatial_momentum(K, J, q + 3, v + 3);
    K[0] -= 0.5 * v[1];
    K[1] += 0.5 * v[0];
    *energy = lv_sim_energies(sim).kinetic - 1.2 * (q[0] * v[1] - q[1] * v[0]);
}

/* Differences of the end state: first row of R, position, body momentum, velocity, multipliers. */
static void compare_ball(double e[5], lv_sim *sim, const ball_row *row)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    double w[3];
    angular_velocity(w, q + 3, v + 3);
    for (int k = 0; k < 3; k++)
        w[k] *= uneven_J[k];
    e[0] = row_off(q + 3, 0, row->first);
    e[1] = off(q, row->x, 2);
    e[2] = off(w, row->momentum, 3);
    e[3] = off(v, row->v, 2);
    e[4] = off(lv_sim_carried_multipliers(sim), row->lambda, 2);
}

static void a_ball_on_a_turntable_ends_where_it_should(void **state)
{
    (void)state;
    lv_model *model = read_text(uneven);
    assert_int_equal(sizeof ball_rows / sizeof *ball_rows, 5);
    for (int k = 0; k < 5; k++) {
        const ball_row *row = &ball_rows[k];
        const method m = on_group("lobatto", row->stages, row->cay);
        lv_sim *sim = start(model, &m, 0.05);
        double K[3], first[3], unused, e[5], worst = 0;
        find_integrals(first, &unused, sim, uneven_J);
        for (int i = 0; i < 80; i++) {
            step_once(sim);
            find_integrals(K, &unused, sim, uneven_J);
            worst = fmax(worst, off(K, first, 3));
        }
        compare_ball(e, sim, row);
        print_message("    %d %s: %.1e %.1e %.1e %.1e %.1e; K %.1e\n", row->stages,
                      row->cay ? "cay" : "exp", e[0], e[1], e[2], e[3], e[4], worst);
        for (int i = 0; i < 5; i++)
            assert_at_most(e[i], i < 4 ? 1e-13 : 1e-12);
        assert_at_most(worst, 1e-15);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* Error of the state at t = 4, and what the moving energy moved by until then. */
typedef struct ball_errors {
    double state, energy;
} ball_errors;

static ball_errors ball_error(const lv_model *model, const double J[3],
                              const double *expected, const method *m, int steps)
{
    lv_sim *sim = start(model, m, 4.0 / steps);
    double K[3], first, energy;
    ball_errors e = {0, 0};
    find_integrals(K, &first, sim, J);
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        find_integrals(K, &energy, sim, J);
        e.energy = fmax(e.energy, fabs(energy - first));
    }
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    double w[3];
    angular_velocity(w, q + 3, v + 3);
    for (int k = 0; k < 3; k++)
        w[k] *= J[k];
    for (int r = 0; r < 3; r++)
        e.state = fmax(e.state, row_off(q + 3, r, expected + (ptrdiff_t)3 * r));
    e.state = fmax(e.state, off(q, expected + 9, 2));
    e.state = fmax(e.state, off(w, expected + 11, 3));
    e.state = fmax(e.state, off(v, expected + 14, 2));
    lv_sim_free(sim);
    return e;
}

/* What the moving energy deviates by with 20 steps, for 2 to 4 stages. */
static const double moving_energy[2][3] = {{5.0e-8, 4.6e-10, 1e-14},
                                           {1.5e-4, 8.3e-8, 6.0e-11}};

static void balls_on_turntables_have_the_order_of_their_scheme(void **state)
{
    (void)state;
    lv_model *models[] = {read_text(even), read_text(uneven)};
    for (int k = 0; k < 12; k++) {
        const int stages = (k % 6) / 2 + 2, order = 2 * stages - 2;
        const bool cay = k % 2 == 0, is_even = k < 6;
        const method m = on_group("lobatto", stages, cay);
        const double *J = is_even ? even_J : uneven_J,
                     *expected = is_even ? even_ball : uneven_ball;
        const lv_model *model = models[is_even ? 0 : 1];
        const ball_errors coarse = ball_error(model, J, expected, &m, 20),
                          fine = ball_error(model, J, expected, &m, 40);
        print_message("    %s %d %s: %.1e, %.1e, order %.2f; energy %.1e, %.1e\n",
                      is_even ? "even" : "uneven", stages, cay ? "cay" : "exp",
                      coarse.state, fine.state, slope(coarse.state, fine.state),
                      coarse.energy, fine.energy);
        assert_at_most(fabs(slope(coarse.state, fine.state) - order), 0.15);
        assert_at_most(coarse.energy, 1.2 * moving_energy[is_even ? 0 : 1][stages - 2]);
    }
    lv_model_free(models[0]);
    lv_model_free(models[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_free_body_ends_where_it_should),
        RUN(a_heavy_top_about_its_tip_ends_where_it_should),
        RUN(a_heavy_top_on_a_joint_ends_where_it_should),
        RUN(a_free_body_has_the_order_of_its_scheme),
        RUN(a_free_body_keeps_its_momentum_for_a_million_steps),
        RUN(a_ball_on_a_turntable_ends_where_it_should),
        RUN(balls_on_turntables_have_the_order_of_their_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
