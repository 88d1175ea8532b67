/* The heavy top with a fixed tip by SUNDIALS 6, as an expert would do it by hand.
 *
 * ERK of order 8: the quaternion and the angular velocity in body axes, Euler's equations about the tip, the quaternion
 * normalised after each step.
 *
 * IDA: the three axes as coordinates with their six constraints in the stabilised index-2 form
 *     d' = v + G^T gamma,   M v' = F - G^T lambda,   g = 0,   G v = 0,
 * with the exact Jacobian, a dense factorisation, and multipliers out of the error test. */
#include "peer_motion.h"

#include <arkode/arkode_erkstep.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 10000000 };

static const double spin[] = {0, 150, -4.61538};
static const double J[] = {15.234375, 0.46875, 15.234375}, weight = 15 * 9.81;

/* ---- ERK ----------------------------------------------------------------------------------------------------- */

static void axes_of(double axes[9], const double *q)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
        2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
        2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    memcpy(axes, rows, sizeof rows);
}

static int slope(double t, N_Vector state, N_Vector rate, void *data)
{
    const double *q = N_VGetArrayPointer(state), *w = q + 4;
    double *f = N_VGetArrayPointer(rate);
    (void)t, (void)data;
    f[0] = -(q[1] * w[0] + q[2] * w[1] + q[3] * w[2]) / 2;
    f[1] = (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]) / 2;
    f[2] = (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]) / 2;
    f[3] = (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]) / 2;
    /* e2 x R^T (0, 0, -weight): the last row of R */
    const double first = 2 * (q[1] * q[3] - q[0] * q[2]),
                 third = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    f[4] = ((J[1] - J[2]) * w[1] * w[2] - weight * third) / J[0];
    f[5] = (J[2] - J[0]) * w[2] * w[0] / J[1];
    f[6] = ((J[0] - J[1]) * w[0] * w[1] + weight * first) / J[2];
    return 0;
}

static int normalise(double t, N_Vector state, void *data)
{
    double *q = N_VGetArrayPointer(state);
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    (void)t, (void)data;
    for (int k = 0; k < 4; k++)
        q[k] /= size;
    return 0;
}

bool peer_sundials_top_erk(double tolerance, double until, int links, double *axes)
{
    SUNContext context = NULL;
    (void)links;
    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    N_Vector y = N_VNew_Serial(7, context);
    N_VConst(0, y);
    N_VGetArrayPointer(y)[0] = 1;
    memcpy(N_VGetArrayPointer(y) + 4, spin, sizeof spin);
    void *erk = ERKStepCreate(slope, 0, y, context);
    double t = 0;
    bool ok = ERKStepSStolerances(erk, tolerance, tolerance) == 0 &&
              ERKStepSetTableNum(erk, ARKODE_FEHLBERG_13_7_8) == 0 &&
              ERKStepSetMaxNumSteps(erk, MOST_STEPS) == 0 &&
              ERKStepSetStopTime(erk, until) == 0 &&
              ERKStepSetPostprocessStepFn(erk, normalise) == 0 &&
              ERKStepEvolve(erk, until, y, &t, ARK_NORMAL) >= 0;
    axes_of(axes, N_VGetArrayPointer(y));
    ERKStepFree(&erk);
    N_VDestroy(y);
    SUNContext_Free(&context);
    return ok;
}

/* ---- IDA ----------------------------------------------------------------------------------------------------- */

/* Axes, their velocities, lambda, gamma. Constraint r is that of the axes pairs[r]; the centre of mass is the second
 * axis, whose mass is that of the top. */
enum { N = 9, M = 6, V = N, LAMBDA = 2 * N, GAMMA = 2 * N + M, SIZE = 2 * (N + M) };
static const int pairs[M][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
static const double masses[] = {0.234375, 15, 0.234375};

/* Of (|d|^2 - 1)/2 and of d.e. */
static double part_of(int r)
{
    return pairs[r][0] == pairs[r][1] ? 0.5 : 1;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* to += f G^T y */
static void add_forces(double *to, const double *d, const double *y, double f)
{
    for (int r = 0; r < M; r++) {
        const int a = pairs[r][0], b = pairs[r][1];
        for (int i = 0; i < 3; i++) {
            to[3 * a + i] += f * part_of(r) * y[r] * d[3 * b + i];
            to[3 * b + i] += f * part_of(r) * y[r] * d[3 * a + i];
        }
    }
}

static int residual(double t, N_Vector state, N_Vector rate, N_Vector result, void *data)
{
    const double *y = N_VGetArrayPointer(state), *dy = N_VGetArrayPointer(rate);
    double *f = N_VGetArrayPointer(result);
    (void)t, (void)data;
    for (int k = 0; k < N; k++) {
        f[k] = dy[k] - y[V + k];
        f[V + k] = masses[k / 3] * dy[V + k] + (k == 5 ? weight : 0);
    }
    add_forces(f, y, y + GAMMA, -1);
    add_forces(f + V, y, y + LAMBDA, 1);
    for (int r = 0; r < M; r++) {
        const double *a = y + (ptrdiff_t)3 * pairs[r][0],
                     *b = y + (ptrdiff_t)3 * pairs[r][1];
        f[LAMBDA + r] = part_of(r) * (dot(a, b) - (part_of(r) < 1));
        f[GAMMA + r] = part_of(r) * (dot(a, b + V) + dot(a + V, b));
    }
    return 0;
}

/* Entries of the rows (and columns) of one constraint and of its force. */
static void add_constraint(SUNMatrix m, const double *y, int r)
{
    const double f = part_of(r);
    for (int side = 0; side < 2; side++) {
        const int a = 3 * pairs[r][side], b = 3 * pairs[r][1 - side];
        for (int i = 0; i < 3; i++) {
            SM_ELEMENT_D(m, a + i, GAMMA + r) -= f * y[b + i];
            SM_ELEMENT_D(m, a + i, b + i) -= f * y[GAMMA + r];
            SM_ELEMENT_D(m, V + a + i, LAMBDA + r) += f * y[b + i];
            SM_ELEMENT_D(m, V + a + i, b + i) += f * y[LAMBDA + r];
            SM_ELEMENT_D(m, LAMBDA + r, a + i) += f * y[b + i];
            SM_ELEMENT_D(m, GAMMA + r, a + i) += f * y[V + b + i];
            SM_ELEMENT_D(m, GAMMA + r, V + a + i) += f * y[b + i];
        }
    }
}

static int jacobian(double t, double c, N_Vector state, N_Vector rate, N_Vector result,
                    SUNMatrix m, void *data, N_Vector t1, N_Vector t2, N_Vector t3)
{
    (void)t, (void)rate, (void)result, (void)data, (void)t1, (void)t2, (void)t3;
    SUNMatZero(m);
    for (int k = 0; k < N; k++) {
        SM_ELEMENT_D(m, k, k) += c;
        SM_ELEMENT_D(m, k, V + k) -= 1;
        SM_ELEMENT_D(m, V + k, V + k) += c * masses[k / 3];
    }
    for (int r = 0; r < M; r++)
        add_constraint(m, N_VGetArrayPointer(state), r);
    return 0;
}

/* At R = 1: velocities e_k' = w x e_k, accelerations from Euler's equations, lambda from the forces that these need. */
static void start(double *y, double *dy)
{
    const double *w = spin;
    const double turn[] = {((J[1] - J[2]) * w[1] * w[2] - weight) / J[0],
                           (J[2] - J[0]) * w[2] * w[0] / J[1],
                           (J[0] - J[1]) * w[0] * w[1] / J[2]};
    const double square = dot(w, w);
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        y[4 * k] = 1;
        y[V + 3 * k + a] = w[b];
        y[V + 3 * k + b] = -w[a];
        for (int i = 0; i < 3; i++) /* w (w.e_k) - |w|^2 e_k */
            dy[V + 3 * k + i] = w[i] * w[k] - (i == k ? square : 0);
        dy[V + 3 * k + a] += turn[b];
        dy[V + 3 * k + b] -= turn[a];
    }
    memcpy(dy, y + V, N * sizeof *dy);
    for (int r = 0; r < M; r++) { /* -(M v' - F) is G^T lambda, with G of the unit axes */
        const int k = 3 * pairs[r][0] + pairs[r][1];
        y[LAMBDA + r] = -(masses[pairs[r][0]] * dy[V + k] + (k == 5 ? weight : 0));
    }
}

bool peer_sundials_top_ida(double tolerance, double until, int links, double *axes)
{
    SUNContext context = NULL;
    (void)links;
    if (SUNContext_Create(NULL, &context) != 0)
        return false;
    N_Vector y = N_VNew_Serial(SIZE, context), dy = N_VClone(y), id = N_VClone(y),
             least = N_VClone(y);
    N_VConst(0, y);
    N_VConst(0, dy);
    start(N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
    for (int k = 0; k < SIZE; k++) {
        N_VGetArrayPointer(id)[k] = k < LAMBDA;
        N_VGetArrayPointer(least)[k] = k < V        ? tolerance
                                       : k < LAMBDA ? 150 * tolerance
                                                    : 1e6;
    }
    SUNMatrix a = SUNDenseMatrix(SIZE, SIZE, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, a, context);
    void *ida = IDACreate(context);
    double t = 0;
    bool ok = IDAInit(ida, residual, 0, y, dy) == 0 &&
              IDASVtolerances(ida, tolerance, least) == 0 && IDASetId(ida, id) == 0 &&
              IDASetSuppressAlg(ida, SUNTRUE) == 0 &&
              IDASetMaxNumSteps(ida, MOST_STEPS) == 0 &&
              IDASetLinearSolver(ida, solver, a) == 0 &&
              IDASetJacFn(ida, jacobian) == 0 && IDASetStopTime(ida, until) == 0 &&
              IDASolve(ida, until, &t, y, dy, IDA_NORMAL) >= 0;
    memcpy(axes, N_VGetArrayPointer(y), N * sizeof *axes);
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(a);
    N_VDestroy(y);
    N_VDestroy(dy);
    N_VDestroy(id);
    N_VDestroy(least);
    SUNContext_Free(&context);
    return ok;
}
