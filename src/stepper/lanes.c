#include "stepper/lanes.h"

#include "base/memory.h"
#include "stepper/lanes_private.h"

#include <stdint.h>
#include <string.h>

/* ---- creation ---------------------------------------------------------------------- */

/* Allocates `count` numbers for every lane, aligned for vector instructions. */
static double *make_numbers(lv_lanes *x, int count)
{
    enum { LINE = 64 };
    unsigned char *room =
        lv_arena_alloc(&x->arena, ((size_t)count + 1) * LV_LANES + LINE / sizeof(double),
                       sizeof(double));
    if (!room)
        return NULL;
    return (double *)(void *)(room + (LINE - (uintptr_t)room % LINE) % LINE);
}

static lv_status make_past(lv_lanes *x, lv_error *err)
{
    const int phases = x->map.phases;
    x->past = lv_arena_alloc(&x->arena, (size_t)phases + 1, sizeof *x->past);
    for (int k = 0; x->past && k < phases; k++) {
        const lv_lane_phase *phase = &x->map.phase[k];
        lv_lane_past *past = &x->past[k];
        past->values = make_numbers(x, 2 * LV_LANE_DEPTH * phase->count);
        if (!past->values)
            return lv_fail_memory(err);
        for (int l = 0; l < LV_LANES; l++)
            past->newton[l] = (lv_newton){.slow = phase->slow, .adds_up = phase->adds_up};
    }
    return x->past ? LV_OK : lv_fail_memory(err);
}

static void add_moves(lv_lanes *x, int input, int output, int count)
{
    for (int k = 0; k < count; k++) {
        const lv_lane_move move = {lv_lane_output(x, output + k),
                                   lv_lane_input(x, input + k)};
        if (move.from != move.to)
            x->move[x->moves++] = move;
    }
}

/* Lists the copies from the numbers that a step leaves to those with which the next one
 * begins. */
static lv_status make_moves(lv_lanes *x, lv_error *err)
{
    const lv_lane_map *map = &x->map;
    int most = 1;
    for (int k = 0; k < map->fields; k++)
        most += map->field[k].size;
    for (int k = 0; k < map->handovers; k++)
        for (int i = 0; i < map->handover[k].parts; i++)
            most += map->handover[k].part[i].count;
    x->move = lv_arena_alloc(&x->arena, (size_t)most, sizeof *x->move);
    if (!x->move)
        return lv_fail_memory(err);
    for (int k = 0; k < map->fields; k++)
        if (map->field[k].output >= 0)
            add_moves(x, map->field[k].input, map->field[k].output, map->field[k].size);
    for (int k = 0; k < map->handovers; k++)
        for (int i = 0; i < map->handover[k].parts; i++) {
            const lv_lane_part *part = &map->handover[k].part[i];
            add_moves(x, part->input, part->output, part->count);
        }
    return LV_OK;
}

static lv_status fill(lv_lanes *x, const lv_stepper *like, lv_error *err)
{
    x->program = lv_program_copy(lv_lane_fused(like)->program, &x->arena);
    if (!x->program)
        return lv_fail_memory(err);
    x->workspace = make_numbers(x, x->program->slots);
    x->time = make_numbers(x, x->map.handovers);
    if (!x->workspace || !x->time)
        return lv_fail_memory(err);
    x->newest = LV_LANE_DEPTH;
    lv_program_load(x->program, x->workspace, LV_LANES);
    x->code = lv_code_create_parts(
        x->program, LV_LANES, &lv_lane_fused(like)->parts.part[LV_RUN_WHOLE_STEP], 1);
    LV_TRY(make_moves(x, err));
    return make_past(x, err);
}

lv_status lv_lanes_create(lv_lanes **result, const lv_stepper *like, lv_error *err)
{
    bool made = false;
    *result = NULL;
    lv_lanes *x = lv_memory_zeroed(1, sizeof *x);
    if (!x)
        return lv_fail_memory(err);
    lv_status status = lv_lane_map_make(&x->map, &made, like, &x->arena, err);
    if (status == LV_OK && made)
        status = fill(x, like, err);
    if (status == LV_OK && made)
        *result = x;
    else
        lv_lanes_free(x);
    return status;
}

void lv_lanes_free(lv_lanes *x)
{
    if (!x)
        return;
    lv_code_free(x->code);
    lv_arena_done(&x->arena);
    lv_memory_free(x);
}

bool lv_lanes_fit(const lv_lanes *x, const lv_stepper *s)
{
    lv_lane_map map;
    lv_arena arena = {0};
    bool made = false;
    const bool fits = lv_lane_map_make(&map, &made, s, &arena, NULL) == LV_OK && made &&
                      lv_lane_map_is_like(&x->map, &map) &&
                      lv_program_is_like(x->program, lv_lane_fused(s)->program);
    lv_arena_done(&arena);
    return fits;
}

/* ---- numbers of one lane ----------------------------------------------------------- */

static void put(double *to, int lane, const double *from, int count)
{
    for (int k = 0; k < count; k++)
        to[(ptrdiff_t)k * LV_LANES + lane] = from[k];
}

static void get(double *to, const double *from, int lane, int count)
{
    for (int k = 0; k < count; k++)
        to[k] = from[(ptrdiff_t)k * LV_LANES + lane];
}

/* The numbers of a carried field of a stepper that is not in a lane. */
static double *field_of(const lv_lane_field *f, const lv_stepper *s,
                        const lv_state *state)
{
    double *in_state;
    if (f->memory >= 0)
        return s->memory + f->memory;
    memcpy(&in_state, (const char *)state + f->in_state, sizeof in_state);
    return in_state;
}

/* Positions in the memory of a handover (lv_handover.kept): 1 if there is one, time,
 * position, velocity, then the quantities. */
enum { KEPT_ANY, KEPT_TIME, KEPT_POINT };

/* ---- entering ---------------------------------------------------------------------- */

static bool is_past_ready(const double *past, double h)
{
    return past[LV_PAST_COUNT] >= 2 && past[LV_PAST_COUNT] <= LV_PREDICTOR_DEPTH &&
           past[LV_PAST_USED] > 1 && past[LV_PAST_USED] <= past[LV_PAST_COUNT] &&
           past[LV_PAST_TURNS] >= 0 && past[LV_PAST_TURNS] <= LV_PAST_MOST_TURNS &&
           past[LV_PAST_ALIKE] >= 1 && past[LV_PAST_ALIKE] <= past[LV_PAST_COUNT] &&
           past[LV_PAST_STEPS + LV_PAST_LAST] == h;
}

static bool is_same(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool is_handover_ready(const lv_lanes *x, const lv_lane_handover *h,
                              const lv_stepper *s, const lv_state *state)
{
    const double *kept = s->memory + h->memory;
    const lv_lane_field *q = &x->map.field[h->q];
    return kept[KEPT_ANY] == 1 && (!h->of_time || kept[KEPT_TIME] == state->t) &&
           is_same(kept + KEPT_POINT, field_of(q, s, state), q->size) &&
           (h->v < 0 || is_same(kept + KEPT_POINT + h->points,
                                field_of(&x->map.field[h->v], s, state), h->n));
}

static bool is_ready(const lv_lanes *x, lv_stepper *s, const lv_state *state, double h)
{
    const double number = s->memory[LV_MEMORY_STEPS];
    bool ready = h > 0 && number >= 1 && number <= LV_STEP_ROUND &&
                 s->memory[LV_MEMORY_SUBSTEPS] == 0 &&
                 (!s->remembers || s->memory[LV_MEMORY_SIZE] == h) &&
                 lv_frozen_is_settled(&s->frozen);
    for (int k = 0; ready && k < x->map.phases; k++) {
        const double *memory = s->memory + x->map.phase[k].memory;
        ready = memory[LV_NOTE_SIZE] == h && is_past_ready(memory + LV_NOTES, h);
    }
    /* The last step may still be in a workspace: this call copies it to the memory, and
     * sorts past values. */
    if (ready)
        (void)lv_stepper_memory(s);
    for (int k = 0; ready && k < x->map.phases; k++)
        ready =
            s->memory[x->map.phase[k].memory + LV_NOTES + LV_PAST_NEWEST] == LV_PAST_LAST;
    for (int k = 0; ready && k < x->map.handovers; k++)
        ready = is_handover_ready(x, &x->map.handover[k], s, state);
    return ready;
}

/* The value of unknown r in a lane, `back` steps before the newest one. */
static double *value_of(const lv_lanes *x, int lane, int phase, int r, int back)
{
    return lv_lane_value(x, phase, r) - (ptrdiff_t)back * LV_LANES + lane;
}

/* Stores it in the ring and in its copy. */
static void put_value(const lv_lanes *x, int lane, int phase, int r, int back,
                      double value)
{
    enum { APART = LV_LANE_DEPTH * LV_LANES };
    double *to = value_of(x, lane, phase, r, back);
    to[0] = value;
    to[x->newest - back < LV_LANE_DEPTH ? APART : -APART] = value;
}

/* Copies the past values of a phase to a lane. */
static void enter_past(lv_lanes *x, int lane, int phase, const double *memory)
{
    lv_lane_past *past = &x->past[phase];
    const double *numbers = memory + LV_NOTES;
    const int size = x->map.phase[phase].count, used = (int)numbers[LV_PAST_USED];
    double usual[LV_PREDICTOR_DEPTH] = {0};
    for (int k = 0; k < LV_PREDICTOR_DEPTH; k++)
        for (int r = 0; r < size; r++)
            put_value(x, lane, phase, r, k,
                      numbers[LV_PAST_VALUES + (ptrdiff_t)(LV_PAST_LAST - k) * size + r]);
    lv_predictor_weights(usual, used, (int)numbers[LV_PAST_TURNS]);
    for (int k = 0; k < LV_PREDICTOR_DEPTH; k++)
        past->usual[k][lane] = past->weight[k][lane] = usual[k];
    past->used[lane] = used;
    past->known[lane] = (int)numbers[LV_PAST_COUNT];
    past->curve[lane] = memory[LV_NOTE_CURVE];
    past->curvature[lane] = lv_step_curvature(false, past->curve[lane]);
    past->probing[lane] = false;
    past->far[lane] = lv_lane_is_far(used, false);
}

static void enter_handover(lv_lanes *x, int lane, int number, const lv_stepper *s)
{
    const lv_lane_handover *h = &x->map.handover[number];
    const double *kept = s->memory + h->memory;
    x->time[(ptrdiff_t)number * LV_LANES + lane] = kept[KEPT_TIME];
    kept += KEPT_POINT + h->points + h->n;
    for (int k = 0; k < h->parts; kept += h->part[k++].count)
        put(lv_lane_input(x, h->part[k].input), lane, kept, h->part[k].count);
}

/* Copies parameters, numbers of instances and constants, which may differ between
 * lanes. */
static void enter_program(lv_lanes *x, int lane, lv_fused *f, double h)
{
    const lv_program *p = x->program;
    put(lv_lane_slot(x, p->constants), lane, f->program->constant, p->constant_count);
    lv_program_put(p, LV_INPUT_P, lv_fused_parameters(f), x->workspace, LV_LANES, lane);
    lv_program_put(p, LV_INPUT_I, lv_fused_numbers(f, h), x->workspace, LV_LANES, lane);
    lv_program_put(p, LV_INPUT_Y, lv_fused_sizes(f), x->workspace, LV_LANES, lane);
    lv_program_run(p, LV_SEGMENT_UNIFORM, x->workspace, LV_LANES);
    lv_program_run(p, LV_SEGMENT_INSTANCE, x->workspace, LV_LANES);
}

/* Marks a lane as used by a stepper, or as free if s is NULL. */
static void occupy(lv_lanes *x, int lane, lv_stepper *s)
{
    lv_lanes_count(x);
    x->usual = 0;
    x->stepper[lane] = s;
    x->going[lane] = x->there[lane] = s != NULL;
}

bool lv_lanes_enter(lv_lanes *x, int lane, lv_stepper *s, const lv_state *state, double h)
{
    if (!is_ready(x, s, state, h))
        return false;
    occupy(x, lane, s);
    x->h[lane] = h;
    x->number[lane] = (int)s->memory[LV_MEMORY_STEPS];
    x->made[lane] = 0;
    x->count[lane] = (lv_lane_count){0};
    x->behind[lane] = false;
    enter_program(x, lane, lv_lane_fused(s), h);
    for (int k = 0; k < x->map.fields; k++) {
        const lv_lane_field *f = &x->map.field[k];
        if (f->size > 0)
            put(lv_lane_input(x, f->input), lane, field_of(f, s, state), f->size);
    }
    if (x->map.taken_count > 0)
        put(lv_lane_input(x, x->map.taken), lane, s->frozen.taken, x->map.taken_count);
    for (int k = 0; k < x->map.handovers; k++)
        enter_handover(x, lane, k, s);
    for (int k = 0; k < x->map.phases; k++)
        enter_past(x, lane, k, s->memory + x->map.phase[k].memory);
    return true;
}

/* ---- leaving ----------------------------------------------------------------------- */

static void leave_past(const lv_lanes *x, int lane, int phase, double *memory)
{
    const lv_lane_past *past = &x->past[phase];
    const long long made = x->made[lane];
    const int size = x->map.phase[phase].count;
    const int depth = LV_PREDICTOR_DEPTH, behind = x->behind[lane] ? 1 : 0;
    double *numbers = memory + LV_NOTES;
    int place = (int)((made + (long long)numbers[LV_PAST_NEWEST]) % depth);
    memory[LV_NOTE_CURVE] = past->curve[lane];
    numbers[LV_PAST_NEWEST] = place;
    numbers[LV_PAST_COUNT] = past->known[lane];
    const double alike = (double)made + numbers[LV_PAST_ALIKE];
    numbers[LV_PAST_ALIKE] = alike < depth ? alike : depth;
    numbers[LV_PAST_STEP] = x->h[lane];
    for (int k = 0; k < depth && k < made; k++) {
        for (int r = 0; r < size; r++)
            numbers[LV_PAST_VALUES + (ptrdiff_t)place * size + r] =
                *value_of(x, lane, phase, r, k + behind);
        place = place > 0 ? place - 1 : depth - 1;
    }
    lv_predictor_sort(numbers, size);
    /* The newest step before had the same size. */
    double *steps = numbers + LV_PAST_STEPS;
    for (int k = 0; k < depth; k++)
        steps[k] = k + made < depth ? steps[k + made] : x->h[lane];
}

static void leave_handover(const lv_lanes *x, int lane, int number, const lv_stepper *s)
{
    const lv_lane_handover *h = &x->map.handover[number];
    double *kept = s->memory + h->memory;
    kept[KEPT_TIME] = x->time[(ptrdiff_t)number * LV_LANES + lane];
    const lv_lane_field *q = &x->map.field[h->q];
    get(kept + KEPT_POINT, lv_lane_input(x, q->input), lane, q->size);
    if (h->v >= 0)
        get(kept + KEPT_POINT + h->points, lv_lane_input(x, x->map.field[h->v].input),
            lane, h->n);
    kept += KEPT_POINT + h->points + h->n;
    for (int k = 0; k < h->parts; kept += h->part[k++].count)
        get(kept, lv_lane_input(x, h->part[k].input), lane, h->part[k].count);
}

static void get_field(const lv_lanes *x, int lane, int number, double *to)
{
    const lv_lane_field *f = &x->map.field[number];
    get(to, lv_lane_input(x, f->input), lane, f->size);
}

void lv_lanes_state(const lv_lanes *x, int lane, lv_state *state)
{
    get_field(x, lane, x->map.q, state->q);
    get_field(x, lane, x->map.v, state->v);
    get_field(x, lane, x->map.p, state->p);
}

lv_state lv_lanes_states(const lv_lanes *x)
{
    const lv_lane_field *f = x->map.field;
    return (lv_state){.q = lv_lane_input(x, f[x->map.q].input),
                      .v = lv_lane_input(x, f[x->map.v].input),
                      .p = lv_lane_input(x, f[x->map.p].input)};
}

lv_lane_count lv_lanes_take_count(lv_lanes *x, int lane)
{
    lv_lanes_count(x);
    const lv_lane_count count = x->count[lane];
    x->count[lane] = (lv_lane_count){0};
    return count;
}

void lv_lanes_leave(lv_lanes *x, int lane, lv_state *state)
{
    lv_stepper *s = x->stepper[lane];
    occupy(x, lane, NULL);
    if (x->made[lane] == 0)
        return;
    for (int k = 0; k < x->map.fields; k++) {
        const lv_lane_field *f = &x->map.field[k];
        if (f->size > 0)
            get_field(x, lane, k, field_of(f, s, state));
    }
    for (int k = 0; k < x->map.handovers; k++)
        leave_handover(x, lane, k, s);
    for (int k = 0; k < x->map.phases; k++)
        leave_past(x, lane, k, s->memory + x->map.phase[k].memory);
    s->memory[LV_MEMORY_STEPS] = x->number[lane];
    s->course->finished = false;
    s->by_program = false;
}
