/* SUNDIALS as an expert would use it. IDA: stabilised index-2 form (Gear, Gupta, Leimkuhler 1985)
 *   M (q' - v) + G^T mu = 0,  M v' - f + G^T lambda = 0,  g = 0,  G v = 0
 * with the exact Jacobian, dense for few unknowns and KLU for chains; multipliers are kept out of
 * the error test, and out of Newton's by loose tolerances, without which it fails at 1e-8. ERK:
 * explicit Runge-Kutta of order 8 for the ordinary differential equations that remain when the
 * multipliers are eliminated, with projection after every step. */
#include "contest.h"
#include "peer.h"

#include <arkode/arkode_erkstep.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

enum { MOST_STEPS = 100000000 };

/* ---- IDA --------------------------------------------------------------------------------------- */

typedef struct entry {
    int row, column;
    double value;
} entry;

typedef struct problem {
    const bench_particles *p;
    int n, m, size; /* unknowns: q, v (n each), lambda, mu (m each) */
    bool sparse;
    int entry_count, nonzeros;
    entry *entries;
    int *slot; /* of each entry in the compressed matrix */
    sunindextype *start, *row;
} problem;

static void put(problem *x, int row, int column, double value)
{
    x->entries[x->entry_count++] = (entry){row, column, value};
}

/* Entries of a rod: its direction d, the rate w of that, and the multipliers. */
static void put_rod(problem *x, int c, const double *y)
{
    const int n = x->n, lambda = 2 * n + c, mu = lambda + x->m;
    const bench_link *rod = &x->p->rods[c];
    double d[3], w[3];
    bench_along(x->p, c, y, d);
    bench_along(x->p, c, y + n, w);
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++) {
            const int at = side ? rod->i : rod->j, other = side ? rod->j : rod->i;
            const int r = 3 * at + k;
            const double sign = side ? -1 : 1;
            if (at < 0)
                continue;
            put(x, r, mu, sign * d[k]);
            put(x, n + r, lambda, sign * d[k]);
            put(x, lambda, r, sign * d[k]);
            put(x, mu, r, sign * w[k]);
            put(x, mu, n + r, sign * d[k]);
            put(x, r, r, y[mu]);
            put(x, n + r, r, y[lambda]);
            if (other >= 0) {
                put(x, r, 3 * other + k, -y[mu]);
                put(x, n + r, 3 * other + k, -y[lambda]);
            }
        }
}

static void put_spring(problem *x, const bench_link *s, const double *q)
{
    double d[3], e = -1;
    for (int k = 0; k < 3; k++) {
        d[k] = q[3 * s->j + k] - q[3 * s->i + k];
        e += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            const double h = s->size * (4 * d[k] * d[l] + (k == l ? 2 * e : 0));
            put(x, x->n + 3 * s->i + k, 3 * s->i + l, h);
            put(x, x->n + 3 * s->j + k, 3 * s->j + l, h);
            put(x, x->n + 3 * s->i + k, 3 * s->j + l, -h);
            put(x, x->n + 3 * s->j + k, 3 * s->i + l, -h);
        }
}

static void list_entries(problem *x, const double *y, double cj)
{
    x->entry_count = 0;
    for (int i = 0; i < x->n; i++) {
        const double mass = x->p->mass[i / 3];
        put(x, i, i, cj * mass);
        put(x, i, x->n + i, -mass);
        put(x, x->n + i, x->n + i, cj * mass);
    }
    for (int c = 0; c < x->m; c++)
        put_rod(x, c, y);
    for (int s = 0; s < x->p->spring_count; s++)
        put_spring(x, &x->p->springs[s], y);
}

static int residual(double t, N_Vector state, N_Vector rate, N_Vector result, void *data)
{
    const problem *x = data;
    const bench_particles *p = x->p;
    const int n = x->n;
    const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(rate);
    double *r = N_VGetArrayPointer(result);
    (void)t;
    bench_forces(p, y, r + n);
    for (int i = 0; i < n; i++) {
        r[i] = p->mass[i / 3] * (dy[i] - y[n + i]);
        r[n + i] = p->mass[i / 3] * dy[n + i] - r[n + i];
    }
    for (int c = 0; c < x->m; c++) {
        const bench_link *rod = &p->rods[c];
        const double lambda = y[2 * n + c], mu = y[2 * n + x->m + c];
        double d[3], w[3], g = -rod->size, gv = 0;
        bench_along(p, c, y, d);
        bench_along(p, c, y + n, w);
        for (int k = 0; k < 3; k++) {
            g += d[k] * d[k];
            gv += d[k] * w[k];
            r[3 * rod->j + k] += mu * d[k];
            r[n + 3 * rod->j + k] += lambda * d[k];
            if (rod->i >= 0) {
                r[3 * rod->i + k] -= mu * d[k];
                r[n + 3 * rod->i + k] -= lambda * d[k];
            }
        }
        r[2 * n + c] = g / 2;
        r[2 * n + x->m + c] = gv;
    }
    return 0;
}

static int jacobian(double t, double cj, N_Vector state, N_Vector rate, N_Vector r,
                    SUNMatrix a, void *data, N_Vector w1, N_Vector w2, N_Vector w3)
{
    problem *x = data;
    (void)t, (void)rate, (void)r, (void)w1, (void)w2, (void)w3;
    list_entries(x, N_VGetArrayPointer(state), cj);
    SUNMatZero(a);
    if (!x->sparse) {
        double *values = SUNDenseMatrix_Data(a);
        for (int k = 0; k < x->entry_count; k++)
            values[x->entries[k].column * x->size + x->entries[k].row] +=
                x->entries[k].value;
        return 0;
    }
    double *values = SUNSparseMatrix_Data(a);
    memcpy(SUNSparseMatrix_IndexPointers(a), x->start,
           ((size_t)x->size + 1) * sizeof *x->start);
    memcpy(SUNSparseMatrix_IndexValues(a), x->row, (size_t)x->nonzeros * sizeof *x->row);
    for (int k = 0; k < x->entry_count; k++)
        values[x->slot[k]] += x->entries[k].value;
    return 0;
}

typedef struct place {
    int row, column, number;
} place;

static int by_column(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->column != y->column ? (x->column > y->column) - (x->column < y->column)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* The compressed pattern and where every entry goes. */
static void find_pattern(problem *x)
{
    place *order = bench_memory(x->entry_count, sizeof *order);
    for (int k = 0; k < x->entry_count; k++)
        order[k] = (place){x->entries[k].row, x->entries[k].column, k};
    qsort(order, (size_t)x->entry_count, sizeof *order, by_column);
    for (int k = 0; k < x->entry_count; k++) {
        if (k == 0 || by_column(&order[k], &order[k - 1]) != 0) {
            x->row[x->nonzeros++] = order[k].row;
            x->start[order[k].column + 1] = x->nonzeros;
        }
        x->slot[order[k].number] = x->nonzeros - 1;
    }
    free(order);
}

static problem make_problem(const bench_particles *p, const double *y)
{
    enum { FEW = 20 };
    const int n = 3 * p->n, m = p->rod_count;
    const int room = 9 * p->n + 54 * m + 36 * p->spring_count;
    problem x = {.p = p, .n = n, .m = m, .size = 2 * (n + m), .sparse = n + m > FEW};
    x.entries = bench_memory(room, sizeof *x.entries);
    x.slot = bench_memory(room, sizeof *x.slot);
    x.row = bench_memory(room, sizeof *x.row);
    x.start = bench_memory(x.size + 1, sizeof *x.start);
    list_entries(&x, y, 1);
    find_pattern(&x);
    return x;
}

/* Consistent values at the start. */
static void start(const bench_particles *p, double *y, double *dy)
{
    const int n = 3 * p->n;
    const size_t bytes = (size_t)n * sizeof *y;
    memcpy(y, p->q, bytes);
    memcpy(y + n, p->v, bytes);
    memcpy(dy, p->v, bytes);
    bench_accelerations(p, p->q, p->v, dy + n, y + 2 * n);
}

bool peer_sundials_ida(const bench_particles *p, double tolerance, double *q)
{
    SUNContext context = NULL;
    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    const int n = 3 * p->n, size = 2 * (n + p->rod_count);
    N_Vector y = N_VNew_Serial(size, context), dy = N_VClone(y), id = N_VClone(y),
             least = N_VClone(y);
    N_VConst(0, y);
    N_VConst(0, dy);
    start(p, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    for (int i = 0; i < size; i++) {
        N_VGetArrayPointer(id)[i] = i < 2 * n;
        N_VGetArrayPointer(least)[i] = i < 2 * n ? tolerance : 1e3;
    }
    problem x = make_problem(p, N_VGetArrayPointer(y));
    SUNMatrix a = x.sparse ? SUNSparseMatrix(size, size, x.nonzeros, CSC_MAT, context)
                           : SUNDenseMatrix(size, size, context);
    SUNLinearSolver solver =
        x.sparse ? SUNLinSol_KLU(y, a, context) : SUNLinSol_Dense(y, a, context);
    void *ida = IDACreate(context);
    double t = 0;
    bool ok = IDAInit(ida, residual, 0, y, dy) == 0 &&
              IDASVtolerances(ida, tolerance, least) == 0 &&
              IDASetUserData(ida, &x) == 0 && IDASetId(ida, id) == 0 &&
              IDASetSuppressAlg(ida, SUNTRUE) == 0 &&
              IDASetMaxNumSteps(ida, MOST_STEPS) == 0 &&
              IDASetLinearSolver(ida, solver, a) == 0 &&
              IDASetJacFn(ida, jacobian) == 0 && IDASetStopTime(ida, p->until) == 0 &&
              IDASolve(ida, p->until, &t, y, dy, IDA_NORMAL) >= 0;
    memcpy(q, N_VGetArrayPointer(y), (size_t)n * sizeof *q);
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(a);
    free(x.entries);
    free(x.slot);
    free(x.row);
    free(x.start);
    N_VDestroy(y);
    N_VDestroy(dy);
    N_VDestroy(id);
    N_VDestroy(least);
    SUNContext_Free(&context);
    return ok;
}

/* ---- ERK --------------------------------------------------------------------------------------- */

/* The step's end is projected without user data: there is one problem at a time. */
static const bench_particles *current;

static int slope(double t, N_Vector state, N_Vector rate, void *data)
{
    const int n = 3 * current->n;
    const double *y = N_VGetArrayPointer(state);
    double *dy = N_VGetArrayPointer(rate);
    (void)t, (void)data;
    memcpy(dy, y + n, (size_t)n * sizeof *dy);
    bench_accelerations(current, y, y + n, dy + n, NULL);
    return 0;
}

static int project(double t, N_Vector state, void *data)
{
    double *y = N_VGetArrayPointer(state);
    (void)t, (void)data;
    bench_project(current, y, y + 3 * current->n);
    return 0;
}

bool peer_sundials_erk(const bench_particles *p, double tolerance, double *q)
{
    SUNContext context = NULL;
    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    const int n = 3 * p->n;
    N_Vector y = N_VNew_Serial(2 * n, context);
    current = p;
    memcpy(N_VGetArrayPointer(y), p->q, (size_t)n * sizeof *q);
    memcpy(N_VGetArrayPointer(y) + n, p->v, (size_t)n * sizeof *q);
    void *erk = ERKStepCreate(slope, 0, y, context);
    double t = 0;
    bool ok = ERKStepSStolerances(erk, tolerance, tolerance) == 0 &&
              ERKStepSetTableNum(erk, ARKODE_FEHLBERG_13_7_8) == 0 &&
              ERKStepSetMaxNumSteps(erk, MOST_STEPS) == 0 &&
              ERKStepSetStopTime(erk, p->until) == 0 &&
              ERKStepSetPostprocessStepFn(erk, project) == 0 &&
              ERKStepEvolve(erk, p->until, y, &t, ARK_NORMAL) >= 0;
    memcpy(q, N_VGetArrayPointer(y), (size_t)n * sizeof *q);
    ERKStepFree(&erk);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return ok;
}
