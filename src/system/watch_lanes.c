#include "system/watch_lanes.h"

#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"
#include "expr/code.h"
#include "expr/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

struct lv_watch_lanes {
    lv_arena arena;
    lv_compare_layout layout;
    const lv_program *program;
    lv_code *code;          /* NULL: the program is interpreted */
    double *workspace;      /* LV_LANES numbers per slot of the program */
    lv_lane_move *store;    /* of new largest values; layout.seen_count of them */
    int64_t free[LV_LANES]; /* flags, -1: the lane is free */
};

LV_INLINE double *slot(const lv_watch_lanes *w, int number)
{
    return w->workspace + (ptrdiff_t)number * LV_LANES;
}

LV_INLINE double *output(const lv_watch_lanes *w, int number)
{
    return slot(w, w->program->output[number]);
}

/* ---- creation ---------------------------------------------------------------------- */

static double *make_numbers(lv_watch_lanes *w, int count)
{
    enum { LINE = 64 };
    unsigned char *room =
        lv_arena_alloc(&w->arena, ((size_t)count + 1) * LV_LANES + LINE / sizeof(double),
                       sizeof(double));
    return room ? (double *)(void *)(room + (LINE - (uintptr_t)room % LINE) % LINE)
                : NULL;
}

static bool fill(lv_watch_lanes *w, const lv_watch_program *like)
{
    w->layout = lv_watch_program_layout(like);
    w->program = lv_program_copy(w->layout.program, &w->arena);
    w->workspace = w->program ? make_numbers(w, w->program->slots) : NULL;
    w->store =
        lv_arena_alloc(&w->arena, (size_t)w->layout.seen_count + 1, sizeof *w->store);
    if (!w->workspace || !w->store)
        return false;
    for (int k = 0; k < w->layout.seen_count; k++)
        w->store[k] =
            (lv_lane_move){output(w, w->layout.becomes + k), slot(w, w->layout.seen + k)};
    w->code = lv_code_create(w->program, LV_LANES);
    memset(w->free, -1, sizeof w->free);
    return true;
}

lv_status lv_watch_lanes_create(lv_watch_lanes **result, const lv_watch_program *like,
                                lv_error *err)
{
    *result = NULL;
    if (lv_watch_program_layout(like).program->input_size[LV_INPUT_T] > 1)
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

bool lv_watch_lanes_fit(const lv_watch_lanes *w, const lv_watch_program *program)
{
    const lv_compare_layout own = w->layout, other = lv_watch_program_layout(program);
    return own.n == other.n && own.seen == other.seen &&
           own.seen_count == other.seen_count && own.becomes == other.becomes &&
           own.unusual == other.unusual && lv_program_is_like(w->program, other.program);
}

/* ---- entering and leaving ---------------------------------------------------------- */

void lv_watch_lanes_enter(lv_watch_lanes *w, int lane, const lv_watch_program *program)
{
    const double *from = lv_watch_program_layout(program).workspace;
    w->free[lane] = 0;
    for (int k = 0; k < w->program->slots; k++)
        w->workspace[(ptrdiff_t)k * LV_LANES + lane] = from[k];
}

void lv_watch_lanes_leave(lv_watch_lanes *w, int lane, lv_watch_program *program)
{
    double *to = lv_watch_program_layout(program).workspace;
    w->free[lane] = -1;
    for (int k = 0; k < w->program->slots; k++)
        to[k] = w->workspace[(ptrdiff_t)k * LV_LANES + lane];
}

/* ---- comparisons ------------------------------------------------------------------- */

LV_INLINE void copy(double *to, const double *from, int count)
{
    for (int k = 0; k < count * LV_LANES; k += LV_ROW)
        LV_PUT(to + k) = LV_OF(from + k);
}

LV_INLINE void put_all(const lv_watch_lanes *w, const double *t, const double *q,
                       const double *v, const double *p)
{
    const int n = w->layout.n, state = w->program->input[LV_INPUT_Q];
    copy(slot(w, state), q, n);
    copy(slot(w, state + n), v, n);
    copy(slot(w, state + 2 * n), p, n);
    copy(slot(w, w->program->input[LV_INPUT_T]), t, 1);
}

/* Stores the largest values, except in unusual lanes. */
static void store_calm(const lv_watch_lanes *w, const int64_t *calm, bool *unusual)
{
    for (int k = 0; k < w->layout.seen_count; k++)
        for (int l = 0; l < LV_LANES; l++)
            if (calm[l])
                w->store[k].to[l] = w->store[k].from[l];
    for (int l = 0; l < LV_LANES; l++)
        unusual[l] = !calm[l];
}

/* Runs the program. calm[lane]: nothing is unusual, or the lane is free. Returns whether
 * all lanes are calm. */
LV_INLINE bool run(const lv_watch_lanes *w, int64_t *calm)
{
    const double *beyond = output(w, w->layout.unusual),
                 *sum = output(w, w->layout.unusual + 1);
    int64_t all = -1;
    if (w->code)
        lv_code_run(w->code, w->workspace);
    else
        lv_program_run(w->program, LV_SEGMENT_MAIN, w->workspace, LV_LANES);
    LV_BOTH(o)
    {
        const lv_row finite = LV_OF(sum + o) - LV_OF(sum + o);
        LV_FLAGS_AT(calm + o) =
            (LV_OF(beyond + o) + finite <= 0) | LV_FLAGS_OF(w->free + o);
    }
    for (int l = 0; l < LV_LANES; l++)
        all &= calm[l];
    return all != 0;
}

LV_INLINE void store_all(const lv_watch_lanes *w)
{
    for (const lv_lane_move *m = w->store, *end = m + w->layout.seen_count; m < end; m++)
        copy(m->to, m->from, 1);
}

LV_INLINE bool compare(lv_watch_lanes *w, const double *t, const double *q,
                       const double *v, const double *p, bool *unusual)
{
    int64_t calm[LV_LANES];
    put_all(w, t, q, v, p);
    if (!run(w, calm)) {
        store_calm(w, calm, unusual);
        return false;
    }
    store_all(w);
    memset(unusual, 0, LV_LANES * sizeof *unusual);
    return true;
}

static bool compare_plain(lv_watch_lanes *w, const double *t, const double *q,
                          const double *v, const double *p, bool *unusual)
{
    return compare(w, t, q, v, p, unusual);
}

LV_WIDE static bool compare_wide(lv_watch_lanes *w, const double *t, const double *q,
                                 const double *v, const double *p, bool *unusual)
{
    return compare(w, t, q, v, p, unusual);
}

bool lv_watch_lanes_compare(lv_watch_lanes *w, const double t[LV_LANES], const double *q,
                            const double *v, const double *p, bool unusual[LV_LANES])
{
    return (lv_is_wide() ? compare_wide : compare_plain)(w, t, q, v, p, unusual);
}

/* ---- states of one system ---------------------------------------------------------- */

/* Where the numbers of a lane begin; each is LV_LANES numbers behind the one before. */
LV_INLINE double *state_of(const lv_watch_lanes *w, int lane)
{
    return slot(w, w->program->input[LV_INPUT_Q]) + lane;
}

void lv_watch_lanes_put(lv_watch_lanes *w, int lane, double t, const double *state)
{
    double *to = state_of(w, lane);
    for (const double *end = state + (ptrdiff_t)3 * w->layout.n; state < end;
         state++, to += LV_LANES)
        *to = *state;
    slot(w, w->program->input[LV_INPUT_T])[lane] = t;
}

double lv_watch_lanes_get(const lv_watch_lanes *w, int lane, double *state)
{
    const double *from = state_of(w, lane);
    for (int k = 0; k < 3 * w->layout.n; k++)
        state[k] = from[(ptrdiff_t)k * LV_LANES];
    return slot(w, w->program->input[LV_INPUT_T])[lane];
}

bool lv_watch_lanes_compare_put(lv_watch_lanes *w)
{
    int64_t calm[LV_LANES];
    if (!run(w, calm))
        return false;
    store_all(w);
    return true;
}

void lv_watch_lanes_spread(lv_watch_lanes *w, const lv_watch_program *program)
{
    const double *from = lv_watch_program_layout(program).workspace;
    const int first = w->program->input[LV_INPUT_Y],
              end = first + w->program->input_size[LV_INPUT_Y];
    for (int k = first; k < end; k++)
        for (int l = 0; l < LV_LANES; l++)
            slot(w, k)[l] = from[k];
}

void lv_watch_lanes_gather(const lv_watch_lanes *w, lv_watch_program *program)
{
    double *to = lv_watch_program_layout(program).workspace;
    for (int k = 0; k < w->program->output_count; k++)
        to[w->program->output[k]] = output(w, k)[LV_LANES - 1];
    for (int k = w->layout.seen; k < w->layout.seen + w->layout.seen_count; k++)
        for (int l = 0; l < LV_LANES; l++)
            to[k] = fmax(to[k], slot(w, k)[l]);
}
