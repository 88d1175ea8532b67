#include "expr/code.h"

#include "base/memory.h"
#include "base/wide.h"

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
    size_t mapped;                         /* bytes of whole pages */
    size_t size;                           /* bytes of code */
    lv_code_function entry[LV_CODE_PARTS]; /* functions of the parts of the program */
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
    code->entry[0](workspace);
}

lv_code_function lv_code_entry(const lv_code *code, int part)
{
    return code->entry[part];
}

#if LIVENS_MACHINE_CODE

/* Programs with fewer operations are interpreted about as fast. */
enum { FEWEST_OPERATIONS = 8 };

/* Using registers in pairs doubles the size of the code. Longer code does not fit into
 * the instruction cache any more and is slower than running half of it twice. */
enum { LONGEST_PAIRED = 2000 };

static lv_code_form best_form(void)
{
    return lv_is_wide() ? LV_CODE_AVX2 : LV_CODE_SSE2;
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

static bool append_in_order(lv_x86 *x, const lv_program *program, lv_part part, int lanes,
                            lv_tape_order order)
{
    lv_arena arena = {0};
    lv_tape tape;
    int start = x->code.count;
    const int width = x->width;
    bool ok = lv_tape_init(&tape, &arena, program, part, order, NULL) == LV_OK;
    if (ok) {
        x->paired =
            x->width > 1 && lanes % (2 * x->width) == 0 && tape.count <= LONGEST_PAIRED;
        ok = lv_code_x86(x, &tape, lanes);
    }
    x->width = width;
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

/* How code is generated: for how many lanes, with which instructions, in which order. */
typedef struct style {
    int lanes;
    lv_code_form form;
    bool depth_first;
} style;

/* Appends the function of a part of a program; it begins at x->entry. */
static bool append_function(lv_x86 *x, const lv_program *program, lv_part part, style s)
{
    x->vex = s.form == LV_CODE_AVX2;
    x->width = s.lanes == 1 ? 1 : x->vex ? 4 : 2;
    const bool packs = s.depth_first && s.lanes == 1 && x->vex;
    return fits(program, s.lanes) &&
           ((packs && append_in_order(x, program, part, s.lanes, LV_TAPE_PACKED)) ||
            (s.depth_first &&
             append_in_order(x, program, part, s.lanes, LV_TAPE_DEPTH_FIRST)) ||
            append_in_order(x, program, part, s.lanes, LV_TAPE_AS_COMPILED));
}

static lv_code *create(const lv_program *program, const lv_part *parts, int count,
                       style s)
{
    lv_x86 x = {0};
    int entries[LV_CODE_PARTS] = {0};
    bool ok = count <= LV_CODE_PARTS && (s.form != LV_CODE_AVX2 || lv_is_wide());
    for (int k = 0; k < count && ok; k++) {
        ok = append_function(&x, program, parts[k], s);
        entries[k] = x.entry;
    }
    lv_code *code = ok ? code_of(&x) : NULL;
    for (int k = 0; k < count && code; k++)
        code->entry[k] = function_at(code, entries[k]);
    LV_ARRAY_FREE(x.code);
    return code;
}

lv_code *lv_code_create_as(const lv_program *program, int lanes, lv_code_form form,
                           bool depth_first)
{
    return create(program, &(lv_part){NULL, NULL}, 1, (style){lanes, form, depth_first});
}

lv_code *lv_code_create_parts(const lv_program *program, int lanes, const lv_part *parts,
                              int count)
{
    return is_disabled ? NULL
                       : create(program, parts, count, (style){lanes, best_form(), true});
}

lv_code *lv_code_create(const lv_program *program, int lanes)
{
    return lv_code_create_parts(program, lanes, &(lv_part){NULL, NULL}, 1);
}

lv_code *lv_code_attach(lv_program *const *programs, const int *lanes, int count)
{
    const lv_code_form form = best_form();
    lv_x86 x = {0};
    int *entries = lv_memory_zeroed((size_t)count + 1, sizeof *entries);
    for (int k = 0; entries && !is_disabled && k < count; k++)
        if (programs[k]->operations >= FEWEST_OPERATIONS &&
            append_function(&x, programs[k], (lv_part){NULL, NULL},
                            (style){lanes[k], form, true}))
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

lv_code *lv_code_create_parts(const lv_program *program, int lanes, const lv_part *parts,
                              int count)
{
    (void)program, (void)lanes, (void)parts, (void)count;
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
