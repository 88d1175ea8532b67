/* Runs that are made together give what each of them gives alone, bit for bit. */
#include "../model/reading.h"
#include "run/batch.h"
#include "run/run.h"

/* Members in all, so that every place of a batch is used again. */
enum { ALL = 2 * LV_BATCH_RUNS + 3 };

/* A model of livens with one parameter that differs, by parts of what `value` is. */
typedef struct ensemble {
    const char *model, *parameter;
    double value, spread;
    const char *scheme;
    double step;
    int steps;        /* of the first one; every other one makes one more */
    int fewest;       /* part of all steps, per cent, that are made together */
    const char *text; /* of another model than those of livens; NULL: one of these */
    int anew; /* members after the first ones that are not begun with simulations of others */
} ensemble;

/* Two cranks and a coupler that is there twice: constraints depend on others. */
static const char linkage[] =
    "[parameters]\nm = 1\n[coordinates]\n"
    "a = { value = [0, 1], velocity = [1, 0] }\nb = { value = [1, 1], velocity = [1, 0] "
    "}\n[energy]\nkinetic = \"m*norm2(a')/2 + norm2(b')\"\n"
    "potential = \"a[2] + 2*b[2]\"\n[constraints]\n"
    "left = { holonomic = \"norm2(a) - 1\" }\n"
    "right = { holonomic = \"norm2(b - [1, 0]) - 1\" }\n"
    "rod = { holonomic = \"norm2(b - a) - 1\" }\n"
    "again = { holonomic = \"2*norm2(b - a) - 2\" }\n";

/* Members that differ in their starts only, with and without a potential that is analytic everywhere. */
static const char thrown[] =
    "[parameters]\nw = 1\n[coordinates]\nx = { value = [1, 0, 0], velocity = [0, \"w\", "
    "0.2] }\n[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"9.81*x[3]\"\n"
    "[constraints.rod]\nholonomic = \"(norm2(x) - 1)/2\"\n";
static const char started[] =
    "[parameters]\nw = 1\n[coordinates]\nx = { value = [\"if(abs(w - 2) < 0.01, 20, "
    "1)\", "
    "0.2], velocity = [0, \"w\"] }\n[energy]\nkinetic = \"norm2(x')/2\"\n"
    "potential = \"if(x[1] > 9, x[1]^2, norm2(x))/2\"\n";

/* More unknowns than predictions of few values have. */
static const char oscillators[] =
    "[parameters]\na = 0.3\n[coordinates]\nq = { count = 70, value = \"a*sin(i)\", "
    "velocity = \"cos(2*i)\" }\n[energy.points]\nfor = \"i = 1..70\"\nkinetic = "
    "\"q_i'^2/2\"\npotential = \"q_i^2/2*(1 + i/70) + 0.1*q_i^4\"\n";

static const ensemble ensembles[] = {
    {NULL, "w", 1, 1, "rattle", 0.01, 300, 80, thrown, 0},
    {NULL, "w", 1, 1, "em", 0.01, 300, 60, thrown, 0},
    {NULL, "w", 1, 1, "verlet", 0.01, 200, 0, started, 0},
    {NULL, "a", 0.3, 0.5, "em", 0.01, 500, 0, oscillators, 0},
    {NULL, "m", 1, 0.3, "rattle", 0.002, 200, 60, linkage, 0},
    {NULL, "m", 1, 0.3, "em", 0.002, 200, 60, linkage, 0},
    {"pendulum3d", "l", 1, 0.3, "rattle", 0.002, 400, 80, NULL, 0},
    {"pendulum3d", "g", 9.81, 0.3, "em", 0.01, 300, 60, NULL, 0},
    {"pendulum3d", "l", 1, 0.3, "vi-s", 0.02, 300, 40, NULL, 0},
    {"pendulum3d", "l", 1, 0.2, "lobatto", 0.05, 150, 10, NULL, 0},
    {"four-particles", "m1", 1, 0.3, "rattle", 0.005, 200, 60, NULL, 0},
    {"four-particles", "m1", 1, 0.3, "livens", 0.01, 150, 40, NULL, 0},
    {"spring-pendulum-spherical", "m", 1, 0.1, "verlet", 0.01, 200, 80, NULL, 0},
    {"rheonomic-pendulum", "l", 1, 0.1, "rattle", 0.01, 100, 0, NULL, 0},
    {"knife-edge", NULL, 0, 0, "rattle", 0.01, 150, 0, NULL, 0},
};

/* Numbers that decide what is prepared: member 11 has symmetries that others do not have, masses that are alike, or a
 * start that has to be moved; members of a family that differs in size have nothing in common. */
static const char springs[] =
    "[parameters]\nk = 1\n[coordinates]\nx = { value = [1, 0.2], velocity = [0, 1] }\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"k/2*x[1]^2 + x[2]^2\"\n";
static const char falling[] =
    "[parameters]\ng = 1\n[coordinates]\nx = { value = [1, 0, 0], velocity = [0, 1, 0.3] "
    "}\n"
    "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"g*x[3]\"\n"
    "[constraints.rod]\nholonomic = \"norm2(x)/2 - 1/2\"\n";
static const char masses[] = "[parameters]\nm = 1\n[coordinates]\nx = { value = [1, 0, "
                             "0], velocity = [0, 1, 0.3] }\n"
                             "[energy]\nkinetic = \"(2*x[1]'^2 + m*x[2]'^2 + "
                             "2*x[3]'^2)/2\"\npotential = \"x[3]\"\n"
                             "[constraints.rod]\nholonomic = \"norm2(x)/2 - 1/2\"\n";
static const char moved[] = "[parameters]\nl = 1\n[coordinates]\nx = { value = [\"l\", "
                            "0.1, 0], velocity = [\"l/7\", 1, 0.3] }\n"
                            "[energy]\nkinetic = \"norm2(x')/2\"\npotential = \"x[3]\"\n"
                            "[constraints.rod]\nholonomic = \"norm2(x)/l^2/2 - 1/2\"\n"
                            "[run]\ninitial = \"project\"\n";
static const char family[] =
    "[parameters]\nN = 3\n[coordinates]\nx = { count = \"N\", value = \"i\", velocity = "
    "1 }\n"
    "[energy.all]\nfor = \"i = 1..N\"\nkinetic = \"x_i'^2/2\"\npotential = \"x_i^4\"\n";
static const char driven[] =
    "[parameters]\nc = 1\nu0 = \"c\"\n[inputs]\nu = \"u0\"\n[coordinates]\nx = { value = "
    "\"c\", "
    "velocity = 1 }\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2 - u*x\"\n"
    "[forces.drag]\non = [\"x\"]\nforce = [\"-c*x'/9\"]\n";

static const ensemble deciding[] = {
    {NULL, "k", 1, 1, "verlet", 0.01, 40, 0, springs, 1},
    {NULL, "g", 9.81, -1, "rattle", 0.01, 40, 0, falling, 1},
    {NULL, "m", 1, 1, "rattle", 0.01, 40, 0, masses, 1},
    {NULL, "m", 1, 1, "em", 0.01, 40, 0, masses, 1},
    {NULL, "l", 1, 0.4, "rattle", 0.01, 40, 0, moved, 0},
    {NULL, "l", 1, 0.4, "vi-s", 0.01, 40, 0, moved, 0},
    {NULL, "N", 8, 1, "verlet", 0.01, 20, 0, family, ALL - LV_BATCH_RUNS},
    {NULL, "c", 1, 0.5, "verlet", 0.01, 40, 0, driven, 0},
};

typedef struct member {
    lv_model *model;
    lv_run_request request;
} member;

static member make_member(const ensemble *e, int number)
{
    char value[60];
    snprintf(value, sizeof value, "%.17g",
             e->value * (1 + e->spread * (number - 3) / LV_BATCH_RUNS));
    const lv_setting setting = {e->parameter, value};
    member m = {.model = e->text ? read_with(e->text, &setting, 1)
                                 : read_shipped(e->model, e->parameter, value)};
    m.request = lv_run_request_default(m.model);
    m.request.sim.scheme = e->scheme;
    m.request.sim.options = (lv_scheme_options){0};
    m.request.sim.step = e->step;
    m.request.until = e->step * (e->steps + number + 0.25 * (number % 2));
    m.request.sample = 0;
    m.request.every = number == 5 ? 7 : number == 6 ? 3 : 1000000;
    m.request.keep_rows = number == 5 || number == 6;
    return m;
}

static lv_status ignore(lv_sink *sink, lv_error *err)
{
    (void)sink, (void)err;
    return LV_OK;
}

static lv_status open_nothing(void *user, lv_sink **sink, const lv_channels *channels,
                              lv_error *err)
{
    static lv_sink nothing = {.row = ignore, .close = ignore};
    (void)user, (void)channels, (void)err;
    *sink = &nothing;
    return LV_OK;
}

static void assert_same_numbers(const double *a, const double *b, int count)
{
    if (count > 0)
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* Rows that are recorded on the way; either has none, or both have. */
static void assert_same_rows(const lv_rows *a, const lv_rows *b)
{
    assert_true(!a == !b);
    if (!a)
        return;
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->column_count, b->column_count);
    assert_true(a->count > 2);
    assert_same_numbers(a->values, b->values, (int)a->count * a->column_count);
}

static void assert_same_summaries(const lv_run_summary *a, const lv_run_summary *b)
{
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->coordinates, b->coordinates);
    assert_true(a->time == b->time);
    assert_same_numbers(a->q, b->q, a->coordinates);
    assert_same_numbers(a->v, b->v, a->coordinates);
    assert_same_numbers(a->p, b->p, a->coordinates);
    assert_true(a->energy.initial == b->energy.initial);
    assert_true(a->energy.final == b->energy.final);
    assert_true(a->energy.max_deviation == b->energy.max_deviation);
    assert_int_equal(a->momentum_count, b->momentum_count);
    for (int k = 0; k < a->momentum_count; k++) {
        assert_true(a->momenta[k].final == b->momenta[k].final);
        assert_true(a->momenta[k].max_deviation == b->momenta[k].max_deviation);
    }
    assert_true(a->position_max == b->position_max);
    assert_true(a->velocity_max == b->velocity_max);
    assert_true(a->nonholonomic_max == b->nonholonomic_max);
    assert_true(a->legendre_max == b->legendre_max && a->lag_max == b->lag_max);
    assert_int_equal(a->newton_max, b->newton_max);
    assert_true(a->newton_mean == b->newton_mean);
    assert_int_equal(a->warning_count, b->warning_count);
    for (int k = 0; k < a->warning_count; k++)
        assert_string_equal(a->warnings[k], b->warnings[k]);
    assert_same_rows(a->kept, b->kept);
}

/* The batch has the model of the member, and may have changed it. */
static void compare_with_run_alone(const ensemble *e, int number,
                                   const lv_run_summary *together)
{
    lv_error err;
    lv_run_summary *alone = NULL;
    const member m = make_member(e, number);
    if (lv_run(&alone, m.model, &m.request, &err) != LV_OK)
        fail_with(&err);
    assert_same_summaries(together, alone);
    lv_run_summary_free(alone);
    lv_model_free(m.model);
}

/* Members come and go at different times. */
static void run_together(const ensemble *e, bool native)
{
    const lv_tap tap = {open_nothing, NULL, .brief = true};
    int place[ALL], begun = 0, ended = 0;
    bool over[ALL] = {false};
    lv_batch batch = {0};
    lv_error err;
    long long steps = 0;
    lv_native_enable(native);
    while (ended < ALL) {
        for (; begun < ALL && begun - ended < LV_BATCH_RUNS; begun++) {
            const member m = make_member(e, begun);
            if (lv_batch_add(&batch, &place[begun], m.model, &m.request, &tap, &err) !=
                LV_OK)
                fail_with(&err);
        }
        lv_batch_advance(&batch, 11);
        for (int k = 0; k < begun; k++) {
            lv_run_summary *summary = NULL;
            if (over[k] || !lv_batch_is_over(&batch, place[k]))
                continue;
            if (lv_batch_remove(&batch, place[k], &summary, &err) != LV_OK)
                fail_with(&err);
            steps += summary->steps;
            compare_with_run_alone(e, k, summary);
            lv_run_summary_free(summary);
            over[k] = true;
            ended++;
        }
    }
    const long long renewed = batch.renewed;
    lv_batch_done(&batch);
    lv_native_enable(true);
    /* A member may get the place of one that was begun anew, and be begun anew, too. */
    const long long most = ALL - LV_BATCH_RUNS - e->anew;
    if (renewed > most || renewed < most - (e->anew == 1))
        fail_msg("%s with %s: %lld members were begun with simulations of others",
                 e->text ? e->text : e->model, e->scheme, renewed);
    if (batch.together * 100 < e->fewest * steps)
        fail_msg("%s with %s: %lld of %lld steps were made together", e->model, e->scheme,
                 batch.together, steps);
}

static void runs_together_have_the_bits_of_runs_alone(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ensembles / sizeof *ensembles; k++)
        run_together(&ensembles[k], true);
}

static void members_that_numbers_make_different_have_them_as_well(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof deciding / sizeof *deciding; k++)
        run_together(&deciding[k], true);
}

static void so_they_have_when_programs_are_interpreted(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ensembles / sizeof *ensembles; k++)
        run_together(&ensembles[k], false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_together_have_the_bits_of_runs_alone),
        cmocka_unit_test(members_that_numbers_make_different_have_them_as_well),
        cmocka_unit_test(so_they_have_when_programs_are_interpreted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
