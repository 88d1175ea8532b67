/* A matrix without certain lines, as a matrix of its own: lines that a caller leaves out
 * repeatedly then cost nothing. */
#include "base/memory.h"
#include "num/linear_private.h"

#include <string.h>

typedef struct lv_linear_rest {
    lv_linear *linear;
    bool *lines;  /* lines of the whole matrix that are left out */
    int *unknown; /* unknown of the whole matrix, for each unknown of the smaller one */
    int *from;    /* positions of its entries in the storage of the whole matrix */
    double *x;
} lv_linear_rest;

static bool take_room(lv_linear_rest *r, lv_arena *arena, const lv_pattern *p)
{
    const size_t n = (size_t)p->rows, entries = (size_t)p->start[n];
    r->lines = lv_arena_alloc(arena, n + 1, sizeof *r->lines);
    r->unknown = lv_arena_alloc(arena, n + 1, sizeof *r->unknown);
    r->from = lv_arena_alloc(arena, entries + 1, sizeof *r->from);
    r->x = lv_arena_alloc(arena, n + 1, sizeof *r->x);
    return r->lines && r->unknown && r->from && r->x;
}

/* The pattern without the lines; `start` has room for one more row than needed, `column`
 * for all entries. */
static lv_pattern find_pattern(lv_linear_rest *r, const lv_linear *whole, int *start,
                               int *column, int *number)
{
    const lv_pattern *p = &whole->pattern;
    int rows = 0, entries = 0;
    for (int i = 0; i < p->rows; i++) {
        number[i] = rows;
        if (!r->lines[i])
            r->unknown[rows++] = i;
    }
    start[0] = 0;
    for (int k = 0; k < rows; k++) {
        const int i = r->unknown[k];
        for (int e = p->start[i]; e < p->start[i + 1]; e++)
            if (!r->lines[p->column[e]]) {
                r->from[entries] = whole->slot[e];
                column[entries++] = number[p->column[e]];
            }
        start[k + 1] = entries;
    }
    return (lv_pattern){.rows = rows, .columns = rows, .start = start, .column = column};
}

static lv_status create_rest(lv_linear_rest *r, const lv_linear *whole, int *room,
                             lv_error *err)
{
    int *start = room, *number = start + whole->n + 1, *column = number + whole->n + 1;
    const lv_pattern p = find_pattern(r, whole, start, column, number);
    LV_TRY((whole->symmetric ? lv_linear_create_symmetric : lv_linear_create)(
        &r->linear, &p, LV_BACK_END_AUTO, NULL, err));
    return whole->deficient ? lv_linear_allow_redundancy(r->linear, err) : LV_OK;
}

lv_status lv_linear_expect_left_out(lv_linear *linear, const bool *lines, lv_error *err)
{
    if (linear->methods == &lv_linear_nested)
        return lv_nested_expect_left_out(linear, lines, err);
    const size_t n = (size_t)linear->n;
    lv_linear_rest *r = lv_arena_alloc(&linear->arena, 1, sizeof *r);
    int *room =
        lv_memory_zeroed(2 * n + 2 + (size_t)linear->pattern.start[n], sizeof *room);
    lv_status status = LV_OK;
    lv_rest_free(linear);
    if (!r || !room || !take_room(r, &linear->arena, &linear->pattern)) {
        status = lv_fail_memory(err);
    } else {
        memcpy(r->lines, lines, n * sizeof *lines);
        linear->rest = r;
        status = create_rest(r, linear, room, err);
    }
    lv_memory_free(room);
    return status;
}

void lv_rest_free(lv_linear *linear)
{
    if (linear->rest)
        lv_linear_free(linear->rest->linear);
    linear->rest = NULL;
}

bool lv_rest_fits(const lv_linear *linear, const bool *lines)
{
    return linear->rest &&
           memcmp(linear->rest->lines, lines, (size_t)linear->n * sizeof *lines) == 0;
}

bool lv_rest_factor(lv_linear *linear)
{
    const lv_linear_rest *r = linear->rest;
    lv_linear *own = r->linear;
    const lv_pattern *p = &own->pattern;
    lv_linear_clear(own);
    for (int e = 0; e < p->start[own->n]; e++)
        own->storage[own->slot[e]] = linear->storage[r->from[e]];
    own->cancelled = linear->cancelled;
    const bool regular = lv_linear_factor(own);
    linear->worst = own->worst;
    linear->worst_unknown = own->n > 0 && own->worst_unknown >= 0
                                ? r->unknown[own->worst_unknown]
                                : own->worst_unknown;
    linear->redundant = own->redundant > 0 ? own->redundant + linear->left : 0;
    return regular;
}

void lv_rest_solve(const lv_linear *linear, double *x)
{
    const lv_linear_rest *r = linear->rest;
    for (int k = 0; k < r->linear->n; k++)
        r->x[k] = x[r->unknown[k]];
    lv_linear_solve(r->linear, r->x);
    memset(x, 0, (size_t)linear->n * sizeof *x);
    for (int k = 0; k < r->linear->n; k++)
        x[r->unknown[k]] = r->x[k];
}
