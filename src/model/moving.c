#include "model/moving.h"

#include "expr/identity.h"
#include "expr/import.h"

#include <string.h>

int lv_model_tangents(const lv_model *m)
{
    return m->motion ? m->motion->tangents : m->coordinate_count;
}

/* ---- which coordinates turn ------------------------------------------------------------------------ */

static bool is_axis(const lv_model *m, int group)
{
    const lv_group *g = &m->groups.data[group];
    return g->item->nature == LV_NATURE_DIRECTION && g->length == 3;
}

/* The axes of a body are declared one after the other. */
static bool is_first_axis(const lv_model *m, int group)
{
    int axes = 0;
    while (axes <= group && is_axis(m, group - axes))
        axes++;
    return axes % 3 == 1;
}

bool lv_model_has_rotations(const lv_model *m)
{
    for (int k = 0; k < m->groups.count; k++)
        if (is_axis(m, k))
            return true;
    return false;
}

static void number_group(const lv_model *m, lv_motion *x, int group)
{
    const lv_group *g = &m->groups.data[group];
    const int size = g->count * lv_group_width(g);
    for (int k = 0; k < size; k++) {
        x->tangent[g->first + k] = x->tangents + k;
        x->place[x->tangents + k] = is_axis(m, group) ? -1 : g->first + k;
    }
    for (int i = 0; is_axis(m, group) && i < g->count; i++) {
        lv_rotation *r = &x->rotations[x->rotation_count++];
        for (int k = 0; k < 3; k++)
            r->axis[k] = m->groups.data[group + k].first + 3 * i;
        r->tangent = x->tangents + 3 * i;
    }
    x->tangents += size;
}

static lv_status make_motion(lv_model *m, lv_error *err)
{
    const size_t n = (size_t)m->coordinate_count + 1;
    lv_motion *x = lv_arena_alloc(&m->arena, 1, sizeof *x);
    if (!x)
        return lv_fail_memory(err);
    x->tangent = lv_arena_alloc(&m->arena, n, sizeof *x->tangent);
    x->place = lv_arena_alloc(&m->arena, n, sizeof *x->place);
    x->rotations = lv_arena_alloc(&m->arena, n / 9 + 1, sizeof *x->rotations);
    x->row = lv_arena_alloc(&m->arena, (size_t)m->row_count[LV_ROLE_HOLONOMIC] + 1,
                            sizeof *x->row);
    if (!x->tangent || !x->place || !x->rotations || !x->row)
        return lv_fail_memory(err);
    for (int k = 0; k < m->coordinate_count; k++)
        x->tangent[k] = -1;
    for (int k = 0; k < m->groups.count; k++)
        if (!is_axis(m, k) || is_first_axis(m, k))
            number_group(m, x, k);
    m->motion = x;
    return LV_OK;
}

void lv_motion_tangents(const lv_motion *x, double *tangents, const double *q,
                        const double *v)
{
    for (int i = 0; i < x->tangents; i++)
        if (x->place[i] >= 0)
            tangents[i] = v[x->place[i]];
    for (int k = 0; k < x->rotation_count; k++) {
        const lv_rotation *r = &x->rotations[k];
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            double sum = 0;
            for (int i = 0; i < 3; i++)
                sum += q[r->axis[c] + i] * v[r->axis[b] + i] -
                       q[r->axis[b] + i] * v[r->axis[c] + i];
            tangents[r->tangent + a] = 0.5 * sum;
        }
    }
}

void lv_motion_velocities(const lv_motion *x, double *v, int coordinates, const double *q,
                          const double *tangents)
{
    for (int k = 0; k < coordinates; k++)
        v[k] = x->tangent[k] < 0 ? 0 : tangents[x->tangent[k]];
    for (int k = 0; k < x->rotation_count; k++) {
        const lv_rotation *r = &x->rotations[k];
        const double *w = tangents + r->tangent;
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            for (int i = 0; i < 3; i++)
                v[r->axis[a] + i] = w[c] * q[r->axis[b] + i] - w[b] * q[r->axis[c] + i];
        }
    }
}

/* ---- kernels ------------------------------------------------------------------------------------------ */

typedef struct mover {
    lv_model *m;
    const lv_kernel *old;
    lv_kernel new;
    lv_frame *frames;
    lv_slot *slots;
    int *axis_of; /* slots: which axis it is, -1: none; and of which frame */
    int *frame_of;
    lv_node *nodes; /* rows, targets, angles and indices of slots, in this order */
    int node_count;
    lv_arena scratch;
} mover;

static int axis_number(const lv_model *m, int group)
{
    int k = 0;
    if (!is_axis(m, group))
        return -1;
    while (!is_first_axis(m, group - k))
        k++;
    return k;
}

/* Frames of the kernel, from slots that are axes of the same member of a family. */
static void find_frames(mover *w)
{
    for (int s = 0; s < w->old->slot_count; s++) {
        const int axis = axis_number(w->m, w->slots[s].group);
        w->axis_of[s] = axis;
        w->frame_of[s] = -1;
        for (int t = 0; axis >= 0 && t < s && w->frame_of[s] < 0; t++)
            if (w->axis_of[t] >= 0 &&
                w->slots[t].group - w->axis_of[t] == w->slots[s].group - axis &&
                w->slots[t].index == w->slots[s].index)
                w->frame_of[s] = w->frame_of[t];
        if (axis < 0)
            continue;
        if (w->frame_of[s] < 0) {
            w->frame_of[s] = w->new.frame_count++;
            for (int k = 0; k < 3; k++)
                w->frames[w->frame_of[s]].axis[k] = -1;
        }
        w->frames[w->frame_of[s]].axis[axis] = w->slots[s].first;
    }
}

/* A derivative by a rotation needs all axes: those that the formula does not mention get slots. */
static void complete_frames(mover *w)
{
    int *local = &w->new.layout.size[LV_INPUT_Q];
    for (int s = 0; s < w->old->slot_count; s++)
        for (int k = 0; w->frame_of[s] >= 0 && k < 3; k++) {
            lv_frame *f = &w->frames[w->frame_of[s]];
            if (f->axis[k] >= 0)
                continue;
            lv_slot *slot = &w->slots[w->new.slot_count];
            *slot = w->slots[s];
            slot->group += k - w->axis_of[s];
            slot->first = f->axis[k] = *local;
            w->axis_of[w->new.slot_count] = k;
            w->frame_of[w->new.slot_count++] = w->frame_of[s];
            *local += 3;
        }
    w->new.layout.size[LV_INPUT_V] = *local;
}

static lv_status place_slots(mover *w, lv_error *err)
{
    const size_t slots = (size_t)w->new.slot_count;
    int *where = lv_arena_alloc(&w->m->arena, slots * (size_t)w->old->instance_count + 1,
                                sizeof *where);
    if (!where)
        return lv_fail_memory(err);
    for (int i = 0; i < w->old->instance_count; i++)
        for (int s = 0; s < w->new.slot_count; s++) {
            int *to = &where[(size_t)i * slots + (size_t)s];
            int like = s;
            for (int t = 0; s >= w->old->slot_count && like == s; t++)
                if (w->frame_of[t] == w->frame_of[s])
                    like = t;
            *to = w->old->where[(size_t)i * (size_t)w->old->slot_count + (size_t)like];
            if (like != s)
                *to += w->m->groups.data[w->slots[s].group].first -
                       w->m->groups.data[w->slots[like].group].first;
        }
    w->new.where = where;
    return LV_OK;
}

/* Slots, frames and places of the new kernel. */
static lv_status move_slots(mover *w, lv_error *err)
{
    const size_t most = 3 * (size_t)w->old->slot_count + 1;
    w->slots = lv_arena_alloc(&w->m->arena, most, sizeof *w->slots);
    w->frames = lv_arena_alloc(&w->m->arena, most, sizeof *w->frames);
    w->axis_of = lv_arena_alloc(&w->scratch, most, sizeof *w->axis_of);
    w->frame_of = lv_arena_alloc(&w->scratch, most, sizeof *w->frame_of);
    if (!w->slots || !w->frames || !w->axis_of || !w->frame_of)
        return lv_fail_memory(err);
    if (w->old->slot_count > 0)
        memcpy(w->slots, w->old->slots, (size_t)w->old->slot_count * sizeof *w->slots);
    find_frames(w);
    complete_frames(w);
    w->new.slots = w->slots;
    w->new.frames = w->frames;
    return place_slots(w, err);
}

/* ---- formulas -------------------------------------------------------------------------------------------- */

/* w[b] e[c] - w[c] e[b], ...: component i of the velocity of axis a. */
static lv_node axis_velocity(lv_graph *g, const lv_frame *f, int a, int i)
{
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    lv_node wb = lv_graph_input(g, LV_INPUT_V, f->axis[0] + b);
    lv_node wc = lv_graph_input(g, LV_INPUT_V, f->axis[0] + c);
    lv_node eb = lv_graph_input(g, LV_INPUT_Q, f->axis[b] + i);
    lv_node ec = lv_graph_input(g, LV_INPUT_Q, f->axis[c] + i);
    lv_node first = lv_graph_mul(g, wc, eb);
    lv_node second = lv_graph_mul(g, wb, ec);
    return lv_graph_sub(g, first, second);
}

/* Replaces the graph of the new kernel by one to which `fill` brings its nodes. */
static lv_status exchange_graph(mover *w, lv_graph *g, lv_error *err)
{
    lv_status status = lv_graph_check(g, err);
    if (w->new.graph != w->old->graph)
        lv_graph_free(w->new.graph);
    w->new.graph = g;
    return status;
}

/* Angular velocities in place of velocities of axes. */
static lv_status put_velocities(mover *w, lv_error *err)
{
    const int local = w->new.layout.size[LV_INPUT_Q];
    lv_node *v = lv_arena_alloc(&w->scratch, (size_t)local + 1, sizeof *v);
    lv_graph *g = lv_graph_create(0);
    if (!v || !g) {
        lv_graph_free(g);
        return lv_fail_memory(err);
    }
    for (int k = 0; k < local; k++)
        v[k] = lv_graph_input(g, LV_INPUT_V, k);
    for (int f = 0; f < w->new.frame_count; f++)
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < 3; i++)
                v[w->frames[f].axis[a] + i] = axis_velocity(g, &w->frames[f], a, i);
    const lv_node *inputs[LV_INPUT_KINDS] = {[LV_INPUT_V] = v};
    lv_graph_import(g, w->nodes, w->new.graph, w->nodes, w->node_count, inputs);
    return exchange_graph(w, g, err);
}

/* What does not know how a frame has turned is taken where its axes are unit vectors. */
static lv_status put_still(mover *w, const lv_frame *f, lv_error *err)
{
    const int local = w->new.layout.size[LV_INPUT_Q];
    const size_t count = (size_t)lv_graph_count(w->new.graph);
    bool *still = lv_arena_alloc(&w->scratch, count + 1, sizeof *still);
    lv_node *q = lv_arena_alloc(&w->scratch, (size_t)local + 1, sizeof *q);
    if (!still || !q)
        return lv_fail_memory(err);
    LV_TRY(lv_identity_turned(still, w->new.graph, f->axis, err));
    for (size_t k = 0; k < count; k++)
        still[k] = !still[k];
    lv_graph *g = lv_graph_create(0);
    if (!g)
        return lv_fail_memory(err);
    for (int k = 0; k < local; k++)
        q[k] = lv_graph_input(g, LV_INPUT_Q, k);
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            q[f->axis[a] + i] = lv_graph_const(g, a == i);
    const lv_node *plain[LV_INPUT_KINDS] = {0};
    const lv_node *others[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    lv_graph_import_where(g, w->nodes, w->new.graph, w->nodes, w->node_count, plain,
                          others, still);
    return exchange_graph(w, g, err);
}

/* ---- forces ------------------------------------------------------------------------------------------------ */

/* The frame and axis at which a force acts; false: at none. */
static bool acts_on(const mover *w, int local, int *frame, int *axis)
{
    for (int f = 0; f < w->new.frame_count; f++)
        for (int a = 0; a < 3; a++)
            if (local >= w->frames[f].axis[a] && local < w->frames[f].axis[a] + 3) {
                *frame = f;
                *axis = a;
                return true;
            }
    return false;
}

/* Forces on axes become torques in body axes: f on component i of axis a does the work f times its velocity. */
static lv_status turn_forces(mover *w, const lv_node *rows, const lv_node *targets,
                             lv_error *err)
{
    const int old = w->old->row_count, most = old + 3 * w->new.frame_count;
    lv_graph *g = w->new.graph;
    lv_node *row = lv_arena_alloc(&w->m->arena, 2 * (size_t)most + 1, sizeof *row);
    lv_node *target = row ? row + most : NULL;
    lv_node *torque =
        lv_arena_alloc(&w->scratch, 3 * (size_t)w->new.frame_count + 1, sizeof *torque);
    int count = 0, frame, axis;
    if (!row || !torque)
        return lv_fail_memory(err);
    for (int k = 0; k < 3 * w->new.frame_count; k++)
        torque[k] = lv_graph_const(g, 0);
    for (int r = 0; r < old; r++) {
        const int local = lv_graph_node(g, targets[r])->b;
        if (!acts_on(w, local, &frame, &axis)) {
            row[count] = rows[r];
            target[count++] = targets[r];
            continue;
        }
        /* Turning about axis c moves axis a along b, about b against c. */
        const lv_frame *f = &w->frames[frame];
        const int b = (axis + 1) % 3, c = (axis + 2) % 3, i = local - f->axis[axis];
        lv_node eb = lv_graph_input(g, LV_INPUT_Q, f->axis[b] + i);
        lv_node ec = lv_graph_input(g, LV_INPUT_Q, f->axis[c] + i);
        lv_node along = lv_graph_mul(g, rows[r], eb);
        lv_node against = lv_graph_mul(g, rows[r], ec);
        torque[3 * frame + c] = lv_graph_add(g, torque[3 * frame + c], along);
        torque[3 * frame + b] = lv_graph_sub(g, torque[3 * frame + b], against);
    }
    for (int k = 0; k < 3 * w->new.frame_count; k++)
        if (!lv_graph_is_const(g, torque[k], 0)) {
            row[count] = torque[k];
            target[count++] =
                lv_graph_input(g, LV_INPUT_Q, w->frames[k / 3].axis[0] + k % 3);
        }
    w->new.rows = row;
    w->new.targets = target;
    w->new.row_count = count;
    return lv_graph_check(g, err);
}

/* ---- all of it ------------------------------------------------------------------------------------------------ */

static lv_status list_nodes(mover *w, lv_error *err)
{
    const lv_kernel *k = w->old;
    const size_t most = 2 * (size_t)k->row_count + 2 * (size_t)k->turn_count +
                        (size_t)w->new.slot_count + 1;
    w->nodes = lv_arena_alloc(&w->m->arena, most, sizeof *w->nodes);
    if (!w->nodes)
        return lv_fail_memory(err);
    for (int r = 0; r < k->row_count; r++)
        w->nodes[w->node_count++] = k->rows[r];
    for (int r = 0; k->targets && r < k->row_count; r++)
        w->nodes[w->node_count++] = k->targets[r];
    for (int r = 0; r < 2 * k->turn_count; r++)
        w->nodes[w->node_count++] = k->turns[r];
    for (int s = 0; s < w->new.slot_count; s++)
        if (w->slots[s].index != LV_NODE_NONE)
            w->nodes[w->node_count++] = w->slots[s].index;
    return LV_OK;
}

/* Nodes in their new graph. */
static lv_status take_nodes(mover *w, lv_error *err)
{
    const lv_kernel *k = w->old;
    const lv_node *at = w->nodes, *targets = NULL;
    w->new.rows = at;
    at += k->row_count;
    if (k->targets) {
        w->new.targets = targets = at;
        at += k->row_count;
    }
    if (k->turn_count > 0)
        w->new.turns = at;
    at += (ptrdiff_t)2 * k->turn_count;
    for (int s = 0; s < w->new.slot_count; s++)
        if (w->slots[s].index != LV_NODE_NONE)
            w->slots[s].index = *at++;
    return k->role == LV_ROLE_FORCE ? turn_forces(w, w->new.rows, targets, err) : LV_OK;
}

static lv_status move_formulas(mover *w, lv_error *err)
{
    LV_TRY(list_nodes(w, err));
    LV_TRY(put_velocities(w, err));
    for (int f = 0; f < w->new.frame_count; f++)
        LV_TRY(put_still(w, &w->frames[f], err));
    return take_nodes(w, err);
}

static lv_status move_kernel(lv_model *m, const lv_kernel *old, lv_error *err)
{
    mover w = {.m = m, .old = old, .new = *old};
    lv_status status = move_slots(&w, err);
    if (status == LV_OK && w.new.frame_count > 0)
        status = move_formulas(&w, err);
    else if (status == LV_OK && !(w.new.graph = lv_graph_copy(old->graph)))
        status = lv_fail_memory(err);
    if (w.new.role == LV_ROLE_HOLONOMIC) {
        w.new.first_row = m->row_count[w.new.role];
        for (int r = 0; r < old->row_count * old->instance_count; r++)
            m->motion->row[w.new.first_row + r] = old->first_row + r;
    }
    m->row_count[w.new.role] += w.new.row_count *w.new.instance_count;
    if (w.new.graph == old->graph)
        w.new.graph = NULL;
    if (!LV_PUSH(m->kernels, w.new)) {
        lv_graph_free(w.new.graph);
        status = lv_fail_memory(err);
    }
    lv_arena_done(&w.scratch);
    return status;
}

static bool is_kept(const lv_kernel *k)
{
    if (k->role == LV_ROLE_HOLONOMIC)
        return !k->item->is_inner;
    return k->role != LV_ROLE_SYMMETRY && !lv_role_is_result(k->role);
}

static lv_status fill(lv_model *m, const lv_model *model, lv_error *err)
{
    LV_TRY(make_motion(m, err));
    for (int r = 0; r < LV_ROLES; r++)
        m->row_count[r] = 0;
    for (int k = 0; k < model->kernels.count; k++)
        if (is_kept(&model->kernels.data[k]))
            LV_TRY(move_kernel(m, &model->kernels.data[k], err));
    double *v = lv_arena_alloc(&m->arena, (size_t)m->motion->tangents + 1, sizeof *v);
    if (!v)
        return lv_fail_memory(err);
    lv_motion_tangents(m->motion, v, model->start_q, model->start_v);
    m->start_v = v;
    return LV_OK;
}

lv_status lv_moving_create(lv_model **moving, const lv_model *model, lv_error *err)
{
    lv_model *m = *moving = lv_memory_zeroed(1, sizeof *m);
    if (!m)
        return lv_fail_memory(err);
    *m = *model;
    m->arena = (lv_arena){0};
    memset(&m->kernels, 0, sizeof m->kernels);
    lv_status status = fill(m, model, err);
    if (status != LV_OK) {
        lv_moving_free(m);
        *moving = NULL;
    }
    return status;
}

void lv_moving_free(lv_model *m)
{
    if (!m)
        return;
    for (int k = 0; k < m->kernels.count; k++)
        lv_graph_free(m->kernels.data[k].graph);
    LV_ARRAY_FREE(m->kernels);
    lv_arena_done(&m->arena);
    lv_memory_free(m);
}
