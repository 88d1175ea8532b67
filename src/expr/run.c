/* The interpreter: one loop per operation, for one lane and for a block of lanes. Both
 * perform the operations of the list in op.h in the order of the program, so that they
 * give the same bits. */
#include "expr/program.h"

#include "base/memory.h"

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

/* ---- one lane ------------------------------------------------------------------- */

#define FETCH_1 double a = w[s[0]];
#define FETCH_2 FETCH_1 double b = w[s[1]];
#define FETCH_3 FETCH_2 double c = w[s[2]];

static void run_point(const lv_program *p, lv_segment segment, double *w)
{
    const lv_op_run *run = p->run[segment], *end = run + p->run_count[segment];
    for (; run < end; run++) {
        const int *s = p->operand + run->first;
        double *to = w + run->result;
        switch (run->op) {
#define LV_X(name, arity, value)                                                         \
    case LV_OP_##name:                                                                   \
        for (int n = run->count; n > 0; n--, to++, s += arity) {                         \
            FETCH_##arity *to = value;                                                   \
        }                                                                                \
        break;
            LV_OP_LIST(LV_X)
#undef LV_X
        case LV_OP_CONST:
        case LV_OP_INPUT:
        case LV_OP_COUNT:
            break;
        }
    }
}

/* ---- a block of lanes ----------------------------------------------------------- */

typedef struct block {
    double x[LV_LANES];
} block;

#define LANES_1 const block a_ = w[s[0]];
#define LANES_2 LANES_1 const block b_ = w[s[1]];
#define LANES_3 LANES_2 const block c_ = w[s[2]];
#define LANE_1 double a = a_.x[l];
#define LANE_2 LANE_1 double b = b_.x[l];
#define LANE_3 LANE_2 double c = c_.x[l];

static void run_block(const lv_program *p, lv_segment segment, block *w)
{
    const lv_op_run *run = p->run[segment], *end = run + p->run_count[segment];
    for (; run < end; run++) {
        const int *s = p->operand + run->first;
        block *to = w + run->result;
        switch (run->op) {
#define LV_X(name, arity, value)                                                         \
    case LV_OP_##name:                                                                   \
        for (int n = run->count; n > 0; n--, to++, s += arity) {                         \
            LANES_##arity block r;                                                       \
            for (int l = 0; l < LV_LANES; l++) {                                         \
                LANE_##arity r.x[l] = value;                                             \
            }                                                                            \
            *to = r;                                                                     \
        }                                                                                \
        break;
            LV_OP_LIST(LV_X)
#undef LV_X
        case LV_OP_CONST:
        case LV_OP_INPUT:
        case LV_OP_COUNT:
            break;
        }
    }
}

void lv_program_run(const lv_program *p, lv_segment segment, double *w, int lanes)
{
    assert((int)segment >= 0 && segment < LV_SEGMENTS);
    assert(lanes == 1 || lanes == LV_LANES);
    if (segment == LV_SEGMENT_MAIN && p->code && lanes == p->code_lanes)
        p->code(w);
    else if (lanes == 1)
        run_point(p, segment, w);
    else
        run_block(p, segment, (block *)(void *)w);
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
