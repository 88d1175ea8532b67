/* Bodies as other parts see them. */
#ifndef LV_PART_BODY_H
#define LV_PART_BODY_H

#include "part/term.h"

/* What a name in "between" or "body" stands for. */
typedef enum lv_end_kind {
    LV_END_GROUND,  /* does not move: position 0, axes of space */
    LV_END_BODY,    /* in space */
    LV_END_PLANAR,  /* a body in the plane */
    LV_END_PARTICLE /* a point without axes */
} lv_end_kind;

typedef struct lv_end {
    lv_end_kind kind;
    lv_hole hole;        /* its name, for templates: `b`, `b.e1`, point(b, s) */
    const lv_item *item; /* the part it is; NULL: ground */
} lv_end;

/* The part of a name in a section: itself, or the family whose member it is, "rod" of rod_i;
 * `family` is the key that makes families there. NULL: there is none. */
const lv_item *lv_part_named(const lv_expansion *x, const char *section,
                             const char *family, const lv_syntax *name);

/* Refuses the name of a whole family, as the key `family` makes them, where one of its members is meant. */
lv_status lv_want_member(const lv_item *item, const char *family, const lv_formula *name,
                         lv_error *err);

/* Finds out what a name stands for; `where` is said when it stands for nothing: "a joint is". */
lv_status lv_end_read(lv_expansion *x, lv_end *end, const char *hole,
                      const lv_formula *name, const char *where, lv_error *err);

/* Is the end a body, in space or in the plane? */
bool lv_end_has_axes(const lv_end *end);

/* Length of a vector there: 2 or 3; 0 where the text does not tell. */
int lv_end_dimension(const lv_end *end);

/* The number of components that a value has as it is written; 0 where the text does not tell. */
int lv_entry_length(const lv_expansion *x, const lv_entry *entry);

/* Refuses a key, if it is there, that is written as a zero vector. */
lv_status lv_want_direction(const lv_expansion *x, const char *key, lv_error *err);

/* Refuses a key, if it is there, that is written with another number of components; 0: it is a number. */
lv_status lv_want_length(const lv_expansion *x, const char *key, int length,
                         lv_error *err);

#endif
