/* Writes the equations of steps for users: texts of the step language as they stand in
 * scheme files, and the equations derived from them for a system. */
#ifndef LV_COURSE_WRITE_H
#define LV_COURSE_WRITE_H

#include "base/text.h"
#include "course/course.h"
#include "step/table.h"

/* Writes a coefficient: "5/12" if it is a fraction of small numbers, "0.211325"
 * otherwise. */
enum { LV_STEP_NUMBER = 24 };
const char *lv_step_number(char buffer[LV_STEP_NUMBER], double x);

/* A text of the step language with the facts that are known before there is a system:
 * those that hold and those that fail. Both lists end with NULL. */
typedef struct lv_step_source {
    const char *text;
    const char *const *holds, *const *fails; /* NULL: none */
    const lv_coefficient *coefficients;      /* NULL: none */
} lv_step_source;

/* Appends the text without the statements that do not count, then the coefficients and
 * the operators that it uses. A comment on lines of its own belongs to the statements
 * after it, and is left out with them. */
void lv_source_write(lv_text *out, const lv_step_source *source);

/* Number of evaluations of forces in a step: in every Newton pass, and once. Results that
 * the step before hands over are not counted. */
typedef struct lv_force_count {
    int in_pass, once;
} lv_force_count;

lv_force_count lv_course_forces(const lv_course *course, lv_quantity quantity);

/* Appends the equations of a step: for every phase its unknowns, the definitions that
 * become known with them, and its equations; then the assignments and the number of
 * evaluations of forces. */
void lv_course_write(lv_text *out, const lv_course *course);

#endif
