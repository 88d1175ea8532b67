/* Models from texts inside of tests. */
#ifndef LV_TESTS_READING_H
#define LV_TESTS_READING_H

#include "check.h"

#include <livens/livens.h>

#include <stdio.h>
#include <string.h>

/* Shows the message of an error and fails the test. */
static inline void fail_with(const lv_error *err)
{
    char message[4096];
    lv_error_write(err, message, sizeof message);
    fail_msg("%s", message);
}

static inline lv_model *read_with(const char *text, const lv_setting *settings, int count)
{
    lv_error err;
    lv_model *model = NULL;
    if (lv_model_parse(&model, "test", text, strlen(text), settings, count, &err) !=
        LV_OK)
        fail_with(&err);
    return model;
}

static inline lv_model *read_text(const char *text)
{
    return read_with(text, NULL, 0);
}

static inline lv_model *read_shipped(const char *name, const char *parameter,
                                     const char *value)
{
    const lv_setting setting = {parameter, value};
    lv_error err;
    lv_model *model = NULL;
    if (lv_model_read(&model, name, &setting, parameter != NULL, &err) != LV_OK)
        fail_with(&err);
    return model;
}

static inline lv_inspection *inspect(const lv_model *model)
{
    lv_error err;
    lv_inspection *inspection = NULL;
    if (lv_model_inspect(&inspection, model, &err) != LV_OK)
        fail_with(&err);
    return inspection;
}

/* A model with its inspection, freed together. */
typedef struct inspected {
    lv_model *model;
    lv_inspection *at;
} inspected;

static inline inspected inspect_model(lv_model *model)
{
    return (inspected){model, inspect(model)};
}

static inline inspected inspect_text(const char *text)
{
    return inspect_model(read_text(text));
}

static inline void inspected_free(inspected *i)
{
    lv_inspection_free(i->at);
    lv_model_free(i->model);
}

/* The term [section.name] role. */
static inline const lv_term_info *term_of(const lv_inspection *i, const char *name,
                                          const char *role)
{
    for (int k = 0; k < i->term_count; k++)
        if (strcmp(i->terms[k].name, name) == 0 && strcmp(i->terms[k].role, role) == 0)
            return &i->terms[k];
    fail_msg("no term '%s' %s", name, role);
    return NULL;
}

static inline const lv_parameter_info *parameter_of(const lv_inspection *i,
                                                    const char *name)
{
    for (int k = 0; k < i->parameter_count; k++)
        if (strcmp(i->parameters[k].name, name) == 0)
            return &i->parameters[k];
    fail_msg("no parameter '%s'", name);
    return NULL;
}

static inline double momentum_of(const lv_inspection *i, const char *name)
{
    for (int k = 0; k < i->momentum_count; k++)
        if (strcmp(i->momenta[k].name, name) == 0)
            return i->momenta[k].value;
    fail_msg("no momentum '%s'", name);
    return 0;
}

/* The model must be refused, when it is read or when it is inspected. */
static inline lv_status refuse(const char *text, size_t size, const lv_setting *settings,
                               int count, lv_error *err)
{
    lv_model *model = NULL;
    lv_inspection *inspection = NULL;
    lv_status status = lv_model_parse(&model, "test", text, size, settings, count, err);
    if (status == LV_OK)
        status = lv_model_inspect(&inspection, model, err);
    lv_inspection_free(inspection);
    lv_model_free(model);
    if (status == LV_OK)
        fail_msg("the model is accepted");
    assert_int_equal(err->code, status);
    return status;
}

#endif
