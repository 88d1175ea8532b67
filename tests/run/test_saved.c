/* States that are saved, restored and copied, and derivatives of steps. */
#include "../model/reading.h"

#include "run/sim.h"

#include <stdlib.h>

typedef struct motion {
    const char *model; /* shipped, or a text */
    const char *scheme;
    int stages, compose; /* 0: not given */
    double step;
} motion;

/* A torsion spring that counts turns, and does work against friction. */
static const char winding[] = "[coordinates]\n"
                              "x = { value = [1, 0], velocity = [0, 9] }\n"
                              "[energy]\n"
                              "kinetic = \"norm2(x')/2\"\n"
                              "potential = \"0.1*winding(x[1], x[2])^2\"\n"
                              "[forces.drag]\n"
                              "on = \"x\"\n"
                              "force = \"-0.1*x'\"\n"
                              "[constraints.rod]\n"
                              "holonomic = \"norm2(x) - 1\"\n";

static const motion motions[] = {
    {"pendulum3d", "rattle", 0, 0, 0.01},
    {"pendulum3d", "lobatto", 3, 0, 0.01},
    {"pendulum3d", "rattle", 0, 4, 0.01},
    {"pendulum3d", "em", 0, 0, 0.01},
    {"pendulum3d", "livens", 0, 0, 0.01},
    {"pendulum3d", "vi-b2", 0, 0, 0.01},
    {"pendulum3d", "vi-s", 0, 0, 0.01},
    {"four-particles", "lobatto", 4, 0, 0.01},
    {"four-particles", "em", 0, 0, 0.04},
    {"nonholonomic-particle", "lobatto", 3, 0, 0.05},
    {"full-feature", "lobatto", 2, 0, 0.05},
    {"two-link-arm", "gauss", 2, 0, 0.02},
    {"mass-spring-redundant", "livens", 0, 0, 0.01},
    {"bennett-linkage", "lobatto", 2, 0, 0.01},
    {winding, "lobatto", 2, 0, 0.05},
    {"kepler", "verlet", 0, 4, 0.01},
};
enum { MOTIONS = sizeof motions / sizeof *motions };

typedef struct begun {
    lv_model *model;
    lv_sim *sim;
} begun;

static lv_sim *begin_sim(const lv_model *model, const motion *m)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = m->scheme;
    options.options = (lv_scheme_options){0};
    if (m->stages > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_STAGES, m->stages);
    if (m->compose > 0)
        lv_scheme_option_set(&options.options, LV_OPTION_COMPOSE, m->compose);
    options.step = m->step;
    options.initial = LV_INITIAL_PROJECT;
    if (lv_sim_create(&sim, model, &options, &err) != LV_OK)
        fail_with(&err);
    return sim;
}

static begun begin(const motion *m)
{
    begun b = {.model = strchr(m->model, '\n') ? read_text(m->model)
                                               : read_shipped(m->model, NULL, NULL)};
    b.sim = begin_sim(b.model, m);
    return b;
}

static void end(begun *b)
{
    lv_sim_free(b->sim);
    lv_model_free(b->model);
}

static void take_steps(lv_sim *sim, int count)
{
    lv_error err;
    for (int k = 0; k < count; k++)
        if (lv_sim_step(sim, &err) != LV_OK)
            fail_with(&err);
}

/* Everything that callers see is the same, bit for bit. */
static void assert_same(lv_sim *a, lv_sim *b)
{
    const size_t bytes = (size_t)a->system->n * sizeof(double);
    assert_memory_equal(lv_sim_position(a), lv_sim_position(b), bytes);
    assert_memory_equal(lv_sim_velocity(a), lv_sim_velocity(b), bytes);
    assert_memory_equal(lv_sim_momentum(a), lv_sim_momentum(b), bytes);
    assert_true(lv_sim_time(a) == lv_sim_time(b));
    assert_int_equal(lv_sim_steps(a), lv_sim_steps(b));
    assert_int_equal(lv_sim_iterations(a), lv_sim_iterations(b));
    assert_true(lv_sim_balance(a) == lv_sim_balance(b));
}

static double *saved(const lv_sim *sim)
{
    lv_error err;
    const int count = lv_sim_save_count(sim);
    double *numbers = malloc((size_t)count * sizeof *numbers);
    assert_non_null(numbers);
    if (lv_sim_save(sim, numbers, count, &err) != LV_OK)
        fail_with(&err);
    return numbers;
}

/* All numbers, also those that a simulation keeps from past steps, zeros with their signs. */
static void assert_saved_same(const lv_sim *a, const lv_sim *b)
{
    double *x = saved(a), *y = saved(b);
    assert_memory_equal(x, y, (size_t)lv_sim_save_count(a) * sizeof *x);
    free(x);
    free(y);
}

static void simulations_go_on_from_saved_states_bit_for_bit(void **state)
{
    (void)state;
    for (int k = 0; k < MOTIONS; k++) {
        lv_error err;
        begun b = begin(&motions[k]);
        lv_sim *later = begin_sim(b.model, &motions[k]);
        take_steps(b.sim, 25);
        double *numbers = saved(b.sim);
        take_steps(b.sim, 30);
        take_steps(later, 3); /* what it was does not matter */
        if (lv_sim_restore(later, numbers, lv_sim_save_count(later), &err) != LV_OK)
            fail_with(&err);
        take_steps(later, 30);
        assert_same(b.sim, later);
        /* back, in the same one */
        if (lv_sim_restore(b.sim, numbers, lv_sim_save_count(b.sim), &err) != LV_OK)
            fail_with(&err);
        assert_int_equal(lv_sim_steps(b.sim), 25);
        take_steps(b.sim, 30);
        assert_same(b.sim, later);
        assert_saved_same(b.sim, later);
        free(numbers);
        lv_sim_free(later);
        end(&b);
    }
}

/* Gradients of joints have numbers that depend on parameters alone. */
static void nothing_is_left_of_what_a_restored_simulation_did(void **state)
{
    (void)state;
    const motion bodies[] = {{"gyroscope", "vi-s", 0, 0, 0.001},
                             {"steady-top-body", "vi-b", 0, 0, 0.001},
                             {"heavy-top", "lobatto", 2, 0, 0.001}};
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++) {
        lv_error err;
        begun b = begin(&bodies[k]);
        lv_sim *fresh = begin_sim(b.model, &bodies[k]);
        double *numbers = saved(b.sim);
        assert_int_equal(lv_sim_set_step(b.sim, bodies[k].step / 2, &err), LV_OK);
        take_steps(b.sim, 5);
        assert_int_equal(lv_sim_set_step(b.sim, bodies[k].step, &err), LV_OK);
        if (lv_sim_restore(b.sim, numbers, lv_sim_save_count(b.sim), &err) != LV_OK)
            fail_with(&err);
        for (int step = 0; step < 3; step++) {
            take_steps(b.sim, 1);
            take_steps(fresh, 1);
            assert_saved_same(b.sim, fresh);
        }
        free(numbers);
        lv_sim_free(fresh);
        end(&b);
    }
}

static void copies_go_on_bit_for_bit(void **state)
{
    (void)state;
    for (int k = 0; k < MOTIONS; k++) {
        lv_error err;
        begun b = begin(&motions[k]);
        lv_sim *copy = begin_sim(b.model, &motions[k]);
        take_steps(b.sim, 17);
        take_steps(copy, 2);
        if (lv_sim_copy(copy, b.sim, &err) != LV_OK)
            fail_with(&err);
        assert_same(b.sim, copy);
        take_steps(b.sim, 20);
        take_steps(copy, 20);
        assert_same(b.sim, copy);
        assert_int_equal(lv_sim_copy(copy, copy, &err), LV_OK);
        lv_sim_free(copy);
        end(&b);
    }
}

/* A shortened step begins a new count, which belongs to the state. */
static void times_of_shortened_steps_are_kept(void **state)
{
    (void)state;
    lv_error err;
    begun b = begin(&motions[0]);
    lv_sim *copy = begin_sim(b.model, &motions[0]);
    assert_int_equal(lv_sim_advance(b.sim, 0.123, &err), LV_OK);
    take_steps(b.sim, 3);
    assert_int_equal(lv_sim_copy(copy, b.sim, &err), LV_OK);
    assert_same(b.sim, copy);
    take_steps(b.sim, 5);
    take_steps(copy, 5);
    assert_same(b.sim, copy);
    lv_sim_free(copy);
    end(&b);
}

static void states_of_other_simulations_are_refused(void **state)
{
    (void)state;
    const motion first = {"pendulum3d", "lobatto", 3, 0, 0.01};
    const motion others[] = {{"pendulum3d", "rattle", 0, 0, 0.01},
                             {"pendulum3d", "lobatto", 4, 0, 0.01},
                             {"pendulum3d", "lobatto", 3, 0, 0.02},
                             {"torus", "lobatto", 3, 0, 0.01}};
    lv_error err;
    begun b = begin(&first);
    take_steps(b.sim, 3);
    double *numbers = saved(b.sim);
    const int count = lv_sim_save_count(b.sim);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        begun other = begin(&others[k]);
        assert_int_equal(lv_sim_restore(other.sim, numbers, count, &err), LV_ERR_USAGE);
        assert_int_equal(lv_sim_copy(other.sim, b.sim, &err), LV_ERR_USAGE);
        assert_int_equal(lv_sim_steps(other.sim), 0);
        end(&other);
    }
    /* another value of a parameter */
    lv_model *heavy = read_shipped("pendulum3d", "m", "7");
    lv_sim *sim = begin_sim(heavy, &first);
    assert_int_equal(lv_sim_restore(sim, numbers, count, &err), LV_ERR_USAGE);
    assert_non_null(strstr(err.text, "another model"));
    assert_int_equal(lv_sim_copy(sim, b.sim, &err), LV_ERR_USAGE);
    lv_sim_free(sim);
    lv_model_free(heavy);
    assert_int_equal(lv_sim_restore(b.sim, numbers, count - 1, &err), LV_ERR_USAGE);
    numbers[2] = 1.5; /* steps */
    assert_int_equal(lv_sim_restore(b.sim, numbers, count, &err), LV_ERR_USAGE);
    assert_int_equal(lv_sim_steps(b.sim), 3);
    free(numbers);
    end(&b);
}

/* ---- derivatives --------------------------------------------------------------------------------------- */

enum { MOST = 8 };

/* Position and momentum after a step from a state near that of `start`, on the constraints or not. */
static void image(lv_sim *sim, const lv_state *start, const double *d, double amount,
                  double *out)
{
    const int n = sim->system->n;
    double q[MOST], p[MOST], v[MOST];
    lv_error err;
    for (int i = 0; i < n; i++) {
        q[i] = start->q[i] + amount * d[i];
        p[i] = start->p[i] + amount * d[n + i];
        v[i] = start->v[i];
    }
    if (lv_sim_velocity_at(sim, v, start->t, q, p, &err) != LV_OK ||
        lv_sim_set_state(sim, start->t, q, v, &err) != LV_OK ||
        lv_sim_step(sim, &err) != LV_OK)
        fail_with(&err);
    memcpy(out, lv_sim_position(sim), (size_t)n * sizeof *out);
    memcpy(out + n, lv_sim_momentum(sim), (size_t)n * sizeof *out);
}

/* Constant masses with a coupling, a constraint of degree four: its hidden constraint is no quadratic form. */
static const char quartic[] = "[coordinates]\n"
                              "x = { value = 1, velocity = 0 }\n"
                              "y = { value = 0.1, velocity = 0.4 }\n"
                              "z = { value = 0, velocity = 0.3 }\n"
                              "[energy]\n"
                              "kinetic = \"x'^2 + 0.3*x'*y' + y'^2/2 + z'^2\"\n"
                              "potential = \"x^2/2 + x^2*y + y^4 + z\"\n"
                              "[constraints.quartic]\n"
                              "holonomic = \"x^4 + y^4 + z^4 + x*y^3 - 1\"\n";

static const motion derived[] = {
    {"pendulum3d", "rattle", 0, 0, 0.02},  {"pendulum3d", "rattle", 0, 4, 0.02},
    {"torus", "lobatto", 3, 0, 0.02},      {"torus", "rattle", 0, 6, 0.02},
    {"two-link-arm", "gauss", 2, 0, 0.02}, {"two-link-arm", "lobatto", 2, 4, 0.02},
    {"pendulum3d", "em", 0, 0, 0.02},      {"torus", "em", 0, 0, 0.02},
    {"torus", "em-g", 0, 0, 0.02},         {"torus", "livens", 0, 0, 0.02},
    {"torus", "vi-s", 0, 0, 0.02},         {"torus", "vi-a", 0, 0, 0.02},
    {"torus", "vi-b", 0, 0, 0.02},         {"torus", "vi-b2", 0, 0, 0.02},
    {"two-link-arm", "vi-s", 0, 0, 0.02},  {"two-link-arm", "vi-a", 0, 0, 0.02},
    {"pendulum3d", "em", 0, 4, 0.02},      {quartic, "em", 0, 0, 0.05},
    {quartic, "em-g", 0, 0, 0.05},         {quartic, "livens", 0, 0, 0.05},
    {quartic, "vi-s", 0, 0, 0.05},         {quartic, "vi-a", 0, 0, 0.05},
    {quartic, "vi-b", 0, 0, 0.05},         {quartic, "vi-b2", 0, 0, 0.05},
    {quartic, "lobatto", 3, 0, 0.05},      {quartic, "em", 0, 4, 0.05},
    {"kepler", "verlet", 0, 4, 0.02},      {"torus", "ansatz", 0, 0, 0.02},
};

static double tangent_defect(const motion *m)
{
    static const double weights[] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double spread = 1e-3;
    begun b = begin(m);
    lv_error err;
    double q[MOST], v[MOST], p[MOST], matrix[4 * MOST * MOST], worst = 0;
    take_steps(b.sim, 2);
    const int n = b.sim->system->n;
    const size_t bytes = (size_t)n * sizeof *q;
    const lv_state start = {lv_sim_time(b.sim), q, v, p};
    assert_in_range(n, 1, MOST);
    memcpy(q, lv_sim_position(b.sim), bytes);
    memcpy(v, lv_sim_velocity(b.sim), bytes);
    memcpy(p, lv_sim_momentum(b.sim), bytes);
    take_steps(b.sim, 1);
    if (lv_sim_tangent(b.sim, matrix, &err) != LV_OK)
        fail_with(&err);
    for (int column = 0; column < 2 * n; column++) {
        double d[2 * MOST] = {0}, slope[2 * MOST] = {0}, up[2 * MOST], down[2 * MOST];
        d[column] = 1;
        for (int k = 1; k <= 3; k++) {
            image(b.sim, &start, d, k * spread, up);
            image(b.sim, &start, d, -k * spread, down);
            for (int i = 0; i < 2 * n; i++)
                slope[i] += weights[k - 1] * (up[i] - down[i]) / spread;
        }
        for (int i = 0; i < 2 * n; i++)
            worst = fmax(worst, fabs(slope[i] - matrix[i * 2 * n + column]) /
                                    fmax(1, fabs(slope[i])));
    }
    end(&b);
    return worst;
}

static void tangents_agree_with_differences(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof derived / sizeof *derived; k++) {
        const double defect = tangent_defect(&derived[k]);
        if (getenv("LIVENS_TEST_SHOW"))
            print_message("%.16s, %s, composed to %d: %.1e\n", derived[k].model,
                          derived[k].scheme, derived[k].compose, defect);
        if (!(defect <= 2e-9))
            fail_msg("%s, %s, composed to %d: %.2e", derived[k].model, derived[k].scheme,
                     derived[k].compose, defect);
    }
}

/* To ask for it changes nothing, also of composed steps, which are taken again. */
static void asking_for_tangents_changes_no_bit(void **state)
{
    (void)state;
    const motion list[] = {{"pendulum3d", "rattle", 0, 4, 0.02},
                           {"pendulum3d", "rattle", 0, 0, 0.02},
                           {"torus", "lobatto", 3, 0, 0.02}};
    for (int k = 0; k < 3; k++) {
        double matrix[4 * MOST * MOST];
        begun b = begin(&list[k]), other = begin(&list[k]);
        for (int i = 0; i < 20; i++) {
            take_steps(b.sim, 1);
            take_steps(other.sim, 1);
            assert_int_equal(lv_sim_tangent(b.sim, matrix, NULL), LV_OK);
            assert_same(b.sim, other.sim);
        }
        end(&b);
        end(&other);
    }
}

static void without_a_step_there_is_no_tangent(void **state)
{
    (void)state;
    const motion list[] = {{"torus", "lobatto", 3, 0, 0.02},
                           {"torus", "rattle", 0, 4, 0.02}};
    for (int k = 0; k < 2; k++) {
        lv_error err;
        double matrix[4 * MOST * MOST];
        begun b = begin(&list[k]);
        assert_int_equal(lv_sim_tangent(b.sim, matrix, &err), LV_ERR_USAGE);
        assert_non_null(strstr(err.text, "no step"));
        take_steps(b.sim, 1);
        assert_int_equal(lv_sim_tangent(b.sim, matrix, &err), LV_OK);
        double *numbers = saved(b.sim);
        assert_int_equal(lv_sim_restore(b.sim, numbers, lv_sim_save_count(b.sim), &err),
                         LV_OK);
        assert_int_equal(lv_sim_tangent(b.sim, matrix, &err), LV_ERR_USAGE);
        free(numbers);
        end(&b);
    }
}

static const char bead[] = "[coordinates]\n"
                           "x = { value = 1, velocity = 0 }\n"
                           "y = { value = 0, velocity = 0.4 }\n"
                           "[energy]\n"
                           "kinetic = \"(1 + y^2)*x'^2/2 + y'^2/2\"\n"
                           "potential = \"y\"\n"
                           "[constraints.wire]\n"
                           "holonomic = \"x^2 + y^4 - 1\"\n";

static void schemes_without_tangents_say_so(void **state)
{
    (void)state;
    /* Steps of livens and em where the mass matrix varies are no maps of (q, p). */
    static const struct {
        motion motion;
        const char *says;
    } list[] = {{{"steady-top", "bs99", 0, 0, 0.01}, "bs99"},
                {{"two-link-arm", "livens", 0, 0, 0.02}, "D1T"},
                {{bead, "em", 0, 0, 0.01}, "has no derivative"}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        lv_error err;
        begun b = begin(&list[k].motion);
        double *matrix = calloc(4 * 144, sizeof *matrix);
        assert_in_range(b.sim->system->n, 1, 12);
        take_steps(b.sim, 1);
        assert_int_equal(lv_sim_tangent(b.sim, matrix, &err), LV_ERR_MODEL);
        if (!strstr(err.text, list[k].says))
            fail_msg("%s", err.text);
        free(matrix);
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(simulations_go_on_from_saved_states_bit_for_bit),
        RUN(nothing_is_left_of_what_a_restored_simulation_did),
        RUN(copies_go_on_bit_for_bit),
        RUN(times_of_shortened_steps_are_kept),
        RUN(states_of_other_simulations_are_refused),
        RUN(tangents_agree_with_differences),
        RUN(asking_for_tangents_changes_no_bit),
        RUN(without_a_step_there_is_no_tangent),
        RUN(schemes_without_tangents_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
