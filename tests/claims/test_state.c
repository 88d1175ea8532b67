/* States: the same bits every time, intact after a failure; and systems that schemes refuse. */
#include "hand_over.h"
#include "pairs.h"
#include "run/sim.h"

enum { MOST = 16 };

/* A copy of what a simulation has reached. */
typedef struct snapshot {
    double t;
    long long steps;
    double numbers[3 * MOST];
} snapshot;

static snapshot take(const lv_sim *sim, int n)
{
    snapshot s = {.t = lv_sim_time(sim), .steps = lv_sim_steps(sim)};
    memcpy(s.numbers, lv_sim_position(sim), (size_t)n * sizeof(double));
    memcpy(s.numbers + MOST, lv_sim_velocity(sim), (size_t)n * sizeof(double));
    memcpy(s.numbers + (size_t)2 * MOST, lv_sim_momentum(sim),
           (size_t)n * sizeof(double));
    return s;
}

static bool same_bits(const snapshot *a, const snapshot *b)
{
    return a->t == b->t && a->steps == b->steps &&
           memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0;
}

/* What every method owes to every system that it takes: a test fails by itself and returns 0. */
static void for_all_pairs(const char *title, double (*test)(const pair *p))
{
    check_claim(&(claim){title, NULL, NULL, test, 0, 4});
}

static void fail_pair(const pair *p, const char *what)
{
    char name[METHOD_NAME];
    fail_msg("%s on %s: %s", method_name(p->method, name, sizeof name), p->system->name,
             what);
}

/* ---- the same bits ------------------------------------------------------------------------- */

static void advance(lv_sim *sim, double until)
{
    lv_error err;
    if (lv_sim_advance(sim, until, &err) != LV_OK)
        fail_with(&err);
}

/* Twelve steps: one by one, at once, and with stops at multiples of the step. */
static double compare_ways(const pair *p)
{
    const method *m = p->method;
    const lv_model *model = p->model;
    double h = p->system->long_step;
    int n = lv_model_coordinate_count(model);
    lv_sim *steps = start(model, m, h), *once = start(model, m, h),
           *stops = start(model, m, h);
    step_times(steps, 12);
    advance(once, 12 * h);
    advance(stops, 3 * h);
    advance(stops, 3 * h);
    advance(stops, 4 * h);
    advance(stops, 12 * h);
    const snapshot a = take(steps, n), b = take(once, n), c = take(stops, n);
    if (!same_bits(&a, &b) || !same_bits(&a, &c))
        fail_pair(p, "the bits depend on the calls");
    lv_sim_free(steps);
    lv_sim_free(once);
    lv_sim_free(stops);
    return 0;
}

static void bits_do_not_depend_on_how_time_passes(void **state)
{
    (void)state;
    for_all_pairs("calls", compare_ways);
}

/* What is handed over at some of the steps goes on with the same bits. */
static double continue_elsewhere(const pair *p)
{
    const method *m = p->method;
    const lv_model *model = p->model;
    enum { PARTS = 3, STEPS = 9 };
    const int n = lv_model_coordinate_count(model);
    const double h = 0.5 * p->system->long_step;
    lv_sim *sim = start(model, m, h), *other = start(model, m, h);
    for (int k = 0; k < PARTS; k++) {
        step_times(sim, STEPS);
        hand_over(other, sim);
        step_times(sim, STEPS);
        step_times(other, STEPS);
        const snapshot here = take(sim, n), there = take(other, n);
        if (!same_bits(&here, &there))
            fail_pair(p, "a simulation that goes on elsewhere has other bits");
    }
    lv_sim_free(sim);
    lv_sim_free(other);
    return 0;
}

static void checkpoints_hold_all_that_matters(void **state)
{
    (void)state;
    for_all_pairs("hand-over", continue_elsewhere);
}

/* A state that is set begins like a simulation that starts there. */
static double set_again(const pair *p)
{
    const method *m = p->method;
    const lv_model *model = p->model;
    int n = lv_model_coordinate_count(model);
    lv_sim *sim = start(model, m, p->system->long_step);
    const snapshot first = take(sim, n);
    step_times(sim, 4);
    const snapshot once = take(sim, n);
    move_to(sim, 0, first.numbers, first.numbers + MOST);
    const snapshot again = take(sim, n);
    if (!same_bits(&first, &again))
        fail_pair(p, "a state that is set differs");
    step_times(sim, 4);
    const snapshot twice = take(sim, n);
    if (!same_bits(&once, &twice))
        fail_pair(p, "something is remembered over a state that was set");
    lv_sim_free(sim);
    return 0;
}

static void setting_the_state_begins_anew(void **state)
{
    (void)state;
    for_all_pairs("set", set_again);
}

static void a_shortened_last_step_lands_on_the_time(void **state)
{
    (void)state;
    lv_model *model = read_text(SPHERICAL_PENDULUM);
    lv_sim *sim = start(model, &(method){"lobatto", 5, 0}, 0.01);
    lv_sim *other = start(model, &(method){"lobatto", 5, 0}, 0.0085);
    advance(sim, 0.255);
    assert_true(lv_sim_time(sim) == 0.255);
    advance(other, 0.255);
    assert_below(distance(lv_sim_position(sim), lv_sim_position(other), 3), 1e-13);
    lv_error err;
    assert_int_equal(lv_sim_advance(sim, 0.1, &err), LV_ERR_USAGE); /* that is over */
    assert_true(lv_sim_time(sim) == 0.255);
    lv_sim_free(sim);
    lv_sim_free(other);
    lv_model_free(model);
}

/* ---- failures ------------------------------------------------------------------------------- */

/* What a scheme carries; a copy of it puts the scheme back where it was. */
typedef struct carried {
    double numbers[32000];
    size_t bytes;
} carried;

static carried take_carried(lv_sim *sim)
{
    carried c;
    lv_memory_view view = sim->scheme->memory(sim->work);
    c.bytes = (size_t)view.count * sizeof *view.numbers;
    assert_true(c.bytes <= sizeof c.numbers);
    memcpy(c.numbers, view.numbers, c.bytes);
    return c;
}

static void put_back(lv_sim *sim, const snapshot *before, const carried *c, int n)
{
    const double *q = before->numbers, *v = q + MOST;
    memcpy(sim->state.q, q, (size_t)n * sizeof *q);
    memcpy(sim->state.v, v, (size_t)n * sizeof *v);
    memcpy(sim->state.p, v + MOST, (size_t)n * sizeof *v);
    sim->state.t = before->t;
    sim->scheme->forget(sim->work); /* as those who go on with a run do */
    memcpy(sim->scheme->memory(sim->work).numbers, c->numbers, c->bytes);
}

/* Makes a step fail by its size; false if no size does. */
static bool fail_a_step(lv_sim *sim, const snapshot *before, int n)
{
    static const double sizes[] = {1e3, 1e6, 1e150, 1e300};
    const carried c = take_carried(sim);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        lv_error err;
        if (lv_sim_step_by(sim, sizes[k], &err) != LV_OK) {
            assert_true(err.text[0] != '\0');
            return true;
        }
        put_back(sim, before, &c, n);
    }
    return false;
}

static double fail_and_go_on(const pair *p)
{
    const method *m = p->method;
    const lv_model *model = p->model;
    if (begins_with_kick(m)) /* again, when a past is forgotten */
        return 0;
    int n = lv_model_coordinate_count(model);
    lv_sim *sim = start(model, m, p->system->long_step),
           *other = start(model, m, p->system->long_step);
    step_times(sim, 5);
    step_times(other, 5);
    const snapshot before = take(sim, n);
    if (!fail_a_step(sim, &before, n))
        fail_pair(p, "no step is too large");
    const snapshot after = take(sim, n);
    if (!same_bits(&before, &after))
        fail_pair(p, "a failed step changes the state");
    step_times(sim, 3);
    step_times(other, 3);
    const snapshot a = take(sim, n), b = take(other, n);
    double size = fmax(1, largest(b.numbers, 3 * MOST));
    double allowed = (is_partitioned(m->scheme) ? 1e-13 : 1e-11) * size;
    bool same = m->compose == 0
                    ? same_bits(&a, &b)
                    : distance(a.numbers, b.numbers, 3 * MOST) < allowed && a.t == b.t;
    if (!same)
        fail_pair(p, "a failed step is felt afterwards");
    lv_sim_free(sim);
    lv_sim_free(other);
    return 0;
}

/* A composition forgets, when it fails in its middle, what it would have predicted from. */
static void a_failed_step_leaves_no_trace(void **state)
{
    (void)state;
    for_all_pairs("failure", fail_and_go_on);
}

/* ---- refusals --------------------------------------------------------------------------------- */

static void check_refused(const char *text, const method *m, const char *reason)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_model *model = read_text(text);
    lv_status status = try_start(&sim, model, m, 0.01, &err);
    if (status != LV_ERR_MODEL || sim || !strstr(err.text, m->scheme) ||
        !strstr(err.text, reason) || err.hint[0] == '\0')
        fail_msg("%s: status %s, '%s', hint '%s'", m->scheme, lv_status_name(status),
                 err.text, err.hint);
    lv_model_free(model);
}

/* Sanitizers see the pairs of some diagonals, so that every method and every system is among them. */
static void methods_take_and_refuse_what_their_descriptors_say(void **state)
{
    (void)state;
    pair_set set;
    int broken = 0;
    pair_set_init(&set, 12);
    for (int k = 0; k < set.count; k++)
        for (int s = 0; s < TEST_SYSTEMS; s++)
            if ((k + s) % ONE_OF == 0)
                broken +=
                    !keeps_its_word(&set.methods[k], &test_systems[s], set.models[s]);
    pair_set_done(&set);
    assert_int_equal(broken, 0);
}

#define SINGULAR                                                                         \
    "[coordinates]\nx = 0\ny = 0\n[energy]\nkinetic = \"(x' + y')^2/2\"\n"               \
    "potential = \"x^2 + y^2\"\n"
#define WEIGHTLESS                                                                       \
    "[coordinates]\nx = 0\ny = 1\n[energy]\nkinetic = \"y^2*y'^2\"\n"                    \
    "potential = \"x^2\"\n"
#define BLADE                                                                            \
    "[coordinates]\nx = 0\ny = 1\nz = 0\n[energy]\nkinetic = \"(x'^2 + y'^2 + "          \
    "z'^2)/2\"\n"                                                                        \
    "[constraints.blade]\nnonholonomic = \"z' - y*x'\"\n"

static void systems_that_do_not_fit_are_refused_with_a_reason(void **state)
{
    (void)state;
    lv_scheme_info info;
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        const method m = {info.name, info.default_stages, 0};
        if (!is_partitioned(info.name))
            continue;
        check_refused(SINGULAR, &m, "singular");
        check_refused(WEIGHTLESS, &m, "singular");
        if (!info.nonholonomic)
            check_refused(BLADE, &m, "nonholonomic");
        if (!info.holonomic) {
            check_refused(SPHERICAL_PENDULUM, &m, "holonomic");
            check_refused(COUPLED_FORCED, &m, "holonomic");
        }
    }
}

#define VANISHING_FIELD                                                                  \
    "[coordinates]\nx = { value = 0, velocity = 1 }\n"                                   \
    "y = { value = 0, velocity = 0.5 }\n"                                                \
    "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n"                                          \
    "[energy.field]\nlagrangian = \"x*y'\"\n"

/* p = (x', y' + x): the term that is linear in the velocities vanishes at the start. Whoever takes
 * it must integrate it: x = (1 - cos t)/2 + sin t. */
static void terms_that_vanish_at_the_start_are_seen(void **state)
{
    (void)state;
    lv_scheme_info info;
    lv_model *model = read_text(VANISHING_FIELD);
    for (int k = 0; lv_scheme_describe(k, &info); k++) {
        const method m = {info.name, info.default_stages, 0};
        if (!info.any_lagrangian) {
            check_refused(VANISHING_FIELD, &m, "linear terms");
            continue;
        }
        lv_sim *sim = start(model, &m, 0.01);
        step_times(sim, 200);
        double error = lv_sim_position(sim)[0] - (0.5 - 0.5 * cos(2) + sin(2));
        if (!(fabs(error) < 0.02))
            fail_msg("%s: error %.1e", info.name, error);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

static void options_out_of_range_are_refused(void **state)
{
    (void)state;
    static const method wrong[] = {
        {"rattle", 3, 0},  {"lobatto", 1, 0}, {"lobatto", 21, 0}, {"gauss", 21, 0},
        {"gauss", 1, 5},   {"gauss", 1, 10},  {"radau", 2, 4},    {"lobatto", 4, 4},
        {"rattle", 2, -4}, {"lobatto", 3, 2}, {"lobatto", -1, 0}, {"rattle", 2, 2},
        {"gauss", 1, 2},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        lv_claims claims;
        lv_error err;
        const lv_scheme_options options = method_options(&wrong[k]);
        lv_status status = lv_scheme_claims(&claims, wrong[k].scheme, &options, &err);
        if (status != LV_ERR_MODEL || err.code != status || err.text[0] == '\0')
            fail_msg("%s, %d stages, composed to %d: %s '%s'", wrong[k].scheme,
                     wrong[k].stages, wrong[k].compose, lv_status_name(status), err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(bits_do_not_depend_on_how_time_passes),
        RUN(checkpoints_hold_all_that_matters),
        RUN(setting_the_state_begins_anew),
        RUN(a_shortened_last_step_lands_on_the_time),
        RUN(a_failed_step_leaves_no_trace),
        RUN(methods_take_and_refuse_what_their_descriptors_say),
        RUN(systems_that_do_not_fit_are_refused_with_a_reason),
        RUN(terms_that_vanish_at_the_start_are_seen),
        RUN(options_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
