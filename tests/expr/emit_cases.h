/* The graphs that are emitted when the tests are built and evaluated when they run. */
#ifndef LV_TESTS_EMIT_CASES_H
#define LV_TESTS_EMIT_CASES_H

#include "random_graph.h"

enum { EMIT_CASES = 24 };

/* Constants that are hard to print, and what compilers like to replace. */
static inline lv_graph *hard_case(lv_node *outputs, int *count)
{
    static const double constants[] = {0.1,
                                       -2.5,
                                       12345678901234567.0,
                                       4e15,
                                       1e300,
                                       0x1.fffffffffffffp1023,
                                       0x1p-1074,
                                       -7.0,
                                       0.0,
                                       3.141592653589793,
                                       1e-17,
                                       HUGE_VAL,
                                       -HUGE_VAL};
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), y = lv_graph_input(g, LV_INPUT_Q, 1);
    int n = 0;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        outputs[n++] = lv_graph_const(g, constants[i]);
    static const double bases[] = {2, 10, 0.5}, powers[] = {1.5, 0.25, -0.5, 65};
    for (int i = 0; i < 3; i++) {
        lv_node base = lv_graph_const(g, bases[i]);
        outputs[n++] = lv_graph_pow(g, base, x);
    }
    for (int i = 0; i < 4; i++) {
        lv_node power = lv_graph_const(g, powers[i]);
        outputs[n++] = lv_graph_pow(g, x, power);
    }
    lv_node zero = lv_graph_const(g, 0), one = lv_graph_const(g, 1);
    outputs[n++] = lv_graph_div(g, one, zero);
    outputs[n++] = lv_graph_op(g, LV_OP_SIN, y, 0, 0);
    outputs[n++] = lv_graph_op(g, LV_OP_COS, y, 0, 0);
    outputs[n++] = x;
    outputs[n++] = x;
    *count = n;
    return g;
}

/* Case 0 has no outputs, case 1 no inputs, case 2 is the hard one. */
static inline lv_graph *emit_case(int number, lv_node *outputs, int *count)
{
    if (number == 2)
        return hard_case(outputs, count);
    *count = number == 0 ? 0 : RANDOM_OUTPUTS;
    lv_graph *g = random_graph((uint64_t)number, 20 * number, outputs, *count);
    if (number == 1) {
        *count = 1;
        outputs[0] = lv_graph_const(g, 0.1);
    }
    return g;
}

#endif
