#include "fused/node_split.h"

#include "base/memory.h"
#include "expr/analyse.h"
#include "expr/identity.h"

#include <math.h>
#include <string.h>

/* Products of more factors are not considered. Systems with more terms stay as they are:
 * their search takes too long. */
enum { MOST_FACTORS = 8, MOST_TERMS = 4000, MOST_VISITS = 16 * MOST_TERMS };

/* Smaller sets of terms are cheaper as they are. */
enum { FEWEST_LINES = 3 };

/* A summand of entry (row, column) of the matrix: c times a product of factors. */
typedef struct term {
    int row, column;
    double c;
    int count;
    lv_node factor[MOST_FACTORS]; /* in increasing order */
    bool taken;                   /* a new unknown replaces it */
    bool removed;                 /* and it was removed from the entry */
} term;

/* One row or column of a grid: the term where it crosses the column or row of the first
 * term, and the factor of this term that belongs to the row or column. */
typedef struct line {
    int term;
    lv_node factor;
} line;

/* Terms of rank one that were found from a first one. Its factor u belongs to its row, its
 * factor w to its column, and all terms have the other factors. */
typedef struct grid {
    int first, u, w;
    int row_count, column_count;
    line *row, *column;
} grid;

typedef struct split {
    lv_graph *g;
    lv_arena scratch;
    lv_kinds *kinds;
    int n;
    LV_ARRAY(term) terms; /* by rows */
    int *start;           /* the terms of row i begin with number start[i] */
    LV_ARRAY(grid) grids;
    line *row, *column; /* room for the lines of a grid */
    int visits; /* nodes of sums that were visited; shared ones count every time */
    bool failed;
} split;

static bool is_fixed(const split *s, lv_node node)
{
    return (s->kinds[node] & ~(LV_KIND(P) | LV_KIND(I))) == 0;
}

/* ---- terms ------------------------------------------------------------------------- */

static bool add_factor(term *t, lv_node node)
{
    if (t->count == MOST_FACTORS)
        return false;
    int k = t->count++;
    for (; k > 0 && t->factor[k - 1] > node; k--)
        t->factor[k] = t->factor[k - 1];
    t->factor[k] = node;
    return true;
}

static bool add_factors(const split *s, term *t, lv_node node)
{
    const lv_node_data *d = lv_graph_node(s->g, node);
    switch ((int)d->op) {
    case LV_OP_CONST:
        t->c *= d->value;
        return true;
    case LV_OP_NEG:
        t->c = -t->c;
        return add_factors(s, t, d->a);
    case LV_OP_MUL:
        return add_factors(s, t, d->a) && add_factors(s, t, d->b);
    case LV_OP_SQUARE:
        return add_factors(s, t, d->a) && add_factors(s, t, d->a);
    default:
        return add_factor(t, node);
    }
}

/* If the node is a product with a factor that depends on parameters alone: the other
 * factor, otherwise LV_NODE_NONE. */
static lv_node multiplied(const split *s, lv_node node, lv_node *fixed)
{
    const lv_node_data *d = lv_graph_node(s->g, node);
    if (d->op != LV_OP_MUL || is_fixed(s, node))
        return LV_NODE_NONE;
    *fixed = is_fixed(s, d->a) ? d->a : d->b;
    return is_fixed(s, d->a) ? d->b : is_fixed(s, d->b) ? d->a : LV_NODE_NONE;
}

static bool is_too_large(const split *s)
{
    return s->terms.count > MOST_TERMS || s->visits > MOST_VISITS;
}

/* Lists the products in a sum; t has the factors of the whole sum. */
static void collect(split *s, lv_node node, term t)
{
    const lv_node_data *d = lv_graph_node(s->g, node);
    lv_node fixed = LV_NODE_NONE;
    const lv_node other = multiplied(s, node, &fixed);
    if (++s->visits > MOST_VISITS)
        return;
    if (other != LV_NODE_NONE) {
        if (add_factors(s, &t, fixed))
            collect(s, other, t);
    } else if (d->op == LV_OP_ADD || d->op == LV_OP_SUB) {
        collect(s, d->a, t);
        t.c = d->op == LV_OP_SUB ? -t.c : t.c;
        collect(s, d->b, t);
    } else if (d->op == LV_OP_NEG) {
        t.c = -t.c;
        collect(s, d->a, t);
    } else if ((d->op == LV_OP_MUL || d->op == LV_OP_SQUARE) && !is_fixed(s, node) &&
               !is_too_large(s)) {
        if (add_factors(s, &t, node) && !LV_PUSH(s->terms, t))
            s->failed = true;
    }
}

static lv_node entry_of(const lv_node_system *x, int i, int j)
{
    return x->a[(ptrdiff_t)i * x->n + j];
}

static bool is_late(const lv_node_system *x, int i)
{
    return x->rank[i] > 0;
}

static void collect_all(split *s, const lv_node_system *x)
{
    for (int i = 0; i < s->n; i++) {
        s->start[i] = s->terms.count;
        for (int j = 0; j < s->n; j++)
            if (entry_of(x, i, j) != LV_NODE_NONE && !is_late(x, i) && !is_late(x, j))
                collect(s, entry_of(x, i, j), (term){.row = i, .column = j, .c = 1});
        s->start[i + 1] = s->terms.count;
    }
}

static bool is_same_product(const term *a, const term *b)
{
    return a->c == b->c && a->count == b->count &&
           memcmp(a->factor, b->factor, (size_t)a->count * sizeof *a->factor) == 0;
}

/* ---- grids ------------------------------------------------------------------------- */

/* If the term differs from another one by a single factor, in place of factor `out`, and
 * by its sign: this factor, otherwise LV_NODE_NONE. */
static lv_node replaced_factor(const split *s, const term *like, int out, const term *t)
{
    lv_node found = LV_NODE_NONE;
    if (t->taken || t->count != like->count || fabs(t->c) != fabs(like->c))
        return LV_NODE_NONE;
    for (int i = 0, k = 0; k < t->count; k++) {
        i += i == out;
        if (i < like->count && t->factor[k] == like->factor[i])
            i++;
        else if (found == LV_NODE_NONE)
            found = t->factor[k];
        else
            return LV_NODE_NONE;
    }
    return found != LV_NODE_NONE && !is_fixed(s, found) ? found : LV_NODE_NONE;
}

/* The term at row i and column j of a grid; -1: there is none. */
static int term_at(const split *s, const grid *x, int i, int j)
{
    const term *first = &s->terms.data[x->first],
               *across = &s->terms.data[x->column[j].term],
               *down = &s->terms.data[x->row[i].term];
    term wanted = {.c = across->c == down->c ? first->c : -first->c};
    for (int k = 0; k < first->count; k++)
        (void)add_factor(&wanted, k == x->u   ? x->row[i].factor
                                  : k == x->w ? x->column[j].factor
                                              : first->factor[k]);
    for (int t = s->start[down->row]; t < s->start[down->row + 1]; t++) {
        const term *now = &s->terms.data[t];
        if (now->column == across->column && !now->taken && is_same_product(now, &wanted))
            return t;
    }
    return -1;
}

static void find_columns(const split *s, grid *x)
{
    const term *first = &s->terms.data[x->first];
    int last = -1;
    for (int t = s->start[first->row]; t < s->start[first->row + 1]; t++) {
        const lv_node factor = replaced_factor(s, first, x->w, &s->terms.data[t]);
        if (factor == LV_NODE_NONE || s->terms.data[t].column == last)
            continue;
        last = s->terms.data[t].column;
        x->column[x->column_count++] = (line){t, factor};
    }
}

static bool is_whole_row(const split *s, const grid *x, int i)
{
    for (int j = 0; j < x->column_count; j++)
        if (term_at(s, x, i, j) < 0)
            return false;
    return true;
}

/* Finds the rows that have a term in every column. */
static void find_rows(const split *s, grid *x)
{
    const term *first = &s->terms.data[x->first];
    int last = -1;
    for (int t = s->start[first->row]; t < s->terms.count; t++) {
        const term *now = &s->terms.data[t];
        const lv_node factor = now->column == first->column && now->row != last
                                   ? replaced_factor(s, first, x->u, now)
                                   : LV_NODE_NONE;
        if (factor == LV_NODE_NONE)
            continue;
        x->row[x->row_count] = (line){t, factor};
        if (is_whole_row(s, x, x->row_count)) {
            x->row_count++;
            last = now->row;
        }
    }
}

static void take_grid(split *s, grid x)
{
    for (int i = 0; i < x.row_count; i++)
        for (int j = 0; j < x.column_count; j++)
            s->terms.data[term_at(s, &x, i, j)].taken = true;
    x.row = lv_arena_copy(&s->scratch, x.row, (size_t)x.row_count, sizeof *x.row);
    x.column =
        lv_arena_copy(&s->scratch, x.column, (size_t)x.column_count, sizeof *x.column);
    if (!x.row || !x.column || !LV_PUSH(s->grids, x))
        s->failed = true;
}

/* Looks for a grid with a given first term. */
static void find_grid(split *s, int first)
{
    const int count = s->terms.data[first].count;
    const lv_node *factor = s->terms.data[first].factor;
    for (int u = 0; u < count; u++)
        for (int w = 0; w < count && !s->terms.data[first].taken && !s->failed; w++) {
            grid x = {.first = first, .u = u, .w = w, .row = s->row, .column = s->column};
            if (u == w || is_fixed(s, factor[u]) || is_fixed(s, factor[w]))
                continue;
            find_columns(s, &x);
            if (x.column_count >= FEWEST_LINES)
                find_rows(s, &x);
            if (x.row_count >= FEWEST_LINES)
                take_grid(s, x);
        }
}

static lv_status find_grids(split *s, const lv_node_system *x, lv_error *err)
{
    const size_t n = (size_t)s->n + 2, nodes = (size_t)lv_graph_count(s->g) + 1;
    s->kinds = lv_arena_alloc(&s->scratch, nodes, sizeof *s->kinds);
    s->start = lv_arena_alloc(&s->scratch, n, sizeof *s->start);
    s->row = lv_arena_alloc(&s->scratch, n, sizeof *s->row);
    s->column = lv_arena_alloc(&s->scratch, n, sizeof *s->column);
    if (!s->kinds || !s->start || !s->row || !s->column)
        return lv_fail_memory(err);
    lv_analyse_kinds(s->g, s->kinds);
    collect_all(s, x);
    for (int t = 0; t < s->terms.count && !is_too_large(s); t++)
        find_grid(s, t);
    return s->failed ? lv_fail_memory(err) : LV_OK;
}

/* ---- what is left of the entries --------------------------------------------------- */

/* Whether the term was taken. Every taken term is found once, since an entry may have the
 * same term several times. */
static bool remove_term(split *s, const term *t)
{
    for (int k = s->start[t->row]; k < s->start[t->row + 1]; k++) {
        term *now = &s->terms.data[k];
        if (now->taken && !now->removed && now->column == t->column &&
            is_same_product(now, t)) {
            now->removed = true;
            return true;
        }
    }
    return false;
}

static lv_node sum_of_rests(lv_graph *g, bool minus, lv_node a, lv_node b)
{
    if (b == LV_NODE_NONE)
        return a;
    if (a == LV_NODE_NONE)
        return minus ? lv_graph_neg(g, b) : b;
    return minus ? lv_graph_sub(g, a, b) : lv_graph_add(g, a, b);
}

static lv_node rest_of(split *s, lv_node node, term t);

static lv_node rest_of_sum(split *s, lv_node node, term t)
{
    const lv_node_data d = *lv_graph_node(s->g, node);
    const lv_node a = rest_of(s, d.a, t);
    t.c = d.op == LV_OP_SUB ? -t.c : t.c;
    const lv_node b = rest_of(s, d.b, t);
    return a == d.a && b == d.b ? node : sum_of_rests(s->g, d.op == LV_OP_SUB, a, b);
}

/* What is left of a sum without the terms that were taken; LV_NODE_NONE: nothing. t is as
 * in collect(). */
static lv_node rest_of(split *s, lv_node node, term t)
{
    const lv_node none = LV_NODE_NONE;
    const lv_node_data d = *lv_graph_node(s->g, node);
    lv_node fixed = none;
    const lv_node other = multiplied(s, node, &fixed);
    if (other != none) {
        const lv_node rest = add_factors(s, &t, fixed) ? rest_of(s, other, t) : other;
        return rest == other  ? node
               : rest == none ? none
                              : lv_graph_mul(s->g, fixed, rest);
    }
    if (d.op == LV_OP_ADD || d.op == LV_OP_SUB)
        return rest_of_sum(s, node, t);
    if (d.op == LV_OP_NEG) {
        t.c = -t.c;
        const lv_node rest = rest_of(s, d.a, t);
        return rest == d.a ? node : rest == none ? none : lv_graph_neg(s->g, rest);
    }
    return add_factors(s, &t, node) && remove_term(s, &t) ? none : node;
}

/* ---- new unknowns ------------------------------------------------------------------ */

static void put(const lv_node_system *x, int i, int j, lv_node entry)
{
    x->a[(ptrdiff_t)i * x->n + j] = entry;
}

/* Makes room for more unknowns and their equations, with 1 on the diagonal. */
static lv_status enlarge(lv_node_system *x, int more, int rank, lv_arena *arena,
                         lv_error *err)
{
    const lv_node_system old = *x;
    const int n = old.n + more;
    const size_t size = (size_t)n + 1;
    lv_node *a = lv_arena_alloc(arena, size * size, sizeof *a);
    lv_node *b = lv_arena_alloc(arena, size, sizeof *b);
    int *ranks = lv_arena_alloc(arena, size, sizeof *ranks);
    bool *self = lv_arena_alloc(arena, size, sizeof *self);
    if (!a || !b || !ranks || !self)
        return lv_fail_memory(err);
    x->n = n;
    x->a = a;
    x->b = b;
    x->rank = ranks;
    x->self_measured = old.self_measured ? self : NULL;
    for (int i = 0; i < n; i++) {
        const bool is_old = i < old.n;
        b[i] = is_old ? old.b[i] : lv_graph_const(x->graph, 0);
        ranks[i] = is_old ? old.rank[i] : rank;
        self[i] = is_old && old.self_measured && old.self_measured[i];
        for (int j = 0; j < n; j++)
            put(x, i, j, is_old && j < old.n ? entry_of(&old, i, j) : LV_NODE_NONE);
        if (!is_old)
            put(x, i, i, lv_graph_const(x->graph, 1));
    }
    return LV_OK;
}

/* c times the factors of a term without one of them */
static lv_node product_without(lv_graph *g, double c, const term *t, lv_node without)
{
    lv_node product = lv_graph_const(g, c);
    bool found = false;
    for (int k = 0; k < t->count; k++) {
        if (found || t->factor[k] != without)
            product = lv_graph_mul(g, product, t->factor[k]);
        else
            found = true;
    }
    return product;
}

static void write_grid(const split *s, const grid *x, const lv_node_system *to, int at)
{
    const term *first = &s->terms.data[x->first];
    for (int i = 0; i < x->row_count; i++) {
        const term *t = &s->terms.data[x->row[i].term];
        put(to, t->row, at, product_without(s->g, t->c, t, first->factor[x->w]));
    }
    for (int j = 0; j < x->column_count; j++) {
        const term *t = &s->terms.data[x->column[j].term];
        const lv_node sign = lv_graph_const(s->g, -t->c / first->c);
        put(to, at, t->column, lv_graph_mul(s->g, sign, x->column[j].factor));
    }
}

static lv_status split_terms(lv_node_system *x, int rank, lv_arena *arena, lv_error *err)
{
    const int n = x->n;
    split s = {.g = x->graph, .n = n};
    lv_status status = find_grids(&s, x, err);
    if (status == LV_OK)
        status = enlarge(x, s.grids.count, rank, arena, err);
    for (int i = 0; i < n && status == LV_OK && s.grids.count > 0; i++)
        for (int j = 0; j < n; j++)
            if (entry_of(x, i, j) != LV_NODE_NONE)
                put(x, i, j,
                    rest_of(&s, entry_of(x, i, j),
                            (term){.row = i, .column = j, .c = 1}));
    for (int k = 0; k < s.grids.count && status == LV_OK; k++)
        write_grid(&s, &s.grids.data[k], x, n + k);
    LV_ARRAY_FREE(s.terms);
    LV_ARRAY_FREE(s.grids);
    lv_arena_done(&s.scratch);
    return status;
}

/* ---- pairs ------------------------------------------------------------------------- */

/* Vectors p and q have opposite entries in a late column or row; `at` is the number of the
 * unknown that both get there. */
typedef struct pair {
    int late, p, q, at;
} pair;

typedef LV_ARRAY(pair) pair_list;

typedef struct pairing {
    lv_arena scratch;
    lv_node_system *x;
    lv_residues *residues; /* of each entry */
    int unknowns;          /* how many there will be */
    pair_list columns, rows;
} pairing;

static ptrdiff_t late_place(const lv_node_system *x, int late, int p, bool row)
{
    return row ? (ptrdiff_t)late * x->n + p : (ptrdiff_t)p * x->n + late;
}

/* Whether a vector has a partner in a late column or row. The pairs of this one are the
 * last ones of the list. */
static bool is_paired(const pair_list *list, int late, int p)
{
    for (int k = list->count - 1; k >= 0 && list->data[k].late == late; k--)
        if (list->data[k].p == p || list->data[k].q == p)
            return true;
    return false;
}

/* The vector behind p without a partner whose entry in a late column or row is opposite;
 * -1: there is none. */
static int partner_of(const pairing *s, const pair_list *list, int late, int p, bool row)
{
    const lv_node_system *x = s->x;
    const ptrdiff_t here = late_place(x, late, p, row);
    for (int q = p + 1; q < x->n; q++) {
        const ptrdiff_t there = late_place(x, late, q, row);
        if (!is_late(x, q) && x->a[there] != LV_NODE_NONE && !is_paired(list, late, q) &&
            lv_identity_opposite(&s->residues[here], &s->residues[there]))
            return q;
    }
    return -1;
}

/* The unknown of a pair, which is a new one if no other column or row has this pair. */
static int unknown_of(pairing *s, const pair_list *list, int p, int q)
{
    for (int k = 0; k < list->count; k++)
        if (list->data[k].p == p && list->data[k].q == q)
            return list->data[k].at;
    return s->unknowns++;
}

static bool list_pairs(pairing *s, pair_list *list, bool row)
{
    const lv_node_system *x = s->x;
    for (int late = 0; late < x->n; late++)
        for (int p = 0; p < x->n && is_late(x, late); p++) {
            const bool there = !is_late(x, p) &&
                               x->a[late_place(x, late, p, row)] != LV_NODE_NONE &&
                               !is_paired(list, late, p);
            const int q = there ? partner_of(s, list, late, p, row) : -1;
            const int at = q >= 0 ? unknown_of(s, list, p, q) : -1;
            if (q >= 0 && !LV_PUSH(*list, ((pair){late, p, q, at})))
                return false;
        }
    return true;
}

static lv_status find_residues(pairing *s, lv_error *err)
{
    const lv_node_system *x = s->x;
    const size_t entries = (size_t)x->n * (size_t)x->n;
    lv_node *nodes = lv_arena_alloc(&s->scratch, entries + 1, sizeof *nodes);
    s->residues = lv_arena_alloc(&s->scratch, entries + 1, sizeof *s->residues);
    const lv_node zero = lv_graph_const(x->graph, 0);
    LV_TRY(lv_graph_check(x->graph, err));
    if (!nodes || !s->residues)
        return lv_fail_memory(err);
    for (size_t k = 0; k < entries; k++)
        nodes[k] = x->a[k] == LV_NODE_NONE ? zero : x->a[k];
    return lv_identity_values(s->residues, x->graph, nodes, (int)entries, err);
}

static void put_either(const lv_node_system *x, int i, int j, bool row, lv_node entry)
{
    put(x, row ? j : i, row ? i : j, entry);
}

/* The unknown of a pair is a force on both vectors if columns have the pair, and a
 * difference of both if rows do. */
static void write_pair(const lv_node_system *x, pair it, bool row)
{
    const double sign = row ? -1 : 1;
    const lv_node entry = x->a[late_place(x, it.late, it.p, row)];
    put_either(x, it.at, it.late, row, row ? entry : lv_graph_neg(x->graph, entry));
    put_either(x, it.p, it.late, row, LV_NODE_NONE);
    put_either(x, it.q, it.late, row, LV_NODE_NONE);
    put_either(x, it.p, it.at, row, lv_graph_const(x->graph, sign));
    put_either(x, it.q, it.at, row, lv_graph_const(x->graph, -sign));
}

static lv_status split_pairs(lv_node_system *x, lv_arena *arena, lv_error *err)
{
    pairing s = {.x = x, .unknowns = x->n};
    lv_status status = find_residues(&s, err);
    if (status == LV_OK &&
        !(list_pairs(&s, &s.columns, false) && list_pairs(&s, &s.rows, true)))
        status = lv_fail_memory(err);
    if (status == LV_OK)
        status = enlarge(x, s.unknowns - x->n, 1, arena, err);
    for (int k = 0; k < s.columns.count && status == LV_OK; k++)
        write_pair(x, s.columns.data[k], false);
    for (int k = 0; k < s.rows.count && status == LV_OK; k++)
        write_pair(x, s.rows.data[k], true);
    LV_ARRAY_FREE(s.columns);
    LV_ARRAY_FREE(s.rows);
    lv_arena_done(&s.scratch);
    return status;
}

/* ---- all of it --------------------------------------------------------------------- */

lv_status lv_node_rewrite(lv_node_system *x, lv_node_form form, lv_arena *arena,
                          lv_error *err)
{
    const bool pairs = form == LV_NODE_PAIRS;
    LV_TRY(enlarge(x, 0, 0, arena, err));
    int *rank = lv_arena_copy(arena, x->rank, (size_t)x->n, sizeof *rank);
    if (!rank)
        return lv_fail_memory(err);
    for (int i = 0; i < x->n; i++)
        rank[i] += pairs && rank[i] > 0;
    x->rank = rank;
    if (form != LV_NODE_PLAIN)
        LV_TRY(split_terms(x, pairs, arena, err));
    if (pairs)
        LV_TRY(split_pairs(x, arena, err));
    return lv_graph_check(x->graph, err);
}
