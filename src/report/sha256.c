#include "report/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 8, ROUNDS = 64 };

static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t turned(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void mix_block(uint32_t state[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], s[WORDS];
    for (size_t k = 0; k < 16; k++)
        w[k] = (uint32_t)block[4 * k] << 24 | (uint32_t)block[4 * k + 1] << 16 |
               (uint32_t)block[4 * k + 2] << 8 | block[4 * k + 3];
    for (int k = 16; k < ROUNDS; k++) {
        const uint32_t a = w[k - 15], b = w[k - 2];
        w[k] = w[k - 16] + w[k - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int k = 0; k < ROUNDS; k++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t one = s[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
                             ((e & s[5]) ^ (~e & s[6])) + constants[k] + w[k];
        const uint32_t two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) +
                             ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int k = 0; k < WORDS; k++)
        state[k] += s[k];
}

void lv_sha256(char hex[LV_SHA256_SIZE], const void *data, size_t size)
{
    uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char end[2 * BLOCK] = {0};
    const unsigned char *bytes = data;
    const size_t whole = size / BLOCK * BLOCK, rest = size - whole;
    const size_t last = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    for (size_t at = 0; at < whole; at += BLOCK)
        mix_block(state, bytes + at);
    memcpy(end, bytes + whole, rest);
    end[rest] = 0x80;
    for (int k = 0; k < 8; k++)
        end[last - 1 - (size_t)k] = (unsigned char)((uint64_t)size * 8 >> (8 * k));
    for (size_t at = 0; at < last; at += BLOCK)
        mix_block(state, end + at);
    for (size_t k = 0; k < WORDS; k++)
        (void)snprintf(hex + 8 * k, 9, "%08x", (unsigned)state[k]);
}
