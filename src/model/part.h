/* Parts: sections of a model file that stand for ordinary declarations.
 *
 * [particles.ball] is a coordinate and a kinetic energy, [rods.r] a constraint: a part is a few
 * formulas, put together from those of the user. What it expands into is declared like anything
 * else, so that derivatives, families and names in results need to know nothing of parts.
 *
 * A part is one descriptor. The table is that of src/part, which comes after this directory. */
#ifndef LV_MODEL_PART_H
#define LV_MODEL_PART_H

#include "model/names.h"

/* The parts of a model while they are expanded. */
typedef struct lv_expansion {
    lv_arena *arena;
    const lv_declarations *given;
    const lv_item **first; /* the first item of each part in the table, or NULL */
    lv_names names;        /* "section.name" of all that is given */
    const lv_item *part;   /* the one being expanded */
    lv_declarations result;
} lv_expansion;

typedef struct lv_part {
    lv_section section;
    const lv_word *words; /* NULL: none of its keys has words that need an explanation */
    lv_status (*expand)(lv_expansion *x, const lv_item *part, lv_error *err);
} lv_part;

extern const lv_part *const lv_part_table[]; /* ends with NULL */

/* The first item of a part, wherever it stands in the text; NULL: there is none. */
const lv_item *lv_expansion_first(const lv_expansion *x, const lv_part *part);

/* The item of that name in a section, "bodies"; NULL: there is none. */
const lv_item *lv_expansion_find(const lv_expansion *x, const char *section,
                                 const char *name);

/* What an expansion adds. The item's origin is set here. */
lv_status lv_expansion_add(lv_expansion *x, lv_item item, lv_error *err);
lv_status lv_expansion_check(lv_expansion *x, lv_check check, lv_error *err);

/* What results show of the part (shown.h): a body by its members NAME, NAME.e1, ..., NAME.omega; others by a reaction, which
 * names the constraints that the part declared, the body or particle on which they act, and a point; and
 * by an amount, which is a definition of the part. */
lv_status lv_expansion_show(lv_expansion *x, lv_shown shown, lv_error *err);

/* A picture of the part. */
lv_status lv_expansion_draw(lv_expansion *x, lv_picture picture, lv_error *err);

#endif
