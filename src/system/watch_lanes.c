#include "system/watch_lanes.h"

#include "base/inline.h"
#include "base/memory.h"
#include "base/wide.h"
#include "expr/code.h"
#include "system/plan_private.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A part of the plan. */
typedef struct part {
    const lv_program *program;
    lv_code *code; /* NULL: it is interpreted */
    double *workspace;
    unsigned kinds;
    int local;
    const int *q, *v; /* numbers of its coordinates and velocities */
    int scatter_count;
    lv_scatter *scatters;
} part;

struct lv_watch_lanes {
    lv_arena arena;
    int n, m, rates;
    part *parts;
    int part_count;
    int size[LV_QUANTITIES]; /* of those that are watched */
    bool reset[LV_QUANTITIES];
    double *base[LV_QUANTITIES], *result[LV_QUANTITIES];
    lv_maps maps; /* the factors of its terms are in `factor` */
    lv_lane_numbers *shift, *turn;
};

static const lv_quantity watched[] = {LV_Q_KINETIC, LV_Q_POTENTIAL, LV_Q_LAGRANGIAN,
                                      LV_Q_CONSTRAINT, LV_Q_RATE};
enum { WATCHED = sizeof watched / sizeof *watched };

/* ---- creation ------------------------------------------------------------------------------------------------- */

static bool is_for_lanes(const lv_system *s)
{
    const unsigned known = LV_KIND(Q) | LV_KIND(V) | LV_KIND(T) | LV_KIND(P) | LV_KIND(I);
    if (!s->watch || s->maps || s->still || s->turns)
        return false;
    for (int k = 0; k < s->watch->varying.count; k++) {
        const lv_plan_part *p = &s->watch->varying.data[k];
        if (p->lanes != 1 || p->blocks != 1 || (p->kinds & ~known) != 0 || p->paired ||
            p->program->input_size[LV_INPUT_T] > 1)
            return false;
    }
    return true;
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

static bool make_part(lv_watch_lanes *w, part *to, const lv_plan_part *p)
{
    *to =
        (part){.program = lv_program_copy(p->program, &w->arena),
               .workspace = make_numbers(w, p->program->slots),
               .kinds = p->kinds,
               .local = p->global.size,
               .q = lv_arena_copy(&w->arena, p->global.index, (size_t)p->global.size,
                                  sizeof(int)),
               .v = lv_arena_copy(&w->arena, p->tangent.index, (size_t)p->global.size,
                                  sizeof(int)),
               .scatter_count = p->scatter_count,
               .scatters = lv_arena_copy(&w->arena, p->scatters, (size_t)p->scatter_count,
                                         sizeof *p->scatters)};
    bool there = to->program && to->workspace && to->q && to->v && to->scatters;
    for (int s = 0; there && s < p->scatter_count; s++) {
        lv_table *table = &to->scatters[s].to;
        table->index = lv_arena_copy(&w->arena, table->index,
                                     (size_t)to->scatters[s].count, sizeof(int));
        there = table->index != NULL;
    }
    if (there)
        to->code = lv_code_create(to->program, LV_LANES);
    return there;
}

static bool make_results(lv_watch_lanes *w, const lv_plan *plan)
{
    bool there = true;
    for (int k = 0; k < WATCHED; k++) {
        const lv_quantity q = watched[k];
        w->size[q] = plan->size[q];
        w->base[q] = make_numbers(w, plan->size[q]);
        w->result[q] = make_numbers(w, plan->size[q]);
        there = there && w->base[q] && w->result[q];
    }
    for (int k = 0; k < plan->reset_count; k++)
        w->reset[plan->reset[k]] = true;
    return there;
}

static bool make_maps(lv_watch_lanes *w, const lv_maps *maps)
{
    const size_t shifts = (size_t)maps->shifts.count, turns = (size_t)maps->turns.count;
    w->maps.count = maps->count;
    w->maps.shifts.count = maps->shifts.count;
    w->maps.turns.count = maps->turns.count;
    w->maps.shifts.data =
        lv_arena_copy(&w->arena, maps->shifts.data, shifts, sizeof *maps->shifts.data);
    w->maps.turns.data =
        lv_arena_copy(&w->arena, maps->turns.data, turns, sizeof *maps->turns.data);
    w->maps.end =
        lv_arena_copy(&w->arena, maps->end, (size_t)maps->count, sizeof *maps->end);
    w->shift = lv_arena_alloc(&w->arena, shifts + 1, sizeof *w->shift);
    w->turn = lv_arena_alloc(&w->arena, turns + 1, sizeof *w->turn);
    return w->maps.shifts.data && w->maps.turns.data && w->maps.end && w->shift &&
           w->turn;
}

static bool fill(lv_watch_lanes *w, const lv_system *s)
{
    w->n = s->n;
    w->m = s->m;
    w->rates = s->rates;
    w->parts =
        lv_arena_alloc(&w->arena, (size_t)s->watch->varying.count + 1, sizeof *w->parts);
    bool there = w->parts != NULL;
    for (int k = 0; there && k < s->watch->varying.count; k++) {
        there = make_part(w, &w->parts[k], &s->watch->varying.data[k]);
        w->part_count++;
    }
    return there && make_results(w, s->watch) && make_maps(w, &s->forms);
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
    for (int k = 0; k < w->part_count; k++)
        lv_code_free(w->parts[k].code);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

/* ---- which systems are alike ------------------------------------------------------------------------------------- */

static bool is_same_list(const int *a, const int *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool is_like_part(const part *a, const lv_plan_part *p)
{
    bool same = a->kinds == p->kinds && a->local == p->global.size &&
                a->scatter_count == p->scatter_count &&
                is_same_list(a->q, p->global.index, a->local) &&
                is_same_list(a->v, p->tangent.index, a->local) &&
                lv_program_is_like(a->program, p->program);
    for (int s = 0; same && s < a->scatter_count; s++) {
        const lv_scatter *x = &a->scatters[s], *y = &p->scatters[s];
        same = x->quantity == y->quantity && x->once == y->once && x->first == y->first &&
               x->count == y->count && is_same_list(x->to.index, y->to.index, x->count);
    }
    return same;
}

static bool has_like_terms(const lv_map_terms *a, const lv_map_terms *b)
{
    bool same = a->count == b->count;
    for (int k = 0; same && k < a->count; k++)
        same = a->data[k].p == b->data[k].p && a->data[k].q == b->data[k].q;
    return same;
}

static bool has_like_maps(const lv_maps *a, const lv_maps *b)
{
    bool same = a->count == b->count && has_like_terms(&a->shifts, &b->shifts) &&
                has_like_terms(&a->turns, &b->turns);
    for (int k = 0; same && k < a->count; k++)
        same = a->end[k].shifts == b->end[k].shifts && a->end[k].turns == b->end[k].turns;
    return same;
}

bool lv_watch_lanes_fit(const lv_watch_lanes *w, const lv_system *s)
{
    bool fits = is_for_lanes(s) && w->n == s->n && w->m == s->m && w->rates == s->rates &&
                w->part_count == s->watch->varying.count &&
                has_like_maps(&w->maps, &s->forms);
    for (int k = 0; fits && k < w->part_count; k++)
        fits = is_like_part(&w->parts[k], &s->watch->varying.data[k]);
    bool reset[LV_QUANTITIES] = {false};
    for (int k = 0; fits && k < s->watch->reset_count; k++)
        reset[s->watch->reset[k]] = true;
    for (int k = 0; fits && k < WATCHED; k++)
        fits = reset[watched[k]] == w->reset[watched[k]] &&
               w->size[watched[k]] == s->watch->size[watched[k]];
    return fits;
}

/* ---- numbers of one system --------------------------------------------------------------------------------------- */

static void put(double *to, int lane, const double *from, int count)
{
    for (int k = 0; k < count; k++)
        to[(ptrdiff_t)k * LV_LANES + lane] = from[k];
}

void lv_watch_lanes_enter(lv_watch_lanes *w, int lane, const lv_system *s)
{
    const lv_plan *plan = s->watch;
    for (int k = 0; k < w->part_count; k++)
        put(w->parts[k].workspace, lane, plan->varying.data[k].workspace,
            w->parts[k].program->slots);
    for (int k = 0; k < WATCHED; k++) {
        const lv_quantity q = watched[k];
        if (w->reset[q])
            put(w->base[q], lane, plan->base[q], w->size[q]);
        put(w->result[q], lane, plan->result[q], w->size[q]);
    }
    for (int k = 0; k < w->maps.shifts.count; k++)
        w->shift[k][lane] = s->forms.shifts.data[k].factor;
    for (int k = 0; k < w->maps.turns.count; k++)
        w->turn[k][lane] = s->forms.turns.data[k].factor;
}

/* ---- evaluation (as system/plan_run.c, single instances) ---------------------------------------------------------- */

LV_INLINE double *slot(const part *p, int number)
{
    return p->workspace + (ptrdiff_t)number * LV_LANES;
}

LV_INLINE void gather(double *to, const double *from, const int *index, int count)
{
    for (int k = 0; k < count; k++)
        memcpy(to + (ptrdiff_t)k * LV_LANES, from + (ptrdiff_t)index[k] * LV_LANES,
               LV_LANES * sizeof *to);
}

LV_INLINE void scatter(const lv_watch_lanes *w, const part *p, const lv_scatter *s)
{
    for (int k = 0; k < s->count; k++) {
        const double *from = slot(p, p->program->output[s->first + k]);
        double *to = w->result[s->quantity] + (ptrdiff_t)s->to.index[k] * LV_LANES;
        if (s->once)
            memcpy(to, from, LV_LANES * sizeof *to);
        else
            for (int l = 0; l < LV_LANES; l++)
                to[l] += from[l];
    }
}

LV_INLINE void run_part(const lv_watch_lanes *w, const part *p, const double *t,
                        const double *q, const double *v)
{
    const int *input = p->program->input;
    if (p->kinds & LV_KIND(Q))
        gather(slot(p, input[LV_INPUT_Q]), q, p->q, p->local);
    if (p->kinds & LV_KIND(V))
        gather(slot(p, input[LV_INPUT_V]), v, p->v, p->local);
    if (p->kinds & LV_KIND(T))
        memcpy(slot(p, input[LV_INPUT_T]), t, LV_LANES * sizeof *t);
    if (p->code)
        lv_code_run(p->code, p->workspace);
    else
        lv_program_run(p->program, LV_SEGMENT_MAIN, p->workspace, LV_LANES);
    for (int s = 0; s < p->scatter_count; s++)
        scatter(w, p, &p->scatters[s]);
}

/* ---- sums (as system/watch.c and system/maps.c) ------------------------------------------------------------------- */

/* Four sums in turn, of which the first one has a start; term k goes to this one. */
LV_INLINE int turn_of(int k, int count)
{
    return k < count / 4 * 4 ? k % 4 : 0;
}

LV_INLINE void end_sums(double to[LV_LANES], double sum[4][LV_LANES])
{
    for (int l = 0; l < LV_LANES; l++)
        to[l] = (sum[0][l] + sum[1][l]) + (sum[2][l] + sum[3][l]);
}

LV_INLINE void add_product(double to[LV_LANES], const double *start, const double *x,
                           const double *y, int n)
{
    double sum[4][LV_LANES] = {{0}};
    for (int l = 0; start && l < LV_LANES; l++)
        sum[0][l] = -start[l];
    for (int k = 0; k < n; k++) {
        double *s = sum[turn_of(k, n)];
        const double *a = x + (ptrdiff_t)k * LV_LANES, *b = y + (ptrdiff_t)k * LV_LANES;
        for (int l = 0; l < LV_LANES; l++)
            s[l] += a[l] * b[l];
    }
    end_sums(to, sum);
}

LV_INLINE void add_shifts(double to[LV_LANES], const lv_map_term *terms,
                          lv_lane_numbers *factor, int count, const double *p)
{
    double sum[4][LV_LANES] = {{0}};
    for (int k = 0; k < count; k++) {
        double *s = sum[turn_of(k, count)];
        const double *a = p + (ptrdiff_t)terms[k].p * LV_LANES;
        for (int l = 0; l < LV_LANES; l++)
            s[l] += factor[k][l] * a[l];
    }
    end_sums(to, sum);
}

LV_INLINE void add_turns(double to[LV_LANES], const lv_map_term *terms,
                         lv_lane_numbers *factor, int count, const double *q,
                         const double *p)
{
    double sum[4][LV_LANES] = {{0}};
    for (int k = 0; k < count; k++) {
        double *s = sum[turn_of(k, count)];
        const double *a = p + (ptrdiff_t)terms[k].p * LV_LANES,
                     *b = q + (ptrdiff_t)terms[k].q * LV_LANES;
        for (int l = 0; l < LV_LANES; l++)
            s[l] += factor[k][l] * (a[l] * b[l]);
    }
    end_sums(to, sum);
}

LV_INLINE void find_maps(const lv_watch_lanes *w, lv_lane_numbers *maps, const double *q,
                         const double *p)
{
    int i = 0, j = 0;
    for (int k = 0; k < w->maps.count; k++) {
        const int shifts = w->maps.end[k].shifts, turns = w->maps.end[k].turns;
        lv_lane_numbers sum = {0};
        memset(maps[k], 0, sizeof maps[k]);
        if (shifts > i)
            add_shifts(maps[k], w->maps.shifts.data + i, w->shift + i, shifts - i, p);
        if (turns > j)
            add_turns(sum, w->maps.turns.data + j, w->turn + j, turns - j, q, p);
        for (int l = 0; turns > j && l < LV_LANES; l++)
            maps[k][l] += sum[l];
        i = shifts;
        j = turns;
    }
}

/* ---- looks ---------------------------------------------------------------------------------------------------------- */

LV_INLINE void find_largest(double to[LV_LANES], double check[LV_LANES], const double *x,
                            int count)
{
    for (int l = 0; l < LV_LANES; l++)
        to[l] = 0;
    for (int k = 0; k < count; k++)
        for (int l = 0; l < LV_LANES; l++) {
            const double size = fabs(x[(ptrdiff_t)k * LV_LANES + l]);
            to[l] = size > to[l] ? size : to[l];
            check[l] += 0 * size;
        }
}

LV_INLINE void find_energies(const lv_watch_lanes *w, lv_watched *now, const double *v,
                             const double *p)
{
    const double *lagrangian = w->result[LV_Q_LAGRANGIAN];
    add_product(now->energy, lagrangian, p, v, w->n);
    add_product(now->size, NULL, p, v, w->n);
    for (int l = 0; l < LV_LANES; l++) {
        now->size[l] = fabs(now->size[l]) + fabs(lagrangian[l]);
        now->check[l] = 0 * now->size[l] + 0 * now->energy[l];
    }
}

LV_INLINE void look(lv_watch_lanes *w, lv_watched *now, lv_lane_numbers *maps,
                    const double *t, const double *q, const double *v, const double *p)
{
    for (int k = 0; k < WATCHED; k++)
        if (w->reset[watched[k]])
            memcpy(w->result[watched[k]], w->base[watched[k]],
                   (size_t)w->size[watched[k]] * LV_LANES * sizeof(double));
    for (int k = 0; k < w->part_count; k++)
        run_part(w, &w->parts[k], t, q, v);
    find_energies(w, now, v, p);
    const double *rate = w->result[LV_Q_RATE];
    find_largest(now->position, now->check, w->result[LV_Q_CONSTRAINT], w->m);
    find_largest(now->velocity, now->check, rate, w->m);
    find_largest(now->rolling, now->check, rate + (ptrdiff_t)w->m * LV_LANES,
                 w->rates - w->m);
    find_maps(w, maps, q, p);
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
