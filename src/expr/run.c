/* The interpreter: one loop per operation, for one lane and for a block of lanes. Both
 * perform the operations of the list in op.h in the order of the program, so that they
 * give the same bits. */
#include "expr/program.h"

#include "base/memory.h"
#include "base/wide.h"

#include <assert.h>
#include <math.h>

void lv_program_load(const lv_program *p, double *w, int lanes)
{
    double *to = w + (size_t)p->constants * (size_t)lanes;
    for (int i = 0; i < p->constant_count; i++)
        for (int l = 0; l < lanes; l++)
            *to++ = p->constant[i];
}

void lv_program_put(const lv_program *p, lv_input kind, const double *values, double *w,
                    int lanes, int lane)
{
    const int *chosen = p->chosen[kind];
    double *to = w + (size_t)p->input[kind] * (size_t)lanes + lane;
    for (int k = 0; k < p->input_size[kind]; k++, to += lanes)
        *to = values[chosen ? chosen[k] : k];
}

/* The kinds of runs: an operation of the list, or a sum fused with a product, which is
 * still rounded. */
#define RUN_LIST(X)                                                                      \
    X(SUM_OF_PRODUCT, 3, a *b + c)                                                       \
    X(DIFFERENCE_OF_PRODUCT, 3, a *b - c)                                                \
    X(MINUS_PRODUCT, 3, c - a * b)                                                       \
    LV_OP_LIST(X)

enum {
    LV_OP_SUM_OF_PRODUCT = LV_OP_COUNT,
    LV_OP_DIFFERENCE_OF_PRODUCT,
    LV_OP_MINUS_PRODUCT
};

static int kind_of(const lv_op_run *run)
{
    if (run->fused == LV_FUSED_NOT)
        return (int)run->op;
    if (run->op == LV_OP_ADD)
        return LV_OP_SUM_OF_PRODUCT;
    return run->fused == LV_FUSED_FIRST ? LV_OP_DIFFERENCE_OF_PRODUCT
                                        : LV_OP_MINUS_PRODUCT;
}

/* ---- one lane ------------------------------------------------------------------- */

#define FETCH_1 double a = w[s[0]];
#define FETCH_2 FETCH_1 double b = w[s[1]];
#define FETCH_3 FETCH_2 double c = w[s[2]];

static void run_point(const lv_program *p, lv_segment segment, double *w)
{
    const lv_op_run *run = p->run[segment], *end = run + p->run_count[segment];
    for (; run < end; run++) {
        const int *s = p->operand + run->first;
        switch (kind_of(run)) {
#define LV_X(name, arity, value)                                                         \
    case LV_OP_##name:                                                                   \
        for (int n = run->count; n > 0; n--, s += arity + 1) {                           \
            FETCH_##arity w[s[arity]] = value;                                           \
        }                                                                                \
        break;
            RUN_LIST(LV_X)
#undef LV_X
        default:
            break;
        }
    }
}

/* ---- blocks of lanes ------------------------------------------------------------ */

#define LANES_1 const block a_ = w[s[0]];
#define LANES_2 LANES_1 const block b_ = w[s[1]];
#define LANES_3 LANES_2 const block c_ = w[s[2]];
#define LANE_1 double a = a_.x[l];
#define LANE_2 LANE_1 double b = b_.x[l];
#define LANE_3 LANE_2 double c = c_.x[l];

#define RUN_LANES(name, arity, value)                                                    \
    case LV_OP_##name:                                                                   \
        for (int n = run->count; n > 0; n--, s += arity + 1) {                           \
            LANES_##arity block r;                                                       \
            for (int l = 0; l < LANES; l++) {                                            \
                LANE_##arity r.x[l] = value;                                             \
            }                                                                            \
            w[s[arity]] = r;                                                             \
        }                                                                                \
        break;

/* Defines a function that runs a segment for a fixed number of lanes. */
#define DEFINE_RUN(function, lanes)                                                      \
    static void function(const lv_program *p, lv_segment segment, double *workspace)     \
    {                                                                                    \
        enum { LANES = lanes };                                                          \
        typedef struct block {                                                           \
            double x[LANES];                                                             \
        } block;                                                                         \
        block *w = (block *)(void *)workspace;                                           \
        const lv_op_run *run = p->run[segment], *end = run + p->run_count[segment];      \
        for (; run < end; run++) {                                                       \
            const int *s = p->operand + run->first;                                      \
            switch (kind_of(run)) {                                                      \
                RUN_LIST(RUN_LANES)                                                      \
            default:                                                                     \
                break;                                                                   \
            }                                                                            \
        }                                                                                \
    }

DEFINE_RUN(run_block, LV_LANES)
DEFINE_RUN(run_wide, LV_WIDE_LANES)

/* The same functions with wider registers, for processors that have them. */
LV_WIDE DEFINE_RUN(run_block_avx2, LV_LANES)
LV_WIDE DEFINE_RUN(run_wide_avx2, LV_WIDE_LANES)

    static void interpret(const lv_program *p, lv_segment segment, double *w, int lanes)
{
    if (lanes == 1)
        run_point(p, segment, w);
    else if (lanes == LV_LANES)
        (lv_is_wide() ? run_block_avx2 : run_block)(p, segment, w);
    else
        (lv_is_wide() ? run_wide_avx2 : run_wide)(p, segment, w);
}

void lv_program_run(const lv_program *p, lv_segment segment, double *w, int lanes)
{
    assert((int)segment >= 0 && segment < LV_SEGMENTS);
    assert(lanes == 1 || lanes == LV_LANES || lanes == LV_WIDE_LANES);
    if (segment == LV_SEGMENT_MAIN && p->code && lanes == p->code_lanes)
        p->code(w);
    else
        interpret(p, segment, w, lanes);
}

lv_status lv_program_evaluate(const lv_program *p, double *outputs,
                              const double *const inputs[LV_INPUT_KINDS], lv_error *err)
{
    double *w = lv_memory_zeroed((size_t)p->slots + 1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    for (int s = 0; s < p->constants; s++)
        w[s] = NAN;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        if (inputs[kind])
            lv_program_put(p, (lv_input)kind, inputs[kind], w, 1, 0);
    lv_program_load(p, w, 1);
    for (int segment = 0; segment < LV_SEGMENTS; segment++)
        lv_program_run(p, (lv_segment)segment, w, 1);
    for (int i = 0; i < p->output_count; i++)
        outputs[i] = w[p->output[i]];
    lv_memory_free(w);
    return LV_OK;
}
