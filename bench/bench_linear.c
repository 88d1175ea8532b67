/* How fast linear systems are factored and solved, and the numbers behind the choices in
 * src/num: our own LU against LAPACK, where there is one, L D L^T against both, tridiagonal and band
 * matrices per row, and our own sparse LU against KLU, in our order and in its own.
 *
 *     bench_linear [--short] [--json FILE]
 *
 * What is compared takes turns, and the best of many turns counts. Times are for one
 * factorisation and one solution, the copying of the values included. Every solution is checked: right sides
 * belong to solutions of ones. */
#include "../tests/num/saddle.h"
#include "num/dense.h"
#include "num/kkt_order.h"
#include "num/ldl.h"
#include "num/linear.h"
#include "num/sparse_lu.h"
#include "peer_klu.h"
#include "peer_lapack.h"
#include "results.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { LARGEST_DENSE = 600 };

/* With --short: one turn, and no system larger than this. */
enum { BRIEF_SIZE = 1000 };
static int turns = 9, most_rows = 100000, work = 4000000;

static bool has_lapack;
static bench_results results;

static double nanoseconds(void)
{
    struct timespec t;
    if (clock_gettime(CLOCK_MONOTONIC, &t) != 0)
        return 0;
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void record(const char *name, double ns, double other, const char *what)
{
    char number[32] = "null";
    if (isfinite(other))
        snprintf(number, sizeof number, "%.4g", other);
    bench_results_case(&results, "\"name\": \"%s\", \"ns\": %.4g, \"%s\": %s", name, ns,
                       what, number);
}

static double *numbers(size_t count)
{
    double *p = calloc(count, sizeof *p);
    if (!p)
        abort();
    return p;
}

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24) - 0.5;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* ---- dense ------------------------------------------------------------------------- */

typedef struct dense_job {
    int n;
    double *a, *w, *x;
    int pivot[LARGEST_DENSE];
} dense_job;

static void dense_own(dense_job *j)
{
    memcpy(j->w, j->a, (size_t)(j->n * j->n) * sizeof(double));
    lv_lu_factor(j->w, j->n, j->pivot);
    lv_lu_solve(j->w, j->n, j->pivot, j->x);
}

static void dense_lapack(dense_job *j)
{
    memcpy(j->w, j->a, (size_t)(j->n * j->n) * sizeof(double));
    peer_lapack_solve(j->w, j->n, j->pivot, j->x);
}

static double time_dense(void (*run)(dense_job *), dense_job *j, int repeats)
{
    if (run == dense_lapack && !has_lapack)
        return NAN;
    const double start = nanoseconds();
    for (int k = 0; k < repeats; k++)
        run(j);
    return (nanoseconds() - start) / repeats;
}

static double size_of_error(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i] - 1));
    return largest;
}

/* Error of a solution whose components are all 1. */
static double error_of(void (*run)(dense_job *), dense_job *j)
{
    for (int i = 0; i < j->n; i++) {
        j->x[i] = 0;
        for (int k = 0; k < j->n; k++)
            j->x[i] += j->a[i * j->n + k];
    }
    run(j);
    return size_of_error(j->x, j->n);
}

/* Condition numbers of these matrices, times rounding, stay far below this. */
static void check_error(double error, const char *what)
{
    bench_check(error < 1e-7, "a solution is wrong", what, error);
}

static void bench_dense(void)
{
    static const int sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,   10,  12,  16,  20, 24,
                                33, 40, 48, 56, 64, 80, 96, 128, 200, 300, 400, 600};
    static dense_job j;
    j.a = numbers(LARGEST_DENSE * LARGEST_DENSE);
    j.w = numbers(LARGEST_DENSE * LARGEST_DENSE);
    j.x = numbers(LARGEST_DENSE);
    unsigned seed = 1;
    printf("dense, factor and solve:\n%8s %10s %10s %8s\n", "n", "own ns", "LAPACK ns",
           "ratio");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = j.n = sizes[s], repeats = work / (n * n * n + 400) + 1;
        for (int k = 0; k < n * n; k++)
            j.a[k] = noise(&seed) + (k % (n + 1) == 0);
        check_error(error_of(dense_own, &j), "own LU");
        if (has_lapack)
            check_error(error_of(dense_lapack, &j), "LAPACK");
        for (int k = 0; k < n; k++)
            j.x[k] = 0;
        double own = 1e99, lapack = has_lapack ? 1e99 : (double)NAN;
        for (int turn = 0; turn < turns; turn++) {
            own = smaller(own, time_dense(dense_own, &j, repeats));
            lapack = smaller(time_dense(dense_lapack, &j, repeats), lapack);
        }
        char name[40];
        snprintf(name, sizeof name, "dense n=%d", n);
        printf("%8d %10.0f %10.0f %8.2f\n", n, own, lapack, own / lapack);
        record(name, own, lapack, "lapack_ns");
    }
    free(j.a);
    free(j.w);
    free(j.x);
}

/* ---- dense and symmetric ----------------------------------------------------------- */

static void dense_ldl(dense_job *j)
{
    memcpy(j->w, j->a, (size_t)(j->n * j->n) * sizeof(double));
    lv_ldl_factor(j->w, j->n, j->pivot);
    lv_ldl_solve(j->w, j->n, j->pivot, j->x);
}

/* Random symmetric matrices, the first `definite` rows of which are made definite; as many as
 * there are left have no block on the diagonal if bordered, else nothing special. */
static void fill_symmetric(double *a, int n, int definite, bool bordered, unsigned *seed)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            const double extra = i == k && i < definite ? 0.3 + 0.6 * sqrt(n) : 0;
            const bool zero = bordered && k >= definite;
            a[i * n + k] = a[k * n + i] = zero ? 0 : noise(seed) + extra;
        }
}

static void bench_symmetric_size(dense_job *j, const char *kind, int definite,
                                 bool bordered)
{
    static const int matrices = 5;
    const int n = j->n, repeats = work / 4 / (n * n * n + 400) + 1;
    double own = 0, ldl = 0, lapack = 0, lu_error = 0, ldl_error = 0;
    unsigned seed = 1;
    for (int k = 0; k < matrices; k++) {
        fill_symmetric(j->a, n, definite, bordered, &seed);
        lu_error = fmax(lu_error, error_of(dense_own, j));
        ldl_error = fmax(ldl_error, error_of(dense_ldl, j));
        check_error(lu_error, kind);
        check_error(ldl_error, kind);
        memset(j->x, 0, (size_t)n * sizeof *j->x);
        double best[3] = {1e99, 1e99, has_lapack ? 1e99 : (double)NAN};
        for (int turn = 0; turn < turns; turn++) {
            best[0] = smaller(best[0], time_dense(dense_own, j, repeats));
            best[1] = smaller(best[1], time_dense(dense_ldl, j, repeats));
            best[2] = smaller(time_dense(dense_lapack, j, repeats), best[2]);
        }
        own += best[0] / matrices;
        ldl += best[1] / matrices;
        lapack += best[2] / matrices;
    }
    char name[40];
    snprintf(name, sizeof name, "symmetric %s n=%d", kind, n);
    printf("%8d %-10s %10.0f %8.2f %8.2f %10.1e %10.1e\n", n, kind, ldl, ldl / own,
           ldl / lapack, ldl_error, lu_error);
    record(name, ldl, own, "lu_ns");
}

static void bench_symmetric(void)
{
    static const int sizes[] = {3,  4,  5,  6,  7,  8,  9,  10,  12,  16,  20, 24,
                                33, 40, 48, 56, 64, 80, 96, 128, 200, 300, 600};
    static dense_job j;
    j.a = numbers(LARGEST_DENSE * LARGEST_DENSE);
    j.w = numbers(LARGEST_DENSE * LARGEST_DENSE);
    j.x = numbers(LARGEST_DENSE);
    printf("\nL D L^T, factor and solve:\n%8s %-10s %10s %8s %8s %10s %10s\n", "n", "",
           "ns", "to LU", "LAPACK", "error", "LU's");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const int n = j.n = sizes[s];
        bench_symmetric_size(&j, "definite", n, false);
        bench_symmetric_size(&j, "saddle", (2 * n + 2) / 3, true);
        bench_symmetric_size(&j, "random", 0, false);
    }
    free(j.a);
    free(j.w);
    free(j.x);
}

/* ---- any lv_linear ----------------------------------------------------------------- */

typedef struct timing {
    double factor, solve; /* ns */
} timing;

/* The right side for a solution of ones. */
static void sum_rows(double *sums, const lv_pattern *pattern, const double *values)
{
    for (int i = 0; i < pattern->rows; i++) {
        sums[i] = 0;
        for (int e = pattern->start[i]; e < pattern->start[i + 1]; e++)
            sums[i] += values[e];
    }
}

static void check_linear(lv_linear *linear, const lv_pattern *pattern,
                         const double *values)
{
    double *x = numbers((size_t)pattern->rows);
    sum_rows(x, pattern, values);
    if (!lv_linear_factor(linear))
        abort();
    lv_linear_solve(linear, x);
    check_error(size_of_error(x, pattern->rows), "a back end");
    free(x);
}

static timing time_linear(lv_linear *linear)
{
    const int n = lv_linear_size(linear);
    double *x = numbers((size_t)n), *storage = lv_linear_storage(linear);
    timing best = {1e99, 1e99};
    for (int turn = 0; turn < 3 * turns; turn++) {
        const double start = nanoseconds();
        storage[0] += 1e-9;
        if (!lv_linear_factor(linear))
            abort();
        const double middle = nanoseconds();
        for (int i = 0; i < n; i++)
            x[i] = 1;
        const double again = nanoseconds();
        lv_linear_solve(linear, x);
        const double end = nanoseconds();
        best.factor = smaller(best.factor, middle - start);
        best.solve = smaller(best.solve, end - again);
    }
    free(x);
    return best;
}

static lv_linear *make_linear(const lv_pattern *pattern, const double *values,
                              lv_back_end back_end, const int *order)
{
    lv_linear *linear;
    lv_error err;
    if (lv_linear_create(&linear, pattern, back_end, order, &err) != LV_OK) {
        fprintf(stderr, "bench_linear: %s\n", err.text);
        abort();
    }
    for (int e = 0; e < pattern->start[pattern->rows]; e++)
        lv_linear_storage(linear)[lv_linear_slots(linear)[e]] = values[e];
    check_linear(linear, pattern, values);
    return linear;
}

/* ---- bands ------------------------------------------------------------------------- */

static void bench_band(int n, int width, bool pivoting, lv_back_end back_end)
{
    if (n > most_rows)
        return;
    int *start = calloc((size_t)n + 1, sizeof(int)), count = 0;
    int *column = calloc((size_t)n * (size_t)(2 * width + 1), sizeof(int));
    double *values = numbers((size_t)n * (size_t)(2 * width + 1));
    if (!start || !column)
        abort();
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        for (int k = i - width; k <= i + width; k++)
            if (k >= 0 && k < n) {
                column[count] = k;
                values[count++] = k == i ? (pivoting ? 0.1 : 2 * width) : noise(&seed);
            }
        start[i + 1] = count;
    }
    const lv_pattern pattern = {n, n, start, column, false};
    lv_linear *linear = make_linear(&pattern, values, back_end, NULL);
    const timing t = time_linear(linear);
    char name[80];
    snprintf(name, sizeof name, "%s n=%d half-bandwidth=%d%s",
             lv_linear_back_end(linear) == LV_BACK_END_BANDED   ? "band"
             : lv_linear_back_end(linear) == LV_BACK_END_SPARSE ? "sparse"
                                                                : "dense",
             n, width, pivoting ? " pivoting" : "");
    printf("%-44s %8.1f %8.1f %8.1f\n", name, t.factor / n, t.solve / n,
           (t.factor + t.solve) / n);
    record(name, t.factor + t.solve, (t.factor + t.solve) / n, "ns_per_row");
    lv_linear_free(linear);
    free(start);
    free(column);
    free(values);
}

static void bench_bands(void)
{
    static const int sizes[] = {10, 100, 1000, 10000}, widths[] = {2, 3, 5, 7, 12, 20};
    printf("\nbands, ns per row:%36s %8s %8s\n", "factor", "solve", "both");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        bench_band(sizes[s], 1, false, LV_BACK_END_BANDED);
    bench_band(10000, 1, true, LV_BACK_END_BANDED);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        bench_band(1000, widths[w], false, LV_BACK_END_BANDED);
        bench_band(1000, widths[w], true, LV_BACK_END_BANDED);
        bench_band(1000, widths[w], false, LV_BACK_END_SPARSE);
    }
}

/* ---- saddle matrices --------------------------------------------------------------- */

static double bench_order(saddle *s, int *order)
{
    double best = 1e99;
    for (int turn = 0; turn < turns; turn++) {
        const double start = nanoseconds();
        if (lv_kkt_order(order, &s->pattern, s->multiplier, NULL) != LV_OK)
            abort();
        best = smaller(best, nanoseconds() - start);
    }
    return best;
}

/* Our sparse LU and KLU take turns on one matrix. */
typedef struct sparse_race {
    saddle *matrix;
    lv_sparse_lu *own;
    peer_klu *klu; /* or NULL */
    double *x;
} sparse_race;

static void own_factor(sparse_race *r)
{
    lv_pivots pivots;
    if (!lv_sparse_lu_factor(r->own, r->matrix->value, &pivots))
        abort();
}

static void own_refactor(sparse_race *r)
{
    lv_pivots pivots;
    if (!lv_sparse_lu_refactor(r->own, r->matrix->value, &pivots))
        abort();
}

static void put_right_side(sparse_race *r)
{
    for (int i = 0; i < r->matrix->pattern.rows; i++)
        r->x[i] = 1;
}

static void own_solve(sparse_race *r)
{
    put_right_side(r);
    lv_sparse_lu_solve(r->own, r->x);
}

static void klu_factor_anew(sparse_race *r)
{
    peer_klu_factor(r->klu);
}

static void klu_factor_again(sparse_race *r)
{
    peer_klu_refactor(r->klu);
}

static void klu_backsolve(sparse_race *r)
{
    put_right_side(r);
    peer_klu_solve(r->klu, r->x);
}

/* Do both find a solution of ones, with pivots that are new and with those used again? */
static void check_race(sparse_race *r)
{
    const lv_pattern *pattern = &r->matrix->pattern;
    own_factor(r);
    for (int again = 0; again < 2; again++) {
        sum_rows(r->x, pattern, r->matrix->value);
        lv_sparse_lu_solve(r->own, r->x);
        check_error(size_of_error(r->x, pattern->rows), "own sparse LU");
        own_refactor(r);
    }
    if (!r->klu)
        return;
    sum_rows(r->x, pattern, r->matrix->value);
    klu_factor_anew(r);
    peer_klu_solve(r->klu, r->x);
    check_error(size_of_error(r->x, pattern->rows), "KLU");
}

/* Choosing pivots, using them again, solving: ours, then KLU's. */
enum { JOBS = 6 };
static void (*const sparse_jobs[JOBS])(sparse_race *) = {
    own_factor, own_refactor, own_solve, klu_factor_anew, klu_factor_again, klu_backsolve,
};

static void run_race(sparse_race *r, double best[JOBS])
{
    const int n = r->matrix->pattern.rows, repeats = 20000 / n + 1;
    for (int job = 0; job < JOBS; job++)
        best[job] = 1e99;
    for (int turn = 0; turn < turns; turn++)
        for (int job = 0; job < (r->klu ? JOBS : JOBS / 2); job++) {
            const double start = nanoseconds();
            for (int k = 0; k < repeats; k++)
                sparse_jobs[job](r);
            best[job] = smaller(best[job], (nanoseconds() - start) / repeats);
        }
}

static lv_sparse_lu *make_sparse(const lv_column_pattern *a, const int *order)
{
    lv_sparse_lu *lu;
    lv_fill usual;
    if (lv_fill_on_diagonal(&usual, a, order, NULL) != LV_OK ||
        lv_sparse_lu_create(&lu, a, order, 1e-3, usual, NULL) != LV_OK)
        abort();
    return lu;
}

/* KLU in its own order: using pivots again and solving. */
static double time_klu_alone(saddle *s, double *x)
{
    peer_klu *klu = peer_klu_create(s, NULL);
    double best = 1e99;
    if (klu)
        peer_klu_factor(klu);
    for (int turn = 0; klu && turn < turns; turn++) {
        const double start = nanoseconds();
        peer_klu_refactor(klu);
        peer_klu_solve(klu, x);
        best = smaller(best, nanoseconds() - start);
    }
    peer_klu_free(klu);
    return best;
}

static void bench_saddle(const char *name, saddle s)
{
    const int n = s.pattern.rows;
    if (n > most_rows) {
        saddle_free(&s);
        return;
    }
    int *order = calloc((size_t)n, sizeof(int));
    if (!order)
        abort();
    const double ordering = bench_order(&s, order);
    const lv_column_pattern a = {n, s.start, s.column}; /* symmetric */
    sparse_race race = {&s, make_sparse(&a, order), peer_klu_create(&s, order),
                        numbers((size_t)n)};
    lv_linear *chosen = make_linear(&s.pattern, s.value, LV_BACK_END_AUTO, order);
    double t[JOBS];
    check_race(&race);
    run_race(&race, t);
    const timing automatic = time_linear(chosen);
    const double ours = t[1] + t[2], alone = time_klu_alone(&s, race.x);
    printf(
        "%-14s %7d %8.3f %8.3f %8.3f %8.3f %6.2f %6.2f %6.2f %6.2f %6.2f %8.3f %s %d\n",
        name, n, ordering * 1e-6, t[0] * 1e-6, t[1] * 1e-6, t[2] * 1e-6, t[0] / t[3],
        t[1] / t[4], t[2] / t[5], ours / (t[4] + t[5]), ours / alone,
        (automatic.factor + automatic.solve) * 1e-6,
        lv_linear_back_end(chosen) == LV_BACK_END_BANDED ? "band" : "sparse",
        lv_linear_bandwidth(chosen));
    record(name, ours, t[4] + t[5], "klu_ns");
    lv_linear_free(chosen);
    lv_sparse_lu_free(race.own);
    peer_klu_free(race.klu);
    free(race.x);
    free(order);
    saddle_free(&s);
}

static void bench_saddles(void)
{
    printf(
        "\nsaddle matrices, ms; to KLU in the same order: choosing pivots, using them\n"
        "again, solving, the last two together; these to KLU in its own order; the\n"
        "automatic choice, ms\n%-14s %7s %8s %8s %8s %8s %6s %6s %6s %6s %6s %8s\n",
        "", "n", "order", "choose", "again", "solve", "choose", "again", "solve", "both",
        "alone", "auto");
    bench_saddle("chain 75", saddle_chain(75));
    bench_saddle("chain 250", saddle_chain(250));
    bench_saddle("chain 1750", saddle_chain(1750));
    bench_saddle("chain 7500", saddle_chain(7500));
    bench_saddle("chain 17500", saddle_chain(17500));
    bench_saddle("cloth 8", saddle_cloth(8, 0.3));
    bench_saddle("cloth 20", saddle_cloth(20, 0.3));
    bench_saddle("cloth 53", saddle_cloth(53, 0.3));
    bench_saddle("flat cloth 53", saddle_cloth(53, 0));
}

int main(int argc, char **argv)
{
    const bench_request request = bench_request_read(argc, argv);
    results = bench_results_open(&request, "\"bench\": \"linear\"");
    if (request.brief) {
        turns = 1;
        work = 4000;
        most_rows = BRIEF_SIZE;
    }
    has_lapack = peer_lapack_begin();
    bench_dense();
    bench_symmetric();
    bench_bands();
    bench_saddles();
    return bench_results_close(&results);
}
