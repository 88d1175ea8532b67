/* Straight-line programs: the nodes a caller wants, compiled for repeated evaluation.
 *
 * Values live in slots: the inputs first (blocks in the order of lv_input, `layout` gives
 * their sizes), then constants, then results. Slots of results of MAIN are reused when
 * the results are not needed any more, so that a workspace stays small. Outputs have
 * slots of their own, which are consecutive in the order of the outputs (without outputs
 * that are no operation or occur twice). Of parameters and numbers of the instance a
 * program has only those it needs, in the order in which it first uses them; likewise for
 * constants. So programs of the same formula are equal, however many parameters a model
 * has and whatever their values. Operations are ordered so that a program is a short list
 * of runs, each a tight loop over one operation.
 *
 * A program has three segments by what its operations depend on: parameters only
 * (UNIFORM), also numbers of the instance (INSTANCE), anything (MAIN). The first two are
 * executed when parameters change. The results of UNIFORM stay in the workspace. The
 * results of INSTANCE, and inputs of kind I, that MAIN (or the caller, as an output)
 * needs are in the `carried` slots, which the caller saves per block of instances and
 * loads before MAIN.
 *
 * A workspace holds slots * lanes numbers: slot s of lane l at [s * lanes + l].
 * Evaluation with 1, LV_LANES and LV_WIDE_LANES lanes performs the same operations and
 * gives the same bits. Programs are immutable after compilation and may be shared by
 * threads; workspaces may not. */
#ifndef LV_EXPR_PROGRAM_H
#define LV_EXPR_PROGRAM_H

#include "base/arena.h"
#include "expr/graph.h"

/* Numbers of lanes that are interpreted together. The wide form has less overhead per
 * lane, but its workspace exceeds the caches earlier. */
enum { LV_LANES = 8, LV_WIDE_LANES = 16 };

typedef struct lv_layout {
    int size[LV_INPUT_KINDS];
} lv_layout;

typedef enum lv_segment {
    LV_SEGMENT_UNIFORM,
    LV_SEGMENT_INSTANCE,
    LV_SEGMENT_MAIN,
    LV_SEGMENTS
} lv_segment;

/* A product that is used once, in a sum or a difference, is fused with it: both are
 * computed in one operation, but the product is still rounded. The operands are then the
 * factors a and b, and the other term c. */
typedef enum lv_fusion {
    LV_FUSED_NOT,
    LV_FUSED_FIRST,  /* a*b + c, a*b - c */
    LV_FUSED_SECOND, /* c - a*b */
    LV_FUSED_KINDS
} lv_fusion;

/* `count` operations of one kind, executed in order: one may use the result of an earlier
 * one. Their slots are consecutive from operand[first] on: the operands of each
 * operation, then its result. */
typedef struct lv_op_run {
    lv_op op;
    lv_fusion fused; /* for ADD and SUB */
    int first;
    int count;
} lv_op_run;

/* The number of operands of each operation of a run. */
static inline int lv_op_run_arity(const lv_op_run *run)
{
    return run->fused == LV_FUSED_NOT ? lv_op_arity(run->op) : 3;
}

/* Machine code of MAIN (expr/code.h). */
typedef void (*lv_code_function)(double *workspace);

typedef struct lv_program {
    int slots;
    int input[LV_INPUT_KINDS]; /* first slot of each block of inputs */
    int input_size[LV_INPUT_KINDS];
    /* for P and I: the indices of the inputs that the block contains; NULL for other
     * kinds: all */
    const int *chosen[LV_INPUT_KINDS];
    int constants; /* first slot of the constants */
    int constant_count;
    const double *constant;
    int run_count[LV_SEGMENTS];
    const lv_op_run *run[LV_SEGMENTS];
    const int *operand; /* slots of operands and results, run by run */
    int operations;     /* number of operations in MAIN, including fused products */
    /* additional slots for machine code, which may need more than the interpreter */
    int spare, spare_count;
    int output_count;
    const int *output;    /* slot of each output */
    const lv_node *nodes; /* node of each output, for diagnosis */
    int carried_count;
    const int *carried;
    /* machine code of MAIN for code_lanes lanes; NULL: it is interpreted */
    lv_code_function code;
    int code_lanes;
} lv_program;

/* Compiles a program. It is one allocation, which lv_program_free frees (NULL is
 * allowed). */
lv_status lv_program_compile(lv_program **program, const lv_graph *graph,
                             const lv_node *outputs, int count, const lv_layout *layout,
                             lv_error *err);
void lv_program_free(lv_program *program);

/* Does the main segment read inputs of this kind, or are outputs among these? */
bool lv_program_reads(const lv_program *program, lv_input kind);

/* Do both do the same operations with the same slots? Their constants may differ. */
bool lv_program_is_like(const lv_program *program, const lv_program *other);

/* Makes a copy in an arena, without machine code; NULL if there is no memory. */
const lv_program *lv_program_copy(const lv_program *program, lv_arena *arena);

/* Writes the constants into a workspace of the given number of lanes (1, LV_LANES or LV_WIDE_LANES). */
void lv_program_load(const lv_program *program, double *workspace, int lanes);

/* Writes the inputs of a kind into one lane of a workspace; values[k] is input k of the
 * layout. */
void lv_program_put(const lv_program *program, lv_input kind, const double *values,
                    double *workspace, int lanes, int lane);

/* Executes one segment. */
void lv_program_run(const lv_program *program, lv_segment segment, double *workspace,
                    int lanes);

/* Evaluates all segments at one point with inputs[kind] (NULL: none of that kind), for
 * single evaluations. */
lv_status lv_program_evaluate(const lv_program *program, double *outputs,
                              const double *const inputs[LV_INPUT_KINDS], lv_error *err);

#endif
