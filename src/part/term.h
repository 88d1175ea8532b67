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
    bool is_name; /* the formula is a name, put in as such: `b.e1` and point(b, s) work */
} lv_hole;

/* The formula of a template, its holes filled. */
lv_status lv_term_formula(lv_expansion *x, lv_formula *formula, const char *template,
                          const lv_hole *holes, lv_error *err);

/* An item of the given section with the name of the part; family may be NULL. */
lv_status lv_term_init(lv_expansion *x, lv_item *item, lv_section_id section,
                       const lv_entry *family, lv_error *err);

/* The same for a member of the part, "top.e1". */
lv_status lv_term_member(lv_expansion *x, lv_item *item, lv_section_id section,
                         const char *member, const lv_entry *family, lv_error *err);

/* A definition NAME.member, or NAME itself without a member. */
lv_status lv_term_define(lv_expansion *x, const char *member, const lv_entry *family,
                         const char *template, const lv_hole *holes, lv_error *err);

/* The ranges i = 1..count of a part whose key "count" makes a family; NULL without it. */
lv_status lv_term_family(lv_expansion *x, const lv_entry **family, lv_error *err);

/* The part's own name as a hole: NAME, or NAME_{i} in a family. */
lv_status lv_hole_self(lv_expansion *x, lv_hole *hole, const char *name, lv_error *err);

/* A hole whose formula is a template, filled with the holes before it. */
lv_status lv_hole_write(lv_expansion *x, lv_hole *hole, const char *name,
                        const char *template, const lv_hole *holes, lv_error *err);

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

/* Refuses the part at one of its keys, or at its name where it does not have the key. */
lv_status lv_part_refuse(const lv_expansion *x, const char *key, lv_error *err,
                         const char *format, ...) LV_PRINTF(4, 5);

/* A text of any length for messages and templates; NULL without memory. */
const char *lv_term_text(lv_expansion *x, const char *format, ...) LV_PRINTF(2, 3);

/* ---- what joins two ends: springs, rods ------------------------------------------------- */

/* Fills the holes `a` and `b` from the key "between", and demands that the two fit. */
lv_status lv_ends_read(lv_expansion *x, lv_hole *a, lv_hole *b, lv_error *err);

/* Demands that the ends are apart at the start; holes must contain a and b. */
lv_status lv_ends_apart(lv_expansion *x, const lv_hole *holes, const char *hint,
                        lv_error *err);

#endif
