/* Parts: sections of a model file that stand for ordinary declarations.
 *
 * [particles.ball] is a coordinate and a kinetic energy, [rods.r] a constraint: a part is
 * a few formulas, composed with those of the user. It expands to ordinary declarations,
 * so that derivatives, families and names in results need no knowledge of parts.
 *
 * Each part is one descriptor. Their table is in src/part, which depends on this
 * directory. */
#ifndef LV_MODEL_PART_H
#define LV_MODEL_PART_H

#include "model/names.h"

/* The parts of a model while they are expanded. */
typedef struct lv_expansion {
    lv_arena *arena;
    const lv_declarations *given;
    const lv_item **first; /* for each part in the table, its first item, or NULL */
    lv_names names;        /* "section.name" of all given items */
    const lv_item *part;   /* the part that is being expanded */
    lv_declarations result;
} lv_expansion;

typedef struct lv_part {
    lv_section section;
    const lv_word *words; /* NULL: no values of its keys need an explanation */
    lv_status (*expand)(lv_expansion *x, const lv_item *part, lv_error *err);
} lv_part;

extern const lv_part *const lv_part_table[]; /* ends with NULL */

/* The first item of a part in the text; NULL: there is none. */
const lv_item *lv_expansion_first(const lv_expansion *x, const lv_part *part);

/* The item of that name in a section such as "bodies"; NULL: there is none. */
const lv_item *lv_expansion_find(const lv_expansion *x, const char *section,
                                 const char *name);

/* Add an item or a check to the result of the expansion. The origin of the item is set
 * here. */
lv_status lv_expansion_add(lv_expansion *x, lv_item item, lv_error *err);
lv_status lv_expansion_check(lv_expansion *x, lv_check check, lv_error *err);

/* Adds what results show of the part (shown.h). A body is shown by its members NAME,
 * NAME.e1, ..., NAME.omega. Other parts are shown by a reaction, which names the
 * constraints that the part declares, the body or particle on which they act, and a
 * point; and by an amount, which is a definition of the part. */
lv_status lv_expansion_show(lv_expansion *x, lv_shown shown, lv_error *err);

/* Adds a picture of the part. */
lv_status lv_expansion_draw(lv_expansion *x, lv_picture picture, lv_error *err);

#endif
