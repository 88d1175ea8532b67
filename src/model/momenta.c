/* Names of momenta: p_x for the coordinate x, unless [momenta] gives another one. They
 * exist only in models with a Hamiltonian; in other models p_x may be any name. */
#include "base/text.h"
#include "model/hamiltonian.h"

#include <stdio.h>
#include <string.h>

const lv_entry *lv_hamiltonian_first(const lv_declarations *d)
{
    for (int k = 0; k < d->items.count; k++) {
        const lv_item *item = &d->items.data[k];
        if (item->section == LV_SECTION_ENERGY && lv_item_entry(item, "hamiltonian"))
            return lv_item_entry(item, "hamiltonian");
    }
    return NULL;
}

/* Fails if a model without a Hamiltonian names momenta or gives start values of
 * momenta. */
static lv_status refuse_momenta(const lv_model *m, lv_error *err)
{
    for (int k = 0; k < m->declarations.items.count; k++) {
        const lv_item *item = &m->declarations.items.data[k];
        lv_status status = LV_OK;
        if (item->section == LV_SECTION_MOMENTA)
            status = lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                                "[momenta] names momenta, but the model has no "
                                "Hamiltonian");
        else if (item->section == LV_SECTION_COORDINATES &&
                 lv_item_entry(item, "momentum"))
            status = lv_fail_at(err, LV_ERR_MODEL,
                                LV_AT(lv_item_entry(item, "momentum")->place),
                                "a momentum at the start needs a Hamiltonian");
        if (status != LV_OK)
            lv_error_hint(err, item->section == LV_SECTION_MOMENTA
                                   ? "[energy] hamiltonian = \"p_x^2/(2*m)\""
                                   : "without one, give the velocity");
        if (status != LV_OK)
            return status;
    }
    return LV_OK;
}

static lv_status no_coordinate(const lv_model *m, const lv_formula *formula,
                               lv_error *err)
{
    const lv_syntax *root = formula->root;
    lv_nearest nearest;
    lv_status status =
        lv_formula_fail(err, LV_ERR_MODEL, formula->snippet, root,
                        "[momenta] needs the name of a coordinate; this is none");
    lv_nearest_start(&nearest, root->kind == LV_SYNTAX_NAME ? root->name : "");
    for (int k = 0; k < m->groups.count; k++)
        lv_nearest_offer(&nearest, m->groups.data[k].item->name);
    lv_nearest_hint(&nearest, err, "p = \"q\" calls the momentum of q p");
    return status;
}

/* Reads one NAME = "x" of [momenta]. */
static lv_status read_name(lv_model *m, const lv_item *item, lv_error *err)
{
    const lv_entry *of = lv_item_entry(item, "value");
    const lv_formula *formula = &of->formulas[0];
    const lv_syntax *root = formula->root;
    const lv_name *found =
        root->kind == LV_SYNTAX_NAME && root->count == 0 && !root->member &&
                of->count == 1
            ? lv_names_find(&m->names, root->name, (int)strlen(root->name))
            : NULL;
    if (!found || found->kind != LV_NAME_COORDINATE)
        return no_coordinate(m, formula, err);
    lv_group *group = &m->groups.data[found->index];
    if (group->momentum)
        return lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->place),
                          "the momentum of '%s' is already called '%s'", root->name,
                          group->momentum);
    group->momentum = item->name;
    return lv_names_add(&m->names, item, LV_NAME_MOMENTUM, found->index, err);
}

/* Adds the default name p_x, with the place of x. */
static lv_status usual_name(lv_model *m, int number, lv_error *err)
{
    lv_group *group = &m->groups.data[number];
    lv_item item = *group->item;
    char text[LV_SYNTAX_NAME_SIZE];
    (void)snprintf(text, sizeof text, "p_%s", item.name);
    item.name = lv_arena_text(&m->arena, text, strlen(text));
    if (!item.name)
        return lv_fail_memory(err);
    group->momentum = item.name;
    lv_status status = lv_names_add(&m->names, &item, LV_NAME_MOMENTUM, number, err);
    if (status == LV_ERR_MODEL)
        lv_error_hint(err,
                      "'%s' is the momentum of '%s'; another name for it: [momenta] "
                      "NAME = \"%s\"",
                      item.name, group->item->name, group->item->name);
    return status;
}

lv_status lv_model_name_momenta(lv_model *m, lv_error *err)
{
    if (!lv_hamiltonian_first(&m->declarations))
        return refuse_momenta(m, err);
    for (int k = 0; k < m->declarations.items.count; k++)
        if (m->declarations.items.data[k].section == LV_SECTION_MOMENTA)
            LV_TRY(read_name(m, &m->declarations.items.data[k], err));
    for (int k = 0; k < m->groups.count; k++)
        if (!m->groups.data[k].momentum)
            LV_TRY(usual_name(m, k, err));
    return lv_hamiltonian_refuse_mixture(m, err);
}
