/* Symmetries that are found: which, under which names, and whether they are kept. */
#include "deny.h"
#include "symmetries.h"

#include "run/sim.h"

/* A shipped model without the [symmetries] that it declares. */
static lv_model *undeclared(const char *name)
{
    lv_error err;
    lv_model *model = NULL;
    const char *text = lv_shipped_text(name);
    size_t size = strlen(text);
    char *copy = test_malloc(size + 1);
    memcpy(copy, text, size + 1);
    for (char *at; (at = strstr(copy, "\n[symmetries.")) != NULL;) {
        char *next = strstr(at + 1, "\n[");
        memmove(at, next ? next : copy + strlen(copy), strlen(next ? next : "") + 1);
    }
    if (lv_model_parse(&model, name, copy, strlen(copy), NULL, 0, &err) != LV_OK)
        fail_with(&err);
    test_free(copy);
    return model;
}

/* ---- shipped models ---------------------------------------------------------------- */

static void shipped_models_have_these_symmetries(void **state)
{
    static const char *const cases[][2] = {
        {"andrews", ""},
        {"car-axis", ""},
        {"chain", "L_z"},
        {"chaotic-nonholonomic", ""},
        {"cvt", ""},
        {"double-pendulum", ""},
        {"four-particles", "P_x P_y P_z L_x L_y L_z"},
        {"full-feature", ""},
        {"henon-heiles", ""},
        {"kepler", "L"},
        {"mass-spring-redundant", ""},
        {"nonholonomic-particle", ""},
        {"pendulum-cartesian", ""},
        {"pendulum-polar", ""},
        {"pendulum3d", "L_z"},
        {"rheonomic-pendulum", ""},
        {"spring-pendulum-spherical", "p_phi"},
        {"torus", "L_z"},
        {"two-link-arm", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        expect(undeclared(cases[k][0]), cases[k][0], cases[k][1]);
        expect(read_shipped(cases[k][0], NULL, NULL), cases[k][0],
               ""); /* all are declared */
    }
}

static void parameters_break_symmetries_and_restore_them(void **state)
{
    (void)state;
    expect(read_shipped("double-pendulum", "g", "0"), "g = 0", "L");
    expect(read_shipped("two-link-arm", "g", "0"), "g = 0", "p_q1");
    expect(read_shipped("pendulum-polar", "g", "0"), "g = 0", "p_q");
    expect(read_shipped("pendulum3d", "g", "0"), "g = 0", "L_x L_y");
    expect(read_shipped("pendulum3d", "g", "1e-9"), "g = 1e-9", "");
}

/* ---- what breaks a symmetry -------------------------------------------------------- */

#define PAIR                                                                             \
    "[parameters]\nk = 3\n[coordinates]\na = [1, 0, 0]\nb = [0, 2, 0]\n"                 \
    "[energy]\nkinetic = \"norm2(a')/2 + norm2(b')\"\n"

static void cyclic_coordinates_are_those_that_do_not_occur(void **state)
{
    (void)state;
    expect_text(PLANE, "p_x p_y");
    expect_text(PLANE "[energy.v]\npotential = \"x^2\"\n", "p_y");
    expect_text(PLANE "[energy.v]\nlagrangian = \"x*y'\"\n", "p_y");
    /* x + y only: p_x - p_y is kept, but neither of them */
    expect_text(PLANE "[energy.v]\npotential = \"(x + y)^2\"\n", "");
    /* one of the terms undoes the other */
    expect_text(PLANE
                "[energy.v]\npotential = \"x^2\"\n[energy.w]\npotential = \"-x*x\"\n",
                "p_x p_y");
    /* no momentum at all */
    expect_text("[coordinates]\nx = 1\nc = [1, 0, 0]\n[energy]\nkinetic = \"x'^2\"\n"
                "[constraints.c]\nholonomic = \"norm2(c) - 1\"\n",
                "p_x");
}

/* Both terms of xi . L_q + (A v) . L_v count. */
static void rotations_turn_velocities_too(void **state)
{
    (void)state;
    expect_text("[coordinates]\na = [1, 0, 0]\n"
                "[energy]\nkinetic = \"a'[1]^2 + 2*a'[2]^2 + a'[3]^2\"\n",
                "P_x P_y P_z L_y");
    expect_text("[coordinates]\na = [1, 2, 0]\n[energy]\n"
                "kinetic = \"norm2(a) * norm2(a') + dot(a, a')^2\"\n",
                "L_x L_y L_z");
    /* a magnetic field along z */
    expect_text("[coordinates]\na = [1, 2, 0]\n[energy]\n"
                "lagrangian = \"norm2(a') + 5*(a[1]*a'[2] - a[2]*a'[1])\"\n",
                "P_z L_z");
}

static void explicit_time_may_keep_or_break_it(void **state)
{
    (void)state;
    expect_text(PLANE "[energy.v]\npotential = \"sin(t)*y^2\"\n", "p_x");
    expect_text(PLANE "[energy.v]\npotential = \"sin(t)*y^2 + x*t\"\n", "");
    expect_text("[coordinates]\nx = 1\n[energy]\nkinetic = \"(2 + sin(t))*x'^2\"\n",
                "p_x");
    expect_text(PAIR "[energy.v]\npotential = \"k*cos(t)/norm(a) + norm2(b)\"\n",
                "L_x L_y L_z");
    expect_text(PAIR "[energy.v]\npotential = \"norm2(b - [t, 0, 0])\"\n", "L_x");
}

static void forces_break_what_they_push(void **state)
{
    (void)state;
    expect_text(PLANE "[forces.f]\non = \"x\"\nforce = \"-x'\"\n", "p_y");
    expect_text(PLANE "[forces.f]\non = \"x\"\nforce = \"1e-6\"\n", "p_y");
    /* a force along the radius keeps the angular momentum, drag does not */
    expect_text(PAIR "[forces.f]\non = \"a\"\nforce = \"-k*dot(a, a')*a\"\n",
                "L_x L_y L_z");
    expect_text(PAIR "[forces.f]\non = \"a\"\nforce = \"-k*a'\"\n", "");
    /* action and reaction, in one term and in two */
    expect_text(PAIR
                "[forces.f]\non = [\"a\", \"b\"]\nforce = [\"b' - a'\", \"a' - b'\"]\n",
                "P_x P_y P_z");
    expect_text(PAIR "[forces.f]\non = \"a\"\nforce = \"b' - a'\"\n"
                     "[forces.g]\non = \"b\"\nforce = \"a' - b'\"\n",
                "P_x P_y P_z");
    expect_text(PAIR "[forces.f]\non = \"a\"\nforce = \"2*(b' - a')\"\n"
                     "[forces.g]\non = \"b\"\nforce = \"a' - b'\"\n",
                "");
}

static void constraints_have_to_be_invariant_themselves(void **state)
{
    (void)state;
    expect_text(PAIR, "P_x P_y P_z L_x L_y L_z");
    expect_text(PAIR "[constraints.c]\nholonomic = \"norm2(a - b) - 5\"\n",
                "P_x P_y P_z L_x L_y L_z");
    expect_text(PAIR "[constraints.c]\nholonomic = \"norm2(a) - 1\"\n", "L_x L_y L_z");
    expect_text(PAIR "[constraints.c]\nholonomic = [\"a[1] - 1\", \"b[1]\"]\n",
                "P_y P_z L_x");
    expect_text(PAIR "[constraints.c]\nholonomic = \"a[1] - b[1] - 1 - t\"\n",
                "P_x P_y P_z L_x");
}

/* a - b = 0 is not invariant, but turns; it is so for each vector by itself. */
static void vectors_of_constraints_may_turn(void **state)
{
    (void)state;
    expect_text(PAIR "[constraints.c]\nholonomic = \"a - b\"\n",
                "P_x P_y P_z L_x L_y L_z");
    expect_text(PAIR "[constraints.c]\nholonomic = [\"b - a\", \"cross(a, b)\"]\n",
                "L_x L_y L_z");
    expect_text(PAIR "[constraints.c]\nholonomic = [\"norm2(a) - 1\", \"norm2(b) - 4\", "
                     "\"dot(a, b)\", \"b - a\"]\n",
                "L_x L_y L_z");
    expect_text(PAIR "[constraints.c]\nholonomic = \"a - 2*b - [1, -4, 0]\"\n", "");
    expect_text(PAIR "[constraints.c]\nholonomic = \"a - b - [0, 0, 1]\"\n",
                "P_x P_y P_z L_z");
    expect_text("[coordinates]\na = [1, 0]\nb = [1, 0]\n[energy]\n"
                "kinetic = \"norm2(a') + norm2(b')\"\n"
                "[constraints.c]\nholonomic = \"a - b\"\n",
                "P_x P_y L");
}

/* A reaction along A^T does no work on xi only if A xi = 0. */
static void velocity_constraints_must_not_push_along_it(void **state)
{
    (void)state;
    expect_text("[coordinates]\nx = 1\ny = 1\nz = 0\nw = 0\n"
                "[energy]\nkinetic = \"x'^2 + y'^2 + z'^2 + w'^2\"\n"
                "[constraints.blade]\nnonholonomic = \"z' - y*x'\"\n",
                "p_y p_w");
    /* independent of z, yet z is pushed */
    expect_text("[coordinates]\nx = 1\nz = 0\n[energy]\nkinetic = \"x'^2 + z'^2\"\n"
                "[constraints.c]\nnonholonomic = \"x' + sin(x)*z'\"\n",
                "");
    /* a blade whose reaction passes through the axis: y x' - x y' pushes sideways, this not */
    expect_text("[coordinates]\na = { value = [1, 0], velocity = [0, 1] }\n"
                "[energy]\nkinetic = \"norm2(a')\"\n"
                "[constraints.c]\nnonholonomic = \"dot(a, a')\"\n",
                "L");
}

static void weak_terms_count_beside_strong_ones(void **state)
{
    (void)state;
    expect_text(PAIR "[energy.spring]\npotential = \"1e14*(norm(a - b) - 1)^2\"\n"
                     "[energy.weight]\npotential = \"1e-3*a[3]\"\n",
                "P_x P_y L_z");
    expect_text("[coordinates]\nq = { count = 1000, value = [\"i\", \"sin(i)\", 0] }\n"
                "[energy.masses]\nfor = \"i = 1..1000\"\nkinetic = \"norm2(q_i')\"\n"
                "[energy.springs]\nfor = \"i = 2..1000\"\n"
                "potential = \"1e6*(norm(q_i - q_{i-1}) - 1)^2\"\n"
                "[energy.one]\npotential = \"1e-6*q_500[2]\"\n",
                "P_x P_z L_y");
}

static void small_and_large_units_do_not_matter(void **state)
{
    (void)state;
    expect_text("[coordinates]\nz = 1e-10\nx = 0\n[energy]\nkinetic = \"x'^2 + z'^2\"\n"
                "potential = \"1e-20*exp(-(z/1e-10)^2)\"\n",
                "p_x");
    expect_text("[coordinates]\na = [1e11, 0, 0]\nb = [0, -2e11, 0]\n"
                "[energy]\nkinetic = \"1e24*norm2(a') + 1e30*norm2(b')\"\n"
                "potential = \"-1e44/norm(a - b)\"\n",
                "P_x P_y P_z L_x L_y L_z");
}

/* Points are drawn near the start; what is far away still counts. */
static void kinks_far_from_the_start_count(void **state)
{
    (void)state;
    expect_text(PLANE "[energy.wall]\npotential = \"max(0, x - 100)^2\"\n", "p_y");
    expect_text(PLANE "[energy.wall]\npotential = \"if(x < 100, 0, (x - 100)^2)\"\n",
                "p_y");
    expect_text(PLANE "[energy.wall]\npotential = \"if(x < 100, 0, (x - 100)^1.5)\"\n",
                "p_y");
    expect_text(PLANE "[forces.later]\non = \"x\"\nforce = \"if(t < 1e6, 0, 1)\"\n",
                "p_y");
    expect_text(PLANE
                "[forces.friction]\non = \"x\"\nforce = \"if(y < 1e3, 0, -sign(x'))\"\n",
                "");
    expect_text(PAIR "[energy.contact]\npotential = \"max(0, 0.1 - norm(a - b))^2.5\"\n",
                "P_x P_y P_z L_x L_y L_z");
    expect_text(PAIR "[energy.contact]\npotential = \"max(0, 0.1 - norm(a))^2.5\"\n",
                "L_x L_y L_z");
    expect_text("[parameters]\nside = 1\n" PLANE
                "[energy.v]\npotential = \"if(side < 0, x^2, y^2)\"\n",
                "p_x");
}

/* Square roots of some random points do not exist: they are drawn closer to the start. */
static void narrow_domains_are_respected(void **state)
{
    (void)state;
    expect_text(PLANE "[energy.v]\npotential = \"sqrt(x - 0.99)\"\n", "p_y");
    expect_text(PLANE "[energy.v]\npotential = \"sqrt(1e-14 - (x - 1)^2)\"\n", "");
}

static void only_vectors_of_two_and_three_turn(void **state)
{
    (void)state;
    expect_text("[coordinates]\na = [1, 2]\nb = [1, 2, 3]\nc = [1, 2, 3, 4]\nd = [1]\n"
                "q = { count = 3, value = \"i\" }\n"
                "[energy]\nkinetic = \"norm2(a') + norm2(b') + norm2(c') + norm2(d')\"\n"
                "[energy.q]\nfor = \"i = 1..3\"\nkinetic = \"q_i'^2\"\n",
                "P_x P_y L P_x_2 P_y_2 P_z L_x L_y L_z");
}

/* ---- declared ones ----------------------------------------------------------------- */

static void multiples_of_declared_ones_are_left_out(void **state)
{
    (void)state;
    expect_text(PLANE "[symmetries.push]\non = \"y\"\ngenerator = \"-3\"\n", "p_x");
    expect_text(PLANE
                "[symmetries.both]\non = [\"x\", \"y\"]\ngenerator = [\"1\", \"1\"]\n",
                "p_x p_y");
    expect_text(PAIR "[symmetries.turn]\non = [\"b\", \"a\"]\n"
                     "generator = [\"cross(b, [0, 0, 2])\", \"cross(a, [0, 0, 2])\"]\n",
                "P_x P_y P_z L_x L_y");
    expect_text(PAIR
                "[symmetries.one]\non = \"a\"\ngenerator = \"cross([0, 0, 2], a)\"\n",
                "P_x P_y P_z L_x L_y L_z");
}

static void taken_names_get_a_number(void **state)
{
    (void)state;
    expect_text(PLANE
                "[symmetries.p_x]\non = [\"x\", \"y\"]\ngenerator = [\"1\", \"1\"]\n"
                "[symmetries.p_x_2]\non = [\"x\", \"y\"]\ngenerator = [\"1\", \"2\"]\n",
                "p_x_3 p_y");
}

static void inspections_and_systems_list_them_last(void **state)
{
    lv_error err;
    lv_system *system = NULL;
    (void)state;
    inspected i =
        inspect_text("[coordinates]\na = { value = [1, 2, 3], velocity = [4, 5, 7] }\n"
                     "[energy]\nkinetic = \"norm2(a')\"\n"
                     "[constraints.c]\nholonomic = \"a[1] - 1 - 4*t\"\n"
                     "[symmetries.up]\non = \"a\"\ngenerator = \"[0, 0, 1]\"\n");
    static const char *const names[] = {"up", "P_y", "L_x"};
    const double expected[] = {14, 10, 2 * (2 * 7 - 3 * 5)};
    assert_int_equal(i.at->momentum_count, 3);
    assert_int_equal(lv_system_create(&system, i.model, &err), LV_OK);
    assert_int_equal(lv_system_map_count(system), 3);
    double p[3], maps[3];
    lv_system_momentum(system, p, 0, i.model->start_q, i.model->start_v);
    lv_system_momentum_maps(system, maps, 0, i.model->start_q, p);
    for (int k = 0; k < 3; k++) {
        assert_string_equal(i.at->momenta[k].name, names[k]);
        assert_int_equal(i.at->momenta[k].found, k > 0);
        assert_close(i.at->momenta[k].value, expected[k], 1e-15);
        assert_string_equal(lv_system_map_name(system, k), names[k]);
        assert_close(maps[k], expected[k], 1e-15);
    }
    assert_string_equal(lv_system_map_name(system, 3), "");
    lv_system_free(system);
    inspected_free(&i);
}

/* ---- runs -------------------------------------------------------------------------- */

static void run_and_compare(lv_model *m, const char *scheme, double step)
{
    lv_error err;
    lv_sim *sim = NULL;
    double first[8], now[8];
    lv_sim_options options = lv_sim_options_default(m);
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    options.step = step;
    if (lv_sim_create(&sim, m, &options, &err) != LV_OK)
        fail_with(&err);
    int count = lv_system_map_count(sim->system);
    assert_in_range(count, 1, 8);
    lv_system_momentum_maps(sim->system, first, 0, sim->state.q, sim->state.p);
    for (int n = 0; n < 200; n++) {
        if (lv_sim_step(sim, &err) != LV_OK)
            fail_with(&err);
        lv_system_momentum_maps(sim->system, now, sim->state.t, sim->state.q,
                                sim->state.p);
        for (int k = 0; k < count; k++)
            if (!(fabs(now[k] - first[k]) <= 1e-12 * fmax(1, fabs(first[k]))))
                fail_msg("%s, %s: %s has changed by %.3g after %d steps", m->title,
                         scheme, lv_system_map_name(sim->system, k), now[k] - first[k],
                         n + 1);
    }
    lv_sim_free(sim);
    lv_model_free(m);
}

static void what_is_found_is_kept(void **state)
{
    (void)state;
    run_and_compare(undeclared("pendulum3d"), "rattle", 0.01);
    run_and_compare(undeclared("pendulum3d"), "lobatto", 0.02);
    run_and_compare(undeclared("torus"), "lobatto", 0.02);
    run_and_compare(undeclared("four-particles"), "rattle", 0.002);
    run_and_compare(undeclared("four-particles"), "lobatto", 0.005);
    run_and_compare(undeclared("kepler"), "gauss", 0.02);
    run_and_compare(undeclared("spring-pendulum-spherical"), "lobatto", 0.01);
    run_and_compare(undeclared("chain"), "rattle", 0.001);
    run_and_compare(read_shipped("double-pendulum", "g", "0"), "lobatto", 0.02);
}

/* ---- the rest ---------------------------------------------------------------------- */

static void the_same_is_found_every_time(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        lv_error err;
        lv_arena arena = {0};
        lv_symmetries a, b;
        lv_model *m = undeclared("four-particles"), *n = undeclared("four-particles");
        assert_int_equal(lv_symmetries_find(&a, &arena, m, false, &err), LV_OK);
        assert_int_equal(lv_symmetries_find(&b, &arena, n, false, &err), LV_OK);
        assert_int_equal(a.count, b.count);
        for (int i = 0; i < a.count; i++) {
            double x = lv_symmetry_momentum(&a.list[i], m, m->start_q, m->start_v);
            double y = lv_symmetry_momentum(&b.list[i], n, n->start_q, n->start_v);
            assert_string_equal(a.list[i].name, b.list[i].name);
            assert_memory_equal(&x, &y, sizeof x);
        }
        lv_arena_done(&arena);
        lv_model_free(m);
        lv_model_free(n);
    }
}

static void long_chains_are_tested_too(void **state)
{
    (void)state;
    expect(read_shipped("chain", "N", "100000"), "chain", "");
    expect_text("[parameters]\nN = 20000\n[coordinates]\n"
                "q = { count = \"N\", value = [\"i/N\", \"i\"] }\n"
                "[energy.masses]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')\"\n"
                "[energy.springs]\nfor = \"i = 2..N\"\n"
                "potential = \"norm(q_i - q_{i-1})\"\n",
                "P_x P_y L");
}

static lv_status find_without_memory(void *user, lv_error *err)
{
    lv_arena arena = {0};
    lv_symmetries found;
    lv_status status = lv_symmetries_find(&found, &arena, user, false, err);
    assert_true(status == LV_OK || found.count == 0);
    lv_arena_done(&arena);
    return status;
}

static void no_memory_is_reported(void **state)
{
    (void)state;
    lv_model *m = read_shipped("pendulum3d", "g", "0");
    lv_deny_sweep(find_without_memory, m);
    lv_model_free(m);
    m = read_text(PLANE "[energy.wall]\npotential = \"max(0, x - 2)^2\"\n"
                        "[forces.f]\non = \"x\"\nforce = \"-sign(x')\"\n"
                        "[constraints.c]\nnonholonomic = \"x' - y\"\n");
    lv_deny_sweep(find_without_memory, m);
    lv_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shipped_models_have_these_symmetries),
        RUN(parameters_break_symmetries_and_restore_them),
        RUN(cyclic_coordinates_are_those_that_do_not_occur),
        RUN(rotations_turn_velocities_too),
        RUN(explicit_time_may_keep_or_break_it),
        RUN(forces_break_what_they_push),
        RUN(constraints_have_to_be_invariant_themselves),
        RUN(vectors_of_constraints_may_turn),
        RUN(velocity_constraints_must_not_push_along_it),
        RUN(weak_terms_count_beside_strong_ones),
        RUN(small_and_large_units_do_not_matter),
        RUN(kinks_far_from_the_start_count),
        RUN(narrow_domains_are_respected),
        RUN(only_vectors_of_two_and_three_turn),
        RUN(multiples_of_declared_ones_are_left_out),
        RUN(taken_names_get_a_number),
        RUN(inspections_and_systems_list_them_last),
        RUN(what_is_found_is_kept),
        RUN(the_same_is_found_every_time),
        RUN(long_chains_are_tested_too),
        RUN(no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
