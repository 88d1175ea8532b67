/* Formulas of one graph in another. */
#include "check.h"
#include "deny.h"
#include "expr/import.h"
#include "random_graph.h"

enum { OUTPUTS = RANDOM_OUTPUTS, SIZE = 300 };

static const lv_node *const same[LV_INPUT_KINDS] = {NULL};

static void values_survive_to_the_last_bit(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        lv_node nodes[OUTPUTS], images[OUTPUTS];
        double before[OUTPUTS], after[OUTPUTS];
        random_source r = {seed};
        random_point point;
        lv_graph *from = random_graph(seed, SIZE, nodes, OUTPUTS),
                 *to = lv_graph_create(0);
        random_point_fill(&point, &r);
        lv_graph_import(to, images, from, nodes, OUTPUTS, same);
        assert_int_equal(lv_graph_status(to), LV_OK);
        assert_true(lv_graph_count(to) <= lv_graph_count(from));
        assert_int_equal(lv_graph_evaluate(from, before, nodes, OUTPUTS, point.in, NULL),
                         LV_OK);
        assert_int_equal(lv_graph_evaluate(to, after, images, OUTPUTS, point.in, NULL),
                         LV_OK);
        for (int k = 0; k < OUTPUTS; k++)
            assert_true(same_bits(before[k], after[k]));
        lv_graph_free(from);
        lv_graph_free(to);
    }
}

/* x*y - x with x -> 2, y -> x of the other graph is 2*x - 2. */
static void inputs_become_nodes_of_the_other_graph(void **state)
{
    lv_graph *from = lv_graph_create(0), *to = lv_graph_create(0);
    lv_node x = lv_graph_input(from, LV_INPUT_Q, 0),
            y = lv_graph_input(from, LV_INPUT_Q, 1);
    lv_node product = lv_graph_mul(from, x, y), f = lv_graph_sub(from, product, x),
            image = 0;
    lv_node two = lv_graph_const(to, 2), other = lv_graph_input(to, LV_INPUT_Q, 0);
    const lv_node coordinates[] = {two, other};
    const lv_node *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = coordinates};
    (void)state;
    lv_graph_import(to, &image, from, &f, 1, inputs);
    lv_node twice = lv_graph_mul(to, two, other), expected = lv_graph_sub(to, twice, two);
    assert_int_equal(image, expected);
    lv_graph_free(from);
    lv_graph_free(to);
}

static void places_survive(void **state)
{
    static const lv_snippet snippet = {.text = "x + y", .length = 5};
    lv_graph *from = lv_graph_create(0), *to = lv_graph_create(0);
    lv_node x = lv_graph_input(from, LV_INPUT_Q, 0),
            y = lv_graph_input(from, LV_INPUT_Q, 1);
    int mark = lv_graph_enter(from, &snippet, 2, 3);
    lv_node nodes[2] = {lv_graph_add(from, x, y), 0}, images[2];
    lv_graph_leave(from, mark);
    mark = lv_graph_enter_node(from, nodes[0]);
    nodes[1] = lv_graph_mul(from, x, y);
    lv_graph_leave(from, mark);
    (void)state;
    lv_graph_import(to, images, from, nodes, 2, same);
    for (int k = 0; k < 2; k++) {
        lv_span span = lv_graph_span(to, images[k]);
        assert_ptr_equal(span.snippet, &snippet);
        assert_int_equal(span.start, 2);
        assert_int_equal(span.length, 3);
        assert_int_equal(lv_graph_node(to, images[k])->derived, k == 1);
    }
    /* What is made later comes from nowhere. */
    lv_node later = lv_graph_sub(to, images[0], images[1]);
    assert_null(lv_graph_span(to, later).snippet);
    lv_graph_free(from);
    lv_graph_free(to);
}

static lv_status import_random(void *user, lv_error *err)
{
    lv_node nodes[OUTPUTS], images[OUTPUTS];
    lv_graph *from = random_graph(7, 60, nodes, OUTPUTS), *to = lv_graph_create(0);
    lv_status status = LV_ERR_MEMORY;
    (void)user;
    if (from && to && lv_graph_status(from) == LV_OK) {
        lv_graph_import(to, images, from, nodes, OUTPUTS, same);
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
    lv_deny_sweep(import_random, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(values_survive_to_the_last_bit),
        RUN(inputs_become_nodes_of_the_other_graph),
        RUN(places_survive),
        RUN(missing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
