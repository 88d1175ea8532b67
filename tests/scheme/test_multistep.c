/* Symmetric multistep methods against what they must satisfy: order conditions of their
 * coefficients, the classical form in positions, orders, long runs, changes of the step
 * and of the state, refusals and failures. */
#include "multistep_reference.h"

#include "../claims/moving.h"

enum { LEAST = LV_MULTISTEP_LEAST, MOST = LV_MULTISTEP_MOST };

static method multistep(int stages, int projection)
{
    method m = {"multistep", stages, 0, {0}};
    lv_scheme_option_set(&m.more, LV_OPTION_PROJECTION, projection);
    return m;
}

/* ---- coefficients --------------------------------------------------------------- */

/* Every test of coefficients looks at one tableau after the other. */
#define FOR_EACH_TABLEAU(t)                                                              \
    for (lv_multistep t, *again = &t; again; again = NULL)                               \
        for (int half = LEAST; half <= MOST && (lv_multistep_init(&t, half), true);      \
             half++)

static void sizes_follow_from_the_order(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        assert_int_equal(t.order, 2 * half);
        assert_int_equal(t.sums, 2 * half - 2);
        assert_int_equal(t.nodes, 2 * half + 1);
        assert_true(t.c[t.sums - 1] == 1 && t.b[t.sums - 1] == t.b0);
        for (int i = 0; i + 1 < t.sums; i++) { /* symmetry */
            assert_true(t.c[i] == t.c[t.sums - 2 - i]);
            assert_true(t.b[i] == t.b[t.sums - 2 - i]);
        }
    }
}

/* |sum alpha y - h^2 sum beta y''| in units of its terms */
static real defect(const lv_multistep *t, int degree)
{
    const sampled y = sampled_power(degree);
    real alpha[LV_MULTISTEP_NODES], beta[LV_MULTISTEP_NODES], sum = 0, size = 0;
    classical_form(t, alpha, beta);
    for (int j = 0; j <= t->order; j++) {
        const real term = alpha[j] * position_of(&y, j - t->order / 2),
                   force = y.h * y.h * beta[j] * acceleration_of(&y, j - t->order / 2);
        sum += term - force;
        size += fabsl(term) + fabsl(force);
    }
    return fabsl(sum) / size;
}

static void order_conditions_hold_and_no_more(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        for (int degree = 0; degree <= t.order + 1; degree++)
            assert_at_most((double)defect(&t, degree), 2e-16);
        print_message("    order %d: defect %.1Le\n", t.order, defect(&t, t.order + 2));
        assert_above((double)defect(&t, t.order + 2), 1e-9);
    }
}

/* The products are those of the table. */
static void the_roots_are_those_of_the_table(void **state)
{
    (void)state;
    static const struct {
        int count;
        real r[3];
    } rows[] = {{1, {0.8L}}, {2, {-0.4L, 0.7L}}, {3, {-0.7L, -0.4L, 0.8L}}};
    FOR_EACH_TABLEAU(t)
    {
        real p[LV_MULTISTEP_NODES] = {1};
        for (int i = 0; i < rows[half - LEAST].count; i++)
            for (int j = 2 * i + 2; j >= 0; j--)
                p[j] += (j > 0 ? 2 * rows[half - LEAST].r[i] * p[j - 1] : 0) +
                        (j > 1 ? p[j - 2] : 0);
        for (int i = 0; i < t.sums; i++)
            assert_close(t.c[i], (double)p[i + 1], 1e-15);
    }
}

static double least_distance(const double complex *a, int na, const double complex *b,
                             int nb)
{
    double least = HUGE_VAL;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (&a[i] != &b[j])
                least = fmin(least, cabs(a[i] - b[j]));
    return least;
}

/* Roots of the products lead to parasitic parts of positions, those of b to parasitic
 * parts of multipliers. All lie on the unit circle and none is double, or these parts
 * would grow; none belongs to both. */
static void the_roots_of_both_polynomials_are_simple_and_apart(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        double rho[LV_MULTISTEP_NODES] = {1}, sigma[LV_MULTISTEP_NODES] = {t.b0};
        double complex x[LV_MULTISTEP_SUMS + 1], z[LV_MULTISTEP_SUMS];
        memcpy(rho + 1, t.c, sizeof t.c);
        memcpy(sigma + 1, t.b, sizeof t.b);
        find_roots(rho, t.sums, x);
        find_roots(sigma, t.sums, z);
        x[t.sums] = 1; /* the double root of smooth motions */
        for (int i = 0; i < t.sums; i++) {
            assert_at_most(fabs(cabs(x[i]) - 1), 1e-12);
            assert_at_most(fabs(cabs(z[i]) - 1), 1e-12);
        }
        const double rho_gap = least_distance(x, t.sums + 1, x, t.sums + 1),
                     sigma_gap = least_distance(z, t.sums, z, t.sums),
                     both_gap = least_distance(x, t.sums + 1, z, t.sums);
        print_message("    order %d: apart by %.3f, %.3f, from each other %.4f\n",
                      t.order, rho_gap, sigma_gap, both_gap);
        assert_above(rho_gap, 0.1);
        assert_above(sigma_gap, 0.1);
        assert_above(both_gap, 3e-3);
    }
}

/* Oscillations q'' = -w^2 q neither grow nor decay: all z with rho + (h w)^2 sigma = 0 lie
 * on the unit circle. The help of the scheme promises it up to h w = 0.6. */
static void oscillations_are_stable_up_to_the_promised_step(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        double last = 0;
        for (double hw = 0.02; hw < 1.5 && last < 1e-6; hw += 0.02) {
            real alpha[LV_MULTISTEP_NODES], beta[LV_MULTISTEP_NODES];
            double p[LV_MULTISTEP_NODES];
            double complex z[LV_MULTISTEP_ORDER];
            classical_form(&t, alpha, beta);
            for (int j = 0; j <= t.order; j++)
                p[t.order - j] = (double)(alpha[j] + hw * hw * beta[j]);
            find_roots(p, t.order, z);
            for (int i = 0; i < t.order; i++)
                last = worst_of(last, fabs(cabs(z[i]) - 1));
            if (last > 1e-6)
                print_message("    order %d: grows from h w = %.2f\n", t.order, hw);
            assert_true(last < 1e-6 || hw > 0.6);
        }
    }
}

/* Largest error over 40 steps of the recursion on t^degree, from the combinations of
 * accelerations that it starts with. */
static real recursion_error(const lv_multistep *t, int degree)
{
    const sampled y = sampled_power(degree);
    real q = position_of(&y, 0), u = velocity_of(&y, 0), s[LV_MULTISTEP_SUMS + 1] = {0};
    real error = 0;
    for (int j = 0; j < t->nodes; j++) {
        u += y.h * t->u[j] * acceleration_of(&y, -j);
        for (int i = 0; i < t->sums; i++)
            s[i] += t->s[i][j] * acceleration_of(&y, -j);
    }
    for (int n = 0; n < 40; n++) {
        const real a = acceleration_of(&y, n), w = t->b0 * a + s[0];
        u += y.h * w;
        q += y.h * u;
        for (int i = 0; i < t->sums; i++)
            s[i] = s[i + 1] + t->b[i] * a - t->c[i] * w;
        const real exact = position_of(&y, n + 1);
        error = fmaxl(error, fabsl(q - exact) / fmaxl(1, fabsl(exact)));
    }
    return error;
}

static void the_recursion_reproduces_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    {
        for (int degree = 0; degree <= t.order + 1; degree++)
            assert_at_most((double)recursion_error(&t, degree), 1e-13);
        print_message("    order %d: next degree %.1Le\n", t.order,
                      recursion_error(&t, t.order + 2));
        assert_above((double)recursion_error(&t, t.order + 2), 1e-9);
    }
}

/* weights over past accelerations against a value, in units of the largest term */
static void check_combination(const double *weights, const lv_multistep *t,
                              const sampled *y, real factor, real exact)
{
    real sum = 0, size = fabsl(exact) + 1e-3L;
    for (int j = 0; j < t->nodes; j++) {
        const real term = factor * weights[j] * acceleration_of(y, -j);
        sum += term;
        size = fmaxl(size, fabsl(term));
    }
    assert_at_most((double)(fabsl(sum - exact) / size), 2e-15);
}

static void starting_values_are_exact_for_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    for (int degree = 0; degree <= t.order + 2; degree++) {
        const sampled y = sampled_power(degree);
        const real q = position_of(&y, 0), v = velocity_of(&y, 0);
        check_combination(t.u, &t, &y, y.h, mean_of(&y, 0) - v);
        for (int i = 0; i < t.sums; i++)
            check_combination(t.s[i], &t, &y, 1, sum_of(&t, &y, 0, i + 1));
        for (int i = 0; i < t.nodes; i++) {
            check_combination(t.q[i], &t, &y, y.h * y.h,
                              position_of(&y, -i) - q + i * y.h * v);
            check_combination(t.v[i], &t, &y, y.h, velocity_of(&y, -i) - v);
        }
    }
}

/* weights[0] a + weights[i] S_i, with a at the start of a step and the sums at its end */
static real combine(const double *weights, const lv_multistep *t, const sampled *y)
{
    real sum = weights[0] * acceleration_of(y, 0);
    for (int i = 1; i <= t->sums; i++)
        sum += weights[i] * sum_of(t, y, 1, i);
    return sum;
}

static void velocities_at_nodes_are_exact_for_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    for (int degree = 0; degree <= t.order; degree++) {
        const sampled y = sampled_power(degree);
        const real v = mean_of(&y, 1) + y.h * combine(t.velocity, &t, &y);
        assert_close((double)v, (double)velocity_of(&y, 1), 1e-14);
    }
}

static void accelerations_within_steps_are_exact_for_polynomials(void **state)
{
    (void)state;
    FOR_EACH_TABLEAU(t)
    for (int degree = 0; degree <= t.order; degree++)
        for (int k = 0; k <= 8; k++) {
            const sampled y = sampled_power(degree);
            const real x = k / 8.0L, exact = bend(y.at + x * y.h, degree);
            real a = 0;
            for (int l = 0; l <= t.order - 2; l++)
                a += legendre(l, x) * combine(t.inside[l], &t, &y);
            assert_close((double)a, (double)exact, 2e-13);
        }
}

/* ---- the same method written in another way ------------------------------------- */

static lv_model *model_of(orbit_kind kind)
{
    return kind == PENDULUM ? read_shipped("pendulum3d", NULL, NULL)
                            : read_shipped("kepler", "ecc", "0.2");
}

static int size_of(orbit_kind kind)
{
    return kind == PENDULUM ? 3 : 2;
}

static double distance_to(const double *x, const real *exact, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = worst_of(most, (double)fabsl(x[i] - exact[i]));
    return most;
}

/* Positions agree with the classical form, far better than either with the motion. */
static void check_classical(orbit_kind kind, int half, double h)
{
    static classical run;
    lv_multistep t;
    enum { STEPS = 400 };
    lv_multistep_init(&t, half);
    classical_run(&run, &t, kind, h, STEPS);
    lv_model *model = model_of(kind);
    const method m = multistep(half, 0);
    lv_sim *sim = start(model, &m, h);
    orbit exact = orbit_start(kind);
    double difference = 0, error = 0;
    for (int n = 1; n <= STEPS; n++) {
        step_once(sim);
        orbit_move(&exact, h);
        const double *q = lv_sim_position(sim);
        difference =
            worst_of(difference, distance_to(q, run.q[t.order - 1 + n], size_of(kind)));
        error = worst_of(error, distance_to(q, exact.q, size_of(kind)));
    }
    print_message("    %s order %d, h = %g: difference %.1e, error %.1e\n",
                  kind == PENDULUM ? "pendulum" : "kepler", t.order, h, difference,
                  error);
    assert_at_most(difference, 1e-10);
    assert_above(error, 100 * difference);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void positions_are_those_of_the_classical_form(void **state)
{
    (void)state;
    check_classical(PENDULUM, 2, 0.005);
    check_classical(PENDULUM, 3, 0.01);
    check_classical(PENDULUM, 4, 0.015);
    check_classical(KEPLER, 2, 0.01);
    check_classical(KEPLER, 3, 0.02);
    check_classical(KEPLER, 4, 0.03);
}

/* ---- order ---------------------------------------------------------------------- */

/* Slope of log y over log x, for positive numbers. */
static double slope(const double *x, const double *y, int count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; k++) {
        const double a = log(x[k]), b = log(y[k]);
        sx += a;
        sy += b;
        sxx += a * a;
        sxy += a * b;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

/* Errors at several step sizes, of what has to converge. */
enum { SIZES = 4, ERRORS = 6 };
typedef struct errors {
    double h[SIZES], of[ERRORS][SIZES];
} errors;

static void check_slopes(const errors *e, int count, double order, const char *what)
{
    print_message("    %-24s", what);
    for (int k = 0; k < count; k++)
        print_message(" %.2f (%.0e .. %.0e)", slope(e->h, e->of[k], SIZES), e->of[k][0],
                      e->of[k][SIZES - 1]);
    print_message("\n");
    for (int k = 0; k < count; k++)
        assert_at_least(slope(e->h, e->of[k], SIZES), order);
}

/* Known from other programs, to be sure of the series. */
static void the_series_meet_the_known_state(void **state)
{
    (void)state;
    const double q[] = {0.2186113380002105, 0.046728350139105571, -0.97469253828632282},
                 v[] = {-1.2558010304061791, 4.3058996772858327, -0.07522860066619707};
    const orbit o = orbit_at(PENDULUM, 10);
    assert_at_most(distance_to(q, o.q, 3), 1e-14);
    assert_at_most(distance_to(v, o.v, 3), 1e-14);
    const orbit round = orbit_at(KEPLER, 2 * acosl(-1));
    const double back[] = {0.8, 0, 0};
    assert_at_most(distance_to(back, round.q, 3), 1e-16);
}

static void check_order(orbit_kind kind, real until, int half, int projection,
                        const int steps[SIZES])
{
    const orbit exact = orbit_at(kind, until);
    lv_model *model = model_of(kind);
    const int n = size_of(kind);
    errors e;
    const method m = multistep(half, projection);
    for (int k = 0; k < SIZES; k++) {
        e.h[k] = (double)until / steps[k];
        lv_sim *sim = start(model, &m, e.h[k]);
        step_times(sim, steps[k]);
        e.of[0][k] = distance_to(lv_sim_position(sim), exact.q, n);
        e.of[1][k] = distance_to(lv_sim_velocity(sim), exact.v, n);
        e.of[2][k] = distance_to(lv_sim_momentum(sim), exact.v, n); /* the mass is 1 */
        lv_sim_free(sim);
    }
    check_slopes(&e, 3, 2 * half - 0.3, projection ? "projected" : "not projected");
    lv_model_free(model);
}

static void the_pendulum_has_the_order_of_the_method(void **state)
{
    (void)state;
    static const int steps[MOST + 1][SIZES] = {[2] = {1000, 1414, 2000, 2828},
                                               [3] = {1000, 1414, 2000, 2828},
                                               [4] = {800, 1000, 1250, 1500}};
    for (int half = LEAST; half <= MOST; half++)
        for (int projection = 0; projection <= 1; projection++)
            check_order(PENDULUM, 10, half, projection, steps[half]);
}

static void an_orbit_has_the_order_of_the_method(void **state)
{
    (void)state;
    static const int steps[MOST + 1][SIZES] = {[2] = {400, 566, 800, 1131},
                                               [3] = {200, 283, 400, 566},
                                               [4] = {320, 400, 500, 640}};
    for (int half = LEAST; half <= MOST; half++)
        check_order(KEPLER, 8, half, 0, steps[half]);
}

/* The hidden constraint holds with the projection, and to the order without it. */
static void the_projection_changes_velocities_and_no_position(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method with = multistep(half, 1), without = multistep(half, 0);
        lv_sim *a = start(model, &with, 0.02), *b = start(model, &without, 0.02);
        double rod = 0, hidden = 0, other = 0;
        for (int n = 0; n < 200; n++) {
            double g, dg;
            step_once(a);
            step_once(b);
            assert_memory_equal(lv_sim_position(a), lv_sim_position(b),
                                3 * sizeof(double));
            lv_sim_residuals(a, &g, &dg);
            rod = worst_of(rod, g);
            hidden = worst_of(hidden, dg);
            lv_sim_residuals(b, NULL, &dg);
            other = worst_of(other, dg);
        }
        print_message("    order %d: g %.0e, dg/dt %.0e, without projection %.0e\n",
                      2 * half, rod, hidden, other);
        assert_at_most(rod, 2e-15);
        assert_at_most(hidden, 1e-14);
        assert_at_least(other, 1e-12);
        assert_at_most(other, 1e-2);
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(model);
}

/* q = sin t: a force that depends on time and a spring that is not linear. */
#define DRIVEN                                                                           \
    "[coordinates]\nx = { value = 0, velocity = 1 }\n"                                   \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^4/4\"\n"                            \
    "[forces.drive]\non = \"x\"\nforce = \"sin(t)^3 - sin(t)\"\n"

static const int driven_steps[MOST + 1][SIZES] = {
    [2] = {100, 141, 200, 283},
    [3] = {60, 85, 120, 170},
    [4] = {50, 65, 80, 100},
};

static void forces_of_time_keep_the_order(void **state)
{
    (void)state;
    lv_model *model = read_text(DRIVEN);
    for (int half = LEAST; half <= MOST; half++) {
        errors e;
        const method m = multistep(half, 1);
        for (int k = 0; k < SIZES; k++) {
            e.h[k] = 5.0 / driven_steps[half][k];
            lv_sim *sim = start(model, &m, e.h[k]);
            step_times(sim, driven_steps[half][k]);
            e.of[0][k] = fabs(*lv_sim_position(sim) - sin(5));
            e.of[1][k] = fabs(*lv_sim_velocity(sim) - cos(5));
            lv_sim_free(sim);
        }
        check_slopes(&e, 2, 2 * half - 0.3, "driven");
    }
    lv_model_free(model);
}

/* Models with more than one body, constraint and mass, or with constraints of time; their
 * files give positions at a time. */
typedef struct shipped {
    const char *name;
    double until, known[4];
    int steps[MOST + 1][SIZES];
} shipped;

/* Largest errors over all nodes, against a Runge-Kutta method of order 10 with the same
 * steps. */
static void shipped_errors(const lv_model *model, const shipped *s, const method *m,
                           int steps, double *q_error, double *v_error)
{
    const method fine = {"lobatto", 6, 0};
    const int n = lv_model_coordinate_count(model);
    const double h = s->until / steps;
    lv_sim *sim = start(model, m, h), *exact = start(model, &fine, h);
    *q_error = *v_error = 0;
    for (int k = 0; k < steps; k++) {
        step_once(sim);
        step_once(exact);
        *q_error =
            worst_of(*q_error, distance(lv_sim_position(sim), lv_sim_position(exact), n));
        *v_error =
            worst_of(*v_error, distance(lv_sim_velocity(sim), lv_sim_velocity(exact), n));
    }
    assert_at_most(distance(lv_sim_position(exact), s->known, n), 1e-12);
    lv_sim_free(sim);
    lv_sim_free(exact);
}

static void check_shipped(const shipped *s)
{
    lv_model *model = read_shipped(s->name, NULL, NULL);
    for (int half = LEAST; half <= MOST; half++)
        for (int projection = 0; projection <= 1; projection++) {
            errors e;
            const method m = multistep(half, projection);
            for (int k = 0; k < SIZES; k++) {
                const int steps = s->steps[half][k];
                e.h[k] = s->until / steps;
                shipped_errors(model, s, &m, steps, &e.of[0][k], &e.of[1][k]);
            }
            check_slopes(&e, 2, 2 * half - 0.3,
                         projection ? "projected" : "not projected");
        }
    lv_model_free(model);
}

static void constraints_of_time_keep_the_order(void **state)
{
    (void)state;
    check_shipped(&(shipped){
        "rheonomic-pendulum",
        1.2,
        {-0.44591997708, -1.329050797068},
        {[2] = {120, 170, 240, 340}, [3] = {60, 85, 120, 170}, [4] = {50, 60, 75, 90}}});
}

static void two_constraints_keep_the_order(void **state)
{
    (void)state;
    check_shipped(&(shipped){
        "double-pendulum",
        0.8,
        {-0.2638540545115, -0.9645626148249, -0.7050436867576, -1.631909382554},
        {[2] = {120, 170, 240, 340},
         [3] = {80, 113, 160, 226},
         [4] = {70, 80, 100, 120}}});
}

/* ---- within steps --------------------------------------------------------------- */

static const int sample_steps[MOST + 1][SIZES] = {
    [2] = {100, 141, 200, 283},
    [3] = {80, 113, 160, 226},
    [4] = {140, 170, 200, 250},
};

/* Largest errors of q, v, p at points of all steps up to the time 2. */
static void sample_errors(const lv_model *model, const method *m, int steps,
                          lv_sample kind, double *q_error, double *v_error,
                          double *p_error)
{
    enum { INSIDE = 4 };
    const double h = 2.0 / steps;
    lv_sim *sim = start_dense(model, m, h);
    orbit exact = orbit_start(PENDULUM);
    *q_error = *v_error = *p_error = 0;
    for (int n = 0; n < steps; n++) {
        const double before = lv_sim_time(sim);
        step_once(sim);
        for (int k = 1; k <= INSIDE; k++) {
            double q[3], v[3], p[3];
            const double t = k == INSIDE ? lv_sim_time(sim) : before + k * h / INSIDE;
            lv_error err;
            if (lv_sim_sample(sim, t, kind, q, v, p, &err) != LV_OK)
                fail_with(&err);
            orbit_step(&exact, (real)h / INSIDE);
            *q_error = worst_of(*q_error, distance_to(q, exact.q, 3));
            *v_error = worst_of(*v_error, distance_to(v, exact.v, 3));
            *p_error = worst_of(*p_error, distance_to(p, exact.v, 3));
        }
    }
    lv_sim_free(sim);
}

static void states_within_steps_are_accurate(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++)
        for (int kind = LV_SAMPLE_INTEGRATED; kind <= LV_SAMPLE_RAW; kind++) {
            errors e;
            const method m = multistep(half, 1);
            for (int k = 0; k < SIZES; k++) {
                e.h[k] = 2.0 / sample_steps[half][k];
                sample_errors(model, &m, sample_steps[half][k], (lv_sample)kind,
                              &e.of[0][k], &e.of[1][k], &e.of[2][k]);
            }
            check_slopes(&e, 3, 2 * half - 1 - 0.3,
                         kind == LV_SAMPLE_RAW ? "raw" : "integrated");
        }
    lv_model_free(model);
}

/* The state within a step meets the nodes at both ends. */
static void states_within_steps_meet_the_nodes(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        lv_sim *sim = start_dense(model, &m, 0.01);
        for (int n = 0; n < 50; n++) {
            double before[3], q[3], v[3], t = lv_sim_time(sim);
            lv_error err;
            memcpy(before, lv_sim_position(sim), sizeof before);
            step_once(sim);
            assert_int_equal(
                lv_sim_sample(sim, t, LV_SAMPLE_INTEGRATED, q, v, NULL, &err), LV_OK);
            assert_at_most(distance(q, before, 3), 1e-14);
            assert_int_equal(lv_sim_sample(sim, lv_sim_time(sim), LV_SAMPLE_INTEGRATED, q,
                                           v, NULL, &err),
                             LV_OK);
            assert_memory_equal(q, lv_sim_position(sim), sizeof q);
            assert_memory_equal(v, lv_sim_velocity(sim), sizeof v);
        }
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* ---- long runs ------------------------------------------------------------------ */

enum { LONG = SLOW ? 2000 : 20000 };

/* Energy, and the angular momentum about the third axis. */
static void invariants(const lv_sim *sim, double *energy, double *spin)
{
    const double *q = lv_sim_position(sim), *v = lv_sim_velocity(sim);
    *energy = lv_sim_energies(sim).total;
    *spin = q[0] * v[1] - q[1] * v[0];
}

static void check_drift(orbit_kind kind, int half, int projection, double h)
{
    double energy, spin, e, s, energies[2] = {0}, spins[2] = {0};
    lv_model *model = model_of(kind);
    const method m = multistep(half, projection);
    lv_sim *sim = start(model, &m, h);
    invariants(sim, &energy, &spin);
    for (int n = 0; n < LONG; n++) {
        const int later = n >= LONG / 2;
        step_once(sim);
        invariants(sim, &e, &s);
        energies[later] = worst_of(energies[later], fabs(e - energy));
        spins[later] = worst_of(spins[later], fabs(s - spin));
    }
    print_message("    %s order %d%s: energy %.1e, %.1e; spin %.1e, %.1e\n",
                  kind == PENDULUM ? "pendulum" : "kepler", 2 * half,
                  projection ? ", projected" : "", energies[0], energies[1], spins[0],
                  spins[1]);
    assert_at_most(energies[0], 1e-3);
    assert_at_most(energies[1], 1.5 * energies[0]);
    assert_at_most(spins[1], 1.5 * spins[0]);
    lv_sim_free(sim);
    lv_model_free(model);
}

static void an_orbit_does_not_drift(void **state)
{
    (void)state;
    for (int half = LEAST; half <= MOST; half++)
        check_drift(KEPLER, half, 0, acos(-1) / 100);
}

static void a_pendulum_does_not_drift(void **state)
{
    (void)state;
    for (int half = LEAST; half <= MOST; half++)
        for (int projection = 0; projection <= 1; projection++)
            check_drift(PENDULUM, half, projection, 0.01);
}

/* ---- changes of the step and of the state --------------------------------------- */

static void advance(lv_sim *sim, double until)
{
    lv_error err;
    if (lv_sim_advance(sim, until, &err) != LV_OK)
        fail_with(&err);
}

static double error_at_ten(const lv_sim *sim)
{
    const orbit exact = orbit_at(PENDULUM, 10);
    assert_close(lv_sim_time(sim), 10, 1e-14);
    return worst_of(distance_to(lv_sim_position(sim), exact.q, 3),
                    distance_to(lv_sim_velocity(sim), exact.v, 3));
}

static const double change_step[MOST + 1] = {[2] = 0.002, [3] = 0.004, [4] = 0.008};

/* Where the exact motion leads from the state of a simulation until the time 10, and how
 * far that is from where it should be: an error at a stop becomes one of the motion. */
static double error_carried_on(const lv_sim *sim)
{
    const orbit exact = orbit_at(PENDULUM, 10);
    orbit o = {.kind = PENDULUM};
    double q[3], v[3];
    for (int i = 0; i < 3; i++) {
        o.q[i] = lv_sim_position(sim)[i];
        o.v[i] = lv_sim_velocity(sim)[i];
    }
    orbit_move(&o, 10 - (real)lv_sim_time(sim));
    for (int i = 0; i < 3; i++) {
        q[i] = (double)o.q[i];
        v[i] = (double)o.v[i];
    }
    return worst_of(distance_to(q, exact.q, 3), distance_to(v, exact.v, 3));
}

/* Stops within steps, behind nodes as close as rounding allows, and in the first step. */
static void stops_between_nodes_keep_the_accuracy(void **state)
{
    (void)state;
    static const double stops[] = {3.33377,     3.336, 2.0 + 1e-4, 2.0 + 1e-7,
                                   2.0 + 1e-11, 1e-3,  5e-10,      9.9999999};
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, change_step[half]);
        advance(sim, 10);
        const double plain = error_at_ten(sim);
        lv_sim_free(sim);
        for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
            sim = start(model, &m, change_step[half]);
            advance(sim, stops[k]);
            assert_true(lv_sim_time(sim) == stops[k]);
            const orbit exact = orbit_at(PENDULUM, stops[k]);
            const double here = worst_of(distance_to(lv_sim_position(sim), exact.q, 3),
                                         distance_to(lv_sim_velocity(sim), exact.v, 3));
            const double carried = error_carried_on(sim);
            advance(sim, 10);
            const double stopped = error_at_ten(sim);
            print_message("    order %d, stop at %.12g: %.1e; at 10 %.1e, exactly moved "
                          "%.1e, without stop %.1e\n",
                          2 * half, stops[k], here, stopped, carried, plain);
            assert_at_most(here, 2 * plain);
            assert_at_most(stopped, carried + 2 * plain);
            lv_sim_free(sim);
        }
    }
    lv_model_free(model);
}

static void another_step_size_keeps_the_accuracy(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        lv_error err;
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, change_step[half]);
        advance(sim, 10);
        const double plain = error_at_ten(sim);
        lv_sim_free(sim);
        sim = start(model, &m, change_step[half]);
        advance(sim, 4);
        assert_int_equal(lv_sim_set_step(sim, change_step[half] / 2, &err), LV_OK);
        advance(sim, 7);
        assert_int_equal(lv_sim_set_step(sim, change_step[half], &err), LV_OK);
        advance(sim, 10);
        print_message("    order %d: %.1e, without change %.1e\n", 2 * half,
                      error_at_ten(sim), plain);
        assert_at_most(error_at_ten(sim), 3 * plain);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

/* A state of the motion at a time, as numbers of the model. */
static void exact_state(double time, double *q, double *v)
{
    const orbit o = orbit_at(PENDULUM, time);
    for (int i = 0; i < 3; i++) {
        q[i] = (double)o.q[i];
        v[i] = (double)o.v[i];
    }
}

/* A run whose state is replaced has the same bits as one that begins there. */
static void another_state_begins_anew(void **state)
{
    (void)state;
    double q[3], v[3];
    exact_state(1, q, v);
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        const method m = multistep(half, 1);
        const double h = change_step[half];
        lv_sim *moved = start(model, &m, h), *fresh = start(model, &m, h);
        step_times(moved, 77);
        move_to(fresh, 1, q, v);
        move_to(moved, 1, q, v);
        double difference = 0;
        for (int n = 0; n < 100; n++) {
            step_once(fresh);
            step_once(moved);
            difference = worst_of(
                difference, distance(lv_sim_position(fresh), lv_sim_position(moved), 3));
        }
        advance(moved, 10);
        const double error = error_at_ten(moved);
        lv_sim *plain = start(model, &m, h);
        advance(plain, 10);
        print_message("    order %d: differs by %.1e; error %.1e, from the start %.1e\n",
                      2 * half, difference, error, error_at_ten(plain));
        assert_at_most(difference, 1e-14);
        assert_at_most(error, 3 * error_at_ten(plain));
        lv_sim_free(moved);
        lv_sim_free(fresh);
        lv_sim_free(plain);
    }
    lv_model_free(model);
}

/* A copy that is saved in the middle of a run goes on with the same bits. */
static void saved_runs_go_on_bit_for_bit(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        lv_error err;
        const method m = multistep(half, 1);
        lv_sim *a = start(model, &m, 0.01), *b = start(model, &m, 0.01);
        step_times(a, 33);
        assert_int_equal(lv_sim_copy(b, a, &err), LV_OK);
        for (int n = 0; n < 40; n++) {
            step_once(a);
            step_once(b);
            assert_memory_equal(lv_sim_position(a), lv_sim_position(b),
                                3 * sizeof(double));
            assert_memory_equal(lv_sim_velocity(a), lv_sim_velocity(b),
                                3 * sizeof(double));
        }
        lv_sim_free(a);
        lv_sim_free(b);
    }
    lv_model_free(model);
}

/* A pendulum in the plane with a wind that changes. */
#define WINDY                                                                            \
    "[inputs]\nwind = 0.5\n"                                                             \
    "[coordinates]\nq = { value = [0.6, -0.8], velocity = [0.4, 0.3] }\n"                \
    "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"9.81*q[2]\"\n"                   \
    "[constraints.rod]\nholonomic = \"(norm2(q) - 1)/2\"\n"                              \
    "[forces.wind]\non = \"q\"\nforce = \"[wind, 0]\"\n"

/* Multiples of 3 far apart: how large errors are depends on where in a step impacts are. */
static const int change_steps[MOST + 1][SIZES] = {
    [2] = {150, 300, 600, 1200},
    [3] = {150, 240, 420, 750},
    [4] = {150, 210, 300, 450},
};

/* Steps both, and takes the largest differences of absolute values of x and of v. */
static void compare_steps(lv_sim *sim, lv_sim *exact, int steps, double *x_error,
                          double *v_error)
{
    for (int n = 0; n < steps; n++) {
        step_once(sim);
        step_once(exact);
        const double x = fabs(*lv_sim_position(sim)) - fabs(*lv_sim_position(exact)),
                     v = fabs(*lv_sim_velocity(sim)) - fabs(*lv_sim_velocity(exact));
        *x_error = worst_of(*x_error, fabs(x));
        *v_error = worst_of(*v_error, fabs(v));
    }
}

static void set_wind(lv_sim *sim, double wind)
{
    lv_error err;
    if (lv_sim_set_input(sim, "wind", &wind, 1, &err) != LV_OK)
        fail_with(&err);
}

static void inputs_that_change_keep_the_order(void **state)
{
    (void)state;
    static const double winds[] = {0.5, -6, 3};
    lv_model *model = read_text(WINDY);
    for (int half = LEAST; half <= MOST; half++) {
        errors e = {0};
        const method m = multistep(half, 1), fine = {"lobatto", 6, 0};
        for (int k = 0; k < SIZES; k++) {
            const int steps = change_steps[half][k];
            e.h[k] = 3.0 / steps;
            lv_sim *sim = start(model, &m, e.h[k]), *exact = start(model, &fine, e.h[k]);
            for (int wind = 0; wind < 3; wind++) {
                set_wind(sim, winds[wind]);
                set_wind(exact, winds[wind]);
                compare_steps(sim, exact, steps / 3, &e.of[0][k], &e.of[1][k]);
            }
            lv_sim_free(sim);
            lv_sim_free(exact);
        }
        check_slopes(&e, 2, 2 * half - 0.3, "wind");
    }
    lv_model_free(model);
}

#define SPRING                                                                           \
    "[coordinates]\nx = 1\n"                                                             \
    "[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2 + x^4/2\"\n"
#define WALL "[events.wall]\nwhen = \"x\"\ndirection = \"falling\"\nrestitution = 1\n"

/* A wall in the middle of a symmetric spring: the motion is the absolute value of that
 * without the wall. */
static void impacts_keep_the_order(void **state)
{
    (void)state;
    lv_model *model = read_text(SPRING WALL), *no_wall = read_text(SPRING);
    for (int half = LEAST; half <= MOST; half++) {
        errors e = {0};
        const method m = multistep(half, 1), fine = {"lobatto", 6, 0};
        for (int k = 0; k < SIZES; k++) {
            const int steps = change_steps[half][k];
            e.h[k] = 5.0 / steps;
            lv_sim *sim = start(model, &m, e.h[k]),
                   *exact = start(no_wall, &fine, e.h[k]);
            compare_steps(sim, exact, steps, &e.of[0][k], &e.of[0][k]);
            lv_sim_free(sim);
            lv_sim_free(exact);
        }
        check_slopes(&e, 1, 2 * half - 0.3, "wall");
    }
    lv_model_free(model);
    lv_model_free(no_wall);
}

/* ---- refusals and failures ------------------------------------------------------ */

#define POINT "[coordinates]\nq = { value = [1, 0], velocity = [0, 1] }\n"

static const struct {
    const char *what, *text, *says;
} refused[] = {
    {"damping",
     POINT "[energy]\nkinetic = \"norm2(q')/2\"\npotential = \"norm2(q)/2\"\n"
           "[forces.drag]\non = \"q\"\nforce = \"-0.1*q'\"\n",
     "velocit"},
    {"a dissipation that is not linear",
     POINT "[energy]\nkinetic = \"norm2(q')/2\"\n"
           "[forces.drag]\non = \"q\"\nforce = \"-norm(q')*q'\"\n",
     "velocit"},
    {"a magnetic field",
     POINT "[energy]\nlagrangian = \"norm2(q')/2 + q[1]*q'[2] - norm2(q)/2\"\n",
     "velocit"},
    {"a nonholonomic constraint",
     "[coordinates]\nx = { value = 0, velocity = 1 }\ny = 0.5\nz = { value = 0, velocity "
     "= 0.5 }\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n"
     "[constraints.blade]\nnonholonomic = \"z' - y*x'\"\n",
     "nonholonomic"},
    {"a mass that varies with the position",
     POINT "[energy]\nkinetic = \"(1 + q[1]^2)*norm2(q')/2\"\n", "mass"},
    {"a mass that varies with time",
     POINT "[energy]\nkinetic = \"(2 + sin(t))*norm2(q')/2\"\n", "mass"},
};

static void what_it_cannot_do_is_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        lv_model *model = read_text(refused[k].text);
        for (int half = LEAST; half <= MOST; half++) {
            lv_error err;
            lv_sim *sim = NULL;
            const method m = multistep(half, 1);
            assert_int_equal(try_start(&sim, model, &m, 0.01, &err), LV_ERR_MODEL);
            assert_null(sim);
            if (half == LEAST)
                print_message("    %s: %s | %s\n", refused[k].what, err.text, err.hint);
            assert_int_equal(err.code, LV_ERR_MODEL);
            assert_says(err.text, "multistep");
            assert_says(err.text, refused[k].says);
            assert_true(strlen(err.hint) > 0);
        }
        lv_model_free(model);
    }
}

/* All numbers that a simulation would save: more than its state. */
typedef struct saved {
    int count;
    double *numbers;
} saved;

/* Numbers 4 and 5 tell how the last step was solved, which a step that fails changes. */
enum { ITERATIONS = 4, STAGNATED = 5 };

static void save(saved *s, const lv_sim *sim)
{
    lv_error err;
    if (!s->numbers) {
        s->count = lv_sim_save_count(sim);
        s->numbers = calloc((size_t)s->count, sizeof *s->numbers);
        assert_non_null(s->numbers);
    }
    assert_int_equal(lv_sim_save_count(sim), s->count);
    if (lv_sim_save(sim, s->numbers, s->count, &err) != LV_OK)
        fail_with(&err);
    s->numbers[ITERATIONS] = s->numbers[STAGNATED] = 0;
}

static void check_unchanged(const lv_sim *sim, const saved *before)
{
    saved after = {0};
    save(&after, sim);
    assert_int_equal(before->count, after.count);
    assert_memory_equal(before->numbers, after.numbers,
                        sizeof(double) * (size_t)after.count);
    free(after.numbers);
}

static void check_explained(const lv_error *err)
{
    print_message("    %s | %s | %s\n", err->text, err->note, err->hint);
    assert_int_equal(err->code, LV_ERR_NUMERIC);
    assert_says(err->text, "stopped at step");
    assert_says(err->hint, "smaller step");
}

/* A step of the size h fails, says why, and changes nothing. */
static void fail_step(lv_sim *sim, double h)
{
    lv_error err, other;
    const double step = lv_sim_step_size(sim);
    saved before = {0};
    assert_int_equal(lv_sim_set_step(sim, h, &other), LV_OK);
    save(&before, sim);
    assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC);
    check_explained(&err);
    check_unchanged(sim, &before);
    assert_int_equal(lv_sim_set_step(sim, step, &other), LV_OK);
    free(before.numbers);
}

static void steps_that_are_far_too_large_change_nothing(void **state)
{
    (void)state;
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++)
        for (int n = 0; n <= 50; n += 50) {
            const method m = multistep(half, 1);
            lv_sim *sim = start(model, &m, 0.01), *other = start(model, &m, 0.01);
            step_times(sim, n);
            step_times(other, n);
            fail_step(sim, 3);
            fail_step(sim, 1e6);
            step_times(sim, 20);
            step_times(other, 20);
            assert_at_most(distance(lv_sim_position(sim), lv_sim_position(other), 3),
                           1e-14);
            assert_at_most(distance(lv_sim_velocity(sim), lv_sim_velocity(other), 3),
                           1e-13);
            lv_sim_free(sim);
            lv_sim_free(other);
        }
    lv_model_free(model);
}

/* The iteration fails in the middle of a run whose step is too large. */
static void a_run_that_fails_keeps_its_last_state(void **state)
{
    (void)state;
    static const double steps[MOST + 1] = {[2] = 0.15, [3] = 0.12, [4] = 0.08};
    lv_model *model = model_of(PENDULUM);
    for (int half = LEAST; half <= MOST; half++) {
        lv_error err;
        lv_status status = LV_OK;
        saved before = {0};
        const method m = multistep(half, 1);
        lv_sim *sim = start(model, &m, steps[half]);
        for (int n = 0; n < 10000 && status == LV_OK; n++) {
            save(&before, sim);
            status = lv_sim_step(sim, &err);
        }
        assert_int_equal(status, LV_ERR_NUMERIC);
        assert_above((double)lv_sim_steps(sim), 0);
        check_explained(&err);
        check_unchanged(sim, &before);
        assert_int_equal(lv_sim_step(sim, &err), LV_ERR_NUMERIC); /* again */
        check_unchanged(sim, &before);
        free(before.numbers);
        lv_sim_free(sim);
    }
    lv_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(sizes_follow_from_the_order),
        RUN(order_conditions_hold_and_no_more),
        RUN(the_roots_are_those_of_the_table),
        RUN(the_roots_of_both_polynomials_are_simple_and_apart),
        RUN(oscillations_are_stable_up_to_the_promised_step),
        RUN(the_recursion_reproduces_polynomials),
        RUN(starting_values_are_exact_for_polynomials),
        RUN(velocities_at_nodes_are_exact_for_polynomials),
        RUN(accelerations_within_steps_are_exact_for_polynomials),
        RUN(positions_are_those_of_the_classical_form),
        RUN(the_series_meet_the_known_state),
        RUN(the_pendulum_has_the_order_of_the_method),
        RUN(the_projection_changes_velocities_and_no_position),
        RUN(forces_of_time_keep_the_order),
        RUN(an_orbit_has_the_order_of_the_method),
        RUN(constraints_of_time_keep_the_order),
        RUN(two_constraints_keep_the_order),
        RUN(states_within_steps_are_accurate),
        RUN(states_within_steps_meet_the_nodes),
        RUN(an_orbit_does_not_drift),
        RUN(a_pendulum_does_not_drift),
        RUN(stops_between_nodes_keep_the_accuracy),
        RUN(another_step_size_keeps_the_accuracy),
        RUN(another_state_begins_anew),
        RUN(inputs_that_change_keep_the_order),
        RUN(impacts_keep_the_order),
        RUN(saved_runs_go_on_bit_for_bit),
        RUN(what_it_cannot_do_is_refused),
        RUN(steps_that_are_far_too_large_change_nothing),
        RUN(a_run_that_fails_keeps_its_last_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
