/* Models: read, checked and frozen. A model never changes after it was read, so threads
 * may share it. */
#ifndef LIVENS_MODEL_H
#define LIVENS_MODEL_H

#include "option.h"
#include "status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lv_model lv_model;

/* A parameter value that replaces the one of the model file. The value is a formula as
 * text: "0.5" or "2*pi". */
typedef struct lv_setting {
    const char *name;
    const char *value;
} lv_setting;

/* What [run] of the model says about a run. Numbers are 0 and texts NULL where it says
 * nothing. */
typedef struct lv_run_options {
    const char *scheme;
    lv_scheme_options options;
    double step;
    double until;
    bool ends; /* whether until is given (0 is a valid end: the start itself) */
    int every;
    double sample;
    bool project; /* initial = "project" is given */
} lv_run_options;

/* Reads a model file, or the shipped model of that name if there is no such file. On
 * failure *model is NULL and err says where and why. Free with lv_model_free. */
LV_API LV_NODISCARD lv_status lv_model_read(lv_model **model, const char *path,
                                            const lv_setting *settings, int setting_count,
                                            lv_error *err);

/* Reads a model from memory; messages use `name` as the name of the file. The text is
 * copied. */
LV_API LV_NODISCARD lv_status lv_model_parse(lv_model **model, const char *name,
                                             const char *text, size_t size,
                                             const lv_setting *settings,
                                             int setting_count, lv_error *err);

LV_API void lv_model_free(lv_model *model);

LV_API const char *lv_model_title(const lv_model *model);
LV_API const char *lv_model_description(const lv_model *model); /* NULL: there is none */
LV_API const lv_run_options *lv_model_run_options(const lv_model *model);

/* The scalar coordinates, numbered from 0 in the order of the file. */
LV_API int lv_model_coordinate_count(const lv_model *model);
LV_API const double *lv_model_start_position(const lv_model *model);
LV_API const double *lv_model_start_velocity(const lv_model *model);

/* Writes the name of a coordinate as results show it ("x", "a[2]", "q_7[1]"), at most
 * size bytes including the final NUL; returns buffer. */
LV_API const char *lv_model_coordinate_name(const lv_model *model, int k, char *buffer,
                                            size_t size);

/* Writes the name of constraint row k as results show it ("upper", "link_7"). Holonomic
 * rows come first. */
LV_API const char *lv_model_constraint_name(const lv_model *model, int k, char *buffer,
                                            size_t size);

/* Finds a constraint by the name that results use. Returns the number of its first row
 * and sets *rows to its number of rows. The name of a vector, "pin", means all of its
 * rows; the name of one row, "pin[1]", works as well. Returns -1 and sets *rows to 0 if
 * there is none. */
LV_API int lv_model_constraint_find(const lv_model *model, const char *name, int *rows);

/* Whether a coordinate or constraint was added by the formulation of a body. Results show
 * bodies and joints instead. */
LV_API bool lv_model_coordinate_is_inner(const lv_model *model, int k);
LV_API bool lv_model_constraint_is_inner(const lv_model *model, int k);

/* An input of a model: a number or vector of [inputs], which may change between the steps
 * of a simulation. */
typedef struct lv_input_info {
    const char *name;
    int length;           /* 0: a scalar */
    int first;            /* index of its first value among the values of all inputs */
    const double *values; /* initial values, which hold until others are set */
    size_t reserved[4];   /* for later versions */
} lv_input_info;

/* The k-th input; false beyond the last. */
LV_API bool lv_model_input_describe(const lv_model *model, int k, lv_input_info *info);

/* Number of values of all inputs together. */
LV_API int lv_model_input_count(const lv_model *model);

/* Makes a copy of a model that also takes external forces (lv_sim_set_force). The model
 * is read again with the same settings. LV_ERR_MODEL if it declares something called
 * "external". Free with lv_model_free; `without` may be freed earlier. */
LV_API LV_NODISCARD lv_status lv_model_with_forces(lv_model **model,
                                                   const lv_model *without,
                                                   lv_error *err);

/* External generalised forces: how many values there are (0: the model takes none), and
 * the name of what the k-th acts on. A force that has the name of a coordinate ("x",
 * "a[2]") acts along it: its power is the force times the velocity of that coordinate.
 * Bodies have "NAME.force[1]" to "[3]", which act at the centre of mass along the axes of
 * space (not for bodies with a pivot), and "NAME.torque[1]" to "[3]", about the axes of
 * space. Bodies in the plane have two forces and one torque, "NAME.torque". The name
 * takes at most size bytes including the final NUL. Returns buffer, which is empty if k
 * is out of range. */
LV_API int lv_model_force_count(const lv_model *model);
LV_API const char *lv_model_force_name(const lv_model *model, int k, char *buffer,
                                       size_t size);

/* Names of the models that come with livens; a NULL ends the list. */
LV_API const char *const *lv_shipped_names(void);
LV_API const char *lv_shipped_text(const char *name); /* NULL: there is no such model */

/* A function of the formula language. lv_function_describe returns false if k is beyond
 * the last. Texts are static. */
typedef struct lv_function_info {
    const char *name;
    const char *signature;
    const char *doc;
    size_t reserved[4]; /* for later versions */
} lv_function_info;

LV_API bool lv_function_describe(int k, lv_function_info *info);

/* A section of model files, and a key of one. The functions return false beyond the last.
 * Texts are static. */
typedef struct lv_section_info {
    const char *name;  /* "" for keys at the top of the file */
    const char *shape; /* how its items are written in the file */
    const char *doc;
    const char *example;
    const char *one;    /* name of one item: "spring" */
    bool part;          /* its items are parts, which expand to other declarations */
    size_t reserved[4]; /* for later versions */
} lv_section_info;

typedef struct lv_key_info {
    const char *name;
    const char *type;
    const char *unit;     /* NULL: it has none */
    const char *fallback; /* default value as text; NULL: there is none */
    bool required;
    bool whole;
    double least, most; /* range of the value; both 0: no range */
    const char *doc;
    size_t reserved[4]; /* for later versions */
} lv_key_info;

LV_API bool lv_section_describe(int section, lv_section_info *info);
LV_API bool lv_key_describe(int section, int key, lv_key_info *info);

/* A word that a key of a section may have as its value, with its meaning: type =
 * "revolute" of joints. */
typedef struct lv_word_info {
    const char *key, *name, *doc;
    size_t reserved[4]; /* for later versions */
} lv_word_info;

LV_API bool lv_word_describe(int section, int word, lv_word_info *info);

#ifdef __cplusplus
}
#endif
#endif
