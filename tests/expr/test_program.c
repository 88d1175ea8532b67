#include "base/memory.h"
#include "check.h"
#include "deny.h"
#include "expr/program.h"
#include "random_graph.h"

#include <limits.h>
#include <stdlib.h>

enum { GRAPHS = 60 };

static lv_program *compiled(const lv_graph *g, const lv_node *outputs, int count)
{
    lv_program *p = NULL;
    lv_error err;
    lv_error_clear(&err);
    if (lv_program_compile(&p, g, outputs, count, &random_layout, &err) != LV_OK)
        fail_msg("%s", err.text);
    return p;
}

static double *workspace(const lv_program *p, int lanes)
{
    double *w = calloc((size_t)p->slots * (size_t)lanes + 1, sizeof *w);
    assert_non_null(w);
    lv_program_load(p, w, lanes);
    return w;
}

static void put_input(const lv_program *p, double *w, int lanes, int lane, lv_input kind,
                      const double *values)
{
    lv_program_put(p, kind, values, w, lanes, lane);
}

static void put_point(const lv_program *p, double *w, int lanes, int lane,
                      const random_point *point)
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        put_input(p, w, lanes, lane, (lv_input)kind, point->value[kind]);
}

static void run_all(const lv_program *p, double *w, int lanes)
{
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        lv_program_run(p, (lv_segment)segment, w, lanes);
}

static void expect_outputs(const lv_program *p, const double *w, const double *expected)
{
    for (int i = 0; i < p->output_count; i++)
        if (!same_bits(w[p->output[i]], expected[i]))
            fail_msg("output %d is %.17g, not %.17g", i, w[p->output[i]], expected[i]);
}

static void program_gives_the_bits_of_the_graph(void **state)
{
    (void)state;
    int finite = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        lv_node outputs[RANDOM_OUTPUTS];
        double expected[RANDOM_OUTPUTS], got[RANDOM_OUTPUTS];
        random_source r = {seed};
        random_point point;
        lv_graph *g = random_graph(seed, 30 + 10 * (int)seed, outputs, RANDOM_OUTPUTS);
        lv_program *p = compiled(g, outputs, RANDOM_OUTPUTS);
        for (int k = 0; k < 5; k++) {
            random_point_fill(&point, &r);
            assert_int_equal(
                lv_graph_evaluate(g, expected, outputs, RANDOM_OUTPUTS, point.in, NULL),
                LV_OK);
            assert_int_equal(lv_program_evaluate(p, got, point.in, NULL), LV_OK);
            for (int i = 0; i < RANDOM_OUTPUTS; i++) {
                assert_true(same_bits(got[i], expected[i]));
                finite += isfinite(got[i]) != 0;
            }
        }
        lv_program_free(p);
        lv_graph_free(g);
    }
    assert_true(finite > GRAPHS * 5 * RANDOM_OUTPUTS / 2);
}

static void lanes_give_the_bits_of_single_points(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        lv_node outputs[RANDOM_OUTPUTS];
        random_source r = {seed};
        random_point point[LV_LANES];
        lv_graph *g = random_graph(seed, 300, outputs, RANDOM_OUTPUTS);
        lv_program *p = compiled(g, outputs, RANDOM_OUTPUTS);
        double *one = workspace(p, 1), *block = workspace(p, LV_LANES);
        for (int l = 0; l < LV_LANES; l++) {
            random_point_fill(&point[l], &r);
            put_point(p, block, LV_LANES, l, &point[l]);
        }
        run_all(p, block, LV_LANES);
        for (int l = 0; l < LV_LANES; l++) {
            put_point(p, one, 1, 0, &point[l]);
            run_all(p, one, 1);
            for (int s = 0; s < p->slots; s++)
                assert_true(same_bits(one[s], block[s * LV_LANES + l]));
        }
        free(one);
        free(block);
        lv_program_free(p);
        lv_graph_free(g);
    }
}

static void every_operation_runs_as_listed(void **state)
{
    (void)state;
    static const double values[] = {-1.5, -1, -0.0, 0, 0.25, 1, 2, 1e300};
    for (int op = LV_OP_ADD; op < LV_OP_COUNT; op++) {
        lv_graph *g = lv_graph_create(0);
        lv_node x[3];
        for (int i = 0; i < 3; i++)
            x[i] = lv_graph_input(g, LV_INPUT_Q, i);
        lv_node f = lv_graph_op(g, (lv_op)op, x[0], x[1], x[2]);
        assert_int_equal(lv_graph_node(g, f)->op, op);
        lv_program *p = compiled(g, &f, 1);
        double *w = workspace(p, LV_LANES);
        for (int shift = 0; shift < LV_LANES; shift++) {
            for (int l = 0; l < LV_LANES; l++)
                for (int i = 0; i < 3; i++)
                    w[i * LV_LANES + l] = values[(l + i * shift) % LV_LANES];
            run_all(p, w, LV_LANES);
            for (int l = 0; l < LV_LANES; l++)
                assert_true(same_bits(
                    w[p->output[0] * LV_LANES + l],
                    lv_op_value((lv_op)op, w[l], w[LV_LANES + l], w[2 * LV_LANES + l])));
        }
        free(w);
        lv_program_free(p);
        lv_graph_free(g);
    }
}

/* Overwrites the inputs of all kinds but one, or but two. */
static void poison_inputs(const lv_program *p, double *w, lv_input keep, lv_input also)
{
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        for (int i = 0; i < p->input_size[kind]; i++)
            if (kind != (int)keep && kind != (int)also)
                w[p->input[kind] + i] = (double)NAN;
}

static void poison_results(const lv_program *p, double *w, lv_segment segment)
{
    for (int i = 0; i < p->run_count[segment]; i++) {
        const lv_op_run *run = &p->run[segment][i];
        const int arity = lv_op_run_arity(run);
        for (int k = 0; k < run->count; k++)
            w[p->operand[run->first + k * (arity + 1) + arity]] = (double)NAN;
    }
}

static void segments_need_only_their_inputs_and_what_is_carried(void **state)
{
    (void)state;
    int carried = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        lv_node outputs[RANDOM_OUTPUTS];
        double expected[RANDOM_OUTPUTS];
        random_source r = {seed};
        random_point point;
        lv_graph *g = random_graph(seed, 300, outputs, RANDOM_OUTPUTS);
        lv_program *p = compiled(g, outputs, RANDOM_OUTPUTS);
        double *w = workspace(p, 1),
               *kept = calloc((size_t)p->carried_count + 1, sizeof *w);
        random_point_fill(&point, &r);
        assert_int_equal(
            lv_graph_evaluate(g, expected, outputs, RANDOM_OUTPUTS, point.in, NULL),
            LV_OK);

        /* Each segment sees only the inputs that it may depend on. */
        put_point(p, w, 1, 0, &point);
        poison_inputs(p, w, LV_INPUT_P, LV_INPUT_P);
        lv_program_run(p, LV_SEGMENT_UNIFORM, w, 1);
        put_input(p, w, 1, 0, LV_INPUT_I, point.value[LV_INPUT_I]);
        lv_program_run(p, LV_SEGMENT_INSTANCE, w, 1);
        for (int i = 0; i < p->carried_count; i++)
            kept[i] = w[p->carried[i]];

        /* Another instance leaves its traces; the carried slots remove them. */
        put_point(p, w, 1, 0, &point);
        poison_inputs(p, w, LV_INPUT_KINDS, LV_INPUT_KINDS);
        poison_results(p, w, LV_SEGMENT_INSTANCE);
        poison_results(p, w, LV_SEGMENT_MAIN);
        for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
            if (kind != LV_INPUT_I)
                put_input(p, w, 1, 0, (lv_input)kind, point.value[kind]);
        for (int i = 0; i < p->carried_count; i++)
            w[p->carried[i]] = kept[i];
        lv_program_run(p, LV_SEGMENT_MAIN, w, 1);
        expect_outputs(p, w, expected);
        carried += p->carried_count;
        free(w);
        free(kept);
        lv_program_free(p);
        lv_graph_free(g);
    }
    assert_true(carried > GRAPHS);
}

static void changed_parameters_need_the_uniform_segment_only(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node k = lv_graph_input(g, LV_INPUT_P, 0), m = lv_graph_input(g, LV_INPUT_P, 1);
    lv_node ratio = lv_graph_div(g, k, m), x = lv_graph_input(g, LV_INPUT_Q, 0);
    lv_node root = lv_graph_op(g, LV_OP_SQRT, ratio, 0, 0);
    lv_node f = lv_graph_mul(g, root, x);
    lv_program *p = compiled(g, &f, 1);
    assert_int_equal(p->run_count[LV_SEGMENT_UNIFORM], 2);
    assert_int_equal(p->run_count[LV_SEGMENT_INSTANCE], 0);
    assert_int_equal(p->run_count[LV_SEGMENT_MAIN], 1);
    assert_int_equal(p->operations, 1);
    assert_int_equal(p->carried_count, 0);

    double *w = workspace(p, 1);
    w[p->input[LV_INPUT_P]] = 8;
    w[p->input[LV_INPUT_P] + 1] = 2;
    w[p->input[LV_INPUT_Q]] = 3;
    lv_program_run(p, LV_SEGMENT_UNIFORM, w, 1);
    lv_program_run(p, LV_SEGMENT_MAIN, w, 1);
    assert_true(w[p->output[0]] == 6);
    w[p->input[LV_INPUT_P]] = 18;
    lv_program_run(p, LV_SEGMENT_UNIFORM, w, 1);
    lv_program_run(p, LV_SEGMENT_MAIN, w, 1);
    assert_true(w[p->output[0]] == 9);
    free(w);
    lv_program_free(p);
    lv_graph_free(g);
}

static void outputs_may_be_leaves_and_may_repeat(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node q = lv_graph_input(g, LV_INPUT_Q, 1), c = lv_graph_const(g, 0.1);
    lv_node i = lv_graph_input(g, LV_INPUT_I, 0), s = lv_graph_square(g, q);
    const lv_node outputs[] = {q, c, s, i, s, q};
    double got[6], qs[5] = {0, 7, 0, 0, 0}, is[2] = {5, 0};
    const double *const in[LV_INPUT_KINDS] = {[LV_INPUT_Q] = qs, [LV_INPUT_I] = is};
    lv_program *p = compiled(g, outputs, 6);
    assert_int_equal(lv_program_evaluate(p, got, in, NULL), LV_OK);
    const double expected[] = {7, 0.1, 49, 5, 49, 7};
    for (int k = 0; k < 6; k++) {
        assert_true(got[k] == expected[k]);
        assert_int_equal(p->nodes[k], outputs[k]);
    }
    assert_int_equal(p->carried_count, 1);
    assert_int_equal(p->carried[0], p->input[LV_INPUT_I]);
    lv_program_free(p);
    lv_graph_free(g);
}

static void empty_program_runs(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_program *p = compiled(g, NULL, 0);
    const double *const none[LV_INPUT_KINDS] = {NULL};
    assert_int_equal(lv_program_evaluate(p, NULL, none, NULL), LV_OK);
    lv_program_free(p);
    lv_program_free(NULL);
    lv_graph_free(g);
}

static void absent_inputs_are_not_numbers(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node q = lv_graph_input(g, LV_INPUT_Q, 0), f = lv_graph_square(g, q);
    lv_program *p = compiled(g, &f, 1);
    const double *const none[LV_INPUT_KINDS] = {NULL};
    double got = 0;
    assert_int_equal(lv_program_evaluate(p, &got, none, NULL), LV_OK);
    assert_true(isnan(got));
    lv_program_free(p);
    lv_graph_free(g);
}

static void deep_chains_compile(void **state)
{
    (void)state;
    enum { DEPTH = 200000 };
    lv_graph *g = lv_graph_create(0);
    lv_node x = lv_graph_input(g, LV_INPUT_Q, 0), f = x;
    for (int i = 0; i < DEPTH; i++)
        f = lv_graph_op(g, i % 2 ? LV_OP_SIN : LV_OP_ATAN, f, 0, 0);
    lv_program *p = compiled(g, &f, 1);
    assert_int_equal(p->operations, DEPTH);
    assert_int_equal(p->run_count[LV_SEGMENT_MAIN], DEPTH);
    lv_program_free(p);
    lv_graph_free(g);
}

static void chains_of_one_operation_are_one_run(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node x[5], f = LV_NODE_NONE;
    for (int i = 0; i < 5; i++) {
        x[i] = lv_graph_input(g, LV_INPUT_Q, i);
        f = i == 0 ? x[i] : lv_graph_add(g, f, x[i]);
    }
    lv_program *p = compiled(g, &f, 1);
    assert_int_equal(p->operations, 4);
    assert_int_equal(p->run_count[LV_SEGMENT_MAIN], 1);
    lv_program_free(p);
    lv_graph_free(g);
}

static void unrelated_nodes_do_not_change_the_program(void **state)
{
    (void)state;
    lv_node outputs[RANDOM_OUTPUTS];
    lv_graph *g = random_graph(3, 300, outputs, RANDOM_OUTPUTS);
    lv_program *p = compiled(g, outputs, RANDOM_OUTPUTS);
    lv_node more = lv_graph_const(g, 12345);
    for (int i = 0; i < 50; i++)
        more = lv_graph_op(g, LV_OP_SIN, i ? more : outputs[0], 0, 0);
    lv_program *again = compiled(g, outputs, RANDOM_OUTPUTS);
    assert_int_equal(p->slots, again->slots);
    assert_memory_equal(p->run_count, again->run_count, sizeof p->run_count);
    int operands = 0;
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        for (int i = 0; i < p->run_count[segment]; i++) {
            const lv_op_run *x = &p->run[segment][i], *y = &again->run[segment][i];
            assert_memory_equal(x, y, sizeof *x);
            operands += x->count * (lv_op_run_arity(x) + 1);
        }
    assert_memory_equal(p->operand, again->operand, (size_t)operands * sizeof(int));
    lv_program_free(p);
    lv_program_free(again);
    lv_graph_free(g);
}

static void expect_refusal(const lv_graph *g, const lv_node *node,
                           const lv_layout *layout, lv_status status, const char *text)
{
    lv_program *p = NULL;
    lv_error err;
    lv_error_clear(&err);
    assert_int_equal(lv_program_compile(&p, g, node, 1, layout, &err), status);
    assert_null(p);
    assert_string_equal(err.text, text);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    lv_graph *g = lv_graph_create(0);
    lv_node q = lv_graph_input(g, LV_INPUT_Q, 5), beyond = 99, none = LV_NODE_NONE;
    const lv_layout huge = {{INT_MAX, INT_MAX, 0, 0, 0, 0, 0}};
    const lv_layout negative = {{-1, 0, 0, 0, 0, 0, 0}};
    expect_refusal(g, &q, &random_layout, LV_ERR_USAGE,
                   "input 5 of kind 0 is outside of the layout (size 5)");
    expect_refusal(g, &beyond, &random_layout, LV_ERR_USAGE,
                   "output 0 of a program is no node");
    expect_refusal(g, &none, &random_layout, LV_ERR_USAGE,
                   "output 0 of a program is no node");
    expect_refusal(g, &q, &huge, LV_ERR_LIMIT,
                   "a program needs more than 2147483647 numbers");
    expect_refusal(g, &q, &negative, LV_ERR_USAGE, "a block of inputs has the size -1");
    lv_graph_give_up(g, LV_ERR_MEMORY);
    expect_refusal(g, &q, &random_layout, LV_ERR_MEMORY, "out of memory");
    lv_graph_free(g);
}

static lv_status build_and_evaluate(void *user, lv_error *err)
{
    lv_node outputs[RANDOM_OUTPUTS];
    double got[RANDOM_OUTPUTS];
    const random_point *point = user;
    lv_program *p = NULL;
    lv_graph *g = random_graph(1, 100, outputs, RANDOM_OUTPUTS);
    if (!g)
        return lv_fail_memory(err);
    lv_status status = lv_graph_check(g, err);
    if (status == LV_OK)
        status = lv_program_compile(&p, g, outputs, RANDOM_OUTPUTS, &random_layout, err);
    if (status == LV_OK)
        status = lv_program_evaluate(p, got, point->in, err);
    lv_program_free(p);
    lv_graph_free(g);
    return status;
}

static void denied_memory_is_reported(void **state)
{
    (void)state;
    random_source r = {1};
    random_point point;
    random_point_fill(&point, &r);
    lv_deny_sweep(build_and_evaluate, &point);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(program_gives_the_bits_of_the_graph),
        RUN(lanes_give_the_bits_of_single_points),
        RUN(every_operation_runs_as_listed),
        RUN(segments_need_only_their_inputs_and_what_is_carried),
        RUN(changed_parameters_need_the_uniform_segment_only),
        RUN(outputs_may_be_leaves_and_may_repeat),
        RUN(empty_program_runs),
        RUN(absent_inputs_are_not_numbers),
        RUN(deep_chains_compile),
        RUN(chains_of_one_operation_are_one_run),
        RUN(unrelated_nodes_do_not_change_the_program),
        RUN(wrong_arguments_are_refused),
        RUN(denied_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
