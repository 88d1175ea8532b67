#include "cli/reproduce/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_body_read(double x[CLI_BODY], const cli_motion *m, int axes)
{
    const double *e = m->q + axes, *rate = m->v + axes;
    for (int k = 0; k < 9; k++)
        x[k] = e[3 * (k % 3) + k / 3];
    for (int k = 0; k < 3; k++) {
        const ptrdiff_t to = (ptrdiff_t)3 * ((k + 2) % 3),
                        of = (ptrdiff_t)3 * ((k + 1) % 3);
        x[9 + k] = 0;
        for (int i = 0; i < 3; i++)
            x[9 + k] += e[to + i] * rate[of + i];
    }
}

void cli_body_momentum(double momentum[3], const double x[CLI_BODY], const double J[3])
{
    for (int i = 0; i < 3; i++) {
        momentum[i] = 0;
        for (int k = 0; k < 3; k++)
            momentum[i] += x[3 * i + k] * J[k] * x[9 + k];
    }
}

lv_status cli_body_reach(double x[CLI_BODY], const cli_start *start, const char *scheme,
                         int axes, long steps, lv_error *err)
{
    cli_motion m;
    CLI_TRY(cli_motion_begin(&m, start, scheme, err));
    lv_status status = cli_motion_steps(&m, steps, err);
    if (status == LV_OK)
        cli_body_read(x, &m, axes);
    cli_motion_end(&m);
    return status;
}

/* ---- structure ------------------------------------------------------------------------------------- */

static void apply(double *to, const double *matrix, const double *x, int size)
{
    for (int i = 0; i < size; i++) {
        to[i] = 0;
        for (int j = 0; j < size; j++)
            to[i] += matrix[(ptrdiff_t)i * size + j] * x[j];
    }
}

/* The form of two directions (dq, dp), and the sum of its absolute terms. */
static double form_of(const double *a, const double *b, int n, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[n + i] - b[i] * a[n + i];
        *size += fabs(a[i] * b[n + i]) + fabs(b[i] * a[n + i]);
    }
    return sum;
}

/* Takes a step, and maps two directions by its derivative. */
static lv_status carry(cli_motion *m, double *matrix, double *to, const double *from,
                       lv_error *err)
{
    const int size = 2 * m->n;
    CLI_TRY(cli_motion_step(m, err));
    CLI_TRY(lv_sim_tangent(m->sim, matrix, err));
    apply(to, matrix, from, size);
    apply(to + size, matrix, from + size, size);
    return LV_OK;
}

lv_status cli_motion_form_defect(cli_motion *m, double *defect, lv_error *err)
{
    const size_t size = 2 * (size_t)m->n;
    double *matrix = calloc(size * (size + 4), sizeof *matrix), scale = 0, unused = 0;
    if (!matrix)
        return cli_fail_memory(err);
    double *first = matrix + size * size, *second = first + 2 * size;
    for (size_t i = 0; i < 2 * size; i++)
        first[i] = sin(1.7 * (double)(i * i) + 0.3);
    lv_status status = carry(m, matrix, second, first, err);
    const double was = form_of(second, second + size, m->n, &scale);
    if (status == LV_OK)
        status = carry(m, matrix, first, second, err);
    *defect = fabs(form_of(first, first + size, m->n, &unused) - was) / scale;
    free(matrix);
    return status;
}

lv_status cli_motion_return(cli_motion *m, double *distance, lv_error *err)
{
    const size_t n = (size_t)m->n;
    double *at = calloc(3 * n, sizeof *at), *v = at + 2 * n;
    if (!at)
        return cli_fail_memory(err);
    memcpy(at, m->q, n * sizeof *at);
    memcpy(at + n, m->v, n * sizeof *at);
    lv_status status = cli_motion_step(m, err);
    for (size_t i = 0; i < n; i++)
        v[i] = -m->v[i];
    if (status == LV_OK)
        status = lv_sim_set_state(m->sim, m->time, m->q, v, err);
    if (status == LV_OK)
        status = cli_motion_step(m, err);
    for (size_t i = 0; i < n; i++)
        v[i] = -m->v[i];
    *distance = fmax(cli_largest_difference(m->q, at, m->n),
                     cli_largest_difference(v, at + n, m->n));
    free(at);
    return status;
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

double cli_largest_deviation(const double *a, const double *b, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        if (b[k] != 0)
            most = fmax(most, fabs(a[k] / b[k] - 1));
    return most;
}

const char *cli_numbers(cli_pool *pool, const double *numbers, int count)
{
    char text[160] = "";
    size_t used = 0;
    for (int k = 0; k < count && used < sizeof text; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.2e",
                                 k > 0 ? ", " : "", numbers[k]);
    return cli_pool_text(pool, text);
}
