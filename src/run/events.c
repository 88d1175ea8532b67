#include "run/events.h"

#include "base/usage.h"
#include "run/impact.h"
#include "run/sim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------------------------- */

static lv_status events_make_room(lv_sim *sim, lv_error *err)
{
    lv_events *e = &sim->events;
    const size_t rows = (size_t)sim->model->row_count[LV_ROLE_EVENT];
    const size_t n = (size_t)sim->system->n;
    e->number_count = 1 + e->count * LV_EVENT_NUMBERS;
    const size_t numbers = (size_t)e->number_count;
    double *room = lv_arena_alloc(&sim->arena, numbers + 2 * rows + 5 * n, sizeof *room);
    if (!room)
        return lv_fail_memory(err);
    e->numbers = room;
    e->values = room + numbers;
    e->start = e->values + rows;
    e->room = e->start + rows;
    e->a = lv_plan_depends(e->plan, LV_Q_EVENT) & LV_KIND(A) ? e->room + 4 * n : NULL;
    const size_t saved = (size_t)lv_sim_number_count(sim);
    e->begin = lv_arena_alloc(&sim->arena, 2 * saved, sizeof *e->begin);
    if (!e->begin)
        return lv_fail_memory(err);
    e->try = e->begin + saved;
    return LV_OK;
}

lv_status lv_events_init(lv_sim *sim, lv_error *err)
{
    lv_events *e = &sim->events;
    *e = (lv_events){.list = sim->model->events.data, .count = sim->model->events.count};
    if (e->count == 0)
        return LV_OK;
    LV_TRY(lv_plan_create(&e->plan, sim->system->model, LV_WANT(EVENT), err));
    LV_TRY(events_make_room(sim, err));
    for (int k = 0; k < e->count; k++)
        lv_events_of(e, k)[LV_EVENT_FIRST] = lv_events_of(e, k)[LV_EVENT_LAST] =
            (double)NAN;
    return lv_events_begin(sim, err);
}

void lv_events_done(lv_events *e)
{
    lv_plan_free(e->plan);
    e->plan = NULL;
}

double *lv_events_of(const lv_events *e, int k)
{
    return e->numbers + 1 + (ptrdiff_t)k * LV_EVENT_NUMBERS;
}

bool lv_events_are_sound(const lv_events *e, const double *numbers)
{
    bool sound = e->count == 0 || (numbers[0] >= 0 && numbers[0] <= e->count &&
                                   numbers[0] == floor(numbers[0]));
    for (int k = 0; k < e->count; k++) {
        const double *own = numbers + 1 + (ptrdiff_t)k * LV_EVENT_NUMBERS;
        sound = sound && own[LV_EVENT_COUNT] >= 0 &&
                own[LV_EVENT_COUNT] <= (double)LV_SIM_STEPS &&
                own[LV_EVENT_COUNT] == floor(own[LV_EVENT_COUNT]) &&
                fabs(own[LV_EVENT_SIDE]) <= 1;
    }
    return sound;
}

/* ---- formulas ---------------------------------------------------------------------------------------- */

static double sign_of(double x)
{
    return (double)((x > 0) - (x < 0));
}

/* Evaluates all rows at the current state. */
static lv_status evaluate(lv_sim *sim, lv_error *err)
{
    lv_events *e = &sim->events;
    const lv_state *x = &sim->state;
    if (e->a)
        LV_TRY(lv_system_accelerations(sim->system, e->a, NULL, x->t, x->q, x->v, err));
    const lv_point point = {.q = x->q, .v = x->v, .t = x->t, .w = x->p, .a = e->a};
    lv_plan_run(e->plan, &point);
    memcpy(e->values, lv_plan_result(e->plan, LV_Q_EVENT),
           (size_t)sim->model->row_count[LV_ROLE_EVENT] * sizeof *e->values);
    for (int k = 0; k < e->count; k++)
        if (!isfinite(e->values[e->list[k].when])) {
            const lv_place place = lv_item_entry(e->list[k].item, "when")->place;
            return lv_fail_at(err, LV_ERR_DOMAIN, LV_AT(place),
                              "event '%s' has no value at t = %.6g",
                              e->list[k].item->name, x->t);
        }
    return LV_OK;
}

/* The side of an event. If its formula is zero, its rate tells to which side it moves. */
static double side_now(const lv_events *e, const lv_event *event)
{
    const double value = e->values[event->when], rate = e->values[event->when + 1];
    return value != 0 ? sign_of(value) : sign_of(rate);
}

lv_status lv_events_begin(lv_sim *sim, lv_error *err)
{
    lv_events *e = &sim->events;
    if (e->count == 0)
        return LV_OK;
    e->numbers[0] = 0;
    LV_TRY(evaluate(sim, err));
    for (int k = 0; k < e->count; k++)
        lv_events_of(e, k)[LV_EVENT_SIDE] = side_now(e, &e->list[k]);
    return LV_OK;
}

/* ---- location ---------------------------------------------------------------------------------------- */

/* A piece of a step: it begins at the saved state, has a length, and ends at exactly
 * `end`. */
typedef struct piece {
    lv_sim *sim;
    double from, length, end;
} piece;

/* Takes a step of the length `time` from the start of the piece, where the simulation is,
 * and evaluates the formulas. */
static lv_status step_from_start(const piece *p, double time, lv_error *err)
{
    LV_TRY(lv_sim_step_by(p->sim, time, err));
    p->sim->state.t = time == p->length ? p->end : p->from + time;
    return evaluate(p->sim, err);
}

/* Restores the start of the piece first, and then does the same. */
static lv_status restart_and_step(const piece *p, double time, lv_error *err)
{
    lv_sim_read_numbers(p->sim, p->sim->events.try);
    return step_from_start(p, time, err);
}

/* The value of the formula of an event times its side: positive before the event,
 * negative after it. */
static double ahead(const lv_events *e, int k)
{
    return lv_events_of(e, k)[LV_EVENT_SIDE] * e->values[e->list[k].when];
}

static bool is_wanted(const lv_events *e, int k)
{
    const double side = lv_events_of(e, k)[LV_EVENT_SIDE];
    return side != 0 && (e->list[k].direction == 0 || side * e->list[k].direction < 0);
}

/* Whether the event has just happened at this time. */
static bool has_happened(const lv_sim *sim, int k)
{
    const double *own = lv_events_of(&sim->events, k), t = sim->state.t;
    return own[LV_EVENT_COUNT] > 0 &&
           fabs(own[LV_EVENT_LAST] - t) <= 4 * DBL_EPSILON * fabs(t);
}

static bool has_passed(const lv_events *e, int k)
{
    const double value = ahead(e, k), side = lv_events_of(e, k)[LV_EVENT_SIDE];
    return value < 0 || (value == 0 && side * e->values[e->list[k].when + 1] < 0);
}

/* An event other than the k-th whose formula has changed its sign at the current state;
 * -1: none. */
static int passed(const lv_sim *sim, int k)
{
    const lv_events *e = &sim->events;
    for (int i = 0; i < e->count; i++)
        if (i != k && is_wanted(e, i) && has_passed(e, i) && !has_happened(sim, i))
            return i;
    return -1;
}

/* A bracket of the time of an event: at `low` its formula is still positive (see ahead),
 * at `high` it is not. */
typedef struct bracket {
    double low, high, at_low, at_high;
} bracket;

static lv_status fail_accumulation(const lv_sim *sim, int k, lv_error *err)
{
    const lv_item *item = sim->events.list[k].item;
    const lv_status status =
        lv_fail_at(err, LV_ERR_NUMERIC, LV_AT(item->place),
                   "event '%s' accumulates: it happens ever faster, %.0f times so far",
                   item->name, lv_events_of(&sim->events, k)[LV_EVENT_COUNT]);
    lv_error_hint(err, "end the simulation before: stop = true, after = N; contacts that "
                       "last are no events");
    return status;
}

/* A time shorter than this fraction of a step does not count as a time between two
 * events. */
static const double shortest = 1e-9;

/* Right after an event its formula is zero up to rounding. Raises the low end of the
 * bracket to a time at which it is positive again. */
static lv_status leave_zero(const piece *p, int k, bracket *b, lv_error *err)
{
    const double least = shortest * fabs(p->sim->h);
    if (b->at_low > 0 && lv_events_of(&p->sim->events, k)[LV_EVENT_LAST] != p->from)
        return LV_OK;
    while (b->high > 2 * least) {
        const double x = 0.5 * b->high;
        LV_TRY(restart_and_step(p, x, err));
        const double value = ahead(&p->sim->events, k);
        if (value > 0) {
            b->low = x;
            b->at_low = value;
            return LV_OK;
        }
        b->high = x;
        b->at_high = value;
    }
    return fail_accumulation(p->sim, k, err);
}

/* Narrows a bracket by the secant method. The value at an end that stays twice is halved
 * (the Illinois rule), and the bracket is bisected if three passes have not halved it. */
static lv_status narrow_bracket(const piece *p, int k, bracket *b, lv_error *err)
{
    enum { MOST = 200 };
    const double least = 2 * DBL_EPSILON * (fabs(p->from) + p->length);
    double width = b->high - b->low;
    int stayed = 0; /* 1: the low end stayed in the last pass, -1: the high one */
    for (int i = 1; i < MOST && b->high - b->low > least && b->at_high != 0; i++) {
        double x = b->low + (b->high - b->low) * b->at_low / (b->at_low - b->at_high);
        if (i % 3 == 0) {
            x = b->high - b->low > 0.5 * width ? 0.5 * (b->low + b->high) : x;
            width = b->high - b->low;
        }
        x = fmin(fmax(x, b->low + 0.5 * least), b->high - 0.5 * least);
        LV_TRY(restart_and_step(p, x, err));
        const double value = ahead(&p->sim->events, k);
        if (value > 0) {
            *b = (bracket){x, b->high, value, b->at_high * (stayed < 0 ? 0.5 : 1)};
            stayed = -1;
        } else {
            *b = (bracket){b->low, x, b->at_low * (stayed > 0 ? 0.5 : 1), value};
            stayed = 1;
        }
    }
    return LV_OK;
}

/* Finds the first of the events that have passed at *time, *which among them, and its
 * time. The simulation is at this time afterwards. */
static lv_status locate(const piece *p, int *which, double *time, lv_error *err)
{
    lv_events *e = &p->sim->events;
    for (int next = *which; next >= 0; next = passed(p->sim, *which)) {
        const double side = lv_events_of(e, next)[LV_EVENT_SIDE];
        bracket b = {0, *time, side * e->start[e->list[next].when], ahead(e, next)};
        LV_TRY(leave_zero(p, next, &b, err));
        LV_TRY(narrow_bracket(p, next, &b, err));
        if (next != *which && !(b.high < *time))
            return restart_and_step(p, *time, err); /* both happen at once */
        *which = next;
        *time = b.high;
        LV_TRY(restart_and_step(p, *time, err));
    }
    return LV_OK;
}

/* A formula that approaches zero at the start and leaves it at the end has an extremum in
 * between. Returns the time of the extremum of the cubic with the same values and rates;
 * 0 if the cubic stays away from zero. */
static double turning_point(const lv_events *e, int k, double length)
{
    const int row = e->list[k].when;
    const double side = lv_events_of(e, k)[LV_EVENT_SIDE], near = 0.05;
    const double f0 = side * e->start[row], d0 = side * e->start[row + 1] * length;
    const double f1 = side * e->values[row], d1 = side * e->values[row + 1] * length;
    if (!is_wanted(e, k) || !(d0 < 0 && d1 > 0) || !(f1 > 0))
        return 0;
    const double a = 3 * (2 * f0 - 2 * f1 + d0 + d1);
    const double b = 2 * (-3 * f0 + 3 * f1 - 2 * d0 - d1);
    const double root = sqrt(fmax(b * b - 4 * a * d0, 0));
    const double u = -2 * d0 / (b + root); /* the root with increasing slope */
    const double value = f0 + u * (d0 + u * (b / 2 + u * (a / 3)));
    return u > 0 && u < 1 && value <= near * fmax(f0, f1) ? u * length : 0;
}

/* Finds an event that has passed at the end of the piece or in between; -1: none. *time:
 * a time at which it has passed. */
static lv_status find_passed(const piece *p, int *which, double *time, lv_error *err)
{
    lv_events *e = &p->sim->events;
    *time = p->length;
    *which = passed(p->sim, -1);
    for (int k = 0; *which < 0 && k < e->count; k++) {
        const double between = turning_point(e, k, p->length);
        if (between == 0)
            continue;
        LV_TRY(restart_and_step(p, between, err));
        *which = ahead(e, k) < 0 ? k : -1;
        *time = *which < 0 ? p->length : between;
        if (*which < 0)
            LV_TRY(restart_and_step(p, p->length, err));
    }
    return LV_OK;
}

/* ---- carrying out events ---------------------------------------------------------------------- */

/* Whether an event accumulates: there is no time since it happened last, or it happens
 * too often in one step. (Flights shorter than rounding no longer become visibly
 * shorter.) */
static bool is_too_fast(const lv_sim *sim, int k)
{
    enum { MOST = 200 };
    const lv_events *e = &sim->events;
    const double *own = lv_events_of(e, k);
    const double *begin =
        e->begin + (lv_sim_number_count(sim) - e->number_count) + (own - e->numbers);
    return own[LV_EVENT_COUNT] - begin[LV_EVENT_COUNT] >= MOST ||
           fabs(sim->state.t - own[LV_EVENT_LAST]) < shortest * fabs(sim->h);
}

/* Sets what the event changes, from the values before it, and the side of its formula
 * afterwards. */
static lv_status apply_event(lv_sim *sim, const lv_event *event, double *own,
                             lv_error *err)
{
    lv_events *e = &sim->events;
    const double value = e->values[event->when];
    own[LV_EVENT_SIDE] = -own[LV_EVENT_SIDE];
    if (!lv_event_acts(event))
        return LV_OK;
    if (lv_event_jumps(event))
        LV_TRY(lv_impact(sim, event, e->values, err));
    if (event->input >= 0) {
        const lv_model_input *input = &sim->model->inputs.data[event->input];
        LV_TRY(lv_sim_set_input(sim, input->item->name, e->values + event->value,
                                input->length > 0 ? input->length : 1, err));
    }
    LV_TRY(evaluate(sim, err));
    if (e->values[event->when] != value)
        own[LV_EVENT_SIDE] = side_now(e, event);
    else if (lv_event_jumps(event))
        own[LV_EVENT_SIDE] = sign_of(e->values[event->when + 1]);
    return LV_OK;
}

/* Carries out an event at the current state. */
static lv_status carry_out_event(lv_sim *sim, int k, lv_error *err)
{
    lv_events *e = &sim->events;
    const lv_event *event = &e->list[k];
    double *own = lv_events_of(e, k);
    if (own[LV_EVENT_COUNT] > 0 && is_too_fast(sim, k))
        return fail_accumulation(sim, k, err);
    if (e->watch.before)
        LV_TRY(e->watch.before(e->watch.user, err));
    if (own[LV_EVENT_COUNT]++ == 0)
        own[LV_EVENT_FIRST] = sim->state.t;
    own[LV_EVENT_LAST] = sim->state.t;
    LV_TRY(apply_event(sim, event, own, err));
    if (!e->endless && event->stops > 0 && own[LV_EVENT_COUNT] >= (double)event->stops)
        e->numbers[0] = k + 1;
    if (e->watch.after)
        LV_TRY(e->watch.after(e->watch.user, event, err));
    return e->call ? e->call(e->user, sim, k, err) : LV_OK;
}

/* Updates the sides of all events: a formula may also change its sign without an event,
 * in the wrong direction. */
static void follow_sides(const lv_sim *sim)
{
    const lv_events *e = &sim->events;
    for (int k = 0; k < e->count; k++) {
        const double side = side_now(e, &e->list[k]);
        if (side != 0 && !has_happened(sim, k))
            lv_events_of(e, k)[LV_EVENT_SIDE] = side;
    }
}

/* Carries out the events that have passed at the current state, `which` first. */
static lv_status carry_out_all(lv_sim *sim, int which, lv_error *err)
{
    for (; which >= 0 && lv_events_stopped(&sim->events) < 0; which = passed(sim, which))
        LV_TRY(carry_out_event(sim, which, err));
    follow_sides(sim);
    return LV_OK;
}

/* Advances to the next event, or to the end of the piece. *done: how far. */
static lv_status advance(const piece *p, double *done, lv_error *err)
{
    lv_events *e = &p->sim->events;
    const size_t rows = (size_t)p->sim->model->row_count[LV_ROLE_EVENT];
    int which = -1;
    memcpy(e->start, e->values, rows * sizeof *e->start);
    lv_sim_write_numbers(p->sim, e->try);
    LV_TRY(step_from_start(p, p->length, err));
    LV_TRY(find_passed(p, &which, done, err));
    if (which >= 0)
        LV_TRY(locate(p, &which, done, err));
    return carry_out_all(p->sim, which, err);
}

static lv_status all_pieces(lv_sim *sim, double h, double end, lv_error *err)
{
    double left = h;
    LV_TRY(evaluate(sim, err));
    /* events that only rounding separates from the last step */
    LV_TRY(carry_out_all(sim, passed(sim, -1), err));
    while (lv_events_stopped(&sim->events) < 0 &&
           left > 4 * DBL_EPSILON * (fabs(end) + h)) {
        double done = 0;
        const piece p = {sim, sim->state.t, left, end};
        LV_TRY(advance(&p, &done, err));
        left -= done;
    }
    return LV_OK;
}

lv_status lv_events_step(lv_sim *sim, double h, double end, lv_error *err)
{
    lv_events *e = &sim->events;
    const int by = lv_events_stopped(e);
    if (e->count == 0 || e->off)
        return lv_sim_step_by(sim, h, err);
    if (by >= 0)
        return lv_fail(err, LV_ERR_USAGE,
                       "event '%s' has ended the simulation at t = %.6g",
                       e->list[by].item->name, sim->state.t);
    lv_sim_write_numbers(sim, e->begin);
    const lv_status status = all_pieces(sim, h, end, err);
    if (status != LV_OK)
        lv_sim_read_numbers(sim, e->begin);
    return status;
}

/* ---- for callers --------------------------------------------------------------------------------------- */

int lv_sim_event_count(const lv_sim *sim)
{
    return sim ? sim->events.count : 0;
}

lv_status lv_sim_event(const lv_sim *sim, int k, lv_event_info *info, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, info);
    const lv_events *e = &sim->events;
    if (k < 0 || k >= e->count)
        return lv_fail(err, LV_ERR_USAGE, "lv_sim_event: k is %d; there are %d events", k,
                       e->count);
    const double *own = lv_events_of(e, k);
    *info = (lv_event_info){.name = e->list[k].item->name,
                            .count = (long long)own[LV_EVENT_COUNT],
                            .first = own[LV_EVENT_FIRST],
                            .last = own[LV_EVENT_LAST],
                            .jumps = lv_event_jumps(&e->list[k])};
    return LV_OK;
}

int lv_sim_stopped(const lv_sim *sim)
{
    return sim ? lv_events_stopped(&sim->events) : -1;
}

void lv_sim_on_event(lv_sim *sim, lv_event_call *call, void *user)
{
    if (!sim)
        return;
    sim->events.call = call;
    sim->events.user = user;
}
