/* Names of the columns of results. The names of a model (coordinates, bodies, joints,
 * outputs, parameters that a sweep sets, constraints, symmetries, forces) and the names
 * that livens gives are columns of one table, so all of them must differ. */
#ifndef LV_MODEL_COLUMNS_H
#define LV_MODEL_COLUMNS_H

#include "model/model.h"

/* A column of a run or a sweep that livens names. */
typedef struct lv_column_word {
    const char *text;
    const char
        *attribute; /* NULL: the name of the column is the word; "max": it is word.max */
    const char *meaning;
} lv_column_word;

/* The last row has the text NULL. Columns that combine a name of the model with more,
 * "p.x", "lambda.pin", "top.omega", are not in the list: no name contains a dot. */
extern const lv_column_word lv_column_words[];

/* Fails if two columns have the same name, or if a column of livens, "g.max", looks like
 * an attribute of a coordinate or output "g". This is the last step of freezing. */
lv_status lv_model_check_columns(const lv_model *model, lv_error *err);

#endif
