/* Coordinates: their number, their numbering and their start values. */
#include "expr/domain.h"
#include "model/draft.h"
#include "model/footprint.h"
#include "model/revalue.h"

#include <math.h>
#include <stdio.h>

int lv_group_width(const lv_group *group)
{
    return group->length == 0 ? 1 : group->length;
}

/* Elaborates the formula of a group's value or velocity; its instances are the
 * members. */
static lv_status start_init(lv_draft *d, lv_value *value, lv_model *m,
                            const lv_group *group, const lv_entry *entry, lv_error *err)
{
    static const char *index[] = {"i"};
    *d = (lv_draft){.model = m, .err = err};
    d->arena = &d->scratch;
    LV_TRY(lv_draft_start(d));
    d->index_names = index;
    d->kernel.index_count = group->is_family;
    d->kernel.instance_count = group->count;
    d->scope.where = "start values";
    d->scope.hint =
        "declare it in [parameters]; the members of a family (count = 3) know "
        "their index i";
    d->scope.index_count = group->is_family;
    d->scope.index_names = index;
    d->e.timeless = "a start value";
    return lv_scope_entry(&d->scope, value, entry, err);
}

/* Where the values of all members are stored. */
typedef struct start_values {
    const lv_group *group;
    const lv_value *value;
    double *out;
} start_values;

static lv_status not_finite(const start_values *s, const lv_draft *d, int instance)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    const double member = instance + 1;
    char name[160];
    inputs[LV_INPUT_P] = d->model->parameter_values.data;
    inputs[LV_INPUT_I] = d->numbers;
    lv_status status = lv_domain_diagnose(d->e.graph, s->value->items,
                                          lv_value_count(s->value), inputs, d->err);
    if (status == LV_OK)
        return lv_fail_at(d->err, LV_ERR_DOMAIN, LV_AT(s->group->item->place),
                          "the start value of '%s' is not finite", s->group->item->name);
    if (s->group->is_family && status == LV_ERR_DOMAIN) {
        lv_member_text(name, sizeof name, s->group->item->name, &member, 1);
        lv_error_note(d->err, "for %s", name);
    }
    return status;
}

static lv_status keep_member(void *user, const lv_draft *d, int instance,
                             const double *values)
{
    const start_values *s = user;
    const int width = lv_value_count(s->value);
    for (int k = 0; k < width; k++) {
        if (!isfinite(values[k]))
            return not_finite(s, d, instance);
        s->out[(size_t)instance * (size_t)width + (size_t)k] = values[k];
    }
    return LV_OK;
}

static lv_status start_evaluate(lv_draft *d, const lv_value *value, const lv_group *group,
                                double *out)
{
    start_values s = {group, value, out};
    double *indices = lv_arena_alloc(&d->scratch, (size_t)group->count, sizeof *indices);
    if (!indices)
        return lv_fail_memory(d->err);
    for (int k = 0; k < group->count; k++)
        indices[k] = k + 1;
    d->kernel.indices = group->is_family ? indices : NULL;
    LV_TRY(lv_draft_check_demands(d));
    LV_TRY(lv_draft_evaluate(d, value->items, lv_value_count(value), keep_member, &s));
    lv_evaluations_store(d->model, out);
    return LV_OK;
}

static lv_status wrong_length(const lv_group *group, const lv_entry *entry,
                              const char *key, const lv_value *value, lv_error *err)
{
    char expected[48], found[48];
    const lv_value shape = {group->length, NULL};
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                      "the %s of '%s' is %s, its value is %s", key, group->item->name,
                      lv_value_describe(value, found),
                      lv_value_describe(&shape, expected));
}

static lv_status evaluate_start(lv_model *m, double *out, const lv_group *group,
                                const char *key, lv_error *err)
{
    const lv_entry *entry = lv_item_entry(group->item, key);
    lv_draft d;
    lv_value value = {0, NULL};
    lv_status status = start_init(&d, &value, m, group, entry, err);
    if (status == LV_OK && value.length != group->length)
        status = wrong_length(group, entry, key, &value, err);
    if (status == LV_OK)
        status = start_evaluate(&d, &value, group, out);
    lv_draft_done(&d);
    return status;
}

/* Determines the size of a group; the length of a coordinate is that of its value. */
static lv_status measure_group(lv_model *m, lv_group *group, lv_error *err)
{
    lv_draft d;
    lv_value value = {0, NULL};
    double count = 1;
    group->is_family = lv_item_entry(group->item, "count") != NULL;
    if (group->is_family)
        LV_TRY(lv_model_evaluate_key(m, &count, group->item, "count", true, err));
    group->count = (int)count;
    lv_status status =
        start_init(&d, &value, m, group, lv_item_entry(group->item, "value"), err);
    group->length = value.length;
    lv_draft_done(&d);
    return status;
}

static lv_status number_group(lv_model *m, lv_group *group, lv_error *err)
{
    int size = 0;
    group->first = m->coordinate_count;
    if (lv_int_mul(group->count, lv_group_width(group), &size) &&
        lv_int_add(m->coordinate_count, size, &m->coordinate_count) &&
        m->coordinate_count <= LV_MODEL_COORDINATES)
        return lv_model_expect_coordinates(m, group, size, err);
    return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(group->item->place),
                      "the model has more than %d coordinates", LV_MODEL_COORDINATES);
}

static lv_status no_coordinates(const lv_model *m, lv_error *err)
{
    if (m->groups.count > 0)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(m->groups.data[0].item->place),
                          "the model has no coordinates: the family '%s' has no members",
                          m->groups.data[0].item->name);
    lv_status status = lv_model_fail(m, err, "the model has no coordinates");
    lv_error_hint(err, "[coordinates] lists them with their start values: x = 1.0");
    return status;
}

lv_status lv_model_place_coordinates(lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->groups.count; k++) {
        LV_TRY(measure_group(m, &m->groups.data[k], err));
        LV_TRY(number_group(m, &m->groups.data[k], err));
    }
    if (m->coordinate_count == 0)
        return no_coordinates(m, err);

    size_t n = (size_t)m->coordinate_count;
    m->start_q = lv_arena_alloc(&m->arena, n, sizeof *m->start_q);
    m->start_v = lv_arena_alloc(&m->arena, n, sizeof *m->start_v);
    if (!m->start_q || !m->start_v)
        return lv_fail_memory(err);
    for (int k = 0; k < m->groups.count; k++) {
        const lv_group *group = &m->groups.data[k];
        LV_TRY(evaluate_start(m, m->start_q + group->first, group, "value", err));
        if (lv_item_entry(group->item, "velocity"))
            LV_TRY(evaluate_start(m, m->start_v + group->first, group, "velocity", err));
    }
    return LV_OK;
}

lv_status lv_model_start_momentum(lv_model *m, double *out, const lv_group *group,
                                  lv_error *err)
{
    return evaluate_start(m, out, group, "momentum", err);
}

const char *lv_model_coordinate_text(const lv_model *m, int k, char *buffer, size_t size)
{
    /* Find the last group that begins at or before k. */
    int low = 0, high = m->groups.count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (m->groups.data[middle].first <= k)
            low = middle;
        else
            high = middle - 1;
    }
    const lv_group *group = &m->groups.data[low];
    int width = lv_group_width(group), inside = k - group->first;
    const int number = inside / width + 1;
    const double member = number;
    int used = lv_member_text(buffer, size, group->item->name, &member, group->is_family);
    if (group->length > 0 && used >= 0 && (size_t)used < size)
        snprintf(buffer + used, size - (size_t)used, "[%d]", inside % width + 1);
    return buffer;
}
