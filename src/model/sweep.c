#include "model/sweep.h"

#include "base/text.h"
#include "model/model.h"
#include "num/random.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------- */

int lv_swept_point(const lv_swept *s, int member)
{
    return member / s->stride % s->count;
}

/* A value of an evenly spaced grid; the last value is exactly `to`. */
static double grid_value(const lv_swept *s, int member, double from, double to)
{
    int k = lv_swept_point(s, member), last = s->count - 1;
    if (k == 0)
        return from;
    return k == last ? to : from + (to - from) * ((double)k / last);
}

void lv_swept_apply(const lv_sweep_plan *plan, const lv_swept *s, int member,
                    const double *numbers, double *values, int length)
{
    lv_draw draw = {(uint64_t)plan->seed, s->item->name, (uint32_t)member, 0};
    for (int k = 0; k < length; k++) {
        draw.component = (uint32_t)k;
        switch (s->rule) {
        case LV_SWEEP_FORMULA:
        case LV_SWEEP_LIST:
            values[k] = numbers[k];
            break;
        case LV_SWEEP_GRID:
            values[k] = grid_value(s, member, numbers[0], numbers[1]);
            break;
        case LV_SWEEP_UNIFORM:
            values[k] = numbers[0] + (numbers[1] - numbers[0]) * lv_random_uniform(&draw);
            break;
        case LV_SWEEP_NORMAL:
            values[k] = numbers[0] + numbers[1] * lv_random_normal(&draw);
            break;
        }
        values[k] = values[k] == 0 ? 0 : values[k]; /* as in formulas, -0 is +0 */
    }
}

/* ---- the index ------------------------------------------------------------------------- */

static lv_status index_taken(const lv_name *name, lv_place place, bool given,
                             lv_error *err)
{
    lv_status status =
        lv_fail_at(err, LV_ERR_MODEL, LV_AT(place), "the index '%s' is also %s",
                   name->text, lv_name_kind_phrase(name->kind));
    if (given)
        lv_error_hint(err, "choose another name; only a scalar parameter may share it");
    else
        lv_error_hint(err,
                      name->kind == LV_NAME_PARAMETER
                          ? "write index = \"%s\" if it is to be the member's "
                            "number, or choose another index"
                          : "choose another one: index = \"%sj\"",
                      name->text);
    return status;
}

static lv_status read_index(lv_model *m, const lv_item *item, lv_error *err)
{
    lv_sweep_plan *plan = &m->sweep;
    const lv_entry *entry = lv_item_entry(item, "index");
    lv_place place = entry ? entry->place : item->place;
    plan->index = entry ? entry->text : "j";
    plan->parameter = -1;
    if (!lv_is_name(plan->index))
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(place), "'%s' cannot be a name",
                          plan->index);
    LV_TRY(lv_names_refuse_reserved(plan->index, place, err));
    const lv_name *name = lv_names_find(&m->names, plan->index, (int)strlen(plan->index));
    if (!name)
        return LV_OK;
    if (!entry || name->kind != LV_NAME_PARAMETER ||
        m->parameters.data[name->index].length > 0)
        return index_taken(name, place, entry != NULL, err);
    plan->parameter = name->index;
    return LV_OK;
}

/* ---- what is set ----------------------------------------------------------------------- */

typedef struct rule {
    const char *key;
    lv_sweep_rule rule;
} rule;

static const rule rules[] = {
    {"value", LV_SWEEP_FORMULA},   {"from", LV_SWEEP_GRID},     {"values", LV_SWEEP_LIST},
    {"uniform", LV_SWEEP_UNIFORM}, {"normal", LV_SWEEP_NORMAL},
};

enum { RULES = sizeof rules / sizeof rules[0] };

static lv_status one_way_wanted(const lv_item *item, const char *what, lv_error *err)
{
    lv_status status =
        lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place), "'%s' %s", item->name, what);
    lv_error_hint(err, "one of: value; from, to and count; values; uniform; normal");
    return status;
}

/* Determines the rule of a swept parameter; fails unless there is exactly one, and all
 * keys of a grid. */
static lv_status read_rule(lv_swept *s, lv_error *err)
{
    int found = 0;
    bool from = lv_item_entry(s->item, "from"), to = lv_item_entry(s->item, "to");
    bool count = lv_item_entry(s->item, "count");
    for (int k = 0; k < RULES; k++)
        if (lv_item_entry(s->item, rules[k].key)) {
            s->rule = rules[k].rule;
            found++;
        }
    if (found > 1)
        return one_way_wanted(s->item, "is set in several ways", err);
    if (from != to || from != count)
        return one_way_wanted(s->item, "lacks a key: a grid has from, to and count", err);
    return found == 1 ? LV_OK : one_way_wanted(s->item, "is set to nothing", err);
}

static lv_status no_parameter(const lv_model *m, const lv_item *item, lv_error *err)
{
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                                  "the model has no parameter '%s'", item->name);
    lv_declarations_hint_parameter(&m->declarations, item->name, err);
    return status;
}

static lv_status find_parameter(const lv_model *m, lv_swept *s, lv_error *err)
{
    const lv_item *item = s->item;
    const lv_name *name = lv_names_find(&m->names, item->name, (int)strlen(item->name));
    if (!name || name->kind != LV_NAME_PARAMETER)
        return no_parameter(m, item, err);
    s->parameter = name->index;
    if (name->index == m->sweep.parameter)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                          "'%s' is the index of the sweep and cannot be set", item->name);
    if (!m->parameters.data[name->index].structural)
        return LV_OK;
    lv_status status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                                  "sizes depend on '%s': it cannot differ from member to "
                                  "member",
                                  item->name);
    lv_error_hint(err, "--set %s=VALUE sets it for the whole sweep", item->name);
    return status;
}

static lv_status read_count(lv_model *m, lv_swept *s, lv_error *err)
{
    double count = 1;
    s->count = 1;
    if (s->rule == LV_SWEEP_LIST)
        s->count = lv_item_entry(s->item, "values")->count;
    if (s->rule != LV_SWEEP_GRID)
        return LV_OK;
    LV_TRY(lv_model_evaluate_key(m, &count, s->item, "count", false, err));
    s->count = (int)count;
    return LV_OK;
}

static lv_status read_swept(lv_model *m, const lv_item *item, lv_error *err)
{
    lv_swept s = {.item = item};
    LV_TRY(find_parameter(m, &s, err));
    LV_TRY(read_rule(&s, err));
    LV_TRY(read_count(m, &s, err));
    return LV_PUSH(m->sweep.list, s) ? LV_OK : lv_fail_memory(err);
}

/* ---- how many -------------------------------------------------------------------------- */

static bool is_grid(const lv_swept *s)
{
    return s->rule == LV_SWEEP_GRID || s->rule == LV_SWEEP_LIST;
}

/* Multiplies the sizes of the grids; the last grid changes fastest. 0: there is no
 * grid. */
static lv_status multiply_grids(lv_model *m, int *product, lv_error *err)
{
    bool any = false;
    int most = (int)lv_section_table[LV_SECTION_SWEEP].keys[0].most;
    *product = 1;
    for (int k = m->sweep.list.count - 1; k >= 0; k--) {
        lv_swept *s = &m->sweep.list.data[k];
        any = any || is_grid(s);
        s->stride = *product;
        if (!lv_int_mul(*product, s->count, product) || *product > most)
            return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(s->item->place),
                              "the grids make more than %d members", most);
    }
    *product = any ? *product : 0;
    return LV_OK;
}

static lv_status read_members(lv_model *m, const lv_item *item, lv_error *err)
{
    double given = 0;
    int product = 0;
    lv_status status = LV_OK;
    const lv_entry *entry = lv_item_entry(item, "members");
    LV_TRY(multiply_grids(m, &product, err));
    if (entry)
        LV_TRY(lv_model_evaluate_key(m, &given, item, "members", false, err));
    m->sweep.members = entry ? (int)given : product;
    if (entry && product > 0 && (int)given != product) {
        status =
            lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                       "'members' is %d, but the grids make %d", (int)given, product);
        lv_error_hint(err, "leave 'members' out");
    } else if (m->sweep.members == 0) {
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                            "nothing says how many members the sweep has");
        lv_error_hint(err, "members = 100 in [sweep], or a grid in [sweep.set]");
    } else if (m->sweep.list.count == 0 && m->sweep.parameter < 0) {
        status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                            "all members of the sweep are the same");
        lv_error_hint(err, "let a parameter depend on the member: [sweep.set]");
    }
    return status;
}

/* ---- reading --------------------------------------------------------------------------- */

static lv_status try_first_member(const lv_model *m, lv_error *err)
{
    size_t count = (size_t)m->parameter_values.count;
    double *values = lv_memory_zeroed(count + 1, sizeof *values);
    lv_status status =
        values ? lv_model_member_values(m, values, 0, err) : lv_fail_memory(err);
    lv_memory_free(values);
    if (status == LV_ERR_DOMAIN)
        lv_error_note(err, "in the first member, %s = 0", m->sweep.index);
    return status;
}

static lv_status read_plan(lv_model *m, const lv_item *sweep, lv_error *err)
{
    m->sweep.seed = 1;
    if (lv_item_entry(sweep, "seed"))
        LV_TRY(lv_model_evaluate_key(m, &m->sweep.seed, sweep, "seed", false, err));
    LV_TRY(read_index(m, sweep, err));
    for (int k = 0; k < m->declarations.items.count; k++)
        if (m->declarations.items.data[k].section == LV_SECTION_SWEEP_SET)
            LV_TRY(read_swept(m, &m->declarations.items.data[k], err));
    LV_TRY(read_members(m, sweep, err));
    return try_first_member(m, err);
}

lv_status lv_model_read_sweep(lv_model *m, lv_error *err)
{
    m->sweep.parameter = -1;
    for (int k = 0; k < m->declarations.items.count; k++)
        if (m->declarations.items.data[k].section == LV_SECTION_SWEEP)
            return read_plan(m, &m->declarations.items.data[k], err);
    return LV_OK;
}
