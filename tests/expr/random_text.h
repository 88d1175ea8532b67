/* Random formulas as texts, written together with their values: an evaluator that never
 * parses. Every production writes a piece of text and returns what it means by the rules
 * of school: powers bind to the right and tighter than signs, products and quotients go
 * from left to right and bind tighter than sums. Values are long double; `error` says how
 * far rounding in double may take the value, in units of DBL_EPSILON.
 *
 * A piece whose value does not fit its place (a divisor near zero, a number too large) is
 * taken back and a number is written instead. */
#ifndef LV_TESTS_RANDOM_TEXT_H
#define LV_TESTS_RANDOM_TEXT_H

#include "formula.h"
#include "random_formula.h"

#include <float.h>
#include <stdio.h>

enum { TEXT_SIZE = 1 << 16, TEXT_LONG = 3000 };

typedef struct text_number {
    long double value, error;
} text_number;

typedef struct text_writer {
    uint64_t state;
    const formula_point *point;
    bool smooth; /* no kinks */
    bool still;  /* no velocities */
    int length;
    char text[TEXT_SIZE];
} text_writer;

static inline text_number text_sum(text_writer *w, int depth);
static inline text_number text_unary(text_writer *w, int depth);
static inline void text_vector_sum(text_writer *w, int depth, text_number v[3]);

static inline int text_choose(text_writer *w, int n)
{
    return lv_random_below(&w->state, n);
}

static inline void text_put(text_writer *w, const char *piece)
{
    size_t n = strlen(piece);
    assert_true((size_t)w->length + n + 8 < TEXT_SIZE);
    memcpy(w->text + w->length, piece, n + 1);
    w->length += (int)n;
}

/* A sign with blanks around it, or without. */
static inline void text_sign(text_writer *w, const char *sign)
{
    static const char *const blanks[] = {"", "", "", "", " ", " ", " \t", "\n"};
    text_put(w, blanks[text_choose(w, 8)]);
    text_put(w, sign);
    text_put(w, blanks[text_choose(w, 8)]);
}

/* ---- what is known without writing ------------------------------------------------- */

static inline text_number text_exact(double value)
{
    return (text_number){(long double)value, 0};
}

static inline text_number text_known(long double value, long double error)
{
    return (text_number){value, error + fabsl(value)};
}

static inline text_number text_plus(text_number a, text_number b)
{
    return text_known(a.value + b.value, a.error + b.error);
}

static inline text_number text_minus(text_number a)
{
    return (text_number){-a.value, a.error};
}

static inline text_number text_times(text_number a, text_number b)
{
    return text_known(a.value * b.value,
                      fabsl(a.value) * b.error + fabsl(b.value) * a.error);
}

static inline text_number text_over(text_number a, text_number b)
{
    long double value = a.value / b.value;
    return text_known(value,
                      (a.error + fabsl(value) * b.error) / fabsl(b.value) + fabsl(value));
}

static inline text_number text_power(text_number a, text_number b)
{
    long double value = powl(a.value, b.value);
    long double by_a = fabsl(b.value * value / a.value) * a.error;
    long double by_b = b.error > 0 ? fabsl(logl(a.value) * value) * b.error : 0;
    return text_known(value, by_a + by_b + (fabsl(b.value) + 1) * fabsl(value));
}

static inline text_number text_root(text_number a)
{
    long double value = sqrtl(a.value);
    return text_known(value, a.error / (2 * value));
}

/* ---- leaves ------------------------------------------------------------------------ */

static inline text_number text_literal(text_writer *w)
{
    static const struct literal {
        const char *text;
        double value;
    } literals[] = {
        {"1", 1.0},       {"2.", 2.0},   {".5", 0.5},      {"0.25", 0.25},
        {"1e-1", 0.1},    {"1.e0", 1.0}, {"2.5E-1", 0.25}, {"1e+0", 1.0},
        {"3", 3.0},       {"007", 7.0},  {"12e-1", 1.2},   {"1.50", 1.5},
        {".125e1", 1.25}, {"10", 10.0},  {"0.7", 0.7},     {"100E-02", 1.0},
    };
    const struct literal *l = &literals[text_choose(w, 16)];
    text_put(w, l->text);
    return text_exact(l->value);
}

static inline text_number text_scalar_name(text_writer *w)
{
    static const struct scalar {
        const char *text;
        int q, v, p; /* index of a coordinate, a velocity, a parameter, or -1 */
    } scalars[] = {
        {"x", 0, -1, -1},         {"y", 1, -1, -1},         {"z", 2, -1, -1},
        {"a[1]", 3, -1, -1},      {"b[ 3 ]", 8, -1, -1},    {"c[(4-2)]", 10, -1, -1},
        {"q_1", 11, -1, -1},      {"q_{5}", 15, -1, -1},    {"q_{2*2-1}", 13, -1, -1},
        {"k", -1, -1, 0},         {"l", -1, -1, 1},         {"w[2]", -1, -1, 3},
        {"[k, x][2]", 0, -1, -1}, {"x'", -1, 0, -1},        {"a'[2]", -1, 4, -1},
        {"a[2]'", -1, 4, -1},     {"q_{1+1}'", -1, 12, -1}, {"(y)'", -1, 1, -1},
    };
    const struct scalar *s = &scalars[text_choose(w, w->still ? 13 : 18)];
    text_put(w, s->text);
    return text_exact(s->q >= 0   ? w->point->q[s->q]
                      : s->v >= 0 ? w->point->v[s->v]
                                  : w->point->p[s->p]);
}

static inline text_number text_leaf(text_writer *w)
{
    int which = text_choose(w, 12);
    if (which < 4)
        return text_literal(w);
    if (which < 10)
        return text_scalar_name(w);
    text_put(w, which == 10 ? "pi" : "t");
    return text_exact(which == 10 ? 3.14159265358979323846 : w->point->t);
}

/* Takes back what was written since `start` unless its value lies between the bounds. */
static inline text_number text_tame(text_writer *w, int start, text_number n,
                                    long double low, long double high)
{
    if (n.value >= low && n.value <= high && n.error < 1e5L)
        return n;
    w->length = start;
    return text_literal(w);
}

/* The same for values away from zero. */
static inline text_number text_apart(text_writer *w, int start, text_number n)
{
    return fabsl(n.value) < 0.05L ? text_tame(w, start, n, 1, 0)
                                  : text_tame(w, start, n, -1e3L, 1e3L);
}

/* ---- scalars ----------------------------------------------------------------------- */

static const struct text_function {
    const char *name;
    long double (*f)(long double);
    long double low, high; /* where it is tame */
    bool kink;             /* at 0 */
} text_functions[] = {
    {"sin", sinl, -1e3L, 1e3L, false},   {"cos", cosl, -1e3L, 1e3L, false},
    {"tan", tanl, -1.4L, 1.4L, false},   {"asin", asinl, -.95L, .95L, false},
    {"acos", acosl, -.95L, .95L, false}, {"atan", atanl, -1e3L, 1e3L, false},
    {"sinh", sinhl, -5, 5, false},       {"cosh", coshl, -5, 5, false},
    {"tanh", tanhl, -1e3L, 1e3L, false}, {"exp", expl, -9, 6, false},
    {"log", logl, .1L, 1e4L, false},     {"sqrt", sqrtl, .1L, 1e4L, false},
    {"abs", fabsl, -1e3L, 1e3L, true},
};
enum { TEXT_FUNCTIONS = sizeof text_functions / sizeof *text_functions };

/* An upper bound of |f'| near x, by differences. */
static inline long double text_slope(long double (*f)(long double), long double x)
{
    const long double h = 1e-5L;
    return 1.01L * fabsl(f(x + h) - f(x - h)) / (2 * h) + 1e-3L;
}

static inline text_number text_call(text_writer *w, int depth)
{
    const struct text_function *f = &text_functions[text_choose(w, TEXT_FUNCTIONS)];
    if (f->kink && w->smooth)
        f = &text_functions[0];
    text_put(w, f->name);
    text_sign(w, "(");
    int start = w->length;
    text_number x = text_sum(w, depth - 1);
    if (f->low == .1L || f->high == .95L) { /* into the domain: 2 + x^2, x/(2 + x^2) */
        w->length = start;
        text_put(w, f->low == .1L ? "2 + (" : "(");
        int inner = w->length;
        x = text_sum(w, depth - 2);
        x = text_tame(w, inner, x, -50, 50);
        text_number square = text_plus(text_exact(2), text_times(x, x));
        text_put(w, f->low == .1L ? ")^2" : ")/3/20");
        x = f->low == .1L ? square
                          : text_over(text_over(x, text_exact(3)), text_exact(20));
    }
    x = text_tame(w, start, x, f->low, f->high);
    if (x.value < f->low || x.value > f->high) { /* a literal outside */
        w->length = start;
        text_put(w, ".5");
        x = text_exact(0.5);
    }
    text_sign(w, ")");
    return text_known(f->f(x.value), text_slope(f->f, x.value) * x.error + 1);
}

/* atan2, min, max, pow with arguments that are not near a seam */
static inline text_number text_call_two(text_writer *w, int depth)
{
    int which = text_choose(w, w->smooth ? 2 : 4), begin = w->length;
    static const char *const names[] = {"pow(", "atan2(", "min(", "max("};
    text_put(w, names[which]);
    int start = w->length;
    text_number a = text_sum(w, depth - 1);
    if (which == 0)
        a = text_tame(w, start, a, .1L, 50);
    text_sign(w, ",");
    start = w->length;
    text_number b = text_tame(w, start, text_sum(w, depth - 1), -4, 4);
    text_put(w, ")");
    if (which == 0)
        return text_power(a, b);
    if (which == 1 && b.value > .1L) {
        long double norm2 = a.value * a.value + b.value * b.value;
        return text_known(atan2l(a.value, b.value),
                          (a.error + b.error) / sqrtl(norm2) + 1);
    }
    long double apart = fabsl(a.value - b.value);
    if (which == 1 || apart < 1e-3L) {
        w->length = begin;
        return text_literal(w);
    }
    return (which == 2) == (a.value < b.value) ? a : b;
}

/* The sides of a comparison that is not near equality: 1, 0, or -1 if it had to go. */
static inline int text_condition(text_writer *w, int depth)
{
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    int sign = text_choose(w, 6), start = w->length;
    text_number a = text_sum(w, depth - 1);
    text_sign(w, signs[sign]);
    text_number b = text_sum(w, depth - 1);
    if (fabsl(a.value - b.value) < 1e-3L || !(a.error + b.error < 1e6L)) {
        w->length = start;
        return -1;
    }
    return sign < 2 ? a.value < b.value : sign < 4 ? a.value > b.value : sign == 5;
}

static inline text_number text_if(text_writer *w, int depth)
{
    int start = w->length;
    text_put(w, "if(");
    int holds = w->smooth ? -1 : text_condition(w, depth);
    if (holds < 0) {
        w->length = start;
        return text_leaf(w);
    }
    text_sign(w, ",");
    text_number yes = text_sum(w, depth - 1);
    text_sign(w, ",");
    text_number no = text_sum(w, depth - 1);
    text_put(w, ")");
    return holds ? yes : no;
}

static inline text_number text_dot(const text_number a[3], const text_number b[3])
{
    text_number sum = text_times(a[0], b[0]);
    for (int k = 1; k < 3; k++)
        sum = text_plus(sum, text_times(a[k], b[k]));
    return sum;
}

static inline text_number text_of_vector(text_writer *w, int depth)
{
    static const char *const names[] = {"dot(", "norm(", "norm2(", "sum(", "("};
    int which = text_choose(w, 5), start = w->length, index = text_choose(w, 3);
    text_number a[3], b[3];
    text_put(w, names[which]);
    text_vector_sum(w, depth - 1, a);
    if (which == 0) {
        text_sign(w, ",");
        text_vector_sum(w, depth - 1, b);
    }
    text_put(w, ")");
    if (which == 0)
        return text_dot(a, b);
    if (which == 3)
        return text_plus(text_plus(a[0], a[1]), a[2]);
    if (which == 4) {
        static const char *const indices[] = {"[1]", "[4 - 2]", "[+3]"};
        text_put(w, indices[index]);
        return a[index];
    }
    text_number squared = text_dot(a, a);
    if (which == 2)
        return squared;
    return squared.value > .01L ? text_root(squared) : text_tame(w, start, squared, 1, 0);
}

static inline text_number text_primary(text_writer *w, int depth)
{
    int which = text_choose(w, 12), start = w->length;
    text_number n;
    if (depth <= 0 || w->length > TEXT_LONG || which < 4)
        return text_leaf(w);
    if (which < 7) {
        text_sign(w, "(");
        n = text_sum(w, depth - 1);
        text_sign(w, ")");
    } else if (which == 7) {
        n = text_call_two(w, depth);
    } else if (which == 8) {
        n = text_if(w, depth);
    } else if (which == 9) {
        n = text_of_vector(w, depth);
    } else {
        n = text_call(w, depth);
    }
    return text_tame(w, start, n, -1e4L, 1e4L);
}

/* A base and an exponent of known value, or an exponent that is a formula. */
static inline text_number text_raised(text_writer *w, int depth)
{
    static const struct exponent {
        const char *text;
        double value;
    } exponents[] = {
        {"2", 2},       {"3", 3},         {"-1", -1},      {"0", 0},      {"- 2", -2},
        {"2^2", 4},     {"-1^2", -1},     {"--2", 2},      {"+1^2^3", 1}, {"2^-1", .5},
        {"-.5", -.5},   {"1.5", 1.5},     {"(3-1)", 2},    {"2^1^5", 2},  {"(-1)^2", 1},
        {"-2^-1", -.5}, {"-(1+1)^0", -1}, {"[1,2][2]", 2},
    };
    int start = w->length;
    text_number base = text_apart(w, start, text_primary(w, depth));
    text_sign(w, "^");
    if (text_choose(w, 4) == 0 && base.value > .1L && base.value < 20) {
        int at = w->length;
        return text_power(base, text_tame(w, at, text_unary(w, depth - 1), -3, 3));
    }
    const struct exponent *e = &exponents[text_choose(w, 18)];
    if (base.value < 0 && e->value != (int)e->value)
        e = &exponents[0];
    text_put(w, e->text);
    return text_power(base, text_exact(e->value));
}

static inline text_number text_unary(text_writer *w, int depth)
{
    int which = text_choose(w, 12), start = w->length;
    if (which < 2) {
        text_sign(w, which == 0 ? "-" : "+");
        text_number inner = text_unary(w, depth);
        return which == 0 ? text_minus(inner) : inner;
    }
    if (which < 4)
        return text_tame(w, start, text_raised(w, depth), -1e4L, 1e4L);
    return text_primary(w, depth);
}

static inline text_number text_product(text_writer *w, int depth)
{
    int begin = w->length;
    text_number total = text_unary(w, depth);
    for (int more = text_choose(w, 5) - 2; more > 0; more--) {
        bool divide = text_choose(w, 2) == 0;
        text_sign(w, divide ? "/" : "*");
        int start = w->length;
        text_number factor = text_unary(w, depth - 1);
        if (divide)
            factor = text_apart(w, start, factor);
        total = divide ? text_over(total, factor) : text_times(total, factor);
    }
    return text_tame(w, begin, total, -1e4L, 1e4L);
}

static inline text_number text_sum(text_writer *w, int depth)
{
    text_number total = text_product(w, depth);
    for (int more = text_choose(w, 5) - 2; more > 0; more--) {
        bool minus = text_choose(w, 2) == 0;
        text_sign(w, minus ? "-" : "+");
        text_number term = text_product(w, depth - 1);
        total = text_plus(total, minus ? text_minus(term) : term);
    }
    return total;
}

/* ---- vectors of length 3 ----------------------------------------------------------- */

static inline void text_vector_leaf(text_writer *w, text_number v[3])
{
    static const char *const names[] = {"a", "b", "w", "a'", "( b )'"};
    int which = text_choose(w, w->still ? 3 : 5);
    const double *from = which == 0   ? w->point->q + 3
                         : which == 1 ? w->point->q + 6
                         : which == 2 ? w->point->p + 2
                         : which == 3 ? w->point->v + 3
                                      : w->point->v + 6;
    text_put(w, names[which]);
    for (int k = 0; k < 3; k++)
        v[k] = text_exact(from[k]);
}

static inline void text_cross(text_writer *w, int depth, text_number v[3])
{
    text_number a[3], b[3];
    text_put(w, "cross(");
    text_vector_sum(w, depth - 1, a);
    text_sign(w, ",");
    text_vector_sum(w, depth - 1, b);
    text_put(w, ")");
    v[0] = text_plus(text_times(a[1], b[2]), text_minus(text_times(a[2], b[1])));
    v[1] = text_plus(text_times(a[2], b[0]), text_minus(text_times(a[0], b[2])));
    v[2] = text_plus(text_times(a[0], b[1]), text_minus(text_times(a[1], b[0])));
}

static inline void text_vector_if(text_writer *w, int depth, text_number v[3])
{
    text_number other[3];
    int start = w->length;
    text_put(w, "if(");
    int holds = w->smooth ? -1 : text_condition(w, depth);
    if (holds < 0) {
        w->length = start;
        text_vector_leaf(w, v);
        return;
    }
    text_sign(w, ",");
    text_vector_sum(w, depth - 1, holds ? v : other);
    text_sign(w, ",");
    text_vector_sum(w, depth - 1, holds ? other : v);
    text_put(w, ")");
}

static inline void text_vector_primary(text_writer *w, int depth, text_number v[3])
{
    int which = text_choose(w, 10), start = w->length;
    if (depth <= 0 || w->length > TEXT_LONG || which < 4) {
        text_vector_leaf(w, v);
    } else if (which < 6) {
        for (int k = 0; k < 3; k++) {
            text_sign(w, k == 0 ? "[" : ",");
            v[k] = text_sum(w, depth - 1);
        }
        text_sign(w, "]");
    } else if (which == 6) {
        text_sign(w, "(");
        text_vector_sum(w, depth - 1, v);
        text_sign(w, ")");
    } else if (which == 7) {
        text_cross(w, depth, v);
    } else {
        text_vector_if(w, depth, v);
    }
    for (int k = 0; k < 3; k++)
        if (!(fabsl(v[k].value) < 1e3L && v[k].error < 1e5L)) {
            w->length = start;
            text_vector_leaf(w, v);
        }
}

/* v, -v, s*v, v/s, s*v*s, s/s*v */
static inline void text_vector_product(text_writer *w, int depth, text_number v[3])
{
    int which = text_choose(w, 8);
    text_number factor = text_exact(1);
    if (which == 0)
        text_sign(w, "-");
    if (which == 1 || which == 2) {
        factor = text_unary(w, depth - 1);
        text_sign(w, "*");
    }
    text_vector_primary(w, depth, v);
    for (int k = 0; k < 3 && which < 3; k++)
        v[k] = which == 0 ? text_minus(v[k]) : text_times(factor, v[k]);
    if (which == 2 || which == 3) {
        text_sign(w, "/");
        int start = w->length;
        factor = text_apart(w, start, text_unary(w, depth - 1));
        for (int k = 0; k < 3; k++)
            v[k] = text_over(v[k], factor);
    }
}

static inline void text_vector_sum(text_writer *w, int depth, text_number v[3])
{
    text_number term[3];
    text_vector_product(w, depth, v);
    for (int more = text_choose(w, 4) - 2; more > 0; more--) {
        bool minus = text_choose(w, 2) == 0;
        text_sign(w, minus ? "-" : "+");
        text_vector_product(w, depth - 1, term);
        for (int k = 0; k < 3; k++)
            v[k] = text_plus(v[k], minus ? text_minus(term[k]) : term[k]);
    }
}

/* A point with coordinates and velocities between -2 and 2. */
static inline void text_point(formula_point *point, uint64_t seed)
{
    uint64_t state = seed;
    for (int k = 0; k < FORMULA_Q; k++) {
        point->q[k] = lv_random_between(&state, -2, 2);
        point->v[k] = lv_random_between(&state, -2, 2);
    }
    for (int k = 0; k < FORMULA_P; k++)
        point->p[k] = lv_random_between(&state, 0.5, 2);
    point->t = lv_random_between(&state, 0, 2);
    point->i = 3;
}

#endif
