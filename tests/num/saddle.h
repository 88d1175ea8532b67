/* Saddle matrices [M + S, G^T; G, 0] of points with distance constraints, as Newton meets them:
 * a hanging chain and a cloth. Unknowns: three coordinates per point, then one multiplier per
 * link. */
#ifndef LV_TESTS_SADDLE_H
#define LV_TESTS_SADDLE_H

#include "num/pattern.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct saddle {
    lv_pattern pattern;
    int *start, *column;
    bool *multiplier;
    double *value; /* by entry of the pattern */
} saddle;

typedef struct saddle_entry {
    int row, column;
    double value;
} saddle_entry;

typedef struct saddle_list {
    saddle_entry *data;
    int count;
} saddle_list;

static inline int saddle_compare(const void *a, const void *b)
{
    const saddle_entry *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static inline void saddle_put(saddle_list *list, int row, int column, double value)
{
    list->data[list->count++] = (saddle_entry){row, column, value};
}

/* A link between points a and b (b < 0: the ground) of direction d, multiplier m. */
static inline void saddle_link(saddle_list *list, int a, int b, const double d[3], int m)
{
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), tension = 0.01;
    for (int k = 0; k < 3; k++) {
        saddle_put(list, 3 * a + k, 3 * a + k, tension);
        saddle_put(list, 3 * a + k, m, d[k] / length);
        saddle_put(list, m, 3 * a + k, d[k] / length);
        if (b < 0)
            continue;
        saddle_put(list, 3 * b + k, 3 * b + k, tension);
        saddle_put(list, 3 * a + k, 3 * b + k, -tension);
        saddle_put(list, 3 * b + k, 3 * a + k, -tension);
        saddle_put(list, 3 * b + k, m, -d[k] / length);
        saddle_put(list, m, 3 * b + k, -d[k] / length);
    }
}

/* Sorts, adds up duplicates, compresses rows. */
static inline saddle saddle_compress(saddle_list *list, int n, int coordinates)
{
    saddle s;
    s.start = calloc((size_t)n + 1, sizeof(int));
    s.column = calloc((size_t)list->count, sizeof(int));
    s.value = calloc((size_t)list->count, sizeof(double));
    s.multiplier = calloc((size_t)n, sizeof(bool));
    if (!s.start || !s.column || !s.value || !s.multiplier)
        abort();
    qsort(list->data, (size_t)list->count, sizeof *list->data, saddle_compare);
    int count = 0;
    for (int k = 0; k < list->count; k++) {
        const saddle_entry *e = &list->data[k];
        if (k == 0 || saddle_compare(e, e - 1) != 0) {
            s.start[e->row + 1] = ++count;
            s.column[count - 1] = e->column;
        }
        s.value[count - 1] += e->value;
    }
    for (int i = 0; i < n; i++) {
        s.multiplier[i] = i >= coordinates;
        if (s.start[i + 1] < s.start[i])
            s.start[i + 1] = s.start[i];
    }
    s.pattern = (lv_pattern){n, n, s.start, s.column, false};
    free(list->data);
    return s;
}

static inline saddle_list saddle_begin(int points, int links)
{
    saddle_list list = {calloc((size_t)(3 * points + 24 * links), sizeof(saddle_entry)),
                        0};
    if (!list.data)
        abort();
    for (int i = 0; i < 3 * points; i++)
        saddle_put(&list, i, i, 1);
    return list;
}

/* `points` points, each linked to the one before, the first to the ground. */
static inline saddle saddle_chain(int points)
{
    saddle_list list = saddle_begin(points, points);
    for (int i = 0; i < points; i++) {
        const double d[3] = {cos(0.3 * i), sin(0.7 * i), 0.5 + 0.3 * sin(1.1 * i)};
        saddle_link(&list, i, i - 1, d, 3 * points + i);
    }
    return saddle_compress(&list, 4 * points, 3 * points);
}

/* width x width points, linked along rows and columns, waving with the amplitude given (0: flat,
 * where many entries of G vanish). */
static inline saddle saddle_cloth(int width, double wave)
{
    const int points = width * width, links = 2 * width * (width - 1);
    saddle_list list = saddle_begin(points, links);
    int m = 3 * points;
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++) {
            const double right[3] = {1, 0.3 * wave * sin(0.2 * j), wave * cos(0.5 * i)};
            const double down[3] = {0.3 * wave * sin(0.3 * i), 1, wave * sin(0.4 * j)};
            if (i + 1 < width)
                saddle_link(&list, (i + 1) * width + j, i * width + j, right, m++);
            if (j + 1 < width)
                saddle_link(&list, i * width + j + 1, i * width + j, down, m++);
        }
    return saddle_compress(&list, 3 * points + links, 3 * points);
}

static inline void saddle_free(saddle *s)
{
    free(s->start);
    free(s->column);
    free(s->value);
    free(s->multiplier);
}

#endif
