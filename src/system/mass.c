#include "system/mass.h"

#include "base/arena.h"
#include "base/disjoint.h"
#include "base/memory.h"
#include "num/dense.h"
#include "num/ldl.h"
#include "num/linear.h"
#include "num/sound.h"
#include "num/sparse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Blocks with more than LARGEST_BLOCK coordinates go to the general solver, and so do
 * blocks with more than SMALL_BLOCK coordinates most entries of which are zero: the
 * inverse of a block is full, and G M^-1 G^T with it. For N four-bar linkages with
 * consistent masses (tridiagonal blocks) the times are equal at 12 (9 for `em`); at 40
 * the general solver takes 0.2 of the time. */
enum { LARGEST_BLOCK = 64, SMALL_BLOCK = 12 };

struct lv_mass {
    lv_arena arena;
    const lv_pattern *pattern;
    int n;
    bool diagonal;
    bool joined;     /* constraints join too many blocks: the general solver is used */
    double *inverse; /* inverse of a diagonal matrix */
    int block_count;
    int *block_of; /* block of each coordinate */
    int *member;   /* coordinates sorted by block */
    int *start;    /* by block: where its coordinates begin in `member` */
    int *inside;   /* position of each coordinate in its block */
    size_t *place; /* by block: where its factors begin in `factor` */
    double *factor;
    int *pivot;         /* pivots, laid out as `member` */
    lv_linear *general; /* solver of the whole matrix; NULL: blocks are used */
};

/* Joins coordinates that share an entry into blocks, numbered by their first
 * coordinates. */
static void join(lv_mass *m, int *parent)
{
    const lv_pattern *p = m->pattern;
    for (int i = 0; i < m->n; i++)
        parent[i] = i;
    for (int r = 0; r < m->n; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            lv_disjoint_join(parent, r, p->column[e]);
    for (int i = 0; i < m->n; i++) {
        int root = lv_disjoint_find(parent, i);
        m->block_of[i] = root == i ? m->block_count++ : m->block_of[root];
    }
}

static void sort_members(lv_mass *m)
{
    for (int i = 0; i < m->n; i++)
        m->start[m->block_of[i] + 1]++;
    for (int k = 0; k < m->block_count; k++)
        m->start[k + 1] += m->start[k];
    for (int i = 0; i < m->n; i++) {
        int k = m->block_of[i];
        m->inside[i] = m->start[k];
        m->member[m->start[k]++] = i;
    }
    for (int k = m->block_count; k > 0; k--)
        m->start[k] = m->start[k - 1];
    m->start[0] = 0;
    for (int i = 0; i < m->n; i++)
        m->inside[i] -= m->start[m->block_of[i]];
}

static lv_status find_blocks(lv_mass *m, lv_error *err)
{
    size_t n = (size_t)m->n + 1;
    int *ints = lv_arena_alloc(&m->arena, 6 * n, sizeof *ints);
    int *parent = lv_memory_zeroed(n, sizeof *parent);
    if (!ints || !parent) {
        lv_memory_free(parent);
        return lv_fail_memory(err);
    }
    m->block_of = ints;
    m->member = ints + n;
    m->start = ints + 2 * n;
    m->inside = ints + 3 * n;
    m->pivot = ints + 4 * n;
    join(m, parent);
    sort_members(m);
    lv_memory_free(parent);
    return LV_OK;
}

static int entries_of_block(const lv_mass *m, int k)
{
    int entries = 0;
    for (int i = m->start[k]; i < m->start[k + 1]; i++)
        entries += m->pattern->start[m->member[i] + 1] - m->pattern->start[m->member[i]];
    return entries;
}

/* Is block k small enough to be factored by itself? */
static bool is_small(const lv_mass *m, int k)
{
    const int size = m->start[k + 1] - m->start[k];
    return size <= SMALL_BLOCK ||
           (size <= LARGEST_BLOCK && 2 * entries_of_block(m, k) >= size * size);
}

/* Is G M^-1 G^T, which has an entry for every two rows of G that share a block, so much
 * fuller than G that it should not be formed? A coordinate shared by 1000 constraints
 * makes a full block of a million entries from 2000. */
static bool joins_too_many(const lv_mass *m, const lv_pattern *g, int *last, int *rows)
{
    const double fuller = 32, enough = 1e4;
    double entries = 0;
    for (int k = 0; k < m->block_count; k++) {
        last[k] = -1;
        rows[k] = 0;
    }
    for (int r = 0; r < g->rows; r++)
        for (int e = g->start[r]; e < g->start[r + 1]; e++) {
            const int k = m->block_of[g->column[e]];
            rows[k] += last[k] != r;
            last[k] = r;
        }
    for (int k = 0; k < m->block_count; k++)
        entries += (double)rows[k] * rows[k];
    return entries > enough && entries > fuller * lv_pattern_entries(g);
}

static lv_status find_joined(lv_mass *m, const lv_pattern *g, lv_error *err)
{
    int *room = lv_memory_zeroed(2 * (size_t)m->n + 1, sizeof *room);
    if (!room)
        return lv_fail_memory(err);
    m->joined = joins_too_many(m, g, room, room + m->n);
    lv_memory_free(room);
    return LV_OK;
}

/* Allocates the factors, or creates the general solver if a block is too large. */
static lv_status mass_make_room(lv_mass *m, lv_error *err)
{
    size_t total = 0;
    bool small = !m->joined;
    m->place = lv_arena_alloc(&m->arena, (size_t)m->block_count + 1, sizeof *m->place);
    if (!m->place)
        return lv_fail_memory(err);
    m->diagonal = m->block_count == m->n;
    for (int k = 0; k < m->block_count; k++) {
        int size = m->start[k + 1] - m->start[k];
        small &= is_small(m, k);
        m->place[k] = total;
        total += (size_t)size * (size_t)size;
    }
    if (!small) {
        m->block_count = 0;
        m->diagonal = false;
        return lv_linear_create_symmetric(&m->general, m->pattern, LV_BACK_END_AUTO, NULL,
                                          err);
    }
    m->inverse = lv_arena_alloc(&m->arena, (size_t)m->n, sizeof *m->inverse);
    m->factor = lv_arena_alloc(&m->arena, total, sizeof *m->factor);
    return m->inverse && m->factor ? LV_OK : lv_fail_memory(err);
}

lv_status lv_mass_create(lv_mass **result, const lv_pattern *pattern, const lv_pattern *g,
                         lv_error *err)
{
    assert(pattern->rows == pattern->columns);
    assert(lv_pattern_is_sound(pattern));
    *result = NULL;
    lv_mass *m = lv_memory_zeroed(1, sizeof *m);
    if (!m)
        return lv_fail_memory(err);
    m->pattern = pattern;
    m->n = pattern->rows;
    lv_status status = find_blocks(m, err);
    if (status == LV_OK && g)
        status = find_joined(m, g, err);
    if (status == LV_OK)
        status = mass_make_room(m, err);
    if (status == LV_OK)
        *result = m;
    else
        lv_mass_free(m);
    return status;
}

void lv_mass_free(lv_mass *m)
{
    if (!m)
        return;
    lv_linear_free(m->general);
    lv_arena_done(&m->arena);
    lv_memory_free(m);
}

static bool factor_general(lv_mass *m, const double *values)
{
    const int *slot = lv_linear_slots(m->general);
    double *storage = lv_linear_storage(m->general);
    lv_linear_clear(m->general);
    for (int e = 0; e < m->pattern->start[m->n]; e++)
        storage[slot[e]] += values[e];
    return lv_linear_factor(m->general);
}

static bool factor_diagonal(lv_mass *m, const double *values)
{
    for (int i = 0; i < m->n; i++) {
        bool empty = m->pattern->start[i] == m->pattern->start[i + 1];
        double value = empty ? 0 : values[m->pattern->start[i]];
        if (!(fabs(value) > 0))
            return false;
        m->inverse[i] = 1 / value;
    }
    return true;
}

bool lv_mass_factor(lv_mass *m, const double *values)
{
    const lv_pattern *p = m->pattern;
    if (m->general)
        return factor_general(m, values);
    if (m->diagonal)
        return factor_diagonal(m, values);
    for (int k = 0; k < m->block_count; k++) {
        int size = m->start[k + 1] - m->start[k];
        double *a = m->factor + m->place[k];
        memset(a, 0, (size_t)size * (size_t)size * sizeof *a);
        for (int i = 0; i < size; i++) {
            int r = m->member[m->start[k] + i];
            for (int e = p->start[r]; e < p->start[r + 1]; e++)
                a[i * size + m->inside[p->column[e]]] = values[e];
        }
        if (!(size < LV_LDL_LEAST ? lv_lu_factor : lv_ldl_factor)(a, size,
                                                                  m->pivot + m->start[k]))
            return false;
    }
    return true;
}

void lv_mass_block_solve(const lv_mass *m, int k, double *x)
{
    int size = m->start[k + 1] - m->start[k];
    if (m->diagonal)
        x[0] *= m->inverse[m->member[m->start[k]]];
    else
        (size < LV_LDL_LEAST ? lv_lu_solve : lv_ldl_solve)(m->factor + m->place[k], size,
                                                           m->pivot + m->start[k], x);
}

void lv_mass_solve(const lv_mass *m, double *x)
{
    if (m->general) {
        lv_linear_solve(m->general, x);
        return;
    }
    if (m->diagonal) {
        for (int i = 0; i < m->n; i++)
            x[i] *= m->inverse[i];
        return;
    }
    double part[LARGEST_BLOCK];
    for (int k = 0; k < m->block_count; k++) {
        const int *member = m->member + m->start[k];
        int size = m->start[k + 1] - m->start[k];
        for (int i = 0; i < size; i++)
            part[i] = x[member[i]];
        lv_mass_block_solve(m, k, part);
        for (int i = 0; i < size; i++)
            x[member[i]] = part[i];
    }
}

int lv_mass_block_count(const lv_mass *m)
{
    return m->block_count;
}

const int *lv_mass_block(const lv_mass *m, int k, int *size)
{
    *size = m->start[k + 1] - m->start[k];
    return m->member + m->start[k];
}

int lv_mass_block_of(const lv_mass *m, int coordinate)
{
    return m->block_of[coordinate];
}

const double *lv_mass_inverse_diagonal(const lv_mass *m)
{
    return m->diagonal ? m->inverse : NULL;
}
