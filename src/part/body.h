/* Bodies, particles and the ground as other parts refer to them. */
#ifndef LV_PART_BODY_H
#define LV_PART_BODY_H

#include "part/term.h"

/* The kind of thing that a name in "between" or "body" stands for. */
typedef enum lv_end_kind {
    LV_END_GROUND,  /* fixed: position 0, axes of space */
    LV_END_BODY,    /* a body in space */
    LV_END_PLANAR,  /* a body in the plane */
    LV_END_PARTICLE /* a point without axes */
} lv_end_kind;

typedef struct lv_end {
    lv_end_kind kind;
    lv_hole hole;        /* its name, for templates: `b`, `b.e1`, point(b, s) */
    const lv_item *item; /* the part; NULL: ground */
} lv_end;

/* Finds the part with a name in a section: the part itself, or the family of the member,
 * "rod" for rod_i. `family` is the key that makes a family in this section. NULL: there
 * is none. */
const lv_item *lv_part_named(const lv_expansion *x, const char *section,
                             const char *family, const lv_syntax *name);

/* Fails if the name stands for a whole family, which the key `family` makes, instead of
 * one of its members. */
lv_status lv_want_member(const lv_item *item, const char *family, const lv_formula *name,
                         lv_error *err);

/* Determines what a name stands for. If it stands for nothing, the message contains
 * `where`: "a joint is". */
lv_status lv_end_read(lv_expansion *x, lv_end *end, const char *hole,
                      const lv_formula *name, const char *where, lv_error *err);

/* Whether the end is a body, in space or in the plane. */
bool lv_end_has_axes(const lv_end *end);

/* Length of vectors at this end: 2 or 3; 0 if the text does not determine it. */
int lv_end_dimension(const lv_end *end);

/* The number of components of a value as it is written; 0 if the text does not determine
 * it. */
int lv_entry_length(const lv_expansion *x, const lv_entry *entry);

/* Fails if a key is given as a zero vector. */
lv_status lv_want_direction(const lv_expansion *x, const char *key, lv_error *err);

/* Fails if a key is given with another number of components; length 0: it must be a
 * number. */
lv_status lv_want_length(const lv_expansion *x, const char *key, int length,
                         lv_error *err);

#endif
