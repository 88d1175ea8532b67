#include "system/watch_lanes.h"

#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"
#include "expr/code.h"
#include "expr/lanes.h"
#include "system/watch_program.h"

#include <stdint.h>

struct lv_watch_lanes {
    lv_arena arena;
    int n, first_map, maps;
    const lv_program *program;
    lv_code *code; /* NULL: the program is interpreted */
    double *workspace;
};

/* ---- creation ---------------------------------------------------------------------- */

static bool is_for_lanes(const lv_system *s)
{
    return s->watcher && !s->still && !s->turns && s->model->input_count == 0;
}

static double *make_numbers(lv_watch_lanes *w, int count)
{
    enum { LINE = 64 };
    unsigned char *room =
        lv_arena_alloc(&w->arena, ((size_t)count + 1) * LV_LANES + LINE / sizeof(double),
                       sizeof(double));
    return room ? (double *)(void *)(room + (LINE - (uintptr_t)room % LINE) % LINE)
                : NULL;
}

static bool fill(lv_watch_lanes *w, const lv_system *s)
{
    w->n = s->n;
    w->first_map = lv_watch_program_maps(s->watcher);
    w->maps = lv_system_map_count(s);
    w->program = lv_program_copy(lv_watch_program_of(s->watcher), &w->arena);
    w->workspace = w->program ? make_numbers(w, w->program->slots) : NULL;
    if (!w->workspace)
        return false;
    w->code = lv_code_create(w->program, LV_LANES);
    return true;
}

lv_status lv_watch_lanes_create(lv_watch_lanes **result, const lv_system *like,
                                lv_error *err)
{
    *result = NULL;
    if (!is_for_lanes(like))
        return LV_OK;
    lv_watch_lanes *w = lv_memory_zeroed(1, sizeof *w);
    if (w && fill(w, like)) {
        *result = w;
        return LV_OK;
    }
    lv_watch_lanes_free(w);
    return lv_fail_memory(err);
}

void lv_watch_lanes_free(lv_watch_lanes *w)
{
    if (!w)
        return;
    lv_code_free(w->code);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

bool lv_watch_lanes_fit(const lv_watch_lanes *w, const lv_system *s)
{
    return is_for_lanes(s) && w->n == s->n && w->maps == lv_system_map_count(s) &&
           w->first_map == lv_watch_program_maps(s->watcher) &&
           lv_program_is_like(w->program, lv_watch_program_of(s->watcher));
}

/* Copies the workspace of the system's own program, which has all numbers that do not
 * change with the motion. */
void lv_watch_lanes_enter(lv_watch_lanes *w, int lane, const lv_system *s)
{
    const double *from = lv_watch_program_workspace(s->watcher);
    for (int k = 0; k < w->program->slots; k++)
        w->workspace[(ptrdiff_t)k * LV_LANES + lane] = from[k];
}

/* ---- looks ------------------------------------------------------------------------- */

LV_INLINE double *slot(const lv_watch_lanes *w, int number)
{
    return w->workspace + (ptrdiff_t)number * LV_LANES;
}

LV_INLINE void copy(double *to, const double *from, int count)
{
    for (int k = 0; k < count * LV_LANES; k += LV_LANES)
        LV_BOTH(o)
    LV_PUT(to + k + o) = LV_OF(from + k + o);
}

LV_INLINE void take(const lv_watch_lanes *w, double *to, int output)
{
    copy(to, slot(w, w->program->output[output]), 1);
}

LV_INLINE void look(lv_watch_lanes *w, lv_watched *now, lv_lane_numbers *maps,
                    const double *t, const double *q, const double *v, const double *p)
{
    const lv_program *program = w->program;
    const int state = program->input[LV_INPUT_Q];
    copy(slot(w, state), q, w->n);
    copy(slot(w, state + w->n), v, w->n);
    copy(slot(w, state + 2 * w->n), p, w->n);
    copy(slot(w, program->input[LV_INPUT_T]), t, 1);
    if (w->code)
        lv_code_run(w->code, w->workspace);
    else
        lv_program_run(program, LV_SEGMENT_MAIN, w->workspace, LV_LANES);
    take(w, now->energy, LV_WATCHED_ENERGY);
    take(w, now->size, LV_WATCHED_SIZE);
    take(w, now->position, LV_WATCHED_POSITION);
    take(w, now->velocity, LV_WATCHED_VELOCITY);
    take(w, now->rolling, LV_WATCHED_ROLLING);
    take(w, now->lever, LV_WATCHED_LEVER);
    LV_BOTH(o)
    {
        LV_PUT(now->energy + o) = LV_OF(now->energy + o) + 0.0; /* never -0 */
        LV_PUT(now->check + o) =
            0 * ((LV_OF(now->energy + o) + LV_OF(now->size + o)) +
                 (LV_OF(now->position + o) + LV_OF(now->velocity + o)) +
                 (LV_OF(now->rolling + o) + LV_OF(now->lever + o)));
    }
    for (int k = LV_WATCHED_SCALARS; k < w->first_map; k++) {
        const double *residual = slot(w, w->program->output[k]);
        LV_BOTH(o)
        LV_PUT(now->check + o) += 0 * LV_OF(residual + o);
    }
    for (int k = 0; k < w->maps; k++)
        take(w, maps[k], w->first_map + k);
}

static void look_plain(lv_watch_lanes *w, lv_watched *now, lv_lane_numbers *maps,
                       const double *t, const double *q, const double *v, const double *p)
{
    look(w, now, maps, t, q, v, p);
}

LV_WIDE static void look_wide(lv_watch_lanes *w, lv_watched *now, lv_lane_numbers *maps,
                              const double *t, const double *q, const double *v,
                              const double *p)
{
    look(w, now, maps, t, q, v, p);
}

void lv_watch_lanes_look(lv_watch_lanes *w, lv_watched *now, lv_lane_numbers *maps,
                         const double *t, const double *q, const double *v,
                         const double *p)
{
    (lv_is_wide() ? look_wide : look_plain)(w, now, maps, t, q, v, p);
}
