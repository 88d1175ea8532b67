#include "course/past.h"

#include <string.h>

/* The number of places for the values of past steps. */
static int count_places(int m)
{
    return m <= LV_PAST_FEW ? LV_PAST_WINDOW : LV_PREDICTOR_DEPTH;
}

int lv_predictor_size(int m, int columns)
{
    return LV_PAST_VALUES + count_places(m) * m + columns * LV_FITTED_NUMBERS;
}

void lv_predictor_clear(lv_predictor *h)
{
    memset(h->numbers, 0,
           (size_t)lv_predictor_size(h->m, h->column_count) * sizeof *h->numbers);
}

bool lv_predictor_is_sound(const double *x, int m)
{
    return x[LV_PAST_COUNT] >= 0 && x[LV_PAST_COUNT] <= LV_PREDICTOR_DEPTH &&
           x[LV_PAST_NEWEST] >= 0 && x[LV_PAST_NEWEST] < count_places(m) &&
           x[LV_PAST_ALIKE] >= 0 && x[LV_PAST_ALIKE] <= x[LV_PAST_COUNT] &&
           x[LV_PAST_USED] >= 0 && x[LV_PAST_USED] <= x[LV_PAST_COUNT] &&
           x[LV_PAST_TURNS] >= 0 && x[LV_PAST_TURNS] <= LV_PAST_MOST_TURNS;
}

/* Reverses the order of the rows. */
static void reverse(double *x, int rows, ptrdiff_t m)
{
    for (int i = 0, j = rows - 1; i < j; i++, j--)
        for (int r = 0; r < m; r++) {
            const double first = x[i * m + r];
            x[i * m + r] = x[j * m + r];
            x[j * m + r] = first;
        }
}

/* Rotates the rows so that the one after `newest` becomes the first. */
static void rotate(double *x, int newest, ptrdiff_t m)
{
    reverse(x, newest + 1, m);
    reverse(x + (newest + 1) * m, LV_PAST_LAST - newest, m);
    reverse(x, LV_PREDICTOR_DEPTH, m);
}

/* Moves a window back to the start, and clears the places behind it. */
static void move_back(double *x, int newest, ptrdiff_t m)
{
    const size_t row = (size_t)m * sizeof *x;
    memmove(x, x + (newest - LV_PAST_LAST) * m, LV_PREDICTOR_DEPTH * row);
    memset(x + LV_PREDICTOR_DEPTH * m, 0, (LV_PAST_WINDOW - LV_PREDICTOR_DEPTH) * row);
}

void lv_predictor_sort(double *numbers, int m)
{
    const int newest = (int)numbers[LV_PAST_NEWEST];
    if (newest < LV_PAST_LAST)
        rotate(numbers + LV_PAST_VALUES, newest, m);
    else if (m <= LV_PAST_FEW) /* the places behind the window may not be zero */
        move_back(numbers + LV_PAST_VALUES, newest, m);
    numbers[LV_PAST_NEWEST] = LV_PAST_LAST;
}

const double *lv_predictor_values(const double *numbers, int m, int k)
{
    const int place = (int)numbers[LV_PAST_NEWEST] - k;
    return numbers + LV_PAST_VALUES +
           (ptrdiff_t)(place < 0 ? place + LV_PREDICTOR_DEPTH : place) * m;
}

/* Let E be the shift by one step. (E - 1)^(used - turns) (E + 1)^turns x = 0 continues
 * polynomials, and polynomials times (-1)^k: schemes whose multipliers or momenta
 * alternate have such a part. The newest value comes first. */
void lv_predictor_weights(double *w, int used, int turns)
{
    double x[LV_PREDICTOR_DEPTH + 1] = {1};
    for (int n = 0; n < used; n++)
        for (int k = n + 1; k > 0; k--)
            x[k] += n < turns ? x[k - 1] : -x[k - 1];
    for (int k = 0; k < used; k++)
        w[k] = -x[k + 1];
}
