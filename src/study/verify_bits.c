/* Compares bits: a second run, simultaneous runs on several threads, and a run that
 * continues from a checkpoint. All numbers of a simulation are compared, including those
 * that it keeps from past steps. */
#include "study/verify.h"

#include <livens/sweep.h>

#include <math.h>
#include <string.h>

#ifdef _OPENMP
enum { MOST_THREADS = 4 };
#endif

typedef struct bits {
    lv_verifier *v;
    long long steps;
    size_t bytes;
    double *expected, *middle, *found; /* numbers of simulations */
} bits;

static lv_status run_expected(bits *b, lv_error *err)
{
    lv_sim *sim = b->v->sim;
    lv_sim_read_numbers(sim, b->v->start);
    LV_TRY(lv_verifier_take(sim, &b->v->feeds, b->steps / 2, err));
    lv_sim_write_numbers(sim, b->middle);
    LV_TRY(lv_verifier_take(sim, &b->v->feeds, b->steps - b->steps / 2, err));
    lv_sim_write_numbers(sim, b->expected);
    return LV_OK;
}

/* Runs another simulation, from the start or, if `from` is not NULL, from these
 * numbers. */
static lv_status run_other(const bits *b, const double *from, double *to, lv_error *err)
{
    lv_sim *sim = NULL;
    lv_arena arena = {0};
    lv_feeds feeds;
    long long steps = b->steps;
    lv_status status = lv_feeds_copy(&feeds, &b->v->feeds, &arena, err);
    if (status == LV_OK)
        status = lv_verifier_sim(b->v, &feeds, &sim, err);
    if (status == LV_OK && from) {
        status = lv_sim_restore(sim, from, b->v->numbers, err);
        steps -= b->steps / 2;
    }
    if (status == LV_OK)
        status = lv_verifier_take(sim, &feeds, steps, err);
    if (status == LV_OK)
        lv_sim_write_numbers(sim, to);
    lv_sim_free(sim);
    lv_arena_done(&arena);
    return status;
}

static void conclude(bits *b, lv_property property, int different, const char *what)
{
    const lv_finding f = {.property = property,
                          .promise = "same bits",
                          .measured = different,
                          .noise = (double)NAN,
                          .bound = 0,
                          .verdict =
                              different == 0 ? LV_FINDING_KEPT : LV_FINDING_BROKEN};
    lv_findings_add(&b->v->findings, f, "%s after %lld step%s", what, b->steps,
                    b->steps == 1 ? "" : "s");
}

/* The number of numbers that differ. */
static int count_different(const bits *b, const double *found)
{
    int count = 0;
    for (int k = 0; k < b->v->numbers; k++)
        count += memcmp(found + k, b->expected + k, sizeof *found) != 0;
    return count;
}

#ifdef _OPENMP
static lv_status run_side_by_side(bits *b, int threads, double *all, lv_error *err)
{
    lv_status status[MOST_THREADS] = {LV_OK};
    const ptrdiff_t numbers = b->v->numbers;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int k = 0; k < threads; k++)
        status[k] = run_other(b, NULL, all + k * numbers, NULL);
    int different = 0;
    for (int k = 0; k < threads; k++) {
        if (status[k] == LV_ERR_MEMORY)
            return lv_fail_memory(err);
        different +=
            status[k] == LV_OK ? count_different(b, all + k * numbers) : b->v->numbers;
    }
    b->v->view.threads = threads;
    conclude(b, LV_PROPERTY_THREADS, different, "numbers that differ");
    return LV_OK;
}

static lv_status verify_threads(bits *b, lv_error *err)
{
    const int wanted = b->v->request->threads, cores = lv_sweep_threads();
    int threads = wanted > 0 ? wanted : cores < 2 ? 2 : cores;
    threads = threads > MOST_THREADS ? MOST_THREADS : threads;
    double *all =
        lv_memory_zeroed((size_t)threads * (size_t)b->v->numbers + 1, sizeof *all);
    if (!all)
        return lv_fail_memory(err);
    lv_status status = run_side_by_side(b, threads, all, err);
    lv_memory_free(all);
    return status;
}
#else
/* Builds without threads have nothing to compare. */
static lv_status verify_threads(bits *b, lv_error *err)
{
    (void)b;
    (void)err;
    return LV_OK;
}
#endif

lv_status lv_verify_bits(lv_verifier *v, lv_error *err)
{
    const long long few = lv_verifier_few_steps(v);
    bits b = {.v = v,
              .steps = v->watched < few ? v->watched : few,
              .bytes = (size_t)v->numbers * sizeof(double)};
    b.expected = lv_arena_alloc(&v->arena, 3 * (size_t)v->numbers, sizeof *b.expected);
    if (!b.expected)
        return lv_fail_memory(err);
    b.middle = b.expected + v->numbers;
    b.found = b.middle + v->numbers;
    LV_TRY(run_expected(&b, err));
    LV_TRY(run_other(&b, NULL, b.found, err));
    conclude(&b, LV_PROPERTY_REPEAT, count_different(&b, b.found), "numbers that differ");
    LV_TRY(verify_threads(&b, err));
    LV_TRY(run_other(&b, b.middle, b.found, err));
    conclude(&b, LV_PROPERTY_RESUME, count_different(&b, b.found), "numbers that differ");
    return LV_OK;
}
