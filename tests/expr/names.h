/* A graph with a few names: coordinates x, y, z and a parameter k. */
#ifndef LV_TESTS_EXPR_NAMES_H
#define LV_TESTS_EXPR_NAMES_H

#include "check.h"
#include "expr/graph.h"

typedef struct fixture {
    lv_graph *g;
    lv_node x, y, z, k;
} fixture;

static inline fixture set_up(void)
{
    fixture s = {.g = lv_graph_create(0)};
    assert_non_null(s.g);
    s.x = lv_graph_input(s.g, LV_INPUT_Q, 0);
    s.y = lv_graph_input(s.g, LV_INPUT_Q, 1);
    s.z = lv_graph_input(s.g, LV_INPUT_Q, 2);
    s.k = lv_graph_input(s.g, LV_INPUT_P, 0);
    return s;
}

#endif
