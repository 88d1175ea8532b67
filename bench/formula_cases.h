/* The formulas of bench_formula: texts as a model file has them, compiled to programs for
 * gradient and Hessian. Shared by the benchmark and by the generator of its native
 * kernels, so that both compute the same operations. */
#ifndef LV_BENCH_FORMULA_CASES_H
#define LV_BENCH_FORMULA_CASES_H

#include "base/text.h"
#include "expr/elaborate.h"
#include "expr/program.h"

enum { FORMULA_NAMES = 100, FORMULA_VARIABLES = 32 };

/* A name that formulas use: inputs of one kind, or a definition with a text of its own. */
typedef struct formula_name {
    char name[8];
    int length; /* 0: a scalar */
    lv_input kind;
    int first;
    char definition[64]; /* empty: an input */
    lv_formula formula;
    lv_value value; /* of a definition, once it was used */
} formula_name;

typedef struct formula_case {
    const char *name;
    lv_text text;
    formula_name names[FORMULA_NAMES];
    int name_count;
    lv_layout layout;
    int variables; /* that derivatives are taken by: Q, then V where there are more */
} formula_case;

enum { FORMULA_CASES = 2 };

/* Writes the texts; formula_case_done frees. */
void formula_case_init(formula_case *c, int number);
void formula_case_done(formula_case *c);

/* What a program computes: the Hessian is whole, by rows, after the gradient where there
 * are both. */
typedef enum formula_wanted {
    FORMULA_GRADIENT = 1,
    FORMULA_HESSIAN = 2,
    FORMULA_BOTH = 3
} formula_wanted;

/* From text to a program: parses, elaborates, differentiates, compiles. */
lv_status formula_case_compile(formula_case *c, lv_program **program,
                               formula_wanted wanted, lv_error *err);

#endif
