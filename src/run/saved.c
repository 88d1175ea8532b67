/* The complete state of a simulation as numbers, for callers that go back, for copies and
 * for checkpoints. */
#include "run/sim.h"

#include "base/usage.h"
#include "run/events.h"

#include <math.h>
#include <string.h>

/* Numbers at the beginning. */
enum { KIND, START_TIME, STEPS, TIME, ITERATIONS, STAGNATED, STEP, HEAD };

/* The arrays that follow, in order. */
typedef struct part {
    double *numbers;
    size_t count;
} part;

enum { PARTS = 9 };

static void find_parts(const lv_sim *sim, part parts[PARTS])
{
    const size_t n = (size_t)sim->system->n;
    const lv_memory_view memory = sim->scheme->memory(sim->work);
    const part list[PARTS] = {
        {sim->state.q, n},
        {sim->state.v, n},
        {sim->state.p, n},
        {sim->system->references, (size_t)lv_system_reference_count(sim->system)},
        {memory.numbers, (size_t)memory.count},
        {sim->balance.numbers, (size_t)sim->balance.number_count},
        {sim->system->inputs, (size_t)sim->model->input_count},
        {sim->changes.numbers, (size_t)sim->changes.number_count},
        {sim->events.numbers, (size_t)sim->events.number_count}};
    memcpy(parts, list, sizeof list);
}

int lv_sim_number_count(const lv_sim *sim)
{
    part parts[PARTS];
    size_t count = HEAD;
    find_parts(sim, parts);
    for (int k = 0; k < PARTS; k++)
        count += parts[k].count;
    return (int)count;
}

/* ---- which simulations can exchange states ---------------------------------------------------- */

/* FNV-1a */
static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    return mix(hash, text, strlen(text) + 1);
}

static uint64_t mix_model(uint64_t hash, const lv_sim *sim)
{
    const lv_model *model = sim->model;
    char name[200];
    for (int k = 0; k < sim->system->n; k++)
        hash = mix_text(hash, lv_model_coordinate_name(model, k, name, sizeof name));
    for (int k = 0; k < sim->system->constraint_count; k++)
        hash = mix_text(hash, lv_model_constraint_name(model, k, name, sizeof name));
    return mix(hash, model->parameter_values.data,
               (size_t)model->parameter_values.count * sizeof(double));
}

double lv_sim_kind(const lv_sim *sim)
{
    part parts[PARTS];
    uint64_t hash = mix_text(UINT64_C(0xcbf29ce484222325), "simulation 4");
    hash = mix_text(hash, sim->scheme->info.name);
    for (int k = 0; k < LV_OPTIONS; k++) {
        const double value = lv_scheme_option(&sim->options, (lv_option)k, (double)NAN);
        hash = isnan(value) ? mix_text(hash, "-") : mix(hash, &value, sizeof value);
    }
    hash = mix(mix_model(hash, sim), &sim->h, sizeof sim->h);
    find_parts(sim, parts);
    for (int k = 0; k < PARTS; k++)
        hash = mix(hash, &parts[k].count, sizeof parts[k].count);
    return (double)(hash >> 11);
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

static void write_head(const lv_sim *sim, double head[HEAD])
{
    head[KIND] = sim->kind;
    head[STEP] = sim->h;
    head[START_TIME] = sim->start_time;
    head[STEPS] = (double)sim->steps;
    head[TIME] = sim->state.t;
    head[ITERATIONS] = sim->iterations;
    head[STAGNATED] = sim->stagnated;
}

/* Reads the head and drops everything known from the last step. */
static void read_head(lv_sim *sim, const double head[HEAD])
{
    sim->scheme->forget(sim->work);
    sim->h = head[STEP];
    sim->start_time = head[START_TIME];
    sim->steps = (long long)head[STEPS];
    sim->state.t = head[TIME];
    sim->iterations = (int)head[ITERATIONS];
    sim->stagnated = head[STAGNATED] != 0;
    sim->last_h = sim->saved_h = 0;
}

void lv_sim_write_numbers(const lv_sim *sim, double *to)
{
    part parts[PARTS];
    write_head(sim, to);
    to += HEAD;
    find_parts(sim, parts);
    for (int k = 0; k < PARTS; to += parts[k++].count)
        if (parts[k].count > 0)
            memcpy(to, parts[k].numbers, parts[k].count * sizeof *to);
}

static bool is_count(double x)
{
    return x >= 0 && x <= (double)LV_SIM_STEPS && x == floor(x);
}

bool lv_sim_numbers_are_sound(const lv_sim *sim, const double *from)
{
    bool sound = from[KIND] == sim->kind && is_count(from[STEPS]) &&
                 is_count(from[ITERATIONS]) && is_count(from[STAGNATED]) &&
                 from[STEP] > 0 && isfinite(from[STEP]) && isfinite(from[START_TIME]) &&
                 isfinite(from[TIME]);
    for (int k = 0; k < 3 * sim->system->n; k++)
        sound = sound && isfinite(from[HEAD + k]);
    const int events = lv_sim_number_count(sim) - sim->events.number_count;
    return sound && lv_events_are_sound(&sim->events, from + events);
}

void lv_sim_read_numbers(lv_sim *sim, const double *from)
{
    part parts[PARTS];
    read_head(sim, from);
    from += HEAD;
    find_parts(sim, parts);
    for (int k = 0; k < PARTS; from += parts[k++].count)
        if (parts[k].count > 0)
            memcpy(parts[k].numbers, from, parts[k].count * sizeof *from);
}

/* ---- for callers ---------------------------------------------------------------------------------------- */

int lv_sim_save_count(const lv_sim *sim)
{
    return sim ? lv_sim_number_count(sim) : 0;
}

static lv_status check_count(const lv_sim *sim, const char *function, int count,
                             lv_error *err)
{
    LV_TRY(lv_need_count(err, function, "count", count));
    const int right = lv_sim_number_count(sim);
    if (count == right)
        return LV_OK;
    return lv_fail(err, LV_ERR_USAGE,
                   "%s: count is %d, but the state of the simulation has %d numbers",
                   function, count, right);
}

lv_status lv_sim_save(const lv_sim *sim, double *numbers, int count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, numbers);
    LV_TRY(check_count(sim, __func__, count, err));
    lv_sim_write_numbers(sim, numbers);
    return LV_OK;
}

lv_status lv_sim_restore(lv_sim *sim, const double *numbers, int count, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, numbers);
    LV_TRY(check_count(sim, __func__, count, err));
    if (numbers[KIND] != sim->kind)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_restore: numbers are those of a simulation with another "
                       "model, scheme, option or step");
    if (!lv_sim_numbers_are_sound(sim, numbers))
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_restore: numbers are not those that lv_sim_save wrote");
    lv_sim_read_numbers(sim, numbers);
    return LV_OK;
}

/* Copies the parts one by one, so that no storage for all of them is needed. */
lv_status lv_sim_copy(lv_sim *sim, const lv_sim *from, lv_error *err)
{
    part to[PARTS], parts[PARTS];
    double head[HEAD];
    lv_error_clear(err);
    LV_NEED(err, sim);
    LV_NEED(err, from);
    if (sim == from)
        return LV_OK;
    if (sim->kind != from->kind)
        return lv_fail(err, LV_ERR_USAGE,
                       "lv_sim_copy: sim and from differ in their model, scheme, options "
                       "or step");
    write_head(from, head);
    read_head(sim, head);
    find_parts(sim, to);
    find_parts(from, parts);
    for (int k = 0; k < PARTS; k++)
        if (parts[k].count > 0)
            memcpy(to[k].numbers, parts[k].numbers,
                   parts[k].count * sizeof *parts[k].numbers);
    return LV_OK;
}
