/* Names of the columns of results. A model's own names (coordinates, bodies, joints, outputs, parameters that a
 * sweep sets, constraints, symmetries, forces) share a line of columns with the names that livens gives, so
 * that all of them must differ. */
#ifndef LV_MODEL_COLUMNS_H
#define LV_MODEL_COLUMNS_H

#include "model/model.h"

/* A name that livens gives to a column of a run or a sweep. */
typedef struct lv_column_word {
    const char *text;
    const char
        *attribute; /* NULL: the column is the word alone; "max": columns are word.max */
    const char *meaning;
} lv_column_word;

/* Ends with a row whose text is NULL. Columns that are made of a model's name and more, "p.x", "lambda.pin",
 * "top.omega", are not among them: no name has a dot. */
extern const lv_column_word lv_column_words[];

/* Fails if two columns would have one name, or if a column of livens, "g.max", would read like an
 * attribute of a coordinate or an output, "g". The last step of freezing. */
lv_status lv_model_check_columns(const lv_model *model, lv_error *err);

#endif
