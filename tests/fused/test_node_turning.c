/* Operators of groups as formulas: the numbers that these give are those of course/turning. */
#include "../step/turning_steps.h"
#include "course/free_bodies.h"
#include "expr/graph.h"
#include "fused/node_turning.h"

enum { MOST_POINTS = 80, MOST_BLOCKS = 4 * LV_POSE_BLOCK };

static const char flat_body[] = "[bodies.b]\nmass = 2\ninertia = 0.5\n"
                                "position = [0.3, 0.2]\nangle = 0.4\n";

typedef struct turning_case {
    const char *name, *model;
    lv_chart chart;
    bool coupled, free;
} turning_case;

static const turning_case cases[] = {
    {"two bodies", turning_revolute, LV_CHART_EXP},
    {"two bodies", turning_revolute, LV_CHART_CAY},
    {"mixed", turning_mixed, LV_CHART_EXP},
    {"two bodies", turning_revolute, LV_CHART_EXP, .coupled = true},
    {"two bodies", turning_revolute, LV_CHART_CAY, .coupled = true},
    {"flat body", flat_body, LV_CHART_EXP, .coupled = true},
    {"flat body", flat_body, LV_CHART_CAY, .coupled = true},
    {"free body", turning_free, LV_CHART_EXP, .free = true},
    {"heavy top", "heavy-top", LV_CHART_EXP, .free = true},
};
enum { CASES = sizeof cases / sizeof *cases };

/* What an operator is applied to, by argument, as numbers and as inputs of a graph. */
typedef struct operands {
    double numbers[LV_ARGUMENTS][MOST_POINTS];
    lv_node nodes[LV_ARGUMENTS][MOST_POINTS];
    lv_turn_arguments values;
    lv_turn_nodes formulas;
} operands;

static double next_random(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/* Where an argument begins among the inputs Q. */
static int first_input(int argument)
{
    return argument * MOST_POINTS;
}

static void choose_operands(operands *x, lv_graph *g, const turning_steps *s,
                            const lv_turning *t, double size)
{
    unsigned seed = 7;
    memset(x, 0, sizeof *x);
    memcpy(x->numbers[LV_ARG_Q], s->state.q, (size_t)s->still->n * sizeof(double));
    lv_turning_complete(t, x->numbers[LV_ARG_Q]);
    for (int a = 0; a < LV_ARGUMENTS; a++) {
        for (int k = 0; k < MOST_POINTS; k++) {
            if (a != LV_ARG_Q)
                x->numbers[a][k] = (a == LV_ARG_V0 ? size : 2) * next_random(&seed);
            x->nodes[a][k] = lv_graph_input(g, LV_INPUT_Q, first_input(a) + k);
        }
        x->values[a] = x->numbers[a];
        x->formulas[a] = x->nodes[a];
    }
}

static void evaluate(const operands *x, const lv_graph *g, double *values,
                     const lv_node *nodes, int count)
{
    lv_error err;
    const double *inputs[LV_INPUT_KINDS] = {[LV_INPUT_Q] = x->numbers[0]};
    if (lv_graph_evaluate(g, values, nodes, count, inputs, &err) != LV_OK)
        fail_with(&err);
}

/* Numbers that count: those that are written in the same places. */
static double difference(const operands *x, const lv_graph *g, const double *expected,
                         const lv_node *nodes, int count)
{
    double values[MOST_BLOCKS], worst = 0, scale = 1;
    lv_node known[MOST_BLOCKS];
    int there = 0;
    assert_in_range(count, 1, MOST_BLOCKS);
    for (int k = 0; k < count; k++) {
        known[k] = nodes[k] == LV_NODE_NONE ? 0 : nodes[k];
        there += nodes[k] != LV_NODE_NONE;
        scale = fmax(scale, fabs(expected[k]));
    }
    assert_in_range(there, 1, count);
    evaluate(x, g, values, known, count);
    for (int k = 0; k < count; k++)
        if (nodes[k] != LV_NODE_NONE)
            worst = fmax(worst, fabs(values[k] - expected[k]) / scale);
    return worst;
}

static double compare_operator(operands *x, lv_node_turning *t, lv_turn_of op)
{
    const lv_motion *m = t->turning->motion;
    const bool point = op == LV_TURN_MOVE || op == LV_TURN_DRIFT;
    const int count = point ? t->turning->coordinates + 4 * m->quaternions : m->tangents;
    double expected[MOST_BLOCKS] = {0};
    lv_node out[MOST_BLOCKS];
    for (int k = 0; k < MOST_BLOCKS; k++)
        out[k] = LV_NODE_NONE;
    lv_turning_apply(t->turning, op, expected, x->values);
    lv_node_turning_apply(t, op, out, x->formulas);
    return difference(x, t->graph, expected, out, count);
}

static double compare_slope(operands *x, lv_node_turning *t, lv_turn_of op,
                            lv_argument by)
{
    const int count = LV_POSE_BLOCK * t->turning->motion->pose_count;
    double expected[MOST_BLOCKS] = {0};
    lv_node out[MOST_BLOCKS];
    for (int k = 0; k < MOST_BLOCKS; k++)
        out[k] = LV_NODE_NONE;
    lv_turning_slope(t->turning, op, by, expected, x->values);
    lv_node_turning_slope(t, op, by, out, x->formulas);
    return difference(x, t->graph, expected, out, count);
}

static double compare_all(operands *x, lv_node_turning *t, bool free)
{
    static const struct {
        lv_turn_of op;
        lv_argument by[3];
        int count;
    } operators[] = {
        {LV_TURN_MOVE, {LV_ARG_Q, LV_ARG_V0}, 2},
        {LV_TURN_D, {LV_ARG_V0, LV_ARG_V}, 2},
        {LV_TURN_DT, {LV_ARG_V0, LV_ARG_W}, 2},
        {LV_TURN_DTM, {LV_ARG_V0, LV_ARG_W}, 2},
        {LV_TURN_B, {LV_ARG_V0, LV_ARG_V, LV_ARG_W}, 3},
        {LV_TURN_SPACE, {LV_ARG_Q, LV_ARG_W}, 2},
        {LV_TURN_BODY, {LV_ARG_Q, LV_ARG_W}, 2},
        {LV_TURN_DRIFT, {LV_ARG_Q, LV_ARG_V0}, 2},
    };
    const int count = sizeof operators / sizeof *operators - !free;
    double worst = 0;
    for (int k = free ? count - 1 : 0; k < count; k++) {
        worst = fmax(worst, compare_operator(x, t, operators[k].op));
        for (int a = 0; a < operators[k].count; a++)
            worst = fmax(worst, compare_slope(x, t, operators[k].op, operators[k].by[a]));
    }
    return worst;
}

static double compare_at(const turning_case *c, double size)
{
    turning_steps s;
    lv_free_body bodies[4];
    lv_error err;
    int coupled;
    const turning_way way = {c->model, LV_FAMILY_GAUSS, 1, c->chart, c->coupled};
    begin_turning(&s, &way);
    lv_turning turning = lv_stepper_course(s.stepper)->turning;
    if (c->free) {
        if (lv_free_bodies_find(bodies, &coupled, s.moving, &err) != LV_OK)
            fail_with(&err);
        turning.bodies = bodies;
    }
    lv_graph *g = lv_graph_create(0);
    lv_node_chart *charts[4] = {NULL};
    operands x;
    assert_non_null(g);
    assert_in_range(s.motion->pose_count, 1, 4);
    choose_operands(&x, g, &s, &turning, size);
    lv_node_turning t = {g, &turning, charts, LV_NODE_NONE};
    const double worst = compare_all(&x, &t, c->free);
    if (c->chart == LV_CHART_EXP && !c->free) {
        double reach;
        evaluate(&x, g, &reach, &t.reach, 1);
        assert_true(reach < 1); /* the formulas say that they hold */
    }
    assert_int_equal(lv_graph_status(g), LV_OK);
    lv_node_turning_done(&t);
    lv_graph_free(g);
    end_turning(&s);
    return worst;
}

/* Angles of x up to sqrt(3) times its size: series hold up to 3. */
static void operators_as_formulas_are_those_of_numbers(void **state)
{
    (void)state;
    static const double sizes[] = {0, 1e-9, 1e-4, 0.03, 0.3, 1, 1.7};
    for (int k = 0; k < CASES; k++) {
        double worst = 0;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            worst = fmax(worst, compare_at(&cases[k], sizes[i]));
        print_message("    %-10s %s%s%s: %.1e\n", cases[k].name,
                      lv_chart_name(cases[k].chart), cases[k].coupled ? " coupled" : "",
                      cases[k].free ? " free" : "", worst);
        assert_at_most(worst, 3e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(operators_as_formulas_are_those_of_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
