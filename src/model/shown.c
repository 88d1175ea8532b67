#include "model/shown.h"

#include "expr/diff.h"
#include "expr/import.h"
#include "model/draft.h"

#include <string.h>

bool lv_kernel_shows(const lv_kernel *kernel, lv_shown_kind kind)
{
    return kernel->role == LV_ROLE_SHOWN && kernel->shown->kind == kind;
}

const char *lv_shown_section(lv_shown_kind kind)
{
    static const char *const names[] = {"bodies", "joints", "motors", "rolling"};
    return names[kind];
}

const char *lv_shown_name(const lv_kernel *kernel, int instance, char *buffer,
                          size_t size)
{
    return lv_model_constraint_member(kernel, instance, buffer, size);
}

/* ---- displacements ----------------------------------------------------------------------- */

/* Local numbers of the virtual coordinates: translations, then rotations. They are larger
 * than those of any coordinate of a formula. */
enum { DISPLACED = LV_MODEL_LOCAL, TURNED = 3, VIRTUAL = 6 };

typedef struct lv_displaced {
    lv_variable position;
    /* 3: axes of a body in space, 1: angle of a body in the plane, 0: a particle */
    int turn_count;
    lv_variable turns[3];
    int plain; /* number of the scopes in which nothing is displaced */
} lv_displaced;

static bool is_same(lv_variable a, lv_variable b)
{
    return a.kind == b.kind && a.number == b.number && a.member == b.member;
}

/* The value without displacements: the centre of a body with a pivot does not follow
 * displaced axes here. */
static lv_status plain_value(lv_scope *scope, lv_value *value, lv_variable v,
                             const lv_syntax *name, lv_error *err)
{
    lv_scope plain = *scope;
    plain.displace = NULL;
    plain.number = plain.graph_number = scope->displaced->plain;
    scope->elaboration->user = &plain;
    lv_status status = lv_scope_variable(&plain, value, v, name, err);
    scope->elaboration->user = scope;
    return status;
}

static lv_node virtual_input(lv_graph *g, lv_input kind, int k)
{
    return lv_graph_input(g, kind, DISPLACED + k);
}

/* to = e + theta x e */
static void turn_axis(lv_graph *g, lv_node *to, const lv_node *e)
{
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        const lv_node first_turn = virtual_input(g, LV_INPUT_Q, TURNED + next);
        const lv_node second_turn = virtual_input(g, LV_INPUT_Q, TURNED + last);
        const lv_node first = lv_graph_mul(g, first_turn, e[last]);
        const lv_node second = lv_graph_mul(g, second_turn, e[next]);
        const lv_node change = lv_graph_sub(g, first, second);
        to[k] = lv_graph_add(g, e[k], change);
    }
}

/* The function lv_scope.displace of scopes with a displaced body. */
static lv_status displace(lv_scope *scope, lv_value *value, lv_variable v,
                          const lv_syntax *name, lv_error *err)
{
    const lv_displaced *body = scope->displaced;
    lv_graph *g = scope->elaboration->graph;
    const bool moves = is_same(v, body->position);
    bool turns = false;
    lv_value plain;
    for (int k = 0; k < body->turn_count; k++)
        turns = turns || is_same(v, body->turns[k]);
    if (!moves && !turns)
        return LV_OK;
    LV_TRY(plain_value(scope, &plain, v, name, err));
    lv_node *items = lv_value_room(scope->elaboration, value, plain.length, err);
    if (!items)
        return LV_ERR_MEMORY;
    if (turns && body->turn_count == 3 && plain.length == 3) {
        turn_axis(g, items, plain.items);
        return LV_OK;
    }
    for (int k = 0; k < lv_value_count(&plain); k++)
        items[k] = lv_graph_add(g, plain.items[k],
                                virtual_input(g, LV_INPUT_Q, turns ? TURNED : k));
    return LV_OK;
}

/* A function lv_scope.displace that records which variable a name stands for. */
static lv_status record_variable(lv_scope *scope, lv_value *value, lv_variable v,
                                 const lv_syntax *name, lv_error *err)
{
    (void)value, (void)name, (void)err;
    scope->displaced->position = v;
    scope->displace = NULL;
    return LV_OK;
}

/* The name of a variable without index: "rod" for rod_i. */
static const char *variable_name(const lv_model *m, lv_variable v)
{
    return v.kind == LV_NAME_DEFINITION ? m->definitions.data[v.number].item->name
                                        : m->groups.data[v.number].item->name;
}

/* Finds the position and the axes of the body or particle that the reaction acts on. */
static lv_status find_body(lv_scope *scope, lv_displaced *body, const lv_shown *shown,
                           lv_error *err)
{
    static const char *const axes[] = {"e1", "e2", "e3"};
    const lv_model *m = scope->model;
    lv_value position;
    scope->displaced = body;
    scope->displace = record_variable;
    LV_TRY(lv_elaborate(scope->elaboration, &position, &shown->reaction.on, err));
    const char *name = variable_name(m, body->position);
    body->turn_count = !shown->reaction.turns ? 0 : shown->is_planar ? 1 : 3;
    for (int k = 0; k < body->turn_count; k++) {
        const lv_name *found = lv_names_find_member(&m->names, name, (int)strlen(name),
                                                    shown->is_planar ? "angle" : axes[k]);
        if (!found)
            return lv_fail(err, LV_ERR_MODEL, "body '%s' has no axes", name);
        body->turns[k] = (lv_variable){found->kind, found->index, body->position.member};
    }
    scope->displace = displace;
    return LV_OK;
}

/* ---- reactions --------------------------------------------------------------------------- */

typedef struct wrench {
    int dimension;
    /* force, then torque; in the plane only the first component of the torque is used */
    lv_node all[VIRTUAL];
} wrench;

static const lv_kernel *find_constraint(const lv_model *m, const char *name)
{
    for (int k = 0; k < m->kernels.count; k++) {
        const lv_kernel *c = &m->kernels.data[k];
        if ((c->role == LV_ROLE_HOLONOMIC || c->role == LV_ROLE_NONHOLONOMIC) &&
            strcmp(c->item->name, name) == 0)
            return c;
    }
    return NULL;
}

/* Adds the force and torque of one constraint. */
static lv_status add_constraint(lv_draft *d, lv_scope *scope, wrench *w,
                                const lv_kernel *c, const lv_node *index)
{
    lv_graph *g = d->e.graph;
    const lv_input kind = c->role == LV_ROLE_HOLONOMIC ? LV_INPUT_Q : LV_INPUT_V;
    lv_node variables[VIRTUAL], gradient[VIRTUAL];
    lv_value rows, lambda;
    LV_TRY(lv_scope_entry(scope, &rows, c->entry, d->err));
    LV_TRY(lv_draft_multiplier(d, &lambda, c, index, d->kernel.item->place, d->err));
    LV_TRY(lv_graph_check(g, d->err));
    for (int k = 0; k < VIRTUAL; k++)
        variables[k] = virtual_input(g, kind, k);
    const lv_node work =
        lv_diff_contract(g, rows.items, lambda.items, lv_value_count(&rows));
    lv_diff_gradient(g, gradient, work, variables, VIRTUAL);
    for (int k = 0; k < VIRTUAL; k++)
        w->all[k] = lv_graph_add(g, w->all[k], gradient[k]);
    return lv_graph_check(g, d->err);
}

/* Moves the reference point of the torque from the centre of mass x to the point p: it
 * subtracts (p - x) x force. */
static void move_torque(lv_graph *g, wrench *w, const lv_node *p, const lv_node *x)
{
    lv_node lever[3] = {0};
    for (int k = 0; k < w->dimension; k++)
        lever[k] = lv_graph_sub(g, p[k], x[k]);
    for (int k = 0; k < (w->dimension == 3 ? 3 : 1); k++) {
        const int a = w->dimension == 3 ? (k + 1) % 3 : 0;
        const int b = w->dimension == 3 ? (k + 2) % 3 : 1;
        const lv_node first = lv_graph_mul(g, lever[a], w->all[b]);
        const lv_node second = lv_graph_mul(g, lever[b], w->all[a]);
        const lv_node moment = lv_graph_sub(g, first, second);
        w->all[TURNED + k] = lv_graph_sub(g, w->all[TURNED + k], moment);
    }
}

/* Replaces the nodes by their values without displacements. */
static lv_status remove_displacements(lv_draft *d, lv_node *nodes, int count)
{
    enum { COUNT = DISPLACED + VIRTUAL };
    const lv_node zero = lv_graph_const(d->e.graph, 0);
    const lv_node *inputs[LV_INPUT_KINDS] = {NULL};
    lv_node *q = lv_arena_alloc(&d->scratch, 2 * (size_t)COUNT, sizeof *q),
            *v = q ? q + COUNT : q;
    lv_graph *from = lv_graph_copy(d->e.graph);
    if (!q || !from) {
        lv_graph_free(from);
        return lv_fail_memory(d->err);
    }
    for (int k = 0; k < COUNT; k++) {
        const bool is_real = k < d->local, is_virtual = k >= DISPLACED;
        q[k] = v[k] = is_virtual ? zero : LV_NODE_NONE;
        if (is_real) {
            q[k] = lv_graph_input(d->e.graph, LV_INPUT_Q, k);
            v[k] = lv_graph_input(d->e.graph, LV_INPUT_V, k);
        }
    }
    inputs[LV_INPUT_Q] = q;
    inputs[LV_INPUT_V] = v;
    lv_graph_import(d->e.graph, nodes, from, nodes, count, inputs);
    lv_graph_free(from);
    return lv_graph_check(d->e.graph, d->err);
}

static lv_status add_constraints(lv_draft *d, lv_scope *scope, wrench *w,
                                 const lv_reaction *reaction, const lv_node *index)
{
    for (int k = 0; k < 2; k++) {
        const lv_kernel *c = reaction->constraints[k]
                                 ? find_constraint(d->model, reaction->constraints[k])
                                 : NULL;
        if (c)
            LV_TRY(add_constraint(d, scope, w, c, index));
    }
    return LV_OK;
}

/* Computes force and torque of the constraints at their point; `index` has the values of
 * the indices of the family. */
static lv_status find_wrench(lv_draft *d, lv_scope *scope, wrench *w,
                             const lv_shown *shown, const lv_node *index)
{
    lv_graph *g = d->e.graph;
    lv_displaced body = {.plain = ++d->model->scope_count};
    const lv_node zero = lv_graph_const(g, 0);
    lv_value point, centre;
    for (int k = 0; k < VIRTUAL; k++)
        w->all[k] = zero;
    LV_TRY(find_body(scope, &body, shown, d->err));
    LV_TRY(add_constraints(d, scope, w, &shown->reaction, index));
    LV_TRY(plain_value(scope, &centre, body.position, shown->reaction.on.root, d->err));
    LV_TRY(lv_elaborate(&d->e, &point, &shown->reaction.point, d->err));
    w->dimension = lv_value_count(&centre);
    if (body.turn_count > 0)
        move_torque(g, w, point.items, centre.items);
    for (int k = 0; k < VIRTUAL && shown->reaction.is_opposite; k++)
        w->all[k] = lv_graph_neg(g, w->all[k]);
    LV_TRY(lv_graph_check(g, d->err));
    return remove_displacements(d, w->all, VIRTUAL);
}

/* Does the same in a scope of its own. */
static lv_status elaborate_wrench(lv_draft *d, const lv_scope *outer, wrench *w,
                                  const lv_shown *shown)
{
    lv_node index[LV_RANGES_MOST] = {0};
    const lv_elaboration before = d->e;
    lv_scope scope = *outer;
    scope.number = scope.graph_number = ++d->model->scope_count;
    d->e.user = &scope;
    for (int k = 0; k < scope.index_count; k++)
        index[k] = scope.index_nodes ? scope.index_nodes[k]
                                     : lv_graph_input(d->e.graph, LV_INPUT_I, k);
    lv_status status = find_wrench(d, &scope, w, shown, index);
    d->e = before;
    return status;
}

/* The effort of a motor along its axis. */
static lv_status motor_effort(lv_draft *d, const lv_scope *outer, lv_node *effort,
                              const lv_shown *shown)
{
    const bool is_torque = strcmp(shown->effort, "torque") == 0;
    const lv_elaboration before = d->e;
    lv_scope scope = *outer;
    lv_value axis;
    wrench w;
    LV_TRY(elaborate_wrench(d, outer, &w, shown));
    const lv_node *all = is_torque ? w.all + TURNED : w.all;
    *effort = all[0];
    if (!shown->axis.root)
        return LV_OK;
    scope.number = scope.graph_number = ++d->model->scope_count;
    d->e.user = &scope;
    lv_status status = lv_elaborate(&d->e, &axis, &shown->axis, d->err);
    d->e = before;
    LV_TRY(status);
    *effort = lv_diff_contract(d->e.graph, all, axis.items, lv_value_count(&axis));
    return lv_graph_check(d->e.graph, d->err);
}

/* ---- names in outputs -------------------------------------------------------------------- */

static bool has_effort(const lv_shown *shown, const char *effort)
{
    switch (shown->kind) {
    case LV_SHOWN_JOINT:
        return true;
    case LV_SHOWN_MOTOR:
        return strcmp(shown->effort, effort) == 0;
    case LV_SHOWN_ROLLING:
        return strcmp(effort, "force") == 0;
    case LV_SHOWN_BODY:
        break;
    }
    return false;
}

/* The shown part that a name such as hinge.force, hinge_2.force, hinge_{i}.force belongs
 * to; NULL: none. *rest is what follows the name of a family. */
static const lv_shown *find_shown(const lv_model *m, const lv_syntax *name,
                                  const char **rest)
{
    *rest = NULL;
    for (int k = 0; k < m->declarations.shown.count; k++) {
        const lv_shown *shown = &m->declarations.shown.data[k];
        const char *own = shown->part->name;
        const size_t length = strlen(own);
        if (!has_effort(shown, name->member) || strncmp(name->name, own, length) != 0)
            continue;
        if (name->name[length] == '\0')
            return shown;
        if (name->name[length] == '_' && shown->family && name->count == 0) {
            *rest = name->name + length + 1;
            return shown;
        }
    }
    return NULL;
}

int lv_shown_members(const lv_scope *scope, const char *text, int length,
                     const char *members[LV_SHOWN_MEMBERS_MOST])
{
    static const char *const efforts[] = {"force", "torque"};
    const lv_model *m = scope->model;
    int count = 0;
    for (int k = 0; k < m->declarations.shown.count && scope->outputs && count == 0;
         k++) {
        const lv_shown *shown = &m->declarations.shown.data[k];
        const char *own = shown->part->name;
        if (strncmp(own, text, (size_t)length) != 0 || own[length] != '\0')
            continue;
        for (int e = 0; e < LV_SHOWN_MEMBERS_MOST; e++)
            if (has_effort(shown, efforts[e]) &&
                !lv_names_find_member(&m->names, text, length, efforts[e]))
                members[count++] = efforts[e];
    }
    return count;
}

bool lv_shown_is_member(const lv_scope *scope, const lv_syntax *name)
{
    const lv_names *names = &scope->model->names;
    const char *rest;
    if (!name->member || name->of_member ||
        (strcmp(name->member, "force") != 0 && strcmp(name->member, "torque") != 0))
        return false;
    const lv_shown *shown = find_shown(scope->model, name, &rest);
    return shown && !lv_names_find_member(names, shown->part->name,
                                          (int)strlen(shown->part->name), name->member);
}

/* Finds the indices of the member of the family. */
static lv_status shown_indices(lv_scope *scope, const lv_shown *shown, lv_node *index,
                               const char *rest, const lv_syntax *name, lv_error *err)
{
    const int count = shown->family ? shown->family->count : 0;
    lv_value value;
    if (count == 1 && name->count == 1) {
        LV_TRY(lv_scope_subscript(scope, &value, name->first, err));
        index[0] = value.items[0];
        return LV_OK;
    }
    if ((count > 0) == (rest != NULL) && name->count == 0 &&
        (count == 0 || lv_result_indices(scope, index, count, rest)))
        return LV_OK;
    return lv_elaborate_fail(scope->elaboration, name, err,
                             count == 0 ? "'%s' is not a family"
                             : rest     ? "'%s' is not a member of a family"
                                        : "'%s' is a family; say which member is meant",
                             name->name);
}

static lv_status put_nodes(lv_draft *d, lv_value *value, const lv_node *nodes, int length)
{
    lv_node *items = lv_value_room(&d->e, value, length, d->err);
    if (items)
        memcpy(items, nodes, (size_t)lv_value_count(value) * sizeof *items);
    return items ? LV_OK : LV_ERR_MEMORY;
}

lv_status lv_shown_member(lv_scope *scope, lv_value *value, const lv_syntax *name,
                          lv_error *err)
{
    const char *rest, *names[LV_RANGES_MOST];
    const lv_shown *shown = find_shown(scope->model, name, &rest);
    lv_draft *d = scope->user;
    lv_node index[LV_RANGES_MOST] = {0};
    lv_scope inner = *scope;
    wrench w;
    if (!scope->outputs)
        return lv_elaborate_fail(scope->elaboration, name, err,
                                 "%s.%s can be used in [outputs] only", name->name,
                                 name->member);
    LV_TRY(shown_indices(scope, shown, index, rest, name, err));
    inner.index_count = shown->family ? shown->family->count : 0;
    inner.index_names = names;
    inner.index_nodes = index;
    for (int k = 0; k < inner.index_count; k++)
        names[k] = shown->family->ranges[k].name;
    if (shown->kind == LV_SHOWN_MOTOR) {
        LV_TRY(motor_effort(d, &inner, &w.all[0], shown));
        return put_nodes(d, value, w.all, 0);
    }
    LV_TRY(elaborate_wrench(d, &inner, &w, shown));
    if (strcmp(name->member, "force") == 0)
        return put_nodes(d, value, w.all, w.dimension);
    return put_nodes(d, value, w.all + TURNED, w.dimension == 3 ? 3 : 0);
}

/* ---- rows -------------------------------------------------------------------------------- */

enum { ROWS_MOST = 18 };

typedef struct row_list {
    lv_node nodes[ROWS_MOST];
    int count;
} row_list;

static void append_rows(row_list *r, const lv_node *nodes, int count)
{
    memcpy(r->nodes + r->count, nodes, (size_t)count * sizeof *nodes);
    r->count += count;
}

/* The value of NAME.member of the part, or of NAME; in a family NAME_i.member. */
static lv_status member_value(lv_draft *d, lv_value *value, const char *member)
{
    const lv_shown *shown = d->kernel.shown;
    lv_syntax index = {.kind = LV_SYNTAX_NAME};
    lv_syntax name = {
        .kind = LV_SYNTAX_NAME, .name = shown->part->name, .member = member};
    lv_snippet nowhere = {.source = shown->part->place.source};
    const lv_elaboration outer = d->e;
    if (shown->family) {
        index.name = shown->family->ranges[0].name;
        name.first = &index;
        name.count = 1;
    }
    if (!d->e.snippet)
        d->e.snippet = lv_arena_copy(d->arena, &nowhere, 1, sizeof nowhere);
    lv_status status = d->e.snippet
                           ? lv_scope_resolve(&d->scope, &d->e, value, &name, d->err)
                           : lv_fail_memory(d->err);
    d->e.snippet = outer.snippet;
    return status;
}

static lv_status put_member(lv_draft *d, row_list *r, const char *member)
{
    lv_value value;
    LV_TRY(member_value(d, &value, member));
    append_rows(r, value.items, lv_value_count(&value));
    return lv_graph_check(d->e.graph, d->err);
}

static lv_status put_velocity(lv_draft *d, row_list *r)
{
    lv_value position;
    lv_node velocity[3];
    LV_TRY(member_value(d, &position, NULL));
    lv_diff_motion(d->e.graph, velocity, position.items, lv_value_count(&position));
    append_rows(r, velocity, lv_value_count(&position));
    return lv_graph_check(d->e.graph, d->err);
}

static lv_status body_rows(lv_draft *d, row_list *r)
{
    static const char *const axes[] = {"e1", "e2", "e3"};
    LV_TRY(put_member(d, r, NULL));
    if (d->kernel.shown->is_planar)
        LV_TRY(put_member(d, r, "angle"));
    for (int k = 0; k < 3 && !d->kernel.shown->is_planar; k++)
        LV_TRY(put_member(d, r, axes[k]));
    LV_TRY(put_velocity(d, r));
    return put_member(d, r, "omega");
}

static bool has_members(const lv_shown *shown)
{
    /* definitions have at most one index */
    return !shown->family || shown->family->count == 1;
}

static lv_status joint_rows(lv_draft *d, row_list *r)
{
    const lv_shown *shown = d->kernel.shown;
    wrench w;
    LV_TRY(elaborate_wrench(d, &d->scope, &w, shown));
    append_rows(r, w.all, w.dimension);
    append_rows(r, w.all + TURNED, w.dimension == 3 ? 3 : 1);
    return shown->amount && has_members(shown) ? put_member(d, r, shown->amount) : LV_OK;
}

static lv_status motor_rows(lv_draft *d, row_list *r)
{
    const lv_shown *shown = d->kernel.shown;
    lv_node effort;
    if (shown->is_given)
        return has_members(shown) ? put_member(d, r, shown->effort) : LV_OK;
    LV_TRY(motor_effort(d, &d->scope, &effort, shown));
    append_rows(r, &effort, 1);
    return LV_OK;
}

static lv_status rolling_rows(lv_draft *d, row_list *r)
{
    wrench w;
    LV_TRY(elaborate_wrench(d, &d->scope, &w, d->kernel.shown));
    append_rows(r, w.all, w.dimension);
    return LV_OK;
}

lv_status lv_draft_shown(lv_draft *d)
{
    row_list r = {.count = 0};
    switch (d->kernel.shown->kind) {
    case LV_SHOWN_BODY:
        LV_TRY(body_rows(d, &r));
        break;
    case LV_SHOWN_JOINT:
        LV_TRY(joint_rows(d, &r));
        break;
    case LV_SHOWN_MOTOR:
        LV_TRY(motor_rows(d, &r));
        break;
    case LV_SHOWN_ROLLING:
        LV_TRY(rolling_rows(d, &r));
        break;
    }
    d->kernel.is_vector = true;
    d->kernel.row_count = r.count;
    d->kernel.rows =
        lv_arena_copy(&d->model->arena, r.nodes, (size_t)r.count, sizeof *r.nodes);
    return d->kernel.rows ? LV_OK : lv_fail_memory(d->err);
}
