/* A model as declared, in a file or by a program: items with names, places and parsed
 * formulas. */
#ifndef LV_MODEL_DECLARATION_H
#define LV_MODEL_DECLARATION_H

#include <livens/view.h>

#include "base/arena.h"
#include "base/memory.h"
#include "expr/syntax.h"
#include "model/section.h"
#include "toml/toml.h"

/* name = from..to */
typedef struct lv_range {
    const char *name;
    lv_place place;
    lv_formula from, to;
} lv_range;

/* The value of a key; which members are used depends on the type of the key. */
typedef struct lv_entry {
    lv_place place;
    bool is_array;
    bool is_nested; /* an array of arrays: every formula is a vector */
    int count;      /* number of formulas or ranges */
    const lv_formula *formulas;
    const lv_range *ranges;
    const char *text; /* text of a string key; the word of a variant */
    bool is_true;
} lv_entry;

/* How a coordinate behaves under translations and rotations of space. */
typedef enum lv_nature {
    LV_NATURE_PLAIN,     /* a vector is a position; a scalar does not change */
    LV_NATURE_DIRECTION, /* a vector that rotates and that translations do not change */
    LV_NATURE_ANGLE      /* a scalar to which rotations of the plane add their angle */
} lv_nature;

/* One parameter, coordinate, constraint, ... */
typedef struct lv_item {
    int section;      /* number of the section, as in lv_section_at */
    const char *name; /* "" for keys directly in a section */
    lv_place place;
    /* one per key of the section; NULL: the key is absent */
    const lv_entry **entries;
    const struct lv_item *origin; /* the part that it was expanded from, or NULL */
    lv_nature nature;
    /* A coordinate or constraint that only a formulation adds: results do not show it. */
    bool is_inner;
} lv_item;

/* Kinds of requirements that parts have on their formulas; they are checked when the
 * coordinates are known (check.c). */
typedef enum lv_check_kind {
    LV_CHECK_LENGTHS,  /* two formulas have the same length */
    LV_CHECK_ENDS,     /* the same, and at least one contains a coordinate */
    LV_CHECK_RANGE,    /* a value lies in the range of its key, in every instance */
    LV_CHECK_POSITIVE, /* a value is positive, in every instance */
    LV_CHECK_INERTIA /* six values Jxx Jyy Jzz Jxy Jxz Jyz are a possible inertia of a body */
} lv_check_kind;

typedef struct lv_check {
    lv_check_kind kind;
    lv_formula formulas[2];
    const lv_entry *family; /* ranges of the indices of the part, or NULL */
    const lv_key *key;      /* for LV_CHECK_RANGE */
    lv_place place;
    /* text and hint of the message; a range check makes its text from the key */
    const char *text, *hint;
    /* not NULL: coordinates are an error, and this names the quantity in the message */
    const char *still;
    const char *timeless; /* not NULL: t is an error, likewise */
} lv_check;

/* Parts that results and `livens check` show. */
typedef enum lv_shown_kind {
    LV_SHOWN_BODY,
    LV_SHOWN_JOINT,
    LV_SHOWN_MOTOR,
    LV_SHOWN_ROLLING
} lv_shown_kind;

/* The action of constraints on a body or particle: the constraints, the body, and the
 * point in space where the force acts. */
typedef struct lv_reaction {
    const char *constraints[2]; /* names of the constraints; NULL: none */
    /* name of the body or particle, with a subscript in a family */
    lv_formula on;
    /* a body, which has a torque; false: a particle, which has none */
    bool turns;
    /* `on` is the first end, so the second one gets the opposite force */
    bool is_opposite;
    lv_formula point;
} lv_reaction;

typedef struct lv_shown {
    lv_shown_kind kind;
    const lv_item *part;
    const lv_entry *family; /* ranges of the indices of the part, or NULL */
    bool is_planar;
    /* for joints, motors and rolling contacts; no constraint: none */
    lv_reaction reaction;
    /* member that is shown as well: "angle", "shift"; NULL: none */
    const char *amount;
    const char *effort; /* motors: "torque" or "force" */
    /* motors: direction in space along which the effort is measured */
    lv_formula axis;
    bool is_given; /* motors: the effort is the definition NAME.effort */
    /* Joints: the first point_rows rows are a difference of two points, the next
     * angle_rows rows are sines of angles; the others are lengths. */
    int point_rows, angle_rows;
} lv_shown;

/* A picture (view.h). The meaning of its formulas depends on its kind; a formula without
 * a root is absent. */
enum { LV_PICTURE_AT, LV_PICTURE_E1, LV_PICTURE_ANGLE = 4, LV_PICTURE_FRAME };
typedef struct lv_picture {
    lv_view_kind kind;
    const lv_item *item; /* item of [view], part, or coordinate */
    const char *section, *name, *shape;
    /* it is declared in [view], so that mistakes in it are errors */
    bool is_given;
    const lv_entry *family; /* ranges of its indices, or NULL */
    /* Points of a line; at, e1, e2, e3 and angle of a frame; point and axis of a
     * joint. */
    const lv_formula *formulas;
    int count;
    const lv_entry *over; /* ranges of the variables of a curve or surface; NULL: none */
    int cells;            /* number of cells in each of these ranges */
    lv_formula sizes, weight;
    /* sizes are mass and Jxx Jyy Jzz Jxy Jxz Jyz; the picture is the ellipsoid with
     * these */
    bool of_inertia;
    /* quaternion of each instance that turns its axes to the principal axes, if
     * of_inertia */
    double *turns;
    bool trail;
    int colour;
} lv_picture;

typedef struct lv_declarations {
    lv_arena *arena;
    /* in the order of the text; lv_declarations_done frees the lists */
    LV_ARRAY(lv_item) items;
    LV_ARRAY(lv_check) checks;
    LV_ARRAY(lv_shown) shown;
    LV_ARRAY(lv_picture) pictures;
    /* acceleration of gravity at the start; no root: there is none */
    lv_formula gravity;
    bool has_floor; /* something rolls on the plane z = 0 */
} lv_declarations;

void lv_declarations_done(lv_declarations *declarations);

/* Reads the declarations from the tree of a model file. */
lv_status lv_declarations_read(lv_declarations *declarations, const lv_toml *root,
                               const lv_source *source, lv_error *err);

/* Replaces the value of a parameter by a formula, as --set name=value does. */
lv_status lv_declarations_set(lv_declarations *declarations, const char *name,
                              const char *value, lv_error *err);

/* Adds a hint for a name that is no parameter: the nearest one, or a list of all. */
void lv_declarations_hint_parameter(const lv_declarations *declarations, const char *name,
                                    lv_error *err);

/* Adds the declarations that each part expands to, behind the part (part.c). */
lv_status lv_declarations_expand(lv_declarations *declarations, lv_error *err);

/* Initialises an item without entries. */
lv_status lv_item_init(lv_item *item, lv_arena *arena, int section, const char *name,
                       lv_place place, lv_error *err);

/* The entry of a key by name; NULL if it is absent or the section has no such key. */
const lv_entry *lv_item_entry(const lv_item *item, const char *key);

/* The formula of an entry; an array becomes a vector of its formulas. */
lv_status lv_entry_formula(lv_formula *formula, const lv_entry *entry, lv_arena *arena,
                           lv_error *err);

/* Name of the section in which the item, or the part that it was expanded from, is
 * declared. */
const char *lv_item_section(const lv_item *item);

/* Describes an item for messages: "constraint 'link'", "parameter 'm'". */
const char *lv_item_describe(const lv_item *item, char buffer[160]);

/* Parses "i = 1..N, j = i..M" (range.c). */
enum { LV_RANGES_MOST = 8 };
lv_status lv_ranges_parse(lv_entry *entry, lv_arena *arena, const lv_snippet *text,
                          lv_error *err);

#endif
