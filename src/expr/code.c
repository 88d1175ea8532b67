#include "expr/code.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

#if LIVENS_MACHINE_CODE
#include "expr/code_x86.h"

#include <sys/mman.h>
#include <unistd.h>
#endif

struct lv_code {
    void *pages;
    size_t mapped; /* bytes of whole pages */
    size_t size;   /* bytes that are used */
    lv_code_function entry;
};

lv_code_function lv_code_entry(const lv_code *code)
{
    return code->entry;
}

size_t lv_code_size(const lv_code *code)
{
    return code->size;
}

void lv_code_run(const lv_code *code, double *workspace)
{
    code->entry(workspace);
}

bool lv_code_is_built(void)
{
    return LIVENS_MACHINE_CODE != 0;
}

#if LIVENS_MACHINE_CODE

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}

/* Copies the bytes to pages of their own, which are executable and cannot be written any more. */
static bool map_code(lv_code *code, const lv_x86 *x)
{
    long page = sysconf(_SC_PAGESIZE);
    size_t unit = page > 0 ? (size_t)page : 4096, size = (size_t)x->code.count;
    size_t mapped = (size + unit - 1) / unit * unit;
    void *pages =
        mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return false;
    memcpy(pages, x->code.data, size);
    if (mprotect(pages, mapped, PROT_READ | PROT_EXEC) != 0) {
        (void)munmap(pages, mapped);
        return false;
    }
    code->pages = pages;
    code->mapped = mapped;
    code->size = size;
    const uint8_t *entry = (const uint8_t *)pages + LV_X86_POOL;
    memcpy(&code->entry, &entry, sizeof entry);
    return true;
}

static bool generate(lv_x86 *x, const lv_program *program, int lanes, lv_tape_order order)
{
    lv_arena arena = {0};
    lv_tape tape;
    bool ok = lv_tape_init(&tape, &arena, program, order, NULL) == LV_OK &&
              lv_code_x86(x, &tape, lanes);
    lv_arena_done(&arena);
    return ok;
}

/* Slots are addressed with 32 bits. */
static bool fits(const lv_program *p, int lanes)
{
    return p->operations > 0 && (lanes == 1 || (lanes > 0 && lanes % 4 == 0)) &&
           p->slots < INT32_MAX / ((int)sizeof(double) * 2) / lanes;
}

lv_code *lv_code_create_as(const lv_program *program, int lanes, lv_code_form form,
                           bool depth_first)
{
    bool vex = form == LV_CODE_AVX2;
    if (!fits(program, lanes) || (vex && !has_avx2()))
        return NULL;
    lv_code *code = lv_memory_zeroed(1, sizeof *code);
    lv_x86 x = {.vex = vex, .width = lanes == 1 ? 1 : vex ? 4 : 2};
    bool ok = code &&
              generate(&x, program, lanes,
                       depth_first ? LV_TAPE_DEPTH_FIRST : LV_TAPE_AS_COMPILED) &&
              map_code(code, &x);
    LV_ARRAY_FREE(x.code);
    if (!ok) {
        lv_memory_free(code);
        return NULL;
    }
    return code;
}

lv_code *lv_code_create(const lv_program *program, int lanes)
{
    lv_code_form form = has_avx2() ? LV_CODE_AVX2 : LV_CODE_SSE2;
    return lv_code_create_as(program, lanes, form, true);
}

void lv_code_free(lv_code *code)
{
    if (!code)
        return;
    (void)munmap(code->pages, code->mapped);
    lv_memory_free(code);
}

#else

lv_code *lv_code_create_as(const lv_program *program, int lanes, lv_code_form form,
                           bool depth_first)
{
    (void)program, (void)lanes, (void)form, (void)depth_first;
    return NULL;
}

lv_code *lv_code_create(const lv_program *program, int lanes)
{
    (void)program, (void)lanes;
    return NULL;
}

void lv_code_free(lv_code *code)
{
    lv_memory_free(code);
}

#endif
