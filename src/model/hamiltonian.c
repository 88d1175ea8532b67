#include "model/hamiltonian.h"

#include "expr/analyse.h"
#include "expr/legendre.h"
#include "model/join.h"
#include "model/momentum_start.h"

#include <string.h>

/* ---- a Hamiltonian or other energies ----------------------------------------------- */

static lv_status fail_mixture(const lv_item *item, const lv_entry *entry,
                              const char *what, const lv_entry *hamiltonian,
                              lv_error *err)
{
    char buffer[160];
    int line = 0, column = 0;
    const lv_place *there = &hamiltonian->place;
    lv_status status =
        item->origin
            ? lv_fail_at(err, LV_ERR_MODEL, LV_AT(item->origin->place),
                         "%s has a kinetic energy, but the model has a Hamiltonian",
                         lv_item_describe(item, buffer))
            : lv_fail_at(err, LV_ERR_MODEL, LV_AT(entry->place),
                         "%s beside a Hamiltonian; a model has one or the other", what);
    lv_source_position(there->source, there->offset, &line, &column);
    lv_error_note(err, "the Hamiltonian is at %s:%d", there->source->name, line);
    lv_error_hint(err, item->origin
                           ? "declare it in [coordinates], and its energy as a term of "
                             "the Hamiltonian"
                           : "several terms of a Hamiltonian are added, and one may be "
                             "without momenta: [energy.name] hamiltonian = \"...\"");
    return status;
}

lv_status lv_hamiltonian_refuse_mixture(const lv_model *m, lv_error *err)
{
    static const char *const keys[][2] = {{"kinetic", "a kinetic energy"},
                                          {"lagrangian", "a Lagrangian"},
                                          {"potential", "a potential energy"}};
    const lv_entry *first = lv_hamiltonian_first(&m->declarations);
    for (int i = 0; i < m->declarations.items.count; i++) {
        const lv_item *item = &m->declarations.items.data[i];
        if (item->section != LV_SECTION_ENERGY)
            continue;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            const lv_entry *entry = lv_item_entry(item, keys[k][0]);
            if (entry && !(item->origin && strcmp(keys[k][0], "potential") == 0))
                return fail_mixture(item, entry, keys[k][1], first, err);
        }
    }
    return LV_OK;
}

/* ---- the conversion ------------------------------------------------------------------------ */

typedef struct conversion {
    lv_model *model;
    lv_arena scratch;
    /* The kernels as they were read; graphs that are left here are freed at the end. */
    LV_ARRAY(lv_kernel) old;
    LV_ARRAY(const lv_kernel *) terms; /* kernels of Hamiltonians */
    lv_coupling coupling;
    /* for each instance of each term: whether its potential is still to be added */
    unsigned char **keep;
    lv_joiner clusters;          /* a joint is a cluster, its parts are the sources */
    LV_ARRAY(lv_kernel) momenta; /* one kernel per kind of cluster, see keep_momenta */
    /* for each cluster: its kernel in `momenta` and its instance there */
    int *kind, *instance;
    int *position; /* for each coordinate: its row in that kernel */
    lv_error *err;
} conversion;

static void conversion_done(conversion *c)
{
    for (int k = 0; k < c->old.count; k++)
        lv_graph_free(c->old.data[k].graph);
    for (int k = 0; k < c->momenta.count; k++)
        lv_graph_free(c->momenta.data[k].graph);
    LV_ARRAY_FREE(c->old);
    LV_ARRAY_FREE(c->terms);
    LV_ARRAY_FREE(c->momenta);
    lv_joiner_done(&c->clusters);
    lv_arena_done(&c->scratch);
}

/* Adds a kernel over a join with other rows; everything else is as in `like`. */
static lv_status add_kernel(conversion *c, const lv_kernel *like, lv_role role,
                            const lv_join *join, const lv_graph *graph,
                            const lv_node *rows, const lv_node *targets)
{
    lv_kernel kernel = {.role = role,
                        .item = like->item,
                        .entry = like->entry,
                        .is_vector = like->is_vector,
                        .multiplier_count = like->multiplier_count,
                        .multipliers = like->multipliers,
                        .member_count = like->member_count,
                        .members = like->members};
    lv_status status = lv_join_kernel(&kernel, &c->model->arena, join, graph, rows,
                                      targets, like->row_count, c->err);
    if (status == LV_OK)
        status = lv_model_add_kernel(c->model, &kernel, c->err);
    if (status != LV_OK)
        lv_graph_free(kernel.graph);
    return status;
}

/* ---- clusters ------------------------------------------------------------------------------ */

/* Tags of a cluster: for each source, whether the cluster contains all its momenta; the
 * number of its coordinates; then for each coordinate its index in the join, and its
 * block. */

static int cluster_of(const conversion *c, int coordinate)
{
    return c->coupling.cluster[c->coupling.block[coordinate]];
}

static lv_status tag_whole(conversion *c, int cluster, const lv_hamiltonian_term *t,
                           int instance)
{
    int n = t->kernel->layout.size[LV_INPUT_Q];
    bool whole = true;
    for (int k = 0; whole && k < n; k++)
        whole = !t->moves[k] ||
                cluster_of(c, lv_kernel_global(t->kernel, instance, k)) == cluster;
    return lv_joiner_tag(&c->clusters, whole, c->err);
}

/* Visits the coordinates of the cluster in the slots of the current joint; counts them,
 * and tags them if `tag`. */
static lv_status walk_coordinates(conversion *c, int cluster, int *number, int *count,
                                  bool tag)
{
    lv_joiner *j = &c->clusters;
    int blocks = 0;
    *count = 0;
    for (int s = 0; s < j->slots.count; s++) {
        const lv_slot slot = j->slots.data[s];
        for (int k = 0; k < slot.length; k++) {
            int at = lv_joiner_place(j, s) + k, block = c->coupling.block[at];
            if (c->coupling.cluster[block] != cluster)
                continue;
            c->position[at] = (*count)++;
            if (!tag)
                continue;
            if (number[block] < 0)
                number[block] = blocks++;
            LV_TRY(lv_joiner_tag(j, slot.first + k, c->err));
            LV_TRY(lv_joiner_tag(j, number[block], c->err));
        }
    }
    return LV_OK;
}

static lv_status describe_cluster(conversion *c, int cluster, int *number)
{
    const lv_coupling *u = &c->coupling;
    const int *sources = u->sources + u->first_source[cluster];
    int count = u->first_source[cluster + 1] - u->first_source[cluster];
    int instance = 0, size = 0;
    LV_TRY(lv_joiner_begin(&c->clusters, c->err));
    for (int k = 0; k < count; k++) {
        int term = lv_coupling_term(u, sources[k], &instance);
        LV_TRY(lv_joiner_part(&c->clusters, term, instance, c->err));
    }
    for (int k = 0; k < count; k++) {
        int term = lv_coupling_term(u, sources[k], &instance);
        LV_TRY(tag_whole(c, cluster, &u->terms[term], instance));
    }
    LV_TRY(walk_coordinates(c, cluster, number, &size, false));
    LV_TRY(lv_joiner_tag(&c->clusters, size, c->err));
    return walk_coordinates(c, cluster, number, &size, true);
}

static lv_status find_kinds(conversion *c)
{
    size_t n = (size_t)c->model->coordinate_count;
    size_t clusters = (size_t)c->coupling.cluster_count;
    int *number =
        lv_arena_alloc(&c->scratch, (size_t)c->coupling.block_count, sizeof *number);
    c->position = lv_arena_alloc(&c->scratch, n, sizeof *c->position);
    c->kind = lv_arena_alloc(&c->scratch, clusters, sizeof *c->kind);
    c->instance = lv_arena_alloc(&c->scratch, clusters, sizeof *c->instance);
    if (!number || !c->position || !c->kind || !c->instance)
        return lv_fail_memory(c->err);
    for (int k = 0; k < c->coupling.block_count; k++)
        number[k] = -1;
    LV_TRY(lv_joiner_init(&c->clusters, c->model, &c->scratch, c->terms.data, c->err));
    for (int k = 0; k < c->coupling.cluster_count; k++)
        LV_TRY(describe_cluster(c, k, number));
    LV_TRY(lv_joiner_finish(&c->clusters, c->err));
    for (int k = 0; k < c->clusters.joins.count; k++) {
        const lv_join *join = &c->clusters.joins.data[k];
        for (int i = 0; i < join->instance_count; i++) {
            c->kind[join->joints[i]] = k;
            c->instance[join->joints[i]] = i;
        }
    }
    return LV_OK;
}

/* ---- one kind of cluster ------------------------------------------------------------------- */

typedef struct kind {
    const lv_join *join;
    const int *whole; /* for each part: whether the cluster contains all its momenta */
    int n;            /* number of coordinates */
    lv_graph *graph;
    lv_node *p, *v;
    int *block;
    lv_node h;     /* sum of all terms, with the momenta of other clusters set to zero */
    lv_node apart; /* potentials in h that are added elsewhere */
    lv_legendre result;
} kind;

static lv_status kind_init(kind *k, conversion *c, const lv_join *join)
{
    const int *tags = join->tags;
    *k = (kind){.join = join, .whole = tags, .graph = lv_graph_create(0)};
    tags += join->part_count;
    k->n = *tags++;
    size_t n = (size_t)k->n;
    k->p = lv_arena_alloc(&c->scratch, n, sizeof *k->p);
    k->v = lv_arena_alloc(&c->scratch, n, sizeof *k->v);
    k->block = lv_arena_alloc(&c->scratch, n, sizeof *k->block);
    if (!k->graph || !k->p || !k->v || !k->block)
        return lv_fail_memory(c->err);
    for (int i = 0; i < k->n; i++) {
        int at = *tags++;
        k->block[i] = *tags++;
        k->p[i] = lv_graph_input(k->graph, LV_INPUT_M, at);
        k->v[i] = lv_graph_input(k->graph, LV_INPUT_V, at);
    }
    return lv_graph_check(k->graph, c->err);
}

/* Adds up the terms over the coordinates of the join. */
static lv_status sum_terms(kind *k, conversion *c)
{
    lv_graph *g = k->graph;
    lv_node zero = lv_graph_const(g, 0);
    lv_node *momenta =
        lv_arena_alloc(&c->scratch, (size_t)k->join->width, sizeof *momenta);
    if (!momenta)
        return lv_fail_memory(c->err);
    k->h = k->apart = zero;
    for (int at = 0; at < k->join->width; at++)
        momenta[at] = zero;
    for (int i = 0; i < k->n; i++)
        momenta[lv_graph_node(g, k->p[i])->b] = k->p[i];
    for (int part = 0; part < k->join->part_count; part++) {
        const lv_kernel *term = k->join->kernels[part];
        int local = term->layout.size[LV_INPUT_Q];
        const lv_node *inputs[LV_INPUT_KINDS] = {NULL};
        lv_node *own = lv_arena_alloc(&c->scratch, (size_t)local, sizeof *own), image = 0;
        if (!own)
            return lv_fail_memory(c->err);
        for (int i = 0; i < local; i++)
            own[i] = momenta[k->join->coordinates[part][i]];
        inputs[LV_INPUT_M] = own;
        LV_TRY(lv_join_import(k->join, &c->scratch, part, g, &image, term->rows, 1,
                              inputs, c->err));
        int mark = lv_graph_enter_node(g, image);
        k->h = lv_graph_add(g, k->h, image);
        if (!k->whole[part]) {
            lv_node potential = lv_analyse_at_zero(g, image, LV_KIND(M));
            k->apart = lv_graph_add(g, k->apart, potential);
        }
        lv_graph_leave(g, mark);
    }
    return lv_graph_check(g, c->err);
}

/* The term that messages and results refer to: the first one that is quadratic in
 * momenta, or that contains linear ones. */
static const lv_kernel *main_term(const conversion *c, const lv_join *join, bool linear)
{
    for (int part = 0; part < join->part_count; part++)
        for (int k = 0; k < c->coupling.term_count; k++) {
            const lv_hamiltonian_term *t = &c->coupling.terms[k];
            if (t->kernel == join->kernels[part] &&
                (linear ? t->linear : t->pair_count > 0))
                return t->kernel;
        }
    return join->kernels[0];
}

static lv_status fail_degenerate(const kind *k, const conversion *c)
{
    const lv_join *join = k->join;
    int at = lv_graph_node(k->graph, k->v[k->result.singular])->b, s = 0;
    char name[160];
    while (s + 1 < join->slot_count && join->slots[s + 1].first <= at)
        s++;
    int coordinate = join->where[s] + at - join->slots[s].first;
    lv_status status = lv_fail_at(
        c->err, LV_ERR_MODEL, LV_AT(main_term(c, join, false)->entry->place),
        "the Hamiltonian is degenerate: the velocity of '%s' does not determine its "
        "momentum",
        lv_model_coordinate_text(c->model, coordinate, name, sizeof name));
    lv_error_hint(c->err, "the matrix of second derivatives by momenta must be regular; "
                          "otherwise give a Lagrangian: [energy] lagrangian = \"...\"");
    return status;
}

/* Keeps the momenta, the pivots and their scales as rows of a kernel that does not belong
 * to the model. */
static lv_status keep_momenta(const kind *k, conversion *c)
{
    const lv_kernel *like = main_term(c, k->join, false);
    size_t n = (size_t)k->n, bytes = n * sizeof(lv_node);
    lv_node *rows = lv_arena_alloc(&c->scratch, 3 * n, sizeof *rows);
    if (!rows)
        return lv_fail_memory(c->err);
    memcpy(rows, k->result.momenta, bytes);
    memcpy(rows + n, k->result.pivots, bytes);
    memcpy(rows + 2 * n, k->result.diagonal, bytes);
    lv_kernel kernel = {.role = LV_ROLE_OUTPUT, .item = like->item, .entry = like->entry};
    lv_status status = lv_join_kernel(&kernel, &c->scratch, k->join, k->graph, rows, NULL,
                                      3 * k->n, c->err);
    if (status == LV_OK && !LV_PUSH(c->momenta, kernel))
        status = lv_fail_memory(c->err);
    if (status != LV_OK) {
        lv_graph_free(kernel.graph);
        return status;
    }
    return lv_momentum_check_pivots(c->model, &kernel, k->n, k->n, c->err);
}

/* Marks the potentials of the sources as contained in that of the cluster. */
static void mark_absorbed(conversion *c, const kind *k)
{
    for (int i = 0; i < k->join->instance_count; i++) {
        int cluster = k->join->joints[i], instance = 0;
        const int *sources = c->coupling.sources + c->coupling.first_source[cluster];
        for (int part = 0; part < k->join->part_count; part++) {
            int term = lv_coupling_term(&c->coupling, sources[part], &instance);
            if (k->whole[part])
                c->keep[term][instance] = 0;
        }
    }
}

static lv_status add_energies(const kind *k, conversion *c)
{
    const lv_kernel *like = main_term(c, k->join, false);
    const lv_legendre *r = &k->result;
    LV_TRY(add_kernel(c, like, LV_ROLE_KINETIC, k->join, k->graph, &r->kinetic, NULL));
    if (lv_graph_is_const(k->graph, r->gyroscopic, 0))
        return LV_OK;
    like = main_term(c, k->join, true);
    LV_TRY(
        add_kernel(c, like, LV_ROLE_LAGRANGIAN, k->join, k->graph, &r->gyroscopic, NULL));
    mark_absorbed(c, k);
    int mark = lv_graph_enter_node(k->graph, k->h);
    lv_node potential = lv_graph_sub(k->graph, r->potential, k->apart);
    lv_graph_leave(k->graph, mark);
    LV_TRY(lv_graph_check(k->graph, c->err));
    if (lv_graph_is_const(k->graph, potential, 0))
        return LV_OK;
    return add_kernel(c, like, LV_ROLE_POTENTIAL, k->join, k->graph, &potential, NULL);
}

static lv_status transform_kind(kind *k, conversion *c)
{
    LV_TRY(sum_terms(k, c));
    LV_TRY(lv_legendre_transform(&k->result, k->graph, &c->scratch, k->h, k->p, k->v,
                                 k->block, k->n, c->err));
    if (k->result.singular >= 0)
        return fail_degenerate(k, c);
    LV_TRY(keep_momenta(k, c));
    return add_energies(k, c);
}

static lv_status transform_kinds(conversion *c)
{
    lv_status status = LV_OK;
    for (int i = 0; status == LV_OK && i < c->clusters.joins.count; i++) {
        kind k;
        status = kind_init(&k, c, &c->clusters.joins.data[i]);
        if (status == LV_OK)
            status = transform_kind(&k, c);
        lv_graph_free(k.graph);
    }
    return status;
}

/* Adds H(q, 0, t) of a term for the instances that no cluster contains. */
static lv_status add_potential(conversion *c, int term)
{
    const lv_kernel *kernel = c->terms.data[term];
    lv_node potential = lv_analyse_at_zero(kernel->graph, kernel->rows[0], LV_KIND(M));
    lv_join join;
    LV_TRY(lv_graph_check(kernel->graph, c->err));
    LV_TRY(lv_join_alone(&join, &c->scratch, kernel, c->keep[term], c->err));
    if (join.instance_count == 0 || lv_graph_is_const(kernel->graph, potential, 0))
        return LV_OK;
    return add_kernel(c, kernel, LV_ROLE_POTENTIAL, &join, kernel->graph, &potential,
                      NULL);
}

/* ---- momenta in other formulas -------------------------------------------------------------- */

/* A kernel that uses momenta: part 0 of a joint is an instance of it, the others are
 * instances of c->momenta. The tags give for each momentum the part that has it, then for
 * each its row. */
typedef struct user {
    const lv_kernel *kernel;
    lv_node_list used; /* its inputs M */
    lv_joiner joiner;
} user;

/* Finds the part with the momentum of a coordinate, and adds it if the joint does not
 * have it yet. */
static lv_status momentum_part(conversion *c, user *u, int cluster, int *seen, int *parts,
                               int *part)
{
    int k = 0;
    while (k < *parts && seen[k] != cluster)
        k++;
    *part = 1 + k;
    if (k < *parts)
        return LV_OK;
    seen[(*parts)++] = cluster;
    return lv_joiner_part(&u->joiner, 1 + c->kind[cluster], c->instance[cluster], c->err);
}

static lv_status describe_use(conversion *c, user *u, int instance, int *seen, int *tags)
{
    int parts = 0;
    LV_TRY(lv_joiner_begin(&u->joiner, c->err));
    LV_TRY(lv_joiner_part(&u->joiner, 0, instance, c->err));
    for (int k = 0; k < u->used.count; k++) {
        int local = lv_graph_node(u->kernel->graph, u->used.data[k])->b;
        int at = lv_kernel_global(u->kernel, instance, local);
        LV_TRY(momentum_part(c, u, cluster_of(c, at), seen, &parts, &tags[k]));
        tags[u->used.count + k] = c->position[at];
    }
    for (int k = 0; k < 2 * u->used.count; k++)
        LV_TRY(lv_joiner_tag(&u->joiner, tags[k], c->err));
    return LV_OK;
}

/* Adds the kernel with its momenta replaced, for one kind of joints. */
static lv_status rewrite_kernel(conversion *c, const user *u, const lv_join *join,
                                lv_graph *g)
{
    const lv_kernel *kernel = u->kernel;
    size_t local = (size_t)kernel->layout.size[LV_INPUT_Q],
           rows = (size_t)kernel->row_count;
    lv_node *momenta = lv_arena_alloc(&c->scratch, local, sizeof *momenta);
    lv_node *images = lv_arena_alloc(&c->scratch, 2 * rows, sizeof *images);
    if (!momenta || !images)
        return lv_fail_memory(c->err);
    for (int k = 0; k < u->used.count; k++) {
        const lv_node *none[LV_INPUT_KINDS] = {NULL};
        int part = join->tags[k], row = join->tags[u->used.count + k];
        LV_TRY(lv_join_import(join, &c->scratch, part, g,
                              &momenta[lv_graph_node(kernel->graph, u->used.data[k])->b],
                              &join->kernels[part]->rows[row], 1, none, c->err));
    }
    const lv_node *inputs[LV_INPUT_KINDS] = {NULL};
    inputs[LV_INPUT_M] = momenta;
    LV_TRY(lv_join_import(join, &c->scratch, 0, g, images, kernel->rows,
                          kernel->row_count, inputs, c->err));
    if (kernel->targets)
        LV_TRY(lv_join_import(join, &c->scratch, 0, g, images + rows, kernel->targets,
                              kernel->row_count, inputs, c->err));
    return add_kernel(c, kernel, kernel->role, join, g, images,
                      kernel->targets ? images + rows : NULL);
}

static lv_status rewrite_kinds(conversion *c, const user *u)
{
    lv_status status = LV_OK;
    for (int k = 0; status == LV_OK && k < u->joiner.joins.count; k++) {
        lv_graph *g = lv_graph_create(0);
        status = g ? rewrite_kernel(c, u, &u->joiner.joins.data[k], g)
                   : lv_fail_memory(c->err);
        lv_graph_free(g);
    }
    return status;
}

static lv_status replace_momenta(conversion *c, user *u)
{
    size_t used = (size_t)u->used.count, kinds = (size_t)c->momenta.count;
    const lv_kernel **kernels = lv_arena_alloc(&c->scratch, kinds + 1, sizeof *kernels);
    int *room = lv_arena_alloc(&c->scratch, 3 * used, sizeof *room);
    if (!kernels || !room)
        return lv_fail_memory(c->err);
    kernels[0] = u->kernel;
    for (size_t k = 0; k < kinds; k++)
        kernels[k + 1] = &c->momenta.data[k];
    LV_TRY(lv_joiner_init(&u->joiner, c->model, &c->scratch, kernels, c->err));
    for (int i = 0; i < u->kernel->instance_count; i++)
        LV_TRY(describe_use(c, u, i, room, room + used));
    LV_TRY(lv_joiner_finish(&u->joiner, c->err));
    return rewrite_kinds(c, u);
}

/* Adds a kernel that is no Hamiltonian, unchanged or with its momenta replaced. */
static lv_status add_other(conversion *c, lv_kernel *kernel)
{
    user u = {.kernel = kernel};
    lv_status status = lv_analyse_inputs(kernel->graph, &u.used, kernel->rows,
                                         kernel->row_count, LV_INPUT_M, c->err);
    if (status == LV_OK && u.used.count > 0)
        status = replace_momenta(c, &u);
    else if (status == LV_OK)
        status = lv_model_add_kernel(c->model, kernel, c->err);
    if (status == LV_OK && u.used.count == 0)
        kernel->graph = NULL; /* the model owns it again */
    LV_ARRAY_FREE(u.used);
    lv_joiner_done(&u.joiner);
    return status;
}

/* ---- the whole conversion ---------------------------------------------------------- */

/* Takes the kernels out of the model and lists the terms of the Hamiltonian. */
static lv_status take_kernels(conversion *c)
{
    lv_model *m = c->model;
    c->old.data = m->kernels.data;
    c->old.count = m->kernels.count;
    c->old.capacity = m->kernels.capacity;
    m->kernels.data = NULL;
    m->kernels.count = m->kernels.capacity = 0;
    m->nodes = 0;
    memset(m->row_count, 0, sizeof m->row_count);
    for (int k = 0; k < c->old.count; k++)
        if (c->old.data[k].role == LV_ROLE_HAMILTONIAN &&
            !LV_PUSH(c->terms, &c->old.data[k]))
            return lv_fail_memory(c->err);
    c->keep = lv_arena_alloc(&c->scratch, (size_t)c->terms.count, sizeof *c->keep);
    for (int k = 0; c->keep && k < c->terms.count; k++) {
        size_t count = (size_t)c->terms.data[k]->instance_count;
        c->keep[k] = lv_arena_alloc(&c->scratch, count, 1);
        if (!c->keep[k])
            return lv_fail_memory(c->err);
        memset(c->keep[k], 1, count);
    }
    return c->keep ? LV_OK : lv_fail_memory(c->err);
}

static lv_status convert(conversion *c)
{
    LV_TRY(take_kernels(c));
    LV_TRY(lv_coupling_find(&c->coupling, c->model, &c->scratch, c->terms.data,
                            c->terms.count, c->err));
    LV_TRY(find_kinds(c));
    LV_TRY(transform_kinds(c));
    for (int k = 0; k < c->terms.count; k++)
        LV_TRY(add_potential(c, k));
    for (int k = 0; k < c->old.count; k++)
        if (c->old.data[k].role != LV_ROLE_HAMILTONIAN)
            LV_TRY(add_other(c, &c->old.data[k]));
    return lv_momentum_start(c->model, &c->coupling, &c->scratch, c->err);
}

lv_status lv_hamiltonian_convert(lv_model *m, lv_error *err)
{
    if (!lv_hamiltonian_first(&m->declarations))
        return LV_OK;
    conversion c = {.model = m, .err = err};
    lv_status status = convert(&c);
    conversion_done(&c);
    return status;
}
