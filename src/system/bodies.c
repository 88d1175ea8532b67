#include "system/bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The group NAME.member of a part; NULL: there is none. */
static const lv_group *find_group(const lv_model *m, const lv_item *part,
                                  const char *member)
{
    const size_t length = strlen(part->name);
    for (int k = 0; k < m->groups.count; k++) {
        const lv_item *item = m->groups.data[k].item;
        if (item->origin == part && strcmp(item->name + length, member) == 0)
            return &m->groups.data[k];
    }
    return NULL;
}

static lv_body_groups find_body(const lv_model *m, const lv_shown *shown)
{
    static const char *const members[] = {".e1", ".e2", ".e3"};
    lv_body_groups b = {.name = shown->part->name,
                        .is_planar = shown->is_planar,
                        .centre = find_group(m, shown->part, ""),
                        .angle = find_group(m, shown->part, ".angle")};
    for (int k = 0; k < 3; k++)
        b.axes[k] = find_group(m, shown->part, members[k]);
    const lv_group *any = b.is_planar ? b.angle : b.axes[0];
    b.count = any ? any->count : 0;
    b.is_family = any && any->is_family;
    return b;
}

bool lv_bodies_at(const lv_model *m, int k, lv_body_groups *body)
{
    for (int i = 0; i < m->declarations.shown.count; i++) {
        const lv_shown *shown = &m->declarations.shown.data[i];
        if (shown->kind == LV_SHOWN_BODY && k-- == 0) {
            *body = find_body(m, shown);
            return true;
        }
    }
    return false;
}

const char *lv_body_name(const lv_body_groups *b, int member, char *buffer, size_t size)
{
    if (b->is_family)
        snprintf(buffer, size, "%s_%d", b->name, member + 1);
    else
        snprintf(buffer, size, "%s", b->name);
    return buffer;
}

static void copy_member(const lv_group *group, int member, const double *from, double *to)
{
    const int width = group ? lv_group_width(group) : 0;
    for (int k = 0; k < 3; k++)
        to[k] = k < width ? from[group->first + member * width + k] : 0;
}

void lv_body_read(const lv_body_groups *b, int member, const double *q, const double *v,
                  lv_body_state *state)
{
    memset(state, 0, sizeof *state);
    copy_member(b->centre, member, q, state->centre);
    copy_member(b->centre, member, v, state->velocity);
    if (b->is_planar) {
        state->axes[0][0] = q[b->angle->first + member];
        state->spin[2] = v[b->angle->first + member];
        return;
    }
    for (int k = 0; k < 3; k++) { /* spin = sum e x e' / 2 */
        double e[3], f[3];
        copy_member(b->axes[k], member, q, e);
        copy_member(b->axes[k], member, v, f);
        memcpy(state->axes[k], e, sizeof e);
        state->spin[0] += (e[1] * f[2] - e[2] * f[1]) / 2;
        state->spin[1] += (e[2] * f[0] - e[0] * f[2]) / 2;
        state->spin[2] += (e[0] * f[1] - e[1] * f[0]) / 2;
    }
}

/* |R1 - R0|^2 = 8 sin^2(turn / 2), which small turns do not lose in rounding. */
double lv_body_turn(const lv_body_groups *b, const lv_body_state *from,
                    const lv_body_state *to)
{
    double sum = 0;
    if (b->is_planar)
        return fabs(to->axes[0][0] - from->axes[0][0]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const double difference = to->axes[k][i] - from->axes[k][i];
            sum += difference * difference;
        }
    return 2 * asin(fmin(1, sqrt(sum / 8)));
}
