/* Simulations through the public interface: options, starts, states, multipliers, failures. */
#include "../claims/moving.h"
#include "../claims/systems.h"

/* ---- options --------------------------------------------------------------------------- */

#define FALLING                                                                          \
    "[coordinates]\nx = { value = 1, velocity = 2 }\n"                                   \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"9.81*x\"\n"

static void options_come_from_the_model(void **state)
{
    (void)state;
    lv_model *model =
        read_text(FALLING "[run]\nscheme = \"gauss\"\nstages = 3\ncompose = 8\n"
                          "step = 0.125\ninitial = \"project\"\n");
    lv_sim_options o = lv_sim_options_default(model);
    assert_string_equal(o.scheme, "gauss");
    assert_true(lv_scheme_option(&o.options, LV_OPTION_STAGES, 0) == 3);
    assert_true(lv_scheme_option(&o.options, LV_OPTION_COMPOSE, 0) == 8);
    assert_true(o.step == 0.125);
    assert_int_equal(o.initial, LV_INITIAL_PROJECT);
    lv_model_free(model);

    model = read_text(FALLING);
    o = lv_sim_options_default(model);
    assert_string_equal(o.scheme, "lobatto");
    assert_int_equal(o.options.given, 0);
    assert_true(o.step == 0);
    assert_int_equal(o.initial, LV_INITIAL_CHECK);
    lv_model_free(model);
}

/* Creation must fail; the explanation is in err. */
static void refuse_sim(const char *text, const lv_sim_options *options, lv_error *err)
{
    lv_model *model = read_text(text);
    lv_sim *sim = (lv_sim *)&model;
    lv_status status = lv_sim_create(&sim, model, options, err);
    assert_int_equal(status, LV_ERR_MODEL);
    assert_int_equal(err->code, LV_ERR_MODEL);
    assert_null(sim);
    assert_int_equal(lv_sim_create(&sim, model, options, NULL), LV_ERR_MODEL);
    lv_model_free(model);
}

static void steps_must_be_given_and_positive(void **state)
{
    (void)state;
    static const struct {
        double step;
        const char *says;
    } cases[] = {{0, "no step size"},
                 {-0.1, "not -0.1"},
                 {(double)INFINITY, "positive"},
                 {(double)NAN, "positive"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lv_error err;
        lv_sim_options o = {.scheme = "verlet", .step = cases[k].step};
        refuse_sim(FALLING, &o, &err);
        assert_says(err.text, cases[k].says);
        assert_says(err.hint, "step");
    }
}

static void unknown_schemes_get_a_suggestion(void **state)
{
    (void)state;
    lv_error err;
    refuse_sim(FALLING, &(lv_sim_options){.scheme = "lobato", .step = 0.1}, &err);
    assert_says(err.text, "'lobato'");
    assert_says(err.hint, "'lobatto'");
    refuse_sim(FALLING, &(lv_sim_options){.scheme = "xyzzy", .step = 0.1}, &err);
    assert_true(err.hint[0] != '\0');
}

static void refuse_options(const method *m, lv_error *err)
{
    refuse_sim(
        FALLING,
        &(lv_sim_options){.scheme = m->scheme, .options = method_options(m), .step = 0.1},
        err);
}

static void stages_out_of_range_are_refused(void **state)
{
    (void)state;
    lv_error err;
    refuse_options(&(method){"lobatto", 1, 0}, &err);
    assert_says(err.text, "2 to 20 stages, not 1");
    refuse_options(&(method){"rattle", 3, 0}, &err);
    assert_says(err.text, "2 stages, not 3");
    refuse_options(&(method){"radau", 2, 6}, &err);
    assert_says(err.text, "'radau'");
    assert_says(err.hint,
                "rattle, verlet, lobatto, gauss, ansatz, dpg, livens, em-g, em, vi-b and "
                "vi-b2");
}

/* Of every scheme: what is not in its list of options is refused, by name and with advice. */
static void options_of_other_schemes_are_refused(void **state)
{
    (void)state;
    lv_scheme_info scheme;
    lv_option_info option;
    for (int s = 0; lv_scheme_describe(s, &scheme); s++)
        for (int k = LV_OPTION_COMPOSE + 1; lv_option_describe(k, &option); k++) {
            char says[80];
            lv_error err;
            method m = {scheme.name, 0, 0};
            if (scheme.options >> k & 1)
                continue;
            lv_scheme_option_set(&m.more, (lv_option)k, option.least);
            refuse_options(&m, &err);
            snprintf(says, sizeof says, "scheme '%s' has no option '%s'", scheme.name,
                     option.name);
            assert_says(err.text, says);
            assert_true(err.hint[0] != '\0');
        }
}

static void schemes_list_their_options(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int s = 0; lv_scheme_describe(s, &info); s++) {
        assert_int_equal(info.options >> LV_OPTION_STAGES & 1,
                         info.least_stages < info.most_stages);
        assert_int_equal(info.options >> LV_OPTION_COMPOSE & 1, info.composable);
        assert_int_equal(info.options >> LV_OPTIONS, 0);
    }
}

static void values_no_option_can_have_are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {2.5, -1, 21, 1e300, (double)NAN, (double)INFINITY};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        lv_error err;
        method m = {"lobatto", 0, 0};
        lv_scheme_option_set(&m.more, LV_OPTION_STAGES, wrong[k]);
        refuse_options(&m, &err);
        assert_says(err.text, "option 'stages' must be a whole number from 1 to 20");
    }
}

/* ---- starts ------------------------------------------------------------------------------ */

#define ROD                                                                              \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[2]\"\n"                   \
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"

static void inconsistent_starts_are_refused_with_better_values(void **state)
{
    (void)state;
    lv_error err;
    const lv_sim_options o = {.scheme = "rattle", .step = 0.1};
    refuse_sim("[coordinates]\nq = { value = [1.1, 0], velocity = [0, 1] }\n" ROD, &o,
               &err);
    assert_says(err.text, "'rod' by 0.105");
    assert_says(err.note, "q[1] = 1");
    assert_null(strstr(err.note, "q[2]"));
    assert_says(err.hint, "project");

    refuse_sim("[coordinates]\nq = { value = [0.6, 0.8], velocity = [1, 0] }\n" ROD, &o,
               &err);
    assert_says(err.text, "velocities");
    assert_says(err.text, "'rod' by 0.6");
    assert_says(err.note, "q[1]' = 0.64, q[2]' = -0.48");
    assert_says(err.hint, "project");
}

/* Masses 1 and 4 on the line x + y = 1: of the way there, the lighter one goes four fifths. */
static void projections_are_weighted_by_mass(void **state)
{
    (void)state;
    lv_model *model =
        read_text("[coordinates]\nx = { value = 0, velocity = 1 }\n"
                  "y = { value = 0, velocity = 0 }\n"
                  "[energy]\nkinetic = \"x'^2/2 + 2*y'^2\"\n"
                  "[constraints.line]\nholonomic = \"x + y - 1 - sin(3*t)\"\n"
                  "[run]\ninitial = \"project\"\n");
    lv_sim *sim = start(model, &(method){"rattle", 2, 0}, 0.1);
    assert_close(lv_sim_position(sim)[0], 0.8, 1e-15);
    assert_close(lv_sim_position(sim)[1], 0.2, 1e-15);
    assert_close(lv_sim_velocity(sim)[0], 1 + 2 * 0.8, 1e-15);
    assert_close(lv_sim_velocity(sim)[1], 2 * 0.2, 1e-15);
    assert_close(lv_sim_momentum(sim)[1], 4 * 2 * 0.2, 1e-15);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void projected_starts_are_consistent(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[coordinates]\nq = { value = [1.3, -0.4], velocity = [2, 1] }\n" ROD
        "[run]\ninitial = \"project\"\n",
        COUPLED, CURVED};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        double position = 1, velocity = 1;
        lv_model *model = read_text(texts[k]);
        lv_sim *sim = start(model, &(method){"lobatto", 3, 0}, 0.01);
        lv_sim_residuals(sim, &position, &velocity);
        assert_true(position <= 1e-14 && velocity <= 1e-14);
        lv_sim_free(sim);
        lv_model_free(model);
    }
}

/* ---- states ------------------------------------------------------------------------------ */

static void a_new_simulation_stands_at_the_start(void **state)
{
    (void)state;
    lv_model *model = read_text(TWO_LINK_ARM);
    lv_sim *sim = start(model, &(method){"gauss", 2, 0}, 0.1);
    assert_true(lv_sim_time(sim) == 0);
    assert_int_equal(lv_sim_steps(sim), 0);
    assert_int_equal(lv_sim_constraint_count(sim), 0);
    assert_true(lv_sim_position(sim)[0] == 0.8);
    assert_close(lv_sim_momentum(sim)[0], 0.3, 1e-15);
    assert_close(lv_sim_momentum(sim)[1], -0.1, 1e-15);
    lv_sim_free(sim);
    lv_sim_free(NULL);
    lv_model_free(model);
}

static void time_is_counted_in_whole_steps(void **state)
{
    (void)state;
    lv_model *model = read_text(FALLING);
    lv_sim *sim = start(model, &(method){"verlet", 2, 0}, 0.1);
    step_times(sim, 1000);
    assert_int_equal(lv_sim_steps(sim), 1000);
    assert_true(lv_sim_time(sim) == 1000 * 0.1);
    assert_int_equal(lv_sim_iterations(sim), 0);
    double x = 1 + 2 * 100.0 - 9.81 / 2 * 1e4;
    assert_close(lv_sim_position(sim)[0], x, 1e-12);
    lv_energies e = lv_sim_energies(sim);
    assert_close(e.total, 2 + 9.81, 1e-9);
    assert_true(e.total == e.kinetic + e.potential);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* To the present nothing happens; the past and no time at all are refused and change nothing. */
static void only_the_future_can_be_reached(void **state)
{
    (void)state;
    static const double refused[] = {(double)NAN, (double)INFINITY, -(double)INFINITY,
                                     0.2, -1};
    lv_error err;
    lv_model *model = read_text(FALLING);
    lv_sim *sim = start(model, &(method){"verlet", 2, 0}, 0.1);
    step_times(sim, 3);
    const double now = lv_sim_time(sim), x = lv_sim_position(sim)[0];
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        assert_int_equal(lv_sim_advance(sim, refused[k], &err), LV_ERR_USAGE);
        assert_true(lv_sim_time(sim) == now && lv_sim_position(sim)[0] == x);
    }
    assert_says(err.text, "past");
    assert_int_equal(lv_sim_advance(sim, now, &err), LV_OK);
    assert_int_equal(lv_sim_advance(sim, 0.3, &err), LV_OK); /* 3 * 0.1 is beyond that */
    assert_true(lv_sim_time(sim) == now);
    assert_int_equal(lv_sim_advance(sim, 0.45, &err), LV_OK);
    assert_true(lv_sim_time(sim) == 0.45);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void states_can_be_set(void **state)
{
    (void)state;
    lv_model *model = read_text(CHARGE);
    lv_sim *sim = start(model, &(method){"gauss", 3, 0}, 0.1);
    const double q[3] = {0.5, -0.5, 1}, v[3] = {1, 2, 3};
    step_times(sim, 3);
    move_to(sim, 7, q, v);
    assert_true(lv_sim_time(sim) == 7);
    assert_int_equal(lv_sim_steps(sim), 0);
    double field = 1 + 0.5 * 1.5; /* p = v + field (-y, x, 0) */
    assert_close(lv_sim_momentum(sim)[0], 1 + field * 0.5, 1e-15);
    assert_close(lv_sim_momentum(sim)[1], 2 + field * 0.5, 1e-15);
    assert_close(lv_sim_momentum(sim)[2], 3, 1e-15);
    step_once(sim);
    assert_true(lv_sim_time(sim) == 7 + 0.1);

    lv_error err;
    const double bad[3] = {0, (double)NAN, 0};
    double before = lv_sim_position(sim)[0];
    assert_int_equal(lv_sim_set_state(sim, 0, q, bad, &err), LV_ERR_USAGE);
    assert_int_equal(lv_sim_set_state(sim, 0, bad, v, &err), LV_ERR_USAGE);
    assert_int_equal(lv_sim_set_state(sim, (double)NAN, q, v, &err), LV_ERR_USAGE);
    assert_true(lv_sim_position(sim)[0] == before && lv_sim_time(sim) == 7 + 0.1);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- multipliers ------------------------------------------------------------------------- */

/* The force of a constraint is its gradient times its multiplier. Hanging: q = (0, -1) is the
 * gradient, the rod pulls upwards with the weight, so lambda = -m g. Standing: it pushes. */
static void multipliers_carry_the_sign_of_the_gradient(void **state)
{
    (void)state;
    lv_model *model = read_text("[coordinates]\nq = { value = [0, -1] }\n" ROD);
    lv_sim *sim = start(model, &(method){"lobatto", 3, 0}, 0.1);
    const double up[2] = {0, 1}, still[2] = {0, 0}, fast[2] = {3, 0};
    double lambda = 0;
    lv_error err;
    step_times(sim, 10);
    assert_int_equal(lv_sim_constraint_count(sim), 1);
    assert_int_equal(lv_sim_multipliers(sim, &lambda, &err), LV_OK);
    assert_close(lambda, -9.81, 1e-14);
    assert_close(lv_sim_position(sim)[1], -1, 1e-15);
    move_to(sim, 0, up, still);
    assert_int_equal(lv_sim_multipliers(sim, &lambda, &err), LV_OK);
    assert_close(lambda, 9.81, 1e-14);
    move_to(sim, 0, up, fast);
    assert_int_equal(lv_sim_multipliers(sim, &lambda, &err), LV_OK);
    assert_close(lambda, 9.81 - 9, 1e-14);
    lv_sim_free(sim);
    lv_model_free(model);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Steps until one fails; returns how many succeeded. The state must be that of the last one. */
static int run_into(const char *text, const method *m, double step, lv_error *err)
{
    double q[4], v[4];
    lv_model *model = read_text(text);
    lv_sim *sim = start(model, m, step);
    size_t bytes = (size_t)lv_model_coordinate_count(model) * sizeof *q;
    lv_status status = LV_OK;
    int steps = 0;
    for (; steps < 10000 && status == LV_OK; steps++) {
        memcpy(q, lv_sim_position(sim), bytes);
        memcpy(v, lv_sim_velocity(sim), bytes);
        status = lv_sim_step(sim, err);
    }
    if (status == LV_OK)
        fail_msg("%s: nothing fails", m->scheme);
    steps--;
    assert_int_equal(err->code, status);
    assert_memory_equal(q, lv_sim_position(sim), bytes);
    assert_memory_equal(v, lv_sim_velocity(sim), bytes);
    assert_int_equal(lv_sim_steps(sim), steps);
    assert_true(lv_sim_time(sim) == steps * step);
    assert_int_equal(lv_sim_step(sim, NULL), status);
    lv_sim_free(sim);
    lv_model_free(model);
    return steps;
}

/* x' = sqrt(8) x^2, nearly: infinite soon after t = 0.35. Equations of implicit schemes may have solutions beyond, so that
 * some go on for a while. */
static void a_blow_up_says_when_and_what_to_do(void **state)
{
    (void)state;
    static const method methods[] = {{"verlet", 2, 0},
                                     {"lobatto", 3, 0},
                                     {"gauss", 3, 0},
                                     {"radau", 2, 0},
                                     {"verlet", 2, 6}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_error err;
        char when[60];
        int steps = run_into("[coordinates]\nx = { value = 1, velocity = 2 }\n"
                             "[energy]\nkinetic = \"x'^2/2\"\npotential = \"-4*x^4\"\n",
                             &methods[k], 0.01, &err);
        assert_true(err.code == LV_ERR_NUMERIC || err.code == LV_ERR_DOMAIN);
        assert_true(steps > 20 && steps < 100);
        snprintf(when, sizeof when, "stopped at step %d, t = %g (step 0.01): ", steps + 1,
                 steps * 0.01);
        assert_says(err.text, when);
        if (err.code == LV_ERR_NUMERIC)
            assert_says(err.hint, "smaller step");
        else
            assert_says(err.text, "overflow");
    }
}

/* x falls below 0 at t = 1.04, where the force has no value. */
static void a_domain_error_shows_the_formula_and_the_time(void **state)
{
    (void)state;
    static const method methods[] = {
        {"verlet", 2, 0}, {"lobatto", 3, 0}, {"lobatto", 5, 0},
        {"gauss", 2, 0},  {"gauss", 4, 0},   {"radau", 2, 0},
        {"rattle", 2, 4}, {"lobatto", 3, 6}, {"gauss", 1, 8}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_error err;
        char when[60];
        int steps = run_into("[coordinates]\nx = { value = 0.5, velocity = -0.5 }\n"
                             "[energy]\nkinetic = \"x'^2/2\"\n"
                             "[forces.pull]\non = \"x\"\nforce = \"0.1*sqrt(x)\"\n",
                             &methods[k], 0.03, &err);
        assert_int_equal(err.code, LV_ERR_DOMAIN);
        assert_in_range(steps, 33, 36);
        snprintf(when, sizeof when, "stopped at step %d, t = %g (step 0.03): ", steps + 1,
                 steps * 0.03);
        assert_says(err.text, when);
        assert_says(err.text, "sqrt(-0.0");
        assert_int_equal(err.line, 7);
        assert_int_equal(err.column, 14);
        assert_says(err.source, "0.1*sqrt(x)");
    }
}

/* The last step of lv_sim_advance, which is shorter, says how long it was. */
static void a_shortened_step_that_fails_says_its_size(void **state)
{
    (void)state;
    lv_error err;
    lv_model *model = read_text("[coordinates]\nx = { value = 0.5, velocity = -5 }\n"
                                "[energy]\nkinetic = \"x'^2/2\"\n"
                                "[forces.pull]\non = \"x\"\nforce = \"sqrt(x)\"\n");
    lv_sim *sim = start(model, &(method){"verlet", 2, 0}, 10);
    assert_int_equal(lv_sim_advance(sim, 2.5, &err), LV_ERR_DOMAIN);
    assert_says(err.text, "stopped at step 1, t = 0 (step 2.5): ");
    lv_sim_free(sim);
    lv_model_free(model);
}

/* A domain error inside a constraint. */
static void a_domain_error_of_a_constraint_shows_its_place(void **state)
{
    (void)state;
    static const method methods[] = {
        {"rattle", 2, 0}, {"lobatto", 3, 0}, {"lobatto", 2, 8}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        lv_error err;
        run_into("[coordinates]\nx = { value = 0.5, velocity = -0.5 }\ny = 0.7\n"
                 "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"2*x\"\n"
                 "[constraints.track]\nholonomic = \"y - 0.7 - log(2*x)\"\n"
                 "[run]\ninitial = \"project\"\n",
                 &methods[k], 0.1, &err);
        assert_int_equal(err.code, LV_ERR_DOMAIN);
        assert_int_equal(err.line, 8);
        assert_says(err.text, "log(-");
    }
}

/* Every scheme that takes it runs into the root, composed or not, and says so. */
static void every_scheme_names_the_formula_it_cannot_evaluate(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++)
        for (int compose = 0; compose <= 6; compose += 6) {
            lv_error err;
            if (!info.holonomic || info.only ||
                (compose > 0 && (!info.composable || info.composes_only)))
                continue;
            run_into("[coordinates]\nx = { value = 0.6, velocity = 0.8 }\n"
                     "y = { value = 0.8, velocity = -0.6 }\n[energy]\n"
                     "kinetic = \"(x'^2 + y'^2)/2\"\npotential = \"9.81*y\"\n"
                     "[constraints.arc]\nholonomic = \"y - sqrt(1 - x^2)\"\n",
                     &(method){info.name, 0, compose}, 0.05, &err);
            if (err.code != LV_ERR_DOMAIN || err.why != LV_WHY_DOMAIN ||
                err.about != LV_ABOUT_FORMULA || err.line != 8 || err.column != 18)
                fail_msg("%s, %d: %s", info.name, compose, err.text);
            assert_says(err.text, "sqrt(-");
        }
}

/* No root of the step's equations: the facts say why and what it is about. */
static void failed_steps_have_facts(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rattle", "lobatto", "dpg", "em", "livens"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        lv_error err;
        run_into("[coordinates]\nq = { value = [0, 1], velocity = [0, 0] }\n"
                 "[energy]\nkinetic = \"norm2(q')/2\"\n"
                 "[constraints]\nrod = { holonomic = \"(norm2(q) - 1)/2\" }\n"
                 "push = { holonomic = \"q[1] - t^2\" }\n",
                 &(method){schemes[k], 0, 0}, 0.01, &err);
        assert_int_equal(err.code, LV_ERR_NUMERIC);
        assert_true(err.why != LV_WHY_OTHER);
        assert_true(err.about != LV_ABOUT_NOTHING);
        if (err.about == LV_ABOUT_CONSTRAINT)
            assert_true(strcmp(err.name, "rod") == 0 || strcmp(err.name, "push") == 0);
    }
}

/* Where constraints meet the end of what they can do: the crank is too short. */
static void a_locked_constraint_is_named(void **state)
{
    (void)state;
    lv_error err;
    int steps = run_into("[coordinates]\nq = { value = [0, 1], velocity = [0, 0] }\n"
                         "[energy]\nkinetic = \"norm2(q')/2\"\n"
                         "[constraints]\nrod = { holonomic = \"(norm2(q) - 1)/2\" }\n"
                         "push = { holonomic = \"q[1] - t^2\" }\n",
                         &(method){"lobatto", 3, 0}, 0.01, &err);
    assert_int_equal(err.code, LV_ERR_NUMERIC);
    assert_in_range(steps, 95, 100);
    assert_true(strstr(err.note, "'rod'") || strstr(err.note, "'push'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(options_come_from_the_model),
        RUN(steps_must_be_given_and_positive),
        RUN(unknown_schemes_get_a_suggestion),
        RUN(stages_out_of_range_are_refused),
        RUN(options_of_other_schemes_are_refused),
        RUN(schemes_list_their_options),
        RUN(values_no_option_can_have_are_refused),
        RUN(inconsistent_starts_are_refused_with_better_values),
        RUN(projections_are_weighted_by_mass),
        RUN(projected_starts_are_consistent),
        RUN(a_new_simulation_stands_at_the_start),
        RUN(time_is_counted_in_whole_steps),
        RUN(only_the_future_can_be_reached),
        RUN(states_can_be_set),
        RUN(multipliers_carry_the_sign_of_the_gradient),
        RUN(a_blow_up_says_when_and_what_to_do),
        RUN(a_domain_error_shows_the_formula_and_the_time),
        RUN(a_shortened_step_that_fails_says_its_size),
        RUN(a_domain_error_of_a_constraint_shows_its_place),
        RUN(every_scheme_names_the_formula_it_cannot_evaluate),
        RUN(failed_steps_have_facts),
        RUN(a_locked_constraint_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
