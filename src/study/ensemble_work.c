/* The workers of an ensemble: each one has a batch of members.
 *
 * If a member fails because memory is short, others may have taken it. Then no member
 * begins until all workers have ended theirs and freed their storage, and the member runs
 * once more, alone. If it ends well this time, fewer members run together from now on. */
#include "study/ensemble_private.h"

#include "base/clock.h"

#include <time.h>

/* One worker, with the members that it is computing. */
typedef struct worker {
    lv_ensemble *ensemble;
    int slot;
    bool holds; /* it has memory for members */
    bool alone; /* its member runs alone */
    lv_workplace place;
    lv_member_work *member[LV_BATCH_RUNS];
    /* numbers of these members, counted from 0 among those computed here */
    int due[LV_BATCH_RUNS];
} worker;

static int count_members(const worker *w)
{
    int count = 0;
    for (int k = 0; k < LV_BATCH_RUNS; k++)
        count += w->member[k] != NULL;
    return count;
}

/* Whether the memory of the batch suffices for one more member. */
static bool has_room(const worker *w)
{
    const int count = count_members(w), team = w->ensemble->view.threads;
    return count == 0 || count < w->ensemble->room / (team > 0 ? team : 1);
}

/* Whether there is a member to begin now. Call it under the lock. */
static bool is_there(const worker *w)
{
    lv_ensemble *e = w->ensemble;
    const lv_sweep_elsewhere *elsewhere = e->request.elsewhere;
    if (e->stop || e->alone)
        return false;
    if (e->again_count > 0)
        return count_members(w) == 0 && e->holding == (w->holds ? 1 : 0);
    if (!has_room(w) || e->next >= e->count || e->next - e->due >= e->window)
        return false;
    if (!lv_ensemble_is_chosen_for(e))
        return true;
    const int number = elsewhere->choose(elsewhere->user);
    if (number == LV_SWEEP_NONE || number >= e->model->sweep.members)
        e->count = e->next;
    e->chosen[e->next % e->window] = number;
    return number >= 0 && e->next < e->count;
}

/* Waits until another member is due, or for a moment if somebody else chooses the
 * members. */
static void wait_for_members(lv_ensemble *e)
{
    struct timespec until;
    if (!lv_ensemble_is_chosen_for(e)) {
        (void)pthread_cond_wait(&e->moved, &e->lock);
        return;
    }
    lv_ensemble_show_progress(e);
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    (void)pthread_cond_timedwait(&e->moved, &e->lock, &until);
}

/* Frees the storage of a worker without members; call it under the lock. */
static void release(worker *w)
{
    lv_ensemble *e = w->ensemble;
    lv_workplace_done(&w->place);
    if (!w->holds)
        return;
    w->holds = false;
    e->holding--;
    (void)pthread_cond_broadcast(&e->moved);
}

/* The next member to run, or -1. A worker without other work waits while too many
 * results wait to be reported, and while a member that needs all memory is running or
 * has to run. */
static int take(worker *w, bool waits)
{
    lv_ensemble *e = w->ensemble;
    bool there = is_there(w);
    while (waits && !there && !e->stop && (e->next < e->count || e->again_count > 0)) {
        if (e->alone || e->again_count > 0)
            release(w);
        wait_for_members(e);
        there = is_there(w);
    }
    if (!there)
        return -1;
    w->alone = e->alone = e->again_count > 0;
    if (w->alone)
        release(w);
    e->holding += w->holds ? 0 : 1;
    w->holds = true;
    return w->alone ? e->again[--e->again_count] : e->next++;
}

/* Takes the result of a member, NULL if there was no memory for one. If others may have
 * taken the memory, the member will run again. */
static void finish_member(worker *w, int due, lv_result *result)
{
    lv_ensemble *e = w->ensemble;
    const bool starved = !result || result->starved;
    lv_ensemble_lock(e);
    if (starved && !w->alone && !e->stop) {
        e->again[e->again_count++] = due;
        lv_result_free(result);
    } else {
        /* The others left too little memory. */
        if (w->alone && !starved && e->room > e->view.threads)
            e->room--;
        if (w->alone)
            w->alone = e->alone = false;
        lv_ensemble_hand_in(e, due, result);
    }
    lv_ensemble_unlock(e);
}

/* Begins a member; call it without the lock. */
static void begin_member(worker *w, int k, int due)
{
    lv_ensemble *e = w->ensemble;
    w->due[k] = due;
    w->member[k] = lv_member_begin(&e->job, lv_ensemble_number(e, due), &w->place);
    if (!w->member[k])
        finish_member(w, due, NULL);
}

static void end_member(worker *w, int k)
{
    lv_result *result = lv_member_end(w->member[k]);
    w->member[k] = NULL;
    finish_member(w, w->due[k], result);
}

/* Begins the next member in a place that is free; false: there is none. */
static bool fill_place(worker *w, int k, bool waits)
{
    lv_ensemble *e = w->ensemble;
    lv_ensemble_lock(e);
    const int due = take(w, waits);
    lv_ensemble_unlock(e);
    if (due >= 0)
        begin_member(w, k, due);
    return due >= 0;
}

/* Ends the member in a place if it is over, and begins others until one needs steps:
 * members that are known from a file are over at once. Returns whether there are more. */
static bool exchange_member(worker *w, int k, bool more)
{
    for (;;) {
        if (w->member[k] && lv_member_is_over(w->member[k]))
            end_member(w, k);
        if (w->member[k] || !more)
            return more;
        more = fill_place(w, k, false);
    }
}

/* Ends members that are over, and begins others in their places while there are any:
 * one place after the other, so that a member begins with numbers that are still in the
 * cache of the processor. Returns whether there is anything to do. */
static bool exchange_members(worker *w)
{
    bool more = true;
    for (int k = 0; k < LV_BATCH_RUNS; k++)
        more = exchange_member(w, k, more);
    /* A member that could not begin has been handed in, and another one is due. */
    while (count_members(w) == 0)
        if (!fill_place(w, 0, true))
            return false;
    return true;
}

static void end_members(worker *w)
{
    for (int k = 0; k < LV_BATCH_RUNS; k++)
        if (w->member[k])
            end_member(w, k);
}

static bool keep_going(worker *w)
{
    lv_ensemble *e = w->ensemble;
    double share = 0;
    for (int k = 0; k < LV_BATCH_RUNS; k++)
        share += w->member[k] ? lv_member_share(w->member[k]) : 0;
    lv_ensemble_lock(e);
    e->shares[w->slot] = share;
    if (!e->stop)
        lv_ensemble_show_progress(e);
    const bool go_on = !e->stop;
    lv_ensemble_unlock(e);
    return go_on;
}

/* Advances the batch until no member is left. Reads the clock only now and then, since
 * steps may be very short. */
static void work(worker *w)
{
    long long steps = 1;
    bool go_on = exchange_members(w);
    double before = lv_clock_seconds();
    while (go_on) {
        /* Steps that members did not take, since one has ended, took no time. */
        const bool all = lv_batch_advance(&w->place.batch, steps) == steps;
        const bool busy = exchange_members(w);
        const double now = lv_clock_seconds();
        if (all && now - before < 0.01 && steps < (1LL << 40))
            steps *= 2;
        else if (now - before > 0.1 && steps > 1)
            steps /= 2;
        before = now;
        go_on = keep_going(w) && busy;
    }
    end_members(w);
}

void lv_ensemble_work(lv_ensemble *e)
{
    lv_ensemble_lock(e);
    worker w = {.ensemble = e, .slot = e->workers};
    const bool has_place = e->workers < LV_ENSEMBLE_THREADS;
    if (has_place)
        e->workers++;
    lv_ensemble_unlock(e);
    if (!has_place)
        return;
    work(&w);
    lv_ensemble_lock(e);
    release(&w);
    e->shares[w.slot] = 0;
    lv_ensemble_unlock(e);
}
