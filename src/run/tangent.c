/* The derivative of the last step as a map, for callers of the library. */
#include "run/sim.h"

#include "base/memory.h"
#include "base/usage.h"

#include <string.h>

/* after = matrix * before; all 2 n x 2 n */
static void multiply(double *after, const double *matrix, const double *before, int size)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < size; k++)
                sum += matrix[(ptrdiff_t)i * size + k] * before[(ptrdiff_t)k * size + j];
            after[(ptrdiff_t)i * size + j] = sum;
        }
}

/* Storage for repeating a composed step. */
typedef struct again {
    lv_state state;
    double *numbers; /* q, v, p of the state */
    double *memory;  /* memory of the scheme before */
    double *factor, *product;
} again;

static lv_status make_again(again *a, const lv_sim *sim, lv_error *err)
{
    const size_t n = (size_t)sim->system->n, square = 4 * n * n;
    const lv_memory_view memory = sim->scheme->memory(sim->work);
    a->numbers = lv_memory_zeroed(3 * n + 2 * square + (size_t)memory.count + 1,
                                  sizeof *a->numbers);
    if (!a->numbers)
        return lv_fail_memory(err);
    a->factor = a->numbers + 3 * n;
    a->product = a->factor + square;
    a->memory = a->product + square;
    a->state = (lv_state){sim->saved_t, a->numbers, a->numbers + n, a->numbers + 2 * n};
    memcpy(a->numbers, sim->saved, 3 * n * sizeof *a->numbers);
    memcpy(a->memory, memory.numbers, (size_t)memory.count * sizeof *a->memory);
    return LV_OK;
}

/* The product of the derivatives of all substeps. Momenta are made consistent between
 * them, which does not change the end of the step, so that derivatives are taken at
 * consistent states. */
static lv_status multiply_substeps(lv_sim *sim, again *a, double *matrix, lv_error *err)
{
    const int size = 2 * sim->system->n;
    const size_t bytes = (size_t)size * (size_t)size * sizeof *matrix;
    double offset = 0;
    for (int k = 0; k < sim->weight_count; k++) {
        lv_step_report report = {0};
        LV_TRY(sim->scheme->step(sim->work, &a->state, sim->weights[k] * sim->saved_h,
                                 true, &report, err));
        LV_TRY(sim->scheme->tangent(sim->work, a->factor, err));
        offset += sim->weights[k];
        a->state.t = sim->saved_t + offset * sim->saved_h;
        if (k == 0) {
            memcpy(matrix, a->factor, bytes);
            continue;
        }
        multiply(a->product, a->factor, matrix, size);
        memcpy(matrix, a->product, bytes);
    }
    return LV_OK;
}

/* Repeats the composed step and then restores everything. */
static lv_status composed_tangent(lv_sim *sim, double *matrix, lv_error *err)
{
    again a = {0};
    if (sim->saved_h == 0)
        return lv_fail(err, LV_ERR_USAGE, "there was no step whose derivative is known");
    LV_TRY(make_again(&a, sim, err));
    lv_status status = multiply_substeps(sim, &a, matrix, err);
    const lv_memory_view memory = sim->scheme->memory(sim->work);
    sim->scheme->forget(sim->work);
    memcpy(memory.numbers, a.memory, (size_t)memory.count * sizeof *a.memory);
    lv_memory_free(a.numbers);
    return status;
}

lv_status lv_sim_tangent(lv_sim *sim, double *matrix, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, matrix);
    if (!sim->scheme->tangent)
        return lv_fail(err, LV_ERR_MODEL, "steps of '%s' have no tangent",
                       sim->scheme->info.name);
    return sim->weight_count > 1 ? composed_tangent(sim, matrix, err)
                                 : sim->scheme->tangent(sim->work, matrix, err);
}
