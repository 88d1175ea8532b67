/* Formulas with their fixed factors collected. */
#include "check.h"
#include "deny.h"
#include "expr/factors.h"
#include "random_graph.h"

enum { OUTPUTS = 12, NODES = 60, PARAMETERS = 3, COORDINATES = 4 };

static const lv_layout layout = {
    {[LV_INPUT_Q] = COORDINATES, [LV_INPUT_P] = PARAMETERS, [LV_INPUT_I] = PARAMETERS}};

/* Sums, products and quotients of coordinates and of fixed numbers. */
static lv_graph *mechanical_graph(unsigned seed, lv_node *outputs)
{
    static const lv_op ops[] = {LV_OP_ADD, LV_OP_SUB,    LV_OP_MUL, LV_OP_MUL,
                                LV_OP_NEG, LV_OP_SQUARE, LV_OP_ABS, LV_OP_MAX};
    enum { OPS = sizeof ops / sizeof *ops };
    random_source r = {seed};
    lv_graph *g = lv_graph_create(0);
    for (int k = 0; g && k < COORDINATES; k++)
        (void)lv_graph_input(g, LV_INPUT_Q, k);
    for (int k = 0; g && k < PARAMETERS; k++) {
        (void)lv_graph_input(g, LV_INPUT_P, k);
        (void)lv_graph_input(g, LV_INPUT_I, k);
    }
    while (g && lv_graph_status(g) == LV_OK && lv_graph_count(g) < NODES) {
        const int count = lv_graph_count(g), which = random_below(&r, OPS + 2);
        const lv_node a = random_below(&r, count), b = random_below(&r, count);
        if (which < OPS)
            (void)lv_graph_op(g, ops[which], a, b, LV_NODE_NONE);
        else if (which == OPS)
            (void)lv_graph_div(g, a, lv_graph_input(g, LV_INPUT_P, b % PARAMETERS));
        else
            (void)lv_graph_mul(g, lv_graph_const(g, b % 5 - 2), a);
    }
    for (int k = 0; g && lv_graph_status(g) == LV_OK && k < OUTPUTS; k++)
        outputs[k] = NODES - 1 - k;
    return g;
}

/* Numbers of a few bits, and powers of 2 to divide by. */
static void fill_point(random_point *point, unsigned seed)
{
    random_source r = {seed + 1000};
    memset(point->value, 0, sizeof point->value);
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++) {
        for (int k = 0; k < COORDINATES; k++)
            point->value[kind][k] = kind == LV_INPUT_P ? ldexp(1, random_below(&r, 5) - 2)
                                                       : random_below(&r, 9) - 4;
        point->in[kind] = point->value[kind];
    }
}

static double largest_value(const lv_graph *g, const random_point *point)
{
    lv_node all[NODES];
    double value[NODES], largest = 1;
    for (int k = 0; k < NODES; k++)
        all[k] = k;
    assert_int_equal(lv_graph_evaluate(g, value, all, NODES, point->in, NULL), LV_OK);
    for (int k = 0; k < NODES; k++)
        largest = fmax(largest, fabs(value[k]));
    return largest;
}

static void values_change_by_rounding_only(void **state)
{
    int compared = 0;
    (void)state;
    for (unsigned seed = 1; seed <= 3000; seed++) {
        lv_node nodes[OUTPUTS], images[OUTPUTS];
        double before[OUTPUTS], after[OUTPUTS];
        random_point point;
        lv_graph *from = mechanical_graph(seed, nodes), *to = lv_graph_create(0);
        fill_point(&point, seed);
        const double largest = largest_value(from, &point);
        lv_graph_collect_factors(to, images, from, nodes, OUTPUTS);
        assert_int_equal(lv_graph_status(to), LV_OK);
        assert_int_equal(lv_graph_evaluate(from, before, nodes, OUTPUTS, point.in, NULL),
                         LV_OK);
        assert_int_equal(lv_graph_evaluate(to, after, images, OUTPUTS, point.in, NULL),
                         LV_OK);
        for (int k = 0; k < OUTPUTS && largest < 1e9; k++, compared++)
            assert_true(fabs(after[k] - before[k]) <= 1e-9 * (1 + fabs(before[k])));
        lv_graph_free(from);
        lv_graph_free(to);
    }
    assert_true(compared > 10000);
}

/* Operations of MAIN, before and after. */
static void count_operations(const lv_graph *g, lv_node f, int *before, int *after)
{
    lv_program *program = NULL;
    lv_graph *to = lv_graph_create(0);
    lv_node image;
    assert_int_equal(lv_program_compile(&program, g, &f, 1, &layout, NULL), LV_OK);
    *before = program->operations;
    lv_program_free(program);
    lv_graph_collect_factors(to, &image, g, &f, 1);
    assert_int_equal(lv_program_compile(&program, to, &image, 1, &layout, NULL), LV_OK);
    *after = program->operations;
    lv_program_free(program);
    lv_graph_free(to);
}

/* h/2 (h (1/m (x y))), m and h being fixed */
static void factors_of_products_become_one(void **state)
{
    int before, after;
    lv_graph *g = lv_graph_create(0);
    lv_node m = lv_graph_input(g, LV_INPUT_P, 0), h = lv_graph_input(g, LV_INPUT_I, 0),
            x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    (void)state;
    lv_node f = lv_graph_mul(g, x, y);
    f = lv_graph_div(g, f, m);
    f = lv_graph_mul(g, h, f);
    f = lv_graph_mul(g, h, f);
    f = lv_graph_mul(g, lv_graph_const(g, 0.5), f);
    count_operations(g, f, &before, &after);
    assert_int_equal(before, 5);
    assert_int_equal(after, 2);
    lv_graph_free(g);
}

/* x (y/m) - z (w/m) */
static void a_common_factor_is_taken_out_of_a_sum(void **state)
{
    int before, after;
    lv_graph *g = lv_graph_create(0);
    lv_node m = lv_graph_input(g, LV_INPUT_P, 0), x[COORDINATES], term[2];
    (void)state;
    for (int k = 0; k < COORDINATES; k++)
        x[k] = lv_graph_input(g, LV_INPUT_Q, k);
    for (int k = 0; k < 2; k++) {
        const lv_node scaled = lv_graph_div(g, x[2 * k], m);
        term[k] = lv_graph_mul(g, x[2 * k + 1], scaled);
    }
    count_operations(g, lv_graph_sub(g, term[0], term[1]), &before, &after);
    assert_int_equal(before, 5);
    assert_int_equal(after, 4);
    lv_graph_free(g);
}

static lv_status collect(void *user, lv_error *err)
{
    lv_node nodes[OUTPUTS], images[OUTPUTS];
    lv_graph *from = mechanical_graph(7, nodes), *to = lv_graph_create(0);
    lv_status status = LV_ERR_MEMORY;
    (void)user;
    if (from && to && lv_graph_status(from) == LV_OK) {
        lv_graph_collect_factors(to, images, from, nodes, OUTPUTS);
        status = lv_graph_status(to);
        for (int k = 0; k < OUTPUTS; k++)
            assert_true((images[k] == LV_NODE_NONE) == (status != LV_OK));
    }
    lv_graph_free(from);
    lv_graph_free(to);
    return status == LV_OK ? LV_OK : lv_fail_memory(err);
}

static void missing_memory_is_reported(void **state)
{
    (void)state;
    lv_deny_sweep(collect, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(values_change_by_rounding_only),
        RUN(factors_of_products_become_one),
        RUN(a_common_factor_is_taken_out_of_a_sum),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
