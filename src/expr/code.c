#include "expr/code.h"

#include "base/memory.h"

#include <limits.h>
#include <livens/sim.h>
#include <string.h>

#if LIVENS_MACHINE_CODE
#include "expr/code_x86.h"

#include <sys/mman.h>
#include <unistd.h>
#endif

struct lv_code {
    void *pages;
    size_t mapped;          /* bytes of whole pages */
    size_t size;            /* bytes of code */
    lv_code_function entry; /* function of the first program */
};

static bool is_disabled;

void lv_native_enable(bool enabled)
{
    is_disabled = !enabled;
}

bool lv_code_is_built(void)
{
    return LIVENS_MACHINE_CODE != 0;
}

size_t lv_code_size(const lv_code *code)
{
    return code->size;
}

void lv_code_run(const lv_code *code, double *workspace)
{
    code->entry(workspace);
}

#if LIVENS_MACHINE_CODE

/* Programs with fewer operations are interpreted about as fast. */
enum { FEWEST_OPERATIONS = 8 };

/* Using registers in pairs doubles the size of the code. Longer code does not fit into
 * the instruction cache any more and is slower than running half of it twice. */
enum { LONGEST_PAIRED = 2000 };

static bool has_avx2(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}

static lv_code_form best_form(void)
{
    return has_avx2() ? LV_CODE_AVX2 : LV_CODE_SSE2;
}

/* ---- memory ------------------------------------------------------------------------------ */

/* Copies the code to pages of its own, which become executable and read-only. */
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
    return true;
}

static lv_code_function function_at(const lv_code *code, int offset)
{
    lv_code_function function;
    const uint8_t *entry = (const uint8_t *)code->pages + offset;
    memcpy(&function, &entry, sizeof entry);
    return function;
}

/* Takes ownership of the bytes of x. NULL: there is no memory, or executable memory is
 * refused. */
static lv_code *code_of(lv_x86 *x)
{
    lv_code *code = lv_memory_zeroed(1, sizeof *code);
    bool ok = code && !x->failed && x->code.count > 0 && map_code(code, x);
    LV_ARRAY_FREE(x->code);
    if (!ok) {
        lv_memory_free(code);
        return NULL;
    }
    return code;
}

void lv_code_free(lv_code *code)
{
    if (!code)
        return;
    (void)munmap(code->pages, code->mapped);
    lv_memory_free(code);
}

/* ---- programs ---------------------------------------------------------------------------- */

static bool append_in_order(lv_x86 *x, const lv_program *program, int lanes,
                            lv_tape_order order)
{
    lv_arena arena = {0};
    lv_tape tape;
    int start = x->code.count;
    bool ok = lv_tape_init(&tape, &arena, program, order, NULL) == LV_OK;
    if (ok) {
        x->paired =
            x->width > 1 && lanes % (2 * x->width) == 0 && tape.count <= LONGEST_PAIRED;
        ok = lv_code_x86(x, &tape, lanes);
    }
    lv_arena_done(&arena);
    if (!ok)
        x->code.count = start;
    return ok;
}

/* Addresses of slots must fit into 32 bits. */
static bool fits(const lv_program *p, int lanes)
{
    return p->operations > 0 && (lanes == 1 || (lanes > 0 && lanes % 4 == 0)) &&
           p->slots < INT32_MAX / ((int)sizeof(double) * 2) / lanes;
}

/* Appends the function of a program; it begins at x->entry. */
static bool append_function(lv_x86 *x, const lv_program *program, int lanes,
                            lv_code_form form, bool depth_first)
{
    x->vex = form == LV_CODE_AVX2;
    x->width = lanes == 1 ? 1 : x->vex ? 4 : 2;
    return fits(program, lanes) &&
           ((depth_first && append_in_order(x, program, lanes, LV_TAPE_DEPTH_FIRST)) ||
            append_in_order(x, program, lanes, LV_TAPE_AS_COMPILED));
}

lv_code *lv_code_create_as(const lv_program *program, int lanes, lv_code_form form,
                           bool depth_first)
{
    lv_x86 x = {0};
    if (form == LV_CODE_AVX2 && !has_avx2())
        return NULL;
    bool ok = append_function(&x, program, lanes, form, depth_first);
    lv_code *code = ok ? code_of(&x) : NULL;
    if (code)
        code->entry = function_at(code, x.entry);
    LV_ARRAY_FREE(x.code);
    return code;
}

lv_code *lv_code_create(const lv_program *program, int lanes)
{
    return is_disabled ? NULL : lv_code_create_as(program, lanes, best_form(), true);
}

lv_code *lv_code_attach(lv_program *const *programs, const int *lanes, int count)
{
    const lv_code_form form = best_form();
    lv_x86 x = {0};
    int *entries = lv_memory_zeroed((size_t)count + 1, sizeof *entries);
    for (int k = 0; entries && !is_disabled && k < count; k++)
        if (programs[k]->operations >= FEWEST_OPERATIONS &&
            append_function(&x, programs[k], lanes[k], form, true))
            entries[k] = x.entry;
    lv_code *code = code_of(&x);
    for (int k = 0; code && k < count; k++)
        if (entries[k] > 0) {
            programs[k]->code = function_at(code, entries[k]);
            programs[k]->code_lanes = lanes[k];
        }
    lv_memory_free(entries);
    return code;
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

lv_code *lv_code_attach(lv_program *const *programs, const int *lanes, int count)
{
    (void)programs, (void)lanes, (void)count, (void)is_disabled;
    return NULL;
}

void lv_code_free(lv_code *code)
{
    lv_memory_free(code);
}

#endif
