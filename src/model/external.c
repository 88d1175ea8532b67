#include "model/external.h"

#include "base/usage.h"
#include "model/motion.h"

#include <stdio.h>
#include <string.h>

/* ---- targets ----------------------------------------------------------------------- */

/* A target of external forces: a member of a group of coordinates, and its components of
 * the input. */
typedef struct target {
    const lv_group *group;
    int member; /* from 1 */
    int first;  /* index of its first component in the input, from 0 */
    /* number of components; 0: none, since the rotation of a body belongs to its first
     * axis */
    int count;
    bool is_vector;
    const char *part;   /* the body; NULL: a coordinate */
    const char *effort; /* ".force", ".torque" of a body; else "" */
    bool turns;         /* it acts along an angular velocity in space */
} target;

static target target_of(const lv_model *m, int group)
{
    const lv_group *g = &m->groups.data[group];
    const lv_item *item = g->item;
    target t = {
        .group = g, .count = lv_group_width(g), .is_vector = g->length > 0, .effort = ""};
    if (!item->is_inner || !item->origin)
        return t;
    t.part = item->origin->name;
    t.effort = item->nature == LV_NATURE_PLAIN ? ".force" : ".torque";
    if (lv_group_is_axis(m, group)) {
        t.turns = true;
        t.count = lv_part_of(m, group, true).axis == 0 ? 3 : 0;
    }
    return t;
}

/* Calls `visit` for every target in the order of components. Returns the total number of
 * components. */
static int visit_targets(const lv_model *m, void (*visit)(void *user, const target *t),
                         void *user)
{
    int first = 0;
    for (int k = 0; k < m->groups.count; k++) {
        target t = target_of(m, k);
        for (int j = 1; j <= t.group->count && t.count > 0; j++) {
            t.member = j;
            t.first = first;
            first += t.count;
            visit(user, &t);
        }
    }
    return first;
}

/* The name of a target, "x", "q_7", "rod_2.spin"; with its effort as the suffix, the name
 * of its components. */
static void target_text(const target *t, const char *suffix, char *buffer, size_t size)
{
    char name[200];
    const double member = t->member;
    snprintf(name, sizeof name, "%s%s", t->part ? t->part : t->group->item->name, suffix);
    (void)lv_member_text(buffer, size, name, &member, t->group->is_family);
}

/* ---- declarations ----------------------------------------------------------------------------- */

/* Forces are collected into one formula of at most so many components. */
enum { GATHERED_MOST = 400 };

typedef struct writer {
    lv_text *text, on, force;
    int gathered; /* number of components collected */
    int item;     /* number of the last force that was written */
} writer;

static void write_force(writer *w)
{
    if (w->gathered == 0)
        return;
    lv_text_append(w->text, "[forces.external_%d]\non = [%s]\nforce = [%s]\n", ++w->item,
                   w->on.data ? w->on.data : "", w->force.data ? w->force.data : "");
    w->text->failed = w->text->failed || w->on.failed || w->force.failed;
    lv_text_done(&w->on);
    lv_text_done(&w->force);
    w->on = w->force = (lv_text){0};
    w->gathered = 0;
}

/* Collects the force on a target. Torques depend on the orientation of a body and get
 * formulas of their own. */
static void declare_target(void *user, const target *t)
{
    writer *w = user;
    char name[260];
    if (t->turns || w->gathered + t->count > GATHERED_MOST)
        write_force(w);
    target_text(t,
                !t->part                            ? ""
                : t->turns                          ? ".spin"
                : strcmp(t->effort, ".torque") == 0 ? ".angle"
                                                    : "",
                name, sizeof name);
    const char *comma = w->gathered > 0 ? ", " : "";
    lv_text_append(&w->on, "%s\"%s\"", comma, name);
    for (int k = 0; k < t->count; k++)
        lv_text_append(&w->force, "%s\"" LV_EXTERNAL_NAME "[%d]\"", k > 0 ? ", " : comma,
                       t->first + k + 1);
    w->gathered += t->count;
    if (t->turns)
        write_force(w);
}

static void ignore_target(void *user, const target *t)
{
    (void)user;
    (void)t;
}

lv_status lv_external_declare(lv_text *text, const lv_model *m, lv_error *err)
{
    const lv_name *taken =
        lv_names_find(&m->names, LV_EXTERNAL_NAME, (int)strlen(LV_EXTERNAL_NAME));
    const int count = visit_targets(m, ignore_target, NULL);
    writer w = {.text = text};
    if (taken) {
        const lv_status status =
            lv_fail_at(err, LV_ERR_MODEL, LV_AT(taken->place),
                       "'%s' is what external forces are called", LV_EXTERNAL_NAME);
        lv_error_hint(err, "give this another name");
        return status;
    }
    lv_text_append(text, "[inputs]\n" LV_EXTERNAL_NAME " = [0");
    for (int k = 1; k < count; k++)
        lv_text_append(text, ", 0");
    lv_text_append(text, "]\n");
    (void)visit_targets(m, declare_target, &w);
    write_force(&w);
    return text->failed ? lv_fail_memory(err) : LV_OK;
}

void lv_external_rename(lv_declarations *d, int first)
{
    for (int k = first; k < d->items.count; k++)
        if (d->items.data[k].section == LV_SECTION_FORCES)
            d->items.data[k].name = LV_EXTERNAL_NAME;
}

/* ---- questions -------------------------------------------------------------------------------- */

int lv_external_input(const lv_model *m)
{
    const int number = lv_model_find_input(m, LV_EXTERNAL_NAME);
    return number >= 0 && m->takes_external ? number : -1;
}

lv_status lv_model_with_forces(lv_model **model, const lv_model *without, lv_error *err)
{
    lv_error_clear(err);
    LV_NEED(err, model);
    *model = NULL;
    LV_NEED(err, without);
    return lv_model_read_again(model, without, &(lv_setting){LV_EXTERNAL_SETTING, "true"},
                               err);
}

int lv_model_force_count(const lv_model *model)
{
    const int number = model ? lv_external_input(model) : -1;
    return number < 0 ? 0 : model->inputs.data[number].length;
}

/* A search for the name of one component. */
typedef struct search {
    int number;
    char *buffer;
    size_t size;
} search;

static void find_name(void *user, const target *t)
{
    const search *s = user;
    const int within = s->number - t->first;
    char name[260];
    if (within < 0 || within >= t->count)
        return;
    target_text(t, t->effort, name, sizeof name);
    if (t->is_vector)
        snprintf(s->buffer, s->size, "%s[%d]", name, within + 1);
    else
        snprintf(s->buffer, s->size, "%s", name);
}

const char *lv_model_force_name(const lv_model *model, int k, char *buffer, size_t size)
{
    search s = {k, buffer, size};
    if (!buffer || size == 0)
        return "";
    buffer[0] = '\0';
    if (model && k >= 0 && k < lv_model_force_count(model))
        (void)visit_targets(model, find_name, &s);
    return buffer;
}
