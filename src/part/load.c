/* A load: a force at a point of a body and a torque on it, given by formulas. The force
 * acts along the variation of the point, the torque along the angular velocity. */
#include "part/body.h"

#include <string.h>

enum { BODY, POINT, FORCE, TORQUE, END };

typedef struct load {
    lv_expansion *x;
    lv_end end;
    bool in_body; /* components are along the body axes */
    lv_hole holes[END + 1];
} load;

static bool has(const load *l, const char *key)
{
    return lv_item_entry(l->x->part, key) != NULL;
}

static lv_status check_keys(load *l, lv_error *err)
{
    const lv_entry *frame = lv_item_entry(l->x->part, "frame");
    l->in_body = frame && strcmp(frame->text, "body") == 0;
    if (frame && !l->in_body && strcmp(frame->text, "space") != 0)
        return lv_part_refuse(l->x, "frame", err,
                              "'frame' is \"space\" or \"body\", not \"%s\"",
                              frame->text);
    if (!has(l, "force") && !has(l, "torque"))
        return lv_part_refuse(l->x, "", err, "load '%s' has neither a force nor a torque",
                              l->x->part->name);
    if (has(l, "point") && !has(l, "force"))
        return lv_part_refuse(l->x, "point", err,
                              "a torque acts on the whole body: it has no point");
    if (l->end.kind == LV_END_GROUND)
        return lv_part_refuse(l->x, "body", err, "the ground takes no loads");
    if (l->end.kind == LV_END_PARTICLE && (has(l, "torque") || has(l, "point")))
        return lv_part_refuse(l->x, has(l, "torque") ? "torque" : "point", err,
                              "'%s' is a particle: it has %s", l->end.item->name,
                              has(l, "torque") ? "no rotation that a torque could change"
                                               : "no points but itself");
    if (l->end.kind == LV_END_PARTICLE && l->in_body)
        return lv_part_refuse(l->x, "frame", err, "'%s' is a particle: it has no axes",
                              l->end.item->name);
    return LV_OK;
}

/* Checks lengths: forces and points are vectors; a torque is a vector in space and a
 * number in the plane. */
static lv_status check_lengths(const load *l, lv_error *err)
{
    const int d = lv_end_dimension(&l->end);
    if (d == 0)
        return LV_OK;
    LV_TRY(lv_want_length(l->x, "force", d, err));
    LV_TRY(lv_want_length(l->x, "point", d, err));
    return lv_want_length(l->x, "torque", d == 3 ? 3 : 0, err);
}

/* Declares one force, whose arrays contain what is acted on and what acts. */
static lv_status declare_force(load *l, lv_error *err)
{
    const bool planar = l->end.kind == LV_END_PLANAR;
    const int count = has(l, "force") + has(l, "torque");
    lv_formula *on = lv_arena_alloc(l->x->arena, (size_t)count, sizeof *on);
    lv_formula *force = lv_arena_alloc(l->x->arena, (size_t)count, sizeof *force);
    lv_entry *entries = lv_arena_alloc(l->x->arena, 2, sizeof *entries);
    lv_item item;
    int k = 0;
    if (!on || !force || !entries)
        return lv_fail_memory(err);
    if (has(l, "force")) {
        LV_TRY(lv_term_formula(l->x, &on[k], has(l, "point") ? "point(b, point)" : "b",
                               l->holes, err));
        LV_TRY(lv_term_formula(l->x, &force[k++],
                               l->in_body ? "direction(b, force)" : "force", l->holes,
                               err));
    }
    if (has(l, "torque")) {
        LV_TRY(lv_term_formula(l->x, &on[k], planar || l->in_body ? "b.omega" : "b.spin",
                               l->holes, err));
        LV_TRY(lv_term_formula(l->x, &force[k++], "torque", l->holes, err));
    }
    entries[0] = (lv_entry){
        .place = l->x->part->place, .is_array = true, .count = count, .formulas = on};
    entries[1] = (lv_entry){
        .place = l->x->part->place, .is_array = true, .count = count, .formulas = force};
    LV_TRY(lv_term_init(l->x, &item, LV_SECTION_FORCES, lv_item_entry(l->x->part, "for"),
                        err));
    lv_term_set(&item, "on", &entries[0]);
    lv_term_set(&item, "force", &entries[1]);
    return lv_expansion_add(l->x, item, err);
}

static lv_status expand(lv_expansion *x, const lv_item *part, lv_error *err)
{
    load l = {.x = x};
    const lv_entry *body = lv_item_entry(part, "body");
    LV_TRY(lv_end_read(x, &l.end, "b", &body->formulas[0], "a load acts on", err));
    LV_TRY(check_keys(&l, err));
    LV_TRY(check_lengths(&l, err));
    l.holes[BODY] = l.end.hole;
    LV_TRY(lv_hole_key(x, &l.holes[POINT], "point", err));
    LV_TRY(lv_hole_key(x, &l.holes[FORCE], "force", err));
    LV_TRY(lv_hole_key(x, &l.holes[TORQUE], "torque", err));
    return declare_force(&l, err);
}

static const lv_key keys[] = {
    {"body", LV_KEY_NAMES, true, false, 0, 0, NULL, NULL,
     "the body it acts on, or a particle"},
    {"force", LV_KEY_VALUE, false, false, 0, 0, "N", NULL, "a vector of formulas"},
    {"point", LV_KEY_VALUE, false, false, 0, 0, "m", "the centre of mass",
     "where the force acts, in body axes"},
    {"torque", LV_KEY_VALUE, false, false, 0, 0, "N m", NULL,
     "a vector of formulas, in the plane one formula"},
    {"frame", LV_KEY_TEXT, false, false, 0, 0, NULL, "space",
     "\"space\" or \"body\": the axes of force and torque"},
    {"for", LV_KEY_RANGES, false, false, 0, 0, NULL, NULL,
     "makes a family: one load for every value of the index, e.g. \"i = 2..N\""},
    {0},
};

const lv_part lv_part_load = {
    .section = {.name = "loads",
                .one = "load",
                .shape = LV_SHAPE_TABLES,
                .keys = keys,
                .doc = "Forces and torques on bodies: formulas of coordinates, "
                       "velocities and time.",
                .example =
                    "[loads.push]\nbody = \"top\"\npoint = [0, 0, 0.1]\nforce = [0, "
                    "\"sin(t)\", 0]\n[loads.brake]\nbody = \"top\"\nframe = "
                    "\"body\"\ntorque = \"-0.1*top.omega\""},
    .expand = expand,
};
