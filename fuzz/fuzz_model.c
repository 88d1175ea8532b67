/* Reads any bytes as a model and inspects it where it is one. A model has finite start values
 * and coordinates with names; reading it again gives the same bits. Errors have a text, and a
 * place unless the model as a whole is meant or memory ran out.
 *
 * Large requests for memory are denied, so that a family of a billion members ends at once. */
#include <livens/livens.h>

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LARGEST = 4 << 20, MOST_COORDINATES = 10000 };

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void *small_resize(void *p, size_t size)
{
    if (size > LARGEST)
        return NULL;
    if (size > 0)
        return realloc(p, size);
    free(p);
    return NULL;
}

static void check_error(lv_status status, const lv_error *err)
{
    char message[4096];
    check(err->code == status && err->text[0]);
    check(status == LV_ERR_MEMORY || err->file[0]);
    check(err->line == 0 || (err->column > 0 && err->length > 0));
    check(lv_error_write(err, message, sizeof message) > 0);
}

static void check_model(const lv_model *model)
{
    int n = lv_model_coordinate_count(model);
    const double *q = lv_model_start_position(model), *v = lv_model_start_velocity(model);
    check(n > 0);
    for (int k = 0; k < n; k++) {
        char name[160];
        check(isfinite(q[k]) && isfinite(v[k]));
        check(lv_model_coordinate_name(model, k, name, sizeof name)[0]);
    }
}

static void check_inspection(const lv_inspection *i)
{
    int constraints = i->holonomic + i->nonholonomic;
    check(isfinite(i->position_residual) && isfinite(i->velocity_residual));
    check(i->constraint_rank <= constraints && i->constraint_rank <= i->coordinates);
    check(i->mass_rank <= i->coordinates);
    check(i->term_count == i->kernels);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Reads the model; the energy at the start, or NaN. */
static double read_once(const uint8_t *data, size_t size, lv_status *status)
{
    lv_error err;
    lv_model *model = NULL;
    lv_inspection *inspection = NULL;
    double energy = (double)NAN;
    *status = lv_model_parse(&model, "fuzz", (const char *)data, size, NULL, 0, &err);
    check((model != NULL) == (*status == LV_OK));
    if (model)
        check_model(model);
    if (model && lv_model_coordinate_count(model) <= MOST_COORDINATES) {
        *status = lv_model_inspect(&inspection, model, &err);
        check((inspection != NULL) == (*status == LV_OK));
    }
    if (*status != LV_OK)
        check_error(*status, &err);
    if (inspection) {
        check_inspection(inspection);
        energy = inspection->energy;
    }
    lv_inspection_free(inspection);
    lv_model_free(model);
    return energy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    lv_status first = LV_OK, second = LV_OK;
    lv_memory_set_hook(small_resize);
    double energy = read_once(data, size, &first);
    if (first == LV_OK) {
        double again = read_once(data, size, &second);
        check(second == LV_OK);
        check(same_bits(energy, again) || (isnan(energy) && isnan(again)));
    }
    lv_memory_set_hook(NULL);
    return 0;
}
