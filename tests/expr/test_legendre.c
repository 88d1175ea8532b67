/* Legendre transforms against their definition: v = dH/dp at the momenta that come out, and
 * L = p.v - H there. */
#include "check.h"
#include "deny.h"
#include "expr/diff.h"
#include "expr/legendre.h"

#include <stdint.h>

enum { MOST = 20 };

typedef struct subject {
    lv_graph *g;
    lv_arena arena;
    int n;
    lv_node p[MOST], v[MOST], h, c;
    int block[MOST];
    lv_legendre result;
} subject;

static uint64_t noise = 1;

/* In [-1, 1] */
static double draw(void)
{
    noise = noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(noise >> 33) * 0x1p-30 - 1;
}

/* A number, a parameter, or a formula of the coordinates, about as large as `size`. */
static lv_node entry(subject *s, double size)
{
    int kind = (int)(3 * fabs(draw()));
    lv_node c = lv_graph_const(s->g, size * draw());
    lv_node x = lv_graph_input(s->g, kind == 1 ? LV_INPUT_P : LV_INPUT_Q, kind);
    lv_node wave = lv_graph_op(s->g, LV_OP_SIN, x, 0, 0);
    return kind == 0 ? c : lv_graph_mul(s->g, c, wave);
}

static void subject_init(subject *s, int n)
{
    *s = (subject){.g = lv_graph_create(0), .n = n};
    for (int k = 0; k < n; k++) {
        s->p[k] = lv_graph_input(s->g, LV_INPUT_M, k);
        s->v[k] = lv_graph_input(s->g, LV_INPUT_V, k);
    }
    s->h = s->c = entry(s, 1);
}

static void subject_done(subject *s)
{
    lv_graph_free(s->g);
    lv_arena_done(&s->arena);
}

/* h += a p_i p_j */
static void add_product(subject *s, lv_node a, int i, int j)
{
    lv_node product = lv_graph_mul(s->g, s->p[i], s->p[j]);
    lv_node term = lv_graph_mul(s->g, a, product);
    s->h = lv_graph_add(s->g, s->h, term);
}

static void add_linear(subject *s)
{
    for (int k = 0; k < s->n; k++) {
        lv_node b = entry(s, 1), term = lv_graph_mul(s->g, b, s->p[k]);
        s->h = lv_graph_add(s->g, s->h, term);
    }
}

static void transform(subject *s)
{
    assert_int_equal(lv_legendre_transform(&s->result, s->g, &s->arena, s->h, s->p, s->v,
                                           s->block, s->n, NULL),
                     LV_OK);
}

static void check_transform(subject *s)
{
    double q[3], v[MOST], parameters[2], p[MOST], found[MOST], scale = 0;
    const double *in[LV_INPUT_KINDS] = {
        [LV_INPUT_Q] = q, [LV_INPUT_V] = v, [LV_INPUT_P] = parameters};
    lv_node gradient[MOST];
    transform(s);
    assert_int_equal(s->result.singular, -1);
    lv_diff_gradient(s->g, gradient, s->h, s->p, s->n);
    for (int repeat = 0; repeat < 5; repeat++) {
        for (int k = 0; k < 3; k++)
            q[k] = draw();
        for (int k = 0; k < s->n; k++)
            v[k] = 2 * draw();
        parameters[0] = draw();
        parameters[1] = draw();
        in[LV_INPUT_M] = NULL;
        lv_node parts[3] = {s->result.kinetic, s->result.gyroscopic, s->result.potential};
        double values[3], h = 0, action = 0;
        assert_int_equal(lv_graph_evaluate(s->g, p, s->result.momenta, s->n, in, NULL),
                         0);
        assert_int_equal(lv_graph_evaluate(s->g, values, parts, 3, in, NULL), 0);
        in[LV_INPUT_M] = p;
        assert_int_equal(lv_graph_evaluate(s->g, found, gradient, s->n, in, NULL), 0);
        assert_int_equal(lv_graph_evaluate(s->g, &h, &s->h, 1, in, NULL), 0);
        for (int k = 0; k < s->n; k++) {
            assert_close(found[k], v[k], 1e-12);
            action += p[k] * v[k];
            scale += fabs(p[k] * v[k]);
        }
        double difference = values[0] + values[1] - values[2] - (action - h);
        assert_at_most(fabs(difference), 1e-13 * (1 + scale));
    }
}

static void full_blocks_are_inverted(void **state)
{
    (void)state;
    for (int n = 1; n <= LV_LEGENDRE_BLOCK; n++)
        for (int repeat = 0; repeat < 10; repeat++) {
            subject s;
            subject_init(&s, n);
            for (int i = 0; i < n; i++) {
                lv_node large = lv_graph_const(s.g, 2 + n), small = entry(&s, 1);
                lv_node diagonal = lv_graph_add(s.g, large, small);
                add_product(&s, diagonal, i, i);
                for (int j = 0; j < i; j++) {
                    lv_node a = entry(&s, 1);
                    add_product(&s, a, i, j);
                }
            }
            if (repeat % 2)
                add_linear(&s);
            check_transform(&s);
            subject_done(&s);
        }
}

/* Blocks of two, their members far from each other. */
static void blocks_do_not_see_each_other(void **state)
{
    subject s;
    (void)state;
    subject_init(&s, MOST);
    for (int k = 0; k < MOST; k++) {
        lv_node diagonal = lv_graph_const(s.g, 2 + 0.1 * k), a = entry(&s, 1);
        s.block[k] = k % (MOST / 2);
        add_product(&s, diagonal, k, k);
        if (k < MOST / 2)
            add_product(&s, a, k, k + MOST / 2);
    }
    add_linear(&s);
    check_transform(&s);
    subject_done(&s);
}

/* Zeros on the diagonal: products of different momenta alone, and some beside squares. */
static void zero_diagonals_are_inverted(void **state)
{
    (void)state;
    for (int n = 2; n <= 6; n++) {
        subject s;
        subject_init(&s, n);
        for (int k = 0; k + 1 < n; k++) {
            lv_node large = lv_graph_const(s.g, 3 + k), small = entry(&s, 1);
            lv_node a = lv_graph_add(s.g, large, small);
            add_product(&s, a, k, k + 1);
        }
        lv_node last = lv_graph_const(s.g, 2);
        if (n % 2)
            add_product(&s, last, n - 1, n - 1);
        add_linear(&s);
        check_transform(&s);
        subject_done(&s);
    }
}

static void singular_matrices_are_found(void **state)
{
    subject s;
    (void)state;
    subject_init(&s, 3); /* (p0 + p1)^2 + p2^2 */
    lv_node one = lv_graph_const(s.g, 1), two = lv_graph_const(s.g, 2);
    s.block[2] = 1;
    add_product(&s, one, 0, 0);
    add_product(&s, two, 0, 1);
    add_product(&s, one, 1, 1);
    add_product(&s, one, 2, 2);
    transform(&s);
    assert_int_equal(s.result.singular, 1);
    subject_done(&s);
}

/* p^2/(2 m) gives m v^2/2 and m v: nothing is divided. */
static void masses_turn_around(void **state)
{
    subject s;
    (void)state;
    subject_init(&s, 1);
    lv_node m = lv_graph_input(s.g, LV_INPUT_P, 0), half = lv_graph_const(s.g, 0.5);
    lv_node square = lv_graph_square(s.g, s.p[0]),
            quotient = lv_graph_div(s.g, square, m);
    s.h = lv_graph_mul(s.g, half, quotient);
    transform(&s);
    lv_node momentum = lv_graph_mul(s.g, m, s.v[0]);
    lv_node square_v = lv_graph_square(s.g, s.v[0]);
    lv_node twice = lv_graph_mul(s.g, m, square_v);
    assert_int_equal(s.result.momenta[0], momentum);
    assert_int_equal(s.result.kinetic, lv_graph_mul(s.g, half, twice));
    assert_true(lv_graph_is_const(s.g, s.result.gyroscopic, 0));
    assert_true(lv_graph_is_const(s.g, s.result.potential, 0));
    subject_done(&s);
}

/* (p - a)^2/(2 m) + c: the potential is c itself. */
static void completed_squares_vanish(void **state)
{
    subject s;
    (void)state;
    subject_init(&s, 1);
    lv_node m = lv_graph_input(s.g, LV_INPUT_P, 0),
            a = lv_graph_input(s.g, LV_INPUT_Q, 2);
    lv_node c = s.c, difference = lv_graph_sub(s.g, s.p[0], a);
    lv_node square = lv_graph_square(s.g, difference), two = lv_graph_const(s.g, 2);
    lv_node divisor = lv_graph_mul(s.g, two, m);
    lv_node energy = lv_graph_div(s.g, square, divisor);
    s.h = lv_graph_add(s.g, energy, c);
    transform(&s);
    assert_int_equal(s.result.potential, c);
    assert_int_equal(s.result.gyroscopic, lv_graph_mul(s.g, a, s.v[0]));
    subject_done(&s);
}

static lv_status transform_some(void *user, lv_error *err)
{
    lv_arena arena = {0};
    lv_graph *g = lv_graph_create(0);
    const int block[2] = {0, 0};
    lv_legendre result;
    (void)user;
    if (!g)
        return lv_fail_memory(err);
    lv_node p[2], v[2];
    for (int k = 0; k < 2; k++) {
        p[k] = lv_graph_input(g, LV_INPUT_M, k);
        v[k] = lv_graph_input(g, LV_INPUT_V, k);
    }
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), e = lv_graph_op(g, LV_OP_EXP, x, 0, 0);
    lv_node one = lv_graph_square(g, p[0]), other = lv_graph_square(g, p[1]);
    lv_node mixed = lv_graph_mul(g, p[0], p[1]), heavy = lv_graph_mul(g, e, other);
    lv_node sum = lv_graph_add(g, one, heavy), h = lv_graph_add(g, sum, mixed);
    lv_status status = lv_legendre_transform(&result, g, &arena, h, p, v, block, 2, err);
    lv_graph_free(g);
    lv_arena_done(&arena);
    return status;
}

static void missing_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(transform_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(full_blocks_are_inverted),    RUN(blocks_do_not_see_each_other),
        RUN(zero_diagonals_are_inverted), RUN(singular_matrices_are_found),
        RUN(masses_turn_around),          RUN(completed_squares_vanish),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
