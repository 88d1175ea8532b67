#include "model/coupling.h"

#include "base/disjoint.h"
#include "expr/analyse.h"
#include "expr/diff.h"
#include "expr/legendre.h"

#include <stdio.h>

int lv_coupling_term(const lv_coupling *c, int source, int *instance)
{
    int low = 0, high = c->term_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (c->terms[middle].first_source <= source)
            low = middle;
        else
            high = middle - 1;
    }
    *instance = source - c->terms[low].first_source;
    return low;
}

/* ---- terms --------------------------------------------------------------------------------- */

/* Fails at the smallest part of the formula that is not a polynomial of degree 2. */
static lv_status not_quadratic(const lv_kernel *kernel, const unsigned char *degrees,
                               lv_error *err)
{
    const lv_graph *g = kernel->graph;
    char buffer[160];
    lv_node worst = 0;
    while (degrees[worst] <= 2)
        worst++;
    const lv_span span = lv_graph_span(g, worst);
    lv_status status =
        lv_fail(err, LV_ERR_MODEL, "the Hamiltonian is not quadratic in the momenta");
    if (span.snippet)
        lv_error_locate(err, span.snippet->source,
                        lv_snippet_offset(span.snippet, span.start), (size_t)span.length);
    /* has no effect if the error has a place */
    lv_error_locate(err, LV_AT(kernel->entry->place));
    lv_error_note(err, "in %s", lv_item_describe(kernel->item, buffer));
    lv_error_hint(err, "momenta may occur up to the second power; otherwise give the "
                       "Lagrangian: [energy] lagrangian = \"...\"");
    return status;
}

static lv_status check_degree(const lv_kernel *kernel, lv_arena *arena, lv_error *err)
{
    size_t count = (size_t)lv_graph_count(kernel->graph);
    unsigned char *degrees = lv_arena_alloc(arena, count, 1);
    if (!degrees)
        return lv_fail_memory(err);
    lv_analyse_degrees(kernel->graph, degrees, LV_KIND(M));
    return degrees[kernel->rows[0]] <= 2 ? LV_OK : not_quadratic(kernel, degrees, err);
}

typedef LV_ARRAY(int) int_list;

/* Lists the pairs (k, j), j >= k, with nonzero d2H/dp_k dp_j. */
static lv_status find_pairs(lv_hamiltonian_term *t, int_list *pairs, const lv_node *p,
                            lv_node *column, int n, lv_error *err)
{
    lv_graph *g = t->kernel->graph;
    lv_node one = lv_graph_const(g, 1);
    for (int k = 0; k < n; k++) {
        if (!t->moves[k])
            continue;
        lv_diff_forward(g, column + k, t->gradient + k, n - k, &p[k], &one, 1);
        LV_TRY(lv_graph_check(g, err));
        for (int j = k; j < n; j++)
            if (!lv_graph_is_const(g, column[j], 0) &&
                (!LV_PUSH(*pairs, k) || !LV_PUSH(*pairs, j)))
                return lv_fail_memory(err);
    }
    return LV_OK;
}

static lv_status read_term(lv_hamiltonian_term *t, lv_arena *arena, lv_error *err)
{
    lv_graph *g = t->kernel->graph;
    int n = t->kernel->layout.size[LV_INPUT_Q];
    size_t size = (size_t)n;
    int_list pairs = {0};
    lv_node *p = lv_arena_alloc(arena, 3 * size, sizeof *p);
    unsigned char *moves = lv_arena_alloc(arena, size, 1);
    LV_TRY(check_degree(t->kernel, arena, err));
    if (!p || !moves)
        return lv_fail_memory(err);
    lv_node *gradient = p + n, *column = gradient + n;
    for (int k = 0; k < n; k++)
        p[k] = lv_graph_input(g, LV_INPUT_M, k);
    lv_diff_gradient(g, gradient, t->kernel->rows[0], p, n);
    LV_TRY(lv_graph_check(g, err));
    for (int k = 0; k < n; k++) {
        moves[k] = !lv_graph_is_const(g, gradient[k], 0);
        lv_node linear = lv_analyse_at_zero(g, gradient[k], LV_KIND(M));
        t->linear |= moves[k] && !lv_graph_is_const(g, linear, 0);
    }
    LV_TRY(lv_graph_check(g, err));
    t->gradient = gradient;
    t->moves = moves;
    lv_status status = find_pairs(t, &pairs, p, column, n, err);
    if (status == LV_OK) {
        t->pair_count = pairs.count / 2;
        t->pairs =
            lv_arena_copy(arena, pairs.data, (size_t)pairs.count, sizeof *pairs.data);
        status = t->pairs ? LV_OK : lv_fail_memory(err);
    }
    LV_ARRAY_FREE(pairs);
    return status;
}

/* ---- blocks -------------------------------------------------------------------------------- */

/* Joins coupled coordinates into one set. */
static void join_coupled(int *parent, const lv_hamiltonian_term *t)
{
    for (int i = 0; i < t->kernel->instance_count; i++)
        for (int k = 0; k < t->pair_count; k++) {
            int a = lv_kernel_global(t->kernel, i, t->pairs[k][0]);
            int b = lv_kernel_global(t->kernel, i, t->pairs[k][1]);
            lv_disjoint_join(parent, a, b);
        }
}

/* The first term that contains a product of different momenta. */
static const lv_kernel *coupling_term(const lv_coupling *c)
{
    for (int k = 0; k < c->term_count; k++)
        for (int i = 0; i < c->terms[k].pair_count; i++)
            if (c->terms[k].pairs[i][0] != c->terms[k].pairs[i][1])
                return c->terms[k].kernel;
    return c->terms[0].kernel;
}

static lv_status too_coupled(const lv_coupling *c, const int *size, lv_error *err)
{
    char name[160], other[160];
    int large = 0, first = 0, second = 0;
    while (size[large] <= LV_LEGENDRE_BLOCK)
        large++;
    while (c->block[first] != large)
        first++;
    for (second = first + 1; c->block[second] != large; second++)
        continue;
    lv_status status = lv_fail_at(
        err, LV_ERR_LIMIT, LV_AT(coupling_term(c)->entry->place),
        "the Hamiltonian couples the momenta of %d coordinates; at most %d are possible",
        size[large], LV_LEGENDRE_BLOCK);
    lv_error_note(err, "among them %s and %s",
                  lv_model_coordinate_text(c->model, first, name, sizeof name),
                  lv_model_coordinate_text(c->model, second, other, sizeof other));
    lv_error_hint(err, "give kinetic and potential energy instead: no matrix has to be "
                       "inverted then");
    return status;
}

static lv_status find_blocks(lv_coupling *c, lv_arena *arena, lv_error *err)
{
    size_t n = (size_t)c->model->coordinate_count;
    int *parent = lv_arena_alloc(arena, n, sizeof *parent);
    int *size = lv_arena_alloc(arena, n, sizeof *size);
    c->block = lv_arena_alloc(arena, n, sizeof *c->block);
    if (!parent || !size || !c->block)
        return lv_fail_memory(err);
    for (int k = 0; k < c->model->coordinate_count; k++)
        parent[k] = k;
    for (int k = 0; k < c->term_count; k++)
        join_coupled(parent, &c->terms[k]);
    bool fits = true;
    for (int k = 0; k < c->model->coordinate_count; k++) {
        int root = lv_disjoint_find(parent, k);
        c->block[k] = root == k ? c->block_count++ : c->block[root];
        fits &= ++size[c->block[k]] <= LV_LEGENDRE_BLOCK;
    }
    return fits ? LV_OK : too_coupled(c, size, err);
}

/* ---- sources and clusters ------------------------------------------------------------------ */

/* The sources of block b are sources[first[b]] up to sources[first[b + 1]]. */
typedef struct source_lists {
    int *first, *sources;
} source_lists;

/* Visits all sources of all blocks; counts them, or lists them if `list` is not NULL. */
static lv_status walk_sources(const lv_coupling *c, int *count, int *last, int *list,
                              lv_error *err)
{
    for (int b = 0; b < c->block_count; b++)
        last[b] = -1;
    for (int k = 0; k < c->term_count; k++) {
        const lv_hamiltonian_term *t = &c->terms[k];
        int n = t->kernel->layout.size[LV_INPUT_Q];
        for (int i = 0; i < t->kernel->instance_count; i++)
            for (int local = 0; local < n; local++) {
                if (!t->moves[local])
                    continue;
                int source = t->first_source + i;
                int b = c->block[lv_kernel_global(t->kernel, i, local)];
                if (last[b] == source)
                    continue;
                if (!list && count[b] == LV_MODEL_LOCAL)
                    return lv_fail_at(
                        err, LV_ERR_LIMIT, LV_AT(t->kernel->entry->place),
                        "a momentum occurs in more than %d instances of terms",
                        LV_MODEL_LOCAL);
                last[b] = source;
                if (list)
                    list[count[b]] = source;
                count[b]++;
            }
    }
    return LV_OK;
}

static lv_status list_sources(source_lists *s, const lv_coupling *c, lv_arena *arena,
                              lv_error *err)
{
    size_t blocks = (size_t)c->block_count;
    int *next = lv_arena_alloc(arena, blocks, sizeof *next);
    int *last = lv_arena_alloc(arena, blocks, sizeof *last);
    int total = 0;
    s->first = lv_arena_alloc(arena, blocks + 1, sizeof *s->first);
    if (!next || !last || !s->first)
        return lv_fail_memory(err);
    LV_TRY(walk_sources(c, next, last, NULL, err));
    for (int b = 0; b < c->block_count; b++) {
        int count = next[b];
        s->first[b] = next[b] = total;
        if (!lv_int_add(total, count, &total))
            return lv_fail_at(err, LV_ERR_LIMIT, LV_AT(c->terms[0].kernel->entry->place),
                              "the Hamiltonian has too many momenta");
    }
    s->first[blocks] = total;
    s->sources = lv_arena_alloc(arena, (size_t)total, sizeof *s->sources);
    return s->sources ? walk_sources(c, next, last, s->sources, err)
                      : lv_fail_memory(err);
}

static bool same_sources(const source_lists *s, int a, int b)
{
    int count = s->first[a + 1] - s->first[a];
    if (count != s->first[b + 1] - s->first[b])
        return false;
    for (int k = 0; k < count; k++)
        if (s->sources[s->first[a] + k] != s->sources[s->first[b] + k])
            return false;
    return true;
}

static lv_status no_momentum(const lv_coupling *c, int block, lv_error *err)
{
    char name[160];
    int k = 0, group = 0;
    while (c->block[k] != block)
        k++;
    while (group + 1 < c->model->groups.count &&
           c->model->groups.data[group + 1].first <= k)
        group++;
    const lv_group *of = &c->model->groups.data[group];
    lv_status status =
        lv_fail_at(err, LV_ERR_MODEL, LV_AT(of->item->place),
                   "the Hamiltonian does not contain the momentum of '%s'",
                   lv_model_coordinate_text(c->model, k, name, sizeof name));
    lv_error_hint(err,
                  "its velocity is dH/d%s; coordinates without inertia need kinetic and "
                  "potential energy",
                  of->momentum);
    return status;
}

/* Finds the clusters: blocks with the same sources. Clusters are looked up by their first
 * source. */
static lv_status find_clusters(lv_coupling *c, lv_arena *arena, lv_error *err)
{
    size_t blocks = (size_t)c->block_count;
    source_lists s;
    LV_TRY(list_sources(&s, c, arena, err));
    int *head = lv_arena_alloc(arena, (size_t)c->source_count, sizeof *head);
    int *other = lv_arena_alloc(arena, blocks, sizeof *other);
    /* first block of each cluster */
    int *begin = lv_arena_alloc(arena, blocks, sizeof *begin);
    c->cluster = lv_arena_alloc(arena, blocks, sizeof *c->cluster);
    c->first_source = lv_arena_alloc(arena, blocks + 1, sizeof *c->first_source);
    c->sources = lv_arena_alloc(arena, (size_t)s.first[blocks], sizeof *c->sources);
    if (!head || !other || !begin || !c->cluster || !c->first_source || !c->sources)
        return lv_fail_memory(err);
    for (int k = 0; k < c->source_count; k++)
        head[k] = -1;
    for (int b = 0, filled = 0; b < c->block_count; b++) {
        if (s.first[b] == s.first[b + 1])
            return no_momentum(c, b, err);
        int source = s.sources[s.first[b]], found = head[source];
        while (found >= 0 && !same_sources(&s, begin[found], b))
            found = other[found];
        c->cluster[b] = found >= 0 ? found : c->cluster_count;
        if (found >= 0)
            continue;
        begin[c->cluster_count] = b;
        other[c->cluster_count] = head[source];
        head[source] = c->cluster_count++;
        for (int k = s.first[b]; k < s.first[b + 1]; k++)
            c->sources[filled++] = s.sources[k];
        c->first_source[c->cluster_count] = filled;
    }
    return LV_OK;
}

lv_status lv_coupling_find(lv_coupling *c, const lv_model *model, lv_arena *arena,
                           const lv_kernel *const *kernels, int count, lv_error *err)
{
    *c = (lv_coupling){.model = model, .term_count = count};
    c->terms = lv_arena_alloc(arena, (size_t)count, sizeof *c->terms);
    if (!c->terms)
        return lv_fail_memory(err);
    for (int k = 0; k < count; k++) {
        c->terms[k].kernel = kernels[k];
        c->terms[k].first_source = c->source_count;
        c->source_count += kernels[k]->instance_count;
        LV_TRY(read_term(&c->terms[k], arena, err));
    }
    LV_TRY(find_blocks(c, arena, err));
    return find_clusters(c, arena, err);
}
