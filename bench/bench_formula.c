/* How fast formulas are: gradient and Hessian of a formula in the interpreter and as machine code
 * that is made at run time, one point at a time and in blocks of LV_LANES, against the same
 * operations emitted as C and compiled with -O2; the time from a text to a program that is ready to
 * run, and the time to make the code.
 *
 *     bench_formula [--short] [--json FILE]
 *
 * Every time includes putting the inputs in and taking the outputs out. Native code and
 * interpreter take turns, and the best of many turns counts, so that the ratios hold also
 * on a machine that does other things. The results are compared to the last bit. */
#include "formula_cases.h"
#include "results.h"

#include "base/memory.h"
#include "expr/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Written by formula_kernels when the benchmark is built. */
extern void (*const formula_kernels[])(const double *const in[], double *out);

enum { POINTS = 64, READY_TURNS = 301 };

static int turns = 200, ready_turns = READY_TURNS;

static const struct goal {
    double ratio; /* one point, interpreter to native; 0: no goal */
    double ready_ms;
    int operations; /* of the Hessian */
} goals[FORMULA_CASES] = {{6, 2, 0}, {0, 0, 3500}};

typedef struct measurement {
    const char *name;
    int gradient, hessian, both; /* operations */
    double native, one, lanes;   /* ns per point */
    double code_one, code_lanes; /* the same with machine code; 0: there is none */
    double ready, generate;      /* ms: median, least for one lane */
} measurement;

/* A program with room to run it, and points to run it at. */
typedef struct job {
    lv_program *program; /* its own: with machine code, or interpreted */
    lv_code *code;
    void (*native)(const double *const in[], double *out);
    int inputs;
    double *points; /* POINTS * inputs, as slots of the program */
    int layout[LV_INPUT_KINDS +
               1]; /* first input of each kind in the layout, and their number */
    double *whole; /* POINTS * all inputs of the layout: what native code reads */
    double *one, *lanes;
    double *out;
} job;

static volatile double sink;

static double seconds(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- three ways to evaluate all points --------------------------------------------- */

static void run_native(const job *j)
{
    for (int i = 0; i < POINTS; i++) {
        const double *in[LV_INPUT_KINDS],
            *point = j->whole + i * j->layout[LV_INPUT_KINDS];
        for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
            in[kind] = point + j->layout[kind];
        j->native(in, j->out);
        sink = j->out[0];
    }
}

static void run_one(const job *j)
{
    const lv_program *p = j->program;
    for (int i = 0; i < POINTS; i++) {
        memcpy(j->one, j->points + i * j->inputs, (size_t)j->inputs * sizeof *j->one);
        for (int segment = 0; segment < LV_SEGMENTS; segment++)
            lv_program_run(p, (lv_segment)segment, j->one, 1);
        for (int k = 0; k < p->output_count; k++)
            j->out[k] = j->one[p->output[k]];
        sink = j->out[0];
    }
}

static void run_lanes(const job *j)
{
    const lv_program *p = j->program;
    for (int i = 0; i < POINTS; i += LV_LANES) {
        for (int k = 0; k < j->inputs; k++)
            for (int l = 0; l < LV_LANES; l++)
                j->lanes[k * LV_LANES + l] = j->points[(i + l) * j->inputs + k];
        for (int segment = 0; segment < LV_SEGMENTS; segment++)
            lv_program_run(p, (lv_segment)segment, j->lanes, LV_LANES);
        for (int k = 0; k < p->output_count; k++)
            memcpy(j->out + k * LV_LANES, j->lanes + p->output[k] * LV_LANES,
                   LV_LANES * sizeof *j->out);
        sink = j->out[0];
    }
}

/* The best time of `run` for all points so far, in ns per point. */
static void time_turn(void (*run)(const job *j), const job *j, double *best)
{
    enum { REPEAT = 4 };
    double start = seconds();
    for (int i = 0; i < REPEAT; i++)
        run(j);
    double ns = 1e9 * (seconds() - start) / (REPEAT * POINTS);
    *best = *best > 0 && *best < ns ? *best : ns;
}

/* ---- one case ----------------------------------------------------------------------- */

/* Inputs of every kind, one after the other as the layout has them. A program has of parameters only
 * those that it uses, in the order of their first use; lv_program_put knows which. */
static void fill_points(job *j)
{
    const int count = j->layout[LV_INPUT_KINDS];
    for (int i = 0; i < POINTS * count; i++)
        j->whole[i] = 0.25 + (double)(i * 7919 % 1000) / 1000;
    for (int i = 0; i < POINTS; i++)
        for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
            lv_program_put(j->program, (lv_input)kind,
                           j->whole + i * count + j->layout[kind],
                           j->points + i * j->inputs, 1, 0);
}

static bool job_init(job *j, const lv_layout *layout, int number)
{
    const lv_program *program = j->program;
    size_t slots = (size_t)program->slots, outputs = (size_t)program->output_count;
    j->native = formula_kernels[number];
    j->inputs = program->constants;
    for (int kind = 0; kind < LV_INPUT_KINDS; kind++)
        j->layout[kind + 1] = j->layout[kind] + layout->size[kind];
    j->points = lv_memory_zeroed((size_t)(POINTS * j->inputs), sizeof(double));
    j->whole =
        lv_memory_zeroed((size_t)(POINTS * j->layout[LV_INPUT_KINDS]), sizeof(double));
    j->one = lv_memory_zeroed(slots, sizeof(double));
    j->lanes = lv_memory_zeroed(slots * LV_LANES, sizeof(double));
    j->out = lv_memory_zeroed(outputs * LV_LANES, sizeof(double));
    if (!j->points || !j->whole || !j->one || !j->lanes || !j->out)
        return false;
    fill_points(j);
    lv_program_load(program, j->one, 1);
    lv_program_load(program, j->lanes, LV_LANES);
    return true;
}

static void job_done(job *j)
{
    lv_code_free(j->code);
    lv_program_free(j->program);
    lv_memory_free(j->points);
    lv_memory_free(j->whole);
    lv_memory_free(j->one);
    lv_memory_free(j->lanes);
    lv_memory_free(j->out);
}

/* Are the last outputs the same in all three ways? */
static bool agrees(const job *j)
{
    const lv_program *p = j->program;
    run_one(j);
    run_lanes(j);
    run_native(j);
    for (int k = 0; k < p->output_count; k++) {
        const double *lane = j->lanes + p->output[k] * LV_LANES + LV_LANES - 1;
        if (memcmp(&j->out[k], &j->one[p->output[k]], sizeof *lane) != 0 ||
            memcmp(&j->out[k], lane, sizeof *lane) != 0)
            return false;
    }
    return true;
}

/* Makes the code of a job for 1 lane or LV_LANES. */
static void attach(job *j, int lanes, double *ms)
{
    double start = seconds();
    j->code = lv_code_attach(&j->program, &lanes, 1);
    *ms = 1e3 * (seconds() - start);
}

static lv_status start_job(job *j, formula_case *c, int number, lv_error *err)
{
    *j = (job){0};
    LV_TRY(formula_case_compile(c, &j->program, FORMULA_BOTH, err));
    if (!job_init(j, &c->layout, number))
        return lv_fail_memory(err);
    return LV_OK;
}

enum { INTERPRETED, CODE_ONE, CODE_LANES, JOBS };

static void take_turns(measurement *m, const job j[JOBS])
{
    for (int turn = 0; turn < turns; turn++) {
        time_turn(run_native, &j[INTERPRETED], &m->native);
        time_turn(run_one, &j[INTERPRETED], &m->one);
        time_turn(run_lanes, &j[INTERPRETED], &m->lanes);
        if (j[CODE_ONE].code)
            time_turn(run_one, &j[CODE_ONE], &m->code_one);
        if (j[CODE_LANES].code)
            time_turn(run_lanes, &j[CODE_LANES], &m->code_lanes);
    }
}

static lv_status measure_runs(measurement *m, formula_case *c, int number, lv_error *err)
{
    job j[JOBS] = {{0}};
    double ignored = 0;
    lv_status status = LV_OK;
    for (int k = 0; k < JOBS && status == LV_OK; k++)
        status = start_job(&j[k], c, number, err);
    if (status == LV_OK) {
        attach(&j[CODE_ONE], 1, &m->generate);
        attach(&j[CODE_LANES], LV_LANES, &ignored);
    }
    for (int k = 0; k < JOBS && status == LV_OK; k++)
        if (!agrees(&j[k]))
            status = lv_fail(err, LV_ERR_DOMAIN, "native and interpreted results differ");
    if (status == LV_OK)
        take_turns(m, j);
    for (int k = 0; k < JOBS; k++)
        job_done(&j[k]);
    return status;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static lv_status measure_ready(measurement *m, formula_case *c, lv_error *err)
{
    double times[READY_TURNS];
    for (int i = 0; i < ready_turns; i++) {
        lv_program *program = NULL;
        double start = seconds();
        LV_TRY(formula_case_compile(c, &program, FORMULA_BOTH, err));
        times[i] = 1e3 * (seconds() - start);
        lv_program_free(program);
    }
    qsort(times, (size_t)ready_turns, sizeof *times, by_size);
    m->ready = times[ready_turns / 2];
    return LV_OK;
}

static lv_status count_operations(int *operations, formula_case *c, formula_wanted wanted,
                                  lv_error *err)
{
    lv_program *program = NULL;
    LV_TRY(formula_case_compile(c, &program, wanted, err));
    *operations = program->operations;
    lv_program_free(program);
    return LV_OK;
}

static lv_status measure_case(measurement *m, formula_case *c, int number, lv_error *err)
{
    m->name = c->name;
    LV_TRY(count_operations(&m->gradient, c, FORMULA_GRADIENT, err));
    LV_TRY(count_operations(&m->hessian, c, FORMULA_HESSIAN, err));
    LV_TRY(measure_ready(m, c, err));
    LV_TRY(count_operations(&m->both, c, FORMULA_BOTH, err));
    if (goals[number].operations > 0)
        bench_check(m->hessian <= goals[number].operations,
                    "the Hessian has too many operations", c->name,
                    m->hessian - goals[number].operations);
    return measure_runs(m, c, number, err);
}

/* ---- output ------------------------------------------------------------------------- */

static void print_ratio(double ns, double native)
{
    printf(" %9.1f %6.2f", ns, ns / native);
}

static void print_table(const measurement *m)
{
    printf("gradient + Hessian   operations          native   interpreted: 1 lane   %d "
           "lanes "
           "       machine code: 1 lane   %d lanes       ready  generate\n"
           "                     grad   Hess  both       ns        ns  ratio        ns  "
           "ratio"
           "        ns  ratio        ns  ratio         ms        ms\n",
           LV_LANES, LV_LANES);
    for (int i = 0; i < FORMULA_CASES; i++, m++) {
        printf("%-18s %6d %6d %5d %9.1f", m->name, m->gradient, m->hessian, m->both,
               m->native);
        print_ratio(m->one, m->native);
        print_ratio(m->lanes, m->native);
        print_ratio(m->code_one, m->native);
        print_ratio(m->code_lanes, m->native);
        printf(" %10.3f %9.3f\n", m->ready, m->generate);
    }
}

static void print_goal(const char *what, double value, double most)
{
    if (most > 0)
        printf("  %-42s %9.4g, goal at most %-6g %s\n", what, value, most,
               value <= most ? "met" : "MISSED");
}

static void print_goals(const measurement *m)
{
    for (int i = 0; i < FORMULA_CASES; i++, m++) {
        printf("%s\n", m->name);
        print_goal("one lane, interpreter / native", m->one / m->native, goals[i].ratio);
        print_goal("text to ready, ms", m->ready, goals[i].ready_ms);
        print_goal("operations of the Hessian", m->hessian, goals[i].operations);
    }
}

static int write_results(const bench_request *request, const measurement *m)
{
    bench_results r =
        bench_results_open(request, "\"bench\": \"formula\", \"lanes\": %d", LV_LANES);
    for (int i = 0; i < FORMULA_CASES; i++)
        bench_results_case(
            &r,
            "\"name\": \"%s\", \"gradient_operations\": %d, "
            "\"hessian_operations\": %d, \"operations\": %d, \"native_ns\": %.17g, "
            "\"one_lane_ns\": %.17g, \"lanes_ns\": %.17g, \"code_one_lane_ns\": %.17g, "
            "\"code_lanes_ns\": %.17g, \"ready_ms\": %.17g, \"generate_ms\": %.17g",
            m[i].name, m[i].gradient, m[i].hessian, m[i].both, m[i].native, m[i].one,
            m[i].lanes, m[i].code_one, m[i].code_lanes, m[i].ready, m[i].generate);
    return bench_results_close(&r);
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    static formula_case c;
    measurement m[FORMULA_CASES] = {{0}};
    lv_error err;
    if (request.brief)
        turns = ready_turns = 3;
    for (int i = 0; i < FORMULA_CASES; i++) {
        formula_case_init(&c, i);
        lv_status status = measure_case(&m[i], &c, i, &err);
        formula_case_done(&c);
        if (status != LV_OK) {
            (void)fprintf(stderr, "bench_formula: %s: %s\n", c.name, err.text);
            return EXIT_FAILURE;
        }
    }
    print_table(m);
    print_goals(m);
    return write_results(&request, m);
}
