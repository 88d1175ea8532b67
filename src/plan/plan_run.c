/* Evaluates a plan: gathers the inputs of a block of instances, runs the program, and
 * adds the results where they belong. */
#include "base/inline.h"
#include "expr/domain.h"
#include "plan/plan_private.h"

#include <math.h>
#include <string.h>

static double *input(const lv_plan_part *p, lv_input kind)
{
    return p->workspace + (size_t)p->program->input[kind] * (size_t)p->lanes;
}

/* Number of instances in a block; the other lanes repeat the last one. */
static int real_lanes(const lv_plan_part *p, int block)
{
    int left = p->kernel->instance_count - block * p->lanes;
    return left < p->lanes ? left : p->lanes;
}

static void load_carried(const lv_plan_part *p, int block)
{
    int n = p->program->carried_count, lanes = p->lanes;
    const double *from = p->carried + (size_t)block * (size_t)(n * lanes);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < lanes; l++)
            p->workspace[p->program->carried[k] * lanes + l] = from[k * lanes + l];
}

static void save_carried(const lv_plan_part *p, int block)
{
    int n = p->program->carried_count, lanes = p->lanes;
    double *to = p->carried + (size_t)block * (size_t)(n * lanes);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < lanes; l++)
            to[k * lanes + l] = p->workspace[p->program->carried[k] * lanes + l];
}

static void load_numbers(const lv_plan_part *p, int block)
{
    int real = real_lanes(p, block);
    for (int l = 0; l < p->lanes; l++) {
        int instance = block * p->lanes + (l < real ? l : real - 1);
        lv_kernel_put(p->kernel, p->program, instance, p->workspace, p->lanes, l);
    }
}

void lv_plan_part_refresh(lv_plan_part *p, const double *parameters)
{
    lv_program_load(p->program, p->workspace, p->lanes);
    for (int l = 0; l < p->lanes; l++)
        lv_program_put(p->program, LV_INPUT_P, parameters, p->workspace, p->lanes, l);
    lv_program_run(p->program, LV_SEGMENT_UNIFORM, p->workspace, p->lanes);
    for (int block = 0; block < p->carried_blocks; block++) {
        load_numbers(p, block);
        lv_program_run(p->program, LV_SEGMENT_INSTANCE, p->workspace, p->lanes);
        save_carried(p, block);
    }
}

/* ---- gather ------------------------------------------------------------------------ */

/* The indices of a block. */
static inline const int *indices(const lv_table *t, int block)
{
    return t->index + (size_t)block * (size_t)t->size;
}

/* The lanes of a slot, whose numbers are `stride` apart. */
LV_INLINE void gather_apart(double *to, const double *from, ptrdiff_t stride)
{
    for (int l = 0; l < LV_LANES; l++)
        to[l] = from[l * stride];
}

/* Slots with a common stride. */
LV_INLINE void gather_alike(double *to, const double *from, const lv_table *t, int block,
                            ptrdiff_t stride)
{
    const lv_walk *walk = t->walk, *const end = walk + t->size / LV_LANES;
    const ptrdiff_t begin = stride * block * LV_LANES;
    for (; walk < end; walk++, to += LV_LANES)
        gather_apart(to, from + (begin + walk->first), stride);
}

/* Points in space and in the plane, and single numbers, are what most slots belong to. */
static void gather_walk(double *to, const double *from, const lv_table *t, int block)
{
    const int slots = t->size / LV_LANES;
    if (t->stride == 3)
        gather_alike(to, from, t, block, 3);
    else if (t->stride == 2)
        gather_alike(to, from, t, block, 2);
    else if (t->stride == 1)
        gather_alike(to, from, t, block, 1);
    else if (t->stride != 0)
        gather_alike(to, from, t, block, t->stride);
    else
        for (int k = 0; k < slots; k++, to += LV_LANES) {
            const ptrdiff_t stride = t->walk[k].stride;
            gather_apart(to, from + t->walk[k].first + stride * block * LV_LANES, stride);
        }
}

/* Numbers of the point that are gathered through a table. */
typedef struct load {
    double *to;
    const double *from;
    const lv_table *table;
} load;

/* All numbers of a block; whole: it has as many instances as lanes. */
static void gather(const load *x, int block, bool whole)
{
    const int *index = indices(x->table, block);
    if (whole && x->table->walk) {
        gather_walk(x->to, x->from, x->table, block);
        return;
    }
    for (int k = 0; k < x->table->size; k++)
        x->to[k] = x->from[index[k]];
}

/* Copies the multipliers that an instance of an output uses into one lane. */
static void gather_multipliers(const lv_kernel *k, double *to, int lanes, const double *y,
                               int instance)
{
    const int *rows = k->multiplier_rows + (ptrdiff_t)instance * k->multiplier_count;
    for (int j = 0; j < k->multiplier_count; j++) {
        const lv_multiplier *used = &k->multipliers[j];
        for (int r = 0; r < used->length; r++)
            to[(ptrdiff_t)(used->first + r) * lanes] = y[rows[j] + r];
    }
}

static void gather_rows(const lv_plan_part *p, const double *y, int block)
{
    const lv_kernel *k = p->kernel;
    double *to = input(p, LV_INPUT_Y);
    int real = real_lanes(p, block), m = k->row_count;
    if (lv_role_is_result(k->role)) {
        for (int l = 0; l < p->lanes; l++)
            gather_multipliers(k, to + l, p->lanes, y,
                               block * p->lanes + (l < real ? l : real - 1));
        return;
    }
    for (int r = 0; r < m; r++)
        for (int l = 0; l < p->lanes; l++) {
            int instance = block * p->lanes + (l < real ? l : real - 1);
            to[r * p->lanes + l] = y[p->first_rate + instance * m + r];
        }
}

static void gather_references(const lv_plan_part *p, int block)
{
    const int real = real_lanes(p, block), count = p->program->input_size[LV_INPUT_R];
    double *to = input(p, LV_INPUT_R);
    for (int l = 0; l < p->lanes; l++) {
        const int instance = block * p->lanes + (l < real ? l : real - 1);
        for (int k = 0; k < count; k++)
            to[k * p->lanes + l] = p->references[(ptrdiff_t)instance * count + k];
    }
}

/* Loads the time and, behind it, the model's inputs. */
static void load_time(const lv_plan_part *p, double t)
{
    double *to = input(p, LV_INPUT_T);
    for (int l = 0; l < p->lanes; l++)
        to[l] = t;
    for (int k = 1; k < p->program->input_size[LV_INPUT_T]; k++)
        for (int l = 0; l < p->lanes; l++)
            to[k * p->lanes + l] = p->inputs[k - 1];
}

enum { LOADS = 5 };

/* Lists all that is gathered through tables; returns its count. */
static int list_loads(const lv_plan_part *p, const lv_point *point, load list[LOADS])
{
    const lv_table *tangent = &p->tangent;
    int count = 0;
    if (p->kinds & LV_KIND(Q))
        list[count++] = (load){input(p, LV_INPUT_Q), point->q, &p->global};
    if (p->kinds & LV_KIND(V))
        list[count++] = (load){input(p, LV_INPUT_V), point->v, tangent};
    if (p->kinds & LV_KIND(W))
        list[count++] = (load){input(p, LV_INPUT_W), point->w, tangent};
    if (p->paired)
        list[count++] = (load){input(p, LV_INPUT_W) + p->global.size, point->x, tangent};
    if (p->kinds & LV_KIND(A))
        list[count++] = (load){input(p, LV_INPUT_A), point->a, tangent};
    return count;
}

/* Gathers what few parts need. */
static void gather_rest(const lv_plan_part *p, const lv_point *point, int block)
{
    if (p->kinds & LV_KIND(Y))
        gather_rows(p, point->y, block);
    if (p->kinds & LV_KIND(R))
        gather_references(p, block);
    for (int k = 0; p->kinds & LV_KIND(E) && k < LV_RESULT_ENERGIES; k++)
        for (int l = 0; l < p->lanes; l++)
            input(p, LV_INPUT_E)[k * p->lanes + l] = point->e[k];
    if (p->carried_blocks > 1)
        load_carried(p, block);
}

static inline void gather_block(const lv_plan_part *p, const lv_point *point,
                                const load *list, int count, int block, int real)
{
    for (int k = 0; k < count; k++)
        gather(&list[k], block, real == LV_LANES);
    if (p->kinds & (LV_KIND(Y) | LV_KIND(R) | LV_KIND(E)) || p->carried_blocks > 1)
        gather_rest(p, point, block);
}

/* ---- scatter ----------------------------------------------------------------------- */

/* The lanes of an output, whose places are `stride` apart. */
LV_INLINE void scatter_apart(double *to, const double *from, ptrdiff_t stride, bool once)
{
    for (int l = 0; l < LV_LANES; l++, to += stride)
        *to = once ? from[l] : *to + from[l];
}

/* A whole block of results, whose places follow a rule. */
LV_INLINE void scatter_walk(const lv_plan_part *p, const lv_scatter *s, int block,
                            double *result, bool once)
{
    const int *output = p->program->output + s->first;
    for (int k = 0; k < s->count; k++) {
        const double *from = p->workspace + (size_t)output[k] * LV_LANES;
        const ptrdiff_t stride = s->to.walk[k].stride;
        scatter_apart(result + s->to.walk[k].first + stride * block * LV_LANES, from,
                      stride, once);
    }
}

/* The same, with a common stride. */
LV_INLINE void scatter_alike(const lv_plan_part *p, const lv_scatter *s, int block,
                             double *result, ptrdiff_t stride, bool once)
{
    const int *output = p->program->output + s->first;
    const double *workspace = p->workspace;
    const lv_walk *walk = s->to.walk, *const end = walk + s->count;
    const ptrdiff_t begin = stride * block * LV_LANES;
    for (; walk < end; walk++, output++)
        scatter_apart(result + (begin + walk->first),
                      workspace + (size_t)*output * LV_LANES, stride, once);
}

static void scatter_whole(const lv_plan_part *p, const lv_scatter *s, int block,
                          double *result)
{
    if (s->to.stride != 0 && s->once)
        scatter_alike(p, s, block, result, s->to.stride, true);
    else if (s->to.stride != 0)
        scatter_alike(p, s, block, result, s->to.stride, false);
    else if (s->once)
        scatter_walk(p, s, block, result, true);
    else
        scatter_walk(p, s, block, result, false);
}

/* Adds or stores the first `real` of `lanes` results of every output. The compiler
 * usually knows both numbers. */
static inline void scatter(const lv_plan_part *p, const lv_scatter *s, int block,
                           double *result, int lanes, int real)
{
    const int *to = indices(&s->to, block), *output = p->program->output + s->first;
    for (int k = 0; k < s->count; k++, to += lanes) {
        const double *from = p->workspace + (size_t)output[k] * (size_t)lanes;
        if (s->once)
            for (int l = 0; l < real; l++)
                result[to[l]] = from[l];
        else
            for (int l = 0; l < real; l++)
                result[to[l]] += from[l];
    }
}

/* Adds a block to the partial sums of its lanes, which are independent of each other. */
static void sum_block(const lv_plan_part *p, const lv_scatter *s, int real)
{
    const int *output = p->program->output + s->first;
    for (int k = 0; k < s->count; k++) {
        const double *restrict from = p->workspace + (size_t)output[k] * LV_LANES;
        double *restrict sum = s->sums + (size_t)k * LV_LANES;
        if (real == LV_LANES)
            for (int l = 0; l < LV_LANES; l++)
                sum[l] += from[l];
        else
            for (int l = 0; l < real; l++)
                sum[l] += from[l];
    }
}

static void clear_sums(const lv_plan_part *p)
{
    for (int k = 0; k < p->scatter_count; k++)
        if (p->scatters[k].sums)
            memset(p->scatters[k].sums, 0,
                   (size_t)p->scatters[k].count * LV_LANES * sizeof(double));
}

/* Adds the partial sums lane by lane: up to LV_LANES instances are added in their
 * order. */
static void add_sums(const lv_plan_part *p, double *const result[LV_QUANTITIES])
{
    for (int k = 0; k < p->scatter_count; k++) {
        const lv_scatter *s = &p->scatters[k];
        for (int j = 0; s->sums && j < s->count; j++) {
            double *to = &result[s->quantity][s->to.index[(size_t)j * LV_LANES]];
            for (int l = 0; l < LV_LANES; l++)
                *to += s->sums[(size_t)j * LV_LANES + (size_t)l];
        }
    }
}

static void scatter_block(const lv_plan_part *p, int block, int real,
                          double *const result[LV_QUANTITIES])
{
    for (int k = 0; k < p->scatter_count; k++) {
        const lv_scatter *s = &p->scatters[k];
        double *to = result[s->quantity];
        if (s->sums)
            sum_block(p, s, real);
        else if (p->lanes == 1)
            scatter(p, s, block, to, 1, 1);
        else if (real == LV_LANES && s->to.walk)
            scatter_whole(p, s, block, to);
        else if (real == LV_LANES)
            scatter(p, s, block, to, LV_LANES, LV_LANES);
        else
            scatter(p, s, block, to, LV_LANES, real);
    }
}

void lv_plan_part_run(lv_plan_part *p, const lv_point *point,
                      double *const result[LV_QUANTITIES])
{
    if (p->kinds & LV_KIND(T))
        load_time(p, point->t);
    clear_sums(p);
    load list[LOADS];
    const int loads = list_loads(p, point, list);
    for (int block = 0; block < p->blocks; block++) {
        const int real = real_lanes(p, block);
        gather_block(p, point, list, loads, block, real);
        lv_program_run(p->program, LV_SEGMENT_MAIN, p->workspace, p->lanes);
        scatter_block(p, block, real, result);
    }
    add_sums(p, result);
}

void lv_plan_run(lv_plan *plan, const lv_point *point)
{
    for (int k = 0; k < plan->reset_count; k++) {
        lv_quantity q = plan->reset[k];
        memcpy(plan->result[q], plan->base[q], (size_t)plan->size[q] * sizeof(double));
    }
    for (int k = 0; k < plan->varying.count; k++)
        lv_plan_part_run(&plan->varying.data[k], point, plan->result);
}

/* ---- results that are not finite --------------------------------------------------- */

/* Explains a value that is not finite; the block must be loaded. */
static lv_status diagnose_lane(const lv_plan_part *p, int block, int lane, lv_error *err)
{
    lv_status status =
        lv_domain_diagnose_lane(p->graph, p->program, p->workspace, p->lanes, lane, err);
    char text[160];
    if (status == LV_ERR_DOMAIN && p->kernel->index_count > 0)
        lv_error_note(
            err, "in %s",
            lv_kernel_row_text(p->kernel, block * p->lanes + lane, 0, text, sizeof text));
    return status;
}

/* Are all inputs of the lane finite? If not, the caller's point is to blame, not the
 * formula. */
static bool has_finite_inputs(const lv_plan_part *p, int lane)
{
    static const int kinds[] = {LV_INPUT_Q, LV_INPUT_V, LV_INPUT_W,
                                LV_INPUT_Y, LV_INPUT_A, LV_INPUT_E};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (!(p->kinds >> kinds[k] & 1))
            continue; /* this input was not loaded */
        const double *from =
            p->workspace + (ptrdiff_t)p->program->input[kinds[k]] * p->lanes;
        for (int i = 0; i < p->program->input_size[kinds[k]]; i++)
            if (!isfinite(from[(ptrdiff_t)i * p->lanes + lane]))
                return false;
    }
    return true;
}

static lv_status diagnose_part(const lv_plan_part *p, const lv_point *point,
                               lv_error *err)
{
    load list[LOADS];
    const int loads = list_loads(p, point, list);
    for (int block = 0; block < p->blocks; block++) {
        if (p->kinds & LV_KIND(T))
            load_time(p, point->t);
        load_numbers(p, block);
        gather_block(p, point, list, loads, block, real_lanes(p, block));
        lv_program_run(p->program, LV_SEGMENT_MAIN, p->workspace, p->lanes);
        for (int k = 0; k < p->program->output_count; k++)
            for (int l = 0; l < real_lanes(p, block); l++)
                if (!isfinite(p->workspace[p->program->output[k] * p->lanes + l]) &&
                    has_finite_inputs(p, l))
                    return diagnose_lane(p, block, l, err);
    }
    return LV_OK;
}

lv_status lv_plan_diagnose_kernel(lv_plan *plan, const lv_kernel *kernel,
                                  const lv_point *point, lv_error *err)
{
    for (int side = 0; side < 2; side++) {
        const lv_plan_part *parts = side ? plan->varying.data : plan->constant.data;
        const int count = side ? plan->varying.count : plan->constant.count;
        for (int k = 0; k < count; k++)
            if (!kernel || parts[k].kernel == kernel)
                LV_TRY(diagnose_part(&parts[k], point, err));
    }
    return LV_OK;
}

lv_status lv_plan_diagnose(lv_plan *plan, const lv_point *point, lv_error *err)
{
    return lv_plan_diagnose_kernel(plan, NULL, point, err);
}
