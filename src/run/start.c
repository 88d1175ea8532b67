#include "run/start.h"

#include "base/memory.h"
#include "base/usage.h"
#include "num/extent.h"
#include "run/advice.h"
#include "run/gap.h"
#include "run/shown.h"
#include "system/agreement.h"
#include "system/consistent.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- consistent values ------------------------------------------------------------------------ */

/* A value of the start that is not consistent. index: the coordinate, or n plus the
 * coordinate for a velocity. */
typedef struct new_value {
    int index;
    double value; /* the consistent one */
    double size;  /* size of the change, relative to the largest position or velocity */
} new_value;

/* Finds the values that differ beyond rounding; returns their number. */
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

/* Writes "x[1] = 0.6, x[2] = -0.8, x[1]' = 0.3"; returns how many of the values fit. */
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

const char *lv_body_change_text(const lv_body_change *c, char *buffer, size_t size)
{
    static const char *const words[] = {"by", "turned by", "velocity by",
                                        "angular velocity by"};
    if (!c || !buffer || size == 0)
        return "";
    const double values[] = {c->position, c->angle, c->velocity, c->angular_velocity};
    int used = snprintf(buffer, size, "body '%s'", c->name);
    bool first = true;
    for (int k = 0; k < 4 && used >= 0 && (size_t)used < size; k++) {
        if (!(values[k] > 0))
            continue;
        used += snprintf(buffer + used, size - (size_t)used, "%s %s %.3g%s",
                         first ? "" : ",", words[k], values[k], k == 1 ? " rad" : "");
        first = false;
    }
    return buffer;
}

/* Whether there are bodies in space, whose axes are numbers that mean nothing to a
 * reader. */
static bool has_axes(const lv_model *m)
{
    for (int k = 0; k < m->groups.count; k++)
        if (m->groups.data[k].item->nature == LV_NATURE_DIRECTION)
            return true;
    return false;
}

/* Notes the changes body by body. */
static void note_bodies(lv_error *err, const lv_system *s, const double *new_q,
                        const double *new_v)
{
    lv_start_change c;
    if (lv_start_compare(&c, s, LV_INITIAL_PROJECT, new_q, new_v, NULL) != LV_OK)
        return;
    const int shown = c.moved < LV_BODY_CHANGES ? c.moved : LV_BODY_CHANGES;
    char text[sizeof err->note - 100], one[200];
    size_t used = 0;
    for (int k = 0; k < shown; k++) {
        const int length =
            snprintf(text + used, sizeof text - used, "%s%s", k ? "; " : "",
                     lv_body_change_text(&c.bodies[k], one, sizeof one));
        if (length < 0 || used + (size_t)length >= sizeof text)
            break;
        used += (size_t)length;
    }
    text[used] = '\0';
    if (c.moved > 0)
        lv_error_note(err, "consistent would be, for example, to move %s%s", text,
                      c.moved > shown ? ", and others less" : "");
}

/* Notes all values in the order of the file if they fit, otherwise those that change
 * most. */
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

static lv_status project_onto_constraints(lv_system *s, double *q, double *v,
                                          lv_error *err)
{
    LV_TRY(lv_system_project_position(s, q, 0, err));
    return lv_system_project_velocity(s, v, 0, q, err);
}

typedef struct violation {
    int row;
    double residual;
    bool position;
} violation;

/* "the start violates joint 'pin' between 'crank' and 'rod': its points are 0.1 apart" */
static lv_status name_violation(lv_system *s, const violation *what, const double *q,
                                bool projected, lv_error *err)
{
    char text[400];
    const char *moved = projected ? ", moved onto the constraints," : "";
    if (what->position && lv_gap_describe(s, q, what->row, text, sizeof text))
        return lv_fail(err, LV_ERR_MODEL, "the start%s violates %s", moved, text);
    return lv_fail(err, LV_ERR_MODEL,
                   what->position ? "the start%s violates %s by %.3g"
                                  : "the velocities at the start%s violate %s by %.3g",
                   moved, lv_gap_owner(s, what->row, text, sizeof text), what->residual);
}

/* Adds how nearly a loop closes that cannot close; false: this is not known. */
static bool note_gap(lv_system *s, lv_error *err)
{
    char gap[400];
    if (lv_gap_remaining(s, gap, sizeof gap, NULL) != LV_OK || !gap[0])
        return false;
    lv_error_note(err, "%.390s", gap);
    lv_error_hint(err, "change a length or a point of a joint, or begin nearer to where "
                       "it closes");
    return true;
}

/* Refuses a start. The message gives consistent values if there are some nearby, and a
 * hint. q: the start. */
static lv_status refuse_start(lv_system *s, const violation *what, lv_initial initial,
                              const double *q, double *room, lv_error *err)
{
    lv_error why;
    memcpy(room, s->model->start_q, (size_t)s->n * sizeof *room);
    memcpy(room + s->n, s->model->start_v, (size_t)s->n * sizeof *room);
    const lv_status corrected = project_onto_constraints(s, room, room + s->n, &why);
    const bool projected = initial == LV_INITIAL_PROJECT;
    lv_status status = name_violation(s, what, q, projected, err);
    lv_error_because(err, LV_WHY_CONTRADICTION);
    lv_system_blame_row(s, what->row, err);
    if (corrected != LV_OK) { /* no start nearby is consistent */
        lv_advise_start(&why);
        if (note_gap(s, err))
            return status;
        lv_error_note(err, "%.390s", why.text);
        lv_error_hint(err, "%s", why.hint);
        return status;
    }
    if (projected) {
        lv_error_hint(err, "begin nearer to a configuration that satisfies the "
                           "constraints");
        return status;
    }
    if (err && has_axes(s->model))
        note_bodies(err, s, room, room + s->n);
    else if (err)
        LV_TRY(note_changes(err, s, room, room + s->n));
    lv_error_hint(
        err, "correct the start, or have it moved there: [run] initial = \"project\"");
    return status;
}

/* A start that cannot be moved onto the constraints is a mistake of the model, like one
 * that violates them. */
static lv_status project_start(lv_system *s, double *q, double *v, lv_error *err)
{
    lv_status status = project_onto_constraints(s, q, v, err);
    if (status == LV_ERR_NUMERIC) {
        lv_advise_start(err);
        status = LV_ERR_MODEL;
        if (err) {
            err->code = status;
            (void)note_gap(s, err);
        }
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
    return found.row < 0 ? LV_OK : refuse_start(s, &found, initial, q, room, err);
}

/* ---- the change of the start ------------------------------------------------------------------ */

/* The largest change of a coordinate that does not belong to a body. */
static double largest_change(const lv_model *m, const double *new, const double *old,
                             int *whose)
{
    double largest = 0;
    *whose = -1;
    for (int g = 0; g < m->groups.count; g++) {
        const lv_group *group = &m->groups.data[g];
        const int end = group->first + group->count * lv_group_width(group);
        for (int k = group->first; k < end && !group->item->is_inner; k++)
            if (fabs(new[k] - old[k]) > largest) {
                largest = fabs(new[k] - old[k]);
                *whose = k;
            }
    }
    return largest;
}

/* The distance of x and y; 0 if it is only rounding. */
static double distance(const double *x, const double *y, int length)
{
    const double rounding = 8 * DBL_EPSILON;
    double apart = 0, size = 0;
    for (int k = 0; k < length; k++) {
        apart = hypot(apart, x[k] - y[k]);
        size = hypot(size, fabs(x[k]) + fabs(y[k]));
    }
    return apart > rounding * size ? apart : 0;
}

/* The change of a body from one state to another, given as columns (run/shown.h). The
 * quaternions of two orientations that differ by the angle a have the distance 2
 * sin(a/4). */
static lv_body_change change_of(const char *name, bool is_planar, const double *old,
                                const double *new)
{
    const int place = is_planar ? 2 : 3, turn = is_planar ? 1 : 4;
    const double apart = distance(new + place, old + place, turn);
    const double *old_rates = old + place + turn, *new_rates = new + place + turn;
    lv_body_change c = {.position = distance(new, old, place),
                        .angle = is_planar ? apart : 4 * asin(fmin(1, apart / 2)),
                        .velocity = distance(new_rates, old_rates, place),
                        .angular_velocity = distance(new_rates + place, old_rates + place,
                                                     is_planar ? 1 : 3)};
    snprintf(c.name, sizeof c.name, "%s", name);
    return c;
}

static void take_larger(lv_body_change *most, const lv_body_change *c)
{
    most->position = fmax(most->position, c->position);
    most->angle = fmax(most->angle, c->angle);
    most->velocity = fmax(most->velocity, c->velocity);
    most->angular_velocity = fmax(most->angular_velocity, c->angular_velocity);
}

static double part_of(double value, double most)
{
    return most > 0 ? value / most : 0;
}

/* How much a body was moved: the sum of its changes, each relative to the largest of its
 * kind, so that units do not matter. */
static double share_of_changes(const lv_body_change *c, const lv_body_change *most)
{
    return part_of(c->position, most->position) + part_of(c->angle, most->angle) +
           part_of(c->velocity, most->velocity) +
           part_of(c->angular_velocity, most->angular_velocity);
}

/* Keeps the bodies that were moved most, in decreasing order. */
static void keep_most(lv_start_change *start, const lv_body_change *c,
                      const lv_body_change *most)
{
    int at = start->moved < LV_BODY_CHANGES ? start->moved : LV_BODY_CHANGES;
    start->moved++;
    while (at > 0 &&
           share_of_changes(c, most) > share_of_changes(&start->bodies[at - 1], most)) {
        if (at < LV_BODY_CHANGES)
            start->bodies[at] = start->bodies[at - 1];
        at--;
    }
    if (at < LV_BODY_CHANGES)
        start->bodies[at] = *c;
}

/* The argument of compare_body, which visits all bodies twice: first it finds the largest
 * change of each kind, then the bodies that were moved most. */
typedef struct comparison {
    const double *old; /* columns of the next body at the start */
    lv_body_change most;
    lv_start_change *start; /* NULL: the first visit */
} comparison;

static void compare_body(void *user, const char *name, bool is_planar,
                         const double *columns)
{
    comparison *c = user;
    const lv_body_change change = change_of(name, is_planar, c->old, columns);
    c->old += is_planar ? 6 : 13;
    if (!c->start)
        take_larger(&c->most, &change);
    else if (share_of_changes(&change, &c->most) > 1e-9)
        keep_most(c->start, &change, &c->most);
}

static lv_status compare_bodies(lv_start_change *start, lv_showcase *shown,
                                const lv_system *s, const double *q, const double *v,
                                lv_arena *arena, lv_error *err)
{
    const size_t width = (size_t)shown->width[LV_SHOWN_BODY];
    double *none = lv_arena_alloc(arena, (size_t)s->constraint_count, sizeof *none);
    double *old = lv_arena_alloc(arena, width, sizeof *old);
    comparison c = {.most = {.position = 0}};
    if (!none || !old)
        return lv_fail_memory(err);
    lv_showcase_run(
        shown, &(lv_point){.q = s->model->start_q, .v = s->model->start_v, .y = none});
    memcpy(old, shown->columns[LV_SHOWN_BODY], width * sizeof *old);
    lv_showcase_run(shown, &(lv_point){.q = q, .v = v, .y = none});
    for (int pass = 0; pass < 2; pass++) {
        c.old = old;
        c.start = pass == 0 ? NULL : start;
        lv_showcase_visit_bodies(shown, compare_body, &c);
    }
    return LV_OK;
}

lv_status lv_start_compare(lv_start_change *change, const lv_system *s,
                           lv_initial initial, const double *q, const double *v,
                           lv_error *err)
{
    const lv_model *m = s->model;
    lv_arena scratch = {0};
    lv_showcase shown = {0};
    *change = (lv_start_change){.projected = initial == LV_INITIAL_PROJECT};
    change->position = largest_change(m, q, m->start_q, &change->position_coordinate);
    change->velocity = largest_change(m, v, m->start_v, &change->velocity_coordinate);
    if (!change->projected)
        return LV_OK;
    lv_status status = lv_showcase_init(&shown, m, &scratch, err);
    if (status == LV_OK && shown.width[LV_SHOWN_BODY] > 0)
        status = compare_bodies(change, &shown, s, q, v, &scratch, err);
    lv_showcase_done(&shown);
    lv_arena_done(&scratch);
    return status;
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
        status = lv_start_compare(change, system, initial, room, room + n, err);
    lv_memory_free(room);
    lv_system_free(system);
    return status;
}
