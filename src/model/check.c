/* Checks the requirements of parts on their formulas. Shapes are checked without numbers;
 * values are checked at the start, in every instance of the part's family. */
#include "expr/analyse.h"
#include "expr/domain.h"
#include "model/revalue.h"

#include <math.h>

/* ---- shapes -------------------------------------------------------------------------- */

static lv_status fail_check(const lv_check *check, const char *text, lv_error *err)
{
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(check->place), "%s", text);
    if (check->hint)
        lv_error_hint(err, "%s", check->hint);
    return status;
}

static lv_status check_lengths(const lv_check *check, const lv_value values[2],
                               lv_error *err)
{
    char first[48], second[48];
    if (lv_value_count(&values[0]) == lv_value_count(&values[1]))
        return LV_OK;
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(check->place), "%s: %s and %s",
                      check->text, lv_value_describe(&values[0], first),
                      lv_value_describe(&values[1], second));
}

/* The number of inputs of a kind in two values together. */
static lv_status count_inputs(int *count, const lv_graph *graph, const lv_value values[2],
                              lv_input kind, lv_error *err)
{
    lv_node_list found = {0};
    lv_status status = LV_OK;
    *count = 0;
    for (int k = 0; status == LV_OK && k < 2; k++) {
        status = lv_analyse_inputs(graph, &found, values[k].items,
                                   lv_value_count(&values[k]), kind, err);
        *count += found.count;
    }
    LV_ARRAY_FREE(found);
    return status;
}

static lv_status check_ends(const lv_check *check, const lv_graph *graph,
                            const lv_value values[2], lv_error *err)
{
    int coordinates = 0, velocities = 0, momenta = 0;
    LV_TRY(count_inputs(&coordinates, graph, values, LV_INPUT_Q, err));
    LV_TRY(count_inputs(&velocities, graph, values, LV_INPUT_V, err));
    LV_TRY(count_inputs(&momenta, graph, values, LV_INPUT_M, err));
    if (velocities > 0)
        return fail_check(check, "an end contains velocities", err);
    if (momenta > 0)
        return fail_check(check, "an end contains momenta", err);
    return coordinates > 0 ? LV_OK
                           : fail_check(check, "neither end contains a coordinate", err);
}

static lv_status check_scalar(const lv_check *check, const lv_value *value, lv_error *err)
{
    char buffer[48];
    if (check->key->type != LV_KEY_FORMULA || value->length == 0)
        return LV_OK;
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(check->place),
                      "'%s' must be a scalar, this is %s", check->key->name,
                      lv_value_describe(value, buffer));
}

static lv_status check_shape(const lv_check *check, lv_scope *scope, lv_error *err)
{
    lv_elaboration *e = scope->elaboration;
    lv_value values[2];
    int count = check->kind == LV_CHECK_LENGTHS || check->kind == LV_CHECK_ENDS ? 2 : 1;
    for (int k = 0; k < count; k++)
        LV_TRY(lv_elaborate(e, &values[k], &check->formulas[k], err));
    if (check->kind == LV_CHECK_RANGE)
        return check_scalar(check, &values[0], err);
    if (count == 2)
        LV_TRY(check_lengths(check, values, err));
    return check->kind == LV_CHECK_ENDS ? check_ends(check, e->graph, values, err)
                                        : LV_OK;
}

/* Each check has a graph of its own; the indices of all families are shared. */
static lv_status check_alone(const lv_check *check, const lv_scope *common, lv_error *err)
{
    lv_arena scratch = {0};
    lv_elaboration e = {
        .graph = lv_graph_create(0), .arena = &scratch, .timeless = check->timeless};
    lv_scope scope = *common;
    lv_scope_init(&scope, common->model, &e);
    scope.hint = check->hint;
    if (check->still) {
        scope.coordinate = NULL;
        scope.where = check->still;
    }
    lv_status status = e.graph ? check_shape(check, &scope, err) : lv_fail_memory(err);
    lv_graph_free(e.graph);
    lv_arena_done(&scratch);
    return status;
}

lv_status lv_model_check_shapes(lv_model *m, lv_error *err)
{
    lv_arena scratch = {0};
    lv_elaboration e = {.arena = &scratch};
    lv_scope scope;
    lv_status status = lv_scope_init_shapes(&scope, m, &e, err);
    for (int k = 0; status == LV_OK && k < m->declarations.checks.count; k++)
        status = check_alone(&m->declarations.checks.data[k], &scope, err);
    lv_arena_done(&scratch);
    return status;
}

/* ---- values -------------------------------------------------------------------------- */

typedef struct checked {
    const lv_check *check;
    const lv_value *value;
} checked;

static lv_status not_finite(const checked *c, const lv_draft *d)
{
    const double *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_P] = d->model->parameter_values.data;
    inputs[LV_INPUT_I] = d->numbers;
    lv_status status = lv_domain_diagnose(d->e.graph, c->value->items,
                                          lv_value_count(c->value), inputs, d->err);
    return status == LV_OK ? lv_fail_at(d->err, LV_ERR_DOMAIN, LV_AT(c->check->place),
                                        "this value is not finite")
                           : status;
}

static lv_status check_number(const lv_check *check, double value, lv_error *err)
{
    if (check->kind == LV_CHECK_RANGE)
        return lv_key_check(check->key, value, check->place, err);
    return value > 0 ? LV_OK : fail_check(check, check->text, err);
}

/* Checks that Euler's tensor tr(J)/2 1 - J, the second moments of the mass, has no
 * negative eigenvalue. For principal moments this is the triangle inequality. */
static lv_status check_inertia(const lv_check *check, const double J[6], lv_error *err)
{
    const double half = (J[0] + J[1] + J[2]) / 2, small = 1e-12 * fabs(half);
    const double E[3] = {half - J[0], half - J[1], half - J[2]};
    const bool is_diagonal = J[3] == 0 && J[4] == 0 && J[5] == 0;
    bool good = half > 0;
    for (int k = 0; k < 3; k++)
        if (J[k] < 0)
            return lv_fail_at(err, LV_ERR_MODEL, LV_AT(check->place),
                              "%s: a moment of inertia is never negative, and J%d is %g",
                              check->text, k + 1, J[k]);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double product = J[6 - 1 - k]; /* Jyz for 0, Jxz for 1, Jxy for 2 */
        good = good && E[k] >= -small;
        if (is_diagonal && E[k] < -small)
            return lv_fail_at(err, LV_ERR_MODEL, LV_AT(check->place),
                              "%s: J%d + J%d must not be smaller than J%d, and %g + %g < "
                              "%g",
                              check->text, i < j ? i + 1 : j + 1, i < j ? j + 1 : i + 1,
                              k + 1, i < j ? J[i] : J[j], i < j ? J[j] : J[i], J[k]);
        good = good && E[i] * E[j] - product * product >= -small * half;
    }
    const double determinant = E[0] * E[1] * E[2] - 2 * J[3] * J[4] * J[5] -
                               E[0] * J[5] * J[5] - E[1] * J[4] * J[4] -
                               E[2] * J[3] * J[3];
    if (good && determinant >= -small * half * half)
        return LV_OK;
    return lv_fail_at(err, LV_ERR_MODEL, LV_AT(check->place),
                      half > 0 ? "%s: no mass distribution has these moments"
                               : "%s: it must be positive; a point is a particle",
                      check->text);
}

/* Of numbers that are finite. */
static lv_status check_numbers(const lv_check *check, const double *values, int count,
                               lv_error *err)
{
    if (check->kind == LV_CHECK_INERTIA)
        return check_inertia(check, values, err);
    for (int k = 0; k < count; k++)
        LV_TRY(check_number(check, values[k], err));
    return LV_OK;
}

static bool are_finite(const double *values, int count)
{
    bool finite = true;
    for (int k = 0; k < count; k++)
        finite = finite && isfinite(values[k]);
    return finite;
}

bool lv_check_holds(const lv_check *check, const double *values, int count)
{
    return are_finite(values, count) &&
           check_numbers(check, values, count, NULL) == LV_OK;
}

static lv_status check_instance(void *user, const lv_draft *d, int instance,
                                const double *values)
{
    const checked *c = user;
    const int count = lv_value_count(c->value);
    char buffer[200];
    lv_status status = are_finite(values, count)
                           ? check_numbers(c->check, values, count, d->err)
                           : not_finite(c, d);
    if (status != LV_OK && status != LV_ERR_MEMORY && d->kernel.index_count > 0)
        lv_error_note(d->err, "for %s", lv_draft_indices_text(d, instance, buffer));
    return status;
}

/* Coordinates stand for their start values here, so this is never called for valid
 * formulas. */
static lv_status no_slot(lv_scope *scope, lv_value *value, int group, lv_node member,
                         const lv_syntax *name, lv_error *err)
{
    (void)value;
    (void)group;
    (void)member;
    return lv_elaborate_fail(scope->elaboration, name, err, "'%s' cannot be used here",
                             name->name);
}

static lv_status check_value(lv_draft *d, const lv_check *check)
{
    lv_value value;
    LV_TRY(lv_draft_start(d));
    LV_TRY(lv_draft_ranges(d, check->family));
    d->scope.coordinate = check->still ? NULL : no_slot;
    d->scope.where = check->still;
    d->e.timeless = check->timeless;
    LV_TRY(lv_elaborate(&d->e, &value, &check->formulas[0], d->err));
    LV_TRY(lv_draft_instances(d, check->family));
    LV_TRY(lv_draft_check_demands(d));
    checked c = {check, &value};
    LV_TRY(lv_draft_evaluate(d, value.items, lv_value_count(&value), check_instance, &c));
    lv_evaluations_check(d->model, check);
    return LV_OK;
}

lv_status lv_model_check_values(lv_model *m, lv_error *err)
{
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && k < m->declarations.checks.count; k++) {
        const lv_check *check = &m->declarations.checks.data[k];
        if (check->kind == LV_CHECK_LENGTHS || check->kind == LV_CHECK_ENDS)
            continue;
        lv_draft d = {.model = m, .err = err};
        int instances = m->instances;
        d.arena = &d.scratch;
        m->instances = 0;
        status = check_value(&d, check);
        m->instances = instances;
        lv_draft_done(&d);
    }
    return status;
}
