#include "step/normal.h"

#include "base/status.h"
#include "step/reduce.h"

lv_status lv_form_normalise(lv_form *form, lv_step_facts *facts, lv_error *err)
{
    lv_inlining w = {.form = form, .facts = facts};
    facts->q = lv_form_find(form, "q", 0);
    const bool proportional = facts->mass_constant && !facts->on_groups;
    facts->p = proportional ? lv_form_find(form, "p", 0) : -1;
    facts->v = proportional ? lv_form_find(form, "v", 0) : -1;
    if (facts->p < 0 || facts->v < 0)
        facts->p = facts->v = -1;
    lv_status status = LV_OK;
    if (!lv_inline_all(&w))
        status = lv_fail_circle(err);
    else if (form->failed)
        status = lv_fail_memory(err);
    else if (facts->mass_constant && facts->mass_solvable)
        status = lv_form_reduce(&w, err);
    lv_inlining_done(&w);
    return form->failed ? lv_fail_memory(err) : status;
}
