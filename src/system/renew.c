/* Renews a system after numbers of its model have changed. */
#include "expr/function.h"
#include "model/motion.h"
#include "num/copy.h"
#include "system/determined.h"
#include "system/dissipation.h"
#include "system/system.h"
#include "system/watch_program.h"

/* Copies the changed model into `head`. Inputs and references of the system get the
 * values of the model. */
static void take_head(lv_system *s, const lv_model *model)
{
    if (!s->head)
        return;
    *s->head = *model;
    s->head->input_values = s->inputs;
    lv_copy(s->inputs, model->input_values, model->input_count);
    if (!s->references)
        return;
    s->head->references = s->references;
    lv_copy(s->references, model->references, LV_TURN_NUMBERS * model->turn_count);
}

static void renew_plans(lv_system *s)
{
    lv_plan *const plans[] = {s->dynamics_plan, s->legendre,     s->position_plan,
                              s->velocity_plan, s->monitor_plan, s->maps};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++)
        if (plans[k])
            lv_plan_renew(plans[k]);
}

/* Determines the properties again; returns false if one has changed. */
static bool classify_again(lv_system *s)
{
    const bool regular = s->mass_regular, quadratic = s->quadratic,
               separable = s->separable;
    const lv_point start = {.q = s->model->start_q, .v = s->model->start_v};
    if (lv_system_classify(s, NULL) != LV_OK ||
        lv_plan_diagnose(s->monitor_plan, &start, NULL) != LV_OK)
        return false;
    if (s->mass_regular && s->mass_constant)
        s->mass_regular = lv_mass_factor(s->mass, lv_plan_result(s->legendre, LV_Q_MASS));
    /* found singular only after the saddle equations were chosen */
    if (s->mass_constant && !s->mass_regular)
        return false;
    return s->mass_regular == regular && s->quadratic == quadratic &&
           s->separable == separable;
}

static bool watch_again(lv_system *s)
{
    if (!lv_symmetry_finder_agrees(s->finder) ||
        !lv_maps_agree(&s->forms, s->model, &s->found))
        return false;
    if (s->watcher)
        lv_watch_program_renew(s->watcher);
    if (s->comparer)
        lv_watch_program_renew(s->comparer);
    s->spoilt = NULL;
    s->equivariant[0] = s->equivariant[1] = NULL;
    lv_dissipations_free(s->dissipations);
    s->dissipations = NULL;
    return true;
}

bool lv_system_renew(lv_system *s, const lv_model *model)
{
    const bool moves =
        lv_model_has_poses(model, false) || lv_model_has_poses(model, true);
    if (!s->renewable || s->still || moves)
        return false;
    take_head(s, model);
    renew_plans(s);
    if (!classify_again(s) || !watch_again(s))
        return false;
    lv_determined_renew(s->determined, s);
    return true;
}
