#include "study/order.h"

#include "base/memory.h"
#include "num/extent.h"
#include "study/reference.h"

#include <math.h>
#include <string.h>

/* Relative errors that still say something of a motion, */
static const double largest_error = 0.1;

/* and differences that show that it is not scrambled. */
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

/* The slope over three errors from the k-th on. */
static double slope_over(const lv_convergence *c, int k)
{
    return log(c->error[k] / c->error[k + 2]) / log(c->step[k] / c->step[k + 2]);
}

/* Four errors at the end whose slopes agree, below the order. */
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

lv_order_outcome lv_order_judge(lv_convergence *c, int order, int own)
{
    c->observed = (double)NAN;
    c->asymptotic = false;
    c->asymptotic_step = 0;
    for (int k = 0; k + 1 < c->count; k++)
        c->order[k] =
            log(c->error[k] / c->error[k + 1]) / log(c->step[k] / c->step[k + 1]);
    if (c->count < 3)
        return LV_ORDER_ROUNDING;
    int from = own < c->count - 3 ? own : c->count - 3;
    for (int k = from; k + 2 < c->count; k++) {
        if (!is_good(c, k, order) || !is_good(c, k + 1, order))
            continue;
        c->observed = slope_over(c, k);
        c->asymptotic = k == from;
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
    double h;          /* of the run */
    long long steps;   /* of that size */
    double *one, *two; /* q, p at the end */
    double *reference; /* q, p */
    double size[2];    /* of q and p */
    double floor;      /* errors below it are rounding */
    double reach;      /* from one step size to the next */
} measurer;

static void find_sizes(measurer *w, const double *state)
{
    const int n = w->sim->system->n;
    const lv_state *x = &w->sim->state;
    lv_sim_read_numbers(w->sim, w->request->start);
    w->size[0] = fmax(lv_extent(x->q, n), lv_extent(state, n));
    w->size[1] = fmax(lv_extent(x->p, n), lv_extent(state + n, n));
    for (int k = 0; k < 2; k++)
        w->size[k] = w->size[k] > 0 ? w->size[k] : 1;
}

/* The larger one of the distances of q and p; NAN if one is. */
static double distance(const measurer *w, const double *a, const double *b)
{
    const int n = w->sim->system->n;
    double worst = 0;
    for (int k = 0; k < 2 * n; k++) {
        const double d = fabs(a[k] - b[k]) / w->size[k >= n];
        worst = worst >= d ? worst : d;
        if (isnan(d))
            return d;
    }
    return worst;
}

/* Where so many steps lead; false: one cannot be taken. */
static bool go(measurer *w, double *end, long long steps)
{
    lv_sim *sim = w->sim;
    const size_t n = (size_t)sim->system->n;
    lv_status status = LV_OK;
    lv_sim_read_numbers(sim, w->request->start);
    sim->h = w->h * (double)w->steps / (double)steps;
    for (long long k = 0; k < steps && status == LV_OK; k++)
        status = lv_sim_step(sim, NULL);
    sim->h = w->h;
    memcpy(end, sim->state.q, n * sizeof *end);
    memcpy(end + n, sim->state.p, n * sizeof *end);
    return status == LV_OK;
}

/* Errors alternate in some schemes: an even number, where there is a choice. */
static long long even(long long count)
{
    return count > 2 ? count - count % 2 : count > 0 ? count : 1;
}

/* The longest time after which the step and half of it still agree. Returns whether it is shorter than it could be. */
static bool choose_span(measurer *w)
{
    const long long most = even(w->steps);
    for (w->steps = most;; w->steps = even(w->steps / 4)) {
        const bool both = go(w, w->one, w->steps) && go(w, w->two, 2 * w->steps);
        find_sizes(w, w->two);
        if ((both && distance(w, w->one, w->two) <= largest_difference) || w->steps <= 2)
            return w->steps < most;
    }
}

/* The reference with ever more steps, until these say no more. */
static lv_status find_reference(measurer *w, double *error, lv_error *err)
{
    const int n = w->sim->system->n;
    const long long most = w->request->finest_steps;
    const double span = w->h * (double)w->steps, enough = 1e-14;
    lv_reference r = {0};
    lv_error why;
    *error = (double)NAN;
    lv_sim_read_numbers(w->sim, w->request->start);
    lv_status status = lv_reference_init(&r, w->sim->system, &w->sim->state, err);
    for (long long steps = (w->steps + 3) / 4; status == LV_OK && steps <= most;
         steps *= 2) {
        lv_sim_read_numbers(w->sim, w->request->start);
        lv_reference_begin(&r, &w->sim->state);
        if (lv_reference_run(&r, span, steps, &why) != LV_OK)
            continue;
        memcpy(w->two, w->reference, 2 * (size_t)n * sizeof *w->two);
        lv_reference_state(&r, w->reference, NULL, w->reference + n);
        const double now = distance(w, w->two, w->reference);
        const bool stalls = now > 0.5 * *error && now < 1e-9;
        *error = isfinite(now) ? now : *error;
        if (now <= enough || stalls)
            break;
    }
    lv_reference_done(&r);
    return status;
}

/* Adds the error of so many steps, in the order of the step sizes; returns it. */
static double add_error(measurer *w, lv_convergence *c, long long steps)
{
    const double error =
        go(w, w->one, steps) ? distance(w, w->one, w->reference) : (double)INFINITY;
    const double step = w->h * (double)w->steps / (double)steps;
    int at = c->count;
    if (!(error > w->floor && error < largest_error) || at == LV_CONVERGENCE_MOST)
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
    return llround((double)w->steps * pow(w->reach, k));
}

/* The number of the first step that is not larger than the simulation's own. */
static int own_of(const measurer *w, const lv_convergence *c)
{
    int own = 0;
    while (own < c->count && c->step[own] > w->h * (1 + 1e-9))
        own++;
    return own;
}

/* Steps of h, h/2, h/4; larger ones if these errors are rounding; smaller ones if the order is not seen. */
static lv_order_outcome look(measurer *w, lv_convergence *c)
{
    const lv_order_request *r = w->request;
    double error = 1;
    int finer = 0;
    for (; finer < 3 && error > w->floor; finer++)
        error = add_error(w, c, steps_at(w, finer));
    for (int k = 1; c->count < 3 && steps_at(w, -k) >= 2; k++)
        if (!(add_error(w, c, steps_at(w, -k)) < largest_error) && c->count > 0)
            break;
    lv_order_outcome outcome = lv_order_judge(c, r->order, own_of(w, c));
    if (c->count == 0 && error <= w->floor && w->steps >= 8)
        return LV_ORDER_EXACT;
    while (outcome != LV_ORDER_SEEN && outcome != LV_ORDER_LATER && error > w->floor &&
           c->count < LV_CONVERGENCE_MOST && steps_at(w, finer) <= r->finest_steps) {
        error = add_error(w, c, steps_at(w, finer++));
        outcome = lv_order_judge(c, r->order, own_of(w, c));
        if (outcome == LV_ORDER_MISSED && finer < 7)
            outcome = LV_ORDER_NOT_YET;
    }
    return outcome;
}

static lv_status measure(lv_order_found *found, measurer *w, lv_error *err)
{
    lv_convergence *c = &found->convergence;
    const lv_order_request *r = w->request;
    w->steps = r->steps < r->most_steps ? r->steps : r->most_steps;
    found->shortened = choose_span(w);
    c->span = w->h * (double)w->steps;
    LV_TRY(find_reference(w, &c->reference, err));
    w->floor = fmax(r->exact_energy ? 4e-11 : 1e-12, 10 * c->reference);
    found->outcome = LV_ORDER_NO_REFERENCE;
    c->observed = (double)NAN;
    if (!(w->floor < 1e-3) || isnan(c->reference))
        return LV_OK;
    found->outcome = look(w, c);
    return LV_OK;
}

lv_status lv_order_measure(lv_order_found *found, lv_sim *sim,
                           const lv_order_request *request, lv_error *err)
{
    const size_t n = (size_t)sim->system->n;
    measurer w = {.sim = sim,
                  .request = request,
                  .h = sim->h,
                  .reach = request->order > 6 ? sqrt(2) : 2};
    *found = (lv_order_found){0};
    w.one = lv_memory_zeroed(6 * n + 1, sizeof *w.one);
    if (!w.one)
        return lv_fail_memory(err);
    w.two = w.one + 2 * n;
    w.reference = w.two + 2 * n;
    lv_status status = measure(found, &w, err);
    lv_sim_read_numbers(sim, request->start);
    lv_memory_free(w.one);
    return status;
}
