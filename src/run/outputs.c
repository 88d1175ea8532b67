#include "run/outputs.h"

#include <assert.h>
#include <math.h>

static bool is_output(const lv_kernel *kernel)
{
    return kernel->role == LV_ROLE_OUTPUT;
}

int lv_outputs_count(const lv_model *m)
{
    int outputs = 0;
    for (int k = 0; k < m->kernels.count; k++)
        outputs += is_output(&m->kernels.data[k]);
    return outputs > 0 ? 1 + outputs * LV_OUTPUT_NUMBERS : 0;
}

/* Notes the place of the operation that caused the value, or else of the formula as a
 * whole. */
static void note_first(double *own, const lv_kernel *kernel, lv_plan *plan,
                       const lv_point *point, double value)
{
    lv_error err;
    lv_error_clear(&err);
    if (lv_plan_diagnose_kernel(plan, kernel, point, &err) == LV_OK || err.line == 0)
        lv_error_locate(&err, LV_AT(kernel->entry->place));
    own[LV_OUTPUT_TIME] = point->t;
    own[LV_OUTPUT_VALUE] = value;
    own[LV_OUTPUT_LINE] = err.line;
    own[LV_OUTPUT_COLUMN] = err.column;
}

void lv_outputs_look(double *numbers, const lv_model *m, lv_plan *plan,
                     const lv_point *point)
{
    assert(lv_outputs_count(m) > 0);
    assert(point->q && point->v);
    const double *values = lv_plan_result(plan, LV_Q_OUTPUT);
    double *own = numbers + 1;
    numbers[0]++;
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        int bad = -1;
        if (!is_output(kernel))
            continue;
        for (int r = 0; bad < 0 && r < kernel->row_count; r++)
            bad = isfinite(values[r]) ? -1 : r;
        if (bad >= 0 && own[LV_OUTPUT_BAD_ROWS]++ == 0)
            note_first(own, kernel, plan, point, values[bad]);
        values += kernel->row_count;
        own += LV_OUTPUT_NUMBERS;
    }
}

static void say_one(lv_text *text, const double *own, double rows, const lv_model *m,
                    const lv_kernel *kernel)
{
    lv_text_append(text, "output '%s' ", kernel->item->name);
    if (own[LV_OUTPUT_LINE] > 0)
        lv_text_append(text, "(%s:%.0f:%.0f) ", m->source.name, own[LV_OUTPUT_LINE],
                       own[LV_OUTPUT_COLUMN]);
    const double value = own[LV_OUTPUT_VALUE];
    lv_text_append(
        text, "is not finite in %.0f of %.0f row%s, first at t = %.6g, where it is %s",
        own[LV_OUTPUT_BAD_ROWS], rows, rows == 1 ? "" : "s", own[LV_OUTPUT_TIME],
        isnan(value) ? "nan"
        : value > 0  ? "inf"
                     : "-inf");
}

int lv_outputs_say(lv_text *text, const double *numbers, const lv_model *m, int from)
{
    const double *own = numbers + 1;
    int number = 0;
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *kernel = &m->kernels.data[k];
        if (!is_output(kernel))
            continue;
        if (number >= from && own[LV_OUTPUT_BAD_ROWS] > 0) {
            say_one(text, own, numbers[0], m, kernel);
            return number;
        }
        number++;
        own += LV_OUTPUT_NUMBERS;
    }
    return -1;
}
