/* Models from code: the same sections and keys as in a model file, set one by one.
 *
 *     lv_builder *b = lv_builder_create("pendulum");
 *     lv_builder_number(b, "parameters", NULL, "g", 9.81);
 *     lv_builder_text(b, "coordinates", "phi", "value", "1");
 *     lv_builder_text(b, "energy", NULL, "kinetic", "phi'^2/2");
 *     lv_builder_text(b, "energy", NULL, "potential", "-g*cos(phi)");
 *     status = lv_builder_model(&model, b, &err);
 *     lv_builder_free(b);
 *
 * Mistakes are reported by lv_builder_model, as if the model had been a file: its text, which
 * lv_builder_source shows, is what messages quote. */
#ifndef LIVENS_BUILD_H
#define LIVENS_BUILD_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lv_builder lv_builder;

/* Creates a builder; messages use `name` as the name of the model. NULL if there is no
 * memory or no name. */
LV_API lv_builder *lv_builder_create(const char *name);
LV_API void lv_builder_free(lv_builder *builder);

/* Sets a key of [section.item], or of [section] if item is NULL. Section and item are
 * names as in a model file. Texts are formulas, ranges or names: whatever the key takes
 * as a string. A key that is set twice is an error of the model. A call with NULL for
 * section, key, text, texts or values, or with a negative count, sets nothing, and
 * lv_builder_model returns LV_ERR_USAGE. */
LV_API void lv_builder_text(lv_builder *builder, const char *section, const char *item,
                            const char *key, const char *text);
LV_API void lv_builder_number(lv_builder *builder, const char *section, const char *item,
                              const char *key, double value);
LV_API void lv_builder_flag(lv_builder *builder, const char *section, const char *item,
                            const char *key, bool value);
LV_API void lv_builder_numbers(lv_builder *builder, const char *section, const char *item,
                               const char *key, const double *values, int count);
LV_API void lv_builder_texts(lv_builder *builder, const char *section, const char *item,
                             const char *key, const char *const *texts, int count);

/* The equivalent model file as text, valid until the builder changes. NULL if there is no
 * memory. */
LV_API const char *lv_builder_source(lv_builder *builder);

/* Reads and checks the model that was built. The builder may be used further or freed. */
LV_API LV_NODISCARD lv_status lv_builder_model(lv_model **model, lv_builder *builder,
                                               lv_error *err);

#ifdef __cplusplus
}
#endif
#endif
