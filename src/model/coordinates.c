/* Coordinates: how many there are, how they are numbered, where they start. */
#include "expr/domain.h"
#include "model/footprint.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>

int lv_group_width(const lv_group *group)
{
    return group->length == 0 ? 1 : group->length;
}

/* The formulas of one group's value or velocity, compiled. */
typedef struct start_formula {
    lv_arena scratch;
    lv_elaboration e;
    lv_scope scope;
    lv_value value;
    lv_program *program;
    double *workspace;
} start_formula;

static void start_done(start_formula *s)
{
    lv_program_free(s->program);
    lv_memory_free(s->workspace);
    lv_graph_free(s->e.graph);
    lv_arena_done(&s->scratch);
}

static lv_status start_init(start_formula *s, lv_model *m, const lv_group *group,
                            const lv_entry *entry, lv_error *err)
{
    static const char *const index[] = {"i"};
    *s = (start_formula){.scope = {.where = "start values",
                                   .hint = "declare it in [parameters]; the members of a "
                                           "family (count = 3) know their index i",
                                   .index_count = group->is_family,
                                   .index_names = index}};
    s->e = (lv_elaboration){
        .graph = lv_graph_create(0), .arena = &s->scratch, .timeless = "a start value"};
    if (!s->e.graph)
        return lv_fail_memory(err);
    lv_scope_init(&s->scope, m, &s->e);
    LV_TRY(lv_scope_entry(&s->scope, &s->value, entry, err));
    lv_layout layout = {{0}};
    layout.size[LV_INPUT_P] = m->parameter_values.count;
    layout.size[LV_INPUT_I] = 1;
    LV_TRY(lv_program_compile(&s->program, s->e.graph, s->value.items,
                              lv_value_count(&s->value), &layout, err));
    s->workspace = lv_memory_zeroed((size_t)s->program->slots, sizeof *s->workspace);
    if (!s->workspace)
        return lv_fail_memory(err);
    lv_program_load(s->program, s->workspace, 1);
    lv_program_put(s->program, LV_INPUT_P, m->parameter_values.data, s->workspace, 1, 0);
    lv_program_run(s->program, LV_SEGMENT_UNIFORM, s->workspace, 1);
    return LV_OK;
}

static lv_status not_finite(const start_formula *s, const lv_model *m,
                            const lv_group *group, double member, lv_error *err)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_P] = m->parameter_values.data;
    inputs[LV_INPUT_I] = &member;
    lv_status status = lv_domain_diagnose(s->e.graph, s->value.items,
                                          lv_value_count(&s->value), inputs, err);
    if (status == LV_OK)
        return lv_fail_at(err, LV_ERR_DOMAIN, LV_AT(group->item->place),
                          "the start value of '%s' is not finite", group->item->name);
    char name[160];
    if (group->is_family && status == LV_ERR_DOMAIN) {
        lv_member_text(name, sizeof name, group->item->name, &member, 1);
        lv_error_note(err, "for %s", name);
    }
    return status;
}

/* Writes the values of all members. */
static lv_status start_values(start_formula *s, double *out, const lv_model *m,
                              const lv_group *group, lv_error *err)
{
    int width = lv_group_width(group);
    for (int member = 0; member < group->count; member++) {
        const double index = member + 1;
        lv_program_put(s->program, LV_INPUT_I, &index, s->workspace, 1, 0);
        lv_program_run(s->program, LV_SEGMENT_INSTANCE, s->workspace, 1);
        lv_program_run(s->program, LV_SEGMENT_MAIN, s->workspace, 1);
        for (int k = 0; k < width; k++) {
            double x = s->workspace[s->program->output[k]];
            if (!isfinite(x))
                return not_finite(s, m, group, member + 1, err);
            out[member * width + k] = x;
        }
    }
    return LV_OK;
}

static lv_status evaluate_start(lv_model *m, double *out, const lv_group *group,
                                const char *key, lv_error *err)
{
    const lv_entry *entry = lv_item_entry(group->item, key);
    start_formula s;
    lv_status status = start_init(&s, m, group, entry, err);
    if (status == LV_OK && s.value.length != group->length) {
        char expected[48], found[48];
        const lv_value shape = {group->length, NULL};
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                            "the %s of '%s' is %s, its value is %s", key,
                            group->item->name, lv_value_describe(&s.value, found),
                            lv_value_describe(&shape, expected));
    }
    if (status == LV_OK)
        status = start_values(&s, out, m, group, err);
    start_done(&s);
    return status;
}

/* The length of a coordinate is that of its value. */
static lv_status measure_group(lv_model *m, lv_group *group, lv_error *err)
{
    start_formula s;
    double count = 1;
    group->is_family = lv_item_entry(group->item, "count") != NULL;
    if (group->is_family)
        LV_TRY(lv_model_evaluate_key(m, &count, group->item, "count", true, err));
    group->count = (int)count;
    lv_status status = start_init(&s, m, group, lv_item_entry(group->item, "value"), err);
    group->length = s.value.length;
    start_done(&s);
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
    /* The last group that begins at or before k. */
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
    const double member = inside / width + 1;
    int used = lv_member_text(buffer, size, group->item->name, &member, group->is_family);
    if (group->length > 0 && used >= 0 && (size_t)used < size)
        snprintf(buffer + used, size - (size_t)used, "[%d]", inside % width + 1);
    return buffer;
}
