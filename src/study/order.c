#include "study/order.h"

#include "base/memory.h"
#include "study/marks.h"

#include <math.h>
#include <string.h>

/* Larger relative errors tell nothing about the order. */
static const double largest_error = 0.1;

/* Two step sizes must agree to this relative difference, otherwise the motion is too
 * sensitive. */
static const double largest_difference = 0.02;

/* Slopes that agree within this are steady. */
static const double steady = 0.2;

double lv_order_slack(int order)
{
    return order < 7 ? 0.3 : 0.6;
}

/* ---- judging -------------------------------------------------------------------------------------- */

static bool is_good(const lv_convergence *c, int k, int order)
{
    return c->order[k] >= order - lv_order_slack(order);
}

/* The slope over three errors, beginning with the k-th. */
static double slope_over(const lv_convergence *c, int k)
{
    return log(c->error[k] / c->error[k + 2]) / log(c->step[k] / c->step[k + 2]);
}

/* Whether the slopes over the last four errors agree and are below the order. */
static bool is_steadily_lower(const lv_convergence *c, int order)
{
    const int last = c->count - 2;
    if (c->count < 5)
        return false;
    for (int k = last - 2; k <= last; k++)
        if (is_good(c, k, order) || !(fabs(c->order[k] - c->order[last]) < steady))
            return false;
    return true;
}

/* The index of the first step that is not larger than h. */
static int own_of(const lv_convergence *c, double h)
{
    int own = 0;
    while (own < c->count && c->step[own] > h * (1 + 1e-9))
        own++;
    return own;
}

lv_order_outcome lv_order_judge(lv_convergence *c, int order, double h)
{
    c->observed = (double)NAN;
    c->asymptotic = false;
    c->asymptotic_step = 0;
    for (int k = 0; k + 1 < c->count; k++)
        c->order[k] =
            log(c->error[k] / c->error[k + 1]) / log(c->step[k] / c->step[k + 1]);
    if (c->count < 3)
        return LV_ORDER_ROUNDING;
    const int own = own_of(c, h), from = own < c->count - 3 ? own : c->count - 3;
    for (int k = from; k + 2 < c->count; k++) {
        /* The slope of the coarser pair may be a little further from its limit. */
        if (!(c->order[k] >= order - 0.2 - lv_order_slack(order)) ||
            !is_good(c, k + 1, order))
            continue;
        c->observed = slope_over(c, k);
        c->asymptotic = k == from && c->step[k] >= h * (1 - 1e-9);
        c->asymptotic_step = c->step[k];
        return c->asymptotic ? LV_ORDER_SEEN : LV_ORDER_LATER;
    }
    c->observed = slope_over(c, c->count - 3);
    return is_steadily_lower(c, order) ? LV_ORDER_MISSED : LV_ORDER_NOT_YET;
}

/* ---- measuring ------------------------------------------------------------------------------------ */

typedef struct measurer {
    lv_sim *sim;
    const lv_order_request *request;
    double h;        /* step of the run */
    long long steps; /* number of steps of size h in the span */
    /* times at which errors are compared: parts of the span, and its end */
    lv_marks marks;
    double *one, *two; /* q, p at these times, of two step sizes */
    double *reference; /* q, p of the reference */
    double floor;      /* smaller errors are rounding */
    double reach;      /* ratio of one step size to the next */
} measurer;

/* Computes the motion with so many steps, a multiple of the number of marks; false: a
 * step failed. */
static bool run_steps(measurer *w, double *states, long long steps)
{
    lv_sim *sim = w->sim;
    const size_t n = (size_t)sim->system->n;
    lv_status status = LV_OK;
    lv_sim_read_numbers(sim, w->request->start);
    sim->h = w->h * (double)w->steps / (double)steps;
    for (int mark = 0; mark < w->marks.count; mark++) {
        for (long long k = 0; k < steps / w->marks.count && status == LV_OK; k++)
            status = lv_sim_step(sim, NULL);
        memcpy(states, sim->state.q, n * sizeof *states);
        memcpy(states + n, sim->state.p, n * sizeof *states);
        states += 2 * n;
    }
    sim->h = w->h;
    return status == LV_OK;
}

enum { MARKS = 4 };

/* Sets the number of steps and the marks. The number is even if possible, because errors
 * alternate in some schemes. Errors are compared at four times if there are enough steps,
 * because an error at one time can be small by chance. */
static void set_steps(measurer *w, long long count)
{
    const int marks = count >= (long long)4 * MARKS ? MARKS : 1;
    const long long whole = marks > 1 ? marks : count > 2 ? 2 : 1;
    w->steps = count < 1 ? 1 : count - count % whole;
    w->marks = (lv_marks){
        .n = w->sim->system->n, .count = marks, .span = w->h * (double)w->steps};
}

/* Chooses the longest time after which the motions with the step and with half of it
 * still agree. Returns whether it is shorter than it could be. */
static bool choose_span(measurer *w, long long most)
{
    for (set_steps(w, most);; set_steps(w, w->steps / 4)) {
        const bool both =
            run_steps(w, w->one, w->steps) && run_steps(w, w->two, 2 * w->steps);
        lv_sim_read_numbers(w->sim, w->request->start);
        lv_marks_measure(&w->marks, &w->sim->state, w->two);
        if ((both &&
             lv_marks_distance(&w->marks, w->one, w->two) <= largest_difference) ||
            w->steps <= 2)
            return 2 * w->steps < most;
    }
}

static lv_status find_reference(measurer *w, double *error, lv_error *err)
{
    lv_marks_way way = {.first = (w->steps / w->marks.count + 3) / 4,
                        .most = w->request->finest_steps,
                        .enough = 1e-14,
                        .noise = 1e-9};
    lv_sim_read_numbers(w->sim, w->request->start);
    LV_TRY(lv_marks_extrapolate(&w->marks, w->sim->system, &w->sim->state, w->reference,
                                w->two, &way, err));
    *error = way.error;
    return LV_OK;
}

/* Adds the error with so many steps, sorted by step size, and returns it. */
static double add_error(measurer *w, lv_convergence *c, long long steps)
{
    const double error = run_steps(w, w->one, steps)
                             ? lv_marks_distance(&w->marks, w->one, w->reference)
                             : (double)INFINITY;
    const double step = w->h * (double)w->steps / (double)steps;
    int at = c->count;
    if (!(error > w->floor && error < largest_error) || at == LV_CONVERGENCE_MOST)
        return error;
    for (int k = 0; k < at; k++)
        if (c->step[k] == step)
            return error;
    for (; at > 0 && c->step[at - 1] < step; at--) {
        c->step[at] = c->step[at - 1];
        c->error[at] = c->error[at - 1];
    }
    c->step[at] = step;
    c->error[at] = error;
    c->count++;
    return error;
}

static long long steps_at(const measurer *w, int k)
{
    const double exact = (double)w->steps * pow(w->reach, k);
    return llround(exact / w->marks.count) * w->marks.count;
}

/* Tries h and two smaller steps, then larger steps if their errors are rounding, then
 * smaller steps if the order is not seen. */
static lv_order_outcome try_step_sizes(measurer *w, lv_convergence *c)
{
    const lv_order_request *r = w->request;
    double error = 1;
    int finer = 0;
    for (; finer < 3 && error > w->floor; finer++)
        error = add_error(w, c, steps_at(w, finer));
    for (int k = 1;
         c->count < 3 && steps_at(w, -k) >= (w->marks.count > 1 ? w->marks.count : 2);
         k++)
        if (!(add_error(w, c, steps_at(w, -k)) < largest_error) && c->count > 0)
            break;
    lv_order_outcome outcome = lv_order_judge(c, r->order, w->h);
    if (c->count == 0 && error <= w->floor && w->steps >= 8)
        return LV_ORDER_EXACT;
    while (outcome != LV_ORDER_SEEN && outcome != LV_ORDER_LATER && error > w->floor &&
           c->count < LV_CONVERGENCE_MOST && steps_at(w, finer) <= r->finest_steps) {
        error = add_error(w, c, steps_at(w, finer++));
        outcome = lv_order_judge(c, r->order, w->h);
        if (outcome == LV_ORDER_MISSED && steps_at(w, finer - 1) < 64 * w->steps)
            outcome = LV_ORDER_NOT_YET;
    }
    return outcome;
}

static lv_status measure_order(lv_order_found *found, measurer *w, lv_error *err)
{
    lv_convergence *c = &found->convergence;
    const lv_order_request *r = w->request;
    found->shortened =
        choose_span(w, r->steps < r->most_steps ? r->steps : r->most_steps);
    c->span = w->h * (double)w->steps;
    LV_TRY(find_reference(w, &c->reference, err));
    w->floor = fmax(r->exact_energy ? 4e-11 : 1e-12, 10 * c->reference);
    found->outcome = LV_ORDER_NO_REFERENCE;
    c->observed = (double)NAN;
    if (!(w->floor < 1e-3) || isnan(c->reference))
        return LV_OK;
    found->outcome = try_step_sizes(w, c);
    return LV_OK;
}

lv_status lv_order_measure(lv_order_found *found, lv_sim *sim,
                           const lv_order_request *request, lv_error *err)
{
    const size_t n = (size_t)sim->system->n;
    measurer w = {.sim = sim,
                  .request = request,
                  .h = sim->h,
                  /* For high orders, few step sizes have errors between the visible and
         * rounding. */
                  .reach = request->order > 4 ? sqrt(2) : 2};
    *found = (lv_order_found){0};
    w.one = lv_memory_zeroed(6 * n * MARKS + 1, sizeof *w.one);
    if (!w.one)
        return lv_fail_memory(err);
    w.two = w.one + 2 * n * MARKS;
    w.reference = w.two + 2 * n * MARKS;
    lv_status status = measure_order(found, &w, err);
    lv_sim_read_numbers(sim, request->start);
    lv_memory_free(w.one);
    return status;
}
