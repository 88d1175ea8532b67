#include "run/start.h"

#include "base/memory.h"
#include "base/usage.h"
#include "num/extent.h"
#include "run/advice.h"
#include "system/agreement.h"
#include "system/consistent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what would be consistent ------------------------------------------------------------------ */

/* A value of the start that would have to change: coordinate, or n plus its number for a velocity. */
typedef struct new_value {
    int index;
    double value; /* the consistent one */
    double size;  /* of the change, relative to the largest position or velocity */
} new_value;

/* Values that differ beyond rounding; returns how many there are. */
static int find_changes(const lv_system *s, const double *old_q, const double *old_v,
                        const double *new_q, const double *new_v, new_value *changes)
{
    const double size_q = lv_extent(new_q, s->n), size_v = lv_extent(new_v, s->n);
    int count = 0;
    for (int i = 0; i < 2 * s->n; i++) {
        const bool position = i < s->n;
        const int k = position ? i : i - s->n;
        const double old = position ? old_q[k] : old_v[k];
        const double new = position ? new_q[k] : new_v[k];
        const double size = position ? size_q : size_v;
        if (fabs(new - old) > 1e-12 * size)
            changes[count++] =
                (new_value){i, new, fabs(new - old) / (size > 0 ? size : 1)};
    }
    return count;
}

static int by_size(const void *a, const void *b)
{
    const new_value *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* "x[1] = 0.6, x[2] = -0.8, x[1]' = 0.3"; returns how many of the values fit. */
static int list_changes(const lv_system *s, const new_value *changes, int count,
                        char *text, size_t room)
{
    char coordinate[160], one[200];
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < count; k++) {
        const bool position = changes[k].index < s->n;
        const int i = position ? changes[k].index : changes[k].index - s->n;
        int length =
            snprintf(one, sizeof one, "%s%s%s = %.12g", k ? ", " : "",
                     lv_model_coordinate_text(s->model, i, coordinate, sizeof coordinate),
                     position ? "" : "'", changes[k].value);
        if (length < 0 || used + (size_t)length >= room)
            return k;
        memcpy(text + used, one, (size_t)length + 1);
        used += (size_t)length;
    }
    return count;
}

/* All values in the order of the file if they fit, otherwise those that change most. */
static lv_status note_changes(lv_error *err, const lv_system *s, const double *new_q,
                              const double *new_v)
{
    enum { TAIL = 120 }; /* bytes for the sentence around the values */
    char text[sizeof err->note - TAIL];
    const lv_model *m = s->model;
    new_value *changes = lv_memory_zeroed(2 * (size_t)s->n + 1, sizeof *changes);
    if (!changes)
        return lv_fail_memory(err);
    const int count = find_changes(s, m->start_q, m->start_v, new_q, new_v, changes);
    int shown = list_changes(s, changes, count, text, sizeof text);
    if (shown < count) {
        qsort(changes, (size_t)count, sizeof *changes, by_size);
        shown = list_changes(s, changes, count, text, sizeof text);
        lv_error_note(err,
                      "consistent would be, for example: %s, and %d values more that "
                      "change less (livens check --json shows all)",
                      text, count - shown);
    } else if (count > 0) {
        lv_error_note(err, "consistent would be, for example: %s", text);
    }
    lv_memory_free(changes);
    return LV_OK;
}

/* ---- the start ---------------------------------------------------------------------------------- */

static lv_status project(lv_system *s, double *q, double *v, lv_error *err)
{
    LV_TRY(lv_system_project_position(s, q, 0, err));
    return lv_system_project_velocity(s, v, 0, q, err);
}

typedef struct violation {
    int row;
    double residual;
    bool position;
} violation;

/* What a consistent start would be, and what to do: as far as livens can do it, and has not yet. */
static lv_status refuse(lv_system *s, const violation *what, lv_initial initial,
                        double *room, lv_error *err)
{
    char name[160];
    lv_error why;
    memcpy(room, s->model->start_q, (size_t)s->n * sizeof *room);
    memcpy(room + s->n, s->model->start_v, (size_t)s->n * sizeof *room);
    const lv_status corrected = project(s, room, room + s->n, &why);
    const bool projected = initial == LV_INITIAL_PROJECT;
    lv_status status = lv_fail(
        err, LV_ERR_MODEL,
        what->position ? "the start%s violates constraint '%s' by %.3g"
                       : "the velocities at the start%s violate constraint '%s' by %.3g",
        projected ? ", moved onto the constraints," : "",
        lv_system_row_name(s, what->row, name, sizeof name), what->residual);
    lv_error_because(err, LV_WHY_CONTRADICTION);
    lv_system_blame_row(s, what->row, err);
    if (corrected != LV_OK) { /* no start nearby is consistent */
        lv_advise_start(&why);
        lv_error_note(err, "%.390s", why.text);
        lv_error_hint(err, "%s", why.hint);
        return status;
    }
    if (projected) {
        lv_error_hint(err, "begin nearer to a configuration that satisfies the "
                           "constraints");
        return status;
    }
    if (err)
        LV_TRY(note_changes(err, s, room, room + s->n));
    lv_error_hint(err,
                  "correct the start, or let livens do it: [run] initial = \"project\"");
    return status;
}

/* A start that cannot be moved onto the constraints is a mistake of the model, as one that is off them. */
static lv_status project_start(lv_system *s, double *q, double *v, lv_error *err)
{
    lv_status status = project(s, q, v, err);
    if (status == LV_ERR_NUMERIC) {
        lv_advise_start(err);
        status = LV_ERR_MODEL;
        if (err)
            err->code = status;
    }
    return status;
}

lv_status lv_start_make(lv_system *s, lv_initial initial, double *q, double *v,
                        double *room, lv_error *err)
{
    violation found = {.position = true};
    memcpy(q, s->model->start_q, (size_t)s->n * sizeof *q);
    memcpy(v, s->model->start_v, (size_t)s->n * sizeof *v);
    const int flat = lv_system_flat_constraint(s, 0, q);
    if (flat >= 0)
        return lv_system_refuse_flat(s, flat, err);
    if (initial == LV_INITIAL_PROJECT)
        LV_TRY(project_start(s, q, v, err));
    found.row = lv_system_violated_position(s, 0, q, &found.residual);
    if (found.row < 0) {
        found.position = false;
        found.row = lv_system_violated_velocity(s, 0, q, v, &found.residual);
    }
    return found.row < 0 ? LV_OK : refuse(s, &found, initial, room, err);
}

static double largest_change(const double *new, const double *old, int n, int *whose)
{
    double largest = 0;
    *whose = -1;
    for (int k = 0; k < n; k++)
        if (fabs(new[k] - old[k]) > largest) {
            largest = fabs(new[k] - old[k]);
            *whose = k;
        }
    return largest;
}

lv_start_change lv_start_compare(const lv_model *m, lv_initial initial, const double *q,
                                 const double *v)
{
    lv_start_change c = {.projected = initial == LV_INITIAL_PROJECT};
    const int n = m->coordinate_count;
    c.position = largest_change(q, m->start_q, n, &c.position_coordinate);
    c.velocity = largest_change(v, m->start_v, n, &c.velocity_coordinate);
    return c;
}

lv_status lv_model_start(const lv_model *model, lv_initial initial, double *q, double *v,
                         lv_start_change *change, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    LV_TRY(lv_need_enumerator(err, __func__, "initial", (int)initial,
                              LV_INITIAL_PROJECT + 1));
    lv_system *system = NULL;
    LV_TRY(lv_system_create(&system, model, err));
    const size_t n = (size_t)system->n;
    double *room = lv_memory_zeroed(4 * n + 1, sizeof *room);
    lv_status status =
        room ? lv_start_make(system, initial, room, room + n, room + 2 * n, err)
             : lv_fail_memory(err);
    if (status == LV_OK && q)
        memcpy(q, room, n * sizeof *q);
    if (status == LV_OK && v)
        memcpy(v, room + n, n * sizeof *v);
    if (status == LV_OK && change)
        *change = lv_start_compare(model, initial, room, room + n);
    lv_memory_free(room);
    lv_system_free(system);
    return status;
}
