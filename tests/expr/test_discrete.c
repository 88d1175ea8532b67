/* Discrete gradients: directionality, consistency, symmetry, behaviour as the points meet. */
#include "base/status.h"
#include "check.h"
#include "deny.h"
#include "expr/diff.h"
#include "expr/discrete.h"

#include <stdlib.h>

/* Formulas of the vectors a, b (three coordinates each) and their names. */
enum { N = 6 };

typedef struct subject {
    lv_graph *g;
    lv_node end[N], start[N], middle[N], f, discrete[N], gradient[N], jacobian[N * N];
} subject;

/* |a - b|^2 */
static lv_node distance2(lv_graph *g, const lv_node *x)
{
    lv_node sum = lv_graph_const(g, 0);
    for (int k = 0; k < 3; k++) {
        lv_node difference = lv_graph_sub(g, x[k], x[3 + k]);
        lv_node square = lv_graph_square(g, difference);
        sum = lv_graph_add(g, sum, square);
    }
    return sum;
}

static lv_node length2(lv_graph *g, const lv_node *x)
{
    lv_node sum = lv_graph_const(g, 0);
    for (int k = 0; k < 3; k++) {
        lv_node square = lv_graph_square(g, x[k]);
        sum = lv_graph_add(g, sum, square);
    }
    return sum;
}

/* 0: quartic spring, 1: linear spring of length 1, 2: quadratic, 3: Newton's potential plus a
 * linear one, 4: product of two invariants, 5: torus-like, 6: sin of a coordinate, 7: two terms that each occur 2^60 times */
enum { CASES = 8 };

static lv_node half_of_both(lv_graph *g, lv_node a, lv_node b)
{
    const lv_node half = lv_graph_const(g, 0.5), first = lv_graph_mul(g, half, a),
                  second = lv_graph_mul(g, half, b);
    return lv_graph_sub(g, first, lv_graph_neg(g, second));
}

static lv_node formula(lv_graph *g, int which, const lv_node *x)
{
    lv_node d2 = distance2(g, x), l2 = length2(g, x), one = lv_graph_const(g, 1), r, s;
    switch (which) {
    case 0:
        r = lv_graph_sub(g, d2, one);
        r = lv_graph_square(g, r);
        s = lv_graph_const(g, 25);
        return lv_graph_mul(g, s, r);
    case 1:
        r = lv_graph_op(g, LV_OP_SQRT, d2, 0, 0);
        r = lv_graph_sub(g, r, one);
        return lv_graph_square(g, r);
    case 2:
        r = lv_graph_mul(g, x[0], x[4]);
        return lv_graph_add(g, d2, r);
    case 3:
        r = lv_graph_op(g, LV_OP_SQRT, l2, 0, 0);
        r = lv_graph_div(g, one, r);
        s = lv_graph_const(g, 9.81);
        s = lv_graph_mul(g, s, x[2]);
        return lv_graph_sub(g, s, r);
    case 4:
        r = lv_graph_op(g, LV_OP_EXP, d2, 0, 0);
        return lv_graph_mul(g, r, l2);
    case 5:
        r = lv_graph_square(g, l2);
        s = lv_graph_mul(g, l2, d2);
        return lv_graph_sub(g, r, s);
    case 6:
        return lv_graph_op(g, LV_OP_SIN, x[1], 0, 0);
    default:
        r = lv_graph_op(g, LV_OP_EXP, d2, 0, 0);
        s = lv_graph_op(g, LV_OP_SIN, x[1], 0, 0);
        for (int k = 0; k < 60; k++) {
            const lv_node next = half_of_both(g, r, s);
            s = r;
            r = next;
        }
        return r;
    }
}

static lv_status derive(subject *s, int which, lv_error *err)
{
    s->g = lv_graph_create(0);
    if (!s->g)
        return lv_fail_memory(err);
    for (int k = 0; k < N; k++) {
        s->end[k] = lv_graph_input(s->g, LV_INPUT_Q, k);
        s->start[k] = lv_graph_input(s->g, LV_INPUT_W, k);
    }
    s->f = formula(s->g, which, s->end);
    LV_TRY(lv_graph_check(s->g, err));
    const lv_way way = {N, s->end, s->start, s->end, s->middle};
    lv_discrete_middle(s->g, s->middle, s->start, s->end, N);
    LV_TRY(lv_discrete_gradient(s->g, s->discrete, s->f, &way, N, err));
    lv_diff_gradient(s->g, s->gradient, s->f, s->end, N);
    lv_diff_jacobian(s->g, s->jacobian, s->discrete, N, s->end, N);
    return lv_graph_check(s->g, err);
}

static void make(subject *s, int which)
{
    lv_error err;
    if (derive(s, which, &err) != LV_OK)
        fail_msg("case %d: %s", which, err.text);
}

static void values(const subject *s, double *out, const lv_node *nodes, int count,
                   const double *q1, const double *q0)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_Q] = q1;
    inputs[LV_INPUT_W] = q0;
    assert_int_equal(lv_graph_evaluate(s->g, out, nodes, count, inputs, NULL), LV_OK);
}

static double uniform(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

/* Two points at a distance of about `step`. */
static void random_points(double *q0, double *q1, double step)
{
    static const double centre[N] = {0.3, -0.2, 0.9, 1.1, 0.4, -0.5};
    for (int k = 0; k < N; k++) {
        q0[k] = centre[k] + 0.3 * uniform();
        q1[k] = q0[k] + step * uniform();
    }
}

static void differences_of_values_are_reproduced(void **state)
{
    static const double steps[] = {0.5, 1e-1, 1e-2, 1e-3, 1e-5, 1e-8};
    (void)state;
    srand(1);
    for (int which = 0; which < CASES; which++) {
        subject s;
        make(&s, which);
        for (int trial = 0; trial < 600; trial++) {
            double q0[N], q1[N], d[N], f1, f0, along = 0, size = 0;
            random_points(q0, q1, steps[trial % 6]);
            values(&s, d, s.discrete, N, q1, q0);
            values(&s, &f1, &s.f, 1, q1, q0);
            values(&s, &f0, &s.f, 1, q0, q0);
            for (int k = 0; k < N; k++) {
                along += d[k] * (q1[k] - q0[k]);
                size += fabs(d[k] * (q1[k] - q0[k]));
            }
            /* Rounding of f itself limits the comparison for small steps. */
            double tolerance = 4e-14 * (size + fabs(f1) + fabs(f0));
            if (fabs(along - (f1 - f0)) > tolerance)
                fail_msg("case %d, step %g: %.17g against %.17g", which, steps[trial % 6],
                         along, f1 - f0);
        }
        lv_graph_free(s.g);
    }
}

static void it_tends_to_the_gradient_with_second_order(void **state)
{
    (void)state;
    srand(2);
    for (int which = 0; which < CASES; which++) {
        subject s;
        make(&s, which);
        double errors[2];
        for (int k = 0; k < 2; k++) {
            double q0[N], q1[N], middle[N], d[N], g[N], worst = 0;
            srand(3);
            random_points(q0, q1, 1);
            for (int i = 0; i < N; i++) {
                double change = (k == 0 ? 0.04 : 0.02) * (q1[i] - q0[i]);
                middle[i] = q0[i];
                q1[i] = q0[i] + change / 2;
                q0[i] = q0[i] - change / 2;
            }
            values(&s, d, s.discrete, N, q1, q0);
            values(&s, g, s.gradient, N, middle, q0);
            for (int i = 0; i < N; i++)
                worst = fmax(worst, fabs(d[i] - g[i]));
            errors[k] = worst;
        }
        if (errors[0] > 1e-12 && !(errors[0] / errors[1] > 3.5))
            fail_msg("case %d: errors %g, %g", which, errors[0], errors[1]);
        lv_graph_free(s.g);
    }
}

static void equal_points_give_the_gradient(void **state)
{
    (void)state;
    for (int which = 0; which < CASES; which++) {
        subject s;
        double q0[N], q1[N], d[N], g[N];
        make(&s, which);
        random_points(q0, q1, 0);
        values(&s, d, s.discrete, N, q1, q0);
        values(&s, g, s.gradient, N, q1, q0);
        for (int k = 0; k < N; k++)
            assert_close(d[k], g[k], 1e-13);
        lv_graph_free(s.g);
    }
}

/* Functions of |a - b| exert no total force and no torque. */
static void symmetries_of_the_invariants_are_kept(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        subject s;
        double q0[N], q1[N], d[N];
        make(&s, which);
        random_points(q0, q1, 0.5);
        values(&s, d, s.discrete, N, q1, q0);
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double torque = 0;
            assert_close(d[k] + d[3 + k], 0, 1e-13);
            for (int b = 0; b < 6; b += 3)
                torque += (q0[b + i] + q1[b + i]) / 2 * d[b + j] -
                          (q0[b + j] + q1[b + j]) / 2 * d[b + i];
            assert_close(torque, 0, 1e-13);
        }
        lv_graph_free(s.g);
    }
}

static void its_derivative_is_exact(void **state)
{
    static const double steps[] = {0.4, 1e-3};
    (void)state;
    for (int which = 0; which < CASES; which++)
        for (int trial = 0; trial < 2; trial++) {
            subject s;
            double q0[N], q1[N], jacobian[N * N], plus[N], minus[N], q[N];
            make(&s, which);
            random_points(q0, q1, steps[trial]);
            values(&s, jacobian, s.jacobian, N * N, q1, q0);
            for (int c = 0; c < N; c++) {
                const double h = 1e-6;
                for (int k = 0; k < N; k++)
                    q[k] = q1[k];
                q[c] = q1[c] + h;
                values(&s, plus, s.discrete, N, q, q0);
                q[c] = q1[c] - h;
                values(&s, minus, s.discrete, N, q, q0);
                for (int r = 0; r < N; r++)
                    assert_close(jacobian[r * N + c], (plus[r] - minus[r]) / (2 * h),
                                 2e-7);
            }
            lv_graph_free(s.g);
        }
}

static lv_status derive_all(void *user, lv_error *err)
{
    (void)user;
    for (int which = 0; which < CASES; which++) {
        subject s;
        lv_status status = derive(&s, which, err);
        lv_graph_free(s.g);
        if (status != LV_OK)
            return status;
    }
    return LV_OK;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sample(derive_all, NULL, 400);
}

/* x y + sin(x), sin(x), x with y -> z and x -> 2: at once and one by one the same nodes. */
static void formulas_are_replaced_together_as_they_are_alone(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    lv_node z = lv_graph_input(g, LV_INPUT_Q, 2), two = lv_graph_const(g, 2);
    lv_node product = lv_graph_mul(g, x, y), sine = lv_graph_op(g, LV_OP_SIN, x, 0, 0);
    const lv_node f[] = {lv_graph_add(g, product, sine), sine, x, z};
    const lv_node from[] = {y, x}, to[] = {z, two};
    lv_node together[4];
    lv_graph_replace_all(g, together, f, 4, from, to, 2);
    assert_int_equal(lv_graph_status(g), LV_OK);
    for (int k = 0; k < 4; k++)
        assert_int_equal(together[k], lv_graph_replace(g, f[k], from, to, 2));
    lv_node doubled = lv_graph_mul(g, two, z), number = lv_graph_const(g, sin(2));
    assert_int_equal(together[0], lv_graph_add(g, doubled, number));
    assert_int_equal(together[1], number);
    assert_int_equal(together[2], two);
    assert_int_equal(together[3], z);
    lv_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(differences_of_values_are_reproduced),
        RUN(it_tends_to_the_gradient_with_second_order),
        RUN(equal_points_give_the_gradient),
        RUN(symmetries_of_the_invariants_are_kept),
        RUN(its_derivative_is_exact),
        RUN(formulas_are_replaced_together_as_they_are_alone),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
