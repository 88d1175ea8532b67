#include "model/moving.h"

#include "expr/identity.h"
#include "expr/import.h"
#include "model/motion.h"

#include <string.h>

/* ---- kernels ------------------------------------------------------------------------------------------ */

typedef struct mover {
    lv_model *m;
    const lv_kernel *old;
    lv_kernel new;
    lv_frame *frames;
    lv_slot *slots;
    lv_part_of_pose *part; /* for each slot: its role in its body */
    int *frame_of;         /* for each slot: the frame of its body; -1: none */
    /* rows, targets, angles and indices of slots, in this order */
    lv_node *nodes;
    int node_count;
    lv_arena scratch;
} mover;

/* The member of a frame that holds a slot of this role. */
static int *place_in(lv_frame *f, const lv_part_of_pose *part)
{
    return part->role == LV_IS_AXIS    ? &f->axis[part->axis]
           : part->role == LV_IS_ANGLE ? &f->angle
                                       : &f->centre;
}

/* Finds the frames of the kernel: slots of the same body and the same member of a
 * family. */
static void find_frames(mover *w)
{
    for (int s = 0; s < w->old->slot_count; s++) {
        const lv_part_of_pose part =
            lv_part_of(w->m, w->slots[s].group, w->m->motion->coupled);
        w->part[s] = part;
        w->frame_of[s] = -1;
        if (part.role == LV_NO_PART)
            continue;
        for (int t = 0; t < s && w->frame_of[s] < 0; t++)
            if (w->frame_of[t] >= 0 && w->part[t].body == part.body &&
                w->slots[t].index == w->slots[s].index)
                w->frame_of[s] = w->frame_of[t];
        if (w->frame_of[s] < 0) {
            w->frame_of[s] = w->new.frame_count++;
            w->frames[w->frame_of[s]] = (lv_frame){{-1, -1, -1}, -1, -1};
        }
        *place_in(&w->frames[w->frame_of[s]], &part) = w->slots[s].first;
    }
}

/* Adds a slot for a group of coordinates of the body of slot s that the formula does not
 * mention. */
static void add_slot(mover *w, int s, lv_part_of_pose part)
{
    int *local = &w->new.layout.size[LV_INPUT_Q];
    lv_slot *slot = &w->slots[w->new.slot_count];
    *slot = w->slots[s];
    slot->group = part.body + part.axis;
    slot->first = *local;
    slot->length = part.role == LV_IS_ANGLE ? 1 : 3;
    *place_in(&w->frames[w->frame_of[s]], &part) = *local;
    *local += slot->length;
    w->part[w->new.slot_count] = part;
    w->frame_of[w->new.slot_count++] = w->frame_of[s];
}

/* Adds missing slots, since a derivative along a pose needs all axes. */
static void complete_frames(mover *w)
{
    for (int s = 0; s < w->old->slot_count; s++) {
        if (w->frame_of[s] < 0)
            continue;
        const lv_frame *f = &w->frames[w->frame_of[s]];
        const int body = w->part[s].body;
        const bool space = lv_group_is_axis(w->m, body);
        for (int k = 0; space && k < 3; k++)
            if (f->axis[k] < 0)
                add_slot(w, s, (lv_part_of_pose){LV_IS_AXIS, body, k});
        if (!space && f->angle < 0)
            add_slot(w, s, (lv_part_of_pose){LV_IS_ANGLE, body, 0});
    }
    w->new.layout.size[LV_INPUT_V] = w->new.layout.size[LV_INPUT_Q];
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
            int like = s;
            for (int t = 0; s >= w->old->slot_count && like == s; t++)
                if (w->frame_of[t] == w->frame_of[s])
                    like = t;
            const lv_group *of = &w->m->groups.data[w->slots[like].group];
            const int place =
                w->old->where[(size_t)i * (size_t)w->old->slot_count + (size_t)like];
            where[(size_t)i * slots + (size_t)s] =
                like == s ? place
                          : lv_member_first(w->m, w->slots[s].group,
                                            (place - of->first) / lv_group_width(of));
        }
    w->new.where = where;
    return LV_OK;
}

/* Determines the slots, frames and coordinates of the new kernel. */
static lv_status move_slots(mover *w, lv_error *err)
{
    const size_t most = 4 * (size_t)w->old->slot_count + 1;
    w->slots = lv_arena_alloc(&w->m->arena, most, sizeof *w->slots);
    w->frames = lv_arena_alloc(&w->m->arena, most, sizeof *w->frames);
    w->part = lv_arena_alloc(&w->scratch, most, sizeof *w->part);
    w->frame_of = lv_arena_alloc(&w->scratch, most, sizeof *w->frame_of);
    if (!w->slots || !w->frames || !w->part || !w->frame_of)
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

/* Component i of axis a as a node. */
static lv_node axis_of(lv_graph *g, const lv_frame *f, int a, int i)
{
    if (f->angle < 0)
        return lv_graph_input(g, LV_INPUT_Q, f->axis[a] + i);
    lv_node angle = lv_graph_input(g, LV_INPUT_Q, f->angle);
    lv_node node = lv_graph_op(g, a == i ? LV_OP_COS : LV_OP_SIN, angle, 0, 0);
    return a == 1 && i == 0 ? lv_graph_neg(g, node) : node;
}

void lv_frame_velocities(lv_graph *g, lv_node *along, const lv_frame *f)
{
    for (int a = 0; f->angle < 0 && a < 3; a++)
        for (int i = 0; i < 3; i++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            lv_node wb = lv_graph_input(g, LV_INPUT_V, f->axis[0] + b);
            lv_node wc = lv_graph_input(g, LV_INPUT_V, f->axis[0] + c);
            lv_node eb = axis_of(g, f, b, i), ec = axis_of(g, f, c, i);
            lv_node first = lv_graph_mul(g, wc, eb);
            lv_node second = lv_graph_mul(g, wb, ec);
            along[f->axis[a] + i] = lv_graph_sub(g, first, second);
        }
    const int size = f->angle < 0 ? 3 : 2;
    for (int i = 0; f->centre >= 0 && i < size; i++) {
        lv_node sum = lv_graph_const(g, 0);
        for (int a = 0; a < size; a++) {
            lv_node e = axis_of(g, f, a, i);
            lv_node v = lv_graph_input(g, LV_INPUT_V, f->centre + a);
            lv_node product = lv_graph_mul(g, e, v);
            sum = lv_graph_add(g, sum, product);
        }
        along[f->centre + i] = sum;
    }
}

void lv_frame_turn(lv_graph *g, lv_node *gradient, const lv_frame *f)
{
    lv_node about[3], forward[3];
    const int size = f->angle < 0 ? 3 : 2;
    for (int c = 0; f->angle < 0 && c < 3; c++) {
        const int a = (c + 1) % 3, b = (c + 2) % 3;
        about[c] = lv_graph_const(g, 0);
        for (int i = 0; i < 3; i++) {
            lv_node ea = axis_of(g, f, a, i), eb = axis_of(g, f, b, i);
            lv_node along = lv_graph_mul(g, gradient[f->axis[a] + i], eb);
            lv_node against = lv_graph_mul(g, gradient[f->axis[b] + i], ea);
            about[c] = lv_graph_add(g, about[c], along);
            about[c] = lv_graph_sub(g, about[c], against);
        }
    }
    for (int a = 0; f->centre >= 0 && a < size; a++) {
        forward[a] = lv_graph_const(g, 0);
        for (int i = 0; i < size; i++) {
            lv_node e = axis_of(g, f, a, i);
            lv_node product = lv_graph_mul(g, gradient[f->centre + i], e);
            forward[a] = lv_graph_add(g, forward[a], product);
        }
    }
    for (int a = 0; f->angle < 0 && a < 3; a++)
        for (int i = 0; i < 3; i++)
            gradient[f->axis[a] + i] = a == 0 ? about[i] : lv_graph_const(g, 0);
    for (int a = 0; f->centre >= 0 && a < size; a++)
        gradient[f->centre + a] = forward[a];
}

/* Replaces the graph of the new kernel by one that its nodes were imported into. */
static lv_status exchange_graph(mover *w, lv_graph *g, lv_error *err)
{
    lv_status status = lv_graph_check(g, err);
    if (w->new.graph != w->old->graph)
        lv_graph_free(w->new.graph);
    w->new.graph = g;
    return status;
}

/* Replaces velocities of axes by formulas of angular velocities. */
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
        lv_frame_velocities(g, v, &w->frames[f]);
    const lv_node *inputs[LV_INPUT_KINDS] = {[LV_INPUT_V] = v};
    lv_graph_import(g, w->nodes, w->new.graph, w->nodes, w->node_count, inputs);
    return exchange_graph(w, g, err);
}

/* Evaluates nodes that do not depend on the rotation of a frame at the rotation R = 1. */
static lv_status put_still(mover *w, const lv_frame *f, lv_error *err)
{
    const int local = w->new.layout.size[LV_INPUT_Q];
    const size_t count = (size_t)lv_graph_count(w->new.graph);
    bool *still = lv_arena_alloc(&w->scratch, count + 1, sizeof *still);
    lv_node *q = lv_arena_alloc(&w->scratch, (size_t)local + 1, sizeof *q);
    if (!still || !q)
        return lv_fail_memory(err);
    LV_TRY(lv_identity_turned(still, w->new.graph, f->angle < 0 ? f->axis : NULL,
                              f->angle, err));
    for (size_t k = 0; k < count; k++)
        still[k] = !still[k];
    lv_graph *g = lv_graph_create(0);
    if (!g)
        return lv_fail_memory(err);
    for (int k = 0; k < local; k++)
        q[k] = lv_graph_input(g, LV_INPUT_Q, k);
    for (int a = 0; f->angle < 0 && a < 3; a++)
        for (int i = 0; i < 3; i++)
            q[f->axis[a] + i] = lv_graph_const(g, a == i);
    if (f->angle >= 0)
        q[f->angle] = lv_graph_const(g, 0);
    const lv_node *plain[LV_INPUT_KINDS] = {0};
    const lv_node *others[LV_INPUT_KINDS] = {[LV_INPUT_Q] = q};
    lv_graph_import_where(g, w->nodes, w->new.graph, w->nodes, w->node_count, plain,
                          others, still);
    return exchange_graph(w, g, err);
}

/* ---- forces ------------------------------------------------------------------------------------------------ */

/* Converts forces on coordinates of bodies to torques and forces in body axes that do the
 * same work. */
static lv_status turn_forces(mover *w, const lv_node *rows, const lv_node *targets,
                             lv_error *err)
{
    const size_t local = (size_t)w->new.layout.size[LV_INPUT_Q];
    lv_graph *g = w->new.graph;
    lv_node *all = lv_arena_alloc(&w->scratch, local + 1, sizeof *all);
    lv_node *row = lv_arena_alloc(&w->m->arena, 2 * local + 1, sizeof *row);
    int count = 0;
    if (!row || !all)
        return lv_fail_memory(err);
    for (size_t k = 0; k < local; k++)
        all[k] = lv_graph_const(g, 0);
    for (int r = 0; r < w->old->row_count; r++) {
        const int at = lv_graph_node(g, targets[r])->b;
        all[at] = lv_graph_add(g, all[at], rows[r]);
    }
    for (int f = 0; f < w->new.frame_count; f++)
        lv_frame_turn(g, all, &w->frames[f]);
    lv_node *target = row + local;
    for (size_t k = 0; k < local; k++)
        if (!lv_graph_is_const(g, all[k], 0)) {
            row[count] = all[k];
            target[count++] = lv_graph_input(g, LV_INPUT_Q, (int)k);
        }
    w->new.rows = row;
    w->new.targets = target;
    w->new.row_count = count;
    return lv_graph_check(g, err);
}

/* ---- models ------------------------------------------------------------------------ */

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

/* Sets the nodes of the new kernel from the list. */
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

static lv_status moving_fill(lv_model *m, const lv_model *model, bool coupled,
                             lv_error *err)
{
    LV_TRY(lv_motion_make(m, coupled, err));
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

lv_status lv_moving_create(lv_model **moving, const lv_model *model, bool coupled,
                           lv_error *err)
{
    lv_model *m = *moving = lv_memory_zeroed(1, sizeof *m);
    if (!m)
        return lv_fail_memory(err);
    *m = *model;
    m->arena = (lv_arena){0};
    memset(&m->kernels, 0, sizeof m->kernels);
    m->visible_rows = NULL; /* no inner constraints are kept */
    m->visible_row_count = 0;
    lv_status status = moving_fill(m, model, coupled, err);
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
