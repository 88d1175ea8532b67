/* Orders: every scheme, with all stages and compositions, on every system that it takes, against
 * a reference of another kind. */
#include "reference_motion.h"
#include "systems.h"

/* Where a system is at the end of the span: the short one, and a longer one for high orders,
 * whose errors are soon lost in rounding. */
typedef struct target {
    const test_system *system;
    lv_model *model;
    int n;
    double until;
    int steps; /* at most, where little is wanted */
    double q[REFERENCE_MOST], p[REFERENCE_MOST];
    double size; /* of q and p */
} target;

enum { SPANS = 2 };

static target targets[SPANS][TEST_SYSTEMS];

/* ---- the reference ----------------------------------------------------------------------- */

static void run_reference(target *t, double until, int steps, double *q, double *p)
{
    reference_motion r;
    lv_sim *sim = start(t->model, &(method){"lobatto", 2, 0}, 0.01);
    reference_run(&r, t->model, sim, until, steps);
    double residual = reference_state(&r, sim, q, p);
    if (!(residual < 1e-11))
        fail_msg("%s: the reference leaves the constraints by %.1e", t->system->name,
                 residual);
    reference_done(&r);
    lv_sim_free(sim);
}

static void make_target(target *t, const test_system *system, int span)
{
    const int longer[SPANS] = {1, 3};
    *t = (target){.system = system, .until = longer[span] * system->until};
    t->steps = 8 * longer[span] * system->steps;
    t->model = read_text(system->text);
    t->n = lv_model_coordinate_count(t->model);
    run_reference(t, t->until, t->steps / 2, t->q, t->p);
    t->size = fmax(1, fmax(largest(t->q, t->n), largest(t->p, t->n)));
}

static int make_targets(void **state)
{
    (void)state;
    for (int k = 0; k < SPANS * TEST_SYSTEMS; k++)
        make_target(&targets[k / TEST_SYSTEMS][k % TEST_SYSTEMS],
                    &test_systems[k % TEST_SYSTEMS], k / TEST_SYSTEMS);
    return 0;
}

static int free_targets(void **state)
{
    (void)state;
    for (int k = 0; k < SPANS * TEST_SYSTEMS; k++)
        lv_model_free(targets[k / TEST_SYSTEMS][k % TEST_SYSTEMS].model);
    return 0;
}

static void the_reference_agrees_with_itself_and_with_published_states(void **state)
{
    (void)state;
    for (int k = 0; k < SPANS * TEST_SYSTEMS; k++) {
        target *t = &targets[k / TEST_SYSTEMS][k % TEST_SYSTEMS];
        double q[REFERENCE_MOST], p[REFERENCE_MOST], at = t->system->exact_at;
        run_reference(t, t->until, t->steps, q, p);
        double error = fmax(distance(q, t->q, t->n), distance(p, t->p, t->n)) / t->size;
        if (!(error < 1e-12))
            fail_msg("%s: a finer reference differs by %.2e", t->system->name, error);
        if (k >= TEST_SYSTEMS || at <= 0)
            continue;
        run_reference(t, at, (int)(t->steps * at / t->until) + 1, q, p);
        error = distance(q, t->system->exact, t->n < 8 ? t->n : 8);
        if (!(error < 2e-12))
            fail_msg("%s: %.2e from the published state", t->system->name, error);
    }
}

/* ---- errors ------------------------------------------------------------------------------- */

/* NAN: a step failed. */
static double error_of(const target *t, const method *m, int steps)
{
    lv_error err;
    lv_sim *sim = start(t->model, m, t->until / steps);
    lv_status status = LV_OK;
    for (int k = 0; k < steps && status == LV_OK; k++)
        status = lv_sim_step(sim, &err);
    double error = fmax(distance(lv_sim_position(sim), t->q, t->n),
                        distance(lv_sim_momentum(sim), t->p, t->n));
    lv_sim_free(sim);
    return status == LV_OK ? error / t->size : (double)NAN;
}

static double slope(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

/* The slope over the finest step sizes, each smaller by sqrt 2, whose errors rounding does not
 * touch: four, or three for high orders. NAN: fewer are left. Rounding is felt earlier where
 * differences of energies are divided by those of positions. */
static double slope_on(const target *t, const method *m, int order)
{
    enum { MOST = 40 };
    const double most = order < 3 ? 3e-2 : 3e-3;
    const double least = claims_of(m).energy == LV_KEPT_EXACT ? 4e-11 : 4e-13;
    double x[MOST], y[MOST], error = 1;
    int count = 0, used = order < 7 ? 4 : 3;
    int most_steps = (order < 2 ? 24 : order < 3 ? 3 : 1) * t->steps;
    for (int k = 0; k < MOST && !(error < least); k++) {
        int steps = 2 * (int)lround(pow(2, k * 0.5)); /* even: some errors alternate */
        if (steps > most_steps)
            break;
        if (order < 4 && 6 * steps < most_steps)
            continue;
        error = error_of(t, m, steps);
        if (error < most && error > least) {
            x[count] = -log((double)steps);
            y[count++] = log(error);
        }
    }
    return count < used ? (double)NAN : slope(x + count - used, y + count - used, used);
}

/* On the short span; on the long one where the errors of the short one are mostly rounding. */
static double measured_order(int system, const method *m, int order)
{
    bool few = lv_scheme_option_given(&m->more, LV_OPTION_DEGREE_G);
    if (few && targets[0][system].model->row_count[LV_ROLE_HOLONOMIC] == 0)
        return order; /* nothing there to feel it */
    double measured = slope_on(&targets[0][system], m, order);
    return isnan(measured) ? slope_on(&targets[1][system], m, order) : measured;
}

/* Compositions of schemes of order four and more, and of those that feel rounding early, reach it
 * before the leading term of their error outweighs the next ones: they may be better than they say.
 * So do Galerkin schemes of high order; and what few coefficients of multipliers cost is felt only
 * where constraints are, and bend. */
static bool may_be_better(const method *m, int claim)
{
    lv_claims base = claims_of(&(method){m->scheme, m->stages, 0, m->more});
    bool steep = m->compose == 8 && (base.order > 2 || base.energy == LV_KEPT_EXACT);
    return steep || (is_galerkin(m) && claim > 6) ||
           lv_scheme_option_given(&m->more, LV_OPTION_DEGREE_G);
}

/* Odd orders come with even terms right behind the leading one. */
static bool order_is_kept(const method *m, double measured, int claim)
{
    double below = claim < 7 ? 0.3 : m->compose == 8 ? 0.8 : 0.6;
    double above = claim % 2 == 1 && is_galerkin(m) ? 0.6 : below;
    return measured >= claim - below &&
           (may_be_better(m, claim) || measured <= claim + above);
}

/* Prints a row of the table; true if all orders are as claimed. */
static bool check_row(const method *m)
{
    char name[METHOD_NAME], row[400] = "";
    bool good = true;
    int claim = claims_of(m).order;
    for (int k = 0; k < TEST_SYSTEMS; k++) {
        size_t used = strlen(row);
        if (!fits(targets[0][k].model, m)) {
            snprintf(row + used, sizeof row - used, "   -   ");
            continue;
        }
        double order = measured_order(k, m, claim);
        bool kept = order_is_kept(m, order, claim);
        snprintf(row + used, sizeof row - used, " %5.2f%c", order, kept ? ' ' : '!');
        good = good && kept;
    }
    print_message("%-30s %2d |%s\n", method_name(m, name, sizeof name), claim, row);
    return good;
}

static void orders_are_as_claimed_up_to_eight(void **state)
{
    (void)state;
    method list[MOST_METHODS];
    int count = list_methods(list, 5), broken = 0;
    print_message("%-30s %2s |", "", "");
    for (int k = 0; k < TEST_SYSTEMS; k++)
        print_message(" %-6.6s", test_systems[k].name);
    print_message("\n");
    for (int k = 0; k < count; k++)
        if (claims_of(&list[k]).order <= 8)
            broken += !check_row(&list[k]);
    assert_int_equal(broken, 0);
}

/* Higher orders drown in rounding: with a coarse step the errors must already be there. */
static void many_stages_reach_rounding_with_coarse_steps(void **state)
{
    (void)state;
    method list[MOST_METHODS];
    int count = list_methods(list, 12);
    for (int k = 0; k < count; k++) {
        char name[METHOD_NAME];
        if (claims_of(&list[k]).order <= 8)
            continue;
        for (int j = 0; j < TEST_SYSTEMS; j++) {
            double order = claims_of(&list[k]).order;
            double error =
                fits(targets[0][j].model, &list[k])
                    ? error_of(&targets[0][j], &list[k], 2 * test_systems[j].steps)
                    : 0;
            if (!(error < (order < 12 ? 1e-9 : 2e-12)))
                fail_msg("%s on %s: error %.2e", method_name(&list[k], name, sizeof name),
                         test_systems[j].name, error);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_reference_agrees_with_itself_and_with_published_states),
        RUN(orders_are_as_claimed_up_to_eight),
        RUN(many_stages_reach_rounding_with_coarse_steps),
    };
    return cmocka_run_group_tests(tests, make_targets, free_targets);
}
