/* Programs that were compiled to C when the library was built.
 *
 * A kernel is MAIN of one program: a function that reads slots of a workspace and writes those of
 * the outputs, with the operations of the interpreter in its order, so that the bits are the same.
 * A program finds its kernel by what MAIN consists of, its *signature*: operations, operands, slots
 * and constants, all of them. Whose formula it is does not matter.
 *
 * The table is written by the tool in kernels/ from the parts of the library. */
#ifndef LV_EXPR_NATIVE_H
#define LV_EXPR_NATIVE_H

#include "base/memory.h"
#include "expr/program.h"

#include <stdint.h>

typedef LV_ARRAY(uint16_t) lv_signature;

struct lv_native {
    uint64_t hash; /* of the signature */
    int length;
    const uint16_t *signature;
    /* For one lane and for LV_LANES lanes; both arguments are the workspace, in which the slots
     * that are read and those that are written are different ones. */
    void (*point)(const double *read, double *written);
    void (*block)(const double *read, double *written);
};

extern const lv_native lv_native_table[]; /* by increasing hash, then signature */
extern const int lv_native_count;

/* What MAIN consists of; empty if there is nothing to run, or a slot has too large a number.
 * LV_ARRAY_FREE frees it. */
lv_status lv_native_sign(lv_signature *signature, const lv_program *program,
                         lv_error *err);
uint64_t lv_native_hash(const lv_signature *signature);

/* Order of the table: hash, length, then the numbers one by one. */
int lv_native_compare(const lv_native *entry, uint64_t hash,
                      const lv_signature *signature);

/* The kernel with this signature, or NULL. */
const lv_native *lv_native_find(const lv_native *table, int count,
                                const lv_signature *signature);

/* Gives a program its kernel, if there is one. */
lv_status lv_native_attach(lv_program *program, lv_error *err);

/* For tests, benchmarks and the tool; not for several threads. Programs that are attached while
 * disabled stay with the interpreter; an observer sees every program that is attached. */
void lv_native_enable(bool enabled);
typedef void (*lv_native_observer)(void *user, const lv_program *program);
void lv_native_observe(lv_native_observer observer, void *user);

#endif
