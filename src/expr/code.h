/* Machine code of programs, generated at run time.
 *
 * The code of a program is a function that does what lv_program_run does with MAIN, and
 * gives the same bits: it performs the same IEEE operations, none contracted or
 * reassociated, and calls the same functions of the mathematical library. It reads
 * inputs, constants and the results of the other segments from their slots and writes the
 * slots of outputs; it uses the other slots of MAIN as scratch.
 *
 *     lv_code *code = lv_code_create(program, 1);
 *     lv_program_load(program, workspace, 1);          constants, once
 *     ... inputs into their slots ...
 *     if (code) lv_code_run(code, workspace);
 *     else lv_program_run(program, LV_SEGMENT_MAIN, workspace, 1);
 *
 * The code does not refer to the program, which may be freed earlier. It is immutable and
 * may be shared by threads, each with its own workspace. Its memory is never writable and
 * executable at the same time. */
#ifndef LV_EXPR_CODE_H
#define LV_EXPR_CODE_H

#include "expr/program.h"

typedef struct lv_code lv_code;

/* Whether the library was built for a processor that it can generate code for. */
bool lv_code_is_built(void);

/* Generates code for 1 lane or a multiple of 4 lanes. NULL: there is none, because it is
 * disabled (lv_native_enable), the machine has another processor, executable memory is
 * refused, there is no memory, or addresses do not fit. */
lv_code *lv_code_create(const lv_program *program, int lanes);
void lv_code_free(lv_code *code); /* NULL is allowed */

/* Runs the code. The workspace has slots * lanes numbers, slot s of lane l at [s * lanes
 * + l]. */
void lv_code_run(const lv_code *code, double *workspace);
size_t lv_code_size(const lv_code *code); /* bytes */

/* Generates the code of several programs in one piece, that of program k for lanes[k]
 * lanes. It attaches functions to the programs that are large enough to profit:
 * lv_program_run calls these as long as the code exists. NULL: all programs are
 * interpreted. */
lv_code *lv_code_attach(lv_program *const *programs, const int *lanes, int count);

/* For tests and benchmarks, which choose the instruction set; NULL if the processor lacks
 * it. */
typedef enum lv_code_form { LV_CODE_SSE2, LV_CODE_AVX2 } lv_code_form;
lv_code *lv_code_create_as(const lv_program *program, int lanes, lv_code_form form,
                           bool depth_first);

#endif
