#include "course/failure.h"

#include "system/agreement.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 3, NAME = 160 };

/* Finds the largest numbers of a list, largest first; numbers that are not finite count
 * as largest. */
static int find_worst(const double *x, int count, int worst[SHOWN])
{
    int found = 0;
    for (int i = 0; x && i < count; i++) {
        int at = found;
        while (at > 0 && !(fabs(x[i]) <= fabs(x[worst[at - 1]])))
            at--;
        if (x[i] == 0 || at == SHOWN)
            continue;
        found += found < SHOWN;
        for (int k = found - 1; k > at; k--)
            worst[k] = worst[k - 1];
        worst[at] = i;
    }
    return found;
}

/* "constraint 'pin' (3.1e-04), constraint 'link (i = 7)' (2.0e-05), momentum of y
 * (1.0e-06)" */
static void list_worst(const lv_step_failure *f, char *text, size_t size)
{
    const lv_system *s = f->system;
    int rows[SHOWN], places[SHOWN];
    const int of_rows = find_worst(f->constraints, s->m, rows);
    const int of_places = find_worst(f->balance, s->n, places);
    char name[NAME];
    size_t used = 0;
    for (int k = 0; k < of_rows + of_places && k < SHOWN && used < size; k++) {
        const bool row = k < of_rows - (of_rows == SHOWN && of_places > 0);
        const int i = row ? rows[k] : places[k - of_rows + (of_rows == SHOWN)];
        const char *text_of = row ? lv_system_row_name(s, i, name, sizeof name)
                                  : lv_system_tangent_text(s, i, name, sizeof name);
        const int length = snprintf(
            text + used, size - used,
            row ? "%sconstraint '%s' (%.1e)" : "%smomentum of %s (%.1e)",
            k > 0 ? ", " : "", text_of, fabs(row ? f->constraints[i] : f->balance[i]));
        used += length > 0 ? (size_t)length : 0;
    }
}

/* Records in the error that it concerns the first of these constraints, or the first
 * coordinate. */
static void blame_worst(const lv_step_failure *f, int row, int coordinate, lv_error *err)
{
    char name[NAME];
    if (row >= 0) {
        lv_error_about(err, LV_ABOUT_CONSTRAINT, row);
        lv_error_name(err, lv_system_row_name(f->system, row, name, sizeof name));
    } else if (coordinate >= 0) {
        lv_error_about(err, LV_ABOUT_COORDINATE,
                       lv_system_coordinate(f->system, coordinate));
        lv_error_name(err,
                      lv_system_tangent_text(f->system, coordinate, name, sizeof name));
    } else {
        lv_error_about(err, LV_ABOUT_STEP, 0);
    }
}

static lv_status say_why(const lv_step_failure *f, lv_error *err)
{
    const char *passes = f->iterations == 1 ? "" : "s";
    if (f->why == LV_WHY_SINGULAR)
        return lv_fail(err, LV_ERR_NUMERIC,
                       "the matrix of the step is singular after %d iteration%s",
                       f->iterations, passes);
    if (!isfinite(f->change))
        return lv_fail(err, LV_ERR_NUMERIC,
                       "the iteration diverged: a value is no longer finite after %d "
                       "iteration%s",
                       f->iterations, passes);
    return lv_fail(err, LV_ERR_NUMERIC,
                   "the iteration %s: last change %.1e (relative) after %d iteration%s",
                   f->why == LV_WHY_DIVERGED ? "diverged" : "stalled", f->change,
                   f->iterations, passes);
}

lv_status lv_step_failed(const lv_step_failure *f, lv_error *err)
{
    char worst[3 * (NAME + 40)] = "";
    int row[SHOWN], place[SHOWN];
    const bool finite = isfinite(f->change) && !f->lost && f->why != LV_WHY_SINGULAR;
    list_worst(f, worst, sizeof worst);
    const int rows = find_worst(f->constraints, f->system->m, row);
    const int places = find_worst(f->balance, f->system->n, place);
    /* this changes the residuals */
    if (!finite && f->trace)
        LV_TRY(f->trace(f->work, err));
    lv_status status = say_why(f, err);
    lv_error_because(err, f->why);
    if (f->why == LV_WHY_SINGULAR)
        lv_error_about(err, LV_ABOUT_STEP, 0);
    else
        blame_worst(f, rows > 0 ? row[0] : -1, places > 0 ? place[0] : -1, err);
    if (worst[0])
        lv_error_note(err, "largest residual%s: %s", rows + places > 1 ? "s" : "", worst);
    return status;
}

static lv_status retrace(void *work, lv_error *err)
{
    const lv_newton_look *look = work;
    return lv_newton_retrace(look->newton, look->ask, err);
}

lv_step_failure lv_newton_failure(lv_system *system, lv_newton_look *look)
{
    const lv_newton *n = look->newton;
    const lv_converge *c = &n->shown;
    return (lv_step_failure){.system = system,
                             .why = n->shown_singular ? LV_WHY_SINGULAR
                                                      : lv_converge_reason(c),
                             .change = c->size,
                             .iterations = c->count,
                             .lost = n->lost,
                             .trace = retrace,
                             .work = look};
}
