/* A model as written, whoever wrote it: items with names, places and parsed formulas. */
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

/* The value of a key: which fields count depends on the key's type. */
typedef struct lv_entry {
    lv_place place;
    bool is_array;
    bool is_nested; /* an array of arrays: every formula is a vector */
    int count;      /* of formulas or ranges */
    const lv_formula *formulas;
    const lv_range *ranges;
    const char *text; /* of a variant: its word */
    bool is_true;
} lv_entry;

/* What a coordinate is, as far as translations and rotations of space are concerned. */
typedef enum lv_nature {
    LV_NATURE_PLAIN,     /* a vector is a place, a scalar has nothing to do with space */
    LV_NATURE_DIRECTION, /* a vector that turns, and that translations leave alone */
    LV_NATURE_ANGLE      /* a scalar to which rotations of the plane add their angle */
} lv_nature;

/* One parameter, coordinate, constraint, ... */
typedef struct lv_item {
    int section;      /* number of lv_section_at */
    const char *name; /* "" for the keys that stand directly in a section */
    lv_place place;
    const lv_entry **entries;     /* one per key of the section, NULL where absent */
    const struct lv_item *origin; /* the part that it stems from, or NULL */
    lv_nature nature;
    bool
        is_inner; /* a coordinate or constraint that only a formulation has: results do not
                      show it */
} lv_item;

/* What a part demands of its formulas; tested when the coordinates are known (check.c). */
typedef enum lv_check_kind {
    LV_CHECK_LENGTHS,  /* two formulas are of one length */
    LV_CHECK_ENDS,     /* the same, and at least one contains a coordinate */
    LV_CHECK_RANGE,    /* a value is in the range of its key, in every instance */
    LV_CHECK_POSITIVE, /* a value is positive, in every instance */
    LV_CHECK_INERTIA   /* six values Jxx Jyy Jzz Jxy Jxz Jyz are those of a body */
} lv_check_kind;

typedef struct lv_check {
    lv_check_kind kind;
    lv_formula formulas[2];
    const lv_entry *family; /* the ranges of the part's indices, or NULL */
    const lv_key *key;      /* for LV_CHECK_RANGE */
    lv_place place;
    const char *text, *hint; /* of the message; that of a range is made of its key */
    const char *still;       /* not NULL: coordinates are refused in what this names */
    const char *timeless;    /* not NULL: so is t */
} lv_check;

/* Bodies, joints, motors and rolling contacts, for those who show them: results and check. */
typedef enum lv_shown_kind {
    LV_SHOWN_BODY,
    LV_SHOWN_JOINT,
    LV_SHOWN_MOTOR,
    LV_SHOWN_ROLLING
} lv_shown_kind;

/* What a constraint does to a body or particle: the constraint, a name, and a point in space
 * where the force acts. */
typedef struct lv_reaction {
    const char *constraints[2]; /* their names; NULL: none */
    lv_formula on;              /* a name, with a subscript in a family */
    bool turns;                 /* a body; else a particle, which has no torque */
    bool is_opposite;           /* `on` is the first end: the second gets the opposite */
    lv_formula point;
} lv_reaction;

typedef struct lv_shown {
    lv_shown_kind kind;
    const lv_item *part;
    const lv_entry *family; /* the ranges of its indices, or NULL */
    bool is_planar;
    lv_reaction reaction; /* of joints, motors, rolling; without a constraint: none */
    const char *amount;   /* a member to show: "angle", "shift"; NULL: none */
    const char *effort;   /* of motors: "torque" or "force" */
    lv_formula axis;      /* of motors: along which the effort is measured, in space */
    bool is_given;        /* of motors: the effort is the definition NAME.effort */
    /* Of joints: so many rows are a difference of two points, then so many sines of angles; the others
     * are lengths. */
    int point_rows, angle_rows;
} lv_shown;

/* A picture of something (view.h). What its formulas are depends on its kind; one without a root is not given. */
enum { LV_PICTURE_AT, LV_PICTURE_E1, LV_PICTURE_ANGLE = 4, LV_PICTURE_FRAME };
typedef struct lv_picture {
    lv_view_kind kind;
    const lv_item *item; /* of [view], or the part, or a coordinate */
    const char *section, *name, *shape;
    bool is_given;          /* stands in [view]: what is wrong with it is an error */
    const lv_entry *family; /* the ranges of its indices, or NULL */
    const lv_formula *
        formulas; /* points of a line; of a frame at, e1, e2, e3, angle; of a joint point and axis */
    int count;
    const lv_entry *over; /* ranges of the variables of a curve or surface; NULL: none */
    int cells;            /* in each of them */
    lv_formula sizes, weight;
    bool
        of_inertia; /* sizes are mass and Jxx Jyy Jzz Jxy Jxz Jyz: of the ellipsoid that has both */
    double *
        turns; /* which then turn the axes of each instance to the principal ones: quaternions */
    bool trail;
    int colour;
} lv_picture;

typedef struct lv_declarations {
    lv_arena *arena;
    LV_ARRAY(lv_item) items; /* in the order of the text; done() frees the lists */
    LV_ARRAY(lv_check) checks;
    LV_ARRAY(lv_shown) shown;
    LV_ARRAY(lv_picture) pictures;
    lv_formula gravity; /* the acceleration at the start; no root: there is none */
    bool has_floor;     /* something rolls on the plane z = 0 */
} lv_declarations;

void lv_declarations_done(lv_declarations *declarations);

/* Reads a model file's tree. */
lv_status lv_declarations_read(lv_declarations *declarations, const lv_toml *root,
                               const lv_source *source, lv_error *err);

/* Replaces a parameter's value by a formula text: --set name=value. */
lv_status lv_declarations_set(lv_declarations *declarations, const char *name,
                              const char *value, lv_error *err);

/* The hint for a name that is not that of a parameter: the nearest, or all that there are. */
void lv_declarations_hint_parameter(const lv_declarations *declarations, const char *name,
                                    lv_error *err);

/* Adds what the parts stand for, behind each of them (part.c). */
lv_status lv_declarations_expand(lv_declarations *declarations, lv_error *err);

/* An item without entries. */
lv_status lv_item_init(lv_item *item, lv_arena *arena, int section, const char *name,
                       lv_place place, lv_error *err);

/* The entry of a key by name; NULL if it is absent or the section has no such key. */
const lv_entry *lv_item_entry(const lv_item *item, const char *key);

/* The formula of an entry; an array becomes a vector of its formulas. */
lv_status lv_entry_formula(lv_formula *formula, const lv_entry *entry, lv_arena *arena,
                           lv_error *err);

/* Name of the section where the item stands in the text: that of its part, if it has one. */
const char *lv_item_section(const lv_item *item);

/* "constraint 'link'", "parameter 'm'": for messages. */
const char *lv_item_describe(const lv_item *item, char buffer[160]);

/* Parses "i = 1..N, j = i..M" (range.c). */
enum { LV_RANGES_MOST = 8 };
lv_status lv_ranges_parse(lv_entry *entry, lv_arena *arena, const lv_snippet *text,
                          lv_error *err);

#endif
