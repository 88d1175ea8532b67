/* The series of velocities against the stages of the same scheme; and its multipliers, digits of
 * the specification "Galerkin in time", E2. */
#include "two_ways.h"

#include "galerkin_rows.h"
#include "printed.h"

/* ---- two ways ---------------------------------------------------------------------------------------- */

/* Of positions, in the middle of the last step. */
static double difference_inside(ways *w, const lv_state *before, double h)
{
    double q[WAYS][WAYS_MOST];
    for (int by = 0; by < WAYS; by++) {
        const lv_slopes slopes = slopes_of(w, (way)by, before, h);
        lv_dense_position(&slopes, LV_DENSE_RAW, w->n, 0.4, q[by]);
    }
    return distance(q[BY_SERIES], q[BY_STAGES], w->n);
}

/* Every step from the state that the stages reached: the series with and without a prediction. NAN:
 * the series was not found. Inside of steps, too. */
static double difference(const char *text, const lv_ansatz *ansatz, int coefficients,
                         double h, bool predict)
{
    ways w;
    own_state by_stages, before;
    lv_error err;
    double worst = 0;
    lv_model *model = read_text(text);
    ways_init(&w, model, ansatz, coefficients);
    int n = w.sim->system->n;
    own_copy(&by_stages, &w.sim->state, n);
    for (int k = 0; k < 8; k++) {
        own_state by_series;
        own_copy(&by_series, &by_stages.state, n);
        if (!predict)
            lv_stepper_forget(w.stepper[BY_SERIES]);
        own_copy(&before, &by_stages.state, n);
        if (take_step(&w, BY_STAGES, &by_stages.state, h, &err) != LV_OK)
            fail_with(&err);
        bool done = take_step(&w, BY_SERIES, &by_series.state, h, &err) == LV_OK;
        double size = fmax(1, largest(by_stages.v, n));
        double d = fmax(distance(by_series.q, by_stages.q, n),
                        distance(by_series.v, by_stages.v, n) / size);
        d = fmax(d, done ? difference_inside(&w, &before.state, h) : 0);
        worst = done && d <= worst ? worst : done ? d : (double)NAN;
    }
    ways_done(&w);
    lv_model_free(model);
    return worst;
}

typedef struct case_of {
    const char *name, *text;
    double step, allowed;
} case_of;

/* Stiff springs make more of rounding. */
static const case_of cases[] = {
    {"henon-heiles", HENON_HEILES, 0.2, 1e-14},
    {"spherical", SPHERICAL_PENDULUM, 0.02, 1e-13},
    {"torus", TORUS, 0.1, 1e-13},
    {"double pendulum", DOUBLE_PENDULUM, 0.02, 1e-13},
    {"pivot", MOVING_PIVOT, 0.05, 1e-13},
    {"four particles", FOUR_PARTICLES, 0.005, 3e-13},
};

static const lv_rule all_rules[] = {LV_RULE_GAUSS, LV_RULE_RADAU_RIGHT,
                                    LV_RULE_RADAU_LEFT, LV_RULE_LOBATTO};

/* With as many points as make the full order, and one more. */
static int check_rules(const case_of *c, lv_closure closure, int degree)
{
    int wrong = 0;
    bool jumps = closure != LV_CLOSURE_C;
    for (int r = 0; r < 4; r++)
        for (int more = 0; more <= 1; more++) {
            int least = jumps ? degree + 1 : degree;
            least += all_rules[r] == LV_RULE_LOBATTO;
            const lv_ansatz a = {all_rules[r], least + more, closure, degree};
            int coefficients = jumps ? degree : degree - 1;
            for (int predict = 0; predict <= 1; predict++) {
                double d = difference(c->text, &a, coefficients, c->step, predict);
                if (d <= c->allowed)
                    continue;
                print_message("%s, closure %d, degree %d, rule %d with %d: %.1e !\n",
                              c->name, (int)closure, degree, (int)a.rule, a.points, d);
                wrong++;
            }
        }
    return wrong;
}

static void series_and_stages_agree_for_every_closure_and_rule(void **state)
{
    (void)state;
    static const lv_closure closures[] = {LV_CLOSURE_LR, LV_CLOSURE_RL, LV_CLOSURE_RR,
                                          LV_CLOSURE_C};
    int wrong = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int c = 0; c < 4; c++)
            for (int degree = closures[c] == LV_CLOSURE_C; degree <= 3 - SLOW; degree++)
                wrong += check_rules(&cases[k], closures[c], degree);
    assert_int_equal(wrong, 0);
}

/* Multipliers with fewer coefficients than they could have. */
static void series_and_stages_agree_with_few_coefficients(void **state)
{
    (void)state;
    for (int degree = 1; degree <= 3; degree++)
        for (int coefficients = 0; coefficients < degree; coefficients++) {
            const lv_ansatz lr = {LV_RULE_GAUSS, degree + 1, LV_CLOSURE_LR, degree};
            const lv_ansatz c = {LV_RULE_LOBATTO, degree + 2, LV_CLOSURE_C, degree + 1};
            assert_below(difference(TORUS, &lr, coefficients, 0.1, true), 1e-13);
            assert_below(difference(TORUS, &c, coefficients, 0.1, true), 1e-13);
        }
}

/* Too large a step: refused, and nothing has changed. */
static void what_is_not_found_is_left_alone(void **state)
{
    (void)state;
    ways w;
    own_state x, before;
    lv_error err;
    const lv_ansatz a = {LV_RULE_GAUSS, 3, LV_CLOSURE_LR, 2};
    lv_model *model = read_text(TORUS);
    ways_init(&w, model, &a, 2);
    own_copy(&x, &w.sim->state, 3);
    own_copy(&before, &w.sim->state, 3);
    assert_int_equal(take_step(&w, BY_SERIES, &x.state, 50, &err), LV_ERR_NUMERIC);
    assert_memory_equal(x.q, before.q, sizeof x.q);
    assert_memory_equal(x.p, before.p, sizeof x.p);
    assert_true(lv_stepper_memory(w.stepper[BY_SERIES]).numbers[0] == 0);
    ways_done(&w);
    lv_model_free(model);
}

/* ---- a member that is not offered ----------------------------------------------------------------------- */

/* Lobatto IIIC with its conjugate loses an order (E4); the equations are the same. */
static void jumps_with_few_lobatto_points_are_as_printed(void **state)
{
    (void)state;
    const double expected[] = {-0.3483201680205, -0.4520843075954, 0.1270812202789,
                               -0.2278387436311};
    ways w;
    own_state x;
    lv_error err;
    const lv_ansatz a = {LV_RULE_LOBATTO, 3, LV_CLOSURE_LR, 2};
    lv_model *model = read_text(HENON_HEILES);
    ways_init(&w, model, &a, 0);
    own_copy(&x, &w.sim->state, 2);
    for (int k = 0; k < 16; k++)
        if (take_step(&w, BY_STAGES, &x.state, 0.25, &err) != LV_OK)
            fail_with(&err);
    assert_below(distance(x.q, expected, 2), 1e-13);
    assert_below(distance(x.p, expected + 2, 2), 1e-13);
    ways_done(&w);
    lv_model_free(model);
}

/* ---- E2 ----------------------------------------------------------------------------------------------- */

static lv_ansatz ansatz_of(const member *m)
{
    lv_rule rule = strcmp(m->rule, "gauss") == 0   ? LV_RULE_GAUSS
                   : strcmp(m->rule, "radau") == 0 ? LV_RULE_RADAU_RIGHT
                                                   : LV_RULE_LOBATTO;
    bool c = strcmp(m->continuity, "C") == 0;
    return (lv_ansatz){rule, m->points, c ? LV_CLOSURE_C : LV_CLOSURE_LR, m->degree};
}

/* Is the rule exact for the kinetic energy? Then the series is the same scheme. */
static bool is_exact(const member *m)
{
    return strcmp(m->continuity, "C") == 0 || m->points > m->degree;
}

/* Sums of squares of the errors of q, p and lambda, over all times looked at. */
typedef struct deviations {
    double q, p, lambda, count;
} deviations;

enum { GRID = 30 };

/* At GRID times of the last step, from its start on; `fine` follows. The rms is that of the length of
 * a vector. */
static void look_inside(deviations *d, const lv_slopes *slopes, lv_sim *fine)
{
    for (int k = 0; k < GRID; k++) {
        double q[2], p[2], exact_lambda, lambda, x = (double)k / GRID;
        lv_error err;
        lv_dense_position(slopes, LV_DENSE_RAW, 2, x, q);
        lv_dense_momentum(slopes, LV_DENSE_RAW, 2, x, p);
        lv_dense_multipliers(slopes, 1, x, &lambda);
        if (lv_sim_multipliers(fine, &exact_lambda, &err) != LV_OK)
            fail_with(&err);
        for (int i = 0; i < 2; i++) {
            d->q += pow(q[i] - lv_sim_position(fine)[i], 2);
            d->p += pow(p[i] - lv_sim_momentum(fine)[i], 2);
        }
        d->lambda += pow(lambda - exact_lambda, 2);
        d->count++;
        step_once(fine);
    }
}

/* The impulse at the start of the first step, from the momentum that it begins with: p = 0, W = 2 q. */
static bool first_multipliers_agree(const lv_slopes *slopes, const rod_row *r)
{
    double impulse = slopes->p[0] / (2 * slopes->q[0]);
    bool good = fabs(impulse - r->impulse) < 1e-9 * fabs(r->impulse) + 6e-11;
    for (int j = 0; j < r->coefficients; j++)
        good = good && fabs(slopes->lambda[j] - r->lambda[j]) < 6e-10;
    return good;
}

static bool rms_as_printed(const char *printed, double sum, double count)
{
    return !printed || fabs(sqrt(sum / count) - strtod(printed, NULL)) <=
                           1.01 * printed_unit(printed);
}

static bool rod_row_agrees(const rod_row *r, const lv_model *model, way by)
{
    ways w;
    own_state x, before;
    lv_error err;
    deviations d = {0};
    const lv_ansatz a = ansatz_of(&r->member);
    ways_init(&w, model, &a, r->coefficients);
    lv_sim *fine = start(model, &(method){"lobatto", 8, 0}, r->step / GRID);
    own_copy(&x, &w.sim->state, 2);
    bool good = true;
    for (int k = 0; k < lround(15 / r->step); k++) {
        own_copy(&before, &x.state, 2);
        if (take_step(&w, by, &x.state, r->step, &err) != LV_OK)
            fail_with(&err);
        const lv_slopes slopes = slopes_of(&w, by, &before.state, r->step);
        if (k == 0)
            good = first_multipliers_agree(&slopes, r);
        look_inside(&d, &slopes, fine);
    }
    bool rms = rms_as_printed(r->dense[0], d.q, d.count) &&
               rms_as_printed(r->dense[1], d.p, d.count) &&
               rms_as_printed(r->dense[2], d.lambda, d.count);
    double error = fmax(distance(x.q, r->q, 2), distance(x.p, r->p, 2));
    print_message("%s%d %s%d, step %g: end %.1e, first %s, rms %.3e %.3e %.3e%s\n",
                  r->member.continuity, r->member.degree, r->member.rule,
                  r->member.points, r->step, error, good ? "good" : "bad",
                  sqrt(d.q / d.count), sqrt(d.p / d.count), sqrt(d.lambda / d.count),
                  good && rms && error < 2e-11 ? "" : " !");
    lv_sim_free(fine);
    ways_done(&w);
    return good && rms && error < 2e-11;
}

static void the_cartesian_pendulum_is_as_printed(void **state)
{
    (void)state;
    int wrong = 0;
    lv_model *model = read_text(CARTESIAN);
    for (size_t k = 0; k < sizeof rod_rows / sizeof *rod_rows; k++)
        for (int by = is_exact(&rod_rows[k].member) ? BY_SERIES : BY_STAGES; by < WAYS;
             by++)
            wrong += !rod_row_agrees(&rod_rows[k], model, (way)by);
    lv_model_free(model);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(series_and_stages_agree_for_every_closure_and_rule),
        RUN(series_and_stages_agree_with_few_coefficients),
        RUN(what_is_not_found_is_left_alone),
        RUN(jumps_with_few_lobatto_points_are_as_printed),
        RUN(the_cartesian_pendulum_is_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
