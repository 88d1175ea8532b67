#include "course/matrix.h"

#include "base/memory.h"
#include "course/blocks.h"
#include "course/cheap.h"
#include "system/determined.h"

#include <math.h>
#include <string.h>

struct lv_step_matrix {
    lv_course *c;
    lv_phase *p;
    lv_arena arena;
    lv_range_of *line; /* by column: its lines in the full matrix */
    int phase, size;
    lv_assembly *full; /* the full matrix; NULL: it is not needed */
    bool *factors;     /* by factor (lv_course.factors): whether a block uses it */
    lv_cheap *cheap;   /* NULL: there is no cheap matrix, or it is `part` */
    /* The full matrix with bodies eliminated one by one, and on groups the cheap matrix
     * in this form; NULL: there is none, or bodies cannot be eliminated. */
    lv_assembly *whole, *part;
    /* the last factorisation is that of `full`, because bodies could not be eliminated */
    bool spare;
    int factor_count; /* number of entries of `factors` */
    lv_level level;   /* level of the last factorisation */
    bool built;       /* there has been a factorisation */
    bool exact;       /* the cheap matrix is the exact derivative */
    bool vanished; /* some gradients of constraints vanished when the matrix was built */
    int gradients; /* number of sites at which gradients are used */
    double *work;  /* work space of `size` numbers */
    bool *lines;   /* work space: by line, whether it is left out */
    lv_vanishing *vanishing; /* one for each of these sites */
    int *gradient;           /* the indices of these sites */
    lv_gone gone; /* work space: constraint rows whose gradients vanish at one site */
    /* rows with vanishing gradients at some site, or left out by the caller */
    bool *left_out;
};

/* ---- lines and blocks ---------------------------------------------------------------- */

/* Numbers the lines of the full matrix. All values of one coordinate, or of one
 * constraint, are side by side. */
static void place_lines(lv_step_matrix *w)
{
    const lv_phase *p = w->p;
    int first = 0;
    for (int kind = 0; kind < 3; kind++) {
        int count = 0, size = 0, k = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < p->columns.count; i++) {
                const lv_phase_column *column = &p->columns.data[i];
                const lv_space space = w->c->form.fields.data[column->field].space;
                const int its = column->vector ? 0 : space == LV_SPACE_HOLONOMIC ? 1 : 2;
                if (its != kind)
                    continue;
                if (pass == 0) {
                    count++;
                    size = column->size;
                } else {
                    w->line[i] = (lv_range_of){first + k++, count};
                }
            }
        first += count * size;
    }
}

/* Creates the product with the factors of a block on groups. Blocks with the same product
 * share it. */
static lv_status dress(lv_step_matrix *w, lv_block *b, lv_error *err)
{
    lv_course *c = w->c;
    if (!b->bare && b->left.count == 0 && b->right.count == 0)
        return LV_OK;
    for (const lv_block *x = w->p->blocks.data; x < b && !b->dressing; x++)
        if (lv_block_is_alike(x, b))
            b->dressing = x->dressing;
    if (b->dressing)
        return LV_OK;
    return lv_dressing_create(&b->dressing, c->turning.motion,
                              b->bare ? NULL : lv_course_pattern(c, b->matrix),
                              !b->bare && b->matrix.transposed, &b->left, &b->right,
                              c->factors.data, &w->arena, err);
}

static void note_factors(lv_step_matrix *w, const lv_factors *factors)
{
    for (int k = 0; k < factors->count; k++)
        w->factors[factors->list[k]] = true;
}

static lv_status dress_all(lv_step_matrix *w, lv_error *err)
{
    const lv_phase *p = w->p;
    w->factor_count = w->c->factors.count;
    w->factors =
        lv_arena_alloc(&w->arena, (size_t)w->factor_count + 1, sizeof *w->factors);
    if (!w->factors)
        return lv_fail_memory(err);
    for (int k = 0; k < p->blocks.count; k++) {
        LV_TRY(dress(w, &p->blocks.data[k], err));
        note_factors(w, &p->blocks.data[k].left);
        note_factors(w, &p->blocks.data[k].right);
    }
    return LV_OK;
}

static const lv_pattern *pattern_of(const lv_step_matrix *w, const lv_block *b)
{
    return b->dressing ? lv_dressing_pattern(b->dressing)
                       : lv_course_pattern(w->c, b->matrix);
}

static const double *values_of(lv_step_matrix *w, const lv_block *b)
{
    const double *inner = b->bare ? NULL : lv_course_values(w->c, b->matrix, b->site);
    return b->dressing ? lv_dressing_values(b->dressing, w->c->factors.data, inner)
                       : inner;
}

/* If the phase makes velocities tangent at one point on groups: the column of its
 * multipliers; otherwise -1. */
static int find_tangency(const lv_step_matrix *w)
{
    int found = -1;
    for (int k = 0; k < w->p->columns.count; k++) {
        const lv_phase_column *column = &w->p->columns.data[k];
        if (column->vector)
            continue;
        if (found >= 0 ||
            w->c->form.fields.data[column->field].space != LV_SPACE_HOLONOMIC)
            return -1;
        found = k;
    }
    return w->c->system->still && w->p->linear && w->gradients == 1 ? found : -1;
}

/* Factors such a matrix; the gradients at this point tell which of them depend on
 * others. */
static bool factor_tangency(lv_step_matrix *w, lv_linear *linear, int first)
{
    return lv_dependence_factor(w->c->system->dependence, linear, first,
                                w->c->pattern[LV_Q_JACOBIAN],
                                w->c->sites.data[w->gradient[0]].storage[LV_Q_JACOBIAN]);
}

/* Evaluates the derivatives of group operators at the current values. */
static void find_factors(lv_step_matrix *w)
{
    for (int k = 0; k < w->factor_count; k++)
        if (w->factors[k])
            lv_course_factor(w->c, k);
    for (int k = 0; k < w->p->blocks.count; k++)
        if (w->p->blocks.data[k].dressing)
            lv_dressing_forget(w->p->blocks.data[k].dressing);
}

/* The lines of constraints that are left out; NULL: none. */
static const bool *lines_left_out(lv_step_matrix *w, const bool *gone)
{
    const lv_phase *p = w->p;
    for (int k = 0; gone && k < p->columns.count; k++) {
        const lv_field *f = &w->c->form.fields.data[p->columns.data[k].field];
        for (int r = 0; f->space == LV_SPACE_HOLONOMIC && r < p->columns.data[k].size;
             r++)
            w->lines[w->line[k].first + r * w->line[k].stride] = gone[r];
    }
    return gone ? w->lines : NULL;
}

/* Assembles and factors a matrix from all blocks, or from those of the cheap one. */
static bool build_assembly(lv_step_matrix *w, lv_assembly *matrix, bool cheap,
                           const bool *gone)
{
    lv_phase *p = w->p;
    int number = 0;
    if (!cheap)
        lv_course_run(w->c, &p->full);
    find_factors(w);
    lv_assembly_clear(matrix);
    for (int k = 0; k < p->blocks.count; k++) {
        const lv_block *b = &p->blocks.data[k];
        if (!cheap || b->cheap)
            lv_assembly_add(matrix, number++, values_of(w, b),
                            lv_block_factor(w->c, p, b));
    }
    lv_linear *linear = lv_assembly_linear(matrix);
    const int tangency = gone ? -1 : find_tangency(w);
    if (tangency >= 0)
        return factor_tangency(w, linear, w->line[tangency].first);
    lv_linear_leave_out(linear, lines_left_out(w, gone));
    return lv_linear_factor(linear);
}

/* ---- assembled matrices ------------------------------------------------------------ */

static void declare_blocks(const lv_step_matrix *w, lv_assembly *matrix, bool cheap)
{
    for (int k = 0; k < w->p->blocks.count; k++) {
        const lv_block *b = &w->p->blocks.data[k];
        if (!cheap || b->cheap)
            (void)lv_assembly_block(matrix, pattern_of(w, b), w->line[b->row],
                                    w->line[b->column],
                                    !b->dressing && b->matrix.transposed);
    }
}

/* Makes a matrix of all blocks, or of those of the cheap one. `inner`: lines of velocities,
 * which are eliminated body by body if they can be; NULL: none. */
static lv_status make_matrix(lv_assembly **result, const lv_step_matrix *w, bool cheap,
                             const bool *inner, lv_error *err)
{
    lv_assembly *x = *result = lv_assembly_create(w->size, w->p->blocks.count);
    if (!x)
        return lv_fail_memory(err);
    declare_blocks(w, x, cheap);
    if (inner)
        lv_assembly_inner(x, inner);
    return lv_assembly_finish(x, err);
}

/* Whether bodies are eliminated one by one. */
static bool is_condensed(lv_assembly *matrix)
{
    return lv_linear_back_end(lv_assembly_linear(matrix)) == LV_BACK_END_NESTED;
}

static void mark_vectors(const lv_step_matrix *w, bool *lines)
{
    for (int k = 0; k < w->p->columns.count; k++) {
        const lv_phase_column *column = &w->p->columns.data[k];
        for (int i = 0; column->vector && i < column->size; i++)
            lines[w->line[k].first + i * w->line[k].stride] = true;
    }
}

/* Makes the matrices that eliminate bodies. Where bodies cannot be eliminated the one of
 * all blocks is the full matrix. */
static lv_status make_condensed(lv_step_matrix *w, const bool *vectors, lv_error *err)
{
    LV_TRY(make_matrix(&w->whole, w, false, vectors, err));
    if (!is_condensed(w->whole)) {
        w->full = w->whole;
        w->whole = NULL;
    }
    if (!w->c->turning.motion || w->whole || w->exact)
        return LV_OK;
    LV_TRY(make_matrix(&w->part, w, true, vectors, err));
    if (!is_condensed(w->part)) {
        lv_assembly_free(w->part);
        w->part = NULL;
    }
    return LV_OK;
}

static lv_status make_assemblies(lv_step_matrix *w, bool cheap, lv_error *err)
{
    bool *vectors = lv_memory_zeroed((size_t)w->size + 1, sizeof *vectors);
    if (!vectors)
        return lv_fail_memory(err);
    mark_vectors(w, vectors);
    lv_status status = cheap ? make_condensed(w, vectors, err) : LV_OK;
    lv_memory_free(vectors);
    const bool enough = w->full || (w->whole && w->c->turning.motion);
    if (status == LV_OK && !enough)
        status = make_matrix(&w->full, w, false, NULL, err);
    return status;
}

/* The condensed matrix for a level; NULL: there is none, or `full` replaces it. */
static lv_assembly *condensed_for(const lv_step_matrix *w, lv_level level)
{
    if (w->spare)
        return NULL;
    return level == LV_LEVEL_FULL ? w->whole : w->part;
}

/* The matrix of the last factorisation, unless it is that of `cheap`. */
static lv_assembly *built_matrix(const lv_step_matrix *w)
{
    lv_assembly *condensed = condensed_for(w, w->level);
    return condensed ? condensed : w->full;
}

static void solve_full(lv_step_matrix *w, double *x)
{
    const lv_phase *p = w->p;
    for (int k = 0; k < p->columns.count; k++)
        for (int i = 0; i < p->columns.data[k].size; i++)
            w->work[w->line[k].first + i * w->line[k].stride] =
                k < p->unknowns ? x[p->columns.data[k].offset + i] : 0;
    lv_linear_solve(lv_assembly_linear(built_matrix(w)), w->work);
    for (int k = 0; k < p->columns.count; k++)
        for (int i = 0; i < p->columns.data[k].size; i++)
            x[p->columns.data[k].offset + i] =
                w->work[w->line[k].first + i * w->line[k].stride];
}

/* ---- gradients that vanish --------------------------------------------------------- */

static lv_status find_gradients(lv_step_matrix *w, lv_error *err)
{
    const lv_phase *p = w->p;
    const size_t sites = (size_t)w->c->sites.count + 1,
                 rows = (size_t)w->c->system->m + 1;
    w->gradient = lv_arena_alloc(&w->arena, sites, sizeof *w->gradient);
    w->vanishing = lv_arena_alloc(&w->arena, sites, sizeof *w->vanishing);
    w->gone.rows = lv_arena_alloc(&w->arena, rows, sizeof *w->gone.rows);
    w->left_out = lv_arena_alloc(&w->arena, rows, sizeof *w->left_out);
    if (!w->gradient || !w->vanishing || !w->gone.rows || !w->left_out)
        return lv_fail_memory(err);
    bool *known = lv_arena_alloc(&w->arena, sites, sizeof *known);
    if (!known)
        return lv_fail_memory(err);
    for (int k = 0; k < p->blocks.count; k++) {
        const lv_block *b = &p->blocks.data[k];
        if (b->bare || b->matrix.quantity != LV_Q_JACOBIAN || known[b->site])
            continue;
        known[b->site] = true;
        LV_TRY(lv_vanishing_init(&w->vanishing[w->gradients], w->c->system,
                                 w->c->pattern[LV_Q_JACOBIAN], &w->arena, err));
        w->gradient[w->gradients++] = b->site;
    }
    return LV_OK;
}

/* The rows to be left out: those whose gradients vanish at a point of the step, and those
 * that the caller leaves out. NULL: none. */
static const bool *find_left_out(lv_step_matrix *w, const bool *gone)
{
    const int m = w->c->system->m;
    bool any = false;
    memset(w->left_out, 0, (size_t)m * sizeof *w->left_out);
    for (int i = 0; i < w->gradients; i++) {
        lv_vanishing_find(&w->vanishing[i],
                          w->c->sites.data[w->gradient[i]].storage[LV_Q_JACOBIAN],
                          &w->gone);
        any = any || w->gone.count > 0;
        for (int r = 0; w->gone.count > 0 && r < m; r++)
            w->left_out[r] = w->left_out[r] || w->gone.rows[r];
    }
    w->vanished = any;
    if (!any)
        return gone;
    for (int r = 0; gone && r < m; r++)
        w->left_out[r] = w->left_out[r] || gone[r];
    return w->left_out;
}

/* ---- matrices of both levels ------------------------------------------------------- */

static lv_status matrix_fill(lv_step_matrix *w, bool cheap, lv_error *err)
{
    const lv_phase *p = w->p;
    const size_t columns = (size_t)p->columns.count;
    w->line = lv_arena_alloc(&w->arena, columns + 1, sizeof *w->line);
    if (!w->line)
        return lv_fail_memory(err);
    w->size = p->size;
    place_lines(w);
    w->work = lv_arena_alloc(&w->arena, (size_t)w->size + 1, sizeof *w->work);
    w->lines = lv_arena_alloc(&w->arena, (size_t)w->size + 1, sizeof *w->lines);
    if (!w->work || !w->lines)
        return lv_fail_memory(err);
    LV_TRY(find_gradients(w, err));
    w->exact = true;
    for (int k = 0; k < p->blocks.count; k++)
        w->exact = w->exact && p->blocks.data[k].cheap;
    LV_TRY(dress_all(w, err));
    if (cheap)
        LV_TRY(lv_cheap_create(&w->cheap, w->c, w->phase, err));
    if (w->cheap && w->exact)
        return LV_OK;
    return make_assemblies(w, cheap, err);
}

lv_status lv_step_matrix_create(lv_step_matrix **result, lv_course *course, int phase,
                                bool cheap, lv_error *err)
{
    lv_step_matrix *w = *result = lv_memory_zeroed(1, sizeof *w);
    if (!w)
        return lv_fail_memory(err);
    w->c = course;
    w->p = &course->phase[phase];
    w->phase = phase;
    lv_status status = matrix_fill(w, cheap, err);
    if (status != LV_OK) {
        lv_step_matrix_free(w);
        *result = NULL;
    }
    return status;
}

void lv_step_matrix_free(lv_step_matrix *w)
{
    if (!w)
        return;
    lv_assembly_free(w->full);
    lv_cheap_free(w->cheap);
    lv_assembly_free(w->whole);
    lv_assembly_free(w->part);
    lv_arena_done(&w->arena);
    lv_memory_free(w);
}

bool lv_step_matrix_renew(lv_step_matrix *w)
{
    w->built = w->vanished = w->spare = false;
    for (int i = 0; i < w->gradients; i++)
        lv_vanishing_renew(&w->vanishing[i]);
    return !w->cheap || lv_cheap_renew(w->cheap);
}

bool lv_step_matrix_has_cheap(const lv_step_matrix *w)
{
    return w->cheap || w->part;
}

bool lv_step_matrix_is_exact(const lv_step_matrix *w)
{
    return w->exact;
}

bool lv_step_matrix_build(lv_step_matrix *w, lv_level level, const bool *gone)
{
    w->built = true;
    w->spare = false;
    w->level =
        !lv_step_matrix_has_cheap(w) || (level == LV_LEVEL_FULL && (w->full || w->whole))
            ? LV_LEVEL_FULL
            : LV_LEVEL_CHEAP;
    lv_course_run(w->c, &w->p->cheap);
    const bool *left_out = find_left_out(w, gone);
    lv_assembly *condensed = condensed_for(w, w->level);
    if (condensed) {
        w->spare = !build_assembly(w, condensed, w->level == LV_LEVEL_CHEAP, left_out) &&
                   w->full;
        return !w->spare || build_assembly(w, w->full, false, left_out);
    }
    if (w->level == LV_LEVEL_FULL)
        return build_assembly(w, w->full, false, left_out);
    find_factors(w);
    return lv_cheap_build(w->cheap, left_out);
}

lv_status lv_step_matrix_expect_left_out(lv_step_matrix *w, const bool *rows,
                                         lv_error *err)
{
    const bool *lines = lines_left_out(w, rows);
    if (w->cheap)
        LV_TRY(lv_cheap_expect_left_out(w->cheap, rows, err));
    lv_assembly *const all[] = {w->whole, w->part, w->full};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k])
            LV_TRY(lv_linear_expect_left_out(lv_assembly_linear(all[k]), lines, err));
    return LV_OK;
}

void lv_step_matrix_solve(lv_step_matrix *w, double *x)
{
    if (w->level == LV_LEVEL_CHEAP && w->cheap)
        lv_cheap_solve(w->cheap, x);
    else
        solve_full(w, x);
}

int lv_step_matrix_size(const lv_step_matrix *w)
{
    return w->size;
}

/* The factors of the last factorisation; NULL: there was none, or nothing to factor. */
static lv_linear *factors(const lv_step_matrix *w)
{
    if (!w->built)
        return NULL;
    return w->level == LV_LEVEL_CHEAP && w->cheap ? lv_cheap_linear(w->cheap)
                                                  : lv_assembly_linear(built_matrix(w));
}

int lv_step_matrix_redundant(const lv_step_matrix *w)
{
    const lv_linear *linear = factors(w);
    return linear && !w->vanished ? lv_linear_redundant(linear) : 0;
}

double lv_step_matrix_worst_pivot(const lv_step_matrix *w)
{
    const lv_linear *linear = factors(w);
    return linear ? lv_linear_worst_pivot(linear, NULL) : 1;
}

/* Evaluating residuals takes about as long as `evaluated` multiplications for each entry
 * of the matrix, and evaluating the matrix twice as long. Of each pass, `always`
 * multiplications do not depend on the size of the system. */
static double count_build_passes(const lv_linear *linear)
{
    const double evaluated = 8, always = 500;
    const double entries = evaluated * lv_linear_entries(linear);
    const lv_linear_work work = lv_linear_count_work(linear);
    return (work.factor + 2 * entries) / (always + work.solve + entries);
}

double lv_step_matrix_build_passes(const lv_step_matrix *w)
{
    return w->level == LV_LEVEL_CHEAP ? 0 : count_build_passes(factors(w));
}
