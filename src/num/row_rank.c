#include "num/row_rank.h"

#include "base/arena.h"
#include "base/memory.h"
#include "num/extent.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <amd.h>

enum { NONE = -1 };

/* Step k of the elimination processes one row, order[k]. Its front lists the steps of the
 * rows that share columns with it, directly or through earlier rows; step k itself comes
 * first. The rows that remain of a front after step k are kept for its parent: the front
 * of the next step in its list. */
struct lv_row_rank {
    lv_arena arena;
    lv_pattern pattern; /* a copy */
    int *order, *step;  /* row at a step, step of a row */
    int *entry_start; /* by column of the matrix: where its entries begin in entry_step */
    int *entry_step;  /* the step of the row of each of these entries */
    int *entry_of;    /* index in entry_step of each entry of the pattern */
    /* Linked lists, by step, of the columns whose first step it is */
    int *first_column, *next_column;
    /* Linked lists, by step, of the fronts whose remaining rows this front takes */
    int *first_child, *next_child;
    int *front_start; /* steps + 1 numbers: where each front begins in `front` */
    LV_ARRAY(int) front;
    int *kept_most; /* upper bound for `kept`, by step */
    size_t *kept_at;
    int *kept;    /* number of rows kept after a step */
    int *place;   /* position of each step in the current front */
    bool *stands; /* the row of this step is independent */
    int *dependent;
    int count;
    lv_row_gap gap;
    double *norm;        /* by row */
    double *value;       /* by entry_step */
    double *combination; /* by row */
    double *z;           /* by step */
    double *sum;         /* by column */
    double *factor;      /* R, laid out as `front` */
    double *rest;        /* the numbers of the rows that are kept */
    double *work;        /* the current front as a dense matrix */
};

/* ---- analysis ---------------------------------------------------------------------- */

static int row_count(const lv_row_rank *x)
{
    return x->pattern.rows;
}

static bool copy_pattern(lv_row_rank *x, const lv_pattern *p)
{
    const int entries = p->start[p->rows];
    x->pattern = *p;
    x->pattern.start =
        lv_arena_copy(&x->arena, p->start, (size_t)p->rows + 1, sizeof(int));
    x->pattern.column = lv_arena_copy(&x->arena, p->column, (size_t)entries, sizeof(int));
    return x->pattern.start && x->pattern.column;
}

static bool take_integers(lv_row_rank *x)
{
    const size_t rows = (size_t)x->pattern.rows, columns = (size_t)x->pattern.columns;
    const size_t entries = (size_t)x->pattern.start[x->pattern.rows];
    int **const lists[] = {
        &x->order, &x->step,        &x->entry_start,  &x->entry_step,  &x->entry_of,
        &x->kept,  &x->next_column, &x->first_column, &x->first_child, &x->next_child,
        &x->place, &x->front_start, &x->kept_most,    &x->dependent};
    const size_t sizes[] = {rows, rows, columns + 1, entries, entries,  rows, columns,
                            rows, rows, rows,        rows,    rows + 1, rows, rows};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        *lists[k] = lv_arena_alloc(&x->arena, sizes[k] + 1, sizeof(int));
        if (!*lists[k])
            return false;
    }
    x->kept_at = lv_arena_alloc(&x->arena, rows + 1, sizeof *x->kept_at);
    x->stands = lv_arena_alloc(&x->arena, rows + 1, sizeof *x->stands);
    return x->kept_at && x->stands;
}

/* Entries by column. Leaves rows in entry_step, which become steps once there is an
 * order. */
static void transpose(lv_row_rank *x)
{
    const lv_pattern *p = &x->pattern;
    const int entries = p->start[p->rows];
    int *end = x->next_column; /* not yet in use */
    for (int e = 0; e < entries; e++)
        x->entry_start[p->column[e] + 1]++;
    for (int c = 0; c < p->columns; c++) {
        x->entry_start[c + 1] += x->entry_start[c];
        end[c] = x->entry_start[c];
    }
    for (int r = 0; r < p->rows; r++)
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            x->entry_of[e] = end[p->column[e]]++;
            x->entry_step[x->entry_of[e]] = r;
        }
}

/* Rows that share a column are neighbours. */
static void find_neighbours(lv_row_rank *x, int *start, int *neighbour)
{
    const lv_pattern *p = &x->pattern;
    int *seen = x->place, count = 0;
    for (int r = 0; r < p->rows; r++)
        seen[r] = NONE;
    for (int r = 0; r < p->rows; r++) {
        start[r] = count;
        seen[r] = r;
        for (int e = p->start[r]; e < p->start[r + 1]; e++) {
            const int c = p->column[e];
            for (int k = x->entry_start[c]; k < x->entry_start[c + 1]; k++) {
                const int other = x->entry_step[k];
                if (seen[other] == r)
                    continue;
                seen[other] = r;
                neighbour[count++] = other;
            }
        }
    }
    start[p->rows] = count;
}

/* Counts the pairs of rows that share a column, once for each shared column. */
static long long count_pairs(const lv_row_rank *x)
{
    long long pairs = 0;
    for (int c = 0; c < x->pattern.columns; c++) {
        const long long length = x->entry_start[c + 1] - x->entry_start[c];
        pairs += length * length;
    }
    return pairs;
}

static lv_status find_order(lv_row_rank *x, bool *fits, lv_error *err)
{
    const int rows = row_count(x);
    const long long pairs = count_pairs(x);
    *fits = pairs <= LV_ROW_RANK_MOST;
    if (!*fits)
        return LV_OK;
    int *start = lv_memory_zeroed((size_t)rows + 1, sizeof *start);
    int *neighbour = lv_memory_zeroed((size_t)pairs + 1, sizeof *neighbour);
    int status = AMD_OUT_OF_MEMORY;
    if (start && neighbour) {
        find_neighbours(x, start, neighbour);
        status = amd_order(rows, start, neighbour, x->order, NULL, NULL);
    }
    lv_memory_free(start);
    lv_memory_free(neighbour);
    if (status == AMD_OUT_OF_MEMORY)
        return lv_fail_memory(err);
    *fits = status == AMD_OK || status == AMD_OK_BUT_JUMBLED;
    for (int k = 0; k < rows && *fits; k++)
        x->step[x->order[k]] = k;
    return LV_OK;
}

/* Turns entry_step from rows to steps, and puts columns into the lists of their first
 * steps. */
static void list_columns(lv_row_rank *x)
{
    for (int k = 0; k < row_count(x); k++)
        x->first_column[k] = x->first_child[k] = NONE;
    for (int c = x->pattern.columns - 1; c >= 0; c--) {
        int first = INT_MAX;
        for (int e = x->entry_start[c]; e < x->entry_start[c + 1]; e++) {
            x->entry_step[e] = x->step[x->entry_step[e]];
            first = x->entry_step[e] < first ? x->entry_step[e] : first;
        }
        if (first == INT_MAX)
            continue;
        x->next_column[c] = x->first_column[first];
        x->first_column[first] = c;
    }
}

static bool add_to_front(lv_row_rank *x, int k, int step)
{
    if (x->place[step] == k)
        return true;
    x->place[step] = k;
    return LV_PUSH(x->front, step);
}

/* Makes the front of step k, and counts the rows it may have. */
static bool make_front(lv_row_rank *x, int k, int *rows)
{
    bool all = add_to_front(x, k, k);
    *rows = 0;
    for (int c = x->first_column[k]; c != NONE && all; c = x->next_column[c], ++*rows)
        for (int e = x->entry_start[c]; e < x->entry_start[c + 1] && all; e++)
            all = add_to_front(x, k, x->entry_step[e]);
    for (int b = x->first_child[k]; b != NONE && all; b = x->next_child[b]) {
        *rows += x->kept_most[b];
        for (int t = x->front_start[b] + 1; t < x->front_start[b + 1] && all; t++)
            all = add_to_front(x, k, x->front.data[t]);
    }
    x->front_start[k + 1] = x->front.count;
    return all;
}

/* Makes the next step in the front of k the parent of k. */
static void join_parent(lv_row_rank *x, int k)
{
    int parent = INT_MAX;
    for (int t = x->front_start[k] + 1; t < x->front_start[k + 1]; t++)
        parent = x->front.data[t] < parent ? x->front.data[t] : parent;
    if (parent == INT_MAX)
        return;
    x->next_child[k] = x->first_child[parent];
    x->first_child[parent] = k;
}

/* Makes all fronts and determines the memory for their numbers. */
static lv_status make_fronts(lv_row_rank *x, bool *fits, lv_error *err)
{
    size_t kept = 0, widest = 0, most = LV_ROW_RANK_MOST;
    for (int k = 0; k < row_count(x); k++)
        x->place[k] = NONE;
    for (int k = 0; k < row_count(x) && *fits; k++) {
        int rows;
        if (!make_front(x, k, &rows))
            return lv_fail_memory(err);
        const int width = x->front_start[k + 1] - x->front_start[k];
        x->kept_most[k] = rows < width - 1 ? rows : width - 1;
        x->kept_at[k] = kept;
        kept += (size_t)x->kept_most[k] * (size_t)(width - 1);
        const size_t size = (size_t)rows * (size_t)width;
        widest = size > widest ? size : widest;
        *fits = kept <= most && widest <= most && (size_t)x->front.count <= most;
        join_parent(x, k);
    }
    if (!*fits)
        return LV_OK;
    x->rest = lv_memory_resize(NULL, (kept + 1) * sizeof *x->rest);
    x->work = lv_memory_resize(NULL, (widest + 1) * sizeof *x->work);
    x->factor = lv_memory_resize(NULL, ((size_t)x->front.count + 1) * sizeof *x->factor);
    return x->rest && x->work && x->factor ? LV_OK : lv_fail_memory(err);
}

static lv_status analyse(lv_row_rank *x, const lv_pattern *pattern, bool *fits,
                         lv_error *err)
{
    if (!copy_pattern(x, pattern) || !take_integers(x))
        return lv_fail_memory(err);
    const size_t rows = (size_t)pattern->rows;
    x->value =
        lv_arena_alloc(&x->arena, (size_t)pattern->start[rows] + 1, sizeof(double));
    x->combination = lv_arena_alloc(&x->arena, 3 * rows + 1, sizeof(double));
    x->sum = lv_arena_alloc(&x->arena, (size_t)pattern->columns + 1, sizeof(double));
    if (!x->value || !x->combination || !x->sum)
        return lv_fail_memory(err);
    x->z = x->combination + rows;
    x->norm = x->z + rows;
    transpose(x);
    LV_TRY(find_order(x, fits, err));
    if (!*fits)
        return LV_OK;
    list_columns(x);
    return make_fronts(x, fits, err);
}

lv_status lv_row_rank_create(lv_row_rank **rank, const lv_pattern *pattern, lv_error *err)
{
    bool fits = false;
    lv_row_rank *x = lv_memory_zeroed(1, sizeof *x);
    *rank = NULL;
    if (!x)
        return lv_fail_memory(err);
    const lv_status status = analyse(x, pattern, &fits, err);
    if (status == LV_OK && fits)
        *rank = x;
    else
        lv_row_rank_free(x);
    return status;
}

void lv_row_rank_free(lv_row_rank *x)
{
    if (!x)
        return;
    LV_ARRAY_FREE(x->front);
    lv_memory_free(x->rest);
    lv_memory_free(x->work);
    lv_memory_free(x->factor);
    lv_arena_done(&x->arena);
    lv_memory_free(x);
}

/* ---- factors ----------------------------------------------------------------------- */

/* Copies one row to the positions of its entries by column. */
static bool load_row(lv_row_rank *x, const lv_pattern *p, const double *values, int r)
{
    const lv_pattern *own = &x->pattern;
    int at = own->start[r];
    double largest = 0, sum = 0;
    for (int e = p->start[r]; e < p->start[r + 1]; e++)
        largest = fabs(values[e]) > largest ? fabs(values[e]) : largest;
    const double scale = largest > 0 ? 1 / largest : 0;
    for (int e = p->start[r]; e < p->start[r + 1]; e++) {
        while (at < own->start[r + 1] && own->column[at] < p->column[e])
            at++;
        if (at == own->start[r + 1] || own->column[at] != p->column[e] ||
            !isfinite(values[e]))
            return false;
        const double scaled = isfinite(scale) ? values[e] * scale : values[e] / largest;
        x->value[x->entry_of[at]] = scaled;
        sum += scaled * scaled;
    }
    const double norm = sqrt(sum), inverse = sum > 0 ? 1 / norm : 0;
    x->norm[r] = largest * norm;
    if (sum > 0 && x->norm[r] < x->gap.smallest)
        x->gap.smallest = x->norm[r];
    if (x->norm[r] > x->gap.largest)
        x->gap.largest = x->norm[r];
    for (int e = own->start[r]; e < own->start[r + 1]; e++)
        x->value[x->entry_of[e]] *= inverse;
    return true;
}

static bool load(lv_row_rank *x, const lv_pattern *p, const double *values)
{
    const int entries = x->pattern.start[row_count(x)];
    if (p->rows > row_count(x))
        return false;
    memset(x->value, 0, (size_t)entries * sizeof *x->value);
    x->gap = (lv_row_gap){.kept = 1, .smallest = HUGE_VAL};
    for (int r = 0; r < p->rows; r++)
        if (!load_row(x, p, values, r))
            return false;
    return true;
}

/* Assembles front k from columns of the matrix and the rows kept by its children. */
static int assemble(lv_row_rank *x, int k, int width)
{
    const int *front = x->front.data + x->front_start[k];
    int rows = 0;
    for (int t = 0; t < width; t++)
        x->place[front[t]] = t;
    for (int c = x->first_column[k]; c != NONE; c = x->next_column[c]) {
        double *row = x->work + (size_t)rows++ * (size_t)width;
        memset(row, 0, (size_t)width * sizeof *row);
        for (int e = x->entry_start[c]; e < x->entry_start[c + 1]; e++)
            row[x->place[x->entry_step[e]]] = x->value[e];
    }
    for (int b = x->first_child[k]; b != NONE; b = x->next_child[b]) {
        const int *steps = x->front.data + x->front_start[b] + 1;
        const int length = x->front_start[b + 1] - x->front_start[b] - 1;
        const double *from = x->rest + x->kept_at[b];
        for (int i = 0; i < x->kept[b]; i++, from += length) {
            double *row = x->work + (size_t)rows++ * (size_t)width;
            memset(row, 0, (size_t)width * sizeof *row);
            for (int t = 0; t < length; t++)
                row[x->place[steps[t]]] = from[t];
        }
    }
    return rows;
}

/* Norm of column j from row `top` on. */
static double column_norm(const double *a, int width, int rows, int top, int j)
{
    double sum = 0;
    for (int i = top; i < rows; i++) {
        const double x = a[(size_t)i * (size_t)width + (size_t)j];
        sum += x * x;
    }
    return sqrt(sum);
}

/* Applies a reflection that zeroes column j below row `top`, where `norm` remains. */
static void reflect(double *a, int width, int rows, int top, int j, double norm)
{
    const size_t step = (size_t)width;
    double *head = a + (size_t)top * step;
    const double first = head[j], left = first > 0 ? -norm : norm;
    const double beta = 1 / (norm * (norm + fabs(first)));
    head[j] = first - left; /* first component of the reflection vector */
    for (int t = j + 1; t < width; t++) {
        double sum = 0;
        for (int i = top; i < rows; i++)
            sum += a[(size_t)i * step + (size_t)j] * a[(size_t)i * step + (size_t)t];
        sum *= beta;
        for (int i = top; i < rows; i++)
            a[(size_t)i * step + (size_t)t] -= sum * a[(size_t)i * step + (size_t)j];
    }
    head[j] = left;
    for (int i = top + 1; i < rows; i++)
        a[(size_t)i * step + (size_t)j] = 0;
}

/* Keeps the remainder from row `top` on, without the first column, reduced to few
 * rows. */
static void keep_rest(lv_row_rank *x, int k, int width, int rows, int top)
{
    double *to = x->rest + x->kept_at[k];
    const int most = width - 1;
    if (rows - top > most)
        for (int j = 1; j < width; j++) {
            const double norm = column_norm(x->work, width, rows, top + j - 1, j);
            if (norm > 0)
                reflect(x->work, width, rows, top + j - 1, j, norm);
        }
    x->kept[k] = rows - top < most ? rows - top : most;
    for (int i = 0; i < x->kept[k]; i++, to += most)
        memcpy(to, x->work + (size_t)(top + i) * (size_t)width + 1,
               (size_t)most * sizeof *to);
}

static void eliminate(lv_row_rank *x, int k, double tolerance)
{
    const int width = x->front_start[k + 1] - x->front_start[k];
    const int rows = assemble(x, k, width);
    const double norm = column_norm(x->work, width, rows, 0, 0);
    x->stands[k] = norm > tolerance;
    if (x->stands[k] && norm < x->gap.kept)
        x->gap.kept = norm;
    if (!x->stands[k] && !(norm <= x->gap.dropped))
        x->gap.dropped = norm;
    if (x->stands[k]) {
        reflect(x->work, width, rows, 0, 0, norm);
        memcpy(x->factor + x->front_start[k], x->work, (size_t)width * sizeof(double));
    }
    keep_rest(x, k, width, rows, x->stands[k] ? 1 : 0);
}

int lv_row_rank_find(lv_row_rank *x, const lv_pattern *pattern, const double *values,
                     double tolerance)
{
    x->count = 0;
    if (!load(x, pattern, values))
        return -1;
    for (int k = 0; k < row_count(x); k++)
        eliminate(x, k, tolerance);
    for (int r = 0; r < pattern->rows; r++)
        if (!x->stands[x->step[r]])
            x->dependent[x->count++] = r;
    return x->count;
}

int lv_row_rank_row(const lv_row_rank *x, int k)
{
    return x->dependent[k];
}

int lv_row_rank_count(const lv_row_rank *x)
{
    return x->count;
}

lv_row_gap lv_row_rank_gap(const lv_row_rank *x)
{
    return x->gap;
}

double lv_row_rank_norm(const lv_row_rank *x, int row)
{
    return x->norm[row];
}

/* Solve R z = z and R^T z = z for the independent rows; the others get 0. */
static void solve_upper(const lv_row_rank *x, double *z)
{
    for (int i = row_count(x) - 1; i >= 0; i--) {
        const int first = x->front_start[i];
        double sum = x->stands[i] ? z[i] : 0;
        for (int t = first + 1; t < x->front_start[i + 1] && x->stands[i]; t++)
            sum -= x->factor[t] * z[x->front.data[t]];
        z[i] = sum == 0 ? 0 : sum / x->factor[first];
    }
}

static void solve_lower(const lv_row_rank *x, double *z)
{
    for (int i = 0; i < row_count(x); i++) {
        const int first = x->front_start[i];
        z[i] = x->stands[i] ? z[i] / x->factor[first] : 0;
        for (int t = first + 1; t < x->front_start[i + 1] && z[i] != 0; t++)
            z[x->front.data[t]] -= x->factor[t] * z[i];
    }
}

/* sum = the row minus the combination of the others; returns its norm. */
static double subtract(lv_row_rank *x, int row)
{
    const lv_pattern *p = &x->pattern;
    double square = 0;
    memset(x->sum, 0, (size_t)p->columns * sizeof *x->sum);
    for (int r = 0; r < p->rows; r++) {
        const double c = r == row ? 1 : -x->combination[r];
        for (int e = p->start[r]; e < p->start[r + 1] && c != 0; e++)
            x->sum[p->column[e]] += c * x->value[x->entry_of[e]];
    }
    for (int c = 0; c < p->columns; c++)
        square += x->sum[c] * x->sum[c];
    return sqrt(square);
}

/* z = products of the rows with sum, by step. */
static void multiply(lv_row_rank *x, double *z)
{
    const lv_pattern *p = &x->pattern;
    for (int i = 0; i < p->rows; i++) {
        const int r = x->order[i];
        z[i] = 0;
        for (int e = p->start[r]; e < p->start[r + 1]; e++)
            z[i] += x->value[x->entry_of[e]] * x->sum[p->column[e]];
    }
}

const double *lv_row_rank_combination(lv_row_rank *x, int k, double *left)
{
    enum { PASSES = 3 }; /* the second one restores the digits that the first one loses */
    const double nothing = 1e-13;
    const int row = x->dependent[k];
    memset(x->combination, 0, (size_t)row_count(x) * sizeof *x->combination);
    double rest = subtract(x, row);
    for (int pass = 0; pass < PASSES && rest > nothing; pass++) {
        multiply(x, x->z);
        solve_lower(x, x->z);
        solve_upper(x, x->z);
        for (int i = 0; i < row_count(x); i++)
            x->combination[x->order[i]] += x->z[i];
        rest = subtract(x, row);
    }
    *left = rest;
    return x->combination;
}

const double *lv_row_rank_rest(const lv_row_rank *x)
{
    return x->sum;
}

/* sum += sign times the sum of z times the rows. */
static void add_rows(lv_row_rank *x, double *sum, const double *z, double sign)
{
    const lv_pattern *p = &x->pattern;
    for (int i = 0; i < p->rows; i++) {
        const int r = x->order[i];
        const double c = sign * z[i];
        for (int e = p->start[r]; e < p->start[r + 1] && c != 0; e++)
            sum[p->column[e]] += c * x->value[x->entry_of[e]];
    }
}

/* Solutions of the normal equations may lose half of the digits; one correction restores
 * them. */
enum { CORRECTED = 2 };
static const double solved = 1e-14;

void lv_row_rank_write(lv_row_rank *x, const double *t, double *c)
{
    const int rows = row_count(x), columns = x->pattern.columns;
    const double enough = solved * lv_extent(t, columns);
    memcpy(x->sum, t, (size_t)columns * sizeof *x->sum);
    memset(c, 0, (size_t)rows * sizeof *c);
    for (int pass = 0; pass < CORRECTED && lv_extent(x->sum, columns) > enough; pass++) {
        multiply(x, x->z);
        solve_lower(x, x->z);
        solve_upper(x, x->z);
        for (int i = 0; i < rows; i++)
            c[x->order[i]] += x->z[i];
        if (pass + 1 < CORRECTED)
            add_rows(x, x->sum, x->z, -1);
    }
    for (int r = 0; r < rows; r++)
        c[r] = c[r] == 0 ? 0 : c[r] / x->norm[r];
}

void lv_row_rank_meet(lv_row_rank *x, const double *b, double *t)
{
    const int rows = row_count(x);
    memset(t, 0, (size_t)x->pattern.columns * sizeof *t);
    memset(x->sum, 0, (size_t)x->pattern.columns * sizeof *x->sum);
    double enough = 0;
    for (int pass = 0; pass < CORRECTED; pass++) {
        multiply(x, x->z);
        for (int i = 0; i < rows; i++) {
            const int r = x->order[i];
            x->z[i] = x->stands[i] ? b[r] / x->norm[r] - x->z[i] : 0;
        }
        const double left = lv_extent(x->z, rows);
        if (left <= enough)
            return;
        enough = solved * left;
        solve_lower(x, x->z);
        solve_upper(x, x->z);
        add_rows(x, t, x->z, 1);
        memcpy(x->sum, t, (size_t)x->pattern.columns * sizeof *x->sum);
    }
}
