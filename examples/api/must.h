/* What all examples of the reference do about errors: they show the message and end. */
#ifndef LIVENS_EXAMPLES_MUST_H
#define LIVENS_EXAMPLES_MUST_H

#include <livens/livens.h>

#include <stdio.h>
#include <stdlib.h>

static inline void must(lv_status status, const lv_error *err)
{
    char text[4096];
    if (status == LV_OK)
        return;
    lv_error_write(err, text, sizeof text);
    fputs(text, stderr);
    exit(lv_status_exit_code(status));
}

/* A model that comes with livens. */
static inline lv_model *shipped(const char *name)
{
    lv_error err;
    lv_model *model = NULL;
    must(lv_model_read(&model, name, NULL, 0, &err), &err);
    return model;
}

/* A simulation of a model with one of the schemes. */
static inline lv_sim *begin(const lv_model *model, const char *scheme, double step)
{
    lv_error err;
    lv_sim *sim = NULL;
    lv_sim_options options = lv_sim_options_default(model);
    options.scheme = scheme;
    options.options = (lv_scheme_options){0};
    options.step = step;
    must(lv_sim_create(&sim, model, &options, &err), &err);
    return sim;
}

#endif
