#include "model/revalue.h"

#include "model/turns.h"
#include "num/copy.h"

#include <math.h>
#include <string.h>

typedef enum purpose {
    DECIDES, /* the values must stay the same */
    STORED,
    DATA,
    CHECKED,
    DRAWN
} purpose;

/* Formulas that were evaluated in all instances. */
typedef struct evaluation {
    lv_index_program program;
    int instances;
    const double *indices; /* indices of all instances; NULL: there are none */
    purpose use;
    /* STORED, DATA: where values are stored; DECIDES: the values when the model was
     * read */
    double *to;
    /* DATA: distance between instances in `to`; 0: they share one set */
    int stride;
    const lv_check *check; /* CHECKED: the check */
    const lv_key *key;     /* key whose range the values must be in; NULL: none */
    int positive;          /* DRAWN: how many values of an instance must be positive */
} evaluation;

struct lv_evaluations {
    lv_arena arena;
    LV_ARRAY(evaluation) list;
    bool *changed; /* for each number of the parameters: it has changed */
    double *row;   /* storage for the values of an instance */
    double *first; /* storage for the values of the first instance */
    /* the last values were refused, so all formulas must be evaluated */
    bool stale;
};

/* ---- while a model is read --------------------------------------------------------- */

lv_status lv_evaluations_create(lv_model *m, lv_error *err)
{
    m->evaluations = lv_memory_zeroed(1, sizeof *m->evaluations);
    return m->evaluations ? LV_OK : lv_fail_memory(err);
}

void lv_evaluations_free(lv_evaluations *e)
{
    if (!e)
        return;
    for (int k = 0; k < e->list.count; k++)
        lv_index_program_done(&e->list.data[k].program);
    LV_ARRAY_FREE(e->list);
    lv_arena_done(&e->arena);
    lv_memory_free(e);
}

static lv_status add(lv_evaluations *e, const lv_draft *d, lv_index_program *program)
{
    const size_t count = (size_t)d->kernel.instance_count * (size_t)d->kernel.index_count;
    evaluation v = {.program = *program, .instances = d->kernel.instance_count};
    if (d->kernel.indices) {
        v.indices = lv_arena_copy(&e->arena, d->kernel.indices, count, sizeof *v.indices);
        if (!v.indices)
            return lv_fail_memory(d->err);
    }
    v.program.err = NULL;
    if (!LV_PUSH(e->list, v))
        return lv_fail_memory(d->err);
    *program = (lv_index_program){0};
    return LV_OK;
}

lv_status lv_evaluations_add(const lv_draft *d, lv_index_program *program)
{
    lv_evaluations *e = d->model->evaluations;
    return e ? add(e, d, program) : LV_OK;
}

lv_status lv_evaluations_add_formula(lv_model *m, lv_graph *graph, const lv_node *nodes,
                                     int count, lv_error *err)
{
    lv_index_program program = {0};
    lv_draft d = {.model = m, .kernel.instance_count = 1, .e.graph = graph, .err = err};
    if (!m->evaluations)
        return LV_OK;
    lv_status status = lv_index_program_init(&program, &d, nodes, count);
    if (status == LV_OK)
        status = add(m->evaluations, &d, &program);
    lv_index_program_done(&program);
    return status;
}

/* Sets the use of the evaluation that was added last and returns it; NULL: the model
 * keeps none. */
static evaluation *last_of(const lv_model *m, purpose use)
{
    lv_evaluations *e = m->evaluations;
    evaluation *v = e && e->list.count > 0 ? &e->list.data[e->list.count - 1] : NULL;
    if (v)
        v->use = use;
    return v;
}

void lv_evaluations_store(const lv_model *m, double *to)
{
    evaluation *v = last_of(m, STORED);
    if (v)
        v->to = to;
}

void lv_evaluations_store_data(const lv_model *m, double *to, int stride)
{
    evaluation *v = last_of(m, DATA);
    if (v) {
        v->to = to;
        v->stride = stride;
    }
}

void lv_evaluations_check(const lv_model *m, const lv_check *check)
{
    evaluation *v = last_of(m, CHECKED);
    if (v)
        v->check = check;
}

void lv_evaluations_check_key(const lv_model *m, const lv_key *key)
{
    evaluation *v = last_of(m, DECIDES);
    if (v)
        v->key = key;
}

void lv_evaluations_draw(const lv_model *m, int positive)
{
    evaluation *v = last_of(m, DRAWN);
    if (!v)
        return;
    v->positive = positive;
    if (positive > 0 || v->program.picks.count > 0)
        return;
    lv_index_program_done(&v->program); /* no value would be refused */
    m->evaluations->list.count--;
}

/* ---- values of an instance --------------------------------------------------------- */

/* Evaluates the formulas for one instance. Returns false if the index of a component
 * does not exist. */
static bool evaluate(evaluation *v, int instance, double *row)
{
    lv_index_program *p = &v->program;
    const double *indices =
        v->indices ? v->indices + (ptrdiff_t)instance * p->index_count : NULL;
    if (lv_index_program_run(p, indices) != LV_OK)
        return false;
    for (int k = 0; k < p->count; k++)
        row[k] = lv_index_program_value(p, k);
    return true;
}

static lv_status note_decision(lv_evaluations *e, evaluation *v, lv_error *err)
{
    const size_t width = (size_t)v->program.count;
    v->to = lv_arena_alloc(&e->arena, width * (size_t)v->instances, sizeof *v->to);
    if (!v->to)
        return lv_fail_memory(err);
    for (int k = 0; k < v->instances; k++)
        if (!evaluate(v, k, v->to + (size_t)k * width))
            return lv_fail(err, LV_ERR_MODEL, "an index has no value any more");
    return LV_OK;
}

lv_status lv_evaluations_settle(lv_model *m, lv_error *err)
{
    lv_evaluations *e = m->evaluations;
    int widest = 1;
    if (!e)
        return LV_OK;
    for (int k = 0; k < e->list.count; k++) {
        evaluation *v = &e->list.data[k];
        widest = v->program.count > widest ? v->program.count : widest;
        if (v->use == DECIDES && v->program.program)
            LV_TRY(note_decision(e, v, err));
    }
    e->changed = lv_arena_alloc(&e->arena, (size_t)m->parameter_values.count + 1,
                                sizeof *e->changed);
    e->row = lv_arena_alloc(&e->arena, 2 * (size_t)widest, sizeof *e->row);
    if (!e->changed || !e->row)
        return lv_fail_memory(err);
    e->first = e->row + widest;
    return LV_OK;
}

/* ---- other values of parameters ---------------------------------------------------- */

static bool is_same(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool are_finite(const double *values, int count)
{
    bool finite = true;
    for (int k = 0; k < count; k++)
        finite = finite && isfinite(values[k]);
    return finite;
}

static bool are_positive(const double *values, int count)
{
    bool positive = true;
    for (int k = 0; k < count; k++)
        positive = positive && values[k] > 0;
    return positive && are_finite(values, count);
}

static bool are_in_range(const evaluation *v, const double *row)
{
    const lv_place nowhere = {0};
    return !v->key || lv_key_check(v->key, row[0], nowhere, NULL) == LV_OK;
}

/* Does with the values of an instance what reading does. Returns false if they are
 * refused. */
static bool take(const evaluation *v, int instance, const double *row)
{
    const int width = v->program.count;
    switch (v->use) {
    case DECIDES:
        return is_same(row, v->to + (ptrdiff_t)instance * width, width);
    case STORED:
        lv_copy(v->to + (ptrdiff_t)instance * width, row, width);
        return are_finite(row, width) && are_in_range(v, row);
    case DATA:
        lv_copy(v->to + (ptrdiff_t)instance * v->stride, row, width);
        return are_finite(row, width);
    case CHECKED:
        return lv_check_holds(v->check, row, width);
    case DRAWN:
        break;
    }
    return are_positive(row, v->positive);
}

/* Whether reading would store the data in the same way: once if all instances have the
 * same, otherwise for each of them. */
static bool has_same_layout(const evaluation *v, bool alike)
{
    return v->use != DATA || v->instances < 2 || alike == (v->stride == 0);
}

static bool renew(lv_evaluations *e, evaluation *v)
{
    const int width = v->program.count;
    bool alike = true;
    for (int k = 0; k < v->instances; k++) {
        double *row = k == 0 ? e->first : e->row;
        if (!evaluate(v, k, row) || !take(v, k, row))
            return false;
        alike = alike && is_same(row, e->first, width);
    }
    return has_same_layout(v, alike);
}

static bool depends_on_changes(const evaluation *v, const bool *changed)
{
    const lv_program *p = v->program.program;
    bool depends = false;
    for (int k = 0; p && k < p->input_size[LV_INPUT_P]; k++)
        depends = depends || changed[p->chosen[LV_INPUT_P][k]];
    return depends;
}

/* Takes the values of a parameter and notes which ones have changed. Returns false if
 * they have and sizes depend on them. */
static bool take_parameter(lv_model *m, const lv_parameter *p, const double *values)
{
    const lv_evaluations *e = m->evaluations;
    double *old = m->parameter_values.data + p->first;
    const int count = p->length > 0 ? p->length : 1;
    bool differs = false;
    for (int i = 0; i < count; i++) {
        e->changed[p->first + i] = e->stale || !is_same(old + i, values + i, 1);
        differs = differs || !is_same(old + i, values + i, 1);
    }
    if (!p->structural)
        lv_copy(old, values, count);
    return !(differs && p->structural);
}

bool lv_model_revalue(lv_model *m, const lv_model *layout, const double *parameters)
{
    lv_evaluations *e = m->evaluations;
    bool good = true;
    for (int k = 0; good && k < m->parameters.count; k++)
        good = m->parameters.data[k].length == layout->parameters.data[k].length &&
               take_parameter(m, &m->parameters.data[k],
                              parameters + layout->parameters.data[k].first);
    for (int k = 0; good && k < e->list.count; k++) {
        evaluation *v = &e->list.data[k];
        if (!depends_on_changes(v, e->changed))
            continue;
        lv_index_program_put(&v->program, m->parameter_values.data);
        good = renew(e, v);
    }
    if (good && m->turn_count > 0)
        good = lv_model_start_turns(m, NULL) == LV_OK;
    e->stale = !good;
    m->edition++;
    return good;
}
