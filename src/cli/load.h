/* The MODEL argument and the --set options of commands that read a model. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "cli/args.h"

/* Rows for the tables of such commands. */
#define CLI_MODEL_ARGUMENT                                                               \
    {                                                                                    \
        "MODEL", false, "a file, the name of a shipped model, or - for standard input"   \
    }
#define CLI_SET_OPTION                                                                   \
    {                                                                                    \
        "set", 0, true, "NAME=VALUE",                                                    \
            "replace a parameter of the model; VALUE is a number or a formula of other " \
            "parameters"                                                                 \
    }

#define CLI_MEMORY_OPTION                                                                \
    {                                                                                    \
        "memory", 0, false, "SIZE",                                                      \
            "memory that may be used, such as 500M or 4G; default: half of what is free" \
    }

/* Reads the model that args->items[0] names, or the one of this name. Free with lv_model_free. */
LV_NODISCARD lv_status cli_model_load(lv_model **model, const cli_args *args,
                                      lv_error *err);
LV_NODISCARD lv_status cli_model_load_named(lv_model **model, const char *name,
                                            const cli_args *args, lv_error *err);

/* Reads a model from a text, which messages call `name`. */
LV_NODISCARD lv_status cli_model_parse(lv_model **model, const char *name,
                                       const char *text, size_t size,
                                       const cli_args *args, lv_error *err);

/* Reads the model, calls `use` and frees the model: the work of commands about one
 * model. */
LV_NODISCARD lv_status cli_model_use(const cli_args *args, cli_outcome *outcome,
                                     lv_status (*use)(const lv_model *model,
                                                      const cli_args *args,
                                                      cli_outcome *outcome));

/* The name of the model's file in reports. */
const char *cli_model_file(const cli_args *args);

#endif
