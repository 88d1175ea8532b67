/* Tools to write parts with.
 *
 * The formulas of a part are templates: texts in the model language such as
 * "mass/2*norm2(x')". Some of their names are holes, which are filled with formulas of
 * the user. These keep their places in the model file; the rest of a template has the
 * place of the name of the part. start(f) in a template is the value of f at the
 * start. */
#ifndef LV_PART_TERM_H
#define LV_PART_TERM_H

#include "model/part.h"

/* A hole of a template. Lists of holes end with one whose name is NULL. */
typedef struct lv_hole {
    const char *name;
    lv_formula formula;
    bool is_point; /* a scalar counts as a vector of length 1 */
    /* the formula is a name that is inserted as such: `b.e1` and point(b, s) work */
    bool is_name;
} lv_hole;

/* Makes the formula of a template with its holes filled. */
lv_status lv_term_formula(lv_expansion *x, lv_formula *formula, const char *template,
                          const lv_hole *holes, lv_error *err);

/* Initialises an item of the given section with the name of the part; family may be
 * NULL. */
lv_status lv_term_init(lv_expansion *x, lv_item *item, lv_section_id section,
                       const lv_entry *family, lv_error *err);

/* Does the same for a member of the part, "top.e1". */
lv_status lv_term_member(lv_expansion *x, lv_item *item, lv_section_id section,
                         const char *member, const lv_entry *family, lv_error *err);

/* Declares a definition NAME.member, or NAME itself if member is NULL. */
lv_status lv_term_define(lv_expansion *x, const char *member, const lv_entry *family,
                         const char *template, const lv_hole *holes, lv_error *err);

/* Makes the ranges i = 1..count of a part with the key "count"; NULL if it has none. */
lv_status lv_term_family(lv_expansion *x, const lv_entry **family, lv_error *err);

/* Makes a hole of the part's own name: NAME, or NAME_{i} in a family. */
lv_status lv_hole_self(lv_expansion *x, lv_hole *hole, const char *name, lv_error *err);

/* Makes a hole whose formula is a template, filled with the holes before it. */
lv_status lv_hole_write(lv_expansion *x, lv_hole *hole, const char *name,
                        const char *template, const lv_hole *holes, lv_error *err);

/* Set a key of the item: to an entry of the part (NULL: none), or to a template. */
void lv_term_set(const lv_item *item, const char *key, const lv_entry *entry);
lv_status lv_term_write(lv_expansion *x, const lv_item *item, const char *key,
                        const char *template, const lv_hole *holes, lv_error *err);

/* Makes a hole of a key of the part, with the same name. If the key is absent, the hole
 * has no formula and templates must not use it. */
lv_status lv_hole_key(lv_expansion *x, lv_hole *hole, const char *key, lv_error *err);

/* Requires that the value of a key, if present, is a scalar in the range of its
 * descriptor. */
lv_status lv_demand_range(lv_expansion *x, const char *key, const lv_entry *family,
                          lv_error *err);

/* Does the same and requires that the value depends on parameters only; `what` names it in
 * messages: "a mass". */
lv_status lv_demand_constant(lv_expansion *x, const char *key, const lv_entry *family,
                             const char *what, lv_error *err);

/* Does the same for a vector that may depend on parameters and t only. */
lv_status lv_demand_still(lv_expansion *x, const char *key, const char *what,
                          lv_error *err);

/* Fails at a key of the part, or at its name if the part does not have the key. */
lv_status lv_part_refuse(const lv_expansion *x, const char *key, lv_error *err,
                         const char *format, ...) LV_PRINTF(4, 5);

/* Formats a text of any length for messages and templates; NULL if there is no memory. */
const char *lv_term_text(lv_expansion *x, const char *format, ...) LV_PRINTF(2, 3);

/* ---- parts that join two ends: springs, rods --------------------------------------- */

/* Fills the holes `a` and `b` from the key "between", and requires that their lengths
 * match. */
lv_status lv_ends_read(lv_expansion *x, lv_hole *a, lv_hole *b, lv_error *err);

/* Requires that the ends are apart at the start; holes must contain a and b. */
lv_status lv_ends_apart(lv_expansion *x, const lv_hole *holes, const char *hint,
                        lv_error *err);

#endif
