/* The sections of a model file and their keys. Reading, `livens help model` and the
 * reference page all use these tables: the sections below and those of the parts
 * (model/part.h). */
#ifndef LV_MODEL_SECTION_H
#define LV_MODEL_SECTION_H

#include <stdbool.h>

typedef enum lv_key_type {
    LV_KEY_TEXT,    /* a string */
    LV_KEY_FORMULA, /* a number or a formula with a scalar value */
    /* the same, or a vector: a formula or an array of numbers and formulas */
    LV_KEY_VALUE,
    LV_KEY_NAMES,   /* coordinates: a string or an array of strings */
    LV_KEY_ALONG,   /* what a force acts on: a formula in quotes or an array of these */
    LV_KEY_ENDS,    /* two points: an array of two formulas or arrays of formulas */
    LV_KEY_POINTS,  /* two or more points, likewise */
    LV_KEY_RANGES,  /* "i = 1..N", several separated by commas */
    LV_KEY_FLAG,    /* true or false */
    LV_KEY_VECTORS, /* a vector, or an array of vectors */
    LV_KEY_VARIANT  /* { word = value }; the value is a number, a formula or a vector */
} lv_key_type;

typedef struct lv_key {
    const char *name;
    lv_key_type type;
    bool required;
    bool whole;           /* the value must be a whole number */
    double least, most;   /* range of the value; both 0: no range */
    const char *unit;     /* NULL: none, or any unit */
    const char *fallback; /* the default as shown in help; NULL: none */
    const char *doc;
} lv_key;

/* How the items of a section are written. */
typedef enum lv_shape {
    /* [run] step = ...: one item, whose keys are directly in the section */
    LV_SHAPE_KEYS,
    LV_SHAPE_VALUES,        /* [parameters] m = ...: items are name = value */
    LV_SHAPE_VALUES_TABLES, /* [coordinates] x = value, or x = { keys } */
    LV_SHAPE_TABLES,        /* [constraints.NAME] keys */
    LV_SHAPE_NAMED_TABLES,  /* [particles.NAME] keys; formulas may use the name */
    LV_SHAPE_KEYS_TABLES    /* [energy] keys, or [energy.NAME] keys, or both */
} lv_shape;

typedef enum lv_section_id {
    LV_SECTION_MODEL, /* the top of the file */
    LV_SECTION_PARAMETERS,
    LV_SECTION_INPUTS,
    LV_SECTION_DEFINITIONS,
    LV_SECTION_COORDINATES,
    LV_SECTION_MOMENTA,
    LV_SECTION_ENERGY,
    LV_SECTION_CONSTRAINTS,
    LV_SECTION_FORCES,
    LV_SECTION_SYMMETRIES,
    LV_SECTION_OUTPUTS,
    LV_SECTION_EVENTS,
    LV_SECTION_VIEW,
    LV_SECTION_VIEW_POINTS,
    LV_SECTION_VIEW_LINES,
    LV_SECTION_VIEW_FRAMES,
    LV_SECTION_VIEW_SURFACES,
    LV_SECTION_RUN,
    LV_SECTION_SWEEP,
    LV_SECTION_SWEEP_SET,
    LV_SECTIONS
} lv_section_id;

typedef struct lv_section {
    const char *name; /* a table inside another section has a dot: "sweep.set" */
    const char *one;  /* what messages call an item: "constraint" */
    lv_shape shape;
    const lv_key *keys; /* the last row has the name NULL */
    const char *doc;
    const char *example;
} lv_section;

extern const lv_section lv_section_table[LV_SECTIONS];

/* The section of the k-th part; NULL beyond the last (part.c). */
const lv_section *lv_part_section(int k);

/* A word that may be the value of a key, and its meaning; the last row of a list has the
 * key NULL. */
typedef struct lv_word {
    const char *key, *name, *doc;
} lv_word;

/* The words of the k-th part; NULL: it has none. */
const lv_word *lv_part_words(int k);

/* A section by number: those of lv_section_id, then one per part; NULL beyond the
 * last. */
const lv_section *lv_section_at(int number);

/* The number of the section [outer.name], or of [name] if outer is ""; -1: there is
 * none. */
int lv_section_find(const char *outer, const char *name);

/* Number of a key in its section, or -1. */
int lv_section_key(const lv_section *section, const char *name);
int lv_section_key_count(const lv_section *section);

/* What a key takes, for messages and help: "a number, or a formula in quotes", ... */
const char *lv_key_type_text(lv_key_type type);

#endif
