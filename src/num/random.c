#include "num/random.h"

#include <math.h>

enum { ROUNDS = 10 };

static const uint32_t multiplier[2] = {0xD2511F53U, 0xCD9E8D57U};
static const uint32_t weyl[2] = {0x9E3779B9U,
                                 0xBB67AE85U}; /* golden ratio, sqrt(3) - 1 */

void lv_philox(uint32_t block[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k[2] = {key[0], key[1]};
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t a = (uint64_t)multiplier[0] * x[0];
        const uint64_t b = (uint64_t)multiplier[1] * x[2];
        const uint32_t y[4] = {(uint32_t)(b >> 32) ^ x[1] ^ k[0], (uint32_t)b,
                               (uint32_t)(a >> 32) ^ x[3] ^ k[1], (uint32_t)a};
        for (int i = 0; i < 4; i++)
            x[i] = y[i];
        k[0] += weyl[0];
        k[1] += weyl[1];
    }
    for (int i = 0; i < 4; i++)
        block[i] = x[i];
}

/* FNV-1a hash, 64 bits: different names get unrelated numbers. */
static uint64_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037U;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211U;
    return h;
}

/* (k + 1/2) 2^-52 for the upper 52 bits k: never 0, never 1, symmetric about 1/2. */
static double open_interval(uint32_t high, uint32_t low)
{
    const uint64_t k = ((uint64_t)high << 32 | low) >> 12;
    return ((double)k + 0.5) * 0x1p-52;
}

static void draw_two(const lv_draw *draw, double u[2])
{
    const uint64_t name = hash_of(draw->name);
    const uint32_t counter[4] = {draw->member, draw->component, (uint32_t)name,
                                 (uint32_t)(name >> 32)};
    const uint32_t key[2] = {(uint32_t)draw->seed, (uint32_t)(draw->seed >> 32)};
    uint32_t block[4];
    lv_philox(block, counter, key);
    u[0] = open_interval(block[0], block[1]);
    u[1] = open_interval(block[2], block[3]);
}

double lv_random_uniform(const lv_draw *draw)
{
    double u[2];
    draw_two(draw, u);
    return u[0];
}

double lv_random_normal(const lv_draw *draw)
{
    static const double two_pi = 6.283185307179586;
    double u[2];
    draw_two(draw, u);
    return sqrt(-2 * log(u[0])) * cos(two_pi * u[1]);
}
