#include "run/monitor_lanes.h"

#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"
#include "expr/lanes.h"

#include <stdint.h>
#include <string.h>

/* For each lane the numbers of lv_monitor that every step may change, and the bounds
 * beyond which the monitor must take a closer look. */
struct lv_monitor_lanes {
    lv_watch_lanes *watch;
    int maps;
    lv_lane_numbers energy[3];
    lv_lane_numbers residual[3];
    lv_lane_numbers newton[2];
    lv_lane_numbers levers;
    /* of lv_monitor.growth; outgrown: lv_monitor_outgrown */
    lv_lane_numbers steps, mark, largest, outgrown;
    lv_lane_numbers bound[LV_LEVELS];
    lv_lane_numbers (*momentum)[3];
    lv_lane_numbers *now; /* momentum maps at the present node; `maps` of them */
    lv_arena arena;
};

/* ---- creation ---------------------------------------------------------------------- */

lv_status lv_monitor_lanes_create(lv_monitor_lanes **result, const lv_monitor *like,
                                  lv_error *err)
{
    *result = NULL;
    if (!lv_monitor_only_compares(like))
        return LV_OK;
    lv_watch_lanes *watch = NULL;
    LV_TRY(lv_watch_lanes_create(&watch, like->sim->system, err));
    lv_monitor_lanes *x = watch ? lv_memory_zeroed(1, sizeof *x) : NULL;
    if (!x) {
        lv_watch_lanes_free(watch);
        return watch ? lv_fail_memory(err) : LV_OK;
    }
    x->watch = watch;
    x->maps = like->maps;
    x->momentum = lv_arena_alloc(&x->arena, (size_t)like->maps + 1, sizeof *x->momentum);
    x->now = lv_arena_alloc(&x->arena, (size_t)like->maps + 1, sizeof *x->now);
    if (x->momentum && x->now) {
        *result = x;
        return LV_OK;
    }
    lv_monitor_lanes_free(x);
    return lv_fail_memory(err);
}

void lv_monitor_lanes_free(lv_monitor_lanes *x)
{
    if (!x)
        return;
    lv_watch_lanes_free(x->watch);
    lv_arena_done(&x->arena);
    lv_memory_free(x);
}

bool lv_monitor_lanes_fit(const lv_monitor_lanes *x, const lv_monitor *m)
{
    return lv_monitor_only_compares(m) && x->maps == m->maps &&
           lv_watch_lanes_fit(x->watch, m->sim->system);
}

/* ---- entering and leaving ---------------------------------------------------------- */

static void put(lv_lane_numbers *to, int lane, const double *from, int count)
{
    for (int k = 0; k < count; k++)
        to[k][lane] = from[k];
}

static void get(double *to, lv_lane_numbers *from, int lane, int count)
{
    for (int k = 0; k < count; k++)
        to[k] = from[k][lane];
}

void lv_monitor_lanes_enter(lv_monitor_lanes *x, int lane, const lv_monitor *m)
{
    const double *g = m->growth;
    put(x->energy, lane, m->energy, 3);
    put(x->residual, lane, m->residual, 3);
    put(x->newton, lane, m->newton, 2);
    for (int k = 0; k < x->maps; k++)
        put(x->momentum[k], lane, m->momentum + (ptrdiff_t)(3 * k), 3);
    x->levers[lane] = m->levers[0];
    x->steps[lane] = g[LV_GROWTH_STEPS];
    x->mark[lane] = g[LV_GROWTH_MARK];
    x->largest[lane] = g[LV_GROWTH_LARGEST];
    x->outgrown[lane] = lv_monitor_outgrown(m);
    for (int level = 0; level < LV_LEVELS; level++)
        x->bound[level][lane] = lv_monitor_bound(m, level);
    lv_watch_lanes_enter(x->watch, lane, m->sim->system);
}

void lv_monitor_lanes_leave(lv_monitor_lanes *x, int lane, lv_monitor *m)
{
    get(m->energy, x->energy, lane, 3);
    get(m->residual, x->residual, lane, 3);
    get(m->newton, x->newton, lane, 2);
    for (int k = 0; k < x->maps; k++)
        get(m->momentum + (ptrdiff_t)(3 * k), x->momentum[k], lane, 3);
    m->levers[0] = x->levers[lane];
    m->growth[LV_GROWTH_STEPS] = x->steps[lane];
    m->growth[LV_GROWTH_LARGEST] = x->largest[lane];
}

/* ---- looks ------------------------------------------------------------------------- */

/* Flags (-1: true) of lanes in which nothing is stored; none: there are no such lanes. */
typedef struct left_lanes {
    int64_t lane[LV_LANES];
    bool none;
} left_lanes;

LV_INLINE void store(double to[LV_LANES], const double value[LV_LANES],
                     const left_lanes *left)
{
    LV_BOTH(o)
    LV_PUT(to + o) = left->none ? LV_OF(value + o)
                                : LV_CHOOSE(LV_FLAGS_OF(left->lane + o), LV_OF(to + o),
                                            LV_OF(value + o));
}

/* kept: initial value, last value, largest deviation */
LV_INLINE void look_at(lv_lane_numbers kept[3], const double value[LV_LANES],
                       const left_lanes *left)
{
    double apart[LV_LANES];
    LV_BOTH(o)
    {
        const lv_row by = LV_SIZE(LV_OF(value + o) - LV_OF(kept[0] + o));
        LV_PUT(apart + o) = LV_LARGER(by, LV_OF(kept[2] + o));
    }
    store(kept[1], value, left);
    store(kept[2], apart, left);
}

LV_INLINE void keep_larger(double kept[LV_LANES], const double value[LV_LANES],
                           const left_lanes *left)
{
    double most[LV_LANES];
    LV_BOTH(o)
    LV_PUT(most + o) = LV_LARGER(LV_OF(value + o), LV_OF(kept + o));
    store(kept, most, left);
}

/* Finds the lanes in which no step was made or something is unusual. */
LV_INLINE left_lanes find_unusual(const lv_monitor_lanes *x, const lv_watched *now,
                                  const bool made[LV_LANES])
{
    left_lanes left = {0};
    LV_BOTH(o)
    LV_FLAGS_AT(left.lane + o) =
        ~((LV_OF(now->check + o) == 0) & (LV_OF(x->steps + o) < LV_OF(x->mark + o)) &
          (LV_OF(now->size + o) <= LV_OF(x->outgrown + o)) &
          (LV_OF(now->position + o) <= LV_OF(x->bound[LV_LEVEL_POSITION] + o)) &
          (LV_OF(now->velocity + o) <= LV_OF(x->bound[LV_LEVEL_VELOCITY] + o)) &
          (LV_OF(now->rolling + o) <= LV_OF(x->bound[LV_LEVEL_NONHOLONOMIC] + o)));
    int64_t any = 0;
    for (int l = 0; l < LV_LANES; l++) {
        left.lane[l] = made[l] ? left.lane[l] : -1;
        any |= left.lane[l];
    }
    left.none = any == 0;
    return left;
}

LV_INLINE void count_passes(lv_monitor_lanes *x, const int passes[LV_LANES],
                            const left_lanes *left)
{
    double count[LV_LANES], steps[LV_LANES], sum[LV_LANES], most[LV_LANES];
    for (int l = 0; l < LV_LANES; l++)
        count[l] = passes[l];
    LV_BOTH(o)
    {
        LV_PUT(steps + o) = LV_OF(x->steps + o) + 1;
        LV_PUT(sum + o) = LV_OF(x->newton[0] + o) + LV_OF(count + o);
        LV_PUT(most + o) = LV_LARGER(LV_OF(count + o), LV_OF(x->newton[1] + o));
    }
    store(x->steps, steps, left);
    store(x->newton[0], sum, left);
    store(x->newton[1], most, left);
}

LV_INLINE void note_numbers(lv_monitor_lanes *x, const lv_watched *watched,
                            const int *passes, const left_lanes *left)
{
    look_at(x->energy, watched->energy, left);
    keep_larger(x->residual[0], watched->position, left);
    keep_larger(x->residual[1], watched->velocity, left);
    keep_larger(x->residual[2], watched->rolling, left);
    keep_larger(x->largest, watched->size, left);
    keep_larger(x->levers, watched->lever, left);
    for (int k = 0; k < x->maps; k++)
        look_at(x->momentum[k], x->now[k], left);
    count_passes(x, passes, left);
}

/* Stores what was watched in lanes in which a step was made and nothing is unusual.
 * alone: lanes whose monitor must look for itself. Returns true if there are none. */
LV_INLINE bool note(lv_monitor_lanes *x, const lv_watched *watched, const bool *made,
                    const int *passes, bool *alone)
{
    const left_lanes left = find_unusual(x, watched, made);
    bool none = true;
    if (left.none) {
        memset(alone, 0, LV_LANES * sizeof *alone);
        note_numbers(x, watched, passes, &(left_lanes){.none = true});
        return true;
    }
    note_numbers(x, watched, passes, &left);
    for (int l = 0; l < LV_LANES; l++) {
        alone[l] = made[l] && left.lane[l];
        none = none && !alone[l];
    }
    return none;
}

static bool note_plain(lv_monitor_lanes *x, const lv_watched *watched, const bool *made,
                       const int *passes, bool *alone)
{
    return note(x, watched, made, passes, alone);
}

LV_WIDE static bool note_wide(lv_monitor_lanes *x, const lv_watched *watched,
                              const bool *made, const int *passes, bool *alone)
{
    return note(x, watched, made, passes, alone);
}

bool lv_monitor_lanes_look(lv_monitor_lanes *x, const double t[LV_LANES],
                           const lv_state *at, const bool made[LV_LANES],
                           const int passes[LV_LANES], bool alone[LV_LANES])
{
    lv_watched watched;
    lv_watch_lanes_look(x->watch, &watched, x->now, t, at->q, at->v, at->p);
    return (lv_is_wide() ? note_wide : note_plain)(x, &watched, made, passes, alone);
}
