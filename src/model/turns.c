#include "model/turns.h"

#include "expr/function.h"

#include <math.h>

/* The points of the angles of one kernel. */
typedef struct part {
    const lv_kernel *kernel;
    lv_program *program; /* computes x and y of every angle */
    double *workspace;   /* one lane */
} part;

struct lv_turns {
    const lv_model *model;
    LV_ARRAY(part) parts;
    /* nesting depth of angles in points of angles: number of passes that a start needs */
    int depth;
};

const double *lv_turns_of(const lv_model *m, const lv_kernel *k, int instance)
{
    const ptrdiff_t first = k->first_turn + (ptrdiff_t)instance * k->turn_count;
    return m->references ? m->references + first * LV_TURN_NUMBERS : NULL;
}

/* ---- formulas ------------------------------------------------------------------------------- */

static lv_status add_part(lv_turns *turns, const lv_kernel *kernel, lv_error *err)
{
    const lv_model *m = turns->model;
    lv_kinds kinds = 0;
    if (!LV_PUSH(turns->parts, (part){.kernel = kernel}))
        return lv_fail_memory(err);
    part *p = &turns->parts.data[turns->parts.count - 1];
    LV_TRY(lv_program_compile(&p->program, kernel->graph, kernel->turns,
                              2 * kernel->turn_count, &kernel->layout, err));
    p->workspace = lv_memory_zeroed((size_t)p->program->slots, sizeof *p->workspace);
    if (!p->workspace)
        return lv_fail_memory(err);
    lv_program_load(p->program, p->workspace, 1);
    lv_program_put(p->program, LV_INPUT_P, m->parameter_values.data, p->workspace, 1, 0);
    lv_program_run(p->program, LV_SEGMENT_UNIFORM, p->workspace, 1);
    LV_TRY(lv_analyse_reach(kernel->graph, &kinds, kernel->turns, 2 * kernel->turn_count,
                            err));
    if ((kinds & LV_KIND(R)) && kernel->turn_count > turns->depth)
        turns->depth = kernel->turn_count;
    return LV_OK;
}

lv_status lv_turns_create(lv_turns **result, const lv_model *model,
                          const lv_kernel *kernels, int count, lv_error *err)
{
    *result = NULL;
    lv_turns *turns = lv_memory_zeroed(1, sizeof *turns);
    if (!turns)
        return lv_fail_memory(err);
    lv_status status = LV_OK;
    turns->model = model;
    turns->depth = 1;
    for (int k = 0; status == LV_OK && k < count; k++)
        if (kernels[k].turn_count > 0)
            status = add_part(turns, &kernels[k], err);
    if (status == LV_OK)
        *result = turns;
    else
        lv_turns_free(turns);
    return status;
}

void lv_turns_free(lv_turns *turns)
{
    if (!turns)
        return;
    for (int k = 0; k < turns->parts.count; k++) {
        lv_program_free(turns->parts.data[k].program);
        lv_memory_free(turns->parts.data[k].workspace);
    }
    LV_ARRAY_FREE(turns->parts);
    lv_memory_free(turns);
}

/* ---- references ----------------------------------------------------------------------------- */

/* Sets r to `quarters` right angles, with cosine and sine. */
static void set_reference(double *r, double quarters)
{
    const double half_pi = 1.57079632679489661923;
    const double cosines[] = {1, 0, -1, 0};
    const int k = (int)(quarters - 4 * floor(quarters / 4));
    r[0] = quarters * half_pi;
    r[1] = cosines[k];
    r[2] = cosines[(k + 3) % 4];
}

/* The number of right angles between a point and a reference, from -2 to 2; 0 for a point
 * without an angle. */
static double quarters_from(const double *r, double x, double y)
{
    const double half_pi = 1.57079632679489661923;
    const double along = x * r[1] + y * r[2], across = y * r[1] - x * r[2];
    if (fabs(across) <= along || !isfinite(along) || !isfinite(across) ||
        (along == 0 && across == 0))
        return 0;
    return round(atan2(across + 0.0, along) / half_pi); /* adding 0.0 turns -0 into +0 */
}

static void follow_angle(double *r, double x, double y)
{
    const double half_pi = 1.57079632679489661923, by = quarters_from(r, x, y);
    if (by != 0)
        set_reference(r, round(r[0] / half_pi) + by);
}

static void load_instance(const lv_model *model, const part *p, int instance,
                          const double *references, double t, const double *q,
                          const double *v)
{
    const lv_kernel *k = p->kernel;
    const lv_program *program = p->program;
    const int *where = k->where + (size_t)instance * (size_t)k->slot_count;
    double *own_q = p->workspace + program->input[LV_INPUT_Q];
    double *own_v = p->workspace + program->input[LV_INPUT_V];
    for (int s = 0; s < k->slot_count; s++)
        for (int j = 0; j < k->slots[s].length; j++) {
            own_q[k->slots[s].first + j] = q[where[s] + j];
            own_v[k->slots[s].first + j] = v[where[s] + j];
        }
    lv_model_put_time(model, program, t, p->workspace, 1, 0);
    lv_program_put(program, LV_INPUT_R, references, p->workspace, 1, 0);
    lv_kernel_put(k, program, instance, p->workspace, 1, 0);
}

void lv_turns_follow(lv_turns *turns, double *references, double t, const double *q,
                     const double *v)
{
    for (int k = 0; k < turns->parts.count; k++) {
        const part *p = &turns->parts.data[k];
        const int count = p->kernel->turn_count, *output = p->program->output;
        double *r = references + (ptrdiff_t)p->kernel->first_turn * LV_TURN_NUMBERS;
        for (int i = 0; i < p->kernel->instance_count; i++) {
            load_instance(turns->model, p, i, r, t, q, v);
            lv_program_run(p->program, LV_SEGMENT_INSTANCE, p->workspace, 1);
            lv_program_run(p->program, LV_SEGMENT_MAIN, p->workspace, 1);
            const int *pair = output;
            for (int j = 0; j < count; j++, pair += 2, r += LV_TURN_NUMBERS)
                follow_angle(r, p->workspace[pair[0]], p->workspace[pair[1]]);
        }
    }
}

/* Starts at the reference 0 and follows each angle to its value; inner angles come before
 * outer ones. */
void lv_turns_start(lv_turns *turns, double *references, double t, const double *q,
                    const double *v)
{
    for (int k = 0; k < turns->parts.count; k++) {
        const lv_kernel *kernel = turns->parts.data[k].kernel;
        double *r = references + (ptrdiff_t)kernel->first_turn * LV_TURN_NUMBERS;
        for (int j = 0; j < kernel->turn_count * kernel->instance_count; j++)
            set_reference(r + (ptrdiff_t)j * LV_TURN_NUMBERS, 0);
    }
    for (int pass = 0; pass < turns->depth; pass++)
        lv_turns_follow(turns, references, t, q, v);
}

/* ---- models ------------------------------------------------------------------------ */

lv_status lv_model_start_turns(lv_model *m, lv_error *err)
{
    lv_turns *turns = NULL;
    LV_TRY(lv_turns_create(&turns, m, m->kernels.data, m->kernels.count, err));
    lv_turns_start(turns, m->references, 0, m->start_q, m->start_v);
    lv_turns_free(turns);
    return LV_OK;
}

lv_status lv_model_place_turns(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->kernels.count; k++) {
        lv_kernel *kernel = &m->kernels.data[k];
        int count = 0;
        kernel->first_turn = m->turn_count;
        if (!lv_int_mul(kernel->turn_count, kernel->instance_count, &count) ||
            !lv_int_add(m->turn_count, count, &m->turn_count))
            return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(kernel->entry->place),
                              "too many angles");
    }
    if (m->turn_count == 0)
        return LV_OK;
    m->references = lv_arena_alloc(&m->arena, LV_TURN_NUMBERS * (size_t)m->turn_count,
                                   sizeof *m->references);
    return m->references ? lv_model_start_turns(m, err) : lv_fail_memory(err);
}
