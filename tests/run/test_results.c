/* Outputs of multipliers, momenta, energies and accelerations: each model has outputs that are zero if these are
 * what closed forms say, in every row. */
#include "../claims/moving.h"

#include "run/run.h"

#include <math.h>

/* A sink that keeps the largest value of every output. */
typedef struct listener {
    lv_sink sink;
    const lv_channel *outputs;
    double largest[20];
    int rows;
    int width; /* of the outputs; these are gone when the run is */
} listener;

static lv_status listen_row(lv_sink *sink, lv_error *err)
{
    listener *l = (listener *)sink;
    (void)err;
    for (int k = 0; k < l->outputs->width; k++)
        l->largest[k] = fabs(l->outputs->values[k]) <= l->largest[k]
                            ? l->largest[k]
                            : fabs(l->outputs->values[k]);
    l->rows++;
    return LV_OK;
}

static lv_status listen_flush(lv_sink *sink, const lv_checkpoint *checkpoint,
                              lv_error *err)
{
    (void)sink, (void)checkpoint, (void)err;
    return LV_OK;
}

static lv_status listen_close(lv_sink *sink, lv_error *err)
{
    (void)sink, (void)err;
    return LV_OK;
}

static lv_status listen_open(void *user, lv_sink **sink, const lv_channels *channels,
                             lv_error *err)
{
    listener *l = user;
    (void)err;
    l->sink = (lv_sink){listen_row, listen_flush, listen_close, NULL};
    for (int k = 0; k < channels->count; k++)
        if (strcmp(channels->list[k].name, "outputs") == 0)
            l->outputs = &channels->list[k];
    assert_non_null(l->outputs);
    assert_in_range(l->outputs->width, 1, 20);
    l->width = l->outputs->width;
    *sink = &l->sink;
    return LV_OK;
}

/* Outputs at the end, with and without somebody who wants the rows. */
static void assert_small(const lv_run_summary *run, double limit)
{
    assert_true(run->output_count > 0);
    for (int k = 0; k < run->output_count; k++) {
        const lv_output *output = &run->outputs[k];
        for (int j = 0; j < (output->length > 0 ? output->length : 1); j++)
            if (!(fabs(output->values[j]) <= limit))
                fail_msg("%s is %g at the end", output->name, output->values[j]);
    }
}

static void assert_zero_by(const char *text, const char *scheme, double sample, int rows)
{
    const double limit = 1e-12;
    lv_error err;
    lv_model *model = read_text(text);
    listener l = {.rows = 0};
    const lv_tap tap = {listen_open, &l};
    for (int silent = 0; silent < 2; silent++) {
        lv_run_summary *run = NULL;
        lv_run_request request = lv_run_request_default(model);
        request.sim.scheme = scheme;
        request.sim.step = 0.05;
        request.until = 1;
        request.sample = sample;
        if (lv_run_tapped(&run, model, &request, silent ? NULL : &tap, &err) != LV_OK)
            fail_with(&err);
        assert_int_equal(run->warning_count, 0);
        assert_small(run, limit);
        lv_run_summary_free(run);
    }
    assert_int_equal(l.rows, rows);
    for (int k = 0; k < l.width; k++)
        if (!(l.largest[k] <= limit))
            fail_msg("output %d is %g in a row", k, l.largest[k]);
    lv_model_free(model);
}

static void assert_zero(const char *text)
{
    assert_zero_by(text, "lobatto", 0, 21);
}

/* lambda of |r|^2/2 - l^2/2 makes r . r'' = -|r'|^2, also at states that are not on the circle. */
#define PENDULUM                                                                         \
    "[parameters]\nm = 2\ng = 9.81\nl = 1.5\n"                                           \
    "[coordinates]\nr = { value = [\"l*sin(1)\", \"-l*cos(1)\"], velocity = [0, 0] }\n"  \
    "[definitions]\nspeed = \"norm2(r')/2\"\n"                                           \
    "[energy]\nkinetic = \"m/2*norm2(r')\"\npotential = \"m*g*r[2]\"\n"                  \
    "[constraints]\nrod = { holonomic = \"norm2(r)/2 - l^2/2\" }\n"                      \
    "[outputs]\n"                                                                        \
    "multiplier = \"lambda.rod - m*(g*r[2] - norm2(r'))/norm2(r)\"\n"                    \
    "acceleration = [\"m*r''[1] - lambda.rod*r[1]\", \"m*r''[2] + m*g - "                \
    "lambda.rod*r[2]\"]\n"                                                               \
    "energies = [\"E - T - V\", \"T - m*speed\", \"V - m*g*r[2]\"]\n"                    \
    "momentum = \"p.r - m*r'\"\n"                                                        \
    "second = \"norm2(r)''/2 - dot(r, r'') - norm2(r')\"\n"                              \
    "power = \"speed' - dot(r', r'')\"\n"

static void the_pendulum_has_its_rod_force(void **state)
{
    (void)state;
    assert_zero(PENDULUM);
}

static void rows_between_nodes_have_results_of_their_own(void **state)
{
    (void)state;
    assert_zero_by(PENDULUM, "lobatto", 0.015, 68);
}

static void a_free_fall_is_accelerated_by_gravity(void **state)
{
    (void)state;
    assert_zero("[coordinates]\ny = { value = 3, velocity = 2 }\n"
                "[energy]\nkinetic = \"y'^2\"\npotential = \"2*9.81*y\"\n"
                "[outputs]\nfall = \"y'' + 9.81\"\nkept = \"E - 2^2 - 2*9.81*3\"\n");
}

/* L = (1 + x^2) x'^2/2: (1 + x^2) x'' + x x'^2 = 0. */
static void masses_that_vary_have_momenta_and_accelerations(void **state)
{
    (void)state;
    assert_zero("[coordinates]\nx = { value = 0.3, velocity = 0.7 }\n"
                "[energy]\nlagrangian = \"(1 + x^2)*x'^2/2\"\n"
                "[outputs]\nmomentum = \"p.x - (1 + x^2)*x'\"\n"
                "acceleration = \"(1 + x^2)*x'' + x*x'^2\"\n"
                "energy = \"E - p.x^2/(2*(1 + x^2))\"\n");
}

/* A chain that hangs at rest: link i carries the masses from i on. */
static void members_of_families_have_their_own_multipliers(void **state)
{
    (void)state;
    assert_zero("[parameters]\nN = 5\n"
                "[coordinates]\nq = { count = \"N\", value = [0, \"-i\"] }\n"
                "[energy.all]\nfor = \"i = 1..N\"\nkinetic = \"norm2(q_i')/2\"\n"
                "potential = \"9.81*q_i[2]\"\n"
                "[constraints.top]\nholonomic = \"q_1 - [0, -1]\"\n"
                "[constraints.link]\nfor = \"i = 2..N\"\n"
                "holonomic = \"(norm2(q_i - q_{i-1}) - 1)/2\"\n"
                "[outputs]\nfirst = \"lambda.link_2 + 4*9.81\"\n"
                "last = \"lambda.link_N + 9.81\"\nthird = \"lambda.link_3 + 3*9.81\"\n"
                "top = \"lambda.top - [0, 5*9.81]\"\n"
                "component = \"lambda.top[2] - 5*9.81\"\n"
                "momentum = \"p.q_3 - q_3'\"\n"
                "before = \"lambda.link_{N-1} + 2*9.81 + p.q_{N-1}[1]\"\n");
}

/* Each coordinate is held against the force -k. */
static void families_of_two_indices_have_multipliers(void **state)
{
    (void)state;
    assert_zero("[coordinates]\nx = { count = 4, value = 0 }\n"
                "free = { value = 1, velocity = 1 }\n"
                "[energy.free]\nkinetic = \"free'^2/2\"\n"
                "[energy.all]\nfor = \"k = 1..4\"\nkinetic = \"x_k'^2/2\"\n"
                "potential = \"k*x_k\"\n"
                "[constraints.pin]\nfor = \"i = 1..2, j = 1..2\"\n"
                "holonomic = \"x_{2*i + j - 2}\"\n"
                "[outputs]\na = \"lambda.pin_1_1 - 1\"\nb = \"lambda.pin_1_2 - 2\"\n"
                "c = \"lambda.pin_2_1 - 3\"\nd = \"lambda.pin_2_2 - 4\"\n");
}

/* Nonholonomic constraints stand behind the holonomic ones, wherever they are declared. */
static void nonholonomic_constraints_have_multipliers(void **state)
{
    (void)state;
    assert_zero_by(
        "[coordinates]\nx = { value = 1, velocity = 1 }\ny = 0\nz = 0\n"
        "[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
        "potential = \"2*y + 3*z\"\n"
        "[constraints.slide]\nnonholonomic = \"y'\"\n"
        "[constraints.floor]\nholonomic = \"z\"\n"
        "[outputs]\nslide = \"lambda.slide - 2\"\nfloor = \"lambda.floor - 3\"\n",
        "lobatto", 0, 21);
}

/* Momenta of a Hamiltonian are replaced in outputs, which keep their other inputs. */
static void hamiltonians_have_results(void **state)
{
    (void)state;
    assert_zero("[coordinates]\nz = 0\nx = { value = 1, velocity = 2 }\n"
                "y = { value = 2, velocity = 4 }\n"
                "[energy]\nhamiltonian = \"p_z^2/2 + p_x^2/2 + p_y^2/6 + z + x + 9*y\"\n"
                "[constraints.floor]\nholonomic = \"z\"\n"
                "[constraints.line]\nholonomic = \"y - 2*x\"\n"
                "[outputs]\nplain = \"p.y - p_y\"\n"
                "mixed = \"p_y*(lambda.floor - 1) + p_x - p.x\"\n"
                "fall = \"3*y'' + 9 - lambda.line + p_z*x''\"\n"
                "energy = \"E - p_x^2/2 - p_y^2/6 - x - 9*y\"\n");
}

/* Names of the user's come first. */
static void own_names_stay_what_they_are(void **state)
{
    (void)state;
    assert_zero("[parameters]\nE = 5\nT = 1\np = 2\nlambda = 3\n"
                "[coordinates]\nx = { value = 1, velocity = 1 }\n"
                "[energy]\nkinetic = \"x'^2/2\"\n"
                "[outputs]\nown = \"E + p + lambda - 10*T\"\nposition = \"x - 1 - t\"\n"
                "momentum = \"p.x - 1\"\nenergy = \"V\"\n");
}

static void results_that_do_not_exist_are_not_finite(void **state)
{
    (void)state;
    lv_error err;
    lv_run_summary *run = NULL;
    lv_model *model = read_text("[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\n"
                                "[outputs]\nbad = \"1/x''\"\n");
    lv_run_request request = lv_run_request_default(model);
    request.sim.scheme = "lobatto";
    request.sim.step = 0.1;
    request.until = 1;
    if (lv_run(&run, model, &request, &err) != LV_OK)
        fail_with(&err);
    assert_int_equal(run->warning_count, 1);
    assert_non_null(strstr(run->warnings[0], "output 'bad'"));
    lv_run_summary_free(run);
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_pendulum_has_its_rod_force),
        RUN(rows_between_nodes_have_results_of_their_own),
        RUN(a_free_fall_is_accelerated_by_gravity),
        RUN(masses_that_vary_have_momenta_and_accelerations),
        RUN(members_of_families_have_their_own_multipliers),
        RUN(families_of_two_indices_have_multipliers),
        RUN(nonholonomic_constraints_have_multipliers),
        RUN(hamiltonians_have_results),
        RUN(own_names_stay_what_they_are),
        RUN(results_that_do_not_exist_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
