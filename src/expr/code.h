/* Machine code of programs, made at run time.
 *
 * The code of a program is a function that does what lv_program_run does with MAIN, and gives the
 * same bits: the same operations of IEEE arithmetic, none contracted or reassociated, and the same
 * functions of the mathematical library. It reads inputs, constants and what the other segments
 * left from their slots and writes the slots of outputs; other slots that MAIN has are its scratch.
 *
 *     lv_code *code = lv_code_create(program, 1);
 *     lv_program_load(program, workspace, 1);          constants, once
 *     ... inputs into their slots ...
 *     if (code) lv_code_run(code, workspace);
 *     else lv_program_run(program, LV_SEGMENT_MAIN, workspace, 1);
 *
 * The code does not refer to the program, which may be freed before it. It cannot change any more
 * and may be shared by threads, each with its own workspace. Memory is never writable and
 * executable at once. */
#ifndef LV_EXPR_CODE_H
#define LV_EXPR_CODE_H

#include "expr/program.h"

typedef struct lv_code lv_code;

/* Whether the library was built for a processor that it can make code for. */
bool lv_code_is_built(void);

/* Code for 1 lane or a multiple of 4 lanes. NULL: there is none, because it is not wanted
 * (lv_native_enable), the machine has another processor, executable memory is refused, memory is
 * short or addresses would not fit. */
lv_code *lv_code_create(const lv_program *program, int lanes);
void lv_code_free(lv_code *code); /* NULL allowed */

/* The same, with a function for each of these parts of MAIN, of which there are at most LV_CODE_PARTS. A part that is run
 * after others finds what they left in the slots of outputs that it is given. */
enum { LV_CODE_PARTS = 4 };
lv_code *lv_code_create_parts(const lv_program *program, int lanes, const lv_part *parts,
                              int count);

/* The workspace has slots * lanes numbers, slot s of lane l at [s * lanes + l]. */
void lv_code_run(const lv_code *code, double *workspace);

/* The function of a part, which is there as long as the code is. */
lv_code_function lv_code_entry(const lv_code *code, int part);
size_t lv_code_size(const lv_code *code); /* bytes */

/* The code of several programs in one piece, of program k for lanes[k] lanes. Programs that are
 * worth it get their functions: lv_program_run then calls them as long as the code exists. NULL:
 * all are interpreted. */
lv_code *lv_code_attach(lv_program *const *programs, const int *lanes, int count);

/* Tests and benchmarks choose the instructions; NULL where the processor lacks them. */
typedef enum lv_code_form { LV_CODE_SSE2, LV_CODE_AVX2 } lv_code_form;
lv_code *lv_code_create_as(const lv_program *program, int lanes, lv_code_form form,
                           bool depth_first);

#endif
