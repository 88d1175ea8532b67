/* Models: read, checked and frozen. A model never changes once read and may be shared by
 * threads. */
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

/* A parameter to replace when reading: value is a formula text, "0.5" or "2*pi". */
typedef struct lv_setting {
    const char *name;
    const char *value;
} lv_setting;

/* The model's own wishes for a run; numbers are 0 and texts NULL where it has none. */
typedef struct lv_run_options {
    const char *scheme;
    lv_scheme_options options;
    double step;
    double until;
    bool ends; /* until is given; 0 is the start itself */
    int every;
    double sample;
    bool project; /* initial = "project" */
} lv_run_options;

/* Reads a model file, or the shipped model of that name if there is no such file. On failure
 * *model is NULL and err says where and why. Free with lv_model_free. */
LV_API LV_NODISCARD lv_status lv_model_read(lv_model **model, const char *path,
                                            const lv_setting *settings, int setting_count,
                                            lv_error *err);

/* The same from memory; `name` is what messages call the text. The text is copied. */
LV_API LV_NODISCARD lv_status lv_model_parse(lv_model **model, const char *name,
                                             const char *text, size_t size,
                                             const lv_setting *settings,
                                             int setting_count, lv_error *err);

LV_API void lv_model_free(lv_model *model);

LV_API const char *lv_model_title(const lv_model *model);
LV_API const char *lv_model_description(const lv_model *model); /* NULL: none */
LV_API const lv_run_options *lv_model_run_options(const lv_model *model);

/* The scalar coordinates, numbered from 0 in the order of the file. */
LV_API int lv_model_coordinate_count(const lv_model *model);
LV_API const double *lv_model_start_position(const lv_model *model);
LV_API const double *lv_model_start_velocity(const lv_model *model);

/* Writes the name of a coordinate as results show it ("x", "a[2]", "q_7[1]"), at most size
 * bytes with the final NUL; returns buffer. */
LV_API const char *lv_model_coordinate_name(const lv_model *model, int k, char *buffer,
                                            size_t size);

/* Name of a constraint by number, holonomic ones first, as results show it ("upper", "link_7"). */
LV_API const char *lv_model_constraint_name(const lv_model *model, int k, char *buffer,
                                            size_t size);

/* The other way round: the number of the first row of the constraint that results call so, and how many rows it has; a
 * vector "pin" has the rows "pin[1]", ..., which may be asked for as well. -1 and 0: there is none. */
LV_API int lv_model_constraint_find(const lv_model *model, const char *name, int *rows);

/* Whether a coordinate or constraint belongs to a formulation of bodies: results show bodies and joints instead. */
LV_API bool lv_model_coordinate_is_inner(const lv_model *model, int k);
LV_API bool lv_model_constraint_is_inner(const lv_model *model, int k);

/* Inputs of a model: numbers and vectors of [inputs], which may change between the steps of a simulation. */
typedef struct lv_input_info {
    const char *name;
    int length;           /* 0: a scalar */
    int first;            /* number of its first value among those of all inputs */
    const double *values; /* until they are set */
    size_t reserved[4];   /* for later versions */
} lv_input_info;

/* The k-th input; false beyond the last. */
LV_API bool lv_model_input_describe(const lv_model *model, int k, lv_input_info *info);

/* How many numbers all inputs have together. */
LV_API int lv_model_input_count(const lv_model *model);

/* The same model, read again with the same settings, that takes external forces besides (lv_sim_set_force). LV_ERR_MODEL
 * if it has something called "external". Free with lv_model_free; the model that it is made of may be freed before. */
LV_API LV_NODISCARD lv_status lv_model_with_forces(lv_model **model,
                                                   const lv_model *without,
                                                   lv_error *err);

/* External generalised forces: how many numbers they are, 0 for a model that takes none, and what each acts on. A number
 * that is called as a coordinate ("x", "a[2]") is the force along it, whose power is the number times its velocity.
 * Bodies have "NAME.force[1]" to "[3]", at the centre of mass in space axes, unless they have a pivot, and
 * "NAME.torque[1]" to "[3]", in space axes; in the plane two and one, "NAME.torque". At most size bytes with the final
 * NUL; returns buffer, empty out of range. */
LV_API int lv_model_force_count(const lv_model *model);
LV_API const char *lv_model_force_name(const lv_model *model, int k, char *buffer,
                                       size_t size);

/* The models that come with livens; the names end with NULL. */
LV_API const char *const *lv_shipped_names(void);
LV_API const char *lv_shipped_text(const char *name); /* NULL: no such model */

/* The functions of the formula language; false beyond the last. Texts are static. */
typedef struct lv_function_info {
    const char *name;
    const char *signature;
    const char *doc;
    size_t reserved[4]; /* for later versions */
} lv_function_info;

LV_API bool lv_function_describe(int k, lv_function_info *info);

/* The sections and keys of model files; false beyond the last. Texts are static. */
typedef struct lv_section_info {
    const char *name;  /* "" for the top of the file */
    const char *shape; /* how items are written there */
    const char *doc;
    const char *example;
    const char *one;    /* what one of its items is called: "spring" */
    bool part;          /* its items are parts, which stand for other declarations */
    size_t reserved[4]; /* for later versions */
} lv_section_info;

typedef struct lv_key_info {
    const char *name;
    const char *type;
    const char *unit;     /* NULL: none */
    const char *fallback; /* default; NULL: none */
    bool required;
    bool whole;
    double least, most; /* no range where both are 0 */
    const char *doc;
    size_t reserved[4]; /* for later versions */
} lv_key_info;

LV_API bool lv_section_describe(int section, lv_section_info *info);
LV_API bool lv_key_describe(int section, int key, lv_key_info *info);

/* Words that values of keys of a section may be, where they need an explanation: type = "revolute" of joints. */
typedef struct lv_word_info {
    const char *key, *name, *doc;
    size_t reserved[4]; /* for later versions */
} lv_word_info;

LV_API bool lv_word_describe(int section, int word, lv_word_info *info);

#ifdef __cplusplus
}
#endif
#endif
