#include "expr/native.h"

#include <string.h>

/* ---- signatures ----------------------------------------------------------------------- */

/* Numbers are written with 16 bits; a program that needs more has no kernel. */
typedef struct writer {
    lv_signature *signature;
    bool failed, too_large;
} writer;

static void write(writer *w, int value)
{
    w->too_large = w->too_large || value > UINT16_MAX;
    if (!w->too_large && !w->failed)
        w->failed = !LV_PUSH(*w->signature, (uint16_t)value);
}

static void write_bits(writer *w, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 64; k += 16)
        write(w, (int)((bits >> k) & UINT16_MAX));
}

static void write_main(writer *w, const lv_program *p)
{
    write(w, p->run_count[LV_SEGMENT_MAIN]);
    for (int k = 0; k < p->run_count[LV_SEGMENT_MAIN]; k++) {
        const lv_op_run *run = &p->run[LV_SEGMENT_MAIN][k];
        const int *operand = p->operand + run->first;
        write(w, (int)run->op);
        write(w, run->count);
        write(w, run->result);
        for (int j = run->count * lv_op_arity(run->op); j > 0; j--)
            write(w, *operand++);
    }
}

lv_status lv_native_sign(lv_signature *signature, const lv_program *p, lv_error *err)
{
    writer w = {.signature = signature};
    signature->count = 0;
    if (p->operations == 0)
        return LV_OK;
    write_main(&w, p);
    write(&w, p->output_count);
    for (int k = 0; k < p->output_count; k++)
        write(&w, p->output[k]);
    write(&w, p->constants);
    for (int k = 0; k < p->constant_count; k++)
        write_bits(&w, p->constant[k]);
    if (w.too_large)
        signature->count = 0;
    return w.failed ? lv_fail_memory(err) : LV_OK;
}

uint64_t lv_native_hash(const lv_signature *signature)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int k = 0; k < signature->count; k++)
        hash = (hash ^ signature->data[k]) * UINT64_C(0x100000001B3);
    return hash;
}

/* ---- the table ------------------------------------------------------------------------ */

int lv_native_compare(const lv_native *entry, uint64_t hash,
                      const lv_signature *signature)
{
    if (entry->hash != hash)
        return entry->hash < hash ? -1 : 1;
    if (entry->length != signature->count)
        return entry->length < signature->count ? -1 : 1;
    for (int k = 0; k < entry->length; k++)
        if (entry->signature[k] != signature->data[k])
            return entry->signature[k] < signature->data[k] ? -1 : 1;
    return 0;
}

const lv_native *lv_native_find(const lv_native *table, int count,
                                const lv_signature *signature)
{
    uint64_t hash = lv_native_hash(signature);
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = lv_native_compare(&table[middle], hash, signature);
        if (order == 0)
            return &table[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- programs ------------------------------------------------------------------------- */

static bool is_disabled;
static lv_native_observer watching;
static void *watcher;

void lv_native_enable(bool enabled)
{
    is_disabled = !enabled;
}

void lv_native_observe(lv_native_observer observer, void *user)
{
    watching = observer;
    watcher = user;
}

lv_status lv_native_attach(lv_program *p, lv_error *err)
{
    lv_signature signature = {0};
    if (watching)
        watching(watcher, p);
    if (is_disabled || lv_native_count == 0)
        return LV_OK;
    lv_status status = lv_native_sign(&signature, p, err);
    if (status == LV_OK && signature.count > 0)
        p->native = lv_native_find(lv_native_table, lv_native_count, &signature);
    LV_ARRAY_FREE(signature);
    return status;
}
