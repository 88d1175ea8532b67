/* Homogeneous shapes with their axis along e3: mass and principal moments of inertia
 * about the centre of mass. */
#include "part/shape.h"

#include "base/text.h"

#include <string.h>

typedef struct shape {
    const char *word;
    int length; /* number of sizes */
    const char *numbers;
    const char *volume;
    const char *inertia; /* inertia per mass, as a template of the hole s */
} shape;

static const shape shapes[] = {
    {"sphere", 1, "its radius", "4/3*pi*s[1]^3", "[2/5*s[1]^2, 2/5*s[1]^2, 2/5*s[1]^2]"},
    {"box", 3, "its three sides", "s[1]*s[2]*s[3]",
     "[(s[2]^2 + s[3]^2)/12, (s[1]^2 + s[3]^2)/12, (s[1]^2 + s[2]^2)/12]"},
    {"cylinder", 2, "radius and length", "pi*s[1]^2*s[2]",
     "[s[1]^2/4 + s[2]^2/12, s[1]^2/4 + s[2]^2/12, s[1]^2/2]"},
    /* A cylinder of length s[2] between two half spheres. */
    {"capsule", 2, "radius and length of the cylinder between the half spheres",
     "pi*s[1]^2*s[2] + 4/3*pi*s[1]^3",
     "[s[2]/(s[2] + 4/3*s[1])*(s[1]^2/4 + s[2]^2/12) + 4/3*s[1]/(s[2] + "
     "4/3*s[1])*(2/5*s[1]^2 + s[2]^2/4 + 3/8*s[1]*s[2]), s[2]/(s[2] + "
     "4/3*s[1])*(s[1]^2/4 + s[2]^2/12) + 4/3*s[1]/(s[2] + 4/3*s[1])*(2/5*s[1]^2 + "
     "s[2]^2/4 + 3/8*s[1]*s[2]), s[2]/(s[2] + 4/3*s[1])*s[1]^2/2 + 4/3*s[1]/(s[2] + "
     "4/3*s[1])*2/5*s[1]^2]"},
    {"cone", 2, "radius and height", "pi*s[1]^2*s[2]/3",
     "[3/20*s[1]^2 + 3/80*s[2]^2, 3/20*s[1]^2 + 3/80*s[2]^2, 3/10*s[1]^2]"},
};

#define SHAPE(name, doc)                                                                 \
    {                                                                                    \
        "shape", name, doc                                                               \
    }

const lv_word lv_shape_words[] = {
    SHAPE("sphere", "A homogeneous ball, given by its radius."),
    SHAPE("box", "A homogeneous box, given by its three sides, along the body axes."),
    SHAPE("cylinder", "A homogeneous cylinder about e3, given by radius and length."),
    SHAPE("capsule",
          "A homogeneous cylinder about e3 between two half balls, given by the "
          "radius and the length of the cylinder."),
    SHAPE("cone",
          "A homogeneous cone about e3, given by radius and height; the position is "
          "that of the centre of mass."),
    {0}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static lv_status find_shape(const lv_expansion *x, const shape **found, lv_error *err)
{
    const char *word = lv_item_entry(x->part, "shape")->text;
    lv_nearest nearest;
    lv_nearest_start(&nearest, word);
    for (int k = 0; k < SHAPES; k++) {
        *found = &shapes[k];
        if (strcmp(shapes[k].word, word) == 0)
            return LV_OK;
        lv_nearest_offer(&nearest, shapes[k].word);
    }
    lv_status status = lv_part_refuse(x, "shape", err, "there is no shape '%s'", word);
    const char *best = lv_nearest_result(&nearest);
    if (best)
        lv_error_hint(err, "did you mean '%s'?", best);
    else
        lv_error_hint(err, "shapes are sphere, box, cylinder, capsule and cone");
    return status;
}

static lv_status check_length(const lv_expansion *x, const shape *s, lv_error *err)
{
    const lv_entry *entry = lv_item_entry(x->part, "shape");
    int found = entry->is_array ? entry->count : 1;
    if (found == s->length)
        return LV_OK;
    return lv_part_refuse(x, "shape", err, "a %s needs %d number%s, %s; found %d",
                          s->word, s->length, s->length == 1 ? "" : "s", s->numbers,
                          found);
}

/* Requires that all sizes are positive, in all members of a family. */
static lv_status demand_sizes(lv_expansion *x, const lv_entry *family, lv_error *err)
{
    lv_hole holes[2] = {{0}};
    lv_check check = {.kind = LV_CHECK_POSITIVE,
                      .family = family,
                      .text = "the sizes of a shape must be positive",
                      .still = "a shape",
                      .timeless = "a shape"};
    LV_TRY(lv_hole_key(x, &holes[0], "shape", err));
    holes[0].name = "s";
    check.place = lv_item_entry(x->part, "shape")->place;
    LV_TRY(lv_term_formula(x, &check.formulas[0], "start(s)", holes, err));
    return lv_expansion_check(x, check, err);
}

lv_status lv_shape_check(lv_expansion *x, const lv_entry *family, lv_error *err)
{
    const shape *s = NULL;
    if (!lv_item_entry(x->part, "shape"))
        return LV_OK;
    LV_TRY(find_shape(x, &s, err));
    LV_TRY(check_length(x, s, err));
    return demand_sizes(x, family, err);
}

lv_status lv_shape_holes(lv_expansion *x, lv_hole *mass, lv_hole *inertia, lv_error *err)
{
    enum { SIZES, DENSITY, VOLUME, PER_MASS, MASS, END };
    const shape *s = NULL;
    lv_hole holes[END + 1] = {{0}};
    LV_TRY(find_shape(x, &s, err));
    for (int k = 0; k < END; k++)
        holes[k].name = " "; /* not available yet */
    LV_TRY(lv_hole_key(x, &holes[SIZES], "shape", err));
    holes[SIZES].name = "s";
    holes[SIZES].is_point = true;
    LV_TRY(lv_hole_key(x, &holes[DENSITY], "density", err));
    LV_TRY(lv_hole_write(x, &holes[VOLUME], "volume", s->volume, holes, err));
    LV_TRY(lv_hole_write(x, &holes[PER_MASS], "per_mass", s->inertia, holes, err));
    LV_TRY(lv_hole_write(x, &holes[MASS], "mass", "density*volume", holes, err));
    *mass = holes[MASS];
    return lv_hole_write(x, inertia, "inertia", "mass*per_mass", holes, err);
}
