/* Prints the bits of solutions: of a dense system of 300 unknowns, which no BLAS has a part in, and of a
 * sparse one on which UMFPACK is called. The test compares what different numbers of BLAS
 * threads give. */
#include "num/linear.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 300 };
static int start[N + 1], column[N * N];

static int solve(lv_back_end back_end, double diagonal, bool (*there)(int, int))
{
    int order[N], count = 0;
    for (int i = 0; i < N; i++) {
        order[i] = i;
        for (int j = 0; j < N; j++)
            if (there(i, j))
                column[count++] = j;
        start[i + 1] = count;
    }
    const lv_pattern pattern = {N, N, start, column, false};
    lv_linear *linear;
    if (lv_linear_create(&linear, &pattern, back_end, order, NULL) != LV_OK)
        return 1;
    for (int i = 0; i < N; i++)
        for (int e = start[i]; e < start[i + 1]; e++)
            lv_linear_storage(linear)[lv_linear_slots(linear)[e]] =
                column[e] == i ? diagonal : sin(7.0 * i + 3.0 * column[e] + 1);
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = cos(i);
    if (!lv_linear_factor(linear))
        return 1;
    lv_linear_solve(linear, x);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < N; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    printf("%016" PRIx64 "\n", hash);
    lv_linear_free(linear);
    return 0;
}

static bool everywhere(int i, int j)
{
    (void)i;
    (void)j;
    return true;
}

static bool hessenberg(int i, int j)
{
    return j >= i - 1;
}

int main(void)
{
    return solve(LV_BACK_END_DENSE, 2, everywhere) ||
           solve(LV_BACK_END_SPARSE, 2e-3, hessenberg);
}
