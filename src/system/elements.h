/* Assigns constraint rows to elements: a member of a joint, motor, contact or rod, or a
 * constraint of the model itself. Rows that only keep a body rigid belong to no
 * element. */
#ifndef LV_SYSTEM_ELEMENTS_H
#define LV_SYSTEM_ELEMENTS_H

#include <livens/mechanism.h>

#include "system/system.h"

typedef struct lv_element {
    const lv_item *item;     /* the declaration of the part or constraint */
    const lv_kernel *kernel; /* its first constraint kernel */
    /* What results show of it; NULL if it is no joint, motor or contact */
    const lv_shown *shown;
    int instance;
} lv_element;

typedef struct lv_elements {
    const lv_model *model;
    int count;
    lv_element *list;
    /* Element of every constraint row, holonomic ones first; -1: it belongs to none */
    int *of_row;
} lv_elements;

lv_status lv_elements_init(lv_elements *elements, lv_arena *arena, const lv_model *model,
                           lv_error *err);

/* "hinge", "link_3", "r (i = 2, j = 3)" */
const char *lv_element_name(const lv_element *element, char *buffer, size_t size);

/* "joint", "rod", "constraint" */
const char *lv_element_kind(const lv_element *element);

/* Meaning of row `row` of an element (counted within the element) in a joint: a
 * difference of two points, the sine of an angle, a length. */
typedef enum lv_row_meaning {
    LV_ROW_PLAIN,
    LV_ROW_POINT,
    LV_ROW_ANGLE,
    LV_ROW_LENGTH
} lv_row_meaning;
lv_row_meaning lv_element_row(const lv_element *element, int row);

/* The number, within its element, of a constraint row. */
int lv_element_inside(const lv_elements *elements, int row);

/* What an element joins: "'crank' and 'rod_2'", "'ground' and 'crank'". "" if it joins
 * neither bodies nor particles. */
const char *lv_element_ends(const lv_elements *elements, int element, char *buffer,
                            size_t size);

/* Finds the elements that depend on each other at a state. */
lv_status lv_elements_dependence(const lv_elements *elements, lv_system *system,
                                 lv_arena *arena, lv_dependence_info *result, double t,
                                 const double *q, const double *v, lv_error *err);

/* Describes the bodies, what joins them, their mobility and which of them nothing holds.
 * The member for dependent elements is not set. */
lv_status lv_mechanism_find(lv_mechanism_info *info, const lv_elements *elements,
                            lv_arena *arena, lv_error *err);

#endif
