/* Machine code against the interpreter, to the last bit.
 *
 *     test.expr.code [PROGRAMS [FIRST SEED]]
 *
 * compares that many random programs, by default few enough for every run of the tests. */
#include "check.h"
#include "deny.h"
#include "expr/code.h"
#include "random_graph.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LANES = 16 };

static int program_count = 400, first_seed = 1;

static lv_program *compiled_for(const lv_graph *g, const lv_node *outputs, int count,
                                const lv_layout *layout)
{
    lv_program *p = NULL;
    lv_error err;
    lv_error_clear(&err);
    if (lv_program_compile(&p, g, outputs, count, layout, &err) != LV_OK)
        fail_msg("%s", err.text);
    return p;
}

static lv_program *compiled(const lv_graph *g, const lv_node *outputs, int count)
{
    return compiled_for(g, outputs, count, &random_layout);
}

/* Half of all numbers are the ones that operations treat in a way of their own. */
static double special_number(random_source *r)
{
    static const double special[] = {0.0,      -0.0,      1.0,       -1.0,
                                     HUGE_VAL, -HUGE_VAL, 0x1p-1074, -0x1p-1074,
                                     1e308,    -1e308,    0x1p-1022, 0.5};
    int count = (int)(sizeof special / sizeof *special),
        k = random_below(r, 2 * count + 2);
    return k < count ? special[k] : k == count ? (double)NAN : random_number(r);
}

/* A workspace with random inputs, constants, and what the first segments leave. */
static void fill(const lv_program *p, double *w, int lanes, uint64_t seed)
{
    random_source r = {seed};
    bool special = random_below(&r, 3) == 0;
    double *one = lv_memory_zeroed((size_t)p->slots + 1, sizeof *one);
    for (int l = 0; l < lanes; l++) {
        for (int s = 0; s < p->slots; s++)
            one[s] = s >= p->constants ? 777
                     : special         ? special_number(&r)
                                       : random_number(&r);
        lv_program_load(p, one, 1);
        lv_program_run(p, LV_SEGMENT_UNIFORM, one, 1);
        lv_program_run(p, LV_SEGMENT_INSTANCE, one, 1);
        for (int s = 0; s < p->slots; s++)
            w[s * lanes + l] = one[s];
    }
    lv_memory_free(one);
}

/* What the interpreter makes of one lane. */
static void interpret(const lv_program *p, const double *w, int lanes, int lane,
                      double *one)
{
    for (int s = 0; s < p->slots; s++)
        one[s] = w[s * lanes + lane];
    lv_program_run(p, LV_SEGMENT_MAIN, one, 1);
}

/* Whether MAIN leaves a number in a slot for others: an output, or what it does not write. */
static bool is_kept(const lv_program *p, int slot)
{
    for (int k = 0; k < p->output_count; k++)
        if (p->output[k] == slot)
            return true;
    if (slot >= p->spare && slot < p->spare + p->spare_count)
        return false;
    for (int i = 0; i < p->run_count[LV_SEGMENT_MAIN]; i++) {
        const lv_op_run *run = &p->run[LV_SEGMENT_MAIN][i];
        const int arity = lv_op_run_arity(run);
        for (int k = 0; k < run->count; k++)
            if (p->operand[run->first + k * (arity + 1) + arity] == slot)
                return false;
    }
    return true;
}

/* Outputs are as interpreted in one lane; what MAIN does not write is as it was. Without code the
 * lanes are interpreted together. */
static void compare(const lv_program *p, const lv_code *code, int lanes, int seed)
{
    size_t count = ((size_t)p->slots + 2) * (size_t)lanes;
    double *before = lv_memory_zeroed(count, sizeof *before);
    double *after = lv_memory_zeroed(count, sizeof *after);
    double *one = lv_memory_zeroed((size_t)p->slots + 1, sizeof *one);
    fill(p, before + lanes, lanes, (uint64_t)seed);
    memcpy(after, before, count * sizeof *after);
    if (code)
        lv_code_run(code, after + lanes);
    else
        lv_program_run(p, LV_SEGMENT_MAIN, after + lanes, lanes);
    bool *kept = lv_memory_zeroed((size_t)p->slots + 1, sizeof *kept);
    for (int s = 0; s < p->slots; s++)
        kept[s] = is_kept(p, s);
    for (int l = 0; l < lanes; l++) {
        assert_true(after[l] == 0 && after[count - 1 - (size_t)l] == 0);
        interpret(p, before + lanes, lanes, l, one);
        for (int s = 0; s < p->slots; s++) {
            double got = after[lanes + s * lanes + l];
            if (kept[s] && !same_bits(got, one[s]))
                fail_msg("program %d, lane %d of %d, slot %d: %a instead of %a", seed, l,
                         lanes, s, got, one[s]);
        }
    }
    lv_memory_free(before);
    lv_memory_free(after);
    lv_memory_free(one);
    lv_memory_free(kept);
}

/* Every kind of code that this machine has. */
static int compare_all(const lv_program *p, int seed)
{
    static const int lanes[] = {1, 8, 4, MOST_LANES};
    int made = 0;
    if (p->operations == 0)
        return 0;
    compare(p, NULL, LV_LANES, seed);
    compare(p, NULL, LV_WIDE_LANES, seed);
    for (int k = 0; k < 4; k++)
        for (int form = LV_CODE_SSE2; form <= LV_CODE_AVX2; form++)
            for (int order = 0; order < 2; order++) {
                lv_code *code =
                    lv_code_create_as(p, lanes[k], (lv_code_form)form, order != 0);
                if (code)
                    compare(p, code, lanes[k], seed);
                made += code != NULL;
                lv_code_free(code);
            }
    return made;
}

/* Some outputs first, then the others from these: together they are what the interpreter makes of all. */
static bool compare_parts(const lv_program *p, int lanes, int seed)
{
    random_source r = {(uint64_t)seed + 17};
    bool early[RANDOM_OUTPUTS] = {false}, late[RANDOM_OUTPUTS] = {false};
    for (int k = 0; k < p->output_count; k++) {
        early[k] = random_below(&r, 2) == 0;
        for (int i = 0; i < k; i++) /* an output that is asked for twice */
            early[k] = p->output[i] == p->output[k] ? early[i] : early[k];
        late[k] = !early[k];
    }
    const lv_part parts[] = {{early, NULL}, {late, early}};
    lv_code *code = p->operations > 0 ? lv_code_create_parts(p, lanes, parts, 2) : NULL;
    if (!code)
        return false;
    const size_t count = (size_t)p->slots * (size_t)lanes + 1;
    double *w = lv_memory_zeroed(count, sizeof *w),
           *one = lv_memory_zeroed((size_t)p->slots + 1, sizeof *one),
           *before = lv_memory_zeroed(count, sizeof *before);
    fill(p, before, lanes, (uint64_t)seed);
    memcpy(w, before, count * sizeof *w);
    for (int k = 0; k < 2; k++)
        lv_code_entry(code, k)(w);
    for (int l = 0; l < lanes; l++) {
        interpret(p, before, lanes, l, one);
        for (int k = 0; k < p->output_count; k++)
            if (!same_bits(w[p->output[k] * lanes + l], one[p->output[k]]))
                fail_msg("program %d, lane %d of %d, output %d, by parts", seed, l, lanes,
                         k);
    }
    lv_memory_free(w);
    lv_memory_free(one);
    lv_memory_free(before);
    lv_code_free(code);
    return true;
}

static void parts_of_programs_give_the_bits_of_the_whole(void **state)
{
    (void)state;
    lv_node outputs[RANDOM_OUTPUTS];
    int made = 0;
    for (int seed = first_seed; seed < first_seed + program_count; seed++) {
        random_source r = {(uint64_t)seed * 1000003};
        lv_graph *g = random_graph((uint64_t)seed, 5 + random_below(&r, 200), outputs,
                                   RANDOM_OUTPUTS);
        lv_program *p = compiled(g, outputs, RANDOM_OUTPUTS);
        made += compare_parts(p, 1, seed) + compare_parts(p, LV_LANES, seed);
        lv_program_free(p);
        lv_graph_free(g);
    }
    assert_true(!lv_code_is_built() || made > program_count);
}

static void random_programs_give_the_bits_of_the_interpreter(void **state)
{
    (void)state;
    lv_node outputs[RANDOM_OUTPUTS];
    int made = 0;
    for (int seed = first_seed; seed < first_seed + program_count; seed++) {
        random_source r = {(uint64_t)seed * 1000003};
        int size = random_below(&r, 20) == 0 ? 600 : 2 + random_below(&r, 120);
        int count = 1 + random_below(&r, RANDOM_OUTPUTS);
        lv_graph *g = random_graph((uint64_t)seed, size, outputs, count);
        lv_program *p = compiled(g, outputs, count);
        made += compare_all(p, seed);
        lv_program_free(p);
        lv_graph_free(g);
        if (program_count > 10000 && seed % 10000 == 0)
            fprintf(stderr, "%d programs\n", seed);
    }
    assert_true(made >= (lv_code_is_built() ? 7 * program_count : 0));
}

/* ---- rows of numbers ----------------------------------------------------------------- */

/* A row is a list of numbers that are computed alike; code computes them side by side. */
enum { ROW = 13, ROWS = 40 };
static const lv_layout row_layout = {{ROW, ROW, 1, 4, 2, 3, 3, 2, 3, 2, 3}};

typedef struct rows {
    lv_graph *g;
    random_source *r;
    lv_node row[ROWS][ROW];
    int count;
} rows;

static void add_inputs(rows *x)
{
    for (int l = 0; l < ROW; l++) {
        x->row[0][l] = lv_graph_input(x->g, LV_INPUT_Q, l);
        x->row[1][l] = lv_graph_input(x->g, LV_INPUT_V, l);
        x->row[2][l] = random_leaf(x->r, x->g);
    }
    x->count = 3;
}

/* The same operation on all numbers of two rows, one of which may be farther on by some
 * numbers or be a single number for all; some numbers may be treated in another way. */
static void add_alike(rows *x)
{
    static const lv_op ops[] = {LV_OP_ADD,    LV_OP_SUB,  LV_OP_MUL, LV_OP_MUL, LV_OP_DIV,
                                LV_OP_SQUARE, LV_OP_SQRT, LV_OP_ABS, LV_OP_NEG, LV_OP_MIN,
                                LV_OP_MAX,    LV_OP_SIN,  LV_OP_LESS};
    random_source *r = x->r;
    const lv_op op = ops[random_below(r, (int)(sizeof ops / sizeof *ops))];
    const lv_node *a = x->row[random_below(r, x->count)],
                  *b = x->row[random_below(r, x->count)];
    const int shift = random_below(r, 3) ? 0 : random_below(r, ROW),
              single = random_below(r, 3) ? -1 : random_below(r, ROW),
              odd = random_below(r, 4) ? -1 : random_below(r, ROW);
    for (int l = 0; l < ROW; l++) {
        const lv_node first = a[(l + shift) % ROW], second = b[single < 0 ? l : single];
        const bool swap = random_below(r, 3) == 0 && (op == LV_OP_ADD || op == LV_OP_MUL);
        x->row[x->count][l] =
            lv_graph_op(x->g, l == odd ? LV_OP_SUB : op, swap ? second : first,
                        swap ? first : second, LV_NODE_NONE);
    }
    x->count++;
}

/* Numbers each of which needs the one before it, or after it. */
static void add_chain(rows *x)
{
    const lv_node *a = x->row[random_below(x->r, x->count)],
                  *b = x->row[random_below(x->r, x->count)];
    const bool forward = random_below(x->r, 2) == 0;
    lv_node last = a[0];
    for (int k = 0; k < ROW; k++) {
        const int l = forward ? k : ROW - 1 - k;
        last = lv_graph_add(x->g, lv_graph_mul(x->g, last, a[l]), b[l]);
        x->row[x->count][l] = last;
    }
    x->count++;
}

static lv_program *program_of_rows(random_source *r, int size)
{
    lv_node outputs[3 * ROW];
    rows x = {.g = lv_graph_create(0), .r = r};
    add_inputs(&x);
    while (x.count < size)
        if (random_below(r, 6) > 0)
            add_alike(&x);
        else
            add_chain(&x);
    for (int k = 0; k < 3 * ROW; k++) {
        const lv_node *row = x.row[x.count - 1 - k / ROW];
        outputs[k] = row[k < 2 * ROW ? k % ROW : random_below(r, ROW)];
    }
    lv_program *p = compiled_for(x.g, outputs, 3 * ROW, &row_layout);
    lv_graph_free(x.g);
    return p;
}

static void rows_of_numbers_give_the_bits_of_the_interpreter(void **state)
{
    (void)state;
    for (int seed = first_seed; seed < first_seed + program_count; seed++) {
        random_source r = {(uint64_t)seed * 7919};
        lv_program *p = program_of_rows(&r, 6 + random_below(&r, ROWS - 6));
        (void)compare_all(p, seed);
        (void)compare_parts(p, 1, seed);
        lv_program_free(p);
    }
}

/* The same sum of products for every number of a row. */
static lv_code *code_of_sums(lv_code_form form)
{
    lv_node outputs[12];
    lv_graph *g = lv_graph_create(0);
    const lv_node factor = lv_graph_input(g, LV_INPUT_P, 0);
    for (int l = 0; l < 12; l++) {
        lv_node sum = lv_graph_input(g, LV_INPUT_Q, l);
        for (int k = 0; k < 6; k++) {
            const lv_node v = lv_graph_input(g, LV_INPUT_V, l);
            const lv_node product =
                lv_graph_mul(g, factor, lv_graph_op(g, LV_OP_ABS, sum, 0, 0));
            sum = lv_graph_add(g, v, product);
        }
        outputs[l] = sum;
    }
    lv_program *p = compiled_for(g, outputs, 12, &row_layout);
    lv_code *code = lv_code_create_as(p, 1, form, true);
    lv_program_free(p);
    lv_graph_free(g);
    return code;
}

static void rows_of_numbers_take_a_quarter_of_the_code(void **state)
{
    (void)state;
    lv_code *single = code_of_sums(LV_CODE_SSE2), *packed = code_of_sums(LV_CODE_AVX2);
    if (single && packed)
        assert_true(3 * lv_code_size(packed) < lv_code_size(single));
    lv_code_free(single);
    lv_code_free(packed);
}

/* Each operation alone, on all pairs of special numbers. */
static void every_operation_treats_special_numbers_alike(void **state)
{
    (void)state;
    for (int op = LV_OP_ADD; op < LV_OP_COUNT; op++) {
        lv_graph *g = lv_graph_create(0);
        lv_node x = lv_graph_input(g, LV_INPUT_Q, 0),
                y = lv_graph_input(g, LV_INPUT_Q, 1);
        lv_node z = lv_graph_input(g, LV_INPUT_Q, 2);
        lv_node f = lv_graph_op(g, (lv_op)op, x, y, z);
        lv_program *p = compiled(g, &f, 1);
        assert_int_equal(p->operations, 1);
        for (int seed = 0; seed < 300; seed++)
            (void)compare_all(p, seed);
        lv_program_free(p);
        lv_graph_free(g);
    }
}

/* Sums of many products that are all used twice: more values than registers. */
static lv_program *wide_program(int terms)
{
    lv_graph *g = lv_graph_create(0);
    lv_node *products = lv_memory_zeroed((size_t)terms, sizeof *products);
    lv_node up = lv_graph_const(g, 1), down = lv_graph_const(g, 2);
    for (int i = 0; i < terms; i++) {
        lv_node c = lv_graph_const(g, 1 + 0.37 * i);
        lv_node x = lv_graph_input(g, LV_INPUT_Q, i % 5);
        lv_node y = lv_graph_input(g, LV_INPUT_V, i % 3);
        lv_node s = lv_graph_add(g, x, c);
        products[i] = lv_graph_mul(g, s, y);
    }
    for (int i = 0; i < terms; i++) {
        up = lv_graph_add(g, up, products[i]);
        down = lv_graph_mul(g, down, products[terms - 1 - i]);
    }
    lv_node root = lv_graph_op(g, LV_OP_COS, up, 0, 0);
    const lv_node outputs[] = {up, down, root, products[0]};
    lv_program *p = compiled(g, outputs, 4);
    lv_memory_free(products);
    lv_graph_free(g);
    return p;
}

static void more_values_than_registers_are_kept(void **state)
{
    (void)state;
    static const int terms[] = {1, 13, 14, 15, 16, 40, 1000};
    for (int k = 0; k < 7; k++) {
        lv_program *p = wide_program(terms[k]);
        for (int seed = 0; seed < 5; seed++)
            (void)compare_all(p, seed);
        lv_program_free(p);
    }
}

static void code_outlives_its_program(void **state)
{
    (void)state;
    lv_program *p = wide_program(20), *twin = wide_program(20);
    lv_code *code = lv_code_create(p, 1);
    lv_program_free(p);
    if (code) {
        compare(twin, code, 1, 3);
        assert_true(lv_code_size(code) > 100);
    }
    lv_code_free(code);
    lv_code_free(NULL);
    lv_program_free(twin);
}

static void lanes_that_do_not_fit_have_no_code(void **state)
{
    (void)state;
    lv_program *p = wide_program(5);
    static const int lanes[] = {0, -8, 2, 3, 7, 1 << 28};
    for (int k = 0; k < 6; k++)
        assert_null(lv_code_create(p, lanes[k]));
    lv_program_free(p);
}

/* ---- threads ----------------------------------------------------------------------------- */

typedef struct shared {
    const lv_program *program;
    const lv_code *code;
    int seed;
} shared;

static void *run_shared(void *user)
{
    const shared *s = user;
    for (int k = 0; k < 20; k++)
        compare(s->program, s->code, 8, s->seed + k);
    return NULL;
}

static void threads_share_code(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    shared jobs[THREADS];
    lv_program *p = wide_program(50);
    lv_code *code = lv_code_create(p, 8);
    for (int k = 0; code && k < THREADS; k++) {
        jobs[k] = (shared){p, code, 100 * k};
        assert_int_equal(pthread_create(&thread[k], NULL, run_shared, &jobs[k]), 0);
    }
    for (int k = 0; code && k < THREADS; k++)
        assert_int_equal(pthread_join(thread[k], NULL), 0);
    lv_code_free(code);
    lv_program_free(p);
}

/* ---- memory ------------------------------------------------------------------------------ */

/* The code is always optional: without memory there is none. */
static lv_status create(void *user, lv_error *err)
{
    lv_code *code = lv_code_create(user, 8);
    lv_status status = code ? LV_OK : lv_fail_memory(err);
    lv_code_free(code);
    return status;
}

/* Without memory for packs the code may be there all the same. */
static lv_status create_packed(void *user, lv_error *err)
{
    lv_code *code = lv_code_create(user, 1);
    lv_status status = code ? LV_OK : lv_fail_memory(err);
    lv_code_free(code);
    return status;
}

static void denied_memory_leaves_the_interpreter(void **state)
{
    (void)state;
    random_source r = {5};
    lv_program *p = wide_program(30), *packed = program_of_rows(&r, 20);
    lv_code *code = lv_code_create(p, 8);
    if (code)
        lv_deny_sweep(create, p);
    if (code)
        lv_deny_sweep(create_packed, packed);
    lv_code_free(code);
    lv_program_free(p);
    lv_program_free(packed);
}

#if defined(__linux__) && defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) &&       \
    !defined(__SANITIZE_THREAD__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* From now on a system call fails. false: filters are not allowed here. */
static bool refuse(unsigned call)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 13),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {.len = 4, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool has_no_code(const lv_program *p)
{
    for (int k = 0; k < 2000; k++) /* more often than there may be pages */
        if (lv_code_create(p, 1))
            return false;
    return true;
}

static void refused_pages_leave_the_interpreter(void **state)
{
    (void)state;
    static const unsigned calls[] = {SYS_mprotect, SYS_mmap};
    lv_program *p = wide_program(10);
    for (int k = 0; k < 2; k++) {
        pid_t child = fork();
        if (child == 0) {
            _exit(!refuse(calls[k]) ? 2 : has_no_code(p) ? 0 : 1);
        }
        int status = 0;
        assert_true(child > 0 && waitpid(child, &status, 0) == child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 1);
    }
    lv_program_free(p);
}
#else
static void refused_pages_leave_the_interpreter(void **state)
{
    (void)state;
    skip();
}
#endif

int main(int argc, char **argv)
{
    program_count = argc > 1 ? atoi(argv[1]) : program_count;
    first_seed = argc > 2 ? atoi(argv[2]) : first_seed;
    const struct CMUnitTest tests[] = {
        RUN(random_programs_give_the_bits_of_the_interpreter),
        RUN(parts_of_programs_give_the_bits_of_the_whole),
        RUN(rows_of_numbers_give_the_bits_of_the_interpreter),
        RUN(rows_of_numbers_take_a_quarter_of_the_code),
        RUN(every_operation_treats_special_numbers_alike),
        RUN(more_values_than_registers_are_kept),
        RUN(code_outlives_its_program),
        RUN(lanes_that_do_not_fit_have_no_code),
        RUN(threads_share_code),
        RUN(denied_memory_leaves_the_interpreter),
        RUN(refused_pages_leave_the_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
