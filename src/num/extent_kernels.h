/* The loops of extent.c. That file includes this one for vectors of two numbers and again
 * for vectors of four, with these macros:
 *   KERNEL    attributes of functions that use such vectors
 *   NAMED(x)  the name of a function
 *   VECTOR    the type of WIDTH numbers, FLAGS that of as many integers
 *   LARGER    x > y ? x : y for each number, so that the result is y if x is NaN
 * Neither the largest number nor whether all numbers are finite depends on the order. */

#define AT(x) (*(const VECTOR *)(x))
#define SIZE(x) ((VECTOR)((FLAGS)(x)&INT64_MAX)) /* clears the sign bits */

/* The largest number of a vector, at least 0, and the sum of all. */
KERNEL static lv_extents NAMED(collect)(VECTOR size, VECTOR change, VECTOR sum)
{
    lv_extents all = {0, 0, 0};
    for (int l = 0; l < WIDTH; l++) {
        all.size = larger(size[l], all.size);
        all.change = larger(change[l], all.change);
        all.sum += sum[l];
    }
    return all;
}

/* The largest |x| and the sum of all |x|, of whole rounds of numbers; *done is their
 * count. Four vectors at once keep the pipeline full. */
KERNEL static lv_extents NAMED(extent_rounds)(const double *x, int n, int *done)
{
    VECTOR a = {0}, b = {0}, c = {0}, d = {0}, sum = {0}, other = {0};
    int i = 0;
    for (; i + 4 * WIDTH <= n; i += 4 * WIDTH) {
        const VECTOR e = SIZE(AT(x + i)), f = SIZE(AT(x + i + WIDTH)),
                     g = SIZE(AT(x + i + 2 * (ptrdiff_t)WIDTH)),
                     h = SIZE(AT(x + i + 3 * (ptrdiff_t)WIDTH));
        a = LARGER(e, a);
        b = LARGER(f, b);
        c = LARGER(g, c);
        d = LARGER(h, d);
        sum += e + f;
        other += g + h;
    }
    *done = i;
    return NAMED(collect)(LARGER(a, b), LARGER(c, d), sum + other);
}

/* What lv_extents has of whole vectors of numbers; *done is their count. */
KERNEL static lv_extents NAMED(extents_rounds)(const double *update, const double *q,
                                               const double *v, double h, int n,
                                               int *done)
{
    VECTOR size = {0}, change = {0}, sum = {0};
    int i = 0;
    for (; i + WIDTH <= n; i += WIDTH) {
        const VECTOR x = AT(update + i);
        size = LARGER(SIZE(AT(q + i)) + h * SIZE(AT(v + i)), size);
        change = LARGER(SIZE(x), change);
        sum += x * 0; /* NaN unless x is finite */
    }
    *done = i;
    return NAMED(collect)(size, change, sum);
}

#undef AT
#undef SIZE
#undef KERNEL
#undef NAMED
#undef VECTOR
#undef FLAGS
#undef WIDTH
#undef LARGER
