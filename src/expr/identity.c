#include "expr/identity.h"

#include "base/memory.h"

#include <math.h>

/* A number modulo the prime; NOTHING if it does not exist, as after a division by
 * zero. */
typedef uint64_t residue;

static const residue NOTHING = UINT64_MAX;

static const residue primes[LV_RESIDUES] = {2147483629, 2147483587, 2147483579,
                                            2147483563};

/* ---- arithmetic ------------------------------------------------------------------------ */

static residue power(residue x, uint64_t exponent, residue p)
{
    residue result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * x % p;
        x = x * x % p;
    }
    return result;
}

static residue inverse(residue x, residue p)
{
    return x == 0 ? NOTHING : power(x, p - 2, p);
}

static residue quotient(residue a, residue b, residue p)
{
    return b == 0 ? NOTHING : a * inverse(b, p) % p;
}

static residue minus(residue x, residue p)
{
    return x == 0 ? 0 : p - x;
}

/* x^k for an integer k */
static residue whole_power(residue x, double k, residue p)
{
    const residue base = k < 0 ? inverse(x, p) : x;
    return base == NOTHING ? NOTHING : power(base, (uint64_t)fabs(k), p);
}

/* The exact value of x = m 2^e */
static residue number(double x, residue p)
{
    enum { DIGITS = 53 };
    int exponent = 0;
    if (!isfinite(x))
        return NOTHING;
    const double m = ldexp(frexp(fabs(x), &exponent), DIGITS);
    const residue scale = whole_power(2, exponent - DIGITS, p);
    const residue size = (uint64_t)m % p * scale % p;
    return x < 0 ? minus(size, p) : size;
}

/* ---- unknowns -------------------------------------------------------------------------- */

/* The mixing function of splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* A pseudo-random number that is the same for the same operation on the same operands */
static residue unknown(lv_op op, residue a, residue b, residue c, residue p)
{
    return mix(mix(mix(mix((uint64_t)op + (p << 8)) ^ a) ^ b) ^ c) % p;
}

/* sin, cos and tan of an angle, from the tangent s of its half */
static residue circular(lv_op op, residue angle, residue p)
{
    const residue s = unknown(LV_OP_TAN, angle, 1, 2, p), square = s * s % p;
    const residue twice = 2 * s % p, less = (1 + minus(square, p)) % p;
    const residue more = (1 + square) % p;
    if (op == LV_OP_TAN)
        return quotient(twice, less, p);
    return quotient(op == LV_OP_SIN ? twice : less, more, p);
}

/* ---- nodes ----------------------------------------------------------------------------- */

/* Whether a node is a constant exponent that is small enough to expand. */
static bool is_whole(const lv_node_data *d)
{
    return d->op == LV_OP_CONST && fabs(d->value) <= 1000 && d->value == floor(d->value);
}

static residue result(lv_op op, residue a, residue b, residue c, residue p)
{
    switch ((int)op) {
    case LV_OP_ADD:
        return (a + b) % p;
    case LV_OP_SUB:
        return (a + minus(b, p)) % p;
    case LV_OP_MUL:
        return a * b % p;
    case LV_OP_DIV:
        return quotient(a, b, p);
    case LV_OP_NEG:
        return minus(a, p);
    case LV_OP_SQUARE:
        return a * a % p;
    case LV_OP_SIN:
    case LV_OP_COS:
    case LV_OP_TAN:
        return circular(op, a, p);
    case LV_OP_SELECT:
        return b == c ? b : unknown(op, a, b, c, p);
    default:
        return unknown(op, a, b, c, p);
    }
}

/* A frame: the numbers of its axes among the inputs Q and their values, axis by axis; or,
 * in the plane, the number of its angle. */
typedef struct frame {
    const int *axis; /* NULL: in the plane */
    int angle;
    residue r[9];
} frame;

static residue input_value(const lv_node_data *d, const frame *f, residue p)
{
    if (f && !f->axis && d->a == LV_INPUT_Q && d->b == f->angle)
        return f->r[0];
    for (int k = 0; f && f->axis && d->a == LV_INPUT_Q && k < 3; k++)
        if (d->b >= f->axis[k] && d->b < f->axis[k] + 3)
            return f->r[3 * k + d->b - f->axis[k]];
    return unknown(d->op, (residue)d->a, (residue)d->b, 0, p);
}

/* The value of a node. f, if not NULL, gives the values of some inputs. */
static residue value_of(const lv_graph *g, const lv_node_data *d, const residue *values,
                        const frame *f, residue p)
{
    residue x[3] = {0, 0, 0};
    const lv_node operands[] = {d->a, d->b, d->c};
    if (d->op == LV_OP_CONST)
        return number(d->value, p);
    if (d->op == LV_OP_INPUT)
        return input_value(d, f, p);
    for (int k = 0; k < lv_op_arity(d->op); k++) {
        x[k] = values[operands[k]];
        if (x[k] == NOTHING)
            return NOTHING;
    }
    if (d->op == LV_OP_POW && is_whole(lv_graph_node(g, d->b)))
        return whole_power(x[0], lv_graph_node(g, d->b)->value, p);
    return result(d->op, x[0], x[1], x[2], p);
}

/* Evaluates the nodes that formulas need, up to the last one. */
static void evaluate(const lv_graph *g, const bool *needed, residue *values, lv_node last,
                     residue p)
{
    for (lv_node i = 0; i <= last; i++)
        if (needed[i])
            values[i] = value_of(g, lv_graph_node(g, i), values, NULL, p);
}

static lv_node mark_needed(const lv_graph *g, bool *needed, const lv_node *f, int m)
{
    lv_node last = -1;
    for (int k = 0; k < m; k++) {
        needed[f[k]] = true;
        last = f[k] > last ? f[k] : last;
    }
    for (lv_node i = last; i >= 0; i--) {
        const lv_node_data *d = lv_graph_node(g, i);
        const lv_node operands[] = {d->a, d->b, d->c};
        const int arity = needed[i] ? lv_op_arity(d->op) : 0;
        for (int k = 0; k < arity; k++)
            needed[operands[k]] = true;
    }
    return last;
}

lv_status lv_identity_values(lv_residues *values, const lv_graph *g, const lv_node *f,
                             int m, lv_error *err)
{
    const size_t count = (size_t)lv_graph_count(g) + 1;
    bool *needed = lv_memory_zeroed(count, sizeof *needed);
    residue *all = lv_memory_zeroed(count, sizeof *all);
    const bool ok = needed && all;
    const lv_node last = ok ? mark_needed(g, needed, f, m) : -1;
    for (int round = 0; round < LV_RESIDUES && ok; round++) {
        evaluate(g, needed, all, last, primes[round]);
        for (int k = 0; k < m; k++)
            values[k].value[round] = all[f[k]];
    }
    lv_memory_free(needed);
    lv_memory_free(all);
    return ok ? LV_OK : lv_fail_memory(err);
}

bool lv_identity_opposite(const lv_residues *a, const lv_residues *b)
{
    bool zero = true;
    for (int k = 0; k < LV_RESIDUES; k++) {
        if (a->value[k] == NOTHING || b->value[k] == NOTHING ||
            minus(a->value[k], primes[k]) != b->value[k])
            return false;
        zero = zero && a->value[k] == 0;
    }
    return !zero;
}

lv_status lv_identity_zero(bool *zero, const lv_graph *g, const lv_node *f, int m,
                           lv_error *err)
{
    lv_residues *values = lv_memory_zeroed((size_t)m + 1, sizeof *values);
    const lv_status status =
        values ? lv_identity_values(values, g, f, m, err) : lv_fail_memory(err);
    *zero = status == LV_OK;
    for (int k = 0; k < m && *zero; k++)
        for (int round = 0; round < LV_RESIDUES; round++)
            *zero = *zero && values[k].value[round] == 0;
    lv_memory_free(values);
    return status;
}

/* ---- rotations -------------------------------------------------------------------------- */

/* Sets the axes to the rotation matrix of a random quaternion, of any length but 0. */
static void random_frame(frame *f, residue p)
{
    residue x[4], size = 0, product[4][4];
    for (int k = 0; k < 4; k++) {
        x[k] = mix((uint64_t)k + (p << 16)) % p;
        size = (size + x[k] * x[k]) % p;
    }
    const residue scale = inverse(size, p);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            product[i][k] = x[i] * x[k] % p * scale % p;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const residue side = (product[i + 1][i + 1] + product[j + 1][j + 1]) % p;
        f->r[3 * k + k] = (1 + 2 * minus(side, p)) % p;
        f->r[3 * k + i] = 2 * (product[k + 1][i + 1] + product[0][j + 1]) % p;
        f->r[3 * k + j] = 2 * (product[k + 1][j + 1] + minus(product[0][i + 1], p)) % p;
    }
}

lv_status lv_identity_turned(bool *turned, const lv_graph *g, const int *axis, int angle,
                             lv_error *err)
{
    const size_t count = (size_t)lv_graph_count(g);
    residue *here = lv_memory_zeroed(2 * count + 1, sizeof *here), *there = here + count;
    frame still = {axis, angle, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    frame other = {.axis = axis, .angle = angle};
    if (!here)
        return lv_fail_memory(err);
    for (size_t i = 0; i < count; i++)
        turned[i] = false;
    for (int k = 0; k < LV_RESIDUES; k++) {
        random_frame(&other, primes[k]);
        for (size_t i = 0; i < count; i++) {
            const lv_node_data *d = lv_graph_node(g, (lv_node)i);
            here[i] = value_of(g, d, here, &still, primes[k]);
            there[i] = value_of(g, d, there, &other, primes[k]);
            turned[i] = turned[i] || here[i] != there[i] || here[i] == NOTHING;
        }
    }
    lv_memory_free(here);
    return LV_OK;
}
