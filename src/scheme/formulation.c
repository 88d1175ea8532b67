/* Whether bodies move on groups in the steps of a scheme, and which options have no
 * effect because of that. */
#include "model/motion.h"
#include "scheme/scheme.h"

lv_rotations_as lv_rotations_of(const lv_scheme_options *options)
{
    const bool coupled = lv_scheme_option(options, LV_OPTION_POSES, 0) != 0;
    return (lv_rotations_as)lv_scheme_option(options, LV_OPTION_ROTATIONS,
                                             coupled ? LV_ROTATIONS_EXP
                                                     : LV_ROTATIONS_DIRECTORS);
}

lv_status lv_scheme_moves_in(const lv_scheme *scheme, lv_system **in, lv_system *system,
                             const lv_scheme_options *options, lv_error *err)
{
    const bool coupled = lv_scheme_option(options, LV_OPTION_POSES, 0) != 0,
               directors = lv_rotations_of(options) == LV_ROTATIONS_DIRECTORS;
    *in = system;
    if (!lv_model_has_poses(system->model, coupled))
        return LV_OK;
    if (!directors)
        return lv_system_move(system, coupled, in, err);
    if (!scheme->kicks || coupled || !system->separable || system->has_nonholonomic)
        return LV_OK;
    LV_TRY(lv_system_move(system, false, in, err));
    if (!(*in)->separable)
        *in = system;
    return LV_OK;
}

const char *lv_option_without_effect(lv_option option, const lv_model *model,
                                     const lv_scheme_options *options)
{
    const bool coupled = lv_scheme_option(options, LV_OPTION_POSES, 0) != 0;
    const bool turns = lv_model_has_poses(model, false);
    if (!lv_scheme_option_given(options, option))
        return NULL;
    if (option == LV_OPTION_ROTATIONS && !turns &&
        !(coupled && lv_model_has_poses(model, true)))
        return "the model has no bodies that turn in space";
    if (option == LV_OPTION_POSES && !lv_model_has_poses(model, true))
        return "the model has no bodies";
    if (option == LV_OPTION_MULTIPLIERS && model->row_count[LV_ROLE_NONHOLONOMIC] == 0)
        return "the model has no nonholonomic constraints";
    return NULL;
}

void lv_scheme_options_drop(lv_scheme_options *options, const lv_model *model)
{
    const lv_scheme_options given = *options;
    for (int k = 0; k < LV_OPTIONS; k++)
        if (lv_option_without_effect((lv_option)k, model, &given))
            options->given &= ~(1u << k);
}
