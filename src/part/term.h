/* Tools to write parts with.
 *
 * A part's formulas are templates, texts in the model language such as "mass/2*norm2(x')". Some
 * of their names are holes, filled with formulas of the user, which keep their own places in
 * the model file; the rest of a template stands at the name of the part. start(f) in a template
 * is the value of f at the start. */
#ifndef LV_PART_TERM_H
#define LV_PART_TERM_H

#include "model/part.h"

/* A list of holes ends with one that has no name. */
typedef struct lv_hole {
    const char *name;
    lv_formula formula;
    bool is_point; /* a scalar counts as a vector of length 1 */
} lv_hole;

/* The formula of a template, its holes filled. */
lv_status lv_term_formula(lv_expansion *x, lv_formula *formula, const char *template,
                          const lv_hole *holes, lv_error *err);

/* An item of the given section with the name of the part; family may be NULL. */
lv_status lv_term_init(lv_expansion *x, lv_item *item, lv_section_id section,
                       const lv_entry *family, lv_error *err);

/* Gives the item a key that it has: an entry of the part, NULL for none, or a template. */
void lv_term_set(const lv_item *item, const char *key, const lv_entry *entry);
lv_status lv_term_write(lv_expansion *x, const lv_item *item, const char *key,
                        const char *template, const lv_hole *holes, lv_error *err);

/* A key of the part as a hole of the same name; an absent key leaves a hole without a formula,
 * for templates that do not use it. */
lv_status lv_hole_key(lv_expansion *x, lv_hole *hole, const char *key, lv_error *err);

/* Demands that the value of a key, if it is there, be a scalar in the range that its
 * descriptor gives. */
lv_status lv_demand_range(lv_expansion *x, const char *key, const lv_entry *family,
                          lv_error *err);

/* The same for a key that may use parameters only; `what` is "a mass". */
lv_status lv_demand_constant(lv_expansion *x, const char *key, const lv_entry *family,
                             const char *what, lv_error *err);

/* The same for a vector that may use parameters and t. */
lv_status lv_demand_still(lv_expansion *x, const char *key, const char *what,
                          lv_error *err);

/* A text of any length for messages; NULL without memory. */
const char *lv_term_text(lv_expansion *x, const char *format, ...) LV_PRINTF(2, 3);

/* ---- what joins two ends: springs, rods ------------------------------------------------- */

/* Fills the holes `a` and `b` from the key "between", and demands that the two fit. */
lv_status lv_ends_read(lv_expansion *x, lv_hole *a, lv_hole *b, lv_error *err);

/* Demands that the ends are apart at the start; holes must contain a and b. */
lv_status lv_ends_apart(lv_expansion *x, const lv_hole *holes, const char *hint,
                        lv_error *err);

#endif
