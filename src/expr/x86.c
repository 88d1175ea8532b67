#include "expr/x86.h"

#include <assert.h>
#include <string.h>

/* Prefixes of instructions on packed and single doubles, and their codes in a VEX
 * prefix. */
enum { PACKED = 0x66, SINGLE = 0xF2, VEX_PACKED = 1, VEX_SINGLE = 3 };
enum { MOVE_LOAD = 0x10, MOVE_STORE = 0x11, MOVE_REGISTER = 0x28 };
enum { MOVE_TWICE = 0x12, UNPACK = 0x14, MOVE_HIGH = 0x16, INSERT = 0x18, REPEAT = 0x19 };
enum { NO_REGISTER = 0, NO_BYTE = -1 };

/* Bytes before opcodes in a VEX prefix: 0F, 0F 38, 0F 3A. */
enum { MAP_0F = 1, MAP_38, MAP_3A };

/* General registers that are bases of addresses. The operands of calls, two times up to
 * eight numbers, are below the two saved registers that lie below the address in rbp. */
enum { RDX = 2, RBX = 3, RBP = 5, RDI = 7, OPERANDS = 128, FRAME = -16 - OPERANDS };

static void put_byte(lv_x86 *x, int byte)
{
    if (!x->failed && !LV_PUSH(x->code, (uint8_t)byte))
        x->failed = true;
}

static void put_bytes(lv_x86 *x, const char *bytes, int count)
{
    for (int i = 0; i < count; i++)
        put_byte(x, (unsigned char)bytes[i]);
}

#define PUT(x, literal) put_bytes(x, literal, (int)sizeof(literal) - 1)

static void put_number(lv_x86 *x, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        put_byte(x, (int)(value >> 8 * i & 0xFF));
}

static void put_32(lv_x86 *x, int32_t value)
{
    put_number(x, (uint32_t)value, 4);
}

/* ---- instructions on vector registers -------------------------------------------------- */

/* Emits the byte that names both operands, and the displacement of an address. Small
 * displacements take one byte. */
static void put_operands(lv_x86 *x, int reg, lv_x86_place b)
{
    int high = (reg & 7) << 3;
    if (b.kind == LV_X86_IN_REGISTER) {
        put_byte(x, 0xC0 | high | (b.at & 7));
    } else if (b.kind == LV_X86_IN_POOL) { /* relative to the end of the instruction */
        put_byte(x, high | 5);
        put_32(x, b.at - (x->code.count + 4));
    } else {
        int base = b.kind == LV_X86_IN_FRAME   ? RBP
                   : b.kind == LV_X86_IN_BLOCK ? RDX
                   : x->framed                 ? RBX
                                               : RDI;
        int32_t at = b.kind == LV_X86_IN_FRAME ? FRAME + b.at : b.at;
        bool is_short = at >= -128 && at < 128;
        put_byte(x, (is_short ? 0x40 : 0x80) | high | base);
        put_number(x, (uint32_t)at, is_short ? 1 : 4);
    }
}

static void put_vex(lv_x86 *x, int map, bool single, int d, int a, bool high_b)
{
    int mode =
        (~a & 15) << 3 | (x->width == 4 ? 4 : 0) | (single ? VEX_SINGLE : VEX_PACKED);
    int high_d = d < 8 ? 0x80 : 0;
    x->wide = x->wide || x->width == 4;
    if (!high_b && map == MAP_0F) {
        put_byte(x, 0xC5);
        put_byte(x, high_d | mode);
    } else {
        put_byte(x, 0xC4);
        put_byte(x, high_d | 0x40 | (high_b ? 0 : 0x20) | map); /* no index register */
        put_byte(x, mode);
    }
}

/* An instruction: its prefix, its opcode, and the byte after the operands, or NO_BYTE. */
typedef struct form {
    bool single;
    int op, byte;
} form;

static form plain(bool single, int op)
{
    return (form){single, op, NO_BYTE};
}

/* Emits d = a op b as one instruction; without VEX a is d. */
static void encode(lv_x86 *x, form f, int d, int a, lv_x86_place b)
{
    bool high_b = b.kind == LV_X86_IN_REGISTER && b.at >= 8;
    if (x->vex) {
        put_vex(x, MAP_0F, f.single, d, a, high_b);
    } else {
        put_byte(x, f.single ? SINGLE : PACKED);
        if (d >= 8 || high_b)
            put_byte(x, 0x40 | (d >= 8 ? 4 : 0) | (high_b ? 1 : 0));
        put_byte(x, 0x0F);
    }
    put_byte(x, f.op);
    put_operands(x, d, b);
    if (f.byte != NO_BYTE)
        put_byte(x, f.byte);
}

/* The place of the second half of a pair. */
static lv_x86_place second_of_pair(const lv_x86 *x, lv_x86_place b)
{
    if (b.kind == LV_X86_IN_REGISTER)
        b.at += LV_X86_REGISTERS / 2;
    else if (b.kind != LV_X86_IN_POOL)
        b.at += x->width * (int)sizeof(double);
    return b;
}

/* Emits an instruction, twice if registers are paired. a is ignored if has_a is false. */
static void instruction(lv_x86 *x, form f, int d, int a, bool has_a, lv_x86_place b)
{
    const int half = LV_X86_REGISTERS / 2;
    encode(x, f, d, has_a ? a : NO_REGISTER, b);
    if (x->paired)
        encode(x, f, d + half, has_a ? a + half : NO_REGISTER, second_of_pair(x, b));
}

void lv_x86_load(lv_x86 *x, int to, lv_x86_place from)
{
    if (from.kind != LV_X86_IN_REGISTER)
        instruction(x, plain(x->width == 1, MOVE_LOAD), to, NO_REGISTER, false, from);
    else if (from.at != to)
        instruction(x, plain(false, MOVE_REGISTER), to, NO_REGISTER, false, from);
}

void lv_x86_store(lv_x86 *x, lv_x86_place to, int from)
{
    instruction(x, plain(x->width == 1, MOVE_STORE), from, NO_REGISTER, false, to);
}

/* Emits d = a op b, by two instructions if necessary. */
static void operation(lv_x86 *x, form f, int d, int a, lv_x86_place b)
{
    if (!x->vex) {
        assert(b.kind != LV_X86_IN_REGISTER || b.at != d || d == a);
        lv_x86_load(x, d, lv_x86_register(a));
    }
    instruction(x, f, d, a, true, b);
}

/* Loads a slot whose address SSE2 may not accept as an operand, since it may not be
 * aligned. */
static lv_x86_place load_if_unaligned(lv_x86 *x, lv_x86_place b)
{
    if (b.kind != LV_X86_IN_SLOT || x->vex || x->width == 1)
        return b;
    lv_x86_load(x, LV_X86_SECOND, b);
    return lv_x86_register(LV_X86_SECOND);
}

void lv_x86_arithmetic(lv_x86 *x, lv_x86_op op, int d, int a, lv_x86_place b)
{
    b = load_if_unaligned(x, b);
    operation(x, plain(x->width == 1, (int)op), d, a, b);
}

void lv_x86_bitwise(lv_x86 *x, lv_x86_op op, int d, int a, lv_x86_place b)
{
    assert(b.kind == LV_X86_IN_REGISTER || b.kind == LV_X86_IN_POOL);
    operation(x, plain(false, (int)op), d, a, b);
}

void lv_x86_compare(lv_x86 *x, lv_x86_relation relation, int d, int a, lv_x86_place b)
{
    /* the address in the pool does not account for the byte after it */
    assert(b.kind != LV_X86_IN_POOL);
    b = load_if_unaligned(x, b);
    operation(x, (form){x->width == 1, LV_X86_COMPARE, (int)relation}, d, a, b);
}

/* The form for one number has a first operand for the upper half, the others have
 * none. */
void lv_x86_sqrt(lv_x86 *x, int d, int a)
{
    if (!x->vex)
        lv_x86_load(x, d, lv_x86_register(a));
    instruction(x, plain(x->width == 1, LV_X86_SQRT), d, a, x->width == 1,
                lv_x86_register(x->vex ? a : d));
}

/* ---- vectors of numbers that are elsewhere ---------------------------------------------- */

/* Emits an instruction that only VEX encodes. */
static void encode_vex(lv_x86 *x, int map, form f, int d, int a, lv_x86_place b)
{
    assert(x->vex && !x->paired);
    put_vex(x, map, f.single, d, a, b.kind == LV_X86_IN_REGISTER && b.at >= 8);
    put_byte(x, f.op);
    put_operands(x, d, b);
    if (f.byte != NO_BYTE)
        put_byte(x, f.byte);
}

void lv_x86_repeat(lv_x86 *x, int d, lv_x86_place from)
{
    if (x->width == 4)
        encode_vex(x, MAP_38, plain(false, REPEAT), d, NO_REGISTER, from);
    else
        encode_vex(x, MAP_0F, plain(true, MOVE_TWICE), d, NO_REGISTER, from);
}

void lv_x86_pair(lv_x86 *x, int d, int a, lv_x86_place b)
{
    assert(x->width == 2);
    encode_vex(x, MAP_0F, plain(false, b.kind == LV_X86_IN_REGISTER ? UNPACK : MOVE_HIGH),
               d, a, b);
}

void lv_x86_join(lv_x86 *x, int d, int a, int b)
{
    assert(x->width == 4);
    encode_vex(x, MAP_3A, (form){false, INSERT, 1}, d, a, lv_x86_register(b));
}

/* ---- the function ----------------------------------------------------------------------- */

static void put_pool(lv_x86 *x)
{
    static const double one = 1;
    uint64_t bits = 0;
    memcpy(&bits, &one, sizeof bits);
    const uint64_t values[] = {bits, UINT64_C(1) << 63, UINT64_MAX >> 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            put_number(x, values[i], 8);
    assert(x->failed || x->code.count == LV_X86_POOL);
}

/* Blocks begin at a multiple of their size. */
static void put_address_of_blocks(lv_x86 *x)
{
    if (x->blocks)
        PUT(x, "\x48\x8D\x54\x24\x1F" /* lea rdx, [rsp + 31] */
               "\x48\x83\xE2\xE0");   /* and rdx, -32 */
}

/* A function with a frame keeps the address in rbx and its loop counter in r12; one
 * without calls and blocks needs no frame. */
void lv_x86_begin(lv_x86 *x, int turns, bool calls, bool blocks)
{
    x->framed = calls || blocks;
    x->blocks = blocks;
    x->wide = false;
    if (x->code.count == 0)
        put_pool(x);
    while (!x->failed && x->code.count % 16 != 0)
        put_byte(x, 0xCC); /* int3 */
    x->entry = x->code.count;
    PUT(x, "\xF3\x0F\x1E\xFA"); /* endbr64 */
    if (x->framed) {
        PUT(x,
            "\x55\x48\x89\xE5\x53\x41\x54" /* push rbp; mov rbp, rsp; push rbx; push r12 */
            "\x48\x81\xEC");               /* sub rsp, size of the frame */
        x->frame = x->code.count;
        put_32(x, OPERANDS);
        PUT(x, "\x48\x89\xFB"); /* mov rbx, rdi */
        put_address_of_blocks(x);
    }
    if (turns > 1) {
        if (x->framed)
            PUT(x, "\x41\xBC"); /* mov r12d, turns */
        else
            PUT(x, "\xB9"); /* mov ecx, turns */
        put_32(x, turns);
    }
    x->loop = x->code.count;
}

/* Now the size of the frame is known. */
static void set_size_of_frame(lv_x86 *x, int blocks)
{
    const int32_t size = OPERANDS + (blocks > 0 ? (blocks + 1) * LV_X86_BLOCK : 0);
    for (int k = 0; k < 4 && !x->failed; k++)
        x->code.data[x->frame + k] = (uint8_t)((uint32_t)size >> 8 * k & 0xFF);
}

void lv_x86_end(lv_x86 *x, int turns, int blocks)
{
    if (turns > 1) {
        PUT(x, "\x48\x81"); /* add rbx or rdi, the bytes of a turn */
        put_byte(x, x->framed ? 0xC3 : 0xC7);
        put_32(x, lv_x86_numbers(x) * (int)sizeof(double));
        if (x->framed)
            PUT(x, "\x41\xFF\xCC"); /* dec r12d */
        else
            PUT(x, "\xFF\xC9"); /* dec ecx */
        PUT(x, "\x0F\x85");     /* jnz loop */
        put_32(x, x->loop - (x->code.count + 4));
    }
    if (x->wide)
        PUT(x, "\xC5\xF8\x77"); /* vzeroupper */
    if (x->framed) {
        set_size_of_frame(x, blocks);
        PUT(x, "\x48\x8D\x65\xF0"   /* lea rsp, [rbp - 16] */
               "\x41\x5C\x5B\x5D"); /* pop r12; pop rbx; pop rbp */
    }
    put_byte(x, 0xC3); /* ret */
}

void lv_x86_call(lv_x86 *x, uint64_t address)
{
    assert(x->framed);
    if (x->width > 1) {
        PUT(x, "\x48\x8D\xBD"); /* lea rdi, [rbp + FRAME] */
        put_32(x, FRAME);
        put_byte(x, 0xBE); /* mov esi, count */
        put_32(x, lv_x86_numbers(x));
    }
    if (x->wide)
        PUT(x, "\xC5\xF8\x77"); /* vzeroupper */
    PUT(x, "\x48\xB8");         /* mov rax, address */
    put_number(x, address, 8);
    PUT(x, "\xFF\xD0"); /* call rax */
    put_address_of_blocks(x);
}
