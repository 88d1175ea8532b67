#include "model/option.h"

#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const words_CONTINUITY[] = {"LR", "RL", "RR", "C", NULL};
static const char *const words_QUADRATURE[] = {"gauss", "radau", "lobatto", "rectangle",
                                               NULL};
static const char *const words_ROTATIONS[] = {"directors", "exp", "cay", "exact", NULL};
static const char *const words_POSES[] = {"separate", "coupled", NULL};
static const char *const words_MULTIPLIERS[] = {"carried", "motion", NULL};

static const char *const meanings_CONTINUITY[] = {
    "The polynomials of positions meet the state at the right end of a step, those of "
    "momenta at the left one.",
    "The polynomials of positions meet the state at the left end of a step, those of "
    "momenta at the right one.",
    "Both polynomials meet the state at the right end of a step: the motion is damped.",
    "The polynomials of positions meet the state at both ends of a step.", NULL};
static const char *const meanings_QUADRATURE[] = {
    "The Gauss points: none at the ends of a step.",
    "The Radau points: one at the right end of a step.",
    "The Lobatto points: two at the ends of a step.",
    "Left ends of equal panels, as in a sum of rectangles.", NULL};
static const char *const meanings_ROTATIONS[] = {
    "The axes of a body are nine coordinates with six inner constraints and a constant "
    "mass matrix. Every scheme takes it. Steps of rattle and verlet are solved in three "
    "unknowns a body, and bodies turn by less than one radian in a step.",
    "Bodies move on the group of rotations, six unknowns each and no inner constraints; "
    "increments are taken by the exponential map, which is exact for rotation about a "
    "fixed axis at any speed. A body turns by less than half a turn in a step.",
    "As exp, with the Cayley map in place of the exponential one: no trigonometry, but a "
    "phase error of order (h omega)^2 for each radian. A body turns by less than a "
    "quarter of a turn in a step.",
    "Kick, exact free rotation, kick: explicit without constraints, symmetric, and free "
    "bodies with two equal moments of inertia turn without any error. For constant mass "
    "matrices in body axes and holonomic constraints.",
    NULL};
static const char *const meanings_POSES[] = {
    "Positions are plain coordinates, rotations move on their group: what most bodies "
    "need.",
    "Bodies move on the group of poses, with velocities along their axes: for energies "
    "that couple rotation and translation, as of bodies in a fluid, and for bodies that "
    "drive along their axes. It means rotations exp, unless cay is given.",
    NULL};
static const char *const meanings_MULTIPLIERS[] = {
    "A step begins with the multipliers that the one before ended with: the map is "
    "symmetric. They can leave those of the motion, in motions that settle down and "
    "for bodies on groups at any step, and a run warns.",
    "A step begins with the multipliers that belong to the accelerations there, which "
    "takes one more solution of linear equations. They cannot leave the motion, but the "
    "map is not symmetric, and energies may drift slowly.",
    NULL};
static const char *const words_flag[] = {"false", "true", NULL};

#define CHOICES_WHOLE(id) NULL
#define CHOICES_NUMBER(id) NULL
#define CHOICES_FLAG(id) NULL
#define CHOICES_CHOICE(id) words_##id
#define MEANINGS_WHOLE(id) NULL
#define MEANINGS_NUMBER(id) NULL
#define MEANINGS_FLAG(id) NULL
#define MEANINGS_CHOICE(id) meanings_##id

static const lv_option_info table[LV_OPTIONS] = {
#define LV_X(id, name, on_line, kind, least, most, argument, doc)                        \
    [LV_OPTION_##id] = {name,                                                            \
                        LV_OPTION_IS_##kind,                                             \
                        CHOICES_##kind(id),                                              \
                        MEANINGS_##kind(id),                                             \
                        least,                                                           \
                        most,                                                            \
                        argument,                                                        \
                        doc,                                                             \
                        {0}},
    LV_OPTION_LIST(LV_X)
#undef LV_X
};

_Static_assert((int)LV_OPTIONS <= (int)LV_OPTION_ROOM &&
                   LV_OPTION_ROOM <= 8 * sizeof(unsigned),
               "a value and a bit of `given` for every option");

static bool is_option(int k)
{
    return k >= 0 && k < LV_OPTIONS;
}

bool lv_option_describe(int k, lv_option_info *info)
{
    if (!info || !is_option(k))
        return false;
    *info = table[k];
    return true;
}

/* ---- values ----------------------------------------------------------------------------- */

void lv_scheme_option_set(lv_scheme_options *options, lv_option option, double value)
{
    if (!options || !is_option((int)option))
        return;
    options->given |= 1u << option;
    options->value[option] = value;
}

bool lv_scheme_option_given(const lv_scheme_options *options, lv_option option)
{
    return options && is_option((int)option) && options->given >> option & 1;
}

double lv_scheme_option(const lv_scheme_options *options, lv_option option,
                        double otherwise)
{
    return lv_scheme_option_given(options, option) ? options->value[option] : otherwise;
}

static bool allows(const lv_option_info *info, double value)
{
    bool whole = info->kind != LV_OPTION_IS_NUMBER;
    return value >= info->least && value <= info->most &&
           (!whole || value == floor(value));
}

lv_status lv_option_check(lv_option option, double value, lv_error *err)
{
    const lv_option_info *info = &table[option];
    if (allows(info, value))
        return LV_OK;
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "option '%s' must be a %s from %g to %g, not %g",
                info->name, info->kind == LV_OPTION_IS_NUMBER ? "number" : "whole number",
                info->least, info->most, value);
    lv_option_blame(option, err);
    return status;
}

void lv_option_blame(lv_option option, lv_error *err)
{
    lv_error_about(err, LV_ABOUT_OPTION, (int)option);
    lv_error_name(err, table[option].name);
}

/* ---- texts ------------------------------------------------------------------------------ */

/* The words for the values 0, 1, ...; NULL for numbers. */
static const char *const *words_of(const lv_option_info *info)
{
    return info->kind == LV_OPTION_IS_FLAG ? words_flag : info->choices;
}

bool lv_option_parse(lv_option option, const char *text, double *value)
{
    if (!is_option((int)option) || !text || !value)
        return false;
    const lv_option_info *info = &table[option];
    const char *const *words = words_of(info);
    double number = -1;
    for (int k = 0; words && words[k]; k++)
        if (strcmp(words[k], text) == 0)
            number = k;
    if (!words && info->kind == LV_OPTION_IS_WHOLE &&
        strspn(text, "0123456789") != strlen(text))
        return false;
    if (!words && !lv_number_parse(text, strlen(text), &number))
        return false;
    if (!allows(info, number))
        return false;
    *value = number;
    return true;
}

const char *lv_option_format(lv_option option, double value, char *buffer, size_t size)
{
    if (!buffer || !is_option((int)option)) {
        if (buffer && size > 0)
            buffer[0] = '\0';
        return buffer ? buffer : "";
    }
    const lv_option_info *info = &table[option];
    const char *const *words = words_of(info);
    char number[LV_NUMBER_SIZE];
    bool named = words && allows(info, value);
    snprintf(buffer, size, "%s",
             named ? words[(int)value] : lv_number_format(value, number));
    return buffer;
}
